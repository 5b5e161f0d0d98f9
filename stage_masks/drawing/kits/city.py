# ruff: noqa: E501 - a drawing reads better with each shape on one line
"""The city: pastel town houses, a bakery, buses and a cat on the roof."""

from __future__ import annotations

from random import Random

from ..lettering import write
from ..scenery import Kit, Piece
from ..svg import box, circle, el, group, oval, pen, place, shape
from .common import eyes, pick, polygon, puffs, smile

SHADE = "#d3c6bd"
GLASS = "#bfe3f2"
WALLS = ("#f6c6b4", "#f7dfa6", "#bfe0d2", "#c9d3f0", "#f3c7d6", "#e3d0ee")
ROOFS = ("#d98f78", "#c79a86", "#8fb5a6", "#93a3cf", "#cf8fa6", "#ad95c4")


def ground(dice: Random) -> str:
    """Blocks of paving and lawn between quiet little streets."""
    blocks, lanes = [], []
    xs, ys = (-12, 42, 96, 150, 204, 258, 312), (-8, 46, 100, 154, 208, 262)
    for i, x in enumerate(xs[:-1]):
        for j, y in enumerate(ys[:-1]):
            green = (i + 2 * j) % 3 == 0
            blocks.append(
                box(x + 3, y + 3, 48, 48, "#c3dfae" if green else pick(dice, "#f0dfc4", "#f3e4cc", "#eed9c2"), rx=4)
            )
            rim = el(
                "rect",
                x=x + 4.4,
                y=y + 4.4,
                width=45.2,
                height=45.2,
                rx=3,
                fill="none",
                stroke="#b3d39b" if green else "#e3cfb1",
                stroke_width=0.5,
            )
            blocks.append(rim)
    for x in xs[1:-1]:
        lanes.append(pen(f"M{x} 0V210", "#f1eff5", 0.4, stroke_dasharray="2.4 3"))
    for y in ys[1:-1]:
        lanes.append(pen(f"M0 {y}H297", "#f1eff5", 0.4, stroke_dasharray="2.4 3"))
    return group([box(0, 0, 297, 210, "#cfc9d8"), *blocks, *lanes], data_kind="art")


def ground_dots(dice: Random) -> str:
    """A leaf or a cobble."""
    if dice.random() < 0.4:
        return oval(0, 0, 0.7, 0.4, pick(dice, "#d9b98d", "#b5cf95", "#e6b2a0"))
    return box(-0.8, -0.45, 1.6, 0.9, "#dfcdb4", rx=0.2)


def verge_dots(_: Random) -> str:
    """A paving stone."""
    return box(-0.9, -0.5, 1.8, 1.0, "#dcd1c6", rx=0.2)


def sign(number: int, name: str) -> str:
    """An enamel street sign on a pole."""
    pole = box(-1, 7, 2, 6.5, "#a9b0bd") + circle(0, -10.6, 1.2, "#a9b0bd")
    plate = box(-19, -9.5, 38, 17.5, "#7fa8dc", rx=2.4)
    rim = el("rect", x=-18.1, y=-8.6, width=36.2, height=15.7, rx=1.8, fill="none", stroke="#ffffff", stroke_width=0.6)
    screws = "".join(circle(x, -0.8, 0.5, "#dfe8f5") for x in (-16.6, 16.6))
    return (
        pole
        + plate
        + rim
        + screws
        + write(str(number), 0, -3.9, 6.2, "#ffffff", 1.3)
        + write(name, 0, 4, 2.6, "#ffffff", 1.2)
    )


def _window(x: float, y: float, w: float = 2.0, h: float = 2.6, lit: bool = False) -> str:
    pane = box(x, y, w, h, "#fff0b3" if lit else GLASS, rx=0.2)
    return (
        box(x - 0.25, y - 0.25, w + 0.5, h + 0.5, "#ffffff", rx=0.3)
        + pane
        + box(x - 0.4, y + h + 0.1, w + 0.8, 0.45, "#ffffff")
    )


