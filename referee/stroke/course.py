"""How far along the course a piece of ink lies, both ways of it where two stretches of road are near (a bridge)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from referee.model import Floats, Guide

STEP_MM = 2.0
EVERY_MM = 4.0
NEAR_MM = 30.0


@dataclass(frozen=True, eq=False)
class Course:
    """The guide's course as evenly spaced points (N, 2) with the distance along it (N,); jumps are short steps."""

    points_mm: Floats
    along_mm: Floats

    @property
    def length_mm(self) -> float:
        """Length from start to finish."""
        return float(self.along_mm[-1])

    def is_within(self, points_mm: Floats, reach_mm: float) -> bool:
        """Whether one of the points (N, 2) lies within reach of the course."""
        x, y = (points_mm[:, None] - self.points_mm[None]).transpose(2, 0, 1)
        return bool((x * x + y * y <= reach_mm**2).any())


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
    return Course(np.vstack(points), np.concatenate(along))


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
    far = np.hypot(
        samples[:, None, 0] - course.points_mm[None, :, 0], samples[:, None, 1] - course.points_mm[None, :, 1]
    )
    padded = np.pad(far, ((0, 0), (1, 1)), constant_values=np.inf)
    lows = (far <= padded[:, :-2]) & (far < padded[:, 2:])
    state: list[Track] = []
    for i in range(len(samples)):
        spots = np.nonzero(lows[i] & (far[i] < max(NEAR_MM, far[i].min() + 1)))[0]
        spots = spots[np.argsort(far[i][spots])][:4]
        fresh = []
        drove = float(np.hypot(*(samples[i] - samples[i - 1]))) if i else 0.0
        for k in spots:
            s, off = float(course.along_mm[k]), float(far[i][k])
            own = min(off / 12, 3.0) ** 2 * 0.3
            if k in (0, len(course.along_mm) - 1):  # before the start or past the finish is not off the road
                off = 0.0
            if i == 0:
                fresh.append(Track(s, s, s, s, own, off, s))
                continue
            t = min(state, key=lambda t: t.cost + _leap(abs(s - t.last_mm), drove))
            cost = t.cost + own + _leap(abs(s - t.last_mm), drove)
            worst = (off, s) if off > t.off_mm else (t.off_mm, t.off_at_mm)
            fresh.append(Track(t.first_mm, s, min(t.low_mm, s), max(t.high_mm, s), cost, *worst))
        state = fresh or state
    state.sort(key=lambda t: t.cost)
    return state[:3]


def _leap(progress: float, drove: float) -> float:
    """The price of ``progress`` along the course within ``drove`` mm of ink."""
    return float(min(max(progress - 2.0 * drove - 3.0, 0.0) / 8, 6.0))
