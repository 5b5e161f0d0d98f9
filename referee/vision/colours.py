"""The print's colours: what the stage file says against what a printer made of it.

A quadratic map of the artwork's light and, colour by colour, what it leaves over.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.float32]

LEVELS = 8
"""Levels a channel in the table of print colours."""


@dataclass(frozen=True, eq=False)
class PrintColours:
    """From the artwork's light to the print's: a quadratic map (10, 3) and what it leaves, by colour (LEVELS^3, 3)."""

    quadratic: NDArray[np.float32]
    table: NDArray[np.float32]

    def of(self, artwork: Picture) -> Picture:
        """The print's light (..., 3) for the artwork's (..., 3)."""
        flat = artwork.reshape(-1, 3)
        return np.asarray(Palette(flat).printed(self).reshape(artwork.shape), np.float32)


class Palette:
    """An artwork's light (..., 3), taken apart once for all pictures: its ten terms and its colour number."""

    def __init__(self, artwork: Picture) -> None:
        self.artwork = artwork
        self.shape = artwork.shape

    @cached_property
    def terms(self) -> NDArray[np.float32]:
        """1, r, g, b, their squares and products (N, 10)."""
        flat = self.artwork.reshape(-1, 3)
        terms = np.empty((len(flat), 10), np.float32)
        terms[:, 0] = 1
        terms[:, 1:4] = flat
        np.square(flat, out=terms[:, 4:7])
        for place, (a, b) in enumerate(((0, 1), (0, 2), (1, 2)), 7):
            np.multiply(flat[:, a], flat[:, b], out=terms[:, place])
        return terms

    @cached_property
    def number(self) -> NDArray[np.intp]:
        """Which of LEVELS^3 colours (N,) a light falls into, by its square root (about its value)."""
        level = np.minimum(np.sqrt(np.clip(self.artwork.reshape(-1, 3), 0, 1)) * LEVELS, LEVELS - 1).astype(np.intp)
        return np.asarray((level[:, 0] * LEVELS + level[:, 1]) * LEVELS + level[:, 2])

    def printed(self, colours: PrintColours) -> Picture:
        """The print's light, shaped as the artwork."""
        light = self.terms @ colours.quadratic
        light += np.take(colours.table, self.number, axis=0)
        return np.asarray(light.reshape(self.shape), np.float32)


def fit_colours(palette: Palette, printed: Picture, say: NDArray[np.float32], *, with_table: bool) -> PrintColours:
    """The colours that explain the light ``printed`` (h, w, 3) of a palette, each place heard by its ``say`` (h, w).

    Weighted least squares for the quadratic map; then, colour by colour, what it leaves, shrunk where few speak.
    """
    voice, light = say.ravel(), printed.reshape(-1, 3)
    terms = palette.terms[::2]
    weighed = (terms * voice[::2, None]).T
    square = weighed @ terms
    square += np.eye(10, dtype=np.float32) * (1e-6 * np.trace(square))
    quadratic = np.linalg.solve(square, weighed @ light[::2]).astype(np.float32)
    table = np.zeros((LEVELS**3, 3), np.float32)
    if with_table:
        left = voice[:, None] * (light - palette.terms @ quadratic)
        count = np.bincount(palette.number, voice, LEVELS**3)
        for k in range(3):
            table[:, k] = np.bincount(palette.number, left[:, k], LEVELS**3) / (count + 2.5)
    return PrintColours(quadratic, table)
