"""Drives -> the likeliest orders in which they were driven (beam search)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from referee.model import Floats
from referee.stroke.drives import Drive
from referee.stroke.places import Places

BEAM, MOST_ORDERS = 24, 4
"""So many beginnings of an order are kept while it is searched for, and so many orders of the same strands."""
CALM = 1.5
"""The price of going back to a restart line though nothing had happened."""


@dataclass(frozen=True)
class Order:
    """An order of drives (strand, whether from its other end) and what it costs."""

    drives: tuple[tuple[int, bool], ...]
    cost: float


def orders(ways: list[tuple[Drive, Drive]], places: Places, limit: float) -> list[Order]:
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
    ended = cost + np.array([_end_cost(drives[k], places) for k in done[:, -1]])
    return [
        Order(tuple((int(strand[k]), bool(k % 2)) for k in done[i]), float(ended[i]))
        for i in np.argsort(ended, kind="stable")[:MOST_ORDERS]
    ]


def _end_cost(d: Drive, places: Places) -> float:
    short = places.finish_at_mm - d.track.last_mm
    return 1.0 + min(short / 400, 1.0) if short > 8.0 else 0.0


def _tales(drives: list[Drive], others: list[Drive]) -> tuple[Floats, ...]:
    """The prices (N, M) of going on from each of N drives with each of M others: as in `TALES`, and as a restart."""
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


def told(drives: list[Drive]) -> str:
    """How an order is told."""
    return "; ".join(["the race begins at the start arrow", *(_step_word(a, b) for a, b in pairwise(drives))])


def _step_word(a: Drive, b: Drive) -> str:
    """How it is told to go on with drive b after drive a."""
    words = (*TALES, b.restarts[a.passed][1])
    return min(zip((float(tale[0, 0]) for tale in _tales([a], [b])), words, strict=True))[1]
