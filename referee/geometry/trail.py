"""A stroke sampled by arc length as a row of ink discs, and which section of road each of them is on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import Polygon

from referee.facts import Spot
from referee.geometry.board import Board, Gate
from referee.model import Floats, Stroke

STEP_MM = 0.25
HOME_MM = 25.0
"""A car that strays off its road under a bridge and is back on it within this length has not turned off."""
KERB_MM = 0.4
"""A car leaves over a white line if its far edge lies within this of where the centre leaves the road."""
TIE_MM = 1e-6


@dataclass(frozen=True, eq=False)
class Discs:
    """A stroke as discs of ink.

    ``points_mm`` (N, 2) is the centreline, ``arc_mm`` (N,) the distance along it; a disc's centre ``middle_mm``
    lies half way between the ink's edges and ``radius_mm`` is half the width there.
    """

    stroke: int
    points_mm: Floats
    arc_mm: Floats
    middle_mm: Floats
    radius_mm: Floats
    sigma_mm: Floats
    seen: NDArray[np.bool_]

    @cached_property
    def shaped(self) -> NDArray[Any]:
        """The discs' centres (N,) as shapely points."""
        return np.asarray(shapely.points(self.middle_mm))

    def spot(self, i: int) -> Spot:
        """The place of sample ``i``."""
        x, y = self.points_mm[i]
        return Spot(self.stroke, float(self.arc_mm[i]), (float(x), float(y)))

    def spot_at(self, arc_mm: float) -> Spot:
        """The place at a distance along the stroke."""
        x, y = (np.interp(arc_mm, self.arc_mm, self.points_mm[:, axis]) for axis in (0, 1))
        return Spot(self.stroke, float(arc_mm), (float(x), float(y)))


def discs_of(stroke: Stroke, number: int) -> Discs:
    """A stroke sampled at most STEP_MM apart; its own points stay samples."""
    arc = stroke.arc_mm()
    keep = np.concatenate([[True], np.diff(arc) > 1e-9])
    arc, points, halves = arc[keep], stroke.points_mm[keep], stroke.half_widths_mm[keep]
    sigma, seen = stroke.sigma_mm[keep], stroke.seen[keep]
    count = np.maximum(1, np.ceil(np.diff(arc) / STEP_MM).astype(int))
    piece = np.repeat(np.arange(len(count)), count)
    first = np.concatenate([[0], np.cumsum(count)[:-1]])
    part = (np.arange(len(piece)) - first[piece]) / count[piece]
    fine = np.append(arc[piece] + part * np.diff(arc)[piece], arc[-1:])
    fill = [np.interp(fine, arc, column) for column in (*points.T, *halves.T, sigma)]
    middle = np.column_stack(fill[:2])
    left, right = fill[2], fill[3]
    return Discs(
        stroke=number,
        points_mm=middle,
        arc_mm=fine,
        middle_mm=middle + _left_of(middle) * ((left - right) / 2)[:, None],
        radius_mm=(left + right) / 2,
        sigma_mm=fill[4],
        seen=np.interp(fine, arc, seen.astype(float)) > 0.999,
    )


def _left_of(points: Floats) -> Floats:
    """Unit vectors (N, 2) to the left of travel as seen on the board: left of +x is -y."""
    ways = np.gradient(points, axis=0) if len(points) > 1 else np.zeros_like(points)
    lengths = np.maximum(np.hypot(*ways.T), 1e-12)
    return np.asarray(np.column_stack([ways[:, 1], -ways[:, 0]]) / lengths[:, None])


# ----------------------------------------------------------------------------------------- crossing a line


@dataclass(frozen=True)
class Cut:
    """Where a stroke's centreline crosses a gate: between samples ``i`` and ``i + 1``."""

    i: int
    arc_mm: float
    at_mm: tuple[float, float]


