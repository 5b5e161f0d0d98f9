"""Facts → verdict: every reading that the doubts leave open is judged, and the verdict holds if they agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

from referee.facts import Approach, End, Facts
from referee.model import (
    Call,
    Decided,
    Decision,
    Event,
    Judgement,
    NearMiss,
    Outcome,
    Question,
    Reason,
    Terms,
    VerdictName,
)
from referee.rules import words
from referee.rules.contacts import covers
from referee.rules.decisions import EXACT_MM, SAME_MM, meant, witnessed
from referee.rules.gadgets import placed
from referee.rules.machine import Told, in_order, run
from referee.rules.settings import Rules
from referee.rules.state import Doubt, Draft, Key, Run
from referee.rules.tables import kind_of
from referee.words import say

MANY_DOUBTS = 6
"""Up to this many doubts are read in every combination; beyond it each on its own and all together."""
MANY_RUNS = 200
MORE_INK_MM = 40.0
"""So much path after the finish is more than a smear."""
IGNORED, IN_DOUBT = 1.5, 1.1
"""That an accident was ignored is as unlikely as so many more accidents; one in doubt that was is as so many."""
FAR_JUMP_MM = -15.0
"""A landing this far outside its zone is no near miss."""


def judge(facts: Facts, rules: Rules | None = None, decisions: Sequence[Decision] = ()) -> Judgement:
    """The verdict on one path, with every event, in path order, and the reasons.

    ``decisions`` are what people say to the rules' questions.  `Judgement.decided` has an entry for each, without the
    referee's own answer where this path does not ask the question.
    """
    rules = rules or Rules()
    facts = replace(facts, gadgets=placed(facts.gadgets, rules))
    runs, asked = _settled_runs(facts, rules, decisions)
    chosen = min(runs, key=lambda r: _cost(r, runs))
    events = _events(chosen, runs)
    verdict, reasons = _verdict(chosen, runs, events, rules)
    decided = tuple(_decided(d, asked.get(i), chosen, events, rules) for i, d in enumerate(decisions))
    by_event = {d.event: i for i, d in enumerate(decided) if d.event is not None}
    numbered = tuple(_event(seq, draft, by_event.get(seq)) for seq, draft in enumerate(events))
    return Judgement(
        verdict=verdict,
        reasons=reasons + _more_ink(chosen, facts),
        finished=chosen.finished,
        accidents=sum(e.kind == "accident" and bool(e.certain) for e in numbered),
        donuts=chosen.donuts,
        events=numbered,
        near_misses=_near_misses(rules, chosen, events),
        unseen=facts.unseen,
        path=facts.path,
        terms=Terms(rules.too_close_factor, rules.donuts_owed),
        gadgets=facts.gadgets,
        unseen_before=facts.unseen_before,
        calls=_calls(chosen, events, {a.doubt.key: i for i, a in asked.items()}, decisions, rules),
        decided=decided,
    )


# ----------------------------------------------------------------------------------------- readings


@dataclass(frozen=True)
class _Asked:
    """A question that a decision answers, as the referee has it: ``certain`` if it would not have asked."""

    doubt: Doubt
    certain: bool


def _settled_runs(facts: Facts, rules: Rules, decisions: Sequence[Decision]) -> tuple[list[Run], dict[int, _Asked]]:
    """Every reading that the decisions leave open, and by its number the question that each decision answers.

    They are followed one after the other, as they were made: an answer may raise a question that a later decision is
    about, or make an earlier one pointless.  Those that find no question wait for the others; those whose place agrees
    exactly go before those nearby, and lifts that somebody saw come last.
    """
    asked: dict[int, _Asked] = {}
    settled: dict[Key, bool] = {}
    told = in_order(facts, rules)
    runs = _all_runs(facts, rules, settled, told)
    for within_mm, seen in ((EXACT_MM, False), (SAME_MM, False), (SAME_MM, True)):
        waiting = [i for i in range(len(decisions)) if i not in asked]
        if seen and waiting:
            told = _with_witnessed(told, facts, [decisions[i] for i in waiting])
            runs = _all_runs(facts, rules, settled, told)
        while waiting:
            found = _first_answer(decisions, waiting, runs, settled, within_mm)
            if found is None:
                break
            number, doubt = found
            waiting.remove(number)
            asked[number] = _Asked(doubt, not any(doubt.key in r.unsure for r in runs))
            settled[doubt.key] = words.kept_by(doubt, decisions[number].answer)
            runs = _all_runs(facts, rules, settled, told)
    return runs, asked


def _first_answer(
    decisions: Sequence[Decision], waiting: list[int], runs: list[Run], settled: Mapping[Key, bool], within_mm: float
) -> tuple[int, Doubt] | None:
    """The first of the waiting decisions that answers a question of some reading, and that question."""
    calls = {(key, doubt.element): doubt for r in runs for key, doubt in r.calls.items() if key not in settled}
    for number in waiting:
        doubt = meant(decisions[number], list(calls.values()), within_mm)
        if doubt is not None:
            return number, doubt
    return None


def _with_witnessed(told: tuple[Told, ...], facts: Facts, unanswered: Sequence[Decision]) -> tuple[Told, ...]:
    """What is told along the path, with the lifts that people saw where the referee asks about none."""
    seen: list[Told] = [(lift.spot, lift) for d in unanswered if (lift := witnessed(d, facts.path))]
    return tuple(sorted([*told, *seen], key=lambda one: (one[0].stroke, one[0].arc_mm)))


def _all_runs(facts: Facts, rules: Rules, settled: Mapping[Key, bool], told: tuple[Told, ...]) -> list[Run]:
    """As measured first, then with the doubts taken every other way (many doubts: one by one, and all at once)."""
    runs: list[Run] = []
    asked: dict[Key, Doubt] = {}
    tried: set[frozenset[tuple[Key, bool]]] = set()
    waiting: list[dict[Key, bool]] = [{}]
    while waiting and len(runs) < MANY_RUNS:
        assume = waiting.pop(0)
        mark = frozenset(assume.items())
        if mark in tried:
            continue
        tried.add(mark)
        result = run(facts, rules, assume, told, settled)
        runs.append(result)
        if any(key not in asked for key in result.doubts):
            asked |= result.doubts
            waiting += _combinations(list(asked.values()))
    return runs


def _combinations(doubts: list[Doubt]) -> list[dict[Key, bool]]:
    if len(doubts) <= MANY_DOUBTS:
        return [dict(zip([d.key for d in doubts], answers, strict=True))
                for answers in product((True, False), repeat=len(doubts))]  # fmt: skip
    single = [{d.key: not d.safe} for d in doubts]
    return [*single, {d.key: True for d in doubts}, {d.key: False for d in doubts}]


def _cost(reading: Run, runs: list[Run]) -> tuple[float, float]:
    """How much has to have gone wrong in a reading beyond what is in doubt; ties go to how it was measured.

    An accident in doubt explains what a driver went back for; one that nobody went back for explains nothing, and
    goes behind one that is plain to see.
    """
    accidents = [e for e in reading.events if e.kind == "accident"]
    ignored = sum(e.outcome == "ignored" for e in accidents)
    plain = float(sum(e.hidden or e.key not in reading.doubts for e in accidents))
    plain += IN_DOUBT * sum(e.key in reading.doubts and e.outcome == "ignored" for e in accidents)
    plain += reading.muted_breaks
    against = sum(d.weight + 0.01 for key, d in reading.doubts.items() if reading.taken[key] != d.safe)
    return plain + IGNORED * ignored + (0.0 if reading.done or not runs[0].done else 1.0), against


def _verdict_of(reading: Run) -> VerdictName:
    """The verdict if every doubt were settled this way."""
    outcomes = {e.outcome for e in reading.events if e.kind == "accident"}
    if "ignored" in outcomes:
        return "ignored-accident"
    if not reading.done:
        return "review" if reading.goes_on_hidden else "unfinished"
    return "fair"


# ----------------------------------------------------------------------------------------- events


def _events(chosen: Run, runs: list[Run]) -> list[Draft]:
    """The chosen reading's events; an accident is certain only if every reading has it."""
    events = [_told(e, chosen, runs) for e in chosen.events if not e.hidden]
    have = {e.key for e in events if e.kind == "accident"}
    for key, doubt in chosen.doubts.items():
        if chosen.taken[key] and key[0] == "gap" and key not in have:
            events.append(_doubted(key, doubt, runs))
    return sorted((e for e in events if e.kind != "gap"), key=lambda e: (e.spot.stroke, e.spot.arc_mm))


