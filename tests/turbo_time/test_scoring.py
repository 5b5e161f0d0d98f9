"""I5: the points of every count of every toy, against a table typed from the rules once more."""

from __future__ import annotations

from itertools import combinations_with_replacement, product

import pytest

from referee.turbo_time.scoring import result, score
from referee.turbo_time.toys import SET, TOYS, Toy

TYPED: dict[Toy, list[int]] = {
    "turbo-man": [0, 10],
    "tubro-man": [0, -5],
    "lottery-ball": [0, 8],
    "gift-certificate": [0, 5],
    "demon": [0, 2, 10, 15, 20],
    "booster": [0, 2, 4, 9, 16, 25, 25, 25],
}
COUNTS = [range(SET[toy] + 1) for toy in TOYS]


@pytest.mark.parametrize("toy", TYPED)
def test_each_count_of_a_toy_has_its_points(toy: Toy) -> None:
    assert [score([toy] * count).points for count in range(SET[toy] + 1)] == TYPED[toy]


@pytest.mark.parametrize(("demons", "points"), [(0, 3), (1, 6), (2, 6), (3, 6), (4, 6)])
def test_dementor_is_worth_more_with_a_demon(demons: int, points: int) -> None:
    assert score(["dementor", *["demon"] * demons]).points == points + TYPED["demon"][demons]  # type: ignore[list-item]


def test_every_cart_that_can_be_has_the_sum_of_its_lines() -> None:
    for counts in product(*COUNTS):
        count = dict(zip(TOYS, counts, strict=True))
        wanted = sum(points[count[toy]] for toy, points in TYPED.items())
        wanted += (6 if count["demon"] else 3) * count["dementor"]
        found = score([toy for toy in TOYS for _ in range(count[toy])])
        assert found.points == wanted
        assert found.toys == sum(counts)
        assert [(line.toy, line.count) for line in found.lines] == [(toy, n) for toy, n in count.items() if n]


def test_an_empty_cart_has_no_line_and_no_points() -> None:
    assert (score([]).lines, score([]).points) == ((), 0)


def test_the_winners_are_the_best_by_points_and_then_by_toys() -> None:
    carts: list[list[Toy]] = [["booster"], ["demon"], ["booster", "booster"], ["gift-certificate"], ["lottery-ball"]]
    carts += [["dementor"], ["tubro-man", "lottery-ball"], []]
    for table in combinations_with_replacement(carts, 3):
        done = result(table)
        key = [(each.points, each.toys) for each in done.scores]
        assert list(done.winners) == [player for player in range(3) if key[player] == max(key)]
        assert set(done.winners) <= set(done.tied)
