"""What the races that were watched tell the history (`referee.service.past`)."""

from __future__ import annotations

from collections.abc import Iterator

from flask import url_for

from referee.service import language
from referee.service.live import after
from referee.service.live.shelf import count, found, kept, remove
from referee.service.past import BestTime, Entry, File, Mark, Outcome, all_rows, as_file, page, remove_each
from referee.service.store.open import Store
from referee.service.store.tables import live_races

__all__ = ["best_times", "count", "entries", "entry", "files", "remove", "remove_all", "sweep"]

KIND = "live"


def entries(store: Store, most: int, mark: Mark | None) -> list[Entry]:
    """The latest races."""
    return [_entry(after.Told(kept(row))) for row in page(store, live_races, most, mark)]


def entry(store: Store, id: str) -> Entry | None:
    """One race."""
    race = found(store, id)
    return None if race is None else _entry(after.Told(race))


def _entry(told: after.Told) -> Entry:
    outcomes = tuple(
        Outcome(board.verdict, f"{board.name}: {language.say(f'live.kind.{board.verdict}')}")
        if board.verdict is not None
        else Outcome("error", board.name)
        for board in told.boards
    )
    times = [board.time_ms for board in told.boards if board.time_ms is not None]
    title = language.say("live.after.race", stage=told.boards[0].stage_plain)
    link = url_for("live.race", id=told.kept.id)
    about = (told.kept.id, told.kept.number, told.kept.created_at)
    return Entry(KIND, *about, title, link, outcomes, min(times, default=None))


def best_times(_store: Store) -> Iterator[BestTime]:
    """None: a time that counts is the challenge's or the race's, which tell it themselves."""
    return iter(())


def files(store: Store, _pictures: bool) -> Iterator[File]:
    """Every race; its pictures are those of its checks, which tell them themselves."""
    for row in all_rows(store, live_races):
        told = after.Told(kept(row))
        yield File(f"live/{row.id}.json", row.created_at, as_file(after.as_json(told)))


def remove_all(store: Store, _won: bool) -> int:
    """Delete all races."""
    return remove_each(store, live_races, remove)


def sweep(_store: Store, _keep_days: float, _now: float) -> int:
    """Nothing: the pictures are checks, whose own broom sweeps them."""
    return 0
