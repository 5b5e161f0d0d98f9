"""A camera whose lens bends: flat prints in the hand or on the table, seen through OpenCV's own lens model."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from referee.model import Floats
from tests.simulation.snapshot import Camera, Picture, developed, lamp, linear

BARREL = (-0.3, 0.09, 0.0006, -0.0004, 0.0)
"""k1, k2, p1, p2, k3 of a cheap wide lens."""


@dataclass(frozen=True)
class Pinhole:
    """A camera: picture size, focal lengths and middle in px, distortion."""

    size_wh: tuple[int, int] = (1280, 720)
    focal_px: tuple[float, float] = (1120.0, 1124.0)
    middle_px: tuple[float, float] = (652.0, 349.0)
    distortion: tuple[float, ...] = BARREL

    @property
    def matrix(self) -> Floats:
        (fx, fy), (cx, cy) = self.focal_px, self.middle_px
        return np.array([[fx, 0, cx], [0, fy, cy], [0, 0, 1.0]])


@dataclass(frozen=True)
class Held:
    """How a print is held: tilted about its x and y axes, turned, its middle at (x, y) of the picture, as large as
    ``px_per_mm`` there."""

    tilt_x_deg: float = 0.0
    tilt_y_deg: float = 0.0
    turn_deg: float = 0.0
    middle: tuple[float, float] = (0.5, 0.5)
    px_per_mm: float = 3.2


def pose(camera: Pinhole, held: Held, size_mm: tuple[float, float]) -> tuple[Floats, Floats]:
    """The rotation (3, 3) and the shift (3,) from board mm to the camera's own mm."""
    x, y, z = np.radians([held.tilt_x_deg, held.tilt_y_deg, held.turn_deg])
    turn = cv2.Rodrigues(np.array([x, 0, 0]))[0] @ cv2.Rodrigues(np.array([0, y, 0]))[0]
    turn = turn @ cv2.Rodrigues(np.array([0, 0, z]))[0]
    away = camera.focal_px[0] / held.px_per_mm
    at = (np.array(held.middle) * camera.size_wh - camera.middle_px) / camera.focal_px
    middle = np.array([*(at * away), away])
    return turn, middle - turn @ np.array([size_mm[0] / 2, size_mm[1] / 2, 0.0])


def seen_at(camera: Pinhole, held: Held, size_mm: tuple[float, float], points_mm: Floats) -> Floats:
    """Pixels (N, 2) of board points (N, 2)."""
    turn, shift = pose(camera, held, size_mm)
    flat = np.column_stack([points_mm, np.zeros(len(points_mm))])
    there, _ = cv2.projectPoints(flat, cv2.Rodrigues(turn)[0], shift, camera.matrix, np.array(camera.distortion))
    return np.asarray(there.reshape(-1, 2))


def through(
    board_rgb: Picture, size_mm: tuple[float, float], camera: Pinhole, held: Held, look: Camera, seed: int
) -> Picture:
    """The picture (BGR) of a print; ``look`` gives blur, noise and light."""
    rng = np.random.default_rng(seed)
    turn, shift = pose(camera, held, size_mm)
    w, h = camera.size_wh
    pixels = np.stack(np.meshgrid(np.arange(w), np.arange(h)), -1).reshape(-1, 1, 2).astype(np.float64)
    enough = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 100, 1e-9)
    rays = cv2.undistortPoints(pixels, camera.matrix, np.array(camera.distortion), criteria=enough).reshape(-1, 2)
    back = np.linalg.inv(np.column_stack([turn[:, 0], turn[:, 1], shift]))
    mm = np.column_stack([rays, np.ones(len(rays))]) @ back.T
    fine = board_rgb.shape[1] / size_mm[0]
    places = (mm[:, :2] / mm[:, 2:] * fine - 0.5).reshape(h, w, 2).astype(np.float32)
    light = cv2.GaussianBlur(linear(board_rgb[..., ::-1]), (0, 0), max(0.3, 0.45 * fine / held.px_per_mm))
    table = tuple(float(v) for v in rng.uniform(0.1, 0.4, 3))
    seen = cv2.remap(
        light, places[..., 0], places[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=table
    )
    lit = np.asarray(seen * lamp(w, h, look, rng), np.float32)
    return developed(lit * (look.exposure / max(float(np.quantile(lit[::8, ::8], 0.99)), 1e-6)), look, rng)
