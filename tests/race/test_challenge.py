"""A run at a challenge, from the choice to the outcome (R13)."""

from __future__ import annotations

import pytest

from referee.race import challenge
from referee.race.challenge import (
    BoardSeen,
    BoardVouched,
    CallOff,
    ChangeStage,
    Choose,
    CountDown,
    Declare,
    DriveAgain,
    Event,
    Finish,
    GiveUp,
    Honest,
    Judged,
    NotYet,
    Run,
    marks,
    reasons,
    reasons_against,
    suggested_driver,
    undeclared,
    waits_for_a_person,
)
from referee.race.drive import COUNTDOWN_MS, Call, Reason
from referee.rules.challenges import CHALLENGES, stages_needed
from tests.race.play import FAIR, TEAM, Attempt, at, refused

IGNORED = Call("ignored-accident", accidents=1)
OPEN = Call("review")

# ----------------------------------------------------------------------------------------- winning and losing


@pytest.mark.parametrize("id", CHALLENGES)
def test_every_challenge_is_won_by_driving_its_stages_fairly_and_a_moment_faster_than_the_target(id: str) -> None:
    asked = CHALLENGES[id]
    play = at(id, stages_needed(asked) or tuple(range(1, asked.stages.count + 1)))
    for place in range(asked.stages.count):
        play.waits(500_000).drives(asked.target_ms - 1 if place == 0 else 0)
    play.does(*(Declare(condition, kept=True) for condition in undeclared(play.run)))
    assert play.phase == "won"
    assert set(play.codes) == {"all-fair", "in-time"} | ({"condition-kept"} if asked.conditions else set())


@pytest.mark.parametrize("id", CHALLENGES)
def test_every_challenge_is_lost_by_taking_as_long_as_the_target(id: str) -> None:
    asked = CHALLENGES[id]
    play = at(id, stages_needed(asked) or tuple(range(1, asked.stages.count + 1)))
    for place in range(asked.stages.count):
        play.drives(asked.target_ms if place == 0 else 0)
    assert play.phase == "lost"
    assert reasons(play.run) == (Reason("too-slow", {"total_ms": asked.target_ms, "target_ms": asked.target_ms}),)


def test_the_clock_rests_between_stages() -> None:
    play = at("qualification", (1, 2)).drives(70_000).waits(600_000)
    assert play.phase == "board"
    assert play.ms == 70_000
    assert play.drives(50_000).ms == 120_000


def test_no_accident_means_none_even_if_it_was_made_good() -> None:
    play = at("confidence", (4,)).drives(30_000, Call("fair", accidents=1))
    assert play.phase == "lost"
    assert reasons(play.run) == (Reason("accident", {"stage": 4, "accidents": 1}),)
    assert at("confidence", (4,)).drives(30_000).phase == "won"


def test_an_accident_that_was_made_good_costs_nothing_but_time_elsewhere() -> None:
    assert at("driving-ace", (4,)).drives(30_000, Call("fair", accidents=2)).phase == "won"


def test_an_accident_too_close_to_call_is_a_question_only_where_none_is_allowed() -> None:
    doubt = Call("fair", doubtful=1)
    play = at("confidence", (4,)).drives(30_000, doubt)
    assert play.phase == "review"
    assert waits_for_a_person(play.run) == (0,)
    assert play.does(Judged(Call("fair", by="person"))).phase == "won"
    assert at("driving-ace", (4,)).drives(30_000, doubt).phase == "won"


def test_what_only_the_team_knows_is_asked_at_the_end() -> None:
    play = at("mute-race", (4,)).drives(60_000)
    assert play.phase == "declaring"
    assert undeclared(play.run) == ("silent",)
    assert play.does(Declare("silent", kept=True)).phase == "won"
    assert play.does(Declare("silent", kept=False)).phase == "lost"
    assert reasons(play.run) == (Reason("condition-broken", {"condition": "silent"}),)


