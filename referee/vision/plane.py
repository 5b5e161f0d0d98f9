"""From measured markers to a board's plane, with the lens where the markers show it.

Sixteen corners know more than a plane's eight numbers.  Some of the rest is worth asking for: how the lens bends
straight lines (one radial coefficient about the picture's middle), and by how much dark squares look too small or
too large, since the tone curve is only roughly known: a share of the blur, much the same for all markers, a little
different for each with its light.  Left out, the second would pass for the first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from referee.model import BoardView, LensProfile
from referee.vision.opencv import cv2
from referee.vision.tags import BoardTag, SeenTag

Floats = NDArray[np.float64]

BEND_STEP_MM = 15.0
"""Distance between the nodes on which a lens is handed over as a bend."""
MAX_K1 = 0.15
"""A stronger lens than this (phones: 0.02, webcams: 0.1) is no lens but bent paper."""
_SIGMA_K1 = 0.1
_SIGMA_K1_KNOWN = 0.005
"""What a lens profile may leave: a lens bends a little differently with its focus."""
_SIGMA_GROWTH = 0.5
"""How far black edges may look shifted, in units of their blur; `_SIGMA_OWN_GROWTH` by how much markers differ."""
_SIGMA_OWN_GROWTH = 0.15
_FLOOR_PX = 0.03
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
    ``lens`` is None where it cannot be told from bent paper.  ``growth`` is how far outwards black edges look shifted
    in units of their blur, ``residual_px`` the rms rest of the corners, ``expected_px`` what their sigmas promise.
    With a ``profile`` all of this is before that lens, and ``lens`` what the profile leaves.
    """

    plane: Floats
    ideal: Floats
    lens: Lens | None
    growth: float
    residual_px: float
    expected_px: float
    profile: LensProfile | None = None

    def view(self, tag: BoardTag) -> BoardView:
        """The board's view, its lens as a bend on nodes about 15 mm apart, the first and last on the board's rims."""
        view = BoardView(tag.stage_number, tag.copy, tag.size_mm, self.plane, lens=self.profile)
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


def fit_plane(markers: Sequence[Placed], picture_wh: tuple[int, int], profile: LensProfile | None = None) -> Fit:
    """The plane, and the lens if plane and lens together explain the corners to within their own uncertainty.

    With a lens ``profile`` the corners are straightened first, and little is left for a lens of the fit's own.
    """
    if profile is not None:
        markers = [_straightened(marker, profile) for marker in markers]
    start = rough_plane(markers)
    if start is None:
        raise ValueError("the markers must not lie on one line")
    problem = _Problem.of(markers, picture_wh, start)
    if profile is not None:
        problem = replace(problem, sigma_k1=_SIGMA_K1_KNOWN)
    everything = tuple(range(len(problem.start)))
    bare, bare_rest, _ = problem.solve(problem.start, free=(*everything[:_K1], *everything[_K1 + 1 :]))
    full, full_rest, sigma_k1 = problem.solve(bare, free=everything)
    plane = problem.homography(bare)
    expected = float(np.sqrt(np.mean(problem.sigma_px**2)))
    lens = Lens(float(full[_K1]), sigma_k1, problem.middle_px, problem.radius_px)
    if problem.looks_flat(full_rest) and abs(lens.k1) <= MAX_K1:
        rest_px = problem.rms_px(full_rest)
        return Fit(plane, problem.homography(full), lens, float(full[_GROWTH]), rest_px, expected, profile)
    return Fit(plane, plane, None, float(bare[_GROWTH]), problem.rms_px(bare_rest), expected, profile)


def _straightened(marker: Placed, profile: LensProfile) -> Placed:
    return replace(marker, seen=replace(marker.seen, corners_px=profile.straight(marker.seen.corners_px)))


_K1, _GROWTH, _OWN = 8, 9, 10
"""Places in the list of unknown numbers: 0 to 7 the plane, k1, the common growth, from 10 on each marker's own."""


