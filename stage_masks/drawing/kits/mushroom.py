# ruff: noqa: E501 - a drawing reads better with each shape on one line
"""The mushroom wood: toadstools that people live in, ferns, an owl, gnomes and autumn leaves."""

from __future__ import annotations

import math
from random import Random

from ..lettering import write
from ..scenery import Kit, Piece
from ..svg import box, circle, el, group, num, oval, pen, place, shape
from .common import between, butterfly, eyes, flower, ground_shadow, pick, polygon, puffs, smile, soft_blob
from .park import fox, hedgehog, snail

SHADE = "#93a35a"
BARK, STALK = "#9a7654", "#fbf1dc"
CAPS = ("#ea6f5e", "#f0974f", "#b48be0", "#e88aa6", "#d9a441")


def ground(dice: Random) -> str:
    """Moss in soft cushions, patches of fallen leaves and a winding track of stepping stones."""
    cushions = [
        place(
            shape(soft_blob(dice, between(dice, 9, 24)), pick(dice, "#b3bf76", "#9dae62", "#bcc57f"), opacity=0.75),
            dice.random() * 297,
            dice.random() * 210,
        )
        for _ in range(46)
    ]
    litter = [
        place(
            shape(soft_blob(dice, between(dice, 6, 13), 0.6), "#cfae6c", opacity=0.5),
            dice.random() * 297,
            dice.random() * 210,
        )
        for _ in range(16)
    ]
    stones = []
    for i in range(58):
        x = 5.4 * i - 6
        y = 108 + 34 * math.sin(x / 37) + 8 * math.sin(x / 11)
        stones.append(oval(x, y, between(dice, 1.5, 2.1), between(dice, 1.0, 1.4), pick(dice, "#d6cdb6", "#c9c0a8")))
    return group([box(0, 0, 297, 210, "#a8b66a"), *cushions, *litter, *stones], data_kind="art")


def ground_dots(dice: Random) -> str:
    """A fallen leaf, a tuft of moss or a clover."""
    kind = dice.random()
    if kind < 0.45:
        colour = pick(dice, "#dd8f4e", "#c9773f", "#e0b352", "#c4605a")
        leaf = shape("M-1.1 0Q-0.3 -0.9 1 0Q-0.3 0.9 -1.1 0Z", colour) + pen("M-1.4 0H0.5", "#a9693a", 0.14)
        return el("g", leaf, transform=f"rotate({num(dice.random() * 360)})")
    if kind < 0.85:
        return pen("M-0.9 0.4L-0.5 -0.7M0 0.4V-1M0.9 0.4L0.5 -0.7", pick(dice, "#869a4c", "#93a755"), 0.32)
    return "".join(circle(x, y, 0.42, "#7d9a4f") for x, y in ((-0.4, 0), (0.4, 0), (0, -0.5)))


def verge_dots(dice: Random) -> str:
    """A pale leaf or a tuft."""
    if dice.random() < 0.4:
        leaf = shape("M-1 0Q-0.3 -0.8 0.9 0Q-0.3 0.8 -1 0Z", pick(dice, "#e6cfa0", "#dfc7a6"))
        return el("g", leaf, transform=f"rotate({num(dice.random() * 360)})")
    return pen("M-0.8 0.3L-0.5 -0.6M0 0.3V-0.9M0.8 0.3L0.5 -0.6", "#cfcf9f", 0.3)


def sign(number: int, name: str) -> str:
    """A slice of a log between two toadstools."""
    slab = shape("M-18.5 -8Q0 -10.4 18.5 -8Q20.4 0 18.5 8Q0 9.6 -18.5 8Q-20.4 0 -18.5 -8Z", "#ecd3a6")
    rim = shape(
        "M-18.5 -8Q0 -10.4 18.5 -8Q20.4 0 18.5 8Q0 9.6 -18.5 8Q-20.4 0 -18.5 -8Z",
        "none",
        stroke="#a97f56",
        stroke_width=1,
    )
    rings = pen("M-16 5.8Q-17.4 0 -16 -5.8M16 5.8Q17.4 0 16 -5.8", "#d3b07c", 0.5)
    caps = place(_toadstool("#ea6f5e"), -14.6, -7.4, 0.75) + place(_toadstool("#f0974f"), 15.4, -7.2, 0.6)
    words = write(str(number), 0, -3.7, 6.4, "#6f4a2c", 1.25) + write(name, 0, 4.2, 2.7, "#6f4a2c", 1.2)
    return slab + rim + rings + words + caps


