"""Ink -> a clean yes/no mask of it, with the pen's usual width: what the topology is read from.

Measures are taken on the coverage itself later; here only connectedness counts.  Streaks (light lines inside
a stroke) and speckles must not fray the skeleton, and a thin gap between two strokes must stay open.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.errors import TooTangled
from referee.hands import both
from referee.model import Floats, Ink
from referee.words import say

Mask = NDArray[np.uint8]

BLUR_MM = 0.1
"""Takes the noise of single pixels away, far below any gap that matters."""
CLOSE_MM = 0.35
"""Radius up to which a dry gap or a streak inside one stroke is texture."""
HOLE_MM = 0.5
"""A hole thinner than this is texture: a donut's must hold a circle of 1.5 mm."""
SLIT_MM = 0.2
"""A slit thinner than this is filled even between two strokes."""
OWN_WIDTH = 1.24
"""Closing may not make ink wider than this many pen widths: that would weld two strokes together."""
NECK_WIDTHS = 0.6
"""Closing may not weld a slit shut over less than this many pen widths: that is two inks that nearly touch."""
SPECK_MM2 = 0.6
"""Anything smaller is a splash, no stroke."""


MOST_SHARE = 0.4
"""More of a board than this share is never inked: that is a dark thing on it, or no board at all."""
FINE_PX_PER_MM = 6.0
"""Connectedness needs no finer grid: the places of edges are measured on the full one."""
SMALL_PIECE = 0.1
"""A piece of ink of less than this share of the largest says nothing of the pen."""
WIPE = say("cure.wipe-before")
DEEPEST_MM = 20.0
RIM_PX = 4
"""So much bare board is left around all ink."""


@dataclass(frozen=True, eq=False)
class InkMask:
    """The ink of a board cut out to its bounding box.

    ``on`` (h, w) 0 or 1; ``depth_px`` (h, w) distance to the nearest pixel without ink; ``corner_px`` (x, y) of the
    cut-out in its grid; ``pen_px`` the pen's usual width; ``scale`` (x, y) the grid's pixels a millimetre.
    """

    on: Mask
    depth_px: NDArray[np.float32]
    corner_px: tuple[int, int]
    pen_px: float
    scale: tuple[float, float]

    @property
    def px_per_mm(self) -> float:
        """Pixels a millimetre, of the mask's own grid."""
        return self.scale[0]

    def to_mm(self, points_px: Floats) -> Floats:
        """Board mm (N, 2) of pixel centres (N, 2) of the cut-out."""
        return np.asarray((points_px + np.asarray(self.corner_px) + 0.5) / np.asarray(self.scale))


def ink_mask(ink: Ink) -> InkMask | None:
    """The mask of all ink; None where there is none.  Raises `TooTangled` where that cannot be a race's."""
    coverage, unseen, scale = _not_too_fine(ink)
    soft = max(BLUR_MM * scale[0], 0.5)
    top, left, near = _near_ink(coverage, int(4 * soft) + 1)
    if near is None:
        return None
    on = cv2.threshold(cv2.GaussianBlur(near, (0, 0), soft), 127, 1, cv2.THRESH_BINARY)[1]
    h, w = on.shape
    on = cv2.subtract(on, unseen[top : top + h, left : left + w])
    x, y, w, h = cv2.boundingRect(on)
    if w == 0:
        return None
    if cv2.countNonZero(on) > MOST_SHARE * coverage.size:
        raise TooTangled(say("fault.covered-with-ink"), WIPE)
    on = cv2.copyMakeBorder(on[y : y + h, x : x + w], RIM_PX, RIM_PX, RIM_PX, RIM_PX, cv2.BORDER_CONSTANT, value=0)
    on = _without_specks(np.asarray(on, np.uint8), SPECK_MM2 * scale[0] ** 2)
    if not on.any():
        return None
    on, depth, pen_px = _without_texture(on, scale[0])
    return InkMask(on, depth, (left + x - RIM_PX, top + y - RIM_PX), pen_px, scale)


