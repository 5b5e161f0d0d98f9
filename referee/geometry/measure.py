"""Path × stage → facts in path order, each with its place, margin and uncertainty."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache, partial

import numpy as np
import shapely

from referee.facts import Crossing, Distances, DryGap, End, Fact, Facts, Limits, OilTouch, Touch, spot_of
from referee.geometry.board import Board, board_of
from referee.geometry.contacts import line_facts
from referee.geometry.gaps import close_dry_gaps, gap_between, joined
from referee.geometry.hidden import Dark, dark_of, hidden_runs, in_the_dark, near_dark, reach_mm, with_dark_ends
from referee.geometry.oil import oil_facts
from referee.geometry.places import begin_of, crossings, distances, end_of, just_short, turns, zone_visits
from referee.geometry.rings import rings_of
from referee.geometry.ropes import gadget_touches, leads_over_a_rope, ropes_at
from referee.geometry.trail import Trail, discs_of, trail_of
from referee.model import Floats, Gadget, Path, Stage, Stroke, UnseenArea, UnseenStretch

OIL_DOUBT_MM = 1.0
"""Rings are looked for in a stroke that touches a spill or misses one by no more than this."""
GAP_DOUBT_MM = 2.0
"""No gap is measured wrong by more than this."""
RINGS_A_STROKE = 1000
KEPT_STROKES = 128


@dataclass(frozen=True)
class Beforehand:
    """What a baseline says about a board: the gadgets drawn on it, and what of it the baseline does not show."""

    gadgets: tuple[Gadget, ...] = ()
    unseen: tuple[UnseenArea, ...] = ()


NOTHING = Beforehand()


def measure(
    path: Path,
    stage: Stage,
    unseen: tuple[UnseenArea, ...] = (),
    limits: Limits | None = None,
    before: Beforehand = NOTHING,
) -> Facts:
    """Everything that the rules need to know about a path on a stage.

    ``unseen`` are the parts of the board that the picture does not show, ``before`` what was drawn before the race.
    Dry gaps within ``limits`` are closed first, and all facts number the strokes after that; ``Facts.path`` is the
    path as measured.
    """
    limits = limits or Limits()
    board = board_of(stage)
    dark = dark_of(unseen, board)
    over_a_rope = partial(leads_over_a_rope, gadgets=before.gadgets)
    closed, gaps = close_dry_gaps(path, board, limits, partial(in_the_dark, dark=dark), over_a_rope)
    strokes = _measured_strokes(closed, board, dark, limits, before)
    items = [fact for stroke in strokes for fact in stroke.items]
    items += [_dry(strokes[number].trail, closed, number, index, mm) for number, index, mm in gaps]
    return Facts(
        items=tuple(sorted(items, key=lambda f: (spot_of(f).stroke, spot_of(f).arc_mm))),
        course=board.course,
        distances=tuple(d for stroke in strokes for d in stroke.distances),
        hidden_places=dark.places,
        hidden_lines=dark.lines,
        unseen=dark.stretches,
        gadgets=before.gadgets,
        unseen_before=unseen_of(before.unseen, stage),
        path=closed,
    )


def unseen_of(unseen: tuple[UnseenArea, ...], stage: Stage) -> tuple[UnseenStretch, ...]:
    """The stretches of a stage's road that a picture does not show."""
    return dark_of(unseen, board_of(stage)).stretches


@dataclass(frozen=True, eq=False)
class _Measured:
    """One stroke's facts, its end's gap apart."""

    trail: Trail
    items: tuple[Fact, ...]
    distances: tuple[Distances, ...]


def _measured_strokes(path: Path, board: Board, dark: Dark, limits: Limits, before: Beforehand) -> list[_Measured]:
    """Every stroke measured, taken to come from the section where the one before ended."""
    found: list[_Measured] = []
    came_from = board.start_section
    for number, stroke in enumerate(path.strokes):
        one = _measured(stroke, number, came_from, board, dark, limits, before)
        came_from = int(one.trail.section[-1])
        if number + 1 < len(path.strokes):
            after = path.strokes[number + 1]
            gap = gap_between(stroke, after, limits.lead_mm)
            between = (
                _crossed_between(one.trail, stroke, after, board)
                if gap.mm <= limits.unclear_gap_mm + GAP_DOUBT_MM
                else ()
            )
            items = (replace(f, gap=gap, between=between) if isinstance(f, End) else f for f in one.items)
            one = replace(one, items=tuple(items))
        found.append(one)
    return found


