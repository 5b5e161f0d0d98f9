"""What the marks on a board are, by their shapes: a rope with its two dotted lines, a mine, or other ink.

A boxed game's templates may differ from the printable ones: nothing but a range is taken for granted of any size.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import shapely
from shapely.geometry import LineString, Polygon

from referee.model import Floats, Mark

LONG_MM, SLENDER = 8.0, 3.5
"""A rope's solid line is at least this long, and so many times as long as it is wide."""
PIECE_MM, PIECE_SLENDER, PIECE_GAP_MM, PIECE_OFF_DEG = 2.5, 2.0, 1.5, 12.0
"""Pieces of a line that are longer than the one and as slender as the other are one line: in line, this far apart."""
DOT_MM = 6.0
"""A dot (or dash) of a dotted line is no longer than this."""
DOTTED_FROM_MM, DOTTED_TO_MM = 2.0, 30.0
"""How far from its solid line a rope's dotted lines may run."""
DOTTED_LEAN = 0.4
"""A dotted line may run askew: so many millimetres for every one along the solid line."""
DOTS, FAINT_DOTS, OUT_OF_LINE_MM, SPANS = 3, 4, 1.2, 0.5
"""A dotted line has at least so many dots (more, if they are faint), this well in line, over at least this share of
the solid line's length."""
DRAWN_OUT_MM = 12.0
"""Dotted lines are drawn out by this much at both ends, to cross the road."""
MINE_MM = (3.5, 18.0)
"""How wide a mine may be."""
TOGETHER_MM = 1.0
"""Marks nearer than this may be parts of one drawing."""
ROUND = 0.8
"""Of the circle round a mine its hull fills at least this share."""
RIM, CLOSED = 0.68, 0.8
"""Beyond this share of its radius a mine has ink to at least this share of all sides."""
ARMS, ARMS_AT, FILLED = (3, 5), 0.45, 0.85
"""At this share of the radius an X is met so many times (least, most); or, drawn by a broad pen, it fills this much."""
MAY_BE_FILLED_MM = 11.0
"""A broad pen fills a mine of this size, hardly a wider one."""
WAYS = 180


@dataclass(frozen=True, eq=False)
class Rope:
    """A solid line with a dotted line on either side, each (N, 2) or None; ``ends_mm`` (2, 2) are the line's own."""

    ink: Polygon
    ends_mm: Floats
    dotted_mm: tuple[Floats | None, Floats | None]
    sigma_mm: float


@dataclass(frozen=True, eq=False)
class Disc:
    """A circle with a cross in it: ``ink`` is the circle with all that is inside."""

    ink: Polygon
    sigma_mm: float


@dataclass(frozen=True, eq=False)
class Shapes:
    """All that was drawn: every mark belongs to one of them; ``lines`` are as a rope's, without any dotted line."""

    ropes: tuple[Rope, ...]
    lines: tuple[Rope, ...]
    mines: tuple[Disc, ...]
    others: tuple[Disc, ...]


@dataclass(frozen=True, eq=False)
class _Piece:
    """A mark with its middle and the straight line along it."""

    ink: Polygon
    middle: Floats
    way: Floats
    long_mm: float
    wide_mm: float
    sigma_mm: float


def shapes_of(marks: Sequence[Mark], faint: Sequence[Mark] = ()) -> Shapes:
    """What the marks are; ``faint`` ones are dots, if they make a dotted line where there should be one."""
    pieces, dots = ([piece for mark in some if (piece := _piece(mark)) is not None] for some in (marks, faint))
    ropes, lines, left = _ropes(pieces, dots)
    mines, left = _mines(left)
    others = [Disc(_hull(group), group[0].sigma_mm) for group in _groups(left, TOGETHER_MM)]
    return Shapes(tuple(ropes), tuple(lines), tuple(mines), tuple(others))


def _piece(mark: Mark) -> _Piece | None:
    if len(mark.outline_mm) < 4:
        return None
    parts = shapely.get_parts(shapely.make_valid(Polygon(mark.outline_mm, mark.holes_mm)))
    areas = [part for part in parts if isinstance(part, Polygon)]
    if not areas:
        return None
    ink = max(areas, key=lambda part: part.area)
    return _straight(ink, mark.sigma_mm)


