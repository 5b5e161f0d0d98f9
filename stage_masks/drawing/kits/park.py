# ruff: noqa: E501 - a drawing reads better with each shape on one line
"""The park: mown lawn, lollipop trees, a duck pond, picnics and small animals."""

from __future__ import annotations

import math
from random import Random

from ..lettering import write
from ..scenery import Kit, Piece
from ..svg import box, circle, el, group, num, oval, pen, place, shape
from .common import between, butterfly, eyes, flower, ground_shadow, pick, polygon, puffs, smile, soft_blob
from .night import merry_go_round

SHADE = "#a9d07c"
BARK = "#b08a62"


def ground(dice: Random) -> str:
    """A lawn mown in slanting stripes, crossed by sandy footpaths."""
    stripes = [
        shape(polygon((x, -5), (x + 13, -5), (x - 49, 215), (x - 62, 215)), "#b9df83") for x in range(-10, 370, 26)
    ]
    patches = [
        place(
            shape(soft_blob(dice, between(dice, 8, 18)), "#a0d069", opacity=0.55),
            dice.random() * 297,
            dice.random() * 210,
        )
        for _ in range(18)
    ]
    ways = (
        "M-6 62C40 74 60 60 92 92S150 70 176 64S262 86 303 70",
        "M92 92C96 120 84 140 104 152S196 130 303 148",
        "M128 -6C120 30 150 60 176 64",
    )
    paths = [pen(way, colour, width) for colour, width in (("#dcc795", 6.4), ("#efdfb0", 5.4)) for way in ways]
    return group([box(0, 0, 297, 210, "#aed977"), *stripes, *patches, *paths], data_kind="art")


def ground_dots(dice: Random) -> str:
    """A tuft of grass, a clover or a daisy."""
    kind = dice.random()
    if kind < 0.7:
        return pen("M-0.9 0.4L-0.5 -0.7M0 0.4V-1M0.9 0.4L0.5 -0.7", pick(dice, "#8dbf58", "#98c963"), 0.32)
    if kind < 0.85:
        return flower("#ffffff", "#ffd45e", 0.6)
    return "".join(circle(x, y, 0.42, "#86bb55") for x, y in ((-0.4, 0), (0.4, 0), (0, -0.5)))


def verge_dots(dice: Random) -> str:
    """A pale tuft of grass or a daisy."""
    if dice.random() < 0.22:
        return flower("#ffffff", "#f7df8a", 0.7)
    return pen("M-0.8 0.3L-0.5 -0.6M0 0.3V-0.9M0.8 0.3L0.5 -0.6", "#bcd592", 0.3)


def sign(number: int, name: str) -> str:
    """A wooden board on two posts."""
    planks = box(-18, -9, 36, 17, "#e9c99a", rx=2) + "".join(box(-18, y, 36, 0.4, "#d6b27f") for y in (-3.3, 2.4))
    posts = box(-13, 6, 2.6, 7, "#c79f6b", rx=0.8) + box(10.4, 6, 2.6, 7, "#c79f6b", rx=0.8)
    sprig = place(flower("#ffffff", "#ffd35c", 1.5), -14.6, -6) + place(flower("#f7a8bd", "#fff1b8", 1.3), 14.8, -5.6)
    words = write(str(number), 0, -3.9, 6.4, "#7a5230", 1.25) + write(name, 0, 4.4, 2.9, "#7a5230", 1.2)
    return (
        posts
        + planks
        + el("rect", x=-18, y=-9, width=36, height=17, rx=2, fill="none", stroke="#c79f6b", stroke_width=0.7)
        + sprig
        + words
    )


