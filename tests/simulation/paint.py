"""Ink on the board: a perfect coverage grid, and a print with believable dry-erase ink on it.

Both come from one exact thing, the distance of every pixel to the stroke's centreline.  How the referee finds ink
plays no part here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.model import Floats, Ink
from tests.simulation.gadgets import Placed
from tests.simulation.hand import Drawn

Grid = NDArray[np.float32]
Rgb = NDArray[np.uint8]
Print = Literal["true", "warm", "cool", "faded", "rich", "magenta"]

INKS: dict[str, tuple[float, float, float]] = {
    "black": (34, 33, 38),
    "blue": (28, 62, 158),
    "red": (196, 34, 44),
    "green": (22, 124, 76),
}
PRINTS: dict[str, tuple[tuple[float, float, float], float, float]] = {
    "true": ((1.0, 1.0, 1.0), 1.0, 0.0),
    "warm": ((1.0, 0.97, 0.90), 1.0, 0.0),
    "cool": ((0.93, 0.98, 1.0), 1.0, 0.0),
    "faded": ((1.0, 1.0, 0.99), 0.78, 38.0),
    "rich": ((0.97, 0.97, 0.97), 1.12, -10.0),
    "magenta": ((1.0, 0.92, 0.97), 1.0, 0.0),
}
"""Colour casts of printers: gain of each channel, contrast, and how much black is lifted."""


@dataclass(frozen=True)
class Marker:
    """A dry-erase marker: how dark it writes, how streaky and how dry it is (0 to about 0.5 each)."""

    colour: str = "black"
    opacity: float = 0.94
    streak: float = 0.3
    dryness: float = 0.1


@dataclass(frozen=True, eq=False)
class Nearness:
    """For a window of pixels: distance to the centreline, place along it, and which side, all in mm."""

    window: tuple[slice, slice]
    distance_mm: Grid
    arc_mm: Grid
    across_mm: Grid


def nearness(points_mm: Floats, reach_mm: float, size_mm: tuple[float, float], px_per_mm: float) -> Nearness:
    """The distance field round a polyline as far as ``reach_mm``; further out it is infinite."""
    width, height = (round(v * px_per_mm) for v in size_mm)
    low = np.floor((points_mm.min(0) - reach_mm) * px_per_mm).astype(int)
    high = np.ceil((points_mm.max(0) + reach_mm) * px_per_mm).astype(int) + 1
    (x0, y0), (x1, y1) = np.clip(low, 0, [width, height]), np.clip(high, 0, [width, height])
    shape = (max(0, y1 - y0), max(0, x1 - x0))
    distance = np.full(shape, np.inf, np.float32)
    arc, across = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
    lengths = np.hypot(*np.diff(points_mm, axis=0).T)
    travelled = np.concatenate([[0.0], np.cumsum(lengths)])
    for a, b, length, start in zip(points_mm, points_mm[1:], lengths, travelled, strict=False):
        _near_segment(distance, arc, across, (x0, y0), a, b, float(length), float(start), reach_mm, px_per_mm)
    return Nearness((slice(y0, y1), slice(x0, x1)), distance, arc, across)


def _near_segment(
    distance: Grid,
    arc: Grid,
    across: Grid,
    corner: tuple[int, int],
    a: Floats,
    b: Floats,
    length: float,
    start: float,
    reach_mm: float,
    px_per_mm: float,
) -> None:
    """Lower the field where one segment is nearer than what was there."""
    origin = np.array(corner)
    low = np.floor((np.minimum(a, b) - reach_mm) * px_per_mm).astype(int) - origin
    high = np.ceil((np.maximum(a, b) + reach_mm) * px_per_mm).astype(int) + 1 - origin
    rows = slice(max(0, low[1]), max(0, min(distance.shape[0], high[1])))
    columns = slice(max(0, low[0]), max(0, min(distance.shape[1], high[0])))
    if rows.stop <= rows.start or columns.stop <= columns.start:
        return
    y = ((np.arange(rows.start, rows.stop) + corner[1] + 0.5) / px_per_mm - a[1]).astype(np.float32)[:, None]
    x = ((np.arange(columns.start, columns.stop) + corner[0] + 0.5) / px_per_mm - a[0]).astype(np.float32)[None]
    run = (b - a) / max(length, 1e-9)
    part = np.clip(x * run[0] + y * run[1], 0, length)
    dx, dy = x - part * run[0], y - part * run[1]
    apart = np.sqrt(dx * dx + dy * dy)
    view = distance[rows, columns]
    closer = apart < view
    view[closer] = apart[closer]
    arc[rows, columns][closer] = (start + part)[closer]
    across[rows, columns][closer] = (run[0] * dy - run[1] * dx)[closer]


def coverage(strokes: Sequence[Drawn], size_mm: tuple[float, float], px_per_mm: float, sigma_mm: float = 0.03) -> Ink:
    """Perfect anti-aliased ink: a pixel's coverage falls from 1 to 0 over one pixel across the ink's edge."""
    width, height = (round(v * px_per_mm) for v in size_mm)
    cover = np.zeros((height, width), np.float32)
    for stroke in strokes:
        half = stroke.width_mm / 2
        near = nearness(stroke.points_mm, half + 1.5 / px_per_mm, size_mm, px_per_mm)
        own = np.clip(0.5 + (half - near.distance_mm) * px_per_mm, 0, 1)
        np.maximum(cover[near.window], own, out=cover[near.window])
    return Ink(
        coverage=np.rint(cover * 255).astype(np.uint8),
        unseen=np.zeros((height, width), np.uint8),
        px_per_mm=px_per_mm,
        sigma_mm=np.full((4, 4), sigma_mm, np.float32),
    )


# ------------------------------------------------------------------------------------ a raced print


@dataclass(frozen=True, eq=False)
class Desk:
    """All that painting a board needs to know beside the board's pixels."""

    strokes: Sequence[Drawn]
    marker: Marker
    rng: np.random.Generator
    size_mm: tuple[float, float]
    px_per_mm: float


