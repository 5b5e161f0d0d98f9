"""Rings that a stroke closes on itself (R9's donuts).

A ring runs from a point of the centreline to its first return to that point.  They are found by chronological
loop erasure (Lawler 1980): whenever the path comes back to the trail it has left, the loop is taken off the
trail as one ring and the walk goes on from there, so that later rounds and crossings of an old ring make none.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import LineString, Polygon

from referee.facts import Ring
from referee.geometry.trail import Discs
from referee.model import Floats

SMALLEST_MM = 3.0
"""Loops shorter than this are a tremble of the hand, not a ring: their hole could hold no circle worth the name."""
HOLE_TOLERANCE_MM = 0.02
TOUCH_MM = 0.35
"""A trail that the path comes back to within this (the ink overlaps almost wholly) is closed, crossed or not."""
LOOK_GAP_MM = 8.0
"""Rings farther apart than this are not measured to the hundredth."""


@dataclass(frozen=True, eq=False)
class _Loop:
    begin_mm: float
    end_mm: float
    points_mm: Floats
    radius_mm: Floats
    sigma_mm: float
    seen: bool


def rings_of(discs: Discs, first_number: int) -> list[Ring]:
    """All rings of one stroke in the order in which they close, numbered from ``first_number``."""
    loops = [loop for loop in _loops(discs) if loop.end_mm - loop.begin_mm >= SMALLEST_MM]
    gaps = _gaps(loops)
    return [_ring(discs, loop, first_number, i, gaps[i]) for i, loop in enumerate(loops)]


def _ring(discs: Discs, loop: _Loop, first_number: int, i: int, gaps: Floats) -> Ring:
    middle, hole = _hole(loop)
    return Ring(
        spot=discs.spot_at(loop.end_mm),
        number=first_number + i,
        begin_mm=loop.begin_mm,
        middle_mm=middle,
        hole_mm=hole,
        sigma_mm=loop.sigma_mm,
        gaps=tuple((first_number + j, float(gap)) for j, gap in enumerate(gaps) if j != i),
        seen=loop.seen,
    )


# ----------------------------------------------------------------------------------------- finding loops


def _loops(discs: Discs) -> list[_Loop]:
    """The erased loops in the order of their closing."""
    erased: list[tuple[float, float]] = []
    found = []
    for later, earlier in _returns(discs):
        if any(a < earlier < b for a, b in erased) or any(a < later < b for a, b in erased):
            continue
        inner = [(a, b) for a, b in erased if a >= earlier and b <= later]
        found.append(_loop(discs, earlier, later, inner))
        erased = [span for span in erased if span not in inner] + [(earlier, later)]
    return found


def _returns(discs: Discs) -> list[tuple[float, float]]:
    """Where the centreline comes back to itself: (later, earlier) distance along the stroke, by the later one."""
    crossings = _self_crossings(discs)
    return sorted(crossings + [touch for touch in _self_touches(discs) if not _is_near_any(touch, crossings)])


def _is_near_any(touch: tuple[float, float], crossings: list[tuple[float, float]]) -> bool:
    return any(abs(touch[0] - a) < SMALLEST_MM and abs(touch[1] - b) < SMALLEST_MM for a, b in crossings)


def _self_touches(discs: Discs) -> list[tuple[float, float]]:
    """Where the centreline comes within TOUCH_MM of itself, once for each meeting: at its closest."""
    points = shapely.points(discs.points_mm)
    a, b = shapely.STRtree(points).query(points, predicate="dwithin", distance=TOUCH_MM)
    apart = discs.arc_mm[b] - discs.arc_mm[a] > SMALLEST_MM
    a, b = a[apart], b[apart]
    away = np.hypot(*(discs.points_mm[a] - discs.points_mm[b]).T)
    found: list[tuple[float, float]] = []
    for i in np.argsort(away, kind="stable"):
        touch = float(discs.arc_mm[b[i]]), float(discs.arc_mm[a[i]])
        if not _is_near_any(touch, found):
            found.append(touch)
    return found


def _self_crossings(discs: Discs) -> list[tuple[float, float]]:
    """Where the centreline crosses itself: (later, earlier) distance along the stroke."""
    points = discs.points_mm
    segments = shapely.linestrings(np.stack([points[:-1], points[1:]], axis=1))
    a, b = shapely.STRtree(segments).query(segments, predicate="intersects")
    pairs = (b - a) > 1
    a, b = a[pairs], b[pairs]
    d1, d2 = points[a + 1] - points[a], points[b + 1] - points[b]
    cross = d1[:, 0] * d2[:, 1] - d1[:, 1] * d2[:, 0]
    real = np.abs(cross) > 1e-12
    a, b, d1, d2, cross = a[real], b[real], d1[real], d2[real], cross[real]
    off = points[b] - points[a]
    part1 = np.clip((off[:, 0] * d2[:, 1] - off[:, 1] * d2[:, 0]) / cross, 0, 1)
    part2 = np.clip((off[:, 0] * d1[:, 1] - off[:, 1] * d1[:, 0]) / cross, 0, 1)
    steps = np.diff(discs.arc_mm)
    earlier, later = discs.arc_mm[a] + part1 * steps[a], discs.arc_mm[b] + part2 * steps[b]
    return list(zip(later.tolist(), earlier.tolist(), strict=True))


def _loop(discs: Discs, begin: float, end: float, inner: list[tuple[float, float]]) -> _Loop:
    """The trail between two visits of one point, without the loops that were taken off it before."""
    kept = (discs.arc_mm > begin) & (discs.arc_mm < end)
    for a, b in inner:
        kept &= (discs.arc_mm <= a) | (discs.arc_mm >= b)
    knot = np.array([discs.spot_at(begin).at_mm])
    radius = discs.radius_mm[kept]
    edge = float(np.interp(begin, discs.arc_mm, discs.radius_mm))
    return _Loop(
        begin_mm=begin,
        end_mm=end,
        points_mm=np.vstack([knot, discs.middle_mm[kept], knot]),
        radius_mm=np.concatenate([[edge], radius, [edge]]),
        sigma_mm=float(np.median(discs.sigma_mm[kept])) if kept.any() else float(discs.sigma_mm[0]),
        seen=bool(discs.seen[kept].all()),
    )


# ----------------------------------------------------------------------------------------- measuring loops


def _hole(loop: _Loop) -> tuple[tuple[float, float], float]:
    """The ring's middle, and the diameter of the largest circle of board inside its ink (negative if none)."""
    shape = _largest_area(loop.points_mm)
    if shape is None or shape.area < 0.01:
        x, y = loop.points_mm.mean(axis=0)
        return (float(x), float(y)), -float(2 * np.median(loop.radius_mm))
    circle = shapely.maximum_inscribed_circle(shape, tolerance=HOLE_TOLERANCE_MM)
    middle = shape.centroid
    return (float(middle.x), float(middle.y)), 2 * _widest(loop, shape, np.asarray(circle.coords[0]))


