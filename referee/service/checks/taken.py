"""Photos that were taken for a challenge or a race: what came of each, as those who play hear it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypedDict, cast

from sqlalchemy import Column, Row, Select, String, Table, func, select
from sqlalchemy import cast as cast_to

from referee.race.drive import Call
from referee.service.checks.shelf import Board
from referee.service.store.tables import checks, decisions

SETTLED = ("judged", "failed")
"""The states in which a photo has its say."""


@dataclass(frozen=True)
class Taken:
    """What came of a photo; ``stamp`` changes with whatever happens to its check, ``told`` is the stamp last heard."""

    check: str
    state: str
    stamp: str
    told: str
    decided: bool

    @property
    def has_news(self) -> bool:
        """Whether it has something to say that has not been heard."""
        return self.state in SETTLED and self.stamp != self.told


class TakenFields(TypedDict):
    """The fields of `Taken`."""

    check: str
    state: str
    stamp: str
    told: str
    decided: bool


def rows_of(photos: Table) -> Select[Any]:
    """The rows of a table of photos (``check_id``, ``told``), with what `taken` needs of their checks."""
    about = select(func.count().label("all"), func.count(decisions.c.taken_back_at).label("back"), decisions.c.check_id)
    about_checks = about.group_by(decisions.c.check_id).subquery()
    return (
        select(photos, checks.c.state, checks.c.job, about_checks.c.all, about_checks.c.back)
        .join(checks, checks.c.id == photos.c.check_id)
        .outerjoin(about_checks, about_checks.c.check_id == checks.c.id)
    )


def taken(row: Row[Any]) -> TakenFields:
    """What came of a photo by its row."""
    decided, stamp = (row.all or 0) > (row.back or 0), stamp_of(row.state, row.job)
    return {"check": row.check_id, "state": row.state, "stamp": stamp, "told": row.told, "decided": decided}


def stamp_of(state: str, job: int | None) -> str:
    """The stamp of a photo: whatever somebody does to it has it judged anew, which is another job."""
    return f"{state} {job or 0}"


def with_news(photos: Table, key: Column[str]) -> Select[Any]:
    """Whose photos (``key`` in a table of photos) may have something to say that has not been heard."""
    stamp = checks.c.state + " " + cast_to(func.coalesce(checks.c.job, 0), String)
    of_checks = select(key).join(checks, checks.c.id == photos.c.check_id)
    return of_checks.where(checks.c.state.in_(SETTLED), photos.c.told != stamp).distinct()


def call_of(board: Board, photo: Taken) -> Call:
    """What is known of a driven board from its picture, and from whoever decided about it."""
    events = (board.report or {}).get("events", [])
    doubtful = sum(event["kind"] == "accident" and not event.get("certain", True) for event in events)
    by: Literal["person", "picture"] = "person" if photo.decided else "picture"
    return Call(cast(Any, board.verdict), board.accidents, doubtful, by, photo.check)
