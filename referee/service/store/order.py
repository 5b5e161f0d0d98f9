"""A running number for rows whose order matters: no clock that is set back or ahead puts a later one first."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Column, Connection, ScalarSelect, Table, func, inspect, select, text

from referee.service.store.tables import challenge_photos, checks, race_looks, race_photos


def next_number(column: Column[int]) -> ScalarSelect[int]:
    """The number after the highest one, for a row that is inserted in a transaction that writes."""
    return select(func.coalesce(func.max(column), 0) + 1).scalar_subquery()


def number_pictures(connection: Connection) -> None:
    """The running numbers of the photos of runs and races, for those of a time when the wall clock ordered them."""
    of_checks = [(table, table.c.check_id, checks.c.created_at) for table in (challenge_photos, race_photos)]
    for table, key, at in (*of_checks, (race_looks, race_looks.c.id, race_looks.c.created_at)):
        if _wants_numbers(connection, table):
            connection.execute(text(f"ALTER TABLE {table.name} ADD COLUMN number INTEGER NOT NULL DEFAULT 0"))
            _number(connection, table, key, at)


def _wants_numbers(connection: Connection, table: Table) -> bool:
    """Whether a table is there and has none; one that is not there yet is made with them."""
    found = inspect(connection)
    return found.has_table(table.name) and "number" not in {one["name"] for one in found.get_columns(table.name)}


def _number(connection: Connection, table: Table, key: Any, at: Any) -> None:
    rows = select(key)
    if at.table is not table:
        rows = rows.join(at.table, at.table.c.id == key)
    for number, id in enumerate(connection.execute(rows.order_by(at, key)).scalars().all(), 1):
        connection.execute(table.update().where(key == id).values(number=number))
