"""A person decides: every kind of question answered both ways, clear calls overruled, decisions taken back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from referee.errors import UnknownDecision
from referee.facts import Facts, Gap, Ring
from referee.model import Answer, Call, Decision, Judgement, Path, Question, Stroke, VerdictName
from referee.rules import Rules, judge, judge_readings
from referee.rules.tables import KINDS
from referee.rules.words import QUESTIONS
from tests.rules.facts import Race, started, told

Made = Callable[[], Race]


def home(race: Race) -> Race:
    return race.cross(100, "checkpoint-1").cross(110, "checkpoint-2").cross(120, "finish").end(130)


def dark(lines: frozenset[str] = frozenset()) -> Race:
    return Race(dark=lines).begin("start").end(30, look="unseen").begin(look="unseen")


def two_clear_rings_and_one_close() -> Race:
    race = started().oil(10).ring(40, 0).ring(60, 1)
    race.items.append(Ring(race.spot(80), 2, 70, (80, 0), 1.52, 0.05))
    return race


def boosted_in_the_dark() -> Race:
    race = Race(dark=frozenset({"slowdown-1"})).begin("start").into(20, "acceleration")
    return home(race.end(30, look="unseen").begin(look="unseen"))


def missed_in_the_dark() -> Race:
    return dark(frozenset({"checkpoint-1"})).cross(20, "checkpoint-2").cross(30, "finish").end(40)


def turned() -> Race:
    return home(started().distance("start", (0, 0.0), (40, 30.0), (60, 4.0)).end(60).begin("checkpoint-2"))


def ended_at_the_rim() -> Race:
    race = started().end(50)
    race.items[-1] = replace(race.items[-1], at_rim=True)  # type: ignore[arg-type]
    return home(race.begin())


def covered_and_driven_again() -> Race:
    race = started().cross(20, "checkpoint-1").touch(30, -1.0).end(50, look="covered").begin("checkpoint-1", 2.0)
    return race.cross(40, "checkpoint-2").cross(60, "finish").end(70)


OPEN: dict[str, tuple[Made, str, VerdictName, VerdictName]] = {
    "line": (lambda: home(started().touch(50, -0.05)), "white-line", "ignored-accident", "fair"),
    "hidden-line": (lambda: home(started().hide(50, "white-line-1")), "white-line-unseen", "fair", "ignored-accident"),
    "gap": (lambda: home(started().end(50, gap=Gap(3.0, 5.0)).begin()), "lift", "ignored-accident", "fair"),
    "rim": (ended_at_the_rim, "lift", "ignored-accident", "fair"),
    "turned": (turned, "lift", "ignored-accident", "fair"),
    "end": (lambda: home(started().end(50, look="unseen").begin()), "lift", "ignored-accident", "fair"),
    "start": (lambda: home(Race().begin("start", 8.05)), "start", "fair", "ignored-accident"),
    "start unseen": (lambda: home(Race().begin("start", 12.0, look="unseen")), "start", "fair", "ignored-accident"),
    "restart": (
        lambda: home(started().touch(50, -1).end(60).begin("start", 10.05)), "restart", "fair", "ignored-accident",
    ),
    "jump": (
        lambda: home(started().end(50, jump=0.05).begin(landing={"zigzag": 3.0})), "jump", "fair", "ignored-accident",
    ),
    "landing": (
        lambda: home(started().end(50, jump=4.0).begin(landing={"zigzag": 0.05})), "landing", "fair",
        "ignored-accident",
    ),
    "jump unseen": (
        lambda: home(started().end(50, jump=4.0, look="unseen").begin(landing={"zigzag": 4.0})), "jump", "fair",
        "ignored-accident",
    ),
    "landing unseen": (
        lambda: home(started().end(50, jump=4.0).begin(landing={"zigzag": -0.05}, look="unseen")), "landing", "fair",
        "ignored-accident",
    ),
    "through": (
        lambda: home(started().out_of(50, "jump", "zigzag", depth=0.05)), "drive-through", "ignored-accident", "fair",
    ),
    "oil": (lambda: home(started().oil(20, -0.05)), "oil-spill", "ignored-accident", "fair"),
    "oil unseen": (
        lambda: home(started().hide(50, oil=("oil-spill-1",))), "oil-spill", "ignored-accident", "fair",
    ),
    "donuts": (lambda: home(two_clear_rings_and_one_close()), "donuts", "fair", "ignored-accident"),
    "zone": (
        lambda: home(started().into(20, "acceleration", depth=0.05)), "zone", "ignored-accident", "fair",
    ),
    "slowing": (boosted_in_the_dark, "zone", "fair", "ignored-accident"),
    "cross": (
        lambda: started().cross(50, "checkpoint-1").cross(60, "checkpoint-2").cross(70, "finish", 0.05).end(71),
        "crossing", "fair", "unfinished",
    ),
    "passing": (missed_in_the_dark, "crossing", "fair", "ignored-accident"),
    "touch": (lambda: home(started().draw("mine-1").run_into(50, -0.05)), "gadget", "ignored-accident", "fair"),
    "rope": (
        lambda: home(started().draw("clothesline-1").end(50, rope=0.05).begin(rope=4.0)), "rope-jump", "fair",
        "ignored-accident",
    ),
    "rope-landing": (
        lambda: home(started().draw("clothesline-1").end(50, rope=4.0).begin(rope=-0.05)), "rope-landing", "fair",
        "ignored-accident",
    ),
    "misplaced": (
        lambda: home(started().draw("mine-1", faulty=True).run_into(50, -1.0)), "misplaced", "ignored-accident", "fair",
    ),
    "goes-on": (lambda: started().end(50, look="unseen"), "goes-on", "fair", "unfinished"),
    "goes-on after an accident": (
        lambda: Race(hidden=frozenset({"start"})).begin("start").touch(20, -1).end(50), "goes-on", "fair",
        "unfinished",
    ),
}  # fmt: skip
"""For each sort of doubt: a race that is open because of it, the kind's name, the verdict after yes and after no."""


