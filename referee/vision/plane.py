"""From measured markers to a board's plane, with the lens where the markers show it.

Sixteen corners know more than a plane's eight numbers.  Two of the rest are worth asking for: how the lens bends
straight lines (one radial coefficient about the picture's middle), and by how much dark squares look too small or
too large in this photo (the tone curve is only roughly known); left out, the second would pass for the first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from referee.model import BoardView
from referee.vision.opencv import cv2
from referee.vision.tags import BoardTag, SeenTag

Floats = NDArray[np.float64]

BEND_STEP_MM = 15.0
"""Distance between the nodes on which a lens is handed over as a bend."""
MAX_K1 = 0.15
"""A stronger lens than this (phones: 0.02, webcams: 0.1) is no lens but bent paper."""
_SIGMA_K1 = 0.1
_SIGMA_GROWTH_MM = 0.1
_FLOOR_PX = 0.08
"""No corner is better known than this, whatever the spread of its side says."""


@dataclass(frozen=True, eq=False)
class Placed:
    """A marker in the photo together with what the stage says about it."""

    tag: BoardTag
    seen: SeenTag


@dataclass(frozen=True, eq=False)
class Lens:
    """Radial distortion: a point r from the middle of the picture is seen at r (1 + k1 (r / radius)²)."""

    k1: float
    sigma_k1: float
    middle_px: tuple[float, float]
    radius_px: float

    def bent(self, points_px: Floats) -> Floats:
        """Where points (N, 2) of an ideal picture are seen."""
        away = points_px - np.array(self.middle_px)
        return np.asarray(points_px + away * self.k1 * (away**2).sum(axis=1, keepdims=True) / self.radius_px**2)


@dataclass(frozen=True, eq=False)
class Fit:
    """A board's plane as fitted to its markers.

    ``plane`` (3, 3) maps board mm to photo px as if there were no lens; ``ideal`` does where ``lens`` comes after.
    ``lens`` is None where it cannot be told from bent paper.  ``growth_mm`` is how far outwards the corners of black
    squares look shifted, ``residual_px`` the rms rest of ``ideal``, lens and growth together (of ``plane`` without).
    """

    plane: Floats
    ideal: Floats
    lens: Lens | None
    growth_mm: float
    residual_px: float
    expected_px: float

    def view(self, tag: BoardTag) -> BoardView:
        """The board's view, its lens as a bend on nodes about 15 mm apart, the first and last on the board's rims."""
        view = BoardView(tag.stage_number, tag.copy, tag.size_mm, self.plane)
        if self.lens is None:
            return view
        w, h = tag.size_mm
        columns, rows = round(w / BEND_STEP_MM) + 1, round(h / BEND_STEP_MM) + 1
        nodes = np.stack(np.meshgrid(np.linspace(0, w, columns), np.linspace(0, h, rows)), axis=-1).reshape(-1, 2)
        there = mapped(inverse(self.plane), self.lens.bent(mapped(self.ideal, nodes)))
        bend = (there - nodes).reshape(rows, columns, 2)
        return replace(view, bend_mm=bend, bend_step_mm=(w / (columns - 1), h / (rows - 1)))


def mapped(plane: Floats, points: Floats) -> Floats:
    """Points (N, 2) through a homography (3, 3)."""
    there = np.column_stack([points, np.ones(len(points))]) @ plane.T
    return np.asarray(there[:, :2] / there[:, 2:])


def inverse(plane: Floats) -> Floats:
    """The homography the other way."""
    return np.asarray(np.linalg.inv(plane), np.float64)


def corners_mm_px(markers: Sequence[Placed]) -> tuple[Floats, Floats]:
    """All corners of the markers, as printed (4N, 2) in mm and as seen (4N, 2) in px."""
    mm = np.concatenate([marker.tag.corners_mm for marker in markers])
    return mm, np.concatenate([marker.seen.corners_px for marker in markers])


def rough_plane(markers: Sequence[Placed]) -> Floats | None:
    """The homography from board mm to photo px that fits all corners best, each weighed alike."""
    mm, px = corners_mm_px(markers)
    plane, _ = cv2.findHomography(mm, px, 0)
    return None if plane is None or abs(plane[2, 2]) < 1e-12 else np.asarray(plane / plane[2, 2], np.float64)


def fit_plane(markers: Sequence[Placed], picture_wh: tuple[int, int]) -> Fit:
    """The plane, and the lens if plane and lens together explain the corners to within their own uncertainty."""
    start = rough_plane(markers)
    if start is None:
        raise ValueError("the markers must not lie on one line")
    problem = _Problem.of(markers, picture_wh, start)
    bare, bare_rest, _ = problem.solve(problem.start, free=(*range(8), 9))
    full, full_rest, sigma_k1 = problem.solve(bare, free=tuple(range(10)))
    plane = problem.homography(bare)
    expected = float(np.sqrt(np.mean(problem.sigma_px**2)))
    lens = Lens(float(full[8]), sigma_k1, problem.middle_px, problem.radius_px)
    if problem.looks_flat(full_rest) and abs(lens.k1) <= MAX_K1:
        return Fit(plane, problem.homography(full), lens, float(full[9]), _rms(full_rest * problem.sigma), expected)
    return Fit(plane, plane, None, float(bare[9]), _rms(bare_rest * problem.sigma), expected)


def _rms(rest: Floats) -> float:
    return float(np.sqrt(np.mean(rest**2) * 2))


@dataclass(frozen=True, eq=False)
class _Problem:
    """Least squares for ten numbers: eight of the plane, k1, growth in mm; by Gauss and Newton."""

    mm: Floats
    px: Floats
    outward: Floats
    sigma_px: Floats
    middle_px: tuple[float, float]
    radius_px: float
    start: Floats

    @staticmethod
    def of(markers: Sequence[Placed], picture_wh: tuple[int, int], plane: Floats) -> _Problem:
        mm, px = corners_mm_px(markers)
        by_marker = mm.reshape(-1, 4, 2)
        away = (by_marker - by_marker.mean(axis=1, keepdims=True)).reshape(-1, 2)
        # A side shifted outwards by g moves both of its corners: each corner goes g along both axes.
        outward = away / np.abs(away).max(axis=1, keepdims=True)
        sigma = np.repeat([np.hypot(marker.seen.sigma_px, _FLOOR_PX) for marker in markers], 4)
        w, h = picture_wh
        middle = ((w - 1) / 2, (h - 1) / 2)
        start = np.append(plane.ravel()[:8], [0.0, 0.0])
        return _Problem(mm, px, outward, sigma, middle, float(np.hypot(w, h) / 2), start)

    @property
    def sigma(self) -> Floats:
        return np.repeat(self.sigma_px, 2)

    def homography(self, numbers: Floats) -> Floats:
        return np.append(numbers[:8], 1.0).reshape(3, 3)

    def rest(self, numbers: Floats) -> Floats:
        """Seen less expected, in sigmas, x and y in turn (2N,)."""
        ideal = mapped(self.homography(numbers), self.mm + numbers[9] * self.outward)
        lens = Lens(float(numbers[8]), 0.0, self.middle_px, self.radius_px)
        return np.asarray(((self.px - lens.bent(ideal)) / self.sigma_px[:, None]).ravel())

    def solve(self, start: Floats, free: tuple[int, ...]) -> tuple[Floats, Floats, float]:
        """The numbers, their rest, and one sigma of k1; those that are not free stay as they start."""
        numbers, chosen = start.copy(), list(free)
        prior = np.zeros(10)
        prior[8:] = [1 / _SIGMA_K1**2, 1 / _SIGMA_GROWTH_MM**2]
        for _ in range(6):
            rest = self.rest(numbers)
            slopes = self._slopes(numbers, rest)[:, chosen]
            normal = slopes.T @ slopes + np.diag(prior[chosen])
            pull = slopes.T @ rest + prior[chosen] * numbers[chosen]
            size = 1 / np.sqrt(np.diag(normal))
            step = size * np.linalg.solve(normal * np.outer(size, size), size * pull)
            numbers[chosen] -= step
            if np.abs(step / size).max() < 1e-3:
                break
        sigma_k1 = np.sqrt(np.linalg.inv(normal * np.outer(size, size))[-2, -2]) * size[-2] if 8 in chosen else 0.0
        return numbers, self.rest(numbers), float(sigma_k1)

    def _slopes(self, numbers: Floats, rest: Floats) -> Floats:
        """The derivative (2N, 10) of the rest."""
        slopes = np.zeros((len(rest), 10))
        for k in range(10):
            moved = numbers.copy()
            moved[k] += (step := max(abs(numbers[k]), 1e-3) * 1e-5)
            slopes[:, k] = (self.rest(moved) - rest) / step
        return slopes

    def looks_flat(self, rest: Floats) -> bool:
        """Plane and lens leave no more than noise: bent paper leaves several times as much."""
        spare = max(len(rest) - 10, 1)
        return float((rest**2).sum() / spare) < 3.0**2
