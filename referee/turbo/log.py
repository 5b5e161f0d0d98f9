"""A race as text: how it was set up, and everything done since.  It replays to the same position, or is refused.

    turbo log 1 ~89ab
    circuit 5f3a90c1 ~…              a check of the circuit that it was raced on
    counters 1 6 ~…                  what the counters can show
    turned 3.6.6 2.5 ~…              what the players turned for the start, those who had tied again
    obstacles * ~…                   on the dots, or the squares chosen
    3 counters 4 2 ~…                a player's deed, as in `deeds`
    3 move 3 4 a4 ~…
    end a2,b3,a4 … ~…                the position that it leads to

Each line ends with a check of itself and of all lines before it: whoever changes a line changes its check, and the line
is refused by its number.  (It finds slips, not forgers.)  A log written by hand has no checks, no line of it, and needs
no ``end``; its circuit may be ``*``: any.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from referee.errors import RefereeError
from referee.turbo.circuit import Circuit
from referee.turbo.deeds import Deed, deed_of, deed_text, number_of
from referee.turbo.faults import BadLog, BadNotation, BrokenRule
from referee.turbo.position import STANDARD, Position, Scale, obstacles_of
from referee.turbo.race import set_up, step
from referee.turbo.words import say

TITLE = "turbo log 1"
ANY = "*"
LONGEST, MOST_LINES = 500, 20_000
"""A line's letters, a log's lines; a race has some hundred."""
MOST_ROUNDS = 50


@dataclass(frozen=True)
class Entry:
    """A deed, by whom (from 0), and the position that it led to."""

    player: int
    deed: Deed
    after: Position


@dataclass(frozen=True)
class Log:
    """A race so far: how it was set up, and what was done since.  ``checked``: no line of it was changed."""

    start: Position
    rounds: tuple[tuple[int, ...], ...]
    entries: tuple[Entry, ...] = ()
    checked: bool = True

    @property
    def position(self) -> Position:
        """Where the race stands."""
        return self.entries[-1].after if self.entries else self.start

    def then(self, deed: Deed, player: int | None = None) -> Log:
        """The race a deed later; raises `BrokenRule`."""
        entry = Entry(self.position.player, deed, step(self.position, deed, player))
        return replace(self, entries=(*self.entries, entry))


def begun(
    circuit: Circuit, rounds: Sequence[Sequence[int]], obstacles: Sequence[str] | None = None, scale: Scale = STANDARD
) -> Log:
    """The log of a race that is set up; raises `BrokenRule`."""
    return Log(set_up(circuit, rounds, obstacles, scale), tuple(map(tuple, rounds)))


# ----------------------------------------------------------------------------------------- writing


def write(log: Log) -> str:
    """The log as text, every line checked."""
    lines, check = [], 0
    for line in [*_head(log), *map(entry_text, log.entries), f"end {log.position.text}"]:
        check = _check(check, line)
        lines.append(f"{line} ~{check:04x}\n")
    return "".join(lines)


def _check(before: int, line: str) -> int:
    """Sixteen bits that hang on a line and on all lines before it."""
    return zlib.crc32(f"{before:04x}{line}".encode()) & 0xFFFF


def _head(log: Log) -> Iterator[str]:
    start = log.start
    yield TITLE
    yield f"circuit {circuit_check(start.circuit)}"
    yield f"counters {start.scale.lowest} {start.scale.highest}"
    yield "turned " + " ".join(".".join(map(str, numbers)) for numbers in log.rounds)
    yield "obstacles " + start.text.split(" ")[2]


def circuit_check(circuit: Circuit) -> str:
    """Eight letters that hang on everything that a circuit is raced by."""
    squares = [(s.name, s.lane, s.row, s.links, sorted(s.features)) for s in circuit.squares]
    lines = [(sorted(line.inside), sorted(line.outside)) for line in circuit.yellow_lines]
    return f"{zlib.crc32(repr((sorted(squares), sorted(lines), circuit.finish)).encode()):08x}"


def entry_text(entry: Entry) -> str:
    """A deed as a line of a log, without its check."""
    return f"{entry.player + 1} {deed_text(entry.deed)}"


# ----------------------------------------------------------------------------------------- reading


def read(text: str, circuit: Circuit) -> Log:
    """The log of a text, replayed; raises `BadLog` with the first line that does not fit, and the rule it breaks."""
    lines = text.splitlines()
    if len(lines) > MOST_LINES:
        raise BadLog(MOST_LINES, say("log.too-long", most=MOST_LINES), say("log.take-whole"))
    checked = bool(lines) and _parted(lines[0])[1] is not None
    bare = _Lines(lines, checked)
    start = _start(bare, circuit)
    log = replace(start, checked=checked)
    entries: list[Entry] = []
    position = log.start
    for number, line in bare:
        if line.startswith("end "):
            return _ended(bare, replace(log, entries=tuple(entries)), number, line)
        entries.append(_entry(position, bare, number, line))
        position = entries[-1].after
    if checked:
        raise BadLog(len(lines), say("log.no-end"), say("log.take-whole"))
    return replace(log, entries=tuple(entries))


class _Lines:
    """The lines of a log one after the other, each held against its check when it has been understood."""

    def __init__(self, lines: Sequence[str], checked: bool) -> None:
        self.lines = lines
        self.checked = checked
        self.at = 0
        self.check = 0

    def __iter__(self) -> Iterator[tuple[int, str]]:
        while self.at < len(self.lines):
            yield self.take()

    def take(self) -> tuple[int, str]:
        """The next line without its check, and its number."""
        if self.at >= len(self.lines):
            raise BadLog(self.at + 1, say("log.cut-off"), say("log.take-whole"))
        self.at += 1
        line = self.lines[self.at - 1]
        if len(line) > LONGEST:
            raise BadLog(self.at, say("log.long-line", most=LONGEST), say("log.take-whole"))
        return self.at, _parted(line)[0]

    def vouch(self, rule: str | None = None) -> None:
        """The line just taken was not changed; ``rule`` is what it falls under."""
        line, said = _parted(self.lines[self.at - 1])
        if (said is not None) != self.checked:
            raise BadLog(self.at, say("log.some-checks"), say("log.take-whole"), rule)
        self.check = _check(self.check, line)
        if self.checked and said != f"{self.check:04x}":
            raise BadLog(self.at, say("log.changed"), say("log.take-whole"), rule)


def _parted(line: str) -> tuple[str, str | None]:
    """A line and its check; None if it has none."""
    bare, mark, check = line.rpartition(" ~")
    return (bare, check) if mark else (line.rstrip(), None)


def _start(lines: _Lines, circuit: Circuit) -> Log:
    """The race as the first five lines set it up."""
    _, title = lines.take()
    if title != TITLE:
        raise BadLog(1, say("log.title", wanted=TITLE), say("log.name-one"))
    lines.vouch()
    number, (check,) = _words(lines, "circuit", 1)
    if check not in (circuit_check(circuit), ANY):
        raise BadLog(number, say("log.other-circuit"), say("log.name-circuit"), "T1")
    scale = _scale(*_words(lines, "counters", 2))
    rounds = _rounds(*_words(lines, "turned"))
    _started(lines.at, circuit, rounds, None, scale)
    number, (obstacles,) = _words(lines, "obstacles", 1)
    return _started(number, circuit, rounds, obstacles, scale)


def _words(lines: _Lines, name: str, count: int | None = None) -> tuple[int, list[str]]:
    """A line of the head that begins with a name and has so many words more."""
    number, line = lines.take()
    first, *words = line.split(" ")
    if first != name or (len(words) != count if count else not 1 <= len(words) <= MOST_ROUNDS):
        raise BadLog(number, say("log.head", wanted=name), say("log.take-whole"), "T1")
    lines.vouch("T1")
    return number, words


def _scale(number: int, words: list[str]) -> Scale:
    try:
        lowest, highest = map(number_of, words)
        return Scale(lowest, highest)
    except BadNotation as error:
        raise _at(number, error) from None


def _rounds(number: int, words: list[str]) -> list[list[int]]:
    try:
        return [[number_of(word) for word in numbers.split(".")] for numbers in words]
    except BadNotation as error:
        raise _at(number, error) from None


def _started(number: int, circuit: Circuit, rounds: list[list[int]], obstacles: str | None, scale: Scale) -> Log:
    try:
        chosen = None if obstacles is None else sorted(obstacles_of(obstacles, circuit))
        return begun(circuit, rounds, chosen, scale)
    except RefereeError as error:
        raise _at(number, error) from None


def _entry(position: Position, lines: _Lines, number: int, line: str) -> Entry:
    """One deed more."""
    who, _, text = line.partition(" ")
    try:
        if who not in ("1", "2", "3", "4"):
            raise BadNotation("who", came=who[:20])
        deed = deed_of(text)
        entry = Entry(int(who) - 1, deed, step(position, deed, int(who) - 1))
    except RefereeError as error:
        raise _at(number, error, "T2") from None
    lines.vouch("T2")
    return entry


def _ended(lines: _Lines, log: Log, number: int, line: str) -> Log:
    """The whole log: its last line names the position that it leads to."""
    if line != f"end {log.position.text}":
        raise BadLog(number, say("log.other-end"), say("log.take-whole"), "T2")
    lines.vouch()
    if lines.at < len(lines.lines):
        raise BadLog(number + 1, say("log.after-end"), say("log.take-whole"))
    return log


def _at(line: int, error: RefereeError, rule: str | None = "T1") -> BadLog:
    """What is wrong, with the line that it stands in."""
    return BadLog(line, error.message, error.hint, error.rule if isinstance(error, BrokenRule) else rule)
