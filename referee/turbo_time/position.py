"""Everything that lies on the table at one moment, frozen; and a line of text for it.

    tulg/dmmm/mbbb b,b 1-5,6-10 11-36 - 1 - play
    ....

Eight words, a space between them:

=========  ==================================================================================================
shelf      three rows of four toys from the top, "/" between them; "." where none is left
carts      player 1's, 2's … toys from left to right, "," between them; a toy is small face down, a capital face up
hands      each player's cards, "," between them, as numbers and ranges: `3.7.11-13`; "-" is none
deck       its cards, the next one first; `*` for all that lie nowhere else, the lowest first
discards   the oldest first
leader     the player who leads this trick, from 1
played     the cards of this trick in the order of play, the leader's first
phase      `play`, `powers`, `peek`, `take`, `turbo-time`, `draw`, `over`; after ":" how many turns of it are done, and
           after a second ":" which toys the power in use has looked at or turned: `powers:1:a1,2:1`
=========  ==================================================================================================

Toys are `t` Turbo Man, `u` Tubro Man, `l` Lottery Ball, `g` Gift Certificate, `d` Dementor, `m` Demon, `b` Booster.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Literal, get_args

from referee.turbo_time.cards import CARDS, HAND
from referee.turbo_time.faults import BadNotation
from referee.turbo_time.moves import COLUMNS, ROWS, SHELF, Flip, Place, place_of
from referee.turbo_time.settings import BOOSTERS_OUT, ON_THE_SHELF, STANDARD, Settings
from referee.turbo_time.toys import Tile, tile_of, tiles_of
from referee.turbo_time.words import say

Phase = Literal["play", "powers", "peek", "take", "turbo-time", "draw", "over"]
PHASES: tuple[Phase, ...] = get_args(Phase)
PLAYERS = (2, 3, 4)
TAKEN_A_TRICK = 2


@dataclass(frozen=True)
class Position:
    """The table at one moment; raises `BadNotation` at birth if it can never look so."""

    shelf: tuple[Tile | None, ...]
    """Row by row, None where a toy has been taken."""
    carts: tuple[tuple[Tile, ...], ...]
    hands: tuple[tuple[int, ...], ...]
    """Each ascending."""
    deck: tuple[int, ...]
    """The next card first."""
    discards: tuple[int, ...]
    leader: int
    """Who leads the trick, from 0."""
    played: tuple[int, ...] = ()
    """In the order of play, the leader's first."""
    phase: Phase = "play"
    done: int = 0
    """How many turns of this phase are over; a trick's cards count themselves."""
    touched: tuple[Place, ...] = ()
    """What the power in use has looked at or turned over."""
    settings: Settings = STANDARD

    def __post_init__(self) -> None:
        for word, parts in _oddities(self):
            raise BadNotation(word, **parts)

    @property
    def players(self) -> int:
        """How many play."""
        return len(self.carts)

    @property
    def seats(self) -> tuple[int, ...]:
        """The players clockwise from the leader."""
        return tuple((self.leader + step) % self.players for step in range(self.players))

    @property
    def card(self) -> int:
        """The card whose power is in use, or is to be used next: the highest first (I2)."""
        return sorted(self.played, reverse=True)[self.done]

    @property
    def places(self) -> tuple[Place, ...]:
        """Every place with a toy: the shelf's first, then cart by cart."""
        shelf = (Place(SHELF, at) for at, tile in enumerate(self.shelf) if tile)
        carts = (Place(cart, at) for cart, tiles in enumerate(self.carts) for at in range(len(tiles)))
        return (*shelf, *carts)

    @property
    def left(self) -> int:
        """How many toys the shelf still has."""
        return sum(tile is not None for tile in self.shelf)

    def tile(self, place: Place) -> Tile | None:
        """The toy at a place; None if there is none."""
        row = self._row(place.cart)
        return row[place.at] if 0 <= place.at < len(row) else None

    def relaid(self, tiles: Mapping[Place, Tile | None]) -> dict[str, Any]:
        """The shelf and the carts with other toys at some places: what `replace` takes."""
        shelf, carts = list(self.shelf), [list(cart) for cart in self.carts]
        for place, tile in tiles.items():
            if place.cart == SHELF:
                shelf[place.at] = tile
            elif tile:
                carts[place.cart][place.at] = tile
        return {"shelf": tuple(shelf), "carts": tuple(map(tuple, carts))}

    def _row(self, cart: int) -> Sequence[Tile | None]:
        if cart == SHELF:
            return self.shelf
        return self.carts[cart] if cart < self.players else ()

    @property
    def text(self) -> str:
        """The position as a line that `read` understands."""
        return " ".join(
            (
                shelf_text([tile.text if tile else "." for tile in self.shelf]),
                ",".join("".join(tile.text for tile in cart) for cart in self.carts),
                ",".join(map(cards_text, self.hands)),
                cards_text(self.deck),
                cards_text(self.discards),
                str(self.leader + 1),
                cards_text(self.played),
                phase_text(self.phase, self.done, self.touched),
            )
        )


