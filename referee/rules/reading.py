"""Which order of the strokes the referee takes for what happened (R3).

Several orders may explain one picture.  If any that is not far-fetched explains it as a fair race, that is the
reading; otherwise the likeliest is.  The other verdicts that another order would give are told as well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import compress, pairwise
from math import dist, hypot, inf

from referee.model import (
    Answer,
    Decided,
    Decision,
    Event,
    Floats,
    Judgement,
    OtherReading,
    Path,
    Question,
    Reason,
    Tips,
)
from referee.rules.decisions import ORDER, SAME_MM, refuse
from referee.rules.settings import Rules
from referee.words import say

INVISIBLE_LIFT = 0.1
"""How much less likely a reading is for every lift that left no trace."""
SURE_SHARE = 0.3
"""An accident is certain only if every reading at least this likely, against the chosen one, has it too."""
SAME_PLACE_MM = 8.0
ON_THE_LINE_MM = 2.0
AT_AN_END = ("lift", "jump", "start")
ONCE = ("clothesline", "mine")
BY_ATTEMPT = ("jump", "landing")
LOST = ("ignored-accident", "unfinished")


def considered(paths: Sequence[Path], rules: Rules | None = None) -> tuple[Path, ...]:
    """The orders of the strokes that are not too unlikely to be the referee's reading: the others need no judging."""
    return tuple(compress(paths, _likely_enough([path.likelihood for path in paths], rules or Rules())))


def _likely_enough(likelihoods: Sequence[float], rules: Rules) -> list[bool]:
    """Which of several orders are not too unlikely against the likeliest of them."""
    least = rules.reading_share * max(likelihoods, default=0.0)
    return [likelihood >= least for likelihood in likelihoods]


def choose(
    judgements: Sequence[Judgement], rules: Rules | None = None, decisions: Sequence[Decision] = ()
) -> tuple[Judgement, tuple[OtherReading, ...]]:
    """The reading that the referee takes, and the different verdicts that other orders would give.

    Each judgement carries its path with the path's likelihood and was made with the same ``decisions``; those about
    the order of the strokes leave only the readings that agree with them.  Raises ValueError if there is no judgement,
    `UnknownDecision` for a decision that answers nothing in any of them.
    """
    if not judgements:
        raise ValueError("choose needs at least one judgement, got none")
    rules = rules or Rules()
    believed = _believed(judgements, decisions)
    able = list(compress(believed, _likely_enough([_weight(j) for j in believed], rules)))
    about_as_likely = SURE_SHARE * max(_weight(j) for j in able)
    best = min(able, key=lambda j: _rank(j, about_as_likely))
    peers = [j for j in able if j is not best and _weight(j) >= SURE_SHARE * _weight(best)]
    told = _weighed(best, peers)
    taken = _named_all(_sure(told, [j for j in peers if not _unexplained(j)]), judgements)
    return taken, _others(best, taken, judgements, able, believed)


# ----------------------------------------------------------------------------------------- what people say of the order


def _believed(judgements: Sequence[Judgement], decisions: Sequence[Decision]) -> list[Judgement]:
    """The readings that agree with what people say of the order, all of them where nobody says anything."""
    left = list(judgements)
    for number, decision in enumerate(decisions):
        if decision.kind == ORDER:
            if not any(_has_what_is_meant(j, decision) for j in judgements):
                raise refuse(decision)
            left = [j for j in left if _agrees(j, decision)]
            if not left:
                raise refuse(decision, "decision-fault.no-order")
        elif all(j.decided[number].referee is None for j in judgements):
            twice = any(_same_question(d, decision) for d in decisions[:number])
            raise refuse(decision, f"decision-fault.{'twice' if twice else 'nothing'}")
    return left


