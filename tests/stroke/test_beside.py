"""Two passes that share their ink: told apart by their outer edges, from waist to waist."""

from __future__ import annotations

import numpy as np
import pytest

from referee.model import Floats, Stroke
from referee.stroke.knots import cut_steps, doublings, net_of
from referee.stroke.mask import ink_mask
from referee.stroke.passes import EVERY_MM, smooth_cost
from referee.stroke.readings import readings
from referee.stroke.skeleton import graph_of
from referee.stroke.weave import TOUCHES, Loom, Measured
from tests.stroke.drawing import away, board, paint

PEN_MM = 2.2


def side_by_side(crossings: int, apart_mm: float = 1.1) -> tuple[Floats, Floats]:
    """Two lines over 90 mm whose ink is one band in the middle third, with so many crossings in it."""
    x = np.linspace(5.0, 95.0, 361)
    middle = np.clip((x - 35.0) / 30.0, 0.0, 1.0)
    near = 0.5 * apart_mm * np.cos(np.pi * crossings * middle)
    fan = np.where((x < 35.0) | (x > 65.0), np.minimum(np.abs(x - 35.0), np.abs(x - 65.0)) * 0.25, 0.0)
    off = near + np.sign(near) * fan
    return np.column_stack([x, 30.0 - off]), np.column_stack([x, 30.0 + off])


def own(stroke: Stroke, lines: tuple[Floats, Floats]) -> float:
    """How far a stroke is, where it is farthest, from the line that it is nearest to throughout."""
    return min(float(away(stroke.points_mm, line).max()) for line in lines)


@pytest.mark.parametrize("crossings", [0, 1, 2])
def test_lines_beside_one_another_are_measured_at_their_own_edges(crossings: int) -> None:
    one, other = side_by_side(crossings)
    found = readings(paint([(PEN_MM, one), (PEN_MM, other)]), board([one, other]))
    both = [path for path in found if len(path.strokes) == 2]
    assert both
    best = min(max(own(stroke, (one, other)) for stroke in path.strokes) for path in both)
    assert best < 0.35
    inside = [s.points_mm[(s.points_mm[:, 0] > 38) & (s.points_mm[:, 0] < 62)] for s in both[0].strokes]
    ink = np.vstack([one, other])
    assert max(float(away(points, ink).max()) for points in inside) < 0.3


def test_a_pass_that_ends_beside_another_ends_where_its_ink_does() -> None:
    one, other = side_by_side(0)
    other = other[other[:, 0] < 55.0]
    path = readings(paint([(PEN_MM, one), (PEN_MM, other)]), board([one, other]))[0]
    assert len(path.strokes) == 2
    tips = np.vstack([[s.points_mm[0], s.points_mm[-1]] for s in path.strokes])
    assert float(np.hypot(*(tips - other[-1]).T).min()) < 1.0


def braided(apart_mm: float, least_mm: float, crossing: bool) -> tuple[Floats, Floats]:
    """As `side_by_side`, nearest in the middle where they are ``least_mm`` apart or, ``crossing``, change sides."""
    x = np.linspace(5.0, 95.0, 361)
    lean = np.tanh((x - 50.0) / 4.0) if crossing else np.sqrt(((x - 50.0) / 14.0) ** 2 + (least_mm / apart_mm) ** 2)
    off = 0.5 * apart_mm * np.clip(lean, -1.0, 1.0)
    fan = np.where((x < 37.0) | (x > 63.0), np.minimum(np.abs(x - 37.0), np.abs(x - 63.0)) * 0.3, 0.0)
    off = off + np.sign(off) * fan
    return np.column_stack([x, 30.0 - off]), np.column_stack([x, 30.0 + off])


def waist_prices(lines: tuple[Floats, Floats]) -> tuple[float, float]:
    """What it costs two passes to touch at the waist of their ink, and what to cross there, beside their turns."""
    ink = paint([(PEN_MM, one) for one in lines])
    mask = ink_mask(ink)
    assert mask is not None
    graph = graph_of(mask)
    steps = cut_steps(graph, mask.pen_px)
    net = net_of(graph, mask, doublings(graph, mask.pen_px, steps).first[0].edges, steps)
    loom = Loom(ink, mask, net, Measured())
    number, knot = next(
        (i, k) for i, k in enumerate(net.knots) if k.leg_ends and all(net.legs[leg].side for leg, _ in k.leg_ends)
    )
    prices: dict[bool, float] = {}
    for price, pairing in loom.pairings(number):
        if all(b is not None for _, b, _ in pairing):
            ends = pairing[0][:2]
            ways = {net.legs[e[0]].side * (1 if e[1] else -1) for e in ends if e}
            turns = sum(loom.pass_cost(knot, a, b) for a, b, _ in pairing if b)
            prices.setdefault(len(ways) == 1, price - turns)
    return prices[False], prices[True]


def test_two_passes_most_likely_cross_where_their_ink_is_as_narrow_as_one() -> None:
    touching, crossing = waist_prices(braided(1.3, 0.0, crossing=True))
    assert (touching, crossing) == pytest.approx((TOUCHES, 0.0))


def test_two_passes_may_touch_where_their_ink_is_broader_than_one() -> None:
    assert waist_prices(braided(1.5, 0.5, crossing=False)) == pytest.approx((0.0, 0.0))


@pytest.mark.parametrize(("least_mm", "crossing"), [(0.0, True), (0.5, False)])
def test_two_passes_are_told_apart_at_the_waist_of_their_ink(least_mm: float, crossing: bool) -> None:
    lines = braided(1.3, least_mm, crossing)
    best = readings(paint([(PEN_MM, one) for one in lines]), board(list(lines)))[0]
    assert len(best.strokes) == 2
    assert max(own(stroke, lines) for stroke in best.strokes) < 0.35


def bent(bend: float, turned: float = 0.0, aside_mm: float = 0.0) -> float:
    """What it costs to go on from one arc of so much bend (1/mm) to another, turned and moved aside between them."""

    def arc(way: float) -> Floats:
        t = np.arange(7.0, 0.0, -1.0) * EVERY_MM
        return np.column_stack([way * t, bend * t**2 / 2])

    near, far = arc(-1.0), arc(1.0)
    lean = np.array([[np.cos(turned), np.sin(turned)], [-np.sin(turned), np.cos(turned)]])
    return smooth_cost(near, far @ lean + [0.0, aside_mm])


def test_a_pass_goes_on_as_it_bent() -> None:
    assert bent(0.0) < 0.05
    assert bent(0.08) < 0.3
    assert bent(0.0, turned=0.5) > 1.0
    assert bent(0.08, turned=0.5) > 1.0
    assert bent(0.0, aside_mm=1.2) > 1.0
