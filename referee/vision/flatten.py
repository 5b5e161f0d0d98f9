"""Flatten: lay the photo of a board onto the flat print, past what a plane explains.

Markers give a homography; paper bows and lenses bend on top of it.  The rest is a smooth field, found by
aligning what is printed (known from the stage file) with what is seen: a Lucas-Kanade registration
(B. Lucas, T. Kanade, 1981; in the regularised B-spline manner of D. Rueckert et al., 1999) from coarse to fine
whose unknowns are the displacements of a net of nodes, with a thin-plate penalty between them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from referee.errors import TooBlurred
from referee.hands import both, side_by_side
from referee.model import BoardView, Floats
from referee.vision.clean import CleanPrint, even, grid_wh
from referee.vision.opencv import cv2
from referee.vision.tags import reduced
from referee.words import say

Grey = NDArray[np.float32]

NODE_MM = 25.0
"""Distance between the nodes of the bend field: sheets and lenses bend slower than that."""
FLAT_NODE_MM = 40.0
"""The same where only a little is left after the lens."""
BLOCK_MM = 4.0
"""Pixels are gathered into blocks of this size before the field is solved for."""
MAP_STEP_MM = 2.0
"""The map from board to photo is exact at nodes this far apart, linear between (error below 0.01 px)."""
GLANCE_PX_PER_MM = 3.9
"""A glance has at least this many pixels a mm, if the photo has."""
SPARE_MM, BENT_SPARE_MM = 3.0, 12.0
"""What it shows around a board, and around one that is not known to be flat: its rims may bow outwards."""
WINDOW_MM = 5.0
"""Light and contrast are evened out over this distance before print and photo are compared."""


@dataclass(frozen=True)
class Level:
    """One pass of the registration: pixels per mm, blur of both pictures in mm, stiffness, iterations."""

    px_per_mm: float
    blur_mm: float
    stiffness: float
    iterations: int

    @property
    def block_px(self) -> int:
        """Pixels across a block."""
        return round(BLOCK_MM * self.px_per_mm)


BENT_LEVELS = (Level(1.0, 1.6, 3.0, 5), Level(2.0, 0.7, 1.0, 3), Level(3.0, 0.3, 0.3, 2))
"""For paper that may bow: from coarse to fine."""
FAR_LEVELS = (Level(0.5, 3.2, 3.0, 8), *BENT_LEVELS)
"""For paper that bows so far that the first of those does not reach what it looks for."""
FLAT_LEVELS = (Level(3.0, 0.4, 30.0, 1),)
"""For a board that the markers show to be flat: what is left is small and smooth."""
STIFF_DOUBT = 0.4
"""A stiff field has each place held by many blocks: so much of a single block's doubt is left."""
STILL_BENT_MM = 0.08
"""If a softer field would move by this much from the stiff one, the board is not flat after all."""
ALIKE, STRANGE = 0.6, 0.3
"""Correlation of print and photo about a node: what has been found has more than the one, what was lost less than the
other; ink, shadows and a lens leave a good 0.6."""
NEAR_MM = 1.0
"""Paper that bends by no more than this is all found: what looks strange there are ink, reflections and things."""
MOST_LOST = 1 / 2
"""If more of a board than this has not been found, it is not judged."""


@dataclass(frozen=True, eq=False)
class Glance:
    """The part of a photo that shows a board, with no more pixels than registration and light need.

    ``bgr`` (h, w, 3) uint8; its pixel (0, 0) is the mean of ``span`` x ``span`` photo pixels from ``corner_px`` on.
    """

    bgr: NDArray[np.uint8]
    span: int
    corner_px: tuple[int, int]

    @staticmethod
    def of(photo_bgr: NDArray[np.uint8], view: BoardView) -> Glance:
        """The glance at a board that lies about where ``view`` has it."""
        height, width = photo_bgr.shape[:2]
        spare_mm = BENT_SPARE_MM if view.bend_mm is None else SPARE_MM
        outline_mm = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]) * view.size_mm
        corners = view.to_photo(outline_mm + np.sign(outline_mm - 1e-9) * spare_mm)
        left, top = (int(v) for v in np.clip(corners.min(0), 0, [width - 1, height - 1]))
        right, bottom = (int(v) for v in np.clip(corners.max(0) + 1, [left + 1, top + 1], [width, height]))
        ring_px, ring_mm = (np.roll(at, -1, axis=0) - at for at in (corners, outline_mm))
        sides = np.hypot(*ring_px.T) / (np.hypot(*ring_mm.T) + 2 * spare_mm)
        span = max(1, int(sides.min() / GLANCE_PX_PER_MM))
        return Glance(reduced(photo_bgr[top:bottom, left:right], span), span, (left, top))

    @cached_property
    def grey(self) -> NDArray[np.uint8]:
        """Its grey values (h, w)."""
        return np.asarray(cv2.cvtColor(self.bgr, cv2.COLOR_BGR2GRAY), np.uint8)

    def places(self, view: BoardView, px_per_mm: float) -> tuple[Grey, Grey]:
        """Its x and y (H, W) of every pixel of the flat board, for `cv2.remap`."""
        return PhotoMap(view, px_per_mm, self.span, self.corner_px).everywhere()


