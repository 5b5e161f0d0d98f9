"""What one player may know of a position: what the others hold, and what lies face down, is not in it.

A player sees the toys that lie face up, the whole of the own cart (at any time, I4) and hand, and of everything else
how many there are.  The played cards and the discards lie open.  A toy that a power has let this player look at is
shown until the power is done; whoever wants to know it longer remembers it, as at a table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from referee.turbo_time.game import acting
from referee.turbo_time.moves import SHELF, Look, Move, Place
from referee.turbo_time.position import Phase, Position, cards_text, phase_text, shelf_text
from referee.turbo_time.toys import LETTERS, Tile, Toy

UNKNOWN = "?"


@dataclass(frozen=True)
class Glimpse:
    """A toy as one player sees it: which one it is (None: not to be seen), and the side that is up."""

    toy: Toy | None
    up: bool

    @property
    def text(self) -> str:
        """Its letter as in a position; "?" for one that is not to be seen."""
        return UNKNOWN if self.toy is None else LETTERS[self.toy].upper() if self.up else LETTERS[self.toy]


@dataclass(frozen=True)
class View:
    """A position as one player sees it, or as everybody does (``player`` None)."""

    player: int | None
    shelf: tuple[Glimpse | None, ...]
    carts: tuple[tuple[Glimpse, ...], ...]
    hand: tuple[int, ...]
    """The player's own."""
    held: tuple[int, ...]
    """How many cards each player holds."""
    deck: int
    discards: tuple[int, ...]
    leader: int
    played: tuple[int, ...]
    phase: Phase
    done: int
    touched: tuple[Place, ...]
    """What the power in use has looked at or turned: which toys, not what they are."""

    @property
    def text(self) -> str:
        """A line like a position's, with "?" for a toy and "x5" for cards that are not to be seen."""
        return " ".join(
            (
                shelf_text([glimpse.text if glimpse else "." for glimpse in self.shelf]),
                ",".join("".join(glimpse.text for glimpse in cart) for cart in self.carts),
                ",".join(
                    cards_text(self.hand) if player == self.player else f"x{count}"
                    for player, count in enumerate(self.held)
                ),
                f"x{self.deck}",
                cards_text(self.discards),
                str(self.leader + 1),
                cards_text(self.played),
                phase_text(self.phase, self.done, self.touched),
            )
        )


def view(position: Position, player: int | None) -> View:
    """What a player may know of a position; None for what everybody may."""
    looked = _looked_at(position, player)
    return View(
        player,
        tuple(_glimpse(tile, Place(SHELF, at) in looked) if tile else None for at, tile in enumerate(position.shelf)),
        tuple(
            tuple(_glimpse(tile, cart == player or Place(cart, at) in looked) for at, tile in enumerate(tiles))
            for cart, tiles in enumerate(position.carts)
        ),
        () if player is None else position.hands[player],
        tuple(map(len, position.hands)),
        len(position.deck),
        position.discards,
        position.leader,
        position.played,
        position.phase,
        position.done,
        position.touched,
    )


def _glimpse(tile: Tile, known: bool) -> Glimpse:
    return Glimpse(tile.toy if known or tile.up else None, tile.up)


def _looked_at(position: Position, player: int | None) -> tuple[Place, ...]:
    """The toys that the power in use has let this player look at."""
    return position.touched if player is not None and player == acting(position) else ()


def shown(position: Position, move: Move, player: int | None) -> Mapping[Place, Toy]:
    """What a move, made in this position, shows to a player alone: the toy looked at, to whom looks at it."""
    if not isinstance(move, Look) or player is None or player != acting(position):
        return {}
    tile = position.tile(move.place)
    return {move.place: tile.toy} if tile else {}
