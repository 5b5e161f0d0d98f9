"""Segment: tell the marker's ink from the known print, and say where neither can be seen.

Under ink a pixel's light lies on the way from the clean print's to the ink's; how far along is its coverage.  The
brightness decides where ink and print differ in it, for cameras blur colour more than brightness; colour decides
where they do not.  Brightness is compared in linear light, where blur keeps an edge's middle in its place; colour in
values, where cameras blur it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from referee.errors import NoInk
from referee.model import BoardView, Floats, Ink, UnseenArea, UnseenWhy
from referee.vision.clean import INK_PX_PER_MM, LOOK_PX_PER_MM, CleanPrint
from referee.vision.colours import Picture, light
from referee.vision.flatten import Glance, PhotoMap
from referee.vision.lighting import LUMA, WIDEST_INK_MM, Box, Lighting, disc, dot3, fit_lighting, relit, worst
from referee.vision.opencv import cv2

WHOLE: Box = (slice(None), slice(None))
BURNT = 250
"""A value from which a channel may be burnt out."""
FULL, DARK_PRINT = 0.975, 0.6
"""A channel this full, over print that reflects less than that in it, is filled by a reflection."""
CORRIDOR_MM = 20.0
"""Width of the strip along the course in which the ink's colour is learned."""
DARKENS = 0.5
"""Real ink takes at least this share of the light of one channel off a bright print; a ghost takes less."""
MIN_INK_MM2 = 20.0
"""Less ink than this on the road is no race."""
MOST_UNDECIDED = 0.33
"""Coverage is none or full but for noise; where it is this far (rms) from both, the place counts as not seen."""
MIN_CONTRAST = 1.0
"""On the road, a place where ink would differ from print by fewer sigmas than this counts as not seen."""
CLEAR_CONTRAST = 5.0
"""With this many sigmas between ink and print a pixel speaks for itself; with fewer its neighbours join in."""
AT_ONCE = 16000
"""Places of the close look that are worked out at once."""
RELIT = 2
"""So many times the light is fitted once more with the ink, where it was fitted badly."""
RIM_MM = 0.6
"""The rough look finds the ink's edge to about this much."""
ODD = 1.0
"""What is off the print by fewer sigmas looks like print."""
SPECK_MM2 = 2.0
"""A smaller patch that differs from the print is noise: a marker leaves more."""
THINNEST_INK_MM = 0.8
"""A line thinner than this was not drawn with a marker."""
THREAD = 0.55
"""Nor is one thinner than this share of the pen's usual width."""
FAT_MM = 4.8
"""Ink at a thing's rim that is broader than this is a part of the thing."""
CRUMB_MM2 = 25.0
"""A patch of ink at a thing's rim is taken for a part of the thing if it is smaller than this."""
MIN_SAY = 0.12
PHANTOM_MM2 = 60.0
"""A patch smaller than this whose places have less than `MIN_SAY` to say, on average, is no ink."""
BRIGHTER = 1.4
"""So many times the board's usual light is a reflection."""
INK_VARIES = 0.2
"""Ink is darker here and lighter there by this share of its contrast."""
MIN_ODD = 0.2
"""Of a thing on the board at least this share looks neither like print nor like a line of ink."""
STEEP = 1.0
SLIT_MM = 0.6
"""Where the print's light changes by more than `STEEP` a mm, slits in the ink narrower than this are closed."""
EDGE_DOUBT_MM = 0.04
EDGE_DOUBT_PX = 0.4
"""A printed edge may be seen this far off: registration, and how the camera sharpens."""
RAGGED_MM = 0.075
"""One sigma of how far a marker's ragged edge lies from the line it drew."""
USUAL_THROUGH = 0.1
"""The share of the print's light that shows through ink."""
SHIFT_WINDOW_MM = 8.0
"""One sigma of the window in which ink tells how ink looks there."""
LEND = 0.05
"""The say of what is lent from around."""
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
        colour = self.through * clean
        colour += self.base
        colour += shift
        return colour


