"""How this picture shows this print: the room's light, the veil of reflections, and the printer's colours.

Where the board is clean, photo = gain x colour(print) + veil, in linear light: gain and veil vary slowly over the
board, the colour map is one for the whole board.  The three are fitted in turn, by least squares re-weighted so that
ink, hands and glare, which are no print, lose their say (Geman and McClure, 1987).  Gain and veil are local linear
regressions over Gaussian windows (the guided filter of K. He, J. Sun, X. Tang, 2013).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from referee.vision.clean import LIGHT_PX_PER_MM, Picture
from referee.vision.opencv import cv2

ROUNDS = 5
GAIN_WINDOW_MM = (16.0, 12.0)
"""One sigma of the window that gain is fitted in, at first and in later rounds."""
VEIL_WINDOW_MM = (6.0, 4.0)
"""The same for the veil, which changes faster: a lamp's reflection has an edge."""
NEIGHBOURHOOD_MM = 24.0
"""How far around a place one looks for what misfit is usual there."""
BLUR_MM = 0.3
"""The print is softened by this much before it is compared at the coarse scale."""
LEVELS = 8
"""Levels a channel in the table of print colours."""
_LOW = 4
"""Windows are wide, so they run on a grid this many times coarser."""


@dataclass(frozen=True, eq=False)
class PrintColours:
    """From the artwork's light to the print's: a quadratic map (10, 3) and what it leaves, by colour (LEVELS^3, 3)."""

    quadratic: NDArray[np.float32]
    table: NDArray[np.float32]

    def of(self, artwork: Picture) -> Picture:
        """The print's light (..., 3) for the artwork's (..., 3)."""
        return np.asarray(_terms(artwork) @ self.quadratic + self.table[_colour_number(artwork)], np.float32)


@dataclass(frozen=True, eq=False)
class Lighting:
    """The fit, on the grid of `LIGHT_PX_PER_MM` (h, w): ``gain`` and ``veil`` (h, w, 3), ``spread`` (h, w).

    ``photo`` (h, w, 3) is the picture's light, ``clean`` (h, w, 3) the print's, ``rest`` = photo - gain x clean - veil;
    ``spread`` is one sigma of the rest where only print is, of the worst channel; ``usable`` (h, w) bool where the
    picture is neither burnt out nor at an end.
    """

    photo: Picture
    clean: Picture
    gain: Picture
    veil: Picture
    rest: Picture
    spread: NDArray[np.float32]
    usable: NDArray[np.bool_]
    colours: PrintColours

    def reflectance(self) -> Picture:
        """The picture freed of light and veil (h, w, 3): the print's own colour where it is clean, the ink's under ink."""
        return np.asarray((self.photo - self.veil) / self.gain)


def _terms(artwork: Picture) -> Picture:
    r, g, b = artwork[..., 0], artwork[..., 1], artwork[..., 2]
    return np.stack([np.ones_like(r), r, g, b, r * r, g * g, b * b, r * g, r * b, g * b], -1)


def _colour_number(artwork: Picture) -> NDArray[np.int64]:
    """Which of LEVELS^3 colours (...,) a light (..., 3) falls into, by its square root (about its value)."""
    level = np.minimum((np.sqrt(np.clip(artwork, 0, 1)) * LEVELS).astype(np.int64), LEVELS - 1)
    return np.asarray(level[..., 0] * LEVELS**2 + level[..., 1] * LEVELS + level[..., 2])


def fit_lighting(photo: Picture, usable: NDArray[np.bool_], artwork: Picture) -> Lighting:
    """Fit gain, veil and print colours to a flat board: all three (h, w[, 3]) at `LIGHT_PX_PER_MM`."""
    artwork = np.asarray(cv2.GaussianBlur(artwork, (0, 0), BLUR_MM * LIGHT_PX_PER_MM))
    trust = usable.astype(np.float32)
    clean, colours = artwork, _plain_colours()
    for turn in range(ROUNDS):
        wide, narrow = GAIN_WINDOW_MM[turn > 1], VEIL_WINDOW_MM[turn > 1]
        gain, veil = _gain_and_veil(photo, clean, trust, wide, narrow)
        rest = photo - gain * clean - veil
        misfit = np.abs(rest).max(2)
        spread = _usual(misfit, usable)
        trust = (usable / (1 + (misfit / (2.2 * spread)) ** 2) ** 2).astype(np.float32)
        if turn < ROUNDS - 1:
            say = trust * (gain.mean(2) / (spread * np.median(gain / spread[..., None]))) ** 2
            colours = _print_colours(artwork, (photo - veil) / gain, np.minimum(say, 4), with_table=turn > 1)
            clean = colours.of(artwork)
    return Lighting(photo, clean, gain, veil, rest, spread, usable, colours)


