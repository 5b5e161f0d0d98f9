"""Reading corner markers (AprilTag 36h11), or the markers of another book of 36 cells, in a grey picture.

Done here and not by OpenCV's detector, which wants 0.6 ms for each square shape in the picture (a chequered
tablecloth has hundreds) and reads bit by bit: here all shapes are compared at once with all codes as they look,
which also reads markers of two pixels a cell that blur has washed together.  A code's own mirror image is one
more look, so a mirrored picture is noticed for nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from referee.hands import for_each, shares
from referee.vision.opencv import cv2

Floats = NDArray[np.float64]
Grey = NDArray[np.uint8]
Book = Literal["APRILTAG_36h11", "ARUCO_MIP_36h12"]
"""The markers that are read, by OpenCV's name: those on boards, and those on loose pieces."""

PLACES = ("top left", "top right", "bottom right", "bottom left")
"""The four corners of a board, in the order of the markers' ids."""

CELLS = 8
"""A marker is 8 × 8 cells: 6 × 6 of code inside a black rim one cell wide."""
MIN_SIDE_PX = 8
"""Shapes smaller than a pixel a cell are no markers."""
MAX_SIDE_SHARE = 0.35
"""Three markers of a board are in the picture, so that none of them is as large as this share of its longer side."""
MIN_FILL = 0.15
"""A marker's rim alone is 28 of its 64 cells, and half as much of the box around it if it stands on a corner."""
MIN_LIKENESS = 0.72
"""Correlation of a marker's 36 code cells with its code, from which on it counts as read."""
DARK_RIM = 0.85
"""Of a marker's rim more than this share of the cells is dark; blur washes some of the code's white into it."""
MIN_LEAD = 0.12
"""How much more a marker must look like its code than like any other."""

_THRESHOLD_WINDOW_PX = 15
_DARKER_BY = 7
ROWS_AT_ONCE = 800
"""So many rows of a picture are reduced at once."""
_SPOTS = 4
"""A cell is sampled at 4 × 4 spots."""


@dataclass(frozen=True, eq=False)
class BoardTag:
    """What a stage's file says about one marker id: whose it is and where it sits.

    ``stage_number`` and ``copy`` name the board, ``place`` its corner (0 top left, clockwise as printed),
    ``corners_mm`` (4, 2) the outer black square, top left first; ``size_mm`` is the board's width and height.
    """

    stage_number: int
    copy: Literal["A", "B"]
    place: int
    corners_mm: Floats
    size_mm: tuple[float, float]

    @property
    def board(self) -> tuple[int, Literal["A", "B"]]:
        """Stage number and copy: what all markers of one board share."""
        return self.stage_number, self.copy


Tags = Callable[[int], BoardTag | None]
"""A marker id to what is known about it; None if no stage file has it."""


@dataclass(frozen=True, eq=False)
class SeenTag:
    """A marker in the photo: its id and the corners (4, 2) of its black square in photo pixels, as printed.

    ``sigma_px`` is one sigma of a corner's place; ``blurs_px`` (4,) the sigma of each side's blur, the side from the
    first corner to the second first, None if the sides were not measured; ``mirrored`` if it shows as in a mirror.
    """

    marker_id: int
    corners_px: Floats
    sigma_px: float
    blurs_px: Floats | None = None
    mirrored: bool = False


def at_scale(grey: Grey, longer_px: int) -> tuple[Grey, float]:
    """A copy whose longer side is near ``longer_px``, and how many photo pixels one of its pixels spans.

    Reduced by whole numbers, which is many times as fast as by others and averages whole pixels; enlarged freely.
    """
    longer = max(grey.shape)
    if step := step_to(longer, longer_px):
        step = min(step, min(grey.shape))
        return (reduced(grey, step) if step > 1 else grey), float(step)
    grow = longer_px / longer
    return np.asarray(cv2.resize(grey, None, fx=grow, fy=grow, interpolation=cv2.INTER_CUBIC), np.uint8), 1 / grow


