"""What ink looks like: the marker's colour over every print, learned from the picture, and how far a pixel is inked.

Under ink a pixel's light lies on the way from the clean print's to the ink's; how far along is its coverage.  The
brightness decides where ink and print differ in it, for cameras blur colour more than brightness; colour decides
where they do not.  Brightness is compared in linear light, where blur keeps an edge's middle in its place; colour in
values, where cameras blur it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from referee.errors import NoInk
from referee.vision.clean import LOOK_PX_PER_MM
from referee.vision.colours import LUMA, ONES, Picture, at_least, at_most, dot3, mixed, roots, thrice, weighed
from referee.vision.lighting import DEEPEST, WIDEST_INK_MM, Lighting, disc, shade_of
from referee.vision.opencv import cv2
from referee.words import say

DARKENS = 0.5
"""Real ink takes at least this share of the light of one channel off a bright print; a ghost takes less."""
BRIGHT = 0.08
"""Print is bright in a channel that reflects this much: of less, a little light badly fitted takes half as well."""
MIN_INK_MM2 = 20.0
"""Less ink than this on the road is no race."""
CLEAR_CONTRAST = 5.0
"""With this many sigmas between ink and print a pixel speaks for itself; with fewer its neighbours join in."""
USUAL_THROUGH = 0.1
"""The share of the print's light that shows through ink."""
SHIFT_WINDOW_MM = 8.0
"""One sigma of the window in which ink tells how ink looks there."""
COLOUR_SAY = 0.15
"""What colour, which cameras blur, counts for against brightness of the same contrast, if that tells enough."""
TELLING = 4.0
"""Squared sigmas of brightness from which on it tells enough by itself."""
VEIL_DOUBT = 0.3
"""A reflection's brightness varies by this share of itself within millimetres."""
KNEE = 0.8
"""Light up to which a camera shows what there is."""
SHOULDER = 0.6
SHOULDER_DOUBT, SHADE_DOUBT = 0.5, 0.15
"""Light brighter than `SHOULDER` a camera holds back, by up to this share of what is above it; a colour by less."""


@dataclass(frozen=True, eq=False)
class InkLook:
    """The marker's colour freed of light, over a print of light q at a place: base + through x q + shift there.

    ``base``, ``through`` (3,): ink covers, but not wholly; ``shift`` (h, w, 3) is what the light, fitted to print,
    gets wrong about ink there.
    """

    base: NDArray[np.float32]
    through: NDArray[np.float32]
    shift: Picture

    def over(self, clean: Picture, shift: Picture) -> Picture:
        """The ink's colour (..., 3) over a print (..., 3)."""
        colour = mixed(clean, np.column_stack([np.diag(self.through), self.base]))
        colour += shift
        return colour


@dataclass(frozen=True, eq=False)
class Bare:
    """What the clean print looks like at some places (...): light, gain, veil, spread and glare as in `Lighting`."""

    clean: Picture
    gain: Picture
    veil: Picture
    spread: NDArray[np.float32]
    glare: NDArray[np.float32]

    @staticmethod
    def of(lighting: Lighting) -> Bare:
        """The whole of a grid, row by row (h x w)."""
        parts = (lighting.clean, lighting.gain, lighting.veil, lighting.spread, lighting.glare)
        return Bare(*(part.reshape(-1, *part.shape[2:]) for part in parts))

    def at(self, places: NDArray[np.intp]) -> Bare:
        """The same at some of its places."""
        return Bare(*(np.take(part, places, 0) for part in (self.clean, self.gain, self.veil, self.spread, self.glare)))


def ink_colour(
    lighting: Lighting, soft: Picture, off: NDArray[np.float32], road: NDArray[np.bool_]
) -> NDArray[np.float32]:
    """The ink's colour (3,) freed of light: the densest among what is far darker than the print on the road.

    ``soft`` (h, w, 3) is the light's rest without its noise, ``off`` (h, w) its size in sigmas, ``road`` (h, w) as
    `may_be_inked` has it.  Raises `NoInk` if there is too little of it.
    """
    some = np.flatnonzero(road & (off > 3))
    clean, gain, rest, noisy = (
        np.take(v.reshape(-1, 3), some, 0) for v in (lighting.clean, lighting.gain, soft, lighting.rest)
    )
    seen = clean + rest / gain
    passed = (np.maximum(seen, 0) + 0.01) / (np.maximum(clean, 0) + 0.02)
    strong = ((passed < DARKENS) & (clean > BRIGHT)).any(1)
    shade = shade_of(gain * seen, gain * clean, lighting.spread.ravel()[some])
    no_shadow = strong & ~(shade.even & (shade.passed > DEEPEST))
    if no_shadow.sum() >= MIN_INK_MM2 * LOOK_PX_PER_MM**2:
        strong = no_shadow
    if strong.sum() < MIN_INK_MM2 * LOOK_PX_PER_MM**2:
        raise NoInk(say("fault.no-ink"), say("cure.before-wiped"))
    return _mode((clean + noisy / gain)[strong])


