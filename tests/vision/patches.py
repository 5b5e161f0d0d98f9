"""A corner of a real stage as a small board, printed, inked, lit and photographed from straight above.

Everything is known to the hundredth of a millimetre: what flattening, lighting and segmentation should find.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.model import BoardView, Floats
from referee.stage.load import load_stage
from referee.stage.render import artwork
from referee.vision.clean import CleanPrint
from referee.vision.colours import light
from tests.simulation.hand import Drawn
from tests.simulation.paint import INKS, coverage

Light = NDArray[np.float32]
Rgb = NDArray[np.uint8]
Field = Callable[[Floats], Floats]

CORNER_MM = np.array([24.0, 132.0])
SIZE_MM = (120.0, 72.0)
FINE_PX_PER_MM = 12
PRINT_PX_PER_MM = 6
RIM_PX = 12
"""Table that the photo shows around the board."""


@lru_cache(maxsize=1)
def fine_print() -> Rgb:
    """The patch of stage 1 around its start (864, 1440, 3), twice as fine as the print that vision knows."""
    stage = load_stage(Path(__file__).parents[2] / "stage_masks" / "stage-01.svg")
    whole = artwork(stage, "A", FINE_PX_PER_MM)
    x, y = (CORNER_MM * FINE_PX_PER_MM).astype(int)
    w, h = (round(v * FINE_PX_PER_MM) for v in SIZE_MM)
    return np.ascontiguousarray(whole[y : y + h, x : x + w])


@lru_cache(maxsize=1)
def clean_print() -> CleanPrint:
    return CleanPrint(
        np.asarray(cv2.resize(fine_print(), None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
    )


@lru_cache(maxsize=1)
def course() -> tuple[Floats, ...]:
    """The middle of the patch's road."""
    stage = load_stage(Path(__file__).parents[2] / "stage_masks" / "stage-01.svg")
    line = np.vstack(stage.course) - CORNER_MM
    inside = ((line > 6) & (line < np.array(SIZE_MM) - 6)).all(1)
    first = int(np.argmax(inside))
    return (line[first : first + int(np.argmin(inside[first:]))],)


def drawn(points_mm: Floats, width_mm: float = 2.6) -> Drawn:
    return Drawn(points_mm, np.full(len(points_mm), np.nan), width_mm, "start")


def along_the_course(width_mm: float = 2.6) -> Drawn:
    """A stroke that sways about the middle of the road."""
    line = course()[0]
    steps = np.concatenate([[0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))])
    at = np.arange(0, steps[-1], 0.4)
    points = np.column_stack([np.interp(at, steps, line[:, k]) for k in (0, 1)])
    return drawn(points + np.column_stack([np.zeros(len(at)), 2 * np.sin(at / 9)]), width_mm)


def inked(colour: str, *strokes: Drawn, opacity: float = 1.0) -> Light:
    """The patch's light (864, 1440, 3) RGB with exact ink on it."""
    cover = coverage(strokes, SIZE_MM, FINE_PX_PER_MM).coverage.astype(np.float32)[..., None] * (opacity / 255)
    ink = light(np.array([[INKS[colour]]], np.uint8))
    return np.asarray(light(fine_print()) * (1 - cover) + ink * cover, np.float32)


def lamp(dark: float = 0.5, cast: tuple[float, float, float] = (1.0, 0.95, 0.8)) -> Light:
    """Light that falls off across the patch (864, 1440, 3), warm."""
    x = np.linspace(1.0, dark, FINE_PX_PER_MM * round(SIZE_MM[0]), dtype=np.float32)
    y = np.linspace(0.9, 1.0, FINE_PX_PER_MM * round(SIZE_MM[1]), dtype=np.float32)
    return np.asarray(np.outer(y, x)[..., None] * np.array(cast, np.float32), np.float32)


def view(px_per_mm: float = 6.0) -> BoardView:
    """The patch seen from straight above, as `photograph` takes it."""
    plane = np.array([[px_per_mm, 0, RIM_PX - 0.5], [0, px_per_mm, RIM_PX - 0.5], [0, 0, 1]])
    return BoardView(1, "A", SIZE_MM, plane)


def photograph(lit: Light, *, blur_px: float = 0.6, noise: float = 0.004, seed: int = 1) -> Rgb:
    """The BGR photo of a patch's light at 6 px/mm: blur and noise in light, then sRGB."""
    half = np.asarray(cv2.resize(lit, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA))
    rim = (RIM_PX, RIM_PX, RIM_PX, RIM_PX)
    seen = cv2.copyMakeBorder(half, *rim, cv2.BORDER_CONSTANT, value=(0.2, 0.15, 0.1))
    seen = np.asarray(cv2.GaussianBlur(seen, (0, 0), blur_px), np.float32)
    seen = seen + np.random.default_rng(seed).normal(0, noise, seen.shape).astype(np.float32)
    return values(seen)[..., ::-1].copy()


def values(linear: Light) -> Rgb:
    """sRGB values of light."""
    lit = np.clip(linear, 0, 1)
    coded = np.where(lit <= 0.0031308, 12.92 * lit, 1.055 * lit ** (1 / 2.4) - 0.055)
    return np.rint(255 * coded).astype(np.uint8)


def bent_photograph(
    bend: Callable[[Floats], Floats], *, px_per_mm: float = 6.0
) -> tuple[Rgb, Callable[[Floats], Floats]]:
    """The BGR photo of the clean patch whose printed points p lie at p + bend(p), and where it shows them (N, 2) px."""
    plain = view(px_per_mm)
    width, height = (round(v * px_per_mm) + 2 * RIM_PX for v in SIZE_MM)
    grid = np.stack(np.meshgrid(np.arange(width), np.arange(height)), -1).reshape(-1, 2)
    place = np.asarray((grid - (RIM_PX - 0.5)) / px_per_mm, np.float64)
    printed = place.copy()
    for _ in range(6):
        printed = place - bend(printed)
    at = (printed * FINE_PX_PER_MM - 0.5).astype(np.float32).reshape(height, width, 2)
    soft = cv2.GaussianBlur(fine_print(), (0, 0), 0.5 * FINE_PX_PER_MM / px_per_mm)
    seen = cv2.remap(
        soft, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=(90,) * 3
    )
    noise = np.random.default_rng(2).normal(0, 1.5, seen.shape)
    return np.clip(seen[..., ::-1] + noise, 0, 255).astype(np.uint8), lambda mm: plain.to_photo(mm + bend(mm))
