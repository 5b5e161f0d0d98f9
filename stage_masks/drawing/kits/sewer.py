# ruff: noqa: E501 - a drawing reads better with each shape on one line
"""The sewer: mossy bricks, green water, a bathing crocodile and rats with good manners."""

from __future__ import annotations

from random import Random

from ..lettering import write
from ..scenery import Kit, Piece
from ..svg import box, circle, el, group, num, oval, pen, place, shape
from .common import between, eyes, pick, polygon, puffs, smile, soft_blob

SHADE = "#8fae9f"


def ground(dice: Random) -> str:
    """A wall of soft green bricks, old pipes along it and a slow green canal."""
    bricks = []
    for row in range(30):
        for column in range(-1, 20):
            x, y = column * 16 + (8 if row % 2 else 0), row * 7
            if dice.random() < 0.6:
                bricks.append(
                    box(x + 0.5, y + 0.5, 15, 6, pick(dice, "#8fbaaa", "#97c1ad", "#86b3a3", "#a1c6ab"), rx=0.9)
                )
    moss = [
        place(
            shape(soft_blob(dice, between(dice, 5, 12)), "#a5cc86", opacity=0.6),
            dice.random() * 297,
            dice.random() * 210,
        )
        for _ in range(24)
    ]
    canal = "M-8 158C30 150 70 128 120 146S214 152 232 128S262 40 305 24"
    water = [
        pen(canal, "#74a596", 15),
        pen(canal, "#7fd0bd", 12.6),
        pen(canal, "#96dccb", 7, stroke_dasharray="16 9", opacity=0.8),
    ]
    pipes = [part for y in (8, 202) for part in _pipe_run(y)]
    return group([box(0, 0, 297, 210, "#8ab5a5"), *bricks, *moss, *water, *pipes], data_kind="art")


def _pipe_run(y: float) -> list[str]:
    """A copper pipe from rim to rim with a collar now and then."""
    run = [
        box(-2, y - 2.2, 301, 4.4, "#cf9f78"),
        box(-2, y - 1.5, 301, 1.1, "#e6c19d"),
        box(-2, y + 1.3, 301, 0.9, "#b98760"),
    ]
    return run + [box(x, y - 2.9, 3, 5.8, "#c08d64", rx=0.6) for x in (34, 78, 121, 164, 207, 250)]


def ground_dots(dice: Random) -> str:
    """A chip in the wall, a tuft of moss or a drop."""
    kind = dice.random()
    if kind < 0.45:
        return pen("M-0.9 0.3L-0.5 -0.5M0 0.3V-0.8M0.9 0.3L0.5 -0.5", "#7fae6d", 0.32)
    if kind < 0.8:
        return oval(0, 0, 0.8, 0.45, "#7aa797")
    return shape("M0 -1Q0.8 0.1 0.6 0.5A0.62 0.62 0 0 1 -0.6 0.5Q-0.8 0.1 0 -1Z", "#bfeadf")


def verge_dots(dice: Random) -> str:
    """A pebble."""
    return oval(0, 0, between(dice, 0.5, 0.9), 0.5, pick(dice, "#b7c4ae", "#cfd8c4"))


def sign(number: int, name: str) -> str:
    """A manhole's cover and an enamel plate."""
    plate = box(-19, -8.4, 38, 16.8, "#e9dfc0", rx=3) + el(
        "rect", x=-18, y=-7.4, width=36, height=14.8, rx=2.2, fill="none", stroke="#b79f6c", stroke_width=0.7
    )
    rivets = "".join(circle(x, y, 0.7, "#b79f6c") for x in (-16, 16) for y in (-5.4, 5.4))
    drips = shape(
        "M-15 -8.2V-10Q-15 -11.4 -13 -11H-6Q-4.4 -11 -4.4 -9.4V-7.6Q-4.8 -6.4 -5.4 -7.6Q-6 -9 -7 -7.8V-5.4Q-7.6 -4.2 -8.2 -5.4V-7.4Q-9.4 -9 -10.6 -7.2Q-11.4 -6.2 -12 -7.6Q-13.4 -8.8 -15 -8.2Z",
        "#a7d878",
    )
    return (
        plate
        + rivets
        + drips
        + write(str(number), 0, -2.9, 6.2, "#7a6a43", 1.3)
        + write(name, 0, 4.3, 2.7, "#7a6a43", 1.2)
    )