def _told(event: Draft, chosen: Run, runs: list[Run]) -> Draft:
    """An event as it is reported: a doubt measured as broken is an accident that is not certain."""
    doubt = chosen.doubts.get(event.key) if event.key else None
    if event.kind == "accident":
        event.certain = doubt is None and _in_all(event, runs)
        return event
    if doubt is not None and not doubt.safe and chosen.taken[doubt.key]:
        broken = _doubted(doubt.key, doubt, runs)
        return broken if broken.kind == "accident" else event
    return event


def _doubted(key: Key, doubt: Doubt, runs: list[Run]) -> Draft:
    """The accident that a doubt would be, with the outcome that it would have."""
    broken = next((e for r in runs for e in r.events if e.key == key and e.kind == "accident"), None)
    if broken is None:
        return Draft(key[0], doubt.rule, doubt.spot, doubt.element, doubt.margin, key=key)
    broken.certain = False
    return broken


def _in_all(event: Draft, runs: list[Run]) -> bool:
    """Whether every reading has this accident, or has the car crashed already where it happened on the way."""
    at_a_tip = event.cause in ("lift", "start") or (event.key is not None and event.key[0] in ("rope", "rope-landing"))
    on_the_way = not at_a_tip and (event.cause != "jump" or event.margin is None)
    at = (event.spot.stroke, event.spot.arc_mm)
    return all(
        any(e.place == event.place for e in r.events) or (on_the_way and any(a <= at <= b for a, b in r.muted))
        for r in runs
    )


