"""What a table may play otherwise: how many of each toy, which card has which power, whose Flip."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee.tabletop.texts import text_of
from referee.turbo_time.cards import CARDS, FLIP_RULES, POWERS, PRINTED, FlipRule, Power, Step, steps_of
from referee.turbo_time.faults import BadNotation
from referee.turbo_time.toys import SET, TOYS, Toy
from referee.turbo_time.words import say

TOYS_IN_ALL = 16
ON_THE_SHELF = 12
BOOSTERS_OUT = TOYS_IN_ALL - ON_THE_SHELF
"""So many Boosters are kept out for the carts (I1)."""
MOST_DEMONS = 4
"""The table of points ends there (I5)."""


@dataclass(frozen=True)
class Settings:
    """How a table plays; raises `BadNotation` at birth if nobody could play so."""

    toys: tuple[tuple[Toy, int], ...] = tuple(SET.items())
    powers: tuple[Power, ...] = PRINTED
    """The power of each card, card 1 first."""
    flip: FlipRule = "rulebook"

    def __post_init__(self) -> None:
        if tuple(toy for toy, _ in self.toys) != TOYS:
            raise BadNotation("settings-toys", wanted=", ".join(TOYS))
        if any(count < 0 for _, count in self.toys) or sum(count for _, count in self.toys) != TOYS_IN_ALL:
            raise BadNotation("settings-sixteen", came=sum(count for _, count in self.toys))
        if self.count["booster"] < BOOSTERS_OUT:
            raise BadNotation("settings-boosters", came=self.count["booster"])
        if self.count["demon"] > MOST_DEMONS:
            raise BadNotation("settings-demons", came=self.count["demon"])
        if len(self.powers) != len(CARDS) or not set(self.powers) <= set(POWERS):
            raise BadNotation("settings-powers", came=len(self.powers))
        if self.flip not in FLIP_RULES:
            raise BadNotation("settings-flip", came=self.flip)

    @property
    def count(self) -> Mapping[Toy, int]:
        """How many there are of each toy."""
        return dict(self.toys)

    @property
    def shelf_toys(self) -> tuple[Toy, ...]:
        """The twelve toys that the shelf is made of, unshuffled (I1)."""
        out = {"booster": BOOSTERS_OUT}
        return tuple(toy for toy, count in self.toys for _ in range(count - out.get(toy, 0)))

    def power_of(self, card: int) -> Power:
        """The power of a card, 1 to 36."""
        return self.powers[card - 1]

    def steps_of(self, card: int) -> tuple[Step, ...]:
        """What the power of a card does, step by step."""
        return steps_of(self.power_of(card), self.flip)


STANDARD = Settings()


# ----------------------------------------------------------------------------------------- as a file


def load(path: Path) -> Settings:
    """The settings in a TOML file; raises `WrongUsage` if it cannot be read, `BadNotation` for what it says."""
    return read(text_of(path, say))


def read(text: str) -> Settings:
    """Settings as `toml` writes them; what is not said stays as it is.

    >>> read('flip = "retelling"').flip
    'retelling'
    """
    try:
        said = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise BadNotation("settings-toml", why=str(error)[:200]) from None
    _only_known(said, ("flip", "toys", "powers"))
    toys = _table(said, "toys")
    _only_known(toys, TOYS)
    if not all(_is_number(count) for count in toys.values()):
        raise BadNotation("settings-numbers", table="toys")
    counts = tuple((toy, toys.get(toy, SET[toy])) for toy in TOYS)
    return Settings(counts, _powers(_table(said, "powers")), said.get("flip", "rulebook"))


def _powers(said: Mapping[str, Any]) -> tuple[Power, ...]:
    """The power of each card: those named, and the printed one of all others."""
    _only_known(said, POWERS)
    named: dict[int, Power] = {}
    for power in POWERS:
        cards = said.get(power, [])
        if not isinstance(cards, list) or not all(_is_number(card) and card in CARDS for card in cards):
            raise BadNotation("settings-cards", power=power)
        if twice := next((card for card in cards if card in named), None):
            raise BadNotation("settings-twice", card=twice)
        named.update(dict.fromkeys(cards, power))
    return tuple(named.get(card, PRINTED[card - 1]) for card in CARDS)


def _table(said: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    table = said.get(name, {})
    if not isinstance(table, dict):
        raise BadNotation("settings-table", table=name)
    return table


def _only_known(said: Iterable[str], known: tuple[str, ...]) -> None:
    for name in said:
        if name not in known:
            near = difflib.get_close_matches(name[:40], known, 1)
            raise BadNotation("settings-unknown", came=name[:40], known=", ".join(near or known))


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def toml(settings: Settings) -> str:
    """Settings as a file to change and to read again."""
    lines = [f'flip = "{settings.flip}"', "", "[toys]"]
    lines += [f"{toy} = {count}" for toy, count in settings.toys]
    lines += ["", "[powers]"]
    for power in POWERS:
        lines.append(f"{power} = {[card for card in CARDS if settings.power_of(card) == power]}")
    return "\n".join(lines) + "\n"
