"""What cameras and lamps do to a film, added to its frames afterwards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

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


def _scaled(bgr: Picture, gain: NDArray[np.float64]) -> Picture:
    return np.asarray(np.clip(np.rint(bgr * gain), 0, 255), np.uint8)
