"""How far ink is from a closed outline, an oil spill's or a gadget's, and between which two points."""

from __future__ import annotations

import numpy as np
import shapely
from shapely.geometry import Polygon

from referee.facts import Point
from referee.geometry.trail import Discs
from referee.model import Floats


def outline_margins(discs: Discs, outline: Polygon, look_mm: float) -> Floats:
    """Signed distance (N,) from the ink's edge to the outline, negative once it touches.

    Infinite where the ink is not seen, and where its middle lies more than ``look_mm`` beside the outline's box.
    """
    shapely.prepare(outline)
    x0, y0, x1, y1 = outline.bounds
    x, y = discs.middle_mm.T
    near = np.flatnonzero((x >= x0 - look_mm) & (x <= x1 + look_mm) & (y >= y0 - look_mm) & (y <= y1 + look_mm))
    margin = np.full(len(x), np.inf)
    if len(near):
        points = discs.middle_mm[near]
        away = shapely.distance(outline.exterior, shapely.points(points))
        inside = shapely.contains_xy(outline, points[:, 0], points[:, 1])
        margin[near] = np.where(inside, -away, away) - discs.radius_mm[near]
    margin[~discs.seen] = np.inf
    return margin


def nearest_edges(discs: Discs, i: int, outline: Polygon) -> tuple[Point, Point]:
    """The ink's edge at sample ``i`` and the outline's nearest edge, as points in mm."""
    middle = discs.middle_mm[i]
    at = shapely.Point(middle)
    edge = np.asarray(outline.exterior.interpolate(outline.exterior.project(at)).coords[0])
    way = (edge - middle) / max(1e-9, float(np.hypot(*(edge - middle))))
    ink = middle + discs.radius_mm[i] * (-way if outline.covers(at) else way)
    return (float(ink[0]), float(ink[1])), (float(edge[0]), float(edge[1]))
