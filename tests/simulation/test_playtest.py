"""Every built-in stage is driven by a hand that does not see, and what it drew is judged rightly."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from referee.stage.load import load_stage
from stage_masks.drawing.__main__ import FOLDER, file_name
from stage_masks.drawing.plan import DIFFICULTIES, difficulty_of
from stage_masks.drawing.stages import PLANS
from tests.simulation.blindfold import blind_drive
from tests.simulation.playtest import Diary, blind, led

NUMBERS = [plan.number for plan in PLANS]
BLIND, LED = 3, 2
"""Races of either kind on each stage; ``python -m tests.simulation.playtest`` drives a hundred and more."""
ONCE_MISJUDGED = {
    "out from under the bridge on its own line": (3, 13),
    "under the bridge past its line": (5, 44),
    "under the bridge with its centre on the line: an accident that was none": (5, 76),
    "the same on another stage": (8, 46),
    "into the boost's zone over its side, out and in again": (8, 56),
    "out from under the bridge beyond the line": (16, 81),
    "out of a jump zone over its side, lifted there": (16, 33),
    "a crash that ends 0.03 mm before a checkpoint": (14, 10),
}
"""Blindfolded races that the full play-test found misjudged, by stage and seed."""


@pytest.mark.parametrize("number", NUMBERS)
def test_what_a_blindfolded_hand_drew_comes_back_with_its_events(number: int) -> None:
    races = list(blind(load_stage(FOLDER / file_name(number)), range(BLIND)))
    assert [race.wrong for race in races] == [()] * BLIND


@pytest.mark.parametrize("number", NUMBERS)
def test_what_a_led_hand_drew_comes_back_with_its_events(number: int) -> None:
    stage = load_stage(FOLDER / file_name(number))
    races = list(islice(led(stage, (7 * number + 5 * i for i in range(20))), LED))
    assert [race.wrong for race in races] == [()] * LED


@pytest.mark.parametrize("found", ONCE_MISJUDGED)
def test_races_that_were_misjudged_once_are_judged_rightly(found: str) -> None:
    number, seed = ONCE_MISJUDGED[found]
    (race,) = blind(load_stage(FOLDER / file_name(number)), [seed])
    assert race.wrong == ()


def test_races_that_were_played_are_kept_and_not_played_again(tmp_path: Path) -> None:
    stage, kept = load_stage(FOLDER / file_name(1)), tmp_path / "out" / "play.jsonl"
    played = Diary(kept).part("some ground", blind(stage, range(2), judged=1))
    with kept.open("a") as file:
        file.write('{"key": "a line that was cut')
    again = Diary(kept)
    assert again.part("some ground", ()) == played
    assert [race.wrong for race in played] == [(), None]
    assert again.part("other ground", ()) == []


def test_the_same_seed_gives_the_same_race() -> None:
    stage = load_stage(FOLDER / file_name(16))
    one, other = blind_drive(stage, 5), blind_drive(stage, 5)
    assert len(one.strokes) == len(other.strokes)
    assert all(np.array_equal(a.points_mm, b.points_mm) for a, b in zip(one.strokes, other.strokes, strict=True))


def test_a_blindfolded_hand_goes_wrong_more_often_on_the_last_stage_than_on_the_first() -> None:
    first, last = (list(blind(load_stage(FOLDER / file_name(n)), range(12), judged=0)) for n in (1, 16))
    assert sum(race.clean for race in first) > sum(race.clean for race in last)
    assert [race.verdict for race in first] == ["fair"] * 12


def test_difficulty_is_what_the_play_test_found() -> None:
    for plan in PLANS:
        stage = load_stage(FOLDER / file_name(plan.number))
        assert stage.difficulty == plan.difficulty == difficulty_of(plan.clean)
    assert sorted((least for least, _ in DIFFICULTIES), reverse=True) == [least for least, _ in DIFFICULTIES]
    assert (difficulty_of(1.0), difficulty_of(0.0)) == (1, 5)


def test_difficulty_rises() -> None:
    by_number = [plan.difficulty for plan in sorted(PLANS, key=lambda plan: plan.number)]
    thirds = [np.mean(by_number[:5]), np.mean(by_number[5:11]), np.mean(by_number[11:])]
    assert thirds == sorted(thirds)
    assert (by_number[0], by_number[-1]) == (1, 5)
    assert set(by_number) == {1, 2, 3, 4, 5}
