"""T1, T9 and T10: a race from its set-up to its last place.

`set_up` puts everything on the circuit, `acting` says whose turn it is, `legal` what may be done, `step` does it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

from referee.turbo import turn
from referee.turbo.circuit import Circuit
from referee.turbo.deeds import AMBULANCE, Counters, Deed, Move, Stay
from referee.turbo.faults import BrokenRule
from referee.turbo.moves import OFF, Spot, dead_ends, has_way_round
from referee.turbo.position import PLAYERS, STANDARD, Position, Scale

# ----------------------------------------------------------------------------------------- T1: set-up


def starter(rounds: Sequence[Sequence[int]], scale: Scale = STANDARD) -> int:
    """Who starts on the inside lane and plays first: the highest number; a tie turns again.  Raises `BrokenRule`.

    The first of the ``rounds`` is what each player turned, player by player; each one after it what those turned who
    had tied in the one before.

    >>> starter([[3, 6, 6], [2, 5]])
    2
    """
    left = list(range(len(rounds[0]))) if rounds else []
    for numbers in rounds:
        if len(left) == 1 or len(numbers) != len(left):
            raise BrokenRule("T1", "turners", wanted=len(left), came=len(numbers))
        for number in numbers:
            if number not in scale:
                raise BrokenRule("T1", "shown", came=number, lowest=scale.lowest, highest=scale.highest)
        left = [player for player, number in zip(left, numbers, strict=True) if number == max(numbers)]
    if len(left) != 1:
        raise BrokenRule("T1", "tie")
    return left[0]


def set_up(
    circuit: Circuit,
    rounds: Sequence[Sequence[int]],
    obstacles: Iterable[str] | None = None,
    scale: Scale = STANDARD,
) -> Position:
    """The race before its first turn; ``rounds`` is what the players turned, as `starter` takes it.

    ``obstacles`` are the squares that the players chose for them, None for the dots.  Raises `BrokenRule`.
    """
    players = len(rounds[0]) if rounds else 0
    if players not in PLAYERS or players > len(circuit.grid):
        raise BrokenRule("T1", "players", most=len(circuit.grid), came=players)
    first = starter(rounds, scale)
    chosen = list(circuit.dots if obstacles is None else obstacles)
    allow_obstacles(circuit, chosen)
    cars = tuple(Spot(circuit.grid[(player - first) % players], lap=False) for player in range(players))
    return Position(circuit, cars, (0,) * players, Spot(circuit.ambulance), frozenset(chosen), first, scale=scale)


def allow_obstacles(circuit: Circuit, squares: Sequence[str]) -> None:
    """As many as there are dots, each on a free square of its own, and so that every car can still come round (T1)."""
    if len(squares) != len(circuit.dots):
        raise BrokenRule("T1", "obstacles", wanted=len(circuit.dots), came=len(squares))
    kept = {*circuit.hatched, *circuit.grid, circuit.ambulance}
    for name in squares:
        if name not in circuit or name in kept or list(squares).count(name) > 1:
            raise BrokenRule("T1", "obstacle-square", square=name[:20])
    blocked = [name for name in circuit.grid if not has_way_round(circuit, name, frozenset(squares))]
    if ends := [*blocked, *dead_ends(circuit, frozenset(squares))]:
        raise BrokenRule("T1", "blocked", square=ends[0])


# ----------------------------------------------------------------------------------------- whose turn


def acting(position: Position) -> int | None:
    """Whose turn it is; None when the race is over."""
    return None if position.phase == "over" else position.player


def allow(position: Position, deed: Deed, player: int | None = None) -> None:
    """Raises `BrokenRule` for what may not be done now; ``player`` is who does it, if that is to be checked, too."""
    if position.phase == "over":
        raise BrokenRule("T10", "over")
    if player is not None and player != position.player:
        raise BrokenRule("T2", "not-your-turn", player=position.player + 1)
    turn.allow(position, deed)


def legal(position: Position) -> Iterator[Deed]:
    """Everything that may be done now, each once: a move by its end, whatever its way."""
    if position.phase == "counters":
        numbers = position.scale.numbers
        yield from (Counters((one, other)) for one, other in product(numbers, numbers))
    elif position.phase != "over":
        found = False
        for move in turn.legal_moves(position):
            found = True
            yield move
        if not found:
            yield Stay()


def step(position: Position, deed: Deed, player: int | None = None) -> Position:
    """The race after a deed; raises `BrokenRule` for one that is not allowed."""
    allow(position, deed, player)
    match deed:
        case Counters(numbers):
            return replace(position, phase="own", numbers=numbers)
        case Move(number=number):
            left = list(position.numbers)
            left.remove(number)
            return _half_done(position, tuple(left), **_moved(position, deed))
        case Stay():
            return _half_done(position, position.numbers)


def _moved(position: Position, move: Move) -> dict[str, Any]:
    """What a move changes: over the line at the end of the lap a vehicle is off the circuit (T9, T10)."""
    spot = turn.end_of(position, move)
    if move.vehicle == AMBULANCE:
        return {"ambulance": spot}
    changes = {"cars": _with(position.cars, move.vehicle, spot)}
    if spot == OFF:
        changes["places"] = _with(position.places, move.vehicle, max(position.places) + 1)
    return changes


def _with(values: tuple[Any, ...], at: int, value: object) -> tuple[Any, ...]:
    return (*values[:at], value, *values[at + 1 :])


def _half_done(position: Position, left: tuple[int, ...], **changes: Any) -> Position:
    """The other half follows, then the next player's turn; the race ends where fewer than two cars are left (T10)."""
    after = {"cars": position.cars, **changes}
    racing = [player for player, car in enumerate(after["cars"]) if car != OFF]
    if len(racing) < 2:
        return replace(position, phase="over", numbers=(), **after)
    if position.phase == "own":
        return replace(position, phase="other", numbers=left, **after)
    following = min(racing, key=lambda player: (player - position.player - 1) % position.players)
    return replace(position, phase="counters", numbers=(), player=following, **after)


# ----------------------------------------------------------------------------------------- T10: the end


def finishing_order(position: Position) -> tuple[int, ...]:
    """The players by their places, the winner first; whoever is left on the circuit is last.

    Raises `BrokenRule` before the end.
    """
    if position.phase != "over":
        raise BrokenRule("T10", "not-over", racing=len(position.racing))
    return tuple(sorted(range(position.players), key=lambda player: position.places[player] or position.players))
