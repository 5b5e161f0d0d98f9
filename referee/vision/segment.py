"""Segment: tell the marker's ink from the known print, and say where neither can be seen.

First the picture's light is fitted (`lighting`), then ink is looked for coarsely (`around`), what it looks like being
learned on the way (`ink_look`), and then closely (`closely`).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from referee.hands import both
from referee.model import BoardView, Floats, Ink, UnseenArea, UnseenWhy
from referee.vision.around import Around, look_around
from referee.vision.clean import INK_PX_PER_MM, LOOK_PX_PER_MM, LOOK_STEP, CleanPrint, stretched
from referee.vision.closely import fine_disc, look_closely
from referee.vision.colours import at_least, light
from referee.vision.flatten import Glance
from referee.vision.lighting import Lighting, fit_lighting
from referee.vision.opencv import cv2

BURNT = 250
"""A value from which a channel may be burnt out."""
FAT_MM = 4.8
"""Ink at a thing's rim that is broader than this is a part of the thing."""
HOLE_MM2 = 2.0
"""A hole in an unseen patch that is smaller than this shows nothing of use."""
CRUMB_MM2 = 25.0
"""A patch of ink at a thing's rim is taken for a part of the thing if it is smaller than this."""
DAZZLED_MM = 0.2
"""One sigma of where an edge lies that is seen through a reflection."""
HALF, RIM = 128, 51
"""Coverage within so much of the half is an ink's rim."""
CELL_MM, CELLS, FEW_STEPS = 4, 1.5, 1.0
"""A rim's breadth is taken over such cells, so many around; with little outline near, what is usual counts."""
FOCUSED_PX, SOFT = 1.6, 0.75
"""A rim no broader than so many of the photo's pixels is a sharp edge's; of what is more this share is one sigma."""
COARSE_MM = 0.25
"""Where a pixel of the photo spans more, an ink's rim is looked at."""
RAGGED_MM = 0.075
"""One sigma of how far a marker's ragged edge lies from the line it drew."""


def segment(
    photo_bgr: NDArray[np.uint8],
    glance: Glance,
    view: BoardView,
    clean: CleanPrint,
    course: Sequence[Floats],
    sigma_mm: Floats,
) -> Ink:
    """The ink on a board, of which ``glance`` shows less of the photo.

    ``view`` has its bend field, whose one sigma ``sigma_mm`` (rows, columns) has nodes spread from rim to rim;
    ``course`` (N, 2) lines in mm say where ink is expected.  Raises `NoInk`.
    """
    # The first light is not kept: what is looked at around the ink ends in a better one.
    around = look_around(board_light(glance, view, clean), course, 1 / view.scale_px_per_mm())
    coverage, (sigma, areas) = both(
        lambda: look_closely(photo_bgr, view, clean, around),
        lambda: (_edge_sigma(view, around, sigma_mm), areas_of(around.unseen)),
    )
    sigma = np.hypot(sigma, soft_rim_mm(coverage, 1 / view.scale_px_per_mm(), sigma.shape)).astype(np.float32)
    unseen = stretched(around.unseen, coverage.shape, LOOK_STEP)
    # What is inked after all is seen, unless it is burnt out.
    glare = stretched(((around.unseen == 1) & ~around.burnt).view(np.uint8), coverage.shape, LOOK_STEP)
    inked = cv2.threshold(coverage, 127, 1, cv2.THRESH_BINARY)[1]
    unseen = np.asarray(cv2.subtract(unseen, cv2.bitwise_and(glare, inked)), np.uint8)
    unseen[_crumbs(coverage, unseen)] = 2
    return Ink(coverage, unseen, INK_PX_PER_MM, sigma, areas)


def soft_rim_mm(coverage: NDArray[np.uint8], pixel_mm: float, shape: tuple[int, ...]) -> NDArray[np.float32]:
    """One sigma (rows, columns) of ink edges whose rim is broader than focus explains, on a grid of this ``shape``.

    There colour told the ink from the print, which cameras smear, or a reflection lies on it.  A rim's breadth is the
    area of what is half inked over the outline's length, which a grid's steps show 4 / pi times as long.  In a fine
    photo it is too narrow to matter.
    """
    if pixel_mm < COARSE_MM:
        return np.zeros(shape, np.float32)
    inked = (coverage >= HALF).view(np.uint8)
    steps = np.zeros_like(coverage)
    steps[:, 1:] = cv2.absdiff(inked[:, 1:], inked[:, :-1])
    steps[1:] += cv2.absdiff(inked[1:], inked[:-1])
    half_inked = cv2.inRange(coverage, (HALF - RIM,), (HALF + RIM,))
    cells = [int(np.ceil(n / (CELL_MM * INK_PX_PER_MM))) for n in coverage.shape[::-1]]
    area, length = (
        cv2.GaussianBlur(cv2.resize(part, cells, interpolation=cv2.INTER_AREA).astype(np.float32), (0, 0), CELLS)
        for part in (half_inked, steps * np.uint8(100))
    )
    usual = float(area.sum()) / max(float(length.sum()), 1.0)
    breadth = (area + usual * FEW_STEPS) / (length + FEW_STEPS) * (100 / 255 * 4 / np.pi)
    extra = np.maximum(breadth / INK_PX_PER_MM - FOCUSED_PX * pixel_mm, 0)
    return np.asarray(cv2.resize(SOFT * extra, shape[::-1], interpolation=cv2.INTER_LINEAR), np.float32)


