"""White lines as kerbs: each piece of a line seen from the one section of road that it borders.

A kerb runs along its line's far edge, oriented so that "towards the road" is one fixed side.  A line that parts
two stretches of road is two kerbs, one from either side; a line of two sections is one kerb for each.  Where a
line turns (round a hairpin, an island) it is cut into kerbs of little turning each, so that a car on one leg is
never measured against the other; kerbs that go on in each other are partners and share a chain number.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import LineString, Polygon
from shapely.geometry.base import BaseGeometry

from referee.geometry.runs import runs
from referee.model import Floats, Stage, WhiteLine

PROBES_MM = (0.3, 1.0, 2.5)
"""How far beyond its near edge a line looks for its road; farther only if it finds none (neighbours share 0.1 mm)."""
PROBE_STEP_MM = 2.0
JOIN_MM = 0.25
"""Lines whose ends meet within this are one line."""
FORGET_MM = 5.0
"""A stretch of line this short that sees no road beside it (a corner, an end) goes with its neighbours."""
MITRE_LIMIT = 4.0
"""A corner's point reaches no farther than this many half widths, as in SVG."""
CUT_DEG = 60.0
"""A kerb that has turned by more than this is cut."""


@dataclass(frozen=True, eq=False)
class Kerb:
    """One piece of white line and the section whose road it borders.

    ``far_mm`` (M, 2) is the far edge; ``to_road`` (M - 1, 2) are the unit normals of its segments towards the
    road, ``along`` (M - 1, 2) their unit directions; ``ends`` (2, 2) the ends of the line's middle.  ``chain`` is
    one number for all kerbs that are one line; ``partners`` are the places in the list of those it goes on in.
    """

    element: str
    section: int
    width_mm: float
    far_mm: Floats
    far: BaseGeometry
    to_road: Floats
    along: Floats
    arc_mm: Floats
    ends: Floats
    chain: int = -1
    partners: frozenset[int] = frozenset()


def kerbs_of(stage: Stage) -> tuple[Kerb, ...]:
    """All kerbs of a stage, with their chains and partners."""
    roads = {s.number: s.road for s in stage.sections}
    pieces = [
        kerb
        for line in stage.white_lines
        for number in line.sections
        if number in roads
        for kerb in _kerbs_along(line, number, roads[number])
    ]
    return _chained(pieces)


# ----------------------------------------------------------------------------------------- one line, one road


def _kerbs_along(line: WhiteLine, section: int, road: Polygon) -> list[Kerb]:
    """The parts of a line that border one road, once for each side on which the road lies."""
    points = _dense(line)
    shapely.prepare(road)
    for probe in PROBES_MM:
        found = [
            kerb
            for side in (1, -1)
            for a, b in runs(_borders(points, line, side, probe, road))
            for kerb in _cut(line, section, points[a : b + 1], side, line.closed and b - a == len(points) - 1)
        ]
        if found:
            return found
    return []


def _dense(line: WhiteLine) -> Floats:
    """The line's points at most PROBE_STEP_MM apart, without repeats; a closed line ends where it begins."""
    points = np.asarray(line.points_mm, float)
    if line.closed and np.hypot(*(points[0] - points[-1])) > 1e-9:
        points = np.vstack([points, points[:1]])
    points = points[np.concatenate([[True], np.hypot(*np.diff(points, axis=0).T) > 1e-9])]
    return np.asarray(shapely.get_coordinates(shapely.segmentize(LineString(points), PROBE_STEP_MM)))


def _borders(points: Floats, line: WhiteLine, side: int, probe_mm: float, road: Polygon) -> NDArray[np.bool_]:
    """Beside which of a line's segments, on one side, the road lies."""
    steps = np.diff(points, axis=0)
    lengths = np.hypot(*steps.T)
    normals = np.column_stack([-steps[:, 1], steps[:, 0]]) / lengths[:, None]
    probes = points[:-1] + steps / 2 + side * (line.width_mm / 2 + probe_mm) * normals
    flags = np.asarray(shapely.contains_xy(road, probes[:, 0], probes[:, 1]))
    return _without_short_runs(flags, lengths)


def _without_short_runs(flags: NDArray[np.bool_], lengths: Floats) -> NDArray[np.bool_]:
    """Flags with stretches of False shorter than FORGET_MM set like what is beside them."""
    out = flags.copy()
    if flags.any():
        for a, b in runs(~flags):
            out[a:b] = lengths[a:b].sum() < FORGET_MM
    return out


