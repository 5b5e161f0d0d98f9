"""The words of a verdict, an event and a near miss, as a ten-year-old follows them.

What is not in these tables has no words; a test holds them against the report format's lists.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from referee.model import Event, Judgement, NearMiss, Question, Terms, VerdictName, place_name

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
    "restart": "Drove off again from {element}.",
    "checkpoint": "Crossed {element}.",
    "finish": "Crossed the finish line!",
    "brush": "Brushed {element}{left}.",
    "lift": "A gap in the ink, small and straight: a dry marker, not a lift.",
    "jump": "Lifted off inside {element}{spared}.",
    "landing": "Set down inside {element}{spared}.",
    "acceleration": "Turbo boost! Entered {element}.",
    "slowdown": "Slowed down in {element}.",
    "wipeout": "Wipeout! Touched {element}: {owed} owed.",
    "donut": "Drove a donut for {element}{clear}.",
    "pipe-enter": "Into {element}: radio silence.",
    "pipe-exit": "Out of {element}: you may speak again.",
    "noise-in-pipe": "A sound in {element}: for the referee to decide.",
    "gadget": "Jumped {element} as it should be{spared}.",
}
"""A sentence for each kind of event but `accident`."""

ACCIDENTS = {
    "white-line": "Went over {element}{depth}.",
    "lift": "Lifted the marker on the road.",
    "jump": "The jump went wrong at {element}{outside}.",
    "slowdown-missed": "Came here at full boost: the slowdown zone was missed.",
    "donuts-missing": "Came here with donuts still owed.",
    "checkpoint-missed": "Came here without crossing {element}.",
    "start": "Did not begin on the start arrow.",
    "clothesline": "The jump over {element} went wrong.",
    "mine": "Touched {element}.",
}
"""A sentence for each cause of an accident."""

OPEN_ACCIDENTS = {
    "white-line": "did the ink go over {element}?",
    "lift": "was the marker lifted on the road?",
    "jump": "did the jump go wrong at {element}?",
    "slowdown-missed": "was the slowdown zone missed?",
    "donuts-missing": "were donuts still owed here?",
    "checkpoint-missed": "was {element} missed?",
    "start": "did the race begin off the start arrow?",
    "clothesline": "did the jump over {element} go wrong?",
    "mine": "was {element} touched?",
}
"""What is asked about an accident that is not certain."""

UNSEEN = {"glare": "a patch of glare", "covered": "something lying on the board"}
"""What keeps a stretch of road from being seen."""

USUAL = Terms()
PLUS_MINUS_SIGMAS = 2.0
"""In words, ± is this many uncertainties, always: what is too close to call is a setting (`Terms`)."""
NEAREST = "Nearest to the edge"
"""The title of the near misses."""
NOT_SEEN = "Not to be seen in this picture"
ALSO = "It could also have been"


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


def event_words(event: Event, terms: Terms = USUAL, *, asked: bool = True) -> str:
    """One event in one or two sentences, with its margin and outcome.

    ``asked`` says whether the verdict waits for somebody's look at it: where it does not, nobody is told to look.
    """
    if event.kind == "accident":
        return _accident_words(event, terms, asked)
    if not _is_close(event, terms) or (event.kind == "wipeout" and not asked):
        return _filled(EVENTS[event.kind], event, terms)
    told = _filled(EVENTS[event.kind], replace(event, margin_mm=None), terms)
    return f"{told} Too close to call: {_measured(event)}. {LOOK if asked else NO_MATTER}"


def event_words_in(judgement: Judgement, event: Event) -> str:
    """One event of a judged race in words."""
    return event_words(event, judgement.terms, asked=is_asked(judgement, event))


def is_asked(judgement: Judgement, event: Event) -> bool:
    """Whether the verdict waits for somebody's look at an event."""
    return any(reason.event == event.seq and reason.question for reason in judgement.reasons)


def _accident_words(event: Event, terms: Terms, asked: bool) -> str:
    broken = _filled(ACCIDENTS[event.cause or "start"], event, terms)
    back = f" to {place_name(event.restart_element)}" if event.restart_element else ""
    if event.certain is not False:
        outcome = f" {OUTCOMES[event.outcome].format(back=back)}" if event.outcome else ""
        return f"Accident! {broken}{outcome}"
    gone_back = f" The car went back{back} anyway." if event.outcome == "honoured" and not asked else ""
    tail = f"{gone_back} {LOOK if asked else NO_MATTER}"
    if event.margin_mm is not None and not _is_close(event, terms):
        return f"Perhaps an accident: {broken} {OTHERWISE}{tail}"
    measured = f" {_measured(event)}." if event.margin_mm is not None else ""
    return f"Too close to call: {_filled(OPEN_ACCIDENTS[event.cause or 'start'], event, terms)}{measured}{tail}"


LOOK = "Please look and decide."
NO_MATTER = "The verdict does not hang on it."
OTHERWISE = "It is not certain: the ink can be read in another way, too."


