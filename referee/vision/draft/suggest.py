"""What a flat picture of a clean board seems to show: white bands, blue lines, yellow areas, purple outlines.

Each is offered to whoever traces the board, never taken for granted.  Colours are told by hue and saturation, bands by
their width; a band's middle is then measured where its two edges are at half contrast, so that an accepted suggestion
is as exact as the picture.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from skimage.morphology import skeletonize

from referee.model import Floats
from referee.vision.opencv import cv2

Bgr = NDArray[np.uint8]
Mask = NDArray[np.uint8]
Kind = Literal["white-line", "checkpoint", "zone", "oil-spill"]

PX_PER_MM = 5.0
MOST_PX = 3000
"""A longer side than this is looked at more coarsely."""
WHITE_LEAST, WHITE_ABOVE, WHITE_COLOUR = 150, 22, 44
"""A white's darkest channel, by how much it is above what is beside it, and how far its channels may differ."""
BAND_MM = (1.2, 4.2)
LEAST_LINE_MM = 22.0
LEAST_RING_MM = 120.0
"""A closed white line is the rim of an island in the road, never as short as a frame round a picture."""
ROAD_MM = (11.0, 32.0)
"""Two white lines of one road lie so far apart."""
LEAST_BESIDE = 0.35
"""A white band of which a smaller part has another beside it is no road's edge."""
ODD_WIDTH = 0.2
SQUARELY = 0.3
"""The cosine of an angle that still counts as a right one."""
YELLOW, BLUE, PURPLE = (18, 36), (94, 126), (127, 162)
"""Hues as OpenCV counts them, 0 to 179."""
STRONG, BRIGHT = 85, 70
"""What is less saturated or darker than this has no colour."""
ZONE_MM2 = (50.0, 2500.0)
CHECKPOINT_MM = (10.0, 34.0)
SPILL_MM2 = (25.0, 2500.0)
PROFILE_MM, STEP_MM = 3.0, 0.1
FINE_MM = 0.08
JOIN_MM = 5.0
"""Ends of bands that run on in each other across a gap no wider than this are one line."""
MOST = 150


@dataclass(frozen=True, eq=False)
class Suggestion:
    """A line or area that seems to be there: ``points_mm`` (N, 2), a closed one not repeating its first point.

    A ``zone`` is a yellow area: a jump, a landing, or a zone of some other effect.  ``sure`` is 0 to 1.
    """

    kind: Kind
    points_mm: Floats
    closed: bool
    sure: float
    width_mm: float = 2.0


def suggest(bgr: Bgr, size_mm: tuple[float, float]) -> list[Suggestion]:
    """What a flat picture (H, W, 3) of a board of a size seems to show, the surest first."""
    scale = min(PX_PER_MM, MOST_PX / max(size_mm))
    wh = round(size_mm[0] * scale), round(size_mm[1] * scale)
    area = cv2.INTER_AREA if wh[0] < bgr.shape[1] else cv2.INTER_CUBIC
    small = np.asarray(cv2.resize(bgr, wh, interpolation=area), np.uint8)
    hsv = np.asarray(cv2.cvtColor(cv2.GaussianBlur(small, (0, 0), 0.8), cv2.COLOR_BGR2HSV), np.uint8)
    found = [*_white_lines(small, scale), *_zones(hsv, scale), *_checkpoints(hsv, scale), *_spills(hsv, scale)]
    return sorted(found, key=lambda one: -one.sure)[:MOST]


# ------------------------------------------------------------------------------------------- white bands


def _white_lines(small: Bgr, scale: float) -> list[Suggestion]:
    smooth = cv2.GaussianBlur(small, (0, 0), 0.6)
    least, most = smooth.min(axis=2), smooth.max(axis=2)
    above = cv2.morphologyEx(least, cv2.MORPH_TOPHAT, _disc(BAND_MM[1] * scale))  # what is brighter, and thin
    white = _mask((above >= WHITE_ABOVE) & (least >= WHITE_LEAST) & (most - least <= WHITE_COLOUR))
    grey = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.float32)
    lines = [line for line in _traced(white, scale) if _length(line) >= 0.4 * LEAST_LINE_MM]
    lines = [line for line in _run_together(lines) if _length(line) >= LEAST_LINE_MM]
    bands = [one for line in lines if (one := _measured(line, grey, scale)) is not None]
    return _of_one_width(_beside_each_other(bands))


def _without_wide(mask: Mask, widest_px: float) -> Mask:
    """A mask without what is wider than a band: discs of that size fit into clouds, not into lines."""
    wide = cv2.morphologyEx(mask, cv2.MORPH_OPEN, _disc(widest_px))
    around = cv2.dilate(wide, _disc(3))
    return np.asarray(cv2.bitwise_and(mask, cv2.bitwise_not(around)), np.uint8)


