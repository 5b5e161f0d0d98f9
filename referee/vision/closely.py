"""The close look: coverage to a fraction of a pixel, worked out only around the ink, and what of it is none."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from referee.model import BoardView
from referee.vision.around import AT_ONCE, LEND, Around
from referee.vision.clean import INK_PX_PER_MM, LOOK_STEP, CleanPrint
from referee.vision.colours import LUMA, light, weighed
from referee.vision.flatten import PhotoMap
from referee.hands import both, for_each, shares
from referee.vision.ink_look import Bare, coverage_of, say_of
from referee.vision.lighting import disc
from referee.vision.opencv import cv2

THINNEST_INK_MM = 0.8
"""A line thinner than this was not drawn with a marker."""
THREAD = 0.55
"""Nor is one thinner than this share of the pen's usual width."""
BROADEST_PEN_MM = 5.0
"""What is broader than this was not drawn with one line: it does not say how wide the pen is."""
MIN_SAY = 0.12
PHANTOM_MM2 = 60.0
"""A patch smaller than this whose places have less than `MIN_SAY` to say, on average, is no ink."""
STEEP = 1.0
SLIT_MM = 0.6
"""Where the print's light changes by more than `STEEP` a mm, slits in the ink narrower than this are closed."""
EDGE_DOUBT_MM = 0.04
EDGE_DOUBT_PX = 0.4
"""A printed edge may be seen this far off: registration, and how the camera sharpens."""


