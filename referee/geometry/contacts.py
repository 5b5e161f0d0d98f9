"""Ink and white lines (R2): contacts with the band, and how close the path came without one.

For every disc of ink and every kerb the margin is the distance from the kerb's far edge to the disc's outermost
ink: ``lateral - radius``, where lateral is the signed distance of the disc's centre, positive towards the road.
Round a line's open butt end only the chord of the disc that reaches into the line's length counts.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray

from referee.facts import Approach, Margin, Point, Touch
from referee.geometry.board import Board
from referee.geometry.kerbs import Kerb
from referee.geometry.runs import runs
from referee.geometry.trail import Discs, Trail
from referee.model import Floats

LOOK_MM = 9.0
"""Discs whose centre is farther than this from a line are not measured against it."""
JOINT_MM = 5.0
"""The lines of a neighbouring section count as well for a car this close to its road."""


@dataclass(frozen=True, eq=False)
class Closeness:
    """One line (all kerbs of a chain) against one stroke, per sample (N,).

    ``margin_mm`` of the ink's outermost edge to the far edge (inf where too far), ``trailing_mm`` of the disc's
    innermost edge (negative: the whole disc is past the far edge), ``lateral_mm`` of its centre.  ``beside``: the
    centre is beside the line, not beyond its end.  ``counts``: the car is on the section whose kerb this is.
    """

    margin_mm: Floats
    trailing_mm: Floats
    lateral_mm: Floats
    beside: NDArray[np.bool_]
    counts: NDArray[np.bool_]
    kerb: NDArray[np.int64]


def line_facts(trail: Trail, board: Board, near_mm: float) -> list[Touch | Approach]:
    """All contacts of one stroke with white lines and all approaches below ``near_mm``."""
    found: list[Touch | Approach] = []
    for chain in sorted({k.chain for k in board.kerbs}):
        kerbs = [k for k in board.kerbs if k.chain == chain]
        close = _closeness(trail, board, kerbs)
        if close is not None:
            found += _touches(trail, board, kerbs, close, chain)
            found += _approaches(trail, kerbs, close, chain, near_mm)
    return found


# ----------------------------------------------------------------------------------------- measuring


def _closeness(trail: Trail, board: Board, kerbs: list[Kerb]) -> Closeness | None:
    """The chain's nearest kerb for every disc; None if the stroke never comes near or is never on its road."""
    n = len(trail.discs.arc_mm)
    nearest = np.full(n, np.inf)
    out = Closeness(
        margin_mm=np.full(n, np.inf),
        trailing_mm=np.full(n, np.inf),
        lateral_mm=np.full(n, np.inf),
        beside=np.zeros(n, bool),
        counts=np.zeros(n, bool),
        kerb=np.full(n, -1),
    )
    for number, kerb in enumerate(kerbs):
        near = _near(trail.discs, kerb)
        if not len(near):
            continue
        distance, lateral, past_end = _frame(trail.discs.middle_mm[near], kerb)
        radius = trail.discs.radius_mm[near]
        chord = np.sqrt(np.maximum(radius**2 - past_end**2, 0.0))
        better = distance + 1e-6 * (past_end > 0) < nearest[near]
        reaches = past_end <= radius
        at = near[better]
        nearest[at] = (distance + 1e-6 * (past_end > 0))[better]
        out.margin_mm[at] = np.where(reaches, lateral - chord, np.inf)[better]
        out.trailing_mm[at] = np.where(reaches, lateral + chord, np.inf)[better]
        out.lateral_mm[at] = lateral[better]
        out.beside[at] = (past_end <= 0)[better]
        out.kerb[at] = number
        out.counts[at] = _counts(trail, board, kerb.section, at)
    return out if out.counts.any() else None


def _near(discs: Discs, kerb: Kerb) -> NDArray[np.int64]:
    x0, y0, x1, y1 = kerb.far.bounds
    x, y = discs.middle_mm.T
    box = np.flatnonzero((x >= x0 - LOOK_MM) & (x <= x1 + LOOK_MM) & (y >= y0 - LOOK_MM) & (y <= y1 + LOOK_MM))
    if not len(box):
        return box
    return np.asarray(box[shapely.dwithin(kerb.far, shapely.points(discs.middle_mm[box]), LOOK_MM)])


def _frame(points: Floats, kerb: Kerb) -> tuple[Floats, Floats, Floats]:
    """Points in a kerb's own frame: distance to its far edge, the same signed, length past its end.

    Beside the line the signed distance is the Euclidean one with the side of the nearest segment (at a corner of
    both); past an end it is the offset from the end segment's straight extension.
    """
    shaped = shapely.points(points)
    distance = np.asarray(shapely.distance(kerb.far, shaped))
    place = np.asarray(shapely.line_locate_point(kerb.far, shaped))
    segment = np.clip(np.searchsorted(kerb.arc_mm, place, side="right") - 1, 0, len(kerb.along) - 1)
    off = points - kerb.far_mm[segment]
    normal = kerb.to_road[segment].copy()
    corner = (place - kerb.arc_mm[segment] < 1e-7) & ((segment > 0) | kerb.closed)
    normal[corner] += kerb.to_road[segment[corner] - 1]
    lateral = np.where((off * normal).sum(axis=1) >= 0, distance, -distance)
    past_end = np.zeros(len(points))
    if not kerb.closed:
        for end, way in ((0, -kerb.along[0]), (-1, kerb.along[-1])):
            away = points - kerb.far_mm[end]
            at_end = place <= 1e-7 if end == 0 else place >= kerb.arc_mm[-1] - 1e-7
            beyond = at_end & (away @ way > 1e-9)
            past_end[beyond] = (away @ way)[beyond]
            lateral[beyond] = (away @ kerb.to_road[end])[beyond]
    return distance, lateral, past_end


