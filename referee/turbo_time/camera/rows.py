"""Which toys lie in a row, and how a row is read: by the toys' own size, whichever way it runs.

Toys that nearly touch lie in one row, toys a good way apart in two; what is between is asked.  A row may be skewed and
a little curved, and its toys may be turned by any angle.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from referee.turbo_time.art.tiles import TILE_MM
from referee.turbo_time.camera.pieces import Piece

Floats = NDArray[np.float64]

JOINED_MM = 18.0
"""Toys with no more table than this between them lie in one row."""
APART_MM = 28.0
"""Toys with more table than this between them lie in two."""
BEND = np.cos(np.radians(50))
"""A row turns by no more than this from toy to toy."""
SAME_WAY = 0.3
"""So upright must the toys of a row be, all in all (1: all of them), to tell from which side it is read."""
LONGEST_GAP_MM = 3.3 * TILE_MM
"""Two rows end to end may be one with some toys unseen, up to this distance from middle to middle."""
LEVEL, NOT_LEVEL = 0.5, 1.0
"""Of two pieces' middles, in their size: how much lower one may be to be level, and must be to be lower."""


@dataclass(frozen=True, eq=False)
class Row:
    """Toys from left to right, as the one sees them to whom they stand upright; if that is nobody, as in the picture.

    ``straight`` is False if they lie in no row at all: a heap, a corner, two lines.
    """

    tiles: tuple[Piece, ...]
    straight: bool
    read_by: Literal["toys", "picture"]

    @property
    def middle_mm(self) -> Floats:
        """The middle of all its toys (2,)."""
        return np.asarray(np.mean([tile.middle_mm for tile in self.tiles], axis=0))

    @property
    def along(self) -> Floats:
        """The way it is read (2,), of length 1; of a single toy its own."""
        if len(self.tiles) == 1:
            return np.asarray([-self.tiles[0].up[1], self.tiles[0].up[0]])
        way = self.tiles[-1].middle_mm - self.tiles[0].middle_mm
        return np.asarray(way / max(np.hypot(*way), 1e-9))


def rows_of(tiles: Sequence[Piece]) -> list[Row]:
    """The rows, as one reads: from top to bottom, of what is level from left to right."""
    rows = [_row([tiles[at] for at in group]) for group in _groups(tiles)]
    order, _ = reading_order([row.middle_mm for row in rows], TILE_MM)
    return [rows[at] for at in order]


def between_mm(one: Piece, other: Piece) -> float:
    """How much table is between two pieces; 0 if they touch or overlap."""
    if _inside(one.middle_mm, other.outline_mm) or _inside(other.middle_mm, one.outline_mm):
        return 0.0
    return min(_nearest(one.outline_mm, other.outline_mm), _nearest(other.outline_mm, one.outline_mm))


def too_close(rows: Sequence[Row]) -> list[tuple[Row, Row]]:
    """Pairs of rows of which nobody can tell whether they are one."""
    return [
        (one, other)
        for at, one in enumerate(rows)
        for other in rows[at + 1 :]
        if any(between_mm(a, b) < APART_MM for a in one.tiles for b in other.tiles)
    ]


def in_line(rows: Sequence[Row]) -> list[tuple[Row, Row]]:
    """Pairs of rows that lie end to end, as one does of which some toys are not seen."""
    return [(one, other) for at, one in enumerate(rows) for other in rows[at + 1 :] if _goes_on(one, other)]


def facing_ends(pair: tuple[Row, Row]) -> tuple[Piece, Piece]:
    """The end of one row and the end of the other that are nearest to each other."""
    one, other = pair
    ends = [(a, b) for a in (one.tiles[0], one.tiles[-1]) for b in (other.tiles[0], other.tiles[-1])]
    return min(ends, key=lambda ends: float(np.hypot(*(ends[0].middle_mm - ends[1].middle_mm))))


