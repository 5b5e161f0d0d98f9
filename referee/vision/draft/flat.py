"""A picture of a clean board, laid flat: what a stage keeps as its reference."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from referee.errors import WrongUsage
from referee.model import Floats
from referee.vision.clean import grid_wh
from referee.vision.opencv import cv2
from referee.vision.tags import reduced

Bgr = NDArray[np.uint8]

MOST_PX_PER_MM = 8.0
"""More tells nothing about a board that is judged at 6 pixels a millimetre."""
MOST_PIXELS = 24_000_000
SMALLEST_MM, LARGEST_MM = 50.0, 3000.0
JPEG_QUALITY = 92


def straighten(photo_bgr: Bgr, corners_px: Floats, size_mm: tuple[float, float]) -> Bgr:
    """The board between four corners (4, 2), top left first, laid flat from rim to rim (H, W, 3).

    It has as many pixels a millimetre as the picture, but at most `MOST_PX_PER_MM`.  Raises `WrongUsage` for corners
    that are no board's and a size that is no board's.
    """
    corners = checked_corners(corners_px)
    if not all(SMALLEST_MM <= side <= LARGEST_MM for side in size_mm):
        shown = f"{size_mm[0]:g} x {size_mm[1]:g} mm"
        cure = f"Measure the printed board; from {SMALLEST_MM:g} to {LARGEST_MM:g} mm will do."
        raise WrongUsage(f"A board of {shown}.", cure)
    sides = np.hypot(*(np.roll(corners, -1, axis=0) - corners).T)
    scale = max(float((sides / np.tile(size_mm, 2)).max()), 0.1)
    px_per_mm = min(scale, MOST_PX_PER_MM, float(np.sqrt(MOST_PIXELS / (size_mm[0] * size_mm[1]))))
    width, height = grid_wh(size_mm, px_per_mm)
    span = max(1, int(scale / px_per_mm))
    small = reduced(photo_bgr, span)
    rim = np.array([[0, 0], [width, 0], [width, height], [0, height]]) - 0.5
    to_photo = cv2.getPerspectiveTransform(
        rim.astype(np.float32), ((corners + 0.5) / span - 0.5).astype(np.float32), cv2.DECOMP_SVD
    )
    how = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
    return np.asarray(
        cv2.warpPerspective(small, to_photo, (width, height), flags=how, borderMode=cv2.BORDER_REPLICATE), np.uint8
    )


def checked_corners(corners_px: Floats) -> Floats:
    """Four corners (4, 2) of a board seen from its front; `WrongUsage` for any others."""
    corners = np.asarray(corners_px, np.float64)
    cure = "Give the board's corners clockwise, the top left one first."
    if corners.shape != (4, 2) or not np.isfinite(corners).all():
        raise WrongUsage(f"Four corners have to be 4 pairs of numbers, not {corners.shape}.", cure)
    sides = np.roll(corners, -1, axis=0) - corners
    after = np.roll(sides, -1, axis=0)
    turns = sides[:, 0] * after[:, 1] - sides[:, 1] * after[:, 0]
    lengths = np.hypot(*sides.T)
    if (lengths < 10).any():
        raise WrongUsage("Two of the corners lie on each other.", cure)
    if (turns / (lengths * np.roll(lengths, -1)) < 0.05).any():
        raise WrongUsage("The four corners do not go round a board.", cure)
    return corners


def jpeg(bgr: Bgr) -> bytes:
    """The picture as a JPEG file's bytes."""
    return bytes(cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1])
