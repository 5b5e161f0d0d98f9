"""The path in time: new ink is added where the pen was, so order needs no guessing.

Every patch of ink that no line explains yet is read by its skeleton (`chains`) and added to the line that ends beside
it.  Where a patch lies across older ink, the line runs on beneath it.  What lies elsewhere begins a new stroke, once
nothing hides what may connect it.  A ring that came into view after what was drawn behind it is put in its place.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray
from skimage.graph import route_through_array

from referee.live.chains import line_through
from referee.live.cover import Cover
from referee.live.ink import InkInTime
from referee.live.lay import PX_PER_MM, pixels_at
from referee.live.look import Glimpse
from referee.model import Floats

Mask = NDArray[np.uint8]
Places = NDArray[np.intp]

STEP_MM = 0.4
LEAST_MM2 = 1.3
"""Less ink than this is no patch."""
READY_MM, READY_S = 2.2, 0.1
"""A patch is read once it is so long, or after so long."""
THIN = 0.3
"""A patch nowhere deeper than this share of the pen is the edge of a line that is known."""
REACH_MM, CLOSE_MM = 18.0, 4.5
"""A line runs on under older ink for so far, if about straight; so close it may turn anyhow."""
STRAIGHT = 0.1
"""Cosine of the most that a line turns beneath older ink."""
THROUGH = 0.85
"""A line runs on through what is inked for this share."""
SPARE_MM = 0.7
"""So much beyond its edge is explained by a line."""
CLEAR_MM, CLEAR_S, CLEAR_FRAMES = 14.0, 0.22, 2
"""Nothing near the end of a line, for so long: the pen is up."""
BARE_MM = 3.0
"""A line has ended where nothing goes on within this much of its end."""
ROUND_MM = 14.0
"""A pen that stays down goes back over its own ink by no more than this: it is blindfolded."""
OFF_INK = 1e5
SAME_SPOT_MM = 2.5
LOOP_MM = 16.0
"""A ring's two ends meet the line within this much of it."""
HOLD_S = 0.3
"""A patch that lies by itself waits this long for what may connect it."""
FIRST_PEN_MM = 2.6
BACK_MM = 4.5
"""So much of a line's end is read anew with what comes next."""
SUDDEN_S, SUDDEN_MM, FASTEST_MM_S = 0.3, 20.0, 400.0
"""A place came into view at once if it was seen bare so shortly before; no pen draws so much so fast in plain view."""
THINNEST = 4.0
"""So many times longer than a pen's line of the same area is the thinnest thing that is laid on a board."""
LOST_MM, LOST_S = 12.0, 0.8
"""So much of a line's ink, that no line takes up for so long, is lost to it."""
BESIDE_MM = 0.8
OLD_MM = 0.6
""" A point this near to one that was known is that one."""


@dataclass(eq=False)
class Line:
    """One stroke as it grows: ``points_mm`` (N, 2), ``times_s`` (N,) when each came into view."""

    points_mm: Floats
    times_s: Floats
    ended: bool = False
    ended_s: float = 0.0
    """When the pen was seen to be away, if it was."""
    covered: tuple[bool, bool] = (False, False)
    """Whether other ink lies about its beginning, and its end."""

    @property
    def tip_mm(self) -> Floats:
        """Its newest end."""
        return np.asarray(self.points_mm[-1])

    def heading(self, reach_mm: float = 3.0) -> Floats:
        """Its direction (2,) at the newest end."""
        away = np.hypot(*(self.points_mm - self.tip_mm).T)
        far = np.flatnonzero(away >= reach_mm)
        since = self.points_mm[far[-1] if len(far) else 0]
        way = self.tip_mm - since
        return np.asarray(way / max(float(np.hypot(*way)), 1e-6))


@dataclass(eq=False)
class Patch:
    """New ink: ``on`` (h, w), its corner (x, y) on the grid, when it began to show, and its size."""

    on: Mask
    corner: tuple[int, int]
    since_s: float
    pixels: NDArray[np.intp]
    """(N, 2) as (x, y) on the whole grid."""

    def nearest(self, at_px: Floats) -> tuple[Floats, float]:
        """The pixel nearest to a place, and how far off it is."""
        far = np.hypot(*(self.pixels - at_px).T)
        k = int(far.argmin())
        return self.pixels[k].astype(float), float(far[k])


