"""T11: several races, points for each place, and who has most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.turbo.faults import BrokenRule
from referee.turbo.position import PLAYERS

POINTS = (4, 3, 2, 1)
"""For the first place, the second one …"""


@dataclass(frozen=True)
class Standings:
    """Points race by race and in all, player by player; who has most wins, and those who have as many share the win."""

    races: tuple[tuple[int, ...], ...]
    points: tuple[int, ...]
    winners: tuple[int, ...]


def points_of(order: Sequence[int]) -> tuple[int, ...]:
    """The points of a race, player by player; ``order`` is the players by their places.  Raises `BrokenRule`.

    >>> points_of([1, 0, 2])
    (3, 4, 2)
    """
    if len(order) not in PLAYERS or sorted(order) != list(range(len(order))):
        raise BrokenRule("T11", "order", players=len(order))
    return tuple(POINTS[list(order).index(player)] for player in range(len(order)))


def standings(orders: Sequence[Sequence[int]]) -> Standings:
    """How a championship stands after some races, the same players in each; raises `BrokenRule`."""
    if not orders:
        raise BrokenRule("T11", "no-race")
    races = tuple(map(points_of, orders))
    if len(set(map(len, races))) > 1:
        raise BrokenRule("T11", "other-players", players=len(races[0]))
    points = tuple(map(sum, zip(*races, strict=True)))
    return Standings(races, points, tuple(player for player, own in enumerate(points) if own == max(points)))
