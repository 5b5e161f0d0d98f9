"""Positions and deeds as text, both ways; whatever else is written is refused with a cure."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.turbo.deeds import deed_of, deed_text
from referee.turbo.faults import BadNotation
from referee.turbo.moves import OFF, Spot
from referee.turbo.position import Scale, read
from tests.turbo.play import random_race, turbo

START = "^a33,^b37 b19 * 1 counters"


def test_a_position_is_read_and_written_the_same() -> None:
    for seed in range(6):
        for _, log in random_race(seed):
            assert read(log.position.text, turbo()) == log.position


def test_what_the_words_of_a_position_mean() -> None:
    position = read("^a33,b7,:1 - a5,c9 2 own:4,2", turbo())
    assert position.cars == (Spot("a33", lap=False), Spot("b7"), OFF)
    assert (position.places, position.ambulance) == ((0, 0, 1), OFF)
    assert (position.obstacles, position.player, position.numbers) == (frozenset({"a5", "c9"}), 1, (4, 2))
    assert position.text == "^a33,b7,:1 - a5,c9 2 own:4,2"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "five words"),
        (f"{START} more", "five words"),
        ("a" * 3000, "five words"),
        (START.replace("^a33", "^"), "no place of a car"),
        (START.replace("^a33", "finish"), "no place of a car"),
        (START.replace("^a33", ":5"), "no place of a car"),
        (START.replace("^a33", "a99"), "no square “a99”"),
        (START.replace("b19", "7"), "no square “7”"),
        (START.replace("b19", "finish"), "no square “finish”"),
        (START.replace("b19", "a24"), "a24 is hatched"),
        (START.replace("b19", "a33"), "on a33 two things"),
        (START.replace("^a33", "^a9"), "has crossed the starting line"),
        (START.replace("*", "a5,a5"), "on a5 two things"),
        (START.replace("*", "a5,,b5"), "no square “”"),
        (START.replace("^a33,^b37", "^a33"), "2 to 4 cars"),
        (START.replace("^b37", "b1,c1,d1,b2"), "2 to 4 cars"),
        (START.replace(" 1 ", " 3 "), "only 2 play"),
        (START.replace(" 1 ", " 0 "), "no player"),
        (START.replace(" 1 ", " ¹ "), "no player"),
        (START.replace("counters", "dice"), "no phase"),
        (START.replace("counters", "counters:"), "no phase"),
        (START.replace("counters", "counters:3"), "no phase"),
        (START.replace("counters", "own"), "no phase"),
        (START.replace("counters", "own:3"), "no phase"),
        (START.replace("counters", "own:3,x"), "no number"),
        (START.replace("counters", "own:3,7"), "shows 1 to 6, not 7"),
        (START.replace("counters", "other:1,2,3"), "no phase"),
        (START.replace("counters", "over"), "with 2 cars"),
        (START.replace("^b37", ":1"), "with 1 car "),
        (START.replace("^b37", ":2"), "have the places 1, 2"),
        (START.replace("^a33", ":1,b4"), "player 1's car has finished"),
    ],
)
def test_what_is_no_position_is_refused(text: str, what: str) -> None:
    with pytest.raises(BadNotation) as bad:
        read(text, turbo())
    assert what in bad.value.message
    assert bad.value.hint


@pytest.mark.parametrize(
    "text",
    ["counters 4 2", "move 1 4 b5", "move ambulance 2 c8-c9", "move obstacle 1 a4", "move 2 6 a33-finish", "stay"],
)
def test_a_deed_is_read_and_written_the_same(text: str) -> None:
    assert deed_text(deed_of(text)) == text


@pytest.mark.parametrize(
    "text",
    ["", "go", "stay now", "counters 4", "counters 0 2", "counters 4 100", "move 5 4 b5", "move 1 x b5", "move 1 4 b5-",
     "move 1 4 -b5", "move 1 4  b5", "move 1 4", "move red 4 b5", "move 1 4 é5", "move 1 1 " + "-".join(["a"] * 200)],
)  # fmt: skip
def test_what_is_no_deed_is_refused(text: str) -> None:
    with pytest.raises(BadNotation):
        deed_of(text)


@pytest.mark.parametrize(("lowest", "highest"), [(0, 6), (4, 3), (1, 13), (-2, -1)])
def test_counters_that_show_no_numbers_are_refused(lowest: int, highest: int) -> None:
    with pytest.raises(BadNotation, match="a counter shows"):
        Scale(lowest, highest)


@settings(max_examples=300, deadline=None)
@given(st.text("ab3^:1-,*. counterswhx²\n", max_size=40) | st.text(max_size=30))
def test_any_text_is_a_position_and_a_deed_or_refused(text: str) -> None:
    for reads in (lambda: read(text, turbo()), lambda: deed_of(text)):
        try:
            reads()
        except BadNotation as bad:
            assert bad.hint  # noqa: PT017


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_a_position_with_something_else_in_it_is_another_one_or_refused(data: st.DataObject) -> None:
    text = "a5,:1,^b37 b19 * 1 own:4,2"
    at = data.draw(st.integers(0, len(text) - 1))
    other = text[:at] + data.draw(st.sampled_from("ab12:^,-* o")) + text[at + 1 :]
    try:
        assert read(read(other, turbo()).text, turbo()) == read(other, turbo())
    except BadNotation as bad:
        assert bad.hint  # noqa: PT017
