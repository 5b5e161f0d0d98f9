"""Which rings count as donuts (R9): the largest set of rings that are clear of one another."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from referee.facts import Margin, Ring

MANY = 14
SPREAD = 1.4142
"""A gap lies between two edges and a hole between two, each with the ring's own uncertainty."""


def clear_set(rings: Sequence[Ring], hole_mm: float, slack: float = 0.0) -> tuple[Ring, ...]:
    """The largest set of rings with a hole that do not touch one another; of equal sets the earliest drawn.

    ``slack`` shifts what counts, in uncertainties: positive takes rings that are not clear for sure, negative
    only those that are beyond doubt.
    """
    able = [r for r in rings if r.hole_mm - hole_mm >= -slack * _sigma(r)]
    for size in range(len(able), 0, -1):
        if size > 1 and len(able) > MANY:
            return _first_come(able, slack)
        for group in combinations(able, size):
            if all(_clear(a, b, slack) for a, b in combinations(group, 2)):
                return group
    return ()


def _first_come(rings: Sequence[Ring], slack: float) -> tuple[Ring, ...]:
    """For a scribble of very many rings: those that are clear of all taken before, by earliest closing."""
    taken: list[Ring] = []
    for ring in rings:
        if all(_clear(ring, other, slack) for other in taken):
            taken.append(ring)
    return tuple(taken)


def _clear(a: Ring, b: Ring, slack: float) -> bool:
    """Touching counts as touching: a gap of nothing is not clear."""
    gap = gap_between(a, b)
    return gap > 0 if slack == 0 else gap > -slack * max(_sigma(a), _sigma(b))


def gap_between(a: Ring, b: Ring) -> float:
    """The distance between two rings' inks."""
    return min(dict(a.gaps).get(b.number, float("inf")), dict(b.gaps).get(a.number, float("inf")))


def _sigma(ring: Ring) -> float:
    return SPREAD * ring.sigma_mm


def donut_margin(ring: Ring, counted: Sequence[Ring], hole_mm: float) -> Margin:
    """The smaller of a donut's gap to the nearest counted ring and its hole less what it must hold."""
    gaps = [gap_between(ring, other) for other in counted if other.number != ring.number]
    return Margin(min([*gaps, ring.hole_mm - hole_mm]), _sigma(ring))
