"""Boards on paper: exact size, every look that a drawing program writes, both copies' markers, seams and rulers."""

from __future__ import annotations

import base64
import re
import shutil
import subprocess
import zlib
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from shapely.geometry import Point

from referee.errors import WrongUsage
from referee.model import Stage
from referee.stage.load import load_stage, parse_stage
from referee.stage.printing import _letter_spots, print_pdf
from referee.stage.printing_extras import AREA_MM, CARDS, EXTRAS, ScoreLine
from referee.stage.printing_sheets import PAPERS_MM, TAB_MM, sheets_of
from referee.stage.render import artwork

BUILT_IN = Path(__file__).resolve().parents[2] / "stage_masks"
NUMBERS = range(1, 17)
MM = 72 / 25.4
needs_pdftoppm = pytest.mark.skipif(shutil.which("pdftoppm") is None, reason="pdftoppm draws the PDF")


@cache
def stage(number: int) -> Stage:
    return load_stage(BUILT_IN / f"stage-{number:02d}.svg")


def with_art(art: str) -> Stage:
    """A small plain stage with more artwork on it."""
    return parse_stage(PLAIN.replace("</svg>", art + "</svg>").encode(), "plain.svg")


PLAIN = """<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"
width="120mm" height="80mm" viewBox="0 0 120 80" data-stage-format="1" data-stage="3" data-name="Plain">
<rect width="120" height="80" fill="#cfe8b0"/>
<g data-section="1"><path id="road-1" data-kind="road" d="M20 60H100V76H20Z" fill="#bbb"/>
<path id="white-line-1" data-kind="white-line" d="M20 59H100M20 77H100" stroke="#fff" stroke-width="2"/></g>
<path id="start" data-kind="start" d="M24 65h8l4 3l-4 3h-8z" fill="green"/>
<path id="finish" data-kind="finish" d="M94 60V76" stroke="#888"/>
<path id="course" data-kind="course" d="M20 68H100" fill="none"/>
</svg>"""


def of_size(width: int, height: int) -> Stage:
    """The same board on a larger sheet."""
    svg = PLAIN.replace('width="120mm" height="80mm"', f'width="{width}mm" height="{height}mm"')
    return parse_stage(svg.replace("0 0 120 80", f"0 0 {width} {height}").encode(), "plain.svg")


def streams(pdf: bytes) -> list[str]:
    """The drawing orders of each page."""
    found = re.findall(rb"/Filter \[ /ASCII85Decode /FlateDecode \].*?stream\r?\n(.*?)endstream", pdf, re.DOTALL)
    texts = [zlib.decompress(base64.a85decode(data.strip().removesuffix(b"~>"))) for data in found]
    return [text.decode("latin-1") for text in texts if b" cm" in text]


def page_boxes(pdf: bytes) -> list[tuple[float, float]]:
    found = re.findall(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", pdf)
    return [(float(w), float(h)) for w, h in found]


def ruled(pages: list[str]) -> list[list[float]]:
    """The rulers of each page, whatever lies between the page's own unit and theirs."""
    return [rulers_mm(page) for page in pages]


def rulers_mm(page: str) -> list[float]:
    """Lengths of the rulers on a page: lines in a matrix that is mm on paper."""
    first = re.search(r"([\d.]+) 0 0 -([\d.]+) 0 [\d.]+ cm", page)
    assert first
    per_unit = float(first[1]) / MM
    return [float(m[1]) * per_unit for m in re.finditer(r"n 0 0 m ([\d.]+) 0 l S", page) if float(m[1]) > 50]


def on_paper(pdf: bytes, page: int, px_per_mm: float, folder: Path) -> np.ndarray:
    """A page as RGB pixels."""
    (folder / "board.pdf").write_bytes(pdf)
    dots = str(px_per_mm * 25.4)
    call = ["pdftoppm", "-r", dots, "-f", str(page), "-l", str(page), "-png", "-singlefile", "board.pdf", "page"]
    subprocess.run(call, cwd=folder, check=True)
    return np.asarray(Image.open(folder / "page.png").convert("RGB")).astype(int)


def far_off(print_rgb: np.ndarray, art_rgb: np.ndarray) -> tuple[float, float]:
    """How far a print is from the artwork: the mean difference, and the share of pixels that are quite different.

    Edges differ by how two programs soften them: a pixel counts if no neighbour of it in the artwork is like it.
    """
    h, w = min(print_rgb.shape[0], art_rgb.shape[0]), min(print_rgb.shape[1], art_rgb.shape[1])
    a, b = print_rgb[:h, :w], np.pad(art_rgb[:h, :w], ((1, 1), (1, 1), (0, 0)), mode="edge")
    around = np.stack([b[y : y + h, x : x + w] for y in range(3) for x in range(3)])
    low, high = around.min(axis=0), around.max(axis=0)
    outside = np.maximum(low - a, a - high).clip(0).max(axis=2)
    return float(np.abs(a - art_rgb[:h, :w]).mean()), float((outside > 24).mean())


def markers_seen(page: np.ndarray) -> dict[int, np.ndarray]:
    """Markers on a page by their ids: corners (4, 2) in pixels, top left first."""
    import cv2

    setting = cv2.aruco.DetectorParameters()
    setting.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary, setting).detectMarkers(cv2.cvtColor(page, cv2.COLOR_RGB2GRAY))
    return dict(zip(ids.ravel().tolist(), (c.reshape(4, 2) for c in corners), strict=True))


