"""Ink and the board's guide -> the ways in which the ink may have been drawn, likeliest first.

Each reading explains all ink near the road: it says which lines go on in which at every knot, and in what order
and direction the strokes were drawn.  What a reading costs is roughly the negative logarithm of how likely a
blindfolded driver is to have drawn it so.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations, pairwise, product
from operator import itemgetter

import numpy as np

from referee.model import Floats, Guide, Ink, Path, Stroke
from referee.stroke.course import Course, Track, course_of, tracks
from referee.stroke.edges import STEP_MM, Line
from referee.stroke.joins import unseen_parts, with_joins
from referee.stroke.knots import Doubling, cut_steps, doublings, net_of
from referee.stroke.mask import InkMask, ink_mask
from referee.stroke.outcomes import outcomes
from referee.stroke.skeleton import Graph, graph_of
from referee.stroke.weave import RING, LegEnd, Loom, Measured, Pairing, Strand

MOST_READINGS = 12
CLEAR = 15.0
"""Of a tangle even the best reading is dear; beyond this price its lead over others says less and less."""
OTHER_SIDE = 0.3
MOST_SIDES = 3
"""Readings that differ only in who took which side: so many are told, if they are this likely."""
SIDE_LONG_MM, SIDE_APART_MM = 12.0, 3.0
"""Only stretches this long count as another side, and only if their middles are about this far apart."""
WORSE_BY = 9.0
"""Readings this much dearer than the best are not told."""
MOST_EDGES = 220
"""A race's ink falls into a few dozen pieces between its crossings; what has more is no race's ink."""
FAR_FETCHED = 5.0
"""Guesses which ink is double that are this much more far-fetched than the first are not read."""
MOST_CHANGES = 3
"""So often the best guess is changed for a better one beside it."""
FIRST_CHOICES, FAR_BEHIND = 24, 4.0
"""Of a guess which ink is double whose first readings are so much dearer than the best, no more are weighed."""
MOST_CHOICES = 160
"""So many ways to pair the legs are weighed in full for each guess which ink is double."""
BEAM, MOST_ORDERS = 24, 4
"""So many beginnings of an order are kept while it is searched for, and so many orders of the same strands."""
FAR = 9.0
"""Outcomes whose knots are this much dearer than the cheapest are not read."""
DEARER = 6.0
"""Ways through a knot that are this much dearer than the cheapest are not tried."""
OFF_ROAD_MM = 15.0
"""Ink that never comes this near to the course is no part of the race."""
SCRAP = 1.0
"""The price of taking a scrap of ink at the rim of the unseen for a shadow."""
IGNORED = 2.5
"""The price of driving on over the next line after leaving the road."""
CALM = 1.5
"""The price of going back to a restart line though nothing had happened."""
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
DOT_WIDTHS = 2.0
"""Ink by itself shorter than this many pen widths is a dot."""


def readings(ink: Ink, guide: Guide) -> tuple[Path, ...]:
    """The ways to read a board's ink, likeliest first; empty if there is no ink by the road."""
    mask = ink_mask(ink)
    if mask is None:
        return ()
    course = course_of(guide)
    graph = graph_of(mask)
    _drop_strangers(graph, mask, course)
    if not 0 < len(graph.edges) <= MOST_EDGES:
        return ()
    return _best_paths(ink, mask, graph, guide, course)


def _drop_strangers(graph: Graph, mask: InkMask, course: Course) -> None:
    """Take out whole pieces of ink that are no part of the race: far from the road, or dots."""
    root = {n: n for n in graph.places_px}

    def find(n: int) -> int:
        while root[n] != n:
            root[n] = root[root[n]]
            n = root[n]
        return n

    for e in graph.edges.values():
        root[find(e.a)] = find(e.b)
    pieces: dict[int, list[int]] = {}
    for k, e in graph.edges.items():
        pieces.setdefault(find(e.a), []).append(k)
    for keys in pieces.values():
        if _is_stranger([graph.edges[k].chain_px for k in keys], mask, course):
            for k in keys:
                del graph.edges[k]
    alive = {n for e in graph.edges.values() for n in (e.a, e.b)}
    for n in set(graph.places_px) - alive:
        del graph.places_px[n]


