"""Gadgets that the simulated opponents draw on a board before the race: ropes and mines, as ink and as shapes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import shapely
from shapely.geometry import LineString, Point, Polygon

from referee.model import Floats

DOT_EVERY_MM = 2.6


@dataclass(frozen=True, eq=False)
class Rope:
    """A clothesline: a solid line between two points, dotted lines ``dotted_mm`` before and behind it.

    ``along_mm`` is its place on the track and ``onward`` the unit direction of travel straight over it.
    """

    along_mm: float
    ends_mm: Floats
    onward: Floats
    dotted_mm: float = 9.0
    pen_mm: float = 1.0
    kind: str = "clothesline"

    @cached_property
    def ink(self) -> Polygon:
        """The solid line's ink."""
        return LineString(self.ends_mm).buffer(self.pen_mm / 2)

    @property
    def at_mm(self) -> Floats:
        return np.asarray(self.ends_mm.mean(axis=0))

    def ahead_mm(self, point_mm: Floats) -> float:
        """How far before (positive) the middle of the solid line a point lies, straight over the rope."""
        return float((self.at_mm - point_mm) @ self.onward)

    def lines(self) -> list[Floats]:
        """All that the pen draws: the solid line and every dot."""
        dots = [self._dots(side * self.dotted_mm) for side in (-1, 1)]
        return [self.ends_mm, *(np.array([at, at + 0.05]) for row in dots for at in row)]

    def _dots(self, past_mm: float) -> Floats:
        long = float(np.hypot(*(self.ends_mm[1] - self.ends_mm[0])))
        stops = np.arange(0.6, long - 0.5, DOT_EVERY_MM) / long
        way = self.ends_mm[1] - self.ends_mm[0]
        return np.asarray(self.ends_mm[0] + stops[:, None] * way + past_mm * self.onward)


@dataclass(frozen=True, eq=False)
class Mine:
    """A circle with an X in it; ``radius_mm`` goes to the middle of the pen's line."""

    along_mm: float
    at_mm: Floats
    radius_mm: float = 3.6
    turn: float = 0.8
    pen_mm: float = 1.0
    kind: str = "mine"

    @cached_property
    def ink(self) -> Polygon:
        """The circle with all that is inside it."""
        return Point(self.at_mm).buffer(self.radius_mm + self.pen_mm / 2, quad_segs=64)

    def lines(self) -> list[Floats]:
        """All that the pen draws."""
        round_ = np.linspace(0, 2 * np.pi, 80)
        circle = self.at_mm + self.radius_mm * np.column_stack([np.cos(round_), np.sin(round_)])
        arms = [self.radius_mm * np.array([np.cos(a), np.sin(a)]) for a in (self.turn, self.turn + np.pi / 2)]
        return [circle, *(np.array([self.at_mm - arm, self.at_mm + arm]) for arm in arms)]


Placed = Rope | Mine


def clear_mm(points_mm: Floats, width_mm: float, ink: Polygon) -> Floats:
    """Distance (N,) of ink round points (N, 2) to a gadget's, negative where it touches."""
    points = shapely.points(points_mm)
    outside = shapely.distance(points, ink)
    rim = shapely.distance(points, ink.exterior)
    return np.asarray(np.where(outside > 0, outside, -rim) - width_mm / 2)
