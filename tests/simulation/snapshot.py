"""A quick camera: a flat board on a plain table, seen through a simple lens.

No soft shadows, true gloss or hands: those need a path tracer (`photograph`).  A bowed sheet and a flash are
crude.  But light that falls off, colour casts, blur in linear light, noise, a tone curve, and sharpening are here, and
a picture takes seconds.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.model import Floats

Picture = NDArray[np.uint8]
Light = NDArray[np.float32]


@dataclass(frozen=True)
class Camera:
    """How a snapshot is taken; lengths in pixels of the picture."""

    size_wh: tuple[int, int] = (2816, 2112)
    tilt_deg: float = 20.0
    azimuth_deg: float = 0.0
    roll_deg: float = 0.0
    fill: float = 0.85
    blur_px: float = 0.8
    noise: float = 0.012
    cast: tuple[float, float, float] = (1.0, 1.0, 1.0)
    """Gain of blue, green and red."""
    falloff: float = 0.3
    exposure: float = 0.9
    """How bright the board's brightest print comes out, in light; above 1 it burns out."""
    jpeg_quality: int = 88
    bow_mm: float = 0.0
    """How far a sheet's middle seems shifted against its edges because it is bowed."""
    flash: float = 0.0
    """The light of a flash in the board's gloss, in that of its white; 1 burns a patch of some centimetres out."""


def random_camera(rng: np.random.Generator, webcam: bool = False) -> Camera:
    """A camera held by somebody."""
    warm = float(rng.uniform(0, 0.25))
    return Camera(
        size_wh=(1280, 720) if webcam else (2816, 2112),
        tilt_deg=float(rng.uniform(0, 45)),
        azimuth_deg=float(rng.uniform(-180, 180)),
        roll_deg=float(rng.choice([0, 90, 180, 270]) + rng.normal() * 8),
        fill=float(rng.uniform(0.7, 0.95)),
        blur_px=float(rng.uniform(0.6, 1.3)),
        noise=float(rng.uniform(0.004, 0.03)),
        cast=(1 - warm, 1.0, 1 + 0.5 * warm),
        falloff=float(rng.uniform(0.1, 0.6)),
        jpeg_quality=int(rng.integers(70, 93)),
    )


