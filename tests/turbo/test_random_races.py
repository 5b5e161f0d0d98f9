"""A few hundred races of two, three and four at random, every deed held against what must always be true."""

from __future__ import annotations

import pytest

from referee.turbo.deeds import Stay
from referee.turbo.position import Scale
from tests.turbo.holds import check_race, check_squares
from tests.turbo.play import random_race
from tests.turbo.test_perft import by_force


@pytest.mark.parametrize("first", range(0, 216, 24))
def test_a_random_race_ends_well_whoever_races(first: int) -> None:
    for seed in range(first, first + 24):
        check_race(seed, by_force())


def test_counters_that_show_other_numbers_end_a_race_too() -> None:
    for seed in range(9):
        *_, (_, log) = random_race(seed, scale=Scale(1, 3))
        check_squares(log.position)
        assert log.position.phase == "over"


def test_in_random_races_somebody_is_stuck_at_times() -> None:
    stays = [entry for seed in range(9) for _, log in random_race(seed) for entry in log.entries[-1:]]
    assert any(isinstance(entry.deed, Stay) for entry in stays)