def _event(seq: int, draft: Draft, decided: int | None) -> Event:
    accident = draft.kind == "accident"
    outcome: Outcome | None = draft.outcome if accident else None
    return Event(
        seq=seq,
        kind=draft.kind,
        rule=draft.rule,
        at_mm=draft.spot.at_mm,
        stroke=draft.spot.stroke,
        element=draft.element,
        margin_mm=draft.margin.mm if draft.margin else None,
        uncertainty_mm=draft.margin.sigma_mm if draft.margin else None,
        cause=draft.cause,
        certain=draft.certain if accident else None,
        outcome=outcome,
        restart_element=draft.restart_element if accident else None,
        decided=decided,
    )


# ----------------------------------------------------------------------------------------- calls and decisions


def _calls(
    chosen: Run, events: list[Draft], decided: Mapping[Key, int], decisions: Sequence[Decision], rules: Rules
) -> tuple[Call, ...]:
    """Every question that the chosen reading met, with its answer as measured or decided."""
    return tuple(
        Call(
            rule=doubt.rule,
            kind=kind_of(doubt),
            at_mm=doubt.spot.at_mm,
            stroke=doubt.spot.stroke,
            ask=words.question_of(doubt, rules.donuts_owed),
            answer=decisions[decided[key]].answer if key in decided else words.answer_of(doubt, doubt.safe),
            certain=key in decided or key not in chosen.unsure,
            element=doubt.element,
            margin_mm=doubt.margin.mm if doubt.margin else None,
            uncertainty_mm=doubt.margin.sigma_mm if doubt.margin else None,
            event=_event_of(doubt, events),
            decision=decided.get(key),
        )
        for key, doubt in sorted(chosen.calls.items(), key=lambda call: call[0][1:])
    )


def _event_of(doubt: Doubt, events: list[Draft]) -> int | None:
    """The number of the event that a question's answer shows in: its own, or what happened at its place for it."""
    if doubt.key[0] == "goes-on":
        return None
    missing = [i for i, e in enumerate(events) if e.cause == "donuts-missing" and doubt.key[0] == "donuts"]
    own = missing or [i for i, e in enumerate(events) if e.key == doubt.key]
    there = [i for i, e in enumerate(events) if (e.spot.stroke, e.spot.arc_mm) == doubt.key[1:]]
    return next(iter([*own, *sorted(there, key=lambda i: events[i].rule != doubt.rule)]), None)


