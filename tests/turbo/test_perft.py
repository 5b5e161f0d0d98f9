"""How many ends and ways there are for each number, from fixed positions: by the referee, and by brute force."""

from __future__ import annotations

from functools import cache

import pytest

from referee.turbo import load
from referee.turbo.moves import OFF, Spot, reaches, way_to, ways, wrong_way
from referee.turbo.position import read
from tests.turbo.brute import Brute, brute
from tests.turbo.play import turbo

PERFT: dict[str, tuple[tuple[int, int], ...]] = {
    "^a33,^b37,^c41,^d45 b19 * 1 counters": ((2, 2), (3, 5), (3, 9), (3, 17), (4, 42), (3, 71)),
    "^b37,^a33,^d45,^c41 b19 * 1 counters": ((3, 3), (4, 8), (3, 16), (3, 29), (4, 71), (3, 122)),
    "a2,b2,b3 a1 * 1 counters": ((0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0)),
    "b7,c8 b19 * 1 counters": ((2, 2), (3, 3), (5, 5), (8, 14), (10, 57), (14, 261)),
    "c7,d7 c9 * 1 counters": ((2, 2), (1, 1), (2, 2), (4, 5), (7, 17), (11, 79)),
    "a11,b11 c12 * 1 counters": ((4, 4), (8, 17), (14, 73), (19, 282), (24, 1077), (29, 4011)),
    "b12,a11,b13,c12 a12 * 1 counters": ((2, 2), (3, 4), (3, 8), (3, 16), (3, 32), (3, 64)),
    "d15,c14 d16 * 1 counters": ((1, 1), (3, 3), (5, 7), (10, 25), (12, 86), (14, 337)),
    "b14,c15 a14 * 1 counters": ((1, 1), (1, 1), (2, 2), (4, 4), (4, 7), (4, 11)),
    "d16,c17 b19 * 1 counters": ((1, 1), (1, 1), (1, 1), (1, 1), (1, 1), (1, 1)),
    "b18,c21 a16 * 1 counters": ((1, 1), (2, 2), (3, 4), (5, 6), (7, 12), (8, 24)),
    "b24,b26 b27 * 1 counters": ((3, 3), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0)),
    "a22,b25,c27 b26 * 1 counters": ((1, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0)),
    "c32,b29 b32 * 1 counters": ((2, 2), (2, 3), (2, 3), (3, 4), (3, 5), (3, 5)),
    "d42,c38 - * 1 counters": ((2, 2), (2, 3), (4, 7), (1, 18), (1, 18), (1, 18)),
    "b35,a32,a33 b37 * 1 counters": ((1, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0)),
}
"""Ends and ways for 1, 2 … 6 of player 1's car."""


@cache
def by_force() -> Brute:
    return brute(load.builtin().svg.decode())


def counted(text: str) -> tuple[tuple[int, int], ...]:
    """Ends and ways for 1 to 6, of player 1's car."""
    position = read(text, turbo())
    spot, taken = position.cars[0], position.taken_beside(0)
    found = [reaches(turbo(), spot, number, taken) for number in range(1, 7)]
    return tuple((len(ends), sum(reach.ways for reach in ends)) for ends in found)


@pytest.mark.parametrize("text", PERFT)
def test_the_ends_and_ways_are_as_many_as_they_were(text: str) -> None:
    assert counted(text) == PERFT[text]


@pytest.mark.parametrize("text", PERFT)
@pytest.mark.parametrize("number", range(1, 7))
def test_the_ways_are_those_that_brute_force_finds(text: str, number: int) -> None:
    position = read(text, turbo())
    spot, taken = position.cars[0], position.taken_beside(0)
    wanted = sorted(by_force().ways(spot.square, spot.lap, number, set(taken)))
    assert sorted(ways(turbo(), spot, number, taken)) == wanted
    found = {reach.end.square: reach.ways for reach in reaches(turbo(), spot, number, taken)}
    ends = [way[-1] for way in wanted]
    assert found == {end: ends.count(end) for end in ends}
    for end in found:
        way = way_to(turbo(), spot, number, end, taken)
        assert way is not None
        assert way in wanted
        assert wrong_way(turbo(), spot, number, way, taken) is None


@pytest.mark.parametrize("number", range(1, 5))
def test_from_every_square_there_are_as_many_ways_as_by_brute_force(number: int) -> None:
    obstacles = turbo().dots
    for name in turbo().named:
        if name not in obstacles | turbo().hatched:
            found = reaches(turbo(), Spot(name), number, obstacles)
            ends = [way[-1] for way in by_force().ways(name, True, number, set(obstacles))]
            assert {reach.end.square: reach.ways for reach in found} == {end: ends.count(end) for end in ends}


def test_whoever_is_over_the_line_after_the_lap_is_nowhere_else() -> None:
    assert {reach.end for reach in reaches(turbo(), Spot("a33"), 6, ())} == {OFF}
