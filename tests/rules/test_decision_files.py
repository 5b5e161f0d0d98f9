"""Decisions as files: what a report names can be copied, and whatever else somebody writes gets one clear line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from referee.errors import WrongUsage
from referee.model import Decision
from referee.rules.decisions import decision_from_json, decisions_from_file, decisions_from_text

GOOD = {
    "rule": "R2", "kind": "white-line", "element": "white-line-5", "at_mm": [140.0, 77.7], "answer": "no",
    "reason": "We all saw it.", "who": "Ann", "when": "2026-12-01 15:04",
}  # fmt: skip


def test_a_decision_is_read_as_it_stands() -> None:
    ((source, read),) = decisions_from_text(json.dumps([{**GOOD, "source": "a.jpg", "stroke": 1, "copy": "B"}]))
    assert source == "a.jpg"
    assert read == Decision(
        "R2", "white-line", (140.0, 77.7), "no", "white-line-5", 1, (), "We all saw it.", "Ann", "2026-12-01 15:04",
        None, "B",
    )  # fmt: skip


def test_a_whole_report_is_read_with_its_board() -> None:
    report = {"format": 1, "source": "b.jpg", "stage": {"number": 7, "name": "Pond", "copy": "A"}, "decisions": [GOOD]}
    for whole in (report, [report]):
        ((source, read),) = decisions_from_text(json.dumps(whole))
        assert (source, read.stage, read.copy) == ("b.jpg", 7, "A")


def test_a_report_on_one_of_two_boards_without_markers_is_read_with_its_side() -> None:
    stage = {"number": 7, "name": "Pond", "copy": None}
    report = {"source": "b.jpg", "stage": stage, "board": {"side": "right"}, "decisions": [GOOD]}
    ((_, read),) = decisions_from_text(json.dumps(report))
    assert (read.stage, read.copy, read.side) == (7, None, "right")
    ((_, none),) = decisions_from_text(json.dumps({**report, "board": None}))
    assert none.side is None


def test_an_order_is_named_by_its_strokes() -> None:
    order = {"rule": "R3", "kind": "order", "at_mm": [1, 2], "answer": "yes", "strokes": [[[1, 2], [3, 4]]]}
    assert decision_from_json(order).strokes == (((1.0, 2.0), (3.0, 4.0)),)


def test_a_field_that_is_null_is_left_out() -> None:
    assert decision_from_json({**GOOD, "element": None, "stroke": None}).element is None


HOSTILE: list[tuple[Any, str]] = [
    ({**GOOD, "answer": "maybe"}, 'answer must be yes or no, got "maybe"'),
    ({**GOOD, "answer": True}, "answer must be yes or no, got true"),
    ({**GOOD, "anser": "no"}, 'no field called "anser"'),
    ({k: v for k, v in GOOD.items() if k != "answer"}, "answer is missing"),
    ({**GOOD, "at_mm": [1]}, "at_mm must be"),
    ({**GOOD, "at_mm": [1, float("nan")]}, "at_mm must be"),
    ({**GOOD, "at_mm": [1, float("inf")]}, "at_mm must be"),
    ({**GOOD, "at_mm": [10**400, 1]}, "at_mm must be"),
    ({**GOOD, "at_mm": [True, 1]}, "at_mm must be"),
    ({**GOOD, "at_mm": {"x": 1}}, "at_mm must be"),
    ({**GOOD, "kind": "murder"}, "kind must be one of"),
    ({**GOOD, "kind": ["lift"]}, "kind must be one of"),
    ({**GOOD, "copy": "C"}, "copy must be A or B"),
    ({**GOOD, "side": "top"}, "side must be left or right"),
    ({**GOOD, "stroke": -1}, "stroke must be a whole number"),
    ({**GOOD, "stroke": 1.5}, "stroke must be a whole number"),
    ({**GOOD, "who": 7}, "who must be a text"),
    ({**GOOD, "who": "A" * 101}, "who must be a text of at most 100"),
    ({**GOOD, "reason": "A" * 100_000}, "reason must be a text of at most 2000"),
    ({**GOOD, "strokes": [[1, 2], 3]}, "strokes must be"),
    ({**GOOD, "strokes": [[[1, 2], "b"]]}, "strokes must be"),
    ("no", "must be an object|must be a list"),
    (None, "must be an object|must be a list"),
    ({"decisions": 3}, "must be a list"),
    ({"decisions": [3]}, "must be an object"),
]


@pytest.mark.parametrize(("entry", "said"), HOSTILE, ids=range(len(HOSTILE)))
def test_a_wrong_decision_gets_one_clear_line(entry: Any, said: str) -> None:
    with pytest.raises(WrongUsage, match=said) as caught:
        decisions_from_text(json.dumps([entry]))
    assert "\n" not in caught.value.message
    assert len(caught.value.message) < 400


@pytest.mark.parametrize("text", ["", "{", "3", "null", '"x"', "[" * 100_000, "{}", "\ufeff[]", "[1e999]", "[[]]"])
def test_what_is_no_list_of_decisions_gets_one_clear_line(text: str) -> None:
    with pytest.raises(WrongUsage) as caught:
        decisions_from_text(text, "said.json")
    assert caught.value.message.startswith("said.json")
    assert "\n" not in caught.value.message


def test_no_decisions_are_none() -> None:
    assert decisions_from_text("[]") == ()


def test_a_file_that_cannot_be_read_gets_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "big").write_bytes(b"[" + b" " * 1_000_001)
    for name, said in (("none", "No such file"), ("binary", "utf-8"), ("big", "larger than 1 MB"), (".", "folder")):
        with pytest.raises(WrongUsage, match=said):
            decisions_from_file(tmp_path / name)
    with pytest.raises(WrongUsage, match="device"):
        decisions_from_file(Path("/dev/zero"))


@pytest.mark.parametrize("wrong", [{"answer": "perhaps"}, {"at_mm": (1.0,)}, {"at_mm": (1.0, float("nan"))}])
def test_a_decision_is_checked_at_its_birth(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"answer must|a place must"):
        Decision(**{"rule": "R2", "kind": "lift", "at_mm": (1.0, 2.0), "answer": "no", **wrong})
