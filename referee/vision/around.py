"""The coarse look at a board: roughly where ink is, where something lies on the board, what is not to be seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from referee.hands import both, for_each, shares
from referee.model import Floats
from referee.vision.clean import LOOK_PX_PER_MM
from referee.vision.colours import (
    AT_ONCE,
    LUMA,
    Picture,
    PrintColours,
    at_least,
    at_most,
    roots,
    thrice,
    weighed,
    worst,
)
from referee.vision.ink_look import (
    CLEAR_CONTRAST,
    Bare,
    InkLook,
    coverage_of,
    ink_colour,
    learn_ink,
    may_be_inked,
    say_of,
)
from referee.vision.lighting import WHOLE, WIDEST_INK_MM, Box, Lighting, disc, relit, shaded
from referee.vision.opencv import cv2

FULL, DARK_PRINT = 0.975, 0.6
"""A channel this full, over print that reflects less than that in it, is filled by a reflection."""
CORRIDOR_MM = 20.0
"""Width of the strip along the course in which the ink's colour is learned."""
MOST_UNDECIDED = 0.33
"""Coverage is none or full but for noise; where it is this far (rms) from both, the place counts as not seen."""
MIN_CONTRAST, MIN_OF_ALIKE = 1.5, 2.5
"""On the road, a place where ink would differ from print by fewer sigmas than this counts as not seen.

It is to be more where the print is about as the ink is, for it is never quite in its place and colour.
"""
ALIKE = 0.4
"""Where ink would differ from print by less than this share of what is usual on the road, they are alike."""
RELIT = 2
"""So many times the light is fitted once more with the ink, where it was fitted badly."""
RIM_MM = 0.6
"""The rough look finds the ink's edge to about this much."""
ODD = 1.0
"""What is off the print by fewer sigmas looks like print."""
FAINT, DAZZLING, LINE_MM = 0.2, 3.0, 1.5
"""More than this coverage as broad as a line, in a reflection of so many sigmas, may be ink that it makes faint."""
HARDLY, VERY_ODD = 1.0, 3.0
"""Where ink would differ by fewer sigmas than the one, only what is off the print by more than the other is ink."""
WIDEST_WHITE_MM, STILL_SEEN = 4.0, 0.8
"""White print no wider than this is burnt out by itself; ink that sends back less light than this is seen there."""
SPECK_MM2 = 2.0
"""A smaller patch that differs from the print is noise: a marker leaves more."""
BRIGHTER = 1.4
"""So many times the board's usual light is a reflection."""
INK_VARIES = 0.2
"""Ink is darker here and lighter there by this share of its contrast."""
MIN_ODD = 0.2
"""Of a thing on the board at least this share looks neither like print nor like a line of ink."""
THINNEST_THING_MM = 8.0
"""What is thinner, and touches a thing, is ink."""
BUNDLE_MM2 = 250.0
"""Lines side by side may be broader than a line over less than this; a pen in the ink's colour covers more."""
ROWS_AT_ONCE, BLUR_REACH = 110, 4
"""So many rows of the grid are worked out at once; noise is taken off with no more rows than these around them."""
LEND = 0.05
"""The say of what is lent from around."""


@dataclass(frozen=True, eq=False)
class Around:
    """The coarse look (h, w): ``near`` where to look closely, ``unseen`` as in `Ink`, ``rough`` coverage.

    ``bare`` is the clean print, row by row, in the light as it is with the ink known, in its ``colours``.  ``burnt``
    bool where a reflection has filled a channel: what is there says nothing at all.  ``plain``: by how many sigmas ink
    would differ from the print, doubts about reflections left out.
    """

    bare: Bare
    colours: PrintColours
    ink: InkLook
    near: NDArray[np.bool_]
    unseen: NDArray[np.uint8]
    rough: NDArray[np.float32]
    burnt: NDArray[np.bool_]
    plain: NDArray[np.float32]


