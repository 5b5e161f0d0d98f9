"""Two passes that share their ink: told apart by their outer edges, from waist to waist."""

from __future__ import annotations

import numpy as np
import pytest

from referee.model import Floats, Stroke
from referee.stroke.readings import readings
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
