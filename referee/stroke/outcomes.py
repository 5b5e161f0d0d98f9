"""The ways to pair all legs at all knots -> the cheapest way to each outcome: which ends of ink belong to one strand.

Where two strokes lie beside one another they may change sides at every knot they share, and most of those ways tell
the same story: what counts is which ends each strand has, and by which of the legs that matter it went.  Knot after
knot, of all ways that so far come to the same only the cheapest is kept (a frontier search, as Simpath's: Knuth,
The Art of Computer Programming 4A, 7.1.4; of a tangle only the cheapest are kept, as in a beam search).
"""

from __future__ import annotations

from collections.abc import Sequence

from referee.stroke.knots import Net
from referee.stroke.weave import RING, LegEnd, Pairing

Chain = tuple[LegEnd, LegEnd, tuple[LegEnd, ...]]
"""Legs that have been put together: both ends, the lesser first, and from there the legs that matter, each by the end
at which it is come into."""
State = frozenset[Chain]

KEPT = 240
"""So many outcomes are kept from knot to knot."""
END = 2.0
"""What each end of a strand will cost at least once the strands are put in order."""


def outcomes(
    net: Net, options: Sequence[tuple[int, list[tuple[float, Pairing]]]], matter: frozenset[int], within: float
) -> list[tuple[float, tuple[int, ...]]]:
    """For each outcome the price and the choice, one number for each knot, of the cheapest way to it; cheapest first.

    ``options`` are knots of the net, each with its pairings and their prices; ``matter`` are legs; outcomes that are
    more than ``within`` dearer than the cheapest are left out.
    """
    order = _frontier_order(net, [knot for knot, _ in options])
    priced = [[(price + END * _ends(pairing), pairing) for price, pairing in known] for _, known in options]
    states: dict[State, tuple[float, dict[int, int]]] = {frozenset(): (0.0, {})}
    for i in order:
        grown: dict[State, tuple[float, dict[int, int]]] = {}
        cheapest = min(cost for cost, _ in states.values()) + min(price for price, _ in priced[i])
        ends = net.knots[options[i][0]].leg_ends
        alone = [((leg, 0), (leg, 1), ((leg, 0),) if leg in matter else ()) for leg in {leg for leg, _ in ends}]
        for state, (cost, choice) in states.items():
            here, elsewhere = _met(state, ends, alone)
            for number, (price, pairing) in enumerate(priced[i]):
                if cost + price > cheapest + within:
                    continue
                new, rings = _paired(here, elsewhere, pairing, matter)
                total = cost + price + RING * rings
                if new not in grown or total < grown[new][0]:
                    grown[new] = total, {**choice, i: number}
        kept = sorted(grown.items(), key=lambda item: item[1][0])[:KEPT]
        states = {state: found for state, found in kept if found[0] <= kept[0][1][0] + within}
    return sorted((cost, tuple(choice[i] for i in range(len(options)))) for cost, choice in states.values())


def _ends(pairing: Pairing) -> int:
    """How many more ends strands have than ends of ink are free, if a knot does this."""
    return sum(b is None for _, b, _ in pairing) - sum(len(via) for _, _, via in pairing)


def _frontier_order(net: Net, knots: list[int]) -> list[int]:
    """Places in a list of knots, in an order that leaves few legs half told: next the knot with the most of them."""
    near = [{net.legs[leg].ends[1 - end] for leg, end in net.knots[k].leg_ends} for k in knots]
    left, done, out = set(range(len(knots))), set[int](), list[int]()
    while left:
        i = max(left, key=lambda i: (len(near[i] & done), -len(near[i] - done), -i))
        left.discard(i)
        done.add(knots[i])
        out.append(i)
    return out


def _met(state: State, ends: Sequence[LegEnd], alone: Sequence[Chain]) -> tuple[dict[LegEnd, Chain], State]:
    """The chains that a knot meets, by their ends, and all the others; a leg not met before is a chain of its own."""
    elsewhere = frozenset(chain for chain in state if chain[0] not in ends and chain[1] not in ends)
    here = {end: chain for chain in state - elsewhere for end in chain[:2]}
    for chain in alone:
        if all(end not in here for end in chain[:2] if end in ends):
            here |= dict.fromkeys(chain[:2], chain)
    return here, elsewhere


def _paired(here: dict[LegEnd, Chain], elsewhere: State, pairing: Pairing, matter: frozenset[int]) -> tuple[State, int]:
    """What the chains are once a knot pairs its legs, and how many of them bite their own tails."""
    at, rings, told = dict(here), 0, set[Chain]()
    for a, b, via in pairing:
        told.add(at[a])
        if b is None:
            continue
        first, last = at[a], at[b]
        told -= {first, last}
        if first == last:
            rings += 1
            continue
        first, last = (first if first[1] == a else _turned(first)), (last if last[0] == b else _turned(last))
        begin, end = first[0], last[1]
        joined: Chain = (begin, end, first[2] + tuple(stub for stub in via if stub[0] in matter) + last[2])
        joined = joined if begin < end else _turned(joined)
        at[begin] = at[end] = joined
        told.add(joined)
    return elsewhere | told, rings


def _turned(chain: Chain) -> Chain:
    return chain[1], chain[0], tuple((leg, 1 - end) for leg, end in reversed(chain[2]))
