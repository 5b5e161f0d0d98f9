"""The ways to pair all legs at all knots -> the cheapest way to each outcome: which ends of ink belong to one strand.

Where two strokes lie beside one another they may change sides at every knot they share, and most of those ways tell
the same story: what counts is which ends each strand has, and by which of the legs that matter it went.  Knot after
knot, of all ways that so far come to the same only the cheapest is kept (a frontier search, as Simpath's: Knuth,
The Art of Computer Programming 4A, 7.1.4; of a tangle only the cheapest are kept, as in a beam search).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from referee.stroke.knots import Net
from referee.stroke.weave import RING, LegEnd, Pairing

Chain = tuple[LegEnd, LegEnd, tuple[LegEnd, ...]]
"""Legs that have been put together: both ends, the lesser first, and from there the legs that matter, each by the end
at which it is come into."""
State = frozenset[int]
"""The chains so far, by their numbers: a search meets few of them, each tens of thousands of times."""

Choices = tuple[int, "Choices"] | None
"""What was chosen at the knot before, and what at those before it."""

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
    chains = _Chains(matter)
    states: dict[State, tuple[float, Choices]] = {frozenset(): (0.0, None)}
    for i in order:
        grown: dict[State, tuple[float, Choices]] = {}
        cheapest = min(cost for cost, _ in states.values()) + min(price for price, _ in priced[i])
        ends = frozenset(net.knots[options[i][0]].leg_ends)
        alone = [chains.alone(leg) for leg in {leg for leg, _ in ends}]
        for state, (cost, choice) in states.items():
            here, elsewhere = chains.met(state, ends, alone)
            for number, (price, pairing) in enumerate(priced[i]):
                if cost + price > cheapest + within:
                    continue
                new, rings = chains.paired(here, elsewhere, pairing)
                total = cost + price + RING * rings
                if new not in grown or total < grown[new][0]:
                    grown[new] = total, (number, choice)
        kept = sorted(grown.items(), key=lambda item: item[1][0])[:KEPT]
        states = {state: found for state, found in kept if found[0] <= kept[0][1][0] + within}
    return sorted((cost, _in_order(choice, order)) for cost, choice in states.values())


def _in_order(choices: Choices, order: Sequence[int]) -> tuple[int, ...]:
    """What was chosen at each knot, knots as they are listed and not in the ``order`` in which they were met."""
    chosen: dict[int, int] = {}
    for i in reversed(order):
        assert choices is not None
        chosen[i], choices = choices
    return tuple(chosen[i] for i in range(len(order)))


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


@dataclass(eq=False)
class _Chains:
    """All chains that a search has met, each by its number; what has been joined once is looked up."""

    matter: frozenset[int]
    chain: list[Chain] = field(default_factory=list)
    number: dict[Chain, int] = field(default_factory=dict)
    joins: dict[tuple[int, int, LegEnd, LegEnd, tuple[LegEnd, ...]], int] = field(default_factory=dict)

    def alone(self, leg: int) -> int:
        """A leg not met before."""
        return self._numbered(((leg, 0), (leg, 1), ((leg, 0),) if leg in self.matter else ()))

    def met(self, state: State, ends: frozenset[LegEnd], alone: Sequence[int]) -> tuple[dict[LegEnd, int], set[int]]:
        """The chains that a knot meets, by their ends, and all others; a leg not met before is a chain of its own."""
        here: dict[LegEnd, int] = {}
        elsewhere = set[int]()
        for k in state:
            a, b, _ = self.chain[k]
            if a in ends or b in ends:
                here[a] = here[b] = k
            else:
                elsewhere.add(k)
        for k in alone:
            a, b, _ = self.chain[k]
            if a not in here and b not in here:
                here[a] = here[b] = k
        return here, elsewhere

    def paired(self, here: dict[LegEnd, int], elsewhere: set[int], pairing: Pairing) -> tuple[State, int]:
        """What the chains are once a knot pairs its legs, and how many of them bite their own tails."""
        at, rings, told = dict(here), 0, set(elsewhere)
        for a, b, via in pairing:
            first = at[a]
            if b is None:
                told.add(first)
                continue
            last = at[b]
            told.discard(first)
            told.discard(last)
            if first == last:
                rings += 1
                continue
            key = first, last, a, b, via
            if (joined := self.joins.get(key)) is None:
                joined = self.joins[key] = self._joined(*key)
            begin, end, _ = self.chain[joined]
            at[begin] = at[end] = joined
            told.add(joined)
        return frozenset(told), rings

    def _joined(self, first: int, last: int, a: LegEnd, b: LegEnd, via: tuple[LegEnd, ...]) -> int:
        """A chain that ends with leg end ``a``, its stubs, and one that begins with ``b`` as one."""
        one, other = self.chain[first], self.chain[last]
        one, other = (one if one[1] == a else _turned(one)), (other if other[0] == b else _turned(other))
        stubs = tuple(stub for stub in via if stub[0] in self.matter)
        whole: Chain = (one[0], other[1], one[2] + stubs + other[2])
        return self._numbered(whole if whole[0] < whole[1] else _turned(whole))

    def _numbered(self, chain: Chain) -> int:
        if chain not in self.number:
            self.number[chain] = len(self.chain)
            self.chain.append(chain)
        return self.number[chain]


def _turned(chain: Chain) -> Chain:
    return chain[1], chain[0], tuple((leg, 1 - end) for leg, end in reversed(chain[2]))
