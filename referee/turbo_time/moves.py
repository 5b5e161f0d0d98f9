"""What people do at the table, each a frozen value, and each a line of text.

    play 17        plays a card                        swap a1 2:1     swaps two toys
    look c4        looks at a toy                      flip b2         turns a toy over
    shuffle 2 1 3  the cart's toys in their new order  pass            does without what may be left out
    take a1        takes a toy from the shelf          discard 4 9     throws cards away; "discard" alone: none
    draw           all draw up to five cards; "draw 5 9 …": the discards' new order, if the deck runs out

A place is `a1` to `c4` on the shelf (rows a, b, c from the top, columns 1 to 4), or `2:1` in a cart: player 2's first
toy from the left.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from referee.turbo_time.faults import BadNotation

SHELF = -1
ROWS, COLUMNS = "abc", 4
_SHELF_PLACE = re.compile(r"([abc])([1-4])")
_CART_PLACE = re.compile(r"([1-4]):([1-9][0-9]?)")
_NUMBER = re.compile(r"[1-9][0-9]?")


class Place(NamedTuple):
    """Where a toy lies: a player's cart (from 0), or `SHELF`, and how manieth it is there (from 0)."""

    cart: int
    at: int

    @property
    def text(self) -> str:
        """As people write it.

        >>> Place(SHELF, 5).text, Place(1, 0).text
        ('b2', '2:1')
        """
        if self.cart == SHELF:
            return f"{ROWS[self.at // COLUMNS]}{self.at % COLUMNS + 1}"
        return f"{self.cart + 1}:{self.at + 1}"


def place_of(text: str) -> Place:
    """A place as people write it; raises `BadNotation`."""
    if found := _SHELF_PLACE.fullmatch(text):
        return Place(SHELF, ROWS.index(found[1]) * COLUMNS + int(found[2]) - 1)
    if found := _CART_PLACE.fullmatch(text):
        return Place(int(found[1]) - 1, int(found[2]) - 1)
    raise BadNotation("place", came=text[:20])


@dataclass(frozen=True)
class Play:
    """A card is played face up (I2)."""

    card: int


@dataclass(frozen=True)
class Look:
    """A toy is looked at in secret (I4; I2 with two players)."""

    place: Place


@dataclass(frozen=True)
class Swap:
    """Two toys take each other's place (I4)."""

    one: Place
    other: Place


@dataclass(frozen=True)
class Flip:
    """A toy is turned over (I4)."""

    place: Place


@dataclass(frozen=True)
class Shuffle:
    """The player's own cart is mixed (I4): ``order`` says of each new place which old one its toy comes from."""

    order: tuple[int, ...]


@dataclass(frozen=True)
class Pass:
    """What may be left out is left out."""


@dataclass(frozen=True)
class Take:
    """A toy is taken from the shelf (I2)."""

    place: Place


@dataclass(frozen=True)
class Discard:
    """The player with the lowest card throws away any cards of the hand, or none (I3)."""

    cards: tuple[int, ...] = ()


@dataclass(frozen=True)
class Draw:
    """Everybody draws (I3); ``order`` is the shuffled discards, the next card first, if the deck does not last."""

    order: tuple[int, ...] = ()


Move = Play | Look | Swap | Flip | Shuffle | Pass | Take | Discard | Draw
MoveKind = type[Move]

NAMES: dict[MoveKind, str] = {
    Play: "play", Look: "look", Swap: "swap", Flip: "flip", Shuffle: "shuffle", Pass: "pass", Take: "take",
    Discard: "discard", Draw: "draw",
}  # fmt: skip
_KINDS = {name: kind for kind, name in NAMES.items()}


def move_text(move: Move) -> str:
    """A move as its line of text.

    >>> move_text(Swap(Place(SHELF, 0), Place(1, 0))), move_text(Shuffle((1, 0)))
    ('swap a1 2:1', 'shuffle 2 1')
    """
    return " ".join([NAMES[type(move)], *_words(move)])


def _words(move: Move) -> list[str]:
    match move:
        case Play(card):
            return [str(card)]
        case Look(place) | Flip(place) | Take(place):
            return [place.text]
        case Swap(one, other):
            return [one.text, other.text]
        case Shuffle(order):
            return [str(at + 1) for at in order]
        case Discard(cards) | Draw(cards):
            return [str(card) for card in cards]
        case Pass():
            return []


def move_of(text: str) -> Move:
    """A line of text as a move; raises `BadNotation`.

    >>> move_of("take b3")
    Take(place=Place(cart=-1, at=6))
    """
    name, *words = text.split(" ")
    kind = _KINDS.get(name)
    if kind is Play and len(words) == 1:
        return Play(_number(words[0]))
    if kind is Pass and not words:
        return Pass()
    if kind in (Look, Flip, Take) and len(words) == 1:
        return kind(place_of(words[0]))
    if kind is Swap and len(words) == 2:
        return Swap(place_of(words[0]), place_of(words[1]))
    if kind is Shuffle and words:
        return Shuffle(tuple(_number(word) - 1 for word in words))
    if kind in (Discard, Draw):
        return kind(tuple(map(_number, words)))
    raise BadNotation("move", came=text[:60])


def _number(word: str) -> int:
    if not _NUMBER.fullmatch(word):
        raise BadNotation("number", came=word[:20])
    return int(word)
