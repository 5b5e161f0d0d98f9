"""What is said of an event, as a ten-year-old follows it."""

from dataclasses import replace
from typing import get_args

import pytest

from referee.model import Event, Judgement, NearMiss, Outcome, Reason, Terms, VerdictName
from referee.report.text import text
from referee.report.words import (
    ACCIDENTS,
    EVENTS,
    OPEN_ACCIDENTS,
    OUTCOMES,
    VERDICTS,
    answer_words,
    event_words,
    event_words_in,
    miss_words,
    nearest_first,
    plus_minus_words,
    question_measured,
    verdict_line,
)
from tests.report import by_hand

KINDS = [
    *("start", "restart", "checkpoint", "finish", "brush", "lift", "jump", "landing", "acceleration", "slowdown"),
    *("wipeout", "donut", "pipe-enter", "pipe-exit", "noise-in-pipe", "gadget"),
]
CAUSES = [
    *("white-line", "lift", "jump", "slowdown-missed", "donuts-missing", "checkpoint-missed", "start"),
    *("clothesline", "mine"),
]


def judged(*events: Event, verdict: VerdictName = "fair", accidents: int = 0) -> Judgement:
    return replace(by_hand.judgement(), verdict=verdict, events=events, accidents=accidents)


def test_every_kind_cause_outcome_and_verdict_has_its_words() -> None:
    assert set(EVENTS) == set(KINDS)
    assert set(ACCIDENTS) == set(OPEN_ACCIDENTS) == set(CAUSES)
    assert set(OUTCOMES) == set(get_args(Outcome))
    assert set(VERDICTS) == set(get_args(VerdictName))


@pytest.mark.parametrize("margin_mm", [None, 0.3])
@pytest.mark.parametrize("kind", KINDS)
def test_an_event_is_said_with_and_without_a_margin(kind: str, margin_mm: float | None) -> None:
    said = event_words(Event(1, kind, "R2", (1.0, 2.0), 0, "the-element", margin_mm, 0.05))
    assert said.endswith((".", "!"))
    assert "{" not in said
    assert "None" not in said


@pytest.mark.parametrize("certain", [True, False])
@pytest.mark.parametrize("margin_mm", [None, -0.3])
@pytest.mark.parametrize("cause", CAUSES)
def test_an_accident_is_said_with_and_without_a_margin(cause: str, margin_mm: float | None, certain: bool) -> None:
    said = event_words(by_hand.with_event(cause=cause, margin_mm=margin_mm, certain=certain, element=None))
    unsure = "Too close to call" if margin_mm is None else "Perhaps an accident"
    assert said.startswith("Accident!" if certain else unsure)
    assert "{" not in said
    assert "None" not in said


def test_a_brush_says_what_there_was_to_spare() -> None:
    assert event_words(by_hand.EVENTS[1]) == "Brushed white line 2: 0.6 mm to spare."


def test_a_jump_that_went_wrong_says_how_far_outside_the_zone() -> None:
    short = by_hand.with_event(cause="jump", element="jump-1", margin_mm=-4.06)
    assert event_words(short).startswith("Accident! The jump went wrong at jump zone 1: 4.1 mm outside the zone. ")
    through = by_hand.with_event(cause="jump", element="jump-1", margin_mm=None)
    assert event_words(through).startswith("Accident! The jump went wrong at jump zone 1. ")


def test_an_honoured_accident_says_where_the_race_went_back_to() -> None:
    assert event_words(by_hand.with_event(restart_element="checkpoint-2")).endswith(
        "The car went back to checkpoint 2 as it should: honoured."
    )
    assert event_words(by_hand.with_event(restart_element=None)).endswith("The car went back as it should: honoured.")


def test_a_donut_is_clear_by_its_margin() -> None:
    donut = Event(1, "donut", "R9", (1.0, 2.0), 0, "oil-spill-1", 1.02, 0.05)
    assert event_words(donut) == "Drove a donut for oil spill 1, clear by 1.0 mm."
    assert miss_words(NearMiss(1, "oil-spill-1", (1.0, 2.0), 1.02, 0.05), donut) == (
        "donut for oil spill 1: 1.02 mm clear (± 0.10 mm)"
    )


