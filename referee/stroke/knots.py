"""The graph of a skeleton -> legs and knots.

A *leg* is a stretch of one pass of the pen: ink of its own, both edges the pass's own, or one *side* of ink that two
passes share, where the outer edge is its own.  A *knot* is a place where inks meet, cross or cover one another: the
skeleton there is a compromise between passes.  A crossing skeletonises into two junctions a pen's width or more
apart (34 px at 30 degrees for a 12 px pen), two strokes that cover one another for a while into a trunk between two
forks: both become one knot with four legs.  Two strokes that run beside one another are two legs from waist to waist
of their ink: only at a waist can they change sides.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from referee.model import Floats
from referee.stroke.mask import InkMask
from referee.stroke.skeleton import Edge, Graph

FAT = 1.2
"""Ink this many pen widths wide is more than one pass (or a pen that rested)."""
PLUMP = 1.08
"""A fat stretch reaches as far as the ink is this many pen widths wide."""
STUB = 6.0
"""A hand that goes back on its own ink leaves a stub of up to about this many pen widths."""
CUSP = 2.5
"""A fat stub shorter than this many pen widths is where one pass turned sharply, no place where two began."""
MOST_CHAINS = 4
"""So many chains of edges are tried out as double or single once a guess has been read."""
SHORT = 1.5
"""Two junctions closer than this many pen widths are one."""
WAIST, WAIST_DEEP = 1.35, 0.12
"""Ink of two passes has a waist where it is less than so many pen widths wide, and by so many wider on both sides."""
MOUTH = 2.5
"""Ink that widens towards a junction over less than this many pen widths is that of what meets there."""
OWN_EDGE = 0.4
"""A pass that shares its ink has its own edge to itself from this many pen widths off a knot."""
BESIDE = 2.0
"""Ink of two passes is told apart in two sides if it is longer than this many pen widths."""


@dataclass(frozen=True, eq=False)
class Leg:
    """A stretch of ink of one pass: ``chain_px`` (N, 2) between its ``ends``.

    An end is the number of a knot, or -1 where the ink is free.  ``cut`` (begin, end) are the first and last
    places of the chain that are clean of the knots' other inks.  ``side`` is 1 if it is the left side of ink that two
    passes share, -1 if the right; the chain then is the middle of both.
    """

    chain_px: Floats
    depth_px: Floats
    nodes: tuple[int, int]
    ends: tuple[int, int]
    cut: tuple[int, int]
    side: int = 0


@dataclass(eq=False)
class Knot:
    """Where inks meet, or where the picture shows nothing and ink runs in and out (``unseen``), or
    where a hair's gap parts two ends (``gap``).

    ``edges`` lie inside it; ``tips`` are nodes in it where an end of ink shows or the width steps up, ``free_tips``
    the former; ``leg_ends`` the (leg, end) pairs that come in.
    """

    nodes: set[int] = field(default_factory=set)
    edges: list[Edge] = field(default_factory=list)
    tips: list[int] = field(default_factory=list)
    free_tips: list[int] = field(default_factory=list)
    leg_ends: list[tuple[int, int]] = field(default_factory=list)
    unseen: bool = False
    gap: bool = False


@dataclass(frozen=True, eq=False)
class Net:
    """All legs, by the number of their edge, and knots of a board's ink, with the places of the nodes."""

    legs: dict[int, Leg]
    knots: tuple[Knot, ...]
    places_px: dict[int, Floats]


