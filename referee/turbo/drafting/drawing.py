"""The circuit as an SVG file: squares that mean something on top of a drawing that means nothing."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from xml.sax.saxutils import quoteattr

from referee.turbo.drafting.layout import LANE_MM, LANES, WIDTH_MM, Cell, Plan, Road
from referee.turbo.drafting.scenery import scenery
from referee.turbo.drafting.svg import num, strokes, tag
from referee.turbo.drafting.turbo import NAME, SIZE_MM, features, turbo_plan, turbo_roads
from referee.turbo.markers import CELLS, CORNERS, DICTIONARY, white_cells

ROAD, LINE, KERB = "#8f96a3", "#ffffff", "#e4573d"
ICE, YELLOW, DOT, CROSS, HATCH = "#d8f1fb", "#ffd23f", "#7fb4e6", "#d7263d", "#d7263d"
WAVE = "#5fb4dd"
GRASS, INK = "#bfe3a6", "#3a3352"
MARKER_MM, MARKER_EDGE_MM, RIM_MM = 16.0, 6.0, 2.0
"""A corner marker's side, its distance from the board's edge, and the white round it."""


def circuit_svg() -> str:
    """The whole file."""
    w, h = map(num, SIZE_MM)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{w}mm" height="{h}mm" viewBox="0 0 {w} {h}"'
        f' data-circuit-format="1" data-name={quoteattr(NAME)}>'
    )
    layers = (_ground, scenery, _road, _squares, _arrows, _things, _yellow_lines, _finish, _markers)
    return "\n".join([head, *(line for layer in layers for line in layer()), "</svg>", ""])


# ----------------------------------------------------------------------------------------- the road


def _ground() -> Iterator[str]:
    yield tag("rect", width=SIZE_MM[0], height=SIZE_MM[1], fill=GRASS)


def _road() -> Iterator[str]:
    """The kerb beside every section, and the surface on it."""
    paths = [outline(road, 0.0, 1.0, 0.0, WIDTH_MM) for road in turbo_roads()]
    for path in paths:
        yield tag("path", d=path, fill=KERB, stroke=KERB, stroke_width=3.0)
    for path in paths:
        yield tag("path", d=path, fill=ROAD, stroke=LINE, stroke_width=3.0, stroke_dasharray="5 5")
    for path in paths:
        yield tag("path", d=path, fill=ROAD, stroke=ROAD, stroke_width=0.2)


def outline(road: Road, begin: float, end: float, left_mm: float, right_mm: float) -> str:
    """The path round a part of a section."""
    corners = [road.at(t, u) for t, u in ((begin, left_mm), (begin, right_mm), (end, right_mm), (end, left_mm))]
    first, second, third, fourth = (f"{num(x)} {num(y)}" for x, y in corners)
    return f"M{first}L{second}{_to(road, right_mm, True)}{third}L{fourth}{_to(road, left_mm, False)}{first}Z"


def _to(road: Road, across_mm: float, forwards: bool) -> str:
    """The beginning of a path's step along a section: a line, or an arc."""
    if not road.section.turn:
        return "L"
    radius = num(road.radius(across_mm))
    return f"A{radius} {radius} 0 0 {int((road.section.turn < 0) == forwards)} "


def along(road: Road, across_mm: float) -> str:
    """The path along a whole section, so far from its left edge; in halves, since an arc is less than half a turn."""
    places = [road.at(t, across_mm) for t in (0.0, 0.5, 1.0)]
    (x, y), *rest = places
    step = _to(road, across_mm, forwards=True)
    return f"M{num(x)} {num(y)}" + "".join(f"{step}{num(x)} {num(y)}" for x, y in rest)


# ----------------------------------------------------------------------------------------- squares


def _squares() -> Iterator[str]:
    known, all_roads, on = turbo_plan(), turbo_roads(), features()
    yield f'<g data-kind="square" stroke="{LINE}" stroke-width="0.5">'
    for name, cell in known.cells.items():
        yield _square(known, all_roads[cell.section], name, cell, on.get(name, ()))
    yield "</g>"


def _square(known: Plan, road: Road, name: str, cell: Cell, on: tuple[str, ...]) -> str:
    said: dict[str, str | float] = {"id": name, "data_lane": cell.lane, "data_row": known.rows[name]}
    if on:
        said["data_features"] = " ".join(on)
    for link, there in zip(("ahead", "left", "right"), known.links[name], strict=True):
        if there:
            said[f"data_{link}"] = there
    begin, end = float(cell.begin - cell.section), float(cell.end - cell.section)
    path = outline(road, begin, end, LANE_MM * (cell.lane - 1), LANE_MM * cell.lane)
    return tag("path", **said, d=path, fill=ICE if "ice" in on else ROAD)


def middle(name: str) -> tuple[float, float]:
    """The middle of a square."""
    cell = turbo_plan().cells[name]
    t = float((cell.begin + cell.end) / 2 - cell.section)
    return turbo_roads()[cell.section].at(t, LANE_MM * (cell.lane - 0.5))


# ----------------------------------------------------------------------------------------- what is on them


