"""Points and winners in words and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from referee.turbo_time.words import say
from referee.words import Language, told

if TYPE_CHECKING:
    from referee.turbo_time.scoring import Result, Score


def tell(language: Language, key: str, **parts: object) -> str:
    """A sentence of this game in a language."""
    return told(say(key, **parts), language)


def result_json(done: Result) -> dict[str, Any]:
    """Every cart's points line by line, and who wins; players count from 1."""
    carts = [{"player": player + 1, **score_json(score)} for player, score in enumerate(done.scores)]
    return {"carts": carts, "winners": [player + 1 for player in done.winners], "tied": [at + 1 for at in done.tied]}


def score_json(score: Score) -> dict[str, Any]:
    """A cart's points line by line."""
    return {
        "points": score.points,
        "toys": score.toys,
        "lines": [{"toy": line.toy, "count": line.count, "points": line.points} for line in score.lines],
    }


def result_lines(done: Result, language: Language) -> list[str]:
    """Every player's points line by line, and who wins."""
    names = [say("player.name", n=player + 1) for player in range(len(done.scores))]
    carts = zip(names, done.scores, strict=True)
    return [line for name, score in carts for line in score_lines(name, score, language)] + [
        winner_line(done, names, language)
    ]


def score_lines(name: str, score: Score, language: Language) -> list[str]:
    """Somebody's points, and what they come from."""
    head = tell(language, "table.cart", player=name, points=say("table.points", n=score.points))
    lines = ((tell(language, f"toys.{line.toy}", n=line.count), line.points) for line in score.lines)
    return [head, *(f"  {toys:<22}{points:>4}" for toys, points in lines)]


def winner_line(done: Result, names: Sequence[str], language: Language) -> str:
    """Who wins; several if points and toys are equal."""
    if len(done.winners) > 1:
        return tell(language, "table.shared", players=all_of([names[player] for player in done.winners], language))
    by_toys = len(done.tied) > 1
    return tell(language, "table.wins-toys" if by_toys else "table.wins", player=names[done.winners[0]])


def all_of(names: Sequence[str], language: Language) -> str:
    """Several names as they are spoken: one, two and three."""
    spoken = [told(name, language) for name in names]
    both = tell(language, "table.and")
    return both.join([", ".join(spoken[:-1]), spoken[-1]]) if len(spoken) > 1 else spoken[0]
