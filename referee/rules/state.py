"""What the rules remember while they follow a path: drafts of events, a crash, wipeouts, doubts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from referee.facts import Approach, Margin, Point, Ring, Spot
from referee.model import Outcome

Phase = Literal["waiting", "driving", "paused", "crashed", "stranded", "over"]
Place = tuple[int, float]
Key = tuple[str, int, float]
"""One open question: what it is about, the stroke, how far along it."""


@dataclass
class Draft:
    """An event in the making; its number is given when all events are known."""

    kind: str
    rule: str
    spot: Spot
    element: str | None = None
    margin: Margin | None = None
    cause: str | None = None
    certain: bool | None = None
    outcome: Outcome | None = None
    restart_element: str | None = None
    back_to: str | None = None
    """Where an accident would have to be made good: the last line crossed."""
    key: Key | None = None
    hidden: bool = False
    edge_mm: tuple[Point, Point] | None = None
    line: int | None = None

    @property
    def place(self) -> tuple[str, str | None, int, float]:
        """What makes it the same event in two readings of one path."""
        return self.kind, self.cause, self.spot.stroke, round(self.spot.arc_mm, 6)


@dataclass
class Crash:
    """An accident that waits for its restart.

    ``back_to`` is the order of the line to go back to; crossing ``barrier`` or a later line means it was ignored.
    ``found_at`` is the line where it was found, if it was found at one.  ``drag`` is where the marker was dragged
    back without being lifted, if it was.
    """

    draft: Draft
    back_to: int
    barrier: int
    found_at: int | None = None
    drag: Spot | None = None
    course_mm: tuple[tuple[float, float], ...] = ()
    """A break's margin along the stroke."""


@dataclass
class Wipeout:
    """A touched spill and the rings drawn for it."""

    draft: Draft
    spill: str
    rings: list[Ring] = field(default_factory=list)
    open: bool = True
    cancelled: bool = False


@dataclass(frozen=True)
class Doubt:
    """Something too close to call, or unseen: ``safe`` is how it was measured."""

    key: Key
    safe: bool
    why: Literal["close", "unseen", "misplaced"]
    rule: str
    element: str | None
    spot: Spot
    margin: Margin | None = None
    weight: float = 0.0
    """How much is held against reading it the other way."""


@dataclass(frozen=True)
class Witnessed:
    """A lift that left no gap, as a person saw it: no picture shows where a marker is set down on the same spot."""

    spot: Spot


@dataclass
class Run:
    """One way of reading a path: every doubt taken one way."""

    events: list[Draft] = field(default_factory=list)
    doubts: dict[Key, Doubt] = field(default_factory=dict)
    taken: dict[Key, bool] = field(default_factory=dict)
    calls: dict[Key, Doubt] = field(default_factory=dict)
    """Every question that was met: the doubts, those that are clear as measured, those that a person answered."""
    unsure: set[Key] = field(default_factory=set)
    """Of these the ones that were no clear call, whoever answered them."""
    muted: list[tuple[Place, Place]] = field(default_factory=list)
    """Stretches in which nothing was judged: from an accident to its restart or the line where it was ignored."""
    finished: bool = False
    done: bool = False
    goes_on_hidden: bool = False
    donuts: int = 0
    muted_breaks: int = 0
    """Breaks beyond doubt in such stretches."""
    near: list[Approach] = field(default_factory=list)
