"""Where the board's outline is in a picture of it: a proposal, for a person to put right.

Straight edges are looked for on a small copy; every two of them across and two down make a frame, and the frame that
is edge along all its sides and large is taken.  Its sides are then fitted to the picture's own edges.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from referee.model import Floats
from referee.vision.opencv import cv2

Bgr = NDArray[np.uint8]

SMALL_PX = 640
MOST_LINES = 14
"""So many of the strongest edges of each direction make frames."""
LEAST_SHARE = 0.12
"""A board takes at least this much of the picture."""
LEAST_SUPPORT = 0.5
"""At least this much of every side lies on an edge."""
GOOD = 0.62
CLOSE_AROUND, FIRM = 0.08, 0.85
"""Of frames one inside the other, by no more than so much of their size, the outermost counts of those whose sides are
edge by this much."""
OUTSIDE_PX, MORE_RESTLESS = 4.0, 1.3
"""So far beyond them their surroundings differ so much more."""
EDGE, RESTLESS = 7.0, 2.2
"""An edge is a change by more than this, and by more than so many times what is usual all over the picture."""
COLOURS = np.array([1.0, 2.0, 2.0], np.float32)
"""Brightness counts so much, and each of the two colours."""


def picture_corners(photo_bgr: Bgr) -> Floats:
    """The picture's own corners (4, 2)."""
    height, width = photo_bgr.shape[:2]
    return np.array([[0, 0], [width - 1, 0], [width - 1, height - 1], [0, height - 1]], np.float64)


def turned(corners_px: Floats, quarters: int) -> Floats:
    """The same corners (4, 2) with the board turned clockwise by so many quarters: another corner is its top left."""
    return np.roll(np.asarray(corners_px, np.float64), quarters, axis=0)


def outline(photo_bgr: Bgr) -> Floats | None:
    """The board's corners (4, 2), top left first and clockwise; None if nothing in the picture looks like a board.

    Which way up a board lies is not known: its top left corner is taken to be the one nearest the picture's.
    """
    shrink = min(1.0, SMALL_PX / max(photo_bgr.shape[:2]))
    small = np.asarray(cv2.resize(photo_bgr, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8)
    if min(small.shape[:2]) < 40:
        return None
    lab = cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2LAB), (0, 0), 1.0).astype(np.float32)
    across, down = _straight_edges(lab)
    if len(across) < 2 or len(down) < 2:
        return None
    frame = _best_frame(lab, across, down)
    if frame is None:
        return None
    corners = (frame + 0.5) / shrink - 0.5
    return _top_left_first(_fitted(photo_bgr, corners, 2.5 / shrink))


# ------------------------------------------------------------------------------------------- straight edges


def _straight_edges(lab: NDArray[np.float32]) -> tuple[Floats, Floats]:
    """Lines (N, 3) across and down, the strongest first: (a, b, c) with a x + b y + c = 0 and a² + b² = 1."""
    segments = _segments(lab)
    if len(segments) < 4:
        return np.empty((0, 3)), np.empty((0, 3))
    way = segments[:, 2:] - segments[:, :2]
    length = np.hypot(*way.T)
    angle = np.arctan2(way[:, 1], way[:, 0])
    main = np.angle((length * np.exp(4j * angle)).sum()) / 4
    turned_by = np.angle(np.exp(2j * (angle - main))) / 2
    lines = np.column_stack([-np.sin(angle), np.cos(angle), np.zeros(len(angle))])
    lines[:, 2] = -(lines[:, :2] * (segments[:, :2] + segments[:, 2:]) / 2).sum(1)
    is_across = np.abs(turned_by) < np.pi / 4
    sets = [_strongest(lines[some], segments[some], length[some]) for some in (is_across, ~is_across)]
    if abs(np.sin(main)) > 0.71:
        sets.reverse()
    return sets[0], sets[1]


def _segments(lab: NDArray[np.float32]) -> Floats:
    """Straight pieces of edge (N, 4) in brightness and in both colours: x, y of one end, x, y of the other."""
    finder = cv2.createLineSegmentDetector(cv2.LSD_REFINE_STD)
    found = []
    for channel, gain in ((0, 1.0), (1, 3.0), (2, 3.0)):
        values = np.clip((lab[..., channel] - lab[..., channel].mean()) * gain + 128, 0, 255).astype(np.uint8)
        pieces = finder.detect(values)[0]
        if pieces is not None:
            found.append(np.asarray(pieces, np.float64).reshape(-1, 4))
    every = np.concatenate(found) if found else np.empty((0, 4))
    return np.asarray(every[np.hypot(*(every[:, 2:] - every[:, :2]).T) >= 14], np.float64)


