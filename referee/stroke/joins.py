"""Free ends of ink that may belong together without ink between: across what is not seen, across a hair's gap."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.model import Floats, Ink
from referee.stroke.knots import Knot, Leg, Net
from referee.stroke.mask import InkMask

COARSE = 4
"""The unseen parts are compared with ends of ink on a grid this many times coarser."""
DARK = 60
"""A coarse pixel of which more than this, of 255, is unseen counts as such."""
RIM_MM = 0.3
"""Ink that ends this near to an unseen part may run on in it."""
TEXTURE_GAP_MM = 0.6
"""A gap smaller than this is the ink's texture and parts no stroke."""
REACH_PENS = 3.0
"""No end's tail and half width reach farther than so many pen widths from its tip."""


@dataclass(frozen=True, eq=False)
class UnseenParts:
    """The unseen parts of a board, each with the rim in which ink may run on in it.

    ``numbers`` (h, w) from 1 on a coarse grid, 0 elsewhere; its pixel (0, 0) begins at ``corner_mm``.
    """

    numbers: NDArray[np.int32]
    corner_mm: Floats
    px_per_mm: float

    def at(self, place_mm: Floats) -> int:
        """The part that a place lies in; 0 if it is in none."""
        x, y = np.floor((place_mm - self.corner_mm) * self.px_per_mm).astype(int)
        h, w = self.numbers.shape
        return int(self.numbers[y, x]) if 0 <= x < w and 0 <= y < h else 0


