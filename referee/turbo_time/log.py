"""A game as text: how the table was set up, and every move.  It replays to the same position, or is refused.

    turbo-time log 1 ~89ab
    settings rulebook tulgdmmmmbbbbbbb spfbms… ~…
    players 2 leader 1 ~…
    shelf tulgdmmmmbbb ~…
    deck 12.3.30… ~…
    1 play 17 ~…                     a player's move, as in `moves`
    * draw ~…                        all draw
    end …/…/… … ~…                   the position that it leads to

Each line ends with its check, as in `tabletop.log`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from referee.errors import RefereeError
from referee.tabletop.log import END, Lines, Style, sealed
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
STYLE = Style(TITLE, longest=400, most_lines=1000, set_up_rule="I1", refusal=BadLog)
"""A game has some hundred lines."""


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
    return sealed([*_head(log.start), *map(entry_text, log.entries), f"{END}{log.position.text}"])


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
    lines = STYLE.opened(text)
    log = Log(_start(lines), checked=lines.checked)
    for _, line in lines:
        if line.startswith(END):
            lines.end(line, log.position.text, TABLE[log.position.phase].rule)
            return log
        log = _with_entry(log, lines, line)
    lines.no_end()
    return log


def _start(lines: Lines) -> Position:
    """The table as the lines behind the title set it up."""
    settings = _settings_of(lines, lines.words("settings", 3)[1])
    players, leader = _seats_of(*lines.words("players", 3))
    shelf = _shelf_of(lines, lines.words("shelf", 1)[1], settings)
    _, (deck,) = lines.words("deck", 1)
    try:
        return set_up(players, leader, shelf, cards_of(deck), settings)
    except RefereeError as error:
        raise lines.as_refusal(error) from None


def _settings_of(lines: Lines, words: list[str]) -> Settings:
    flip, toys, powers = words
    try:
        tiles = [tile.toy for tile in tiles_of(toys)]
        counts = tuple((toy, tiles.count(toy)) for toy in TOYS)
        known = tuple(POWER_LETTERS[letter] for letter in powers if letter in POWER_LETTERS)
        return Settings(counts, known, _flip_of(flip))
    except BadNotation as error:
        raise lines.as_refusal(error) from None


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


def _shelf_of(lines: Lines, words: list[str], settings: Settings) -> tuple[Toy, ...]:
    try:
        shelf = tuple(tile.toy for tile in tiles_of(words[0]))
        allow_shelf(shelf, settings)
    except RefereeError as error:
        raise lines.as_refusal(error) from None
    return shelf


def _with_entry(log: Log, lines: Lines, line: str) -> Log:
    """The log with one move more."""
    who, _, text = line.partition(" ")
    turn, rule = acting(log.position), TABLE[log.position.phase].rule
    try:
        player = _player_of(who)
        if player is None and turn is not None:
            raise BrokenRule(rule, "not-your-turn", player=turn + 1)
        log = log.then(move_of(text), player)
    except RefereeError as error:
        raise lines.as_refusal(error, rule) from None
    lines.vouch(rule)
    return log


def _player_of(who: str) -> int | None:
    """Who moves, from 0; None for everybody."""
    if who not in (EVERYBODY, "1", "2", "3", "4"):
        raise BadNotation("who", came=who[:20])
    return None if who == EVERYBODY else int(who) - 1
