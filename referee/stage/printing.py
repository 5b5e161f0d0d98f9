"""Boards as a PDF to print: exact size, lines instead of pixels, copies A and B with their own markers.

Start here: `print_pdf`.  On A4 a board fills the sheet, so a page with a ruler and what to mind comes first;
on US Letter a board is parted over two sheets, each with its ruler, cut marks and a strip to glue.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

import shapely

from referee.errors import BadStageFile, WrongUsage
from referee.model import Copy, Fiducial, Floats, Stage
from referee.paper import INK, RULER_MM, begin_page, new_pdf, ruler, words
from referee.stage.document import Document, read_document
from referee.stage.faults import Fault
from referee.stage.markers import white_boxes_mm
from referee.stage.printing_extras import ExtraName, ScoreLine, extra_page
from referee.stage.printing_paint import Painting, painting_of
from referee.stage.printing_sheets import TAB_MM, PaperName, Sheet, paper_size, sheets_of

_DISC = (0.99, 0.85, 0.4)
_BLANK_RIM_MM = 5.0
"""What most printers cannot print at the edge of a sheet."""
_LETTER_TAB_MM = 6.5
_LETTER_GAP_MM = 3.0
"""The white rim of a marker, which the tab begins beyond."""
_LETTER_CLEAR_MM = 9.0
"""A tab's middle is so far from the road at least: no ink is looked for there."""
Canvas = Any


def print_pdf(
    stages: Sequence[Stage],
    paper: PaperName = "a4",
    copies: Sequence[Copy] = ("A", "B"),
    extras: Sequence[ExtraName] = (),
    scores: Sequence[ScoreLine] = (),
) -> bytes:
    """A PDF of boards at exactly their own size, the copies of each stage one after the other, then the extras.

    ``paper`` is "a4" (a board of 297 x 210 mm fills the sheet), "letter" or "a4-halves" (two sheets to glue, for
    printers that cannot print to the edge) or "a3".  ``scores`` are the lines of the score sheet, if that is among
    the ``extras``.  The same stages give the same bytes.  Raises `WrongUsage` for an unknown paper or copy or if
    there is nothing to print, `BadStageFile` for a file that cannot be drawn.
    """
    if not (stages or extras) or not copies or not set(copies) <= {"A", "B"}:
        raise WrongUsage("expected at least one stage and copies A, B or both.", "Name a stage to print.")
    page_mm = paper_size(paper)
    plans = [(stage, sheets_of(stage, paper)) for stage in stages]
    out = io.BytesIO()
    names = ", ".join(f"{stage.number} {stage.name}".strip() for stage in stages)
    canvas = new_pdf(out, page_mm, f"Stage boards: {names}")
    canvas.setViewerPreference("Duplex", "Simplex")
    if any(sheet.fills_paper for _, sheets in plans for sheet in sheets):
        _check_page(canvas, page_mm, stages)
    for stage, sheets in plans:
        document, painting = _painted(stage)
        for copy in copies:
            for sheet in sheets:
                _board_page(canvas, stage, copy, sheet, document.to_board, painting)
    for extra in extras:
        extra_page(canvas, page_mm, extra, scores)
    canvas.save()
    return out.getvalue()


def _painted(stage: Stage) -> tuple[Document, Painting]:
    try:
        document = read_document(stage.svg)
        return document, painting_of(document)
    except Fault as fault:
        raise BadStageFile(f"{stage.source}: it cannot be drawn ({fault.what}).", fault.cure) from None
    except (ValueError, OSError) as error:
        raise BadStageFile(f"{stage.source}: it cannot be drawn ({error}).", "Simplify its artwork.") from None


# --------------------------------------------------------------------------------------------- pages


def _board_page(canvas: Canvas, stage: Stage, copy: Copy, sheet: Sheet, to_board: Floats, painting: Painting) -> None:
    begin_page(canvas, sheet.paper_mm)
    x, y, w, h = sheet.shown_mm
    canvas.saveState()
    clip = canvas.beginPath()
    clip.rect(*sheet.at_mm, w, h)
    canvas.clipPath(clip, stroke=0, fill=0)
    canvas.transform(1, 0, 0, 1, sheet.at_mm[0] - x, sheet.at_mm[1] - y)
    canvas.saveState()
    (a, c, e), (b, d, f) = to_board.tolist()
    canvas.transform(a, b, c, d, e, f)
    painting.play(canvas)
    canvas.restoreState()
    for fiducial in stage.fiducials:
        _marker(canvas, fiducial, copy)
    for spot_mm in _letter_spots(stage):
        _letter(canvas, copy, spot_mm)
    canvas.restoreState()
    if not sheet.fills_paper:
        _round_the_board(canvas, stage, copy, sheet)
    canvas.showPage()


