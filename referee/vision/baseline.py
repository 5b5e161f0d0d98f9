"""The baseline: a board's picture before the race, and the ink that it shows.

Gadgets are drawn on a board before it is raced.  What is drawn is known by what it does to the print, whatever its
colour, and it is thinner than a race's line may be: it is looked for on its own.  For the race it counts as print:
what the baseline shows, and the race's picture still does, is painted into the artwork that ink is told from.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from referee.model import BoardView, Floats, Ink, Mark, UnseenArea
from referee.vision.clean import INK_PX_PER_MM, LOOK_PX_PER_MM, LOOK_STEP, SLOPE_UNITS, CleanPrint, stretched
from referee.vision.closely import EDGE_DOUBT_MM, EDGE_DOUBT_PX, fine_disc
from referee.vision.colours import AT_ONCE, LIGHT_OF_VALUE, LUMA, Picture, PrintColours, dot3, light, worst
from referee.vision.flatten import Glance, PhotoMap
from referee.vision.ink_look import DARKENS, Bare
from referee.vision.lighting import Lighting, disc
from referee.vision.opencv import cv2
from referee.vision.segment import RAGGED_MM, areas_of, board_light

SUSPECT, SURE = 2.5, 5.0
"""What is off the print by more sigmas than the one is looked at closely; ink's core is off by more than the other."""
LOOK_AROUND_MM = 1.6
"""How far around a suspect place one looks closely."""
RIM_MM = 0.7
"""An ink's soft rim is no wider than this."""
HALF = 0.5
"""Ink's edge runs where it covers half."""
SHARPENED = np.clip(np.rint((np.arange(256) - 127.5) * 3 + 127.5), 0, 255).astype(np.uint8)
"""Coverage without most of the blur of the picture that it was seen in."""
SPREAD_MM, MOSTLY = 0.5, 0.8
"""A patch of ink of which this much lies within so much of what was drawn before is none of the race's."""
BESIDE_MM = 3.0
"""Ink as near to a road as this matters: on its white lines as well."""
THINNEST_MM = 0.6
"""What holds no disc as wide as this is the rim of a printed thing that is not quite in its place."""
FAINT, DOT_MM2 = 0.8, 6.0
"""What takes less light off the print than ink does, but more than this leaves, may be a dot if it is no larger."""
MOST_DOTS = 1000
"""Of more than this, none tells anything: they are noise."""
EDGE_PX = 0.3
"""One sigma of where a mark's edge lies, in the picture's pixels: it is thin, and its blur not parted from its ink."""
GADGET_MM = 22.0
"""What seems to lie on the board and is no wider than this may as well be drawn on it."""
DIM = 0.03
"""Print that sends back no more of any colour's light does not say whether ink lies on it."""
SPECK_MM2 = 0.12
"""A smaller mark is noise: a dot of the finest pen is larger."""
ONE_PEN_MM = 2.5
"""Marks nearer to each other than this are taken to be of one colour, and drawn, or wiped, at one go."""
OFF_THE_WAY = 0.3
"""On the way from print to a mark's colour a place is off it by no more than this share: else other ink lies on it."""
FINE = 4
"""Outlines are read off a grid so many times finer than the ink's."""
ROUNDS = 8


@dataclass(frozen=True, eq=False)
class Before:
    """The ink on a board before its race.

    ``coverage`` (H, W) uint8 as in `Ink`; ``patch`` (H, W) int32 numbers what was drawn at one go, 0 where nothing is;
    ``colours`` (patches, 3) uint8 are RGB in the artwork's own colours, the first void.  ``marks`` are its outlines,
    ``faint`` those of what may be dots, seen from too far off to be sure, and ``unseen_areas`` is as in `Ink`.
    """

    coverage: NDArray[np.uint8]
    patch: NDArray[np.int32]
    colours: NDArray[np.uint8]
    marks: tuple[Mark, ...]
    faint: tuple[Mark, ...]
    unseen_areas: tuple[UnseenArea, ...]