def _largest_area(points: Floats) -> Polygon | None:
    """The largest of the areas that a closed line encloses, which may cross or retrace itself; None if it has none."""
    if len(points) < 4:
        return None
    whole = shapely.make_valid(Polygon(points))
    areas = [part for part in shapely.get_parts(shapely.get_parts(whole)) if isinstance(part, Polygon)]
    return max(areas, key=lambda part: part.area, default=None)


def _widest(loop: _Loop, shape: Polygon, start: Floats) -> float:
    """The radius of the largest circle inside the ink, climbing from the middle of the one in the centreline."""
    best, step = start, 0.4
    for _ in range(40):
        around = best + step * np.array([[0, 0], [1, 0], [-1, 0], [0, 1], [0, -1]])
        inside = shapely.contains_xy(shape, around[:, 0], around[:, 1])
        room = np.where(inside, [_room(loop, point) for point in around], -np.inf)
        top = int(np.argmax(room))
        if top == 0:
            step /= 2
        if step < HOLE_TOLERANCE_MM:
            break
        best = around[top]
    return _room(loop, best)


def _room(loop: _Loop, point: Floats) -> float:
    """How far a point inside a ring is from the ring's ink."""
    return float(np.min(np.hypot(*(loop.points_mm - point).T) - loop.radius_mm))


def _gaps(loops: list[_Loop]) -> Floats:
    """Distances (n, n) between the rings' inks, negative where they overlap."""
    gaps = np.full((len(loops), len(loops)), np.inf)
    lines = [LineString(loop.points_mm) for loop in loops]
    for i, a in enumerate(loops):
        for j in range(i):
            rough = lines[i].distance(lines[j]) - a.radius_mm.max() - loops[j].radius_mm.max()
            gaps[i, j] = gaps[j, i] = _gap(a, loops[j]) if rough < LOOK_GAP_MM else rough
    return gaps


def _gap(a: _Loop, b: _Loop) -> float:
    """The distance between two inks; only the parts near the other ring are compared."""
    near_a, near_b = _beside(a, b), _beside(b, a)
    x = a.points_mm[near_a, None, 0] - b.points_mm[None, near_b, 0]
    y = a.points_mm[near_a, None, 1] - b.points_mm[None, near_b, 1]
    return float(np.min(np.hypot(x, y) - a.radius_mm[near_a, None] - b.radius_mm[None, near_b]))


def _beside(a: _Loop, b: _Loop) -> NDArray[np.bool_]:
    reach = LOOK_GAP_MM + a.radius_mm.max() + b.radius_mm.max()
    low, high = b.points_mm.min(axis=0) - reach, b.points_mm.max(axis=0) + reach
    return np.asarray(((a.points_mm >= low) & (a.points_mm <= high)).all(axis=1))