def _marker(canvas: Canvas, fiducial: Fiducial, copy: Copy) -> None:
    """A copy's own marker over whatever the drawing shows there."""
    for shade, boxes in ((0.0, [fiducial.corners_mm]), (1.0, white_boxes_mm(fiducial, copy))):
        path = canvas.beginPath()
        for corners in boxes:
            path.moveTo(*corners[0])
            for corner in corners[1:]:
                path.lineTo(*corner)
            path.close()
        canvas.setFillColorRGB(shade, shade, shade)
        canvas.setFillAlpha(1)
        canvas.drawPath(path, stroke=0, fill=1, fillMode=1)


def _letter_spots(stage: Stage) -> list[tuple[float, float]]:
    """Middles in mm of the tabs with the copy's letter: at up to two markers, well off the road."""
    drivable = shapely.union_all([section.road for section in stage.sections])
    middle_y = stage.size_mm[1] / 2
    spots = []
    for fiducial in sorted(stage.fiducials, key=lambda f: f.place):
        (left, top), (right, low) = fiducial.corners_mm.min(axis=0), fiducial.corners_mm.max(axis=0)
        inward = 1 if low < middle_y else -1
        y = (low if inward > 0 else top) + inward * (_LETTER_GAP_MM + _LETTER_TAB_MM / 2)
        spot = float(left + right) / 2, float(y)
        if drivable.distance(shapely.Point(spot)) >= _LETTER_CLEAR_MM:
            spots.append(spot)
    return spots[:2]


def _letter(canvas: Canvas, copy: Copy, spot_mm: tuple[float, float]) -> None:
    """The copy's letter on a white tab, for people; the referee goes by the markers."""
    (x, y), half = spot_mm, _LETTER_TAB_MM / 2
    canvas.setFillColorRGB(1, 1, 1)
    canvas.setFillAlpha(1)
    canvas.roundRect(x - half, y - half, 2 * half, 2 * half, 1.5, stroke=0, fill=1)
    words(canvas, copy, x, y + 1.9, 5.2, bold=True, middle=True)


def _round_the_board(canvas: Canvas, stage: Stage, copy: Copy, sheet: Sheet) -> None:
    """Title, cut marks, strips to glue, ruler and what to do, all outside the board."""
    (px, py), (_, _, w, h) = sheet.at_mm, sheet.window_mm
    paper_w, paper_h = sheet.paper_mm
    for side, (left, top, wide, high) in zip(
        sheet.tab, ((px + w, py, TAB_MM, sheet.shown_mm[3]), (px, py + h, sheet.shown_mm[2], TAB_MM)), strict=True
    ):
        if side:
            _glue_strip(canvas, left, top, wide, high)
    _cut_marks(canvas, px, py, w, h)
    count, nth = sheet.grid[0] * sheet.grid[1], sheet.cell[1] * sheet.grid[0] + sheet.cell[0] + 1
    title = f"Stage {stage.number}  {stage.name}   copy {copy}" + (f"   sheet {nth} of {count}" if count > 1 else "")
    words(canvas, title, paper_w / 2, 9.5, 3.6, bold=True, middle=True)
    foot = paper_h - 20.5
    ruler(canvas, paper_w / 2 - RULER_MM / 2, foot)
    for i, line in enumerate(_what_to_do(sheet)):
        words(canvas, line, paper_w / 2, foot + 8.2 + 3.6 * i, 2.6, middle=True)


def _what_to_do(sheet: Sheet) -> list[str]:
    lines = ['Print at "Actual size" (100 %), never "Fit to page": the ruler above must measure 100 mm.']
    if sheet.grid == (1, 1):
        return [*lines, "Cut along the marks, if you like."]
    if sheet.cell != (0, 0):
        lines.append(
            "Cut exactly along the marks. Glue this sheet onto the pale strip before it, so that white lines run on."
        )
    if any(sheet.tab):
        lines.append(
            "Keep the pale strip. The next sheet is glued onto it, its cut edge along the marks where the strip begins."
        )
    return lines


def _glue_strip(canvas: Canvas, x: float, y: float, w: float, h: float) -> None:
    canvas.saveState()
    canvas.setFillColorRGB(1, 1, 1)
    canvas.setFillAlpha(0.55)
    canvas.rect(x, y, w, h, stroke=0, fill=1)
    canvas.restoreState()
    upright = h > w
    for k in range(4):
        at = (k + 0.5) / 4
        words(
            canvas,
            "glue",
            x + w / 2 if upright else x + w * at,
            y + h * at if upright else y + h / 2 + 1,
            3,
            middle=True,
        )


