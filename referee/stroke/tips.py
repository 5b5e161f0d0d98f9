"""The very end of a line of ink, fitted: where the pen's centre last was.

A marker that is set down or lifted seldom leaves half a disc of its own size: it rests and leaves a blob, it thins
out while it leaves the board, it slips to the side.  So an end is drawn as two cones of ink, from an anchor on the
line to a knee and from there to the tip, each with a width of its own at its end, and moved until it looks like the
picture (Levenberg-Marquardt on the coverage).  This is begun from ends of every kind, all at once; what is left are
the ends that the picture could show, and their spread is the tip's uncertainty.

An end is a row of six parameters: knee and tip (x, y in mm along and across the line from the anchor), then the half
width at the knee, then that at the tip, or of ink that is cut off by how much askew it is (radians).
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.model import Floats, Ink
from referee.stroke.edges import HALF, STEP_MM, Line, looked_up, straighten

Grid = NDArray[np.float32]
Bools = NDArray[np.bool_]
Kinds = NDArray[np.int_]

ANCHOR_MM, ANCHOR_PENS = 2.0, 0.5
"""The line is taken as known up to so much, and so many pen widths, before its end."""
SAMPLE_MM, ROOM_MM = 0.25, 1.2
"""The picture is looked at in steps of so much, as far from the line and its end as this beyond the ink's edge."""
BESIDE_MM = 1.2
"""Ink that runs beside the line over so much from the anchor on is another stroke's, and hides that side of the end."""
FAINT = 0.18
"""Less coverage than this is taken for bare board, as much short of full for full ink."""
EDGE = 2 * NormalDist().inv_cdf(1 - FAINT)
"""What is left then of an edge blurred by one sigma rises over so many sigmas."""
NOISE, NOISE_BLUR_MM = 0.16, 0.3
"""How far a sample's coverage may be off, its neighbours being off with it; more so with more blur."""
KNEE_MM, KNEE_SIGMA_MM = 1.0, 0.5
"""From the knee to the tip, and how much that varies."""
KNEE_SIGMA = 0.12
"""How much the half width at the knee varies round the mean of the line's and the tip's, in pen half widths."""
ROUND, THIN, CUT = 0, 1, 2
"""Kinds of ends: as wide as the pen; thinning while the pen is lifted; or a dry pen's ink just stops."""
USUAL, VARIES = np.array([1.05, 0.55, 0.0]), np.array([0.1, 0.15, 0.4])
"""Of each kind what is usual, and how much it varies: the tip's half width in the pen's, how much askew it is cut."""
PRICE = np.array([0.0, 4.0, 0.0])
"""What each kind costs: ends thin less often than not."""
TURN = 2.0
"""How odd it is to turn at the knee: so many sigmas times 1 - cos."""
ASKEW = 0.9
"""The most that ink is cut off askew (radians)."""
THINNEST, FATTEST = 0.3, 1.5
"""No end is thinner or fatter than so many pen half widths."""
SLIP_MM = 0.9
"""How far to the side of the line a pen is tried to have slipped."""
FIRST_ROUNDS, MORE_ROUNDS, HOPELESS = 4, 5, 20.0
"""How often the ends are moved; an end that after the first rounds looks so much worse than the best is given up."""
SURELY_CUT = 6.0
"""Ink is taken to be cut off if that looks better by so much: it says that the pen went on."""
LOST, ASTRAY_MM = 300.0, 1.2
"""What fits no better than this, or only so far from the first guess, is ink that was partly lost and not fitted."""
FLOOR_MM = 0.06
"""No tip is better known than this: the ink's edge is ragged."""
HIDDEN_TURN = (1 - USUAL[THIN]) / 2 * 0.5**0.5
"""One sigma, in pen half widths, of how far a pen turns unseen as it leaves the board.

Thin by then, it may turn anywhere within the disc of ink it has left, whose sigma along an axis is half its room; of
the ends that were looked at half did.
"""
STEP = 0.01
"""Derivatives of what is usual are taken over this step, in mm and radians."""


@dataclass(frozen=True, eq=False)
class EndOfInk:
    """The fitted end beyond point ``start`` of the line: knee and tip (2,), half widths there, one sigma of the tip."""

    start: int
    knee_mm: Floats
    tip_mm: Floats
    knee_half_mm: float
    tip_half_mm: float
    sigma_mm: float
    cut: bool
    """Whether the ink stops square there: the pen went on, and was dry."""


