"""A blindfolded hand: it drives a stage as a scenario asks and leaves strokes whose plan is known.

``drive(stage, scenario, seed, **asked)`` returns a `Race`.  The hand wanders inside the road by smooth noise with
a tremor, now and then turns back and goes on again, and is led to places by `Pin`s: "there, touch the line by 0.7".
How deep a touch is gets solved for, so the margin asked is the margin drawn, to a hundredth of a millimetre.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import shapely
from shapely.geometry import LineString, Polygon

from referee.model import Floats, OilSpill, Path, Stage, Stroke
from tests.simulation.gadgets import Placed
from tests.simulation.track import LEFT, NEVER, RIGHT, Track, boosts, smooth, track_of

Why = Literal["start", "leap", "hop", "restart", "lift", "dry"]
"""Why a stroke began: the race began, it landed, it hopped over a rope, a crashed car went back, the marker was lifted,
the marker was dry."""

PACE_MM = 0.3
KEEP_MM = 0.6
AWAY_MM = 16.0
REVERSAL_EVERY_MM = 220.0


class CannotDriveError(Exception):
    """This stage has no place for what the scenario asks."""


@dataclass(frozen=True, eq=False)
class Drawn:
    """One pen-down-to-pen-up line: ``along_mm`` (N,) is where on the track the hand was, NaN while it was dragged."""

    points_mm: Floats
    along_mm: Floats
    width_mm: float
    why: Why

    def arc_mm(self) -> Floats:
        return np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(self.points_mm, axis=0).T))])


@dataclass(frozen=True, eq=False)
class Race:
    """A drive over a stage: the strokes in the order they were drawn, and what was asked of the hand."""

    stage: Stage
    track: Track
    scenario: str
    asked: dict[str, Any]
    strokes: tuple[Drawn, ...]
    gadgets: tuple[Placed, ...] = ()
    """What stood on the board before."""

    def path(self, sigma_mm: float = 0.02) -> Path:
        """The strokes as the referee's own noun, as if a perfect camera had seen them; dry gaps stay gaps."""
        return Path(tuple(_stroke(s, sigma_mm) for s in self.strokes))


@dataclass(frozen=True)
class Pin:
    """Be ``off_mm`` from the middle at ``along_mm``; the hand comes and goes over ``reach_mm``."""

    along_mm: float
    off_mm: float
    reach_mm: float


@dataclass(frozen=True)
class Touch:
    """Bring the ink's edge to ``margin_mm`` from a white line's far edge on one side, or from an oil spill's rim."""

    along_mm: float
    side: int
    margin_mm: float
    reach_mm: float
    spill: OilSpill | None = None


@dataclass(frozen=True, eq=False)
class Lane:
    """Between which offsets the middle of the marker stays clear of everything, sampled like the track."""

    low_mm: Floats
    high_mm: Floats