def said(asked: Question | Call, answer: Answer) -> Decision:
    assert asked.stroke is not None
    return Decision(asked.rule, asked.kind, asked.at_mm, answer, asked.element, asked.stroke, reason="We saw it.")


def question(judgement: Judgement, kind: str) -> Question:
    return next(r.question for r in judgement.reasons if r.question and r.question.kind == kind)


def decided(facts: Facts, *decisions: Decision) -> Judgement:
    return judge_readings([facts], Rules(mode="competitive"), decisions)[0]


@pytest.mark.parametrize("doubt", OPEN)
def test_a_question_answered_either_way_settles_the_race_as_it_said_it_would(doubt: str) -> None:
    made, kind, *verdicts = OPEN[doubt]
    answers: tuple[Answer, Answer] = ("yes", "no")
    facts = made().facts()
    alone = decided(facts)
    assert alone.verdict == "review"
    asked = question(alone, kind)
    for answer, verdict, promised in zip(answers, verdicts, (asked.yes, asked.no), strict=True):
        done = decided(facts, said(asked, answer))
        others = [r.question.kind for r in done.reasons if r.question]
        assert done.verdict == verdict or (done.verdict == "review" and others and len(promised) > 1), answer
        assert done.verdict in promised or done.verdict == "review"
        assert not any(r.question and r.question.at_mm == asked.at_mm and r.question.kind == kind for r in done.reasons)


@pytest.mark.parametrize("doubt", OPEN)
def test_a_decision_is_told_beside_what_the_referee_says_alone(doubt: str) -> None:
    made, kind, *_ = OPEN[doubt]
    facts = made().facts()
    asked = question(decided(facts), kind)
    done = decided(facts, said(asked, "yes"))
    (told_of,) = done.decided
    assert (told_of.ask, told_of.certain, told_of.margin_mm) == (asked.ask, False, asked.margin_mm)
    assert told_of.referee in ("yes", "no")
    assert done.alone == ("review", decided(facts).accidents)
    if told_of.event is not None:
        assert done.events[told_of.event].decided == 0


