"""The results of many photos as one table."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime

from referee.service.checks.deciding import Decision
from referee.service.checks.shelf import Board, Check
from referee.service.language import iso, say

COLUMNS = (
    "photo",
    "stage",
    "copy",
    "verdict",
    "finished",
    "accidents",
    "told",
    "decided_by",
    "decided",
    "handed_in",
    "address",
)
"""Their titles are the words ``checks.table.<column>``."""
FORMULA = ("=", "+", "-", "@", "\t", "\r")
INSIDE = re.compile(r"([;\t\r\n]\s*\"*)(?=[=+@-])")
"""Where a spreadsheet that parts cells at something else than commas would see a formula begin in the midst of one."""

Decided = Mapping[str, Sequence[Decision]]
"""The decisions that hold, by their check."""


def csv_lines(some: Iterable[tuple[Sequence[Check], Decided]], language: str, root: str) -> Iterator[str]:
    """A line a board, the first being titles; ``root`` stands before the addresses of photos."""
    yield _line([say(f"checks.table.{column}", language) for column in COLUMNS])
    for checks, decided in some:
        for check in checks:
            for row in _rows(check, decided.get(check.id, ()), language, root):
                yield _line(row)


def _line(cells: Sequence[str]) -> str:
    out = io.StringIO()
    csv.writer(out).writerow([harmless(cell) for cell in cells])
    return out.getvalue()


def harmless(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula.

    >>> harmless("=1+1"), harmless("race.jpg"), harmless("a;=1+1")
    ("'=1+1", 'race.jpg', "a;'=1+1")
    """
    cell = INSIDE.sub(r"\1'", cell)
    return f"'{cell}" if cell.startswith(FORMULA) else cell


def _rows(check: Check, decided: Sequence[Decision], language: str, root: str) -> Iterator[list[str]]:
    when = datetime.fromtimestamp(check.created_at, UTC).isoformat(timespec="seconds")
    address = f"{root}/checks/{check.id}"
    for board in check.boards:
        mine = [one for one in decided if one.board == board.number]
        yield [check.name, *_cells(board, language), *_people(mine, language), when, address]
    if not check.boards:
        state = say(f"checks.state.{check.state}", language)
        yield [check.name, "", "", state, "", "", "", "", "", when, address]


def _cells(board: Board, language: str) -> list[str]:
    words = board.words[language]
    told = words["line"] or f"{words['message']} {words['hint']}"
    verdict = say(f"checks.verdict.{board.verdict}", language)
    if board.verdict == "error":
        return [str(board.stage or ""), board.copy or "", verdict, "", "", told]
    finished = say(f"checks.{'yes' if board.finished else 'no'}", language)
    return [str(board.stage or ""), board.copy or "", verdict, finished, str(board.accidents), told]


def _people(decided: Sequence[Decision], language: str) -> list[str]:
    """Who decided about a board, and what, why and when."""
    who = ", ".join(dict.fromkeys(one.who for one in decided))
    return [who, " | ".join(_decision(one, language) for one in decided)]


def _decision(one: Decision, language: str) -> str:
    told = say("checks.decide.told", language, who=one.who, why=one.why)
    return f"{one.ask[language]} {say(f'checks.decide.{one.answer}', language)} {told} {iso(one.decided_at)}"
