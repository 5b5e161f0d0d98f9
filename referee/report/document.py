"""The report as other programs read it: one JSON object a board, format 1."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from referee.model import (
    BoardView,
    Event,
    Floats,
    Json,
    Judgement,
    NearMiss,
    Question,
    Reason,
    Report,
    Stage,
    Stroke,
    UnseenStretch,
)
from referee.report.gadgets import gadget_json

FORMAT = 1
PLACE_DECIMALS = 2
MARGIN_DECIMALS = 3


def document(report: Report, pictures: Mapping[int, str] | None = None) -> Json:
    """The JSON object of one board.

    ``pictures`` names the close-up file of each near miss, by its place in the judgement's list; without it the
    report's ``picture`` fields are null.  Every number is finite or null.

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
        return head | error | board | tail
    if report.judgement is None:
        raise ValueError("a report must carry a judgement or a failure, got neither")
    readings = [{"verdict": r.verdict, "accidents": r.accidents, "why": r.why} for r in report.other_readings]
    return (
        head
        | _outcome(report.judgement)
        | board
        | _evidence(report.judgement, pictures or {})
        | _beforehand(report.judgement, report.baseline)
        | {"other_readings": readings}
        | tail
    )


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


def _reason(reason: Reason) -> Json:
    fields: Json = {"code": reason.code, "rule": reason.rule, "event": reason.event, "text": reason.text}
    return fields | ({"question": _question(reason.question)} if reason.question else {})


def _question(question: Question) -> Json:
    asked: Json = {"ask": question.ask, "element": question.element, "at_mm": _place(question.at_mm)}
    answers: Json = {"yes": list(question.yes), "no": list(question.no)}
    return asked | _measure(question.margin_mm, question.uncertainty_mm) | answers


def _evidence(judgement: Judgement, pictures: Mapping[int, str]) -> Json:
    strokes = judgement.path.strokes if judgement.path else ()
    return {
        "path": [_stroke(number, stroke) for number, stroke in enumerate(strokes)],
        "events": [_event(event) for event in judgement.events],
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


def _event(event: Event) -> Json:
    fields: Json = {"seq": event.seq, "kind": event.kind}
    if event.kind == "accident":
        fields["cause"] = event.cause
    fields |= {"rule": event.rule, "element": event.element, "at_mm": _place(event.at_mm), "stroke": event.stroke}
    fields |= _measure(event.margin_mm, event.uncertainty_mm)
    if event.certain is not None:
        fields["certain"] = event.certain
    if event.kind == "accident":
        fields |= {"outcome": event.outcome, "restart_element": event.restart_element}
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