def lollipop(dice: Random) -> str:
    """A round tree: a ball of leaves on a trunk, some with fruit or blossom."""
    leaf, light, dark = [
        ("#86c46f", "#a3d888", "#70b161"),
        ("#9bcf68", "#b7e084", "#82bb57"),
        ("#76bd86", "#95d3a0", "#61a974"),
        ("#f3b3c6", "#fbd0dc", "#e79ab2"),
    ][int(dice.random() * 3.5)]
    fruit = pick(dice, "", "#f47c6c", "#ffffff", "#ffd45e")
    art = ground_shadow(1, 6.4, 5.6, SHADE) + shape("M-0.9 6.6L-0.5 0H0.5L0.9 6.6Z", BARK) + circle(0, -1.6, 5.6, leaf)
    art += shape("M-5.2 0.5A5.6 5.6 0 0 0 5.6 -1.8A7 6 0 0 1 -5.2 0.5Z", dark) + oval(-1.8, -4, 2.3, 1.6, light)
    if fruit:
        art += "".join(
            circle(x, y, 0.65, fruit) for x, y in ((-3, -0.6), (0.4, -2), (2.9, -3.4), (2.2, 0.9), (-1, 1.8))
        )
    return art


def fir(dice: Random) -> str:
    """A fir of three skirts."""
    leaf = pick(dice, "#79b98b", "#6fb07c")
    skirts = [
        polygon((0, -7.6 + 3 * i), (-2.6 - 0.9 * i, -2.2 + 3 * i), (2.6 + 0.9 * i, -2.2 + 3 * i)) for i in (2, 1, 0)
    ]
    lights = [polygon((0, -7.6 + 3 * i), (-2.6 - 0.9 * i, -2.2 + 3 * i), (-0.6, -2.2 + 3 * i)) for i in (2, 1, 0)]
    art = ground_shadow(0.6, 5.9, 4.2, SHADE) + box(-0.7, 3, 1.4, 3, BARK)
    return art + "".join(shape(a, leaf) + shape(b, "#92cc9d") for a, b in zip(skirts, lights, strict=True))


def bush(dice: Random) -> str:
    """A berry bush."""
    leaf = pick(dice, "#8cc877", "#9fd07f", "#7fc08b")
    bumps = [(-2.1, 0.4, 1.9), (2.1, 0.5, 1.8), (0, -0.7, 2.3), (0, 1, 1.9)]
    berries = pick(dice, "#f59aa9", "#fff3c4", "#c7b5f0")
    return ground_shadow(0.4, 2.4, 4, SHADE) + puffs(bumps, leaf) + "".join(
        circle(x, y, 0.45, berries) for x, y in ((-2, 0), (-0.4, -1.4), (1.2, 0.2), (2.6, 0.8), (-0.6, 1.3))
    )  # fmt: skip


def flowers(dice: Random) -> str:
    """Three flowers on stems."""
    petals = pick(dice, "#ffffff", "#ffd45e", "#f7a8bd", "#b9a7ee", "#8cc7f5")
    heart = "#ffd45e" if petals != "#ffd45e" else "#f4a46a"
    return "".join(
        place(flower(petals, heart, 0.85, "#7fb863"), x, y) for x, y in ((-1.5, -0.6), (1.6, -0.9), (0.1, 0.1))
    )


def toadstools(_: Random) -> str:
    """Two toadstools."""

    def one(x: float, y: float, k: float) -> str:
        cap = shape("M-2 0A2 1.9 0 0 1 2 0Q0 0.7 -2 0Z", "#ee7d6d")
        spots = circle(-0.8, -0.8, 0.35, "#fff") + circle(0.6, -1.1, 0.4, "#fff") + circle(1.2, -0.4, 0.25, "#fff")
        return place(box(-0.55, 0, 1.1, 1.9, "#fbf1dc", rx=0.4) + cap + spots, x, y, k)

    return ground_shadow(0, 1.8, 2.6, SHADE) + one(-0.7, 0, 1.0) + one(1.5, 0.8, 0.6)


