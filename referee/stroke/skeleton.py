"""A mask of ink -> a graph of its skeleton: nodes where lines end or meet, edges as chains of pixels.

Own code on purpose: the usual packages bring a compiler along for a hundred lines.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from referee.errors import TooTangled
from referee.model import Floats
from referee.stroke.mask import WIPE, InkMask
from referee.stroke.thinning import Places, thinned
from referee.words import say

BUMP = 0.35
"""Ink that stands out of a line by less than this share of the pen's width is the line's ragged edge."""
MOST_PIECES = 1500
"""Twice as many pieces as residue of a badly flattened print has left in a race's ink."""
WHISKER, WHISKER_WIDTHS = 0.6, 3.0
"""Ink that stands out by less than so many pen widths, and is usually thinner than this share of one, is no pass."""


@dataclass(eq=False)
class Edge:
    """A line of ink between two nodes: ``chain_px`` (N, 2) x, y from node ``a`` to node ``b``, ``depth_px`` (N,)."""

    a: int
    b: int
    chain_px: Floats
    depth_px: Floats

    @cached_property
    def length_px(self) -> float:
        """Length of the chain, smoothed of its staircase."""
        every = self.chain_px[:: max(1, min(4, len(self.chain_px) // 2))]
        every = np.vstack([every, self.chain_px[-1:]])
        return float(np.hypot(*np.diff(every, axis=0).T).sum())

    @cached_property
    def usual_depth_px(self) -> float:
        """Half the width of its ink where nothing adjoins."""
        return float(np.percentile(self.depth_px, 35))

    def turned(self) -> Edge:
        """The same edge from its other end; turned again it is the same object."""
        return self._turned

    @cached_property
    def _turned(self) -> Edge:
        other = Edge(self.b, self.a, self.chain_px[::-1], self.depth_px[::-1])
        other.__dict__["_turned"] = self
        return other


@dataclass(eq=False)
class Graph:
    """Nodes by number with their place in pixels, edges by number."""

    places_px: dict[int, Floats] = field(default_factory=dict)
    edges: dict[int, Edge] = field(default_factory=dict)

    def ends(self) -> dict[int, list[tuple[int, int]]]:
        """For each node the (edge, end) pairs that meet there; end 0 is the edge's ``a``, 1 its ``b``."""
        out: dict[int, list[tuple[int, int]]] = {n: [] for n in self.places_px}
        for k, e in self.edges.items():
            out[e.a].append((k, 0))
            out[e.b].append((k, 1))
        return out

    def at(self, node: int) -> list[tuple[int, int]]:
        """The (edge, end) pairs that meet at a node; end 0 is the edge's ``a``, 1 its ``b``."""
        return [(k, end) for k, e in self.edges.items() for end, n in ((0, e.a), (1, e.b)) if n == node]

    def degrees(self) -> dict[int, int]:
        """How many edge ends meet at each node."""
        out = dict.fromkeys(self.places_px, 0)
        for e in self.edges.values():
            out[e.a] += 1
            out[e.b] += 1
        return out

    def joined(self, edges: Iterable[int]) -> dict[int, int]:
        """Each node's representative if certain edges make their ends one."""
        root = {n: n for n in self.places_px}

        def find(n: int) -> int:
            while root[n] != n:
                root[n] = root[root[n]]
                n = root[n]
            return n

        for k in edges:
            root[find(self.edges[k].a)] = find(self.edges[k].b)
        return {n: find(n) for n in root}

    def add(self, edge: Edge) -> int:
        """Put an edge in; its number."""
        key = max(self.edges, default=-1) + 1
        self.edges[key] = edge
        return key

    def add_node(self, place_px: Floats) -> int:
        """Put a node in; its number."""
        key = max(self.places_px, default=-1) + 1
        self.places_px[key] = np.asarray(place_px, float)
        return key


def graph_of(mask: InkMask) -> Graph:
    """The skeleton's graph, spurs pruned.  Raises `TooTangled` if it is no line's at all."""
    graph = _walk(thinned(mask.on), mask.depth_px)
    if len(graph.edges) > MOST_PIECES:
        raise TooTangled(say("fault.pieces", most=MOST_PIECES), WIPE)
    prune(graph, mask.pen_px)
    return graph


@dataclass(frozen=True, eq=False)
class _Pixels:
    """The skeleton's pixels by number: ``spots_px`` (N, 2) x, y, ``depth_px`` (N,), ``links`` (N, 8).

    ``links`` are a pixel's neighbours, -1 where there is none; ``count`` (N,) says how many it has.  A diagonal counts
    only where no straight neighbour links the two: else every staircase is a junction.
    """

    spots_px: Floats
    depth_px: Floats
    links: NDArray[np.int32]
    count: NDArray[np.int_]

    @staticmethod
    def of(thin: Places, depth: NDArray[np.float32]) -> _Pixels:
        row = depth.shape[1]
        number = np.full(depth.size, -1, np.int32)
        number[thin] = np.arange(len(thin))
        n, s, w, e = (number[thin + step] for step in (-row, row, -1, 1))
        corners = [
            np.where((a < 0) & (b < 0), number[thin + step], -1)
            for a, b, step in ((n, w, -row - 1), (n, e, 1 - row), (s, w, row - 1), (s, e, row + 1))
        ]
        links = np.column_stack([n, s, w, e, *corners])
        spots = np.column_stack(np.divmod(thin, row)[::-1]).astype(float)
        return _Pixels(spots, depth.ravel()[thin].astype(float), links, (links >= 0).sum(axis=1))

    def near(self, i: int) -> list[int]:
        """A pixel's neighbours."""
        return [k for k in self.links[i].tolist() if k >= 0]

    def edge(self, a: int, b: int, graph: Graph, chain: list[int]) -> Edge:
        """The edge between two nodes along a chain of pixels, which may be empty."""
        depth = self.depth_px[chain] if chain else np.array([1.0])
        return Edge(
            a,
            b,
            np.vstack([graph.places_px[a][None], self.spots_px[chain], graph.places_px[b][None]]),
            np.concatenate([depth[:1], depth if chain else depth[:0], depth[-1:]]),
        )


def _walk(thin: Places, depth: NDArray[np.float32]) -> Graph:
    pixels = _Pixels.of(thin, depth)
    graph = Graph()
    node_of = _nodes(pixels, graph)
    # Who comes to a pixel of two neighbours from one of them goes on to the other: their sum less the one.
    both = np.where(pixels.count == 2, pixels.links.clip(0).sum(axis=1), 0).tolist()
    done = np.zeros(len(thin), bool)
    linked: set[tuple[int, int]] = set()
    for first, node in list(node_of.items()):
        for step in pixels.near(first):
            if step in node_of:
                other = node_of[step]
                if other != node and (other, node) not in linked:
                    linked.add((node, other))
                    graph.add(pixels.edge(node, other, graph, []))
                continue
            if done[step]:
                continue
            chain, back, here = [], first, step
            while here not in node_of:
                chain.append(here)
                back, here = here, both[here] - back
            done[chain] = True
            graph.add(pixels.edge(node, node_of[here], graph, chain))
    _rings(pixels, both, done, node_of, graph)
    return graph


def _nodes(pixels: _Pixels, graph: Graph) -> dict[int, int]:
    """Pixel -> node: ends, and clumps of pixels where three or more lines meet."""
    node_of: dict[int, int] = {}
    for i in np.flatnonzero(pixels.count != 2).tolist():
        if i in node_of:
            continue
        clump, todo = [], [i]
        key = graph.add_node(np.zeros(2))
        node_of[i] = key
        while todo:
            k = todo.pop()
            clump.append(k)
            if pixels.count[k] < 3:
                continue
            for j in pixels.near(k):
                if pixels.count[j] > 2 and j not in node_of:
                    node_of[j] = key
                    todo.append(j)
        graph.places_px[key] = pixels.spots_px[clump].mean(0)
    return node_of


def _rings(pixels: _Pixels, both: list[int], done: NDArray[np.bool_], node_of: dict[int, int], graph: Graph) -> None:
    """Closed lines that meet nothing: one node each, anywhere on the ring."""
    done[list(node_of)] = True
    while not done.all():
        i = int(done.argmin())
        chain, back, here = [i], i, pixels.near(i)[0]
        while here != i:
            chain.append(here)
            back, here = here, both[here] - back
        done[chain] = True
        if len(chain) > 4:
            node = graph.add_node(pixels.spots_px[i])
            body = [*chain, i]
            graph.add(Edge(node, node, pixels.spots_px[body], pixels.depth_px[body]))


def prune(graph: Graph, pen_px: float) -> None:
    """Spurs that hardly reach out of the line they stand on, or are too thin for a pen: away, shortest first."""
    known: dict[tuple[int, tuple[Edge, ...]], tuple[float, float]] = {}
    while True:
        at = graph.ends()
        spurs = []
        for key, e in graph.edges.items():
            free = [n for n in (e.a, e.b) if len(at[n]) == 1]
            if len(free) != 1 or e.a == e.b:
                continue
            root = e.b if e.a == free[0] else e.a
            if len(at[root]) < 3:
                continue
            spot = key, tuple(graph.edges[k] for k, _ in at[root])
            if spot not in known:  # the edges themselves: they change as spurs go
                reach = float((np.hypot(*(e.chain_px - graph.places_px[root]).T) + e.depth_px).max())
                known[spot] = reach, _host_depth(graph, key, at[root], pen_px)
            reach, host = known[spot]
            if reach < host + BUMP * pen_px + 1.0 or _is_whisker(e, root, host, pen_px):
                spurs.append((reach, key, free[0], root))
        if not spurs:
            break
        _, key, tip, root = min(spurs)
        del graph.edges[key]
        del graph.places_px[tip]
        join(graph, root)
    for node in [n for n, d in graph.degrees().items() if d == 0]:
        del graph.places_px[node]


def _is_whisker(spur: Edge, root: int, host: float, pen_px: float) -> bool:
    """Whether what stands out of a line is too thin for a pen: print shows so along its edges."""
    depth = spur.depth_px if spur.a == root else spur.depth_px[::-1]
    out = depth[int(host) :]
    return 0 < len(out) < WHISKER_WIDTHS * pen_px and 2 * float(np.median(out)) < WHISKER * pen_px


def _host_depth(graph: Graph, spur: int, ends: list[tuple[int, int]], pen_px: float) -> float:
    """Half the width of the line that a spur stands on, measured clear of the spur; ``ends`` meet where it stands."""
    depths = []
    for k, end in ends:
        if k != spur:
            depth = graph.edges[k].depth_px if end == 0 else graph.edges[k].depth_px[::-1]
            clear = depth[int(0.8 * pen_px) : int(2 * pen_px) + 1]
            depths.append(float(np.median(clear)) if len(clear) > 1 else float(depth[0]))
    return max(depths, default=0.5 * pen_px)


def join(graph: Graph, node: int) -> None:
    """Two edges that meet alone at a node become one."""
    ends = graph.at(node)
    if len(ends) != 2 or ends[0][0] == ends[1][0]:
        return
    (k1, end1), (k2, end2) = ends
    first = graph.edges[k1] if end1 == 1 else graph.edges[k1].turned()
    second = graph.edges[k2] if end2 == 0 else graph.edges[k2].turned()
    chain = np.vstack([first.chain_px, second.chain_px[1:]])
    graph.edges[k1] = Edge(first.a, second.b, chain, np.concatenate([first.depth_px, second.depth_px[1:]]))
    del graph.edges[k2]
    del graph.places_px[node]
