"""White lines as kerbs: each piece of a line seen from the one section of road that it borders.

A kerb runs along its line's far edge, oriented so that "towards the road" is one fixed side.  A line that parts
two stretches of road is two kerbs, one from either side; a line of two sections is one kerb for each.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import LineString, Polygon
from shapely.geometry.base import BaseGeometry

from referee.geometry.runs import runs
from referee.model import Floats, Stage, WhiteLine

PROBE_MM = 0.3
"""How far beyond its near edge a line looks for its road: neighbours share edges within 0.1 mm."""
JOIN_MM = 0.25
"""Lines whose ends meet within this are one line."""
FORGET_MM = 5.0
"""A stretch of line this short that sees no road beside it (a corner, an end) goes with its neighbours."""


@dataclass(frozen=True, eq=False)
class Kerb:
    """One piece of white line and the section whose road it borders.

    ``far_mm`` (M, 2) is the far edge; ``to_road`` (M - 1, 2) are the unit normals of its segments towards the
    road, ``along`` (M - 1, 2) their unit directions; ``middle_ends`` (2, 2) the ends of the line's middle, NaN if
    closed.  ``chain`` is one number for all kerbs that are one line.
    """

    element: str
    section: int
    width_mm: float
    far_mm: Floats
    far: BaseGeometry
    to_road: Floats
    along: Floats
    arc_mm: Floats
    closed: bool
    middle_ends: Floats
    chain: int = -1


def kerbs_of(stage: Stage) -> tuple[Kerb, ...]:
    """All kerbs of a stage, joined into chains."""
    roads = {s.number: s.road for s in stage.sections}
    pieces = [
        kerb
        for line in stage.white_lines
        for number in line.sections
        if number in roads
        for kerb in _kerbs_along(line, number, roads[number])
    ]
    return _chained(pieces)


def _kerbs_along(line: WhiteLine, section: int, road: Polygon) -> list[Kerb]:
    """The parts of a line that border one road, once for each side on which the road lies."""
    points = _open_or_closed(line)
    steps = np.diff(points, axis=0)
    lengths = np.hypot(*steps.T)
    normals = np.column_stack([-steps[:, 1], steps[:, 0]]) / lengths[:, None]
    middles = points[:-1] + steps / 2
    reach = line.width_mm / 2 + PROBE_MM
    shapely.prepare(road)
    found = []
    for side in (1, -1):
        probes = middles + side * reach * normals
        borders = np.asarray(shapely.contains_xy(road, probes[:, 0], probes[:, 1]))
        borders = _without_shortruns(borders, lengths, line.closed)
        found += [_kerb(line, section, points[a : b + 1], side, line.closed and b - a == len(steps))
                  for a, b in runs(borders)]  # fmt: skip
    return [kerb for kerb in found if kerb is not None]


def _open_or_closed(line: WhiteLine) -> Floats:
    """The line's points without repeats; a closed line ends where it begins."""
    points = np.asarray(line.points_mm, float)
    if line.closed and np.hypot(*(points[0] - points[-1])) > 1e-9:
        points = np.vstack([points, points[:1]])
    keep = np.concatenate([[True], np.hypot(*np.diff(points, axis=0).T) > 1e-9])
    return np.asarray(points[keep])


def _without_shortruns(flags: NDArray[np.bool_], lengths: Floats, closed: bool) -> NDArray[np.bool_]:
    """Flags with stretches of False shorter than FORGET_MM set like what is beside them."""
    out = flags.copy()
    if not flags.any():
        return out
    for a, b in runs(~flags):
        at_an_end = a == 0 or b == len(flags)
        beside_on_both = not at_an_end or (closed and flags[-1 if a == 0 else 0])
        if lengths[a:b].sum() < FORGET_MM and (beside_on_both or at_an_end):
            out[a:b] = True
    return out


