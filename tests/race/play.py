"""Playing in tests: a state of play and a machine whose time passes; nobody looks at a page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from referee.errors import Refused
from referee.race import challenge
from referee.race.challenge import (
    BoardSeen,
    Choose,
    CountDown,
    Finish,
    Judged,
    Run,
)
from referee.race.drive import COUNTDOWN_MS, Call
from tests.race.moments import Machine

TEAM = ("Ada", "Béa", "Cem")
FAIR = Call("fair")


@dataclass
class Attempt:
    """A run at a challenge, played step by step."""

    run: Run = field(default_factory=lambda: Run("run-1"))
    machine: Machine = field(default_factory=Machine)

    def does(self, *events: challenge.Event) -> Attempt:
        """The events happen, one after the other, at the present instant."""
        for event in events:
            self.run = challenge.step(self.run, event, self.machine.now())
        return self

    def waits(self, ms: int) -> Attempt:
        """Time passes."""
        self.machine.after(ms)
        return self

    def drives(self, ms: int, call: Call | None = FAIR, driver: int = 0) -> Attempt:
        """The present stage, from the look at its board to its call, in so much time."""
        self.does(BoardSeen(self.run.legs[self.run.at].stage, wiped=True), CountDown(driver))
        self.waits(COUNTDOWN_MS + ms).does(Finish())
        return self.does(Judged(call)) if call else self

    @property
    def phase(self) -> challenge.Phase:
        return challenge.phase(self.run, self.machine.now())

    @property
    def ms(self) -> int:
        """What the big clock shows."""
        return challenge.time(self.run, self.machine.now()).ms

    @property
    def codes(self) -> list[str]:
        """Why it ended as it did."""
        return [reason.code for reason in challenge.reasons(self.run)]


def at(id: str, stages: tuple[int, ...] = (), **more: Any) -> Attempt:
    """A team that has just chosen a challenge."""
    return Attempt().does(Choose(id, TEAM, stages, **more))


def refused(does: Callable[[], object]) -> Refused:
    """The refusal that an act meets."""
    with pytest.raises(Refused) as caught:
        does()
    return caught.value
