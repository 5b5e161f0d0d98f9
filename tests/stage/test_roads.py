"""Roads, sections and sides of a traced board are worked out: a built-in stage without them comes back the same."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest
import shapely
from shapely.geometry import LineString

from referee.geometry.measure import measure
from referee.model import Judgement, Stage
from referee.rules.judge import judge
from referee.stage.check import bridges, remarks_on
from referee.stage.load import load_stage, parse_stage
from referee.stage.roads import Line, roads_of
from referee.stage.write import traced_of, written
from stage_masks.drawing.__main__ import file_name
from tests.simulation.blindfold import blind_drive
from tests.simulation.playtest import led_races

FOLDER = Path(__file__).resolve().parents[2] / "stage_masks"
built_in = pytest.mark.parametrize("number", range(1, 17))
LED = range(0, 60, 9)
SAME_PLACE_MM = 2.0
"""A brush is placed where it is deepest, which along a smooth line may be anywhere."""
AREA_OFF = 0.003
"""So small a part of the road may lie elsewhere."""


@cache
def stage(number: int) -> Stage:
    return load_stage(FOLDER / file_name(number))


@cache
def worked_out(number: int) -> Stage:
    """The stage without its roads and sections, worked out again from its course and white lines."""
    return parse_stage(written(traced_of(stage(number))), "worked-out.svg")


def road_of(stage: Stage) -> shapely.Geometry:
    return shapely.union_all([section.road for section in stage.sections])


def told(judgement: Judgement) -> list[tuple[object, ...]]:
    """What happened, without the names that a tracing gives anew."""
    return [(event.kind, event.rule, event.cause, event.outcome, event.stroke) for event in judgement.events]


def places(judgement: Judgement) -> np.ndarray:
    return np.array([event.at_mm for event in judgement.events])


@built_in
def test_the_road_of_a_built_in_stage_is_worked_out_to_its_edges(number: int) -> None:
    ours, theirs = road_of(worked_out(number)), road_of(stage(number))
    assert ours.symmetric_difference(theirs).area < AREA_OFF * theirs.area


@built_in
def test_a_stage_that_was_worked_out_leaves_its_checker_nothing_to_remark_on_its_road(number: int) -> None:
    assert [one.text for one in remarks_on(worked_out(number)) if "reference picture" not in one.text] == []


@built_in
def test_bridges_are_found_again(number: int) -> None:
    assert len(bridges(worked_out(number))) == len(bridges(stage(number)))


@built_in
def test_the_same_drives_come_to_the_same_events(number: int) -> None:
    before, after = stage(number), worked_out(number)
    races = [*(blind_drive(before, seed) for seed in (0, 1)), *(race for _, race in led_races(before, LED))]
    assert len(races) > 4
    for race in races:
        path = race.path()
        one, other = judge(measure(path, before)), judge(measure(path, after))
        assert (one.verdict, told(one)) == (other.verdict, told(other)), race.scenario
        assert np.abs(places(one) - places(other)).max() < SAME_PLACE_MM


def line(*points: tuple[float, float]) -> Line:
    return Line(np.array(points, float))


STRAIGHT = [line((0, 40), (100, 40)), line((0, 62), (100, 62))]


def test_a_course_that_was_drawn_by_a_shaky_hand_is_moved_to_the_middle() -> None:
    shaky = np.array([(5, 48), (30, 54), (55, 49), (95, 53)], float)
    course = roads_of([shaky], STRAIGHT).course[0]
    assert np.abs(course[:, 1] - 51).max() < 0.6


def test_the_road_runs_on_behind_the_course_as_far_as_its_lines() -> None:
    course = np.array([(10, 51), (90, 51)], float)
    assert roads_of([course], STRAIGHT).roads[0].bounds == pytest.approx((0, 41, 100, 61), abs=0.6)


def test_a_line_across_the_road_behind_the_start_closes_it() -> None:
    lines = [line((4, 62), (4, 40), (100, 40)), line((4, 62), (100, 62))]
    assert roads_of([np.array([(15, 51), (90, 51)], float)], lines).roads[0].bounds[0] == pytest.approx(5, abs=0.1)


def test_a_stretch_without_a_line_is_told_with_its_side() -> None:
    lines = [STRAIGHT[0], line((0, 62), (30, 62)), line((80, 62), (100, 62))]
    bare = roads_of([np.array([(2, 51), (98, 51)], float)], lines).bare
    assert [(one.side, round(one.from_mm, -1), round(one.to_mm, -1)) for one in bare] == [(1, 30, 80)]


def test_the_road_above_lends_the_one_below_no_edge() -> None:
    above = [line((40, 0), (40, 100)), line((62, 0), (62, 100))]
    below = [line((0, 40), (39, 40)), line((63, 40), (100, 40)), line((0, 62), (39, 62)), line((63, 62), (100, 62))]
    around = np.array([(2, 51), (98, 51), (98, 98), (130, 98), (130, 3), (51, 3), (51, 98)], float)
    found = roads_of([around], [*above, *below])
    first, last = found.roads[0], found.roads[-1]
    assert first.intersection(last).area == pytest.approx(20 * 20, rel=0.05)
    assert all(not {1, len(found.roads)} <= set(numbers) for numbers in found.beside)


def test_no_white_line_at_all_still_makes_a_road() -> None:
    road = roads_of([np.array([(10, 50), (90, 50)], float)], []).roads[0]
    assert road.contains(LineString([(12, 50), (88, 50)]))
