"""SVG shapes -> polylines in board millimetres: every basic shape and every path command.

A shape is first written as a few absolute steps in its own coordinates (`Step`), then drawn through a matrix.
Curves become chords that stay within `FLATNESS_MM` of them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from referee.model import Floats
from referee.stage.faults import Fault
from referee.stage.figures import LARGEST, NUMBER, length, number_list, shorten

FLATNESS_MM = 0.01
"""Half of what the format allows."""
MOST_POINTS = 100_000
MOST_CROSSINGS = 60_000
"""A line of a thousand points at every millimetre and 2 mm wide has 2000."""
SHAPES = frozenset({"path", "rect", "circle", "ellipse", "line", "polyline", "polygon"})

Point = tuple[float, float]
Way = tuple[float, float, float, float, float, float]
"""A transform's matrix row by row, in plain floats: faster than numpy for one point, and silent at infinity."""


@dataclass(frozen=True)
class Step:
    """One step of an outline: M, L, C (two control points and the end), A (an arc) or Z."""

    kind: str
    points: tuple[Point, ...] = ()
    arc: tuple[float, float, float, float, float] = (0.0, 0.0, 0.0, 0.0, 0.0)
    """Of an arc: both radii, the turn of its axes, the first angle and the sweep, in radians; ``points[0]`` is its
    centre, ``points[1]`` its end."""


@dataclass(frozen=True, eq=False)
class Piece:
    """One subpath: ``points_mm`` (N, 2), N >= 2; ``closed`` if it was closed by its own command or shape.

    A closed piece has its first point again at the end.
    """

    points_mm: Floats
    closed: bool

    @property
    def length_mm(self) -> float:
        """Its length."""
        return float(np.hypot(*np.diff(self.points_mm, axis=0).T).sum())


def refuse_thicket(piece: Piece, width_mm: float) -> None:
    """Refuses points so dense for a line's width that its band would take minutes to work out.

    Each point's band crosses that of every point within a width of it: their number grows with the square.
    """
    if len(piece.points_mm) ** 2 * width_mm > MOST_CROSSINGS * piece.length_mm:
        raise Fault("its points lie far too close together", "Simplify it (in Inkscape: Path > Simplify).")


def pieces_of(tag: str, attributes: Mapping[str, str], matrix: Floats, size: tuple[float, float]) -> list[Piece]:
    """The polylines that an element draws; ``size`` is the viewport for lengths in per cent. Raises `Fault`."""
    a, b, c, d, e, f = (float(v) for v in matrix.ravel())
    drawn = list(_draw(steps_of(tag, attributes, size), (a, b, c, d, e, f)))
    if not drawn:
        raise Fault("it draws nothing", "Delete it, or give it a shape.")
    return drawn


def steps_of(tag: str, attributes: Mapping[str, str], size: tuple[float, float]) -> Iterator[Step]:
    """An element's outline in its own coordinates; raises `Fault` while it is read."""
    match tag:
        case "path":
            return _path_steps(attributes.get("d", ""))
        case "line":
            ends = [_measure(attributes, name, size) for name in ("x1", "y1", "x2", "y2")]
            return iter([Step("M", ((ends[0], ends[1]),)), Step("L", ((ends[2], ends[3]),))])
        case "polyline" | "polygon":
            return _poly_steps(attributes.get("points", ""), tag == "polygon")
        case "rect":
            return _rect_steps(attributes, size)
        case "circle":
            r = _measure(attributes, "r", size)
            return _ellipse_steps(_measure(attributes, "cx", size), _measure(attributes, "cy", size), r, r)
        case "ellipse":
            rx, ry = _radii(attributes, size)
            return _ellipse_steps(_measure(attributes, "cx", size), _measure(attributes, "cy", size), rx, ry)
    raise Fault(f"<{tag}> is no shape", "Turn it into a path (in Inkscape: Path > Object to Path).")


def _measure(attributes: Mapping[str, str], name: str, size: tuple[float, float]) -> float:
    text = attributes.get(name, "0")
    if name in ("x", "x1", "x2", "cx", "width", "rx"):
        whole = size[0]
    elif name == "r":
        whole = math.hypot(*size) / math.sqrt(2)
    else:
        whole = size[1]
    try:
        return length(text, whole)
    except Fault as fault:
        raise Fault(f"{name}: {fault.what}", fault.cure) from None


def _radii(attributes: Mapping[str, str], size: tuple[float, float]) -> tuple[float, float]:
    """Both radii; one that is missing or ``auto`` is as long as the other."""
    given = {name: attributes.get(name, "auto").strip() != "auto" for name in ("rx", "ry")}
    rx = _measure(attributes, "rx", size) if given["rx"] else None
    ry = _measure(attributes, "ry", size) if given["ry"] else None
    rx, ry = (ry if rx is None else rx), (rx if ry is None else ry)
    return max(rx or 0.0, 0.0), max(ry or 0.0, 0.0)


