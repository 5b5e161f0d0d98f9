"""Why the verdict is what it is, in short plain sentences."""

from __future__ import annotations

from referee.rules.state import Doubt, Draft

WENT_WRONG = {
    "white-line": "The car went over {element}",
    "lift": "The marker was lifted on the way",
    "jump": "The jump at {element} went wrong",
    "slowdown-missed": "The car did not go through the slowdown zone before {element}",
    "donuts-missing": "The donuts for the oil spill were not all drawn before {element}",
    "checkpoint-missed": "The car missed {element}",
    "start": "The first stroke does not begin on the start arrow",
}
NOT_GONE_BACK = "and the race did not go back to {back}"

TOO_CLOSE = {
    "line": "It is too close to call whether the ink goes over {element}.",
    "gap": "It is too close to call whether the marker was lifted or only dry.",
    "rim": "The ink ends beside something that the picture does not show.",
    "turned": "The ink ends where a restart would begin: perhaps that stroke was drawn the other way.",
    "jump": "It is too close to call whether the marker left the board inside {element}.",
    "landing": "It is too close to call whether the marker came down inside {element}.",
    "through": "It is too close to call whether the car drove through {element}.",
    "restart": "It is too close to call whether the car started again close enough to {element}.",
    "start": "It is too close to call whether the race began on the start arrow.",
    "oil": "It is too close to call whether the ink touches {element}.",
    "donuts": "It is too close to call whether three donuts are clear.",
    "zone": "It is too close to call whether the car was in {element}.",
    "cross": "It is too close to call whether the car crossed {element}.",
}
UNSEEN = {
    "hidden-line": "The picture does not show whether the car stayed inside {element}.",
    "start": "The picture does not show where the race began.",
    "end": "The picture does not show where a stroke ended.",
    "landing": "The picture does not show whether the marker came down inside {element}.",
    "passing": "The picture does not show whether the car crossed {element}.",
    "slowing": "The picture does not show whether the car was in {element}.",
    "donuts": "The picture does not show whether three donuts were drawn.",
    "restart": "The picture does not show whether the car started again at {element}.",
    "zone": "The picture does not show whether the car was in {element}.",
}
ASK = " Please look and decide."


def of_ignored(accident: Draft) -> str:
    """Why an accident was ignored."""
    wrong = WENT_WRONG[accident.cause or ""].format(element=accident.element)
    return f"{wrong}, {NOT_GONE_BACK.format(back=accident.back_to)}."


def of_doubt(doubt: Doubt) -> str:
    """What a person should look at."""
    about = doubt.key[0]
    if doubt.why == "unseen":
        text = UNSEEN.get(about, "The picture does not show whether the ink touches {element}.")
    else:
        text = TOO_CLOSE[about]
    return text.format(element=doubt.element) + ASK


NOT_FINISHED = "The car did not get to the finish."
GOES_ON_UNSEEN = "The picture does not show the place where the race would go on." + ASK