def snapshot(
    board_rgb: Picture, size_mm: tuple[float, float], camera: Camera, rng: np.random.Generator
) -> tuple[Picture, Floats]:
    """The picture (BGR) and the homography (3, 3) from board mm to its pixels."""
    to_photo = pose(size_mm, camera)
    board_rgb = _bowed(board_rgb, size_mm, camera) if camera.bow_mm else board_rgb
    width, height = camera.size_wh
    to_texture = np.diag([board_rgb.shape[1] / size_mm[0], board_rgb.shape[0] / size_mm[1], 1.0])
    to_texture[:2, 2] = -0.5
    warp = to_photo @ np.linalg.inv(to_texture)
    scale = np.sqrt(abs(np.linalg.det(warp[:2, :2] / warp[2, 2])))
    light = linear(board_rgb[..., ::-1])
    light = np.asarray(cv2.GaussianBlur(light, (0, 0), max(0.3, 0.45 / scale)), np.float32)
    table = np.array(rng.uniform(0.05, 0.5, 3), np.float32)
    seen = np.broadcast_to(table, (height, width, 3)).astype(np.float32)
    seen = (
        seen * (1 + 0.05 * cv2.resize(rng.standard_normal((90, 120, 1)).astype(np.float32), (width, height)))[..., None]
    )
    inside = cv2.warpPerspective(np.ones(light.shape[:2], np.float32), warp, (width, height), flags=cv2.INTER_LINEAR)
    board = cv2.warpPerspective(light, warp, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    seen = seen * (1 - inside[..., None]) + board * inside[..., None]
    lit = seen * lamp(width, height, camera, rng)
    white = float(np.quantile(lit[::8, ::8][inside[::8, ::8] > 0.5].max(axis=-1), 0.995))
    lit = lit * (camera.exposure / max(white, 1e-6))
    if camera.flash:
        lit = np.asarray(lit + _flash(width, height, camera, rng), np.float32)
    return developed(lit, camera, rng), to_photo


def _bowed(board_rgb: Picture, size_mm: tuple[float, float], camera: Camera) -> Picture:
    """A sheet whose middle stands up, as it is seen from aside; its edges stay where they are."""
    height, width = board_rgb.shape[:2]
    across = 1 - np.linspace(-1, 1, width, dtype=np.float32) ** 2
    angle = np.radians(camera.azimuth_deg)
    shift = camera.bow_mm * width / size_mm[0] * across
    x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    x, y = (np.asarray(at + shift * way, np.float32) for at, way in ((x, np.sin(angle)), (y, np.cos(angle))))
    seen = cv2.remap(board_rgb, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.uint8)


def _flash(width: int, height: int, camera: Camera, rng: np.random.Generator) -> Light:
    """The flash in the gloss: a patch near the middle, with a wide soft skirt."""
    y, x = np.mgrid[0:height:96j, 0:width:96j].astype(np.float32)
    at = rng.uniform(0.4, 0.6, 2) * [width, height]
    far = np.hypot(x - at[0], y - at[1]) / (0.06 * width)
    level = camera.flash * (np.exp(-(far**2) / 2) + 0.12 / (1 + far**2 / 4))
    return np.asarray(cv2.resize(level.astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)[..., None])


def pose(size_mm: tuple[float, float], camera: Camera) -> Floats:
    """The homography from board mm to pixels: turned, tilted away, and as large as ``fill`` says."""
    w, h = size_mm
    tilt, roll, azimuth = np.radians([camera.tilt_deg, camera.roll_deg, camera.azimuth_deg])
    turn = _rotation(azimuth)
    away = np.array([[1.0, 0, 0], [0, np.cos(tilt), 0], [0, 0.8 * np.sin(tilt) / max(w, h), 1.0]])
    shape = (
        _rotation(roll) @ np.linalg.inv(turn) @ away @ turn @ np.array([[1, 0, -w / 2], [0, 1, -h / 2], [0, 0, 1.0]])
    )
    corners = projected(shape, np.array([[0, 0], [w, 0], [w, h], [0, h]], float))
    low, high = corners.min(0), corners.max(0)
    size = np.array(camera.size_wh)
    zoom = float((camera.fill * size / (high - low)).min())
    middle = size / 2 - zoom * (low + high) / 2
    return np.asarray(np.array([[zoom, 0, middle[0]], [0, zoom, middle[1]], [0, 0, 1.0]]) @ shape)


def _rotation(angle: float) -> Floats:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])


def projected(homography: Floats, points: Floats) -> Floats:
    """Points (N, 2) through a homography."""
    far = np.column_stack([points, np.ones(len(points))]) @ homography.T
    return np.asarray(far[:, :2] / far[:, 2:])


def linear(picture: Picture) -> Light:
    """Light of sRGB values."""
    value = np.arange(256) / 255
    table = np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)
    return np.asarray(table.astype(np.float32)[picture])


def lamp(width: int, height: int, camera: Camera, rng: np.random.Generator) -> Light:
    """How much light falls where: brighter towards a lamp, darker in the picture's corners, tinted."""
    y, x = np.mgrid[0:height:64j, 0:width:64j].astype(np.float32)
    at = rng.uniform(-0.3, 1.3, 2) * [width, height]
    distance = np.hypot(x - at[0], y - at[1]) / max(width, height)
    corner = np.hypot(x - width / 2, y - height / 2) / np.hypot(width, height) * 2
    level = (1.15 - camera.falloff * distance) * (1 - 0.2 * corner**2)
    smooth = cv2.resize(np.clip(level, 0.15, 2).astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)
    return np.asarray(smooth[..., None] * np.array(camera.cast, np.float32), np.float32)


def developed(light: Light, camera: Camera, rng: np.random.Generator) -> Picture:
    """Light to a picture's values: blur, noise, sRGB and a tone curve, sharpening."""
    light = np.asarray(cv2.GaussianBlur(light, (0, 0), camera.blur_px), np.float32)
    grain = rng.standard_normal(light.shape, dtype=np.float32)
    light = np.clip(
        light + camera.noise * np.sqrt(np.maximum(light, 0.002)) * cv2.GaussianBlur(grain, (0, 0), 0.6), 0, 1
    )
    value = 1.055 * np.power(light, 1 / 2.4) - 0.055
    value = value + 0.12 * np.sin(2 * np.pi * (value - 0.5)) / np.pi
    value = value + 0.5 * (value - cv2.GaussianBlur(value, (0, 0), 1.2))
    return np.rint(np.clip(value, 0, 1) * 255).astype(np.uint8)
