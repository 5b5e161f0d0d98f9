"""What the picture does not show: stretches of the road, of the path, and places where a race would go on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import LineString, Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union

from referee.facts import Hidden
from referee.geometry.board import Board
from referee.geometry.gaps import heading
from referee.geometry.runs import runs
from referee.geometry.trail import Discs, Trail
from referee.model import Floats, Stroke, UnseenArea, UnseenStretch, UnseenWhy

ROAD_HALF_MM = 5.0
"""A stretch of road is unseen where anything within this of its middle is."""
BEYOND_MM = 0.5
"""An unseen area reaches past a line if it covers at least this length of the line's far edge."""
BESIDE_MM = 2.0
"""An unseen area this close to a hidden stretch of path is what hides it."""
RIM_OF_LINE_MM = 3.0
"""A line this close to an unseen area may have been crossed there: at its rim ink is lost as well."""
RESTART_MM = 10.0
PLACE_MM2 = 2.0
OIL_MM2 = 0.1
SMALL_PATCH_MM = 15.0
"""Ink that ends in an unseen patch of no more than this cannot be far from where it was last seen."""
DETOUR, DETOUR_MM = 1.5, 3.0
"""A hidden way is taken to be no longer than this many times the straight one, and a little."""
RING_MM = 60.0
"""No loop of ink is longer than this."""
RIM_MM = 0.5
"""Ink that ends within this of an unseen area may go on in it."""


@dataclass(frozen=True, eq=False)
class Dark:
    """The unseen areas of one picture against one board.

    ``shapes`` are the areas; ``edges`` has for each of them the kerbs (by their place in the board's list) whose far
    edge it covers, with points (N, 2) along what it covers; ``spills`` the oil under each, likewise.  ``places`` and
    ``lines`` as in `Facts.hidden_places` and `Facts.hidden_lines`.
    """

    shapes: tuple[BaseGeometry, ...]
    edges: tuple[dict[int, Floats], ...]
    spills: tuple[dict[str, Floats], ...]
    places: frozenset[str]
    lines: frozenset[str]
    stretches: tuple[UnseenStretch, ...]


@lru_cache(maxsize=8)
def dark_of(unseen: tuple[UnseenArea, ...], board: Board) -> Dark:
    """What the unseen areas cover; remembered, since every order of one picture's strokes asks again."""
    kept = [(shape, area.why) for area in unseen if (shape := _outline(area)) is not None]
    shapes = tuple(shape for shape, _ in kept)
    return Dark(
        shapes=shapes,
        edges=tuple(_edges_under(shape, board) for shape in shapes),
        spills=tuple(_spills_under(shape, board) for shape in shapes),
        places=frozenset(name for name, place in _places(board).items() if _area(place, shapes) >= PLACE_MM2),
        lines=_lines_under(shapes, board),
        stretches=_stretches(kept, board),
    )


def _outline(area: UnseenArea) -> BaseGeometry | None:
    """An unseen area as a valid shape, of one piece or several; None if it is no area."""
    if len(area.outline_mm) < 3:
        return None
    shape: BaseGeometry = Polygon(area.outline_mm, area.holes_mm)
    if not shape.is_valid:
        shape = shapely.make_valid(shape)
    shapely.prepare(shape)
    return shape if shape.area > 0 else None


def _area(a: BaseGeometry, shapes: Sequence[BaseGeometry]) -> float:
    """The area of a part of the board that lies in the dark."""
    return float(unary_union([_shared(a, shape) for shape in shapes if shape.intersects(a)]).area)


def _shared(a: BaseGeometry, dark: BaseGeometry) -> BaseGeometry:
    """What a part of the board shares with the dark.

    Of that all that lies beside the part is left out first: glare has ten thousand corners, and with all of them a
    line took 30 ms in place of 0.6.
    """
    x0, y0, x1, y1 = a.bounds
    near = shapely.clip_by_rect(dark, x0 - BESIDE_MM, y0 - BESIDE_MM, x1 + BESIDE_MM, y1 + BESIDE_MM)
    return a.intersection(shapely.make_valid(near))


