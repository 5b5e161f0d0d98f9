"""One pass of the pen through a knot, and a pass's end: where its line runs under and beside other inks.

In a trunk of two passes the outer edges are one pass's each: who comes in on the left follows the left edge until
the two change sides, where the trunk is narrowest.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import cv2
import numpy as np

from referee.model import EndLook, Floats, Ink
from referee.stroke.edges import (
    CUTOFF_MM,
    HALF,
    STEP_MM,
    Line,
    looked_up,
    normals,
    resample,
    sides,
    smooth,
    tangent,
)
from referee.stroke.tips import EndOfInk, fitted_end

FAR_LOOK_MM = 3.5
"""Where ink runs into the unseen its direction is taken straight over so much of it: the last bit is cut askew."""
LONG = 4.0
"""From this many pen widths on a knot is a trunk that a pass follows rather than a gap that it spans."""


@dataclass(frozen=True, eq=False)
class Mouth:
    """Where a leg runs into a knot: place, unit direction in, bend (1/mm, positive to the left), half width."""

    at_mm: Floats
    into: Floats
    bend: float
    half_mm: float


def mouth(line: Line, end: int, pen_mm: float, reach_mm: float) -> Mouth:
    """The mouth of a measured leg at its end 0 or 1, its direction taken over the last ``reach_mm``."""
    points = line.points_mm if end == 1 else line.points_mm[::-1]
    reach = max(4, int(reach_mm / STEP_MM))
    tail = points[-min(len(points), reach + 1) :]
    t = np.arange(len(tail)) * STEP_MM
    t = t - t[-1]
    if len(tail) >= 5 and reach_mm < FAR_LOOK_MM:
        fit = np.polynomial.polynomial.polyfit(t, tail, 2)
        along, second = fit[1], 2 * fit[2]
    else:
        along, second = tail[-1] - tail[0], np.zeros(2)
    along = along / max(float(np.hypot(*along)), 1e-9)
    bend = float(np.clip(along[1] * second[0] - along[0] * second[1], -0.8 / pen_mm, 0.8 / pen_mm))
    return Mouth(tail[-1], along, bend, float(np.median(line.half_mm)))


def angle(a: Floats, b: Floats) -> float:
    """Signed angle (radians) from direction a to direction b, positive to the left as seen on the board."""
    return float(np.arctan2(a[1] * b[0] - a[0] * b[1], a @ b))


def span_cost(a: Mouth, b: Mouth, pen_mm: float) -> float:
    """How unlikely it is that a pass goes in at mouth a and comes out at mouth b: turns beyond the legs' own bends."""
    chord = b.at_mm - a.at_mm
    far = float(np.hypot(*chord))
    if far < 1e-6:
        return 0.0
    if far < 0.5 * pen_mm:  # the chord's direction is noise at this length
        return penalty(abs(angle(a.into, -b.into)))
    first = angle(a.into, chord / far) - 0.35 * a.bend * far
    last = angle(chord / far, -b.into) + 0.35 * b.bend * far
    return penalty(abs(first) + abs(last), far) + _swing(a, b, pen_mm)


def penalty(turn: float, far_mm: float = 0.0) -> float:
    """The price of a turn in radians within so many mm: half a radian at a place costs one, a hairpin five.

    One drive in ten turns more than 0.23 + 0.16 d radians within d mm beyond what its bend before and after says; it
    takes more than that to explain a turn over a long way, though, if straighter lines are there to go on in.
    """
    share = turn / min(max(0.5, 0.23 + 0.16 * far_mm), 0.8)
    return float(min(share**2, max(2 * share - 1, 1.0), 5.0))


LOOK_MM, EVERY_MM = 6.0, 1.0
"""A pass's way on is told by so much of a leg, looked at in such steps."""
BENDS, SAME_BEND_MM = 0.1, 3.0
"""One sigma of a hand's bend (1/mm), and over what length it stays about the same."""
WAVERS_MM = 0.1
"""One sigma of how well a leg's line is measured."""
ROUGH_HANDS = 2.0
"""Beyond this price a turn is dear by the logarithm only: now and then a hand does turn."""


