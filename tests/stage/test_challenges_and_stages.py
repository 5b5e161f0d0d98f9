"""The table of challenges and the built-in stages, read together: a stage carries what its challenge's name says."""

from __future__ import annotations

from functools import cache

import pytest

from referee.model import Stage
from referee.rules.challenges import CHALLENGES, ListedStages, challenge, stages_needed
from referee.stage.catalogue import Catalogue


@cache
def built_in(number: int) -> Stage:
    return Catalogue().find(number)


def stages_of(name: str) -> list[Stage]:
    return [built_in(number) for number in stages_needed(challenge(name))]


@pytest.mark.parametrize("name", CHALLENGES)
def test_every_stage_that_a_challenge_lists_is_built_in(name: str) -> None:
    for number, stage in zip(stages_needed(challenge(name)), stages_of(name), strict=True):
        assert (stage.number, stage.set_name) == (number, "builtin")


def test_there_are_stages_enough_for_every_challenge_of_the_teams_own_choice() -> None:
    assert max(each.stages.count for each in CHALLENGES.values()) <= len(Catalogue().numbers())


@pytest.mark.parametrize(
    ("name", "theme"),
    [
        ("city-line-cup", "city"),
        ("park-life-cup", "park"),
        ("underworld-cup", "sewer"),
        ("head-in-the-clouds-cup", "sky"),
    ],
)
def test_a_cup_of_a_place_is_driven_in_that_place(name: str, theme: str) -> None:
    assert [stage.theme for stage in stages_of(name)] == [theme] * 3


def test_a_theme_that_the_table_names_is_the_theme_of_its_stages() -> None:
    named = [each for each in CHALLENGES.values() if isinstance(each.stages, ListedStages) and each.stages.theme]
    assert named
    for each in named:
        assert isinstance(each.stages, ListedStages)
        assert {stage.theme for stage in stages_of(each.id)} == {each.stages.theme}


def test_two_of_three_stages_of_the_mushroom_cup_lie_in_the_mushroom_wood() -> None:
    assert sum("mushroom" in stage.theme for stage in stages_of("mushroom-cup")) == 2


def test_at_least_two_of_three_stages_of_the_lightning_cup_have_a_boost() -> None:
    """All three have one: boosts are what is quick about them."""
    assert sum(bool(stage.accelerations) for stage in stages_of("lightning-cup")) >= 2


def test_every_stage_of_slippery_surface_has_oil() -> None:
    assert all(stage.oil_spills for stage in stages_of("slippery-surface"))


def test_every_stage_of_flying_ace_has_a_jump() -> None:
    assert all(stage.jumps for stage in stages_of("flying-ace"))
