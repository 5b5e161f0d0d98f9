"""The print's colours: what the stage file says against what a printer made of it.

A quadratic map of the artwork's light and, colour by colour, what it leaves over.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from referee.hands import for_each, shares
from referee.vision.opencv import cv2

Picture = NDArray[np.float32]

AT_ONCE = 30000
"""Places that are worked out at once: no more, lest much memory is wanted."""
LEVELS = 8
"""Levels a channel in the table of print colours."""


def _light_table() -> NDArray[np.float32]:
    """sRGB value to linear light (IEC 61966-2-1)."""
    value = np.arange(256) / 255.0
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4).astype(np.float32)


LIGHT_OF_VALUE = _light_table()
LUMA = np.array([0.2126, 0.7152, 0.0722], np.float32)
"""What red, green and blue light count for in brightness (ITU-R BT.709)."""
ONES = np.ones(3, np.float32)
HUGE = np.float32(np.inf)


def light(values: NDArray[np.uint8]) -> Picture:
    """Linear light (same shape, 0 to 1) of sRGB values: blur happens in light, so edges are measured there."""
    return np.asarray(cv2.LUT(values, LIGHT_OF_VALUE))


# Three channels are a short axis, on which numpy and BLAS are slow: each of these takes an eighth to a half of the time
# of its spelling in numpy (a whole board, 420 x 594 places), and none keeps a second core busy as BLAS does.


def mixed(colours: Picture, mix: NDArray[np.float32]) -> NDArray[np.float32]:
    """Channels (..., 3) through a matrix (3, 3), or (3, 4) whose last column is added: (..., 3)."""
    made = cv2.transform(colours.reshape(1, -1, 3), mix) if colours.size else colours
    return np.asarray(made, np.float32).reshape(colours.shape)


def weighed(colours: NDArray[Any], weights: NDArray[np.float32]) -> NDArray[np.float32]:
    """The sum (...,) of channels (..., 3), each times its weight (3,)."""
    made = cv2.transform(colours.reshape(1, -1, 3), weights[None]) if colours.size else colours[..., 0]
    return np.asarray(made, np.float32).reshape(colours.shape[:-1])


def dot3(a: NDArray[Any], b: NDArray[Any]) -> NDArray[np.float32]:
    """The dot product of channels (..., 3): (...,)."""
    return weighed(a * b, ONES)


def thrice(values: NDArray[Any]) -> Picture:
    """Values (...,) as three channels alike (..., 3)."""
    flat = np.asarray(values, np.float32).reshape(1, -1)
    made = cv2.cvtColor(flat, cv2.COLOR_GRAY2BGR) if values.size else flat
    return np.asarray(made, np.float32).reshape(*values.shape, 3)


def worst(channels: Picture) -> NDArray[np.float32]:
    """The largest of the three channels (..., 3): (...,)."""
    return np.asarray(np.maximum(np.maximum(channels[..., 0], channels[..., 1]), channels[..., 2]))


def at_least(values: NDArray[Any], least: float) -> NDArray[np.float32]:
    """Values, those below ``least`` raised to it: numpy's maximum takes three times as long for a single number."""
    return np.asarray(np.clip(values, np.float32(least), HUGE), np.float32)


def at_most(values: NDArray[Any], most: float) -> NDArray[np.float32]:
    """Values, those above ``most`` lowered to it."""
    return np.asarray(np.clip(values, -HUGE, np.float32(most)), np.float32)


def roots(values: Picture) -> Picture:
    """Square roots, in half of numpy's time."""
    return np.asarray(cv2.sqrt(values.reshape(1, -1)), np.float32).reshape(values.shape) if values.size else values


@dataclass(frozen=True, eq=False)
class PrintColours:
    """From the artwork's light to the print's: a quadratic map (10, 3) and what it leaves, by colour (LEVELS^3, 3)."""

    quadratic: NDArray[np.float32]
    table: NDArray[np.float32]

    def of(self, values: NDArray[np.uint8]) -> Picture:
        """The print's light (N, 3) for an artwork's values (N, 3)."""
        light_ = _terms(light(values)).T @ self.quadratic
        light_ += np.take(self.table, _number(cv2.LUT(values, LEVEL_OF_VALUE)), axis=0)
        return np.asarray(light_, np.float32)


