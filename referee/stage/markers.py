"""The corner markers of a board: which squares of an AprilTag 36h11 marker are white, and where."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from referee.model import Copy, Fiducial, Floats
from referee.stage.tags36h11 import CODES

SQUARES = 8
"""A marker is so many squares wide, its black frame included."""
COPY_STEP = 4
"""Copy B's marker ids are so much higher than copy A's."""
STAGE_STEP = 8
"""The next stage's marker ids are so much higher."""


def marker_id(fiducial: Fiducial, copy: Copy) -> int:
    """The id printed at a fiducial on one copy of the board."""
    return fiducial.marker_id + (COPY_STEP if copy == "B" else 0)


def white_squares(identity: int) -> NDArray[np.bool_]:
    """Which of the (8, 8) squares of a marker are white, as printed; raises `ValueError` for an unknown id."""
    if not 0 <= identity < len(CODES):
        raise ValueError(f"AprilTag 36h11 has the ids 0 to {len(CODES) - 1}, not {identity}")
    bits = [CODES[identity] >> (35 - i) & 1 for i in range(36)]
    return np.pad(np.array(bits, bool).reshape(6, 6), 1)


def white_boxes_mm(fiducial: Fiducial, copy: Copy) -> Iterator[Floats]:
    """The white squares of a printed marker as corners (4, 2) in mm, top left first, clockwise."""
    top_left, top_right, _, low_left = fiducial.corners_mm
    across, down = (top_right - top_left) / SQUARES, (low_left - top_left) / SQUARES
    for row, column in np.argwhere(white_squares(marker_id(fiducial, copy))).tolist():
        corner = top_left + across * column + down * row
        yield np.array([corner, corner + across, corner + across + down, corner + down])
