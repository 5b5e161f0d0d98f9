"""The nineteen challenges of R13, held against the list as the rules page has it."""

from __future__ import annotations

import pytest

from referee.errors import WrongUsage
from referee.rules.challenges import (
    CHALLENGES,
    CONDITIONS,
    LEVELS,
    AnyStages,
    Challenge,
    ListedStages,
    challenge,
    stage_faults,
    stages_needed,
)

R13 = """
Qualification | any 2 | 4:00 |
Bravery | any 3 | 4:30 |
Confidence | any 1 | 1:00 | no-accident
The Montreal Marathon Cup | any 4 | 4:30 |
Driving Ace | any 1 | 0:40 |
Perfect Fit | any 3 | 3:30 | no-accident
City Line Cup | 2, 3, 5 | 4:00 |
Park Life Cup | 1, 6, 7 park | 4:00 |
Underworld Cup | 12, 13, 15 sewer | 4:00 |
Beep Beep Mini-Race | 2, 6 | 2:00 |
Head in the Clouds Cup | 10, 11, 14 | 3:30 |
Lightning Cup | 6, 8, 9 | 3:00 |
Mushroom Cup | 4, 5, 8 | 4:00 |
Slippery Surface | 13, 14, 15 | 2:00 |
Radio Race | 4, 5, 7 | 2:30 | no-joystick
Mute Race | any 1 | 2:30 | silent
Mirror Race | any 1 | 2:00 | mirrored
Grand Champion | any 2 | 1:00 |
Flying Ace | 10, 11, 12, 16 | 3:30 |
"""
ALL = list(CHALLENGES.values())


def row(of: Challenge) -> list[str]:
    """A challenge as the rules page writes it."""
    if isinstance(of.stages, AnyStages):
        stages = f"any {of.stages.count}"
    else:
        stages = " ".join(filter(None, [", ".join(map(str, of.stages.numbers)), of.stages.theme]))
    return [of.name.en, stages, f"{of.target_s // 60}:{of.target_s % 60:02}", ", ".join(of.conditions)]


def test_the_table_is_that_of_the_rules() -> None:
    assert [row(each) for each in ALL] == [
        [cell.strip() for cell in f"{line}| ".split("|")[:4]] for line in R13.strip().splitlines()
    ]


def test_there_are_nineteen_and_each_is_found_by_its_id() -> None:
    assert len(CHALLENGES) == 19
    assert all(challenge(each.id) is each for each in ALL)


def test_a_challenge_that_is_not_there_is_refused_with_those_that_are() -> None:
    with pytest.raises(WrongUsage, match=r"no challenge called 'quali'.*qualification, bravery"):
        challenge("quali")


def test_names_and_words_are_there_in_both_languages() -> None:
    words = [each.name for each in ALL] + [each.stages.text for each in ALL]
    words += [each.text for each in CONDITIONS.values()] + list(LEVELS.values())
    assert all(text.en.strip() and text.fr.strip() for text in words)
    assert len({each.name.fr for each in ALL}) == len({each.name.en for each in ALL}) == 19


def test_the_stages_are_said_in_words() -> None:
    assert challenge("park-life-cup").stages.text.en == "park stages 1, 6 and 7"
    assert challenge("park-life-cup").stages.text.fr == "pistes du parc 1, 6 et 7"
    assert challenge("grand-champion").stages.text.to("en") == "any 2 stages"
    assert challenge("mute-race").stages.text.to("fr") == "n'importe quelle piste"


def test_every_level_holds_some_challenges_and_a_quicker_pace_is_never_easier() -> None:
    assert {each.level for each in ALL} == set(LEVELS)
    plain = sorted(
        (e for e in ALL if not e.conditions and e.id != "underworld-cup"), key=lambda e: -e.target_s / e.stages.count
    )
    assert [each.level for each in plain] == sorted(each.level for each in plain)


@pytest.mark.parametrize(
    ("id", "level"),
    [("qualification", 1), ("mushroom-cup", 1), ("montreal-marathon-cup", 2), ("underworld-cup", 2), ("mute-race", 2),
     ("beep-beep-mini-race", 2), ("confidence", 3), ("radio-race", 3), ("grand-champion", 3)],
)  # fmt: skip
def test_a_condition_or_the_sewer_makes_a_challenge_one_level_harder(id: str, level: int) -> None:
    assert challenge(id).level == level


def test_what_only_the_team_can_know_is_declared() -> None:
    assert {name for name, condition in CONDITIONS.items() if condition.declared} == {
        "no-joystick",
        "silent",
        "mirrored",
    }
    assert challenge("radio-race").declared == ("no-joystick",)
    assert challenge("confidence").declared == ()


def test_a_listed_challenge_says_which_stages_it_needs_and_in_which_order() -> None:
    assert stages_needed(challenge("underworld-cup")) == (12, 13, 15)
    assert stages_needed(challenge("bravery")) == ()


@pytest.mark.parametrize("each", ALL, ids=lambda each: each.id)
def test_every_challenge_takes_the_stages_it_asks_for_and_no_others(each: Challenge) -> None:
    good = list(stages_needed(each)) or list(range(1, each.stages.count + 1))
    assert stage_faults(each, good) == ()
    assert "too-few" in stage_faults(each, good[:-1])
    assert "too-many" in stage_faults(each, [*good, 20])
    if isinstance(each.stages, ListedStages):
        assert stage_faults(each, good[::-1]) == ("not-the-listed",)
        assert stage_faults(each, [*good[:-1], 20]) == ("not-the-listed",)


def test_the_same_stage_twice_is_no_two_stages_unless_that_is_decided() -> None:
    assert stage_faults(challenge("qualification"), [1, 1]) == ("twice",)
    assert stage_faults(challenge("qualification"), [1, 1], different=False) == ()