def test_a_broken_condition_may_be_said_while_somebody_drives() -> None:
    play = at("mute-race", (4,)).does(CountDown(0)).waits(COUNTDOWN_MS + 10_000).does(Declare("silent", kept=False))
    assert play.phase == "driving"
    assert play.waits(10_000).does(Finish(), Judged(FAIR)).phase == "lost"


def test_nobody_is_asked_about_a_condition_when_the_time_has_lost_it() -> None:
    assert at("mute-race", (4,)).drives(150_000).phase == "lost"


def test_beyond_the_target_it_is_said_that_it_cannot_be_won_and_the_race_goes_on() -> None:
    play = at("driving-ace", (4,)).does(CountDown(0)).waits(COUNTDOWN_MS + 39_999)
    assert reasons_against(play.run, play.machine.now()) == ()
    play.waits(1)
    assert [reason.code for reason in reasons_against(play.run, play.machine.now())] == ["too-slow"]
    assert play.phase == "driving"


# ----------------------------------------------------------------------------------------- choosing


def test_a_listed_challenge_brings_its_own_stages() -> None:
    assert at("city-line-cup").run.stages == (2, 3, 5)


@pytest.mark.parametrize(
    ("choice", "word"),
    [
        (Choose("grand-tour", TEAM), "no-such-challenge"),
        (Choose("qualification", TEAM), "too-few"),
        (Choose("qualification", TEAM, (1, 1)), "twice"),
        (Choose("qualification", TEAM, (1, 0)), "no-such-stage"),
        (Choose("city-line-cup", TEAM, (3, 2, 5)), "not-the-listed"),
        (Choose("confidence", ("Ada",), (1,)), "no-team"),
        (Choose("confidence", ("Ada", "Béa", "Cem", "Dan"), (1,)), "no-team"),
        (Choose("confidence", ("Ada", " ada "), (1,)), "no-team"),
        (Choose("confidence", ("Ada", "B\x1b[2J"), (1,)), "no-team"),
        (Choose("confidence", ("Ada", " "), (1,)), "no-team"),
        (Choose("confidence", ("Ada", "B" * 41), (1,)), "no-team"),
    ],
)
def test_a_choice_that_does_not_fit_is_refused_with_a_word_for_it(choice: Choose, word: str) -> None:
    assert refused(lambda: Attempt().does(choice)).word == word


def test_the_same_stage_twice_is_taken_where_the_rules_say_so() -> None:
    play = Attempt(Run("run-1", different=False)).does(Choose("grand-champion", TEAM, (1, 1)))
    assert play.drives(20_000).drives(20_000).phase == "won"


def test_a_team_may_choose_anew_until_somebody_has_driven() -> None:
    play = at("bravery", (1, 2, 3)).does(BoardVouched(), Choose("qualification", TEAM, (4, 5)))
    assert (play.run.challenge, play.run.stages, play.run.drive.board) == ("qualification", (4, 5), "unseen")
    play.drives(10_000)
    assert refused(lambda: play.does(Choose("bravery", TEAM, (1, 2, 3)))).word == "already-driven"


def test_a_stage_of_the_teams_choice_may_be_changed_before_it_is_driven() -> None:
    play = at("bravery", (1, 2, 3)).drives(10_000).does(ChangeStage(7))
    assert play.run.stages == (1, 7, 3)
    assert refused(lambda: play.does(ChangeStage(1))).word == "twice"
    assert refused(lambda: at("mushroom-cup").does(ChangeStage(1))).word == "listed"
    play.drives(10_000, IGNORED).does(DriveAgain())
    assert refused(lambda: play.does(ChangeStage(9))).word == "again"


# ----------------------------------------------------------------------------------------- the board and the start