def town_house(dice: Random) -> str:
    """A narrow town house with three rows of windows and one of three gables (a circle of 10 mm)."""
    k = int(dice.random() * len(WALLS))
    wall, roof = WALLS[k], ROOFS[(k + int(dice.random() * 2)) % len(ROOFS)]
    gable = [
        polygon((-6, -5.6), (0, -10.4), (6, -5.6)),
        "M-5.6 -5.6V-7.4H-3.6V-8.9H-1.7V-10.3H1.7V-8.9H3.6V-7.4H5.6V-5.6Z",
        "M-5.8 -5.6Q-5.6 -8.2 -2.6 -8.4Q-2 -10.6 0 -10.6Q2 -10.6 2.6 -8.4Q5.6 -8.2 5.8 -5.6Z",
    ][int(dice.random() * 3)]
    art = (
        oval(0.6, 8.6, 7, 1.4, SHADE)
        + box(-5.4, -5.8, 10.8, 14.4, wall)
        + box(3.6, -5.8, 1.8, 14.4, "#000000", opacity=0.05)
    )
    art += shape(gable, roof) + circle(0, -7.6, 0.8, "#fff3da")
    for row in (-4.2, -0.1):
        art += "".join(_window(x, row, lit=dice.random() < 0.3) for x in (-4.2, -1, 2.2))
    door = pick(dice, "#b98a6b", "#7fa8b8", "#c27f86")
    art += (
        box(-1.4, 4.4, 2.8, 4.2, door, rx=0.4)
        + circle(0.8, 6.6, 0.25, "#ffe9a8")
        + _window(-4.4, 4.4)
        + _window(2.4, 4.4)
    )
    if dice.random() < 0.4:
        art += box(3, -10.2, 1.4, 2.6, roof)
    return art + "".join(
        place(puffs([(-0.5, 0, 0.5), (0.5, 0, 0.5), (0, -0.3, 0.5)], "#f29aa8"), x, 7.3, 0.9) for x in (-3.4, 3.4)
    )


def bakery(_: Random) -> str:
    """The bakery, with a pretzel for a sign (a circle of 13 mm)."""
    art = (
        oval(0.6, 10.6, 12.6, 1.6, SHADE)
        + box(-11, -5, 22, 15.6, "#f9e3bf")
        + box(-11.8, -7.4, 23.6, 2.8, "#d9a17a", rx=0.6)
    )
    awning = "".join(
        shape(f"M{x} -1.6H{x + 2.75}V1.4A1.375 1.2 0 0 1 {x} 1.4Z", c)
        for x, c in zip((-11 + 2.75 * i for i in range(8)), ("#ef8f86", "#fff8ef") * 4, strict=True)
    )
    art += (
        box(-9.6, 3.4, 11, 5, GLASS, rx=0.4)
        + box(3.4, 3.4, 5.4, 7.2, "#b98a6b", rx=0.5)
        + box(4.2, 4.2, 3.8, 3, GLASS, rx=0.3)
    )
    loaves = "".join(
        oval(x, 7.2, 1.3, 0.9, c) for x, c in ((-8, "#dca462"), (-5.4, "#e8b878"), (-2.8, "#dca462"), (-0.2, "#e8b878"))
    )
    cake = box(-6.4, 4.6, 2.6, 1.5, "#f7b9c7", rx=0.3) + circle(-5.1, 4.3, 0.4, "#e86a6a")
    pretzel = pen("M-2 1.6Q3.4 -0.4 2.6 -2.2Q1.6 -3.6 0 -1.2Q-1.6 -3.6 -2.6 -2.2Q-3.4 -0.4 2 1.6", "#c98a4b", 1.0)
    board = circle(6, -8, 4.2, "#fff8ef", stroke="#d9a17a", stroke_width=0.6) + place(pretzel, 6, -7.4)
    return art + awning + loaves + cake + write("BAKERY", -4.4, -5.9, 1.5, "#fff8ef", 1.3) + board


