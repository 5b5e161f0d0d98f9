"""The words of a verdict, an event and a near miss, as a ten-year-old follows them.

Each function says something (`referee.words.say`); the one who writes it down tells it in a language.  What is not in
the tables has no words; a test holds them against the report format's lists.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from referee.model import Decided, Event, Judgement, NearMiss, Question, Terms, VerdictName
from referee.words import Phrase, Place, joined, names, say

VERDICTS = names("verdict")
OUTCOMES = names("outcome")
EVENTS = names("event")
"""The kinds of event that there is a sentence for, beside `accident`."""
ACCIDENTS = names("accident")
"""The causes of an accident that there is a sentence for."""
OPEN_ACCIDENTS = names("open-accident")
"""The causes that there is a question for, where an accident is not certain."""
COVERS = names("cover")
"""What keeps a stretch of road from being seen."""

USUAL = Terms()
PLUS_MINUS_SIGMAS = 2.0
"""In words, ± is this many uncertainties, always: what is too close to call is a setting (`Terms`)."""
NEAREST = say("nearest")
"""The title of the near misses."""
NOT_SEEN = say("unseen")
ALSO = say("also")
WHY = say("why")
DECIDED = say("decided")


def millimetres(value_mm: float) -> Phrase:
    """A length for people: one decimal, two where one would say nothing.

    >>> millimetres(0.61), millimetres(-1.92), millimetres(0.04)
    ('0.6 mm', '1.9 mm', '0.04 mm')
    """
    size = abs(value_mm)
    return say("length.coarse" if size >= 0.1 else "length.fine", mm=size)


def _side(margin_mm: float, element: str | None, *, donut: bool = False) -> Phrase:
    """A margin in words: how much, and on which side of what is judged.

    >>> _side(-1.58, "white-line-5"), _side(-4.06, "jump-1"), _side(0.97, "oil-spill-1", donut=True)
    ('1.58 mm too far', '4.06 mm outside', '0.97 mm clear')
    """
    if donut and margin_mm >= 0:
        side = "clear"
    elif (element or "").startswith(("jump", "landing")):
        side = "outside" if margin_mm < 0 else "inside"
    else:
        side = "too-far" if margin_mm < 0 else "spare"
    return say(f"side.{side}", mm=abs(margin_mm))


def event_words(event: Event, terms: Terms = USUAL, *, asked: bool = True) -> Phrase:
    """One event in one or two sentences, with its margin and outcome.

    ``asked`` says whether the verdict waits for somebody's look at it: where it does not, nobody is told to look.
    """
    if event.kind == "accident":
        return _accident_words(event, terms, asked)
    if not _is_close(event, terms) or (event.kind == "wipeout" and not asked):
        return _filled(f"event.{event.kind}", event, terms)
    told = _filled(f"event.{event.kind}", replace(event, margin_mm=None), terms)
    return say("event-line.too-close", event=told, measure=_measured(event), tail=_look(asked))


def event_words_in(judgement: Judgement, event: Event) -> Phrase:
    """One event of a judged race in words."""
    if event.decided is not None:
        return _decided_event(judgement, event, judgement.decided[event.decided])
    return event_words(event, judgement.terms, asked=is_asked(judgement, event))


def is_asked(judgement: Judgement, event: Event) -> bool:
    """Whether the verdict waits for somebody's look at an event."""
    return any(reason.event == event.seq and reason.question for reason in judgement.reasons)


def _accident_words(event: Event, terms: Terms, asked: bool) -> Phrase:
    cause = event.cause or "start"
    broken = _filled(f"accident.{cause}", event, terms)
    if event.certain is not False:
        return joined(say("accident-line.sure", accident=broken), _outcome(event))
    tail = joined(_gone_back(event) if event.outcome == "honoured" and not asked else "", _look(asked))
    if event.margin_mm is not None and not _is_close(event, terms):
        return joined(say("accident-line.perhaps", accident=broken), tail)
    question = _filled(f"open-accident.{cause}", event, terms)
    if event.margin_mm is None:
        return joined(say("accident-line.open", question=question), tail)
    return joined(say("accident-line.open-measured", question=question, measure=_measured(event)), tail)


def _outcome(event: Event) -> str:
    if event.outcome == "honoured" and event.restart_element is None:
        return say("accident-line.honoured-somewhere")
    return say(f"outcome.{event.outcome}", element=Place(event.restart_element)) if event.outcome else ""


def _gone_back(event: Event) -> Phrase:
    if event.restart_element is None:
        return say("accident-line.went-back-somewhere")
    return say("accident-line.went-back", element=Place(event.restart_element))


def _look(asked: bool) -> Phrase:
    return say("accident-line.look" if asked else "accident-line.no-matter")


