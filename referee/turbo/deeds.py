"""What people do in a race, each a frozen value, and each a line of text.

counters 4 2           turns both counters
move 1 4 b5            moves player 1's car by four, to b5; `move ambulance 2 c9` the ambulance
move 1 2 a33-b1        the same with its way, square by square: for whoever watched it
move 1 4 finish        … over the line at the end of the lap
stay                   moves nothing, where nothing can be moved
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from referee.turbo.faults import BadNotation

AMBULANCE, OBSTACLE = -1, -2
"""Vehicles beside the players' cars, which are numbered from 0."""
_NAMES = {"ambulance": AMBULANCE, "obstacle": OBSTACLE, **{str(at + 1): at for at in range(4)}}
_NUMBER = re.compile(r"[1-9][0-9]?")
_WAY = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,11}(?:-[A-Za-z][A-Za-z0-9_]{0,11}){0,98}")


@dataclass(frozen=True)
class Counters:
    """Both counters are turned (T2): what they show."""

    numbers: tuple[int, int]


@dataclass(frozen=True)
class Move:
    """A vehicle is moved by a number (T2), to the last square of its ``way``; a longer way is gone square by square."""

    vehicle: int
    number: int
    way: tuple[str, ...]

    @property
    def end(self) -> str:
        """Where it leads."""
        return self.way[-1]


@dataclass(frozen=True)
class Stay:
    """Nothing is moved, since nothing can be (T3)."""


Deed = Counters | Move | Stay


def vehicle_text(vehicle: int) -> str:
    """A vehicle as people write it.

    >>> vehicle_text(0), vehicle_text(AMBULANCE)
    ('1', 'ambulance')
    """
    return next(name for name, number in _NAMES.items() if number == vehicle)


def deed_text(deed: Deed) -> str:
    """A deed as its line of text.

    >>> deed_text(Counters((4, 2))), deed_text(Move(AMBULANCE, 2, ("c8", "c9")))
    ('counters 4 2', 'move ambulance 2 c8-c9')
    """
    match deed:
        case Counters(numbers):
            return f"counters {numbers[0]} {numbers[1]}"
        case Move(vehicle, number, way):
            return f"move {vehicle_text(vehicle)} {number} {'-'.join(way)}"
        case Stay():
            return "stay"


def deed_of(text: str) -> Deed:
    """A line of text as a deed; raises `BadNotation`.

    >>> deed_of("move 2 3 b7")
    Move(vehicle=1, number=3, way=('b7',))
    """
    match text.split(" "):
        case ["counters", one, other]:
            return Counters((number_of(one), number_of(other)))
        case ["move", vehicle, number, way]:
            if vehicle not in _NAMES:
                raise BadNotation("vehicle", came=vehicle[:20])
            if not _WAY.fullmatch(way):
                raise BadNotation("way", came=way[:40])
            return Move(_NAMES[vehicle], number_of(number), tuple(way.split("-")))
        case ["stay"]:
            return Stay()
    raise BadNotation("deed", came=text[:60])


def number_of(word: str) -> int:
    """A number from 1 to 99; raises `BadNotation`."""
    if not _NUMBER.fullmatch(word):
        raise BadNotation("number", came=word[:20])
    return int(word)
