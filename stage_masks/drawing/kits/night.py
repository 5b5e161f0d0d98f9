# ruff: noqa: E501 - a drawing reads better with each shape on one line
"""The night of the finale: fireworks over a fair, lanterns, a grandstand and a moon that stays up late."""

from __future__ import annotations

import math
from random import Random

from ..lettering import write
from ..markings import star
from ..scenery import Kit, Piece
from ..svg import box, circle, el, group, num, oval, pen, place, shape
from .common import between, eyes, ground_shadow, pick, polygon, puffs, smile

SHADE = "#565f98"
INK, GLOW = "#4a4f86", "#ffe58a"
BRIGHT = ("#ff9a8a", "#ffd45e", "#8fd8f2", "#b8e58f", "#f2a7d0", "#c7b0ff")


def ground(dice: Random) -> str:
    """A summer night from violet to rose, full of small stars, with the roofs of a town along its rim."""
    stops = "".join(
        el("stop", offset=o, stop_color=c)
        for o, c in ((0, "#6470b4"), (0.45, "#7c7cc2"), (0.8, "#9c86c4"), (1, "#bd93c2"))
    )
    defs = el("defs", el("linearGradient", stops, id="night", x1=0, y1=0, x2=0, y2=1))
    veils = [
        oval(
            dice.random() * 297,
            dice.random() * 210,
            between(dice, 18, 44),
            between(dice, 3, 8),
            "#ffffff",
            opacity=0.09,
        )
        for _ in range(26)
    ]
    twinkles = [
        circle(dice.random() * 297, dice.random() * 210, between(dice, 0.18, 0.45), "#fff6d6", opacity=0.9)
        for _ in range(240)
    ]
    return group([defs, box(0, 0, 297, 210, "url(#night)"), *veils, *twinkles, *_roofs(dice)], data_kind="art")


def _roofs(dice: Random) -> list[str]:
    """Dark roofs with lit windows along the bottom of the sheet."""
    art, x = [], -4.0
    while x < 300:
        w, h = between(dice, 9, 17), between(dice, 8, 19)
        art.append(box(x, 210 - h, w, h + 2, "#6a66a6"))
        art.append(
            shape(
                polygon((x - 0.8, 210 - h), (x + w / 2, 210 - h - between(dice, 2, 6)), (x + w + 0.8, 210 - h)),
                "#5f5b9a",
            )
        )
        for row in range(int(h / 4.4)):
            for column in range(int(w / 4)):
                if dice.random() < 0.5:
                    art.append(box(x + 1.4 + 4 * column, 210 - h + 1.6 + 4.4 * row, 1.5, 2, GLOW, rx=0.2, opacity=0.9))
        x += w + between(dice, 0.4, 2)
    return art


def ground_dots(dice: Random) -> str:
    """A star, or confetti."""
    if dice.random() < 0.5:
        return shape("M0 -1.1L0.25 -0.25L1.1 0L0.25 0.25L0 1.1L-0.25 0.25L-1.1 0L-0.25 -0.25Z", "#fff3c4", opacity=0.9)
    bit = box(-0.6, -0.3, 1.2, 0.6, pick(dice, *BRIGHT), rx=0.15)
    return el("g", bit, transform=f"rotate({num(dice.random() * 180)})")


def verge_dots(dice: Random) -> str:
    """A scrap of pale confetti."""
    bit = box(-0.6, -0.3, 1.2, 0.6, pick(dice, "#e8d5ee", "#cfd8f5", "#f5e3cf"), rx=0.15)
    return el("g", bit, transform=f"rotate({num(dice.random() * 180)})")


def sign(number: int, name: str) -> str:
    """A board set round with bulbs."""
    plate = box(-19, -10, 38, 20, "#f7e3b0", rx=3) + box(-17.2, -8.2, 34.4, 16.4, "#5a62a8", rx=2)
    bulbs = "".join(
        circle(x, y, 0.62, "#ffffff" if i % 2 else "#ff9a8a") for i, (x, y) in enumerate(_rim(18.1, 9.1, 26))
    )
    return plate + bulbs + write(str(number), 0, -3.2, 7, GLOW, 1.35) + write(name, 0, 4.6, 3, "#ffffff", 1.25)


