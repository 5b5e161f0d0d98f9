"""A fixed webcam with a bending lens: calibrated by the command, and judged by its profile."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import pytest

import referee
from referee.calibrate import calibrate
from referee.cli import main
from referee.errors import NotCalibrated, WrongUsage
from referee.model import LensProfile
from referee.stage.load import load_stage
from referee.stage.render import artwork
from referee.vision.lens import lens_from_toml
from tests.simulation.compare import paired
from tests.simulation.lens import Held, seen_at, through
from tests.simulation.paint import Marker, texture
from tests.simulation.scenarios import drive
from tests.simulation.snapshot import Camera, Picture
from tests.simulation.truth import truth_of
from tests.vision.lenses import ALL_ROUND, TRUTH, WEBCAM, map_error_px, picture

STAGES = Path(__file__).parents[1] / "stage_masks"
BOARD_MM = (297.0, 210.0)


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Nine pictures of the target, and two that are of no use."""
    folder = tmp_path_factory.mktemp("target")
    for number, held in enumerate(ALL_ROUND):
        cv2.imwrite(str(folder / f"{number}.png"), picture(held, number))
    cv2.imwrite(str(folder / "table.png"), np.full((720, 1280, 3), 99, np.uint8))
    (folder / "broken.jpg").write_bytes(b"no picture")
    return sorted(folder.iterdir())


