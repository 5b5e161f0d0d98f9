"""The ways this game can go wrong: broken rules, texts that say nothing, circuits and logs that cannot be."""

from __future__ import annotations

from typing import Any

from referee.errors import BadState, RefereeError, Refused, WrongUsage
from referee.turbo.words import say


class BrokenRule(Refused):
    """A move or a set-up that a rule forbids; ``rule`` is its number, "T6"."""

    code = "broken-rule"

    def __init__(self, rule: str, word: str, **parts: Any) -> None:
        """``word`` names the sentence and its cure in the tables."""
        why = say("rule.broken", rule=rule, why=say(f"refused.{word}", **parts))
        super().__init__(word, why, say(f"cure.{word}"), **parts)
        self.rule = rule


class BadNotation(WrongUsage):
    """A text or a value that is no position, no deed, no setting."""

    code = "bad-notation"

    def __init__(self, word: str, **parts: object) -> None:
        """``word`` names the sentence and its cure in the tables."""
        super().__init__(say(f"notation.{word}", **parts), say(f"mend.{word}", **parts))


class BadCircuit(RefereeError):
    """A circuit that cannot be driven, or a file that draws none; ``element`` is what to mend."""

    code = "bad-circuit"

    def __init__(self, why: str, cure: str, element: str | None = None, source: str | None = None) -> None:
        at = why if element is None else say("circuit.at", element=element, why=why)
        super().__init__(at if source is None else say("circuit.at", element=source, why=at), cure)
        self.why, self.element = why, element

    def of(self, source: str) -> BadCircuit:
        """The same, with the name of the file."""
        return BadCircuit(self.why, self.hint, self.element, source)


def odd(word: str, element: str | None = None, **parts: object) -> BadCircuit:
    """What is wrong with a circuit: ``word`` names the sentence and its cure in the tables."""
    return BadCircuit(say(f"circuit.{word}", **parts), say(f"redraw.{word}", **parts), element)


class BadLog(BadState):
    """A log that does not replay: in which ``line`` (from 1), and against which ``rule`` if it is against one."""

    code = "bad-log"

    def __init__(self, line: int, why: str, cure: str, rule: str | None = None) -> None:
        super().__init__(say("log.line", line=line, why=why), cure)
        self.line = line
        self.rule = rule
