"""Which order of the strokes the referee takes for what happened (R3).

Several orders may explain one picture.  If any that is not far-fetched explains it as a fair race, that is the
reading; otherwise the likeliest is.  The other verdicts that another order would give are told as well.
"""

from __future__ import annotations

from collections.abc import Sequence

from referee.model import Judgement, OtherReading
from referee.rules.settings import Rules

INVISIBLE_LIFT = 0.1
"""How much less likely a reading is for every lift that left no trace."""
FAIR_WINS = "another order of the strokes explains the picture as a fair race"
LIKELIER = "another order of the strokes is likelier"
SIMPLER = "another order of the strokes explains the picture with less gone wrong"
LEFT_OVER = "this order of the strokes leaves ink unexplained"
FAR_FETCHED = "this order of the strokes is too unlikely"


def choose(judgements: Sequence[Judgement], rules: Rules | None = None) -> tuple[Judgement, tuple[OtherReading, ...]]:
    """The reading that the referee takes, and the different verdicts that other orders would give.

    Each judgement carries its path with the path's likelihood.  Raises ValueError if there is none.
    """
    if not judgements:
        raise ValueError("choose needs at least one judgement, got none")
    rules = rules or Rules()
    likeliest = max(map(_likelihood, judgements))
    able = [j for j in judgements if _likelihood(j) >= rules.reading_share * likeliest]
    best = min(able, key=_rank)
    return best, _others(best, judgements, able)


def _likelihood(judgement: Judgement) -> float:
    return judgement.path.likelihood if judgement.path else 1.0


def _rank(judgement: Judgement) -> tuple[bool, bool, float, bool, int, int]:
    """What explains all the ink before what does not, and fair before all else, then by likelihood.

    Of equals the one whose start can be seen, then the one in which less has gone wrong.
    """
    unseen_start = not any(event.kind == "start" for event in judgement.events)
    return (
        _unexplained(judgement) > 0,
        judgement.verdict != "fair",
        -_likelihood(judgement) * INVISIBLE_LIFT ** _invisible_lifts(judgement),
        unseen_start,
        judgement.accidents,
        len(judgement.reasons),
    )


def _invisible_lifts(judgement: Judgement) -> int:
    """How often the marker must have been lifted without a trace: a stroke ends and nothing tells why."""
    strokes = len(judgement.path.strokes) if judgement.path else 0
    ended = {event.stroke for event in judgement.events if event.kind in ("jump", "accident")}
    begun = {event.stroke for event in judgement.events if event.kind in ("landing", "restart")}
    return sum(i not in ended and i + 1 not in begun for i in range(strokes - 1))


def _unexplained(judgement: Judgement) -> int:
    """How many strokes come after the race is over."""
    over = [event.stroke for event in judgement.events if event.kind == "finish"]
    return len(judgement.path.strokes) - 1 - over[-1] if over and judgement.path else 0


def _others(best: Judgement, judgements: Sequence[Judgement], able: Sequence[Judgement]) -> tuple[OtherReading, ...]:
    told = {(best.verdict, best.accidents)}
    found = []
    for other in sorted(judgements, key=_rank):
        if (other.verdict, other.accidents) not in told:
            told.add((other.verdict, other.accidents))
            found.append(OtherReading(other.verdict, other.accidents, _why_not(best, other, other in able)))
    return tuple(found)


def _why_not(best: Judgement, other: Judgement, considered: bool) -> str:
    """Why an order of the strokes was not taken."""
    if not considered:
        return FAR_FETCHED
    if _unexplained(other) > _unexplained(best) == 0:
        return LEFT_OVER
    if best.verdict == "fair" and other.verdict != "fair":
        return FAIR_WINS
    return LIKELIER if _likelihood(best) > _likelihood(other) else SIMPLER