def test_a_board_that_was_not_wiped_is_noticed_before_the_start() -> None:
    play = at("confidence", (4,)).does(BoardSeen(4, wiped=False))
    refusal = refused(lambda: play.does(CountDown(0)))
    assert refusal.word == "not-wiped"
    assert "old ink on the board. Wipe it" in str(refusal)
    assert play.does(BoardSeen(4, wiped=True), CountDown(0)).phase == "counting"


def test_another_stage_than_the_next_is_noticed_too() -> None:
    play = at("confidence", (4,)).does(BoardSeen(5, wiped=True))
    assert refused(lambda: play.does(CountDown(0))).word == "other-stage"


def test_a_person_may_vouch_for_the_board_and_the_outcome_says_so() -> None:
    play = at("confidence", (4,)).does(BoardSeen(4, wiped=False), BoardVouched(), CountDown(0))
    play.waits(COUNTDOWN_MS + 20_000).does(Finish(), Judged(FAIR))
    assert Reason("board-vouched", {"stage": 4}) in marks(play.run)


def test_the_clock_starts_at_go_by_itself() -> None:
    play = at("confidence", (4,)).does(CountDown(2))
    assert (play.phase, challenge.countdown_ms(play.run, play.machine.now()), play.ms) == ("counting", 3000, 0)
    play.waits(2999)
    assert (play.phase, challenge.countdown_ms(play.run, play.machine.now()), play.ms) == ("counting", 1, 0)
    play.waits(501)
    assert (play.phase, challenge.countdown_ms(play.run, play.machine.now()), play.ms) == ("driving", 0, 500)


def test_nobody_finishes_before_go() -> None:
    play = at("confidence", (4,)).does(CountDown(0)).waits(2000)
    refusal = refused(lambda: play.does(Finish()))
    assert refusal.values == {"event": "finish", "phase": "counting"}
    assert "call-off" in refusal.hint


def test_a_countdown_can_be_called_off_until_go() -> None:
    play = at("confidence", (4,)).does(BoardSeen(4, wiped=True), CountDown(0)).waits(2000).does(CallOff())
    assert (play.phase, play.ms, play.run.drive.board) == ("board", 0, "ready")
    play.does(CountDown(1)).waits(3000)
    assert refused(lambda: play.does(CallOff())).word == "not-now"


def test_a_driver_is_one_of_the_team() -> None:
    assert refused(lambda: at("confidence", (4,)).does(CountDown(3))).word == "no-such-driver"
    assert refused(lambda: at("confidence", (4,)).does(CountDown(-1))).word == "no-such-driver"


def test_drivers_change_between_stages() -> None:
    play = at("bravery", (1, 2, 3))
    assert suggested_driver(play.run) == 0
    assert suggested_driver(play.drives(1, driver=1).run) == 2
    assert suggested_driver(play.drives(1, driver=2).run) == 0


# ----------------------------------------------------------------------------------------- the finish and the call


def test_a_finish_tapped_by_mistake_costs_the_time_that_it_took_to_notice() -> None:
    play = at("confidence", (4,)).drives(20_000, call=None).waits(4_000).does(NotYet())
    assert (play.phase, play.ms) == ("driving", 24_000)
    assert play.waits(1_000).does(Finish()).ms == 25_000


def test_review_waits_for_a_person_and_the_clock_with_it() -> None:
    play = at("qualification", (1, 2)).drives(20_000, OPEN).waits(500_000)
    assert (play.phase, play.ms) == ("review", 20_000)
    assert refused(lambda: play.does(CountDown(0))).word == "not-now"
    play.does(Judged(Call("fair", by="person")))
    assert play.phase == "board"
    assert Reason("by-person", {"stage": 1}) in marks(play.run)


def test_honesty_settles_a_stage_without_a_picture_and_is_marked() -> None:
    play = at("driving-ace", (4,)).drives(20_000, call=None).does(Honest(accidents=1))
    assert play.phase == "won"
    assert marks(play.run) == (Reason("on-honour", {"stage": 4}),)


