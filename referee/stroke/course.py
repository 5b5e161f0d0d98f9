"""How far along the course a piece of ink lies, both ways of it where two stretches of road are near (a bridge)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.model import Floats, Guide

STEP_MM = 2.0
ROAD_PX_PER_MM = 4.0
"""Whether a point is on the road is looked up on a grid this fine."""
EVERY_MM = 4.0
NEAR_MM = 30.0


@dataclass(frozen=True, eq=False)
class Course:
    """The guide's course as evenly spaced points (N, 2) with the distance along it (N,); jumps are short steps.

    ``road`` (H, W) is 1 on the road and its white lines, at `ROAD_PX_PER_MM`.
    """

    points_mm: Floats
    along_mm: Floats
    road: NDArray[np.uint8]

    @property
    def length_mm(self) -> float:
        """Length from start to finish."""
        return float(self.along_mm[-1])

    def is_on_the_road(self, points_mm: Floats) -> bool:
        """Whether one of the points (N, 2) lies on the road or on a white line of it."""
        column, row = np.floor(points_mm * ROAD_PX_PER_MM).astype(np.intp).T
        height, width = self.road.shape
        there = (row >= 0) & (row < height) & (column >= 0) & (column < width)
        return bool(self.road[row[there], column[there]].any())


@lru_cache(maxsize=16)
def course_of(guide: Guide) -> Course:
    """The course of a guide, sampled."""
    points, along, far = [], [], 0.0
    last: Floats | None = None
    for piece in guide.course:
        steps = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(piece, axis=0).T))])
        at = np.linspace(0, steps[-1], max(2, int(steps[-1] / STEP_MM) + 1))
        part = np.column_stack([np.interp(at, steps, piece[:, 0]), np.interp(at, steps, piece[:, 1])])
        far += float(np.hypot(*(part[0] - last))) if last is not None else 0.0
        points.append(part)
        along.append(at + far)
        far += float(steps[-1])
        last = part[-1]
    return Course(np.vstack(points), np.concatenate(along), _road(guide))


def _road(guide: Guide) -> NDArray[np.uint8]:
    """The inside of the guide's rings as a grid (H, W), pixel (r, c) from (c, r) / `ROAD_PX_PER_MM` on."""
    rings = [np.round(ring * ROAD_PX_PER_MM - 0.5).astype(np.int32) for ring in guide.road]
    width, height = np.max([ring.max(axis=0) for ring in rings], axis=0) + 1
    road = np.zeros((height, width), np.uint8)
    cv2.fillPoly(road, rings, (1,))
    return road


@dataclass(frozen=True)
class Track:
    """One way to lay a line along the course: progress at its two ends, lowest and highest, how badly it fits.

    ``off_mm`` is how far from the course it strays at most, ``off_at_mm`` its progress there.
    """

    first_mm: float
    last_mm: float
    low_mm: float
    high_mm: float
    cost: float
    off_mm: float
    off_at_mm: float

    def turned(self) -> Track:
        """The same for the line driven from its other end."""
        return Track(self.last_mm, self.first_mm, self.low_mm, self.high_mm, self.cost, self.off_mm, self.off_at_mm)


def tracks(points_mm: Floats, course: Course, step_mm: float = 0.25) -> list[Track]:
    """The likely ways to lay a line along the course, best first (at most three).

    Each sample may lie at any local minimum of the distance to the course; the cheapest chain of these is taken for
    each of the last sample's candidates, a step costing what progress differs from the way driven.
    """
    every = max(1, int(EVERY_MM / step_mm))
    samples = points_mm[::every] if len(points_mm) > every else points_mm[[0, -1]]
    if (len(points_mm) - 1) % every and len(points_mm) > every:
        samples = np.vstack([samples, points_mm[-1:]])
    drove = [0.0, *np.hypot(*np.diff(samples, axis=0).T).tolist()]
    last_place = len(course.along_mm) - 1
    # as tuples of a track's fields, in their order: there are thousands of them
    state: list[tuple[float, float, float, float, float, float, float]] = []
    for way, spots in zip(drove, _spots(samples, course), strict=True):
        fresh = []
        for off, k, s in spots:
            own = min(off / 12, 3.0) ** 2 * 0.3
            if k in (0, last_place):  # before the start or past the finish is not off the road
                off = 0.0
            if not state:
                fresh.append((s, s, s, s, own, off, s))
                continue
            costs = [t[4] + _leap(abs(s - t[1]), way) for t in state]
            dear = min(costs)
            first, _, low, high, _, worst, worst_at = state[costs.index(dear)]
            if off > worst:
                worst, worst_at = off, s
            fresh.append((first, s, min(low, s), max(high, s), dear + own, worst, worst_at))
        state = fresh or state
    state.sort(key=itemgetter(4))
    return [Track(*fields) for fields in state[:3]]


def _spots(samples: Floats, course: Course, most: int = 4) -> list[list[tuple[float, int, float]]]:
    """For each sample where on the course it may lie, nearest first: (distance, number of the point, progress)."""
    x, y = (samples[:, None] - course.points_mm[None]).transpose(2, 0, 1)
    far = np.sqrt(x * x + y * y)
    low = np.ones(far.shape, bool)
    low[:, 1:] &= far[:, 1:] <= far[:, :-1]
    low[:, :-1] &= far[:, :-1] < far[:, 1:]
    low &= far < np.maximum(NEAR_MM, far.min(axis=1) + 1)[:, None]
    rows, places = np.divmod(np.flatnonzero(low), low.shape[1])
    off, along = far[rows, places].tolist(), course.along_mm[places].tolist()
    out: list[list[tuple[float, int, float]]] = [[] for _ in samples]
    for row, spot in zip(rows.tolist(), zip(off, places.tolist(), along, strict=True), strict=True):
        out[row].append(spot)
    return [sorted(spots)[:most] for spots in out]


def _leap(progress: float, drove: float) -> float:
    """The price of ``progress`` along the course within ``drove`` mm of ink."""
    return min(max(progress - 2.0 * drove - 3.0, 0.0) / 8, 6.0)