@dataclass(frozen=True, eq=False)
class Around:
    """The coarse look (h, w): ``near`` where to look closely, ``unseen`` as in `Ink`, ``rough`` coverage.

    ``burnt`` bool where a reflection has filled a channel: what is there says nothing at all.  ``plain``: by how many
    sigmas ink would differ from the print, doubts about reflections left out.
    """

    light: Lighting
    ink: InkLook
    near: NDArray[np.bool_]
    unseen: NDArray[np.uint8]
    rough: NDArray[np.float32]
    burnt: NDArray[np.bool_]
    plain: NDArray[np.float32]


def segment(
    photo_bgr: NDArray[np.uint8],
    glance: Glance,
    view: BoardView,
    clean: CleanPrint,
    course: Sequence[Floats],
    sigma_mm: Floats,
) -> Ink:
    """The ink on a board, of which ``glance`` shows less of the photo.

    ``view`` has its bend field, whose one sigma ``sigma_mm`` (rows, columns) has nodes spread from rim to rim;
    ``course`` (N, 2) lines in mm say where ink is expected.  Raises `NoInk`.
    """
    lighting = _lighting(glance, view, clean)
    pixel_mm = 1 / view.scale_px_per_mm()
    around = look_around(lighting, course, pixel_mm)
    coverage = look_closely(photo_bgr, view, clean, around.light, around)
    unseen = np.asarray(cv2.resize(around.unseen, coverage.shape[::-1], interpolation=cv2.INTER_NEAREST), np.uint8)
    burnt = cv2.resize(around.burnt.astype(np.uint8), coverage.shape[::-1], interpolation=cv2.INTER_NEAREST) > 0
    unseen[(unseen == 1) & (coverage > 127) & ~burnt] = 0
    unseen[_crumbs(coverage, unseen)] = 2
    sigma = _edge_sigma(view, around, sigma_mm)
    return Ink(coverage, unseen, INK_PX_PER_MM, sigma, _areas(around.unseen))


