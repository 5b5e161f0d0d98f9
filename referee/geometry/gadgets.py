"""Gadgets on a board (R11): which marks are one, where along the course it lies, and whether it may lie there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import shapely
from shapely.geometry import LineString, Point, Polygon
from shapely.geometry.base import BaseGeometry

from referee.geometry.board import Board, board_of
from referee.geometry.marks import Disc, Rope, shapes_of
from referee.model import Floats, Gadget, GadgetKind, Limit, Mark, Stage, UnseenArea

REACHED_MM = 1.5
"""A rope that ends no farther than this before a white line has reached it: no car drives round there."""
NEAR_DARK_MM = 3.0
"""What is nearer to something that is not seen may be bleached by it."""
END_SHARE = 0.2
"""So much of a rope's length is its end."""
DOT_MM = 0.3
"""A picture in which edges are less certain than half of this may not show a line of dots that is there."""
USUAL_MM = 9.0
"""How far from the solid line the dotted ones of the printable template run."""
RACED_MM = 60.0
"""Ink that runs along the course for longer than this was left by a race, not drawn before it."""
RACED_STEP_MM = 3.0
NEAR_COURSE_MM = 25.0
SMALL_MM2 = 3.0
"""Ink that is no gadget and smaller than this is not worth a word."""
FAR_MM = 12.0
"""Zones and white lines farther from a gadget than this are not listed."""
LEAP_WIDE_MM = 3.0
"""How far a leap's outline reaches over the road's rim."""


def gadgets_of(
    marks: Sequence[Mark], stage: Stage, faint: Sequence[Mark] = (), unseen: Sequence[UnseenArea] = ()
) -> tuple[Gadget, ...]:
    """The gadgets that marks on a board are, in the order of the course; ids count each kind along it.

    ``faint`` marks may be the dots of a dotted line.  A line without dotted ones that reaches both white lines is a
    rope, badly drawn or badly seen; any other is just ink.  Whether a rope reaches a white line is not told where the
    picture does not show the way between them.
    """
    board, shapes = board_of(stage), shapes_of(marks, faint)
    dark = shapely.union_all([shapely.make_valid(Polygon(area.outline_mm, area.holes_mm)) for area in unseen])
    found = [_rope(rope, board, dark) for rope in shapes.ropes]
    for line in shapes.lines:
        rope = _rope(line, board, dark)
        reaches = [limit for limit in rope.limits if limit.kind == "reach" and limit.mm >= 0]
        found.append(rope if len(reaches) == 2 else _disc(Disc(line.ink, line.sigma_mm), "other", board))
    found += [_disc(mine, "mine", board) for mine in shapes.mines]
    found += [_disc(ink, "other", board) for ink in shapes.others if ink.ink.area >= SMALL_MM2]
    named: list[Gadget] = []
    for gadget in sorted(found, key=lambda g: g.course_mm):
        count = sum(other.kind == gadget.kind for other in named) + 1
        named.append(replace(gadget, id=f"{gadget.kind}-{count}"))
    return tuple(named)


def is_raced(marks: Sequence[Mark], stage: Stage) -> bool:
    """Whether one of the marks runs so far along the course that it is a race's ink."""
    board = board_of(stage)
    course = shapely.points(board.course_mm)
    for mark in marks:
        if len(mark.outline_mm) < 4 or np.ptp(mark.outline_mm, axis=0).max() < RACED_MM / 4:
            continue
        ink = shapely.make_valid(Polygon(mark.outline_mm, mark.holes_mm))
        beside = shapely.dwithin(ink, course, RACED_STEP_MM)
        if np.count_nonzero(beside) >= RACED_MM:
            return True
    return False


def leaps_of(gadgets: Sequence[Gadget]) -> tuple[tuple[Floats, Floats], ...]:
    """The places that every rope is jumped from and to, as outlines (N, 2): between its dotted lines and itself."""
    ropes = [gadget for gadget in gadgets if gadget.kind == "clothesline"]
    return tuple((_strip(rope, 0), _strip(rope, 1)) for rope in ropes)


