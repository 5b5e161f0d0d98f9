"""Which part of a board goes on which sheet of paper: always at its exact size, over several sheets if need be.

A board as large as the paper fills it from edge to edge.  A board that is larger is parted along a seam that
crosses as little road as it can; each sheet but the last shows a strip beyond the seam, to glue the next one on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import shapely

from referee.errors import WrongUsage
from referee.model import Stage, Zone

PaperName = Literal["a4", "letter", "a3", "a4-halves"]
PAPERS_MM: dict[str, tuple[float, float]] = {
    "a4": (297.0, 210.0),
    "letter": (279.4, 215.9),
    "a3": (420.0, 297.0),
    "a4-halves": (297.0, 210.0),
}
"""Width and height on the long side."""
TAB_MM = 12.0
"""The strip beyond a seam that the next sheet is glued on."""
RIM_MM = 10.0
"""Paper kept free round a part of a board: printers leave up to 6.4 mm blank, and cut marks need room."""
HEAD_MM, FOOT_MM = 16.0, 26.0
"""Paper kept free above and below it, for the words and the ruler."""
_FULL_MM = 0.6
"""A board that differs from the paper by no more fills it from edge to edge."""


@dataclass(frozen=True)
class Sheet:
    """One page: the board's window x, y, width, height in board mm, and where its top left lies on the paper.

    ``tab`` says on which sides the window runs on beyond a seam (right, bottom); ``cell`` is (column, row) of
    ``grid`` (columns, rows).
    """

    paper_mm: tuple[float, float]
    window_mm: tuple[float, float, float, float]
    at_mm: tuple[float, float]
    cell: tuple[int, int] = (0, 0)
    grid: tuple[int, int] = (1, 1)

    @property
    def tab(self) -> tuple[bool, bool]:
        """Whether a strip to glue on follows on the right, and at the bottom."""
        return self.cell[0] < self.grid[0] - 1, self.cell[1] < self.grid[1] - 1

    @property
    def shown_mm(self) -> tuple[float, float, float, float]:
        """The window with its strips: x, y, width, height in board mm."""
        x, y, w, h = self.window_mm
        return x, y, w + TAB_MM * self.tab[0], h + TAB_MM * self.tab[1]

    @property
    def fills_paper(self) -> bool:
        """Whether no paper is left beside the board."""
        return (
            abs(self.window_mm[2] - self.paper_mm[0]) <= _FULL_MM
            and abs(self.window_mm[3] - self.paper_mm[1]) <= _FULL_MM
        )


def paper_size(paper: str) -> tuple[float, float]:
    """Width and height in mm of a paper on its long side; raises `WrongUsage` for one that is not known."""
    if paper not in PAPERS_MM:
        raise WrongUsage(f"expected paper {', '.join(PAPERS_MM)}, got {paper!r}.", "Choose one of them.")
    return PAPERS_MM[paper]


def sheets_of(stage: Stage, paper: PaperName) -> tuple[Sheet, ...]:
    """The pages of one copy of a board; raises `WrongUsage` for a paper that is not known."""
    page = paper_size(paper)
    w, h = stage.size_mm
    if paper != "a4-halves" and abs(w - page[0]) <= _FULL_MM and abs(h - page[1]) <= _FULL_MM:
        return (Sheet(page, (0.0, 0.0, w, h), ((page[0] - w) / 2, (page[1] - h) / 2)),)
    plans = [_parted(stage, size) for size in (page, (page[1], page[0]))]
    return min(plans, key=len)


def _parted(stage: Stage, page: tuple[float, float]) -> tuple[Sheet, ...]:
    room = page[0] - 2 * RIM_MM, page[1] - HEAD_MM - FOOT_MM
    across, down = _seams(stage, 0, room[0]), _seams(stage, 1, room[1])
    grid = len(across) - 1, len(down) - 1
    sheets = []
    for row in range(grid[1]):
        for column in range(grid[0]):
            x, y = across[column], down[row]
            window = (x, y, across[column + 1] - x, down[row + 1] - y)
            bare = Sheet(page, window, (0.0, 0.0), (column, row), grid)
            _, _, w, h = bare.shown_mm
            at = (page[0] - w) / 2, HEAD_MM + (page[1] - HEAD_MM - FOOT_MM - h) / 2
            sheets.append(Sheet(page, window, at, (column, row), grid))
    return tuple(sheets)


def _seams(stage: Stage, axis: int, room: float) -> list[float]:
    """Where a board is parted along one axis: its two ends, and between them the seams."""
    size = stage.size_mm[axis]
    count = 1 if size <= room else int(np.ceil((size - TAB_MM) / (room - TAB_MM)))
    seams = [0.0]
    for k in range(1, count):
        most = seams[-1] + room - TAB_MM
        least = size - room - (count - 1 - k) * (room - TAB_MM)
        wish = size * k / count
        places = np.arange(np.ceil(max(least, seams[-1] + 20)), most + 1e-9, 1.0).tolist() or [most]
        seams.append(min(places, key=lambda at: (_trouble(stage, axis, at) + abs(at - wish) * 0.1, abs(at - wish))))
    return [*seams, size]


def _trouble(stage: Stage, axis: int, at: float) -> float:
    """How much a seam would spoil: mm of road that it crosses, and twenty times as much for what decides a race."""
    w, h = stage.size_mm
    line = shapely.LineString([(at, 0), (at, h)] if axis == 0 else [(0, at), (w, at)])
    delicate = [*(z.shape for z in _zones(stage)), *(o.reach for o in stage.oil_spills), stage.start]
    delicate += [shapely.LineString(c.points_mm) for c in stage.checkpoints]
    delicate += [shapely.LineString(stage.finish_mm), *(shapely.Polygon(f.corners_mm) for f in stage.fiducials)]
    road = shapely.union_all([section.road for section in stage.sections])
    return float(line.intersection(road).length + 20 * sum(_near(line, shape) for shape in delicate))


def _near(line: shapely.LineString, shape: shapely.Geometry) -> float:
    """How many mm a seam comes too close to something it should keep 3 mm away from."""
    return max(0.0, 3.0 - float(line.distance(shape)))


def _zones(stage: Stage) -> Sequence[Zone]:
    return [*stage.jumps, *stage.landings, *stage.accelerations, *stage.slowdowns]