def hedgehog(_: Random) -> str:
    """A hedgehog on its way."""
    spikes = (
        "M-3 1.6"
        + "".join(
            f"L{num(3.4 * math.cos(a) * -1)} {num(1.4 - 3 * math.sin(a))}L{num(-2.6 * math.cos(a + 0.12))} {num(1.4 - 2.3 * math.sin(a + 0.12))}"
            for a in [0.15 + 0.24 * i for i in range(10)]
        )
        + "L2 1.6Z"
    )
    face = shape("M1.2 1.8Q1.4 -0.6 3 0.2Q4.4 0.9 4.7 1.5Q4 2 1.2 1.8Z", "#f3dcb6")
    return ground_shadow(0.4, 2.1, 4.3, SHADE) + shape(spikes, "#a98a6c") + face + circle(4.6, 1.4, 0.42, "#57463d") + circle(3, 0.8, 0.33, "#57463d") + pen("M-1.4 1.9V2.4M1.6 1.9V2.4", "#8e7257", 0.6)  # fmt: skip


def rabbit(_: Random) -> str:
    """A sitting rabbit."""
    ears = oval(-1, -4.2, 0.75, 2.1, "#fff8ef", transform="rotate(-10 -1 -4.2)") + oval(
        1, -4.2, 0.75, 2.1, "#fff8ef", transform="rotate(10 1 -4.2)"
    )
    inner = oval(-1, -4.1, 0.35, 1.4, "#f7bfc8", transform="rotate(-10 -1 -4.1)") + oval(
        1, -4.1, 0.35, 1.4, "#f7bfc8", transform="rotate(10 1 -4.1)"
    )
    body = (
        oval(0, 2.2, 2.6, 2.6, "#fff8ef")
        + circle(2.5, 3.4, 0.9, "#ffffff")
        + ears
        + inner
        + circle(0, -1.2, 2, "#fff8ef")
    )
    cheeks = circle(-1.2, -0.6, 0.4, "#f9cdd2") + circle(1.2, -0.6, 0.4, "#f9cdd2")
    return (
        ground_shadow(0, 4.5, 3.4, SHADE)
        + body
        + cheeks
        + eyes(0, -1.4, 1.5, 0.36)
        + oval(0, -0.7, 0.32, 0.24, "#f29aa8")
        + smile(0, -0.4, 0.8, weight=0.22)
    )


def snail(_: Random) -> str:
    """A snail that is in no hurry."""
    body = shape("M-3 1.8Q-3 0.8 0 0.9Q1.6 0.9 1.9 -0.6Q2.2 -1.6 3 -1.3Q3.7 -0.9 3.2 0.4Q2.6 1.9 1 1.9Z", "#f6d39a")
    shell = circle(-0.6, -0.3, 1.9, "#e8a76f") + pen("M-0.6 -0.3A0.5 0.5 0 1 1 0.1 0A1 1 0 1 1 0.3 -1", "#fbe3bb", 0.4)
    return ground_shadow(0, 2, 3.4, SHADE) + body + shell + pen("M2.7 -1.3L2.5 -2.4M3.1 -1.2L3.5 -2.2", "#d9b276", 0.25) + circle(2.5, -2.4, 0.25, "#57463d") + circle(3.5, -2.2, 0.25, "#57463d")  # fmt: skip


def duck(x: float, y: float, k: float = 1.0, flip: bool = False) -> str:
    """A duck on the water."""
    body = shape(
        "M-2.6 0Q-3.4 -1.4 -3.2 -1.7Q-2.2 -0.9 -0.6 -1Q1 -1.1 1.1 -2.2Q2.6 -0.6 1.6 0.6Q0.6 1.3 -0.8 1.2Q-2.2 1.1 -2.6 0Z",
        "#ffdf73",
    )
    head = (
        circle(1.3, -2.5, 1.25, "#ffdf73")
        + shape("M2.3 -2.7Q3.6 -2.6 3.7 -2.1Q3 -1.8 2.2 -2Z", "#f79a54")
        + circle(1.6, -2.8, 0.27, "#4b4038")
    )
    wing = shape("M-1.8 -0.4Q-0.4 -0.6 0.6 -0.1Q-0.2 0.8 -1.2 0.5Q-1.7 0.2 -1.8 -0.4Z", "#f5c753")
    ripple = pen("M-3.4 1.7Q-1 2.3 2.6 1.6", "#e9f7ff", 0.35)
    return place(body + head + wing + ripple, x, y, k, flip=flip)


