"""A whole race in a film: what is said, when, and what comes of it."""

from __future__ import annotations

from referee.live.calls import in_words
from tests.live.clips import HONOURED, calls_of, filmed, watched


def test_an_honoured_accident_is_called_in_its_place_and_once() -> None:
    frames, truth = filmed(HONOURED)
    watch, sights = watched(frames)
    calls = list(calls_of(sights))
    assert in_words(calls) == ["start", "accident white-line", "restart"]
    assert calls[1].restart_element == "start"
    drawn = {event["kind"]: event["in_view_s"] for event in truth["events"]}
    assert all(call.at_s <= call.said_s for call in calls)
    assert abs(calls[0].at_s - drawn["start"]) < 0.3
    (report,) = watch.reports()
    assert report.judgement is not None
    assert report.judgement.accidents == 1


def test_an_empty_board_stays_empty_and_nothing_is_said() -> None:
    frames, _ = filmed(HONOURED)
    _, sights = watched((frames[0][0], i / 8) for i in range(12))
    assert list(calls_of(sights)) == []
    assert {board.phase for sight in sights for board in sight.boards} == {"empty"}
