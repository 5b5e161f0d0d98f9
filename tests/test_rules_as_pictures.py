"""Every rule R1 to R11 kept and broken once, as a picture: raced, painted, photographed and judged from its pixels."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from referee.model import Stage
from referee.pipeline import judge
from referee.rules import Rules
from referee.stage.load import load_stage
from referee.stage.render import artwork
from tests.simulation.compare import Leeway, differences
from tests.simulation.hand import Race
from tests.simulation.paint import Marker, Rgb, drawn_on, texture
from tests.simulation.scenarios import drive
from tests.simulation.snapshot import Camera, snapshot
from tests.simulation.truth import named, truth_of

Picture = NDArray[np.uint8]

STAGES = Path(__file__).parents[1] / "stage_masks"
CAMERA = Camera(size_wh=(1760, 1320), tilt_deg=14, azimuth_deg=30, roll_deg=4, noise=0.006, cast=(0.9, 1.0, 1.05))
BEFORE = Camera(size_wh=(1900, 1400), tilt_deg=18, azimuth_deg=210, roll_deg=-12, noise=0.006, cast=(1.05, 1.0, 0.9))
RULES = Rules(mode="competitive")
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
    ("R11", "keeps"): (1, "rope", {"how": "jumped"}),
    ("R11", "breaks"): (11, "mine", {"hit": True, "honoured": False}),
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
    truth = truth_of(race)
    pen = Marker("blue" if number != 13 else "black")
    raced = texture(left_over(clean, race, rng), race.strokes, pen, [], rng, stage.size_mm)
    picture, _ = snapshot(raced, stage.size_mm, CAMERA, rng)
    judgement = judge(picture, rules=RULES, baseline=before(clean, race) if race.gadgets else None).judgement
    assert judgement is not None
    kinds = {e.kind for e in truth.events if not e.optional}
    assert ("accident" in kinds) == (how == "breaks" or rule == "R3")
    assert differences(truth, judgement, Leeway(MARGIN_MM)) == []


def test_a_picture_of_a_missed_slowdown_zone_is_fair_with_nitro() -> None:
    number, scenario, asked = PICTURES["R8", "breaks"]
    stage, clean = board(number)
    race, rng = drive(stage, scenario, seed=8, width_mm=2.4, **asked), np.random.default_rng(7)
    picture, _ = snapshot(
        texture(clean, race.strokes, Marker("blue"), [], rng, stage.size_mm), stage.size_mm, CAMERA, rng
    )
    told = judge(picture, rules=RULES).judgement, judge(picture, rules=replace(RULES, nitro=True)).judgement
    assert [judgement.verdict if judgement else None for judgement in told] == ["ignored-accident", "fair"]


def before(clean: Rgb, race: Race) -> Picture:
    """The picture of the board with its gadgets, taken from elsewhere in other light."""
    rng = np.random.default_rng(5)
    return snapshot(drawn_on(clean, race.gadgets, "red", rng, race.stage.size_mm), race.stage.size_mm, BEFORE, rng)[0]


def left_over(clean: Rgb, race: Race, rng: np.random.Generator) -> Rgb:
    """The board with what is left of its gadgets after the race: a ghost of those that were run into."""
    gone, board = truth_of(race).gone, clean
    for name, gadget in named(race).items():
        opacity = 0.12 if name in gone else 0.95
        board = drawn_on(board, [gadget], "red", rng, race.stage.size_mm, opacity=opacity)
    return board


GADGETS: dict[str, tuple[int, str, dict[str, Any], str | None]] = {
    "a rope driven through": (1, "rope", {"how": "through"}, None),
    "a rope left too early": (13, "rope", {"how": "early", "honoured": False}, None),
    "a rope landed on too late": (11, "rope", {"how": "late", "honoured": False}, None),
    "a rope touched": (1, "rope", {"how": "touched"}, None),
    "a rope of another size": (13, "rope", {"how": "jumped", "dotted": 13.0, "pen": 2.0}, None),
    "a rope that ends too soon": (1, "rope", {"how": "jumped", "short": 6.0}, "short-of-white-line"),
    "a mine passed": (13, "mine", {}, None),
    "a mine hit": (1, "mine", {"hit": True}, None),
    "a mine of another size": (1, "mine", {"hit": True, "radius": 5.0, "pen": 2.0}, None),
    "a mine on a white line": (5, "mine", {"on_line": True}, "touches-white-line"),
}
"""The stage, what is driven on it and how, and the fault of the gadget."""


@pytest.mark.parametrize("case", GADGETS)
def test_a_picture_shows_what_became_of_a_gadget(case: str) -> None:
    number, scenario, asked, fault = GADGETS[case]
    stage, clean = board(number)
    race = drive(stage, scenario, seed=3, width_mm=2.4, **asked)
    rng = np.random.default_rng(7)
    raced = texture(left_over(clean, race, rng), race.strokes, Marker("black"), [], rng, stage.size_mm)
    picture, _ = snapshot(raced, stage.size_mm, CAMERA, rng)
    judgement = judge(picture, rules=RULES, baseline=before(clean, race)).judgement
    assert judgement is not None
    (gadget,) = judgement.gadgets
    assert (gadget.id, gadget.fault.code if gadget.fault else None) == (f"{race.gadgets[0].kind}-1", fault)
    assert gadget.at_mm == pytest.approx(race.gadgets[0].at_mm, abs=0.4)
    assert differences(truth_of(race), judgement, Leeway(MARGIN_MM)) == []


def test_no_rule_lacks_its_pair_of_pictures() -> None:
    rules = [f"R{n}" for n in (*range(1, 10), 11)]
    assert sorted(PICTURES) == sorted((rule, how) for rule in rules for how in ("breaks", "keeps"))
