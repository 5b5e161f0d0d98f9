"""What a stage's own file says about it: a few lines of corner points and places."""

from __future__ import annotations

from dataclasses import dataclass

from .curves import Corner

Place = tuple[float, float]


@dataclass(frozen=True)
class Road:
    """A stretch of road without a break: corner points with radii, ``width`` between the near edges."""

    corners: tuple[Corner, ...]
    width: float = 20.0


@dataclass(frozen=True)
class Boost:
    """A turbo boost from the place where it begins to the place where it ends."""

    begin: Place
    end: Place


@dataclass(frozen=True)
class Spill:
    """An oil spill: ``at`` along the road, ``aside`` mm to the right of its middle, its half-length ``size``."""

    at: Place
    aside: float
    size: float = 6.5


@dataclass(frozen=True)
class Thing:
    """A piece of scenery put by hand: a drawing of the theme's kit at a place."""

    name: str
    x: float
    y: float
    scale: float = 1.0
    turn: float = 0.0
    flip: bool = False


DIFFICULTIES = ((0.90, 1), (0.80, 2), (0.65, 3), (0.45, 4), (0.0, 5))
"""A stage that the simulated blindfolded hand finishes cleanly this often is so difficult."""


def difficulty_of(clean: float) -> int:
    """1 (easy) to 5, from the part of all races that is finished without an accident or a wipeout."""
    return next(difficulty for least, difficulty in DIFFICULTIES if clean >= least)


@dataclass(frozen=True)
class Plan:
    """A whole stage.  Places are snapped to the middle of the road nearest to them.

    ``roads`` are in order of the course; between two of them the car jumps, with the pattern of ``jumps``.
    ``cuts`` are where one section of the road ends and the next begins, besides jumps.
    ``above`` are the sections that run over another on a bridge.
    ``clean`` is how often the play-test's blindfolded hand finishes without an accident or a wipeout.
    """

    number: int
    name: str
    theme: str
    clean: float
    roads: tuple[Road, ...]
    checkpoints: tuple[Place, ...]
    finish: Place
    sign: Place
    cuts: tuple[Place, ...] = ()
    jumps: tuple[str, ...] = ()
    boosts: tuple[Boost, ...] = ()
    spills: tuple[Spill, ...] = ()
    pipes: tuple[tuple[Place, Place], ...] = ()
    above: tuple[int, ...] = ()
    things: tuple[Thing, ...] = ()
    tape: Place = (288.4, 50.0)
    """The top left corner of the measuring tape, which hangs down 110 mm."""
    arrow_mm: float = 15.0
    """How far along the first road the middle of the start arrow lies."""

    @property
    def difficulty(self) -> int:
        """1 to 5, as the play-test found it."""
        return difficulty_of(self.clean)

    def __post_init__(self) -> None:
        if len(self.jumps) != len(self.roads) - 1:
            raise ValueError(f"stage {self.number}: {len(self.roads)} roads need {len(self.roads) - 1} jumps")
        if len(set(self.jumps)) != len(self.jumps):
            raise ValueError(f"stage {self.number}: each jump needs a pattern of its own, got {self.jumps}")
        if not all(16 <= road.width <= 24 for road in self.roads):
            raise ValueError(f"stage {self.number}: a road is 16 to 24 mm wide")
