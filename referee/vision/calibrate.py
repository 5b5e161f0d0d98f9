"""Measuring a lens: from pictures of the printed target to a lens profile.

The target's chequer corners are found with its markers (ChArUco: S. Garrido-Jurado et al., 2014), so it may reach
beyond the picture; the camera is solved for by Z. Zhang's method (2000), both as OpenCV has them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from referee.errors import NoBoard, NotCalibrated
from referee.model import LensProfile, Photo, Target
from referee.vision.lens import folds
from referee.vision.opencv import cv2

Floats = NDArray[np.float64]

ENOUGH_CORNERS = 15
"""A picture that shows fewer corners of the target says too little."""
ENOUGH_PICTURES = 6
ADVICE = (
    "Take 8 to 12 pictures with the camera as it will stand: the target flat on a board, tilted by 20 to 40 degrees "
    "to the left, right, front and back in turn, and moved so that it also fills each corner of the picture."
)
STRAY = 3.0
"""A picture whose rest is so many times the median is left out: it was shaken, or the paper bent."""
STRAY_PX = 0.5
MOST_RMS = 5e-4
"""The largest rest, of the picture's longer side: 0.64 px at 1280."""
LEAST_TILT_SPREAD = 0.1
"""How far the target's direction must vary (standard deviation of its normal's sideways parts, both ways)."""
MOST_FOCAL_SIGMA = 0.02
"""One sigma of the focal length, of itself, beyond which the angles did not differ enough."""
K3_EARNS = 0.97
"""The third radial number is asked for only if the rest falls to this share: else it only bends the rim astray."""
_PARTS = (("left", "middle", "right"), ("top", "middle", "bottom"))


@dataclass(frozen=True, eq=False)
class Sighting:
    """The target in one picture: its corners (N, 2) on the print in mm, and in the picture in px."""

    source: str
    picture_wh: tuple[int, int]
    corners_mm: Floats
    corners_px: Floats


@dataclass(frozen=True, eq=False)
class Solution:
    """A lens as some sightings have it; those whose rest strays from the others' are in ``strays``."""

    lens: LensProfile
    strays: tuple[Sighting, ...]


def sight(photo: Photo, target: Target) -> Sighting:
    """The target's corners in a picture; raises `NoBoard` where there are too few."""
    grey = np.asarray(cv2.cvtColor(photo.bgr, cv2.COLOR_BGR2GRAY), np.uint8)
    board = _board(target)
    px, ids, _, markers = cv2.aruco.CharucoDetector(board).detectBoard(grey)
    count = 0 if ids is None else len(np.ravel(ids))
    if count < ENOUGH_CORNERS:
        seen = 0 if markers is None else len(np.ravel(markers))
        what = f"{count} corners of the target, {ENOUGH_CORNERS} are needed" if seen else "the target is not in it"
        raise NoBoard(f"{photo.source}: {what}.", "Show at least a third of it, sharp, without glare.")
    mm = np.asarray(board.getChessboardCorners(), float).reshape(-1, 3)[np.ravel(ids), :2]
    return Sighting(photo.source, (grey.shape[1], grey.shape[0]), mm, np.asarray(px, float).reshape(-1, 2))


def _board(target: Target) -> cv2.aruco.CharucoBoard:
    markers = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_ARUCO_MIP_36h12)
    return cv2.aruco.CharucoBoard((target.columns, target.rows), target.square_mm, target.marker_mm, markers)


def solve(sightings: Sequence[Sighting]) -> Solution:
    """The lens that all pictures agree on; raises `NotCalibrated` where they do not, or do not say enough."""
    if len(sightings) < ENOUGH_PICTURES:
        raise NotCalibrated(
            f"The target was found in {len(sightings)} pictures; at least {ENOUGH_PICTURES} are needed.", ADVICE
        )
    _refuse_blank_parts(sightings)
    fit = _Fit.of(sightings)
    limit = max(STRAY * float(np.median(fit.rests_px)), STRAY_PX)
    kept = [one for one, rest in zip(sightings, fit.rests_px, strict=True) if rest <= limit]
    if ENOUGH_PICTURES <= len(kept) < len(sightings):
        fit = _Fit.of(kept)
    fit.refuse_what_is_poor()
    return Solution(fit.lens, tuple(one for one in sightings if one not in kept))


