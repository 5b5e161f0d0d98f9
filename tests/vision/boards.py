"""Little boards drawn and photographed by plain projective geometry, for the tests of finding them."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from referee.model import Photo
from referee.vision.tags import BoardTag, Tags

SIZE_MM = (297.0, 210.0)
SIDE_MM = 14.0
PRINT_PX_PER_MM = 8
PLACES_MM = np.array([[6.0, 6.0], [277.0, 6.0], [277.0, 190.0], [6.0, 190.0]])


def first_id(stage: int, copy: str = "A") -> int:
    return 8 * (stage - 1) + 4 * "AB".index(copy)


def corners_mm(place: int) -> np.ndarray:
    return PLACES_MM[place] + SIDE_MM * np.array([[0, 0], [1, 0], [1, 1], [0, 1]], float)


def tags_of(*stages: int) -> Tags:
    """What a catalogue of these stages says about a marker id."""

    def tag(marker_id: int) -> BoardTag | None:
        stage, place = marker_id // 8 + 1, marker_id % 4
        if stage not in stages:
            return None
        return BoardTag(stage, "B" if marker_id % 8 >= 4 else "A", place, corners_mm(place), SIZE_MM)

    return tag


ROAD_PX = np.array([[300, 1400], [500, 400], [1300, 500], [1900, 1300]], np.int32)


def board(stage: int, copy: str = "A", without: tuple[int, ...] = ()) -> np.ndarray:
    """The print (1680, 2376, 3) BGR: a road, some trees and the corner markers."""
    w, h = (round(v * PRINT_PX_PER_MM) for v in SIZE_MM)
    art = np.full((h, w, 3), (120, 190, 150), np.uint8)
    rng = np.random.default_rng(stage)
    for x, y in rng.uniform([30, 30], [260, 180], (60, 2)):
        cv2.circle(art, (int(x * 8), int(y * 8)), int(rng.uniform(20, 60)), rng.uniform(20, 200, 3).tolist(), -1)
    cv2.polylines(art, [ROAD_PX], False, (250, 250, 250), 180)
    cv2.polylines(art, [ROAD_PX], False, (100, 100, 100), 148)
    book = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    for place in range(4):
        if place in without:
            continue
        x, y = (PLACES_MM[place] * 8).astype(int)
        art[y - 16 : y + 128, x - 16 : x + 128] = 255
        art[y : y + 112, x : x + 112] = cv2.aruco.generateImageMarker(book, first_id(stage, copy) + place, 112)[
            ..., None
        ]
    return art


# An integer is a pixel's centre: the middle of a pixel twice as large lies between two small ones.
_TWICE_AS_FINE = np.array([[2, 0, 0.5], [0, 2, 0.5], [0, 0, 1]])
_PRINT_TO_MM = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, PRINT_PX_PER_MM]]) / PRINT_PX_PER_MM


@dataclass(frozen=True)
class Pose:
    """How a board lies before the camera: its middle in the picture, its turn, its tilt, and its scale there."""

    middle_px: tuple[float, float]
    scale: float = 3.2
    turn_deg: float = 0.0
    tilt_deg: float = 0.0

    def board_to_photo(self, focal_px: float = 1300.0) -> np.ndarray:
        """The homography (3, 3) from board mm to photo px."""
        turn, tilt = np.radians([self.turn_deg, self.tilt_deg])
        about = np.array([[1, 0, -SIZE_MM[0] / 2], [0, 1, -SIZE_MM[1] / 2], [0, 0, 1.0]])
        spin = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
        far = focal_px / self.scale
        lean = np.array([[1, 0, 0], [0, np.cos(tilt), 0], [0, -np.sin(tilt) / far, 1]])
        place = np.array([[self.scale, 0, self.middle_px[0]], [0, self.scale, self.middle_px[1]], [0, 0, 1]])
        plane = place @ lean @ spin @ about
        return np.asarray(plane / plane[2, 2])


def photograph(
    boards: list[tuple[np.ndarray, Pose]],
    size_wh: tuple[int, int] = (1280, 960),
    blur_px: float = 0.6,
    noise: float = 2.0,
    light: float = 1.0,
) -> np.ndarray:
    """The picture (H, W, 3) BGR of boards on a wooden table."""
    rng = np.random.default_rng(7)
    grain = cv2.GaussianBlur(rng.normal(0, 60, (size_wh[1], size_wh[0])).astype(np.float32), (0, 0), 12, sigmaY=1)
    seen = np.clip(np.array([90.0, 130.0, 165.0]) + grain[..., None], 0, 255).astype(np.float32)
    for art, pose in boards:
        # Twice as fine, then averaged: a camera's pixel sees an area.
        plane = _TWICE_AS_FINE @ pose.board_to_photo() @ _PRINT_TO_MM
        size = (2 * size_wh[0], 2 * size_wh[1])
        fine = cv2.warpPerspective(art, plane, size, flags=cv2.INTER_AREA, borderValue=(0, 0, 0))
        mask = cv2.warpPerspective(np.full(art.shape[:2], 255, np.uint8), plane, size)
        cover = cv2.resize(mask, size_wh, interpolation=cv2.INTER_AREA)[..., None] / np.float32(255)
        seen = seen * (1 - cover) + cv2.resize(fine, size_wh, interpolation=cv2.INTER_AREA).astype(np.float32)
    in_light = (np.clip(seen, 0, 255) / 255) ** np.float32(2.2)
    if blur_px:
        in_light = cv2.GaussianBlur(in_light, (0, 0), blur_px)
    value = 255 * (light * in_light) ** (1 / 2.2) + rng.normal(0, noise, seen.shape)
    return np.clip(value, 0, 255).astype(np.uint8)


def photo(bgr: np.ndarray) -> Photo:
    return Photo(np.ascontiguousarray(bgr), "a photo")
