"""The report of a film: the photo's format 1, with the time of every event and what only a film knows beside it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from referee.live.report import Disagreement, LiveReport
from referee.live.sight import BoardSight, LiveCall, Sight
from referee.model import Failure, Json, Judgement, Report, one_line
from referee.report.document import document
from referee.report.text import block, heading, lines, reason_words
from referee.report.words import VERDICTS, WHY, event_words_in, verdict_line
from referee.words import Language, Phrase, Place, say, told


def film_document(report: LiveReport, source: str, language: Language = "en") -> Json:
    """One board's object: events carry ``at_s``, seconds of the film; ``film`` is what a photo does not know."""
    if report.judgement is None:
        return document(Report(source, failure=no_ink(), stage=report.stage, copy=report.copy), {}, language)
    photo = report.photo
    whole = document(
        Report(
            source,
            judgement=report.settled(),
            stage=report.stage,
            copy=report.copy,
            view=photo.view if photo else None,
            uncertainty_mm=photo.uncertainty_mm if photo else None,
        ),
        {},
        language,
    )
    for event, at_s in zip(whole["events"], report.at_s, strict=True):
        event["at_s"] = _rounded(at_s)
    whole["film"] = _film(report)
    return whole


def _film(report: LiveReport) -> Json:
    photo = report.photo
    return {
        "began_s": _rounded(report.began_s),
        "finished_s": _rounded(report.finished_s),
        "seconds": _rounded(report.seconds),
        "sections": [{"from": s.begins, "to": s.ends, "seconds": s.seconds} for s in report.sections()],
        "unseen_s": [[_rounded(a), _rounded(b)] for a, b in report.unseen_s],
        "calls": [call_json(call) for call in report.calls],
        "photo": None if photo is None else _photo(photo, report.photo_at_s),
        "disagreements": [
            {"what": d.what, "film": d.film, "photo": d.photo} for d in report.disagreements()
        ],
        "path_mm_s": [[list(row) for row in stroke] for stroke in report.path_mm_s],
    }  # fmt: skip


def _photo(photo: Report, at_s: float | None) -> Json:
    """What the last clear frame says, judged as a photo."""
    if photo.judgement is None:
        failure = photo.failure
        return {"at_s": _rounded(at_s), "error": None if failure is None else failure.code}
    judgement = photo.judgement
    return {"at_s": _rounded(at_s), "verdict": judgement.verdict, "accidents": judgement.accidents,
            "finished": judgement.finished, "donuts": judgement.donuts}  # fmt: skip


def call_json(call: LiveCall) -> Json:
    """A call as programs read it; what does not apply is left out."""
    told: Json = {
        "seq": call.seq,
        "kind": call.kind,
        "cause": call.cause,
        "at_s": _rounded(call.at_s),
        "said_s": _rounded(call.said_s),
        "at_mm": None if call.at_mm is None else [round(float(v), 2) for v in call.at_mm],
        "element": call.element,
        "number": call.number,
        "of": call.of,
        "restart_element": call.restart_element,
        "margin_mm": _rounded(call.margin_mm),
        "certain": call.certain,
        "again": call.again or None,
    }
    return {name: value for name, value in told.items() if value is not None}


def line_json(sight: Sight, board: BoardSight, call: LiveCall) -> Json:
    """A call as `referee watch --json` prints it: one object a line, with the board that it is about."""
    about = {"stage": board.stage, "copy": board.copy, "now_s": _rounded(sight.at_s)}
    return {**about, "elapsed_s": _rounded(board.elapsed_s), **call_json(call)}


def _rounded(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else round(float(value), 3)


def call_words(call: LiveCall) -> Phrase:
    """A call as a person reads it on a console.

    >>> call_words(LiveCall(0, "accident", 12.3, 12.5, cause="mine", element="mine-1", restart_element="checkpoint-2"))
    '   12.3 s  Accident! Touched mine 1. Back to checkpoint 2.'
    """
    said = _said(call)
    return say("film.call", at=call.at_s, said=say("film.back", said=said) if call.again else said)


def _said(call: LiveCall) -> Phrase:
    place = Place(call.element)
    match call.kind:
        case "accident":
            cause = say(f"accident.{call.cause or 'start'}", element=place, depth="", outside="")
            return say("film-call.accident", cause=cause, back=Place(call.restart_element))
        case "checkpoint" | "donut" if call.number:
            return say(f"film-call.{call.kind}", number=call.number, of=call.of)
        case "checkpoint" | "donut":
            return say(f"film-call.{call.kind}-plain", element=place)
        case _:
            return say(f"film-call.{call.kind}", element=place)


def film_words(report: LiveReport, source: str, language: Language = "en") -> str:
    """What came of one board, for a console: a photo's words, with the time of every event."""
    return "\n".join(one_line(told(line, language)) for line in _film_lines(report, source)) + "\n"


def _film_lines(report: LiveReport, source: str) -> Iterator[str]:
    settled = report.settled()
    if settled is None:
        yield from lines(Report(source, failure=no_ink(), stage=report.stage, copy=report.copy))
        return
    judgement = _by_nobody(settled)
    yield verdict_line(judgement)
    yield heading(Report(source, judgement=judgement, stage=report.stage, copy=report.copy))
    if report.seconds is not None:
        yield say("film.time", seconds=report.seconds)
    yield from block(WHY, (reason_words(judgement, reason) for reason in judgement.reasons))
    yield ""
    for event, at_s in zip(judgement.events, report.at_s, strict=True):
        yield say("film.timed", at=at_s, event=event_words_in(judgement, event))
    yield from block(say("film.not-watched"), (say("film.stretch", a=a, b=b) for a, b in report.unseen_s))
    yield from block(say("film.differs"), (_difference_words(report, other) for other in report.disagreements()))


def _by_nobody(judgement: Judgement) -> Judgement:
    """The same without who decided what: in a film it was the camera, which saw the marker go up."""
    events = tuple(replace(event, decided=None) for event in judgement.events)
    return replace(judgement, events=events, decided=())


def _difference_words(report: LiveReport, other: Disagreement) -> Phrase:
    photo = report.photo.judgement if report.photo else None
    if other.event is not None and report.judgement is not None and photo is not None:
        key, whose = ("film.only-film", report.judgement) if other.film else ("film.only-photo", photo)
        return say(key, event=event_words_in(_by_nobody(whose), replace(other.event, decided=None)))
    film, still = (_valued(other.what, value) for value in (other.film, other.photo))
    return say("film.differ", what=say(f"film.{other.what}"), film=film, photo=still)


def _valued(what: str, value: str) -> str:
    """A verdict by its name, or what else a film or a picture has."""
    if not value:
        return say("film.nothing")
    return say(f"verdict.{value}") if what == "verdict" and value in VERDICTS else value


def no_ink() -> Failure:
    """Why a film in which nobody drove has no verdict."""
    return Failure("no-ink", say("film.no-ink"), say("cure.film-from-before"))
