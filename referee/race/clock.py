"""A clock that goes on through a reload, a closed lid, a background tab, a killed server and a restarted machine.

It never ticks: it remembers the instant since which it runs, and whoever asks brings the present instant along.  What
is believed of an instant:

=====================  ========================================================================================
same boot              the time since boot, which counts sleep too; the wall clock is ignored, whatever it jumps
same boot, earlier     no time has passed: two requests have overtaken each other, and no clock runs backwards
another boot           the wall clock, but never less than the machine has been up again; the time is marked
=====================  ========================================================================================

All times are whole milliseconds.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Instant:
    """A moment as a machine's clocks show it.

    ``boot`` names the run of the machine, ``since_boot_ms`` counts from its beginning and goes on while it sleeps,
    ``wall_ms`` is the time since 1970 as the machine believes it, which may jump.
    """

    boot: str
    since_boot_ms: int
    wall_ms: int

    def __post_init__(self) -> None:
        if not self.boot or self.since_boot_ms < 0:
            raise ValueError(f"an instant needs a boot and time since it that is not negative, got {self}")

    def later(self, ms: int) -> Instant:
        """The instant so much later, if the machine keeps running."""
        return Instant(self.boot, self.since_boot_ms + ms, self.wall_ms + ms)


@dataclass(frozen=True)
class Elapsed:
    """A time in milliseconds; ``by_wall`` marks one that hangs on the wall clock, because the machine was restarted."""

    ms: int
    by_wall: bool = False

    def __add__(self, other: Elapsed) -> Elapsed:
        return Elapsed(self.ms + other.ms, self.by_wall or other.by_wall)


def between(start: Instant, end: Instant) -> Elapsed:
    """The time from one instant to another, as far as the table above believes it."""
    if start.boot == end.boot:
        return Elapsed(max(0, end.since_boot_ms - start.since_boot_ms))
    return Elapsed(max(end.wall_ms - start.wall_ms, end.since_boot_ms), by_wall=True)


@dataclass(frozen=True)
class Clock:
    """The time of one drive: ``passed`` up to ``since``, and on from there until ``until``, if it was stopped.

    ``since`` may lie ahead, as it does during a countdown: until then no time passes.
    """

    since: Instant
    passed: Elapsed = Elapsed(0)
    until: Instant | None = None

    def __post_init__(self) -> None:
        if self.passed.ms < 0:
            raise ValueError(f"no clock shows less than nothing, got {self.passed.ms} ms")

    @property
    def running(self) -> bool:
        """Whether nobody has stopped it."""
        return self.until is None

    @property
    def by_wall(self) -> bool:
        """Whether its time hangs on the wall clock, as far as it has seen a restart of the machine."""
        return self.passed.by_wall or (self.until is not None and between(self.since, self.until).by_wall)

    def reading(self, now: Instant | None = None) -> Elapsed:
        """What the clock shows; only a stopped one can tell without being told what time it is."""
        end = self.until or now
        if end is None:
            raise ValueError("a running clock can be read at some instant only, got none")
        return self.passed + between(self.since, end)

    def ahead_ms(self, now: Instant) -> int:
        """How long it is until the clock begins to count; 0 once it has begun."""
        begun = self.passed.ms > 0 or self.since.boot != now.boot
        return 0 if begun else max(0, self.since.since_boot_ms - now.since_boot_ms)

    def is_of_another_boot(self, now: Instant) -> bool:
        """Whether it runs and the machine was restarted since: then it wants to be `seen`."""
        return self.running and self.since.boot != now.boot

    def seen(self, now: Instant) -> Clock:
        """The same clock, counting on from now.

        To be kept once after each restart of the machine, so that only the time in between hangs on the wall clock;
        the more often before, the shorter that is.
        """
        behind = now.boot == self.since.boot and now.since_boot_ms <= self.since.since_boot_ms
        return Clock(now, self.reading(now)) if self.running and not behind else self

    def stopped(self, now: Instant) -> Clock:
        """The clock, showing this instant's time from now on; a clock that was stopped before stays as it is."""
        return replace(self, until=now) if self.running else self

    def unstopped(self) -> Clock:
        """The clock as though it had never been stopped: what passed meanwhile counts."""
        return replace(self, until=None)


def total(clocks: Iterable[Clock], now: Instant | None = None) -> Elapsed:
    """What several clocks show together, as the big clock of a challenge does, which rests between stages."""
    return sum((clock.reading(now) for clock in clocks), Elapsed(0))


def shown(ms: int) -> str:
    """A time as the page shows it, cut and not rounded: what is shown as the target has reached it.

    >>> shown(239_999), shown(240_000), shown(45)
    ('3:59.9', '4:00.0', '0:00.0')
    """
    return f"{ms // 60_000}:{ms // 1000 % 60:02}.{ms // 100 % 10}"