def net_of(graph: Graph, mask: InkMask, double: frozenset[int], steps: Steps) -> Net:
    """Legs and knots of a graph cut at ``steps`` if two passes share the edges ``double``."""
    pen = mask.pen_px
    degrees = graph.degrees()
    inside = {k for k in graph.edges if _is_inside(graph, k, pen, steps, degrees, double)}
    beside = inside & double & steps.beside
    while True:
        joined = graph.joined(inside - beside)
        odd = {k for k in beside if not _takes_two(graph, k, inside, beside, joined, degrees)}
        if not odd:
            break
        beside -= odd
    inside -= beside
    knots: dict[int, Knot] = {}
    contracted = {joined[graph.edges[k].a] for k in inside}
    ends = {n for k in beside for n in (graph.edges[k].a, graph.edges[k].b)}
    for n in graph.places_px:
        if degrees[n] >= 2 or joined[n] in contracted or n in ends:
            knot = knots.setdefault(joined[n], Knot())
            knot.nodes.add(n)
            if n in steps.nodes or degrees[n] == 1:
                knot.tips.append(n)
            if degrees[n] == 1:
                knot.free_tips.append(n)
    for k in inside:
        knots[joined[graph.edges[k].a]].edges.append(graph.edges[k])
    return _legs(graph, inside, beside, knots, joined, pen)


def _takes_two(
    graph: Graph, key: int, inside: set[int], beside: set[int], joined: dict[int, int], degrees: dict[int, int]
) -> bool:
    """Whether the ink of an edge is that of just two passes: as many as come in, or fewer, as far as can be seen."""
    e = graph.edges[key]
    ends = joined[e.a], joined[e.b]
    if ends[0] == ends[1]:
        return False
    others = [0, 0]
    for k, o in graph.edges.items():
        if k != key and (k in beside or k not in inside):
            for n in (o.a, o.b):
                for i in (0, 1):
                    others[i] += (2 if k in beside else 1) * (joined[n] == ends[i])
    free = degrees[e.a] == 1, degrees[e.b] == 1
    return max(others) > 1 and all(
        (count > 0 or is_free) and (count < 3 or count % 2 == 0) for count, is_free in zip(others, free, strict=True)
    )


def _legs(
    graph: Graph, inside: set[int], beside: set[int], knots: dict[int, Knot], joined: dict[int, int], pen: float
) -> Net:
    number = {r: i for i, r in enumerate(knots)}
    legs: dict[int, Leg] = {}
    listed = list(knots.values())
    for k, e in graph.edges.items():
        if k in inside:
            continue
        ends = (number.get(joined[e.a], -1), number.get(joined[e.b], -1))
        if e.a == e.b and ends == (-1, -1):  # a ring that meets nothing: its one node is a knot
            listed.append(Knot({e.a}))
            ends = (len(listed) - 1, len(listed) - 1)
        for name, side in ((-2 * k - 1, 1), (-2 * k - 2, -1)) if k in beside else ((k, 0),):
            for end in (0, 1):
                if ends[end] >= 0:
                    listed[ends[end]].leg_ends.append((name, end))
            legs[name] = Leg(e.chain_px, e.depth_px, (e.a, e.b), ends, _clean(e, ends, side, pen), side)
    return Net(legs, tuple(listed), graph.places_px)


def _clean(e: Edge, ends: tuple[int, int], side: int, pen: float) -> tuple[int, int]:
    """The first and last places of an edge that are clean of other inks than its own."""
    lead, tail = (
        0 if knot < 0 else int(OWN_EDGE * pen) if side else _cut(way, pen)
        for knot, way in zip(ends, (e, e.turned()), strict=True)
    )
    last = len(e.chain_px) - 1
    if lead + tail > last - 2:
        share = max(0, (last - 2)) / max(lead + tail, 1)
        lead, tail = int(lead * share), int(tail * share)
    return lead, last - tail


def _cut(e: Edge, pen: float) -> int:
    """How many pixels from a knot the other inks' edges are left behind."""
    usual = e.usual_depth_px
    least = min(int(0.6 * pen), len(e.depth_px) - 1)
    clean = np.nonzero(e.depth_px[least:] <= 1.06 * usual + 0.3)[0]
    reach = int(clean[0]) + least if len(clean) else len(e.depth_px) // 2
    return min(reach, int(3 * pen))


@dataclass(frozen=True)
class Steps:
    """Where ink becomes wider than one pass: the nodes at which it does, the edges that are, and which of those show
    two passes beside one another."""

    nodes: frozenset[int]
    fat: frozenset[int]
    beside: frozenset[int] = frozenset()


