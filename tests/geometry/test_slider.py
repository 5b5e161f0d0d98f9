"""Ink moved across a boundary in tenths of a millimetre: safe, too close to call, broken, each passed once."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest

from referee.model import Judgement
from tests.geometry import stages
from tests.geometry.stages import EDGE, bump, drive, race, ring

SIGMA = 0.1
STEPS = np.round(np.arange(-1.5, 1.51, 0.1), 6)
"""How far past the boundary the ink is, in mm."""


def over_the_line(past: float) -> Judgement:
    return race(stages.straight(), drive((20, 50), *bump(140, 50 + EDGE + past), (280, 50), sigma=SIGMA))


def over_the_line_on_the_other_side(past: float) -> Judgement:
    return race(stages.straight(), drive((20, 50), *bump(140, 50 - EDGE - past), (280, 50), sigma=SIGMA))


def into_the_island(past: float) -> Judgement:
    way = (*bump(150, 39.75 + past, 20, 34), (280, 34))
    return race(stages.island(), drive((20, 50), (95, 50), (110, 34), *way, sigma=SIGMA))


def out_of_the_jump_zone(past: float) -> Judgement:
    first = drive((20, 50), (120 - past, 50), sigma=SIGMA)
    return race(stages.jump(), first, drive((180, 50), (280, 50), sigma=SIGMA))


def out_behind_the_jump_zone(past: float) -> Judgement:
    first = drive((20, 50), (140 + past, 50), sigma=SIGMA)
    return race(stages.jump(), first, drive((180, 50), (280, 50), sigma=SIGMA))


def out_of_the_landing_zone(past: float) -> Judgement:
    first = drive((20, 50), (130, 50), sigma=SIGMA)
    return race(stages.jump(), first, drive((190 + past, 50), (280, 50), sigma=SIGMA))


def away_from_the_arrow(past: float) -> Judgement:
    return race(stages.straight(), drive((28 + 8 + past, 50), (280, 50), sigma=SIGMA))


def away_from_the_checkpoint(past: float) -> Judgement:
    crash = drive((20, 50), (140, 50), (150, 66), sigma=SIGMA)
    return race(stages.straight(), crash, drive((110 + past, 50), (280, 50), sigma=SIGMA))


def past_the_slowdown_zone(past: float) -> Judgement:
    return race(stages.boost(), drive((20, 46), (140, 50 - past), (170, 50 - past), (280, 46), sigma=SIGMA))


def onto_the_oil(past: float) -> Judgement:
    way = ((95, 60), (109, 44.7 + 1.25 - past), (111, 44.7 + 1.25 - past), (125, 60))
    return race(stages.oil(), drive((20, 60), *way, (280, 60), sigma=SIGMA))


def rings_together(past: float) -> Judgement:
    rings = (*ring(150, 50), *ring(150 + 10.5 - past, 50), *ring(200, 50))
    dip = ((95, 50), (110, 45.0), (120, 50))
    return race(stages.oil(), drive((20, 50), *dip, *rings, (280, 50), sigma=SIGMA / 1.4142))


SLIDERS: dict[Callable[[float], Judgement], str] = {
    over_the_line: "ignored-accident",
    over_the_line_on_the_other_side: "ignored-accident",
    into_the_island: "ignored-accident",
    out_of_the_jump_zone: "ignored-accident",
    out_behind_the_jump_zone: "ignored-accident",
    out_of_the_landing_zone: "ignored-accident",
    away_from_the_arrow: "ignored-accident",
    away_from_the_checkpoint: "ignored-accident",
    past_the_slowdown_zone: "ignored-accident",
    onto_the_oil: "ignored-accident",
    rings_together: "ignored-accident",
}


@pytest.mark.parametrize("slide", SLIDERS, ids=lambda slide: slide.__name__)
def test_every_boundary_is_passed_once(slide: Callable[[float], Judgement]) -> None:
    verdicts = [slide(float(past)).verdict for past in STEPS]
    changes = [(a, b) for a, b in pairwise(verdicts) if a != b]
    assert changes == [("fair", "review"), ("review", SLIDERS[slide])]
    close = [past for past, verdict in zip(STEPS, verdicts, strict=True) if verdict == "review"]
    assert min(close) == pytest.approx(-0.1, abs=0.11)
    assert max(close) == pytest.approx(0.1, abs=0.11)


def test_the_margin_of_a_contact_follows_the_ink() -> None:
    margins = [
        next(e.margin_mm for e in over_the_line(float(p)).events if e.kind in ("brush", "accident")) for p in STEPS
    ]
    assert margins == pytest.approx([-p for p in STEPS], abs=0.01)


def test_what_is_too_close_to_call_is_never_certain() -> None:
    for past in STEPS[np.abs(STEPS) < 0.19]:
        done = over_the_line(float(past))
        assert done.accidents == 0
        assert not any(e.certain for e in done.events if e.kind == "accident")
