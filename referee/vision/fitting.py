"""The light of a board fitted on a coarse grid: gain, veil and the print's colours in turn.

Least squares re-weighted so that what is no print loses its say, from windows wider than anything that lies on a board
to narrow ones without what lies there.  The channels are kept apart (3, h, w): on whole planes numpy and OpenCV are
several times as fast as along a short last axis, and each hand takes one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from referee.hands import for_each
from referee.vision.clean import GAMMA, LIGHT_PX_PER_MM, LIGHT_STEP, MOST_STEP, WHOLE_CELLS, CleanPrint, shrunk
from referee.vision.colours import LUMA, PrintColours, at_least, at_most, fit_colours
from referee.vision.opencv import cv2

Plane = NDArray[np.float32]
"""(h, w)"""
Planes = NDArray[np.float32]
"""(3, h, w)"""

BROAD_WINDOWS_MM = (90.0, 40.0)
"""One sigma of the windows of gain and veil in the first rounds: so broad that a hand is not taken for the light."""
CLOSE_WINDOWS_MM = ((16.0, 6.0), (12.0, 4.0))
"""Those of gain and of veil in the later rounds: the veil's is narrow, since a lamp's reflection has an edge."""
WIDEST_INK_MM = 7.0
"""What is no print and holds a disc this wide is a thing on the board: no marker draws that broad."""
LINE_DARKENS = 0.7
"""What passes less of the light than this share of what passes around it may be a line of ink."""
DIM_PRINT = 0.04
"""Print that reflects about this share of the light, or less, tells little about how much there is."""
MIN_SHOWING = 0.45
"""Where less than this share of the print's pattern shows, something lies over it."""
NEIGHBOURHOOD_MM = 16.0
"""How far around a place one looks for what misfit is usual there."""
FINE_WINDOW_MM = 10.0
"""What is left is evened out over this much: twice as wide as ink is."""

Box = tuple[slice, slice]
WHOLE: Box = (slice(None), slice(None))
"""Not a box but all of it."""


@dataclass(frozen=True, eq=False)
class Fit:
    """What is fitted, on the grid of `LIGHT_PX_PER_MM`: ``gain`` and ``veil`` (3, h, w), the rest (h, w).

    The fields are those of `Lighting`; ``lines`` (h, w) as in `_lines`.
    """

    colours: PrintColours
    gain: Planes
    veil: Planes
    things: NDArray[np.bool_]
    lines: NDArray[np.bool_]
    shade: Plane


