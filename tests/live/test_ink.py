"""What the ink's own times tell, whatever lines are read from it."""

from __future__ import annotations

import numpy as np

from referee.live.ink import UNLIKE, InkInTime
from referee.live.lay import PX_PER_MM

WH = (180, 90)
HALF_PX = 4


def line(*pieces: tuple[int, int, int, int]) -> InkInTime:
    """Ink along y = 15 mm: each piece from x to x (mm), last seen bare and first seen in the frame so numbered."""
    ink = InkInTime(WH)
    ink.times = [0.1 * number for number in range(60)]
    row = round(15 * PX_PER_MM)
    for begin, end, bare, first in pieces:
        part = (slice(row - HALF_PX, row + HALF_PX + 1), slice(round(begin * PX_PER_MM), round(end * PX_PER_MM)))
        ink.inked[part], ink.bare[part], ink.first[part] = 255, bare, first
    return ink


def test_ink_that_goes_on_where_it_had_ended_while_nothing_was_near_shows_a_lift() -> None:
    assert line((10, 25, 3, 5), (25, 40, 30, 33)).shows_lift((25.0, 15.0), 2.0)


def test_ink_that_was_there_before_the_hand_went_away_shows_no_lift() -> None:
    assert not line((10, 25, 3, 5), (25, 40, 12, 33)).shows_lift((25.0, 15.0), 2.0)


def test_the_rim_of_a_line_that_shows_later_is_no_lift() -> None:
    ink = line((10, 40, 3, 5))
    row = round(15 * PX_PER_MM) + HALF_PX + 1
    ink.inked[row : row + 2, 30:120], ink.bare[row : row + 2, 30:120], ink.first[row : row + 2, 30:120] = 255, 30, 33
    assert not ink.shows_lift((25.0, 15.0), 2.0)


def test_ink_was_drawn_between_when_it_was_last_seen_bare_and_first_seen() -> None:
    bare, seen = line((10, 25, 3, 5)).drawn_between(np.array([[20.0, 15.0], [50.0, 15.0]]))
    assert np.allclose(bare, [0.3, -np.inf])
    assert np.allclose(seen, [0.5, np.inf])


def test_two_ends_are_joined_if_ink_leads_from_one_to_the_other() -> None:
    one, other = np.array([20.0, 15.0]), np.array([30.0, 15.0])
    assert line((10, 40, 3, 5)).joins(one, other)
    assert not line((10, 22, 3, 5), (28, 40, 3, 5)).joins(one, other)


def test_slivers_thinner_than_any_marker_are_not_read() -> None:
    ink = line((10, 25, 3, 5))
    ink.inked[10:12, 100:160], ink.first[10:12, 100:160] = 255, 5
    read = ink.as_ink(0.1, slivers=False).coverage
    assert read[round(15 * PX_PER_MM), round(20 * PX_PER_MM)] == 255
    assert not read[6:18].any()


def test_ink_has_been_in_view_since_it_was_glimpsed_beside_a_hand() -> None:
    ink = line((10, 25, 3, 20), (25, 40, 12, 20))
    ink._glimpsed[:] = 8
    since, there = ink.in_view_since(np.array([[20.0, 15.0], [30.0, 15.0], [50.0, 15.0]]))
    assert since[:2].tolist() == [8, 20]  # what was bare after the glimpse was not ink then
    assert there.tolist() == [True, True, False]


def test_what_was_measured_beside_older_ink_is_measured_anew_where_new_ink_comes() -> None:
    ink = line((10, 25, 3, 5))
    row = round(15 * PX_PER_MM)
    ink._measured[:] = 8
    ink.coverage[:] = np.where(ink.inked > 0, 1.0, 0.0)
    new = np.ravel_multi_index((np.full(9, row), np.arange(76, 85)), ink.inked.shape)
    ink.inked.ravel()[new] = 255
    ink._to_measure(new)
    assert not ink._measured.ravel()[new].any()
    assert ink._measured[row, 60] == 8  # the older ink itself stays as it was measured
    assert ink.as_ink(0.1).coverage.ravel()[new].tolist() == [255] * 9


def test_the_same_ink_in_more_light_is_the_same_ink_and_skin_is_not() -> None:
    ink = InkInTime(WH)
    ink.colour = np.array([0.07, 0.06, 0.54], np.float32)
    print_ = np.full((3, 3), [0.48, 0.39, 0.37], np.float32)
    red, darker, pale_skin, dark_skin = [0.07, 0.06, 0.54], [0.05, 0.04, 0.43], [0.2, 0.3, 0.6], [0.1, 0.15, 0.35]
    _, rest = ink._share(np.array([red, darker, pale_skin, dark_skin], np.float32), print_[[0, 0, 0, 0]])
    assert rest[0] < 0.01
    assert rest[1] < UNLIKE / 2
    assert (rest[2:] > 1.2 * UNLIKE).all()


def test_what_turned_out_to_be_no_ink_has_no_say_in_its_colour() -> None:
    ink = line((10, 25, 3, 5), (40, 55, 3, 5))
    places = np.flatnonzero(ink.inked)
    left, right = (places[(places % WH[0] < 100) == side] for side in (True, False))
    skin, red = np.array([0.2, 0.3, 0.6], np.float32), np.array([0.07, 0.06, 0.54], np.float32)
    ink._colours = [(left, skin), (right, red)]
    gone = np.zeros(ink.inked.shape, np.bool_)
    gone.ravel()[left] = True
    ink._unink(gone)
    assert ink.colour is not None
    assert np.allclose(ink.colour, red)
    gone.ravel()[right] = True
    ink._unink(gone)
    assert ink.colour is None
