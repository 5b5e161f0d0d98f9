"""A photo of the turned-up carts: each cart's toys and points, who wins, and what has to be asked first.

The game ends when the shelf is empty (I5, I6): all its twelve toys and one Booster a player lie in the carts.  If as
many were read in as many carts as there are players, nothing can be missing, and the result is certain.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from referee.model import Photo
from referee.turbo_time.art.tiles import TILE_MM
from referee.turbo_time.camera.pieces import Table
from referee.turbo_time.camera.questions import Question, about_pieces, players_question, why_unread
from referee.turbo_time.camera.rows import Row, facing_ends, in_line, reading_order, rows_of, too_close
from referee.turbo_time.camera.unread import Unread, unread_in
from referee.turbo_time.faults import NothingSeen
from referee.turbo_time.markers import TOY_OF
from referee.turbo_time.position import TAKEN_A_TRICK
from referee.turbo_time.scoring import Result, result
from referee.turbo_time.settings import ON_THE_SHELF
from referee.turbo_time.toys import LETTERS, Toy
from referee.turbo_time.words import say

MOST_IN_A_CART = 1 + ON_THE_SHELF // TAKEN_A_TRICK
"""A Booster, and a toy a trick."""


@dataclass(frozen=True)
class Cart:
    """A cart that was seen: its toys from left to right, where its middle is in the photo, and how it was read."""

    toys: tuple[Toy, ...]
    at_px: tuple[float, float]
    read_by: str

    @property
    def letters(self) -> str:
        """Its toys, a letter each, as `score` reads them."""
        return "".join(LETTERS[toy] for toy in self.toys)


@dataclass(frozen=True)
class CartsSeen:
    """All carts as one reads the picture, the points of what was read, and the questions; without one it is certain."""

    carts: tuple[Cart, ...]
    result: Result
    questions: tuple[Question, ...]
    picture_wh: tuple[int, int]

    @property
    def certain(self) -> bool:
        """Whether the points and the winner stand."""
        return not self.questions


def carts_in(
    photo: Photo, table: Table, players: int | None = None, toys: int | None = None, named: bool = False
) -> CartsSeen:
    """What a photo and the ``table`` that was read in it show of carts; raises `NothingSeen` if there are no toys.

    ``toys`` is how many lie in all carts, if it is not the end of a whole game; ``named``: it matters whose is which.
    """
    if not table.tiles:
        raise NothingSeen("no-toys")
    rows = rows_of(table.tiles)
    carts = tuple(_cart(row, table) for row in rows)
    asked = about_pieces(table, {tile.marker for tile in table.tiles})
    asked += _about_rows(table, rows, players, named) + _about_numbers(table, rows, players, toys)
    if any(question.kind != "whose" for question in asked):
        asked += why_unread(table, table.tiles) + _where_to_look(table, rows, unread_in(photo, table, rows))
    return CartsSeen(carts, result([cart.toys for cart in carts]), tuple(asked), table.picture_wh)


def _cart(row: Row, table: Table) -> Cart:
    return Cart(tuple(TOY_OF[tile.marker] for tile in row.tiles), table.pixel(row.middle_mm), row.read_by)


# ------------------------------------------------------------------------------------------- what is asked


def _about_rows(table: Table, rows: Sequence[Row], players: int | None, named: bool) -> list[Question]:
    """Toys that lie in no row, rows that may be one, and too many or too few of them."""
    asked = [Question("no-row", _no_row(rows, row), say("see.lay-rows"), table.pixel(row.middle_mm))
             for row in rows if not row.straight]  # fmt: skip
    asked += [
        Question("too-close", say("ask.too-close", **_numbers(rows, pair)), say("see.lay-rows"),
                 table.pixel((pair[0].middle_mm + pair[1].middle_mm) / 2))
        for pair in too_close(rows)
    ]  # fmt: skip
    if players is not None and len(rows) != players:
        asked.append(Question("carts", say("ask.carts", seen=len(rows), players=players), say("see.all-carts")))
    if named and not reading_order([row.middle_mm for row in rows], TILE_MM)[1]:
        asked.append(Question("whose", say("ask.whose-cart"), say("see.whose")))
    return asked


def _no_row(rows: Sequence[Row], row: Row) -> str:
    return say("ask.no-row", cart=rows.index(row) + 1)


def _numbers(rows: Sequence[Row], pair: tuple[Row, Row]) -> dict[str, int]:
    return {"one": rows.index(pair[0]) + 1, "other": rows.index(pair[1]) + 1}


def _about_numbers(table: Table, rows: Sequence[Row], players: int | None, toys: int | None) -> list[Question]:
    """How many play, and whether all toys are there."""
    asked = [] if players is not None else [players_question(say("ask.players-carts", n=len(rows)))]
    wanted = toys if toys is not None else ON_THE_SHELF + (players or len(rows))
    seen = len(table.tiles)
    if seen < wanted:
        asked.append(Question("toys-missing", say("ask.toys-missing", seen=seen, wanted=wanted), say("see.turn-up")))
    if seen > wanted:
        asked.append(Question("toys-over", say("ask.toys-over", seen=seen, wanted=wanted), say("see.count")))
    if toys is None:
        asked += [
            Question("long", say("ask.long", cart=at, n=len(row.tiles), most=MOST_IN_A_CART), say("see.lay-rows"),
                     table.pixel(row.middle_mm))
            for at, row in enumerate(rows, 1) if len(row.tiles) > MOST_IN_A_CART
        ]  # fmt: skip
    return asked


def _where_to_look(table: Table, rows: Sequence[Row], unread: Sequence[Unread]) -> list[Question]:
    """Where toys may be that were not read: once something has to be asked, this helps to find it."""
    gaps = in_line(rows)
    middles = [(one.middle_mm + other.middle_mm) / 2 for one, other in map(facing_ends, gaps)]
    asked = [
        Question("gap", say("ask.gap", **_numbers(rows, pair)), say("see.gap"), table.pixel(middle))
        for pair, middle in zip(gaps, middles, strict=True)
    ]
    for thing in unread:
        if any(np.hypot(*(thing.at_mm - middle)) < TILE_MM for middle in middles):
            continue
        what = say("ask.alone") if thing.row is None else say("ask.at-end", cart=thing.row + 1)
        asked.append(Question(thing.kind, what, say("see.look-there"), table.pixel(thing.at_mm)))
    return asked