def pond(dice: Random) -> str:
    """A pond with reeds, lilies and a family of ducks (a circle of 20 mm round it)."""
    art = shape(soft_blob(dice, 20, 0.62, 0.1, 11), "#efe0b4")
    water = soft_blob(dice, 18, 0.6, 0.08, 11)
    art += shape(water, "#8fd0ee") + oval(-2, -1.5, 12, 5.6, "#a6dcf4")
    art += "".join(
        pen(f"M{x} {y}q1.2 -0.8 2.4 0t2.4 0", "#d3effb", 0.4) for x, y in ((-12, 2), (3, -7), (6, 6), (-5, 7.5))
    )
    lily = shape("M0 0L1.9 -0.7A2 1.2 0 1 0 1.9 0.7Z", "#8ccb86")
    art += "".join(place(lily, x, y) for x, y in ((-10, -4.5), (-7.4, -6), (10.4, 2.4), (12, 0.4)))
    art += place(flower("#fbc4d4", "#ffe79a", 0.9), -9.2, -5.4) + place(flower("#ffffff", "#ffe79a", 0.8), 11.2, 1.4)
    art += duck(-1, -0.5, 1.25) + duck(-6.4, 1.6, 0.6) + duck(-9.6, 2.6, 0.6) + duck(6.6, -4, 0.9, True)
    reeds = "".join(
        pen(f"M{x} 0L{x + lean} {-h}", "#8fb868", 0.5) + oval(x + lean, -h, 0.55, 1.5, "#b98d62")
        for x, lean, h in ((0, -0.5, 6), (1.5, 0.2, 7.4), (3, 0.8, 5.4))
    )
    return art + place(reeds, -17.4, 3) + place(reeds, 14, 8, 0.85)


def picnic(_: Random) -> str:
    """A checked blanket with a basket, a melon and a cake (a circle of 11 mm)."""
    cloth = box(-8, -6, 16, 12, "#ffffff", rx=0.6)
    checks = "".join(
        box(-8 + 2 * i, -6 + 2 * j, 2, 2, "#f7a9a4" if (i + j) % 2 == 0 else "#fbd3cf")
        for i in range(8)
        for j in range(6)
        if (i + j) % 2 == 0 or i % 2
    )
    basket = place(
        shape("M-3 -1H3L2.4 2.2H-2.4Z", "#d8ac73")
        + pen("M-2.6 0.1H2.6M-2.4 1.2H2.4", "#bf8f57", 0.35)
        + pen("M-2.4 -1A2.4 2.6 0 0 1 2.4 -1", "#bf8f57", 0.5),
        -4,
        -2.6,
    )
    melon = place(
        shape("M-2.2 0A2.2 2.2 0 0 0 2.2 0Z", "#7fc47c")
        + shape("M-1.8 0A1.8 1.8 0 0 0 1.8 0Z", "#f58d86")
        + "".join(circle(x, 0.6, 0.18, "#5b4a45") for x in (-0.9, 0, 0.9)),
        3.6,
        -3,
    )
    cake = place(
        oval(0, 1, 2.6, 0.9, "#ffffff")
        + box(-1.8, -1, 3.6, 1.9, "#f6d8a8", rx=0.3)
        + box(-1.8, -1.2, 3.6, 0.8, "#fff5f7", rx=0.3)
        + circle(0, -1.6, 0.5, "#ee6f6f"),
        3,
        2.6,
    )
    cups = "".join(
        place(box(-0.6, -0.8, 1.2, 1.6, c, rx=0.2), x, y) for x, y, c in ((-1.4, 3, "#8cc7f5"), (-3.2, 3.6, "#ffd45e"))
    )
    return el("g", cloth + checks + basket + melon + cake + cups, transform="rotate(-8)")


