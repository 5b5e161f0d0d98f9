"""Ink and gadgets (R11): where a tip stands to a rope's lines, and where ink touches a rope or a mine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
import shapely
from shapely.geometry import LineString
from shapely.geometry.base import BaseGeometry

from referee.facts import GadgetTouch, Margin, Point, RopeDistance
from referee.geometry.board import Board
from referee.geometry.outlines import nearest_edges, outline_margins
from referee.geometry.runs import runs
from referee.geometry.trail import Discs, Trail
from referee.model import Floats, Gadget, Stroke

NEAR_ROPE_MM = 60.0
"""From a tip farther along the course than this a rope's lines are not measured."""
ASIDE_MM = 10.0
"""Nor from one that lies farther than this beside the rope's ends."""
DOUBT_MM = 1.0
"""Ink that misses a gadget by no more than this is reported as a touch with a positive margin."""
EFFECT = ("clothesline", "mine")


def ropes_at(trail: Trail, i: int, board: Board, gadgets: Sequence[Gadget]) -> tuple[RopeDistance, ...]:
    """Where the tip at sample ``i`` of a stroke stands to the ropes, in course order."""
    section, discs = int(trail.section[i]), trail.discs
    progress = board.progress_mm(discs.points_mm[i], section)
    found = []
    for rope in gadgets:
        if rope.kind == "clothesline":
            ahead = rope.course_mm - progress
            near = abs(rope.section - section) <= 1 and abs(ahead) <= NEAR_ROPE_MM
            on_line = near and _is_beside(discs.points_mm[i], rope)
            found.append(_distance(rope, discs, i) if on_line else _far(rope, ahead))
    return tuple(found)


def _far(rope: Gadget, ahead_mm: float) -> RopeDistance:
    """A rope far off, ahead or behind: what counts is only on which side of it one is."""
    side: Literal["before", "behind"] = "before" if ahead_mm > 0 else "behind"
    return RopeDistance(rope.id, side, -abs(ahead_mm), abs(ahead_mm), rope.sigma_mm)


def _distance(rope: Gadget, discs: Discs, i: int) -> RopeDistance:
    at = discs.points_mm[i]
    behind = bool((at - np.array(rope.at_mm)) @ _across(rope) > 0)
    dotted = rope.dotted_mm[1 if behind else 0]
    away = float(LineString(dotted).distance(shapely.Point(at)))
    dotted_mm = away if _is_between(at, dotted, rope) else -away
    clear_mm = float(rope.ink.distance(shapely.Point(discs.middle_mm[i])) - discs.radius_mm[i])
    nearer = (
        (at, LineString(dotted), 0.0) if dotted_mm < clear_mm else (discs.middle_mm[i], rope.ink, discs.radius_mm[i])
    )
    return RopeDistance(
        element=rope.id,
        side="behind" if behind else "before",
        dotted_mm=dotted_mm,
        clear_mm=clear_mm,
        sigma_mm=rope.sigma_mm,
        edge_mm=_ends(*nearer),
    )


def _ends(at: Floats, line: BaseGeometry, radius_mm: float) -> tuple[Point, Point]:
    """Two ends of the distance from ink around a place to a line."""
    there = shapely.get_coordinates(shapely.shortest_line(shapely.Point(at), line))[1]
    way = (there - at) / max(1e-9, float(np.hypot(*(there - at))))
    ink = at + radius_mm * way
    return (float(ink[0]), float(ink[1])), (float(there[0]), float(there[1]))


def _is_beside(at: Floats, rope: Gadget) -> bool:
    """Whether a place lies on the road that a rope crosses, not on another leg of it round a bend."""
    along = _along(rope)
    reach = shapely.get_coordinates(rope.ink) @ along
    here = float(at @ along)
    return bool(reach.min() - ASIDE_MM <= here <= reach.max() + ASIDE_MM)


def _is_between(at: Floats, dotted: Floats, rope: Gadget) -> bool:
    """Whether a place lies on the same side of a dotted line as the solid one."""
    across, along = _across(rope), _along(rope)
    order = np.argsort(dotted @ along)
    level = float(np.interp(at @ along, (dotted @ along)[order], (dotted @ across)[order]))
    solid = float(np.array(rope.at_mm) @ across)
    return bool((at @ across - level) * (solid - level) >= 0)


def _along(rope: Gadget) -> Floats:
    """The unit direction (2,) of a rope's solid line."""
    corners = shapely.get_coordinates(shapely.minimum_rotated_rectangle(rope.ink))[:3]
    sides = np.diff(corners, axis=0)
    way = sides[int(np.argmax(np.hypot(*sides.T)))]
    return np.asarray(way / np.hypot(*way))


def _across(rope: Gadget) -> Floats:
    """The unit direction (2,) straight over a rope, onwards along the course."""
    along = _along(rope)
    across = np.array([-along[1], along[0]])
    return across if across @ np.array(rope.way) >= 0 else -across


def gadget_touches(discs: Discs, gadgets: Sequence[Gadget]) -> list[GadgetTouch]:
    """All touches of one stroke with ropes and mines; touching counts as touching."""
    found = []
    for gadget in gadgets:
        if gadget.kind in EFFECT:
            reach_mm = float(discs.radius_mm.max()) + DOUBT_MM + 0.5
            margin = outline_margins(discs, gadget.ink, reach_mm)
            found += [_touch(discs, gadget, margin, a, b) for a, b in runs(margin <= DOUBT_MM)]
    return found


def _touch(discs: Discs, gadget: Gadget, margin: Floats, a: int, b: int) -> GadgetTouch:
    low = a + int(np.argmin(margin[a:b]))
    touching = a + np.flatnonzero(margin[a:b] <= 0)
    first, last = (int(touching[0]), int(touching[-1])) if len(touching) else (low, low)
    return GadgetTouch(
        first=discs.spot(first),
        last=discs.spot(last),
        low=discs.spot(low),
        margin=Margin(float(margin[low]), float(np.hypot(discs.sigma_mm[low], gadget.sigma_mm))),
        element=gadget.id,
        kind=gadget.kind,
        across=_goes_over(discs, gadget, a, b),
        edge_mm=nearest_edges(discs, low, gadget.ink),
    )


def _goes_over(discs: Discs, gadget: Gadget, a: int, b: int) -> bool:
    """Whether the centreline gets to the other side of a rope's solid line between two samples."""
    if gadget.kind != "clothesline":
        return True
    beyond = (discs.points_mm[max(0, a - 1) : b + 1] - np.array(gadget.at_mm)) @ _across(gadget) > 0
    return bool(beyond.any() and not beyond.all())


def leads_over_a_rope(before: Stroke, after: Stroke, gadgets: Sequence[Gadget]) -> bool:
    """Whether a rope lies between the end of one stroke and the beginning of the next."""
    way = LineString([before.points_mm[-1], after.points_mm[0]])
    return any(gadget.kind == "clothesline" and gadget.ink.intersects(way) for gadget in gadgets)
