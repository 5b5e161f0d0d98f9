"""The sixteen toys: seven kinds, of which demons and boosters are there several times."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from referee.turbo_time.faults import BadNotation

Toy = Literal["turbo-man", "tubro-man", "lottery-ball", "gift-certificate", "dementor", "demon", "booster"]
TOYS: tuple[Toy, ...] = get_args(Toy)

SET: Mapping[Toy, int] = {
    "turbo-man": 1, "tubro-man": 1, "lottery-ball": 1, "gift-certificate": 1, "dementor": 1, "demon": 4, "booster": 7,
}  # fmt: skip
"""How many there are of each: sixteen."""

LETTERS: Mapping[Toy, str] = {
    "turbo-man": "t", "tubro-man": "u", "lottery-ball": "l", "gift-certificate": "g", "dementor": "d", "demon": "m",
    "booster": "b",
}  # fmt: skip
"""A toy in one letter: Turbo, tUbro, Lottery, Gift, Dementor, deMon, Booster."""

_TOY_OF = {letter: toy for toy, letter in LETTERS.items()}


@dataclass(frozen=True)
class Tile:
    """One toy on the table, its face up or down."""

    toy: Toy
    up: bool = False

    @property
    def text(self) -> str:
        """Its letter: small if it lies face down, a capital if face up.

        >>> Tile("booster").text, Tile("booster", up=True).text
        ('b', 'B')
        """
        letter = LETTERS[self.toy]
        return letter.upper() if self.up else letter


def tile_of(letter: str) -> Tile:
    """The tile of a letter; raises `BadNotation` for one that is no toy's."""
    toy = _TOY_OF.get(letter.lower())
    if toy is None:
        raise BadNotation("toy", came=letter)
    return Tile(toy, up=letter.isupper())


def tiles_of(letters: str) -> tuple[Tile, ...]:
    """A row of tiles, such as a cart.

    >>> [tile.toy for tile in tiles_of("tB")]
    ['turbo-man', 'booster']
    """
    return tuple(tile_of(letter) for letter in letters)
