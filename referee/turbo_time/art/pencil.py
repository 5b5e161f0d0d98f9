"""Shapes as frozen values, in millimetres, y down: outlines, words, and whole drawings put elsewhere.

A drawing (`Art`) is a tuple of them, the hindmost first: drawn round the origin, then put in its place.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

INK = "#3a3352"
"""The colour of outlines."""
WHITE = "#ffffff"
LINE_MM = 0.5
_ROUND = 0.5523
"""How far a circle's handles reach, as a part of its radius."""


@dataclass(frozen=True)
class Mark:
    """An outline, filled, drawn, or both; ``path`` has the steps M, L, C and Z of SVG, all absolute."""

    path: str
    fill: str | None = None
    line: str | None = None
    width: float = LINE_MM


@dataclass(frozen=True)
class Words:
    """A line of text with its middle at x and its foot at y; ``size`` is the type's."""

    text: str
    x: float
    y: float
    size: float
    colour: str = INK
    bold: bool = True


@dataclass(frozen=True)
class Placed:
    """A drawing moved by a matrix a b c d e f, as SVG has it."""

    art: Art
    matrix: tuple[float, float, float, float, float, float]


Art = tuple["Mark | Words | Placed", ...]
Spot = tuple[float, float]


def num(value: float) -> str:
    """A number with at most three decimals, the same every time.

    >>> num(1.0), num(-0.0001), num(0.12345)
    ('1', '0', '0.123')
    """
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _step(letter: str, *spots: Spot) -> str:
    return letter + " ".join(f"{num(x)} {num(y)}" for x, y in spots)


# ----------------------------------------------------------------------------------------- outlines


def oval(
    x: float, y: float, rx: float, ry: float, fill: str | None, line: str | None = None, width: float = LINE_MM
) -> Mark:
    """An ellipse."""
    kx, ky = rx * _ROUND, ry * _ROUND
    path = _step("M", (x + rx, y))
    path += _step("C", (x + rx, y + ky), (x + kx, y + ry), (x, y + ry))
    path += _step("C", (x - kx, y + ry), (x - rx, y + ky), (x - rx, y))
    path += _step("C", (x - rx, y - ky), (x - kx, y - ry), (x, y - ry))
    path += _step("C", (x + kx, y - ry), (x + rx, y - ky), (x + rx, y)) + "Z"
    return Mark(path, fill, line, width)


def disc(x: float, y: float, r: float, fill: str | None, line: str | None = None, width: float = LINE_MM) -> Mark:
    """A circle."""
    return oval(x, y, r, r, fill, line, width)


def box(
    x: float, y: float, w: float, h: float, fill: str | None, r: float = 0.0, line: str | None = None,
    width: float = LINE_MM,
) -> Mark:  # fmt: skip
    """A rectangle from its top left, with round corners if asked."""
    if not r:
        return polygon(((x, y), (x + w, y), (x + w, y + h), (x, y + h)), fill, line, width)
    k, right, low = r * (1 - _ROUND), x + w, y + h
    path = _step("M", (x + r, y)) + _step("L", (right - r, y))
    path += _step("C", (right - k, y), (right, y + k), (right, y + r)) + _step("L", (right, low - r))
    path += _step("C", (right, low - k), (right - k, low), (right - r, low)) + _step("L", (x + r, low))
    path += _step("C", (x + k, low), (x, low - k), (x, low - r)) + _step("L", (x, y + r))
    path += _step("C", (x, y + k), (x + k, y), (x + r, y)) + "Z"
    return Mark(path, fill, line, width)


def polygon(spots: Sequence[Spot], fill: str | None, line: str | None = None, width: float = LINE_MM) -> Mark:
    """Straight lines round a shape."""
    return Mark(_step("M", spots[0]) + "".join(_step("L", spot) for spot in spots[1:]) + "Z", fill, line, width)


def soft(spots: Sequence[Spot], fill: str | None, line: str | None = None, width: float = LINE_MM) -> Mark:
    """A closed curve that runs smoothly through some spots."""
    count = len(spots)
    path = _step("M", spots[0])
    for at in range(count):
        before, here, there, beyond = (spots[(at + step) % count] for step in (-1, 0, 1, 2))
        path += _step("C", _ahead(here, before, there), _ahead(there, beyond, here), there)
    return Mark(path + "Z", fill, line, width)


def _ahead(here: Spot, behind: Spot, before: Spot) -> Spot:
    """The handle of a curve at a spot, along the way from the one behind to the one before it."""
    return here[0] + (before[0] - behind[0]) / 6, here[1] + (before[1] - behind[1]) / 6


