# ruff: noqa: E501 - a drawing reads better with each shape on one line
"""What is painted on the road: zones and their patterns, checkpoints, arrow, finish, oil, pipe.

Colours are light enough that black, blue, red and green ink show on every one of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from .curves import Points
from .layout import LEFT, LINE_MM, RIGHT, Lane
from .svg import bezier, el, group, num, oval, pen, place, shape, straight

YELLOW, AMBER = "#ffd95a", "#f4a93c"
ORANGE, MINT, DEEP_MINT = "#ffab66", "#a5e6d4", "#6fc9b4"
CHECKPOINT, PURPLE, OIL = "#3f9bff", "#a05be8", "#a9a4bd"
SLATE = "#7d8494"


def ribbon_path(lane: Lane, begin: float, end: float, beyond: float = 0.0) -> str:
    """Path data of the road's surface between two places along it."""
    left, right = lane.side(LEFT, begin, end, beyond), lane.side(RIGHT, end, begin, beyond)
    return bezier(left) + bezier(right, move=False) + "Z"


def _across(lane: Lane, s: float, reach: float = 0.0) -> Points:
    return lane.curve.at(np.array([s, s]), np.array([-1, 1]) * (lane.half + reach))


def start_arrow(lane: Lane, s: float) -> str:
    """A plump arrow 14 mm long that points along the road."""
    x, y = lane.curve.at(s)[0]
    tip = "7,0 0.6,-6 0.6,-2.8 -7,-2.8 -5.4,0 -7,2.8 0.6,2.8 0.6,6"
    return el("polygon", id="start", data_kind="start", points=tip, fill="#6fd07f", stroke="#ffffff", stroke_width=0.8,
              stroke_linejoin="round", transform=f"translate({num(x)} {num(y)}) rotate({num(lane.curve.heading_degrees(s))})")  # fmt: skip


def checkpoint(lane: Lane, s: float, order: int, section: int) -> str:
    """A blue line from near edge to near edge."""
    (x1, y1), (x2, y2) = _across(lane, s)
    return el("line", id=f"checkpoint-{order}", data_kind="checkpoint", data_order=order, data_section=section,
              x1=x1, y1=y1, x2=x2, y2=y2, stroke=CHECKPOINT, stroke_width=2.2)  # fmt: skip


def finish(lane: Lane, s: float) -> str:
    """The finish line, and a chequered band just beyond it."""
    cells, deep = max(6, round(lane.half * 2 / 2.2)), 2.2
    squares = []
    for row in range(3):
        for column in range(row % 2, cells, 2):
            a, b = 2 * column / cells - 1, 2 * (column + 1) / cells - 1
            near, far = s + 0.6 + row * deep, s + 0.6 + (row + 1) * deep
            squares.append(straight(lane.map(np.array([near, far, far, near]), np.array([a, a, b, b])), closed=True))
    band = straight(
        lane.map(np.array([s, s + 0.6 + 3 * deep] * 2)[[0, 1, 3, 2]], np.array([-1, -1, 1, 1])), closed=True
    )
    (x1, y1), (x2, y2) = _across(lane, s)
    return "\n".join([
        group([shape(band, "#ffffff"), shape("".join(squares), SLATE)], data_kind="art"),
        el("line", id="finish", data_kind="finish", x1=x1, y1=y1, x2=x2, y2=y2, stroke=SLATE, stroke_width=1.2),
    ])  # fmt: skip


# ------------------------------------------------------------------------------------------ jump patterns


def _zigzag(lane: Lane, begin: float, end: float) -> str:
    steps = np.linspace(-1, 1, 11)
    rows = np.linspace(begin, end, 5)[1:-1]
    swing = np.where(np.arange(11) % 2, 1.0, -1.0)
    return "".join(pen(straight(lane.map(row + swing * 1.5, steps * 0.93)), AMBER, 1.5) for row in rows)