def _edges_under(shape: BaseGeometry, board: Board) -> dict[int, Floats]:
    covered = {i: _shared(kerb.far, shape) for i, kerb in enumerate(board.kerbs) if shape.intersects(kerb.far)}
    return {i: _along(line) for i, line in covered.items() if line.length >= BEYOND_MM}


def _spills_under(shape: BaseGeometry, board: Board) -> dict[str, Floats]:
    covered = {
        spill.id: _shared(spill.reach, shape) for spill in board.stage.oil_spills if shape.intersects(spill.reach)
    }
    return {name: _along(part) for name, part in covered.items() if part.area > OIL_MM2}


def _along(part: BaseGeometry) -> Floats:
    """Points (N, 2) along a line or an outline, a millimetre apart at most."""
    return np.asarray(shapely.get_coordinates(shapely.segmentize(part, 1.0)))


def _places(board: Board) -> dict[str, BaseGeometry]:
    """Where a race can go on: the arrow, the road round every checkpoint, the landing zones."""
    gates = {g.element: g.line.buffer(RESTART_MM).intersection(board.road_of(g.section)) for g in board.gates[:-1]}
    landings = {f.element: f.shape for f in board.fields if f.kind == "landing"}
    return {board.stage.start_id: board.stage.start, **gates, **landings}


def _lines_under(shapes: Sequence[BaseGeometry], board: Board) -> frozenset[str]:
    gates = [g.element for g in board.gates if shapely.dwithin(np.array(shapes, object), g.line, RIM_OF_LINE_MM).any()]
    zones = [f.element for f in board.fields if f.kind == "slowdown" and _area(f.shape, shapes) >= PLACE_MM2]
    return frozenset(gates + zones)


def _stretches(kept: list[tuple[BaseGeometry, UnseenWhy]], board: Board) -> tuple[UnseenStretch, ...]:
    """Stretches of the course that the picture does not show, in course order, nearby ones of one cause as one."""
    found = []
    course = shapely.points(board.course_mm)
    for shape, why in kept:
        x0, y0, x1, y1 = shape.bounds
        low, high = np.array([x0, y0]) - ROAD_HALF_MM, np.array([x1, y1]) + ROAD_HALF_MM
        near = np.asarray(((board.course_mm >= low) & (board.course_mm <= high)).all(axis=1), np.bool_)
        near[near] = shapely.dwithin(shape, course[near], ROAD_HALF_MM)
        found += [(float(board.course_arc_mm[a]), float(board.course_arc_mm[b - 1]), why) for a, b in runs(near)]
    return tuple(UnseenStretch(a, b, why) for a, b, why in _merged(sorted(found)))


def _merged(stretches: list[tuple[float, float, UnseenWhy]]) -> list[tuple[float, float, UnseenWhy]]:
    out: list[tuple[float, float, UnseenWhy]] = []
    for start, end, why in stretches:
        if out and out[-1][2] == why and start <= out[-1][1] + 1.0:
            out[-1] = (out[-1][0], max(out[-1][1], end), why)
        else:
            out.append((start, end, why))
    return out


# ----------------------------------------------------------------------------------------- strokes in the dark


def hidden_runs(trail: Trail, board: Board, dark: Dark) -> list[Hidden]:
    """Stretches of the stroke that the picture does not show, with the lines and spills that they could reach.

    A line can be reached if the unseen area that hides the path also covers a part of the line's far edge: only
    there could ink show past it without being seen.
    """
    return [_hidden(trail, board, dark, a, b) for a, b in runs(~trail.discs.seen)]


def _hidden(trail: Trail, board: Board, dark: Dark, a: int, b: int) -> Hidden:
    discs = trail.discs
    points = shapely.MultiPoint(discs.points_mm[a:b])
    over = np.flatnonzero(near_dark(dark, points, BESIDE_MM)).tolist()
    sections = set(trail.section[a:b][~trail.turned[a:b]].tolist())
    lines = [
        board.kerbs[k].element
        for i in over
        for k, edge_mm in dark.edges[i].items()
        if board.kerbs[k].section in sections and _could_reach(discs, a, b, edge_mm)
    ]
    spills = [name for i in over for name, oil in dark.spills[i].items() if _could_reach(discs, a, b, oil)]
    return Hidden(
        first=discs.spot(a),
        last=discs.spot(b - 1),
        why="covered",
        white_lines=tuple(sorted(set(lines))),
        oil_spills=tuple(sorted(set(spills))),
    )


