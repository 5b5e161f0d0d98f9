"""Small named stages and drives, built in code: every road 20 mm wide between white lines 2 mm wide.

The far edge of a white line lies 12 mm from the middle of its road, so a stroke 2.5 mm wide that runs ``y`` mm
beside the middle has a margin of 12 - 1.25 - y = 10.75 - y to breaking it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import shapely
from shapely.geometry import LineString, Polygon, box

from referee.facts import Facts
from referee.geometry.gadgets import gadgets_of
from referee.geometry.measure import NOTHING, Beforehand, measure
from referee.model import (
    Checkpoint,
    EndLook,
    Floats,
    Judgement,
    Mark,
    OilSpill,
    Path,
    Section,
    Stage,
    Stroke,
    UnseenArea,
    WhiteLine,
    Zone,
)
from referee.rules import Rules, judge

HALF_ROAD = 10.0
LINE = 2.0
WIDTH = 2.5
EDGE = HALF_ROAD + LINE - WIDTH / 2
"""How far beside the middle a stroke of the usual width may run before it breaks a line."""

Points = list[tuple[float, float]]


@dataclass
class Plan:
    """What a small stage is built from; ``roads`` are the middles of sections 1, 2, …; gates stand across them."""

    roads: list[Points]
    checkpoints: list[tuple[int, float, float]] = field(default_factory=list)
    """(section, x, y): a line across that section's road at the place nearest to x, y."""
    finish: tuple[int, float, float] = (1, 0.0, 0.0)
    arrow: tuple[float, float] = (20.0, 50.0)
    zones: list[Zone] = field(default_factory=list)
    oil: list[tuple[str, Polygon]] = field(default_factory=list)
    decks: list[tuple[int, int]] = field(default_factory=list)
    """(lower, upper): the lower section's lines are not printed under the upper one's."""
    lines: list[WhiteLine] | None = None
    air_before: set[int] = field(default_factory=set)
    """Sections before which the car is in the air."""


def build(plan: Plan) -> Stage:
    """The stage of a plan."""
    middles = [LineString(points) for points in plan.roads]
    roads = [m.buffer(HALF_ROAD, cap_style="flat", join_style="mitre") for m in middles]
    x, y = plan.arrow
    course: list[list[tuple[float, float]]] = []
    for number, points in enumerate(plan.roads, 1):
        if not course or number in plan.air_before:
            course.append([])
        course[-1] += [p for p in points if not course[-1] or p != course[-1][-1]]
    zones = {kind: tuple(z for z in plan.zones if z.kind == kind) for kind in KINDS}
    return Stage(
        number=99,
        name="Test",
        theme="park",
        set_name="",
        difficulty=None,
        size_mm=(297.0, 210.0),
        course=tuple(np.array(piece, float) for piece in course),
        sections=tuple(Section(i, road) for i, road in enumerate(roads, 1)),
        white_lines=tuple(plan.lines if plan.lines is not None else _lines(plan, middles)),
        start=Polygon([(x + 8, y), (x - 4, y - 5), (x - 4, y + 5)]),
        start_id="start",
        finish_mm=_across(middles[plan.finish[0] - 1], plan.finish[1:]),
        finish_id="finish",
        checkpoints=tuple(
            Checkpoint(f"checkpoint-{i}", i, section, _across(middles[section - 1], (cx, cy)))
            for i, (section, cx, cy) in enumerate(plan.checkpoints, 1)
        ),
        jumps=zones["jump"],
        landings=zones["landing"],
        accelerations=zones["acceleration"],
        slowdowns=zones["slowdown"],
        pipes=zones["pipe"],
        oil_spills=tuple(OilSpill(name, shape, 1.4, shape.buffer(0.7)) for name, shape in plan.oil),
        fiducials=(),
        svg=b"",
    )


KINDS = ("jump", "landing", "acceleration", "slowdown", "pipe")


