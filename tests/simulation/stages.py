"""Random small stages as stage files: a winding road, and on it whatever a test asks for.

``random_stage_svg(seed, ...)`` writes the file, ``random_stage(seed, ...)`` loads it the way any file is loaded.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
import shapely
from shapely.geometry import LineString, MultiPolygon, Polygon

from referee.model import Floats, Stage
from referee.stage.load import parse_stage
from tests.simulation.track import smooth

LINE_MM = 2.0
STEP_MM = 0.5
MARGIN_MM = 26.0
LEAP_MM = 22.0
Shape = Polygon | MultiPolygon

ROUTES: dict[str, list[tuple[float, float]]] = {
    "wave": [(0.0, 0.75), (0.25, 0.2), (0.5, 0.8), (0.75, 0.2), (1.0, 0.7)],
    "hook": [(0.0, 0.0), (0.55, 0.05), (1.0, 0.2), (0.95, 0.8), (0.5, 1.0), (0.05, 0.9)],
    "snake": [(0.0, 0.0), (0.6, 0.0), (1.0, 0.2), (0.7, 0.48), (0.3, 0.52), (0.0, 0.8), (0.4, 1.0), (1.0, 1.0)],
    "loop": [
        (0.0, 0.6),
        (0.3, 0.62),
        (0.7, 0.62),
        (1.0, 0.5),
        (0.97, 0.1),
        (0.66, -0.03),
        (0.36, 0.1),
        (0.34, 0.5),
        (0.34, 0.85),
        (0.5, 1.05),
        (1.0, 1.0),
    ],
}
"""Control points in the free part of the board; in a "loop" the road crosses itself on a bridge."""


@dataclass(frozen=True)
class Wish:
    """What a random stage should have."""

    checkpoints: int = 2
    jump: bool = False
    bridge: bool = False
    boost: bool = False
    oil: bool = False
    pipe: bool = False


@dataclass
class Plan:
    """A course and what lies on it, before it is written down."""

    course_mm: Floats
    road_mm: float
    leap: tuple[float, float] | None = None
    cuts: list[float] = field(default_factory=list)
    """Where one section ends and the next begins."""
    checkpoints: list[float] = field(default_factory=list)

    @property
    def arc_mm(self) -> Floats:
        return np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(self.course_mm, axis=0).T))])

    def side(self, start: float, stop: float, off: float) -> Floats:
        """The line beside the course from one place to another, ``off`` to its left."""
        arc = self.arc_mm
        at = np.linspace(start, stop, max(2, round((stop - start) / 1.0) + 1))
        base = np.column_stack([np.interp(at, arc, self.course_mm[:, k]) for k in (0, 1)])
        tangent = np.gradient(self.course_mm, arc, axis=0)
        left = np.column_stack([np.interp(at, arc, tangent[:, 1]), -np.interp(at, arc, tangent[:, 0])])
        return np.asarray(base + off * left / np.hypot(*left.T)[:, None])

    def strip(self, start: float, stop: float, low: float, high: float) -> Polygon:
        """The part of the road between two places and two offsets."""
        return Polygon(np.concatenate([self.side(start, stop, low), self.side(start, stop, high)[::-1]]))


@lru_cache(maxsize=64)
def random_stage(seed: int, wish: Wish | None = None, size_mm: tuple[float, float] = (200.0, 140.0)) -> Stage:
    """A random stage with what is wished for."""
    return parse_stage(random_stage_svg(seed, wish, size_mm).encode(), f"random-{seed}.svg")


def random_stage_svg(seed: int, wish: Wish | None = None, size_mm: tuple[float, float] = (200.0, 140.0)) -> str:
    """The stage file itself."""
    wish = wish or Wish()
    rng = np.random.default_rng([seed, 7])
    for _ in range(300):
        plan = _course(rng, wish, size_mm)
        if plan is not None and (parts := _furnish(rng, plan, wish)) is not None:
            return _svg(seed, size_mm, parts)
    raise ValueError(f"no stage found for seed {seed} and {wish}")


def _course(rng: np.random.Generator, wish: Wish, size_mm: tuple[float, float]) -> Plan | None:
    """A course that keeps clear of itself and of the board's rim, or None if this throw gave none."""
    routes = ["loop"] if wish.bridge else ["wave", "hook", "snake"]
    nodes = np.array(ROUTES[str(rng.choice(routes))]) + rng.uniform(-0.06, 0.06, (1, 2))
    nodes = nodes + rng.uniform(-1, 1, nodes.shape) * (0.02 if wish.bridge else 0.05)
    if rng.random() < 0.5:
        nodes[:, 1] = 1 - nodes[:, 1]
    if rng.random() < 0.5:
        nodes[:, 0] = 1 - nodes[:, 0]
    points = MARGIN_MM + nodes * (np.array(size_mm) - 2 * MARGIN_MM)
    course = _spline(_turned(points, float(rng.normal() * 8), np.array(size_mm) / 2))
    plan = Plan(course, float(rng.uniform(16, 18 if wish.bridge else 24)))
    return plan if _fits(plan, size_mm, wish.bridge) else None


