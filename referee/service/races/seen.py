"""What was seen on a board before its race, as the worker keeps it and the page shows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from referee.model import Json
from referee.race.match import DRAWN_CARS, BoardSeen, Team


@dataclass(frozen=True)
class Found:
    """Something that is drawn on a board: a gadget (`DRAWN_CARS`), or other ink.

    ``fault`` has in each language why it may not be there; it is empty for what may.
    """

    id: str
    kind: str
    at_mm: tuple[float, float]
    fault: Mapping[str, str]

    @property
    def is_gadget(self) -> bool:
        """Whether it is one of the gadgets that are drawn."""
        return self.kind in DRAWN_CARS


@dataclass(frozen=True)
class Seen:
    """A board before its race.

    ``stage`` and ``copy`` are None where no board was recognised; ``words`` has then, by language, the message and the
    hint, and ``code`` the error's.  ``raced`` tells a board on which a race was driven already, ``hidden`` one of which
    the picture does not show all of the road.
    """

    stage: int | None
    copy: str | None
    code: str = ""
    words: Mapping[str, Json] | None = None
    raced: bool = False
    hidden: bool = False
    found: tuple[Found, ...] = ()

    @property
    def inked(self) -> bool:
        """Whether anything is on it: the picture of the race needs it as its baseline then."""
        return bool(self.found)

    @property
    def misplaced(self) -> tuple[Found, ...]:
        """The gadgets that may not be where they are."""
        return tuple(one for one in self.found if one.is_gadget and one.fault)


def seen_from(kept: Mapping[str, Any]) -> Seen:
    """What the worker kept."""
    found = tuple(
        Found(one["id"], one["kind"], (one["at_mm"][0], one["at_mm"][1]), one["fault"]) for one in kept["found"]
    )
    return Seen(**{**kept, "found": found})


def event_of(seen: Seen, team: Team) -> BoardSeen | None:
    """What it means to the game; None if the picture says nothing."""
    if seen.stage is None or seen.code:
        return None
    gadgets = tuple(one.kind for one in seen.found if one.is_gadget)
    wiped = not seen.raced and all(one.is_gadget for one in seen.found)
    return BoardSeen(team, seen.stage, wiped, gadgets, bool(seen.misplaced))
