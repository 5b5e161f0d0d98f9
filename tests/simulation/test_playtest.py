"""Every built-in stage is driven by a hand that does not see, and what it drew is judged rightly."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from referee.stage.load import load_stage
from stage_masks.drawing.__main__ import FOLDER, file_name
from stage_masks.drawing.plan import DIFFICULTIES, difficulty_of
from stage_masks.drawing.stages import PLANS
from tests.simulation.blindfold import blind_drive
from tests.simulation.playtest import blind_races, judged, led_races, play

NUMBERS = [plan.number for plan in PLANS]
BLIND, LED = 3, 2
"""Races of either kind on each stage; ``python -m tests.simulation.playtest`` drives a hundred and more."""


@pytest.mark.parametrize("number", NUMBERS)
def test_what_a_blindfolded_hand_drew_comes_back_with_its_events(number: int) -> None:
    stage = load_stage(FOLDER / file_name(number))
    assert judged(stage, islice(blind_races(stage), BLIND)).wrong == []


@pytest.mark.parametrize("number", NUMBERS)
def test_what_a_led_hand_drew_comes_back_with_its_events(number: int) -> None:
    stage = load_stage(FOLDER / file_name(number))
    seeds = (7 * number + 5 * i for i in range(20))
    assert judged(stage, islice(led_races(stage, seeds), LED)).wrong == []


def test_the_same_seed_gives_the_same_race() -> None:
    stage = load_stage(FOLDER / file_name(16))
    one, other = blind_drive(stage, 5), blind_drive(stage, 5)
    assert len(one.strokes) == len(other.strokes)
    assert all(np.array_equal(a.points_mm, b.points_mm) for a, b in zip(one.strokes, other.strokes, strict=True))


def test_a_blindfolded_hand_goes_wrong_more_often_on_the_last_stage_than_on_the_first() -> None:
    first, last = (play(load_stage(FOLDER / file_name(n)), range(12)) for n in (1, 16))
    assert first.races == last.races == 12
    assert first.clean > last.clean
    assert first.fair == 12


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
