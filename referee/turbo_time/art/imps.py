"""Dementor, who means to look terrible, and his four demons, who do not try very hard."""

from __future__ import annotations

from dataclasses import dataclass

from referee.turbo_time.art.pencil import (
    INK,
    WHITE,
    Art,
    Spot,
    cheeks,
    disc,
    eye,
    eyes,
    grin,
    oval,
    pen,
    polygon,
    smile,
    soft,
    sticks,
)  # fmt: skip


def dementor() -> Art:
    """A tall purple head that thinks of nothing good, swirls for eyes, and a moustache with ends."""
    return (
        soft(((-7.8, 13.6), (-9.6, 6.0), (-4.0, 2.6), (4.0, 2.6), (9.6, 6.0), (7.8, 13.6), (0, 14.4)), "#4a3a7c", INK),
        polygon(((-9.8, 8.6), (-8.4, 0.2), (-1.6, 6.0), (-3.0, 10.4)), "#e2476b", INK),
        polygon(((9.8, 8.6), (8.4, 0.2), (1.6, 6.0), (3.0, 10.4)), "#e2476b", INK),
        disc(0, 11.0, 1.1, "#ffd94f", INK, 0.4),
        soft(((-6.2, 3.4), (-8.6, -4.6), (-7.0, -11.6), (0, -14.6), (7.0, -11.6), (8.6, -4.6), (6.2, 3.4), (0, 6.0)),
             "#9a6fd0", INK),
        pen(((-3.4, -10.6), (0, -11.2), (3.4, -10.6)), "#7a50b0", 0.6),
        pen(((-2.2, -12.2), (0, -12.6), (2.2, -12.2)), "#7a50b0", 0.6),
        *_swirl(-3.5, -4.4),
        *_swirl(3.5, -4.4),
        sticks(((-6.4, -8.3), (-1.4, -7.0)), INK, 1.0),
        sticks(((6.4, -8.3), (1.4, -7.0)), INK, 1.0),
        pen(((0, -0.6), (-3.0, 1.6), (-6.4, 0.8), (-7.6, -1.4), (-6.6, -2.4)), INK, 1.1),
        pen(((0, -0.6), (3.0, 1.6), (6.4, 0.8), (7.6, -1.4), (6.6, -2.4)), INK, 1.1),
        *grin(0, 2.0, 4.6, 1.9, teeth=3),
    )  # fmt: skip


def _swirl(x: float, y: float) -> Art:
    """An eye that goes round and round."""
    turns = ((0, 0), (0.5, -0.3), (0.3, 0.7), (-0.8, 0.5), (-0.6, -1.0), (1.0, -1.1), (1.3, 0.6), (0.1, 1.6))
    spots = [(x + dx, y + dy) for dx, dy in (*turns, (-1.5, 0.8))]
    return disc(x, y, 2.6, WHITE, INK), pen(spots, "#e2476b", 0.55)


@dataclass(frozen=True)
class Imp:
    """What tells one demon from another."""

    skin: str
    dark: str
    horns: str
    eyes: int
    mood: str


IMPS = (
    Imp("#f2685c", "#c9463f", "#ffe2a8", 2, "grin"),
    Imp("#6fbf5f", "#4c9445", "#fff0c9", 1, "tongue"),
    Imp("#5aa9e6", "#3a7fba", "#ffe2a8", 3, "smirk"),
    Imp("#f7a53b", "#cf7d1b", "#fff0c9", 2, "asleep"),
)


def demon(nth: int) -> Art:
    """One of four demons, from 0: round, horned, with a tail and a fork that is for cake."""
    imp = IMPS[nth]
    return (
        pen(((5.0, 8.6), (9.4, 9.2), (10.4, 5.2), (8.8, 3.4)), imp.dark, 1.1),
        polygon(((8.9, 0.8), (7.1, 4.2), (10.7, 4.0)), imp.dark, INK, 0.4),
        *_fork(-10.2),
        *_horns(imp, nth),
        soft(((-7.6, 2.0), (-6.2, -5.4), (0, -8.2), (6.2, -5.4), (7.6, 2.0), (6.4, 9.0), (0, 11.4), (-6.4, 9.0)),
             imp.skin, INK),
        oval(0, 6.4, 4.2, 3.4, imp.horns),
        pen(((-6.6, 2.2), (-8.8, 3.4), (-10.0, 2.8)), imp.dark, 1.7),
        pen(((6.4, 4.0), (4.0, 6.4), (3.4, 5.0)), imp.dark, 1.7),
        oval(-3.4, 12.0, 2.6, 1.4, imp.dark, INK),
        oval(3.4, 12.0, 2.6, 1.4, imp.dark, INK),
        *_face(imp),
    )  # fmt: skip


def _fork(x: float) -> Art:
    """A fork with three tines, and a crumb on it."""
    tines = tuple(sticks(((x + dx, -5.0), (x + dx, -1.6)), "#8a8f9c", 0.6) for dx in (-1.4, 0.0, 1.4))
    return sticks(((x, -1.6), (x, 10.6)), "#8a6a4f", 0.9), *tines, pen(((x - 1.4, -1.8), (x, -0.8), (x + 1.4, -1.8)),
            "#8a8f9c", 0.6), disc(x + 0.2, -5.6, 1.0, "#f7b6c8", INK, 0.3)  # fmt: skip


def _horns(imp: Imp, nth: int) -> Art:
    """Two horns: short, long, curled or of unequal size."""
    left: list[Spot] = [(-5.4, -5.0), (-6.8, -10.4), (-2.4, -7.4)]
    right: list[Spot] = [(5.4, -5.0), (6.8, -10.4), (2.4, -7.4)]
    if nth == 1:
        left, right = [(-2.2, -7.0), (-1.4, -12.8), (-0.2, -7.4)], [(2.2, -7.0), (1.4, -12.8), (0.2, -7.4)]
    if nth == 2:
        left, right = [(-5.4, -4.6), (-10.0, -7.0), (-3.6, -7.6)], [(5.4, -4.6), (10.0, -7.0), (3.6, -7.6)]
    if nth == 3:
        right = [(5.0, -5.0), (4.8, -8.4), (2.8, -7.0)]
    return polygon(left, imp.horns, INK), polygon(right, imp.horns, INK)


def _face(imp: Imp) -> Art:
    """Eyes as many as it has, and a mouth for its mood."""
    if imp.mood == "asleep":
        lids = tuple(smile(x, -1.6, 2.8, 0.35, INK, 0.6) for x in (-2.7, 2.7))
        return *lids, disc(0, 1.6, 0.9, "#7a2b45", INK, 0.35), *cheeks(0, 0.8, 8.6, 1.0, "#e07f2a")
    if imp.eyes == 1:
        look = eye(0, -2.2, 2.9, (0.3, 0.2))
    elif imp.eyes == 3:
        look = (*eyes(0, -1.4, 6.2, 1.5, (0.6, 0.1)), *eye(0, -4.0, 1.5, (0.6, 0.1)))
    else:
        look = eyes(0, -2.0, 5.2, 1.9, (-0.4, 0.3))
    return *look, *_mouth(imp.mood)


def _mouth(mood: str) -> Art:
    if mood == "grin":
        return grin(0, 1.2, 6.4, 2.6, teeth=4)
    if mood == "tongue":
        return smile(0, 1.6, 5.6, 0.4), oval(1.2, 3.4, 1.1, 1.5, "#f58aa0", INK, 0.35)
    return (pen(((-2.6, 2.2), (0.4, 2.8), (3.2, 1.2))), *cheeks(0, 1.2, 9.4, 0.9, "#8cc6f2"))
