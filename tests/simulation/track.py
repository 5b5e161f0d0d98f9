"""The course as a coordinate system: ``along_mm`` from the start, ``off_mm`` to the left of the middle of the road.

The hand plans in these coordinates, so every point that it draws knows which stretch of road it is on: the truth
never has to guess that from the drawing.  Air between two pieces of the course is part of the track, straight
across and in section 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import shapely
from shapely.geometry import LineString, Polygon

from referee.model import Floats, Stage, WhiteLine, Zone

STEP_MM = 0.5
LEFT, RIGHT = 1, -1
NEVER = 1e6
NEAR_MM = 30.0
"""Farther from a line than this, its margin matters to nobody."""
SEAM_MM = 12.0
"""So far on both sides of a seam the lines of both sections count."""


@dataclass(frozen=True, eq=False)
class Edge:
    """A white line seen from the road of one section: ``side`` LEFT or RIGHT of the direction of travel."""

    line: WhiteLine
    section: int
    side: int
    points_mm: Floats
    """The band's middle, running in the direction of travel."""

    def signed_mm(self, points_mm: Floats) -> Floats:
        """Distance (N,) of points (N, 2) to the band's middle, positive on the road's side; NEVER beyond its ends."""
        distance, cross, beyond = from_polyline(points_mm, self.points_mm)
        towards_road = cross * self.side > 0
        signed = np.where(towards_road, distance, -distance)
        return np.where(beyond & (not self.line.closed), NEVER, signed)

    def margin_mm(self, points_mm: Floats, radius_mm: float) -> Floats:
        """Margin (N,) of round ink to the band's far edge; of ink past the line's end only what lies beside the line.

        NEVER where the ink reaches no part of the line's length, or is far away.
        """
        margin = np.full(len(points_mm), NEVER)
        near = shapely.contains_xy(self._around, points_mm)
        margin[near] = self._margin_mm(points_mm[near], radius_mm)
        return margin

    @cached_property
    def _around(self) -> Polygon:
        around = LineString(self.points_mm).buffer(NEAR_MM, quad_segs=2)
        shapely.prepare(around)
        return around

    def _margin_mm(self, points_mm: Floats, radius_mm: float) -> Floats:
        distance, cross, beyond = from_polyline(points_mm, self.points_mm)
        lateral = np.where(cross * self.side > 0, distance, -distance)
        margin = lateral + self.line.width_mm / 2 - radius_mm
        if self.line.closed:
            return margin
        margin[beyond] = NEVER
        for end, inner, sense in ((0, 1, -1), (-1, -2, 1)):
            out = self.points_mm[end] - self.points_mm[inner]
            out, off = out / np.hypot(*out), points_mm - self.points_mm[end]
            past, lateral = off @ out, sense * self.side * (out[0] * off[:, 1] - out[1] * off[:, 0])
            at_it = np.hypot(*off.T) <= distance + 1e-6
            reaches = beyond & at_it & (past > 0) & (past <= radius_mm)
            chord = np.sqrt(np.maximum(radius_mm**2 - past**2, 0.0))
            margin = np.where(reaches, lateral + self.line.width_mm / 2 - chord, margin)
        return margin


def from_polyline(points_mm: Floats, line_mm: Floats) -> tuple[Floats, Floats, np.ndarray]:
    """Distance (N,) to a polyline, side of it (right of its direction is positive), whether past one of its ends."""
    a, b = line_mm[:-1], line_mm[1:]
    run = b - a
    square = np.maximum((run**2).sum(1), 1e-18)
    offset = points_mm[:, None] - a[None]
    part = (offset * run).sum(2) / square
    foot = offset - np.clip(part, 0, 1)[:, :, None] * run
    distance = np.hypot(foot[..., 0], foot[..., 1])
    best = distance.argmin(1)
    row = np.arange(len(points_mm))
    cross = run[best, 0] * offset[row, best, 1] - run[best, 1] * offset[row, best, 0]
    beyond = ((best == 0) & (part[row, 0] < -1e-6)) | ((best == len(a) - 1) & (part[row, -1] > 1 + 1e-6))
    return distance[row, best], cross, beyond