def pen(spots: Sequence[Spot], colour: str = INK, width: float = LINE_MM) -> Mark:
    """A drawn line that runs smoothly through some spots, its ends round."""
    path = _step("M", spots[0])
    for at in range(len(spots) - 1):
        before, beyond = spots[max(0, at - 1)], spots[min(len(spots) - 1, at + 2)]
        here, there = spots[at], spots[at + 1]
        path += _step("C", _ahead(here, before, there), _ahead(there, beyond, here), there)
    return Mark(path, None, colour, width)


def sticks(spots: Sequence[Spot], colour: str = INK, width: float = LINE_MM) -> Mark:
    """A drawn line with straight parts."""
    return Mark(_step("M", spots[0]) + "".join(_step("L", spot) for spot in spots[1:]), None, colour, width)


def round_spots(count: int, r: float, turn: float = 0.0) -> list[Spot]:
    """Places evenly round the origin, the first above it, clockwise; ``turn`` in degrees."""
    angles = [math.radians(turn - 90 + 360 * at / count) for at in range(count)]
    return [(r * math.cos(angle), r * math.sin(angle)) for angle in angles]


def star(x: float, y: float, r: float, fill: str, points: int = 5, inner: float = 0.5, line: str | None = None) -> Mark:
    """A star; ``inner`` is how deep it is cut, as a part of its radius."""
    outside, inside = round_spots(points, r), round_spots(points, r * inner, 180 / points)
    spots = [spot for pair in zip(outside, inside, strict=True) for spot in pair]
    return polygon([(x + dx, y + dy) for dx, dy in spots], fill, line)


# ----------------------------------------------------------------------------------------- put elsewhere


def place(art: Art, x: float, y: float, scale: float = 1.0, turn: float = 0.0, flip: bool = False) -> Placed:
    """A drawing with its origin at (x, y), made larger, turned clockwise by degrees, mirrored left to right."""
    c, s = math.cos(math.radians(turn)) * scale, math.sin(math.radians(turn)) * scale
    side = -1 if flip else 1
    return Placed(art, (side * c, side * s, -s, c, x, y))


# ----------------------------------------------------------------------------------------- faces


def eyes(x: float, y: float, gap: float, r: float, look: Spot = (0.0, 0.0)) -> Art:
    """Two white eyes with pupils that look somewhere."""
    return tuple(part for side in (-1, 1) for part in eye(x + side * gap / 2, y, r, look))


def eye(x: float, y: float, r: float, look: Spot = (0.0, 0.0), iris: str = INK) -> Art:
    """One white eye."""
    at_x, at_y = x + look[0] * r * 0.4, y + look[1] * r * 0.4
    return (
        disc(x, y, r, WHITE, INK, 0.35),
        disc(at_x, at_y, r * 0.55, iris),
        disc(at_x + r * 0.2, at_y - r * 0.22, r * 0.2, WHITE),
    )


def smile(x: float, y: float, w: float, depth: float = 0.45, colour: str = INK, width: float = LINE_MM) -> Mark:
    """A mouth; a ``depth`` below zero makes it sad."""
    bend = ((-0.5, 0.0), (-0.25, 0.75), (0.0, 1.0), (0.25, 0.75), (0.5, 0.0))
    spots = [(x + w * across, y + w * depth * low) for across, low in bend]
    return pen(spots, colour, width)


def grin(x: float, y: float, w: float, h: float, teeth: int = 0) -> Art:
    """An open mouth, with so many pointed teeth at its upper lip."""
    k = h * 4 / 3
    mouth = Mark(f"{_step('M', (x - w / 2, y))}{_step('C', (x - w / 3, y + k), (x + w / 3, y + k), (x + w / 2, y))}Z",
                 "#7a2b45", INK, 0.4)  # fmt: skip
    wide = w * 0.8 / max(1, teeth)
    fangs = [
        polygon(((left, y + 0.1), (left + wide, y + 0.1), (left + wide / 2, y + h * 0.42)), WHITE)
        for left in (x - w * 0.4 + wide * at for at in range(teeth))
    ]
    return mouth, *fangs


def cheeks(x: float, y: float, gap: float, r: float, colour: str) -> Art:
    """Two rosy cheeks."""
    return oval(x - gap / 2, y, r, r * 0.7, colour), oval(x + gap / 2, y, r, r * 0.7, colour)
