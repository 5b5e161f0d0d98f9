"""The words of a verdict, an event and a near miss, as a ten-year-old follows them.

What is not in these tables has no words; a test holds them against the report format's lists.
"""

from __future__ import annotations

import re
from dataclasses import replace

from referee.model import Event, Judgement, NearMiss

VERDICTS = {
    "fair": "FAIR",
    "ignored-accident": "NOT FAIR",
    "unfinished": "NOT FINISHED",
    "review": "PLEASE LOOK",
}
"""The word that a verdict line begins with."""

OUTCOMES = {
    "honoured": "The car went back{back} as it should: honoured.",
    "ignored": "The race went on without going back: ignored.",
    "unfinished": "Nobody drove on after it: the race stopped here.",
}

EVENTS = {
    "start": "Started on the arrow.",
    "restart": "Drove off again from {where}.",
    "checkpoint": "Crossed {where}.",
    "finish": "Crossed the finish line!",
    "brush": "Brushed the white line ({element}){left}.",
    "lift": "A gap in the ink, small and straight: a dry marker, not a lift.",
    "jump": "Lifted off inside the jump zone ({element}){spared}.",
    "landing": "Set down inside the landing zone ({element}){spared}.",
    "acceleration": "Turbo boost! Entered the acceleration zone ({element}).",
    "slowdown": "Slowed down in the slowdown zone ({element}).",
    "wipeout": "Wipeout! Touched the oil ({element}): three donuts are owed.",
    "donut": "Drove a donut for {element}{clear}.",
    "pipe-enter": "Into the pipe ({element}): radio silence.",
    "pipe-exit": "Out of the pipe ({element}): you may speak again.",
    "noise-in-pipe": "A sound in the pipe ({element}): for the referee to decide.",
    "gadget": "Jumped the rope as it should be ({element}).",
}
"""A sentence for each kind of event but `accident`."""

ACCIDENTS = {
    "white-line": "Broke the white line ({element}){depth}.",
    "lift": "Lifted the marker on the road.",
    "jump": "The jump went wrong at {element}{outside}.",
    "slowdown-missed": "Came here at full boost: the slowdown zone was missed.",
    "donuts-missing": "Came here with donuts still owed.",
    "checkpoint-missed": "Came here without crossing {where}.",
    "start": "Did not begin on the start arrow.",
    "clothesline": "The rope ({element}) was not jumped as it should be.",
    "mine": "Touched the mine ({element}).",
}
"""A sentence for each cause of an accident."""

UNSEEN = {"glare": "a patch of glare", "covered": "something lying on the board"}
"""What keeps a stretch of road from being seen."""

SURE_SIGMAS = 2.0
"""Inside so many uncertainties a margin is too close to call; in words, ± is this many of them, always."""
NEAREST = "Nearest to the edge"
"""The title of the near misses."""


def millimetres(value_mm: float) -> str:
    """A length for people: one decimal, two where one would say nothing.

    >>> millimetres(0.61), millimetres(-1.92), millimetres(0.04)
    ('0.6 mm', '1.9 mm', '0.04 mm')
    """
    size = abs(value_mm)
    return f"{size:.1f} mm" if size >= 0.1 else f"{size:.2f} mm"


def exact(value_mm: float) -> str:
    """A length in hundredths of a millimetre."""
    return f"{abs(value_mm):.2f} mm"


def _side(margin_mm: float, element: str | None, *, donut: bool = False) -> str:
    """A margin in words: how much, and on which side of what is judged.

    >>> _side(-1.58, "white-line-5"), _side(-4.06, "jump-1"), _side(0.97, "oil-spill-1", donut=True)
    ('1.58 mm too far', '4.06 mm outside', '0.97 mm clear')
    """
    if donut and margin_mm >= 0:
        side = "clear"
    elif (element or "").startswith(("jump", "landing")):
        side = "outside" if margin_mm < 0 else "inside"
    else:
        side = "too far" if margin_mm < 0 else "to spare"
    return f"{exact(margin_mm)} {side}"


def place_name(element: str | None) -> str:
    """An element in a sentence; a name that somebody gave a line of his own stays as it is.

    >>> place_name("checkpoint-2"), place_name("start"), place_name("dead man's curve"), place_name(None)
    ('checkpoint 2', 'the start arrow', "dead man's curve", 'the line')
    """
    if element is None:
        return "the line"
    numbered = re.fullmatch(r"checkpoint-(\d+)", element)
    if numbered:
        return f"checkpoint {numbered[1]}"
    return {"start": "the start arrow", "finish": "the finish line"}.get(element, element)


