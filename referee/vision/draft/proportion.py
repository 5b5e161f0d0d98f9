"""How broad a board is for its height, from one picture of it.

A rectangle's perspective tells its proportion where the camera's middle is the picture's (Z. Zhang, L.-W. He,
"Whiteboard scanning and image enhancement", 2007); a board seen from straight above needs no such help.
"""

from __future__ import annotations

import numpy as np

from referee.model import Floats

USUAL_FOCAL = 0.75
"""The focal length of a phone's camera, in longer sides of its picture."""
LEAST_FOCAL, MOST_FOCAL = 0.45, 3.0
"""No camera in use has another; what the corners tell beyond it is their own error."""


def proportion(corners_px: Floats, picture_wh: tuple[int, int]) -> float:
    """Width by height of the board with these corners (4, 2), top left first.

    >>> round(proportion(np.array([[100.0, 100.0], [400.0, 100.0], [400.0, 300.0], [100.0, 300.0]]), (500, 400)), 3)
    1.5
    """
    longer = max(picture_wh)
    middle = (np.array(picture_wh) - 1) / 2
    seen = np.column_stack([(np.asarray(corners_px, float) - middle) / longer, np.ones(4)])
    top_left, top_right, low_right, low_left = seen
    across = _depth(top_left, low_right, low_left, top_right) * top_right - top_left
    down = _depth(top_left, low_right, top_right, low_left) * low_left - top_left
    focal = _focal(across, down)
    sizes = [np.hypot(np.hypot(*(way[:2] / focal)), way[2]) for way in (across, down)]
    return float(sizes[0] / sizes[1])


def _depth(one: Floats, across: Floats, other: Floats, corner: Floats) -> float:
    """How much farther away a corner is than the first."""
    return float(np.cross(one, across) @ other / (np.cross(corner, across) @ other))


def _focal(across: Floats, down: Floats) -> float:
    """The focal length that makes the two directions of the board stand at right angles."""
    both = across[2] * down[2]
    if abs(both) < 1e-3:
        return USUAL_FOCAL
    square = -float(across[:2] @ down[:2]) / both
    return float(np.clip(np.sqrt(square), LEAST_FOCAL, MOST_FOCAL)) if square > 0 else USUAL_FOCAL