def ink_before(
    photo_bgr: NDArray[np.uint8],
    glance: Glance,
    view: BoardView,
    clean: CleanPrint,
    sigma_mm: Floats,
    roads: Sequence[Floats],
) -> Before:
    """The ink on and beside the ``roads`` (outlines (N, 2) in mm) of a board that was not raced yet.

    The other arguments are those of `segment`.
    """
    lighting = board_light(glance, view, clean)
    unseen = _unseen(lighting)
    close = _Close(photo_bgr, view, clean, lighting)
    near = _suspects(lighting, clean.rgb.shape[:2], unseen) & _along(roads, clean.rgb.shape[:2])
    seen, print_, off = close.at(np.flatnonzero(near))
    shape = near.shape
    passed = _passed(seen, print_)
    sure = _grid((off > SURE) & (passed < DARKENS), near, shape)
    count, patch = _patches(sure)
    colours = _colours(seen, off, patch[near], count)
    covered = _grid(_covered(seen, print_, colours[patch[near]]), near, shape)
    covered[patch == 0] = 0
    coverage, patch = _without_specks(covered, patch)
    sigma = float(np.sqrt(np.median(sigma_mm) ** 2 + (EDGE_PX * close.pixel_mm) ** 2 + RAGGED_MM**2))
    maybe = _grid(((off > SUSPECT) & (passed < FAINT)).astype(np.uint8), near, shape) * (patch == 0)
    return Before(
        coverage,
        patch,
        np.stack([_artwork_value(colour, lighting.colours) for colour in colours]),
        _marks(coverage, sigma),
        _marks(_dots(maybe), sigma),
        areas_of(unseen),
    )


def print_before(
    before: Before, photo_bgr: NDArray[np.uint8], glance: Glance, view: BoardView, clean: CleanPrint
) -> tuple[CleanPrint, Before]:
    """The print as the picture from before the race shows it, in even light and without what was drawn on it.

    With it what was drawn, in the colours of that print.  For boards whose ``clean`` print is a picture that another
    camera took: this one is nearer to the race's.  Where it does not show the board, and under what was drawn, it is
    the clean print in this picture's colours.
    """
    lighting = board_light(glance, view, clean)
    close = _Close(photo_bgr, view, clean, lighting)
    hidden = stretched(_unseen(lighting), clean.rgb.shape[:2], LOOK_STEP) > 0
    hidden |= cv2.dilate((before.coverage > 0).view(np.uint8), fine_disc(2 * RIM_MM)) > 0
    rgb = np.empty_like(clean.rgb)
    flat, where = rgb.reshape(-1, 3), hidden.ravel()
    for first in range(0, len(flat), AT_ONCE):
        places = np.arange(first, min(first + AT_ONCE, len(flat)))
        seen, print_, _ = close.at(places)
        flat[places] = _values(np.where(where[places, None], print_, np.clip(seen, 0, 1)))
    drawn = _values(np.clip(lighting.colours.of(before.colours), 0, 1))
    return CleanPrint(rgb, clean.board_mm), replace(before, colours=drawn)


@dataclass(frozen=True, eq=False)
class Remains:
    """What a race's picture still shows of the ink from before: ``print_``, the artwork with it painted in.

    ``coverage`` (H, W) uint8 is that ink's.
    """

    print_: CleanPrint
    coverage: NDArray[np.uint8]


def remains_of(
    before: Before, photo_bgr: NDArray[np.uint8], glance: Glance, view: BoardView, clean: CleanPrint
) -> Remains:
    """What the race's picture still shows of what was drawn before: in its own light, for none is like another."""
    if not before.marks:
        return Remains(clean, np.zeros_like(before.coverage))
    still, colours = _still_there(before, photo_bgr, glance, view, clean)
    kept = cv2.LUT(before.coverage, SHARPENED) * still[before.patch]
    places = np.flatnonzero(kept)
    part = np.take(kept.ravel(), places)[:, None] / np.float32(255)
    print_, mark = np.take(clean.rgb.reshape(-1, 3), places, 0), colours[np.take(before.patch.ravel(), places)]
    rgb = clean.rgb.copy()
    rgb.reshape(-1, 3)[places] = _values(np.asarray(light(print_) * (1 - part) + light(mark) * part, np.float32))
    return Remains(CleanPrint(rgb, clean.board_mm), kept)