def cut_steps(graph: Graph, pen: float) -> Steps:
    """Edges cut, in place, where they become more than one pass wide, and at the waists of such ink."""
    steps: set[int] = set()
    fat: set[int] = set()
    mouths: set[int] = set()
    for key in list(graph.edges):
        e = graph.edges[key]
        last = len(e.depth_px) - 1
        runs = {run: _waists(e.depth_px, run, pen) for run in _fat_runs(e.depth_px, pen)}
        for run, waists in runs.items():
            if _is_mouths([*run, *waists], last, pen):
                runs[run] = []
                mouths.add(key)
        bounds = {c for run in runs for c in run if 3 < c < last - 3}
        cuts = sorted(bounds.union(*runs.values()))
        if not cuts:
            continue
        del graph.edges[key]
        nodes = [e.a, *(graph.add_node(e.chain_px[c]) for c in cuts), e.b]
        steps.update(node for node, c in zip(nodes[1:-1], cuts, strict=True) if c in bounds)
        for (begin, end), (a, b) in zip(pairwise([0, *cuts, last]), pairwise(nodes), strict=True):
            part = slice(begin, end + 1)
            number = graph.add(Edge(a, b, e.chain_px[part], e.depth_px[part]))
            if any(first <= begin + 4 and last_fat >= end - 4 for first, last_fat in runs):
                fat.add(number)
    fat |= {k for k, e in graph.edges.items() if _is_fat(e, pen)}
    beside = {k for k in fat - mouths if graph.edges[k].length_px > BESIDE * pen}
    return Steps(frozenset(steps), frozenset(fat), frozenset(beside))


def _is_mouths(bounds: list[int], last: int, pen: float) -> bool:
    """Whether a fat run of an edge is but the mouths of its two ends, and no fatter than a pass where they meet."""
    begin, end, *waists = bounds
    return len(waists) == 1 and begin <= 4 and end >= last - 4 and max(waists[0], last - waists[0]) < MOUTH * pen


def _waists(depth: Floats, run: tuple[int, int], pen: float) -> list[int]:
    """Where fat ink (a run of an edge) has waists: two passes cross or touch there."""
    first, last = run
    reach = int(pen)
    width = 2 * np.convolve(np.pad(depth[first:last], 2, "edge"), np.full(5, 0.2), "valid") / pen
    out: list[int] = []
    for k in range(reach // 2, len(width) - reach // 2):
        here = width[k]
        near = width[max(0, k - reach) : k + reach + 1]
        if here < WAIST and here <= near.min() and (not out or first + k - out[-1] > reach):
            before, after = width[:k], width[k + 1 :]
            if min(before[-3 * reach :].max(), after[: 3 * reach].max()) > here + WAIST_DEEP:
                out.append(first + k)
    return out


def _fat_runs(depth: Floats, pen: float) -> list[tuple[int, int]]:
    """Index ranges where the ink is fatter than one pass, long enough to matter; those at a junction's mouth not."""
    fat = depth > 0.5 * FAT * pen + 0.4
    plump = depth > 0.5 * PLUMP * pen + 0.3
    edges = np.nonzero(np.diff(np.concatenate([[0], plump.astype(int), [0]])))[0].reshape(-1, 2)
    runs: list[tuple[int, int]] = []
    for a, b in edges:
        if not fat[a:b].any():
            continue
        if runs and a - runs[-1][1] < 1.2 * pen:
            runs[-1] = (runs[-1][0], int(b))
        else:
            runs.append((int(a), int(b)))
    keep = []
    for a, b in runs:
        mouth = a <= 1 or b >= len(depth) - 1
        if b - a > (2.0 if mouth else 0.7) * pen:
            keep.append((a, b))
    return keep


def heading(e: Edge, pen: float) -> Floats:
    """Unit direction (2,) in which an edge leaves its node ``a``.

    Near the node the skeleton is a compromise, so a parabola through the clean ink beyond is followed back to it:
    a donut's ring turns by a right angle within its first pen widths.
    """
    n = len(e.chain_px)
    lo, hi = int(0.7 * pen), int(2.7 * pen)
    if n < lo + 6:
        d = e.chain_px[-1] - e.chain_px[0]
    else:
        part = e.chain_px[lo : min(hi, max(lo + 6, n - int(0.6 * pen)))]
        t = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(part, axis=0).T))])
        if t[-1] < 1.2 * pen:
            d = part[-1] - part[0]
        else:
            terms = np.column_stack([np.ones_like(t), t, t * t])
            bend = np.linalg.lstsq(terms, part, rcond=None)[0]
            d = bend[1] - 2 * bend[2] * 0.6 * pen
    return np.asarray(d / max(float(np.hypot(*d)), 1e-9))


