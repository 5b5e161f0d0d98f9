# ruff: noqa: E501 - a drawing reads better with each shape on one line
"""The storm: clouds that puff, bolts, umbrellas that fly, a lighthouse and a wet sheep."""

from __future__ import annotations

from random import Random

from ..lettering import write
from ..scenery import Kit, Piece
from ..svg import box, circle, el, group, num, oval, pen, place, shape
from .common import between, eyes, ground_shadow, pick, polygon, puffs, smile, soft_blob

SHADE = "#7f96a0"
CLOUD, CLOUD_DARK, CLOUD_LIGHT = "#7f8ba8", "#6b7795", "#96a2bd"
BOLT = "#ffd54a"


def ground(dice: Random) -> str:
    """Wet meadows under a grey sky, combed by the wind, with slanting rain."""
    fields = [
        place(
            shape(
                soft_blob(dice, between(dice, 16, 38), 0.5),
                pick(dice, "#8faaa6", "#9ab4ab", "#86a1a8", "#a2b9b4"),
                opacity=0.7,
            ),
            dice.random() * 297,
            dice.random() * 210,
        )
        for _ in range(44)
    ]
    combed = []
    for _ in range(70):
        x, y, w = dice.random() * 297, dice.random() * 210, between(dice, 8, 20)
        combed.append(
            pen(f"M{num(x)} {num(y)}q{num(w / 2)} {num(-between(dice, 1, 3))} {num(w)} 0", "#b4c7c6", 0.5, opacity=0.7)
        )
    rain = "".join(
        f"M{num(x)} {num(y)}l{num(-2.2)} {num(5.4)}"
        for x, y in ((dice.random() * 305, dice.random() * 210) for _ in range(420))
    )
    return group(
        [box(0, 0, 297, 210, "#94aeae"), *fields, *combed, pen(rain, "#d3e2ea", 0.28, opacity=0.75)], data_kind="art"
    )


def ground_dots(dice: Random) -> str:
    """A drop that splashes, a blade bent by the wind."""
    if dice.random() < 0.5:
        return pen("M-1.1 0Q0 0.7 1.1 0M-0.5 -0.4L-0.9 -1M0.5 -0.4L0.9 -1", "#cfe1ea", 0.28)
    return pen("M-0.9 0.5Q-0.4 -0.6 0.8 -0.8M0 0.6Q0.4 -0.3 1.4 -0.4", pick(dice, "#7d9c8c", "#88a596"), 0.32)


def verge_dots(dice: Random) -> str:
    """A drop on the wet verge."""
    if dice.random() < 0.5:
        return shape("M0 -0.9Q0.7 0.1 0.5 0.5A0.55 0.55 0 0 1 -0.5 0.5Q-0.7 0.1 0 -0.9Z", "#bccad6")
    return pen("M-1 0Q0 0.6 1 0", "#bcc9d2", 0.3)


def sign(number: int, name: str) -> str:
    """A plate that hangs from a thundercloud."""
    cloud = puffs([(-13, -7, 5), (-6, -9.4, 5.6), (2, -10, 6), (9.6, -8.6, 5.2), (14.6, -6.4, 4)], CLOUD)
    ropes = pen("M-14 -5V0M14 -5V0", "#5c6784", 0.5)
    plate = box(-18, -1.6, 36, 9.6, "#fff6d6", rx=1.6) + el(
        "rect", x=-17.3, y=-0.9, width=34.6, height=8.2, rx=1.2, fill="none", stroke="#d9b24a", stroke_width=0.6
    )
    bolts = place(shape(_BOLT, BOLT), -12.4, -6.6, 0.8) + place(shape(_BOLT, BOLT), 12, -6.8, 0.7)
    return (
        ropes
        + cloud
        + bolts
        + plate
        + write(str(number), 0, -7.6, 6.6, "#ffffff", 1.35)
        + write(name, 0, 3.3, 3, "#5c6784", 1.25)
    )


_BOLT = "M0.8 -4.6L-2.6 0.6H-0.4L-1.6 4.6L2.8 -1.2H0.4L2 -4.6Z"


