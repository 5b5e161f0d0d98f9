"""The clean print as vision needs it: the stage's artwork at several scales, in values and in light."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from referee.hands import Turnstile, for_each, shares
from referee.vision.colours import Palette, Picture, at_least, light, roots
from referee.vision.opencv import cv2

INK_PX_PER_MM = 6.0
"""Ink is told from print on a grid this fine."""
LOOK_PX_PER_MM = 2.0
"""Where ink and things may be is seen on a grid this fine."""
LIGHT_PX_PER_MM = 1.0
"""The picture's light and the print's colours, which change slowly, are fitted on a grid this fine."""
LOOK_STEP, LIGHT_STEP = round(INK_PX_PER_MM / LOOK_PX_PER_MM), round(LOOK_PX_PER_MM / LIGHT_PX_PER_MM)
"""Each of these grids is so many times coarser than the one before."""
EVEN = 0.15
"""A place whose neighbours differ by more than this, in values from 0 to 1, is a mixture of colours."""
COARSE_BLUR_MM = 0.3
"""Before they are compared on those, print and photo are softened by about this much."""
SLOPE_UNITS = 2048
"""A slope of the print's light by 1 a mm is written as this: two bytes tell all that matters of it."""
GAMMA = 2.2
"""Value to light, where a plain power will do."""


def grid_wh(size_mm: tuple[float, float], px_per_mm: float) -> tuple[int, int]:
    """Columns and rows of a board's flat grid: pixel (r, c) has its centre at ((c + 0.5), (r + 0.5)) / px_per_mm.

    The last row and column may reach past the board's rim, or end short of it, by half a pixel.
    """
    return max(1, round(size_mm[0] * px_per_mm)), max(1, round(size_mm[1] * px_per_mm))


def shrunk(fine: NDArray[Any], wh: tuple[int, int], step: int) -> NDArray[Any]:
    """A grid (H, W[, 3]) on one ``step`` times coarser, of this width and height; the rim is held where it lacks."""
    fine = fine[: wh[1] * step, : wh[0] * step]
    below, right = wh[1] * step - fine.shape[0], wh[0] * step - fine.shape[1]
    whole = cv2.copyMakeBorder(fine, 0, below, 0, right, cv2.BORDER_REPLICATE) if below or right else fine
    return np.asarray(cv2.resize(whole, wh, interpolation=cv2.INTER_AREA))


def stretched(coarse: NDArray[np.uint8], shape: tuple[int, ...], step: int) -> NDArray[np.uint8]:
    """A grid (h, w) on one ``step`` times finer, of this shape (H, W)."""
    whole = cv2.resize(coarse, (coarse.shape[1] * step, coarse.shape[0] * step), interpolation=cv2.INTER_NEAREST)
    below, right = max(0, shape[0] - whole.shape[0]), max(0, shape[1] - whole.shape[1])
    whole = cv2.copyMakeBorder(whole, 0, below, 0, right, cv2.BORDER_REPLICATE) if below or right else whole
    return np.ascontiguousarray(whole[: shape[0], : shape[1]], np.uint8)


