"""Loose pieces on a table, each with a marker of its own: where the markers are, and the table as seen from above.

Nobody knows where the pieces lie, but all their markers are squares of one size: the plane in which they are tells how
the camera looked at the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from referee.model import Photo
from referee.vision.edges import UNMEASURED_SIGMA_PX, Greys, refined
from referee.vision.opencv import cv2
from referee.vision.plane import inverse, mapped
from referee.vision.tags import Book, SeenTag, at_scale, read_tags

Floats = NDArray[np.float64]

LOOKS_PX = (504, 1008, 2016, 4032)
"""The longer sides of the copies that are searched, all of them: a marker may be read in one alone."""
TABLE_SPAN = 1.0
"""Without a word from the markers a table is seen from above: how far its far edge may shrink (one sigma)."""
OFF_PLANE = 0.15
"""A marker whose sides are off by more than this share of them is left out when the plane is fitted."""
ROUND_MM = 120.0
"""So far round the markers that were read others are looked for."""
FLAT_SIDE_PX = 40.0
"""A marker's side in the view in which they are."""
FAR_RIM = 0.65
"""Far markers are more blurred: so much of their rim must be dark (of the near ones `DARK_RIM`)."""
_ROUNDS = 60


def loose_markers(photo: Photo, book: Book, side_mm: float, white_mm: float) -> list[SeenTag]:
    """All markers of a book, by their ids; the same id twice if it lies in two places.

    ``side_mm`` is the black square's side and ``white_mm`` the width of the white round it.
    """
    picture = Greys(photo.bgr)
    seen: list[SeenTag] = []
    for longer_px in LOOKS_PX:
        for tag in read_tags(*at_scale(picture.whole, longer_px), book):
            if not any(_same(tag, other) for other in seen):
                seen.append(refined(picture, tag, side_mm, white_mm))
    return sorted(seen, key=lambda tag: (tag.marker_id, *tag.corners_px[0]))


def _same(tag: SeenTag, other: SeenTag) -> bool:
    """Two looks at one marker."""
    apart = np.hypot(*(tag.corners_px.mean(axis=0) - other.corners_px.mean(axis=0)))
    return tag.marker_id == other.marker_id and bool(apart < np.ptp(tag.corners_px, axis=0).max())


# ------------------------------------------------------------------------------------------- the table's plane


def table_plane(tags: Sequence[SeenTag], side_mm: float, picture_wh: tuple[int, int]) -> Floats:
    """The homography (3, 3) from photo pixels to millimetres on the table, turned about as the picture is.

    Five numbers make all markers squares of ``side_mm``: scale, stretch, slant, and two of the vanishing line
    (Levenberg's steps).  Markers that lie in no plane with the others (held in a hand) are left out of a second fit.
    """
    size = np.array(picture_wh, float)
    corners = (np.array([tag.corners_px for tag in tags]) - size / 2) / (size.max() / 2)
    start = np.zeros(5)
    sides = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2)
    start[0] = -np.log(np.median(sides))
    fitted = _fitted(corners, start)
    rest = np.abs(_off_square(corners, fitted)).reshape(len(tags), -1).max(axis=1)
    if (good := rest < OFF_PLANE).any() and not good.all():
        fitted = _fitted(corners[good], fitted)
    to_unit = np.array([[1, 0, -size[0] / 2], [0, 1, -size[1] / 2], [0, 0, size.max() / 2]])
    return np.asarray(np.diag([side_mm, side_mm, 1.0]) @ _plane(fitted) @ to_unit)


def _plane(numbers: Floats) -> Floats:
    """The homography of logarithms of scale and stretch, slant, and vanishing line."""
    scale, stretch, slant, p, q = numbers
    return np.array([[np.exp(scale), slant, 0], [0, np.exp(scale + stretch), 0], [p, q, 1]])


def _off_square(corners: Floats, numbers: Floats) -> Floats:
    """Of each marker (N, 4, 2) how far its sides are from 1 and its diagonals from the root of 2: (6 N,)."""
    flat = mapped(_plane(numbers), corners.reshape(-1, 2)).reshape(corners.shape)
    sides = np.linalg.norm(flat - np.roll(flat, -1, axis=1), axis=2) - 1
    across = np.linalg.norm(flat[:, :2] - flat[:, 2:], axis=2) / np.sqrt(2) - 1
    return np.asarray(np.column_stack([sides, across]).ravel())


def _misfit(corners: Floats, numbers: Floats) -> Floats:
    """What is to be small: the markers' misfit, and a little the tilt, which few small markers hardly tell."""
    return np.append(_off_square(corners, numbers), 0.01 * numbers[3:] / TABLE_SPAN)