def texture(
    artwork_rgb: Rgb,
    strokes: Sequence[Drawn],
    marker: Marker,
    extras: Sequence[str],
    rng: np.random.Generator,
    size_mm: tuple[float, float],
    shade: Print = "true",
) -> Rgb:
    """The board's print, raced: RGB at the artwork's own scale.

    ``extras``: ghost (an old path, badly wiped), smudge, signature (off the road), dots.
    """
    desk = Desk(strokes, marker, rng, size_mm, artwork_rgb.shape[1] / size_mm[0])
    board = printed(artwork_rgb, shade)
    for extra in extras:
        board = EXTRAS[extra](board, desk)
    for stroke in strokes:
        board = inked(board, stroke, desk)
    return board


def printed(artwork_rgb: Rgb, shade: Print) -> Rgb:
    """The artwork as a printer with this colour cast would bring it to paper."""
    gain, contrast, lift = PRINTS[shade]
    ramp = np.clip((np.arange(256)[:, None] * contrast + lift) * np.array(gain), 0, 255)
    return np.stack([np.rint(ramp[:, k]).astype(np.uint8)[artwork_rgb[..., k]] for k in range(3)], axis=-1)


def drawn_on(
    board: Rgb,
    gadgets: Sequence[Placed],
    colour: str,
    rng: np.random.Generator,
    size_mm: tuple[float, float],
    *,
    opacity: float = 0.95,
) -> Rgb:
    """The board with gadgets drawn on it; with little opacity, badly wiped off it."""
    desk = Desk((), Marker(colour, opacity, 0.1, 0.0), rng, size_mm, board.shape[1] / size_mm[0])
    for gadget in gadgets:
        for line in gadget.lines():
            near = nearness(line, gadget.pen_mm / 2 + 0.5, size_mm, desk.px_per_mm)
            ragged = 0.03 * _grain(near.distance_mm.shape, 0.25, desk.px_per_mm, rng)
            edge = np.clip(0.5 + (gadget.pen_mm / 2 + ragged - near.distance_mm) * desk.px_per_mm / 1.5, 0, 1)
            board = _laid(board, near.window, np.asarray(opacity * edge, np.float32), INKS[colour])
    return board


def inked(board: Rgb, stroke: Drawn, desk: Desk) -> Rgb:
    """The board with one stroke of dry-erase ink on it."""
    near = nearness(stroke.points_mm, stroke.width_mm / 2 + 0.5, desk.size_mm, desk.px_per_mm)
    dense = _density(near, stroke, desk)
    return _laid(board, near.window, dense, INKS[desk.marker.colour])


