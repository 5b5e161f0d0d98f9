"""How this picture shows this print: the room's light, the veil of reflections, and the printer's colours.

Where the board is clean, photo = gain x colour(print) + veil, in linear light: gain and veil vary slowly over the
board, the colour map is one for the whole board.  The three are fitted in turn, by least squares re-weighted so that
ink, hands and glare, which are no print, lose their say (Geman and McClure, 1987).  Gain and veil are local linear
regressions over Gaussian windows (the guided filter of K. He, J. Sun, X. Tang, 2013).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from referee.vision.clean import LIGHT_PX_PER_MM, Picture
from referee.vision.opencv import cv2

BROAD_WINDOWS_MM = (90.0, 40.0)
"""One sigma of the windows of gain and veil in the first rounds: so broad that a hand is not taken for the light."""
CLOSE_WINDOWS_MM = ((16.0, 6.0), (12.0, 4.0), (12.0, 4.0))
"""Those of gain and of veil in the later rounds: the veil's is narrow, since a lamp's reflection has an edge."""
WIDEST_INK_MM = 7.0
"""What is no print and holds a disc this wide is a thing on the board: no marker draws that broad."""
MIN_SHOWING = 0.45
"""Where less than this share of the print's pattern shows, something lies over it."""
NEIGHBOURHOOD_MM = 16.0
"""How far around a place one looks for what misfit is usual there."""
FINE_WINDOW_MM = 10.0
"""What is left is evened out over this much: twice as wide as ink is."""
LEVELS = 8
"""Levels a channel in the table of print colours."""
LUMA = np.array([0.2126, 0.7152, 0.0722], np.float32)
"""What red, green and blue light count for in brightness (ITU-R BT.709)."""
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
    ``spread`` is one sigma of the rest where only print is, of the worst channel; ``glare`` (h, w) the light that the
    veil has more than elsewhere; ``usable`` (h, w) bool where the
    picture is neither burnt out nor at an end; ``things`` (h, w) bool where something lies on the board.
    """

    photo: Picture
    clean: Picture
    gain: Picture
    veil: Picture
    rest: Picture
    spread: NDArray[np.float32]
    glare: NDArray[np.float32]
    usable: NDArray[np.bool_]
    things: NDArray[np.bool_]
    colours: PrintColours

    @cached_property
    def reflectance(self) -> Picture:
        """The picture freed of light and veil (h, w, 3): the print's colour where it is clean, the ink's under ink."""
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
    colours, gain, veil = _broad_fit(photo, usable, artwork)
    palette = Palette(artwork)
    clean = palette.printed(colours)
    things = _things(photo, clean, gain, veil, usable)
    print_ = usable & ~things
    rest = photo - gain * clean - veil
    for wide, narrow in CLOSE_WINDOWS_MM:
        misfit = worst(np.abs(rest))
        spread = _usual(misfit, print_)
        trust = _trust(misfit, spread, print_)
        colours = _print_colours(palette, (photo - veil) / gain, _say(trust, gain, spread), with_table=True)
        clean = palette.printed(colours)
        gain, veil = _gain_and_veil(photo, clean, trust, wide, narrow, _LOW)
        rest = photo - gain * clean - veil
    spread = _usual(worst(np.abs(rest)), print_)
    glare = _glare(veil, spread)
    veil = veil + _fine_veil(rest, spread, print_) * (glare / (glare + spread))[..., None]
    rest = photo - gain * clean - veil
    spread = _usual(worst(np.abs(rest)), print_)
    return Lighting(photo, clean, gain, veil, rest, spread, _glare(veil, spread), usable, things, colours)


def _broad_fit(photo: Picture, usable: NDArray[np.bool_], artwork: Picture) -> tuple[PrintColours, Picture, Picture]:
    """Colours, gain and veil in windows wider than anything that lies on the board; every other pixel will do."""
    seen, known = (np.ascontiguousarray(v[::2, ::2]) for v in (photo, artwork))
    print_ = usable[::2, ::2]
    palette = Palette(known)
    clean, trust = known, print_.astype(np.float32)
    for turn, window in enumerate(BROAD_WINDOWS_MM):
        gain, veil = _gain_and_veil(seen, clean, trust, window, window, _LOW // 2)
        misfit = worst(np.abs(seen - gain * clean - veil))
        spread = _everywhere(misfit, print_)
        trust = _trust(misfit, spread, print_)
        say = _say(trust, gain, spread)
        colours = _print_colours(palette, (seen - veil) / gain, say, with_table=turn > 0)
        clean = palette.printed(colours)
    size = (photo.shape[1], photo.shape[0])
    gain, veil = (np.asarray(cv2.resize(v, size, interpolation=cv2.INTER_LINEAR)) for v in (gain, veil))
    return colours, gain, veil


def _trust(misfit: NDArray[np.float32], spread: NDArray[np.float32], print_: NDArray[np.bool_]) -> NDArray[np.float32]:
    """How much a place (h, w) is believed to be clean print, 0 to 1."""
    return np.asarray(print_ / (1 + (misfit / (2.2 * spread)) ** 2) ** 2, np.float32)


def _say(trust: NDArray[np.float32], gain: Picture, spread: NDArray[np.float32]) -> NDArray[np.float32]:
    """What a place (h, w) has to say about the print's colours: more where it is bright and fits well."""
    clarity = gain[..., 1] / spread
    return np.asarray(trust * np.minimum((clarity / np.median(clarity[::4, ::4])) ** 2, 4), np.float32)


