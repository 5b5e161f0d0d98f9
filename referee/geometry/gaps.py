"""Gaps between strokes, and closing those that a dry marker left (R4)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

import numpy as np

from referee.facts import Gap, Limits
from referee.geometry.board import Board
from referee.geometry.places import signed_depth
from referee.model import Floats, Path, Stroke

STEP_MM = 0.25
KEPT = 256
"""So much about pairs of strokes is remembered: the orders of one picture's strokes share most of them."""
NO_WAY_MM = 0.3
"""Ends closer than this have no direction between them."""


@lru_cache(maxsize=KEPT)
def gap_between(before: Stroke, after: Stroke, lead_mm: float) -> Gap:
    """From the ink's edge at one stroke's end to the next one's beginning, and how far out of line they are.

    The turn is the larger of two: towards the next stroke's beginning, and into its direction there.  Ink that is cut
    off square at both ends of a gap shows that the tip was in the gap by half its width on either side, and dry: its
    edge counts, not the ink's.
    """
    a, b = before.points_mm[-1], after.points_mm[0]
    sigma = float(np.hypot(before.sigma_mm[-1], after.sigma_mm[0]))
    between = b - a
    radius = (before.half_widths_mm[-1].sum() + after.half_widths_mm[0].sum()) / 2
    if before.cut[1] and after.cut[0]:
        radius += (before.width_mm + after.width_mm) / 2
    out = heading(before.points_mm[::-1], lead_mm) * -1
    turns = [_angle_deg(out, heading(after.points_mm, lead_mm))]
    if np.hypot(*between) > NO_WAY_MM:
        turns.append(_angle_deg(out, between))
    return Gap(
        mm=float(np.hypot(*between) - radius),
        turn_deg=max(turns),
        sigma_mm=sigma,
        turn_sigma_deg=float(np.degrees(np.arctan2(sigma, lead_mm / 2))),
    )


def heading(points: Floats, lead_mm: float) -> Floats:
    """The unit direction (2,) of a polyline's first ``lead_mm``: the straight line that fits them best."""
    arc = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
    lead = points[arc <= max(lead_mm, arc[1])] if len(points) > 1 else points
    spread = lead - lead.mean(axis=0)
    way = np.linalg.svd(spread, full_matrices=False)[2][0]
    return np.asarray(way if way @ (lead[-1] - lead[0]) >= 0 else -way)


def _angle_deg(a: Floats, b: Floats) -> float:
    cosine = float(a @ b) / max(1e-12, float(np.hypot(*a) * np.hypot(*b)))
    return float(np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0))))


def close_dry_gaps(
    path: Path,
    board: Board,
    limits: Limits,
    in_the_dark: Callable[[Stroke, Stroke], bool],
    over_a_rope: Callable[[Stroke, Stroke], bool],
) -> tuple[Path, tuple[tuple[int, int, float], ...]]:
    """The path with dry gaps closed, and for each of them (stroke, point index before it, width in mm).

    A gap whose ends are in line and that lies ``in_the_dark`` is closed as well: as a way that is not seen.  One that
    leads ``over_a_rope`` was jumped.
    """
    strokes: list[Stroke] = []
    closed = []
    for stroke in path.strokes:
        gap = gap_between(strokes[-1], stroke, limits.lead_mm) if strokes else None
        leapt = bool(strokes) and (_is_jump(strokes[-1], stroke, board) or over_a_rope(strokes[-1], stroke))
        if gap is None or gap.turn_deg > limits.in_line_deg or leapt:
            strokes.append(stroke)
        elif gap.mm <= limits.dry_gap_mm:
            closed.append((len(strokes) - 1, len(strokes[-1].points_mm) - 1, gap.mm))
            strokes[-1] = joined(strokes[-1], stroke, True)
        elif in_the_dark(strokes[-1], stroke):
            strokes[-1] = joined(strokes[-1], stroke, False)
        else:
            strokes.append(stroke)
    return replace(path, strokes=tuple(strokes)), tuple(closed)


def _is_jump(before: Stroke, after: Stroke, board: Board) -> bool:
    """Whether the gap leads from a jump zone into its landing zone."""
    left = {z.key for z in board.fields if z.kind == "jump" and signed_depth(z, before.points_mm[-1:])[0] >= 0}
    return any(
        z.key in left and signed_depth(z, after.points_mm[:1])[0] >= 0 for z in board.fields if z.kind == "landing"
    )


@lru_cache(maxsize=KEPT)
def joined(before: Stroke, after: Stroke, seen: bool) -> Stroke:
    """Two strokes as one, the gap between them filled in a straight line; the same one when asked again."""
    a, b = before.points_mm[-1], after.points_mm[0]
    count = max(0, int(np.ceil(np.hypot(*(b - a)) / STEP_MM)) - 1)
    part = (np.arange(count) + 1)[:, None] / (count + 1)

    def filled(first: Floats, second: Floats) -> Floats:
        between = first[-1] + part.reshape(-1, *([1] * (first.ndim - 1))) * (second[0] - first[-1])
        return np.concatenate([first, between, second])

    return Stroke(
        points_mm=filled(before.points_mm, after.points_mm),
        half_widths_mm=filled(before.half_widths_mm, after.half_widths_mm),
        sigma_mm=filled(before.sigma_mm, after.sigma_mm),
        seen=np.concatenate(
            [before.seen, np.full(count, bool(seen and before.seen[-1] and after.seen[0])), after.seen]
        ),
        begin=before.begin,
        end=after.end,
        tip_sigma_mm=(before.tip_sigma_mm[0], after.tip_sigma_mm[1]),
        cut=(before.cut[0], after.cut[1]),
    )
