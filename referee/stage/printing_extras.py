"""What a game needs beside its boards, as pages of the same PDF: templates, car cards and a score sheet.

Every page shows a ruler of 100 mm and is drawn at its exact size in the middle of the paper.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Literal

from referee.paper import RULER_MM, begin_page, ruler, words
from referee.stage.document import read_document
from referee.stage.printing_paint import Painting, painting_of

ExtraName = Literal["templates", "cards", "scores"]
Canvas = Any

AREA_MM = (252.0, 184.0)
"""All pages fit in this, which every paper holds inside its blank rim."""
ROPE_MM, MINE_MM = 18.0, 7.2
"""Between the dotted lines of a rope; across a mine."""
CARD_MM = (62.0, 80.0)
_SOFT = (0.62, 0.66, 0.7)


@dataclass(frozen=True)
class ScoreLine:
    """One challenge as the score sheet shows it, all in words."""

    name: str
    stages: str
    target: str
    condition: str = ""


@dataclass(frozen=True)
class Card:
    """A car card: its picture's file, its name and its gadget in words."""

    picture: str
    name: str
    lines: tuple[str, ...] = ()


CARDS = (
    Card(
        "clothesline",
        "CLOTHESLINE",
        (
            "Before the start, draw a rope across the",
            "other team's road, from white line to white",
            "line, with dots along both sides of the",
            "template. Keep off zones with an effect.",
            "Their car must fly over it: up after the first",
            "dots, down before the last. Touching the",
            "rope, or flying wrongly, is an accident; then",
            "the rope is wiped away.",
        ),
    ),
    Card(
        "nitro",
        "NITRO",
        (
            "For races of two teams.",
            "Your turbo boost does not stop at its",
            "slowdown zone. Keep hold of the pilot's",
            "hand, all the way to the next checkpoint",
            "or the finish: that is where you slow down.",
            "White lines still count.",
        ),
    ),
    Card(
        "mine",
        "MINE",
        (
            "For races of two teams.",
            "Before the start, draw a ring with a cross",
            "in it on the other team's road, away from",
            "white lines and zones with an effect.",
            "Ink that touches it is an accident: wipe the",
            "mine away, and go back to your last",
            "checkpoint.",
        ),
    ),
    Card("blank", ""),
    Card("blank", ""),
    Card("blank", ""),
)


def extra_page(canvas: Canvas, paper_mm: tuple[float, float], extra: ExtraName, scores: Sequence[ScoreLine]) -> None:
    """One page more; ``scores`` are the lines of the score sheet."""
    begin_page(canvas, paper_mm)
    canvas.saveState()
    left, top = ((paper - area) / 2 for paper, area in zip(paper_mm, AREA_MM, strict=True))
    canvas.transform(1, 0, 0, 1, left, top)
    title, draw = _PAGES[extra]
    words(canvas, title, 0, 5, 6.2, bold=True)
    draw(canvas, scores)
    ruler(canvas, (AREA_MM[0] - RULER_MM) / 2, AREA_MM[1] - 5)
    canvas.restoreState()
    canvas.showPage()


# --------------------------------------------------------------------------------------------- templates


def _templates(canvas: Canvas, _: Sequence[ScoreLine]) -> None:
    """Two ropes and two mines, one of each for either team, and how to use them."""
    for i, team in enumerate(("A", "B")):
        _rope(canvas, 0, 20 + 34 * i, team)
        _mine(canvas, 150 + 46 * i, 20, team)
    _steps(canvas, 0, 100, "The rope", _ROPE_STEPS)
    _steps(canvas, 130, 100, "The mine", _MINE_STEPS)


_ROPE_STEPS = (
    "Cut the strip out along its edge, and cut the slit in its middle open.",
    "Lay it across the road, clear of every zone with an effect.",
    "Draw a solid line through the slit, from one white line to the other.",
    "Dot a line along both long edges: they are 18 mm apart.",
    "A car has to take off between the first dots and the line,",
    "and to land between the line and the last dots.",
)
_MINE_STEPS = (
    "Cut the card out, and the ring in its middle: the hole is 7.2 mm across.",
    "Lay it on the road, clear of white lines and zones with an effect.",
    "Draw a circle along the inside of the hole, and a cross in it.",
)


def _rope(canvas: Canvas, x: float, y: float, team: str) -> None:
    """A strip exactly `ROPE_MM` wide, with a slit along its middle for the solid line."""
    length = 120.0
    _outline(canvas)
    for end in (x, x + length):
        canvas.line(end, y, end, y + ROPE_MM)
    canvas.roundRect(x + 10, y + ROPE_MM / 2 - 1.5, length - 20, 3.0, 1.5, stroke=1, fill=0)
    canvas.setDash([1.2, 1.2])
    for edge in (y, y + ROPE_MM):
        canvas.line(x, edge, x + length, edge)
    canvas.setDash([])
    words(canvas, "ROPE", x + 12, y + 5.6, 3.6, bold=True)
    words(canvas, "dots along this edge", x + length / 2, y + 4.6, 2.8, middle=True)
    words(canvas, "dots along this edge", x + length / 2, y + ROPE_MM - 2.4, 2.8, middle=True)
    words(canvas, f"copy {team}", x + length - 22, y + 5.4, 2.8)


