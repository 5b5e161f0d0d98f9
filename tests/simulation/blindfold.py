"""A hand that does not see: a driver under a blindfold, steered by a Co-Pilot who always calls a little late.

``blind_drive(stage, seed)`` is a whole race as such a pair drives it.  Nobody tells the hand where to go wrong, as the
scenarios do: it runs wide where a bend comes too soon, lifts too early, lands beside the zone, and after an accident
goes back to the last checkpoint and tries again.  How often it gets through says how hard a stage is.

The model, in millimetres of marker travel: the Co-Pilot sees where the tip was ``LATE_MM`` ago and calls for the
middle of the free lane ``AHEAD_MM`` further on (pure pursuit); the hand turns towards that no faster than
``TURN_PER_MM``, and its own sense of direction wanders (an Ornstein-Uhlenbeck process).
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from referee.model import Floats, OilSpill, Stage, Zone
from tests.simulation.hand import PACE_MM, CannotDriveError, Drawn, Hand, Race, Why, covered_end, joined, oil_margins
from tests.simulation.scenarios import (
    DRIFT_MM,
    Loop,
    end_spot,
    hides_a_lift,
    next_loop,
    restart_spot,
    start_spot,
    straight,
)
from tests.simulation.track import LEFT, RIGHT, boosts, inside_mm, zone_pairs

LATE_MM = 6.0
"""How far the tip moves before a call is heeded: a third of a second at 20 mm/s."""
AHEAD_MM = 16.0
TURN_PER_MM = 0.085
"""Radians a hand can turn in a millimetre: a bend of 12 mm."""
SWAY, SWAY_MM = 0.27, 22.0
"""How far a blindfolded hand's direction is off (radians, 1 sigma), and over how long a way it stays so."""
HASTE = 1.5
"""In a boost the hand is quicker than the calls; in a pipe there are none, only touch."""
LIFT_MM, LAND_MM, ASIDE_MM = 2.8, 3.0, 2.6
"""How far off a jump begins and lands, along the road and across it (1 sigma)."""
PATIENCE = 5
"""So many accidents on one stretch, and the team gives up."""


def blind_drive(stage: Stage, seed: int) -> Race:
    """A race as a blindfolded driver and a Co-Pilot drive it; the same seed gives the same race.

    Raises `CannotDriveError` if ten hands slip on two oil spills of one stretch: what is owed then is hard to drive.
    """
    for attempt in range(10):
        hand = Hand(stage, seed * 1000 + attempt, round(2.0 + (seed * 0.37) % 1.2, 2), reversals=False)
        try:
            return Race(stage, hand.track, "blindfold", {}, tuple(Blindfold(hand).race()))
        except CannotDriveError:
            continue
    raise CannotDriveError(f"no race on stage {stage.number} from seed {seed}")


def lies_open(race: Race) -> bool:
    """Whether no accident's own end of ink lies under other ink, so that a photo shows all that went wrong."""
    strokes = race.strokes
    return not any(
        hides_a_lift(stroke, after, strokes) or (after.why == "leap" and covered_end(after, 0, strokes))
        for stroke, after in pairwise(strokes)
    )


@dataclass(frozen=True)
class Tip:
    """Where the marker is and where it is going."""

    along: float
    x: float
    y: float
    heading: float


@dataclass(frozen=True)
class Place:
    """A zone that a jump begins or lands in, and from where to where along the track it reaches."""

    low: float
    high: float
    zone: Zone

    @property
    def middle(self) -> float:
        return (self.low + self.high) / 2


