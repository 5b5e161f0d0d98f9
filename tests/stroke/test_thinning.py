"""Thinned ink keeps its pieces, its rings and its ends."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from referee.stroke.thinning import thinned

Grid = NDArray[np.uint8]


def thin(on: Grid) -> Grid:
    out = np.zeros(on.size, np.uint8)
    out[thinned(on)] = 1
    return out.reshape(on.shape)


def picture(*rows: str) -> Grid:
    return np.pad(np.array([[c == "#" for c in row] for row in rows], np.uint8), 2)


def pieces_and_rings(on: Grid) -> tuple[int, int]:
    return cv2.connectedComponents(on, connectivity=8)[0], cv2.connectedComponents(1 - on, connectivity=4)[0]


def blots(seed: int) -> Grid:
    noise = cv2.GaussianBlur(np.random.default_rng(seed).normal(size=(150, 200)), (0, 0), 4)
    return np.pad((noise > 0.02).astype(np.uint8), 2)


def test_a_bar_becomes_a_line() -> None:
    line = thin(picture(*["#" * 40] * 7))
    rows, columns = np.nonzero(line)
    assert len(columns) == len(set(columns.tolist()))
    assert np.ptp(rows) <= 1
    assert columns.max() - columns.min() >= 33


def test_the_point_of_a_hairpin_stays() -> None:
    rows, columns = np.mgrid[0:80, 0:120]
    wedge = (np.abs(rows - 40) < (columns - 10) * 0.25) & (columns < 110)
    line = np.nonzero(thin(np.pad(wedge.astype(np.uint8), 2)))
    assert line[1].min() < 10 + 12


def test_a_single_line_stays_as_it_is() -> None:
    line = picture("###.......", "...####...", ".......###")
    assert (thin(line) == line).all()


@pytest.mark.parametrize("seed", range(5))
def test_nothing_is_parted_or_joined_and_no_ring_opens_or_closes(seed: int) -> None:
    on = blots(seed)
    assert pieces_and_rings(thin(on)) == pieces_and_rings(on)


@pytest.mark.parametrize("seed", range(5))
def test_what_is_left_is_nowhere_thick(seed: int) -> None:
    left = thin(blots(seed))
    assert cv2.erode(left, np.ones((3, 3), np.uint8)).sum() == 0
    assert left.sum() < 0.15 * blots(seed).sum()


def test_a_bare_board_has_no_lines() -> None:
    assert len(thinned(np.zeros((20, 30), np.uint8))) == 0
