"""A past for tests: photos that were judged, runs and games that were played, without waiting for any of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import insert, update

from referee.model import Json
from referee.race import challenge, match
from referee.race.challenge import Run
from referee.race.match import Match
from referee.service.challenges import runs
from referee.service.checks import shelf
from referee.service.store.accidents import write_accidents
from referee.service.store.open import Store
from referee.service.store.tables import boards, challenge_runs, checks, races
from tests.service.at_the_table import ONE_PIXEL

NOW = 1_700_000_000.0


def accident(
    seq: int, at_mm: tuple[float, float], cause: str = "white-line", element: str | None = None, **more: Any
) -> Json:
    """An accident as reports have it."""
    told = {"kind": "accident", "cause": cause, "rule": "R2", "stroke": 0, "certain": True, "outcome": "honoured"}
    return {"seq": seq, "at_mm": list(at_mm), "element": element, "restart_element": "start", **told, **more}


def judged_row(check: str, stage: int | None, events: Sequence[Json], verdict: str = "fair") -> Json:
    """A board as the worker writes it."""
    words = {"line": f"{verdict}!", "heading": f"Stage {stage}", "message": "", "hint": "", "asks": {}}
    told = {"verdict": verdict, "finished": verdict == "fair", "accidents": len(events), "code": None}
    report = {"format": 1, "source": "x.jpg", "events": list(events)}
    row = {"check_id": check, "number": 1, "stage": stage, "copy": "A", "report": report}
    return {**row, **told, "words": {"en": words, "fr": words}}


def came(at: float) -> Json:
    """When something came: what came later by the wall clock has a higher number, as if no clock had ever jumped."""
    return {"created_at": at, "number": int(at)}


def photo(
    store: Store,
    name: str = "photo.jpg",
    at: float = NOW,
    stage: int | None = 7,
    events: Sequence[Json] = (),
    *,
    verdict: str = "fair",
    purpose: str = "",
) -> str:
    """A photo that was judged; its id."""
    number = shelf.add(store, ONE_PIXEL, name, purpose=purpose)
    store.pictures.write(f"drawings/{number}/1-1/thumb.jpg", ONE_PIXEL)
    row = judged_row(number, stage, events, verdict)
    with store.database.writing() as connection:
        mine = update(checks).where(checks.c.id == number)
        drawn = f"drawings/{number}/1-1"
        connection.execute(
            mine.values(**came(at), kept_from_ms=int(at * 1000), state="judged", judged_at=at, drawn=drawn)
        )
        connection.execute(insert(boards).values(**row))
        write_accidents(connection, [row])
    return number


def many_photos(store: Store, count: int, accidents_each: int = 0, at: float = NOW) -> None:
    """Thousands of photos at once, without files; a second lies between them."""
    events = [accident(seq, (20.0 + 13 * seq % 250, 30.0 + 7 * seq % 150)) for seq in range(accidents_each)]
    row = {"purpose": "", "batch": "", "options": {}, "state": "judged", "name": "race.jpg"}
    photos = [{**row, **came(at - n), "id": f"c{n:07}"} for n in range(count)]
    judged = [judged_row(f"c{n:07}", 7, events) for n in range(count)]
    with store.database.writing() as connection:
        for first in range(0, count, 1000):
            connection.execute(insert(checks), photos[first : first + 1000])
            connection.execute(insert(boards), judged[first : first + 1000])
            write_accidents(connection, judged[first : first + 1000])


def run(store: Store, played: Run, at: float = NOW) -> str:
    """A run that was played; its id.  What it has won is in the book."""
    told = {"challenge": played.challenge, "practice": played.practice, "phase": challenge.phase(played)}
    row = {"id": played.id, **came(at), "changed_at": at, "version": 1, "state": challenge.kept(played)}
    with store.database.writing() as connection:
        connection.execute(insert(challenge_runs).values(**row, **told))
        runs._write_book(connection, played, _instant(at))
    return played.id


def game(store: Store, played: Match, at: float = NOW) -> str:
    """A game that was played; its id."""
    row = {"id": played.id, **came(at), "changed_at": at, "version": 1, "phase": match.phase(played)}
    with store.database.writing() as connection:
        connection.execute(insert(races).values(**row, state=match.kept(played)))
    return played.id


def _instant(at: float) -> Any:
    from referee.race.clock import Instant

    return Instant("boot", 0, int(at * 1000))
