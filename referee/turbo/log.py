"""A race as text: how it was set up, and everything done since.  It replays to the same position, or is refused.

    turbo log 1 ~89ab
    circuit 5f3a90c1 ~…              a check of the circuit that it was raced on
    counters 1 6 ~…                  what the counters can show
    turned 3.6.6 2.5 ~…              what the players turned for the start, those who had tied again
    obstacles * ~…                   on the dots, or the squares chosen
    3 counters 4 2 ~…                a player's deed, as in `deeds`
    3 move 3 4 a4 ~…
    end a2,b3,a4 … ~…                the position that it leads to

Each line ends with its check, as in `tabletop.log`.  The circuit of a log written by hand may be ``*``: any.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from referee.errors import RefereeError
from referee.tabletop.log import END, Lines, Style, sealed
from referee.turbo.circuit import Circuit
from referee.turbo.deeds import Deed, deed_of, deed_text, number_of
from referee.turbo.faults import BadLog, BadNotation
from referee.turbo.position import STANDARD, Position, Scale, obstacles_of
from referee.turbo.race import set_up, step
from referee.turbo.words import say

TITLE = "turbo log 1"
STYLE = Style(TITLE, longest=500, most_lines=20_000, set_up_rule="T1", refusal=BadLog)
"""A race has some hundred lines."""
ANY = "*"
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
    return sealed([*_head(log), *map(entry_text, log.entries), f"{END}{log.position.text}"])


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
    lines = STYLE.opened(text)
    log = replace(_start(lines, circuit), checked=lines.checked)
    entries: list[Entry] = []
    position = log.start
    for _, line in lines:
        if line.startswith(END):
            lines.end(line, position.text, "T2")
            break
        entries.append(_entry(position, lines, line))
        position = entries[-1].after
    else:
        lines.no_end()
    return replace(log, entries=tuple(entries))


def _start(lines: Lines, circuit: Circuit) -> Log:
    """The race as the lines behind the title set it up."""
    _, (check,) = lines.words("circuit", 1)
    if check not in (circuit_check(circuit), ANY):
        raise lines.refusal(say("log.other-circuit"), say("log.name-circuit"), "T1")
    scale = _scale(lines, lines.words("counters", 2)[1])
    rounds = _rounds(lines, lines.words("turned", 1, MOST_ROUNDS)[1])
    _started(lines, circuit, rounds, None, scale)
    _, (obstacles,) = lines.words("obstacles", 1)
    return _started(lines, circuit, rounds, obstacles, scale)


def _scale(lines: Lines, words: list[str]) -> Scale:
    try:
        lowest, highest = map(number_of, words)
        return Scale(lowest, highest)
    except BadNotation as error:
        raise lines.as_refusal(error) from None


def _rounds(lines: Lines, words: list[str]) -> list[list[int]]:
    try:
        return [[number_of(word) for word in numbers.split(".")] for numbers in words]
    except BadNotation as error:
        raise lines.as_refusal(error) from None


def _started(lines: Lines, circuit: Circuit, rounds: list[list[int]], obstacles: str | None, scale: Scale) -> Log:
    try:
        chosen = None if obstacles is None else sorted(obstacles_of(obstacles, circuit))
        return begun(circuit, rounds, chosen, scale)
    except RefereeError as error:
        raise lines.as_refusal(error) from None


def _entry(position: Position, lines: Lines, line: str) -> Entry:
    """One deed more."""
    who, _, text = line.partition(" ")
    try:
        if who not in ("1", "2", "3", "4"):
            raise BadNotation("who", came=who[:20])
        deed = deed_of(text)
        entry = Entry(int(who) - 1, deed, step(position, deed, int(who) - 1))
    except RefereeError as error:
        raise lines.as_refusal(error, "T2") from None
    lines.vouch("T2")
    return entry