def _rim(half_width: float, half_height: float, count: int) -> list[tuple[float, float]]:
    """Places evenly along the rim of a rectangle."""
    sides = (
        (half_width, half_height),
        (-half_width, half_height),
        (-half_width, -half_height),
        (half_width, -half_height),
    )
    lengths = [2 * half_width, 2 * half_height] * 2
    spots, total = [], sum(lengths)
    for i in range(count):
        left, side = total * i / count, 0
        while left > lengths[side]:
            left, side = left - lengths[side], side + 1
        (x1, y1), (x2, y2) = sides[side], sides[(side + 1) % 4]
        part = left / lengths[side]
        spots.append((x1 + (x2 - x1) * part, y1 + (y2 - y1) * part))
    return spots


def firework(dice: Random) -> str:
    """A firework (a circle of 8 mm)."""
    a, b = [
        ("#ffd45e", "#ff9a8a"),
        ("#8fd8f2", "#ffffff"),
        ("#f2a7d0", "#ffe58a"),
        ("#b8e58f", "#fff6d6"),
        ("#c7b0ff", "#ffd45e"),
    ][int(dice.random() * 5)]
    rays, sparks = "", ""
    for i in range(14):
        angle = i * 2 * math.pi / 14
        far = 7.2 if i % 2 else 5.6
        c, s = math.cos(angle), math.sin(angle)
        rays += f"M{num(c * 1.6)} {num(s * 1.6)}L{num(c * (far - 1.3))} {num(s * (far - 1.3))}"
        sparks += circle(c * far, s * far, 0.55, b)
    return pen(rays, a, 0.55) + sparks + circle(0, 0, 0.9, b)


def fountain_firework(dice: Random) -> str:
    """A fountain of sparks (a circle of 5.6 mm)."""
    a, b = [("#ffd45e", "#fff6d6"), ("#f2a7d0", "#ffd45e"), ("#8fd8f2", "#ffffff")][int(dice.random() * 3)]
    arcs = "".join(
        f"M0 2.6Q{num(x * 0.5)} {num(-6.2 + abs(x) * 0.4)} {num(x)} {num(-1.4 + abs(x) * 0.5)}"
        for x in (-4.4, -2.6, -0.9, 0.9, 2.6, 4.4)
    )
    tips = "".join(circle(x, -1.4 + abs(x) * 0.5, 0.42, b) for x in (-4.4, -2.6, -0.9, 0.9, 2.6, 4.4))
    return pen(arcs, a, 0.4) + tips + shape(polygon((-1, 5), (1, 5), (0.5, 2.4), (-0.5, 2.4)), "#ff9a8a")


def rocket(dice: Random) -> str:
    """A rocket on its way up (a circle of 5 mm)."""
    coat = pick(dice, "#ff9a8a", "#8fd8f2", "#ffd45e")
    tail = pen("M0 2.4Q-0.8 3.6 0.2 4.8M-0.8 2.4Q-1.6 3.4 -1.2 4.4M0.8 2.4Q1.5 3.4 1 4.6", "#ffe58a", 0.4)
    body = (
        shape("M-1.2 2V-2L0 -4.6L1.2 -2V2Z", coat)
        + shape(polygon((-1.2, -2), (0, -4.6), (1.2, -2)), "#ffffff")
        + pen("M-1.2 0L1.2 -1M-1.2 1.6L1.2 0.6", "#ffffff", 0.5)
    )
    return el("g", tail + body, transform="rotate(16)")


def moon(_: Random) -> str:
    """The moon with a nightcap (a circle of 10 mm)."""
    halo = circle(0, 0, 9.8, "#fff3c4", opacity=0.22)
    face = (
        circle(0, 0, 7.6, "#fff0c2")
        + circle(3.2, 3.6, 1.1, "#f5dfa6")
        + circle(-4.4, 3.2, 0.8, "#f5dfa6")
        + circle(4.6, -1.4, 0.7, "#f5dfa6")
    )
    cap = (
        shape("M-6.6 -4Q-2 -11 6 -8.4Q8.6 -7 8.4 -3.6Q6.6 -6 4.4 -5.4Q0 -4.6 -6.6 -4Z", "#8a7fe0")
        + circle(8.3, -3.2, 1.1, "#ffffff")
        + pen("M-6.6 -3.8Q0 -4.4 5 -5.2", "#ffffff", 1.3)
    )
    return (
        halo
        + face
        + cap
        + eyes(-0.4, -0.2, 4, 0.65, "#8a6a3c")
        + smile(-0.4, 1.8, 2.6, "#8a6a3c", 0.5)
        + circle(-3.8, 1.6, 0.9, "#fbc9a4")
        + circle(3, 1.6, 0.9, "#fbc9a4")
    )


