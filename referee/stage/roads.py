"""The road and its sections, worked out from a course and the white lines beside it.

From every step of the course a ray goes out to either side; the first white line that it meets is the road's edge
there.  A line that the course itself runs across nearby is no edge: it belongs to the road above (R7); where such a
line's road hides the edge, and where a ray meets nothing, the edge runs on evenly from what is known before and after.
The ribbon of all rays, less the white bands themselves, is the road: its near edges are exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import LineString, Point, Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import substring

from referee.model import Floats
from referee.stage.course import Along, along

REACH_MM = 26.0
"""No road is so wide that its edge lies farther from its middle."""
USUAL_HALF_MM = 10.0
ABOVE_MM = 30.0
"""A line that the course crosses is no edge of its road so near the crossing."""
SEGMENT_MM = 3.0
ONE_LINE_MM = 0.5
"""Lines whose ends meet are one line."""
ODD_SHARE, ODD_MM = 1.5, 2.5
"""A ray that reaches so much farther than those around it went through a hole in the line."""
AROUND_MM = 30.0
TURN_MM = 4.0
RUN_OUT_MM = 30.0
"""So far behind a course's end the white lines beside it are followed."""
SHORTEST_SECTION_MM = 12.0
LEAST_BESIDE_MM = 2.0
"""A line that borders less of a section than this only touches it."""
LONGEST_MM = 6000.0
"""No course on a board of A4 size is so long, and no pen draws so much white; larger boards have in proportion."""
MOST_CROSSINGS = 60
"""A course that crosses itself, or its white lines, more often is none."""
BARE_MM = 25.0
"""A stretch without a line that is longer than this is worth a remark."""


@dataclass(frozen=True, eq=False)
class Line:
    """A white line as it was traced: the middle of its band (N, 2), closed if its first point is its last."""

    points_mm: Floats
    width_mm: float = 2.0

    @property
    def band(self) -> Polygon:
        """Its printed area."""
        return LineString(self.points_mm).buffer(self.width_mm / 2, cap_style="flat", join_style="mitre")


@dataclass(frozen=True, eq=False)
class Bare:
    """A stretch of course with no white line to one side, from ``from_mm`` to ``to_mm`` along it, seen at a place."""

    side: int
    from_mm: float
    to_mm: float
    at_mm: tuple[float, float]


@dataclass(frozen=True, eq=False)
class Roads:
    """What was worked out: the roads of sections 1, 2, … and the sections beside each white line.

    ``course`` is the course, (N, 2) a piece, moved to the middle of the road; ``bare`` are stretches with no line.
    """

    roads: tuple[Polygon, ...]
    beside: tuple[tuple[int, ...], ...]
    course: tuple[Floats, ...]
    way: Along
    bare: tuple[Bare, ...]


def roads_of(course: Sequence[Floats], lines: Sequence[Line], stops: Sequence[BaseGeometry] = ()) -> Roads:
    """The roads along a course; ``stops`` (checkpoints, the start, the finish) say where sections are not cut.

    Raises ValueError where there is far more than a board has, or it crosses itself far too often.
    """
    _refuse_too_much([*course, *(line.points_mm for line in lines)])
    edges = _Edges(lines)
    middle = tuple(_centred(piece, edges) for piece in course)
    way = along(middle)
    cuts = _cuts(way, stops)
    stretches, bare = [], []
    for number, piece in enumerate(middle):
        ribbon = _Ribbon.of(piece, edges)
        offset = float(way.arc_mm[way.piece == number][0])
        stretches += [
            ribbon.section(a - offset, b - offset) for a, b in pairwise(cuts) if _within(way, number, (a + b) / 2)
        ]
        bare += ribbon.bare(offset)
    beside: list[list[int]] = [[] for _ in lines]
    for number, stretch in enumerate(stretches, 1):
        for line in stretch.lines:
            beside[line].append(number)
    roads = tuple(stretch.road for stretch in stretches)
    return Roads(roads, tuple(map(tuple, beside)), middle, way, tuple(bare))


