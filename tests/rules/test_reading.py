"""Several orders of strokes may explain one picture (R3)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from referee.model import Event, Judgement, NearMiss, Outcome, Path, Stroke, VerdictName
from referee.rules import Rules, choose
from referee.rules.reading import considered


def reading(verdict: VerdictName, likelihood: float, accidents: int = 0) -> Judgement:
    n = 2
    stroke = Stroke(np.array([[0.0, 0.0], [1.0, 0.0]]), np.ones((n, 2)), np.ones(n), np.ones(n, bool))
    return Judgement(verdict, (), True, accidents, 0, (), (), path=Path((stroke,), likelihood))


def test_a_fair_reading_wins_over_a_likelier_one_and_says_so() -> None:
    best, others = choose([reading("ignored-accident", 0.8, 1), reading("fair", 0.2, 1)])
    assert best.verdict == "fair"
    assert [(o.verdict, o.accidents) for o in others] == [("ignored-accident", 1)]
    assert "fair" in others[0].why


def test_a_far_fetched_fair_reading_does_not_win() -> None:
    readings = [reading("ignored-accident", 1.0, 1), reading("fair", 0.01)]
    best, others = choose(readings)
    assert best.verdict == "ignored-accident"
    assert "unlikely" in others[0].why
    assert choose(readings, Rules(reading_share=0.0))[0].verdict == "fair"


def test_what_may_yet_be_fair_goes_before_what_is_not_if_it_is_about_as_likely() -> None:
    assert choose([reading("ignored-accident", 1.0, 2), reading("review", 0.8, 1)])[0].accidents == 1
    assert choose([reading("ignored-accident", 1.0, 2), reading("review", 0.2, 1)])[0].accidents == 2


def test_among_fair_readings_the_likeliest_wins() -> None:
    best, others = choose([reading("fair", 0.3, 0), reading("fair", 0.6, 1)])
    assert best.accidents == 1
    assert "likelier" in others[0].why


def test_equal_verdicts_are_told_once() -> None:
    best, others = choose([reading("unfinished", 0.5), reading("unfinished", 0.4), reading("review", 0.1)])
    assert best.verdict == "unfinished"
    assert [o.verdict for o in others] == ["review"]


def test_of_equal_readings_the_one_whose_start_is_seen_wins() -> None:
    start = Event(0, "start", "R1", (0.0, 0.0), 0)
    best, _ = choose([reading("unfinished", 1.0), replace(reading("unfinished", 1.0, 1), events=(start,))])
    assert best.events == (start,)


def test_a_reading_with_a_lift_that_left_no_trace_is_less_likely() -> None:
    one = reading("ignored-accident", 0.3, 1)
    assert one.path is not None
    two = replace(reading("ignored-accident", 1.0, 2), path=Path(one.path.strokes * 2, 1.0))
    assert choose([two, one])[0] is one


def test_a_reading_that_leaves_ink_after_the_finish_explains_nothing() -> None:
    finish = Event(0, "finish", "R5", (0.0, 0.0), 0)
    short = replace(reading("fair", 1.0), events=(finish,))
    assert short.path is not None
    longer = Path(short.path.strokes * 2, 1.0)
    left_over = replace(short, path=longer)
    whole = replace(reading("fair", 0.5, 1), events=(replace(finish, stroke=1),), path=replace(longer, likelihood=0.5))
    best, others = choose([left_over, whole])
    assert best is whole
    assert "unexplained" in others[0].why


def accident(x: float, cause: str = "lift", outcome: Outcome = "honoured", stroke: int = 0) -> Event:
    rule = {"lift": "R4", "white-line": "R2"}[cause]
    return Event(0, "accident", rule, (x, 0.0), stroke, cause=cause, certain=True, outcome=outcome)


def with_events(judgement: Judgement, *events: Event) -> Judgement:
    return replace(judgement, events=events, accidents=len(events))


def test_an_accident_that_a_reading_as_likely_lacks_is_not_certain() -> None:
    crash, lift = accident(50, "white-line"), accident(100)
    one = with_events(reading("fair", 1.0), crash, lift)
    best, _ = choose([one, with_events(reading("fair", 0.4), accident(52, "white-line"))])
    assert [e.certain for e in best.events] == [True, False]
    assert (best.verdict, best.accidents) == ("fair", 1)
    assert choose([one, with_events(reading("fair", 0.2), crash)])[0] is one


def test_a_break_on_the_way_of_a_stroke_that_crashed_in_a_lost_race_is_no_other_story() -> None:
    crash = accident(0.5, "white-line")
    lost = with_events(reading("ignored-accident", 0.9), accident(30, "white-line"))
    best, _ = choose([with_events(reading("fair", 1.0), crash), lost])
    assert best.events == (crash,)


def test_a_break_that_is_elsewhere_in_a_race_as_fair_and_likely_is_not_certain() -> None:
    crash = accident(0.5, "white-line")
    other_way_round = with_events(reading("fair", 0.9), accident(30, "white-line"))
    best, _ = choose([with_events(reading("fair", 1.0), crash), other_way_round])
    assert [e.certain for e in best.events] == [False]
    assert (best.verdict, best.accidents) == ("fair", 0)


def test_a_race_is_lost_only_by_an_accident_that_every_likely_reading_ignores() -> None:
    ignored = with_events(reading("ignored-accident", 1.0), accident(100, outcome="ignored"))
    assert choose([ignored])[0].verdict == "ignored-accident"
    alike = with_events(reading("ignored-accident", 0.5), accident(104, outcome="ignored"))
    assert choose([ignored, alike])[0] is ignored
    best, _ = choose([ignored, with_events(reading("ignored-accident", 0.5), accident(20, outcome="ignored"))])
    assert (best.verdict, best.accidents, best.reasons[0].rule) == ("review", 0, "R3")


def test_a_verdict_that_hangs_on_the_order_asks_for_it_and_keeps_the_other_order() -> None:
    ignored = with_events(reading("ignored-accident", 1.0), accident(100, outcome="ignored"))
    elsewhere = with_events(reading("ignored-accident", 0.5), accident(20, outcome="ignored"))
    best, others = choose([ignored, elsewhere])
    question = best.reasons[0].question
    assert question is not None
    assert (question.why, question.at_mm) == ("order", (100, 0.0))
    assert (question.yes, question.no) == (("ignored-accident",), ("ignored-accident",))
    assert [other.judgement for other in others] == [elsewhere]


def test_only_what_is_likely_enough_to_be_chosen_is_judged() -> None:
    paths = [Path((), share) for share in (0.5, 0.026, 0.02)]
    assert [path.likelihood for path in considered(paths)] == [0.5, 0.026]
    assert len(considered(paths, Rules(reading_share=0.0))) == 3
    assert considered([]) == ()


def test_one_reading_is_itself() -> None:
    assert choose([reading("fair", 1.0)])[1] == ()


def test_no_reading_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        choose([])


def test_a_margin_says_how_another_likely_order_would_have_it() -> None:
    def jumps(likelihood: float, *margins: float) -> Judgement:
        events = tuple(
            Event(i, "jump", "R6", (0.0, 0.0), i, element="jump-1", margin_mm=mm, uncertainty_mm=0.3)
            for i, mm in enumerate(margins)
        )
        return replace(reading("fair", likelihood), events=events)

    best, _ = choose([jumps(1.0, 5.0, 3.0), jumps(1.0, 3.0, 5.0), jumps(0.01, 9.0, 9.0)])
    assert [event.margin_mm for event in best.events] == [5.0, 3.0]
    assert [event.uncertainty_mm for event in best.events] == pytest.approx([(0.09 + 2.0) ** 0.5] * 2)
    near = (NearMiss(0, "jump-1", (0.0, 0.0), 5.0, 0.3), NearMiss(None, "jump-1", (0.0, 0.0), 1.0, 0.3))
    with_near, _ = choose([replace(jumps(1.0, 5.0), near_misses=near), jumps(1.0, 3.0)])
    assert [miss.uncertainty_mm for miss in with_near.near_misses] == pytest.approx([(0.09 + 2.0) ** 0.5, 0.3])
    alone, _ = choose([jumps(1.0, 5.0, 3.0), jumps(1.0, 5.0, 3.0)])
    assert [event.uncertainty_mm for event in alone.events] == [0.3, 0.3]
