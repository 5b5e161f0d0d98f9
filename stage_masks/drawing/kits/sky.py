# ruff: noqa: E501 - a drawing reads better with each shape on one line
"""The sky: balloons, floating islands, a whale that flies and clouds that smile."""

from __future__ import annotations

from random import Random

from ..lettering import write
from ..markings import star
from ..scenery import Kit, Piece
from ..svg import box, circle, el, group, num, oval, pen, place, shape
from .common import between, eyes, pick, polygon, puffs, smile


def ground(dice: Random) -> str:
    """Blue that grows rosy towards the bottom, with veils of cloud."""
    stops = "".join(
        el("stop", offset=o, stop_color=c)
        for o, c in ((0, "#86c5f2"), (0.5, "#b5dcf8"), (0.8, "#e9dcf0"), (1, "#fbd3c9"))
    )
    defs = el("defs", el("linearGradient", stops, id="sky", x1=0, y1=0, x2=0, y2=1))
    veils = [
        oval(
            dice.random() * 297,
            dice.random() * 210,
            between(dice, 20, 46),
            between(dice, 2, 4.5),
            "#ffffff",
            opacity=0.3,
        )
        for _ in range(24)
    ]
    banks = "".join(
        _disc(x + k * px, y + k * py, k * r)
        for x, y, k in (
            (6, 216, 1.5),
            (64, 220, 1.3),
            (122, 218, 1.4),
            (182, 221, 1.4),
            (240, 218, 1.3),
            (296, 216, 1.5),
        )
        for px, py, r in ((-16, 4, 9), (-6, -2, 12), (7, 0, 11), (17, 5, 8), (0, 7, 12))
    )
    return group(
        [defs, box(0, 0, 297, 210, "url(#sky)"), *veils, shape(banks, "#ffffff", opacity=0.5)], data_kind="art"
    )


def _disc(x: float, y: float, r: float) -> str:
    """Path data of a disc: many in one path let the ground shine through evenly."""
    return f"M{num(x - r)} {num(y)}a{num(r)} {num(r)} 0 1 0 {num(2 * r)} 0a{num(r)} {num(r)} 0 1 0 {num(-2 * r)} 0Z"


def ground_dots(dice: Random) -> str:
    """A twinkle, or a wisp."""
    if dice.random() < 0.35:
        return shape("M0 -1.1L0.25 -0.25L1.1 0L0.25 0.25L0 1.1L-0.25 0.25L-1.1 0L-0.25 -0.25Z", "#ffffff", opacity=0.85)
    w = between(dice, 1.2, 3.4)
    return pen(f"M{num(-w)} 0H{num(w)}", "#ffffff", 0.4, opacity=0.4)


def verge_dots(dice: Random) -> str:
    """A wisp of cloud."""
    w = between(dice, 1.2, 2.2)
    return pen(f"M{num(-w)} 0Q0 -0.9 {num(w)} 0", "#dbe6f8", 0.5)


def sign(number: int, name: str) -> str:
    """A banner on a cloud."""
    cloud = puffs(
        [(-14, 2, 6), (-7, -3, 7.5), (2, -5, 8), (10, -2, 7.4), (15, 3, 5.4), (-4, 4, 7), (6, 4, 7)], "#ffffff"
    )
    ribbon = (
        shape("M-19 0.6L-14.5 2V8L-19 9.2L-17 5Z", "#f2a7b8")
        + shape("M19 0.6L14.5 2V8L19 9.2L17 5Z", "#f2a7b8")
        + box(-15.6, 0, 31.2, 7.2, "#f7bccb", rx=1)
    )
    return cloud + ribbon + write(str(number), 0, -5, 7, "#7f8fc9", 1.3) + write(name, 0, 3.6, 2.9, "#8a5a7c", 1.2)


def cloud(dice: Random) -> str:
    """A cloud; some smile (a circle of 8 mm)."""
    bumps = [
        (-4.6, 0.8, 2.7),
        (-1.6, -1.2, 3.6),
        (2.6, -0.6, 3.1),
        (5, 1.2, 2.2),
        (0, 1.4, 2.8),
        (-2.6, 1.5, 2.4),
        (2.8, 1.5, 2.4),
    ]
    art = puffs([(x, y + 0.8, r) for x, y, r in bumps], "#dfe8f7") + puffs(bumps, "#ffffff")
    if dice.random() < 0.55:
        cheeks = circle(-2.2, 1, 0.6, "#fbd3dc") + circle(2.2, 1, 0.6, "#fbd3dc")
        art += cheeks + eyes(0, 0, 2.6, 0.42, "#6f7fa6") + smile(0, 0.7, 1.4, "#6f7fa6")
    return art


