"""The state machine, from facts written by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.facts import Gap
from referee.rules import Rules
from referee.rules.machine import _Machine
from referee.rules.tables import LIFTS, RULE_OF, TABLE
from tests.rules.facts import Race, started, told


def test_every_entry_of_the_tables_names_something_the_machine_can_do() -> None:
    for handler in {*TABLE.values(), *LIFTS.values()}:
        assert callable(getattr(_Machine, handler)), handler


def test_every_way_from_one_stroke_to_the_next_is_in_the_table() -> None:
    origins = {origin for origin, _ in LIFTS}
    targets = {target for _, target in LIFTS}
    assert len(LIFTS) == len(origins) * len(targets)


def test_every_event_has_its_rule() -> None:
    assert set(RULE_OF.values()) == {f"R{n}" for n in range(1, 12)} - {"R7"}


# ----------------------------------------------------------------------------------------- outcomes

CRASHES = {
    "white-line": lambda race: race.touch(50, -1.0),
    "jump": lambda race: race.into(40, "jump", "zigzag").out_of(50, "jump", "zigzag"),
    "checkpoint-missed": lambda race: race.cross(50, "checkpoint-2"),
}
"""Accidents of a marker that is still down: before any checkpoint, on the first stroke."""


@pytest.mark.parametrize("cause", CRASHES)
@pytest.mark.parametrize(
    ("then", "outcome", "verdict"),
    [
        (lambda race: race.end(60).begin("start", 9.8), "honoured", "fair"),
        (lambda race: race.end(60).begin("start", 10.2), "ignored", "ignored-accident"),
        (lambda race: race.end(60).begin("start", 2.0, look="covered"), "honoured", "fair"),
        (lambda race: race.end(60).begin("checkpoint-1"), "ignored", "ignored-accident"),
        (lambda race: race.cross(70, "finish"), "ignored", "ignored-accident"),
    ],
)
def test_an_accidents_outcome(cause: str, then, outcome: str, verdict: str) -> None:  # type: ignore[no-untyped-def]
    race = then(CRASHES[cause](started()))
    done = _finished(race, outcome, cause)
    (accident,) = [e for e in done.events if e.kind == "accident"]
    assert (accident.cause, accident.outcome, done.verdict, done.accidents) == (cause, outcome, verdict, 1)


def _finished(race: Race, outcome: str, cause: str):  # type: ignore[no-untyped-def]
    """The race driven on to the finish over the lines that it still needs."""
    if race.stroke == 1 and not (outcome == "ignored" and cause == "checkpoint-missed"):
        race.cross(10, "checkpoint-1").cross(20, "checkpoint-2")
    if not any(getattr(f, "element", "") == "finish" for f in race.items):
        race.cross(80, "finish")
    return race.end(90).judged()


def test_a_crash_at_the_end_of_all_ink_is_unfinished() -> None:
    done = started().touch(50, -1).end(60).judged()
    assert told(done) == ["start", "white-line unfinished"]
    assert (done.verdict, done.finished, done.accidents) == ("unfinished", False, 1)


def test_ignored_goes_before_unfinished() -> None:
    done = started().touch(50, -1).end(60).begin("checkpoint-2").end(20).judged()
    assert done.verdict == "ignored-accident"
    assert not done.finished


# ----------------------------------------------------------------------------------------- found at a line


def test_of_several_found_at_one_line_the_missed_checkpoint_counts() -> None:
    done = started().into(20, "acceleration").oil(30).cross(50, "checkpoint-2").end(60).judged()
    assert told(done) == ["start", "acceleration", "wipeout", "checkpoint-missed unfinished"]


def test_of_donuts_and_slowdown_the_donuts_count() -> None:
    done = started().into(20, "acceleration").oil(30).cross(50, "checkpoint-1").end(60).judged()
    assert told(done)[-1] == "donuts-missing unfinished"
    assert done.events[-1].element == "checkpoint-1"


def test_the_order_of_what_counts_is_a_setting() -> None:
    rules = Rules(found_first=("slowdown-missed", "donuts-missing", "checkpoint-missed"))
    done = started().into(20, "acceleration").oil(30).cross(50, "checkpoint-2").end(60).judged(rules)
    assert told(done)[-1] == "slowdown-missed unfinished"


def test_a_line_where_an_accident_was_found_is_crossed_on_the_next_try() -> None:
    race = started().into(20, "acceleration").cross(50, "checkpoint-1").end(60)
    race.begin("start").into(20, "acceleration").into(30, "slowdown").cross(50, "checkpoint-1")
    done = race.cross(60, "checkpoint-2").cross(70, "finish").end(80).judged()
    assert told(done) == [
        "start", "acceleration", "slowdown-missed honoured", "restart", "acceleration", "slowdown", "checkpoint",
        "checkpoint", "finish",
    ]  # fmt: skip
    assert done.verdict == "fair"


def test_missing_several_checkpoints_is_one_accident() -> None:
    done = started().cross(50, "finish").end(60).judged()
    assert told(done) == ["start", "checkpoint-missed ignored"]
    assert done.finished


def test_found_at_the_finish_and_gone_back_is_honoured() -> None:
    race = started().cross(20, "checkpoint-1").cross(50, "finish").end(60).begin("checkpoint-1")
    done = race.cross(30, "checkpoint-2").cross(40, "finish").end(50).judged()
    assert told(done) == ["start", "checkpoint", "checkpoint-missed honoured", "restart", "checkpoint", "finish"]
    assert done.verdict == "fair"


def test_found_at_the_finish_and_gone_back_but_not_finished_again_is_unfinished() -> None:
    race = started().cross(20, "checkpoint-1").cross(50, "finish").end(60).begin("checkpoint-1").end(9)
    done = race.judged()
    assert (done.verdict, done.finished) == ("unfinished", True)


# ----------------------------------------------------------------------------------------- gaps and jumps


@pytest.mark.parametrize(
    ("gap", "happened"),
    [
        (Gap(-0.5, 120.0), []),
        (Gap(1.9, 10.0), ["lift"]),
        (Gap(1.9, 60.0), ["lift ignored"]),
        (Gap(3.0, 10.0), ["lift ignored?"]),
        (Gap(3.0, 60.0), ["lift ignored"]),
        (Gap(4.3, 10.0), ["lift ignored"]),
    ],
)
def test_what_a_gap_is(gap: Gap, happened: list[str]) -> None:
    race = started().cross(20, "checkpoint-1").end(50, gap=gap).begin()
    done = race.cross(30, "checkpoint-2").cross(40, "finish").end(50).judged()
    assert told(done)[2:-2] == happened


def test_a_covered_end_is_not_held_against_anyone() -> None:
    race = started().cross(20, "checkpoint-1").end(50, look="covered").begin()
    done = race.cross(30, "checkpoint-2").cross(40, "finish").end(50).judged()
    assert done.verdict == "fair"


def test_a_covered_take_off_still_needs_a_landing_in_its_zone() -> None:
    race = started().end(50, jump=3.0, look="covered").begin(landing={"zigzag": -4.0}).end(5)
    assert told(race.judged()) == ["start", "jump unfinished"]


def test_a_covered_end_that_does_not_fit_is_not_told() -> None:
    race = started().end(50, jump=-6.0, look="covered").begin(landing={"zigzag": 3.0}).end(5)
    assert told(race.judged()) == ["start", "landing"]


def test_a_covered_beginning_far_from_the_line_is_honoured_but_not_told() -> None:
    race = started().touch(30, -1).end(40).begin(look="covered").cross(10, "checkpoint-1").end(20)
    assert told(race.judged()) == ["start", "white-line honoured", "checkpoint"]


def test_lifting_in_the_zone_and_starting_again_at_the_checkpoint_is_an_honoured_jump() -> None:
    race = started().cross(9, "checkpoint-1").end(50, jump=3.0).begin("checkpoint-1").cross(30, "checkpoint-2").end(40)
    assert told(race.judged()) == ["start", "checkpoint", "jump", "jump honoured", "restart", "checkpoint"]


def test_driving_backwards_out_of_a_jump_zone_is_not_driving_through_it() -> None:
    race = started().into(20, "jump", "zigzag").out_of(25, "jump", "zigzag", onward=False)
    race.into(30, "jump", "zigzag").end(35, jump=3.0).begin(landing={"zigzag": 3.0}).end(5)
    assert told(race.judged()) == ["start", "jump", "landing"]


# ----------------------------------------------------------------------------------------- dragging back


def test_dragged_back_from_far_enough_is_a_restart() -> None:
    race = (
        started().touch(50, -1).distance("start", (40, 40), (51, 50), (60, 60), (90, 12), (95, 4), (99, 8), (110, 30))
    )
    done = race.cross(150, "checkpoint-1").end(160).judged()
    assert told(done) == ["start", "white-line honoured", "restart", "checkpoint"]
    assert done.events[2].at_mm[0] == 95


@pytest.mark.parametrize(
    "steps",
    [
        ((51, 50), (60, 60), (90, 11), (110, 30)),
        ((51, 15), (60, 18), (90, 4), (110, 30)),
    ],
)
def test_dragged_back_not_far_enough_or_from_too_near_is_none(steps: tuple[tuple[float, float], ...]) -> None:
    race = started().touch(50, -1).distance("start", *steps)
    assert told(race.cross(150, "checkpoint-1").end(160).judged())[1] == "white-line ignored"


def test_the_margin_of_a_break_is_the_drivers_own_not_that_of_dragging_back() -> None:
    race = started().touch(50, -28.0).distance("start", (51, 50), (60, 60), (95, 4), (99, 8), (110, 30))
    course = ((50.0, 1.0), (51.0, -1.5), (53.0, -0.5), (58.0, -12.0), (62.0, -28.0))
    race.items[-1] = replace(race.items[-1], course_mm=course)  # type: ignore[arg-type]
    done = race.cross(150, "checkpoint-1").end(160).judged()
    assert done.events[1].margin_mm == -1.5


def test_dragged_back_only_after_the_next_line_is_too_late() -> None:
    race = started().touch(50, -1).distance("start", (51, 50), (60, 60), (95, 4), (110, 30))
    assert told(race.cross(80, "checkpoint-1").end(160).judged())[1] == "white-line ignored"


def test_dragged_back_and_lifted_there_is_one_accident() -> None:
    race = started().touch(50, -1).distance("start", (51, 50), (60, 60), (95, 4), (96, 3)).end(96)
    done = race.begin("start").cross(30, "checkpoint-1").end(40).judged()
    assert told(done) == ["start", "white-line honoured", "restart", "checkpoint"]


def test_dragging_back_can_be_switched_off() -> None:
    race = started().touch(50, -1).distance("start", (51, 50), (60, 60), (95, 4), (110, 30))
    done = race.cross(150, "checkpoint-1").end(160).judged(Rules(drag_back_counts=False))
    assert told(done)[1] == "white-line ignored"


# ----------------------------------------------------------------------------------------- oil


def three(race: Race, start: float = 60.0, first: int = 0) -> Race:
    for i in range(3):
        race.ring(start + 15 * i, first + i)
    return race


def test_touching_the_same_spill_while_donuts_are_owed_adds_nothing() -> None:
    done = three(started().oil(30).oil(50)).cross(200, "checkpoint-1").end(210).judged()
    assert told(done).count("wipeout") == 1
    assert done.donuts == 3


def test_touching_it_again_after_the_third_donut_is_a_new_wipeout() -> None:
    done = three(started().oil(30)).oil(150).cross(200, "checkpoint-1").end(210).judged()
    assert told(done).count("wipeout") == 2
    assert told(done)[-1] == "donuts-missing unfinished"
    again = three(started().oil(30)).oil(150).cross(200, "checkpoint-1").end(210)
    assert told(again.judged(Rules(wipeout_again_after_donuts=False))).count("wipeout") == 1


def test_a_different_spill_owes_three_more() -> None:
    race = three(started().oil(30).oil(40, spill="oil-spill-2"))
    assert told(race.cross(200, "checkpoint-1").end(210).judged())[-1] == "donuts-missing unfinished"
    race = three(three(started().oil(30).oil(40, spill="oil-spill-2")), 120, 3)
    done = race.cross(200, "checkpoint-1").end(210).judged()
    assert (told(done)[-1], done.donuts) == ("checkpoint", 6)


def test_a_ring_drawn_before_the_oil_counts_for_nothing() -> None:
    race = started().ring(20, 9).oil(30).ring(60, 0).ring(75, 1).cross(200, "checkpoint-1").end(210)
    assert told(race.judged())[-1] == "donuts-missing unfinished"


def test_donuts_missing_keeps_the_donuts_drawn_and_a_break_does_not() -> None:
    missing = started().oil(30).ring(60, 0).ring(75, 1).cross(200, "checkpoint-1").end(210).judged()
    assert missing.donuts == 2
    broken = started().oil(30).ring(60, 0).ring(75, 1).touch(100, -1).end(210).judged()
    assert broken.donuts == 0


def test_donuts_that_were_all_drawn_stay_after_a_break() -> None:
    assert three(started().oil(30)).touch(150, -1).end(210).judged().donuts == 3


def test_a_gap_between_rings_within_the_uncertainty_is_too_close_to_call() -> None:
    race = started().oil(30).ring(60, 0).ring(75, 1, gaps={0: 0.05}).ring(90, 2)
    done = race.cross(200, "checkpoint-1").cross(210, "checkpoint-2").cross(220, "finish").end(230).judged()
    assert (done.verdict, done.reasons[0].rule) == ("review", "R9")


# ----------------------------------------------------------------------------------------- zones


def test_the_boost_starts_anew_after_a_restart() -> None:
    race = started().into(20, "acceleration").touch(30, -1).end(40).begin("start").cross(50, "checkpoint-1").end(60)
    assert told(race.judged())[-1] == "checkpoint"


def test_a_zone_grazed_within_the_uncertainty_is_too_close_to_call() -> None:
    race = started().into(20, "acceleration").into(30, "slowdown", depth=-0.05)
    done = race.cross(50, "checkpoint-1").cross(60, "checkpoint-2").cross(70, "finish").end(80).judged()
    assert done.verdict == "review"


def test_a_finish_reached_by_a_hair_is_too_close_to_call() -> None:
    race = started().cross(50, "checkpoint-1").cross(60, "checkpoint-2").cross(70, "finish", reach=0.05).end(70.1)
    assert race.judged().verdict == "review"


# ----------------------------------------------------------------------------------------- settings that change it


def test_crossings_after_the_first_can_be_told() -> None:
    race = started().cross(20, "checkpoint-1").cross(25, "checkpoint-1").cross(30, "checkpoint-1").end(50)
    assert told(race.judged()).count("checkpoint") == 1
    assert told(race.judged(Rules(first_crossing_only=False))).count("checkpoint") == 3


def test_every_break_can_be_counted() -> None:
    race = started().touch(20, -1).touch(40, -1, line=2).touch(60, 0.5).cross(80, "checkpoint-1").end(90)
    assert told(race.judged()) == ["start", "white-line ignored", "checkpoint"]
    every = race.judged(Rules(one_excursion_one_accident=False))
    assert told(every) == ["start", "white-line ignored", "white-line ignored", "checkpoint"]


# ----------------------------------------------------------------------------------------- reasons


def test_an_ignored_accident_says_where_the_race_should_have_gone_back_to() -> None:
    done = started().cross(20, "checkpoint-1").touch(30, -1).cross(50, "checkpoint-2").end(60).judged()
    (reason,) = done.reasons
    assert reason.text == "The car went over white line 1, and the race did not go back to checkpoint 1."
    assert (reason.code, reason.rule, reason.event) == ("ignored-accident", "R2", 2)


def test_a_fair_race_needs_no_reason() -> None:
    assert (
        started().cross(20, "checkpoint-1").cross(50, "checkpoint-2").cross(60, "finish").end(70).judged().reasons == ()
    )


# ----------------------------------------------------------------------------------------- near misses


def test_near_misses_are_listed_smallest_first_with_or_without_an_event() -> None:
    race = started().near(10, 3.0).touch(20, 1.0).near(21, 1.0).near(40, 2.5, line=2).near(60, 5.0)
    done = race.cross(80, "checkpoint-1").touch(90, -2.0, line=3).near(100, 0.5).end(110).judged()
    listed = [(n.event, round(n.margin_mm, 1)) for n in done.near_misses]
    assert listed == [(1, 1.0), (3, -2.0), (None, 2.5), (None, 3.0)]


def test_a_landing_close_to_the_edge_is_a_near_miss() -> None:
    done = started().end(50, jump=9.0).begin(landing={"zigzag": 1.5}).end(5).judged()
    assert [(n.element, n.margin_mm) for n in done.near_misses] == [("landing-1", 1.5)]


def test_a_second_drive_on_the_board_is_told() -> None:
    race = started().cross(50, "checkpoint-1").cross(60, "checkpoint-2").cross(70, "finish").end(75)
    (reason,) = race.begin("start").cross(50, "checkpoint-1").end(90).judged().reasons
    assert (reason.code, reason.event, reason.question) == ("more-ink", None, None)
    assert "second drive" in reason.text


def test_a_smear_after_the_finish_is_no_second_drive() -> None:
    race = started().cross(50, "checkpoint-1").cross(60, "checkpoint-2").cross(70, "finish").end(75)
    assert race.begin("start").end(12).judged().reasons == ()
