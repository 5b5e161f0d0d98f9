"""Whatever players, phones and machines do, in whatever order: what must never break, does not."""

from __future__ import annotations

import json
from contextlib import suppress

from hypothesis import given, settings
from hypothesis import strategies as st

from referee.errors import BadState, Refused
from referee.race import book, challenge, match
from referee.race.book import Book
from referee.race.challenge import Run, waits_for_a_person
from referee.race.match import Match, award, standing
from referee.race.turn import possible
from referee.rules.challenges import CHALLENGES, stage_faults
from tests.race.anything import OF_A_CHALLENGE, OF_A_MATCH, damaged, let_time_pass, likely
from tests.race.moments import Machine

STEPS = 30


def played_run(data: st.DataObject, machine: Machine, steps: int) -> Run:
    """A run after some events, refused ones left out."""
    run, shown_ms = Run("run-1"), 0
    for _ in range(steps):
        drives, boot, since_ms = challenge.phase(run, machine.now()) == "driving", machine.boots, machine.true_ms
        let_time_pass(data, machine)
        run = challenge.seen(run, machine.now())
        if machine.boots == boot and drives:
            assert challenge.time(run, machine.now()).ms == shown_ms + machine.true_ms - since_ms
        at = challenge.phase(run, machine.now())
        event = likely(data, at, possible(challenge.TABLE, challenge.EVENTS, at), OF_A_CHALLENGE)
        with suppress(Refused):
            run = challenge.step(run, event, machine.now())
        before_ms, shown_ms = shown_ms, challenge.time(run, machine.now()).ms
        assert shown_ms >= before_ms
        holds_for_a_run(run, machine)
    return run


def holds_for_a_run(run: Run, machine: Machine) -> None:
    """What is true of every run at any time."""
    assert challenge.brought_back(json.loads(json.dumps(challenge.kept(run)))) == run
    at = challenge.phase(run, machine.now())
    if at in ("counting", "driving"):
        assert not challenge.reasons(run)
    assert bool(challenge.reasons(run)) == (at in ("won", "lost", "abandoned"))
    if at == "review":
        assert waits_for_a_person(run)
    if at == "won":
        is_rightly_won(run)
    filled = book.with_win(Book(), run, machine.now()).checked if at == "won" and not run.practice else set()
    assert filled == ({run.challenge} if at == "won" and not run.practice else set())


def is_rightly_won(run: Run) -> None:
    """Every stage fair, nobody undecided, the total less than the target, every condition kept."""
    asked = CHALLENGES[run.challenge]
    assert not stage_faults(asked, run.stages)
    assert all(leg.call and leg.call.verdict == "fair" for leg in run.legs)
    assert not waits_for_a_person(run)
    assert challenge.time(run).ms < asked.target_ms
    assert {said.condition for said in run.declared if said.kept} == set(asked.declared)
    if "no-accident" in asked.conditions:
        assert not any(drive.call and (drive.call.accidents or drive.call.doubtful) for drive in run.drives)


def played_match(data: st.DataObject, machine: Machine, steps: int) -> Match:
    """A match after some events, refused ones left out."""
    game = Match("match-1", data.draw(st.builds(match.Terms, LOSES, AGAIN)))
    for _ in range(steps):
        let_time_pass(data, machine)
        game = match.seen(game, machine.now())
        at = match.phase(game, machine.now())
        event = likely(data, at, possible(match.TABLE, match.EVENTS, at), OF_A_MATCH)
        with suppress(Refused):
            game = match.step(game, event, machine.now())
        holds_for_a_match(game, machine)
    return game


LOSES = st.sampled_from(["stage", "game"])
AGAIN = st.sampled_from(["again", "nobody"])


def holds_for_a_match(game: Match, machine: Machine) -> None:
    """What is true of every match at any time."""
    assert match.brought_back(json.loads(json.dumps(match.kept(game)))) == game
    at = match.phase(game, machine.now())
    assert (at == "over") == (match.winner(game) is not None and not game.abandoned)
    for heat in game.heats:
        result = award(heat, game.terms)
        if result and result.winner:
            assert standing(heat.lane(result.winner)) != "gave-away"
            assert result.winner == heat.crossed[0] or standing(heat.lane(heat.crossed[0])) != "fair"
    if at in ("boards", "counting", "driving"):
        assert not game.heat.crossed
    if at in ("driving", "crossed", "awarded"):
        assert game.everybody_knows or game.warmed_up
        assert not any(game.cars) or game.everybody_knows


@given(st.data())
@settings(max_examples=40, deadline=None)
def test_a_run_is_won_only_rightly_and_its_time_never_runs_backwards(data: st.DataObject) -> None:
    played_run(data, Machine(), STEPS)


@given(st.data())
@settings(max_examples=40, deadline=None)
def test_a_stage_never_goes_to_a_team_that_gave_it_away(data: st.DataObject) -> None:
    played_match(data, Machine(), STEPS)


@given(st.data())
@settings(max_examples=40, deadline=None)
def test_a_damaged_run_is_refused_or_can_be_played_on(data: st.DataObject) -> None:
    machine = Machine()
    run = played_run(data, machine, data.draw(st.integers(0, 12)))
    found = damaged(data, json.loads(json.dumps(challenge.kept(run))))
    with suppress(BadState):
        run = challenge.brought_back(found)
        assert challenge.kept(run) == found
        for events in OF_A_CHALLENGE.values():
            with suppress(Refused):
                challenge.step(run, data.draw(events), machine.now())
        challenge.reasons_against(run, machine.now())
        challenge.marks(run)


@given(st.data())
@settings(max_examples=40, deadline=None)
def test_a_damaged_match_is_refused_or_can_be_played_on(data: st.DataObject) -> None:
    machine = Machine()
    game = played_match(data, machine, data.draw(st.integers(0, 12)))
    found = damaged(data, json.loads(json.dumps(match.kept(game))))
    with suppress(BadState):
        game = match.brought_back(found)
        assert match.kept(game) == found
        for events in OF_A_MATCH.values():
            with suppress(Refused):
                match.step(game, data.draw(events), machine.now())
        match.waits_for_a_person(game)
