"""The join code: told right from wrong, guessed at a thousand times, remembered in a signed cookie."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.errors import WrongUsage
from referee.service.join import (
    CLOCK_SET_BACK_S,
    FROM_ALL,
    FROM_ONE,
    LASTS_S,
    MOST_ADDRESSES,
    Join,
    checked,
    kept_key,
    new_code,
)

KEY = b"k" * 32
PHONE = "192.168.1.20"
GUESSER = "192.168.1.66"


class Clock:
    """Time that passes when told to."""

    def __init__(self) -> None:
        self.at_s = 1_000_000.0

    def __call__(self) -> float:
        return self.at_s


def joined(code: str = "482915", clock: Clock | None = None, now: Clock | None = None) -> Join:
    return Join(code, KEY, clock or Clock(), now or Clock())


@pytest.mark.parametrize("given", ["482915", "482 915", " 482-915 ", "4 8 2 9 1 5", "482.915"])
def test_the_code_is_right_however_it_is_spaced(given: str) -> None:
    assert joined().tried(given, PHONE).joined


@pytest.mark.parametrize(
    "given", ["", "48291", "4829155", "482916", "482915; --", "%", "４８２９１５", "\x00", "\ud800"]
)
def test_anything_else_is_wrong(given: str) -> None:
    assert not joined().tried(given, PHONE).joined


def test_a_code_of_one_s_own_is_told_in_either_case() -> None:
    assert joined("Rennauto 7").tried("rennAUTO7", PHONE).joined


def test_the_ticket_of_the_qr_code_is_right_and_differs_from_start_to_start() -> None:
    join = joined()
    assert join.tried(join.ticket, PHONE).joined
    assert not joined().tried(join.ticket, PHONE).joined
    assert len(join.ticket) >= 22


def test_codes_are_made_anew_and_read_in_threes() -> None:
    codes = {new_code() for _ in range(200)}
    assert len(codes) > 190
    assert all(len(code) == 6 and code.isdecimal() for code in codes)
    assert joined().spoken() == "482 915"
    assert joined("Rennauto 7").spoken() == "Rennauto 7"


@pytest.mark.parametrize("code", ["12345", "- - - - - -", "a" * 65, "abc\ndefg", "      "])
def test_a_code_that_anybody_guesses_or_nobody_can_type_is_refused(code: str) -> None:
    with pytest.raises(WrongUsage, match="join code"):
        checked(code)


def test_a_thousand_wrong_codes_get_nowhere_and_nothing_is_compared_while_locked() -> None:
    join, compared = joined(), 0
    for guess in range(1000):
        answer = join.tried(f"{guess:06}", GUESSER)
        assert not answer.joined
        compared += answer.wait_s == 0
    assert compared == FROM_ONE.most
    assert not join.tried("482915", GUESSER).joined, "even the right code is not compared now"


def test_a_thousand_addresses_get_nowhere_either() -> None:
    join = joined()
    answers = [join.tried(f"{guess:06}", f"10.0.{guess // 256}.{guess % 256}") for guess in range(1000)]
    assert sum(answer.wait_s == 0 for answer in answers) == FROM_ALL.most


def test_a_day_of_guessing_by_many_tries_less_than_one_code_in_a_hundred() -> None:
    clock = Clock()
    join, compared = joined(clock=clock), 0
    for second in range(24 * 3600):
        clock.at_s += 1
        compared += join.tried("000000", f"10.0.0.{second % 200}").wait_s == 0
    assert compared < 10_000


def test_one_guesser_does_not_lock_out_the_others() -> None:
    join = joined()
    for _ in range(1000):
        join.tried("000000", GUESSER)
    assert join.tried("482915", PHONE).joined


def test_many_guessers_lock_the_code_but_not_the_ticket() -> None:
    join = joined()
    for guess in range(1000):
        join.tried("000000", f"10.0.0.{guess % 200}")
    assert join.tried("482915", PHONE).wait_s > 0
    assert join.tried(join.ticket, PHONE).joined


def test_a_lock_opens_by_itself_after_the_time_it_told_though_guesses_went_on() -> None:
    clock = Clock()
    join = joined(clock=clock)
    for _ in range(1000):
        answer = join.tried("000000", PHONE)
    assert 0 < answer.wait_s <= FROM_ONE.one_more_s
    clock.at_s += answer.wait_s + 0.001
    assert join.tried("482915", PHONE).joined


def test_one_who_mistyped_four_times_still_gets_in() -> None:
    join = joined()
    for _ in range(4):
        assert not join.tried("482951", PHONE).joined
    assert join.tried("482915", PHONE).joined


def test_right_codes_take_no_tries() -> None:
    join = joined()
    assert all(join.tried("482915", PHONE).joined for _ in range(100))


def test_addresses_of_one_ipv6_network_share_their_tries() -> None:
    join = joined()
    answers = [join.tried("000000", f"2001:db8::{index:x}") for index in range(100)]
    assert sum(answer.wait_s == 0 for answer in answers) == FROM_ONE.most


def test_addresses_without_end_do_not_fill_the_memory() -> None:
    clock = Clock()
    join = joined(clock=clock)
    for index in range(MOST_ADDRESSES + 100):
        clock.at_s += FROM_ALL.one_more_s
        join.tried("000000", f"10.{index >> 16}.{index >> 8 & 255}.{index & 255}")
    assert len(join._tried._ones) == MOST_ADDRESSES


def test_a_cookie_is_good_for_an_evening_and_keeps_its_visitor() -> None:
    now = Clock()
    join = joined(now=now)
    cookie = join.cookie()
    visitor = join.visitor(cookie)
    assert visitor
    assert join.visitor(join.cookie(visitor)) == visitor
    now.at_s += LASTS_S
    assert join.visitor(cookie) == visitor
    now.at_s += 1
    assert join.visitor(cookie) is None


def test_a_clock_set_back_by_an_hour_sends_nobody_away() -> None:
    now = Clock()
    join = joined(now=now)
    cookie = join.cookie()
    now.at_s -= 3600
    assert join.visitor(cookie)
    now.at_s -= CLOCK_SET_BACK_S
    assert join.visitor(cookie) is None


def test_a_restart_with_the_same_key_knows_its_visitors_and_another_key_knows_none() -> None:
    cookie = joined().cookie()
    assert joined("another code").visitor(cookie)
    assert Join("", b"other" * 8).visitor(cookie) is None


@settings(deadline=None)
@given(st.text(max_size=80))
def test_no_made_up_cookie_is_ours(cookie: str) -> None:
    assert joined().visitor(cookie) is None


def test_a_changed_cookie_is_not_ours() -> None:
    join = joined()
    cookie = join.cookie("aa")
    assert join.visitor(cookie) == "aa"
    for at in range(len(cookie)):
        assert join.visitor(cookie[:at] + ("A" if cookie[at] != "A" else "B") + cookie[at + 1 :]) in (None, "aa")
        assert join.visitor(cookie[:at]) is None
    assert join.visitor("bb" + cookie[2:]) is None


def test_the_key_is_kept_for_the_owner_s_eyes_only(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        key = kept_key(tmp_path / "data")
    finally:
        os.umask(before)
    assert kept_key(tmp_path / "data") == key
    if sys.platform != "win32":
        path = tmp_path / "data" / "join.key"
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        path.chmod(0o644)
        assert kept_key(tmp_path / "data") != key, "others may have read it"


@pytest.mark.parametrize("spoilt", [b"", b"short", b"x" * 1000])
def test_a_damaged_key_is_replaced(tmp_path: Path, spoilt: bytes) -> None:
    (tmp_path / "join.key").write_bytes(spoilt)
    (tmp_path / "join.key").chmod(0o600)
    assert len(kept_key(tmp_path)) == 32


def test_a_folder_that_cannot_be_used_is_said_with_a_cure(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(WrongUsage, match="Name a data folder"):
        kept_key(tmp_path / "file")
