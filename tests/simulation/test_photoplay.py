"""Two photos of every stage are judged rightly; ``python -m tests.simulation.photoplay`` takes six and more."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from referee.reliability.matching import outcome
from stage_masks.drawing.stages import PLANS
from tests.simulation.photograph import BLINDFOLD, Studio
from tests.simulation.photoplay import QUICK_PX_PER_MM, is_right, judged, shots_of, taken

NUMBERS = [plan.number for plan in PLANS]
STUDIO = Studio(None, px_per_mm=QUICK_PX_PER_MM)


@pytest.mark.parametrize("number", NUMBERS)
def test_two_photos_of_a_stage_are_judged_rightly(number: int, tmp_path: Path) -> None:
    told = [outcome(one) for one in judged(taken(shots_of(number, 2), tmp_path, STUDIO))]
    assert [one.case for one in told if not is_right(one)] == []
    assert len(told) == 2


def test_of_two_photos_one_is_of_a_hand_that_nobody_leads() -> None:
    alone, led = shots_of(4, 2)
    assert alone.scenario == BLINDFOLD != led.scenario
    assert list(shots_of(4, 2)) == [alone, led]


def test_a_photo_that_is_there_is_not_taken_again(tmp_path: Path) -> None:
    (shot,) = shots_of(1, 1)
    small = replace(STUDIO, px_per_mm=4.0)
    (folder,) = taken([shot], tmp_path, small)
    before = (folder / "photo.jpg").stat().st_mtime_ns
    assert taken([shot], tmp_path, small) == [folder]
    assert (folder / "photo.jpg").stat().st_mtime_ns == before
