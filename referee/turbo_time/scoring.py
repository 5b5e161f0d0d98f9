"""I5: what the toys in a cart are worth, line by line, and who wins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from referee.turbo_time.toys import TOYS, Toy

POINTS: Mapping[Toy, tuple[int, ...]] = {
    "turbo-man": (10,),
    "tubro-man": (-5,),
    "lottery-ball": (8,),
    "gift-certificate": (5,),
    "dementor": (3,),
    "demon": (2, 10, 15, 20),
    "booster": (2, 4, 9, 16, 25),
}
"""What one, two, three … of a toy are worth together; more than the table knows are worth its last number."""
EACH_ALONE = ("turbo-man", "tubro-man", "lottery-ball", "gift-certificate", "dementor")
"""Of these there is one in the set; if a table plays with several, each counts by itself."""
DEMENTOR_WITH_DEMONS = 6


@dataclass(frozen=True)
class Line:
    """One kind of toy in a cart: how many there are, and their points."""

    toy: Toy
    count: int
    points: int


@dataclass(frozen=True)
class Score:
    """A cart's points, line by line."""

    lines: tuple[Line, ...]

    @property
    def points(self) -> int:
        """All lines together."""
        return sum(line.points for line in self.lines)

    @property
    def toys(self) -> int:
        """How many toys there are: who has more of them wins a tie."""
        return sum(line.count for line in self.lines)


@dataclass(frozen=True)
class Result:
    """Everybody's score, and who has won: several players if points and toys are equal."""

    scores: tuple[Score, ...]
    winners: tuple[int, ...]
    tied: tuple[int, ...]
    """Who has the most points: several if the number of toys had to tell, or could not."""


def score(cart: Sequence[Toy]) -> Score:
    """The score of a cart; a kind of toy that is not in it has no line.

    >>> [(line.toy, line.points) for line in score(["booster", "dementor", "demon"]).lines]
    [('dementor', 6), ('demon', 2), ('booster', 2)]
    """
    count = Counter(cart)
    return Score(tuple(Line(toy, count[toy], _points(toy, count)) for toy in TOYS if count[toy]))


def _points(toy: Toy, count: Mapping[Toy, int]) -> int:
    if toy == "dementor" and count["demon"]:
        return DEMENTOR_WITH_DEMONS * count[toy]
    if toy in EACH_ALONE:
        return POINTS[toy][0] * count[toy]
    return POINTS[toy][min(count[toy], len(POINTS[toy])) - 1]


def result(carts: Sequence[Sequence[Toy]]) -> Result:
    """Who has won: the most points, of those the most toys, and who is equal in both shares the win."""
    scores = tuple(map(score, carts))
    most = max(each.points for each in scores)
    tied = tuple(player for player, each in enumerate(scores) if each.points == most)
    toys = max(scores[player].toys for player in tied)
    return Result(scores, tuple(player for player in tied if scores[player].toys == toys), tied)