def _poly_steps(text: str, closed: bool) -> Iterator[Step]:
    n = number_list(text)
    if len(n) % 2:
        raise Fault("points has an odd number of coordinates", "Give every point an x and a y.")
    for i in range(0, len(n), 2):
        yield Step("L" if i else "M", ((n[i], n[i + 1]),))
    if closed and n:
        yield Step("Z")


def _rect_steps(attributes: Mapping[str, str], size: tuple[float, float]) -> Iterator[Step]:
    x, y, w, h = (_measure(attributes, name, size) for name in ("x", "y", "width", "height"))
    if w <= 0 or h <= 0:
        return
    rx, ry = _radii(attributes, size)
    rx, ry = min(rx, w / 2), min(ry, h / 2)
    if not rx or not ry:
        yield Step("M", ((x, y),))
        yield from (Step("L", (corner,)) for corner in ((x + w, y), (x + w, y + h), (x, y + h)))
        yield Step("Z")
        return
    quarter = math.pi / 2
    yield Step("M", ((x + rx, y),))
    for i, (cx, cy) in enumerate(
        [(x + w - rx, y + ry), (x + w - rx, y + h - ry), (x + rx, y + h - ry), (x + rx, y + ry)]
    ):
        first = -quarter + i * quarter
        begin = (cx + rx * math.cos(first), cy + ry * math.sin(first))
        end = (cx + rx * math.cos(first + quarter), cy + ry * math.sin(first + quarter))
        yield Step("L", (begin,))
        yield Step("A", ((cx, cy), end), (rx, ry, 0.0, first, quarter))
    yield Step("Z")


def _ellipse_steps(cx: float, cy: float, rx: float, ry: float) -> Iterator[Step]:
    if rx <= 0 or ry <= 0:
        return
    yield Step("M", ((cx + rx, cy),))
    quarter = math.pi / 2
    for i in range(4):
        end = (cx + rx * math.cos((i + 1) * quarter), cy + ry * math.sin((i + 1) * quarter))
        yield Step("A", ((cx, cy), end), (rx, ry, 0.0, i * quarter, quarter))
    yield Step("Z")


# ------------------------------------------------------------------------------------------- path data

_COMMAND = re.compile(r"([MmZzLlHhVvCcSsQqTtAa])([^MmZzLlHhVvCcSsQqTtAa]*)")
_ARC = re.compile(
    rf"[\s,]*({NUMBER.pattern})[\s,]*({NUMBER.pattern})[\s,]*({NUMBER.pattern})[\s,]*([01])[\s,]*([01])"
    rf"[\s,]*({NUMBER.pattern})[\s,]*({NUMBER.pattern})[\s,]*"
)
_TAKES = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}
_SAME = 1e-12
"""Two points of path data that differ by no more, of their size, differ by the noise of adding."""
_NEARLY_ROUND = 2 * math.pi - 0.02
_CURE = "Draw the path again, or mend its d attribute."


def _path_steps(d: str) -> Iterator[Step]:
    """Path data as absolute steps: every command, relative and short forms included."""
    here = start = (0.0, 0.0)
    handle: tuple[str, Point] | None = None
    begun = False
    for letter, n in _commands(d):
        kind = letter.upper()
        base = here if letter.islower() else (0.0, 0.0)
        if kind == "Z":
            yield Step("Z")
            here, begun, handle = start, False, None
            continue
        if kind == "M":
            here = start = (base[0] + n[0], base[1] + n[1])
            yield Step("M", (here,))
            begun, handle = True, None
            continue
        if not begun:  # after Z the next subpath begins where the last one did
            yield Step("M", (here,))
            begun = True
        step, handle = _drawn(kind, n, here, base, handle)
        here = step.points[-1]
        yield step


def _drawn(
    kind: str, n: list[float], here: Point, base: Point, handle: tuple[str, Point] | None
) -> tuple[Step, tuple[str, Point] | None]:
    """One drawing command as a step, and the handle that a smooth command after it would mirror."""
    if kind == "H":
        return Step("L", ((base[0] + n[0], here[1]),)), None
    if kind == "V":
        return Step("L", ((here[0], base[1] + n[0]),)), None
    if kind == "A":
        return _arc_step(here, (base[0] + n[5], base[1] + n[6]), n), None
    p = [(base[0] + n[i], base[1] + n[i + 1]) for i in range(0, len(n), 2)]
    if kind == "L":
        return Step("L", (p[0],)), None
    if kind in "ST":
        p.insert(0, _mirrored(here, handle, "C" if kind == "S" else "Q"))
    if kind in "CS":
        return Step("C", tuple(p)), ("C", p[1])
    control, end = p
    near = (here[0] + 2 / 3 * (control[0] - here[0]), here[1] + 2 / 3 * (control[1] - here[1]))
    far = (end[0] + 2 / 3 * (control[0] - end[0]), end[1] + 2 / 3 * (control[1] - end[1]))
    return Step("C", (near, far, end)), ("Q", control)