def _filled(key: str, event: Event, terms: Terms) -> Phrase:
    margin = event.margin_mm
    parts = {
        part: "" if margin is None else say(f"event-part.{part}", mm=millimetres(margin))
        for part in ("left", "spared", "clear", "depth", "outside")
    }
    if margin is None or margin >= 0:
        parts["outside"] = ""
    return say(key, element=Place(event.element), owed=many_donuts(terms.donuts_owed), **parts)


def many_donuts(count: int) -> Phrase:
    """A number of donuts that are, or one that is.

    >>> many_donuts(3), many_donuts(1)
    ('3 donuts are', '1 donut is')
    """
    return say("event-part.owed", n=count)


def _is_close(event: Event, terms: Terms) -> bool:
    """Whether an event's margin is too close to call."""
    if event.margin_mm is None or event.uncertainty_mm is None:
        return False
    return abs(event.margin_mm) < terms.too_close_factor * event.uncertainty_mm


def _measured(measured: Event | Question) -> Phrase:
    """What is measured, and how well."""
    assert measured.margin_mm is not None
    donut = isinstance(measured, Event) and measured.kind == "donut"
    side = _side(measured.margin_mm, measured.element, donut=donut)
    if measured.uncertainty_mm is None:
        return side
    return say("side.give-or-take", side=side, sigma=PLUS_MINUS_SIGMAS * measured.uncertainty_mm)


# ------------------------------------------------------------------------------------------------------- decisions


def _decided_event(judgement: Judgement, event: Event, decided: Decided) -> Phrase:
    """An event that a person's decision made what it is: without the margin that was overruled."""
    plain = replace(event, margin_mm=None)
    told = say("decision.gap") if event.kind == "lift" else event_words(plain, judgement.terms)
    return say("decision.event", event=told, who=who(decided), own=_own_view(decided))


def decision_words(decided: Decided) -> Phrase:
    """What a person decided, when and why, and what the referee itself had said."""
    said = decided.decision
    where = say("decision.where", n=decided.event + 1) if decided.event is not None else ""
    return say(
        "decision.line",
        ask=decided.ask,
        answer=say(f"answer.{said.answer}"),
        who=who(decided),
        when=say("decision.when", when=said.when) if said.when else "",
        reason=_reason(said.reason.strip()),
        own=_own_view(decided),
        where=where if decided.applies else say("decision.pointless"),
    )


def _reason(reason: str) -> Phrase:
    """Why somebody decided so; a sentence that has its stop needs no other."""
    if not reason:
        return say("decision.stop")
    return say("decision.reason" if reason[-1] in ".!?…" else "decision.reason-and-stop", reason=reason)


def who(decided: Decided) -> str:
    """Who decided, by name if there is one."""
    return decided.decision.who or say("decision.somebody")


def _own_view(decided: Decided) -> Phrase:
    """What the referee itself makes of a question that a person decided."""
    view = "same" if decided.referee == decided.decision.answer else "otherwise"
    own = say(f"decision.{view if decided.certain else 'unsure'}")
    return own if decided.margin_mm is None else say("decision.measured", view=own, measure=_measured_by(decided))


def _measured_by(decided: Decided) -> Phrase:
    said = decided.decision
    return _measured(Question("", "close", said.at_mm, said.element, decided.margin_mm, decided.uncertainty_mm))


def alone_words(judgement: Judgement) -> str:
    """What the referee says without anybody's decision; empty where nobody decided anything."""
    if judgement.alone is None:
        return ""
    verdict, accidents = judgement.alone
    return say("verdict-line.alone", verdict=say(f"verdict.{verdict}"), accidents=many_accidents(accidents))


def many_accidents(count: int) -> Phrase:
    """A count of accidents.

    >>> many_accidents(0), many_accidents(1), many_accidents(2)
    ('no accident', '1 accident', '2 accidents')
    """
    return say("accidents.some", n=count) if count else say("accidents.none")


# ------------------------------------------------------------------------------------------------------- questions


def question_measured(question: Question) -> str:
    """What the referee measured where it asks, as a sentence; empty if it measured nothing."""
    return "" if question.margin_mm is None else say("answer.measured", measure=_measured(question))


def answer_words(judgement: Judgement, question: Question) -> Iterator[Phrase]:
    """What either answer would make of the race, where that is known."""
    others = sum(reason.question is not None for reason in judgement.reasons) > 1
    if question.yes == question.no:
        if question.yes:
            what = "answer.either-way-what" if len(question.yes) == 1 else "answer.either-way"
            yield say(what, verdicts=_verdicts_words(question.yes, others))
        return
    for answer, verdicts in (("answer.yes-then", question.yes), ("answer.no-then", question.no)):
        if verdicts:
            yield say(answer, verdicts=_verdicts_words(verdicts, others))


