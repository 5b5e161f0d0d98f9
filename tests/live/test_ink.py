"""What the ink's own times tell, whatever lines are read from it."""

from __future__ import annotations

import numpy as np

from referee.live.ink import InkInTime
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