def test_honesty_counts_where_no_accident_is_allowed() -> None:
    assert at("confidence", (4,)).drives(20_000, call=None).does(Honest(accidents=0)).phase == "won"
    assert at("confidence", (4,)).drives(20_000, call=None).does(Honest(accidents=1)).phase == "lost"


def test_honesty_fills_in_what_the_picture_leaves_open_and_takes_nothing_back() -> None:
    play = at("confidence", (4,)).drives(20_000, Call("review", accidents=1, check="check-7")).does(Honest(accidents=0))
    assert play.phase == "lost"
    assert play.run.drive.call == Call("fair", accidents=1, by="honour", check="check-7")
    assert refused(lambda: at("qualification", (4, 5)).drives(9, IGNORED).does(Honest(0))).word == "not-now"
    assert refused(lambda: at("qualification", (4, 5)).drives(9, None).does(Honest(-1))).word == "malformed"


def test_honesty_passes_over_no_call() -> None:
    play = at("qualification", (4, 5)).drives(9, IGNORED)
    assert refused(lambda: play.does(Judged(Call("fair", by="honour")))).word == "on-honour"


def test_an_unfair_stage_may_be_driven_again_and_both_times_count() -> None:
    play = at("qualification", (4, 5)).drives(50_000, IGNORED)
    assert (play.phase, play.codes) == ("unfair", [])
    play.does(DriveAgain())
    assert (play.phase, play.run.at, play.run.drive.board, play.ms) == ("board", 0, "unseen", 50_000)
    assert play.drives(40_000).drives(60_000).phase == "won"
    assert reasons(play.run)[1] == Reason("in-time", {"total_ms": 150_000, "target_ms": 240_000})


def test_accidents_of_a_stage_driven_again_still_are_accidents() -> None:
    play = at("confidence", (4,)).drives(10_000, IGNORED).does(DriveAgain()).drives(10_000)
    assert reasons(play.run) == (Reason("accident", {"stage": 4, "accidents": 1}),)


def test_a_fair_stage_is_not_driven_again() -> None:
    assert refused(lambda: at("qualification", (4, 5)).drives(9).does(DriveAgain())).word == "not-now"


def test_a_team_may_leave_at_any_time() -> None:
    for play in (
        at("qualification", (4, 5)),
        at("qualification", (4, 5)).does(CountDown(0)).waits(100),
        at("qualification", (4, 5)).does(CountDown(0)).waits(50_000),
        at("qualification", (4, 5)).drives(20_000, None),
        at("qualification", (4, 5)).drives(20_000, IGNORED),
    ):
        before = play.ms
        play.does(GiveUp()).waits(100_000)
        assert (play.phase, play.ms) == ("abandoned", before)
        assert "given-up" in play.codes
        assert refused(lambda: play.does(CountDown(0))).hint == "Possible now: nothing, it is over."  # noqa: B023


def test_a_practice_run_says_so() -> None:
    play = at("driving-ace", (4,), practice=True).drives(20_000)
    assert play.phase == "won"
    assert marks(play.run) == (Reason("practice"),)


# ----------------------------------------------------------------------------------------- decisions taken back


def test_a_won_challenge_is_lost_when_a_call_is_taken_back_and_won_again_with_it() -> None:
    play = at("qualification", (4, 5)).drives(50_000).drives(50_000)
    assert play.does(Judged(Call("ignored-accident", 1, by="person"), leg=0)).phase == "lost"
    assert reasons(play.run) == (Reason("stage-unfair", {"stage": 4, "verdict": "ignored-accident"}),)
    assert play.does(Judged(FAIR, leg=0)).phase == "won"


def test_the_last_stage_is_driven_again_when_its_call_is_taken_back() -> None:
    play = at("qualification", (4, 5)).drives(50_000).drives(50_000).does(Judged(IGNORED))
    assert play.phase == "unfair"
    assert play.does(DriveAgain()).drives(10_000).phase == "won"


