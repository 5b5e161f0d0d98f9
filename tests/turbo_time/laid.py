"""Tables with carts or a trick on them, laid at random and drawn from above: what the camera's tests photograph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.turbo_time.art.cards import CARD_MM, card, card_back
from referee.turbo_time.art.ink import svg
from referee.turbo_time.art.tiles import TILE_MM, every_tile, tile, tile_back
from referee.turbo_time.camera.carts import MOST_IN_A_CART
from referee.turbo_time.markers import CARD_OF, TOY_OF, card_marker, toy_marker
from tests.turbo_time.raster import drawn

Rgb = NDArray[np.uint8]
Floats = NDArray[np.float64]

PX_PER_MM = 4.0
MARGIN_MM = 45.0
ON_THE_SHELF = 12
COVERED = 0.1
"""A piece whose marker is covered by more than this share need not be read."""


@dataclass(frozen=True)
class Piece:
    """A tile or card on the table: its marker, middle in mm, turn in degrees (clockwise), and which side is up."""

    marker: int
    at_mm: tuple[float, float]
    turn_deg: float = 0.0
    up: bool = True

    @property
    def size_mm(self) -> tuple[float, float]:
        return CARD_MM if self.marker in CARD_OF else (TILE_MM, TILE_MM)

    def spots_mm(self, spots: Floats) -> Floats:
        """Places (N, 2) in mm from the piece's own top left corner, on the table."""
        angle = np.radians(self.turn_deg)
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        return np.asarray((spots - np.array(self.size_mm) / 2) @ turn + self.at_mm)

    def outline_mm(self) -> Floats:
        w, h = self.size_mm
        return self.spots_mm(np.array([[0, 0], [w, 0], [w, h], [0, h]], float))

    def marker_mm(self) -> Floats:
        """Places all over its marker."""
        left, top = (42.9, 5.5) if self.marker in CARD_OF else (30.5, 30.5)
        x, y = np.meshgrid(np.linspace(left, left + 12, 7), np.linspace(top, top + 12, 7))
        return self.spots_mm(np.column_stack([x.ravel(), y.ravel()]))


@dataclass(frozen=True)
class Laid:
    """A table: groups of pieces (carts from left to right; each player's card), a hand's outline, and the cloth."""

    groups: tuple[tuple[Piece, ...], ...]
    cloth: str = "plain"
    seed: int = 0
    hand_mm: tuple[tuple[float, float], ...] = ()

    @property
    def pieces(self) -> tuple[Piece, ...]:
        return tuple(piece for group in self.groups for piece in group)

    @property
    def size_mm(self) -> tuple[float, float]:
        """Of the table that is drawn: everything with some table round it."""
        low, high = self._box()
        return tuple((high - low).tolist())

    def _box(self) -> tuple[Floats, Floats]:
        spots = np.concatenate([piece.outline_mm() for piece in self.pieces])
        return spots.min(axis=0) - MARGIN_MM, spots.max(axis=0) + MARGIN_MM

    def to_picture(self, spots_mm: Floats) -> Floats:
        """Places of the table in the drawing's pixels."""
        return np.asarray((spots_mm - self._box()[0]) * PX_PER_MM)

    def seen(self, piece: Piece) -> bool:
        """Whether its marker can be read: face up, and not under the hand."""
        return piece.up and self._covered(piece) < COVERED

    def _covered(self, piece: Piece) -> float:
        if not self.hand_mm:
            return 0.0
        hand = np.array(self.hand_mm, np.float32)
        return float(np.mean([cv2.pointPolygonTest(hand, spot.tolist(), False) >= 0 for spot in piece.marker_mm()]))


# ------------------------------------------------------------------------------------------- laying


def carts(seed: int, trouble: str | None = None) -> Laid:
    """A game's end: all its toys in two to four carts; with trouble some face down, or a hand over some."""
    rng = np.random.default_rng([seed, 1])
    players = int(rng.integers(2, 5))
    tiles = every_tile()
    toys = [toy_marker(*tiles[at]) for at in rng.permutation(len(tiles))[: ON_THE_SHELF + players]]
    rows = [toys[low:high] for low, high in _shares(rng, len(toys), players)]
    lay = _round_the_table if rng.random() < 0.4 else _one_under_another
    return _troubled(Laid(lay(rng, rows), cloth(rng), seed), trouble, rng)