# ----------------------------------------------------------------------------------------- size


def test_an_a4_board_fills_its_page_after_a_page_of_checks() -> None:
    pdf = print_pdf([of_size(297, 210), of_size(297, 210)], "a4")
    boxes = page_boxes(pdf)
    assert len(boxes) == 1 + 2 * 2
    assert boxes == [pytest.approx((297 * MM, 210 * MM), abs=0.001)] * 5
    assert rulers_mm(streams(pdf)[0]) == pytest.approx([100, 100], abs=0.001)


def test_every_letter_sheet_has_a_ruler_of_100_mm() -> None:
    pdf = print_pdf([of_size(297, 210)], "letter", ("A",))
    assert page_boxes(pdf) == [pytest.approx((215.9 * MM, 279.4 * MM), abs=0.001)] * 2
    for page in streams(pdf):
        assert rulers_mm(page) == pytest.approx([100], abs=0.001)


def test_a_user_unit_is_a_millimetre_on_paper() -> None:
    page = streams(print_pdf([of_size(297, 210)], "a4", ("A",)))[1]
    matrix = re.search(r"([\d.]+) 0 0 -([\d.]+) ([\d.-]+) ([\d.]+) cm", page)
    assert matrix
    assert [float(v) for v in matrix.groups()] == pytest.approx([MM, MM, 0, 210 * MM], abs=1e-5)


def test_the_pdf_asks_the_printer_not_to_scale_it() -> None:
    assert b"/PrintScaling /None" in print_pdf([with_art("")], "a4", ("A",))


def test_the_same_stage_gives_the_same_bytes() -> None:
    assert print_pdf([with_art("")], "letter") == print_pdf([with_art("")], "letter")


# ----------------------------------------------------------------------------------------- sheets


@pytest.mark.parametrize("paper", ["letter", "a4-halves"])
@pytest.mark.parametrize("number", NUMBERS)
def test_two_sheets_show_the_whole_board_and_a_strip_to_glue(number: int, paper: str) -> None:
    left, right = sheets_of(stage(number), paper)  # type: ignore[arg-type]
    assert left.window_mm[0] == 0
    assert left.window_mm[2] == right.window_mm[0]
    assert right.window_mm[0] + right.window_mm[2] == 297
    assert left.shown_mm[2] == left.window_mm[2] + TAB_MM
    for sheet in (left, right):
        x, y, (w, h) = *sheet.at_mm, sheet.shown_mm[2:]
        assert x >= 10
        assert y >= 10
        assert x + w <= sheet.paper_mm[0] - 10
        assert y + h <= sheet.paper_mm[1] - 10


@pytest.mark.parametrize("number", NUMBERS)
def test_a_seam_keeps_clear_of_what_decides_a_race(number: int) -> None:
    from shapely import LineString

    board = stage(number)
    seam = sheets_of(board, "letter")[1].window_mm[0]
    line = LineString([(seam, 0), (seam, 210)])
    for zone in (*board.jumps, *board.landings, *board.accelerations, *board.slowdowns):
        assert zone.shape.distance(line) >= 2, zone.id
    for spill in board.oil_spills:
        assert spill.reach.distance(line) >= 2, spill.id


def test_a_small_board_stays_on_one_sheet_and_a_huge_one_is_parted_both_ways() -> None:
    assert [sheet.grid for sheet in sheets_of(with_art(""), "letter")] == [(1, 1)]
    huge = PLAIN.replace('width="120mm" height="80mm"', 'width="600mm" height="420mm"').replace(
        "0 0 120 80", "0 0 600 420"
    )
    sheets = sheets_of(parse_stage(huge.encode(), "huge.svg"), "a4")
    columns, rows = sheets[0].grid
    assert len(sheets) == columns * rows > 4
    assert sum(sheet.window_mm[2] * sheet.window_mm[3] for sheet in sheets) == pytest.approx(600 * 420)