@dataclass(frozen=True, eq=False)
class _Look:
    """What the picture shows round an end: M samples in mm along (x) and across (y) the line from the anchor."""

    x: Grid
    y: Grid
    cover: Grid
    weight: float
    blur_mm: float
    half_mm: float
    guess: Floats
    """A place on the line a little before its end, and where the end is at a first guess (2, 2)."""


class _Ends(NamedTuple):
    """N ends and of which kind they are, how badly they fit, and the normal equations of the next step."""

    thetas: Floats
    kinds: Kinds
    misfit: Floats
    normal: Floats
    right: Floats

    def those(self, which: Bools) -> _Ends:
        return _Ends._make(v[which] for v in self)


def fitted_end(ink: Ink, line: Line, guess_mm: Floats, pen_mm: float) -> EndOfInk | None:
    """The end of a line of ink near ``guess_mm``; None if the line is too short to tell or the ink is no pen's end."""
    points = line.points_mm
    away = np.hypot(*(points - guess_mm).T)
    last = int(away.argmin())
    start = last - max(0, int(np.ceil((ANCHOR_MM + ANCHOR_PENS * pen_mm - away[last]) / STEP_MM)))
    if start < 4:
        return None
    frame = _frame(points[max(0, start - 6) : start + 1])
    look = _look(ink, line, start, last, frame, guess_mm)
    ends = _found(look)
    pens = ends.those(ends.kinds != CUT)
    best = int(pens.misfit.argmin())
    tip, half, sigma = _told(pens, look)
    knee_mm, tip_mm = points[start] + np.array([pens.thetas[best, :2], tip]) @ frame
    if pens.misfit[best] > LOST or np.hypot(*(tip_mm - guess_mm)) > ASTRAY_MM:
        return None
    cut = bool((ends.misfit[ends.kinds == CUT] < pens.misfit[best] - SURELY_CUT).any())
    return EndOfInk(start, knee_mm, tip_mm, float(pens.thetas[best, 4]), half, sigma, cut)


def lifted_sigma_mm(sigma_mm: float, pen_mm: float) -> float:
    """One sigma of a tip at which the pen left the board, from that of the ink's own end."""
    return float(np.hypot(sigma_mm, HIDDEN_TURN * pen_mm / 2))


def _told(pens: _Ends, look: _Look) -> tuple[Floats, float, float]:
    """The mean tip (2,) of all ends that the picture could show, likely ones more, its half width, and one sigma.

    No tip is better known than the edge is even; nor where blur could hide how the pen left the board: it moves the
    rim of what is thin by blur^2 / (2 half width); nor in a blob, where the pen wandered.
    """
    likely = np.exp(-0.5 * (pens.misfit - pens.misfit.min()))
    likely /= likely.sum()
    tip = likely @ pens.thetas[:, 2:4]
    half = float(likely @ pens.thetas[:, 5])
    off = pens.thetas[:, 2:4] - tip
    own = np.linalg.inv(pens.normal + np.eye(6))[:, 2:4, 2:4]  # a millimetre is what all is known to beforehand
    spread = np.tensordot(likely, own + off[:, :, None] * off[:, None, :], 1)
    dull = look.blur_mm**2 / (USUAL[THIN] * look.half_mm)
    fat = max(0.0, half - USUAL[ROUND] * look.half_mm)
    return tip, half, float(np.sqrt(np.linalg.eigvalsh(spread)[-1] + FLOOR_MM**2 + dull**2 + fat**2))


def _frame(points_mm: Floats) -> Floats:
    """Unit vectors (2, 2) along a line's last points and across them."""
    along = points_mm[-1] - points_mm[0]
    along = along / max(float(np.hypot(*along)), 1e-9)
    return np.array([along, [along[1], -along[0]]])