def _is_stranger(chains: list[Floats], mask: InkMask, course: Course) -> bool:
    points = mask.to_mm(np.vstack([c[::8] for c in chains]))
    if not any(course.is_within(points[k::16], OFF_ROAD_MM) for k in range(16)):
        return True
    length = sum(len(c) for c in chains)
    return len(chains) == 1 and length < (DOT_WIDTHS - 1) * mask.pen_px


# ------------------------------------------------------------------------------------------- what a strand is like


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


@dataclass(frozen=True, eq=False)
class Places:
    """The guide with distances along the course; remembers how far points are from its shapes."""

    guide: Guide
    course: Course
    restart_at_mm: tuple[float, ...]
    finish_at_mm: float
    road_half_mm: float
    known: dict[tuple[float, float, int], float] = field(default_factory=dict)
    restarts: dict[tuple[float, float, bool, float], tuple[tuple[float, str], ...]] = field(default_factory=dict)

    def far(self, point: Floats, shape: Floats, closed: bool) -> float:
        """Distance from a point to one of the guide's shapes (0 inside a closed one)."""
        key = (float(point[0]), float(point[1]), id(shape))
        if key not in self.known:
            self.known[key] = _distance(point, shape, closed)
        return self.known[key]


def _places(guide: Guide, course: Course) -> Places:
    at = []
    for _, shape in guide.restarts:
        at.append(_nearest(shape.mean(axis=0), course))
    lines = [shape for _, shape in guide.restarts[1:]] + [guide.finish_mm]
    half = float(np.median([np.hypot(*(line[-1] - line[0])) for line in lines])) / 2
    return Places(guide, course, tuple(at), _nearest(guide.finish_mm.mean(axis=0), course, last=True), half)


def _nearest(point: Floats, course: Course, last: bool = False) -> float:
    far = np.hypot(*(course.points_mm - point).T)
    if last:
        far = far - course.along_mm * 1e-3
    return float(course.along_mm[int(far.argmin())])


def _distance(point: Floats, shape: Floats, closed: bool) -> float:
    """Distance from a point to a line, or to a closed outline (0 inside)."""
    a = shape
    b = np.roll(shape, -1, axis=0) if closed else None
    start, end = (a, b) if b is not None else (a[:-1], a[1:])
    d = end - start
    t = np.clip(((point - start) * d).sum(1) / np.maximum((d * d).sum(1), 1e-12), 0, 1)
    near = float(np.hypot(*(start + d * t[:, None] - point).T).min())
    if closed:
        x, y = point
        up = (start[:, 1] > y) != (end[:, 1] > y)
        cross = start[:, 0] + (y - start[:, 1]) / np.where(d[:, 1] == 0, 1e-12, d[:, 1]) * d[:, 0]
        if int((up & (x < cross)).sum()) % 2:
            return 0.0
    return near


@dataclass(eq=False)
class Weighed:
    """What has been weighed on one board, whichever ink was taken as double."""

    tracks: dict[tuple[int, int], list[Track]] = field(default_factory=dict)
    drives: dict[tuple[object, ...], tuple[Drive, Drive]] = field(default_factory=dict)
    strokes: dict[tuple[object, ...], Stroke] = field(default_factory=dict)
    best: float = np.inf
    """The price of the cheapest reading so far."""


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


def _rings(lines: Sequence[Line]) -> int:
    """How often lines, driven one after another, go round: what they turn by beyond what their ends differ by."""
    on = np.diff(np.vstack([line.points_mm[:: max(1, round(RING_STEP_MM / STEP_MM))] for line in lines]), axis=0)
    on = on[np.hypot(*on.T) > 1e-6]
    cross, along = on[:-1, 1] * on[1:, 0] - on[:-1, 0] * on[1:, 1], (on[:-1] * on[1:]).sum(axis=1)
    return round(float(np.arctan2(cross, along).sum()) / (2 * np.pi))


def _unit(v: Floats) -> Floats:
    return np.asarray(v / max(float(np.hypot(*v)), 1e-9))


# ------------------------------------------------------------------------------------------------ order of strands