def _mirrored(here: Point, handle: tuple[str, Point] | None, kind: str) -> Point:
    if handle is None or handle[0] != kind:
        return here
    return (2 * here[0] - handle[1][0], 2 * here[1] - handle[1][1])


def _commands(d: str) -> Iterator[tuple[str, list[float]]]:
    """Letters with exactly the numbers that each takes; repeated commands are spelled out."""
    text = d.strip()
    if text and text[0] not in "Mm":
        raise Fault(f"path data must begin with M, found {shorten(text)!r}", _CURE)
    at = 0
    while at < len(text):
        found = _COMMAND.match(text, at)
        if not found:
            raise Fault(f"path data has an unknown command at {shorten(text[at:])!r}", _CURE)
        at = found.end()
        yield from _spelled_out(found[1], found[2])


def _spelled_out(letter: str, rest: str) -> Iterator[tuple[str, list[float]]]:
    takes = _TAKES[letter.upper()]
    n = _arc_numbers(rest) if letter in "Aa" else number_list(rest)
    if (not takes and n) or (takes and (not n or len(n) % takes)):
        raise Fault(f"path command {letter} does not take the {len(n)} numbers it has", _CURE)
    if not takes:
        yield letter, []
    for i in range(0, len(n), takes or 1):
        yield letter, n[i : i + takes]
        letter = {"M": "L", "m": "l"}.get(letter, letter)


def _arc_numbers(rest: str) -> list[float]:
    """The numbers of arcs: their two flags may stand without a blank between or after them."""
    n: list[float] = []
    at = 0
    while at < len(rest):
        found = _ARC.match(rest, at)
        if not found:
            raise Fault(f"an arc in the path data makes no sense: {shorten(rest[at:])!r}", _CURE)
        n += [float(word) for word in found.groups()]
        at = found.end()
    if not all(map(math.isfinite, n)):
        raise Fault("a number in the path data is too large", _CURE)
    return n


def _arc_step(here: Point, end: Point, n: list[float]) -> Step:
    """An arc by its centre (SVG 1.1, appendix F.6.5); radii that are too small grow until they reach."""
    rx, ry, turn = abs(n[0]), abs(n[1]), math.radians(n[2] % 360)
    if math.dist(here, end) <= _SAME * max(1.0, *map(abs, here)) or not rx or not ry:
        return Step("L", (end,))
    c, s = math.cos(turn), math.sin(turn)
    dx, dy = (here[0] - end[0]) / 2, (here[1] - end[1]) / 2
    x, y = (c * dx + s * dy) / rx, (c * dy - s * dx) / ry
    reach = x * x + y * y
    if not math.isfinite(reach) or not reach:
        return Step("L", (end,))
    if reach > 1:
        grow = math.sqrt(reach)
        rx, ry, x, y, reach = rx * grow, ry * grow, x / grow, y / grow, 1.0
    side = math.sqrt(max(1 / reach - 1, 0.0)) * (-1 if n[3] == n[4] else 1)
    cx, cy = side * y * rx, -side * x * ry
    centre = (c * cx - s * cy + (here[0] + end[0]) / 2, s * cx + c * cy + (here[1] + end[1]) / 2)
    first = math.atan2(y - cy / ry, x - cx / rx)
    sweep = (math.atan2(-y - cy / ry, -x - cx / rx) - first) % (2 * math.pi)
    return Step("A", (centre, end), (rx, ry, turn, first, sweep if n[4] else sweep - 2 * math.pi))


def settled(d: str) -> str:
    """Path data in which no arc ends where it starts, or all but: for renderers that reckon in single precision.

    There the rounding of the arc before decides whether such an arc is nothing, as SVG has it, or a whole turn.
    Other path data, and what nobody can read, stays as it is.
    """
    if "a" not in d.lower():
        return d
    try:
        steps = list(_path_steps(d))
    except Fault:
        return d
    ends = [step.points[-1] if step.points else None for step in steps]
    hairs = any(
        (step.kind == "L" and ends[i - 1] == ends[i]) or (step.kind == "A" and abs(step.arc[4]) > _NEARLY_ROUND)
        for i, step in enumerate(steps)
    )
    return " ".join(map(_written, steps)) if hairs else d