def _toadstool(cap: str, spots: str = "#ffffff") -> str:
    """One toadstool 6 mm tall that stands on the origin."""
    stalk = shape("M-0.9 0L-0.6 -3.4H0.6L0.9 0Q0 0.5 -0.9 0Z", STALK)
    hat = shape("M-3 -2.8A3 3.1 0 0 1 3 -2.8Q0 -1.6 -3 -2.8Z", cap)
    gills = shape("M-2.6 -2.7Q0 -1.7 2.6 -2.7Q0 -2.2 -2.6 -2.7Z", "#f6dcc0")
    dots = circle(-1.3, -4, 0.5, spots) + circle(0.5, -4.9, 0.6, spots) + circle(1.8, -3.6, 0.42, spots)
    return stalk + hat + gills + dots


def house(dice: Random) -> str:
    """A toadstool with a door, windows and a smoking chimney (a circle of 14 mm)."""
    cap, glow = pick(dice, *CAPS[:4]), "#fff0b3"
    art = ground_shadow(0.6, 11.4, 10, SHADE)
    art += shape("M-5.6 11Q-4.4 4 -5 -2H5Q4.4 4 5.6 11Q0 12.8 -5.6 11Z", STALK) + shape(
        "M2.4 -2H5Q4.4 4 5.6 11Q4.4 11.8 2.8 12Q3.4 4 2.4 -2Z", "#ecdcbb"
    )
    art += box(4.2, -12.6, 2.4, 4.6, "#b98a6b", rx=0.3) + box(3.9, -13, 3, 0.9, "#a9765a", rx=0.3)
    art += puffs([(6.4, -14, 0.8)], "#ffffff")
    art += shape("M-12 -1Q-11 -11.6 0 -12Q11 -11.6 12 -1Q6 2.2 0 2.2Q-6 2.2 -12 -1Z", cap)
    art += shape("M-10.6 -0.6Q-5 1.6 0 1.6Q5 1.6 10.6 -0.6Q5 0.6 0 0.6Q-5 0.6 -10.6 -0.6Z", "#f8e3c8")
    for x, y, r in (
        (-7.4, -4.4, 1.5),
        (-2.6, -8.6, 1.7),
        (3, -5, 1.4),
        (7.8, -4.4, 1.2),
        (-3.4, -2.8, 0.9),
        (0.6, -10.6, 0.7),
    ):
        art += oval(x, y, r, r * 0.86, "#fff8ef")
    art += shape("M-1.9 11.8V6.6A1.9 2 0 0 1 1.9 6.6V11.8Q0 12.2 -1.9 11.8Z", "#a9774f") + circle(
        1.1, 9, 0.3, "#ffe9a8"
    )
    for x in (-3.9, 2.6):
        art += circle(x + 0.6, 4.6, 1.15, "#a9774f") + circle(x + 0.6, 4.6, 0.85, glow)
        art += pen(f"M{num(x - 0.2)} 4.6H{num(x + 1.4)}M{num(x + 0.6)} 3.8V5.4", "#a9774f", 0.25)
    return (
        art
        + place(flower("#ffd45e", "#f4a46a", 0.9, "#7fa04f"), -7.4, 9)
        + place(flower("#ffffff", "#ffd45e", 0.8, "#7fa04f"), 7.6, 9.4)
    )


def giant(dice: Random) -> str:
    """A great toadstool; some are asleep (a circle of 8 mm)."""
    cap = pick(dice, *CAPS)
    art = ground_shadow(0.4, 6.8, 4.6, SHADE) + shape("M-2.4 6.6Q-1.6 2 -2 -1.4H2Q1.6 2 2.4 6.6Q0 7.6 -2.4 6.6Z", STALK)
    art += shape("M-7 -0.6Q-6.6 -7.4 0 -7.6Q6.6 -7.4 7 -0.6Q3.6 1.4 0 1.4Q-3.6 1.4 -7 -0.6Z", cap)
    art += shape("M-6 -0.3Q0 2 6 -0.3Q0 0.7 -6 -0.3Z", "#f8e3c8")
    for x, y, r in ((-4.2, -2.8, 1.0), (-0.8, -5.2, 1.15), (3, -3.4, 0.95), (5.2, -1.9, 0.6), (-1.6, -1.8, 0.6)):
        art += oval(x, y, r, r * 0.88, "#fff8ef")
    if dice.random() < 0.6:
        return (
            art
            + eyes(0, 3, 1.7, 0.34)
            + smile(0, 4, 1, weight=0.28)
            + circle(-1.6, 4, 0.4, "#f6c4b4")
            + circle(1.6, 4, 0.4, "#f6c4b4")
        )
    return art + pen("M-1.3 3.2Q-0.9 3.6 -0.5 3.2M0.5 3.2Q0.9 3.6 1.3 3.2", "#6b5b52", 0.28)


