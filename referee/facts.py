"""What geometry tells the rules about one path on one stage: frozen facts, free of thresholds.

Standard library only, so that the rules can be tested from facts written by hand.  Lengths are millimetres on
the board; a signed distance is positive where the driver is safe (inside a zone, on the road side of a line).
Touching counts as inside.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from referee.model import EndLook, Gadget, GadgetKind, Path, UnseenStretch

Point = tuple[float, float]
ZoneKind = Literal["jump", "landing", "acceleration", "slowdown", "pipe"]


@dataclass(frozen=True)
class Spot:
    """A place on the path: the stroke's number, how far along it, and where that is on the board."""

    stroke: int
    arc_mm: float
    at_mm: Point


@dataclass(frozen=True)
class Margin:
    """A signed distance to breaking a rule, with one sigma of its uncertainty."""

    mm: float
    sigma_mm: float


@dataclass(frozen=True)
class Limits:
    """The few numbers that decide what geometry looks for; the rules own their values."""

    dry_gap_mm: float = 2.0
    in_line_deg: float = 35.0
    lead_mm: float = 4.0
    near_mm: float = 4.0
    unclear_gap_mm: float = 4.0


@dataclass(frozen=True)
class LineDistance:
    """From the centre of a tip to the start arrow or a checkpoint (``order`` 0 is the arrow).

    ``off_road_mm`` is how far the tip's centre stands outside that line's road, 0 on it.
    """

    element: str
    order: int
    mm: float
    off_road_mm: float = 0.0


@dataclass(frozen=True)
class ZoneDistance:
    """Signed distance of a tip's centre to a jump or landing zone's boundary, positive inside.

    ``on_way`` is false for a zone on a road that the car is not on.
    """

    element: str
    kind: ZoneKind
    key: str
    mm: float
    on_way: bool = True


@dataclass(frozen=True)
class RopeDistance:
    """Where a tip stands to a clothesline.

    ``side`` of the solid line, in the direction of the course.  ``dotted_mm`` is the signed distance of the tip's
    centre to the dotted line on that side, positive between it and the solid line; ``clear_mm`` that of the ink's edge
    to the solid line, not positive where it touches.  ``sigma_mm`` is the rope's own.
    """

    element: str
    side: Literal["before", "behind"]
    dotted_mm: float
    clear_mm: float
    sigma_mm: float = 0.0
    edge_mm: tuple[Point, Point] | None = None
    """Two ends of the smaller of the two distances: on the ink, on the rope's line."""


@dataclass(frozen=True)
class Gap:
    """Between the edges of one stroke's end and the next one's beginning; ``turn_deg`` how far out of line."""

    mm: float
    turn_deg: float
    sigma_mm: float = 0.05
    turn_sigma_deg: float = 2.0


@dataclass(frozen=True)
class Begin:
    """A stroke's first ink; ``arrow_mm`` is the signed distance to the arrow's outline, positive inside.

    ``reach_mm``: for an unseen beginning in a small patch of glare, how far from ``spot`` it may be at most.
    """

    spot: Spot
    look: EndLook
    sigma_mm: float
    arrow_mm: float
    lines: tuple[LineDistance, ...] = ()
    zones: tuple[ZoneDistance, ...] = ()
    reach_mm: float | None = None
    ropes: tuple[RopeDistance, ...] = ()


@dataclass(frozen=True)
class End:
    """A stroke's last ink; ``gap`` leads to the next stroke, None after the last; ``reach_mm`` as in `Begin`.

    ``between`` are the lines that are crossed in a narrow gap, if it was none and the stroke went straight on;
    ``at_rim``: it lies so near to what the picture does not show that it may be a part of that, or go on in it; or
    where the baseline does not show whether there was a rope to jump.
    """

    spot: Spot
    look: EndLook
    sigma_mm: float
    zones: tuple[ZoneDistance, ...] = ()
    gap: Gap | None = None
    reach_mm: float | None = None
    between: tuple[Crossing, ...] = ()
    at_rim: bool = False
    ropes: tuple[RopeDistance, ...] = ()


@dataclass(frozen=True)
class DryGap:
    """A gap in the ink that was closed: the marker was dry."""

    spot: Spot
    mm: float


@dataclass(frozen=True)
class Touch:
    """Ink on a white line's band, from ``first`` to ``last``; ``low`` is where the margin is smallest.

    ``out`` is where ink first shows past the far edge, None if it never does.  ``line`` is one number for all
    elements whose ends meet.  ``from_outside`` marks the way back over a line that was crossed before.
    """

    first: Spot
    last: Spot
    low: Spot
    margin: Margin
    element: str
    line: int
    out: Spot | None = None
    out_element: str | None = None
    from_outside: bool = False
    edge_mm: tuple[Point, Point] | None = None
    course_mm: tuple[tuple[float, float], ...] = ()
    """(distance along the stroke, margin) from the first ink on the band to the end of the excursion past it."""


@dataclass(frozen=True)
class Approach:
    """One coming close to a white line or a spill, touched or not: a local smallest margin below the near limit."""

    kind: Literal["white-line", "oil-spill"]
    first: Spot
    last: Spot
    low: Spot
    margin: Margin
    element: str
    line: int = -1
    edge_mm: tuple[Point, Point] | None = None