@dataclass(frozen=True)
class SeenLift:
    """The pen left the board and came back to the same spot, which only time shows."""

    stroke: int
    at_mm: tuple[float, float]
    at_s: float
    away_s: float
    """A moment at which nothing was near that spot."""


@dataclass(eq=False)
class Trace:
    """The lines so far, on a grid of ``wh`` pixels."""

    wh: tuple[int, int]
    lines: list[Line] = field(default_factory=list)
    lifts: list[SeenLift] = field(default_factory=list)
    pen_mm: float = FIRST_PEN_MM
    changes: int = 0

    def __post_init__(self) -> None:
        self.explained = np.zeros((self.wh[1], self.wh[0]), np.uint8)
        self.is_lost = False
        """Whether there is ink that no line has taken up for long: the lines do not tell the race."""
        self._waiting_since: float | None = None
        self._clear_since: float | None = None
        self._clear_frames = 0
        self._lonely: dict[tuple[int, int], float] = {}

    def update(self, at_s: float, ink: InkInTime, cover: Cover, glimpse: Glimpse) -> bool:
        """Take one frame's ink in; whether any line changed."""
        before = self.changes
        patches = [patch for patch in self._patches(ink) if not self._was_laid_down(patch, ink)]
        if patches:
            self._learn_pen(ink)
        while (patch := self._next(patches, at_s, ink, cover, glimpse)) is not None:
            patches = [p for p in patches if p is not patch]
        self._watch_waiting(at_s, patches)
        self._watch_pen(at_s, ink, cover, glimpse, bool(patches))
        return self.changes > before

    def _watch_waiting(self, at_s: float, patches: list[Patch]) -> None:
        """Notice ink that no line takes up."""
        pixels = sum(len(patch.pixels) for patch in patches)
        if pixels / PX_PER_MM**2 / self.pen_mm < LOST_MM:
            self._waiting_since = None
        elif self._waiting_since is None:
            self._waiting_since = at_s
        self.is_lost = self._waiting_since is not None and at_s - self._waiting_since >= LOST_S

    # ------------------------------------------------------------------ patches

    def _patches(self, ink: InkInTime) -> list[Patch]:
        new = cv2.subtract(ink.inked, self.explained)
        x, y, w, h = cv2.boundingRect(new)
        if w == 0:
            return []
        part = np.asarray(cv2.morphologyEx(new[y : y + h, x : x + w], cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)))
        part = cv2.bitwise_and(part, cv2.bitwise_not(self.explained[y : y + h, x : x + w]))
        number, labels, stats, _ = cv2.connectedComponentsWithStats(part, connectivity=8)
        found = []
        for k in range(1, number):
            if stats[k, cv2.CC_STAT_AREA] < LEAST_MM2 * PX_PER_MM**2:
                continue
            left, top, wide, high = (int(v) for v in stats[k, :4])
            on = (labels[top : top + high, left : left + wide] == k).astype(np.uint8)
            rows, columns = np.nonzero(on)
            pixels = np.column_stack([columns + x + left, rows + y + top])
            frames = ink.first[pixels[:, 1], pixels[:, 0]]
            known = frames[frames >= 0]
            since = ink.times[int(known.min())] if len(known) else ink.times[-1]
            found.append(Patch(on, (x + left, y + top), since, pixels))
        return sorted(found, key=lambda patch: patch.since_s)

    def _was_laid_down(self, patch: Patch, ink: InkInTime) -> bool:
        """Lay a patch aside if no pen can have drawn it: it came into view too fast where the bare board was in view.

        What a hand uncovers may come as fast as it likes; what a camera missed had the time that it missed.
        """
        x, y = patch.pixels.T
        times = np.asarray(ink.times)
        first, bare = ink.first[y, x], ink.bare[y, x]
        sudden = (first >= 0) & (bare >= 0)
        sudden[sudden] = times[first[sudden]] - times[bare[sudden]] <= self._sudden_s(times)
        if not any(self._is_too_fast(x[at], y[at], times[first[at]], times[bare[at]]) for at in _bursts(sudden, first)):
            return False
        ink.lay_aside(y, x)
        return True

    def _is_too_fast(self, x: Places, y: Places, first_s: Floats, bare_s: Floats) -> bool:
        """Whether no pen draws pixels (N,) from when they were last bare to when they were first seen as ink."""
        by_area_mm = len(x) / PX_PER_MM**2 / self.pen_mm
        across_mm = float(np.hypot(np.ptp(x), np.ptp(y))) / PX_PER_MM
        long_mm = max(by_area_mm, min(across_mm, THINNEST * by_area_mm))
        took_s = float(np.quantile(first_s, 0.9) - np.quantile(bare_s, 0.1))
        return long_mm >= SUDDEN_MM and long_mm > FASTEST_MM_S * took_s

    @staticmethod
    def _sudden_s(times: Floats) -> float:
        """So short before is the frame before, however slowly frames come."""
        return max(SUDDEN_S, float(times[-1] - times[-2]) * 1.5 if len(times) > 1 else 0.0)

    def forget(self, gone: Mask) -> None:
        """Ink is gone there (H, W): what comes there next is new."""
        self.explained[cv2.dilate(gone, np.ones((5, 5), np.uint8)) > 0] = 0

    def _learn_pen(self, ink: InkInTime) -> None:
        """The pen's width: twice the usual depth along the lines."""
        if not self.lines or self.changes > 400:
            return
        points = np.vstack([line.points_mm[::3] for line in self.lines])[-160:]
        if len(points) < 12:
            return
        low = np.clip((points.min(0) - 4) * PX_PER_MM, 0, None).astype(int)
        high = ((points.max(0) + 4) * PX_PER_MM).astype(int)
        depth = cv2.distanceTransform(ink.inked[low[1] : high[1], low[0] : high[0]], cv2.DIST_L2, 3)
        at = np.clip((points * PX_PER_MM).astype(int) - low, 0, np.array(depth.shape[::-1]) - 1)
        deep = np.array([depth[max(0, y - 1) : y + 2, max(0, x - 1) : x + 2].max() for x, y in at])
        self.pen_mm = float(np.clip((2 * np.median(deep) - 0.6) / PX_PER_MM, 1.4, 4.2))

    # ------------------------------------------------------------------ where a patch belongs

    def _next(self, patches: list[Patch], at_s: float, ink: InkInTime, cover: Cover, glimpse: Glimpse) -> Patch | None:
        """Add one patch to the lines and say which; None if none can be added now."""
        here = self.lines[-1] if self.lines else None
        ready = [p for p in patches if self._is_ready(p, at_s)]
        for patch in ready:
            if self._is_rim(patch):
                if not self.lines:  # there is nothing yet that it could be the rim of
                    continue
                self._explain_all(patch)
                return patch
        if here is not None and not here.ended:
            onward = [(far, i) for i, p in enumerate(ready) if (far := self._onward(here, p, ink)) is not None]
            if onward:
                patch = ready[min(onward)[1]]
                self._run_on(here, patch, ink)
                return patch
        for patch in ready:
            if self._looped(patch, ink):
                return patch
        for patch in ready:
            if here is not None and not here.ended and (way := self._way_round(here, patch, ink)) is not None:
                self._go_round(here, way)
                self._run_on(here, patch, ink)
                return patch
            if self._may_begin(patch, at_s, cover, glimpse):
                self._begin(patch, ink, cover)
                return patch
        return None

    def _is_ready(self, patch: Patch, at_s: float) -> bool:
        long = len(patch.pixels) / (self.pen_mm * PX_PER_MM**2)
        return long >= READY_MM or at_s - patch.since_s >= READY_S + 0.12

    def _is_rim(self, patch: Patch) -> bool:
        depth = cv2.distanceTransform(np.pad(patch.on, 1), cv2.DIST_L2, 3)
        return bool(depth.max() < THIN * self.pen_mm * PX_PER_MM)

    def _onward(self, line: Line, patch: Patch, ink: InkInTime) -> float | None:
        """How far a patch lies from a line's end, if the line can run on to it; None if it cannot."""
        tip = line.tip_mm * PX_PER_MM - 0.5
        near, far_px = patch.nearest(tip)
        far_mm = far_px / PX_PER_MM
        if far_mm > REACH_MM:
            return None
        way = (near - tip) / max(far_px, 1e-6)
        straight = float(way @ line.heading())
        if far_mm > CLOSE_MM + self.pen_mm and straight < STRAIGHT:
            return None
        if _share_of(ink.inked, tip, near) < THROUGH:
            return None
        return far_mm * (1.5 - 0.5 * straight)

    def _way_round(self, line: Line, patch: Patch, ink: InkInTime) -> Floats | None:
        """The way (N, 2) over ink from a line's end to a patch: a pen that stays down goes back over its own line."""
        tip = line.tip_mm * PX_PER_MM - 0.5
        near, far_px = patch.nearest(tip)
        if far_px > ROUND_MM * PX_PER_MM:
            return None
        spare = ROUND_MM / 2 * PX_PER_MM
        low = np.clip(np.floor(np.minimum(tip, near) - spare).astype(int), 0, self.wh)
        high = np.clip(np.ceil(np.maximum(tip, near) + spare).astype(int), 0, self.wh)
        on = (ink.inked[low[1] : high[1], low[0] : high[0]] > 0).astype(np.uint8)
        depth = cv2.distanceTransform(on, cv2.DIST_L2, 3)
        price = np.where(on > 0, 1 + 3 / np.maximum(depth, 0.5), OFF_INK)
        ends = [
            tuple(int(v) for v in np.clip(np.rint(at - low)[::-1], 0, np.array(on.shape) - 1)) for at in (tip, near)
        ]
        route, cost = route_through_array(price, ends[0], ends[1])  # type: ignore[no-untyped-call]
        if cost >= OFF_INK or len(route) > ROUND_MM * PX_PER_MM:
            return None
        return np.asarray((np.array(route)[:, ::-1] + low + 0.5) / PX_PER_MM)

    # ------------------------------------------------------------------ adding

    def _go_round(self, line: Line, way_mm: Floats) -> None:
        """Draw a line on over ink that is there already."""
        short = round(self.pen_mm * PX_PER_MM)
        way = _softened(_evenly(way_mm[: max(2, len(way_mm) - short)]))[1:]
        if len(way):
            line.points_mm = np.vstack([line.points_mm, way])
            line.times_s = np.concatenate([line.times_s, np.full(len(way), line.times_s[-1])])
            self.changes += 1

    def _run_on(self, line: Line, patch: Patch, ink: InkInTime) -> None:
        """Draw a line on through a patch: its last bit is read anew with it, so that it bends as the ink does."""
        back = _points_back(line, BACK_MM)
        anchor, tail = line.points_mm[back], line.points_mm[back:]
        near, _ = patch.nearest(line.tip_mm * PX_PER_MM - 0.5)
        corridor = np.vstack([tail, (near[None] + 0.5) / PX_PER_MM])
        way = line.points_mm[min(back + 4, len(line.points_mm) - 1)] - anchor
        heading = way / max(float(np.hypot(*way)), 1e-6) if len(tail) > 2 else None
        chain = self._chain(self._with_ink_along(patch, corridor, ink), anchor, heading)
        whole = _softened(_evenly(np.vstack([line.points_mm[max(0, back - 6) : back + 1], chain])))
        fresh = whole[np.hypot(*(whole - anchor).T).argmin() :]
        kept, tail_times = line.points_mm[:back], line.times_s[back:]
        times = self._times(fresh, ink, float(line.times_s[-1]))
        near_old = np.hypot(*(fresh[:, None] - tail[None]).transpose(2, 0, 1))
        old = near_old.min(axis=1) < OLD_MM
        times[old] = tail_times[near_old.argmin(axis=1)][old]
        line.points_mm = np.vstack([kept, fresh])
        line.times_s = np.concatenate([line.times_s[:back], times])
        self._explain(fresh)
        self._explain_rest(patch)

    def _with_ink_along(self, patch: Patch, way_mm: Floats, ink: InkInTime) -> Patch:
        """A patch with the ink along a line (N, 2) that leads to it."""
        pen_px = self.pen_mm * PX_PER_MM
        way_px = way_mm * PX_PER_MM - 0.5
        low = np.floor(np.minimum(way_px.min(0), patch.pixels.min(0)) - pen_px).astype(int)
        high = np.ceil(np.maximum(way_px.max(0), patch.pixels.max(0)) + pen_px).astype(int) + 1
        (x0, y0), (x1, y1) = np.clip(low, 0, self.wh), np.clip(high, 0, self.wh)
        on = np.zeros((y1 - y0, x1 - x0), np.uint8)
        line = np.rint((way_px - [x0, y0]) * 8).astype(np.int32)
        cv2.polylines(on, [line], False, 1, max(1, round(pen_px)), shift=3)
        on &= (ink.inked[y0:y1, x0:x1] > 0).astype(np.uint8)
        on[patch.pixels[:, 1] - y0, patch.pixels[:, 0] - x0] = 1
        return Patch(on, (int(x0), int(y0)), patch.since_s, patch.pixels)

    def _explain_rest(self, patch: Patch) -> None:
        """What is left of a patch beside the line just drawn is its edge, unless it is large enough for more."""
        left = patch.pixels[self.explained[patch.pixels[:, 1], patch.pixels[:, 0]] == 0]
        if len(left) < LEAST_MM2 * PX_PER_MM**2:
            self.explained[left[:, 1], left[:, 0]] = 255

    def _chain(self, patch: Patch, come_from_mm: Floats | None, heading: Floats | None) -> Floats:
        """The line (N, 2) in mm through a patch."""
        corner = np.array(patch.corner, float)
        start = None if come_from_mm is None else come_from_mm * PX_PER_MM - 0.5 - corner
        line = line_through(patch.on, self.pen_mm * PX_PER_MM, start, heading)
        return np.asarray((line + corner + 0.5) / PX_PER_MM)

    def _times(self, points_mm: Floats, ink: InkInTime, before_s: float) -> Floats:
        """When each point (N,) came into view; across older ink as its neighbours."""
        frames, inked = ink.in_view_since(points_mm)
        own = inked & (self.explained[pixels_at(points_mm, self.explained)] == 0)
        if not own.any():
            return np.full(len(points_mm), before_s)
        index = np.arange(len(points_mm))
        return np.asarray(np.interp(index, index[own], np.asarray(ink.times)[frames[own]]))

    def _explain(self, points_mm: Floats) -> None:
        wide = max(1, round((self.pen_mm + 2 * SPARE_MM) * PX_PER_MM))
        line = np.rint((points_mm * PX_PER_MM - 0.5) * 8).astype(np.int32)
        cv2.polylines(self.explained, [line], False, 255, wide, shift=3)
        self.changes += 1

    def _explain_all(self, patch: Patch) -> None:
        self.explained[patch.pixels[:, 1], patch.pixels[:, 0]] = 255

    def _looped(self, patch: Patch, ink: InkInTime) -> bool:
        """Put a ring in where it belongs, if a patch is one beside the newest line."""
        if not self.lines:
            return False
        line = self.lines[-1]
        chain = self._chain(patch, self._touches(line, patch), None)
        long = float(np.hypot(*np.diff(chain, axis=0).T).sum()) if len(chain) > 1 else 0.0
        if long < 2 * self.pen_mm:
            return False
        recent = line.points_mm[max(0, len(line.points_mm) - 200) :]
        offset = len(line.points_mm) - len(recent)
        ends = [np.hypot(*(recent - end).T) for end in (chain[0], chain[-1])]
        if max(float(e.min()) for e in ends) > self.pen_mm + 1.6:
            return False
        first, last = sorted(int(e.argmin()) + offset for e in ends)
        if (last - first) * STEP_MM > LOOP_MM:
            return False
        if float(ends[0].min()) > 0 and ends[0].argmin() > ends[1].argmin() and last > first:
            chain = chain[::-1]
        chain = self._turned_with(line, chain, first)
        self._insert(line, chain, (first + last) // 2, ink)
        return True

    @staticmethod
    def _touches(line: Line, patch: Patch) -> Floats:
        """The place of a line that a patch lies nearest to."""
        recent = line.points_mm[-200:]
        far = [patch.nearest(p * PX_PER_MM - 0.5)[1] for p in recent[::3]]
        return np.asarray(recent[::3][int(np.argmin(far))])

    @staticmethod
    def _turned_with(line: Line, chain: Floats, at: int) -> Floats:
        """A ring driven the way that goes on from the line's own direction."""
        way = line.points_mm[min(at + 3, len(line.points_mm) - 1)] - line.points_mm[max(0, at - 3)]
        ahead = chain[min(4, len(chain) - 1)] - chain[0]
        back = chain[-min(5, len(chain))] - chain[-1]
        return chain if way @ ahead >= way @ back else chain[::-1]

    def _insert(self, line: Line, chain_mm: Floats, at: int, ink: InkInTime) -> None:
        a, b = line.points_mm[at], line.points_mm[min(at + 1, len(line.points_mm) - 1)]
        ring = _evenly(np.vstack([a[None], chain_mm, b[None]]))[1:-1]
        times = self._times(ring, ink, float(line.times_s[at]))
        line.points_mm = np.vstack([line.points_mm[: at + 1], ring, line.points_mm[at + 1 :]])
        line.times_s = np.concatenate([line.times_s[: at + 1], times, line.times_s[at + 1 :]])
        self._explain(ring)

    # ------------------------------------------------------------------ new strokes

    def _may_begin(self, patch: Patch, at_s: float, cover: Cover, glimpse: Glimpse) -> bool:
        """Whether a patch that lies by itself begins a stroke: nothing hides, or may still show, what connects it."""
        if not self.lines:
            return True
        line = self.lines[-1]
        if line.ended:
            return True
        if at_s - patch.since_s < HOLD_S:
            return False
        return self._is_bare(line.tip_mm, cover, glimpse)

    def _is_bare(self, at_mm: Floats, cover: Cover, glimpse: Glimpse) -> bool:
        """Whether all about the end of a line is seen, and there is nothing but what is known."""
        reach = round((self.pen_mm / 2 + BARE_MM) * PX_PER_MM)
        x, y = (int(v) for v in at_mm * PX_PER_MM)
        box = (slice(max(0, y - reach), y + reach + 1), slice(max(0, x - reach), x + reach + 1))
        strange = cv2.subtract(glimpse.changed[box], cv2.dilate(self.explained[box], np.ones((3, 3), np.uint8)))
        return not cover.near[box].any() and cv2.countNonZero(strange) < 5

    def _begin(self, patch: Patch, ink: InkInTime, cover: Cover) -> None:
        """A new stroke; one that begins where the last one ended, the pen having been up, is a lift that was seen."""
        last = self.lines[-1] if self.lines else None
        if last is not None and last.ended:
            tip = last.tip_mm * PX_PER_MM - 0.5
            near, far_px = patch.nearest(tip)
            if far_px / PX_PER_MM < SAME_SPOT_MM + self.pen_mm / 2 and _share_of(ink.inked, tip, near) > THROUGH:
                x, y = last.tip_mm
                self.lifts.append(SeenLift(len(self.lines) - 1, (float(x), float(y)), patch.since_s, last.ended_s))
                last.ended = False
                self._run_on(last, patch, ink)
                return
        chain = self._forward(self._chain(patch, None, None), ink, cover, last)
        points = _softened(_evenly(chain)) if len(chain) > 1 else np.vstack([chain, chain + [0.05, 0.0]])
        begins_covered = self._beside_ink(points[0])
        if last is not None:
            last.ended = True
            last.covered = (last.covered[0], self._end_is_covered(last))
        times = self._times(points, ink, patch.since_s)
        self.lines.append(Line(points, times, covered=(begins_covered, False)))
        self._explain(points)

    def _beside_ink(self, at_mm: Floats) -> bool:
        """Whether a place touches a line's ink; specks that are no line's are none."""
        reach = self.pen_mm + BESIDE_MM
        return any(float(np.hypot(*(line.points_mm - at_mm).T).min()) <= reach for line in self.lines)

    def _end_is_covered(self, line: Line) -> bool:
        """Whether older ink than a line's own lies about its end."""
        others = np.zeros_like(self.explained)
        wide = max(1, round(self.pen_mm * PX_PER_MM))
        for other in self.lines:
            points = other.points_mm if other is not line else other.points_mm[: max(0, len(other.points_mm) - 20)]
            if len(points) > 1:
                cv2.polylines(others, [np.rint(points * PX_PER_MM * 8).astype(np.int32)], False, 255, wide, shift=3)
        x, y = (int(v) for v in np.clip(line.tip_mm * PX_PER_MM, 0, np.array(self.wh) - 1))
        return bool(others[y, x])

    def _forward(self, chain: Floats, ink: InkInTime, cover: Cover, last: Line | None) -> Floats:
        """A chain as it was drawn: by time; else towards the hand; else away from the last end."""
        if len(chain) < 4:
            return chain
        frames = ink.first[pixels_at(chain, ink.first)].astype(float)
        third = max(1, len(chain) // 3)
        first, later = (
            part[part >= 0].mean() if (part >= 0).any() else 0.0 for part in (frames[:third], frames[-third:])
        )
        if abs(later - first) > 0.5:
            return chain if later > first else chain[::-1]
        if cover.any:
            rows, columns = np.nonzero(cover.things)
            things = np.column_stack([columns, rows]) * (3 / PX_PER_MM)
            away = [float(np.hypot(*(things - end).T).min()) for end in (chain[0], chain[-1])]
            if abs(away[0] - away[1]) > 2.0 and min(away) < 30.0:
                return chain if away[0] > away[1] else chain[::-1]
        if last is not None:
            near = [float(np.hypot(*(last.tip_mm - end))) for end in (chain[0], chain[-1])]
            return chain if near[0] <= near[1] else chain[::-1]
        return chain

    # ------------------------------------------------------------------ the pen

    def _watch_pen(self, at_s: float, ink: InkInTime, cover: Cover, glimpse: Glimpse, waiting: bool) -> None:
        """Notice that the pen is up: nothing is near the end of the newest line for a while."""
        if not self.lines or self.lines[-1].ended:
            self._clear_since = None
            return
        reach = round(CLEAR_MM * PX_PER_MM)
        x, y = (int(v) for v in self.lines[-1].tip_mm * PX_PER_MM)
        box = (slice(max(0, y - reach), y + reach + 1), slice(max(0, x - reach), x + reach + 1))
        known = cv2.dilate(ink.inked[box], np.ones((5, 5), np.uint8))
        strange = cv2.countNonZero(cv2.subtract(glimpse.changed[box], known))
        busy = cv2.countNonZero(cover.hidden[box]) > 0 or strange > 6 or waiting
        if busy:
            self._clear_since, self._clear_frames = None, 0
            return
        self._clear_frames += 1
        if self._clear_since is None:
            self._clear_since = at_s
        if at_s - self._clear_since >= CLEAR_S and self._clear_frames >= CLEAR_FRAMES:
            line = self.lines[-1]
            line.ended, line.ended_s = True, at_s
            line.covered = (line.covered[0], self._end_is_covered(line))
            self.changes += 1


def _bursts(sudden: NDArray[np.bool_], first: NDArray[np.int32]) -> Iterator[NDArray[np.intp]]:
    """The places (M,) that were first seen in one frame, or in that and the next."""
    for frame in np.unique(first[sudden]):
        yield np.flatnonzero(sudden & ((first == frame) | (first == frame + 1)))


def _points_back(line: Line, by_mm: float) -> int:
    """The number of the point that lies so far back along a line."""
    return max(0, len(line.points_mm) - 1 - round(by_mm / STEP_MM))


def _samples(a_px: Floats, b_px: Floats) -> NDArray[np.intp]:
    """Pixels (N, 2) along a straight line."""
    count = max(2, int(np.hypot(*(b_px - a_px))) + 1)
    t = np.linspace(0, 1, count)[:, None]
    return np.asarray(np.rint(a_px * (1 - t) + b_px * t), np.intp)


def _share_of(mask: Mask, a_px: Floats, b_px: Floats) -> float:
    """The share of a straight line that lies on a mask."""
    at = _samples(a_px, b_px)
    at = np.clip(at, 0, np.array(mask.shape[::-1]) - 1)
    return float((mask[at[:, 1], at[:, 0]] > 0).mean())


def _evenly(points: Floats) -> Floats:
    """Points along a line about `STEP_MM` apart, ends kept."""
    far = np.hypot(*np.diff(points, axis=0).T)
    keep = np.concatenate([[True], far > 1e-6])
    points = points[keep]
    if len(points) < 2:
        return points
    arc = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
    at = np.linspace(0, arc[-1], max(2, round(arc[-1] / STEP_MM) + 1))
    return np.column_stack([np.interp(at, arc, points[:, k]) for k in (0, 1)])


def _softened(points: Floats) -> Floats:
    """A line without the steps of its pixels, ends kept."""
    if len(points) < 5:
        return points
    padded = np.pad(points, ((3, 3), (0, 0)), mode="reflect", reflect_type="odd")
    weights = np.array([1, 3, 5, 6, 5, 3, 1], float)
    weights /= weights.sum()
    return np.column_stack([np.convolve(padded[:, k], weights, mode="valid") for k in (0, 1)])
