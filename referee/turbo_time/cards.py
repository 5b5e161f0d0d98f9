"""The 36 cards, numbered 1 to 36: a higher number acts sooner, and each has one of five powers (I4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from referee.turbo_time.moves import Flip, Look, MoveKind, Shuffle, Swap

CARDS = range(1, 37)
HAND = 5
"""So many cards a player holds before each trick (I1, I3)."""

Power = Literal["swap", "peek", "peek-swap", "flip", "shuffle"]
POWERS: tuple[Power, ...] = get_args(Power)

FlipRule = Literal["rulebook", "retelling"]
FLIP_RULES: tuple[FlipRule, ...] = get_args(FlipRule)
"""The rulebook's Flip turns a toy face up and may swap it into the cart; the retelling's turns one either way."""


@dataclass(frozen=True)
class Step:
    """A part of a power: what is done, and whether it may be left out."""

    move: MoveKind
    may_pass: bool = False


STEPS: Mapping[Power, tuple[Step, ...]] = {
    "swap": (Step(Swap),),
    "peek": (Step(Look), Step(Look), Step(Look)),
    "peek-swap": (Step(Look), Step(Swap)),
    "flip": (Step(Flip), Step(Swap, may_pass=True)),
    "shuffle": (Step(Shuffle),),
}
"""What a power does, step by step."""


def steps_of(power: Power, flip: FlipRule) -> tuple[Step, ...]:
    """The steps of a power; the retelling's Flip has no swap."""
    return (Step(Flip),) if (power, flip) == ("flip", "retelling") else STEPS[power]


POWER_LETTERS: Mapping[str, Power] = {"s": "swap", "p": "peek", "b": "peek-swap", "f": "flip", "m": "shuffle"}
"""A power in one letter: Swap, Peek, Both (peek & swap), Flip, Mix (shuffle)."""

_PRINTED = "spfbms psbsfp msbpsf bpsmfs pfsmpb sfmpsb"

PRINTED: tuple[Power, ...] = tuple(POWER_LETTERS[letter] for letter in _PRINTED if letter != " ")
"""The powers of the printable set, card 1 first: 11 swaps, 8 peeks, 6 peek & swaps, 6 flips, 5 shuffles."""


def powers_text(powers: tuple[Power, ...]) -> str:
    """A table of powers as 36 letters, card 1 first."""
    letter_of = {power: letter for letter, power in POWER_LETTERS.items()}
    return "".join(letter_of[power] for power in powers)
