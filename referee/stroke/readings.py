"""Ink and the board's guide -> the ways in which the ink may have been drawn, likeliest first.

Each reading explains all ink that is on the road, and what hangs together with it: it says which lines go on in
which at every knot, and in what order and direction the strokes were drawn.  What a reading costs is roughly the
negative logarithm of how likely a blindfolded driver is to have drawn it so.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import combinations, product
from operator import itemgetter

import numpy as np

from referee.errors import TooTangled
from referee.model import Floats, Guide, Ink, Path
from referee.stroke.course import Course, course_of
from referee.stroke.drives import Drive, Reader, Weighed, rings
from referee.stroke.edges import STEP_MM
from referee.stroke.joins import unseen_parts, with_joins
from referee.stroke.knots import Doubling, cut_steps, doublings, net_of
from referee.stroke.mask import WIPE, InkMask, ink_mask
from referee.stroke.order import Order, orders, told
from referee.stroke.outcomes import outcomes
from referee.stroke.places import places_of
from referee.stroke.skeleton import Graph, graph_of
from referee.stroke.weave import RING, Loom, Measured, Pairing, Strand
from referee.words import say

MOST_READINGS = 12
CLEAR = 15.0
"""Of a tangle even the best reading is dear; beyond this price its lead over others says less and less."""
OTHER_SIDE = 0.3
MOST_SIDES = 3
"""Readings that differ only in who took which side: so many are told, if they are this likely."""
SIDE_LONG_MM, SIDE_APART_MM = 12.0, 3.0
"""Only stretches this long count as another side, and only if their middles are about this far apart."""
MOST_STRANDS = 14
"""No race is driven in more strokes than this."""
WORSE_BY = 9.0
"""Readings this much dearer than the best are not told."""
MOST_EDGES = 120
"""A race's ink falls into a few dozen pieces between its crossings; what has more is no race's ink."""
FAR_FETCHED = 5.0
"""Guesses which ink is double that are this much more far-fetched than the first are not read."""
MOST_CHANGES = 3
"""So often the best guess is changed for a better one beside it."""
FIRST_CHOICES, FAR_BEHIND = 24, 4.0
"""Of a guess which ink is double whose first readings are so much dearer than the best, no more are weighed."""
MOST_WEIGHED = 4000
"""So many ways to pair the legs are weighed on one board."""
MOST_SWAPS = 40
"""So many ways for two strands to take each other's sides are weighed."""
MOST_CHOICES = 160
"""So many ways to pair the legs are weighed in full for each guess which ink is double."""
FAR = 9.0
"""Outcomes whose knots are this much dearer than the cheapest are not read."""
DEARER = 6.0
"""Ways through a knot that are this much dearer than the cheapest are not tried."""
SCRAP = 1.0
"""The price of taking a scrap of ink at the rim of the unseen for a shadow."""
DOT_WIDTHS = 2.0
"""Ink by itself shorter than this many pen widths is a dot."""


def readings(ink: Ink, guide: Guide) -> tuple[Path, ...]:
    """The ways to read a board's ink, likeliest first; empty if there is no ink by the road.

    Raises `TooTangled` if it is more than the strokes of a race.
    """
    mask = ink_mask(ink)
    if mask is None:
        return ()
    course = course_of(guide)
    graph = graph_of(mask)
    _drop_strangers(graph, mask, course)
    if len(graph.edges) > MOST_EDGES:
        raise TooTangled(say("fault.tangled", most=MOST_EDGES), WIPE)
    if not graph.edges:
        return ()
    return _best_paths(ink, mask, graph, guide, course)


def _drop_strangers(graph: Graph, mask: InkMask, course: Course) -> None:
    """Take out whole pieces of ink that are no part of the race: nowhere on the road, or dots."""
    joined = graph.joined(graph.edges)
    pieces: dict[int, list[int]] = {}
    for k, e in graph.edges.items():
        pieces.setdefault(joined[e.a], []).append(k)
    for keys in pieces.values():
        if _is_stranger([graph.edges[k].chain_px for k in keys], mask, course):
            for k in keys:
                del graph.edges[k]
    alive = {n for e in graph.edges.values() for n in (e.a, e.b)}
    for n in set(graph.places_px) - alive:
        del graph.places_px[n]