def big_wheel(_: Random) -> str:
    """A big wheel with lights (a circle of 14 mm)."""
    legs = pen("M0 -1L-5.4 13M0 -1L5.4 13", "#cfd3f2", 1)
    rim = circle(0, -1, 10.4, "none", stroke="#cfd3f2", stroke_width=0.9) + circle(
        0, -1, 7, "none", stroke="#aab0e0", stroke_width=0.4
    )
    spokes = pen(
        "".join(
            f"M0 -1L{num(10.4 * math.cos(a))} {num(-1 + 10.4 * math.sin(a))}"
            for a in (i * math.pi / 5 for i in range(10))
        ),
        "#aab0e0",
        0.35,
    )
    cabins = ""
    for i in range(10):
        a = i * math.pi / 5 + 0.1
        x, y = 10.4 * math.cos(a), -1 + 10.4 * math.sin(a)
        cabins += place(
            shape("M-1.6 0H1.6Q1.5 2 0 2Q-1.5 2 -1.6 0Z", BRIGHT[i % 6])
            + shape("M-1.6 -0.2Q0 -2 1.6 -0.2Z", "#ffffff"),
            x,
            y + 0.6,
        )
    bulbs = "".join(
        circle(8.7 * math.cos(a), -1 + 8.7 * math.sin(a), 0.32, GLOW) for a in (i * math.pi / 10 for i in range(20))
    )
    return (
        ground_shadow(0, 13, 8, SHADE)
        + legs
        + spokes
        + rim
        + bulbs
        + cabins
        + circle(0, -1, 1.5, "#ffd45e")
        + place(shape(star(1.1), "#ff9a8a"), 0, -1)
    )


def circus(_: Random) -> str:
    """A circus tent (a circle of 13 mm)."""
    walls = "".join(
        shape(
            f"M{num(-10 + 2.5 * i)} 1H{num(-7.5 + 2.5 * i)}V10H{num(-10 + 2.5 * i)}Z",
            "#ff9a8a" if i % 2 == 0 else "#fff6e6",
        )
        for i in range(8)
    )
    roof = "".join(
        shape(
            f"M0 -9.4Q{num(x * 0.35)} -3 {num(x)} 1.6A{num(1.3)} 1.1 0 0 1 {num(x - 2.6)} 1.6Q{num((x - 2.6) * 0.35)} -3 0 -9.4Z",
            "#ff9a8a" if i % 2 == 0 else "#fff6e6",
        )
        for i, x in enumerate(10.4 - 2.6 * k for k in range(8))
    )
    door = (
        shape("M-2.4 10Q-2 5.4 0 3Q2 5.4 2.4 10Z", "#7c7cc2")
        + shape("M-2.4 10Q-2.2 6.6 -0.4 3.6L-3.4 10Z", "#ffd45e")
        + shape("M2.4 10Q2.2 6.6 0.4 3.6L3.4 10Z", "#ffd45e")
    )
    flag = pen("M0 -9.4V-12.4", "#f2f2ff", 0.4) + shape(polygon((0, -12.4), (3, -11.5), (0, -10.6)), "#8fd8f2")
    bulbs = "".join(circle(-9.1 + 2.6 * i, 2.2, 0.4, GLOW) for i in range(8))
    return ground_shadow(0, 10.2, 11, SHADE) + walls + roof + bulbs + door + flag


