"""Draws exact anti-aliased ink and simple boards for the tests of the stroke room."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from shapely.geometry import LineString
from shapely.ops import unary_union

from referee.model import Floats, Guide, Ink, Stroke

Pen = tuple[float, Floats]
"""A stroke to draw: width in mm, points (N, 2) in mm."""


def line(*points: tuple[float, float]) -> Floats:
    """Straight pieces from point to point, a point every half millimetre."""
    corners = np.array(points, float)
    parts = [np.linspace(a, b, max(2, int(np.hypot(*(b - a)) / 0.5))) for a, b in pairwise(corners)]
    return np.vstack([parts[0], *(p[1:] for p in parts[1:])])


def wave(begin: tuple[float, float], end: tuple[float, float], bulge_mm: float = 0.0, waves: float = 0.5) -> Floats:
    """A line that bulges to its left (as seen on the board) like a sine with so many waves."""
    a, b = np.array(begin, float), np.array(end, float)
    t = np.linspace(0, 1, max(8, int(np.hypot(*(b - a)) / 0.4)))[:, None]
    along = (b - a) / np.hypot(*(b - a))
    return np.asarray(a + (b - a) * t + np.array([along[1], -along[0]]) * bulge_mm * np.sin(2 * np.pi * waves * t))


def arc(centre: tuple[float, float], radius: float, begin_deg: float, end_deg: float) -> Floats:
    """Part of a circle; degrees grow clockwise on the board."""
    turn = np.deg2rad(np.linspace(begin_deg, end_deg, max(8, int(abs(end_deg - begin_deg) * radius / 20))))
    return np.asarray(np.column_stack([np.cos(turn), np.sin(turn)]) * radius + np.array(centre))


def paint(pens: Sequence[Pen], size_mm: tuple[float, float] = (100, 60), px_per_mm: float = 6.0) -> Ink:
    """Coverage falls from full to none over one pixel across the exact edge of the ink."""
    width, height = (round(v * px_per_mm) for v in size_mm)
    cover = np.zeros((height, width))
    for pen_mm, points in pens:
        for a, b in pairwise(points):
            _segment(cover, pen_mm, a, b, px_per_mm)
    return ink_of(np.rint(cover * 255).astype(np.uint8), px_per_mm)


def _segment(cover: Floats, pen_mm: float, a: Floats, b: Floats, px_per_mm: float) -> None:
    reach = pen_mm / 2 + 1
    low = np.maximum(np.floor((np.minimum(a, b) - reach) * px_per_mm).astype(int), 0)
    high = np.minimum(np.ceil((np.maximum(a, b) + reach) * px_per_mm).astype(int), cover.shape[::-1])
    if (high <= low).any():
        return
    x = (np.arange(low[0], high[0]) + 0.5) / px_per_mm
    y = (np.arange(low[1], high[1])[:, None] + 0.5) / px_per_mm
    run = b - a
    t = np.clip(((x - a[0]) * run[0] + (y - a[1]) * run[1]) / max(float(run @ run), 1e-12), 0, 1)
    far = np.hypot(x - a[0] - t * run[0], y - a[1] - t * run[1])
    view = cover[low[1] : high[1], low[0] : high[0]]
    np.maximum(view, np.clip(0.5 + (pen_mm / 2 - far) * px_per_mm, 0, 1), out=view)


def paint_line(
    points: Floats, half_mm: Floats, blur_mm: float = 0.12, seed: int = 0, dry: tuple[Floats, Floats] | None = None
) -> Ink:
    """A line of ink whose half width (N,) changes on the way, with a ragged edge, as a camera sees it; 6 px/mm.

    Beyond a place in a direction (``dry``) the marker does not write.
    """
    import cv2

    scale, fine = 6.0, 3
    rng = np.random.default_rng(seed)
    width, height = round(60 * scale), round(40 * scale)
    shape = (height * fine, width * fine)
    rough = cv2.GaussianBlur(rng.normal(size=shape), (0, 0), 0.12 * scale * fine)
    rough *= 0.04 / rough.std()
    x = (np.arange(shape[1]) + 0.5) / (scale * fine)
    y = (np.arange(shape[0]) + 0.5) / (scale * fine)
    inked = np.zeros(shape, np.float32)
    along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
    stops = np.arange(0.0, along[-1], 0.1)
    for at_x, at_y, half in zip(*(np.interp(stops, along, c) for c in (*points.T, half_mm)), strict=True):
        columns = slice(*np.searchsorted(x, [at_x - half - 0.3, at_x + half + 0.3]))
        rows = slice(*np.searchsorted(y, [at_y - half - 0.3, at_y + half + 0.3]))
        far = np.hypot(x[None, columns] - at_x, y[rows, None] - at_y)
        inked[rows, columns] = np.maximum(inked[rows, columns], far < half + rough[rows, columns])
    if dry is not None:
        at, way = dry
        inked[(x[None] - at[0]) * way[0] + (y[:, None] - at[1]) * way[1] > 0] = 0
    blurred = cv2.GaussianBlur(inked, (0, 0), blur_mm * scale * fine)
    seen = cv2.resize(blurred, (width, height), interpolation=cv2.INTER_AREA) * 255 + rng.normal(0, 4, (height, width))
    return ink_of(np.clip(seen, 0, 255).astype(np.uint8), scale)


def ink_of(coverage: np.ndarray, px_per_mm: float, unseen: np.ndarray | None = None) -> Ink:
    """Ink from a coverage grid."""
    hidden = np.zeros(coverage.shape, np.uint8) if unseen is None else unseen
    return Ink(coverage, hidden, px_per_mm, np.full((3, 3), 0.03, np.float32))


def hide(ink: Ink, x0: float, y0: float, x1: float, y1: float) -> Ink:
    """The same ink where a box (mm) is not seen."""
    unseen = ink.unseen.copy()
    s = ink.px_per_mm
    unseen[int(y0 * s) : int(y1 * s), int(x0 * s) : int(x1 * s)] = 1
    coverage = ink.coverage.copy()
    coverage[unseen > 0] = 77
    return ink_of(coverage, s, unseen)


def spoil(ink: Ink, seed: int = 0) -> Ink:
    """A ragged edge, speckled holes and the noise of a camera."""
    import cv2

    rng = np.random.default_rng(seed)
    s = ink.px_per_mm

    def grain(size_mm: float) -> Floats:
        g = cv2.GaussianBlur(rng.normal(0, 1, ink.coverage.shape), (0, 0), size_mm * s)
        return np.asarray(g / g.std())

    soft = cv2.GaussianBlur(ink.coverage / 255.0, (0, 0), 0.12 * s)
    ragged = soft + 0.1 * grain(0.18) * np.exp(-(((soft - 0.5) / 0.35) ** 2))
    ragged[grain(0.12) > 2.4] *= 0.2
    seen = cv2.GaussianBlur(ragged, (0, 0), 0.1 * s) * 255 + rng.normal(0, 5, ragged.shape)
    return ink_of(np.clip(seen, 0, 255).astype(np.uint8), s)


def board(
    course: Sequence[Floats],
    checkpoints: Sequence[tuple[tuple[float, float], tuple[float, float]]] = (),
    leaps: Sequence[tuple[Floats, Floats]] = (),
    half_mm: float = 9.0,
) -> Guide:
    """A guide along a course: the arrow where it begins, the finish across its end."""
    first, last = course[0], course[-1]
    heading = _unit(first[min(len(first) - 1, 6)] - first[0])
    side = np.array([-heading[1], heading[0]])
    start = np.array([first[0] + heading * a + side * b for a, b in ((-4, -3), (8, -3), (8, 3), (-4, 3))])
    going = _unit(last[-1] - last[-min(len(last), 7)])
    across = np.array([-going[1], going[0]]) * half_mm
    finish = np.array([last[-1] - going * 4 - across, last[-1] - going * 4 + across])
    restarts = [("start", start), *((f"checkpoint-{i + 1}", np.array(c, float)) for i, c in enumerate(checkpoints))]
    road = unary_union([LineString(piece).buffer(half_mm + 2, cap_style="flat") for piece in course])
    parts = getattr(road, "geoms", [road])
    rings = tuple(np.array(ring.coords) for part in parts for ring in (part.exterior, *part.interiors))
    return Guide(tuple(course), start, heading, tuple(restarts), tuple(leaps), finish, rings)


def box(x0: float, y0: float, x1: float, y1: float) -> Floats:
    """A closed outline."""
    return np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], float)


def _unit(v: Floats) -> Floats:
    return np.asarray(v / np.hypot(*v))


def away(points: Floats, drawn: Floats) -> Floats:
    """Distances (N,) from points to a drawn line."""
    a, b = drawn[:-1], drawn[1:]
    run = b - a
    t = ((points[:, None] - a) * run).sum(2) / np.maximum((run * run).sum(1), 1e-12)
    near = a + run * np.clip(t, 0, 1)[..., None]
    return np.asarray(np.hypot(*(points[:, None] - near).transpose(2, 0, 1)).min(axis=1))


def is_drawn_as(stroke: Stroke, points: Floats, end_mm: float = 2.0, far_mm: float = 0.8) -> bool:
    """Whether a stroke is this line, driven this way."""
    ends = np.hypot(*(stroke.points_mm[[0, -1]] - points[[0, -1]]).T)
    return bool(
        (ends < end_mm).all()
        and away(stroke.points_mm, points).max() < far_mm
        and away(points[::2], stroke.points_mm).max() < max(far_mm, end_mm)
    )
