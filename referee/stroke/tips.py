"""The very end of a line of ink, fitted: where the pen's centre last was.

A marker that is set down or lifted seldom leaves half a disc of its own size: it rests and leaves a blob, it thins
out while it leaves the board, it slips to the side.  So an end is drawn as two cones of ink, from an anchor on the
line to a knee and from there to the tip, each with a width of its own at its end, blurred as the line's own edges
are, and moved until it looks like the picture (Levenberg-Marquardt on the coverage).  This is begun from ends of
every kind; what is left are the ends that the picture could show, and their spread is the tip's uncertainty.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.model import Floats, Ink
from referee.stroke.edges import HALF, STEP_MM, Line, straighten

Grid = NDArray[np.float32]

ANCHOR_MM, ANCHOR_PENS = 2.0, 0.5
"""The line is taken as known up to so much, and so many pen widths, before its end."""
SAMPLE_MM = 0.25
"""The picture is looked at in steps of so much."""
ROOM_MM = 1.2
"""So far beyond an end's edge the picture must be bare."""
BESIDE_MM = 1.2
"""Ink that runs beside the line over so much from the anchor on is another stroke's, and hides that side of the end."""
FAINT = 0.18
"""Less coverage than this is taken for bare board, as much short of full for full ink."""
NOISE, NOISE_BLUR = 0.16, 1.2
"""How far a sample's coverage may be off, its neighbours being off with it; more so with more blur (in samples)."""
LOST, ASTRAY_MM = 300.0, 1.2
"""What fits no better than this, or only so far from the first guess, is ink that was partly lost and not fitted."""
KNEE_MM, KNEE_SIGMA_MM = 1.0, 0.5
"""From the knee to the tip, and how much that varies."""
KNEE_SIGMA = 0.12
"""How much the half width at the knee varies round the mean of the line's and the tip's, in pen half widths."""
Kind = Literal["round", "thin", "cut"]
"""An end of ink is as wide as the pen; or it thins while the pen is lifted; or a dry pen's ink just stops."""
USUAL: dict[Kind, tuple[float, float]] = {"round": (1.05, 0.1), "thin": (0.55, 0.15), "cut": (0.0, 0.4)}
"""Of each kind what is usual, and how much it varies: the tip's half width in the pen's, how much askew it is cut."""
TURN, BACK = 2.0, 8.0
"""What it costs to turn at the knee, and to turn back there: 1 - cos, and from 114 degrees on."""
SLIPS_MM = (0.9, -0.9)
"""How far to the side of the line a pen is tried to have slipped."""
ASKEW = 0.9
"""The most that ink is cut off askew (radians)."""
CUTS = (0.0, 0.4, -0.4)
"""From how much askew a cut is tried to be found."""
THINNEST, FATTEST = 0.3, 1.5
"""No end is thinner or fatter than so many pen half widths."""
PRICE: dict[Kind, float] = {"round": 0.0, "thin": 3.0}
"""Ends thin less often than not."""
SURELY_CUT = 8.0
"""Ink is taken to be cut off if that looks better by so much: it says that the pen went on."""
ROUNDS, FIRST_ROUNDS = 12, 4
HOPELESS = 40.0
"""An end that looks so much worse than another after the first rounds is given up."""
FLOOR_MM = 0.06
"""No tip is better known than this: the ink's edge is ragged."""
BLUR_SHARE = 0.3
"""Nor better than by this share of the blur: what is thinner is not seen."""
FAT = 1.05
"""In a blob that is fatter than the pen by more than this the pen wandered: its tip is no better known than by that."""
STEP = 0.02
"""Derivatives are taken over this step, in mm (and radians)."""


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
    """What the picture shows round an end (H, W), in mm along (x) and across (y) the line from the anchor."""

    cover: Grid
    weight: Grid
    x: Grid
    y: Grid
    body: Grid
    blur: float
    """One sigma of the blur in samples."""
    half_mm: float
    guess: Floats
    """A place on the line a little before its end, and where the end is at a first guess (2, 2)."""


