"""What was not read: toys face down, under a hand or in a reflection, as far as the picture shows that they are there.

The table's colours are known from beside the rows.  What is coloured otherwise and as large as a toy may be one.  This
only says where to look: that toys are missing is known by counting.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from referee.model import Photo
from referee.turbo_time.art.tiles import TILE_MM
from referee.turbo_time.camera.pieces import Piece, Table
from referee.turbo_time.camera.rows import Row
from referee.vision.loose import filled, from_above, squares_in, unlike_the_table
from referee.vision.plane import inverse

Floats = NDArray[np.float64]

PX_PER_MM = 1.0
ROUND_MM = 120.0
"""So far round the toys that were read others are looked for."""
MOST_MM = 2500.0
"""A view of more table than this would be of markers that were read wrongly."""
BESIDE_MM = (4.0, 22.0)
"""A strip of table along a row, from and to this distance."""
FULL = 0.4
"""A place beside a row holds something if so much of it is not the table."""


@dataclass(frozen=True, eq=False)
class Unread:
    """Something that may be a toy: ``at_mm`` (2,); ``row`` is the row that it lies at an end of, None if of none."""

    kind: Literal["at-end", "alone"]
    at_mm: Floats
    row: int | None = None


def unread_in(photo: Photo, table: Table, rows: Sequence[Row]) -> list[Unread]:
    """What may be a toy and was not read: at the rows' ends, and squares of a toy's size anywhere near."""
    spots = np.concatenate([tile.outline_mm for tile in table.tiles])
    low, size = spots.min(axis=0) - ROUND_MM, np.ptp(spots, axis=0) + 2 * ROUND_MM
    if size.max() > MOST_MM:
        return []
    view = from_above(photo, inverse(table.to_photo), low, size, PX_PER_MM)
    strips = [_px(strip, low) for row in rows for strip in _strips(row)]
    shown = view.any(axis=2)
    taken = filled([_px(_grown(piece), low) for piece in (*table.tiles, *table.cards)], view.shape[:2])
    odd = unlike_the_table(view, filled(strips, view.shape[:2]) & ~taken & shown) & ~taken & shown
    at_ends = _at_ends(rows, odd, low)
    alone = [Unread("alone", middle / PX_PER_MM + low) for middle in squares_in(odd, TILE_MM * PX_PER_MM)]
    return at_ends + [lone for lone in alone if all(np.hypot(*(lone.at_mm - end.at_mm)) > TILE_MM for end in at_ends)]


def _at_ends(rows: Sequence[Row], odd: NDArray[np.bool_], low: Floats) -> list[Unread]:
    found = []
    for number, row in enumerate(rows):
        for tile, way in ((row.tiles[0], -row.along), (row.tiles[-1], row.along)):
            middle = tile.middle_mm + way * (TILE_MM * 1.15)
            place = filled([_px(_square(middle, way, 0.8 * TILE_MM), low)], odd.shape)
            if place.any() and odd[place].mean() > FULL:
                found.append(Unread("at-end", middle, number))
    return found


def _strips(row: Row) -> list[Floats]:
    """The table on both sides of a row, as outlines in mm."""
    side = np.array([row.along[1], -row.along[0]])
    start, end = row.tiles[0].middle_mm - row.along * TILE_MM / 2, row.tiles[-1].middle_mm + row.along * TILE_MM / 2
    near, far = (TILE_MM / 2 + away for away in BESIDE_MM)
    return [np.array([start + s * near, end + s * near, end + s * far, start + s * far]) for s in (side, -side)]


def _square(middle: Floats, way: Floats, side_mm: float) -> Floats:
    across = np.array([-way[1], way[0]])
    half = side_mm / 2
    return np.array([middle + half * (a * way + b * across) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))])


def _grown(piece: Piece) -> Floats:
    """A piece with its shadow and its thickness."""
    return np.asarray(piece.middle_mm + (piece.outline_mm - piece.middle_mm) * 1.12)


def _px(spots_mm: Floats, low_mm: Floats) -> Floats:
    return np.asarray((spots_mm - low_mm) * PX_PER_MM)
