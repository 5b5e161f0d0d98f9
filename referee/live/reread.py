"""The ink so far read once more, as a photo's would be, with its times: the careful second opinion.

The lines that grew with the pen (`trace`) are quick, and may go astray in a tangle.  The stroke room reads all ink at
once in every way in which it may have been drawn; here the times say which of them was.  No accident is called that
this reading does not have too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from math import dist, exp

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.errors import RefereeError
from referee.geometry.measure import measure
from referee.live.ink import InkInTime
from referee.live.judging import Judged, Timed, when
from referee.live.lay import PX_PER_MM
from referee.live.trace import SeenLift
from referee.model import Decision, Event, Floats, Path, Stage
from referee.rules import Rules
from referee.rules.reading import considered
from referee.rules.verdict import judge_readings
from referee.stage.guide import guide_of
from referee.stroke.readings import readings

OUT_OF_ORDER_S = 0.25
"""Ink is out of order if it was seen so long before a place that the pen came to earlier was still bare."""
DISORDER = 6.0
"""A reading all out of order is so many times (natural logarithm) less likely."""
LED_ON = 3.0
"""A pen that goes up and comes down on the same ink close by is so many times (natural logarithm) less likely."""
OWN_INK_MM, OWN_ARC_MM = 2.0, 8.0
"""A path lies on its own ink so near to a place where it was, so far back."""
SAME_MM = 10.0
EVERY = 8
"""Every so many-th point of a stroke tells its time."""


def reread(
    ink: InkInTime, stage: Stage, rules: Rules, sigma_mm: float, lifts: Sequence[SeenLift] = ()
) -> Judged | None:
    """The race so far as the stroke room reads it; None where it cannot."""
    try:
        paths = readings(ink.as_ink(sigma_mm, slivers=False), guide_of(stage))
        if not paths:
            return None
        able = considered([_in_time(path, ink) for path in paths], rules)
        facts = [measure(path, stage, (), rules.limits()) for path in able]
        judgement, _ = judge_readings(facts, rules, seen_lifts(lift for lift in lifts if is_shown(lift, ink)))
    except RefereeError:
        return None
    if judgement.path is None:
        return None
    strokes = _timed(judgement.path, ink)
    at_s, behind = when(judgement.events, strokes)
    at_s = tuple(
        _ring_s(event, ink) if event.kind == "donut" else t for event, t in zip(judgement.events, at_s, strict=True)
    )
    return Judged(judgement, tuple(strokes), at_s, behind)


def is_shown(lift: SeenLift, ink: InkInTime) -> bool:
    """Whether the ink itself tells of a lift that the lines tell of."""
    return ink.shows_lift(lift.at_mm, lift.away_s)


def seen_lifts(lifts: Iterable[SeenLift]) -> tuple[Decision, ...]:
    """What the film saw that no ink shows: the pen set down where it was lifted."""
    return tuple(Decision("R4", "lift", lift.at_mm, "yes", who="camera", reason="The film shows it.") for lift in lifts)


def agrees(judged: Judged, event: Event) -> bool:
    """Whether a reading has an event for sure."""
    return any(
        (e.kind, e.cause) == (event.kind, event.cause)
        and e.certain is not False
        and (e.element == event.element or dist(e.at_mm, event.at_mm) <= SAME_MM)
        for e in judged.judgement.events
    )


def _in_time(path: Path, ink: InkInTime) -> Path:
    """A path as likely as it was, less for what is out of order in it, and for a pen that rose where ink leads on."""
    points = np.vstack([stroke.points_mm for stroke in path.strokes])
    bare, seen = ink.drawn_between(points[::EVERY])
    late = np.maximum.accumulate(bare) - seen > OUT_OF_ORDER_S
    late &= ~_over_own_ink(points)
    of_stroke = np.repeat(np.arange(len(path.strokes)), [len(stroke.points_mm) for stroke in path.strokes])[::EVERY]
    worst = max(float(late[of_stroke == number].mean()) for number in np.unique(of_stroke))
    pairs = pairwise(path.strokes)
    led_on = sum(ink.joins(one.points_mm[-1], other.points_mm[0]) for one, other in pairs)
    return replace(path, likelihood=path.likelihood * exp(-DISORDER * max(float(late.mean()), worst) - LED_ON * led_on))


def _over_own_ink(points_mm: Floats) -> NDArray[np.bool_]:
    """Which of every `EVERY`-th point lie on ink that the path has left before: it was there, whatever its time."""
    tested = points_mm[::EVERY]
    near = np.hypot(*(tested[:, None] - points_mm[None, ::2]).transpose(2, 0, 1)) < OWN_INK_MM
    step = np.hypot(*np.diff(points_mm, axis=0).T)
    arc = np.concatenate([[0.0], np.cumsum(step)])
    before = arc[None, ::2] < arc[::EVERY, None] - OWN_ARC_MM
    return np.asarray((near & before).any(axis=1))


def _timed(path: Path, ink: InkInTime) -> list[Timed]:
    """The strokes with their times: ink from before the stroke before had ended is that stroke's, not this one's."""
    found, since_s = [], -np.inf
    for stroke in path.strokes:
        found.append(Timed(stroke, _times(stroke.points_mm, ink, since_s)))
        since_s = max(since_s, float(ink.drawn_between(stroke.points_mm[-1:])[0][0]))
    return found


def _times(points_mm: Floats, ink: InkInTime, since_s: float) -> Floats:
    """When each point (N,) of a stroke that was drawn since a moment came into view."""
    frames, own = ink.in_view_since(points_mm)
    seen_s = np.asarray(ink.times)[frames]
    own &= seen_s >= since_s
    if not own.any():
        return np.full(len(points_mm), max(since_s, 0.0))
    index = np.arange(len(points_mm))
    return np.asarray(np.interp(index, index[own], seen_s[own]))


def _ring_s(event: Event, ink: InkInTime) -> float:
    """When the last of a ring came into view."""
    spot: NDArray[np.uint8] = np.zeros(ink.first.shape, np.uint8)
    x, y = (round(v * PX_PER_MM) for v in event.at_mm)
    cv2.circle(spot, (x, y), round(RING_MM * PX_PER_MM), 1, -1)
    frames = ink.first[(spot > 0) & (ink.inked > 0)]
    return float(ink.times[int(np.quantile(frames, 0.9))]) if len(frames) else ink.times[-1]


RING_MM = 4.0
"""A donut is about so large, half across."""
