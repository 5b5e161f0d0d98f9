"""Gadgets in the report: in words, in JSON, as outlines on the board and in close-ups."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from referee.model import Floats, Gadget, Json, Stage, UnseenStretch, place_name
from referee.report.places import rim, whereabouts

GADGETS = "Drawn on the board before the race"
NOT_SEEN_BEFORE = "Not to be seen in the picture from before the race"
NONE_DRAWN = "No gadget is to be seen in the picture from before the race."
OTHER = "Something else that somebody drew"
NO_EFFECT = "It has no effect."
WAIT = "Whether running into it counts is for you to decide."


def gadget_words(gadget: Gadget, stage: Stage | None) -> str:
    """A gadget in a sentence or two: which, where along the course, what is wrong about it."""
    name = OTHER if gadget.kind == "other" else place_name(gadget.id).capitalize()
    at = UnseenStretch(gadget.course_mm, gadget.course_mm, "covered")
    where = f", {whereabouts(stage, at)}" if stage else ""
    if gadget.fault is None:
        return f"{name}{where}.{f' {NO_EFFECT}' if gadget.kind == 'other' else ''}"
    wait = "" if gadget.fault.code == "competitive-only" else f" {WAIT}"
    return f"{name}{where}: not as it should be. {gadget.fault.text}{wait}"


def gadget_json(gadget: Gadget) -> Json:
    """A gadget as the report has it; ``fault`` only where there is one."""
    at = [round(gadget.at_mm[0], 2), round(gadget.at_mm[1], 2)]
    told: Json = {"id": gadget.id, "kind": gadget.kind, "at_mm": at}
    return told | ({"fault": gadget.fault.text, "fault_code": gadget.fault.code} if gadget.fault else {})


def gadget_outlines(gadgets: Sequence[Gadget], element: str | None) -> list[Floats]:
    """The lines (N, 2) in mm that a gadget of this name is made of; none if there is no such gadget."""
    return [line for gadget in gadgets if gadget.id == element for line in _lines(gadget)]


def _lines(gadget: Gadget) -> list[Floats]:
    return [rim(gadget.ink), *(line[1:-1] for line in gadget.dotted_mm)]


def gadget_marks(gadgets: Sequence[Gadget]) -> Iterator[str]:
    """Every gadget's outlines as SVG, in mm; one that is not as it should be has a class of its own."""
    for gadget in gadgets:
        css = "gadget faulty" if gadget.fault else "gadget"
        title = escape(OTHER if gadget.kind == "other" else place_name(gadget.id))
        lines = "".join(f'<polyline points="{_points(line)}"/>' for line in _lines(gadget))
        yield f'<g class="{css}"><title>{title}</title>{lines}</g>'


def _points(points_mm: Floats) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points_mm)
