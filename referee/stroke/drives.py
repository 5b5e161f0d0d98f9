"""A strand driven one way: what it is like, and what it costs in itself.

What anything costs is roughly the negative logarithm of how likely a blindfolded driver is to have drawn it so.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from referee.model import Floats, Stroke
from referee.stroke.course import Track, tracks
from referee.stroke.edges import STEP_MM, Line
from referee.stroke.places import Places
from referee.stroke.weave import LegEnd, Loom, Strand

IGNORED = 2.5
"""The price of driving on over the next line after leaving the road."""
BACKWARD_MM = 8.0
"""So much more going backward on the road makes a drive a third as likely."""
DRAGGED = 1.0
"""The price of going backward after leaving the road: the marker is dragged back about as often as it is lifted."""
DRAGGED_ON_ROAD = 3.0
"""The price of going backward along the road then: a marker that is dragged back takes the short way."""
DRAGGED_TO_MM = 15.0
"""A drive that comes back this close to the last place of restart has not ignored that it had left the road."""
WHITE_LINE_MM = 2.0
"""About how wide the line beside a road is."""
RING_STEP_MM = 0.75
"""How often a line goes round is told by steps of this length."""


@dataclass(frozen=True, eq=False)
class Drive:
    """A strand driven one way: its ends, its progress along the course."""

    begin_mm: Floats
    end_mm: Floats
    into: Floats
    """Direction of travel at the end."""
    out: Floats
    """Direction of travel at the beginning."""
    begin_open: bool
    track: Track
    lines: tuple[Line, ...]
    """What it is made of, in the direction driven."""
    strays: tuple[tuple[LegEnd, float], ...]
    """Legs that leave the road, as they are come by: number and end of entry, progress there."""
    passed: int
    """How many places of restart it has come by."""
    is_home: bool
    """Whether it ends about the finish, having come by it."""
    to_jumps_mm: tuple[float, ...]
    from_landings_mm: tuple[float, ...]
    """How far its end is from each jump zone, and its beginning from each landing zone."""
    own: float
    """Its price in itself."""
    start: float
    """The price of beginning a race with it."""
    restarts: tuple[tuple[float, str], ...]
    """The cheapest way for it to be a restart, and how that is told, by how many such places have been passed."""


@dataclass(eq=False)
class Weighed:
    """What has been weighed on one board, whichever ink was taken as double."""

    tracks: dict[tuple[int, int], list[Track]] = field(default_factory=dict)
    drives: dict[tuple[object, ...], tuple[Drive, Drive]] = field(default_factory=dict)
    strokes: dict[tuple[object, ...], Stroke] = field(default_factory=dict)
    best: float = np.inf
    """The price of the cheapest reading so far."""
    count: int = 0
    """How many ways to pair the legs have been weighed."""
    too_many: bool = False
    """Whether ink has been told in more strands than a race has."""


@dataclass(eq=False)
class Reader:
    """Weighs strands and their orders on one board if certain ink is double."""

    loom: Loom
    places: Places
    weighed: Weighed
    drives_of: dict[Strand, tuple[Drive, Drive]] = field(default_factory=dict)

    def tracks_of(self, leg: int, entry: int) -> list[Track]:
        """The ways to lay a leg, driven from one of its ends, along the course."""
        line, known = self.loom.line(leg), self.weighed.tracks
        if (id(line), entry) not in known:
            there = tracks(line.points_mm, self.places.course)
            known[id(line), 0], known[id(line), 1] = there, [t.turned() for t in there]
        return known[id(line), entry]

    def drives(self, strand: Strand) -> tuple[Drive, Drive]:
        """Both ways to drive a strand: as it is, and from its other end."""
        if strand not in self.drives_of:
            key, known = self._key(strand), self.weighed.drives
            if key not in known:
                known[key] = (self._drive(strand), self._drive(strand.turned()))
            self.drives_of[strand] = known[key]
        return self.drives_of[strand]

    def _key(self, strand: Strand) -> tuple[object, ...]:
        """What makes a drive on one loom the same as on another: its legs, as measured, and what it ends in."""
        (first, entry), (last, exit) = strand.legs[0], strand.legs[-1]
        ends = self.loom.knot_at((first, entry)), self.loom.knot_at((last, 1 - exit))
        return (*ends, strand.closed, *((id(self.loom.line(leg)), entry) for leg, entry in strand.legs))

    def matters(self, leg: int) -> bool:
        """Whether it matters which strand a leg belongs to: it leaves the road, or goes round."""
        here = self.loom.net.legs[leg]
        off = min(self.tracks_of(leg, 0), key=lambda track: track.cost).off_mm
        return off > self.brink_mm or (here.ends[0] == here.ends[1] and here.ends[0] >= 0)

    @cached_property
    def brink_mm(self) -> float:
        """From so far off the middle of the road a line of ink goes over the road's edge."""
        return self.places.road_half_mm + WHITE_LINE_MM - self.loom.pen_mm / 2

    def _drive(self, strand: Strand) -> Drive:
        lines = [self._directed(leg, entry) for leg, entry in strand.legs]
        track, laid = _lay(lines, [self.tracks_of(leg, entry) for leg, entry in strand.legs])
        brink = self.brink_mm
        off = [i for i, here in enumerate(laid) if here.track.off_mm > brink]
        strays = tuple((strand.legs[i], laid[i].track.off_at_mm) for i in off)
        crashed = off[0] + 1 if off else len(laid)
        dragged = laid[crashed:]
        backward = Backward(
            sum(here.backward_mm for here in laid[:crashed]),
            sum(here.backward_mm for here in dragged if here.track.off_mm <= brink),
            sum(here.backward_mm for here in dragged if here.track.off_mm > brink),
        )
        back_at = [min((t.track.low_mm for t in laid[i + 1 :]), default=np.inf) for i in off]
        first, last = lines[0].points_mm, lines[-1].points_mm
        begin, begin_open = self._very_end(strand.legs[0])
        end, _ = self._very_end((strand.legs[-1][0], 1 - strand.legs[-1][1]))
        out = _unit(first[min(len(first), 9) - 1] - first[0])
        places, guide = self.places, self.places.guide
        finish = places.finish_at_mm
        return Drive(
            begin_mm=begin,
            end_mm=end,
            into=_unit(last[-1] - last[-min(len(last), 9)]),
            out=out,
            begin_open=begin_open,
            track=track,
            lines=tuple(lines),
            strays=strays,
            passed=sum(s <= track.high_mm + 4.0 for s in places.restart_at_mm),
            is_home=track.high_mm > finish - 4.0 and track.last_mm > finish - 25.0,
            to_jumps_mm=tuple(places.far(end, jump, True) for jump, _ in guide.leaps),
            from_landings_mm=tuple(places.far(begin, landing, True) for _, landing in guide.leaps),
            own=_own_cost(track, backward, [(at, back) for (_, at), back in zip(strays, back_at, strict=True)], places),
            start=_start_cost(begin, out, places),
            restarts=_restarts(begin, begin_open, track.first_mm, places),
        )

    def _very_end(self, end: LegEnd) -> tuple[Floats, bool]:
        """Where a strand that ends with this leg end has its tip, and whether that is to be seen."""
        points = self.loom.line(end[0]).points_mm
        here = points[0] if end[1] == 0 else points[-1]
        if self.loom.net.legs[end[0]].ends[end[1]] < 0:
            return here, True
        ended = self.loom.stop(end)
        return (ended.line.points_mm[-1] if len(ended.line.points_mm) else here), ended.look != "covered"

    def _directed(self, leg: int, entry: int) -> Line:
        line = self.loom.line(leg)
        return line if entry == 0 else line.turned()

    def stroke(self, strand: Strand, reverse: bool) -> Stroke:
        """The strand as a stroke in the direction driven."""
        way, known = strand.turned() if reverse else strand, self.weighed.strokes
        knots = tuple(self.loom.knot_at(end) for end in way.legs)
        key = (*self._key(way), *knots)
        if key not in known:
            known[key] = self.loom.stroke(way)
        return known[key]


