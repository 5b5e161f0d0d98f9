"""Rows that count their changes: whoever changes one does it only if nobody else did in between, else once more.

So of two phones that press at once none is lost: the second press meets what the first one made of the row.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from sqlalchemy import Connection, Table, update

from referee.service.store.database import Database

MOST_TRIES = 20

Kept = TypeVar("Kept")
Beside = Callable[[Connection], object]
"""What is written in the same transaction as a change."""


class Overtaken(Exception):
    """Somebody else was faster; nothing was written."""


def changed(
    database: Database,
    read: Callable[[Connection], Kept | None],
    change: Callable[[Kept], Kept],
    write: Callable[[Connection, Kept], None],
    beside: Beside | None = None,
) -> Kept | None:
    """What is kept after a change, which is tried again on what others made of it meanwhile; None if it is gone.

    A change that gives back the very value that it was given writes nothing but what is ``beside`` it.
    """
    for _ in range(MOST_TRIES):
        try:
            with database.writing() as connection:
                before = read(connection)
                if before is None:
                    return None
                after = change(before)
                if after is not before:
                    write(connection, after)
                if beside is not None:
                    beside(connection)
                return after
        except Overtaken:
            continue
    raise Overtaken(f"something was changed {MOST_TRIES} times while one change of it was tried")


def write_version(connection: Connection, table: Table, id: object, version: int, **values: Any) -> None:
    """Write a row (``id``, ``version``) as this version of it; raises Overtaken unless the one before is there."""
    seen = (table.c.id == id) & (table.c.version == version - 1)
    if connection.execute(update(table).where(seen).values(version=version, **values)).rowcount != 1:
        raise Overtaken