def test_an_unknown_paper_or_no_stage_is_wrong_usage() -> None:
    with pytest.raises(WrongUsage, match="a5"):
        print_pdf([stage(1)], "a5")  # type: ignore[arg-type]
    with pytest.raises(WrongUsage):
        print_pdf([])


# ----------------------------------------------------------------------------------------- the whole set


@needs_pdftoppm
def test_all_sixteen_print_at_exactly_their_size_measured_on_the_pages(tmp_path: Path) -> None:
    """The outer corners of the four markers of each board are 283 mm and 196 mm apart."""
    (tmp_path / "all.pdf").write_bytes(print_pdf([stage(number) for number in NUMBERS], "a4", ("A",)))
    dots = 3.0 * 25.4
    subprocess.run(["pdftoppm", "-r", str(dots), "-f", "2", "-gray", "all.pdf", "page"], cwd=tmp_path, check=True)
    pages = sorted(tmp_path.glob("page-*.pgm"))
    assert len(pages) == 16
    for number, path in zip(NUMBERS, pages, strict=True):
        page = np.asarray(Image.open(path))
        found = markers_seen(np.repeat(page[:, :, None], 3, axis=2))
        first = 8 * (number - 1)
        assert sorted(found) == [first + corner for corner in range(4)]
        outer = np.array([found[first + corner][corner] for corner in range(4)]) / 3.0
        across, down = np.hypot(*(outer[1] - outer[0])), np.hypot(*(outer[3] - outer[0]))
        assert (across, down) == pytest.approx((283.0, 196.0), abs=0.2)
        assert np.hypot(*(outer[2] - outer[0])) == pytest.approx(np.hypot(283.0, 196.0), abs=0.2)


def test_an_a3_sheet_shows_a_whole_board_with_a_ruler_and_marks_to_cut_along() -> None:
    (sheet,) = sheets_of(stage(16), "a3")
    assert list(sheet.shown_mm) == [0, 0, 297, 210]
    (page,) = streams(print_pdf([stage(16)], "a3", ("A",)))
    assert rulers_mm(page) == pytest.approx([100], abs=0.001)
    assert page_boxes(print_pdf([stage(16)], "a3", ("A",))) == [pytest.approx((420 * MM, 297 * MM), abs=0.001)]


def test_the_page_of_checks_names_boards_that_are_alike_together() -> None:
    page = streams(print_pdf([stage(number) for number in (1, 2, 3)], "a4", ("A",)))[0]
    assert "(Stages 1 to 3: the yellow tape" in page
    page = streams(print_pdf([stage(number) for number in (1, 5)], "a4", ("A",)))[0]
    assert "(Stages 1 and 5: the yellow tape" in page
    assert "(Stage 5, Bakery Bridge: the yellow tape" in streams(print_pdf([stage(5)], "a4", ("A",)))[0]


# ----------------------------------------------------------------------------------------- extras

SCORES = [ScoreLine("Driving Ace", "any stage", "0:40"), ScoreLine("Mute Race", "any stage", "2:30", "not a word")]


@pytest.mark.parametrize("paper", ["a4", "letter", "a3", "a4-halves"])
def test_every_page_beside_the_boards_has_a_ruler_and_fits_inside_the_printers_rim(paper: str) -> None:
    pdf = print_pdf([], paper, ("A",), EXTRAS, SCORES)  # type: ignore[arg-type]
    assert page_boxes(pdf) == [pytest.approx([side * MM for side in PAPERS_MM[paper]], abs=0.001)] * 3
    assert ruled(streams(pdf)) == [pytest.approx([100], abs=0.001)] * 3
    width, height = PAPERS_MM[paper]
    assert (width - AREA_MM[0]) / 2 > 12
    assert (height - AREA_MM[1]) / 2 > 12


def test_the_rope_is_18_mm_between_its_dotted_edges() -> None:
    (page,) = streams(print_pdf([], "a4", ("A",), ["templates"]))
    edge = r"n ([\d. ]+) m [\d. ]+ l S\s"
    dashed = re.findall(rf"\[1.2 1.2\] 0 d\s{edge}{edge}", page)
    assert len(dashed) == 2, "a rope for either team"
    for one, other in dashed:
        (x1, y1), (x2, y2) = (map(float, edge.split()) for edge in (one, other))
        assert (x1, y2 - y1) == pytest.approx((x2, 18.0), abs=1e-6)


