"""The bell: huey tells the workers that there is work.

A ring carries nothing: whoever hears it takes the next job from the table.  A ring that is lost is made up for by
`watch`, one too many finds no job.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable
from typing import Any

import huey

from referee.errors import WrongUsage
from referee.service.settings import Settings

QUEUE_FILE = "queue.db"


def open_bell(settings: Settings) -> Any:
    """The huey of the settings: its own SQLite file, or Redis; results are not kept.

    Raises WrongUsage if its file is damaged or none of ours.
    """
    if settings.queue:
        return huey.RedisHuey("referee", url=settings.queue, results=False)
    path = settings.data / QUEUE_FILE
    try:
        return huey.SqliteHuey("referee", filename=str(path), results=False)
    except sqlite3.Error as error:
        raise WrongUsage(
            f"The queue {path} cannot be opened: {error}.",
            "Move it away: it only wakes the workers, and nothing that was handed in is in it.",
        ) from None


class Bell:
    """The ringing side."""

    def __init__(self, settings: Settings) -> None:
        self._huey = open_bell(settings)
        self._ring = _task(self._huey, _heard_elsewhere)

    def ring(self, times: int = 1) -> None:
        """Tell the workers of so many new jobs."""
        try:
            for _ in range(times):
                self._ring()
        except sqlite3.OperationalError as fault:  # what was handed in is in the table: it will be judged all the same
            logging.getLogger("referee").warning("the bell could not be rung: %s", fault)

    def unheard(self) -> int:
        """How many rings nobody has heard yet."""
        return int(self._huey.pending_count())


def listen(settings: Settings, work: Callable[[], object], patience_s: float) -> None:
    """The hearing side: call ``work`` at every ring, until a signal ends it.

    ``patience_s`` is the longest that a ring waits where the queue cannot wake anybody.
    """
    bell = open_bell(settings)
    _task(bell, work)
    bell.create_consumer(
        workers=1, periodic=False, initial_delay=patience_s / 5, max_delay=patience_s, check_worker_health=False
    ).run()


def _task(bell: Any, work: Callable[[], object]) -> Any:
    """The one task that there is: huey names it after this module, on both sides."""

    def heard() -> None:
        work()

    return bell.task(name="work")(heard)


def _heard_elsewhere() -> None:
    raise RuntimeError("a ring is heard by the worker's process alone")