def _decided(decision: Decision, asked: _Asked | None, chosen: Run, events: list[Draft], rules: Rules) -> Decided:
    """A decision beside what the referee says itself."""
    if asked is None:
        return Decided(decision)
    doubt = asked.doubt
    applies = doubt.key in chosen.calls
    return Decided(
        decision,
        ask=words.question_of(doubt, rules.donuts_owed),
        referee=words.answer_of(doubt, doubt.safe),
        certain=asked.certain,
        applies=applies,
        margin_mm=doubt.margin.mm if doubt.margin else None,
        uncertainty_mm=doubt.margin.sigma_mm if doubt.margin else None,
        event=_event_of(doubt, events) if applies else None,
    )


# ----------------------------------------------------------------------------------------- verdict and reasons


def _verdict(chosen: Run, runs: list[Run], events: list[Draft], rules: Rules) -> tuple[VerdictName, tuple[Reason, ...]]:
    verdicts = {_verdict_of(r) for r in runs}
    if len(verdicts) > 1:
        return "review", _open_questions(chosen, runs, events, rules)
    verdict = verdicts.pop()
    if verdict == "ignored-accident" and not any(e.certain and e.outcome == "ignored" for e in events):
        # One thing or another went wrong, but none for sure: nobody is accused of that.
        return "review", _open_questions(chosen, runs, events, rules)
    return verdict, _reasons(verdict, events, chosen)


def _reasons(verdict: VerdictName, events: list[Draft], chosen: Run) -> tuple[Reason, ...]:
    if verdict == "ignored-accident":
        return tuple(
            Reason("ignored-accident", e.rule, i, words.of_ignored(e))
            for i, e in enumerate(events)
            if e.kind == "accident" and e.outcome == "ignored"
        )
    if verdict == "unfinished":
        return (Reason("unfinished", "R5", None, say("reason.not-finished")),)
    if verdict == "review":
        return (Reason("goes-on-unseen", "R3", None, say("reason.goes-on-unseen"), _goes_on(chosen)),)
    return ()


def _more_ink(chosen: Run, facts: Facts) -> tuple[Reason, ...]:
    """That a race that got to the finish is not all that is on the board: a second drive is not judged, but told."""
    over = next((e.spot.stroke for e in chosen.events if e.kind == "finish"), None)
    ends = [fact.spot for fact in facts.items if isinstance(fact, End)]
    if over is None or sum(spot.arc_mm for spot in ends if spot.stroke > over) < MORE_INK_MM:
        return ()
    return (Reason("more-ink", "R5", None, say("reason.more-ink")),)


def _goes_on(chosen: Run) -> Question | None:
    """Where a race would go on that is not seen to: at the restart line of its accident, else where its ink ends."""
    doubt = next((doubt for key, doubt in chosen.calls.items() if key[0] == "goes-on"), None)
    return replace(_asked(doubt), yes=("fair",), no=("unfinished",)) if doubt else None


def _open_questions(chosen: Run, runs: list[Run], events: list[Draft], rules: Rules) -> tuple[Reason, ...]:
    """The doubts on which the outcome hangs: those whose two answers lead to different verdicts; each said once."""
    everywhere = {key: doubt for r in runs for key, doubt in r.doubts.items()}
    asked = list(chosen.doubts.values())
    deciding = [d for d in asked if _decides(d, chosen, runs)] or asked or list(everywhere.values())
    numbers = {e.key: i for i, e in enumerate(events) if e.key is not None}
    code = {"close": "too-close", "unseen": "unseen", "misplaced": "misplaced"}
    reasons = [
        Reason(code[d.why], d.rule, numbers.get(d.key), words.of_doubt(d, rules.donuts_owed), _question(d, runs, rules))
        for d in deciding
    ]
    return tuple({(r.event, r.text, r.question and r.question.at_mm): r for r in reasons}.values())