def _straight(ink: Polygon, sigma_mm: float) -> _Piece:
    """An area with the rectangle that it fits in."""
    corners = shapely.get_coordinates(shapely.minimum_rotated_rectangle(ink))[:3]
    sides = np.diff(corners, axis=0) if len(corners) == 3 else np.zeros((2, 2))
    lengths = np.hypot(*sides.T)
    far = int(np.argmax(lengths))
    way = sides[far] / max(lengths[far], 1e-9)
    middle = np.array(ink.envelope.centroid.coords[0]) if ink.area <= 0 else np.array(ink.centroid.coords[0])
    return _Piece(ink, middle, way, float(lengths[far]), float(lengths[1 - far]), sigma_mm)


# ----------------------------------------------------------------------------------------- ropes


def _ropes(pieces: list[_Piece], faint: list[_Piece]) -> tuple[list[Rope], list[Rope], list[_Piece]]:
    """The ropes, the longest first; lines without dots beside them; and the pieces that belong to none."""
    ropes: list[Rope] = []
    bare: list[Rope] = []
    left = list(pieces)
    for line, parts in sorted(_lines(pieces), key=lambda one: -one[0].long_mm):
        if any(part not in left for part in parts):
            continue
        left = [piece for piece in left if piece not in parts]
        rows = [_dotted(line, left, side, DOTS) or _dotted(line, [*left, *faint], side, FAINT_DOTS) for side in (-1, 1)]
        left = [piece for piece in left if piece not in rows[0] and piece not in rows[1]]
        half = line.way * line.long_mm / 2
        dotted = [_drawn_out(row, line.way) if row else None for row in rows]
        ends = np.array([line.middle - half, line.middle + half])
        (ropes if any(rows) else bare).append(Rope(line.ink, ends, (dotted[0], dotted[1]), line.sigma_mm))
    return ropes, bare, left


def _lines(pieces: list[_Piece]) -> list[tuple[_Piece, list[_Piece]]]:
    """Solid lines, whole or of several pieces in line, each with its pieces."""
    able = [p for p in pieces if p.long_mm >= PIECE_MM and p.long_mm >= PIECE_SLENDER * p.wide_mm]
    chains = _linked(able, _in_line)
    lines = [(_one(chain), chain) for chain in chains]
    return [(line, chain) for line, chain in lines if line.long_mm >= max(LONG_MM, SLENDER * line.wide_mm)]


def _in_line(a: _Piece, b: _Piece) -> bool:
    """Whether two pieces go on in each other."""
    between = b.middle - a.middle
    far = max(float(np.hypot(*between)), 1e-9)
    least = float(np.cos(np.radians(PIECE_OFF_DEG)))
    alike = min(abs(a.way @ b.way), abs(a.way @ between) / far, abs(b.way @ between) / far) >= least
    return bool(alike and a.ink.distance(b.ink) <= PIECE_GAP_MM)


def _one(chain: list[_Piece]) -> _Piece:
    """A line of one or several pieces as one piece; the gaps are filled."""
    if len(chain) == 1:
        return chain[0]
    wide = float(np.median([piece.wide_mm for piece in chain]))
    middles = sorted((tuple(piece.middle) for piece in chain), key=lambda at: float(np.dot(at, chain[0].way)))
    whole = shapely.unary_union([*(piece.ink for piece in chain), LineString(middles).buffer(wide / 2)])
    return _straight(max(shapely.get_parts(whole), key=lambda part: part.area), chain[0].sigma_mm)


