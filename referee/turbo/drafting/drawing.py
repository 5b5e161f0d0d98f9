"""The circuit as an SVG file: squares that mean something on top of a drawing that means nothing."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from xml.sax.saxutils import escape, quoteattr

from referee.turbo.drafting.layout import LANE_MM, LANES, WIDTH_MM, Cell, Plan, Road
from referee.turbo.drafting.turbo import NAME, SIZE_MM, features, turbo_plan, turbo_roads
from referee.turbo.markers import CELLS, CORNERS, DICTIONARY, white_cells

ROAD, LINE, KERB = "#8f96a3", "#ffffff", "#e4573d"
ICE, YELLOW, DOT, CROSS, HATCH = "#d8f1fb", "#ffd23f", "#7fb4e6", "#d7263d", "#d7263d"
GRASS, INK = "#bfe3a6", "#3a3352"
MARKER_MM, MARKER_EDGE_MM, RIM_MM = 16.0, 6.0, 2.0
"""A corner marker's side, its distance from the board's edge, and the white round it."""


def num(value: float) -> str:
    """A number with at most two decimals, the same every time.

    >>> num(1.0), num(-0.001), num(2.345)
    ('1', '0', '2.35')
    """
    text = f"{value + 1e-9:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def circuit_svg() -> str:
    """The whole file."""
    w, h = map(num, SIZE_MM)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{w}mm" height="{h}mm" viewBox="0 0 {w} {h}"'
        f' data-circuit-format="1" data-name={quoteattr(NAME)}>'
    )
    layers = (_ground, _road, _squares, _things, _yellow_lines, _finish, _markers)
    return "\n".join([head, *(line for layer in layers for line in layer()), "</svg>", ""])


def _tag(name: str, **said: str | float) -> str:
    """An element without content; "_" in an attribute's name is "-"."""
    told = {key.strip("_").replace("_", "-"): num(v) if isinstance(v, float | int) else v for key, v in said.items()}
    return f"<{name} {' '.join(f'{key}={quoteattr(value)}' for key, value in told.items())}/>"


def _words(text: str, x: float, y: float, size: float, fill: str = INK) -> str:
    return (
        f'<text x="{num(x)}" y="{num(y)}" font-family="Helvetica, Arial, sans-serif" font-weight="bold"'
        f' font-size="{num(size)}" text-anchor="middle" fill="{fill}">{escape(text)}</text>'
    )


# ----------------------------------------------------------------------------------------- the road


def _ground() -> Iterator[str]:
    yield _tag("rect", width=SIZE_MM[0], height=SIZE_MM[1], fill=GRASS)


def _road() -> Iterator[str]:
    """The kerb beside every section, and the surface on it."""
    for width, colour in ((2.4, KERB), (0.0, ROAD)):
        for road in turbo_roads():
            path = outline(road, 0.0, 1.0, 0.0, WIDTH_MM)
            yield _tag("path", d=path, fill=colour, stroke=colour, stroke_width=width + 0.2)


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
    return _tag("path", **said, d=path, fill=ICE if "ice" in on else ROAD)


def middle(name: str) -> tuple[float, float]:
    """The middle of a square."""
    cell = turbo_plan().cells[name]
    t = float((cell.begin + cell.end) / 2 - cell.section)
    return turbo_roads()[cell.section].at(t, LANE_MM * (cell.lane - 0.5))


# ----------------------------------------------------------------------------------------- what is on them


def _things() -> Iterator[str]:
    draw = {"obstacle": _dot, "ambulance": _cross, "hatched": _hatching}
    for name, on in features().items():
        x, y = middle(name)
        for feature in on:
            if feature in draw:
                yield from draw[feature](x, y)
            elif feature.startswith("grid"):
                yield _words(feature[-1], x, y + 2.5, 7, LINE)


def _dot(x: float, y: float) -> Iterator[str]:
    yield _tag("circle", cx=x, cy=y, r=3.2, fill=DOT)


def _cross(x: float, y: float) -> Iterator[str]:
    yield _tag("circle", cx=x, cy=y, r=5.5, fill=LINE)
    yield _tag("path", d=f"M{num(x - 4)} {num(y)}h8M{num(x)} {num(y - 4)}v8", stroke=CROSS, stroke_width=2.6)


def _hatching(x: float, y: float) -> Iterator[str]:
    lines = "".join(f"M{num(x + at - 3)} {num(y + 5.5)}l6 -11" for at in (-6, -2, 2, 6))
    yield _tag("path", d=lines, stroke=HATCH, stroke_width=1.2)


# ----------------------------------------------------------------------------------------- lines


def _yellow_lines() -> Iterator[str]:
    """One between every two lanes of each curve, with the squares along both its sides."""
    known = turbo_plan()
    yield f'<g fill="none" stroke="{YELLOW}" stroke-width="1.4">'
    for nth, road in enumerate(turbo_roads()):
        lanes = LANES if road.section.turn > 0 else LANES[::-1]
        for inner, outer in pairwise(lanes if road.section.turn else ()):
            inside, outside = (_beside(known, nth, lane) for lane in (inner, outer))
            yield _tag(
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
    yield _tag("rect", x=x - 2, y=y, width=4.0, height=low - y, fill=LINE)
    for at in range(round(WIDTH_MM / 2)):
        yield _tag("rect", x=x - 2 + 2 * (at % 2), y=y + 2.0 * at, width=2.0, height=2.0, fill=INK)
    path = f"M{num(x)} {num(y)}L{num(x)} {num(low)}"
    yield _tag(
        "path", id="finish", data_kind="finish", data_rows=f"{max(rows)} 1", d=path, fill="none", stroke=INK,
        stroke_width=0.3,
    )  # fmt: skip


# ----------------------------------------------------------------------------------------- corner markers


def _markers() -> Iterator[str]:
    far_x, far_y = (side - MARKER_EDGE_MM - MARKER_MM for side in SIZE_MM)
    spots = ((MARKER_EDGE_MM, MARKER_EDGE_MM), (far_x, MARKER_EDGE_MM), (far_x, far_y), (MARKER_EDGE_MM, far_y))
    for marker, (x, y) in zip(CORNERS, spots, strict=True):
        rim = MARKER_MM + 2 * RIM_MM
        yield _tag("rect", x=x - RIM_MM, y=y - RIM_MM, width=rim, height=rim, fill="#ffffff")
        yield _tag(
            "rect", id=f"corner-{marker}", data_kind="fiducial", data_dictionary=DICTIONARY, data_id=marker, x=x, y=y,
            width=MARKER_MM, height=MARKER_MM, fill="#000000",
        )  # fmt: skip
        cell = MARKER_MM / CELLS
        boxes = "".join(f"M{num(x + c * cell)} {num(y + r * cell)}h{num(cell)}v{num(cell)}h-{num(cell)}z"
                        for r, c in white_cells(marker))  # fmt: skip
        yield _tag("path", d=boxes, fill="#ffffff")
