"""The cheapest way to each outcome, against trying every way."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from referee.stroke.knots import Knot, Leg, Net
from referee.stroke.outcomes import END, outcomes
from referee.stroke.weave import RING, LegEnd, Pairing

Option = tuple[float, Pairing]


TWO_KNOTS: list[list[LegEnd]] = [[(0, 1), (1, 1), (2, 0), (3, 0)], [(2, 1), (3, 1), (4, 0), (5, 0)]]


def _pairs(ends: list[LegEnd]) -> Pairing:
    """The first and the third of four leg ends, and the second and the fourth."""
    return (ends[0], ends[2], ()), (ends[1], ends[3], ())


def net(ends_of: list[list[LegEnd]]) -> Net:
    """Legs without ink that run into knots as said; all other ends are free."""
    at = {end: k for k, ends in enumerate(ends_of) for end in ends}
    legs = {
        leg: Leg(np.zeros((2, 2)), np.zeros(2), (0, 0), (at.get((leg, 0), -1), at.get((leg, 1), -1)), (0, 1))
        for leg in {leg for ends in ends_of for leg, _ in ends}
    }
    return Net(legs, tuple(Knot(leg_ends=ends) for ends in ends_of), {})


def ways(ends: list[LegEnd]) -> list[Pairing]:
    """Every way to pair leg ends, any of them left alone."""
    if not ends:
        return [()]
    first, rest = ends[0], ends[1:]
    out = [((first, None, ()), *others) for others in ways(rest)]
    for k, other in enumerate(rest):
        out += [((first, other, ()), *others) for others in ways(rest[:k] + rest[k + 1 :])]
    return out


def told(chosen: tuple[Pairing, ...], matter: frozenset[int], legs: set[int]) -> tuple[frozenset[object], float]:
    """What a choice comes to, found by walking every strand; and the price of its rings and of its ends."""
    on: dict[LegEnd, LegEnd] = {}
    alone = 0
    for a, b, _ in (pair for pairing in chosen for pair in pairing):
        if b is None:
            alone += 1
        else:
            on[a], on[b] = b, a
    strands: set[object] = set()
    left = set(legs)

    def walked(start: LegEnd) -> list[LegEnd]:
        way, here = [], start
        while here[0] in left:
            left.discard(here[0])
            way.append(here)
            after = on.get((here[0], 1 - here[1]))
            if after is None:
                break
            here = after
        return way

    for leg, end in product(sorted(legs), (0, 1)):
        if leg in left and (leg, end) not in on:
            way = walked((leg, end))
            back = [(k, 1 - e) for k, e in reversed(way)]
            way = min(way, back, key=lambda w: w[0])
            strands.add((way[0], (way[-1][0], 1 - way[-1][1]), tuple(w for w in way if w[0] in matter)))
    rings = 0
    while left:
        walked((min(left), 0))
        rings += 1
    return frozenset(strands), RING * rings + END * alone


@pytest.mark.parametrize("seed", range(12))
def test_the_cheapest_way_to_each_outcome_is_found(seed: int) -> None:
    rng = np.random.default_rng(seed)
    ends_of: list[list[LegEnd]] = [
        [(0, 1), (1, 1), (2, 0), (3, 0)],
        [(2, 1), (3, 1), (4, 0), (5, 0)],
        [(4, 1), (5, 1), (6, 0)],
    ]
    here = net(ends_of)
    options: list[list[Option]] = []
    for ends in ends_of:
        priced = [(float(rng.uniform(0, 6)), way) for way in ways(ends)]
        options.append(sorted(priced, key=lambda option: option[0])[:6])
    matter = frozenset(int(leg) for leg in rng.choice(7, 2, replace=False))
    every: dict[frozenset[object], float] = {}
    for choice in product(*(range(len(known)) for known in options)):
        chosen = tuple(known[k][1] for known, k in zip(options, choice, strict=True))
        outcome, more = told(chosen, matter, set(here.legs))
        price = more + sum(known[k][0] for known, k in zip(options, choice, strict=True))
        every[outcome] = min(price, every.get(outcome, np.inf))
    found = outcomes(here, list(enumerate(options)), matter, 1000.0)
    prices = {}
    for price, choice in found:
        chosen = tuple(known[k][1] for known, k in zip(options, choice, strict=True))
        prices[told(chosen, matter, set(here.legs))[0]] = price
    assert len(prices) == len(every)
    assert prices == pytest.approx(every)
    assert [price for price, _ in found] == sorted(prices.values())


def test_two_strokes_that_swap_sides_twice_are_told_once() -> None:
    knots: list[tuple[int, list[Option]]] = [
        (k, [(0.0, _pairs(ends)), (0.5, _pairs([*ends[:2], *ends[:1:-1]]))]) for k, ends in enumerate(TWO_KNOTS)
    ]
    assert outcomes(net(TWO_KNOTS), knots, frozenset(), 9.0) == [(0.0, (0, 0)), (0.5, (0, 1))]
    told_apart = outcomes(net(TWO_KNOTS), knots, frozenset({2}), 9.0)
    assert [choice for _, choice in told_apart] == [(0, 0), (0, 1), (1, 0), (1, 1)]