@dataclass
class Hand:
    """The one that draws: a stage, a marker width and a source of chance."""

    stage: Stage
    seed: int
    width_mm: float = 2.4
    reversals: bool = True
    gadgets: list[Placed] = field(default_factory=list)
    """What a scenario has drawn on the board before its race."""
    track: Track = field(init=False)
    lane: Lane = field(init=False)
    rng: np.random.Generator = field(init=False)

    def __post_init__(self) -> None:
        self.track = track_of(self.stage)
        self.rng = np.random.default_rng(self.seed)
        self.lane = self.lane_with()

    # ------------------------------------------------------------------ lanes

    def lane_with(self, meet: Sequence[Polygon] = (), avoid: Sequence[Polygon] = ()) -> Lane:
        """The road's clear lane, round every oil spill (those in ``meet`` apart) and ``avoid``, through every boost."""
        room = self.track.room_mm
        slack = self.width_mm / 2 + KEEP_MM
        low, high = -(room[RIGHT] - slack), room[LEFT] - slack
        for spill in self.stage.oil_spills:
            if not any(spill.reach is shape for shape in meet):
                low, high = self._round(spill.reach, low, high)
        for shape in avoid:
            low, high = self._round(shape, low, high)
        for zone in (z for pair in boosts(self.stage) for z in pair):
            if not any(zone.shape is shape for shape in avoid):
                low, high = self._through(zone.shape, low, high)
        return Lane(_eased(low, np.maximum), _eased(high, np.minimum))

    def _span(self, shape: Polygon, more_mm: float) -> np.ndarray:
        start, stop = self.track.span(shape)
        return np.asarray((self.track.along_mm > start - more_mm) & (self.track.along_mm < stop + more_mm))

    def _round(self, shape: Polygon, low: Floats, high: Floats) -> tuple[Floats, Floats]:
        """Pass a shape on the roomier side."""
        beside = self._span(shape, self.width_mm / 2 + 2)
        start, stop = self.track.span(shape)
        cuts = [c for a in np.arange(start, stop, 1.0) if (c := self.track.offs(shape, float(a))) is not None]
        if not cuts:
            return low, high
        clear = self.width_mm / 2 + 1.2
        below, above = min(c[0] for c in cuts) - clear, max(c[1] for c in cuts) + clear
        if (high[beside] - above).min() > (below - low[beside]).min():
            return np.where(beside, np.maximum(low, above), low), high
        return low, np.where(beside, np.minimum(high, below), high)

    def _through(self, shape: Polygon, low: Floats, high: Floats) -> tuple[Floats, Floats]:
        """Pass through the middle of a shape."""
        start, stop = self.track.span(shape)
        cut = self.track.offs(shape, (start + stop) / 2)
        if cut is None:
            return low, high
        beside = self._span(shape, -0.3 * (stop - start))
        inset = min(2.0, 0.3 * (cut[1] - cut[0]))
        return (
            np.where(beside, np.clip(cut[0] + inset, low, high), low),
            np.where(beside, np.clip(cut[1] - inset, low, high), high),
        )

    # ------------------------------------------------------------------ moving

    def sweep(
        self, start: float, stop: float, led: Sequence[Pin | Touch] = (), lane: Lane | None = None, why: Why = "start"
    ) -> Drawn:
        """One stretch of wandering from ``start`` to ``stop`` along the track, led by pins and touches."""
        lane = lane or self.lane
        along = self._pace(start, stop, [p.along_mm for p in led])
        low = np.interp(along, self.track.along_mm, lane.low_mm)
        high = np.interp(along, self.track.along_mm, lane.high_mm)
        wander = self._wander(len(along))
        off = (low + high) / 2 + np.maximum(high - low, 0) / 2 * wander
        for pin in (p for p in led if isinstance(p, Pin)):
            weight = _pull(along, pin)
            off = off * (1 - weight) + pin.off_mm * weight
        for touch in (t for t in led if isinstance(t, Touch)):
            off = self._touched(along, off, touch)
        return Drawn(self.track.place(along, off), along, self.width_mm, why)

    def _touched(self, along: Floats, off: Floats, touch: Touch) -> Floats:
        """The offsets (N,) bent so that the smallest margin near the touch is the one asked (by bisection)."""
        near = np.abs(along - touch.along_mm) < touch.reach_mm
        if not near.any():
            return off
        weight = _pull(along[near], touch)

        def bent(target: float) -> Floats:
            return np.asarray(off[near] * (1 - weight) + target * weight)

        def margin(target: float) -> float:
            drawn = Drawn(self.track.place(along[near], bent(target)), along[near], self.width_mm, "start")
            return float((oil_margins(drawn, touch.spill) if touch.spill else self.margins(drawn, touch.side)).min())

        safe, deep = self._bracket(touch, float(off[near].mean()))
        for _ in range(40):
            middle = (safe + deep) / 2
            safe, deep = (middle, deep) if margin(middle) > touch.margin_mm else (safe, middle)
        if abs(margin(safe) - touch.margin_mm) > 0.005:
            raise CannotDriveError(f"no margin of {touch.margin_mm} mm at {touch.along_mm:.0f} mm along the track")
        out = off.copy()
        out[near] = bent(safe)
        return out

    def _bracket(self, touch: Touch, off: float) -> tuple[float, float]:
        """An offset that is surely too shallow and one that is surely too deep."""
        if touch.spill is not None:
            cut = self.track.offs(touch.spill.reach, touch.along_mm)
            assert cut is not None, "the touch lies beside the spill"
            outer = cut[1] if touch.side == LEFT else cut[0]
            return outer + touch.side * (self.width_mm + 4), (cut[0] + cut[1]) / 2
        room = float(np.interp(touch.along_mm, self.track.along_mm, self.track.room_mm[touch.side]))
        return touch.side * min(0.0, touch.side * off), touch.side * (room + self.width_mm + 10)

    def _pace(self, start: float, stop: float, busy: Sequence[float]) -> Floats:
        """Where along the track the hand is, step by step; here and there it turns back and goes on again."""
        turns = [start]
        quiet = self.quiet(20.0) & (self.track.along_mm > start + 25) & (self.track.along_mm < stop - 25)
        for at in busy:
            quiet &= np.abs(self.track.along_mm - at) > 30
        if self.reversals and quiet.any() and self.rng.random() < (stop - start) / REVERSAL_EVERY_MM:
            back = float(self.rng.uniform(4, 9))
            at = float(self.rng.choice(self.track.along_mm[quiet]))
            turns += [at + back / 2, at - back / 2]
        turns.append(stop)
        went = np.concatenate([[0.0], np.cumsum(np.abs(np.diff(turns)))])
        steps = np.linspace(0, went[-1], max(8, round(went[-1] / PACE_MM)))
        along = np.interp(steps, went, turns)
        return along if len(turns) == 2 else _rounded(along, 1.0 / PACE_MM)

    def _wander(self, n: int) -> Floats:
        """Smooth noise in (-1, 1): slow drifting, quicker corrections, now and then a sharp one, and a tremor."""
        slow = self._noise(n, 16.0)
        quick = self._noise(n, 5.0)
        tremor = self._noise(n, 1.2)
        jolts = np.zeros(n)
        for at in self.rng.integers(0, n, self.rng.poisson(n * PACE_MM / 120)):
            jolts[at] = self.rng.normal() * 18
        raw = 0.6 * slow + 0.09 * quick + 0.008 * tremor + smooth(jolts, 2.0 / PACE_MM)
        return np.asarray(np.tanh(raw))

    def _noise(self, n: int, length_mm: float) -> Floats:
        sigma = length_mm / PACE_MM / 2
        raw = smooth(self.rng.normal(size=n + int(8 * sigma)), sigma)[int(4 * sigma) :][:n]
        return np.asarray(raw * np.sqrt(2 * np.sqrt(np.pi) * sigma))

    def between(self, low: float, high: float) -> float:
        return float(self.rng.uniform(low, high))

    def off_at(self, along: float, lane: Lane | None = None) -> float:
        """A free offset at one place."""
        lane = lane or self.lane
        low = float(np.interp(along, self.track.along_mm, lane.low_mm))
        high = float(np.interp(along, self.track.along_mm, lane.high_mm))
        return self.between(low + 0.2 * (high - low), high - 0.2 * (high - low)) if high > low else (low + high) / 2

    # ------------------------------------------------------------------ places

    def quiet(self, away_mm: float = AWAY_MM) -> np.ndarray:
        """Samples of the track with nothing but road and its two lines within ``away_mm``."""
        track, stage = self.track, self.stage
        loud = track.section == 0
        loud |= self._crossed_by_another_road(away_mm)
        marks = [*track.checkpoint_along, track.finish_along, *track.start_span]
        for at in marks:
            loud |= np.abs(track.along_mm - at) < 1.0
        loud |= track.along_mm < track.start_span[1]
        loud |= track.along_mm > track.finish_along
        zones = (*stage.jumps, *stage.landings, *stage.accelerations, *stage.slowdowns, *stage.pipes)
        for shape in (*(z.shape for z in zones), *(o.reach for o in stage.oil_spills)):
            loud |= self._span(shape, 1.0)
        return np.asarray(~_spread(loud, away_mm, track.along_mm))

    def _crossed_by_another_road(self, away_mm: float) -> np.ndarray:
        at = self.track.points_mm
        apart = np.hypot(*(at[::4, None] - at[None, ::4]).transpose(2, 0, 1))
        far = np.abs(self.track.along_mm[::4, None] - self.track.along_mm[None, ::4]) > 60
        close = (apart < 16 + 0.2 * away_mm) & far
        return np.repeat(close.any(1), 4)[: len(at)]

    def lined(self, side: int) -> np.ndarray:
        """Samples with an unbroken white line on one side over ``AWAY_MM`` before and after."""
        bare = np.ones(len(self.track.along_mm), bool)
        for edge in self.track.edges:
            own = np.flatnonzero(self.track.section == edge.section)
            if edge.side == side and len(own):
                signed = edge.signed_mm(self.track.points_mm[own])
                bare[own[(signed > 0) & (signed < NEVER)]] = False
        return np.asarray(~_spread(bare, AWAY_MM, self.track.along_mm))

    def stretch(self, number: int) -> tuple[float, float]:
        """From where to where along the track one stretch goes: 0 from the arrow to checkpoint 1, and so on."""
        posts = [self.track.start_span[1], *self.track.checkpoint_along, self.track.finish_along]
        return posts[number], posts[number + 1]

    def spot(self, number: int | None = None, side: int = 0, after: float = -1e9, before: float = 1e9) -> float:
        """A quiet place, in one stretch if asked, beside a white line if a side is given."""
        along = self.track.along_mm
        good = self.quiet() & (along > after) & (along < before)
        if number is not None:
            start, stop = self.stretch(number)
            good &= (along > start) & (along < stop)
        if side:
            good &= self.lined(side)
        if not good.any():
            raise CannotDriveError(f"no quiet place in stretch {number} of stage {self.stage.number}")
        return float(self.rng.choice(along[good]))

    def stretch_of(self, along: float) -> int:
        return sum(at < along for at in self.track.checkpoint_along)

    # ------------------------------------------------------------------ touching

    def margins(self, drawn: Drawn, side: int) -> Floats:
        """Margin (N,) of each point of a stroke to the far edge of the white line on one side of its road."""
        return self.track.line_margins(drawn.points_mm, drawn.along_mm, drawn.width_mm, side)[0]

    def touch(self, margin_mm: float, number: int | None = None, **where: float) -> Touch:
        """A touch of a white line somewhere quiet."""
        side = int(self.rng.choice([LEFT, RIGHT]))
        return Touch(self.spot(number, side, **where), side, margin_mm, self.between(9, 14))


