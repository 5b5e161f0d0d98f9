"""Facts and decisions → verdict: all orders in which the strokes may have been drawn, and what people say to them."""

from __future__ import annotations

from collections.abc import Sequence

from referee.facts import Facts
from referee.model import Decision, Judgement, OtherReading
from referee.rules.judge import judge
from referee.rules.reading import beside, choose
from referee.rules.settings import Rules


def judge_readings(
    readings: Sequence[Facts], rules: Rules | None = None, decisions: Sequence[Decision] = ()
) -> tuple[Judgement, tuple[OtherReading, ...]]:
    """The verdict on one race, told by the facts of every order of its strokes, and what other orders would give.

    A pure function: without ``decisions`` it is what the referee says alone, and a decision that is left out again
    leaves no trace.  `UnknownDecision` says which one answers nothing here.
    """
    alone = choose([judge(facts, rules) for facts in readings], rules)
    if not decisions:
        return alone
    taken, others = choose([judge(facts, rules, decisions) for facts in readings], rules, decisions)
    return beside(taken, alone[0]), others
