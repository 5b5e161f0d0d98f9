"""The close look: coverage to a fraction of a pixel, worked out only around the ink, and what of it is none."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from referee.hands import both, for_each, shares
from referee.model import BoardView
from referee.vision.around import LEND, Around
from referee.vision.clean import INK_PX_PER_MM, LOOK_STEP, SLOPE_UNITS, CleanPrint
from referee.vision.colours import AT_ONCE, LUMA, light, roots, weighed
from referee.vision.flatten import PhotoMap
from referee.vision.ink_look import coverage_of, say_of
from referee.vision.lighting import Box, disc
from referee.vision.opencv import cv2

INKED, BARE_ENOUGH = 110, 64
"""From the one coverage on a place may be ink; what turns out to be none is left with no more than the other."""
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
SPARE = 3
"""Bare places of the coarse grid left round all that is looked at."""
EDGE_DOUBT_MM = 0.04
EDGE_DOUBT_PX = 0.4
"""A printed edge may be seen this far off: registration, and how the camera sharpens."""


def look_closely(photo_bgr: NDArray[np.uint8], view: BoardView, clean: CleanPrint, around: Around) -> NDArray[np.uint8]:
    """Coverage (H, W) uint8 at `INK_PX_PER_MM`, worked out only near the ink."""
    result = np.zeros(clean.rgb.shape[:2], np.uint8)
    box = _box(around.near, result.shape)
    if box is not None:
        result[box.inside] = _in_box(box, _Close(photo_bgr, view, clean, around), around)
    return result


def _in_box(box: _Box, close: _Close, around: Around) -> NDArray[np.uint8]:
    """Coverage (H, W) in the box that holds all that is looked at: on a raced board about the half of it."""
    result, say = _looked_at(box, close, around)
    # The rim of a printed thing is soft and sharpened at once: a slit of that width in the ink is not one.
    steep = cv2.dilate((close.slope[box.inside] > STEEP * SLOPE_UNITS).view(np.uint8), fine_disc(0.5))
    cv2.copyTo(cv2.morphologyEx(result, cv2.MORPH_CLOSE, fine_disc(SLIT_MM)), steep, result)
    return _without_phantoms(_without_threads(result), say)


def _looked_at(box: _Box, close: _Close, around: Around) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Coverage (H, W) in the box as it is seen, and what each place has to say about it (H, W)."""
    coverage, size = (np.zeros(box.shape, np.float32) for _ in range(2))
    blocks = _Cells(box, around.near.shape, close.slope.shape)

    def look(share: slice) -> None:
        some = blocks.of(share)
        inked, contrast = close.coverage(some)
        size.ravel()[some.places] = say = say_of(contrast)
        coverage.ravel()[some.places] = say * np.clip(inked, -0.3, 1.3)

    for_each(look, blocks.shares())
    sigma = max(0.1, 0.5 * close.pixel_mm) * INK_PX_PER_MM
    soft, soft_size = both(lambda: _soft(coverage, sigma), lambda: _soft(size, sigma))
    whole = np.zeros(box.shape, np.uint8)

    def settle(share: slice) -> None:
        some = blocks.of(share)
        rough = np.take(around.rough, some.coarse)
        smooth = (np.take(soft, some.places) + LEND * rough) / (np.take(soft_size, some.places) + LEND)
        whole.ravel()[some.places] = np.clip(np.rint(smooth * 255), 0, 255)

    for_each(settle, blocks.shares())
    inside = tuple(slice(side.stop - side.start) for side in box.inside)
    return np.ascontiguousarray(whole[inside]), np.ascontiguousarray(soft_size[inside])


def _soft(values: NDArray[np.float32], sigma_px: float) -> NDArray[np.float32]:
    """The same values softened, in the same memory: they fill several megabytes, and are not wanted as they were."""
    return np.asarray(cv2.GaussianBlur(values, (0, 0), sigma_px, dst=values), np.float32)


@dataclass(frozen=True, eq=False)
class _Box:
    """Where to look: ``near`` (h, w), a part of the coarse grid from its place ``corner`` (row, column) on.

    It is made up of whole blocks of `LOOK_STEP` x `LOOK_STEP` fine places; of all these, ``shape``, those lie on the
    fine grid that are ``inside``: it may end within a block.
    """

    near: NDArray[np.bool_]
    corner: tuple[int, int]
    shape: tuple[int, int]
    inside: Box