def _fitted(corners: Floats, numbers: Floats) -> Floats:
    """The five numbers that leave the least misfit."""
    damping, misfit = 1e-2, _misfit(corners, numbers)
    for _ in range(_ROUNDS):
        slopes = np.column_stack(
            [(_misfit(corners, numbers + step) - misfit) / 1e-6 for step in np.eye(len(numbers)) * 1e-6]
        )
        square = slopes.T @ slopes
        step = np.linalg.solve(square + damping * np.diag(np.diag(square) + 1e-9), -slopes.T @ misfit)
        trial = _misfit(corners, numbers + step)
        if np.isfinite(trial).all() and trial @ trial < misfit @ misfit:
            numbers, misfit, damping = numbers + step, trial, damping / 3
            if np.abs(step).max() < 1e-7:
                break
        else:
            damping *= 4
    return numbers


def from_above(photo: Photo, to_table: Floats, low_mm: Floats, size_mm: Floats, px_per_mm: float) -> NDArray[np.uint8]:
    """The table (H, W, 3) BGR from ``low_mm`` on, as seen from above; black where the picture ends."""
    to_pixels = np.array([[px_per_mm, 0, -low_mm[0] * px_per_mm], [0, px_per_mm, -low_mm[1] * px_per_mm], [0, 0, 1]])
    size = np.ceil(size_mm * px_per_mm).astype(int)
    return np.asarray(cv2.warpPerspective(photo.bgr, to_pixels @ to_table, size.tolist(), flags=cv2.INTER_AREA))


def markers_from_above(
    photo: Photo, book: Book, seen: Sequence[SeenTag], to_table: Floats, side_mm: float
) -> list[SeenTag]:
    """Markers near those ``seen`` that are read only once the table is laid flat: far ones, which are squeezed most."""
    spots = mapped(to_table, np.concatenate([tag.corners_px for tag in seen]))
    low, size = spots.min(axis=0) - ROUND_MM, np.ptp(spots, axis=0) + 2 * ROUND_MM
    px_per_mm = FLAT_SIDE_PX / side_mm
    if size.max() * px_per_mm > LOOKS_PX[-1]:
        return []
    view = cv2.cvtColor(from_above(photo, to_table, low, size, px_per_mm), cv2.COLOR_BGR2GRAY)
    to_photo, more = inverse(to_table), []
    for tag in read_tags(np.asarray(view, np.uint8), 1.0, book, FAR_RIM):
        corners = mapped(to_photo, tag.corners_px / px_per_mm + low)
        found = replace(tag, corners_px=corners, sigma_px=UNMEASURED_SIGMA_PX)
        if not any(_same(found, other) for other in seen):
            more.append(found)
    return more


# ------------------------------------------------------------------------------------------- what else lies there

BINS = 12
"""Colours are told apart in so many steps of lightness, and as many of each hue."""
USUAL = 0.9
"""The commonest colours of a table are this share of it."""


def unlike_the_table(view: NDArray[np.uint8], table: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Where (H, W) a view shows colours that are rare where it is known to show the table."""
    soft = cv2.cvtColor(cv2.GaussianBlur(view, (0, 0), 1.5), cv2.COLOR_BGR2LAB)
    steps = soft // np.array([256 // BINS, 6, 6], np.uint8)
    names = steps.astype(np.int32) @ np.array([64 * 64, 64, 1], np.int32)
    counts = np.bincount(names[table], minlength=64**3).reshape(64, 64, 64)
    common = np.sort(counts, axis=None)[::-1]
    enough = int(np.searchsorted(np.cumsum(common), USUAL * max(int(common.sum()), 1)))
    usual = (counts >= max(int(common[enough]), 1)).astype(np.uint8)
    near = cv2.dilate(usual.reshape(64, -1), np.ones((3, 1), np.uint8)).reshape(64, 64, 64)
    return np.asarray(near.reshape(-1)[names] == 0)


def squares_in(there: NDArray[np.bool_], side_px: float, slack: float = 0.2) -> list[Floats]:
    """The middles (2,) of patches that are squares of about this side, in pixels."""
    cleaned = cv2.morphologyEx(there.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    cleaned = cv2.morphologyEx(cleaned, cv2.MORPH_OPEN, np.ones((9, 9), np.uint8))
    found = []
    for outline in cv2.findContours(cleaned, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[0]:
        middle, sides, _ = cv2.minAreaRect(outline)
        fits = all(abs(side / side_px - 1) < slack for side in sides)
        if fits and cv2.contourArea(outline) > 0.75 * sides[0] * sides[1]:
            found.append(np.array(middle, float))
    return found


def filled(outlines_px: Sequence[Floats], shape: tuple[int, int]) -> NDArray[np.bool_]:
    """Where (H, W) any of these outlines lie."""
    there = np.zeros(shape, np.uint8)
    for outline in outlines_px:
        cv2.fillConvexPoly(there, np.rint(outline).astype(np.int32), 1)
    return there > 0