def oil_margins(drawn: Drawn, spill: OilSpill) -> Floats:
    """Distance (N,) of the ink to the outer edge of a spill's purple line, negative where it touches."""
    points = shapely.points(drawn.points_mm)
    outside = shapely.distance(points, spill.reach)
    rim = shapely.distance(points, spill.reach.exterior)
    return np.asarray(np.where(outside > 0, outside, -rim) - drawn.width_mm / 2)


def covered_end(stroke: Drawn, index: int, strokes: Sequence[Drawn]) -> bool:
    """Does other ink lie on this end of a stroke (index 0 or the last)?"""
    end = shapely.Point(stroke.points_mm[index]).buffer(stroke.width_mm / 2)
    arc = stroke.arc_mm()
    rest = stroke.points_mm[np.abs(arc - arc[index]) > 3 * stroke.width_mm]
    lines = [LineString(rest)] if len(rest) > 1 else []
    lines += [LineString(s.points_mm) for s in strokes if s is not stroke]
    ink = shapely.union_all([line.buffer(stroke.width_mm / 2) for line in lines if line.distance(end) < 5])
    return float(end.intersection(ink).area) > 0.5 * float(end.area)


def joined(*parts: Drawn) -> Drawn:
    """Parts drawn without lifting; each begins where the one before ended."""
    points = np.concatenate([parts[0].points_mm, *(p.points_mm[1:] for p in parts[1:])])
    along = np.concatenate([parts[0].along_mm, *(p.along_mm[1:] for p in parts[1:])])
    return Drawn(points, along, parts[0].width_mm, parts[0].why)


