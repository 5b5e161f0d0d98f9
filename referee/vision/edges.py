"""Measuring a marker's corners on the full photo, to a tenth of a pixel.

A corner's own pixels are rounded off by the blur (a corner sought there comes out about a pixel inside), but the
sides between the corners are straight and long: a corner is where two fitted sides cross.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from referee.vision.opencv import cv2
from referee.vision.tags import SeenTag, crossings

Floats = NDArray[np.float64]
Grey = NDArray[np.uint8]

UNMEASURED_SIGMA_PX = 2.0
"""What the corners of a marker are worth whose sides could not be measured."""

_SMALL_PX2 = 3.0
"""In small markers the code's own cells lie so near the sides that they pull: 0.15 px at a side of 20 px."""
_BLURRED = 0.05
"""A shaken or badly focused edge is not quite symmetric: it may lie this share of its blur to one side."""

# Blur acts on light and the camera's tone curve comes after it: an edge is half-way in light, not in pixel values.
_LIGHT = (np.arange(256, dtype=np.float32) / 255.0) ** 2.2
_WHERE = np.linspace(0.12, 0.88, 32)
"""Places along a side at which its edge is measured, as a share of its length; the ends belong to the corners."""
_STEPS = np.linspace(-1.0, 1.0, 29)
_ROWS = np.arange(4)
"""The sides, for picking of each row another column."""


class Greys:
    """The grey values of a picture ``bgr`` (H, W, 3), made of no more of it than is looked at."""

    def __init__(self, bgr: NDArray[np.uint8]) -> None:
        self.bgr = bgr
        self.shape = bgr.shape[:2]

    @cached_property
    def whole(self) -> Grey:
        """All of them (H, W)."""
        return np.asarray(cv2.cvtColor(self.bgr, cv2.COLOR_BGR2GRAY), np.uint8)

    def part(self, rows: slice, columns: slice) -> Grey:
        """Some of them (h, w)."""
        return np.asarray(cv2.cvtColor(self.bgr[rows, columns], cv2.COLOR_BGR2GRAY), np.uint8)


def refined(grey: Greys, tag: SeenTag, side_mm: float, white_mm: float = 2.0) -> SeenTag:
    """The marker with its corners measured on the full photo; left as it was where its sides cannot be measured.

    ``side_mm`` is the printed square's side and ``white_mm`` the width of plain white round it.
    """
    corners, fit = tag.corners_px, None
    shortest = float(np.hypot(*(np.roll(corners, -1, axis=0) - corners).T).min())
    # The black rim is an eighth of a side wide; neither it nor the white may be left.
    widest = max(min(0.11, 0.8 * white_mm / side_mm) * shortest, 1.8)
    reach = min(widest, 9.0)
    for _ in range(4):
        step = _by_sides(grey, corners, reach)
        if step is None:
            break
        moved = float(np.abs(step[0] - corners).max())
        fit, corners = step, step[0]
        if 3 * step[2].max() > reach < widest:  # so blurred that the edge's feet lie outside
            reach = min(widest, 4 * float(step[2].max()))
        elif moved < 0.03:
            break
    if fit is None or np.abs(corners - tag.corners_px).max() > max(0.3 * shortest, 2.5):
        return replace(tag, sigma_px=max(UNMEASURED_SIGMA_PX, tag.sigma_px))
    sigma = float(np.sqrt(fit[1] ** 2 + (_SMALL_PX2 / shortest) ** 2 + (_BLURRED * fit[2].max()) ** 2))
    return replace(tag, corners_px=corners, sigma_px=sigma, blurs_px=fit[2])


