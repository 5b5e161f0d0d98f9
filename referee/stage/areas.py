"""Closed outlines -> one polygon each, as SVG fills them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import shapely
from shapely.geometry import MultiPolygon, Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import polygonize

from referee.model import Floats
from referee.stage.course import MEET_MM
from referee.stage.faults import Fault
from referee.stage.shapes import Piece

_WIDEST_CRACK_MM = 4.0
_TOUCH_MM = 0.004
"""Joins parts that touch in a point (an outline that crosses itself), and changes no shape to speak of."""
_MOST_FACES = 500
_THINNEST_MM = 1e-4


def area_of(pieces: Sequence[Piece], even_odd: bool = False) -> BaseGeometry:
    """The area inside closed outlines by SVG's fill rule; raises `Fault` for open or empty ones."""
    rings = [_closed(piece) for piece in pieces]
    if len(rings) == 1 and len(rings[0]) >= 4:
        simple = Polygon(rings[0])
        if simple.is_valid and simple.area > 0:
            return simple
    area = _filled(rings, even_odd)
    if area.is_empty or area.area < 0.01:
        raise Fault("its outline encloses nothing", "Draw it as a closed shape.")
    return area


def one_piece(areas: Sequence[BaseGeometry], crack_mm: float = _WIDEST_CRACK_MM) -> Polygon | None:
    """Areas joined to one polygon, across cracks no wider than ``crack_mm``; None if they lie further apart."""
    joined = shapely.union_all(list(areas))
    for crack in (0.0, _TOUCH_MM, MEET_MM, 1.0, crack_mm):
        parts = [p for p in _polygons(_sealed(joined, min(crack, crack_mm))) if p.area > 1e-4]
        if len(parts) == 1:
            return parts[0]
    return None


def _sealed(shape: BaseGeometry, crack_mm: float) -> BaseGeometry:
    """A shape with its cracks closed: grown and shrunk again.

    Corners stay sharp, but for parts that merely touch: there the rounding is what holds them together.
    """
    if not crack_mm:
        return shape
    touching = crack_mm <= _TOUCH_MM
    grown = shape.buffer(crack_mm / 2, join_style="mitre")
    return grown.buffer(-crack_mm / 2 + 1e-4 * touching, join_style="round" if touching else "mitre")


def _polygons(shape: BaseGeometry) -> list[Polygon]:
    if isinstance(shape, Polygon):
        return [] if shape.is_empty else [shape]
    return [p for part in getattr(shape, "geoms", ()) for p in _polygons(part)]


def _closed(piece: Piece) -> Floats:
    line = piece.points_mm
    if piece.closed:
        return line
    gap = float(np.hypot(*(line[-1] - line[0])))
    if gap > MEET_MM:
        raise Fault(f"its outline is open by {gap:.2f} mm", "Close it (end its path with Z).")
    return np.vstack([line, line[:1]])


def _filled(rings: Sequence[Floats], even_odd: bool) -> BaseGeometry:
    """The faces between all outlines that the fill rule counts as inside."""
    lines = [shapely.linestrings(ring) for ring in rings if len(ring) >= 3]
    faces = list(polygonize(shapely.union_all(lines)))
    if len(faces) > _MOST_FACES:
        raise Fault("its outline crosses itself far too often", "Draw only the shape's edge.")
    inside = []
    for face in faces:
        # well inside: a point that merely is not outside may lie on a hair-thin part of the face
        heart = shapely.maximum_inscribed_circle(face, tolerance=0.01)
        turns = sum(_winding(ring, np.array(heart.coords[0])) for ring in rings)
        if heart.length > _THINNEST_MM and (turns % 2 if even_odd else turns) != 0:
            inside.append(face)
    return shapely.union_all(inside) if inside else MultiPolygon()


def _winding(ring: Floats, at: Floats) -> int:
    """How often a closed ring (N, 2) turns about a point (Sunday's crossing count)."""
    (x0, y0), (x1, y1) = ring[:-1].T, ring[1:].T
    left = (x1 - x0) * (at[1] - y0) - (at[0] - x0) * (y1 - y0)
    up = (y0 <= at[1]) & (y1 > at[1]) & (left > 0)
    down = (y0 > at[1]) & (y1 <= at[1]) & (left < 0)
    return int(up.sum()) - int(down.sum())
