"""`referee turbo`: what it says, in which language, and with which exit status."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from referee.cli import main
from referee.turbo.drafting.drawing import circuit_svg
from tests.turbo.test_log import BY_HAND, changed, finished

TURN = ("a5,b4", "b19", "*", "1", "own:2,1")


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """Status, standard output and standard error."""
    status = main(["turbo", *words])
    said = capsys.readouterr()
    return status, said.out, said.err


def file_in(folder: Path, name: str, text: str) -> str:
    (folder / name).write_text(text, encoding="utf-8")
    return str(folder / name)


# ----------------------------------------------------------------------------------------- circuit


def test_the_circuit_is_told_with_its_lanes_and_features(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "circuit")
    assert status == 0
    assert out.startswith("Turbo: 156 squares in 4 lanes, 16 obstacles, 4 players at most.\nlane 1: 33 squares, a1 … ")
    assert out.endswith("The circuit can be raced.\n")
    assert "couloir 1\u00a0: 33 cases" in run(capsys, "circuit", "--language", "fr")[1]


def test_the_circuit_as_json_has_every_square_in_its_place(capsys: pytest.CaptureFixture[str]) -> None:
    told = json.loads(run(capsys, "circuit", "--json")[1])
    assert (len(told["squares"]), len(told["yellow_lines"]), len(told["markers_mm"])) == (156, 12, 4)
    assert told["squares"][0] | {"outline_mm": None} == {
        "name": "a1", "lane": 1, "row": 1, "features": [], "ahead": "a2", "left": None, "right": "b2",
        "outline_mm": None,
    }  # fmt: skip


def test_a_broken_circuit_is_told_by_its_element(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    own = file_in(tmp_path, "own.svg", circuit_svg().replace('data-ahead="a3"', 'data-ahead="z3"'))
    status, out, err = run(capsys, "circuit", "--circuit", own)
    assert (status, out) == (3, "")
    assert err == "own.svg: a2: it names “z3”, and there is no such square.\n  Mend the name.\n"
    status, out, _ = run(capsys, "circuit", "--circuit", own, "--json")
    assert (status, json.loads(out)["element"]) == (3, "a2")
    assert run(capsys, "moves", "--circuit", own, *TURN)[0] == 2


# ----------------------------------------------------------------------------------------- moves


def test_the_moves_of_a_turn_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "moves", *TURN)[1] == (
        "Player 1: moves the own car by 2 or 1.\nCar 1, 2: a7 (1 way), b7 (1 way)\nCar 1, 1: a6 (1 way)\n"
    )
    _, out, _ = run(capsys, "moves", "a5,b4", "b36", "*", "1", "other:2", "--language", "fr")
    assert "L'ambulance, 2\u00a0: finish (" in out


def test_the_moves_as_json_have_a_way_each(capsys: pytest.CaptureFixture[str]) -> None:
    told = json.loads(run(capsys, "moves", *TURN, "--json")[1])
    assert (told["phase"], told["player"], told["numbers"]) == ("own", 1, [2, 1])
    assert told["moves"][0] == {
        "move": "move 1 2 a7", "vehicle": "1", "number": 2, "end": "a7", "ways": 1, "way": ["a6", "a7"],
    }  # fmt: skip


def test_whoever_is_stuck_is_told_to_stay(capsys: pytest.CaptureFixture[str]) -> None:
    stuck = ("b26,b27", "b19", "*", "1", "own:1,3")
    assert run(capsys, "moves", *stuck)[1].startswith("Player 1: nothing can move: stay.\nCar 1, 1: nowhere\n")
    assert json.loads(run(capsys, "moves", *stuck, "--json")[1])["moves"] == [{"move": "stay"}]


def test_a_race_that_is_over_is_told_with_its_points(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "moves", "a33,:1", "-", "*", "2", "over")[1] == (
        "The race is over.\nPlayer 2: place 1, 4 points\nPlayer 1: place 2, 3 points\n"
    )


def test_before_the_counters_are_turned_there_is_nothing_else_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "moves", "a5,b4", "b19", "*", "2", "counters")[1] == "Player 2: turns both counters.\n"


def test_other_counters_are_a_setting(capsys: pytest.CaptureFixture[str]) -> None:
    turn = ("a5,b4", "b19", "*", "1", "own:9,1")
    assert run(capsys, "moves", *turn)[0] == 2
    assert run(capsys, "moves", *turn, "--counters", "1", "9")[0] == 0


# ----------------------------------------------------------------------------------------- check


def test_a_move_that_is_allowed_is_told_with_the_position_after_it(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "check", *TURN, "--move", "move", "1", "2", "a6-a7")
    assert (status, out) == (0, "Allowed.\nPosition: a7,b4 b19 * 1 other:1\n")
    told = json.loads(run(capsys, "check", *TURN, "--json", "--move", "move 1 2 a7")[1])
    assert told == {"allowed": True, "position": "a7,b4 b19 * 1 other:1"}


def test_a_move_that_breaks_a_rule_is_told_with_it(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, "check", "c9,b4", "b19", "*", "1", "own:1,2", "--move", "move 1 1 b9", "--json")
    told = json.loads(out)
    assert (status, told["allowed"], told["rule"], told["word"]) == (3, False, "T6", "yellow-line")
    assert err.startswith("T6: from c9 to b9 crosses a yellow line")
    assert run(capsys, "check", *TURN, "--move", "jump")[0] == 2


# ----------------------------------------------------------------------------------------- replay


def test_a_race_is_replayed_to_its_points(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    log = file_in(tmp_path, "race.log", finished(1))
    status, out, _ = run(capsys, "replay", log)
    assert status == 0
    assert "The log is as it was written.\nPosition: " in out
    assert "The race is over.\nPlayer " in out
    told = json.loads(run(capsys, "replay", log, "--json")[1])
    assert (told["checked"], told["phase"], sorted(told["order"])) == (True, "over", [1, 2, 3])


def test_a_changed_log_is_refused_with_line_and_rule(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    log = file_in(tmp_path, "race.log", changed(BY_HAND, 8, "b20", "c24"))
    status, out, err = run(capsys, "replay", log)
    assert (status, out) == (3, "")
    assert err.startswith("line 8: T2: from b19 to c24 is not exactly 1 square.")
    status, out, _ = run(capsys, "replay", log, "--json", "--language", "fr")
    assert (status, json.loads(out)["line"], json.loads(out)["rule"]) == (3, 8, "T2")


def test_a_log_that_is_not_there_is_wrong_usage(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run(capsys, "replay", str(tmp_path / "none.log"))[0] == 2
    (tmp_path / "odd.log").write_bytes(b"\xff\xfe")
    assert "is no text" in run(capsys, "replay", str(tmp_path / "odd.log"))[2]


# ----------------------------------------------------------------------------------------- print


@pytest.mark.parametrize(("paper", "pages"), [("a4", 2), ("letter", 2), ("a3", 1)])
def test_the_circuit_is_printed(capsys: pytest.CaptureFixture[str], tmp_path: Path, paper: str, pages: int) -> None:
    status, out, err = run(capsys, "print", "-o", str(tmp_path / "c.pdf"), "--paper", paper)
    assert (status, out) == (0, "")
    assert "100 %" in err
    assert (tmp_path / "c.pdf").read_bytes().count(b"/Type /Page\n") == pages


def test_the_print_as_json_names_the_markers(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    told = json.loads(run(capsys, "print", "-o", str(tmp_path / "c.pdf"), "--json")[1])
    assert (told["markers"]["dictionary"], len(told["markers"]["corners_mm"])) == ("ARUCO_MIP_36h12", 4)
    assert run(capsys, "print", "-o", str(tmp_path / "no" / "c.pdf"))[0] == 2


def test_nothing_heavy_is_read_to_ask_for_help() -> None:
    script = (
        "import sys\nfrom referee.cli import main\n"
        "try:\n    main(['turbo', 'check', '--help'])\nexcept SystemExit:\n    pass\n"
        "print(sorted({'cv2', 'flask', 'reportlab', 'shapely', 'numpy'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
