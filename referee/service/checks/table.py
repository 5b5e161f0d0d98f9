"""The results of many photos as one table."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from referee.service.checks.shelf import Board, Check
from referee.service.language import say

COLUMNS = ("photo", "stage", "copy", "verdict", "finished", "accidents", "told", "handed_in", "address")
"""Their titles are the words ``checks.table.<column>``."""
FORMULA = ("=", "+", "-", "@", "\t", "\r")
INSIDE = re.compile(r"([;\t\r\n]\s*\"*)(?=[=+@-])")
"""Where a spreadsheet that parts cells at something else than commas would see a formula begin in the midst of one."""


def csv_text(checks: Sequence[Check], language: str) -> str:
    """A row a board, the first row being titles."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow([say(f"checks.table.{column}", language) for column in COLUMNS])
    for check in checks:
        writer.writerows([harmless(cell) for cell in row] for row in _rows(check, language))
    return out.getvalue()


def harmless(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula.

    >>> harmless("=1+1"), harmless("race.jpg"), harmless("a;=1+1")
    ("'=1+1", 'race.jpg', "a;'=1+1")
    """
    cell = INSIDE.sub(r"\1'", cell)
    return f"'{cell}" if cell.startswith(FORMULA) else cell


def _rows(check: Check, language: str) -> Iterator[list[str]]:
    when = datetime.fromtimestamp(check.created_at, UTC).isoformat(timespec="seconds")
    for board in check.boards:
        yield [check.name, *_cells(board, language), when, f"/checks/{check.id}"]
    if not check.boards:
        state = say(f"checks.state.{check.state}", language)
        yield [check.name, "", "", state, "", "", "", when, f"/checks/{check.id}"]


def _cells(board: Board, language: str) -> list[str]:
    words = board.words[language]
    told = words["line"] or f"{words['message']} {words['hint']}"
    verdict = say(f"checks.verdict.{board.verdict}", language)
    if board.verdict == "error":
        return [str(board.stage or ""), board.copy or "", verdict, "", "", told]
    finished = say(f"checks.{'yes' if board.finished else 'no'}", language)
    return [str(board.stage or ""), board.copy or "", verdict, finished, str(board.accidents), told]
