"""The command line: exit statuses, what goes to which stream, and that one bad picture costs the others nothing."""

import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import cv2
import numpy as np
import pytest

from referee.cli import main
from referee.errors import NoBoard
from referee.model import Report
from referee.rules.settings import Rules, settings
from tests.report import by_hand

SAMPLES = Path(__file__).parents[1] / "samples"
HEAVY = {"cv2", "numpy", "skimage", "shapely", "reportlab", "PIL", "resvg"}


@dataclass
class FakeRoad:
    """Stands in for the pipeline: each picture's name says what becomes of it."""

    seen: list[dict[str, Any]] = field(default_factory=list)

    def judge_boards(self, picture: Path, **chosen: Any) -> list[Report]:
        self.seen.append({"picture": picture, **chosen})
        source = chosen["source"]
        judged = replace(by_hand.report(), source=source)
        match picture.stem:
            case "cat":
                return [by_hand.failed(source)]
            case "raised":
                raise NoBoard("No board.", "Show it.")
            case "two":
                return [judged, replace(judged, copy="B")]
            case "fault":
                raise ZeroDivisionError("a bug")
            case "stopped":
                raise KeyboardInterrupt
        return [judged]


@pytest.fixture
def road(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> FakeRoad:
    """The command line in a folder with some pictures in it, before a pipeline that only looks at their names."""
    fake, module = FakeRoad(), ModuleType("referee.pipeline")
    module.judge_boards = fake.judge_boards  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "referee.pipeline", module)
    monkeypatch.chdir(tmp_path)
    for name in ("race", "cat", "two", "fault", "raised", "stopped", "other/race"):
        path = tmp_path / f"{name}.jpg"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"a picture")
    return fake


def run(*arguments: str) -> int:
    """The exit status of one command, also where argparse ends it."""
    try:
        return main(arguments)
    except SystemExit as stop:
        return int(stop.code or 0)


# ------------------------------------------------------------------------------------------------------------ judge


