"""Gadgets in the report: in words, in JSON, as outlines on the board and in close-ups."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from referee.model import Floats, Gadget, Json, Stage, UnseenStretch
from referee.report.places import rim, whereabouts
from referee.words import Language, Phrase, Place, joined, say, told

GADGETS = say("gadget.title")
NOT_SEEN_BEFORE = say("gadget.unseen")
NONE_DRAWN = say("gadget.none")


def gadget_words(gadget: Gadget, stage: Stage | None) -> Phrase:
    """A gadget in a sentence or two: which, where along the course, what is wrong about it."""
    at = UnseenStretch(gadget.course_mm, gadget.course_mm, "covered")
    place = say("gadget.where", name=_name(gadget), where=whereabouts(stage, at)) if stage else _name(gadget)
    if gadget.fault is None:
        return say("gadget.no-effect" if gadget.kind == "other" else "gadget.line", gadget=place)
    faulty = say("gadget.faulty", gadget=place, fault=gadget.fault.text)
    return faulty if gadget.fault.code == "competitive-only" else joined(faulty, say("gadget.for-you"))


def _name(gadget: Gadget) -> Phrase:
    return say("gadget.other") if gadget.kind == "other" else say("gadget.name", element=Place(gadget.id))


def gadget_json(gadget: Gadget) -> Json:
    """A gadget as the report has it; ``fault`` only where there is one."""
    at = [round(gadget.at_mm[0], 2), round(gadget.at_mm[1], 2)]
    told: Json = {"id": gadget.id, "kind": gadget.kind, "at_mm": at}
    return told | ({"fault": str(gadget.fault.text), "fault_code": gadget.fault.code} if gadget.fault else {})


def gadget_outlines(gadgets: Sequence[Gadget], element: str | None) -> list[Floats]:
    """The lines (N, 2) in mm that a gadget of this name is made of; none if there is no such gadget."""
    return [line for gadget in gadgets if gadget.id == element for line in _lines(gadget)]


def _lines(gadget: Gadget) -> list[Floats]:
    return [rim(gadget.ink), *(line[1:-1] for line in gadget.dotted_mm)]


def gadget_marks(gadgets: Sequence[Gadget], language: Language = "en") -> Iterator[str]:
    """Every gadget's outlines as SVG, in mm; one that is not as it should be has a class of its own."""
    for gadget in gadgets:
        css = "gadget faulty" if gadget.fault else "gadget"
        lines = "".join(f'<polyline points="{_points(line)}"/>' for line in _lines(gadget))
        yield f'<g class="{css}"><title>{escape(told(_name(gadget), language))}</title>{lines}</g>'


def _points(points_mm: Floats) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points_mm)