@dataclass(frozen=True, eq=False)
class Track:
    """One stage's course, sampled every ``STEP_MM``."""

    stage: Stage
    points_mm: Floats
    along_mm: Floats
    left: Floats
    """Unit vectors (N, 2) to the left of travel."""
    section: np.ndarray
    """The section (N,) at each sample; 0 in the air and off the road."""

    @property
    def length_mm(self) -> float:
        return float(self.along_mm[-1])

    def place(self, along_mm: Floats, off_mm: Floats) -> Floats:
        """Board points (N, 2) of track coordinates (N,), (N,)."""
        base = np.column_stack([np.interp(along_mm, self.along_mm, self.points_mm[:, k]) for k in (0, 1)])
        left = np.column_stack([np.interp(along_mm, self.along_mm, self.left[:, k]) for k in (0, 1)])
        return np.asarray(base + left / np.hypot(*left.T)[:, None] * np.asarray(off_mm)[:, None])

    def point(self, along_mm: float, off_mm: float = 0.0) -> Floats:
        return np.asarray(self.place(np.array([along_mm]), np.array([off_mm]))[0])

    def section_at(self, along_mm: Floats) -> np.ndarray:
        """Section (N,) at places along the track, 0 where there is none (NaN: the hand is off the track)."""
        index = np.clip(np.searchsorted(self.along_mm, np.nan_to_num(along_mm)), 0, len(self.section) - 1)
        return np.where(np.isnan(along_mm), 0, self.section[index])

    @cached_property
    def edges(self) -> tuple[Edge, ...]:
        """Every white line, once for each section and side of it that it runs along."""
        return tuple(e for line in self.stage.white_lines for n in line.sections for e in _edges(self, line, n))

    def line_margins(
        self, points_mm: Floats, along_mm: Floats, width_mm: float, side: int
    ) -> tuple[Floats, np.ndarray]:
        """Margin (N,) of ink round each point to the far edge of the white line on one side, and which edge that is.

        Lines of the road that the hand is on count, near a seam those of both sections; NEVER where there is none.
        """
        best = np.full(len(points_mm), NEVER)
        which = np.full(len(points_mm), -1)
        at = [self.section_at(along_mm + ahead) for ahead in (-SEAM_MM, 0.0, SEAM_MM)]
        for number, edge in enumerate(self.edges):
            own = np.flatnonzero(np.any([s == edge.section for s in at], axis=0) & (at[1] > 0))
            if edge.side != side or not len(own):
                continue
            margin = edge.margin_mm(points_mm[own], width_mm / 2)
            closer = margin < best[own]
            best[own[closer]] = margin[closer]
            which[own[closer]] = number
        return best, which

    @cached_property
    def room_mm(self) -> dict[int, Floats]:
        """Distance (N,) from the middle of the road to the near edge of the white line on each side."""
        return {side: _room(self, side) for side in (LEFT, RIGHT)}

    @cached_property
    def checkpoint_along(self) -> tuple[float, ...]:
        return tuple(self.crossing(c.points_mm, c.section) for c in self.stage.checkpoints)

    @cached_property
    def finish_along(self) -> float:
        return self.crossing(self.stage.finish_mm, int(self.section.max()))

    @cached_property
    def start_span(self) -> tuple[float, float]:
        return self.span(self.stage.start)

    def crossing(self, line_mm: Floats, section: int) -> float:
        """Where the course crosses a line on the road of a section (the nearest place, if it only comes near)."""
        distance = shapely.distance(shapely.points(self.points_mm), LineString(line_mm))
        own = np.abs(self.section - section) <= 1
        return float(self.along_mm[np.where(own, distance, np.inf).argmin()])

    def span(self, shape: Polygon) -> tuple[float, float]:
        """From where to where along the track a shape lies (seen from the road it lies on)."""
        centre = np.asarray(shape.representative_point().coords[0])
        apart = np.hypot(*(self.points_mm - centre).T)
        middle = int(np.where(self.section > 0, apart, apart + 1e3).argmin())
        off_road = np.flatnonzero(self.section == 0)
        before, after = off_road[off_road < middle], off_road[off_road > middle]
        reach = int(60 / STEP_MM)
        window = slice(max([0, middle - reach, *(before[-1:] + 1)]), min([middle + reach, *after[:1]]))
        rim = np.asarray(shape.exterior.coords)
        nearest = np.hypot(*(rim[:, None] - self.points_mm[None, window]).transpose(2, 0, 1)).argmin(1)
        along = self.along_mm[window][nearest]
        return float(along.min()), float(along.max())

    def offs(self, shape: Polygon, along_mm: float) -> tuple[float, float] | None:
        """From where to where across the road a shape reaches at one place along the track."""
        ray = LineString(self.place(np.full(2, along_mm), np.array([-40.0, 40.0])))
        cut = ray.intersection(shape)
        if cut.is_empty:
            return None
        offs = [ray.project(shapely.Point(p)) - 40.0 for p in shapely.get_coordinates(cut)]
        return float(min(offs)), float(max(offs))


@lru_cache(maxsize=64)
def track_of(stage: Stage) -> Track:
    """The track of a stage (worked out once)."""
    pieces: list[Floats] = []
    on_road: list[np.ndarray] = []
    for number, piece in enumerate(stage.course):
        if number:
            air = _even(np.array([pieces[-1][-1], piece[0]]))[1:-1]
            pieces.append(air)
            on_road.append(np.zeros(len(air), bool))
        pieces.append(_even(piece))
        on_road.append(np.ones(len(pieces[-1]), bool))
    points = np.concatenate(pieces)
    road = np.concatenate(on_road)
    along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
    return Track(stage, points, along, _left_of(points, along), _sections(stage, points, road))


