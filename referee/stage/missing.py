"""What a traced board still lacks, in plain words; once nothing is missing, what the loader and the checker say."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np
import shapely
from shapely.errors import ShapelyError
from shapely.geometry import LineString, Point, Polygon
from shapely.geometry.base import BaseGeometry

from referee.errors import BadStageFile
from referee.model import Stage
from referee.stage.check import TO_TRACE, WORKED_OUT, Remark, remarks_on
from referee.stage.load import parse_stage
from referee.stage.reference import SMALLEST_PX
from referee.stage.roads import Bare
from referee.stage.tracing import KEYED, Traced, Tracing
from referee.stage.write import LaidOut, can_be_laid_out, laid_out, numbered, written
from referee.words import Place, say

NEAR_MM = 5.0
SHOWN = 12
PARTNER = {"jump": "landing", "landing": "jump", "acceleration": "slowdown", "slowdown": "acceleration"}


@dataclass(frozen=True)
class Lack:
    """One thing to do: an ``error`` must be mended before the board can be played, a ``warning`` looks odd.

    ``at_mm`` is the place on the board, ``element`` the number of the traced element, where there is one.
    """

    level: Literal["error", "warning"]
    text: str
    hint: str
    at_mm: tuple[float, float] | None = None
    element: int | None = None


@dataclass(frozen=True, eq=False)
class Look:
    """How far a tracing is: what it lacks, the roads as far as they can be worked out, and the stage if it is one."""

    lacks: tuple[Lack, ...]
    known: LaidOut | None
    stage: Stage | None


def look_over(tracing: Tracing) -> Look:
    """Everything there is to say about a tracing; never raises for what is in it."""
    try:
        known = laid_out(tracing) if can_be_laid_out(tracing) else None
        lacks = [*_missing(tracing), *(_of_the_course(tracing, known) if known is not None else ())]
    except (ShapelyError, ArithmeticError, ValueError, IndexError):
        tangle = Lack("error", say("lack.tangled"), say("lack.tangled-cure"))
        return Look((tangle,), None, None)
    if known is None or any(lack.level == "error" for lack in lacks):
        return Look(tuple(lacks[:SHOWN]), known, None)
    try:
        stage = parse_stage(written(tracing, _stand_in()), say("lack.your-board"))
    except BadStageFile as fault:
        return Look((*lacks[:SHOWN], Lack("error", fault.message, fault.hint)), known, None)
    names = numbered(tracing)
    lacks += [_remarked(one, tracing, names) for one in remarks_on(stage) if one.level == "warning"]
    return Look(tuple(lacks[:SHOWN]), known, stage)


@cache
def _stand_in() -> bytes:
    """What stands for the reference picture where only the shapes are looked at."""
    from PIL import Image

    blank = io.BytesIO()
    Image.new("L", (SMALLEST_PX, SMALLEST_PX)).save(blank, "PNG")
    return blank.getvalue()


# ------------------------------------------------------------------------------------------- what is not there


def _missing(tracing: Tracing) -> Iterator[Lack]:
    for kind in TO_TRACE:
        if kind not in WORKED_OUT and not any(_has_extent(one) for one in tracing.of(kind)):
            yield Lack("error", say(f"lack.no-{kind}"), say(f"lack.no-{kind}-cure"))
    for kind in ("start", "finish"):
        for number in _numbers(tracing, kind)[1:]:
            yield _at(tracing, number, "error", f"several-{kind}")
    if not _numbers(tracing, "checkpoint"):
        yield Lack("warning", say("lack.no-checkpoint"), say("lack.no-checkpoint-cure"))
    yield from _halves(tracing)
    if not tracing.name:
        yield Lack("warning", say("lack.no-name"), say("lack.no-name-cure"))
    for number, one in enumerate(tracing.elements):
        if not _has_extent(one):
            yield _at(tracing, number, "warning", "no-extent")
        elif one.closed and not Polygon(one.points).is_valid:
            yield _at(tracing, number, "warning", "crosses-itself")


def _halves(tracing: Tracing) -> Iterator[Lack]:
    keys = Counter((one.kind, one.key) for one in tracing.elements if one.kind in KEYED)
    for number, one in enumerate(tracing.elements):
        if one.kind not in KEYED:
            continue
        if not one.key:
            yield _at(tracing, number, "error", "no-pair", kind=_kind(one.kind))
        elif not keys[PARTNER[one.kind], one.key]:
            yield _at(
                tracing, number, "error", "half", kind=_kind(one.kind), other=_kind(PARTNER[one.kind]), key=one.key
            )
        elif one.kind in ("jump", "landing") and keys[one.kind, one.key] > 1:
            yield _at(tracing, number, "error", "twice", kind=_kind(one.kind), key=one.key)


# ------------------------------------------------------------------------------------------- against the course


def _of_the_course(tracing: Tracing, known: LaidOut) -> Iterator[Lack]:
    way = known.roads.way
    course = shapely.multilinestrings([shapely.linestrings(piece) for piece in known.course])
    first, last = way.points_mm[0], way.points_mm[-1]
    for number in _numbers(tracing, "start")[:1]:
        shape = _shape(tracing.elements[number])
        if shape.distance(course) > NEAR_MM:
            yield _at(tracing, number, "error", "start-off")
        elif way.place_of(shape) > way.length_mm / 2:
            yield _at(tracing, number, "error", "backwards")
        elif shape.distance(Point(first)) > 60:
            yield _at(tracing, number, "warning", "start-late")
    for number in _numbers(tracing, "finish")[:1]:
        line = _shape(tracing.elements[number])
        if line.distance(course) > NEAR_MM:
            at = float(last[0]), float(last[1])
            yield Lack("error", say("lack.finish-off"), say("lack.finish-off-cure"), at, number)
    for number, one in enumerate(tracing.elements):
        if one.kind == "checkpoint" and _has_extent(one) and _shape(one).distance(course) > NEAR_MM:
            yield _at(tracing, number, "error", "checkpoint-off")
        elif _is_zone(one) and _shape(one).distance(course) > 2 * NEAR_MM and not _is_on_a_road(one, known):
            yield _at(tracing, number, "warning", "zone-off", kind=_kind(one.kind))
    if tracing.of("white-line"):
        yield from (_bare(one) for one in known.roads.bare)
    for number, sections in zip(_numbers(tracing, "white-line"), known.roads.beside, strict=False):
        if not sections:
            yield _at(tracing, number, "warning", "line-off")


def _is_zone(one: Traced) -> bool:
    return one.closed and one.kind not in ("white-line", "start") and _has_extent(one)


def _is_on_a_road(one: Traced, known: LaidOut) -> bool:
    return any(road.intersects(_shape(one)) for road in known.roads.roads)


def _bare(one: Bare) -> Lack:
    side = say("lack.left" if one.side == 0 else "lack.right")
    text = say("lack.bare", side=side, mm=one.to_mm - one.from_mm)
    return Lack("warning", text, say("lack.bare-cure"), one.at_mm)


# ------------------------------------------------------------------------------------------- small things


def _remarked(one: Remark, tracing: Tracing, names: dict[str, int]) -> Lack:
    """What the checker says, with the element that it says it of."""
    if one.element is None:
        return Lack("warning", one.text, one.hint)
    text = say("lack.of-element", element=Place(one.element), text=one.text)
    number = names.get(one.element)
    if number is None:
        return Lack("warning", text, one.hint)
    x, y = np.array(tracing.elements[number].points, float).mean(axis=0)
    return Lack("warning", text, one.hint, (float(x), float(y)), number)


def _at(tracing: Tracing, number: int, level: Literal["error", "warning"], what: str, **values: object) -> Lack:
    points = np.array(tracing.elements[number].points or [(0.0, 0.0)], float)
    x, y = points.mean(axis=0)
    return Lack(level, say(f"lack.{what}", **values), say(f"lack.{what}-cure"), (float(x), float(y)), number)


def _kind(kind: str) -> str:
    return say(f"lack.kind-{kind}")


def _numbers(tracing: Tracing, kind: str) -> list[int]:
    return [number for number, one in enumerate(tracing.elements) if one.kind == kind and _has_extent(one)]


def _has_extent(one: Traced) -> bool:
    if one.closed:
        return len(one.points) >= 3 and Polygon(one.points).buffer(0).area > 0.1
    return len(one.points) >= 2 and LineString(one.points).length > 0.5


def _shape(one: Traced) -> BaseGeometry:
    return Polygon(one.points).buffer(0) if one.closed else LineString(one.points)
