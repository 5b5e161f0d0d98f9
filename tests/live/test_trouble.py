"""The same race when the camera drifts, lamps flicker, frames are lost, the board is pushed or a hand rests on it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

import pytest

from referee.live.calls import in_words
from tests.live.clips import HONOURED, calls_of, filmed, watched
from tests.simulation.trouble import Frame, drifting, dropped, flickering

RACE = ["start", "accident white-line", "restart"]
PUSHED = replace(HONOURED, name="pushed", bumps=((3.4, 9.0, -4.0, 3.0),), fps=10.0)
RESTED = replace(HONOURED, name="rested", rests=((1.0, 5.0, 190.0, 120.0),))


@pytest.mark.parametrize("trouble", [drifting, flickering, dropped], ids=lambda one: one.__name__)
def test_the_race_is_called_the_same(trouble: Callable[[Iterable[Frame]], Iterator[Frame]]) -> None:
    frames, _ = filmed(HONOURED)
    _, sights = watched(trouble(frames))
    assert [word for word in in_words(list(calls_of(sights))) if word != "brush"] == RACE


def test_a_board_that_is_pushed_goes_on_where_it_was() -> None:
    frames, _ = filmed(PUSHED)
    _, sights = watched(frames)
    assert [word for word in in_words(list(calls_of(sights))) if word != "brush"] == RACE


def test_a_hand_that_rests_on_the_road_is_no_ink() -> None:
    frames, _ = filmed(RESTED)
    watch, sights = watched(frames)
    assert [word for word in in_words(list(calls_of(sights))) if word != "brush"] == RACE
    (report,) = watch.reports()
    assert report.judgement is not None
    assert report.judgement.accidents == 1
