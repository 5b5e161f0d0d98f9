"""The export's tables: CSV that no spreadsheet takes for formulas."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from typing import BinaryIO, cast
from urllib.parse import urljoin

from flask import request

from referee.race.clock import shown
from referee.service.checks.table import harmless
from referee.service.history.best import Best
from referee.service.language import iso, say
from referee.service.past import BestTime, Entry

HISTORY = ("kind", "when", "title", "outcome", "time", "practice", "address")
BEST = ("best_of", "rank", "time", "who", "when", "on_honour", "by_wall", "address")


class Lines(io.RawIOBase):
    """A file that is made while it is read: lines, one after the other."""

    def __init__(self, lines: Iterator[bytes]) -> None:
        self._lines = lines
        self._rest = b""

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, into: memoryview) -> int:  # type: ignore[override]
        """Fill in what comes next; 0 at the end."""
        while not self._rest:
            line = next(self._lines, None)
            if line is None:
                return 0
            self._rest = line
        taken = self._rest[: len(into)]
        into[: len(taken)] = taken
        self._rest = self._rest[len(taken) :]
        return len(taken)


def as_file(columns: Iterable[str], rows: Iterable[Iterable[str]]) -> BinaryIO:
    """A CSV file of rows that are made while it is read; the titles are the words ``history.table.<column>``."""
    titles = [say(f"history.table.{column}") for column in columns]
    return cast(BinaryIO, io.BufferedReader(Lines(_lines(titles, rows))))


def _lines(titles: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[bytes]:
    yield b"\xef\xbb\xbf" + _line(titles)  # some spreadsheets take it for something else than UTF-8 otherwise
    for row in rows:
        yield _line(row)


def _line(cells: Iterable[str]) -> bytes:
    out = io.StringIO()
    csv.writer(out, quoting=csv.QUOTE_ALL).writerow([harmless(cell) for cell in cells])
    return out.getvalue().encode(errors="replace")


def history_rows(entries: Iterable[Entry]) -> Iterator[list[str]]:
    """A row for each outcome of each entry."""
    for entry in entries:
        time = "" if entry.time_ms is None else shown(entry.time_ms)
        practice = say("history.yes") if entry.practice else ""
        for outcome in entry.outcomes:
            kind = say(f"history.kind.{entry.kind}")
            yield [kind, iso(entry.at), entry.title, outcome.words, time, practice, _address(entry.link)]


def best_rows(best: Best) -> Iterator[list[str]]:
    """A row for each of the best times."""
    for stage, times in best.stages.items():
        yield from _ranked(say("stage", number=stage), times)
    for challenge, times in best.challenges.items():
        yield from _ranked(challenge, times)


def _ranked(of: str, times: Iterable[BestTime]) -> Iterator[list[str]]:
    for rank, time in enumerate(times, 1):
        marks = [say("history.yes") if mark else "" for mark in (time.on_honour, time.by_wall)]
        yield [of, str(rank), shown(time.ms), time.who, iso(time.at), *marks, _address(time.link)]


def _address(link: str) -> str:
    """A link of this page as it can be opened from a spreadsheet; none stays none."""
    return urljoin(request.url_root, link) if link else ""