def trick(seed: int, trouble: str | None = None) -> Laid:
    """Two to four played cards, side by side or each before its player."""
    rng = np.random.default_rng([seed, 2])
    players = int(rng.integers(2, 5))
    cards = [card_marker(int(card)) for card in rng.choice(np.arange(1, 37), players, replace=False)]
    in_a_row = rng.random() < 0.5
    groups = []
    for at, marker in enumerate(cards):
        away = at * 90 + float(rng.normal(0, 7))
        turn = np.radians(away)
        spot = (at * 72.0, float(rng.normal(0, 4))) if in_a_row else (-75 * np.sin(turn), 75 * np.cos(turn))
        angle = float(rng.normal(0, 6)) if in_a_row else away
        groups.append((Piece(marker, (float(spot[0]), float(spot[1])), angle),))
    return _troubled(Laid(tuple(groups), cloth(rng), seed), trouble, rng)


def cloth(rng: np.random.Generator) -> str:
    return str(rng.choice(["plain", "wood", "gingham", "marble", "white"]))


def _shares(rng: np.random.Generator, toys: int, players: int) -> list[tuple[int, int]]:
    """How many toys each cart has, as slices: one to seven."""
    while True:
        cuts = sorted(rng.choice(np.arange(1, toys), players - 1, replace=False).tolist())
        counts = np.diff([0, *cuts, toys])
        if counts.max() <= MOST_IN_A_CART:
            ends = list(accumulate(counts.tolist()))
            return list(zip([0, *ends], ends, strict=False))


def _row(rng: np.random.Generator, markers: Sequence[int]) -> list[Piece]:
    """A cart along x from 0 on, its owner below it: a little skewed and curved, some toys turned."""
    pieces, x = [], 0.0
    skew, curve = float(rng.normal(0, 0.03)), float(rng.normal(0, 2e-4))
    for marker in markers:
        turn = float(rng.uniform(-180, 180)) if rng.random() < 0.2 else float(rng.normal(0, 4))
        half = TILE_MM / 2 * (abs(np.cos(np.radians(turn))) + abs(np.sin(np.radians(turn))))
        x += half
        pieces.append(Piece(marker, (x, skew * x + curve * x * x), turn))
        x += half + float(rng.uniform(0.5, 9))
    return pieces


def _moved(pieces: Sequence[Piece], turn_deg: float, to_mm: tuple[float, float]) -> tuple[Piece, ...]:
    """A row turned round its own middle, which comes to a place."""
    spots = np.array([piece.at_mm for piece in pieces])
    middle = (spots.min(axis=0) + spots.max(axis=0)) / 2
    angle = np.radians(turn_deg)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    there = (spots - middle) @ turn + to_mm
    return tuple(
        Piece(piece.marker, (float(spot[0]), float(spot[1])), piece.turn_deg + turn_deg, piece.up)
        for piece, spot in zip(pieces, there, strict=True)
    )


def _one_under_another(rng: np.random.Generator, rows: Sequence[Sequence[int]]) -> tuple[tuple[Piece, ...], ...]:
    """Rows with more than a toy's width of table between them, some seen from across."""
    laid, y = [], 0.0
    for row in rows:
        laid.append(_moved(_row(rng, row), float(rng.choice([0, 180])), (float(rng.normal(0, 30)), y)))
        y += float(rng.uniform(120, 150))
    return tuple(laid)


def _round_the_table(rng: np.random.Generator, rows: Sequence[Sequence[int]]) -> tuple[tuple[Piece, ...], ...]:
    """A row at each side of the table, before its owner."""
    widest = 30 * max(map(len, rows)) + 75
    return tuple(
        _moved(_row(rng, row), turn, (-widest * np.sin(np.radians(turn)), 0.6 * widest * np.cos(np.radians(turn))))
        if turn in (0, 180)
        else _moved(_row(rng, row), turn, (-widest * np.sin(np.radians(turn)), 0.0))
        for row, turn in zip(rows, (0, 90, 180, 270), strict=False)
    )


def _troubled(laid: Laid, trouble: str | None, rng: np.random.Generator) -> Laid:
    """Some pieces face down, or a hand over one of them."""
    pieces = laid.pieces
    unlucky = pieces[int(rng.integers(len(pieces)))]
    if trouble == "down":
        some = {unlucky} | {piece for piece in pieces if rng.random() < 0.08}
        turned = tuple(
            tuple(Piece(p.marker, p.at_mm, p.turn_deg, p not in some) for p in group) for group in laid.groups
        )
        return Laid(turned, laid.cloth, laid.seed)
    if trouble == "hand":
        return Laid(laid.groups, laid.cloth, laid.seed, _hand(rng, unlucky))
    return laid