@dataclass(frozen=True)
class Crossing:
    """The centreline crosses a checkpoint or the finish (``order`` one more than the last checkpoint's).

    ``reach`` is how far the stroke goes beyond the line before it ends; negative if it ends just short of it.
    """

    spot: Spot
    element: str
    order: int
    reach: Margin
    seen: bool = True


@dataclass(frozen=True)
class ZoneEntry:
    """The centreline enters a zone; ``depth`` is how deep it goes (negative: it only comes near)."""

    spot: Spot
    element: str
    kind: ZoneKind
    key: str
    depth: Margin
    seen: bool = True


@dataclass(frozen=True)
class ZoneExit:
    """The centreline leaves a zone; ``onward`` if in the direction of the course.

    ``beyond_mm`` is how far outside it gets before it comes back or the stroke ends; ``ends`` if it ends there.
    """

    spot: Spot
    element: str
    kind: ZoneKind
    key: str
    depth: Margin
    onward: bool = True
    beyond_mm: float = 100.0
    ends: bool = False
    seen: bool = True


@dataclass(frozen=True)
class OilTouch:
    """Ink on (or, with a positive margin, close to) an oil spill's purple line."""

    first: Spot
    last: Spot
    low: Spot
    margin: Margin
    element: str
    edge_mm: tuple[Point, Point] | None = None


@dataclass(frozen=True)
class GadgetTouch:
    """Ink on (or, with a positive margin, close to) a rope's solid line or a mine.

    ``across``: the stroke's centreline goes over it.
    """

    first: Spot
    last: Spot
    low: Spot
    margin: Margin
    element: str
    kind: GadgetKind
    across: bool = True
    edge_mm: tuple[Point, Point] | None = None


@dataclass(frozen=True)
class Ring:
    """A ring that a stroke closes on itself at ``spot``; it began at ``begin_mm`` along the same stroke.

    ``hole_mm`` is the diameter of the largest circle of board inside it; ``gaps`` the distances between its ink
    and that of other rings (their ``number``), negative where they overlap.
    """

    spot: Spot
    number: int
    begin_mm: float
    middle_mm: Point
    hole_mm: float
    sigma_mm: float
    gaps: tuple[tuple[int, float], ...] = ()
    seen: bool = True


@dataclass(frozen=True)
class Turned:
    """The car left its road where no white line is printed and is on another section."""

    spot: Spot
    section: int
    onto: int


@dataclass(frozen=True)
class Hidden:
    """A stretch of the path that the picture does not show, and what could have happened there unseen."""

    first: Spot
    last: Spot
    why: str
    white_lines: tuple[str, ...] = ()
    oil_spills: tuple[str, ...] = ()


Fact = (
    Begin
    | End
    | DryGap
    | Touch
    | Approach
    | Crossing
    | ZoneEntry
    | ZoneExit
    | OilTouch
    | GadgetTouch
    | Ring
    | Turned
    | Hidden
)


@dataclass(frozen=True)
class Distances:
    """How far a stroke's centreline is from the start arrow or a checkpoint, sampled along it."""

    stroke: int
    element: str
    order: int
    arc_mm: tuple[float, ...]
    mm: tuple[float, ...]
    at_mm: tuple[Point, ...]
    on_road: tuple[bool, ...]


@dataclass(frozen=True)
class Course:
    """The names along the course: ``lines`` the arrow, the checkpoints, the finish; ``jumps`` (zone, landing)."""

    lines: tuple[str, ...]
    jumps: tuple[tuple[str, str], ...] = ()
    slowdowns: tuple[tuple[str, str], ...] = ()
    """(pair, slowdown zone) of every boost."""

    @property
    def finish_order(self) -> int:
        """The finish's place among the lines."""
        return len(self.lines) - 1

    def landing_of(self, jump: str) -> str | None:
        """The landing zone with the same pattern."""
        return dict(self.jumps).get(jump)

    def jump_of(self, landing: str) -> str | None:
        """The jump zone with the same pattern."""
        return {b: a for a, b in self.jumps}.get(landing)


@dataclass(frozen=True)
class Facts:
    """Everything that geometry has to say about one path; ``items`` in path order."""

    items: tuple[Fact, ...]
    course: Course
    distances: tuple[Distances, ...] = ()
    hidden_places: frozenset[str] = frozenset()
    """Elements where a race would go on (arrow, checkpoints, landing zones) that the picture does not show whole."""
    hidden_lines: frozenset[str] = frozenset()
    """Checkpoints and slowdown zones that could be crossed or entered where the picture does not show it."""
    unseen: tuple[UnseenStretch, ...] = ()
    gadgets: tuple[Gadget, ...] = ()
    """What was drawn on the board before the race, in course order."""
    unseen_before: tuple[UnseenStretch, ...] = ()
    """The stretches of road of which the baseline does not show what was drawn there."""
    path: Path | None = field(default=None, repr=False)
    """The path as measured: dry gaps are closed."""


def spot_of(fact: Fact) -> Spot:
    """Where a fact stands in path order: a break where ink first shows, a brush or approach at its smallest margin."""
    match fact:
        case Touch(out=Spot() as out):
            return out
        case Touch() | Approach():
            return fact.low
        case OilTouch() | GadgetTouch():
            return fact.first if fact.margin.mm <= 0 else fact.low
        case Hidden():
            return fact.first
        case _:
            return fact.spot