def _turned(points: Floats, degrees: float, centre: Floats) -> Floats:
    """The points turned about a centre."""
    turn = np.exp(1j * np.radians(degrees))
    return np.asarray(centre + (points - centre) @ np.array([[turn.real, turn.imag], [-turn.imag, turn.real]]))


def _spline(points: Floats) -> Floats:
    """A smooth line near the points, in even steps."""
    fine = np.concatenate([np.linspace(a, b, 80, endpoint=False) for a, b in itertools.pairwise(points)])
    ahead = np.pad(fine, ((160, 160), (0, 0)), mode="reflect", reflect_type="odd")
    line = smooth(ahead, 26.0)[160:-160]
    arc = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))])
    at = np.linspace(0, arc[-1], round(arc[-1] / STEP_MM))
    return np.column_stack([np.interp(at, arc, line[:, k]) for k in (0, 1)])


def _fits(plan: Plan, size_mm: tuple[float, float], bridge: bool) -> bool:
    course, arc, half = plan.course_mm, plan.arc_mm, plan.road_mm / 2 + LINE_MM
    if (course.min(0) < half + 1).any() or (course.max(0) > np.array(size_mm) - half - 1).any():
        return False
    tangent = np.gradient(course, arc, axis=0)
    bend = np.hypot(*np.gradient(tangent, arc, axis=0).T)
    if 1 / max(bend.max(), 1e-9) < half + 5:
        return False
    near = np.hypot(*(course[::6, None] - course[None, ::6]).transpose(2, 0, 1)) < 2 * half + 4
    far = np.abs(arc[::6, None] - arc[None, ::6]) > 2.5 * half + 12
    if not bridge:
        return not (near & far).any()
    crossings = _self_crossings(course)
    if len(crossings) != 1:
        return False
    i, j = crossings[0]
    if abs(tangent[i] @ tangent[j]) > 0.45:
        return False
    apart = np.minimum(np.abs(arc[::6] - arc[i]), np.abs(arc[::6] - arc[j]))
    return not (near & far & (apart > 3.2 * half)[:, None]).any()


def _self_crossings(course: Floats) -> list[tuple[int, int]]:
    a, d = course[:-1:2], np.diff(course[::2], axis=0)
    a = a[: len(d)]
    rel = a[None] - a[:, None]
    cross = d[:, None, 0] * d[None, :, 1] - d[:, None, 1] * d[None, :, 0] + 1e-12
    t = (rel[..., 0] * d[None, :, 1] - rel[..., 1] * d[None, :, 0]) / cross
    u = (rel[..., 0] * d[:, None, 1] - rel[..., 1] * d[:, None, 0]) / cross
    hits = np.argwhere((t >= 0) & (t < 1) & (u >= 0) & (u < 1))
    return [(2 * int(i), 2 * int(j)) for i, j in hits if j - i > 20]


def _furnish(rng: np.random.Generator, plan: Plan, wish: Wish) -> list[str] | None:
    """The file's elements, or None if the course has no room for all that is wished."""
    total = float(plan.arc_mm[-1])
    taken: list[tuple[float, float]] = [(0, 26), (total - 26, total)]
    bridge = _self_crossings(plan.course_mm) if wish.bridge else []
    for i, j in bridge:
        half = plan.road_mm / 2 + 8
        taken += [(plan.arc_mm[k] - half, plan.arc_mm[k] + half) for k in (i, j)]
    zones: list[str] = []
    if wish.jump:
        at = _free(rng, taken, 30 + LEAP_MM, total)
        if at is None:
            return None
        plan.leap = (at + 15, at + 15 + LEAP_MM)
        taken.append((at, at + 30 + LEAP_MM))
        zones += _zone(plan, "jump", 'data-pattern="dots"', (at, at + 15), 0.5)
        zones += _zone(plan, "landing", 'data-pattern="dots"', (at + 15 + LEAP_MM, at + 30 + LEAP_MM), 0.5)
    for add in (_boost if wish.boost else None, _oil if wish.oil else None, _pipe if wish.pipe else None):
        if add is not None:
            more = add(rng, plan, taken, total)
            if more is None:
                return None
            zones += more
    if not _place_lines(rng, plan, wish, taken, bridge, total):
        return None
    return list(_elements(plan, total, bridge)) + zones