def fitted_end(ink: Ink, line: Line, guess_mm: Floats, pen_mm: float) -> EndOfInk | None:
    """The end of a line of ink near ``guess_mm``; None if the line is too short to tell or the ink is no pen's end."""
    points = line.points_mm
    away = np.hypot(*(points - guess_mm).T)
    last = int(away.argmin())
    start = last - max(0, int(np.ceil((ANCHOR_MM + ANCHOR_PENS * pen_mm - away[last]) / STEP_MM)))
    if start < 4:
        return None
    frame = _frame(points[max(0, start - 6) : start + 1])
    look = _look(ink, line, start, frame, guess_mm)
    found, cut = _ends(look)
    likely = np.exp(-0.5 * np.array([cost - found[0][0] for cost, _, _ in found]))
    likely /= likely.sum()
    tips = np.array([theta[2:4] for _, theta, _ in found])
    mean = likely @ tips
    spread = np.zeros((2, 2))
    for share, (_, _, own), tip in zip(likely, found, tips, strict=True):
        spread += share * (own[2:4, 2:4] + np.outer(tip - mean, tip - mean))
    theta = found[0][1]
    knee, tip = points[start] + np.vstack([theta[:2], mean]) @ frame
    dull = BLUR_SHARE * look.blur * SAMPLE_MM
    half = float(likely @ [theta[5] for _, theta, _ in found])
    fat = max(0.0, half - FAT * look.half_mm)
    sigma = float(np.sqrt(np.linalg.eigvalsh(spread)[-1] + FLOOR_MM**2 + dull**2 + fat**2))
    if found[0][0] > LOST or np.hypot(*(tip - guess_mm)) > ASTRAY_MM:
        return None
    return EndOfInk(start, knee, tip, float(theta[4]), half, sigma, cut)


def _frame(points_mm: Floats) -> Floats:
    """Unit vectors (2, 2) along a line's last points and across them."""
    along = points_mm[-1] - points_mm[0]
    along = along / max(float(np.hypot(*along)), 1e-9)
    return np.array([along, [along[1], -along[0]]])


def _look(ink: Ink, line: Line, start: int, frame: Floats, guess_mm: Floats) -> _Look:
    """The picture round the end of a line whose point ``start`` is the anchor."""
    anchor = line.points_mm[start]
    half = float(np.median(line.half_mm[max(0, start - 20) : start + 1]))
    away = np.hypot(*(line.points_mm - guess_mm).T)
    nearby = line.points_mm[: start + int(away[start:].argmin()) + 1]
    nearby = nearby[away[: len(nearby)] > KNEE_MM][-1]
    guess = (np.array([nearby, guess_mm]) - anchor) @ frame.T
    room = half + ROOM_MM
    low = np.minimum([-1.0, -room - 0.4], guess[1] - room)
    high = np.maximum([0.0, room + 0.4], guess[1] + room)
    x = np.arange(max(low[0], -1.0), high[0], SAMPLE_MM, dtype=np.float32)[None, :]
    y = np.arange(low[1], high[1], SAMPLE_MM, dtype=np.float32)[:, None]
    x, y = (np.ascontiguousarray(v) for v in np.broadcast_arrays(x, y))
    spots = anchor + x[..., None] * frame[0] + y[..., None] * frame[1]
    px = (spots * ink.px_per_mm - 0.5).astype(np.float32)
    at = np.ascontiguousarray(px[..., 0]), np.ascontiguousarray(px[..., 1])
    raw = cv2.remap(ink.coverage, *at, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=0)
    dark = cv2.remap(ink.unseen, *at, cv2.INTER_NEAREST, borderMode=cv2.BORDER_CONSTANT, borderValue=2)
    cover = _told(np.asarray(raw, np.float32) / np.float32(255))
    weight = ((x > 0) & (np.asarray(dark) == 0)).astype(np.float32)
    weight[_strange(cover, x, y, guess[1])] = 0
    ahead = (line.points_mm[start : start + int(away[start:].argmin()) + 1] - anchor) @ frame.T
    own = np.min([np.hypot(x - at_x, y - at_y) for at_x, at_y in ahead], axis=0) < half + 0.2
    for side in (y, -y):
        beside = (x > 0) & (x < BESIDE_MM) & (side > half + 0.25) & (side < half + 0.6) & ~own
        if beside.any() and cover[beside].mean() > 0.5:
            weight[(side > 0.7 * half) & ~own] = 0
    blur = _blur_mm(ink, line, start) / SAMPLE_MM
    weight /= NOISE * max(1.0, blur / NOISE_BLUR)
    tail = (line.points_mm[max(0, start - 12) : start + 1 : 3] - anchor) @ frame.T
    body = np.full(cover.shape, -9.0, np.float32)
    for a, b in zip(tail, np.vstack([tail[1:], [[0.0, 0.0]]]), strict=True):
        np.maximum(body, _cone(x, y, a[None], b[None], half, half)[0], out=body)
    return _Look(cover, weight, x, y, body, blur, half, guess)


def _strange(cover: Grid, x: Grid, y: Grid, guess: Floats) -> NDArray[np.bool_]:
    """Where (H, W) other ink lies that hangs together neither with the line nor with what is at its end."""
    pieces = np.asarray(cv2.connectedComponents((cover > 0).astype(np.uint8), connectivity=8)[1])
    near = [np.hypot(x - at[0], y - at[1]) < 0.5 for at in (np.zeros(2), guess)]
    own = np.unique(pieces[near[0] | near[1]])
    strange = ((pieces > 0) & ~np.isin(pieces, own)).astype(np.uint8)
    return np.asarray(cv2.dilate(strange, np.ones((5, 5), np.uint8))) > 0