def test_every_sort_of_doubt_has_a_race_here() -> None:
    sorts = {name.split(" ")[0] for name in OPEN} | {"lift", "covered", "onward", "seen"}
    assert sorts >= set(QUESTIONS) == set(KINDS)


def test_a_kind_of_question_means_one_thing_by_yes() -> None:
    well = {kind: {QUESTIONS[about].well for about in KINDS if KINDS[about] == kind} for kind in KINDS.values()}
    assert all(len(meanings) == 1 for meanings in well.values())


def test_a_lift_that_goes_on_unseen_is_decided_both_ways_once_its_restart_is() -> None:
    facts = home(started().end(50).begin(look="unseen")).facts()
    elsewhere = said(question(decided(facts), "restart"), "no")
    asked = question(decided(facts, elsewhere), "lift")
    assert decided(facts, elsewhere, said(asked, "yes")).verdict == "ignored-accident"
    fair = decided(facts, elsewhere, said(asked, "no"))
    assert (fair.verdict, [d.applies for d in fair.decided]) == ("fair", [False, True])


def test_a_lift_under_other_ink_is_decided_both_ways() -> None:
    facts = covered_and_driven_again().facts()
    (call,) = [c for c in decided(facts).calls if c.kind == "white-line"]
    no_break = said(call, "no")
    (lift,) = [c for c in decided(facts, no_break).calls if c.kind == "lift"]
    assert told(decided(facts, no_break, said(lift, "yes")))[3] == "lift honoured"
    assert "lift honoured" not in told(decided(facts, no_break, said(lift, "no")))


# ----------------------------------------------------------------------------------------- clear calls

CLEAR: dict[str, tuple[Made, str, str, Answer, VerdictName]] = {
    "a break": (lambda: home(started().touch(50, -1.5)), "white-line", "accident", "no", "fair"),
    "a brush": (lambda: home(started().touch(50, 0.8)), "white-line", "brush", "yes", "ignored-accident"),
    "a lift": (lambda: home(started().end(50).begin()), "lift", "accident", "no", "fair"),
    "a dry marker": (
        lambda: home(started().end(50, gap=Gap(1.0, 5.0)).begin()), "lift", "lift", "yes", "ignored-accident",
    ),
    "a closed gap": (lambda: home(started().dry(50)), "lift", "lift", "yes", "ignored-accident"),
    "a start elsewhere": (lambda: home(Race().begin("start", 20.0)), "start", "accident", "yes", "fair"),
    "a start": (lambda: home(started()), "start", "start", "no", "ignored-accident"),
    "a restart elsewhere": (
        lambda: home(started().touch(50, -1).end(60).begin("start", 14.0)), "restart", "", "yes", "fair",
    ),
    "a failed jump": (
        lambda: home(started().end(50, jump=-3.0).begin(landing={"zigzag": 3.0})), "jump", "accident", "yes", "fair",
    ),
    "a jump from far off": (
        lambda: home(started().end(50, jump=-40.0).begin(landing={"zigzag": 3.0})), "jump", "accident", "yes", "fair",
    ),
    "a failed landing": (
        lambda: home(started().end(50, jump=3.0).begin(landing={"zigzag": -3.0})), "landing", "accident", "yes",
        "fair",
    ),
    "a jump": (
        lambda: home(started().end(50, jump=3.0).begin(landing={"zigzag": 3.0})), "landing", "landing", "no",
        "ignored-accident",
    ),
    "driven through": (
        lambda: home(started().out_of(50, "jump", "zigzag")), "drive-through", "accident", "no", "fair",
    ),
    "a wipeout": (lambda: home(started().oil(20, -1.0)), "oil-spill", "wipeout", "no", "fair"),
    "missing donuts": (lambda: home(started().oil(20, -1.0)), "donuts", "accident", "yes", "fair"),
    "three donuts": (
        lambda: home(started().oil(10).ring(40, 0).ring(60, 1).ring(80, 2)), "donuts", "", "no",
        "ignored-accident",
    ),
    "a missed checkpoint": (
        lambda: started().cross(50, "checkpoint-2").cross(60, "finish").end(70), "crossing", "accident", "yes", "fair",
    ),
    "a missed slowdown zone": (
        lambda: home(started().into(20, "acceleration")), "zone", "accident", "yes", "fair",
    ),
    "a mine hit": (
        lambda: home(started().draw("mine-1").run_into(50, -1.0)), "gadget", "accident", "no", "fair",
    ),
    "a rope left too early": (
        lambda: home(started().draw("clothesline-1").end(50, rope=-3.0).begin(rope=4.0)), "rope-jump", "accident",
        "yes", "fair",
    ),
    "a rope jumped": (
        lambda: home(started().draw("clothesline-1").end(50, rope=4.0).begin(rope=4.0)), "rope-jump", "gadget", "no",
        "ignored-accident",
    ),
    "a landing elsewhere": (
        lambda: home(started().draw("clothesline-1").end(50, rope=4.0).begin()), "rope-landing", "accident", "yes",
        "fair",
    ),
    "a race that stopped": (lambda: started().end(50), "goes-on", "", "yes", "fair"),
    "a finish": (lambda: home(started()), "crossing", "finish", "no", "unfinished"),
}  # fmt: skip
"""What the referee is sure of: a race with it, the question's kind, its event, the other answer, the verdict then."""


