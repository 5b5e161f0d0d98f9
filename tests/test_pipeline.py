"""The whole road on one small synthetic photo, and what becomes of pictures that cannot be judged."""

from __future__ import annotations

from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from time import sleep

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

import referee
from referee import Report
from referee.errors import BadStageFile, UnknownStage, WrongUsage
from referee.model import Stage
from referee.pipeline import clean_print
from referee.stage.catalogue import Catalogue
from referee.stage.load import load_stage
from referee.stage.render import artwork
from tests.simulation.hand import Race
from tests.simulation.paint import Marker, texture
from tests.simulation.scenarios import drive
from tests.simulation.snapshot import Camera, snapshot

Picture = NDArray[np.uint8]

STAGES = Path(__file__).parents[1] / "stage_masks"
CAMERA = Camera(size_wh=(1600, 1200), tilt_deg=12, azimuth_deg=20, roll_deg=3, noise=0.005, fill=0.92)


@dataclass(frozen=True)
class Boards:
    """One stage, raced once, and its photos as they come out of a camera."""

    stage: Stage
    race: Race
    raced: Picture
    clean: Picture


@pytest.fixture(scope="module")
def boards() -> Boards:
    stage = load_stage(STAGES / "stage-01.svg")
    race = drive(stage, "clean", seed=4)
    print_ = artwork(stage, "B", 6.0)
    inked = texture(print_, race.strokes, Marker("blue"), [], np.random.default_rng(1), stage.size_mm)
    raced, clean = (snapshot(b, stage.size_mm, CAMERA, np.random.default_rng(2))[0] for b in (inked, print_))
    return Boards(stage, race, raced, clean)


def jpeg(picture: Picture) -> bytes:
    return cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()


def code_of(report: Report) -> str:
    assert report.judgement is None
    assert report.failure is not None
    assert report.failure.message
    assert report.failure.hint
    return report.failure.code


def test_a_fair_race_is_judged_from_picture_to_verdict(boards: Boards) -> None:
    report = referee.judge(boards.raced)
    assert report.judgement is not None
    assert (report.judgement.verdict, report.judgement.finished, report.judgement.accidents) == ("fair", True, 0)
    kinds = [event.kind for event in report.judgement.events if event.kind != "brush"]
    assert kinds == ["start", *["checkpoint"] * len(boards.stage.checkpoints), "finish"]
    assert (report.source, report.copy) == ("picture", "B")
    assert report.stage is not None
    assert report.stage.number == 1
    assert report.uncertainty_mm is not None
    assert 0.02 < report.uncertainty_mm < 0.2


def test_the_path_lies_where_it_was_driven(boards: Boards) -> None:
    judgement = referee.judge(boards.raced).judgement
    assert judgement is not None
    assert judgement.path is not None
    seen, drawn = judgement.path.strokes[0].points_mm, boards.race.strokes[0].points_mm
    off = np.hypot(*(seen[:, None] - drawn[None]).transpose(2, 0, 1)).min(1)
    assert np.median(off) < 0.25
    assert judgement.path.strokes[0].width_mm == pytest.approx(boards.race.strokes[0].width_mm, abs=0.25)


def test_a_file_its_name_and_its_bytes_give_the_same_report(boards: Boards, tmp_path: Path) -> None:
    path = tmp_path / "race.jpg"
    path.write_bytes(jpeg(boards.raced))
    reports = [referee.judge(path), referee.judge(str(path)), referee.judge(path.read_bytes())]
    assert [report.source for report in reports] == ["race.jpg", "race.jpg", "picture"]
    assert reports[0].judgement is not None
    assert len({repr(report.judgement.events) for report in reports if report.judgement}) == 1


def test_a_picture_is_judged_by_a_stage_that_is_said(boards: Boards) -> None:
    for said in (1, STAGES / "stage-01.svg", boards.stage):
        report = referee.judge(boards.raced, stage=said)
        assert report.judgement is not None
        assert report.judgement.verdict == "fair"