@needs_pdftoppm
def test_the_hole_of_a_mine_measures_7_2_mm_on_the_page(tmp_path: Path) -> None:
    page = on_paper(print_pdf([], "a4", ("A",), ["templates"]), 1, 20.0, tmp_path)
    left, top = ((paper - area) / 2 for paper, area in zip((297, 210), AREA_MM, strict=True))
    x, y = (left + 150 + 18) * 20, (top + 20 + 18) * 20
    dark = np.flatnonzero(page[round(y), round(x - 100) : round(x + 100), 0] < 128)
    gaps = np.flatnonzero(np.diff(dark) > 20)
    assert len(gaps) == 1
    edges = dark[: gaps[0] + 1].mean(), dark[gaps[0] + 1 :].mean()
    assert (edges[1] - edges[0]) / 20 == pytest.approx(7.2, abs=0.05)


def test_three_cards_are_explained_and_three_are_blank() -> None:
    (page,) = streams(print_pdf([], "a4", ("A",), ["cards"]))
    for name in ("CLOTHESLINE", "NITRO", "MINE"):
        assert f"({name}) Tj" in page
    assert [bool(card.lines) for card in CARDS] == [True, True, True, False, False, False]


def test_the_score_sheet_has_a_line_and_a_box_for_each_challenge() -> None:
    (page,) = streams(print_pdf([], "a4", ("A",), ["scores"], SCORES))
    for word in ("Driving Ace", "0:40", "Mute Race", "2:30", "not a word"):
        assert f"({word}) Tj" in page


def test_boards_come_before_what_is_played_with_beside_them() -> None:
    pages = streams(print_pdf([stage(1)], "a4", ("A", "B"), ["cards"]))
    assert len(pages) == 1 + 2 + 1
    assert "(NITRO) Tj" in pages[-1]


# ----------------------------------------------------------------------------------------- looks

LOOKS = {
    "plain shapes": """
        <rect x="5" y="5" width="20" height="9" rx="3" fill="teal"/><circle cx="40" cy="12" r="7" fill="#f80"/>
        <path d="M60 5a9 5 30 1 1 8 9zm2 2h3v3h-3z" fill="hsl(300,60%,60%)" fill-rule="evenodd"/>""",
    "strokes": """
        <g fill="none" stroke="#058" stroke-width="1.6"><path d="M5 10q5 -8 10 0t10 0" stroke-dasharray="3 2 1"/>
        <path d="M40 6h12l-9 6" stroke-linejoin="bevel" stroke-linecap="square"/><path d="M60 6h12l-9 6"/>
        <rect x="90" y="6" width="12" height="9" transform="skewX(-12) scale(1 .8)"/></g>""",
    "opacities": """
        <circle cx="12" cy="12" r="8" fill="#0af8"/>
        <g opacity=".5"><circle cx="36" cy="12" r="8" fill="red"/><circle cx="44" cy="12" r="8" fill="blue"/></g>
        <circle cx="70" cy="12" r="7" opacity=".6" fill="lime" stroke="#000" stroke-width="3"/>
        <g opacity=".3"><circle cx="95" cy="12" r="7"/></g>""",
    "gradients": """
        <defs><linearGradient id="a"><stop offset="0" stop-color="red"/><stop offset=".5" style="stop-color:#ff0"/>
        <stop offset="1" stop-color="#03f"/></linearGradient>
        <linearGradient id="b" xlink:href="#a" gradientUnits="userSpaceOnUse" x1="40" y1="5" x2="60" y2="20"
        gradientTransform="rotate(9 50 9)"/>
        <radialGradient id="c" cx="40%" cy="40%" r="70%"><stop offset="0" stop-color="#fff"/>
        <stop offset="1" stop-color="#225" stop-opacity=".2"/></radialGradient></defs>
        <rect x="5" y="5" width="26" height="14" fill="url(#a)"/>
        <rect x="38" y="5" width="26" height="14" fill="url(#b)"/>
        <ellipse cx="90" cy="12" rx="15" ry="7" fill="url(#c)" transform="rotate(8 90 12)"/>""",
    "clones and clips": """
        <defs><g id="s"><path d="M0-6 2-2 6 0 2 2 0 6-2 2-6 0-2-2z" fill="gold" stroke="navy" stroke-width=".5"/></g>
        <clipPath id="k"><circle cx="60" cy="12" r="8"/></clipPath>
        <symbol id="y" viewBox="0 0 9 9"><rect width="9" height="9"/></symbol></defs>
        <use href="#s" x="12" y="12"/><use xlink:href="#s" transform="translate(32 12) scale(2 1)"/>
        <rect x="48" y="6" width="30" height="20" fill="#c4c" clip-path="url(#k)"/>
        <use href="#y" x="90" y="6" width="9" height="9"/>""",
    "style sheets": """
        <style>.a{fill:#0aa;stroke:#a00;stroke-width:1.2} #n{fill:currentColor}</style>
        <rect class="a" x="5" y="5" width="20" height="9"/>
        <rect id="n" x="40" y="5" width="20" height="9" style="color:rgb(90%,10%,40%)"/>""",
    "what stays hidden": """
        <g display="none"><rect width="99" height="40"/></g>
        <g visibility="hidden"><rect width="50" height="30"/></g>""",
    "what makes little sense": """
        <g transform="scale(0)"><rect width="50" height="30"/></g><rect width="9" height="9" fill="url(#nowhere) #0a0"/>
        <g transform="scale(1 0)" clip-path="url(#k)"><rect width="50" height="30"/></g><use href="#nowhere"/>
        <circle cx="60" cy="12" r="7" fill="no-such-colour" stroke="teal" stroke-width="20%" stroke-dasharray="0 0"/>
        <path d="M5 5h9v9q" fill="red"/><path d="" /><rect x="30" y="5" width="9" height="0" fill="red"/>""",
    "blur and masks": """
        <defs><filter id="f"><feGaussianBlur stdDeviation="1.5"/></filter>
        <mask id="m"><rect x="40" y="2" width="20" height="20" fill="#999"/></mask></defs>
        <g transform="translate(2 1) rotate(3)"><circle cx="14" cy="12" r="6" fill="crimson" filter="url(#f)"/>
        <rect x="36" y="4" width="14" height="14" fill="blue" mask="url(#m)"/></g>""",
}


