"""A photo of the played cards: the order in which their powers are used, who takes a toy, and what has to be asked.

Powers go from the highest card to the lowest, and the two highest take a toy (I2).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.turbo_time.art.cards import CARD_MM
from referee.turbo_time.camera.pieces import Table
from referee.turbo_time.camera.questions import Question, about_pieces, players_question, why_unread
from referee.turbo_time.camera.rows import reading_order
from referee.turbo_time.faults import NothingSeen
from referee.turbo_time.markers import CARD_OF
from referee.turbo_time.position import TAKEN_A_TRICK
from referee.turbo_time.words import say


@dataclass(frozen=True)
class PlayedCard:
    """A card that was seen: its number, and where its middle is in the photo."""

    card: int
    at_px: tuple[float, float]


@dataclass(frozen=True)
class TrickSeen:
    """The cards as one reads the picture, and the questions; no question: it is certain."""

    cards: tuple[PlayedCard, ...]
    questions: tuple[Question, ...]
    picture_wh: tuple[int, int]

    @property
    def certain(self) -> bool:
        """Whether the order stands."""
        return not self.questions

    @property
    def order(self) -> tuple[int, ...]:
        """Which of the cards has its power used first, second … (I2)."""
        return tuple(sorted(range(len(self.cards)), key=lambda at: -self.cards[at].card))

    @property
    def takes(self) -> tuple[int, ...]:
        """Which of the cards take a toy, the highest first (I2)."""
        return self.order[:TAKEN_A_TRICK]


def trick_in(table: Table, players: int | None = None, named: bool = False) -> TrickSeen:
    """What the pieces that were read in a photo show of a trick; raises `NothingSeen` if there are no cards.

    ``named``: it matters whose card is which.
    """
    if not table.cards:
        raise NothingSeen("no-cards")
    middles = [card.middle_mm for card in table.cards]
    order, clear = reading_order(middles, CARD_MM[0])
    cards = tuple(PlayedCard(CARD_OF[table.cards[at].marker], table.pixel(middles[at])) for at in order)
    asked = about_pieces(table, {card.marker for card in table.cards}) + _about_numbers(table, cards, players)
    if named and not clear:
        asked.append(Question("whose", say("ask.whose-card"), say("see.whose")))
    return TrickSeen(cards, tuple(asked), table.picture_wh)


def _about_numbers(table: Table, cards: Sequence[PlayedCard], players: int | None) -> list[Question]:
    """How many play, and whether each has played a card."""
    if players is None:
        return [players_question(say("ask.players-cards", n=len(cards))), *why_unread(table, table.cards)]
    if len(cards) < players:
        missing = say("ask.cards-missing", seen=len(cards), players=players)
        return [Question("cards-missing", missing, say("see.show-cards")), *why_unread(table, table.cards)]
    if len(cards) > players:
        return [Question("cards-over", say("ask.cards-over", seen=len(cards), players=players), say("see.clear-away"))]
    return []