# ----------------------------------------------------------------------------------------- what can never be

Oddity = tuple[str, dict[str, object]]


def _oddities(at: Position) -> Iterator[Oddity]:
    """Everything that is wrong with a position, the simplest first."""
    if at.players not in PLAYERS or len(at.hands) != at.players:
        yield "players", {"carts": at.players, "hands": len(at.hands)}
        return
    if len(at.shelf) != ON_THE_SHELF:
        yield "shelf", {"came": len(at.shelf)}
    if not 0 <= at.leader < at.players:
        yield "leader", {"players": at.players}
    yield from _odd_toys(at)
    yield from _odd_cards(at)
    yield from _odd_phase(at)


def _odd_toys(at: Position) -> Iterator[Oddity]:
    there = Counter(tile.toy for tile in (*at.shelf, *(tile for cart in at.carts for tile in cart)) if tile)
    for toy, count in at.settings.toys:
        wanted = count - (BOOSTERS_OUT - at.players if toy == "booster" else 0)
        if there[toy] != wanted:
            yield "toys", {"toy": say(f"toy.{toy}"), "wanted": wanted, "came": there[toy]}
    tricks = (ON_THE_SHELF - at.left + 1) // TAKEN_A_TRICK
    for number, cart in enumerate(at.carts):
        if not 1 <= len(cart) <= 1 + tricks:
            yield "cart", {"player": number + 1, "came": len(cart), "most": 1 + tricks}


def _odd_cards(at: Position) -> Iterator[Oddity]:
    everywhere = Counter((*at.deck, *at.discards, *at.played, *(card for hand in at.hands for card in hand)))
    for card in CARDS:
        if everywhere[card] != 1:
            yield "card", {"card": card, "came": everywhere[card]}
    if unknown := set(everywhere) - set(CARDS):
        yield "card-unknown", {"card": min(unknown)}
    if any(list(hand) != sorted(hand) for hand in at.hands):
        yield "hand-order", {}


def _odd_phase(at: Position) -> Iterator[Oddity]:
    if at.phase not in PHASES or not 0 <= at.done < max(2, at.players):
        yield "phase", {"came": phase_text(at.phase, at.done, at.touched)}
        return
    on_the_table = at.phase not in ("play", "draw")
    if len(at.played) != at.players if on_the_table else len(at.played) >= (at.players if at.phase == "play" else 1):
        yield "played", {"phase": at.phase, "came": len(at.played)}
    yield from _odd_hands(at)
    turns = {"powers": at.players, "take": TAKEN_A_TRICK}.get(at.phase, 1)
    taken = at.done if at.phase == "take" else 0
    if at.done >= turns or (at.left + taken) % TAKEN_A_TRICK or (at.left == 0) != (at.phase == "over"):
        yield "turns", {"phase": at.phase, "done": at.done, "left": at.left}
    if at.phase == "peek" and at.players != 2:
        yield "peek", {}
    elif at.touched and not _can_have_touched(at):
        yield "touched", {"came": phase_text(at.phase, at.done, at.touched)}


def _can_have_touched(at: Position) -> bool:
    """Whether the power in use could have looked at these toys, or turned this one over, and not be done."""
    if at.phase != "powers" or len(at.played) <= at.done:
        return False
    tiles, steps = [at.tile(place) for place in at.touched], at.settings.steps_of(at.card)
    if len(tiles) >= len(steps) or not all(tiles) or len(set(at.touched)) < len(tiles):
        return False
    return steps[0].move is not Flip or all(tile is not None and tile.up for tile in tiles)