def _refuse_too_much(lines: Sequence[Floats]) -> None:
    """Bounds the work: it grows with the course times the white lines."""
    length = sum(float(np.hypot(*np.diff(line, axis=0).T).sum()) for line in lines)
    low, high = (np.array([getattr(line, end)(axis=0) for line in lines]) for end in ("min", "max"))
    boards = max(1.0, float(np.prod(high.max(axis=0) - low.min(axis=0))) / (297 * 210))
    if length > LONGEST_MM * min(boards, 4.0):
        raise ValueError(f"{length:.0f} mm of lines are more than a board has")


def _within(way: Along, piece: int, place_mm: float) -> bool:
    arcs = way.arc_mm[way.piece == piece]
    return bool(arcs[0] <= place_mm <= arcs[-1])


# ------------------------------------------------------------------------------------------- the lines as edges


class _Edges:
    """All segments of all white lines, to be met by rays."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self.lines = lines
        starts, steps, owners, arcs = [np.zeros((0, 2))], [np.zeros((0, 2))], [np.zeros(0, int)], [np.zeros(0)]
        for number, line in enumerate(lines):
            points = shapely.get_coordinates(shapely.segmentize(LineString(line.points_mm), SEGMENT_MM))
            step = np.diff(points, axis=0)
            length = np.hypot(*step.T)
            starts.append(points[:-1])
            steps.append(step)
            owners.append(np.full(len(step), number))
            arcs.append(np.cumsum(length) - length / 2)
        self.start, self.step = np.concatenate(starts), np.concatenate(steps)
        self.owner, self.arc = np.concatenate(owners), np.concatenate(arcs)
        self.lengths = [float(np.hypot(*np.diff(line.points_mm, axis=0).T).sum()) for line in lines]

    def around(self, segment: int, reach_mm: float) -> NDArray[np.bool_]:
        """The segments no farther than this along the line from one of them, over its ends into the lines that go on
        there."""
        number, arc = int(self.owner[segment]), float(self.arc[segment])
        found = (self.owner == number) & (np.abs(self.arc - arc) <= reach_mm)
        whole = self.lengths[number]
        for end, rest in ((0, reach_mm - arc), (-1, reach_mm - (whole - arc))):
            if rest <= 0:
                continue
            tip = self.lines[number].points_mm[end]
            for other, line in enumerate(self.lines):
                for start in (0, -1):
                    if other != number and np.hypot(*(line.points_mm[start] - tip)) <= ONE_LINE_MM:
                        along_it = self.arc if start == 0 else self.lengths[other] - self.arc
                        found |= (self.owner == other) & (along_it <= rest)
        return np.asarray(found)

    def met(self, origin: Floats, ray: Floats, barred: NDArray[np.bool_] | None = None) -> tuple[Floats, Floats]:
        """How far along each ray (N, 2) its first edge lies, as a part of the ray (inf: none), and which segment."""
        if not len(self.start):
            return np.full(len(origin), np.inf), np.full(len(origin), -1)
        share, along_segment = _meeting(origin, ray, self.start, self.step)
        hit = (share >= 0) & (share <= 1) & (along_segment >= -1e-9) & (along_segment <= 1 + 1e-9)
        if barred is not None:
            hit &= ~barred
        share = np.where(hit, share, np.inf)
        return share.min(axis=1), np.where(hit.any(axis=1), share.argmin(axis=1), -1)


def _meeting(origin: Floats, ray: Floats, start: Floats, step: Floats) -> tuple[Floats, Floats]:
    """Where rays (N, 2) and segments (M, 2) meet: as parts (N, M) of the ray and of the segment."""
    cross = ray[:, None, 0] * step[None, :, 1] - ray[:, None, 1] * step[None, :, 0]
    off = start[None] - origin[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        share = (off[..., 0] * step[None, :, 1] - off[..., 1] * step[None, :, 0]) / cross
        inside = (off[..., 0] * ray[:, None, 1] - off[..., 1] * ray[:, None, 0]) / cross
    parallel = np.abs(cross) < 1e-12
    return np.where(parallel, np.inf, share), np.where(parallel, np.inf, inside)


# ------------------------------------------------------------------------------------------- one piece of course


@dataclass(frozen=True, eq=False)
class _Stretch:
    road: Polygon
    lines: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class _Ribbon:
    """One piece of course in steps, run out at both ends, and how far it is to the line at either side.

    ``reach`` and ``line`` are (N, 2), left then right: the distance to the middle of the line's band, and which
    segment of which line was met (-1: none, the distance is taken from the neighbours).
    """

    points: Floats
    arc: Floats
    normal: Floats
    reach: Floats
    segment: NDArray[np.intp]
    barred: NDArray[np.bool_]
    edges: _Edges
    length: float

    @classmethod
    def of(cls, piece: Floats, edges: _Edges) -> _Ribbon:
        """The ribbon round a piece of course (N, 2)."""
        points, arc = _stepped(piece)
        length = float(arc[-1])
        points, arc = _run_out(points, arc, edges)
        normal = _normals(points, arc)
        barred = _barred(points, arc, edges)
        reach, segment = _reaches(points, normal, edges, barred)
        return cls(
            points, arc, normal, _filled(arc, reach), np.where(np.isfinite(reach), segment, -1), barred, edges, length
        )

    def section(self, from_mm: float, to_mm: float) -> _Stretch:
        """The road between two places of this piece; at its ends the run-out goes with it."""
        low = -np.inf if from_mm <= 1e-6 else from_mm
        high = np.inf if to_mm >= self.length - 1e-6 else to_mm
        inner = np.flatnonzero((self.arc > low) & (self.arc < high))
        keep = [*([low] if np.isfinite(low) else []), *self.arc[inner], *([high] if np.isfinite(high) else [])]
        arcs = np.array(keep)
        points, normal = (_interpolated(arcs, self.arc, values) for values in (self.points, self.normal))
        reach = _interpolated(arcs, self.arc, self._outward())
        ribbon = _ribbon(points, normal, reach)
        bands = [self._band(line, inner) for line in self._lines(inner, 0.0)]
        road = _holding(ribbon.difference(shapely.union_all(bands)), LineString(points), ribbon)
        return _Stretch(road, self._lines(inner, LEAST_BESIDE_MM))

    def bare(self, offset_mm: float) -> list[Bare]:
        """The stretches where no line was met, run-outs and what lies under a bridge apart."""
        found = []
        under = np.asarray(self.barred.any(axis=1))
        on_course = (self.arc >= 0) & (self.arc <= self.length)
        for side in (0, 1):
            lost = (self.segment[:, side] < 0) & on_course
            for a, b in _runs(lost):
                if self.arc[b - 1] - self.arc[a] >= BARE_MM and not under[a:b].any():
                    x, y = self.points[(a + b) // 2]
                    found.append(
                        Bare(
                            side,
                            offset_mm + float(self.arc[a]),
                            offset_mm + float(self.arc[b - 1]),
                            (float(x), float(y)),
                        )
                    )
        return found

    def _outward(self) -> Floats:
        """How far the ribbon goes: into the band where there is one, to its near edge where there is none."""
        width = np.array([line.width_mm for line in self.edges.lines] or [2.0])
        owner = np.append(self.edges.owner, 0)[self.segment]
        met = self.segment >= 0
        return np.maximum(np.where(met, self.reach + 0.25 * width[owner], self.reach - 1.0), 0.5)

    def _lines(self, inner: NDArray[np.intp], least_mm: float) -> tuple[int, ...]:
        """The lines that border a stretch, those left out that only touch it."""
        met = self.segment[inner]
        owners = np.append(self.edges.owner, -1)[met].ravel()
        numbers, counts = np.unique(owners[owners >= 0], return_counts=True)
        step = float(np.median(np.diff(self.arc))) if len(self.arc) > 1 else 1.0
        enough = min(least_mm, 0.5 * len(inner) * step)
        return tuple(int(n) for n, count in zip(numbers, counts, strict=True) if count * step >= enough)

    def _band(self, number: int, inner: NDArray[np.intp]) -> BaseGeometry:
        """A line's band, without the stretches where its own road runs across this one."""
        line = self.edges.lines[number]
        own = self.edges.owner == number
        above = own & self.barred[inner].any(axis=0)
        if not above.any():
            return line.band
        whole = LineString(line.points_mm)
        half = SEGMENT_MM / 2
        arcs = self.edges.arc[own]
        kept, place = [], 0.0
        for a, b in _runs(above[own]):
            kept.append((place, float(arcs[a]) - half))
            place = float(arcs[b - 1]) + half
        kept.append((place, whole.length))
        pieces = [substring(whole, a, b) for a, b in kept if b - a > 0.1]
        bands = [piece.buffer(line.width_mm / 2, cap_style="flat", join_style="mitre") for piece in pieces]
        return shapely.union_all(bands)