def without_remains(ink: Ink, remains: Remains) -> Ink:
    """The race's ink without patches that lie on what was drawn before, all but their rims."""
    on = (ink.coverage > 255 * HALF).view(np.uint8)
    count, patch = cv2.connectedComponents(on)
    drawn = cv2.dilate((remains.coverage > 255 * HALF).view(np.uint8), fine_disc(2 * SPREAD_MM))
    whole = np.bincount(patch.ravel(), minlength=count)
    share = np.bincount(patch.ravel(), drawn.ravel(), count) / np.maximum(whole, 1)
    gone = share > MOSTLY
    gone[0] = False
    if not gone.any():
        return ink
    return replace(ink, coverage=np.where(np.take(gone, patch), 0, ink.coverage).astype(np.uint8))


def _still_there(
    before: Before, photo_bgr: NDArray[np.uint8], glance: Glance, view: BoardView, clean: CleanPrint
) -> tuple[NDArray[np.bool_], NDArray[np.uint8]]:
    """Which patches (patches,) the race's picture still shows, as far as no other ink lies on them; the first is void.

    What is wholly under other ink may be there: it does not matter.  With their colours (patches, 3) as the artwork
    would have to have them for this picture to show them so.
    """
    lighting = board_light(glance, view, clean)
    close = _Close(photo_bgr, view, clean, lighting)
    core = cv2.erode((before.coverage > 200).view(np.uint8), np.ones((3, 3), np.uint8)).view(np.bool_)
    core |= (before.coverage > 200) & ~_has(core, before.patch)
    places = np.flatnonzero(core)
    seen, print_, _ = close.at(places)
    patch = before.patch.ravel()[places]
    mark = lighting.colours.of(before.colours)[patch]
    way, gone = mark - print_, seen - print_
    part = dot3(gone, way) / np.maximum(dot3(way, way), 1e-6)
    left = gone - part[:, None] * way
    tells = dot3(left, left) < OFF_THE_WAY**2 * dot3(way, way)
    still = np.ones(len(before.colours), np.bool_)
    colours = before.colours.copy()
    for number in np.unique(patch):
        mine = tells & (patch == number)
        still[number] = not mine.any() or float(np.median(part[mine])) > HALF
        if mine.any() and still[number]:
            colour = np.asarray(np.median(seen[mine & (part > HALF)], 0), np.float32)
            colours[number] = _artwork_value(colour, lighting.colours)
    return still, colours


def _has(core: NDArray[np.bool_], patch: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Whether a place's patch (H, W) has any core."""
    some = np.zeros(int(patch.max()) + 1, np.bool_)
    some[np.unique(patch[core])] = True
    return np.asarray(some[patch])


def _unseen(lighting: Lighting) -> NDArray[np.uint8]:
    """What the picture does not show (h, w), numbered as in `Ink`."""
    unseen = np.zeros(lighting.usable.shape, np.uint8)
    lost = cv2.morphologyEx((~lighting.usable).view(np.uint8), cv2.MORPH_OPEN, disc(4.5, LOOK_PX_PER_MM))
    unseen[lost > 0] = 1
    _, thing, stats, _ = cv2.connectedComponentsWithStats(lighting.things.view(np.uint8))
    wide = stats[:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]].max(1) > GADGET_MM * LOOK_PX_PER_MM
    unseen[lighting.things & np.take(wide, thing)] = 2
    return unseen