def thundercloud(dice: Random) -> str:
    """A cloud that puffs its cheeks, or one that is cross (a circle of 9 mm)."""
    bumps = [
        (-5, -0.6, 3),
        (-1.8, -3, 3.9),
        (2.8, -2.2, 3.5),
        (5.4, 0, 2.6),
        (0, 0.4, 3),
        (-3, 0.6, 2.6),
        (3, 0.6, 2.6),
    ]
    art = (
        puffs([(x, y + 0.9, r) for x, y, r in bumps], CLOUD_DARK)
        + puffs(bumps, CLOUD)
        + puffs([(-2.4, -4, 1.5), (2.2, -3.6, 1.2)], CLOUD_LIGHT)
    )
    bolt = place(shape(_BOLT, BOLT), -0.4, 6.2, 0.8)
    drops = "".join(
        shape(
            "M0 -1Q0.8 0.2 0.6 0.7A0.65 0.65 0 0 1 -0.6 0.7Q-0.8 0.2 0 -1Z", "#9fd2ee", transform=f"translate({x} {y})"
        )
        for x, y in ((-3.8, 5.6), (3.4, 5.4), (5, 7.4), (-2.4, 8))
    )
    if dice.random() < 0.5:
        brows = pen("M-2.6 -2.1L-1 -1.5M2.6 -2.1L1 -1.5", "#4c5570", 0.45)
        return bolt + drops + art + brows + eyes(0, -0.7, 3, 0.5, "#3f4860") + smile(0, 1, 1.4, "#3f4860", 0.4)
    blow = circle(-2.6, 0.8, 0.9, "#a9a3bd") + circle(2.6, 0.8, 0.9, "#a9a3bd") + circle(0, 1.2, 0.55, "#3f4860")
    return bolt + drops + art + eyes(0, -0.9, 3, 0.5, "#3f4860") + blow


def bolt(_: Random) -> str:
    """A bolt of lightning (a circle of 5 mm): yellow, and no zone of the race."""
    return place(shape(_BOLT, BOLT, stroke="#f2b632", stroke_width=0.4, stroke_linejoin="round"), 0, 0, 1.05)


def umbrella(dice: Random) -> str:
    """An umbrella that has flown away (a circle of 5 mm)."""
    a, b = [("#ee7f74", "#fff3e2"), ("#4f9df0", "#ffffff"), ("#a97be0", "#f2e6fb"), ("#f2b93a", "#fff8df")][
        int(dice.random() * 4)
    ]
    top = shape("M-4.4 0A4.4 4.2 0 0 1 4.4 0Q3.3 -0.9 2.2 0Q1.1 -0.9 0 0Q-1.1 -0.9 -2.2 0Q-3.3 -0.9 -4.4 0Z", a)
    gore = shape("M-2.2 0Q-2 -3 0 -4.2Q2 -3 2.2 0Q1.1 -0.9 0 0Q-1.1 -0.9 -2.2 0Z", b)
    stick = pen("M0 -4.2V-4.9M0 0V3.6Q0 4.6 0.9 4.6Q1.7 4.5 1.7 3.7", "#8a7468", 0.45)
    return el("g", stick + top + gore, transform=f"rotate({num(between(dice, -38, 38))})")


def walker(dice: Random) -> str:
    """A child in a raincoat behind an umbrella (a circle of 5.6 mm)."""
    coat, shade = [("#f6c531", "#ee7f74"), ("#ee7f74", "#4f9df0"), ("#7fc48f", "#a97be0")][int(dice.random() * 3)]
    art = (
        ground_shadow(0, 5, 2.8, SHADE)
        + box(-1.3, 3, 1, 1.9, "#5f97d6", rx=0.3)
        + box(0.3, 3, 1, 1.9, "#5f97d6", rx=0.3)
    )
    art += (
        shape("M-2 3.4Q-1.8 0.2 0 0.2Q1.8 0.2 2 3.4Z", coat)
        + circle(0, -0.9, 1.5, "#f6d2b0")
        + shape("M-1.7 -0.7A1.7 1.75 0 0 1 1.7 -0.7Q0 -1.6 -1.7 -0.7Z", coat)
    )
    art += eyes(0, -0.7, 1, 0.2) + smile(0, -0.3, 0.7, weight=0.2)
    top = shape("M-3.6 -2.6A3.6 3.2 0 0 1 3.6 -2.6Q2.4 -3.2 1.2 -2.6Q0 -3.2 -1.2 -2.6Q-2.4 -3.2 -3.6 -2.6Z", shade)
    return art + el("g", pen("M1.6 1.6V-3", "#8a7468", 0.35) + place(top, 1.2, 0), transform="rotate(10)")