class Blindfold:
    """One race of one hand."""

    def __init__(self, hand: Hand) -> None:
        self.hand = hand
        track = hand.track
        self.along = track.along_mm.tolist()
        middle = (hand.lane.low_mm + hand.lane.high_mm) / 2
        self.aim = track.place(track.along_mm, middle).tolist()
        self.base, self.left = track.points_mm.tolist(), track.left.tolist()
        spans = [(track.span(a.shape)[0], track.span(b.shape)[1]) for a, b in boosts(hand.stage)]
        self.hasty = spans + [track.span(pipe.shape) for pipe in hand.stage.pipes]
        pairs = zone_pairs(hand.stage)
        self.take_offs = [Place(*track.span(zone.shape), zone) for zone, _ in pairs]
        self.landings = [Place(*track.span(zone.shape), zone) for _, zone in pairs]

    # ------------------------------------------------------------------ a race

    def race(self) -> list[Drawn]:
        """All strokes, from the arrow to the finish or to where the team gives up."""
        hand, crossed, tries = self.hand, 0, 0
        strokes: list[Drawn] = []
        at, off = start_spot(hand), None
        why: Why = "start"
        while tries < PATIENCE:
            stroke, crashed = self._attempt(at, off, why)
            strokes.append(stroke)
            behind = hand.stretch_of(float(stroke.along_mm[-1]))
            tries, crossed = (0 if behind > crossed else tries), max(crossed, behind)
            if crashed:
                tries += 1
                at, off, why = restart_spot(hand, crossed), None, "restart"
            elif stroke.along_mm[-1] > hand.track.finish_along:
                break
            else:
                (at, off), why = self._landing(stroke), "leap"
        return strokes

    def _attempt(self, at: float, off: float | None, why: Why) -> tuple[Drawn, bool]:
        """A stroke from a place to the next jump or the end; cut short where it goes wrong."""
        hand = self.hand
        stop, leap = self._goal(at)
        stroke = self._over_oil(self._run(at, off, stop, why), stop, why)
        landed_badly = why == "leap" and _outside(stroke.points_mm[0], at, self.landings)
        broken = self._broken(stroke)
        if broken is None and not landed_badly:
            return stroke, leap and _outside(stroke.points_mm[-1], float(stroke.along_mm[-1]), self.take_offs)
        index = 0 if landed_badly else broken or 0
        return self._cut(stroke, index, hand.between(3, 24)), True

    def _goal(self, at: float) -> tuple[float, bool]:
        """Where this stroke is meant to end, and whether that is a jump."""
        for place in self.take_offs:
            if at < place.low:
                return place.middle + float(self.hand.rng.normal()) * LIFT_MM, True
        return end_spot(self.hand), False

    def _landing(self, stroke: Drawn) -> tuple[float, float]:
        """Where the marker is set down after a jump."""
        end = float(stroke.along_mm[-1])
        nth = min(range(len(self.take_offs)), key=lambda i: abs(self.take_offs[i].middle - end))
        rng = self.hand.rng
        return self.landings[nth].middle + float(rng.normal()) * LAND_MM, float(rng.normal()) * ASIDE_MM

    def _broken(self, stroke: Drawn) -> int | None:
        """The first point of a stroke whose ink shows past a white line's far edge."""
        past = np.zeros(len(stroke.points_mm), bool)
        for side in (LEFT, RIGHT):
            past |= self.hand.margins(stroke, side) < 0
        return int(past.argmax()) if past.any() else None

    def _cut(self, stroke: Drawn, index: int, on_mm: float) -> Drawn:
        """The stroke up to a little after its accident, and not as far as anything that comes after it."""
        track = self.hand.track
        here = float(stroke.along_mm[index])
        ahead = [*track.checkpoint_along, track.finish_along, *(place.low for place in self.take_offs)]
        room = min([a for a in ahead if a > here] or [here + 99]) - here - 4.0
        arc = stroke.arc_mm()
        end = int(np.searchsorted(arc, arc[index] + max(1.0, min(on_mm, room))))
        stop = max(end, index + 2, 8)
        return Drawn(stroke.points_mm[:stop], stroke.along_mm[:stop], stroke.width_mm, stroke.why)

    # ------------------------------------------------------------------ moving

    def _run(self, at: float, off: float | None, stop: float, why: Why) -> Drawn:
        """The way of the tip from a place until it has come as far as ``stop``."""
        rng, hand = self.hand.rng, self.hand
        off = float(rng.normal()) * 1.5 + self._middle(at) if off is None else off
        x, y = hand.track.point(at, off)
        steps = int((stop - at) / PACE_MM * 1.4) + 400
        noise = rng.normal(size=steps).tolist()
        keep = math.exp(-PACE_MM / SWAY_MM)
        kick = SWAY * math.sqrt(1 - keep * keep)
        tip, sway = Tip(at, float(x), float(y), self._course_at(at) + noise[0] * 0.1), noise[1] * SWAY / 2
        way = [tip]
        for step in range(steps):
            sway = keep * sway + kick * noise[step]
            late = LATE_MM * (HASTE if any(a <= tip.along <= b for a, b in self.hasty) else 1.0)
            call = self._call(way[max(0, len(way) - 1 - int(late / PACE_MM))])
            turn = (call + sway - tip.heading + math.pi) % (2 * math.pi) - math.pi
            most = TURN_PER_MM * PACE_MM
            tip = self._moved(tip, tip.heading + max(-most, min(most, 0.25 * turn)))
            way.append(tip)
            if tip.along >= stop:
                break
        points, along = np.array([(t.x, t.y) for t in way]), np.array([t.along for t in way])
        return Drawn(points, along, hand.width_mm, why)

    def _moved(self, tip: Tip, heading: float) -> Tip:
        x, y = tip.x + PACE_MM * math.cos(heading), tip.y + PACE_MM * math.sin(heading)
        i = self._index(tip.along)
        (bx, by), (lx, ly) = self.base[i], self.left[i]
        ahead = (x - bx) * -ly + (y - by) * lx
        return Tip(max(tip.along, self.along[i] + ahead), x, y, heading)

    def _call(self, tip: Tip) -> float:
        """The direction that the Co-Pilot calls for a tip that is here."""
        x, y = self.aim[self._index(tip.along + AHEAD_MM)]
        return math.atan2(y - tip.y, x - tip.x)

    def _course_at(self, along: float) -> float:
        lx, ly = self.left[self._index(along)]
        return math.atan2(lx, -ly)

    def _middle(self, along: float) -> float:
        lane, at = self.hand.lane, self._index(along)
        return float(lane.low_mm[at] + lane.high_mm[at]) / 2

    def _index(self, along: float) -> int:
        return min(bisect_left(self.along, along), len(self.along) - 1)

    # ------------------------------------------------------------------ oil

    def _over_oil(self, stroke: Drawn, stop: float, why: Why) -> Drawn:
        """Where the ink touches oil, three donuts behind the spill, and on from there."""
        touched = [spill for spill in self.hand.stage.oil_spills if (oil_margins(stroke, spill) <= 0).any()]
        if not touched:
            return stroke
        beyond = self._beyond(stroke, touched[0])
        if beyond is None:
            return stroke
        lead = Drawn(stroke.points_mm[:beyond], stroke.along_mm[:beyond], stroke.width_mm, why)
        circled = self._circled(lead)
        along = float(circled.along_mm[-1])
        whole = joined(circled, self._run(along, self._off(circled), stop, why))
        if any((oil_margins(whole, s) <= 0).any() for s in self.hand.stage.oil_spills if s is not touched[0]):
            raise CannotDriveError("oil twice on one stretch")
        return whole

    def _beyond(self, stroke: Drawn, spill: OilSpill) -> int | None:
        """Where a stroke that has touched a spill is far enough past it for donuts."""
        first = int((oil_margins(stroke, spill) <= 0).argmax())
        clear = stroke.along_mm[first:] >= self.hand.track.span(spill.reach)[1] + 7.0
        return first + int(clear.argmax()) + 1 if clear.any() else None

    def _off(self, stroke: Drawn) -> float:
        """How far to the left of the middle of the road a stroke ends."""
        along = float(stroke.along_mm[-1])
        apart = stroke.points_mm[-1] - self.hand.track.point(along)
        return float(apart @ np.array(self.left[self._index(along)]))

    def _circled(self, lead: Drawn) -> Drawn:
        """Three donuts towards the wider side of the road, with the gaps that a blindfolded hand leaves."""
        hand = self.hand
        along, off = float(lead.along_mm[-1]), self._off(lead)
        side = LEFT if off < self._middle(along) else RIGHT
        radius = hand.between(hand.width_mm / 2 + 1.6, hand.width_mm / 2 + 3.0)
        loop = Loop(off, side, radius, hand.between(0.9, 1.1))
        parts = [lead, loop.drawn(hand, along)]
        for _ in range(2):
            after = next_loop(hand, loop, along, hand.between(0.8, 3.0))
            parts += [straight(hand, along + DRIFT_MM, after, off), loop.drawn(hand, after)]
            along = after
        return joined(*parts, straight(hand, along + DRIFT_MM, along + 5.0, off))


def _outside(point: Floats, along: float, places: Sequence[Place]) -> bool:
    """Whether a jump began or landed outside the nearest of its zones."""
    nearest = min(places, key=lambda place: abs(place.middle - along))
    return inside_mm(point, nearest.zone.shape) < 0
