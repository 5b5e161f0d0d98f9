"""Close-ups: the edge is drawn where the stage file has it, the arrow where the distance was measured."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from shapely.geometry import box

from referee.model import NearMiss, Photo, Question, Section, UnseenStretch
from referee.report.closeup import (
    EDGE_BGR,
    SIDE_PX,
    UNSEEN_BGR,
    _frame,
    closeup,
    dense,
    edges_near,
    far_edge,
    measured_ends,
    offset,
    question_picture,
)
from tests.report import by_hand

BRUSH = by_hand.NEAR_MISSES[0]


BOWED = replace(
    by_hand.view(),
    bend_mm=np.stack(np.broadcast_arrays(0.0, np.array([0, 0, 0, 2.0, 0, 0, 0])[None, :].repeat(2, axis=0)), axis=-1),
    bend_step_mm=(20.0, 80.0),
)
"""The tilted view of paper that bows by 2 mm along a fold at x = 60 mm."""


def likeness(picture: NDArray[np.uint8], place_px: NDArray[np.float64], color: tuple[int, int, int]) -> float:
    """How near the nearest pixel within two of a place comes to a colour: the largest channel's difference."""
    x, y = np.round(place_px).astype(int)
    patch = picture[y - 2 : y + 3, x - 2 : x + 3].astype(int)
    return float(np.abs(patch - color).max(axis=2).min())


def test_the_far_edge_lies_away_from_the_road() -> None:
    upper, lower = by_hand.stage().white_lines
    above = replace(BRUSH, element="white-line-1", at_mm=(50.0, 29.0), edge_mm=None)
    assert far_edge(upper, by_hand.stage(), above)[0, 1] == pytest.approx(28.0)
    assert far_edge(lower, by_hand.stage(), replace(BRUSH, edge_mm=None))[0, 1] == pytest.approx(52.0)


def test_the_far_edge_does_not_hang_on_the_direction_in_which_a_line_was_drawn() -> None:
    lower = by_hand.stage().white_lines[1]
    turned = replace(lower, points_mm=lower.points_mm[::-1])
    assert far_edge(turned, by_hand.stage(), replace(BRUSH, edge_mm=None))[0, 1] == pytest.approx(52.0)


def test_a_line_between_two_roads_has_its_far_edge_where_it_was_measured() -> None:
    shared = replace(by_hand.stage().white_lines[1], sections=(1, 2))
    stage = by_hand.stage()
    stage = replace(stage, sections=(*stage.sections, Section(2, box(10, 52, 110, 72))), white_lines=(shared,))
    from_below = replace(BRUSH, edge_mm=((88.1, 51.0), (88.1, 50.0)))
    assert far_edge(shared, stage, from_below)[0, 1] == pytest.approx(50.0)


def test_a_line_moved_sideways_keeps_its_distance_round_a_corner() -> None:
    corner = np.array([[0.0, 0.0], [10.0, 0.0], [10.0, 0.0], [10.0, 10.0]])
    assert offset(corner, 1.0, closed=False, side=1) == pytest.approx(np.array([[0, 1], [9, 1], [9, 10]]))
    assert offset(corner, 1.0, closed=False, side=-1) == pytest.approx(np.array([[0, -1], [11, -1], [11, 10]]))


def test_a_closed_line_moved_sideways_stays_closed() -> None:
    square = np.array([[0.0, 0.0], [10.0, 0.0], [10.0, 10.0], [0.0, 10.0], [0.0, 0.0]])
    inside = offset(square, 1.0, closed=True, side=1)
    assert inside == pytest.approx(np.array([[1, 1], [9, 1], [9, 9], [1, 9], [1, 1]]))


@pytest.mark.parametrize(("element", "many"), [("oil-spill-1", 1), ("jump-1", 1), ("white-line-1", 1), ("other", 0)])
def test_a_near_miss_shows_the_edge_of_its_own_element(element: str, many: int) -> None:
    assert len(edges_near(by_hand.stage(), NearMiss(None, element, (50.0, 40.0), 1.0, 0.1))) == many


def test_a_close_up_is_centred_upright_and_holds_eighteen_millimetres() -> None:
    frame = _frame(by_hand.view(), np.array(BRUSH.at_mm))
    here, right, down = frame.of(np.array(BRUSH.at_mm) + np.array([[0, 0], [5, 0], [0, 5]]))
    assert here == pytest.approx(np.full(2, (SIDE_PX - 1) / 2))
    assert right[0] > here[0] + 150
    assert abs(right[1] - here[1]) < 8
    assert down[1] > here[1] + 120


def test_the_far_edge_is_drawn_where_the_photo_shows_it() -> None:
    drawn = closeup(by_hand.photo(), by_hand.view(), by_hand.stage(), BRUSH)
    on_edge, off_edge = _frame(by_hand.view(), np.array(BRUSH.at_mm)).of(np.array([[84.0, 52.0], [84.0, 54.0]]))
    assert drawn.shape == (SIDE_PX, SIDE_PX, 3)
    assert likeness(drawn, on_edge, EDGE_BGR) < 40
    assert likeness(drawn, off_edge, EDGE_BGR) > 80


