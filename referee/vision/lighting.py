"""How this picture shows this print: the room's light, the veil of reflections, and the printer's colours.

Where the board is clean, photo = gain x colour(print) + veil, in linear light: gain and veil vary slowly over the
board, the colour map is one for the whole board.  The three are fitted in turn, by least squares re-weighted so that
ink, hands and glare, which are no print, lose their say (Geman and McClure, 1987).  Gain and veil are local linear
regressions over Gaussian windows (the guided filter of K. He, J. Sun, X. Tang, 2013).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from referee.vision.clean import LIGHT_STEP, LOOK_PX_PER_MM, CleanPrint
from referee.vision.colours import LUMA, Picture, PrintColours, at_least, dot3, thrice, weighed, worst
from referee.vision.fitting import (
    FINE_WINDOW_MM,
    Box,
    Planes,
    box_around,
    disc,
    fit_coarsely,
    glare_of,
    halved,
    local_mean,
    trust_in,
    usual_around,
    worst_of,
)
from referee.vision.opencv import cv2

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
BADLY = 1.6
LIT_MORE = 1.2
"""Where the usual misfit is so many times that of most of the board, and light so much more, it is fitted once more."""


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
    coarse = np.ascontiguousarray(print_.coarser(photo).transpose(2, 0, 1))
    fit = fit_coarsely(coarse, print_.coarser(usable), print_, halved(weighed(photo, LUMA)))
    gain, veil = (_resized(cv2.merge(list(part)), photo.shape) for part in (fit.gain, fit.veil))
    things = _resized(fit.things.astype(np.float32), photo.shape) > 0.5
    clean = print_.look.printed(fit.colours)
    rest = gain * clean
    rest += veil
    np.subtract(photo, rest, out=rest)
    lines = _resized(fit.lines.astype(np.float32), photo.shape) > 0
    spread = _usual(rest, usable & ~things, lines)
    glare = _resized(glare_of(fit.veil, _resized(spread, fit.shade.shape)), photo.shape)
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
    box = box_around(badly & ink_around, LOOK_PX_PER_MM)
    if box is None:
        return None
    spread, print_ = light_.spread[box], (light_.usable & ~light_.things)[box]
    colour = np.where((inked[box] > 0.5)[..., None], inky[box], light_.clean[box])
    rest = light_.photo[box] - light_.gain[box] * colour - light_.veil[box]
    doubt, seen = (np.ascontiguousarray(v[::LIGHT_STEP, ::LIGHT_STEP]) for v in (spread, print_))
    some: Planes = np.ascontiguousarray(rest[::LIGHT_STEP, ::LIGHT_STEP].transpose(2, 0, 1))
    mean = np.zeros_like(some)
    for limit in (doubt, np.sqrt(doubt * usual), np.full_like(doubt, usual)):
        mean = local_mean(some, trust_in(worst_of(some - mean), limit, seen))
    change = _resized(cv2.merge(list(mean)), rest.shape) * thrice(np.clip(spread / usual - 1, 0, 1))
    veil, whole, new_spread, glare = (v.copy() for v in (light_.veil, light_.rest, light_.spread, light_.glare))
    veil[box] += change
    whole[box] -= change
    new_spread[box] = np.clip(_usual(rest - change, print_), usual, spread)
    most = np.median(weighed(np.ascontiguousarray(veil[::4, ::4]), LUMA))
    glare[box] = at_least(weighed(veil[box], LUMA) - most - new_spread[box], 0)
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
    power = dot3(print_, print_) + 1e-6
    passed = dot3(light_, print_) / power
    rest = light_ - thrice(passed) * print_
    left = np.sqrt(dot3(rest, rest))
    return Shade(passed, left, left < EVENLY * np.clip(passed, 0, 1) * np.sqrt(power) + 0.5 * spread)


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
    odd = (np.abs(dot3(light_.rest, print_)) > SHADE * power) | (inked > 1 - NEARLY)
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
    spread, glare, lightness, covered, usable, things = (
        np.take(v, places) for v in (light_.spread, light_.glare, light_.shade, inked, light_.usable, light_.things)
    )
    seen = photo - veil
    shade = shade_of(seen, gain * clean, spread)
    as_ink = seen - gain * (clean + thrice(np.clip(covered, 0, 1)) * (ink - clean))
    # What is brighter than print is either a thing or lit: white paper on the road is no light.
    most = 2 - things.astype(np.float32)
    plain = usable & (glare < spread) & (lightness < LIT_MORE)
    may_be = shade.even & plain & (shade.passed > DEEPEST) & (shade.passed < most)
    by_colour = shade.left + 2 * spread < np.sqrt(dot3(as_ink, as_ink))
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


def _usual(rest: Picture, usable: NDArray[np.bool_], lines: NDArray[np.bool_] | None = None) -> NDArray[np.float32]:
    """One sigma of the rest (h, w, 3) that is usual around each place (h, w), told from one place a cell."""
    cells = (slice(None, None, LIGHT_STEP),) * 2
    there, thin = (np.ascontiguousarray(v[cells]) if v is not None else None for v in (usable, lines))
    return _resized(usual_around(worst(np.abs(rest[cells])), there, thin), rest.shape)


def _resized(values: Picture, shape: tuple[int, ...]) -> Picture:
    """Values of one grid (h, w[, 3]) on another (H, W[, 3]), linear between."""
    return np.asarray(cv2.resize(values, (shape[1], shape[0]), interpolation=cv2.INTER_LINEAR), np.float32)