def fish_shop(_: Random) -> str:
    """The fishmonger's, with a fish for a sign (a circle of 12 mm)."""
    art = (
        oval(0.6, 10.4, 11, 1.5, SHADE)
        + box(-9.4, -3.6, 18.8, 14, "#d7e8ee")
        + box(-10.2, -5.8, 20.4, 2.6, "#5f97d6", rx=0.6)
    )
    awning = "".join(
        shape(
            f"M{-9.6 + 2.4 * i} -0.6H{-7.2 + 2.4 * i}V2A1.2 1.1 0 0 1 {-9.6 + 2.4 * i} 2Z",
            "#5f97d6" if i % 2 == 0 else "#ffffff",
        )
        for i in range(8)
    )
    fish = shape("M-3.4 0Q-0.6 -3 3.4 0Q-0.6 3 -3.4 0Z", "#f7a15f") + shape(
        polygon((-3, 0), (-5.4, -1.9), (-4.7, 0), (-5.4, 1.9)), "#f7a15f"
    )
    fish += circle(1.7, -0.5, 0.4, "#4b4038") + pen("M0.4 -1.3Q1 0 0.4 1.3M-1.2 -1.3Q-0.6 0 -1.2 1.3", "#ffe0c2", 0.4)
    counter = box(-8.4, 5.4, 11, 3, "#ffffff", rx=0.3) + "".join(
        shape(f"M{x} 6.4q1 -1 2 0q-1 1 -2 0l-0.7 -0.6v1.2Z", c)
        for x, c in ((-7.2, "#9fb7d0"), (-4, "#f2a79a"), (-0.8, "#9fb7d0"))
    )
    door = box(4, 3.8, 4, 6.6, "#8fa3b8", rx=0.4) + box(4.7, 4.6, 2.6, 2.4, GLASS, rx=0.3)
    return (
        art
        + awning
        + counter
        + door
        + circle(0, -8, 4, "#fff8ef", stroke="#5f97d6", stroke_width=0.6)
        + place(fish, 0.6, -8, 0.62)
    )


def clock_tower(_: Random) -> str:
    """A slim clock tower (a circle of 13 mm)."""
    art = oval(0.5, 12.2, 6, 1.3, SHADE) + box(-4, -5, 8, 17.2, "#e9d3b8") + box(-4.8, -6, 9.6, 1.4, "#cfae8b", rx=0.3)
    art += shape(polygon((-4.4, -6), (0, -12.6), (4.4, -6)), "#8fb5a6") + circle(
        0, -1.2, 2.9, "#ffffff", stroke="#cfae8b", stroke_width=0.6
    )
    hands = pen("M0 -1.2V-3.2M0 -1.2L1.4 -0.4", "#7d7486", 0.45)
    return art + hands + box(-1.5, 7.4, 3, 4.8, "#a9876b", rx=1.4) + _window(-1, 3.2)


def bus(dice: Random) -> str:
    """A double-decker bus (a circle of 9 mm)."""
    paint = pick(dice, "#f0918a", "#f2b45f", "#86c9b5")
    art = oval(0, 5.4, 8.6, 1.2, SHADE) + box(-8, -5.4, 16, 10.2, paint, rx=1.6) + box(-8, -0.9, 16, 0.9, "#fff8ef")
    art += "".join(
        box(x, -4.3, 2.6, 2.5, GLASS, rx=0.4) + box(x, 0.7, 2.6, 2.3, GLASS, rx=0.4) for x in (-7, -3.9, -0.8, 2.3)
    )
    art += box(5.3, 0.7, 2, 3.6, "#fff8ef", rx=0.3) + box(5.3, -4.3, 2, 2.5, GLASS, rx=0.4)
    return art + "".join(circle(x, 4.8, 1.6, "#7d8090") + circle(x, 4.8, 0.7, "#e1e4ec") for x in (-4.8, 4.4))


def car(dice: Random) -> str:
    """A little parked car (a circle of 4.6 mm)."""
    paint = pick(dice, "#f5c45c", "#8fc4ec", "#f29aa8", "#a9d8a6", "#c9b4ec")
    body = shape(
        "M-4.2 1.6V0.2Q-4.2 -0.6 -3 -0.7L-2 -2.2Q-1.6 -2.7 -0.8 -2.7H1.2Q2 -2.7 2.4 -2.1L3.2 -0.7Q4.3 -0.5 4.3 0.4V1.6Z",
        paint,
    )
    glass = shape("M-2 -0.8L-1.2 -2H-0.1V-0.8ZM0.5 -0.8V-2H1.3L2.2 -0.8Z", "#e6f5fb")
    wheels = "".join(circle(x, 1.6, 0.95, "#7d8090") + circle(x, 1.6, 0.4, "#e1e4ec") for x in (-2.3, 2.3))
    return oval(0, 2.4, 4.4, 0.6, SHADE) + body + glass + wheels + circle(4, 0, 0.35, "#fff3c4")


def planter(dice: Random) -> str:
    """A tree in a tub (a circle of 4.6 mm)."""
    leaf, light = [("#94c98a", "#aedb9f"), ("#86c2a0", "#a3d6b6"), ("#a9cf7e", "#c3e098")][int(dice.random() * 3)]
    tub = shape(polygon((-1.8, 2), (1.8, 2), (1.4, 4.4), (-1.4, 4.4)), "#c99478") + box(
        -2.1, 1.6, 4.2, 0.8, "#d9a58a", rx=0.2
    )
    return (
        oval(0.3, 4.4, 2.6, 0.6, SHADE)
        + box(-0.35, 0, 0.7, 2, "#a98a70")
        + circle(0, -1.6, 2.9, leaf)
        + oval(-0.9, -2.7, 1.2, 0.9, light)
        + tub
    )


