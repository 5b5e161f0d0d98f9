"""From sections of road to squares: how each lane is parted, what follows what, and where everything lies.

A circuit is driven so that its inside, lane 1, is on the left.  Along the lap a place is a fraction: the section's
number and how far it is driven.  In a curve an outer lane has more squares, so diagonals are reckoned, not counted: one
leads to the square of the next lane that begins where this one ends, or not more than half its own length before.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

LANE_MM = 14.0
LANES = (1, 2, 3, 4)
LETTERS = "abcd"
"""A square's name is its lane's letter and its number in the lane."""
WIDTH_MM = LANE_MM * len(LANES)
Spot = tuple[float, float]


@dataclass(frozen=True)
class Section:
    """A piece of road: ``counts`` squares in each lane, the inside lane's first.

    A straight has a length; a curve turns by so many degrees to the left (below zero: to the right), its inner edge
    ``radius_mm`` from its centre.
    """

    counts: tuple[int, int, int, int]
    length_mm: float = 0.0
    turn: float = 0.0
    radius_mm: float = 0.0


@dataclass(frozen=True)
class Road:
    """A section in its place: where its left edge begins, and which way it heads there."""

    section: Section
    start: Spot
    heading: Spot

    def at(self, along: float, across_mm: float) -> Spot:
        """A place ``along`` the section (0 to 1), so far from its left edge."""
        (x, y), (hx, hy) = self.start, self.heading
        if not self.section.turn:
            way = along * self.section.length_mm
            return x + hx * way - hy * across_mm, y + hy * way + hx * across_mm
        to_centre, sign = self._to_centre, math.copysign(1.0, self.section.turn)
        cx, cy = x + hy * to_centre, y - hx * to_centre
        dx, dy = _turned((-hy, hx), along * self.section.turn)
        return cx + dx * sign * self.radius(across_mm), cy + dy * sign * self.radius(across_mm)

    @property
    def _to_centre(self) -> float:
        """From the left edge to the curve's centre, to the left."""
        return self.section.radius_mm if self.section.turn > 0 else -(self.section.radius_mm + WIDTH_MM)

    def radius(self, across_mm: float) -> float:
        """How far a place is from the curve's centre."""
        return self.section.radius_mm + (across_mm if self.section.turn > 0 else WIDTH_MM - across_mm)

    @property
    def end(self) -> tuple[Spot, Spot]:
        """Where the next section begins, and which way it heads."""
        return self.at(1.0, 0.0), _turned(self.heading, self.section.turn)


def _turned(way: Spot, degrees: float) -> Spot:
    """A direction turned to the left as seen, y being down."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return way[0] * c + way[1] * s, way[1] * c - way[0] * s


def roads(sections: Sequence[Section], start: Spot, heading: Spot) -> tuple[Road, ...]:
    """Every section where the one before it ends."""
    placed = []
    for section in sections:
        placed.append(Road(section, start, heading))
        start, heading = placed[-1].end
    return tuple(placed)


# ----------------------------------------------------------------------------------------- squares


@dataclass(frozen=True)
class Cell:
    """A square as a part of its lane: from where to where along the lap."""

    lane: int
    begin: Fraction
    end: Fraction

    @property
    def section(self) -> int:
        """The number of its section."""
        return math.floor(self.begin)


@dataclass(frozen=True)
class Plan:
    """All squares by name, with their rows and what follows each: ahead, left, right."""

    cells: Mapping[str, Cell]
    rows: Mapping[str, int]
    links: Mapping[str, tuple[str | None, str | None, str | None]]


def plan(sections: Sequence[Section]) -> Plan:
    """The squares of a circuit; a lap begins with the first section."""
    lanes = [_lane(sections, lane) for lane in LANES]
    cells = {f"{LETTERS[cell.lane - 1]}{number}": cell for lane in lanes for number, cell in enumerate(lane, 1)}
    begins = sorted({cell.begin for cell in cells.values()})
    rows = {name: begins.index(cell.begin) + 1 for name, cell in cells.items()}
    at = {(cell.lane, cell.begin): name for name, cell in cells.items()}
    links = {}
    for name, cell in cells.items():
        beside = [_diagonal(cell, lanes, lane) for lane in (cell.lane - 1, cell.lane + 1)]
        names = [at.get((target.lane, target.begin)) if target else None for target in beside]
        links[name] = (at[cell.lane, cell.end % len(sections)], names[0], names[1])
    return Plan(cells, rows, links)


def _lane(sections: Sequence[Section], lane: int) -> list[Cell]:
    return [
        Cell(lane, nth + Fraction(at, count), nth + Fraction(at + 1, count))
        for nth, section in enumerate(sections)
        for count in [section.counts[lane - 1]]
        for at in range(count)
    ]


def _diagonal(cell: Cell, lanes: Sequence[Sequence[Cell]], lane: int) -> Cell | None:
    """The square of another lane that lies diagonally ahead."""
    if lane not in LANES:
        return None
    row = lanes[lane - 1]
    there = next((other for other in row if other.begin <= cell.end < other.end), row[0])
    back = cell.end - there.begin if there is not row[0] or cell.end < there.end else Fraction(0)
    is_ahead = back <= (there.end - there.begin) / 2 and cell.end - back > cell.begin
    return there if is_ahead else None