def _strongest(lines: Floats, segments: Floats, length: Floats) -> Floats:
    """The lines that most length of segments lies on, near twins left out."""
    near = np.maximum(
        *(np.abs(lines[:, None, :2] @ ends.T[None] + lines[:, None, 2:])[:, 0] for ends in _ends(segments))
    )
    strength = np.where(near < 2.0, length[None, :], 0).sum(1)
    kept: list[int] = []
    for i in np.argsort(-strength, kind="stable"):
        twin = any(near[k, i] < 2.5 and near[i, k] < 2.5 for k in kept)
        if not twin:
            kept.append(int(i))
        if len(kept) == MOST_LINES:
            break
    return lines[kept]


def _ends(segments: Floats) -> tuple[Floats, Floats]:
    return segments[:, :2], segments[:, 2:]


# ------------------------------------------------------------------------------------------- frames


def _best_frame(lab: NDArray[np.float32], across: Floats, down: Floats) -> Floats | None:
    """The corners (4, 2), going round, of the best frame that two lines across and two down make."""
    height, width = lab.shape[:2]
    meet = _meetings(across, down)
    step = max(EDGE, RESTLESS * _usual_step(lab))
    on_across = _Support.of(lab, across, step)
    on_down = _Support.of(lab, down, step)
    lines = _Lines(lab, meet, on_across, on_down, (width, height))
    best: tuple[float, Sides] | None = None
    for i, j in combinations(range(len(across)), 2):
        for k, m in combinations(range(len(down)), 2):
            goodness = lines.goodness((i, m, j, k))
            if goodness > (GOOD if best is None else best[0]):
                best = goodness, (i, m, j, k)
    return None if best is None else lines.frame(lines.outermost(best[1]))


Sides = tuple[int, int, int, int]
"""The lines on which a frame's sides lie, going round: one across, one down, the other across, the other down."""


@dataclass(frozen=True, eq=False)
class _Lines:
    """Lines across and down a picture ``lab``: where they ``meet`` (A, D, 2), and how much of them is edge."""

    lab: NDArray[np.float32]
    meet: Floats
    on_across: _Support
    on_down: _Support
    picture_wh: tuple[int, int]

    def frame(self, sides: Sides) -> Floats:
        """The corners (4, 2) of the frame on four lines."""
        i, m, j, k = sides
        return self.meet[[i, i, j, j], [k, m, m, k]]

    def support(self, sides: Sides) -> tuple[float, ...]:
        """How much of each of a frame's sides is edge."""
        ends = self.frame(sides)
        on = (self.on_across, self.on_down, self.on_across, self.on_down)
        return tuple(on[n].along(sides[n], ends[n], ends[(n + 1) % 4]) for n in range(4))

    def goodness(self, sides: Sides) -> float:
        """How good a frame is: edge along all its sides, and large; 0 for what cannot be a board."""
        frame = self.frame(sides)
        share = abs(_area(frame)) / (self.picture_wh[0] * self.picture_wh[1])
        if share < LEAST_SHARE or not _is_in(frame, self.picture_wh) or not _is_round(frame):
            return 0.0
        support = self.support(sides)
        if min(support) < LEAST_SUPPORT:
            return 0.0
        return 0.5 * min(support) + 0.125 * sum(support) + 0.25 * float(np.sqrt(share))

    def outermost(self, sides: Sides) -> Sides:
        """The largest frame close around one, of firm edges with more restless surroundings.

        A board may have lines printed along its rim: what lies beyond such a line is calm print, beyond the rim it is
        a cloth or a table with things on it.
        """
        first = self.frame(sides)
        reach = CLOSE_AROUND * float(np.sqrt(abs(_area(first))))
        best = sides
        for i, m, j, k in product(*(self._close_outside(first, sides, n, reach) for n in range(4))):
            some = (i, m, j, k)
            larger = abs(_area(self.frame(some))) > abs(_area(self.frame(best)))
            if larger and self.goodness(some) and min(self.support(some)) > FIRM:
                best = some
        return best

    def _close_outside(self, first: Floats, sides: Sides, n: int, reach: float) -> list[int]:
        """Its own line and, if there is one, the nearest on which the side ``n`` of a frame may lie farther out."""
        found: list[tuple[float, int]] = []
        middle = first.mean(axis=0)
        begin, end = first[n], first[(n + 1) % 4]
        way = (end - begin) / np.hypot(*(end - begin))
        out = np.array([way[1], -way[0]])
        out = out * np.sign(out @ (begin - middle))
        calm = _restlessness(self.lab, begin + OUTSIDE_PX * out, end + OUTSIDE_PX * out)
        for line in range(self.meet.shape[n % 2]):
            i, m, j, k = (line if side == n else here for side, here in enumerate(sides))
            ends = self.frame((i, m, j, k))[[n, (n + 1) % 4]]
            away = (ends - np.array([begin, end])) @ out
            if (away < 1).any() or (away > reach).any():
                continue
            if _restlessness(self.lab, *(ends + OUTSIDE_PX * out)) > MORE_RESTLESS * calm:
                found.append((float(away.sum()), line))
        return [sides[n], *(line for _, line in sorted(found)[:1])]


