"""What a table may play otherwise: there and back as a file, and what nobody can play is refused at birth."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.errors import RefereeError, WrongUsage
from referee.turbo_time.cards import POWER_LETTERS, POWERS, PRINTED, powers_text
from referee.turbo_time.faults import BadNotation
from referee.turbo_time.game import shuffled
from referee.turbo_time.settings import STANDARD, Settings, load, read, toml


def test_the_standard_table_has_sixteen_toys_and_each_power_high_and_low() -> None:
    assert sum(count for _, count in STANDARD.toys) == 16
    assert len(STANDARD.shelf_toys) == 12
    for power in POWERS:
        cards = [card for card in range(1, 37) if STANDARD.power_of(card) == power]
        assert (min(cards) <= 6, max(cards) >= 32) == (True, True)


def test_settings_go_into_a_file_and_back() -> None:
    other = Settings(
        tuple((toy, {"demon": 3, "booster": 8}.get(toy, count)) for toy, count in STANDARD.toys),
        PRINTED[::-1],
        "retelling",
    )
    assert (read(toml(STANDARD)), read(toml(other)), read("")) == (STANDARD, other, STANDARD)
    assert [POWER_LETTERS[letter] for letter in powers_text(other.powers)] == list(other.powers)


def test_a_card_named_in_a_file_changes_its_power_and_no_others() -> None:
    changed = read("[powers]\nshuffle = [36]")
    assert changed.power_of(36) == "shuffle"
    assert changed.powers[:35] == PRINTED[:35]


def test_a_table_with_other_toys_can_be_played() -> None:
    eight = read("[toys]\ndemon = 3\nbooster = 8")
    assert shuffled(4, 0, 1, eight).settings.count["booster"] == 8


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("flip =", "no TOML"),
        ("flap = 1", "“flap” is no setting here"),
        ('flip = "sideways"', "not by “sideways”"),
        ("flip = 7", "not by “7”"),
        ("toys = 7", "“toys” must be a table"),
        ("[toys]\ndemons = 4", "Known are: demon"),
        ("[toys]\ndemon = 4.0", "whole number"),
        ("[toys]\ndemon = true", "whole number"),
        ("[toys]\ndemon = 3", "sixteen toys, not 15"),
        ("[toys]\ndemon = -1\nbooster = 12", "sixteen toys"),
        ("[toys]\ndemon = 5\nbooster = 6", "four Demons at most"),
        ("[toys]\nturbo-man = 5\nbooster = 3", "four Boosters at least"),
        ("[powers]\nswap = 3", "list of cards"),
        ("[powers]\nswap = [0]", "list of cards"),
        ("[powers]\nswap = [true]", "list of cards"),
        ("[powers]\nswap = [3]\nflip = [3]", "card 3 has two powers"),
    ],
)
def test_what_nobody_can_play_is_refused(text: str, says: str) -> None:
    with pytest.raises(BadNotation, match=says) as refused:
        read(text)
    assert refused.value.hint


def test_settings_of_too_few_powers_are_refused() -> None:
    with pytest.raises(BadNotation, match="here are 35"):
        Settings(powers=PRINTED[:35])
    with pytest.raises(BadNotation, match="in this order"):
        Settings(toys=STANDARD.toys[::-1])


def test_a_file_that_is_not_there_or_no_text_is_named(tmp_path: Path) -> None:
    with pytest.raises(WrongUsage, match="cannot be read"):
        load(tmp_path / "none.toml")
    (tmp_path / "odd.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(WrongUsage, match="is no text"):
        load(tmp_path / "odd.toml")
    (tmp_path / "own.toml").write_text(toml(STANDARD))
    assert load(tmp_path / "own.toml") == STANDARD


@given(
    st.text(max_size=200)
    | st.lists(
        st.sampled_from(["[toys]", "[powers]", "demon = 3", "booster = 8", "flip = 'rulebook'", "swap = [1]", "= [["]),
        max_size=6,
    ).map("\n".join)
    | st.just("a = " + "[" * 5000)
)
def test_any_text_is_settings_or_is_refused(text: str) -> None:
    with suppress(RefereeError):
        assert read(toml(read(text))) == read(text)
