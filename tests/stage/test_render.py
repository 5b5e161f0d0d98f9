"""The clean print as pixels."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from referee.errors import BadStageFile
from referee.stage.markers import white_squares
from referee.stage.render import artwork, svg_of_copy
from referee.stage.tags36h11 import CODES
from tests.stage.boards import RULER, board, stage_of

WHITE_CORNERS = '<path d="M0 0h26v26h-26zM271 0h26v26h-26zM271 184h26v26h-26zM0 184h26v26h-26z" fill="#fff"/>'


def test_every_marker_is_the_one_that_opencv_draws() -> None:
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    assert len(CODES) == len(dictionary.bytesList)
    for identity in range(len(CODES)):
        drawn = cv2.aruco.generateImageMarker(dictionary, identity, 8)
        assert np.array_equal(white_squares(identity), drawn > 127)


@pytest.mark.parametrize("px_per_mm", [1.0, 3.3, 8.0])
def test_the_picture_has_the_boards_size_in_pixels(px_per_mm: float) -> None:
    picture = artwork(stage_of(), "A", px_per_mm)
    assert picture.shape == (round(210 * px_per_mm), round(297 * px_per_mm), 3)
    assert picture.dtype == np.uint8


@pytest.mark.parametrize("px_per_mm", [4.0, 7.37])
@pytest.mark.parametrize("view_box", ["0 0 297 210", "-40 12 297 210"])
def test_a_point_in_mm_is_where_the_pixel_convention_says(px_per_mm: float, view_box: str) -> None:
    x0, y0, x1, y1 = 40.2, 81.3, 171.9, 140.65
    left, top = map(float, view_box.split()[:2])
    spot = f'<rect x="{x0}" y="{y0}" width="{x1 - x0}" height="{y1 - y0}" fill="#000"/>'
    wrap = (f'<g transform="translate({left} {top})"><rect width="297" height="210" fill="#fff"/>{spot}', "</g>")
    stage = stage_of(drop=["art"], wrap=wrap, root={"viewBox": view_box})
    dark = 1 - artwork(stage, None, px_per_mm)[:, :, 0] / 255.0
    dark[: int(75 * px_per_mm)] = 0  # the roads
    column = dark[round(110 * px_per_mm)]
    row = dark[:, round(100 * px_per_mm)]
    for profile, low, high in ((column, x0, x1), (row, y0, y1)):
        length, middle = profile.sum(), (profile * (np.arange(len(profile)) + 0.5)).sum() / profile.sum()
        # resvg smooths edges by quarters of a pixel
        assert length / px_per_mm == pytest.approx(high - low, abs=0.25 / px_per_mm)
        assert middle / px_per_mm == pytest.approx((low + high) / 2, abs=0.13 / px_per_mm)


@pytest.mark.parametrize(("copy", "first"), [("A", 64), ("B", 68)])
def test_each_copy_shows_its_own_markers(copy: str, first: int) -> None:
    picture = artwork(stage_of(extra=WHITE_CORNERS), copy, 4.0)  # type: ignore[arg-type]
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11))
    _, ids, _ = detector.detectMarkers(np.ascontiguousarray(picture[:, :, ::-1]))
    assert sorted(ids.ravel().tolist()) == [first + i for i in range(4)]


def test_a_marker_of_whole_pixels_is_drawn_without_seams() -> None:
    stage = stage_of(extra=WHITE_CORNERS)
    picture: NDArray[np.uint8] = artwork(stage, "B", 8.0)[:, :, 0]
    square = picture[6 * 8 : 20 * 8, 6 * 8 : 20 * 8]
    assert np.array_equal(square[7::14, 7::14] > 127, white_squares(68))
    assert set(np.unique(square)) == {0, 255}


def test_the_same_board_is_drawn_once() -> None:
    stage = stage_of()
    first = artwork(stage, "A", 2.0)
    assert artwork(stage, "A", 2.0) is first
    assert not first.flags.writeable


def test_the_copy_as_svg_keeps_the_drawing() -> None:
    text = svg_of_copy(stage_of().svg, stage_of().fiducials, "B")
    assert b"road-2" in text
    again = stage_of(extra=WHITE_CORNERS)
    assert again.fiducials[0].marker_id == 64


def test_a_size_beyond_all_use_is_refused() -> None:
    for px_per_mm in (0.0, -1.0, 1000.0):
        with pytest.raises(ValueError, match="px_per_mm"):
            artwork(stage_of(), "A", px_per_mm)


def test_a_text_that_cannot_be_drawn_is_a_bad_stage_file() -> None:
    for text in (b"<svg/>", b"no drawing", board().replace(b"<svg", b"<g")):
        with pytest.raises(BadStageFile, match=r"board\.svg"):
            artwork(replace(stage_of(), svg=text), "A", 1.0)


def test_words_are_drawn_with_whatever_font_there_is() -> None:
    word = '<text x="150" y="120" font-size="9" fill="#000" font-family="sans-serif">GO</text>'
    assert artwork(stage_of(RULER, extra=word), "A", 1.0).shape == (210, 297, 3)