def _counts(trail: Trail, board: Board, section: int, at: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Where the lines of a section count: on it, or on a neighbour close to its road; never after turning off."""
    here = trail.section[at]
    counts = here == section
    beside = np.flatnonzero(np.abs(here - section) == 1)
    if len(beside):
        shaped = shapely.points(trail.discs.points_mm[at[beside]])
        counts[beside] = shapely.distance(board.road_of(section), shaped) <= JOINT_MM
    return np.asarray(counts & ~trail.turned[at])


# ----------------------------------------------------------------------------------------- contacts


def _touches(trail: Trail, board: Board, kerbs: list[Kerb], close: Closeness, chain: int) -> list[Touch]:
    """Every run of ink on the band that came from the road, or back to it; touching counts as touching."""
    widths = np.array([k.width_mm for k in kerbs])[close.kerb]
    on_band = (close.margin_mm <= widths) & (close.trailing_mm >= 0)
    found: list[Touch] = []
    went_out = False
    for a, b in runs(on_band):
        outside = bool(close.beside[a] and close.lateral_mm[a] < 0)
        if outside and not went_out:
            continue
        if not outside and not close.counts[a:b].any():
            continue
        went_out = b < len(on_band) and bool(close.trailing_mm[b] < 0)
        end = _back_again(trail, board, kerbs, close, b, on_band) if went_out else b
        found.append(_touch(trail, kerbs, close, chain, a, b, end, outside))
    return found


def _back_again(
    trail: Trail, board: Board, kerbs: list[Kerb], close: Closeness, start: int, on_band: NDArray[np.bool_]
) -> int:
    """Up to which sample an excursion past the far edge lasts: back on the band, back on the road, or the end."""
    section = kerbs[close.kerb[start - 1]].section
    ahead = trail.discs.points_mm[start:]
    back = on_band[start:] | shapely.contains_xy(board.road_of(section), ahead[:, 0], ahead[:, 1])
    hits = np.flatnonzero(back)
    return start + int(hits[0]) if len(hits) else len(on_band)


def _touch(
    trail: Trail, kerbs: list[Kerb], close: Closeness, chain: int, a: int, b: int, end: int, outside: bool
) -> Touch:
    """One contact from sample ``a`` up to ``b``; its deepest point may lie in the excursion up to ``end``."""
    discs = trail.discs
    margin = close.margin_mm[a:b].copy()
    if end > b:
        margin = np.concatenate([margin, _depth(discs, kerbs, b, end)])
    low = a + int(np.argmin(margin))
    out = np.flatnonzero(close.margin_mm[a:b] < 0)
    at_low = kerbs[close.kerb[low if low < b else b - 1]]
    return Touch(
        first=discs.spot(a),
        last=discs.spot(b - 1),
        low=discs.spot(low),
        margin=Margin(float(margin.min()), float(discs.sigma_mm[low])),
        element=at_low.element,
        line=chain,
        out=discs.spot(a + int(out[0])) if len(out) else None,
        out_element=kerbs[close.kerb[a + int(out[0])]].element if len(out) else None,
        from_outside=outside,
        edge_mm=_edge(discs, at_low, low, float(margin.min())),
    )


def _depth(discs: Discs, kerbs: list[Kerb], start: int, end: int) -> Floats:
    """Margins of discs that are wholly past the far edge."""
    shaped = shapely.points(discs.middle_mm[start:end])
    away = np.min([shapely.distance(k.far, shaped) for k in kerbs], axis=0)
    return np.asarray(-away - discs.radius_mm[start:end])


def _edge(discs: Discs, kerb: Kerb, i: int, margin_mm: float) -> tuple[Point, Point]:
    """The measured distance: from the ink's outermost edge to the nearest point of the far edge."""
    middle = discs.middle_mm[i]
    nearest = np.asarray(kerb.far.interpolate(kerb.far.project(shapely.Point(middle))).coords[0])
    way = nearest - middle
    length = float(np.hypot(*way))
    if length < 1e-9:
        way, length = -kerb.to_road[0], 1.0
    outwards = way / length if margin_mm > -discs.radius_mm[i] else -way / length
    ink = middle + outwards * discs.radius_mm[i]
    return (float(ink[0]), float(ink[1])), (float(nearest[0]), float(nearest[1]))


# ----------------------------------------------------------------------------------------- near misses


def _approaches(trail: Trail, kerbs: list[Kerb], close: Closeness, chain: int, near_mm: float) -> list[Approach]:
    """Every run of samples closer than ``near_mm`` on the road side, at its smallest margin."""
    near = (close.margin_mm < near_mm) & (close.lateral_mm >= 0) & close.counts
    found = []
    for a, b in runs(near):
        low = a + int(np.argmin(close.margin_mm[a:b]))
        kerb, margin = kerbs[close.kerb[low]], float(close.margin_mm[low])
        found.append(
            Approach(
                kind="white-line",
                first=trail.discs.spot(a),
                last=trail.discs.spot(b - 1),
                low=trail.discs.spot(low),
                margin=Margin(margin, float(trail.discs.sigma_mm[low])),
                element=kerb.element,
                line=chain,
                edge_mm=_edge(trail.discs, kerb, low, margin),
            )
        )
    return found