@dataclass(frozen=True)
class Order:
    """An order of drives (strand, whether from its other end) and what it costs."""

    drives: tuple[tuple[int, bool], ...]
    cost: float


def orders(ways: list[tuple[Drive, Drive]], reader: Reader, limit: float) -> list[Order]:
    """The likeliest orders and directions of all strands that cost less than ``limit`` (beam search)."""
    if sum(min(a.own, b.own) for a, b in ways) >= limit:
        return []
    drives = [drive for pair in ways for drive in pair]
    strand = np.arange(len(drives)) // 2
    own, start, high = (np.array(v) for v in zip(*((d.own, d.start, d.track.high_mm) for d in drives), strict=True))
    step = np.where(strand[:, None] == strand, np.inf, step_costs(drives))
    # what each strand costs at least, wherever it comes in the order
    least = (own + np.minimum(start, step.min(axis=0))).reshape(-1, 2).min(axis=1)[strand]
    limit -= float(least[::2].sum())
    cost = start + own
    over = cost - least
    first = np.flatnonzero(over < limit)
    cost, over, done = cost[first], over[first], first[:, None]
    free, reached = strand[first, None] != strand, high[first]
    for _ in range(len(ways) - 1):
        last = done[:, -1]
        lost = np.clip(reached - high[last] - 15.0, 0.0, 120.0) / 60
        more = lost[:, None] + own + step[last]
        dearer = over[:, None] + more - least
        rows, on = np.nonzero(free & (dearer < limit))
        grown = cost[rows] + more[rows, on]
        best = np.argsort(grown, kind="stable")[:BEAM]
        rows, on = rows[best], on[best]
        cost, over, done = grown[best], dearer[rows, on], np.column_stack([done[rows], on])
        free, reached = free[rows] & (strand[on, None] != strand), np.maximum(reached[rows], high[on])
    ended = cost + np.array([_end_cost(drives[k], reader.places) for k in done[:, -1]])
    return [
        Order(tuple((int(strand[k]), bool(k % 2)) for k in done[i]), float(ended[i]))
        for i in np.argsort(ended, kind="stable")[:MOST_ORDERS]
    ]


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


def _end_cost(d: Drive, places: Places) -> float:
    short = places.finish_at_mm - d.track.last_mm
    return 1.0 + min(short / 400, 1.0) if short > 8.0 else 0.0


def _tales(drives: list[Drive], others: list[Drive]) -> tuple[Floats, ...]:
    """The prices (N, M) of going on from each of N drives with each of M others, by the way to tell it (`TALES`)."""
    end, into = (np.array([getattr(d, name) for d in drives])[:, None] for name in ("end_mm", "into"))
    begin, out = (np.array([getattr(d, name) for d in others])[None] for name in ("begin_mm", "out"))
    way = begin - end
    gap = np.hypot(way[..., 0], way[..., 1])
    elsewhere = 4.5 + np.minimum(gap, 120.0) / 40
    jump = np.full_like(gap, np.inf)
    if drives[0].to_jumps_mm:
        to_jumps = np.array([d.to_jumps_mm for d in drives])[:, None]
        jump = np.minimum((to_jumps + np.array([d.from_landings_mm for d in others])).min(axis=2) / 5, 8.0)
    chord = way / np.maximum(gap, 1e-9)[..., None]
    bent = (1 - (into * out).sum(axis=2)) + 0.5 * (1 - (into * chord).sum(axis=2))
    on = np.where(gap < 8.0, 0.5 + 0.4 * gap + 3 * bent, np.inf)
    again = np.array([[c for c, _ in d.restarts] for d in others]).T[[d.passed for d in drives]]
    last_stray = np.array([max((at for _, at in d.strays), default=-np.inf) for d in drives])
    calm = last_stray[:, None] <= np.array([d.track.first_mm for d in others]) - 5.0
    return elsewhere, jump, on, again + CALM * calm


TALES = ("then a stroke begins elsewhere", "a jump leads to the next stroke", "the ink goes on after a gap")


def step_costs(drives: list[Drive]) -> Floats:
    """The price (N, N) of going on from each of N drives with each other, in the cheapest way to tell it."""
    home = np.array([5.0 * d.is_home for d in drives])
    return np.asarray(np.minimum.reduce(_tales(drives, drives)) + home[:, None])