def cloudlet(_: Random) -> str:
    """A puff (a circle of 3.4 mm)."""
    return puffs([(-1.5, 0.4, 1.3), (0.2, -0.4, 1.7), (1.7, 0.5, 1.1), (0, 0.7, 1.2)], "#ffffff")


def balloon(dice: Random) -> str:
    """A hot-air balloon with a basket (a circle of 11 mm)."""
    a, b = [
        ("#f5a08f", "#fff1d6"),
        ("#f7cf6b", "#fff8ef"),
        ("#93c8ec", "#ffffff"),
        ("#b9a3e6", "#fbe6f2"),
        ("#8fd2b8", "#fff8df"),
    ][int(dice.random() * 5)]
    hull = shape("M-7 -3.4A7 7.2 0 0 1 7 -3.4Q6.6 1 2 5.2H-2Q-6.6 1 -7 -3.4Z", a)
    gores = shape("M-4 -9.3Q-5.6 -4 -1.2 5.2H-2Q-6.6 1 -7 -3.4Q-6.8 -7 -4 -9.3Z", b) + shape(
        "M4 -9.3Q5.6 -4 1.2 5.2H2Q6.6 1 7 -3.4Q6.8 -7 4 -9.3Z", b
    )
    middle = shape("M-1.6 -10.4Q-3 -4 -0.5 5.2H0.5Q3 -4 1.6 -10.4Z", b)
    belt = shape(
        "M-6.9 -2.4Q0 0.4 6.9 -2.4Q6.7 -1.2 6.2 0Q0 2.8 -6.2 0Q-6.7 -1.2 -6.9 -2.4Z",
        pick(dice, "#ffd98a", "#f2a7b8", "#a8d8f0"),
    )
    ropes = pen("M-1.7 5.2L-1.4 8M1.7 5.2L1.4 8", "#b39a86", 0.3)
    return (
        hull
        + gores
        + middle
        + belt
        + ropes
        + box(-1.8, 7.8, 3.6, 2.6, "#d6a874", rx=0.5)
        + box(-1.9, 7.7, 3.8, 0.7, "#c08f5b", rx=0.3)
    )


def island(dice: Random) -> str:
    """A floating island with a house (a circle of 14 mm)."""
    rock = shape("M-11.6 1.4Q-8 6 -5 6.4Q-3 12 0 13Q2.6 11 4 7Q9 6 11.6 1.4Z", "#c9b09c") + shape(
        "M-6 4.6Q-3 9 -0.4 12.6Q0.6 8 -1 4Z", "#b79c88"
    )
    grass = shape(
        "M-12.4 1Q-10 -2 0 -2Q10 -2 12.4 1Q11 3 9 2.6Q7.6 4.4 5.6 2.8Q3 4.8 0.4 3Q-2 5 -4.4 3Q-7 4.4 -8.6 2.6Q-11 3 -12.4 1Z",
        "#a4d68b",
    )
    house = (
        box(-4.6, -7.4, 7, 6.4, "#fff4e2")
        + shape(polygon((-5.8, -7.2), (-1.1, -12), (3.6, -7.2)), "#f0968a")
        + box(-2.2, -4.2, 2.2, 3.2, "#c79a78", rx=1)
        + box(0.5, -6, 1.4, 1.4, "#bfe3f2")
    )
    smoke = puffs([(3.2, -12.2, 0.7), (4.2, -13.2, 0.9)], "#ffffff")
    tree = (
        box(6.4, -4, 0.8, 3.4, "#b08a62")
        + circle(6.8, -5.6, 2.6, pick(dice, "#8fcb80", "#f3b3c6"))
        + oval(6, -6.4, 1, 0.7, "#ffffff", opacity=0.4)
    )
    falls = pen("M-9 1.6V7", "#cdeefa", 1.2) + puffs([(-9.6, 7.6, 0.9), (-8.4, 7.8, 0.9)], "#ffffff")
    return rock + grass + falls + box(1.4, -11, 1.2, 2.6, "#d98a7c") + house + tree + smoke


