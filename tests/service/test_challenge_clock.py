"""The one big clock survives what happens at home: a wall clock that jumps, a killed server, fifty uploads at once."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from referee.race import challenge
from referee.service import instants
from tests.race.moments import Machine
from tests.service.at_the_table import Table
from tests.service.conftest import SAMPLES, Visitor
from tests.service.served import Asking, Between, Served

NEAR_MS = 100
UPLOADS = 50
PICTURE = SAMPLES / "brush-sewer.jpg"
P95_MS = 150.0
HOUR_S = 3600


def test_a_wall_clock_set_back_by_an_hour_changes_nothing(
    client: Visitor, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(challenge, "COUNTDOWN_MS", 0)
    table = Table(client, app, Machine()).sits_down("driving-ace", [5])
    table.says("count-down", driver=0)
    go = Between.of(table.looks)
    real, real_ns = time.time, time.time_ns
    monkeypatch.setattr(time, "time", lambda: real() - HOUR_S)
    monkeypatch.setattr(time, "time_ns", lambda: real_ns() - HOUR_S * 10**9)
    for _ in range(3):
        time.sleep(0.15)
        now = Between.of(table.looks)
        assert now.apart(go) < NEAR_MS
        assert not now.told["clock"]["by_wall"]
    monkeypatch.setattr(time, "time_ns", lambda: real_ns() + HOUR_S * 10**9)
    assert Between.of(lambda: table.says("finish")).apart(go) < NEAR_MS


def test_a_countdown_shows_no_time_and_the_clock_starts_at_go(
    client: Visitor, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = Machine()
    monkeypatch.setattr(instants, "now", machine.now)
    table = Table(client, app, machine).sits_down("driving-ace", [5])
    table.says("count-down", driver=0)
    for passed, left, shown in ((0, 3000, 0), (2999, 1, 0), (1, 0, 0), (1, 0, 1), (1234, 0, 1235)):
        machine.after(passed)
        clock = table.looks()["clock"]
        assert (clock["countdown_ms"], clock["ms"], clock["runs"]) == (left, shown, True)


def test_after_a_restart_of_the_machine_the_time_goes_on_and_is_marked(
    client: Visitor, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = Machine()
    monkeypatch.setattr(instants, "now", machine.now)
    table = Table(client, app, machine).sits_down("driving-ace", [5])
    table.says("count-down", driver=0)
    machine.after(13_000)
    machine.restart(20_000)
    assert table.looks()["clock"]["ms"] == 30_000
    machine.jump_wall(-HOUR_S * 1000)  # since somebody has looked, only the machine's own clock counts
    machine.after(5_000)
    assert (table.looks()["clock"]["ms"], table.last["clock"]["by_wall"]) == (35_000, True)
    table.says("finish")
    table.says("honest", accidents=0)
    assert table.codes("marks") == ["on-honour", "by-wall-clock"]


# -------------------------------------------------------------------------------------------------- a real server


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    served = Served(tmp_path / "data").starts()
    yield served
    served.stops()


def begin(asking: Asking) -> str:
    """A run whose clock will run in three seconds."""
    choice = {"challenge": "driving-ace", "team": ["Ada", "Béa"], "stages": [5]}
    run = str(asking.call("POST", "/api/challenges/runs", choice)["id"])
    asking.call("POST", f"/api/challenges/runs/{run}/events", {"event": "count-down", "driver": 0})
    return run


@pytest.mark.skipif(sys.platform == "win32", reason="Windows knows no boot: there the time hangs on the wall clock")
def test_kill_9_and_a_restart_of_the_server_cost_no_time(served: Served) -> None:
    asking = served.asks()
    run = begin(asking)
    go = asking.go(run)
    asking.closes()
    served.is_killed()
    time.sleep(0.5)
    asking = served.starts().asks()
    now = asking.go(run)
    while now.told["clock"]["countdown_ms"]:
        assert now.apart(go) < NEAR_MS
        time.sleep(0.2)
        now = asking.go(run)
    assert (now.told["phase"], now.told["clock"]["by_wall"]) == ("driving", False)
    assert now.apart(go) < NEAR_MS
    finish = {"event": "finish"}
    stopped = Between.of(lambda: asking.call("POST", f"/api/challenges/runs/{run}/events", finish))
    assert stopped.apart(go) < NEAR_MS
    asking.closes()


def test_two_programs_that_ask_at_any_moment_hear_the_same_time(served: Served) -> None:
    one, other = served.asks(), served.asks()
    run = begin(one)
    gos = [asking.go(run) for _ in range(10) for asking in (one, other)]
    assert max(one.apart(other) for one in gos for other in gos) < 1
    for asking in (one, other):
        asking.closes()


def programs_a_core() -> float:
    """How many programs want each core: with eight of them everything takes eight times as long."""
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1)) if hasattr(os, "getloadavg") else 2.0


def test_fifty_uploads_at_once_do_not_starve_the_clock(served: Served) -> None:
    clock = served.asks()
    run = begin(clock)
    command = [sys.executable, "-m", "tests.service.served", str(served.port), str(UPLOADS), str(PICTURE)]
    with subprocess.Popen(command) as uploads:
        took_ms: list[float] = []
        while uploads.poll() is None:
            asked = time.monotonic()
            clock.call("GET", f"/api/challenges/runs/{run}")
            took_ms.append((time.monotonic() - asked) * 1000)
            time.sleep(0.005)
    p95 = statistics.quantiles(took_ms, n=20)[-1]
    print(f"{len(took_ms)} requests of the clock: median {statistics.median(took_ms):.0f} ms, p95 {p95:.0f} ms")
    assert uploads.returncode == 0
    assert p95 < P95_MS * programs_a_core()
    assert len(clock.call("GET", "/api/checks")["checks"]) == UPLOADS
    clock.closes()
