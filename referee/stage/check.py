"""Looks a stage file over for its designer: what the loader refuses first, then what is only odd."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import LineString
from shapely.geometry.base import BaseGeometry

from referee.errors import BadStageFile
from referee.model import Fiducial, Floats, Stage, WhiteLine
from referee.stage.course import MEET_MM, Along, along, with_sections
from referee.stage.document import read_document
from referee.stage.faults import Fault
from referee.stage.load import load_stage, read_bytes
from referee.stage.markers import SQUARES, STAGE_STEP, white_squares
from referee.stage.walk import drawn_in
from referee.words import say

ROAD_WIDTH_MM = (16.0, 24.0)
QUIET_MM = 2.0
_WHITE = 160
"""A printed white is no darker than this on the clean drawing (pale paper colours are fine)."""


@dataclass(frozen=True)
class Remark:
    """One thing to mend or to look at; ``element`` is None where it concerns the whole file."""

    level: Literal["error", "warning"]
    element: str | None
    text: str
    hint: str


@dataclass(frozen=True)
class Description:
    """A stage in a few words and figures."""

    number: int
    name: str
    theme: str
    set_name: str
    difficulty: int | None
    size_mm: tuple[float, float]
    sections: int
    course_mm: float
    elements: dict[str, int]
    """How many of each kind, kinds that are not there left out."""
    markers: tuple[int, ...]
    """Copy A's marker ids, top left first, clockwise; empty for a board without markers."""


@dataclass(frozen=True)
class Checkup:
    """What was found in a stage file; ``stage`` and ``description`` are None if it does not load."""

    source: str
    stage: Stage | None
    description: Description | None
    remarks: tuple[Remark, ...]

    @property
    def loads(self) -> bool:
        """Whether the referee takes the file."""
        return self.stage is not None


def check_stage(path: Path) -> Checkup:
    """Everything there is to say about a stage file; never raises for what is in it."""
    try:
        stage = load_stage(path)
    except BadStageFile as fault:
        missing = _missing_in(path)
        return Checkup(path.name, None, None, missing or (Remark("error", None, fault.message, fault.hint),))
    return Checkup(path.name, stage, describe(stage), tuple(remarks_on(stage)))


def _missing_in(path: Path) -> tuple[Remark, ...]:
    try:
        return missing_of(read_bytes(path))
    except BadStageFile:
        return ()


def missing_of(svg: bytes) -> tuple[Remark, ...]:
    """What a stage that is being traced over its reference picture still lacks; nothing for any other file."""
    try:
        document = read_document(svg)
        kinds = Counter(drawn.kind for drawn in drawn_in(document))
    except Fault:
        return ()
    if not kinds["reference"]:
        return ()
    return tuple(
        Remark("error", None, say(f"lack.no-{kind}"), say(f"lack.no-{kind}-trace"))
        for kind in TO_TRACE
        if not kinds[kind]
    )


TO_TRACE = ("course", "road", "white-line", "start", "finish")
"""What every stage has, in the order in which it is best traced."""
WORKED_OUT = ("road",)
"""What of it the page works out from the rest."""


def describe(stage: Stage) -> Description:
    """A stage in figures."""
    counts = {
        "checkpoint": len(stage.checkpoints),
        "jump": len(stage.jumps),
        "boost": len(stage.accelerations),
        "oil-spill": len(stage.oil_spills),
        "pipe": len(stage.pipes),
        "bridge": len(bridges(stage)),
        "white-line": len({line.id for line in stage.white_lines}),
    }
    return Description(
        number=stage.number,
        name=stage.name,
        theme=stage.theme,
        set_name=stage.set_name,
        difficulty=stage.difficulty,
        size_mm=stage.size_mm,
        sections=len(stage.sections),
        course_mm=along(stage.course).length_mm,
        elements={kind: n for kind, n in counts.items() if n},
        markers=tuple(f.marker_id for f in stage.fiducials),
    )


def bridges(stage: Stage) -> tuple[tuple[int, int], ...]:
    """Pairs of sections that lie above each other without being neighbours."""
    pairs = []
    for i, one in enumerate(stage.sections):
        for other in stage.sections[i + 2 :]:
            if one.road.intersection(other.road).area > 1.0:
                pairs.append((one.number, other.number))
    return tuple(pairs)


def remarks_on(stage: Stage) -> Iterator[Remark]:
    """What is odd about a stage that loads."""
    way = with_sections(along(stage.course), [section.road for section in stage.sections])
    yield from _on_root(stage)
    yield from _on_ids(stage)
    yield from _on_course(stage, way)
    yield from _on_road_widths(stage, way)
    for line in stage.white_lines:
        yield from _on_white_line(stage, line)
    yield from _on_crossings(stage, way)
    yield from _on_places(stage)
    yield from _on_markers(stage)


def _warn(element: str | None, what: str, **values: float) -> Remark:
    """The odd thing of the words ``remark.<what>`` and ``remark.<what>-cure``."""
    return Remark("warning", element, say(f"remark.{what}", **values), say(f"remark.{what}-cure", **values))


