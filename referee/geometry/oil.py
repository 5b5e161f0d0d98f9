"""Ink and oil spills (R9): where it touches the purple line's outer edge, and how close it comes."""

from __future__ import annotations

import numpy as np
import shapely

from referee.facts import Approach, Margin, OilTouch
from referee.geometry.runs import runs
from referee.geometry.trail import Discs
from referee.model import Floats, OilSpill, Stage

LOOK_MM = 12.0
DOUBT_MM = 1.0
"""Ink that misses a spill by no more than this is reported as a touch with a positive margin."""


def oil_facts(discs: Discs, stage: Stage, near_mm: float) -> list[OilTouch | Approach]:
    """All touches of one stroke with oil spills, and all approaches below ``near_mm``; touching counts as touching."""
    found: list[OilTouch | Approach] = []
    for spill in stage.oil_spills:
        margin = _margins(discs, spill)
        for a, b in runs(margin <= 0):
            found.append(_touch(discs, spill, margin, a, b))
        for a, b in runs(margin < near_mm):
            touch = _touch(discs, spill, margin, a, b)
            found.append(_approach(touch))
            if 0 < touch.margin.mm <= DOUBT_MM:
                found.append(touch)
    return found


def _margins(discs: Discs, spill: OilSpill) -> Floats:
    """Signed distance (N,) from the ink's edge to the purple line's outer edge, negative once it touches."""
    shapely.prepare(spill.reach)
    x0, y0, x1, y1 = spill.reach.bounds
    x, y = discs.middle_mm.T
    near = np.flatnonzero((x >= x0 - LOOK_MM) & (x <= x1 + LOOK_MM) & (y >= y0 - LOOK_MM) & (y <= y1 + LOOK_MM))
    margin = np.full(len(x), np.inf)
    if len(near):
        points = discs.middle_mm[near]
        away = shapely.distance(spill.reach.exterior, shapely.points(points))
        inside = shapely.contains_xy(spill.reach, points[:, 0], points[:, 1])
        margin[near] = np.where(inside, -away, away) - discs.radius_mm[near]
    margin[~discs.seen] = np.inf  # ink that is not seen is not measured
    return margin


def _touch(discs: Discs, spill: OilSpill, margin: Floats, a: int, b: int) -> OilTouch:
    low = a + int(np.argmin(margin[a:b]))
    middle = discs.middle_mm[low]
    edge = np.asarray(spill.reach.exterior.interpolate(spill.reach.exterior.project(shapely.Point(middle))).coords[0])
    way = edge - middle
    way = way / max(1e-9, float(np.hypot(*way)))
    if spill.reach.covers(shapely.Point(middle)):
        way = -way
    ink = middle + way * discs.radius_mm[low]
    return OilTouch(
        first=discs.spot(a),
        last=discs.spot(b - 1),
        low=discs.spot(low),
        margin=Margin(float(margin[low]), float(discs.sigma_mm[low])),
        element=spill.id,
        edge_mm=((float(ink[0]), float(ink[1])), (float(edge[0]), float(edge[1]))),
    )


def _approach(touch: OilTouch) -> Approach:
    return Approach("oil-spill", touch.first, touch.last, touch.low, touch.margin, touch.element, edge_mm=touch.edge_mm)
