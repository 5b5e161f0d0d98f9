"""The checks on their shelf: taking a photo in, finding it again, putting a stage right, deleting.

A photo of a challenge or a race is taken in here, too: `add` with a ``purpose``, `found` for its verdict.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, TypeVar

from sqlalchemy import Connection, Row, delete, func, insert, select, update

from referee.errors import Refused
from referee.model import Json
from referee.service import instants
from referee.service.store.calendar import today_ms
from referee.service.store.metadata import stripped
from referee.service.store.open import Store
from referee.service.store.order import next_entry
from referee.service.store.tables import boards, checks, decisions, jobs

Found = TypeVar("Found")
JUDGE = "judge-photo"
LONGEST_NAME = 120
DAY_MS = 86_400_000
SOON = 10
"""The priority of a photo that somebody waits for with the clock stopped: before all that waits."""
UNKNOWN_ENDING = ".raw"
"""How the key of a picture ends that could not be stripped at once: `judging` does it by its pixels."""


@dataclass(frozen=True)
class Board:
    """A board that was found in a photo, as it was judged."""

    number: int
    stage: int | None
    copy: str | None
    verdict: str
    finished: bool
    accidents: int
    code: str | None
    words: Json
    report: Json | None = None
    """None in lists."""


@dataclass(frozen=True)
class Check:
    """A photo that was handed in, and what came of it so far.

    ``state`` is waiting, running, judged or failed; ``progress`` 0 to 1 and ``step`` belong to the running one,
    ``ahead`` counts what waits before a waiting one.  ``number`` counts checks as they came, whatever the wall clock
    said.  ``job`` is its latest judging: another one means that somebody has changed something.
    """

    id: str
    name: str
    number: int
    created_at: float
    state: str
    purpose: str = ""
    batch: str = ""
    job: int | None = None
    said_stage: int | None = None
    picture: str | None = None
    drawn: str | None = None
    baseline: str | None = None
    options: Json = field(default_factory=dict)
    progress: float = 0.0
    ahead: int = 0
    step: str | None = None
    error: Json | None = None
    judged_at: float | None = None
    boards: tuple[Board, ...] = ()


def clean_name(name: str | None) -> str:
    """A file's name as it is shown: its last part, of letters that can be printed, never a path to anything.

    >>> clean_name("../../etc/pass\\x00wd.jpg"), clean_name(""), clean_name("C:\\\\a\\\\b.jpg")
    ('passwd.jpg', 'photo', 'b.jpg')
    """
    last = (name or "").replace("\\", "/").rstrip("/").rpartition("/")[2]
    letters = "".join(letter for letter in last if letter.isprintable()).strip(" .")
    return letters[:LONGEST_NAME] or "photo"


def add(
    store: Store,
    content: bytes,
    name: str | None,
    *,
    stage: int | None = None,
    purpose: str = "",
    batch: str = "",
    baseline: str | None = None,
    options: Mapping[str, Any] | None = None,
    priority: int = 0,
    beside: Callable[[Connection, str], object] | None = None,
) -> str:
    """Take a photo in and put its judging into the queue; returns the check's id.  Ring the bell after it.

    ``stage`` says which stage is in it, ``baseline`` is a key of the picture store, ``options`` are fields of `Rules`.
    ``beside`` writes whose photo it is, in the same transaction; if it refuses, nothing is kept.
    """
    number = secrets.token_urlsafe(12)
    key = _keep(store, content)
    with store.pictures.written_down(key), store.database.writing() as connection:
        job = store.jobs.add(connection, JUDGE, {"check": number}, priority)
        row = {"id": number, "created_at": time.time(), "name": clean_name(name), "purpose": purpose, "batch": batch}
        row |= {"number": next_entry(), "kept_from_ms": today_ms(connection, instants.now())}
        row |= {"picture": key, "baseline": baseline, "said_stage": stage, "options": dict(options or {})}
        connection.execute(insert(checks).values(**row, state="waiting", job=job))
        if beside is not None:
            beside(connection, number)
    return number


def keep_picture(store: Store, content: bytes) -> str:
    """Keep a picture that is not judged itself, such as a baseline, without its metadata; returns its key."""
    return _keep(store, content)


def _keep(store: Store, content: bytes) -> str:
    clean = stripped(content)
    return store.pictures.keep(clean or content, "photos", "" if clean else UNKNOWN_ENDING)


# ------------------------------------------------------------------------------------------------------ finding


def found(store: Store, number: str) -> Check | None:
    """One check with its boards; None if there is none of that id."""
    with store.database.reading() as connection:
        row = connection.execute(_with_job().where(checks.c.id == number)).one_or_none()
        return None if row is None else _check(row, _boards(connection, [number], reports=True))


def those_there(store: Store, numbers: Iterable[str]) -> frozenset[str]:
    """Of some checks those that were not deleted."""
    wanted = set(numbers)
    if not wanted:
        return frozenset()
    with store.database.reading() as connection:
        return frozenset(connection.execute(select(checks.c.id).where(checks.c.id.in_(wanted))).scalars())


def latest(store: Store, most: int = 200, before: int | None = None, purpose: str = "") -> list[Check]:
    """The checks of a purpose, the latest first, with their boards; only those that came ``before`` a number."""
    wanted = _with_job().where(checks.c.purpose == purpose).order_by(checks.c.number.desc(), checks.c.id).limit(most)
    if before is not None:
        wanted = wanted.where(checks.c.number < before)
    with store.database.reading() as connection:
        rows = connection.execute(wanted).all()
        shown = _boards(connection, [row.id for row in rows], reports=False)
    return [_check(row, shown) for row in rows]


def as_handed_in(found: Sequence[Check]) -> list[Check]:
    """Checks, the latest first; those that came together stay so, in the order in which they came."""
    last: dict[str, int] = {}
    for check in found:
        together = check.batch or check.id
        last[together] = max(last.get(together, 0), check.number)
    return sorted(found, key=lambda check: (-last[check.batch or check.id], check.number))


def everything(store: Store, at_once: int = 200) -> Iterator[list[Check]]:
    """All checks of Check photos, so many at a time, the latest first."""
    before: int | None = None
    while some := latest(store, at_once, before):
        yield some
        before = some[-1].number


def _with_job() -> Any:
    other = jobs.alias()
    before = other.c.state.in_(("waiting", "running")) & (other.c.id != jobs.c.id)
    before &= (other.c.priority > jobs.c.priority) | ((other.c.priority == jobs.c.priority) & (other.c.id < jobs.c.id))
    ahead = select(func.count()).select_from(other).where(before, jobs.c.state == "waiting").scalar_subquery()
    job = (jobs.c.state.label("job_state"), jobs.c.progress, jobs.c.step, ahead.label("ahead"))
    return select(checks, *job).select_from(checks.outerjoin(jobs, checks.c.job == jobs.c.id))


def _boards(connection: Connection, numbers: Sequence[str], *, reports: bool) -> dict[str, list[Board]]:
    """The boards of some checks; a list of many checks goes without the reports, which are long."""
    columns = [column for column in boards.c if reports or column is not boards.c.report]
    wanted = select(*columns).where(boards.c.check_id.in_(numbers)).order_by(boards.c.check_id, boards.c.number)
    shown: dict[str, list[Board]] = {}
    for row in connection.execute(wanted).mappings():
        told: dict[str, Any] = {field.name: row.get(field.name) for field in fields(Board)}
        shown.setdefault(row["check_id"], []).append(Board(**told))
    return shown


def _check(row: Row[Any], shown: Mapping[str, list[Board]]) -> Check:
    told = {field.name: row._mapping[field.name] for field in fields(Check) if field.name in row._mapping}
    is_running = row.state == "waiting" and row.job_state == "running"
    told |= {"state": "running" if is_running else row.state, "progress": row.progress or 0.0}
    return Check(**told, boards=tuple(shown.get(row.id, ())))


# ----------------------------------------------------------------------------------------------------- changing


def judge_again(store: Store, seen: Check, *, beside: Callable[[Connection], Found], **changes: object) -> Found | None:
    """Have a photo judged anew, with changes to its row and what ``beside`` writes in the same transaction.

    Returns what ``beside`` does; None if the check is gone or its picture is.  Until the photo is judged, its verdict
    of before stands.  Refused if somebody had it judged anew since it was ``seen``.  Ring the bell after it.
    """
    now = select(checks.c.picture, checks.c.job).where(checks.c.id == seen.id).with_for_update()
    with store.database.writing() as connection:
        row = connection.execute(now).one_or_none()
        if row is None or row.picture is None:
            return None
        if row.job != seen.job:
            raise Refused("conflict", "Somebody else was faster: the photo is judged anew.", "Look at it again.")
        job = store.jobs.add(connection, JUDGE, {"check": seen.id}, SOON)
        anew = update(checks).where(checks.c.id == seen.id).values(state="waiting", job=job, error=None, **changes)
        connection.execute(anew)
        return beside(connection)


def remove(store: Store, numbers: Sequence[str]) -> int:
    """Delete checks with their pictures; returns how many there were."""
    with store.database.writing() as connection:
        gone = connection.execute(select(checks.c.id, checks.c.picture).where(checks.c.id.in_(numbers))).all()
        for table, column in ((decisions, decisions.c.check_id), (boards, boards.c.check_id), (checks, checks.c.id)):
            connection.execute(delete(table).where(column.in_([row.id for row in gone])))
    for row in gone:
        forget_pictures(store, row.id, row.picture)
    return len(gone)


def remove_all(store: Store, purpose: str = "") -> int:
    """Delete all checks of a purpose."""
    with store.database.reading() as connection:
        numbers = list(connection.execute(select(checks.c.id).where(checks.c.purpose == purpose)).scalars())
    return sum(remove(store, numbers[first : first + 100]) for first in range(0, len(numbers), 100))


def count(store: Store, purpose: str = "") -> int:
    """How many checks of a purpose there are."""
    with store.database.reading() as connection:
        wanted = select(func.count()).select_from(checks).where(checks.c.purpose == purpose)
        return int(connection.execute(wanted).scalar_one())


def forget_pictures(store: Store, number: str, key: str | None) -> None:
    """Delete a check's photo and everything drawn from it; a baseline belongs to whoever kept it."""
    if key is not None:
        store.pictures.delete(key)
    store.pictures.delete_folder(drawings(number))


def drawings(number: str) -> str:
    """The folder of what was drawn for a check."""
    return f"drawings/{number}"


def sweep(store: Store, keep_days: float, today: int) -> int:
    """Delete pictures that are older than the setting; the verdicts stay.  Returns how many were deleted.

    ``today`` is what the page's own calendar shows, in milliseconds.
    """
    if keep_days == 0:
        return 0
    is_old = checks.c.kept_from_ms < today - keep_days * DAY_MS
    old = is_old & checks.c.picture.is_not(None) & (checks.c.state != "waiting")
    with store.database.writing() as connection:
        rows = connection.execute(select(checks.c.id, checks.c.picture).where(old)).all()
        connection.execute(update(checks).where(old).values(picture=None, drawn=None))
    for row in rows:
        forget_pictures(store, row.id, row.picture)
    return len(rows)