def _could_reach(discs: Discs, a: int, b: int, places_mm: Floats) -> bool:
    """Whether a hand could have gone from where the path is lost to a place and back to where it is seen again.

    A path that does not come back into sight could have gone anywhere.
    """
    if a == 0 or b == len(discs.arc_mm):
        return True
    lost, found = discs.points_mm[a - 1], discs.points_mm[b]
    way = np.hypot(*(places_mm - lost).T) + np.hypot(*(places_mm - found).T) - 2 * discs.radius_mm[a]
    return bool(way.min() <= DETOUR * np.hypot(*(found - lost)) + DETOUR_MM)


def with_dark_ends(stroke: Stroke, dark: Dark, lead_mm: float) -> Stroke:
    """The stroke with every end called unseen that runs into what the picture does not show."""
    if stroke.begin == "free" and _runs_into(stroke.points_mm, stroke, 0, dark, lead_mm):
        stroke = replace(stroke, begin="unseen")
    if stroke.end == "free" and _runs_into(stroke.points_mm[::-1], stroke, -1, dark, lead_mm):
        stroke = replace(stroke, end="unseen")
    return stroke


def in_the_dark(before: Stroke, after: Stroke, dark: Dark) -> bool:
    """Whether all that lies between two strokes is a small unseen patch."""
    if before.end == "covered" or after.begin == "covered":
        return False
    a, b = before.points_mm[-1], after.points_mm[0]
    way = b - a
    length = float(np.hypot(*way))
    edge = (before.half_widths_mm[-1].mean() + RIM_MM, after.half_widths_mm[0].mean() + RIM_MM)
    if length > SMALL_PATCH_MM or length <= sum(edge):
        return False
    between = LineString([a + way / length * edge[0], b - way / length * edge[1]])
    return any(shape.covers(between) for shape in dark.shapes)


def near_dark(dark: Dark, place: BaseGeometry, mm: float) -> NDArray[np.bool_]:
    """Which of the unseen areas (N,) come within so much of a place."""
    return np.asarray(shapely.dwithin(np.array(dark.shapes, object), place, mm), np.bool_)


def reach_mm(at_mm: Floats, radius_mm: float, dark: Dark) -> float | None:
    """How far from a visible end of ink its hidden rest may be, in a small unseen patch; None if it may be far."""
    tip = shapely.Point(at_mm)
    beside = near_dark(dark, tip, radius_mm + RIM_MM)
    if not beside.any():
        return None
    corners = shapely.get_coordinates(np.array(dark.shapes, object)[beside])
    reach = float(np.hypot(*(corners - at_mm).T).max())
    return reach if reach <= SMALL_PATCH_MM else None


def _runs_into(points: Floats, stroke: Stroke, i: int, dark: Dark, lead_mm: float) -> bool:
    """Whether the ink's very end, at the first of ``points``, lies at the rim of an unseen area."""
    if not stroke.seen[i]:
        return True
    if not dark.shapes:
        return False
    half = float(stroke.half_widths_mm[i].mean())
    rim = shapely.Point(points[0] - heading(points, lead_mm) * half)
    if near_dark(dark, rim, RIM_MM).any():
        return True
    ring = _ring_at_end(points, half)
    return ring is not None and bool(near_dark(dark, ring, half + RIM_MM).any())


def _ring_at_end(points: Floats, half_mm: float) -> LineString | None:
    """The last loop of ink whose end lies on the stroke's own earlier ink: it may have left the loop elsewhere."""
    away = np.hypot(*(points - points[0]).T)
    arc = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
    back = np.flatnonzero((away < 2 * half_mm) & (arc > 6 * half_mm) & (arc < RING_MM))
    return LineString(points[: back[0] + 1]) if len(back) else None
