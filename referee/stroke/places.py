"""Where on a board a path may begin, begin again, leap and end: distances to those places."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from referee.model import Floats, Guide
from referee.stroke.course import Course


@dataclass(frozen=True, eq=False)
class Places:
    """The guide with distances along the course; remembers how far points are from its shapes."""

    guide: Guide
    course: Course
    restart_at_mm: tuple[float, ...]
    finish_at_mm: float
    road_half_mm: float
    known: dict[tuple[float, float, int], float] = field(default_factory=dict)
    restarts: dict[tuple[float, float, bool, float], tuple[tuple[float, str], ...]] = field(default_factory=dict)

    def far(self, point: Floats, shape: Floats, closed: bool) -> float:
        """Distance from a point to one of the guide's shapes (0 inside a closed one)."""
        key = (float(point[0]), float(point[1]), id(shape))
        if key not in self.known:
            self.known[key] = _distance(point, shape, closed)
        return self.known[key]


def places_of(guide: Guide, course: Course) -> Places:
    """A board's places, with where along the course they are."""
    at = []
    for _, shape in guide.restarts:
        at.append(_nearest(shape.mean(axis=0), course))
    lines = [shape for _, shape in guide.restarts[1:]] + [guide.finish_mm]
    half = float(np.median([np.hypot(*(line[-1] - line[0])) for line in lines])) / 2
    return Places(guide, course, tuple(at), _nearest(guide.finish_mm.mean(axis=0), course, last=True), half)


def _nearest(point: Floats, course: Course, last: bool = False) -> float:
    far = np.hypot(*(course.points_mm - point).T)
    if last:
        far = far - course.along_mm * 1e-3
    return float(course.along_mm[int(far.argmin())])


def _distance(point: Floats, shape: Floats, closed: bool) -> float:
    """Distance from a point to a line, or to a closed outline (0 inside)."""
    a = shape
    b = np.roll(shape, -1, axis=0) if closed else None
    start, end = (a, b) if b is not None else (a[:-1], a[1:])
    d = end - start
    t = np.clip(((point - start) * d).sum(1) / np.maximum((d * d).sum(1), 1e-12), 0, 1)
    near = float(np.hypot(*(start + d * t[:, None] - point).T).min())
    if closed:
        x, y = point
        up = (start[:, 1] > y) != (end[:, 1] > y)
        cross = start[:, 0] + (y - start[:, 1]) / np.where(d[:, 1] == 0, 1e-12, d[:, 1]) * d[:, 0]
        if int((up & (x < cross)).sum()) % 2:
            return 0.0
    return near
