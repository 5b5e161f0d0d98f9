"""Taking times that can be trusted, or saying that they cannot."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Sequence
from typing import TypeVar

Value = TypeVar("Value")

BUSY_SHARE = 0.4
"""A machine is busy if so many of its cores have had other work to do over the last minute."""
UNSTEADY = 1.5
"""Times of the same work are unsteady if the middle one is so many times the shortest."""


def timed(work: Callable[[], Value]) -> tuple[float, Value]:
    """How long work took, in milliseconds, and what came of it."""
    start = time.perf_counter()
    value = work()
    return (time.perf_counter() - start) * 1000, value


def usual_ms(work: Callable[[], object], rounds: int) -> float:
    """The median of so many times of the same work, after one that does not count."""
    work()
    return statistics.median(timed(work)[0] for _ in range(max(1, rounds)))


def busy() -> str | None:
    """A warning if others keep this machine busy; to be asked before any work of one's own."""
    if not hasattr(os, "getloadavg"):  # Windows does not say
        return None
    load, cores = os.getloadavg()[0], os.cpu_count() or 1
    if load < BUSY_SHARE * cores:
        return None
    return f"WARNING: this machine is busy (load {load:.1f} on {cores} cores). Times are too long; ratios hold better."


def unsteady(times_ms: Sequence[float]) -> str | None:
    """A warning if the same work took now long and now short."""
    least, middle = min(times_ms), statistics.median(times_ms)
    if middle < UNSTEADY * least:
        return None
    return (
        f"WARNING: the same decoding took {least:.0f} ms and {middle:.0f} ms: something else is at work. Run it again."
    )
