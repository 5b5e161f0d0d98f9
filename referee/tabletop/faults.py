"""The ways a game can go wrong; each game has its own of them, with its own sentences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from referee.errors import BadState, Refused, WrongUsage
from referee.words import Phrase

Say = Callable[..., Phrase]
"""The sentence of a key in a game's tables, with its parts."""


class BrokenRule(Refused):
    """A move or a set-up that a rule forbids; ``rule`` is its number, "T6"."""

    code = "broken-rule"
    say: ClassVar[Say]

    def __init__(self, rule: str, word: str, **parts: Any) -> None:
        """``word`` names the sentence and its cure in the tables."""
        why = self.say("rule.broken", rule=rule, why=self.say(f"refused.{word}", **parts))
        super().__init__(word, why, self.say(f"cure.{word}"), **parts)
        self.rule = rule


class BadNotation(WrongUsage):
    """A text or a value that says nothing in this game."""

    code = "bad-notation"
    say: ClassVar[Say]

    def __init__(self, word: str, **parts: object) -> None:
        """``word`` names the sentence and its cure in the tables."""
        super().__init__(self.say(f"notation.{word}", **parts), self.say(f"mend.{word}", **parts))


class BadLog(BadState):
    """A log that does not replay: in which ``line`` (from 1), and against which ``rule`` if it is against one."""

    code = "bad-log"
    say: ClassVar[Say]

    def __init__(self, line: int, why: str, cure: str, rule: str | None = None) -> None:
        super().__init__(self.say("log.line", line=line, why=why), cure)
        self.line = line
        self.rule = rule
