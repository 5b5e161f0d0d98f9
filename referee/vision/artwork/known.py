"""A board as it is known again: its print's features and a small picture of it, all that recognition needs."""

from __future__ import annotations

import io
import zipfile
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from referee.model import Floats
from referee.vision.artwork.features import Features, features_of_print
from referee.vision.clean import even
from referee.vision.opencv import cv2

REFERENCE_PX_PER_BOARD = 1600
"""A print is drawn this large, its longer side, to be looked over."""
LOOK_PX = 240
"""The longer side of the small picture."""
VERSION = 2
"""Of what is written to files: of another version, it is made anew."""
BLUR_PX, WINDOW_PX = 1.5, 12.0
"""The small pictures are compared softened by so much, their light evened out over so much."""
CELL_PX = 24
"""Print and picture are compared in cells of this size of the small picture."""
SHIFT_PX = 2
"""Bowed paper may lie as far off its plane."""
TWOFOLD = 0.35
"""A print that is as alike to itself turned by half looks much the same either way up."""
_FAULTS = (ValueError, KeyError, OSError, EOFError, TypeError, SyntaxError, IndexError, zipfile.BadZipFile)
"""What `np.load` raises for files that are damaged."""


@dataclass(frozen=True, eq=False)
class Known:
    """``features`` of a print, their places in mm; its ``look``, grey values (h, w) from rim to rim; ``size_mm``."""

    features: Features
    look: NDArray[np.uint8]
    size_mm: tuple[float, float]

    @staticmethod
    def of(rgb: NDArray[np.uint8], size_mm: tuple[float, float]) -> Known:
        """What is to be known of a clean print (H, W, 3), rim to rim."""
        shrink = LOOK_PX / max(rgb.shape[:2])
        wh = (max(16, round(rgb.shape[1] * shrink)), max(16, round(rgb.shape[0] * shrink)))
        look = cv2.cvtColor(cv2.resize(rgb, wh, interpolation=cv2.INTER_AREA), cv2.COLOR_RGB2GRAY)
        return Known(features_of_print(rgb, size_mm), np.asarray(look, np.uint8), size_mm)

    @cached_property
    def evened(self) -> NDArray[np.float32]:
        """The small picture (h, w) without its light."""
        return even(self.look.astype(np.float32) / np.float32(255), BLUR_PX, WINDOW_PX)

    @cached_property
    def is_twofold(self) -> bool:
        """Whether the print looks much the same either way up: its features then have twins."""
        turned = self.evened[::-1, ::-1]
        everywhere = np.ones(turned.shape, np.bool_)
        return float(np.median(cells_alike(self.evened, turned, everywhere, shift_px=0))) > TWOFOLD

    def to_bytes(self) -> bytes:
        """As a file's content."""
        whole = io.BytesIO()
        np.savez(
            whole,
            version=np.array(VERSION),
            places=self.features.places,
            looks=self.features.looks,
            look=self.look,
            size_mm=np.array(self.size_mm),
        )
        return whole.getvalue()

    @staticmethod
    def from_bytes(content: bytes) -> Known | None:
        """From a file's content; None if it is damaged or of another version."""
        try:
            with np.load(io.BytesIO(content), allow_pickle=False) as parts:
                if int(parts["version"]) != VERSION:
                    return None
                features = Features(parts["places"], parts["looks"])
                look, (width, height) = parts["look"], parts["size_mm"].tolist()
        except _FAULTS:
            return None
        sound = look.dtype == np.uint8 and look.ndim == 2 and min(look.shape) >= 8 and width > 0 and height > 0
        return Known(features, look, (width, height)) if sound else None


def cells_alike(
    one: NDArray[np.float32], other: NDArray[np.float32], there: NDArray[np.bool_], shift_px: int = SHIFT_PX
) -> Floats:
    """The correlation (N,) of two pictures in each cell that is there, at the shift at which it is best."""
    rows, columns = (max(1, side // CELL_PX) for side in one.shape)

    def means(values: NDArray[np.float32]) -> Floats:
        return np.asarray(cv2.resize(values, (columns, rows), interpolation=cv2.INTER_AREA), np.float64)

    best = np.full((rows, columns), -1.0)
    weight = there.astype(np.float32)
    size = means(one * one * weight)
    shifts = sorted({-shift_px, 0, shift_px})
    for dx in shifts:
        for dy in shifts:
            moved = np.roll(other, (dy, dx), (0, 1))
            both = means(one * moved * weight) / np.sqrt(size * means(moved * moved * weight) + 1e-6)
            best = np.maximum(best, both)
    return best[means(weight) > 0.6]
