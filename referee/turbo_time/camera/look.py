"""A photo in, what it shows of the game out: carts or a trick."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from referee.turbo_time.camera.carts import CartsSeen, carts_in
from referee.turbo_time.camera.pieces import table_in
from referee.turbo_time.camera.trick import TrickSeen, trick_in
from referee.turbo_time.faults import BadNotation, NothingSeen
from referee.turbo_time.position import PLAYERS
from referee.turbo_time.toys import SET
from referee.vision.decode import decode

About = Literal["carts", "trick"]
LONGEST_NAME = 24


@dataclass(frozen=True)
class Players:
    """How many play, None if nobody said it; and their names, none or one each."""

    count: int | None = None
    names: tuple[str, ...] = ()


NOBODY_SAID = Players()


def look(
    photo: Path | bytes, about: About | None = None, players: Players = NOBODY_SAID, toys: int | None = None
) -> CartsSeen | TrickSeen:
    """What a photo shows of the carts or the trick that it is ``about``; None: whichever of them is in it.

    ``toys`` is how many lie in all carts, if it is not a game's end.  Raises `NothingSeen`, `Mirrored`, `NotAPicture`
    and `PictureTooLarge`.
    """
    picture = decode(photo)
    table = table_in(picture)
    if about is None and table.tiles and table.cards:
        raise NothingSeen("both")
    if about == "trick" or (about is None and table.cards):
        return trick_in(table, players.count, named=bool(players.names))
    return carts_in(picture, table, players.count, toys, named=bool(players.names))


def players_of(text: str | None) -> Players:
    """`3`, or two to four names with commas between them; raises `BadNotation` for anything else.

    >>> players_of("Ann, Ben").count
    2
    """
    if text is None:
        return NOBODY_SAID
    if re.fullmatch(r"[0-9]+", text) and int(text[:3]) in PLAYERS:
        return Players(int(text))
    names = tuple(" ".join(name.split()) for name in text.split(","))
    fits = all(0 < len(name) <= LONGEST_NAME and name.isprintable() for name in names)
    if len(names) not in PLAYERS or not fits or len(set(names)) < len(names):
        raise BadNotation("look-players", came=text[:40])
    return Players(len(names), names)


def toys_of(count: int | None) -> int | None:
    """A number of toys in carts; raises `BadNotation` for one that a set does not have."""
    if count is not None and not 1 <= count <= sum(SET.values()):
        raise BadNotation("look-toys", came=count)
    return count
