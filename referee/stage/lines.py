"""White lines: bands with butt ends, joined without a notch where lines meet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import shapely
from shapely.geometry import LinearRing, LineString, Polygon
from shapely.geometry.base import BaseGeometry

from referee.model import Floats, WhiteLine
from referee.stage.faults import Fault
from referee.stage.shapes import Piece, refuse_thicket
from referee.stage.walk import Drawn

ONE_LINE_MM = 0.25
"""Lines whose ends meet within this distance are one line."""
_HAIR_MM = 0.002
_MITRE_LIMIT = 4.0
_SMALLEST_NOTCH = 0.001
"""As a part of the width squared: what two flattened halves of one curve leave open is none."""


def white_lines_of(drawn: Drawn, sections: tuple[int, ...]) -> list[WhiteLine]:
    """The bands that one element draws, one a subpath; raises `Fault`."""
    width = drawn.width_mm()
    return [_band(drawn.id, sections, piece, width) for piece in drawn.pieces]


def _band(name: str, sections: tuple[int, ...], piece: Piece, width_mm: float) -> WhiteLine:
    points, length = piece.points_mm, piece.length_mm
    refuse_thicket(piece, width_mm)
    gap = float(np.hypot(*(points[-1] - points[0])))
    closed = len(points) >= 4 and (piece.closed or (gap <= ONE_LINE_MM and length > 4 * width_mm))
    if closed and gap:
        points = np.vstack([points, points[:1]])
        points.flags.writeable = False
    line = LinearRing(points) if closed else LineString(points)
    return WhiteLine(name, sections, points, closed, width_mm, _largest(_buffered(line, width_mm)))


def _buffered(line: BaseGeometry, width_mm: float) -> BaseGeometry:
    return line.buffer(width_mm / 2, cap_style="flat", join_style="mitre", mitre_limit=_MITRE_LIMIT)


def _largest(shape: BaseGeometry) -> Polygon:
    parts = [p for p in getattr(shape, "geoms", [shape]) if isinstance(p, Polygon) and not p.is_empty]
    if not parts:
        raise Fault("its band has no area", "Draw it longer, or delete it.")
    return max(parts, key=lambda p: p.area)


def joined(lines: Sequence[WhiteLine]) -> list[WhiteLine]:
    """The lines with the notch filled where the butt ends of two of them meet at an angle."""
    ends = [(i, end) for i, line in enumerate(lines) if not line.closed for end in (0, -1)]
    patches: dict[int, list[BaseGeometry]] = {}
    if not ends:
        return list(lines)
    places = np.array([lines[i].points_mm[end] for i, end in ends])
    tree = shapely.STRtree(shapely.points(places))
    first, second = tree.query(shapely.points(places), predicate="dwithin", distance=ONE_LINE_MM)
    for a, b in zip(first.tolist(), second.tolist(), strict=True):
        if a < b and ends[a][0] != ends[b][0]:
            notch = _notch(lines[ends[a][0]], ends[a][1], lines[ends[b][0]], ends[b][1])
            for i in (ends[a][0], ends[b][0]):
                patches.setdefault(i, []).append(notch)
    return [_patched(line, patches.get(i, [])) for i, line in enumerate(lines)]


def _notch(a: WhiteLine, a_end: int, b: WhiteLine, b_end: int) -> BaseGeometry:
    """What is missing between two bands whose ends meet: their stretches as one line, less both bands."""
    width = min(a.width_mm, b.width_mm)
    into, out = _stretch(a, a_end, width)[::-1], _stretch(b, b_end, width)
    whole = LineString(np.vstack([into, out]) if np.hypot(*(into[-1] - out[0])) > 1e-9 else np.vstack([into, out[1:]]))
    missing = _buffered(whole, width).difference(shapely.union_all([a.band, b.band]))
    return missing.intersection(shapely.Point(into[-1]).buffer(_MITRE_LIMIT * width))


def _stretch(line: WhiteLine, end: int, width_mm: float) -> Floats:
    """The last stretch of a line, from the end inwards, as long as the band is wide; noise at the very end left out."""
    points = line.points_mm if end == 0 else line.points_mm[::-1]
    arc = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
    keep = (arc == 0) | ((arc > ONE_LINE_MM) & (arc < width_mm))
    reach = min(width_mm, float(arc[-1]))
    last = [np.interp(reach, arc, points[:, 0]), np.interp(reach, arc, points[:, 1])]
    return np.vstack([points[keep], [last]])


def _patched(line: WhiteLine, patches: Sequence[BaseGeometry]) -> WhiteLine:
    """A hair's growth of each patch makes it one piece with the band; its corners are round, a spike has no mitre."""
    real = [p.buffer(_HAIR_MM) for p in patches if p.area > _SMALLEST_NOTCH * line.width_mm**2]
    return replace(line, band=_largest(shapely.union_all([line.band, *real]))) if real else line