def _blur_mm(ink: Ink, line: Line, start: int) -> float:
    """One sigma of the blur of a line's edges: a blurred edge falls by 1 / (sigma sqrt(2 pi)) at half."""
    part = line.points_mm[max(0, start - 30) : start + 1]
    ray = 0.5 / ink.px_per_mm
    sheet, _, _ = straighten(ink, part, 0.8 * line.half_mm.sum(axis=1).mean(), ray)
    falls = np.abs(np.diff(sheet, axis=1)) * ((sheet[:, :-1] >= HALF) != (sheet[:, 1:] >= HALF))
    if not falls.any():
        return SAMPLE_MM
    slope = float(np.median(falls[falls > 0])) / 255 / ray
    return float(np.clip(1 / (slope * np.sqrt(2 * np.pi)), 0.07, 0.9))


def _cone(x: Grid, y: Grid, a: Floats, b: Floats, a_half: Floats | float, b_half: Floats | float) -> Grid:
    """How far (N, H, W) each sample (H, W) lies inside N lines of ink from a (N, 2) to b, widths changing evenly."""
    run = b - a
    u = run / np.maximum((run * run).sum(axis=1), 1e-6)[:, None]
    dx, dy = x - _each(a[:, 0]), y - _each(a[:, 1])
    part = dx * _each(u[:, 0])
    part += dy * _each(u[:, 1])
    np.clip(part, 0, 1, out=part)
    dx -= part * _each(run[:, 0])
    dy -= part * _each(run[:, 1])
    dx *= dx
    dy *= dy
    dx += dy
    np.sqrt(dx, out=dx)
    part *= _each(np.broadcast_to(b_half - a_half, len(a)))
    part += _each(np.broadcast_to(a_half, len(a)))
    part -= dx
    return part


def _each(values: Floats) -> Grid:
    """Values (N,) for use on grids (N, H, W)."""
    return np.asarray(values, np.float32)[:, None, None]


def _told(cover: Grid) -> Grid:
    """Coverage with what is faint taken for bare board and what is nearly full for full."""
    return np.asarray(np.clip((cover - FAINT) / (1 - 2 * FAINT), 0, 1), np.float32)


def _drawn(thetas: Floats, look: _Look, kind: Kind) -> Grid:
    """What the picture would show (N, H, W) of ends with these parameters (N, 6): knee, tip, half width at the knee,
    and at the tip that of the tip, or if the ink is cut off there by how much askew (radians).
    """
    knee, tip, knee_half, last = thetas[:, :2], thetas[:, 2:4], thetas[:, 4], thetas[:, 5]
    inside = _cone(look.x, look.y, np.zeros_like(knee), knee, look.half_mm, knee_half)
    if kind == "cut":
        way = tip - knee
        way = way / np.maximum(np.hypot(*way.T), 1e-6)[:, None]
        np.maximum(inside, _cone(look.x, look.y, knee, tip + way * look.half_mm, knee_half, knee_half), out=inside)
        turn = np.arctan2(look.guess[0, 1], look.guess[0, 0]) + last
        before = _each(np.cos(turn)) * (_each(tip[:, 0]) - look.x) + _each(np.sin(turn)) * (_each(tip[:, 1]) - look.y)
        np.minimum(inside, before, out=inside)
    else:
        np.maximum(inside, _cone(look.x, look.y, knee, tip, knee_half, last), out=inside)
    np.maximum(inside, look.body, out=inside)
    inside *= np.float32(1 / SAMPLE_MM)
    inside += np.float32(0.5)
    np.clip(inside, 0, 1, out=inside)
    return _told(np.stack([np.asarray(cv2.GaussianBlur(one, (0, 0), look.blur), np.float32) for one in inside]))


def _misses(thetas: Floats, look: _Look, kind: Kind) -> Floats:
    """The residuals (N, M) in sigmas: of every sample, then of what ends are like."""
    off = (_drawn(thetas, look, kind) - look.cover) * look.weight
    half = look.half_mm
    first, last = thetas[:, :2], thetas[:, 2:4] - thetas[:, :2]
    legs = np.maximum(np.hypot(*last.T), 1e-6)
    ahead = (first * last).sum(axis=1) / np.maximum(np.hypot(*first.T) * legs, 1e-6)
    knee_half, tip_half = thetas[:, 4] / half, thetas[:, 5] / half
    tip_half, knee_usual = (thetas[:, 5], 1.0) if kind == "cut" else (tip_half, 0.5 * (1 + tip_half))
    usual, sigma = USUAL[kind]
    beliefs = [
        (legs - KNEE_MM) / KNEE_SIGMA_MM,
        thetas[:, 1] / 2.0,
        thetas[:, 3] / 2.0,
        TURN * (1 - ahead),
        BACK * np.maximum(0.0, -0.4 - ahead),
        (knee_half - knee_usual) / KNEE_SIGMA,
        (tip_half - usual) / sigma,
    ]
    return np.concatenate([off.reshape(len(thetas), -1), np.stack(beliefs, axis=1)], axis=1, dtype=np.float64)