def _dots(lane: Lane, begin: float, end: float) -> str:
    art = []
    for i, row in enumerate(np.linspace(begin, end, 5)[1:-1]):
        count = 4 if i % 2 else 5
        for across in np.linspace(-0.8, 0.8, 5)[:count] + (0.2 if count == 4 else 0):
            x, y = lane.map(np.array([row]), np.array([across]))[0]
            art.append(oval(x, y, 1.35, 1.35, AMBER))
    return "".join(art)


def _stripes(lane: Lane, begin: float, end: float) -> str:
    bars = np.linspace(-1, 1, 8)[1:-1]
    return "".join(
        pen(straight(lane.map(np.linspace(begin + 1.5, end - 1.5, 9), np.full(9, a))), AMBER, 1.5) for a in bars
    )


def _waves(lane: Lane, begin: float, end: float) -> str:
    across = np.linspace(-0.93, 0.93, 60)
    rows = np.linspace(begin, end, 5)[1:-1]
    wave = np.sin(across * 3 * math.pi) * 1.3
    return "".join(pen(straight(lane.map(row + wave, across)), AMBER, 1.4) for row in rows)


def _stars(lane: Lane, begin: float, end: float) -> str:
    art = []
    for i, row in enumerate(np.linspace(begin, end, 4)[1:-1]):
        for across in np.linspace(-0.75, 0.75, 4 - i):
            x, y = lane.map(np.array([row]), np.array([across]))[0]
            art.append(place(shape(star(2.2), AMBER), x, y))
    return "".join(art)


PATTERNS: dict[str, Callable[[Lane, float, float], str]] = {
    "zigzag": _zigzag,
    "dots": _dots,
    "stripes": _stripes,
    "waves": _waves,
    "stars": _stars,
}


def star(radius: float, points: int = 5, inner: float = 0.45) -> str:
    """Path data of a star round the origin."""
    angles = -math.pi / 2 + np.arange(2 * points) * math.pi / points
    reach = np.where(np.arange(2 * points) % 2, inner, 1.0) * radius
    return straight(np.column_stack([np.cos(angles), np.sin(angles)]) * reach[:, None], closed=True)


def yellow_zone(kind: str, name: str, pattern: str, lane: Lane, begin: float, end: float) -> str:
    """A jump or landing zone with its pattern."""
    zone = shape(ribbon_path(lane, begin, end), YELLOW, id=name, data_kind=kind, data_pattern=pattern)
    return zone + "\n" + group([PATTERNS[pattern](lane, begin, end)], data_kind="art")


# ------------------------------------------------------------------------------------------ boost, oil, pipe


def acceleration(name: str, pair: str, lane: Lane, begin: float, end: float) -> str:
    """An orange zone with chevrons that point along the road."""
    zone = shape(ribbon_path(lane, begin, end), ORANGE, id=name, data_kind="acceleration", data_pair=pair)
    rows = np.linspace(begin, end, 4)[:-1] + 0.4
    chevrons = [
        shape(
            straight(lane.map(row + np.array([0, 3.6, 0, 2, 5.6, 2.0]), np.array([-0.7, 0, 0.7, 0.7, 0, -0.7])), True),
            "#fff4dc",
        )
        for row in rows
    ]
    return zone + "\n" + group(chevrons, data_kind="art")


def slowdown(name: str, pair: str, lane: Lane, begin: float, end: float) -> str:
    """A mint zone with bars across that come closer and closer."""
    zone = shape(ribbon_path(lane, begin, end), MINT, id=name, data_kind="slowdown", data_pair=pair)
    rows = begin + 1.6 + (end - begin - 3.2) * np.array([0, 0.36, 0.63, 0.84, 1.0])
    bars = [pen(straight(lane.map(np.full(2, row), np.array([-0.75, 0.75]))), DEEP_MINT, 1.3) for row in rows]
    return zone + "\n" + group(bars, data_kind="art")


BLOBS = (
    (1.0, 0.86, 0.94, 0.8, 1.02, 0.9, 0.78, 0.98, 0.85, 1.04),
    (0.96, 1.04, 0.8, 0.92, 0.86, 1.02, 0.84, 0.94, 1.0, 0.82),
)


