"""The ways this game can go wrong: a move against the rules, a text that is no position, a log that does not replay."""

from __future__ import annotations

from referee.errors import BadState, RefereeError, Refused, WrongUsage
from referee.turbo_time.words import say


class BrokenRule(Refused):
    """A move or a set-up that a rule forbids; ``rule`` is its number, "I4"."""

    code = "broken-rule"

    def __init__(self, rule: str, word: str, **parts: str | int) -> None:
        """``word`` names the sentence and its cure in the tables."""
        why = say("rule.broken", rule=rule, why=say(f"refused.{word}", **parts))
        super().__init__(word, why, say(f"cure.{word}"), **parts)
        self.rule = rule


class BadNotation(WrongUsage):
    """A text or a value that is no position, no move, no cart, no setting."""

    code = "bad-notation"

    def __init__(self, word: str, **parts: object) -> None:
        """``word`` names the sentence and its cure in the tables."""
        super().__init__(say(f"notation.{word}", **parts), say(f"mend.{word}", **parts))


class BadLog(BadState):
    """A log that does not replay: in which ``line`` (from 1), and against which ``rule`` if it is against one."""

    code = "bad-log"

    def __init__(self, line: int, why: str, cure: str, rule: str | None = None) -> None:
        super().__init__(say("log.line", line=line, why=why), cure)
        self.line = line
        self.rule = rule


class NothingSeen(RefereeError):
    """A picture that shows no toy or card of this game, or not well enough."""

    code = "nothing-seen"

    def __init__(self, word: str) -> None:
        """``word`` names the sentence and its cure in the tables."""
        super().__init__(say(f"unseen.{word}"), say(f"show.{word}"))