def _traced(mask: Mask, scale: float) -> list[Floats]:
    """The middle lines (N, 2) in mm of what is thin, cut where lines meet."""
    thin = np.asarray(skeletonize(mask > 0))  # type: ignore[no-untyped-call]
    padded = np.pad(thin, 1)
    steps = [(dy, dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dx or dy]
    around = np.sum([np.roll(padded, step, (0, 1)) for step in steps], axis=0)
    knots = np.asarray(thin & (around[1:-1, 1:-1] > 2))
    links = _mask(thin & (cv2.dilate(_mask(knots), np.ones((3, 3), np.uint8)) == 0))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(links, connectivity=8)
    lines = []
    for number in range(1, count):
        x, y, w, h, size = stats[number]
        if size / scale >= 2.0:
            rows, columns = np.nonzero(labels[y : y + h, x : x + w] == number)
            points = _in_order(np.column_stack([columns + x, rows + y]))
            lines.append((_smooth(points.astype(float), 2.0) + 0.5) / scale)
    return lines


def _in_order(points: NDArray[np.intp]) -> NDArray[np.intp]:
    """The pixels (N, 2) of a line without branches, one after the other from one of its ends."""
    place = {(int(x), int(y)): i for i, (x, y) in enumerate(points)}
    near = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)]
    beside = {p: [q for dx, dy in near if (q := (p[0] + dx, p[1] + dy)) in place] for p in place}
    at = next((p for p in place if len(beside[p]) == 1), next(iter(place)))
    order, seen = [at], {at}
    while step := next((q for q in beside[at] if q not in seen), None):
        order.append(step)
        seen.add(step)
        at = step
    return np.array(order)


def _smooth(points: Floats, sigma: float) -> Floats:
    """A line (N, 2) without the stairs of its pixels; its ends stay."""
    if len(points) < 5:
        return points
    reach = int(3 * sigma)
    kernel = np.exp(-0.5 * (np.arange(-reach, reach + 1) / sigma) ** 2)
    kernel /= kernel.sum()
    before = 2 * points[0] - points[1 : reach + 1][::-1]
    after = 2 * points[-1] - points[-reach - 1 : -1][::-1]
    long = np.vstack([before, points, after])
    if len(long) < len(points) + 2 * reach:
        return points
    return np.column_stack([np.convolve(long[:, k], kernel, mode="valid") for k in (0, 1)])


def _run_together(lines: list[Floats]) -> list[Floats]:
    """Lines whose ends run on in each other are one: first the closest pairs of ends, then what is left."""
    lines = list(lines)
    while True:
        best: tuple[float, int, int, bool, bool] | None = None
        for i in range(len(lines)):
            for j in range(i + 1, len(lines)):
                for one in (False, True):
                    for other in (False, True):
                        a = lines[i] if one else lines[i][::-1]
                        b = lines[j] if other else lines[j][::-1]
                        gap = float(np.hypot(*(b[0] - a[-1])))
                        if gap <= JOIN_MM and (best is None or gap < best[0]) and _runs_on(a, b, gap):
                            best = gap, i, j, one, other
        if best is None:
            return lines
        _, i, j, one, other = best
        a, b = (lines[i] if one else lines[i][::-1]), (lines[j] if other else lines[j][::-1])
        lines[i] = np.vstack([a, b])
        del lines[j]


def _runs_on(a: Floats, b: Floats, gap: float) -> bool:
    """Whether a line's end and another's beginning are of one band."""
    out, into = _way(a[::-1]) * -1, _way(b)
    if out @ into < 0.7:
        return bool(gap < 2.5 and out @ into > -0.3)  # a corner
    across = b[0] - a[-1]
    return bool(gap < 1.0 or float(out @ across) / gap > 0.8)


def _way(line: Floats, reach_mm: float = 3.0) -> Floats:
    """The unit direction (2,) in which a line begins."""
    arc = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))])
    step = line[min(int(np.searchsorted(arc, reach_mm)), len(line) - 1)] - line[0]
    return np.asarray(step / max(float(np.hypot(*step)), 1e-9))