def crocodile(_: Random) -> str:
    """A crocodile in its bath with a duck (a circle of 18 mm)."""
    pool = shape(
        "M-17 2Q-17 -6 -8 -6.6Q2 -9 10 -6.4Q17.6 -5 17.4 2Q17 8 8 8.4Q-4 10 -11 8Q-17 7 -17 2Z", "#86c7b9"
    ) + oval(0, 1, 13, 5.4, "#9ad4c5")
    back = shape(
        "M-13 1.6Q-11 -3 -5 -3.4L-4 -4.8L-2.6 -3.6L-1.4 -5L0 -3.6L1.4 -4.8L2.6 -3.2Q5 -3 6.4 -4.4Q8 -6.4 9.6 -4.4Q14.4 -3.4 15.4 -1.4Q15.8 0.6 14 1.2Q8 2.6 4 2.2Q-6 4 -13 1.6Z",
        "#8fcb74",
    )
    snout = shape("M7.4 -0.6Q12 0.4 15.6 -0.8Q15.6 1 14 1.2Q9 2.6 6.6 1.8Z", "#b7e094") + pen(
        "M7.4 -0.8Q12 0.2 15.4 -1", "#6da659", 0.4
    )
    teeth = "".join(shape(polygon((x, -0.3), (x + 0.9, -0.25), (x + 0.45, 0.7)), "#ffffff") for x in (9, 10.8, 12.6))
    eye = circle(8, -4.4, 1.3, "#fffbe6") + circle(8.3, -4.4, 0.55, "#4b5a44") + circle(14.4, -2.1, 0.35, "#6da659")
    duck = place(
        shape(
            "M-2 0Q-2.4 -1.2 -2.2 -1.4Q-1.4 -0.8 -0.4 -0.9Q0.6 -1 0.7 -1.8Q2 -0.4 1.2 0.5Q0 1.2 -1.4 0.8Q-1.8 0.6 -2 0Z",
            "#ffdf73",
        )
        + circle(0.9, -2, 1, "#ffdf73")
        + shape("M1.7 -2.2Q2.8 -2 2.7 -1.7Q2 -1.5 1.6 -1.6Z", "#f79a54")
        + circle(1.1, -2.3, 0.22, "#4b4038"),
        -4,
        -4.8,
        1.1,
    )
    bubbles = "".join(
        circle(x, y, r, "#d3f0e6", opacity=0.85)
        for x, y, r in (
            (-10, 4.6, 1.2),
            (-7.6, 5.6, 0.8),
            (6, 5.2, 1.4),
            (9, 4.4, 0.9),
            (12.4, 4.2, 0.7),
            (-13, 3, 0.6),
        )
    )
    return (
        pool
        + back
        + snout
        + teeth
        + eye
        + duck
        + bubbles
        + pen("M-15 3.4Q-12 4.2 -9 3.2M2 4.2Q6 5 11 3.2", "#c4e8dc", 0.45)
    )


def rat(dice: Random) -> str:
    """A rat, sitting (a circle of 4.8 mm)."""
    fur = pick(dice, "#c3b5ab", "#b4bcc6", "#d4bfa2")
    tail = pen("M-2.2 3.4Q-5 3.6 -4.4 0.8", "#eeb4b4", 0.5)
    ears = "".join(circle(s * 1.7, -3.2, 1.25, fur) + circle(s * 1.7, -3.1, 0.75, "#f2bfc2") for s in (-1, 1))
    body = oval(0, 2, 2.6, 2.5, fur) + oval(0, 2.4, 1.5, 1.7, "#f4ebe0") + circle(0, -1.5, 2.1, fur)
    nose = circle(0, -0.7, 0.38, "#ee8f97") + pen(
        "M-0.6 -0.5L-2.4 -0.8M-0.6 -0.3L-2.3 0.1M0.6 -0.5L2.4 -0.8M0.6 -0.3L2.3 0.1", "#8f8580", 0.14
    )
    cheese = place(
        shape(polygon((-1.4, 0.6), (1.4, -0.8), (1.4, 0.9)), "#ffd766") + circle(0.6, 0.3, 0.28, "#efba45"), 0.2, 2
    )
    return oval(0, 4.3, 3, 0.7, SHADE) + tail + ears + body + eyes(0, -2, 1.6, 0.36) + nose + cheese