def whale(_: Random) -> str:
    """A whale that took off (a circle of 14 mm)."""
    body = shape(
        "M-12 -1Q-10 -8 0 -7.6Q8 -7 10 -1Q11.4 0.6 13.2 -3.4Q14 -4.4 13.8 -1.4Q13.6 2.6 10 3.4Q6 7.6 -1 7.2Q-11 6.4 -12 -1Z",
        "#8fb9e3",
    )
    belly = shape("M-11.8 0.4Q-5 3 2.4 2.2Q0.6 7.2 -1 7.2Q-10.6 6.4 -11.8 0.4Z", "#e8f2fb")
    grooves = pen("M-9 3.4Q-5 4.8 -1 4.2M-7 5.2Q-4 6.2 -1.4 5.8", "#c4d9ee", 0.35)
    fin = shape("M-1 2.8Q2.6 3.4 3.4 7.8Q-0.8 7.6 -2.6 4Z", "#78a6d6")
    spout = pen("M-4 -7.6V-9.6M-4 -9.6Q-6.4 -11.6 -7.2 -9M-4 -9.6Q-1.6 -11.6 -0.8 -9", "#d9f1fb", 0.8)
    face = (
        circle(-7.2, -0.9, 0.75, "#4d5b78")
        + circle(-7, -1.15, 0.26, "#ffffff")
        + circle(-6, 1, 0.9, "#f5bccb", opacity=0.8)
    )
    return body + belly + grooves + fin + spout + face


def bird(dice: Random) -> str:
    """A bird on the wing (a circle of 3.4 mm)."""
    coat = pick(dice, "#f7c86b", "#f29aa8", "#8fc4ec", "#ffffff")
    body = shape("M-2.6 0.4Q-1.2 -1.2 1.2 -0.8Q2.6 -1 2.7 0Q2.4 1.4 0 1.5Q-1.6 1.4 -2.6 0.4Z", coat)
    wing = shape("M-0.8 -0.2Q-1.8 -2.8 -0.4 -3.2Q1 -2 1.2 -0.2Z", coat, stroke="#dfe8f7", stroke_width=0.25)
    return body + wing + shape("M2.6 -0.3L3.5 0.1L2.6 0.4Z", "#f2a24f") + circle(1.8, -0.2, 0.22, "#50505f")


def paper_plane(_: Random) -> str:
    """A paper aeroplane and its track (a circle of 5 mm)."""
    track = pen("M-4.8 3.6Q-3.4 1.4 -2.6 2.4T-1.4 1", "#ffffff", 0.35, stroke_dasharray="0.8 0.8")
    return (
        track
        + shape(polygon((4.4, -3), (-3.2, -0.4), (-0.8, 0.6)), "#ffffff")
        + shape(polygon((4.4, -3), (-0.8, 0.6), (0.6, 3)), "#e3ebf7")
        + shape(polygon((-0.8, 0.6), (0.6, 3), (-0.6, 2)), "#c9d6ea")
    )


def sun(_: Random) -> str:
    """The sun, pleased (a circle of 12 mm)."""
    rays = "".join(
        el("path", d=polygon((-1.3, -8.6), (0, -11.6), (1.3, -8.6)), fill="#ffe08a", transform=f"rotate({30 * i})")
        for i in range(12)
    )
    cheeks = circle(-3.6, 1.4, 1.1, "#fbb98a") + circle(3.6, 1.4, 1.1, "#fbb98a")
    return (
        circle(0, 0, 11.8, "#fff3c4", opacity=0.5)
        + rays
        + circle(0, 0, 7.6, "#ffd766")
        + cheeks
        + eyes(0, -0.8, 4.4, 0.75, "#8a6a3c")
        + smile(0, 1, 3, "#8a6a3c", 0.6)
    )


def rainbow(_: Random) -> str:
    """A rainbow from cloud to cloud (a circle of 13 mm)."""
    bands = "".join(
        pen(f"M{-10 + 1.5 * i} 4A{10 - 1.5 * i} {10 - 1.5 * i} 0 0 1 {10 - 1.5 * i} 4", c, 1.6, stroke_opacity=0.9)
        for i, c in enumerate(("#f7a9a4", "#f9cf95", "#f8eda6", "#b5e2b5", "#a9d0f2", "#cdb9ee"))
    )
    ends = "".join(
        place(puffs([(-2.6, 0.4, 2), (0, -0.8, 2.8), (2.6, 0.5, 2), (0, 1.2, 2.2)], "#ffffff"), x, 5)
        for x in (-6.4, 6.4)
    )
    return bands + ends


def moon(_: Random) -> str:
    """The moon, asleep by day (a circle of 9 mm)."""
    body = shape("M2.6 -8A8.2 8.2 0 1 0 7.4 4.4A7 7 0 0 1 2.6 -8Z", "#fff3cf")
    sleep = pen("M-4.4 0.4Q-3.4 1.4 -2.4 0.4M-1.4 3Q-0.6 3.6 0.2 2.8", "#b39a6c", 0.45)
    return (
        body
        + sleep
        + circle(-4.6, 2.8, 0.9, "#f9d9b4")
        + write("Z", 5, -4, 2, "#ffffff", 1.2)
        + write("Z", 7.2, -6.4, 1.4, "#ffffff", 1.2)
    )


