"""A drawing as SVG text, and on a page of a PDF: lines and areas, no pixels."""

from __future__ import annotations

import re
from typing import Any
from xml.sax.saxutils import escape

from referee.turbo_time.art.pencil import Art, Mark, Placed, Words, num

Canvas = Any
_STEP = re.compile(r"([MLCZ])([^MLCZ]*)")


def svg(art: Art, size_mm: tuple[float, float]) -> str:
    """A drawing as an SVG document, one user unit a millimetre."""
    w, h = map(num, size_mm)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{w}mm" height="{h}mm" viewBox="0 0 {w} {h}">'
    return "\n".join([head, *map(_svg_of, art), "</svg>", ""])


def _svg_of(part: Mark | Words | Placed) -> str:
    match part:
        case Mark(path, fill, line, width):
            drawn = f' stroke="{line}" stroke-width="{num(width)}" stroke-linecap="round" stroke-linejoin="round"'
            return f'<path d="{path}" fill="{fill or "none"}"{drawn if line else ""}/>'
        case Words(text, x, y, size, colour, bold):
            weight = ' font-weight="bold"' if bold else ""
            return (
                f'<text x="{num(x)}" y="{num(y)}" font-family="Helvetica, Arial, sans-serif" font-size="{num(size)}"'
                f' text-anchor="middle" fill="{colour}"{weight}>{escape(text)}</text>'
            )
        case Placed(art, matrix):
            inside = "\n".join(map(_svg_of, art))
            return f'<g transform="matrix({" ".join(map(num, matrix))})">\n{inside}\n</g>'


def draw(canvas: Canvas, art: Art) -> None:
    """Draws on a canvas whose unit is the millimetre, y down; leaves it as it was."""
    canvas.saveState()
    canvas.setLineCap(1)
    canvas.setLineJoin(1)
    for part in art:
        _draw(canvas, part)
    canvas.restoreState()


def _draw(canvas: Canvas, part: Mark | Words | Placed) -> None:
    match part:
        case Mark():
            _draw_mark(canvas, part)
        case Words():
            _draw_words(canvas, part)
        case Placed(art, matrix):
            canvas.saveState()
            canvas.transform(*matrix)
            for inner in art:
                _draw(canvas, inner)
            canvas.restoreState()


def _draw_mark(canvas: Canvas, mark: Mark) -> None:
    path = canvas.beginPath()
    for letter, numbers in _STEP.findall(mark.path):
        values = [float(number) for number in numbers.split()]
        {"M": path.moveTo, "L": path.lineTo, "C": path.curveTo, "Z": path.close}[letter](*values)
    if mark.fill:
        canvas.setFillColor(mark.fill)
    if mark.line:
        canvas.setStrokeColor(mark.line)
        canvas.setLineWidth(mark.width)
    canvas.drawPath(path, stroke=bool(mark.line), fill=bool(mark.fill))


def _draw_words(canvas: Canvas, words: Words) -> None:
    canvas.saveState()
    canvas.transform(1, 0, 0, -1, words.x, words.y)
    canvas.setFillColor(words.colour)
    canvas.setFont("Helvetica-Bold" if words.bold else "Helvetica", words.size)
    canvas.drawCentredString(0, 0, words.text)
    canvas.restoreState()
