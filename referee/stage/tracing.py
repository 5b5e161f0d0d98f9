"""A board as somebody traces it: lines and areas with their kinds, and nothing that can be worked out from them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from referee.errors import BadTracing
from referee.model import Json
from referee.stage.document import LARGEST_BOARD_MM
from referee.words import say

OPEN_KINDS = ("course", "white-line", "checkpoint", "finish")
CLOSED_KINDS = ("start", "jump", "landing", "acceleration", "slowdown", "oil-spill", "pipe")
KINDS = (*OPEN_KINDS, *CLOSED_KINDS)
KEYED = {
    "jump": "data-pattern",
    "landing": "data-pattern",
    "acceleration": "data-pair",
    "slowdown": "data-pair",
}
"""What tells pairs apart, and how a stage file spells it."""
MOST_ELEMENTS = 400
MOST_OF_A_ZONE = 40
"""So many zones of one kind; each jump is held against each landing."""
MOST_POINTS = 12_000
MOST_POINTS_A_LINE = 2000
LONGEST_WORD = 80
LONGEST_MM = {"course": 40_000.0, "white-line": 40_000.0, "checkpoint": 300.0, "finish": 300.0}
LONGEST_OUTLINE_MM = 3000.0
BESIDE_MM = 100.0
"""So far outside the board a point may lie: a hand slips."""
USUAL_WIDTH_MM = {"white-line": 2.0, "oil-spill": 1.4}
WIDTHS_MM = (0.3, 8.0)

Point = tuple[float, float]


@dataclass(frozen=True)
class Traced:
    """One line or area: ``points`` in mm, the last not repeating the first; ``closed`` only a white line chooses."""

    kind: str
    points: tuple[Point, ...]
    closed: bool = False
    key: str = ""
    width_mm: float = 2.0


@dataclass(frozen=True)
class Tracing:
    """What somebody traced of one board."""

    size_mm: tuple[float, float]
    number: int = 101
    name: str = ""
    set_name: str = "own"
    theme: str = ""
    elements: tuple[Traced, ...] = ()

    def of(self, *kinds: str) -> tuple[Traced, ...]:
        """The elements of some kinds, in the order in which they were drawn."""
        return tuple(element for element in self.elements if element.kind in kinds)


def tracing_from(told: object) -> Tracing:
    """A tracing from JSON, whoever wrote it; raises `BadTracing`, which says what makes no sense."""
    if not isinstance(told, Mapping):
        raise _bad("shape")
    elements = told.get("elements", [])
    if not isinstance(elements, list) or len(elements) > MOST_ELEMENTS:
        raise _bad("elements", most=MOST_ELEMENTS)
    size_mm = size_from(told.get("size_mm"))
    traced = tuple(_element(element, size_mm) for element in elements)
    if any(sum(element.kind == kind for element in traced) > MOST_OF_A_ZONE for kind in KEYED):
        raise _bad("zones", most=MOST_OF_A_ZONE)
    if sum(len(element.points) for element in traced) > MOST_POINTS:
        raise _bad("points", most=MOST_POINTS)
    number = told.get("number", 101)
    if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= 9999:
        raise _bad("number")
    words = {key: _word(told.get(key, "")) for key in ("name", "set_name", "theme")}
    return Tracing(size_mm, number, words["name"], words["set_name"], words["theme"], traced)


def told_of(tracing: Tracing) -> Json:
    """A tracing as JSON, such as `tracing_from` reads."""
    return {
        "size_mm": list(tracing.size_mm),
        "number": tracing.number,
        "name": tracing.name,
        "set_name": tracing.set_name,
        "theme": tracing.theme,
        "elements": [
            {
                "kind": one.kind,
                "points": [[round(x, 3), round(y, 3)] for x, y in one.points],
                "closed": one.closed,
                "key": one.key,
                "width_mm": one.width_mm,
            }
            for one in tracing.elements
        ],
    }


def size_from(told: object) -> tuple[float, float]:
    """Width and height of a board in mm; raises `BadTracing`."""
    sides = _numbers(told, 2)
    if sides is None or not all(20 <= side <= LARGEST_BOARD_MM for side in sides):
        raise _bad("size", most=int(LARGEST_BOARD_MM))
    return sides[0], sides[1]


def _element(told: object, size_mm: tuple[float, float]) -> Traced:
    if not isinstance(told, Mapping) or told.get("kind") not in KINDS:
        raise _bad("kind")
    kind, points = told["kind"], told.get("points")
    if not isinstance(points, list) or len(points) > MOST_POINTS_A_LINE:
        raise _bad("points", most=MOST_POINTS_A_LINE)
    closed = kind in CLOSED_KINDS or (kind == "white-line" and told.get("closed") is True)
    width = told.get("width_mm", USUAL_WIDTH_MM.get(kind, 2.0))
    width_mm = _numbers([width], 1)
    if width_mm is None or not WIDTHS_MM[0] <= width_mm[0] <= WIDTHS_MM[1]:
        raise _bad("width")
    key = _word(told.get("key", "")) if kind in KEYED else ""
    places = tuple(_point(one, size_mm) for one in points)
    if sum(map(math.dist, places, places[1:])) > LONGEST_MM.get(kind, LONGEST_OUTLINE_MM):
        raise _bad("too-long")
    return Traced(kind, places, closed, key, width_mm[0])


def _point(told: object, size_mm: tuple[float, float]) -> Point:
    place = _numbers(told, 2)
    if place is None or any(not -BESIDE_MM <= at <= side + BESIDE_MM for at, side in zip(place, size_mm, strict=True)):
        raise _bad("place")
    return place[0], place[1]


def _numbers(told: object, count: int) -> Sequence[float] | None:
    """Finite numbers, as many as are wanted; None for anything else."""
    if not isinstance(told, list | tuple) or len(told) != count:
        return None
    if any(isinstance(one, bool) or not isinstance(one, int | float) for one in told):
        return None
    numbers = [float(one) if abs(one) < 1e9 else math.inf for one in told]
    return numbers if all(map(math.isfinite, numbers)) else None


def _word(told: object) -> str:
    """A name fit for a file and a page: printable, short."""
    if not isinstance(told, str):
        raise _bad("word")
    return "".join(letter for letter in told if letter.isprintable()).strip()[:LONGEST_WORD]


def _bad(what: str, **values: Any) -> BadTracing:
    return BadTracing(say(f"tracing.{what}", **values), say("tracing.cure"))
