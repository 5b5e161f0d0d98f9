"""The flattened, annotated board."""

import re
from dataclasses import replace
from itertools import pairwise

import cv2
import numpy as np
import pytest

from referee.model import Event, Photo, UnseenStretch
from referee.report.board import (
    PIN_RADIUS_MM,
    board_svg,
    flattened,
    path_color,
    path_marks,
    pin_class,
    pin_places,
    unseen_marks,
)
from tests.report import by_hand


@pytest.mark.parametrize("px_per_mm", [2.0, 6.0])
def test_flattening_puts_every_place_back_where_it_was_printed(px_per_mm: float) -> None:
    view = replace(by_hand.view(), bend_mm=np.full((3, 4, 2), 0.7), bend_step_mm=(40.0, 40.0))
    places_mm = np.array([[10.0, 10.0], [60.0, 41.0], [115.0, 5.0], [8.0, 74.0], [112.0, 72.0]])
    picture = np.zeros((700, 900, 3), np.uint8)
    for x, y in view.to_photo(places_mm):
        cv2.circle(picture, (round(x * 16), round(y * 16)), 5 * 16, (255, 255, 255), -1, cv2.LINE_AA, shift=4)
    flat = flattened(Photo(picture, "dots.png"), view, px_per_mm)
    assert flat.shape == (round(80 * px_per_mm), round(120 * px_per_mm), 3)
    for x_mm, y_mm in places_mm:
        x, y = int(x_mm * px_per_mm), int(y_mm * px_per_mm)
        reach = int(2.5 * px_per_mm)
        patch = flat[y - reach : y + reach + 1, x - reach : x + reach + 1, 0].astype(float)
        rows, columns = np.mgrid[y - reach : y + reach + 1, x - reach : x + reach + 1]
        seen_mm = np.array([(columns * patch).sum(), (rows * patch).sum()]) / patch.sum() / px_per_mm + 0.5 / px_per_mm
        assert seen_mm == pytest.approx([x_mm, y_mm], abs=0.3 / px_per_mm)


def test_the_path_runs_through_the_colours_from_start_to_finish() -> None:
    path = by_hand.judgement().path
    assert path is not None
    marks = "".join(path_marks(path.strokes))
    colors = re.findall(r'stroke="(#[0-9a-f]{6})"', marks)
    assert colors[0] == path_color(0)
    assert colors[-1] == path_color(1)
    assert len(set(colors)) > 60


def test_the_pieces_of_the_path_join_without_a_gap() -> None:
    marks = [
        mark for mark in path_marks([by_hand.wavy_stroke()]) if mark.startswith("<polyline") and "#fff" not in mark
    ]
    points = [re.findall(r"[-\d.]+,[-\d.]+", mark) for mark in marks]
    assert all(first[-1] == then[0] for first, then in pairwise(points))


def test_an_unseen_stretch_of_the_path_is_dotted() -> None:
    stroke = by_hand.wavy_stroke()
    seen = np.ones(len(stroke.points_mm), bool)
    seen[40:60] = False
    assert "stroke-dasharray" not in "".join(path_marks([stroke]))
    assert "stroke-dasharray" in "".join(path_marks([replace(stroke, seen=seen)]))


def test_what_is_not_seen_is_hatched_along_the_course_and_across_its_pieces() -> None:
    course = [np.array([[0.0, 0.0], [50.0, 0.0]]), np.array([[60.0, 0.0], [100.0, 0.0]])]
    marks = list(unseen_marks(course, [UnseenStretch(40.0, 70.0, "covered"), UnseenStretch(80.0, 90.0, "glare")]))
    places = [re.findall(r"[-\d.]+,[-\d.]+", mark) for mark in marks]
    assert places == [["40.0,0.0", "50.0,0.0"], ["60.0,0.0", "80.0,0.0"], ["90.0,0.0", "100.0,0.0"]]
    assert "something lying on the board" in marks[0]


def test_a_dot_of_ink_has_a_path_too() -> None:
    dot = by_hand.stroke(np.array([[20.0, 20.0], [20.0, 20.0]]))
    assert "nan" not in "".join(path_marks([dot]))


def test_pins_stand_clear_of_each_other_and_inside_the_board() -> None:
    events = [Event(n, "donut", "R9", (4.0 + n, 4.0 + n / 2), 0) for n in range(8)]
    heads = np.array(pin_places(events, [by_hand.wavy_stroke()], by_hand.SIZE_MM))
    gaps = np.hypot(*(heads[:, None] - heads[None]).transpose(2, 0, 1)) + np.eye(8) * 99
    assert gaps.min() > 2 * PIN_RADIUS_MM
    assert heads.min() > PIN_RADIUS_MM


def test_a_board_without_events_has_no_pins() -> None:
    assert pin_places([], [], by_hand.SIZE_MM) == []


def test_pins_carry_the_numbers_of_the_list_and_link_to_it() -> None:
    drawn = board_svg(by_hand.photo(), by_hand.view(), by_hand.stage(), by_hand.judgement(), "board-1")
    assert re.findall(r'href="#(board-1-event-\d)"', drawn) == [f"board-1-event-{n}" for n in (1, 2, 3, 4)]


def test_an_open_question_is_marked_apart_from_an_accident() -> None:
    done = by_hand.judgement()
    assert pin_class(done, by_hand.with_event()) == "accident"
    assert pin_class(done, by_hand.with_event(certain=False)) == "doubt"
    assert pin_class(done, by_hand.EVENTS[0]) == "plain"