def _mine(canvas: Canvas, x: float, y: float, team: str) -> None:
    """A card with a hole exactly `MINE_MM` across."""
    side = 36.0
    _outline(canvas)
    canvas.roundRect(x, y, side, side, 3, stroke=1, fill=0)
    canvas.circle(x + side / 2, y + side / 2, MINE_MM / 2, stroke=1, fill=0)
    canvas.setLineWidth(0.2)
    for dx, dy in ((-1, -1), (1, -1), (-1, 1), (1, 1)):
        far, near = MINE_MM / 2 * 0.707 + 3.0, MINE_MM / 2 * 0.707 + 0.6
        middle = x + side / 2, y + side / 2
        canvas.line(middle[0] + dx * near, middle[1] + dy * near, middle[0] + dx * far, middle[1] + dy * far)
    words(canvas, "MINE", x + side / 2, y + 6, 3.6, bold=True, middle=True)
    words(canvas, f"copy {team}", x + side / 2, y + side - 3.4, 2.8, middle=True)


def _outline(canvas: Canvas) -> None:
    canvas.setStrokeColorRGB(0.2, 0.2, 0.24)
    canvas.setLineWidth(0.2)
    canvas.setDash([])


def _steps(canvas: Canvas, x: float, y: float, head: str, lines: Sequence[str]) -> None:
    words(canvas, head, x, y, 4.6, bold=True)
    for i, line in enumerate(lines):
        words(canvas, line, x, y + 8 + 5.6 * i, 3.4)


# --------------------------------------------------------------------------------------------- car cards


def _cards(canvas: Canvas, _: Sequence[ScoreLine]) -> None:
    """Six cards: three that are explained, and three to draw your own car on."""
    for i, card in enumerate(CARDS):
        column, row = i % 3, i // 3
        x = (AREA_MM[0] - 3 * CARD_MM[0] - 16) / 2 + column * (CARD_MM[0] + 8)
        _card(canvas, card, x, 9 + row * (CARD_MM[1] + 3))


def _card(canvas: Canvas, card: Card, x: float, y: float) -> None:
    canvas.saveState()
    canvas.transform(1, 0, 0, 1, x, y)
    _picture(card.picture).play(canvas)
    canvas.restoreState()
    words(canvas, card.name, x + CARD_MM[0] / 2, y + 8.6, 5, bold=True, middle=True)
    for i, line in enumerate(card.lines):
        words(canvas, line, x + CARD_MM[0] / 2, y + 50.2 + 3.7 * i, 2.75, middle=True)


def _picture(name: str) -> Painting:
    """A card's picture as it will be drawn."""
    return painting_of(read_document(files("referee.stage").joinpath("cards", f"{name}.svg").read_bytes()))


# --------------------------------------------------------------------------------------------- score sheet


_COLUMNS = ((0.0, ""), (9.0, "Challenge"), (68.0, "Stages"), (120.0, "Under"), (136.0, "And"), (204.0, "Our time"))
_ROW_MM = 7.8


def _scores(canvas: Canvas, scores: Sequence[ScoreLine]) -> None:
    """A line for each challenge, with a box to tick and room for a time."""
    words(canvas, "Team", 150, 5, 3.8)
    canvas.setStrokeColorRGB(*_SOFT)
    canvas.setLineWidth(0.25)
    canvas.line(162, 5.6, AREA_MM[0], 5.6)
    for x, head in _COLUMNS:
        words(canvas, head, x, 13, 3.4, bold=True)
    for i, line in enumerate(scores):
        _score(canvas, line, 16.0 + _ROW_MM * i)


def _score(canvas: Canvas, line: ScoreLine, y: float) -> None:
    canvas.setStrokeColorRGB(*_SOFT)
    canvas.setLineWidth(0.2)
    canvas.line(0, y, AREA_MM[0], y)
    canvas.line(_COLUMNS[-1][0], y + 6.2, AREA_MM[0] - 2, y + 6.2)
    _outline(canvas)
    canvas.roundRect(1.2, y + 1.4, 5, 5, 0.8, stroke=1, fill=0)
    texts = (line.name, line.stages, line.target, line.condition)
    for (x, _), text, bold in zip(_COLUMNS[1:], texts, (True, False, True, False), strict=False):
        words(canvas, text, x, y + 5.2, 3.2, bold=bold)


_PAGES: dict[ExtraName, tuple[str, Callable[[Canvas, Sequence[ScoreLine]], None]]] = {
    "templates": ("Templates to cut out", _templates),
    "cards": ("Car cards to cut out", _cards),
    "scores": ("Challenges: tick off what you have won", _scores),
}
EXTRAS: tuple[ExtraName, ...] = tuple(_PAGES)
