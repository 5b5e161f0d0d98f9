"""When a hand draws what: a race's strokes get times, and the hand a way to go between them.

``paced(strokes, ...)`` gives a `Pacing`: for every point of every stroke the second at which the tip is there, and
the way of the tip from coming in to leaving, as rows (t, x, y, lift).
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from referee.model import Floats
from tests.simulation.hand import Drawn

COMES_S, LEAVES_S = 0.7, 0.7
UP_MM = 14.0


@dataclass(frozen=True)
class Stop:
    """What the hand does ``after_mm`` along a stroke: it pauses with the tip down, or goes ``away`` and comes back."""

    stroke: int
    after_mm: float
    lasts_s: float
    away: bool = False


@dataclass(frozen=True, eq=False)
class Pacing:
    """``times_s``: one array (N,) a stroke; ``way`` (M, 4) rows t, x, y, lift of the tip; ``ends_s`` the film's end."""

    strokes: tuple[Drawn, ...]
    times_s: tuple[Floats, ...]
    way: Floats
    ends_s: float

    def tip(self, at_s: float) -> tuple[Floats, float]:
        """Where the tip is (2,), and how high above the board, in mm."""
        x, y, lift = (float(np.interp(at_s, self.way[:, 0], self.way[:, k])) for k in (1, 2, 3))
        return np.array([x, y]), lift

    def time_of(self, stroke: int, at_mm: tuple[float, float]) -> float:
        """When the tip was at a place of a stroke."""
        points = self.strokes[stroke].points_mm
        return float(self.times_s[stroke][np.hypot(*(points - np.array(at_mm)).T).argmin()])


def shortened(strokes: Sequence[Drawn], most_mm: float) -> tuple[Drawn, ...]:
    """The strokes as far as a driver gets who stops after so much ink."""
    kept, left = [], most_mm
    for stroke in strokes:
        arc = stroke.arc_mm()
        stop = int(np.searchsorted(arc, left))
        if stop < 8:
            break
        kept.append(replace(stroke, points_mm=stroke.points_mm[:stop], along_mm=stroke.along_mm[:stop]))
        left -= float(arc[-1])
        if left <= 0:
            break
    return tuple(kept)


def paced(
    strokes: Sequence[Drawn],
    size_mm: tuple[float, float],
    pace_mm_s: float,
    rng: np.random.Generator,
    stops: Sequence[Stop] = (),
    before_s: float = 1.0,
    after_s: float = 1.2,
    between_s: float = 0.7,
) -> Pacing:
    """Strokes drawn one after another at about ``pace_mm_s``, never quite evenly."""
    gone = np.array([size_mm[0] * 0.75, size_mm[1] + 260.0])
    way: list[tuple[float, float, float, float]] = [(0.0, *gone, 30.0), (before_s, *gone, 30.0)]
    now, times = before_s + COMES_S, []
    for number, stroke in enumerate(strokes):
        if number:
            apart = float(np.hypot(*(stroke.points_mm[0] - strokes[number - 1].points_mm[-1])))
            now += between_s + apart / 400
            middle = (stroke.points_mm[0] + strokes[number - 1].points_mm[-1]) / 2
            way.append((way[-1][0] + (now - way[-1][0]) / 2, *middle, UP_MM))
        own, rows = _drawn(stroke, now, pace_mm_s, rng, [s for s in stops if s.stroke == number], gone)
        times.append(own)
        way += rows
        now = float(own[-1])
    way += [(now + LEAVES_S, *gone, 30.0), (now + LEAVES_S + after_s, *gone, 30.0)]
    return Pacing(tuple(strokes), tuple(times), np.array(way), now + LEAVES_S + after_s)


def _drawn(
    stroke: Drawn, begins_s: float, pace_mm_s: float, rng: np.random.Generator, stops: Sequence[Stop], gone: Floats
) -> tuple[Floats, list[tuple[float, float, float, float]]]:
    """When the tip is at each point (N,), and its way."""
    arc = stroke.arc_mm()
    wave = 1 + 0.3 * np.sin(arc / rng.uniform(9, 16) + rng.uniform(0, 6))
    own = begins_s + np.concatenate([[0.0], np.cumsum(np.diff(arc) * wave[1:] / pace_mm_s)])
    rows: list[tuple[float, float, float, float]] = []
    begun = 0
    for stop in sorted(stops, key=lambda s: s.after_mm):
        k = int(np.searchsorted(arc, stop.after_mm))
        rows += _rows(stroke, own, begun, k)
        here, since = stroke.points_mm[k - 1], float(own[k - 1])
        own[k:] += stop.lasts_s
        if stop.away:
            far = here + 0.35 * (gone - here)
            ups = [(0.3, far, UP_MM), (0.7, far, UP_MM)]
            rows += [(since + part * stop.lasts_s, float(x), float(y), lift) for part, (x, y), lift in ups]
        rows.append((since + stop.lasts_s, float(here[0]), float(here[1]), 0.0))
        begun = k
    return own, [*rows, *_rows(stroke, own, begun, len(arc))]


def _rows(stroke: Drawn, own: Floats, start: int, stop: int) -> list[tuple[float, float, float, float]]:
    kept = sorted({*range(start, stop, 6), stop - 1})
    points = stroke.points_mm
    return [(float(own[i]), float(points[i, 0]), float(points[i, 1]), 0.0) for i in kept if start <= i < stop]


def parted(stroke: Drawn, after_mm: float) -> tuple[Drawn, Drawn]:
    """A stroke in two, the second of which begins exactly where the first one ends."""
    k = int(np.searchsorted(stroke.arc_mm(), after_mm))
    first = replace(stroke, points_mm=stroke.points_mm[: k + 1], along_mm=stroke.along_mm[: k + 1])
    return first, replace(stroke, points_mm=stroke.points_mm[k:], along_mm=stroke.along_mm[k:], why="lift")


def pairs(strokes: Sequence[Drawn]) -> list[tuple[Drawn, Drawn]]:
    """Every stroke with the one after it."""
    return list(itertools.pairwise(strokes))