def _stepped(piece: Floats, step_mm: float = 1.0) -> tuple[Floats, Floats]:
    arc = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(piece, axis=0).T))])
    even = np.linspace(0, arc[-1], max(3, int(np.ceil(arc[-1] / step_mm)) + 1))
    return _interpolated(even, arc, piece), even


def _interpolated(at: Floats, arc: Floats, values: Floats) -> Floats:
    return np.column_stack([np.interp(at, arc, values[:, 0]), np.interp(at, arc, values[:, 1])])


def _normals(points: Floats, arc: Floats) -> Floats:
    """Unit normals to the left of travel as seen on the board, smoothed so that they fan out in a corner."""
    ahead = _interpolated(np.clip(arc + TURN_MM, arc[0], arc[-1]), arc, points)
    behind = _interpolated(np.clip(arc - TURN_MM, arc[0], arc[-1]), arc, points)
    way = ahead - behind
    size = np.hypot(*way.T)
    way = way / np.where(size > 1e-9, size, 1.0)[:, None]
    return np.column_stack([way[:, 1], -way[:, 0]])


def _run_out(points: Floats, arc: Floats, edges: _Edges) -> tuple[Floats, Floats]:
    """The steps with those straight on behind both ends, as long as a line runs on beside them."""
    before, _ = _beyond(points[::-1], edges)
    after, _ = _beyond(points, edges)
    n, m = len(before), len(after)
    steps = np.arange(1, m + 1)
    whole = np.vstack([before[::-1], points, after])
    return whole, np.concatenate([-np.arange(n, 0, -1) * 0.5, arc, arc[-1] + steps * 0.5])


