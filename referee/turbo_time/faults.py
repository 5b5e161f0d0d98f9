"""The ways this game can go wrong: a move against the rules, a text that is no position, a log that does not replay."""

from __future__ import annotations

from referee.errors import RefereeError
from referee.tabletop import faults
from referee.turbo_time.words import say


class BrokenRule(faults.BrokenRule):
    """A move or a set-up that a rule forbids."""

    say = staticmethod(say)


class BadNotation(faults.BadNotation):
    """A text or a value that is no position, no move, no cart, no setting."""

    say = staticmethod(say)


class BadLog(faults.BadLog):
    """A log of a game that does not replay."""

    say = staticmethod(say)


class NothingSeen(RefereeError):
    """A picture that shows no toy or card of this game, or not well enough."""

    code = "nothing-seen"

    def __init__(self, word: str) -> None:
        """``word`` names the sentence and its cure in the tables."""
        super().__init__(say(f"unseen.{word}"), say(f"show.{word}"))
