"""Where a board lies in a frame: found by its markers, followed by its print.

A board is found once, with the photo's own care (plane, lens, bend).  From then on only how it has moved since is
looked for: points of the print that tell are followed from the board's own remembered look into the frame laid flat
(B. Lucas, T. Kanade, 1981), so nothing drifts; points under a hand do not fit the move of the others (RANSAC) and have
no say.  A jerk that is too wide for that is caught by whatever markers are in view: with two of them, or one, what they
say is made exact by the print.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.model import BoardView, Floats
from referee.vision.clean import grid_wh
from referee.vision.flatten import PhotoMap
from referee.vision.tags import BoardTag, SeenTag

PX_PER_MM = 3.0
"""A board is watched on a flat grid this fine: about as fine as a 1280 x 720 frame shows an A4 board."""
STILL_PX = 0.12
"""Corners that seem to have moved by less than this have not."""
POINTS, APART_PX = 140, 14
LEAST_POINTS, LEAST_SHARE = 14, 0.22
"""With fewer points of the print, or less than this share of them, nothing is known of how a board moved."""
FITS_PX = 0.8
WINDOW_PX = (13, 13)
FAR_WINDOW_PX = (21, 21)

Grey = NDArray[np.uint8]
Picture = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Lay:
    """A board's place: ``view`` as it was found, ``moved`` (3, 3) from that frame's pixels to this one's."""

    view: BoardView
    moved: Floats

    @cached_property
    def wh(self) -> tuple[int, int]:
        """Columns and rows of the flat grid."""
        return grid_wh(self.view.size_mm, PX_PER_MM)

    @cached_property
    def _found_at(self) -> PhotoMap:
        return PhotoMap(self.view, PX_PER_MM)

    @cached_property
    def _maps(self) -> tuple[NDArray[np.int16], NDArray[np.uint16]]:
        """For `cv2.remap`: exact at nodes 2 mm apart, linear between."""
        place = self._found_at
        nodes = cv2.perspectiveTransform(place.nodes.reshape(1, -1, 2).astype(np.float64), self.moved)
        nodes = nodes.reshape(place.nodes.shape).astype(np.float32)
        inner = (slice(place.step, place.step + place.rows), slice(place.step, place.step + place.columns))
        size = (nodes.shape[1] * place.step, nodes.shape[0] * place.step)
        wide = cv2.resize(nodes, size, interpolation=cv2.INTER_LINEAR)[inner]
        first, second = cv2.convertMaps(np.ascontiguousarray(wide), None, cv2.CV_16SC2)
        return np.asarray(first), np.asarray(second)

    def flat(self, frame_bgr: Picture) -> Picture:
        """The frame laid flat (H, W, 3) on the board's grid; what lies beyond the frame is as its rim.

        OpenCV takes half as long for that as for black.
        """
        return np.asarray(
            cv2.remap(frame_bgr, *self._maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8
        )

    def to_frame(self, points_mm: Floats) -> Floats:
        """Pixels (N, 2) of board points (N, 2)."""
        there = self.view.to_photo(points_mm).reshape(1, -1, 2)
        return np.asarray(cv2.perspectiveTransform(there, self.moved)[0], np.float64)

    def corners_px(self) -> Floats:
        """The board's corners (4, 2) in the frame."""
        w, h = self.view.size_mm
        return self.to_frame(np.array([[0.0, 0.0], [w, 0.0], [w, h], [0.0, h]]))

    def after(self, moved: Floats) -> Lay:
        """The same board, moved."""
        later = replace(self, moved=np.asarray(moved / moved[2, 2]))
        later.__dict__["_found_at"] = self._found_at
        return later

    def far_px(self, other: Lay) -> float:
        """How far a corner lies from where another lay has it, at most."""
        return float(np.hypot(*(self.corners_px() - other.corners_px()).T).max())


def pixels_at(points_mm: Floats, grid: NDArray[Any]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Rows and columns, each (N,), of board points (N, 2) on a flat grid (H, W): the nearest for those off it."""
    height, width = grid.shape[:2]
    x, y = np.clip((points_mm * PX_PER_MM).astype(np.intp), 0, [width - 1, height - 1]).T
    return y, x


class Follower:
    """Follows a board by its remembered look: ``follow`` says where it lies now, None where that is not known."""

    def __init__(self, look_grey: Grey) -> None:
        self.grey = look_grey
        found = cv2.goodFeaturesToTrack(look_grey, POINTS, 0.02, APART_PX)
        self.points = np.zeros((0, 1, 2), np.float32) if found is None else np.asarray(found, np.float32)

    def follow(self, lay: Lay, flat_grey: Grey, wide: bool = False) -> Lay | None:
        """The lay in a frame that ``flat_grey`` (H, W) shows laid flat as ``lay`` has it, evened in light."""
        if len(self.points) < LEAST_POINTS:
            return None
        window, levels = (FAR_WINDOW_PX, 3) if wide else (WINDOW_PX, 2)
        there, ok, _ = cv2.calcOpticalFlowPyrLK(
            self.grey, flat_grey, self.points, None, winSize=window, maxLevel=levels
        )
        good = ok.ravel() > 0
        if good.sum() < LEAST_POINTS:
            return None
        was, now = self.points[good].reshape(-1, 2), there[good].reshape(-1, 2)
        moved, fits = cv2.findHomography(was, now, cv2.RANSAC, FITS_PX, maxIters=300)
        if moved is None:
            return None
        share = float(fits.sum()) / len(self.points)
        if fits.sum() < LEAST_POINTS or share < LEAST_SHARE or not _spread(was[fits.ravel() > 0], self.grey.shape):
            return None
        return self._moved(lay, was[fits.ravel() > 0], now[fits.ravel() > 0])

    def _moved(self, lay: Lay, was_px: Floats, now_px: Floats) -> Lay | None:
        """The lay for which what was seen at ``now`` on the flat grid lies at ``was``."""
        found_at = lay.view.to_photo((was_px + 0.5) / PX_PER_MM)
        seen_at = lay.to_frame((now_px + 0.5) / PX_PER_MM)
        fitted, _ = cv2.findHomography(found_at, seen_at, 0)
        if fitted is None or not np.isfinite(fitted).all() or abs(np.linalg.det(fitted)) < 1e-6:
            return None
        later = lay.after(np.asarray(fitted, np.float64))
        return lay if later.far_px(lay) < STILL_PX else later


def _spread(points: Floats, shape: tuple[int, ...]) -> bool:
    """Whether points reach over enough of the board to say how all of it moved."""
    reach = np.ptp(points, axis=0)
    return bool(reach[0] > 0.3 * shape[1] and reach[1] > 0.3 * shape[0])


def by_markers(lay: Lay, tags: Sequence[tuple[SeenTag, BoardTag]]) -> Lay | None:
    """Where the board lies by the markers of its own that are in view: at least one."""
    if not tags:
        return None
    found_at = np.vstack([lay.view.to_photo(about.corners_mm) for _, about in tags])
    seen_at = np.vstack([seen.corners_px for seen, _ in tags])
    if len(tags) >= 2:
        fitted, _ = cv2.findHomography(found_at, seen_at, cv2.RANSAC, 3.0)
    else:
        # One marker's corners say where it lies and how it is turned; of the rest they say too little.
        affine, _ = cv2.estimateAffinePartial2D(found_at, seen_at)
        fitted = None if affine is None else np.vstack([affine, [0.0, 0.0, 1.0]])
    if fitted is None or not np.isfinite(fitted).all():
        return None
    later = lay.after(np.asarray(fitted, np.float64))
    return later if _sane(later, lay) else None


def _sane(later: Lay, lay: Lay) -> bool:
    """A board does not change its size by much, nor turn over."""
    here, there = later.corners_px(), lay.corners_px()
    sizes = [_area(corners) for corners in (here, there)]
    return sizes[0] * sizes[1] > 0 and 0.5 < sizes[0] / sizes[1] < 2.0


def _area(corners: Floats) -> float:
    x, y = corners.T
    return float(0.5 * (x @ np.roll(y, -1) - y @ np.roll(x, -1)))
