"""The report of a film: the photo's format 1, with the time of every event and what only a film knows beside it."""

from __future__ import annotations

import math

from referee.live.report import LiveReport
from referee.live.sight import BoardSight, LiveCall, Sight
from referee.model import Failure, Json, Report
from referee.report.document import document
from referee.words import Language


def film_document(report: LiveReport, source: str, language: Language = "en") -> Json:
    """One board's object: events carry ``at_s``, seconds of the film; ``film`` is what a photo does not know."""
    if report.judgement is None:
        failure = Failure("no-ink", "No race ink came in this film.", "Film the board from before the race to its end.")
        return document(Report(source, failure=failure, stage=report.stage, copy=report.copy), {}, language)
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


def call_words(call: LiveCall) -> str:
    """A call as a person reads it on a console.

    >>> call_words(LiveCall(0, "accident", 12.3, 12.5, cause="white-line", restart_element="checkpoint-2"))
    '   12.3 s  Accident! white-line, back to checkpoint-2'
    """
    match call.kind:
        case "accident":
            said = f"Accident! {call.cause}, back to {call.restart_element}"
        case "donut" | "checkpoint":
            said = f"{call.kind} {call.number} of {call.of}" if call.number else call.kind
        case "wipeout":
            said = "Wipeout!"
        case "pipe-enter":
            said = "radio silence"
        case "false-start":
            said = "false start: ink before Go"
        case _:
            said = call.kind
    return f"{call.at_s:7.1f} s  {'taken back: ' if call.again else ''}{said}"


def film_words(report: LiveReport, source: str) -> str:
    """What came of one board, for a console."""
    board = f"stage {report.stage.number} {report.stage.name}{f', copy {report.copy}' if report.copy else ''}"
    judgement = report.settled()
    if judgement is None:
        return f"{source}: {board}: no race ink came in this film.\n"
    lines = [f"{source}: {board}: {judgement.verdict}, accidents {judgement.accidents}"]
    if report.seconds is not None:
        lines[0] += f", {report.seconds:.1f} s"
    for event, at_s in zip(judgement.events, report.at_s, strict=True):
        about = " ".join(word for word in (event.cause, event.element, event.outcome) if word)
        doubt = "" if event.certain is not False else "  (too close to call)"
        lines.append(f"{at_s:7.1f} s  {event.kind} {about}{doubt}".rstrip())
    lines += [f"  not watched from {a:.1f} to {b:.1f} s" for a, b in report.unseen_s]
    for other in report.disagreements():
        lines.append(
            f"  the film says {other.film or 'nothing'}, its last clear frame {other.photo or 'nothing'} ({other.what})"
        )
    return "\n".join(lines) + "\n"
