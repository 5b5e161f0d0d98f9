"""Turbo Man, a wind-up tin hero; and Tubro Man, whom somebody built from memory."""

from __future__ import annotations

from dataclasses import dataclass

from referee.turbo_time.art.pencil import (
    INK,
    WHITE,
    Art,
    Spot,
    box,
    cheeks,
    disc,
    eye,
    eyes,
    oval,
    pen,
    place,
    polygon,
    smile,
    soft,
    star,
    sticks,
)  # fmt: skip


@dataclass(frozen=True)
class Suit:
    """The colours of a hero."""

    suit: str
    dark: str
    cape: str
    lining: str
    bolt: str
    skin: str


RIGHT = Suit("#28a9a4", "#1d827f", "#ff7d45", "#e05f2c", "#ffd94f", "#ffd9b3")
WRONG = Suit("#a9b86a", "#83924d", "#c38bb8", "#a36c99", "#d9cfa0", "#efc9a4")

BOLT: tuple[Spot, ...] = ((1.1, -3.2), (-2.0, 0.7), (-0.2, 0.7), (-1.1, 3.2), (2.0, -0.7), (0.2, -0.7))
"""A flash of lightning; the same if it is turned upside down."""


def turbo_man() -> Art:
    """Chest out, cape in the wind, one fist up; his key turns at his back."""
    return (
        *_cape(RIGHT, 1.0),
        *_key(11.2, 2.0),
        *_legs(RIGHT, (0.0, 0.0)),
        pen(((-5.6, -0.2), (-9.0, 2.6), (-6.4, 5.4)), RIGHT.dark, 2.9),
        disc(-6.2, 5.6, 1.8, WHITE, INK),
        *_body(RIGHT, upright=True),
        pen(((5.4, -0.6), (9.4, -3.4), (9.0, -8.4)), RIGHT.dark, 2.9),
        disc(9.0, -9.6, 2.1, WHITE, INK),
        *_head(RIGHT),
        *eyes(0, -8.6, 3.9, 1.45, (0.3, -0.2)),
        *cheeks(0, -6.5, 7.0, 0.9, "#ffb59a"),
        smile(0.2, -6.2, 3.4),
        *_antenna(RIGHT.bolt),
    )


def tubro_man() -> Art:
    """The same, nearly: a spring for an arm, odd eyes, a patch, and the flash lies on its side."""
    spring = [(-5.6, 0.6), (-7.4, -0.4), (-6.9, 1.8), (-8.7, 0.8), (-8.2, 3.0), (-10.0, 2.0), (-9.5, 4.2)]
    return (
        place(
            (
                *_cape(WRONG, 0.75),
                *_legs(WRONG, (0.0, 0.9)),
                sticks(spring, "#6f7a86", 0.7),
                box(-11.4, 4.0, 3.2, 3.0, "#d8dde2", 0.6, INK),
                *_body(WRONG, upright=False),
                *_patch(3.1, 4.2),
                pen(((5.4, -0.4), (8.0, 2.0), (8.8, 5.6)), WRONG.dark, 2.9),
                oval(8.9, 6.6, 2.3, 1.5, WHITE, INK),
                *_head(WRONG),
                *eye(-2.1, -8.8, 1.9, (-0.7, 0.5)),
                *eye(2.3, -8.3, 1.05, (0.9, -0.3)),
                pen(((-2.6, -5.7), (-1.2, -6.4), (0.1, -5.6), (1.3, -6.4), (2.6, -5.7))),
                *_loose_antenna(),
            ),
            0.6, 0.4, 1.0, 5.0,
        ),
    )  # fmt: skip


def _loose_antenna() -> Art:
    """An antenna that has come loose."""
    return sticks(((0.8, -12.8), (2.2, -14.0), (4.0, -13.2), (5.4, -14.4))), disc(5.9, -14.2, 0.9, "#b8b29a", INK)


def _antenna(colour: str) -> Art:
    return sticks(((0, -12.8), (0, -15.0)), INK, 0.8), star(0, -15.6, 1.9, colour, line=INK)


