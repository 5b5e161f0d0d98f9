"""Every decision is a named setting, and a file can change it."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from referee.errors import WrongUsage
from referee.rules import Rules, rules_from_toml, settings
from referee.rules.settings import rules_from_text


def test_every_setting_says_what_it_is() -> None:
    listed = settings()
    assert [s.name for s in listed] == [f.name for f in fields(Rules)]
    for setting in listed:
        assert re.fullmatch(r"R\d+|words", setting.rule), setting
        assert len(setting.says) > 15
        assert setting.default == getattr(Rules(), setting.name)
        if setting.name.endswith("_mm"):
            assert setting.unit == "mm"


def test_a_file_changes_the_settings_it_names(tmp_path: Path) -> None:
    file = tmp_path / "rules.toml"
    file.write_text('start_tolerance_mm = 12\nmode = "competitive"\nnitro = true\n')
    rules = rules_from_toml(file)
    assert (rules.start_tolerance_mm, rules.mode, rules.nitro, rules.donuts_owed) == (12, "competitive", True, 3)


def test_the_settings_may_stand_in_a_table() -> None:
    assert rules_from_text("[rules]\ndonuts_owed = 2").donuts_owed == 2


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("start_tolerence_mm = 12", "start_tolerance_mm"),
        ("zzz = 1", "referee rules"),
        ('start_tolerance_mm = "wide"', "a number from 0"),
        ("start_tolerance_mm = true", "a number from 0"),
        ("start_tolerance_mm = -1", "a number from 0"),
        ("start_tolerance_mm = nan", "a number from 0"),
        ("donuts_owed = 2.5", "a whole number"),
        ("drag_back_counts = 1", "true or false"),
        ('mode = "solo"', "'coop' or 'competitive'"),
        ("nitro = true", "competitive"),
        ('found_first = ["donuts-missing"]', "in some order"),
        ("dry_gap_mm = 5", "must not be larger"),
        ("= 3", "not valid TOML"),
        ("rules = 3", "must be a table"),
    ],
)
def test_a_wrong_file_says_what_is_wrong_and_what_to_do(text: str, says: str) -> None:
    with pytest.raises(WrongUsage) as fault:
        rules_from_text(text, "my.toml")
    assert says in fault.value.message + fault.value.hint
    assert fault.value.hint


def test_a_missing_file_is_wrong_usage(tmp_path: Path) -> None:
    with pytest.raises(WrongUsage, match="cannot read"):
        rules_from_toml(tmp_path / "none.toml")
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(WrongUsage, match="cannot read"):
        rules_from_toml(tmp_path / "bytes.toml")


def test_wrong_values_are_refused_in_python_too() -> None:
    with pytest.raises(WrongUsage, match="donuts_owed"):
        Rules(donuts_owed=0)


def test_geometry_is_told_the_numbers_it_looks_for() -> None:
    limits = Rules(dry_gap_mm=1.0, in_line_deg=20, lead_mm=3, near_miss_mm=2).limits()
    assert (limits.dry_gap_mm, limits.in_line_deg, limits.lead_mm, limits.near_mm) == (1.0, 20, 3, 2)
