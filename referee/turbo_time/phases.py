"""A trick as a table: which phase follows which, how many turns each has, and what may be done in it.

    play -> powers -> (peek, with two players) -> take -> turbo-time -> draw -> play ... -> over

`turn_done` leads from one turn to the next; everything else here is looked up by `game`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from referee.turbo_time.moves import Discard, Draw, Flip, Look, MoveKind, Pass, Play, Shuffle, Swap, Take
from referee.turbo_time.position import TAKEN_A_TRICK, Phase, Position

EACH = 0
"""As many turns as there are players."""


@dataclass(frozen=True)
class Row:
    """One phase of a trick."""

    rule: str
    moves: tuple[MoveKind, ...]
    turns: int
    then: tuple[Phase, ...]
    """What may follow; the first that can be."""


TABLE: Mapping[Phase, Row] = {
    "play": Row("I2", (Play,), EACH, ("powers",)),
    "powers": Row("I4", (Look, Swap, Flip, Shuffle, Pass), EACH, ("peek", "take")),
    "peek": Row("I2", (Look, Pass), 1, ("take",)),
    "take": Row("I2", (Take,), TAKEN_A_TRICK, ("over", "turbo-time")),
    "turbo-time": Row("I3", (Discard,), 1, ("draw",)),
    "draw": Row("I3", (Draw,), 1, ("play",)),
    "over": Row("I6", (), EACH, ()),
}

ONLY_IF: Mapping[Phase, Callable[[int, int], bool]] = {
    "peek": lambda players, left: players == 2,  # noqa: ARG005
    "over": lambda players, left: left == 0,  # noqa: ARG005
}
"""Which phases can be, by the number of players and of toys left on the shelf; the others always can."""


def turn_done(position: Position, **changes: Any) -> Position:
    """The table after a turn that changed some of it: a turn further in this phase, or in the next one."""
    row = TABLE[position.phase]
    played = len(changes.get("played", position.played))
    done = played if position.phase == "play" else position.done + 1
    if done == (row.turns or position.players):
        left = sum(tile is not None for tile in changes.get("shelf", position.shelf))
        follows = next(phase for phase in row.then if _can_be(phase, position.players, left))
        return replace(position, **{**changes, "phase": follows, "done": 0, "touched": ()})
    done = 0 if position.phase == "play" else done
    return replace(position, **{**changes, "done": done, "touched": ()})


def _can_be(phase: Phase, players: int, left: int) -> bool:
    return phase not in ONLY_IF or ONLY_IF[phase](players, left)