def _free(rng: np.random.Generator, taken: list[tuple[float, float]], length: float, total: float) -> float | None:
    """Where a stretch of this length is free; None if nowhere."""
    starts = [s for s in np.arange(0, total - length, 2.0) if all(s + length < a or s > b for a, b in taken)]
    return float(rng.choice(starts)) if starts else None


def _zone(plan: Plan, kind: str, extra: str, span: tuple[float, float], inset: float) -> list[str]:
    half = plan.road_mm / 2 - inset
    return [f'<path data-kind="{kind}" {extra} fill="#f2c14e" d="{_d(plan.strip(*span, -half, half))}"/>']


def _boost(rng: np.random.Generator, plan: Plan, taken: list[tuple[float, float]], total: float) -> list[str] | None:
    """An acceleration zone across the road and a slowdown zone on half of it further on."""
    at = _free(rng, taken, 60.0, total)
    if at is None:
        return None
    taken.append((at, at + 60))
    half = plan.road_mm / 2
    low, high = (-half + 0.5, 0.5) if rng.random() < 0.5 else (-0.5, half - 0.5)
    slow = plan.strip(at + 47, at + 60, low, high)
    return [
        *_zone(plan, "acceleration", 'data-pair="a"', (at, at + 12), 0.5),
        f'<path data-kind="slowdown" data-pair="a" fill="#2aa876" d="{_d(slow)}"/>',
    ]


def _oil(rng: np.random.Generator, plan: Plan, taken: list[tuple[float, float]], total: float) -> list[str] | None:
    at = _free(rng, taken, 82.0, total)
    if at is None:
        return None
    taken.append((at, at + 82))
    side = 1 if rng.random() < 0.5 else -1
    x, y = plan.side(at + 8, at + 8.5, side * (plan.road_mm / 2 - 4.5))[0]
    return [
        f'<ellipse data-kind="oil-spill" cx="{x:.3f}" cy="{y:.3f}" rx="4" ry="3" stroke="#7b3fb5"'
        ' stroke-width="1.2" fill="#2b2233"/>'
    ]


def _pipe(rng: np.random.Generator, plan: Plan, taken: list[tuple[float, float]], total: float) -> list[str] | None:
    at = _free(rng, taken, 26.0, total)
    if at is None:
        return None
    taken.append((at, at + 26))
    return _zone(plan, "pipe", "", (at, at + 26), 0.0)


def _place_lines(
    rng: np.random.Generator,
    plan: Plan,
    wish: Wish,
    taken: list[tuple[float, float]],
    bridge: list[tuple[int, int]],
    total: float,
) -> bool:
    """Checkpoints somewhere free, far enough apart; sections end at them and around a bridge."""
    busy = list(taken)
    for i, j in bridge:
        plan.checkpoints.append(float(plan.arc_mm[i] + plan.arc_mm[j]) / 2)
        busy.append((plan.checkpoints[-1] - 40, plan.checkpoints[-1] + 40))
    while len(plan.checkpoints) < wish.checkpoints:
        at = _free(rng, busy, 4.0, total)
        if at is None:
            return False
        plan.checkpoints.append(at + 2)
        busy.append((at - 38, at + 42))
    plan.checkpoints.sort()
    plan.cuts = sorted(_cuts(plan, bridge))
    return True


def _cuts(plan: Plan, bridge: list[tuple[int, int]]) -> Iterator[float]:
    yield from (at + 3.0 for at in plan.checkpoints)
    if plan.leap:
        yield sum(plan.leap) / 2
    for i, j in bridge:
        half = plan.road_mm / 2 + 6
        yield float(plan.arc_mm[i]) + half
        yield float(plan.arc_mm[j]) - half


