"""Seven Boosters: small animals with rockets on their backs, alike but for ears, coat and scarf."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from referee.turbo_time.art.pencil import (
    INK,
    WHITE,
    Art,
    box,
    cheeks,
    disc,
    eyes,
    grin,
    oval,
    pen,
    place,
    polygon,
    smile,
    soft,
)  # fmt: skip

Ears = Literal["bear", "cat", "rabbit", "dog", "mouse", "fox", "owl"]


@dataclass(frozen=True)
class Pal:
    """What tells one Booster from another."""

    ears: Ears
    coat: str
    belly: str
    scarf: str


PALS = (
    Pal("bear", "#b98256", "#f1d9b8", "#e8504a"),
    Pal("cat", "#f4a259", "#ffe9cf", "#3f88c5"),
    Pal("rabbit", "#d9c6e8", "#ffffff", "#44af69"),
    Pal("dog", "#f3d58b", "#fff7e0", "#9a6fd0"),
    Pal("mouse", "#a9b4c2", "#eef1f5", "#f6b53f"),
    Pal("fox", "#ee7450", "#fff1e6", "#2a9d8f"),
    Pal("owl", "#7fb7a3", "#eaf5ee", "#ee6f9b"),
)


def booster(nth: int) -> Art:
    """One of seven, from 0, just taking off."""
    pal = PALS[nth]
    return (
        *_rocket(-6.6),
        *_rocket(6.6),
        *_back_ears(pal),
        oval(-3.0, 12.0, 2.5, 1.6, pal.coat, INK),
        oval(3.0, 12.0, 2.5, 1.6, pal.coat, INK),
        soft(((-4.8, 2.0), (0, 1.0), (4.8, 2.0), (5.8, 8.0), (3.6, 12.0), (0, 12.6), (-3.6, 12.0), (-5.8, 8.0)),
             pal.coat, INK),
        oval(0, 8.2, 3.3, 3.3, pal.belly),
        pen(((-4.8, 4.6), (-7.6, 2.6), (-8.4, -0.4)), pal.coat, 2.2),
        pen(((4.8, 4.6), (7.2, 6.4), (7.6, 8.6)), pal.coat, 2.2),
        *_scarf(pal.scarf),
        soft(((-7.0, -4.0), (-5.6, -9.0), (0, -11.0), (5.6, -9.0), (7.0, -4.0), (4.8, 0.4), (0, 1.8), (-4.8, 0.4)),
             pal.coat, INK),
        *_front_ears(pal),
        *_face(pal, nth),
    )  # fmt: skip


def _rocket(x: float) -> Art:
    """A small rocket with its flame."""
    return (
        soft(((x - 1.4, 9.4), (x - 1.8, 11.4), (x, 15.0), (x + 1.8, 11.4), (x + 1.4, 9.4)), "#ff9d3c"),
        soft(((x - 0.8, 9.4), (x - 0.9, 10.8), (x, 12.8), (x + 0.9, 10.8), (x + 0.8, 9.4)), "#ffe27a"),
        polygon(((x - 1.8, 6.6), (x - 3.2, 10.4), (x - 1.4, 9.4)), "#e8504a", INK, 0.4),
        polygon(((x + 1.8, 6.6), (x + 3.2, 10.4), (x + 1.4, 9.4)), "#e8504a", INK, 0.4),
        box(x - 1.9, 0.6, 3.8, 9.0, "#dfe6ee", 1.6, INK),
        soft(((x - 1.9, 2.0), (x - 1.4, -1.0), (x, -2.6), (x + 1.4, -1.0), (x + 1.9, 2.0)), "#e8504a", INK, 0.4),
    )


def _scarf(colour: str) -> Art:
    return (
        soft(((3.4, 1.6), (9.4, 0.4), (12.4, 2.6), (11.6, 4.6), (8.2, 3.2), (3.4, 4.2)), colour, INK, 0.4),
        box(-5.0, 0.6, 10.0, 2.9, colour, 1.4, INK, 0.4),
    )


def _back_ears(pal: Pal) -> Art:
    """Ears that stand behind the head."""
    match pal.ears:
        case "bear":
            return _both_sides((disc(5.0, -9.0, 2.7, pal.coat, INK), disc(5.0, -9.0, 1.3, pal.belly)))
        case "mouse":
            return _both_sides((disc(6.2, -9.0, 4.0, pal.coat, INK), disc(6.2, -9.0, 2.4, "#f5c1cf")))
        case "rabbit":
            ear = (oval(0, -4.6, 1.9, 5.0, pal.coat, INK), oval(0, -4.4, 0.9, 3.6, "#f5c1cf"))
            return place(ear, -2.8, -8.4, 1.0, -8.0), place(ear, 2.8, -8.4, 1.0, 22.0)
        case "cat" | "fox":
            tall = -13.2 if pal.ears == "cat" else -14.6
            inside = polygon(((3.2, -9.4), (5.5, tall + 2.0), (6.0, -8.0)), "#f5c1cf" if pal.ears == "cat" else INK)
            return _both_sides((polygon(((1.8, -9.8), (6.2, tall), (7.0, -6.4)), pal.coat, INK), inside))
        case "owl":
            return _both_sides((polygon(((2.4, -9.8), (7.4, -12.8), (6.6, -6.8)), pal.coat, INK),))
    return ()


def _front_ears(pal: Pal) -> Art:
    """Ears that hang before the head."""
    if pal.ears != "dog":
        return ()
    flap = soft(((4.6, -9.4), (7.6, -8.8), (9.2, -4.6), (8.4, -1.4), (6.4, -2.2), (5.8, -6.0)), "#b98256", INK)
    return _both_sides((flap,))


def _both_sides(right: Art) -> Art:
    """What is drawn for the right side, on both."""
    return place(right, 0, 0, flip=True), place(right, 0, 0)


def _face(pal: Pal, nth: int) -> Art:
    """Eyes, a snout or a beak, a mouth."""
    look = eyes(0, -5.2, 5.0, 1.55 if pal.ears != "owl" else 2.3, ((-0.3, 0.3, 0.0)[nth % 3], -0.2))
    if pal.ears == "owl":
        return *look, polygon(((-1.1, -3.4), (1.1, -3.4), (0, -1.0)), "#f6b53f", INK, 0.4)
    mouth = grin(0, -1.5, 2.6, 1.3) if nth % 2 else (smile(-0.9, -1.6, 1.8), smile(0.9, -1.6, 1.8))
    whiskers = _whiskers() if pal.ears in ("cat", "mouse") else ()
    return (
        *look,
        oval(0, -1.8, 2.9, 2.1, pal.belly),
        *mouth,
        oval(0, -2.8, 1.1, 0.8, INK),
        disc(0.3, -3.0, 0.25, WHITE),
        *whiskers,
        *cheeks(0, -2.4, 9.8, 1.0, "#f7a8a0"),
    )


def _whiskers() -> Art:
    return _both_sides((pen(((3.4, -2.2), (7.6, -3.0)), INK, 0.3), pen(((3.4, -1.6), (7.6, -1.2)), INK, 0.3)))