def biplane(dice: Random) -> str:
    """A biplane (a circle of 7.5 mm)."""
    paint = pick(dice, "#f29aa8", "#f7cf6b", "#93c8ec")
    body = shape("M-6.4 -2.6L-4.6 -0.4Q0 -1.8 4.6 -0.8Q5.6 0 4.6 1.2Q0 2.2 -5.4 0.8Z", paint) + shape(
        "M-6.8 -3L-4.6 -0.4L-5.6 0.6Z", "#fff8ef"
    )
    wings = (
        box(-2.6, -3.4, 6, 1, "#fff8ef", rx=0.5)
        + box(-2.6, 1.6, 6, 1, "#fff8ef", rx=0.5)
        + pen("M-1.4 -2.6V1.8M2.2 -2.6V1.8", "#b9a58f", 0.35)
    )
    pilot = circle(0.4, -1.7, 0.95, "#f3d1ae") + shape("M-0.6 -1.9A1 1 0 0 1 1.4 -1.9Z", "#a9785a")
    prop = oval(5.9, 0.1, 0.4, 2.8, "#ffffff", opacity=0.8) + circle(5.4, 0.1, 0.5, "#b9a58f")
    return pilot + body + wings + prop + circle(2.6, 2.9, 0.7, "#8a8fa0")


def stars(_: Random) -> str:
    """Three paper stars (a circle of 2.6 mm)."""
    return "".join(
        place(shape(star(r), "#ffe7a3"), x, y) for x, y, r in ((-1.2, 0.4, 1.2), (1.3, -0.8, 0.8), (1.2, 1.4, 0.6))
    )


def kite(dice: Random) -> str:
    """A kite like a fish (a circle of 5 mm)."""
    coat = pick(dice, "#f9b48a", "#a8d8f0", "#f2a7c0")
    fish = shape("M-3.4 0Q-1 -3 3 -0.2Q3.6 0 3 0.4Q-1 3 -3.4 0Z", coat) + shape(
        polygon((-3, 0), (-5, -1.8), (-4.4, 0), (-5, 1.8)), coat
    )
    return (
        fish
        + pen("M-0.6 -1.4Q0.2 0 -0.6 1.4M0.8 -1.2Q1.4 0 0.8 1.2", "#ffffff", 0.4)
        + circle(2, -0.3, 0.35, "#50505f")
        + pen("M3.2 0.2Q4.4 1.4 4 3.4", "#ffffff", 0.2)
    )


def airship(_: Random) -> str:
    """An airship with fins and a gondola (a circle of 14 mm)."""
    hull = (
        oval(0, -1.6, 13, 5.6, "#f7c86b")
        + shape("M-12.8 -2.6Q0 1.6 12.8 -2.6A13 5.6 0 0 1 -12.8 -2.6Z", "#f2a85a")
        + shape("M-12.6 -3Q0 -0.2 12.6 -3L12.9 -1.9Q0 1.2 -12.9 -1.9Z", "#fff3d8")
    )
    fins = shape(polygon((-9.6, -5), (-14, -7.4), (-13, -2.4)), "#ef8a77") + shape(
        polygon((-9.6, 1.8), (-14, 4), (-13, -0.8)), "#ef8a77"
    )
    car_ = shape("M-4.4 4.2H4.4L3.4 7H-3.4Z", "#b98a6b") + "".join(
        box(x, 4.8, 1.2, 1.1, "#e2f3fa", rx=0.2) for x in (-2.8, -0.6, 1.6)
    )
    return (
        fins
        + pen("M-3 3.6V4.4M3 3.6V4.4", "#8a6a4c", 0.4)
        + hull
        + car_
        + oval(3, -4.6, 5, 1, "#ffffff", opacity=0.45)
        + place(shape(star(1.8), "#ef8a77"), 0, -1.4)
    )


