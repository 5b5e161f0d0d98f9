"""A traced board -> a stage file, format 1; and a stage -> the tracing that it could have come from."""

from __future__ import annotations

from base64 import b64encode
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from xml.sax.saxutils import quoteattr

import numpy as np
import shapely
from shapely.geometry import LineString, MultiLineString, Point, Polygon
from shapely.geometry.base import BaseGeometry

from referee.model import Floats, Stage
from referee.stage.document import SVG
from referee.stage.roads import Line, Roads, across, roads_of
from referee.stage.tracing import KEYED, Traced, Tracing

DRAW_OUT_MM = 4.0
"""Checkpoints and the finish are drawn out to the road's edges, or cut there, if those are so near."""
ONE_POINT_MM = 0.01
FINE_MM = 0.02
"""A stage that is traced back keeps its shapes within this."""


@dataclass(frozen=True, eq=False)
class LaidOut:
    """A tracing with what was worked out from it: the roads, and each checkpoint's line, in the course's order."""

    tracing: Tracing
    roads: Roads
    course: tuple[Floats, ...]
    checkpoints: tuple[tuple[Floats, int], ...]
    """Each with its section."""
    finish: Floats | None


def can_be_laid_out(tracing: Tracing) -> bool:
    """Whether there is enough of a tracing to work roads out."""
    return any(_length(one) > 5 for one in tracing.of("course"))


def laid_out(tracing: Tracing) -> LaidOut:
    """Work the roads out; the tracing must hold a course (`can_be_laid_out`)."""
    lines = [Line(_array(one), one.width_mm) for one in tracing.of("white-line") if _is_whole(one)]
    pieces = _pieces(tracing)
    stops = [_shape(one) for one in tracing.of("start", "checkpoint", "finish") if _is_whole(one)]
    roads = roads_of(pieces, lines, stops)
    checkpoints = [_on_the_road(_array(one), roads) for one in tracing.of("checkpoint") if _is_whole(one)]
    finish = next((_on_the_road(_array(one), roads) for one in tracing.of("finish") if _is_whole(one)), None)
    in_order = sorted(checkpoints, key=lambda found: found[2])
    return LaidOut(
        tracing,
        roads,
        roads.course,
        tuple((line, section) for line, section, _ in in_order),
        None if finish is None else finish[0],
    )


def written(tracing: Tracing, reference: bytes | None = None) -> bytes:
    """The stage file (SVG) of a tracing; ``reference`` is a flat picture of the clean board, JPEG or PNG.

    It is for the loader to refuse what does not fit.
    """
    width, height = tracing.size_mm
    root = {
        "xmlns": SVG,
        "width": f"{width:g}mm",
        "height": f"{height:g}mm",
        "viewBox": f"0 0 {width:g} {height:g}",
        "data-stage-format": "1",
        "data-stage": str(tracing.number),
        "data-set": tracing.set_name,
        "data-name": tracing.name or f"Stage {tracing.number}",
        "data-theme": tracing.theme,
    }
    inside = [*_picture(reference, tracing.size_mm), *_drawn(tracing)]
    return "\n".join([_tag("svg", root, end=""), *inside, "</svg>", ""]).encode()


def _picture(reference: bytes | None, size_mm: tuple[float, float]) -> Iterator[str]:
    width, height = (f"{side:g}" for side in size_mm)
    if reference is None:
        yield _tag("rect", {"data-kind": "art", "width": width, "height": height, "fill": "#ffffff"})
        return
    kind = "png" if reference.startswith(b"\x89PNG") else "jpeg"
    href = f"data:image/{kind};base64,{b64encode(reference).decode()}"
    shown = {"id": "reference", "data-kind": "reference", "x": "0", "y": "0", "width": width, "height": height}
    yield _tag("image", {**shown, "preserveAspectRatio": "none", "href": href})