def _box(near: NDArray[np.bool_], shape: tuple[int, ...]) -> _Box | None:
    """The box round all places (h, w) to look at, and a little more; None if there are none."""
    rows, columns = (-(-n // LOOK_STEP) for n in shape)
    reach = ((0, max(0, rows - near.shape[0])), (0, max(0, columns - near.shape[1])))
    whole = np.pad(near, reach, "edge")[:rows, :columns]
    x, y, w, h = cv2.boundingRect(whole.view(np.uint8))
    if not w:
        return None
    top, left = max(0, y - SPARE), max(0, x - SPARE)
    inner = whole[top : y + h + SPARE, left : x + w + SPARE]
    size = inner.shape[0] * LOOK_STEP, inner.shape[1] * LOOK_STEP
    first = top * LOOK_STEP, left * LOOK_STEP
    inside = slice(first[0], min(first[0] + size[0], shape[0])), slice(first[1], min(first[1] + size[1], shape[1]))
    return _Box(inner, (top, left), size, inside)


@dataclass(frozen=True, eq=False)
class _Blocks:
    """Some places of the coarse grid and, of each, the block of fine places that it covers.

    ``rows``, ``columns`` (N,) on the coarse grid, and both as one number, ``coarse`` (N,), held at its rim: it may end
    before the fine one does.  ``places`` (9, N) in the box, ``fine`` (9, N) on the fine grid, held at its rim.
    """

    rows: NDArray[np.intp]
    columns: NDArray[np.intp]
    coarse: NDArray[np.intp]
    places: NDArray[np.intp]
    fine: NDArray[np.intp]


class _Cells:
    """All blocks to look at in a box, on grids of these shapes; made anew when asked for, since they fill megabytes."""

    def __init__(self, box: _Box, coarse: tuple[int, ...], fine: tuple[int, ...]) -> None:
        self._box, self._coarse, self._fine = box, coarse, fine
        self._row, self._column = np.divmod(np.flatnonzero(box.near), box.near.shape[1])

    def shares(self) -> list[slice]:
        """Their numbers, shared out evenly.

        In large shares: with fewer than some ten thousand places hands wait for one another more than they work.
        """
        return shares(len(self._row), AT_ONCE // LOOK_STEP**2)

    def of(self, share: slice) -> _Blocks:
        """The blocks of a share."""
        box, coarse, fine, row, column = self._box, self._coarse, self._fine, self._row[share], self._column[share]
        i, j = (k.reshape(-1, 1) for k in np.divmod(np.arange(LOOK_STEP**2), LOOK_STEP))
        down, across = row * LOOK_STEP + i, column * LOOK_STEP + j
        rows, columns = row + box.corner[0], column + box.corner[1]
        low, far = (np.minimum(at + k.start, n - 1) for at, k, n in zip((down, across), box.inside, fine, strict=True))
        return _Blocks(
            rows,
            columns,
            np.minimum(rows, coarse[0] - 1) * coarse[1] + np.minimum(columns, coarse[1] - 1),
            down * box.shape[1] + across,
            low * fine[1] + far,
        )


class _Close:
    """The close look at some blocks of the grid of `INK_PX_PER_MM`."""

    def __init__(self, photo_bgr: NDArray[np.uint8], view: BoardView, clean: CleanPrint, around: Around) -> None:
        self.pixel_mm = 1 / view.scale_px_per_mm()
        self._photo, self._ink, self._colours = photo_bgr, around.ink, around.colours
        self._bare, self._shift = around.bare, around.ink.shift.reshape(-1, 3)
        self._map = PhotoMap(view, INK_PX_PER_MM)
        values, self.slope = clean.blurred(0.9 * self.pixel_mm)
        self._values = values.reshape(-1, 3)
        self._doubt_mm = EDGE_DOUBT_MM + EDGE_DOUBT_PX * self.pixel_mm

    def coverage(self, some: _Blocks) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Coverage and contrast (9, N) at blocks."""
        x, y = self._map.blocks(some.rows, some.columns, LOOK_STEP)
        seen = cv2.remap(self._photo, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        bare = self._bare.at(some.coarse)
        edges = np.take(self.slope, some.fine) * (weighed(bare.gain, LUMA) * np.float32(self._doubt_mm / SLOPE_UNITS))
        clean = self._colours.of(np.take(self._values, some.fine.ravel(), 0)).reshape(*some.fine.shape, 3)
        bare = replace(bare, clean=clean, spread=roots(bare.spread**2 + edges**2))
        inky = self._ink.over(clean, np.take(self._shift, some.coarse, 0))
        return coverage_of(light(np.ascontiguousarray(seen[..., ::-1])), bare, inky)


def _without_phantoms(coverage: NDArray[np.uint8], say: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Coverage without small patches for which next to nothing speaks: dark corners that the light fits badly."""
    on = cv2.threshold(coverage, INKED, 1, cv2.THRESH_BINARY)[1]
    where = np.flatnonzero(on.view(np.bool_))
    said = np.take(say, where)
    result = coverage.copy()
    if not len(said) or said.min() >= MIN_SAY:
        return result
    count, patch = cv2.connectedComponents(on)
    number = np.take(patch, where)
    area = np.bincount(number, minlength=count)
    weak = np.bincount(number, said, count) < MIN_SAY * area
    phantom = weak & (area < PHANTOM_MM2 * INK_PX_PER_MM**2)
    result.ravel()[where[phantom[number]]] = BARE_ENOUGH
    return result


def _without_threads(coverage: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Coverage without what is much thinner than the marker's line: rims of printed edges that the camera sharpened."""
    on = cv2.threshold(coverage, INKED, 1, cv2.THRESH_BINARY)[1]
    on = np.asarray(cv2.morphologyEx(on, cv2.MORPH_CLOSE, fine_disc(0.5)), np.uint8)
    middle = len(on) // 2
    parts = both(lambda: _depth(on, 0, middle), lambda: _depth(on, middle, len(on)))
    ridge = np.sort(np.concatenate([ridge for _, ridge in parts]))
    if not len(ridge):
        return coverage
    share = np.cumsum(ridge**2)
    pen_mm = 2 * float(ridge[np.searchsorted(share, 0.5 * share[-1])]) / INK_PX_PER_MM
    thread_mm = max(THINNEST_INK_MM, THREAD * pen_mm)
    # Half the grid will do to say how far around its core a line reaches: an erosion by distance, then a dilation.
    core = np.concatenate([cv2.compare(depth, thread_mm / 2 * INK_PX_PER_MM, cv2.CMP_GT) for depth, _ in parts])
    small = cv2.resize(core, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    reach = cv2.dilate(small, disc(2 * thread_mm + 0.4, INK_PX_PER_MM / 2))
    broad = cv2.resize(reach, coverage.shape[::-1], interpolation=cv2.INTER_NEAREST)
    # Where nothing broad is near, no more than bare enough; elsewhere all there is.
    most = cv2.max(cv2.compare(broad, 0, cv2.CMP_GT), BARE_ENOUGH)
    return np.asarray(cv2.min(coverage, most), np.uint8)


def _depth(on: NDArray[np.uint8], top: int, bottom: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Of some rows how deep in the ink a place lies (h, W), in px, and the depths (N,) on the ridges of what is ``on``.

    True up to `BROADEST_PEN_MM`; what is deeper than that may come out deeper still, for no more is looked at.
    """
    spare = round(BROADEST_PEN_MM * INK_PX_PER_MM)
    first = max(0, top - spare)
    depth = cv2.distanceTransform(on[first : bottom + spare], cv2.DIST_L2, 3)
    highest = cv2.dilate(depth, np.ones((3, 3), np.uint8))
    depth, highest = (v[top - first :][: bottom - top] for v in (depth, highest))
    ridge = depth[(depth >= highest) & (depth > 0)]
    return depth, ridge[2 * ridge <= BROADEST_PEN_MM * INK_PX_PER_MM]


def fine_disc(across_mm: float) -> NDArray[np.uint8]:
    """A disc as wide as this on the grid of `INK_PX_PER_MM`, for morphology."""
    return disc(across_mm, INK_PX_PER_MM)
