"""Legs and knots -> strands: which leg goes on in which, several ways, likeliest first.

At each knot the legs are paired so that the pen turns least; a leg may also end there under other ink.  A ring
that is nobody's is no way to draw, so pairings that leave one are dear.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import numpy as np

from referee.model import Floats, Ink, Stroke
from referee.stroke.buried import buried_tip
from referee.stroke.edges import (
    CUTOFF_MM,
    STEP_MM,
    Line,
    beside,
    both,
    hairpins_measured,
    joined,
    measure,
    resample,
    shows_ink,
    sides,
    smooth,
    uncurled,
)
from referee.stroke.knots import CUSP, SHORT, STUB, Knot, Leg, Net, route
from referee.stroke.mask import InkMask
from referee.stroke.passes import (
    EVERY_MM,
    FAR_LOOK_MM,
    LONG,
    LOOK_MM,
    Mouth,
    Tip,
    Trunk,
    follow,
    lone_half_widths,
    mouth,
    settle,
    smooth_cost,
    span,
    span_cost,
    tip,
    trunk_cost,
)
from referee.stroke.tips import lifted_sigma_mm

LegEnd = tuple[int, int]
"""A leg's number and which of its ends."""
Pair = tuple[LegEnd, LegEnd | None, tuple[LegEnd, ...]]
"""A pass in at one leg end and out at another, None if it ends in the knot; on the way out to a stub's tip and back."""
Pairing = tuple[Pair, ...]
"""What a knot does."""

ENDS_COVERED = 4.5
ENDS_SHOWN = 2.5
ENDS_AT_TIP = 0.4
ENDS_UNSEEN = 1.5
ENDS_AT_GAP = 1.0
ENDS_AS_SCRAP = 1.0
SCRAP_WIDTHS = 4.0
"""A shorter piece that ends at the rim of the unseen may be a shadow there."""
TANGLE_LEGS = 12
TANGLE_WORSE = 3.0
TANGLE_STEPS = 8000
"""In a tangle of up to so many legs the ways not much dearer than the greedy one are tried."""
MOST_LEGS = 7
TURNS_SHARPLY = 1.0
TURNS_BACK = 1.5
TO_AND_FRO = 1.5
SHARP = 2.5
"""No turn on the way to or from a place where the pen turned back is dearer."""
RING = 7.0
BULGE = 0.55
"""The last so many pen widths of a shared edge do not say where a pass goes on."""
FAR_SAYS = 0.7
"""At a fork the far look at its legs has this say, the look at their mouths the rest."""
NARROW, TOUCHES = 1.1, 1.5
"""Two passes that only touch where their ink is no wider than so many pens are this dear: they most likely cross."""
OF_NO_PASS = 1.0
"""The price of each pen width of ink in a knot that no pass goes over."""


@dataclass(frozen=True)
class Strand:
    """A chain of legs: (leg, end at which it is entered); ``closed`` if it bites its tail.

    A stub on which the pen went out and back stands in it twice, the second time entered at its tip.
    """

    legs: tuple[LegEnd, ...]
    closed: bool = False

    def turned(self) -> Strand:
        """The same strand from its other end."""
        return Strand(tuple((leg, 1 - entry) for leg, entry in reversed(self.legs)), self.closed)


@dataclass(eq=False)
class Measured:
    """What has been measured of a board's ink, shared between its looms: a knot that is the same in two is one here."""

    lines: dict[tuple[int, tuple[int, int]], Line] = field(default_factory=dict)
    """Legs by number and cut."""
    mouths: dict[tuple[LegEnd, tuple[int, int], bool], Mouth] = field(default_factory=dict)
    """By leg end, the leg's cut and whether it runs into the unseen."""
    knots: dict[tuple[object, ...], int] = field(default_factory=dict)
    """A number for each knot met, by all that makes it what it is."""
    passes: dict[tuple[int, LegEnd, LegEnd], Line] = field(default_factory=dict)
    """By number of the knot and both leg ends; so the next two."""
    stops: dict[tuple[int, LegEnd], Tip] = field(default_factory=dict)
    pairings: dict[int, list[tuple[float, Pairing]]] = field(default_factory=dict)
    tips: dict[tuple[int, int, int, int, int], Tip] = field(default_factory=dict)
    """Open ends by leg end, cut and how much of the leg there is."""
    half_mm: float | None = None
    """Half the pen's width where it is alone on its ink, once it has been asked for."""

    def number(self, knot: Knot, net: Net) -> int:
        """The number of a knot of a net."""
        legs = [(end, net.legs[end[0]].cut, _beyond(net, end)) for end in knot.leg_ends]
        edges = frozenset((e.a, e.b, id(e.chain_px)) for e in knot.edges)
        key = (*legs, edges, frozenset(knot.nodes), tuple(knot.tips), knot.unseen, knot.gap)
        return self.knots.setdefault(key, len(self.knots))


