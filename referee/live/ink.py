"""Ink over time: what came to stay, and when it first came into view.

A place is inked once it has looked like ink, and the same, in several frames in which nothing lay near it.  Then it
stays inked while it is covered, and until the bare board is seen there again.  When it came into view is when it
began to look so.  What lies on the board and was not drawn, a cord or a still shadow, is laid aside.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.live.cover import CELLS, COARSE, Cover, cells_of
from referee.live.lay import PX_PER_MM, pixels_at
from referee.live.look import Glimpse, Look, brightest, darkest, light_of, places_of
from referee.model import Floats, Ink

Mask = NDArray[np.uint8]
Places = NDArray[np.intp]
"""Numbers of pixels, row by row."""

LEAST_VOTES, LEAST_S = 2, 0.11
"""Ink is believed after so many frames, and after so long."""
INKY = 0.5
UNLIKE = 0.2
"""How far a colour may lie from the mixture of print and ink, in shares of their difference."""
LIT, FULL_FROM = 0.25, 0.7
"""The same ink is so much brighter or darker, as a share, at places that a lamp lights more or less, where it covers
the print.  What seems to let print through may be a hand of about ink's colour."""
DARK_SHARE = 0.56
"""Before the ink's colour is known: one channel at least is down to this share of the print's value."""
COLOUR_PX, COLOURS = 12, 12
"""So many pixels that come together tell the ink's colour; so many times it is told."""
SETTLED = 8
"""The mean of so many frames is how much of a pixel is inked."""
RIM_PX = 4
"""So far around ink its edge is measured."""
WIPED_FRAMES = 5
GONE_FRAMES, GONE_MM2 = 6, 6.0
"""Ink was none, or was wiped off, where so many frames on end show the bare board over so much, or over all of it."""
GONE_PX = 4
SLIVER_PX = 1.6
"""What is nowhere deeper than this is the edge of something that lay there: no marker draws so thin."""
LASTING_S = 1.5
"""What is gone sooner was never ink, and tells nothing of a board that is wiped."""
ASIDE_RIM_PX = 5
"""So far about what is laid aside is its edge."""
JOINED_MM = 20.0
BROAD_CELLS = 5
"""What has the ink's colour and is broader than so many cells of the coarse grid is a sleeve or a marker."""
LIFT_MM = 5.0
"""So far about the place of a lift both ends of the ink are looked for."""


