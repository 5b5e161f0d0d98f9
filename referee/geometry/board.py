"""A stage made ready for measuring: kerbs, the section of every zone, progress along the course."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import LineString, Polygon

from referee.facts import Course, ZoneKind
from referee.geometry.kerbs import Kerb, kerbs_of
from referee.model import Floats, Stage, Zone

SHARE_MM = 0.12
"""Neighbours share an edge within 0.1 mm: roads are grown by this so that no sliver lies between them."""
COURSE_STEP_MM = 1.0


@dataclass(frozen=True, eq=False)
class Gate:
    """A line across the road: a checkpoint or the finish (the last); ``wide_mm`` is drawn out to the far edges."""

    element: str
    order: int
    section: int
    points_mm: Floats
    wide_mm: Floats
    line: LineString


@dataclass(frozen=True, eq=False)
class Field:
    """A zone with the sections on whose road it lies and how far along the course its middle is."""

    element: str
    kind: ZoneKind
    key: str
    shape: Polygon
    sections: frozenset[int]
    middle_mm: float


@dataclass(frozen=True, eq=False)
class Board:
    """What of a stage does not depend on the path.

    ``roads`` are the sections' (slightly grown) surfaces; ``lanes`` reach to the far edges of their white lines: a
    car whose centre is on a line has not left its road.
    """

    stage: Stage
    numbers: tuple[int, ...]
    roads: tuple[Polygon, ...]
    lanes: tuple[Polygon, ...]
    kerbs: tuple[Kerb, ...]
    gates: tuple[Gate, ...]
    fields: tuple[Field, ...]
    course: Course
    course_mm: Floats
    course_arc_mm: Floats
    course_section: NDArray[np.int64]
    start_section: int

    def road_of(self, section: int) -> Polygon:
        """The (slightly grown) road of a section."""
        return self.roads[self.numbers.index(section)]

    def progress_mm(self, at_mm: Floats, section: int) -> float:
        """How far along the course the nearest point of a section's part of it is."""
        own = self.course_section == section
        if not own.any():
            own = np.ones(len(own), bool)
        away = np.hypot(*(self.course_mm[own] - at_mm).T)
        return float(self.course_arc_mm[own][np.argmin(away)])


@lru_cache(maxsize=32)
def board_of(stage: Stage) -> Board:
    """The stage made ready; remembered, since a live race measures against the same stage again and again."""
    sections = sorted(stage.sections, key=lambda s: s.number)
    numbers = tuple(s.number for s in sections)
    roads = tuple(s.road.buffer(SHARE_MM, join_style="mitre") for s in sections)
    lanes = tuple(_lane(stage, number, road) for number, road in zip(numbers, roads, strict=True))
    for shape in (*roads, *lanes):
        shapely.prepare(shape)
    course_mm, arc_mm = _walked(stage.course)
    course_section = _sections_along(course_mm, numbers, roads)
    gates = _gates(stage, numbers, roads)
    fields = tuple(
        _field(zone, numbers, roads, course_mm, arc_mm, course_section)
        for zones in (stage.jumps, stage.landings, stage.accelerations, stage.slowdowns, stage.pipes)
        for zone in zones
    )
    return Board(
        stage=stage,
        numbers=numbers,
        roads=roads,
        lanes=lanes,
        kerbs=kerbs_of(stage),
        gates=gates,
        fields=fields,
        course=_names(stage),
        course_mm=course_mm,
        course_arc_mm=arc_mm,
        course_section=course_section,
        start_section=_start_section(stage, numbers, roads),
    )


def _lane(stage: Stage, section: int, road: Polygon) -> Polygon:
    """A section's road with its white lines, where they run beside it."""
    bands = [
        line.band.intersection(road.buffer(line.width_mm, join_style="mitre"))
        for line in stage.white_lines
        if section in line.sections
    ]
    return shapely.union_all([road, *bands])


def _names(stage: Stage) -> Course:
    landings = {z.key: z.id for z in stage.landings}
    jumps = tuple((z.id, landings[z.key]) for z in stage.jumps if z.key in landings)
    slowdowns = tuple((z.key, z.id) for z in stage.slowdowns)
    return Course((stage.start_id, *(c.id for c in _checkpoints(stage)), stage.finish_id), jumps, slowdowns)