def grandstand(dice: Random) -> str:
    """A grandstand of friends who wave (a circle of 10 mm)."""
    art = (
        ground_shadow(0, 7.6, 9.4, SHADE)
        + box(-8.6, -7.6, 17.2, 1.6, "#ffd45e", rx=0.6)
        + pen("M-8 -6V7M8 -6V7", "#cfd3f2", 0.6)
    )
    art += "".join(
        shape(polygon((-8.6 + 2.15 * i, -6), (-6.45 + 2.15 * i, -6), (-7.52 + 2.15 * i, -4.6)), BRIGHT[i % 6])
        for i in range(8)
    )
    skins = ("#f6d2b0", "#d9a57c", "#b3805c", "#f3c9a0")
    for row in range(3):
        y = -2.4 + 3.2 * row
        for i in range(6):
            x = -6.6 + 2.6 * i + (0.4 if row % 2 else 0)
            coat, up = pick(dice, *BRIGHT), dice.random() < 0.4
            art += shape(
                f"M{num(x - 1.1)} {num(y + 2.4)}Q{num(x - 1)} {num(y + 0.6)} {num(x)} {num(y + 0.6)}Q{num(x + 1)} {num(y + 0.6)} {num(x + 1.1)} {num(y + 2.4)}Z",
                coat,
            )
            art += circle(x, y - 0.2, 0.9, skins[int(dice.random() * 4)])
            if up:
                art += pen(f"M{num(x + 0.8)} {num(y + 1.2)}L{num(x + 1.3)} {num(y - 1)}", coat, 0.4)
        art += box(-8.2, y + 2.2, 16.4, 1, "#8a90d0", rx=0.2)
    return art


def carousel(_: Random) -> str:
    """A merry-go-round by night (a circle of 9 mm)."""
    return merry_go_round(SHADE, "#8a90d0", "#c7b0ff")


def merry_go_round(shade: str, step: str, stripe: str) -> str:
    """A merry-go-round in the colours of its shadow, its step and its roof (a circle of 9 mm)."""
    floor = oval(0, 6.4, 7.6, 1.8, step) + oval(0, 5.9, 7.6, 1.7, "#cfd3f2")
    poles = pen("M-5 -2V5.6M0 -2V6.4M5 -2V5.6", "#ffd45e", 0.45)
    horse = shape(
        "M-1.8 1.4V-0.4Q-1.8 -1 -1 -1H0.6L1 -2.2Q2.2 -2.4 2.4 -1.2L1.8 -1Q1.6 0.4 1.2 0.4V1.4H0.6L0.4 0.4H-1L-1.2 1.4Z",
        "#ffffff",
    )
    horses = place(horse, -5, 2.6, 0.9) + place(horse, 0, 3.6, 1.05) + place(horse, 5, 2.6, 0.9)
    roof = "".join(
        shape(
            f"M0 -8Q{num(x * 0.6)} -5.4 {num(x)} -2H{num(x - 2.4)}Q{num((x - 2.4) * 0.6)} -5.4 0 -8Z",
            stripe if i % 2 == 0 else "#fff6e6",
        )
        for i, x in enumerate(7.2 - 2.4 * k for k in range(6))
    )
    rim = box(-7.6, -2.4, 15.2, 1.5, "#ffd45e", rx=0.6) + "".join(
        circle(-6.6 + 2.2 * i, -1.6, 0.4, "#ffffff") for i in range(7)
    )
    return ground_shadow(0, 7.4, 7.6, shade) + floor + poles + horses + roof + rim + circle(0, -8.3, 0.7, "#ff9a8a")


def lantern(dice: Random) -> str:
    """A paper lantern (a circle of 4.4 mm)."""
    c = pick(dice, "#ff9a8a", "#ffd45e", "#8fd8f2", "#f2a7d0", "#b8e58f")
    return (
        circle(0, 0, 4.2, c, opacity=0.22)
        + pen("M0 -4V-2.6M0 2.4V3.8", "#f2f2ff", 0.3)
        + oval(0, 0, 2.3, 2.6, c)
        + pen("M-1 -2.3Q-1.8 0 -1 2.3M1 -2.3Q1.8 0 1 2.3M0 -2.6V2.6", "#ffffff", 0.28, opacity=0.8)
        + box(-0.9, -2.9, 1.8, 0.6, "#f7e3b0", rx=0.2)
        + box(-0.9, 2.3, 1.8, 0.6, "#f7e3b0", rx=0.2)
    )


