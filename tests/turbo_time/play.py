"""Small tables, moves as text, and people who play at random."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from referee.turbo_time.cards import Power
from referee.turbo_time.faults import BrokenRule
from referee.turbo_time.game import legal, shuffled, step
from referee.turbo_time.log import Log
from referee.turbo_time.moves import Draw, Move, move_of
from referee.turbo_time.position import Position, read
from referee.turbo_time.refill import needs_shuffle
from referee.turbo_time.settings import STANDARD, Settings

TWO = "tulg/dmmm/mbbb b,b 1-5,6-10 * - 1 - play"
POWERS_OF_TWO = "tulg/dmmm/mbbb b,b 2-5,7-10 * - 1 1.6 powers"
"""Player 2 has the higher card."""
POWERS_OF_THREE = "tulg/dmmm/mbbb b,b,b 2-5,7-10,12-15 * - 1 1.6.11 powers"
"""Player 3 has the highest card, then player 2."""


def all_of(power: Power, settings: Settings = STANDARD) -> Settings:
    """A table at which every card has one power."""
    return Settings(settings.toys, (power,) * 36, settings.flip)


def after(start: str | Position, *moves: str, settings: Settings = STANDARD) -> Position:
    """The table after some moves."""
    position = read(start, settings) if isinstance(start, str) else start
    for move in moves:
        position = step(position, move_of(move))
    return position


def refused(start: str | Position, move: str, settings: Settings = STANDARD, player: int | None = None) -> str:
    """The number of the rule that a move breaks; a move that breaks none is a mistake of the test."""
    position = read(start, settings) if isinstance(start, str) else start
    with pytest.raises(BrokenRule) as broken:
        step(position, move_of(move), player)
    assert broken.value.message.startswith(broken.value.rule)
    assert broken.value.hint
    return broken.value.rule


def chosen(position: Position, dice: Random) -> Move:
    """Any move that may be made."""
    if position.phase == "draw":
        order = list(position.discards) if needs_shuffle(position) else []
        dice.shuffle(order)
        return Draw(tuple(order))
    return dice.choice(list(legal(position)))


def random_game(seed: int, settings: Settings = STANDARD) -> Iterator[tuple[Log, Log]]:
    """A game of two, three or four, step by step: the log before a move and after it."""
    dice = Random(seed)
    players = 2 + seed % 3
    log = Log(shuffled(players, dice.randrange(players), seed, settings))
    while log.position.phase != "over":
        before, log = log, log.then(chosen(log.position, dice))
        yield before, log