def _measured(line: Floats, grey: NDArray[np.float32], scale: float) -> Suggestion | None:
    """A line moved to the middle of its band, with the band's width; None if there is no band along most of it."""
    closed = bool(np.hypot(*(line[0] - line[-1])) < 2.0)
    if closed and _length(line) < LEAST_RING_MM:
        return None
    points = _evenly(line, 1.0)
    way = np.gradient(points, axis=0)
    way /= np.maximum(np.hypot(*way.T), 1e-9)[:, None]
    normal = np.column_stack([-way[:, 1], way[:, 0]])
    off = np.arange(-PROFILE_MM, PROFILE_MM + STEP_MM / 2, STEP_MM)
    places = ((points[:, None] + normal[:, None] * off[None, :, None]) * scale - 0.5).astype(np.float32)
    profile = cv2.remap(grey, places[..., 0], places[..., 1], cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    middle, width = _edges(np.asarray(profile), off)
    known = np.isfinite(middle) & (width > BAND_MM[0] * 0.8) & (width < BAND_MM[1])
    if known.mean() < 0.5:
        return None
    shift = np.interp(np.arange(len(points)), np.flatnonzero(known), _median(middle[known]))
    moved = _smooth(points + normal * shift[:, None], 1.5)
    wide = float(np.median(width[known]))
    if not closed:
        moved = _longer(moved, 0.5 * wide)
    simple = cv2.approxPolyDP((moved * 100).astype(np.float32)[:, None], FINE_MM * 100, False)[:, 0] / 100
    if closed:
        simple = simple[:-1]
    return Suggestion("white-line", np.asarray(simple, float), closed, float(known.mean()), round(wide, 2))


def _edges(profile: NDArray[np.float32], off: Floats) -> tuple[Floats, Floats]:
    """Middle and width (N,) of the bright band in each cut (N, M), from its edges at half contrast; nan if unclear."""
    centre = len(off) // 2
    core = profile[:, centre - 5 : centre + 6]
    peak = core.max(axis=1)
    sides = []
    for cut in (profile[:, : centre + 1][:, ::-1], profile[:, centre:]):
        low = cut[:, : int(2.5 / STEP_MM)].min(axis=1)
        half = (peak + low) / 2
        below = cut < half[:, None]
        first = np.where(below.any(axis=1), below.argmax(axis=1), 0)
        i = np.clip(first, 1, cut.shape[1] - 1)
        rows = np.arange(len(cut))
        above, under = cut[rows, i - 1], cut[rows, i]
        part = (above - half) / np.maximum(above - under, 1e-6)
        place = (i - 1 + np.clip(part, 0, 1)) * STEP_MM
        sides.append(np.where((first > 0) & (peak - low > 18), place, np.nan))
    left, right = sides
    return (right - left) / 2, right + left


def _median(values: Floats, reach: int = 3) -> Floats:
    padded = np.pad(values, reach, mode="edge")
    return np.asarray(np.median(np.lib.stride_tricks.sliding_window_view(padded, 2 * reach + 1), axis=1))


def _longer(line: Floats, by_mm: float) -> Floats:
    """A line drawn out at both ends: its skeleton ends half a width inside the band."""
    return np.vstack([line[0] - _way(line) * by_mm, line, line[-1] - _way(line[::-1]) * by_mm])


def _beside_each_other(bands: list[Suggestion]) -> list[Suggestion]:
    """The bands of which a good part has a band squarely beside it at a road's distance, be it its own other leg."""
    lines = [_evenly(_ring(one), 3.0) for one in bands]
    if not lines:
        return []
    everything = np.concatenate(lines)
    kept = []
    for one, line in zip(bands, lines, strict=True):
        way = np.gradient(line, axis=0)
        way /= np.maximum(np.hypot(*way.T), 1e-9)[:, None]
        off = everything[None] - line[:, None]
        far = np.hypot(off[..., 0], off[..., 1])
        along = np.abs((off * way[:, None]).sum(axis=2)) / np.maximum(far, 1e-9)
        share = float(((far >= ROAD_MM[0]) & (far <= ROAD_MM[1]) & (along < SQUARELY)).any(axis=1).mean())
        if share >= LEAST_BESIDE:
            kept.append(replace(one, sure=0.5 * one.sure + 0.5 * share))
    return kept


def _of_one_width(bands: list[Suggestion]) -> list[Suggestion]:
    """The bands, less sure of those that are not as wide as most of the white: a board's lines are printed alike."""
    if not bands:
        return []
    usual = _weighted_median([one.width_mm for one in bands], [_length(one.points_mm) for one in bands])
    return [one if abs(one.width_mm / usual - 1) <= ODD_WIDTH else replace(one, sure=one.sure / 2) for one in bands]


def _weighted_median(values: list[float], weights: list[float]) -> float:
    order = np.argsort(values)
    heavy = np.cumsum(np.array(weights)[order])
    return float(np.array(values)[order][int(np.searchsorted(heavy, heavy[-1] / 2))])


# ------------------------------------------------------------------------------------------- colours


def _coloured(hsv: Bgr, hues: tuple[int, int]) -> Mask:
    hue, saturation, value = hsv[..., 0], hsv[..., 1], hsv[..., 2]
    return _mask((hue >= hues[0]) & (hue <= hues[1]) & (saturation >= STRONG) & (value >= BRIGHT))


def _zones(hsv: Bgr, scale: float) -> Iterator[Suggestion]:
    """Yellow areas, whatever pattern is on them; those that are about four-cornered get four corners."""
    mask = cv2.morphologyEx(_coloured(hsv, YELLOW), cv2.MORPH_CLOSE, _disc(2.4 * scale))
    mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, _disc(2.0 * scale))
    for contour in cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]:
        area = float(cv2.contourArea(contour)) / scale**2
        if not ZONE_MM2[0] <= area <= ZONE_MM2[1]:
            continue
        box = cv2.minAreaRect(contour)
        full = area * scale**2 / max(box[1][0] * box[1][1], 1e-6)
        if min(box[1]) < 3.5 * scale or full < 0.6:
            continue
        outline = cv2.boxPoints(box) if full > 0.88 else cv2.approxPolyDP(contour, 0.7 * scale, True)[:, 0]
        yield Suggestion("zone", (np.asarray(outline, float) + 0.5) / scale, True, min(full, 1.0))