def test_the_command_writes_a_profile_and_names_what_it_leaves_out(
    pictures: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    profile = tmp_path / "webcam.toml"
    assert main(["calibrate", *map(str, pictures), "--out", str(profile), "--date", "today"]) == 0
    lens = lens_from_toml(profile)
    assert (lens.picture_wh, lens.pictures) == ((1280, 720), 9)
    assert map_error_px(lens) < 0.15
    assert 'date = "today"' in profile.read_text()
    said = capsys.readouterr()
    assert said.out == ""
    assert "[1/11] 0.png: " in said.err
    assert "[11/11] table.png: left out. table.png: the target is not in it" in said.err
    assert "broken.jpg: left out." in said.err
    assert f"--lens {profile}" in said.err


def test_too_few_pictures_write_no_profile(
    pictures: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    profile = tmp_path / "webcam.toml"
    assert main(["calibrate", *map(str, pictures[:2]), "--out", str(profile)]) == 3
    assert not profile.exists()
    assert "No profile: The target was found in 2 pictures; at least 6 are needed." in capsys.readouterr().err


def test_a_profile_that_cannot_be_written_is_said_before_the_first_picture(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["calibrate", "0.png", "--out", str(tmp_path / "no" / "webcam.toml")]) == 2
    said = capsys.readouterr().err
    assert "no file can be written there" in said
    assert "0.png" not in said


def test_a_picture_of_another_size_is_left_out(pictures: list[Path], tmp_path: Path) -> None:
    other = tmp_path / "large.png"
    seen = cv2.imread(str(pictures[0]))
    assert seen is not None
    cv2.imwrite(str(other), cv2.resize(seen, (1920, 1080)))
    said: list[str] = []
    with pytest.raises(NotCalibrated, match="found in 2 pictures"):
        calibrate([other, *pictures[:2]], said.append)
    assert "large.png has 1920 x 1080 pixels, most have 1280 x 720" in said[-1]


def test_no_picture_of_use_is_no_profile(pictures: list[Path]) -> None:
    with pytest.raises(NotCalibrated, match="found in 0 pictures"):
        calibrate(pictures[-2:], lambda words: None)  # noqa: ARG005


# ------------------------------------------------------------------------------------------------ judging with one


@dataclass(frozen=True)
class Judged:
    """How far a report is off: the board's places in the picture (mm) and the margins (mm).

    Without a profile a lens like this may pass for badly bent paper, which is not judged.
    """

    verdict: str | None
    places_mm: np.ndarray
    margins_mm: np.ndarray


def raced(number: int, seed: int, held: Held) -> tuple[Picture, list[Judged]]:
    """A race before the bending webcam, judged with the profile and without."""
    stage = load_stage(STAGES / f"stage-{number:02d}.svg")
    race = drive(stage, "brushes", seed=seed, margins=[0.4, 0.9])
    board = texture(artwork(stage, "A", 10.0), race.strokes, Marker("blue"), [], np.random.default_rng(1), BOARD_MM)
    look = Camera(size_wh=(1280, 720), blur_px=0.8, noise=0.01)
    photo = through(board, BOARD_MM, WEBCAM, held, look, seed)
    grid = np.stack(np.meshgrid(np.linspace(0, 297, 12), np.linspace(0, 210, 9)), -1).reshape(-1, 2)
    answers = []
    for lens in (TRUTH, None):
        report = referee.judge(photo, lens=lens)
        assert report.view is not None
        off = report.view.to_photo(grid) - seen_at(WEBCAM, held, BOARD_MM, grid)
        pairs = paired(truth_of(race).events, report.judgement.events if report.judgement else ())
        margins = [
            told.margin_mm - true.margin_mm
            for true, told in pairs
            if true is not None and told is not None and told.kind == "brush" and told.margin_mm and true.margin_mm
        ]
        verdict = report.judgement.verdict if report.judgement else None
        answers.append(Judged(verdict, np.hypot(*off.T) / report.view.scale_px_per_mm(), np.abs(margins)))
    return photo, answers


@pytest.fixture(scope="module")
def races() -> list[tuple[Picture, list[Judged]]]:
    return [
        raced(1, 2, Held(0, 0, 0, (0.5, 0.5), 3.3)),
        raced(11, 4, Held(-15, 10, 180, (0.52, 0.5), 3.2)),
    ]


def test_with_its_profile_the_board_lies_where_it_is(races: list[tuple[Picture, list[Judged]]]) -> None:
    for _, (with_profile, without) in races:
        assert with_profile.verdict == "fair"
        assert without.verdict in ("fair", "review", None)
        assert with_profile.places_mm.max() < 0.06
        assert with_profile.places_mm.mean() < without.places_mm.mean() / 2


def test_with_its_profile_margins_are_at_least_as_good(races: list[tuple[Picture, list[Judged]]]) -> None:
    with_profile = np.concatenate([judged[0].margins_mm for _, judged in races])
    assert len(with_profile) >= 4
    assert with_profile.mean() < 0.15
    both = [judged for _, judged in races if judged[1].verdict is not None]
    for one, other in both:
        assert len(one.margins_mm) >= len(other.margins_mm)
        assert one.margins_mm.mean() <= other.margins_mm.mean() + 0.02


def test_a_picture_that_does_not_fit_the_profile_is_not_judged(races: list[tuple[Picture, list[Judged]]]) -> None:
    photo = races[0][0]
    for other, word in ((photo[::2, ::2], "640 x 360"), (cv2.rotate(photo, cv2.ROTATE_90_CLOCKWISE), "by a quarter")):
        failure = referee.judge(np.ascontiguousarray(other), lens=TRUTH).failure
        assert failure is not None
        assert failure.code == "wrong-lens"
        assert word in failure.message


def test_judge_takes_a_profile_by_its_file(
    races: list[tuple[Picture, list[Judged]]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    profile, photo = tmp_path / "webcam.toml", tmp_path / "race.png"
    cv2.imwrite(str(photo), races[0][0])
    profile.write_text("nothing")
    assert main(["judge", str(photo), "--lens", str(profile)]) == 2
    assert "no lens profile" in capsys.readouterr().err
    with pytest.raises(WrongUsage):
        referee.judge(b"", lens=profile)
    profile.write_text(written(TRUTH))
    report = referee.judge(photo, lens=profile)
    assert report.view is not None
    assert report.view.lens is not None
    assert main(["judge", str(photo), "--lens", str(profile)]) == 0


def written(lens: LensProfile) -> str:
    from referee.vision.lens import lens_toml

    return lens_toml(lens)