def _pull(along: Floats, led: Pin | Touch) -> Floats:
    """How much (N,) a pin or touch has its way: 1 at its place, 0 beyond its reach."""
    away = np.clip(np.abs(along - led.along_mm) / led.reach_mm, 0, 1)
    return np.asarray(np.cos(away * np.pi / 2) ** 2)


def _stroke(drawn: Drawn, sigma_mm: float) -> Stroke:
    n = len(drawn.points_mm)
    return Stroke(
        points_mm=drawn.points_mm,
        half_widths_mm=np.full((n, 2), drawn.width_mm / 2),
        sigma_mm=np.full(n, sigma_mm),
        seen=np.ones(n, bool),
    )


def _spread(mask: np.ndarray, by_mm: float, along_mm: Floats) -> np.ndarray:
    """The mask grown by a distance along the track."""
    hits = along_mm[mask]
    if not len(hits):
        return mask
    after = np.searchsorted(hits, along_mm)
    ahead = np.abs(hits[np.minimum(after, len(hits) - 1)] - along_mm)
    behind = np.abs(hits[np.maximum(after - 1, 0)] - along_mm)
    return np.asarray(np.minimum(ahead, behind) <= by_mm)


def _eased(bound: Floats, worst: Callable[[Floats, Floats], Floats], reach: int = 24) -> Floats:
    """A bound without steps that is nowhere laxer than the given one."""
    tight = bound.copy()
    for shift in range(1, reach + 1):
        tight[shift:] = worst(tight[shift:], bound[:-shift])
        tight[:-shift] = worst(tight[:-shift], bound[shift:])
    return smooth(tight, reach / 3.5)


def _rounded(along: Floats, sigma: float) -> Floats:
    """Turning points rounded, both ends left where they are."""
    reach = int(4 * sigma)
    return smooth(np.pad(along, reach, mode="reflect", reflect_type="odd"), sigma)[reach:-reach]