def _hand(rng: np.random.Generator, over: Piece) -> tuple[tuple[float, float], ...]:
    """A flat hand and a forearm over a piece."""
    shape = np.array(
        [(-32, -35), (-26, -75), (-14, -78), (-10, -45), (-6, -88), (6, -88), (9, -45), (14, -80), (26, -76), (30, -30),
         (48, -52), (55, -40), (36, 10), (26, 60), (30, 400), (-34, 400), (-28, 60), (-38, 10)], float,
    )  # fmt: skip
    angle = rng.uniform(0, 2 * np.pi)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    there = (shape + [0, 30]) @ turn + over.at_mm + rng.normal(0, 10, 2)
    return tuple((float(x), float(y)) for x, y in there)


# ------------------------------------------------------------------------------------------- drawing


def table_drawn(laid: Laid) -> Rgb:
    """The table (H, W, 3) RGB from above, `PX_PER_MM`; words on the pieces are left out."""
    rng = np.random.default_rng([laid.seed, 3])
    width, height = (round(side * PX_PER_MM) for side in laid.size_mm)
    ground = _ground(laid.cloth, (width, height), rng)
    for piece in laid.pieces:
        _put(ground, laid, piece)
    if laid.hand_mm:
        hand = laid.to_picture(np.array(laid.hand_mm))
        skin = np.array([[232, 190, 160], [150, 100, 70], [90, 60, 45]])[laid.seed % 3].tolist()
        cv2.fillPoly(ground, [np.rint(hand).astype(np.int32)], skin, cv2.LINE_AA)
    return ground


def _put(ground: Rgb, laid: Laid, piece: Piece) -> None:
    face = _face(piece.marker) if piece.up else _back(piece.marker in CARD_OF)
    h, w = face.shape[:2]
    corners = laid.to_picture(piece.outline_mm())
    there = cv2.getAffineTransform(np.array([[0, 0], [w, 0], [w, h]], np.float32), corners[:3].astype(np.float32))
    low = np.maximum(np.floor(corners.min(axis=0)).astype(int) - 12, 0)
    high = np.minimum(np.ceil(corners.max(axis=0)).astype(int) + 12, ground.shape[1::-1])
    there[:, 2] -= low
    size = (high - low).tolist()
    inside = cv2.warpAffine(np.ones((h, w), np.float32), there, size)[..., None]
    shade = 1 - 0.35 * cv2.GaussianBlur(np.roll(inside, 3, axis=(0, 1)), (0, 0), 3)[..., None]
    part = ground[low[1] : high[1], low[0] : high[0]]
    seen = cv2.warpAffine(face, there, size, flags=cv2.INTER_AREA)
    part[:] = np.rint(part * shade * (1 - inside) + seen * inside).astype(np.uint8)


@cache
def _face(marker: int) -> Rgb:
    if marker in CARD_OF:
        return drawn(svg(card(CARD_OF[marker]), CARD_MM), CARD_MM, PX_PER_MM)
    toy = TOY_OF[marker]
    first = min(other for other, named in TOY_OF.items() if named == toy)
    return drawn(svg(tile(toy, marker - first), (TILE_MM, TILE_MM)), (TILE_MM, TILE_MM), PX_PER_MM)


@cache
def _back(of_a_card: bool) -> Rgb:
    size = CARD_MM if of_a_card else (TILE_MM, TILE_MM)
    return drawn(svg(card_back() if of_a_card else tile_back(), size), size, PX_PER_MM)


def _ground(cloth: str, size_wh: tuple[int, int], rng: np.random.Generator) -> Rgb:
    """The table without pieces."""
    width, height = size_wh
    soft: Any = cv2.resize(rng.normal(0, 1, (12, 16)).astype(np.float32), size_wh, interpolation=cv2.INTER_CUBIC)
    colour = rng.uniform(60, 200, 3)
    x, y = np.meshgrid(*(np.arange(side, dtype=np.float32) / np.float32(PX_PER_MM) for side in size_wh))
    if cloth == "white":
        level = 236 + 4 * soft
        colour = np.array([1.0, 1.0, 0.98])
    elif cloth == "wood":
        level = 1 + 0.10 * np.sin(0.9 * y + 4 * soft) + 0.05 * np.sin(5.1 * y + 9 * soft)
        colour = np.array([rng.uniform(120, 190), rng.uniform(80, 130), rng.uniform(40, 80)])
    elif cloth == "gingham":
        level = 1.1 - 0.35 * ((x // 12 % 2) + (y // 12 % 2)) / 2
    elif cloth == "marble":
        level = 1 + 0.25 * soft + 0.15 * np.sin(3 * soft + x / 40)
    else:
        level = 1 + 0.04 * soft
    seen = level[..., None] * colour.astype(np.float32) + 2 * rng.standard_normal((height, width, 1), np.float32)
    return np.clip(np.rint(seen), 0, 255).astype(np.uint8)