def frog(_: Random) -> str:
    """A frog (a circle of 4 mm)."""
    body = shape("M-3.2 2.6Q-3.6 -0.6 0 -0.8Q3.6 -0.6 3.2 2.6Z", "#97d178") + oval(0, 1.8, 1.8, 1.2, "#d3efb4")
    head = oval(0, -1, 2.6, 1.8, "#97d178") + circle(-1.4, -2.5, 0.95, "#97d178") + circle(1.4, -2.5, 0.95, "#97d178")
    feet = oval(-2.6, 2.7, 1.3, 0.5, "#83bf66") + oval(2.6, 2.7, 1.3, 0.5, "#83bf66")
    return (
        oval(0, 3, 3.6, 0.7, SHADE)
        + body
        + head
        + feet
        + eyes(0, -2.5, 2.8, 0.5)
        + smile(0, -0.7, 2, "#5f8f4d", 0.35)
        + circle(-1.9, -0.6, 0.4, "#f5bfae")
        + circle(1.9, -0.6, 0.4, "#f5bfae")
    )


def outlet(dice: Random) -> str:
    """A pipe in the wall that drips green water into a pool (a circle of 9 mm)."""
    slime = pick(dice, "#a7d878", "#9fd6c8", "#d6e07c")
    pool = shape(soft_blob(dice, 7.4, 0.34), slime)
    rim = circle(0, -3.4, 5, "#d3b591") + circle(0, -3.4, 4, "#a98d70") + circle(0, -3, 3.4, "#7f8f86")
    flow = shape("M-2.6 -1.6Q0 -0.4 2.6 -1.6V5Q0 6.4 -2.6 5Z", slime) + pen(
        "M-1 -0.6V4.6M1.1 -0.4V3.4", "#ffffff", 0.35, opacity=0.6
    )
    bolts = "".join(
        circle(x, y, 0.4, "#f0dcc0") for x, y in ((-4.5, -3.4), (4.5, -3.4), (0, -7.9), (-3.1, -6.6), (3.1, -6.6))
    )
    return place(pool, 0, 6) + rim + flow + bolts + oval(-2, 6, 1.2, 0.4, "#ffffff", opacity=0.5)


def glowcaps(dice: Random) -> str:
    """Mushrooms that shine a little (a circle of 3.6 mm)."""
    cap, glow = [("#f7b38a", "#fde3c4"), ("#b7a6e8", "#e4dcfa"), ("#8fd6e2", "#d4f2f6")][int(dice.random() * 3)]
    one = (
        shape("M-0.5 0H0.5L0.7 2.6H-0.7Z", "#f7efe0")
        + shape("M-2.1 0.3A2.1 2.1 0 0 1 2.1 0.3Q0 1 -2.1 0.3Z", cap)
        + circle(-0.8, -0.7, 0.35, glow)
        + circle(0.7, -0.9, 0.3, glow)
    )
    return circle(0, 0.4, 3.4, glow, opacity=0.45) + place(one, -0.9, -0.6) + place(one, 1.5, 0.8, 0.65)


def valve(_: Random) -> str:
    """A valve wheel on its pipe (a circle of 6.4 mm)."""
    tube = (
        box(-6, -1.3, 12, 2.6, "#c99f7c")
        + box(-6, -1, 12, 0.6, "#dcb898")
        + box(-6.4, -1.9, 1.6, 3.8, "#b58a66", rx=0.4)
        + box(4.8, -1.9, 1.6, 3.8, "#b58a66", rx=0.4)
    )
    wheel = (
        circle(0, -0.2, 3.3, "none", stroke="#ee9a86", stroke_width=1)
        + pen("M-3 -0.2H3M0 -3.2V2.8", "#ee9a86", 0.8)
        + circle(0, -0.2, 0.9, "#d97f6c")
    )
    return tube + wheel


def gauge(_: Random) -> str:
    """A pressure gauge (a circle of 3.4 mm)."""
    face = (
        circle(0, 0, 2.9, "#d3b591")
        + circle(0, 0, 2.3, "#fffaf0")
        + pen("M-1.5 0.6A1.7 1.7 0 0 1 0.6 -1.5", "#8fc9a0", 0.5)
        + pen("M1 -1.3A1.7 1.7 0 0 1 1.6 0.4", "#f0968a", 0.5)
    )
    return box(-0.7, 2, 1.4, 1.6, "#b58a66") + face + pen("M0 0L1 -0.9", "#6f6a66", 0.35) + circle(0, 0, 0.4, "#6f6a66")