def test_a_call_taken_back_before_the_next_start_puts_the_next_board_back() -> None:
    play = at("qualification", (4, 5)).drives(50_000).does(BoardSeen(5, wiped=True), Judged(IGNORED, leg=0))
    assert (play.phase, play.run.at) == ("unfair", 0)
    play.does(Judged(FAIR))
    assert (play.phase, play.run.at, play.run.drive.board) == ("board", 1, "unseen")


def test_a_call_taken_back_spares_the_team_from_driving_again() -> None:
    play = at("qualification", (4, 5)).drives(50_000, IGNORED).does(DriveAgain(), Judged(Call("fair", by="person")))
    assert (play.phase, play.run.at) == ("board", 1)


def test_a_call_taken_back_while_somebody_drives_waits_for_the_finish() -> None:
    play = at("qualification", (4, 5)).drives(50_000).does(CountDown(1)).waits(10_000).does(Judged(OPEN, leg=0))
    assert play.phase == "driving"
    play.does(Finish(), Judged(FAIR))
    assert (play.phase, waits_for_a_person(play.run)) == ("review", (0,))
    assert play.does(Judged(FAIR, leg=0)).phase == "won"


@pytest.mark.parametrize("leg", [None, 0, 1, 2, -1, 99])
def test_a_stage_that_was_not_driven_cannot_be_called(leg: int | None) -> None:
    assert refused(lambda: at("qualification", (4, 5)).does(Judged(FAIR, leg))).word == "not-driven"
    counting = at("qualification", (4, 5)).does(CountDown(0)).waits(9000)
    assert refused(lambda: counting.does(Judged(FAIR, leg))).word == "not-driven"


def test_only_what_the_challenge_asks_is_declared() -> None:
    assert refused(lambda: at("mute-race", (4,)).does(Declare("mirrored", kept=True))).word == "no-such-condition"
    assert refused(lambda: at("confidence", (4,)).does(Declare("no-accident", kept=True))).word == "no-such-condition"


# ----------------------------------------------------------------------------------------- the clock of a run


def test_a_killed_server_and_a_wall_clock_set_back_leave_the_time_as_it_is() -> None:
    play = at("qualification", (4, 5)).drives(50_000).does(CountDown(1)).waits(COUNTDOWN_MS + 10_000)
    there = challenge.kept(play.run)
    play.machine.jump_wall(-3_600_000)
    play.run = challenge.brought_back(there)
    assert play.waits(5_000).ms == 65_000
    assert play.does(Finish(), Judged(FAIR)).phase == "won"
    assert marks(play.run) == ()


def test_a_killed_server_does_not_miss_go() -> None:
    play = at("confidence", (4,)).does(CountDown(1)).waits(1000)
    play.run = challenge.brought_back(challenge.kept(play.run))
    assert (play.waits(12_000).phase, play.ms) == ("driving", 10_000)


def test_a_restarted_machine_is_marked_and_its_wall_clock_is_asked_once() -> None:
    play = at("qualification", (4, 5)).does(CountDown(0)).waits(COUNTDOWN_MS + 10_000)
    play.run = challenge.seen(play.run, play.machine.restart(30_000))
    play.machine.jump_wall(-3_600_000)
    assert play.waits(5_000).ms == 45_000
    play.does(Finish(), Judged(FAIR)).drives(10_000)
    assert (play.phase, marks(play.run)) == ("won", (Reason("by-wall-clock", {"stage": 4}),))


def test_a_restart_of_the_machine_during_the_countdown_ends_it() -> None:
    play = at("confidence", (4,)).does(CountDown(0)).waits(1000)
    play.run = challenge.seen(play.run, play.machine.restart(30_000))
    assert (play.phase, play.ms) == ("driving", 28_000)


def test_every_event_has_a_name_and_a_place_in_the_table() -> None:
    kinds = set(Event.__args__)
    assert set(challenge.EVENTS.values()) == kinds == {kind for _, kind in challenge.TABLE}
