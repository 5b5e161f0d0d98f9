"""I4: every use of every power is listed, and no other: counted, and held against a second, independent search."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations
from math import comb, factorial

import pytest

from referee.turbo_time.cards import POWERS, Power
from referee.turbo_time.faults import BrokenRule
from referee.turbo_time.game import legal, step
from referee.turbo_time.moves import move_of, move_text
from referee.turbo_time.position import Position, read
from referee.turbo_time.settings import Settings
from tests.turbo_time import brute
from tests.turbo_time.play import all_of, random_game

EARLY = "tulg/dmmm/mbbb b,b 2-5,7-10 * - 1 1.6 powers"
LATER = "T.l./dmmm/mbbb bg,Bu 2-5,7-10 * 11.12 1 1.6 powers"
FOUR = "..lG/dm.m/m.bb bt,bU,bb,Bm 2-5,7-10,12-15,17-20 * 31-34 3 1.16.6.11 powers:2"
LATE = "B.../...d/.... Btlmm,bgmUbM,bb 2-5,7-10,12-15 * 21-35 2 16.1.11 powers:1"
TABLES = (EARLY, LATER, FOUR, LATE)
RETELLING = Settings(powers=("flip",) * 36, flip="retelling")


def ways(position: Position) -> set[brute.Way]:
    """Every way to use the power in use, as the referee lists it."""
    return set(_ways(position, ()))


def _ways(position: Position, moves: tuple[str, ...]) -> Iterator[brute.Way]:
    for move in legal(position):
        after = step(position, move)
        if after.phase == "powers" and after.done == position.done:
            yield from _ways(after, (*moves, move_text(move)))
        else:
            yield (*moves, move_text(move)), frozenset(brute.table_of(after.text).items())


@pytest.mark.parametrize("power", POWERS)
@pytest.mark.parametrize("text", TABLES)
def test_the_uses_of_a_power_are_those_that_a_second_search_finds(text: str, power: Power) -> None:
    assert ways(read(text, all_of(power))) == brute.ways(text, power)


@pytest.mark.parametrize("text", TABLES)
def test_the_uses_of_the_retellings_flip_are_those_that_a_second_search_finds(text: str) -> None:
    assert ways(read(text, RETELLING)) == brute.ways(text, "flip-retelling")


@pytest.mark.parametrize("seed", range(6))
def test_so_are_those_of_every_power_in_a_random_game(seed: int) -> None:
    for before, _ in random_game(seed):
        at = before.position
        if at.phase == "powers" and not at.touched and at.settings.power_of(at.card) != "peek":
            assert ways(at) == brute.ways(at.text, at.settings.power_of(at.card))


@pytest.mark.parametrize(
    ("text", "toys", "down", "cart"), [(EARLY, 14, 14, 1), (LATER, 14, 12, 2), (FOUR, 16, 13, 2), (LATE, 15, 11, 5)]
)
def test_the_uses_of_each_power_are_as_many_as_can_be_reckoned(text: str, toys: int, down: int, cart: int) -> None:
    counted = {power: len(ways(read(text, all_of(power)))) for power in POWERS}
    own_down = sum(toy.islower() for place, toy in brute.table_of(text).items() if place[0] == str(brute.user_of(text)))
    assert counted == {
        "swap": comb(toys, 2),
        "peek": toys * (toys - 1) * (toys - 2),
        "peek-swap": toys * comb(toys, 2),
        "flip": down + down * cart - own_down,  # turned and left, or swapped with any other of the cart
        "shuffle": factorial(cart),
    }
    assert len(ways(read(text, RETELLING))) == toys


def test_a_swap_within_the_own_cart_is_told_once_in_either_order_of_turning() -> None:
    """Two toys of one cart: turning the first or the second and swapping both are two ways."""
    told = {moves for moves, _ in ways(read("T.l./dmmm/mbbb bg,bu 2-5,7-10 * 11.12 1 1.6 powers", all_of("flip")))}
    assert {("flip 2:1", "swap 2:1 2:2"), ("flip 2:2", "swap 2:1 2:2")} <= told


PLACES = [row + column for row in "abc" for column in "1234"]
PLACES += [f"{cart}:{at}" for cart in range(1, 5) for at in range(1, 9)]
EVERY_MOVE = [
    *(f"{name} {place}" for name in ("look", "flip", "take") for place in PLACES),
    *(f"swap {one} {other}" for one in PLACES for other in PLACES),
    *(f"play {card}" for card in range(1, 38)),
    *(f"shuffle {' '.join(map(str, order))}" for n in range(1, 4) for order in permutations(range(1, n + 2), n)),
    *(f"discard {' '.join(map(str, cards))}" for cards in combinations((2, 3, 4, 5, 7), 2)),
    "pass", "draw", "draw 1", "discard", "discard 2 2",
]  # fmt: skip


@pytest.mark.parametrize("power", POWERS)
@pytest.mark.parametrize("text", TABLES)
def test_whatever_is_not_listed_is_refused_by_a_rule(text: str, power: Power) -> None:
    at: Position | None = read(text, all_of(power))
    while at is not None:
        listed = set(map(move_text, legal(at)))
        for move in EVERY_MOVE:
            if move in listed or (move.startswith("swap") and " ".join(reordered(move)) in listed):
                assert step(at, move_of(move))
            else:
                with pytest.raises(BrokenRule) as broken:
                    step(at, move_of(move))
                assert broken.value.rule in ("I2", "I3", "I4", "I6")
        at = step(at, next(legal(at))) if at.phase in ("powers", "peek", "take") and len(at.touched) < 2 else None


def reordered(swap: str) -> list[str]:
    """The same swap, told the other way round."""
    name, one, other = swap.split()
    return [name, other, one]
