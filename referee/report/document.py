"""The report as other programs read it: one JSON object a board, format 1."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from referee.model import (
    BoardView,
    Call,
    Decided,
    Event,
    Floats,
    Json,
    Judgement,
    NearMiss,
    OtherReading,
    Question,
    Reason,
    Report,
    Stage,
    Stroke,
    UnseenStretch,
)
from referee.report.gadgets import gadget_json
from referee.words import Language, Phrase, told

FORMAT = 1
PLACE_DECIMALS = 2
MARGIN_DECIMALS = 3


def document(report: Report, pictures: Mapping[int, str] | None = None, language: Language = "en") -> Json:
    """The JSON object of one board.

    ``pictures`` names the close-up file of each near miss, by its place in the judgement's list; without it the
    report's ``picture`` fields are null.  Every number is finite or null.  What is written for people to read is in
    ``language``; names, codes and kinds are the same in all.

    >>> from referee.model import Failure, Report
    >>> document(Report("cat.jpg", failure=Failure("no-board", "No board in cat.jpg.", "Show all of it.")))["error"]
    {'code': 'no-board', 'message': 'No board in cat.jpg.', 'hint': 'Show all of it.'}
    """
    head: Json = {"format": FORMAT, "source": report.source, "stage": _stage(report.stage, report.copy)}
    board = {"board": _board(report.view, report.uncertainty_mm)}
    tail = {"timing_ms": {step: _rounded(ms, 1) for step, ms in report.timing_ms.items()}}
    if report.failure is not None:
        failure = report.failure
        error = {"error": {"code": failure.code, "message": failure.message, "hint": failure.hint}}
        return _in_language(head | error | board | tail, language)
    if report.judgement is None:
        raise ValueError("a report must carry a judgement or a failure, got neither")
    readings = [_reading(reading) for reading in report.other_readings]
    whole = (
        head
        | _outcome(report.judgement)
        | board
        | _evidence(report.judgement, pictures or {})
        | _beforehand(report.judgement, report.baseline)
        | _decisions(report.judgement)
        | {"other_readings": readings}
        | tail
    )
    return _in_language(whole, language)


def _in_language(whole: Json, language: Language) -> Json:
    """The object with every sentence told in a language; what nobody said by a key stays as it is."""
    if language == "en":
        return whole
    return {name: part if name == "path" else _told(part, language) for name, part in whole.items()}


def _told(value: Any, language: Language) -> Any:
    match value:
        case Phrase():
            return told(value, language)
        case dict():
            return {name: _told(part, language) for name, part in value.items()}
        case list():
            return [_told(part, language) for part in value]
        case _:
            return value


def dumps(documents: Sequence[Json], *, as_array: bool) -> str:
    """The one JSON text of a run: the object itself, or an array with one object a board.

    Plain ASCII, so that no console's encoding and no odd file name can spoil it.
    """
    whole: Any = list(documents) if as_array else documents[0]
    return json.dumps(whole, allow_nan=False)


def _outcome(judgement: Judgement) -> Json:
    return {
        "verdict": judgement.verdict,
        "reasons": [_reason(reason) for reason in judgement.reasons],
        "finished": judgement.finished,
        "accidents": judgement.accidents,
        "donuts": judgement.donuts,
    }


def _reading(reading: OtherReading) -> Json:
    """Another order of the strokes; ``strokes`` names it in a decision that believes it."""
    strokes = [[_place(begin), _place(end)] for begin, end in reading.strokes]
    return {"verdict": reading.verdict, "accidents": reading.accidents, "why": reading.why, "strokes": strokes}


def _decisions(judgement: Judgement) -> Json:
    """What people decided, and what the referee says without them."""
    alone = judgement.alone and {"verdict": judgement.alone[0], "accidents": judgement.alone[1]}
    return {"decisions": [_decision(decided) for decided in judgement.decided]} | ({"alone": alone} if alone else {})


def _decision(decided: Decided) -> Json:
    said = decided.decision
    name: Json = {"rule": said.rule, "kind": said.kind, "element": said.element, "at_mm": _place(said.at_mm)}
    if said.strokes:
        name["strokes"] = [[_place(begin), _place(end)] for begin, end in said.strokes]
    told = {"answer": said.answer, "reason": said.reason, "who": said.who, "when": said.when}
    own: Json = {"ask": decided.ask, "referee": decided.referee, "certain": decided.certain}
    shows: Json = {"applies": decided.applies, "event": decided.event}
    return name | {"stroke": said.stroke} | told | own | shows | _measure(decided.margin_mm, decided.uncertainty_mm)


def _call(call: Call) -> Json:
    """A question that the rules met, named as a decision names it."""
    name: Json = {"rule": call.rule, "kind": call.kind, "element": call.element, "at_mm": _place(call.at_mm)}
    told: Json = {"ask": call.ask, "answer": call.answer, "certain": call.certain, "event": call.event}
    return name | {"stroke": call.stroke} | told | _measure(call.margin_mm, call.uncertainty_mm)


def _reason(reason: Reason) -> Json:
    fields: Json = {"code": reason.code, "rule": reason.rule, "event": reason.event, "text": reason.text}
    return fields | ({"question": _question(reason.question)} if reason.question else {})


def _question(question: Question) -> Json:
    asked: Json = {"ask": question.ask, "rule": question.rule, "kind": question.kind, "element": question.element}
    asked |= {"at_mm": _place(question.at_mm), "stroke": question.stroke}
    answers: Json = {"yes": list(question.yes), "no": list(question.no)}
    return asked | _measure(question.margin_mm, question.uncertainty_mm) | answers


def _evidence(judgement: Judgement, pictures: Mapping[int, str]) -> Json:
    strokes = judgement.path.strokes if judgement.path else ()
    return {
        "path": [_stroke(number, stroke) for number, stroke in enumerate(strokes)],
        "events": [_event(event, judgement.decided) for event in judgement.events],
        "calls": [_call(call) for call in judgement.calls],
        "near_misses": [_near_miss(miss, pictures.get(n)) for n, miss in enumerate(judgement.near_misses)],
        "unseen": _stretches(judgement.unseen),
    }


def _beforehand(judgement: Judgement, baseline: str | None) -> Json:
    """What the picture from before the race shows, and what of the road it does not; nothing where there is none."""
    if baseline is None:
        return {}
    return {
        "gadgets": [gadget_json(gadget) for gadget in judgement.gadgets],
        "baseline": {"source": baseline, "unseen": _stretches(judgement.unseen_before)},
    }


def _stretches(unseen: Sequence[UnseenStretch]) -> list[Json]:
    return [{"from_mm": _rounded(u.from_mm, 1), "to_mm": _rounded(u.to_mm, 1), "why": u.why} for u in unseen]


def _stage(stage: Stage | None, copy: str | None) -> Json | None:
    return None if stage is None else {"number": stage.number, "name": stage.name, "copy": copy}


def _board(view: BoardView | None, uncertainty_mm: float | None) -> Json | None:
    if view is None:
        return None
    return {
        "found_by": view.found_by,
        **({"side": view.side} if view.side else {}),
        "scale_px_per_mm": _rounded(view.scale_px_per_mm(), PLACE_DECIMALS),
        "uncertainty_mm": _rounded(uncertainty_mm, MARGIN_DECIMALS),
        "corners_px": _places(view.corners_px()),
    }


def _stroke(number: int, stroke: Stroke) -> Json:
    return {
        "stroke": number,
        "width_mm": _rounded(stroke.width_mm, PLACE_DECIMALS),
        "points_mm": _places(stroke.points_mm),
    }


def _event(event: Event, decided: Sequence[Decided]) -> Json:
    fields: Json = {"seq": event.seq, "kind": event.kind}
    if event.kind == "accident":
        fields["cause"] = event.cause
    fields |= {"rule": event.rule, "element": event.element, "at_mm": _place(event.at_mm), "stroke": event.stroke}
    fields |= _measure(event.margin_mm, event.uncertainty_mm)
    if event.certain is not None:
        fields["certain"] = event.certain
    if event.kind == "accident":
        fields |= {"outcome": event.outcome, "restart_element": event.restart_element}
    if event.decided is not None:
        said = decided[event.decided]
        fields["decided"] = {"decision": event.decided, "referee": said.referee, "certain": said.certain}
    return fields


def _near_miss(miss: NearMiss, picture: str | None) -> Json:
    place: Json = {"event": miss.event, "element": miss.element, "at_mm": _place(miss.at_mm)}
    return place | _measure(miss.margin_mm, miss.uncertainty_mm) | {"picture": picture}


def _measure(margin_mm: float | None, uncertainty_mm: float | None) -> Json:
    return {
        "margin_mm": _rounded(margin_mm, MARGIN_DECIMALS),
        "uncertainty_mm": _rounded(uncertainty_mm, MARGIN_DECIMALS),
    }


def _place(at: tuple[float, float]) -> list[float | None]:
    return [_rounded(at[0], PLACE_DECIMALS), _rounded(at[1], PLACE_DECIMALS)]


def _places(points: Floats) -> list[list[float]]:
    """Points (N, 2) as lists; adding zero turns -0.0 into 0.0."""
    if not np.isfinite(points).all():
        raise ValueError("a place in the report is not a finite number")
    rounded: list[list[float]] = (np.round(points, PLACE_DECIMALS) + 0.0).tolist()
    return rounded


def _rounded(value: float | None, decimals: int) -> float | None:
    """The value to so many decimals; null where there is none or it is no number (JSON knows no NaN)."""
    if value is None or not math.isfinite(value):
        return None
    return round(float(value), decimals) + 0.0
