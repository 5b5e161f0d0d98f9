"""The games of two teams in the database.

Whoever changes a game does it by an event, in a transaction that holds only if nobody changed the game in between;
otherwise the event happens again to what the game has become.  So of two phones that press at once none is lost: the
second press meets what the first one made of the game.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from sqlalchemy import Connection, delete, func, insert, select, update

from referee.errors import Refused
from referee.race import match
from referee.race.clock import Instant
from referee.race.match import TEAMS, Event, Match, SitDown
from referee.service.checks import shelf
from referee.service.store import versions
from referee.service.store.open import Store
from referee.service.store.order import next_entry
from referee.service.store.tables import race_looks, race_photos, races
from referee.service.store.versions import Beside, write_version
from referee.service.store.versions import Overtaken as Overtaken

Change = Callable[[Match], Match]


@dataclass(frozen=True)
class Kept:
    """A game as it is kept; ``version`` counts its changes."""

    match: Match
    version: int
    created_at: float

    @property
    def place(self) -> int:
        """Which of its heats the game is at, counted from 0; -1 before the first stage is chosen."""
        return len(self.match.heats) - 1


def begin(store: Store, teams: SitDown, now: Instant) -> str:
    """A new game of two teams that sit down; returns its id.  Refused as `race.match` refuses."""
    new = match.step(Match(secrets.token_urlsafe(9)), teams, now)
    row = {"id": new.id, "created_at": time.time(), "number": next_entry(), "version": 1, **_columns(new)}
    with store.database.writing() as connection:
        connection.execute(insert(races).values(**row))
    return new.id


def found(store: Store, id: str, now: Instant) -> Kept | None:
    """A game; None if there is none of that id.

    After a restart of the machine its clocks are kept anew once: only the time in between hangs on the wall clock.
    """
    with store.database.reading() as connection:
        kept = read(connection, id)
    if kept is not None and _was_restarted(kept.match, now):
        return changed(store, id, lambda game: match.seen(game, now))
    return kept


def _was_restarted(game: Match, now: Instant) -> bool:
    clocks = [game.heat.clock(team) for team in TEAMS] if game.heats else []
    return any(clock is not None and clock.is_of_another_boot(now) for clock in clocks)


def happened(store: Store, id: str, event: Event, now: Instant, heat: int | None = None) -> Kept | None:
    """The game after an event; None if it is gone.

    ``heat`` says at which heat the game was when somebody looked and pressed; Refused if it has moved on since.
    """

    def change(game: Match) -> Match:
        if heat is not None and heat != len(game.heats) - 1:
            raise Refused("moved-on", "The game has moved on since.", "Look at where it is now.")
        return match.step(game, event, now)

    return changed(store, id, change)


def changed(store: Store, id: str, change: Change, beside: Beside | None = None) -> Kept | None:
    """The game after a change, which is tried again on what others made of it meanwhile; None if it is gone."""

    def changed_kept(kept: Kept) -> Kept:
        game = change(kept.match)
        return kept if game == kept.match else Kept(game, kept.version + 1, kept.created_at)

    return versions.changed(store.database, partial(read, id=id), changed_kept, _write, beside)


def read(connection: Connection, id: str) -> Kept | None:
    """A game as it is within a transaction; None if there is none of that id."""
    row = connection.execute(select(races).where(races.c.id == id)).one_or_none()
    return None if row is None else Kept(match.brought_back(row.state), row.version, row.created_at)


def _write(connection: Connection, after: Kept) -> None:
    write_version(connection, races, after.match.id, after.version, **_columns(after.match))


def _columns(game: Match) -> dict[str, object]:
    return {"changed_at": time.time(), "phase": match.phase(game), "state": match.kept(game)}


# ----------------------------------------------------------------------------------------------------- many games


def latest(store: Store, most: int) -> list[Kept]:
    """The games, the latest first."""
    wanted = select(races).order_by(races.c.number.desc(), races.c.id).limit(most)
    with store.database.reading() as connection:
        rows = connection.execute(wanted).all()
    return [Kept(match.brought_back(row.state), row.version, row.created_at) for row in rows]


def count(store: Store) -> int:
    """How many games there are."""
    with store.database.reading() as connection:
        return int(connection.execute(select(func.count()).select_from(races)).scalar_one())


def remove(store: Store, ids: Sequence[str]) -> int:
    """Delete games with their pictures; returns how many there were."""
    photos, looks = race_photos.c.race_id.in_(ids), race_looks.c.race_id.in_(ids)
    with store.database.writing() as connection:
        checks = list(connection.execute(select(race_photos.c.check_id).where(photos)).scalars())
        keys = connection.execute(select(race_looks.c.picture, race_looks.c.drawn).where(looks)).all()
        connection.execute(delete(race_photos).where(photos))
        connection.execute(delete(race_looks).where(looks))
        gone = connection.execute(delete(races).where(races.c.id.in_(ids))).rowcount
    shelf.remove(store, checks)
    for key in (key for row in keys for key in row if key is not None):
        store.pictures.delete(key)
    return gone


def sweep(store: Store, keep_days: float, today: int) -> int:
    """Delete pictures of boards before a race that are older than the setting; returns how many.

    The pictures after it are checks, which have their own broom (`checks.shelf.sweep`).
    """
    if keep_days == 0:
        return 0
    old = (race_looks.c.kept_from_ms < today - keep_days * shelf.DAY_MS) & race_looks.c.picture.is_not(None)
    with store.database.writing() as connection:
        rows = connection.execute(select(race_looks.c.picture, race_looks.c.drawn).where(old)).all()
        connection.execute(update(race_looks).where(old).values(picture=None, drawn=None))
    for key in (key for row in rows for key in row if key is not None):
        store.pictures.delete(key)
    return len(rows)
