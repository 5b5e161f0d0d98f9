"""The lines so far → path → facts → verdict, with the time of every event: the same rooms that judge a photo."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from referee.geometry.board import board_of
from referee.geometry.measure import measure
from referee.live.ink import InkInTime
from referee.live.lay import pixels_at
from referee.live.trace import STEP_MM, Line, Trace
from referee.model import Decision, Event, Floats, Ink, Judgement, Path, Stage, Stroke
from referee.rules import Rules
from referee.rules.judge import judge
from referee.stroke import edges

TAIL_MM, KEPT_MM = 80.0, 45.0
"""Once a line has grown by the first, all but the newest of it, the second, is measured for good."""
JOIN = 14
"""So many points of what is measured for good are measured once more with what follows."""
SHORTEST = 6
SIGMA_MM, SIGMA_PX = 0.09, 0.3
"""One sigma of an ink's edge: registration and ragged ink, and a share of a pixel of the frame."""
NEAR_MM = 1.3


@dataclass(frozen=True, eq=False)
class Timed:
    """A measured stroke, and when (N,) each of its points came into view."""

    stroke: Stroke
    times_s: Floats


@dataclass(frozen=True, eq=False)
class Judged:
    """The race so far: ``at_s`` (one an event of ``judgement``) when its ink came into view; ``behind_mm`` how far on
    the stroke has gone since."""

    judgement: Judgement
    strokes: tuple[Timed, ...]
    at_s: tuple[float, ...]
    behind_mm: tuple[float, ...]


@dataclass(eq=False)
class _Kept:
    """What of a line is measured for good: the rough points that it was read from, and the stroke's own."""

    rough: Floats
    points: Floats
    half: Floats
    times: Floats


@dataclass(eq=False)
class Judging:
    """Judges one board's lines as they grow; what is old is not measured again."""

    stage: Stage
    rules: Rules
    px_per_mm: float
    """The frame's own scale."""
    _kept: dict[int, _Kept] = field(default_factory=dict)
    _whole: dict[int, tuple[Line, Floats, Timed]] = field(default_factory=dict)
    """Lines that have ended and whose ink is measured for good, with the points that they had then."""

    def __post_init__(self) -> None:
        board_of(self.stage)  # ready before the first frame that is judged

    @property
    def sigma_mm(self) -> float:
        """One sigma of where an edge of ink lies."""
        return float(np.hypot(SIGMA_MM, SIGMA_PX / self.px_per_mm))

    def judged(self, trace: Trace, ink: InkInTime) -> Judged | None:
        """The verdict on the lines so far; None without any that can be measured."""
        seen = ink.as_ink(self.sigma_mm)
        strokes = [t for i, line in enumerate(trace.lines) if (t := self._timed(i, line, seen, trace, ink))]
        if not strokes:
            return None
        path = Path(tuple(timed.stroke for timed in strokes))
        facts = measure(path, self.stage, (), self.rules.limits())
        judgement = self._ruled(facts, trace, ink)
        at_s, behind = when(judgement.events, strokes)
        return Judged(judgement, tuple(strokes), at_s, behind)

    def _ruled(self, facts: object, trace: Trace, ink: InkInTime) -> Judgement:
        decisions = tuple(
            Decision("R4", "lift", lift.at_mm, "yes", stroke=lift.stroke, who="camera", reason="seen in the film")
            for lift in trace.lifts
            if ink.shows_lift(lift.at_mm, lift.away_s)
        )
        return judge(facts, self.rules, decisions)  # type: ignore[arg-type]

    # ------------------------------------------------------------------ measuring

    def _timed(self, number: int, line: Line, seen: Ink, trace: Trace, ink: InkInTime) -> Timed | None:
        """A line measured; once it has ended and its ink does not change any more, for good."""
        known = self._whole.get(number)
        if known is not None and known[0] is line and known[1] is line.points_mm:
            return known[2]
        timed = self._timed_anew(number, line, seen, trace.pen_mm)
        if timed is not None and line.ended and line is not trace.lines[-1] and _is_settled(line, ink):
            self._whole[number] = (line, line.points_mm, timed)
        return timed

    def _timed_anew(self, number: int, line: Line, ink: Ink, pen_mm: float) -> Timed | None:
        if len(line.points_mm) < SHORTEST:
            return None
        kept = self._kept.get(number)
        if kept is not None and not np.array_equal(line.points_mm[: len(kept.rough)], kept.rough):
            kept = None
            self._kept.pop(number, None)
        begun = 0 if kept is None else max(0, len(kept.rough) - JOIN)
        tail = self._measured(line.points_mm[begun:], line.times_s[begun:], ink, pen_mm)
        points, half, times = tail if kept is None else _joined(kept, tail)
        if (len(line.points_mm) - begun) * STEP_MM > TAIL_MM:
            self._keep(number, line, points, half, times)
        return Timed(self._stroke(line, points, half), times)

    def _measured(self, rough: Floats, times: Floats, ink: Ink, pen_mm: float) -> tuple[Floats, Floats, Floats]:
        """A line's middle (N, 2), half widths (N, 2) and times (N,)."""
        found = edges.measure(ink, rough, pen_mm)
        points = np.asarray(found.points_mm)
        near = np.hypot(*(points[:, None, :] - rough[None]).transpose(2, 0, 1))
        order = np.maximum.accumulate(_in_step(near))
        return points, np.asarray(found.half_mm), np.asarray(times[order])

    def _keep(self, number: int, line: Line, points: Floats, half: Floats, times: Floats) -> None:
        upto = len(line.points_mm) - round(KEPT_MM / STEP_MM)
        end = int(np.hypot(*(points - line.points_mm[upto - 1]).T).argmin()) + 1
        if end > 8:
            self._kept[number] = _Kept(line.points_mm[:upto].copy(), points[:end], half[:end], times[:end])

    def _stroke(self, line: Line, points: Floats, half: Floats) -> Stroke:
        looks = ["covered" if covered else "free" for covered in line.covered]
        return Stroke(
            points_mm=points,
            half_widths_mm=half,
            sigma_mm=np.full(len(points), self.sigma_mm),
            seen=np.ones(len(points), np.bool_),
            begin=looks[0],  # type: ignore[arg-type]
            end=looks[1],  # type: ignore[arg-type]
        )


