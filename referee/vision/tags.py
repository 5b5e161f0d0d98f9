"""The corner markers of a board, and finding them in a grey picture.

AprilTag 36h11 is read by OpenCV on reduced and enlarged copies; every corner is then measured again on the full
picture as the crossing of straight lines fitted to the marker's four sides.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from referee.vision.opencv import cv2

Floats = NDArray[np.float64]
Grey = NDArray[np.uint8]

PLACES = ("top left", "top right", "bottom right", "bottom left")
"""The four corners of a board, in the order of the markers' ids."""

_TONE_CURVE = (np.arange(256, dtype=np.float32) / 255.0) ** 2.2
_SAMPLES = 40
"""Places along a side at which its edge is measured."""


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
    """A marker in the photo: its id and the corners (4, 2) of its black square in photo pixels.

    ``sigma_px`` is one sigma of a corner's place; ``blur_px`` the sigma of the edges' blur, NaN if not measured.
    """

    marker_id: int
    corners_px: Floats
    sigma_px: float
    blur_px: float = float("nan")
    contrast: float = float("nan")


def reader(windows: tuple[int, int] = (7, 23)) -> cv2.aruco.ArucoDetector:
    """OpenCV's reader of AprilTag 36h11, thresholding in windows from the first to the second size in pixels."""
    settings = cv2.aruco.DetectorParameters()
    settings.adaptiveThreshWinSizeMin, settings.adaptiveThreshWinSizeMax = windows
    settings.adaptiveThreshWinSizeStep = 8
    settings.perspectiveRemovePixelPerCell = 8
    settings.minMarkerPerimeterRate = 0.02
    return cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11), settings)