def _by_sides(grey: Greys, quad: Floats, reach: float) -> tuple[Floats, float, Floats] | None:
    """Corners (4, 2), their sigma and the sides' blurs (4,), all in px; None where the sides cannot be measured.

    Strategy: profiles across each side, dark inside to white outside; on each the point half-way between the side's
    own dark and white; a line through each side's points that strays do not pull; corners where lines cross.
    """
    sides = np.roll(quad, -1, axis=0) - quad
    lengths = np.hypot(sides[:, 0], sides[:, 1])
    along = sides / lengths[:, None]
    turn = 1.0 if (sides[0, 0] * sides[1, 1] - sides[0, 1] * sides[1, 0]) > 0 else -1.0
    outward = turn * np.stack([along[:, 1], -along[:, 0]], axis=1)
    profiles = _light_along(grey, quad, sides, outward * reach)
    dark, white = (_middles(ends.reshape(4, -1)) for ends in (profiles[..., :4], profiles[..., -4:]))
    if not (white - dark > 0.02).all():
        return None
    off = _half_way(profiles, (dark + white) / 2) * reach
    if (np.isfinite(off).sum(axis=1) < len(_WHERE) // 2).any():
        return None
    t = _WHERE * lengths[:, None]
    slope, height, sigma = _lines(t, off)
    corners = crossings(quad + height[:, None] * outward, along + slope[:, None] * outward)
    if not np.isfinite(corners).all():
        return None
    rise = _middles(np.diff(profiles, axis=2).max(axis=2)) / (_STEPS[1] - _STEPS[0]) / reach
    blurs = (white - dark) / np.maximum(rise, 1e-6) / np.sqrt(2 * np.pi)
    return corners, float(np.sqrt(np.mean(sigma**2))), np.asarray(blurs, np.float64)


def _light_along(grey: Greys, quad: Floats, sides: Floats, reach: Floats) -> NDArray[np.float32]:
    """Linear light (4, places, steps) across each side; only the patch round the marker is looked at."""
    places = (
        quad[:, None, None]
        + _WHERE[None, :, None, None] * sides[:, None, None]
        + _STEPS[None, None, :, None] * reach[:, None, None]
    )
    flat = places.reshape(-1, 2)
    size = np.array([grey.shape[1], grey.shape[0]])
    low = np.clip(np.floor(flat.min(axis=0)).astype(int) - 2, 0, size - 1)
    high = np.clip(np.ceil(flat.max(axis=0)).astype(int) + 3, 1, size)
    light = cv2.LUT(grey.part(slice(low[1], high[1]), slice(low[0], high[0])), _LIGHT)
    local = (places - low).astype(np.float32).reshape(4 * len(_WHERE), len(_STEPS), 2)
    # Outside the picture there is nothing to measure: NaN keeps such profiles out of the fit.
    seen = cv2.remap(
        light,
        local[..., 0],
        local[..., 1],
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=float("nan"),
    )
    return np.asarray(seen, np.float32).reshape(4, len(_WHERE), len(_STEPS))


def _half_way(profiles: NDArray[np.float32], half: Floats) -> Floats:
    """Where each profile (4, N, M) rises through its side's ``half`` nearest the middle, in steps' units; else NaN."""
    over = profiles >= half[:, None, None]
    rises = ~over[..., :-1] & over[..., 1:]
    distance = np.where(rises, np.abs(_STEPS[:-1] + _STEPS[1:]), np.inf)
    at = distance.argmin(axis=2)
    flat = profiles.reshape(-1)
    first = np.arange(0, flat.size, profiles.shape[2]).reshape(at.shape) + at
    low, high = flat[first], flat[first + 1]
    with np.errstate(divide="ignore", invalid="ignore"):
        edge = _STEPS[at] + (half[:, None] - low) / (high - low) * (_STEPS[1] - _STEPS[0])
    return np.where(rises.any(axis=2), edge, np.nan)


def _lines(t: Floats, off: Floats) -> tuple[Floats, Floats, Floats]:
    """Slope, height at 0 and one sigma of a corner's place, for each of the lines off(t), both (4, N).

    Tukey's weights keep strays (a hand, ink, a speck) out; NaN counts as one.
    """
    seen = np.isfinite(off)
    y = np.where(seen, off, 0.0)
    slope, height = np.zeros(4), _medians(off, seen)
    for _ in range(4):
        gap = y - height[:, None] - slope[:, None] * t
        rest = np.maximum(1.4826 * _medians(np.abs(gap), seen), 0.03)
        weight = np.where(seen, np.clip(1 - (gap / (4.7 * rest[:, None])) ** 2, 0, None) ** 2, 0.0)
        total = weight.sum(axis=1)
        t_mean, y_mean = (weight * t).sum(axis=1) / total, (weight * y).sum(axis=1) / total
        away = t - t_mean[:, None]
        slope = (weight * away * y).sum(axis=1) / (weight * away**2).sum(axis=1)
        height = y_mean - slope * t_mean
    # Neighbouring profiles share pixels: about a third of them are news.  A line is worst at its ends, by two.
    return slope, height, 2 * rest * np.sqrt(3 / np.maximum(total, 1.0))


def _medians(values: Floats, seen: NDArray[np.bool_]) -> Floats:
    """The median of each row's seen values (4,); numpy's own way round NaN takes twenty times as long."""
    order = np.sort(np.where(seen, values, np.inf), axis=1)
    return np.asarray(order[_ROWS, seen.sum(axis=1) // 2])


def _middles(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """The median of each row (4,) of an even number of values, NaN where one is; numpy takes six times as long."""
    order = np.sort(values, axis=1)
    half = order.shape[1] // 2
    middle = (order[:, half - 1] + order[:, half]) / np.float32(2)
    return np.asarray(np.where(np.isnan(order[:, -1]), np.float32(np.nan), middle), np.float32)
