"""The end of I3: all draw up to five cards, from the leader clockwise, each the whole hand at once.

Decision: the discards are shuffled when a card is to be drawn and the deck has none.  The new order is passed in.
"""

from __future__ import annotations

from referee.turbo_time.cards import HAND
from referee.turbo_time.faults import BrokenRule
from referee.turbo_time.moves import Draw
from referee.turbo_time.phases import turn_done
from referee.turbo_time.position import Position


def wanted(position: Position) -> int:
    """How many cards all players together are short of."""
    return sum(HAND - len(hand) for hand in position.hands)


def needs_shuffle(position: Position) -> bool:
    """Whether the deck does not last, so that the discards' new order has to be passed in."""
    return wanted(position) > len(position.deck)


def allow_draw(position: Position, move: Draw) -> None:
    """The discards are shuffled if the deck does not last, and only then."""
    if not needs_shuffle(position):
        if move.order:
            raise BrokenRule("I3", "shuffled-too-soon", deck=len(position.deck), wanted=wanted(position))
    elif sorted(move.order) != sorted(position.discards):
        raise BrokenRule("I3", "shuffle-the-discards", deck=len(position.deck), wanted=wanted(position))


def draw(position: Position, move: Draw) -> Position:
    """Every hand has five cards again."""
    pile = [*position.deck, *move.order]
    hands = list(position.hands)
    for player in position.seats:
        drawn = HAND - len(hands[player])
        hands[player] = tuple(sorted((*hands[player], *pile[:drawn])))
        pile = pile[drawn:]
    discards = () if move.order else position.discards
    return turn_done(position, hands=tuple(hands), deck=tuple(pile), discards=discards)
