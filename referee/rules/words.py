"""Why the verdict is what it is, in short plain sentences, and what a person is asked where it hangs on something.

The sentences themselves stand in `referee.words`: what went wrong by an accident's cause, a question by what a doubt is
about.
"""

from __future__ import annotations

from dataclasses import dataclass

from referee.model import Answer
from referee.rules.state import Doubt, Draft
from referee.words import Phrase, Place, say


@dataclass(frozen=True)
class Asked:
    """A question that yes or no answers; ``well`` is the answer by which the rule was kept."""

    key: str
    well: bool


KEPT_BY_YES = ("hidden-line", "start", "restart", "jump", "landing", "donuts", "zone", "slowing", "cross", "passing")
KEPT_BY_NO = ("line", "gap", "rim", "turned", "onward", "covered", "end", "lift", "seen", "through", "oil")
ABOUT_GADGETS = {"rope": True, "rope-landing": True, "touch": False, "misplaced": False}
QUESTIONS = {
    **{about: Asked(f"ask.{about}", True) for about in (*KEPT_BY_YES, "goes-on")},
    **{about: Asked(f"ask.{about}", False) for about in KEPT_BY_NO},
    **{about: Asked(f"ask.{about}", well) for about, well in ABOUT_GADGETS.items()},
}
"""By what a doubt is about (`Doubt.key`)."""


def of_ignored(accident: Draft) -> Phrase:
    """Why an accident was ignored."""
    wrong = say(f"went-wrong.{accident.cause}", element=Place(accident.element))
    return say("reason.ignored", wrong=wrong, back=Place(accident.back_to))


def answer_of(doubt: Doubt, kept: bool) -> Answer:
    """What one says to a doubt's question if the rule was kept, or was not."""
    return "yes" if kept == asked_of(doubt).well else "no"


def kept_by(doubt: Doubt, answer: Answer) -> bool:
    """Whether the rule was kept by an answer to a doubt's question."""
    return (answer == "yes") == asked_of(doubt).well


def asked_of(doubt: Doubt) -> Asked:
    """The question of a doubt."""
    about = doubt.key[0]
    return QUESTIONS["oil"] if doubt.rule == "R9" and about.startswith("hidden-") else QUESTIONS[about]


def question_of(doubt: Doubt, donuts_owed: int) -> Phrase:
    """What a person is asked."""
    return say(asked_of(doubt).key, element=Place(doubt.element), donuts=donuts_owed)


def of_doubt(doubt: Doubt, donuts_owed: int) -> Phrase:
    """What a person should look at, and why."""
    return say(f"reason.{doubt.why}", question=question_of(doubt, donuts_owed))