def unseen_parts(ink: Ink, mask: InkMask) -> UnseenParts | None:
    """The unseen parts of a board, with a rim of nearly a pen's width; None if all is seen."""
    x, y, w, h = cv2.boundingRect(ink.unseen)
    if w == 0:
        return None
    reach = max(1, round((0.8 * mask.pen_px / mask.px_per_mm + RIM_MM) * ink.px_per_mm / COARSE))
    left, top = x // COARSE, y // COARSE
    w, h = -(-(x + w) // COARSE) - left, -(-(y + h) // COARSE) - top
    part = ink.unseen[COARSE * top : COARSE * (top + h), COARSE * left : COARSE * (left + w)]
    full = np.zeros((h * COARSE, w * COARSE), np.uint8)
    full[: part.shape[0], : part.shape[1]] = cv2.threshold(part, 0, 255, cv2.THRESH_BINARY)[1]
    small = cv2.resize(full, (w, h), interpolation=cv2.INTER_AREA)
    small = cv2.copyMakeBorder(small, reach, reach, reach, reach, cv2.BORDER_CONSTANT, value=0)
    dark = cv2.threshold(small, DARK, 1, cv2.THRESH_BINARY)[1]
    dark = cv2.dilate(dark, np.ones((2 * reach + 1, 2 * reach + 1), np.uint8))
    numbers = np.asarray(cv2.connectedComponents(dark, connectivity=8)[1], np.int32)
    corner_mm = np.array([left - reach, top - reach]) * COARSE / ink.px_per_mm
    return UnseenParts(numbers, corner_mm, ink.px_per_mm / COARSE)


def with_joins(net: Net, mask: InkMask, unseen: UnseenParts | None) -> Net:
    """The net with a knot for each unseen part that free ends run into and for each hair's gap between two."""
    joined = _Joins(net, mask)
    if unseen is not None:
        for end in joined.free_ends():
            joined.put_at_part(end, unseen)
    for a, b in _gaps(joined.free_ends(), net, mask):
        joined.put_together(a, b)
    return joined.net()


class _Joins:
    """A net in which free ends are being gathered in knots."""

    def __init__(self, net: Net, mask: InkMask) -> None:
        self.legs, self.knots, self.places, self.mask = dict(net.legs), list(net.knots), net.places_px, mask
        self.by_part: dict[int, int] = {}

    def net(self) -> Net:
        return Net(self.legs, tuple(self.knots), self.places)

    def free_ends(self) -> list[tuple[int, int]]:
        return [(i, end) for i, leg in self.legs.items() for end in (0, 1) if leg.ends[end] < 0]

    def put_at_part(self, end: tuple[int, int], unseen: UnseenParts) -> None:
        part = unseen.at(self.mask.to_mm(_tip_px(self.legs[end[0]], end[1])[None])[0])
        if part == 0:
            return
        if part not in self.by_part:
            self.by_part[part] = len(self.knots)
            self.knots.append(Knot(unseen=True))
        self._tie(end, self.by_part[part], int(0.8 * self.mask.pen_px))

    def put_together(self, a: tuple[int, int], b: tuple[int, int]) -> None:
        self.knots.append(Knot(gap=True))
        for end in (a, b):
            self._tie(end, len(self.knots) - 1, int(0.9 * self.mask.pen_px))

    def _tie(self, end: tuple[int, int], knot: int, cut: int) -> None:
        """A leg's end given to a knot, its last ``cut`` pixels (where the edges curve in) left off."""
        leg = self.legs[end[0]]
        spare = min(cut, max(0, (leg.cut[1] - leg.cut[0]) // 2 - 3))
        first, last = leg.cut
        new = (first + spare, last) if end[1] == 0 else (first, last - spare)
        ends = (knot, leg.ends[1]) if end[1] == 0 else (leg.ends[0], knot)
        self.legs[end[0]] = replace(leg, ends=ends, cut=new)
        self.knots[knot].leg_ends.append(end)


def _tip_px(leg: Leg, end: int) -> Floats:
    return np.asarray(leg.chain_px[0] if end == 0 else leg.chain_px[-1])


def _tail_px(leg: Leg, end: int, pen_px: float) -> Floats:
    """The last two pen widths of a leg, its end last: ends of ink that a slanting gap parts pass each other."""
    chain = leg.chain_px if end == 1 else leg.chain_px[::-1]
    return np.asarray(chain[-int(2 * pen_px) - 1 :])


def _is_parted(a_px: Floats, b_px: Floats, mask: InkMask, pieces: NDArray[np.int32]) -> bool:
    """Whether two places lie on different ``pieces`` (h, w) of ink, or bare board shows between them."""
    way = np.rint(a_px + (b_px - a_px) * np.linspace(0, 1, 33)[:, None]).astype(int)
    if not mask.on[way[:, 1], way[:, 0]].all():
        return True
    return bool(pieces[way[0, 1], way[0, 0]] != pieces[way[-1, 1], way[-1, 0]])


def _out(leg: Leg, end: int, pen_px: float) -> Floats:
    """Unit direction in which a leg leaves through its end."""
    chain = leg.chain_px if end == 1 else leg.chain_px[::-1]
    d = chain[-1] - chain[-min(len(chain), int(1.5 * pen_px) + 2)]
    return np.asarray(d / max(float(np.hypot(*d)), 1e-9))


def _gaps(ends: list[tuple[int, int]], net: Net, mask: InkMask) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Pairs of free ends that face each other across less than `TEXTURE_GAP_MM`, the nearest first."""
    found = []
    pieces = np.asarray(cv2.connectedComponents(mask.on, connectivity=8)[1]) if len(ends) > 1 else np.zeros((1, 1), int)
    tips = np.array([_tip_px(net.legs[leg], end) for leg, end in ends]).reshape(-1, 2)
    # Ends whose tips are farther apart than both tails and widths reach do not face each other.
    reach = 2 * REACH_PENS * mask.pen_px + TEXTURE_GAP_MM * mask.px_per_mm
    for i, a in enumerate(ends):
        for b in (ends[k] for k in np.flatnonzero(np.hypot(*(tips[:i] - tips[i]).T) < reach)):
            legs = net.legs[a[0]], net.legs[b[0]]
            tails = [_tail_px(leg, end, mask.pen_px) for leg, (_, end) in zip(legs, (a, b), strict=True)]
            apart = min(
                float(np.hypot(*(tails[0][-1] - tails[1]).T).min()), float(np.hypot(*(tails[1][-1] - tails[0]).T).min())
            )
            deep = sum(float(leg.depth_px[0 if end == 0 else -1]) for leg, (_, end) in zip(legs, (a, b), strict=True))
            facing = float(_out(legs[0], a[1], mask.pen_px) @ _out(legs[1], b[1], mask.pen_px)) < -0.5
            near = a[0] != b[0] and apart - deep < TEXTURE_GAP_MM * mask.px_per_mm
            if near and facing and _is_parted(_tip_px(legs[0], a[1]), _tip_px(legs[1], b[1]), mask, pieces):
                found.append((apart, a, b))
    taken: set[tuple[int, int]] = set()
    out = []
    for _, a, b in sorted(found):
        if a not in taken and b not in taken:
            taken |= {a, b}
            out.append((a, b))
    return out