def _named_all(taken: Judgement, judgements: Sequence[Judgement]) -> Judgement:
    """The reading taken, with what the referee has to say of questions that only other readings ask."""
    rows = list(zip(*(j.decided for j in judgements), strict=True))
    elsewhere = [next((d for d in row if d.referee is not None), row[0]) for row in rows]
    decided = tuple(
        replace(other, applies=False, event=None) if own.referee is None else own
        for own, other in zip(taken.decided, elsewhere, strict=True)
    )
    return replace(taken, decided=decided) if decided else taken


def _same_question(one: Decision, other: Decision) -> bool:
    named = (one.rule, one.kind, one.element) == (other.rule, other.kind, other.element)
    return named and dist(one.at_mm, other.at_mm) <= SAME_MM


def _agrees(judgement: Judgement, decision: Decision) -> bool:
    """Whether a reading is one that a decision about the order leaves."""
    return _has_what_is_meant(judgement, decision) == (decision.answer == "yes")


def _has_what_is_meant(judgement: Judgement, decision: Decision) -> bool:
    """Whether a reading is the order of strokes that is meant: that with these, or one with this accident ignored."""
    if decision.strokes:
        return _has_strokes(judgement, decision.strokes)
    return any(e.outcome == "ignored" for e in _accidents_there(judgement, decision))


def _accidents_there(judgement: Judgement, decision: Decision) -> list[Event]:
    return [
        e
        for e in judgement.events
        if e.kind == "accident" and e.element == decision.element and dist(e.at_mm, decision.at_mm) <= SAME_PLACE_MM
    ]


def _has_strokes(judgement: Judgement, strokes: Sequence[Tips]) -> bool:
    """Whether a reading's strokes begin and end, one after the other, where these do."""
    drawn = tips_of(judgement)
    if len(drawn) != len(strokes):
        return False
    ends = zip(drawn, strokes, strict=True)
    return all(dist(a, b) <= SAME_MM for one, other in ends for a, b in zip(one, other, strict=True))


def tips_of(judgement: Judgement) -> tuple[Tips, ...]:
    """Where each stroke of a reading begins and ends, in the order in which it takes them to be drawn."""
    strokes = judgement.path.strokes if judgement.path else ()
    return tuple((_pair(stroke.points_mm[0]), _pair(stroke.points_mm[-1])) for stroke in strokes)


def _pair(place: Floats) -> tuple[float, float]:
    return float(place[0]), float(place[1])


def beside(taken: Judgement, alone: Judgement) -> Judgement:
    """A reading that was taken after decisions, with what the referee says ``alone``: nothing of it is hidden."""
    told = tuple(_order_told(d, taken, alone) if d.decision.kind == ORDER else d for d in taken.decided)
    return replace(taken, decided=told, alone=(alone.verdict, alone.accidents))


def _order_told(decided: Decided, taken: Judgement, alone: Judgement) -> Decided:
    """A decision about the order of the strokes, with what the referee would have said."""
    own: Answer = "yes" if _has_what_is_meant(alone, decided.decision) else "no"
    there = [] if decided.decision.strokes else _accidents_there(taken, decided.decision)
    return replace(decided, ask=say("ask.order"), referee=own, applies=True, event=there[0].seq if there else None)


def _likelihood(judgement: Judgement) -> float:
    return judgement.path.likelihood if judgement.path else 1.0


def _weight(judgement: Judgement) -> float:
    """The likelihood, less for every lift that left no trace."""
    return _likelihood(judgement) * INVISIBLE_LIFT ** _invisible_lifts(judgement)


def _rank(judgement: Judgement, about_as_likely: float) -> tuple[bool, bool, bool, float, bool, int, int]:
    """What explains all the ink before what does not, and fair before all else, then by likelihood.

    What may yet be fair goes before what is not, if it is ``about_as_likely`` as the likeliest.  Of equals the one
    whose start can be seen, then the one in which less has gone wrong.
    """
    unseen_start = not any(event.kind == "start" for event in judgement.events)
    open_still = judgement.verdict == "review" and _weight(judgement) >= about_as_likely
    return (
        _unexplained(judgement) > 0,
        judgement.verdict != "fair",
        judgement.verdict != "fair" and not open_still,
        -_weight(judgement),
        unseen_start,
        judgement.accidents,
        len(judgement.reasons),
    )


