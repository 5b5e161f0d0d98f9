"""A marker on its white patch."""

from __future__ import annotations

from referee.turbo_time.art.pencil import WHITE, Art, Mark, box, num
from referee.turbo_time.markers import CELLS, white_cells

MARKER_MM = 12.0
RIM_MM = MARKER_MM / CELLS
"""The white round it: one cell."""
PATCH_MM = MARKER_MM + 2 * RIM_MM


def patch(marker: int, x: float, y: float) -> Art:
    """A marker with the top left of its white patch at (x, y)."""
    cell, left, top = MARKER_MM / CELLS, x + RIM_MM, y + RIM_MM
    cells = "".join(_cell(left + column * cell, top + row * cell, cell) for row, column in white_cells(marker))
    return (
        box(x, y, PATCH_MM, PATCH_MM, WHITE, 1.2),
        box(left, top, MARKER_MM, MARKER_MM, "#000000"),
        Mark(cells, WHITE),
    )


def _cell(x: float, y: float, side: float) -> str:
    left, top, right, low = map(num, (x, y, x + side, y + side))
    return f"M{left} {top}L{right} {top}L{right} {low}L{left} {low}Z"
