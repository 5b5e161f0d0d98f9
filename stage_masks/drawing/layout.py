"""A plan worked out on the board: lanes, sections, and where on them everything lies."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import shapely

from .curves import Curve, Points, through
from .plan import Place, Plan

LINE_MM = 2.0
"""Width of a white line."""
WIDTH_MM, HEIGHT_MM = 297.0, 210.0
LEFT, RIGHT = -1, 1


@dataclass(frozen=True, eq=False)
class Lane:
    """A road between jumps: its middle and half its width (between the white lines' near edges)."""

    curve: Curve
    half: float

    def side(self, side: int, begin: float, end: float, beyond: float = 0.0) -> Points:
        """Points (N, 2) along the near edge on a side, moved ``beyond`` mm outwards, from ``begin`` to ``end``."""
        return self.curve.at(self.curve.stations(begin, end), side * (self.half + beyond))

    def ribbon(self, begin: float, end: float, beyond: float = 0.0) -> Points:
        """The outline (N, 2) of the road's surface between two places, grown sideways by ``beyond`` mm."""
        return np.concatenate([self.side(LEFT, begin, end, beyond), self.side(RIGHT, end, begin, beyond)])

    def map(self, along: Points, across: Points) -> Points:
        """Board points (N, 2) of road coordinates: mm along, and -1 to 1 from near edge to near edge."""
        return self.curve.at(along, np.asarray(across) * self.half)


@dataclass(frozen=True, eq=False)
class Stretch:
    """One section: part of a lane."""

    number: int
    lane: Lane
    begin: float
    end: float

    def outline(self, beyond: float = 0.0) -> shapely.Polygon:
        """Its surface, grown sideways; for asking, never for drawing."""
        return shapely.Polygon(self.lane.ribbon(self.begin, self.end, beyond)).buffer(0)


class Layout:
    """The plan's roads as lanes, sections and places along them."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.lanes = tuple(Lane(through(road.corners), road.width / 2) for road in plan.roads)

    def snap(self, place: Place) -> tuple[Lane, float]:
        """The lane nearest to a place, and the distance along it; raises `ValueError` for a place beside every road."""
        found = [(lane, lane.curve.nearest(*place)) for lane in self.lanes]
        gaps = [float(np.hypot(*(lane.curve.at(s)[0] - place))) for lane, s in found]
        nearest = int(np.argmin(gaps))
        if gaps[nearest] > found[nearest][0].half:
            raise ValueError(
                f"stage {self.plan.number}: {place} lies {gaps[nearest]:.0f} mm from the middle of any road"
            )
        return found[nearest]

    @cached_property
    def stretches(self) -> tuple[Stretch, ...]:
        """The sections in order of the course."""
        cuts = [self.snap(cut) for cut in self.plan.cuts]
        found: list[Stretch] = []
        for lane in self.lanes:
            ends = [0.0, *sorted(s for of, s in cuts if of is lane), lane.curve.length]
            found += [Stretch(len(found) + i, lane, *pair) for i, pair in enumerate(pairwise(ends), 1)]
        return tuple(found)

    def above(self, stretch: Stretch) -> tuple[Stretch, ...]:
        """The bridges that run over a section."""
        return tuple(
            other
            for other in self.stretches
            if other.number in self.plan.above
            and abs(other.number - stretch.number) > 1
            and other.outline().intersects(stretch.outline())
        )

    def below(self, stretch: Stretch) -> tuple[Stretch, ...]:
        """The sections that run under a bridge."""
        return tuple(other for other in self.stretches if stretch in self.above(other))

    def deck(self, stretch: Stretch, margin: float = 4.0) -> tuple[float, float]:
        """From where to where a bridge's deck reaches along its lane: over the road below and a little more."""
        s = stretch.lane.curve.stations(stretch.begin, stretch.end)
        over = np.zeros(len(s), bool)
        for low in self.below(stretch):
            hidden = low.outline(LINE_MM)
            for across in (-1.0, 0.0, 1.0):
                points = stretch.lane.curve.at(s, across * (stretch.lane.half + LINE_MM))
                over |= shapely.contains_xy(hidden, *points.T)
        return float(s[over].min() - margin), float(s[over].max() + margin)

    @cached_property
    def roads(self) -> shapely.Geometry:
        """Everything between the outer edges of the white lines; for asking, never for drawing."""
        return shapely.union_all([stretch.outline(LINE_MM) for stretch in self.stretches])
