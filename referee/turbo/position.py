"""Everything that stands on the circuit at one moment, frozen; and a line of text for it.

    ^a33,^b37,^c41,^d45 b19 * 1 counters

Five words, a space between them:

=========  ==================================================================================================
cars       player 1's, 2's … square, "," between them; "^" before it: this car has not crossed the starting line yet;
           ":1" instead: it has finished its lap, as the first
ambulance  its square; "-": it has left the circuit
obstacles  their squares, "," between them; "*": on the circuit's dots; "-": there are none
player     whose turn it is, from 1
phase      `counters`: both are to be turned; `own:4,2`: the own car is to be moved by one of these numbers; `other:2`:
           another vehicle is; `over`
=========  ==================================================================================================
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

from referee.turbo.circuit import Circuit
from referee.turbo.deeds import AMBULANCE, number_of
from referee.turbo.faults import BadNotation
from referee.turbo.moves import FINISH, OFF, Spot

Phase = Literal["counters", "own", "other", "over"]
PHASES: tuple[Phase, ...] = get_args(Phase)
PLAYERS = (2, 3, 4)
MOST_SHOWN = 12
"""No counter shows more."""


@dataclass(frozen=True)
class Scale:
    """What the counters can show: a setting."""

    lowest: int = 1
    highest: int = 6

    def __post_init__(self) -> None:
        if not 1 <= self.lowest <= self.highest <= MOST_SHOWN:
            raise BadNotation("scale", most=MOST_SHOWN, lowest=self.lowest, highest=self.highest)

    def __contains__(self, number: object) -> bool:
        return isinstance(number, int) and self.lowest <= number <= self.highest

    @property
    def numbers(self) -> range:
        """All of them."""
        return range(self.lowest, self.highest + 1)


STANDARD = Scale()


@dataclass(frozen=True)
class Position:
    """The race at one moment; raises `BadNotation` at birth if it can never look so."""

    circuit: Circuit
    cars: tuple[Spot, ...]
    """Player by player; `OFF` for one that has finished."""
    places: tuple[int, ...]
    """The place of each car that has finished, from 1; 0 for the others."""
    ambulance: Spot
    obstacles: frozenset[str]
    player: int
    """Whose turn it is, from 0."""
    phase: Phase = "counters"
    numbers: tuple[int, ...] = ()
    """What is still to be moved."""
    scale: Scale = STANDARD

    def __post_init__(self) -> None:
        for word, parts in _oddities(self):
            raise BadNotation(word, **parts)

    @property
    def players(self) -> int:
        """How many race."""
        return len(self.cars)

    @property
    def racing(self) -> tuple[int, ...]:
        """The players whose cars are still on the circuit."""
        return tuple(player for player, car in enumerate(self.cars) if car != OFF)

    @property
    def others(self) -> tuple[int, ...]:
        """What the second half of a turn may move: the opponents' cars and the ambulance."""
        cars = tuple(player for player in self.racing if player != self.player)
        return cars if self.ambulance == OFF else (*cars, AMBULANCE)

    def spot(self, vehicle: int) -> Spot:
        """Where a vehicle is."""
        return self.ambulance if vehicle == AMBULANCE else self.cars[vehicle]

    @cached_property
    def taken(self) -> frozenset[str]:
        """Every square that something stands on."""
        vehicles = {spot.square for spot in (*self.cars, self.ambulance) if spot != OFF}
        return self.obstacles | vehicles

    def taken_beside(self, vehicle: int) -> frozenset[str]:
        """Every square that something else stands on."""
        return self.taken - {self.spot(vehicle).square}

    @property
    def text(self) -> str:
        """The position as a line that `read` understands."""
        obstacles = "*" if self.obstacles == self.circuit.dots else ",".join(sorted(self.obstacles)) or "-"
        return " ".join(
            (
                ",".join(map(_car_text, self.cars, self.places)),
                "-" if self.ambulance == OFF else self.ambulance.square,
                obstacles,
                str(self.player + 1),
                self.phase + (":" + ",".join(map(str, self.numbers)) if self.numbers else ""),
            )
        )


def _car_text(car: Spot, place: int) -> str:
    if car == OFF:
        return f":{place}"
    return car.square if car.lap else f"^{car.square}"


# ----------------------------------------------------------------------------------------- what can never be

Oddity = tuple[str, dict[str, object]]