def look_closely(photo_bgr: NDArray[np.uint8], view: BoardView, clean: CleanPrint, around: Around) -> NDArray[np.uint8]:
    """Coverage (H, W) uint8 at `INK_PX_PER_MM`, worked out only near the ink."""
    shape = clean.rgb.shape[:2]
    pixel_mm = 1 / view.scale_px_per_mm()
    close = _Close(photo_bgr, view, clean, around, pixel_mm)
    whole = tuple(-(-n // LOOK_STEP) * LOOK_STEP for n in shape)
    coverage, size = (np.zeros(whole, np.float32) for _ in range(2))

    def look(some: _Blocks) -> None:
        inked, contrast = close.coverage(some)
        size.ravel()[some.places] = say = say_of(contrast)
        coverage.ravel()[some.places] = say * np.clip(inked, -0.3, 1.3)

    blocks = _blocks(around.near, whole)
    for_each(look, blocks)
    sigma = max(0.1, 0.5 * pixel_mm) * INK_PX_PER_MM
    soft, soft_size = both(lambda: _soft(coverage, sigma), lambda: _soft(size, sigma))
    result = np.zeros(whole, np.uint8)

    def settle(some: _Blocks) -> None:
        rough = np.take(around.rough, close.coarse(some))
        smooth = (np.take(soft, some.places) + LEND * rough) / (np.take(soft_size, some.places) + LEND)
        result.ravel()[some.places] = np.clip(np.rint(smooth * 255), 0, 255)

    for_each(settle, blocks)
    result, soft_size = (np.ascontiguousarray(v[: shape[0], : shape[1]]) for v in (result, soft_size))
    # The rim of a printed thing is soft and sharpened at once: a slit of that width in the ink is not one.
    steep = cv2.dilate((close.slope > STEEP).view(np.uint8), fine_disc(0.5))
    np.copyto(result, cv2.morphologyEx(result, cv2.MORPH_CLOSE, fine_disc(SLIT_MM)), where=steep.view(np.bool_))
    return _without_phantoms(_without_threads(result), soft_size)


def _soft(values: NDArray[np.float32], sigma_px: float) -> NDArray[np.float32]:
    return np.asarray(cv2.GaussianBlur(values, (0, 0), sigma_px), np.float32)


@dataclass(frozen=True, eq=False)
class _Blocks:
    """Some places of the coarse grid and, of each, the block of `LOOK_STEP` x `LOOK_STEP` fine places that it covers.

    ``rows``, ``columns`` (N,) on the coarse grid; ``places`` (9, N) on a fine one that whole blocks fill.
    """

    rows: NDArray[np.intp]
    columns: NDArray[np.intp]
    places: NDArray[np.intp]


def _blocks(near: NDArray[np.bool_], whole: tuple[int, ...]) -> list[_Blocks]:
    """All blocks of the places (h, w) to look at, on a fine grid (H, W), shared out evenly.

    In large shares: with fewer than some ten thousand places hands wait for one another more than they work.
    """
    rows, columns = (n // LOOK_STEP for n in whole)
    reach = ((0, max(0, rows - near.shape[0])), (0, max(0, columns - near.shape[1])))
    row, column = np.nonzero(np.pad(near, reach, "edge")[:rows, :columns])
    inner = (np.arange(LOOK_STEP)[:, None] * whole[1] + np.arange(LOOK_STEP)).reshape(-1, 1)
    return [
        _Blocks(row[share], column[share], (row[share] * whole[1] + column[share]) * LOOK_STEP + inner)
        for share in shares(len(row), AT_ONCE // LOOK_STEP**2)
    ]


class _Close:
    """The close look at some blocks of the grid of `INK_PX_PER_MM`."""

    def __init__(
        self,
        photo_bgr: NDArray[np.uint8],
        view: BoardView,
        clean: CleanPrint,
        around: Around,
        pixel_mm: float,
    ) -> None:
        self._photo, self._ink, self._colours = photo_bgr, around.ink, around.light.colours
        self._bare, self._shift = Bare.of(around.light), around.ink.shift.reshape(-1, 3)
        self._map = PhotoMap(view, INK_PX_PER_MM)
        values, self.slope = clean.blurred(0.9 * pixel_mm)
        self._values = values.reshape(-1, 3)
        self._doubt_mm = EDGE_DOUBT_MM + EDGE_DOUBT_PX * pixel_mm
        self._coarse_shape = around.light.spread.shape

    def coarse(self, some: _Blocks) -> NDArray[np.intp]:
        """Where blocks (N,) lie on the coarse grid (N,): at the rim it may end a place before the fine one does."""
        row, column = (np.minimum(at, n - 1) for at, n in zip((some.rows, some.columns), self._coarse_shape, strict=True))
        return np.asarray(row * self._coarse_shape[1] + column)

    def _fine(self, some: _Blocks) -> NDArray[np.intp]:
        """Where the places of blocks (9, N) lie on the print's own grid, held at its rim."""
        height, width = self.slope.shape
        whole = -(-width // LOOK_STEP) * LOOK_STEP
        if width == whole and height % LOOK_STEP == 0:
            return some.places
        row, column = np.divmod(some.places, whole)
        return np.asarray(np.minimum(row, height - 1) * width + np.minimum(column, width - 1))

    def coverage(self, some: _Blocks) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Coverage and contrast (9, N) at blocks."""
        x, y = self._map.blocks(some.rows, some.columns, LOOK_STEP)
        seen = cv2.remap(self._photo, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        fine, coarse = self._fine(some), self.coarse(some)
        bare = self._bare.at(coarse)
        edges = np.take(self.slope, fine) * (weighed(bare.gain, LUMA) * self._doubt_mm)
        clean = self._colours.of(np.take(self._values, fine.ravel(), 0)).reshape(*fine.shape, 3)
        bare = replace(bare, clean=clean, spread=np.sqrt(bare.spread**2 + edges**2))
        inky = self._ink.over(clean, np.take(self._shift, coarse, 0))
        return coverage_of(light(np.ascontiguousarray(seen[..., ::-1])), bare, inky)


def _without_phantoms(coverage: NDArray[np.uint8], say: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Coverage without small patches for which next to nothing speaks: dark corners that the light fits badly."""
    on = cv2.threshold(coverage, 110, 1, cv2.THRESH_BINARY)[1]
    count, patch = cv2.connectedComponents(on)
    where = np.flatnonzero(on.view(np.bool_))
    number = np.take(patch, where)
    area = np.bincount(number, minlength=count)
    weak = np.bincount(number, np.take(say, where), count) < MIN_SAY * area
    phantom = weak & (area < PHANTOM_MM2 * INK_PX_PER_MM**2)
    result = coverage.copy()
    result.ravel()[where[phantom[number]]] = 64
    return result


def _without_threads(coverage: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Coverage without what is much thinner than the marker's line: rims of printed edges that the camera sharpened."""
    on = cv2.threshold(coverage, 110, 1, cv2.THRESH_BINARY)[1]
    on = np.asarray(cv2.morphologyEx(on, cv2.MORPH_CLOSE, fine_disc(0.5)), np.uint8)
    (depth, ridge), (below, ridge_below) = both(*(partial(_depth, on, half) for half in _halves(on)))
    depth, ridge = np.concatenate([depth, below]), np.sort(np.concatenate([ridge, ridge_below]))
    if not len(ridge):
        return coverage
    share = np.cumsum(ridge**2)
    pen_mm = 2 * float(ridge[np.searchsorted(share, 0.5 * share[-1])]) / INK_PX_PER_MM
    thread_mm = max(THINNEST_INK_MM, THREAD * pen_mm)
    # Half the grid will do to say how far around its core a line reaches: an erosion by distance, then a dilation.
    core = (depth > thread_mm / 2 * INK_PX_PER_MM).view(np.uint8)
    small = cv2.resize(core * np.uint8(255), None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    reach = cv2.dilate(small, disc(2 * thread_mm + 0.4, INK_PX_PER_MM / 2))
    broad = cv2.resize(reach, coverage.shape[::-1], interpolation=cv2.INTER_NEAREST)
    result = np.minimum(coverage, 64)
    np.copyto(result, coverage, where=broad > 0)
    return result


def _halves(on: NDArray[np.uint8]) -> tuple[slice, slice]:
    """The rows of the upper and the lower half of a grid."""
    return slice(0, len(on) // 2), slice(len(on) // 2, len(on))


def _depth(on: NDArray[np.uint8], rows: slice) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Of some rows how deep in the ink a place lies (h, W), in px, and the depths (N,) on the ridges of what is ``on``.

    True up to `BROADEST_PEN_MM`; what is deeper than that may come out deeper still, for no more is looked at.
    """
    spare = round(BROADEST_PEN_MM * INK_PX_PER_MM)
    first = max(0, rows.start - spare)
    depth = cv2.distanceTransform(on[first : rows.stop + spare], cv2.DIST_L2, 3)
    highest = cv2.dilate(depth, np.ones((3, 3), np.uint8))
    depth, highest = (v[rows.start - first : rows.stop - first] for v in (depth, highest))
    inked = np.flatnonzero(on[rows].view(np.bool_))
    deep = np.take(depth, inked)
    return depth, deep[(deep >= np.take(highest, inked)) & (2 * deep <= BROADEST_PEN_MM * INK_PX_PER_MM)]


def fine_disc(across_mm: float) -> NDArray[np.uint8]:
    """A disc as wide as this on the grid of `INK_PX_PER_MM`, for morphology."""
    return disc(across_mm, INK_PX_PER_MM)
