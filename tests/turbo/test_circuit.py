"""A circuit that cannot be raced is refused with the element and the cure; one that can is what it was said to be."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from referee.turbo.circuit import Circuit, Square, YellowLine
from referee.turbo.faults import BadCircuit
from referee.turbo.soundness import MOST_DOTS
from tests.turbo.play import ring

RING = ring("........", "..+.....")
Change = Callable[[Circuit], Circuit]


def with_square(name: str, /, **changes: object) -> Change:
    """Something else on one square."""

    def changed(circuit: Circuit) -> Circuit:
        squares = [replace(s, **changes) if s.name == name else s for s in circuit.squares]  # type: ignore[arg-type]
        return replace(circuit, squares=tuple(squares))

    return changed


def on(*features: str) -> frozenset[str]:
    return frozenset(features)


def with_line(inside: str, outside: str) -> Change:
    line = YellowLine("yellow-line-1", frozenset(inside.split()), frozenset(outside.split()))
    return lambda circuit: replace(circuit, yellow_lines=(line,))


@pytest.mark.parametrize(
    ("change", "element", "word"),
    [
        (lambda circuit: replace(circuit, squares=()), None, "0"),
        (with_square("a3", name="3a"), "3a", "name of its own"),
        (with_square("a3", name="finish"), "finish", "name of its own"),
        (with_square("a3", name="a2"), "a2", "two squares"),
        (with_square("a3", lane=5), "a3", "no lane 5"),
        (with_square("a3", row=0), "a3", "not 0"),
        (with_square("a3", row=2), "a3", "as a2"),
        (with_square("a3", features=on("icy")), "a3", "“icy”"),
        (with_square("a3", features=on("hatched", "ice")), "a3", "hatched"),
        (with_square("a3", features=on("grid-2")), "a3", "lane 2"),
        (with_square("b3", features=on()), None, "not 0"),
        (with_square("a3", features=on("ambulance")), None, "not 2"),
        (with_square("a8", features=on()), None, "grid-1"),
        (with_square("a3", ahead="a9"), "a3", "“a9”"),
        (with_square("a3", ahead="a3"), "a3", "itself"),
        (with_square("a3", right="a4"), "a3", "two ways"),
        (with_square("a3", ahead="b4", right=None), "b3", "ahead of a3"),
        (with_square("a3", right=None, left="b4"), "a3", "lane 2"),
        (with_square("a3", ahead=None, right="a4"), "a3", "lane 1"),
        (lambda circuit: replace(circuit, finish=(7, 1)), "finish", "8 and 1"),
        (with_square("a5", right="b3"), "a5", "row 3"),
        (with_line("a3 a4", ""), "yellow-line-1", "on both sides"),
        (with_line("a3 a4", "a4 b4"), "yellow-line-1", "on both sides"),
        (with_line("a3 a4", "b3 c4"), "yellow-line-1", "“c4”"),
        (with_square("a4", ahead=None, right=None), "a4", "no way leads on"),
    ],
)
def test_what_cannot_be_raced_is_refused_by_its_element(change: Change, element: str | None, word: str) -> None:
    with pytest.raises(BadCircuit) as bad:
        change(RING)
    assert bad.value.element == element
    assert word in bad.value.message
    assert bad.value.hint


def test_the_ice_ends_at_the_line() -> None:
    with pytest.raises(BadCircuit, match="over the finish line"):
        ring("~......~", "..+.....")


def test_on_the_ice_it_must_be_clear_what_is_beside_a_square() -> None:
    lame = {"b4": Square("b4", 2, 4, "b5", "a6", None, on("ice"))}
    squares = tuple(lame.get(s.name, s) for s in ring("..~~~~..", "+.~~~~..").squares)
    with pytest.raises(BadCircuit, match="b4: what is beside it"):
        Circuit("lame", squares, (8, 1))


def test_there_are_no_more_dots_than_obstacle_cars() -> None:
    ring("o" * MOST_DOTS + "..", "+" + "." * (MOST_DOTS + 1))
    with pytest.raises(BadCircuit, match="at most 16 dots"):
        ring("o" * (MOST_DOTS + 1) + "..", "+" + "." * (MOST_DOTS + 2))


def test_a_road_that_is_blocked_is_refused_at_the_grid() -> None:
    with pytest.raises(BadCircuit, match="a8: no way leads from this starting square"):
        ring("..o.....", "+.o.....")


def test_two_lanes_are_a_circuit_too() -> None:
    assert (RING.grid, RING.ambulance, RING.dots) == (("a8", "b8"), "b3", frozenset())
    assert RING.behind["a1"] == "a8"
    assert RING.crosses("a8", "b1")
    assert not RING.crosses("a1", "a2")
