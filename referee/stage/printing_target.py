"""The target that a camera's lens is measured with, on A4 or US Letter: as a PDF, and as SVG.

A chequered board with a marker in each white square; `referee.model.Target` says which.  Both sheets show the same
board at the same size, with a scale of 100 mm under it.
"""

from __future__ import annotations

import io
from collections.abc import Iterator

import numpy as np

from referee.errors import WrongUsage
from referee.model import Target
from referee.paper import RULER_MM, begin_page, new_pdf, ruler, words
from referee.stage.printing_sheets import PAPERS_MM

Box = tuple[float, float, float, float]
"""Left, top, width and height in mm."""

_CODES = """
d2b63a09d 6001134e5 1206fbe72 ff8ad6cb4 85da9bc49 b461afe9c 6db51fe13 5248c541f 08f34503 8ea462ece eac2be76d
1af615c44 b48a49f27 2e4e1283b 78b1f2fa8 27d34f57e 89222fff1 4c1669406 bf49b3511 dc191cd5d 11d7c3f85 16a130e35
e29f27eff 428d8ae0c 90d548477 2319cbc93 c3b0c3dfc 424bccc9 2a081d630 762743d96 d0645bf19 f38d7fd60 c6cbf9a10
3c1be7c65 276f75e63
"""
"""The first markers of the dictionary ArUco MIP 36h12, as many as the target has: as in `tags36h11`."""
_CELLS = 8
_TOP_MM = 14.0
_DO = (
    'Print at "Actual size" (100 %), never "Fit to page"; glue it to something flat. Then take 8 to 12 pictures with',
    "the camera as it will stand: tilted to all sides by 20 to 40 degrees, and filling each corner of the picture.",
    "referee calibrate PICTURES... --out PROFILE    then    referee judge PHOTO --lens PROFILE",
)


def black_boxes(target: Target) -> Iterator[Box]:
    """The black squares of the board, from its own top left."""
    side = target.square_mm
    for row, column in np.ndindex(target.rows, target.columns):
        if (row + column) % 2 == 0:
            yield column * side, row * side, side, side


def marker_boxes(target: Target) -> Iterator[tuple[Box, list[Box]]]:
    """Each marker's black square, and the white cells in it."""
    rim, cell = (target.square_mm - target.marker_mm) / 2, target.marker_mm / _CELLS
    codes = iter(_CODES.split())
    for row, column in np.ndindex(target.rows, target.columns):
        if (row + column) % 2 == 0:
            continue
        x, y = column * target.square_mm + rim, row * target.square_mm + rim
        code = int(next(codes), 16)
        white = [divmod(k, 6) for k in range(36) if code >> (35 - k) & 1]
        cells = [(x + (c + 1) * cell, y + (r + 1) * cell, cell, cell) for r, c in white]
        yield (x, y, target.marker_mm, target.marker_mm), cells


def _layers(target: Target) -> list[tuple[float, list[Box]]]:
    """What is painted, in turn: a shade (0 black, 1 white) and its boxes."""
    markers = list(marker_boxes(target))
    black = [*black_boxes(target), *(box for box, _ in markers)]
    return [(0.0, black), (1.0, [cell for _, cells in markers for cell in cells])]


def _place(target: Target, paper: str) -> tuple[tuple[float, float], tuple[float, float]]:
    """The paper's size, and where the board's top left lies on it."""
    if paper not in ("a4", "letter"):
        raise WrongUsage(f"The target is for paper a4 or letter, not {paper!r}.", "Say --paper a4 or --paper letter.")
    w, h = PAPERS_MM[paper]
    return (w, h), ((w - target.columns * target.square_mm) / 2, _TOP_MM)


def target_pdf(paper: str = "a4", target: Target = Target()) -> bytes:  # noqa: B008 (frozen)
    """The sheet as a PDF of lines, not pixels; the same each time.  Raises `WrongUsage` for another paper."""
    size_mm, (left, top) = _place(target, paper)
    out = io.BytesIO()
    canvas = new_pdf(out, size_mm, "Target for the camera referee's lens profile")
    begin_page(canvas, size_mm)
    for shade, boxes in _layers(target):
        path = canvas.beginPath()  # one path, so that no seams show
        for x, y, w, h in boxes:
            path.rect(left + x, top + y, w, h)
        canvas.setFillColorRGB(shade, shade, shade)
        canvas.drawPath(path, stroke=0, fill=1, fillMode=1)
    foot = top + target.rows * target.square_mm + 7
    ruler(canvas, size_mm[0] / 2 - RULER_MM / 2, foot)
    for i, line in enumerate(_DO):
        words(canvas, line, size_mm[0] / 2, foot + 7.5 + 3.4 * i, 2.6, middle=True)
    canvas.showPage()
    canvas.save()
    return out.getvalue()


def target_svg(paper: str = "a4", target: Target = Target()) -> str:  # noqa: B008 (frozen)
    """The sheet as SVG, in millimetres."""
    (w, h), (left, top) = _place(target, paper)
    foot = top + target.rows * target.square_mm + 7
    start = w / 2 - RULER_MM / 2
    marks = "".join(
        f"M{start + mm:g} {foot:g}v{-(3.6 if mm % 50 == 0 else 2.6 if mm % 10 == 0 else 1.8 if mm % 5 == 0 else 1):g}"
        for mm in range(int(RULER_MM) + 1)
    )
    texts = [(f"{mm}", start + mm, foot + 3.4) for mm in range(0, int(RULER_MM) + 1, 10)]
    texts += [("mm", start + RULER_MM + 3.4, foot + 3.4)]
    texts += [(line, w / 2, foot + 7.5 + 3.4 * i) for i, line in enumerate(_DO)]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{w:g}mm" height="{h:g}mm" viewBox="0 0 {w:g} {h:g}">',
            "<title>Target for the camera referee's lens profile</title>",
            f'<rect width="{w:g}" height="{h:g}" fill="#fff"/>',
            *(_svg_boxes(shade, boxes, (left, top)) for shade, boxes in _layers(target)),
            f'<path d="M{start:g} {foot:g}h{RULER_MM:g}{marks}" fill="none" stroke="#33333d" stroke-width="0.2"/>',
            '<g font-family="Helvetica, Arial, sans-serif" font-size="2.6" text-anchor="middle" fill="#33333d">',
            *(f'<text x="{x:g}" y="{y:g}">{_plain(line)}</text>' for line, x, y in texts),
            "</g>",
            "</svg>",
            "",
        ]
    )


def _svg_boxes(shade: float, boxes: list[Box], at: tuple[float, float]) -> str:
    d = "".join(f"M{at[0] + x:.7g} {at[1] + y:.7g}h{w:g}v{h:g}h{-w:g}z" for x, y, w, h in boxes)
    return f'<path d="{d}" fill="{"#fff" if shade else "#000"}"/>'


def _plain(line: str) -> str:
    return line.replace("&", "&amp;").replace("<", "&lt;")
