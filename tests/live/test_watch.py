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


def test_a_board_that_is_wiped_after_the_race_is_said_to_be_once_and_the_race_stays() -> None:
    frames, _ = filmed(HONOURED)
    watch, _ = watched(frames)
    (race,) = (seat.race for seat in watch._seats.values())
    race.phase = "finished"
    blank, ends_s = frames[0][0], frames[-1][1]
    sights = [watch.look(blank, ends_s + k / 8) for k in range(1, 16)]
    assert in_words(list(calls_of(sights))) == ["wiped"]
    (report,) = watch.reports()
    assert report.judgement is not None
    assert report.judgement.accidents == 1


def test_every_race_after_a_wipe_starts() -> None:
    frames, _ = filmed(HONOURED)
    drawn = [bgr for bgr, at_s in frames if at_s < 2.4]
    again = [*drawn, *[frames[0][0]] * 8] * 6
    _, sights = watched((bgr, k / 8) for k, bgr in enumerate(again))
    assert [word for word in in_words(list(calls_of(sights))) if word in ("start", "wiped")] == ["start", "wiped"] * 6