def at_scale(grey: Grey, longer_px: int) -> tuple[Grey, float]:
    """A copy whose longer side is near ``longer_px``, and how many photo pixels one of its pixels spans.

    Reduced by whole numbers, which is many times as fast as by others and averages whole pixels; enlarged freely.
    """
    longer = max(grey.shape)
    if longer >= longer_px:
        step = max(1, round(longer / longer_px))
        if step == 1:
            return grey, 1.0
        rows, columns = grey.shape[0] // step * step, grey.shape[1] // step * step
        size = (columns // step, rows // step)
        return np.asarray(cv2.resize(grey[:rows, :columns], size, interpolation=cv2.INTER_AREA), np.uint8), float(step)
    grow = longer_px / longer
    return np.asarray(cv2.resize(grey, None, fx=grow, fy=grow, interpolation=cv2.INTER_CUBIC), np.uint8), 1 / grow


def read_tags(copy: Grey, span_px: float, windows: tuple[int, int] = (7, 23)) -> list[SeenTag]:
    """The markers in a copy of the photo of which one pixel spans ``span_px`` photo pixels; corners unrefined."""
    corners, ids, _ = reader(windows).detectMarkers(copy)
    seen = []
    for quad, marker_id in zip(corners, np.ravel(ids).tolist() if len(corners) else (), strict=True):
        # A copy's pixel centre (0, 0) is the centre of a whole block of photo pixels.
        place = (np.asarray(quad, float).reshape(4, 2) + 0.5) * span_px - 0.5
        seen.append(SeenTag(int(marker_id), place, max(1.0, span_px)))
    return seen


def refined(grey: Grey, tag: SeenTag) -> SeenTag:
    """The marker with its corners measured on the full photo; as it was where its sides cannot be measured.

    Blur acts on light and the camera's tone curve comes after it, so the edges are sought half-way in linear
    light; lines fitted to the sides away from the corners cross where the corners are (a corner's own pixels are
    rounded off by the blur, which puts cornerSubPix about a pixel inside).
    """
    corners = tag.corners_px
    fit = None
    for _ in range(3):
        step = _by_sides(grey, corners)
        if step is None:
            break
        moved = float(np.abs(step[0] - corners).max())
        fit, corners = step, step[0]
        if moved < 0.05:
            break
    if fit is None or np.abs(fit[0] - tag.corners_px).max() > 0.35 * _shortest_side(tag.corners_px):
        return tag
    return SeenTag(tag.marker_id, fit[0], fit[1], fit[2], fit[3])


def _shortest_side(quad: Floats) -> float:
    return float(np.hypot(*(np.roll(quad, -1, axis=0) - quad).T).min())


def _by_sides(grey: Grey, quad: Floats) -> tuple[Floats, float, float, float] | None:
    """Corners (4, 2), their sigma, the edges' blur (both px) and contrast from the four sides of a marker."""
    shortest = _shortest_side(quad)
    if shortest < 8:
        return None
    sides = [_side(grey, quad[k], quad[(k + 1) % 4], shortest) for k in range(4)]
    if any(side is None for side in sides):
        return None
    lines = [side for side in sides if side is not None]
    corners = np.array([_crossing(lines[k - 1].ends, lines[k].ends) for k in range(4)])
    if not np.isfinite(corners).all():
        return None
    return (
        corners,
        float(np.sqrt(np.mean([line.sigma_px**2 for line in lines]))) * 1.5 + 0.05,
        float(np.median([line.blur_px for line in lines])),
        float(np.median([line.contrast for line in lines])),
    )


@dataclass(frozen=True, eq=False)
class _Side:
    ends: Floats
    sigma_px: float
    blur_px: float
    contrast: float


def _side(grey: Grey, a: Floats, b: Floats, shortest: float) -> _Side | None:
    """The straight line through a side's edge points, from near ``a`` to near ``b``.

    Strategy: profiles across the side, dark inside to white outside, at places away from its ends; on each the
    half-way point between the side's own dark and white; a line through these points that outliers do not pull.
    """
    along = b - a
    length = float(np.hypot(*along))
    along = along / length
    outward = np.array([along[1], -along[0]])
    # A cell is an eighth of the side; the black rim is one cell wide, the white round it at least as wide.
    reach = float(np.clip(0.11 * shortest, 2.0, 9.0))
    where = np.linspace(0.12, 0.88, _SAMPLES)
    offsets = np.linspace(-reach, reach, 41)
    places = (a + where[:, None] * (b - a))[:, None] + offsets[None, :, None] * outward
    profiles = _sampled(grey, places)
    dark, white = np.median(profiles[:, :6]), np.median(profiles[:, -6:])
    if not white - dark > 0.02:
        return None
    edge = _half_way(profiles, offsets, float(dark + white) / 2)
    good = np.isfinite(edge)
    if good.sum() < _SAMPLES // 2:
        return None
    x, y = where[good] * length, edge[good]
    slope, height, rest = _robust_line(x, y)
    ends = np.array([a + height * outward, b + (height + slope * length) * outward])
    blur = _blur(profiles, offsets, float(dark), float(white))
    return _Side(ends, rest / np.sqrt(len(x)) * 2, blur, float(white - dark))


def _sampled(grey: Grey, places: Floats) -> NDArray[np.float32]:
    """Linear light (0 to 1) at places (..., 2): only the patch round them is converted."""
    low = np.maximum(np.floor(places.reshape(-1, 2).min(axis=0)).astype(int) - 3, 0)
    high = np.ceil(places.reshape(-1, 2).max(axis=0)).astype(int) + 4
    patch = grey[low[1] : high[1], low[0] : high[0]]
    if patch.size == 0:
        return np.zeros(places.shape[:2], np.float32)
    light = _TONE_CURVE[patch]
    local = (places - low).astype(np.float32)
    return np.asarray(
        cv2.remap(light, local[..., 0], local[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.float32
    )


def _half_way(profiles: NDArray[np.float32], offsets: Floats, half: float) -> Floats:
    """Where each profile (N, M) rises through ``half`` nearest the middle; NaN where it does not."""
    rises = (profiles[:, :-1] < half) & (profiles[:, 1:] >= half)
    distance = np.where(rises, np.abs(offsets[None, :-1]), np.inf)
    at = np.argmin(distance, axis=1)
    rows = np.arange(len(profiles))
    low, high = profiles[rows, at], profiles[rows, at + 1]
    with np.errstate(divide="ignore", invalid="ignore"):
        edge = offsets[at] + (half - low) / (high - low) * (offsets[1] - offsets[0])
    return np.where(rises.any(axis=1), edge, np.nan)


def _robust_line(x: Floats, y: Floats) -> tuple[float, float, float]:
    """Slope, height at 0 and rms rest of the line y(x), reweighted (Tukey) so that outliers do not count."""
    weight = np.ones_like(x)
    slope, height, rest = 0.0, float(np.median(y)), 1.0
    for _ in range(5):
        slope, height = np.polyfit(x, y, 1, w=np.sqrt(weight))
        gap = y - (slope * x + height)
        rest = max(1.4826 * float(np.median(np.abs(gap))), 0.02)
        weight = np.clip(1 - (gap / (4.7 * rest)) ** 2, 0, None) ** 2 + 1e-9
    return float(slope), float(height), rest


def _blur(profiles: NDArray[np.float32], offsets: Floats, dark: float, white: float) -> float:
    """The sigma in px of the Gaussian that spreads the edge: from its steepest rise."""
    steepest = np.percentile(np.gradient(profiles, offsets, axis=1).max(axis=1), 50)
    return float((white - dark) / max(float(steepest), 1e-6) / np.sqrt(2 * np.pi))


def _crossing(first: Floats, second: Floats) -> Floats:
    """Where the lines through two pairs of points (2, 2) cross."""
    matrix = np.column_stack([first[1] - first[0], second[0] - second[1]])
    if abs(np.linalg.det(matrix)) < 1e-6:
        return np.full(2, np.nan)
    return np.asarray(first[0] + (first[1] - first[0]) * np.linalg.solve(matrix, second[0] - first[0])[0])