def _is_settled(line: Line, ink: InkInTime) -> bool:
    """Whether all ink along a line is measured for good."""
    return bool(ink.settled(*pixels_at(line.points_mm, ink.inked)).all())


def _in_step(near: Floats) -> np.ndarray:
    """For each of N points which of M rough ones it is, both in order: the nearest about its own share of the way."""
    n, m = near.shape
    expected = np.linspace(0, m - 1, n)[:, None]
    away = np.abs(np.arange(m)[None] - expected)
    return np.asarray((near + 0.08 * np.maximum(away - 6, 0)).argmin(axis=1))


def _joined(kept: _Kept, tail: tuple[Floats, Floats, Floats]) -> tuple[Floats, Floats, Floats]:
    points, half, times = tail
    first = int(np.hypot(*(points[: 3 * JOIN] - kept.points[-1]).T).argmin()) + 1
    return (
        np.vstack([kept.points, points[first:]]),
        np.vstack([kept.half, half[first:]]),
        np.concatenate([kept.times, times[first:]]),
    )


def when(events: Sequence[Event], strokes: Sequence[Timed]) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """When the ink of each event came into view, and how far each stroke went on behind it."""
    at_s, behind, since = [], [], dict.fromkeys(range(len(strokes)), 0)
    for event in events:
        timed = strokes[min(event.stroke, len(strokes) - 1)]
        points = timed.stroke.points_mm
        far = np.hypot(*(points - np.array(event.at_mm)).T)
        k = _place_of(event, far, since[min(event.stroke, len(strokes) - 1)])
        since[min(event.stroke, len(strokes) - 1)] = k
        at_s.append(float(timed.times_s[k]))
        behind.append(float(np.hypot(*np.diff(points[k:], axis=0).T).sum()))
    return tuple(at_s), tuple(behind)


def _place_of(event: Event, far: Floats, since: int) -> int:
    """Which point of a stroke an event is at, given how far each (N,) is from it: events are in path order."""
    if event.kind == "donut":
        # It lies in the middle of its ring, and is there once the ring has closed.
        radius = float(far[since:].min())
        about = np.flatnonzero(far[since:] < radius + 2.5) + since
        gaps = np.flatnonzero(np.diff(about) > 12)
        return int(about[gaps[0] if len(gaps) else -1])
    near = np.flatnonzero(far <= max(NEAR_MM, float(far.min()) + 0.3))
    later = near[near >= since - 4]
    chosen = later if len(later) else near
    first = chosen[0]
    run = chosen[(chosen - first) < 12]
    return int(run[far[run].argmin()])
