"""What a stage tells those who read the ink: where a path may begin and go on, nothing of the game's rules."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from shapely.geometry import LineString, Polygon
from shapely.ops import unary_union

from referee.model import Floats, Guide, Stage
from referee.stage.course import along, with_sections


@lru_cache(maxsize=16)
def guide_of(stage: Stage) -> Guide:
    """The guide of a stage: restarts (the start first) and leaps lie in the order of the course.

    The heading is the course's own direction where it passes the arrow.
    """
    way = with_sections(along(stage.course), [section.road for section in stage.sections])
    start = _outline(stage.start)
    checkpoints = [(c.id, c.points_mm) for c in sorted(stage.checkpoints, key=lambda c: c.order)]
    landings = {zone.key: zone for zone in stage.landings}
    leaps = sorted(stage.jumps, key=lambda zone: way.place_of(zone.shape))
    return Guide(
        course=stage.course,
        start_mm=start,
        heading=way.heading_at(way.place_of(stage.start.centroid)),
        restarts=((stage.start_id, start), *checkpoints),
        leaps=tuple((_outline(zone.shape), _outline(landings[zone.key].shape)) for zone in leaps),
        finish_mm=stage.finish_mm,
        road=_rings(stage),
    )


def _rings(stage: Stage) -> tuple[Floats, ...]:
    """The rims of all roads with their white lines, outer and inner ones alike."""
    whole = unary_union([*(section.road for section in stage.sections), *(line.band for line in stage.white_lines)])
    parts = [part for part in getattr(whole, "geoms", [whole]) if isinstance(part, Polygon)]
    return tuple(np.array(ring.coords) for part in parts for ring in (part.exterior, *part.interiors))


def _outline(shape: Polygon) -> Floats:
    return np.array(LineString(shape.exterior.coords).coords)
