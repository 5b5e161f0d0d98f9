"""Ink that is only beside the road is no race, whatever is printed on the road."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest
from shapely.geometry import LineString
from shapely.ops import unary_union

import referee
from referee.model import Floats, Stage
from referee.stage.load import load_stage
from referee.stage.render import artwork
from tests.simulation.hand import Drawn
from tests.simulation.paint import INKS, Marker, Rgb, texture
from tests.simulation.snapshot import random_camera, snapshot

STAGES = Path(__file__).parents[1] / "stage_masks"
CLEAR_MM = 2.0


@lru_cache(maxsize=1)
def board(number: int) -> tuple[Stage, Rgb]:
    stage = load_stage(STAGES / f"stage-{number:02d}.svg")
    return stage, artwork(stage, "A", 12.0)


def scribble(rng: np.random.Generator, at: Floats, length_mm: float) -> Floats:
    t = np.linspace(0, 1, 220)
    waves = rng.uniform(5, 8)
    x = (t - 0.5) * length_mm + 1.6 * np.sin(2 * np.pi * waves * t)
    y = 2.6 * np.cos(2 * np.pi * waves * t) * (0.6 + 0.4 * np.sin(9 * t + rng.uniform(0, 6)))
    return np.asarray(at + np.column_stack([x, y]))


def beside_the_road(stage: Stage, rng: np.random.Generator, count: int) -> list[Drawn]:
    road = unary_union([section.road for section in stage.sections]).buffer(CLEAR_MM)
    written: list[Drawn] = []
    while len(written) < count:
        at = rng.uniform([25, 15], np.array(stage.size_mm) - [25, 15])
        points = scribble(rng, at, rng.uniform(12, 40))
        width = rng.uniform(1.8, 3)
        if not road.intersects(LineString(points)):
            written.append(Drawn(points, np.full(len(points), np.nan), width, "start"))
    return written


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