@dataclass(frozen=True, eq=False)
class CleanPrint:
    """A stage's artwork: ``rgb`` (H, W, 3) uint8, rim to rim at `INK_PX_PER_MM`; the rest is made when asked for.

    ``board_mm`` is the board's width and height, if that is not a whole number of its pixels.
    """

    rgb: NDArray[np.uint8]
    board_mm: tuple[float, float] | None = None
    _evened: dict[tuple[float, float, float], Picture] = field(default_factory=dict, repr=False)
    _blurred: dict[float, tuple[NDArray[np.uint8], NDArray[np.uint16]]] = field(default_factory=dict, repr=False)
    _one_at_a_time: Turnstile = field(default_factory=Turnstile, repr=False)

    @cached_property
    def size_mm(self) -> tuple[float, float]:
        """Width and height of the board in mm."""
        if self.board_mm is not None:
            return self.board_mm
        h, w = self.rgb.shape[:2]
        return w / INK_PX_PER_MM, h / INK_PX_PER_MM

    def grey(self) -> Picture:
        """Grey values (H, W), 0 to 1: not kept, for what is made of them is."""
        return np.asarray(cv2.cvtColor(self.rgb, cv2.COLOR_RGB2GRAY) / np.float32(255), np.float32)

    @cached_property
    def look(self) -> Palette:
        """The light (h, w, 3) at `LOOK_PX_PER_MM`, softened by `COARSE_BLUR_MM`."""
        # Means of values, as those of the photo's pixels are; a lens blurs light.
        coarse = light(shrunk(self.rgb, grid_wh(self.size_mm, LOOK_PX_PER_MM), LOOK_STEP))
        return Palette(np.asarray(cv2.GaussianBlur(coarse, (0, 0), COARSE_BLUR_MM * LOOK_PX_PER_MM)))

    @cached_property
    def coarse(self) -> Palette:
        """The same light (h, w, 3) at `LIGHT_PX_PER_MM`."""
        return Palette(self.coarser(self.look.artwork))

    def coarser(self, look: NDArray[Any]) -> NDArray[Any]:
        """What has `LOOK_PX_PER_MM` (h, w[, 3]) at `LIGHT_PX_PER_MM`: one place a cell, for means mix colours."""
        height, width = self._telling.shape
        flat = look.reshape(-1, *look.shape[2:])
        return np.asarray(np.take(flat, self._telling.ravel(), 0).reshape(height, width, *look.shape[2:]))

    @cached_property
    def _telling(self) -> NDArray[np.intp]:
        """The place (h, w) of each cell that says most about the print's colours: of an even colour, the rarest."""
        palette, step = self.look, LIGHT_STEP
        height, width = (max(1, n // step) for n in palette.shape[:2])
        values = np.sqrt(palette.artwork)
        uneven = (cv2.dilate(values, np.ones((3, 3))) - cv2.erode(values, np.ones((3, 3)))).max(2) > EVEN
        often = np.bincount(palette.number)[palette.number].reshape(uneven.shape) + uneven * uneven.size
        places = np.arange(uneven.size).reshape(uneven.shape)

        def cells(values: NDArray[Any]) -> NDArray[Any]:
            inner = values[: height * step, : width * step].reshape(height, step, width, step)
            return inner.transpose(0, 2, 1, 3).reshape(height, width, step * step)

        return np.take_along_axis(cells(places), cells(often).argmin(2)[..., None], 2)[..., 0]

    def evened(self, px_per_mm: float, blur_px: float, window_px: float) -> Picture:
        """The print at a scale (h, w), without its light: what registration compares with; kept for later pictures.

        `INK_PX_PER_MM` is to be a whole multiple of the scale.
        """
        key = (px_per_mm, blur_px, window_px)
        if key not in self._evened:
            small = shrunk(self.grey(), grid_wh(self.size_mm, px_per_mm), round(INK_PX_PER_MM / px_per_mm))
            self._evened[key] = even(np.asarray(small, np.float32), blur_px, window_px)
        return self._evened[key]

    def blurred(self, blur_mm: float) -> tuple[NDArray[np.uint8], NDArray[np.uint16]]:
        """The artwork as a lens with this blur (one sigma) shows it: values (H, W, 3), and its light's `steepness`.

        Kept for the next picture; the blur is rounded to hundredths.
        """
        key = round(blur_mm, 2)
        with self._one_at_a_time:
            if key not in self._blurred:
                self._blurred.clear()
                sigma = key * INK_PX_PER_MM
                # Values, not light: a quarter of memory and time, and the print's own edges are not what is measured.
                values = self.rgb if sigma < 0.3 else np.asarray(cv2.GaussianBlur(self.rgb, (0, 0), sigma), np.uint8)
                self._blurred[key] = values, steepness(values)
            return self._blurred[key]


def steepness(values: NDArray[np.uint8]) -> NDArray[np.uint16]:
    """How fast the light of values (H, W, 3) at `INK_PX_PER_MM` changes (H, W), in `SLOPE_UNITS` a mm."""
    grey = np.asarray(cv2.cvtColor(values, cv2.COLOR_RGB2GRAY))
    of_value = (GAMMA * (np.maximum(np.arange(256), 8) / 255) ** (GAMMA - 1)).astype(np.float32)
    of_value *= SLOPE_UNITS * INK_PX_PER_MM / (8 * 255)
    steep = np.empty(grey.shape, np.uint16)

    def part(rows: slice) -> None:  # by bands: all at once would take five times the memory
        first, last = max(0, rows.start - 1), rows.stop + 1
        dx, dy = (cv2.Sobel(grey[first:last], cv2.CV_32F, *order, ksize=3) for order in ((1, 0), (0, 1)))
        slope = cv2.magnitude(dx, dy)[rows.start - first :][: rows.stop - rows.start]
        steep[rows] = np.clip(slope * cv2.LUT(grey[rows], of_value) + np.float32(0.5), 0, 65535)

    for_each(part, shares(len(grey), 200))
    return steep


def even(grey: Picture, blur_px: float, window_px: float) -> Picture:
    """A grey picture (h, w) without its light: blurred, its local mean taken off, divided by its local spread."""
    soft = cv2.GaussianBlur(grey, (0, 0), blur_px) if blur_px > 0.3 else grey
    rest = soft - _wide_mean(soft, window_px)
    return np.asarray(rest / (roots(at_least(_wide_mean(rest * rest, window_px), 0)) + np.float32(0.02)), np.float32)


def _wide_mean(values: Picture, sigma_px: float) -> Picture:
    """A Gaussian mean (h, w) over a window so wide that a coarser grid will do."""
    step = max(1, int(sigma_px / 3))
    low = cv2.resize(values, None, fx=1 / step, fy=1 / step, interpolation=cv2.INTER_AREA)
    low = cv2.GaussianBlur(low, (0, 0), sigma_px / step)
    return np.asarray(cv2.resize(low, values.shape[1::-1], interpolation=cv2.INTER_LINEAR))