def oil_spill(name: str, lane: Lane, s: float, aside: float, size: float, blob: int) -> str:
    """A shiny puddle inside a purple line 1.4 mm wide, longer along the road than across."""
    x, y = lane.curve.at(s, aside)[0]
    outline = _blob(np.array(BLOBS[blob % len(BLOBS)]) * size, 0.66)
    spill = shape(outline, OIL, id=name, data_kind="oil-spill", stroke=PURPLE, stroke_width=1.4, stroke_linejoin="round",
                  transform=f"translate({num(x)} {num(y)}) rotate({num(lane.curve.heading_degrees(s))})")  # fmt: skip
    gleam = [
        oval(-size * 0.28, -size * 0.2, size * 0.34, size * 0.16, "#cfe6f2"),
        oval(size * 0.3, size * 0.14, size * 0.28, size * 0.12, "#f3d3e6"),
        oval(size * 0.1, -size * 0.3, size * 0.12, size * 0.07, "#f7eec2"),
    ]
    return spill + "\n" + el("g", place("".join(gleam), x, y, turn=lane.curve.heading_degrees(s)), data_kind="art")


def _blob(reach: Points, flat: float) -> str:
    """A closed smooth outline through points round the origin (Catmull-Rom as cubic curves)."""
    angles = np.arange(len(reach)) * 2 * math.pi / len(reach)
    points = np.column_stack([np.cos(angles), np.sin(angles) * flat]) * reach[:, None]
    ahead = (np.roll(points, -1, 0) - np.roll(points, 1, 0)) / 6
    text = [f"M{num(points[0, 0])} {num(points[0, 1])}"]
    for i in range(len(points)):
        j = (i + 1) % len(points)
        text.append(
            "C" + " ".join(num(v) for v in np.concatenate([points[i] + ahead[i], points[j] - ahead[j], points[j]]))
        )
    return "".join(text) + "Z"


def pipe(name: str, lane: Lane, begin: float, end: float) -> str:
    """A glass tube over the road: the white lines stay in sight, a collar at either end says where silence is."""
    reach = LINE_MM + 1.2
    zone = shape(ribbon_path(lane, begin, end), "#cfe9e6", fill_opacity=0.55, id=name, data_kind="pipe")
    sheen = [
        pen(
            straight(lane.curve.at(lane.curve.stations(begin + 3, end - 3), across * lane.half)),
            "#ffffff",
            width,
            opacity=0.5,
        )
        for across, width in ((-0.62, 2.6), (-0.34, 1.0), (0.7, 1.4))
    ]
    rings = [
        shape(ribbon_path(lane, s, s + 1.2, reach - 0.6), "#c8d8cf", stroke="#8fa79b", stroke_width=0.4)
        for s in np.linspace(begin, end, max(3, round((end - begin) / 14)))[1:-1]
    ]
    collars = [
        shape(ribbon_path(lane, s, s + 4.0, reach), "#d9b98a", stroke="#b08d5c", stroke_width=0.5)
        for s in (begin - 1.0, end - 3.0)
    ]
    hushes = [_hush(lane, begin + (end - begin) * part) for part in (0.24, 0.76)]
    return zone + "\n" + group(sheen + rings + hushes + collars, data_kind="art")


def _hush(lane: Lane, s: float) -> str:
    """A speech bubble struck out: no word while the car is in here."""
    bubble = shape(
        "M-3.4 -2.6H3.4V1.4H0.6L-1.4 3.4V1.4H-3.4Z",
        "#ffffff",
        stroke="#ffffff",
        stroke_width=1.2,
        stroke_linejoin="round",
    )
    dots = "".join(oval(x, -0.6, 0.6, 0.6, "#9fbcb5") for x in (-1.9, 0, 1.9))
    x, y = lane.curve.at(s)[0]
    return place(bubble + dots + pen("M-4.4 3.4L4.4 -4.2", "#f0a58f", 1.1), x, y)
