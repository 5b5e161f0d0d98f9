"""Where a stroke stands to checkpoints, the finish and zones: by its centreline and the centre of its tip."""

from __future__ import annotations

from itertools import zip_longest

import numpy as np
import shapely
from shapely.geometry import Point as ShapelyPoint

from referee.facts import (
    Begin,
    Crossing,
    Distances,
    End,
    Gap,
    LineDistance,
    Margin,
    Turned,
    ZoneDistance,
    ZoneEntry,
    ZoneExit,
)
from referee.geometry.board import Board, Field, Gate
from referee.geometry.grown import Remembered
from referee.geometry.runs import runs
from referee.geometry.trail import Discs, Trail, inside_roads
from referee.model import Floats, Stroke

GRAZE_MM = 1.0
"""A zone or finish that the centreline misses by no more than this is reported with a negative depth."""
PLENTY_MM = 5.0
"""A line that the stroke leaves this far behind is crossed beyond doubt."""
TREMBLE_MM = 0.3
"""Leaving a zone by no more than this and coming back is not leaving it."""
DISTANCE_STEP_MM = 1.0
SOON, FAR_MM = 400, 40.0
"""Within so many samples a stroke is so far from a zone that it has left."""
_DEPTHS: Remembered[Floats] = Remembered()


# ----------------------------------------------------------------------------------------- lines across the road


def crossings(trail: Trail) -> list[Crossing]:
    """Checkpoints and finish crossed on their road, with how far the stroke goes beyond them."""
    return [
        Crossing(
            spot=trail.discs.spot_at(cut.arc_mm),
            element=gate.element,
            order=gate.order,
            reach=Margin(_beyond(trail.discs, gate, cut.i), float(trail.discs.sigma_mm[cut.i])),
            seen=bool(trail.discs.seen[cut.i : cut.i + 2].all()),
        )
        for gate, cut in trail.crossings
    ]


def _beyond(discs: Discs, gate: Gate, i: int) -> float:
    """The farthest that a stroke gets beyond a gate (or came from before it), up to PLENTY_MM."""
    before = _farthest(discs, gate, slice(max(0, i - int(PLENTY_MM / 0.05)), i + 1))
    after = _farthest(discs, gate, slice(i + 1, None))
    return min(before, after)


def _farthest(discs: Discs, gate: Gate, part: slice) -> float:
    points = discs.points_mm[part][:400]
    if not len(points):
        return 0.0
    return float(min(PLENTY_MM, np.max(shapely.distance(gate.line, shapely.points(points)))))


def just_short(trail: Trail, board: Board) -> list[Crossing]:
    """A stroke that ends within GRAZE_MM before a line it has not crossed: a crossing with a negative reach."""
    discs = trail.discs
    crossed = {gate.order for gate, _ in trail.crossings}
    found = []
    for gate in board.gates:
        away = gate.line.distance(ShapelyPoint(discs.points_mm[-1]))
        if gate.order not in crossed and away <= GRAZE_MM and abs(gate.section - trail.section[-1]) <= 1:
            last = discs.spot(len(discs.arc_mm) - 1)
            found.append(
                Crossing(last, gate.element, gate.order, Margin(-away, float(discs.sigma_mm[-1])), bool(discs.seen[-1]))
            )
    return found


def turns(trail: Trail) -> list[Turned]:
    """Where the car turned onto another road without crossing a line (R7)."""
    return [Turned(trail.discs.spot(i), left, entered) for i, left, entered in trail.turns]


def distances(trail: Trail, board: Board) -> list[Distances]:
    """How far the stroke is from the arrow and every checkpoint, every millimetre."""
    discs = trail.discs
    stops = np.unique(np.append(np.arange(0.0, discs.arc_mm[-1], DISTANCE_STEP_MM), discs.arc_mm[-1]))
    points = np.column_stack([np.interp(stops, discs.arc_mm, column) for column in discs.points_mm.T])
    shaped = shapely.points(points)
    arc = tuple(stops.tolist())
    at = tuple((x, y) for x, y in points.tolist())
    places = [(board.stage.start_id, 0, board.stage.start, board.start_section)]
    places += [(g.element, g.order, g.line, g.section) for g in board.gates[:-1]]
    inside, numbers = inside_roads(points, board), np.array(board.numbers)
    found = []
    for element, order, shape, section in places:
        on_road = inside[np.abs(numbers - section) <= 1].any(axis=0)  # of its section or of a neighbour
        mm = tuple(shapely.distance(shape, shaped).tolist())
        found.append(Distances(discs.stroke, element, order, arc, mm, at, tuple(on_road.tolist())))
    return found