def castle(_: Random) -> str:
    """A castle on a cloud (a circle of 14 mm)."""
    walls = box(-6, -4, 12, 10, "#f3e4f2") + "".join(box(x, -5.2, 1.6, 1.4, "#f3e4f2") for x in (-3, -0.8, 1.4))
    towers = ""
    for x, top, w, roof in ((-8, -7, 4, "#a97be0"), (4, -7, 4, "#a97be0"), (-2, -10, 4, "#ef8a9e")):
        towers += box(x, top, w, 13 - (top + 7), "#fbf1fa") + shape(
            polygon((x - 0.7, top), (x + w / 2, top - 4.6), (x + w + 0.7, top)), roof
        )
        towers += box(x + w / 2 - 0.5, top + 2.2, 1, 1.7, "#b9a7d6", rx=0.5)
    door = shape("M-1.5 6V3.4A1.5 1.5 0 0 1 1.5 3.4V6Z", "#b98a9b")
    flag = pen("M0 -14.6V-12.2", "#a08fb0", 0.3) + shape(polygon((0, -14.6), (2.4, -13.9), (0, -13.2)), "#ffd45e")
    base = puffs([(-9, 7, 4), (-4, 8, 4.6), (2, 8.4, 5), (8, 7.4, 4.2), (0, 6.4, 3)], "#ffffff")
    return place(flag + walls + towers + door + base, 0, 1.2)


def geese(_: Random) -> str:
    """Geese on their way (a circle of 7.4 mm)."""
    goose = pen("M-1.5 -0.7Q-0.5 -1 0 0Q0.5 -1 1.5 -0.7", "#ffffff", 0.6)
    return "".join(
        place(goose, x, y) for x, y in ((5.4, 0), (2.4, -1.9), (2.4, 1.9), (-0.8, -3.6), (-0.8, 3.6), (-4, -5), (-4, 5))
    )


def loop_track(dice: Random) -> str:
    """A stunt flier and the white loop behind it (a circle of 8 mm)."""
    track = pen(
        "M-7.6 4.4Q-2 4.6 1 1.4Q3.6 -1.8 1 -4.4Q-2 -6.2 -3.4 -3Q-4.2 0.6 1.4 2Q3.6 2.4 5 1.6",
        "#ffffff",
        1.0,
        opacity=0.9,
    )
    plane = el(
        "g",
        shape(
            "M-1.8 -0.5H1.2Q2.2 -0.3 2.2 0Q2.2 0.4 1.2 0.5H-1.8L-2.6 -1.1Z", pick(dice, "#ef8a77", "#4f9df0", "#f6c531")
        )
        + shape("M-0.4 -0.1L-1 1.9L0.9 0.3Z", "#ffffff"),
        transform="translate(6 1) rotate(-28)",
    )
    return track + plane


def shooting_star(_: Random) -> str:
    """A shooting star by day (a circle of 4.6 mm)."""
    tails = pen("M-4.4 2.6L0.6 -0.4M-4 0.8L0.4 -1.6M-2.8 3.6L1.4 0.4", "#ffe7a3", 0.5)
    return tails + place(shape(star(2.2), "#ffd45e"), 2.2, -1.6, turn=-18)


def ribbon(dice: Random) -> str:
    """A ribbon on the wind (a circle of 5.4 mm): blue, purple or yellow, and no line of the race."""
    colour = pick(dice, "#4f9df0", "#a05be8", "#f6c531")
    return pen("M-5 0.8Q-3.4 -2.4 -1.6 0T1.8 0T5 -1.2", colour, 1.1)


KIT = Kit(
    road="#bcbfcc", verge="#cfdcf3", kerb="#a3b1d0", dash="#dfe3ee", deck="#cfd3e2",
    ground=ground, verge_dots=verge_dots, ground_dots=ground_dots, sign=sign,
    pieces={
        "island": Piece(island, 14, 0), "whale": Piece(whale, 14, 0), "sun": Piece(sun, 12, 0), "rainbow": Piece(rainbow, 12.5, 0),
        "moon": Piece(moon, 9.4, 0, flips=False), "airship": Piece(airship, 14, 0), "castle": Piece(castle, 14.4, 0),
        "balloon": Piece(balloon, 11, 3, 34, flips=False), "biplane": Piece(biplane, 7.5, 0.8, 90), "cloud": Piece(cloud, 8, 5, 20, flips=False),
        "loop_track": Piece(loop_track, 8, 0.9, 110), "geese": Piece(geese, 7.2, 0.9, 90), "paper_plane": Piece(paper_plane, 5, 1, 50),
        "kite": Piece(kite, 5.2, 0.8, 70), "ribbon": Piece(ribbon, 5.2, 0.6, 70), "shooting_star": Piece(shooting_star, 4.6, 0.6, 80),
        "cloudlet": Piece(cloudlet, 3.4, 3, 15), "bird": Piece(bird, 3.6, 2, 24), "stars": Piece(stars, 2.6, 1.4, 26),
    },
)  # fmt: skip
