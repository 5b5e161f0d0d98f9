"""A log replays to the same position; a changed one is refused with its line and the rule."""

from __future__ import annotations

from contextlib import suppress
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.errors import RefereeError
from referee.turbo import log as logs
from referee.turbo.deeds import deed_of
from referee.turbo.faults import BadLog
from referee.turbo.position import Scale
from tests.turbo.play import random_race, ring, turbo

BY_HAND = """turbo log 1
circuit *
counters 1 6
turned 3.6.6 2.5
obstacles *
3 counters 2 1
3 move 3 2 b1-a2
3 move ambulance 1 b20
1 counters 6 3
1 move 1 3 c3
1 move 3 6 a8
"""


@cache
def finished(seed: int) -> str:
    """The log of a random race."""
    *_, (_, log) = random_race(seed)
    return logs.write(log)


def refused(text: str) -> tuple[int, str | None]:
    """Line and rule of what is wrong with a log."""
    with pytest.raises(BadLog, match=r"^line \d+: ") as broken:
        logs.read(text, turbo())
    return broken.value.line, broken.value.rule


def changed(text: str, line: int, old: str, new: str) -> str:
    """A log with something else in one line, from 1."""
    lines = text.splitlines()
    assert old in lines[line - 1]
    lines[line - 1] = lines[line - 1].replace(old, new, 1)
    return "\n".join(lines)


def test_a_race_is_written_and_replayed() -> None:
    for seed in range(6):
        log = logs.read(finished(seed), turbo())
        assert (log.checked, log.position.phase) == (True, "over")
        assert logs.write(log) == finished(seed)


def test_a_race_that_is_not_over_is_written_and_goes_on() -> None:
    chosen = sorted(turbo().dots - {"c4"} | {"c5"})
    log = logs.begun(turbo(), [[2, 7]], chosen, Scale(1, 9)).then(deed_of("counters 9 8"), player=1)
    again = logs.read(logs.write(log), turbo())
    assert again == log
    assert again.position.obstacles == set(chosen)


def test_a_log_written_by_hand_needs_no_checks_and_no_end() -> None:
    log = logs.read(BY_HAND, turbo())
    assert not log.checked
    assert log.position.text == "c3,^c41,a8 b20 * 2 counters"


@pytest.mark.parametrize(
    ("line", "old", "new", "rule"),
    [
        (2, "*", "12345678", "T1"),
        (3, "6", "99", "T1"),
        (3, "1 6", "6", "T1"),
        (4, "3.6.6", "3.6.5", "T1"),
        (4, "2.5", "2.2", "T1"),
        (4, "2.5", "2.5.1", "T1"),
        (4, " 2.5", "", "T1"),
        (4, "6", "7", "T1"),
        (4, "6", "six", "T1"),
        (5, "*", "-", "T1"),
        (5, "*", "a5,a5", "T1"),
        (6, "3", "1", "T2"),
        (6, "2 1", "2 7", "T1"),
        (6, "counters 2 1", "stay", "T2"),
        (7, "b1-a2", "b1-b1", "T4"),
        (7, "3 2", "3 1", "T2"),
        (7, "b1-a2", "a2-b1", "T4"),
        (8, "ambulance", "3", "T2"),
        (8, "ambulance", "obstacle", "T4"),
        (8, "b20", "c24", "T2"),
        (10, "c3", "c5", "T2"),
        (10, "1 3 c3", "1 4 a6", "T2"),
        (11, "a8", "finish", "T4"),
    ],
)
def test_a_deed_against_the_rules_is_refused_by_line_and_rule(line: int, old: str, new: str, rule: str) -> None:
    assert refused(changed(BY_HAND, line, old, new)) == (line, rule)


def test_every_letter_that_is_changed_is_found_in_its_line() -> None:
    text = finished(0)
    for number, line in enumerate(text.splitlines(), 1):
        for at in range(0, len(line), 4):
            other = line[:at] + ("7" if line[at] != "7" else "8") + line[at + 1 :]
            assert refused(changed(text, number, line, other))[0] in ((3, 4) if number == 3 else (number,))


def test_a_line_left_out_put_in_or_put_elsewhere_is_found() -> None:
    lines = finished(4).splitlines()
    for number in range(len(lines) - 1):
        assert refused("\n".join(lines[:number] + lines[number + 1 :]))[0] == number + 1
    assert refused("\n".join([*lines, "1 stay ~0000"]))[0] == len(lines) + 1
    assert refused("\n".join(lines[:-1]))[0] == len(lines) - 1
    assert refused("\n".join([*lines[:6], lines[7], lines[6], *lines[8:]]))[0] == 7


def test_a_log_of_another_circuit_is_refused() -> None:
    other = ring("........", "..+.....")
    with pytest.raises(BadLog, match="line 2: the race was on another circuit") as broken:
        logs.read(finished(0), other)
    assert broken.value.rule == "T1"


def test_checks_on_some_lines_alone_are_refused() -> None:
    lines = finished(4).splitlines()
    lines[6] = lines[6].split(" ~")[0]
    assert refused("\n".join(lines)) == (7, "T2")


def test_what_is_no_log_at_all_is_refused() -> None:
    assert refused("")[0] == 1
    assert refused("hello")[0] == 1
    assert refused("turbo log 1\ncircuit *")[0] == 3
    assert refused("x\n" * 20_001)[0] == 20_000
    assert refused("turbo log 1\n" + "x" * 999)[0] == 2
    assert refused(BY_HAND + "x stay\n") == (12, "T2")
    assert refused(BY_HAND + "end here\n") == (12, "T2")


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_any_change_of_a_log_is_refused_as_a_log(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from([BY_HAND, finished(0)]))
    at = data.draw(st.integers(0, len(text) - 1))
    other = text[:at] + data.draw(st.text("a1 3-.\n~é*", max_size=3)) + text[at + data.draw(st.integers(0, 4)) :]
    with suppress(BadLog):
        logs.read(other, turbo())


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=60))
def test_any_text_is_refused_as_a_log(text: str) -> None:
    with suppress(BadLog):
        logs.read(text, turbo())
    with suppress(RefereeError):
        logs.read("turbo log 1\ncircuit *\ncounters 1 6\nturned " + text, turbo())