def look_around(lighting: Lighting, course: Sequence[Floats], pixel_mm: float) -> Around:
    """The ink's colour, roughly where it is, and what cannot be seen; a pixel of the photo spans ``pixel_mm``."""
    road = _strip_along(course, lighting.spread.shape)
    off, ink, inky, differs, inked, contrast = _learned(lighting, road)
    without = shaded(lighting, inked, inky, RIM_MM + pixel_mm, road)
    if without is not None:
        lighting = without
        off, ink, inky, differs, inked, contrast = _learned(lighting, road)
    for _ in range(RELIT):
        again = relit(lighting, inked, inky)
        if again is None:
            break
        lighting, box = again
        off[box] = _off_the_print(lighting, box)[1]
        inked[box], contrast[box] = _roughly(lighting, inky, off, differs, box)
    plain = differs / lighting.spread
    hardly = (contrast < HARDLY) & (off < VERY_ODD)

    def seen() -> tuple[NDArray[np.bool_], NDArray[np.float32], NDArray[np.bool_]]:
        things = _things_but_ink(lighting, inked, inky, differs)
        toward = _lent(np.clip(inked, -0.5, 1.5), contrast)
        return things, toward, _near(toward, (off > ODD) & ~hardly & ~things, RIM_MM + pixel_mm)

    def not_seen() -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        alike = differs < ALIKE * np.median(differs[road])
        return _drowned(inked, lighting, inky) | (road & _faint(plain, alike)), _filled(lighting, inky)

    (things, toward, near), (lost, burnt) = both(seen, not_seen)
    unseen = np.zeros(off.shape, np.uint8)
    unseen[lost | burnt | _half(toward, contrast, hardly, lighting)] = 1
    unseen[things] = 2
    return Around(Bare.of(lighting), lighting.colours, ink, near, unseen, toward, burnt, plain)


class _Learned(NamedTuple):
    """What one light shows of the ink: all but its look are (h, w), its colour over the print (h, w, 3)."""

    off: NDArray[np.float32]
    ink: InkLook
    inky: Picture
    differs: NDArray[np.float32]
    inked: NDArray[np.float32]
    contrast: NDArray[np.float32]


def _learned(lighting: Lighting, road: NDArray[np.bool_]) -> _Learned:
    """The ink's look and roughly where it is, in a light; it is learned on the ``road`` (h, w)."""
    soft, off = _off_the_print(lighting)
    there = may_be_inked(lighting, off, road)
    ink = learn_ink(lighting, off, there, ink_colour(lighting, soft, off, there))
    inky, differs = np.empty_like(lighting.clean), np.empty_like(off)

    def work_out(rows: slice) -> None:
        inky[rows] = ink.over(lighting.clean[rows], ink.shift[rows])
        differs[rows] = worst(np.abs(lighting.gain[rows] * (inky[rows] - lighting.clean[rows])))

    for_each(work_out, shares(len(off), ROWS_AT_ONCE))
    return _Learned(off, ink, inky, differs, *_roughly(lighting, inky, off, differs))


def _off_the_print(lighting: Lighting, box: Box = WHOLE) -> tuple[Picture, NDArray[np.float32]]:
    """The light's rest without its noise (h, w, 3), and by how many sigmas of it a place is off the print (h, w)."""
    rest, spread = lighting.rest[box], lighting.spread[box]
    soft, off = np.empty_like(rest), np.empty_like(spread)

    def work_out(rows: slice) -> None:
        first = max(0, rows.start - BLUR_REACH)
        part = cv2.GaussianBlur(rest[first : rows.stop + BLUR_REACH], (0, 0), 0.3 * LOOK_PX_PER_MM)
        soft[rows] = part[rows.start - first :][: rows.stop - rows.start]
        np.divide(worst(np.abs(soft[rows])), spread[rows], out=off[rows])

    for_each(work_out, shares(len(off), ROWS_AT_ONCE))
    return soft, off