def boletes(dice: Random) -> str:
    """Three brown mushrooms (a circle of 4.4 mm)."""
    cap, light = [("#c58a52", "#dba873"), ("#a9764c", "#c4946a"), ("#e0b04f", "#efcb7d")][int(dice.random() * 3)]

    def one(x: float, y: float, k: float) -> str:
        stalk = shape("M-0.9 0Q-1.3 -1.6 -0.7 -3H0.7Q1.3 -1.6 0.9 0Q0 0.4 -0.9 0Z", STALK)
        hat = shape("M-2.3 -2.6Q-2.2 -5 0 -5Q2.2 -5 2.3 -2.6Q0 -2 -2.3 -2.6Z", cap) + oval(-0.7, -4, 0.8, 0.4, light)
        return place(stalk + hat, x, y, k)

    return ground_shadow(0, 3, 3.6, SHADE) + one(-1.8, 2.6, 0.86) + one(1.9, 2.8, 0.66) + one(0.2, 3.2, 1.05)


def chanterelles(_: Random) -> str:
    """Yellow trumpets in a row (a circle of 4 mm)."""
    one = shape("M-0.4 2Q-0.5 0 -2 -1.8Q-1 -1.2 0 -1.6Q1 -1.2 2 -1.8Q0.5 0 0.4 2Z", "#f6c02f") + pen(
        "M-0.9 -0.9L-0.2 1.4M0.9 -0.9L0.2 1.4", "#e0a21d", 0.2
    )
    return place(one, -1.9, 0.8, 0.8) + place(one, 1.9, 0.9, 0.75) + place(one, 0, 0, 1.05)


def fairy_ring(_: Random) -> str:
    """A ring of little white mushrooms (a circle of 6.6 mm): white, and no line of the race."""
    art = oval(0, 0, 5.2, 3.7, "#bcd087", opacity=0.8)
    for i in range(13):
        a = i * 2 * math.pi / 13 - math.pi / 2
        x, y = 5.4 * math.cos(a), 3.9 * math.sin(a)
        art += box(x - 0.28, y - 0.1, 0.56, 1.1, "#f3e9d6", rx=0.2) + shape(
            f"M{num(x - 1)} {num(y)}A1 0.95 0 0 1 {num(x + 1)} {num(y)}Q{num(x)} {num(y + 0.4)} {num(x - 1)} {num(y)}Z",
            "#ffffff",
        )
    return art


def fern(dice: Random) -> str:
    """A fern (a circle of 4.6 mm)."""
    leaf = pick(dice, "#6f9a4f", "#7fa957", "#5f9460")
    fronds = ""
    for turn in (-58, -20, 20, 58):
        barbs = "".join(
            f"M0 {num(-y)}L{num(-1.1 + y * 0.16)} {num(-y - 0.7)}M0 {num(-y)}L{num(1.1 - y * 0.16)} {num(-y - 0.7)}"
            for y in (0.9, 1.8, 2.7, 3.6, 4.4)
        )
        fronds += el("g", pen("M0 0V-5.4" + barbs, leaf, 0.5), transform=f"translate(0 3) rotate({turn})")
    return ground_shadow(0, 3.2, 2.6, SHADE) + fronds


