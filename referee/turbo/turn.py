"""T2 and T3: both counters are turned, the own car moves by one of them, and another vehicle by the other one.

What may be moved (`movers`, `legal_moves`), and which rule anything else breaks (`allow` raises it).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from referee.turbo.deeds import AMBULANCE, OBSTACLE, Counters, Deed, Move, Stay, vehicle_text
from referee.turbo.faults import BrokenRule
from referee.turbo.moves import OFF, Reach, Spot, Wrong, can_move, reaches, wrong_end, wrong_way
from referee.turbo.position import Position
from referee.turbo.words import say

# ----------------------------------------------------------------------------------------- what can be moved


def movers(position: Position) -> tuple[int, ...]:
    """The vehicles that this half of the turn may move."""
    return {"own": (position.player,), "other": position.others}.get(position.phase, ())


def can(position: Position, vehicle: int, number: int) -> bool:
    """Whether a vehicle can move a number in full."""
    return can_move(position.circuit, position.spot(vehicle), number, position.taken_beside(vehicle))


def is_stuck(position: Position) -> bool:
    """Whether nothing can be moved in this half of the turn (T3)."""
    return not any(can(position, vehicle, number) for vehicle in movers(position) for number in set(position.numbers))


def ends(position: Position, vehicle: int, number: int) -> tuple[Reach, ...]:
    """Where a vehicle can come with a number, and by how many ways."""
    return reaches(position.circuit, position.spot(vehicle), number, position.taken_beside(vehicle))


def legal_moves(position: Position) -> Iterator[Move]:
    """Every move of this half of the turn, each end once."""
    for vehicle in movers(position):
        for number in dict.fromkeys(position.numbers):
            yield from (Move(vehicle, number, (reach.end.square,)) for reach in ends(position, vehicle, number))


# ----------------------------------------------------------------------------------------- what is allowed


def allow(position: Position, deed: Deed) -> None:
    """Raises `BrokenRule` for what this half of the turn does not allow."""
    match deed:
        case Counters(numbers):
            allow_counters(position, numbers)
        case Stay():
            if position.phase == "counters":
                raise BrokenRule("T2", "turn-first")
            if not is_stuck(position):
                raise BrokenRule("T3", "must-move")
        case Move():
            allow_move(position, deed)


def allow_counters(position: Position, numbers: tuple[int, int]) -> None:
    """Both counters are turned once, before anything moves (T2), and show what they can (T1)."""
    if position.phase != "counters":
        raise BrokenRule("T2", "turned-already")
    for number in numbers:
        if number not in position.scale:
            raise BrokenRule("T1", "shown", came=number, lowest=position.scale.lowest, highest=position.scale.highest)


def allow_move(position: Position, move: Move) -> None:
    """First the own car by one number, then another vehicle by the other (T2, T3); and by steps that are allowed."""
    if position.phase == "counters":
        raise BrokenRule("T2", "turn-first")
    _allow_vehicle(position, move.vehicle)
    if move.number not in position.numbers:
        raise BrokenRule("T2", "other-number", came=move.number, numbers=", ".join(map(str, position.numbers)))
    wrong = what_is_wrong(position, move)
    if wrong is None:
        return
    if position.phase == "own" and not can(position, move.vehicle, move.number):
        other = next((n for n in position.numbers if can(position, move.vehicle, n)), None)
        if other is None:
            raise BrokenRule("T3", "cannot-move", number=move.number)
        raise BrokenRule("T3", "only-number", number=move.number, other=other)
    raise broken(wrong, move)


def _allow_vehicle(position: Position, vehicle: int) -> None:
    if vehicle == OBSTACLE:
        raise BrokenRule("T4", "obstacle")
    if vehicle >= position.players:
        raise BrokenRule("T2", "nobody", player=vehicle + 1)
    if position.phase == "own" and vehicle != position.player:
        raise BrokenRule("T2", "own-first", player=position.player + 1)
    if position.phase == "other" and vehicle == position.player:
        raise BrokenRule("T2", "own-again", player=position.player + 1)
    if position.spot(vehicle) == OFF:
        raise BrokenRule(_leaves(vehicle), "off-the-circuit", vehicle=named(vehicle))


def _leaves(vehicle: int) -> str:
    """The rule by which a vehicle leaves the circuit behind the line."""
    return "T9" if vehicle == AMBULANCE else "T10"


def named(vehicle: int) -> Any:
    """A vehicle in a sentence."""
    return say("vehicle.ambulance") if vehicle == AMBULANCE else say("vehicle.car", n=vehicle_text(vehicle))


def what_is_wrong(position: Position, move: Move) -> Wrong | None:
    """The rule of T4 to T10 that a vehicle's move breaks, and where; None if it breaks none."""
    spot, taken = position.spot(move.vehicle), position.taken_beside(move.vehicle)
    leaves = _leaves(move.vehicle)
    if len(move.way) > 1:
        return wrong_way(position.circuit, spot, move.number, move.way, taken, leaves)
    return wrong_end(position.circuit, spot, move.number, move.end, taken, leaves)


def broken(wrong: Wrong, move: Move) -> BrokenRule:
    """What is wrong with a move, as it is told."""
    return BrokenRule(wrong.rule, wrong.word, here=wrong.here, there=wrong.there, number=move.number)


def end_of(position: Position, move: Move) -> Spot:
    """Where a vehicle stands after a move that is allowed."""
    return next(reach.end for reach in ends(position, move.vehicle, move.number) if reach.end.square == move.end)