def reading_order(middles_mm: Sequence[Floats], size_mm: float) -> tuple[list[int], bool]:
    """The order in which things are read, from top to bottom, of what is level from left to right; and if it is clear.

    It is not where one is a little lower than another and left of it.

    >>> reading_order([np.array([90.0, 2.0]), np.array([0.0, 0.0]), np.array([40.0, 90.0])], 46.0)
    ([1, 0, 2], True)
    """
    lines: list[list[int]] = []
    clear = True
    for at in sorted(range(len(middles_mm)), key=lambda at: float(middles_mm[at][1])):
        lower = (middles_mm[at] - middles_mm[lines[-1][-1]]) / size_mm if lines else np.array([0.0, np.inf])
        clear &= not (LEVEL <= lower[1] < NOT_LEVEL and lower[0] < 0)
        if lower[1] < LEVEL:
            lines[-1].append(at)
        else:
            lines.append([at])
    return [at for line in lines for at in sorted(line, key=lambda at: float(middles_mm[at][0]))], bool(clear)


# ------------------------------------------------------------------------------------------- one row


def _groups(tiles: Sequence[Piece]) -> list[list[int]]:
    """Toys that are joined, directly or by others."""
    left, groups = set(range(len(tiles))), []
    while left:
        group = [left.pop()]
        for at in group:
            near = {other for other in left if between_mm(tiles[at], tiles[other]) <= JOINED_MM}
            group += sorted(near)
            left -= near
        groups.append(group)
    return groups


def _row(tiles: Sequence[Piece]) -> Row:
    """Toys in their order along the line that fits them best, turned the way it is read."""
    middles = np.array([tile.middle_mm for tile in tiles])
    axis = np.linalg.svd(middles - middles.mean(axis=0))[2][0]
    ordered = [tiles[at] for at in np.argsort(middles @ axis)]
    row = Row(tuple(ordered), _straight(ordered), "toys")
    upright = float(np.mean([tile.up @ np.array([row.along[1], -row.along[0]]) for tile in ordered]))
    if abs(upright) >= SAME_WAY:
        return row if upright > 0 else Row(row.tiles[::-1], row.straight, "toys")
    x, y = row.along
    forward = x > 0 if abs(x) >= abs(y) else y > 0
    return Row(row.tiles if forward else row.tiles[::-1], row.straight, "picture")


def _straight(tiles: Sequence[Piece]) -> bool:
    steps = np.diff([tile.middle_mm for tile in tiles], axis=0)
    ways = steps / np.maximum(np.linalg.norm(steps, axis=1, keepdims=True), 1e-9)
    return bool(
        (np.linalg.norm(steps, axis=1) > TILE_MM / 3).all() and ((ways[1:] * ways[:-1]).sum(axis=1) > BEND).all()
    )


def _goes_on(one: Row, other: Row) -> bool:
    """Whether two rows lie end to end; of two single toys nobody can say that they do."""
    longer, rest = (one, other) if len(one.tiles) >= len(other.tiles) else (other, one)
    if len(longer.tiles) == 1:
        return False
    a, b = facing_ends((longer, rest))
    way = b.middle_mm - a.middle_mm
    far = float(np.hypot(*way))
    out = longer.along if a is longer.tiles[-1] else -longer.along
    turned = 1.0 if len(rest.tiles) == 1 else abs(float(rest.along @ longer.along))
    return far <= LONGEST_GAP_MM and float(way @ out) > BEND * far and turned > BEND


# ------------------------------------------------------------------------------------------- outlines


def _inside(spot: Floats, outline: Floats) -> bool:
    """Whether a place lies in a convex outline that runs clockwise as seen."""
    sides = np.roll(outline, -1, axis=0) - outline
    away = spot - outline
    return bool((sides[:, 0] * away[:, 1] - sides[:, 1] * away[:, 0] >= 0).all())


def _nearest(corners: Floats, outline: Floats) -> float:
    """How near the corners (N, 2) come to an outline's sides."""
    sides = np.roll(outline, -1, axis=0) - outline
    away = corners[:, None] - outline
    share = np.clip((away * sides).sum(axis=2) / (sides**2).sum(axis=1), 0, 1)
    return float(np.linalg.norm(away - share[..., None] * sides, axis=2).min())