def bench(_: Random) -> str:
    """A park bench with a forgotten hat."""
    legs = "".join(box(x, 0, 0.8, 2.6, "#9aa2ab") for x in (-4.2, 3.4))
    slats = "".join(box(-5, y, 10, 0.9, "#d9a873", rx=0.3) for y in (-2.9, -1.6, 0))
    hat = (
        oval(2.2, -0.2, 1.7, 0.5, "#f3d477")
        + shape("M1.1 -0.3A1.1 1.2 0 0 1 3.3 -0.3Z", "#f3d477")
        + box(1.1, -0.6, 2.2, 0.4, "#ee7d6d")
    )
    return ground_shadow(0, 2.6, 5.6, SHADE) + legs + slats + hat


def kite(dice: Random) -> str:
    """A kite with a tail of bows."""
    a, b = [("#ffd45e", "#f59a8c"), ("#8cc7f5", "#ffffff"), ("#c7b5f0", "#ffd45e")][int(dice.random() * 3)]
    sail = (
        shape(polygon((0, -5), (3.4, -1), (0, 4), (-3.4, -1)), a)
        + shape(polygon((0, -5), (3.4, -1), (0, -1)), b)
        + shape(polygon((0, 4), (-3.4, -1), (0, -1)), b)
    )
    tail = pen("M0 4Q2 6 0.4 7.6T1 11", "#b99", 0.3) + "".join(
        shape(polygon((x - 1, y - 0.6), (x - 1, y + 0.6), (x + 1, y - 0.6), (x + 1, y + 0.6)), b)
        for x, y in ((1, 6.2), (0.5, 8.4))
    )
    return place(sail + tail, 0, -2.6)


def ice_cart(_: Random) -> str:
    """An ice-cream cart under a striped parasol (a circle of 10 mm)."""
    parasol = "".join(
        shape(f"M0 -9.6Q{num(x0 * 0.75)} -9 {num(x0)} -4.6H{num(x1)}Q{num(x1 * 0.75)} -9 0 -9.6Z", c)
        for x0, x1, c in (
            (-7, -4.2, "#f59a8c"),
            (-4.2, -1.4, "#fff8ef"),
            (-1.4, 1.4, "#f59a8c"),
            (1.4, 4.2, "#fff8ef"),
            (4.2, 7, "#f59a8c"),
        )
    )
    cart = (
        box(-5.4, 1, 10.8, 5.4, "#a8dcef", rx=0.8)
        + box(-5.4, 1, 10.8, 1.3, "#fff8ef", rx=0.5)
        + pen("M0 -5V1", "#c9b9a4", 0.6)
    )
    cone = place(
        shape(polygon((-1, 0), (1, 0), (0, 2.6)), "#e8b878")
        + circle(0, -0.5, 1.15, "#f9c4d2")
        + circle(0.1, -1.9, 0.85, "#fff3c4"),
        0,
        3.6,
    )
    wheels = "".join(circle(x, 7, 1.6, "#8f97a3") + circle(x, 7, 0.6, "#e6eaf0") for x in (-3.4, 3.4))
    return ground_shadow(0, 8.5, 6.6, SHADE) + cart + cone + wheels + parasol


def sandpit(_: Random) -> str:
    """A sandpit with a castle and a bucket (a circle of 9 mm)."""
    frame = box(-8, -4.6, 16, 10, "#d9a873", rx=1) + box(-7, -3.6, 14, 8, "#f7e3ae", rx=0.6)
    castle = (
        "".join(
            box(x, y, w, h, "#e9cb88") for x, y, w, h in ((-4.6, -2.4, 2, 4.4), (0.6, -2.4, 2, 4.4), (-3, -0.8, 4, 2.8))
        )
        + "".join(box(x, -3, 0.6, 0.7, "#e9cb88") for x in (-4.6, -3.2, 0.6, 2))
        + shape("M-1.7 2V1A0.7 0.7 0 0 1 -0.3 1V2Z", "#c9a566")
    )
    flag = pen("M1.6 -2.6V-5.6", "#a98f66", 0.3) + shape(polygon((1.6, -5.6), (3.6, -5), (1.6, -4.4)), "#f58d86")
    bucket = place(
        shape("M-1.2 -1H1.2L0.9 1.2H-0.9Z", "#8cc7f5") + pen("M-1.2 -1A1.2 1.2 0 0 1 1.2 -1", "#6fa8d8", 0.3), 5, 1.6
    )
    return frame + castle + flag + bucket


