"""The sixteen toys as square tiles: picture, name, points, and the marker; and the back that all of them share."""

from __future__ import annotations

from referee.turbo_time.art.heroes import tubro_man, turbo_man
from referee.turbo_time.art.imps import dementor, demon
from referee.turbo_time.art.pals import booster
from referee.turbo_time.art.patch import PATCH_MM, patch
from referee.turbo_time.art.pencil import (
    INK,
    WHITE,
    Art,
    Placed,
    Words,
    box,
    disc,
    place,
    polygon,
    round_spots,
    soft,
    star,
)  # fmt: skip
from referee.turbo_time.art.treats import gift_certificate, lottery_ball
from referee.turbo_time.markers import toy_marker
from referee.turbo_time.scoring import DEMENTOR_WITH_DEMONS, POINTS
from referee.turbo_time.toys import SET, Toy
from referee.turbo_time.words import say
from referee.words import Language, told

TILE_MM = 46.0
PAPERS = {
    "turbo-man": ("#cdeff0", "#b5e4e6"),
    "tubro-man": ("#e9e4cf", "#ddd6bb"),
    "lottery-ball": ("#ffe3ec", "#ffd1df"),
    "gift-certificate": ("#fde9cf", "#fbdcb4"),
    "dementor": ("#e6dcf6", "#d8caf0"),
    "demon": ("#ffe0cc", "#ffd0b3"),
    "booster": ("#d9edff", "#c2e0fb"),
}
"""The ground and the rays behind each kind."""
BANDS = {
    "turbo-man": "#1d827f", "tubro-man": "#6f7a3e", "lottery-ball": "#c43d6b", "gift-certificate": "#b86a1c",
    "dementor": "#5b3f95", "demon": "#b8432f", "booster": "#2f6ea8",
}  # fmt: skip
_MIDDLE = 17.6, 25.0
"""Of the picture."""


def every_tile() -> tuple[tuple[Toy, int], ...]:
    """The sixteen tiles: each toy's kind, and which of its kind it is, from 0."""
    return tuple((toy, nth) for toy, count in SET.items() for nth in range(count))


def picture(toy: Toy, nth: int) -> Art:
    """A toy alone, about 28 mm high round the origin."""
    match toy:
        case "turbo-man":
            return turbo_man()
        case "tubro-man":
            return tubro_man()
        case "lottery-ball":
            return lottery_ball()
        case "gift-certificate":
            return gift_certificate()
        case "dementor":
            return dementor()
        case "demon":
            return demon(nth)
        case "booster":
            return booster(nth)


def tile(toy: Toy, nth: int, language: Language = "en") -> Art:
    """The face of a tile, its top left at the origin."""
    ground, ray = PAPERS[toy]
    name = told(say(f"toy.{toy}"), language)
    return (
        box(0, 0, TILE_MM, TILE_MM, ground),
        *_rays(ray),
        place(picture(toy, nth), *_MIDDLE, 0.98),
        box(0, 0, TILE_MM, 7.6, BANDS[toy]),
        Words(name, TILE_MM / 2, 5.5, 4.5 if len(name) < 17 else 4.0, WHITE),
        *_points(toy),
        *patch(toy_marker(toy, nth), TILE_MM - PATCH_MM - 2, TILE_MM - PATCH_MM - 2),
    )


def _rays(colour: str) -> Art:
    """Rays from the picture's middle to the rim, and no farther."""
    x, y = _MIDDLE
    rim = [(0.0, 0.0), (TILE_MM, TILE_MM)]
    fans = []
    for at in range(0, 24, 2):
        spots = [_to_the_rim(dx, dy, rim) for dx, dy in round_spots(24, 1.0, 7.5)[at : at + 2]]
        fans.append(polygon(((x, y), *spots), colour))
    return tuple(fans)


def _to_the_rim(dx: float, dy: float, rim: list[tuple[float, float]]) -> tuple[float, float]:
    """Where a ray from the picture's middle meets the tile's edge."""
    x, y = _MIDDLE
    (left, top), (right, low) = rim
    across = (right - x if dx > 0 else left - x) / dx if dx else 1e9
    down = (low - y if dy > 0 else top - y) / dy if dy else 1e9
    reach = min(across, down)
    return x + dx * reach, y + dy * reach


# ----------------------------------------------------------------------------------------- points


def _points(toy: Toy) -> Art:
    """What the toy is worth: a number in a star, or a ladder where more are worth more."""
    points = POINTS[toy]
    if toy == "dementor":
        with_a_demon = place(demon(0), 41.3, 24.0, 0.24)
        return _bubble(37.4, 14.6, points[0], 0.85), _bubble(35.6, 24.0, DEMENTOR_WITH_DEMONS, 0.75), with_a_demon
    if len(points) == 1:
        return (_bubble(37.4, 18.2, points[0], 1.15),)
    return _ladder(points, BANDS[toy])


def _bubble(x: float, y: float, points: int, scale: float) -> Placed:
    text = str(points).replace("-", "\u2013")
    return place((star(0, 0, 6.2, WHITE, 12, 0.82, INK), Words(text, 0, 2.0, 5.8)), x, y, scale)


def _ladder(points: tuple[int, ...], colour: str) -> Art:
    """A row for each number of toys: how many, and their points."""
    step, top = 3.6 if len(points) > 4 else 4.4, 9.2
    rows = []
    for at, worth in enumerate(points):
        foot = top + step * (at + 1) - 0.6
        rows += [Words(f"{at + 1} \u00d7", 35.2, foot, 2.6, colour), Words(f"{worth}", 40.6, foot, 3.3)]
    return box(32.0, top, 12.0, step * len(points) + 0.6, WHITE, 1.2, INK, 0.3), *rows


# ----------------------------------------------------------------------------------------- the back


def tile_back() -> Art:
    """A wrapped present, the same whichever way it is turned: a back tells nothing."""
    quarter: Art = (
        *(star(x, y, r, "#ffd94f") for x, y, r in ((-13.0, -18.6, 1.7), (0.0, -12.6, 0.0), (13.0, -18.6, 1.7))),
        *(disc(x, y, 0.7, "#9cc4f2") for x, y in ((-7.6, -13.0), (7.6, -13.0), (-18.6, -20.8), (18.6, -20.8))),
        *(disc(x, y, 0.7, "#9cc4f2") for x, y in ((-8.0, -20.6), (8.0, -20.6))),
        box(-3.4, -23, 6.8, 23, "#f2685c"),
        box(-2.2, -23, 0.7, 23, "#ff9a8a"),
        box(1.5, -23, 0.7, 23, "#ff9a8a"),
    )
    loop = soft(((0, 0), (-4.2, -4.2), (-4.8, -9.2), (0, -11.4), (4.8, -9.2), (4.2, -4.2)), "#e8504a", INK)
    fold = soft(((0, -2.6), (-1.5, -5.4), (0, -8.2), (1.5, -5.4)), "#c13c3c")
    half = TILE_MM / 2
    return (
        box(0, 0, TILE_MM, TILE_MM, "#3f7cc4"),
        *(place(quarter, half, half, 1.0, turn) for turn in (0, 90, 180, 270)),
        *(place((loop, fold), half, half, 1.0, turn) for turn in (45, 135, 225, 315)),
        disc(half, half, 3.2, "#ffd94f", INK),
        disc(half, half, 1.5, "#f2b632"),
    )
