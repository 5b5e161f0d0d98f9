"""The toys and cards as a PDF to print at exact size: fronts and backs, lines and areas, a ruler on every page."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from referee.paper import INK, RULER_MM, begin_page, new_pdf, ruler, words
from referee.turbo_time.art.cards import CARD_MM, card, card_back
from referee.turbo_time.art.ink import draw
from referee.turbo_time.art.pencil import Art
from referee.turbo_time.art.tiles import TILE_MM, every_tile, tile, tile_back
from referee.turbo_time.cards import CARDS
from referee.turbo_time.faults import BadNotation
from referee.turbo_time.settings import STANDARD, Settings
from referee.turbo_time.words import say
from referee.words import Language, told

Canvas = Any
PAPERS_MM = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
TILES_ACROSS, CARDS_ACROSS, CARDS_A_PAGE = 4, 3, 9
TOP_MM = 7.5
"""Above the pieces: most printers leave 5 mm white."""
FOOT_MM = 13.0
"""The ruler's line above the paper's lower edge."""
_GAP_MM, _MARK_MM = 0.7, 3.0
"""Between a cut mark and the pieces; its length."""


@dataclass(frozen=True)
class Sheet:
    """One page: pieces of a size in rows, and what is said under the ruler."""

    pieces: tuple[Art, ...]
    across: int
    piece_mm: tuple[float, float]
    title: str

    @property
    def down(self) -> int:
        """How many rows."""
        return -(-len(self.pieces) // self.across)


def sheets(settings: Settings = STANDARD, language: Language = "en", backs: bool = True) -> Iterator[Sheet]:
    """The toys, then the cards; each page of fronts with its page of backs behind it, unless they are not wanted."""
    toys = tuple(tile(toy, nth, language) for toy, nth in every_tile())
    yield from _both_sides(toys, tile_back(), TILES_ACROSS, (TILE_MM, TILE_MM), "toys", language, backs)
    cards = [card(number, settings, language) for number in CARDS]
    for at in range(0, len(cards), CARDS_A_PAGE):
        page = tuple(cards[at : at + CARDS_A_PAGE])
        yield from _both_sides(page, card_back(), CARDS_ACROSS, CARD_MM, "cards", language, backs)


def _both_sides(
    fronts: tuple[Art, ...], back: Art, across: int, size: tuple[float, float], what: str, language: Language,
    backs: bool,
) -> Iterator[Sheet]:  # fmt: skip
    yield Sheet(fronts, across, size, told(say(f"sheet.{what}"), language))
    if backs:
        yield Sheet((back,) * len(fronts), across, size, told(say(f"sheet.{what}-backs"), language))


def print_pdf(paper: str = "a4", settings: Settings = STANDARD, language: Language = "en", backs: bool = True) -> bytes:
    """All pages as a PDF, the same bytes each time; raises `BadNotation` for another paper than a4 or letter."""
    if paper not in PAPERS_MM:
        raise BadNotation("paper", came=paper[:20])
    paper_mm, out = PAPERS_MM[paper], io.BytesIO()
    canvas = new_pdf(out, paper_mm, "It's Turbo Time: toys and cards")
    for sheet in sheets(settings, language, backs):
        _page(canvas, sheet, paper_mm, told(say("sheet.actual-size"), language))
    canvas.save()
    return out.getvalue()


def places_mm(sheet: Sheet, paper_mm: tuple[float, float]) -> list[tuple[float, float]]:
    """The top left of each piece: in the middle across, so that backs lie behind their fronts."""
    w, h = sheet.piece_mm
    left = (paper_mm[0] - sheet.across * w) / 2
    rows = (divmod(at, sheet.across) for at in range(len(sheet.pieces)))
    return [(left + column * w, TOP_MM + row * h) for row, column in rows]


def _page(canvas: Canvas, sheet: Sheet, paper_mm: tuple[float, float], actual_size: str) -> None:
    begin_page(canvas, paper_mm)
    spots = places_mm(sheet, paper_mm)
    for piece, (x, y) in zip(sheet.pieces, spots, strict=True):
        canvas.saveState()
        canvas.transform(1, 0, 0, 1, x, y)
        draw(canvas, piece)
        canvas.restoreState()
    _cut_marks(canvas, sheet, spots)
    foot = paper_mm[1] - FOOT_MM
    ruler(canvas, (paper_mm[0] - RULER_MM) / 2, foot)
    words(canvas, f"{sheet.title} {actual_size}", paper_mm[0] / 2, foot + 6.8, 2.5, middle=True)
    canvas.showPage()


def _cut_marks(canvas: Canvas, sheet: Sheet, spots: Sequence[tuple[float, float]]) -> None:
    """Short lines outside the pieces, on the lines to cut along."""
    (left, top), (w, h) = spots[0], sheet.piece_mm
    right, low = left + sheet.across * w, top + sheet.down * h
    canvas.saveState()
    canvas.setStrokeColorRGB(*INK)
    canvas.setLineWidth(0.15)
    for column in range(sheet.across + 1):
        x = left + column * w
        canvas.line(x, top - _GAP_MM, x, top - _MARK_MM)
        canvas.line(x, low + _GAP_MM, x, low + _MARK_MM)
    for row in range(sheet.down + 1):
        y = top + row * h
        canvas.line(left - _GAP_MM, y, left - _MARK_MM, y)
        canvas.line(right + _GAP_MM, y, right + _MARK_MM, y)
    canvas.restoreState()
