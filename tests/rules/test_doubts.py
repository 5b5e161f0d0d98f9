"""What is too close to call, or cannot be seen: told, never certain, and in the way of a verdict only if it matters."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from referee.facts import Gap
from referee.model import EndLook, Judgement
from referee.rules import Rules
from tests.rules.facts import Race, started, told


def home(race: Race) -> Judgement:
    return race.cross(100, "checkpoint-1").cross(110, "checkpoint-2").cross(120, "finish").end(130).judged()


@pytest.mark.parametrize(("margin", "kind"), [(0.05, "brush"), (-0.05, "white-line ignored?")])
def test_a_contact_within_two_uncertainties_asks_a_person(margin: float, kind: str) -> None:
    done = home(started().touch(50, margin))
    assert told(done) == ["start", kind, "checkpoint", "checkpoint", "finish"]
    assert (done.verdict, done.accidents) == ("review", 0)
    (reason,) = done.reasons
    assert (reason.code, reason.rule, reason.event) == ("too-close", "R2", 1)
    assert "white line 1" in reason.text


@pytest.mark.parametrize("margin", [0.05, -0.05])
def test_a_question_says_what_either_answer_makes_of_the_race(margin: float) -> None:
    (reason,) = home(started().touch(50, margin)).reasons
    assert reason.question is not None
    assert reason.question.ask == "Did the ink go over white line 1?"
    assert (reason.question.yes, reason.question.no) == (("ignored-accident",), ("fair",))
    assert (reason.question.margin_mm, reason.question.at_mm) == (margin, (51.0, 0.0))


def test_of_two_questions_the_good_answer_to_one_leaves_the_other_open() -> None:
    done = home(started().touch(30, 0.05).hide(60, "white-line-4"))
    questions = [reason.question for reason in done.reasons]
    assert [q.ask for q in questions if q] == [
        "Did the ink go over white line 1?",
        "Did the ink stay inside the white lines here (white line 4)?",
    ]
    first, second = questions
    assert first is not None
    assert second is not None
    assert (first.yes, first.no) == (("ignored-accident",), ("fair", "ignored-accident"))
    assert (second.yes, second.no) == (("fair", "ignored-accident"), ("ignored-accident",))


def test_questions_at_two_places_of_one_line_are_both_asked() -> None:
    done = home(started().hide(30, "white-line-4").hide(60, "white-line-4"))
    assert [reason.question.at_mm for reason in done.reasons if reason.question] == [(30.0, 0.0), (60.0, 0.0)]


def test_with_many_doubts_no_answer_is_promised() -> None:
    race = started()
    for i in range(8):
        race.touch(10 + 5 * i, 0.05, line=i)
    assert {(r.question.yes, r.question.no) for r in home(race).reasons if r.question} == {((), ())}


def test_a_settled_race_asks_nothing() -> None:
    settled = [home(started()), home(started().touch(50, -1.0)), started().end(50).judged()]
    assert [done.verdict for done in settled] == ["fair", "ignored-accident", "unfinished"]
    assert not any(reason.question for done in settled for reason in done.reasons)


def test_a_race_that_may_go_on_unseen_asks_where_its_ink_ends() -> None:
    (reason,) = started().end(50, look="unseen").judged().reasons
    assert reason.question is not None
    assert reason.question.at_mm == (50.0, 0.0)
    hidden = Race(hidden=frozenset({"start"})).begin("start").touch(20, -1).end(50).judged()
    assert hidden.reasons[0].question is not None
    assert hidden.reasons[0].question.element == "start"


def test_a_question_about_donuts_names_how_many_the_settings_ask_for() -> None:
    race = started().oil(10).end(30, look="unseen").begin(look="unseen")
    race = race.cross(100, "checkpoint-1").cross(110, "checkpoint-2").cross(120, "finish").end(130)
    done = race.judged(Rules(donuts_owed=2))
    asked = [reason.question.ask for reason in done.reasons if reason.question]
    assert "Are there 2 donuts for oil spill 1, clear of each other?" in asked
    assert done.terms.donuts_owed == 2


def test_what_counts_as_close_is_a_setting() -> None:
    race = (
        started().touch(50, -0.12).cross(100, "checkpoint-1").cross(110, "checkpoint-2").cross(120, "finish").end(130)
    )
    assert race.judged().verdict == "ignored-accident"
    assert race.judged(Rules(too_close_factor=3.0)).verdict == "review"


def test_an_unclear_break_that_was_honoured_leaves_the_race_fair() -> None:
    done = home(started().touch(50, -0.05).end(60).begin("start"))
    assert told(done) == ["start", "white-line honoured?", "restart", "checkpoint", "checkpoint", "finish"]
    assert (done.verdict, done.accidents) == ("fair", 0)


def test_going_back_speaks_for_the_break_even_if_it_was_measured_as_a_brush() -> None:
    done = home(started().touch(50, 0.05).end(60).begin("start"))
    assert told(done)[1] == "white-line honoured?"
    assert done.verdict == "fair"


def test_an_unclear_brush_does_not_make_a_later_break_uncertain() -> None:
    done = home(started().touch(30, 0.05).touch(60, -1.0, line=2).end(70).begin("start"))
    assert told(done)[1:4] == ["brush", "white-line honoured", "restart"]
    assert (done.verdict, done.accidents) == ("fair", 1)


def test_a_certain_ignored_accident_goes_before_every_doubt() -> None:
    done = home(started().touch(30, 0.05).touch(60, -1.0, line=2))
    assert done.verdict == "ignored-accident"
    done = started().touch(50, -1.0).cross(100, "checkpoint-1").hide(105, "white-line-4").end(110).judged()
    assert done.verdict == "ignored-accident"


def test_a_jump_within_the_uncertainty_is_told_as_a_jump_if_it_was_measured_inside() -> None:
    for mm, kinds in ((0.05, ["jump", "landing"]), (-0.05, ["jump ignored?", "landing"])):
        done = home(started().end(50, jump=mm).begin(landing={"zigzag": 3.0}))
        assert told(done)[1:3] == kinds
        assert (done.verdict, done.accidents) == ("review", 0)


def test_an_unclear_gap_matters_only_if_it_was_not_honoured() -> None:
    gap = Gap(3.0, 5.0)
    assert home(started().end(50, gap=gap).begin()).verdict == "review"
    assert home(started().end(50, gap=gap).begin("start")).verdict == "fair"


def test_a_restart_within_the_uncertainty_asks_a_person() -> None:
    done = home(started().touch(50, -1).end(60).begin("start", 10.05))
    assert (done.verdict, done.accidents) == ("review", 1)
    assert done.reasons[0].rule == "R3"


def test_oil_within_the_uncertainty_asks_a_person_unless_the_donuts_are_there() -> None:
    assert home(started().oil(20, -0.05)).verdict == "review"
    assert home(started().oil(20, -0.05).ring(40, 0).ring(60, 1).ring(80, 2)).verdict == "fair"


# ----------------------------------------------------------------------------------------- unseen


def test_a_line_that_the_hidden_path_could_have_crossed_asks_a_person() -> None:
    done = home(started().hide(50, "white-line-1"))
    assert (done.verdict, done.accidents) == ("review", 0)
    assert (done.reasons[0].code, done.reasons[0].rule) == ("unseen", "R2")


def test_a_hidden_path_that_can_reach_nothing_does_not_matter() -> None:
    assert home(started().hide(50)).verdict == "fair"


def test_a_hidden_path_that_went_back_anyway_does_not_matter() -> None:
    assert home(started().hide(40, "white-line-1").touch(50, -1).end(60).begin("start")).verdict == "fair"


def test_a_spill_that_the_hidden_path_could_have_touched_asks_a_person() -> None:
    assert home(started().hide(50, oil=("oil-spill-1",))).verdict == "review"


def test_unfinished_holds_only_where_the_place_to_go_on_is_seen() -> None:
    assert started().end(50).judged().verdict == "unfinished"
    assert started().end(50, look="unseen").judged().verdict == "review"
    hidden = frozenset({"start", "landing-1"})
    assert Race(hidden=hidden).begin("start").touch(20, -1).end(50).judged().verdict == "review"
    assert Race(hidden=hidden).begin("start").end(50, jump=3.0).judged().verdict == "review"
    assert (
        Race(hidden=frozenset({"checkpoint-1"})).begin("start").touch(20, -1).end(50).judged().verdict == "unfinished"
    )


def test_ends_at_the_rim_of_the_unseen_ask_a_person() -> None:
    assert home(started().end(50, look="unseen").begin(look="unseen")).verdict == "review"


def through_the_dark(dark: frozenset[str] = frozenset(), **begin: Any) -> Race:
    """A race whose path goes under a hand at 30 and comes out again elsewhere."""
    return Race(dark=dark).begin("start").end(30, look="unseen").begin(look="unseen", **begin)


def test_a_checkpoint_that_may_have_been_crossed_unseen_is_not_missed_for_sure() -> None:
    race = through_the_dark(frozenset({"checkpoint-1"})).cross(20, "checkpoint-2").cross(30, "finish").end(40)
    done = race.judged()
    assert told(done) == ["start", "checkpoint", "finish"]
    assert (done.verdict, done.accidents) == ("review", 0)
    seen = through_the_dark().cross(20, "checkpoint-2").cross(30, "finish").end(40).judged()
    assert told(seen)[1] == "checkpoint-missed ignored"


def test_a_race_first_seen_beyond_a_line_at_the_rim_of_the_unseen_did_not_miss_it() -> None:
    race = Race(dark=frozenset({"checkpoint-1"})).begin("checkpoint-1", 5.0, look="unseen")
    done = race.cross(20, "checkpoint-2").cross(30, "finish").end(40).judged()
    assert "checkpoint-missed" not in str(told(done))
    assert (done.verdict, done.accidents) == ("review", 0)


def test_ink_that_ends_where_a_restart_begins_is_no_certain_lift() -> None:
    race = started().distance("start", (0, 0.0), (40, 30.0), (60, 4.0)).end(60).begin("start")
    done = home(race)
    assert told(done)[1] == "lift honoured?"
    assert (done.verdict, done.accidents) == ("fair", 0)
    away = home(started().distance("start", (0, 0.0), (40, 30.0)).end(40).begin("start"))
    assert told(away)[1] == "lift honoured"


def test_a_slowdown_zone_that_may_have_been_entered_unseen_is_not_missed_for_sure() -> None:
    race = Race(dark=frozenset({"slowdown-1"})).begin("start").into(20, "acceleration").end(30, look="unseen")
    done = home(race.begin(look="unseen"))
    assert (done.verdict, done.accidents) == ("review", 0)


def test_ink_first_seen_away_from_an_arrow_that_is_not_seen_whole_accuses_nobody() -> None:
    away = home(Race(hidden=frozenset({"start"})).begin("start", 30.0))
    assert [(event.kind, event.certain) for event in away.events if event.cause == "start"] in (
        [],
        [("accident", False)],
    )
    assert away.accidents == 0
    seen = home(Race().begin("start", 30.0))
    assert [event.certain for event in seen.events if event.cause == "start"] == [True]


def test_donuts_that_may_have_been_drawn_unseen_are_not_missing_for_sure() -> None:
    race = started().oil(10).end(30, look="unseen").begin(look="unseen")
    done = home(race)
    assert (done.verdict, done.accidents) == ("review", 0)


def test_ink_first_seen_on_the_arrow_began_there() -> None:
    assert told(home(Race().begin("start", look="unseen")))[0] == "start"
    away = home(Race().begin("start", 12.0, look="unseen"))
    assert (away.verdict, away.reasons[0].rule) == ("review", "R1")


def test_a_small_patch_of_glare_over_a_take_off_leaves_it_placed_well_enough() -> None:
    race = started().end(30, jump=6.0, look="unseen")
    race.items[-1] = replace(race.items[-1], reach_mm=4.0)  # type: ignore[arg-type]
    done = home(race.begin(landing={"zigzag": 4.0}))
    assert told(done)[1:3] == ["jump", "landing"]
    assert done.verdict == "fair"
    race.items[1] = replace(race.items[1], reach_mm=12.0)  # type: ignore[arg-type]
    assert race.judged().verdict == "review"


def test_a_take_off_that_runs_on_unseen_is_asked_about() -> None:
    """The marker may have been drawn through the air beneath the glare."""
    done = home(started().end(30, jump=6.0, look="unseen").begin(landing={"zigzag": 4.0}))
    assert [(reason.code, reason.rule) for reason in done.reasons] == [("unseen", "R6")]
    assert done.verdict == "review"


def test_a_take_off_that_is_seen_before_the_dark_is_told() -> None:
    done = home(started().end(30, jump=6.0).begin(landing={"zigzag": 4.0}))
    assert told(done)[1:3] == ["jump", "landing"]
    assert done.verdict == "fair"


def test_a_jump_out_of_the_dark_into_its_landing_is_told() -> None:
    race = started().end(30, jump=-40.0, look="unseen").begin(landing={"zigzag": 4.0})
    assert told(home(race))[:2] == ["start", "landing"]


def test_many_doubts_at_once_are_still_judged() -> None:
    race = started()
    for i in range(12):
        race.touch(10 + 5 * i, 0.05, line=i)
    done = home(race)
    assert done.verdict == "review"
    assert told(done).count("brush") == 12


def test_a_lift_under_other_ink_is_asked_about_where_the_stretch_is_driven_again() -> None:
    race = started().cross(20, "checkpoint-1").end(50, look="covered").begin("checkpoint-1", 2.0)
    done = race.cross(40, "checkpoint-2").cross(60, "finish").end(70).judged()
    assert told(done) == ["start", "checkpoint", "lift honoured?", "restart", "checkpoint", "finish"]
    assert (done.verdict, done.accidents) == ("fair", 0)


@pytest.mark.parametrize(("look", "sure"), [("free", True), ("unseen", False), ("covered", False)])
def test_a_lift_is_certain_only_if_its_other_half_is_seen(look: EndLook, sure: bool) -> None:
    race = started().cross(20, "checkpoint-1").end(50).begin(look=look)
    done = race.cross(40, "checkpoint-2").cross(60, "finish").end(70).judged()
    lifts = [event for event in done.events if event.cause == "lift"]
    assert [bool(event.certain) for event in lifts] == [sure]
    assert done.verdict in ("ignored-accident",) if sure else ("review", "fair")


@pytest.mark.parametrize(("away", "is_told"), [(2.0, True), (60.0, False)])
def test_a_restart_under_other_ink_is_told_where_it_may_be(away: float, is_told: bool) -> None:
    race = started().cross(20, "checkpoint-1").touch(30, -1).end(40)
    done = home(race.begin("checkpoint-1", away, look="covered"))
    assert ("restart" in told(done)) is is_told
    assert done.verdict == "fair"


def test_a_close_break_that_nobody_went_back_for_hides_no_missed_slowdown() -> None:
    for margin in (0.05, -0.05):
        done = home(started().into(20, "acceleration").touch(40, margin))
        assert "slowdown-missed ignored" in told(done)
        assert (done.verdict, done.accidents) == ("ignored-accident", 1)


def test_a_close_break_explains_why_the_driver_went_back() -> None:
    race = started().into(20, "acceleration").touch(40, 0.05).end(60)
    done = home(race.begin("start").into(20, "acceleration").into(30, "slowdown").touch(40, 2.0))
    assert "lift" not in " ".join(told(done))
    assert "white-line honoured?" in told(done)
    assert done.verdict == "fair"
