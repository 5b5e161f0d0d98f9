"""The markers are those of the dictionary, each toy and card has its own, and they are read off the drawings."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from referee.turbo_time.art.cards import CARD_MM, card
from referee.turbo_time.art.ink import svg
from referee.turbo_time.art.patch import MARKER_MM, RIM_MM
from referee.turbo_time.art.pencil import Art
from referee.turbo_time.art.tiles import TILE_MM, every_tile, tile
from referee.turbo_time.markers import CARD_OF, CODES, TOY_OF, card_marker, toy_marker, white_cells
from referee.turbo_time.toys import SET
from tests.turbo_time.raster import drawn

DICTIONARY = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_ARUCO_MIP_36h12)


def test_there_is_a_marker_for_each_toy_and_card_between_50_and_249() -> None:
    assert len(CODES) == len(TOY_OF) + len(CARD_OF) == 16 + 36
    assert all(50 <= marker <= 249 for marker in CODES)
    assert {toy: list(TOY_OF.values()).count(toy) for toy in SET} == dict(SET)
    assert [toy_marker("demon", nth) for nth in range(4)] == [55, 56, 57, 58]
    assert (card_marker(1), card_marker(36), CARD_OF[117]) == (101, 136, 17)


@pytest.mark.parametrize("marker", CODES)
def test_a_code_is_the_dictionarys(marker: int) -> None:
    bits = cv2.aruco.Dictionary.getBitsFromByteList(DICTIONARY.bytesList[marker : marker + 1], 6)
    white = [(row + 1, column + 1) for row, column in np.argwhere(bits).tolist()]
    assert white_cells(marker) == white


@pytest.mark.parametrize(("toy", "nth"), every_tile())
def test_the_marker_of_a_tile_is_read_off_its_face(toy: str, nth: int) -> None:
    assert read_off(tile(toy, nth), (TILE_MM, TILE_MM)) == {toy_marker(toy, nth)}  # type: ignore[arg-type]


@pytest.mark.parametrize("number", range(1, 37))
def test_the_marker_of_a_card_is_read_off_its_face(number: int) -> None:
    assert read_off(card(number), CARD_MM) == {card_marker(number)}


def read_off(art: Art, size_mm: tuple[float, float]) -> set[int]:
    """The markers that OpenCV finds in a drawing at 6 px/mm, each 12 mm wide with a white rim of a cell."""
    picture: NDArray[np.uint8] = drawn(svg(art, size_mm), size_mm, px_per_mm=6)
    corners, ids, _ = cv2.aruco.ArucoDetector(DICTIONARY).detectMarkers(picture)
    for found in corners:
        sides = np.linalg.norm(found[0] - np.roll(found[0], 1, axis=0), axis=1)
        assert np.allclose(sides, MARKER_MM * 6, atol=2.0)
    assert RIM_MM == MARKER_MM / 8
    return set() if ids is None else set(ids.ravel().tolist())