def smooth_cost(a_mm: Floats, b_mm: Floats) -> float:
    """How unlikely it is that one pass drew two stretches (N, 2), (M, 2) in steps of `EVERY_MM`, both ending in a knot.

    A hand's bend is a random walk that forgets itself (an Ornstein-Uhlenbeck process), so a line is a Gaussian
    process of known covariance: the price is by how much less likely both stretches are as one line than as two whose
    places and directions are free (C. Rasmussen, C. Williams, Gaussian Processes for Machine Learning, 2006, 2.7).
    """
    gap = round(float(np.hypot(*(a_mm[-1] - b_mm[-1]))) / EVERY_MM * 4) or 1
    whole = np.vstack([a_mm, b_mm[::-1]])
    dear = _strain(whole, len(a_mm), gap) - _strain(a_mm, len(a_mm), 0) - _strain(b_mm, len(b_mm), 0)
    return float(ROUGH_HANDS * np.log1p(max(dear / 2, 0.0) / ROUGH_HANDS))


def _strain(points_mm: Floats, first: int, gap: int) -> float:
    """What remains of points (N, 2) on a line that is as smooth as hands draw; after the ``first`` there is a gap."""
    inverse = _inverse(len(points_mm), first, gap)
    return float((points_mm * (inverse @ points_mm)).sum())


@lru_cache(maxsize=512)
def _inverse(count: int, first: int, gap: int) -> Floats:
    """The inverse covariance (N, N) of places along a line whose place and direction are free.

    Places are `EVERY_MM` apart, those before and after number ``first`` so many quarters of that.
    """
    quarters = np.arange(count) * 4
    quarters[first:] += gap - 4
    fine = np.arange(quarters[-1] + 1) * EVERY_MM / 4
    twice = np.tril(np.ones((len(fine), len(fine)))) * EVERY_MM / 4
    twice = (twice @ twice)[quarters]
    bends = BENDS**2 * np.exp(-np.abs(fine[:, None] - fine) / SAME_BEND_MM)
    inverse = np.linalg.inv(twice @ bends @ twice.T + WAVERS_MM**2 * np.eye(count))
    free = np.column_stack([np.ones(count), fine[quarters]])
    held = inverse @ free
    return np.asarray(inverse - held @ np.linalg.solve(free.T @ held, held.T))


def span(a: Mouth, b: Mouth) -> Floats:
    """The cubic Hermite curve between two mouths, evenly spaced."""
    far = float(np.hypot(*(b.at_mm - a.at_mm)))
    t = np.linspace(0, 1, max(3, int(far / STEP_MM) + 2))[:, None]
    h00, h10 = 2 * t**3 - 3 * t**2 + 1, t**3 - 2 * t**2 + t
    h01, h11 = -2 * t**3 + 3 * t**2, t**3 - t**2
    return resample(h00 * a.at_mm + h10 * far * a.into + h01 * b.at_mm - h11 * far * b.into)


@dataclass(frozen=True, eq=False)
class Trunk:
    """The middle line of a knot's ink between two mouths, with the sides on which a pass comes in and goes out.

    A side is 1 left, -1 right, 0 alone.
    """

    axis_mm: Floats
    side_in: int
    side_out: int


def trunk_cost(a: Mouth, b: Mouth, trunk: Trunk, pen_mm: float) -> float:
    """As `span_cost`, in the frame of the trunk: what turns with the trunk is no turn."""
    axis = trunk.axis_mm
    k = max(1, min(int(1.5 * pen_mm / STEP_MM), len(axis) - 1))
    first, last = axis[k] - axis[0], axis[-1] - axis[-1 - k]
    far = len(axis) * STEP_MM
    drift = (trunk.side_out - trunk.side_in) * 0.4 * pen_mm / far
    t_in = angle(first / max(float(np.hypot(*first)), 1e-9), a.into)
    t_out = angle(last / max(float(np.hypot(*last)), 1e-9), -b.into)
    return penalty(abs(t_in - drift) + abs(t_out - drift)) + _swing(a, b, pen_mm)


def _swing(a: Mouth, b: Mouth, pen_mm: float) -> float:
    """The price of a bend that changes at once: where two rings touch, each goes on round."""
    return float(min((0.5 * (a.bend + b.bend) * pen_mm) ** 2, 1.5))


