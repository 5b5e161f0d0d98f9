"""Secret things stay secret: what each player may know of one table, and what a look shows to whom."""

from __future__ import annotations

import pytest

from referee.turbo_time.moves import SHELF, Flip, Look, Place
from referee.turbo_time.position import read
from referee.turbo_time.seen import shown, view
from tests.turbo_time.play import after, all_of

TABLE = "T.l./dmmm/mbbb bg,Bu 2-5,7-10 13-36 11.12 1 1.6 powers"
"""Player 2 has the higher card."""


@pytest.mark.parametrize(
    ("player", "text"),
    [
        (None, "T.?./????/???? ??,B? x4,x4 x24 11.12 1 1.6 powers"),
        (0, "T.?./????/???? bg,B? 2-5,x4 x24 11.12 1 1.6 powers"),
        (1, "T.?./????/???? ??,Bu x4,7-10 x24 11.12 1 1.6 powers"),
    ],
)
def test_everybody_sees_what_lies_open_and_what_is_the_own(player: int | None, text: str) -> None:
    assert view(read(TABLE), player).text == text


def test_a_toy_looked_at_is_shown_to_who_looks_until_the_power_is_done() -> None:
    looked = after(TABLE, "look a3", settings=all_of("peek-swap"))
    assert view(looked, 1).text.split()[0] == "T.l./????/????"
    assert [view(looked, other).text.split()[0] for other in (0, None)] == ["T.?./????/????"] * 2
    done = after(looked, "swap a3 b1")
    assert view(done, 1).text.split()[0] == "T.?./????/????"


def test_which_toy_was_looked_at_is_seen_by_all() -> None:
    looked = after(TABLE, "look a3", settings=all_of("peek"))
    assert view(looked, None).text.endswith("powers:0:a3")


def test_a_flipped_toy_is_seen_by_all() -> None:
    assert view(after(TABLE, "flip a3", settings=all_of("flip")), None).text.split()[0] == "T.L./????/????"


def test_a_look_shows_one_toy_to_one_player() -> None:
    table, look = read(TABLE, all_of("peek")), Look(Place(SHELF, 2))
    assert shown(table, look, 1) == {Place(SHELF, 2): "lottery-ball"}
    assert shown(table, look, 0) == shown(table, look, None) == shown(table, Flip(Place(SHELF, 2)), 1) == {}
    assert shown(table, Look(Place(SHELF, 1)), 1) == {}


def test_the_look_before_taking_shows_one_toy_of_the_shelf() -> None:
    table = read("tulg/dmmm/mbbb b,b 2-5,7-10 * - 1 1.6 peek")
    assert shown(table, Look(Place(SHELF, 0)), 1) == {Place(SHELF, 0): "turbo-man"}
    assert view(after(table, "look a1"), 1).text.split()[0] == "????/????/????"
