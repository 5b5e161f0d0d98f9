"""Ink and oil spills (R9): where it touches the purple line's outer edge, and how close it comes."""

from __future__ import annotations

import numpy as np

from referee.facts import Approach, Margin, OilTouch
from referee.geometry.outlines import nearest_edges, outline_margins
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
        margin = outline_margins(discs, spill.reach, LOOK_MM)
        for a, b in runs(margin <= 0):
            found.append(_touch(discs, spill, margin, a, b))
        for a, b in runs(margin < near_mm):
            touch = _touch(discs, spill, margin, a, b)
            found.append(_approach(touch))
            if 0 < touch.margin.mm <= DOUBT_MM:
                found.append(touch)
    return found


def _touch(discs: Discs, spill: OilSpill, margin: Floats, a: int, b: int) -> OilTouch:
    low = a + int(np.argmin(margin[a:b]))
    return OilTouch(
        first=discs.spot(a),
        last=discs.spot(b - 1),
        low=discs.spot(low),
        margin=Margin(float(margin[low]), float(discs.sigma_mm[low])),
        element=spill.id,
        edge_mm=nearest_edges(discs, low, spill.reach),
    )


def _approach(touch: OilTouch) -> Approach:
    return Approach("oil-spill", touch.first, touch.last, touch.low, touch.margin, touch.element, edge_mm=touch.edge_mm)