def _lines(plan: Plan, middles: list[LineString]) -> list[WhiteLine]:
    found = []
    for number, middle in enumerate(middles, 1):
        for side in (1, -1):
            edge = shapely.offset_curve(middle, side * (HALF_ROAD + LINE / 2), join_style="mitre")
            for lower, upper in plan.decks:
                if lower == number:
                    edge = edge.difference(middles[upper - 1].buffer(HALF_ROAD + LINE, cap_style="flat"))
            for piece in getattr(edge, "geoms", [edge]):
                found.append(line(f"white-line-{2 * number - (side > 0)}", (number,), list(piece.coords)))
    return found


def line(name: str, sections: tuple[int, ...], points: Points, closed: bool = False) -> WhiteLine:
    """A white line along points."""
    band = LineString([*points, points[0]] if closed else points).buffer(LINE / 2, cap_style="flat", join_style="mitre")
    return WhiteLine(name, sections, np.array(points, float), closed, LINE, band)


def _across(middle: LineString, place: tuple[float, ...]) -> Floats:
    where = middle.project(shapely.Point(place))
    a, b = (np.array(middle.interpolate(max(0.0, where + d)).coords[0]) for d in (-0.01, 0.01))
    way = (b - a) / np.hypot(*(b - a))
    at = np.array(middle.interpolate(where).coords[0])
    normal = np.array([-way[1], way[0]])
    return np.array([at - HALF_ROAD * normal, at + HALF_ROAD * normal])


def zone(name: str, kind: str, key: str, x0: float, x1: float, y0: float = 40.0, y1: float = 60.0) -> Zone:
    """A rectangular zone."""
    return Zone(name, kind, key, box(x0, y0, x1, y1))  # type: ignore[arg-type]


# ----------------------------------------------------------------------------------------- the stages


def straight() -> Stage:
    """A road along y = 50 from x = 5 to 285: checkpoints at 100 and 180, the finish at 260."""
    return build(Plan([[(5, 50), (285, 50)]], [(1, 100, 50), (1, 180, 50)], (1, 260, 50)))


def two_sections() -> Stage:
    """The straight road in two sections that share an edge at x = 140."""
    roads: list[Points] = [[(5, 50), (140, 50)], [(140, 50), (285, 50)]]
    return build(Plan(roads, [(1, 100, 50), (2, 180, 50)], (2, 260, 50)))


def bend() -> Stage:
    """Along y = 50 to x = 150, then a quarter turn of radius 30 and down along x = 180."""
    turn = [(150 + 30 * np.sin(a), 80 - 30 * np.cos(a)) for a in np.linspace(0, np.pi / 2, 40)]
    return build(Plan([[(5, 50), *turn, (180, 200)]], [(1, 100, 50)], (1, 180, 180)))


def hairpin() -> Stage:
    """Out along y = 50, round at x = 200 and back along y = 74: the legs' inner lines lie back to back."""
    turn = [(200 + 12 * np.sin(a), 62 - 12 * np.cos(a)) for a in np.linspace(0, np.pi, 40)]
    return build(Plan([[(5, 50), *turn, (30, 74)]], [(1, 100, 50), (1, 120, 74)], (1, 45, 74)))


def shared_divider() -> Stage:
    """Two legs parted by one white line of both: section 1 out along y = 50, 3 back along y = 72."""
    roads: list[Points] = [[(5, 50), (200, 50)], [(210, 40), (210, 82)], [(200, 72), (20, 72)]]
    lines = [
        line("outer", (1,), [(5, 39), (199, 39)]),
        line("divider", (1, 3), [(5, 61), (200, 61)]),
        line("lower", (3,), [(200, 83), (20, 83)]),
        line("end-1", (2,), [(199, 39), (221, 39)]),
        line("end-2", (2,), [(221, 39), (221, 83)]),
        line("end-3", (2,), [(221, 83), (200, 83)]),
    ]
    plan = Plan(roads, [(1, 100, 50), (3, 120, 72)], (3, 40, 72), lines=lines)
    return build(plan)


def bridge() -> Stage:
    """A loop that crosses its own beginning: 1 along y = 50 under 5, which comes down along x = 100 over it."""
    roads: list[Points] = [
        [(5, 50), (150, 50)],
        [(150, 50), (250, 50), (250, 150)],
        [(250, 150), (250, 195), (170, 195), (170, 20)],
        [(170, 20), (100, 20), (100, 30)],
        [(100, 30), (100, 180)],
    ]
    roads[2] = [(250, 150), (250, 195), (200, 195), (200, 120)]
    roads[3] = [(200, 120), (200, 15), (100, 15), (100, 30)]
    plan = Plan(roads, [(2, 230, 50), (3, 220, 195)], (5, 100, 160), decks=[(1, 5), (2, 4)])
    return build(plan)