class InkInTime:
    """The ink on one board: ``inked`` (H, W) 0 or 255, ``first`` (H, W) the number of the frame it came into view."""

    def __init__(self, wh: tuple[int, int]) -> None:
        shape = (wh[1], wh[0])
        self.inked = np.zeros(shape, np.uint8)
        self.first = np.full(shape, -1, np.int32)
        self.coverage = np.zeros(shape, np.float32)
        self.times: list[float] = []
        self.colour: NDArray[np.float32] | None = None
        """The ink's light, BGR."""
        self._colours: list[tuple[Places, NDArray[np.float32]]] = []
        """Places that came together, and their light: the ink's colour is the median of those."""
        self._votes = np.zeros(shape, np.uint8)
        self._measured = np.zeros(shape, np.uint8)
        self._pending: Places = np.zeros(0, np.intp)
        self._edges: Places = np.zeros(0, np.intp)
        self.bare = np.full(shape, -1, np.int32)
        """The number of the last frame (H, W) in which a place was seen bare, before there was ink."""
        self.aside = np.zeros(shape, np.uint8)
        """Where (H, W) something lies that was not drawn."""
        self.gone = np.zeros(shape, np.uint8)
        """Where (H, W) there was ink and is none any more."""
        self._gone_for = np.zeros(shape, np.uint8)
        self._bare_for = 0
        self._glimpsed = np.full(cells_of(shape), -1, np.int32)
        """Since which frame (h, w), coarsely, a place has had the ink's colour, or something over it."""
        self._thin_before = np.zeros(self._glimpsed.shape, np.bool_)

    def look(self, at_s: float, glimpse: Glimpse, cover: Cover, look: Look) -> bool:
        """Take one frame in; whether there is more ink than before."""
        self.times.append(at_s)
        now = len(self.times) - 1
        self._watch_bare(now, glimpse, cover)
        self._watch_glimpsed(now, glimpse, cover, look)
        known = cv2.bitwise_or(cv2.bitwise_or(cover.hidden, self.inked), self._about_aside())
        there = cv2.bitwise_and(glimpse.changed, cv2.bitwise_not(known))
        places = places_of(np.asarray(there, np.uint8))
        places = places[self._looks_like_ink(places, glimpse, look)]
        self._forget(places)
        first, votes = self.first.ravel(), self._votes.ravel()
        fresh = places[first[places] < 0]
        first[fresh] = now
        free = places[cover.near.ravel()[places] == 0]
        votes[free] += 1
        long = at_s - np.asarray(self.times)[first[free]] >= LEAST_S - 1e-9
        new = free[(votes[free] >= LEAST_VOTES) & long]
        self._pending = places
        if len(new):
            self.inked.ravel()[new] = 255
            self._learn_colour(new, glimpse, look)
            self._edges = np.union1d(self._edges, self._to_measure(new))
        self._measure(glimpse, cover, look)
        return len(new) > 0

    def _watch_bare(self, now: int, glimpse: Glimpse, cover: Cover) -> None:
        """Remember where the bare board is seen; nothing lies aside any more where it is."""
        seen = cv2.bitwise_and(glimpse.inside, cv2.bitwise_not(cv2.bitwise_or(glimpse.changed, cover.hidden)))
        np.copyto(self.bare, now, where=cv2.subtract(seen, self.inked) > 0)
        self.aside = np.asarray(cv2.subtract(self.aside, seen), np.uint8)

    def _watch_glimpsed(self, now: int, glimpse: Glimpse, cover: Cover, look: Look) -> None:
        """Remember since when a place has looked like ink: right beside a hand that is too little to believe in."""
        if self.colour is None:
            return
        self._glimpsed[self.bare[CELLS] == now] = -1
        deep = cv2.erode(cover.things, np.ones((2 * BROAD_CELLS + 1, 2 * BROAD_CELLS + 1), np.uint8))
        share, rest = self._cells(glimpse, look, deep)
        inky = _is_inky(share, rest).astype(np.uint8)
        broad = cv2.morphologyEx(inky, cv2.MORPH_OPEN, np.ones((BROAD_CELLS, BROAD_CELLS), np.uint8))
        thin = cv2.subtract(inky, cv2.dilate(broad, np.ones((3, 3), np.uint8))) > 0
        thin &= (share > FULL_FROM) & (rest < UNLIKE / 2)
        self._glimpsed[thin & self._thin_before & (self._glimpsed < 0)] = now - 1
        self._thin_before = thin

    def in_view_since(self, points_mm: Floats) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
        """Since which frame (N,) the ink at points (N, 2) has been in view, a hand's breadth away or not.

        The second (N,) says where there is ink; elsewhere the first says nothing.
        """
        rows, columns = at = pixels_at(points_mm, self.inked)
        first, bare = self.first[at], self.bare[at]
        glimpsed = self._glimpsed[rows // COARSE, columns // COARSE]
        earlier = (glimpsed > bare) & (glimpsed < first)
        return np.where(earlier, glimpsed, first), (self.inked[at] > 0) & (first >= 0)

    def _about_aside(self) -> Mask:
        """What lies aside (H, W), with its edge."""
        if not cv2.countNonZero(self.aside):
            return self.aside
        wide = 2 * ASIDE_RIM_PX + 1
        return np.asarray(cv2.dilate(self.aside, np.ones((wide, wide), np.uint8)), np.uint8)

    def lay_aside(self, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> None:
        """What lies at some pixels (N,) was not drawn: it is no ink for as long as it lies there."""
        self.aside[rows, columns] = 255
        where = np.zeros(self.inked.shape, np.bool_)
        where[rows, columns] = True
        self._unink(where)

    def take_back(self, glimpse: Glimpse, cover: Cover) -> Mask | None:
        """Where (H, W) ink is gone: it was none, or was wiped off; None if it is all there."""
        seen = cv2.bitwise_and(self.inked, cv2.bitwise_not(cv2.bitwise_or(cover.near, glimpse.changed)))
        bare = cv2.bitwise_and(seen, glimpse.inside)
        if cv2.countNonZero(bare) < GONE_PX:
            self._gone_for[:] = 0
            return None
        self._gone_for = np.asarray(cv2.bitwise_and(cv2.add(self._gone_for, 1), bare), np.uint8)
        long = (self._gone_for >= GONE_FRAMES).astype(np.uint8)
        if not cv2.countNonZero(long):
            return None
        number, labels, stats, _ = cv2.connectedComponentsWithStats(long, connectivity=8)
        large = stats[:, cv2.CC_STAT_AREA] >= GONE_MM2 * PX_PER_MM**2
        large |= self._is_alone(long, labels, number)
        large[0] = False
        if not large[:number].any():
            return None
        went = large[labels]
        self.gone[went & self._lasted()] = 255
        self._unink(went)
        return np.asarray(went * np.uint8(255), np.uint8)

    def _is_alone(self, gone: Mask, labels: NDArray[np.int32], number: int) -> NDArray[np.bool_]:
        """Which pieces (number,) that are gone touch no ink that is left: no rim of a line that flickers."""
        left = cv2.subtract(self.inked, gone * np.uint8(255))
        beside = cv2.dilate(left, np.ones((5, 5), np.uint8)) > 0
        alone = np.ones(number, np.bool_)
        alone[np.unique(labels[beside])] = False
        return alone

    def _lasted(self) -> NDArray[np.bool_]:
        """Where (H, W) ink has been for a while."""
        times = np.asarray(self.times)
        old = int(np.searchsorted(times, times[-1] - LASTING_S, side="right"))
        return np.asarray((self.first >= 0) & (self.first < old))

    def _unink(self, where: NDArray[np.bool_]) -> None:
        """Forget the ink at some places (H, W), and what was measured of its edge."""
        for grid, empty in ((self.inked, 0), (self.first, -1), (self._votes, 0)):
            grid[where] = empty
        around = np.ones((2 * RIM_PX + 1, 2 * RIM_PX + 1), np.uint8)
        rim = cv2.subtract(cv2.dilate(where.astype(np.uint8) * 255, around), cv2.dilate(self.inked, around)) > 0
        self.coverage[rim | where] = 0
        self._measured[rim | where] = 0
        self._edges = self._edges[~(rim | where).ravel()[self._edges]]
        self._choose_colour()

    def drawn_between(self, points_mm: Floats) -> tuple[Floats, Floats]:
        """Between which times (N,), (N,) the ink at some points (N, 2) was drawn: last seen bare, first seen as ink.

        Minus infinity where it never was seen bare, infinity where there is no ink.
        """
        at = pixels_at(points_mm, self.inked)
        times = np.asarray(self.times if self.times else [0.0])
        first, bare = self.first[at], self.bare[at]
        ink = (self.inked[at] > 0) & (first >= 0)
        return np.where(ink & (bare >= 0), times[bare], -np.inf), np.where(ink, times[first], np.inf)

    def shows_lift(self, at_mm: tuple[float, float], away_s: float) -> bool:
        """Whether ink ends at a place from before a moment, and goes on there that was still to come at that moment.

        Told from when each bit of ink was last seen bare and first seen, whatever lines were read from it.
        """
        reach = round(LIFT_MM * PX_PER_MM)
        x, y = (round(v * PX_PER_MM) for v in at_mm)
        box = (slice(max(0, y - reach), y + reach + 1), slice(max(0, x - reach), x + reach + 1))
        then = int(np.searchsorted(np.asarray(self.times), away_s + 1e-6)) - 1
        inked, first, bare = self.inked[box] > 0, self.first[box], self.bare[box]
        before = inked & (first >= 0) & (first <= then)
        after = inked & (first > then) & (bare >= then)
        return all(_is_broad(part) for part in (before, after))

    def joins(self, one_mm: Floats, other_mm: Floats) -> bool:
        """Whether ink leads from a place (2,) to another close by."""
        ends = np.rint(np.vstack([one_mm, other_mm]) * PX_PER_MM - 0.5).astype(int)
        if np.hypot(*(ends[0] - ends[1])) > JOINED_MM * PX_PER_MM:
            return False
        reach = round(LIFT_MM * PX_PER_MM)
        left, top = np.clip(ends.min(0) - reach, 0, None)
        right, bottom = ends.max(0) + reach + 1
        _, labels = cv2.connectedComponents(self.inked[top:bottom, left:right], connectivity=8)
        one, other = (_labels_about(labels, at - [left, top]) for at in ends)
        return bool(one & other)

    def showing(self, glimpse: Glimpse, look: Look) -> Mask:
        """Where (H, W) ink that is known shows as ink: not where something lies over it."""
        shown = np.zeros_like(self.inked)
        places = places_of(np.asarray(cv2.bitwise_and(self.inked, glimpse.changed), np.uint8))
        if len(places):
            shown.ravel()[places[self._looks_like_ink(places, glimpse, look)]] = 255
        return shown

    def of_its_colour(self, glimpse: Glimpse, look: Look) -> Mask:
        """Where (H, W) the frame has the ink's colour, ink or not: every third pixel tells its neighbours."""
        wh = (self.inked.shape[1], self.inked.shape[0])
        return np.asarray(cv2.resize(self._inky_cells(glimpse, look), wh, interpolation=cv2.INTER_NEAREST), np.uint8)

    def _inky_cells(self, glimpse: Glimpse, look: Look) -> Mask:
        """Where (h, w) the middles of coarse cells have the ink's colour."""
        return np.asarray(_is_inky(*self._cells(glimpse, look)) * np.uint8(255))

    def _cells(self, glimpse: Glimpse, look: Look, but: Mask | None = None) -> tuple[Floats, Floats]:
        """How much (h, w) the middles of coarse cells are inked, and how ill that fits; 0 and infinity where they look
        as ever, and in ``but`` (h, w), which is not looked at."""
        asked = glimpse.changed[CELLS] if but is None else cv2.subtract(glimpse.changed[CELLS], but)
        rows, columns = np.nonzero(asked)
        seen, print_ = glimpse.bgr[CELLS][rows, columns], look.bgr[CELLS][rows, columns]
        share, rest = np.zeros(self._glimpsed.shape), np.full(self._glimpsed.shape, np.inf)
        share[rows, columns], rest[rows, columns] = self._share(light_of(seen), light_of(print_))
        return share, rest

    def _forget(self, places: Places) -> None:
        """What looked like ink a frame ago and does not now was none."""
        gone = np.setdiff1d(self._pending, places, assume_unique=True)
        gone = gone[self.inked.ravel()[gone] == 0]
        self.first.ravel()[gone] = -1
        self._votes.ravel()[gone] = 0

    def _looks_like_ink(self, places: Places, glimpse: Glimpse, look: Look) -> NDArray[np.bool_]:
        seen, print_ = glimpse.bgr.reshape(-1, 3)[places], look.bgr.reshape(-1, 3)[places]
        if self.colour is None:
            part = seen.astype(np.float32) / np.maximum(print_, 1)
            darker = brightest(seen.astype(np.int16) - print_) < OFF_BRIGHTER
            return np.asarray((darkest(part) < DARK_SHARE) & (brightest(print_) > 90) & darker)
        return _is_inky(*self._share(light_of(seen), light_of(print_)))

    def _share(
        self, seen: NDArray[np.float32], print_: NDArray[np.float32]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """How much of each place (N,) is inked, and how ill that fits its colour, from lights (N, 3)."""
        assert self.colour is not None
        way = self.colour - print_
        size = np.maximum(_dot(way, way), 1e-4)
        share = _dot(seen - print_, way) / size
        rest = seen - print_ - np.clip(share, 0, 1.3)[:, None] * way
        strength = max(float(np.linalg.norm(self.colour)), 1e-6)
        own = np.asarray(self.colour / strength)
        full = np.clip((share - FULL_FROM) / (1 - FULL_FROM), 0, 1)
        brighter = np.clip(rest @ own, -LIT * strength, LIT * strength) * full
        rest = rest - brighter[:, None] * own
        return np.asarray(share, np.float32), np.asarray(np.sqrt(_dot(rest, rest) / size), np.float32)

    def _learn_colour(self, new: Places, glimpse: Glimpse, look: Look) -> None:
        """The ink's colour is that of the places that differ most from print."""
        if len(self._colours) >= COLOURS or len(new) < COLOUR_PX:
            return
        seen = light_of(glimpse.bgr.reshape(-1, 3)[new])
        off = np.abs(seen - light_of(look.bgr.reshape(-1, 3)[new])).sum(axis=1)
        self._colours.append((new, np.median(seen[off >= np.quantile(off, 0.7)], axis=0)))
        self._choose_colour()

    def _choose_colour(self) -> None:
        """What turned out to be no ink has no say; without any, the colour is unknown again."""
        inked = self.inked.ravel()
        self._colours = [(places, light) for places, light in self._colours if (inked[places] > 0).mean() > 0.5]
        lights = [light for _, light in self._colours]
        self.colour = np.asarray(np.median(np.array(lights), axis=0), np.float32) if lights else None

    def _to_measure(self, new: Places) -> Places:
        """The places of new ink and about it; what was measured there before, beside older ink, holds no longer."""
        around, measured = self._around(new), self._measured.ravel()
        measured[around[self.inked.ravel()[around] == 0]] = 0
        measured[new] = 0
        return around

    def _around(self, new: Places) -> Places:
        """The places of new ink and about it."""
        spot = np.zeros(self.inked.shape, np.uint8)
        spot.ravel()[new] = 1
        x, y, w, h = cv2.boundingRect(spot)
        top, left = max(0, y - RIM_PX), max(0, x - RIM_PX)
        part = spot[top : y + h + RIM_PX, left : x + w + RIM_PX]
        rows, columns = np.nonzero(cv2.dilate(part, np.ones((2 * RIM_PX + 1, 2 * RIM_PX + 1), np.uint8)))
        return np.asarray((rows + top) * spot.shape[1] + columns + left, np.intp)

    def _measure(self, glimpse: Glimpse, cover: Cover, look: Look) -> None:
        """The mean over some frames of how much of a pixel is inked, where nothing lies near."""
        if self.colour is None or not len(self._edges):
            return
        measured = self._measured.ravel()
        free = self._edges[cover.near.ravel()[self._edges] == 0]
        seen, print_ = glimpse.bgr.reshape(-1, 3)[free], look.bgr.reshape(-1, 3)[free]
        share, _ = self._share(light_of(seen), light_of(print_))
        count, mean = measured[free].astype(np.float32), self.coverage.ravel()
        mean[free] = (mean[free] * count + np.clip(share, 0, 1)) / (count + 1)
        measured[free] += 1
        self._edges = self._edges[measured[self._edges] < SETTLED]

    def settled(self, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Whether the ink at some pixels (N,) is measured for good."""
        return np.asarray(self._measured[rows, columns] >= SETTLED)

    def as_ink(self, sigma_mm: float, slivers: bool = True) -> Ink:
        """All ink so far, as a photo would show it; what was not measured yet is taken to be full.

        ``slivers``: with what is thinner than any marker draws, which is only in the way of reading all ink at once.
        """
        coverage = np.asarray(cv2.convertScaleAbs(self.coverage, alpha=255), np.uint8)
        unmeasured = (self._measured == 0) & (self.inked > 0)
        coverage[unmeasured] = 255
        if not slivers:
            coverage[self._slivers()] = 0
        unseen = np.zeros(coverage.shape, np.uint8)
        return Ink(coverage, unseen, PX_PER_MM, np.full((4, 4), sigma_mm, np.float32))

    def _slivers(self) -> NDArray[np.bool_]:
        """Where (H, W) pieces of ink, and what is measured about them, are too thin for any marker."""
        depth = cv2.distanceTransform(self.inked, cv2.DIST_L2, 3)
        number, labels = cv2.connectedComponents(self.inked, connectivity=8)
        broad = np.zeros(number, np.bool_)
        broad[np.unique(labels[depth > SLIVER_PX])] = True
        broad[0] = True
        around = np.ones((2 * RIM_PX + 1, 2 * RIM_PX + 1), np.uint8)
        thin, real = ~broad[labels], (broad[labels] & (self.inked > 0))
        spread, kept = (cv2.dilate(part.astype(np.uint8), around) for part in (thin, real))
        return np.asarray((spread > 0) & (kept == 0))

    def is_wiped(self, glimpse: Glimpse, cover: Cover) -> bool:
        """Whether most of the ink is gone: where it was, the bare board is seen, for several frames."""
        was = cv2.bitwise_or(self.inked, self.gone)
        total = cv2.countNonZero(was)
        if total < 200:
            return False
        free = cv2.bitwise_and(was, cv2.bitwise_not(cover.near))
        shown = cv2.countNonZero(free)
        bare = shown - cv2.countNonZero(cv2.bitwise_and(free, glimpse.changed))
        gone = shown > 0.4 * total and bare > 0.7 * shown
        self._bare_for = self._bare_for + 1 if gone else 0
        return self._bare_for >= WIPED_FRAMES


def _is_inky(share: NDArray[Any], rest: NDArray[Any]) -> NDArray[np.bool_]:
    """What is inked so much, and fits the ink's colour so ill, looks like ink."""
    return np.asarray((share > INKY) & (rest < UNLIKE))


def _dot(one: NDArray[np.float32], other: NDArray[np.float32]) -> NDArray[np.float32]:
    """The products (N,) of lights (N, 3)."""
    return np.asarray(np.einsum("ij,ij->i", one, other))


def _labels_about(labels: NDArray[np.int32], at: NDArray[np.intp]) -> set[int]:
    """The labels at or right beside a pixel (x, y)."""
    x, y = at
    around = labels[max(0, y - RIM_PX) : y + RIM_PX + 1, max(0, x - RIM_PX) : x + RIM_PX + 1]
    return {int(label) for label in np.unique(around)} - {0}


def _is_broad(part: NDArray[np.bool_]) -> bool:
    """Whether ink (h, w) is more than the rim of other ink."""
    core = cv2.erode(part.astype(np.uint8), np.ones((RIM_CORE_PX, RIM_CORE_PX), np.uint8))
    return cv2.countNonZero(core) >= LIFT_CORE_PX


RIM_CORE_PX, LIFT_CORE_PX = 4, 6
"""The rim of a line is thinner than so many pixels; a piece of a line holds so many squares as broad."""
OFF_BRIGHTER = 20
"""Ink makes no channel brighter than print by more than this."""