def follow(ink: Ink, a: Mouth, b: Mouth, trunk: Trunk, pen_mm: float) -> tuple[Floats, Floats]:
    """A rough line along a trunk and for each point the side (N,) whose edge is the pass's own."""
    axis = trunk.axis_mm
    n = len(axis)
    s = sides(ink, axis, None, 1.8 * pen_mm)
    width = np.nan_to_num(s.left_mm + s.right_mm, nan=pen_mm)
    width = np.asarray(cv2.blur(width[:, None], (1, 7), borderType=cv2.BORDER_REPLICATE)[:, 0], float)
    own = np.full(n, float(trunk.side_in))
    if trunk.side_in != trunk.side_out:
        rim = min(n // 4, int(pen_mm / STEP_MM))
        turn_at = rim + int(np.argmin(width[rim : n - rim])) if n - 2 * rim > 1 else n // 2
        own[turn_at:] = trunk.side_out
    half = (a.half_mm + b.half_mm) / 2
    left = np.nan_to_num(s.left_mm, nan=half) - half
    right = half - np.nan_to_num(s.right_mm, nan=half)
    offset = np.where(own > 0, left, np.where(own < 0, right, (left + right) / 2))
    offset = np.clip(offset, -0.8 * pen_mm, 0.8 * pen_mm)
    offset = smooth(offset[:, None], np.ones(n), 4 * CUTOFF_MM)[:, 0]
    return axis + normals(axis) * offset[:, None], own


def settle(ink: Ink, rough_mm: Floats, half_mm: Floats, own: Floats, fixed: Floats, in_trunk: bool) -> Floats:
    """The line moved so that its own edges lie where the ink's are, filled in smoothly where none is its own.

    ``half_mm`` (N,) is the pass's half width, ``own`` (N,) the side to trust (0 both), ``fixed`` (N,) 1 where the
    line is known already (the legs' ends).
    """
    points = rough_mm
    pen = 2 * float(np.median(half_mm))
    cutoff = 2 * CUTOFF_MM if in_trunk else CUTOFF_MM
    for tolerance in (0.25, 0.12):
        s = sides(ink, points, float(np.median(half_mm)), 1.2 * pen)
        left, right = s.left_mm - half_mm, half_mm - s.right_mm
        w_left = np.nan_to_num(np.exp(-((left / (tolerance * pen)) ** 2))) * np.where(own < 0, 0.05, 1.0)
        w_right = np.nan_to_num(np.exp(-((right / (tolerance * pen)) ** 2))) * np.where(own > 0, 0.05, 1.0)
        total = (w_left + w_right) * (1 - fixed) * s.seen
        pull = (w_left * np.nan_to_num(left) + w_right * np.nan_to_num(right)) / np.maximum(w_left + w_right, 1e-9)
        target = points + normals(points) * np.where(fixed > 0, 0.0, pull)[:, None]
        target = np.where(fixed[:, None] > 0, rough_mm, target)
        points = smooth(target, np.where(fixed > 0, 4.0, np.minimum(total, 1.0)) + 1e-4, cutoff)
    return points


def lone_half_widths(ink: Ink, points_mm: Floats, half_mm: Floats) -> Floats:
    """Half widths (N, 2) of a pass that is alone in a knot: all the ink is its own, however fat (a pen that rested)."""
    pen = 2 * float(np.median(half_mm))
    s = sides(ink, points_mm, None, 1.6 * pen)
    out = np.column_stack([s.left_mm, s.right_mm])
    out = np.where(np.isfinite(out) & s.seen[:, None], out, half_mm[:, None])
    return np.asarray(np.where(out < 1.1 * half_mm[:, None], half_mm[:, None], out))


class Tip(NamedTuple):
    """The end of a line of ink: the line up to the tip's centre, how the end looks, one sigma of that place.

    ``cut``: the ink stops square there, so that the pen went on.
    """

    line: Line
    look: EndLook
    sigma_mm: float = 0.0
    cut: bool = False


TAPERS = 0.2
"""A round end bulges by 0.13 of its half width between the outer rays; one that bulges by more than this tapers."""
THINNEST_TAPER = 0.7
"""A tapering end is taken to be no thinner than this share of the pen."""


UNSURE_MM = 0.3
"""One sigma of a tip that could not be fitted."""


def tip(ink: Ink, line: Line, pen_mm: float) -> Tip:
    """A line whose last point is moved to the centre of the tip: half a width inside the ink's very end.

    Rays run out along the line at five places across it; a round end lies sqrt(h^2 - u^2) past the centre.  Where
    the ink tapers off, the marker was leaving the board: the half width is that of the taper.
    """
    half = float(np.median(line.half_mm))
    n = len(line.points_mm)
    keep = max(2, n - int(0.35 * pen_mm / STEP_MM))
    here = line.points_mm[keep - 1]
    along = tangent(line.points_mm[max(0, keep - int(2.0 / STEP_MM)) : keep])
    across = np.array([along[1], -along[0]])
    ray = 0.5 / ink.px_per_mm
    out = np.arange(0.0, 2.6 * pen_mm + 1.0, ray)
    u = np.array([-0.5, -0.25, 0.0, 0.25, 0.5]) * half
    spots = here + across * u[:, None, None] + along * out[None, :, None]
    cover, dark = looked_up(ink, spots)
    sheet = cover.astype(float)
    falls = (sheet[:, :-1] >= HALF) & (sheet[:, 1:] < HALF)
    first = np.where(falls.any(axis=1), falls.argmax(axis=1), len(out) - 2)
    first[sheet[:, 0] < HALF] = 0  # what lies beyond bare board is not this end's ink
    rows = np.arange(len(u))
    drop = np.maximum(sheet[rows, first] - sheet[rows, first + 1], 1e-6)
    ends = (first + np.clip((sheet[rows, first] - HALF) / drop, 0, 1)) * ray
    blind = [bool(dark[i, : first[i] + int(0.4 / ray)].any()) for i in range(len(u))]
    centre = float(np.median(ends - np.sqrt(np.maximum(half**2 - u**2, 0))))
    bulge = float(ends[2] - 0.5 * (ends[0] + ends[4]))
    if bulge > TAPERS * half and abs(ends[0] - ends[4]) < bulge:
        # the chord half a half-width off the middle of a disc of radius r lies r - sqrt(r^2 - (half / 2)^2) behind
        radius = (0.25 * half**2 + bulge**2) / (2 * bulge)
        centre = float(ends[2] - np.clip(radius, THINNEST_TAPER * half, half))
    if sum(blind) >= 3:
        hidden = dark.any(axis=0)
        centre = max(0.0, float(hidden.argmax()) * ray - ray)
    look: EndLook = "unseen" if sum(blind) >= 3 else "free"
    end = fitted_end(ink, line, here + along * centre, pen_mm) if look == "free" else None
    if end is not None:
        return Tip(_ended(line, end), look, end.sigma_mm, end.cut)
    unsure = UNSURE_MM if look == "free" else 0.0
    if centre < 0:
        kept = line.part(0, max(2, keep - round(-centre / STEP_MM)))
        return Tip(kept, look, unsure)
    kept = line.part(0, keep)
    more = int(np.ceil(centre / STEP_MM))
    if more == 0:
        return Tip(kept, look, unsure)
    extra = here + along * (np.arange(1, more + 1) * centre / more)[:, None]
    points = np.vstack([kept.points_mm, extra])
    half_mm = np.vstack([kept.half_mm, np.tile(kept.half_mm[-1], (more, 1))])
    seen = np.concatenate([kept.seen, np.ones(more, bool)])
    return Tip(Line(points, half_mm, seen), look, unsure)


def _ended(line: Line, end: EndOfInk) -> Line:
    """The line up to where its end is fitted, and on over the knee to the tip."""
    kept = line.part(0, end.start + 1)
    extra = resample(np.vstack([kept.points_mm[-1], end.knee_mm, end.tip_mm]))[1:]
    way = np.linspace(0, 1, len(extra) + 1)[1:]
    half = np.interp(way, [0, 0.6, 1], [kept.half_mm[-1].mean(), end.knee_half_mm, end.tip_half_mm])
    return Line(
        np.vstack([kept.points_mm, extra]),
        np.vstack([kept.half_mm, np.column_stack([half, half])]),
        np.concatenate([kept.seen, np.ones(len(extra), bool)]),
    )