class PhotoMap:
    """Where the pixels of the flat board lie in a photo: exact at nodes, linear between.

    ``span`` and ``corner_px`` as in `Glance`; without them the photo's own pixels.
    """

    def __init__(self, view: BoardView, px_per_mm: float, span: int = 1, corner_px: tuple[int, int] = (0, 0)) -> None:
        self.columns, self.rows = grid_wh(view.size_mm, px_per_mm)
        self.step = max(1, round(MAP_STEP_MM * px_per_mm))
        nx, ny = -(-self.columns // self.step) + 2, -(-self.rows // self.step) + 2
        # Nodes lie in the middle of cells of ``step`` pixels, one cell more on each side.
        there = _nodes_px(view, (nx, ny), self.step / px_per_mm)
        self.nodes = ((there - corner_px + 0.5) / span - 0.5).astype(np.float32)

    def everywhere(self) -> tuple[Grey, Grey]:
        """Photo x and y (H, W) of every pixel."""
        inner = (slice(self.step, self.step + self.rows), slice(self.step, self.step + self.columns))
        size = (self.nodes.shape[1] * self.step, self.nodes.shape[0] * self.step)
        x, y = (cv2.resize(self.nodes[..., k], size, interpolation=cv2.INTER_LINEAR)[inner] for k in (0, 1))
        return np.ascontiguousarray(x), np.ascontiguousarray(y)

    def at(self, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> tuple[Grey, Grey]:
        """Photo x and y (N,) of some pixels (N,)."""
        u, v = ((place + np.float32(0.5)).astype(np.float32) / self.step + np.float32(0.5) for place in (columns, rows))
        left, top = np.floor(u), np.floor(v)
        across, down = (u - left)[:, None], (v - top)[:, None]
        cells = self._cells
        x_y = np.take(cells.reshape(-1, 8), (top * cells.shape[1] + left).astype(np.int32), 0).reshape(-1, 4, 2)
        there = x_y[:, 0] + across * x_y[:, 1] + down * (x_y[:, 2] + across * x_y[:, 3])
        return np.ascontiguousarray(there[:, 0]), np.ascontiguousarray(there[:, 1])

    def blocks(self, rows: NDArray[np.intp], columns: NDArray[np.intp], size: int) -> tuple[Grey, Grey]:
        """Photo x and y (size x size, N) of the pixels of blocks (N,), row by row; no block may lie across two cells.

        Blocks are counted in their own size.  A cell's numbers are looked up once for a whole block.
        """
        u, v = (
            (place * size + np.float32(0.5)).astype(np.float32) / self.step + np.float32(0.5)
            for place in (columns, rows)
        )
        left, top = np.floor(u), np.floor(v)
        cells = self._cells
        here = np.take(cells.reshape(-1, 8), (top * cells.shape[1] + left).astype(np.int32), 0)
        corner, right, below, twist = here.T.reshape(4, 2, -1)
        inner = (np.arange(size, dtype=np.float32) / self.step)[:, None]
        across = (u - left) + inner
        down = ((v - top) + inner)[:, None]
        x, y = (corner[k] + across * right[k] + down * (below[k] + across * twist[k]) for k in (0, 1))
        return x.reshape(size * size, -1), y.reshape(size * size, -1)

    @cached_property
    def _cells(self) -> Grey:
        """Each cell between four nodes (rows, columns, 4, 2): its corner, the slopes across and down, the twist."""
        corner, right = self.nodes[:-1, :-1], self.nodes[:-1, 1:]
        below, beyond = self.nodes[1:, :-1], self.nodes[1:, 1:]
        return np.stack([corner, right - corner, below - corner, beyond - right - below + corner], 2)


@lru_cache(maxsize=2)
def _nodes_px(view: BoardView, counts: tuple[int, int], step_mm: float) -> Floats:
    """Photo places (rows, columns, 2) of the nodes of a map; two grids of one board often have the same nodes."""
    x_mm, y_mm = ((np.arange(n) - 0.5) * step_mm for n in counts)
    nodes_mm = np.stack(np.meshgrid(x_mm, y_mm), -1)
    return view.to_photo(nodes_mm.reshape(-1, 2)).reshape(nodes_mm.shape)


class Net:
    """The nodes of the bend field and the equations between them."""

    def __init__(self, size_mm: tuple[float, float], blocks: tuple[int, int], node_mm: float = NODE_MM) -> None:
        w, h = size_mm
        self.columns, self.rows = max(round(w / node_mm), 2) + 1, max(round(h / node_mm), 2) + 1
        self.step_mm = (w / (self.columns - 1), h / (self.rows - 1))
        rows, columns = blocks
        x, y = (
            (np.arange(n, dtype=np.float64) + 0.5) * BLOCK_MM / step
            for n, step in zip((columns, rows), self.step_mm, strict=True)
        )
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

    @cached_property
    def _pairs(self) -> tuple[NDArray[np.intp], Floats]:
        """Of each block every two of its nodes (B, 16), as one number, and what it has to say to both."""
        pairs = self.corners[:, :, None] * self.nodes + self.corners[:, None, :]
        products = self.weights[:, :, None] * self.weights[:, None, :]
        return pairs.reshape(-1, 16), products.reshape(-1, 16)

    def square(self, values: Floats) -> Floats:
        """What values of the blocks (B,) ask of every two nodes (nodes, nodes)."""
        pairs, products = self._pairs
        asked = np.bincount(pairs.ravel(), (values[:, None] * products).ravel(), self.nodes**2)
        return np.asarray(asked.reshape(self.nodes, self.nodes), np.float64)

    def gathered(self, values: Floats) -> Floats:
        """Values of the blocks (B,) added up at the nodes (nodes,)."""
        said = (values[:, None] * self.weights).ravel()
        return np.asarray(np.bincount(self.corners.ravel(), said, self.nodes), np.float64)

    def nodes_mm(self) -> Floats:
        """The nodes' places (rows x columns, 2) on the board, row by row."""
        x, y = np.arange(self.columns) * self.step_mm[0], np.arange(self.rows) * self.step_mm[1]
        return np.stack(np.meshgrid(x, y), -1).reshape(-1, 2)

    def solve(self, equations: Equations, bend_mm: Floats, stiffness: float) -> Floats:
        """The change of the field (rows, columns, 2) that the blocks' equations ask for."""
        left, stiff = self._held(equations, stiffness)
        now = bend_mm.reshape(-1, 2)
        right = np.concatenate([self.gathered(equations.pull[:, k]) - stiff @ now[:, k] for k in (0, 1)])
        step = np.linalg.solve(left, right)
        return step.reshape(2, self.rows, self.columns).transpose(1, 2, 0)

    def loose(self, equations: Equations, stiffness: float) -> Floats:
        """How loosely each node (rows, columns) is held by the blocks and its neighbours: 1 is usual, more at the rim.

        The posterior deviation of the field, as any least squares have it.
        """
        left, _ = self._held(equations, stiffness)
        spread = np.sqrt(np.diag(np.linalg.inv(left)).reshape(2, self.rows, self.columns).sum(0))
        return np.asarray(spread / np.median(spread))

    def _held(self, equations: Equations, stiffness: float) -> tuple[Floats, Floats]:
        """The left side of the equations of all nodes (2 nodes, 2 nodes), and what of it is stiffness."""
        xx, xy, yy = equations.squares(self)
        weight = stiffness * (np.trace(xx) + np.trace(yy)) / (2 * np.trace(self.stiff))
        stiff = weight * self.stiff + 1e-9 * np.eye(self.nodes)
        return np.block([[xx + stiff, xy], [xy, yy + stiff]]), stiff


@dataclass(frozen=True, eq=False)
class Equations:
    """Lucas-Kanade normal equations of every block: ``normal`` (B, 3) xx xy yy, ``pull`` (B, 2).

    ``print_`` and ``photo`` (H, W) are the two evened pictures that were compared, at a ``level`` with
    ``blocks`` (rows, columns).
    """

    normal: Floats
    pull: Floats
    print_: Grey
    photo: Grey
    blocks: tuple[int, int]
    level: Level
    _squares: dict[Net, tuple[Floats, Floats, Floats]] = field(default_factory=dict, repr=False)

    def squares(self, net: Net) -> tuple[Floats, Floats, Floats]:
        """What they ask of every two nodes of a net (nodes, nodes): xx, xy, yy; kept for the net's next solution."""
        if net not in self._squares:
            xx, xy, yy = (net.square(self.normal[:, k]) for k in range(3))
            self._squares[net] = xx, xy, yy
        return self._squares[net]


@lru_cache(maxsize=8)
def net_of(size_mm: tuple[float, float], blocks: tuple[int, int], node_mm: float = NODE_MM) -> Net:
    """A net, kept for the next picture of a board of this size."""
    return Net(size_mm, blocks, node_mm)


def _second(n: int) -> Floats:
    return np.diff(np.eye(n), 2, axis=0)


def _first(n: int) -> Floats:
    return np.diff(np.eye(n), axis=0)


def register(glance: Glance, print_: CleanPrint, view: BoardView) -> tuple[BoardView, Floats]:
    """The view with its bend field, and one sigma of the print's place at the nodes (rows, columns), in mm.

    Raises `TooBlurred` if most of the print is not where any bend that can be followed would have it.
    """
    if view.bend_mm is not None:
        flat = _pass(glance, print_, view, FLAT_LEVELS)
        if flat.left_over_mm <= STILL_BENT_MM:
            return flat.view, STIFF_DOUBT * flat.doubt_mm
    bent = _pass(glance, print_, view, BENT_LEVELS)
    if view.found_by != "markers":  # no marker has shown whether it is flat, and where a lens has it
        flat = _pass(glance, print_, _smoothed(bent), FLAT_LEVELS)
        if flat.left_over_mm <= STILL_BENT_MM:
            return flat.view, flat.stiff_doubt_mm
    if bent.reach_mm <= NEAR_MM:
        return bent.view, bent.doubt_mm
    if bent.lost.any():
        bent = min(bent, _pass(glance, print_, view, FAR_LEVELS), key=lambda fit: float(fit.lost.sum()))
    if (bent.lost > 0.5).mean() > MOST_LOST:
        raise TooBlurred(say("fault.bowed"), say("cure.weigh-down"))
    return bent.view, np.hypot(bent.doubt_mm, bent.lost * bent.reach_mm)


@dataclass(frozen=True, eq=False)
class _Fit:
    """A view with its bend field, and the last equations that it was fitted to.

    ``softer_mm`` (rows, columns, 2) is how the field would still move if it were softer.
    """

    view: BoardView
    softer_mm: Floats
    equations: Equations
    net: Net

    @property
    def left_over_mm(self) -> float:
        """How far the field would still move if it were softer, usually."""
        return float(np.sqrt(np.median((self.softer_mm**2).sum(2))))

    @cached_property
    def stiff_doubt_mm(self) -> Floats:
        """One sigma of a stiff field at its nodes (rows, columns) that no marker holds at the corners.

        Where the print is lost and at the rim fewer blocks hold a place than elsewhere; and that paper and lens are as
        smooth as the field is only as sure as a softer one agrees.
        """
        share = np.maximum(
            STIFF_DOUBT * np.maximum(self.net.loose(self.equations, FLAT_LEVELS[-1].stiffness), 1), self.lost
        )
        return np.hypot(share * self.doubt_mm, np.hypot(self.softer_mm[..., 0], self.softer_mm[..., 1]))

    @cached_property
    def doubt_mm(self) -> Floats:
        """One sigma of the field at its nodes (rows, columns): how far blocks still pull away from it, smoothed."""
        normal, pull = self.equations.normal, self.equations.pull
        size = normal[:, 0] + normal[:, 2]
        firm = size > 0.2 * np.median(size)
        off2 = np.where(firm, (pull**2).sum(1) / np.maximum(size, 1e-9) ** 2, 0.0)
        off2 = np.minimum(off2, 0.3**2)
        mean = (self.net.gathered(off2) + 1e-4) / (self.net.gathered(firm.astype(float)) + 0.1)
        return np.asarray(np.sqrt(mean).reshape(self.net.rows, self.net.columns))

    @cached_property
    def lost(self) -> Floats:
        """Where print and photo do not look alike (rows, columns): 0 found, 1 lost; beside the lost it is no better.

        A field that missed the print by more than it can reach stays where it is: its own pull says nothing of that.
        """
        print_, photo = self.equations.print_, self.equations.photo
        both, one, other = (
            self.net.gathered(_in_blocks(a * b, self.equations.blocks, self.equations.level))
            for a, b in ((print_, photo), (print_, print_), (photo, photo))
        )
        alike = (both / np.sqrt(one * other + 1e-12)).reshape(self.net.rows, self.net.columns)
        worst = cv2.erode(alike, np.ones((3, 3), np.uint8))
        return np.asarray(np.clip((ALIKE - worst) / (ALIKE - STRANGE), 0, 1), np.float64)

    @cached_property
    def reach_mm(self) -> float:
        """How far this paper bends where its print was found: what was lost may be off by as much."""
        assert self.view.bend_mm is not None
        bend_mm = np.hypot(self.view.bend_mm[..., 0], self.view.bend_mm[..., 1])
        return float(bend_mm[self.lost <= 0.5].max(initial=0.0)) if (self.lost <= 0.5).any() else float("inf")


def _smoothed(fit: _Fit) -> BoardView:
    """The view with no more bend than a plane a little off and a lens leave: a cubic in x and y."""
    view = fit.view
    assert view.bend_mm is not None
    rows, columns = view.bend_mm.shape[:2]
    y, x = (part.ravel() for part in np.mgrid[-1 : 1 : rows * 1j, -1 : 1 : columns * 1j])
    terms = np.stack([x**i * y**j for i in range(4) for j in range(4 - i)], -1)
    weight = (1.02 - cv2.resize(fit.lost, (columns, rows), interpolation=cv2.INTER_LINEAR)).ravel()[:, None]
    cubic = np.linalg.lstsq(terms * weight, view.bend_mm.reshape(-1, 2) * weight, rcond=None)[0]
    return replace(view, bend_mm=(terms @ cubic).reshape(view.bend_mm.shape))


def _pass(glance: Glance, print_: CleanPrint, view: BoardView, levels: Sequence[Level]) -> _Fit:
    """One registration, level by level.

    The field that the view comes with, its lens, is free; only what is added to it is held smooth.
    """
    w, h = view.size_mm
    blocks = (int(h / BLOCK_MM), int(w / BLOCK_MM))
    net = net_of(view.size_mm, blocks, FLAT_NODE_MM if levels is FLAT_LEVELS else NODE_MM)
    fine = net_of(view.size_mm, (2, 2))
    lens = view.bend_at(fine.nodes_mm())
    change = np.zeros((net.rows, net.columns, 2))

    def bent() -> BoardView:
        added = replace(view, bend_mm=change, bend_step_mm=net.step_mm).bend_at(fine.nodes_mm())
        return replace(view, bend_mm=(lens + added).reshape(fine.rows, fine.columns, 2), bend_step_mm=fine.step_mm)

    for level in levels:
        target = print_.evened(level.px_per_mm, level.blur_mm * level.px_per_mm, WINDOW_MM * level.px_per_mm)
        for _ in range(level.iterations):
            equations = _equations(glance, target, bent(), level, blocks)
            change = change + net.solve(equations, change, level.stiffness)
    softer = net.solve(equations, np.zeros_like(change), BENT_LEVELS[-1].stiffness)
    return _Fit(bent(), softer, equations, net)


def _equations(glance: Glance, target: Grey, view: BoardView, level: Level, blocks: tuple[int, int]) -> Equations:
    """How the print would have to move in every block to lie where it is seen."""
    all_grey, (x, y) = both(lambda: glance.grey, lambda: glance.places(view, level.px_per_mm))
    grey = cv2.remap(all_grey, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    seen = even(grey.astype(np.float32) / np.float32(255), level.blur_mm * level.px_per_mm, WINDOW_MM * level.px_per_mm)
    rest = target - seen
    weight = 1 / (1 + (rest / 0.7) ** 2) ** 2
    weight[(grey > 250) | (grey == 0)] = 0
    gx, gy = (
        cv2.Sobel(target + seen, cv2.CV_32F, *order, ksize=3, scale=level.px_per_mm / 16) for order in ((1, 0), (0, 1))
    )
    wx, wy = weight * gx, weight * gy
    # rest = target(p) - seen(p): the print at p is seen further on by d, seen(p + d) = target(p)
    products = ((wx, gx), (wx, gy), (wy, gy), (wx, rest), (wy, rest))
    sums = side_by_side(*(partial(_products, a, b, blocks, level) for a, b in products))
    return Equations(np.stack(sums[:3], -1), np.stack(sums[3:], -1), target, seen, blocks, level)


def _products(a: Grey, b: Grey, blocks: tuple[int, int], level: Level) -> Floats:
    return _in_blocks(a * b, blocks, level)


def _in_blocks(values: Grey, blocks: tuple[int, int], level: Level) -> Floats:
    """The means (B,) of values (H, W) in whole blocks; what is left over at the right and below is dropped."""
    inner = values[: blocks[0] * level.block_px, : blocks[1] * level.block_px]
    return np.asarray(cv2.resize(inner, blocks[::-1], interpolation=cv2.INTER_AREA), np.float64).ravel()
