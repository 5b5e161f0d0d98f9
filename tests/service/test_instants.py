"""Instants come from clocks that survive a restart of the server and a jump of the wall clock."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from referee.race.clock import Instant, between
from referee.service import instants

ON_LINUX = pytest.mark.skipif(sys.platform != "linux", reason="these clocks are Linux's")
IN_ANOTHER_PROCESS = """
from referee.service import instants
now = instants.now()
print(now.boot, now.since_boot_ms, now.wall_ms, sep="|")
"""


def test_the_clock_goes_on_between_two_instants() -> None:
    start = instants.now()
    time.sleep(0.05)
    passed = between(start, instants.now())
    assert 50 <= passed.ms < 5000
    assert not passed.by_wall


def test_a_wall_clock_set_back_by_an_hour_changes_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    start = instants.now()
    back = time.time_ns() - 3600 * 10**9
    monkeypatch.setattr(time, "time_ns", lambda: back)
    now = instants.now()
    assert now.wall_ms < start.wall_ms - 3_500_000
    assert 0 <= between(start, now).ms < 5000


@ON_LINUX
def test_another_process_tells_the_same_time() -> None:
    before = instants.now()
    done = subprocess.run([sys.executable, "-c", IN_ANOTHER_PROCESS], capture_output=True, text=True, check=True)
    boot, since_boot_ms, wall_ms = done.stdout.strip().split("|")
    there = Instant(boot, int(since_boot_ms), int(wall_ms))
    after = instants.now()
    assert there.boot == before.boot == after.boot
    assert before.since_boot_ms <= there.since_boot_ms <= after.since_boot_ms


@ON_LINUX
def test_on_linux_the_time_since_boot_counts_sleep_as_the_kernel_does() -> None:
    up_s = float(Path("/proc/uptime").read_text().split()[0])
    assert abs(instants.now().since_boot_ms / 1000 - up_s) < 2


@pytest.mark.parametrize("system", ["win32", "freebsd14", "an island of its own"])
def test_a_system_that_names_no_boot_has_clocks_for_the_life_of_a_process(system: str) -> None:
    one, other = instants.clocks_of(system), instants.clocks_of(system)
    assert one.boot.startswith("process ")
    assert one.boot != other.boot
    assert one.now().since_boot_ms < 5000


@pytest.mark.parametrize("told", [None, "", "no boot id\n"])
def test_a_linux_that_hides_its_boot_id_falls_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, told: str | None
) -> None:
    if told is not None:
        (tmp_path / "boot_id").write_text(told)
    monkeypatch.setattr(instants, "BOOT_ID", tmp_path / "boot_id")
    assert instants.clocks_of("linux").boot.startswith("process ")


@ON_LINUX
def test_a_macos_without_its_boot_session_falls_back() -> None:
    assert instants.clocks_of("darwin").boot.startswith("process ")