def _starts(look: _Look, kind: Kind) -> list[Floats]:
    """Parameters to begin with: an end that runs straight on, and ends that slip to the sides."""
    half = look.half_mm
    before, at = look.guess
    if kind == "cut":
        tip = before * (1 + (KNEE_MM + half) / max(float(np.hypot(*before)), 1e-9))
        return [np.array([*before, *tip, half, askew]) for askew in CUTS]
    way = (at - before) / max(float(np.hypot(*(at - before))), 1e-9)
    aside = np.array([-way[1], way[0]])
    tip_half, knee_half = (0.55 * half, 0.8 * half) if kind == "thin" else (half, half)
    tip = at + way * (half - tip_half)
    straight = np.array([*(tip - KNEE_MM * way), *tip, knee_half, tip_half])
    slips = [
        np.array([*(tip - 0.4 * way), *(tip - 0.2 * way + side * aside), knee_half, tip_half]) for side in SLIPS_MM
    ]
    return [straight, *slips]


def _ends(look: _Look) -> tuple[list[tuple[float, Floats, Floats]], bool]:
    """The ends that the picture could show, likeliest first: misfit, parameters (6,), their covariance (6, 6).

    And whether it rather shows ink that is cut off.
    """
    pens: tuple[Kind, ...] = ("round", "thin")
    rough = [(kind, *_settled(start, look, kind, FIRST_ROUNDS)) for kind in pens for start in _starts(look, kind)]
    best = min(cost for _, cost, _, _ in rough)
    hopeful = [(kind, theta) for kind, cost, theta, _ in rough if cost < best + HOPELESS]
    settled = [(PRICE[kind], *_settled(theta, look, kind, ROUNDS)) for kind, theta in hopeful]
    found = _different(sorted(((price + cost, theta, own) for price, cost, theta, own in settled), key=lambda e: e[0]))
    if found[0][0] < SURELY_CUT:
        return found, False
    cuts = [_settled(start, look, "cut", FIRST_ROUNDS) for start in _starts(look, "cut")]
    cut = _settled(min(cuts, key=lambda end: end[0])[1], look, "cut", ROUNDS)
    return found, cut[0] < found[0][0] - SURELY_CUT


def _different(found: list[tuple[float, Floats, Floats]]) -> list[tuple[float, Floats, Floats]]:
    """Of ends that came out the same only one."""
    out: list[tuple[float, Floats, Floats]] = []
    for one in found:
        if all(np.abs(one[1] - other[1]).max() > 0.1 for other in out):
            out.append(one)
    return out


def _settled(theta: Floats, look: _Look, kind: Kind, rounds: int) -> tuple[float, Floats, Floats]:
    """The parameters moved to the least misfit, that misfit, and their covariance."""
    steps = np.vstack([np.zeros(6), STEP * np.eye(6)])
    damp, cost = 1e-2, np.inf
    misses = _misses(theta + steps, look, kind)
    cost = float(misses[0] @ misses[0])
    for _ in range(rounds):
        jacobian = (misses[1:] - misses[0]).T / STEP
        normal, right = jacobian.T @ jacobian, jacobian.T @ misses[0]
        for _ in range(4):
            step = np.linalg.solve(normal + damp * np.diag(np.diag(normal)), right)
            moved = theta - np.clip(step, -0.5, 0.5)
            moved[4:] = np.clip(moved[4:], THINNEST * look.half_mm, FATTEST * look.half_mm)
            if kind == "cut":
                moved[5] = np.clip(theta[5] - step[5], -ASKEW, ASKEW)
            fresh = _misses(moved + steps, look, kind)
            gain = cost - float(fresh[0] @ fresh[0])
            if gain > 0:
                break
            damp *= 6
        if gain <= 0:
            break
        theta, misses, cost, damp = moved, fresh, cost - gain, max(damp / 4, 1e-6)
        if gain < 0.05:
            break
    jacobian = (misses[1:] - misses[0]).T / STEP
    return cost, theta, np.asarray(np.linalg.inv(jacobian.T @ jacobian), np.float64)
