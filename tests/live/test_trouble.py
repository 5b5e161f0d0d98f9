"""The same race when the camera drifts, lamps flicker, frames are lost, the board is pushed or a hand rests on it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

import numpy as np
import pytest

from referee.live.calls import in_words
from tests.live.clips import HONOURED, calls_of, filmed, watched
from tests.simulation.trouble import Frame, begun_late, drifting, dropped, flickering, laid_on

CORD = np.array([[150, 120], [300, 180], [420, 150], [600, 260], [800, 240]], float)
"""Over the board from side to side, in pixels of the frame."""
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


@pytest.mark.parametrize(
    ("from_s", "to_s", "dark"), [(0.3, 1.3, 0.8), (2.0, 4.0, 0.8), (2.0, 4.0, 0.35)], ids=["before", "cord", "shadow"]
)
def test_a_thing_that_is_laid_on_the_board_and_taken_off_is_no_ink(from_s: float, to_s: float, dark: float) -> None:
    frames, _ = filmed(HONOURED)
    watch, sights = watched(laid_on(frames, CORD, from_s, to_s, dark=dark))
    assert [word for word in in_words(list(calls_of(sights))) if word != "brush"] == RACE
    (report,) = watch.reports()
    settled = report.settled()
    assert settled is not None
    assert (settled.verdict, settled.accidents) == ("unfinished", 1)


def test_a_thing_that_lies_on_the_board_at_the_end_leaves_the_verdict_to_a_person() -> None:
    frames, _ = filmed(HONOURED)
    watch, sights = watched(laid_on(frames, CORD, 3.0, 99.0))
    assert [word for word in in_words(list(calls_of(sights))) if word != "brush"] == RACE
    (report,) = watch.reports()
    settled = report.settled()
    assert settled is not None
    assert settled.verdict == "review"
    assert [reason.code for reason in settled.reasons][-1] == "laid-on"


def test_a_cord_that_creeps_like_a_pen_is_taken_back_once_it_is_off() -> None:
    frames, _ = filmed(HONOURED)
    watch, sights = watched(laid_on(frames, CORD, 1.8, 4.0, fed_s=0.8))
    assert [word for word in in_words(list(calls_of(sights))) if word != "brush"] == RACE
    (report,) = watch.reports()
    assert report.judgement is not None
    assert (report.judgement.verdict, report.judgement.accidents) == ("unfinished", 1)


@pytest.mark.parametrize("from_s", [2.0, 3.0, 4.5])
def test_a_camera_that_starts_in_mid_race_accuses_nobody_of_what_it_did_not_see(from_s: float) -> None:
    frames, _ = filmed(HONOURED)
    watch, sights = watched(begun_late(frames, from_s))
    assert not {"accident start", "accident lift"} & set(in_words(list(calls_of(sights))))
    (report,) = watch.reports()
    settled = report.settled()
    assert settled is not None
    assert settled.verdict == "review"
    assert "not-empty" in [reason.code for reason in settled.reasons]


@pytest.mark.parametrize("more", [0.55, 1.15], ids=["off", "on"])
def test_a_lamp_that_is_switched_in_the_race_changes_nothing(more: float) -> None:
    frames, _ = filmed(HONOURED)
    lit = ((np.clip(bgr * (more if at_s > 2.0 else 1.0), 0, 255).astype(np.uint8), at_s) for bgr, at_s in frames)
    watch, sights = watched(lit)
    calls = [word for word in in_words([c for c in calls_of(sights) if not c.again]) if word != "brush"]
    assert calls[: len(RACE)] == RACE
    (report,) = watch.reports()
    assert report.judgement is not None
    assert report.judgement.accidents == 1
