"""Where exactly a pass runs and how wide it is, read from the coverage along normals to a rough line.

The method: the ink is straightened along a rough line (bilinear samples on normals), its profiles are averaged a
little along the line, both edges are read at half coverage to a fraction of a pixel, and the middles are smoothed
by a penalised spline (Whittaker; third differences, so that arcs keep their radius).  Where an edge is not the
pass's own, because other ink adjoins, the other edge and the pen's width stand in.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.model import Floats, Ink
from referee.stroke.banded import solved

STEP_MM = 0.25
"""Spacing of the points of a stroke."""
CUTOFF_MM = 2.6
"""Waves of the line shorter than this are the ragged edge's, not the hand's."""
AVERAGE_MM = 0.75
"""Profiles are averaged over this length along the line."""
RAGGED_MM = 0.05
"""By so much the ink's middle wavers about the line that the hand drew."""
BEND_MM, TIGHT = 1.5, 0.5
"""A bend is looked at over so much to both sides, and is tight if its radius is less than this share's inverse of a
usual half width."""
HAIRPIN, HAIRPIN_MM = 1.2, 6.0
"""A line that turns by more than this (radians) within `BEND_MM` is measured anew over so much to both sides."""
MOST_ROUNDS = 5
"""A line is measured twice, more often if it is still moving in a tight bend."""
FOLD_PENS, BACK = 2.0, 0.5
"""A line folds within so many pen widths of its end, if it comes back to so little of how far it had been from it."""
RUN_TOGETHER = 1.1
"""Ink so many times as broad as usual in a tight bend is that of both its arms."""
HALF = 127.5

Bools = NDArray[np.bool_]
Bytes = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Sides:
    """Distances (N,) from a line's points to the ink's edge on the left and on the right; nan where there is none."""

    left_mm: Floats
    right_mm: Floats
    seen: Bools


def resample(points_mm: Floats, step_mm: float = STEP_MM) -> Floats:
    """Points (M, 2) evenly spaced along a line, at most ``step_mm`` apart, ends kept."""
    far = np.hypot(*np.diff(points_mm, axis=0).T)
    keep = np.concatenate([[True], far > 1e-9])
    points = points_mm[keep]
    if len(points) < 2:
        return np.vstack([points_mm[:1], points_mm[:1] + [1e-3, 0.0]])
    arc = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
    at = np.linspace(0.0, arc[-1], max(2, int(np.ceil(arc[-1] / step_mm)) + 1))
    return np.column_stack([np.interp(at, arc, points[:, 0]), np.interp(at, arc, points[:, 1])])


def smooth(values: Floats, weights: Floats, cutoff_mm: float, step_mm: float = STEP_MM) -> Floats:
    """``values`` (N, k) with waves shorter than ``cutoff_mm`` taken out; weight 0 means "fill in".

    Whittaker smoother with third differences: minimise sum w (y - z)^2 + lambda sum (D3 z)^2.
    """
    n = len(values)
    if n < 5:
        return np.asarray(values, float)
    lam = (2 * np.sin(np.pi * min(step_mm / cutoff_mm, 0.45))) ** -6.0
    bands = np.zeros((4, n))
    for k, c in enumerate(_third_difference_bands(n)):
        bands[3 - k, k:] = lam * c
    bands[3] += weights + 1e-9
    right = np.asarray(values, float) * (weights + 1e-9)[:, None]
    return solved(bands, right)


def _third_difference_bands(n: int) -> list[Floats]:
    """Diagonals 0 to 3 of D3^T D3."""
    d = np.array([-1.0, 3.0, -3.0, 1.0])
    out = []
    for k in range(4):
        band = np.zeros(n - k)
        for i in range(4 - k):
            band[i : n - 3 + i] += d[i] * d[i + k]
        out.append(band)
    return out


def normals(points_mm: Floats) -> Floats:
    """Unit vectors (N, 2) to the left of travel as seen on the board (left of +x is -y)."""
    along = np.gradient(points_mm, axis=0)
    along /= np.maximum(np.hypot(*along.T), 1e-9)[:, None]
    return np.column_stack([along[:, 1], -along[:, 0]])


def tangent(points_mm: Floats) -> Floats:
    """Unit direction (2,) at the last of some evenly spaced points, by a parabola."""
    t = np.arange(len(points_mm), dtype=float) - len(points_mm) + 1
    straight = points_mm[-1] - points_mm[0]
    d = np.polynomial.polynomial.polyfit(t, points_mm, 2)[1] if len(points_mm) >= 5 else straight
    return np.asarray(d / max(float(np.hypot(*d)), 1e-9))


