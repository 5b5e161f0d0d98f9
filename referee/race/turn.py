"""How a game goes on: the table says which event does what in which phase, and what is not in it is refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from referee.errors import Refused
from referee.race.clock import Instant
from referee.race.stored import Misfit, from_json

State = TypeVar("State")
Table = Mapping[tuple[str, type], Callable[[State, Any, Instant], State]]
"""(phase, kind of event) → what it makes of the state at an instant."""
Names = Mapping[str, type]
"""What the kinds of events are called outside."""


def turn(table: Table[State], names: Names, phase: str, state: State, event: object, now: Instant) -> State:
    """The state after an event; Refused says what could happen instead."""
    move = table.get((phase, type(event)))
    if move is None:
        name = next((name for name, kind in names.items() if kind is type(event)), type(event).__name__)
        instead = ", ".join(possible(table, names, phase)) or "nothing, it is over"
        raise Refused(
            "not-now",
            f"{name} is not possible while the game is at {phase!r}.",
            f"Possible now: {instead}.",
            event=name,
            phase=phase,
        )
    return move(state, event, now)


def possible(table: Table[State], names: Names, phase: str) -> tuple[str, ...]:
    """The names of the events that a phase knows."""
    return tuple(name for name, kind in names.items() if (phase, kind) in table)


def event_from_json(names: Names, found: Any) -> Any:
    """The event that ``{"event": NAME, ...}`` describes with all its fields; Refused if there is none like it."""
    try:
        if not isinstance(found, Mapping) or not isinstance(found.get("event"), str) or found["event"] not in names:
            raise Misfit("there is no such event")
        return from_json(names[found["event"]], {k: v for k, v in found.items() if k != "event"}, found["event"])
    except Misfit as fault:
        raise Refused(
            "malformed",
            f"This is no event of the game: {fault}.",
            f"There are {', '.join(names)}, with all their fields.",
        ) from fault
