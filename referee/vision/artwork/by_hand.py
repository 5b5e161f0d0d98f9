"""A board whose corners somebody pointed out: the last resort.

A finger is a few pixels off; where the artwork can be told there, it says more exactly how the board lies.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from referee.model import BoardView, Floats, LensProfile, Photo
from referee.vision.artwork.features import features_of_photo
from referee.vision.artwork.find import Shelf, judged_view
from referee.vision.artwork.known import Known
from referee.vision.artwork.match import Pairs, outline_mm, paired
from referee.vision.find import BoardTrouble, FoundBoard
from referee.vision.opencv import cv2
from referee.vision.plane import mapped

NEAR = 0.025
"""What is meant lies within so much of the board's diagonal of what was pointed at."""
MOST_MOVED = 0.02
"""The artwork may move a corner by no more than this: further off, it was not the artwork that was meant."""
LEAST_PAIRS = 20


def board_at(
    photo: Photo, shelf: Shelf, corners_px: Floats, lens: LensProfile | None = None
) -> FoundBoard | BoardTrouble:
    """The one board of a shelf, whose corners (4, 2) in the photo were given, top left first, clockwise."""
    (number,), (board,) = shelf.numbers, shelf.known
    corners = corners_px if lens is None else lens.straight(corners_px)
    plane = _plane(outline_mm(board.size_mm), corners)
    plane = _by_the_artwork(photo, board, plane, lens)
    return judged_view(BoardView(number, None, board.size_mm, plane, found_by="corners", lens=lens), 1.0)


def _plane(corners_mm: Floats, corners_px: Floats) -> Floats:
    return np.asarray(
        cv2.getPerspectiveTransform(corners_mm.astype(np.float32), corners_px.astype(np.float32)), np.float64
    )


def _by_the_artwork(photo: Photo, board: Known, plane: Floats, lens: LensProfile | None) -> Floats:
    """A plane near the one given that features agree on; the one given if there are too few."""
    features = features_of_photo(np.asarray(cv2.cvtColor(photo.bgr, cv2.COLOR_BGR2GRAY), np.uint8))
    if lens is not None:
        features = replace(features, places=lens.straight(features.places.astype(float)).astype(np.float32))
    pairs = paired(features, board.features)
    corners = mapped(plane, outline_mm(board.size_mm))
    size_px = float(np.hypot(*(corners[2] - corners[0])))
    off = mapped(plane, pairs.print_mm.astype(float)) - pairs.photo_px if len(pairs) else np.empty((0, 2))
    near: Pairs = pairs.some(np.hypot(off[:, 0], off[:, 1]) < NEAR * size_px)
    if len(near) < LEAST_PAIRS:
        return plane
    better, held = cv2.findHomography(
        near.print_mm, near.photo_px, cv2.USAC_MAGSAC, 0.004 * size_px, None, 4000, 0.9999
    )
    if better is None or held is None or int(np.asarray(held).sum()) < LEAST_PAIRS:
        return plane
    moved = mapped(np.asarray(better, np.float64), outline_mm(board.size_mm)) - corners
    return (
        plane if np.hypot(moved[:, 0], moved[:, 1]).max() > MOST_MOVED * size_px else np.asarray(better / better[2, 2])
    )
