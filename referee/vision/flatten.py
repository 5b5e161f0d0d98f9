"""Flatten: lay the photo of a board onto the flat print, past what a plane explains.

Markers give a homography; paper bows and lenses bend on top of it.  The rest is a smooth field, found by
aligning what is printed (known from the stage file) with what is seen: a Lucas-Kanade registration
(B. Lucas, T. Kanade, 1981; in the regularised B-spline manner of D. Rueckert et al., 1999) from coarse to fine
whose unknowns are the displacements of a net of nodes, with a thin-plate penalty between them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from referee.model import BoardView, Floats
from referee.vision.clean import CleanPrint, even
from referee.vision.opencv import cv2

Grey = NDArray[np.float32]

NODE_MM = 25.0
"""Distance between the nodes of the bend field: sheets and lenses bend slower than that."""
FLAT_NODE_MM = 40.0
"""The same where only a little is left after the lens."""
BLOCK_MM = 4.0
"""Pixels are gathered into blocks of this size before the field is solved for."""
MAP_STEP_MM = 2.0
"""The map from board to photo is exact at nodes this far apart, linear between (error below 0.01 px)."""
WINDOW_MM = 5.0
"""Light and contrast are evened out over this distance before print and photo are compared."""


@dataclass(frozen=True)
class Level:
    """One pass of the registration: pixels per mm, blur of both pictures in mm, stiffness, iterations."""

    px_per_mm: float
    blur_mm: float
    stiffness: float
    iterations: int


BENT_LEVELS = (Level(1.0, 1.6, 3.0, 5), Level(2.0, 0.7, 1.0, 3), Level(4.0, 0.3, 0.3, 2))
"""For paper that may bow: from coarse to fine."""
FLAT_LEVELS = (Level(2.0, 0.7, 100.0, 2), Level(4.0, 0.3, 30.0, 1))
"""For a board that the markers show to be flat: what is left is small and smooth."""
STIFF_DOUBT = 0.4
"""A stiff field has each place held by many blocks: so much of a single block's doubt is left."""
STILL_BENT_MM = 0.08
"""If a softer field would move by this much from the stiff one, the board is not flat after all."""