def _things() -> Iterator[str]:
    draw = {"ice": _waves, "obstacle": _dot, "ambulance": _cross, "hatched": _hatching}
    for name, on in features().items():
        x, y = middle(name)
        for feature in on:
            if feature in draw:
                yield from draw[feature](x, y)
            elif feature.startswith("grid"):
                yield strokes(feature[-1], x, y, 7.0, LINE, 1.1)


def _waves(x: float, y: float) -> Iterator[str]:
    lines = "".join(f"M{num(x - 5)} {num(y + at)}q1.25 -1.8 2.5 0t2.5 0t2.5 0t2.5 0" for at in (-7, 0, 7))
    yield tag("path", d=lines, fill="none", stroke=WAVE, stroke_width=0.8)


def _dot(x: float, y: float) -> Iterator[str]:
    yield tag("circle", cx=x, cy=y, r=3.2, fill=DOT)


def _cross(x: float, y: float) -> Iterator[str]:
    yield tag("circle", cx=x, cy=y, r=5.5, fill=LINE)
    yield tag("path", d=f"M{num(x - 4)} {num(y)}h8M{num(x)} {num(y - 4)}v8", stroke=CROSS, stroke_width=2.6)


def _hatching(x: float, y: float) -> Iterator[str]:
    lines = "".join(f"M{num(x + at - 3)} {num(y + 5.5)}l6 -11" for at in (-6, -2, 2, 6))
    yield tag("path", d=lines, stroke=HATCH, stroke_width=1.2)


def _arrows() -> Iterator[str]:
    """Which way the race goes: a chevron in each lane of the first two rows."""
    for name in ("a1", "b1", "c1", "d1", "a2", "b2", "c2", "d2"):
        x, y = middle(name)
        path = f"M{num(x - 2)} {num(y - 3)}l4 3l-4 3"
        yield tag("path", d=path, fill="none", stroke="#b9bfca", stroke_width=1.2)


# ----------------------------------------------------------------------------------------- lines


def _yellow_lines() -> Iterator[str]:
    """One between every two lanes of each curve, with the squares along both its sides."""
    known = turbo_plan()
    yield f'<g fill="none" stroke="{YELLOW}" stroke-width="1.4">'
    for nth, road in enumerate(turbo_roads()):
        lanes = LANES if road.section.turn > 0 else LANES[::-1]
        for inner, outer in pairwise(lanes if road.section.turn else ()):
            inside, outside = (_beside(known, nth, lane) for lane in (inner, outer))
            yield tag(
                "path", id=f"yellow-line-{nth}{min(inner, outer)}", data_kind="yellow-line", data_inside=inside,
                data_outside=outside, d=along(road, LANE_MM * min(inner, outer)),
            )  # fmt: skip
    yield "</g>"


def _beside(known: Plan, section: int, lane: int) -> str:
    return " ".join(name for name, cell in known.cells.items() if (cell.section, cell.lane) == (section, lane))


def _finish() -> Iterator[str]:
    """A chequered band over the road, and the line itself in its middle."""
    road, rows = turbo_roads()[0], turbo_plan().rows.values()
    (x, y), (_, low) = road.at(0.0, 0.0), road.at(0.0, WIDTH_MM)
    yield tag("rect", x=x - 2, y=y, width=4.0, height=low - y, fill=LINE)
    for at in range(round(WIDTH_MM / 2)):
        yield tag("rect", x=x - 2 + 2 * (at % 2), y=y + 2.0 * at, width=2.0, height=2.0, fill=INK)
    path = f"M{num(x)} {num(y)}L{num(x)} {num(low)}"
    yield tag(
        "path", id="finish", data_kind="finish", data_rows=f"{max(rows)} 1", d=path, fill="none", stroke=INK,
        stroke_width=0.3,
    )  # fmt: skip


# ----------------------------------------------------------------------------------------- corner markers


def _markers() -> Iterator[str]:
    far_x, far_y = (side - MARKER_EDGE_MM - MARKER_MM for side in SIZE_MM)
    spots = ((MARKER_EDGE_MM, MARKER_EDGE_MM), (far_x, MARKER_EDGE_MM), (far_x, far_y), (MARKER_EDGE_MM, far_y))
    for marker, (x, y) in zip(CORNERS, spots, strict=True):
        rim = MARKER_MM + 2 * RIM_MM
        yield tag("rect", x=x - RIM_MM, y=y - RIM_MM, width=rim, height=rim, fill="#ffffff")
        yield tag(
            "rect", id=f"corner-{marker}", data_kind="fiducial", data_dictionary=DICTIONARY, data_id=marker, x=x, y=y,
            width=MARKER_MM, height=MARKER_MM, fill="#000000",
        )  # fmt: skip
        cell = MARKER_MM / CELLS
        boxes = "".join(f"M{num(x + c * cell)} {num(y + r * cell)}h{num(cell)}v{num(cell)}h-{num(cell)}z"
                        for r, c in white_cells(marker))  # fmt: skip
        yield tag("path", d=boxes, fill="#ffffff")