def _on_root(stage: Stage) -> Iterator[Remark]:
    if b"data-stage-format" not in stage.svg:
        yield _warn(None, "no-format")
    if b"data-name" not in stage.svg:
        yield _warn(None, "no-name")


def _on_ids(stage: Stage) -> Iterator[Remark]:
    things = [stage.start_id, stage.finish_id]
    things += [c.id for c in stage.checkpoints] + [f.id for f in stage.fiducials] + [o.id for o in stage.oil_spills]
    for zones in (stage.jumps, stage.landings, stage.accelerations, stage.slowdowns, stage.pipes):
        things += [zone.id for zone in zones]
    things += {line.id for line in stage.white_lines}
    for name, n in Counter(things).items():
        if n > 1:
            yield _warn(name, "shared-id", n=n)


# ------------------------------------------------------------------------------------------- the road


def _on_course(stage: Stage, way: Along) -> Iterator[Remark]:
    """Steps of the course that lie off their section's road, the run-out after the finish apart."""
    roads = shapely.union_all([section.road for section in stage.sections]).buffer(MEET_MM)
    off = ~shapely.contains_xy(roads, *way.points_mm.T)
    driven = (way.arc_mm >= way.place_of(stage.start) - 1) & (way.arc_mm <= _finish_place(stage, way) + 1)
    lost = float(np.diff(way.arc_mm, append=way.arc_mm[-1])[off & driven].sum())
    if lost > 0.5:
        x, y = way.points_mm[np.flatnonzero(off & driven)[0]]
        yield _warn("course", "course-off", mm=lost, x=float(x), y=float(y))
    if not driven.any():
        yield _warn("course", "course-elsewhere")


def _finish_place(stage: Stage, way: Along) -> float:
    distance = shapely.distance(shapely.points(way.points_mm), LineString(stage.finish_mm))
    return float(way.arc_mm[len(distance) - 1 - int(np.argmin(distance[::-1]))])


def _on_road_widths(stage: Stage, way: Along) -> Iterator[Remark]:
    least, most = ROAD_WIDTH_MM
    for section in stage.sections:
        widths = road_widths_mm(section.road, way, section.number)
        if widths.size and (widths.min() < least - 0.25 or widths.max() > most + 0.25):
            width = {"low": float(widths.min()), "high": float(widths.max()), "least": least, "most": most}
            yield _warn(None, "road-width", n=section.number, **width)


def road_widths_mm(road: BaseGeometry, way: Along, section: int, step: int = 8, trim_mm: float = 6.0) -> Floats:
    """Widths (N,) of a road square to the course, every few millimetres, its ends left out (they may be slanting)."""
    own = np.flatnonzero(way.section == section)
    own = own[(way.arc_mm[own] > way.arc_mm[own[0]] + trim_mm) & (way.arc_mm[own] < way.arc_mm[own[-1]] - trim_mm)]
    at = own[::step]
    if not at.size:
        return np.zeros(0)
    ahead = np.array([way.heading_at(float(way.arc_mm[i])) for i in at])
    reach = np.column_stack([-ahead[:, 1], ahead[:, 0]]) * ROAD_WIDTH_MM[1]
    points = way.points_mm[at]
    cuts = shapely.intersection(shapely.linestrings(np.stack([points - reach, points + reach], axis=1)), road)
    widths = [
        max((p.length for p in shapely.get_parts(cut) if p.distance(shapely.Point(c)) < 1), default=0.0)
        for cut, c in zip(cuts, points, strict=True)
    ]
    return np.array([w for w in widths if w > 0])


def _on_white_line(stage: Stage, line: WhiteLine) -> Iterator[Remark]:
    for number in line.sections:
        off = near_edge_gap_mm(line, stage.sections[number - 1].road)
        if len(line.sections) == 1 and off > MEET_MM:
            yield _warn(line.id, "near-edge", mm=off, n=number)
    if not 1.5 <= line.width_mm <= 3:
        yield _warn(line.id, "line-width", mm=line.width_mm)


def near_edge_gap_mm(line: WhiteLine, road: BaseGeometry) -> float:
    """How far the band's near edge strays from the road's edge at worst, sharp corners and the very ends left out."""
    points = line.points_mm
    arc = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
    even = np.arange(line.width_mm, arc[-1] - line.width_mm, 1.0)
    step = np.diff(points, axis=0)
    turn = np.abs(np.diff(np.unwrap(np.arctan2(step[:, 1], step[:, 0]))))
    for corner in arc[1:-1][turn > 0.3]:
        even = even[np.abs(even - corner) > 1.5 * line.width_mm]
    if not even.size:
        return 0.0
    middle = np.column_stack([np.interp(even, arc, points[:, 0]), np.interp(even, arc, points[:, 1])])
    # inside the road the distance to its edge counts against the line
    inside = shapely.contains_xy(road, *middle.T)
    distance = shapely.distance(shapely.points(middle), road.boundary) * np.where(inside, -1, 1)
    return float(np.abs(distance - line.width_mm / 2).max())


