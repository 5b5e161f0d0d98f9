"""Flatten: lay the photo of a board onto the flat print, past what a plane explains.

Markers give a homography; paper bows and lenses bend on top of it.  The rest is a smooth field, found by
aligning what is printed (known from the stage file) with what is seen: a Lucas-Kanade registration
(B. Lucas, T. Kanade, 1981; in the regularised B-spline manner of D. Rueckert et al., 1999) from coarse to fine
whose unknowns are the displacements of a net of nodes, with a thin-plate penalty between them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from referee.model import BoardView, Floats
from referee.vision.clean import CleanPrint
from referee.vision.opencv import cv2

Grey = NDArray[np.float32]

NODE_MM = 15.0
"""Distance between the nodes of the bend field: sheets and lenses bend slower than that."""
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


LEVELS = (Level(1.0, 1.6, 3.0, 6), Level(2.0, 0.7, 1.0, 4), Level(4.0, 0.3, 0.3, 3))


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
    x, y = (np.ascontiguousarray(full[..., k]) for k in (0, 1))
    return x, y


def warp(bgr: NDArray[np.uint8], view: BoardView, px_per_mm: float) -> NDArray[np.uint8]:
    """The photo seen flat (H, W, 3); black where the photo ends."""
    x, y = photo_map(view, px_per_mm)
    return np.asarray(cv2.remap(bgr, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=(0, 0, 0)))


def even(grey: Grey, blur_px: float, window_px: float) -> Grey:
    """The picture without its light: blurred, its local mean taken off, divided by its local spread."""
    soft = cv2.GaussianBlur(grey, (0, 0), blur_px) if blur_px > 0.3 else grey
    mean = cv2.GaussianBlur(soft, (0, 0), window_px)
    spread = cv2.GaussianBlur((soft - mean) ** 2, (0, 0), window_px)
    return np.asarray((soft - mean) / (np.sqrt(spread) + 0.02), np.float32)


class Net:
    """The nodes of the bend field and the equations between them."""

    def __init__(self, size_mm: tuple[float, float], blocks: tuple[int, int]) -> None:
        w, h = size_mm
        self.columns, self.rows = round(w / NODE_MM) + 1, round(h / NODE_MM) + 1
        self.step_mm = (w / (self.columns - 1), h / (self.rows - 1))
        rows, columns = blocks
        x = (np.arange(columns) + 0.5) / columns * (self.columns - 1)
        y = (np.arange(rows) + 0.5) / rows * (self.rows - 1)
        self.hats = np.kron(_hats(y, self.rows), _hats(x, self.columns))
        bend_x = np.kron(np.eye(self.rows), _second(self.columns))
        bend_y = np.kron(_second(self.rows), np.eye(self.columns))
        twist = np.kron(_first(self.rows), _first(self.columns))
        self.stiff = bend_x.T @ bend_x + bend_y.T @ bend_y + 2 * twist.T @ twist

    def nodes_mm(self) -> Floats:
        """The nodes' places (rows x columns, 2) on the board, row by row."""
        x, y = np.arange(self.columns) * self.step_mm[0], np.arange(self.rows) * self.step_mm[1]
        return np.stack(np.meshgrid(x, y), -1).reshape(-1, 2)

    def solve(self, normal: Floats, pull: Floats, bend_mm: Floats, stiffness: float) -> Floats:
        """The change of the field (rows, columns, 2) that block equations (B, 3) and (B, 2) ask for."""
        b = self.hats
        xx, xy, yy = (b.T @ (normal[:, k : k + 1] * b) for k in range(3))
        weight = stiffness * (np.trace(xx) + np.trace(yy)) / (2 * np.trace(self.stiff))
        stiff = weight * self.stiff + 1e-9 * np.eye(len(self.stiff))
        now = bend_mm.reshape(-1, 2)
        left = np.block([[xx + stiff, xy], [xy, yy + stiff]])
        right = np.concatenate([b.T @ pull[:, 0] - stiff @ now[:, 0], b.T @ pull[:, 1] - stiff @ now[:, 1]])
        step = np.linalg.solve(left, right)
        return np.stack([step[: len(b.T)], step[len(b.T) :]], -1).reshape(self.rows, self.columns, 2)


