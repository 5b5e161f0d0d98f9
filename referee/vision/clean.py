"""The clean print as vision needs it: the stage's artwork at several scales, in values and in light."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from referee.vision.opencv import cv2

Picture = NDArray[np.float32]

INK_PX_PER_MM = 8.0
"""Ink is told from print on a grid this fine."""
LIGHT_PX_PER_MM = 2.0
"""The picture's light and the print's colours are fitted on a grid this fine."""


def _light_table() -> NDArray[np.float32]:
    """sRGB value to linear light (IEC 61966-2-1)."""
    value = np.arange(256) / 255.0
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4).astype(np.float32)


LIGHT_OF_VALUE = _light_table()


def light(values: NDArray[np.uint8]) -> Picture:
    """Linear light (same shape, 0 to 1) of sRGB values: blur happens in light, so edges are measured there."""
    return np.asarray(cv2.LUT(values, LIGHT_OF_VALUE))


@dataclass(frozen=True, eq=False)
class CleanPrint:
    """A stage's artwork: ``rgb`` (H, W, 3) uint8, rim to rim at `INK_PX_PER_MM`; the rest is made when first asked for."""

    rgb: NDArray[np.uint8]
    _evened: dict[tuple[float, float, float], Picture] = field(default_factory=dict, repr=False)

    @cached_property
    def size_mm(self) -> tuple[float, float]:
        """Width and height of the board in mm."""
        h, w = self.rgb.shape[:2]
        return w / INK_PX_PER_MM, h / INK_PX_PER_MM

    @cached_property
    def grey(self) -> Picture:
        """Grey values (H, W), 0 to 1, at half the scale: what registration looks at."""
        half = cv2.resize(self.rgb, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        return np.asarray(cv2.cvtColor(half, cv2.COLOR_RGB2GRAY), np.float32) / 255

    @cached_property
    def coarse_light(self) -> Picture:
        """Light (h, w, 3) at `LIGHT_PX_PER_MM`."""
        share = LIGHT_PX_PER_MM / INK_PX_PER_MM
        half = cv2.resize(self.rgb, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        return np.asarray(cv2.resize(light(half), None, fx=2 * share, fy=2 * share, interpolation=cv2.INTER_AREA))

    def evened(self, px_per_mm: float, blur_px: float, window_px: float) -> Picture:
        """The print at a scale (h, w), without its light: what registration compares with; kept for the next picture."""
        key = (px_per_mm, blur_px, window_px)
        if key not in self._evened:
            size = (round(self.size_mm[0] * px_per_mm), round(self.size_mm[1] * px_per_mm))
            self._evened[key] = even(cv2.resize(self.grey, size, interpolation=cv2.INTER_AREA), blur_px, window_px)
        return self._evened[key]

    def blurred_values(self, blur_mm: float) -> NDArray[np.uint8]:
        """The artwork's values (H, W, 3) as a lens with this blur (one sigma) shows it."""
        sigma = blur_mm * INK_PX_PER_MM
        if sigma < 0.4:
            return self.rgb
        # Values, not light: a quarter of the memory and time, and the print's own edges are not what is measured.
        return np.asarray(cv2.GaussianBlur(self.rgb, (0, 0), sigma))


def even(grey: Picture, blur_px: float, window_px: float) -> Picture:
    """A grey picture (h, w) without its light: blurred, its local mean taken off, divided by its local spread."""
    soft = cv2.GaussianBlur(grey, (0, 0), blur_px) if blur_px > 0.3 else grey
    mean = cv2.GaussianBlur(soft, (0, 0), window_px)
    spread = cv2.GaussianBlur((soft - mean) ** 2, (0, 0), window_px)
    return np.asarray((soft - mean) / (np.sqrt(spread) + 0.02), np.float32)