def step_to(longer: int, longer_px: int) -> int:
    """By how much a picture with this longer side is reduced to come near ``longer_px``; 0 if it is smaller."""
    return max(1, round(longer / longer_px)) if longer >= longer_px else 0


def reduced(picture: NDArray[np.uint8], step: int) -> NDArray[np.uint8]:
    """The means (h, w[, 3]) of ``step`` x ``step`` pixels; what is left over at the right and the bottom is dropped.

    Halved as long as that goes, which OpenCV does five times as fast as anything else.
    """
    while step > 1:
        by = 2 if step % 2 == 0 else step
        rows, columns = picture.shape[0] // by, picture.shape[1] // by
        picture = _means(picture[: rows * by, : columns * by], (columns, rows), by)
        step //= by
    return picture


def _means(picture: NDArray[np.uint8], wh: tuple[int, int], by: int) -> NDArray[np.uint8]:
    """The means of ``by`` x ``by`` pixels of a picture that is made of those; large ones by all hands."""
    small = np.empty((wh[1], wh[0], *picture.shape[2:]), np.uint8)

    def part(rows: slice) -> None:
        some = picture[rows.start * by : rows.stop * by]
        cv2.resize(some, (wh[0], rows.stop - rows.start), dst=small[rows], interpolation=cv2.INTER_AREA)

    for_each(part, shares(wh[1], ROWS_AT_ONCE))
    return small


def read_tags(copy: Grey, span_px: float, book: Book = "APRILTAG_36h11", dark_rim: float = DARK_RIM) -> list[SeenTag]:
    """The markers of a book in a copy whose pixels span ``span_px`` photo pixels each; corners unrefined.

    ``dark_rim`` is the share of a rim's cells that must be dark.
    """
    quads = _dark_quads(copy)
    if not len(quads):
        return []
    seen = []
    for quad, code in zip(quads, _codes(_cells(copy, quads), _looks(book), dark_rim), strict=True):
        if code is None:
            continue
        marker_id, turn, mirrored = code
        corners = quad[[((1 - place if mirrored else place) - turn) % 4 for place in range(4)]]
        # A copy's pixel (0, 0) covers a whole block of photo pixels; its centre is the block's.
        seen.append(SeenTag(marker_id, (corners + 0.5) * span_px - 0.5, max(1.0, span_px), mirrored=mirrored))
    return seen


# ------------------------------------------------------------------------------------------------ shapes