def cuts(discs: Discs, line_mm: Floats) -> list[Cut]:
    """Where the centreline crosses a polyline, in path order; a sample on the line counts as beyond it."""
    found = []
    for a, b in pairwise(line_mm):
        way = b - a
        off = discs.points_mm - a
        side = way[0] * off[:, 1] - way[1] * off[:, 0]
        beyond = side >= 0
        for i in np.flatnonzero(beyond[1:] != beyond[:-1]):
            part = side[i] / (side[i] - side[i + 1])
            at = discs.points_mm[i] + part * (discs.points_mm[i + 1] - discs.points_mm[i])
            along = (at - a) @ way / (way @ way)
            if -1e-9 <= along <= 1 + 1e-9:
                arc = discs.arc_mm[i] + part * (discs.arc_mm[i + 1] - discs.arc_mm[i])
                found.append(Cut(int(i), float(arc), (float(at[0]), float(at[1]))))
    return sorted(found, key=lambda cut: cut.arc_mm)


# ----------------------------------------------------------------------------------------- which road


@dataclass(frozen=True, eq=False)
class Trail:
    """Discs with the road they are on.

    ``section`` (N,): the section that the car is on (R7: by where it came from); off the road it is the one it
    left.  ``turned`` (N,): the car is on another road without having crossed a line, so that no line counts.
    ``crossings``: (gate, cut) that count, in order.  ``turns``: (sample, section left, section entered).
    """

    discs: Discs
    section: NDArray[np.int64]
    turned: NDArray[np.bool_]
    crossings: tuple[tuple[Gate, Cut], ...]
    turns: tuple[tuple[int, int, int], ...]


def trail_of(discs: Discs, board: Board, came_from: int | None) -> Trail:
    """The discs with their sections; ``came_from`` is the section where the stroke before ended, if any."""
    cut_at: dict[int, list[tuple[Gate, Cut]]] = {}
    for gate in board.gates:
        for cut in cuts(discs, gate.wide_mm):
            cut_at.setdefault(cut.i, []).append((gate, cut))
    first = _first_section(discs, board, inside_roads(discs.points_mm[:1], board)[:, 0], came_from)
    return _Walk(discs, board, _inside(discs.points_mm, board.lanes), cut_at).walk(first)


def inside_roads(points: Floats, board: Board) -> NDArray[np.bool_]:
    """Which roads hold which points: (sections, N)."""
    return _inside(points, board.roads)


def _inside(points: Floats, shapes: Sequence[Polygon]) -> NDArray[np.bool_]:
    inside = np.zeros((len(shapes), len(points)), bool)
    for row, shape in zip(inside, shapes, strict=True):
        x0, y0, x1, y1 = shape.bounds
        near = (points[:, 0] >= x0) & (points[:, 0] <= x1) & (points[:, 1] >= y0) & (points[:, 1] <= y1)
        if near.any():
            row[near] = shapely.contains_xy(shape, points[near, 0], points[near, 1])
    return inside


def _first_section(discs: Discs, board: Board, inside: NDArray[np.bool_], came_from: int | None) -> int:
    """The section a stroke begins on: the only road there, else the one that the place itself speaks for."""
    here = [n for n, held in zip(board.numbers, inside, strict=True) if held]
    if not here:
        away = [road.distance(shapely.Point(discs.points_mm[0])) for road in board.roads]
        here = [n for n, d in zip(board.numbers, away, strict=True) if d <= min(away) + 1e-6]
    if len(here) == 1:
        return here[0]
    return min(here, key=lambda n: _strangeness(n, discs, board, came_from))


def _strangeness(section: int, discs: Discs, board: Board, came_from: int | None) -> tuple[bool, bool, float]:
    """How little speaks for a section among several: where it came from, a landing or line there, the heading."""
    at = shapely.Point(discs.points_mm[0])
    landing = any(f.kind == "landing" and section in f.sections and f.shape.covers(at) for f in board.fields)
    gate = any(g.section == section and g.line.distance(at) <= 12.0 for g in board.gates)
    return (not (landing or gate), section != came_from, _turn_against_course(section, discs, board))


def _turn_against_course(section: int, discs: Discs, board: Board) -> float:
    own = np.flatnonzero(board.course_section == section)
    if len(own) < 2:
        return 2.0
    near = own[np.argmin(np.hypot(*(board.course_mm[own] - discs.points_mm[0]).T))]
    other = near + 1 if near + 1 in own else near - 1
    course = (board.course_mm[other] - board.course_mm[near]) * (other - near)
    ahead = discs.points_mm[min(len(discs.points_mm) - 1, int(5 / STEP_MM))] - discs.points_mm[0]
    return 1.0 - float(course @ ahead) / max(1e-9, float(np.hypot(*course) * np.hypot(*ahead)))