def the_call(judgement: Judgement, kind: str, event: str, answer: Answer) -> Call:
    """The call of a kind that goes with a kind of event and is not answered so."""
    calls = [c for c in judgement.calls if c.kind == kind and c.answer != answer]
    return next(c for c in reversed(calls) if not event or judgement.events[c.event or 0].kind == event)


@pytest.mark.parametrize("sure", CLEAR)
def test_a_clear_call_can_be_overruled(sure: str) -> None:
    made, kind, event, answer, verdict = CLEAR[sure]
    facts = made().facts()
    alone = decided(facts)
    call = the_call(alone, kind, event, answer)
    assert call.certain
    done = decided(facts, said(call, answer))
    assert done.verdict == verdict
    assert (done.decided[0].referee, done.decided[0].certain) == (call.answer, True)
    assert done.alone == (alone.verdict, alone.accidents)


@pytest.mark.parametrize("sure", CLEAR)
def test_a_clear_call_that_is_confirmed_changes_no_verdict(sure: str) -> None:
    made, kind, event, answer, _ = CLEAR[sure]
    facts = made().facts()
    alone = decided(facts)
    call = the_call(alone, kind, event, answer)
    done = decided(facts, said(call, call.answer))
    assert (done.verdict, done.accidents, told(done)) == (alone.verdict, alone.accidents, told(alone))
    assert done.decided[0].referee == call.answer


@pytest.mark.parametrize("name", [*OPEN, *CLEAR])
def test_every_call_of_every_race_can_be_answered_both_ways(name: str) -> None:
    made: Made = OPEN[name][0] if name in OPEN else CLEAR[name][0]
    facts = made().facts()
    answers: tuple[Answer, Answer] = ("yes", "no")
    for call in decided(facts).calls:
        for answer in answers:
            done = decided(facts, said(call, answer))
            assert done.decided[0].referee == call.answer
            there = [(c.answer, c.certain, c.kind) for c in done.calls if c.decision == 0]
            assert there in ([], [(answer, True, call.kind)])  # none where another doubt now stands in its way


def test_a_confirmed_accident_counts_where_an_uncertain_one_does_not() -> None:
    facts = home(started().touch(50, -0.05).end(60).begin("start")).facts()
    alone = decided(facts)
    assert (alone.verdict, alone.accidents) == ("fair", 0)
    (call,) = [c for c in alone.calls if c.kind == "white-line"]
    assert decided(facts, said(call, "yes")).accidents == 1
    assert not any(e.kind == "accident" for e in decided(facts, said(call, "no")).events if e.cause == "white-line")