# ----------------------------------------------------------------------------------------- zones


def zone_visits(trail: Trail, board: Board) -> list[ZoneEntry | ZoneExit]:
    """Every time the centreline is in a zone on the car's road, and every time it only grazes one."""
    found: list[ZoneEntry | ZoneExit] = []
    for zone in board.fields:
        if zone.kind != "landing":
            found += _visits(trail, board, zone)
    return found


def _visits(trail: Trail, board: Board, zone: Field) -> list[ZoneEntry | ZoneExit]:
    discs = trail.discs
    depth = depth_in(zone, discs.points_mm)
    on_way = np.isin(trail.section, [s for s in set(trail.section.tolist()) if _on_way(zone, s)])
    found: list[ZoneEntry | ZoneExit] = []
    for a, b in runs((depth > -GRAZE_MM) & on_way):
        deepest = a + int(np.argmax(depth[a:b]))
        if depth[deepest] < 0:
            found.append(_entry(trail, zone, deepest, depth[deepest], discs.spot(deepest).arc_mm))
    inside = [(a, b) for a, b in _stays(depth) if on_way[a]]
    for (a, b), following in zip_longest(inside, inside[1:]):
        found += _visit(trail, board, zone, depth, a, b, following[0] if following else None)
    return found


def _stays(depth: Floats) -> list[tuple[int, int]]:
    """Half-open index ranges from entering to leaving; a tremble across the boundary does not leave."""
    found = []
    for a, b in runs(depth >= -TREMBLE_MM):
        held = np.flatnonzero(depth[a:b] >= 0)
        if len(held):
            found.append((a + int(held[0]), a + int(held[-1]) + 1))
    return found


def _visit(
    trail: Trail, board: Board, zone: Field, depth: Floats, a: int, b: int, following: int | None
) -> list[ZoneEntry | ZoneExit]:
    """The entry before sample ``a`` and, if the stroke goes on outside, the exit before sample ``b``.

    ``following`` is the first sample of the next visit, if there is one.
    """
    discs = trail.discs
    deep = Margin(float(depth[a:b].max()), float(discs.sigma_mm[a]))
    found: list[ZoneEntry | ZoneExit] = [_entry(trail, zone, a, deep.mm, _edge_arc(discs, depth, a - 1, a))]
    if b < len(depth):
        spot = discs.spot_at(_edge_arc(discs, depth, b - 1, b))
        section = int(trail.section[b])
        onward = board.progress_mm(np.array(spot.at_mm), section) >= zone.middle_mm
        seen = bool(discs.seen[b - 1 : b + 1].all())
        beyond = _far_outside(zone, discs.points_mm[b:following])
        found.append(ZoneExit(spot, zone.element, zone.kind, zone.key, deep, onward, beyond, following is None, seen))
    return found


def _far_outside(zone: Field, points: Floats) -> float:
    """How far from a zone points (N, 2) get; farther than any zone is deep is far enough."""
    soon = float(np.max(shapely.distance(zone.shape, shapely.points(points[:SOON]))))
    if soon >= FAR_MM or len(points) <= SOON:
        return soon
    return float(np.max(shapely.distance(zone.shape, shapely.points(points))))


def _entry(trail: Trail, zone: Field, i: int, depth_mm: float, arc_mm: float) -> ZoneEntry:
    discs = trail.discs
    return ZoneEntry(
        spot=discs.spot_at(arc_mm),
        element=zone.element,
        kind=zone.kind,
        key=zone.key,
        depth=Margin(float(depth_mm), float(discs.sigma_mm[i])),
        seen=bool(discs.seen[i]),
    )


