"""A line that grows is asked about where it is new, and the answers are those of the whole line."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from shapely.geometry import LineString

from referee.geometry.grown import Remembered
from referee.geometry.measure import measure
from referee.model import Path, Stage, Stroke
from referee.stage.catalogue import Catalogue

LINE = np.column_stack([np.linspace(0, 50, 201), np.zeros(201)])


def asked(remembered: Remembered[int], points: np.ndarray) -> int:
    same, _ = remembered.before("kerbs", points)
    remembered.keep("kerbs", points, len(points))
    return same


def test_only_what_is_new_of_a_line_is_asked_about() -> None:
    remembered: Remembered[int] = Remembered()
    assert [asked(remembered, LINE[:n]) for n in (50, 120, 120, 80)] == [0, 50, 120, 80]


def test_a_line_that_was_read_anew_from_some_point_on_is_asked_about_from_there() -> None:
    remembered: Remembered[int] = Remembered()
    asked(remembered, LINE)
    bent = LINE.copy()
    bent[150:, 1] += 0.5
    assert asked(remembered, bent) == 150


def test_another_line_knows_nothing_of_the_first() -> None:
    remembered: Remembered[int] = Remembered()
    asked(remembered, LINE)
    assert asked(remembered, LINE + [0.0, 1.0]) == 0
    assert remembered.before("zones", LINE) == (0, None)


def test_a_stroke_that_grew_measures_as_one_that_was_there_at_once() -> None:
    """Across checkpoints, zones and white lines of the city's bridge stage."""
    stage, again = Catalogue().find(5), replace(Catalogue().find(5))
    course = LineString(stage.course[0])
    points = np.array([course.interpolate(along).coords[0] for along in np.arange(5.0, course.length, 0.25)])
    points[:, 1] += 6 * np.sin(np.arange(len(points)) / 60)

    def facts(on: Stage, count: int) -> list[str]:
        n = len(points[:count])
        stroke = Stroke(points[:count], np.full((n, 2), 1.2), np.full(n, 0.1), np.ones(n, np.bool_))
        return [repr(fact) for fact in measure(Path((stroke,)), on).items]

    assert [facts(stage, count) for count in (150, 500, 900, 1200)][-1] == facts(again, 1200)
