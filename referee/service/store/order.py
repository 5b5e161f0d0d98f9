"""A running number for rows whose order matters: no clock that is set back or ahead puts a later one first.

Two kinds of numbers: photos of a run or a race are numbered table by table, and whatever stands in lists and in the
history (checks, runs, races) by one number for all of them, so that they can be told in the order in which they came.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlalchemy import ColumnElement, Connection, ScalarSelect, Table, func, inspect, select, text, union_all

from referee.service.store.tables import (
    challenge_photos,
    challenge_runs,
    checks,
    live_races,
    race_looks,
    race_photos,
    races,
)

ENTRIES = (checks, challenge_runs, races, live_races)
"""The tables of what stands in lists: one running number goes through them all."""


def next_number(column: ColumnElement[Any]) -> ScalarSelect[int]:
    """The number after the highest one, for a row that is inserted in a transaction that writes."""
    return select(func.coalesce(func.max(column), 0) + 1).scalar_subquery()


def next_entry() -> ScalarSelect[int]:
    """The same for a check, a run or a race (live, too), after the highest of them all."""
    highest = union_all(*(select(func.max(table.c.number).label("number")) for table in ENTRIES)).subquery()
    return next_number(highest.c.number)


# ------------------------------------------------------------------------------- data of a time of wall-clock orders


def number_pictures(connection: Connection) -> None:
    """The running numbers of the photos of runs and races, for those of a time when the wall clock ordered them."""
    of_checks = [(table, table.c.check_id, checks.c.created_at) for table in (challenge_photos, race_photos)]
    for table, key, at in (*of_checks, (race_looks, race_looks.c.id, race_looks.c.created_at)):
        if _lacks(connection, table, "number"):
            connection.execute(text(f"ALTER TABLE {table.name} ADD COLUMN number INTEGER NOT NULL DEFAULT 0"))
            _number(connection, table, key, at)


def number_entries(connection: Connection) -> None:
    """The running number of checks, runs and races of a time when the wall clock ordered them."""
    there = [table for table in ENTRIES if _lacks(connection, table, "number")]
    for table in there:
        connection.execute(text(f"ALTER TABLE {table.name} ADD COLUMN number INTEGER NOT NULL DEFAULT 0"))
    rows = sorted(row for table in there for row in _came(connection, table))
    for number, (_, name, id) in enumerate(rows, 1):
        table = next(one for one in there if one.name == name)
        connection.execute(table.update().where(table.c.id == id).values(number=number))
    for table in there:
        _index_anew(connection, table)


def date_pictures(connection: Connection) -> None:
    """When pictures came in by the page's own calendar (`calendar`), which begins as the wall clock stood then."""
    for table in (checks, race_looks):
        if _lacks(connection, table, "kept_from_ms"):
            connection.execute(text(f"ALTER TABLE {table.name} ADD COLUMN kept_from_ms BIGINT NOT NULL DEFAULT 0"))
            connection.execute(table.update().values(kept_from_ms=func.round(table.c.created_at * 1000)))


def _lacks(connection: Connection, table: Table, column: str) -> bool:
    """Whether a table is there without a column; one that is not there yet is made with it."""
    found = inspect(connection)
    return found.has_table(table.name) and column not in {one["name"] for one in found.get_columns(table.name)}


def _came(connection: Connection, table: Table) -> Iterator[tuple[float, str, str]]:
    for at, id in connection.execute(select(table.c.created_at, table.c.id)):
        yield float(at), table.name, str(id)


def _index_anew(connection: Connection, table: Table) -> None:
    """Have the index on the running number in the place of that on the wall clock."""
    connection.execute(text(f"DROP INDEX IF EXISTS ix_{table.name}_created"))
    for index in table.indexes:
        if index.columns.keys() == ["number"]:
            index.create(connection, checkfirst=True)


def _number(connection: Connection, table: Table, key: Any, at: Any) -> None:
    rows = select(key)
    if at.table is not table:
        rows = rows.join(at.table, at.table.c.id == key)
    for number, id in enumerate(connection.execute(rows.order_by(at, key)).scalars().all(), 1):
        connection.execute(table.update().where(key == id).values(number=number))