def dog(_: Random) -> str:
    """A dog fetching a ball."""
    body = shape(
        "M-4 2.8V-0.2Q-4 -1.4 -2.8 -1.4H1.4L2 -3.4Q2.4 -4.6 3.6 -4.4Q5.8 -4 6 -2.8Q6 -1.8 4.4 -1.8Q3.6 0 3.2 0.6V2.8H2V0.8H-2.6V2.8Z",
        "#e3b27a",
    )
    ear = shape("M2.6 -4.2Q1.2 -4 1.3 -2Q2.4 -1.8 3 -3.2Z", "#b9854f")
    return ground_shadow(0, 2.9, 5, SHADE) + body + ear + pen("M-3.9 -0.6Q-5.4 -1.4 -5.2 -3", "#e3b27a", 0.9) + circle(3.9, -3.3, 0.3, "#4b4038") + circle(6, -2.9, 0.45, "#4b4038") + circle(6.6, -1.6, 0.9, "#f58d86")  # fmt: skip


def oak(dice: Random) -> str:
    """A big old tree with a swing on its branch (a circle of 11 mm)."""
    bumps = [
        (-5.4, -2.6, 4),
        (-2.6, -6.2, 4),
        (2.6, -6.4, 4),
        (5.6, -2.8, 4),
        (0, -2.6, 5),
        (-3, 0.2, 3.4),
        (3.4, 0.2, 3.4),
    ]
    crown = puffs([(x + 0.3, y + 0.8, r) for x, y, r in bumps], "#62a552") + puffs(bumps, "#7cbd63")
    light = puffs([(-4, -5.4, 1.8), (-1.2, -7.2, 1.5), (2.6, -7.4, 1.4), (-5.6, -3, 1.2)], "#97d07b")
    trunk = shape("M-1.8 10Q-1.2 4 -1.6 1H1.6Q1.2 4 2.2 10Q0 9.2 -1.8 10Z", "#a9825a") + circle(0.2, 5, 0.6, "#8c6844")
    swing = pen("M4.8 2.4V7.4M7.2 2.4V7.4", "#e9d8b4", 0.3) + box(4.3, 7.2, 3.4, 0.8, "#ef8a77", rx=0.2)
    apples = "".join(
        circle(x, y, 0.7, "#f2705f") for x, y in ((-5.4, -1), (-1.4, -4.4), (2.4, -2), (5.6, -4.4), (0.4, -8))
    )
    return ground_shadow(0.6, 9.8, 8, SHADE) + trunk + crown + light + swing + (apples if dice.random() < 0.6 else "")


def flowerbed(dice: Random) -> str:
    """A round bed of flowers inside a ring of stones (a circle of 6.4 mm)."""
    stones = "".join(
        circle(5.6 * math.cos(a), 3.9 * math.sin(a), 0.85, pick(dice, "#e4ddd0", "#d6cec0"))
        for a in (i * math.pi / 9 for i in range(18))
    )
    colours = [
        ("#f2705f", "#ffd45e"),
        ("#ffd45e", "#f4a46a"),
        ("#a98be6", "#fff1b8"),
        ("#ffffff", "#ffd45e"),
        ("#6fb3f2", "#ffffff"),
    ]
    heads = [(-3.4, 0.2), (-1.6, -1.9), (1.4, -2), (3.5, 0), (0, 0), (-1.8, 1.8), (1.9, 1.8)]
    return oval(0, 0, 5.6, 3.9, "#9a7a5c") + stones + "".join(
        place(flower(*colours[(i + int(dice.random() * 5)) % 5], 1.15), x, y) for i, (x, y) in enumerate(heads)
    )  # fmt: skip


