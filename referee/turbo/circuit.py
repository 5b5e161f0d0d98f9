"""The circuit: squares, which square follows which, yellow lines, and the line where a lap begins and ends.

Rows count in the direction of the race, 1 right behind the line.  A square in a curve may have a row to itself: the
outer lanes have more squares there.  What follows what is not reckoned but said, square by square.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from referee.turbo.features import AMBULANCE, GRID, HATCHED, ICE, OBSTACLE
from referee.turbo.soundness import oddities
from referee.turbo.steps import Step, is_open, steps_of


@dataclass(frozen=True)
class Square:
    """One square: where it lies, what is on it, and the names of the squares that follow it."""

    name: str
    lane: int
    """1 is the inside lane."""
    row: int
    ahead: str | None = None
    left: str | None = None
    """One ahead and one to the left."""
    right: str | None = None
    features: frozenset[str] = frozenset()

    @property
    def links(self) -> tuple[str | None, str | None, str | None]:
        """What follows: ahead, left, right."""
        return self.ahead, self.left, self.right


@dataclass(frozen=True)
class YellowLine:
    """A line in a curve, with the squares along both its sides: a step from one side to the other crosses it (T6)."""

    name: str
    inside: frozenset[str]
    outside: frozenset[str]


@dataclass(frozen=True)
class Circuit:
    """A circuit that can be driven; raises `BadCircuit` at birth for one that cannot, naming the element and the cure.

    ``finish`` is the row before the line and the row behind it.
    """

    name: str
    squares: tuple[Square, ...]
    finish: tuple[int, int]
    yellow_lines: tuple[YellowLine, ...] = ()

    def __post_init__(self) -> None:
        for fault in oddities(self):
            raise fault

    def __contains__(self, name: object) -> bool:
        return name in self.named

    def __getitem__(self, name: str) -> Square:
        return self.named[name]

    @cached_property
    def named(self) -> Mapping[str, Square]:
        """Every square by its name."""
        return {square.name: square for square in self.squares}

    @cached_property
    def behind(self) -> Mapping[str, str]:
        """The square straight behind another, by that one's name."""
        return {square.ahead: square.name for square in self.squares if square.ahead}

    @cached_property
    def steps(self) -> Mapping[str, tuple[Step, ...]]:
        """From every square, all steps to its neighbours, allowed or not."""
        return {name: steps_of(self, name) for name in self.named}

    @cached_property
    def open_steps(self) -> Mapping[str, tuple[Step, ...]]:
        """From every square, the steps that are allowed while nothing stands in the way."""
        return {name: tuple(step for step in steps if is_open(self, step)) for name, steps in self.steps.items()}

    @cached_property
    def grid(self) -> tuple[str, ...]:
        """The starting squares, the inside lane's first."""
        found = {feature: square.name for square in self.squares for feature in square.features}
        return tuple(found[feature] for feature in GRID if feature in found)

    @cached_property
    def dots(self) -> frozenset[str]:
        """Where the obstacles stand."""
        return self.with_feature(OBSTACLE)

    @cached_property
    def ambulance(self) -> str:
        """The square with the red cross."""
        (square,) = self.with_feature(AMBULANCE)
        return square

    @cached_property
    def ice(self) -> frozenset[str]:
        """The squares of the ice patch."""
        return self.with_feature(ICE)

    @cached_property
    def hatched(self) -> frozenset[str]:
        """The squares beside the free lane of the chicane."""
        return self.with_feature(HATCHED)

    def with_feature(self, feature: str) -> frozenset[str]:
        """The names of the squares that have a feature."""
        return frozenset(square.name for square in self.squares if feature in square.features)

    def crosses(self, here: str, there: str) -> bool:
        """Whether a link leads over the line."""
        return (self[here].row, self[there].row) == self.finish