@needs_pdftoppm
@pytest.mark.parametrize("look", LOOKS)
def test_the_print_looks_like_the_drawing(look: str, tmp_path: Path) -> None:
    board = with_art(LOOKS[look])
    (sheet,) = sheets_of(board, "a4")
    page = on_paper(print_pdf([board], "a4", ("A",)), 1, 8.0, tmp_path)
    x, y = (round(v * 8) for v in sheet.at_mm)
    mean, wrong = far_off(page[y : y + 640, x : x + 960], artwork(board, "A", 8.0).astype(int))
    assert mean < 1.5
    assert wrong < 0.0015


@needs_pdftoppm
def test_a_printed_board_is_its_artwork_with_that_copys_markers(tmp_path: Path) -> None:
    board = stage(5)
    page = on_paper(print_pdf([board], "a4", ("B",)), 2, 4.0, tmp_path)
    art = artwork(board, "B", 4.0).astype(int)
    for x, y in _letter_spots(board):  # the letter for people is the print's alone
        tab = np.s_[round((y - 4) * 4) : round((y + 4) * 4), round((x - 4) * 4) : round((x + 4) * 4)]
        art[tab] = page[tab]
    mean, wrong = far_off(page, art)
    assert mean < 1.0
    assert wrong < 0.0005
    found = markers_seen(page.astype(np.uint8))
    assert sorted(found) == [8 * 4 + 4 + corner for corner in range(4)]
    for fiducial in board.fiducials:
        corners_px = fiducial.corners_mm * 4.0 - 0.5
        assert np.abs(found[fiducial.marker_id + 4] - corners_px).max() < 0.4, "a tenth of a millimetre"


@pytest.mark.parametrize("number", NUMBERS)
def test_every_board_has_room_for_its_letters_off_the_road(number: int) -> None:
    spots = _letter_spots(stage(number))
    assert len(spots) == 2
    assert min(s.road.distance(Point(spot)) for s in stage(number).sections for spot in spots) >= 9


@pytest.mark.parametrize("paper", ["a4", "letter", "a3", "a4-halves"])
@pytest.mark.parametrize("number", [1, 16])
def test_each_copy_says_its_letter_on_the_board_off_the_road(number: int, paper: str) -> None:
    board = stage(number)
    spots = _letter_spots(board)
    assert len(spots) == 2
    roads = [section.road for section in board.sections]
    assert min(road.distance(Point(spot)) for road in roads for spot in spots) >= 9
    for copy in ("A", "B"):
        pages = "".join(streams(print_pdf([board], paper, (copy,))))  # type: ignore[arg-type]
        other = "B" if copy == "A" else "A"
        assert f"({copy}) Tj" in pages
        assert f"({other}) Tj" not in pages


def test_a_board_without_markers_carries_no_letter() -> None:
    assert _letter_spots(with_art("")) == []


@pytest.mark.parametrize("number", NUMBERS)
def test_built_in_boards_are_lines_all_through(number: int) -> None:
    assert b"/Subtype /Image" not in print_pdf([stage(number)], "a4", ("A",))