def _odd_hands(at: Position) -> Iterator[Oddity]:
    has_played = at.seats[: len(at.played)]
    for player, hand in enumerate(at.hands):
        wanted = HAND - (player in has_played or at.phase == "draw")
        thrown = at.phase == "draw" and player == at.leader and len(hand) <= wanted
        if len(hand) != wanted and not thrown:
            yield "hand", {"player": player + 1, "wanted": wanted, "came": len(hand)}


# ----------------------------------------------------------------------------------------- writing


def shelf_text(letters: Sequence[str]) -> str:
    """Twelve letters as three rows."""
    return "/".join("".join(letters[at : at + COLUMNS]) for at in range(0, len(letters), COLUMNS))


def cards_text(cards: Sequence[int]) -> str:
    """Cards in their order, three or more in a row as a range.

    >>> cards_text((3, 7, 11, 12, 13)), cards_text(()), cards_text((2, 1))
    ('3.7.11-13', '-', '2.1')
    """
    parts: list[str] = []
    for _, run in groupby(enumerate(cards), lambda pair: pair[1] - pair[0]):
        found = [card for _, card in run]
        parts += [f"{found[0]}-{found[-1]}"] if len(found) > 2 else map(str, found)
    return ".".join(parts) or "-"


def phase_text(phase: str, done: int = 0, touched: Sequence[Place] = ()) -> str:
    """A phase, with what is done of it.

    >>> phase_text("play"), phase_text("powers", 1, [Place(SHELF, 0), Place(1, 0)])
    ('play', 'powers:1:a1,2:1')
    """
    if not done and not touched:
        return phase
    return f"{phase}:{done}" + (":" + ",".join(place.text for place in touched) if touched else "")


# ----------------------------------------------------------------------------------------- reading

WORDS = ("shelf", "carts", "hands", "deck", "discards", "leader", "played", "phase")
LONGEST = 2000
_RUN = re.compile(r"([1-9][0-9]?)(?:-([1-9][0-9]?))?")
_PHASE = re.compile(r"([a-z-]+)(?::([0-9])(?::(.+))?)?")


def read(text: str, settings: Settings = STANDARD) -> Position:
    """A position from its line of text; raises `BadNotation` saying which word is wrong.

    >>> read("tulg/dmmm/mbbb b,b 1-5,6-10 * - 1 - play").players
    2
    """
    words = text[: LONGEST + 1].split()
    if len(words) != len(WORDS) or len(text) > LONGEST:
        raise BadNotation("words", came=len(words), wanted=" ".join(WORDS))
    shelf, carts, hands, deck, discards, leader, played, phase = words
    held, thrown, table = tuple(map(cards_of, hands.split(","))), cards_of(discards), cards_of(played)
    elsewhere = {*thrown, *table, *(card for hand in held for card in hand)}
    name, done, touched = _phase_of(phase)
    return Position(
        _shelf_of(shelf),
        tuple(map(tiles_of, carts.split(","))),
        held,
        tuple(card for card in CARDS if card not in elsewhere) if deck == "*" else cards_of(deck),
        thrown,
        _leader_of(leader),
        table,
        name,
        done,
        touched,
        settings,
    )


def _shelf_of(text: str) -> tuple[Tile | None, ...]:
    rows = text.split("/")
    if [len(row) for row in rows] != [COLUMNS] * len(ROWS):
        raise BadNotation("rows", came=text[:40])
    return tuple(None if letter == "." else tile_of(letter) for row in rows for letter in row)


def cards_of(text: str) -> tuple[int, ...]:
    """Cards as `cards_text` writes them; raises `BadNotation`."""
    return () if text == "-" else tuple(card for part in text.split(".") for card in _run_of(part))


def _run_of(text: str) -> range:
    found = _RUN.fullmatch(text)
    first, last = (int(found[1]), int(found[2] or found[1])) if found else (1, 0)
    if last < first:
        raise BadNotation("cards", came=text[:20])
    return range(first, last + 1)


def _leader_of(text: str) -> int:
    if text not in ("1", "2", "3", "4"):
        raise BadNotation("leader-word", came=text[:20])
    return int(text) - 1


def _phase_of(text: str) -> tuple[Phase, int, tuple[Place, ...]]:
    found = _PHASE.fullmatch(text)
    name: Phase | None = next((phase for phase in PHASES if found and phase == found[1]), None)
    if not found or name is None:
        raise BadNotation("phase", came=text[:40])
    return name, int(found[2] or 0), tuple(place_of(place) for place in (found[3] or "").split(",") if place)
