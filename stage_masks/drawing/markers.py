"""Corner markers: AprilTag 36h11, as squares of eight by eight cells."""

from __future__ import annotations

import numpy as np

from referee.stage.markers import white_squares

from .svg import box, el, num, shape

SIZE_MM, INSET_MM, WHITE_MM = 16.0, 7.0, 3.0
"""The marker's side; its distance from the rim (printers leave 5 mm blank); the white round it."""
CELL_MM = SIZE_MM / 8


def corners(width: float, height: float) -> tuple[tuple[float, float], ...]:
    """Top left corners of the four markers: top left, top right, bottom right, bottom left."""
    far_x, far_y = width - INSET_MM - SIZE_MM, height - INSET_MM - SIZE_MM
    return (INSET_MM, INSET_MM), (far_x, INSET_MM), (far_x, far_y), (INSET_MM, far_y)


def draw(place: int, x: float, y: float, marker_id: int) -> str:
    """One marker with its white margin."""
    margin = SIZE_MM + 2 * WHITE_MM
    cells = "".join(
        f"M{num(x + column * CELL_MM)} {num(y + row * CELL_MM)}h{num(CELL_MM)}v{num(CELL_MM)}h-{num(CELL_MM)}z"
        for row, column in np.argwhere(white_squares(marker_id)).tolist()
    )
    return "\n".join([
        box(x - WHITE_MM, y - WHITE_MM, margin, margin, "#ffffff", data_kind="art", rx=2),
        el("rect", id=f"fiducial-{place + 1}", data_kind="fiducial", data_dictionary="AprilTag 36h11",
           data_id=marker_id, x=x, y=y, width=SIZE_MM, height=SIZE_MM, fill="#000000"),
        shape(cells, "#ffffff", data_kind="art", shape_rendering="crispEdges"),
    ])  # fmt: skip