def _filled(sentence: str, event: Event, terms: Terms) -> str:
    margin = event.margin_mm
    return sentence.format(
        element=place_name(event.element),
        owed=many_donuts(terms.donuts_owed),
        left="" if margin is None else f": {millimetres(margin)} to spare",
        spared="" if margin is None else f", {millimetres(margin)} to spare",
        clear="" if margin is None else f", clear by {millimetres(margin)}",
        depth="" if margin is None else f": {millimetres(margin)} too far",
        outside="" if margin is None or margin >= 0 else f": {millimetres(margin)} outside the zone",
    )


def many_donuts(count: int) -> str:
    """A number of donuts that are, or one that is.

    >>> many_donuts(3), many_donuts(1)
    ('3 donuts are', '1 donut is')
    """
    return "1 donut is" if count == 1 else f"{count} donuts are"


def _is_close(event: Event, terms: Terms) -> bool:
    """Whether an event's margin is too close to call."""
    if event.margin_mm is None or event.uncertainty_mm is None:
        return False
    return abs(event.margin_mm) < terms.too_close_factor * event.uncertainty_mm


def _measured(measured: Event | Question) -> str:
    """What is measured, and how well."""
    assert measured.margin_mm is not None
    donut = isinstance(measured, Event) and measured.kind == "donut"
    side = _side(measured.margin_mm, measured.element, donut=donut)
    if measured.uncertainty_mm is None:
        return side
    return f"{side}, give or take {exact(PLUS_MINUS_SIGMAS * measured.uncertainty_mm)}"


# ------------------------------------------------------------------------------------------------------- questions


def question_measured(question: Question) -> str:
    """What the referee measured where it asks, as a sentence; empty if it measured nothing."""
    return "" if question.margin_mm is None else f"The referee measures {_measured(question)}."


def answer_words(judgement: Judgement, question: Question) -> Iterator[str]:
    """What either answer would make of the race, where that is known."""
    others = sum(reason.question is not None for reason in judgement.reasons) > 1
    if question.yes == question.no:
        if len(question.yes) == 1:
            yield f"Either way: {_verdicts_words(question.yes, others)}. What went wrong is open, not whether."
        elif question.yes:
            yield f"Either way: {_verdicts_words(question.yes, others)}."
        return
    for answer, verdicts in (("Yes", question.yes), ("No", question.no)):
        if verdicts:
            yield f"{answer}: {_verdicts_words(verdicts, others)}."


def _verdicts_words(verdicts: tuple[VerdictName, ...], others: bool) -> str:
    words = [VERDICTS[verdict] if verdict != "review" else "still open" for verdict in verdicts]
    if len(words) == 1:
        return words[0]
    return f"{' or '.join(words)}, {'as the other questions are answered' if others else 'more is then open'}"


# ------------------------------------------------------------------------------------------------------ near misses


def miss_words(miss: NearMiss, event: Event | None = None) -> str:
    """A near miss: how close, to what, how sure; ``event`` is its own, if it has one.

    >>> miss_words(NearMiss(None, "white-line-2", (88.1, 150.0), 0.61, 0.09))
    'white line 2: 0.61 mm to spare (± 0.18 mm)'
    """
    what = place_name(miss.element)
    what = f"donut for {what}" if event is not None and event.kind == "donut" else what
    return f"{what}: {margin_words(miss, event)} (± {exact(PLUS_MINUS_SIGMAS * miss.uncertainty_mm)})"


def margin_words(miss: NearMiss, event: Event | None = None) -> str:
    """A near miss's margin as it stands on the close-up and under it."""
    return _side(miss.margin_mm, miss.element, donut=event is not None and event.kind == "donut")


def plus_minus_words(terms: Terms) -> str:
    """What ± means, and from where on a margin is too close to call.

    >>> plus_minus_words(Terms(too_close_factor=3.0))
    '± is meant to hold 19 times in 20. A margin smaller than 1.5 times its ± is too close to call.'
    """
    times = terms.too_close_factor / PLUS_MINUS_SIGMAS
    meant = "± is meant to hold 19 times in 20."
    if times == 0:
        return f"{meant} By the settings of this run no margin is too close to call."
    return f"{meant} A margin smaller than {'' if times == 1 else f'{times:g} times '}its ± is too close to call."


def nearest_first(judgement: Judgement) -> list[tuple[int, NearMiss]]:
    """The near misses with their places in the judgement's list: what is past the edge or too close to call first."""

    def clear(entry: tuple[int, NearMiss]) -> bool:
        return entry[1].margin_mm >= judgement.terms.too_close_factor * entry[1].uncertainty_mm

    return sorted(enumerate(judgement.near_misses), key=clear)


def event_of(judgement: Judgement, miss: NearMiss) -> Event | None:
    """The event that a near miss belongs to."""
    return next((event for event in judgement.events if event.seq == miss.event), None)


def accidents_words(judgement: Judgement) -> str:
    """The accidents and what became of them, as a verdict line ends; those that are not certain are told apart."""
    unsure = sum(event.certain is False for event in judgement.events if event.kind == "accident")
    counted = _counted_words(judgement)
    if not unsure:
        return counted
    return f"{counted}, perhaps {unsure}{' more' if judgement.accidents else ''}"


def _counted_words(judgement: Judgement) -> str:
    """The certain accidents."""
    sure = [event for event in judgement.events if event.kind == "accident" and event.certain is not False]
    count = judgement.accidents
    if count == 0:
        return "no accident seen" if judgement.verdict == "review" else "no accident"
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