def turn(a: Floats, b: Floats) -> float:
    """Angle (radians) by which a line that comes in along ``a`` turns to leave by ``b``; both point off the node."""
    return float(np.arccos(np.clip(-a @ b, -1.0, 1.0)))


@dataclass(frozen=True)
class Doubling:
    """A guess which edges two passes share.

    ``cost`` says how far-fetched it is with the ends that it leaves over, ``price`` without them.
    """

    edges: frozenset[int]
    cost: float
    price: float


@dataclass(frozen=True)
class Doublings:
    """Guesses which edges two passes share, likeliest first, and what may be changed about a guess.

    ``chains`` are edges, with their price, that may be double or single one and all, cheapest first.
    """

    first: list[Doubling]
    fat: frozenset[int]
    chains: list[tuple[float, frozenset[int]]]

    def near(self, guess: Doubling) -> list[Doubling]:
        """A guess with one chain changed: double where it is single, single where it is double."""
        changed = guess.edges ^ self.fat
        out = []
        for price, chain in self.chains:
            if chain <= changed:
                out.append(Doubling(guess.edges ^ chain, guess.cost - price, guess.price - price))
            elif not chain & changed:
                out.append(Doubling(guess.edges ^ chain, guess.cost + price, guess.price + price))
        return out


def doublings(graph: Graph, pen: float, steps: Steps) -> Doublings:
    """Which edges may be the ink of two passes.

    A pass goes on through a junction, so an odd number of lines at one means that one of them is two passes, or
    that a pass ends there under other ink.  Fat edges are double unless that is dear.  As in the postman's problem
    the places where the count is odd are matched along edges that may be double, or left alone at a price: where
    the width steps up a pass begins, cheaply.
    """
    groups = _groups(graph, pen)
    of = {n: g for g, nodes in groups.items() for n in nodes}
    degrees = graph.degrees()
    fat = frozenset(k for k in steps.fat if of[graph.edges[k].a] != of[graph.edges[k].b])
    found = _doublings(graph, pen, steps, fat, groups)
    blunt = frozenset(k for k in fat if _is_blunt(graph.edges[k], degrees, pen))
    if not blunt:
        return found
    other = _doublings(graph, pen, steps, fat - blunt, groups)
    first = sorted((*found.first, *other.first), key=lambda guess: guess.cost)
    chains = sorted({chain: price for price, chain in (*other.chains, *found.chains)}.items(), key=lambda c: c[1])
    return Doublings(first, fat, [(price, chain) for chain, price in chains[:MOST_CHAINS]])


def _is_blunt(e: Edge, degrees: dict[int, int], pen: float) -> bool:
    """Whether a fat edge is an end so short that it lies in the ink of the junction that it comes from: its width may
    say nothing."""
    ends = sorted((degrees[e.a], degrees[e.b]))
    return ends[0] == 1 and ends[1] > 2 and e.length_px < SHORT * pen


def _doublings(graph: Graph, pen: float, steps: Steps, fat: frozenset[int], groups: dict[int, set[int]]) -> Doublings:
    """As `doublings`, of edges that are double unless that is dear."""
    of = {n: g for g, nodes in groups.items() for n in nodes}
    degrees = graph.degrees()
    count = {g: _outer_degree(graph, nodes) for g, nodes in groups.items()}
    for k in fat:
        for n in (graph.edges[k].a, graph.edges[k].b):
            count[of[n]] += 1
    odd = [g for g, c in count.items() if c % 2 and not all(degrees[n] == 1 for n in groups[g])]
    alone = {g: _alone_cost(graph, groups[g], pen, steps.nodes) for g in odd}
    price = {
        k: _single_cost(e, pen) if k in fat else _double_cost(graph, k, groups, of, pen, steps.nodes)
        for k, e in graph.edges.items()
    }
    ways = _ways(graph, of, odd, price)
    found = _matchings(tuple(odd), alone, ways)
    first = [Doubling(fat ^ edges, cost, sum(price[k] for k in edges)) for cost, edges in found]
    return Doublings(first, fat, sorted(ways.values(), key=lambda way: way[0])[:MOST_CHAINS])