def _step_word(a: Drive, b: Drive) -> str:
    """How it is told to go on with drive b after drive a."""
    words = (*TALES, b.restarts[a.passed][1])
    return min(zip((float(tale[0, 0]) for tale in _tales([a], [b])), words, strict=True))[1]


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


# ------------------------------------------------------------------------------------------------ the best of all


@dataclass(frozen=True, eq=False)
class Candidate:
    """One full reading before it is drawn out."""

    cost: float
    reader: Reader
    strands: tuple[Strand, ...]
    order: Order

    def drives(self) -> list[Drive]:
        """The strokes in the order and the direction driven."""
        return [self.reader.drives(self.strands[i])[int(back)] for i, back in self.order.drives]

    def told(self) -> str:
        """How the order is told."""
        return "; ".join(
            ["the race begins at the start arrow", *(_step_word(a, b) for a, b in pairwise(self.drives()))]
        )

    def mark(self, number: int, reverse: bool) -> tuple[object, ...]:
        """What makes a stroke differ in the eyes of the rules: its ends, where it leaves the road, its rings."""
        drive = self.reader.drives(self.strands[number])[int(reverse)]
        ends = np.rint(np.concatenate([drive.begin_mm, drive.end_mm]) / 3).astype(int).tolist()
        return (*ends, tuple(leg_end for leg_end, _ in drive.strays), _rings(drive.lines))

    def side(self, number: int) -> tuple[tuple[int, ...], ...]:
        """By which way a stroke goes: the middles of its legs, roughly."""
        lines = [self.reader.loom.line(leg).points_mm for leg, _ in self.strands[number].legs]
        middles = [line.mean(axis=0) for line in lines if len(line) * STEP_MM > SIDE_LONG_MM]
        return tuple(sorted(tuple(np.rint(m / SIDE_APART_MM).astype(int).tolist()) for m in middles))


def _best_paths(ink: Ink, mask: InkMask, graph: Graph, guide: Guide, course: Course) -> tuple[Path, ...]:
    places = _places(guide, course)
    unseen = unseen_parts(ink, mask)
    measured = Measured()
    weighed = Weighed()
    steps = cut_steps(graph, mask.pen_px)
    guesses = doublings(graph, mask.pen_px, steps)
    found: dict[frozenset[int], list[Candidate]] = {}

    def read(guess: Doubling) -> float:
        """The price of the best reading of a guess; reads it if it has not been."""
        if guess.edges not in found:
            net = with_joins(net_of(graph, mask, guess.edges, steps), mask, unseen)
            reader = Reader(Loom(ink, mask, net, measured), places, weighed)
            found[guess.edges] = _search(reader, guess)
        return min((c.cost for c in found[guess.edges]), default=np.inf)

    told = [guess for guess in guesses.first if guess.cost <= guesses.first[0].cost + FAR_FETCHED]
    best, here = min(((read(guess), guess) for guess in told), key=itemgetter(0))
    for _ in range(MOST_CHANGES):
        cost, near = min(
            ((read(guess), guess) for guess in guesses.near(here)), key=itemgetter(0), default=(np.inf, here)
        )
        if cost >= best - 1e-9:
            break
        best, here = cost, near
    candidates = sorted((c for many in found.values() for c in many), key=lambda c: c.cost)
    return _told([c for c in candidates if c.cost < candidates[0].cost + WORSE_BY])