def peepers(dice: Random) -> str:
    """Someone behind a grating (a circle of 5 mm)."""
    hole = shape("M-4 3.4V-0.6A4 3.8 0 0 1 4 -0.6V3.4Z", "#c9bfa6") + shape(
        "M-3.2 2.8V-0.6A3.2 3 0 0 1 3.2 -0.6V2.8Z", "#71877f"
    )
    look = between(dice, -0.25, 0.25)
    eyes_ = "".join(circle(x, 0, 0.85, "#fff6c9") + circle(x + look, 0.05, 0.38, "#4d5b50") for x in (-1, 1))
    return hole + eyes_ + pen("M-1.9 -2.7V2.8M0 -3.4V2.8M1.9 -2.7V2.8", "#b1a78f", 0.35)


def bottle(_: Random) -> str:
    """A letter in a bottle (a circle of 4 mm)."""
    glass = shape(
        "M-3 -1.2H1Q1.8 -1.2 2 -0.6H3.2V0.6H2Q1.8 1.2 1 1.2H-3Q-3.4 1.2 -3.4 0Q-3.4 -1.2 -3 -1.2Z",
        "#bfe6dc",
        opacity=0.9,
    )
    return el(
        "g",
        glass
        + box(-2.2, -0.7, 2.4, 1.4, "#fff8e6", rx=0.3)
        + box(3.2, -0.5, 0.7, 1, "#c99f7c", rx=0.2)
        + pen("M-2.8 -0.8H0.6", "#ffffff", 0.25),
        transform="rotate(-18)",
    )


def fish(dice: Random) -> str:
    """A goldfish that came a long way in its puddle (a circle of 4 mm)."""
    puddle = shape(soft_blob(dice, 4, 0.6), "#9fd6e0")
    coat = pick(dice, "#f9b06a", "#f7cf6b")
    body = shape("M-1.6 0Q0 -1.7 2 -0.1Q0 1.6 -1.6 0Z", coat) + shape(
        polygon((-1.4, 0), (-2.9, -1.1), (-2.5, 0), (-2.9, 1.1)), coat
    )
    return (
        puddle
        + body
        + circle(1, -0.3, 0.25, "#50505f")
        + circle(2.6, -1, 0.3, "#e4f6fa")
        + circle(3, -1.7, 0.2, "#e4f6fa")
    )


def ladder(_: Random) -> str:
    """A ladder up to a round of daylight (a circle of 9 mm)."""
    light = (
        circle(0, -5.4, 3.6, "#c9bfa6")
        + circle(0, -5.4, 2.9, "#fff6cf")
        + shape(polygon((-2.6, -4.4), (2.6, -4.4), (5, 8.4), (-5, 8.4)), "#fff6cf", opacity=0.35)
    )
    rungs = "".join(f"M-1.7 {num(y)}H1.7" for y in (-2.4, -0.2, 2, 4.2, 6.4))
    return light + pen("M-1.7 -4.4V8M1.7 -4.4V8" + rungs, "#a9876b", 0.6)


def spider(_: Random) -> str:
    """A spider on its thread (a circle of 3.6 mm)."""
    legs = pen(
        "M-0.9 0.4L-2.4 -0.6L-3 0.6M-0.9 0.9L-2.4 0.9L-2.8 2.2M0.9 0.4L2.4 -0.6L3 0.6M0.9 0.9L2.4 0.9L2.8 2.2",
        "#8f7fae",
        0.3,
    )
    return (
        pen("M0 -3.6V-0.6", "#eef3ee", 0.22)
        + legs
        + circle(0, 0.8, 1.5, "#a795c9")
        + eyes(0, 0.6, 1.2, 0.36)
        + smile(0, 1.3, 0.8, "#5b4f74", 0.22)
    )


def sock(dice: Random) -> str:
    """The lost sock (a circle of 3 mm)."""
    wool = pick(dice, "#f2a7b8", "#8fc4ec", "#f7cf6b")
    foot = shape("M-1.4 -2.4H0.6V0.4L2.4 1.4Q2.8 2.4 1.8 2.6H-0.4Q-1.4 2.4 -1.4 1.2Z", wool)
    return foot + pen("M-1.2 -0.8H0.4M-1.2 0.4H0.4", "#ffffff", 0.5) + box(-1.6, -2.8, 2.4, 0.9, "#ffffff", rx=0.3)


