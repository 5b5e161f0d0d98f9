"""The present instant from this machine's clocks: a boot's name, the time since it, and the wall clock.

===========  ==========================================  ==========================================================
system       time since boot, sleep included             the boot's name
===========  ==========================================  ==========================================================
Linux        ``CLOCK_BOOTTIME``                          ``/proc/sys/kernel/random/boot_id``
macOS        ``CLOCK_MONOTONIC_RAW``                     ``kern.bootsessionuuid``
all others   ``time.monotonic``, since this process      a random name: a new process is as good as a new boot
             first asked (on Windows it counts sleep)
===========  ==========================================  ==========================================================

Where Linux or macOS do not tell their boot's name, the last line holds for them too.
"""

from __future__ import annotations

import ctypes
import sys
import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from referee.race.clock import Instant

BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


@dataclass(frozen=True)
class Clocks:
    """Where instants come from: a boot's name, and what tells the nanoseconds since its beginning."""

    boot: str
    since_boot_ns: Callable[[], int]

    def now(self) -> Instant:
        """The present instant."""
        return Instant(self.boot, self.since_boot_ns() // 1_000_000, time.time_ns() // 1_000_000)


def now() -> Instant:
    """The present instant of this machine."""
    return _this_machine().now()


@cache
def _this_machine() -> Clocks:
    return clocks_of(sys.platform)


def clocks_of(system: str) -> Clocks:
    """The best clocks that a system (as `sys.platform` names it) has."""
    try:
        return SYSTEMS.get(system, _this_process)()
    except (OSError, AttributeError, ValueError):
        return _this_process()


def _linux() -> Clocks:
    boot = uuid.UUID(BOOT_ID.read_text(encoding="ascii").strip())
    return Clocks(str(boot), lambda: time.clock_gettime_ns(time.CLOCK_BOOTTIME))


def _macos() -> Clocks:
    """The clock is mach_continuous_time: it counts sleep, and no adjustment of the time touches it."""
    name, size = ctypes.create_string_buffer(64), ctypes.c_size_t(64)
    if ctypes.CDLL(None).sysctlbyname(b"kern.bootsessionuuid", name, ctypes.byref(size), None, 0):
        raise OSError("kern.bootsessionuuid cannot be read")
    boot = uuid.UUID(name.value.decode("ascii"))
    return Clocks(str(boot), lambda: time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW))


def _this_process() -> Clocks:
    beginning = time.monotonic_ns()
    return Clocks(f"process {uuid.uuid4()}", lambda: time.monotonic_ns() - beginning)


SYSTEMS: Mapping[str, Callable[[], Clocks]] = {"linux": _linux, "darwin": _macos}
