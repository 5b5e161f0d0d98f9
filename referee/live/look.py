"""How the clean board looks to this camera, and what of a frame does not look so.

The print as it should look comes from the stage's file through the photo's own fit of light and colours; wherever
the bare board has been seen it is replaced by what was seen.  Frame by frame the camera's gain and white balance, and
broad soft shade such as an arm's, are taken out before the two are compared.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.live.lay import PX_PER_MM, Lay
from referee.model import BoardView
from referee.vision.clean import CleanPrint, grid_wh
from referee.vision.colours import LIGHT_OF_VALUE
from referee.vision.flatten import Glance
from referee.vision.segment import board_light

Picture = NDArray[np.uint8]
Mask = NDArray[np.uint8]

SAMPLE_PX = 6
"""Gain and shade are told from every sixth pixel."""
SAMPLED = (slice(SAMPLE_PX // 2, None, SAMPLE_PX), slice(SAMPLE_PX // 2, None, SAMPLE_PX))
OFF = 18
"""A value that differs from print by no more than this, beyond what a shift of a pixel does, is print."""
UNLEARNED_OFF = 34
"""The same where the bare board has not been seen yet."""
DEEPEST_SHADE, BRIGHTEST = 0.62, 1.16
BURNT, MORE_LIGHT = 248, 1.04
"""A value that is as good as white tells no more; with so much more light than usual there may be new ones."""
EVEN = 0.13
"""Shade takes about the same share of red, green and blue."""
SHADE_MM = 9.0
LEARN_FRAMES = 10
LEARN_EVERY = 12
TRUSTED = 3


def expected(frame_bgr: Picture, view: BoardView, clean: CleanPrint) -> Picture:
    """The print as this camera should see it in this light: BGR (H, W, 3) on the flat grid."""
    lighting = board_light(Glance.of(frame_bgr, view), view, clean)
    wh = grid_wh(view.size_mm, PX_PER_MM)
    small = cv2.resize(clean.rgb, wh, interpolation=cv2.INTER_AREA)
    colour = lighting.colours.of(small.reshape(-1, 3)).reshape(small.shape)
    gain, veil = (cv2.resize(part, wh, interpolation=cv2.INTER_LINEAR) for part in (lighting.gain, lighting.veil))
    light = np.clip(gain * colour + veil, 0, 1)
    value = np.where(light <= 0.0031308, 12.92 * light, 1.055 * np.power(light, 1 / 2.4) - 0.055)
    return np.ascontiguousarray(np.rint(value[..., ::-1] * 255).astype(np.uint8))


@dataclass(frozen=True, eq=False)
class Glimpse:
    """A frame laid flat and evened: ``bgr`` (H, W, 3), and where (H, W) it does not look like the clean board."""

    bgr: Picture
    changed: Mask
    inside: Mask
    """Where the grid lies within the frame."""
    shade: float
    """How much of the board's usual light there is, 1 as when it was found."""


