"""The markers on the printed toys and cards: dictionary ARUCO_MIP_36h12, ids 50 to 249 are this game's.

========  ============================================================================
50        Turbo Man              55 to 58    the four Demons
51        Tubro Man              59 to 65    the seven Boosters
52        Lottery Ball           101 to 136  cards 1 to 36: the card's number and 100
53        Gift Certificate
54        Dementor               all others are free
========  ============================================================================

A marker is a black square of 8 x 8 cells, the outermost all black; the 6 x 6 inside are its code, row by row.
"""

from __future__ import annotations

from referee.turbo_time.cards import CARDS
from referee.turbo_time.toys import SET, Toy

DICTIONARY = "ARUCO_MIP_36h12"
FIRST_TOY, BEFORE_CARDS = 50, 100
CELLS = 8

TOY_OF: dict[int, Toy] = dict(enumerate((toy for toy, count in SET.items() for _ in range(count)), FIRST_TOY))
"""The toy that a marker names: every one of the sixteen tiles has its own."""
CARD_OF: dict[int, int] = {BEFORE_CARDS + card: card for card in CARDS}
"""The card that a marker names."""

_TOY_CODES = """
735b91e74 8cc35cee4 e44694d04 b5e121de0 261017d0f f1d439eb5 a1a33ac96 174c62c02 1ee27f716 8b1c5ece9 6a05b0c6a
d0568dfc 192d25e5f 1adbeccc8 cfec87f00 d0b9dde7a
"""
_CARD_CODES = """
891cbcf34 25dd82410 239551d34 8fe8f0c70 94106a970 82609b40c fc9caf36 688181d11 718613c08 f1ab7629 a357bfc18
4c03b7a46 204dedce6 ad6300d37 84cc4cd09 42160e5c4 87d2adfa8 7850e7749 4e750fc7c bf2e5dfda d88324da5 234b52f80
378204514 abdf2ad53 365e78ef9 49caa6ca2 3c39ddf3 c68c5385d 5bfcbbf67 623241e21 abc90d5cc 388c6fe85 da0e2d62d
10855dfe9 4d46efd6b 76ea12d61
"""
CODES: dict[int, int] = {
    marker: int(code, 16)
    for markers, codes in ((TOY_OF, _TOY_CODES), (CARD_OF, _CARD_CODES))
    for marker, code in zip(markers, codes.split(), strict=True)
}
"""A marker's 36 cells as a number, the top left one first; a 1 is white."""


def white_cells(marker: int) -> list[tuple[int, int]]:
    """Row and column of a marker's white cells, counted in all 8 x 8."""
    inside = CELLS - 2
    bits = f"{CODES[marker]:0{inside * inside}b}"
    return [(at // inside + 1, at % inside + 1) for at, bit in enumerate(bits) if bit == "1"]


def toy_marker(toy: Toy, nth: int = 0) -> int:
    """The marker of a tile: of its kind the nth, from 0."""
    return [marker for marker, named in TOY_OF.items() if named == toy][nth]


def card_marker(card: int) -> int:
    """The marker of a card."""
    return BEFORE_CARDS + card