def _beyond(net: Net, end: LegEnd) -> bool:
    """Whether a leg goes on from an end to a part of the unseen that no other leg runs into."""
    knot = net.legs[end[0]].ends[1 - end[1]]
    return knot >= 0 and net.knots[knot].unseen and len(net.knots[knot].leg_ends) == 1


@dataclass(eq=False)
class Loom:
    """The measured ink of a board if certain edges are double."""

    ink: Ink
    mask: InkMask
    net: Net
    measured: Measured

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        """The net's knots' numbers in what has been measured."""
        return tuple(self.measured.number(knot, self.net) for knot in self.net.knots)

    @property
    def pen_mm(self) -> float:
        """The pen's usual width."""
        return self.mask.pen_px / self.mask.px_per_mm

    @property
    def half_mm(self) -> float:
        """Half the pen's width where it is alone on its ink, usually; the same for all looms of a board."""
        if self.measured.half_mm is None:
            alone = [self.line(leg).half_mm.ravel() for leg, item in self.net.legs.items() if not item.side]
            self.measured.half_mm = float(np.median(np.concatenate(alone))) if alone else self.pen_mm / 2
        return self.measured.half_mm

    def line(self, leg: int) -> Line:
        """A leg's measured line between its cuts."""
        item = self.net.legs[leg]
        key = (leg, item.cut)
        if key not in self.measured.lines:
            rough = self.mask.to_mm(item.chain_px[item.cut[0] : item.cut[1] + 1])
            if item.side:
                line = beside(self.ink, rough, item.side, self.half_mm, self.pen_mm)
            else:
                blind = [k >= 0 and self.net.knots[k].unseen for k in item.ends]
                line = measure(self.ink, rough, self.pen_mm, (blind[0], blind[1]))
                line = uncurled(self.ink, line, self.pen_mm, (item.ends[0] < 0, item.ends[1] < 0))
            self.measured.lines[key] = line
        return self.measured.lines[key]

    def mouth(self, end: LegEnd) -> Mouth:
        """The mouth of a leg end that runs into a knot."""
        leg = self.net.legs[end[0]]
        unseen = self.net.knots[leg.ends[end[1]]].unseen
        key = (end, leg.cut, unseen)
        if key not in self.measured.mouths:
            reach = FAR_LOOK_MM if unseen else float(np.clip(1.2 * self.pen_mm, 1.0, 3.0))
            self.measured.mouths[key] = mouth(self.line(end[0]), end[1], self.pen_mm, reach)
        return self.measured.mouths[key]

    def knot_at(self, end: LegEnd) -> int:
        """The number, in what has been measured, of the knot that a leg end runs into; -1 if it is free."""
        knot = self.net.legs[end[0]].ends[end[1]]
        return self.numbers[knot] if knot >= 0 else -1

    def trunk(self, knot: Knot, a: LegEnd, b: LegEnd) -> Trunk | None:
        """The trunk between two mouths of a knot; None if it is short."""
        node_a, node_b = self._node(a), self._node(b)
        edges = route(knot, node_a, node_b)
        length = sum(e.length_px for e in edges)
        if length < LONG * self.mask.pen_px:
            return None
        middle = self.mask.to_mm(np.vstack([e.chain_px for e in edges]))
        axis = _axis(self.mouth(a).at_mm, middle, self.mouth(b).at_mm, self.pen_mm)
        return Trunk(axis, self._side(knot, a, axis), self._side(knot, b, axis[::-1]) * -1)

    def _node(self, end: LegEnd) -> int:
        return self.net.legs[end[0]].nodes[end[1]]

    def _side(self, knot: Knot, end: LegEnd, axis: Floats) -> int:
        """On which side of its neighbours a leg comes into a trunk: 1 left of the way in, -1 right."""
        near = [o for o in knot.leg_ends if o != end and self._near(o, end)]
        if not near:
            return 0
        k = min(len(axis) - 1, int(2 * self.pen_mm / STEP_MM))
        along = axis[k] - axis[0]
        left = np.array([along[1], -along[0]]) / max(float(np.hypot(*along)), 1e-9)
        ahead = axis[min(len(axis) - 1, int(self.pen_mm / STEP_MM))]

        def lateral(o: LegEnd) -> float:
            return float(left @ (self._leading(o) - ahead))

        return 1 if lateral(end) > np.mean([lateral(o) for o in near]) else -1

    def _leading(self, end: LegEnd) -> Floats:
        """A place on a leg a little way out of its knot."""
        points = self.line(end[0]).points_mm
        k = min(len(points) - 1, int(0.6 * self.pen_mm / STEP_MM))
        return np.asarray(points[-1 - k] if end[1] == 1 else points[k])

    def _near(self, a: LegEnd, b: LegEnd) -> bool:
        places = self.net.places_px
        return float(np.hypot(*(places[self._node(a)] - places[self._node(b)]))) < 2.5 * self.mask.pen_px

    def pass_cost(self, knot: Knot, a: LegEnd, b: LegEnd) -> float:
        """The price of a pass that goes in at a and out at b."""
        ma, mb = self.mouth(a), self.mouth(b)
        if self._is_stub(a, CUSP) or self._is_stub(b, CUSP):  # so short that its direction says nothing
            return 0.4
        if knot.unseen:
            far = float(np.hypot(*(ma.at_mm - mb.at_mm)))
            return span_cost(ma, mb, self.pen_mm) * 0.8 / (1 + far / 15) + far / 60
        trunk = self.trunk(knot, a, b) if len(knot.leg_ends) <= MOST_LEGS else None
        if trunk is not None:
            return trunk_cost(ma, mb, trunk, self.pen_mm)
        near = span_cost(ma, mb, self.pen_mm)
        if not self._is_fork(knot):
            return near
        ways = self._stretch(a), self._stretch(b)
        return FAR_SAYS * smooth_cost(*ways) + (1 - FAR_SAYS) * near if min(map(len, ways)) > 2 else near

    def _is_fork(self, knot: Knot) -> bool:
        """Whether two passes that share their ink part at a knot, with no other ink in it."""
        sides = [self.net.legs[leg].side != 0 for leg, _ in knot.leg_ends]
        return not knot.edges and any(sides) and not all(sides)

    def _touching(self, knot: Knot) -> dict[tuple[LegEnd, LegEnd], float]:
        """What it costs two passes to keep their sides at the waist of their ink: they touch there and do not cross.

        Where they cross their middles meet, and the ink is as wide as one pass; they may touch anyhow.
        """
        ends = knot.leg_ends
        way = {e: self.net.legs[e[0]].side * (1 if e[1] == 1 else -1) for e in ends}
        if knot.unseen or knot.gap or knot.edges or len(ends) != 4 or not all(way.values()):
            return {}
        if self._waist_mm(knot) > NARROW * 2 * self.half_mm:
            return {}
        return {(a, b): TOUCHES / 2 for a in ends for b in ends if way[a] != way[b]}

    def _waist_mm(self, knot: Knot) -> float:
        """How wide the ink is at a waist, where it is narrowest."""
        tails = []
        for number, end in (e for e in knot.leg_ends if self.net.legs[e[0]].side == 1):
            chain = self.net.legs[number].chain_px
            tails.append((chain if end == 1 else chain[::-1])[-int(2 * self.mask.pen_px) :])
        middle = resample(self.mask.to_mm(np.vstack([tails[0], *(tail[::-1] for tail in tails[1:])])))
        middle = smooth(middle, np.ones(len(middle)), CUTOFF_MM)
        across = sides(self.ink, middle, None, 1.8 * self.pen_mm)
        width = np.nan_to_num(across.left_mm + across.right_mm, nan=np.inf)
        return float(np.convolve(width, np.full(3, 1 / 3), "valid").min(initial=np.inf))

    def _stretch(self, end: LegEnd) -> Floats:
        """Places (N, 2) of a leg towards the knot that it runs into, in steps of `EVERY_MM`.

        Where two passes share their ink, the round end of the one bulges what is the other's edge near a knot.
        """
        points = self.line(end[0]).points_mm
        points = points if end[1] == 1 else points[::-1]
        spare = round(BULGE * self.pen_mm / STEP_MM) if self.net.legs[end[0]].side else 0
        spare = min(spare, len(points) // 2)
        every = round(EVERY_MM / STEP_MM)
        return np.asarray(points[: len(points) - spare][::-every][: round(LOOK_MM / EVERY_MM) + 1][::-1])

    def pairings(self, knot: int) -> list[tuple[float, Pairing]]:
        """What a knot of the net may do, cheapest first."""
        number = self.numbers[knot]
        if number not in self.measured.pairings:
            self.measured.pairings[number] = self._pairings(self.net.knots[knot])
        return self.measured.pairings[number]

    def _pairings(self, knot: Knot, most: int = 6) -> list[tuple[float, Pairing]]:
        ends = knot.leg_ends
        price = {(a, b): self.pass_cost(knot, a, b) for i, a in enumerate(ends) for b in ends[:i]}
        price |= {(b, a): cost for (a, b), cost in price.items()}
        price |= {pair: price[pair] + more for pair, more in self._touching(knot).items()}
        if len(ends) == 2 and knot.edges and not knot.free_tips:  # a band of ink that a pass goes through
            price = {pair: min(cost, TO_AND_FRO) for pair, cost in price.items()}
            tips_cost = TO_AND_FRO
        else:
            tips_cost = ENDS_AT_TIP
        if len(ends) == 2 and knot.free_tips:  # a fat end of ink: one pass that turned there, or two that ended
            price = {pair: min(cost, TURNS_BACK + 1.5) for pair, cost in price.items()}
        stubs = [] if knot.unseen else [e for e in ends if self._is_stub(e)]
        tips = len(knot.tips) + len(knot.free_tips)  # a fat end of ink is two passes
        found: list[tuple[float, Pairing]] = []

        def grow(left: tuple[LegEnd, ...], cost: float, done: Pairing, alone: int) -> None:
            if len(found) > 600:
                return
            if not left:
                found.append((cost, done))
                return
            a, rest = left[0], left[1:]
            for i, b in enumerate(rest):
                others = rest[:i] + rest[i + 1 :]
                grow(others, cost + price[a, b], (*done, (a, b, ())), alone)
                for via in _detours([s for s in others if s in stubs]):
                    way = (a, *via, b)
                    dear = sum(min(price[p, q], SHARP) for p, q in pairwise(way))
                    dear += sum(TURNS_SHARPLY if self._is_stub(s, CUSP) else TURNS_BACK for s in via)
                    grow(tuple(e for e in others if e not in via), cost + dear, (*done, (a, b, via)), alone)
            if alone < 3:
                dear = tips_cost if alone < tips else self._end_cost(knot, a)
                grow(rest, cost + dear, (*done, (a, None, ())), alone + 1)

        if len(ends) > MOST_LEGS:
            found = _tangle(ends, price, 600)
        else:  # stubs last, so that every other leg end can be a pass's first and go by them
            grow(tuple(sorted(ends, key=lambda e: e in stubs)), 0.0, (), 0)
        left_over = self._left_over(knot)
        found = sorted(((cost + left_over(pairing), pairing) for cost, pairing in found), key=lambda f: f[0])
        return [f for f in found if f[0] < found[0][0] + 8.0][:most]

    def _left_over(self, knot: Knot) -> Callable[[Pairing], float]:
        """The price of the ink of a knot that no pass of a pairing goes over: it does not come from nothing."""
        pen = self.mask.pen_px
        which = {id(way): i for i, e in enumerate(knot.edges) for way in (e, e.turned())}
        dear = {i: OF_NO_PASS * (e.length_px / pen - SHORT) for i, e in enumerate(knot.edges)}
        dear = {i: cost for i, cost in dear.items() if cost > 0}
        known: dict[tuple[LegEnd, LegEnd | None], frozenset[int]] = {}

        def inked(a: LegEnd, b: LegEnd | None) -> frozenset[int]:
            if (a, b) not in known:
                goal = self._far_tip(knot, a) if b is None else self._node(b)
                edges = route(knot, self._node(a), goal) if goal is not None else []
                known[a, b] = frozenset(which[id(e)] for e in edges)
            return known[a, b]

        def price(pairing: Pairing) -> float:
            gone: set[int] = set()
            for a, b, via in pairing:
                stations = [a, *via, b]
                for p, q in pairwise(stations):
                    assert p is not None
                    gone |= inked(p, q)
            return sum(cost for i, cost in dear.items() if i not in gone)

        return price if dear else lambda _: 0.0

    def _end_cost(self, knot: Knot, end: LegEnd) -> float:
        """The price of a pass that ends in a knot: less if its round tip shows beside the other ink."""
        if knot.unseen:
            return ENDS_UNSEEN
        if knot.gap:
            return ENDS_AT_GAP
        if self._is_short(self.net.legs[end[0]], SCRAP_WIDTHS) and _beyond(self.net, end):
            return ENDS_AS_SCRAP
        return ENDS_SHOWN if self.stop(end).look == "free" else ENDS_COVERED

    def _is_stub(self, end: LegEnd, widths: float = STUB) -> bool:
        leg = self.net.legs[end[0]]
        return leg.ends[1 - end[1]] < 0 and self._is_short(leg, widths)

    def _is_short(self, leg: Leg, widths: float) -> bool:
        return len(leg.chain_px) < widths * self.mask.pen_px

    def is_scrap(self, strand: Strand) -> bool:
        """Whether a strand is a short piece of ink that ends in unseen parts and nowhere in the open."""
        if len(strand.legs) > 1 or not self._is_short(self.net.legs[strand.legs[0][0]], SCRAP_WIDTHS):
            return False
        ends = self.net.legs[strand.legs[0][0]].ends
        knots = [self.net.knots[k] for k in ends if k >= 0]
        return len(knots) == 2 and any(k.unseen for k in knots)

    def strands(self, pairings: list[Pairing]) -> list[Strand]:
        """The chains of legs that a choice of pairings, one a knot, makes."""
        on: dict[LegEnd, LegEnd | None] = {}
        detours: dict[LegEnd, tuple[LegEnd, ...]] = {}
        left = set(self.net.legs)
        for a, b, via in (p for pairing in pairings for p in pairing):
            on[a] = b
            if b is not None:
                on[b] = a
                detours[a], detours[b] = via, via[::-1]
            left -= {leg for leg, _ in via}
        out = []
        starts = [(i, e) for i in sorted(left) for e in (0, 1) if on.get((i, e)) is None]
        for start in starts:
            if start[0] in left:
                out.append(Strand(tuple(_run(start, on, detours, left))))
        while left:
            out.append(Strand(tuple(_run((min(left), 0), on, detours, left)), closed=True))
        return out

    # ------------------------------------------------------------------------------------- strands to strokes

    def pass_line(self, knot: Knot, a: LegEnd, b: LegEnd) -> Line:
        """The measured line of a pass through a knot, from mouth a to mouth b."""
        passes, number = self.measured.passes, self.knot_at(a)
        if (number, b, a) in passes:
            return passes[number, b, a].turned()
        if (number, a, b) not in passes:
            passes[number, a, b] = self._pass_line(knot, a, b)
        return passes[number, a, b]

    def _pass_line(self, knot: Knot, a: LegEnd, b: LegEnd) -> Line:
        ma, mb = self.mouth(a), self.mouth(b)
        if knot.unseen:
            rough = span(ma, mb)
            half = np.linspace(ma.half_mm, mb.half_mm, len(rough))
            return Line(rough, both(half), shows_ink(self.ink, rough))
        trunk = self.trunk(knot, a, b)
        if knot.free_tips and len(knot.leg_ends) == 2 and span_cost(ma, mb, self.pen_mm) > 2.0:
            return joined((self.stop(a).line, self.stop(b).line.turned()))
        if trunk is None:
            rough, own = span(ma, mb), np.zeros(1)
        else:
            rough, own = follow(self.ink, ma, mb, trunk, self.pen_mm)
        head, tail = self._anchor(a), self._anchor(b)[::-1]
        whole = np.vstack([head, rough, tail])
        fixed = np.concatenate([np.ones(len(head)), np.zeros(len(rough)), np.ones(len(tail))])
        sides_own = np.zeros(len(whole))
        sides_own[len(head) : len(head) + len(rough)] = own
        half = np.linspace(ma.half_mm, mb.half_mm, len(whole))
        points = settle(self.ink, whole, half, sides_own, fixed, trunk is not None)
        body = slice(len(head), len(head) + len(rough))
        lone = knot.edges and len(knot.leg_ends) == 2
        wide = lone_half_widths(self.ink, points[body], half[body]) if lone else both(half[body])
        return Line(points[body], wide, np.ones(len(rough), bool))

    def _anchor(self, end: LegEnd, length_mm: float = 2.0) -> Floats:
        """The last points of a leg towards a knot, in the order into it."""
        points = self.line(end[0]).points_mm
        points = points if end[1] == 1 else points[::-1]
        return points[-max(3, int(length_mm / STEP_MM)) :]

    def stop(self, end: LegEnd) -> Tip:
        """What a strand adds beyond a leg that ends here: in a knot (covered), in the unseen, or in the open."""
        key = (self.knot_at(end), end)
        if key not in self.measured.stops:
            self.measured.stops[key] = self._stop(end)
        return self.measured.stops[key]

    def _stop(self, end: LegEnd) -> Tip:
        knot_number = self.net.legs[end[0]].ends[end[1]]
        here = self.mouth(end)
        knot = self.net.knots[knot_number]
        is_beside = self.net.legs[end[0]].side and self._node(end) in knot.free_tips
        if knot.unseen or knot.gap or is_beside:
            line = self.line(end[0]) if end[1] == 1 else self.line(end[0]).turned()
            ended = self.tip(end, line)
            count = len(ended.line.points_mm)
            beyond = ended.line.part(min(len(line.points_mm), count), count)
            return ended._replace(line=beyond, look="unseen" if knot.unseen else "free")
        far = self._far_tip(knot, end)
        if far is not None:
            middle = self.mask.to_mm(np.vstack([e.chain_px for e in route(knot, self._node(end), far)]))
            axis = resample(np.vstack([here.at_mm[None], middle]))
            axis = smooth(axis, np.ones(len(axis)), 6.0)
            if far in knot.free_tips:  # the skeleton forks there into the corners of the ink
                pen = int(self.pen_mm / STEP_MM)
                axis = axis[: max(min(len(axis), 3 * pen // 2), len(axis) - pen)]
            goal = Mouth(
                axis[-1], (axis[-2] - axis[-1]) / max(float(np.hypot(*(axis[-2] - axis[-1]))), 1e-9), 0.0, here.half_mm
            )
            side = self._side(knot, end, axis)
            rough, own = follow(self.ink, here, goal, Trunk(axis, side, side), self.pen_mm)
            head = self._anchor(end)
            whole = np.vstack([head, rough])
            fixed = np.concatenate([np.ones(len(head)), np.zeros(len(rough))])
            own = np.concatenate([np.zeros(len(head)), own])
            points = settle(self.ink, whole, np.full(len(whole), here.half_mm), own, fixed, True)[len(head) :]
            line = Line(points, np.full((len(points), 2), here.half_mm), np.ones(len(points), bool))
            if far in knot.free_tips:
                return tip(self.ink, line, self.pen_mm)
            return self._buried(end, line)
        centre = self.mask.to_mm(self.net.places_px[self._node(end)][None])[0]
        reach = float(np.clip((centre - here.at_mm) @ here.into, 0.0, 2 * self.pen_mm))
        count = int(reach / STEP_MM)
        points = here.at_mm + here.into * (np.arange(1, count + 1) * STEP_MM)[:, None]
        straight = self._buried(end, Line(points, np.full((count, 2), here.half_mm), np.ones(count, bool)))
        last = points[-1] if count else here.at_mm
        if straight.look == "free" or np.hypot(*(centre - last)) < self.pen_mm:
            return straight
        # the leg bends on its way to the knot's middle, as a ring does that closes there, and meets the other line
        leg = self.net.legs[end[0]]
        way = self.mask.to_mm(leg.chain_px[leg.cut[1] :] if end[1] == 1 else leg.chain_px[leg.cut[0] :: -1])
        points = resample(np.vstack([here.at_mm[None], way]))
        points = smooth(points, np.ones(len(points)), 2.0)[1:]
        on = points[-1] - points[max(0, len(points) - 5)]
        points = resample(np.vstack([points, points[-1] + on / max(float(np.hypot(*on)), 1e-9) * self.pen_mm / 2]))
        return Tip(Line(points, np.full((len(points), 2), here.half_mm), np.ones(len(points), bool)), "covered")

    def _buried(self, end: LegEnd, line: Line) -> Tip:
        """An end among other ink, given with a piece of its leg and taken without."""
        head = self._anchor(end)
        half_mm = np.full((len(head), 2), self.mouth(end).half_mm)
        whole = joined((Line(head, half_mm, np.ones(len(head), bool)), line))
        ended = buried_tip(self.ink, whole, len(head), self.pen_mm)
        return ended._replace(line=ended.line.part(len(head), len(ended.line.points_mm)))

    def _far_tip(self, knot: Knot, end: LegEnd) -> int | None:
        """The node where a pass that comes in at a leg end and ends in the knot has its tip; None if none shows."""
        far, node = max(((self._route_length(knot, end, t), t) for t in knot.tips), default=(0.0, -1))
        return node if far > 0.5 * self.mask.pen_px else None

    def _route_length(self, knot: Knot, end: LegEnd, node: int) -> float:
        return sum(e.length_px for e in route(knot, self._node(end), node))

    def tip(self, end: LegEnd, line: Line) -> Tip:
        """The open end of a leg, as its line runs into it; remembered."""
        item = self.net.legs[end[0]]
        key = (*end, *item.cut, len(line.points_mm))
        if key not in self.measured.tips:
            self.measured.tips[key] = tip(self.ink, line, self.pen_mm)
        return self.measured.tips[key]

    def stroke(self, strand: Strand) -> Stroke:
        """A strand as a stroke, driven from its first leg to its last."""
        parts: list[Line] = []
        begin: Tip | None = None
        previous: LegEnd | None = None
        for leg, entry in strand.legs:
            line = self.line(leg)
            line = line if entry == 0 else line.turned()
            open_entry = self.net.legs[leg].ends[entry] < 0
            open_exit = self.net.legs[leg].ends[1 - entry] < 0
            if open_entry:
                ended = self.tip((leg, entry), line.turned())
                line = ended.line.turned()
                begin = begin or ended
            elif previous is not None:
                knot = self.net.knots[self.net.legs[leg].ends[entry]]
                parts.append(self.pass_line(knot, previous, (leg, entry)))
            else:
                begin = self.stop((leg, entry))
                parts.append(begin.line.turned())
            if open_exit:
                ended = self.tip((leg, 1 - entry), line)
                line = ended.line
            parts.append(line)
            previous = (leg, 1 - entry)
        assert previous is not None
        assert begin is not None
        if self.net.legs[previous[0]].ends[previous[1]] >= 0:
            ended = self.stop(previous)
            parts.append(ended.line)
        return self._stroke(parts, begin, ended)

    def _stroke(self, parts: list[Line], begin: Tip, end: Tip) -> Stroke:
        parts = [p for p in parts if len(p.points_mm)]
        points = np.vstack([p.points_mm for p in parts])
        half = np.vstack([p.half_mm for p in parts])
        seen = np.concatenate([p.seen for p in parts])
        far = np.hypot(*np.diff(points, axis=0).T)
        arc = np.concatenate([[0.0], np.cumsum(far)])
        joints = arc[np.cumsum([len(p.points_mm) for p in parts])[:-1]]
        even = resample(points)
        at = np.linspace(0.0, arc[-1], len(even))
        half = np.column_stack([np.interp(at, arc, side) for side in half.T])
        seen = seen[np.clip(np.searchsorted(arc, at), 0, len(seen) - 1)]
        line = hairpins_measured(self.ink, Line(_without_kinks(even, at, joints), half, seen), self.pen_mm)
        return Stroke(
            points_mm=line.points_mm,
            half_widths_mm=line.half_mm,
            sigma_mm=self.ink.sigma_at(line.points_mm),
            seen=line.seen,
            begin=begin.look,
            end=end.look,
            tip_sigma_mm=(begin.sigma_mm, lifted_sigma_mm(end.sigma_mm, self.pen_mm)),
            cut=(begin.cut, end.cut),
        )


def _axis(start_mm: Floats, middle_mm: Floats, end_mm: Floats, pen_mm: float) -> Floats:
    """A smooth line from mouth to mouth along a trunk's skeleton, whose forks (a pen wide at each end) it ignores."""
    arc = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(middle_mm, axis=0).T))])
    inner = middle_mm[(arc > 0.8 * pen_mm) & (arc < arc[-1] - 0.8 * pen_mm)]
    axis = resample(np.vstack([start_mm[None], inner, end_mm[None]]))
    weights = np.ones(len(axis))
    weights[[0, -1]] = 9.0
    return smooth(axis, weights, 6.0)


