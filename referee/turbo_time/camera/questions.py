"""What a photo leaves open, asked in words, with where to look and what to do about it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from referee.turbo_time.camera.pieces import FINE_PX_PER_MM, Piece, Table
from referee.turbo_time.markers import CARD_OF, TOY_OF
from referee.turbo_time.words import say


@dataclass(frozen=True)
class Question:
    """Something unsure: its ``kind``, the question, what would answer it, and where in the photo, if it has a place."""

    kind: str
    message: str
    hint: str
    at_px: tuple[float, float] | None = None


def players_question(message: str) -> Question:
    """How many play."""
    return Question("players", message, say("see.players"))


def about_pieces(table: Table, wanted: Collection[int]) -> list[Question]:
    """A piece that is there twice, by its marker, among those that matter."""
    return [Question("twice", _twice(marker), say("see.one-set")) for marker in table.twice if marker in wanted]


def _twice(marker: int) -> str:
    if marker in CARD_OF:
        return say("ask.card-twice", card=CARD_OF[marker])
    return say("ask.toy-twice", toy=say(f"toy.{TOY_OF[marker]}"))


def why_unread(table: Table, pieces: Collection[Piece]) -> list[Question]:
    """What may be to blame where something was not read: a picture from too far away, markers of another set."""
    asked = []
    if _px_per_mm(table, pieces) < FINE_PX_PER_MM:
        asked.append(Question("small", say("ask.small"), say("see.nearer")))
    asked += [
        Question("stranger", say("ask.stranger", marker=marker), say("see.our-set")) for marker in table.strangers
    ]
    return asked


def _px_per_mm(table: Table, pieces: Collection[Piece]) -> float:
    """The smallest scale at which a piece is seen."""
    sides = [
        (np.subtract(table.pixel(piece.outline_mm[0]), table.pixel(piece.outline_mm[1])), piece.outline_mm)
        for piece in pieces
    ]
    return min(float(np.hypot(*px) / np.hypot(*(mm[1] - mm[0]))) for px, mm in sides)
