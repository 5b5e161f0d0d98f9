"""The 36 cards: number, the power as a small scene, its name and what it does, the marker; and their back."""

from __future__ import annotations

import textwrap

from referee.turbo_time.art.heroes import BOLT
from referee.turbo_time.art.patch import PATCH_MM, patch
from referee.turbo_time.art.pencil import (
    INK,
    WHITE,
    Art,
    Words,
    box,
    disc,
    eyes,
    oval,
    pen,
    place,
    polygon,
    round_spots,
    star,
    sticks,
)  # fmt: skip
from referee.turbo_time.art.tiles import PAPERS, TILE_MM, every_tile, picture, tile_back
from referee.turbo_time.cards import Power
from referee.turbo_time.markers import card_marker
from referee.turbo_time.settings import STANDARD, Settings
from referee.turbo_time.toys import Toy
from referee.turbo_time.words import say
from referee.words import Language, told

CARD_MM = (60.0, 84.0)
COLOURS: dict[Power, tuple[str, str]] = {
    "swap": ("#3f88c5", "#d6e8f7"),
    "peek": ("#7a50b0", "#e9def6"),
    "peek-swap": ("#d1487a", "#fbdfea"),
    "flip": ("#3f9d5a", "#d9f0dd"),
    "shuffle": ("#e07b1f", "#fde6cc"),
}
"""A power's colour, and a pale one."""
_LETTERS_A_LINE = 34


def card(number: int, settings: Settings = STANDARD, language: Language = "en") -> Art:
    """The face of a card, its top left at the origin."""
    power = settings.power_of(number)
    colour, pale = COLOURS[power]
    w, h = CARD_MM
    return (
        box(0, 0, w, h, colour),
        box(2.5, 2.5, w - 5, h - 5, WHITE, 3.0),
        box(4.0, 20.5, w - 8, 37.5, pale, 2.5),
        *_sparkles(number, colour),
        place(scene(power, number), w / 2, 39.2),
        *_number(number, colour),
        *patch(card_marker(number), w - PATCH_MM - 3.6, 4.0),
        *_words(power, settings, colour, language),
    )


def _number(number: int, colour: str) -> Art:
    burst = (star(0, 0, 10.0, colour, 14, 0.86, INK), disc(0, 0, 7.4, WHITE, INK, 0.35))
    return place(burst, 14.0, 11.8, 0.86), Words(str(number), 14.0, 15.0, 9.2)


def _words(power: Power, settings: Settings, colour: str, language: Language) -> Art:
    """The power's name and what it does, in as many lines as it takes."""
    retold = power == "flip" and settings.flip == "retelling"
    does = told(say("does.flip-retelling" if retold else f"does.{power}"), language)
    lines = textwrap.wrap(does, _LETTERS_A_LINE, break_on_hyphens=False)
    name = told(say(f"power.{power}"), language)
    title = Words(name, CARD_MM[0] / 2, 65.0, 6.2 if len(name) < 14 else 5.2, colour)
    return title, *(Words(line, CARD_MM[0] / 2, 70.2 + 3.9 * at, 3.2, bold=False) for at, line in enumerate(lines))


def _sparkles(number: int, colour: str) -> Art:
    """Small stars round the scene, a little otherwise on each card."""
    spots = round_spots(7, 1.0, number * 31.0)
    return tuple(star(30 + 23.5 * x, 39.2 + 15.5 * y, 1.1 + 0.4 * (at % 2), colour) for at, (x, y) in enumerate(spots))


# ----------------------------------------------------------------------------------------- scenes


def scene(power: Power, number: int) -> Art:
    """A power at work, with toys that change from card to card; about 48 x 34 mm round the origin."""
    one, other, third = _three_toys(number)
    match power:
        case "swap":
            return *_arrows(), place(_face(*one), -11.5, 0, 0.4, -7), place(_face(*other), 11.5, 0, 0.4, 7)
        case "peek":
            return _peek(one)
        case "peek-swap":
            swap = (*_arrows(), place(_face(*one), -11.5, 0, 0.36, -7), place(_back(), 11.5, 0, 0.36, 7))
            return place(swap, 3.0, 2.0, 0.94), *_glass(-13.0, -4.0, one)
        case "flip":
            return _flip(one)
        case "shuffle":
            return _shuffle((one, other, third))


def _three_toys(number: int) -> list[tuple[Toy, int]]:
    """Three different toys, others on each card."""
    tiles = every_tile()
    first = 3 * number % len(tiles)
    further = (0, 1 + number % 15, 1 + (number + 4) % 15)
    return [tiles[(first + step) % len(tiles)] for step in further]


def _face(toy: Toy, nth: int) -> Art:
    """A tile without words, round the origin."""
    half = TILE_MM / 2
    return box(-half, -half, TILE_MM, TILE_MM, PAPERS[toy][0], 4.0, INK, 1.2), place(picture(toy, nth), 0, 0.5, 1.4)


def _back() -> Art:
    """A tile's back, round the origin."""
    half = TILE_MM / 2
    return place(tile_back(), -half, -half), box(-half, -half, TILE_MM, TILE_MM, None, 0.0, INK, 1.2)