def _kerb(line: WhiteLine, section: int, points: Floats, side: int, closed: bool) -> Kerb | None:
    far = _far_edge(points, line.width_mm / 2, side, closed)
    if far is None:
        return None
    steps = np.diff(far, axis=0)
    lengths = np.hypot(*steps.T)
    along = steps / lengths[:, None]
    ends = np.full((2, 2), np.nan) if closed else np.array([points[0], points[-1]])
    far_line = LineString(far)
    shapely.prepare(far_line)
    return Kerb(
        element=line.id,
        section=section,
        width_mm=line.width_mm,
        far_mm=far,
        far=far_line,
        to_road=side * np.column_stack([-along[:, 1], along[:, 0]]),
        along=along,
        arc_mm=np.concatenate([[0.0], np.cumsum(lengths)]),
        closed=closed,
        middle_ends=ends,
    )


def _far_edge(points: Floats, half_mm: float, side: int, closed: bool) -> Floats | None:
    """The edge of the band away from the road (M, 2), in the line's own direction, corners mitred as printed."""
    if closed:
        return _far_ring(points, half_mm, side)
    edge = shapely.offset_curve(LineString(points), -side * half_mm, join_style="mitre", mitre_limit=4)
    parts = [g for g in getattr(edge, "geoms", [edge]) if not g.is_empty]
    if not parts:
        return None
    far = np.asarray(shapely.get_coordinates(max(parts, key=lambda g: g.length)))
    return _distinct(far if _same_way(far, points) else far[::-1])


def _far_ring(points: Floats, half_mm: float, side: int) -> Floats | None:
    """The far edge of a closed line: the ring grown or shrunk."""
    ring = Polygon(points)
    road_is_inside = (side > 0) == bool(shapely.is_ccw(ring.exterior))
    grown = ring.buffer(half_mm if road_is_inside else -half_mm, join_style="mitre", mitre_limit=4)
    if grown.is_empty or not isinstance(grown, Polygon):
        return None
    far = np.asarray(shapely.get_coordinates(grown.exterior))
    return _distinct(far if bool(shapely.is_ccw(grown.exterior)) == bool(shapely.is_ccw(ring.exterior)) else far[::-1])


def _same_way(far: Floats, points: Floats) -> bool:
    start, end = points[0], points[-1]
    return bool(
        np.hypot(*(far[0] - start)) + np.hypot(*(far[-1] - end))
        <= np.hypot(*(far[-1] - start)) + np.hypot(*(far[0] - end))
    )


def _distinct(points: Floats) -> Floats | None:
    keep = np.concatenate([[True], np.hypot(*np.diff(points, axis=0).T) > 1e-9])
    points = points[keep]
    return np.asarray(points) if len(points) >= 2 else None


def _chained(pieces: list[Kerb]) -> tuple[Kerb, ...]:
    """The kerbs with chain numbers: pieces whose ends meet and whose road lies on the same side are one line."""
    parent = list(range(len(pieces)))

    def root(i: int) -> int:
        while parent[i] != i:
            i = parent[i]
        return i

    for i, a in enumerate(pieces):
        for j in range(i + 1, len(pieces)):
            if _meet(a, pieces[j]):
                parent[root(j)] = root(i)
    return tuple(Kerb(**{**vars(k), "chain": root(i)}) for i, k in enumerate(pieces))


def _meet(a: Kerb, b: Kerb) -> bool:
    """Whether two kerbs go on in each other: ends within JOIN_MM, the road on the same side, no turning back."""
    if a.closed or b.closed:
        return False
    for i in (0, 1):
        for j in (0, 1):
            if np.hypot(*(a.middle_ends[i] - b.middle_ends[j])) > JOIN_MM:
                continue
            out_of_a = a.along[-1] if i else -a.along[0]
            into_b = -b.along[-1] if j else b.along[0]
            road_a, road_b = a.to_road[-i], b.to_road[-j]
            turns_left_a = out_of_a[0] * road_a[1] - out_of_a[1] * road_a[0]
            turns_left_b = into_b[0] * road_b[1] - into_b[1] * road_b[0]
            if out_of_a @ into_b > -0.5 and turns_left_a * turns_left_b > 0:
                return True
    return False
