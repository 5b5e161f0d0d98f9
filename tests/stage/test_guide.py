"""What a stage tells those who read the ink."""

from __future__ import annotations

import numpy as np
import pytest

from referee.stage.course import along, with_sections
from referee.stage.guide import guide_of
from tests.stage.boards import BRIDGE, RULER, stage_of


def test_the_heading_is_the_courses_direction_at_the_arrow() -> None:
    assert guide_of(stage_of()).heading == pytest.approx([1, 0])
    turned = {"course": '<path id="course" data-kind="course" d="M37 59V50H180M198 50H280"/>'}
    guide = guide_of(stage_of(change=turned | {"start": '<path data-kind="start" d="M35 53h4v4h-4z"/>'}))
    assert guide.heading == pytest.approx([0, -1])


def test_restarts_begin_with_the_start_and_follow_the_course() -> None:
    guide = guide_of(stage_of(dict(reversed(RULER.items()))))
    assert [name for name, _ in guide.restarts] == ["start", "checkpoint-1", "checkpoint-2", "checkpoint-3"]
    assert np.array_equal(guide.restarts[0][1], guide.start_mm)
    assert guide.finish_mm.tolist() == [[270, 40], [270, 60]]


def test_leaps_lead_from_each_jump_to_its_landing_in_course_order() -> None:
    early = '<rect id="jump-0" data-kind="jump" data-pattern="dots" x="60" y="40" width="20" height="20"/>'
    late = '<rect id="landing-0" data-kind="landing" data-pattern="dots" x="104" y="40" width="20" height="20"/>'
    guide = guide_of(stage_of(extra=early + late))
    corners = [(jump.min(axis=0).tolist(), landing.min(axis=0).tolist()) for jump, landing in guide.leaps]
    assert corners == [([60, 40], [104, 40]), ([155, 40], [198, 40])]


def test_the_course_knows_the_road_it_is_on_under_and_over_a_bridge() -> None:
    stage = stage_of(BRIDGE)
    way = with_sections(along(stage.course), [section.road for section in stage.sections])
    crossing = np.flatnonzero(np.hypot(*(way.points_mm - [140, 120]).T) < 2)
    assert set(way.section[crossing].tolist()) == {2, 4}
    assert np.all(np.diff(way.section) >= 0)


def test_a_place_along_the_course_is_found_from_what_it_meets() -> None:
    stage = stage_of()
    way = along(stage.course)
    assert way.length_mm == pytest.approx(155 + 82)
    assert way.place_of(stage.pipes[0].shape) == pytest.approx(155 + 30, abs=0.5)
    assert way.place_of(stage.jumps[0].shape) == pytest.approx(130, abs=0.5)