def slide(_: Random) -> str:
    """A slide with a child at the top (a circle of 9 mm)."""
    ladder = pen("M-5.6 6.6L-3.4 -4M-2.8 6.6L-1.6 -4", "#d98a4e", 0.7) + pen(
        "M-5.2 4.2H-2.6M-4.7 1.8H-2.3M-4.2 -0.6H-2", "#d98a4e", 0.5
    )
    chute = shape("M-2 -4.4Q1 -4.4 2 -0.6Q3.2 4.6 8 5V6.8Q1.4 6.6 0.2 0.8Q-0.4 -2.6 -2.4 -2.6Z", "#5fa8ea") + pen(
        "M-2 -4.4Q1 -4.4 2 -0.6Q3.2 4.6 8 5", "#8cc4f5", 0.5
    )
    child = (
        circle(-2.6, -7.2, 1.5, "#f3cda6")
        + shape("M-4.1 -7.4A1.5 1.5 0 0 1 -1.1 -7.4Q-2.6 -8.4 -4.1 -7.4Z", "#8a5f3c")
        + shape("M-3.9 -3.6Q-3.8 -5.8 -2.6 -5.8Q-1.4 -5.8 -1.2 -3.6Z", "#ffd45e")
    )
    return (
        ground_shadow(0.6, 6.8, 8, SHADE)
        + child
        + ladder
        + chute
        + eyes(-2.4, -7.1, 1, 0.2)
        + smile(-2.4, -6.7, 0.7, weight=0.2)
    )


def hopscotch(_: Random) -> str:
    """Chalk squares to hop on (a circle of 8 mm): white lines that are none of the race's."""
    cells = ((-7.4, -1.5), (-4.4, -1.5), (-1.4, -3), (-1.4, 0), (1.6, -1.5), (4.6, -3), (4.6, 0))
    squares = "".join(
        el("rect", x=x, y=y, width=3, height=3, fill="#e9dfc6", stroke="#ffffff", stroke_width=0.7) for x, y in cells
    )
    return el("g", squares + circle(-5.9, 0, 0.7, "#f2705f"), transform="rotate(-12)")


def carousel(_: Random) -> str:
    """A merry-go-round (a circle of 9 mm)."""
    return merry_go_round(SHADE, "#c9a27f", "#f59a8c")


def hoop(dice: Random) -> str:
    """A hoop left in the grass (a circle of 3.4 mm)."""
    return oval(0, 0, 2.8, 2, "none", stroke=pick(dice, "#a05be8", "#4f9df0", "#f2c231"), stroke_width=0.8)


def ball(dice: Random) -> str:
    """A striped ball (a circle of 1.9 mm)."""
    colour = pick(dice, "#f2705f", "#4f9df0", "#f2c231")
    return (
        oval(0.2, 1.5, 1.6, 0.5, SHADE)
        + circle(0, 0, 1.6, "#ffffff")
        + shape("M-0.5 -1.5Q0.6 0 -0.5 1.5A1.6 1.6 0 0 1 -0.5 -1.5Z", colour)
        + shape("M0.9 -1.3A1.6 1.6 0 0 1 0.9 1.3Q1.5 0 0.9 -1.3Z", colour)
    )


def balloons(_: Random) -> str:
    """Three balloons tied to a basket (a circle of 6.4 mm)."""
    strings = pen("M-2.2 -3L0 4M0 -4.4V4M2.3 -2.6L0 4", "#b9a58f", 0.22)
    art = strings + box(-1, 3.6, 2, 1.6, "#d9a873", rx=0.3)
    for x, y, c in ((-2.4, -3.4, "#f2705f"), (2.5, -3, "#4f9df0"), (0, -4.8, "#ffd45e")):
        art += oval(x, y, 1.7, 2, c) + oval(x - 0.6, y - 0.7, 0.4, 0.6, "#ffffff", opacity=0.6)
    return ground_shadow(0, 5.2, 1.8, SHADE) + art