def _even(line_mm: Floats) -> Floats:
    """The same polyline in even steps of about ``STEP_MM``."""
    arc = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(line_mm, axis=0).T))])
    at = np.linspace(0, arc[-1], max(2, round(arc[-1] / STEP_MM) + 1))
    return np.column_stack([np.interp(at, arc, line_mm[:, k]) for k in (0, 1)])


def smooth(values: Floats, sigma: float) -> Floats:
    """Gaussian smoothing along the first axis, held at the ends; sigma in samples."""
    reach = max(1, int(4 * sigma))
    kernel = np.exp(-0.5 * (np.arange(-reach, reach + 1) / sigma) ** 2)
    kernel /= kernel.sum()
    columns = values.reshape(len(values), -1)
    padded = np.pad(columns, ((reach, reach), (0, 0)), mode="edge")
    out = np.column_stack([np.convolve(padded[:, k], kernel, mode="valid") for k in range(columns.shape[1])])
    return np.asarray(out.reshape(values.shape))


def _left_of(points_mm: Floats, along_mm: Floats) -> Floats:
    """Unit normals to the left of travel (board y runs down), smoothed so that flattened curves do not rattle."""
    tangent = smooth(np.gradient(points_mm, along_mm, axis=0), 2.0 / STEP_MM)
    tangent /= np.hypot(*tangent.T)[:, None]
    return np.column_stack([tangent[:, 1], -tangent[:, 0]])


def _sections(stage: Stage, points_mm: Floats, road: np.ndarray) -> np.ndarray:
    """The section of each sample, found by walking: a section is left only for the next one."""
    at = shapely.points(points_mm)
    inside = {s.number: shapely.distance(at, s.road) < 0.3 for s in stage.sections}
    number, last = 1, max(inside)
    out = np.zeros(len(points_mm), int)
    for i in range(len(points_mm)):
        if not road[i]:
            continue
        if not inside[number][i] and number < last and inside[number + 1][i]:
            number += 1
        out[i] = number if inside[number][i] else 0
    return out


def _edges(track: Track, line: WhiteLine, section: int) -> Iterator[Edge]:
    """The line as edges of a section's road: one that goes round the road's end is cut into its two sides."""
    own = np.flatnonzero(track.section == section)
    if not len(own):
        return
    points = line.points_mm
    if line.closed and not np.allclose(points[0], points[-1]):
        points = np.concatenate([points, points[:1]])
    apart = np.hypot(*(points[:, None] - track.points_mm[None, own]).transpose(2, 0, 1))
    nearest = own[apart.argmin(1)]
    left = ((points - track.points_mm[nearest]) * track.left[nearest]).sum(1) > 0
    cuts = np.flatnonzero(np.diff(left)) + 1
    for run in np.split(np.arange(len(points)), cuts):
        if len(run) < 2:
            continue
        forward = track.along_mm[nearest[run[-1]]] >= track.along_mm[nearest[run[0]]]
        yield Edge(line, section, LEFT if left[run[0]] else RIGHT, points[run] if forward else points[run[::-1]])


def _room(track: Track, side: int) -> Floats:
    """Near-edge distance on one side, carried over where the print shows no line."""
    room = np.full(len(track.points_mm), np.inf)
    for edge in track.edges:
        beside = np.flatnonzero(track.section == edge.section)
        if edge.side != side or not len(beside):
            continue
        signed = edge.signed_mm(track.points_mm[beside])
        near = (signed > 0) & (signed < NEVER)
        room[beside[near]] = np.minimum(room[beside[near]], signed[near] - edge.line.width_mm / 2)
    known = np.isfinite(room)
    return np.asarray(np.interp(track.along_mm, track.along_mm[known], room[known]))


def zone_pairs(stage: Stage) -> list[tuple[Zone, Zone]]:
    """Each jump with its landing."""
    return [(jump, next(z for z in stage.landings if z.key == jump.key)) for jump in stage.jumps]


def boosts(stage: Stage) -> list[tuple[Zone, Zone]]:
    """Each acceleration zone with its slowdown zone."""
    return [(zone, next(z for z in stage.slowdowns if z.key == zone.key)) for zone in stage.accelerations]


def inside_mm(point_mm: Floats, shape: Polygon) -> float:
    """Signed distance of a point to a shape's boundary, positive inside."""
    point = shapely.Point(point_mm)
    distance = float(shape.exterior.distance(point))
    return distance if shape.covers(point) else -distance