def _crossed_between(trail: Trail, stroke: Stroke, after: Stroke, board: Board) -> tuple[Crossing, ...]:
    """The lines that a stroke crosses if it goes on straight to where the next one begins."""
    gone = float(trail.discs.arc_mm[-1])
    whole = trail_of(
        discs_of(joined(stroke, after, True), trail.discs.spot_at(gone).stroke), board, int(trail.section[0])
    )
    far = gone + float(np.hypot(*(after.points_mm[0] - stroke.points_mm[-1])))
    return tuple(c for c in crossings(whole) if gone <= c.spot.arc_mm <= far)


@lru_cache(maxsize=KEPT_STROKES)
def _measured(
    stroke: Stroke, number: int, came_from: int, board: Board, dark: Dark, limits: Limits, before: Beforehand
) -> _Measured:
    """One stroke's facts; remembered, since the orders of one picture's strokes share most of them."""
    stroke = with_dark_ends(stroke, dark, limits.lead_mm)
    trail = trail_of(discs_of(stroke, number), board, came_from)
    begin, end = (_hidden_reach(trail, stroke, i, dark) for i in (0, -1))
    items: list[Fact] = [
        replace(begin_of(trail, board, stroke), reach_mm=begin, ropes=ropes_at(trail, 0, board, before.gadgets)),
        *line_facts(trail, board, limits.near_mm),
        *oil_facts(trail.discs, board.stage, limits.near_mm),
        *gadget_touches(trail.discs, before.gadgets),
        *crossings(trail),
        *just_short(trail, board),
        *zone_visits(trail, board),
        *turns(trail),
        *hidden_runs(trail, board, dark),
        replace(
            end_of(trail, board, stroke, None),
            reach_mm=end,
            at_rim=_beside(dark, stroke.points_mm[-1]) or _in_the_dark_before(stroke.points_mm[-1], board, before),
            ropes=ropes_at(trail, -1, board, before.gadgets),
        ),
    ]
    items = [_doubted_beside(f, dark) for f in items]
    if any(isinstance(f, OilTouch) and f.margin.mm <= OIL_DOUBT_MM for f in items):
        items += rings_of(trail.discs, number * RINGS_A_STROKE)
    return _Measured(trail, tuple(items), tuple(distances(trail, board)))


SHADOW_MM = 4.0
"""A dark margin this close to what lies on the board may be its shadow and no ink at all."""


def _beside(dark: Dark, at_mm: Floats | tuple[float, float]) -> bool:
    """Whether a place is no further than a shadow's width from what is not seen."""
    return bool(near_dark(dark, shapely.Point(at_mm), SHADOW_MM).any())


ROPE_REACH_MM = 12.0
"""A rope of which nothing is seen may be jumped from as far as this beside what hides it."""


def _in_the_dark_before(at_mm: Floats, board: Board, before: Beforehand) -> bool:
    """Whether there may have been a rope to jump at a place, for all that the baseline shows."""
    return bool(near_dark(dark_of(before.unseen, board), shapely.Point(at_mm), ROPE_REACH_MM).any())


def _doubted_beside(fact: Fact, dark: Dark) -> Fact:
    """A break of a line at the rim of what is not seen is as doubtful as it is deep."""
    if not isinstance(fact, Touch) or fact.margin.mm >= 0:
        return fact
    if not any(_beside(dark, spot.at_mm) for spot in (fact.low, fact.out) if spot):
        return fact
    return replace(fact, margin=replace(fact.margin, sigma_mm=max(fact.margin.sigma_mm, -fact.margin.mm)))


def _hidden_reach(trail: Trail, stroke: Stroke, i: int, dark: Dark) -> float | None:
    """How far the rest of a stroke's unseen beginning (0) or end (-1) may reach."""
    if (stroke.begin, stroke.end)[i] != "unseen":
        return None
    return reach_mm(trail.discs.points_mm[i], float(trail.discs.radius_mm[i]), dark)


def _dry(trail: Trail, path: Path, stroke: int, index: int, mm: float) -> DryGap:
    arc = float(path.strokes[stroke].arc_mm()[index])
    return DryGap(trail.discs.spot_at(arc), mm)
