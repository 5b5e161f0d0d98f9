"""A person decides on a real photo: asked, answered, judged again, taken back; from Python and the command line."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

import referee
from referee.cli import main
from referee.errors import UnknownDecision
from referee.model import Decision, Json, Report
from referee.pipeline import judge_boards
from referee.report.document import document
from referee.report.page import sheet
from referee.report.text import text
from referee.words import told

SAMPLES = Path(__file__).parents[1] / "samples"
TOO_CLOSE = SAMPLES / "too-close-park.jpg"
TWO = SAMPLES / "two-boards-park.jpg"


def reports(photo: Path, *decisions: Decision) -> list[Report]:
    return judge_boards(photo, decisions=decisions)


@lru_cache(maxsize=4)
def alone(photo: Path) -> list[Report]:
    return reports(photo)


def whole(boards: Sequence[Report]) -> str:
    """The reports as bytes would have them, but for the times."""
    return json.dumps([{k: v for k, v in document(board).items() if k != "timing_ms"} for board in boards])


def answered(asked: Json, answer: str, **more: Any) -> Decision:
    return referee.decision_from_json({**asked, "answer": answer, "reason": "We all saw it.", "who": "Ann", **more})


def the_question(report: Report) -> Json:
    return next(reason["question"] for reason in document(report)["reasons"] if "question" in reason)


@pytest.mark.parametrize(
    ("name", "kind"),
    [("too-close-park", "white-line"), ("donuts-missing-sewer", "donuts"), ("glare-city", "lift")],
)
def test_a_sample_that_asks_is_decided_both_ways_and_back(name: str, kind: str) -> None:
    photo = SAMPLES / f"{name}.jpg"
    (before,) = alone(photo)
    asked = the_question(before)
    assert asked["kind"] == kind
    for answer in ("yes", "no"):
        (after,) = reports(photo, answered(asked, answer))
        after_all = document(after)
        assert after_all["verdict"] in asked[answer]
        (said,) = after_all["decisions"]
        assert (said["answer"], said["who"], said["reason"], said["certain"]) == (
            answer,
            "Ann",
            "We all saw it.",
            False,
        )
        assert after_all["alone"] == {"verdict": "review", "accidents": document(before)["accidents"]}
    assert whole(reports(photo)) == whole([before])


def test_what_was_decided_stands_in_the_words_and_on_the_page() -> None:
    (before,) = alone(TOO_CLOSE)
    (after,) = reports(TOO_CLOSE, answered(the_question(before), "no", when="2026-12-01 15:04"))
    for words in (text(after), sheet(after, {}, "board-1")):
        assert "FAIR: finished, 1 accident, honoured. 1 decision by a person." in words
        assert "Did the ink go over white line 4? No, decided by Ann (2026-12-01 15:04): “We all saw it.”" in words
        assert "The referee alone: PLEASE LOOK, 1 accident." in words
        assert "Brushed white line 4. Decided by Ann; the referee alone could not tell" in words
    event = next(event for event in document(after)["events"] if "decided" in event)
    assert event["decided"] == {"decision": 0, "referee": "yes", "certain": False}


def test_a_reason_is_text_wherever_it_stands() -> None:
    (before,) = alone(TOO_CLOSE)
    nasty = "<script>alert(1)</script>\n\x1b[31m \ud800"
    (after,) = reports(TOO_CLOSE, answered(the_question(before), "no", reason=nasty, who='"><b>'))
    assert "<script>" not in sheet(after, {}, "board-1")
    assert "\x1b" not in text(after)
    json.loads(json.dumps(document(after)))


def test_a_certain_accident_is_overruled() -> None:
    photo = SAMPLES / "ignored-park.jpg"
    (before,) = alone(photo)
    whole_before = document(before)
    (accident,) = [event["seq"] for event in whole_before["events"] if event["kind"] == "accident"]
    (call,) = [call for call in whole_before["calls"] if call["event"] == accident]
    assert (call["certain"], call["answer"]) == (True, "yes")
    (after,) = reports(photo, answered(call, "no"))
    assert (document(after)["verdict"], document(after)["accidents"]) == ("fair", 0)
    assert "the referee alone has it otherwise" in text(after)


def test_of_two_boards_the_one_that_is_named_is_decided() -> None:
    first, second = alone(TWO)
    assert (first.copy, second.copy) != (second.copy, first.copy)
    call = next(call for call in document(first)["calls"] if call["kind"] == "white-line")
    with pytest.raises(UnknownDecision, match="2 boards") as refused:
        reports(TWO, answered(call, "no"))
    assert "2 plateaux" in told(refused.value.message, "fr")
    one, other = reports(TWO, answered(call, "no", copy=first.copy))
    assert document(one)["decisions"]
    assert whole([other]) == whole([second])
    with pytest.raises(UnknownDecision, match="not in the picture"):
        reports(TWO, answered(call, "no", copy=first.copy, stage=99))


def test_decisions_on_a_picture_that_cannot_be_judged_change_nothing_in_why() -> None:
    photo = SAMPLES / "blurred-park.jpg"
    (failed,) = reports(photo, Decision("R2", "white-line", (1.0, 2.0), "no", "white-line-1"))
    assert failed.failure is not None


# ----------------------------------------------------------------------------------------- the command line


def said_file(folder: Path, *decisions: Json) -> str:
    path = folder / "said.json"
    path.write_text(json.dumps(decisions), encoding="utf-8")
    return str(path)


def test_the_command_line_takes_decisions_and_its_own_report_with_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = {**the_question(alone(TOO_CLOSE)[0]), "answer": "no", "who": "Ann", "reason": "We saw it."}
    given = said_file(tmp_path, asked)
    assert main(["judge", str(TOO_CLOSE), "--decisions", given, "--json", "--out", str(tmp_path / "out")]) == 0
    first = json.loads(capsys.readouterr().out)
    assert (first["verdict"], first["decisions"][0]["who"]) == ("fair", "Ann")
    assert "Decided by people" in (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    assert main(["judge", str(TOO_CLOSE), "--decisions", str(tmp_path / "out" / "report.json"), "--json"]) == 0
    again = json.loads(capsys.readouterr().out)
    assert again["decisions"] == first["decisions"]


def test_one_decision_of_several_pictures_goes_to_its_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = {**the_question(alone(TOO_CLOSE)[0]), "answer": "no"}
    pictures = [str(TOO_CLOSE), str(SAMPLES / "fair-park.jpg")]
    assert main(["judge", *pictures, "--json", "--decisions", said_file(tmp_path, asked)]) == 2
    assert "does not say which picture" in capsys.readouterr().err
    named = {**asked, "source": "too-close-park.jpg"}
    assert main(["judge", *pictures, "--json", "--decisions", said_file(tmp_path, named)]) == 0
    assert [len(board["decisions"]) for board in json.loads(capsys.readouterr().out)] == [1, 0]
    assert main(["judge", *pictures, "--decisions", said_file(tmp_path, {**asked, "source": "cat.jpg"})]) == 2
    assert "cat.jpg" in capsys.readouterr().err


@pytest.mark.parametrize(
    "entry", [{}, {"rule": "R2"}, {"rule": "R2", "kind": "white-line", "at_mm": [1, 2], "answer": "no"}]
)
def test_a_decision_that_fits_nothing_is_wrong_usage_in_two_short_lines(
    entry: Json, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["judge", str(TOO_CLOSE), "--json", "--decisions", said_file(tmp_path, entry)]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("referee: ")
    assert len(said.err.splitlines()) == 2