@dataclass(frozen=True)
class _Laid:
    """Lines laid along the course up to one of them: the price, how far backward it goes on that line and on the way
    to it, its track, what was before."""

    cost: float
    backward_mm: float
    track: Track
    before: _Laid | None


def _lay(lines: list[Line], options: list[list[Track]]) -> tuple[Track, list[_Laid]]:
    """The best way to lay lines, one after another, along the course: as one track, and line by line."""
    state = [_Laid(t.cost, max(0.0, t.first_mm - t.last_mm), t, None) for t in options[0]]
    for i in range(1, len(lines)):
        free = 2.5 * math.dist(lines[i].points_mm[0], lines[i - 1].points_mm[-1]) + 6.0
        fresh = []
        for t in options[i]:
            leaps = [s.cost + min(max(abs(t.first_mm - s.track.last_mm) - free, 0.0) / 8, 6.0) for s in state]
            cost = min(leaps)
            s = state[leaps.index(cost)]
            back = max(0.0, s.track.last_mm - t.first_mm) + max(0.0, t.first_mm - t.last_mm)
            fresh.append(_Laid(cost + t.cost, back, t, s))
        state = fresh
    laid = [min(state, key=lambda s: s.cost)]
    while (before := laid[-1].before) is not None:
        laid.append(before)
    low, high = min(s.track.low_mm for s in laid), max(s.track.high_mm for s in laid)
    whole = Track(laid[-1].track.first_mm, laid[0].track.last_mm, low, high, laid[0].cost, 0.0, 0.0)
    return whole, laid[::-1]


