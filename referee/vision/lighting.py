"""How this picture shows this print: the room's light, the veil of reflections, and the printer's colours.

Where the board is clean, photo = gain x colour(print) + veil, in linear light: gain and veil vary slowly over the
board, the colour map is one for the whole board.  The three are fitted in turn, by least squares re-weighted so that
ink, hands and glare, which are no print, lose their say (Geman and McClure, 1987).  Gain and veil are local linear
regressions over Gaussian windows (the guided filter of K. He, J. Sun, X. Tang, 2013).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from referee.hands import both, side_by_side
from referee.vision.clean import GAMMA, LIGHT_PX_PER_MM, LIGHT_STEP, LOOK_PX_PER_MM, CleanPrint, shrunk
from referee.vision.colours import (
    LUMA,
    Picture,
    PrintColours,
    at_least,
    at_most,
    dot3,
    fit_colours,
    roots,
    thrice,
    weighed,
    worst,
)
from referee.vision.opencv import cv2

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
EVENLY = 0.15
"""A shadow takes the same share of red, green and blue light, but for about this much."""
SHADE, DEEPEST = 0.12, 0.25
"""Light that differs by less than this share is no shadow's, nor is less than this share of it: that is black ink."""
THINNEST_SHADOW_MM, WIDEST_LINE_MM = 2.0, 4.5
"""A shadow is no thinner than the one; if it could be faint ink as well, no thinner than the other."""
LEAST_SHADOW_MM2 = 20.0
"""A smaller patch in other light is a fault of the print's colours."""
HALF_INK = 0.45
"""Coverage this far from full is too little for a marker's line, dry as it may be."""
NEARLY = 0.2
"""Coverage this close to full is ink's."""
MIN_SHOWING = 0.45
"""Where less than this share of the print's pattern shows, something lies over it."""
NEIGHBOURHOOD_MM = 16.0
"""How far around a place one looks for what misfit is usual there."""
BADLY = 1.6
LIT_MORE = 1.2
"""Where the usual misfit is so many times that of most of the board, and light so much more, it is fitted once more."""
FINE_WINDOW_MM = 10.0
"""What is left is evened out over this much: twice as wide as ink is."""


Box = tuple[slice, slice]
WHOLE: Box = (slice(None), slice(None))
"""Not a box but all of it."""


@dataclass(frozen=True, eq=False)
class Lighting:
    """The fit, on the grid of `LOOK_PX_PER_MM` (h, w): ``gain`` and ``veil`` (h, w, 3), ``spread`` (h, w).

    ``photo`` (h, w, 3) is the picture's light, ``clean`` (h, w, 3) the print's, ``rest`` = photo - gain x clean - veil;
    ``spread`` is one sigma of the rest where only print is, of the worst channel; ``glare`` (h, w) the light that the
    veil has more than elsewhere; ``shade`` (h, w) how bright a place is against the board's usual light: below 1 in
    shade, above in a reflection; ``usable`` (h, w) bool where the picture is neither burnt out nor at an end;
    ``things`` (h, w) bool where something lies on the board.
    """

    photo: Picture
    clean: Picture
    gain: Picture
    veil: Picture
    rest: Picture
    spread: NDArray[np.float32]
    glare: NDArray[np.float32]
    shade: NDArray[np.float32]
    usable: NDArray[np.bool_]
    things: NDArray[np.bool_]
    colours: PrintColours


def fit_lighting(photo: Picture, usable: NDArray[np.bool_], print_: CleanPrint) -> Lighting:
    """Fit gain, veil and print colours to a flat board's light (h, w, 3), ``usable`` (h, w) as in `Lighting`.

    They are fitted at `LIGHT_PX_PER_MM`; what they leave over is told at `LOOK_PX_PER_MM`.
    """
    fit = _fit(print_.coarser(photo), print_.coarser(usable), print_, _halved(weighed(photo, LUMA)))
    gain, veil = (_resized(part, photo.shape) for part in (fit.gain, fit.veil))
    things = _resized(fit.things.astype(np.float32), photo.shape) > 0.5
    clean = print_.look.printed(fit.colours)
    rest = gain * clean
    rest += veil
    np.subtract(photo, rest, out=rest)
    lines = _resized(fit.lines.astype(np.float32), photo.shape) > 0
    spread = _usual(worst(np.abs(rest)), usable & ~things, LOOK_PX_PER_MM, lines)
    glare = _resized(_glare(fit.veil, _resized(spread, fit.veil.shape)), photo.shape)
    shade = _resized(fit.shade, photo.shape)
    return Lighting(photo, clean, gain, veil, rest, spread, glare, shade, usable, things, fit.colours)