def along_x(race: Race, stroke: int = 0) -> Facts:
    """A race whose strokes run along x, each at its number's height."""
    line = np.array([[float(x), float(y)] for y in range(stroke + 1) for x in range(131)]).reshape(stroke + 1, 131, 2)
    strokes = tuple(Stroke(points, np.ones((131, 2)), np.ones(131), np.ones(131, bool)) for points in line)
    return replace(race.facts(), path=Path(strokes))


def test_a_lift_that_left_no_gap_is_added_by_who_saw_it() -> None:
    facts = along_x(home(started()))
    saw = Decision("R4", "lift", (50.3, 1.0), "yes", reason="She lifted it.", who="Bob")
    done = decided(facts, saw)
    assert told(done) == ["start", "lift ignored", "checkpoint", "checkpoint", "finish"]
    assert (done.verdict, done.accidents, done.events[1].at_mm) == ("ignored-accident", 1, (50.0, 0.0))
    assert (done.decided[0].referee, done.decided[0].certain, done.events[1].decided) == ("no", True, 0)
    assert done.alone == ("fair", 0)


def test_a_lift_that_somebody_saw_in_an_excursion_changes_nothing() -> None:
    facts = along_x(home(started().touch(40, -1.0)))
    done = decided(facts, Decision("R4", "lift", (60.0, 0.0), "yes"))
    assert told(done) == told(decided(facts))
    assert done.decided[0].event is None


@pytest.mark.parametrize("wrong", [{"at_mm": (50.0, 9.0)}, {"answer": "no"}, {"kind": "jump"}, {"rule": "R2"}])
def test_nobody_adds_a_lift_off_the_path_or_anything_else(wrong: dict[str, str]) -> None:
    saw = Decision("R4", "lift", (50.3, 1.0), "yes")
    with pytest.raises(UnknownDecision):
        decided(along_x(home(started())), replace(saw, **wrong))  # type: ignore[arg-type]


# ----------------------------------------------------------------------------------------- naming and taking back


def test_judging_again_without_a_decision_takes_it_back() -> None:
    facts = home(started().touch(30, 0.05).hide(60, "white-line-4")).facts()
    alone = decided(facts)
    for reason in alone.reasons:
        assert reason.question
        assert decided(facts, said(reason.question, "yes")) != alone
    assert decided(facts) == alone


def test_two_decisions_hold_in_either_order() -> None:
    facts = home(started().touch(30, 0.05).hide(60, "white-line-4")).facts()
    alone = decided(facts)
    first, second = said(question(alone, "white-line"), "no"), said(question(alone, "white-line-unseen"), "yes")
    one, other = decided(facts, first, second), decided(facts, second, first)
    assert one.verdict == other.verdict == "fair"
    assert [d.decision for d in other.decided] == [second, first]
    assert [e.decided for e in other.events if e.decided is not None] == [1]


def test_a_decision_that_a_later_one_makes_pointless_stays_and_says_so() -> None:
    facts = home(started()).facts()
    first, second, _ = (c for c in decided(facts).calls if c.kind == "crossing")
    missed = said(first, "no")
    (passing,) = [c for c in decided(facts, missed).calls if (c.element, c.at_mm) == ("checkpoint-1", second.at_mm)]
    made = [missed, said(passing, "yes"), said(second, "no")]
    assert [d.applies for d in decided(facts, *made[:2]).decided] == [True, True]
    assert [d.applies for d in decided(facts, *made).decided] == [True, False, True]


def test_an_answer_may_raise_a_question_that_another_decision_answers() -> None:
    race = started().touch(20, 0.8).end(60, gap=Gap(1.0, 5.0)).begin("start", 10.05)
    facts = home(race.touch(40, 0.8, line=2)).facts()
    over = Decision("R2", "white-line", (21.0, 0.0), "yes", "white-line-1")
    back = Decision("R3", "restart", (0.0, 1.0), "no", "start")
    with pytest.raises(UnknownDecision, match="restart"):
        decided(facts, back)
    assert decided(facts, back, over).verdict == "ignored-accident"
    assert decided(facts, replace(back, answer="yes"), over).verdict == "fair"