def photo_map(view: BoardView, px_per_mm: float) -> tuple[Grey, Grey]:
    """Photo x and y (H, W) of every pixel of the flat board, for `cv2.remap`."""
    w, h = view.size_mm
    columns, rows = round(w * px_per_mm), round(h * px_per_mm)
    step = max(1, round(MAP_STEP_MM * px_per_mm))
    nx, ny = -(-columns // step) + 2, -(-rows // step) + 2
    # `resize` wants its nodes in the middle of cells of ``step`` pixels; one cell more on each side is cropped
    x_mm, y_mm = ((np.arange(n) - 0.5) * step / px_per_mm for n in (nx, ny))
    there = view.to_photo(np.stack(np.meshgrid(x_mm, y_mm), -1).reshape(-1, 2)).reshape(ny, nx, 2)
    full = cv2.resize(there.astype(np.float32), (nx * step, ny * step), interpolation=cv2.INTER_LINEAR)
    full = full[step : step + rows, step : step + columns]
    x, y = (np.ascontiguousarray(full[..., k], np.float32) for k in (0, 1))
    return x, y


def warp(bgr: NDArray[np.uint8], view: BoardView, px_per_mm: float) -> NDArray[np.uint8]:
    """The photo seen flat (H, W, 3); black where the photo ends."""
    x, y = photo_map(view, px_per_mm)
    return np.asarray(cv2.remap(bgr, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=(0, 0, 0)))


class Net:
    """The nodes of the bend field and the equations between them."""

    def __init__(self, size_mm: tuple[float, float], blocks: tuple[int, int], node_mm: float = NODE_MM) -> None:
        w, h = size_mm
        self.columns, self.rows = max(round(w / node_mm), 2) + 1, max(round(h / node_mm), 2) + 1
        self.step_mm = (w / (self.columns - 1), h / (self.rows - 1))
        rows, columns = blocks
        x = (np.arange(columns) + 0.5) / columns * (self.columns - 1)
        y = (np.arange(rows) + 0.5) / rows * (self.rows - 1)
        self.corners, self.weights = self._cells(x, y)

    @cached_property
    def stiff(self) -> Floats:
        """The thin-plate penalty between the nodes (nodes, nodes); only a net that is solved for needs it."""
        bend_x = np.kron(np.eye(self.rows), _second(self.columns))
        bend_y = np.kron(_second(self.rows), np.eye(self.columns))
        twist = np.kron(_first(self.rows), _first(self.columns))
        return np.asarray(bend_x.T @ bend_x + bend_y.T @ bend_y + 2 * twist.T @ twist)

    @property
    def nodes(self) -> int:
        """How many nodes there are."""
        return self.columns * self.rows

    def _cells(self, x: Floats, y: Floats) -> tuple[NDArray[np.intp], Floats]:
        """The four nodes around each block (B, 4) and what each has to say there (B, 4), bilinear."""
        left = np.minimum(x.astype(np.intp), self.columns - 2)
        top = np.minimum(y.astype(np.intp), self.rows - 2)
        corner = top[:, None] * self.columns + left
        corners = np.stack([corner, corner + 1, corner + self.columns, corner + self.columns + 1], -1).reshape(-1, 4)
        u, v = (x - left)[None, :], (y - top)[:, None]
        weights = np.stack([(1 - u) * (1 - v), u * (1 - v), (1 - u) * v, u * v], -1).reshape(-1, 4)
        return corners, weights

    def _square(self, values: Floats) -> Floats:
        """What values of the blocks (B,) ask of every two nodes (nodes, nodes)."""
        pairs = (self.corners[:, :, None] * self.nodes + self.corners[:, None, :]).ravel()
        products = (values[:, None, None] * self.weights[:, :, None] * self.weights[:, None, :]).ravel()
        return np.asarray(np.bincount(pairs, products, self.nodes**2).reshape(self.nodes, self.nodes), np.float64)

    def gathered(self, values: Floats) -> Floats:
        """Values of the blocks (B,) added up at the nodes (nodes,)."""
        said = (values[:, None] * self.weights).ravel()
        return np.asarray(np.bincount(self.corners.ravel(), said, self.nodes), np.float64)

    def nodes_mm(self) -> Floats:
        """The nodes' places (rows x columns, 2) on the board, row by row."""
        x, y = np.arange(self.columns) * self.step_mm[0], np.arange(self.rows) * self.step_mm[1]
        return np.stack(np.meshgrid(x, y), -1).reshape(-1, 2)

    def solve(self, normal: Floats, pull: Floats, bend_mm: Floats, stiffness: float) -> Floats:
        """The change of the field (rows, columns, 2) that block equations (B, 3) and (B, 2) ask for."""
        xx, xy, yy = (self._square(normal[:, k]) for k in range(3))
        weight = stiffness * (np.trace(xx) + np.trace(yy)) / (2 * np.trace(self.stiff))
        stiff = weight * self.stiff + 1e-9 * np.eye(self.nodes)
        now = bend_mm.reshape(-1, 2)
        left = np.block([[xx + stiff, xy], [xy, yy + stiff]])
        right = np.concatenate([self.gathered(pull[:, k]) - stiff @ now[:, k] for k in (0, 1)])
        step = np.linalg.solve(left, right)
        return step.reshape(2, self.rows, self.columns).transpose(1, 2, 0)


def _second(n: int) -> Floats:
    return np.diff(np.eye(n), 2, axis=0)


def _first(n: int) -> Floats:
    return np.diff(np.eye(n), axis=0)


def _gather(values: Grey, blocks: tuple[int, int]) -> Floats:
    """Block means, flattened (B,)."""
    rows, columns = blocks
    return np.asarray(cv2.resize(values, (columns, rows), interpolation=cv2.INTER_AREA), np.float64).ravel()


def register(photo_bgr: NDArray[np.uint8], print_: CleanPrint, view: BoardView) -> tuple[BoardView, Floats]:
    """The view with its bend field, and one sigma of the print's place at the nodes (rows, columns), in mm."""
    flat = view.bend_mm is not None
    bent, doubt, left_over = _pass(photo_bgr, print_, view, FLAT_LEVELS if flat else BENT_LEVELS)
    if not flat:
        return bent, doubt
    if left_over > STILL_BENT_MM:
        return _pass(photo_bgr, print_, view, BENT_LEVELS)[:2]
    return bent, STIFF_DOUBT * doubt


def _pass(
    photo_bgr: NDArray[np.uint8], print_: CleanPrint, view: BoardView, levels: Sequence[Level]
) -> tuple[BoardView, Floats, float]:
    """The view with its bend field, the doubt about it, and how far (rms, mm) it would still move if it were softer.

    The field that the view comes with, its lens, is free; only what is added to it is held smooth.
    """
    w, h = view.size_mm
    blocks = (round(h / BLOCK_MM), round(w / BLOCK_MM))
    net = Net(view.size_mm, blocks, FLAT_NODE_MM if levels is FLAT_LEVELS else NODE_MM)
    fine = Net(view.size_mm, (2, 2))
    lens = view.bend_at(fine.nodes_mm())
    change = np.zeros((net.rows, net.columns, 2))
    equations = (np.zeros((1, 3)), np.zeros((1, 2)))

    def bent() -> BoardView:
        added = replace(view, bend_mm=change, bend_step_mm=net.step_mm).bend_at(fine.nodes_mm())
        return replace(view, bend_mm=(lens + added).reshape(fine.rows, fine.columns, 2), bend_step_mm=fine.step_mm)

    for level in levels:
        target = print_.evened(level.px_per_mm, level.blur_mm * level.px_per_mm, WINDOW_MM * level.px_per_mm)
        for _ in range(level.iterations):
            equations = _equations(photo_bgr, target, bent(), level, blocks)
            change = change + net.solve(*equations, change, level.stiffness)
    softer = net.solve(*equations, np.zeros_like(change), BENT_LEVELS[-1].stiffness)
    return bent(), _doubt(equations, net), float(np.sqrt(np.median((softer**2).sum(2))))


def _equations(
    photo_bgr: NDArray[np.uint8], target: Grey, view: BoardView, level: Level, blocks: tuple[int, int]
) -> tuple[Floats, Floats]:
    """Lucas-Kanade normal equations of every block: (B, 3) xx xy yy, (B, 2) pull."""
    flat = warp(photo_bgr, view, level.px_per_mm)
    grey = cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY)
    seen = even(grey.astype(np.float32) / np.float32(255), level.blur_mm * level.px_per_mm, WINDOW_MM * level.px_per_mm)
    rest = target - seen
    weight = 1 / (1 + (rest / 0.7) ** 2) ** 2
    weight[(grey > 250) | (grey == 0)] = 0
    gx = cv2.Sobel(target + seen, cv2.CV_32F, 1, 0, ksize=3) * (level.px_per_mm / 16)
    gy = cv2.Sobel(target + seen, cv2.CV_32F, 0, 1, ksize=3) * (level.px_per_mm / 16)
    wx, wy = weight * gx, weight * gy
    normal = np.stack([_gather(v, blocks) for v in (wx * gx, wx * gy, wy * gy)], -1)
    # rest = target(p) - seen(p): the print at p is seen further on by d, seen(p + d) = target(p)
    pull = np.stack([_gather(v, blocks) for v in (wx * rest, wy * rest)], -1)
    return normal, pull


def _doubt(equations: tuple[Floats, Floats], net: Net) -> Floats:
    """One sigma of the field at its nodes (rows, columns): how far single blocks still pull away from it, smoothed."""
    normal, pull = equations
    size = normal[:, 0] + normal[:, 2]
    firm = size > 0.2 * np.median(size)
    off2 = np.where(firm, (pull**2).sum(1) / np.maximum(size, 1e-9) ** 2, 0.0)
    off2 = np.minimum(off2, 0.3**2)
    mean = (net.gathered(off2) + 1e-4) / (net.gathered(firm.astype(float)) + 0.1)
    return np.sqrt(mean).reshape(net.rows, net.columns)