def relit(light_: Lighting, inked: NDArray[np.float32], inky: Picture) -> tuple[Lighting, Box] | None:
    """The light once more where it was fitted badly, now that ink is known: it shows the veil as print does.

    ``inked`` (h, w) is the coverage so far, ``inky`` (h, w, 3) the ink's colour over the print.  Where a reflection
    has an edge and a line crosses it, print alone is too little to tell the one from the other.  With the box in which
    it changed; None if nothing did.
    """
    usual = float(np.median(light_.spread[::4, ::4]))
    badly = (light_.spread > BADLY * usual) & (light_.shade > LIT_MORE)
    if not badly.any():
        return None
    reach = round(2 * FINE_WINDOW_MM * LOOK_PX_PER_MM)
    ink_around = cv2.dilate((inked > 0.5).view(np.uint8), np.ones((reach, reach), np.uint8)).view(np.bool_)
    box = _around(badly & ink_around, LOOK_PX_PER_MM)
    if box is None:
        return None
    spread, print_ = light_.spread[box], (light_.usable & ~light_.things)[box]
    colour = np.where((inked[box] > 0.5)[..., None], inky[box], light_.clean[box])
    rest = light_.photo[box] - light_.gain[box] * colour - light_.veil[box]
    some, doubt, seen = (np.ascontiguousarray(v[::LIGHT_STEP, ::LIGHT_STEP]) for v in (rest, spread, print_))
    change = np.zeros_like(some)
    for limit in (doubt, roots(doubt * np.float32(usual)), np.full_like(doubt, usual)):
        change = _local_mean(some, _trust(worst(np.abs(some - change)), limit, seen))
    change = _resized(change, rest.shape) * thrice(np.clip(spread / usual - 1, 0, 1))
    veil, whole, new_spread, glare = (v.copy() for v in (light_.veil, light_.rest, light_.spread, light_.glare))
    veil[box] += change
    whole[box] -= change
    new_spread[box] = np.clip(_usual(worst(np.abs(rest - change)), print_, LOOK_PX_PER_MM), usual, spread)
    glare[box] = _glare(veil, new_spread, box)
    return replace(light_, veil=veil, rest=whole, spread=new_spread, glare=glare), box


@dataclass(frozen=True, eq=False)
class Shade:
    """How a place looks if it is print in more or less light than was fitted (...): ``passed`` times as much light.

    ``left`` (...) is what that leaves over, ``even`` (...) bool where that is no more than what the fit leaves open.
    """

    passed: NDArray[np.float32]
    left: NDArray[np.float32]
    even: NDArray[np.bool_]


def shade_of(light_: Picture, print_: Picture, spread: NDArray[np.float32]) -> Shade:
    """The shade that explains light (..., 3) without its veil best, on a print that ``print_`` (..., 3) of it shows."""
    power = dot3(print_, print_) + np.float32(1e-6)
    passed = dot3(light_, print_) / power
    rest = light_ - thrice(passed) * print_
    left = roots(dot3(rest, rest))
    return Shade(passed, left, left < EVENLY * np.clip(passed, 0, 1) * roots(power) + 0.5 * spread)


