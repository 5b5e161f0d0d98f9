"""From a picture of one's own clean board to a stage file, and from there to a verdict: the whole road."""

import base64
import re
from pathlib import Path

import numpy as np
import pytest

from referee.cli import main
from referee.drafting import Size, new_stage
from referee.errors import WrongUsage
from referee.stage.check import check_stage
from referee.stage.draft import draft_svg, free_number
from referee.vision.decode import decode
from referee.vision.draft import jpeg
from tests.simulation.artworks import SIZE_MM, board_art, photo_of
from tests.simulation.snapshot import Camera, projected

CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]) * SIZE_MM
A4 = Size(paper="a4")


@pytest.fixture(scope="module")
def clean() -> tuple[bytes, np.ndarray]:
    """A photo of a clean board, and where its corners are."""
    bgr, plane = photo_of(board_art(1), Camera(size_wh=(1200, 900), tilt_deg=20, roll_deg=3), 1)
    return jpeg(bgr), projected(plane, CORNERS)


def test_a_picture_becomes_a_draft_that_says_what_it_lacks(clean: tuple[bytes, np.ndarray], tmp_path: Path) -> None:
    draft = new_stage(clean[0], A4, 103, "My 'board' & \"me\" <1>")
    assert np.abs(draft.corners_px - clean[1]).max() < 4
    assert draft.size_mm == (297.0, 210.0)
    assert draft.found
    assert not draft.is_odd
    path = tmp_path / "stage-103.svg"
    path.write_bytes(draft.svg)
    checkup = check_stage(path)
    assert not checkup.loads
    assert [remark.text.split(" is ")[0].split(" are ")[0] for remark in checkup.remarks] == [
        "The course",
        "The road",
        "The white lines",
        "The start arrow",
        "The finish",
    ]


def test_the_reference_shows_the_board_flat(clean: tuple[bytes, np.ndarray]) -> None:
    svg = new_stage(clean[0], A4, 103, "x").svg
    found = re.search(rb'href="data:image/jpeg;base64,([^"]+)"', svg)
    assert found
    flat = decode(base64.b64decode(found[1])).bgr
    assert flat.shape[1] / flat.shape[0] == pytest.approx(297 / 210, rel=0.01)


def test_corners_by_hand_go_before_what_is_found(clean: tuple[bytes, np.ndarray]) -> None:
    given = clean[1] + 20
    assert np.array_equal(new_stage(clean[0], A4, 103, "x", given).corners_px, given)


def test_a_picture_without_an_outline_is_taken_whole() -> None:
    noise = np.random.default_rng(1).normal(128, 6, (600, 850, 3)).clip(0, 255).astype(np.uint8)
    draft = new_stage(jpeg(noise), A4, 101, "x")
    assert not draft.found
    assert draft.corners_px[2].tolist() == [849, 599]


def test_a_size_that_the_picture_belies_is_told(clean: tuple[bytes, np.ndarray]) -> None:
    assert new_stage(clean[0], Size(sides_mm=(210.0, 297.0)), 101, "x").is_odd


def test_a_board_is_as_large_as_its_paper_or_its_long_side_says() -> None:
    assert Size(paper="a4").of(0.7) == (210.0, 297.0)
    assert Size(longer_mm=780).of(1.5) == (780, 520.0)
    assert Size(longer_mm=780).of(0.5) == (390.0, 780)
    assert Size(sides_mm=(30, 20)).of(9.0) == (30, 20)
    with pytest.raises(WrongUsage, match=r"1\.50 times as long as broad"):
        Size().of(1 / 1.5)


def test_stages_of_ones_own_are_numbered_clear_of_all_others(tmp_path: Path) -> None:
    assert free_number(tmp_path) == 101
    for number in (101, 102, 104):
        (tmp_path / f"{number}.svg").write_bytes(draft_svg(jpeg(board_art(1)), SIZE_MM, number, "x"))
    assert free_number(tmp_path) == 103
    assert free_number(tmp_path / "nowhere") == 101


def test_the_command_writes_the_file_and_overwrites_none(
    clean: tuple[bytes, np.ndarray], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("board.jpg").write_bytes(clean[0])
    assert main(["new-stage", "board.jpg", "--long-mm", "297", "--name", "Duck"]) == 0
    told = capsys.readouterr()
    assert told.out == ""
    assert "stage-101.svg: stage 101, 297 x 2" in told.err
    assert b'data-name="Duck"' in Path("stage-101.svg").read_bytes()
    assert main(["new-stage", "board.jpg", "--paper", "a4", "-o", "stage-101.svg"]) == 2
    assert "there is such a file already" in capsys.readouterr().err
    assert main(["new-stage", "board.jpg"]) == 2
    assert "How large is the board?" in capsys.readouterr().err
    Path("words.jpg").write_text("no picture", encoding="utf-8")
    assert main(["new-stage", "words.jpg", "--paper", "a4"]) == 3
    assert "No stage:" in capsys.readouterr().err
