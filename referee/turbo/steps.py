"""T4 to T8: one step from a square to a neighbour, and the rule that forbids it.

The rules of a step are the table `RULES`, in the order in which they are told.  Some look at the circuit alone, the
others at what stands on it as well.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from referee.turbo.circuit import Circuit

Direction = Literal["ahead", "left", "right", "beside", "back"]
FORWARDS: frozenset[Direction] = frozenset({"ahead", "left", "right"})


@dataclass(frozen=True)
class Step:
    """A step between two neighbours.

    ``between`` is the pair of squares that a diagonal passes between, forwards or back: the one straight ahead of where
    it begins, and the one straight behind where it ends.
    """

    here: str
    there: str
    direction: Direction
    crosses: bool = False
    """Whether it leads over the finish line."""
    between: tuple[str, ...] = ()

    @property
    def is_forwards(self) -> bool:
        """Ahead, or diagonally ahead."""
        return self.direction in FORWARDS


# ----------------------------------------------------------------------------------------- neighbours


def steps_of(circuit: Circuit, name: str) -> tuple[Step, ...]:
    """All steps from a square, each neighbour once, those forwards first."""
    found: dict[str, Step] = {}
    for step in _neighbours(circuit, name):
        found.setdefault(step.there, step)
    return tuple(found.values())


def _neighbours(circuit: Circuit, name: str) -> Iterator[Step]:
    square, behind = circuit[name], circuit.behind.get(name)
    if square.ahead:
        yield Step(name, square.ahead, "ahead", circuit.crosses(name, square.ahead))
    for side, target in (("left", square.left), ("right", square.right)):
        if target:
            direction: Direction = "left" if side == "left" else "right"
            yield Step(name, target, direction, circuit.crosses(name, target), _between(circuit, name, target))
    for there in besides(circuit, name):
        yield Step(name, there, "beside")
    if behind:
        yield Step(name, behind, "back")
    for other in circuit.squares:
        if name in (other.left, other.right):
            yield Step(name, other.name, "back", between=_between(circuit, other.name, name))


def _between(circuit: Circuit, here: str, there: str) -> tuple[str, ...]:
    """The two squares that a diagonal passes between, if there are two."""
    pair = circuit[here].ahead, circuit.behind.get(there)
    return tuple(name for name in pair if name) if all(pair) else ()


def besides(circuit: Circuit, name: str) -> tuple[str, ...]:
    """The squares beside another: behind its diagonals, and diagonally ahead of the one behind it."""
    square, behind = circuit[name], circuit.behind.get(name)
    found = [circuit.behind.get(link) for link in (square.left, square.right) if link]
    if behind:
        found += [circuit[behind].left, circuit[behind].right]
    return tuple(dict.fromkeys(there for there in found if there and there != name))


# ----------------------------------------------------------------------------------------- rules


class Broken(NamedTuple):
    """A rule that a step breaks: its number, and the word for it in the tables."""

    rule: str
    word: str


Breaks = Callable[["Circuit", Step], bool]


def _off_the_road(circuit: Circuit, step: Step) -> bool:
    return not step.is_forwards and step.here not in circuit.ice


def _slides_off(circuit: Circuit, step: Step) -> bool:
    return not step.is_forwards and step.here in circuit.ice and step.there not in circuit.ice


def _into_the_hatching(circuit: Circuit, step: Step) -> bool:
    return step.there in circuit.hatched


def _inwards(circuit: Circuit, step: Step) -> bool:
    return any(step.here in line.outside and step.there in line.inside for line in circuit.yellow_lines)


RULES: tuple[tuple[Broken, Breaks], ...] = (
    (Broken("T4", "not-forwards"), _off_the_road),
    (Broken("T8", "off-the-ice"), _slides_off),
    (Broken("T7", "hatched"), _into_the_hatching),
    (Broken("T6", "yellow-line"), _inwards),
)
"""What forbids a step whatever stands on the circuit."""
TAKEN, BETWEEN = Broken("T4", "taken"), Broken("T5", "between")


def is_open(circuit: Circuit, step: Step) -> bool:
    """Whether the circuit alone allows a step."""
    return not any(breaks(circuit, step) for _, breaks in RULES)


def is_free(step: Step, taken: Collection[str]) -> bool:
    """Whether nothing stands in a step's way (T4, T5)."""
    return step.there not in taken and not (step.between and all(name in taken for name in step.between))


def broken(circuit: Circuit, step: Step, taken: Collection[str]) -> Broken | None:
    """The first rule that a step breaks; None if it is allowed."""
    found = next((rule for rule, breaks in RULES if breaks(circuit, step)), None)
    if found is None and not is_free(step, taken):
        return TAKEN if step.there in taken else BETWEEN
    return found


def steps_from(circuit: Circuit, here: str, taken: Collection[str]) -> Iterator[Step]:
    """The steps that are allowed from a square while others are taken."""
    return (step for step in circuit.open_steps[here] if is_free(step, taken))