def _invisible_lifts(judgement: Judgement) -> int:
    """How often the marker must have been lifted without a trace: a stroke ends and nothing tells why.

    An end in the open tells, if what goes on from there is hidden: then only that makes the lift unsure.
    """
    strokes = judgement.path.strokes if judgement.path else ()
    open_ends = {i for i, (a, b) in enumerate(pairwise(strokes)) if a.end == "free" and b.begin != "free"}
    unsure = {event.stroke for event in judgement.events if event.cause == "lift" and not event.certain} - open_ends
    told = [
        e for e in judgement.events if e.kind in ("jump", "accident") or (e.kind == "lift" and e.decided is not None)
    ]
    ended = {event.stroke for event in told} - unsure
    begun = {event.stroke - 1 for event in judgement.events if event.kind in ("landing", "restart")} - unsure
    return sum(i not in ended | begun for i in range(len(strokes) - 1))


def _unexplained(judgement: Judgement) -> int:
    """How many strokes come after the race is over."""
    over = [event.stroke for event in judgement.events if event.kind == "finish"]
    return len(judgement.path.strokes) - 1 - over[-1] if over and judgement.path else 0


# ----------------------------------------------------------------------------------------- what is certain


def _weighed(best: Judgement, peers: Sequence[Judgement]) -> Judgement:
    """The reading with jumps that say by how much the other likely readings would have them otherwise.

    Which of two attempts left the board where may be open; ink on a line lies where it lies.
    """
    told = [(_weight(best), _margins(best)), *((_weight(peer), _margins(peer)) for peer in peers)]

    def doubtful(event: Event, key: MarginOf) -> Event:
        here = [(weight, margins[key]) for weight, margins in told if key in margins]
        mm, sigma = event.margin_mm, event.uncertainty_mm
        if event.kind not in BY_ATTEMPT or mm is None or sigma is None or len(here) == 1:
            return event
        spread = sum(w * (other - mm) ** 2 for w, other in here) / sum(w for w, _ in here)
        return replace(event, uncertainty_mm=hypot(sigma, spread**0.5))

    events = tuple(doubtful(event, key) for event, key in _named(best))
    wider = {a.seq: a.uncertainty_mm for a, b in zip(events, best.events, strict=True) if a is not b}
    if not wider:
        return best
    near = tuple(
        replace(miss, uncertainty_mm=wider[miss.event] or miss.uncertainty_mm) if miss.event in wider else miss
        for miss in best.near_misses
    )
    return replace(best, events=events, near_misses=near)


MarginOf = tuple[str, str | None, str | None, int]
"""An event's kind, cause and element, and how many like it came before."""


def _named(judgement: Judgement) -> list[tuple[Event, MarginOf]]:
    met: Counter[tuple[str, str | None, str | None]] = Counter()
    out = []
    for event in judgement.events:
        name = event.kind, event.cause, event.element
        out.append((event, (*name, met[name])))
        met[name] += 1
    return out


def _margins(judgement: Judgement) -> dict[MarginOf, float]:
    return {key: event.margin_mm for event, key in _named(judgement) if event.margin_mm is not None}


def _sure(best: Judgement, peers: Sequence[Judgement]) -> Judgement:
    """The reading with every accident that a reading of about the same likelihood lacks called uncertain."""
    sure = [e for e in best.events if _is_certain(e) and e.decided is None]
    open_ones = [e for e in sure if not all(_has(peer, e) for peer in peers)]
    events = tuple(replace(e, certain=False) if e in open_ones else e for e in best.events)
    told = replace(best, events=events, accidents=best.accidents - len(open_ones)) if open_ones else best
    hangs = [e for e in best.events if _is_certain(e) and e.outcome == "ignored"]
    if best.verdict != "ignored-accident" or not hangs or any(_surely_ignored(e, peers) for e in events):
        return told
    return replace(told, verdict="review", reasons=tuple(_order_reason(best, e, peers) for e in hangs))


