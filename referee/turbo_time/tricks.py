"""I2 and I3: playing cards, who acts before whom, taking toys, and Turbo Time for the lowest card.

Which rule a move breaks is raised (`allow_…`); what it does is a new position (`play`, `take`, `discard`).
"""

from __future__ import annotations

from referee.turbo_time.faults import BrokenRule
from referee.turbo_time.moves import SHELF, Discard, Play, Take
from referee.turbo_time.phases import turn_done
from referee.turbo_time.position import Position


def ranking(position: Position) -> tuple[int, ...]:
    """The players of a full trick, the one with the highest card first (I2)."""
    card_of = dict(zip(position.seats, position.played, strict=True))
    return tuple(sorted(card_of, key=card_of.__getitem__, reverse=True))


# ----------------------------------------------------------------------------------------- a card


def allow_play(position: Position, move: Play, player: int) -> None:
    """Whatever is in the hand may be played (I2)."""
    if move.card not in position.hands[player]:
        raise BrokenRule("I2", "not-in-hand", card=move.card, player=player + 1)


def play(position: Position, move: Play, player: int) -> Position:
    """The card lies face up behind those that were played before."""
    hands = _without(position.hands, player, (move.card,))
    return turn_done(position, hands=hands, played=(*position.played, move.card))


# ----------------------------------------------------------------------------------------- a toy


def allow_take(position: Position, move: Take, player: int) -> None:
    """Any toy of the shelf may be taken (I2)."""
    if move.place.cart != SHELF:
        raise BrokenRule("I2", "not-from-shelf", place=move.place.text, player=player + 1)
    if position.tile(move.place) is None:
        raise BrokenRule("I2", "no-toy-to-take", place=move.place.text)


def take(position: Position, move: Take, player: int) -> Position:
    """The toy goes to the right end of the cart, the side up that was up."""
    tile = position.tile(move.place)
    assert tile is not None
    carts = tuple((*cart, tile) if owner == player else cart for owner, cart in enumerate(position.carts))
    shelf = tuple(None if at == move.place.at else kept for at, kept in enumerate(position.shelf))
    return turn_done(position, shelf=shelf, carts=carts)


# ----------------------------------------------------------------------------------------- Turbo Time


def allow_discard(position: Position, move: Discard, player: int) -> None:
    """Any cards of the hand may go, each once (I3)."""
    for card in move.cards:
        if card not in position.hands[player]:
            raise BrokenRule("I3", "not-in-hand", card=card, player=player + 1)
    if len(set(move.cards)) < len(move.cards):
        raise BrokenRule("I3", "discarded-twice")


def discard(position: Position, move: Discard, player: int) -> Position:
    """The player with the lowest card leads from now on; the cards thrown away and the played ones are discarded."""
    return turn_done(
        position,
        hands=_without(position.hands, player, move.cards),
        discards=(*position.discards, *move.cards, *position.played),
        played=(),
        leader=player,
    )


def _without(hands: tuple[tuple[int, ...], ...], player: int, cards: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """The hands, some cards of one player's gone."""
    return tuple(
        tuple(card for card in hand if owner != player or card not in cards) for owner, hand in enumerate(hands)
    )
