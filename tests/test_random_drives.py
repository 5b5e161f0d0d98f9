"""A random drive on a random stage, its truth known from the plan, comes back with the same events.

First the strokes as they were drawn are judged, then what can be read from their ink.  Stages are random in course,
turn and road width, drives in scenario and marker width, the ink's grid in its scale.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from referee.geometry.measure import measure
from referee.rules.judge import judge
from referee.stage.guide import guide_of
from referee.stroke.readings import readings
from tests.simulation.compare import Leeway, differences
from tests.simulation.hand import CannotDriveError, Race
from tests.simulation.paint import coverage
from tests.simulation.photograph import SCENARIO_CHANCES
from tests.simulation.playtest import misjudged
from tests.simulation.scenarios import drive
from tests.simulation.stages import Wish, random_stage
from tests.simulation.truth import truth_of

NEEDS = {
    "jump": Wish(checkpoints=1, jump=True),
    "bridge": Wish(checkpoints=3, bridge=True),
    "wrong_turn": Wish(checkpoints=3, bridge=True),
    "boost": Wish(boost=True),
    "oil": Wish(checkpoints=1, oil=True),
    "pipe": Wish(pipe=True),
}
"""What a scenario needs of a stage; others are driven on any stage."""
ANY = (Wish(), Wish(checkpoints=3), *NEEDS.values())
CLEAR_TO_READ: list[tuple[str, dict[str, Any]]] = [
    ("clean", {}),
    ("brushes", {"margins": [0.4, 0.9]}),
    ("break_ignored", {"depth": 1.5}),
    ("lift", {"honoured": False}),
    ("dry", {"gaps": [0.8, 1.4]}),
    ("jump", {"how": "ok"}),
    ("jump", {"how": "landing", "margin": -4.0}),
    ("wrong_turn", {}),
    ("boost", {"how": "missed", "honoured": False}),
    ("oil", {"how": "three"}),
    ("oil", {"how": "two"}),
    ("oil", {"how": "near_miss"}),
    ("unfinished", {}),
    ("pipe", {}),
    ("bridge", {}),
]
"""Scenarios whose ink can be read in one way only: no stretch is driven twice."""
QUIET = settings(
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)


def random_race(seed: int, scenarios: list[tuple[str, dict[str, Any]]]) -> Race:
    """A race of one of the scenarios on one of the stages; draws that do not go together are thrown away."""
    rng = np.random.default_rng(seed)
    scenario, asked = scenarios[int(rng.integers(len(scenarios)))]
    wish = NEEDS.get(scenario) or ANY[int(rng.integers(len(ANY)))]
    stage = random_stage(int(rng.integers(6)), wish, (260, 180) if wish.bridge else (200, 140))
    try:
        return drive(stage, scenario, seed, **asked)
    except CannotDriveError:
        assume(False)
        raise


@settings(QUIET, max_examples=30)
@given(seed=st.integers(0, 10**6))
def test_the_strokes_of_a_random_drive_come_back_with_its_events(seed: int) -> None:
    race = random_race(seed, SCENARIO_CHANCES)
    assert misjudged(race) == []


@settings(QUIET, max_examples=10)
@given(seed=st.integers(0, 10**6), px_per_mm=st.floats(5.0, 10.0))
def test_the_ink_of_a_random_drive_comes_back_with_its_events(seed: int, px_per_mm: float) -> None:
    race = random_race(seed, CLEAR_TO_READ)
    ink = coverage(race.strokes, race.stage.size_mm, px_per_mm)
    path = readings(ink, guide_of(race.stage))[0]
    assert differences(truth_of(race), judge(measure(path, race.stage)), Leeway(0.12)) == []
