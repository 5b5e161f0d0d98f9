"""Attempts over the same road: which ink was drawn first, and which stroke took which way after they met."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from referee.errors import TooTangled
from referee.model import Floats, Guide, Path
from referee.stroke.course import Track, course_of
from referee.stroke.drives import Backward, _own_cost
from referee.stroke.places import places_of
from referee.stroke.readings import readings
from tests.stroke.drawing import board, is_drawn_as, line, paint, spoil, wave

ROAD = line((10, 40), (190, 40))
GUIDE = board([ROAD], [((60, 31), (60, 49)), ((130, 31), (130, 49))])
CRASH = np.vstack([line((12, 40), (80, 41)), line((80, 41), (96, 60)), line((96, 60), (108, 62))])


def read(strokes: list[Floats], guide: Guide = GUIDE, width: float = 2.2) -> tuple[Path, ...]:
    return readings(paint([(width, s) for s in strokes], (200, 80)), guide)


def is_read_as(path: Path, strokes: list[Floats], far_mm: float = 1.2, end_mm: float = 4.0) -> bool:
    return len(path.strokes) == len(strokes) and all(
        is_drawn_as(s, d, end_mm, far_mm) for s, d in zip(path.strokes, strokes, strict=True)
    )


@pytest.mark.parametrize("retry_mm", [32.0, 36.0])
def test_a_retry_beside_the_crash_comes_after_it(retry_mm: float) -> None:
    retry = wave((57, retry_mm), (188, 40), 1.5)
    assert is_read_as(read([CRASH, retry])[0], [CRASH, retry])
    assert is_read_as(read([retry, CRASH])[0], [CRASH, retry])


def test_a_retry_that_crosses_the_crash_twice_is_still_one_stroke() -> None:
    retry = np.vstack([wave((58, 37), (78, 46), 0), wave((78, 46), (110, 36), 0)[1:], line((110, 36), (188, 40))])
    crash = np.vstack([line((12, 40), (84, 40)), line((84, 40), (100, 60))])
    assert any(is_read_as(p, [crash, retry]) for p in read([crash, retry]))


def test_a_retry_that_begins_on_the_old_ink_is_found() -> None:
    retry = np.vstack([line((58, 40.8), (72, 40.3)), line((72, 40.3), (90, 33)), line((90, 33), (188, 40))])
    found = read([CRASH, retry])
    assert any(is_read_as(p, [CRASH, retry], end_mm=16.0) for p in found[:4])


def test_attempts_from_the_same_line_are_told_in_both_ways_where_they_meet() -> None:
    crash = np.vstack([line((12, 42), (75, 42)), line((75, 42), (100, 40)), wave((100, 40), (116, 62), 0)])
    retry = np.vstack([line((58, 37), (75, 37)), line((75, 37), (100, 40)), line((100, 40), (188, 39))])
    found = read([crash, retry])
    assert any(is_read_as(p, [crash, retry], far_mm=1.4) for p in found)


def test_two_attempts_that_share_their_ink_for_a_while() -> None:
    crash = np.vstack([line((12, 43), (66, 43)), line((66, 43), (80, 40.4)), line((80, 40.4), (100, 40.4)),
                       line((100, 40.4), (118, 60))])  # fmt: skip
    retry = np.vstack([line((58, 36), (66, 36)), line((66, 36), (80, 39.8)), line((80, 39.8), (100, 39.8)),
                       line((100, 39.8), (112, 36)), line((112, 36), (188, 40))])  # fmt: skip
    found = read([crash, retry])
    assert any(is_read_as(p, [crash, retry], far_mm=1.5) for p in found[:4])


def test_an_unfinished_race_is_one_stroke_from_the_arrow() -> None:
    drawn = wave((12, 40), (120, 40), 3, 2)
    assert is_read_as(read([drawn])[0], [drawn])


def test_a_race_is_driven_from_the_arrow_whichever_way_the_ink_is_traced() -> None:
    drawn = wave((12, 40), (188, 40), 4, 2)
    for ink in (paint([(2.2, drawn)], (200, 80)), paint([(2.2, drawn[::-1])], (200, 80))):
        assert is_read_as(readings(ink, GUIDE)[0], [drawn])


def test_a_hand_that_goes_back_on_its_own_ink_lifts_nothing() -> None:
    drawn = np.vstack([line((12, 40), (90, 40)), line((90, 40), (81, 40.6)), line((81, 40.6), (92, 48)),
                       line((92, 48), (188, 41))])  # fmt: skip
    assert len(read([drawn])[0].strokes) == 1


def test_ragged_ink_is_read_like_clean_ink() -> None:
    retry = wave((57, 35), (188, 40), 1.5)
    ink = spoil(paint([(2.4, CRASH), (2.4, retry)], (200, 80)), 5)
    assert is_read_as(readings(ink, GUIDE)[0], [CRASH, retry])


def test_the_likeliest_reading_comes_first_and_says_why() -> None:
    found = read([CRASH, wave((57, 35), (188, 40), 1.5)])
    assert found[0].likelihood == 1.0
    assert list(found) == sorted(found, key=lambda p: -p.likelihood)
    assert "begins again at checkpoint-1" in found[0].why


def test_a_marker_dragged_back_to_the_line_is_one_stroke() -> None:
    out = np.vstack([line((12, 44), (70, 46)), line((70, 46), (84, 51.5)), line((84, 51.5), (92, 49))])
    back = np.vstack([line((92, 49), (104, 34)), line((104, 34), (112, 36)), line((112, 36), (64, 27))])
    drawn = np.vstack([out, back, line((64, 27), (66, 40)), wave((66, 40), (188, 42), 2)])
    assert len(read([drawn])[0].strokes) == 1


def test_who_took_which_side_is_told_both_ways_if_they_are_as_likely() -> None:
    crash = np.vstack([line((12, 42), (64, 42)), line((64, 42), (74, 40)), line((74, 40), (92, 40)),
                       line((92, 40), (104, 33)), line((104, 33), (130, 33)), line((130, 33), (142, 39))])  # fmt: skip
    retry = np.vstack([line((58, 37), (64, 37)), line((64, 37), (74, 40)), line((74, 40), (92, 40)),
                       line((92, 40), (104, 47)), line((104, 47), (130, 47)), line((130, 47), (142, 40)),
                       line((142, 40), (188, 40))])  # fmt: skip
    likely = [p for p in read([crash, retry]) if p.likelihood > 0.3 and len(p.strokes) == 2]
    assert {bool((p.strokes[0].points_mm[:, 1] > 44).any()) for p in likely} == {False, True}


def test_an_end_that_nearly_touches_the_retry_is_seen() -> None:
    retry = np.vstack([line((57, 44), (64, 43)), line((64, 43), (76, 33.9)), line((76, 33.9), (120, 33.9)),
                       line((120, 33.9), (188, 40))])  # fmt: skip
    crash = np.vstack([line((12, 40), (82, 40)), line((82, 40), (92, 37.6)), line((92, 37.6), (95, 36.6))])
    first = read([crash, retry])[0].strokes[0]
    assert first.end == "free"
    assert np.hypot(*(first.points_mm[-1] - crash[-1])) < 0.6


def own_cost(backward: Backward, back_to_mm: float, high_mm: float = 40.0) -> float:
    """The price of a drive that left the road 30 mm along the course."""
    track = Track(0.0, high_mm, 0.0, high_mm, 0.0, 0.0, 0.0)
    return _own_cost(track, backward, [(30.0, back_to_mm)], places_of(GUIDE, course_of(GUIDE)))


def test_going_backward_before_anything_has_happened_is_dear_and_after_a_break_it_is_not() -> None:
    assert own_cost(Backward(60.0, 0.0, 0.0), 40.0) > own_cost(Backward(0.0, 0.0, 60.0), 40.0) + 4


def test_a_marker_is_dragged_back_over_the_board_rather_than_along_the_road() -> None:
    assert own_cost(Backward(0.0, 40.0, 0.0), 0.0) > own_cost(Backward(0.0, 0.0, 40.0), 0.0) + 1


def test_a_drive_that_comes_back_to_the_line_ignores_nothing() -> None:
    there = Backward(0.0, 0.0, 0.0)
    assert own_cost(there, 2.0, 150.0) < own_cost(there, 29.0, 150.0) - 2


def test_both_ways_round_a_loop_off_the_road_are_told() -> None:
    """Driven along the road and dragged back beside it, or the other way round: each breaks another line first."""
    corners = [(12, 40), (60, 40), (84, 37), (104, 37), (112, 50), (108, 57), (62, 42), (66, 34), (84, 29), (188, 40)]
    drive = np.vstack([line(a, b) for a, b in pairwise(corners)])
    told = [path.strokes[0].points_mm for path in read([drive]) if len(path.strokes) == 1]
    assert {_comes_by(points, (94, 37), (85, 49.5)) for points in told} == {False, True}
    assert _comes_by(told[0], (94, 37), (85, 49.5))


def _comes_by(points: Floats, first: tuple[float, float], then: tuple[float, float]) -> bool:
    """Whether a line comes by one place before it comes by another."""
    return bool(np.hypot(*(points - first).T).argmin() < np.hypot(*(points - then).T).argmin())


@pytest.mark.parametrize(("count", "is_told"), [(14, True), (15, False)])
def test_more_strokes_than_a_race_has_are_refused_as_such(count: int, is_told: bool) -> None:
    strokes = [line((10 + 13 * k, 40), (17 + 13 * k, 40)) for k in range(count)]
    guide = board([line((10, 40), (210, 40))])
    ink = paint([(2.0, drawn) for drawn in strokes], (220, 80))
    if is_told:
        assert len(readings(ink, guide)[0].strokes) == count
    else:
        with pytest.raises(TooTangled, match="more than 14 strokes"):
            readings(ink, guide)


def test_a_board_full_of_ink_is_no_clean_board() -> None:
    ink = paint([(60.0, line((0, 40), (100, 40)))])
    with pytest.raises(TooTangled, match="half of the board"):
        readings(ink, board([line((10, 40), (90, 40))]))


def test_blotches_all_over_are_refused_at_once() -> None:
    rng = np.random.default_rng(3)
    corners = rng.uniform((5, 5), (290, 200), (1500, 2))
    ink = paint([(0.9, np.array([a, a + rng.uniform(-9, 9, 2)])) for a in corners], (297, 210))
    with pytest.raises(TooTangled):
        readings(ink, board([line((10, 100), (280, 100))]))