def _restlessness(lab: NDArray[np.float32], begin: Floats, end: Floats) -> float:
    """How much a picture's colour usually differs along a line from what is usual there."""
    places = np.linspace(0.05, 0.95, 200)[:, None] * (end - begin) + begin
    seen = _sampled(lab, places) * COLOURS
    return float(np.median(np.abs(seen - np.median(seen, axis=0)), axis=0).sum())


def _meetings(across: Floats, down: Floats) -> Floats:
    """Where each line across meets each line down (A, D, 2); far away where they do not."""
    both = np.cross(across[:, None, :], down[None, :, :])
    depth = np.where(np.abs(both[..., 2:]) < 1e-9, 1e-9, both[..., 2:])
    return np.asarray(both[..., :2] / depth, np.float64)


def _area(frame: Floats) -> float:
    x, y = frame.T
    return float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum() / 2)


def _is_in(frame: Floats, wh: tuple[int, int]) -> bool:
    spare = 0.02 * max(wh)
    return bool((frame > -spare).all() and (frame < np.array(wh) + spare).all())


def _is_round(frame: Floats) -> bool:
    """Whether the corners go round a shape that a rectangle may look like: opposite sides not too unlike."""
    sides = np.roll(frame, -1, axis=0) - frame
    after = np.roll(sides, -1, axis=0)
    turns = sides[:, 0] * after[:, 1] - sides[:, 1] * after[:, 0]
    lengths = np.hypot(*sides.T)
    if not ((turns > 0).all() or (turns < 0).all()):
        return False
    sines = np.abs(turns) / (lengths * np.roll(lengths, -1) + 1e-9)
    return bool(
        (sines > 0.5).all()
        and (np.minimum(lengths[:2], lengths[2:]) > 0.45 * np.maximum(lengths[:2], lengths[2:])).all()
    )


class _Support:
    """How much of each of some lines is edge, from any place on it to any other."""

    def __init__(self, origins: Floats, ways: Floats, sums: list[Floats], starts: list[int]) -> None:
        self._origins, self._ways, self._sums, self._starts = origins, ways, sums, starts

    @staticmethod
    def of(lab: NDArray[np.float32], lines: Floats, step: float) -> _Support:
        """The support that a picture gives to lines (N, 3): where it changes by more than a ``step``."""
        reach = int(np.hypot(*lab.shape[:2])) + 2
        middle = np.array([lab.shape[1], lab.shape[0]]) / 2
        origins = middle - lines[:, :2] * (lines[:, :2] @ middle + lines[:, 2])[:, None]
        ways = np.column_stack([lines[:, 1], -lines[:, 0]])
        steps = np.arange(-reach, reach + 1)
        sums = []
        for line, origin, way in zip(lines, origins, ways, strict=True):
            places = origin + steps[:, None] * way
            edge = _is_edge(lab, places, line[:2], step)
            sums.append(np.concatenate([[0.0], np.cumsum(edge)]))
        return _Support(origins, ways, sums, [reach] * len(lines))

    def along(self, line: int, begin: Floats, end: Floats) -> float:
        """The share (0 to 1) of a line between two places on it that is edge."""
        one, other = sorted(float(self._ways[line] @ (place - self._origins[line])) for place in (begin, end))
        last = len(self._sums[line]) - 1
        first, then = (int(np.clip(round(t) + self._starts[line], 0, last)) for t in (one, other))
        return float((self._sums[line][then] - self._sums[line][first]) / max(then - first, 1))


