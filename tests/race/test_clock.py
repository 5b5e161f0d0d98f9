"""The clock: it goes on through everything, and never backwards."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.race import stored
from referee.race.clock import Clock, Elapsed, Instant, between, shown, total
from tests.race.moments import Machine

HOUR_MS = 3_600_000


def test_a_clock_shows_the_time_since_it_was_started() -> None:
    machine = Machine()
    clock = Clock(machine.now())
    assert clock.reading(machine.after(61_234)) == Elapsed(61_234)


@pytest.mark.parametrize("jump_ms", [-HOUR_MS, HOUR_MS, -50 * 365 * 24 * HOUR_MS])
def test_a_jump_of_the_wall_clock_changes_nothing(jump_ms: int) -> None:
    machine = Machine()
    clock = Clock(machine.now())
    machine.jump_wall(jump_ms)
    assert clock.reading(machine.after(40_000)) == Elapsed(40_000)


def test_a_closed_lid_counts() -> None:
    machine = Machine()
    clock = Clock(machine.now())
    assert clock.reading(machine.after(8 * HOUR_MS)).ms == 8 * HOUR_MS


def test_a_killed_server_that_comes_back_finds_the_same_time() -> None:
    machine = Machine()
    there = stored.to_json(Clock(machine.now()))
    machine.after(5_000)
    back = stored.from_json(Clock, there, "clock")
    assert back.reading(machine.after(2_000)) == Elapsed(7_000)


def test_a_stopped_clock_rests_and_keeps_its_time() -> None:
    machine = Machine()
    clock = Clock(machine.now()).stopped(machine.after(30_000))
    assert not clock.running
    assert clock.reading() == clock.reading(machine.after(HOUR_MS)) == Elapsed(30_000)
    assert clock.stopped(machine.now()) == clock


def test_a_clock_stopped_by_mistake_goes_on_as_though_it_had_not_been() -> None:
    machine = Machine()
    clock = Clock(machine.now()).stopped(machine.after(30_000)).unstopped()
    assert clock.reading(machine.after(5_000)) == Elapsed(35_000)


def test_during_a_countdown_no_time_passes() -> None:
    machine = Machine()
    clock = Clock(machine.now().later(3000))
    assert (clock.ahead_ms(machine.after(1000)), clock.reading(machine.now()).ms) == (2000, 0)
    assert (clock.ahead_ms(machine.after(2500)), clock.reading(machine.now()).ms) == (0, 500)


def test_a_running_clock_cannot_be_read_without_an_instant() -> None:
    with pytest.raises(ValueError, match="at some instant only"):
        Clock(Machine().now()).reading()


def test_a_restart_of_the_machine_falls_back_to_the_wall_clock_and_says_so() -> None:
    machine = Machine()
    clock = Clock(machine.now())
    machine.after(10_000)
    now = machine.restart(90_000)
    assert clock.reading(now) == Elapsed(100_000, by_wall=True)
    assert clock.stopped(now).by_wall
    assert not clock.by_wall


def test_after_a_restart_the_time_is_never_less_than_the_machine_has_been_up() -> None:
    machine = Machine()
    clock = Clock(machine.now())
    machine.after(10_000)
    machine.jump_wall(-HOUR_MS)
    machine.restart(60_000)
    assert clock.reading(machine.after(25_000)) == Elapsed(25_000, by_wall=True)


def test_a_clock_that_was_seen_after_the_restart_no_longer_minds_the_wall_clock() -> None:
    machine = Machine()
    clock = Clock(machine.now())
    machine.after(10_000)
    clock = clock.seen(machine.restart(60_000))
    machine.jump_wall(-HOUR_MS)
    assert clock.reading(machine.after(5_000)) == Elapsed(75_000, by_wall=True)


def test_what_was_seen_before_the_restart_does_not_hang_on_the_wall_clock() -> None:
    machine = Machine()
    clock = Clock(machine.now()).seen(machine.after(50_000))
    machine.jump_wall(-HOUR_MS)
    assert clock.reading(machine.restart(20_000)) == Elapsed(50_000, by_wall=True)


def test_requests_that_overtake_each_other_neither_turn_a_clock_back_nor_count_twice() -> None:
    machine = Machine()
    clock = Clock(machine.now())
    early, late = machine.after(1000), machine.after(40)
    clock = clock.seen(late).seen(early)
    assert clock.reading(early).ms == 1040
    assert clock.reading(machine.after(60)).ms == 1100
    assert between(late, early) == Elapsed(0)


def test_the_big_clock_adds_the_stages_and_keeps_the_mark() -> None:
    machine = Machine()
    first = Clock(machine.now()).stopped(machine.after(20_000))
    second = Clock(machine.after(HOUR_MS))
    assert total([first, second], machine.after(7_000)) == Elapsed(27_000)
    assert total([first, second], machine.restart(1_000)) == Elapsed(28_000, by_wall=True)
    assert total([]) == Elapsed(0)


@pytest.mark.parametrize(
    ("ms", "words"), [(0, "0:00.0"), (239_999, "3:59.9"), (240_000, "4:00.0"), (5_432_100, "90:32.1")]
)
def test_a_time_is_cut_and_not_rounded(ms: int, words: str) -> None:
    assert shown(ms) == words


@pytest.mark.parametrize("wrong", [("", 5, 5), ("boot", -1, 5)])
def test_there_is_no_instant_before_a_boot_or_without_one(wrong: tuple[str, int, int]) -> None:
    with pytest.raises(ValueError, match="an instant needs a boot"):
        Instant(*wrong)


def test_no_clock_shows_less_than_nothing() -> None:
    with pytest.raises(ValueError, match="less than nothing, got -1 ms"):
        Clock(Machine().now(), Elapsed(-1))


WAYS = st.lists(
    st.one_of(
        st.tuples(st.just("wait"), st.integers(0, 10**7)),
        st.tuples(st.just("jump"), st.integers(-(10**9), 10**9)),
        st.tuples(st.just("seen"), st.just(0)),
        st.tuples(st.just("stored"), st.just(0)),
    ),
    max_size=30,
)


@given(WAYS)
def test_without_a_restart_of_the_machine_the_time_is_exact_whatever_happens(ways: list[tuple[str, int]]) -> None:
    machine = Machine()
    clock = Clock(machine.now())
    for way, ms in ways:
        if way == "wait":
            machine.after(ms)
        elif way == "jump":
            machine.jump_wall(ms)
        elif way == "seen":
            clock = clock.seen(machine.now())
        else:
            clock = stored.from_json(Clock, stored.to_json(clock), "clock")
        assert clock.reading(machine.now()) == Elapsed(machine.true_ms)


@given(st.lists(st.tuples(st.sampled_from(["wait", "jump", "restart"]), st.integers(-(10**9), 10**9)), max_size=30))
def test_through_restarts_the_time_never_runs_backwards_and_is_marked(ways: list[tuple[str, int]]) -> None:
    machine = Machine()
    clock, before, restarted = Clock(machine.now()), 0, False
    for way, ms in ways:
        if way == "restart":
            machine.restart(abs(ms))
            restarted = True
        elif way == "wait":
            machine.after(abs(ms))
        else:
            machine.jump_wall(ms)
        clock = clock.seen(machine.now())
        assert clock.reading(machine.now()).ms >= before
        assert clock.by_wall is restarted
        before = clock.reading(machine.now()).ms