def test_what_is_past_the_edge_or_too_close_is_listed_before_what_is_clear() -> None:
    misses = [NearMiss(None, str(mm), (0.0, 0.0), mm, 0.1) for mm in (0.1, 2.9, -3.0, 3.5)]
    found = nearest_first(replace(by_hand.judgement(), near_misses=tuple(misses)))
    assert [(place, miss.margin_mm) for place, miss in found] == [(0, 0.1), (2, -3.0), (1, 2.9), (3, 3.5)]


def test_a_race_that_stopped_says_so_once() -> None:
    stopped = replace(judged(verdict="unfinished"), finished=False)
    assert verdict_line(stopped) == "NOT FINISHED: no accident."


def test_a_break_says_how_deep_it_was_and_what_became_of_it() -> None:
    assert event_words(by_hand.EVENTS[3]) == (
        "Accident! Went over white line 1: 1.9 mm too far. The car went back to the start arrow as it should: honoured."
    )


def test_what_is_too_close_to_call_says_how_close_and_how_sure() -> None:
    said = event_words(by_hand.with_event(certain=False, margin_mm=-0.08))
    assert said.startswith("Too close to call: did the ink go over white line 1?")
    assert "0.08 mm too far, give or take 0.18 mm" in said


def test_a_brush_inside_the_uncertainty_asks_for_a_look() -> None:
    assert event_words(replace(by_hand.EVENTS[1], margin_mm=0.1)) == (
        "Brushed white line 2. Too close to call: 0.10 mm to spare, give or take 0.18 mm. Please look and decide."
    )


def test_what_the_verdict_does_not_hang_on_tells_nobody_to_look() -> None:
    honoured = by_hand.with_event(certain=False, margin_mm=-0.08, restart_element="checkpoint-1")
    said = event_words_in(judged(honoured), honoured)
    assert said == (
        "Too close to call: did the ink go over white line 1? 0.08 mm too far, give or take 0.18 mm. "
        "The car went back to checkpoint 1 anyway. The verdict does not hang on it."
    )
    brush = replace(by_hand.EVENTS[1], margin_mm=0.1)
    assert event_words_in(judged(brush), brush).endswith("The verdict does not hang on it.")


def test_what_the_verdict_hangs_on_asks_for_a_look() -> None:
    brush = replace(by_hand.EVENTS[1], margin_mm=0.1)
    asking = by_hand.asking((by_hand.OVER_THE_LINE, brush.seq)).judgement
    assert asking is not None
    assert event_words_in(asking, brush).endswith("Please look and decide.")


def test_a_break_by_far_that_is_not_certain_is_not_called_close() -> None:
    said = event_words(by_hand.with_event(certain=False, margin_mm=-1.9))
    assert said.startswith("Perhaps an accident: Went over white line 1: 1.9 mm too far. It is not certain:")


@pytest.mark.parametrize(("factor", "close"), [(1.0, False), (2.0, True), (4.0, True)])
def test_what_is_called_close_follows_the_settings(factor: float, close: bool) -> None:
    brush = replace(by_hand.EVENTS[1], margin_mm=0.15)
    terms = Terms(too_close_factor=factor)
    assert ("Too close to call" in event_words(brush, terms)) is close
    misses = (NearMiss(None, "far", (0.0, 0.0), 0.12, 0.01), NearMiss(None, "near", (0.0, 0.0), 0.15, 0.09))
    first = nearest_first(replace(by_hand.judgement(), near_misses=misses, terms=terms))[0][1]
    assert first.element == ("near" if close else "far")


def test_what_plus_and_minus_mean_follows_the_settings() -> None:
    assert "smaller than its ±" in plus_minus_words(Terms())
    assert "smaller than 0.5 times its ±" in plus_minus_words(Terms(too_close_factor=1.0))
    assert "no margin is too close" in plus_minus_words(Terms(too_close_factor=0.0))


