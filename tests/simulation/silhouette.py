"""A hand, a marker and an arm as a few flat shapes over a board, for the quick camera."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.model import Floats
from tests.simulation.snapshot import linear, projected

TONES = {"light": (228, 184, 160), "medium": (190, 136, 104), "dark": (104, 68, 50)}
SLEEVES = ((60, 72, 104), (170, 40, 44), (40, 40, 42), (205, 200, 190), (70, 104, 76))
MARKERS = ((30, 30, 32), (235, 235, 230), (30, 60, 150))
SHADOW_MM = (-7.0, -9.0)
"""How far the shadow of what lies on the board falls from it; what is held higher throws it farther."""


class Silhouette:
    """Shapes drawn into a picture of ``size_wh``, through the board's homography ``to_photo``."""

    def __init__(self, size_wh: tuple[int, int], to_photo: Floats, seed: int, tone: str) -> None:
        self.wh, self.to_photo = size_wh, to_photo
        rng = np.random.default_rng([seed, 31])
        self.skin = TONES[tone]
        self.sleeve = SLEEVES[int(rng.integers(len(SLEEVES)))]
        self.marker_rgb = MARKERS[int(rng.integers(len(MARKERS)))]
        width, height = size_wh
        self.solid = np.zeros((height, width), np.uint8)
        self.shade = np.zeros((height, width), np.uint8)
        self.rgb = np.zeros((height, width, 3), np.uint8)

    def hand(self, tip_mm: Floats, lift_mm: float, heading_deg: float, marker: bool = True) -> None:
        """A writing hand; ``heading_deg``: the way from the tip to the elbow, 0 down the board."""
        turn = np.radians(90 - heading_deg)
        along = np.array([np.cos(turn), np.sin(turn)])
        across = np.array([-along[1], along[0]])
        high = lift_mm * np.array([0.25, -0.35])
        tip = np.asarray(tip_mm, float) + high

        def at(a: float, b: float) -> Floats:
            return np.asarray(tip + a * along + b * across)

        # From far to near: arm, sleeve, palm, fingers, and the marker between them.
        self._fill([at(70, -28), at(70, 28), at(420, 44), at(420, -44)], self.skin, 14 + lift_mm)
        self._fill([at(130, -40), at(130, 40), at(460, 54), at(460, -54)], self.sleeve, 14 + lift_mm)
        self._blob(at(62, 4), 34, 27, turn, self.skin, 10 + lift_mm)
        if marker:
            self._fill(self._bar(at(0, 0), at(4, 0), 2.2, 3.0, across), (45, 45, 48), 2 + lift_mm)
            self._fill(self._bar(at(4, 0), at(14, 0), 6.0, 11.0, across), self.marker_rgb, 2 + lift_mm)
            self._fill(self._bar(at(14, 0), at(112, -6), 11.0, 11.0, across), self.marker_rgb, 6 + lift_mm)
        for a, b, long in ((30, -9, 17), (34, 9, 18), (44, 18, 17)):
            self._blob(at(a, b), long, 8.5, turn + 0.02 * b, self.skin, 5 + lift_mm)

    def drawn(self) -> tuple[NDArray[np.bool_], NDArray[np.float32], NDArray[np.float32]]:
        """Where something is (H, W), how dark its shadow is (H, W) 0 to 1, and its colour as light (H, W, 3) BGR."""
        if not self.solid.any():
            empty = np.zeros(self.solid.shape, np.float32)
            return self.solid > 0, empty, np.zeros((*self.solid.shape, 3), np.float32)
        small = cv2.resize(self.shade, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
        soft = cv2.GaussianBlur(small.astype(np.float32) / 255, (0, 0), 3.0)
        shadow = cv2.resize(soft, self.wh, interpolation=cv2.INTER_LINEAR)
        deep = cv2.distanceTransform(cv2.resize(self.solid, None, fx=0.25, fy=0.25), cv2.DIST_L2, 3)
        round_ = cv2.resize(np.clip(0.55 + deep / 14, 0.5, 1.05).astype(np.float32), self.wh)
        return self.solid > 0, shadow, linear(self.rgb[..., ::-1]) * round_[..., None]

    def _bar(self, a: Floats, b: Floats, wide_a: float, wide_b: float, across: Floats) -> list[Floats]:
        return [a - across * wide_a / 2, a + across * wide_a / 2, b + across * wide_b / 2, b - across * wide_b / 2]

    def _blob(self, middle: Floats, long: float, wide: float, turn: float, rgb: tuple[int, ...], up: float) -> None:
        t = np.linspace(0, 2 * np.pi, 28, endpoint=False)
        c, s = np.cos(turn), np.sin(turn)
        ring = np.column_stack([long * np.cos(t), wide * np.sin(t)]) @ np.array([[c, s], [-s, c]])
        self._fill(list(middle + ring), rgb, up)

    def _fill(self, corners_mm: list[Floats], rgb: tuple[int, ...], up_mm: float) -> None:
        points = np.array(corners_mm)
        seen = np.rint(projected(self.to_photo, points) * 16).astype(np.int32)
        cv2.fillPoly(self.solid, [seen], 1, shift=4)
        cv2.fillPoly(self.rgb, [seen], rgb, shift=4)
        cast = points + np.array(SHADOW_MM) * (0.25 + up_mm / 14)
        fallen = np.rint(projected(self.to_photo, cast) * 16).astype(np.int32)
        cv2.fillPoly(self.shade, [fallen], 255, shift=4)
