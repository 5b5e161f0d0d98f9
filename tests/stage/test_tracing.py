"""A tracing comes from anywhere: what makes no sense is refused, what is left makes a file that the loader takes."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from referee.errors import BadTracing
from referee.stage.load import parse_stage
from referee.stage.missing import look_over
from referee.stage.tracing import MOST_ELEMENTS, MOST_POINTS_A_LINE, told_of, tracing_from
from referee.stage.write import traced_of, written
from tests.stage.boards import stage_of

WHOLE: dict[str, Any] = {
    "size_mm": [200, 100],
    "number": 120,
    "name": "Straight on",
    "elements": [
        {"kind": "white-line", "points": [[10, 40], [190, 40]], "width_mm": 2},
        {"kind": "white-line", "points": [[10, 62], [190, 62]], "width_mm": 2},
        {"kind": "course", "points": [[15, 50], [100, 52], [185, 51]]},
        {"kind": "start", "points": [[20, 50], [20, 52], [30, 51]]},
        {"kind": "checkpoint", "points": [[100, 42], [101, 60]]},
        {"kind": "finish", "points": [[170, 42], [170, 60]]},
    ],
}


def with_elements(*more: dict[str, Any], without: str = "") -> dict[str, Any]:
    return {**WHOLE, "elements": [one for one in WHOLE["elements"] if one["kind"] != without] + list(more)}


def errors(told: dict[str, Any]) -> list[str]:
    return [lack.text for lack in look_over(tracing_from(told)).lacks if lack.level == "error"]


def test_a_whole_tracing_lacks_nothing_and_is_a_stage() -> None:
    look = look_over(tracing_from(WHOLE))
    assert look.lacks == ()
    assert look.stage is not None
    assert look.stage.checkpoints[0].points_mm[:, 1] == pytest.approx([41, 61], abs=0.02)


def test_a_tracing_survives_json() -> None:
    tracing = tracing_from(WHOLE)
    assert tracing_from(json.loads(json.dumps(told_of(tracing)))) == tracing


@pytest.mark.parametrize("kind", ["white-line", "course", "start", "finish"])
def test_what_is_missing_is_named(kind: str) -> None:
    assert errors(with_elements(without=kind))


def test_a_jump_without_its_landing_is_named() -> None:
    jump = {"kind": "jump", "key": "waves", "points": [[60, 42], [70, 42], [70, 60], [60, 60]]}
    assert any("waves" in text for text in errors(with_elements(jump)))
    landing = {"kind": "landing", "key": "waves", "points": [[80, 42], [90, 42], [90, 60], [80, 60]]}
    assert errors(with_elements(jump, landing)) == []


def test_the_course_is_cut_where_it_leads_through_the_air() -> None:
    jump = {"kind": "jump", "key": "waves", "points": [[60, 42], [70, 42], [70, 60], [60, 60]]}
    landing = {"kind": "landing", "key": "waves", "points": [[80, 42], [90, 42], [90, 60], [80, 60]]}
    stage = look_over(tracing_from(with_elements(jump, landing))).stage
    assert stage is not None
    assert len(stage.course) == 2


def test_a_course_the_wrong_way_round_is_told() -> None:
    back = {"kind": "course", "points": [[185, 51], [100, 52], [15, 50]]}
    assert any("start arrow" in text for text in errors(with_elements(back, without="course")))


def test_an_outline_that_crosses_itself_is_told_with_its_element() -> None:
    bow = {"kind": "oil-spill", "points": [[50, 45], [60, 55], [60, 45], [50, 55]]}
    lacks = look_over(tracing_from(with_elements(bow))).lacks
    assert [lack.element for lack in lacks if "crosses itself" in lack.text] == [6]


def test_names_with_markup_stay_names() -> None:
    name = "<script>alert(1)</script>\" data-kind='course' &amp; ]]>"
    stage = parse_stage(written(tracing_from({**WHOLE, "name": name, "theme": name})), "x.svg")
    assert stage.name == name


def tangle(count: int, reach_mm: float) -> list[list[float]]:
    return [[90 + reach_mm * math.sin(i * 2.4), 50 + reach_mm * math.cos(i * 3.1)] for i in range(count)]


@pytest.mark.parametrize("kind", ["course", "white-line", "checkpoint", "finish", "jump", "oil-spill"])
def test_a_checker_is_never_thrown_off_by_what_is_drawn(kind: str) -> None:
    for points in (tangle(300, 45), tangle(40, 4), [[5, 5]] * 9, [[5, 5]], []):
        for told in (
            with_elements({"kind": kind, "points": points}),
            {**WHOLE, "elements": [{"kind": kind, "points": points}]},
        ):
            try:
                tracing = tracing_from(told)
            except BadTracing:
                assert len(points) == 300
            else:
                assert look_over(tracing).lacks


@pytest.mark.parametrize(
    "told",
    [
        None,
        [],
        "course",
        {},
        {"size_mm": [200, 100], "elements": "all"},
        {"size_mm": [200, math.nan], "elements": []},
        {"size_mm": [200, 1e300], "elements": []},
        {"size_mm": [True, 100], "elements": []},
        {**WHOLE, "number": 0},
        {**WHOLE, "number": "7"},
        {**WHOLE, "number": 10**30},
        {**WHOLE, "name": 3},
        {**WHOLE, "elements": [{"kind": "road", "points": []}]},
        {**WHOLE, "elements": [{"kind": "course", "points": [[math.inf, 0]]}]},
        {**WHOLE, "elements": [{"kind": "course", "points": [[math.nan, 0]]}]},
        {**WHOLE, "elements": [{"kind": "course", "points": [[1, 2, 3]]}]},
        {**WHOLE, "elements": [{"kind": "course", "points": [["1", 2]]}]},
        {**WHOLE, "elements": [{"kind": "course", "points": [[5000, 2]]}]},
        {**WHOLE, "elements": [{"kind": "course", "points": [[10**400, 2]]}]},
        {**WHOLE, "elements": [{"kind": "white-line", "points": [], "width_mm": 1e9}]},
        {**WHOLE, "elements": [{"kind": "course", "points": [[1, 2]] * (MOST_POINTS_A_LINE + 1)}]},
        {**WHOLE, "elements": [{"kind": "pipe", "points": []}] * (MOST_ELEMENTS + 1)},
        {**WHOLE, "elements": [{"kind": "pipe", "points": [[1, 2]] * 2000}] * 20},
    ],
)
def test_what_makes_no_sense_is_refused(told: object) -> None:
    with pytest.raises(BadTracing):
        tracing_from(told)


def test_a_stage_can_be_traced_back_and_written_again() -> None:
    stage = stage_of()
    again = parse_stage(written(traced_of(stage)), "again.svg")
    assert [zone.key for zone in again.jumps] == [zone.key for zone in stage.jumps]
    assert len(again.oil_spills) == len(stage.oil_spills)
    assert [one.order for one in again.checkpoints] == [1, 2, 3]
