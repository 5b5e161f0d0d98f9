"""The jobs that look at a picture of a clean board.  Only the worker's process comes here: the server sees no pixel."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, update

from referee.clean_board import lay_flat, look_at
from referee.errors import RefereeError
from referee.model import Json
from referee.service.boards import drafts
from referee.service.boards.drafts import Draft
from referee.service.checks.judging import only_pixels
from referee.service.jobs.kinds import Work
from referee.service.jobs.queue import After, Write
from referee.service.store.tables import board_drafts
from referee.words import LANGUAGES, told


def find_board(work: Work, payload: Json) -> Write:
    """Find a board's outline in its picture."""
    draft = drafts.found(work.store, str(payload["draft"]))
    if draft is None or draft.picture is None:
        return _nothing
    pictures = work.store.pictures
    work.tell(0.1, "finding")
    try:
        seen = look_at(pictures.read(draft.picture), draft.name)
    except RefereeError as fault:
        return _refused(work, draft, fault)
    corners = [[round(float(x), 2), round(float(y), 2)] for x, y in seen.corners_px]
    told_of = {"size_wh": list(seen.size_wh), "shown_scale": seen.shown_scale, "corners": corners, "found": seen.found}
    kept = {
        "picture": only_pixels(pictures, draft.picture, seen.photo),
        "shown": pictures.keep(seen.shown, drafts.FOLDER, ".jpg"),
    }
    return _written(work, draft, {**kept, "step": "corners", "seen": told_of, "error": None})


def lay_board_flat(work: Work, payload: Json) -> Write:
    """Lay a board flat by its corners, take the light off it, and look for what it shows."""
    draft = drafts.found(work.store, str(payload["draft"]))
    if draft is None or draft.picture is None:
        return _nothing
    pictures, seen = work.store.pictures, draft.seen
    work.tell(0.1, "laying")
    try:
        size_mm = float(seen["size_mm"][0]), float(seen["size_mm"][1])
        flat, suggestions = lay_flat(pictures.read(draft.picture), draft.name, seen["corners"], size_mm)
    except RefereeError as fault:
        error = _words_of(fault)
        return _written(work, draft, {"step": "corners", "error": error})
    tracing = {**draft.tracing, "size_mm": list(size_mm)}
    kept = {"flat": pictures.keep(flat, drafts.FOLDER, ".jpg"), "tracing": tracing, "suggestions": suggestions}
    return _written(work, draft, {**kept, "step": "tracing", "error": None})


def _refused(work: Work, draft: Draft, fault: RefereeError) -> Write:
    """A picture that cannot be read is not kept."""
    return _written(work, draft, {"step": "failed", "error": _words_of(fault), "picture": None})


def _words_of(fault: RefereeError) -> Json:
    words = {one: {"message": told(fault.message, one), "hint": told(fault.hint, one)} for one in LANGUAGES}
    return {"code": fault.code, "words": words}


def _written(work: Work, draft: Draft, values: dict[str, Any]) -> Write:
    """Write what was found, unless the draft was deleted, or laid flat by other corners, meanwhile."""

    def write(connection: Connection) -> After:
        mine = (board_drafts.c.id == draft.id) & (board_drafts.c.job == work.job.id)
        told_of = {**values, "version": board_drafts.c.version + 1}
        is_there = connection.execute(update(board_drafts).where(mine).values(**told_of)).rowcount > 0
        before = {draft.picture, draft.shown, draft.flat}
        after = {values.get("picture", draft.picture), values.get("shown", draft.shown), values.get("flat", draft.flat)}
        gone = before - after if is_there else after - before
        return lambda: _forget(work, gone)

    return write


def _forget(work: Work, keys: Iterable[str | None]) -> None:
    """Clear away the pictures that others have replaced, or that were made for a draft that is gone."""
    for key in keys:
        if key is not None:
            work.store.pictures.delete(key)


def _given_up(work: Work, _fault: str) -> Write:
    """What is said of a picture that nothing could look at."""

    def write(connection: Connection) -> None:
        mine = (board_drafts.c.id == work.job.payload["draft"]) & (board_drafts.c.job == work.job.id)
        connection.execute(update(board_drafts).where(mine).values(step="failed", error={"code": "fault"}))

    return write


find_board.given_up = _given_up  # type: ignore[attr-defined]
lay_board_flat.given_up = _given_up  # type: ignore[attr-defined]


def _nothing(_connection: Connection) -> None:
    """Nothing is to be written."""