def boots(dice: Random) -> str:
    """Rubber boots in a puddle (a circle of 3.8 mm)."""
    colour = pick(dice, "#ee7f74", "#f6c531", "#5f97d6", "#7fc48f")
    boot = shape("M-0.9 -2.2H0.7V0.4Q2.2 0.6 2.1 1.7H-0.9Z", colour) + box(-1.1, -2.6, 2, 0.7, "#fff8ef", rx=0.2)
    return (
        oval(0, 1.7, 3.6, 1.1, "#8fc7e6")
        + place(boot, -1.2, -0.2, 0.9)
        + place(boot, 1.1, 0.2, 0.9)
        + pen("M-2.8 2q0.8 -0.5 1.6 0M1.2 2.2q0.8 -0.5 1.6 0", "#dff1fa", 0.28)
    )


def bent_tree(dice: Random) -> str:
    """A tree that the wind leans on (a circle of 7.4 mm)."""
    leaf, light = [("#6f9f80", "#8db79a"), ("#7aa36c", "#98bd88"), ("#5f9390", "#7fb0aa")][int(dice.random() * 3)]
    trunk = shape("M-3.4 7Q-2.6 2 0.6 -0.6L1.6 0.2Q-1 3 -1.6 7Q-2.6 7.3 -3.4 7Z", "#96785f")
    bumps = [(0.4, -1.6, 2.4), (2.8, -1.2, 2.4), (4.8, 0, 1.9), (2, -3.6, 2.4), (4.4, -2.8, 2), (6, -1.4, 1.3)]
    leaves = "".join(oval(x, y, 0.7, 0.35, leaf) for x, y in ((7, -3.6), (6.8, 1.6), (5.4, -5)))
    return place(
        ground_shadow(-2, 7, 3, SHADE)
        + trunk
        + puffs(bumps, leaf)
        + puffs([(1.4, -3.8, 1.1), (3.6, -3.6, 0.9), (0.2, -2, 0.8)], light)
        + leaves,
        -1,
        0,
    )


def windmill(_: Random) -> str:
    """A windmill that has never gone so fast (a circle of 12 mm)."""
    body = shape("M-3.4 11L-2.2 -2.6H2.2L3.4 11Q0 12 -3.4 11Z", "#f3ead9") + shape(
        "M0.6 -2.6H2.2L3.4 11Q2 11.5 1.2 11.6Z", "#e0d4be"
    )
    cap = (
        shape("M-2.7 -2.6Q-2.6 -5.4 0 -5.4Q2.6 -5.4 2.7 -2.6Z", "#d9796a")
        + box(-1.1, 7.4, 2.2, 4, "#9a7654", rx=1)
        + box(-0.7, 1.6, 1.4, 1.6, "#9fd2ee", rx=0.3)
    )
    sails = ""
    for i in range(4):
        vane = (
            pen("M0 0V-8.4", "#9a7654", 0.45)
            + box(0.3, -8.2, 2.1, 6, "#fffaf0", rx=0.2)
            + pen("M0.3 -6.7H2.4M0.3 -5.2H2.4M0.3 -3.7H2.4M1.35 -8.2V-2.2", "#cfc2ad", 0.2)
        )
        sails += el("g", vane, transform=f"translate(0 -3) rotate({18 + 90 * i})")
    whirl = pen("M-8.4 -6.6A9.2 9.2 0 0 1 -4.6 -11M8.4 0.6A9.2 9.2 0 0 1 4.6 5", "#e6f0f5", 0.5)
    return ground_shadow(0, 11.2, 5.6, SHADE) + body + cap + sails + circle(0, -3, 0.8, "#9a7654") + whirl