def fit_coarsely(photo: Planes, usable: NDArray[np.bool_], print_of: CleanPrint, bright: Plane) -> Fit:
    """Fit a board's light (3, h, w); ``bright`` (h, w) is its brightness, averaged."""
    shape = usable.shape
    photo, usable, bright = _padded(photo), _padded(usable, outside=False), _padded(bright)
    palette, some = print_of.padded, print_of.padded.thinned
    clean, trust = some.planes, usable[::2, ::2].astype(np.float32)
    few, few_usable = np.ascontiguousarray(photo[:, ::2, ::2]), np.ascontiguousarray(usable[::2, ::2])
    for turn, window in enumerate(BROAD_WINDOWS_MM):
        broad = _Windows(trust, window, window, LIGHT_PX_PER_MM / 2)
        gain, veil = broad.gain_and_veil(few, clean)
        misfit = worst_of(few - gain * clean - veil)
        spread = _everywhere(misfit, few_usable)
        trust = trust_in(misfit, spread, few_usable)
        colours, clean = fit_colours(some, (few - veil) / gain, _say(trust, gain, spread), with_table=turn > 0)
    gain, veil = (_doubled(part, photo.shape) for part in (gain, veil))
    clean = palette.printed_planes(colours)
    usual = _padded(halved(print_of.look.brightness(colours, (_middle(gain) * LUMA).astype(np.float32))))
    usual += max(float(_middle(veil) @ LUMA), 0.0)
    shade = np.asarray(_soft(bright, 6.0) / at_least(_soft(usual, 6.0), 1e-3), np.float32)
    lit = gain * clean
    freed = photo - veil
    rest = freed - lit
    things = _things(lit, rest, gain, usable, _print_showing(bright, usual, shade), shade)
    lines = _lines(freed, lit)
    print_ = usable & ~things & ~lines
    for wide, narrow in CLOSE_WINDOWS_MM:
        misfit = worst_of(rest)
        spread = usual_around(misfit, print_, lines)
        trust = trust_in(misfit, spread, print_)
        colours, clean = fit_colours(palette, freed / gain, _say(trust, gain, spread), with_table=True)
        gain, veil = _Windows(trust, wide, narrow, LIGHT_PX_PER_MM).gain_and_veil(photo, clean)
        freed = photo - veil
        rest = freed - gain * clean
    spread = usual_around(worst_of(rest), print_, lines)
    glare = glare_of(veil, spread)
    dazzled = box_around(glare > 0.2 * spread, LIGHT_PX_PER_MM)
    if dazzled is not None:
        share = (glare / (glare + spread))[dazzled]
        left = np.ascontiguousarray(rest[:, *dazzled])
        veil[:, *dazzled] += _fine_veil(left, spread[dazzled], print_[dazzled]) * share
    inside = slice(shape[0]), slice(shape[1])
    things, lines, shade = (np.ascontiguousarray(part[inside]) for part in (things, lines, shade))
    return Fit(colours, gain[:, *inside], veil[:, *inside], things, lines, shade)


def _padded(values: NDArray[Any], *, outside: bool | None = None) -> NDArray[Any]:
    """A grid (..., h, w) made so large that it falls into whole cells of any window; its rim is held if not told."""
    h, w = values.shape[-2:]
    whole = np.empty((*values.shape[:-2], h + -h % WHOLE_CELLS, w + -w % WHOLE_CELLS), values.dtype)
    whole[..., :h, :w] = values
    whole[..., :h, w:] = values[..., -1:] if outside is None else outside
    whole[..., h:, :] = whole[..., h - 1 : h, :] if outside is None else outside
    return whole


def _doubled(planes: Planes, shape: tuple[int, ...]) -> Planes:
    """Planes that have every second place at all places (3, h, w), linear between."""
    full = cv2.resize(cv2.merge(list(planes)), (shape[2], shape[1]), interpolation=cv2.INTER_LINEAR)
    return np.stack(cv2.split(full))


class _Windows:
    """Local regression of photo on print: gain over the wide window, veil over the narrow one.

    ``trust`` (h, w) is how much each place is believed.  Gaussian means are taken on grids as much coarser as their
    windows are wide.
    """

    def __init__(self, trust: Plane, wide_mm: float, narrow_mm: float, px_per_mm: float) -> None:
        self._trust = trust
        self._wide, self._narrow = (
            _Window(trust, mm * px_per_mm, least) for mm, least in ((wide_mm, 1e-4), (narrow_mm, 1e-3))
        )

    def gain_and_veil(self, photo: Planes, clean: Planes) -> tuple[Planes, Planes]:
        """Both (3, h, w) for a photo and the print that it shows."""
        seen, print_ = self._trust * photo, self._trust * clean
        means = self._wide.means(print_, seen, print_ * clean, print_ * photo)
        q, f, square, product = (means[k : k + 3] for k in (0, 3, 6, 9))
        variance, covariance = square - q * q, product - q * f
        middling = np.median(variance.reshape(3, -1), axis=1)[:, None, None].astype(np.float32)
        usual = np.median(covariance.reshape(3, -1), axis=1)[:, None, None].astype(np.float32) / middling
        ridge = np.float32(0.1) * middling
        least = np.float32(0.05) * np.abs(usual) + np.float32(1e-4)
        gain = self._wide.everywhere(np.maximum((covariance + ridge * usual) / (variance + ridge), least))
        seen -= gain * print_
        means = self._narrow.everywhere(self._narrow.means(seen, print_))
        return _shadowed(gain, means[:3], means[3:])