def _dark_quads(copy: Grey) -> Floats:
    """Four-cornered dark shapes (N, 4, 2), clockwise as seen, in the copy's pixels.

    Dark is darker than the neighbourhood; small specks go before outlines are followed, since a rough table has
    tens of thousands.
    """
    dark = cv2.adaptiveThreshold(
        copy, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, _THRESHOLD_WINDOW_PX, _DARKER_BY
    )
    # By this method it takes two thirds of the time that the usual one takes.
    _, labels, stats, _ = cv2.connectedComponentsWithStatsWithAlgorithm(dark, 8, cv2.CV_32S, cv2.CCL_GRANA)
    width, height = stats[:, cv2.CC_STAT_WIDTH], stats[:, cv2.CC_STAT_HEIGHT]
    fit = (np.minimum(width, height) >= MIN_SIDE_PX * 0.7) & (stats[:, cv2.CC_STAT_AREA] >= 3 * MIN_SIDE_PX)
    # What spreads over the picture is no marker, and following its thousands of holes would take seconds.
    fit &= np.maximum(width, height) <= MAX_SIDE_SHARE * max(copy.shape)
    fit &= stats[:, cv2.CC_STAT_AREA] >= MIN_FILL * width * height
    fit[0] = False
    fitting = np.take(fit.astype(np.uint8), labels)
    outlines, tree = cv2.findContours(fitting, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    if not len(outlines):
        return np.zeros((0, 4, 2))
    # Only outer outlines: the inner one of a marker's rim is no marker.
    outer = np.asarray(tree).reshape(-1, 4)[:, 3] < 0
    shapes = [
        (line, _quad(line)) for line, is_outer in zip(outlines, outer, strict=True) if is_outer and len(line) >= 24
    ]
    lines = [line for line, quad in shapes if quad is not None]
    quads = np.array([quad for _, quad in shapes if quad is not None], float).reshape(-1, 4, 2)
    if not len(quads):
        return quads
    worth = np.flatnonzero(_rim_is_dark(_cells(copy, quads), 0.6))
    return np.array([_straightened(lines[k].reshape(-1, 2).astype(float), quads[k]) for k in worth]).reshape(-1, 4, 2)


def _quad(outline: NDArray[np.int32]) -> Floats | None:
    """The corners (4, 2) of an outline with four of them, clockwise as seen; None for any other."""
    rough = cv2.approxPolyDP(outline, 0.045 * len(outline), True).reshape(-1, 2)
    if len(rough) != 4 or not cv2.isContourConvex(rough.astype(np.int32)):
        return None
    quad = rough.astype(float)
    sides = np.roll(quad, -1, axis=0) - quad
    lengths = np.hypot(sides[:, 0], sides[:, 1])
    if lengths.min() < MIN_SIDE_PX * 0.7 or lengths.max() > 8 * lengths.min():
        return None
    return np.asarray(quad if _is_clockwise(sides) else quad[::-1], np.float64)


def _is_clockwise(sides: Floats) -> bool:
    after = np.roll(sides, -1, axis=0)
    return bool((sides[:, 0] * after[:, 1] - sides[:, 1] * after[:, 0]).sum() > 0)


def _straightened(outline: Floats, quad: Floats) -> Floats:
    """Corners (4, 2) where straight lines through the outline's points along each side cross.

    The outline runs through the centres of the outermost dark pixels, so the sides lie half a pixel further out.
    """
    sides = np.roll(quad, -1, axis=0) - quad
    lengths = np.hypot(sides[:, 0], sides[:, 1])
    along = sides / lengths[:, None]
    outward = np.stack([along[:, 1], -along[:, 0]], axis=1)
    from_start = outline[:, None, :] - quad
    t = (from_start * along).sum(axis=2)
    off = (from_start * outward).sum(axis=2)
    weight = ((t > 0.1 * lengths) & (t < 0.9 * lengths) & (np.abs(off) < 2.5)).astype(float)
    count = weight.sum(axis=0)
    if count.min() < 4:
        return quad
    t_mean, off_mean = (weight * t).sum(axis=0) / count, (weight * off).sum(axis=0) / count
    slope = (weight * (t - t_mean) * off).sum(axis=0) / np.maximum((weight * (t - t_mean) ** 2).sum(axis=0), 1e-9)
    starts = quad + (off_mean - slope * t_mean + 0.5)[:, None] * outward
    corners = crossings(starts, along + slope[:, None] * outward)
    return corners if np.isfinite(corners).all() and np.abs(corners - quad).max() < 4 else quad


def crossings(starts: Floats, directions: Floats) -> Floats:
    """Corners (4, 2) of the shape whose side k runs from starts[k] along directions[k]: side k-1 meets side k there.

    NaN where neighbours are parallel.
    """
    s0, d0 = np.roll(starts, 1, axis=0), np.roll(directions, 1, axis=0)
    cross = d0[:, 0] * directions[:, 1] - d0[:, 1] * directions[:, 0]
    gap = starts - s0
    with np.errstate(divide="ignore", invalid="ignore"):
        t = (gap[:, 0] * directions[:, 1] - gap[:, 1] * directions[:, 0]) / cross
    return np.asarray(np.where(np.abs(cross[:, None]) > 1e-6, s0 + t[:, None] * d0, np.nan))


# ------------------------------------------------------------------------------------------------ codes


def _cells(copy: Grey, quads: Floats) -> Floats:
    """The mean grey of each shape's cells (N, 8, 8), row by row from its first corner."""
    spots = (np.arange(CELLS * _SPOTS) + 0.5) / _SPOTS
    square = np.array([[0, 0], [CELLS, 0], [CELLS, CELLS], [0, CELLS]], np.float32)
    grid = np.stack([*np.meshgrid(spots, spots), np.ones((len(spots), len(spots)))], axis=-1).reshape(-1, 3)
    planes = np.array([cv2.getPerspectiveTransform(square, quad.astype(np.float32)) for quad in quads])
    there = grid @ planes.transpose(0, 2, 1)
    places = (there[..., :2] / there[..., 2:]).astype(np.float32).reshape(-1, len(spots), 2)
    rows = 32000 // len(spots) * len(spots)  # remap takes no more than 32767 rows at once
    parts = [
        cv2.remap(copy, part[..., 0], part[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        for part in (places[k : k + rows] for k in range(0, len(places), rows))
    ]
    seen = np.concatenate(parts).astype(np.float32)
    return np.asarray(seen.reshape(len(quads), CELLS, _SPOTS, CELLS, _SPOTS).mean(axis=(2, 4)), np.float64)


@cache
def _looks(book: Book) -> NDArray[np.float32]:
    """Every code of N in every look (N × 8, 36), normed: four turns, then four turns of the mirror image."""
    codes = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, f"DICT_{book}")).bytesList
    count = len(codes)
    bits = np.array([cv2.aruco.Dictionary.getBitsFromByteList(codes[k : k + 1], 6) for k in range(count)])
    looks = [np.rot90(some, turn, axes=(1, 2)) for some in (bits, bits[:, :, ::-1]) for turn in range(4)]
    flat = np.stack(looks, axis=1).reshape(count * 8, 36).astype(np.float32)
    flat = flat - flat.mean(axis=1, keepdims=True)
    return np.asarray(flat / np.linalg.norm(flat, axis=1, keepdims=True), np.float32)


def code_cells(marker_id: int) -> NDArray[np.uint8]:
    """The marker (8, 8) as printed: 1 white, 0 black, its rim included."""
    book = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    code = cv2.aruco.Dictionary.getBitsFromByteList(book.bytesList[marker_id : marker_id + 1], 6)
    return np.pad(np.asarray(code, np.uint8), 1)


def _codes(cells: Floats, looks: NDArray[np.float32], dark_rim: float) -> list[tuple[int, int, bool] | None]:
    """What each shape (N, 8, 8) reads as: (id, quarter turns, mirrored), or None.

    A shape reads as a code if its inner cells go with it clearly better than with any other code, and its rim is
    as dark as the code's dark cells.
    """
    inner = cells[:, 1:7, 1:7].reshape(-1, 36)
    spread = inner - inner.mean(axis=1, keepdims=True)
    size = np.linalg.norm(spread, axis=1, keepdims=True)
    likeness = (spread / np.maximum(size, 1e-6)).astype(np.float32) @ looks.T
    best = likeness.argmax(axis=1)
    by_code = likeness.reshape(len(cells), -1, 8).max(axis=2)
    lead = likeness.max(axis=1) - np.partition(by_code, -2, axis=1)[:, -2]
    rim = _rim_is_dark(cells, dark_rim)
    good = (likeness.max(axis=1) >= MIN_LIKENESS) & (lead >= MIN_LEAD) & rim & (size[:, 0] > 36)
    return [
        (int(look) // 8, int(look) % 4, int(look) % 8 >= 4) if ok else None for look, ok in zip(best, good, strict=True)
    ]


def _rim_is_dark(cells: Floats, share: float) -> NDArray[np.bool_]:
    """Whether of each shape (N, 8, 8) more than this share of the rim's cells is darker than half-way between
    the inner cells' dark and white."""
    inner = cells[:, 1:7, 1:7].reshape(-1, 36)
    half = (np.percentile(inner, 10, axis=1) + np.percentile(inner, 90, axis=1)) / 2
    rim = np.ones((CELLS, CELLS), bool)
    rim[1:7, 1:7] = False
    return np.asarray((cells[:, rim] < half[:, None]).mean(axis=1) > share)