def board_light(glance: Glance, view: BoardView, clean: CleanPrint) -> Lighting:
    """The board's light at `LOOK_PX_PER_MM`."""
    # One of the coarse grid's pixels spans so many of the glance's: averaged, lest fine patterns alias.
    across = round(view.scale_px_per_mm() / glance.span / LOOK_PX_PER_MM) | 1
    soft, (x, y) = both(lambda: cv2.blur(glance.bgr, (across, across)), lambda: glance.places(view, LOOK_PX_PER_MM))
    seen = np.asarray(cv2.remap(soft, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT), np.uint8)
    height, width = glance.bgr.shape[:2]
    darkest = np.minimum(np.minimum(seen[..., 0], seen[..., 1]), seen[..., 2])
    usable = (x > 0) & (y > 0) & (x < width - 1) & (y < height - 1) & (darkest < BURNT)
    return fit_lighting(light(np.ascontiguousarray(seen[..., ::-1])), usable, clean)


def _crumbs(coverage: NDArray[np.uint8], unseen: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Small or fat patches of ink at the rim of a thing on the board (H, W): they are its dark ends, not a line."""
    covered = np.asarray(unseen == 2, np.bool_)
    if not covered.any():
        return covered
    count, patch_of_ink, stats, _ = cv2.connectedComponentsWithStats(((coverage > 127) & ~covered).astype(np.uint8))
    rim = cv2.dilate(covered.astype(np.uint8), fine_disc(3.0)) > 0
    touching = np.zeros(count, np.bool_)
    touching[np.unique(patch_of_ink[rim])] = True
    small = touching & (stats[:, cv2.CC_STAT_AREA] < CRUMB_MM2 * INK_PX_PER_MM**2)
    small[0] = False
    fat = cv2.morphologyEx((coverage > 127).astype(np.uint8), cv2.MORPH_OPEN, fine_disc(FAT_MM))
    count, patch = cv2.connectedComponents(cv2.dilate(fat, fine_disc(2.0)) & (coverage > 127))
    bulky = np.zeros(count, np.bool_)
    # A thing's bright parts pass for glare, so its dark end may be parted from it by some.
    bulky[np.unique(patch[cv2.dilate((unseen > 0).astype(np.uint8), fine_disc(3.0)) > 0])] = True
    bulky[0] = False
    return np.asarray(small[patch_of_ink] | bulky[patch])


def areas_of(unseen: NDArray[np.uint8]) -> tuple[UnseenArea, ...]:
    """Outlines of the unseen patches, in mm."""
    found: list[UnseenArea] = []
    names: tuple[tuple[int, UnseenWhy], ...] = ((1, "glare"), (2, "covered"))
    for number, why in names:
        # outlines run through the middles of pixels: of half the size they are nearer to the patch's edge
        there = (unseen == number).view(np.uint8)
        fine = cv2.resize(there, None, fx=2, fy=2, interpolation=cv2.INTER_NEAREST)
        outlines, tree = cv2.findContours(fine, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
        shapes = [(outline.reshape(-1, 2) + 0.5) / (2 * LOOK_PX_PER_MM) for outline in outlines]
        parents = np.asarray(tree).reshape(-1, 4)[:, 3].tolist() if tree is not None else []
        holes: dict[int, list[Floats]] = {}
        for outline, shape, parent in zip(outlines, shapes, parents, strict=True):
            if parent >= 0 and cv2.contourArea(outline) > HOLE_MM2 * (2 * LOOK_PX_PER_MM) ** 2:
                holes.setdefault(parent, []).append(shape)
        for i, (shape, parent) in enumerate(zip(shapes, parents, strict=True)):
            if parent < 0 and len(shape) >= 3:
                found.append(UnseenArea(why, shape, tuple(holes.get(i, ()))))
    return tuple(found)


def _edge_sigma(view: BoardView, around: Around, sigma_mm: Floats) -> NDArray[np.float32]:
    """One sigma of an ink edge (rows, columns) on the nodes of ``sigma_mm``: registration, focus, noise, ragged ink."""
    rows, columns = sigma_mm.shape
    glare, spread = (part.reshape(around.near.shape) for part in (around.bare.glare, around.bare.spread))
    dazzle = at_least(glare - spread, 0) / (glare + spread)
    contrast, dazzle = (
        np.asarray(cv2.resize(part, (columns, rows), interpolation=cv2.INTER_AREA), np.float32)
        for part in (around.plain, dazzle)
    )
    pixel_mm = 1 / view.scale_px_per_mm()
    noise = pixel_mm * np.clip(2.0 / np.maximum(contrast, 1e-3), 0.05, 2.0)
    return np.asarray(
        np.sqrt(sigma_mm**2 + (0.15 * pixel_mm) ** 2 + noise**2 * 0.5 + RAGGED_MM**2 + (DAZZLED_MM * dazzle) ** 2),
        np.float32,
    )