def _usual_step(lab: NDArray[np.float32]) -> float:
    """How much the picture usually changes over two pixels, anywhere in it."""
    return float(np.median((np.abs(lab[::2, 2:] - lab[::2, :-2]) * COLOURS).max(2)))


def _is_edge(lab: NDArray[np.float32], places: Floats, normal: Floats, step: float) -> NDArray[np.bool_]:
    """Whether the picture changes across a line at places (N, 2) on it, or just beside it."""
    rows = [places + normal * offset for offset in (-3.5, -2.0, 0.0, 2.0, 3.5)]
    seen = np.stack([_sampled(lab, row) for row in rows])
    steps = np.abs(np.diff(seen, axis=0)) * COLOURS
    inside = ((places > 1) & (places < [lab.shape[1] - 2, lab.shape[0] - 2])).all(1)
    return np.asarray((steps.max((0, 2)) > step) & inside)


def _sampled(lab: NDArray[np.float32], places: Floats) -> NDArray[np.float32]:
    x, y = (np.ascontiguousarray(places[:, k], np.float32) for k in (0, 1))
    seen = cv2.remap(lab, x[:, None], y[:, None], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.float32).reshape(len(places), -1)


# ------------------------------------------------------------------------------------------- the picture's own edges


def _fitted(photo_bgr: Bgr, corners: Floats, reach_px: float) -> Floats:
    """Corners (4, 2) whose sides lie on the steepest change of the full picture near the ones given."""
    lines = [_side(photo_bgr, corners[k], corners[(k + 1) % 4], reach_px) for k in range(4)]
    better = np.array([np.cross(lines[k - 1], lines[k]) for k in range(4)])
    if (np.abs(better[:, 2]) < 1e-9).any():
        return corners
    better = better[:, :2] / better[:, 2:]
    moved = np.hypot(*(better - corners).T)
    return np.asarray(np.where((moved < 3 * reach_px)[:, None], better, corners))


def _side(photo_bgr: Bgr, begin: Floats, end: Floats, reach_px: float) -> Floats:
    """The line (3,) through the steepest changes near a side."""
    way = (end - begin) / np.hypot(*(end - begin))
    normal = np.array([-way[1], way[0]])
    along = np.linspace(0.06, 0.94, 120)[:, None] * (end - begin) + begin
    step = max(0.5, reach_px / 24)
    offsets = np.arange(-reach_px, reach_px + step, step)
    places = along[:, None, :] + offsets[None, :, None] * normal
    seen = _sampled_grid(photo_bgr, places)
    seen = cv2.blur(seen, (3, 5))
    steep = np.abs(seen[:, 2:] - seen[:, :-2]).max(2)
    # The outermost rim of a printed frame and its inner edge may both be steep: what most of the side agrees on.
    votes = (steep / (steep.max(1, keepdims=True) + 4.0)).sum(0)
    usual = int(np.argmax(cv2.GaussianBlur(votes[None], (0, 0), 1.5)))
    window = slice(max(0, usual - 8), usual + 9)
    best = steep[:, window].argmax(1) + window.start + 1
    points = along + offsets[best][:, None] * normal
    firm = steep[:, window].max(1) > 0.3 * np.median(steep[:, window].max(1))
    vx, vy, x, y = cv2.fitLine(points[firm].astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
    return np.array([-vy, vx, vy * x - vx * y], np.float64)


def _sampled_grid(photo_bgr: Bgr, places: Floats) -> NDArray[np.float32]:
    x, y = (np.ascontiguousarray(places[..., k], np.float32) for k in (0, 1))
    return np.asarray(cv2.remap(photo_bgr, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.float32)


def _top_left_first(frame: Floats) -> Floats:
    """The same corners clockwise, beginning with the one nearest the picture's top left."""
    clockwise = frame if _area(frame) > 0 else frame[::-1]
    return np.roll(clockwise, -int(np.argmin(clockwise.sum(1))), axis=0)