def shaded(
    light_: Lighting, inked: NDArray[np.float32], inky: Picture, rim_mm: float, road: NDArray[np.bool_]
) -> Lighting | None:
    """The light once more where a shadow has an edge, or is as thin as a line: there print is seen in other light.

    ``inked`` (h, w) is the coverage so far, ``inky`` (h, w, 3) the ink's colour over the print; an ink's edge, as wide
    as ``rim_mm``, is no shadow.  Something thinner than `THINNEST_SHADOW_MM` is taken for ink.  None without shadow on
    the ``road`` (h, w).
    """
    print_ = light_.gain * light_.clean
    power = dot3(print_, print_) + np.float32(1e-6)
    off_ink = np.abs(inked - 1)
    # Only what is in other light, or looks like ink, has a say in whether there is a shadow at all.
    odd = (np.abs(dot3(light_.rest, print_)) > 0.999 * SHADE * power) | (inked > 1 - NEARLY)
    core = _shadows(_lit(light_, inked, inky, np.flatnonzero(odd)), inked, rim_mm)
    if not (core & road).any():
        return None
    lit = _lit(light_, inked, inky, np.arange(inked.size))
    free = _free(lit, inked, rim_mm)
    reach = cv2.dilate(core.view(np.uint8), disc(3.0, LOOK_PX_PER_MM)) > 0
    known = (core | (reach & lit.surely & (free | (off_ink > HALF_INK)))).astype(np.float32)
    told = cv2.merge([known * lit.passed, known])
    near, far = (cv2.GaussianBlur(told, (0, 0), mm * LOOK_PX_PER_MM) for mm in (0.4, 2.0))
    mean = (near[..., 0] + 0.05 * far[..., 0]) / (near[..., 1] + 0.05 * far[..., 1] + 1e-6)
    passed = np.where(reach & (near[..., 1] + far[..., 1] > 0.01), mean, 1).astype(np.float32)
    gain = light_.gain * thrice(passed)
    rest = light_.photo - gain * light_.clean - light_.veil
    return replace(light_, gain=gain, rest=rest)


@dataclass(frozen=True, eq=False)
class _Lit:
    """Where print in other light is seen (h, w): ``surely``, ``maybe`` if it is wide enough; ``passed``: how much.

    Where that was not asked it is nowhere, and the light as it was fitted.
    """

    surely: NDArray[np.bool_]
    maybe: NDArray[np.bool_]
    passed: NDArray[np.float32]


def _lit(light_: Lighting, inked: NDArray[np.float32], inky: Picture, places: NDArray[np.intp]) -> _Lit:
    """Which of some places (N,) of the grid show print in other light; the other arguments are those of `shaded`."""
    photo, veil, gain, clean, ink = (
        np.take(v.reshape(-1, 3), places, 0) for v in (light_.photo, light_.veil, light_.gain, light_.clean, inky)
    )
    spread, glare, lightness, covered = (np.take(v, places) for v in (light_.spread, light_.glare, light_.shade, inked))
    usable, things = np.take(light_.usable, places), np.take(light_.things, places)
    seen = photo - veil
    shade = shade_of(seen, gain * clean, spread)
    as_ink = seen - gain * (clean + thrice(np.clip(covered, 0, 1)) * (ink - clean))
    # What is brighter than print is either a thing or lit: white paper on the road is no light.
    most = 2 - things.astype(np.float32)
    plain = usable & (glare < spread) & (lightness < LIT_MORE)
    may_be = shade.even & plain & (shade.passed > DEEPEST) & (shade.passed < most)
    by_colour = shade.left + 2 * spread < roots(dot3(as_ink, as_ink))
    off_ink = np.abs(covered - 1)
    surely, maybe = (np.zeros(inked.shape, np.bool_) for _ in range(2))
    passed = np.ones(inked.shape, np.float32)
    surely.ravel()[places] = may_be & (by_colour | (off_ink > HALF_INK))
    maybe.ravel()[places] = may_be & (by_colour | (off_ink > NEARLY))
    passed.ravel()[places] = shade.passed
    return _Lit(surely, maybe, passed)


def _free(lit: _Lit, inked: NDArray[np.float32], rim_mm: float) -> NDArray[np.bool_]:
    """Where (h, w) the light is another than was fitted, and no ink is near."""
    strong = ((inked > 1 - NEARLY) & ~lit.maybe).astype(np.uint8)
    near_ink = cv2.dilate(strong, disc(2 * rim_mm, LOOK_PX_PER_MM)) > 0
    return np.asarray((np.abs(lit.passed - 1) > SHADE) & ~near_ink)


def _shadows(lit: _Lit, inked: NDArray[np.float32], rim_mm: float) -> NDArray[np.bool_]:
    """The middles (h, w) of what is broad enough to be in other light."""
    free = _free(lit, inked, rim_mm)
    narrow, wide = (
        cv2.morphologyEx((places & free).view(np.uint8), cv2.MORPH_OPEN, disc(mm, LOOK_PX_PER_MM)) > 0
        for places, mm in ((lit.surely, THINNEST_SHADOW_MM), (lit.maybe, WIDEST_LINE_MM))
    )
    return _large(narrow | wide, LEAST_SHADOW_MM2 * LOOK_PX_PER_MM**2)


