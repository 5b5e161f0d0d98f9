"""A log's lines: each ends with a check of itself and of all lines before it.

Whoever changes a line changes its check, and the line is refused by its number.  (It finds slips, not forgers.)  A log
written by hand has no checks, no line of it, and needs no ``end``.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from referee.errors import RefereeError
from referee.tabletop.faults import BadLog, BrokenRule
from referee.words import Phrase

END = "end "
"""The last line begins so, and names the position that all others lead to."""


@dataclass(frozen=True)
class Style:
    """What a game's logs look like.

    ``title`` is their first line; ``longest`` a line's letters and ``most_lines`` a log's lines at most;
    ``set_up_rule`` what the first lines fall under, ``refusal`` how the game says that a log does not replay.
    """

    title: str
    longest: int
    most_lines: int
    set_up_rule: str
    refusal: type[BadLog]

    def opened(self, text: str) -> Lines:
        """The lines of a text behind its title; raises ``refusal``."""
        lines = Lines(self, text.splitlines())
        if len(lines.lines) > self.most_lines:
            raise lines.refusal(lines.say("log.too-long", most=self.most_lines), at=self.most_lines)
        _, title = lines.take()
        if title != self.title:
            raise lines.refusal(lines.say("log.title", wanted=self.title), lines.say("log.name-one"))
        lines.vouch()
        return lines


def sealed(lines: Iterable[str]) -> str:
    """A log's text: every line with its check."""
    sealed_lines, check = [], 0
    for line in lines:
        check = _check(check, line)
        sealed_lines.append(f"{line} ~{check:04x}\n")
    return "".join(sealed_lines)


class Lines:
    """The lines of a log one after the other, each held against its check when it has been understood."""

    def __init__(self, style: Style, lines: list[str]) -> None:
        self.style = style
        self.lines = lines
        self.checked = bool(lines) and _parted(lines[0])[1] is not None
        self.at = 0
        self.check = 0

    def __iter__(self) -> Iterator[tuple[int, str]]:
        while self.at < len(self.lines):
            yield self.take()

    def take(self) -> tuple[int, str]:
        """The next line without its check, and its number."""
        self.at += 1
        if self.at > len(self.lines):
            raise self.refusal(self.say("log.cut-off"))
        line = self.lines[self.at - 1]
        if len(line) > self.style.longest:
            raise self.refusal(self.say("log.long-line", most=self.style.longest))
        return self.at, _parted(line)[0]

    def vouch(self, rule: str | None = None) -> None:
        """The line just taken was not changed; ``rule`` is what it falls under."""
        line, said = _parted(self.lines[self.at - 1])
        if (said is not None) != self.checked:
            raise self.refusal(self.say("log.some-checks"), rule=rule)
        self.check = _check(self.check, line)
        if self.checked and said != f"{self.check:04x}":
            raise self.refusal(self.say("log.changed"), rule=rule)

    def words(self, name: str, fewest: int, most: int | None = None) -> tuple[int, list[str]]:
        """The number of the next line, which sets something up, and its words behind its name, as few or as many."""
        number, line = self.take()
        first, *words = line.split(" ")
        if first != name or not fewest <= len(words) <= (most or fewest):
            raise self.refusal(self.say("log.head", wanted=name), rule=self.style.set_up_rule)
        self.vouch(self.style.set_up_rule)
        return number, words

    def end(self, line: str, position: str, rule: str) -> None:
        """The last line names the position that all others lead to, and nothing stands behind it."""
        if line != f"{END}{position}":
            raise self.refusal(self.say("log.other-end"), rule=rule)
        self.vouch()
        if self.at < len(self.lines):
            raise self.refusal(self.say("log.after-end"), at=self.at + 1)

    def no_end(self) -> None:
        """There was no last line: only a log without checks does without."""
        if self.checked:
            raise self.refusal(self.say("log.no-end"), at=len(self.lines))

    def say(self, key: str, **parts: object) -> Phrase:
        """A sentence of the game."""
        return self.style.refusal.say(key, **parts)

    def refusal(self, why: str, cure: str | None = None, rule: str | None = None, at: int | None = None) -> BadLog:
        """What is wrong with the line just taken, or with another."""
        return self.style.refusal(at or self.at, why, cure or self.say("log.take-whole"), rule)

    def as_refusal(self, error: RefereeError, rule: str | None = None) -> BadLog:
        """What the game's rules or its notation find wrong with the line just taken."""
        rule = error.rule if isinstance(error, BrokenRule) else rule or self.style.set_up_rule
        return self.refusal(error.message, error.hint, rule)


def _check(before: int, line: str) -> int:
    """Sixteen bits that hang on a line and on all lines before it."""
    return zlib.crc32(f"{before:04x}{line}".encode()) & 0xFFFF


def _parted(line: str) -> tuple[str, str | None]:
    """A line and its check; None if it has none."""
    bare, mark, check = line.rpartition(" ~")
    return (bare, check) if mark else (line.rstrip(), None)
