"""Where one board lies in a picture, by features that it shares with the board's print; and whether it really does.

Every feature of the picture is paired with the print's most like it, if that is clearly more like than the next; a
plane that many pairs agree on is looked for at random (MAGSAC++: D. Barath et al., 2020).  A plane is believed if a
board can lie so, if the pairs that hold it are spread over the board, and if picture and print, one laid on the other,
look alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from referee.model import Floats
from referee.vision.artwork.features import PHOTO_PX, UNIT, Features
from referee.vision.artwork.known import BLUR_PX, WINDOW_PX, Known, cells_alike
from referee.vision.clean import even
from referee.vision.opencv import cv2
from referee.vision.plane import mapped

CLEARLY = 0.86
"""A pair's distance is at most this share of the next best's."""
MUCH_THE_SAME = 2.0
"""In place of that for prints that look much the same either way up, where the next best is as good."""
LEAST_PAIRS = 9
OFF_PX = 5.0
"""How far off a plane a pair may be, in pixels of a copy of `PHOTO_PX`: paper bows."""
PARTS = (5, 4)
LEAST_PARTS = 5
"""Pairs lie in at least so many of the board's parts."""
TRIES = 3
"""Planes that are no board's are put aside this often."""
SMALLEST_SHARE = 0.02
"""A board that takes less of the picture cannot be judged."""
MOST_SLANTED = 5.0
"""No side of a board looks more than so many times as long as the one opposite."""

LEAST_CELLS = 6
MOST_HIDDEN = 0.4
"""So much of a board may be hidden by hands, glare and ink: the rest has to look alike."""
ALIKE = 0.6
"""The usual correlation of what is not hidden, from which on a board is believed."""


@dataclass(frozen=True, eq=False)
class Pairs:
    """Features that two pictures seem to share: their places on the print (N, 2) in mm and in the photo (N, 2) in px.

    The clearest come first.
    """

    print_mm: NDArray[np.float32]
    photo_px: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.print_mm)

    def some(self, chosen: NDArray[np.bool_] | NDArray[np.intp]) -> Pairs:
        """Those that are chosen."""
        return Pairs(self.print_mm[chosen], self.photo_px[chosen])


@dataclass(frozen=True, eq=False)
class Match:
    """A board's plane (3, 3), from its mm to the photo's px, with what speaks for it.

    ``pairs`` are the features that hold it, ``alike`` the usual correlation of print and picture, at most 1.
    """

    plane: Floats
    pairs: Pairs
    alike: float


@dataclass(frozen=True, eq=False)
class Seen:
    """A photo as recognition sees it: ``grey`` values (h, w) of a small copy, each of ``span`` px, and its size."""

    grey: NDArray[np.uint8]
    span: float
    picture_wh: tuple[int, int]


def match(seen: Seen, photo: Features, board: Known) -> Match | None:
    """Where a board lies in a photo; None if it does not."""
    for clearly in (CLEARLY, MUCH_THE_SAME) if board.is_twofold else (CLEARLY,):
        pairs = paired(photo, board.features, clearly)
        for plane, held in _planes(pairs, seen.picture_wh, board.size_mm):
            laid = _laid(seen, plane, board)
            alike = _likeness(laid, board)
            if alike < ALIKE:
                continue
            if board.is_twofold and _is_upside_down(laid, board):
                turned = Pairs((np.array(board.size_mm) - held.print_mm).astype(np.float32), held.photo_px)
                return Match(plane @ _half_turn(board.size_mm), turned, alike)
            return Match(plane, held, alike)
    return None


def _half_turn(size_mm: tuple[float, float]) -> Floats:
    return np.array([[-1.0, 0.0, size_mm[0]], [0.0, -1.0, size_mm[1]], [0.0, 0.0, 1.0]])


def paired(photo: Features, board: Features, clearly: float = CLEARLY) -> Pairs:
    """The features of a photo, each with the one of a board's print that is clearly the most like it."""
    if len(board) < 2 or not len(photo):
        return Pairs(np.empty((0, 2), np.float32), np.empty((0, 2), np.float32))
    known = board.looks.astype(np.float32) / np.float32(UNIT)
    asked = photo.looks.astype(np.float32) / np.float32(UNIT)
    near = asked @ known.T
    near -= 0.5 * (known**2).sum(1)
    rows, best = np.arange(len(near)), near.argmax(1)
    first = near[rows, best].copy()
    near[rows, best] = -np.inf
    off = np.sqrt(np.maximum((asked**2).sum(1) - 2 * np.stack([first, near.max(1)]), 1e-9))
    order = np.argsort(off[0] / off[1], kind="stable")
    order = order[(off[0] < clearly * off[1])[order]]
    return Pairs(board.places[best[order]], photo.places[order])


