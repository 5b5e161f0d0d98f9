"""Where a pass ends among other ink: its round front may show beside the other line, or nothing of it does."""

from __future__ import annotations

import cv2
import numpy as np

from referee.model import Floats, Ink
from referee.stroke.edges import HALF, STEP_MM, Bools, Line, resample, tangent
from referee.stroke.passes import UNSURE_MM, Tip

VISIBLE = 2
"""A tip is to be seen if its front shows on so many rays more than the straight edge of a line passing by would."""
RIM_MM = 0.15
"""So far inside its rim a tip is ink and so far outside it is bare board, where its front shows."""
RAY_DEG = 13.0
RAYS = 13
"""The front of a tip is looked at along so many rays."""
MOST_TURNED = 3
"""A pass may turn by so many rays to either side just before its end."""
ASIDE, TURNED = 0.8, 0.25
"""So many rays it takes off a tip to lie a half width aside of where its line leads, and to be turned by one ray."""
ALIKE = 0.4
"""Tips that show about as well lie around the true one."""


def buried_tip(ink: Ink, line: Line, kept: int, pen_mm: float) -> Tip:
    """A line that runs into other ink, to where its round front shows; or else just the line, covered.

    Discs of the pen's size are tried along the line's end and a pen's width beyond, and to both sides of it; the one
    whose front has ink inside and none outside over most of its arc is the tip.  The first ``kept`` points stay.
    """
    half = float(np.median(line.half_mm))
    points = line.points_mm
    along = tangent(points[-min(len(points), int(2.0 / STEP_MM)) :])
    across = np.array([along[1], -along[0]])
    beyond = points[-1] + along * (np.arange(1, int(1.2 * pen_mm / STEP_MM) + 1) * STEP_MM)[:, None]
    back = min(len(points) - 2, int(1.5 * pen_mm / STEP_MM))
    aside = np.linspace(-1.0, 1.0, 9)
    middles = np.vstack([points[len(points) - back :], beyond])
    centres = middles[:, None] + across * (aside * half)[:, None]
    count, turned = _shown(ink, centres, along, across, half)
    score = np.where(_inked(ink, centres), count - ASIDE * np.abs(aside) - TURNED * np.abs(turned), 0.0)
    best = np.unravel_index(int(score.argmax()), score.shape)
    straight = 2 * np.rad2deg(np.arccos((half - RIM_MM) / (half + RIM_MM))) / RAY_DEG
    if count[best] < straight + VISIBLE:
        return Tip(line, "covered")
    near = np.hypot(*(centres - centres[best]).transpose(2, 0, 1)) < half
    place = centres[near & (score > score[best] - ALIKE)].mean(axis=0)
    return Tip(_led_to(line, place, kept, pen_mm), "free", UNSURE_MM)


def _shown(ink: Ink, centres: Floats, along: Floats, across: Floats, half: float) -> tuple[Floats, Floats]:
    """For discs (N, M, 2) on how many rays a front shows at best, and by how many it is turned off ``along`` then."""
    count = RAYS + 2 * MOST_TURNED
    angles = np.deg2rad(RAY_DEG) * (np.arange(count) - (count - 1) / 2)
    rays = np.cos(angles)[:, None] * along + np.sin(angles)[:, None] * across
    inside, outside = (_inked(ink, centres[:, :, None] + rays * (half + off)) for off in (-RIM_MM, RIM_MM))
    shown = inside & ~outside
    fronts = np.stack([shown[:, :, k : k + RAYS].sum(axis=2) for k in range(2 * MOST_TURNED + 1)], axis=2)
    turns = np.arange(2 * MOST_TURNED + 1) - MOST_TURNED
    best = (fronts - TURNED * np.abs(turns)).argmax(axis=2)
    return np.take_along_axis(fronts, best[:, :, None], 2)[:, :, 0], turns[best].astype(float)


def _inked(ink: Ink, places_mm: Floats) -> Bools:
    """Whether places (N, ..., 2) are inked."""
    x, y = np.moveaxis(places_mm.astype(np.float32) * np.float32(ink.px_per_mm) - np.float32(0.5), -1, 0)
    sheet = (len(x), -1)  # OpenCV is slow on a single column
    x, y = np.ascontiguousarray(x.reshape(sheet)), np.ascontiguousarray(y.reshape(sheet))
    cover = cv2.remap(ink.coverage, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=0)
    return np.asarray(cover >= HALF).reshape(places_mm.shape[:-1])


def _led_to(line: Line, place: Floats, kept: int, pen_mm: float) -> Line:
    """A line that ends at a place near its end, bent to it over its last pen width."""
    points = line.points_mm
    nearest = int(np.hypot(*(points - place).T).argmin())
    keep = max(kept, nearest - int(pen_mm / STEP_MM))
    start = points[keep - 1]
    if np.hypot(*(place - start)) < STEP_MM:
        return line.part(0, keep)
    lead = start + tangent(points[max(0, keep - 8) : keep]) * 0.5 * float(np.hypot(*(place - start)))
    t = np.linspace(0.0, 1.0, 16)[:, None]
    way = resample((1 - t) ** 2 * start + 2 * t * (1 - t) * lead + t**2 * place)[1:]
    half_mm = np.vstack([line.half_mm[:keep], np.tile(line.half_mm[keep - 1], (len(way), 1))])
    seen = np.concatenate([line.seen[:keep], np.ones(len(way), bool)])
    return Line(np.vstack([points[:keep], way]), half_mm, seen)