def _on_crossings(stage: Stage, way: Along) -> Iterator[Remark]:
    """Checkpoints and the finish: across the road, in order, and not far out over the white lines."""
    places = []
    for checkpoint in stage.checkpoints:
        road = stage.sections[checkpoint.section - 1].road
        places.append(way.place_of(LineString(checkpoint.points_mm), checkpoint.section))
        yield from _on_reach(checkpoint.id, checkpoint.points_mm, road)
    for before, after, one in zip(places, places[1:], stage.checkpoints[1:], strict=False):
        if after <= before:
            yield _warn(one.id, "out-of-order")
    yield from _on_reach(stage.finish_id, stage.finish_mm, stage.sections[-1].road)


def _on_reach(name: str, line_mm: Floats, road: BaseGeometry) -> Iterator[Remark]:
    line = LineString(line_mm)
    cut = line.intersection(road)
    short = max(shapely.Point(end).distance(road.boundary) for end in (line_mm[0], line_mm[-1]))
    ends_inside = [road.buffer(-MEET_MM).contains(shapely.Point(end)) for end in (line_mm[0], line_mm[-1])]
    if any(ends_inside):
        yield _warn(name, "too-short", mm=float(short))
    elif line.length - cut.length > 5:
        yield _warn(name, "sticks-out", mm=float(line.length - cut.length))


# ------------------------------------------------------------------------------------------- things on the road


def _on_places(stage: Stage) -> Iterator[Remark]:
    roads = shapely.union_all([section.road for section in stage.sections])
    wide = roads.buffer(3.0)
    zones = [*stage.jumps, *stage.landings, *stage.accelerations, *stage.slowdowns, *stage.pipes]
    things: list[tuple[str, str, BaseGeometry]] = [(zone.id, zone.kind, zone.shape) for zone in zones]
    things += [(spill.id, "oil-spill", spill.shape) for spill in stage.oil_spills]
    things.append((stage.start_id, "start", stage.start))
    for name, kind, shape in things:
        if not shape.intersects(roads):
            yield _warn(name, "off-road")
        elif kind != "pipe" and shape.difference(wide).area > 0.1 * shape.area:
            yield _warn(name, "half-off-road")


def _on_markers(stage: Stage) -> Iterator[Remark]:
    if not stage.fiducials:
        if b"reference" not in stage.svg:
            yield _warn(None, "no-markers")
        return
    for fiducial in stage.fiducials:
        expected = STAGE_STEP * (stage.number - 1) + fiducial.place
        if fiducial.marker_id != expected:
            yield _warn(fiducial.id, "marker-id", id=fiducial.marker_id, n=stage.number, expected=expected)
    yield from _on_marker_prints(stage)


def _on_marker_prints(stage: Stage, px_per_mm: float = 8.0) -> Iterator[Remark]:
    """The drawing itself: white round each marker, and copy A's squares in it."""
    from referee.stage.render import artwork

    picture = artwork(stage, None, px_per_mm).min(axis=2)
    for fiducial in stage.fiducials:
        if _quiet_darkness(picture, fiducial, px_per_mm) < _WHITE:
            yield _warn(fiducial.id, "no-white", mm=QUIET_MM)
        if not _shows_copy_a(picture, fiducial, px_per_mm):
            yield _warn(fiducial.id, "marker-missing", id=fiducial.marker_id)


def _quiet_darkness(picture: NDArray[np.uint8], fiducial: Fiducial, px_per_mm: float) -> float:
    """The darkest pixel in the ring that must be white, a pixel's blur left out."""
    (x0, y0), (x1, y1) = fiducial.corners_mm[0], fiducial.corners_mm[2]
    spot = np.full(picture.shape, False)

    def box(grow: float) -> tuple[slice, slice]:
        low = [max(int(np.ceil((v - grow) * px_per_mm)), 0) for v in (x0, y0)]
        high = [int((v + grow) * px_per_mm) for v in (x1, y1)]
        return slice(low[1], high[1]), slice(low[0], high[0])

    spot[box(QUIET_MM - 0.1)] = True
    spot[box(0.15)] = False
    return float(picture[spot].min()) if spot.any() else 255.0


def _shows_copy_a(picture: NDArray[np.uint8], fiducial: Fiducial, px_per_mm: float) -> bool:
    square = (fiducial.corners_mm[2] - fiducial.corners_mm[0]) / SQUARES
    at = (np.arange(SQUARES) + 0.5)[:, None] * square + fiducial.corners_mm[0]
    columns, rows = (at * px_per_mm).astype(int).T
    inside = (rows >= 0) & (rows < picture.shape[0]) & (columns >= 0) & (columns < picture.shape[1])
    if not inside.all():
        return False
    return bool(np.array_equal(picture[np.ix_(rows, columns)] > 127, white_squares(fiducial.marker_id)))