def _order_reason(best: Judgement, accident: Event, peers: Sequence[Judgement]) -> Reason:
    """That an accident hangs on the order of the strokes, as a question with what either answer makes of the race."""
    without = sorted({p.verdict for p in peers if all(e.outcome != "ignored" for e in _same(p, accident))})
    question = Question(
        say("ask.order"),
        "order",
        accident.at_mm,
        accident.element,
        accident.margin_mm,
        accident.uncertainty_mm,
        yes=(best.verdict,),
        no=tuple(without),
        rule="R3",
        kind=ORDER,
        stroke=accident.stroke,
    )
    return Reason("order", "R3", accident.seq, say("reason.order"), question)


def _surely_ignored(event: Event, peers: Sequence[Judgement]) -> bool:
    """Whether a certain accident is ignored in every reading that has it, and the others say as much of the race."""
    if not _is_certain(event) or event.outcome != "ignored":
        return False
    return event.decided is not None or all(_ignores(peer, event) for peer in peers)


def _ignores(peer: Judgement, accident: Event) -> bool:
    theirs = _same(peer, accident)
    return any(e.outcome == "ignored" for e in theirs) if theirs else peer.verdict == "ignored-accident"


def _same(peer: Judgement, accident: Event) -> list[Event]:
    """The accidents of another reading that are this one: a gadget is run into once, whichever stroke does it."""
    once = accident.cause in ONCE
    return [
        e
        for e in peer.events
        if e.kind == "accident"
        and e.cause == accident.cause
        and (e.element == accident.element if once else dist(e.at_mm, accident.at_mm) <= SAME_PLACE_MM)
    ]


def _is_certain(event: Event) -> bool:
    return event.kind == "accident" and bool(event.certain)


def _has(peer: Judgement, accident: Event) -> bool:
    """Whether a reading has an accident too.

    It has it there; or, if it is a race lost by its own accidents, which the referee does not take where a fairer one
    is at hand, the place lies on the way of a stroke that crashed: ink that would be broken by another name.
    """
    if _same(peer, accident):
        return True
    if peer.verdict not in LOST or accident.cause in AT_AN_END or peer.path is None:
        return False
    x, y = accident.at_mm
    crashed = {e.stroke for e in peer.events if e.kind == "accident" and e.stroke < len(peer.path.strokes)}
    return any(
        hypot(px - x, py - y) <= ON_THE_LINE_MM
        for number in crashed
        for px, py in peer.path.strokes[number].points_mm.tolist()
    )


# ----------------------------------------------------------------------------------------- other readings


def _others(
    best: Judgement,
    taken: Judgement,
    judgements: Sequence[Judgement],
    able: Sequence[Judgement],
    believed: Sequence[Judgement],
) -> tuple[OtherReading, ...]:
    """A reading for each other outcome; ``taken`` is ``best`` with what is not certain called so.

    Where the verdict is open because of the order, one with the same outcome by another accident is told as well.
    """
    told = {(taken.verdict, taken.accidents)}
    if taken.verdict == best.verdict:
        told.add((best.verdict, best.accidents))
    found = []
    for other in sorted((j for j in judgements if j is not best), key=lambda j: _rank(j, inf)):
        if (other.verdict, other.accidents) not in told:
            told.add((other.verdict, other.accidents))
            why = _why_not(best, other, other in able) if other in believed else say("reading.decided")
            found.append(OtherReading(other.verdict, other.accidents, why, other, tips_of(other)))
    return tuple(found)


def _why_not(best: Judgement, other: Judgement, considered: bool) -> str:
    """Why an order of the strokes was not taken."""
    if not considered:
        return say("reading.far-fetched")
    if _unexplained(other) > _unexplained(best) == 0:
        return say("reading.left-over")
    if best.verdict == "fair" and other.verdict != "fair":
        return say("reading.fair-wins")
    return say("reading.likelier") if _likelihood(best) > _likelihood(other) else say("reading.simpler")