def _crumbs(coverage: NDArray[np.uint8], unseen: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Small or fat patches of ink at the rim of a thing on the board (H, W): they are its dark ends, not a line."""
    covered = np.asarray(unseen == 2, np.bool_)
    if not covered.any():
        return covered
    count, patch_of_ink, stats, _ = cv2.connectedComponentsWithStats(((coverage > 127) & ~covered).astype(np.uint8))
    rim = cv2.dilate(covered.astype(np.uint8), _fine_disc(3.0)) > 0
    touching = np.zeros(count, np.bool_)
    touching[np.unique(patch_of_ink[rim])] = True
    small = touching & (stats[:, cv2.CC_STAT_AREA] < CRUMB_MM2 * INK_PX_PER_MM**2)
    small[0] = False
    fat = cv2.morphologyEx((coverage > 127).astype(np.uint8), cv2.MORPH_OPEN, _fine_disc(FAT_MM))
    count, patch = cv2.connectedComponents(cv2.dilate(fat, _fine_disc(2.0)) & (coverage > 127))
    bulky = np.zeros(count, np.bool_)
    # A thing's bright parts pass for glare, so its dark end may be parted from it by some.
    bulky[np.unique(patch[cv2.dilate((unseen > 0).astype(np.uint8), _fine_disc(3.0)) > 0])] = True
    bulky[0] = False
    return np.asarray(small[patch_of_ink] | bulky[patch])


def _lighting(glance: Glance, view: BoardView, clean: CleanPrint) -> Lighting:
    """The board's light at `LOOK_PX_PER_MM`."""
    x, y = glance.places(view, LOOK_PX_PER_MM)
    # One of the coarse grid's pixels spans so many of the glance's: averaged, lest fine patterns alias.
    across = round(view.scale_px_per_mm() / glance.span / LOOK_PX_PER_MM) | 1
    soft = cv2.blur(glance.bgr, (across, across))
    seen = np.asarray(cv2.remap(soft, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT), np.uint8)
    height, width = glance.bgr.shape[:2]
    darkest = np.minimum(np.minimum(seen[..., 0], seen[..., 1]), seen[..., 2])
    usable = (x > 0) & (y > 0) & (x < width - 1) & (y < height - 1) & (darkest < BURNT)
    return fit_lighting(light(np.ascontiguousarray(seen[..., ::-1])), usable, clean)


# ------------------------------------------------------------------------------------------ the coarse look


def look_around(lighting: Lighting, course: Sequence[Floats], pixel_mm: float) -> Around:
    """The ink's colour, roughly where it is, and what cannot be seen; a pixel of the photo spans ``pixel_mm``."""
    soft, off = _off_the_print(lighting)
    road = _strip_along(course, off.shape)
    ink = learn_ink(lighting, off, road, ink_colour(lighting, soft, off, road))
    inky = ink.over(lighting.clean, ink.shift)
    differs = worst(np.abs(lighting.gain * (inky - lighting.clean)))
    inked, contrast = _roughly(lighting, inky, off, differs)
    for _ in range(RELIT):
        again = relit(lighting, inked, inky)
        if again is None:
            break
        lighting, box = again
        off[box] = _off_the_print(lighting, box)[1]
        inked[box], contrast[box] = _roughly(lighting, inky, off, differs, box)
    plain = differs / lighting.spread
    things = _things_but_ink(lighting, inked, inky, differs)
    toward = _lent(np.clip(inked, -0.5, 1.5), contrast)
    near = _near(toward, (off > ODD) & ~things, RIM_MM + pixel_mm)
    unseen = np.zeros(off.shape, np.uint8)
    unseen[_drowned(inked, lighting) | (road & _faint(plain))] = 1
    burnt = _filled(lighting)
    unseen[burnt] = 1
    unseen[things] = 2
    return Around(lighting, ink, near, unseen, toward, burnt, plain)


def _off_the_print(lighting: Lighting, box: Box = WHOLE) -> tuple[Picture, NDArray[np.float32]]:
    """The light's rest without its noise (h, w, 3), and by how many sigmas of it a place is off the print (h, w)."""
    soft = np.asarray(cv2.GaussianBlur(lighting.rest[box], (0, 0), 0.3 * LOOK_PX_PER_MM), np.float32)
    return soft, worst(np.abs(soft)) / lighting.spread[box]


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
    for k in range(0, len(places), AT_ONCE):
        some, at = places[k : k + AT_ONCE], here[k : k + AT_ONCE]
        inked.ravel()[at], contrast.ravel()[at] = coverage_of(seen[some], bare.at(some), inks[some])
    return inked, contrast


def _near(rough: NDArray[np.float32], odd: NDArray[np.bool_], rim_mm: float) -> NDArray[np.bool_]:
    """Where to look closely (h, w): at patches of rough coverage that may be ink and ``rim_mm`` around them.

    Specks of noise do not count.
    """
    may_be = ((rough > 0.25) & odd).astype(np.uint8)
    count, patch, stats, _ = cv2.connectedComponentsWithStats(may_be)
    clear = np.bincount(patch.ravel(), ((rough > 0.5) & odd).ravel(), count)
    keep = (stats[:, cv2.CC_STAT_AREA] >= SPECK_MM2 * LOOK_PX_PER_MM**2) & (clear >= SPECK_MM2 / 2 * LOOK_PX_PER_MM**2)
    keep[0] = False
    return cv2.dilate(np.take(keep, patch).view(np.uint8), _disc(2 * rim_mm)) > 0


def _strip_along(course: Sequence[Floats], shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """The strip along the course (h, w) that is road on every board."""
    road = np.zeros(shape, np.uint8)
    for piece in course:
        corners = np.round(piece * LOOK_PX_PER_MM).astype(np.int32)
        cv2.polylines(road, [corners], False, 1, round(CORRIDOR_MM * LOOK_PX_PER_MM))
    return np.asarray(road > 0)


def ink_colour(
    lighting: Lighting, soft: Picture, off: NDArray[np.float32], road: NDArray[np.bool_]
) -> NDArray[np.float32]:
    """The ink's colour (3,) freed of light: the densest among what is far darker than the print on the road.

    ``soft`` (h, w, 3) is the light's rest without its noise, ``off`` (h, w) its size in sigmas.  Raises `NoInk` if
    there is too little of it.
    """
    some = np.flatnonzero(road & (off > 3) & lighting.usable & ~lighting.things)
    clean, gain, rest, noisy = (v.reshape(-1, 3)[some] for v in (lighting.clean, lighting.gain, soft, lighting.rest))
    seen = clean + rest / gain
    passed = ((np.maximum(seen, 0) + 0.01) / (np.maximum(clean, 0) + 0.02)).min(1)
    strong = (passed < DARKENS) & (clean.max(1) > 0.08)
    if strong.sum() < MIN_INK_MM2 * LOOK_PX_PER_MM**2:
        raise NoInk(
            "The board is there, but no marker line is on its road.",
            "Photograph the board after the race, before it is wiped.",
        )
    return _mode((clean + noisy / gain)[strong])


def learn_ink(
    lighting: Lighting, off: NDArray[np.float32], road: NDArray[np.bool_], colour: NDArray[np.float32]
) -> InkLook:
    """How ink looks over every print, learned on the ``road`` (h, w) where it is sure: from its ``colour`` (3,) on.

    First how much of the print shows through, by least squares over prints of different colour, held towards
    `USUAL_THROUGH`; then, from the ink around each place, what the fitted light gets wrong about ink there.
    """
    places = np.flatnonzero(road & (off > 2) & lighting.usable & ~lighting.things)
    some = Bare.of(lighting).at(places)
    seen = lighting.photo.reshape(-1, 3)[places]
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
    some = colours[:: len(colours) // 1500 + 1]
    centre = np.median(some, 0)
    for _ in range(10):
        distance = np.sqrt(((some - centre) ** 2).sum(1))
        weight = np.exp(-((distance / max(0.05, float(np.percentile(distance, 30)))) ** 2))
        centre = (some * weight[:, None]).sum(0) / weight.sum()
    return np.asarray(centre, np.float32)


def _things_but_ink(
    lighting: Lighting, inked: NDArray[np.float32], inky: Picture, differs: NDArray[np.float32]
) -> NDArray[np.bool_]:
    """The things on the board (h, w), without those that ink explains: a line along a white line hides it as well.

    ``inky`` (h, w, 3) is what ink would look like there, ``differs`` (h, w) by how much light that is off the print.
    """
    count, patch, boxes, _ = cv2.connectedComponentsWithStats(lighting.things.view(np.uint8))
    things = np.zeros(lighting.things.shape, np.bool_)
    usual = np.median(lighting.spread[::2, ::2])
    for number in range(1, count):
        x, y, w, h, area = boxes[number]
        box = (slice(y, y + h), slice(x, x + w))
        mine = patch[box] == number
        part = np.clip(inked[box], 0, 1)[..., None]
        mixed = lighting.clean[box] + part * (inky[box] - lighting.clean[box])
        left = worst(np.abs(lighting.photo[box] - lighting.gain[box] * mixed - lighting.veil[box]))
        # In a reflection the fit is worse; under a hand it is too, but there that is what is looked for.
        doubt = np.where(lighting.shade[box] > BRIGHTER, lighting.spread[box], usual)
        strange = left > 4 * doubt + INK_VARIES * differs[box]
        broad = cv2.morphologyEx((inked[box] > 0.6).view(np.uint8), cv2.MORPH_OPEN, _disc(WIDEST_INK_MM)) > 0
        if (mine & (strange | broad)).sum() > MIN_ODD * area:
            things[box] |= mine
    return things


def _drowned(inked: NDArray[np.float32], lighting: Lighting) -> NDArray[np.bool_]:
    """Where ink is not told from print (h, w): burnt out, or coverage all over the place instead of none or full."""
    # Past full coverage is still ink: its contrast may be greater than the fitted light says.
    undecided = np.where(inked < 0.5, np.minimum(np.abs(inked), 1), np.maximum(1 - inked, 0))
    usual = np.sqrt(cv2.GaussianBlur(undecided**2, (0, 0), 1.5 * LOOK_PX_PER_MM))
    lost = ((usual > MOST_UNDECIDED) | ~lighting.usable).astype(np.uint8)
    return np.asarray(cv2.morphologyEx(lost, cv2.MORPH_OPEN, _disc(1.5)) > 0)


def _filled(lighting: Lighting) -> NDArray[np.bool_]:
    """Where a channel is full (h, w) that the print alone would not fill."""
    full = worst(((lighting.photo > FULL) & (lighting.clean < DARK_PRINT)).astype(np.float32)) > 0
    return np.asarray(cv2.morphologyEx(full.astype(np.uint8), cv2.MORPH_OPEN, _disc(1.0)) > 0)


def _faint(contrast: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Where ink would hardly differ from the print (h, w), by itself or for the light that falls there."""
    usual = cv2.GaussianBlur(contrast, (0, 0), 0.5 * LOOK_PX_PER_MM)
    return np.asarray(cv2.morphologyEx((usual < MIN_CONTRAST).astype(np.uint8), cv2.MORPH_OPEN, _disc(1.0)) > 0)


def _areas(unseen: NDArray[np.uint8]) -> tuple[UnseenArea, ...]:
    """Outlines of the unseen patches, in mm."""
    found: list[UnseenArea] = []
    names: tuple[tuple[int, UnseenWhy], ...] = ((1, "glare"), (2, "covered"))
    for number, why in names:
        outlines, _ = cv2.findContours((unseen == number).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        for outline in outlines:
            if len(outline) >= 3:
                found.append(UnseenArea(why, (outline.reshape(-1, 2) + 0.5) / LOOK_PX_PER_MM))
    return tuple(found)


# ------------------------------------------------------------------------------------------ the close look


class _Close:
    """The close look at some places of the grid of `INK_PX_PER_MM`: a few at once, so that they stay in the cache."""

    def __init__(
        self,
        photo_bgr: NDArray[np.uint8],
        view: BoardView,
        clean: CleanPrint,
        lighting: Lighting,
        around: Around,
        pixel_mm: float,
    ) -> None:
        self._photo, self._ink, self._colours = photo_bgr, around.ink, lighting.colours
        self._bare, self._shift = Bare.of(lighting), around.ink.shift.reshape(-1, 3)
        self._map = PhotoMap(view, INK_PX_PER_MM)
        values, self.slope = clean.blurred(0.9 * pixel_mm)
        self._values = values.reshape(-1, 3)
        self._doubt_mm = EDGE_DOUBT_MM + EDGE_DOUBT_PX * pixel_mm
        self._width, self._coarse_width = self.slope.shape[1], lighting.spread.shape[1]

    def coarse(self, places: NDArray[np.intp]) -> NDArray[np.intp]:
        """Where places (N,) lie on the coarse grid (N,)."""
        rows, columns = np.divmod(places, self._width)
        step = round(INK_PX_PER_MM / LOOK_PX_PER_MM)
        return np.asarray(rows // step * self._coarse_width + columns // step)

    def coverage(self, places: NDArray[np.intp]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Coverage and contrast (N,) at places (N,) of the grid, row by row."""
        x, y = self._map.at(*np.divmod(places, self._width))
        seen = cv2.remap(self._photo, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)[0]
        coarse = self.coarse(places)
        bare = self._bare.at(coarse)
        edges = np.take(self.slope.ravel(), places) * (bare.gain @ LUMA) * self._doubt_mm
        clean = self._colours.of(np.take(self._values, places, 0))
        bare = replace(bare, clean=clean, spread=np.hypot(bare.spread, edges))
        inky = self._ink.over(clean, np.take(self._shift, coarse, 0))
        return coverage_of(light(np.ascontiguousarray(seen[:, ::-1])), bare, inky)


def look_closely(
    photo_bgr: NDArray[np.uint8], view: BoardView, clean: CleanPrint, lighting: Lighting, around: Around
) -> NDArray[np.uint8]:
    """Coverage (H, W) uint8 at `INK_PX_PER_MM`, worked out only near the ink."""
    height, width = clean.rgb.shape[:2]
    near = cv2.resize(around.near.astype(np.uint8), (width, height), interpolation=cv2.INTER_NEAREST)
    places = np.flatnonzero(near.view(np.bool_))
    pixel_mm = 1 / view.scale_px_per_mm()
    close = _Close(photo_bgr, view, clean, lighting, around, pixel_mm)
    coverage, size = (np.zeros(height * width, np.float32) for _ in range(2))
    for k in range(0, len(places), AT_ONCE):
        some = places[k : k + AT_ONCE]
        inked, contrast = close.coverage(some)
        size[some] = say = _say(contrast)
        coverage[some] = say * np.clip(inked, -0.3, 1.3)
    sigma = max(0.1, 0.5 * pixel_mm) * INK_PX_PER_MM
    coverage, size = (
        np.asarray(cv2.GaussianBlur(v.reshape(height, width), (0, 0), sigma), np.float32) for v in (coverage, size)
    )
    rough = around.rough.ravel()[close.coarse(places)]
    smooth = (coverage.ravel()[places] + LEND * rough) / (size.ravel()[places] + LEND)
    result = np.zeros((height, width), np.uint8)
    result.ravel()[places] = np.clip(np.rint(smooth * 255), 0, 255)
    # The rim of a printed thing is soft and sharpened at once: a slit of that width in the ink is not one.
    steep = cv2.dilate((close.slope > STEEP).view(np.uint8), _fine_disc(0.5))
    np.copyto(result, cv2.morphologyEx(result, cv2.MORPH_CLOSE, _fine_disc(SLIT_MM)), where=steep.view(np.bool_))
    return _without_phantoms(_without_threads(result), size)


def _without_phantoms(coverage: NDArray[np.uint8], say: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Coverage without small patches for which next to nothing speaks: dark corners that the light fits badly."""
    on = cv2.threshold(coverage, 110, 1, cv2.THRESH_BINARY)[1]
    count, patch = cv2.connectedComponents(on)
    where = np.flatnonzero(on.view(np.bool_))
    number = patch.ravel()[where]
    area = np.bincount(number, minlength=count)
    weak = np.bincount(number, say.ravel()[where], count) < MIN_SAY * area
    phantom = weak & (area < PHANTOM_MM2 * INK_PX_PER_MM**2)
    result = coverage.copy()
    result.ravel()[where[phantom[number]]] = 64
    return result


def _without_threads(coverage: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Coverage without what is much thinner than the marker's line: rims of printed edges that the camera sharpened."""
    on = cv2.threshold(coverage, 110, 1, cv2.THRESH_BINARY)[1]
    on = cv2.morphologyEx(on, cv2.MORPH_CLOSE, _fine_disc(0.5))
    depth = cv2.distanceTransform(on, cv2.DIST_L2, 3)
    inked = np.flatnonzero(on.view(np.bool_))
    deep, deepest = depth.ravel()[inked], cv2.dilate(depth, np.ones((3, 3), np.uint8)).ravel()[inked]
    ridge = deep[deep >= deepest]
    if not len(ridge):
        return coverage
    order = np.argsort(ridge)
    share = np.cumsum(ridge[order] ** 2)
    pen_mm = 2 * float(ridge[order][np.searchsorted(share, 0.5 * share[-1])]) / INK_PX_PER_MM
    thread_mm = max(THINNEST_INK_MM, THREAD * pen_mm)
    # Half the grid will do to say how far around its core a line reaches: an erosion by distance, then a dilation.
    core = (depth > thread_mm / 2 * INK_PX_PER_MM).view(np.uint8)
    small = cv2.resize(core * np.uint8(255), None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    reach = cv2.dilate(small, disc(2 * thread_mm + 0.4, INK_PX_PER_MM / 2))
    broad = cv2.resize(reach, coverage.shape[::-1], interpolation=cv2.INTER_NEAREST)
    result = np.minimum(coverage, 64)
    np.copyto(result, coverage, where=broad > 0)
    return result


def _disc(across_mm: float) -> NDArray[np.uint8]:
    return disc(across_mm, LOOK_PX_PER_MM)


def _fine_disc(across_mm: float) -> NDArray[np.uint8]:
    return disc(across_mm, INK_PX_PER_MM)


def _say(contrast: NDArray[np.float32]) -> NDArray[np.float32]:
    """What a place with this contrast has to say about its own coverage, 0 to 1."""
    return np.asarray(contrast**2 / (contrast**2 + CLEAR_CONTRAST**2))


def _lent(inked: NDArray[np.float32], contrast: NDArray[np.float32]) -> NDArray[np.float32]:
    """Rough coverage (h, w) in which places with little to say have it from around them, from ever further off.

    Normalised convolution (H. Knutsson, C.-F. Westin, 1993) over three windows.
    """
    say = _say(contrast)
    told = cv2.merge([say * inked, say])
    height, width = say.shape
    half = cv2.resize(told, (width // 2, height // 2), interpolation=cv2.INTER_AREA)
    far = cv2.resize(cv2.GaussianBlur(half, (0, 0), LOOK_PX_PER_MM), (width, height), interpolation=cv2.INTER_LINEAR)
    lent = far[..., 0] / (far[..., 1] + LEND)
    for sigma_mm in (0.8, 0.3):
        near = cv2.GaussianBlur(told, (0, 0), sigma_mm * LOOK_PX_PER_MM)
        lent = (near[..., 0] + LEND * lent) / (near[..., 1] + LEND)
    return np.asarray(lent)


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


ONES = np.ones(3, np.float32)


def held_back(light_: Picture) -> Picture:
    """Light as a camera shows it, which never shows more than white: bent towards 1 from `KNEE` on."""
    over = np.maximum(light_ - KNEE, 0)
    if not over.any():
        return light_
    return np.asarray(np.minimum(light_, KNEE) + (1 - KNEE) * (1 - np.exp(-over / (1 - KNEE))))


def coverage_of(seen: Picture, bare: Bare, colour: Picture) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """How far (...,) light ``seen`` (..., 3) has gone from clean print to ink, and the contrast (...,) in sigmas.

    0 is print, 1 ink.  A reflection adds light of its own: where there is glare, brightness says less, and colour is
    compared only across the direction in which more or less veil would move it.
    """
    print_, ink = held_back(bare.gain * bare.clean + bare.veil), held_back(bare.gain * colour + bare.veil)
    bright_way = (ink - print_) @ LUMA
    noise = bare.spread**2
    dazzle = np.maximum(print_ @ LUMA - SHOULDER, 0) ** 2
    bright_say = 1 / (noise + (VEIL_DOUBT * bare.glare) ** 2 + SHOULDER_DOUBT**2 * dazzle)
    top = bright_say * bright_way * ((seen - print_) @ LUMA)
    bottom = bright_say * bright_way**2
    # Values are about the square root of light, and a root is forty times as fast as the power 1 / 2.2.
    seen_values, print_values, ink_values = (np.sqrt(np.clip(v, 1e-4, 1.2)) for v in (seen, print_, ink))
    slope = 0.5 / np.maximum(print_values, 0.14)
    veil_way = slope / np.sqrt(dot3(slope, slope))[..., None]
    way = ink_values - print_values
    way = way - dot3(way, veil_way)[..., None] * veil_way
    colour_say = (3 / (slope @ ONES)) ** 2 / (noise + SHADE_DOUBT**2 * dazzle)
    bold = colour_say * dot3(way, way)
    contrast = bottom + bold
    # Where brightness tells little, colour has its whole say.
    heard = COLOUR_SAY + (1 - COLOUR_SAY) * (TELLING / (TELLING + bottom)) ** 2
    top += heard * colour_say * dot3(seen_values - print_values, way)
    bottom += heard * bold
    return np.asarray(top / (bottom + 1e-6), np.float32), np.asarray(np.sqrt(contrast), np.float32)


# ------------------------------------------------------------------------------------------ uncertainty


def _edge_sigma(view: BoardView, around: Around, sigma_mm: Floats) -> NDArray[np.float32]:
    """One sigma of an ink edge (rows, columns) on the nodes of ``sigma_mm``: registration, focus, noise, ragged ink."""
    rows, columns = sigma_mm.shape
    contrast = np.asarray(cv2.resize(around.plain, (columns, rows), interpolation=cv2.INTER_AREA), np.float32)
    pixel_mm = 1 / view.scale_px_per_mm()
    noise = pixel_mm * np.clip(2.0 / np.maximum(contrast, 1e-3), 0.05, 2.0)
    return np.asarray(np.sqrt(sigma_mm**2 + (0.15 * pixel_mm) ** 2 + noise**2 * 0.5 + RAGGED_MM**2), np.float32)
