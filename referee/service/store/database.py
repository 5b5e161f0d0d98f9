"""Opening the database: SQLite with a write-ahead log, or what the setting names; its schema brought up to date."""

from __future__ import annotations

import secrets as randomness
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, insert, inspect, select, update
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from referee.errors import WrongUsage
from referee.service.settings import Settings
from referee.service.store.accidents import gather_accidents
from referee.service.store.order import date_pictures, number_entries, number_pictures
from referee.service.store.tables import metadata, schema
from referee.service.store.tables import secrets as secret_table

BUSY_MS = 15_000
"""So long a writer waits for another one."""

Step = Callable[[Connection], None]

STEPS: tuple[Step, ...] = (gather_accidents, number_pictures, number_entries, date_pictures)
"""STEPS[n] brings tables of version n + 1 to version n + 2; empty new tables need none: they appear."""
VERSION = len(STEPS) + 1


class Database:
    """The tables.  `reading` and `writing` are transactions; a writer has the database for itself from the start."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction that only reads."""
        with self.engine.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that writes: all of it, or nothing where an error leaves it."""
        with self.engine.connect().execution_options(writes=True) as connection, connection.begin():
            yield connection

    def secret(self, name: str) -> str:
        """A random word of this installation, the same for every process and after a restart."""
        wanted = select(secret_table.c.value).where(secret_table.c.name == name)
        with self.reading() as connection:
            known = connection.execute(wanted).scalar_one_or_none()
        if known is not None:
            return str(known)
        try:
            with self.writing() as connection:
                connection.execute(insert(secret_table).values(name=name, value=randomness.token_urlsafe(32)))
        except IntegrityError:  # another process was first
            pass
        with self.reading() as connection:
            return str(connection.execute(wanted).scalar_one())

    def close(self) -> None:
        """Let go of all connections."""
        self.engine.dispose()


def open_database(settings: Settings) -> Database:
    """The database of the settings, made or brought up to date where that is needed."""
    engine = _engine(settings)
    try:
        _bring_up_to_date(Database(engine))
    except SQLAlchemyError as error:  # it cannot be reached, or is none of ours, or is damaged
        engine.dispose()
        raise WrongUsage(
            f"The database {engine.url.render_as_string()} cannot be opened: {getattr(error, 'orig', None) or error}.",
            "Name another folder with --data, or mend REFEREE_DATABASE.",
        ) from None
    return Database(engine)


def _engine(settings: Settings) -> Engine:
    if not settings.database_url.startswith("sqlite"):
        return create_engine(settings.database_url, pool_size=8, max_overflow=32, pool_pre_ping=True)
    engine = create_engine(
        settings.database_url, pool_size=8, max_overflow=32, connect_args={"timeout": BUSY_MS / 1000}
    )
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _prepare_sqlite(connection: Any, _record: object) -> None:
    """Transactions are begun by `_begin_sqlite`, not by the driver at its first change.

    What is deleted is overwritten, so that no name stays in the file.
    """
    connection.isolation_level = None
    wanted = ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON", "secure_delete=ON")
    for pragma in (*wanted, f"busy_timeout={BUSY_MS}"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    """A writer that began as a reader could be refused half way: it takes its place in the queue at once."""
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _bring_up_to_date(database: Database) -> None:
    """Make what is missing; several processes may do so at once, one after the other."""
    with database.writing() as connection:
        fresh = not inspect(connection).has_table(schema.name)
        version = VERSION if fresh else connection.execute(select(schema.c.version)).scalar_one()
        if version > VERSION:
            raise WrongUsage(
                f"The data were written by a newer referee (version {version} of the tables, {VERSION} is known here).",
                "Update this referee, or name another folder with --data.",
            )
        for step in STEPS[version - 1 :]:
            step(connection)
        metadata.create_all(connection)
        connection.execute(insert(schema).values(version=VERSION) if fresh else update(schema).values(version=VERSION))
