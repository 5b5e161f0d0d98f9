"""Features of a picture: the places that are easily known again, and what each looks like.

SIFT (D. Lowe, 2004) with descriptors compared as R. Arandjelovic and A. Zisserman do ("Three things everyone should
know", 2012).  Of 24 photos of a real game's board, strewn with pieces, it knew all; ORB, ten times as fast, 22.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from referee.model import Floats
from referee.vision.opencv import cv2

REFERENCE_PX, PHOTO_PX = 800, 900
"""The longer sides of the copies that are searched: a board fills most of a photo that is to be judged."""
MOST_OF_REFERENCE, MOST_OF_PHOTO = 1600, 2400
"""Of more features, the weakest are left out."""
CELLS = 6
"""They are taken evenly from so many times so many parts of a picture: no corner of it may have them all."""
UNIT = 512.0
"""Descriptors have this length, in whole numbers up to 255."""
_LAYERS, _CONTRAST, _EDGE = 3, 0.015, 12.0


@dataclass(frozen=True, eq=False)
class Features:
    """The ``places`` (N, 2) float32 of a picture's features, the strongest first; their ``looks`` (N, 128) uint8."""

    places: NDArray[np.float32]
    looks: NDArray[np.uint8]

    def __post_init__(self) -> None:
        if self.places.dtype != np.float32 or self.looks.dtype != np.uint8 or not np.isfinite(self.places).all():
            raise ValueError("features need finite float32 places and uint8 looks")
        if self.places.shape != (len(self.looks), 2) or self.looks.shape != (len(self.looks), 128):
            raise ValueError(f"features need (N, 2) and (N, 128), got {self.places.shape} and {self.looks.shape}")

    def __len__(self) -> int:
        return len(self.looks)

    def some(self, chosen: NDArray[np.bool_]) -> Features:
        """Those that are chosen (N,)."""
        return Features(self.places[chosen], self.looks[chosen])


def features_of_print(rgb: NDArray[np.uint8], size_mm: tuple[float, float]) -> Features:
    """The features of a clean print (H, W, 3), rim to rim, with their places in mm."""
    found, shrink = _found(cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY), REFERENCE_PX, MOST_OF_REFERENCE)
    px_per_mm = np.array([rgb.shape[1], rgb.shape[0]]) * shrink / size_mm
    return Features(((found.places + 0.5) / px_per_mm).astype(np.float32), found.looks)


def features_of_photo(grey: NDArray[np.uint8]) -> Features:
    """The features of a photo's grey values (H, W), with their places in its pixels."""
    found, shrink = _found(grey, PHOTO_PX, MOST_OF_PHOTO)
    return Features(((found.places + 0.5) / shrink - 0.5).astype(np.float32), found.looks)


def _found(grey: NDArray[np.uint8], longer_px: int, most: int) -> tuple[Features, Floats]:
    """The features of a copy of that size at most, and how it was shrunk in x and y."""
    height, width = grey.shape[:2]
    by = min(1.0, longer_px / max(height, width))
    wh = max(1, round(width * by)), max(1, round(height * by))
    small = cv2.resize(grey, wh, interpolation=cv2.INTER_AREA)
    shrink = np.array([wh[0] / width, wh[1] / height])
    if min(wh) < 16:
        return Features(np.empty((0, 2), np.float32), np.empty((0, 128), np.uint8)), shrink
    finder = cv2.SIFT.create(most * 4 // 3, _LAYERS, _CONTRAST, _EDGE)
    points, looks = finder.detectAndCompute(small, None)
    if looks is None or not len(points):
        return Features(np.empty((0, 2), np.float32), np.empty((0, 128), np.uint8)), shrink
    places = np.array([point.pt for point in points], np.float32)
    chosen = _spread(places, np.array([point.response for point in points]), wh, most)
    return Features(places[chosen], _compared(np.asarray(looks, np.float32)[chosen])), shrink


def _spread(
    places: NDArray[np.float32], strength: NDArray[np.floating], wh: tuple[int, int], most: int
) -> NDArray[np.intp]:
    """The features kept, the strongest first: as many of each part of the picture as there are, or as it is due."""
    order = np.argsort(-strength, kind="stable")
    cell = np.minimum((places[order] / wh * CELLS).astype(np.intp), CELLS - 1)
    cell = cell[:, 1] * CELLS + cell[:, 0]
    # The rank of each feature within its part: sorted by rank, the first ones of all parts come first.
    by_cell = np.argsort(cell, kind="stable")
    counts = np.bincount(cell, minlength=CELLS**2)
    rank = np.empty(len(cell), np.intp)
    rank[by_cell] = np.arange(len(cell)) - np.repeat(np.cumsum(counts) - counts, counts)
    kept = np.sort(np.argsort(rank, kind="stable")[:most])
    return np.asarray(order[kept])


def _compared(looks: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Descriptors (N, 128) whose distance is that of their square roots."""
    roots = np.sqrt(looks / np.maximum(looks.sum(1, keepdims=True), 1e-9))
    return np.asarray(np.clip(np.rint(roots * UNIT), 0, 255), np.uint8)