def _planes(pairs: Pairs, picture_wh: tuple[int, int], size_mm: tuple[float, float]) -> Iterator[tuple[Floats, Pairs]]:
    """Planes on which a board may lie, that pairs agree on, the best held first."""
    off_px = OFF_PX * max(picture_wh) / PHOTO_PX
    for _ in range(TRIES):
        if len(pairs) < LEAST_PAIRS:
            return
        plane, held = cv2.findHomography(pairs.print_mm, pairs.photo_px, cv2.USAC_MAGSAC, off_px, None, 4000, 0.9999)
        if plane is None or held is None or abs(plane[2, 2]) < 1e-12:
            return
        chosen = np.asarray(held).ravel() > 0
        if chosen.sum() < LEAST_PAIRS:
            return
        plane, mine = np.asarray(plane / plane[2, 2], np.float64), pairs.some(chosen)
        if is_plausible(plane, picture_wh, size_mm) and _is_spread(mine, size_mm):
            yield plane, mine
        pairs = pairs.some(~chosen)


def outline_mm(size_mm: tuple[float, float]) -> Floats:
    """A board's corners (4, 2), top left first, clockwise."""
    return np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]) * size_mm


def is_plausible(plane: Floats, picture_wh: tuple[int, int], size_mm: tuple[float, float]) -> bool:
    """Whether a board can lie so: before the camera, its front up, not too small and not too slanted."""
    corners = outline_mm(size_mm)
    depth = np.column_stack([corners, np.ones(4)]) @ plane[2]
    if (depth * np.sign(plane[2, 2]) <= 1e-9).any():
        return False
    seen = mapped(plane, corners)
    if not np.isfinite(seen).all():
        return False
    sides = np.roll(seen, -1, axis=0) - seen
    after = np.roll(sides, -1, axis=0)
    turns = sides[:, 0] * after[:, 1] - sides[:, 1] * after[:, 0]
    lengths = np.hypot(*sides.T)
    shape = np.maximum(lengths[:2], lengths[2:]) < MOST_SLANTED * np.minimum(lengths[:2], lengths[2:])
    if (turns <= 0.1 * lengths * np.roll(lengths, -1)).any() or not shape.all():
        return False
    w, h = picture_wh
    inside, _ = cv2.intersectConvexConvex(
        seen.astype(np.float32), np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
    )
    area = float(cv2.contourArea(seen.astype(np.float32)))
    return inside > SMALLEST_SHARE * w * h and inside > 0.4 * area


def _is_spread(pairs: Pairs, size_mm: tuple[float, float]) -> bool:
    """Whether the pairs lie in enough parts of the board, and not all on one line."""
    part = np.clip((pairs.print_mm / size_mm * PARTS).astype(int), 0, np.array(PARTS) - 1)
    places = np.unique(part[:, 1] * PARTS[0] + part[:, 0])
    return len(places) >= LEAST_PARTS and len(np.unique(part[:, 0])) >= 2 and len(np.unique(part[:, 1])) >= 2


@dataclass(frozen=True, eq=False)
class _Laid:
    """A photo laid on a print's small picture, its light evened out (h, w), and where it shows the board at all."""

    evened: NDArray[np.float32]
    there: NDArray[np.bool_]


def _laid(seen: Seen, plane: Floats, board: Known) -> _Laid:
    rows, columns = board.look.shape
    to_mm = np.diag([board.size_mm[0] / columns, board.size_mm[1] / rows, 1.0]) @ _shifted(0.5)
    to_small = _shifted(-0.5) @ np.diag([1 / seen.span, 1 / seen.span, 1.0]) @ _shifted(0.5) @ plane @ to_mm
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    flat = cv2.warpPerspective(seen.grey, to_small, (columns, rows), flags=how, borderMode=cv2.BORDER_REPLICATE)
    x, y = np.meshgrid(np.arange(columns), np.arange(rows))
    places = mapped(to_small, np.column_stack([x.ravel(), y.ravel()]).astype(float)).reshape(rows, columns, 2)
    there = np.asarray(((places > 0) & (places < np.array(seen.grey.shape[::-1]) - 1)).all(2), np.bool_)
    return _Laid(even(flat.astype(np.float32) / np.float32(255), BLUR_PX, WINDOW_PX), there)


def _shifted(by: float) -> Floats:
    return np.array([[1.0, 0.0, by], [0.0, 1.0, by], [0.0, 0.0, 1.0]])


def _likeness(laid: _Laid, board: Known) -> float:
    """How alike print and photo are (-1 to 1): the usual correlation of the parts that show."""
    cells = cells_alike(board.evened, laid.evened, laid.there)
    if len(cells) < LEAST_CELLS:
        return -1.0
    return float(np.median(np.sort(cells)[round(len(cells) * MOST_HIDDEN) :]))


def _is_upside_down(laid: _Laid, board: Known) -> bool:
    """Whether the photo looks more like the print turned by half: where the two differ alone tells."""
    differ = board.evened - board.evened[::-1, ::-1]
    return float((laid.evened * differ)[laid.there].sum()) < 0
