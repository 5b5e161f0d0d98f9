"""What the photos of "Check photos" tell the history (`referee.service.past`).

The photos of a challenge or a race are told by these, except that the export takes all photos from here: a photo is
kept in one way, whatever it is for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from flask import url_for
from sqlalchemy import Connection, Row, select

from referee.model import Json
from referee.service import language
from referee.service.checks import deciding, shelf
from referee.service.checks.shelf import count, remove, sweep
from referee.service.past import BestTime, Entry, File, Mark, Outcome, all_rows, as_file, page
from referee.service.store.open import Store
from referee.service.store.tables import boards, checks

__all__ = ["best_times", "count", "entries", "entry", "files", "remove", "remove_all", "sweep"]

KIND = "checks"
AT_ONCE = 50
ENDINGS = (
    (b"\xff\xd8", "jpg"),
    (b"\x89PNG", "png"),
    (b"RIFF", "webp"),
    (b"GIF8", "gif"),
    (b"BM", "bmp"),
    (b"II", "tif"),
)
OTHER_ENDING = "heic"
"""What begins otherwise is one of the containers of HEIF."""


def entries(store: Store, most: int, mark: Mark | None) -> list[Entry]:
    """The latest photos, without their reports: these are long."""
    with store.database.reading() as connection:
        wanted = _newest_first().where(checks.c.purpose == "").limit(most)
        rows = connection.execute(
            wanted if mark is None else wanted.where(mark.after(checks.c.number, checks.c.id))
        ).all()
        shown = _boards(connection, [row.id for row in rows])
    return [_entry(row, shown.get(row.id, [])) for row in rows]


def entry(store: Store, id: str) -> Entry | None:
    """One photo."""
    with store.database.reading() as connection:
        row = connection.execute(_newest_first().where(checks.c.id == id, checks.c.purpose == "")).one_or_none()
        return None if row is None else _entry(row, _boards(connection, [id]).get(id, []))


def _newest_first() -> Any:
    columns = [checks.c[name] for name in ("id", "number", "created_at", "name", "state", "drawn", "picture")]
    return select(*columns).order_by(checks.c.number.desc(), checks.c.id)


def _boards(connection: Connection, numbers: Sequence[str]) -> dict[str, list[Any]]:
    columns = (boards.c.check_id, boards.c.verdict, boards.c.words)
    wanted = select(*columns).where(boards.c.check_id.in_(numbers)).order_by(boards.c.check_id, boards.c.number)
    shown: dict[str, list[Any]] = {}
    for row in connection.execute(wanted):
        shown.setdefault(row.check_id, []).append(row)
    return shown


def _entry(row: Row[Any], shown: Sequence[Any]) -> Entry:
    told = tuple(_outcome(board.verdict, board.words[language.chosen()]) for board in shown)
    if row.state != "judged":
        told = (Outcome(row.state, language.say(f"checks.state.{row.state}")),)
    thumb = url_for("checks.picture", number=row.id, name="thumb.jpg") if row.drawn and row.picture else None
    return Entry(
        KIND, row.id, row.number, row.created_at, row.name, url_for("checks.one", number=row.id), told, thumb=thumb
    )


def _outcome(verdict: str, words: Mapping[str, str]) -> Outcome:
    line = words["line"] or language.say("checks.not_judged", why=words["message"])
    return Outcome(verdict, f"{line} {words['heading']}")


def best_times(_store: Store) -> Iterator[BestTime]:
    """None: nobody held a clock beside a photo."""
    return iter(())


def remove_all(store: Store, _won: bool) -> int:
    """Delete all photos, whatever they are for: this is called where all else goes, too, and none may be left over.

    Returns how many entries there were; a photo of a challenge or a race is none.
    """
    entries = count(store)
    while rows := page(store, checks, AT_ONCE, None):
        shelf.remove(store, [row.id for row in rows])
    return entries


# ----------------------------------------------------------------------------------------------------- the export


def files(store: Store, pictures: bool) -> Iterator[File]:
    """Every photo's reports and decisions, and the photo itself; those of challenges and races, too."""
    for row in all_rows(store, checks, AT_ONCE):
        yield from _files(store, row, pictures)


def _files(store: Store, row: Row[Any], pictures: bool) -> Iterator[File]:
    check = shelf.found(store, row.id)
    if check is None:  # deleted while the export was under way
        return
    yield File(f"checks/{row.id}.json", row.created_at, as_file(_told(store, check)))
    if pictures and (file := picture_file(store, check.picture, row.id, row.created_at)) is not None:
        yield file


def picture_file(store: Store, key: str | None, name: str, at: float) -> File | None:
    """A kept picture for the export; None if it is gone."""
    if key is None:
        return None
    try:
        content = store.pictures.opened(key)
    except FileNotFoundError:
        return None
    ending = ending_of(content.read(4))
    content.seek(0)
    return File(f"pictures/{name}.{ending}", at, content)


def ending_of(beginning: bytes) -> str:
    """How a picture's file should be called by its first bytes.

    >>> ending_of(b"\\xff\\xd8\\xff\\xe0"), ending_of(b"\\x00\\x00\\x00\\x18")
    ('jpg', 'heic')
    """
    return next((ending for first, ending in ENDINGS if beginning.startswith(first)), OTHER_ENDING)


def _told(store: Store, check: shelf.Check) -> Json:
    names = ("id", "name", "created_at", "state", "purpose", "said_stage", "options", "judged_at", "error")
    told: Json = {name: getattr(check, name) for name in names}
    told["boards"] = [{"number": board.number, "report": board.report} for board in check.boards]
    told["decisions"] = [vars(one) for one in deciding.of_check(store, check.id)]
    return told
