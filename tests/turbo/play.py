"""Small circuits, deeds as text, and people who race at random."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from random import Random

import pytest

from referee.turbo import load
from referee.turbo import log as logs
from referee.turbo.circuit import Circuit, Square, YellowLine
from referee.turbo.deeds import Counters, Deed, deed_of
from referee.turbo.faults import BrokenRule
from referee.turbo.log import Log
from referee.turbo.position import STANDARD, Position, Scale, read
from referee.turbo.race import legal, step

SIGNS = {".": (), "o": ("obstacle",), "#": ("hatched",), "~": ("ice",), "+": ("ambulance",)}


@cache
def turbo() -> Circuit:
    """The circuit that the house brings along."""
    return load.builtin().circuit


def ring(*lanes: str, yellow: Sequence[tuple[str, str]] = ()) -> Circuit:
    """A straight road with the line at its end, which leads to its beginning: a text a lane, the inside one first.

    "." a square, "o" a dot, "#" hatched, "~" ice, "+" the ambulance; the last square of each lane is the grid's.
    Squares are a1, a2 … in the first lane, b1, b2 … in the second.  Left is inside.
    """
    length = len(lanes[0])
    squares = []
    for at, signs in enumerate(lanes):
        for row, sign in enumerate(signs, 1):
            there = row % length + 1
            left = f"{chr(96 + at)}{there}" if at else None
            right = f"{chr(98 + at)}{there}" if at + 1 < len(lanes) else None
            features = frozenset((*SIGNS[sign], *([f"grid-{at + 1}"] if row == length else [])))
            name = chr(97 + at)
            squares.append(Square(f"{name}{row}", at + 1, row, f"{name}{there}", left, right, features))
    lines = [
        YellowLine(f"yellow-line-{nth}", frozenset(inside.split()), frozenset(outside.split()))
        for nth, (inside, outside) in enumerate(yellow, 1)
    ]
    return Circuit("ring", tuple(squares), (length, 1), tuple(lines))


def after(start: str | Position, *deeds: str, circuit: Circuit | None = None) -> Position:
    """The race after some deeds."""
    position = read(start, circuit or turbo()) if isinstance(start, str) else start
    for deed in deeds:
        position = step(position, deed_of(deed))
    return position


def refused(
    start: str | Position, deed: str, circuit: Circuit | None = None, player: int | None = None
) -> tuple[str, str]:
    """The rule that a deed breaks and the word for it; a deed that breaks none is a mistake of the test."""
    position = read(start, circuit or turbo()) if isinstance(start, str) else start
    with pytest.raises(BrokenRule) as broken:
        step(position, deed_of(deed), player)
    assert broken.value.message.startswith(broken.value.rule)
    assert broken.value.hint
    return broken.value.rule, broken.value.word


def chosen(position: Position, dice: Random) -> Deed:
    """Anything that may be done."""
    if position.phase == "counters":
        numbers = position.scale.numbers
        return Counters((dice.choice(numbers), dice.choice(numbers)))
    return dice.choice(list(legal(position)))


def turned(players: int, dice: Random, scale: Scale) -> list[list[int]]:
    """What is turned for the start, ties and all."""
    rounds, left = [], players
    while left > 1:
        rounds.append([dice.choice(scale.numbers) for _ in range(left)])
        left = rounds[-1].count(max(rounds[-1]))
    return rounds


def random_race(seed: int, circuit: Circuit | None = None, scale: Scale = STANDARD) -> Iterator[tuple[Log, Log]]:
    """A race of two, three or four, deed by deed: the log before it and after it."""
    dice = Random(seed)
    log = logs.begun(circuit or turbo(), turned(2 + seed % 3, dice, scale), scale=scale)
    while log.position.phase != "over":
        before, log = log, log.then(chosen(log.position, dice), log.position.player)
        yield before, log
