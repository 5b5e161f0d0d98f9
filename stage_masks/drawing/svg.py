"""SVG text, written the same way every time: two decimals, attributes in the order given."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np

from .curves import Points

KNOT_MM = 4.0


def num(value: float) -> str:
    """A number with at most two decimals, no trailing zeros, no minus zero."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def el(tag: str, *children: str, **attributes: object) -> str:
    """One element: ``el("path", d="M0 0", stroke_width=2)``; None leaves an attribute out."""
    text = "".join(f' {_name(name)}="{_value(value)}"' for name, value in attributes.items() if value is not None)
    inside = "".join(children)
    return f"<{tag}{text}>{inside}</{tag}>" if inside else f"<{tag}{text}/>"


def _name(name: str) -> str:
    return name.rstrip("_").replace("_", "-")


def _value(value: object) -> str:
    return num(value) if isinstance(value, int | float) else str(value)


def group(children: Iterable[str], **attributes: object) -> str:
    """A group with each child on a line of its own."""
    return el("g", "\n" + "\n".join(children) + "\n", **attributes)


def place(art: str, x: float, y: float, scale: float = 1.0, turn: float = 0.0, flip: bool = False) -> str:
    """Artwork drawn round the origin, put at (x, y) in mm, turned by degrees, mirrored left to right if asked."""
    parts = [f"translate({num(x)} {num(y)})"]
    if turn:
        parts.append(f"rotate({num(turn)})")
    if flip or scale != 1.0:
        parts.append(f"scale({num(-scale if flip else scale)} {num(scale)})")
    return el("g", art, transform="".join(parts))


def circle(x: float, y: float, r: float, fill: str, **more: object) -> str:
    """A filled disc."""
    return el("circle", cx=x, cy=y, r=r, fill=fill, **more)


def oval(x: float, y: float, rx: float, ry: float, fill: str, **more: object) -> str:
    """A filled ellipse."""
    return el("ellipse", cx=x, cy=y, rx=rx, ry=ry, fill=fill, **more)


def box(x: float, y: float, w: float, h: float, fill: str, **more: object) -> str:
    """A filled rectangle."""
    return el("rect", x=x, y=y, width=w, height=h, fill=fill, **more)


def shape(d: str, fill: str, **more: object) -> str:
    """A filled path."""
    return el("path", d=d, fill=fill, **more)


def pen(d: str, colour: str, width: float, **more: object) -> str:
    """A drawn line with round ends."""
    return el("path", d=d, fill="none", stroke=colour, stroke_width=width, stroke_linecap="round",
              stroke_linejoin="round", **more)  # fmt: skip


def straight(points: Points | Sequence[tuple[float, float]], closed: bool = False) -> str:
    """Path data of straight lines through points (N, 2)."""
    steps = "L".join(f"{num(x)} {num(y)}" for x, y in np.asarray(points, float))
    return f"M{steps}{'Z' if closed else ''}"


def bezier(points: Points, move: bool = True) -> str:
    """Path data of cubic curves along dense points (N, 2), a knot about every 4 mm (within 0.01 mm of the points)."""
    s = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
    ahead = np.gradient(points, s, axis=0)
    ahead /= np.hypot(*ahead.T)[:, None]
    knots = np.unique(np.rint(np.linspace(0, len(points) - 1, max(2, int(np.ceil(s[-1] / KNOT_MM)) + 1))).astype(int))
    x, y = points[0]
    text = [f"{'M' if move else 'L'}{num(x)} {num(y)}"]
    for a, b in pairwise(knots):
        third = (s[b] - s[a]) / 3
        handles = np.array([points[a] + ahead[a] * third, points[b] - ahead[b] * third, points[b]])
        text.append("C" + " ".join(num(value) for value in handles.ravel()))
    return "".join(text)
