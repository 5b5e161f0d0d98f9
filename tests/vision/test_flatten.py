"""Flattening: a bend that is known comes back, a lens that is given stays, a flat board stays flat."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from referee.errors import TooBlurred
from referee.model import BoardView, Floats
from referee.vision.flatten import FLAT_LEVELS, Equations, Glance, Net, PhotoMap, register
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


@pytest.mark.parametrize(("span", "px_per_mm"), [(1, 5.0), (2, 9.0), (3, 13.0), (4, 17.0)])
def test_a_glance_of_fewer_pixels_moves_nothing(span: int, px_per_mm: float) -> None:
    photo, where = patches.bent_photograph(bow, px_per_mm=px_per_mm)
    glance = Glance.of(photo, patches.view(px_per_mm))
    assert glance.span == span
    view, _ = register(glance, patches.clean_print(), patches.view(px_per_mm))
    off = (view.to_photo(PLACES_MM) - where(PLACES_MM)) / px_per_mm
    assert np.abs(off.mean(axis=0)).max() < 0.02  # half a pixel of the glance's would be 0.1 mm


def far_bow(points_mm: Floats) -> Floats:
    """Paper whose middle has moved by more than any search reaches, its left and right held fast."""
    x = points_mm[:, 0] / 120
    return np.column_stack([np.zeros(len(x)), 16 * np.sin(np.pi * x) ** 3])


def test_a_bend_too_far_to_follow_is_not_called_certain() -> None:
    photo, where = patches.bent_photograph(far_bow)
    try:
        view, sigma_mm = registered(photo, patches.view())
    except TooBlurred:
        return
    off = off_mm(view.to_photo(PLACES_MM), where(PLACES_MM))
    rows, columns = sigma_mm.shape
    nodes = np.rint(PLACES_MM / patches.SIZE_MM * [columns - 1, rows - 1]).astype(int)
    assert off.max() > 1
    assert np.mean(off > 3 * sigma_mm[nodes[:, 1], nodes[:, 0]]) < 0.05


def test_a_thing_on_bowed_paper_makes_only_what_it_hides_uncertain() -> None:
    photo, _ = patches.bent_photograph(lambda mm: 3 * bow(mm))
    _, bare = registered(photo, patches.view())
    photo[:, 560:] = 90
    _, beside = registered(photo, patches.view())
    assert np.abs(beside - bare)[:, :2].max() < 0.01
    assert beside[:, -1].min() > 0.5


def test_a_thing_on_nearly_flat_paper_makes_little_uncertain() -> None:
    photo, _ = patches.bent_photograph(bow)
    photo[:, 560:] = 90
    _, beside = registered(photo, patches.view())
    assert beside.max() < 0.2


def test_around_a_board_that_may_bow_a_glance_shows_more() -> None:
    photo = np.zeros((1000, 1400, 3), np.uint8)
    plane = np.array([[6.0, 0, 300], [0, 6.0, 250], [0, 0, 1]])
    bent = replace(patches.view(), board_to_photo=plane)
    flat = replace(bent, bend_mm=np.zeros((6, 9, 2)), bend_step_mm=(15.0, 14.4))
    assert Glance.of(photo, bent).corner_px == (300 - 72, 250 - 72)
    assert Glance.of(photo, flat).corner_px == (300 - 18, 250 - 18)


def test_the_map_of_a_board_is_the_same_pixel_by_pixel_and_block_by_block() -> None:
    view = replace(patches.view(), bend_mm=np.array([[[0.0, 0.0], [0.4, 0.2]], [[0.1, -0.3], [0.5, 0.0]]]))
    view = replace(view, bend_step_mm=(120.0, 72.0))
    board = PhotoMap(view, 6.0)
    x, y = board.everywhere()
    grid = np.meshgrid(np.arange(0, board.rows // 3, 7), np.arange(0, board.columns // 3, 11), indexing="ij")
    rows, columns = (at.ravel() for at in grid)
    block_x, block_y = board.blocks(rows, columns, 3)
    for k, (down, across) in enumerate(np.ndindex(3, 3)):
        at = rows * 3 + down, columns * 3 + across
        assert np.abs(block_x[k] - x[at]).max() < 2e-3
        assert np.abs(block_y[k] - y[at]).max() < 2e-3
        one_x, one_y = board.at(*at)
        assert np.abs(block_x[k] - one_x).max() < 1e-3
        assert np.abs(block_y[k] - one_y).max() < 1e-3


def test_where_no_marker_holds_a_flat_board_what_is_hidden_is_less_sure() -> None:
    photo, where = patches.bent_photograph(np.zeros_like)
    bare = replace(patches.view(), found_by="artwork")
    view, sure = registered(photo, bare)
    assert off_mm(view.to_photo(PLACES_MM), where(PLACES_MM)).max() < 0.03
    photo[:, 560:] = 90
    _, hidden = registered(photo, bare)
    assert hidden[:, -1].min() > 10 * sure.max()
    assert hidden[:, 0].max() < 0.02


def test_a_net_is_held_more_loosely_at_its_rim_and_where_nothing_is_seen() -> None:
    net = Net((120.0, 72.0), (18, 30))
    seen = np.ones((18, 30))
    grid = np.zeros((18, 30), np.float32)
    even = Equations(
        np.stack([seen, 0 * seen, seen], -1).reshape(-1, 3), np.zeros((540, 2)), grid, grid, (18, 30), FLAT_LEVELS[0]
    )
    loose = net.loose(even, 1.0)
    assert loose[0, 0] > loose[0, 2] > loose[1, 2]
    seen[:, 20:] = 0
    half = replace(even, normal=np.stack([seen, 0 * seen, seen], -1).reshape(-1, 3), _squares={})
    assert net.loose(half, 1.0)[1, -1] > 3 * net.loose(half, 1.0)[1, 0]