def _large(places: NDArray[np.bool_], least: float) -> NDArray[np.bool_]:
    """The patches (h, w) of at least so many pixels."""
    if not places.any():
        return places
    _, patch = cv2.connectedComponents(places.view(np.uint8))
    keep = np.bincount(patch.ravel()) >= least  # OpenCV's own statistics take seven times as long
    keep[0] = False
    return np.asarray(np.take(keep, patch))


def _local_mean(rest: Picture, trust: NDArray[np.float32]) -> Picture:
    """The mean (h, w, 3) of what is trusted around each place; from further off where there is too little of it."""
    sigma = 0.25 * FINE_WINDOW_MM * LIGHT_PX_PER_MM
    near, far = (_mean_of_trusted(rest, trust, sigma * k) for k in (1, 3))
    return near[0] + (far[0] - near[0]) * (0.1 / (near[1] + 0.1))


@dataclass(frozen=True, eq=False)
class _Fit:
    """What is fitted, on the grid of `LIGHT_PX_PER_MM`: fields as in `Lighting`; ``lines`` (h, w) as in `_lines`."""

    colours: PrintColours
    gain: Picture
    veil: Picture
    things: NDArray[np.bool_]
    lines: NDArray[np.bool_]
    shade: NDArray[np.float32]


def _halved(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """What has `LOOK_PX_PER_MM` (h, w) at `LIGHT_PX_PER_MM`, averaged: single places misrepresent a pattern."""
    wh = max(1, values.shape[1] // LIGHT_STEP), max(1, values.shape[0] // LIGHT_STEP)
    return np.asarray(shrunk(values, wh, LIGHT_STEP))


def _fit(photo: Picture, usable: NDArray[np.bool_], print_of: CleanPrint, bright: NDArray[np.float32]) -> _Fit:
    """From windows wider than anything that lies on the board to narrow ones without what lies there.

    ``bright`` (h, w) is the photo's brightness, averaged.
    """
    palette = print_of.coarse
    clean, trust = palette.artwork, usable.astype(np.float32)
    for turn, window in enumerate(BROAD_WINDOWS_MM):
        gain, veil = _gain_and_veil(photo, clean, trust, window, window)
        misfit = worst(np.abs(photo - gain * clean - veil))
        spread = _everywhere(misfit, usable)
        trust = _trust(misfit, spread, usable)
        colours = fit_colours(palette, (photo - veil) / gain, _say(trust, gain, spread), with_table=turn > 0)
        clean = palette.printed(colours)
    light_ = (_middle(gain[::4, ::4]) * LUMA).astype(np.float32)
    usual = _halved(print_of.look.brightness(colours, light_))
    usual += max(float(_middle(veil[::4, ::4]) @ LUMA), 0.0)
    shade = np.asarray(_soft(bright, 6.0) / at_least(_soft(usual, 6.0), 1e-3), np.float32)
    lit = gain * clean
    rest = photo - lit - veil
    things, lines = both(
        lambda: _things(lit, rest, gain, usable, _print_showing(bright, usual, shade), shade),
        lambda: _lines(photo - veil, lit),
    )
    print_ = usable & ~things & ~lines
    for wide, narrow in CLOSE_WINDOWS_MM:
        misfit = worst(np.abs(rest))
        spread = _usual(misfit, print_, LIGHT_PX_PER_MM, lines)
        trust = _trust(misfit, spread, print_)
        colours = fit_colours(palette, (photo - veil) / gain, _say(trust, gain, spread), with_table=True)
        clean = palette.printed(colours)
        gain, veil = _gain_and_veil(photo, clean, trust, wide, narrow)
        rest = photo - gain * clean - veil
    spread = _usual(worst(np.abs(rest)), print_, LIGHT_PX_PER_MM, lines)
    glare = _glare(veil, spread)
    dazzled = _around(glare > 0.2 * spread, LIGHT_PX_PER_MM)
    if dazzled is not None:
        share = (glare / (glare + spread))[dazzled]
        veil[dazzled] += _fine_veil(rest[dazzled], spread[dazzled], print_[dazzled]) * thrice(share)
    return _Fit(colours, gain, veil, things, lines, shade)


def _around(places: NDArray[np.bool_], px_per_mm: float) -> Box | None:
    """The box that holds all these places (h, w), and what they are compared with; None if there are none."""
    x, y, w, h = cv2.boundingRect(places.astype(np.uint8))
    spare = round(2 * FINE_WINDOW_MM * px_per_mm)
    return (slice(max(y - spare, 0), y + h + spare), slice(max(x - spare, 0), x + w + spare)) if w * h else None


def _resized(values: Picture, shape: tuple[int, ...]) -> Picture:
    """Values of one grid (h, w[, 3]) on another (H, W[, 3]), linear between."""
    return np.asarray(cv2.resize(values, (shape[1], shape[0]), interpolation=cv2.INTER_LINEAR), np.float32)


def _trust(misfit: NDArray[np.float32], spread: NDArray[np.float32], print_: NDArray[np.bool_]) -> NDArray[np.float32]:
    """How much a place (h, w) is believed to be clean print, 0 to 1."""
    return np.asarray(print_ / (1 + (misfit / (2.2 * spread)) ** 2) ** 2, np.float32)


def _say(trust: NDArray[np.float32], gain: Picture, spread: NDArray[np.float32]) -> NDArray[np.float32]:
    """What a place (h, w) has to say about the print's colours: more where it is bright and fits well."""
    clarity = gain[..., 1] / spread
    return np.asarray(trust * at_most((clarity / np.median(clarity[::4, ::4])) ** 2, 4), np.float32)


def _glare(veil: Picture, spread: NDArray[np.float32], box: Box = WHOLE) -> NDArray[np.float32]:
    """How much brighter (h, w) the veil is in a box than over most of the board, past what the fit leaves open."""
    most = np.median(weighed(np.ascontiguousarray(veil[::2, ::2]), LUMA))
    return at_least(weighed(veil[box], LUMA) - most - spread[box], 0)


def _fine_veil(rest: Picture, spread: NDArray[np.float32], usable: NDArray[np.bool_]) -> Picture:
    """What the windows were too wide for (h, w, 3): the local mean of the rest, ink left out.

    A running median, blind to anything as thin as ink, says what is left out; the mean is free of the pull that ink
    on one side has on a median.
    """
    window = round(FINE_WINDOW_MM * LIGHT_PX_PER_MM) | 1
    unit = thrice(spread / 8)
    coded = np.clip(128 + rest / unit, 0, 255).astype(np.uint8)
    medians = side_by_side(*(partial(cv2.medianBlur, channel, window) for channel in cv2.split(coded)))
    middle = (cv2.merge(medians).astype(np.float32) - 128) * unit
    misfit = worst(np.abs(rest - middle))
    usual = _usual(misfit, usable, LIGHT_PX_PER_MM)
    inked = cv2.dilate((misfit > 3.5 * usual).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    return _local_mean(rest, _trust(misfit, usual, usable & ~inked))


def _mean_of_trusted(rest: Picture, trust: NDArray[np.float32], sigma_px: float) -> tuple[Picture, Picture]:
    """Gaussian mean (h, w, 3) of what is trusted, and how much of that there is (h, w, 3)."""
    step = max(1, int(sigma_px / 3))
    small = (max(rest.shape[1] // step, 1), max(rest.shape[0] // step, 1))
    parts = cv2.merge([*cv2.split(thrice(trust) * rest), trust])
    mean = cv2.GaussianBlur(cv2.resize(parts, small, interpolation=cv2.INTER_AREA), (0, 0), sigma_px / step)
    mean = _resized(mean, rest.shape)
    size = thrice(np.ascontiguousarray(mean[..., 3]))
    return mean[..., :3] / (size + 1e-3), size


def _middle(channels: Picture) -> NDArray[np.float32]:
    """The median (3,) of each channel (h, w, 3); over two axes at once numpy takes six times as long."""
    return np.array([np.median(np.ascontiguousarray(channels[..., k])) for k in range(3)], np.float32)


def _median(misfit: NDArray[np.float32], usable: NDArray[np.bool_]) -> float:
    """The median misfit of what is usable; of a part of it, for that says the same."""
    some = misfit[::3, ::2][usable[::3, ::2]]
    return float(np.median(some)) if some.size else 0.1


def _everywhere(misfit: NDArray[np.float32], print_: NDArray[np.bool_]) -> NDArray[np.float32]:
    """One sigma of the misfit over the whole board, as a map (h, w)."""
    return np.full(misfit.shape, 1.4826 * _median(misfit, print_) + 1e-4, np.float32)


def _things(
    lit: Picture,
    rest: Picture,
    gain: Picture,
    usable: NDArray[np.bool_],
    showing: NDArray[np.float32],
    shade: NDArray[np.float32],
) -> NDArray[np.bool_]:
    """Where something lies on the board (h, w): broad patches that are neither print, nor reflection, nor shadow.

    ``lit`` (h, w, 3) is the print in its light, ``showing`` (h, w) as in `_print_showing`, the rest as in `Lighting`.
    """
    misfit = worst(np.abs(rest))
    # Noise and what a lens gets wrong are about even in values: less light, less of them.
    tone = np.asarray(np.clip(weighed(lit, LUMA), 0.01, 1) ** (1 - 1 / GAMMA), np.float32)
    limit = 4 * _everywhere(misfit / tone, usable) * tone
    relative = worst(np.asarray(np.abs(rest) / at_least(lit, 0.02), np.float32))
    off = ((misfit > limit) & (relative > 0.3) & usable).astype(np.uint8)
    # Compared as whole colours, each channel weighed by its light: a lamp may leave one of them next to nothing.
    length = roots(dot3(rest, rest)) + np.float32(1e-6)
    reflection = dot3(rest, gain) > 0.9 * length * roots(dot3(gain, gain))
    lit2 = dot3(lit, lit) + np.float32(1e-6)
    passed = 1 + dot3(rest, lit) / lit2
    left = rest - thrice(passed - 1) * lit
    uneven = roots(dot3(left, left) / lit2)
    shadow = (passed > 0.3) & (passed < 1.05) & (uneven < 0.15 * passed + 0.05)
    strange = (off * ~(reflection | shadow)).astype(np.uint8)
    # A reflection takes contrast from the pattern, the more the brighter it is.
    hidden = ((showing < MIN_SHOWING / at_least(shade, 1)) & usable).astype(np.uint8)
    core = cv2.bitwise_or(
        cv2.morphologyEx(strange, cv2.MORPH_OPEN, _disc(WIDEST_INK_MM)),
        cv2.morphologyEx(hidden, cv2.MORPH_OPEN, _disc(5.0)),
    )
    core = cv2.morphologyEx(core, cv2.MORPH_CLOSE, _disc(20.0))
    # what touches the core and is off as well belongs to it: highlights, thin parts
    _, patches = cv2.connectedComponents(
        ((cv2.dilate(core, _disc(8.0)) > 0) & ((off > 0) | (core > 0))).astype(np.uint8)
    )
    mine = np.unique(patches[core > 0])
    whole = np.isin(patches, mine[mine > 0]).astype(np.uint8)
    return np.asarray(cv2.dilate(cv2.morphologyEx(whole, cv2.MORPH_CLOSE, _disc(4.0)), _disc(2.0)) > 0)


def _lines(seen: Picture, lit: Picture) -> NDArray[np.bool_]:
    """Where something dark is as thin as a marker's line (h, w): in the light's closer look it has no say.

    ``seen`` (h, w, 3) is the photo without its veil, ``lit`` the print in the broad light.  Where lines lie close
    together, as in donuts, they would be taken for the light, for there is more of them than of print.
    """
    passed = (at_least(seen, 0) + np.float32(0.02)) / (at_least(lit, 0) + np.float32(0.02))
    least = np.minimum(np.minimum(passed[..., 0], passed[..., 1]), passed[..., 2])
    around = cv2.morphologyEx(_soft(least, 0.5), cv2.MORPH_CLOSE, _disc(WIDEST_INK_MM))
    return np.asarray(least < LINE_DARKENS * at_most(around, 1))


def _print_showing(
    bright: NDArray[np.float32], usual: NDArray[np.float32], shade: NDArray[np.float32]
) -> NDArray[np.float32]:
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


def _soft(values: NDArray[np.float32], sigma_mm: float) -> NDArray[np.float32]:
    return np.asarray(cv2.GaussianBlur(values, (0, 0), sigma_mm * LIGHT_PX_PER_MM), np.float32)


def _disc(across_mm: float) -> NDArray[np.uint8]:
    return disc(across_mm, LIGHT_PX_PER_MM)


def disc(across_mm: float, px_per_mm: float) -> NDArray[np.uint8]:
    """A disc as wide as this on a grid of this scale, for morphology."""
    n = round(across_mm * px_per_mm) | 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (n, n)), np.uint8)


def _gain_and_veil(
    photo: Picture, clean: Picture, trust: NDArray[np.float32], wide_mm: float, narrow_mm: float
) -> tuple[Picture, Picture]:
    """Local regression of photo on print: gain over the wide window, veil over the narrow one (h, w, 3)."""
    w = thrice(trust)
    seen, print_ = w * photo, w * clean
    size = thrice(_mean(trust, wide_mm) + 1e-4)
    (q, square), (f, product) = both(
        lambda: (_mean(print_, wide_mm) / size, _mean(print_ * clean, wide_mm) / size),
        lambda: (_mean(seen, wide_mm) / size, _mean(print_ * photo, wide_mm) / size),
    )
    variance, covariance = square - q * q, product - q * f
    middling = _middle(variance)
    usual = _middle(covariance) / middling
    ridge = 0.1 * middling
    gain = np.maximum((covariance + ridge * usual) / (variance + ridge), 0.05 * np.abs(usual) + 1e-4)
    size = thrice(_mean(trust, narrow_mm) + 1e-3)
    gain = _resized(gain, photo.shape)
    veil, usual_print = both(
        lambda: _resized(_mean(seen - gain * print_, narrow_mm) / size, photo.shape),
        lambda: _resized(_mean(print_, narrow_mm) / size, photo.shape),
    )
    return _shadowed(gain, veil, usual_print)


def _shadowed(gain: Picture, veil: Picture, usual: Picture) -> tuple[Picture, Picture]:
    """Gain and veil (h, w, 3) of which the veil adds light only: what it took off, the gain now takes.

    A shadow takes its share of the light, and more from white lines than from the road.  ``usual`` (h, w, 3) is the
    print around each place.
    """
    # by OpenCV: numpy takes ten times as long to take three numbers off three channels
    least = at_most(_middle(veil[::4, ::4]), 0)
    lack = at_most(cv2.subtract(veil, (*least.tolist(), 0.0)), 0)
    # Dark print does not say how much less light there is.
    power = usual * usual
    taken = lack * (power / (power + np.float32(DIM_PRINT**2)))
    return np.maximum(gain + taken / at_least(usual, DIM_PRINT), 0.25 * gain), veil - taken


def _mean(values: NDArray[np.float32], sigma_mm: float) -> NDArray[np.float32]:
    """A Gaussian mean of a grid of `LIGHT_PX_PER_MM` (h, w[, 3]), on a grid as much coarser as the window is wide."""
    sigma = sigma_mm * LIGHT_PX_PER_MM
    step = min(max(int(sigma / 2), 1), 8)
    size = (values.shape[1] // step, values.shape[0] // step)
    small = cv2.resize(values, size, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(small, (0, 0), sigma / step, borderType=cv2.BORDER_REFLECT), np.float32)


def _usual(
    misfit: NDArray[np.float32], usable: NDArray[np.bool_], px_per_mm: float, lines: NDArray[np.bool_] | None = None
) -> NDArray[np.float32]:
    """One sigma of the misfit that is usual around each place (h, w): a wide median, never below the whole board's.

    ``lines`` are no print and count as what is usual: where they are dense the median would be theirs.
    """
    whole = _median(misfit, usable)
    top = 16 * whole + 1e-6
    if lines is not None:
        lines_and_rims = cv2.dilate(lines.view(np.uint8), np.ones((3, 3), np.uint8))
        misfit = cv2.copyTo(at_most(misfit, whole), lines_and_rims, misfit.copy())
    half = cv2.resize(at_most(misfit, top), None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    coded = (roots(half / np.float32(top)) * 255).astype(np.uint8)
    window = round(NEIGHBOURHOOD_MM * px_per_mm / 2) | 1
    local = (cv2.medianBlur(coded, window).astype(np.float32) / 255) ** 2 * top
    return at_least(1.4826 * _resized(local, misfit.shape), whole) + np.float32(1e-5)