def _look(ink: Ink, line: Line, start: int, last: int, frame: Floats, guess_mm: Floats) -> _Look:
    """The picture round the end of a line whose point ``start`` is the anchor, ``last`` the nearest to the guess."""
    anchor = line.points_mm[start]
    half = float(np.median(line.half_mm[max(0, start - 20) : start + 1]))
    before = line.points_mm[: last + 1]
    before = before[np.hypot(*(before - guess_mm).T) > KNEE_MM][-1]
    guess = (np.array([before, guess_mm]) - anchor) @ frame.T
    ahead = (line.points_mm[start : last + 1] - anchor) @ frame.T
    room = half + ROOM_MM
    low, high = np.minimum([0.0, -room], guess[1] - room), np.maximum([0.0, room], guess[1] + room)
    x, y = np.meshgrid(*(np.arange(a, b, SAMPLE_MM, dtype=np.float32) for a, b in zip(low, high, strict=True)))
    spots = anchor + x[..., None] * frame[0] + y[..., None] * frame[1]
    raw, dark = looked_up(ink, spots)
    cover = np.clip((np.asarray(raw, np.float32) / np.float32(255) - FAINT) / (1 - 2 * FAINT), 0, 1)
    far = _far(x, y, np.vstack([ahead, guess[1]]))
    blur = _blur_mm(ink, line, start)
    kept = (x > 0) & (dark == 0) & (far < room) & _own(cover, x, y, far - half, half, guess[1])
    weight = (NOISE * max(1.0, blur / NOISE_BLUR_MM)) ** -2
    return _Look(x[kept], y[kept], cover[kept], weight, blur, half, guess)


def _far(x: Grid, y: Grid, points: Floats) -> Grid:
    """How far (H, W) samples are from the nearest of some points (N, 2)."""
    dx, dy = (v - np.asarray(c, np.float32)[:, None, None] for v, c in zip((x, y), points.T, strict=True))
    return np.asarray(np.sqrt((dx * dx + dy * dy).min(axis=0)))


def _own(cover: Grid, x: Grid, y: Grid, beyond: Grid, half_mm: float, guess: Floats) -> Bools:
    """Where (H, W) no other ink lies: none that hangs together neither with the line nor with what is at its end.

    Nor a stroke that runs beside the line: all that lies on its side is left out, but for what is on the line.
    """
    count, pieces = cv2.connectedComponents((cover > 0).astype(np.uint8), connectivity=8)
    strange = np.ones(count, np.uint8)
    strange[0] = 0
    strange[pieces[(np.hypot(x, y) < 0.5) | (np.hypot(x - guess[0], y - guess[1]) < 0.5)]] = 0
    own: Bools = np.asarray(cv2.dilate(strange[pieces], np.ones((5, 5), np.uint8)) == 0)
    for side in (y - half_mm, -y - half_mm):
        beside = (x > 0) & (x < BESIDE_MM) & (side > 0.25) & (side < 0.6) & (beyond > 0.2)
        if beside.any() and cover[beside].mean() > 0.5:
            own &= (side < -0.3 * half_mm) | (beyond < 0.2)
    return own


def _blur_mm(ink: Ink, line: Line, start: int) -> float:
    """One sigma of the blur of a line's edges: a blurred edge falls by 1 / (sigma sqrt(2 pi)) at half."""
    part = line.points_mm[max(0, start - 30) : start + 1 : 2]
    ray = 0.5 / ink.px_per_mm
    cover, _ = straighten(ink, part, 0.8 * line.half_mm.sum(axis=1).mean(), ray)
    sheet = cover.astype(np.float64)
    falls = np.abs(np.diff(sheet, axis=1)) * ((sheet[:, :-1] >= HALF) != (sheet[:, 1:] >= HALF))
    if not falls.any():
        return SAMPLE_MM
    slope = float(np.median(falls[falls > 0])) / 255 / ray
    return float(np.clip(1 / (slope * np.sqrt(2 * np.pi)), 0.07, 0.9))


def _found(look: _Look) -> _Ends:
    """The ends that the picture could show, those that came out the same only once."""
    rough = _settled(_compared(*_starts(look), look), look, FIRST_ROUNDS)
    hopeful = rough.misfit < rough.misfit[rough.kinds != CUT].min() + HOPELESS
    ends = _settled(rough.those(hopeful & _different(rough)), look, MORE_ROUNDS)
    return ends.those(_different(ends))