def _beyond(points: Floats, edges: _Edges) -> tuple[Floats, bool]:
    """Steps of 0.5 mm straight on from the last point: to the line across, or as long as both side lines go on."""
    back = points[-1] - points[max(-len(points), -1 - int(2 * TURN_MM))]
    size = float(np.hypot(*back))
    if size < 1e-9:
        return np.zeros((0, 2)), False
    way = back / size
    across, _ = edges.met(points[-1:], way[None] * RUN_OUT_MM)
    if np.isfinite(across[0]):
        count = int(across[0] * RUN_OUT_MM / 0.5)
        return points[-1] + way * (0.5 * np.arange(1, count + 1))[:, None], True
    steps = points[-1] + way * (0.5 * np.arange(1, int(RUN_OUT_MM / 0.5) + 1))[:, None]
    normal = np.tile([way[1], -way[0]], (len(steps), 1))
    sides = [edges.met(steps, side * normal * REACH_MM)[0] for side in (1, -1)]
    both = np.isfinite(sides[0]) & np.isfinite(sides[1])
    count = int(np.argmin(both)) if not both.all() else len(both)
    return steps[:count], False


def _barred(points: Floats, arc: Floats, edges: _Edges) -> NDArray[np.bool_]:
    """Which segments (steps, segments) are no edge for a step: those near where the course crosses their line."""
    barred = np.zeros((len(points), len(edges.start)), bool)
    if not len(edges.start):
        return barred
    share, inside = _meeting(points[:-1], np.diff(points, axis=0), edges.start, edges.step)
    crossed = (share >= 0) & (share < 1) & (inside >= 0) & (inside < 1)
    crossed &= ((arc[:-1] > 0) & (arc[:-1] < arc[-1] - 1))[:, None]
    _refuse_thicket(crossed)
    for i, j in np.argwhere(crossed):
        near = np.abs(arc - arc[i]) <= ABOVE_MM
        barred |= near[:, None] & edges.around(int(j), ABOVE_MM)[None]
    return barred


