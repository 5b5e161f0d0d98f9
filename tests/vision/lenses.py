"""The calibration target in many hands before one bending lens: as pictures, and as mere corners."""

from __future__ import annotations

import io
from functools import cache

import numpy as np
import resvg
from PIL import Image

from referee.model import LensProfile, Target
from referee.stage.printing_target import target_svg
from referee.vision.calibrate import Sighting
from tests.simulation.lens import Held, Pinhole, seen_at, through
from tests.simulation.snapshot import Camera, Picture

A4_MM = (297.0, 210.0)
CORNER_MM = (28.5, 14.0)
"""Where the board's top left lies on an A4 sheet."""
WEBCAM = Pinhole()
LOOK = Camera(size_wh=(1280, 720), blur_px=0.9, noise=0.012)
ALL_ROUND = (
    Held(30, 0, 0, (0.5, 0.5)),
    Held(-30, 0, 5, (0.5, 0.5)),
    Held(0, 30, 0, (0.42, 0.5)),
    Held(0, -30, -5, (0.58, 0.5)),
    Held(20, 20, 0, (0.3, 0.3), 2.6),
    Held(-20, 20, 180, (0.7, 0.3), 2.6),
    Held(20, -20, 3, (0.3, 0.7), 2.6),
    Held(-20, -20, -4, (0.7, 0.7), 2.6),
    Held(4, 0, 0, (0.5, 0.5), 3.8),
)
TRUTH = LensProfile((1280, 720), WEBCAM.focal_px, WEBCAM.middle_px, (-0.3, 0.09, 0.0006, -0.0004, 0.0), 0.0, 0)


@cache
def sheet() -> Picture:
    """The A4 target (RGB) at 8 px/mm."""
    tree = resvg.usvg.Tree.from_str(target_svg("a4"), resvg.usvg.Options.default())
    scale = 8.0 * 25.4 / 96
    png = resvg.render(tree, (scale, 0.0, 0.0, 0.0, scale, 0.0), bg_color=(255, 255, 255, 255), bg_size=(2376, 1680))
    return np.array(Image.open(io.BytesIO(png)).convert("RGB"), np.uint8)


def picture(held: Held, seed: int = 0, look: Camera = LOOK) -> Picture:
    """The target before the webcam (BGR)."""
    return through(sheet(), A4_MM, WEBCAM, held, look, seed)


def sighting(held: Held, noise_px: float = 0.05, seed: int = 0, name: str = "a.jpg") -> Sighting:
    """The corners of the target that such a picture shows, found with some noise."""
    target = Target()
    x, y = np.meshgrid(np.arange(1, target.columns), np.arange(1, target.rows))
    mm = target.square_mm * np.column_stack([x.ravel(), y.ravel()]).astype(float)
    px = seen_at(WEBCAM, held, A4_MM, mm + CORNER_MM)
    inside = ((px > 3) & (px < np.array(WEBCAM.size_wh) - 4)).all(1)
    px = px + np.random.default_rng(seed).normal(0, noise_px, px.shape)
    return Sighting(name, WEBCAM.size_wh, mm[inside], px[inside])


def map_error_px(lens: LensProfile) -> float:
    """By how much, at most, a flat board is seen elsewhere than the true lens has it, wherever the board lies."""
    rim = np.array([(x, y) for x in np.linspace(8, 1271, 17) for y in np.linspace(8, 711, 9)])
    ideal, true = lens.straight(rim), TRUTH.straight(rim)
    plane = _plane(true, ideal)
    there = np.column_stack([true, np.ones(len(true))]) @ plane.T
    return float(np.hypot(*(lens.bent(there[:, :2] / there[:, 2:]) - rim).T).max())


def _plane(before: np.ndarray, after: np.ndarray) -> np.ndarray:
    import cv2

    return np.asarray(cv2.findHomography(before, after, 0)[0])