def _plain_colours() -> PrintColours:
    quadratic = np.zeros((10, 3), np.float32)
    quadratic[1:4] = np.eye(3)
    return PrintColours(quadratic, np.zeros((LEVELS**3, 3), np.float32))


def _gain_and_veil(
    photo: Picture, clean: Picture, trust: Picture, wide_mm: float, narrow_mm: float
) -> tuple[Picture, Picture]:
    """Local regression of photo on print: gain over the wide window, veil over the narrow one (h, w, 3)."""
    low = (photo.shape[1] // _LOW, photo.shape[0] // _LOW)
    per_mm = LIGHT_PX_PER_MM / _LOW

    def mean(values: Picture, window_mm: float) -> Picture:
        small = cv2.resize(values, low, interpolation=cv2.INTER_AREA)
        return np.asarray(cv2.GaussianBlur(small, (0, 0), window_mm * per_mm, borderType=cv2.BORDER_REFLECT))

    w = trust[..., None]
    size = mean(trust, wide_mm)[..., None] + 1e-4
    q, f = mean(w * clean, wide_mm) / size, mean(w * photo, wide_mm) / size
    variance = mean(w * clean * clean, wide_mm) / size - q * q
    covariance = mean(w * clean * photo, wide_mm) / size - q * f
    usual = np.median(covariance, (0, 1)) / np.median(variance, (0, 1))
    ridge = 0.1 * np.median(variance, (0, 1))
    gain = np.maximum((covariance + ridge * usual) / (variance + ridge), 0.05 * np.abs(usual) + 1e-4)
    gain = np.asarray(cv2.resize(gain, (photo.shape[1], photo.shape[0]), interpolation=cv2.INTER_LINEAR))
    size = mean(trust, narrow_mm)[..., None] + 1e-3
    veil = mean(w * (photo - gain * clean), narrow_mm) / size
    return gain, np.asarray(cv2.resize(veil, (photo.shape[1], photo.shape[0]), interpolation=cv2.INTER_LINEAR))


def _usual(misfit: NDArray[np.float32], usable: NDArray[np.bool_]) -> NDArray[np.float32]:
    """One sigma of the misfit that is usual around each place (h, w): a wide median, never below the whole board's."""
    whole = float(np.median(misfit[usable])) if usable.any() else 0.1
    top = 16 * whole + 1e-6
    half = cv2.resize(np.minimum(misfit, top), None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    coded = (np.sqrt(half / top) * 255).astype(np.uint8)
    window = round(NEIGHBOURHOOD_MM * LIGHT_PX_PER_MM / 2) | 1
    local = (cv2.medianBlur(coded, window).astype(np.float32) / 255) ** 2 * top
    local = cv2.resize(local, (misfit.shape[1], misfit.shape[0]), interpolation=cv2.INTER_LINEAR)
    return np.asarray(np.maximum(1.4826 * local, whole), np.float32)


def _print_colours(artwork: Picture, printed: Picture, say: NDArray[np.float32], *, with_table: bool) -> PrintColours:
    """Weighted least squares for the quadratic map; then, colour by colour, what it leaves, shrunk where few speak."""
    voice = say.ravel()
    chosen = np.flatnonzero(voice > 0.05)[::2]
    terms, weight = _terms(artwork.reshape(-1, 3)[chosen]), voice[chosen, None]
    printed = printed.reshape(-1, 3)
    square = (terms * weight).T @ terms
    square += np.eye(10, dtype=np.float32) * (1e-6 * np.trace(square))
    quadratic = np.linalg.solve(square, (terms * weight).T @ printed[chosen]).astype(np.float32)
    table = np.zeros((LEVELS**3, 3), np.float32)
    if with_table:
        number = _colour_number(artwork.reshape(-1, 3)[chosen])
        left = printed[chosen] - terms @ quadratic
        count = np.bincount(number, voice[chosen], LEVELS**3)
        for k in range(3):
            table[:, k] = np.bincount(number, voice[chosen] * left[:, k], LEVELS**3) / (count + 20)
    return PrintColours(quadratic, table)
