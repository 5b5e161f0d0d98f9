"""What the least possible costs: for each step one call of a library that does a part of it, on the same picture."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
import shapely
from numpy.typing import NDArray

from referee.bench.clock import usual_ms
from referee.model import BoardView, Judgement, Photo, Stage, Stroke
from referee.vision.clean import INK_PX_PER_MM
from referee.vision.flatten import FLAT_LEVELS, PhotoMap
from referee.vision.tags import at_scale

LOOK_PX = 1008
"""The longer side of the copy in which markers are looked for."""


@dataclass(frozen=True)
class Floor:
    """One call and how long it took."""

    call: str
    ms: float


def floors(
    photo: Photo, encoded: NDArray[np.uint8], view: BoardView, stage: Stage, judgement: Judgement, rounds: int
) -> dict[str, Floor]:
    """The floor under each step that has one, by the step's name; ``encoded`` (N,) are the photo's own bytes."""
    strokes = judgement.path.strokes if judgement.path else ()
    calls = {
        "decode": ("cv2.imdecode", lambda: cv2.imdecode(encoded, cv2.IMREAD_COLOR)),
        "find": ("cv2.aruco detectMarkers, copy of 1008 px", _markers(photo)),
        "flatten": (
            f"cv2.remap, {FLAT_LEVELS[0].px_per_mm:g} px/mm, grey",
            _warp(photo, view, FLAT_LEVELS[0].px_per_mm),
        ),
        "segment": (f"cv2.remap, {INK_PX_PER_MM:g} px/mm, colour", _warp(photo, view, INK_PX_PER_MM, colour=True)),
        "stroke": ("skimage skeletonize of the path", _skeleton(strokes, view.size_mm)),
        "judge": ("shapely.distance, path to white lines", _distances(strokes, stage)),
    }
    return {step: Floor(name, usual_ms(call, rounds)) for step, (name, call) in calls.items()}


def _markers(photo: Photo) -> Callable[[], object]:
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11))
    copy, _ = at_scale(np.asarray(cv2.cvtColor(photo.bgr, cv2.COLOR_BGR2GRAY), np.uint8), LOOK_PX)
    return lambda: detector.detectMarkers(copy)


def _warp(photo: Photo, view: BoardView, px_per_mm: float, *, colour: bool = False) -> Callable[[], object]:
    x, y = PhotoMap(view, px_per_mm).everywhere()
    picture = photo.bgr if colour else cv2.cvtColor(photo.bgr, cv2.COLOR_BGR2GRAY)
    return lambda: cv2.remap(picture, x, y, cv2.INTER_LINEAR)


def _skeleton(strokes: tuple[Stroke, ...], size_mm: tuple[float, float]) -> Callable[[], object]:
    from skimage.morphology import skeletonize

    inked = ink_of(strokes, size_mm, INK_PX_PER_MM) > 0
    thin: Callable[[object], object] = skeletonize
    return lambda: thin(inked)


def ink_of(strokes: tuple[Stroke, ...], size_mm: tuple[float, float], px_per_mm: float) -> NDArray[np.uint8]:
    """A path (H, W) as a mask of 0 and 255."""
    ink = np.zeros((round(size_mm[1] * px_per_mm), round(size_mm[0] * px_per_mm)), np.uint8)
    for stroke in strokes:
        width = max(1, round(2 * float(np.median(stroke.half_widths_mm)) * px_per_mm))
        cv2.polylines(ink, [np.rint(stroke.points_mm * px_per_mm).astype(np.int32)], False, 255, width)
    return ink


def _distances(strokes: tuple[Stroke, ...], stage: Stage) -> Callable[[], object]:
    lines = np.array([line.band for line in stage.white_lines], object)
    points = shapely.points(np.vstack([np.zeros((0, 2)), *(stroke.points_mm for stroke in strokes)]))
    return lambda: shapely.distance(points[:, None], lines[None])