def straighten(ink: Ink, points_mm: Floats, reach_mm: float, ray_mm: float) -> tuple[Bytes, Bytes]:
    """Coverage (N, M) on the normals, ``ray_mm`` apart from left to right, and the unseen mask (N, M) likewise."""
    count = int(np.ceil(reach_mm / ray_mm))
    offsets_px = np.arange(-count, count + 1) * ray_mm * ink.px_per_mm
    # x and y each by itself: over the short axis of both numpy takes ten times as long
    x, y = (
        np.add(at[:, None], step[:, None] * offsets_px, dtype=np.float32, casting="same_kind")
        for at, step in zip((points_mm * ink.px_per_mm - 0.5).T, normals(points_mm).T, strict=True)
    )
    return _looked_up(ink, x, y)


def looked_up(ink: Ink, places_mm: Floats) -> tuple[Bytes, Bytes]:
    """Coverage and the unseen mask (N, M) at places (N, M, 2): off the board there is no ink, and nothing is seen."""
    return _looked_up(ink, np.asarray(places_mm * ink.px_per_mm - 0.5, np.float32), None)


def _looked_up(ink: Ink, x: NDArray[np.float32], y: NDArray[np.float32] | None) -> tuple[Bytes, Bytes]:
    cover = cv2.remap(ink.coverage, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=0)
    dark = cv2.remap(ink.unseen, x, y, cv2.INTER_NEAREST, borderMode=cv2.BORDER_CONSTANT, borderValue=2)
    return np.asarray(cover, np.uint8), np.asarray(dark, np.uint8)


def sides(ink: Ink, points_mm: Floats, half_mm: float | None, reach_mm: float) -> Sides:
    """The ink's edges to both sides of a line.

    With ``half_mm`` the edge nearest to that distance is taken, else the first one out from the middle.
    """
    ray = 0.5 / ink.px_per_mm
    cover, dark = straighten(ink, points_mm, reach_mm, ray)
    window = max(1, round(AVERAGE_MM / STEP_MM))
    if len(points_mm) <= window:
        window = 1
    sheet = np.asarray(cv2.boxFilter(cover, cv2.CV_32F, (1, window), borderType=cv2.BORDER_REPLICATE), np.float32)
    mid = cover.shape[1] // 2
    seen = np.asarray(~dark.any(axis=1), np.bool_)
    left = _edge(sheet[:, mid:], ray, half_mm)
    right = _edge(sheet[:, mid::-1], ray, half_mm)
    return Sides(left, right, seen)


def _edge(rays: NDArray[np.float32], ray_mm: float, half_mm: float | None) -> Floats:
    """Where each ray (N, M), from the middle out, falls through half coverage."""
    inked = rays >= HALF
    falls = inked[:, :-1] & ~inked[:, 1:]
    if half_mm is None:
        k = falls.argmax(axis=1)
    else:
        far = np.abs(np.arange(rays.shape[1] - 1) * ray_mm - half_mm)
        k = np.where(falls, far, np.inf).argmin(axis=1)
    rows = np.arange(len(rays))
    hi, lo = rays[rows, k].astype(np.float64), rays[rows, k + 1].astype(np.float64)
    part = (hi - HALF) / np.maximum(hi - lo, 1e-6)
    return np.where(falls[rows, k], (k + part) * ray_mm, np.nan)


@dataclass(frozen=True, eq=False)
class Line:
    """A measured stretch of a pass: points (N, 2), ``half_mm`` (N, 2) to the left and the right edge, ``seen`` (N,)."""

    points_mm: Floats
    half_mm: Floats
    seen: Bools

    def turned(self) -> Line:
        """The same line from its other end."""
        return Line(self.points_mm[::-1], self.half_mm[::-1, ::-1], self.seen[::-1])

    def part(self, a: int, b: int) -> Line:
        """Points a to b, b left out."""
        return Line(self.points_mm[a:b], self.half_mm[a:b], self.seen[a:b])