def _search(reader: Reader, guess: Doubling) -> list[Candidate]:
    """The cheapest readings of each outcome, and those in which the best one's strands take each other's sides."""
    loom = reader.loom
    knots = [i for i, k in enumerate(loom.net.knots) if k.leg_ends]
    options = [loom.pairings(i) for i in knots]
    if guess.price + sum(known[0][0] for known in options) >= reader.weighed.best + WORSE_BY:
        return []
    weighed: dict[tuple[int, ...], list[Candidate]] = {}

    def weigh(choice: tuple[int, ...]) -> float:
        if choice not in weighed:
            chosen = [o[i] for o, i in zip(options, choice, strict=True)]
            base = guess.price + sum(c for c, _ in chosen)
            worst = reader.weighed.best + WORSE_BY
            weighed[choice] = _weigh(reader, base, [p for _, p in chosen], worst) if base < worst else []
            if weighed[choice]:
                reader.weighed.best = min(reader.weighed.best, weighed[choice][0].cost)
        return weighed[choice][0].cost if weighed[choice] else np.inf

    matter = frozenset(leg for leg in loom.net.legs if reader.matters(leg))
    found = outcomes(loom.net, list(zip(knots, options, strict=True)), matter, FAR)
    best, here = min((weigh(choice), choice) for _, choice in found[:FIRST_CHOICES])
    if best < reader.weighed.best + FAR_BEHIND:
        best, here = min((weigh(choice), choice) for _, choice in found[:MOST_CHOICES])
    if best < np.inf:
        for choice in _swapped_twice(here, options, loom):
            weigh(choice)
    return [c for many in weighed.values() for c in many]


def _swapped_twice(
    here: tuple[int, ...], options: list[list[tuple[float, Pairing]]], loom: Loom
) -> list[tuple[int, ...]]:
    """A choice changed at two knots at once: at both, two passes that go through both change sides."""
    chosen = [o[i][1] for o, i in zip(options, here, strict=True)]
    of_leg = {leg: i for i, strand in enumerate(loom.strands(chosen)) for leg, _ in strand.legs}
    through = [Counter(of_leg[a[0]] for a, b, _ in pairing if b is not None) for pairing in chosen]
    swaps = [
        [i for i in range(len(o)) if o[i][0] < o[0][0] + DEARER and _is_swap(o[i][1], pairing)]
        for o, pairing in zip(options, chosen, strict=True)
    ]
    out = []
    for k, m in combinations([k for k, s in enumerate(swaps) if s], 2):
        if (through[k] & through[m]).total() >= 2:
            for i, j in product(swaps[k], swaps[m]):
                out.append((*here[:k], i, *here[k + 1 : m], j, *here[m + 1 :]))
    return out


def _is_swap(one: Pairing, other: Pairing) -> bool:
    """Whether two ways to go through a knot differ in just two passes that have changed partners."""
    a, b = (frozenset((frozenset((x, y)), via) for x, y, via in pairing) for pairing in (one, other))
    return len(a - b) == len(b - a) == 2 and all(len(pair) == 2 and None not in pair for pair, _ in a ^ b)


def _weigh(reader: Reader, base: float, chosen: list[Pairing], worst: float) -> list[Candidate]:
    """The readings of one choice of pairings that cost less than ``worst``, cheapest first."""
    strands = reader.loom.strands(chosen)
    scraps = [s for s in strands if reader.loom.is_scrap(s)]
    strands = [s for s in strands if s not in scraps]
    if not 0 < len(strands) <= 14:
        return []
    cost = base + RING * sum(s.closed for s in strands) + SCRAP * len(scraps)
    ways = [reader.drives(s) for s in strands]
    return [Candidate(cost + o.cost, reader, tuple(strands), o) for o in orders(ways, reader, worst - cost)]


def _told(found: list[Candidate]) -> tuple[Path, ...]:
    """Candidates drawn out as paths.

    Of those that differ only in which of two strokes took which side of the road, the likeliest, and a few others
    that are hardly less likely: what lies on one side may matter.
    """
    out: list[Path] = []
    seen: dict[tuple[object, ...], set[tuple[object, ...]]] = {}
    for c in found:
        if len(seen) == MOST_READINGS:
            break
        share = float(np.exp((found[0].cost - c.cost) / max(1.0, found[0].cost / CLEAR)))
        mark = tuple(c.mark(i, back) for i, back in c.order.drives)
        told = seen.setdefault(mark, set())
        if told and (share < OTHER_SIDE or len(told) == MOST_SIDES):
            continue
        sides = tuple(c.side(i) for i, _ in c.order.drives) if share >= OTHER_SIDE else ()
        if sides in told:
            continue
        told.add(sides)
        strokes = tuple(c.reader.stroke(c.strands[i], back) for i, back in c.order.drives)
        out.append(Path(strokes, share, c.told()))
    return tuple(out)
