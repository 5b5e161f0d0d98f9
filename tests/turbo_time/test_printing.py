"""Toys and cards on paper: exact size, every page with its ruler, backs that tell nothing, words that fit."""

from __future__ import annotations

import base64
import re
import zlib
from itertools import pairwise

import numpy as np
import pytest
from reportlab.pdfbase.pdfmetrics import stringWidth

from referee.turbo_time.art.cards import CARD_MM, card, card_back
from referee.turbo_time.art.ink import svg
from referee.turbo_time.art.pencil import Art, Mark, Placed, Words
from referee.turbo_time.art.tiles import TILE_MM, every_tile, picture, tile, tile_back
from referee.turbo_time.faults import BadNotation
from referee.turbo_time.settings import STANDARD, Settings
from referee.turbo_time.sheets import FOOT_MM, PAPERS_MM, TOP_MM, Sheet, places_mm, print_pdf, sheets
from referee.words import LANGUAGES, Language
from tests.turbo_time.raster import drawn

MM = 72 / 25.4
RETELLING = Settings(flip="retelling")


def streams(pdf: bytes) -> list[str]:
    """The drawing orders of each page."""
    found = re.findall(rb"/Filter \[ /ASCII85Decode /FlateDecode \].*?stream\r?\n(.*?)endstream", pdf, re.DOTALL)
    return [zlib.decompress(base64.a85decode(data.strip().removesuffix(b"~>"))).decode("latin-1") for data in found]


def all_words(art: Art) -> list[Words]:
    """The words of a drawing, wherever in it."""
    inside = [word for part in art if isinstance(part, Placed) for word in all_words(part.art)]
    return [part for part in art if isinstance(part, Words)] + inside


@pytest.mark.parametrize("paper", PAPERS_MM)
def test_every_page_is_of_its_paper_and_has_a_ruler_of_100_mm_and_no_pixels(paper: str) -> None:
    pdf = print_pdf(paper)
    w, h = PAPERS_MM[paper]
    boxes = re.findall(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", pdf)
    assert len(boxes) == 10
    assert np.allclose(np.array(boxes, float), (w * MM, h * MM), atol=0.01)
    pages = streams(pdf)
    assert len(pages) == 10
    for page in pages:
        unit = re.search(r"([\d.]+) 0 0 -([\d.]+) 0 [\d.]+ cm", page)
        assert unit
        assert float(unit[1]) == pytest.approx(MM, abs=1e-5)
        assert [float(line) for line in re.findall(r"n 0 0 m ([\d.]+) 0 l S", page) if float(line) > 50] == [100.0]
    assert b"/Subtype /Image" not in pdf


def test_the_same_set_gives_the_same_bytes() -> None:
    assert print_pdf("a4") == print_pdf("a4")


def test_other_paper_is_refused() -> None:
    with pytest.raises(BadNotation, match="“a3” is no paper"):
        print_pdf("a3")


@pytest.mark.parametrize("paper", PAPERS_MM)
def test_pieces_lie_clear_of_the_rim_and_of_the_ruler_and_backs_behind_fronts(paper: str) -> None:
    w, h = PAPERS_MM[paper]
    for sheet in sheets():
        spots = np.array(places_mm(sheet, (w, h)))
        right, low = spots.max(axis=0) + sheet.piece_mm
        assert spots.min() >= 5
        assert right == pytest.approx(w - spots[:, 0].min())  # as far from the right as from the left
        assert low <= h - FOOT_MM - 3.6
        assert TOP_MM > 5


def test_there_are_sixteen_toys_and_thirty_six_cards_each_page_with_its_backs() -> None:
    pages = list(sheets())
    assert [len(page.pieces) for page in pages] == [16, 16, 9, 9, 9, 9, 9, 9, 9, 9]
    assert [page.piece_mm for page in pages[::2]] == [(46, 46)] + [(60, 84)] * 4
    assert all(len(set(map(id, back.pieces))) == 1 for back in pages[1::2])
    assert [len(page.pieces) for page in sheets(backs=False)] == [16, 9, 9, 9, 9]
    fronts: list[Sheet] = list(sheets(backs=False))
    assert len({piece for page in fronts for piece in page.pieces}) == 16 + 36


def test_every_toy_is_drawn_otherwise() -> None:
    assert len({picture(toy, nth) for toy, nth in every_tile()}) == 16


def test_the_back_of_a_tile_is_the_same_whichever_way_it_is_turned() -> None:
    pixels = drawn(svg(tile_back(), (TILE_MM, TILE_MM)), (TILE_MM, TILE_MM), 5).astype(int)
    for turns in (1, 2, 3):
        assert np.abs(pixels - np.rot90(pixels, turns)).mean() < 1.5


def test_the_back_of_a_card_is_the_same_upside_down() -> None:
    pixels = drawn(svg(card_back(), CARD_MM), CARD_MM, 5).astype(int)
    assert np.abs(pixels - np.rot90(pixels, 2)).mean() < 1.5


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("settings", [STANDARD, RETELLING], ids=["rulebook", "retelling"])
def test_all_words_fit_on_their_pieces(language: Language, settings: Settings) -> None:
    pieces = [(card(number, settings, language), CARD_MM) for number in range(1, 37)]
    pieces += [(tile(toy, nth, language), (TILE_MM, TILE_MM)) for toy, nth in every_tile()]
    for art, (w, h) in pieces:
        for word in (part for part in art if isinstance(part, Words)):
            half = stringWidth(word.text, "Helvetica-Bold" if word.bold else "Helvetica", word.size) / 2
            assert word.x - half >= 2.6
            assert word.x + half <= w - 2.6
            assert word.y <= h - 3.2


def test_a_card_says_its_number_and_what_its_power_does() -> None:
    said = [word.text for word in all_words(card(3))]
    assert said[:2] == ["3", "Flip!"]
    assert " ".join(said[2:]) == "Turn any toy face up. If you like, swap it with one in your cart."
    assert "cachée" in " ".join(word.text for word in all_words(card(3, RETELLING, "fr")))


def test_a_path_is_made_of_steps_that_both_kinds_of_paper_know() -> None:
    for toy, nth in every_tile():
        for mark in marks(tile(toy, nth)):
            assert re.fullmatch(r"(M-?[\d.]+ -?[\d.]+([LCMZ][-\d. ]*)*)+", mark.path)
            assert all(a + b != "ZZ" for a, b in pairwise(mark.path))


def marks(art: Art) -> list[Mark]:
    inside = [mark for part in art if isinstance(part, Placed) for mark in marks(part.art)]
    return [part for part in art if isinstance(part, Mark)] + inside