def lighthouse(_: Random) -> str:
    """A lighthouse on its rock, with the light on (a circle of 14 mm)."""
    beam = shape("M0 -8.6L-13.6 -12.4V-4.6Z", "#fff3b8", opacity=0.75) + shape(
        "M0 -8.6L13.6 -12.4V-4.6Z", "#fff3b8", opacity=0.75
    )
    rock = shape(
        "M-9.6 13Q-9 9.6 -5.6 9.8Q-3.4 7.8 0 8.4Q4 7.6 5.6 9.8Q9 9.6 9.8 13Q0 14.6 -9.6 13Z", "#8b93a6"
    ) + shape("M-5.6 9.8Q-3.4 7.8 0 8.4L-2 11.4Z", "#a1a9bb")
    sea = pen("M-12 13q1.6 -1.4 3.2 0t3.2 0t3.2 0t3.2 0t3.2 0t3.2 0t3.2 0", "#dff1fa", 0.7)
    tower = shape("M-3.2 10L-2.2 -5.6H2.2L3.2 10Q0 10.8 -3.2 10Z", "#fffaf0")
    for k in (0, 1, 2):
        y = -3.6 + 4.8 * k
        a, b = 2.2 + (y + 5.6) * 0.064, 2.2 + (y + 8) * 0.064
        tower += shape(polygon((-a, y), (a, y), (b, y + 2.4), (-b, y + 2.4)), "#ea6f5e")
    lamp = (
        box(-2.9, -6.4, 5.8, 1, "#5c6784", rx=0.3)
        + box(-1.6, -9.8, 3.2, 3.4, "#ffe27a", rx=0.4)
        + pen("M-1.6 -9.8V-6.4M0 -9.8V-6.4M1.6 -9.8V-6.4", "#5c6784", 0.3)
    )
    roof = shape("M-2.4 -9.8Q0 -13.4 2.4 -9.8Z", "#ea6f5e") + circle(0, -12.2, 0.5, "#5c6784")
    return beam + rock + tower + lamp + roof + box(-0.9, 7, 1.8, 3, "#9a7654", rx=0.8) + sea


def washing(_: Random) -> str:
    """Washing that would like to leave (a circle of 7.4 mm)."""
    posts = pen("M-6.6 5V-3.4M6.6 5V-3.4", "#96785f", 0.7) + pen("M-6.6 -3Q0 -1.4 6.6 -3", "#f2f2f2", 0.3)
    shirt = shape(
        "M-4.8 -2.3L-1.8 -1.8Q-0.8 0.4 -0.2 0.2L-0.6 1.4L-1.2 1.2Q-0.4 3.4 0.6 4L-2.2 4.4Q-3.6 2.6 -4 0.6L-4.8 0.8Z",
        "#5f97d6",
    )
    sock = shape("M-0.6 -1.6L0.6 -1.7Q1 0.4 2.4 1.2Q2 2.2 1 1.8Q-0.2 1 -0.6 -1.6Z", "#ffffff") + pen(
        "M-0.4 -0.8H0.8", "#ee7f74", 0.5
    )
    trousers = shape("M2.4 -1.9L5.2 -2.6Q6 0.6 7.2 2.6L5.6 3.2L4.4 0.6L4.8 3.6L3.2 3.8Q2.6 1 2.4 -1.9Z", "#ee9a6a")
    return ground_shadow(0, 5.2, 6.6, SHADE) + posts + shirt + place(sock, 0.8, 0) + trousers


def sheep(_: Random) -> str:
    """A sheep that waits for better weather (a circle of 4.6 mm)."""
    wool = puffs([(-2, 0.2, 1.6), (0, -0.6, 1.8), (1.8, 0.2, 1.6), (-0.8, 1.2, 1.5), (1, 1.2, 1.5)], "#f7f3ea")
    legs = box(-1.8, 2, 0.7, 1.8, "#5a5560", rx=0.2) + box(1.2, 2, 0.7, 1.8, "#5a5560", rx=0.2)
    head = (
        oval(-3, -0.4, 1.1, 1.3, "#6b6470")
        + circle(-3.3, -0.7, 0.25, "#ffffff")
        + oval(-2.1, -1.1, 0.7, 0.35, "#6b6470")
    )
    hat = shape("M-4.4 -1.5Q-3 -3.8 -1.6 -1.5Q-3 -1 -4.4 -1.5Z", "#f6c531")
    return ground_shadow(-0.2, 3.8, 3.6, SHADE) + legs + wool + head + hat