def _starts(look: _Look) -> tuple[Floats, Kinds]:
    """Ends (N, 6) to begin with, and their kinds (N,).

    Straight on, as wide as the pen or thinner; slipped to either side; cut off where the ink stops along the line.
    """
    half = look.half_mm
    before, at = look.guess
    way = (at - before) / max(float(np.hypot(*(at - before))), 1e-9)
    aside = SLIP_MM * np.array([-way[1], way[0]])
    thin = at + 0.45 * half * way
    line = before / max(float(np.hypot(*before)), 1e-9)
    beside = np.abs(look.x * line[1] - look.y * line[0]) < half / 2
    cut = line * float(look.cover[beside].sum()) * SAMPLE_MM**2 / half
    thetas = [
        [*(at - KNEE_MM * way), *at, half, half],
        [*(thin - KNEE_MM * way), *thin, 0.8 * half, 0.55 * half],
        [*(at - 0.4 * way), *(at - 0.2 * way + aside), half, half],
        [*(at - 0.4 * way), *(at - 0.2 * way - aside), half, half],
        [*before, *cut, half, 0.0],
    ]
    return np.array(thetas), np.array([ROUND, THIN, ROUND, ROUND, CUT])


def _different(ends: _Ends) -> Bools:
    """Which (N,) of some ends are not the same as a better one."""
    same = np.abs(ends.thetas[:, None] - ends.thetas).max(axis=2) < 0.1
    better = (ends.misfit[:, None] > ends.misfit) & (ends.kinds[:, None] == ends.kinds)
    return np.asarray(~(same & better).any(axis=1))


def _settled(ends: _Ends, look: _Look, rounds: int) -> _Ends:
    """Ends moved to the least misfit (Levenberg-Marquardt, each with its own damping)."""
    cut = ends.kinds == CUT
    limits = np.outer([THINNEST, FATTEST], [look.half_mm, look.half_mm])[:, None].repeat(len(cut), axis=1)
    limits[:, cut, 1] = [[-ASKEW], [ASKEW]]
    damp = np.full(len(cut), 1e-2)
    for _ in range(rounds):
        damped = ends.normal * (1 + damp[:, None, None] * np.eye(6))
        step = np.linalg.solve(damped, ends.right[..., None])[..., 0]
        moved = ends.thetas - np.clip(step, -0.5, 0.5)
        moved[:, 4:] = np.clip(moved[:, 4:], *limits)
        fresh = _compared(moved, ends.kinds, look)
        gain = ends.misfit - fresh.misfit
        ends = _Ends._make(np.where(gain > 0, a.T, b.T).T for a, b in zip(fresh, ends, strict=True))
        damp = np.where(gain > 0, np.maximum(damp / 4, 1e-6), damp * 6)
        if (np.abs(gain) < 0.2).all():
            break
    return ends


def _compared(thetas: Floats, kinds: Kinds, look: _Look) -> _Ends:
    """Ends (N, 6) compared with the picture and with what is usual, in sigmas."""
    cover, slopes = _drawn(thetas, kinds == CUT, look)
    off = cover - look.cover
    odd, *moved = _odd(thetas + STEP * np.eye(7, 6, -1)[:, None], kinds, look.half_mm)
    odder = np.stack([(one - odd) / STEP for one in moved], axis=1)
    return _Ends(
        thetas,
        kinds,
        look.weight * (off * off).sum(axis=1) + (odd * odd).sum(axis=1) + PRICE[kinds],
        look.weight * (slopes @ slopes.transpose(0, 2, 1)) + odder @ odder.transpose(0, 2, 1),
        look.weight * (slopes @ off[..., None])[..., 0] + (odder @ odd[..., None])[..., 0],
    )


def _odd(thetas: Floats, kinds: Kinds, half_mm: float) -> Floats:
    """How odd (..., 4) ends (..., 6) are, each in sigmas of what is usual."""
    first, leg = thetas[..., :2], thetas[..., 2:4] - thetas[..., :2]
    length = np.maximum(np.sqrt((leg * leg).sum(axis=-1)), 1e-6)
    ahead = (first * leg).sum(axis=-1) / np.maximum(np.sqrt((first * first).sum(axis=-1)) * length, 1e-6)
    knee, last = thetas[..., 4] / half_mm, thetas[..., 5] / np.where(kinds == CUT, 1.0, half_mm)
    odd = [
        (length - KNEE_MM) / KNEE_SIGMA_MM,
        TURN * (1 - ahead),
        (knee - np.where(kinds == CUT, 1.0, 0.5 * (1 + last))) / KNEE_SIGMA,
        (last - USUAL[kinds]) / VARIES[kinds],
    ]
    return np.stack(odd, axis=-1)