def garland(dice: Random) -> str:
    """A string of flags (a circle of 7 mm)."""
    art = pen("M-6.8 -1.6Q0 2.4 6.8 -1.6", "#f2f2ff", 0.35)
    shift = int(dice.random() * 6)
    for i in range(6):
        x = -5.4 + 2.16 * i
        y = 0.42 - 0.043 * x * x
        art += shape(polygon((x - 0.9, y), (x + 0.9, y), (x, y + 2.3)), BRIGHT[(i + shift) % 6])
    return art


def owl(_: Random) -> str:
    """An owl with a whistle (a circle of 4.8 mm)."""
    body = shape(
        "M-2.6 -3.4L-1.4 -2.7H1.4L2.6 -3.4Q3.2 -0.4 2.6 1.8Q1.8 3.8 0 3.8Q-1.8 3.8 -2.6 1.8Q-3.2 -0.4 -2.6 -3.4Z",
        "#b3a4e6",
    ) + oval(0, 1.6, 1.5, 1.8, "#ece6fb")
    look = "".join(
        circle(x, -1.2, 1.2, "#fffbea") + circle(x, -1.2, 0.6, "#40407a") + circle(x + 0.2, -1.4, 0.2, "#ffffff")
        for x in (-1.15, 1.15)
    )
    feet = pen("M-0.9 3.8V4.6M0.9 3.8V4.6", "#f2a24f", 0.45)
    return (
        feet
        + body
        + look
        + shape(polygon((-0.4, -0.7), (0.4, -0.7), (0, 0.1)), "#f2a24f")
        + pen("M-1.6 0.4Q0 2.4 1.4 1.2", "#ff9a8a", 0.3)
        + circle(1.6, 1.4, 0.6, "#ffd45e")
    )


def bat(_: Random) -> str:
    """A friendly bat (a circle of 3.8 mm)."""
    wings = shape(
        "M-3.6 -1Q-2.2 -1.8 -0.8 -0.4Q0 -0.8 0.8 -0.4Q2.2 -1.8 3.6 -1Q3.4 0.4 3 1Q2.2 0.2 1.6 1Q0.8 0.6 0 1.6Q-0.8 0.6 -1.6 1Q-2.2 0.2 -3 1Q-3.4 0.4 -3.6 -1Z",
        INK,
    )
    return (
        wings
        + circle(0, -0.4, 1.1, INK)
        + shape(polygon((-0.9, -0.9), (-0.8, -2), (-0.1, -1.3)), INK)
        + shape(polygon((0.9, -0.9), (0.8, -2), (0.1, -1.3)), INK)
        + circle(-0.4, -0.5, 0.26, "#fff6c9")
        + circle(0.4, -0.5, 0.26, "#fff6c9")
    )


def cup(_: Random) -> str:
    """The cup that is raced for (a circle of 6 mm)."""
    shine = circle(0, -0.6, 5.8, "#fff3c4", opacity=0.25)
    bowl = shape("M-2.8 -4.4H2.8Q2.8 0.4 0 1Q-2.8 0.4 -2.8 -4.4Z", "#ffd45e") + pen(
        "M-2.7 -3.6Q-5 -3.8 -4.4 -1.8Q-3.8 -0.4 -2 -0.4M2.7 -3.6Q5 -3.8 4.4 -1.8Q3.8 -0.4 2 -0.4", "#f2b93a", 0.6
    )
    foot = (
        box(-0.5, 0.8, 1, 2, "#f2b93a")
        + box(-2, 2.6, 4, 0.9, "#f2b93a", rx=0.3)
        + box(-2.6, 3.4, 5.2, 1.5, "#8a5f4c", rx=0.3)
    )
    return shine + bowl + foot + place(shape(star(1.4), "#ffffff"), 0, -2)


def lamp(_: Random) -> str:
    """A lamp and its moths (a circle of 5.2 mm)."""
    return (
        circle(0, -3, 3.2, "#fff3c4", opacity=0.4)
        + pen("M0 4.8V-2", "#cfd3f2", 0.6)
        + box(-1.2, 4.2, 2.4, 0.9, "#cfd3f2", rx=0.3)
        + circle(0, -3, 1.4, GLOW)
        + shape("M-1.6 -3.6Q0 -5.6 1.6 -3.6Z", "#cfd3f2")
        + circle(2.4, -4, 0.3, "#ffffff")
        + circle(-2.3, -2, 0.25, "#ffffff")
    )