def _checkpoints(stage: Stage) -> list:  # type: ignore[type-arg]
    return sorted(stage.checkpoints, key=lambda c: c.order)


def _walked(pieces: tuple[Floats, ...]) -> tuple[Floats, Floats]:
    """The course's pieces sampled every millimetre (N, 2), with the distance along it (N,); the air counts nothing."""
    points, arcs, done = [], [], 0.0
    for piece in pieces:
        line = LineString(piece)
        stops = np.linspace(0.0, line.length, max(2, int(line.length / COURSE_STEP_MM) + 1))
        points.append(shapely.get_coordinates(shapely.line_interpolate_point(line, stops)))
        arcs.append(done + stops)
        done += line.length
    return np.vstack(points), np.concatenate(arcs)


def _sections_along(points: Floats, numbers: tuple[int, ...], roads: tuple[Polygon, ...]) -> NDArray[np.int64]:
    """The section of every course point: it stays on one until only the next one holds it."""
    inside = np.array([shapely.contains_xy(road, points[:, 0], points[:, 1]) for road in roads])
    now = 0
    found = np.empty(len(points), np.int64)
    for i in range(len(points)):
        if not inside[now, i] and now + 1 < len(numbers) and inside[now + 1, i]:
            now += 1
        found[i] = numbers[now]
    return found


def _gates(stage: Stage, numbers: tuple[int, ...], roads: tuple[Polygon, ...]) -> tuple[Gate, ...]:
    reach = max((line.width_mm for line in stage.white_lines), default=0.0)
    checkpoints = _checkpoints(stage)
    gates = [_gate(c.id, i + 1, c.section, c.points_mm, reach) for i, c in enumerate(checkpoints)]
    finish = np.asarray(stage.finish_mm, float)
    section = _section_under(LineString(finish), numbers, roads)
    return (*gates, _gate(stage.finish_id, len(checkpoints) + 1, section, finish, reach))


def _gate(element: str, order: int, section: int, points: Floats, reach: float) -> Gate:
    points = np.asarray(points, float)
    head = (points[0] - points[1]) / np.hypot(*(points[0] - points[1]))
    tail = (points[-1] - points[-2]) / np.hypot(*(points[-1] - points[-2]))
    wide = np.vstack([points[0] + reach * head, points[1:-1], points[-1] + reach * tail])
    return Gate(element, order, section, points, wide, LineString(points))


def _section_under(shape: LineString | Polygon, numbers: tuple[int, ...], roads: tuple[Polygon, ...]) -> int:
    """The last section that holds the most of a shape."""
    size = [_size(road.intersection(shape)) for road in roads]
    most = max(size)
    return max(n for n, s in zip(numbers, size, strict=True) if s >= 0.9 * most)


def _size(shape) -> float:  # type: ignore[no-untyped-def]
    return float(shape.area or shape.length)


def _start_section(stage: Stage, numbers: tuple[int, ...], roads: tuple[Polygon, ...]) -> int:
    """The first section that holds the most of the start arrow."""
    size = [_size(road.intersection(stage.start)) for road in roads]
    return min(n for n, s in zip(numbers, size, strict=True) if s >= 0.9 * max(size))


def _field(
    zone: Zone,
    numbers: tuple[int, ...],
    roads: tuple[Polygon, ...],
    course_mm: Floats,
    arc_mm: Floats,
    course_section: NDArray[np.int64],
) -> Field:
    """A zone with its sections: those whose part of the course runs through it, else those whose road holds it."""
    shapely.prepare(zone.shape)
    under = np.asarray(shapely.contains_xy(zone.shape, course_mm[:, 0], course_mm[:, 1]))
    sections = set(course_section[under].tolist())
    if under.any():
        middle = float(np.median(arc_mm[under]))
    else:
        away = np.hypot(*(course_mm - np.array(zone.shape.centroid.coords[0])).T)
        middle = float(arc_mm[np.argmin(away)])
    overlap = {n: road.intersection(zone.shape).area for n, road in zip(numbers, roads, strict=True)}
    if not sections:
        sections = {n for n, area in overlap.items() if area >= 0.5 * max(overlap.values())}
    return Field(zone.id, zone.kind, zone.key, zone.shape, frozenset(sections), middle)
