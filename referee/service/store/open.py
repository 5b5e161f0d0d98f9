"""The store as the rest of the page uses it: the database, the queue in it, the pictures beside it."""

from __future__ import annotations

from dataclasses import dataclass

from referee.errors import WrongUsage
from referee.service.jobs.queue import Queue
from referee.service.settings import Settings
from referee.service.store.database import Database, open_database
from referee.service.store.pictures import Pictures


@dataclass(frozen=True)
class Store:
    """Everything that the page remembers."""

    database: Database
    pictures: Pictures
    jobs: Queue

    def close(self) -> None:
        """Let go of what is open."""
        self.database.close()


def open_store(settings: Settings) -> Store:
    """The store of the settings; its folder is made, for its owner's eyes alone."""
    try:
        settings.data.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise WrongUsage(f"--data {settings.data}: {error.strerror}.", "Name a folder that can be made.") from error
    database = open_database(settings)
    return Store(database, Pictures(settings.pictures_url), Queue(database))