def balloons(_: Random) -> str:
    """Balloons (a circle of 5.6 mm)."""
    art = pen("M-2 -2.4L0 4.8M0 -3.6V4.8M2 -2.2L0 4.8", "#f2f2ff", 0.22)
    for x, y, c in ((-2.2, -2.6, "#ff9a8a"), (2.2, -2.4, "#8fd8f2"), (0, -3.8, "#ffd45e")):
        art += oval(x, y, 1.5, 1.8, c) + oval(x - 0.5, y - 0.6, 0.35, 0.5, "#ffffff", opacity=0.7)
    return art


def fireflies(dice: Random) -> str:
    """Fireflies (a circle of 2.4 mm)."""
    spots = ((-1.2, 0.2, 0.5), (0.9, -0.9, 0.42), (0.6, 1.2, 0.38))
    glow = pick(dice, "#f3f7a0", "#ffe58a")
    return "".join(circle(x, y, r * 2.1, glow, opacity=0.3) + circle(x, y, r, glow) for x, y, r in spots)


def ribbon(dice: Random) -> str:
    """A paper streamer (a circle of 5 mm): blue, violet, yellow or white, and no line of the race."""
    return pen("M-4.6 0.8Q-3.2 -2.2 -1.6 0T1.6 0T4.6 -1", pick(dice, "#6fb6ff", "#c79bff", "#ffd45e", "#ffffff"), 1.0)


def comet(_: Random) -> str:
    """A comet (a circle of 4.8 mm)."""
    return pen("M-4.4 2.8L0.6 -0.4M-4 0.8L0.4 -1.6M-2.8 3.8L1.4 0.4", "#fff3c4", 0.45) + place(
        shape(star(2), "#ffe58a"), 2.2, -1.6, turn=-18
    )


def cloud(_: Random) -> str:
    """A night cloud, asleep (a circle of 7 mm)."""
    bumps = [
        (-4, 0.6, 2.3),
        (-1.4, -1, 3),
        (2.2, -0.5, 2.7),
        (4.3, 0.9, 1.9),
        (0, 1.1, 2.3),
        (-2.2, 1.2, 2),
        (2.4, 1.2, 2),
    ]
    return (
        puffs([(x, y + 0.7, r) for x, y, r in bumps], "#8f8fcc")
        + puffs(bumps, "#b5b6e4")
        + pen("M-1.8 0.2Q-1.3 0.7 -0.8 0.2M0.8 0.2Q1.3 0.7 1.8 0.2M-0.3 1.2Q0 1.5 0.3 1.2", "#5f649c", 0.32)
    )


KIT = Kit(
    road="#b6b7c9", verge="#dcdaf0", kerb="#8d8fc0", dash="#ece6d6", deck="#c9c3d6",
    ground=ground, verge_dots=verge_dots, ground_dots=ground_dots, sign=sign,
    pieces={
        "big_wheel": Piece(big_wheel, 14, 0), "circus": Piece(circus, 13, 0, flips=False), "moon": Piece(moon, 10, 0, flips=False),
        "grandstand": Piece(grandstand, 10, 0.6, 120, flips=False), "carousel": Piece(carousel, 9, 0.4, 140), "cup": Piece(cup, 6, 0.4, 140),
        "firework": Piece(firework, 8, 4, 26), "cloud": Piece(cloud, 7, 1.6, 50, flips=False), "garland": Piece(garland, 7, 1.4, 46),
        "fountain_firework": Piece(fountain_firework, 5.6, 1.2, 50), "balloons": Piece(balloons, 5.6, 0.9, 60), "lamp": Piece(lamp, 5.2, 0.9, 50),
        "rocket": Piece(rocket, 5, 1.2, 44), "ribbon": Piece(ribbon, 5, 0.9, 56), "owl": Piece(owl, 4.8, 0.7, 80), "comet": Piece(comet, 4.8, 0.7, 60),
        "lantern": Piece(lantern, 4.4, 2.6, 20), "bat": Piece(bat, 3.8, 1.2, 40), "fireflies": Piece(fireflies, 2.4, 2.4, 16),
    },
)  # fmt: skip