def _is_stranger(chains: list[Floats], mask: InkMask, course: Course) -> bool:
    if not course.is_on_the_road(mask.to_mm(np.vstack(chains))):
        return True
    length = sum(len(c) for c in chains)
    return len(chains) == 1 and length < (DOT_WIDTHS - 1) * mask.pen_px


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

    def mark(self, number: int, reverse: bool) -> tuple[object, ...]:
        """What makes a stroke differ in the eyes of the rules: its ends, where it leaves the road, its rings."""
        drive = self.reader.drives(self.strands[number])[int(reverse)]
        ends = np.rint(np.concatenate([drive.begin_mm, drive.end_mm]) / 3).astype(int).tolist()
        return (*ends, tuple(leg_end for leg_end, _ in drive.strays), rings(drive.lines))

    def side(self, number: int) -> tuple[tuple[int, ...], ...]:
        """By which way a stroke goes: the middles of its legs, roughly."""
        lines = [self.reader.loom.line(leg).points_mm for leg, _ in self.strands[number].legs]
        middles = [line.mean(axis=0) for line in lines if len(line) * STEP_MM > SIDE_LONG_MM]
        return tuple(sorted(tuple(np.rint(m / SIDE_APART_MM).astype(int).tolist()) for m in middles))


def _best_paths(ink: Ink, mask: InkMask, graph: Graph, guide: Guide, course: Course) -> tuple[Path, ...]:
    places = places_of(guide, course)
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

    likely = [guess for guess in guesses.first if guess.cost <= guesses.first[0].cost + FAR_FETCHED]
    best, here = min(((read(guess), guess) for guess in likely), key=itemgetter(0))
    for _ in range(MOST_CHANGES):
        cost, near = min(
            ((read(guess), guess) for guess in guesses.near(here)), key=itemgetter(0), default=(np.inf, here)
        )
        if cost >= best - 1e-9:
            break
        best, here = cost, near
    candidates = sorted((c for many in found.values() for c in many), key=lambda c: c.cost)
    if not candidates and weighed.too_many:
        raise TooTangled(say("fault.strokes", most=MOST_STRANDS), WIPE)
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
            reader.weighed.count += 1
            if reader.weighed.count > MOST_WEIGHED:
                return np.inf
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
    """A choice changed at two knots at once, the cheapest first: at both, two passes that go through both change
    sides."""
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
                out.append((options[k][i][0] + options[m][j][0], (*here[:k], i, *here[k + 1 : m], j, *here[m + 1 :])))
    return [choice for _, choice in sorted(out)[:MOST_SWAPS]]


def _is_swap(one: Pairing, other: Pairing) -> bool:
    """Whether two ways to go through a knot differ in just two passes that have changed partners."""
    a, b = (frozenset((frozenset((x, y)), via) for x, y, via in pairing) for pairing in (one, other))
    return len(a - b) == len(b - a) == 2 and all(len(pair) == 2 and None not in pair for pair, _ in a ^ b)


def _weigh(reader: Reader, base: float, chosen: list[Pairing], worst: float) -> list[Candidate]:
    """The readings of one choice of pairings that cost less than ``worst``, cheapest first."""
    strands = reader.loom.strands(chosen)
    scraps = [s for s in strands if reader.loom.is_scrap(s)]
    strands = [s for s in strands if s not in scraps]
    if not 0 < len(strands) <= MOST_STRANDS:
        reader.weighed.too_many |= len(strands) > MOST_STRANDS
        return []
    cost = base + RING * sum(s.closed for s in strands) + SCRAP * len(scraps)
    ways = [reader.drives(s) for s in strands]
    return [Candidate(cost + o.cost, reader, tuple(strands), o) for o in orders(ways, reader.places, worst - cost)]


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
        known = seen.setdefault(mark, set())
        if known and (share < OTHER_SIDE or len(known) == MOST_SIDES):
            continue
        sides = tuple(c.side(i) for i, _ in c.order.drives) if share >= OTHER_SIDE else ()
        if sides in known:
            continue
        known.add(sides)
        strokes = tuple(c.reader.stroke(c.strands[i], back) for i, back in c.order.drives)
        out.append(Path(strokes, share, told(c.drives())))
    return tuple(out)