def lamp(_: Random) -> str:
    """A street lamp (a circle of 5 mm)."""
    post = pen("M0 4.6V-2.6", "#98a1b3", 0.7) + box(-1.2, 4, 2.4, 0.9, "#98a1b3", rx=0.3)
    return (
        circle(0, -3.6, 2.6, "#fff3c4", opacity=0.6)
        + post
        + circle(0, -3.6, 1.3, "#ffe9a0")
        + shape("M-1.4 -4.2Q0 -6 1.4 -4.2Z", "#98a1b3")
    )


def hydrant(_: Random) -> str:
    """A fire hydrant (a circle of 2.4 mm)."""
    return (
        oval(0, 2, 1.6, 0.4, SHADE)
        + box(-0.9, -1, 1.8, 3, "#ee8b78", rx=0.3)
        + shape("M-1 -1A1 1.1 0 0 1 1 -1Z", "#ee8b78")
        + box(-1.6, 0, 3.2, 0.8, "#ee8b78", rx=0.3)
        + box(-1.2, -1.2, 2.4, 0.5, "#d97765", rx=0.2)
    )


def pigeon(_: Random) -> str:
    """A pigeon (a circle of 2.4 mm)."""
    body = shape(
        "M-2.2 0.6Q-0.8 -1 0.4 -0.9Q0.6 -2.2 1.5 -2.1Q2.3 -1.9 1.9 -0.7Q1.8 1.2 0 1.3Q-1 1.3 -2.2 0.6Z", "#a9b4c9"
    )
    return (
        body
        + shape("M-1.6 0.5Q-0.2 -0.6 0.8 0.1Q0 1 -1.6 0.5Z", "#8e9bb5")
        + circle(1.5, -1.5, 0.2, "#50505f")
        + shape("M2 -1.5L2.7 -1.2L2 -1.1Z", "#f2b45f")
        + pen("M0 1.3V2M0.7 1.2V2", "#e79a8a", 0.25)
    )


def cat(dice: Random) -> str:
    """A cat on a dustbin (a circle of 4.8 mm)."""
    fur = pick(dice, "#f0b27a", "#b8b4c4", "#fff3e2")
    bin_ = shape(polygon((-2.4, 0.4), (2.4, 0.4), (1.9, 4.6), (-1.9, 4.6)), "#b4bfc9") + box(
        -2.8, -0.2, 5.6, 0.9, "#9eabb8", rx=0.4
    )
    body = shape("M-1.6 -0.2Q-1.8 -2.4 0 -2.5Q1.8 -2.4 1.6 -0.2Z", fur) + pen("M1.4 -0.4Q3.4 -0.6 3 -2.6", fur, 0.6)
    head = (
        circle(0, -3.1, 1.5, fur)
        + shape(polygon((-1.4, -3.4), (-1.3, -5), (-0.2, -4.3)), fur)
        + shape(polygon((1.4, -3.4), (1.3, -5), (0.2, -4.3)), fur)
    )
    return (
        oval(0, 4.7, 2.8, 0.5, SHADE) + bin_ + body + head + eyes(0, -3.2, 1.1, 0.26) + smile(0, -2.6, 0.6, weight=0.2)
    )


def fountain(_: Random) -> str:
    """A fountain with three jets (a circle of 10 mm)."""
    art = (
        oval(0, 4, 9.4, 3.6, SHADE)
        + oval(0, 3, 9, 3.6, "#d9cfc4")
        + oval(0, 2.4, 7.8, 2.8, "#9fd6ee")
        + oval(-1, 2.2, 5, 1.5, "#b9e4f5")
    )
    art += box(-0.8, -3, 1.6, 5.4, "#d9cfc4") + oval(0, -3, 3.4, 1.1, "#d9cfc4") + oval(0, -3.3, 2.7, 0.75, "#b9e4f5")
    jets = pen("M0 -3.4Q-0.4 -7.6 -4.4 1M0 -3.4Q0.4 -7.6 4.4 1M0 -3.4V-7", "#cdeefa", 0.6)
    return (
        art
        + jets
        + "".join(
            circle(x, y, 0.35, "#e6f8ff") for x, y in ((-5, -0.4), (5.2, -0.2), (0, -8), (-2.6, -5.8), (2.8, -5.6))
        )
    )


