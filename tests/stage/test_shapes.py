"""Shapes and path data: every command, within 0.02 mm of the true curve."""

from __future__ import annotations

import math
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely.geometry import LineString, Point

from referee.model import Floats
from referee.stage.faults import Fault
from referee.stage.shapes import pieces_of
from referee.stage.transform import IDENTITY, after, parse_transform, scale_of

SIZE = (297.0, 210.0)


def path(d: str, transform: str = "") -> list[Floats]:
    return [piece.points_mm for piece in pieces_of("path", {"d": d}, parse_transform(transform), SIZE)]


@pytest.mark.parametrize(
    ("d", "points"),
    [
        ("M1 2L3 4", [(1, 2), (3, 4)]),
        ("m1 2 3 4", [(1, 2), (4, 6)]),
        ("M1 2 3 4 5 6", [(1, 2), (3, 4), (5, 6)]),
        ("M1 2h3v4H0V0", [(1, 2), (4, 2), (4, 6), (0, 6), (0, 0)]),
        ("M1,2-3-4", [(1, 2), (-3, -4)]),
        ("M.5.5 1.5.5", [(0.5, 0.5), (1.5, 0.5)]),
        ("M1e1 2E-1l+1-1", [(10, 0.2), (11, -0.8)]),
        ("M0 0C0 0 3 0 3 0", [(0, 0), (3, 0)]),
        ("M0 0A0 5 0 0 1 3 0", [(0, 0), (3, 0)]),
        ("M0 0L5 0 5 0", [(0, 0), (5, 0)]),
    ],
)
def test_path_commands_lead_where_they_say(d: str, points: list[tuple[float, float]]) -> None:
    drawn = path(d)[0]
    ends = [p for p in drawn if any(np.allclose(p, q) for q in points)]
    assert np.allclose(ends, points)


def test_after_a_closed_subpath_the_next_one_begins_at_its_start() -> None:
    first, second = pieces_of("path", {"d": "M10 10h5v5zl-3 0"}, IDENTITY, SIZE)
    assert first.closed
    assert first.points_mm.tolist() == [[10, 10], [15, 10], [15, 15], [10, 10]]
    assert not second.closed
    assert second.points_mm.tolist() == [[10, 10], [7, 10]]


def test_smooth_commands_mirror_the_handle_before_them() -> None:
    smooth = path("M0 0C0 10 10 10 10 0S20-10 20 0")[0]
    spelled = path("M0 0C0 10 10 10 10 0C10-10 20-10 20 0")[0]
    assert np.allclose(smooth, spelled)
    assert np.allclose(path("M0 0Q5 10 10 0T20 0")[0], path("M0 0Q5 10 10 0Q15-10 20 0")[0])
    assert np.allclose(path("M0 0L10 0T20 5")[0], path("M0 0L10 0Q10 0 20 5")[0])


def test_arc_flags_may_stand_without_blanks() -> None:
    assert np.allclose(path("M10 20a5 5 0 0110 0")[0], path("M10 20 a 5,5 0 0,1 10,0")[0])
    assert np.allclose(path("M10 20a5 5 0 1110 0 5 5 0 0010 0")[0], path("M10 20A5 5 0 1 1 20 20A5 5 0 0 0 30 20")[0])


@pytest.mark.parametrize(("large", "sweep"), [(0, 0), (0, 1), (1, 0), (1, 1)])
def test_an_arc_is_part_of_the_ellipse_through_both_ends(large: int, sweep: int) -> None:
    points = path(f"M30 30A20 12 25 {large} {sweep} 50 40")[0]
    assert np.allclose(points[[0, -1]], [[30, 30], [50, 40]])
    length = LineString(points).length
    around = math.pi * (3 * 32 - math.sqrt((3 * 20 + 12) * (20 + 3 * 12)))
    assert (length > around / 2) == bool(large)
    middle = points[len(points) // 2] - [40, 35]
    side = 20 * middle[1] - 10 * middle[0]
    assert (side > 0) != bool(sweep) if not large else True


def test_radii_that_are_too_small_grow_until_they_reach() -> None:
    points = path("M0 0A1 1 0 0 1 10 0")[0]
    assert np.hypot(*(points - [5, 0]).T) == pytest.approx(5, abs=0.02)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.floats(0, 300), st.floats(0, 300)), min_size=4, max_size=4))
def test_a_curve_is_flattened_to_two_hundredths_of_a_millimetre(p: list[tuple[float, float]]) -> None:
    d = "M{} {}C{} {} {} {} {} {}".format(*(f"{v:.3f}" for point in p for v in point))
    try:
        line = LineString(path(d)[0])
    except Fault:
        return  # all four points are one
    a, b, c, e = np.round(np.array(p), 3)
    t = np.linspace(0, 1, 2001)[:, None]
    true = (1 - t) ** 3 * a + 3 * (1 - t) ** 2 * t * b + 3 * (1 - t) * t**2 * c + t**3 * e
    assert max(line.distance(Point(q)) for q in true[::7]) < 0.02


@settings(max_examples=40, deadline=None)
@given(
    st.floats(0.5, 200),
    st.floats(0.5, 200),
    st.floats(0.2, 4),
    st.floats(0.2, 4),
    st.floats(-60, 60),
)
def test_an_ellipse_is_flattened_after_its_transform(rx: float, ry: float, sx: float, sy: float, skew: float) -> None:
    matrix = parse_transform(f"skewX({skew}) scale({sx} {sy})")
    ring = pieces_of("ellipse", {"rx": str(rx), "ry": str(ry)}, matrix, SIZE)[0]
    line = LineString(ring.points_mm)
    angle = np.linspace(0, 2 * np.pi, 301)
    true = np.column_stack([rx * np.cos(angle), ry * np.sin(angle)]) @ matrix[:, :2].T
    assert max(line.distance(Point(q)) for q in true) < 0.02
    assert len(ring.points_mm) < 3000


def test_a_rounded_rect_has_its_true_area() -> None:
    piece = pieces_of("rect", {"x": "5", "y": "5", "width": "40", "height": "20", "rx": "6"}, IDENTITY, SIZE)[0]
    x, y = piece.points_mm.T
    area = 0.5 * abs(np.sum(x[:-1] * y[1:] - x[1:] * y[:-1]))
    assert area == pytest.approx(800 - (4 - math.pi) * 36, abs=0.5)
    assert piece.closed


def test_lengths_may_have_units_or_be_per_cent() -> None:
    rect = pieces_of("rect", {"x": "10%", "y": "10px", "width": "1in", "height": "50%"}, IDENTITY, SIZE)[0]
    assert rect.points_mm[0].tolist() == pytest.approx([29.7, 10])
    assert rect.points_mm[2].tolist() == pytest.approx([29.7 + 96, 115])


def test_a_width_grows_by_the_root_of_the_area() -> None:
    assert scale_of(parse_transform("scale(2 8)")) == pytest.approx(4)
    assert scale_of(parse_transform("rotate(33) skewX(20)")) == pytest.approx(1)


def test_transforms_are_done_from_right_to_left() -> None:
    both = after(parse_transform("translate(5 6)"), parse_transform("rotate(90)"))
    assert np.allclose(parse_transform("translate(5,6)rotate(90)"), both)
    assert np.allclose(both[:, :2] @ [1, 0] + both[:, 2], [5, 7])


@pytest.mark.parametrize("size", ["1e5", "99999"])
def test_a_curve_beyond_all_bounds_is_refused_or_drawn_in_bounded_time(size: str) -> None:
    with suppress(Fault):
        assert len(path(f"M0 0A{size} {size} 0 1 1 1 1")[0]) < 300_000
