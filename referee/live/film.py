"""A film judged from its first frame to its last."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from referee.errors import BadVideo, NoBoard, RefereeError
from referee.live.report import LiveReport
from referee.live.sight import Sight
from referee.live.source import Source
from referee.live.watch import Watch
from referee.model import Stage
from referee.rules import Rules
from referee.stage.catalogue import Catalogue
from referee.words import say

Progress = Callable[[float], None]
"""Hears how much of a film is done, 0 to 1."""
Hears = Callable[[Sight], None]

FASTEST_FPS = 16.0
"""More frames than this a second say nothing new."""
CURES = ("dark", "blurred", "unknown-stage", "mirrored")
"""What keeps boards from being found, that somebody can mend."""


@dataclass(frozen=True, eq=False)
class JudgedFilm:
    """All boards of one film, and its length as seen."""

    reports: tuple[LiveReport, ...]
    frames: int
    seconds: float


def cut_short(
    reports: Sequence[LiveReport], fault: RefereeError, last_s: float, ends_s: float | None
) -> list[LiveReport]:
    """The reports on a film that broke off: its rest was not seen.  Where nothing was driven yet, raises the fault."""
    driven = [report for report in reports if report.judgement is not None]
    if not driven:
        raise fault
    rest = ((last_s, ends_s),) if ends_s is not None and ends_s > last_s else ()
    return [replace(report, unseen_s=(*report.unseen_s, *rest)) for report in driven]


def judge_film(
    name: str,
    catalogue: Catalogue,
    rules: Rules,
    stage: Stage | None = None,
    progress: Progress | None = None,
    hears: Hears | None = None,
) -> JudgedFilm:
    """The reports on a film's boards.

    Raises `BadVideo` where it gives no pictures, or breaks off before anything was driven; `NoBoard` if none shows one.
    What is missing of a film that breaks off later was not watched.
    """
    source = Source(name)
    watch = Watch(catalogue, rules, stage, stage is not None)
    frames, last_s, looked_s, trouble = 0, 0.0, -1.0, None
    broke_off: BadVideo | None = None
    try:
        for bgr, at_s in source.frames():
            frames, last_s = frames + 1, at_s
            if at_s - looked_s < 1 / FASTEST_FPS - 1e-3:
                continue
            looked_s = at_s
            sight = watch.look(bgr, at_s)
            trouble = sight.trouble or trouble
            if hears is not None:
                hears(sight)
            if progress is not None and source.about.frames:
                progress(min(1.0, frames / source.about.frames))
    except BadVideo as fault:
        broke_off = fault
    finally:
        source.close()
    watch.stop()
    reports = watch.reports()
    if broke_off is not None:
        reports = cut_short(reports, broke_off, last_s, source.about.seconds)
    if not reports:
        cure = say(f"cure.film-{trouble if trouble in CURES else 'whole-board'}")
        raise NoBoard(say("film.no-board"), cure)
    return JudgedFilm(tuple(reports), frames, last_s)