def _near_ink(coverage: Mask, rim: int) -> tuple[int, int, Mask | None]:
    """The part of a board that ink lies in, with so many pixels around: its first row and column, and its coverage."""
    x, y, w, h = cv2.boundingRect(cv2.threshold(coverage, 127, 1, cv2.THRESH_BINARY)[1])
    top, left = max(0, y - rim), max(0, x - rim)
    return top, left, coverage[top : y + h + rim, left : x + w + rim] if w else None


def _not_too_fine(ink: Ink) -> tuple[Mask, Mask, tuple[float, float]]:
    """Coverage and unseen on a grid of at most `FINE_PX_PER_MM`, with that grid's scale (x, y)."""
    if ink.px_per_mm <= FINE_PX_PER_MM * 1.1:
        return ink.coverage, ink.unseen, (ink.px_per_mm, ink.px_per_mm)
    h, w = ink.coverage.shape
    share = FINE_PX_PER_MM / ink.px_per_mm
    size = (round(w * share), round(h * share))
    coverage = cv2.resize(ink.coverage, size, interpolation=cv2.INTER_AREA)
    unseen = np.zeros_like(coverage)
    if ink.unseen.any():
        unseen = cv2.resize(ink.unseen, size, interpolation=cv2.INTER_NEAREST)
    return np.asarray(coverage), np.asarray(unseen), (size[0] / w * ink.px_per_mm, size[1] / h * ink.px_per_mm)


def _outlines(on: Mask) -> list[tuple[NDArray[np.int32], bool]]:
    """The outlines (N, 1, 2) of all pieces of ink and of all holes in them, each with whether it is a hole's."""
    found, tree = cv2.findContours(on, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    if tree is None or not len(found):
        return []
    parents = np.asarray(tree).reshape(-1, 4)[:, 3].tolist()
    return [(np.asarray(f, np.int32).reshape(-1, 1, 2), p >= 0) for f, p in zip(found, parents, strict=True)]


def _without_specks(on: Mask, least_px: float) -> Mask:
    out = on.copy()
    for outline, hole in _outlines(on):
        if not hole and len(outline) < 4 * least_px and cv2.contourArea(outline) + len(outline) / 2 < least_px:
            cv2.drawContours(out, [outline], -1, 0, cv2.FILLED)
    return out


def _without_texture(on: Mask, scale: float) -> tuple[Mask, NDArray[np.float32], float]:
    """Streaks, speckles and small holes filled, how deep the ink is then, and the pen's width in pixels."""
    reach = max(1, round(CLOSE_MM * scale))
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1))
    closed = np.asarray(cv2.morphologyEx(on, cv2.MORPH_CLOSE, disc), np.uint8)
    closed = _without_holes(closed, HOLE_MM * scale)
    depth = _depth(closed, scale)
    pen_px = _pen_px(closed, depth, scale)
    out = _filled(on, closed, depth, reach, pen_px)
    out = _without_holes(out, SLIT_MM * scale)
    if not np.array_equal(out, closed):
        depth = _depth(out, scale)
    return out, depth, pen_px


def _depth(on: Mask, scale: float) -> NDArray[np.float32]:
    """How far (h, w) pixels of ink are from the nearest without; two halves at once, each with what lies around it.

    What is deeper than `DEEPEST_MM` may come out deeper still: no pen's ink is.
    """
    spare, middle = round(DEEPEST_MM * scale), len(on) // 2
    upper, lower = both(
        lambda: cv2.distanceTransform(on[: middle + spare], cv2.DIST_L2, 5)[:middle],
        lambda: cv2.distanceTransform(on[max(0, middle - spare) :], cv2.DIST_L2, 5)[min(middle, spare) :],
    )
    return np.concatenate([upper, lower])


