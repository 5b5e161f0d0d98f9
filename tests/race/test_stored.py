"""States of play in JSON and back, and events from outside: what does not fit is refused in clear words."""

from __future__ import annotations

import json
from typing import Any

import pytest

from referee.errors import BadState, Refused
from referee.race import challenge, match, stored
from referee.race.challenge import BoardVouched, CountDown, Declare, GiveUp, Judged, Run
from referee.race.drive import COUNTDOWN_MS, Call
from referee.race.match import Match, SitDown
from referee.race.turn import event_from_json
from tests.race.moments import Machine
from tests.race.play import at


def a_run_half_way() -> dict[str, Any]:
    """One stage driven, the second on its way, as it is stored."""
    play = at("qualification", (4, 5))
    play.drives(20_000).does(BoardVouched(), CountDown(1)).waits(COUNTDOWN_MS + 5_000)
    there: dict[str, Any] = json.loads(json.dumps(challenge.kept(play.run)))
    return there


def test_a_state_is_plain_json_and_comes_back_the_same() -> None:
    there = a_run_half_way()
    assert there["format"] == 1
    assert challenge.kept(challenge.brought_back(there)) == there


@pytest.mark.parametrize("found", [None, 7, "run", [], {}, {"format": "1"}, {"format": True}, {"format": 1.0}])
def test_what_is_no_state_at_all_is_refused(found: object) -> None:
    with pytest.raises(BadState, match="expected an object with its format"):
        challenge.brought_back(found)
    with pytest.raises(BadState, match="expected an object with its format"):
        match.brought_back(found)


@pytest.mark.parametrize("number", [0, 2, 10**400])
def test_another_format_is_refused_by_its_number(number: int) -> None:
    with pytest.raises(BadState, match=r"reads format 1, got (0|2|a huge number)"):
        challenge.brought_back({**a_run_half_way(), "format": number})


def changed(way: str, value: object, there: dict[str, Any]) -> dict[str, Any]:
    """What was stored with another value at a way such as ``legs.0.drives``."""
    *to, last = [int(key) if key.isdigit() else key for key in way.split(".")]
    holder: Any = there
    for key in to:
        holder = holder[key]
    holder[last] = value
    return there


@pytest.mark.parametrize(
    ("way", "value", "says"),
    [
        ("surprise", 1, "expected an object with id, challenge"),
        ("id", "", "it has no id"),
        ("id", "x" * 201, "run.id: expected up to 200 letters"),
        ("practice", 1, "run.practice: expected true or false, got 1"),
        ("challenge", "grand-tour", "there is no such challenge"),
        ("challenge", "", "without a challenge there is nothing else"),
        ("challenge", "bravery", "its stages do not fit the challenge"),
        ("team", ["Ada"], "a team has 2 or 3 players, got 1"),
        ("team", ["Ada", "B\x1b[2J"], "letters that can be printed"),
        ("legs", [], "its stages do not fit"),
        ("legs.0.stage", 0, "its stages do not fit"),
        ("legs.0.stage", 5, "its stages do not fit"),
        ("legs.0.stage", 4.0, r"run.legs\[0\].stage: expected a whole number, got 4.0"),
        ("legs.0.stage", float("nan"), "expected a whole number, got nan"),
        ("legs.0.stage", 10**400, "expected a whole number, got a huge number"),
        ("legs.0.drives", [], "its stages are not driven in their order"),
        ("legs.1.drives", [], "the next stage is not laid out"),
        ("legs.0.drives.0.call", None, "a stage is left that was not called"),
        ("legs.0.drives.0.call.verdict", "lovely", "expected one of 'fair', 'ignored-accident'"),
        ("legs.0.drives.0.call.accidents", -1, "accidents are counted from 0"),
        ("legs.0.drives.0.call.by", "honour", None),
        ("legs.0.drives.0.clock", None, "a driver if and only if it has a clock"),
        ("legs.0.drives.0.clock.until", None, "called after its clock has stopped"),
        ("legs.0.drives.0.clock.passed.ms", -5, "less than nothing, got -5 ms"),
        ("legs.0.drives.0.clock.since.boot", "", "an instant needs a boot"),
        ("legs.0.drives.0.board", "not-wiped", "nobody starts on a board that is not-wiped"),
        ("legs.1.drives.0.driver", 3, "somebody drives who is not in the team"),
        ("legs.1.drives.0.driver", -1, "somebody drives who is not in the team"),
        ("declared", [{"condition": "silent", "kept": True}], "it declares what is not asked"),
        ("abandoned", True, "somebody drives on who has left"),
    ],
)
def test_a_run_that_cannot_be_is_refused_with_what_is_wrong(way: str, value: object, says: str | None) -> None:
    if says is None:
        assert challenge.brought_back(changed(way, value, a_run_half_way()))
    else:
        with pytest.raises(BadState, match=says) as caught:
            challenge.brought_back(changed(way, value, a_run_half_way()))
        assert "begin anew" in caught.value.hint


def test_a_fair_stage_driven_again_is_refused() -> None:
    there = a_run_half_way()
    there["legs"][0]["drives"] *= 2
    with pytest.raises(BadState, match="a fair stage is driven again"):
        challenge.brought_back(there)


def test_a_call_on_honour_is_fair_and_without_doubt() -> None:
    with pytest.raises(ValueError, match="on one's honour"):
        Call("review", by="honour")
    with pytest.raises(ValueError, match="on one's honour"):
        Call("fair", doubtful=1, by="honour")


