"""The page's own calendar: how long pictures have been kept, whatever somebody does to the wall clock.

It begins as the wall clock stands, in milliseconds since 1970, and then goes its own way.  Between two looks at it

=====================  ========================================================================================
same boot              the time since boot has passed, sleep included; the wall clock is ignored
another boot           what the wall clock has gone on by, but never less than nothing
=====================  ========================================================================================

So a clock that is set ahead for a minute deletes nothing, and one that is set right after a photo came in, by the
network for one, makes no photo old.
"""

from __future__ import annotations

from sqlalchemy import Connection, insert, select, update

from referee.race.clock import Instant, between
from referee.service.store.tables import calendar

ONLY = 1
"""The calendar is one row of this id."""


def today_ms(connection: Connection, now: Instant) -> int:
    """What the calendar shows at an instant, in a transaction that writes: it remembers the instant."""
    row = connection.execute(select(calendar).where(calendar.c.id == ONLY).with_for_update()).one_or_none()
    seen = {"boot": now.boot, "since_boot_ms": now.since_boot_ms, "wall_ms": now.wall_ms}
    if row is None:
        connection.execute(insert(calendar).values(id=ONLY, shows_ms=now.wall_ms, **seen))
        return now.wall_ms
    before = Instant(row.boot, row.since_boot_ms, row.wall_ms)
    shows_ms = int(row.shows_ms) + _passed_ms(before, now)
    connection.execute(update(calendar).where(calendar.c.id == ONLY).values(shows_ms=shows_ms, **seen))
    return shows_ms


def _passed_ms(before: Instant, now: Instant) -> int:
    return between(before, now).ms if before.boot == now.boot else max(0, now.wall_ms - before.wall_ms)