@pytest.mark.usefixtures("road")
class TestJudge:
    def test_one_board_in_one_picture_is_one_object(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert run("judge", "race.jpg", "--json") == 0
        said = capsys.readouterr()
        assert json.loads(said.out)["verdict"] == "fair"
        assert said.err == ""

    def test_several_pictures_are_an_array_in_the_order_given(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert run("judge", "two.jpg", "cat.jpg", "race.jpg", "--json") == 3
        told = json.loads(capsys.readouterr().out)
        assert [board["source"] for board in told] == ["two.jpg", "two.jpg", "cat.jpg", "race.jpg"]
        assert [board.get("verdict") for board in told] == ["fair", "fair", None, "fair"]

    def test_two_boards_in_one_picture_are_an_array(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert run("judge", "two.jpg", "--json") == 0
        assert [board["stage"]["copy"] for board in json.loads(capsys.readouterr().out)] == ["A", "B"]

    def test_one_picture_that_cannot_be_judged_is_one_object_with_the_reason(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert run("judge", "cat.jpg", "--json") == 3
        said = capsys.readouterr()
        assert json.loads(said.out)["error"]["code"] == "no-board"
        assert "Show the whole board" in said.err

    def test_people_are_told_the_verdict_first(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert run("judge", "race.jpg") == 0
        assert capsys.readouterr().out.startswith("FAIR: finished, 1 accident, honoured.\n")

    def test_people_are_told_in_french_where_they_ask_for_it(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert run("judge", "race.jpg", "--language", "fr", "--out", str(tmp_path / "out")) == 0
        said = capsys.readouterr()
        assert said.out.startswith("RÉGLO\u00a0: arrivée franchie, 1 accident, réparé.")
        assert "La page avec les preuves" in said.err
        assert '<html lang="fr">' in (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
        assert run("judge", "race.jpg", "--language", "de") == 2

    def test_progress_of_several_pictures_goes_to_standard_error(self, capsys: pytest.CaptureFixture[str]) -> None:
        run("judge", "race.jpg", "two.jpg")
        said = capsys.readouterr()
        assert "[1/2] race.jpg" in said.err
        assert "[2/2] two.jpg" in said.err
        assert "[1/2]" not in said.out

    def test_an_empty_line_parts_the_words_of_two_pictures(self, capsys: pytest.CaptureFixture[str]) -> None:
        run("judge", "race.jpg", "cat.jpg", "two.jpg")
        words = capsys.readouterr().out
        assert not words.startswith("\n")
        assert words.count("\n\nFAIR") == words.count("FAIR:") - 1 > 0
        assert "\n\n\n" not in words

    def test_pictures_of_the_same_name_are_told_apart_by_their_folders(
        self, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        run("judge", "race.jpg", "other/race.jpg", "cat.jpg", "--json")
        sources = [board["source"] for board in json.loads(capsys.readouterr().out)]
        assert sources == [f"{tmp_path.name}/race.jpg", "other/race.jpg", "cat.jpg"]

    def test_a_star_that_the_shell_left_is_filled_in(self, road: FakeRoad) -> None:
        assert run("judge", "other/*.jpg", "--json") == 0
        assert [seen["picture"] for seen in road.seen] == [Path("other/race.jpg")]

    def test_what_the_pipeline_raises_for_one_picture_becomes_its_error(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert run("judge", "raised.jpg", "race.jpg", "--json") == 3
        assert json.loads(capsys.readouterr().out)[0]["error"] == {
            "code": "no-board", "message": "No board.", "hint": "Show it.",
        }  # fmt: skip

    def test_a_fault_of_the_referee_is_owned_up_to_and_costs_the_others_nothing(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert run("judge", "fault.jpg", "race.jpg", "--json") == 1
        said = capsys.readouterr()
        assert [board["source"] for board in json.loads(said.out)] == ["race.jpg"]
        assert "ZeroDivisionError in test_cli.py line" in said.err
        assert "Traceback" not in said.err

    def test_a_fault_in_the_only_picture_still_leaves_one_document(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert run("judge", "fault.jpg", "--json") == 1
        assert json.loads(capsys.readouterr().out) == []

    def test_ctrl_c_ends_quietly(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert run("judge", "stopped.jpg") == 130
        assert capsys.readouterr().err == ""

    def test_the_out_folder_holds_the_page_and_names_the_close_ups(
        self, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        assert run("judge", "race.jpg", "--json", "--out", "made/out") == 0
        told = json.loads(capsys.readouterr().out)
        out = tmp_path / "made" / "out"
        assert (out / "index.html").is_file()
        assert json.loads((out / "report.json").read_text(encoding="utf-8")) == told
        assert all((out / miss["picture"]).is_file() for miss in told["near_misses"])

    def test_an_out_folder_that_cannot_be_made_is_wrong_usage(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert run("judge", "race.jpg", "--out", "race.jpg/out") == 2
        assert "Name a folder" in capsys.readouterr().err

    def test_an_out_folder_that_is_not_ours_is_refused_before_a_picture_is_judged(
        self, road: FakeRoad, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("os.access", lambda *_: False)
        assert run("judge", "race.jpg", "--out", "theirs") == 2
        assert "Name a folder" in capsys.readouterr().err
        assert not road.seen


@pytest.mark.usefixtures("road")
class TestTheStageOfARun:
    def test_a_number_names_a_stage_that_is_known(self, road: FakeRoad) -> None:
        assert run("judge", "race.jpg", "--stage", "1") == 0
        assert road.seen[0]["stage"].number == 1

    def test_a_number_that_nobody_knows_is_the_error_of_every_picture(
        self, road: FakeRoad, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert run("judge", "race.jpg", "two.jpg", "--stage", "73", "--json") == 3
        assert [board["error"]["code"] for board in json.loads(capsys.readouterr().out)] == ["unknown-stage"] * 2
        assert road.seen == []

    def test_a_broken_stage_file_is_the_error_of_every_picture(
        self, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        (tmp_path / "mine.svg").write_text("<svg", encoding="utf-8")
        assert run("judge", "race.jpg", "--stage", "mine.svg", "--json") == 3
        assert json.loads(capsys.readouterr().out)["error"]["code"] == "bad-stage-file"

    @pytest.mark.parametrize("arguments", [("--stage", "banana"), ("--stages", "nowhere"), ("--rules", "nowhere.toml")])
    def test_what_is_not_there_is_wrong_usage(
        self, arguments: tuple[str, str], capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert run("judge", "race.jpg", *arguments) == 2
        said = capsys.readouterr()
        assert said.out == ""
        assert arguments[1] in said.err


@pytest.mark.usefixtures("road")
@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("judge",),
        ("drive", "race.jpg"),
        ("judge", "race.jpg", "--mode", "solo"),
        ("judge", "race.jpg", "--nitro"),
        ("judge", "race.jpg", "--baseline", ""),
        ("watch",),
        ("new-stage",),
        ("new-stage", "race.jpg", "--size-mm", "297"),
        ("new-stage", "race.jpg", "--corners", "1,2", "3,4"),
        ("judge", "race.jpg", "--corners", "1,2,3,4,5,6,7,8"),
        ("judge", "race.jpg", "two.jpg", "--stage", "7", "--corners", "1,2,3,4,5,6,7,8"),
        ("judge", "race.jpg", "--stage", "7", "--corners", "1,2,3,4,5,6,7"),
        ("judge", "race.jpg", "--stage", "7", "--corners", "1,2,3,4,5,6,7,x"),
    ],
    ids=" ".join,
)
def test_wrong_usage_is_status_2_with_a_word_and_nothing_on_standard_output(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*arguments) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err


def test_a_film_that_is_not_there_is_wrong_usage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("watch", "race.mp4") == 2
    assert "race.mp4" in capsys.readouterr().err


@pytest.mark.usefixtures("road")
def test_corners_are_not_for_films(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("judge", "race.mp4", "--stage", "7", "--corners", "1,1,9,1,9,9,1,9") == 2
    assert "--corners" in capsys.readouterr().err


def test_the_picture_from_before_the_race_reaches_the_pipeline(road: FakeRoad) -> None:
    assert run("judge", "race.jpg", "cat.jpg", "--baseline", "two.jpg") == 3
    assert [seen["baseline"] for seen in road.seen] == [Path("two.jpg"), Path("two.jpg")]
    assert run("judge", "race.jpg") == 0
    assert road.seen[-1]["baseline"] is None


@pytest.mark.parametrize("words", [("9,8,90,8,90,70,9,70",), ("9,8", "90,8", "90,70", "9,70")], ids=("one", "four"))
def test_corners_by_hand_reach_the_pipeline(road: FakeRoad, words: tuple[str, ...]) -> None:
    assert run("judge", "race.jpg", "--stage", "7", "--corners", *words) == 0
    assert road.seen[-1]["corners_px"] == [(9.0, 8.0), (90.0, 8.0), (90.0, 70.0), (9.0, 70.0)]
    assert run("judge", "race.jpg") == 0
    assert road.seen[-1]["corners_px"] is None


def test_the_kind_of_race_and_the_nitro_card_reach_the_rules(road: FakeRoad) -> None:
    assert run("judge", "race.jpg", "--mode", "competitive") == 0
    assert run("judge", "race.jpg", "--mode", "competitive", "--nitro") == 0
    assert [seen["rules"] for seen in road.seen] == [Rules(mode="competitive"), Rules(mode="competitive", nitro=True)]


def test_a_kind_of_race_in_the_rules_file_stays_unless_the_command_says_otherwise(
    road: FakeRoad, tmp_path: Path
) -> None:
    (tmp_path / "rules.toml").write_text('mode = "competitive"', encoding="utf-8")
    assert run("judge", "race.jpg", "--rules", "rules.toml") == 0
    assert run("judge", "race.jpg", "--rules", "rules.toml", "--mode", "coop") == 0
    assert [seen["rules"].mode for seen in road.seen] == ["competitive", "coop"]


class TestPicturesThatCannotBeJudged:
    """Before the real pipeline: each gets its own code, one line with a cure, and costs the others nothing."""

    @pytest.fixture
    def pictures(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        (tmp_path / "empty.jpg").touch()
        (tmp_path / "letter.jpg").write_text("Dear referee, the car was on the line.", encoding="utf-8")
        (tmp_path / "folder").mkdir()
        cv2.imwrite("black.png", np.zeros((480, 640, 3), np.uint8))
        Path("cut.jpg").write_bytes(cv2.imencode(".jpg", by_hand.photo().bgr)[1].tobytes()[:4000])

    @pytest.mark.usefixtures("pictures")
    def test_each_has_its_own_object_and_one_line(self, capsys: pytest.CaptureFixture[str]) -> None:
        names = ["empty.jpg", "letter.jpg", "folder", "nowhere.jpg", "cut.jpg", "black.png"]
        assert run("judge", *names, "--json") == 3
        said = capsys.readouterr()
        errors = [board["error"] for board in json.loads(said.out)]
        assert [error["code"] for error in errors] == ["not-a-picture"] * 5 + ["no-board"]
        assert all(error["message"] and error["hint"] for error in errors)
        lines = [line for line in said.err.splitlines() if not line.startswith("[")]
        assert [line.split(":")[0] for line in lines] == names

    @pytest.mark.usefixtures("pictures")
    def test_the_page_shows_them_too(self, tmp_path: Path) -> None:
        assert run("judge", "black.png", "letter.jpg", "--out", "out") == 3
        page = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
        assert page.count("NOT JUDGED") == 4


# --------------------------------------------------------------------------------------------------- other commands


def test_check_says_what_is_good_and_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = Path(__file__).parent.parent / "stage_masks" / "stage-01.svg"
    bad = tmp_path / "bad.svg"
    bad.write_text("no drawing", encoding="utf-8")
    assert run("check", str(good)) == 0
    assert run("check", str(good), str(bad)) == 3
    assert "stage-01.svg: good. Stage 1" in capsys.readouterr().out


def test_stages_lists_the_built_in_ones_for_people_and_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("stages") == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 16
    for part in (
        "16  Grand Finale ",
        " night finale ",
        " difficulty 5 ",
        " 90 cm ",
        " 4 checkpoints, 1 bridge, 2 jumps, ",
    ):
        assert part in lines[15]
    assert run("stages", "--json") == 0
    listed = json.loads(capsys.readouterr().out)
    assert [stage["number"] for stage in listed] == list(range(1, 17))
    assert listed[12]["elements"]["oil-spill"] == 2
    assert 700 < listed[12]["length_mm"] < 900


def test_stages_writes_a_page_with_a_picture_of_each(tmp_path: Path) -> None:
    assert run("stages", "--html", str(tmp_path / "stages.html")) == 0
    page = (tmp_path / "stages.html").read_text(encoding="utf-8")
    assert page.count('<img src="data:image/jpeg;base64,') == 16
    assert "<h2>16 Grand Finale</h2>" in page
    assert 'aria-label="difficulty 5 of 5"' in page
    assert "http" not in page.replace("http-equiv", "")


def test_print_writes_a_pdf(tmp_path: Path) -> None:
    assert run("print", "1", "--paper", "letter", "--copies", "A", "-o", str(tmp_path / "board.pdf")) == 0
    assert (tmp_path / "board.pdf").read_bytes().startswith(b"%PDF")


def test_print_takes_several_stages_and_what_is_played_with_beside_them(tmp_path: Path) -> None:
    out = tmp_path / "game.pdf"
    assert run("print", "1", "16", "templates", "cards", "scores", "--copies", "B", "-o", str(out)) == 0
    assert out.read_bytes().count(b"/MediaBox") == 1 + 2 + 3
    assert run("print", "scores", "--paper", "letter", "-o", str(out)) == 0
    assert out.read_bytes().count(b"/MediaBox") == 1


def test_print_all_prints_every_stage_once_and_everything_beside_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    import referee.stage.printing as printing

    asked: list[tuple[Any, ...]] = []

    def note(*words: Any) -> bytes:
        asked.append(words)
        return b"%PDF"

    monkeypatch.setattr(printing, "print_pdf", note)
    assert run("print", "--all", "5", "cards", "--paper", "a3", "-o", str(tmp_path / "all.pdf")) == 0
    ((stages, paper, copies, extras, scores),) = asked
    assert [stage.number for stage in stages] == list(range(1, 17))
    assert (paper, copies, extras) == ("a3", ("A", "B"), ("templates", "cards", "scores"))
    assert len(scores) == 19
    assert scores[4].name == "Driving Ace"
    assert (scores[4].stages, scores[4].target) == ("any stage", "0:40")


def test_print_wants_to_know_what(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("print", "-o", str(tmp_path / "none.pdf")) == 2
    assert "Nothing to print is named" in capsys.readouterr().err
    assert not (tmp_path / "none.pdf").exists()


def test_rules_are_listed_and_can_be_read_back(
    road: FakeRoad, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("rules", "--toml") == 0
    toml = capsys.readouterr().out.replace("donuts_owed = 3", "donuts_owed = 4")
    (tmp_path / "rules.toml").write_text(toml, encoding="utf-8")
    assert run("judge", "race.jpg", "--rules", "rules.toml", "--json") == 0
    assert road.seen[0]["rules"] == Rules(donuts_owed=4)


def test_every_setting_is_listed_with_its_default(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("rules") == 0
    listed = capsys.readouterr().out
    assert all(f"{setting.name} = " in listed and setting.says in listed for setting in settings())


# ------------------------------------------------------------------------------------------------- the whole process


def process(*arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False)


def test_the_module_is_the_command() -> None:
    done = process("-m", "referee", "--version")
    assert done.returncode == 0
    assert done.stdout.startswith("referee ")


@pytest.mark.parametrize("words", [("--help",), ("judge", "--help")], ids=" ".join)
def test_help_names_nothing_that_is_not_there_yet(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*words) == 0
    told = capsys.readouterr().out
    assert not [word for word in ("later",) if word in told]


def test_help_reads_no_heavy_library_and_is_quick() -> None:
    script = (
        "import sys\nfrom referee.cli import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n"
        f"    print(sorted({HEAVY} & set(sys.modules)), file=sys.stderr)\n"
    )
    assert process("-c", script).stderr.strip() == "[]"
    took_s = []
    for _ in range(5):
        start = time.perf_counter()
        process("-m", "referee", "--help")
        took_s.append(time.perf_counter() - start)
    assert min(took_s) < 0.4


def test_a_name_steers_no_screen_and_turns_no_writing(capsys: pytest.CaptureFixture[str], road: FakeRoad) -> None:
    names = ["a\x1b[31m/fault.jpg", "b/fault.jpg", "\u202egpj.jpg", "race\x9b2J.jpg", "line\nbreak.jpg"]
    run("judge", *names, "--stage", "stages/\x1b]0;x\x07.svg")
    run("judge", *names)
    told = capsys.readouterr()
    assert road.seen
    assert not [letter for letter in told.out + told.err if letter != "\n" and not letter.isprintable()]
    assert "line?break.jpg" in told.out


def test_where_opencv_cannot_be_loaded_judge_says_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "cv2.py").write_text("raise ImportError('libGL.so.1: cannot open shared object file')")
    done = subprocess.run(
        [sys.executable, "-m", "referee", "judge", "race.jpg", "--out", str(tmp_path / "out")],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("referee: OpenCV cannot be loaded: libGL.so.1")
    assert "libgl1" in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="pipes break another way there")
def test_a_reader_that_walks_away_is_no_error() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "referee", "stages"], stdout=writing, stderr=subprocess.PIPE, check=False
    )
    os.close(writing)
    assert done.stderr == b""
    assert done.returncode == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize("arguments", [("stages",), ("rules",), ("judge", str(SAMPLES / "blurred-park.jpg"), "--json")])
def test_a_full_disk_is_one_clear_line(arguments: tuple[str, ...]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "referee", *arguments], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "the answer cannot be written: No space left on device." in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_words_that_a_full_disk_does_not_take_are_no_fault_of_the_referee() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "referee", "judge", str(SAMPLES / "fair-park.jpg")],
            stdout=full, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    assert done.returncode == 2
    assert "a fault of the referee" not in done.stderr


def test_an_empty_name_is_no_folder(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["judge", "a.jpg", "--out", ""])
    assert stopped.value.code == 2
    assert "the name is empty" in capsys.readouterr().err