def jump() -> Stage:
    """A road with a jump zone at its end (x 120 to 140) and the landing zone (x 170 to 190) of the next road."""
    roads: list[Points] = [[(5, 50), (140, 50)], [(170, 50), (285, 50)]]
    zones = [zone("jump-1", "jump", "zigzag", 120, 140), zone("landing-1", "landing", "zigzag", 170, 190)]
    return build(Plan(roads, [(1, 90, 50), (2, 230, 50)], (2, 270, 50), zones=zones, air_before={2}))


def two_jumps() -> Stage:
    """Two jumps one after the other: zigzag from 80–95 to 115–130, dots from 180–195 to 215–230."""
    roads: list[Points] = [[(5, 50), (95, 50)], [(115, 50), (195, 50)], [(215, 50), (285, 50)]]
    zones = [
        zone("jump-1", "jump", "zigzag", 80, 95),
        zone("landing-1", "landing", "zigzag", 115, 130),
        zone("jump-2", "jump", "dots", 180, 195),
        zone("landing-2", "landing", "dots", 215, 230),
    ]
    return build(Plan(roads, [(2, 150, 50)], (3, 270, 50), zones=zones, air_before={2, 3}))


def boost() -> Stage:
    """A boost from x 110–125 to a slowdown at 150–165 that leaves half the road free, before a checkpoint at 190."""
    zones = [zone("acceleration-1", "acceleration", "a", 110, 125), zone("slowdown-1", "slowdown", "a", 150, 165, 50)]
    return build(Plan([[(5, 50), (285, 50)]], [(1, 90, 50), (1, 190, 50)], (1, 260, 50), zones=zones))


def oil(spills: int = 1) -> Stage:
    """A wide field of road (y 20 to 80) with spills at x = 110, 130 and checkpoints at 90 and 240."""
    middle: Points = [(5, 50), (285, 50)]
    lines = [line("white-line-1", (1,), [(5, 19), (285, 19)]), line("white-line-2", (1,), [(5, 81), (285, 81)])]
    shapes = [(f"oil-spill-{i + 1}", shapely.Point(110 + 20 * i, 38).buffer(6)) for i in range(spills)]
    plan = Plan([middle], [(1, 90, 50), (1, 240, 50)], (1, 270, 50), oil=shapes, lines=lines)
    stage = build(plan)
    wide = Section(1, box(5, 20, 285, 80))
    gates = {c.id: np.array([[c.points_mm[0][0], 20.0], [c.points_mm[0][0], 80.0]]) for c in stage.checkpoints}
    checkpoints = tuple(Checkpoint(c.id, c.order, 1, gates[c.id]) for c in stage.checkpoints)
    return _changed(
        stage, sections=(wide,), checkpoints=checkpoints, finish_mm=np.array([[270.0, 20.0], [270.0, 80.0]])
    )


def pipe() -> Stage:
    """The straight road with a pipe from x = 120 to 150."""
    zones = [zone("pipe-1", "pipe", "", 120, 150)]
    return build(Plan([[(5, 50), (285, 50)]], [(1, 100, 50), (1, 180, 50)], (1, 260, 50), zones=zones))


def island() -> Stage:
    """A square field of road round a closed white line: its far edge is inside."""
    stage = oil(0)
    ring: Points = [(140, 40), (160, 40), (160, 60), (140, 60)]
    road = box(5, 20, 285, 80).difference(box(139, 39, 161, 61))
    lines = (*stage.white_lines, line("island", (1,), ring, closed=True))
    return _changed(stage, sections=(Section(1, road),), white_lines=lines)


def _changed(stage: Stage, **new: object) -> Stage:
    return Stage(**{**vars(stage), **new})


# ----------------------------------------------------------------------------------------- drives


