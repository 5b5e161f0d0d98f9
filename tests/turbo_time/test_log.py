"""A log replays to the same position; a changed one is refused with its line and the rule."""

from __future__ import annotations

from contextlib import suppress
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.errors import RefereeError
from referee.turbo_time import log as logs
from referee.turbo_time.faults import BadLog
from referee.turbo_time.game import shuffled
from referee.turbo_time.log import Log
from referee.turbo_time.moves import move_of
from referee.turbo_time.settings import Settings
from tests.turbo_time.play import random_game

BY_HAND = """turbo-time log 1
settings rulebook tulgdmmmmbbbbbbb ssssssssssssssssssssssssssssssssssss
players 3 leader 2
shelf tulgdmmmmbbb
deck 1-36
2 play 6
3 play 11
1 play 1
3 swap a1 1:1
2 swap a1 1:1
1 swap a2 a3
3 take c4
2 take a1
1 discard 2 3
* draw
"""


@cache
def finished(seed: int) -> str:
    """The log of a random game."""
    *_, (_, log) = random_game(seed)
    return logs.write(log)


def refused(text: str) -> tuple[int, str | None]:
    """Line and rule of what is wrong with a log."""
    with pytest.raises(BadLog, match=r"^line \d+: ") as broken:
        logs.read(text)
    return broken.value.line, broken.value.rule


def changed(text: str, line: int, old: str, new: str) -> str:
    """A log with something else in one line, from 1."""
    lines = text.splitlines()
    assert old in lines[line - 1]
    lines[line - 1] = lines[line - 1].replace(old, new, 1)
    return "\n".join(lines)


def test_a_game_is_written_and_replayed() -> None:
    for seed in range(6):
        log = logs.read(finished(seed))
        assert log.checked
        assert log.position.phase == "over"
        assert logs.write(log) == finished(seed)


def test_a_game_that_is_not_over_is_written_and_goes_on() -> None:
    log = Log(shuffled(3, 1, seed=5, settings=Settings(flip="retelling")))
    log = log.then(move_of(f"play {log.position.hands[1][0]}"), player=1)
    again = logs.read(logs.write(log))
    assert again == log
    assert again.then(move_of(f"play {log.position.hands[2][0]}")).position.played


def test_a_log_written_by_hand_needs_no_checks_and_no_end() -> None:
    log = logs.read(BY_HAND)
    assert not log.checked
    assert log.position.text == ".lug/dmmm/mbb. b,bt,bb 4.5.16-18,7-10.19,12-15.20 21-36 2.3.6.11.1 1 - play"


@pytest.mark.parametrize(
    ("line", "old", "new", "rule"),
    [
        (2, "rulebook", "sideways", "I1"),
        (2, " s", " x", "I1"),
        (3, "3", "5", "I1"),
        (3, "2", "4", "I1"),
        (4, "t", "b", "I1"),
        (5, "1-36", "1-35", "I1"),
        (6, "6", "5", "I2"),
        (6, "2 play", "1 play", "I2"),
        (7, "play 11", "take a1", "I2"),
        (9, "3 swap", "2 swap", "I2"),
        (9, "1:1", "1:2", "I4"),
        (10, "swap a1 1:1", "pass", "I4"),
        (11, "a2 a3", "a2 a2", "I4"),
        (12, "c4", "2:1", "I2"),
        (13, "a1", "c4", "I2"),
        (14, "2 3", "2 2", "I3"),
        (14, "1 discard", "* discard", "I3"),
        (15, "draw", "draw 1", "I3"),
        (15, "*", "1", "I3"),
    ],
)
def test_a_move_against_the_rules_is_refused_by_line_and_rule(line: int, old: str, new: str, rule: str) -> None:
    assert refused(changed(BY_HAND, line, old, new)) == (line, rule)


def test_a_move_that_is_allowed_but_was_not_made_is_refused_too() -> None:
    lines = finished(3).splitlines()
    line, take = next((n, text) for n, text in enumerate(lines, 1) if " discard " in text)
    other = take.split(" ~")[0].rsplit(" ", 1)[0]
    assert refused(changed(finished(3), line, take.split(" ~")[0], other)) == (line, "I3")


def test_every_letter_that_is_changed_is_found_in_its_line() -> None:
    text = finished(2)
    for number, line in enumerate(text.splitlines(), 1):
        for at in range(0, len(line), 3):
            other = line[:at] + ("7" if line[at] != "7" else "8") + line[at + 1 :]
            assert refused(changed(text, number, line, other))[0] == number


def test_a_line_left_out_put_in_or_put_elsewhere_is_found() -> None:
    lines = finished(4).splitlines()
    for number in range(len(lines) - 1):
        assert refused("\n".join(lines[:number] + lines[number + 1 :]))[0] == number + 1
    assert refused("\n".join([*lines, "1 pass ~0000"]))[0] == len(lines) + 1
    assert refused("\n".join(lines[:-1]))[0] == len(lines) - 1
    assert refused("\n".join([*lines[:6], lines[7], lines[6], *lines[8:]]))[0] == 7


def test_checks_on_some_lines_alone_are_refused() -> None:
    lines = finished(4).splitlines()
    lines[6] = lines[6].split(" ~")[0]
    assert refused("\n".join(lines)) == (7, "I2")


def test_what_is_no_log_at_all_is_refused() -> None:
    assert refused("")[0] == 1
    assert refused("hello")[0] == 1
    assert refused("turbo-time log 1\nplayers 3 leader 1")[0] == 2
    assert refused("x\n" * 2000)[0] == 1000
    assert refused("turbo-time log 1\n" + "x" * 999)[0] == 2
    assert refused(BY_HAND + "4 play 3\n") == (16, "I2")
    assert refused(BY_HAND + "x play 3\n") == (16, "I2")
    assert refused(BY_HAND + "end here\n") == (16, "I2")


# ----------------------------------------------------------------------------------------- whatever somebody writes

LINES = st.sampled_from(BY_HAND.splitlines()) | st.text(max_size=40) | st.sampled_from(finished(0).splitlines())


@settings(deadline=None)
@given(st.lists(LINES, max_size=25).map("\n".join))
def test_any_text_is_a_log_or_is_refused(text: str) -> None:
    with suppress(RefereeError):
        logs.read(text)


@settings(deadline=None)
@given(st.integers(0, 14), st.integers(0, 60), st.characters())
def test_a_log_with_a_letter_changed_replays_or_is_refused(line: int, at: int, letter: str) -> None:
    lines = BY_HAND.splitlines()
    lines[line] = lines[line][:at] + letter + lines[line][at + 1 :]
    with suppress(RefereeError):
        logs.read("\n".join(lines))