def scooter(dice: Random) -> str:
    """A motor scooter (a circle of 3.4 mm)."""
    paint = pick(dice, "#8fd0c0", "#f5c45c", "#f29aa8")
    body = shape("M-2.8 0.8Q-2.8 -0.8 -1 -0.8L0 0.6H1L1.6 -2.2H2.4L2.6 1H-2.2Z", paint) + box(
        -2.4, -1.4, 2.2, 0.6, "#8a7468", rx=0.3
    )
    return (
        oval(0, 2.2, 3, 0.5, SHADE)
        + "".join(circle(x, 1.4, 0.8, "#7d8090") + circle(x, 1.4, 0.3, "#e1e4ec") for x in (-2, 2.3))
        + body
        + pen("M2 -2.3L1.2 -2.9", "#7d8090", 0.35)
    )


def tower(dice: Random) -> str:
    """A block of flats with a water tank or a mast on top (a circle of 13 mm)."""
    wall = pick(dice, "#9fb7e0", "#e8a695", "#8fc7b8", "#c3a9dc")
    art = (
        oval(0.6, 12.4, 8.4, 1.5, SHADE)
        + box(-7, -8.6, 14, 21, wall, rx=0.6)
        + box(4.6, -8.6, 2.4, 21, "#000000", opacity=0.06)
    )
    art += box(-7.6, -9.4, 15.2, 1.4, "#fff3e0", rx=0.4)
    for row in range(5):
        for column in range(4):
            lit = dice.random() < 0.3
            art += box(-5.7 + 3 * column, -6.9 + 3.5 * row, 2, 2.2, "#fff0b3" if lit else "#e2f3fa", rx=0.3)
    art += box(-1.6, 9.6, 3.2, 2.8, "#7d6f86", rx=0.3)
    if dice.random() < 0.5:
        return (
            art
            + box(-4.4, -11.6, 3.8, 2.2, "#c9a27f", rx=0.4)
            + shape(polygon((-4.8, -11.5), (-2.5, -13), (-0.2, -11.5)), "#a9876b")
        )
    return art + pen("M3 -9.4V-12.6M1.8 -11.4H4.2", "#8d93a8", 0.35) + circle(3, -12.7, 0.45, "#f2705f")


def shop(dice: Random) -> str:
    """A little shop under a striped awning (a circle of 8 mm)."""
    colour, goods = [("#a97be0", "flowers"), ("#4f9df0", "toys"), ("#f2b231", "fruit"), ("#ef7f73", "cakes")][
        int(dice.random() * 4)
    ]
    art = (
        oval(0.4, 6.8, 7.6, 1.2, SHADE)
        + box(-7, -4.6, 14, 11.4, "#fbeeda", rx=0.4)
        + box(-7.4, -6, 14.8, 1.9, colour, rx=0.5)
    )
    art += "".join(
        shape(f"M{-7 + 2 * i} -3H{-5 + 2 * i}V-0.6A1 0.9 0 0 1 {-7 + 2 * i} -0.6Z", colour if i % 2 else "#ffffff")
        for i in range(7)
    )
    art += (
        box(-5.8, 0.8, 6.6, 4, "#d7eef6", rx=0.3)
        + box(2.4, 0.8, 3.4, 6, "#8fa3b8", rx=0.4)
        + circle(3, 4, 0.25, "#ffe9a8")
    )
    spots = {
        "flowers": ("#f2705f", "#ffd45e", "#c39bf0"),
        "toys": ("#ffd45e", "#f2705f", "#7cc47a"),
        "fruit": ("#f2705f", "#8ccb6b", "#f7a94a"),
        "cakes": ("#f7b9c7", "#fff3c4", "#c98a4b"),
    }[goods]
    return (
        art
        + "".join(circle(-4.6 + 2.1 * i, 3.6, 0.9, c) for i, c in enumerate(spots))
        + box(-5.8, 4.6, 6.6, 0.6, "#c9a27f")
    )


def crossing(_: Random) -> str:
    """A zebra crossing to nowhere (a circle of 5.6 mm): white bars that are none of the race's."""
    return box(-5, -2.6, 10, 5.2, "#b9b4c6", rx=0.5) + "".join(
        box(-4.3 + 1.9 * i, -2.1, 1.0, 4.2, "#ffffff") for i in range(5)
    )