@pytest.mark.parametrize(("off", "is_known"), [(3.0, True), (7.0, False)])
def test_a_place_within_a_few_millimetres_is_the_same(off: float, is_known: bool) -> None:
    facts = home(started().touch(50, -0.05)).facts()
    decision = said(question(decided(facts), "white-line"), "no")
    moved = replace(decision, at_mm=(decision.at_mm[0] + off, decision.at_mm[1]))
    if is_known:
        assert decided(facts, moved).verdict == "fair"
    else:
        with pytest.raises(UnknownDecision, match="answers nothing"):
            decided(facts, moved)


@pytest.mark.parametrize("wrong", [{"rule": "R9"}, {"kind": "lift"}, {"element": "white-line-2"}, {"element": None}])
def test_a_decision_about_something_else_is_refused(wrong: dict[str, str]) -> None:
    facts = home(started().touch(50, -0.05)).facts()
    decision = said(question(decided(facts), "white-line"), "no")
    with pytest.raises(UnknownDecision, match="answers nothing"):
        decided(facts, replace(decision, **wrong))  # type: ignore[arg-type]


def test_a_question_is_decided_once() -> None:
    facts = home(started().touch(50, -0.05)).facts()
    decision = said(question(decided(facts), "white-line"), "no")
    with pytest.raises(UnknownDecision, match="another decision answers the same"):
        decided(facts, decision, replace(decision, answer="yes"))


def test_of_two_like_questions_close_together_each_has_its_own_answer() -> None:
    race = started().touch(50, -0.05, long=1.0).touch(53.5, -0.05, long=1.0)
    race.items[-1] = replace(race.items[-1], first=race.spot(54.2))  # type: ignore[arg-type]
    facts = home(race).facts()
    near, far = [c for c in judge(facts).calls if c.kind == "white-line"]
    done = decided(facts, said(far, "no"))
    assert [c.decision for c in done.calls if c.kind == "white-line"] == [None, 0]
    both = decided(facts, said(far, "no"), said(near, "no"))
    assert [c.decision for c in both.calls if c.kind == "white-line"] == [1, 0]
    assert both.verdict == "fair"


def test_restarts_on_one_spot_are_told_apart_by_their_stroke() -> None:
    race = started().touch(20, -1).end(30).begin("start", 10.05).touch(20, -1).end(30).begin("start", 10.05)
    for fact in race.items:
        if type(fact).__name__ == "Begin":
            object.__setattr__(fact, "spot", replace(fact.spot, at_mm=(0.0, 0.0)))  # type: ignore[union-attr]
    facts = home(race).facts()
    restarts = [c for c in decided(facts).calls if c.kind == "restart"]
    assert [c.stroke for c in restarts] == [1, 2]
    for number, call in enumerate(restarts):
        done = decided(facts, said(call, "no"))
        assert [c.decision for c in done.calls if c.kind == "restart"][number] == 0


# ----------------------------------------------------------------------------------------- the order of the strokes


def likely(facts: Facts, likelihood: float, strokes: int = 1) -> Facts:
    line = np.array([[0.0, 0.0], [10.0, 0.0]])
    stroke = Stroke(line, np.ones((2, 2)), np.ones(2), np.ones(2, bool))
    return replace(facts, path=Path((stroke,) * strokes, likelihood))


def two_orders() -> list[Facts]:
    """An order by which an accident was ignored, and one, nearly as likely, by which the race stopped."""
    ignored = home(started().touch(50, -1.5)).facts()
    stopped = started().touch(80, -1.5, line=2).end(90).facts()
    return [likely(ignored, 1.0), likely(stopped, 0.5, strokes=2)]


