"""What every journey tells alike: a time as clocks show it, and a stage."""

from __future__ import annotations

from referee.race.clock import shown
from referee.service import language, stages
from referee.service.app import the


def clock_words(ms: int) -> str:
    """A time as a clock shows it, with the decimal sign of the language."""
    return shown(ms).replace(".", language.say("decimal"))


def stage_words(stage: int) -> str:
    """A stage's number with its name, as far as it is known."""
    name = stages.names(the().settings).get(stage)
    if name is None:
        return language.say("stage", number=stage)
    return language.say("stage_named", number=stage, name=name)


def stage_shown(stage: int) -> str:
    """The same for a page: its name is marked as English."""
    name = stages.names(the().settings).get(stage)
    if name is None:
        return stage_words(stage)
    return language.shown("stage_named", number=stage, name=language.as_named(name))
