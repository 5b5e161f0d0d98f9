"""What the picture does not show: stretches of the road, of the path, and places where a race would go on."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import shapely
from shapely.geometry import Polygon
from shapely.ops import unary_union

from referee.facts import Hidden
from referee.geometry.board import Board
from referee.geometry.gaps import heading
from referee.geometry.runs import runs
from referee.geometry.trail import Trail
from referee.model import Floats, Stroke, UnseenArea, UnseenStretch, UnseenWhy

ROAD_HALF_MM = 5.0
"""A stretch of road is unseen where anything within this of its middle is."""
BEYOND_MM = 0.5
"""An unseen area reaches past a line if it covers at least this length of the line's far edge."""
RESTART_MM = 10.0
PLACE_MM2 = 2.0
RIM_MM = 0.5
"""Ink that ends within this of an unseen area may go on in it."""


def outlines(unseen: tuple[UnseenArea, ...]) -> tuple[Polygon, ...]:
    """The unseen areas as valid polygons."""
    shapes = [shapely.make_valid(Polygon(area.outline_mm)) for area in unseen if len(area.outline_mm) >= 3]
    return tuple(s for s in shapes if not s.is_empty)


def unseen_stretches(board: Board, unseen: tuple[UnseenArea, ...]) -> tuple[UnseenStretch, ...]:
    """Stretches of the course that the picture does not show, in course order, nearby ones of one cause as one."""
    found = []
    for area in unseen:
        if len(area.outline_mm) < 3:
            continue
        shape = shapely.make_valid(Polygon(area.outline_mm))
        away = shapely.distance(shape, shapely.points(board.course_mm))
        for a, b in runs(np.asarray(away) <= ROAD_HALF_MM):
            found.append((float(board.course_arc_mm[a]), float(board.course_arc_mm[b - 1]), area.why))
    return tuple(UnseenStretch(a, b, why) for a, b, why in _merged(sorted(found)))


def _merged(stretches: list[tuple[float, float, UnseenWhy]]) -> list[tuple[float, float, UnseenWhy]]:
    out: list[tuple[float, float, UnseenWhy]] = []
    for start, end, why in stretches:
        if out and out[-1][2] == why and start <= out[-1][1] + 1.0:
            out[-1] = (out[-1][0], max(out[-1][1], end), why)
        else:
            out.append((start, end, why))
    return out


def hidden_places(board: Board, shapes: tuple[Polygon, ...]) -> frozenset[str]:
    """The arrow, checkpoints and landing zones of which the picture does not show the whole."""
    if not shapes:
        return frozenset()
    dark = unary_union(shapes)
    places = {board.stage.start_id: board.stage.start}
    places |= {g.element: g.line.buffer(RESTART_MM).intersection(board.road_of(g.section)) for g in board.gates[:-1]}
    places |= {f.element: f.shape for f in board.fields if f.kind == "landing"}
    return frozenset(name for name, shape in places.items() if shape.intersection(dark).area >= PLACE_MM2)


def hidden_lines(board: Board, shapes: tuple[Polygon, ...]) -> frozenset[str]:
    """The checkpoints, the finish and the slowdown zones that could be crossed or entered without being seen."""
    if not shapes:
        return frozenset()
    dark = unary_union(shapes)
    lines = {g.element for g in board.gates if g.line.intersection(dark).length >= BEYOND_MM}
    return frozenset(
        lines
        | {f.element for f in board.fields if f.kind == "slowdown" and f.shape.intersection(dark).area >= PLACE_MM2}
    )


def hidden_runs(trail: Trail, board: Board, shapes: tuple[Polygon, ...]) -> list[Hidden]:
    """Stretches of the stroke that the picture does not show, with the lines and spills that they could reach.

    A line can be reached if the unseen area that hides the path also covers a part of the line's far edge: only
    there could ink show past it without being seen.
    """
    return [_hidden(trail, board, shapes, a, b) for a, b in runs(~trail.discs.seen)]


def _hidden(trail: Trail, board: Board, shapes: tuple[Polygon, ...], a: int, b: int) -> Hidden:
    discs = trail.discs
    points = shapely.MultiPoint(discs.points_mm[a:b])
    dark = unary_union([s for s in shapes if s.distance(points) <= 2.0])
    sections = set(trail.section[a:b].tolist())
    kerbs = [k for k in board.kerbs if _counts(k.section, sections)] if not trail.turned[a:b].all() else []
    lines = [k.element for k in kerbs if k.far.intersection(dark).length >= BEYOND_MM]
    oil = [s.id for s in board.stage.oil_spills if s.reach.intersection(dark).area > 0.1]
    return Hidden(
        first=discs.spot(a),
        last=discs.spot(b - 1),
        why="covered",
        white_lines=tuple(dict.fromkeys(lines)),
        oil_spills=tuple(oil),
    )


def _counts(section: int, on: set[int]) -> bool:
    return section in on


def with_dark_ends(stroke: Stroke, shapes: tuple[Polygon, ...], lead_mm: float) -> Stroke:
    """The stroke with every end called unseen that runs into what the picture does not show."""
    if stroke.begin == "free" and _runs_into(stroke.points_mm, stroke, 0, shapes, lead_mm):
        stroke = replace(stroke, begin="unseen")
    if stroke.end == "free" and _runs_into(stroke.points_mm[::-1], stroke, -1, shapes, lead_mm):
        stroke = replace(stroke, end="unseen")
    return stroke


def _runs_into(points: Floats, stroke: Stroke, i: int, shapes: tuple[Polygon, ...], lead_mm: float) -> bool:
    """Whether the ink's very end, at the first of ``points``, lies at the rim of an unseen area."""
    if not stroke.seen[i]:
        return True
    rim = points[0] - heading(points, lead_mm) * stroke.half_widths_mm[i].mean()
    return any(shape.distance(shapely.Point(rim)) <= RIM_MM for shape in shapes)
