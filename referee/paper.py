"""A page of a PDF measured in millimetres from its top left corner, with words and rulers on it."""

from __future__ import annotations

from typing import Any, BinaryIO

POINTS_PER_MM = 72 / 25.4
RULER_MM = 100.0
INK = (0.2, 0.2, 0.24)
Canvas = Any


def in_points(size_mm: tuple[float, float]) -> tuple[float, float]:
    """A size in the unit of PDF."""
    return size_mm[0] * POINTS_PER_MM, size_mm[1] * POINTS_PER_MM


def new_pdf(out: BinaryIO, paper_mm: tuple[float, float], title: str) -> Canvas:
    """A PDF that is printed as large as it says and is the same bytes each time; ``save`` writes it to ``out``."""
    from reportlab.pdfgen.canvas import Canvas as PdfCanvas

    canvas = PdfCanvas(out, pagesize=in_points(paper_mm), pageCompression=1, invariant=1)
    canvas.setTitle(title)
    canvas.setCreator("camera referee")
    canvas.setViewerPreference("PrintScaling", "None")
    return canvas


def begin_page(canvas: Canvas, paper_mm: tuple[float, float]) -> None:
    """A new page whose unit is the millimetre, y down from the top left corner."""
    canvas.setPageSize(in_points(paper_mm))
    canvas.transform(POINTS_PER_MM, 0, 0, -POINTS_PER_MM, 0, paper_mm[1] * POINTS_PER_MM)


def words(
    canvas: Canvas, text: str, x: float, y: float, height_mm: float, bold: bool = False, middle: bool = False
) -> None:
    """A line of text, its foot at y; ``height_mm`` is the type's size.  What the plain fonts lack becomes "?"."""
    text = text.encode("cp1252", "replace").decode("cp1252")
    canvas.saveState()
    canvas.transform(1, 0, 0, -1, x, y)
    canvas.setFillColorRGB(*INK)
    canvas.setFillAlpha(1)
    canvas.setFont("Helvetica-Bold" if bold else "Helvetica", height_mm)
    (canvas.drawCentredString if middle else canvas.drawString)(0, 0, text)
    canvas.restoreState()


def ruler(canvas: Canvas, x: float, y: float, upright: bool = False) -> None:
    """A scale of exactly 100 mm from the first mark's middle to the last one's."""
    canvas.saveState()
    canvas.transform(1, 0, 0, 1, x, y)
    if upright:
        canvas.transform(0, 1, 1, 0, 0, 0)
    canvas.setStrokeColorRGB(*INK)
    canvas.setLineWidth(0.2)
    canvas.setLineCap(0)
    canvas.line(0, 0, RULER_MM, 0)
    for mm in range(int(RULER_MM) + 1):
        long = 3.6 if mm % 50 == 0 else 2.6 if mm % 10 == 0 else 1.8 if mm % 5 == 0 else 1.0
        canvas.line(mm, 0, mm, -long)
    canvas.restoreState()
    for mm in range(0, int(RULER_MM) + 1, 10):
        if upright:
            words(canvas, str(mm), x + 1.4, y + mm + 0.9, 2.6)
        else:
            words(canvas, str(mm), x + mm, y + 3.4, 2.6, middle=True)
    if not upright:
        words(canvas, "mm", x + RULER_MM + 3.4, y + 3.4, 2.6)