class _Walk:
    """One walk along a stroke; the state is the section, whether the car has turned off, and how it left the road.

    ``inside`` (sections, N): which lanes hold the centre.
    """

    def __init__(
        self, discs: Discs, board: Board, inside: NDArray[np.bool_], cut_at: dict[int, list[tuple[Gate, Cut]]]
    ) -> None:
        self.discs, self.board, self.inside, self.cut_at = discs, board, inside, cut_at
        self.now = 0
        self.home: tuple[int, float] | None = None
        self.left_over_line: bool | None = None
        self.turns: list[tuple[int, int, int]] = []
        self.counted: list[tuple[Gate, Cut]] = []

    def walk(self, first: int) -> Trail:
        n = len(self.discs.arc_mm)
        section, turned = np.empty(n, np.int64), np.zeros(n, bool)
        self.now = first
        changes = np.flatnonzero((self.inside[:, 1:] != self.inside[:, :-1]).any(axis=0)) + 1
        stops = sorted({0, *changes.tolist(), *(i + 1 for i in self.cut_at)})
        for start, end in zip(stops, [*stops[1:], n], strict=True):
            for gate, cut in self.cut_at.get(start - 1, ()):
                self.cross(gate, cut)
            self.step(start)
            section[start:end] = self.now
            turned[start:end] = self.home is not None
        return Trail(self.discs, section, turned, tuple(self.counted), tuple(self.turns))

    def holds(self, section: int, i: int) -> bool:
        return section in self.board.numbers and bool(self.inside[self.board.numbers.index(section), i])

    def here(self, i: int) -> list[int]:
        return [n for n, held in zip(self.board.numbers, self.inside[:, i], strict=True) if held]

    def step(self, i: int) -> None:
        """Moves on to sample ``i``, where the roads underneath differ from those before."""
        if self.home and self.holds(self.home[0], i) and self.discs.arc_mm[i] - self.home[1] <= HOME_MM:
            self.now, self.home = self.home[0], None
        if self.holds(self.now, i):
            self.left_over_line = None
            return
        if self.left_over_line is None:
            self.left_over_line = self.over_a_line(i)
        here = self.here(i)
        if not here:
            return
        self.enter(i, min(here, key=lambda n: (abs(n - self.now) != 1, abs(n - self.now))))

    def enter(self, i: int, section: int) -> None:
        """The centre is on another road: the course goes on there, or the car strayed or turned off."""
        if abs(section - self.now) > 1 and not self.left_over_line and self.home is None:
            self.turns.append((i, self.now, section))
            self.home = (self.now, float(self.discs.arc_mm[i]))
        self.now, self.left_over_line = section, None

    def over_a_line(self, i: int) -> bool:
        """Whether the centre has just left its road over a white line's far edge, not beyond the line's end (R7)."""
        at = shapely.Point(self.discs.points_mm[i])
        near = [(k.far.distance(at), k) for k in self.board.kerbs if k.section == self.now]
        near = [(away, k) for away, k in near if away <= KERB_MM]
        nearest = [k for away, k in near if away <= min(d for d, _ in near) + TIE_MM]
        joint = len(nearest) > 1  # where two kerbs go on in each other there is no end
        return joint or any(0 < k.far.project(at) < k.arc_mm[-1] for k in nearest)

    def cross(self, gate: Gate, cut: Cut) -> None:
        """A line across a road counts for a car on that road (or on none); from there on it is on it for sure."""
        on_another = abs(gate.section - self.now) > 1 and self.holds(self.now, cut.i)
        if on_another:
            return
        self.counted.append((gate, cut))
        self.now, self.home, self.left_over_line = self._side_of(gate, cut), None, None

    def _side_of(self, gate: Gate, cut: Cut) -> int:
        """The section after crossing: the gate's own, or the neighbour that the car is on."""
        after = min(cut.i + 1, len(self.discs.arc_mm) - 1)
        return self.now if abs(self.now - gate.section) <= 1 and self.holds(self.now, after) else gate.section