def _drawn(tracing: Tracing) -> Iterator[str]:
    """Everything that is judged by, without looks: the picture shows the board."""
    known = laid_out(tracing) if can_be_laid_out(tracing) else None
    if known is not None:
        yield from _roads(known)
    beside = iter(known.roads.beside if known is not None else ())
    for name, number in numbered(tracing).items():
        one = tracing.elements[number]
        said = {"id": name, "data-kind": one.kind}
        if one.kind == "white-line":
            sections = next(beside, ())
            if not sections:
                continue
            said |= {"data-section": " ".join(map(str, sections)), "stroke": "#ffffff"}
        if one.kind in ("white-line", "oil-spill"):
            said["stroke-width"] = f"{one.width_mm:g}"
        if one.kind in KEYED:
            said[KEYED[one.kind]] = one.key
        yield _path(said, [_array(one)[:-1] if _closes(one) else _array(one)], _closes(one))
    if known is not None:
        yield from _along(known)


def numbered(tracing: Tracing) -> dict[str, int]:
    """The elements that are written as they were drawn: each one's id in the file, and its number in the tracing."""
    counts: Counter[str] = Counter()
    names = {}
    for number, one in enumerate(tracing.elements):
        if one.kind not in ("course", "checkpoint", "finish") and _is_whole(one):
            counts[one.kind] += 1
            names["start" if one.kind == "start" else f"{one.kind}-{counts[one.kind]}"] = number
    return names


def _roads(known: LaidOut) -> Iterator[str]:
    for number, road in enumerate(known.roads.roads, 1):
        rings = [np.array(ring.coords)[:-1] for ring in (road.exterior, *road.interiors)]
        said = {"id": f"road-{number}", "data-kind": "road", "data-section": str(number)}
        yield _path(said | {"fill-rule": "evenodd"}, rings, True)


def _along(known: LaidOut) -> Iterator[str]:
    for order, (line, section) in enumerate(known.checkpoints, 1):
        said = {"id": f"checkpoint-{order}", "data-kind": "checkpoint", "data-order": str(order)}
        yield _path(said | {"data-section": str(section)}, [line], False)
    if known.finish is not None:
        yield _path({"id": "finish", "data-kind": "finish"}, [known.finish], False)
    yield _path({"id": "course", "data-kind": "course"}, known.course, False)


def _path(said: dict[str, str], lines: Sequence[Floats], closed: bool) -> str:
    """A path without fill or stroke: it is judged by, not looked at."""
    d = "".join("M" + "L".join(f"{x:.3f} {y:.3f}" for x, y in line) + "Z" * closed for line in lines)
    return _tag("path", {**said, "fill": "none", "stroke-opacity": "0", "d": d})


def _tag(name: str, said: dict[str, str], end: str = "/") -> str:
    return f"<{name} " + " ".join(f"{key}={quoteattr(value)}" for key, value in said.items()) + f"{end}>"


# ------------------------------------------------------------------------------------------- shapes


def _array(one: Traced) -> Floats:
    """The points (N, 2) of an element, repeats left out; a closed one ends where it begins."""
    points = np.array(one.points, float).reshape(-1, 2)
    if _closes(one):
        points = np.vstack([points, points[:1]])
    if len(points) < 2:
        return points
    keep = np.concatenate([[True], np.hypot(*np.diff(points, axis=0).T) > ONE_POINT_MM])
    return np.asarray(points[keep])


def _closes(one: Traced) -> bool:
    return one.closed and len(one.points) >= 3


def _is_whole(one: Traced) -> bool:
    """Whether an element has extent: half-drawn ones are left out until they do."""
    if one.closed:
        return len(one.points) >= 3 and Polygon(one.points).buffer(0).area > 0.1
    return _length(one) > 0.5


def _length(one: Traced) -> float:
    return float(np.hypot(*np.diff(_array(one), axis=0).T).sum()) if len(one.points) > 1 else 0.0


def _shape(one: Traced) -> BaseGeometry:
    return Polygon(one.points).buffer(0) if one.closed else LineString(_array(one))


# ------------------------------------------------------------------------------------------- the course


def _pieces(tracing: Tracing) -> list[Floats]:
    """The course as it was drawn, cut where it leads through the air from a jump zone to its landing zone."""
    jumps = [
        (jump, landing) for jump in tracing.of("jump") for landing in tracing.of("landing") if _pair(jump, landing)
    ]
    pieces: list[Floats] = []
    for one in tracing.of("course"):
        if _length(one) > 1:
            pieces += _without_air(_array(one), [(_shape(j), _shape(n)) for j, n in jumps])
    return pieces


