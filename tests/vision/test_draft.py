"""A picture of a clean board becomes the flat reference of a stage."""

import numpy as np
import pytest

from referee.errors import WrongUsage
from referee.vision.draft import outline, picture_corners, proportion, straighten, turned, unshade
from referee.vision.opencv import cv2
from tests.simulation.artworks import SIZE_MM, board_art, photo_of
from tests.simulation.snapshot import Camera, projected

CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]) * SIZE_MM
CAMERA = Camera(size_wh=(1200, 900), tilt_deg=25, azimuth_deg=30, roll_deg=4)


@pytest.mark.parametrize("seed", range(4))
def test_the_outline_of_a_board_is_found_to_a_few_pixels(seed: int) -> None:
    bgr, plane = photo_of(board_art(seed), CAMERA, seed)
    corners = outline(bgr)
    assert corners is not None
    assert np.abs(corners - projected(plane, CORNERS)).max() < 4.0


def test_an_empty_table_has_no_outline() -> None:
    noise = np.random.default_rng(1).normal(128, 6, (600, 800, 3)).clip(0, 255).astype(np.uint8)
    assert outline(noise) is None
    assert outline(np.zeros((20, 20, 3), np.uint8)) is None
    assert picture_corners(noise).tolist() == [[0, 0], [799, 0], [799, 599], [0, 599]]


def test_the_proportion_of_a_board_is_told_by_its_perspective() -> None:
    focal, (w, h) = 900.0, (1200, 900)
    tilt = np.radians(35)
    for board in ((297.0, 210.0), (210.0, 297.0), (200.0, 200.0)):
        x, y = (CORNERS / SIZE_MM * board - np.array(board) / 2).T
        turn = np.radians(20)
        x, y = x * np.cos(turn) - y * np.sin(turn), x * np.sin(turn) + y * np.cos(turn)
        depth = 500 - y * np.sin(tilt)
        seen = np.column_stack([x, y * np.cos(tilt)]) / depth[:, None] * focal
        assert proportion(seen + [(w - 1) / 2, (h - 1) / 2], (w, h)) == pytest.approx(board[0] / board[1], rel=0.03)


def test_a_board_is_laid_flat_from_rim_to_rim() -> None:
    art = board_art(1)
    bgr, plane = photo_of(art, CAMERA, 1)
    flat = straighten(bgr, projected(plane, CORNERS), SIZE_MM)
    assert flat.shape[1] / flat.shape[0] == pytest.approx(297 / 210, rel=0.01)
    look = cv2.cvtColor(cv2.resize(flat, (297, 210), interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    print_ = cv2.cvtColor(cv2.resize(art, (297, 210), interpolation=cv2.INTER_AREA), cv2.COLOR_RGB2GRAY)
    assert np.corrcoef(look.ravel(), print_.ravel())[0, 1] > 0.9


def test_a_turned_board_begins_at_another_corner() -> None:
    assert turned(CORNERS, 1)[1].tolist() == [0.0, 0.0]
    assert turned(CORNERS, 4).tolist() == CORNERS.tolist()


@pytest.mark.parametrize(
    "corners",
    [
        [[0, 0], [100, 100], [100, 0], [0, 100]],
        [[0, 0], [0, 100], [100, 100], [100, 0]],
        [[0, 0], [50, 0], [100, 0], [0, 100]],
        [[0, 0], [1, 1], [100, 100], [0, 100]],
        [[0, 0], [100, 0], [100, 100], [np.nan, 100]],
        [[0, 0], [100, 0], [100, 100]],
    ],
    ids=["crossed", "anticlockwise", "flat", "on each other", "no number", "three"],
)
def test_corners_that_are_no_boards_are_refused(corners: list[list[float]]) -> None:
    with pytest.raises(WrongUsage, match=r"corner|Corner"):
        straighten(np.zeros((120, 120, 3), np.uint8), np.array(corners, float), SIZE_MM)


def test_a_size_that_is_no_boards_is_refused() -> None:
    with pytest.raises(WrongUsage, match="0 x 210 mm"):
        straighten(np.zeros((120, 120, 3), np.uint8), CORNERS, (0.0, 210.0))


def test_a_black_picture_stays_as_it_is() -> None:
    black = np.zeros((50, 70, 3), np.uint8)
    assert np.array_equal(unshade(black), black)


@pytest.mark.parametrize("cloth_px", [23, 37])
def test_a_line_printed_along_the_rim_is_not_taken_for_the_rim_on_a_chequered_cloth(cloth_px: int) -> None:
    y, x = np.mgrid[0:900, 0:1200]
    checks = ((x * 0.97 + y * 0.24) // cloth_px + (y * 0.97 - x * 0.24) // cloth_px) % 2
    photo = np.repeat((checks * 150 + 45).astype(np.uint8)[..., None], 3, axis=2)
    corners = np.array([[130, 110], [1060, 140], [1040, 800], [110, 770]], float)
    inner = corners + 32 * np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]])
    cv2.fillConvexPoly(photo, np.rint(corners).astype(np.int32), (90, 60, 150), cv2.LINE_AA)
    for one, other in zip(corners, np.roll(corners, -1, axis=0), strict=True):  # something lies over a bit of each side
        cv2.circle(photo, np.rint(0.45 * one + 0.55 * other).astype(int).tolist(), 44, (90, 60, 150), -1)
    cv2.fillConvexPoly(photo, np.rint(inner).astype(np.int32), (235, 240, 240), cv2.LINE_AA)
    rng = np.random.default_rng(2)
    for at in rng.uniform(0.25, 0.75, (40, 2)):
        place = inner[0] + at * (inner[2] - inner[0])
        cv2.circle(photo, np.rint(place).astype(int).tolist(), 18, rng.integers(0, 255, 3).tolist(), -1)
    found = outline(np.asarray(cv2.GaussianBlur(photo, (0, 0), 1.2), np.uint8))
    assert found is not None
    assert np.abs(found - corners).max() < 4.0


@pytest.mark.parametrize("seed", range(2))
def test_a_shadow_from_one_side_is_taken_off(seed: int) -> None:
    art = cv2.resize(board_art(seed), (900, 636), interpolation=cv2.INTER_AREA)[..., ::-1] / 255
    light = np.linspace(0.85, 0.4, 900)[:, None] * [1.0, 0.95, 0.9]
    shaded = np.clip((art**2.2 * light) ** (1 / 2.2) * 255, 0, 255).astype(np.uint8)

    def uneven(picture: np.ndarray) -> float:
        """By how much more light the one side has than the other."""
        gain = 2.2 * np.log((picture + 1.0) / (art * 255 + 1))
        parts = np.median(gain.reshape(636, 10, 90, 3), axis=(0, 2))
        return float(np.exp(np.ptp(parts, axis=0)).max() - 1)

    assert uneven(shaded) > 0.8
    assert uneven(unshade(shaded)) < 0.15
    even = np.clip(art * 235, 0, 255).astype(np.uint8)
    assert uneven(unshade(even)) < 0.05
