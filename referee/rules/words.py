"""Why the verdict is what it is, in short plain sentences, and what a person is asked where it hangs on something."""

from __future__ import annotations

from dataclasses import dataclass

from referee.model import place_name
from referee.rules.state import Doubt, Draft

WENT_WRONG = {
    "white-line": "The car went over {element}",
    "lift": "The marker was lifted on the way",
    "jump": "The jump at {element} went wrong",
    "slowdown-missed": "The car did not go through the slowdown zone before {element}",
    "donuts-missing": "The donuts for the oil spill were not all drawn before {element}",
    "checkpoint-missed": "The car missed {element}",
    "start": "The first stroke does not begin on the start arrow",
    "clothesline": "The car ran into {element}",
    "mine": "The car touched {element}",
}
NOT_GONE_BACK = "and the race did not go back to {back}"


@dataclass(frozen=True)
class Asked:
    """A question that yes or no answers; ``well`` is the answer by which the rule was kept."""

    words: str
    well: bool


QUESTIONS = {
    "line": Asked("Did the ink go over {element}?", False),
    "hidden-line": Asked("Did the ink stay inside the white lines here ({element})?", True),
    "gap": Asked("Was the marker lifted here? It may only have been dry.", False),
    "rim": Asked("Was the marker lifted here? The ink ends beside something that the picture does not show.", False),
    "turned": Asked(
        "Was the marker lifted here? The ink ends where a restart would begin: "
        "perhaps that stroke was drawn the other way.",
        False,
    ),
    "onward": Asked("Was the marker lifted here? How the path goes on from here is not to be seen.", False),
    "covered": Asked("Was the marker lifted here, where other ink lies over it?", False),
    "end": Asked("Was the marker lifted here, where it may not be?", False),
    "start": Asked("Did the race begin close enough to the start arrow?", True),
    "restart": Asked("Did the car start again close enough to {element}?", True),
    "jump": Asked("Did the marker leave the board inside {element}?", True),
    "landing": Asked("Did the marker come down inside {element}?", True),
    "through": Asked("Did the car drive on through {element} without lifting?", False),
    "oil": Asked("Does the ink touch {element}?", False),
    "donuts": Asked("Are there {donuts} donuts for {element}, clear of each other?", True),
    "touch": Asked("Does the ink touch {element}?", False),
    "rope": Asked("Did the marker leave the board between the dotted line and {element}?", True),
    "rope-landing": Asked("Did the marker come down between {element} and the dotted line behind it?", True),
    "misplaced": Asked("Does running into {element} count?", False),
    "zone": Asked("Was the car in {element}?", True),
    "slowing": Asked("Was the car in {element}?", True),
    "cross": Asked("Did the car cross {element}?", True),
    "passing": Asked("Did the car cross {element}?", True),
}
"""By what a doubt is about (`Doubt.key`)."""
LOOKED_AT = {
    "close": "Too close to call: ",
    "unseen": "The picture does not show it: ",
    "misplaced": "Drawn where it may not be: ",
}
ASK = " Please look and decide."


def of_ignored(accident: Draft) -> str:
    """Why an accident was ignored."""
    wrong = WENT_WRONG[accident.cause or ""].format(element=place_name(accident.element))
    return f"{wrong}, {NOT_GONE_BACK.format(back=place_name(accident.back_to))}."


def asked_of(doubt: Doubt) -> Asked:
    """The question of a doubt, its names not yet filled in."""
    about = doubt.key[0]
    return QUESTIONS["oil"] if doubt.rule == "R9" and about.startswith("hidden-") else QUESTIONS[about]


def question_of(doubt: Doubt, donuts_owed: int) -> str:
    """What a person is asked."""
    return asked_of(doubt).words.format(element=place_name(doubt.element), donuts=donuts_owed)


def of_doubt(doubt: Doubt, donuts_owed: int) -> str:
    """What a person should look at, and why."""
    question = question_of(doubt, donuts_owed)
    return LOOKED_AT[doubt.why] + question[0].lower() + question[1:] + ASK


NOT_FINISHED = "The car did not get to the finish."
GOES_ON = "Did the race go on from here?"
GOES_ON_UNSEEN = "The picture does not show the place where the race would go on." + ASK
