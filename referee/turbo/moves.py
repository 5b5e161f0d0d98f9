"""Whole moves (T3 to T10): where a vehicle can come with a number, by how many ways, and why it can come nowhere else.

A vehicle is a `Spot`: its square, and whether it is on its lap, which it begins at the line.  A move counts its steps;
one over the line at the end of a lap leads off the circuit, and the rest of the number is lost (T9, T10).
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from referee.turbo.steps import Broken, Step, broken, steps_from

if TYPE_CHECKING:
    from referee.turbo.circuit import Circuit

FINISH = "finish"
"""Where a vehicle is that has crossed the line after its lap."""


class Spot(NamedTuple):
    """Where a vehicle stands; ``lap`` is false for a car that has not crossed the starting line yet."""

    square: str
    lap: bool = True


OFF = Spot(FINISH)


@dataclass(frozen=True)
class Reach:
    """An end that a move can have, and by how many ways it can come there."""

    end: Spot
    ways: int


def after(spot: Spot, step: Step) -> Spot:
    """Where a step leads."""
    if step.crosses and spot.lap:
        return OFF
    return Spot(step.there, spot.lap or step.crosses)


# ----------------------------------------------------------------------------------------- what is allowed


def reaches(circuit: Circuit, spot: Spot, number: int, taken: Collection[str]) -> tuple[Reach, ...]:
    """Every end of a move of exactly ``number`` steps, by name; ``taken`` is where others stand."""
    layer, off = Counter({spot: 1}), 0
    for _ in range(number):
        following: Counter[Spot] = Counter()
        for here, ways in layer.items():
            for step in steps_from(circuit, here.square, taken):
                following[after(here, step)] += ways
        off += following.pop(OFF, 0)
        layer = following
    found = [Reach(end, ways) for end, ways in layer.items()] + ([Reach(OFF, off)] if off else [])
    return tuple(sorted(found, key=lambda reach: reach.end))


def can_move(circuit: Circuit, spot: Spot, number: int, taken: Collection[str]) -> bool:
    """Whether a vehicle can move a number in full (T3)."""
    layer = {spot}
    for _ in range(number):
        layer = {after(here, step) for here in layer for step in steps_from(circuit, here.square, taken)}
        if OFF in layer:
            return True
    return bool(layer)


def ways(circuit: Circuit, spot: Spot, number: int, taken: Collection[str]) -> Iterator[tuple[str, ...]]:
    """Every way of exactly ``number`` steps: the squares stepped on, the last one "finish" if it leads off."""
    if number == 0:
        yield ()
        return
    for step in steps_from(circuit, spot.square, taken):
        there = after(spot, step)
        rest = iter([()]) if there == OFF else ways(circuit, there, number - 1, taken)
        yield from ((there.square, *way) for way in rest)


def way_to(circuit: Circuit, spot: Spot, number: int, end: str, taken: Collection[str]) -> tuple[str, ...] | None:
    """One way to an end, as straight as there is one; None if none leads there."""
    layer: dict[Spot, tuple[str, ...]] = {spot: ()}
    for _ in range(number):
        following: dict[Spot, tuple[str, ...]] = {}
        for here, way in layer.items():
            for step in steps_from(circuit, here.square, taken):
                there = after(here, step)
                following.setdefault(there, (*way, there.square))
        if end == FINISH and OFF in following:
            return following[OFF]
        following.pop(OFF, None)
        layer = following
    return next((way for there, way in layer.items() if there.square == end), None)


# ----------------------------------------------------------------------------------------- what is wrong


@dataclass(frozen=True)
class Wrong:
    """Why a move is not allowed: the rule, the word for it, and between which squares."""

    rule: str
    word: str
    here: str
    there: str


def wrong_way(
    circuit: Circuit, spot: Spot, number: int, way: Sequence[str], taken: Collection[str], leaves: str = "T10"
) -> Wrong | None:
    """The first thing that is wrong with a way, step by step; None if it is allowed.

    ``leaves`` is the rule by which the vehicle is off the circuit behind the line: T9 for the ambulance, T10 for a car.
    """
    for name in way:
        step = _step_to(circuit, spot, name)
        if step is None:
            return _no_step(circuit, spot, name, leaves)
        if found := broken(circuit, step, taken):
            return Wrong(*found, spot.square, step.there)
        spot = after(spot, step)
        if spot == OFF:
            rest = way[way.index(name) + 1 :]
            return Wrong(leaves, "behind-the-line", FINISH, rest[0]) if rest else None
    return None if len(way) == number else Wrong("T2", "not-exact", spot.square, spot.square)


def _step_to(circuit: Circuit, spot: Spot, name: str) -> Step | None:
    """The step that leads to a neighbour, or over the line if that is what is named."""
    return next((step for step in circuit.steps.get(spot.square, ()) if after(spot, step).square == name), None)


def _no_step(circuit: Circuit, spot: Spot, name: str, leaves: str) -> Wrong:
    if any(step.crosses and step.there == name for step in circuit.steps[spot.square]):
        return Wrong(leaves, "behind-the-line", spot.square, name)
    return Wrong("T4", "no-neighbour", spot.square, name)


def wrong_end(
    circuit: Circuit, spot: Spot, number: int, end: str, taken: Collection[str], leaves: str = "T10"
) -> Wrong | None:
    """Why no way of ``number`` steps leads to an end: what the least forbidden one breaks; None if one leads.

    Where another number would lead there, that is told, unless a single step of a way ahead is what is forbidden.
    """
    if way_to(circuit, spot, number, end, taken) is not None:
        return None
    trail = _least_forbidden(circuit, spot, number, end, taken, leaves)
    if trail and trail.first and trail.faults == 1 and trail.first.word != "not-forwards":
        return trail.first
    if any(way_to(circuit, spot, other, end, taken) for other in range(1, 2 * number + 1)):
        return Wrong("T2", "not-exact", spot.square, end)
    return trail.first if trail else Wrong("T4", "no-way", spot.square, end)


@dataclass(frozen=True)
class _Trail:
    """A way so far: how many of its steps are forbidden, and what the first of those breaks."""

    faults: int = 0
    first: Wrong | None = None

    def then(self, wrong: Wrong | None) -> _Trail:
        return self if wrong is None else _Trail(self.faults + 1, self.first or wrong)


def _least_forbidden(
    circuit: Circuit, spot: Spot, number: int, end: str, taken: Collection[str], leaves: str
) -> _Trail | None:
    """The way with the fewest faults, of all that lead to an end by steps of any kind."""
    layer: Mapping[Spot, _Trail] = {spot: _Trail()}
    for _ in range(number):
        following: dict[Spot, _Trail] = {}
        for here, trail in layer.items():
            for there, wrong in _any_steps(circuit, here, taken, leaves):
                longer = trail.then(wrong)
                if there not in following or longer.faults < following[there].faults:
                    following[there] = longer
        if end == FINISH and OFF in following:
            return following[OFF]
        following.pop(OFF, None)
        layer = following
    found = [trail for there, trail in layer.items() if there.square == end]
    return min(found, key=lambda trail: trail.faults, default=None)


def _any_steps(
    circuit: Circuit, here: Spot, taken: Collection[str], leaves: str
) -> Iterator[tuple[Spot, Wrong | None]]:
    """Every step to a neighbour, with what it breaks; over the line at the end of a lap, too, without leaving."""
    for step in circuit.steps[here.square]:
        found: Broken | None = broken(circuit, step, taken)
        there = after(here, step)
        yield there, Wrong(*found, here.square, step.there) if found else None
        if there == OFF:
            yield Spot(step.there), Wrong(leaves, "behind-the-line", here.square, step.there)


# ----------------------------------------------------------------------------------------- ways round


def has_way_round(circuit: Circuit, start: str, obstacles: Collection[str]) -> bool:
    """Whether a car can come from its starting square to the end of its lap, if nothing but obstacles is in the way."""
    return OFF in _reachable(circuit, [Spot(start, lap=False)], obstacles)


def dead_ends(circuit: Circuit, obstacles: Collection[str]) -> tuple[str, ...]:
    """The squares that a car or the ambulance can come to, and that no way leads on from to the line."""
    starts = [*(Spot(name, lap=False) for name in circuit.grid), Spot(circuit.ambulance)]
    known = _reachable(circuit, starts, obstacles)
    before: dict[Spot, list[Spot]] = {}
    for spot, following in known.items():
        for there in following:
            before.setdefault(there, []).append(spot)
    leads_on, work = {OFF}, deque([OFF])
    while work:
        for spot in before.get(work.popleft(), ()):
            if spot not in leads_on:
                leads_on.add(spot)
                work.append(spot)
    return tuple(sorted({spot.square for spot in known if spot not in leads_on}))


def _reachable(circuit: Circuit, starts: Sequence[Spot], taken: Collection[str]) -> dict[Spot, tuple[Spot, ...]]:
    """Every spot that can be come to, with those that follow it."""
    known: dict[Spot, tuple[Spot, ...]] = {}
    work = list(starts)
    while work:
        spot = work.pop()
        if spot not in known:
            steps = () if spot == OFF else steps_from(circuit, spot.square, taken)
            known[spot] = tuple(after(spot, step) for step in steps)
            work += known[spot]
    return known
