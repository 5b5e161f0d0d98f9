"""Contacts with less than a little path between them are one (R2)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from referee.facts import Approach, Fact, OilTouch, Spot, Touch, spot_of


def merged(items: Iterable[Fact], within_mm: float) -> list[Fact]:
    """The facts with contacts of one line, or of one spill, joined, and all in path order.

    A way back over a line that no contact leads up to is left out: it belongs to an excursion that is judged.
    """
    lines: dict[tuple[int, int], list[Touch]] = {}
    spills: dict[tuple[int, str], list[OilTouch]] = {}
    rest: list[Fact] = []
    for fact in items:
        match fact:
            case Touch():
                lines.setdefault((fact.first.stroke, fact.line), []).append(fact)
            case OilTouch() if fact.margin.mm <= 0:
                spills.setdefault((fact.first.stroke, fact.element), []).append(fact)
            case _:
                rest.append(fact)
    touches: list[Fact] = [t for row in lines.values() for t in _joined_lines(row, within_mm) if not t.from_outside]
    touches += [t for row in spills.values() for t in _joined_spills(row, within_mm)]
    return sorted(rest + touches, key=in_path_order)


ORDER = {"Begin": 0, "Approach": 2, "End": 9}


def in_path_order(fact: Fact) -> tuple[int, float, int]:
    """Sorts facts along the path; at one place a stroke's beginning comes first and its end last."""
    spot = spot_of(fact)
    return spot.stroke, spot.arc_mm, ORDER.get(type(fact).__name__, 1)


def _joined_lines(row: list[Touch], within_mm: float) -> list[Touch]:
    out: list[Touch] = []
    for touch in sorted(row, key=lambda t: t.first.arc_mm):
        if out and touch.first.arc_mm - out[-1].last.arc_mm < within_mm:
            out[-1] = _one(out[-1], touch)
        else:
            out.append(touch)
    return out


def _one(a: Touch, b: Touch) -> Touch:
    deeper = a if a.margin.mm <= b.margin.mm else b
    outer = a if a.out is not None else b
    return replace(
        a,
        last=b.last,
        low=deeper.low,
        margin=deeper.margin,
        element=deeper.element,
        edge_mm=deeper.edge_mm,
        out=outer.out,
        out_element=outer.out_element,
        from_outside=a.from_outside,
    )


def _joined_spills(row: list[OilTouch], within_mm: float) -> list[OilTouch]:
    out: list[OilTouch] = []
    for touch in sorted(row, key=lambda t: t.first.arc_mm):
        if out and touch.first.arc_mm - out[-1].last.arc_mm < within_mm:
            deeper = out[-1] if out[-1].margin.mm <= touch.margin.mm else touch
            out[-1] = replace(deeper, first=out[-1].first, last=touch.last)
        else:
            out.append(touch)
    return out


def covers(approach: Approach, spot: Spot) -> bool:
    """Whether a place on the path lies within an approach."""
    return approach.first.stroke == spot.stroke and approach.first.arc_mm <= spot.arc_mm <= approach.last.arc_mm