def slime(dice: Random) -> str:
    """A friendly puddle of slime (a circle of 5.6 mm); some are purple, and no oil at all."""
    coat, light = [("#b58be8", "#d9c2f5"), ("#9fd86f", "#c8efa2"), ("#f2c94f", "#fbe6a3")][int(dice.random() * 3)]
    body = shape(
        "M-4.8 2.4Q-5.4 0.6 -3.4 0.4Q-3.6 -3.6 0 -3.8Q3.8 -3.6 3.4 0.4Q5.4 0.6 4.8 2.4Q3.6 3.6 0 3.4Q-3.8 3.6 -4.8 2.4Z",
        coat,
    )
    return (
        body
        + oval(-1.6, -2, 0.9, 0.5, light)
        + eyes(0, -0.9, 2.2, 0.5)
        + smile(0, 0.4, 1.8, weight=0.35)
        + circle(4.4, -2, 0.6, coat)
    )


def paper_boat(_: Random) -> str:
    """A paper boat on a trickle (a circle of 5 mm)."""
    water = oval(0, 2.6, 4.8, 1.4, "#7fd0bd") + pen("M-3.4 2.8q0.9 -0.6 1.8 0t1.8 0", "#c8f0e4", 0.35)
    return (
        water
        + shape(polygon((-4, 0), (4, 0), (2.4, 2.6), (-2.4, 2.6)), "#ffffff")
        + shape(polygon((0, -3.8), (2.6, 0), (-2.6, 0)), "#f6f1e6")
        + shape(polygon((0, -3.8), (2.6, 0), (0, 0)), "#e6ddca")
    )


def chest(_: Random) -> str:
    """A treasure chest (a circle of 5.4 mm)."""
    gold = puffs([(-2.4, -0.8, 1), (-0.6, -1.3, 1.1), (1.2, -1, 1), (2.6, -0.7, 0.8)], "#ffd45e") + circle(
        -0.6, -1.6, 0.35, "#fff3c4"
    )
    lid = shape("M-4 -1.6Q-4.2 -4.6 0 -4.6Q4.2 -4.6 4 -1.6L3 -2.4Q0 -3.4 -3 -2.4Z", "#b9845a")
    body = (
        box(-4, -0.6, 8, 4.2, "#c99468", rx=0.4)
        + box(-4, 1, 8, 0.7, "#e6c07a")
        + box(-0.8, 0.2, 1.6, 2, "#ffe08a", rx=0.3)
    )
    return oval(0, 3.8, 4.8, 0.8, SHADE) + lid + gold + body + circle(4.6, 3.2, 0.6, "#ffd45e")


def trumpet_rat(_: Random) -> str:
    """A rat that plays the trumpet (a circle of 6.4 mm)."""
    fur = "#c3b5ab"
    tail = pen("M-2.4 4.4Q-5.6 4.6 -5 1.4", "#eeb4b4", 0.5)
    body = oval(-0.6, 2.8, 2.5, 2.7, fur) + oval(-0.4, 3.2, 1.4, 1.8, "#f4ebe0")
    head = (
        circle(-2, -2.8, 1.2, fur)
        + circle(-2, -2.7, 0.7, "#f2bfc2")
        + circle(1, -3.2, 1.2, fur)
        + circle(1, -3.1, 0.7, "#f2bfc2")
        + circle(-0.3, -1, 2.2, fur)
    )
    horn = (
        pen("M0.9 -0.4H3.6", "#f2c231", 0.7)
        + shape(polygon((3.4, -0.4), (5.8, -1.9), (5.8, 1.1)), "#f2c231")
        + box(1.8, -1.1, 1.2, 1.5, "#f2c231", rx=0.4)
    )
    notes = (
        pen("M4 -4.6V-2.6M6 -5V-3.2M4 -4.6L6 -5", "#5d7a70", 0.35)
        + circle(3.7, -2.5, 0.45, "#5d7a70")
        + circle(5.7, -3.1, 0.45, "#5d7a70")
    )
    hat = shape("M-2 -2.6Q-0.4 -5 1.4 -2.8Z", "#e9776c") + circle(-0.3, -4.1, 0.4, "#ffffff")
    return (
        oval(-0.4, 5.4, 3.2, 0.7, SHADE)
        + tail
        + body
        + head
        + hat
        + eyes(-0.3, -1.4, 1.6, 0.34)
        + pen("M1 1.8Q2 1.6 2 0.4", fur, 0.9)
        + horn
        + notes
    )


