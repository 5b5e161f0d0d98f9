"""A small pen alphabet, drawn for the boards: capitals and digits as round-ended strokes, no font needed.

Each letter stands on a grid 6 high; its strokes are SVG path data.
"""

from __future__ import annotations

import re

from .svg import group, num, pen

_O = "M2 0A2 2 0 0 0 0 2V4A2 2 0 0 0 4 4V2A2 2 0 0 0 2 0Z"
_P = "M0 6V0H2.2A1.7 1.7 0 0 1 2.2 3.4H0"
LETTERS: dict[str, tuple[float, str]] = {
    "A": (4, "M0 6V2A2 2 0 0 1 4 2V6M0 3.8H4"),
    "B": (3.9, "M2.2 2.8H0V0H2A1.4 1.4 0 0 1 2 2.8H2.3A1.6 1.6 0 0 1 2.3 6H0V2.8"),
    "C": (3.8, "M3.8 1.1A2 2 0 0 0 0 2V4A2 2 0 0 0 3.8 4.9"),
    "D": (4, "M0 0V6H1.4A2.6 3 0 0 0 1.4 0Z"),
    "E": (3.4, "M3.4 0H0V6H3.4M0 3H2.8"),
    "F": (3.4, "M3.4 0H0V6M0 3H2.8"),
    "G": (4, "M3.8 1.1A2 2 0 0 0 0 2V4A2 2 0 0 0 4 4V3.2H2.3"),
    "H": (4, "M0 0V6M4 0V6M0 3H4"),
    "I": (0.2, "M0.1 0V6"),
    "J": (3, "M3 0V4.4A1.5 1.6 0 0 1 0 4.6"),
    "K": (3.9, "M0 0V6M3.7 0L0 3.5M1.2 2.4L3.9 6"),
    "L": (3.2, "M0 0V6H3.2"),
    "M": (4.8, "M0 6V0L2.4 3.6L4.8 0V6"),
    "N": (4, "M0 6V0L4 6V0"),
    "O": (4, _O),
    "P": (3.9, _P),
    "Q": (4.2, _O + "M2.6 4.4L4.2 6.2"),
    "R": (4, _P + "M2 3.4L4 6"),
    "S": (3.9, "M3.7 1.1A1.8 1.5 0 0 0 2 0A1.9 1.5 0 0 0 2 3A1.9 1.5 0 0 1 2 6A1.9 1.5 0 0 1 0.1 4.9"),
    "T": (4, "M0 0H4M2 0V6"),
    "U": (4, "M0 0V4A2 2 0 0 0 4 4V0"),
    "V": (4, "M0 0L2 6L4 0"),
    "W": (5.2, "M0 0L1.3 6L2.6 1.6L3.9 6L5.2 0"),
    "X": (4, "M0 0L4 6M4 0L0 6"),
    "Y": (4, "M0 0L2 3L4 0M2 3V6"),
    "Z": (4, "M0 0H4L0 6H4"),
    "0": (4, _O),
    "1": (1.7, "M0 1.3L1.7 0V6"),
    "2": (4, "M0.2 1.6A1.9 1.8 0 1 1 3.3 3L0.1 6H4"),
    "3": (3.8, "M0.2 0H3.6L1.7 2.4A1.8 1.8 0 1 1 0.1 4.9"),
    "4": (4, "M3 6V0L0 4.3H4.2"),
    "5": (3.9, "M3.6 0H0.5L0.3 2.7A2 1.9 0 1 1 0.1 5"),
    "6": (4, "M3 0A4.6 4.6 0 0 0 0 4A2 2 0 1 0 0.1 3.6"),
    "7": (4, "M0 0H4L1.4 6"),
    "8": (3.8, "M1.9 0A1.6 1.4 0 0 0 1.9 2.8A1.8 1.6 0 0 1 1.9 6A1.8 1.6 0 0 1 1.9 2.8A1.6 1.4 0 0 0 1.9 0Z"),
    "9": (4, "M1 6A4.6 4.6 0 0 0 4 2A2 2 0 1 0 3.9 2.4"),
    "-": (2.4, "M0 3H2.4"),
    "'": (0.2, "M0.1 0V1.2"),
    "!": (0.2, "M0.1 0V4M0.1 5.9V6"),
}
GAP, BLANK = 1.75, 2.6


def width(text: str) -> float:
    """How wide a line of text is, in units of the grid."""
    return sum(LETTERS[c][0] if c != " " else BLANK - GAP for c in text.upper()) + GAP * (len(text) - 1)


def write(text: str, x: float, y: float, height: float, colour: str, weight: float = 1.3) -> str:
    """A line of text centred on (x, y), ``height`` mm tall; ``weight`` is the stroke in units of the grid."""
    scale, pen_x, strokes = height / 6, 0.0, []
    for c in text.upper():
        if c != " ":
            strokes.append(_moved(LETTERS[c][1], pen_x))
        pen_x += (LETTERS[c][0] if c != " " else BLANK - GAP) + GAP
    shift = f"translate({num(x - width(text) * scale / 2)} {num(y - height / 2)}) scale({scale:.4f})"
    return group([pen("".join(strokes), colour, weight)], transform=shift)


_STEP = re.compile(r"([MLHVAZ])([^MLHVAZ]*)")


def _moved(strokes: str, x: float) -> str:
    """Path data moved to the right by ``x``: only the x coordinates of each step change."""
    at = {"M": (0,), "L": (0,), "H": (0,), "V": (), "A": (5,), "Z": ()}
    text = []
    for step, numbers in _STEP.findall(strokes):
        values = [float(v) for v in numbers.split()]
        text.append(step + " ".join(num(v + x if i in at[step] else v) for i, v in enumerate(values)))
    return "".join(text)
