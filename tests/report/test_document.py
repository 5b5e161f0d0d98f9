"""The report as other programs read it."""

import json
from dataclasses import replace

import numpy as np
import pytest

from referee.model import Report
from referee.report.document import document, dumps
from tests.report import by_hand


def test_a_judged_board_has_every_field_of_format_1() -> None:
    told = document(by_hand.report())
    assert told["format"] == 1
    assert told["source"] == "IMG_2041.jpg"
    assert told["stage"] == {"number": 7, "name": "Duck Pond", "copy": "A"}
    assert (told["verdict"], told["finished"], told["accidents"], told["donuts"]) == ("fair", True, 1, 0)
    assert told["reasons"] == [{"code": "honoured", "rule": "R3", "event": 3, "text": "The accident was honoured."}]
    assert told["unseen"] == [{"from_mm": 40.0, "to_mm": 52.5, "why": "glare"}]
    assert told["timing_ms"] == {"decode": 88.0, "total": 240.0}
    assert told["other_readings"][0]["verdict"] == "ignored-accident"
    assert "error" not in told


def test_the_board_says_how_it_was_found_and_where_it_lies() -> None:
    board = document(by_hand.report())["board"]
    assert set(board) == {"found_by", "scale_px_per_mm", "uncertainty_mm", "corners_px"}
    assert board["corners_px"][0] == [90.0, 120.0]
    assert len(board["corners_px"]) == 4


def test_an_accident_carries_cause_outcome_and_restart() -> None:
    assert document(by_hand.report())["events"][3] == {
        "seq": 3, "kind": "accident", "cause": "white-line", "rule": "R2", "element": "white-line-1",
        "at_mm": [70.0, 27.7], "stroke": 0, "margin_mm": -1.9, "uncertainty_mm": 0.09, "certain": True,
        "outcome": "honoured", "restart_element": "start",
    }  # fmt: skip


def test_an_event_without_a_margin_says_null() -> None:
    assert document(by_hand.report())["events"][2]["margin_mm"] is None


def test_a_near_miss_without_an_event_names_its_element_and_place() -> None:
    miss = document(by_hand.report())["near_misses"][1]
    assert miss == {
        "event": None, "element": "oil-spill-1", "at_mm": [82.0, 38.6], "margin_mm": 2.1, "uncertainty_mm": 0.1,
        "picture": None,
    }  # fmt: skip


def test_a_close_up_is_named_only_where_there_is_one() -> None:
    misses = document(by_hand.report(), {0: "near-miss-1.jpg"})["near_misses"]
    assert [miss["picture"] for miss in misses] == ["near-miss-1.jpg", None]


def test_the_path_lists_every_stroke_with_its_width() -> None:
    path = document(by_hand.report())["path"]
    assert [stroke["stroke"] for stroke in path] == [0, 1]
    assert path[0]["width_mm"] == 3.0
    assert path[0]["points_mm"][0] == [15.0, 45.97]


def test_a_failure_stands_in_place_of_the_verdict() -> None:
    told = document(by_hand.failed())
    assert told["error"]["code"] == "no-board"
    assert set(told["error"]) == {"code", "message", "hint"}
    assert "verdict" not in told
    assert told["board"] is None
    assert told["stage"] is None


def test_a_failure_keeps_the_board_and_stage_that_were_found() -> None:
    found = replace(by_hand.failed(), stage=by_hand.stage(), copy="B", view=by_hand.view())
    assert document(found)["stage"]["copy"] == "B"
    assert document(found)["board"]["uncertainty_mm"] is None


def test_a_report_with_neither_verdict_nor_failure_is_refused() -> None:
    with pytest.raises(ValueError, match="neither"):
        document(Report("IMG_1.jpg"))


def test_a_number_that_is_none_becomes_null_and_never_nan() -> None:
    event = by_hand.with_event(margin_mm=float("nan"), uncertainty_mm=float("inf"), at_mm=(-0.0001, np.float64(2)))
    told = document(replace(by_hand.report(), judgement=replace(by_hand.judgement(), events=(event,))))
    assert told["events"][0]["margin_mm"] is None
    assert told["events"][0]["uncertainty_mm"] is None
    assert str(told["events"][0]["at_mm"]) == "[0.0, 2.0]"
    assert "NaN" not in dumps([told], as_array=False)


def test_one_board_is_an_object_and_several_are_an_array() -> None:
    told = document(by_hand.report())
    assert json.loads(dumps([told], as_array=False)) == told
    assert json.loads(dumps([told, told], as_array=True)) == [told, told]
    assert json.loads(dumps([], as_array=True)) == []
