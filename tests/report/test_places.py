"""Where things lie on a stage, as lines and in words."""

from dataclasses import replace

import numpy as np
import pytest

from referee.model import UnseenStretch
from referee.report.places import along, look_at, nearest_on, outlines, whereabouts
from tests.report import by_hand


@pytest.mark.parametrize(
    ("element", "points"), [("checkpoint-1", 2), ("finish", 2), ("start", 4), ("jump-1", 5), ("oil-spill-1", 5)]
)
def test_an_element_is_drawn_by_its_own_outline(element: str, points: int) -> None:
    (outline,) = outlines(by_hand.stage(), element)
    assert outline.shape == (points, 2)


@pytest.mark.parametrize("element", ["white-line-1", "no such thing", None])
def test_what_has_no_outline_is_not_drawn(element: str | None) -> None:
    assert outlines(by_hand.stage(), element) == []


def test_a_stretch_runs_on_from_piece_to_piece_of_the_course() -> None:
    course = [np.array([[0.0, 0.0], [50.0, 0.0]]), np.array([[60.0, 0.0], [100.0, 0.0]])]
    pieces = [piece.tolist() for piece in along(course, UnseenStretch(40.0, 70.0, "glare"))]
    assert pieces == [[[40, 0], [50, 0]], [[60, 0], [80, 0]]]


@pytest.mark.parametrize(
    ("from_mm", "to_mm", "where"),
    [
        (5.0, 20.0, "between the start arrow and checkpoint 1"),
        (40.0, 60.0, "between checkpoint 1 and the finish line"),
        (20.0, 60.0, "between the start arrow and the finish line"),
        (95.0, 99.0, "behind the finish line"),
    ],
)
def test_a_stretch_lies_between_two_lines_that_a_player_knows(from_mm: float, to_mm: float, where: str) -> None:
    assert whereabouts(by_hand.stage(), UnseenStretch(from_mm, to_mm, "glare")) == where


def test_a_line_crossed_unseen_is_itself_what_to_look_at() -> None:
    assert look_at(by_hand.stage(), by_hand.CROSSED_UNSEEN) == pytest.approx([40.0, 40.0])
    here = replace(by_hand.CROSSED_UNSEEN, at_mm=(44.0, 41.0))
    assert look_at(by_hand.stage(), here) == pytest.approx([44.0, 41.0])
    assert look_at(by_hand.stage(), by_hand.OVER_THE_LINE) == pytest.approx(by_hand.OVER_THE_LINE.at_mm)


def test_the_nearest_place_on_a_line_lies_between_its_points() -> None:
    assert nearest_on(np.array([[0.0, 0.0], [10.0, 0.0]]), np.array([4.0, 3.0])) == pytest.approx([4.0, 0.0])