class _Window:
    """Gaussian means of what is trusted, over one window, on a grid as much coarser as the window is wide."""

    def __init__(self, trust: Plane, sigma_px: float, least: float) -> None:
        self._step = min(1 << max(int(np.log2(sigma_px / 2)), 0), MOST_STEP)
        self._sigma = sigma_px / self._step
        self._size = self._soft(trust[None])[0] + np.float32(least)

    def means(self, *weighed: NDArray[np.float32]) -> NDArray[np.float32]:
        """The means, on the window's own grid, of stacks (k, h, w) that have been weighed by their trust."""
        return np.asarray(self._soft(*weighed) / self._size, np.float32)

    def everywhere(self, means: NDArray[np.float32]) -> NDArray[np.float32]:
        """What the window's own grid has (k, h, w), at every place."""
        if self._step == 1:
            return means
        h, w = (n * self._step for n in means.shape[1:])
        whole = np.empty((len(means), h, w), np.float32)
        for small, large in zip(means, whole, strict=True):
            cv2.resize(small, (w, h), dst=large, interpolation=cv2.INTER_LINEAR)
        return whole

    def _soft(self, *stacks: NDArray[np.float32]) -> NDArray[np.float32]:
        """All of them softened: few calls, for what they have to work on is small."""
        small = np.concatenate([self._shrunk(stack) for stack in stacks])
        soft = cv2.GaussianBlur(cv2.merge(list(small)), (0, 0), self._sigma, borderType=cv2.BORDER_REFLECT)
        return np.ascontiguousarray(np.moveaxis(soft.reshape(*small.shape[1:], -1), -1, 0), np.float32)

    def _shrunk(self, stack: NDArray[np.float32]) -> NDArray[np.float32]:
        k, h, w = stack.shape
        step = self._step
        flat = stack.reshape(k * h, w)
        flat = cv2.resize(flat, (w // step, k * h // step), interpolation=cv2.INTER_AREA) if step > 1 else flat
        return flat.reshape(k, h // step, w // step)


def _shadowed(gain: Planes, veil: Planes, usual: Planes) -> tuple[Planes, Planes]:
    """Gain and veil (3, h, w) of which the veil adds light only: what it took off, the gain now takes.

    A shadow takes its share of the light, and more from white lines than from the road.  ``usual`` (3, h, w) is the
    print around each place.
    """
    lack = at_most(veil - np.minimum(_middle(veil), 0)[:, None, None], 0.0)
    if not lack.any():
        return gain, veil
    # Dark print does not say how much less light there is.
    power = usual * usual
    taken = lack * (power / (power + np.float32(DIM_PRINT**2)))
    return np.maximum(gain + taken / at_least(usual, DIM_PRINT), np.float32(0.25) * gain), veil - taken


def box_around(places: NDArray[np.bool_], px_per_mm: float) -> Box | None:
    """The box that holds all these places (h, w), and what they are compared with; None if there are none."""
    x, y, w, h = cv2.boundingRect(places.view(np.uint8))
    spare = round(2 * FINE_WINDOW_MM * px_per_mm)
    return (slice(max(y - spare, 0), y + h + spare), slice(max(x - spare, 0), x + w + spare)) if w * h else None


def trust_in(misfit: Plane, spread: Plane, print_: NDArray[np.bool_]) -> Plane:
    """How much a place (h, w) is believed to be clean print, 0 to 1 (Geman and McClure, 1987)."""
    return np.asarray(print_ / (1 + (misfit / (np.float32(2.2) * spread)) ** 2) ** 2, np.float32)


def _say(trust: Plane, gain: Planes, spread: Plane) -> Plane:
    """What a place (h, w) has to say about the print's colours: more where it is bright and fits well."""
    clarity = gain[1] / spread
    return np.asarray(trust * at_most((clarity / np.median(clarity[::6, ::6])) ** 2, 4), np.float32)


def glare_of(veil: Planes, spread: Plane, box: Box = WHOLE) -> Plane:
    """How much brighter (h, w) the veil is in a box than over most of the board, past what the fit leaves open."""
    most = np.median(_weighed(veil[:, ::4, ::4], LUMA))
    return np.asarray(at_least(_weighed(veil[:, *box], LUMA) - most - spread[box], 0), np.float32)


def _fine_veil(rest: Planes, spread: Plane, usable: NDArray[np.bool_]) -> Planes:
    """What the windows were too wide for (3, h, w): the local mean of the rest, ink left out.

    A running median, blind to anything as thin as ink, says what is left out; the mean is free of the pull that ink
    on one side has on a median.
    """
    window = round(FINE_WINDOW_MM * LIGHT_PX_PER_MM) | 1
    unit = spread / 8
    off = np.empty_like(rest)

    def channel(k: int) -> None:
        coded = np.clip(128 + rest[k] / unit, 0, 255).astype(np.uint8)
        off[k] = rest[k] - (cv2.medianBlur(coded, window).astype(np.float32) - 128) * unit

    for_each(channel, range(3))
    misfit = worst_of(off)
    usual = usual_around(misfit, usable)
    inked = cv2.dilate((misfit > 3.5 * usual).view(np.uint8), np.ones((3, 3), np.uint8)) > 0
    return local_mean(rest, trust_in(misfit, usual, usable & ~inked))


def local_mean(rest: Planes, trust: Plane) -> Planes:
    """The mean (3, h, w) of what is trusted around each place; from further off where there is too little of it."""
    sigma = 0.25 * FINE_WINDOW_MM * LIGHT_PX_PER_MM
    mean = np.empty_like(rest)
    sizes = [_mean_around(trust, sigma * k) for k in (1, 3)]
    lent = np.float32(0.1) / (sizes[0] + np.float32(0.1))

    def channel(k: int) -> None:
        told = trust * rest[k]
        near, far = (
            _mean_around(told, sigma * n) / (size + np.float32(1e-3)) for n, size in zip((1, 3), sizes, strict=True)
        )
        mean[k] = near + (far - near) * lent

    for_each(channel, range(3))
    return mean


def _mean_around(values: Plane, sigma_px: float) -> Plane:
    """Gaussian means (h, w)."""
    step = max(1, int(sigma_px / 3))
    return spread_out(cv2.GaussianBlur(_shrunk(values, step), (0, 0), sigma_px / step), values.shape, step)


def _shrunk(values: Plane, step: int) -> Plane:
    """Means of cells of ``step`` x ``step`` places: by whole numbers, which OpenCV does many times as fast."""
    wh = -(-values.shape[1] // step), -(-values.shape[0] // step)
    return np.asarray(shrunk(values, wh, step), np.float32) if step > 1 else values


def spread_out(small: Plane, shape: tuple[int, ...], step: int) -> Plane:
    """Values of cells at every place (h, w), linear between."""
    if step == 1:
        return small
    whole = cv2.resize(small, (small.shape[1] * step, small.shape[0] * step), interpolation=cv2.INTER_LINEAR)
    return np.ascontiguousarray(whole[: shape[0], : shape[1]], np.float32)


def _middle(planes: Planes) -> NDArray[np.float32]:
    """The median (3,) of each channel, of a part of it."""
    return np.array([np.median(plane[::6, ::6]) for plane in planes], np.float32)


def _median(misfit: Plane, usable: NDArray[np.bool_]) -> float:
    """The median misfit of what is usable; of a part of it, for that says the same."""
    some = misfit[::3, ::4][usable[::3, ::4]]
    return float(np.median(some)) if some.size else 0.1


def _everywhere(misfit: Plane, print_: NDArray[np.bool_]) -> Plane:
    """One sigma of the misfit over the whole board, as a map (h, w)."""
    return np.full(misfit.shape, 1.4826 * _median(misfit, print_) + 1e-4, np.float32)


def usual_around(misfit: Plane, usable: NDArray[np.bool_], lines: NDArray[np.bool_] | None = None) -> Plane:
    """One sigma of the misfit that is usual around each place (h, w): a wide median, never below the whole board's.

    ``lines`` are no print and count as what is usual: where they are dense the median would be theirs.
    """
    whole = _median(misfit, usable)
    top = 16 * whole + 1e-6
    misfit = at_most(misfit, top)
    if lines is not None:
        lines_and_rims = cv2.dilate(lines.view(np.uint8), np.ones((3, 3), np.uint8))
        cv2.copyTo(at_most(misfit, whole), lines_and_rims, misfit)
    half = cv2.resize(misfit, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    coded = (cv2.sqrt(half / np.float32(top)) * np.float32(255)).astype(np.uint8)
    local = cv2.medianBlur(coded, round(NEIGHBOURHOOD_MM * LIGHT_PX_PER_MM / 2) | 1).astype(np.float32)
    local *= local
    local *= np.float32(1.4826 * top / 255**2)
    wide = cv2.resize(local, misfit.shape[::-1], interpolation=cv2.INTER_LINEAR)
    return np.asarray(at_least(wide, whole) + np.float32(1e-5), np.float32)


# ------------------------------------------------------------------------------------------------ planes


def worst_of(planes: Planes) -> Plane:
    """The largest size (h, w) of three channels (3, h, w)."""
    a, b, c = (np.abs(plane) for plane in planes)
    return np.asarray(np.maximum(np.maximum(a, b, out=a), c, out=a), np.float32)


def _weighed(planes: Planes, weights: NDArray[np.float32]) -> Plane:
    """The sum (h, w) of three channels, each times its weight (3,)."""
    return np.asarray(planes[0] * weights[0] + planes[1] * weights[1] + planes[2] * weights[2], np.float32)


def _dot(a: Planes, b: Planes) -> Plane:
    """The dot product (h, w) of channels."""
    return np.asarray(a[0] * b[0] + a[1] * b[1] + a[2] * b[2], np.float32)


def halved(values: Plane) -> Plane:
    """What has `LOOK_PX_PER_MM` (h, w) at `LIGHT_PX_PER_MM`, averaged: single places misrepresent a pattern."""
    wh = max(1, values.shape[1] // LIGHT_STEP), max(1, values.shape[0] // LIGHT_STEP)
    return np.asarray(shrunk(values, wh, LIGHT_STEP))


# ------------------------------------------------------------------------------------------------ what is no print


def _things(
    lit: Planes, rest: Planes, gain: Planes, usable: NDArray[np.bool_], showing: Plane, shade: Plane
) -> NDArray[np.bool_]:
    """Where something lies on the board (h, w): broad patches that are neither print, nor reflection, nor shadow.

    ``lit`` (3, h, w) is the print in its light, ``showing`` (h, w) as in `_print_showing`, the rest as in `Lighting`.
    """
    misfit = worst_of(rest)
    # Noise and what a lens gets wrong are about even in values: less light, less of them.
    tone = np.asarray(np.clip(_weighed(lit, LUMA), 0.01, 1) ** (1 - 1 / GAMMA), np.float32)
    limit = 4 * _everywhere(misfit / tone, usable) * tone
    relative = worst_of(rest / at_least(lit, 0.02))
    off = ((misfit > limit) & (relative > 0.3) & usable).astype(np.uint8)
    # Compared as whole colours, each channel weighed by its light: a lamp may leave one of them next to nothing.
    length = np.sqrt(_dot(rest, rest)) + np.float32(1e-6)
    reflection = _dot(rest, gain) > 0.9 * length * np.sqrt(_dot(gain, gain))
    lit2 = _dot(lit, lit) + np.float32(1e-6)
    passed = 1 + _dot(rest, lit) / lit2
    left = rest - (passed - 1) * lit
    uneven = np.sqrt(_dot(left, left) / lit2)
    shadow = (passed > 0.3) & (passed < 1.05) & (uneven < 0.15 * passed + 0.05)
    strange = (off * ~(reflection | shadow)).astype(np.uint8)
    # A reflection takes contrast from the pattern, the more the brighter it is.
    hidden = ((showing < MIN_SHOWING / at_least(shade, 1)) & usable).astype(np.uint8)
    core = cv2.bitwise_or(
        cv2.morphologyEx(strange, cv2.MORPH_OPEN, _disc(WIDEST_INK_MM)),
        cv2.morphologyEx(hidden, cv2.MORPH_OPEN, _disc(5.0)),
    )
    if not core.any():
        return np.zeros(core.shape, np.bool_)
    core = cv2.morphologyEx(core, cv2.MORPH_CLOSE, _disc(20.0))
    # what touches the core and is off as well belongs to it: highlights, thin parts
    _, patches = cv2.connectedComponents(
        ((cv2.dilate(core, _disc(8.0)) > 0) & ((off > 0) | (core > 0))).astype(np.uint8)
    )
    mine = np.unique(patches[core > 0])
    whole = np.isin(patches, mine[mine > 0]).astype(np.uint8)
    return np.asarray(cv2.dilate(cv2.morphologyEx(whole, cv2.MORPH_CLOSE, _disc(4.0)), _disc(2.0)) > 0)


def _lines(seen: Planes, lit: Planes) -> NDArray[np.bool_]:
    """Where something dark is as thin as a marker's line (h, w): in the light's closer look it has no say.

    ``seen`` (3, h, w) is the photo without its veil, ``lit`` the print in the broad light.  Where lines lie close
    together, as in donuts, they would be taken for the light, for there is more of them than of print.
    """
    passed = (at_least(seen, 0) + np.float32(0.02)) / (at_least(lit, 0) + np.float32(0.02))
    least = np.minimum(np.minimum(passed[0], passed[1]), passed[2])
    around = cv2.morphologyEx(_soft(least, 0.5), cv2.MORPH_CLOSE, _disc(WIDEST_INK_MM))
    return np.asarray(least < LINE_DARKENS * at_most(around, 1))


def _print_showing(bright: Plane, usual: Plane, shade: Plane) -> Plane:
    """How much of the print's own pattern the picture shows (h, w): 1 all, 0 none; 1 where the print has no pattern.

    ``usual`` is the print in the board's usual light, taken to be as much weaker as the place is darker: where a hand
    covers the print, a gain fitted to the place would explain the pattern away.  What is seen counts for no more than
    what should be there, so that ink on plain print says nothing.
    """
    lit = np.asarray(bright / np.clip(shade, 0.1, 1), np.float32)
    known = usual - _soft(usual, 3.0)
    most = 1.5 * np.abs(known)
    seen = np.clip(lit - _soft(lit, 3.0), -most, most)
    shared, own = _soft(seen * known, 3.0), _soft(known * known, 3.0)
    prior = 0.12 * float(np.percentile(own[::2, ::2], 85))
    return np.asarray((shared + prior) / (own + prior))


def _soft(values: Plane, sigma_mm: float) -> Plane:
    return np.asarray(cv2.GaussianBlur(values, (0, 0), sigma_mm * LIGHT_PX_PER_MM), np.float32)


def _disc(across_mm: float) -> NDArray[np.uint8]:
    return disc(across_mm, LIGHT_PX_PER_MM)


def disc(across_mm: float, px_per_mm: float) -> NDArray[np.uint8]:
    """A disc as wide as this on a grid of this scale, for morphology."""
    n = round(across_mm * px_per_mm) | 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (n, n)), np.uint8)
