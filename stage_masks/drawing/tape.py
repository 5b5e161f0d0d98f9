"""A measuring tape of exactly 100 mm on every board: the quick check that a print has its right size."""

from __future__ import annotations

from .lettering import write
from .markings import star
from .svg import box, circle, el, group, num, pen, place, shape

LENGTH_MM, WIDTH_MM = 100.0, 3.4


def tape(x: float, y: float) -> str:
    """A tape that hangs down from (x, y), its top left corner; from the hook's top edge to the end mark are 100 mm."""
    ribbon = box(x, y, WIDTH_MM, LENGTH_MM + 2, "#ffe596") + box(x, y, 0.5, LENGTH_MM + 2, "#f6cf63")
    ticks = [_tick(x + WIDTH_MM, y + mm, 1.7 if mm % 10 == 0 else 1.2 if mm % 5 == 0 else 0.7) for mm in range(1, 100)]
    ends = box(x - 0.6, y, WIDTH_MM + 1.2, 0.5, "#8d7a55") + box(
        x - 0.6, y + LENGTH_MM - 0.25, WIDTH_MM + 1.2, 0.5, "#c9574b"
    )
    words = el(
        "g",
        write("100 MM", 0, 0, 1.7, "#9a7a3a", 1.2),
        transform=f"translate({num(x + 1.25)} {num(y + 85)}) rotate(-90)",
    )
    return group(
        [ribbon, pen("".join(ticks), "#a98a4c", 0.14), words, _case(x + WIDTH_MM / 2, y + LENGTH_MM + 5.6), ends]
    )


def _tick(x: float, y: float, length: float) -> str:
    return f"M{num(x)} {num(y)}h-{num(length)}"


def _case(x: float, y: float) -> str:
    """The tape's case, with a star on its lid."""
    case = box(-3.4, -4, 6.8, 7.6, "#ef8a77", rx=1.8) + circle(0, 0, 2.3, "#fff3d8") + shape(star(1.6), "#f6c531")
    return place(case, x, y)