def test_a_list_without_end_is_refused() -> None:
    with pytest.raises(BadState, match="a list of sensible length, got a list of 10001"):
        challenge.brought_back(changed("declared", [{}] * (stored.MOST_ITEMS + 1), a_run_half_way()))


def a_match_half_way() -> dict[str, Any]:
    """Two teams with their cars; the first heat won by A, the second on its way."""
    machine, game = Machine(), Match("match-1")
    events: list[match.Event] = [
        SitDown(("Ada", "Béa"), ("Cem", "Dan", "Eli"), youngest="B", everybody_knows=True),
        match.ChooseStage("B", 7),
        match.TakeCar("A", "nitro"),
        match.TakeCar("B", "toaster"),
        match.CountDown(0, 2),
        match.Crossed("A"),
        match.Judged("A", Call("fair")),
        match.Onward(),
        match.ChooseStage("B", 8),
        match.CountDown(1, 0),
    ]
    for event in events:
        game = match.step(game, event, machine.after(10_000))
    there: dict[str, Any] = json.loads(json.dumps(match.kept(game)))
    return there


@pytest.mark.parametrize(
    ("way", "value", "says"),
    [
        ("id", "", "it has no id"),
        ("teams", [], "without teams there is nothing else"),
        ("teams.1", ["Cem"], "a team has 2 or 3 players"),
        ("teams.1", ["Cem", "ada"], "no two players have the same name"),
        ("teams", [["Ada", "Béa"]], "two teams play"),
        ("terms.cheating_loses", "everything", "expected one of 'stage', 'game'"),
        ("youngest", "C", "expected one of 'A', 'B'"),
        ("cars", ["nitro"], "match.cars: expected a list of 2, got a list of 1"),
        ("cars", ["nitro", "nitro"], "these are no two cars"),
        ("cars", ["nitro", "\x1b"], "these are no two cars"),
        ("cars", ["nitro", None], "a race began before all was chosen"),
        ("everybody_knows", False, "cars are taken that were left in the box"),
        ("without_cars", True, "cars are taken that were left in the box"),
        ("heats.0.closed", False, "a heat is left that was not closed"),
        ("heats.1.closed", True, "a heat is closed while somebody drives"),
        ("heats.1.void", "dead-heat", "a heat is void and not closed"),
        ("heats.0.stage", 0, "stages are numbered from 1"),
        ("heats.0.crossed", ["A", "A"], "a team has crossed twice"),
        ("heats.0.crossed", [], "a drive is called though nobody has crossed"),
        ("heats.1.crossed", ["B"], "a team has crossed whose clock has not stopped"),
        ("heats.0.lanes.0.drive.driver", 2, "somebody drives who is not in the team"),
        ("heats.1.lanes.0.drive", {"board": "unseen", "driver": None, "clock": None, "call": None}, "drives alone"),
        ("abandoned", True, "somebody drives on who has left"),
    ],
)
def test_a_match_that_cannot_be_is_refused_with_what_is_wrong(way: str, value: object, says: str) -> None:
    assert match.brought_back(a_match_half_way())
    with pytest.raises(BadState, match=says):
        match.brought_back(changed(way, value, a_match_half_way()))


# ----------------------------------------------------------------------------------------- events from outside


@pytest.mark.parametrize(
    ("found", "event"),
    [
        ({"event": "count-down", "driver": 2}, CountDown(2)),
        ({"event": "give-up"}, GiveUp()),
        ({"event": "declare", "condition": "silent", "kept": False}, Declare("silent", kept=False)),
        (
            {
                "event": "judged",
                "leg": None,
                "call": {"verdict": "fair", "accidents": 1, "doubtful": 0, "by": "person", "check": ""},
            },
            Judged(Call("fair", 1, by="person")),
        ),
    ],
)
def test_an_event_comes_by_its_name_with_its_fields(found: object, event: object) -> None:
    assert event_from_json(challenge.EVENTS, found) == event


def test_a_match_has_events_of_its_own() -> None:
    found = {"event": "sit-down", "a": ["Ada", "Béa"], "b": ["Cem", "Dan"], "youngest": "B", "everybody_knows": True}
    assert event_from_json(match.EVENTS, found) == SitDown(("Ada", "Béa"), ("Cem", "Dan"), "B", everybody_knows=True)


@pytest.mark.parametrize(
    ("found", "says"),
    [
        (None, "there is no such event"),
        ([], "there is no such event"),
        ({"event": "cheat"}, "there is no such event"),
        ({"event": ["finish"]}, "there is no such event"),
        ({"event": "count-down"}, "count-down: expected an object with driver, got an object with nothing"),
        ({"event": "count-down", "driver": "2"}, "count-down.driver: expected a whole number, got '2'"),
        ({"event": "finish", "at": 3}, "finish: expected an object with no fields, got an object with 'at'"),
        (
            {
                "event": "judged",
                "leg": None,
                "call": {"verdict": "fair", "accidents": -1, "doubtful": 0, "by": "person", "check": ""},
            },
            "judged.call: accidents are counted from 0",
        ),
    ],
)
def test_what_is_no_event_is_refused(found: object, says: str) -> None:
    with pytest.raises(Refused, match=says) as caught:
        event_from_json(challenge.EVENTS, found)
    assert caught.value.word == "malformed"
    assert "count-down" in caught.value.hint


def test_a_state_that_nobody_has_begun_is_stored_too() -> None:
    assert challenge.brought_back(challenge.kept(Run("run-1"))) == Run("run-1")
    assert match.brought_back(match.kept(Match("match-1"))) == Match("match-1")