def _strip(rope: Gadget, side: int) -> Floats:
    """The board between a rope's solid line and one of its dotted lines."""
    hull = shapely.union(rope.ink, LineString(rope.dotted_mm[side][1:-1])).convex_hull
    return np.asarray(shapely.get_coordinates(hull.buffer(LEAP_WIDE_MM / 2)))


# ----------------------------------------------------------------------------------------- ropes


def _rope(rope: Rope, board: Board, dark: BaseGeometry) -> Gadget:
    section, course_mm, way = _on_course(rope.ink, board, across=rope.ends_mm[1] - rope.ends_mm[0])
    middle = rope.ends_mm.mean(axis=0)
    lines = _from_before_to_behind(rope, middle, way)
    any_dots = any(line is not None for line in lines)
    drawn = [
        line if line is not None else _mirrored(other, rope.ends_mm, side * way)
        for side, line, other in zip((-1, 1), lines, lines[::-1], strict=True)
    ]
    whole = shapely.union_all([rope.ink, *(LineString(line[1:-1]) for line in lines if line is not None)])
    missing = [Limit("dotted", None, -DOT_MM if any_dots else -1.0, rope.sigma_mm) for line in lines if line is None]
    return Gadget(
        "",
        "clothesline",
        _pair(middle),
        rope.ink,
        rope.sigma_mm,
        section,
        course_mm,
        _pair(way),
        tuple(drawn),
        (*_zone_limits(whole, rope.sigma_mm, board), *_reach_limits(rope, board, section, dark), *missing),
    )


def _from_before_to_behind(rope: Rope, middle: Floats, way: Floats) -> list[Floats | None]:
    """A rope's two dotted lines, the one that a car comes to first before the other."""
    lines = list(rope.dotted_mm)
    known = next((i for i, line in enumerate(lines) if line is not None), 0)
    line = lines[known]
    if line is None:
        return lines
    is_behind = bool((line[1:-1].mean(axis=0) - middle) @ way > 0)
    return lines if is_behind == (known == 1) else lines[::-1]


def _mirrored(line: Floats | None, ends_mm: Floats, way: Floats) -> Floats:
    """Where a rope's other dotted line would be: as far from the solid one as this one; `USUAL_MM` if there is none."""
    if line is None:
        return np.asarray(ends_mm[[0, 0, 1, 1]] + USUAL_MM * way)
    along = (ends_mm[1] - ends_mm[0]) / np.hypot(*(ends_mm[1] - ends_mm[0]))
    across = np.array([-along[1], along[0]])
    return np.asarray(line - 2 * ((line - ends_mm[0]) @ across)[:, None] * across)


def _reach_limits(rope: Rope, board: Board, section: int, dark: BaseGeometry) -> list[Limit]:
    """How near a rope comes to the white lines at both of its ends, less what is near enough."""
    along = rope.ends_mm[1] - rope.ends_mm[0]
    middle = rope.ends_mm.mean(axis=0)
    bands = [line for line in board.stage.white_lines if section in line.sections]
    limits = []
    for end in rope.ends_mm:
        tip = (
            LineString([end + END_SHARE * (middle - end), end])
            .buffer(float(np.hypot(*along)) * 0.05)
            .intersection(rope.ink)
        )
        tip = tip if not tip.is_empty else Point(end)
        out = np.sign((end - middle) @ along)
        beyond = [
            (float(line.band.distance(tip)), line.id) for line in bands if _lies_beyond(line.band, middle, out * along)
        ]
        if beyond:
            away, element = min(beyond)
            band = next(line.band for line in bands if line.id == element)
            if dark.distance(shapely.shortest_line(tip, band)) < NEAR_DARK_MM and away > REACHED_MM:
                continue
            limits.append(Limit("reach", element, REACHED_MM - away, rope.sigma_mm))
    return limits