def _terms(artwork: Picture) -> NDArray[np.float32]:
    """1, r, g, b, their squares and products (10, N) of lights (N, 3)."""
    terms = np.empty((10, len(artwork)), np.float32)
    terms[0] = 1
    terms[1:4] = artwork.T
    np.square(terms[1:4], out=terms[4:7])
    for place, (a, b) in enumerate(((1, 2), (1, 3), (2, 3)), 7):
        np.multiply(terms[a], terms[b], out=terms[place])
    return terms


def _level(artwork: Picture) -> NDArray[np.uint8]:
    """The level of each channel (N, 3), by the light's square root (about its value)."""
    return np.asarray(np.minimum(np.sqrt(np.clip(artwork, 0, 1)) * LEVELS, LEVELS - 1), np.uint8)


def _number(level: NDArray[np.uint8]) -> NDArray[np.int16]:
    number = level[:, 0].astype(np.int16)
    for k in (1, 2):
        number = number * np.int16(LEVELS) + level[:, k]
    return number


LEVEL_OF_VALUE = _level(LIGHT_OF_VALUE)


class Palette:
    """An artwork's light (..., 3), taken apart once for all pictures: its ten terms and its colour number."""

    def __init__(self, artwork: Picture) -> None:
        self.artwork = artwork
        self.shape = artwork.shape

    @cached_property
    def terms(self) -> NDArray[np.float32]:
        """The terms (10, N) of the quadratic map."""
        return _terms(self.artwork.reshape(-1, 3))

    @cached_property
    def some_terms(self) -> NDArray[np.float32]:
        """Those of every second place: enough to fit the map by."""
        return np.ascontiguousarray(self.terms[:, ::2])

    @cached_property
    def number(self) -> NDArray[np.int16]:
        """Which of LEVELS^3 colours (N,) a light falls into."""
        return _number(_level(self.artwork.reshape(-1, 3)))

    def printed(self, colours: PrintColours) -> Picture:
        """The print's light, shaped as the artwork."""
        made = np.empty((len(self.number), 3), np.float32)

        def part(share: slice) -> None:
            np.matmul(self._terms_of(share).T, colours.quadratic, out=made[share])
            made[share] += np.take(colours.table, self.number[share], axis=0)

        for_each(part, shares(len(made), AT_ONCE))
        return made.reshape(self.shape)

    def brightness(self, colours: PrintColours, weights: NDArray[np.float32]) -> NDArray[np.float32]:
        """The sum (...,) of the print's channels, each times its weight (3,): without all three of them."""
        made = np.empty(len(self.number), np.float32)
        quadratic, table = colours.quadratic @ weights, colours.table @ weights

        def part(share: slice) -> None:
            np.matmul(quadratic, self._terms_of(share), out=made[share])
            made[share] += np.take(table, self.number[share])

        for_each(part, shares(len(made), AT_ONCE))
        return made.reshape(self.shape[:-1])

    def _terms_of(self, share: slice) -> NDArray[np.float32]:
        """Some of the terms (10, n): those of a large artwork are not kept, for they take ten times its memory."""
        return self.terms[:, share] if "terms" in self.__dict__ else _terms(self.artwork.reshape(-1, 3)[share])


def fit_colours(palette: Palette, printed: Picture, say: NDArray[np.float32], *, with_table: bool) -> PrintColours:
    """The colours that explain the light ``printed`` (h, w, 3) of a palette, each place heard by its ``say`` (h, w).

    Weighted least squares for the quadratic map; then, colour by colour, what it leaves, shrunk where few speak.
    """
    voice, light = say.ravel(), printed.reshape(-1, 3)
    terms = palette.some_terms
    weighed = terms * voice[::2]
    square = weighed @ terms.T
    square += np.eye(10, dtype=np.float32) * (1e-6 * np.trace(square))
    quadratic = np.linalg.solve(square, weighed @ light[::2]).astype(np.float32)
    table = np.zeros((LEVELS**3, 3), np.float32)
    if with_table:
        left = thrice(voice) * (light - palette.terms.T @ quadratic)
        count = np.bincount(palette.number, voice, LEVELS**3)
        for k in range(3):
            table[:, k] = np.bincount(palette.number, left[:, k], LEVELS**3) / (count + 2.5)
    return PrintColours(quadratic, table)