def birch(dice: Random) -> str:
    """A birch in autumn (a circle of 7.4 mm)."""
    leaf, light = [("#e8b84c", "#f3d37c"), ("#d98a4a", "#e9ab72"), ("#9bb055", "#b6c777")][int(dice.random() * 3)]
    trunk = shape("M-0.8 7L-0.5 -2H0.5L0.9 7Q0 7.4 -0.8 7Z", "#f6f1e6") + pen(
        "M-0.6 5.4H0.1M0 3.6H0.6M-0.5 1.8H0.1", "#6b6058", 0.3
    )
    bumps = [(-2.4, -0.6, 2.4), (2.4, -0.8, 2.4), (-1.4, -3.6, 2.4), (1.5, -3.8, 2.3), (0, -5.2, 2.0), (0, -1.6, 2.6)]
    return (
        ground_shadow(0.4, 7, 3.6, SHADE)
        + trunk
        + puffs(bumps, leaf)
        + puffs([(-1.8, -4.2, 1.0), (0.6, -5.6, 0.8), (-3, -1.2, 0.8)], light)
    )


def pine(dice: Random) -> str:
    """A dark pine of three skirts (a circle of 7 mm)."""
    leaf, light = [("#5f8f5c", "#79a772"), ("#6b9a53", "#86b16b")][int(dice.random() * 2)]
    art = ground_shadow(0.5, 6.6, 3.8, SHADE) + box(-0.7, 3.6, 1.4, 3, BARK)
    for i in (2, 1, 0):
        y, w = -7 + 3.2 * i, 2.7 + 0.8 * i
        art += shape(
            f"M0 {num(y)}Q{num(w * 0.5)} {num(y + 3.4)} {num(w)} {num(y + 5.2)}Q0 {num(y + 6.2)} {num(-w)} {num(y + 5.2)}Q{num(-w * 0.5)} {num(y + 3.4)} 0 {num(y)}Z",
            leaf,
        )
        art += shape(
            f"M0 {num(y)}Q{num(-w * 0.5)} {num(y + 3.4)} {num(-w)} {num(y + 5.2)}Q{num(-w * 0.4)} {num(y + 5.4)} {num(-w * 0.3)} {num(y + 5.3)}Z",
            light,
        )
    return art


def stump(_: Random) -> str:
    """A stump with a ring for each year (a circle of 5 mm)."""
    body = shape("M-3.8 -1.4L-4.6 3.2Q-2 2.4 0 3.4Q2.4 2.4 4.6 3.2L3.8 -1.4Z", BARK)
    top = (
        oval(0, -1.4, 3.9, 1.9, "#ecd3a6")
        + oval(0, -1.4, 2.6, 1.2, "none", stroke="#cfa878", stroke_width=0.35)
        + oval(0, -1.4, 1.3, 0.55, "none", stroke="#cfa878", stroke_width=0.3)
    )
    return ground_shadow(0, 3.4, 5, SHADE) + body + top + place(_toadstool("#f0974f"), 3.4, 3.4, 0.5)


def log(_: Random) -> str:
    """A hollow log and whoever looks out of it (a circle of 7 mm)."""
    body = (
        shape("M-5.6 -2.2H4.6V2.4H-5.6Z", BARK)
        + oval(-5.6, 0.1, 1.1, 2.3, BARK)
        + pen("M-3.6 -1H0.6M-1.6 0.6H2.8M-4.4 1.4H-1", "#85633f", 0.35)
    )
    mouth = oval(4.6, 0.1, 1.7, 2.3, "#ecd3a6") + oval(4.6, 0.1, 1.25, 1.8, "#6b5340")
    moss = shape("M-4.8 -2.4Q-3 -3.4 -1.4 -2.5Q0.4 -3.2 1.6 -2.3Q0 -1.6 -1.6 -1.9Q-3.4 -1.4 -4.8 -2.4Z", "#8fb058")
    look = (
        circle(4.3, -0.2, 0.42, "#fff6c9")
        + circle(5.1, -0.2, 0.42, "#fff6c9")
        + circle(4.35, -0.2, 0.19, "#40404f")
        + circle(5.15, -0.2, 0.19, "#40404f")
    )
    return (
        ground_shadow(-0.4, 2.6, 6.2, SHADE) + body + mouth + look + moss + place(_toadstool("#ea6f5e"), -3.4, -2, 0.5)
    )