@dataclass(frozen=True, eq=False)
class _Problem:
    """Least squares for plane, lens and growth; by Gauss and Newton."""

    mm: Floats
    px: Floats
    outward: Floats
    sigma_px: Floats
    middle_px: tuple[float, float]
    radius_px: float
    start: Floats
    sigma_k1: float = _SIGMA_K1

    @staticmethod
    def of(markers: Sequence[Placed], picture_wh: tuple[int, int], plane: Floats) -> _Problem:
        mm, px = corners_mm_px(markers)
        outward = np.concatenate([_outward(marker.seen) for marker in markers])
        sigma = np.repeat([np.hypot(marker.seen.sigma_px, _FLOOR_PX) for marker in markers], 4)
        w, h = picture_wh
        middle = ((w - 1) / 2, (h - 1) / 2)
        start = np.append(plane.ravel()[:8], np.zeros(2 + len(markers)))
        return _Problem(mm, px, outward, sigma, middle, float(np.hypot(w, h) / 2), start)

    def homography(self, numbers: Floats) -> Floats:
        """The plane (3, 3) among the numbers."""
        return np.asarray(np.append(numbers[:_K1], 1.0).reshape(3, 3), np.float64)

    def rest(self, numbers: Floats) -> Floats:
        """Seen less expected, in sigmas, x and y in turn (..., 2N), for each row of numbers (..., n)."""
        plane = np.concatenate([numbers[..., :_K1], np.ones_like(numbers[..., :1])], -1)
        there = np.column_stack([self.mm, np.ones(len(self.mm))]) @ plane.reshape(*numbers.shape[:-1], 3, 3).mT
        ideal = there[..., :2] / there[..., 2:]
        away = ideal - np.array(self.middle_px)
        bent = away * numbers[..., _K1, None, None] * (away**2).sum(-1, keepdims=True) / self.radius_px**2
        growth = np.repeat(numbers[..., _GROWTH, None] + numbers[..., _OWN:], 4, axis=-1)[..., None]
        left = (self.px - (ideal + bent + growth * self.outward)) / self.sigma_px[:, None]
        return np.asarray(left.reshape(*numbers.shape[:-1], -1))

    def rms_px(self, rest: Floats) -> float:
        """The rms distance in px that a rest stands for."""
        return float(np.sqrt(np.mean((rest * np.repeat(self.sigma_px, 2)) ** 2) * 2))

    def solve(self, start: Floats, free: tuple[int, ...]) -> tuple[Floats, Floats, float]:
        """The numbers, their rest, and one sigma of k1; those that are not free stay as they start."""
        numbers, chosen = start.copy(), list(free)
        prior = np.zeros(len(numbers))
        prior[_K1:] = 1 / _SIGMA_OWN_GROWTH**2
        prior[[_K1, _GROWTH]] = [1 / self.sigma_k1**2, 1 / _SIGMA_GROWTH**2]
        for _ in range(6):
            rest = self.rest(numbers)
            slopes = self._slopes(numbers, rest)[:, chosen]
            normal = slopes.T @ slopes + np.diag(prior[chosen])
            pull = slopes.T @ rest + prior[chosen] * numbers[chosen]
            # The numbers differ by many powers of ten: solve in units in which each weighs alike.
            size = 1 / np.sqrt(np.diag(normal))
            even = normal * np.outer(size, size)
            step = size * np.linalg.solve(even, size * pull)
            numbers[chosen] -= step
            if np.abs(step / size).max() < 1e-3:
                break
        sigma_k1 = 0.0
        if _K1 in chosen:
            at = chosen.index(_K1)
            sigma_k1 = float(np.sqrt(np.linalg.inv(even)[at, at]) * size[at])
        return numbers, self.rest(numbers), sigma_k1

    def _slopes(self, numbers: Floats, rest: Floats) -> Floats:
        """The derivative (2N, numbers) of the rest."""
        steps = np.maximum(np.abs(numbers), 1e-3) * 1e-5
        return np.asarray(((self.rest(numbers + np.diag(steps)) - rest) / steps[:, None]).T)

    def looks_flat(self, rest: Floats) -> bool:
        """Plane and lens leave no more than noise: bent paper leaves several times as much."""
        spare = max(len(rest) - len(self.start) + 1, 1)
        return float((rest**2).sum() / spare) < 2.0**2


def _outward(seen: SeenTag) -> Floats:
    """How far (4, 2) each corner moves in px when every side moves outwards by its own blur."""
    if seen.blurs_px is None:
        return np.zeros((4, 2))
    sides = np.roll(seen.corners_px, -1, axis=0) - seen.corners_px
    along = sides / np.hypot(sides[:, 0], sides[:, 1])[:, None]
    normal = np.stack([along[:, 1], -along[:, 0]], axis=1)
    # Corner k lies on side k - 1 and side k: solve for the move that takes both outwards by their shifts.
    both = np.stack([np.roll(normal, 1, axis=0), normal], axis=1)
    shifts = np.stack([np.roll(seen.blurs_px, 1), seen.blurs_px], axis=1)
    return np.asarray(np.linalg.solve(both, shifts[..., None])[..., 0], np.float64)
