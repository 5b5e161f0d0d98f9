"""Ink that is only beside the road is no race, whatever is printed on the road."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest
from shapely.geometry import LineString
from shapely.ops import unary_union

import referee
from referee.model import Stage
from referee.stage.load import load_stage
from referee.stage.render import artwork
from tests.simulation.hand import Drawn
from tests.simulation.paint import INKS, Marker, Rgb, scribble, texture, written
from tests.simulation.snapshot import random_camera, snapshot

STAGES = Path(__file__).parents[1] / "stage_masks"
CLEAR_MM = 2.0


@lru_cache(maxsize=1)
def board(number: int) -> tuple[Stage, Rgb]:
    stage = load_stage(STAGES / f"stage-{number:02d}.svg")
    return stage, artwork(stage, "A", 12.0)


def beside_the_road(stage: Stage, rng: np.random.Generator, count: int) -> list[Drawn]:
    road = unary_union([section.road for section in stage.sections]).buffer(CLEAR_MM)
    lines: list[Drawn] = []
    while len(lines) < count:
        at = rng.uniform([25, 15], np.array(stage.size_mm) - [25, 15])
        points = scribble(rng, at, rng.uniform(12, 40))
        width = rng.uniform(1.8, 3)
        if not road.intersects(LineString(points)):
            lines.append(written(points, width))
    return lines


@pytest.mark.parametrize(("number", "seed"), [(1, 12), (5, 23), (11, 30), (11, 35), (13, 13)])
def test_scribbles_beside_the_road_are_no_race(number: int, seed: int) -> None:
    stage, clean = board(number)
    rng = np.random.default_rng([seed, 7])
    inked = texture(
        clean, beside_the_road(stage, rng, 1 + seed % 4), Marker(list(INKS)[seed % 4]), [], rng, stage.size_mm
    )
    picture, _ = snapshot(inked, stage.size_mm, random_camera(rng), rng)
    report = referee.judge(picture)
    assert report.failure is not None, report.judgement and report.judgement.events
    assert report.failure.code == "no-ink"