def fence(_: Random) -> str:
    """A bit of white fence (a circle of 5 mm)."""
    return (
        "".join(shape(f"M{x} 2V-1.4L{x + 0.6} -2.2L{x + 1.2} -1.4V2Z", "#ffffff") for x in (-4.4, -2.6, -0.8, 1, 2.8))
        + box(-4.8, -0.8, 9.4, 0.6, "#ffffff")
        + box(-4.8, 0.8, 9.4, 0.6, "#f1ece2")
    )


def fox(_: Random) -> str:
    """A fox asleep (a circle of 4.6 mm)."""
    curl = shape("M-4 1Q-3.6 -2.6 0.4 -2.6Q4.4 -2.4 4 1Q3.4 2.6 0 2.6Q-3.6 2.6 -4 1Z", "#ee9a5c")
    tail = shape("M4 0.6Q4 3 0.6 2.9Q-1.4 2.8 -2.4 1.9Q0.4 1.8 1.6 0.4Z", "#f2ae74") + shape(
        "M-0.6 2.8Q-1.6 2.7 -2.4 1.9Q-1 1.9 -0.2 1.6Z", "#ffffff"
    )
    head = shape(
        "M-4.6 0.2L-4.2 -2.4L-2.8 -1.2H-1.6L-0.4 -2.4L-0.2 0.2Q-1 1.8 -2.4 2.2Q-3.8 1.8 -4.6 0.2Z", "#ee9a5c"
    ) + shape("M-3.6 1.2Q-2.4 0.4 -1.2 1.2L-2.4 2.2Z", "#ffffff")
    return (
        ground_shadow(0, 2.6, 4.2, SHADE)
        + curl
        + tail
        + head
        + pen("M-3.8 0.3Q-3.4 0.7 -3 0.3M-1.8 0.3Q-1.4 0.7 -1 0.3", "#5b4338", 0.3)
        + circle(-2.4, 2, 0.32, "#5b4338")
    )


KIT = Kit(
    road="#b9bac3", verge="#dcedb8", kerb="#a4b97f", dash="#e7e1c8", deck="#d9cdb4",
    ground=ground, verge_dots=verge_dots, ground_dots=ground_dots, sign=sign,
    pieces={
        "pond": Piece(pond, 20, 0), "picnic": Piece(picnic, 10.5, 0), "ice_cart": Piece(ice_cart, 10, 0),
        "sandpit": Piece(sandpit, 9, 0), "slide": Piece(slide, 9, 0), "carousel": Piece(carousel, 9, 0), "hopscotch": Piece(hopscotch, 8, 0), "dog": Piece(dog, 6.4, 0),
        "oak": Piece(oak, 10.6, 3, 50), "kite": Piece(kite, 7, 0.3, 120), "balloons": Piece(balloons, 6.2, 0.5, 120),
        "lollipop": Piece(lollipop, 6.6, 5, 15), "fir": Piece(fir, 6.2, 2, 18), "flowerbed": Piece(flowerbed, 6.4, 1.4, 60),
        "bench": Piece(bench, 5.8, 0.5, 90), "fence": Piece(fence, 5, 0.6, 50), "rabbit": Piece(rabbit, 5, 0.7, 70),
        "hedgehog": Piece(hedgehog, 4.8, 0.6, 90), "fox": Piece(fox, 4.7, 0.4, 120), "snail": Piece(snail, 3.8, 0.5, 80),
        "bush": Piece(bush, 4, 2.2, 18), "flowers": Piece(flowers, 2.8, 3, 13), "toadstools": Piece(toadstools, 2.6, 1, 40),
        "hoop": Piece(hoop, 3.2, 0.5, 90), "ball": Piece(ball, 1.9, 0.4, 90), "butterfly": Piece(butterfly, 2.2, 1.4, 26),
    },
)  # fmt: skip