def _hats(at: Floats, nodes: int) -> Floats:
    """Linear hat functions of ``nodes`` nodes at places (N,): (N, nodes)."""
    return np.maximum(0.0, 1 - np.abs(at[:, None] - np.arange(nodes)))


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
    w, h = view.size_mm
    clean = print_.grey
    blocks = (round(h / BLOCK_MM), round(w / BLOCK_MM))
    net = Net(view.size_mm, blocks)
    bend = view.bend_at(net.nodes_mm()).reshape(net.rows, net.columns, 2)
    equations: tuple[Floats, Floats, Floats] | None = None
    for level in LEVELS:
        target = _scaled(clean, view.size_mm, level.px_per_mm)
        target = even(target, level.blur_mm * level.px_per_mm, WINDOW_MM * level.px_per_mm)
        for _ in range(level.iterations):
            bent = replace(view, bend_mm=bend, bend_step_mm=net.step_mm)
            equations = _equations(photo_bgr, target, bent, level, blocks)
            bend = bend + net.solve(equations[0], equations[1], bend, level.stiffness)
    assert equations is not None
    bent = replace(view, bend_mm=bend, bend_step_mm=net.step_mm)
    return bent, _doubt(equations, net)


def _scaled(picture: Grey, size_mm: tuple[float, float], px_per_mm: float) -> Grey:
    size = (round(size_mm[0] * px_per_mm), round(size_mm[1] * px_per_mm))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA))


def _equations(
    photo_bgr: NDArray[np.uint8], target: Grey, view: BoardView, level: Level, blocks: tuple[int, int]
) -> tuple[Floats, Floats, Floats]:
    """Lucas-Kanade normal equations of every block: (B, 3) xx xy yy, (B, 2) pull, (B,) mean squared rest."""
    flat = warp(photo_bgr, view, level.px_per_mm)
    grey = cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY)
    seen = even(grey.astype(np.float32) / 255, level.blur_mm * level.px_per_mm, WINDOW_MM * level.px_per_mm)
    rest = target - seen
    weight = 1 / (1 + (rest / 0.7) ** 2) ** 2
    weight[(grey > 250) | (grey == 0)] = 0
    gx = cv2.Sobel(target + seen, cv2.CV_32F, 1, 0, ksize=3) * (level.px_per_mm / 16)
    gy = cv2.Sobel(target + seen, cv2.CV_32F, 0, 1, ksize=3) * (level.px_per_mm / 16)
    wx, wy = weight * gx, weight * gy
    normal = np.stack([_gather(v, blocks) for v in (wx * gx, wx * gy, wy * gy)], -1)
    # rest = target(p) - seen(p): the print at p is seen further on by d, seen(p + d) = target(p)
    pull = np.stack([_gather(v, blocks) for v in (wx * rest, wy * rest)], -1)
    return normal, pull, _gather(weight * rest**2, blocks)


def _doubt(equations: tuple[Floats, Floats, Floats], net: Net) -> Floats:
    """One sigma of the field at its nodes: how far single blocks still pull away from it, smoothed."""
    normal, pull, _ = equations
    size = normal[:, 0] + normal[:, 2]
    firm = size > 0.2 * np.median(size)
    off2 = np.where(firm, (pull**2).sum(1) / np.maximum(size, 1e-9) ** 2, 0.0)
    off2 = np.minimum(off2, 0.3**2)
    share = net.hats.T @ firm.astype(float)
    mean = (net.hats.T @ off2 + 1e-4) / (share + 0.1)
    return np.sqrt(mean).reshape(net.rows, net.columns)