def test_an_order_in_question_is_decided_both_ways() -> None:
    orders = two_orders()
    alone, _ = judge_readings(orders)
    assert alone.verdict == "review"
    asked = question(alone, "order")
    believed, others = judge_readings(orders, decisions=[said(asked, "yes")])
    assert (believed.verdict, believed.accidents) == ("ignored-accident", 1)
    assert (asked.yes, believed.decided[0].referee, believed.decided[0].event) == (("ignored-accident",), "yes", 1)
    assert "a person decided" in others[0].why
    other, others = judge_readings(orders, decisions=[said(asked, "no")])
    assert (other.verdict, asked.no, other.alone) == ("unfinished", ("unfinished",), ("review", 0))
    assert [o.verdict for o in others] == ["ignored-accident"]


def test_one_whole_order_is_believed_by_its_strokes() -> None:
    orders = two_orders()
    _, (other,) = judge_readings(orders)
    decision = Decision("R3", "order", (0.0, 0.0), "yes", strokes=other.strokes)
    taken, _ = judge_readings(orders, decisions=[decision])
    assert (taken.verdict, taken.decided[0].referee) == ("unfinished", "no")
    assert judge_readings(orders, decisions=[replace(decision, answer="no")])[0].verdict == "ignored-accident"


def test_an_order_that_nobody_knows_is_refused() -> None:
    unknown = Decision("R3", "order", (0.0, 0.0), "yes", strokes=(((50.0, 0.0), (60.0, 0.0)),))
    with pytest.raises(UnknownDecision, match="order"):
        judge_readings(two_orders(), decisions=[unknown])
    nothing = Decision("R3", "order", (0.0, 0.0), "no", "white-line-9")
    with pytest.raises(UnknownDecision, match="answers nothing"):
        judge_readings(two_orders(), decisions=[nothing])


def test_no_order_may_be_left_by_decisions() -> None:
    orders = two_orders()
    _, (other,) = judge_readings(orders)
    both = [Decision("R3", "order", (0.0, 0.0), "no", strokes=s) for s in (other.strokes, other.strokes[:1])]
    with pytest.raises(UnknownDecision, match="no order of the strokes is left"):
        judge_readings(orders, decisions=both)


def test_a_decision_that_only_another_order_asks_about_stays_and_says_so() -> None:
    orders = two_orders()
    elsewhere = Decision("R2", "white-line", (81.0, 0.0), "no", "white-line-2")
    taken, _ = judge_readings(orders, decisions=[elsewhere])
    (said_of,) = taken.decided
    assert (said_of.ask, said_of.applies, said_of.referee) == ("Did the ink go over white line 2?", False, "yes")
    assert (taken.verdict, said_of.event) == ("ignored-accident", None)


def test_an_accident_that_a_person_confirmed_does_not_hang_on_the_order() -> None:
    orders = two_orders()
    alone, _ = judge_readings(orders)
    (call,) = [c for c in alone.calls if c.kind == "white-line"]
    assert judge_readings(orders, decisions=[said(call, "yes")])[0].verdict == "ignored-accident"


# ----------------------------------------------------------------------------------------- one after the other


@pytest.mark.parametrize("seed", range(60))
def test_whatever_people_decide_one_after_the_other_is_followed_and_can_be_taken_back(seed: int) -> None:
    rng = Random(seed)
    made: Made = rng.choice([*(race[0] for race in OPEN.values()), *(race[0] for race in CLEAR.values())])
    facts = made().facts()
    alone = now = decided(facts)
    decisions: list[Decision] = []
    answers: tuple[Answer, Answer] = ("yes", "no")
    for _ in range(4):
        left = [call for call in now.calls if call.decision is None]
        if left:
            decisions.append(said(rng.choice(left), rng.choice(answers)))
        now = decided(facts, *decisions)
        assert [d.decision for d in now.decided] == decisions
        assert now.alone == ((alone.verdict, alone.accidents) if decisions else None)
    assert decided(facts) == alone