def measure(ink: Ink, rough_mm: Floats, pen_mm: float, trim: tuple[bool, bool] = (False, False)) -> Line:
    """A pass that is alone on its ink, from a rough line along it.

    ``trim`` says at which ends to leave off what shows no two edges (the rim of the unseen cuts ink askew).
    """
    points = resample(rough_mm)
    points = smooth(points, np.ones(len(points)), min(3.0, max(1.0, 0.25 * STEP_MM * len(points))))
    half = np.full(len(points), pen_mm / 2)
    own: float | None = None
    for turn in range(MOST_ROUNDS):
        points = resample(points)
        s = sides(ink, points, own, 0.85 * pen_mm if own is None else 1.7 * own)
        width = s.left_mm + s.right_mm
        good = np.isfinite(width) & s.seen
        if good.sum() < 4:
            return Line(points, both(np.full(len(points), pen_mm / 2)), s.seen)
        usual = float(np.median(width[good]))
        good &= np.abs(width - usual) < 0.35 * usual
        off, told = _off_the_middle(s, points, good, usual)
        mids = points + normals(points) * off[:, None]
        points = smooth(mids, np.where(told, 1.0, 0.02), CUTOFF_MM)
        half = _half_widths(width, good & (width < RUN_TOGETHER * usual), usual)
        own = usual / 2
        seen = s.seen
        if turn > 0 and np.abs(off[told & ~good]).max(initial=0.0) < RAGGED_MM:
            break
    kept = np.nonzero(good)[0]
    return Line(points, _each_side(half, points, mids, told), seen).part(
        int(kept[0]) if trim[0] else 0, int(kept[-1]) + 1 if trim[1] else len(points)
    )


SHORTEST = 2
"""A line has so many points at least."""


def uncurled(ink: Ink, line: Line, pen_mm: float, free: tuple[bool, bool]) -> Line:
    """A measured line without what curls up at those of its ends that are ``free``, ends of ink.

    A rough line may run on into a corner of the ink's end, where the rays across it meet that end in place of the
    pen's sides: the line then leaves the ink or turns back upon itself, and tells nothing of where the pen went.
    One so short that it curls up altogether, a dab of ink, stays as it is.
    """
    count = len(line.points_mm)
    bare = line.seen & ~shows_ink(ink, line.points_mm)
    begin = count - _before_a_fold(line.points_mm[::-1], bare[::-1], pen_mm) if free[0] else 0
    end = _before_a_fold(line.points_mm, bare, pen_mm) if free[1] else count
    return line.part(begin, end) if end - begin >= SHORTEST else line


def _before_a_fold(points_mm: Floats, bare: Bools, pen_mm: float) -> int:
    """How many of a line's points (N, 2) lie before it ends on ``bare`` board or upon itself: all, if it does not."""
    near = round(FOLD_PENS * pen_mm / STEP_MM)
    inked = np.flatnonzero(~bare[-near:])
    if len(inked):
        points_mm = points_mm[: len(points_mm) - len(bare[-near:]) + int(inked[-1]) + 1]
    tail = points_mm[-near:]
    away = np.hypot(*(tail - tail[-1]).T)[::-1]
    farthest = np.maximum.accumulate(away)
    back = np.flatnonzero((away < BACK * farthest) & (farthest > STEP_MM))
    if not len(back):
        return len(points_mm)
    return len(points_mm) - int(away[: back[0]].argmax())


def beside(ink: Ink, middle_mm: Floats, side: int, half_mm: float, pen_mm: float) -> Line:
    """A pass that shares its ink with another, from a rough line along the middle of both.

    Its own edge, on the left if ``side`` is 1 and on the right if -1, lies its half width ``half_mm`` away.
    """
    points = resample(middle_mm)
    points = smooth(points, np.ones(len(points)), min(4.0, max(1.0, 0.25 * STEP_MM * len(points))))
    s = sides(ink, points, None, 1.8 * pen_mm)
    off = s.left_mm - half_mm if side > 0 else half_mm - s.right_mm
    told = np.isfinite(off) & (np.abs(off) < 1.2 * half_mm) & s.seen
    mids = points + normals(points) * np.where(told, off, 0.0)[:, None]
    points = resample(smooth(mids, np.where(told, 1.0, 0.02), CUTOFF_MM))
    return Line(points, both(np.full(len(points), half_mm)), shows_ink(ink, points))


