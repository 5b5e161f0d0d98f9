"""Artwork of made-up boards without markers, as of one series of games: every board has its own lay-out, and all share
a stock of signs, tiles and letters, so that a part of any board may be seen on many others."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.model import Floats
from tests.simulation.snapshot import Camera, snapshot

Rgb = NDArray[np.uint8]
SIZE_MM = (297.0, 210.0)
PX_PER_MM = 4
WORDS = ("PARK", "CITY", "STOP", "TURBO", "JUMP", "FINISH", "LAKE", "MILL", "TOWN", "GO")
_GROUNDS = ((120, 190, 110), (196, 178, 140), (110, 150, 190), (170, 170, 176), (214, 190, 120))


def board_art(seed: int, twofold: bool = False) -> Rgb:
    """The print (840, 1188, 3) of board ``seed``; if ``twofold``, much the same either way up: only a badge differs."""
    rng = np.random.default_rng([seed, 17])
    height, width = (round(side * PX_PER_MM) for side in SIZE_MM[::-1])
    art = np.full((height, width, 3), _GROUNDS[seed % len(_GROUNDS)], np.uint8)
    _patches(art, rng)
    _road(art, rng)
    for _ in range(60):
        _sign(art, rng)
    if twofold:
        art[height // 2 :] = art[: height - height // 2][::-1, ::-1]
        cv2.putText(art, f"N{seed % 10}", (30, 100), cv2.FONT_HERSHEY_DUPLEX, 3.0, (250, 250, 250), 8, cv2.LINE_AA)
    return art


def _patches(art: Rgb, rng: np.random.Generator) -> None:
    height, width = art.shape[:2]
    for _ in range(25):
        middle = rng.uniform([0, 0], [width, height]).astype(int).tolist()
        axes = rng.uniform(30, 140, 2).astype(int).tolist()
        colour = (art[0, 0].astype(int) + rng.integers(-45, 46, 3)).clip(0, 255).tolist()
        cv2.ellipse(art, middle, axes, float(rng.uniform(0, 180)), 0, 360, colour, -1, cv2.LINE_AA)


def _road(art: Rgb, rng: np.random.Generator) -> None:
    height, width = art.shape[:2]
    stops = rng.uniform([0.08, 0.1], [0.92, 0.9], (6, 2)) * [width, height]
    t = np.linspace(0, 5, 200)
    ways = np.stack([np.interp(t, np.arange(6), stops[:, k]) for k in (0, 1)], -1)
    smooth = np.stack([np.convolve(np.pad(ways[:, k], 12, mode="edge"), np.ones(25) / 25, "valid") for k in (0, 1)], -1)
    line = [np.rint(smooth).astype(np.int32)]
    for colour, thick in (((250, 250, 248), 88), ((96, 98, 104), 72)):
        cv2.polylines(art, line, False, colour, thick, cv2.LINE_AA)
    for piece in range(4, 196, 8):
        begin, end = np.rint(smooth[[piece, piece + 3]]).astype(int).tolist()
        cv2.line(art, begin, end, (230, 225, 200), 3, cv2.LINE_AA)


def _sign(art: Rgb, rng: np.random.Generator) -> None:
    """One of the series' signs, the same on every board but for its turn and place."""
    height, width = art.shape[:2]
    x, y = (int(v) for v in rng.uniform([20, 20], [width - 20, height - 20]))
    kind, size = int(rng.integers(5)), int(rng.choice([16, 22, 30]))
    hue = [(212, 60, 52), (44, 96, 190), (240, 200, 60), (50, 130, 70), (110, 60, 140)][int(rng.integers(5))]
    if kind == 0:
        cv2.circle(art, (x, y), size, (30, 70, 40), -1, cv2.LINE_AA)
        cv2.circle(art, (x - size // 4, y - size // 4), size * 2 // 3, (70, 140, 60), -1, cv2.LINE_AA)
    elif kind == 1:
        turn = rng.uniform(0, 2 * np.pi) + np.arange(10) * np.pi / 5
        star = np.column_stack([np.cos(turn), np.sin(turn)]) * np.tile([size, size * 0.45], 5)[:, None] + [x, y]
        cv2.fillPoly(art, [np.rint(star).astype(np.int32)], hue, cv2.LINE_AA)
    elif kind == 2:
        cv2.rectangle(art, (x - size, y - size // 2), (x + size, y + size // 2), (240, 238, 230), -1)
        cv2.rectangle(art, (x - size, y - size // 2), (x + size, y + size // 2), (40, 40, 44), 2)
        cv2.line(art, (x, y - size // 2), (x, y + size // 2), (40, 40, 44), 2)
    elif kind == 3:
        word = WORDS[int(rng.integers(len(WORDS)))]
        cv2.putText(art, word, (x - size, y), cv2.FONT_HERSHEY_DUPLEX, size / 24, (30, 30, 36), 2, cv2.LINE_AA)
    else:
        for ring, colour in ((size, hue), (size * 2 // 3, (245, 245, 240)), (size // 3, hue)):
            cv2.circle(art, (x, y), ring, colour, -1, cv2.LINE_AA)


def inked(art: Rgb, seed: int) -> Rgb:
    """The print with a race's line on it."""
    rng = np.random.default_rng([seed, 18])
    height, width = art.shape[:2]
    stops = rng.uniform([0.08, 0.1], [0.92, 0.9], (8, 2)) * [width, height]
    drawn = art.copy()
    cv2.polylines(drawn, [np.rint(stops).astype(np.int32)], False, (34, 33, 38), 10, cv2.LINE_AA)
    return drawn


def photo_of(art: Rgb, camera: Camera, seed: int) -> tuple[NDArray[np.uint8], Floats]:
    """A quick photo (BGR) of a print, and the homography from its mm to the photo's px."""
    return snapshot(art, SIZE_MM, camera, np.random.default_rng([seed, 19]))


def hand_held(seed: int, size_wh: tuple[int, int] = (1600, 1200)) -> Camera:
    """A camera held by somebody: turned any way, tilted up to 45 degrees."""
    rng = np.random.default_rng([seed, 20])
    camera = Camera(
        tilt_deg=float(rng.uniform(0, 45)),
        azimuth_deg=float(rng.uniform(-180, 180)),
        roll_deg=float(rng.uniform(-180, 180)),
        fill=float(rng.uniform(0.6, 0.95)),
        blur_px=float(rng.uniform(0.6, 1.3)),
        noise=float(rng.uniform(0.004, 0.03)),
        falloff=float(rng.uniform(0.1, 0.6)),
    )
    return replace(camera, size_wh=size_wh)