def _roughly(
    lighting: Lighting, inky: Picture, off: NDArray[np.float32], differs: NDArray[np.float32], box: Box = WHOLE
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Coverage and contrast (h, w), worked out where print is not plain to see; there coverage is none."""
    contrast = differs[box] / lighting.spread[box]
    inked = np.zeros_like(contrast)
    rows, columns = np.nonzero((off[box] > ODD) | (contrast < CLEAR_CONTRAST))
    here = rows * contrast.shape[1] + columns
    places = (rows + (box[0].start or 0)) * off.shape[1] + columns + (box[1].start or 0)
    bare, seen, inks = Bare.of(lighting), lighting.photo.reshape(-1, 3), inky.reshape(-1, 3)

    def work_out(share: slice) -> None:
        some, at = places[share], here[share]
        covered = coverage_of(np.take(seen, some, 0), bare.at(some), np.take(inks, some, 0))
        inked.ravel()[at], contrast.ravel()[at] = covered

    for_each(work_out, shares(len(places), AT_ONCE))
    return inked, contrast


def _lent(inked: NDArray[np.float32], contrast: NDArray[np.float32]) -> NDArray[np.float32]:
    """Rough coverage (h, w) in which places with little to say have it from around them, from ever further off.

    Normalised convolution (H. Knutsson, C.-F. Westin, 1993) over three windows.
    """
    say = say_of(contrast)
    told = cv2.merge([say * inked, say])
    height, width = say.shape
    half = cv2.resize(told, (width // 2, height // 2), interpolation=cv2.INTER_AREA)
    far = cv2.resize(cv2.GaussianBlur(half, (0, 0), LOOK_PX_PER_MM), (width, height), interpolation=cv2.INTER_LINEAR)
    lent = far[..., 0] / (far[..., 1] + LEND)
    for sigma_mm in (0.8, 0.3):
        near = cv2.GaussianBlur(told, (0, 0), sigma_mm * LOOK_PX_PER_MM)
        lent = (near[..., 0] + LEND * lent) / (near[..., 1] + LEND)
    return np.asarray(lent)


def _near(rough: NDArray[np.float32], odd: NDArray[np.bool_], rim_mm: float) -> NDArray[np.bool_]:
    """Where to look closely (h, w): at patches of rough coverage that may be ink and ``rim_mm`` around them.

    Specks of noise do not count.
    """
    may_be = (rough > 0.25) & odd
    count, patch = cv2.connectedComponents(may_be.view(np.uint8))
    places = np.flatnonzero(may_be)
    number = np.take(patch, places)
    area, clear = np.bincount(number, minlength=count), np.bincount(number, np.take(rough, places) > 0.5, count)
    keep = (area >= SPECK_MM2 * LOOK_PX_PER_MM**2) & (clear >= SPECK_MM2 / 2 * LOOK_PX_PER_MM**2)
    kept = np.zeros(rough.shape, np.uint8)
    kept.ravel()[places] = np.take(keep, number)
    return np.asarray(cv2.dilate(kept, _disc(2 * rim_mm)) > 0)


def _strip_along(course: Sequence[Floats], shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """The strip along the course (h, w) that is road on every board."""
    road = np.zeros(shape, np.uint8)
    for piece in course:
        corners = np.round(piece * LOOK_PX_PER_MM).astype(np.int32)
        cv2.polylines(road, [corners], False, 1, round(CORRIDOR_MM * LOOK_PX_PER_MM))
    return np.asarray(road > 0)


def _things_but_ink(
    lighting: Lighting, inked: NDArray[np.float32], inky: Picture, differs: NDArray[np.float32]
) -> NDArray[np.bool_]:
    """The things on the board (h, w), without those that ink explains: a line along a white line hides it as well.

    ``inky`` (h, w, 3) is what ink would look like there, ``differs`` (h, w) by how much light that is off the print.
    """
    things = np.zeros(lighting.things.shape, np.bool_)
    if not lighting.things.any():
        return things
    count, patch, boxes, _ = cv2.connectedComponentsWithStats(lighting.things.view(np.uint8))
    usual = np.median(lighting.spread[::2, ::2])
    for number in range(1, count):
        x, y, w, h, area = boxes[number]
        box = (slice(y, y + h), slice(x, x + w))
        mine = patch[box] == number
        part = thrice(np.clip(inked[box], 0, 1))
        mixed = lighting.clean[box] + part * (inky[box] - lighting.clean[box])
        left = worst(np.abs(lighting.photo[box] - lighting.gain[box] * mixed - lighting.veil[box]))
        # In a reflection the fit is worse; under a hand it is too, but there that is what is looked for.
        doubt = np.where(lighting.shade[box] > BRIGHTER, lighting.spread[box], usual)
        strange = left > 4 * doubt + INK_VARIES * differs[box]
        broad = cv2.morphologyEx((inked[box] > 0.6).view(np.uint8), cv2.MORPH_OPEN, _disc(WIDEST_INK_MM)) > 0
        if (mine & broad).sum() < BUNDLE_MM2 * LOOK_PX_PER_MM**2:
            broad[:] = False
        if (mine & (strange | broad)).sum() > MIN_ODD * area:
            # A line of ink that touches a thing is none of it.
            body = cv2.morphologyEx(mine.view(np.uint8), cv2.MORPH_OPEN, _disc(THINNEST_THING_MM))
            things[box] |= mine & (cv2.dilate(body, _disc(6.0)) > 0)
    return things


def _drowned(inked: NDArray[np.float32], lighting: Lighting, inky: Picture) -> NDArray[np.bool_]:
    """Where ink is not told from print (h, w): burnt out, or coverage all over the place instead of none or full."""
    # Past full coverage is still ink: its contrast may be greater than the fitted light says.
    undecided = np.minimum(at_most(np.abs(inked), 1), at_least(1 - inked, 0))
    usual = roots(cv2.GaussianBlur(undecided**2, (0, 0), 1.5 * LOOK_PX_PER_MM))
    lost = ((usual > MOST_UNDECIDED) | (~lighting.usable & ~_white(lighting, inky))).astype(np.uint8)
    return np.asarray(cv2.morphologyEx(lost, cv2.MORPH_OPEN, _disc(1.5)) > 0)


def _white(lighting: Lighting, inky: Picture) -> NDArray[np.bool_]:
    """What is burnt out because it is white, as narrow as a white line (h, w): ink on it would be seen."""
    burnt = (~lighting.usable).view(np.uint8)
    narrow = np.flatnonzero(burnt - cv2.morphologyEx(burnt, cv2.MORPH_OPEN, _disc(WIDEST_WHITE_MM)))
    here = Bare.of(lighting).at(narrow)
    print_, ink = (
        weighed(here.gain * colour + here.veil, LUMA)
        for colour in (here.clean, np.take(inky.reshape(-1, 3), narrow, 0))
    )
    white = np.zeros(burnt.shape, np.bool_)
    white.ravel()[narrow] = (print_ > FULL - 0.1) & (ink < STILL_SEEN)
    return white


def _half(
    toward: NDArray[np.float32], contrast: NDArray[np.float32], hardly: NDArray[np.bool_], light_: Lighting
) -> NDArray[np.bool_]:
    """Where what may be ink shows as half a coverage or hardly at all (h, w), and contrast is too low to tell.

    In a reflection ink shows fainter than it is, however clearly it differs from the print.
    """
    half = ((toward > 0.3) & (toward <= 0.5) & (contrast < CLEAR_CONTRAST)) | (hardly & (toward > 0.5))
    faint = (toward > FAINT) & (toward <= 0.5) & (light_.glare > DAZZLING * light_.spread)
    half, faint = (
        cv2.morphologyEx(some.view(np.uint8), cv2.MORPH_OPEN, _disc(across_mm)) > 0
        for some, across_mm in ((half, 1.0), (faint, LINE_MM))
    )
    return np.asarray(half | faint)


def _filled(lighting: Lighting, inky: Picture) -> NDArray[np.bool_]:
    """Where a channel is full (h, w) that the print alone would not fill, and no other tells ink from print."""
    places = np.flatnonzero(worst(lighting.photo) > FULL)
    photo, clean, gain, ink = (
        np.take(v.reshape(-1, 3), places, 0) for v in (lighting.photo, lighting.clean, lighting.gain, inky)
    )
    full = photo > FULL
    told = np.abs(gain * (ink - clean)) > thrice(CLEAR_CONTRAST * np.take(lighting.spread, places))
    filled = np.zeros(lighting.spread.shape, np.uint8)
    filled.ravel()[places] = (full & (clean < DARK_PRINT)).any(1) & ~(told & ~full).any(1)
    return np.asarray(cv2.morphologyEx(filled, cv2.MORPH_OPEN, _disc(1.0)) > 0)


def _faint(contrast: NDArray[np.float32], alike: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Where ink would hardly differ from the print (h, w), by itself or for the light that falls there.

    As it is, not softened: a narrow line in the ink's own colour is faint however bold the road is on both its sides.
    """
    faint = contrast < np.where(alike, MIN_OF_ALIKE, MIN_CONTRAST)
    return np.asarray(cv2.morphologyEx(faint.view(np.uint8), cv2.MORPH_OPEN, _disc(1.0)) > 0)


def _disc(across_mm: float) -> NDArray[np.uint8]:
    return disc(across_mm, LOOK_PX_PER_MM)
