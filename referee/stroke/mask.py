"""Ink -> a clean yes/no mask of it, with the pen's usual width: what the topology is read from.

Measures are taken on the coverage itself later; here only connectedness counts.  Streaks (light lines inside
a stroke) and speckles must not fray the skeleton, and a thin gap between two strokes must stay open.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.model import Floats, Ink

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
SPECK_MM2 = 0.6
"""Anything smaller is a splash, no stroke."""


@dataclass(frozen=True, eq=False)
class InkMask:
    """The ink of a board cut out to its bounding box.

    ``on`` (h, w) 0 or 1; ``depth_px`` (h, w) distance to the nearest pixel without ink; ``corner_px`` (x, y) of the
    cut-out in the grid; ``pen_px`` the pen's usual width.
    """

    on: Mask
    depth_px: NDArray[np.float32]
    corner_px: tuple[int, int]
    pen_px: float
    px_per_mm: float

    def to_mm(self, points_px: Floats) -> Floats:
        """Board mm (N, 2) of pixel centres (N, 2) of the cut-out."""
        return np.asarray((points_px + np.asarray(self.corner_px) + 0.5) / self.px_per_mm)


def ink_mask(ink: Ink) -> InkMask | None:
    """The mask of all ink; None where there is none."""
    scale = ink.px_per_mm
    rough = cv2.GaussianBlur(ink.coverage, (0, 0), max(BLUR_MM * scale, 0.5))
    on = np.asarray((rough > 127) & (ink.unseen == 0), dtype=np.uint8)
    box = cv2.boundingRect(on)
    if box[2] == 0:
        return None
    pad = 4
    x0, y0 = max(box[0] - pad, 0), max(box[1] - pad, 0)
    on = np.pad(on[y0 : box[1] + box[3] + pad, x0 : box[0] + box[2] + pad], 2)
    on = _without_specks(on, SPECK_MM2 * scale**2)
    if not on.any():
        return None
    on, pen_px = _without_texture(on, scale)
    depth = cv2.distanceTransform(on, cv2.DIST_L2, 5)
    return InkMask(on, np.asarray(depth, np.float32), (x0 - 2, y0 - 2), pen_px, scale)


def _without_specks(on: Mask, least_px: float) -> Mask:
    count, labels, stats, _ = cv2.connectedComponentsWithStats(on, connectivity=8)
    small = [i for i in range(1, count) if stats[i, cv2.CC_STAT_AREA] < least_px]
    if not small:
        return on
    keep = np.ones(count, np.uint8)
    keep[[0, *small]] = 0
    return np.asarray(keep[labels])


def _without_texture(on: Mask, scale: float) -> tuple[Mask, float]:
    """Streaks, speckles and small holes filled, and the pen's width in pixels."""
    reach = max(1, round(CLOSE_MM * scale))
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1))
    closed = np.asarray(cv2.morphologyEx(on, cv2.MORPH_CLOSE, disc), np.uint8)
    closed = _without_holes(closed, HOLE_MM * scale)
    depth = np.asarray(cv2.distanceTransform(closed, cv2.DIST_L2, 5))
    pen_px = _pen_px(depth, scale)
    added = closed & ~on & 1
    count, labels = cv2.connectedComponents(added, connectivity=8)
    if count == 1:
        return on, pen_px
    ys, xs = np.nonzero(added)
    deepest = np.zeros(count)
    # the ridge that a filled piece lies on is up to half a pen away from it: look at the widest disc around
    around = cv2.dilate(depth.astype(np.float32), disc)
    np.maximum.at(deepest, labels[ys, xs], around[ys, xs])
    take = deepest <= 0.5 * OWN_WIDTH * pen_px + 0.5
    take[0] = False
    out = on | take[labels].astype(np.uint8)
    return _without_holes(np.asarray(out, np.uint8), SLIT_MM * scale), pen_px


def _without_holes(on: Mask, thick_px: float) -> Mask:
    """Holes that hold no circle of ``thick_px`` filled."""
    off = np.asarray(1 - on, np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(off, connectivity=4)
    if count <= 2:
        return on
    out = on.copy()
    for i in range(1, count):
        x, y, w, h, area = stats[i]
        if area > 40 * thick_px**2 or (x == 0 and y == 0):
            continue
        part = np.pad((labels[y : y + h, x : x + w] == i).astype(np.uint8), 1)
        if area < 4 or 2 * cv2.distanceTransform(part, cv2.DIST_L2, 5).max() - 1 < thick_px:
            out[y : y + h, x : x + w] |= part[1:-1, 1:-1]
    return out


def _pen_px(depth: NDArray[np.float32], scale: float) -> float:
    """The usual width of the ink in pixels: twice the depth on the ridges, a low share since overlaps only widen."""
    ridge = (depth >= cv2.dilate(depth, np.ones((3, 3), np.uint8))) & (depth > 0.3 * scale)
    values = depth[ridge]
    if len(values) == 0:
        return float(max(2 * depth.max() - 1, 1.0))
    return float(2 * np.percentile(values, 50) - 0.5)