def _filled(on: Mask, closed: Mask, depth: NDArray[np.float32], reach: int, pen_px: float) -> Mask:
    """The ink with all of ``closed`` that neither makes it wider than a pen nor welds an end to the line beside it.

    Such a weld fills a slit where it is at its narrowest: the same ink lies on both sides, and open board before and
    behind close together; across a dry gap in a stroke the open board is a pen's width apart.
    """
    out = on.copy()
    filled = np.asarray(cv2.subtract(closed, on))
    square = np.ones((2 * reach + 1, 2 * reach + 1), np.uint8)
    slits = []
    for outline in (o for o, hole in _outlines(filled) if not hole):
        x, y, w, h = cv2.boundingRect(outline)
        # the ridge that a filled place lies on is up to half a pen away from it: look at the widest disc around
        wide = slice(max(0, y - reach), y + h + reach), slice(max(0, x - reach), x + w + reach)
        pieces = cv2.connectedComponents(filled[wide], connectivity=8)[1]
        first = outline[0, 0]
        piece = np.asarray(pieces == pieces[first[1] - wide[0].start, first[0] - wide[1].start], np.uint8)
        if depth[wide][cv2.dilate(piece, square) > 0].max() > 0.5 * OWN_WIDTH * pen_px + 0.5:
            continue
        rim = (cv2.dilate(piece, np.ones((3, 3), np.uint8)) > 0) & (piece == 0)
        openings, where = cv2.connectedComponents(np.asarray(rim & (on[wide] == 0) & (filled[wide] == 0), np.uint8))
        if openings > 2 and _apart(where) < NECK_WIDTHS * pen_px:
            slits.append((wide, piece, rim & (on[wide] > 0)))
        else:
            out[wide] |= piece
    if slits:
        inks = cv2.connectedComponents(on, connectivity=8)[1]
        for wide, piece, beside in slits:
            if len(np.unique(inks[wide][beside])) > 1:
                out[wide] |= piece
    return out


def _apart(where: NDArray[np.int32]) -> float:
    """The least distance between the pixels labelled 1 and those labelled 2 or more."""
    first, others = np.argwhere(where == 1), np.argwhere(where > 1)
    return float(np.hypot(*(first[:, None] - others[None]).transpose(2, 0, 1)).min())


def _without_holes(on: Mask, thick_px: float) -> Mask:
    """Holes that hold no circle of ``thick_px`` filled."""
    out = on.copy()
    for outline, hole in _outlines(on):
        # the outline of a hole runs on the ink around it
        if not hole or cv2.contourArea(outline) > 40 * thick_px**2 + 2 * len(outline):
            continue
        x, y, w, h = cv2.boundingRect(outline)
        part = np.zeros((h + 2, w + 2), np.uint8)
        cv2.drawContours(part, [outline - [x - 1, y - 1]], -1, 1, cv2.FILLED)
        part[1:-1, 1:-1] &= 1 - on[y : y + h, x : x + w]
        if 2 * cv2.distanceTransform(part, cv2.DIST_L2, 5).max() - 1 < thick_px:
            out[y : y + h, x : x + w] |= part[1:-1, 1:-1]
    return out


def _pen_px(on: Mask, depth: NDArray[np.float32], scale: float) -> float:
    """The usual width of the ink in pixels: twice the median depth on the ridges.

    Small pieces have no say: many are no ink of a race's.
    """
    pieces = cv2.connectedComponents(on, connectivity=8, ltype=cv2.CV_16U)[1].ravel()
    highest = cv2.dilate(depth, np.ones((3, 3), np.uint8))
    inked = np.flatnonzero(on.view(np.bool_))  # of bytes it takes ten times as long
    piece, deep = np.take(pieces, inked), np.take(depth, inked)
    areas = np.bincount(piece)
    ridge = (deep > 0.3 * scale) & (deep >= np.take(highest, inked)) & (areas >= SMALL_PIECE * areas.max())[piece]
    if not ridge.any():
        return float(max(2 * depth.max() - 1, 1.0))
    return float(2 * np.percentile(deep[ridge], 50) - 0.5)
