"""A few hundred games of two, three and four at random, every move held against what must always be true."""

from __future__ import annotations

import pytest

from tests.turbo_time.holds import check_game


@pytest.mark.parametrize("first", range(0, 216, 12))
def test_a_random_game_ends_well_whoever_plays(first: int) -> None:
    for seed in range(first, first + 12):
        check_game(seed)