def taxi(_: Random) -> str:
    """A yellow taxi (a circle of 4.8 mm)."""
    body = shape("M-4.4 1.8V0.2Q-4.4 -0.6 -3.2 -0.8L-2.2 -2.6H2L3.2 -0.8Q4.5 -0.6 4.5 0.4V1.8Z", "#f6c531")
    checks = "".join(box(-3.6 + 0.9 * i, 0.2, 0.45, 0.45, "#6b6470") for i in range(8))
    glass = shape("M-2.2 -0.9L-1.6 -2H-0.2V-0.9ZM0.4 -0.9V-2H1.6L2.3 -0.9Z", "#e6f5fb")
    wheels = "".join(circle(x, 1.8, 1, "#6b6e80") + circle(x, 1.8, 0.4, "#e1e4ec") for x in (-2.4, 2.4))
    return oval(0, 2.7, 4.6, 0.6, SHADE) + box(-0.9, -3.5, 1.8, 0.9, "#ffffff", rx=0.2) + body + glass + checks + wheels


def street_tree(dice: Random) -> str:
    """A tree in its square of earth (a circle of 5.6 mm)."""
    leaf, light = [("#7dbb72", "#9bd08a"), ("#6fb292", "#8fcbac"), ("#a7c95f", "#c0dd7d"), ("#f0a7b8", "#f8c6d2")][
        int(dice.random() * 4)
    ]
    bumps = [(-1.9, -1.4, 2.3), (1.9, -1.4, 2.3), (0, -3, 2.4), (0, -0.4, 2.2)]
    return (
        oval(0.3, 4.6, 3, 0.8, SHADE)
        + box(-0.5, 0.6, 1, 4, "#a98a70")
        + puffs(bumps, leaf)
        + puffs([(-1.2, -3, 1), (1, -3.6, 0.8)], light)
    )


def stall(dice: Random) -> str:
    """A market stall (a circle of 5.6 mm)."""
    colour = pick(dice, "#ef7f73", "#4f9df0", "#68b58a")
    art = (
        oval(0, 4.6, 5, 0.8, SHADE)
        + pen("M-4 -1V4.4M4 -1V4.4", "#c9a27f", 0.5)
        + box(-4.4, 1.6, 8.8, 2.8, "#d9b68d", rx=0.3)
    )
    art += "".join(
        shape(
            f"M{-4.8 + 1.6 * i} -3.6H{-3.2 + 1.6 * i}V-1A0.8 0.8 0 0 1 {-4.8 + 1.6 * i} -1Z",
            colour if i % 2 == 0 else "#ffffff",
        )
        for i in range(6)
    )
    return art + "".join(
        circle(x, 1.3, 0.65, c)
        for x, c in (
            (-3.2, "#f2705f"),
            (-1.9, "#f2705f"),
            (-0.4, "#f7c04a"),
            (0.9, "#f7c04a"),
            (2.2, "#8ccb6b"),
            (3.4, "#8ccb6b"),
        )
    )


KIT = Kit(
    road="#b6b8c3", verge="#e6ddd6", kerb="#b0a5a3", dash="#eee6d0", deck="#c9bfb4",
    ground=ground, verge_dots=verge_dots, ground_dots=ground_dots, sign=sign,
    pieces={
        "bakery": Piece(bakery, 13, 0, flips=False), "clock_tower": Piece(clock_tower, 12.8, 0), "fountain": Piece(fountain, 10, 0),
        "fish_shop": Piece(fish_shop, 12, 0, flips=False),
        "tower": Piece(tower, 12, 3, 44), "town_house": Piece(town_house, 10, 6, 19), "shop": Piece(shop, 8, 4, 30, flips=False),
        "bus": Piece(bus, 9, 1, 110), "street_tree": Piece(street_tree, 5.6, 4, 12), "stall": Piece(stall, 5.6, 1, 60),
        "crossing": Piece(crossing, 5.4, 0.8, 90), "lamp": Piece(lamp, 5.2, 0.8, 40), "cat": Piece(cat, 4.9, 0.7, 80),
        "car": Piece(car, 4.6, 2, 26), "taxi": Piece(taxi, 4.8, 0.8, 80), "planter": Piece(planter, 4.6, 1.2, 30),
        "scooter": Piece(scooter, 3.4, 1, 55), "hydrant": Piece(hydrant, 2.4, 0.8, 60), "pigeon": Piece(pigeon, 2.5, 1.2, 22),
    },
)  # fmt: skip
