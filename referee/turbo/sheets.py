"""A circuit as a PDF to print at exact size: on one A3 sheet, or on two of A4 or Letter; a ruler on every page."""

from __future__ import annotations

import io
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from referee.paper import INK, RULER_MM, begin_page, new_pdf, ruler, words
from referee.stage.document import Document, read_document
from referee.stage.faults import Fault
from referee.stage.printing_paint import Painting, painting_of
from referee.turbo.faults import BadCircuit, BadNotation
from referee.turbo.load import Board
from referee.turbo.words import say
from referee.words import Language, told

Canvas = Any
PAPERS_MM = {"a4": (210.0, 297.0), "letter": (215.9, 279.4), "a3": (420.0, 297.0)}
RIM_MM, HEAD_MM, FOOT_MM = 5.0, 4.0, 14.0
"""Paper kept free: most printers leave 5 mm white, and the ruler needs room below."""
_GAP_MM, _MARK_MM = 0.7, 3.0
"""Between a cut mark and the circuit; its length."""


@dataclass(frozen=True)
class Sheet:
    """A page: the window of the circuit that it shows, x, y, width and height in mm, which of how many it is."""

    window_mm: tuple[float, float, float, float]
    nth: int
    count: int


def sheets(size_mm: tuple[float, float], paper_mm: tuple[float, float]) -> list[Sheet]:
    """A circuit parted into windows of one size, as few as the paper allows, row by row."""
    room = paper_mm[0] - 2 * RIM_MM, paper_mm[1] - HEAD_MM - FOOT_MM
    across, down = (_cuts(size, most) for size, most in zip(size_mm, room, strict=True))
    windows = [(x, y, right - x, low - y) for y, low in pairwise(down) for x, right in pairwise(across)]
    return [Sheet(window, nth, len(windows)) for nth, window in enumerate(windows, 1)]


def _cuts(size: float, room: float) -> list[float]:
    count = -(-size // room)
    return [size * at / count for at in range(int(count) + 1)]


def print_pdf(board: Board, paper: str = "a4", language: Language = "en") -> bytes:
    """All pages as a PDF, the same bytes each time; raises `BadNotation` for another paper than a4, letter or a3."""
    if paper not in PAPERS_MM:
        raise BadNotation("paper", came=paper[:20])
    document, painting = _painted(board)
    paper_mm, out = PAPERS_MM[paper], io.BytesIO()
    canvas = new_pdf(out, paper_mm, f"Turbo: {board.circuit.name}")
    for sheet in sheets(board.size_mm, paper_mm):
        begin_page(canvas, paper_mm)
        _window(canvas, sheet, paper_mm, document, painting)
        _round_it(canvas, sheet, paper_mm, _notes(board.circuit.name, sheet, language))
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def _painted(board: Board) -> tuple[Document, Painting]:
    try:
        document = read_document(board.svg)
        return document, painting_of(document)
    except Fault as fault:
        raise BadCircuit(f"{fault.what}.", fault.cure, fault.element, board.source) from None


def _notes(name: str, sheet: Sheet, language: Language) -> list[str]:
    """What stands under the ruler."""
    many = sheet.count > 1
    title = say("sheet.part", name=name, nth=sheet.nth, count=sheet.count) if many else say("sheet.title", name=name)
    what = [told(say("sheet.actual-size"), language)] + ([told(say("sheet.glue"), language)] if many else [])
    return [told(title, language) + ". " + " ".join(what)]


def _corner(sheet: Sheet, paper_mm: tuple[float, float]) -> tuple[float, float]:
    """Where the window's top left lies on the paper."""
    return (paper_mm[0] - sheet.window_mm[2]) / 2, HEAD_MM


def _window(
    canvas: Canvas, sheet: Sheet, paper_mm: tuple[float, float], document: Document, painting: Painting
) -> None:
    """The part of the circuit that the sheet shows."""
    (left, top), (x, y, w, h) = _corner(sheet, paper_mm), sheet.window_mm
    canvas.saveState()
    clip = canvas.beginPath()
    clip.rect(left, top, w, h)
    canvas.clipPath(clip, stroke=0, fill=0)
    canvas.transform(1, 0, 0, 1, left - x, top - y)
    (a, c, e), (b, d, f) = document.to_board.tolist()
    canvas.transform(a, b, c, d, e, f)
    painting.play(canvas)
    canvas.restoreState()


def _round_it(canvas: Canvas, sheet: Sheet, paper_mm: tuple[float, float], notes: list[str]) -> None:
    """Cut marks, the ruler, and what to do."""
    (left, top), (_, _, w, h) = _corner(sheet, paper_mm), sheet.window_mm
    canvas.saveState()
    canvas.setStrokeColorRGB(*INK)
    canvas.setLineWidth(0.15)
    for x in (left, left + w):
        canvas.line(x, top - _GAP_MM, x, top - _MARK_MM)
        canvas.line(x, top + h + _GAP_MM, x, top + h + _MARK_MM)
    canvas.restoreState()
    foot = paper_mm[1] - FOOT_MM + 3.0
    ruler(canvas, (paper_mm[0] - RULER_MM) / 2, foot)
    for at, note in enumerate(notes):
        words(canvas, note, paper_mm[0] / 2, foot + 6.6 + 3.0 * at, 2.4, middle=True)