def _drawn(thetas: Floats, cut: Bools, look: _Look) -> tuple[Grid, Grid]:
    """What the picture would show of ends: coverage (N, M), and how it changes with each parameter (N, 6, M)."""
    knee, tip, knee_half, last = thetas[:, :2], thetas[:, 2:4], thetas[:, 4], thetas[:, 5]
    way = tip - knee
    way /= np.maximum(np.hypot(*way.T), 1e-6)[:, None]
    tip_half = np.where(cut, knee_half, last)
    beyond = np.where(cut, look.half_mm, 0.0)[:, None] * way
    inside, part, x, y = _cones(
        look,
        np.stack([np.zeros_like(knee), knee]),
        np.stack([knee, tip + beyond]),
        np.stack([np.full(len(knee), look.half_mm), knee_half]),
        np.stack([knee_half, tip_half]),
    )
    inside[1] -= _column(look.blur_mm**2 / (2 * np.maximum(tip_half, look.blur_mm))) * (part[1] == 1)
    leg = inside[1] > inside[0]
    x, y = np.where(leg, x[1], x[0]), np.where(leg, y[1], y[0])
    to_knee, to_tip = np.where(leg, 1 - part[1], part[0]), part[1] * leg
    wider = to_knee + to_tip * _column(cut)
    cover, rise = _shown(inside.max(axis=0), look)
    slopes = np.stack([to_knee * x, to_knee * y, to_tip * x, to_tip * y, wider, to_tip], axis=1) * rise[:, None]
    for i in np.flatnonzero(cut):  # at a corner that is cut the coverages of its two edges multiply
        turn = np.arctan2(look.guess[0, 1], look.guess[0, 0]) + last[i]
        along, across = np.cos(turn), np.sin(turn)
        dx, dy = tip[i, 0] - look.x, tip[i, 1] - look.y
        kept, fall = _shown(along * dx + across * dy, look)
        fall *= cover[i]
        slopes[i, 5] = 0
        slopes[i] *= kept
        slopes[i, 2] += along * fall
        slopes[i, 3] += across * fall
        slopes[i, 5] += (along * dy - across * dx) * fall
        cover[i] *= kept
    return cover, slopes


def _shown(inside_mm: Grid, look: _Look) -> tuple[Grid, Grid]:
    """Coverage so far inside a blurred edge, and by how much it rises per mm (evenly, for speed)."""
    steep = np.float32(1 / max(EDGE * look.blur_mm, SAMPLE_MM))
    cover = np.asarray(np.clip(inside_mm * steep + np.float32(0.5), 0, 1), np.float32)
    return cover, ((cover > 0) & (cover < 1)) * steep


def _cones(look: _Look, a: Floats, b: Floats, a_half: Floats, b_half: Floats) -> tuple[Grid, Grid, Grid, Grid]:
    """How far (..., M) samples lie inside lines of ink from a (..., 2) to b whose half widths (...) change evenly.

    That is how far they lie inside the disc that covers them best.  Where it is (its share of the way) and the unit
    vector from its centre (x, y) are given as well: the derivatives follow from these alone (envelope theorem).
    """
    run = b - a
    length = np.maximum(np.hypot(run[..., 0], run[..., 1]), 1e-3)
    lean = np.clip((b_half - a_half) / length, -0.9, 0.9)
    lean /= np.sqrt(1 - lean**2)
    along, across = _column(run[..., 0] / length**2), _column(run[..., 1] / length**2)
    x, y = look.x - _column(a[..., 0]), look.y - _column(a[..., 1])
    part = np.abs(x * across - y * along) * _column(lean)
    part += x * along
    part += y * across
    np.clip(part, 0, 1, out=part)
    x -= part * _column(run[..., 0])
    y -= part * _column(run[..., 1])
    far = np.sqrt(x * x + y * y) + np.float32(1e-6)
    return part * _column(b_half - a_half) + _column(a_half) - far, part, x / far, y / far


def _column(values: Floats | Bools) -> Grid:
    """Values (...) for use on samples (..., M)."""
    return np.asarray(values, np.float32)[..., None]