def hairpins_measured(ink: Ink, line: Line, pen_mm: float) -> Line:
    """A line (evenly spaced) whose hairpins, however they came about, are measured at the ink's outer edge."""
    points, half, seen = line.points_mm, line.half_mm, line.seen
    bend = np.abs(turned(points, BEND_MM))
    reach = round(HAIRPIN_MM / STEP_MM)
    sharpest = bend >= np.asarray(cv2.dilate(bend, np.ones((reach, 1), np.uint8)))[:, 0]
    free = len(points)
    for k in np.flatnonzero((bend > HAIRPIN) & sharpest)[::-1]:
        a, b = k - reach, k + reach + 1
        if a < 0 or b > free or not seen[a:b].all():
            continue
        free = k  # what has been measured anew is left alone
        again = measure(ink, points[a:b], pen_mm)
        away = [np.hypot(*(again.points_mm - points[i]).T) for i in (a + 4, b - 5)]
        middle = len(again.points_mm) // 2
        first, last = int(away[0][:middle].argmin()), middle + int(away[1][middle:].argmin())
        kept = again.part(first, last + 1).points_mm
        apart = np.hypot(*(kept[:, None] - points[None, a + 4 : b - 4]).transpose(2, 0, 1)).min(axis=0)
        if max(away[0][first], away[1][last]) > 0.3 or apart.max() > pen_mm / 2:
            continue
        points, half, seen = (
            np.concatenate([whole[: a + 4], part[first : last + 1], whole[b - 4 :]])
            for whole, part in ((points, again.points_mm), (half, again.half_mm), (seen, again.seen))
        )
    return Line(points, half, seen)


def _off_the_middle(s: Sides, points: Floats, good: Bools, usual: float) -> tuple[Floats, Bools]:
    """How far (N,) the ink's middle lies to the left of the points, and where that is told.

    In a tight bend the inner edge is lost where the line's arms run together; there the outer edge tells it, half a
    usual width away.
    """
    off = np.where(good, (s.left_mm - s.right_mm) / 2, 0.0)
    bend = turned(points, BEND_MM)
    outer = np.where(bend > 0, s.right_mm, s.left_mm)
    broad = ~good | (s.left_mm + s.right_mm > RUN_TOGETHER * usual)
    tight = broad & s.seen & (np.abs(bend) * usual > 2 * BEND_MM * TIGHT) & (np.abs(outer - usual / 2) < 0.35 * usual)
    off[tight] = (np.where(bend > 0, -1, 1) * (outer - usual / 2))[tight]
    return off, good | tight


def turned(points: Floats, reach_mm: float) -> Floats:
    """By what angle (N,) a line turns to the left within so much to either side of each point, in radians."""
    step = max(1, round(reach_mm / STEP_MM))
    spots = np.clip(np.arange(len(points))[:, None] + [-step, 0, step], 0, len(points) - 1)
    before, after = (points[spots[:, k + 1]] - points[spots[:, k]] for k in (0, 1))
    # left of +x is -y
    cross = before[:, 1] * after[:, 0] - before[:, 0] * after[:, 1]
    return np.asarray(np.arctan2(cross, (before * after).sum(axis=1)))


def _each_side(half: Floats, points: Floats, mids: Floats, told: Bools) -> Floats:
    """Half widths (N, 2) to the left and right of the smoothed line, whose bends the ink's middle cuts less short."""
    off = np.where(told, ((mids - points) * normals(points)).sum(axis=1), 0.0)
    off = smooth(off[:, None], np.ones(len(off)), AVERAGE_MM)[:, 0]
    off = np.sign(off) * np.maximum(np.abs(off) - RAGGED_MM, 0.0)
    return np.column_stack([half + off, half - off])


def shows_ink(ink: Ink, points_mm: Floats) -> Bools:
    """Whether the picture shows ink at points (N, 2): not where it shows nothing, nor where it shows bare board."""
    h, w = ink.unseen.shape
    x, y = np.clip((points_mm * ink.px_per_mm).astype(int), 0, [w - 1, h - 1]).T
    return np.asarray((ink.unseen[y, x] == 0) & (ink.coverage[y, x] >= HALF))


def joined(lines: tuple[Line, ...]) -> Line:
    """Lines one after another as one."""
    return Line(
        np.vstack([line.points_mm for line in lines]),
        np.vstack([line.half_mm for line in lines]),
        np.concatenate([line.seen for line in lines]),
    )


def both(half_mm: Floats) -> Floats:
    """Half widths (N,) as the same to the left and to the right (N, 2)."""
    return np.column_stack([half_mm, half_mm])


def _half_widths(width: Floats, good: Bools, usual: float) -> Floats:
    """Half widths along a pass: a pen's width changes slowly, so it is averaged over a centimetre."""
    calm = np.where(good, np.clip(width, 0.85 * usual, 1.15 * usual), usual)
    return smooth(calm[:, None], good.astype(float) + 0.02, 12.0)[:, 0] / 2
