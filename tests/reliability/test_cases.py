"""Folders of photos with truth: found, judged once, kept, and told by the command."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from referee.cli import main
from referee.errors import WrongUsage
from referee.model import Report
from referee.reliability import cases
from referee.reliability.cases import cases_in, judge_cases
from referee.rules.settings import Rules
from tests.reliability.made_up import folder, truth
from tests.report import by_hand
from tests.simulation.photograph import WEBCAM, Shot, Studio, photograph


def quiet(words: str) -> None:
    """Nobody listens."""


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The photos that the referee was asked about; each is of two boards, the second one meant."""
    names: list[str] = []

    def judge_boards(photo: Path, *, rules: Rules, **_: object) -> list[Report]:
        names.append(f"{photo.parent.name}{' competitive' if rules.mode == 'competitive' else ''}")
        if photo.parent.name == "faulty":
            raise ZeroDivisionError("a bug")
        report = replace(by_hand.report(), source=photo.name)
        return [replace(report, copy="B"), replace(report, copy="A")]

    monkeypatch.setattr(cases, "judge_boards", judge_boards)
    return names


def test_a_folder_holds_cases_or_is_one(tmp_path: Path) -> None:
    root = folder(tmp_path, ("two", truth()), ("one", truth()))
    (root / "stages").mkdir()
    assert [case.name for case in cases_in([root], quiet)] == ["one", "two"]
    assert [case.name for case in cases_in([root / "two", root / "two"], quiet)] == ["two"]


def test_a_case_with_gadgets_has_its_baseline_or_is_left_out_aloud(tmp_path: Path) -> None:
    said: list[str] = []
    gadgets = truth(args=["--baseline", "{baseline}", "--mode", "competitive"], mode="competitive")
    root = folder(tmp_path, ("mine", gadgets), ("one", truth()), ("rope", gadgets))
    (root / "rope" / "baseline.jpg").write_bytes(b"a picture")
    found = cases_in([root], said.append)
    assert [(case.name, case.baseline) for case in found] == [
        ("one", None),
        ("rope", root / "rope" / "baseline.jpg"),
    ]
    assert said == ["mine: left out, it has no baseline.jpg."]


@pytest.mark.parametrize("spoilt", ["truth.json", "photo.jpg", "no folder"])
def test_a_folder_that_is_no_case_is_refused(tmp_path: Path, spoilt: str) -> None:
    root = folder(tmp_path, ("one", truth()))
    if spoilt == "truth.json":
        (root / "one" / spoilt).write_text("{}")
    elif spoilt == "photo.jpg":
        (root / "one" / spoilt).unlink()
    with pytest.raises(WrongUsage):
        cases_in([root / "nowhere" if spoilt == "no folder" else root], quiet)


def test_the_board_that_the_truth_is_about_is_the_one_compared(tmp_path: Path, seen: list[str]) -> None:
    stage = {"number": by_hand.report().stage.number, "copy": "A"}  # type: ignore[union-attr]
    found = cases_in([folder(tmp_path, ("one", truth(stage=stage, mode="competitive")))], quiet)
    (judged,) = judge_cases(found, None, None, quiet)
    assert judged.report["stage"]["copy"] == "A"
    assert "path" not in judged.report
    assert seen == ["one competitive"]


def test_a_run_goes_on_where_it_was_stopped(tmp_path: Path, seen: list[str]) -> None:
    cache = tmp_path / "cache"
    found = cases_in([folder(tmp_path / "cases", ("one", truth()), ("two", truth()), ("three", truth()))], quiet)
    run = judge_cases(found, None, cache, quiet)
    next(run)
    run.close()  # type: ignore[attr-defined]
    cache.write_text(cache.read_text() + '{"key": "cut o')
    said: list[str] = []
    again = list(judge_cases(found, None, cache, said.append))
    assert seen == ["one", "three", "two"]
    assert said[0] == "[1/3] one (known)"
    assert [judged.report for judged in judge_cases(found, None, cache, quiet)] == [j.report for j in again]
    assert seen == ["one", "three", "two"]


def test_a_photo_that_has_changed_is_judged_again(tmp_path: Path, seen: list[str]) -> None:
    cache = tmp_path / "cache"
    root = folder(tmp_path / "cases", ("one", truth()))
    list(judge_cases(cases_in([root], quiet), None, cache, quiet))
    (root / "one" / "photo.jpg").write_bytes(b"another")
    list(judge_cases(cases_in([root], quiet), None, cache, quiet))
    assert seen == ["one", "one"]


def test_a_file_that_is_no_cache_is_left_alone(tmp_path: Path, seen: list[str]) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Anna,\n")
    found = cases_in([folder(tmp_path / "cases", ("one", truth()))], quiet)
    with pytest.raises(WrongUsage, match="another file, not kept reports"):
        list(judge_cases(found, None, letter, quiet))
    assert letter.read_text() == "Dear Anna,\n"
    assert seen == []


def test_a_fault_of_our_own_costs_the_other_photos_nothing(
    tmp_path: Path, seen: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    root = folder(tmp_path / "cases", ("faulty", truth()), ("one", truth()))
    assert main(["reliability", str(root), "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["photos"] == 2
    assert {"case": "faulty", "faults": ["verdict none (ZeroDivisionError: a bug)"]} in told["faults"]
    assert len(seen) == 2


def test_a_simulated_photo_is_judged_and_held_against_its_truth(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stage = Path(__file__).parents[2] / "stage_masks" / "stage-01.svg"
    shot = Shot("race", str(stage), "brushes", 5, WEBCAM, {"margins": [0.4, 0.9]}, width_mm=2.8)
    photograph(shot, tmp_path / "race", Studio(None))
    assert main(["reliability", str(tmp_path / "race")]) == 0
    said = capsys.readouterr()
    assert said.out.startswith("1 photos: 1 verdicts right")
    assert "0 missed, 0 false accusations; 0 events out of order" in said.out
    assert said.err == "[1/1] race\n"
