"""The line down the middle of a road: corner points with radii in, a dense smooth curve out.

Everything is millimetres on the board, x right, y down; "left" and "right" are as seen on the sheet by
someone driving along the curve.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
Corner = tuple[float, float] | tuple[float, float, float]
"""A point of the plan: x, y and, where the road bends, the bend's radius."""

STEP_MM = 0.25
EASE_MM = 4.0


@dataclass(frozen=True, eq=False)
class Curve:
    """A smooth curve: ``points`` (N, 2) about 0.25 mm apart, ``s`` (N,) their distance from its beginning.

    ``right`` (N, 2) are unit vectors to the right of the direction of travel.
    """

    points: Points
    s: Points
    right: Points

    @property
    def length(self) -> float:
        """Its length in mm."""
        return float(self.s[-1])

    def nearest(self, x: float, y: float) -> float:
        """The distance along the curve of its point nearest to (x, y)."""
        return float(self.s[np.argmin(np.hypot(*(self.points - [x, y]).T))])

    def at(self, s: float | Points, across: float | Points = 0.0) -> Points:
        """Points (N, 2) at distance(s) ``s`` along and ``across`` mm to the right; straight on beyond the ends."""
        s = np.atleast_1d(np.asarray(s, float))
        inside = np.clip(s, 0, self.length)
        point = np.column_stack([np.interp(inside, self.s, column) for column in self.points.T])
        right = np.column_stack([np.interp(inside, self.s, column) for column in self.right.T])
        right /= np.hypot(*right.T)[:, None]
        ahead = np.column_stack([right[:, 1], -right[:, 0]])
        aside = right * np.broadcast_to(across, s.shape)[:, None]
        return np.asarray(point + ahead * (s - inside)[:, None] + aside)

    def heading_degrees(self, s: float) -> float:
        """The direction of travel at ``s``, clockwise from +x as SVG's rotate has it."""
        x, y = (self.at(s, 1.0) - self.at(s))[0]
        return float(np.degrees(np.arctan2(-x, y)))

    def stations(self, begin: float, end: float) -> Points:
        """Distances from ``begin`` to ``end`` (either way), both included, close enough for drawing."""
        count = max(2, int(np.ceil(abs(end - begin) / STEP_MM)) + 1)
        return np.linspace(begin, end, count)


def through(corners: Sequence[Corner]) -> Curve:
    """A curve that runs straight from corner to corner and bends with each corner's radius.

    The joins of straights and arcs are eased (a Gaussian of 4 mm over the dense points), since a jump in
    curvature is seen at once in a white line.
    """
    rough = _resampled(_filleted(corners))
    return curve_of(_resampled(_eased(rough)))


def curve_of(points: Points) -> Curve:
    """The curve through dense points (N, 2)."""
    steps = np.hypot(*np.diff(points, axis=0).T)
    s = np.concatenate([[0.0], np.cumsum(steps)])
    ahead = np.gradient(points, s, axis=0)
    ahead /= np.hypot(*ahead.T)[:, None]
    return Curve(points, s, np.column_stack([-ahead[:, 1], ahead[:, 0]]))


def _filleted(corners: Sequence[Corner]) -> Points:
    places = np.array([corner[:2] for corner in corners], float)
    pieces = [places[:1]]
    _check_room(corners)
    for before, corner, after in zip(places, corners[1:-1], places[2:], strict=False):
        pieces.append(_arc(before, np.array(corner[:2]), after, corner[2] if len(corner) > 2 else 0.0))
    return np.concatenate([*pieces, places[-1:]])


def _check_room(corners: Sequence[Corner]) -> None:
    """Refuses two bends that would overlap on the straight between them."""
    places = np.array([corner[:2] for corner in corners], float)
    reach = np.zeros(len(places))
    for i, corner in enumerate(corners[1:-1], 1):
        a, b = places[i - 1] - places[i], places[i + 1] - places[i]
        half = np.arccos(np.clip(a @ b / np.hypot(*a) / np.hypot(*b), -1, 1)) / 2
        reach[i] = (corner[2] if len(corner) > 2 else 0.0) / np.tan(half)
    room = np.hypot(*np.diff(places, axis=0).T)
    for i in np.flatnonzero(reach[:-1] + reach[1:] > room).tolist():
        need = reach[i] + reach[i + 1]
        raise ValueError(
            f"the bends at {corners[i]} and {corners[i + 1]} need {need:.1f} mm between them, there are {room[i]:.1f}"
        )


def _arc(before: Points, corner: Points, after: Points, radius: float) -> Points:
    """The points of the arc that rounds ``corner`` off."""
    back = (before - corner) / np.hypot(*(before - corner))
    on = (after - corner) / np.hypot(*(after - corner))
    half = np.arccos(np.clip(back @ on, -1, 1)) / 2
    reach = radius / np.tan(half)
    middle = corner + (back + on) / np.hypot(*(back + on)) * radius / np.sin(half)
    begin, end = corner + back * reach - middle, corner + on * reach - middle
    turn = np.arctan2(begin[0] * end[1] - begin[1] * end[0], begin @ end)
    angles = np.linspace(0, turn, max(2, int(abs(turn) * radius / STEP_MM)))
    c, s = np.cos(angles), np.sin(angles)
    return np.asarray(middle + np.column_stack([c * begin[0] - s * begin[1], s * begin[0] + c * begin[1]]))


def _resampled(points: Points) -> Points:
    s = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
    keep = np.concatenate([[True], np.diff(s) > 1e-9])
    points, s = points[keep], s[keep]
    even = np.linspace(0, s[-1], int(np.ceil(s[-1] / STEP_MM)) + 1)
    return np.column_stack([np.interp(even, s, column) for column in points.T])


def _eased(points: Points) -> Points:
    reach = int(3 * EASE_MM / STEP_MM)
    weights = np.exp(-0.5 * (np.arange(-reach, reach + 1) * STEP_MM / EASE_MM) ** 2)
    weights /= weights.sum()
    lead = points[0] + (points[0] - points[1]) * np.arange(reach, 0, -1)[:, None]
    tail = points[-1] + (points[-1] - points[-2]) * np.arange(1, reach + 1)[:, None]
    padded = np.concatenate([lead, points, tail])
    return np.column_stack([np.convolve(column, weights, mode="valid") for column in padded.T])