def _cut_marks(canvas: Canvas, x: float, y: float, w: float, h: float) -> None:
    """Short lines outside the window that run on its edges."""
    canvas.saveState()
    canvas.setStrokeColorRGB(*INK)
    canvas.setLineWidth(0.15)
    for mark_x in (x, x + w):
        canvas.line(mark_x, y - 1.0, mark_x, y - 5.5)
        canvas.line(mark_x, y + h + 1.0, mark_x, y + h + 5.5)
    for mark_y in (y, y + h):
        canvas.line(x - 1.0, mark_y, x - 5.0, mark_y)
        canvas.line(x + w + 1.0, mark_y, x + w + 5.0, mark_y)
    canvas.restoreState()


# --------------------------------------------------------------------------------------------- the page of checks


STEPS = (
    ('Choose "Actual size" or "100 %" in the print window.', 'Landscape, one side. Never "Fit", "Shrink" or "Fill".'),
    (
        "Print this page alone and hold a ruler to both scales.",
        "Each must measure 100 mm from its first mark to its last.",
    ),
    (
        "Then print the boards, one sheet each.",
        "The printer may leave 5 mm white all round: fine, if the corner squares are whole.",
    ),
    (
        'Beware of "borderless".',
        "It mostly enlarges the picture a little. Use it only if the scales still measure 100 mm.",
    ),
    (
        "Copy A is for one team, copy B for the other.",
        "The letter stands by the corner squares. The squares differ too: the referee goes by them.",
    ),
    (
        "Slip each board into a clear sheet protector, flat.",
        "Race with a dry-erase marker, photograph, wipe, race again.",
    ),
)


def _check_page(canvas: Canvas, paper_mm: tuple[float, float], stages: Sequence[Stage]) -> None:
    """What to do before the boards are printed, with rulers both ways."""
    begin_page(canvas, paper_mm)
    left, top = 24.0, 66.0
    words(canvas, "Print this page first, and measure it", left, 26, 7.2, bold=True)
    words(canvas, "A minute now saves ink later: the referee measures in tenths of a millimetre.", left, 35, 3.9)
    ruler(canvas, left, 50)
    ruler(canvas, paper_mm[0] - 36, 40, upright=True)
    for i, (what, why) in enumerate(STEPS):
        y = top + 15.5 * i
        canvas.setFillColorRGB(*_DISC)
        canvas.circle(left + 4, y + 2.2, 4.6, stroke=0, fill=1)
        words(canvas, str(i + 1), left + 4, y + 3.9, 5, bold=True, middle=True)
        words(canvas, what, left + 13, y + 1.4, 4.2, bold=True)
        words(canvas, why, left + 13, y + 7, 3.7)
    y = top + 15.5 * len(STEPS) + 6
    for line in _about_all(stages)[:8]:
        words(canvas, line, left, y, 3.1)
        y += 4.6
    canvas.showPage()


def _about_all(stages: Sequence[Stage]) -> list[str]:
    """A line about every board, those of which the same is to be said together."""
    alike: dict[str, list[Stage]] = {}
    for stage in stages:
        alike.setdefault(_about(stage), []).append(stage)
    return [_named(boards) + about for about, boards in alike.items()]


def _named(boards: Sequence[Stage]) -> str:
    """The numbers of some boards, or the number and name of one."""
    if len(boards) == 1:
        return f"Stage {boards[0].number}, {boards[0].name}"
    numbers = sorted(board.number for board in boards)
    first, last = numbers[0], numbers[-1]
    if len(numbers) > 2 and numbers == list(range(first, last + 1)):
        return f"Stages {first} to {last}"
    return f"Stages {', '.join(map(str, numbers[:-1]))} and {last}"


def _about(stage: Stage) -> str:
    """What is to be said of a board: how far apart its markers are, and a warning if a printer may cut them."""
    text = ""
    if stage.set_name == "builtin":
        text += ": the yellow tape on the board measures 100 mm too"
    if len(stage.fiducials) < 2:
        return text + "."
    corners = [f.corners_mm for f in stage.fiducials]
    span = max(c[:, 0].max() for c in corners) - min(c[:, 0].min() for c in corners)
    text += f"; from outside to outside the corner squares measure {span:.1f} mm across."
    w, h = stage.size_mm
    rim = min(min(c[:, 0].min(), c[:, 1].min(), w - c[:, 0].max(), h - c[:, 1].max()) for c in corners)
    if rim < _BLANK_RIM_MM + 0.5:
        text += f' They sit {rim:.1f} mm from the edge: if yours are cut off, print it on paper "a4-halves".'
    return text
