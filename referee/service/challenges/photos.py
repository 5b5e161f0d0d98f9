"""The photos of a run: of a board before its stage, which should be clean, and after it, with the race on it.

A photo is a check like any other (`checks.shelf`); what came of it is told to the run as an event.  Whoever asks for a
run brings it up to date first (`settled`), whoever asks for the book or for many runs all of them (`settle_all`, which
`book` and `latest` begin with).  So it does not matter who was looking while the photo was judged, and a decision that
somebody takes on the check's page, or takes back, reaches the run the same way.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import Connection, insert, update

from referee.errors import BadState, Refused
from referee.race import challenge
from referee.race.book import Book
from referee.race.challenge import BoardSeen, Event, Judged, Phase, Run
from referee.race.clock import Instant
from referee.service.challenges import runs
from referee.service.challenges.runs import Kept
from referee.service.checks import shelf
from referee.service.checks.shelf import Board, Check
from referee.service.checks.taken import Taken, call_of, rows_of, taken, with_news
from referee.service.store.open import Store
from referee.service.store.order import next_number
from referee.service.store.tables import challenge_photos

Shows = Literal["before", "after"]
WANTED: dict[Phase, Shows] = {"board": "before", "stopped": "after", "review": "after", "unfair": "after"}
"""In which phase which photo is taken."""
CLEAN = "no-ink"
INKED = "too-tangled"
"""The codes of pictures that are no race, but say that a board is wiped, or that it is not."""
PURPOSE = "challenge "


@dataclass(frozen=True)
class RunPhoto(Taken):
    """A photo of a run: of the board before a drive or after it; ``told`` is the stamp that the run knows."""

    turn: int
    shows: Shows


def purpose(run_id: str) -> str:
    """What the photos of a run are for, as their checks call it."""
    return f"{PURPOSE}{run_id}"


def run_of(purpose: str) -> str | None:
    """The run that a photo was taken for; None if it was for something else."""
    return purpose.removeprefix(PURPOSE) if purpose.startswith(PURPOSE) else None


def add(store: Store, run_id: str, content: bytes, name: str | None, now: Instant) -> str | None:
    """Take in the photo that a run wants now; returns its check, None if the run is gone.  Refused where it wants none.

    What the run is at is read in the transaction that writes the photo: a press in between changes what it shows.
    """
    kept = runs.found(store, run_id, now)
    if kept is None:
        return None
    refuse_unless_wanted(kept, now)  # before the picture is kept

    def belongs(connection: Connection, number: str) -> None:
        kept = runs.read(connection, run_id)
        if kept is None:
            raise Gone
        shows = refuse_unless_wanted(kept, now)
        row = {"check_id": number, "run_id": run_id, "turn": kept.turn, "shows": shows, "told": ""}
        connection.execute(insert(challenge_photos).values(**row, number=next_number(challenge_photos.c.number)))

    try:
        return shelf.add(store, content, name, purpose=purpose(run_id), priority=shelf.SOON, beside=belongs)
    except Gone:
        return None


class Gone(Exception):
    """The run was deleted while its photo came in; nothing was written."""


def refuse_unless_wanted(kept: Kept, now: Instant) -> Shows:
    """What a photo of the run shows now; refused where it wants none."""
    phase = challenge.phase(kept.run, now)
    if phase not in WANTED:
        raise Refused("no-photo-now", "No photo is wanted now.", "Take it when the clock has stopped.", phase=phase)
    return WANTED[phase]


def of_run(store: Store, run_id: str) -> list[RunPhoto]:
    """The photos of a run that count, the latest of each drive before and after it, in the order of the drives."""
    mine = rows_of(challenge_photos).where(challenge_photos.c.run_id == run_id)
    with store.database.reading() as connection:
        rows = connection.execute(mine.order_by(challenge_photos.c.turn, challenge_photos.c.number)).all()
    last = {(row.turn, row.shows): RunPhoto(**taken(row), turn=row.turn, shows=row.shows) for row in rows}
    return list(last.values())


def wanted_now(photos: Sequence[RunPhoto], kept: Kept, phase: Phase) -> RunPhoto | None:
    """The photo that was taken of what the run is at, if there is one."""
    shows = WANTED.get(phase)
    return next((photo for photo in photos if (photo.turn, photo.shows) == (kept.turn, shows)), None)


# ----------------------------------------------------------------------------------------- what they tell the run


def settled(store: Store, kept: Kept, photos: Iterable[RunPhoto], now: Instant) -> Kept:
    """The run after everything that its photos have to say."""
    for photo in photos:
        check = shelf.found(store, photo.check) if photo.has_news else None
        if check is not None:
            kept = _tell(store, kept, photo, check, now)
    return kept


def settle_all(store: Store, now: Instant) -> None:
    """Bring all runs up to date; one that cannot be read any more must not keep the others from it."""
    with store.database.reading() as connection:
        told_of = connection.execute(with_news(challenge_photos, challenge_photos.c.run_id)).scalars().all()
    for run_id in told_of:
        with suppress(BadState):
            if (kept := runs.found(store, run_id, now)) is not None:
                settled(store, kept, of_run(store, run_id), now)


def book(store: Store, now: Instant) -> Book:
    """The challenges that were won, as the photos have left them."""
    settle_all(store, now)
    return runs.book(store.database)


def latest(store: Store, most: int, now: Instant, *, over: bool | None = None) -> list[Kept]:
    """The runs, the latest first, as their photos have left them; ``over`` as in `runs.latest`."""
    settle_all(store, now)
    return runs.latest(store, most, over=over)


def _tell(store: Store, kept: Kept, photo: RunPhoto, check: Check, now: Instant) -> Kept:
    mine = update(challenge_photos).where(challenge_photos.c.check_id == photo.check).values(told=photo.stamp)

    def change(run: Run) -> Run:
        event = event_of(run, photo, check)
        try:
            return run if event is None else challenge.step(run, event, now)
        except Refused:  # the team went on without it
            return run

    after = runs.changed(store, kept.run.id, change, now, lambda connection: connection.execute(mine))
    return after or kept


def event_of(run: Run, photo: RunPhoto, check: Check) -> Event | None:
    """What a judged photo means to the run; None if it says nothing."""
    place = leg_of(run, photo.turn)
    if place is None or check.state != "judged":
        return None
    board = board_of(check, run.legs[place].stage)
    if board is None or board.stage is None:
        return None
    if photo.shows == "before":
        return _seen_before(board, run.legs[place].stage) if photo.turn == len(run.drives) - 1 else None
    return _judged(run, place, photo, board)


def leg_of(run: Run, turn: int) -> int | None:
    """The place of the stage whose last drive is the one of that turn; None if there is none."""
    last = -1
    for place, leg in enumerate(run.legs):
        last += len(leg.drives)
        if leg.drives and last == turn:
            return place
    return None


def board_of(check: Check, stage: int) -> Board | None:
    """The board of a stage in a photo; where it is not, the first."""
    return next((board for board in check.boards if board.stage == stage), next(iter(check.boards), None))


def _seen_before(board: Board, stage: int) -> Event | None:
    assert board.stage is not None, "a board without a stage says nothing"
    if board.stage != stage:
        return BoardSeen(board.stage, wiped=False)
    if board.verdict == "error" and board.code not in (CLEAN, INKED):
        return None
    return BoardSeen(board.stage, wiped=board.code == CLEAN)


def _judged(run: Run, place: int, photo: RunPhoto, board: Board) -> Event | None:
    """The call of a stage; honour has filled in what this picture leaves open."""
    leg = run.legs[place]
    if board.verdict == "error" or board.stage != leg.stage:
        return None
    if board.verdict == "review" and leg.call is not None and leg.call.by == "honour":
        return None
    return Judged(call_of(board, photo), place)