def rings(lines: Sequence[Line]) -> int:
    """How often lines, driven one after another, go round: what they turn by beyond what their ends differ by."""
    on = np.diff(np.vstack([line.points_mm[:: max(1, round(RING_STEP_MM / STEP_MM))] for line in lines]), axis=0)
    on = on[np.hypot(*on.T) > 1e-6]
    cross, along = on[:-1, 1] * on[1:, 0] - on[:-1, 0] * on[1:, 1], (on[:-1] * on[1:]).sum(axis=1)
    return round(float(np.arctan2(cross, along).sum()) / (2 * np.pi))


def _unit(v: Floats) -> Floats:
    return np.asarray(v / max(float(np.hypot(*v)), 1e-9))


@dataclass(frozen=True)
class Backward:
    """How far a drive goes backward: until it has first left the road, and after that on the road and off it."""

    calm_mm: float
    on_road_mm: float
    off_road_mm: float


def _own_cost(track: Track, backward: Backward, strays: list[tuple[float, float]], places: Places) -> float:
    """The price of a drive in itself: going backward, and going on after leaving the road as if nothing had been.

    ``strays`` says where the road is left, and how far back along the course the drive comes after that.
    """
    calm, on_road, off_road = (
        max(far - 12.0, 0.0) / BACKWARD_MM for far in (backward.calm_mm, backward.on_road_mm, backward.off_road_mm)
    )
    cost = min(calm, 8.0) + min(on_road, DRAGGED_ON_ROAD) + min(off_road, DRAGGED) + 0.3 * track.cost
    lines = [*places.restart_at_mm[1:], places.finish_at_mm]
    high = track.high_mm - 3.0
    ignored = {
        next((i for i, s in enumerate(lines) if at + 3.0 < s < high), None)
        for at, back in strays
        if back > max((s for s in places.restart_at_mm if s <= at), default=0.0) + DRAGGED_TO_MM
    }
    return cost + IGNORED * len(ignored - {None})


def _start_cost(begin_mm: Floats, out: Floats, places: Places) -> float:
    far = places.far(begin_mm, places.guide.start_mm, True)
    wrong_way = max(0.0, -float(out @ places.guide.heading))
    return min(max(far - 6.0, 0.0) / 5, 8.0) + 0.5 * wrong_way


def _restarts(begin: Floats, is_open: bool, first_mm: float, places: Places) -> tuple[tuple[float, str], ...]:
    """What it costs to begin again there, and where that is, if 0, 1, 2 ... places of restart have been passed."""
    key = (float(begin[0]), float(begin[1]), is_open, first_mm)
    if key in places.restarts:
        return places.restarts[key]
    slack = 3.0 if is_open else 8.0
    options = []
    for at, (name, shape) in zip(places.restart_at_mm, places.guide.restarts, strict=True):
        far = places.far(begin, shape, len(shape) > 2)
        cost = 1.0 + max(far - 9.0, 0.0) / slack + min(max(abs(first_mm - at) - 30.0, 0.0) / 10, 4.0)
        options.append((cost, f"after an accident it begins again at {name}"))
    out = []
    for passed in range(len(options) + 1):
        off = [abs(passed - 1 - r) for r in range(len(options))]
        out.append(min((c + 0.8 * o + 0.4 * (o > 0), word) for (c, word), o in zip(options, off, strict=True)))
    places.restarts[key] = tuple(out)
    return places.restarts[key]