def _verdicts_words(verdicts: tuple[VerdictName, ...], others: bool) -> Phrase:
    words = [say(f"verdict.{verdict}" if verdict != "review" else "verdict-line.open") for verdict in verdicts]
    if len(words) == 1:
        return words[0]
    choice = words[0]
    for word in words[1:]:
        choice = joined(choice, say("answer.or"), word, sep="")
    return say("answer.as-answered" if others else "answer.more-open", verdicts=choice)


# ------------------------------------------------------------------------------------------------------ near misses


def miss_words(miss: NearMiss, event: Event | None = None) -> Phrase:
    """A near miss: how close, to what, how sure; ``event`` is its own, if it has one.

    >>> miss_words(NearMiss(None, "white-line-2", (88.1, 150.0), 0.61, 0.09))
    'white line 2: 0.61 mm to spare (± 0.18 mm)'
    """
    sigma = PLUS_MINUS_SIGMAS * miss.uncertainty_mm
    donut = event is not None and event.kind == "donut"
    return say(
        "miss-donut" if donut else "miss", element=Place(miss.element), side=margin_words(miss, event), sigma=sigma
    )


def margin_words(miss: NearMiss, event: Event | None = None) -> Phrase:
    """A near miss's margin as it stands on the close-up and under it."""
    return _side(miss.margin_mm, miss.element, donut=event is not None and event.kind == "donut")


def plus_minus_words(terms: Terms) -> Phrase:
    """What ± means, and from where on a margin is too close to call.

    >>> plus_minus_words(Terms(too_close_factor=3.0))
    '± is meant to hold 19 times in 20. A margin smaller than 1.5 times its ± is too close to call.'
    """
    times = terms.too_close_factor / PLUS_MINUS_SIGMAS
    key = {0.0: "never-close", 1.0: "its"}.get(times, "times")
    return say(f"plus-minus.{key}", meant=say("plus-minus.meant"), times=times)


def nearest_first(judgement: Judgement) -> list[tuple[int, NearMiss]]:
    """The near misses with their places in the judgement's list: what is past the edge or too close to call first."""

    def clear(entry: tuple[int, NearMiss]) -> bool:
        return entry[1].margin_mm >= judgement.terms.too_close_factor * entry[1].uncertainty_mm

    return sorted(enumerate(judgement.near_misses), key=clear)


def event_of(judgement: Judgement, miss: NearMiss) -> Event | None:
    """The event that a near miss belongs to."""
    return next((event for event in judgement.events if event.seq == miss.event), None)


def accidents_words(judgement: Judgement) -> Phrase:
    """The accidents and what became of them, as a verdict line ends; those that are not certain are told apart."""
    unsure = sum(event.certain is False for event in judgement.events if event.kind == "accident")
    counted = _counted_words(judgement)
    if not unsure:
        return counted
    return say("accidents.perhaps-more" if judgement.accidents else "accidents.perhaps", counted=counted, n=unsure)


def _counted_words(judgement: Judgement) -> Phrase:
    """The certain accidents."""
    sure = [event for event in judgement.events if event.kind == "accident" and event.certain is not False]
    count = judgement.accidents
    if count == 0:
        return say("accidents.none-seen" if judgement.verdict == "review" else "accidents.none")
    counted = many_accidents(count)
    outcomes = [event.outcome for event in sure if event.outcome]
    kinds = list(dict.fromkeys(outcomes))
    if not kinds:
        return counted
    if len(kinds) == 1:
        key = "accidents.one-kind" if count == 1 else "accidents.all-one-kind"
        return say(key, counted=counted, outcome=_outcome_word(kinds[0], count))
    each = [(outcomes.count(kind), kind) for kind in kinds]
    told = [say("accidents.of-kind", n=n, outcome=_outcome_word(kind, n)) for n, kind in each]
    return say("accidents.kinds", counted=counted, kinds=joined(*told, sep=", "))


def _outcome_word(outcome: str, count: int) -> Phrase:
    return say(f"outcome-word{'' if count == 1 else 's'}.{outcome}")


def verdict_line(judgement: Judgement) -> Phrase:
    """The first line that people read.

    >>> verdict_line(Judgement("fair", (), True, 0, 0, (), ()))
    'FAIR: finished, no accident.'
    """
    finished: str = say("verdict-line.finished" if judgement.finished else "verdict-line.not-finished")
    if judgement.verdict == "unfinished":
        finished = ""  # the first word says it
    return say(
        "verdict-line.line",
        verdict=say(f"verdict.{judgement.verdict}"),
        finished=finished,
        accidents=accidents_words(judgement),
        donuts=say("verdict-line.donuts", n=judgement.donuts) if judgement.donuts else "",
        decided=say("verdict-line.decided", n=len(judgement.decided)) if judgement.decided else "",
    )