def duck(_: Random) -> str:
    """A duck that likes this (a circle of 4 mm)."""
    pool = oval(0, 2, 3.8, 1.4, "#8fc7e6") + pen("M-2.6 2.4Q0 3.2 2.6 2.4", "#dff1fa", 0.3)
    body = shape(
        "M-2.6 0.6Q-3.3 -0.8 -3 -1.2Q-2 -0.4 -0.6 -0.5Q0.6 -0.6 0.8 -1.6Q2.4 0 1.6 1.4Q0.6 2.2 -0.8 2.2Q-2.3 2 -2.6 0.6Z",
        "#ffdf73",
    )
    head = (
        circle(1.1, -2, 1.25, "#ffdf73")
        + shape("M2.1 -2.2Q3.4 -2.1 3.4 -1.6Q2.8 -1.3 2 -1.5Z", "#f79a54")
        + circle(1.5, -2.3, 0.25, "#4b4038")
    )
    return pool + body + head + shape("M-0.3 -2.4Q1 -4 2.5 -2.5Q1 -2.9 -0.3 -2.4Z", "#ee7f74")


def swirl(_: Random) -> str:
    """The wind itself (a circle of 5.6 mm): white, and no line of the race."""
    return pen(
        "M-5 1.6H2.6Q5 1.4 4.8 -0.8Q4.2 -2.6 2.6 -1.9Q1.6 -1 2.6 -0.2M-4 3.4H0.6Q2.2 3.6 1.8 4.9M-3.4 -0.4H0Q1.4 -0.8 0.8 -2.4Q0 -3.4 -1 -2.6",
        "#ffffff",
        0.8,
    )


def kite(dice: Random) -> str:
    """A kite with its string gone (a circle of 5.6 mm)."""
    a, b = [("#f2b93a", "#ee7f74"), ("#4f9df0", "#ffffff"), ("#a97be0", "#ffd54a")][int(dice.random() * 3)]
    sail = (
        shape(polygon((0, -3.6), (2.6, -0.6), (0, 3), (-2.6, -0.6)), a)
        + shape(polygon((0, -3.6), (2.6, -0.6), (0, -0.6)), b)
        + shape(polygon((0, 3), (-2.6, -0.6), (0, -0.6)), b)
    )
    return el("g", sail + pen("M0 3Q1.6 4 0.4 5.4", "#f2f2f2", 0.3), transform=f"rotate({num(between(dice, -50, 50))})")


def hat(dice: Random) -> str:
    """A hat on the wing (a circle of 2.8 mm)."""
    felt, band = [("#b98a6b", "#ee7f74"), ("#5c6784", "#f6c531"), ("#d9b36a", "#5f97d6")][int(dice.random() * 3)]
    return el(
        "g",
        oval(0, 0.8, 2.6, 0.7, felt)
        + shape("M-1.4 0.7Q-1.5 -1.6 0 -1.5Q1.5 -1.6 1.4 0.7Z", felt)
        + box(-1.4, -0.1, 2.8, 0.7, band),
        transform=f"rotate({num(between(dice, -30, 30))})",
    )


def puddle(dice: Random) -> str:
    """A puddle with rings (a circle of 4.4 mm): blue or violet, and no oil."""
    water, ring = [("#8fc7e6", "#c8e6f5"), ("#a99be0", "#d0c8f2")][int(dice.random() * 1.5)]
    return (
        shape(soft_blob(dice, 4.2, 0.5), water)
        + oval(-0.6, 0, 1.6, 0.7, "none", stroke=ring, stroke_width=0.3)
        + oval(1.4, 0.4, 0.9, 0.4, "none", stroke=ring, stroke_width=0.25)
        + circle(-0.6, -0.8, 0.25, "#ffffff")
    )


def boat(dice: Random) -> str:
    """A sailing boat on a wave (a circle of 6.6 mm)."""
    sail = pick(dice, "#ffffff", "#f6c531", "#ee9a8e")
    wave = shape("M-6.4 4Q-3.6 0.6 0 2.4Q3 4 6.4 1.6V4.6Q0 6.6 -6.4 4.6Z", "#7fb4d6") + pen(
        "M-5.6 3.4Q-3.4 1.2 0 2.8Q3 4.2 5.8 2.4", "#dff1fa", 0.5
    )
    hull = shape("M-3.8 0.4H3.4L2.4 2.8Q-1 3.4 -3 2.2Z", "#b5663f") + box(-3.9, 0.1, 7.4, 0.6, "#fff3e2", rx=0.2)
    rig = (
        pen("M-0.3 0.2V-6", "#8a7468", 0.4)
        + shape("M0 -5.8Q3.6 -3 3.2 -0.6H0Z", sail)
        + shape("M-0.7 -5L-3 -0.6H-0.7Z", sail)
    )
    return el("g", hull + rig, transform="rotate(-10)") + wave