def gnome(dice: Random) -> str:
    """A gnome (a circle of 5.2 mm)."""
    hat, coat = [("#ea6f5e", "#5f97d6"), ("#4f9df0", "#e8a04a"), ("#f2b231", "#8a6fc4"), ("#a05be8", "#7fb05a")][
        int(dice.random() * 4)
    ]
    art = ground_shadow(0, 4.8, 2.8, SHADE) + oval(-1, 4.6, 1, 0.55, "#7a5a44") + oval(1, 4.6, 1, 0.55, "#7a5a44")
    art += shape("M-2.4 4.3Q-2.2 0.4 0 0.2Q2.2 0.4 2.4 4.3Z", coat) + circle(0, -0.6, 1.7, "#f6d2b0")
    art += shape("M-1.9 -0.4Q-1.6 2.8 0 3.2Q1.6 2.8 1.9 -0.4Q0.8 0.5 0 0.4Q-0.8 0.5 -1.9 -0.4Z", "#ffffff")
    art += shape("M-2 -1.2Q-1 -3.2 0.4 -5.4Q1.4 -3 2 -1.2Q0 -0.6 -2 -1.2Z", hat) + circle(0, -0.2, 0.45, "#eba58a")
    return art + circle(-0.7, -0.7, 0.22, "#40404f") + circle(0.7, -0.7, 0.22, "#40404f")


def owl(dice: Random) -> str:
    """An owl on a branch (a circle of 5 mm)."""
    coat, chest = [("#b58d68", "#f1dfc2"), ("#a39bb8", "#eeeaf4")][int(dice.random() * 2)]
    art = pen("M-4.4 3.4Q0 2.6 4.4 3.6", BARK, 0.9) + oval(3.6, 2.6, 1, 0.5, "#8fb058")
    art += shape(
        "M-2.6 -3.6L-1.4 -2.9H1.4L2.6 -3.6Q3.2 -0.6 2.6 1.4Q1.8 3.2 0 3.2Q-1.8 3.2 -2.6 1.4Q-3.2 -0.6 -2.6 -3.6Z", coat
    )
    art += oval(0, 1.2, 1.5, 1.8, chest) + pen(
        "M-0.7 0.4Q-0.35 0.8 0 0.4Q0.35 0.8 0.7 0.4M-0.7 1.6Q-0.35 2 0 1.6Q0.35 2 0.7 1.6", coat, 0.25
    )
    art += "".join(
        circle(x, -1.5, 1.2, "#fff8ea") + circle(x, -1.5, 0.6, "#4b4038") + circle(x + 0.2, -1.7, 0.2, "#ffffff")
        for x in (-1.15, 1.15)
    )
    return art + shape(polygon((-0.4, -1), (0.4, -1), (0, -0.2)), "#f2a24f")


def squirrel(_: Random) -> str:
    """A squirrel with its acorn (a circle of 4.6 mm)."""
    tail = shape("M-1.2 3.4Q-4.6 3 -4.2 -0.4Q-3.8 -3.4 -1.8 -3.2Q-0.6 -2.8 -1.4 -1.8Q-2.4 -0.4 -1 1.4Z", "#d98a4a")
    body = oval(0.4, 1.6, 1.9, 2.3, "#e39a5c") + oval(0.8, 1.9, 1, 1.5, "#fbe8cc") + circle(1.2, -1.4, 1.6, "#e39a5c")
    ears = shape(polygon((0.2, -2.4), (0.2, -4), (1.1, -2.9)), "#e39a5c") + shape(
        polygon((1.5, -2.9), (2.3, -4), (2.4, -2.4)), "#e39a5c"
    )
    acorn = place(acorn_at(), 2.5, 1.2, 0.8)
    return (
        ground_shadow(-0.4, 3.8, 3, SHADE)
        + tail
        + ears
        + body
        + circle(1.8, -1.6, 0.3, "#40404f")
        + circle(2.7, -1.1, 0.25, "#6b4a3a")
        + acorn
    )


def acorn_at() -> str:
    """An acorn round the origin."""
    return (
        shape("M-0.8 -0.2H0.8Q0.8 1 0 1.5Q-0.8 1 -0.8 -0.2Z", "#d9a85a")
        + shape("M-1 -0.2Q-1 -1.2 0 -1.2Q1 -1.2 1 -0.2Z", "#9a7048")
        + pen("M0 -1.2V-1.8", "#9a7048", 0.3)
    )


def acorns(_: Random) -> str:
    """Two acorns and a leaf (a circle of 2.6 mm)."""
    leaf = shape("M-2.2 1Q-1.4 -0.4 -0.6 0.2Q0.2 -1 1 0Q2 0 2.2 1Q0.4 2 -2.2 1Z", "#cf8a4a")
    return leaf + place(acorn_at(), -0.8, -0.4, 0.9) + place(acorn_at(), 0.9, -0.2, 0.8, 14)