def _suspects(lighting: Lighting, shape: tuple[int, ...], unseen: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Where to look closely (H, W): around what is off the print and not covered."""
    soft = cv2.GaussianBlur(lighting.rest, (0, 0), 0.3 * LOOK_PX_PER_MM)
    odd = (worst(np.abs(soft)) > SUSPECT * lighting.spread) & (unseen == 0)
    near = cv2.dilate(odd.view(np.uint8), disc(2 * LOOK_AROUND_MM, LOOK_PX_PER_MM)) & (unseen == 0).view(np.uint8)
    return stretched(near, shape, LOOK_STEP).view(np.bool_)


def _along(roads: Sequence[Floats], shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Roads and what lies beside them (H, W)."""
    near = np.zeros(shape, np.uint8)
    for outline in roads:
        corners = np.round(outline * INK_PX_PER_MM).astype(np.int32)
        cv2.fillPoly(near, [corners], 1)
        cv2.polylines(near, [corners], True, 1, round(2 * BESIDE_MM * INK_PX_PER_MM))
    return near.view(np.bool_)


class _Close:
    """A board's picture close by, at places (N,) of the grid of `INK_PX_PER_MM`."""

    def __init__(self, photo_bgr: NDArray[np.uint8], view: BoardView, clean: CleanPrint, lighting: Lighting) -> None:
        self.pixel_mm = 1 / view.scale_px_per_mm()
        self._photo, self._bare, self._colours = photo_bgr, Bare.of(lighting), lighting.colours
        self._map, self._coarse = PhotoMap(view, INK_PX_PER_MM), lighting.spread.shape
        self._values, self._slope = clean.blurred(0.9 * self.pixel_mm)

    def at(self, places: NDArray[np.intp]) -> tuple[Picture, Picture, NDArray[np.float32]]:
        """The light seen (N, 3), freed of the room's; the print's (N, 3); by how many sigmas they differ (N,)."""
        some = [self._at(places[k : k + AT_ONCE]) for k in range(0, len(places), AT_ONCE)]
        nothing = (np.zeros((0, 3), np.float32), np.zeros((0, 3), np.float32), np.zeros(0, np.float32))
        free, print_, off = (np.concatenate(parts) for parts in zip(nothing, *some, strict=True))
        return free, print_, off

    def _at(self, places: NDArray[np.intp]) -> tuple[Picture, Picture, NDArray[np.float32]]:
        rows, columns = np.divmod(places, self._slope.shape[1])
        x, y = self._map.at(rows, columns)
        seen = cv2.remap(self._photo, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)[0]
        row, column = (
            np.minimum(place // LOOK_STEP, count - 1)
            for place, count in zip((rows, columns), self._coarse, strict=True)
        )
        bare = self._bare.at(row * self._coarse[1] + column)
        print_ = self._colours.of(np.take(self._values.reshape(-1, 3), places, 0))
        free = np.asarray((light(np.ascontiguousarray(seen[:, ::-1])) - bare.veil) / bare.gain, np.float32)
        doubt = np.take(self._slope.ravel(), places) * (bare.gain @ LUMA)
        doubt *= (EDGE_DOUBT_MM + EDGE_DOUBT_PX * self.pixel_mm) / SLOPE_UNITS
        off = worst(np.abs(bare.gain * (free - print_))) / np.hypot(bare.spread, doubt)
        return free, print_, np.asarray(off, np.float32)


def _grid(values: NDArray[Any], near: NDArray[np.bool_], shape: tuple[int, ...]) -> NDArray[Any]:
    """Values (N,) of the places ``near`` on the whole grid (H, W), nothing elsewhere."""
    whole = np.zeros(shape, values.dtype)
    whole[near] = values
    return whole


def _passed(seen: Picture, print_: Picture) -> NDArray[np.float32]:
    """The share (N,) of the print's light that what is seen (N, 3) lets pass in the colour of which it takes most.

    It is 1 where the print sends back too little light to tell.
    """
    share = (np.maximum(seen, 0) + 0.01) / (np.maximum(print_, 0) + 0.02)
    return np.asarray(np.where(print_.max(1) > DIM, share.min(1), 1), np.float32)


def _dots(maybe: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Of what may be ink (H, W) the patches of a dot's size, as coverage."""
    small = cv2.morphologyEx(maybe, cv2.MORPH_OPEN, fine_disc(THINNEST_MM))
    _, patch, stats, _ = cv2.connectedComponentsWithStats(small)
    area = stats[:, cv2.CC_STAT_AREA] / INK_PX_PER_MM**2
    keep = (area >= SPECK_MM2) & (area <= DOT_MM2)
    keep[0] = False
    if keep.sum() > MOST_DOTS:
        keep[:] = False
    return np.asarray(np.take(keep, patch), np.uint8) * np.uint8(255)


def _patches(sure: NDArray[np.bool_]) -> tuple[int, NDArray[np.int32]]:
    """How many patches of sure ink there are, nothing counted, and their numbers (H, W) with the rim around each."""
    sure = cv2.morphologyEx(sure.view(np.uint8), cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)).view(np.bool_)
    count, together = cv2.connectedComponents(cv2.dilate(sure.view(np.uint8), fine_disc(ONE_PEN_MM)))
    reach = cv2.dilate(sure.view(np.uint8), fine_disc(2 * RIM_MM)) > 0
    return count, np.where(reach, together, 0).astype(np.int32)


def _colours(seen: Picture, off: NDArray[np.float32], patch: NDArray[np.int32], count: int) -> Picture:
    """Each patch's colour (count, 3), freed of light: that of the places most off the print."""
    colours = np.zeros((count, 3), np.float32)
    for number in range(1, count):
        mine = patch == number
        best = mine & (off >= np.quantile(off[mine], 0.8)) if mine.any() else mine
        colours[number] = np.median(seen[best], 0) if best.any() else 0
    return colours


def _covered(seen: Picture, print_: Picture, ink: Picture) -> NDArray[np.uint8]:
    """How far (N,) uint8 the light seen has gone from print to ink."""
    way = ink - print_
    part = dot3(seen - print_, way) / np.maximum(dot3(way, way), 1e-6)
    return np.asarray(np.clip(np.rint(part * 255), 0, 255), np.uint8)


def _without_specks(
    coverage: NDArray[np.uint8], patch: NDArray[np.int32]
) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
    """Coverage and patches without what is too small for a mark, and coverage without its faint fringe."""
    soft = np.asarray(cv2.GaussianBlur(coverage, (0, 0), 0.7), np.uint8)
    inked = (soft > 255 * HALF).view(np.uint8)
    count, mark = cv2.connectedComponents(inked)
    core = np.bincount(mark.ravel(), cv2.morphologyEx(inked, cv2.MORPH_OPEN, fine_disc(THINNEST_MM)).ravel(), count)
    keep = core >= SPECK_MM2 * INK_PX_PER_MM**2
    keep[0] = False
    kept = cv2.dilate(np.take(keep, mark).view(np.uint8), fine_disc(2 * RIM_MM)) > 0
    return np.where(kept, soft, 0).astype(np.uint8), np.where(kept, patch, 0).astype(np.int32)


def _artwork_value(colour: Picture, colours: PrintColours) -> NDArray[np.uint8]:
    """The artwork's RGB (3,) uint8 that this picture's print would show as a colour (3,): by fixed-point iteration."""
    smooth = replace(colours, table=np.zeros_like(colours.table))
    guess = np.clip(colour, 0, 1)
    for _ in range(ROUNDS):
        guess = np.clip(guess + 0.7 * (colour - smooth.of(_values(guess[None]))[0]), 0, 1)
    return np.asarray(_values(guess[None])[0])


def _values(light_: Picture) -> NDArray[np.uint8]:
    """The sRGB values (..., 3) of linear light: `light` backwards."""
    middles = (LIGHT_OF_VALUE[1:] + LIGHT_OF_VALUE[:-1]) / 2
    return np.asarray(np.searchsorted(middles, light_), np.uint8)


def _marks(coverage: NDArray[np.uint8], sigma_mm: float) -> tuple[Mark, ...]:
    """The outlines of all marks, each with its holes, to a small part of a pixel."""
    count, number, stats, _ = cv2.connectedComponentsWithStats((coverage > 255 * HALF).view(np.uint8))
    found = []
    for i, (x, y, w, h, _) in enumerate(stats[1:count].tolist(), 1):
        box = (slice(max(y - 2, 0), y + h + 2), slice(max(x - 2, 0), x + w + 2))
        mine = cv2.dilate((number[box] == i).view(np.uint8), np.ones((3, 3), np.uint8))
        outlines, holes = _outlines(coverage[box] * mine)
        corner = np.array([box[1].start, box[0].start]) / INK_PX_PER_MM
        found += [Mark(line + corner, tuple(hole + corner for hole in holes), sigma_mm) for line in outlines[:1]]
    return tuple(found)


def _outlines(coverage: NDArray[np.uint8]) -> tuple[list[Floats], list[Floats]]:
    """The outlines (N, 2) of one mark in mm, the largest first, and its holes."""
    fine = cv2.resize(coverage, None, fx=FINE, fy=FINE, interpolation=cv2.INTER_LINEAR)
    inked = (fine > 255 * HALF).view(np.uint8)
    lines, tree = cv2.findContours(inked, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    parents = np.asarray(tree).reshape(-1, 4)[:, 3].tolist() if tree is not None else []
    drawn = [(line.reshape(-1, 2), parent < 0) for line, parent in zip(lines, parents, strict=True) if len(line) >= 3]
    drawn.sort(key=lambda one: -cv2.contourArea(one[0]))
    outer, inner = (
        [(line + 0.5) / (FINE * INK_PX_PER_MM) for line, is_rim in drawn if is_rim == which] for which in (True, False)
    )
    return outer, inner