def cottage(dice: Random) -> str:
    """A cottage with lamplight in its windows (a circle of 8.6 mm)."""
    roof = pick(dice, "#b5736a", "#6f86b0", "#8a7ab0")
    art = ground_shadow(0, 7, 7.4, SHADE) + box(-5.6, -1.6, 11.2, 8.6, "#f3ead9") + box(3, -7, 1.9, 4, "#b98a6b")
    art += shape(polygon((-7, -1.2), (-3.6, -7), (3.6, -7), (7, -1.2)), roof) + pen(
        "M-5.4 -3H5.4M-4.6 -5H4.6", "#ffffff", 0.25, opacity=0.5
    )
    art += "".join(
        box(x, 0.8, 2.4, 2.4, "#ffe27a", rx=0.2)
        + pen(f"M{num(x + 1.2)} 0.8V3.2M{num(x)} 2H{num(x + 2.4)}", "#b98a6b", 0.25)
        for x in (-4.4, 2)
    )
    return art + box(-1.2, 2.4, 2.4, 4.6, "#9a7654", rx=1.1) + pen("M4 -7.6Q6 -8.4 8 -8", "#e6edf2", 0.8)


def hen(_: Random) -> str:
    """A weathercock (a circle of 5 mm)."""
    post = pen("M0 4.8V-1M-2.8 2.2H2.8", "#5c6784", 0.45) + circle(0, -0.8, 0.5, "#5c6784")
    bird = shape(
        "M-2.8 -3.6Q-2 -1.6 0.2 -1.8Q1.6 -1.8 1.8 -3.6L3.2 -3.2L2.6 -4.4Q2.2 -5 1.6 -4.4Q0.8 -2.8 -0.4 -3Q-1.4 -3 -1.8 -4.4Q-3 -4.6 -2.8 -3.6Z",
        "#f2b93a",
    ) + circle(2.1, -4.1, 0.16, "#40404f")
    return ground_shadow(0, 4.8, 2, SHADE) + post + bird


def drops(_: Random) -> str:
    """Three fat drops (a circle of 2.4 mm)."""
    drop = "M0 -1.2Q1 0.2 0.7 0.8A0.8 0.8 0 0 1 -0.7 0.8Q-1 0.2 0 -1.2Z"
    return "".join(
        place(shape(drop, "#aedcf2"), x, y, k) for x, y, k in ((-1.2, -0.4, 1), (0.9, -0.9, 0.8), (0.6, 1.3, 0.9))
    )


KIT = Kit(
    road="#b4b8c4", verge="#dbe2e6", kerb="#8f9fae", dash="#e6e8ea", deck="#c6cbd2",
    ground=ground, verge_dots=verge_dots, ground_dots=ground_dots, sign=sign,
    pieces={
        "lighthouse": Piece(lighthouse, 14, 0), "windmill": Piece(windmill, 12, 0), "thundercloud": Piece(thundercloud, 8.8, 4, 30, flips=False),
        "cottage": Piece(cottage, 8.6, 1.6, 44), "bent_tree": Piece(bent_tree, 7.4, 4, 16, flips=False), "washing": Piece(washing, 7.4, 0.9, 90),
        "boat": Piece(boat, 6.6, 0.7, 90), "walker": Piece(walker, 5.6, 1.6, 40), "swirl": Piece(swirl, 5.6, 1.6, 36, flips=False),
        "kite": Piece(kite, 5.6, 0.7, 80), "umbrella": Piece(umbrella, 5, 2.4, 28), "bolt": Piece(bolt, 4.8, 1.2, 36), "hen": Piece(hen, 5, 0.5, 100),
        "sheep": Piece(sheep, 4.6, 1.6, 26), "puddle": Piece(puddle, 4.4, 1.6, 28), "duck": Piece(duck, 4, 1, 46), "boots": Piece(boots, 3.8, 1, 46),
        "hat": Piece(hat, 2.8, 0.9, 44), "drops": Piece(drops, 2.4, 2, 14),
    },
)  # fmt: skip
