"""Instants for the tests: a machine whose clocks are set by hand."""

from __future__ import annotations

from dataclasses import dataclass

from referee.race.clock import Instant


@dataclass
class Machine:
    """A machine with its clocks; ``true_ms`` is the time that really passed since it was made."""

    true_ms: int = 0
    booted_ms: int = -5_000_000
    boots: int = 1
    wall_off_ms: int = 1_700_000_000_000

    def now(self) -> Instant:
        return Instant(f"boot {self.boots}", self.true_ms - self.booted_ms, self.true_ms + self.wall_off_ms)

    def after(self, ms: int) -> Instant:
        """The instant after so much time."""
        self.true_ms += ms
        return self.now()

    def jump_wall(self, ms: int) -> None:
        """Somebody sets the wall clock."""
        self.wall_off_ms += ms

    def restart(self, down_ms: int) -> Instant:
        """The machine is off for a while; the first instant after it."""
        self.true_ms += down_ms
        self.booted_ms, self.boots = self.true_ms, self.boots + 1
        return self.now()