def _density(near: Nearness, stroke: Drawn, desk: Desk) -> Grid:
    """How much ink lies on each pixel of a window, 0 to 1: edge, streaks, dry speckle and blobs at the ends."""
    marker, rng, px_per_mm = desk.marker, desk.rng, desk.px_per_mm
    half = stroke.width_mm / 2
    shape = near.distance_mm.shape
    ragged = 0.035 * _grain(shape, 0.25, px_per_mm, rng) + 0.012 * _grain(shape, 0.08, px_per_mm, rng)
    edge = np.clip(0.5 + (half + ragged - near.distance_mm) * px_per_mm / 1.5, 0, 1)
    body = marker.opacity * (1 - marker.streak * 0.35 * _streaks(near, half, rng))
    length = float(stroke.arc_mm()[-1])
    ends = np.exp(-((near.arc_mm / 1.2) ** 2)) + np.exp(-(((length - near.arc_mm) / 1.2) ** 2))
    body = body + (0.99 - body) * 0.7 * np.clip(ends, 0, 1)
    if marker.dryness > 0:
        body = body * (1 - _dry(near, half, length, marker.dryness, px_per_mm, rng))
    rim = np.exp(-(((half - near.distance_mm) / 0.22) ** 2))
    return np.asarray(edge * np.clip(body + 0.05 * rim, 0, 1), dtype=np.float32)


def _streaks(near: Nearness, half: float, rng: np.random.Generator) -> Grid:
    """Faint lines along the stroke, as the tip's fibres draw them: 0 to 1, the same for a while along the way."""
    lanes, length = 24, int(np.nanmax(np.where(np.isfinite(near.distance_mm), near.arc_mm, 0))) // 6 + 3
    table = cv2.GaussianBlur(rng.random((lanes, length)).astype(np.float32), (0, 0), sigmaX=1.2, sigmaY=0.7)
    table = (table - table.min()) / max(float(np.ptp(table)), 1e-6)
    row = np.clip((near.across_mm / half + 1) / 2 * (lanes - 1), 0, lanes - 1).astype(np.float32)
    return np.asarray(cv2.remap(table, (near.arc_mm / 6).astype(np.float32), row, cv2.INTER_LINEAR), np.float32)


def _dry(
    near: Nearness, half: float, length: float, dryness: float, px_per_mm: float, rng: np.random.Generator
) -> Grid:
    """Where a dry tip leaves board showing: speckle near the edges, more of it in dry patches along the way."""
    steps = max(8, int(length / 4))
    patches = cv2.GaussianBlur(rng.random((1, steps)).astype(np.float32), (0, 0), sigmaX=2.0)[0]
    patches = np.clip((patches - np.quantile(patches, 0.6)) / max(float(np.ptp(patches)), 1e-6) * 2, 0, 1)
    patch = np.interp(near.arc_mm.ravel(), np.linspace(0, max(length, 1e-6), steps), patches).reshape(near.arc_mm.shape)
    grain = _grain(near.distance_mm.shape, 0.10, px_per_mm, rng)
    outward = np.clip(near.distance_mm / half, 0, 1) ** 2
    level = 2.9 - dryness * (0.8 + 1.6 * outward + 1.6 * patch)
    return np.asarray(0.8 * np.clip((grain - level) * 2, 0, 1), dtype=np.float32)


def _grain(shape: tuple[int, ...], size_mm: float, px_per_mm: float, rng: np.random.Generator) -> Grid:
    """Gaussian noise of this grain, mean 0 and deviation 1 (drawn coarse and enlarged: it is much quicker)."""
    step = max(1.0, size_mm * px_per_mm / 2)
    coarse = (int(shape[0] / step) + 4, int(shape[1] / step) + 4)
    noise: Grid = np.asarray(cv2.GaussianBlur(rng.standard_normal(coarse, dtype=np.float32), (0, 0), 1.0), np.float32)
    noise = noise / max(float(noise.std()), 1e-6)
    return np.asarray(cv2.resize(noise, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC), np.float32)


def _laid(board: Rgb, window: tuple[slice, slice], dense: Grid, ink_rgb: Sequence[float]) -> Rgb:
    """Ink over print: it covers, and lets through what it does not cover."""
    out = board.copy()
    dense, ink = dense[..., None], np.array(ink_rgb, np.float32)
    out[window] = np.rint(out[window] * (1 - dense) + ink * dense).astype(np.uint8)
    return out


# ------------------------------------------------------------------------------------ what else lies on a board