def bluebells(_: Random) -> str:
    """Bluebells (a circle of 3 mm): blue, and no checkpoint."""
    art = ""
    for x, lean in ((-1.3, -0.6), (0.1, 0.1), (1.4, 0.7)):
        art += pen(f"M{num(x * 0.4)} 2.6Q{num(x)} 0 {num(x + lean)} -1.8", "#7fa04f", 0.3)
        for dx, dy in ((0, -1.6), (0.5, -0.5), (-0.3, 0.5)):
            art += shape(
                "M-0.5 0.6Q-0.4 -0.6 0 -0.6Q0.4 -0.6 0.5 0.6L0.2 0.4L0 0.7L-0.2 0.4Z",
                "#5f9df0",
                transform=f"translate({num(x + lean * 0.6 + dx)} {num(dy)})",
            )
    return art


def ladybird(_: Random) -> str:
    """A ladybird (a circle of 1.9 mm)."""
    return (
        circle(0, -0.9, 0.7, "#4b4038")
        + circle(0, 0.1, 1.25, "#ea6f5e")
        + pen("M0 -1.1V1.3", "#4b4038", 0.2)
        + "".join(circle(x, y, 0.24, "#4b4038") for x, y in ((-0.6, -0.2), (0.6, -0.2), (-0.45, 0.7), (0.45, 0.7)))
    )


def lantern(_: Random) -> str:
    """A lantern that hangs from a bent twig (a circle of 4.6 mm)."""
    glow = circle(1.6, 0.2, 3, "#fff3c4", opacity=0.55)
    twig = pen("M-1.8 4.4Q-2.6 -2 -0.6 -3.6Q1 -4.4 1.6 -2.8V-1.8", BARK, 0.6)
    return (
        glow
        + twig
        + box(0.6, -1.8, 2, 0.6, "#8a6a4c", rx=0.2)
        + box(0.75, -1.2, 1.7, 2.4, "#ffe28a", rx=0.3)
        + box(0.6, 1.2, 2, 0.5, "#8a6a4c", rx=0.2)
        + ground_shadow(-1.8, 4.5, 1.4, SHADE)
    )


def pixie_cup(_: Random) -> str:
    """A purple puddle with a frog's eyes in it (a circle of 4.4 mm): purple, and no oil."""
    pool = oval(0, 0.6, 4, 2.2, "#a688e0") + oval(-0.4, 0.3, 2.8, 1.3, "#bfa6ec")
    return (
        pool
        + circle(-0.8, -0.3, 0.75, "#97c178")
        + circle(0.8, -0.3, 0.75, "#97c178")
        + eyes(0, -0.5, 1.6, 0.38)
        + pen("M-3 1.2q0.7 -0.5 1.4 0M1.6 1.4q0.7 -0.5 1.4 0", "#e4d8f8", 0.3)
    )


def brook(_: Random) -> str:
    """A long pond, to jump over (a circle of 17 mm)."""
    bank = shape(
        "M-3.6 -13Q0 -17 3 -13.4Q5.4 -9 4.4 -4T5.2 6Q5.4 13 2.4 15.4Q-1.6 17 -4 13.6Q-6 9 -4.6 3T-5 -7Q-5.2 -11 -3.6 -13Z",
        "#cdb27c",
    )
    water = shape(
        "M-2.8 -12.4Q0 -15.8 2.4 -12.8Q4.4 -9 3.4 -4T4.2 6Q4.4 12.4 2 14.4Q-1.4 15.8 -3.2 13Q-5 9 -3.6 3T-4 -7Q-4.2 -10.6 -2.8 -12.4Z",
        "#8fcdea",
    )
    waves = pen("M-1.8 -8q0.9 -0.6 1.8 0t1.8 0M-2 6q0.9 -0.6 1.8 0t1.8 0M-1 11.4q0.8 -0.6 1.6 0", "#d9f1fb", 0.45)
    lily = shape("M0 0L1.7 -0.6A1.8 1.1 0 1 0 1.7 0.6Z", "#8cb85a")
    fish = (
        shape("M-1.4 0Q0 -1.2 1.6 0Q0 1.2 -1.4 0Z", "#f9a95a")
        + shape(polygon((-1.2, 0), (-2.2, -0.8), (-2.2, 0.8)), "#f9a95a")
        + circle(0.8, -0.2, 0.2, "#50505f")
    )
    return (
        bank
        + water
        + waves
        + place(lily, 0.4, 8.6)
        + place(flower("#fbc4d4", "#ffe79a", 0.7), 0.9, 8)
        + place(fish, 0, -3.6, turn=72)
    )


