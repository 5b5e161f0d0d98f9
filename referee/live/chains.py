"""A patch of new ink → the line through it: its skeleton, walked from where the pen came in.

A patch is small: what came into view since a moment ago.  Where its skeleton branches, as at a ring that closes on
itself, all ways through it are weighed: the longest with the least turning wins.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray
from skimage.morphology import skeletonize

from referee.model import Floats

Mask = NDArray[np.uint8]
Pixel = tuple[int, int]

SPUR = 0.7
"""Branches shorter than so many pen widths are the ragged edge's."""
MOST_EDGES = 9
"""With more edges than this only the straightest way on is followed."""
TURN_PX = 14.0
"""A turn back costs as much as so many pixels of ink left out."""
AHEAD_PX = 6


@dataclass(eq=False)
class _Edge:
    """A chain of pixels (N, 2) as (x, y), from node ``a`` to node ``b``."""

    a: int
    b: int
    chain: Floats

    @property
    def length(self) -> float:
        return float(np.hypot(*np.diff(self.chain, axis=0).T).sum()) + 1.0

    def from_(self, node: int) -> Floats:
        """The chain as walked from one of its nodes."""
        return self.chain if node == self.a else self.chain[::-1]


@dataclass(eq=False)
class Web:
    """The skeleton of a patch: nodes are ends and branchings."""

    edges: list[_Edge] = field(default_factory=list)
    nodes: list[Floats] = field(default_factory=list)

    def at(self, node: int) -> list[int]:
        """The edges at a node."""
        return [i for i, edge in enumerate(self.edges) if node in (edge.a, edge.b)]

    def ends(self) -> list[int]:
        """The nodes with one edge only."""
        return [n for n in range(len(self.nodes)) if len(self.at(n)) == 1 and self._loops(n) == 0]

    def _loops(self, node: int) -> int:
        return sum(edge.a == edge.b == node for edge in self.edges)


def line_through(patch: Mask, pen_px: float, come_from: Floats | None, heading: Floats | None) -> Floats:
    """The line (N, 2), in pixels (x, y), through a patch (h, w) of ink from the end nearest ``come_from``.

    ``heading`` (2,) is the pen's direction there.  Without either it runs from any end to the farthest.
    """
    web = _web(patch, pen_px)
    if not web.edges:
        rows, columns = np.nonzero(patch)
        return np.array([[columns.mean(), rows.mean()]])
    start = _entry(web, come_from, pen_px)
    best = max(_ways(web, start, heading), key=lambda way: way[0])
    return _walked(web, start, best[1])


def _web(patch: Mask, pen_px: float) -> Web:
    thin = np.pad(np.asarray(skeletonize(patch > 0), np.bool_), 1)  # type: ignore[no-untyped-call]
    web = _traced(thin)
    while True:
        spur = next(
            (
                i
                for i, edge in enumerate(web.edges)
                if edge.length < SPUR * pen_px and edge.a != edge.b and _is_spur(web, edge)
            ),
            None,
        )
        if spur is None:
            return web
        del web.edges[spur]
        _joined_over(web)


def _is_spur(web: Web, edge: _Edge) -> bool:
    counts = [len(web.at(node)) for node in (edge.a, edge.b)]
    return min(counts) == 1 and max(counts) >= 3


def _joined_over(web: Web) -> None:
    """Nodes with two edges left are none."""
    for node in range(len(web.nodes)):
        here = web.at(node)
        if len(here) == 2 and web._loops(node) == 0:
            one, other = (web.edges[i] for i in here)
            chain = np.vstack([one.from_(node)[::-1], other.from_(node)[1:]])
            ends = [edge.b if edge.a == node else edge.a for edge in (one, other)]
            web.edges = [edge for i, edge in enumerate(web.edges) if i not in here]
            web.edges.append(_Edge(ends[0], ends[1], chain))


def _traced(thin: NDArray[np.bool_]) -> Web:
    """The web of a padded skeleton (h, w); places are those of the patch without the padding."""
    counts = cv2.filter2D(thin.astype(np.uint8), cv2.CV_8U, np.ones((3, 3), np.uint8), borderType=cv2.BORDER_CONSTANT)
    spots = thin & (counts != 3)
    number, labels = cv2.connectedComponents(spots.astype(np.uint8), connectivity=8)
    web = Web(nodes=[np.argwhere(labels == k).mean(0)[::-1] - 1 for k in range(1, number)])
    left = thin & ~spots
    for node in range(1, number):
        for row, column in np.argwhere(labels == node):
            for pixel in _neighbours(left, (int(row), int(column))):
                _follow(web, left, labels, pixel, node - 1)
    for node in range(1, number):
        _bridges(web, labels, node)
    while left.any():
        row, column = (int(v) for v in np.argwhere(left)[0])
        _ring(web, left, (row, column))
    return web


def _neighbours(mask: NDArray[np.bool_], pixel: Pixel) -> Iterator[Pixel]:
    row, column = pixel
    for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1)):
        if mask[row + dr, column + dc]:
            yield row + dr, column + dc