def _checkpoints(hsv: Bgr, scale: float) -> Iterator[Suggestion]:
    """Straight blue lines of a road's width."""
    mask = _without_wide(cv2.morphologyEx(_coloured(hsv, BLUE), cv2.MORPH_CLOSE, _disc(0.6 * scale)), 4.5 * scale)
    for contour in cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]:
        (x, y), (w, h), angle = cv2.minAreaRect(contour)
        long, short = max(w, h) / scale, min(w, h) / scale
        full = float(cv2.contourArea(contour)) / max(w * h, 1e-6)
        if not CHECKPOINT_MM[0] <= long <= CHECKPOINT_MM[1] or not 0.6 <= short <= 4.0 or full < 0.6:
            continue
        turn = np.radians(angle + (0 if w >= h else 90))
        half = np.array([np.cos(turn), np.sin(turn)]) * long / 2
        middle = (np.array([x, y]) + 0.5) / scale
        yield Suggestion("checkpoint", np.array([middle - half, middle + half]), False, min(full, 1.0), round(short, 2))


def _spills(hsv: Bgr, scale: float) -> Iterator[Suggestion]:
    """Patches inside a purple line: the line's middle lies between its outer and its inner outline."""
    mask = cv2.morphologyEx(_coloured(hsv, PURPLE), cv2.MORPH_CLOSE, _disc(0.8 * scale))
    contours, tree = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    for number, contour in enumerate(contours):
        hole = int(tree[0][number][2])
        area = float(cv2.contourArea(contour)) / scale**2
        if tree[0][number][3] >= 0 or hole < 0 or not SPILL_MM2[0] <= area <= SPILL_MM2[1]:
            continue
        inner = max(_brothers(hole, tree[0]), key=lambda k: float(cv2.contourArea(contours[k])))
        gone = float(cv2.contourArea(contours[inner])) / scale**2
        round_mm = float(cv2.arcLength(contour, True)) / scale
        width = 2 * (area - gone) / max(round_mm + float(cv2.arcLength(contours[inner], True)) / scale, 1e-6)
        if not 0.4 <= width <= 3.5 or gone < 0.3 * area:
            continue
        middle = _between(contour[:, 0], contours[inner][:, 0])
        simple = cv2.approxPolyDP(middle.astype(np.float32)[:, None], 0.25 * scale, True)[:, 0]
        yield Suggestion("oil-spill", (np.asarray(simple, float) + 0.5) / scale, True, 0.8, round(width, 2))


def _brothers(first: int, tree: NDArray[np.intp]) -> Iterator[int]:
    while first >= 0:
        yield first
        first = int(tree[first][0])


def _between(outer: NDArray[np.intp], inner: NDArray[np.intp]) -> Floats:
    """Half way from each point of an outline (N, 2) to the nearest one of the outline inside it."""
    out, into = outer[::2].astype(float), inner.astype(float)
    near = np.argmin(np.hypot(*(out[:, None] - into[None]).transpose(2, 0, 1)), axis=1)
    return np.asarray((out + into[near]) / 2)


# ------------------------------------------------------------------------------------------- small things


def _mask(flags: NDArray[np.bool_]) -> Mask:
    return np.asarray(flags, np.uint8) * np.uint8(255)


def _disc(across_px: float) -> Mask:
    side = max(1, round(across_px)) | 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)), np.uint8)


def _ring(one: Suggestion) -> Floats:
    return np.vstack([one.points_mm, one.points_mm[:1]]) if one.closed else one.points_mm


def _length(line: Floats) -> float:
    return float(np.hypot(*np.diff(line, axis=0).T).sum())


def _evenly(line: Floats, step_mm: float) -> Floats:
    arc = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))])
    even = np.linspace(0, arc[-1], max(2, round(arc[-1] / step_mm) + 1))
    return np.column_stack([np.interp(even, arc, line[:, 0]), np.interp(even, arc, line[:, 1])])