def _pair(jump: Traced, landing: Traced) -> bool:
    return jump.key == landing.key and _is_whole(jump) and _is_whole(landing)


def _without_air(line: Floats, leaps: Iterable[tuple[BaseGeometry, BaseGeometry]]) -> list[Floats]:
    """A line (N, 2) without its stretches from the last of a jump zone to the first of the landing behind it."""
    course = LineString(line)
    gaps = []
    for jump, landing in leaps:
        up, down = course.intersection(jump), course.intersection(landing)
        if up.is_empty or down.is_empty:
            continue
        last = max(course.project(Point(c)) for c in shapely.get_coordinates(up))
        first = min(course.project(Point(c)) for c in shapely.get_coordinates(down))
        if first > last + 0.5:
            gaps.append((last, first))
    kept, place = [], 0.0
    for last, first in sorted(gaps):
        kept.append((place, last))
        place = first
    kept.append((place, course.length))
    parts = [shapely.ops.substring(course, a, b) for a, b in kept if b - a > 1.0]
    return [np.array(part.coords) for part in parts]


def _on_the_road(line: Floats, roads: Roads) -> tuple[Floats, int, float]:
    """A line across the road, drawn out to its edges; its section, and how far along the course it is."""
    places = []
    straight = LineString(line)
    for number, road in enumerate(roads.roads, 1):
        course = MultiLineString([LineString(piece) for piece in roads.course]).intersection(road.buffer(0.1))
        if straight.distance(course) > DRAW_OUT_MM or course.is_empty:
            continue
        drawn = across(line, road, course, DRAW_OUT_MM)
        out = LineString(drawn).difference(road.buffer(0.06)).length
        spans = LineString(drawn).distance(course) < 0.1
        places.append((not spans, round(out, 1), number, drawn, course))
    if not places:
        place = roads.way.place_of(straight)
        return line, 1, place
    _, _, number, drawn, course = min(places, key=lambda found: found[:3])
    return drawn, number, _place_on(roads, straight, roads.roads[number - 1])


def _place_on(roads: Roads, line: LineString, road: Polygon) -> float:
    on_road = shapely.contains_xy(road.buffer(0.1), *roads.way.points_mm.T)
    distance = shapely.distance(shapely.points(roads.way.points_mm), line)
    distance = np.where(on_road, distance, np.inf)
    return float(roads.way.arc_mm[int(np.argmin(distance))])


# ------------------------------------------------------------------------------------------- back again


def traced_of(stage: Stage) -> Tracing:
    """A stage as it could have been traced: what can be worked out is left out."""
    elements = [_traced("course", piece) for piece in stage.course]
    lines = {(line.id, line.points_mm.tobytes()): line for line in stage.white_lines}
    for line in lines.values():
        traced = _traced("white-line", line.points_mm[:-1] if line.closed else line.points_mm)
        elements.append(replace(traced, closed=line.closed, width_mm=line.width_mm))
    elements.append(_area("start", stage.start))
    elements.append(_traced("finish", stage.finish_mm))
    elements += [_traced("checkpoint", one.points_mm) for one in stage.checkpoints]
    for zones in (stage.jumps, stage.landings, stage.accelerations, stage.slowdowns, stage.pipes):
        elements += [replace(_area(zone.kind, zone.shape), key=zone.key) for zone in zones]
    elements += [replace(_area("oil-spill", spill.shape), width_mm=spill.line_width_mm) for spill in stage.oil_spills]
    return Tracing(stage.size_mm, stage.number, stage.name, stage.set_name, stage.theme, tuple(elements))


def _traced(kind: str, line: Floats) -> Traced:
    points = np.array(LineString(line).simplify(FINE_MM).coords)
    return Traced(kind, tuple((float(x), float(y)) for x, y in points))


def _area(kind: str, shape: Polygon) -> Traced:
    points = np.array(shape.simplify(FINE_MM).exterior.coords)[:-1]
    return Traced(kind, tuple((float(x), float(y)) for x, y in points), closed=True)


def lengths(course: Sequence[Floats]) -> float:
    """The length of a course in mm."""
    return sum(float(np.hypot(*(b - a))) for piece in course for a, b in pairwise(piece))