def drive(
    *points: tuple[float, float],
    width: float = WIDTH,
    sigma: float = 0.02,
    begin: EndLook = "free",
    end: EndLook = "free",
    unseen: tuple[float, float] | None = None,
) -> Stroke:
    """A stroke of even width along points; ``unseen`` is a stretch of x that the picture does not show."""
    way = LineString(points)
    count = max(2, int(np.ceil(way.length / 0.4)) + 1)
    stops = np.union1d(np.linspace(0, way.length, count), [way.project(shapely.Point(p)) for p in points[1:-1]])
    at = shapely.get_coordinates(shapely.line_interpolate_point(way, stops))
    seen = np.ones(len(at), bool) if unseen is None else (at[:, 0] < unseen[0]) | (at[:, 0] > unseen[1])
    return Stroke(at, np.full((len(at), 2), width / 2), np.full(len(at), sigma), seen, begin, end)


def bump(x: float, y: float, long: float = 6.0, base: float = 50.0) -> tuple[tuple[float, float], ...]:
    """A swerve from the middle to ``y`` and back, round ``x``: points for `drive`."""
    return ((x - long, base), (x - 1, y), (x + 1, y), (x + long, base))


def ring(x: float, y: float, radius: float = 4.0) -> tuple[tuple[float, float], ...]:
    """A donut on the side of smaller y of the line through ``y``, closed by crossing that line."""
    lean = 0.35
    angles = np.linspace(np.pi / 2 - lean, -1.5 * np.pi + lean, 60)
    middle = y - radius * np.cos(lean)
    round_ = [(float(x + radius * np.cos(a)), float(middle + radius * np.sin(a))) for a in angles]
    across = (x - radius * np.sin(lean) + 1.2, y + 0.8)
    return ((x - 2 * radius, y), *round_, across, (x + 1.5 * radius, y))


def rope(x: float, dotted: float = 9.0, y0: float = 39.5, y1: float = 60.5, pen: float = 1.0) -> list[Mark]:
    """A clothesline across the road at ``x``: a solid line, and dots ``dotted`` mm before and behind it."""
    dots = [
        mark(shapely.Point(x + side * dotted, y).buffer(pen / 2)) for side in (-1, 1) for y in np.arange(41, 60, 2.6)
    ]
    return [mark(LineString([(x, y0), (x, y1)]).buffer(pen / 2)), *dots]


def mine(x: float, y: float, across: float = 7.2, pen: float = 1.0) -> list[Mark]:
    """A circle with an X in it; ``across`` is measured at the middle of its line."""
    radius = across / 2
    arm = radius / np.sqrt(2)
    lines = [LineString([(x - arm, y - s * arm), (x + arm, y + s * arm)]) for s in (-1, 1)]
    return [mark(shapely.union_all([shapely.Point(x, y).buffer(radius).exterior, *lines]).buffer(pen / 2))]


def mark(ink: Polygon, sigma: float = 0.02) -> Mark:
    """A patch of ink that was on the board before."""
    holes = tuple(np.array(hole.coords) for hole in ink.interiors)
    return Mark(np.array(ink.exterior.coords), holes, sigma)


def race(
    stage: Stage,
    *strokes: Stroke,
    unseen: tuple[UnseenArea, ...] = (),
    rules: Rules | None = None,
    drawn: Sequence[Mark] = (),
    unseen_before: tuple[UnseenArea, ...] = (),
) -> Judgement:
    """The judgement on strokes driven on a stage, on which some marks were ``drawn`` before."""
    before = Beforehand(gadgets_of(drawn, stage), unseen_before)
    return judge(facts_of(stage, *strokes, unseen=unseen, rules=rules, before=before), rules)


def facts_of(
    stage: Stage,
    *strokes: Stroke,
    unseen: tuple[UnseenArea, ...] = (),
    rules: Rules | None = None,
    before: Beforehand = NOTHING,
) -> Facts:
    """The facts of strokes driven on a stage."""
    return measure(Path(strokes), stage, unseen, (rules or Rules()).limits(), before)


def told(judgement: Judgement) -> list[str]:
    """The events in short: kinds, with cause and outcome for accidents and a ? for what is not certain."""
    return [
        f"{e.cause} {e.outcome}{'' if e.certain else '?'}" if e.kind == "accident" else e.kind for e in judgement.events
    ]
