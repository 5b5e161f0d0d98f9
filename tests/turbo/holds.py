"""What is true of every race at every moment: the same for the few hundred races of the tests and for ten thousand."""

from __future__ import annotations

from random import Random

from referee.turbo import log as logs
from referee.turbo.championship import points_of
from referee.turbo.deeds import AMBULANCE, Counters, Move, Stay
from referee.turbo.faults import BrokenRule
from referee.turbo.log import Log
from referee.turbo.moves import OFF, Spot
from referee.turbo.position import Position, read
from referee.turbo.race import acting, finishing_order, legal, step
from tests.turbo.brute import Brute
from tests.turbo.play import random_race, turbo

PHASE_AFTER = {
    "counters": {"own"},
    "own": {"other", "over"},
    "other": {"counters", "over"},
}
LONGEST = 3000
"""No race has so many deeds."""


def check_race(seed: int, by_force: Brute) -> Log:
    """A random race to its end, everything checked after each deed."""
    dice, log = Random(seed), None
    for deeds, (before, log) in enumerate(random_race(seed)):
        check_step(before.position, log, dice)
        if dice.random() < 0.2 and max(before.position.numbers, default=0) < 5:
            check_move(before.position, log, by_force)
        assert deeds < LONGEST
    assert log is not None
    check_end(log)
    return log


def check_step(before: Position, log: Log, dice: Random) -> None:
    """What a deed leaves as it should be."""
    at, entry = log.position, log.entries[-1]
    check_squares(at)
    assert at.phase in PHASE_AFTER[before.phase]
    assert read(at.text, at.circuit) == at
    assert at.obstacles == before.obstacles
    assert acting(at) is None or acting(at) in (before.player, *at.racing)
    moved = [vehicle for vehicle in (*range(at.players), AMBULANCE) if at.spot(vehicle) != before.spot(vehicle)]
    match entry.deed:
        case Move(vehicle=vehicle):
            assert set(moved) <= {vehicle}
            assert (vehicle == before.player) == (before.phase == "own")
        case Counters() | Stay():
            assert not moved
    check_places(before, at)
    if dice.random() < 0.3:
        check_refusal(at, dice)


def check_squares(at: Position) -> None:
    """No square twice, nothing on the hatching, sixteen obstacles."""
    standing = [spot.square for spot in (*at.cars, at.ambulance) if spot != OFF] + sorted(at.obstacles)
    assert len(standing) == len(set(standing))
    assert not set(standing) & at.circuit.hatched
    assert len(at.obstacles) == 16


def check_places(before: Position, at: Position) -> None:
    """Places are given one after the other, kept, and only to cars that are off; a lap once begun is on."""
    for player, (old, new) in enumerate(zip(before.places, at.places, strict=True)):
        assert new == old or (old == 0 and new == max(before.places) + 1)
        assert (at.cars[player] == OFF) == (new > 0)
        assert at.cars[player].lap or not before.cars[player].lap
    assert (len(at.racing) < 2) == (at.phase == "over")


def check_refusal(at: Position, dice: Random) -> None:
    """A move to anywhere is allowed if it is in the list, and refused with a rule if not."""
    if at.phase in ("own", "other"):
        vehicle = dice.choice((*range(at.players), AMBULANCE))
        move = Move(vehicle, dice.choice(at.numbers), (dice.choice(NAMES),))
        assert (broken_by(at, move) is None) == (move in set(legal(at)))


def broken_by(at: Position, move: Move) -> str | None:
    """The rule that a move breaks; one that is none of T2 to T10 is a fault."""
    try:
        step(at, move)
    except BrokenRule as broken:
        return RULES[broken.rule]
    return None


RULES = {rule: rule for rule in (f"T{number}" for number in range(2, 11))}
NAMES = [*turbo().named, "finish"]


def check_move(before: Position, log: Log, by_force: Brute) -> None:
    """A move is one that brute force finds; and so is a stay."""
    standing = {spot.square for spot in (*before.cars, before.ambulance) if spot != OFF}
    deed, taken = log.entries[-1].deed, before.obstacles | standing
    if isinstance(deed, Move):
        assert deed.end in ends_of(by_force, before.spot(deed.vehicle), deed.number, taken)
    if isinstance(deed, Stay):
        vehicles = (before.player,) if before.phase == "own" else before.others
        for vehicle in vehicles:
            assert not any(ends_of(by_force, before.spot(vehicle), number, taken) for number in before.numbers)


def ends_of(by_force: Brute, spot: Spot, number: int, taken: frozenset[str]) -> set[str]:
    ways = by_force.ways(spot.square, spot.lap, number, set(taken - {spot.square}))
    return {way[-1] for way in ways}


def check_end(log: Log) -> None:
    """Everybody has a place, the points are the table's, and the log replays."""
    at = log.position
    order = finishing_order(at)
    assert sorted(order) == list(range(at.players))
    assert sorted(points_of(order), reverse=True) == [4, 3, 2, 1][: at.players]
    assert points_of(order)[at.places.index(1)] == 4
    text = logs.write(log)
    assert logs.read(text, at.circuit) == log
