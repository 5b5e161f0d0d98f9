"""I4: the powers.  `STEPS` in `cards` says what each does; here is what a step may do, and what it does.

Decisions where the rulebook is silent: a power is used, not left out, but for what a "may" allows (Flip's swap, and the
look that the higher of two players has before taking).  The three toys of Peek are three different ones, looked at one
after the other; a toy that lies face up may be one of them.  Flip finds no toy face down: then it does nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, permutations
from typing import Any

from referee.turbo_time.cards import Step
from referee.turbo_time.faults import BrokenRule
from referee.turbo_time.moves import SHELF, Flip, Look, Move, MoveKind, Pass, Place, Shuffle, Swap
from referee.turbo_time.phases import turn_done
from referee.turbo_time.position import Position
from referee.turbo_time.toys import Tile

LOOK_BEFORE_TAKING = Step(Look, may_pass=True)
"""With two players (I2)."""


def step_of(position: Position) -> Step:
    """The step that the power in use has come to, or the look before taking."""
    if position.phase == "peek":
        return LOOK_BEFORE_TAKING
    return position.settings.steps_of(position.card)[len(position.touched)]


# ----------------------------------------------------------------------------------------- what is allowed


def allow(position: Position, move: Move, player: int) -> None:
    """Raises `BrokenRule` for a move that the step does not allow."""
    step, rule = step_of(position), "I2" if position.phase == "peek" else "I4"
    if not isinstance(move, (step.move, Pass)):
        raise BrokenRule(rule, f"wants-{step.move.__name__.lower()}")
    match move:
        case Look(place):
            _allow_look(position, place, rule)
        case Swap(one, other):
            _allow_swap(position, one, other, player)
        case Flip(place):
            _allow_flip(position, place)
        case Shuffle(order):
            if sorted(order) != list(range(len(position.carts[player]))):
                raise BrokenRule("I4", "shuffle", toys=len(position.carts[player]))
        case Pass():
            if not step.may_pass and _can_do(position, step.move, player):
                raise BrokenRule(rule, "must-use")


def _allow_look(position: Position, place: Place, rule: str) -> None:
    if position.phase == "peek" and place.cart != SHELF:
        raise BrokenRule("I2", "look-on-shelf", place=place.text)
    _toy_at(position, place, rule)
    if place in position.touched:
        raise BrokenRule("I4", "looked-already", place=place.text)


def _allow_swap(position: Position, one: Place, other: Place, player: int) -> None:
    if one == other:
        raise BrokenRule("I4", "swap-itself", place=one.text)
    for place in (one, other):
        _toy_at(position, place, "I4")
    flipped = _flipped(position)
    if flipped is None:
        return
    if flipped not in (one, other):
        raise BrokenRule("I4", "not-the-flipped", place=flipped.text)
    if (other if one == flipped else one).cart != player:
        raise BrokenRule("I4", "not-own-cart", player=player + 1)


def _allow_flip(position: Position, place: Place) -> None:
    if _toy_at(position, place, "I4").up and position.settings.flip == "rulebook":
        raise BrokenRule("I4", "face-up-already", place=place.text)


def _toy_at(position: Position, place: Place, rule: str) -> Tile:
    tile = position.tile(place)
    if tile is None:
        raise BrokenRule(rule, "no-toy", place=place.text)
    return tile


def _flipped(position: Position) -> Place | None:
    """The toy that the Flip in use has turned over; None where no Flip is in use."""
    is_flip = position.settings.steps_of(position.card)[0].move is Flip
    return position.touched[0] if is_flip and position.touched else None


# ----------------------------------------------------------------------------------------- everything allowed


def uses(position: Position, player: int) -> Iterator[Move]:
    """Every move that the step allows, each once: a swap of two places in one order only."""
    step = step_of(position)
    found = False
    for move in _candidates(position, step.move, player):
        if _is_allowed(position, move, player):
            found = True
            yield move
    if step.may_pass or not found:
        yield Pass()


def _can_do(position: Position, kind: MoveKind, player: int) -> bool:
    return any(_is_allowed(position, move, player) for move in _candidates(position, kind, player))


def _is_allowed(position: Position, move: Move, player: int) -> bool:
    try:
        allow(position, move, player)
    except BrokenRule:
        return False
    return True


def _candidates(position: Position, kind: MoveKind, player: int) -> Iterator[Move]:
    """Every move of a kind that names toys which are there."""
    if kind is Swap:
        yield from (Swap(one, other) for one, other in combinations(position.places, 2))
    elif kind is Shuffle:
        yield from map(Shuffle, permutations(range(len(position.carts[player]))))
    elif kind is Look:
        yield from map(Look, position.places)
    elif kind is Flip:
        yield from map(Flip, position.places)


# ----------------------------------------------------------------------------------------- what is done


def use(position: Position, move: Move, player: int) -> Position:
    """The table after an allowed step; after its last one the power is done."""
    match move:
        case Look(place):
            return _after_step(position, place)
        case Swap(one, other):
            swapped = {one: position.tile(other), other: position.tile(one)}
            return _after_step(position, **position.relaid(swapped))
        case Flip(place):
            return _after_step(position, place, **position.relaid({place: _turned_over(position, place)}))
        case Shuffle(order):
            return _after_step(position, **position.relaid(_mixed(position, order, player)))
    return turn_done(position)


def _turned_over(position: Position, place: Place) -> Tile:
    tile = position.tile(place)
    assert tile is not None
    return replace(tile, up=not tile.up)


def _mixed(position: Position, order: tuple[int, ...], player: int) -> dict[Place, Tile | None]:
    """The player's cart in a new order, all of it face down."""
    cart = position.carts[player]
    return {Place(player, at): replace(cart[old], up=False) for at, old in enumerate(order)}


def _after_step(position: Position, *touched: Place, **changes: Any) -> Position:
    """A step further in the power in use, or the turn done."""
    steps = () if position.phase == "peek" else position.settings.steps_of(position.card)
    if len(position.touched) + 1 >= len(steps):
        return turn_done(position, **changes)
    return replace(position, touched=(*position.touched, *touched), **changes)
