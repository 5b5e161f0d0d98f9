"""The races that were watched, in the database, each with the checks of its last clear pictures."""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, delete, func, insert, select, update

from referee.model import Json
from referee.service.checks import shelf as photos
from referee.service.past import row_of
from referee.service.store.open import Store
from referee.service.store.order import next_entry
from referee.service.store.tables import live_races

PURPOSE = "live "


@dataclass(frozen=True)
class Kept:
    """A race as it is kept; ``checks`` as long as its boards."""

    id: str
    created_at: float
    number: int
    run: str
    race: str
    checks: tuple[str | None, ...]
    record: Json


def keep(store: Store, record: Json, pictures: Sequence[bytes], run: str, race: str) -> Kept:
    """Keep a race; its pictures are checks like any other.  Ring the bell after it."""
    id = secrets.token_urlsafe(9)
    checks = [_check(store, id, board, picture) for board, picture in zip(record["boards"], pictures, strict=True)]
    row = {"id": id, "created_at": time.time(), "run_id": run or None, "race_id": race or None, "checks": checks}
    with store.database.writing() as connection:
        connection.execute(insert(live_races).values(**row, record=record, number=next_entry()))
        return kept(connection.execute(select(live_races).where(live_races.c.id == id)).one())


def _check(store: Store, id: str, board: Json, picture: bytes) -> str | None:
    if not picture:
        return None
    name = f"live-{board['stage']}{board['copy'] or ''}.jpg"
    return photos.add(store, picture, name, purpose=f"{PURPOSE}{id}", priority=photos.SOON)


def live_race_of(purpose: str) -> str | None:
    """The race that a check's picture is of; None for other checks."""
    return purpose.removeprefix(PURPOSE) if purpose.startswith(PURPOSE) else None


def found(store: Store, id: str) -> Kept | None:
    """A race; None if it is gone."""
    row = row_of(store, live_races, id)
    return None if row is None else kept(row)


def kept(row: Row[Any]) -> Kept:
    """A race by its row."""
    return Kept(row.id, row.created_at, row.number, row.run_id or "", row.race_id or "", tuple(row.checks), row.record)


def decide(store: Store, id: str, team: str | None, verdict: str) -> Kept | None:
    """A person says what a board's verdict is; None if the race is gone, or has no such board."""
    with store.database.writing() as connection:
        row = connection.execute(select(live_races).where(live_races.c.id == id).with_for_update()).one_or_none()
        if row is None or team not in [board["copy"] for board in row.record["boards"]]:
            return None
        boards = [board | ({"decided": verdict} if board["copy"] == team else {}) for board in row.record["boards"]]
        record = row.record | {"boards": boards}
        connection.execute(update(live_races).where(live_races.c.id == id).values(record=record))
    return found(store, id)


def count(store: Store) -> int:
    """How many there are."""
    with store.database.reading() as connection:
        return int(connection.execute(select(func.count()).select_from(live_races)).scalar_one())


def remove(store: Store, ids: Sequence[str]) -> int:
    """Delete races with their pictures; returns how many there were."""
    with store.database.writing() as connection:
        rows = connection.execute(select(live_races).where(live_races.c.id.in_(ids))).all()
        connection.execute(delete(live_races).where(live_races.c.id.in_([row.id for row in rows])))
    for row in rows:
        photos.remove(store, [check for check in row.checks if check])
    return len(rows)