def _is_fat(e: Edge, pen: float) -> bool:
    """Whether an edge is wider than one pass nearly all along."""
    body = e.depth_px[2:-2] if len(e.depth_px) > 8 else e.depth_px
    return float(np.median(body)) > 0.5 * FAT * pen + 0.4


def _groups(graph: Graph, pen: float) -> dict[int, set[int]]:
    """Junctions clustered by the edges too short to be anything but a crossing's middle."""
    degrees = graph.degrees()
    joined = graph.joined(
        k for k, e in graph.edges.items() if degrees[e.a] > 2 and degrees[e.b] > 2 and e.length_px < SHORT * pen
    )
    groups: dict[int, set[int]] = {}
    for n, group in joined.items():
        groups.setdefault(group, set()).add(n)
    return groups


def _outer_degree(graph: Graph, nodes: set[int]) -> int:
    return sum((e.a in nodes) != (e.b in nodes) for e in graph.edges.values())


def _leaving(graph: Graph, nodes: set[int], pen: float) -> list[tuple[int, Edge]]:
    """Edges that leave a cluster of nodes, each turned to begin there."""
    out = []
    for k, e in graph.edges.items():
        if e.a in nodes and e.b in nodes and e.length_px < SHORT * pen:
            continue
        if e.a in nodes:
            out.append((k, e))
        if e.b in nodes:
            out.append((k, e.turned()))
    return out


def _alone_cost(graph: Graph, nodes: set[int], pen: float, steps: frozenset[int]) -> float:
    """The price of a pass that ends, covered, at an odd place: where the width steps, or else at a junction where
    the two others should go straight on."""
    if nodes <= steps:
        return 0.5
    ways = _leaving(graph, nodes, pen)
    if len(ways) < 3:
        return 0.5
    headings = [heading(e, pen) for _, e in ways]
    turns = sorted(turn(a, b) for i, a in enumerate(headings) for b in headings[:i])
    if any(_is_stub(graph, e, pen) for _, e in ways):
        return 1.5
    return 3.0 + (turns[0] / 0.6) ** 2


def _is_stub(graph: Graph, e: Edge, pen: float) -> bool:
    """Whether an edge is a short piece with a free end, so that a pass may have gone out and back on it."""
    return e.length_px < STUB * pen and len(graph.at(e.b)) == 1


def _fat_share(depth: Floats, pen: float) -> float:
    return float(np.mean(depth > 0.5 * 1.15 * pen + 0.4)) if len(depth) else 0.0


def _ways(
    graph: Graph, of: dict[int, int], odd: list[int], price: dict[int, float]
) -> dict[tuple[int, int], tuple[float, frozenset[int]]]:
    """The cheapest chain of edges to double (or, fat ones, to take as single) between each two odd places."""
    out: dict[tuple[int, int], tuple[float, frozenset[int]]] = {}
    for start in odd:
        best: dict[int, tuple[float, frozenset[int]]] = {start: (0.0, frozenset())}
        todo = [start]
        while todo:
            g = todo.pop(0)
            for k, cost in price.items():
                e = graph.edges[k]
                for a, b in ((of[e.a], of[e.b]), (of[e.b], of[e.a])):
                    if a != g or a == b or k in best[g][1]:
                        continue
                    total = best[g][0] + cost
                    if total < min(best.get(b, (np.inf,))[0], 12.0):
                        best[b] = (total, best[g][1] | {k})
                        todo.append(b)
        for end in odd:
            if end in best and start < end:
                out[start, end] = best[end]
    return out