class Look:
    """The clean board as remembered; it is learned from frames while they come."""

    def __init__(self, expected_bgr: Picture) -> None:
        self.mean = expected_bgr.astype(np.float32)
        self.seen = np.zeros(expected_bgr.shape[:2], np.uint8)
        """How often (H, W) each place was seen bare."""
        self.frames = 0
        self.gain = np.ones(3)
        self._refresh()

    def _refresh(self) -> None:
        self.bgr = np.asarray(cv2.convertScaleAbs(self.mean), np.uint8)
        self.grey = np.asarray(cv2.cvtColor(self.bgr, cv2.COLOR_BGR2GRAY), np.uint8)
        off = cv2.merge([np.where(self.seen >= TRUSTED, np.uint8(OFF), np.uint8(UNLEARNED_OFF))] * 3)
        around = np.ones((3, 3), np.uint8)
        self.low = cv2.subtract(cv2.erode(self.bgr, around), off)
        self.high = cv2.add(cv2.dilate(self.bgr, around), off)
        self._sample = self.mean[SAMPLED] + 4.0
        self._burnt = brightest(self.bgr[SAMPLED]) >= BURNT

    def glimpse(self, flat_bgr: Picture, hidden: Mask, inside: Mask) -> Glimpse:
        """A frame laid flat, evened and compared; ``hidden`` (H, W) is what was hidden or inked a frame ago."""
        seen = flat_bgr[SAMPLED].astype(np.float32) + 4.0
        free = (hidden[SAMPLED] == 0) & (inside[SAMPLED] > 0)
        free &= (brightest(flat_bgr[SAMPLED]) < BURNT) | self._burnt
        ratio = seen / self._sample
        self._gain_from(ratio, free)
        even = np.asarray(ratio / self.gain.astype(np.float32), np.float32)
        field = _shade(even, free)
        channels = cv2.split(flat_bgr)
        level = cv2.merge([cv2.convertScaleAbs(c, alpha=1 / g) for c, g in zip(channels, self.gain, strict=True)])
        if field is not None:
            wide = cv2.resize(100.0 / field, flat_bgr.shape[1::-1], interpolation=cv2.INTER_LINEAR)
            lift = np.rint(wide).astype(np.uint8)
            level = cv2.multiply(level, cv2.merge([lift, lift, lift]), scale=0.01)
        level = self._burnt_as_usual(np.asarray(level, np.uint8), flat_bgr)
        same = cv2.inRange(level, self.low, self.high)
        changed = cv2.bitwise_and(cv2.bitwise_not(same), inside)
        return Glimpse(np.asarray(level, np.uint8), np.asarray(changed, np.uint8), inside, float(self.gain.mean()))

    def _burnt_as_usual(self, level: Picture, flat_bgr: Picture) -> Picture:
        """Values as remembered where more light than usual burns them out: how bright they are is not seen."""
        if self.gain.max() < MORE_LIGHT:
            return level
        lit = cv2.multiply(self.bgr, (*self.gain.tolist(), 0.0))
        np.copyto(level, self.bgr, where=cv2.min(flat_bgr, lit) >= BURNT)
        return level

    def _gain_from(self, ratio: NDArray[np.float32], free: NDArray[np.bool_]) -> None:
        """The camera's gain of each channel, from what is seen bare."""
        some = ratio[free]
        if len(some) < 200:
            return
        gain = np.array([np.median(channel) for channel in some.T.copy()])
        if (gain > 0.15).all() and (gain < 6).all():
            self.gain = np.asarray(gain, np.float64)

    def learn(self, glimpse: Glimpse, not_here: Mask) -> None:
        """Take what is seen of the bare board for its look; ``not_here`` (H, W) is ink, and whatever is near a hand."""
        self.frames += 1
        if self.frames > LEARN_FRAMES and self.frames % LEARN_EVERY:
            return
        bare = cv2.bitwise_and(cv2.bitwise_not(glimpse.changed), glimpse.inside)
        bare = np.asarray(cv2.bitwise_and(bare, cv2.bitwise_not(not_here)), np.uint8)
        if self.frames > LEARN_FRAMES:
            cv2.accumulateWeighted(glimpse.bgr, self.mean, 0.15, mask=bare)
        else:
            cv2.accumulateWeighted(glimpse.bgr, self.mean, max(0.15, 1 / self.frames), mask=bare)
        cv2.add(self.seen, 1, dst=self.seen, mask=bare)
        self._refresh()

    def take(self, glimpse: Glimpse, where: Mask) -> None:
        """Take what is seen somewhere (H, W) for the board's own look, whatever was expected there."""
        there = cv2.dilate(where, np.ones((7, 7), np.uint8)) > 0
        self.mean[there] = glimpse.bgr[there]
        self._refresh()


def _shade(even: NDArray[np.float32], free: NDArray[np.bool_]) -> NDArray[np.float32] | None:
    """How much light (h, w) there is, smooth, from samples (h, w, 3) of seen over remembered; None if as ever."""
    grey = paleness(even)
    usual = free & (grey > DEEPEST_SHADE) & (grey < BRIGHTEST)
    usual &= brightest(even) - darkest(even) < EVEN * np.maximum(grey, 0.1) * 2
    sigma = SHADE_MM * PX_PER_MM / SAMPLE_PX
    weight = cv2.GaussianBlur(usual.astype(np.float32), (0, 0), sigma)
    total = cv2.GaussianBlur(np.where(usual, grey, 0).astype(np.float32), (0, 0), sigma)
    field = (total + 0.02) / (weight + 0.02)
    if abs(field - 1).max() < 0.02:
        return None
    return np.asarray(np.clip(field, DEEPEST_SHADE, BRIGHTEST), np.float32)


def inside_of(lay: Lay, frame_wh: tuple[int, int]) -> Mask:
    """Where (H, W) 0 or 255 the board's grid lies within a frame."""
    white = np.full((frame_wh[1], frame_wh[0]), 255, np.uint8)
    return np.asarray(cv2.remap(white, *lay._maps, cv2.INTER_NEAREST, borderMode=cv2.BORDER_CONSTANT), np.uint8)


# Of three channels numpy's own reductions are ten times slower than two steps of a whole array.


def brightest(bgr: NDArray[Any]) -> NDArray[Any]:
    """The largest (...) of each place's channels (..., 3)."""
    return np.asarray(np.maximum(np.maximum(bgr[..., 0], bgr[..., 1]), bgr[..., 2]))


def darkest(bgr: NDArray[Any]) -> NDArray[Any]:
    """The smallest (...) of each place's channels (..., 3)."""
    return np.asarray(np.minimum(np.minimum(bgr[..., 0], bgr[..., 1]), bgr[..., 2]))


def paleness(bgr: NDArray[np.float32]) -> NDArray[np.float32]:
    """The mean (...) of each place's channels (..., 3)."""
    return np.asarray((bgr[..., 0] + bgr[..., 1] + bgr[..., 2]) / 3, np.float32)


def places_of(mask: Mask) -> NDArray[np.intp]:
    """The numbers (N,), row by row, of the places where a mask (H, W) is not 0; faster than numpy's own."""
    found = cv2.findNonZero(mask)
    if found is None:
        return np.zeros(0, np.intp)
    x, y = found.reshape(-1, 2).T
    return np.asarray(y.astype(np.intp) * mask.shape[1] + x)


def light_of(values: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Linear light of values."""
    return np.asarray(LIGHT_OF_VALUE[values], np.float32)