def _dotted(line: _Piece, pieces: list[_Piece], side: int, least: int) -> list[_Piece]:
    """The dots of the dotted line on one side of a solid one, in order along it; none if there is no such line.

    Of all lines through two of the dots the one with most dots on it (M. Fischler, R. Bolles, 1981, taking every two).
    """
    across = side * np.array([-line.way[1], line.way[0]])
    dots = [p for p in pieces if p.long_mm <= DOT_MM]
    at = np.array([p.middle for p in dots]).reshape(-1, 2) - line.middle
    u, v = at @ line.way, at @ across
    near = (np.abs(u) <= line.long_mm / 2 + DOT_MM) & (v >= DOTTED_FROM_MM) & (v <= DOTTED_TO_MM)
    best: list[int] = []
    for i, j in combinations(np.flatnonzero(near).tolist(), 2):
        if abs(u[j] - u[i]) < SPANS / 2 * line.long_mm:
            continue
        lean = (v[j] - v[i]) / (u[j] - u[i])
        on = np.flatnonzero(near & (np.abs(v - v[i] - lean * (u - u[i])) <= OUT_OF_LINE_MM))
        if abs(lean) <= DOTTED_LEAN and (len(on), -v[on].mean()) > (len(best), -v[best].mean() if best else 0.0):
            best = on.tolist()
    if len(best) < least or np.ptp(u[best]) < SPANS * line.long_mm:
        return []
    return [dots[i] for i in sorted(best, key=lambda i: u[i])]


def _drawn_out(row: list[_Piece], way: Floats) -> Floats:
    """A dotted line (N, 2) through its dots, drawn out at both ends along the straight line that fits it."""
    points = np.array([piece.middle for piece in row])
    along = np.linalg.svd(points - points.mean(axis=0), full_matrices=False)[2][0]
    along = along if along @ way >= 0 else -along
    return np.vstack([points[0] - DRAWN_OUT_MM * along, points, points[-1] + DRAWN_OUT_MM * along])


# ----------------------------------------------------------------------------------------- mines


def _mines(pieces: list[_Piece]) -> tuple[list[Disc], list[_Piece]]:
    """The circles with a cross in them, and the pieces that belong to none."""
    found, left = [], []
    for group in _groups(pieces, TOGETHER_MM):
        if _is_mine(shapely.unary_union([piece.ink for piece in group])):
            found.append(Disc(_hull(group), group[0].sigma_mm))
        else:
            left += group
    return found, left


def _is_mine(ink: shapely.Geometry) -> bool:
    """Whether ink is a circle with a cross in it."""
    circle = shapely.minimum_bounding_circle(ink)
    radius = float(shapely.minimum_bounding_radius(ink))
    if not MINE_MM[0] <= 2 * radius <= MINE_MM[1] or ink.convex_hull.area < ROUND * circle.area:
        return False
    middle = np.array(circle.centroid.coords[0])
    turns = np.arange(WAYS) * 2 * np.pi / WAYS
    ways = np.column_stack([np.cos(turns), np.sin(turns)])
    shapely.prepare(ink)
    rays = [LineString([middle + RIM * radius * way, middle + 1.05 * radius * way]) for way in ways]
    closed = float(np.mean(shapely.intersects(np.array(rays), ink)))
    on = shapely.contains_xy(ink, *(middle + ARMS_AT * radius * ways).T)
    arms = int(np.count_nonzero(on & ~np.roll(on, 1)))
    crossed = ARMS[0] <= arms <= ARMS[1] and ink.distance(shapely.Point(middle)) < 0.25 * radius
    filled = 2 * radius <= MAY_BE_FILLED_MM and ink.area >= FILLED * ink.convex_hull.area
    return bool(closed >= CLOSED and (crossed or filled))


def _hull(group: list[_Piece]) -> Polygon:
    """A drawing with all that is inside it."""
    whole = shapely.unary_union([piece.ink for piece in group]).convex_hull
    return whole if isinstance(whole, Polygon) else whole.buffer(0.05)


# ----------------------------------------------------------------------------------------- what belongs together


def _groups(pieces: list[_Piece], apart_mm: float) -> list[list[_Piece]]:
    """Pieces that are parts of one drawing: near each other, or one inside another's outline."""
    hulls = {id(piece): piece.ink.convex_hull for piece in pieces}
    return _linked(pieces, lambda a, b: bool(hulls[id(a)].distance(hulls[id(b)]) <= apart_mm))


def _linked(pieces: list[_Piece], are_linked) -> list[list[_Piece]]:  # type: ignore[no-untyped-def]
    """Pieces in groups: whoever is linked to one of a group belongs to it."""
    left, groups = list(pieces), []
    while left:
        group = [left.pop(0)]
        for one in group:
            more = [other for other in left if are_linked(one, other)]
            left = [other for other in left if other not in more]
            group += more
        groups.append(group)
    return groups
