"""Puts scenery on a board: the pieces placed by hand, then smaller ones wherever there is room.

Within `CLEAR_MM` of a road nothing but the verge is drawn, so that every ink shows there.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import shapely

from .layout import HEIGHT_MM, WIDTH_MM, Layout
from .markers import INSET_MM, SIZE_MM, WHITE_MM
from .svg import place

CLEAR_MM = 7.0
Dice = random.Random
Drawing = Callable[[Dice], str]


@dataclass(frozen=True)
class Piece:
    """A drawing round the origin and the radius of the circle it fits in.

    ``often`` is its share among fillers, ``apart`` how far from one of its own kind it keeps (mm).
    """

    draw: Drawing
    radius: float
    often: float = 1.0
    apart: float = 24.0
    flips: bool = True


@dataclass(frozen=True)
class Kit:
    """A theme: its colours, its ground, and its pieces (those with ``often`` above 0 also fill gaps)."""

    road: str
    verge: str
    kerb: str
    dash: str
    deck: str
    ground: Callable[[Dice], str]
    verge_dots: Callable[[Dice], str]
    ground_dots: Callable[[Dice], str]
    sign: Callable[[int, str], str]
    pieces: dict[str, Piece] = field(default_factory=dict)


SIGN_RADII = (20.0, 11.0)


Spot = tuple[float, float, Piece]


def scenery(layout: Layout, kit: Kit) -> list[str]:
    """All pieces of a board, those further down the sheet in front."""
    dice = Dice(layout.plan.number)
    art: list[tuple[float, str]] = []
    taken: list[tuple[float, float, float, Piece]] = []
    for thing in layout.plan.things:
        piece = kit.pieces[thing.name]
        taken.append((thing.x, thing.y, piece.radius * thing.scale, piece))
        art.append((thing.y, place(piece.draw(dice), thing.x, thing.y, thing.scale, thing.turn, thing.flip)))
    for x, y, piece in _scattered(layout, kit, dice, taken):
        art.append((y, place(piece.draw(dice), x, y, flip=piece.flips and dice.random() < 0.5)))
    return [drawn for _, drawn in sorted(art, key=lambda it: it[0])]


def _scattered(
    layout: Layout, kit: Kit, dice: Dice, taken: list[tuple[float, float, float, Piece]], tries: int = 7000
) -> list[Spot]:
    """Places for fillers: the big ones are tried first, each keeping clear of road, markers, sign and one another."""
    fillers = [piece for piece in kit.pieces.values() if piece.often > 0]
    roads = layout.roads
    shapely.prepare(roads)
    found: list[Spot] = []
    for turn in range(tries):
        reach = max(1.5, 12.0 - 12.0 * turn / tries)
        at_x, at_y, chance = dice.random() * WIDTH_MM, dice.random() * HEIGHT_MM, dice.random()
        fits = [piece for piece in fillers if reach * 0.45 <= piece.radius <= reach]
        if not fits:
            continue
        piece = _picked(fits, chance)
        r = piece.radius
        if _off_sheet(at_x, at_y, r) or _on_furniture(layout, at_x, at_y, r):
            continue
        if any(_too_near(math.hypot(x - at_x, y - at_y), other, kind, piece) for x, y, other, kind in taken):
            continue
        if roads.distance(shapely.Point(at_x, at_y)) < CLEAR_MM + r:
            continue
        taken.append((at_x, at_y, r, piece))
        found.append((at_x, at_y, piece))
    return found


def _too_near(distance: float, other_radius: float, other: Piece, piece: Piece) -> bool:
    """Whether a piece would touch another, or come too close to one of its kind."""
    return distance < (other_radius + piece.radius) * 1.02 + 0.4 or (other is piece and distance < piece.apart)


def _picked(fits: Sequence[Piece], chance: float) -> Piece:
    total = sum(piece.often for piece in fits)
    for piece in fits:
        chance -= piece.often / total
        if chance < 0:
            return piece
    return fits[-1]


def _off_sheet(x: float, y: float, r: float) -> bool:
    """Whether more than a little of a piece would be cut off by the rim."""
    slack = r * 0.6
    return not (slack <= x <= WIDTH_MM - slack and slack <= y <= HEIGHT_MM - slack)


def _on_furniture(layout: Layout, x: float, y: float, r: float) -> bool:
    """Whether a piece would touch a marker's white margin, the sign or the measuring tape."""
    pad = INSET_MM + SIZE_MM + WHITE_MM
    corner_x, corner_y = min(x, WIDTH_MM - x), min(y, HEIGHT_MM - y)
    if math.hypot(max(corner_x - pad, 0), max(corner_y - pad, 0)) < r + 0.5:
        return True
    (sign_x, sign_y), (tape_x, tape_y) = layout.plan.sign, layout.plan.tape
    if _beside(x - sign_x, y - sign_y, *SIGN_RADII) < r:
        return True
    return _beside(x - tape_x - 1.7, y - tape_y - 55.0, 4.0, 56.0) < r


def _beside(x: float, y: float, half_width: float, half_height: float) -> float:
    """How far a point lies outside a rectangle round the origin."""
    return math.hypot(max(abs(x) - half_width, 0), max(abs(y) - half_height, 0))


def cover(layout: Layout, kit: Kit, count: int = 700) -> list[str]:
    """Small quiet details on the open ground beyond the verge."""
    dice = Dice(layout.plan.number + 3000)
    roads = layout.roads
    art = []
    for _ in range(count):
        x, y = dice.random() * WIDTH_MM, dice.random() * HEIGHT_MM
        if roads.distance(shapely.Point(x, y)) > CLEAR_MM + 1.2 and not _on_furniture(layout, x, y, 1.0):
            art.append(place(kit.ground_dots(dice), x, y))
    return art


def sprinkled(layout: Layout, kit: Kit, count: int = 260) -> list[str]:
    """Small pale details on the verge, between road and scenery."""
    dice = Dice(layout.plan.number + 1000)
    roads = layout.roads
    art = []
    for _ in range(count):
        x, y = dice.random() * WIDTH_MM, dice.random() * HEIGHT_MM
        if 1.5 < roads.distance(shapely.Point(x, y)) < CLEAR_MM - 1.0 and not _on_furniture(layout, x, y, 1.0):
            art.append(place(kit.verge_dots(dice), x, y))
    return art
