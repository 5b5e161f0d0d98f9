"""How a race begins on film: under a hand, or with ink that hardly shows."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from referee.live.calls import in_words
from referee.live.report import LiveReport
from referee.live.sight import LiveCall
from tests.live.clips import calls_of, filmed, watched
from tests.simulation.film import Reel

UNDER_A_HAND = Reel(
    "under-a-hand", 7, "lift", {"honoured": True}, seed=8, most_mm=200.0, fps=8.0,
    size_wh=(960, 540), before_s=1.0, after_s=1.2,
)  # fmt: skip
"""The first stroke is hidden by the hand that draws it, until it goes back to the arrow."""


@lru_cache(maxsize=1)
def seen() -> tuple[list[LiveCall], LiveReport]:
    frames, _ = filmed(UNDER_A_HAND)
    watch, sights = watched(frames)
    (report,) = watch.reports()
    return list(calls_of(sights)), report


def test_nobody_is_accused_of_how_a_race_began_while_a_hand_hides_it() -> None:
    calls, _ = seen()
    assert "start" in in_words(calls)
    assert "accident start" not in in_words(calls)


def test_ink_that_leads_on_is_no_lift() -> None:
    calls, report = seen()
    assert in_words(calls).count("accident lift") <= 1
    settled = report.settled()
    assert settled is not None
    assert settled.verdict != "ignored-accident"


def test_the_film_was_what_it_says() -> None:
    frames, truth = filmed(UNDER_A_HAND)
    assert [event["kind"] for event in truth["events"]][:3] == ["start", "accident", "restart"]
    assert np.isfinite([at_s for _, at_s in frames]).all()
