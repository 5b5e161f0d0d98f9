"""What lies over the board now: a hand, an arm, a sleeve, a marker, and the shadow beside it.

All that does not look like the board and is broad is a thing, for no marker draws so broad.  A marker's tip is thin,
and so is a shadow's rim; both end close to something broad, so nothing is believed there until it is left behind.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.live.lay import PX_PER_MM

Mask = NDArray[np.uint8]

COARSE = round(PX_PER_MM)
"""Things are looked for on a grid this many times coarser, of about 1 px/mm."""
CELLS = (slice(COARSE // 2, None, COARSE), slice(COARSE // 2, None, COARSE))
"""The middles of its cells on the flat grid."""
BROAD_MM = 5
"""Ink is no broader than this."""
FULL = 150
"""Of 255: a coarse cell is changed if about so much of it is."""
BLOT_MM2, INKY_SHARE, STILL_S = 220, 0.8, 0.3
"""A blot of ink is no larger than this, so much of it is ink, and it has lain there so long."""
SPARE_MM, NEAR_MM = 1.0, 6.0
"""What is this near to a thing is hidden, or doubtful: a marker's tip and what shadows leave."""
RIM_MM = 2.0


def cells_of(shape: Sequence[int]) -> tuple[int, int]:
    """The coarse grid's shape (h, w) for a flat grid of a shape (H, W)."""
    return -(-shape[0] // COARSE), -(-shape[1] // COARSE)


@dataclass(frozen=True, eq=False)
class Ground:
    """What of the board's grid lies within the frame: ``inside`` (H, W) 0 or 255, ``beyond`` the rest, and ``rim``
    that with a little about it, where nothing is believed."""

    inside: Mask
    beyond: Mask
    rim: Mask

    @classmethod
    def of(cls, inside: Mask) -> Ground:
        """Told from where (H, W) the grid lies within the frame."""
        beyond = cv2.bitwise_not(inside)
        outside = cv2.resize(beyond, cells_of(inside.shape)[::-1], interpolation=cv2.INTER_AREA)
        rim = cv2.resize(_grown(outside, RIM_MM), inside.shape[::-1], interpolation=cv2.INTER_NEAREST)
        return cls(inside, np.asarray(beyond, np.uint8), np.asarray(rim, np.uint8))


@dataclass(frozen=True, eq=False)
class Cover:
    """``hidden`` (H, W) 0 or 255: under a thing; ``near`` (H, W): there or close by; ``things`` (h, w) coarsely."""

    hidden: Mask
    near: Mask
    things: Mask

    @property
    def any(self) -> bool:
        """Whether anything is over the board."""
        return bool(self.things.any())


class Blots:
    """Ink so broad that it looks like a thing: small, of the ink's colour, by itself, and it does not move."""

    def __init__(self, wh: tuple[int, int]) -> None:
        self._since = np.full(cells_of(wh[::-1]), np.inf)

    def forgiven(self, things: Mask, inky_of: Callable[[], Mask], at_s: float) -> Mask:
        """Where (h, w) things are blots: ``inky_of`` tells where (H, W) the ink's colour is, if it is asked for."""
        inky: Mask | None = None
        number, labels, stats, _ = cv2.connectedComponentsWithStats(things, connectivity=8)
        now = np.zeros(things.shape, np.bool_)
        height, width = things.shape
        for k in range(1, number):
            x, y, w, h, cells = (int(v) for v in stats[k])
            if cells > BLOT_MM2 or x == 0 or y == 0 or x + w == width or y + h == height:
                continue
            inky = inky_of() if inky is None else inky
            own = labels[y : y + h, x : x + w] == k
            share = inky[y * COARSE : (y + h) * COARSE, x * COARSE : (x + w) * COARSE]
            part = cv2.resize(share, (w, h), interpolation=cv2.INTER_AREA)
            if float(part[own].mean()) > INKY_SHARE * 255:
                now[y : y + h, x : x + w] |= own
        self._since = np.where(now, np.minimum(self._since, at_s), np.inf)
        still = (at_s - self._since >= STILL_S).astype(np.uint8) * 255
        return np.asarray(still, np.uint8)


def without(cover: Cover, blots: Mask, ground: Ground) -> Cover:
    """A cover without what turned out to be blots (h, w)."""
    return _cover(cv2.subtract(cover.things, blots), ground)


def cover_of(changed: Mask, inked: Mask, ground: Ground) -> Cover:
    """What lies over the board, from what looks changed (H, W) and is no ink that is known."""
    strange = cv2.subtract(changed, inked)
    coarse = cv2.resize(strange, cells_of(changed.shape)[::-1], interpolation=cv2.INTER_AREA)
    full = cv2.threshold(coarse, FULL, 255, cv2.THRESH_BINARY)[1]
    return _cover(cv2.morphologyEx(full, cv2.MORPH_OPEN, np.ones((BROAD_MM, BROAD_MM), np.uint8)), ground)


def _cover(things: Mask, ground: Ground) -> Cover:
    """A cover from the things (h, w) over a board."""
    if not cv2.countNonZero(things):
        return Cover(ground.beyond, ground.rim, np.asarray(things, np.uint8))
    hidden, near = (
        cv2.resize(_grown(things, by_mm), ground.inside.shape[::-1], interpolation=cv2.INTER_NEAREST)
        for by_mm in (SPARE_MM, NEAR_MM)
    )
    hidden, near = cv2.bitwise_or(hidden, ground.beyond), cv2.bitwise_or(near, ground.rim)
    return Cover(np.asarray(hidden, np.uint8), np.asarray(near, np.uint8), np.asarray(things, np.uint8))


def _grown(things: Mask, by_mm: float) -> Mask:
    reach = round(by_mm)
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1))
    return np.asarray(cv2.dilate(things, disc), np.uint8)
