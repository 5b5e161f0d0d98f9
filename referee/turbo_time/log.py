"""A game as text: how the table was set up, and every move.  It replays to the same position, or is refused.

    turbo-time log 1 ~89ab
    settings rulebook tulgdmmmmbbbbbbb spfbms… ~…
    players 2 leader 1 ~…
    shelf tulgdmmmmbbb ~…
    deck 12.3.30… ~…
    1 play 17 ~…                     a player's move, as in `moves`
    * draw ~…                        all draw
    end …/…/… … ~…                   the position that it leads to

Each line ends with a check of itself and of all lines before it: whoever changes a line changes its check, and the line
is refused by its number.  (It finds slips, not forgers.)  A log written by hand has no checks, no line of it, and needs
no ``end``.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from referee.errors import RefereeError
from referee.turbo_time.cards import FLIP_RULES, POWER_LETTERS, FlipRule, powers_text
from referee.turbo_time.faults import BadLog, BadNotation, BrokenRule
from referee.turbo_time.game import acting, allow_shelf, set_up, step
from referee.turbo_time.moves import Move, move_of, move_text
from referee.turbo_time.phases import TABLE
from referee.turbo_time.position import Position, cards_of, cards_text
from referee.turbo_time.settings import Settings
from referee.turbo_time.toys import LETTERS, TOYS, Toy, tiles_of
from referee.turbo_time.words import say

TITLE = "turbo-time log 1"
EVERYBODY = "*"
LONGEST, MOST_LINES = 400, 1000
"""A line's letters, a log's lines; a game has some hundred."""


@dataclass(frozen=True)
class Entry:
    """A move, by whom (from 0; None where all draw), and the position that it led to."""

    player: int | None
    move: Move
    after: Position


@dataclass(frozen=True)
class Log:
    """A game so far: the table as it was set up, and what was done since.  ``checked``: no line of it was changed."""

    start: Position
    entries: tuple[Entry, ...] = ()
    checked: bool = True

    @property
    def position(self) -> Position:
        """Where the game stands."""
        return self.entries[-1].after if self.entries else self.start

    def then(self, move: Move, player: int | None = None) -> Log:
        """The game a move later; raises `BrokenRule`."""
        by = acting(self.position)
        return replace(self, entries=(*self.entries, Entry(by, move, step(self.position, move, player))))


# ----------------------------------------------------------------------------------------- writing


def write(log: Log) -> str:
    """The log as text, every line checked."""
    lines, check = [], 0
    for line in [*_head(log.start), *map(entry_text, log.entries), f"end {log.position.text}"]:
        check = _check(check, line)
        lines.append(f"{line} ~{check:04x}\n")
    return "".join(lines)


def _check(before: int, line: str) -> int:
    """Sixteen bits that hang on a line and on all lines before it."""
    return zlib.crc32(f"{before:04x}{line}".encode()) & 0xFFFF


def _head(start: Position) -> Iterator[str]:
    settings = start.settings
    toys = "".join(LETTERS[toy] * count for toy, count in settings.toys)
    yield TITLE
    yield f"settings {settings.flip} {toys} {powers_text(settings.powers)}"
    yield f"players {start.players} leader {start.leader + 1}"
    yield "shelf " + "".join(tile.text for tile in start.shelf if tile)
    yield "deck " + cards_text([card for hand in start.hands for card in hand] + list(start.deck))


def entry_text(entry: Entry) -> str:
    """A move as a line of a log, without its check."""
    return f"{EVERYBODY if entry.player is None else entry.player + 1} {move_text(entry.move)}"


# ----------------------------------------------------------------------------------------- reading


def read(text: str) -> Log:
    """The log of a text, replayed; raises `BadLog` with the first line that does not fit, and the rule it breaks."""
    lines = text.splitlines()
    if len(lines) > MOST_LINES:
        raise BadLog(MOST_LINES, say("log.too-long", most=MOST_LINES), say("log.take-whole"))
    checked = bool(lines) and _parted(lines[0])[1] is not None
    bare = _Lines(lines, checked)
    log = Log(_start(bare), checked=checked)
    for number, line in bare:
        if line.startswith("end "):
            return _ended(bare, log, number, line)
        log = _with_entry(log, bare, number, line)
    if checked:
        raise BadLog(len(lines), say("log.no-end"), say("log.take-whole"))
    return log


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


def _start(lines: _Lines) -> Position:
    """The table as the first five lines set it up."""
    _, title = lines.take()
    if title != TITLE:
        raise BadLog(1, say("log.title", wanted=TITLE), say("log.name-one"))
    lines.vouch()
    settings = _settings_of(*_words(lines, "settings", 3))
    players, leader = _seats_of(*_words(lines, "players", 3))
    shelf = _shelf_of(*_words(lines, "shelf", 1), settings)
    number, (deck,) = _words(lines, "deck", 1)
    try:
        return set_up(players, leader, shelf, cards_of(deck), settings)
    except RefereeError as error:
        raise _at(number, error) from None


def _words(lines: _Lines, name: str, count: int) -> tuple[int, list[str]]:
    """A line of the head that begins with a name and has so many words more."""
    number, line = lines.take()
    first, *words = line.split(" ")
    if first != name or len(words) != count:
        raise BadLog(number, say("log.head", wanted=name), say("log.take-whole"), "I1")
    lines.vouch("I1")
    return number, words


def _settings_of(number: int, words: list[str]) -> Settings:
    flip, toys, powers = words
    try:
        tiles = [tile.toy for tile in tiles_of(toys)]
        counts = tuple((toy, tiles.count(toy)) for toy in TOYS)
        known = tuple(POWER_LETTERS[letter] for letter in powers if letter in POWER_LETTERS)
        return Settings(counts, known, _flip_of(flip))
    except BadNotation as error:
        raise _at(number, error) from None


def _flip_of(name: str) -> FlipRule:
    for flip in FLIP_RULES:
        if flip == name:
            return flip
    raise BadNotation("settings-flip", came=name[:20])


def _seats_of(number: int, words: list[str]) -> tuple[int, int]:
    players, name, leader = words
    if not (players in ("2", "3", "4") and name == "leader" and leader in ("1", "2", "3", "4") and leader <= players):
        raise BadLog(number, say("log.seats"), say("cure.players"), "I1")
    return int(players), int(leader) - 1


def _shelf_of(number: int, words: list[str], settings: Settings) -> tuple[Toy, ...]:
    try:
        shelf = tuple(tile.toy for tile in tiles_of(words[0]))
        allow_shelf(shelf, settings)
    except RefereeError as error:
        raise _at(number, error) from None
    return shelf


def _with_entry(log: Log, lines: _Lines, number: int, line: str) -> Log:
    """The log with one move more."""
    who, _, text = line.partition(" ")
    turn, rule = acting(log.position), TABLE[log.position.phase].rule
    try:
        player = _player_of(who)
        if player is None and turn is not None:
            raise BrokenRule(rule, "not-your-turn", player=turn + 1)
        log = log.then(move_of(text), player)
    except RefereeError as error:
        raise _at(number, error, rule) from None
    lines.vouch(rule)
    return log


def _player_of(who: str) -> int | None:
    """Who moves, from 0; None for everybody."""
    if who not in (EVERYBODY, "1", "2", "3", "4"):
        raise BadNotation("who", came=who[:20])
    return None if who == EVERYBODY else int(who) - 1


def _ended(lines: _Lines, log: Log, number: int, line: str) -> Log:
    """The whole log: its last line names the position that it leads to."""
    if line != f"end {log.position.text}":
        raise BadLog(number, say("log.other-end"), say("log.take-whole"), TABLE[log.position.phase].rule)
    lines.vouch()
    if lines.at < len(lines.lines):
        raise BadLog(number + 1, say("log.after-end"), say("log.take-whole"))
    return log


def _at(line: int, error: RefereeError, rule: str | None = "I1") -> BadLog:
    """What is wrong, with the line that it stands in."""
    return BadLog(line, error.message, error.hint, error.rule if isinstance(error, BrokenRule) else rule)