def _reaches(
    points: Floats, normal: Floats, edges: _Edges, barred: NDArray[np.bool_]
) -> tuple[Floats, NDArray[np.intp]]:
    reach, segment = np.empty((len(points), 2)), np.empty((len(points), 2), np.intp)
    for side, sign in enumerate((1, -1)):
        share, segment[:, side] = edges.met(points, sign * normal * REACH_MM, barred)
        reach[:, side] = share * REACH_MM
        odd = reach[:, side] > ODD_SHARE * _usual(reach[:, side]) + ODD_MM
        reach[odd, side] = np.inf
    return reach, segment


def _usual(reach: Floats) -> Floats:
    """The median of the finite reaches around each step."""
    half = int(AROUND_MM)
    padded = np.pad(np.where(np.isfinite(reach), reach, np.nan), half, constant_values=np.nan)
    windows = np.lib.stride_tricks.sliding_window_view(padded, 2 * half + 1)
    known = np.isfinite(windows).any(axis=1)
    usual = np.full(len(reach), USUAL_HALF_MM)
    usual[known] = np.nanmedian(windows[known], axis=1)
    return usual


def _filled(arc: Floats, reach: Floats) -> Floats:
    """Reaches with what is missing taken evenly from both neighbours, or from the other side."""
    filled = reach.copy()
    for side in (0, 1):
        known = np.isfinite(reach[:, side])
        if known.any():
            filled[:, side] = np.interp(arc, arc[known], reach[known, side])
    for side in (0, 1):
        if not np.isfinite(filled[:, side]).all():
            other = filled[:, 1 - side]
            filled[:, side] = other if np.isfinite(other).all() else USUAL_HALF_MM + 1.0
    return filled


def _ribbon(points: Floats, normal: Floats, reach: Floats) -> BaseGeometry:
    """The area between all pairs of neighbouring rays."""
    quads = []
    for side, sign in enumerate((1, -1)):
        tip = points + sign * normal * reach[:, side : side + 1]
        quads.append(np.stack([points[:-1], points[1:], tip[1:], tip[:-1], points[:-1]], axis=1))
    hulls = shapely.convex_hull(shapely.polygons(np.concatenate(quads)))
    return shapely.union_all(hulls[shapely.area(hulls) > 1e-9], grid_size=1e-6)


def _holding(area: BaseGeometry, course: LineString, ribbon: BaseGeometry) -> Polygon:
    """The part of an area that carries the course: slivers behind a band are none of the road."""
    parts = [part for part in getattr(area, "geoms", [area]) if isinstance(part, Polygon) and part.area > 0]
    if not parts:
        parts = [part for part in getattr(ribbon, "geoms", [ribbon]) if isinstance(part, Polygon)]
    on_course = [part for part in parts if part.intersection(course).length > 1.0] or parts
    whole = shapely.union_all([part.buffer(0.02, join_style="mitre") for part in on_course])
    whole = whole.buffer(-0.02, join_style="mitre")
    if not isinstance(whole, Polygon):
        whole = max(getattr(whole, "geoms", parts), key=lambda part: part.intersection(course).length)
    return Polygon(Polygon(whole.exterior, [r for r in whole.interiors if Polygon(r).area > 1.0]).simplify(0.01))


# ------------------------------------------------------------------------------------------- where to cut


def _cuts(way: Along, stops: Sequence[BaseGeometry]) -> list[float]:
    """Where sections begin and end along the course: at jumps, around bridges, and halfway between checkpoints."""
    breaks = [float(way.arc_mm[i + 1]) for i in np.flatnonzero(np.diff(way.piece))]
    fixed = [0.0, *breaks, way.length_mm]
    bridges, kept_free = _bridge_cuts(way)
    places = sorted({way.place_of(stop) for stop in stops})
    wished = [*bridges, *((a + b) / 2 for a, b in pairwise(places))]
    cuts = list(fixed)
    for place in wished:
        is_free = place in bridges or not any(a < place < b for a, b in kept_free)
        least = 4.0 if place in bridges else SHORTEST_SECTION_MM
        if is_free and min(abs(place - other) for other in cuts) >= least:
            cuts.append(place)
    return sorted(cuts)


