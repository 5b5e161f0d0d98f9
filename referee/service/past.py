"""What a journey tells the history of what has been.

A journey that has a past holds a module ``past`` with the functions of `Past`; there is nothing else to register.
The history lists, exports and deletes through them, and knows no journey by name.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, BinaryIO, Protocol, cast

from sqlalchemy import ColumnElement, Row, Table, select

from referee.race.clock import Instant
from referee.service.journeys import JOURNEYS
from referee.service.store.calendar import today_ms
from referee.service.store.open import Store


@dataclass(frozen=True)
class Outcome:
    """How something ended, in words; ``tone`` is the class that gives it its colour and its sign, as verdicts have."""

    tone: str
    words: str


@dataclass(frozen=True)
class Entry:
    """One thing that happened: a photo that was checked, a challenge, a race.

    ``number`` counts all of them as they came; ``at`` is when it began, in seconds since 1970, for people to read.
    ``link`` is its page, ``time_ms`` what its clock showed, None without one.  A ``practice`` counts for nothing.
    """

    kind: str
    id: str
    number: int
    at: float
    title: str
    link: str
    outcomes: tuple[Outcome, ...]
    time_ms: int | None = None
    practice: bool = False
    thumb: str | None = None
    """The address of a small picture, None without one."""


@dataclass(frozen=True)
class Mark:
    """A place in the history: the entries from there on came earlier, or have the same number and a greater id.

    ``id`` is None where those of the same number are all before it, empty where they all come after.
    """

    number: int
    id: str | None

    def after(self, number: ColumnElement[int], id: ColumnElement[str]) -> ColumnElement[bool]:
        """The condition on two columns; an index on the first one serves it."""
        if self.id is None:
            return number < self.number
        return (number <= self.number) & ((number < self.number) | (id > self.id))


@dataclass(frozen=True)
class BestTime:
    """A time that counts: of a stage (``stage``) or of a whole challenge (``challenge``, its name in words).

    ``on_honour`` if no picture settled it, ``by_wall`` if it hangs on the wall clock; ``link`` may be empty.
    """

    ms: int
    who: str
    at: float
    link: str
    stage: int | None = None
    challenge: str = ""
    on_honour: bool = False
    by_wall: bool = False


@dataclass(frozen=True)
class File:
    """A file of the export: its path in it, when it is of, and its content, whole or to be read piece by piece."""

    path: str
    at: float
    content: bytes | BinaryIO


def page(store: Store, table: Table, most: int, mark: Mark | None) -> Sequence[Row[Any]]:
    """The latest rows of a table (``number``, ``id``) from a place on, in the order of the history."""
    wanted = select(table).order_by(table.c.number.desc(), table.c.id).limit(most)
    if mark is not None:
        wanted = wanted.where(mark.after(table.c.number, table.c.id))
    with store.database.reading() as connection:
        return connection.execute(wanted).all()


def all_rows(store: Store, table: Table, at_once: int = 100) -> Iterator[Row[Any]]:
    """All rows of a table in the order of the history, so many read at once."""
    mark: Mark | None = None
    while rows := page(store, table, at_once, mark):
        yield from rows
        mark = Mark(rows[-1].number, rows[-1].id)


def row_of(store: Store, table: Table, id: str) -> Row[Any] | None:
    """A row by its id; None if it is gone."""
    with store.database.reading() as connection:
        return connection.execute(select(table).where(table.c.id == id)).one_or_none()


def remove_each(store: Store, table: Table, remove: Callable[[Store, Sequence[str]], int], at_once: int = 100) -> int:
    """Delete what all rows of a table stand for, so many at once; returns how many there were."""
    with store.database.reading() as connection:
        ids = list(connection.execute(select(table.c.id)).scalars())
    return sum(remove(store, ids[first : first + at_once]) for first in range(0, len(ids), at_once))


def as_file(told: object) -> bytes:
    """What is told as a JSON file of the export."""
    return json.dumps(told, ensure_ascii=False, indent=1).encode(errors="replace")


class Past(Protocol):
    """The functions of a journey's module ``past``.  Words and links are in the request's language."""

    def entries(self, store: Store, most: int, mark: Mark | None) -> list[Entry]:
        """The latest entries from a place on, the latest first and of one number by their ids."""

    def count(self, store: Store) -> int:
        """How many entries there are."""

    def entry(self, store: Store, id: str) -> Entry | None:
        """One of them; None if it is gone."""

    def best_times(self, store: Store) -> Iterator[BestTime]:
        """All times that count, in any order; several of one stage or challenge are no harm."""

    def files(self, store: Store, pictures: bool) -> Iterator[File]:
        """Everything that is kept, for the export; the next file is asked for when one has been read."""

    def remove(self, store: Store, ids: Sequence[str]) -> int:
        """Delete entries with their pictures and rows; returns how many there were."""

    def remove_all(self, store: Store, won: bool) -> int:
        """Delete all entries; with ``won`` also what was won, where that is kept apart from them."""

    def sweep(self, store: Store, keep_days: float, today: int) -> int:
        """Delete pictures that are older than so many days, but not what was seen in them; returns how many.

        ``today`` is what the page's own calendar shows, in milliseconds.
        """


@cache
def pasts() -> Mapping[str, Past]:
    """The journeys that have a past, by name, in the order of the navigation."""
    modules = {journey: f"referee.service.{journey}.past" for journey in JOURNEYS}
    return {journey: cast(Past, import_module(name)) for journey, name in modules.items() if find_spec(name)}


def sweep_all(store: Store, keep_days: float, now: Instant) -> int:
    """Delete every journey's pictures that are older than so many days; 0 keeps them.  Returns how many."""
    with store.database.writing() as connection:
        today = today_ms(connection, now)
    return _swept(store, keep_days, today) if keep_days else 0


def forget_pictures(store: Store) -> int:
    """Delete every journey's pictures, however young; returns how many."""
    return _swept(store, 1.0, END_OF_TIME_MS)


END_OF_TIME_MS = 1 << 60
"""A day on which every picture is old."""


def _swept(store: Store, keep_days: float, today: int) -> int:
    return sum(past.sweep(store, keep_days, today) for past in pasts().values())