def _written(step: Step) -> str:
    """A step as path data; an arc as two halves, neither of which is a whole turn."""
    if step.kind != "A":
        return step.kind + " ".join(f"{x!r} {y!r}" for x, y in step.points)
    (cx, cy), end = step.points
    rx, ry, turn, first, sweep = step.arc
    x, y = rx * math.cos(first + sweep / 2), ry * math.sin(first + sweep / 2)
    half = (cx + math.cos(turn) * x - math.sin(turn) * y, cy + math.sin(turn) * x + math.cos(turn) * y)
    look = f"A{rx!r} {ry!r} {math.degrees(turn)!r} 0 {int(sweep > 0)} "
    return " ".join(f"{look}{x!r} {y!r}" for x, y in (half, end))


# ------------------------------------------------------------------------------------------- flattening


def _draw(steps: Iterator[Step], matrix: Way) -> Iterator[Piece]:
    """Steps through a matrix, a piece for each subpath that has a length."""
    points: list[Point] = []
    count = 0
    for step in steps:
        count += 1
        if count > MOST_POINTS:
            raise Fault("it has too many points", "Simplify it (in Inkscape: Path > Simplify).")
        if step.kind in "MZ":
            yield from _piece(points, step.kind == "Z")
            points = [_through(matrix, step.points[0])] if step.kind == "M" else []
            continue
        fresh = _flat(step, points[-1], matrix)
        count += len(fresh) - 1
        points += fresh
    yield from _piece(points, False)


def _piece(points: list[Point], closed: bool) -> Iterator[Piece]:
    if not points:
        return
    line = np.array(points + points[:1] if closed else points)
    if not np.isfinite(line).all() or np.abs(line).max() > LARGEST:
        raise Fault("it lies far off any board", "Check its coordinates and transforms.")
    apart = np.hypot(*np.diff(line, axis=0).T) > 1e-9
    line = line[np.concatenate([[True], apart])]
    if closed:
        line[-1] = line[0]
    if len(line) >= 2:
        line.flags.writeable = False
        yield Piece(line, closed)


def _through(m: Way, p: Point) -> Point:
    return m[0] * p[0] + m[1] * p[1] + m[2], m[3] * p[0] + m[4] * p[1] + m[5]


def _flat(step: Step, here: Point, matrix: Way) -> list[Point]:
    if step.kind == "C":
        return _flat_curve(here, *(_through(matrix, p) for p in step.points))
    if step.kind == "A":
        return _flat_arc(step, matrix)
    return [_through(matrix, step.points[0])]


def _flat_curve(a: Point, b: Point, c: Point, d: Point) -> list[Point]:
    """A cubic by even steps of its parameter; their number bounds the sagitta by the second difference (Wang 1984)."""
    bend = max(
        math.hypot(a[0] - 2 * b[0] + c[0], a[1] - 2 * b[1] + c[1]),
        math.hypot(b[0] - 2 * c[0] + d[0], b[1] - 2 * c[1] + d[1]),
    )
    n = _chords(math.sqrt(0.75 * bend / FLATNESS_MM))
    points = []
    for i in range(1, n):
        t = i / n
        u = 1 - t
        k0, k1, k2, k3 = u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t
        points.append((k0 * a[0] + k1 * b[0] + k2 * c[0] + k3 * d[0], k0 * a[1] + k1 * b[1] + k2 * c[1] + k3 * d[1]))
    return [*points, d]


def _flat_arc(step: Step, matrix: Way) -> list[Point]:
    """An arc by even steps of its angle; no chord's sagitta is larger than that of the largest radius."""
    (cx, cy), end = step.points
    rx, ry, turn, first, sweep = step.arc
    radius = max(rx, ry) * _stretch(matrix)
    angle = 2 * math.acos(max(1 - FLATNESS_MM / radius, 0.0)) if radius > FLATNESS_MM else math.pi
    n = _chords(abs(sweep) / angle) if angle else MOST_POINTS
    c, s = math.cos(turn), math.sin(turn)
    points = []
    for i in range(1, n):
        x, y = rx * math.cos(first + sweep * i / n), ry * math.sin(first + sweep * i / n)
        points.append(_through(matrix, (cx + c * x - s * y, cy + s * x + c * y)))
    return [*points, _through(matrix, end)]


def _stretch(m: Way) -> float:
    """By how much a matrix lengthens at most: its larger singular value."""
    squares, area = m[0] ** 2 + m[1] ** 2 + m[3] ** 2 + m[4] ** 2, m[0] * m[4] - m[1] * m[3]
    return math.sqrt((squares + math.sqrt(max(squares**2 - 4 * area**2, 0.0))) / 2)


def _chords(wanted: float) -> int:
    """How many chords: rounded up, yet not by the noise that transforms which cancel leave behind."""
    if not math.isfinite(wanted) or wanted > MOST_POINTS:
        raise Fault("a curve of it is far too large", "Check its coordinates and transforms.")
    return max(1, math.ceil(wanted - 1e-6))
