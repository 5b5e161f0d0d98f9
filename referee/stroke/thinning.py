"""A mask of ink thinned to lines.

The method: Zhang and Suen, "A fast parallel algorithm for thinning digital patterns", Communications of the ACM 27
(1984): from two sides in turn all pixels go whose going neither parts a line nor shortens it; with the change of Lu
and Wang (29, 1986) that keeps slanting lines two pixels wide, which it would else eat up.  A board is nearly all bare
and only the rim of what is left can go, so a list of the rim's pixels is kept and the rest of the grid is never
looked at.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Places = NDArray[np.int64]
"""Pixels (N,) of a grid, as indices of its flat array."""

BARE, INSIDE, AT_RIM = 0, 1, 2


def thinned(on: NDArray[np.uint8]) -> Places:
    """The pixels (N,) of the thinned ``on`` (h, w) of 0 and 1, in reading order; the grid's own rim must be 0."""
    row = on.shape[1]
    state = on.ravel().copy()
    rim = np.flatnonzero(cv2.subtract(on, cv2.erode(on, PLUS)).view(bool))
    state[rim] = AT_RIM
    # of each pixel itself (bit 1), its left (bit 0) and its right neighbour (bit 2)
    three = np.asarray(cv2.filter2D(on, -1, LEFT_SELF_RIGHT, borderType=cv2.BORDER_CONSTANT), np.uint8).ravel()
    side, idle = 0, 0
    while idle < 2:
        around = three[rim - row] | three[rim].astype(np.int16) << 3 | three[rim + row].astype(np.int16) << 6
        goes = MAY_GO[side][around]
        gone, rim = rim[goes], rim[~goes]
        state[gone] = BARE
        three[gone] &= 0b101
        three[gone - 1] &= 0b011
        three[gone + 1] &= 0b110
        rims = [rim]
        for beside in (gone - row, gone - 1, gone + 1, gone + row):
            bared = beside[state[beside] == INSIDE]
            state[bared] = AT_RIM
            rims.append(bared)
        rim = np.concatenate(rims)
        side, idle = 1 - side, 0 if len(gone) else idle + 1
    return np.flatnonzero(state != BARE)


def _may_go() -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """For each of the 512 ways a pixel and its neighbours may be on, whether it may go in a turn of either side.

    Bits 0 to 8 are the nine pixels row by row.
    """
    nw, n, ne, w, _, e, sw, s, se = (np.arange(512)[:, None] >> np.arange(9) & 1 > 0).T
    round_about = np.array([n, ne, e, se, s, sw, w, nw])
    many = round_about.sum(axis=0)
    runs = (~round_about & np.roll(round_about, -1, axis=0)).sum(axis=0)
    loose = (many >= 3) & (many <= 6) & (runs == 1)
    return loose & ~(n & e & s) & ~(e & s & w), loose & ~(n & e & w) & ~(n & s & w)


LEFT_SELF_RIGHT = np.array([[1, 2, 4]], np.float32)
PLUS = cv2.getStructuringElement(cv2.MORPH_CROSS, (3, 3))
MAY_GO = _may_go()
