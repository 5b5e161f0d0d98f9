"""The runs at challenges and the book of those that were won, in the database.

Whoever changes a run does it by an event, in a transaction that holds only if nobody changed the run in between;
otherwise the event happens again to what the run has become.  So of two phones that press at once none is lost: the
second press meets what the first one made of the run.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from sqlalchemy import Connection, delete, insert, select

from referee.errors import Refused
from referee.race import book as the_book
from referee.race import challenge
from referee.race.book import Book
from referee.race.challenge import Choose, Event, Phase, Run
from referee.race.clock import Instant
from referee.service.checks import shelf
from referee.service.store import versions
from referee.service.store.database import Database
from referee.service.store.open import Store
from referee.service.store.order import next_entry
from referee.service.store.tables import challenge_book, challenge_photos, challenge_runs
from referee.service.store.versions import Beside, write_version
from referee.service.store.versions import Overtaken as Overtaken

OVER: tuple[Phase, ...] = ("won", "lost", "abandoned")
BOOK = 1
"""The book is one row of this id."""

Change = Callable[[Run], Run]


@dataclass(frozen=True)
class Kept:
    """A run as it is kept; ``version`` counts its changes."""

    run: Run
    version: int
    created_at: float

    @property
    def turn(self) -> int:
        """Which of its drives the run is at, counted from 0."""
        return len(self.run.drives) - 1


def begin(store: Store, choice: Choose, now: Instant) -> str:
    """A new run of a team that sits down to a challenge; returns its id.  Refused as `race.challenge` refuses."""
    run = challenge.step(Run(secrets.token_urlsafe(9)), choice, now)
    row = {"id": run.id, "created_at": time.time(), "number": next_entry(), "version": 1, **_columns(run)}
    with store.database.writing() as connection:
        connection.execute(insert(challenge_runs).values(**row))
    return run.id


def found(store: Store, id: str, now: Instant) -> Kept | None:
    """A run; None if there is none of that id.

    After a restart of the machine its clock is kept anew once: only the time in between hangs on the wall clock.
    """
    with store.database.reading() as connection:
        kept = read(connection, id)
    if kept is not None and _was_restarted(kept.run, now):
        return changed(store, id, lambda run: challenge.seen(run, now), now)
    return kept


def _was_restarted(run: Run, now: Instant) -> bool:
    clock = run.drives[-1].clock if run.drives else None
    return clock is not None and clock.is_of_another_boot(now)


def happened(store: Store, id: str, event: Event, now: Instant, turn: int | None = None) -> Kept | None:
    """The run after an event; None if it is gone.

    ``turn`` says at which drive the run was when somebody looked and pressed; Refused if it has moved on since.
    """

    def change(run: Run) -> Run:
        if turn is not None and turn != len(run.drives) - 1:
            raise Refused("moved-on", "The run has moved on since.", "Look at what it is at now.")
        return challenge.step(run, event, now)

    return changed(store, id, change, now)


def changed(store: Store, id: str, change: Change, now: Instant, beside: Beside | None = None) -> Kept | None:
    """The run after a change, which is tried again on what others made of the run meanwhile; None if it is gone."""

    def changed_kept(kept: Kept) -> Kept:
        run = change(kept.run)
        return kept if run == kept.run else Kept(run, kept.version + 1, kept.created_at)

    def write(connection: Connection, after: Kept) -> None:
        _write(connection, after, now)

    return versions.changed(store.database, partial(read, id=id), changed_kept, write, beside)


def read(connection: Connection, id: str) -> Kept | None:
    """A run as it is within a transaction; None if there is none of that id."""
    row = connection.execute(select(challenge_runs).where(challenge_runs.c.id == id)).one_or_none()
    return None if row is None else Kept(challenge.brought_back(row.state), row.version, row.created_at)


def _write(connection: Connection, after: Kept, now: Instant) -> None:
    write_version(connection, challenge_runs, after.run.id, after.version, **_columns(after.run))
    _write_book(connection, after.run, now)


def _columns(run: Run) -> dict[str, object]:
    told = {"challenge": run.challenge, "practice": run.practice, "phase": challenge.phase(run)}
    return {**told, "changed_at": time.time(), "state": challenge.kept(run)}


# ----------------------------------------------------------------------------------------------------- the book


def book(database: Database) -> Book:
    """The challenges that were won."""
    with database.reading() as connection:
        return _read_book(connection)[0]


def _read_book(connection: Connection) -> tuple[Book, int]:
    row = connection.execute(select(challenge_book).where(challenge_book.c.id == BOOK)).one_or_none()
    return (Book(), 0) if row is None else (the_book.brought_back(row.state), row.version)


def _write_book(connection: Connection, run: Run, now: Instant) -> None:
    """Check a won run off; one that a decision has turned since is no win any more."""
    before, version = _read_book(connection)
    counts = challenge.phase(run) == "won" and not run.practice
    after = the_book.with_win(before, run, now) if counts else the_book.without(before, run.id)
    if after == before:
        return
    state = the_book.kept(after)
    if version == 0:
        connection.execute(insert(challenge_book).values(id=BOOK, version=1, state=state))
        return
    write_version(connection, challenge_book, BOOK, version + 1, state=state)


# ----------------------------------------------------------------------------------------------------- many runs


def latest(store: Store, most: int, *, over: bool | None = None) -> list[Kept]:
    """The runs, the latest first; ``over``: only those that have ended, or only those that have not."""
    wanted = select(challenge_runs).order_by(challenge_runs.c.number.desc(), challenge_runs.c.id).limit(most)
    if over is not None:
        ended = challenge_runs.c.phase.in_(OVER)
        wanted = wanted.where(ended if over else ~ended)
    with store.database.reading() as connection:
        rows = connection.execute(wanted).all()
    return [Kept(challenge.brought_back(row.state), row.version, row.created_at) for row in rows]


def remove(store: Store, ids: Sequence[str]) -> int:
    """Delete runs with their photos; what was won stays in the book.  Returns how many there were."""
    mine = challenge_photos.c.run_id.in_(ids)
    with store.database.writing() as connection:
        checks = list(connection.execute(select(challenge_photos.c.check_id).where(mine)).scalars())
        connection.execute(delete(challenge_photos).where(mine))
        gone = connection.execute(delete(challenge_runs).where(challenge_runs.c.id.in_(ids))).rowcount
    shelf.remove(store, checks)
    return gone
