"""Take the light off a flat picture of a clean board.

From one place to the next a print is mostly of one colour, so that what usually changes there is the light (as in
Retinex: E. Land, J. McCann, 1971).  A smooth gain is fitted to the picture's slopes, the print's own edges counting
less and less (graduated non-convexity: A. Blake, A. Zisserman, 1987).  A sky that is printed ever darker from one rim
to the other is taken for light, too: about half of it is lost.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from referee.model import Floats
from referee.vision.opencv import cv2

Bgr = NDArray[np.uint8]

SMALL_PX = 160
"""The light is fitted on a copy of about this size: it changes slowly."""
ORDER = 6
"""The gain's logarithm is a polynomial of this order."""
WIDE, EDGE, ROUNDS = 0.15, 0.06, 12
"""What changes by more than this (in logarithms of light) from one place to the next hardly counts, in the first and in
the last of so many rounds: there the print changes, not the light."""
DARK, BURNT = 12, 250
"""Values outside these say nothing about the light."""
MOST_GAIN = 4.0
WHITE = 242
"""What the board's white comes out as."""
GAMMA = 2.2


def unshade(flat_bgr: Bgr) -> Bgr:
    """A flat board (H, W, 3) as even light would show it, its white white."""
    height, width = flat_bgr.shape[:2]
    shrink = SMALL_PX / max(height, width)
    wh = max(8, round(width * shrink)), max(8, round(height * shrink))
    small = np.asarray(cv2.resize(flat_bgr, wh, interpolation=cv2.INTER_AREA), np.uint8)
    logs = GAMMA * np.log(np.maximum(small, 1).reshape(-1, 3) / 255.0)
    usable = ((small > DARK) & (small < BURNT)).all(2).ravel()
    if usable.sum() < 200:
        return flat_bgr.copy()
    terms = _terms(wh[1], wh[0])
    gain = _gain(logs, usable, terms, wh)
    gain += _white(logs + gain, usable)
    gain = np.clip(gain, -np.log(MOST_GAIN), np.log(MOST_GAIN)).reshape(wh[1], wh[0], 3) / GAMMA
    return _applied(flat_bgr, np.exp(gain).astype(np.float32))


def _terms(rows: int, columns: int) -> Floats:
    """Smooth shapes (rows * columns, terms) of mean 0 over the board: all products of x and y up to `ORDER`."""
    y, x = np.mgrid[-1 : 1 : rows * 1j, -1 : 1 : columns * 1j]
    shapes = [x**i * y**j for i in range(ORDER + 1) for j in range(ORDER + 1 - i) if i + j]
    flat = np.stack(shapes, -1).reshape(rows * columns, -1)
    return np.asarray(flat - flat.mean(0), np.float64)


def _gain(logs: Floats, usable: NDArray[np.bool_], terms: Floats, wh: tuple[int, int]) -> Floats:
    """The logarithm of the gain (N, 3), of mean 0, that takes out what usually changes from place to place."""
    shape = wh[1], wh[0], -1
    grids = logs.reshape(shape), terms.reshape(shape), usable.reshape(shape).astype(float)
    seen, smooth, there = (
        np.concatenate([how(grid[1:], grid[:-1]).reshape(-1, size), how(grid[:, 1:], grid[:, :-1]).reshape(-1, size)])
        for grid, how, size in zip(grids, (np.subtract, np.subtract, np.multiply), (3, terms.shape[1], 1), strict=True)
    )
    held = np.zeros((terms.shape[1], 3))
    for edge in np.geomspace(WIDE, EDGE, ROUNDS):
        weight = there / (1 + (np.abs(seen - smooth @ held).max(1, keepdims=True) / edge) ** 2) ** 2
        normal = (smooth * weight).T @ smooth
        stiff = 1e-6 * np.trace(normal) * np.eye(len(normal))
        held = np.linalg.solve(normal + stiff, (smooth * weight).T @ seen)
    return np.asarray(-terms @ held)


def _white(logs: Floats, usable: NDArray[np.bool_]) -> Floats:
    """The gain (3,) in logarithms that makes the board's brightest colour white."""
    bright = logs[usable].sum(1)
    top = logs[usable][bright >= np.quantile(bright, 0.985)]
    wanted = GAMMA * np.log(WHITE / 255)
    whole = wanted - np.median(top, axis=0)
    # A board without any white keeps its colours: it is made brighter, not bleached.
    cast = np.clip(whole - whole.mean(), -0.35, 0.35)
    return np.asarray(np.clip(whole.mean(), -0.5, 0.9) + cast)


def _applied(flat_bgr: Bgr, gain: NDArray[np.float32]) -> Bgr:
    """The picture times a coarse gain (h, w, 3), by bands: all at once would take five times the memory."""
    height, width = flat_bgr.shape[:2]
    out = np.empty_like(flat_bgr)
    whole_rows = cv2.resize(gain, (width, gain.shape[0]), interpolation=cv2.INTER_LINEAR)
    for top in range(0, height, 256):
        rows = np.arange(top, min(top + 256, height))
        place = np.clip((rows + 0.5) * gain.shape[0] / height - 0.5, 0, gain.shape[0] - 1.001)
        upper = place.astype(int)
        part = (place - upper).astype(np.float32)[:, None, None]
        here = whole_rows[upper] * (1 - part) + whole_rows[upper + 1] * part
        out[rows] = np.clip(np.rint(flat_bgr[rows] * here), 0, 255)
    return out
