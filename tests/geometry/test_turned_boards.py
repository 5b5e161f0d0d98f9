"""A board turned, shifted or mirrored as a whole, ink and all, is judged the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import affinity

from referee.model import Floats, Judgement, Stage, Stroke
from tests.geometry import stages
from tests.geometry.stages import EDGE, bump, drive, race, ring

Turn = tuple[float, float, float, float, float, float]
"""a, b, d, e, x, y of the map (x, y) -> (a x + b y + x, d x + e y + y), as shapely has it."""


def turned_stage(stage: Stage, turn: Turn) -> Stage:
    def area(shape):  # type: ignore[no-untyped-def]
        return affinity.affine_transform(shape, turn)

    def points(line: Floats) -> Floats:
        return line @ np.array([[turn[0], turn[2]], [turn[1], turn[3]]]) + np.array(turn[4:])

    def zones(row):  # type: ignore[no-untyped-def]
        return tuple(replace(z, shape=area(z.shape)) for z in row)

    return replace(
        stage,
        course=tuple(points(piece) for piece in stage.course),
        sections=tuple(replace(s, road=area(s.road)) for s in stage.sections),
        white_lines=tuple(replace(w, points_mm=points(w.points_mm), band=area(w.band)) for w in stage.white_lines),
        start=area(stage.start),
        finish_mm=points(stage.finish_mm),
        checkpoints=tuple(replace(c, points_mm=points(c.points_mm)) for c in stage.checkpoints),
        jumps=zones(stage.jumps),
        landings=zones(stage.landings),
        accelerations=zones(stage.accelerations),
        slowdowns=zones(stage.slowdowns),
        pipes=zones(stage.pipes),
        oil_spills=tuple(replace(o, shape=area(o.shape), reach=area(o.reach)) for o in stage.oil_spills),
    )


def turned_stroke(stroke: Stroke, turn: Turn) -> Stroke:
    matrix = np.array([[turn[0], turn[2]], [turn[1], turn[3]]])
    return replace(stroke, points_mm=stroke.points_mm @ matrix + np.array(turn[4:]))


ROUND = (
    (20, 50),
    (200, 50),
    (250, 50),
    (250, 195),
    (200, 195),
    (200, 15),
    (100, 15),
    (100, 40),
    (112.5, 50),
    (100, 60),
)
RACES: dict[str, tuple[Callable[[], Stage], list[Stroke]]] = {
    "break honoured": (
        # the second try brushes the other line
        stages.bend,
        [drive((20, 50), (130, 50), (140, 66)), drive((95, 50), *bump(130, 39.65), (150, 50), (180, 90), (180, 195))],
    ),
    "bridge": (stages.bridge, [drive(*ROUND, (100, 175))]),
    "wrong turn": (stages.bridge, [drive((20, 50), (100, 50), (100, 175))]),
    "jump": (stages.jump, [drive((20, 50), (130, 50)), drive((180, 50), (280, 50))]),
    "oil": (
        stages.oil,
        [drive((20, 50), (95, 50), (110, 45.0), (120, 50), *ring(150, 50), *ring(165, 50), *ring(180, 50), (280, 50))],
    ),
    "boost": (stages.boost, [drive((20, 46), (280, 46))]),
    "divider": (
        stages.shared_divider,
        [drive((20, 50), *bump(140, 50 + EDGE - 0.4), (208, 50), (210, 60), (208, 72), (30, 72))],
    ),
}  # fmt: skip


def short(judgement: Judgement) -> list[tuple[object, ...]]:
    return [
        (e.kind, e.cause, e.element, e.outcome, e.stroke, None if e.margin_mm is None else round(e.margin_mm, 2))
        for e in judgement.events
    ]


@pytest.mark.parametrize("name", RACES)
@settings(max_examples=6, deadline=None, derandomize=True)
@given(
    angle=st.floats(0, 2 * np.pi), x=st.floats(-300, 300), y=st.floats(-300, 300), mirrored=st.booleans()
)  # fmt: skip
def test_a_turned_board_is_judged_the_same(name: str, angle: float, x: float, y: float, mirrored: bool) -> None:
    make, strokes = RACES[name]
    stage, flip = make(), -1.0 if mirrored else 1.0
    turn = (np.cos(angle), -flip * np.sin(angle), np.sin(angle), flip * np.cos(angle), x, y)
    turned = race(turned_stage(stage, turn), *(turned_stroke(stroke, turn) for stroke in strokes))
    plain = race(stage, *strokes)
    assert [s[:5] for s in short(turned)] == [s[:5] for s in short(plain)]
    margins = [(s[5], t[5]) for s, t in zip(short(plain), short(turned), strict=True) if s[5] is not None]
    assert [b for _, b in margins] == pytest.approx([a for a, _ in margins], abs=0.03)
    assert turned.verdict == plain.verdict
