"""A film judged from its first frame to its last."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from referee.errors import BadVideo, NoBoard
from referee.live.report import LiveReport
from referee.live.sight import Sight
from referee.live.source import Source
from referee.live.watch import Watch
from referee.model import Stage
from referee.rules import Rules
from referee.stage.catalogue import Catalogue

Progress = Callable[[float], None]
"""Hears how much of a film is done, 0 to 1."""
Hears = Callable[[Sight], None]

FASTEST_FPS = 16.0
"""More frames than this a second say nothing new."""
CURES = {
    "dark": "More light.",
    "blurred": "Hold the camera still, and focus on the board.",
    "unknown-stage": "Name a folder with its stage file: --stages DIR.",
    "mirrored": "Turn the camera's mirroring off.",
}


@dataclass(frozen=True, eq=False)
class JudgedFilm:
    """All boards of one film, and its length as seen."""

    reports: tuple[LiveReport, ...]
    frames: int
    seconds: float


def judge_film(
    name: str,
    catalogue: Catalogue,
    rules: Rules,
    stage: Stage | None = None,
    progress: Progress | None = None,
    hears: Hears | None = None,
) -> JudgedFilm:
    """The reports on a film's boards; raises `BadVideo` where it gives no pictures, `NoBoard` if none shows one."""
    source = Source(name)
    watch = Watch(catalogue, rules, stage, stage is not None)
    frames, last_s, looked_s, trouble = 0, 0.0, -1.0, None
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
    finally:
        source.close()
    if frames == 0:
        raise BadVideo(f"{source.about.name} gives no pictures.", "Is it whole?")
    watch.stop()
    reports = watch.reports()
    if not reports:
        raise NoBoard(
            "No stage board is seen in the film.", CURES.get(trouble or "", "Show the whole board, all four markers.")
        )
    return JudgedFilm(tuple(reports), frames, last_s)