def _cape(colours: Suit, wide: float) -> Art:
    left, right = -9.6 * wide, 8.4 * wide
    return (
        soft(((-4.0, -3.0), (-7.4 * wide, 3.0), (left, 10.6), (-4.4, 9.6), (0, 11.2), (4.6, 9.6), (right, 10.8),
              (7.0 * wide, 3.0), (4.0, -3.0)), colours.cape, INK),
        pen(((-5.0, 4.0), (-6.4 * wide, 9.0)), colours.lining, 0.7),
        pen(((5.0, 4.0), (6.2 * wide, 9.0)), colours.lining, 0.7),
    )  # fmt: skip


def _key(x: float, y: float) -> Art:
    """The key that winds him up."""
    return (
        sticks(((5.0, y), (x - 1.4, y)), "#8a8f9c", 1.4),
        disc(x, y - 1.6, 1.7, "#f4c542", INK),
        disc(x, y + 1.6, 1.7, "#f4c542", INK),
        disc(x, y - 1.6, 0.7, WHITE, INK, 0.3),
        disc(x, y + 1.6, 0.7, WHITE, INK, 0.3),
    )


def _legs(colours: Suit, odd: Spot) -> Art:
    """Two legs in boots; the right one by so much out of place."""
    x, y = odd
    return (
        box(-4.4, 6.4, 3.6, 5.6, colours.dark, 1.2, INK),
        box(0.8 + x, 6.4, 3.6, 5.6 - y, colours.dark, 1.2, INK),
        box(-5.6, 11.0, 5.0, 2.9, colours.cape, 1.3, INK),
        box(0.6 + x, 11.0 - y, 5.0, 2.9, colours.cape, 1.3, INK),
    )


def _body(colours: Suit, upright: bool) -> Art:
    """A tin barrel with a belt, and the flash on its plate."""
    badge = polygon(BOLT, colours.bolt, INK, 0.4)
    return (
        soft(((-5.8, -2.4), (0, -3.8), (5.8, -2.4), (5.4, 3.4), (4.6, 7.8), (0, 8.6), (-4.6, 7.8), (-5.4, 3.4)),
             colours.suit, INK),
        disc(0, 1.2, 3.9, WHITE, INK, 0.4),
        place((badge,), 0, 1.2, 0.95, 0.0 if upright else 100.0),
        box(-4.9, 5.6, 9.8, 1.9, colours.bolt, 0.6, INK, 0.4),
        box(-1.2, 5.3, 2.4, 2.5, WHITE, 0.5, INK, 0.4),
    )  # fmt: skip


def _patch(x: float, y: float) -> Art:
    """A patch with stitches."""
    stitches = tuple(sticks(((x + dx - 0.4, y - 1.5), (x + dx + 0.2, y - 0.7)), INK, 0.25) for dx in (-0.9, 0.1, 1.1))
    return place((box(-1.5, -1.2, 3.0, 2.4, "#f2a65e", 0.4, INK, 0.35),), x, y, 1.0, -14.0), *stitches


def _head(colours: Suit) -> Art:
    """A helmet with a visor, and a face in it."""
    return (
        disc(-6.0, -8.4, 1.7, colours.bolt, INK),
        disc(6.0, -8.4, 1.7, colours.bolt, INK),
        soft(((-6.0, -8.4), (-5.2, -11.8), (0, -13.4), (5.2, -11.8), (6.0, -8.4), (4.6, -4.6), (0, -3.4),
              (-4.6, -4.6)), colours.suit, INK),
        soft(((-4.9, -8.4), (-4.0, -10.8), (0, -11.4), (4.0, -10.8), (4.9, -8.4), (3.6, -5.4), (0, -4.4),
              (-3.6, -5.4)), colours.skin, INK, 0.4),
        pen(((-3.6, -12.1), (-1.6, -12.7)), WHITE, 0.6),
    )  # fmt: skip