def _ghost(board: Rgb, desk: Desk) -> Rgb:
    """An old path wiped badly: much fainter than ink, smeared across, with gaps."""
    rng, strokes = desk.rng, desk.strokes
    line = np.concatenate([s.points_mm for s in strokes]) if strokes else _course_like(desk)
    sway = 1.5 * np.sin(np.linspace(0, rng.uniform(8, 30), len(line)))[:, None]
    old = (line + rng.uniform(-2.5, 2.5, 2) + sway)[:: max(1, len(line) // 900)]
    near = nearness(old, 3.5, desk.size_mm, desk.px_per_mm)
    faint = np.exp(-((near.distance_mm / 1.2) ** 2)).astype(np.float32)
    faint = cv2.GaussianBlur(faint, (0, 0), sigmaX=0.5 * desk.px_per_mm, sigmaY=0.2 * desk.px_per_mm)
    gaps = np.clip(0.5 + 0.5 * _grain(faint.shape, 6.0, desk.px_per_mm, rng), 0, 1)
    dense = np.asarray(rng.uniform(0.06, 0.14) * faint * gaps, np.float32)
    return _laid(board, near.window, dense, INKS[str(rng.choice(list(INKS)))])


def _smudge(board: Rgb, desk: Desk) -> Rgb:
    """Finger marks: wide, faint patches of wiped ink."""
    rng, out = desk.rng, board
    for _ in range(int(rng.integers(1, 4))):
        at = rng.uniform([25, 25], np.array(desk.size_mm) - 25)
        wipe = at + np.outer(np.linspace(0, 1, 30), rng.normal(size=2) * 9)
        near = nearness(wipe, 9.0, desk.size_mm, desk.px_per_mm)
        patchy = np.clip(0.6 + 0.4 * _grain(near.distance_mm.shape, 2.0, desk.px_per_mm, rng), 0, 1)
        faint = rng.uniform(0.04, 0.10) * np.exp(-((near.distance_mm / 4.5) ** 2)) * patchy
        out = _laid(out, near.window, np.asarray(faint, np.float32), INKS[desk.marker.colour])
    return out


def _signature(board: Rgb, desk: Desk) -> Rgb:
    """Somebody signed the board, away from the race's ink."""
    at = _off_the_ink(desk, 24.0)
    return board if at is None else inked(board, written(scribble(desk.rng, at, 24.0), 1.8), desk)


def _dots(board: Rgb, desk: Desk) -> Rgb:
    """A few stray dots of ink."""
    out = board
    for _ in range(int(desk.rng.integers(2, 6))):
        at = _off_the_ink(desk, 6.0)
        if at is not None:
            out = inked(out, written(np.array([at, at + [0.3, 0.1]]), float(desk.rng.uniform(0.8, 1.8))), desk)
    return out


def written(points_mm: Floats, width_mm: float) -> Drawn:
    return Drawn(points_mm, np.full(len(points_mm), np.nan), width_mm, "start")


def scribble(rng: np.random.Generator, at: Floats, length_mm: float) -> Floats:
    """A line of handwriting: waves with loops."""
    t = np.linspace(0, 1, 220)
    waves = rng.uniform(5, 8)
    x = (t - 0.5) * length_mm + 1.6 * np.sin(2 * np.pi * waves * t)
    y = 2.6 * np.cos(2 * np.pi * waves * t) * (0.6 + 0.4 * np.sin(9 * t + rng.uniform(0, 6)))
    return np.asarray(at + np.column_stack([x, y]))


def _course_like(desk: Desk) -> Floats:
    """A long wavy line over the whole board."""
    return scribble(desk.rng, np.array(desk.size_mm) / 2, 0.7 * desk.size_mm[0])


def _off_the_ink(desk: Desk, clear_mm: float) -> Floats | None:
    """A place on the board well away from the race's ink and from the corners."""
    taken = np.concatenate([s.points_mm for s in desk.strokes]) if desk.strokes else np.zeros((0, 2))
    for _ in range(300):
        at = desk.rng.uniform([34, 12], np.array(desk.size_mm) - [34, 12])
        if not len(taken) or np.hypot(*(taken - at).T).min() > 13 + clear_mm / 2:
            return np.asarray(at)
    return None


EXTRAS = {"ghost": _ghost, "smudge": _smudge, "signature": _signature, "dots": _dots}
