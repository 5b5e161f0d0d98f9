"""What every journey tells alike: a time as clocks show it, and a stage."""

from __future__ import annotations

from referee.model import Json
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


def stage_marked(words: str, stage: int | None) -> str:
    """Words that somebody else has put together, in which a stage may be named: its name is marked as English."""
    return language.marked(words, None if stage is None else stages.names(the().settings).get(stage))


def clock_described(whose: str, *, may_be_none: bool = False) -> Json:
    """A clock as the API tells it, described."""
    return {
        "type": ["object", "null"] if may_be_none else "object",
        "required": ["ms", "runs", "countdown_ms", "by_wall", "boot", "now_ms"],
        "description": f"{whose}: ms at the instant now_ms of the machine's run called boot. While runs is true it "
        "counts on from there, but not before countdown_ms have passed.",
        "properties": {
            "ms": {"type": "integer", "minimum": 0},
            "runs": {"type": "boolean"},
            "countdown_ms": {"type": "integer", "minimum": 0},
            "by_wall": {"type": "boolean", "description": "The machine was restarted meanwhile."},
            "boot": {"type": "string"},
            "now_ms": {"type": "integer"},
        },
    }