def _follow(web: Web, left: NDArray[np.bool_], labels: NDArray[np.int32], pixel: Pixel, node: int) -> None:
    """One chain of pixels from a node to the next, taken out of ``left``."""
    if not left[pixel]:
        return
    chain = [web.nodes[node]]
    end = node
    while True:
        left[pixel] = False
        chain.append(np.array([pixel[1] - 1, pixel[0] - 1], float))
        row, column = pixel
        around = labels[row - 1 : row + 2, column - 1 : column + 2]
        others = [int(k) - 1 for k in np.unique(around) if k > 0 and (int(k) - 1 != node or len(chain) > 4)]
        onward = next(_neighbours(left, pixel), None)
        if others and (onward is None or others[0] != node):
            end = others[0]
            chain.append(web.nodes[end])
            break
        if onward is None:
            web.nodes.append(chain[-1])
            end = len(web.nodes) - 1
            break
        pixel = onward
    web.edges.append(_Edge(node, end, np.array(chain)))


def _bridges(web: Web, labels: NDArray[np.int32], node: int) -> None:
    """A lone spot that is a line of one or two pixels is an edge to itself."""
    if not web.at(node - 1) and (labels == node).sum() > 1:
        spots = np.asarray(np.argwhere(labels == node)[:, ::-1] - 1.0, np.float64)
        web.nodes += [spots[0], spots[-1]]
        web.edges.append(_Edge(len(web.nodes) - 2, len(web.nodes) - 1, spots))


def _ring(web: Web, left: NDArray[np.bool_], start: Pixel) -> None:
    """A closed chain without a node gets one where it starts."""
    web.nodes.append(np.array([start[1] - 1, start[0] - 1], float))
    chain, pixel = [web.nodes[-1]], start
    left[start] = False
    while (onward := next(_neighbours(left, pixel), None)) is not None:
        left[onward] = False
        chain.append(np.array([onward[1] - 1, onward[0] - 1], float))
        pixel = onward
    if len(chain) > 2:
        web.edges.append(_Edge(len(web.nodes) - 1, len(web.nodes) - 1, np.array([*chain, chain[0]])))


def _entry(web: Web, come_from: Floats | None, pen_px: float) -> int:
    """The node where the pen comes in: the end nearest to where it comes from; in the middle of an edge, a new one."""
    if come_from is None:
        ends = web.ends() or [0]
        return min(ends, key=lambda n: (web.nodes[n][0], web.nodes[n][1]))
    nearest = min(
        ((float(np.hypot(*(edge.chain - come_from).T).min()), i) for i, edge in enumerate(web.edges)), default=(0.0, 0)
    )
    usable = [n for n in range(len(web.nodes)) if web.at(n)]
    node = min(usable, key=lambda n: float(np.hypot(*(web.nodes[n] - come_from))))
    if float(np.hypot(*(web.nodes[node] - come_from))) <= nearest[0] + 1.5 * pen_px:
        return node
    edge = web.edges[nearest[1]]
    k = int(np.hypot(*(edge.chain - come_from).T).argmin())
    if k in (0, len(edge.chain) - 1):
        return edge.a if k == 0 else edge.b
    web.nodes.append(edge.chain[k])
    middle = len(web.nodes) - 1
    web.edges[nearest[1]] = _Edge(edge.a, middle, edge.chain[: k + 1])
    web.edges.append(_Edge(middle, edge.b, edge.chain[k:]))
    return middle


Steps = tuple[tuple[int, int], ...]
"""Edges in the order walked, each with the node it is walked from."""


def _ways(web: Web, start: int, heading: Floats | None) -> Iterator[tuple[float, Steps]]:
    """Ways through a web with what speaks for each: the ink that it explains, less its turns."""
    stack: list[tuple[int, Floats | None, frozenset[int], float, Steps]] = [(start, heading, frozenset(), 0.0, ())]
    greedy = len(web.edges) > MOST_EDGES
    while stack:
        node, along, used, worth, steps = stack.pop()
        yield worth, steps
        options = []
        for i in web.at(node):
            if i in used:
                continue
            edge = web.edges[i]
            for begin in {edge.a, edge.b} & {node}:
                for chain, end in _both_ways(edge, begin):
                    price = 0.0 if along is None else TURN_PX * (1 - _alike(along, _direction(chain)))
                    onward = -_direction(chain[::-1])
                    gain = edge.length - price
                    options.append((gain, (end, onward, used | {i}, worth + gain, (*steps, (i, begin)))))
        options.sort(key=lambda option: option[0])
        stack += [option for _, option in (options[-1:] if greedy else options)]


def _both_ways(edge: _Edge, begin: int) -> Iterator[tuple[Floats, int]]:
    yield edge.from_(begin), edge.b if edge.a == begin else edge.a


def _direction(chain: Floats) -> Floats:
    way = chain[min(len(chain) - 1, AHEAD_PX)] - chain[0]
    return np.asarray(way / max(float(np.hypot(*way)), 1e-6))


def _alike(a: Floats, b: Floats) -> float:
    return float(a @ b)


def _walked(web: Web, start: int, steps: Steps) -> Floats:
    line = [web.nodes[start][None]]
    for i, begin in steps:
        line.append(web.edges[i].from_(begin)[1:])
    return np.vstack(line)
