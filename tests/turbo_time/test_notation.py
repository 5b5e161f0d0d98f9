"""A position and a move as text: there and back, and what is no position is refused, saying which word is wrong."""

from __future__ import annotations

from contextlib import suppress
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.errors import RefereeError
from referee.turbo_time.faults import BadNotation
from referee.turbo_time.game import legal, shuffled, step
from referee.turbo_time.moves import move_of, move_text
from referee.turbo_time.position import cards_of, cards_text, read
from tests.turbo_time.play import TWO, random_game

GOOD = "tulg/dmmm/mbbb b,b 1-5,6-10 11-36 - 1 - play"


def test_a_position_is_eight_words_there_and_back() -> None:
    assert read(GOOD).text == GOOD
    assert read(TWO).text == GOOD


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "eight words"),
        (GOOD + " more", "eight words"),
        ("tulg/dmmm b,b 1-5,6-10 * - 1 - play", "three rows of four"),
        ("xulg/dmmm/mbbb b,b 1-5,6-10 * - 1 - play", "no toy's letter"),
        ("tulg/dmmm/mbbb b 1-5 * - 1 - play", "two to four"),
        ("tulg/dmmm/mbbb b,b 1-5 * - 1 - play", "2 carts and 1 hand"),
        ("tulg/dmmm/mbbb b,b,b,b,b 1-5,6-10,11-15,16-20,21-25 * - 1 - play", "two to four"),
        ("ttlg/dmmm/mbbb b,b 1-5,6-10 * - 1 - play", "of Turbo Man there must be 1"),
        ("tulg/dmmm/mbb. b,bb 1-5,6-10 * - 1 - play", "phase “play”"),
        (".ulg/dmmm/.bbb bt,bm 1-5,6-10 * - 1 - play", None),
        ("..lg/dmmm/mbbb btu,b 1-5,6-10 * - 1 - play", "1 to 2 toys"),
        ("t.lg/dmmm/mbbb bub, 1-5,6-10 * - 1 - play", "1 to 2 toys"),
        ("tulg/dmmm/mbbb b,b 1-5,5-9 * - 1 - play", "card 5 must be there once"),
        ("tulg/dmmm/mbbb b,b 1-5,6-10 12-36 - 1 - play", "card 11 must be there once"),
        ("tulg/dmmm/mbbb b,b 1-5,6-10 11-37 - 1 - play", "no card 37"),
        ("tulg/dmmm/mbbb b,b 5.4.3.2.1,6-10 * - 1 - play", "cards go up"),
        ("tulg/dmmm/mbbb b,b 1-4,6-10 * - 1 - play", "player 1 must hold 5"),
        ("tulg/dmmm/mbbb b,b 1-6,7-11 * - 1 - play", "player 1 must hold 5"),
        ("tulg/dmmm/mbbb b,b 5-1,6-10 * - 1 - play", "no card and no range"),
        ("tulg/dmmm/mbbb b,b 1-5,6-10 * - 3 - play", "one of the 2 players"),
        ("tulg/dmmm/mbbb b,b 1-5,6-10 * - x - play", "no leader"),
        ("tulg/dmmm/mbbb b,b 1-5,6-10 * - 1 - rest", "no phase"),
        ("tulg/dmmm/mbbb b,b 1-5,6-10 * - 1 - play:1", "1 turn done"),
        ("tulg/dmmm/mbbb b,b 1-5,6-10 * - 1 - powers", "0 played cards"),
        ("tulg/dmmm/mbbb b,b 2-5,7-10 * - 1 1.6 play", "2 played cards"),
        ("tulg/dmmm/mbbb b,b 2-5,7-10 * - 1 1.6 over", "phase “over”"),
        ("tulg/dmmm/mbbb b,b 2-5,7-10 * - 1 1.6 powers:2", "no phase"),
        ("tulg/dmmm/mbbb b,b 2-5,7-10 * - 1 1.6 powers:0:a1,a1", "cannot have looked"),
        ("tulg/dmmm/mbbb b,b 2-5,7-10 * - 1 1.6 powers:0:z9", "no place"),
        ("tulg/dmmm/mbbb b,b 2-5,7-10 * - 1 1.6 take:0:a1", "cannot have looked"),
        ("tulg/dmmm/mbbb b,b,b 2-5,7-10,12-15 * - 1 1.6.11 peek", "only with two players"),
    ],
)
def test_what_is_no_position_is_refused_with_what_is_wrong(text: str, says: str | None) -> None:
    if says is None:
        assert read(text)
        return
    with pytest.raises(BadNotation, match=says) as refused:
        read(text)
    assert refused.value.hint


@pytest.mark.parametrize(
    "text",
    ["", "play", "play x", "play 1 2", "play 100", "look", "look d1", "look a5", "look 5:1", "look 1:0", "look 1:100",
     "swap a1", "swap a1 a2 a3", "shuffle", "shuffle 0", "pass 1", "PASS", "take ٣:1", "discard x", "draw  1"],
)  # fmt: skip
def test_what_is_no_move_is_refused(text: str) -> None:
    with pytest.raises(BadNotation):
        move_of(text)


def test_every_move_of_a_game_goes_into_text_and_back() -> None:
    for seed in range(3):
        for before, log in random_game(seed):
            assert all(move_of(move_text(move)) == move for move in legal(before.position))
            assert move_of(move_text(log.entries[-1].move)) == log.entries[-1].move


@given(st.permutations(range(1, 37)), st.integers(0, 36))
def test_cards_go_into_text_and_back(cards: list[int], count: int) -> None:
    assert cards_of(cards_text(cards[:count])) == tuple(cards[:count])


# ----------------------------------------------------------------------------------------- whatever somebody writes

LETTERS = st.sampled_from([*"tulgdmbTULGDMB./,:- *019", "play", "powers", "over", "\x00", "é", "٣", "\n"])
WORDS = st.lists(LETTERS, max_size=14).map("".join)


@given(st.lists(WORDS, max_size=10).map(" ".join) | st.text(max_size=300))
def test_any_text_is_a_position_or_is_refused(text: str) -> None:
    with suppress(RefereeError):
        assert read(read(text).text) == read(text)


@cache
def positions() -> list[list[str]]:
    """The words of every position of some games."""
    return [log.position.text.split(" ") for seed in range(6) for _, log in random_game(seed)]


@settings(deadline=None)  # the first example plays the games
@given(st.data())
def test_a_position_with_a_word_changed_is_a_position_or_is_refused_and_plays_on(data: st.DataObject) -> None:
    words = list(data.draw(st.sampled_from(positions())))
    at = data.draw(st.integers(0, 7))
    words[at] = data.draw(WORDS | st.sampled_from(positions()).map(lambda other: other[at]))
    with suppress(RefereeError):
        position = read(" ".join(words))
        for move in list(legal(position))[:5]:
            step(position, move)


@given(st.lists(WORDS | st.sampled_from(["play", "swap", "look", "a1", "2:1", "draw"]), max_size=5).map(" ".join))
def test_any_text_is_a_move_that_is_made_or_refused(text: str) -> None:
    at = shuffled(2, 0, seed=1)
    with suppress(RefereeError):
        step(at, move_of(text))