def test_on_bowed_paper_a_straight_edge_is_drawn_bent() -> None:
    at_fold = NearMiss(None, "white-line-2", (60.0, 50.7), 0.61, 0.09)
    drawn = closeup(by_hand.photo(), BOWED, by_hand.stage(), at_fold)
    on_edge = _frame(BOWED, np.array(at_fold.at_mm)).of(np.array([[60.0, 52.0], [64.0, 52.0], [57.0, 52.0]]))
    assert all(likeness(drawn, place, EDGE_BGR) < 40 for place in on_edge)


def test_a_polyline_made_dense_keeps_its_corners() -> None:
    line = dense(np.array([[0.0, 0.0], [2.5, 0.0], [2.5, 1.0]]))
    assert line == pytest.approx(np.array([[0, 0], [1, 0], [2, 0], [2.5, 0], [2.5, 0.5], [2.5, 1]]))


@pytest.mark.parametrize("gap_mm", [0.02, 0.6, 3.5])
def test_the_arrow_points_at_both_ends_of_the_measured_distance(gap_mm: float) -> None:
    miss = replace(BRUSH, edge_mm=((88.1, 52.0 - gap_mm), (88.1, 52.0)), margin_mm=gap_mm)
    plain = closeup(by_hand.photo(), by_hand.view(), by_hand.stage(), replace(miss, edge_mm=None))
    drawn = closeup(by_hand.photo(), by_hand.view(), by_hand.stage(), miss)
    assert (plain != drawn).any()
    ends = _frame(by_hand.view(), np.array(BRUSH.at_mm)).of(np.array(miss.edge_mm))
    outside = ends + np.array([[0.0, -9.0], [0.0, 9.0]]) * (1 if gap_mm < 1 else -1)
    assert all(likeness(drawn, place, (255, 255, 255)) < 40 for place in outside)


def test_a_jump_is_measured_from_the_tip_to_the_nearest_rim_of_its_zone() -> None:
    inside = NearMiss(None, "jump-1", (64.5, 40.0), 1.5, 0.1)
    ends = measured_ends(by_hand.stage(), inside)
    assert ends == pytest.approx(np.array([[64.5, 40.0], [66.0, 40.0]]))
    assert measured_ends(by_hand.stage(), replace(inside, margin_mm=4.0)) is None
    assert measured_ends(by_hand.stage(), replace(BRUSH, edge_mm=None)) is None


def test_a_distance_of_nothing_still_has_its_picture() -> None:
    touching = replace(BRUSH, edge_mm=((88.1, 52.0), (88.1, 52.0)), margin_mm=0.0)
    assert closeup(by_hand.photo(), by_hand.view(), by_hand.stage(), touching).shape == (SIDE_PX, SIDE_PX, 3)


def test_a_near_miss_at_the_rim_of_the_photo_still_has_its_picture() -> None:
    cut_off = Photo(np.ascontiguousarray(by_hand.photo().bgr[:200]), "cut.jpg")
    assert closeup(cut_off, by_hand.view(), by_hand.stage(), BRUSH).shape == (SIDE_PX, SIDE_PX, 3)


def test_the_photo_itself_is_never_drawn_on() -> None:
    photo = by_hand.photo()
    before = photo.bgr.copy()
    closeup(photo, by_hand.view(), by_hand.stage(), BRUSH)
    assert (photo.bgr == before).all()


@pytest.mark.parametrize("margin_mm", [9.9, -14.5])
def test_a_long_distance_gets_a_window_that_holds_it(margin_mm: float) -> None:
    ends = ((88.1, 52.0 - margin_mm), (88.1, 52.0))
    miss = replace(BRUSH, at_mm=ends[0], edge_mm=ends, margin_mm=margin_mm)
    drawn = closeup(by_hand.photo(), by_hand.view(), by_hand.stage(), miss)
    frame = _frame(by_hand.view(), np.array(miss.at_mm), 2.6 * abs(margin_mm))
    tips = frame.of(np.array(ends))
    assert tips.min() > 10
    assert tips.max() < SIDE_PX - 10
    assert likeness(drawn, frame.of(np.array([[97.0, 52.0]]))[0], EDGE_BGR) < 60


def question_drawn(question: Question, *unseen: UnseenStretch) -> NDArray[np.uint8]:
    judgement = replace(by_hand.judgement(), unseen=unseen)
    return question_picture(by_hand.photo(), by_hand.view(), by_hand.stage(), judgement, question)


def pixels_like(picture: NDArray[np.uint8], color: tuple[int, int, int]) -> int:
    return int((np.abs(picture.astype(int) - color).max(axis=2) < 30).sum())


def test_a_question_about_what_is_not_seen_shows_all_of_it_hatched() -> None:
    near, far = UnseenStretch(25.0, 50.0, "glare"), UnseenStretch(90.0, 95.0, "glare")
    question = replace(by_hand.CROSSED_UNSEEN, at_mm=(36.0, 40.0))
    assert pixels_like(question_drawn(question), UNSEEN_BGR) == 0
    assert pixels_like(question_drawn(question, near), UNSEEN_BGR) > 500
    assert (question_drawn(question, near) == question_drawn(question, near, far)).all()


def test_a_question_shows_the_element_that_it_is_about() -> None:
    assert pixels_like(question_drawn(by_hand.CROSSED_UNSEEN), EDGE_BGR) > 300
    gap = replace(by_hand.CROSSED_UNSEEN, why="close", element=None)
    assert pixels_like(question_drawn(gap), EDGE_BGR) == 0