def swing_tree(_: Random) -> str:
    """A hollow tree with a face, a window and a swing (a circle of 13 mm)."""
    bumps = [
        (-6.4, -4, 4.4),
        (-3, -8, 4.6),
        (3, -8.2, 4.6),
        (6.6, -4, 4.4),
        (0, -4.4, 5.6),
        (-4, -0.8, 3.6),
        (4.4, -0.8, 3.6),
    ]
    crown = puffs([(x + 0.3, y + 0.9, r) for x, y, r in bumps], "#b5763c") + puffs(bumps, "#d9934a")
    light = puffs([(-4.6, -7.4, 2), (-1.2, -10, 1.7), (3, -9.6, 1.5), (-7, -4.6, 1.3), (5.4, -6, 1.2)], "#eab36a")
    trunk = shape("M-4.4 12Q-2.4 7 -2.8 0H2.8Q2.4 7 4.8 12Q2 11 0 12Q-2.4 11 -4.4 12Z", "#a07a55") + oval(
        0, 5, 1.5, 1.9, "#6b5340"
    )
    swing = pen("M6.4 2V8.6M9 2V8.6", "#e9d8b4", 0.3) + box(5.9, 8.4, 3.6, 0.8, "#ea6f5e", rx=0.2)
    face = (
        circle(-0.6, 4.7, 0.42, "#fff6c9")
        + circle(0.6, 4.7, 0.42, "#fff6c9")
        + circle(-0.6, 4.7, 0.18, "#40404f")
        + circle(0.6, 4.7, 0.18, "#40404f")
    )
    leaves = "".join(
        circle(x, y, 0.6, c)
        for x, y, c in ((-8, 6, "#dd8f4e"), (-6, 9, "#e0b352"), (7.6, 10.6, "#c9773f"), (-5, 3.6, "#e0b352"))
    )
    return ground_shadow(0.4, 11.8, 9, SHADE) + trunk + face + crown + light + swing + leaves


KIT = Kit(
    road="#bab8bb", verge="#e9e3c2", kerb="#a59a76", dash="#eae2c8", deck="#d6c3a0",
    ground=ground, verge_dots=verge_dots, ground_dots=ground_dots, sign=sign,
    pieces={
        "house": Piece(house, 13.6, 1.2, 70, flips=False), "swing_tree": Piece(swing_tree, 13, 0), "brook": Piece(brook, 17, 0, flips=False),
        "giant": Piece(giant, 8, 4, 26), "birch": Piece(birch, 7.4, 3, 17), "pine": Piece(pine, 7, 4, 15),
        "log": Piece(log, 7, 0.8, 80), "fairy_ring": Piece(fairy_ring, 6.4, 0.9, 90), "gnome": Piece(gnome, 5.4, 1.2, 46),
        "stump": Piece(stump, 5.2, 1, 50), "owl": Piece(owl, 5, 0.8, 70), "hedgehog": Piece(hedgehog, 4.8, 0.6, 90),
        "fox": Piece(fox, 4.7, 0.4, 120), "squirrel": Piece(squirrel, 4.7, 0.9, 70), "lantern": Piece(lantern, 4.8, 0.9, 50),
        "fern": Piece(fern, 4.6, 2.6, 16), "boletes": Piece(boletes, 4.4, 2, 24), "pixie_cup": Piece(pixie_cup, 4.2, 0.7, 80),
        "chanterelles": Piece(chanterelles, 3.4, 1.2, 34), "snail": Piece(snail, 3.8, 0.4, 90), "bluebells": Piece(bluebells, 3, 1.4, 26),
        "acorns": Piece(acorns, 2.6, 1.2, 26), "ladybird": Piece(ladybird, 1.9, 0.7, 50), "butterfly": Piece(butterfly, 2.2, 0.6, 50),
    },
)  # fmt: skip
