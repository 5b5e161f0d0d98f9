"""From a picture of a clean board to what its tracing begins with: corners, a flat picture, suggestions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from referee.model import Floats, Json, Photo
from referee.vision.decode import decode
from referee.vision.draft import jpeg, outline, picture_corners, proportion, straighten, unshade
from referee.vision.draft.suggest import Suggestion, suggest
from referee.vision.opencv import cv2

LONGEST_SHOWN_PX = 2000
"""The page shows the picture no larger than this: corners are found to a fraction of a pixel of the whole one."""


@dataclass(frozen=True, eq=False)
class Seen:
    """A picture of a clean board: ``shown`` is a JPEG of it for the page, ``corners_px`` (4, 2) are the board's.

    ``found`` is False where nothing stood out and the corners are the picture's own; ``shown_scale`` is how many
    shown pixels one of the picture has.
    """

    photo: Photo
    shown: bytes
    shown_scale: float
    corners_px: Floats
    found: bool

    @property
    def size_wh(self) -> tuple[int, int]:
        """Width and height of the picture in pixels."""
        height, width = self.photo.bgr.shape[:2]
        return width, height


def look_at(content: bytes, name: str) -> Seen:
    """Find the board in a picture; RefereeError for what is no picture."""
    photo = decode(content, name)
    corners = outline(photo.bgr)
    height, width = photo.bgr.shape[:2]
    scale = min(1.0, LONGEST_SHOWN_PX / max(width, height))
    size = max(1, round(width * scale)), max(1, round(height * scale))
    shown = photo.bgr if scale == 1.0 else cv2.resize(photo.bgr, size, interpolation=cv2.INTER_AREA)
    whole = picture_corners(photo.bgr) if corners is None else corners
    return Seen(photo, jpeg(np.asarray(shown, np.uint8)), scale, whole, corners is not None)


def proportion_of(corners_px: Sequence[Sequence[float]], size_wh: tuple[int, int]) -> float:
    """Width by height of the board, as the perspective tells."""
    return proportion(np.asarray(corners_px, float), size_wh)


def lay_flat(
    content: bytes, name: str, corners_px: Sequence[Sequence[float]], size_mm: tuple[float, float]
) -> tuple[bytes, list[Json]]:
    """The flat picture of a board (a JPEG) without its shading, and what it seems to show; RefereeError as `decode`."""
    flat = unshade(straighten(decode(content, name).bgr, np.asarray(corners_px, float), size_mm))
    return jpeg(flat), [_told(one) for one in suggest(flat, size_mm)]


def _told(one: Suggestion) -> Json:
    points = [[round(float(x), 2), round(float(y), 2)] for x, y in one.points_mm]
    return {
        "kind": one.kind,
        "points": points,
        "closed": one.closed,
        "sure": round(one.sure, 2),
        "width_mm": min(max(one.width_mm, 0.3), 8.0),
    }