def _lies_beyond(band: Polygon, middle: Floats, way: Floats) -> bool:
    """Whether a white line runs across the straight way on from a rope's end."""
    far = LineString([middle, middle + way / np.hypot(*way) * 60.0])
    return bool(band.intersects(far))


# ----------------------------------------------------------------------------------------- mines and other ink


def _disc(disc: Disc, kind: GadgetKind, board: Board) -> Gadget:
    section, course_mm, way = _on_course(disc.ink, board)
    limits = [*_zone_limits(disc.ink, disc.sigma_mm, board), *_line_limits(disc, board)] if kind == "mine" else []
    middle = np.array(disc.ink.centroid.coords[0])
    return Gadget(
        "", kind, _pair(middle), disc.ink, disc.sigma_mm, section, course_mm, _pair(way), limits=tuple(limits)
    )


def _line_limits(disc: Disc, board: Board) -> list[Limit]:
    """How far a mine is from the white lines; touching is too near."""
    away = [(float(line.band.distance(disc.ink)), line) for line in board.stage.white_lines]
    return [
        Limit("white-line", line.id, mm if mm > 0 else -_depth(line.band, disc.ink), disc.sigma_mm)
        for mm, line in away
        if mm <= FAR_MM
    ]


def _zone_limits(ink: BaseGeometry, sigma_mm: float, board: Board) -> list[Limit]:
    """How far a gadget is from the zones with an effect; touching is too near."""
    zones = [(field.element, field.shape) for field in board.fields]
    zones += [(spill.id, spill.reach) for spill in board.stage.oil_spills]
    near = [(name, shape, float(shape.distance(ink))) for name, shape in zones]
    return [
        Limit("zone", name, mm if mm > 0 else -_depth(shape, ink), sigma_mm) for name, shape, mm in near if mm <= FAR_MM
    ]


def _depth(shape: Polygon, ink: BaseGeometry) -> float:
    """How far ink reaches into a shape: the largest distance of its inner part to the shape's rim."""
    inner = shapely.get_coordinates(ink.intersection(shape))
    return float(np.max(shapely.distance(shape.exterior, shapely.points(inner)), initial=0.0))


# ----------------------------------------------------------------------------------------- on the course


def _on_course(ink: BaseGeometry, board: Board, across: Floats | None = None) -> tuple[int, float, Floats]:
    """The section that a drawing lies on, how far along the course, and the unit direction of travel there.

    Of two roads, one above the other, a rope (with its direction ``across``) lies on the one that it crosses, anything
    else on the one whose middle is nearer.
    """
    near = np.asarray(shapely.distance(ink, shapely.points(board.course_mm)))
    ways = _ways(board)
    best: tuple[float, int] = (np.inf, int(np.argmin(near)))
    for section in set(board.course_section.tolist()):
        own = np.flatnonzero(board.course_section == section)
        i = int(own[np.argmin(near[own])])
        skew = 0.0 if across is None else abs(float(ways[i] @ across)) / float(np.hypot(*across))
        best = min(best, (float(near[i]) + NEAR_COURSE_MM * skew, i))
    i = best[1]
    middle = np.array(ink.centroid.coords[0])
    own = np.flatnonzero(board.course_section == board.course_section[i])
    nearest = int(own[np.argmin(np.hypot(*(board.course_mm[own] - middle).T))]) if across is None else i
    return int(board.course_section[nearest]), float(board.course_arc_mm[nearest]), ways[nearest]


def _ways(board: Board) -> Floats:
    """The direction of travel (N, 2) at every point of the course; where the car is in the air it is the one before."""
    steps = np.array([b - a for a, b in pairwise(board.course_mm)])
    lengths = np.hypot(*steps.T)
    long = np.flatnonzero(lengths > 3.0)
    ways = steps / np.maximum(lengths, 1e-9)[:, None]
    for i in long:
        ways[i] = ways[max(0, i - 1)]
    return np.asarray(np.vstack([ways, ways[-1:]]))


def _pair(at: Floats) -> tuple[float, float]:
    return float(at[0]), float(at[1])
