"""A drive with the mouse or a finger, judged at once: strokes as they were drawn, by the real geometry and rules.

There is no picture in between, so nothing is uncertain but the hand.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from referee.errors import BadTracing
from referee.geometry.measure import measure
from referee.model import Floats, Judgement, Path, Stage, Stroke
from referee.rules.judge import judge
from referee.rules.settings import Rules
from referee.words import say

WIDTH_MM = 2.5
STEP_MM = 0.4
SIGMA_MM = 0.02
LEAST_MM = 0.5
"""A stroke shorter than this is a tap of the finger."""
MOST_STROKES = 60
MOST_POINTS = 20_000
LONGEST_MM = 20_000.0


def strokes_from(told: object) -> list[Floats]:
    """The strokes (N, 2) in mm of a drive from JSON, whoever sent it; raises `BadTracing`."""
    if not isinstance(told, list) or not told or len(told) > MOST_STROKES:
        raise _bad("strokes", most=MOST_STROKES)
    if not all(isinstance(stroke, list) for stroke in told) or sum(map(len, told)) > MOST_POINTS:
        raise _bad("points", most=MOST_POINTS)
    if not all(_is_place(point) for stroke in told for point in stroke):
        raise _bad("place")
    strokes = [np.array(stroke, float) for stroke in told if len(stroke) > 1]
    lengths = [float(np.hypot(*np.diff(stroke, axis=0).T).sum()) for stroke in strokes]
    if sum(lengths) > LONGEST_MM:
        raise _bad("drive-too-long", most=int(LONGEST_MM / 1000))
    whole = [stroke for stroke, length in zip(strokes, lengths, strict=True) if length > LEAST_MM]
    if not whole:
        raise _bad("no-drive")
    return whole


def judge_drive(strokes: Sequence[Floats], stage: Stage, rules: Rules | None = None) -> Judgement:
    """The judgement of strokes (N, 2) in mm in the order in which they were drawn."""
    path = Path(tuple(_inked(stroke) for stroke in strokes))
    return judge(measure(path, stage, limits=(rules or Rules()).limits()), rules)


def _inked(points: Floats) -> Stroke:
    """A stroke in even steps, as a marker of the usual width would have left it."""
    arc = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
    even = np.linspace(0, arc[-1], max(3, int(np.ceil(arc[-1] / STEP_MM)) + 1))
    line = np.column_stack([np.interp(even, arc, points[:, 0]), np.interp(even, arc, points[:, 1])])
    n = len(line)
    return Stroke(line, np.full((n, 2), WIDTH_MM / 2), np.full(n, SIGMA_MM), np.ones(n, bool))


def _is_place(point: object) -> bool:
    return (
        isinstance(point, list)
        and len(point) == 2
        and all(isinstance(at, int | float) and not isinstance(at, bool) and -1000 <= at <= 4000 for at in point)
    )


def _bad(what: str, **values: object) -> BadTracing:
    return BadTracing(say(f"tracing.{what}", **values), say("tracing.cure"))