def _arrows() -> Art:
    """Two arrows that run round each other."""
    arc = pen(((-11.0, -10.6), (-5.0, -14.6), (5.0, -14.6), (9.6, -12.0)), INK, 1.5)
    head = polygon(((12.8, -10.2), (10.8, -15.0), (7.4, -10.8)), INK, INK)
    return place((arc, head), 0, 0), place((arc, head), 0, 0, 1.0, 180.0)


def _peek(seen: tuple[Toy, int]) -> Art:
    """A tile lifted by a corner, its toy under a glass, and somebody who looks."""
    return (
        oval(0, 13.6, 17.0, 1.9, "#c9b8e0"),
        place(_back(), -9.0, 1.0, 0.46, -9.0),
        *_glass(6.0, -0.5, seen, 1.35),
        *eyes(-9.0, -12.6, 6.4, 2.9, (0.8, 0.7)),
        pen(((-15.2, -16.4), (-12.6, -17.2), (-10.6, -16.0)), INK, 0.9),
        pen(((-7.6, -16.0), (-5.4, -17.2), (-2.8, -16.4)), INK, 0.9),
    )


def _glass(x: float, y: float, seen: tuple[Toy, int], scale: float = 1.0) -> Art:
    """A looking glass with a toy in it."""
    toy, nth = seen
    glass = (
        sticks(((5.4, 5.4), (10.8, 10.8)), INK, 3.4),
        sticks(((6.6, 6.6), (10.6, 10.6)), "#c98a4b", 2.2),
        disc(0, 0, 8.2, PAPERS[toy][0], INK, 1.7),
        place(picture(toy, nth), 0, 0.4, 0.46),
        pen(((-5.6, -3.6), (-3.9, -5.4), (-2.2, -6.2)), WHITE, 0.9),
    )
    return (place(glass, x, y, scale),)


def _flip(turned: tuple[Toy, int]) -> Art:
    """A tile that goes over: its back, its edge, its face."""
    edge = (polygon(((-3.0, -9.6), (2.2, -11.6), (2.2, 11.6), (-3.0, 9.6)), "#ffd94f", INK, 0.6),)
    return (
        oval(0, 14.2, 20.0, 1.8, "#b9dcc0"),
        place(_back(), -14.6, 2.4, 0.36, -4.0),
        place(edge, 0.4, 1.4, 0.92),
        place(_face(*turned), 14.2, 1.6, 0.44, 4.0),
        pen(((-14.0, -9.4), (-8.0, -14.6), (0.0, -16.0), (6.4, -14.2)), INK, 1.5),
        polygon(((9.8, -11.2), (8.4, -16.4), (4.4, -12.6)), INK, INK),
    )


def _shuffle(tossed: tuple[tuple[Toy, int], ...]) -> Art:
    """Three toys in the air over a cart."""
    left, middle, right = tossed
    cart = (
        polygon(((-15.0, 6.4), (15.0, 6.4), (11.6, 13.6), (-11.6, 13.6)), "#f2685c", INK, 0.7),
        sticks(((-18.6, 3.6), (-15.0, 6.4)), INK, 1.4),
        *(sticks(((x, 7.2), (x * 0.82, 13.0)), "#ff9a8a", 0.9) for x in (-9.0, -3.0, 3.0, 9.0)),
        disc(-8.0, 15.8, 2.2, "#5b6472", INK),
        disc(8.0, 15.8, 2.2, "#5b6472", INK),
    )
    return (
        place(_face(*left), -14.6, -5.2, 0.3, -28.0),
        place(_face(*right), 14.6, -5.2, 0.3, 26.0),
        place(_face(*middle), 0, -6.6, 0.33, 6.0),
        *cart,
        pen(((-8.6, 4.4), (-7.6, 0.6), (-8.6, -1.2)), INK, 0.7),
        pen(((8.6, 4.4), (7.6, 0.6), (8.6, -1.2)), INK, 0.7),
    )


# ----------------------------------------------------------------------------------------- the back


_STARS = ((-18, -31, 2.2), (17, -27, 1.5), (-9, -22, 1.2), (20, -9, 1.7), (-21, -13, 1.3), (6, -33, 1.4))
_DOTS = ((-12, -34), (12, -34), (0, -26), (-20, -22), (22, -18), (-15, -6))


def card_back() -> Art:
    """Flashes and stars on midnight blue, the same upside down: a back tells nothing."""
    w, h = CARD_MM
    wave = pen(((-24.0, -36.0), (-12.0, -38.0), (0.0, -36.4), (12.0, -38.0), (24.0, -36.0)), "#8fa3e8", 0.8)
    half = (
        *(star(x, y, r, "#ffd94f") for x, y, r in _STARS),
        *(disc(x, y, 0.6, "#8fa3e8") for x, y in _DOTS),
        wave,
    )
    return (
        box(0, 0, w, h, "#2b3a7e"),
        box(2.5, 2.5, w - 5, h - 5, None, 3.0, "#ffd94f", 0.7),
        place(half, w / 2, h / 2),
        place(half, w / 2, h / 2, 1.0, 180.0),
        place((star(0, 0, 15.5, "#ff7d45", 16, 0.84, INK), disc(0, 0, 11.6, WHITE, INK)), w / 2, h / 2),
        place((polygon(BOLT, "#ffd94f", INK, 0.22),), w / 2, h / 2, 2.9),
    )
