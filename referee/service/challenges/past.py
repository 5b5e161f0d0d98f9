"""What the runs at challenges tell the history (`referee.service.past`)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from flask import url_for
from sqlalchemy import Row, delete, func, select

from referee.errors import BadState
from referee.race import book as the_book
from referee.race import challenge
from referee.race.book import Win
from referee.race.challenge import Phase, Run
from referee.rules.challenges import CHALLENGES
from referee.service import instants
from referee.service.challenges import photos, runs
from referee.service.challenges.runs import OVER, remove
from referee.service.challenges.telling import chosen, reason_words, stage_picture
from referee.service.language import say
from referee.service.past import BestTime, Entry, File, Mark, Outcome, all_rows, as_file, page, remove_each, row_of
from referee.service.store.open import Store
from referee.service.store.tables import challenge_book, challenge_runs

__all__ = ["best_times", "count", "entries", "entry", "files", "remove", "remove_all", "sweep"]

KIND = "challenges"
TONES: dict[Phase, str] = {"won": "fair", "lost": "unfinished", "abandoned": "error", "review": "review"}


@dataclass(frozen=True)
class Driven:
    """A stage of a run that was driven fairly: in what time, and how much that is to be trusted."""

    stage: int
    driver: str
    ms: int
    on_honour: bool
    by_wall: bool


def entries(store: Store, most: int, mark: Mark | None) -> list[Entry]:
    """The latest runs."""
    photos.settle_all(store, instants.now())
    return [_entry(row) for row in page(store, challenge_runs, most, mark)]


def entry(store: Store, id: str) -> Entry | None:
    """One run."""
    photos.settle_all(store, instants.now())
    row = row_of(store, challenge_runs, id)
    return None if row is None else _entry(row)


def count(store: Store) -> int:
    """How many runs there are."""
    with store.database.reading() as connection:
        return int(connection.execute(select(func.count()).select_from(challenge_runs)).scalar_one())


def _entry(row: Row[Any]) -> Entry:
    run = _run(row)
    link = url_for("challenges.run", id=row.id)
    if run is None:
        told = Outcome("error", say("history.unreadable"))
        return Entry(KIND, row.id, row.number, row.created_at, row.challenge, link, (told,), practice=row.practice)
    known = CHALLENGES.get(run.challenge)
    name = known.name.to(chosen()) if known else run.challenge
    time_ms = challenge.time(run).ms if row.phase in OVER and _rests(run) else None
    title = " · ".join((name, ", ".join(run.team)))
    thumb = stage_picture(run.legs[0].stage) if run.legs else None
    return Entry(
        KIND, row.id, row.number, row.created_at, title, link, (_outcome(run, row.phase),), time_ms, run.practice, thumb
    )


def _outcome(run: Run, phase: Phase) -> Outcome:
    if phase not in OVER:
        return Outcome(TONES.get(phase, "waiting"), say("history.under_way"))
    ending = say("challenges.at.won_practice" if phase == "won" and run.practice else f"challenges.at.{phase}")
    why = " ".join(map(reason_words, challenge.reasons(run))) if phase == "lost" else ""
    return Outcome(TONES[phase], f"{ending} – {why}" if why else ending)


def _run(row: Row[Any]) -> Run | None:
    """A kept run; None if it cannot be read any more, which must not hide the others."""
    try:
        return challenge.brought_back(row.state)
    except BadState:
        return None


def _rests(run: Run) -> bool:
    return not any(drive.clock is not None and drive.clock.running for drive in run.drives)


# ---------------------------------------------------------------------------------------------------- best times


def best_times(store: Store) -> Iterator[BestTime]:
    """The stages of all runs that were driven fairly, and the challenges that were won; no practice."""
    photos.settle_all(store, instants.now())
    known: set[str] = set()
    for row in all_rows(store, challenge_runs):
        known.add(row.id)
        run = None if row.practice else _run(row)
        if run is not None:
            yield from (_stage_time(row, run, driven) for driven in driven_fairly(run))
    yield from (_challenge_time(win, win.run in known) for win in runs.book(store.database).wins)


def driven_fairly(run: Run) -> Iterator[Driven]:
    """The stages of a run that were driven fairly, each in the time of its last drive."""
    for leg in run.legs:
        last = leg.drives[-1] if leg.drives else None
        if last is not None and last.clock is not None and last.call is not None and last.call.verdict == "fair":
            time = last.clock.reading()
            yield Driven(leg.stage, run.team[last.driver or 0], time.ms, last.call.by == "honour", last.clock.by_wall)


def _stage_time(row: Row[Any], run: Run, driven: Driven) -> BestTime:
    who = say("history.driver", driver=driven.driver, team=", ".join(run.team))
    link, marks = url_for("challenges.run", id=row.id), (driven.on_honour, driven.by_wall)
    return BestTime(driven.ms, who, row.created_at, link, driven.stage, "", *marks)


def _challenge_time(win: Win, is_there: bool) -> BestTime:
    """A win in the book; its run may have been deleted."""
    name = CHALLENGES[win.challenge].name.to(chosen())
    link = url_for("challenges.run", id=win.run) if is_there else ""
    at, marks = win.wall_ms / 1000, (win.on_honour, win.by_wall)
    return BestTime(win.total_ms, ", ".join(win.team), at, link, None, name, *marks)


# ------------------------------------------------------------------------------------------- taking home, deleting


def files(store: Store, _pictures: bool) -> Iterator[File]:
    """Every run as it is kept, and the book of those that were won; the photos are among the checks."""
    photos.settle_all(store, instants.now())
    for row in all_rows(store, challenge_runs):
        told = {"id": row.id, "created_at": row.created_at, "phase": row.phase, "state": row.state}
        yield File(f"challenges/{row.id}.json", row.created_at, as_file(told))
    book = runs.book(store.database)
    if book.wins:
        yield File("challenges/won.json", max(win.wall_ms for win in book.wins) / 1000, as_file(the_book.kept(book)))


def remove_all(store: Store, won: bool) -> int:
    """Delete all runs with their photos; what was won stays in the book unless it shall go, too."""
    gone = remove_each(store, challenge_runs, remove)
    if won:
        with store.database.writing() as connection:
            connection.execute(delete(challenge_book))
    return gone


def sweep(_store: Store, _keep_days: float, _today: int) -> int:
    """Nothing: the photos of runs are checks, which have their own broom."""
    return 0