def _question(doubt: Doubt, runs: list[Run], rules: Rules) -> Question:
    """What a person is asked about a doubt, with what either answer would make of the race."""
    well = words.asked_of(doubt).well
    yes, no = (_verdicts_after(doubt, kept, runs) for kept in (well, not well))
    return replace(_asked(doubt, rules.donuts_owed), yes=yes, no=no)


def _asked(doubt: Doubt, donuts_owed: int = 0) -> Question:
    """What a person is asked about a doubt."""
    return Question(
        ask=words.question_of(doubt, donuts_owed),
        why=doubt.why,
        at_mm=doubt.spot.at_mm,
        element=doubt.element,
        margin_mm=doubt.margin.mm if doubt.margin else None,
        uncertainty_mm=doubt.margin.sigma_mm if doubt.margin else None,
        rule=doubt.rule,
        kind=kind_of(doubt),
        stroke=doubt.spot.stroke,
    )


def _verdicts_after(doubt: Doubt, kept: bool, runs: list[Run]) -> tuple[VerdictName, ...]:
    """The verdicts that are left if a doubt is settled; none where not every combination of doubts was read.

    A reading in which the question does not arise is left by either answer.
    """
    if len(runs) >= MANY_RUNS or len({key for r in runs for key in r.taken}) > MANY_DOUBTS:
        return ()
    return tuple(sorted({_verdict_of(r) for r in runs if r.taken.get(doubt.key, kept) == kept}))


def _decides(doubt: Doubt, chosen: Run, runs: list[Run]) -> bool:
    """Whether turning one answer over, all others as chosen, changes the verdict."""
    others = {k: v for k, v in chosen.taken.items() if k != doubt.key}
    told = [r for r in runs if all(r.taken.get(k, v) == v for k, v in others.items()) and doubt.key in r.taken]
    answers = {answer: {_verdict_of(r) for r in told if r.taken[doubt.key] == answer} for answer in (True, False)}
    return bool(answers[True]) and bool(answers[False]) and answers[True] != answers[False]


# ----------------------------------------------------------------------------------------- near misses


def _near_misses(rules: Rules, chosen: Run, events: list[Draft]) -> tuple[NearMiss, ...]:
    """R14: the smallest distances, those of events and those that made none, the smallest first."""
    found = [_of_event(seq, e) for seq, e in enumerate(events) if _is_near(e, rules)]
    contacts = [e for e in events if e.kind in ("brush", "wipeout") or e.cause == "white-line"]
    for fact in chosen.near:
        if 0 <= fact.margin.mm < rules.near_miss_mm and not any(_belongs(fact, e) for e in contacts):
            found.append(_of_approach(fact))
    return tuple(sorted(found, key=lambda n: abs(n.margin_mm)))


MEASURED = ("brush", "jump", "landing", "donut", "wipeout", "gadget")
MEASURED_ACCIDENTS = ("white-line", "jump", "clothesline", "mine")


def _is_near(event: Draft, rules: Rules) -> bool:
    measured = event.kind in MEASURED or event.cause in MEASURED_ACCIDENTS
    if not measured or event.margin is None:
        return False
    far = event.cause in ("jump", "clothesline") and event.margin.mm < FAR_JUMP_MM
    return event.margin.mm < rules.near_miss_mm and not far


def _belongs(approach: Approach, event: Draft) -> bool:
    same = event.line == approach.line if approach.kind == "white-line" else event.element == approach.element
    return same and covers(approach, event.spot)


def _of_event(seq: int, event: Draft) -> NearMiss:
    assert event.margin is not None
    # A rope is told of where the marker left the board; the smaller margin may be where it came down.
    at_mm = event.edge_mm[0] if event.kind == "gadget" and event.edge_mm else event.spot.at_mm
    return NearMiss(
        event=seq,
        element=event.element or "",
        at_mm=at_mm,
        margin_mm=event.margin.mm,
        uncertainty_mm=event.margin.sigma_mm,
        edge_mm=event.edge_mm,
    )


def _of_approach(fact: Approach) -> NearMiss:
    return NearMiss(
        event=None,
        element=fact.element,
        at_mm=fact.low.at_mm,
        margin_mm=fact.margin.mm,
        uncertainty_mm=fact.margin.sigma_mm,
        edge_mm=fact.edge_mm,
    )
