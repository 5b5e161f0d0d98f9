"""What an eye keeps of a race beside the watch's own reports, and these as plain values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from referee.live.document import film_document
from referee.live.report import LiveReport
from referee.live.sight import BoardSight, Sight
from referee.model import Json
from referee.report.board import jpeg
from referee.report.document import document

UNWATCHED_S = 1.0
"""A longer time between two frames in which a board is seen is a time that nobody watched it."""
DRIVEN = ("racing", "finished", "closed")
BLIND = ("lost", "dark", "blurred")
LAPSE_POINTS = 600
SOURCE = "live"
PICTURE_QUALITY = 97
"""The frame was a JPEG before: coarser would change what is judged."""


@dataclass
class OfBoard:
    """What is kept of one board."""

    seen_at_s: float | None = None
    unwatched: list[tuple[float, float]] = field(default_factory=list)
    elapsed_s: float | None = None
    was_driven: bool = False

    def sees(self, board: BoardSight, at_s: float) -> None:
        """A frame shows the board, or does not."""
        self.elapsed_s = board.elapsed_s if board.elapsed_s is not None else self.elapsed_s
        self.was_driven |= board.phase in DRIVEN
        if board.trouble in BLIND or board.corners_px is None:
            return
        if board.phase == "racing" and self.seen_at_s is not None and at_s - self.seen_at_s > UNWATCHED_S:
            self.unwatched.append((self.seen_at_s, at_s))
        self.seen_at_s = at_s


class Recorded:
    """What is kept of all boards of a race, by their stages and copies."""

    def __init__(self) -> None:
        self._boards: dict[tuple[int, str | None], OfBoard] = {}

    def sees(self, sight: Sight) -> None:
        """A frame was looked at."""
        for board in sight.boards:
            self.board(board.stage, board.copy).sees(board, sight.at_s)

    def board(self, stage: int, copy: str | None) -> OfBoard:
        """What is kept of a board."""
        return self._boards.setdefault((stage, copy), OfBoard())


def report_of(report: LiveReport, recorded: Recorded) -> tuple[Json, bytes]:
    """A board's report as plain values, with what was kept of it, and its last clear picture (empty: none)."""
    kept = recorded.board(report.stage.number, report.copy)
    film = film_document(report, SOURCE)
    photo = report.photo
    picture = photo.photo if photo is not None else None
    told = {
        "stage": report.stage.number,
        "copy": report.copy,
        "film": {name: value for name, value in film.items() if name != "film"},
        "still": None if photo is None else document(photo),
        "differences": (film.get("film") or {}).get("disagreements", []),
        "lapse": lapse(report.path_mm_s),
        "unseen": joined([*report.unseen_s, *kept.unwatched]),
        "elapsed_s": report.seconds if report.seconds is not None else kept.elapsed_s,
        "driven": kept.was_driven,
    }
    return told, b"" if picture is None else jpeg(picture.bgr, PICTURE_QUALITY)


def lapse(strokes: Sequence[Sequence[tuple[float, float, float]]]) -> list[list[float] | None]:
    """The path with the time at which each place came into view: [x_mm, y_mm, at_s], None between strokes.

    >>> lapse([[(1, 2, 3), (4, 5, 6)], [(7, 8, 9)]])
    [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], None, [7.0, 8.0, 9.0]]
    """
    every = max(1, sum(map(len, strokes)) // LAPSE_POINTS)
    told: list[list[float] | None] = []
    for number, stroke in enumerate(strokes):
        told += [None] if number else []
        chosen = sorted({*range(0, len(stroke), every), len(stroke) - 1}) if stroke else []
        told += [[round(float(value), 2) for value in stroke[place]] for place in chosen]
    return told


def joined(stretches: Sequence[tuple[float, float]]) -> list[list[float]]:
    """Stretches of time, those that overlap made one.

    >>> joined([(0, 2), (1, 3), (5, 6)])
    [[0.0, 3.0], [5.0, 6.0]]
    """
    told: list[list[float]] = []
    for begin, end in sorted(stretches):
        if told and begin <= told[-1][1]:
            told[-1][1] = max(told[-1][1], float(end))
        else:
            told.append([float(begin), float(end)])
    return told