def _single_cost(e: Edge, pen: float) -> float:
    """The price of taking a fat edge as one pass: a pen that rested leaves a blob, no long band."""
    return float(np.clip(0.6 * (e.length_px / pen - 1.5), 0.1, 4.0))


def _double_cost(
    graph: Graph, key: int, groups: dict[int, set[int]], of: dict[int, int], pen: float, steps: frozenset[int]
) -> float:
    """The price of two passes sharing an edge: they seldom cover one another exactly for long, and both run into it."""
    e = graph.edges[key]
    thin = e.length_px * (1 - _fat_share(e.depth_px, pen)) / pen
    cost = 0.2 + min(thin / 10, 3.0)
    for way in (e, e.turned()):
        if way.a in steps:
            continue
        on = heading(way, pen)
        others = [heading(o, pen) for k, o in _leaving(graph, groups[of[way.a]], pen) if k != key]
        turns = sorted(turn(on, o) for o in others)
        if len(turns) >= 2:
            cost += min((turns[1] / 0.8) ** 2, 3.0)
    return cost


def _matchings(
    odd: tuple[int, ...],
    alone: dict[int, float],
    ways: dict[tuple[int, int], tuple[float, frozenset[int]]],
    most: int = 6,
) -> list[tuple[float, frozenset[int]]]:
    """The cheapest ways to match odd junctions or leave them alone, best first."""
    beam: list[tuple[float, frozenset[int], frozenset[int]]] = [(0.0, frozenset(), frozenset())]
    for g in odd:
        grown: dict[tuple[frozenset[int], frozenset[int]], float] = {}
        for cost, used, edges in beam:
            if g in used:
                options = [(cost, used, edges)]
            else:
                options = [(cost + alone[g], used | {g}, edges)]
                for (a, b), (price, chain) in ways.items():
                    other = b if a == g else a if b == g else None
                    if other is not None and other not in used and not chain & edges:
                        options.append((cost + price, used | {g, other}, edges | chain))
            for c, u, x in options:
                if c < grown.get((u, x), np.inf):
                    grown[u, x] = c
        ranked = sorted(((c, u, x) for (u, x), c in grown.items()), key=lambda r: r[0])
        beam = ranked[:60]
    out: dict[frozenset[int], float] = {}
    for cost, _, edges in beam:
        out.setdefault(edges, cost)
    return sorted(((c, x) for x, c in out.items()), key=lambda r: r[0])[:most]


def _is_inside(
    graph: Graph, key: int, pen: float, steps: Steps, degrees: dict[int, int], double: frozenset[int]
) -> bool:
    """Whether an edge is part of a knot: short between junctions, or fat."""
    e = graph.edges[key]
    if min(degrees[e.a], degrees[e.b]) == 1 and e.length_px < CUSP * pen:
        return False
    if key in steps.fat or key in double:
        return True
    if degrees[e.a] < 2 or degrees[e.b] < 2 or e.a == e.b:
        return False
    return e.length_px < (0.6 if e.a in steps.nodes or e.b in steps.nodes else SHORT) * pen


def route(knot: Knot, a: int, b: int) -> list[Edge]:
    """The shortest way through a knot from node ``a`` to node ``b``, as edges one after another."""
    leaving: dict[int, list[tuple[Edge, bool]]] = {}
    for e in knot.edges:
        leaving.setdefault(e.a, []).append((e, False))
        leaving.setdefault(e.b, []).append((e, True))
    best: dict[int, float] = {a: 0.0}
    came: dict[int, Edge] = {}
    todo = [(0.0, a)]
    while todo:
        far, n = heapq.heappop(todo)
        if n == b:
            break
        for e, turned in leaving.get(n, []):
            to = e.a if turned else e.b
            if far + e.length_px < best.get(to, np.inf):
                best[to] = far + e.length_px
                came[to] = e.turned() if turned else e
                heapq.heappush(todo, (best[to], to))
    out: list[Edge] = []
    while b != a:
        if b not in came:
            return []
        out.append(came[b])
        b = came[b].a
    return out[::-1]
