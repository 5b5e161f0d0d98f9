"""Take the light off a flat picture of a clean board.

What is printed in one colour is of one colour everywhere; where it looks brighter, the light is.  So the colours of
the picture are sorted into a few kinds, and the smooth gain that makes every kind the same all over the board is
fitted, by turns (as intensity is corrected in microscopy and magnetic resonance images: W. Wells et al., 1996).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from referee.model import Floats
from referee.vision.opencv import cv2

Bgr = NDArray[np.uint8]

SMALL_PX = 160
"""The light is fitted on a copy of about this size: it changes slowly."""
KINDS = 12
ROUNDS = 5
ORDER = 4
"""The gain's logarithm is a polynomial of this order."""
STIFF = 0.02
LOOSE = 0.15
"""What is off its kind by more than this (in logarithms of light) hardly counts: other colours, glare, dirt."""
DARK, BURNT = 12, 250
"""Values outside these say nothing about the light."""
MOST_GAIN = 2.5
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
    gain = _gain(logs, usable, terms)
    gain += _white(logs + gain, usable)
    gain = np.clip(gain, -np.log(MOST_GAIN), np.log(MOST_GAIN)).reshape(wh[1], wh[0], 3) / GAMMA
    return _applied(flat_bgr, np.exp(gain).astype(np.float32))


def _terms(rows: int, columns: int) -> Floats:
    """Smooth shapes (rows * columns, terms) of mean 0 over the board: all products of x and y up to `ORDER`."""
    y, x = np.mgrid[-1 : 1 : rows * 1j, -1 : 1 : columns * 1j]
    shapes = [x**i * y**j for i in range(ORDER + 1) for j in range(ORDER + 1 - i) if i + j]
    flat = np.stack(shapes, -1).reshape(rows * columns, -1)
    return np.asarray(flat - flat.mean(0), np.float64)


def _gain(logs: Floats, usable: NDArray[np.bool_], terms: Floats) -> Floats:
    """The logarithm of the gain (N, 3), of mean 0, that makes each kind of colour the same all over the board."""
    gain = np.zeros_like(logs)
    stiff = STIFF * usable.sum() * np.eye(terms.shape[1]) * (terms**2).mean()
    for _ in range(ROUNDS):
        kind, middles = _kinds(logs + gain, usable)
        off = logs[usable] - middles[kind]
        left = off + gain[usable]
        weight = 1 / (1 + (np.abs(left).max(1) / LOOSE) ** 2)
        of_kind = np.bincount(kind, weight, KINDS)[:, None]
        here = terms[usable]
        means = np.stack([np.bincount(kind, weight * term, KINDS) for term in here.T], -1) / np.maximum(of_kind, 1e-9)
        spread = here - means[kind]
        centre = np.stack([np.bincount(kind, weight * o, KINDS) for o in off.T], -1) / np.maximum(of_kind, 1e-9)
        rest = off - centre[kind]
        normal = (spread * weight[:, None]).T @ spread + stiff
        gain = -terms @ np.linalg.solve(normal, (spread * weight[:, None]).T @ rest)
    return gain


def _kinds(logs: Floats, usable: NDArray[np.bool_]) -> tuple[NDArray[np.intp], Floats]:
    """Which of `KINDS` colours each usable place has (N,), and their middles (KINDS, 3)."""
    points = logs[usable].astype(np.float32)
    # Seeds spread over the brightness: what comes out is the same for the same picture.
    order = np.argsort(points.sum(1), kind="stable")
    first = np.array_split(order, KINDS)
    labels = np.empty(len(points), np.int32)
    for number, some in enumerate(first):
        labels[some] = number
    ends = (cv2.TERM_CRITERIA_COUNT, 12, 0.0)
    _, kind, middles = cv2.kmeans(points, KINDS, labels, ends, 1, cv2.KMEANS_USE_INITIAL_LABELS)
    return np.asarray(kind).ravel().astype(np.intp), np.asarray(middles, np.float64)


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
