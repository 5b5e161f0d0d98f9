# ruff: noqa: E501 - a drawing reads better with each shape on one line
"""Small things that several themes draw."""

from __future__ import annotations

import math
from random import Random

import numpy as np

from ..svg import circle, num, oval, pen, shape, straight


def pick(dice: Random, *choices: str) -> str:
    """One of some colours or words."""
    return choices[int(dice.random() * len(choices))]


def between(dice: Random, low: float, high: float) -> float:
    """A random number in a range."""
    return low + (high - low) * dice.random()


def puffs(bumps: list[tuple[float, float, float]], fill: str) -> str:
    """Overlapping discs (x, y, radius): a cloud, a bush, a sheep."""
    return "".join(circle(x, y, r, fill) for x, y, r in bumps)


def eyes(x: float, y: float, gap: float, r: float, colour: str = "#40404f") -> str:
    """Two eyes with a glint."""
    both = (x - gap / 2, x + gap / 2)
    return "".join(circle(at, y, r, colour) + circle(at + r * 0.3, y - r * 0.35, r * 0.36, "#ffffff") for at in both)


def smile(x: float, y: float, w: float, colour: str = "#40404f", weight: float = 0.4) -> str:
    """A smiling mouth."""
    return pen(f"M{num(x - w / 2)} {num(y)}Q{num(x)} {num(y + w * 0.6)} {num(x + w / 2)} {num(y)}", colour, weight)


def flower(petals: str, heart: str, r: float = 1.0, stem: str | None = None) -> str:
    """A flower with five petals seen from the front, on a stem if it has one."""
    angles = -math.pi / 2 + np.arange(5) * 2 * math.pi / 5
    head = "".join(circle(math.cos(a) * r * 0.62, math.sin(a) * r * 0.62, r * 0.5, petals) for a in angles)
    stalk = ""
    if stem:
        leaf = f"M0 {num(r * 2)}Q{num(r * 1.1)} {num(r * 1.2)} {num(r * 1.3)} {num(r * 1.9)}Q{num(r * 0.6)} {num(r * 2.3)} 0 {num(r * 2)}Z"
        stalk = pen(f"M0 0V{num(r * 2.7)}", stem, r * 0.26) + shape(leaf, stem)
    return stalk + head + circle(0, 0, r * 0.4, heart)


def soft_blob(dice: Random, r: float, flat: float = 0.7, wobble: float = 0.12, points: int = 9) -> str:
    """Path data of a closed soft outline round the origin."""
    reach = np.array([r * between(dice, 1 - wobble, 1.0) for _ in range(points)])
    return soft_outline(reach, flat)


def soft_outline(reach: np.ndarray, flat: float) -> str:
    """Path data of a smooth closed outline with these radii, pressed flat."""
    angles = np.arange(len(reach)) * 2 * math.pi / len(reach)
    points = np.column_stack([np.cos(angles), np.sin(angles) * flat]) * reach[:, None]
    ahead = (np.roll(points, -1, 0) - np.roll(points, 1, 0)) / 6
    text = [f"M{num(points[0, 0])} {num(points[0, 1])}"]
    for i in range(len(points)):
        j = (i + 1) % len(points)
        handles = np.concatenate([points[i] + ahead[i], points[j] - ahead[j], points[j]])
        text.append("C" + " ".join(num(v) for v in handles))
    return "".join(text) + "Z"


def ground_shadow(x: float, y: float, rx: float, colour: str) -> str:
    """The flat shadow that something stands on."""
    return oval(x, y, rx, rx * 0.32, colour)


def butterfly(dice: Random) -> str:
    """A butterfly about 4 mm wide."""
    wing = pick(dice, "#f7b2c4", "#ffd97a", "#b9a7ee", "#8fd0f2", "#ffffff")
    spots = pick(dice, "#ffffff", "#f6e7a6", "#f59a8c")
    art = [oval(side * 1.0, -0.5, 1.0, 0.85, wing) + oval(side * 0.8, 0.75, 0.7, 0.6, wing) for side in (-1, 1)]
    art += [circle(side * 1.1, -0.5, 0.35, spots) for side in (-1, 1)]
    body = pen("M0 -0.9V1.1", "#6b5b52", 0.45) + pen("M0 -0.9L-0.5 -1.7M0 -0.9L0.5 -1.7", "#6b5b52", 0.18)
    return "".join(art) + body


def polygon(*points: tuple[float, float]) -> str:
    """Path data of a polygon."""
    return straight(points, closed=True)