def event_words(event: Event) -> str:
    """One event in one or two sentences, with its margin and outcome."""
    doubt = _doubt(event)
    if event.kind != "accident":
        return _filled(EVENTS[event.kind], replace(event, margin_mm=None) if doubt else event) + doubt
    if event.certain is False:
        return f"Too close to call: {_question(event)}{doubt}"
    words = "Accident! " + _filled(ACCIDENTS[event.cause or "start"], event)
    if event.outcome is None:
        return words
    back = f" to {place_name(event.restart_element)}" if event.restart_element else ""
    return f"{words} {OUTCOMES[event.outcome].format(back=back)}"


def _filled(sentence: str, event: Event) -> str:
    margin = event.margin_mm
    return sentence.format(
        element=event.element or "no name",
        where=place_name(event.element),
        left="" if margin is None else f": {millimetres(margin)} to spare",
        spared="" if margin is None else f", {millimetres(margin)} to spare",
        clear="" if margin is None else f", clear by {millimetres(margin)}",
        depth="" if margin is None else f": {millimetres(margin)} too far",
        outside="" if margin is None or margin >= 0 else f": {millimetres(margin)} outside the zone",
    )


def _question(event: Event) -> str:
    """What a person is asked about an accident that is not certain."""
    if event.margin_mm is None:
        return _filled(ACCIDENTS[event.cause or "start"], event).rstrip(".") + "?"
    asked = {
        "white-line": "did the ink get past the white line ({element})?",
        "jump": "did the jump go wrong at {element}?",
        "donuts-missing": "were the three donuts really clear of each other?",
    }
    return _filled(asked.get(event.cause or "", ACCIDENTS[event.cause or "start"].rstrip(".") + "?"), event)


def _doubt(event: Event) -> str:
    """What is measured, and how well, where that is too little to decide; nothing where it decides."""
    if event.margin_mm is None or event.uncertainty_mm is None or event.kind == "wipeout":
        return ""
    if event.certain is not False and abs(event.margin_mm) >= SURE_SIGMAS * event.uncertainty_mm:
        return ""
    measured = f"{_side(event.margin_mm, event.element)}, give or take {exact(SURE_SIGMAS * event.uncertainty_mm)}"
    asked = "" if event.certain is False else " Too close to call:"
    return f"{asked} {measured}. Look at the close-up and decide."


def miss_words(miss: NearMiss, event: Event | None = None) -> str:
    """A near miss: how close, to what, how sure; ``event`` is its own, if it has one.

    >>> miss_words(NearMiss(None, "white-line-2", (88.1, 150.0), 0.61, 0.09))
    'white-line-2: 0.61 mm to spare (± 0.18 mm)'
    """
    what = f"donut for {miss.element}" if event is not None and event.kind == "donut" else miss.element
    return f"{what}: {margin_words(miss, event)} (± {exact(SURE_SIGMAS * miss.uncertainty_mm)})"


def margin_words(miss: NearMiss, event: Event | None = None) -> str:
    """A near miss's margin as it stands on the close-up and under it."""
    return _side(miss.margin_mm, miss.element, donut=event is not None and event.kind == "donut")


def nearest_first(judgement: Judgement) -> list[tuple[int, NearMiss]]:
    """The near misses with their places in the judgement's list: what is past the edge or too close to call first."""

    def clear(entry: tuple[int, NearMiss]) -> bool:
        return entry[1].margin_mm >= SURE_SIGMAS * entry[1].uncertainty_mm

    return sorted(enumerate(judgement.near_misses), key=clear)


def event_of(judgement: Judgement, miss: NearMiss) -> Event | None:
    """The event that a near miss belongs to."""
    return next((event for event in judgement.events if event.seq == miss.event), None)


def accidents_words(judgement: Judgement) -> str:
    """The accidents that count and what became of them, as a verdict line ends.

    The number is that of the certain ones.
    """
    sure = [event for event in judgement.events if event.kind == "accident" and event.certain is not False]
    count = judgement.accidents
    if count == 0:
        return "no accident"
    counted = "1 accident" if count == 1 else f"{count} accidents"
    outcomes = [event.outcome for event in sure if event.outcome]
    kinds = list(dict.fromkeys(outcomes))
    if not kinds:
        return counted
    if len(kinds) == 1:
        return f"{counted}, {'all ' if count > 1 else ''}{kinds[0]}"
    return f"{counted}: " + ", ".join(f"{outcomes.count(kind)} {kind}" for kind in kinds)


def verdict_line(judgement: Judgement) -> str:
    """The first line that people read.

    >>> verdict_line(Judgement("fair", (), True, 0, 0, (), ()))
    'FAIR: finished, no accident.'
    """
    finished = "finished, " if judgement.finished else "not finished, "
    if judgement.verdict == "unfinished":
        finished = ""  # the first word says it
    donuts = {0: "", 1: ", 1 donut"}.get(judgement.donuts, f", {judgement.donuts} donuts")
    return f"{VERDICTS[judgement.verdict]}: {finished}{accidents_words(judgement)}{donuts}."
