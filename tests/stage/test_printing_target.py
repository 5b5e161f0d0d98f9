"""The sheet to calibrate with: the board that OpenCV expects, at its size, and the files in calibration/."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from xml.etree import ElementTree

import cv2
import numpy as np
import pytest

from referee.errors import WrongUsage
from referee.model import Target
from referee.stage.printing_target import black_boxes, marker_boxes, target_pdf, target_svg
from referee.vision.calibrate import _board
from tests.stage.test_printing import MM, on_paper, page_boxes, rulers_mm, streams

CALIBRATION = Path(__file__).resolve().parents[2] / "calibration"
PAPERS = {"a4": (297.0, 210.0), "letter": (279.4, 215.9)}


def test_the_board_is_the_one_that_opencv_looks_for() -> None:
    target, px = Target(), 4
    ours = np.full((target.rows * 24 * px, target.columns * 24 * px), 255, np.uint8)

    def fill(box: tuple[float, float, float, float], shade: int) -> None:
        x, y, w, h = (round(v * px) for v in box)
        ours[y : y + h, x : x + w] = shade

    for box in black_boxes(target):
        fill(box, 0)
    for marker, white in marker_boxes(target):
        fill(marker, 0)
        for cell in white:
            fill(cell, 255)
    theirs = _board(target).generateImage(ours.shape[::-1], marginSize=0, borderBits=1)
    assert np.mean(ours != theirs) < 0.001


@pytest.mark.parametrize("paper", PAPERS)
def test_a_page_has_the_papers_size_and_a_ruler_of_100_mm(paper: str) -> None:
    pdf = target_pdf(paper)
    assert [(w / MM, h / MM) for w, h in page_boxes(pdf)] == [pytest.approx(PAPERS[paper], abs=0.01)]
    (page,) = streams(pdf)
    assert rulers_mm(page) == [pytest.approx(100.0, abs=0.01)]
    root = ElementTree.fromstring(target_svg(paper))
    assert (root.get("width"), root.get("height")) == tuple(f"{side:g}mm" for side in PAPERS[paper])
    assert "h100" in target_svg(paper)


@pytest.mark.skipif(shutil.which("pdftoppm") is None, reason="pdftoppm draws the PDF")
@pytest.mark.parametrize("paper", PAPERS)
def test_the_printed_page_shows_the_board_whole_and_at_its_size(paper: str, tmp_path: Path) -> None:
    page = on_paper(target_pdf(paper), 1, 5.0, tmp_path)
    grey = np.ascontiguousarray(page[..., 0]).astype(np.uint8)
    corners, ids, _, _ = cv2.aruco.CharucoDetector(_board(Target())).detectBoard(grey)
    assert len(np.ravel(ids)) == 54
    across = np.asarray(corners).reshape(6, 9, 2)[0, :, 0]
    assert (across[-1] - across[0]) / 5.0 == pytest.approx(8 * 24.0, abs=0.1)


@pytest.mark.parametrize("paper", PAPERS)
def test_the_files_in_calibration_are_what_the_code_makes(paper: str) -> None:
    """Else: `referee print target --paper PAPER -o calibration/target-PAPER.pdf`, and the same with .svg."""
    assert (CALIBRATION / f"target-{paper}.pdf").read_bytes() == target_pdf(paper)
    assert (CALIBRATION / f"target-{paper}.svg").read_bytes() == target_svg(paper).encode()


def test_another_paper_is_refused() -> None:
    with pytest.raises(WrongUsage, match="a4 or letter"):
        target_pdf("a4-halves")


def test_the_svg_and_the_pdf_say_the_same() -> None:
    assert set(re.findall(r">([^<>]*PROFILE[^<>]*)<", target_svg())) == {
        "referee calibrate PICTURES... --out PROFILE    then    referee judge PHOTO --lens PROFILE"
    }
