"""The city: pastel town houses, a bakery, buses and a cat on the roof."""

from __future__ import annotations

from random import Random

from ..lettering import write
from ..scenery import Kit, Piece
from ..svg import box, circle, el, group, oval, pen, place, shape
from .common import between, eyes, ground_shadow, pick, polygon, puffs, smile

SHADE = "#d3c6bd"
GLASS = "#bfe3f2"
WALLS = ("#f6c6b4", "#f7dfa6", "#bfe0d2", "#c9d3f0", "#f3c7d6", "#e3d0ee")
ROOFS = ("#d98f78", "#c79a86", "#8fb5a6", "#93a3cf", "#cf8fa6", "#ad95c4")


def ground(dice: Random) -> str:
    """Paved squares in warm tones."""
    slabs = [
        box(x, y, 26.4, 25.6, pick(dice, "#efe4d6", "#ece0d2", "#f1e8dc", "#eadfd6"), rx=1.6)
        for x in range(0, 297, 27) for y in range(0, 210, 26)
    ]  # fmt: skip
    cracks = [
        place(pen("M-3 0H3M0 -3V3", "#e0d3c4", 0.35), 27 * i + 13, 26 * j + 13) for i in range(11) for j in range(8)
    ]
    return group([box(0, 0, 297, 210, "#e2d5c7"), *slabs, *cracks], data_kind="art")


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
    board = circle(0, -7.2, 4.2, "#fff8ef", stroke="#d9a17a", stroke_width=0.6) + place(pretzel, 0, -6.6)
    return art + awning + loaves + cake + write("BAKERY", -4.2, -3.2, 1.7, "#b5754e", 1.2) + board


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


KIT = Kit(
    road="#b6b8c3", verge="#e3d9ce", kerb="#b3a79c", dash="#eee6d0", deck="#c9bfb4",
    ground=ground, verge_dots=verge_dots, sign=sign,
    pieces={
        "bakery": Piece(bakery, 13, 0, flips=False), "clock_tower": Piece(clock_tower, 12.8, 0), "bus": Piece(bus, 9, 0.25),
        "fountain": Piece(fountain, 10, 0), "town_house": Piece(town_house, 10, 9), "car": Piece(car, 4.6, 2),
        "planter": Piece(planter, 4.6, 2.2), "lamp": Piece(lamp, 5.2, 1), "cat": Piece(cat, 4.9, 0.8),
        "scooter": Piece(scooter, 3.4, 1), "hydrant": Piece(hydrant, 2.4, 1), "pigeon": Piece(pigeon, 2.5, 2.2),
    },
)  # fmt: skip
_ = (between, ground_shadow)
