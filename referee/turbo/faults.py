"""The ways this game can go wrong: broken rules, texts that say nothing, circuits and logs that cannot be."""

from __future__ import annotations

from referee.errors import RefereeError
from referee.tabletop import faults
from referee.turbo.words import say


class BrokenRule(faults.BrokenRule):
    """A move or a set-up that a rule forbids."""

    say = staticmethod(say)


class BadNotation(faults.BadNotation):
    """A text or a value that is no position, no deed, no setting."""

    say = staticmethod(say)


class BadLog(faults.BadLog):
    """A log of a race that does not replay."""

    say = staticmethod(say)


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
