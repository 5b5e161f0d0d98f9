"""Every rule R1 to R9 kept and broken once, as a picture: raced, painted, photographed and judged from its pixels."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from referee.model import Stage
from referee.pipeline import judge
from referee.stage.load import load_stage
from referee.stage.render import artwork
from tests.simulation.compare import differences
from tests.simulation.paint import Marker, Rgb, texture
from tests.simulation.scenarios import drive
from tests.simulation.snapshot import Camera, snapshot
from tests.simulation.truth import truth_of

STAGES = Path(__file__).parents[1] / "stage_masks"
CAMERA = Camera(size_wh=(1760, 1320), tilt_deg=14, azimuth_deg=30, roll_deg=4, noise=0.006, cast=(0.9, 1.0, 1.05))
PX_PER_MM = 8.0
MARGIN_MM = 0.25

PICTURES: dict[tuple[str, str], tuple[int, str, dict[str, Any]]] = {
    ("R1", "keeps"): (1, "clean", {}),
    ("R1", "breaks"): (1, "start_outside", {"away": 16.0}),
    ("R2", "keeps"): (13, "brushes", {"margins": [0.9]}),
    ("R2", "breaks"): (1, "break_ignored", {"depth": 1.6}),
    ("R3", "keeps"): (1, "break_honoured", {"depth": 1.6}),
    ("R3", "breaks"): (13, "break_wrong_restart", {"depth": 1.6}),
    ("R4", "keeps"): (13, "dry", {"gaps": [0.8, 1.3]}),
    ("R4", "breaks"): (1, "lift", {"honoured": False}),
    ("R5", "keeps"): (5, "clean", {}),
    ("R5", "breaks"): (5, "wrong_turn", {}),
    ("R6", "keeps"): (11, "jump", {"how": "ok"}),
    ("R6", "breaks"): (11, "jump", {"how": "landing", "margin": -4.0}),
    ("R7", "keeps"): (5, "bridge", {}),
    ("R7", "breaks"): (5, "break_ignored", {"depth": 1.6}),
    ("R8", "keeps"): (5, "boost", {"how": "ok"}),
    ("R8", "breaks"): (5, "boost", {"how": "missed", "honoured": False}),
    ("R9", "keeps"): (13, "oil", {"how": "three"}),
    ("R9", "breaks"): (13, "oil", {"how": "two"}),
}
"""For each rule and whether it is kept: the stage, what is driven on it, and how."""


@lru_cache(maxsize=8)
def board(number: int) -> tuple[Stage, Rgb]:
    stage = load_stage(STAGES / f"stage-{number:02d}.svg")
    return stage, artwork(stage, "A", PX_PER_MM)


@pytest.mark.parametrize(("rule", "how"), sorted(PICTURES), ids=str)
def test_a_picture_shows_whether_the_rule_is_kept(rule: str, how: str) -> None:
    number, scenario, asked = PICTURES[rule, how]
    stage, clean = board(number)
    race = drive(stage, scenario, seed=int(rule[1:]), width_mm=2.4, **asked)
    rng = np.random.default_rng(7)
    raced = texture(clean, race.strokes, Marker("blue" if number != 13 else "black"), [], rng, stage.size_mm)
    picture, _ = snapshot(raced, stage.size_mm, CAMERA, rng)
    judgement = judge(picture).judgement
    assert judgement is not None
    truth = truth_of(race)
    kinds = {e.kind for e in truth.events if not e.optional}
    assert ("accident" in kinds) == (how == "breaks" or rule == "R3")
    assert differences(truth, judgement, MARGIN_MM) == []


def test_no_rule_lacks_its_pair_of_pictures() -> None:
    assert sorted(PICTURES) == [(f"R{n}", how) for n in range(1, 10) for how in ("breaks", "keeps")]
