"""The boards that are being traced, in the database.

A draft's address is random, as a check's is: whoever has it may go on with it, on this device or another.  Two who
change it at once would lose each other's work, so a change names the version that it was made of.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal

from sqlalchemy import Connection, Row, delete, insert, select, update

from referee.model import Json
from referee.service.checks.shelf import UNKNOWN_ENDING, clean_name
from referee.service.faults import Refused
from referee.service.store.metadata import stripped
from referee.service.store.open import Store
from referee.service.store.tables import board_drafts, jobs

FIND, LAY = "find-clean-board", "lay-board-flat"
SOON = 5
"""The priority: somebody waits before the screen, but no clock."""
FOLDER = "boards"

Step = Literal["finding", "corners", "laying", "tracing", "failed"]


@dataclass(frozen=True)
class Draft:
    """A board that is being traced, as its row has it."""

    id: str
    created_at: float
    changed_at: float
    name: str
    step: Step
    version: int
    job: int | None
    picture: str | None
    shown: str | None
    flat: str | None
    seen: Json
    tracing: Json
    suggestions: list[Json]
    error: Json | None
    saved: int | None


def add(store: Store, content: bytes, name: str | None) -> str:
    """Take the picture of a clean board in, and have its outline looked for; returns the draft's id."""
    key = _kept(store, content)
    with store.pictures.written_down(key), store.database.writing() as connection:
        number = _begin(connection, clean_name(name), "finding", picture=key)
        job = store.jobs.add(connection, FIND, {"draft": number}, SOON)
        connection.execute(update(board_drafts).where(board_drafts.c.id == number).values(job=job))
    return number


def add_traced(store: Store, name: str, tracing: Json, reference: bytes, saved: int) -> str:
    """A draft of a board that is there already: its flat picture and its tracing."""
    key = store.pictures.keep(reference, FOLDER, ".png" if reference.startswith(b"\x89PNG") else ".jpg")
    with store.pictures.written_down(key), store.database.writing() as connection:
        return _begin(connection, clean_name(name), "tracing", flat=key, tracing=tracing, saved=saved)


def _begin(connection: Connection, name: str, step: Step, **values: Any) -> str:
    number, now = secrets.token_urlsafe(12), time.time()
    row = {"id": number, "created_at": now, "changed_at": now, "name": name, "step": step, "version": 1}
    row |= {"seen": {}, "tracing": {}, "suggestions": [], **values}
    connection.execute(insert(board_drafts).values(**row))
    return number


def _kept(store: Store, content: bytes) -> str:
    """Keep a picture without its metadata; what cannot be taken apart is cleaned by the worker."""
    clean = stripped(content)
    if clean is None:
        return store.pictures.keep(content, FOLDER, UNKNOWN_ENDING)
    return store.pictures.keep(clean, FOLDER)


def found(store: Store, number: str) -> Draft | None:
    """A draft; None if there is none of that id."""
    with store.database.reading() as connection:
        return read(connection, number)


def read(connection: Connection, number: str) -> Draft | None:
    """The same within a transaction."""
    row = connection.execute(select(board_drafts).where(board_drafts.c.id == number)).one_or_none()
    return None if row is None else _draft(row)


def latest(store: Store, most: int = 50) -> list[Draft]:
    """The drafts that were changed last, the newest first."""
    wanted = select(board_drafts).order_by(board_drafts.c.changed_at.desc()).limit(most)
    with store.database.reading() as connection:
        return [_draft(row) for row in connection.execute(wanted)]


def of_stage(store: Store, stage: int) -> Draft | None:
    """The draft that a stage file was made of, if it is still there."""
    wanted = select(board_drafts).where(board_drafts.c.saved == stage).order_by(board_drafts.c.changed_at.desc())
    with store.database.reading() as connection:
        row = connection.execute(wanted.limit(1)).one_or_none()
    return None if row is None else _draft(row)


def change(store: Store, draft: Draft, **values: Any) -> int:
    """Change a draft that was seen at its version; returns the new version, Refused if somebody else was faster."""
    with store.database.writing() as connection:
        return _changed(connection, draft, values)


def lay_flat(store: Store, draft: Draft, seen: Json) -> int:
    """Write down corners and size, and have the board laid flat; returns the new version."""
    with store.database.writing() as connection:
        job = store.jobs.add(connection, LAY, {"draft": draft.id}, SOON)
        return _changed(connection, draft, {"seen": seen, "step": "laying", "job": job, "error": None})


def _changed(connection: Connection, draft: Draft, values: Mapping[str, Any]) -> int:
    mine = (board_drafts.c.id == draft.id) & (board_drafts.c.version == draft.version)
    told = {**values, "version": draft.version + 1, "changed_at": time.time()}
    if connection.execute(update(board_drafts).where(mine).values(**told)).rowcount != 1:
        raise Refused(409, "draft-changed")
    return draft.version + 1


def remove(store: Store, number: str) -> None:
    """Delete a draft and its pictures."""
    with store.database.writing() as connection:
        draft = read(connection, number)
        connection.execute(delete(board_drafts).where(board_drafts.c.id == number))
    for key in () if draft is None else (draft.picture, draft.shown, draft.flat):
        if key is not None:
            store.pictures.delete(key)


def forget_saved(store: Store, stage: int) -> None:
    """A stage file is gone: its draft is one that was never saved."""
    with store.database.writing() as connection:
        connection.execute(update(board_drafts).where(board_drafts.c.saved == stage).values(saved=None))


def is_failed(store: Store, draft: Draft) -> bool:
    """Whether the worker gave a draft up."""
    if draft.job is None:
        return False
    with store.database.reading() as connection:
        state = connection.execute(select(jobs.c.state).where(jobs.c.id == draft.job)).scalar_one_or_none()
    return state == "failed"


def _draft(row: Row[Any]) -> Draft:
    return Draft(**{field.name: getattr(row, field.name) for field in fields(Draft)})