def _elements(plan: Plan, total: float, bridge: list[tuple[int, int]]) -> Iterator[str]:
    """Road, white lines, arrow, checkpoints, finish and course as SVG elements."""
    half = plan.road_mm / 2
    under = _deck(plan, bridge)
    for number, (start, stop) in enumerate(_sections(plan, total), 1):
        own = f'data-section="{number}"'
        yield f'<path data-kind="road" {own} fill="#4a4f57" d="{_d(plan.strip(start, stop, -half, half))}"/>'
        for off in (half + LINE_MM / 2, -half - LINE_MM / 2):
            line = LineString(plan.side(start, stop, off))
            for piece in _below(line, under, plan, start, stop, bridge):
                yield (
                    f'<path data-kind="white-line" {own} fill="none" stroke="#fff" stroke-width="{LINE_MM:g}"'
                    f' d="{_d(piece)}"/>'
                )
    yield _arrow(plan)
    yield from _crossing_lines(plan, total)
    pieces = [(0.0, total)] if plan.leap is None else [(0.0, plan.leap[0]), (plan.leap[1], total)]
    course = " ".join(_d(LineString(plan.side(a, b, 0.0))) for a, b in pieces)
    yield f'<path data-kind="course" fill="none" d="{course}"/>'


def _sections(plan: Plan, total: float) -> list[tuple[float, float]]:
    """From where to where each section goes; a leap leaves a hole between two of them."""
    ends = [0.0, *plan.cuts, total]
    spans = list(itertools.pairwise(ends))
    if plan.leap is None:
        return spans
    up, down = plan.leap
    return [
        (down if start > up - 1 and start < down else start, up if up < stop < down + 1 else stop)
        for start, stop in spans
    ]


def _deck(plan: Plan, bridge: list[tuple[int, int]]) -> Polygon | None:
    """What the upper road (the later one) covers of the lower."""
    if not bridge:
        return None
    at = float(plan.arc_mm[bridge[0][1]])
    half = plan.road_mm / 2 + LINE_MM
    return plan.strip(at - 3 * half, at + 3 * half, -half, half)


def _below(
    line: LineString, deck: Polygon | None, plan: Plan, start: float, stop: float, bridge: list[tuple[int, int]]
) -> list[LineString]:
    """The parts of a line that a bridge's deck leaves to be seen."""
    if deck is None or not start < float(plan.arc_mm[bridge[0][0]]) < stop:
        return [line]
    rest = line.difference(deck)
    return [p for p in getattr(rest, "geoms", [rest]) if p.length > 1]


def _arrow(plan: Plan) -> str:
    corners = [(8, -4), (14, -4), (14, -7), (21, 0), (14, 7), (14, 4), (8, 4)]
    points = [plan.side(s, s + 0.5, 0.7 * d)[0] for s, d in corners]
    return f'<polygon data-kind="start" fill="#31b34a" points="{" ".join(f"{x:.3f},{y:.3f}" for x, y in points)}"/>'


def _crossing_lines(plan: Plan, total: float) -> Iterator[str]:
    half = plan.road_mm / 2
    bounds = _sections(plan, total)
    for order, at in enumerate(plan.checkpoints, 1):
        number = next(n for n, (a, b) in enumerate(bounds, 1) if a <= at <= b)
        d = _d(LineString([plan.side(at, at + 0.5, off)[0] for off in (half, -half)]))
        yield (
            f'<path data-kind="checkpoint" data-order="{order}" data-section="{number}" fill="none" stroke="#1c5fe8"'
            f' stroke-width="2" d="{d}"/>'
        )
    d = _d(LineString([plan.side(total - 14, total - 13.5, off)[0] for off in (half, -half)]))
    yield f'<path data-kind="finish" fill="none" stroke="#d22" stroke-width="2" d="{d}"/>'


def _d(shape: shapely.Geometry) -> str:
    """SVG path text of a line or polygon."""
    if isinstance(shape, Polygon):
        return _d(LineString(list(shape.exterior.coords)[:-1])) + "Z"
    return "M" + "L".join(f"{x:.3f} {y:.3f}" for x, y in shapely.get_coordinates(shape))


def _svg(seed: int, size_mm: tuple[float, float], parts: list[str]) -> str:
    w, h = size_mm
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{w:g}mm" height="{h:g}mm" viewBox="0 0 {w:g} {h:g}"'
        f' data-stage-format="1" data-stage="{1 + seed % 73}" data-name="Random {seed}" data-theme="park">\n'
        f'<rect width="{w:g}" height="{h:g}" fill="#8fbf6a"/>\n{body}\n</svg>\n'
    )
