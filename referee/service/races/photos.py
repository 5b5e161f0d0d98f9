"""The pictures of a race: each team's board before a heat, gadgets drawn, and after it.

A picture before is a look (`looking`), one after is a check like any other (`checks.shelf`), with the look as its
baseline where something was drawn.  What came of both is told to the game as an event.  Whoever asks for a game brings
it up to date first (`settled`), whoever asks for many all of them (`settle_all`, which `latest` begins with).  So it
does not matter who was looking while a picture was judged, and a decision that somebody takes on the check's page, or
takes back, reaches the game the same way.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, insert, select, update

from referee.errors import BadState, Refused
from referee.race import match
from referee.race.clock import Instant
from referee.race.match import Event, Judged, Match, Team
from referee.service.checks import shelf
from referee.service.checks.shelf import Board, Check
from referee.service.checks.taken import SETTLED, Taken, call_of, rows_of, taken, with_news
from referee.service.races import games
from referee.service.races.games import Kept
from referee.service.races.seen import Seen, event_of, seen_from
from referee.service.store.calendar import today_ms
from referee.service.store.open import Store
from referee.service.store.order import next_number
from referee.service.store.tables import race_looks, race_photos

LOOK = "look-at-board"
LOOK_COLUMNS = ("id", "heat", "team", "stage", "state", "picture", "drawn", "seen", "told")


@dataclass(frozen=True)
class Look:
    """A picture of a team's board before a heat; ``state`` is waiting, judged or failed."""

    id: str
    heat: int
    team: Team
    stage: int
    state: str
    picture: str | None
    drawn: str | None
    seen: Seen | None
    told: bool


@dataclass(frozen=True)
class RacePhoto(Taken):
    """A picture of a team's board after a heat; ``told`` is the stamp that the game knows."""

    heat: int
    team: Team


def purpose(race_id: str) -> str:
    """What the photos of a race are for, as their checks call it."""
    return f"race {race_id}"


# ----------------------------------------------------------------------------------------- taking in


def add_before(store: Store, race_id: str, team: Team, content: bytes, now: Instant) -> str | None:
    """Take in the picture of a team's board before the heat; returns its id, None if the game is gone.

    Refused where none is wanted, by what the game is at in the transaction that writes the picture.
    """
    if (kept := games.found(store, race_id, now)) is None:
        return None
    _refuse_unless_boards(kept)  # before the picture is kept
    number, picture = secrets.token_urlsafe(12), shelf.keep_picture(store, content)
    row = {"id": number, "race_id": race_id, "team": team, "created_at": time.time(), "picture": picture}
    try:
        with store.pictures.written_down(picture), store.database.writing() as connection:
            kept = _read(connection, race_id)
            _refuse_unless_boards(kept)
            row |= {"kept_from_ms": today_ms(connection, now)}
            row |= {"heat": kept.place, "stage": kept.match.heat.stage, "state": "waiting", "told": False}
            connection.execute(insert(race_looks).values(**row, number=next_number(race_looks.c.number)))
            store.jobs.add(connection, LOOK, {"look": number}, shelf.SOON)
    except Gone:
        return None
    return number


def add_after(
    store: Store, race_id: str, team: Team, content: bytes, name: str | None, heat: int | None, now: Instant
) -> str | None:
    """Take in the picture of a team's board after a heat (None: the present one); returns its check.

    None if the game is gone; refused where none is wanted.
    """
    if (kept := games.found(store, race_id, now)) is None:
        return None
    place = kept.place if heat is None else heat
    _refuse_unless_driven(kept, place)

    def belongs(connection: Connection, number: str) -> None:
        _refuse_unless_driven(_read(connection, race_id), place)
        row = {"check_id": number, "race_id": race_id, "heat": place, "team": team, "told": ""}
        connection.execute(insert(race_photos).values(**row, number=next_number(race_photos.c.number)))

    try:
        return shelf.add(
            store,
            content,
            name,
            purpose=purpose(race_id),
            baseline=_baseline(store, kept, team, place),
            options={"mode": "competitive", "nitro": match.has_nitro(kept.match, team)},
            priority=shelf.SOON,
            beside=belongs,
        )
    except Gone:
        return None


class Gone(Exception):
    """The game was deleted while its picture came in; nothing was written."""


def _read(connection: Connection, race_id: str) -> Kept:
    kept = games.read(connection, race_id)
    if kept is None:
        raise Gone
    return kept


def _refuse_unless_boards(kept: Kept) -> None:
    if match.phase(kept.match) != "boards":
        raise Refused("no-photo-now", "No photo of a board before the start is wanted now.", "Choose a stage first.")


def _refuse_unless_driven(kept: Kept, heat: int) -> None:
    heats = kept.match.heats
    if not 0 <= heat < len(heats) or not heats[heat].crossed or heats[heat].void:
        raise Refused("not-driven", "That heat has not been raced to its end.", "Take it when somebody has crossed.")


def _baseline(store: Store, kept: Kept, team: Team, heat: int) -> str | None:
    """The picture of the board before the heat, where something was to be drawn on it or is; None if there is none."""
    look = looks_of(store, kept.match.id).get((heat, team))
    seen = None if look is None else look.seen
    if look is None or seen is None or seen.code or seen.raced or seen.stage != kept.match.heats[heat].stage:
        return None
    return look.picture if seen.inked or match.gadget_on_board_of(kept.match, team) else None