def may_be_inked(lighting: Lighting, off: NDArray[np.float32], road: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The part of the road (h, w) on which ink can be learned: not where it is burnt out, nor on things.

    Only things that are broader than a line count: a line along a printed one hides it, as things do.
    """
    if not lighting.things.any():
        return road & lighting.usable
    broad = cv2.morphologyEx((off > 2).view(np.uint8), cv2.MORPH_OPEN, disc(WIDEST_INK_MM, LOOK_PX_PER_MM)) > 0
    return np.asarray(road & lighting.usable & ~(lighting.things & broad))


def learn_ink(
    lighting: Lighting, off: NDArray[np.float32], road: NDArray[np.bool_], colour: NDArray[np.float32]
) -> InkLook:
    """How ink looks over every print, learned where it is sure: from its ``colour`` (3,) on; ``road`` as before.

    First how much of the print shows through, by least squares over prints of different colour, held towards
    `USUAL_THROUGH`; then, from the ink around each place, what the fitted light gets wrong about ink there.
    """
    places = np.flatnonzero(road & (off > 2))
    some = Bare.of(lighting).at(places)
    seen = np.take(lighting.photo.reshape(-1, 3), places, 0)
    shade = shade_of(seen - some.veil, some.gain * some.clean, some.spread)
    lit = shade.even & (shade.passed > DEEPEST)
    if (~lit).sum() >= MIN_INK_MM2 * LOOK_PX_PER_MM**2:
        places, seen, some = places[~lit], seen[~lit], some.at(np.flatnonzero(~lit))
    free = (seen - some.veil) / some.gain
    nowhere = np.zeros((1, 3), np.float32)
    core = _core(*coverage_of(seen, some, colour), places, off.shape)
    if not core.any():
        return InkLook(colour, np.zeros(3, np.float32), np.zeros_like(lighting.clean))
    q, r = some.clean[core], free[core]
    q_mean, r_mean = q.mean(0), r.mean(0)
    hold = 0.001 * len(q) + 1
    through = (((q - q_mean) * (r - r_mean)).sum(0) + hold * USUAL_THROUGH) / (((q - q_mean) ** 2).sum(0) + hold)
    through = np.clip(through, 0, 0.8).astype(np.float32)
    look = InkLook((r_mean - through * q_mean).astype(np.float32), through, nowhere)
    plain = look.over(some.clean, nowhere)
    core = _core(*coverage_of(seen, some, plain), places, off.shape)
    return replace(look, shift=_shift((free - plain)[core], places[core], off.shape))


def _shift(wrong: Picture, places: NDArray[np.intp], shape: tuple[int, ...]) -> Picture:
    """What is wrong at some places (N, 3), as the mean of what is around every place (h, w, 3)."""
    step = 4
    rows, columns = np.divmod(places, shape[1])
    height, width = -(-shape[0] // step), -(-shape[1] // step)
    cell = rows // step * width + columns // step
    said = [np.bincount(cell, wrong[:, k], height * width) for k in range(3)]
    said = [*said, np.bincount(cell, minlength=height * width)]
    sums = np.stack(said, -1).reshape(height, width, 4).astype(np.float32) / step**2
    mean = cv2.GaussianBlur(sums, (0, 0), SHIFT_WINDOW_MM * LOOK_PX_PER_MM / step)
    shift = mean[..., :3] / (mean[..., 3:] + 0.02)
    full = cv2.resize(shift, (width * step, height * step), interpolation=cv2.INTER_LINEAR)
    return np.ascontiguousarray(full[: shape[0], : shape[1]], np.float32)


def _core(
    inked: NDArray[np.float32], contrast: NDArray[np.float32], places: NDArray[np.intp], shape: tuple[int, ...]
) -> NDArray[np.bool_]:
    """Which places (N,) of this coverage and contrast are sure to be ink: the middle of lines that stand out."""
    sure = np.zeros(shape, np.uint8)
    sure.ravel()[places] = (inked > 0.6) & (inked < 1.6) & (contrast > 3)
    return np.asarray(cv2.erode(sure, np.ones((3, 3), np.uint8)).ravel()[places] > 0)


def _mode(colours: Picture) -> NDArray[np.float32]:
    """The densest place among colours (N, 3), by mean shift (K. Fukunaga, L. Hostetler, 1975)."""
    some = np.ascontiguousarray(colours[:: len(colours) // 1500 + 1].T)
    centre, third = np.median(some, 1), 0.3 * (some.shape[1] - 1)
    around = [int(third), min(int(third) + 1, some.shape[1] - 1)]
    for _ in range(10):
        away = some - centre[:, None]
        distance = np.sqrt((away * away).sum(0))
        reach = float(np.interp(third, around, np.partition(distance, around)[around]))
        weight = np.exp(-((distance / max(0.05, reach)) ** 2))
        centre = (some * weight).sum(1) / weight.sum()
    return np.asarray(centre, np.float32)


def held_back(light_: Picture) -> Picture:
    """Light as a camera shows it, which never shows more than white: bent towards 1 from `KNEE` on."""
    if not light_.size or light_.max() <= KNEE:
        return light_
    over = at_least(light_ - np.float32(KNEE), 0)
    return np.asarray(at_most(light_, KNEE) + (1 - KNEE) * (1 - np.exp(-over / (1 - KNEE))), np.float32)


def coverage_of(seen: Picture, bare: Bare, colour: Picture) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """How far (...,) light ``seen`` (..., 3) has gone from clean print to ink, and the contrast (...,) in sigmas.

    0 is print, 1 ink.  A reflection adds light of its own: where there is glare, brightness says less, and colour is
    compared only across the direction in which more or less veil would move it.
    """
    print_, ink = held_back(bare.gain * bare.clean + bare.veil), held_back(bare.gain * colour + bare.veil)
    bright_way = weighed(ink - print_, LUMA)
    noise = bare.spread**2
    dazzle = at_least(weighed(print_, LUMA) - np.float32(SHOULDER), 0) ** 2
    bright_say = 1 / (noise + (VEIL_DOUBT * bare.glare) ** 2 + SHOULDER_DOUBT**2 * dazzle)
    top = bright_say * bright_way * weighed(seen - print_, LUMA)
    bottom = bright_say * bright_way**2
    # Values are about the square root of light, and a root is forty times as fast as the power 1 / 2.2.
    seen_values, print_values, ink_values = (roots(np.clip(v, 1e-4, 1.2)) for v in (seen, print_, ink))
    slope = np.float32(0.5) / at_least(print_values, 0.14)
    veil_way = slope * thrice(1 / np.sqrt(dot3(slope, slope)))
    way = ink_values - print_values
    way = way - thrice(dot3(way, veil_way)) * veil_way
    colour_say = (3 / weighed(slope, ONES)) ** 2 / (noise + SHADE_DOUBT**2 * dazzle)
    bold = colour_say * dot3(way, way)
    contrast = bottom + bold
    # Where brightness tells little, colour has its whole say.
    heard = COLOUR_SAY + (1 - COLOUR_SAY) * (TELLING / (TELLING + bottom)) ** 2
    # What is darker than ink in a reflection does not reflect as print does, and has not its colour: dry ink is matt.
    matt = np.clip(weighed(ink - seen, LUMA) / bare.spread / CLEAR_CONTRAST, 0, 1)
    darker = (bare.glare > bare.spread) & (bright_way < -bare.spread)
    heard *= 1 - matt * darker
    top += heard * colour_say * dot3(seen_values - print_values, way)
    bottom += heard * bold
    return np.asarray(top / (bottom + 1e-6), np.float32), np.asarray(np.sqrt(contrast), np.float32)


def say_of(contrast: NDArray[np.float32]) -> NDArray[np.float32]:
    """What a place with this contrast has to say about its own coverage, 0 to 1."""
    return np.asarray(contrast**2 / (contrast**2 + CLEAR_CONTRAST**2))