def test_a_wipeout_owes_as_many_donuts_as_the_settings_say() -> None:
    wipeout = Event(0, "wipeout", "R9", (1.0, 2.0), 0, "oil-spill-1", -0.5, 0.05)
    assert event_words(wipeout).endswith("3 donuts are owed.")
    assert event_words(wipeout, Terms(donuts_owed=1)).endswith("1 donut is owed.")


def test_a_question_says_what_was_measured_and_what_each_answer_means() -> None:
    done = by_hand.asking((by_hand.OVER_THE_LINE, 1)).judgement
    assert done is not None
    assert question_measured(by_hand.OVER_THE_LINE) == "The referee measures 0.10 mm to spare, give or take 0.18 mm."
    assert list(answer_words(done, by_hand.OVER_THE_LINE)) == ["Yes: NOT FAIR.", "No: FAIR."]
    assert question_measured(by_hand.CROSSED_UNSEEN) == ""


@pytest.mark.parametrize(
    ("yes", "no", "said"),
    [
        ((), (), []),
        (("fair", "unfinished"), ("fair",), ["Yes: FAIR or NOT FINISHED, more is then open.", "No: FAIR."]),
        (("ignored-accident",), ("ignored-accident",), ["Either way: NOT FAIR. What went wrong is open, not whether."]),
        (("review",), ("fair",), ["Yes: still open.", "No: FAIR."]),
    ],
)  # fmt: skip
def test_an_answer_promises_no_more_than_is_known(
    yes: tuple[VerdictName, ...], no: tuple[VerdictName, ...], said: list[str]
) -> None:
    question = replace(by_hand.OVER_THE_LINE, yes=yes, no=no)
    done = replace(by_hand.judgement(), reasons=(Reason("too-close", "R2", None, "", question),))
    assert list(answer_words(done, question)) == said


def test_the_text_tells_of_each_answer_beside_the_reason() -> None:
    lines = text(by_hand.asking((by_hand.OVER_THE_LINE, 1))).splitlines()
    assert "  - Why: Did the ink go over white line 2? Yes: NOT FAIR. No: FAIR." in lines


def test_the_verdict_line_counts_the_accidents_and_says_what_became_of_them() -> None:
    hit = by_hand.with_event()
    assert verdict_line(judged(hit, accidents=1)) == "FAIR: finished, 1 accident, honoured."
    assert verdict_line(judged(hit, hit, accidents=2)) == "FAIR: finished, 2 accidents, all honoured."
    ignored = by_hand.with_event(outcome="ignored")
    assert verdict_line(judged(hit, ignored, verdict="ignored-accident", accidents=2)) == (
        "NOT FAIR: finished, 2 accidents: 1 honoured, 1 ignored."
    )


def test_an_accident_too_close_to_call_is_not_counted_in_the_verdict_line() -> None:
    open_question = by_hand.with_event(certain=False, outcome="ignored")
    assert (
        verdict_line(judged(open_question, verdict="review")) == "PLEASE LOOK: finished, no accident seen, perhaps 1."
    )


def test_the_text_begins_with_the_verdict_and_numbers_the_events() -> None:
    lines = text(by_hand.report()).splitlines()
    assert lines[0] == "FAIR: finished, 1 accident, honoured."
    assert lines[1] == "Stage 7, Duck Pond, copy A - IMG_2041.jpg"
    assert "  2. Brushed white line 2: 0.6 mm to spare." in lines
    assert "  - white line 2: 0.61 mm to spare (± 0.18 mm), number 2 in the list" in lines
    assert (
        "  - 12 mm of road between checkpoint 1 and the finish line, 40 mm after the start: a patch of glare" in lines
    )
    assert "  - NOT FAIR, 2 accidents. Not taken: its second stroke begins off the road." in lines


def test_a_picture_that_cannot_be_judged_says_why_and_what_to_do_in_one_line() -> None:
    assert text(by_hand.failed()) == (
        "cat.jpg: not judged. No board in cat.jpg. Show the whole board with its four corners.\n"
    )