def duck_boat(_: Random) -> str:
    """A rubber duck under a parasol (a circle of 5.4 mm)."""
    water = oval(0, 3.4, 5, 1.5, "#7fd0bd") + pen("M-3.8 3.8Q0 4.6 3.8 3.8", "#c8f0e4", 0.35)
    body = shape(
        "M-3.4 1.6Q-4.2 -0.4 -3.8 -0.8Q-2.6 0.2 -0.8 0.1Q0.6 0 0.8 -1.2Q3 0.8 2 2.4Q0.8 3.6 -1 3.4Q-3 3.2 -3.4 1.6Z",
        "#ffd95a",
    )
    head = (
        circle(1.2, -1.8, 1.7, "#ffd95a")
        + shape("M2.6 -2Q4.2 -1.9 4.2 -1.3Q3.4 -0.9 2.4 -1.1Z", "#f79a54")
        + circle(1.7, -2.2, 0.34, "#4b4038")
    )
    shade = (
        pen("M-2.2 0.6V-4", "#b98a6b", 0.35)
        + shape("M-4.8 -3Q-4.2 -5.2 -2.2 -5.2Q-0.2 -5.2 0.4 -3Z", "#ef8a77")
        + shape("M-3 -3Q-2.8 -5 -2.2 -5.2Q-1.6 -5 -1.4 -3Z", "#ffffff")
    )
    return water + shade + body + head


def octopus(_: Random) -> str:
    """An octopus that came up the drain, plunger in hand (a circle of 8.6 mm)."""
    ring = oval(0, 4.4, 8, 2.6, "#6f9c8d") + oval(0, 4, 7.4, 2.2, "#567f72")
    arms = pen(
        "M-3 3Q-7 2.6 -6.6 -1.2Q-6.4 -2.8 -5 -2.6M3 3Q6.6 2.6 6 -0.8M-1.2 3.6Q-4 5.4 -5.8 4.4M1.4 3.6Q4 5.6 6.2 4.2",
        "#ef8a9e",
        1.6,
    )
    head = shape(
        "M-4.4 3.8Q-3.4 1.8 -4 -1.4Q-4.6 -7 0 -7.2Q4.6 -7 4 -1.4Q3.4 1.8 4.4 3.8Q0 5.6 -4.4 3.8Z", "#f29aab"
    ) + oval(-1.6, -5, 1.2, 0.7, "#fac3cd")
    plunger = pen("M6 -0.8V-5", "#d9b68d", 0.6) + shape("M4.4 -5Q4.6 -7.4 6 -7.4Q7.4 -7.4 7.6 -5Z", "#e9776c")
    return (
        ring
        + plunger
        + arms
        + head
        + eyes(0, -2.2, 3, 0.7)
        + smile(0, -0.6, 1.8)
        + circle(-2.8, -0.6, 0.6, "#f7b9c7")
        + circle(2.8, -0.6, 0.6, "#f7b9c7")
    )


KIT = Kit(
    road="#b7bbb9", verge="#c9d6bf", kerb="#93a691", dash="#e6e4cf", deck="#cabfa6",
    ground=ground, verge_dots=verge_dots, ground_dots=ground_dots, sign=sign,
    pieces={
        "crocodile": Piece(crocodile, 18, 0), "octopus": Piece(octopus, 8.6, 0), "trumpet_rat": Piece(trumpet_rat, 6.6, 0.5, 120),
        "ladder": Piece(ladder, 9, 0.9, 70), "outlet": Piece(outlet, 8.6, 3, 34, flips=False), "valve": Piece(valve, 6.6, 1.2, 46),
        "slime": Piece(slime, 5.6, 1.2, 50), "chest": Piece(chest, 5.4, 0.5, 120), "duck_boat": Piece(duck_boat, 5.4, 0.5, 120),
        "paper_boat": Piece(paper_boat, 5, 0.7, 90), "rat": Piece(rat, 5, 1.6, 36), "peepers": Piece(peepers, 4.8, 1.4, 36),
        "frog": Piece(frog, 4, 1.2, 40), "glowcaps": Piece(glowcaps, 3.6, 2, 18), "gauge": Piece(gauge, 3.6, 0.7, 60),
        "fish": Piece(fish, 4.2, 0.8, 60), "bottle": Piece(bottle, 4, 0.5, 90), "spider": Piece(spider, 3.6, 0.8, 44), "sock": Piece(sock, 3, 0.5, 80),
    },
)  # fmt: skip