def _without_kinks(points_mm: Floats, arc_mm: Floats, joints_mm: Floats) -> Floats:
    """A line with its joints smoothed over: where leg meets knot neither is sure to a tenth of a millimetre."""
    if not len(joints_mm):
        return points_mm
    near = np.abs(arc_mm[:, None] - joints_mm[None]).min(axis=1)
    weights = np.where(near < 0.8, 0.02, 4.0)
    weights[[0, -1]] = 100.0
    return smooth(points_mm, weights, 2.0)


def _tangle(ends: list[LegEnd], price: dict[tuple[LegEnd, LegEnd], float], most: int) -> list[tuple[float, Pairing]]:
    """The cheapest ways to pair the ends of a tangle, none of them a detour: branch and bound, the greedy way first."""
    first = _greedy(ends, price)
    if len(ends) > TANGLE_LEGS:
        return [first]
    bound, steps = first[0] + TANGLE_WORSE, 0
    found: dict[frozenset[tuple[LegEnd, LegEnd | None]], tuple[float, Pairing]] = {_pairs(first[1]): first}

    def grow(left: tuple[LegEnd, ...], cost: float, done: Pairing, alone: int) -> None:
        nonlocal steps
        steps += 1
        if cost > bound or steps > TANGLE_STEPS:
            return
        if not left:
            found.setdefault(_pairs(done), (cost, done))
            return
        a, rest = left[0], left[1:]
        for dear, b in sorted((price[a, b], b) for b in rest):
            grow(tuple(e for e in rest if e != b), cost + dear, (*done, (a, b, ())), alone)
        if alone < 2:
            grow(rest, cost + ENDS_COVERED, (*done, (a, None, ())), alone + 1)

    grow(tuple(sorted(ends)), 0.0, (), 0)
    return sorted(found.values(), key=lambda f: f[0])[:most]


