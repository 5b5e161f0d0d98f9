"""What somebody does to the wall clock changes nothing: no order, no list, no picture's age."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from flask import Flask

from referee.race.clock import Instant
from referee.service import instants
from referee.service.checks import shelf
from referee.service.past import sweep_all
from referee.service.settings import Settings
from referee.service.store.calendar import today_ms
from referee.service.store.open import Store, open_store
from referee.service.store.tables import checks
from tests.race.moments import Machine
from tests.service.at_the_race import Game
from tests.service.at_the_table import ONE_PIXEL, Table, clock_set_back, says
from tests.service.conftest import Visitor, house

HOUR_MS, DAY_MS = 3_600_000, 86_400_000
BOOT = Instant("this boot", 50_000, 1_700_000_000_000)


@pytest.fixture
def table(client: Visitor, app: Flask, monkeypatch: pytest.MonkeyPatch) -> Table:
    machine = Machine()
    monkeypatch.setattr(instants, "now", machine.now)
    return Table(client, app, machine)


@pytest.fixture
def set_back(app: Flask) -> Callable[[], None]:
    """The wall clock is set back by an hour: what came so far bears times of a future."""
    return lambda: clock_set_back(app)


def test_a_photo_of_a_time_to_come_stays_behind_those_that_came_after_it(
    app: Flask, client: Visitor, set_back: Callable[[], None]
) -> None:
    store = house(app).store
    before = [shelf.add(store, ONE_PIXEL, f"{n}.jpg") for n in range(70)]
    set_back()
    after = shelf.add(store, ONE_PIXEL, "after.jpg")
    assert [check.id for check in shelf.latest(store, 2)] == [after, before[-1]]
    assert "after.jpg" in client.get("/checks/").text
    told = client.call("GET", "/api/checks?most=3").json or {}
    assert [one["id"] for one in told["checks"]] == [after, *before[:-3:-1]]
    older = client.call("GET", f"/api/checks?most=2&before={told['checks'][-1]['number']}").json or {}
    assert [one["id"] for one in older["checks"]] == before[-3:-5:-1]


def test_the_whole_history_stays_in_the_order_in_which_it_came(
    client: Visitor, app: Flask, table: Table, set_back: Callable[[], None]
) -> None:
    first = shelf.add(house(app).store, ONE_PIXEL, "first.jpg")
    run = table.sits_down("driving-ace", [5]).id
    set_back()
    game = str(Game(client).at["id"])
    last = shelf.add(house(app).store, ONE_PIXEL, "last.jpg")
    told = client.call("GET", "/api/history").json or {}
    assert [one["id"] for one in told["entries"]] == [last, game, run, first]
    found: list[str] = []
    where = "/api/history?most=1"
    while where:
        page = client.call("GET", where).json or {}
        found += [one["id"] for one in page["entries"]]
        where = f"/api/history?most=1&from={page['next']}" if page["next"] else ""
    assert found == [last, game, run, first]


def test_the_latest_run_and_the_latest_race_come_first(
    client: Visitor, table: Table, set_back: Callable[[], None]
) -> None:
    runs, races = [table.sits_down("driving-ace", [5]).id], [str(Game(client).at["id"])]
    set_back()
    runs.insert(0, table.sits_down("driving-ace", [6]).id)
    races.insert(0, str(Game(client).at["id"]))
    assert [one["id"] for one in (client.get("/api/challenges/runs").json or {})["runs"]] == runs
    assert [one["id"] for one in (client.get("/api/races").json or {})["races"]] == races


# ------------------------------------------------------------------------------------------- how old a picture is


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return open_store(Settings(tmp_path))


def shows(store: Store, now: Instant) -> int:
    with store.database.writing() as connection:
        return today_ms(connection, now)


def test_the_calendar_begins_as_the_wall_clock_stands_and_then_goes_its_own_way(store: Store) -> None:
    assert shows(store, BOOT) == BOOT.wall_ms
    assert shows(store, BOOT.later(HOUR_MS)) == BOOT.wall_ms + HOUR_MS
    ahead = replace(BOOT.later(2 * HOUR_MS), wall_ms=BOOT.wall_ms + 90 * DAY_MS)
    assert shows(store, ahead) == BOOT.wall_ms + 2 * HOUR_MS
    back = replace(BOOT.later(3 * HOUR_MS), wall_ms=0)
    assert shows(store, back) == BOOT.wall_ms + 3 * HOUR_MS
    store.close()


def test_while_the_machine_was_off_the_wall_clock_says_how_long_and_never_less_than_nothing(store: Store) -> None:
    shows(store, BOOT)
    assert shows(store, Instant("next boot", 5, BOOT.wall_ms + 10 * DAY_MS)) == BOOT.wall_ms + 10 * DAY_MS
    assert shows(store, Instant("a boot without a battery", 5, 0)) == BOOT.wall_ms + 10 * DAY_MS
    store.close()


@pytest.mark.parametrize("jump_ms", [100 * DAY_MS, -100 * DAY_MS])
def test_a_clock_that_jumps_deletes_no_picture_and_keeps_none_longer(
    store: Store, jump_ms: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [BOOT]
    monkeypatch.setattr(instants, "now", lambda: now[0])
    number = shelf.add(store, ONE_PIXEL, "a.jpg")
    with store.database.writing() as connection:
        connection.execute(checks.update().values(state="judged"))
    for days in (1, 89):
        now[0] = replace(BOOT.later(days * DAY_MS), wall_ms=BOOT.wall_ms + jump_ms)
        assert sweep_all(store, 90, now[0]) == 0
    now[0] = replace(BOOT.later(91 * DAY_MS), wall_ms=BOOT.wall_ms + jump_ms)
    assert sweep_all(store, 90, now[0]) == 1
    check = shelf.found(store, number)
    assert check is not None
    assert check.picture is None
    store.close()


def test_a_photo_that_came_before_the_network_set_the_clock_right_is_not_old(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [replace(BOOT, wall_ms=0)]  # 1970: a machine without a battery for its clock
    monkeypatch.setattr(instants, "now", lambda: now[0])
    shelf.add(store, ONE_PIXEL, "a.jpg")
    with store.database.writing() as connection:
        connection.execute(checks.update().values(state="judged"))
    assert sweep_all(store, 90, replace(BOOT.later(HOUR_MS), wall_ms=time.time_ns() // 1_000_000)) == 0
    store.close()


def test_a_verdict_reaches_its_run_whatever_the_clock_says(
    app: Flask, table: Table, set_back: Callable[[], None]
) -> None:
    table.sits_down("driving-ace", [5]).says("board-vouched")
    table.drives(30_000)
    check = table.takes_photo()
    set_back()
    says(app, check, "fair", 5)
    assert table.looks()["phase"] == "won"
