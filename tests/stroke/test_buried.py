"""Ends of ink among other ink: what shows of them is found, what does not is not made up."""

from __future__ import annotations

import numpy as np
import pytest

from referee.model import Floats
from referee.stroke.buried import buried_tip
from referee.stroke.edges import Line, resample
from tests.stroke.drawing import line, paint

PEN = 2.4
ROAD = line((8, 30), (92, 30))


def measured(points: Floats) -> Line:
    even = resample(points)
    return Line(even, np.full((len(even), 2), PEN / 2), np.ones(len(even), bool))


@pytest.mark.parametrize("lead_deg", [-20, 0, 20])
@pytest.mark.parametrize("beside", [2.1, 2.5])
def test_a_tip_beside_another_line_is_found_though_the_way_there_leads_past_it(beside: float, lead_deg: float) -> None:
    drawn = line((60, 46), (40, 30 + beside))
    way = drawn[-1] - drawn[0]
    turn = np.deg2rad(lead_deg)
    turned = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]) @ way / np.hypot(*way)
    corner = drawn[-1] - way / np.hypot(*way) * 2.0
    led = measured(np.vstack([drawn[:-8], corner, corner + turned * 2.0]))
    end, look, _, _ = buried_tip(paint([(PEN, ROAD), (PEN, drawn)]), led, 12, PEN)
    assert look == "free"
    assert np.hypot(*(end.points_mm[-1] - drawn[-1])) < 0.45


@pytest.mark.parametrize("ends_at", [28.8, 30.0, 31.2])
def test_a_tip_under_another_line_is_covered(ends_at: float) -> None:
    drawn = line((50, 46), (50, ends_at))
    led = measured(line((50, 46), (50, 32)))
    assert buried_tip(paint([(PEN, ROAD), (PEN, drawn)]), led, 12, PEN)[1] == "covered"


def test_a_line_that_runs_on_under_another_has_no_tip_there() -> None:
    led = measured(line((50, 46), (50, 32)))
    assert buried_tip(paint([(PEN, ROAD), (PEN, line((50, 46), (50, 12)))]), led, 12, PEN)[1] == "covered"