def _pairs(pairing: Pairing) -> frozenset[tuple[LegEnd, LegEnd | None]]:
    """What makes two ways to pair the same, whichever way round their pairs are written."""
    return frozenset((a, b) if b is None or a < b else (b, a) for a, b, _ in pairing)


def _greedy(ends: list[LegEnd], price: dict[tuple[LegEnd, LegEnd], float]) -> tuple[float, Pairing]:
    """The cheapest pairs taken first: for a tangle too large to try everything."""
    left, cost, out = set(ends), 0.0, []
    for (a, b), dear in sorted(price.items(), key=lambda p: p[1]):
        if a in left and b in left and dear < 2 * ENDS_COVERED:
            left -= {a, b}
            cost += dear
            out.append((a, b, ()))
    return cost + ENDS_COVERED * len(left), (*out, *((e, None, ()) for e in sorted(left)))


def _detours(stubs: list[LegEnd]) -> list[tuple[LegEnd, ...]]:
    """One or two stubs on which a pass may turn back, in every order."""
    return [(s,) for s in stubs] + [(s, t) for s in stubs for t in stubs if s != t]


def _run(
    start: LegEnd, on: dict[LegEnd, LegEnd | None], detours: dict[LegEnd, tuple[LegEnd, ...]], left: set[int]
) -> list[LegEnd]:
    """Legs one after another from a start, each taken out of ``left``; stubs out and back."""
    out: list[LegEnd] = []
    here: LegEnd | None = start
    while here is not None and here[0] in left:
        out.append(here)
        left.discard(here[0])
        leave = (here[0], 1 - here[1])
        here = on.get(leave)
        if here is not None and here[0] in left:
            for leg, end in detours[leave]:
                out += [(leg, end), (leg, 1 - end)]
    return out
