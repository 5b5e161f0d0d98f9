"""Where things lie along the course, and which section each part of the course belongs to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import LineString, MultiLineString, Point, Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import substring

from referee.model import Floats
from referee.stage.faults import Fault

MEET_MM = 0.1
"""Within this distance things share an edge, meet, or reach across."""
STEP_MM = 0.5
_MOST_SECTIONS = 200
_CURE = "Draw the course from start to finish, and number the roads 1, 2, 3 ... in the order in which it passes them."


@dataclass(frozen=True, eq=False)
class Along:
    """The course in small steps: ``points_mm`` (N, 2), ``arc_mm`` (N,) from its beginning (jumps count nothing),
    ``piece`` (N,) which of its pieces, and, once known, ``section`` (N,) on which section's road."""

    points_mm: Floats
    arc_mm: Floats
    piece: NDArray[np.intp]
    section: NDArray[np.intp]

    @property
    def length_mm(self) -> float:
        """The length of the course without the air."""
        return float(self.arc_mm[-1])

    def line_on(self, number: int) -> MultiLineString:
        """The course on one section, with one step more at either end where the course runs on."""
        own = np.flatnonzero(self.section == number)
        runs = np.split(own, np.flatnonzero((np.diff(own) > 1) | (np.diff(self.piece[own]) != 0)) + 1)
        lines = []
        for run in runs:
            first, last = int(run[0]), int(run[-1])
            first -= int(first > 0 and self.piece[first - 1] == self.piece[first])
            last += int(last + 1 < len(self.piece) and self.piece[last + 1] == self.piece[last])
            if last > first:
                lines.append(self.points_mm[first : last + 1])
        return MultiLineString(lines)

    def place_of(self, shape: BaseGeometry, section: int | None = None) -> float:
        """How far along the course a shape lies, mm: where the course first is in it or meets it, else where it is
        nearest."""
        here = np.ones(len(self.arc_mm), bool) if section is None else self.section == section
        distance = shapely.distance(shapely.points(self.points_mm[here]), shape)
        near = np.flatnonzero(distance <= max(float(distance.min()), STEP_MM / 2) + 1e-6)
        first = near[0] + int(np.argmin(np.round(distance[near[0] : near[0] + 2], 6)))
        return float(self.arc_mm[here][min(first, len(distance) - 1)])

    def heading_at(self, place_mm: float, reach_mm: float = 2.0) -> Floats:
        """The unit direction of travel (2,) near a place along the course."""
        i, j = np.searchsorted(self.arc_mm, [place_mm - reach_mm, place_mm + reach_mm])
        i, j = max(int(i), 0), min(int(j), len(self.arc_mm) - 1)
        here = int(np.argmin(np.abs(self.arc_mm - place_mm)))
        same = np.flatnonzero(self.piece == self.piece[here])
        i, j = max(i, int(same[0])), min(j, int(same[-1]))
        step = self.points_mm[j] - self.points_mm[i]
        size = float(np.hypot(*step))
        return step / size if size else np.array([1.0, 0.0])


def along(course: Sequence[Floats]) -> Along:
    """A course, (N, 2) a piece, in steps of at most `STEP_MM`."""
    points, arcs, pieces, start = [], [], [], 0.0
    for number, line in enumerate(course):
        arc = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))])
        even = np.linspace(0, arc[-1], max(2, int(np.ceil(arc[-1] / STEP_MM)) + 1))
        points.append(np.column_stack([np.interp(even, arc, line[:, 0]), np.interp(even, arc, line[:, 1])]))
        arcs.append(start + even)
        pieces.append(np.full(len(even), number))
        start += float(arc[-1])
    n = sum(map(len, arcs))
    return Along(np.concatenate(points), np.concatenate(arcs), np.concatenate(pieces), np.zeros(n, np.intp))


def with_sections(way: Along, roads: Sequence[Polygon], names: Sequence[str] = ()) -> Along:
    """The course with its sections: ``roads[k]`` is section k + 1, and ``names[k]`` its id for messages.

    Sections may only follow one another, so where two roads lie above each other the course's own progress tells
    which one it is on: of all rising numberings the one that leaves the fewest steps off their road (dynamic
    programming). Raises `Fault` where a section's road then never carries the course.
    """
    if len(roads) > _MOST_SECTIONS:
        raise Fault(f"it has {len(roads)} sections", f"Draw at most {_MOST_SECTIONS}.")
    x, y = way.points_mm.T
    on = np.array([shapely.contains_xy(road.buffer(MEET_MM), x, y) for road in roads])
    cost = np.full(len(roads), np.inf)
    cost[0] = 0.0
    rose = np.zeros(on.shape, bool)
    for i in range(on.shape[1]):
        from_before = np.concatenate([[np.inf], cost[:-1]])
        rose[:, i] = (from_before < cost) & (i > 0)
        cost = np.where(rose[:, i], from_before, cost) + ~on[:, i]
    section = np.zeros(on.shape[1], np.intp)
    k = len(roads) - 1
    for i in range(on.shape[1] - 1, -1, -1):
        section[i] = k + 1
        k -= int(rose[k, i])
    for k in range(len(roads)):
        if not on[k, section == k + 1].any():
            what = f"section {k + 1} does not follow section {k} along the course"
            first = "the course does not begin on the road of section 1"
            raise Fault(what if k else first, _CURE, names[k] if k < len(names) else None)
    return Along(way.points_mm, way.arc_mm, way.piece, section)


def overhang(line_mm: Floats, road: BaseGeometry, course: BaseGeometry, slack_mm: float = 0.05) -> float | None:
    """By how much a line sticks out of the road it spans, in mm; None if it does not reach from edge to edge.

    From the line's point nearest to the course both ways along the line the road's edge must be reached within
    `MEET_MM` (and a little slack for rounding).
    """
    tolerance = MEET_MM + slack_mm
    line = LineString(line_mm)
    if course.is_empty or line.distance(course) > tolerance:
        return None
    foot = float(line.project(Point(shapely.shortest_line(line, course).coords[0])))
    for side in (substring(line, 0, foot), substring(line, foot, line.length)):
        if side.distance(road.boundary) > tolerance and road.covers(side):
            return None
    return float(line.length - line.intersection(road.buffer(tolerance)).length)