def _cut(line: WhiteLine, section: int, points: Floats, side: int, closed: bool) -> list[Kerb]:
    """The kerbs along a piece of line: its far edge, cut wherever it has turned by CUT_DEG."""
    points = np.asarray(shapely.get_coordinates(LineString(points).simplify(1e-6)))
    far = _far_edge(points, line.width_mm / 2, side, closed)
    if far is None:
        return []
    cuts = [0, *_turning_points(far), len(far) - 1]
    kerbs = [_kerb(line, section, far[a : b + 1], side) for a, b in pairwise(cuts)]
    if not closed:
        kerbs[0] = replace(kerbs[0], ends=np.array([points[0], kerbs[0].ends[1]]))
        kerbs[-1] = replace(kerbs[-1], ends=np.array([kerbs[-1].ends[0], points[-1]]))
    return kerbs


def _turning_points(far: Floats) -> list[int]:
    """The points of a polyline at which it has turned by more than CUT_DEG since the one before."""
    way = np.diff(far, axis=0)
    angle = np.degrees(np.unwrap(np.arctan2(way[:, 1], way[:, 0])))
    found, since = [], angle[0]
    for i in range(1, len(angle)):
        if abs(angle[i] - since) > CUT_DEG:
            found.append(i)
            since = angle[i]
    return found


def _kerb(line: WhiteLine, section: int, far: Floats, side: int) -> Kerb:
    steps = np.diff(far, axis=0)
    lengths = np.hypot(*steps.T)
    along = steps / lengths[:, None]
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
        ends=far[[0, -1]],
    )


def _far_edge(points: Floats, half_mm: float, side: int, closed: bool) -> Floats | None:
    """The edge of the band away from the road (M, 2), in the line's own direction, corners mitred as printed.

    Every corner moves along its mitre.  A library's offset would merge the two legs of a hairpin whose bands
    touch.  Inside a bend tighter than half the band the edge would turn back on itself: those steps are left out.
    """
    steps = np.diff(points, axis=0)
    along = steps / np.hypot(*steps.T)[:, None]
    normals = -side * np.column_stack([-along[:, 1], along[:, 0]])
    before = np.vstack([normals[-1:] if closed else normals[:1], normals])
    after = np.vstack([normals, normals[:1] if closed else normals[-1:]])
    lean = 1.0 + (before * after).sum(axis=1)
    mitre = (before + after) / np.maximum(lean, 2 / MITRE_LIMIT**2)[:, None]
    far = points + half_mm * mitre
    return _without_turning_back(far, along)


def _without_turning_back(far: Floats, along: Floats) -> Floats | None:
    """An edge without the steps that run against the line's own direction."""
    backwards = (np.diff(far, axis=0) * along).sum(axis=1) <= 1e-9
    keep = np.ones(len(far), bool)
    for a, b in runs(backwards):
        keep[a + 1 : b] = False
        far[a] = far[min(b, len(far) - 1)] = (far[a] + far[min(b, len(far) - 1)]) / 2
    return _distinct(far[keep])


def _distinct(points: Floats) -> Floats | None:
    keep = np.concatenate([[True], np.hypot(*np.diff(points, axis=0).T) > 1e-9])
    points = points[keep]
    return np.asarray(points) if len(points) >= 2 else None


# ----------------------------------------------------------------------------------------- joining


def _chained(pieces: list[Kerb]) -> tuple[Kerb, ...]:
    """The kerbs with chains and partners: those whose ends meet and whose road lies on the same side are one line."""
    parent = list(range(len(pieces)))
    partners: list[set[int]] = [set() for _ in pieces]

    def root(i: int) -> int:
        while parent[i] != i:
            i = parent[i]
        return i

    for i, a in enumerate(pieces):
        for j in range(i + 1, len(pieces)):
            if _meet(a, pieces[j]):
                parent[root(j)] = root(i)
                partners[i].add(j)
                partners[j].add(i)
    return tuple(replace(k, chain=root(i), partners=frozenset(partners[i])) for i, k in enumerate(pieces))


def _meet(a: Kerb, b: Kerb) -> bool:
    """Whether two kerbs go on in each other: ends within JOIN_MM, the road on the same side, no turning back."""
    for i in (0, 1):
        for j in (0, 1):
            if np.hypot(*(a.ends[i] - b.ends[j])) > JOIN_MM:
                continue
            out_of_a = a.along[-1] if i else -a.along[0]
            into_b = -b.along[-1] if j else b.along[0]
            road_a, road_b = a.to_road[-i], b.to_road[-j]
            turns_left_a = out_of_a[0] * road_a[1] - out_of_a[1] * road_a[0]
            turns_left_b = into_b[0] * road_b[1] - into_b[1] * road_b[0]
            if out_of_a @ into_b > -0.5 and turns_left_a * turns_left_b > 0:
                return True
    return False