def _glare(veil: Picture, spread: NDArray[np.float32]) -> NDArray[np.float32]:
    """How much brighter (h, w) the veil is than over most of the board, past what the fit leaves open."""
    bright = veil @ LUMA
    return np.asarray(np.maximum(bright - np.median(bright) - spread, 0), np.float32)


def _fine_veil(rest: Picture, spread: NDArray[np.float32], usable: NDArray[np.bool_]) -> Picture:
    """What the windows were too wide for (h, w, 3): the local mean of the rest, ink left out.

    A running median, blind to anything as thin as ink, says what is left out; the mean is free of the pull that ink
    on one side has on a median.
    """
    window = round(FINE_WINDOW_MM * LIGHT_PX_PER_MM) | 1
    unit = spread[..., None] / 8
    coded = np.clip(128 + rest / unit, 0, 255).astype(np.uint8)
    middle = (cv2.medianBlur(coded, window).astype(np.float32) - 128) * unit
    misfit = worst(np.abs(rest - middle))
    usual = _usual(misfit, usable)
    inked = cv2.dilate((misfit > 3.5 * usual).astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    trust = _trust(misfit, usual, usable & ~inked)
    sigma = 0.25 * FINE_WINDOW_MM * LIGHT_PX_PER_MM
    near, far = (_mean_of_trusted(rest, trust, sigma * k) for k in (1, 3))
    return near[0] + (far[0] - near[0]) * (0.1 / (near[1] + 0.1))


def _mean_of_trusted(rest: Picture, trust: NDArray[np.float32], sigma: float) -> tuple[Picture, Picture]:
    """Gaussian mean (h, w, 3) of what is trusted, and how much of that there is (h, w, 1)."""
    top = cv2.GaussianBlur(trust[..., None] * rest, (0, 0), sigma)
    size = np.asarray(cv2.GaussianBlur(trust, (0, 0), sigma), np.float32)[..., None]
    return np.asarray(top / (size + 1e-3), np.float32), size


def _everywhere(misfit: NDArray[np.float32], print_: NDArray[np.bool_]) -> NDArray[np.float32]:
    """One sigma of the misfit over the whole board, as a map (h, w)."""
    return np.full(misfit.shape, 1.4826 * float(np.median(misfit[print_])) + 1e-4 if print_.any() else 0.1, np.float32)


def _things(
    photo: Picture, clean: Picture, gain: Picture, veil: Picture, usable: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Where something lies on the board (h, w): broad patches that are neither print, nor reflection, nor shadow."""
    rest = cv2.GaussianBlur(photo - gain * clean - veil, (0, 0), 0.4 * LIGHT_PX_PER_MM)
    lit = gain * clean
    limit = 4 * _everywhere(worst(np.abs(rest)), usable)
    off = ((worst(np.abs(rest)) > limit) & (worst(np.abs(rest) / np.maximum(lit, 0.02)) > 0.3) & usable).astype(
        np.uint8
    )
    # Compared as whole colours, each channel weighed by its light: a lamp may leave one of them next to nothing.
    length = np.sqrt(dot3(rest, rest)) + 1e-6
    reflection = dot3(rest, gain) > 0.9 * length * np.sqrt(dot3(gain, gain))
    lit2 = dot3(lit, lit) + 1e-6
    passed = 1 + dot3(rest, lit) / lit2
    left = rest - (passed - 1)[..., None] * lit
    uneven = np.sqrt(dot3(left, left) / lit2)
    shadow = (passed > 0.3) & (passed < 1.05) & (uneven < 0.15 * passed + 0.05)
    strange = off * ~(reflection | shadow)
    core = cv2.morphologyEx(strange.astype(np.uint8), cv2.MORPH_CLOSE, disc(1.5))
    showing, shade = _print_showing(photo, clean, gain)
    # A reflection takes contrast from the pattern, the more the brighter it is.
    hidden = ((showing < MIN_SHOWING / np.maximum(shade, 1)) & usable).astype(np.uint8)
    core = cv2.bitwise_or(
        cv2.morphologyEx(core, cv2.MORPH_OPEN, disc(WIDEST_INK_MM)), cv2.morphologyEx(hidden, cv2.MORPH_OPEN, disc(5.0))
    )
    core = cv2.morphologyEx(core, cv2.MORPH_CLOSE, disc(20.0))
    # what touches the core and is off as well belongs to it: highlights, thin parts
    _, patches = cv2.connectedComponents(
        ((cv2.dilate(core, disc(8.0)) > 0) & ((off > 0) | (core > 0))).astype(np.uint8)
    )
    mine = np.unique(patches[core > 0])
    whole = np.isin(patches, mine[mine > 0]).astype(np.uint8)
    return np.asarray(cv2.dilate(cv2.morphologyEx(whole, cv2.MORPH_CLOSE, disc(4.0)), disc(2.0)) > 0)


def shade_of(photo: Picture, clean: Picture, gain: Picture) -> NDArray[np.float32]:
    """How bright a place is against the usual light of the board (h, w): below 1 in shade, above in a reflection."""
    sigma = 6.0 * LIGHT_PX_PER_MM
    lit = (clean * np.median(gain, (0, 1))) @ LUMA
    bright, usual = (cv2.GaussianBlur(v, (0, 0), sigma) for v in (photo @ LUMA, lit))
    return np.asarray(bright / np.maximum(usual, 1e-3))


def _print_showing(photo: Picture, clean: Picture, gain: Picture) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """How much of the print's own pattern the picture shows (h, w): 1 all, 0 none; 1 where the print has no pattern.

    And how much brighter than usual the place is (h, w).

    The light is taken to be the board's usual one, or as much weaker as the place is darker: where a hand covers the
    print, a gain fitted to the place would explain the pattern away.  What is seen counts for no more than what should
    be there, so that ink on plain print says nothing.
    """
    sigma = 3.0 * LIGHT_PX_PER_MM
    lit = (clean * np.median(gain, (0, 1))) @ LUMA
    bright = photo @ LUMA
    shade = shade_of(photo, clean, gain)
    seen, known = (v - cv2.GaussianBlur(v, (0, 0), sigma) for v in (bright / np.clip(shade, 0.1, 1), lit))
    seen = np.clip(seen, -1.5 * np.abs(known), 1.5 * np.abs(known))
    shared, own = (cv2.GaussianBlur(v, (0, 0), sigma) for v in (seen * known, known * known))
    prior = 0.12 * float(np.percentile(own, 85))
    return np.asarray((shared + prior) / (own + prior)), np.asarray(shade)


def disc(across_mm: float, px_per_mm: float = LIGHT_PX_PER_MM) -> NDArray[np.uint8]:
    """A disc as wide as this on a grid of this scale, for morphology."""
    n = round(across_mm * px_per_mm) | 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (n, n)), np.uint8)


class Palette:
    """The artwork's coarse light (h, w, 3), taken apart for all rounds: terms (h x w, 10), colour number (h x w,)."""

    def __init__(self, artwork: Picture) -> None:
        self.shape = artwork.shape
        flat = artwork.reshape(-1, 3)
        self.terms = _terms(flat)
        self.planes = np.ascontiguousarray(self.terms.T)
        self.number = _colour_number(flat)

    def printed(self, colours: PrintColours) -> Picture:
        """The print's light (h, w, 3)."""
        printed = np.empty((self.planes.shape[1], 3), np.float32)
        for k in range(3):
            plane = np.take(colours.table[:, k], self.number)
            for term, part in zip(self.planes, colours.quadratic[:, k], strict=True):
                plane += part * term
            printed[:, k] = plane
        return printed.reshape(self.shape)


def dot3(a: NDArray[Any], b: NDArray[Any]) -> NDArray[np.float32]:
    """The dot product of channels (..., 3): (...,); ten times as fast as a sum over a short axis."""
    return np.asarray(a[..., 0] * b[..., 0] + a[..., 1] * b[..., 1] + a[..., 2] * b[..., 2])


def worst(channels: Picture) -> NDArray[np.float32]:
    """The largest of the three channels (h, w); three times as fast as a maximum over a short axis."""
    return np.asarray(np.maximum(np.maximum(channels[..., 0], channels[..., 1]), channels[..., 2]))


def _gain_and_veil(
    photo: Picture, clean: Picture, trust: Picture, wide_mm: float, narrow_mm: float, low_by: int
) -> tuple[Picture, Picture]:
    """Local regression of photo on print: gain over the wide window, veil over the narrow one (h, w, 3).

    The windows run on a grid ``low_by`` times coarser, which has `LIGHT_PX_PER_MM` / `_LOW` pixels a mm.
    """
    low = (photo.shape[1] // low_by, photo.shape[0] // low_by)
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
    veil = mean(np.asarray(w * (photo - gain * clean), np.float32), narrow_mm) / size
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


def _print_colours(palette: Palette, printed: Picture, say: NDArray[np.float32], *, with_table: bool) -> PrintColours:
    """Weighted least squares for the quadratic map; then, colour by colour, what it leaves, shrunk where few speak."""
    voice = say.ravel()
    heard = np.flatnonzero(voice > 0.05)
    printed = printed.reshape(-1, 3)
    some = heard[::5]
    terms, weight = palette.terms[some], voice[some, None]
    square = (terms * weight).T @ terms
    square += np.eye(10, dtype=np.float32) * (1e-6 * np.trace(square))
    quadratic = np.linalg.solve(square, (terms * weight).T @ printed[some]).astype(np.float32)
    table = np.zeros((LEVELS**3, 3), np.float32)
    if with_table:
        plain = palette.printed(PrintColours(quadratic, table)).reshape(-1, 3)
        count = np.bincount(palette.number, voice, LEVELS**3)
        for k in range(3):
            left = voice * (printed[:, k] - plain[:, k])
            table[:, k] = np.bincount(palette.number, left, LEVELS**3) / (count + 10)
    return PrintColours(quadratic, table)