def test_every_step_is_timed(boards: Boards) -> None:
    times = referee.judge(boards.raced).timing_ms
    steps = ["decode", "find", "print", "flatten", "segment", "stroke", "judge"]
    assert list(times) == [*steps, "total"]
    assert times["total"] == pytest.approx(sum(times[step] for step in steps))


def test_a_picture_of_another_stage_than_the_one_said_is_no_board_of_that_stage(boards: Boards) -> None:
    report = referee.judge(boards.raced, stage=5)
    assert code_of(report) == "unknown-stage"
    assert report.failure is not None
    assert report.failure.message == "You said stage 5, but the corner markers say stage 1."
    assert "--stage" in report.failure.hint


def test_a_stage_that_nobody_knows_is_named(boards: Boards, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(referee.Catalogue, "of_marker", lambda *_: None)
    assert code_of(referee.judge(boards.raced)) == "unknown-stage"


def test_a_clean_board_has_no_ink_and_no_accident(boards: Boards) -> None:
    report = referee.judge(boards.clean)
    assert code_of(report) == "no-ink"
    assert report.stage is not None
    assert report.view is not None


def test_a_mirrored_picture_is_never_judged_as_it_stands(boards: Boards) -> None:
    assert code_of(referee.judge(np.ascontiguousarray(boards.raced[:, ::-1]))) == "mirrored"


def test_a_small_picture_is_too_small(boards: Boards) -> None:
    small = np.asarray(cv2.resize(boards.raced, (400, 300), interpolation=cv2.INTER_AREA), np.uint8)
    assert code_of(referee.judge(small)) in {"too-small", "no-board"}


@pytest.mark.parametrize(
    ("picture", "code"),
    [
        (b"", "not-a-picture"),
        (b"a text called race.jpg", "not-a-picture"),
        (np.zeros((600, 800, 3), np.uint8), "no-board"),
        (np.random.default_rng(5).integers(0, 255, (600, 800, 3), np.uint8), "no-board"),
        (Path("nowhere") / "race.jpg", "not-a-picture"),
    ],
    ids=["empty", "a text", "black", "noise", "no file"],
)
def test_what_is_no_board_is_a_failure_and_never_an_exception(picture: Path | bytes | Picture, code: str) -> None:
    assert code_of(referee.judge(picture)) == code
    assert len(referee.judge_boards(picture)) == 1


@pytest.mark.parametrize("nothing", [None, 7, ["race.jpg"]])
def test_what_is_not_even_meant_as_a_picture_is_wrong_usage(nothing: object) -> None:
    with pytest.raises(WrongUsage, match="file, its bytes or a BGR array"):
        referee.judge(nothing)  # type: ignore[arg-type]


def test_only_a_stage_that_makes_no_sense_raises(boards: Boards, tmp_path: Path) -> None:
    (tmp_path / "broken.svg").write_text("<svg", encoding="utf-8")
    with pytest.raises(BadStageFile):
        referee.judge(boards.raced, stage=tmp_path / "broken.svg")
    with pytest.raises(UnknownStage):
        referee.judge(boards.raced, stage=73)


def test_a_picture_without_a_board_is_kept_to_be_shown() -> None:
    grey = np.full((300, 400, 3), 90, np.uint8)
    report = referee.judge(grey)
    assert code_of(report) == "no-board"
    assert report.photo is not None
    assert (report.photo.bgr == grey).all()
    assert referee.judge(b"no picture").photo is None


def test_a_print_that_many_pictures_want_at_once_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str | None] = []

    def slowly(stage: Stage, copy: str | None, px_per_mm: float) -> NDArray[np.uint8]:
        made.append(copy)
        sleep(0.05)
        return artwork(stage, "A" if copy == "A" else "B", px_per_mm)

    monkeypatch.setattr("referee.pipeline.artwork", slowly)
    monkeypatch.setattr("referee.pipeline._PRINTS", OrderedDict())
    stage = replace(Catalogue().find(1), svg=Catalogue().find(1).svg + b" ")
    with ThreadPoolExecutor(6) as many:
        prints = list(many.map(lambda copy: clean_print(stage, copy), ["A", "B"] * 6))
    assert sorted(made, key=str) == ["A", "B"]
    assert len({id(print_) for print_ in prints}) == 2