def _edge_arc(discs: Discs, depth: Floats, i: int, j: int) -> float:
    """Where along the stroke the centreline passes the zone's boundary, between two samples."""
    if i < 0:
        return float(discs.arc_mm[j])
    part = depth[i] / (depth[i] - depth[j]) if depth[i] != depth[j] else 0.0
    return float(discs.arc_mm[i] + part * (discs.arc_mm[j] - discs.arc_mm[i]))


def depth_in(zone: Field, points: Floats) -> Floats:
    """Signed distance (N,) of points to a zone's boundary, positive inside; -inf where far away."""
    same, before = _DEPTHS.before(zone, points)
    fresh = _depth_in(zone, points[same:])
    depth = fresh if before is None else np.concatenate([before[:same], fresh])
    return _DEPTHS.keep(zone, points, depth)


def _depth_in(zone: Field, points: Floats) -> Floats:
    x0, y0, x1, y1 = zone.shape.bounds
    reach = GRAZE_MM + 1.0
    x, y = points.T
    near = np.flatnonzero((x >= x0 - reach) & (x <= x1 + reach) & (y >= y0 - reach) & (y <= y1 + reach))
    depth = np.full(len(points), -np.inf)
    if len(near):
        depth[near] = signed_depth(zone, points[near])
    return np.asarray(np.maximum(depth, -1e6))


def signed_depth(zone: Field, points: Floats) -> Floats:
    """Signed distance (N,) of points to a zone's boundary, positive inside."""
    away = np.asarray(shapely.distance(zone.shape.boundary, shapely.points(points)))
    return np.asarray(np.where(shapely.contains_xy(zone.shape, points[:, 0], points[:, 1]), away, -away))


def _on_way(zone: Field, section: int) -> bool:
    return any(abs(section - own) <= 1 for own in zone.sections)


# ----------------------------------------------------------------------------------------- tips


def begin_of(trail: Trail, board: Board, stroke: Stroke) -> Begin:
    """The stroke's first ink and its distances to everything where a stroke may begin."""
    at = trail.discs.points_mm[0]
    return Begin(
        spot=trail.discs.spot(0),
        look=stroke.begin,
        sigma_mm=float(np.hypot(trail.discs.sigma_mm[0], stroke.tip_sigma_mm[0])),
        arrow_mm=_signed(board.stage.start, at),
        lines=_line_distances(board, at),
        zones=_zone_distances(board, at, int(trail.section[0])),
    )


def end_of(trail: Trail, board: Board, stroke: Stroke, gap: Gap | None) -> End:
    """The stroke's last ink, its distances to the jump zones, and the gap to the next stroke."""
    at = trail.discs.points_mm[-1]
    return End(
        spot=trail.discs.spot(len(trail.discs.arc_mm) - 1),
        look=stroke.end,
        sigma_mm=float(np.hypot(trail.discs.sigma_mm[-1], stroke.tip_sigma_mm[1])),
        zones=_zone_distances(board, at, int(trail.section[-1])),
        gap=gap,
    )


def _signed(shape, at: Floats) -> float:  # type: ignore[no-untyped-def]
    point = ShapelyPoint(at)
    away = float(shape.boundary.distance(point))
    return away if shape.covers(point) else -away


def _line_distances(board: Board, at: Floats) -> tuple[LineDistance, ...]:
    point = ShapelyPoint(at)
    arrow = LineDistance(board.stage.start_id, 0, float(board.stage.start.distance(point)))
    gates = [LineDistance(g.element, g.order, float(g.line.distance(point)), _off_road(board, g, point))
             for g in board.gates[:-1]]  # fmt: skip
    return (arrow, *gates)


def _off_road(board: Board, gate: Gate, point: ShapelyPoint) -> float:
    roads = [board.road_of(n) for n in board.numbers if abs(n - gate.section) <= 1]
    return float(min(road.distance(point) for road in roads))


def _zone_distances(board: Board, at: Floats, section: int) -> tuple[ZoneDistance, ...]:
    return tuple(
        ZoneDistance(z.element, z.kind, z.key, float(signed_depth(z, at[None])[0]), _on_way(z, section))
        for z in board.fields
        if z.kind in ("jump", "landing")
    )
