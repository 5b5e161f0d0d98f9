"""What is said, from readings that are given."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import numpy as np

from referee.live.calls import Caller, in_words
from referee.live.judging import Judged
from referee.live.race import BoardRace
from referee.live.sight import LiveCall
from referee.model import Event, Judgement, Report
from referee.rules import Rules
from referee.stage.load import load_stage

STAGE = load_stage(Path(__file__).resolve().parents[2] / "stage_masks" / "stage-01.svg")
CRASH = Event(
    1,
    "accident",
    "R2",
    (100.0, 80.0),
    0,
    "white-line-1",
    -2.0,
    0.1,
    cause="white-line",
    certain=True,
    outcome="ignored",
)
FIRST = Event(0, "checkpoint", "R5", (60.0, 80.0), 0, "checkpoint-1")
SECOND = Event(2, "checkpoint", "R5", (140.0, 80.0), 0, "checkpoint-2")


def read(*events: Event, at_s: tuple[float, ...]) -> Judged:
    """A reading with some events, all long behind the pen."""
    return Judged(Judgement("fair", (), True, 1, 0, events, ()), (), at_s, (30.0,) * len(events))


def test_a_reading_that_was_heard_already_finds_nothing_a_second_time() -> None:
    caller, judged = Caller(STAGE, Rules()), read(CRASH, at_s=(1.0,))
    nothing = SimpleNamespace(ink=SimpleNamespace(aside=np.zeros((4, 4), np.uint8)))
    race = SimpleNamespace(caller=caller, judged=None, board=nothing, _second_opinion=lambda _at_s: judged)
    race._is_doubtful = lambda _event, _judged: False
    calls: list[LiveCall] = []
    for at_s in (2.0, 2.1, 2.2):
        BoardRace._by_second_opinion(cast(BoardRace, race), at_s, calls)
    assert calls == []
    race._second_opinion = lambda _at_s: replace(judged)
    BoardRace._by_second_opinion(cast(BoardRace, race), 2.4, calls)
    assert in_words(calls) == ["accident white-line"]


def test_a_crashed_car_goes_back_to_the_line_that_it_had_crossed_by_then() -> None:
    caller = Caller(STAGE, Rules())
    calls = caller.new(read(FIRST, SECOND, at_s=(1.0, 3.0)), 3.5)
    for now_s in (4.0, 4.4):
        calls += caller.new(read(FIRST, CRASH, SECOND, at_s=(1.0, 2.0, 3.0)), now_s)
    assert [call.restart_element for call in calls if call.kind == "accident"] == ["checkpoint-1"]


def test_a_race_that_was_under_way_is_not_accused_of_how_it_began() -> None:
    caller = Caller(STAGE, Rules(), began_inked=True)
    start = replace(CRASH, rule="R1", cause="start", element=None)
    for now_s in (2.0, 2.4, 2.8):
        assert caller.new(read(start, at_s=(1.0,)), now_s) == []


def test_a_picture_with_something_laid_on_the_board_bears_no_accusation_out() -> None:
    ink = SimpleNamespace(aside=np.full((90, 90), 255, np.uint8))
    race = SimpleNamespace(_began_inked=False, _accused_by_gone_ink=False, board=SimpleNamespace(ink=ink))
    judged = replace(read(CRASH, at_s=(1.0,)), judgement=Judgement("ignored-accident", (), True, 1, 0, (CRASH,), ()))
    photo = Report("last clear frame", judgement=judged.judgement)
    assert list(BoardRace._doubts(cast(BoardRace, race), judged, photo)) == ["laid-on"]


def test_a_race_starts_once_wherever_its_first_ink_is_read() -> None:
    caller, start = Caller(STAGE, Rules()), Event(0, "start", "R1", (30.0, 80.0), 0)
    assert in_words(caller.new(read(start, at_s=(1.0,)), 1.2)) == ["start"]
    assert caller.new(read(replace(start, at_mm=(60.0, 90.0)), at_s=(2.5,)), 2.6) == []


def test_a_pen_that_goes_on_in_a_jump_zone_has_jumped_once() -> None:
    caller, jump = Caller(STAGE, Rules()), Event(0, "jump", "R6", (60.0, 80.0), 0, "jump-1")
    assert in_words(caller.new(read(jump, at_s=(1.0,)), 1.2)) == ["jump"]
    assert caller.new(read(replace(jump, at_mm=(72.0, 80.0)), at_s=(1.2,)), 1.4) == []
