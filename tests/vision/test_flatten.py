"""Flattening: a bend that is known comes back, a lens that is given stays, a flat board stays flat."""

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.model import BoardView, Floats
from referee.vision.flatten import Glance, PhotoMap, register
from tests.vision import patches

PLACES_MM = np.stack(np.meshgrid(np.linspace(4, 116, 15), np.linspace(4, 68, 10)), -1).reshape(-1, 2)


def bow(points_mm: Floats) -> Floats:
    """Paper that bows by most of a millimetre and twists a little."""
    x, y = points_mm[:, 0] / 120, points_mm[:, 1] / 72
    return np.column_stack([0.3 * np.sin(2 * x + y), 0.8 * np.sin(2.2 * x) * np.cos(0.9 * y)])


def off_mm(seen_px: Floats, true_px: Floats, px_per_mm: float = 6.0) -> Floats:
    return np.asarray(np.hypot(*((seen_px - true_px) / px_per_mm).T))


def registered(photo: NDArray[np.uint8], view: BoardView) -> tuple[BoardView, Floats]:
    return register(Glance.of(photo, view), patches.clean_print(), view)


def test_a_known_bend_is_taken_out() -> None:
    photo, where = patches.bent_photograph(bow)
    view, _ = registered(photo, patches.view())
    off = off_mm(view.to_photo(PLACES_MM), where(PLACES_MM))
    assert np.median(off) < 0.02
    assert np.sqrt(np.mean(off**2)) < 0.03


def test_the_doubt_about_the_bend_is_honest() -> None:
    photo, where = patches.bent_photograph(bow)
    view, sigma_mm = registered(photo, patches.view())
    off = off_mm(view.to_photo(PLACES_MM), where(PLACES_MM))
    assert 0.3 * np.median(off) < np.median(sigma_mm) < 0.06


def test_a_flat_board_stays_flat() -> None:
    photo, where = patches.bent_photograph(np.zeros_like)
    view, _ = registered(photo, patches.view())
    assert off_mm(view.to_photo(PLACES_MM), where(PLACES_MM)).max() < 0.03


def test_a_lens_that_the_markers_showed_is_kept() -> None:
    photo, where = patches.bent_photograph(bow)
    nodes = np.stack(np.meshgrid(np.linspace(0, 120, 9), np.linspace(0, 72, 6)), -1).reshape(-1, 2)
    lens = replace(patches.view(), bend_mm=bow(nodes).reshape(6, 9, 2), bend_step_mm=(15.0, 14.4))
    view, _ = registered(photo, lens)
    assert off_mm(view.to_photo(PLACES_MM), where(PLACES_MM)).max() < 0.04


def test_a_lens_on_a_board_that_bows_as_well_is_not_held_against_the_bow() -> None:
    photo, where = patches.bent_photograph(bow)
    lens = replace(patches.view(), bend_mm=np.zeros((6, 9, 2)), bend_step_mm=(15.0, 14.4))
    view, _ = registered(photo, lens)
    assert np.sqrt(np.mean(off_mm(view.to_photo(PLACES_MM), where(PLACES_MM)) ** 2)) < 0.04


def test_the_map_names_the_photo_pixel_of_every_pixel_of_the_flat_board() -> None:
    view = replace(patches.view(), bend_mm=0.2 * np.ones((6, 9, 2)), bend_step_mm=(15.0, 14.4))
    x, y = PhotoMap(view, 4.0).everywhere()
    assert x.shape == (288, 480)
    middle_mm = np.array([[(100 + 0.5) / 4, (200 + 0.5) / 4]])
    assert np.abs(view.to_photo(middle_mm)[0] - [x[200, 100], y[200, 100]]).max() < 0.01


def test_the_map_is_the_same_for_single_pixels() -> None:
    whole = PhotoMap(patches.view(), 4.0)
    rows, columns = np.array([0, 3, 117, 287]), np.array([0, 478, 251, 479])
    for single, every in zip(whole.at(rows, columns), whole.everywhere(), strict=True):
        assert np.abs(single - every[rows, columns]).max() < 1e-3


def test_a_glance_shows_the_same_places_with_fewer_pixels() -> None:
    photo, _ = patches.bent_photograph(np.zeros_like)
    large = np.asarray(cv2.resize(photo, None, fx=3, fy=3, interpolation=cv2.INTER_NEAREST), np.uint8)
    view = replace(
        patches.view(), board_to_photo=np.array([[3, 0, 1], [0, 3, 1], [0, 0, 1]]) @ patches.view().board_to_photo
    )
    glance = Glance.of(large, view)
    assert glance.span == 4
    assert glance.bgr.size < large.size / 15
    x, y = (np.rint(v).astype(int) for v in glance.places(view, 2.0))
    known = cv2.resize(photo[12:-12, 12:-12], (240, 144), interpolation=cv2.INTER_AREA)
    assert np.median(np.abs(glance.bgr[y, x].astype(float) - known)) < 12