# ----------------------------------------------------------------------------------------- finding


def looks_of(store: Store, race_id: str) -> dict[tuple[int, Team], Look]:
    """The latest look at each board before each heat, by the heat and the team."""
    columns = [race_looks.c[name] for name in LOOK_COLUMNS]
    wanted = select(*columns).where(race_looks.c.race_id == race_id).order_by(race_looks.c.number)
    with store.database.reading() as connection:
        rows = connection.execute(wanted).mappings().all()
    looks = [Look(**{**row, "seen": None if row["seen"] is None else seen_from(row["seen"])}) for row in rows]
    return {(look.heat, look.team): look for look in looks}


def look_of(store: Store, race_id: str, number: str) -> Look | None:
    """A look of a race by its id, if it is the latest at its board."""
    return next((look for look in looks_of(store, race_id).values() if look.id == number), None)


def photos_of(store: Store, race_id: str) -> dict[tuple[int, Team], RacePhoto]:
    """The latest photo of each board after each heat, by the heat and the team."""
    mine = rows_of(race_photos).where(race_photos.c.race_id == race_id)
    with store.database.reading() as connection:
        rows = connection.execute(mine.order_by(race_photos.c.heat, race_photos.c.number)).all()
    return {(row.heat, row.team): RacePhoto(**taken(row), heat=row.heat, team=row.team) for row in rows}


def board_of(check: Check, stage: int, team: Team) -> Board | None:
    """The board of a team in the photo of its race: of the stage, and the team's copy unless its markers tell none."""
    return next((board for board in check.boards if board.stage == stage and board.copy in (team, None)), None)


# ----------------------------------------------------------------------------------------- what they tell the game


def settled(store: Store, kept: Kept, now: Instant) -> Kept:
    """The game after everything that its pictures have to say."""
    for look in looks_of(store, kept.match.id).values():
        if look.state in SETTLED and not look.told:
            kept = _tell_look(store, kept, look, now)
    for photo in photos_of(store, kept.match.id).values():
        if photo.has_news:
            kept = _tell_photo(store, kept, photo, now)
    return kept


def settle_all(store: Store, now: Instant) -> None:
    """Bring all games up to date; one that cannot be read any more must not keep the others from it."""
    seen_before = select(race_looks.c.race_id).where(race_looks.c.state.in_(SETTLED), ~race_looks.c.told)
    with store.database.reading() as connection:
        told_of = set(connection.execute(with_news(race_photos, race_photos.c.race_id)).scalars())
        told_of |= set(connection.execute(seen_before.distinct()).scalars())
    for race_id in sorted(told_of):
        with suppress(BadState):
            if (kept := games.found(store, race_id, now)) is not None:
                settled(store, kept, now)


def latest(store: Store, most: int, now: Instant) -> list[Kept]:
    """The games, the latest first, as their pictures have left them."""
    settle_all(store, now)
    return games.latest(store, most)


def _tell_look(store: Store, kept: Kept, look: Look, now: Instant) -> Kept:
    mine = update(race_looks).where(race_looks.c.id == look.id).values(told=True)

    def event(game: Match) -> Event | None:
        is_of_now = look.heat == len(game.heats) - 1 and look.stage == game.heat.stage
        return event_of(look.seen, look.team) if is_of_now and look.seen is not None else None

    return _told(store, kept, event, mine, now)


def _tell_photo(store: Store, kept: Kept, photo: RacePhoto, now: Instant) -> Kept:
    mine = update(race_photos).where(race_photos.c.check_id == photo.check).values(told=photo.stamp)
    check = shelf.found(store, photo.check)
    return _told(store, kept, lambda game: None if check is None else judged(game, photo, check), mine, now)


def _told(store: Store, kept: Kept, event: Callable[[Match], Event | None], beside: Any, now: Instant) -> Kept:
    def change(game: Match) -> Match:
        says = event(game)
        try:
            return game if says is None else match.step(game, says, now)
        except Refused:  # the players went on without it
            return game

    return games.changed(store, kept.match.id, change, lambda connection: connection.execute(beside)) or kept


def judged(game: Match, photo: RacePhoto, check: Check) -> Judged | None:
    """The call of a team's drive that its photo makes; honour has filled in what this photo leaves open."""
    if check.state != "judged" or not 0 <= photo.heat < len(game.heats):
        return None
    heat = game.heats[photo.heat]
    board = board_of(check, heat.stage, photo.team)
    if board is None or board.verdict == "error":
        return None
    call, before = call_of(board, photo), heat.lane(photo.team).drive.call
    if cannot_tell(game, photo.team, check):
        call = replace(call, verdict="review")
    if call.verdict == "review" and before is not None and before.by == "honour":
        return None
    return Judged(photo.team, call, photo.heat)


def cannot_tell(game: Match, team: Team, check: Check) -> bool:
    """Whether a gadget was to be on the board and no picture from before the race shows it.

    A rope would be taken for race ink, and a mine that was hit would not be known: a person has to say.
    """
    return match.gadget_on_board_of(game, team) is not None and check.baseline is None