def _bridge_cuts(way: Along) -> tuple[list[float], list[tuple[float, float]]]:
    """Cuts that keep the two passes of a bridge in sections that are no neighbours, and what is not to be cut."""
    cuts, free = [], []
    for first, second, angle in _crossings(way):
        clear = min(26.0 / max(np.sin(angle), 0.3), 60.0)
        gap = second - first
        clear = min(clear, gap / 3)
        cuts += [first + clear, second - clear]
        free += [(first - clear, first + clear), (second - clear, second + clear)]
    return cuts, free


def _refuse_thicket(crossed: NDArray[np.bool_]) -> None:
    if np.count_nonzero(crossed) > MOST_CROSSINGS:
        raise ValueError(f"lines that cross more than {MOST_CROSSINGS} times are a thicket")


def _crossings(way: Along) -> list[tuple[float, float, float]]:
    """Where the course crosses itself: both places along it, and the angle between the passes."""
    points, arc, piece = way.points_mm[::3], way.arc_mm[::3], way.piece[::3]
    steps = np.diff(points, axis=0)
    whole = piece[1:] == piece[:-1]
    share, inside = _meeting(points[:-1], steps, points[:-1], steps)
    hit = (share >= 0) & (share < 1) & (inside >= 0) & (inside < 1)
    hit &= whole[:, None] & whole[None] & (arc[None, :-1] - arc[:-1, None] > 6.0)
    _refuse_thicket(hit)
    found = []
    for i, j in np.argwhere(hit):
        sizes = np.hypot(*steps[i]) * np.hypot(*steps[j])
        sine = abs(steps[i][0] * steps[j][1] - steps[i][1] * steps[j][0]) / max(sizes, 1e-12)
        found.append((float(arc[i]), float(arc[j]), float(np.arcsin(min(1.0, sine)))))
    return found


def _centred(piece: Floats, edges: _Edges) -> Floats:
    """A piece of course moved to the middle between its lines, where both are known and it is not far off."""
    points, arc = _stepped(piece)
    normal = _normals(points, arc)
    reach, _ = _reaches(points, normal, edges, _barred(points, arc, edges))
    known = np.isfinite(reach).all(axis=1)
    shift = np.full(len(arc), np.nan)
    shift[known] = (reach[known, 0] - reach[known, 1]) / 2
    shift[np.abs(shift) > USUAL_HALF_MM] = np.nan
    known = np.isfinite(shift)
    if not known.any():
        return piece
    even = np.interp(arc, arc[known], shift[known])
    window = 9
    even = np.convolve(np.pad(even, window // 2, mode="edge"), np.ones(window) / window, mode="valid")
    moved = points + normal * even[:, None]
    return np.asarray(shapely.get_coordinates(LineString(moved).simplify(0.03)))


def _runs(flags: NDArray[np.bool_]) -> list[tuple[int, int]]:
    edges = np.flatnonzero(np.diff(np.concatenate([[False], flags, [False]]).astype(int)))
    return [(int(a), int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True)]


def across(line_mm: Floats, road: BaseGeometry, course: BaseGeometry, slack_mm: float) -> Floats:
    """A line drawn out, or cut, to the edges of the road it lies across, where they are near its ends."""
    line = LineString(line_mm)
    at = line.intersection(course)
    foot = float(line.project(at.centroid if not at.is_empty else Point(shapely.shortest_line(line, course).coords[0])))
    ends = []
    for sign, end in ((-1, 0), (1, -1)):
        nxt = line_mm[1] if end == 0 else line_mm[-2]
        way = line_mm[end] - nxt
        far = line_mm[end] + way / max(float(np.hypot(*way)), 1e-9) * slack_mm
        half = substring(line, foot, line.length if sign > 0 else 0.0)
        reach = LineString([*half.coords, tuple(far)]) if half.length else LineString([line.interpolate(foot), far])
        cut = reach.intersection(road.boundary)
        first = min((reach.project(Point(c)) for c in shapely.get_coordinates(cut)), default=None)
        ends.append(np.array(reach.interpolate(first).coords[0]) if first is not None else line_mm[end])
    return np.vstack([ends[0], line_mm[1:-1], ends[1]])
