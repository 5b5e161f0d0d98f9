"""What an eye keeps of a race for afterwards: when the path grew, when nobody watched, and the last clear frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from referee.live.sight import BoardSight, Sight
from referee.model import Json

UNWATCHED_S = 1.0
"""A longer time between two frames in which a board is seen is a time that nobody watched it."""
CLEAR_SHARE = 0.02
"""A board of which no more of the road is hidden is clearly seen."""
DRIVEN = ("racing", "finished", "closed")
BLIND = ("lost", "dark", "blurred")
LAPSE_POINTS = 600


class Reported(Protocol):
    """What a watch reports of a board, as far as it is told on: the report of the film as its document, and who it is.

    ``document`` is REPORT format 1 with ``at_s`` in its events; ``photo`` the same of the last clear frame, or None.
    """

    stage: int
    copy: str | None
    document: Json
    photo: Json | None
    unseen_s: Sequence[tuple[float, float]]


@dataclass
class OfBoard:
    """What is kept of one board."""

    lengths_mm: list[float] = field(default_factory=lambda: [0.0])
    times_s: list[float] = field(default_factory=list)
    seen_at_s: float | None = None
    unwatched: list[tuple[float, float]] = field(default_factory=list)
    clear: bytes = b""
    elapsed_s: float | None = None
    was_driven: bool = False

    def sees(self, board: BoardSight, at_s: float, content: bytes) -> None:
        """A frame shows the board, or does not."""
        self.elapsed_s = board.elapsed_s if board.elapsed_s is not None else self.elapsed_s
        if board.phase == "racing":
            self.was_driven = True
        if board.trouble in BLIND or board.corners_px is None:
            return
        if board.phase == "racing" and self.seen_at_s is not None and at_s - self.seen_at_s > UNWATCHED_S:
            self.unwatched.append((self.seen_at_s, at_s))
        self.seen_at_s = at_s
        if board.phase in DRIVEN and board.trouble is None and board.covered <= CLEAR_SHARE and content:
            self.clear = content
        self._grows(board.path_mm, at_s)

    def _grows(self, path_mm: NDArray[np.float64] | None, at_s: float) -> None:
        length = length_mm(path_mm)
        if length == 0 or not self.times_s:  # the drive begins with the last frame without ink
            self.lengths_mm, self.times_s = [0.0], [at_s]
        if length > self.lengths_mm[-1]:
            self.lengths_mm.append(length)
            self.times_s.append(at_s)


class Recorded:
    """What is kept of all boards of a race, by their copies."""

    def __init__(self) -> None:
        self.boards: dict[str | None, OfBoard] = {}

    def sees(self, sight: Sight, content: bytes) -> None:
        """A frame was looked at; ``content`` is the picture as it came."""
        for board in sight.boards:
            self.boards.setdefault(board.copy, OfBoard()).sees(board, sight.at_s, content)

    def board(self, copy: str | None) -> OfBoard:
        """What is kept of a board."""
        return self.boards.get(copy, OfBoard())


def length_mm(path_mm: NDArray[np.float64] | None) -> float:
    """How long a path (N, 2) is; rows of NaN part its strokes.

    >>> length_mm(np.array([[0, 0], [3, 4], [np.nan, np.nan], [9, 9], [9, 10]]))
    6.0
    """
    if path_mm is None or len(path_mm) < 2:
        return 0.0
    return float(np.nansum(np.hypot(*np.diff(path_mm, axis=0).T)))


def lapse(strokes: Sequence[Any], kept: OfBoard) -> list[list[float] | None]:
    """The path with the time at which each place was first in view: [x_mm, y_mm, at_s], None between strokes.

    Where the report says nothing of the time, a place's time is that at which the path was first so long.
    """
    told: list[list[float] | None] = []
    points = sum(len(stroke["points_mm"]) for stroke in strokes)
    every = max(1, points // LAPSE_POINTS)
    before = 0.0
    for number, stroke in enumerate(strokes):
        points_mm = np.asarray(stroke["points_mm"], dtype=np.float64)
        arc = before + np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points_mm, axis=0).T))])
        times = np.interp(arc, kept.lengths_mm[: len(kept.times_s)], kept.times_s) if kept.times_s else arc / 90
        if number:
            told.append(None)
        chosen = sorted({*range(0, len(points_mm), every), len(points_mm) - 1})
        told += [[round(float(v), 2) for v in (*points_mm[i], times[i])] for i in chosen]
        before = float(arc[-1])
    return told


def report_of(report: Reported, recorded: Recorded) -> tuple[Json, bytes]:
    """A board's report as plain values, with what was kept of it, and its last clear picture (empty: none)."""
    kept = recorded.board(report.copy)
    unseen = sorted({*((float(a), float(b)) for a, b in report.unseen_s), *kept.unwatched})
    told = {
        "stage": report.stage,
        "copy": report.copy,
        "film": report.document,
        "still": report.photo,
        "lapse": lapse(report.document.get("path") or [], kept),
        "unseen": joined(unseen),
        "elapsed_s": kept.elapsed_s,
        "driven": kept.was_driven,
    }
    return told, kept.clear


def joined(stretches: Sequence[tuple[float, float]]) -> list[list[float]]:
    """Stretches of time, those that overlap made one.

    >>> joined([(0, 2), (1, 3), (5, 6)])
    [[0, 3], [5, 6]]
    """
    told: list[list[float]] = []
    for begin, end in sorted(stretches):
        if told and begin <= told[-1][1]:
            told[-1][1] = max(told[-1][1], end)
        else:
            told.append([begin, end])
    return told