def _refuse_blank_parts(sightings: Sequence[Sighting]) -> None:
    """Each ninth of the picture must have shown the target: the lens bends most at the rim."""
    size = np.array(sightings[0].picture_wh)
    cells = np.clip(np.concatenate([one.corners_px for one in sightings]) * 3 // size, 0, 2).astype(int)
    blank = [(x, y) for y in range(3) for x in range(3) if not (cells == [x, y]).all(1).any()]
    if blank:
        names = ", ".join(" ".join(dict.fromkeys([_PARTS[1][y], _PARTS[0][x]])) for x, y in blank)
        raise NotCalibrated(f"No picture shows the target at the picture's {names}.", ADVICE)


@dataclass(frozen=True, eq=False)
class _Fit:
    """What Zhang's method makes of some sightings: the lens, each picture's rest, the target's directions."""

    lens: LensProfile
    rests_px: Floats
    normals: Floats
    focal_sigma: float

    @staticmethod
    def of(sightings: Sequence[Sighting]) -> _Fit:
        """The fit with as few numbers of the lens as the pictures need."""
        few, all_ = (_Fit._with(sightings, flags) for flags in (cv2.CALIB_FIX_K3, 0))
        return all_ if all_.lens.rms_px < K3_EARNS * few.lens.rms_px else few

    @staticmethod
    def _with(sightings: Sequence[Sighting], flags: int) -> _Fit:
        wh = sightings[0].picture_wh
        flat = [np.pad(one.corners_mm, ((0, 0), (0, 1))).astype(np.float32) for one in sightings]
        seen = [one.corners_px.astype(np.float32).reshape(-1, 1, 2) for one in sightings]
        try:
            rms, matrix, bend, turns, _, sigmas, _, rests = cv2.calibrateCameraExtended(
                flat, seen, wh, None, None, flags=flags
            )
        except cv2.error as fault:
            raise NotCalibrated("The pictures of the target contradict each other.", ADVICE) from fault
        k = np.ravel(bend)[:5].tolist()
        lens = LensProfile(
            wh,
            (float(matrix[0, 0]), float(matrix[1, 1])),
            (float(matrix[0, 2]), float(matrix[1, 2])),
            (k[0], k[1], k[2], k[3], k[4]),
            float(rms),
            len(sightings),
        )
        normals = np.array([cv2.Rodrigues(turn)[0][:, 2] for turn in turns])
        sigma = float(np.max(np.ravel(sigmas)[:2] / lens.focal_px))
        return _Fit(lens, np.ravel(rests), normals, sigma)

    def refuse_what_is_poor(self) -> None:
        """Raises `NotCalibrated` if the target's angles were too much alike, the rest too large, the lens no lens."""
        limit = MOST_RMS * max(self.lens.picture_wh)
        if not self.lens.rms_px <= limit:
            raise NotCalibrated(
                f"The pictures fit one lens only to {self.lens.rms_px:.2f} px; {limit:.2f} px is the most.",
                "Glue the target to something flat, hold it still, switch off zoom, autofocus and steadying. " + ADVICE,
            )
        spread = np.linalg.svd(self.normals[:, :2] - self.normals[:, :2].mean(0), compute_uv=False)
        if spread[1] / np.sqrt(len(self.normals)) < LEAST_TILT_SPREAD or not self.focal_sigma <= MOST_FOCAL_SIGMA:
            raise NotCalibrated("The target was held at much the same angle in all pictures.", ADVICE)
        if folds(self.lens):
            raise NotCalibrated(
                "What was found is no lens: its model folds back before the picture's corners.",
                "Fill the corners of the picture with the target, too. " + ADVICE,
            )


__all__ = ["ADVICE", "Sighting", "Solution", "sight", "solve"]
