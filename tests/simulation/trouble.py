"""What cameras and lamps do to a film, added to its frames afterwards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Frame = tuple[Picture, float]


def drifting(frames: Iterable[Frame], depth: float = 0.25, warm: float = 0.08) -> Iterator[Frame]:
    """The camera's gain and white balance drift slowly to and fro."""
    for bgr, at_s in frames:
        level = 1 - depth / 2 * (1 - np.cos(at_s * 1.7))
        cast = warm * np.sin(at_s * 0.9)
        yield _scaled(bgr, level * np.array([1 - cast, 1.0, 1 + cast])), at_s


def flickering(frames: Iterable[Frame], depth: float = 0.12) -> Iterator[Frame]:
    """Lamps on alternating current: bands run through the picture."""
    for number, (bgr, at_s) in enumerate(frames):
        rows = np.arange(len(bgr))[:, None, None] / len(bgr)
        yield _scaled(bgr, 1 - depth / 2 * (1 + np.sin(2 * np.pi * (2.3 * rows + 0.37 * number)))), at_s


def dropped(frames: Iterable[Frame], seed: int = 1, share: float = 0.3) -> Iterator[Frame]:
    """Frames are lost at random."""
    rng = np.random.default_rng(seed)
    for number, frame in enumerate(frames):
        if number == 0 or rng.random() >= share:
            yield frame


def laid_on(
    frames: Iterable[Frame],
    way_px: NDArray[np.float64],
    from_s: float,
    to_s: float,
    fed_s: float = 0.0,
    dark: float = 0.8,
) -> Iterator[Frame]:
    """A thin dark thing lies on the board for a while, along a way (N, 2): a cord, or with less ``dark`` a hard shadow.

    It is there at once, or is fed in along itself for ``fed_s``, as a cord that is pulled over the board.
    """
    arc = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(way_px, axis=0).T))])
    at = np.linspace(0, arc[-1], 200)
    fine = np.column_stack([np.interp(at, arc, way_px[:, k]) for k in (0, 1)])
    for bgr, at_s in frames:
        share = 1.0 if fed_s == 0 else min(1.0, (at_s - from_s) / fed_s)
        if from_s <= at_s < to_s and share > 0.02:
            there = np.zeros(bgr.shape[:2], np.uint8)
            some = np.rint(fine[: round(share * len(fine))] * 16).astype(np.int32)
            cv2.polylines(there, [some], False, 255, 5, cv2.LINE_AA, 4)
            bgr = _scaled(bgr, 1 - dark * there[..., None] / 255)
        yield bgr, at_s


def begun_late(frames: Iterable[Frame], from_s: float) -> Iterator[Frame]:
    """The camera is switched on when the race is under way."""
    return (frame for frame in frames if frame[1] >= from_s)


def _scaled(bgr: Picture, gain: NDArray[np.float64]) -> Picture:
    return np.asarray(np.clip(np.rint(bgr * gain), 0, 255), np.uint8)
