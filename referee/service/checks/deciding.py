"""What people decide: confirming or overruling the referee, who and when and why, and taking it back.

A question is named as reports name it; which one somebody means is looked up in the report that is on the shelf, so
that nothing else than a question of the referee's can be answered.  The rules then run again with all answers.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import dist
from typing import Any

from sqlalchemy import Connection, insert, select, update

from referee.model import Json
from referee.service.checks.shelf import Board, Check, judge_again
from referee.service.store.open import Store
from referee.service.store.tables import decisions
from referee.words import LANGUAGES

LONGEST_WHO = 80
LONGEST_WHY = 500
SAME_MM = 0.05
NAMED_BY = ("rule", "kind", "element", "at_mm", "stroke")
ANSWERS = ("yes", "no")


@dataclass(frozen=True)
class Question:
    """A question of a board's report: ``open`` if the verdict waits for its answer.

    ``key`` is its place in the report, ``about`` its name; ``answer`` is what the referee or a person has said to it.
    """

    key: str
    about: Json
    ask: Mapping[str, str]
    open: bool
    answer: str | None
    certain: bool


@dataclass(frozen=True)
class Decision:
    """What somebody decided; ``taken_back_at`` is None as long as it holds."""

    id: int
    board: int
    about: Json
    ask: Json
    answer: str
    who: str
    why: str
    decided_at: float
    taken_back_at: float | None


def questions(board: Board) -> list[Question]:
    """All questions of a board: the open ones first, then those that the referee answered itself."""
    report = board.report or {}
    asked = [(f"question-{n}", one) for n, one in enumerate(_asked(report), 1)]
    calls = [(f"call-{n}", one) for n, one in enumerate(report.get("calls", ()), 1)]
    names = [_name(one) for _, one in asked]
    rest = [(key, one) for key, one in calls if _name(one) not in names]
    return [_question(board, key, one) for key, one in (*asked, *rest)]


def asks(report: Json) -> dict[str, str]:
    """Every question of a report in its language, by its key."""
    told = {f"question-{n}": one["ask"] for n, one in enumerate(_asked(report), 1)}
    return told | {f"call-{n}": one["ask"] for n, one in enumerate(report.get("calls", ()), 1)}


def _asked(report: Json) -> Iterator[Json]:
    return (reason["question"] for reason in report.get("reasons", ()) if reason.get("question"))


def _name(one: Json) -> Json:
    return {part: one.get(part) for part in NAMED_BY}


def _question(board: Board, key: str, one: Json) -> Question:
    ask: dict[str, str] = {language: board.words[language]["asks"][key] for language in LANGUAGES}
    is_open = key.startswith("question")
    return Question(
        key, _name(one), ask, is_open, None if is_open else one["answer"], not is_open and bool(one.get("certain"))
    )


def named(board: Board, about: Mapping[str, Any]) -> Question | None:
    """The question that has this name: rule, kind and element the same, the place as near as reports round it."""

    def fits(question: Question) -> bool:
        own = question.about
        same = all(about.get(part) == own[part] for part in ("rule", "kind", "element"))
        return same and about.get("stroke") in (None, own["stroke"]) and dist(about["at_mm"], own["at_mm"]) < SAME_MM

    return next((question for question in questions(board) if fits(question)), None)


def cleaned(words: str) -> str:
    """What somebody wrote, in one line and without what steers a screen."""
    return "".join(letter if letter.isprintable() else " " for letter in words).strip()


# ----------------------------------------------------------------------------------------------------------- deciding


def decide(store: Store, check: Check, board: Board, question: Question, answer: str, who: str, why: str) -> int | None:
    """Write a decision down and have the photo judged again with it; its number, None if the picture is gone.

    An earlier decision about the same question is taken back by it.
    """
    now = time.time()
    about = {**question.about, "stage": board.stage, "copy": board.copy, **_side(board)}

    def write(connection: Connection) -> int:
        for one in _rows(connection, check.id, held=True):
            if one.about == about:
                _take_back(connection, one.id, now)
        row = {"check_id": check.id, "board": board.number, "about": about, "ask": dict(question.ask)}
        row |= {"answer": answer, "who": who, "why": why, "decided_at": now}
        return int(connection.execute(insert(decisions).values(**row).returning(decisions.c.id)).scalar_one())

    return judge_again(store, check, beside=write)


def _side(board: Board) -> Json:
    """Which a board without markers is of two of its stage, where there are two."""
    lies = (board.report or {}).get("board") or {}
    return {"side": lies["side"]} if lies.get("side") else {}


def take_back(store: Store, check: Check, number: int) -> bool:
    """Take a decision back and have the photo judged again; False if there is none that holds, or the picture is gone.

    It stays on the list, with the time.
    """
    if number not in {one.id for one in of_check(store, check.id) if one.taken_back_at is None}:
        return False
    now = time.time()
    return judge_again(store, check, beside=lambda connection: _take_back(connection, number, now)) is not None


def take_all_back(connection: Connection, check: str) -> None:
    """Take all decisions about a photo back: it is judged as another stage, which knows none of the questions."""
    now = time.time()
    for one in _rows(connection, check, held=True):
        _take_back(connection, one.id, now)


def of_check(store: Store, check: str) -> list[Decision]:
    """All decisions about a photo, those that were taken back included, in the order in which they were made."""
    with store.database.reading() as connection:
        return _rows(connection, check)


def that_hold(store: Store, numbers: Sequence[str]) -> dict[str, list[Decision]]:
    """The decisions about some checks that were not taken back, by their check."""
    wanted = select(decisions).where(decisions.c.check_id.in_(numbers), decisions.c.taken_back_at.is_(None))
    found: dict[str, list[Decision]] = {}
    with store.database.reading() as connection:
        for row in connection.execute(wanted.order_by(decisions.c.id)).mappings():
            told = {name: value for name, value in row.items() if name != "check_id"}
            found.setdefault(row["check_id"], []).append(Decision(**told))
    return found


def for_the_rules(one: Decision) -> Json:
    """A decision as the rules take it: the fields of `referee.model.Decision`."""
    about = one.about
    when = datetime.fromtimestamp(one.decided_at).astimezone().strftime("%Y-%m-%d %H:%M")
    told: Json = {part: about.get(part) for part in ("rule", "kind", "element", "stroke", "stage", "copy", "side")}
    return told | {
        "at_mm": tuple(about["at_mm"]),
        "answer": one.answer,
        "reason": one.why,
        "who": one.who,
        "when": when,
    }


def _rows(connection: Connection, check: str, *, held: bool = False) -> list[Decision]:
    columns = [column for column in decisions.c if column is not decisions.c.check_id]
    wanted = select(*columns).where(decisions.c.check_id == check).order_by(decisions.c.id)
    if held:
        wanted = wanted.where(decisions.c.taken_back_at.is_(None))
    return [Decision(**row) for row in connection.execute(wanted).mappings()]


def _take_back(connection: Connection, number: int, now: float) -> bool:
    connection.execute(update(decisions).where(decisions.c.id == number).values(taken_back_at=now))
    return True
