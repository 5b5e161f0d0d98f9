"""What the games of two teams tell the history (`referee.service.past`)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from flask import url_for
from sqlalchemy import Row, select

from referee.errors import BadState
from referee.race import match
from referee.race.match import TEAMS, Match, Team
from referee.service import instants
from referee.service.challenges.telling import stage_picture
from referee.service.checks.past import picture_file
from referee.service.language import say
from referee.service.past import BestTime, Entry, File, Mark, Outcome, all_rows, as_file, page, remove_each, row_of
from referee.service.races import photos
from referee.service.races.games import count, remove, sweep
from referee.service.store.open import Store
from referee.service.store.tables import race_looks, race_photos, races

__all__ = ["best_times", "count", "entries", "entry", "files", "remove", "remove_all", "sweep"]

KIND = "races"
OVER = ("over", "abandoned")


@dataclass(frozen=True)
class Driven:
    """A stage that a team drove fairly in a race, to its end."""

    stage: int
    team: Team
    driver: int
    ms: int
    on_honour: bool
    by_wall: bool


def entries(store: Store, most: int, mark: Mark | None) -> list[Entry]:
    """The latest games."""
    photos.settle_all(store, instants.now())
    return [_entry(row) for row in page(store, races, most, mark)]


def entry(store: Store, id: str) -> Entry | None:
    """One game."""
    photos.settle_all(store, instants.now())
    row = row_of(store, races, id)
    return None if row is None else _entry(row)


def _entry(row: Row[Any]) -> Entry:
    game, link = _game(row), url_for("races.one", id=row.id)
    if game is None:
        told = Outcome("error", say("history.unreadable"))
        return Entry(KIND, row.id, row.number, row.created_at, say("races.title"), link, (told,))
    teams = (", ".join(game.team(team)) if game.teams else "" for team in TEAMS)
    title = say("history.against", a=next(teams), b=next(teams))
    thumb = stage_picture(game.heats[0].stage) if game.heats else None
    return Entry(KIND, row.id, row.number, row.created_at, title, link, (_outcome(game, row.phase),), thumb=thumb)


def _outcome(game: Match, phase: str) -> Outcome:
    if phase not in OVER:
        return Outcome("waiting", say("history.under_way"))
    winner = match.winner(game)
    if winner is None:
        return Outcome("error", say("races.at.abandoned"))
    won = match.wins(game)
    ending = say("races.at.over", team=winner, names=", ".join(game.team(winner)))
    return Outcome("fair", f"{ending} {won['A']} : {won['B']}")


def _game(row: Row[Any]) -> Match | None:
    """A kept game; None if it cannot be read any more, which must not hide the others."""
    try:
        return match.brought_back(row.state)
    except BadState:
        return None


# ---------------------------------------------------------------------------------------------------- best times


def best_times(store: Store) -> Iterator[BestTime]:
    """The stages that a team drove fairly, to the end; a warm-up has no clock."""
    photos.settle_all(store, instants.now())
    for row in all_rows(store, races):
        game = _game(row)
        if game is not None:
            yield from (_time(row, game, driven) for driven in driven_fairly(game))


def driven_fairly(game: Match) -> Iterator[Driven]:
    """The drives of a game that crossed the finish fairly; a heat that was started over counts for nothing."""
    for heat in game.heats:
        for team in heat.crossed if not heat.void else ():
            lane, clock = heat.lane(team), heat.clock(team)
            call, driver = lane.drive.call, lane.drive.driver
            if clock is None or clock.running or driver is None or lane.cheated:
                continue
            if call is not None and call.verdict == "fair":
                time = clock.reading()
                yield Driven(heat.stage, team, driver, time.ms, call.by == "honour", clock.by_wall)


def _time(row: Row[Any], game: Match, driven: Driven) -> BestTime:
    team = game.team(driven.team)
    who = say("history.driver", driver=team[driven.driver], team=", ".join(team))
    link, marks = url_for("races.one", id=row.id), (driven.on_honour, driven.by_wall)
    return BestTime(driven.ms, who, row.created_at, link, driven.stage, "", *marks)


# ------------------------------------------------------------------------------------------- taking home, deleting


def files(store: Store, pictures: bool) -> Iterator[File]:
    """Every game as it is kept, and the photos of boards before a heat; those after it are among the checks."""
    photos.settle_all(store, instants.now())
    for row in all_rows(store, races):
        yield from _files(store, row, pictures)


def _files(store: Store, row: Row[Any], pictures: bool) -> Iterator[File]:
    about_looks = [column for column in race_looks.c if column.name not in ("race_id", "drawn", "told")]
    raced = select(race_photos.c.check_id, race_photos.c.heat, race_photos.c.team)
    with store.database.reading() as connection:
        looks = connection.execute(select(*about_looks).where(race_looks.c.race_id == row.id)).mappings().all()
        after = connection.execute(raced.where(race_photos.c.race_id == row.id)).mappings().all()
    told = {"id": row.id, "created_at": row.created_at, "phase": row.phase, "state": row.state}
    told |= {"boards_before": [_without_key(look) for look in looks], "photos_after": [dict(one) for one in after]}
    yield File(f"races/{row.id}.json", row.created_at, as_file(told))
    for look in looks if pictures else ():
        if (file := picture_file(store, look["picture"], look["id"], look["created_at"])) is not None:
            yield file


def _without_key(look: Any) -> dict[str, Any]:
    return {name: value for name, value in look.items() if name != "picture"}


def remove_all(store: Store, _won: bool) -> int:
    """Delete all games with their photos."""
    return remove_each(store, races, remove)
