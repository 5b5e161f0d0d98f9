"""The accidents on a stage as a picture: SVG in board millimetres over the stage's own print, paled.

Every cause has a shape of its own, so that nobody needs to tell colours apart.  Accidents of one cause that happened
at one place become one mark, the larger the more they are, with their number.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import sqrt

import numpy as np

from referee.model import Floats, Section, Stage
from referee.service.history.places import CAUSES, Accident, OnStage, distances_mm
from referee.service.language import say

CELL_MM = 6.0
"""Accidents of one cause in one such square become one mark."""
LARGEST = 2.2
"""How much larger than a single accident's a mark can get."""
PALE = 0.42
DARKEST = 0.5
"""How dark the section with the most accidents is shaded."""
WAYS = 24
REACHES_MM = (14.0, 17.0, 20.0, 24.0, 28.0, 34.0, 40.0)
CLEAR_MM = 7.5
"""A section's number has so much room around its middle."""
CROSS = "M-2.6 -2.6L2.6 2.6M2.6 -2.6L-2.6 2.6"
SHAPES: Mapping[str, tuple[str, bool]] = {
    "white-line": (CROSS, False),
    "lift": ("M-2.8 0A2.8 2.8 0 1 0 2.8 0A2.8 2.8 0 1 0 -2.8 0Z", False),
    "jump": ("M0 -3.2L3.1 2.4L-3.1 2.4Z", True),
    "slowdown-missed": ("M-2.6 -2.6H2.6V2.6H-2.6Z", True),
    "donuts-missing": (
        "M-3 0A3 3 0 1 0 3 0A3 3 0 1 0 -3 0ZM-1.2 0A1.2 1.2 0 1 1 1.2 0A1.2 1.2 0 1 1 -1.2 0Z",
        True,
    ),
    "checkpoint-missed": ("M0 -3.4L3.4 0L0 3.4L-3.4 0Z", False),
    "start": ("M-2.4 -3L3.2 0L-2.4 3Z", False),
    "clothesline": ("M-3 0H3M-3 -2.6V2.6M3 -2.6V2.6", False),
    "mine": ("M-3 0A3 3 0 1 0 3 0A3 3 0 1 0 -3 0ZM-2.1 -2.1L2.1 2.1M2.1 -2.1L-2.1 2.1", False),
}
"""Of each cause: its shape, about 6 mm wide, and whether it is filled."""


@dataclass(frozen=True)
class Mark:
    """Some accidents of one cause at one place: their middle and their number."""

    cause: str
    at_mm: tuple[float, float]
    count: int

    @property
    def scale(self) -> float:
        """How large it is drawn: its area grows with its number."""
        return min(LARGEST, 0.85 + 0.15 * sqrt(self.count))


def marks_of(found: Sequence[Accident]) -> list[Mark]:
    """Marks for accidents, the larger ones first, so that the smaller ones lie on top."""
    cells: dict[tuple[str, int, int], list[tuple[float, float]]] = {}
    for accident in found:
        x, y = accident.at_mm
        cells.setdefault((accident.cause, round(x / CELL_MM), round(y / CELL_MM)), []).append(accident.at_mm)
    marks = []
    for (cause, _, _), places in cells.items():
        x, y = np.mean(places, axis=0)
        marks.append(Mark(cause, (float(x), float(y)), len(places)))
    return sorted(marks, key=lambda mark: (-mark.count, mark.cause, mark.at_mm))


def picture(stage: Stage, seen: OnStage, print_address: str) -> str:
    """The picture of a stage's accidents as one SVG element."""
    w, h = stage.size_mm
    label = say("history.places.picture", stage=stage.number, name=stage.name, count=len(seen.accidents))
    return "".join(
        (
            f'<svg class="accident-map" viewBox="0 0 {w:g} {h:g}" role="img" aria-label="{escape(label)}">',
            f'<rect width="{w:g}" height="{h:g}" fill="#fff"/>',
            f'<image href="{escape(print_address)}" width="{w:g}" height="{h:g}" opacity="{PALE}"/>',
            '<g class="shades">',
            *_shades(stage, seen),
            '</g><g class="section-numbers">',
            *_numbers(stage),
            '</g><g class="accident-marks">',
            *(_mark(mark) for mark in marks_of(seen.accidents)),
            "</g></svg>",
        )
    )


def symbol(cause: str) -> str:
    """The shape of a cause for the legend."""
    return f'<svg class="accident-symbol" viewBox="-4.5 -4.5 9 9" aria-hidden="true">{_shape(cause)}</svg>'


def _shades(stage: Stage, seen: OnStage) -> Iterator[str]:
    counts = {number: sum(counter.values()) for number, counter in seen.by_section().items()}
    most = max(counts.values(), default=0)
    for section in stage.sections:
        if share := counts.get(section.number, 0) / max(most, 1):
            points = " ".join(f"{x:.1f},{y:.1f}" for x, y in section.road.exterior.coords)
            yield f'<polygon points="{points}" opacity="{DARKEST * share:.2f}"/>'


def _mark(mark: Mark) -> str:
    x, y = mark.at_mm
    title = say("history.places.mark", cause=say(f"history.cause.{mark.cause}"), count=mark.count)
    number = (
        f'<text x="{2.6 * mark.scale:.1f}" y="{-1.8 * mark.scale:.1f}">{mark.count}</text>' if mark.count > 1 else ""
    )
    return (
        f'<g transform="translate({x:.1f} {y:.1f})"><title>{escape(title)}</title>'
        f'<g transform="scale({mark.scale:.2f})">{_shape(mark.cause)}</g>{number}</g>'
    )


def _shape(cause: str) -> str:
    path, filled = SHAPES.get(cause, (CROSS, False))
    kind = cause if cause in CAUSES else "other"
    return f'<path class="halo" d="{path}"/><path class="cause {kind}{" full" if filled else ""}" d="{path}"/>'


def _numbers(stage: Stage) -> Iterator[str]:
    """Each section's number beside its road, tied to it by a line, so that it hides no mark."""
    taken: list[Floats] = []
    for section in stage.sections:
        middle = _middle(section)
        place = _beside(stage, middle, taken)
        taken.append(place)
        (x, y), (at_x, at_y) = place, middle
        yield (
            f'<line x1="{at_x:.1f}" y1="{at_y:.1f}" x2="{x:.1f}" y2="{y:.1f}"/>'
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5"/>'
            f'<text x="{x:.1f}" y="{y:.1f}" dy="2.1">{section.number}</text>'
        )


def _beside(stage: Stage, middle: Floats, taken: Sequence[Floats]) -> Floats:
    """The nearest place on the board beside all roads and clear of other numbers; the middle if there is none."""
    turns = np.arange(WAYS) * 2 * np.pi / WAYS
    reached = [middle + reach * np.array([np.cos(turn), np.sin(turn)]) for reach in REACHES_MM for turn in turns]
    places = np.array(reached)
    clear = np.all((places > CLEAR_MM) & (places < np.array(stage.size_mm) - CLEAR_MM), axis=1)
    for section in stage.sections:
        clear &= distances_mm(places, np.asarray(section.road.exterior.coords)) > CLEAR_MM
    for other in taken:
        clear &= np.hypot(*(places - other).T) > 2 * CLEAR_MM
    return np.asarray(places[np.argmax(clear)] if clear.any() else middle)


def _middle(section: Section) -> Floats:
    """A place inside a section's road."""
    point = section.road.representative_point()
    return np.array([point.x, point.y])