def _oddities(at: Position) -> Iterator[Oddity]:
    """Everything that is wrong with a position, the simplest first."""
    if at.players not in PLAYERS or at.players > len(at.circuit.grid) or len(at.places) != at.players:
        yield "players", {"most": len(at.circuit.grid), "came": at.players}
        return
    if not 0 <= at.player < at.players:
        yield "player", {"players": at.players}
        return
    yield from _odd_squares(at)
    yield from _odd_places(at)
    yield from _odd_phase(at)


def _odd_squares(at: Position) -> Iterator[Oddity]:
    standing = [spot.square for spot in (*at.cars, at.ambulance) if spot != OFF]
    for name in (*standing, *sorted(at.obstacles)):
        if name not in at.circuit:
            yield "square", {"came": name[:20]}
            return
        if name in at.circuit.hatched:
            yield "hatched", {"square": name}
    for name, count in Counter((*standing, *at.obstacles)).items():
        if count > 1:
            yield "square-twice", {"square": name}
    first = min(at.circuit[name].row for name in at.circuit.grid)
    for car in at.cars:
        if not car.lap and at.circuit[car.square].row < first:
            yield "not-behind-the-line", {"square": car.square}


def _odd_places(at: Position) -> Iterator[Oddity]:
    done = sorted(place for place in at.places if place)
    finished = [player for player, place in enumerate(at.places) if place]
    if done != list(range(1, len(done) + 1)) or any((at.cars[p] == OFF) != (p in finished) for p in range(at.players)):
        yield "places", {}


def _odd_phase(at: Position) -> Iterator[Oddity]:
    wanted = {"counters": (0,), "own": (2,), "other": (1, 2), "over": (0,)}.get(at.phase, ())
    if len(at.numbers) not in wanted:
        yield "phase", {"came": at.phase[:20]}
    for number in at.numbers:
        if number not in at.scale:
            yield "shown", {"came": number, "lowest": at.scale.lowest, "highest": at.scale.highest}
    racing = at.racing
    if (len(racing) < 2) != (at.phase == "over"):
        yield "over", {"racing": len(racing)}
    elif at.phase in ("counters", "own") and at.player not in racing:
        yield "off", {"player": at.player + 1}


# ----------------------------------------------------------------------------------------- reading

WORDS = ("cars", "ambulance", "obstacles", "player", "phase")
LONGEST = 2000
_CAR = re.compile(r"(\^?)([A-Za-z][A-Za-z0-9_]{0,11})|:([1-4])")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,11}")


def read(text: str, circuit: Circuit, scale: Scale = STANDARD) -> Position:
    """A position from its line of text; raises `BadNotation` saying which word is wrong."""
    words = text[: LONGEST + 1].split()
    if len(words) != len(WORDS) or len(text) > LONGEST:
        raise BadNotation("words", came=len(words), wanted=" ".join(WORDS))
    cars, ambulance, obstacles, player, phase = words
    spots = [_car_of(car) for car in cars.split(",")]
    name, numbers = _phase_of(phase)
    return Position(
        circuit,
        tuple(spot for spot, _ in spots),
        tuple(place for _, place in spots),
        OFF if ambulance == "-" else Spot(_name_of(ambulance)),
        obstacles_of(obstacles, circuit),
        _player_of(player),
        name,
        numbers,
        scale,
    )


def _car_of(text: str) -> tuple[Spot, int]:
    found = _CAR.fullmatch(text)
    if not found or found[2] == FINISH:
        raise BadNotation("car", came=text[:20])
    return (OFF, int(found[3])) if found[3] else (Spot(found[2], lap=not found[1]), 0)


def _name_of(text: str) -> str:
    if not _NAME.fullmatch(text) or text == FINISH:
        raise BadNotation("square", came=text[:20])
    return text


def obstacles_of(text: str, circuit: Circuit) -> frozenset[str]:
    """The obstacles' squares; raises `BadNotation`."""
    if text == "*":
        return circuit.dots
    names = [] if text == "-" else [_name_of(name) for name in text.split(",")]
    for name, count in Counter(names).items():
        if count > 1:
            raise BadNotation("square-twice", square=name)
    return frozenset(names)


def _player_of(text: str) -> int:
    if text not in ("1", "2", "3", "4"):
        raise BadNotation("player-word", came=text[:20])
    return int(text) - 1


def _phase_of(text: str) -> tuple[Phase, tuple[int, ...]]:
    name, colon, numbers = text.partition(":")
    known: Phase | None = next((phase for phase in PHASES if phase == name), None)
    if known is None or (colon and not numbers):
        raise BadNotation("phase", came=text[:20])
    return known, tuple(map(number_of, numbers.split(","))) if numbers else ()
