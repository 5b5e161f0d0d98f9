"""Path × stage → facts in path order, each with its place, margin and uncertainty."""

from __future__ import annotations

from shapely.geometry import Polygon

from referee.facts import (
    DryGap,
    Fact,
    Facts,
    Limits,
    OilTouch,
    spot_of,
)
from referee.geometry.board import Board, board_of
from referee.geometry.contacts import line_facts
from referee.geometry.gaps import close_dry_gaps, gap_between
from referee.geometry.hidden import hidden_lines, hidden_places, hidden_runs, outlines, unseen_stretches, with_dark_ends
from referee.geometry.oil import oil_facts
from referee.geometry.places import begin_of, crossings, distances, end_of, just_short, turns, zone_visits
from referee.geometry.rings import rings_of
from referee.geometry.trail import Trail, discs_of, trail_of
from referee.model import Path, Stage, UnseenArea

OIL_DOUBT_MM = 1.0
"""Rings are looked for in a race that touches a spill or misses one by no more than this."""


def measure(path: Path, stage: Stage, unseen: tuple[UnseenArea, ...] = (), limits: Limits | None = None) -> Facts:
    """Everything that the rules need to know about a path on a stage.

    ``unseen`` are the parts of the board that the picture does not show.  Dry gaps within ``limits`` are closed
    first, and all facts number the strokes after that; ``Facts.path`` is the path as measured.
    """
    limits = limits or Limits()
    board = board_of(stage)
    closed, gaps = close_dry_gaps(path, board, limits)
    trails = _trails(closed, board)
    shapes = outlines(unseen)
    items: list[Fact] = []
    for number, trail in enumerate(trails):
        items += _stroke_facts(closed, number, trail, board, limits, shapes)
        items += hidden_runs(trail, board, shapes)
    items += [_dry(trails[stroke], closed, stroke, index, mm) for stroke, index, mm in gaps]
    items += _rings(trails, items)
    return Facts(
        items=tuple(sorted(items, key=lambda f: (spot_of(f).stroke, spot_of(f).arc_mm))),
        course=board.course,
        distances=tuple(d for trail in trails for d in distances(trail, board)),
        hidden_places=hidden_places(board, shapes),
        hidden_lines=hidden_lines(board, shapes),
        unseen=unseen_stretches(board, unseen),
        path=closed,
    )


def _trails(path: Path, board: Board) -> list[Trail]:
    """Every stroke with its sections; a stroke is taken to come from where the one before ended."""
    trails: list[Trail] = []
    for number, stroke in enumerate(path.strokes):
        came_from = int(trails[-1].section[-1]) if trails else board.start_section
        trails.append(trail_of(discs_of(stroke, number), board, came_from))
    return trails


def _stroke_facts(
    path: Path, number: int, trail: Trail, board: Board, limits: Limits, shapes: tuple[Polygon, ...]
) -> list[Fact]:
    stroke = with_dark_ends(path.strokes[number], shapes, limits.lead_mm)
    following = path.strokes[number + 1] if number + 1 < len(path.strokes) else None
    gap = gap_between(stroke, following, limits.lead_mm) if following else None
    return [
        begin_of(trail, board, stroke),
        *line_facts(trail, board, limits.near_mm),
        *oil_facts(trail.discs, board.stage, limits.near_mm),
        *crossings(trail),
        *just_short(trail, board),
        *zone_visits(trail, board),
        *turns(trail),
        end_of(trail, board, stroke, gap),
    ]


def _dry(trail: Trail, path: Path, stroke: int, index: int, mm: float) -> DryGap:
    arc = float(path.strokes[stroke].arc_mm()[index])
    return DryGap(trail.discs.spot_at(arc), mm)


def _rings(trails: list[Trail], items: list[Fact]) -> list[Fact]:
    """The rings of every stroke that may have touched oil."""
    oily = {f.first.stroke for f in items if isinstance(f, OilTouch) and f.margin.mm <= OIL_DOUBT_MM}
    found: list[Fact] = []
    for number in sorted(oily):
        found += rings_of(trails[number].discs, len(found))
    return found
