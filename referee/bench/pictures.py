"""Pictures to see how time grows: with the length of the path, and with the size of the picture."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.model import Floats, Photo, Stage
from referee.stage.render import artwork

DRAWN_PX_PER_MM = 8.0
PEN_MM = 2.6
TABLE_BGR, INK_BGR = (96, 112, 128), (38, 30, 28)
RIM_MM = 12.0
"""Table that a drawn picture shows round the board."""
QUALITY = 90


def raced(stage: Stage, line_mm: Floats) -> bytes:
    """A JPEG of a stage seen from above on which a line (N, 2) has been driven."""
    board = np.ascontiguousarray(artwork(stage, "A", DRAWN_PX_PER_MM)[..., ::-1])
    line = np.rint((line_mm * DRAWN_PX_PER_MM - 0.5) * 16).astype(np.int32)
    cv2.polylines(board, [line], False, INK_BGR, round(PEN_MM * DRAWN_PX_PER_MM), cv2.LINE_AA, 4)
    rim = round(RIM_MM * DRAWN_PX_PER_MM)
    seen = cv2.copyMakeBorder(board, rim, rim, rim, rim, cv2.BORDER_CONSTANT, value=TABLE_BGR)
    seen = cv2.GaussianBlur(seen, (0, 0), 0.7).astype(np.float32)
    seen += np.random.default_rng(1).normal(0, 2, seen.shape).astype(np.float32)
    return encoded(np.clip(seen, 0, 255).astype(np.uint8))


def driven(stage: Stage, share: float) -> Floats:
    """The first piece of the course (N, 2) up to a share of its length."""
    line = stage.course[0]
    arc = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))])
    at = np.linspace(0, share * arc[-1], max(2, round(share * arc[-1])))
    return np.column_stack([np.interp(at, arc, line[:, k]) for k in (0, 1)])


def resized(photo: Photo, megapixels: float) -> bytes:
    """The same picture as a JPEG of another size."""
    factor = float(np.sqrt(megapixels * 1e6 / (photo.bgr.shape[0] * photo.bgr.shape[1])))
    how = cv2.INTER_AREA if factor < 1 else cv2.INTER_CUBIC
    # whole multiples of 8, as cameras have them
    size = [round(side * factor / 8) * 8 for side in photo.bgr.shape[1::-1]]
    return encoded(np.asarray(cv2.resize(photo.bgr, size, interpolation=how), np.uint8))


def encoded(bgr: NDArray[np.uint8]) -> bytes:
    """A picture (H, W, 3) as a JPEG."""
    return cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()
