"""A challenge through the page's API: won, lost, in practice, with photos, on one's honour, by a person."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import update

from referee.race.challenge import GiveUp
from referee.rules.challenges import CHALLENGES
from referee.service import instants
from referee.service.challenges import photos as challenge_photos_module
from referee.service.challenges import runs
from referee.service.checks import shelf
from referee.service.stages import names
from referee.service.store.tables import challenge_runs
from tests.race.moments import Machine
from tests.service.at_the_table import (
    ONE_PIXEL,
    TEAM,
    Table,
    clock_set_back,
    decides,
    every_check,
    photo_runs,
    photos_of,
    says,
    takes_back,
)
from tests.service.conftest import SAMPLES, Visitor, house

Work = Callable[[], int]


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    machine = Machine()
    monkeypatch.setattr(instants, "now", machine.now)
    return machine


@pytest.fixture
def table(client: Visitor, app: Flask, machine: Machine) -> Table:
    return Table(client, app, machine)


def won(client: Visitor) -> set[str]:
    """The challenges that are checked off."""
    told: Any = client.get("/api/challenges").json
    return {one["id"] for one in told["challenges"] if one["won"]}


# ----------------------------------------------------------------------------------------------- won, lost, practice


def test_all_nineteen_are_told_in_their_levels(client: Visitor) -> None:
    told: Any = client.get("/api/challenges").json
    assert [one["id"] for one in told["challenges"]] == list(CHALLENGES)
    assert {one["level"] for one in told["challenges"]} == {1, 2, 3}


def test_a_challenge_is_won_stage_by_stage_and_stays_checked_off(table: Table, client: Visitor) -> None:
    table.sits_down("city-line-cup")
    for stage in (2, 3, 5):
        assert table.looks()["legs"][table.last["at"]]["stage"] == stage
        table.photographed("error", code="no-ink")
        assert table.phase == "board"
        assert table.last["legs"][table.last["at"]]["drives"][-1]["board"] == "ready"
        table.drives(60_000)
        assert table.phase == "stopped"
        table.machine.after(500_000)
        table.photographed("fair")
    assert table.phase == "won"
    assert (table.last["clock"]["ms"], table.last["clock"]["runs"]) == (180_000, False)
    assert set(table.codes()) == {"all-fair", "in-time"}
    assert won(client) == {"city-line-cup"}
    client.call("DELETE", table.api)
    assert won(client) == {"city-line-cup"}
    assert "3:00.0" in client.get("/challenges/").text


def test_a_challenge_is_lost_by_a_moment(table: Table, client: Visitor) -> None:
    table.sits_down("driving-ace", [5]).drives(40_000).photographed("fair")
    assert (table.phase, table.codes()) == ("lost", ["too-slow"])
    assert "You took 0:40.0; it had to be less than 0:40." in table.last["reasons"][0]["text"]
    assert won(client) == set()


def test_practice_counts_for_nothing(table: Table, client: Visitor) -> None:
    table.sits_down("driving-ace", [5], practice=True).drives(30_000).photographed("fair")
    assert (table.phase, table.codes("marks")) == ("won", ["practice"])
    assert won(client) == set()


def test_honour_settles_a_stage_and_is_marked(table: Table, client: Visitor) -> None:
    table.sits_down("driving-ace", [5]).drives(30_000).says("honest", accidents=2)
    assert (table.phase, table.codes("marks")) == ("won", ["on-honour"])
    assert won(client) == {"driving-ace"}


def test_what_only_the_team_knows_is_asked_before_it_is_won(table: Table) -> None:
    table.sits_down("mute-race", [5]).drives(30_000).photographed("fair")
    assert table.phase == "declaring"
    table.says("declare", condition="silent", kept=False)
    assert (table.phase, table.codes()) == ("lost", ["condition-broken"])
    table.says("declare", condition="silent", kept=True)
    assert table.phase == "won"


def test_a_stage_that_was_not_fair_is_driven_again_and_its_time_counts(table: Table) -> None:
    table.sits_down("qualification", [1, 5]).drives(60_000).photographed("ignored-accident", accidents=1)
    assert table.phase == "unfair"
    table.says("drive-again")
    table.drives(50_000, driver=1).photographed("fair")
    assert (table.phase, table.last["clock"]["ms"], table.last["at"]) == ("board", 110_000, 1)


def test_whoever_gives_up_has_left(table: Table) -> None:
    table.sits_down("qualification", [1, 5]).says("give-up")
    assert (table.phase, table.codes()) == ("abandoned", ["given-up"])


# ------------------------------------------------------------------------------------------------------------ photos


def test_a_board_that_was_not_wiped_is_noticed_and_nobody_starts_on_it(table: Table, client: Visitor) -> None:
    table.sits_down("driving-ace", [5]).photographed("fair")
    assert table.looks()["legs"][0]["drives"][0]["board"] == "not-wiped"
    assert "There is ink on the board" in client.get(f"/challenges/runs/{table.id}").text
    assert table.says("count-down", status=409, driver=0)["error"]["code"] == "not-wiped"
    table.says("board-vouched")
    table.says("count-down", driver=0)
    assert table.phase == "counting"


def test_another_stage_before_the_start_is_noticed_whatever_is_drawn_on_it(table: Table) -> None:
    table.sits_down("driving-ace", [5]).photographed("error", stage=1, code="no-ink")
    assert table.looks()["legs"][0]["drives"][0]["board"] == "other-stage"


@pytest.mark.parametrize("code", ["too-blurred", "no-board"])
def test_a_photo_that_shows_nothing_accuses_nobody(table: Table, client: Visitor, code: str) -> None:
    table.sits_down("driving-ace", [5]).photographed("error", code=code, stage=None if code == "no-board" else 5)
    assert table.looks()["legs"][0]["drives"][0]["board"] == "unseen"
    assert "message" in client.get(f"/challenges/runs/{table.id}/now").text
    table.drives(30_000).photographed("error", code=code, stage=5)
    assert table.phase == "stopped"


def test_a_photo_of_another_stage_after_the_race_settles_nothing(table: Table, client: Visitor) -> None:
    table.sits_down("driving-ace", [5]).drives(30_000).photographed("fair", stage=1)
    assert table.phase == "stopped"
    assert "Another stage is in the picture" in client.get(f"/challenges/runs/{table.id}/now").text


def test_a_look_that_comes_after_the_start_changes_nothing(table: Table) -> None:
    table.sits_down("driving-ace", [5])
    check = table.takes_photo()
    table.says("count-down", driver=0)
    says(table.app, check, "fair", 5)
    assert table.phase == "counting"
    table.machine.after(40_000)
    table.says("finish")
    assert table.phase == "stopped"


def test_of_two_photos_of_one_race_the_later_counts(table: Table) -> None:
    table.sits_down("driving-ace", [5]).drives(30_000)
    first, second = table.takes_photo(), table.takes_photo()
    says(table.app, second, "fair", 5)
    assert table.phase == "won"
    says(table.app, first, "ignored-accident", 5, accidents=1)
    assert table.phase == "won"


def test_a_photo_taken_again_counts_although_the_wall_clock_was_set_back(table: Table) -> None:
    dark = table.sits_down("driving-ace", [5]).drives(30_000).photographed("error", code="too-dark")
    assert table.phase == "stopped"
    clock_set_back(table.app)
    again = table.photographed("fair")
    assert again != dark
    assert table.phase == "won"
    assert table.last["legs"][0]["drives"][0]["call"]["check"] == again


@pytest.mark.parametrize("phase", ["counting", "driving", "won"])
def test_a_photo_that_nobody_wants_is_refused(table: Table, phase: str) -> None:
    table.sits_down("driving-ace", [5]).says("count-down", driver=0)
    table.machine.after(0 if phase == "counting" else 10_000)
    if phase == "won":
        table.says("finish")
        table.says("honest", accidents=0)
    assert table.phase == phase
    answer = table.client.call("POST", f"{table.api}/photos", picture=(ONE_PIXEL, "x.png"))
    assert (answer.status_code, answer.json["error"]["code"]) == (409, "no-photo-now")  # type: ignore[index]
    assert photos_of(table.app, table.id) == []


@pytest.mark.parametrize("meanwhile", ["gone", "given up", "a fault of ours"])
def test_a_photo_is_taken_in_with_its_run_or_not_at_all(
    table: Table, monkeypatch: pytest.MonkeyPatch, meanwhile: str
) -> None:
    table.sits_down("driving-ace", [5]).drives(30_000)
    store, keep = house(table.app).store, shelf._keep

    def slowly(*content: Any) -> str:
        """Meanwhile something happens to the run."""
        key = keep(*content)
        if meanwhile == "gone":
            runs.remove(store, [table.id])
        elif meanwhile == "given up":
            runs.happened(store, table.id, GiveUp(), instants.now())
        else:
            monkeypatch.setattr(challenge_photos_module, "next_number", lambda _: 1 / 0)
        return key

    monkeypatch.setattr(shelf, "_keep", slowly)
    answer = table.client.call("POST", f"{table.api}/photos", picture=(ONE_PIXEL, "x.png"))
    assert answer.status_code == {"gone": 404, "given up": 409, "a fault of ours": 500}[meanwhile]
    assert every_check(store) == []
    assert store.jobs.waiting() == 0
    assert list((house(table.app).settings.data / "pictures").rglob("*.*")) == []


def test_the_referee_himself_looks_at_the_photos(table: Table, work: Work) -> None:
    table.sits_down("driving-ace", [1])
    table.takes_photo((SAMPLES / "fair-park.jpg").read_bytes())
    assert work() == 1
    assert table.looks()["legs"][0]["drives"][0]["board"] == "not-wiped"
    table.says("board-vouched")
    table.drives(30_000).takes_photo((SAMPLES / "fair-park.jpg").read_bytes())
    work()
    assert (table.phase, table.codes("marks")) == ("won", ["board-vouched"])


def test_a_run_that_is_deleted_takes_its_photos_along(table: Table, app: Flask) -> None:
    check = table.sits_down("driving-ace", [5]).drives(30_000).photographed("fair")
    assert table.client.call("DELETE", table.api).status_code == 204
    assert table.client.get(table.api).status_code == 404
    assert table.client.get(f"/api/checks/{check}").status_code == 404
    assert list((house(app).settings.data / "pictures").rglob("*.*")) == []


def test_a_won_run_whose_photo_was_deleted_says_so_and_leads_nowhere_that_is_gone(table: Table) -> None:
    client = table.client
    check = table.sits_down("driving-ace", [5]).drives(30_000).photographed("fair")
    page = f"/challenges/runs/{table.id}"
    assert f"/checks/{check}" in client.get(page).text
    assert client.call("DELETE", f"/api/checks/{check}").status_code == 204
    told = client.get(page).text
    assert f"/checks/{check}" not in told
    assert "its photo was deleted" in told
    assert table.looks()["legs"][0]["drives"][0]["call"]["check"] == ""
    assert (table.phase, won(client)) == ("won", {"driving-ace"})


def test_a_run_is_deleted_with_its_photos_from_its_own_page_after_a_question(table: Table, app: Flask) -> None:
    client = table.client
    check = table.sits_down("driving-ace", [5]).drives(30_000).photographed("fair")
    asks = f"/history/delete/challenges/{table.id}"
    assert f'href="{asks}"' in client.get(f"/challenges/runs/{table.id}").text
    assert client.get(asks).status_code == 200
    assert client.get(f"/checks/{check}").status_code == 200
    assert client.send(asks, sure="yes").status_code == 303
    assert client.get(f"/checks/{check}").status_code == 404
    assert list((house(app).settings.data / "pictures").rglob("*.*")) == []


@pytest.mark.parametrize(("language", "where"), [("en", "history"), ("fr", "historique")])
def test_who_deletes_all_checks_reads_that_the_photos_of_runs_stay(table: Table, language: str, where: str) -> None:
    check = table.sits_down("driving-ace", [5]).takes_photo()
    asks = table.client.client.get("/checks/delete-all", headers={"Accept-Language": language}).text
    assert where in asks
    assert table.client.call("DELETE", "/api/checks").status_code == 204
    assert table.client.get(f"/checks/{check}").status_code == 200


# -------------------------------------------------------------------------------------------------- a person decides


def test_a_person_decides_about_a_photo_and_the_run_follows(table: Table, client: Visitor) -> None:
    check = table.sits_down("qualification", [1, 5]).drives(60_000).photographed("review")
    assert table.phase == "review"
    assert f"/checks/{check}" in client.get(f"/challenges/runs/{table.id}").text
    decides(table.app, check, "fair", 1)
    assert (table.phase, table.last["at"]) == ("board", 1)
    assert table.last["legs"][0]["drives"][0]["call"]["by"] == "person"
    takes_back(table.app, check, "review", 1)
    assert (table.phase, table.last["at"]) == ("review", 0)


def test_a_decision_that_is_taken_back_takes_the_win_back(table: Table, client: Visitor) -> None:
    check = table.sits_down("driving-ace", [5]).drives(30_000).photographed("review")
    decides(table.app, check, "fair", 5)
    assert table.phase == "won"
    assert won(client) == {"driving-ace"}
    takes_back(table.app, check, "ignored-accident", 5)
    assert table.phase == "unfair"
    assert won(client) == set()


WHO_ASKS = {
    "the checklist for programs": lambda client: "driving-ace" in won(client),
    "the list of runs": lambda client: client.get("/api/challenges/runs").json["runs"][0]["phase"] == "won",
    "the checklist": lambda client: 'class="challenge won"' in client.get("/challenges/").text,
    "the challenge": lambda client: 'class="check won"' in client.get("/challenges/driving-ace").text,
    "the history": lambda client: '"fair"' in client.get("/api/history").text,
    "the best times": lambda client: bool(client.get("/api/history/best-times").json["challenges"]),
}
"""Everybody who says of a run that was not opened whether it is won."""


@pytest.mark.parametrize("who", WHO_ASKS)
def test_whoever_asks_first_hears_what_the_photo_and_the_people_said(table: Table, client: Visitor, who: str) -> None:
    table.sits_down("driving-ace", [5]).drives(30_000)
    check = table.takes_photo()
    assert not WHO_ASKS[who](client)
    says(table.app, check, "fair", 5)
    assert WHO_ASKS[who](client)
    takes_back(table.app, check, "ignored-accident", 5)
    assert not WHO_ASKS[who](client)


def test_a_run_that_cannot_be_read_any_more_keeps_no_other_from_being_won(table: Table, client: Visitor) -> None:
    checks = [table.sits_down("driving-ace", [5]).drives(30_000).takes_photo() for _ in range(2)]
    broken = photo_runs(table.app)[checks[0]]
    for check in checks:
        says(table.app, check, "fair", 5)
    with house(table.app).store.database.writing() as connection:
        connection.execute(update(challenge_runs).where(challenge_runs.c.id == broken).values(state={}))
    assert won(client) == {"driving-ace"}


def test_a_challenge_without_accidents_asks_about_one_too_close_to_call(table: Table) -> None:
    doubt = {"events": [{"kind": "accident", "certain": False}, {"kind": "brush"}]}
    table.sits_down("confidence", [5]).drives(30_000).photographed("fair", report=doubt)
    assert table.phase == "review"
    table.says("honest", accidents=0)
    assert table.phase == "won"
    assert table.looks()["legs"][0]["drives"][0]["call"]["by"] == "honour"


def test_a_photo_that_leaves_it_open_does_not_undo_a_word_of_honour(table: Table) -> None:
    table.sits_down("qualification", [1, 5]).drives(60_000)
    check = table.takes_photo()
    table.says("honest", accidents=0)
    says(table.app, check, "review", 1)
    assert (table.phase, table.last["at"]) == ("board", 1)
    says(table.app, check, "ignored-accident", 1, accidents=1)
    assert (table.phase, table.last["at"]) == ("unfair", 0)


def test_from_a_photo_there_is_a_way_back_to_its_run(table: Table, client: Visitor, work: Work) -> None:
    check = table.sits_down("driving-ace", [1]).takes_photo((SAMPLES / "too-close-park.jpg").read_bytes())
    work()
    assert f'href="/challenges/runs/{table.id}"' in client.get(f"/checks/{check}").text
    assert "Back to the challenge" not in client.get("/checks/").text


# -------------------------------------------------------------------------------------------- two phones, bad requests


def test_two_phones_that_press_at_once_lose_nothing(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.sits_down("mute-race", [5])
    store = house(table.app).store
    overtaken: list[Any] = []
    real = runs._write

    def write(connection: Any, after: Any, now: Any) -> None:
        if not overtaken:  # somebody else is through first
            overtaken.append(after)
            raise runs.Overtaken
        real(connection, after, now)

    monkeypatch.setattr(runs, "_write", write)
    table.says("declare", condition="silent", kept=True)
    assert overtaken
    kept = runs.found(store, table.id, instants.now())
    assert kept is not None
    assert [said.kept for said in kept.run.declared] == [True]


def test_a_change_is_written_only_onto_the_version_that_it_was_made_from(table: Table) -> None:
    table.sits_down("driving-ace", [5])
    store = house(table.app).store
    kept = runs.found(store, table.id, instants.now())
    assert kept is not None
    table.says("board-vouched")
    stale = runs.Kept(kept.run, kept.version + 1, kept.created_at)
    with pytest.raises(runs.Overtaken), store.database.writing() as connection:
        runs._write(connection, stale, instants.now())
    assert table.looks()["legs"][0]["drives"][0]["board"] == "vouched"


def test_a_button_of_a_stage_that_is_over_does_nothing_to_the_next(table: Table) -> None:
    table.sits_down("qualification", [1, 5]).drives(60_000).says("honest", accidents=0)
    table.says("count-down", driver=1)
    table.machine.after(10_000)
    assert table.says("finish", status=409, turn=0)["error"]["code"] == "moved-on"
    assert table.phase == "driving"
    table.says("finish", turn=1)
    assert table.phase == "stopped"


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"challenge": "no such", "team": TEAM}, 400),
        ({"challenge": "driving-ace", "team": ["Ada"], "stages": [5]}, 400),
        ({"challenge": "driving-ace", "team": TEAM}, 409),
        ({"challenge": "qualification", "team": TEAM, "stages": [5, 5]}, 409),
        ({"challenge": "driving-ace", "team": TEAM, "stages": ["5"]}, 400),
        ({"challenge": "driving-ace", "team": "Ada", "stages": [5]}, 400),
        ({"challenge": "driving-ace", "team": TEAM, "stages": [5], "abandoned": True}, 400),
        ({"challenge": ["x"], "team": TEAM}, 400),
        ({"team": TEAM}, 400),
        ([], 400),
    ],
)
def test_a_choice_that_is_none_is_refused_in_words(client: Visitor, body: Any, status: int) -> None:
    answer = client.call("POST", "/api/challenges/runs", json=body)
    assert answer.status_code == status, answer.text
    french = client.client.post(
        "/api/challenges/runs", json=body, headers={"X-Referee": "t", "Accept-Language": "fr"}
    ).get_json()
    assert french["error"]["message"] != answer.json["error"]["message"]  # type: ignore[index]
    assert client.get("/api/challenges/runs").json == {"runs": []}


@pytest.mark.parametrize(
    ("event", "status"),
    [
        ({"event": "board-seen", "stage": 5, "wiped": True}, 400),
        ({"event": "judged", "call": {"verdict": "fair"}, "leg": None}, 400),
        ({"event": "count-down"}, 400),
        ({"event": "count-down", "driver": "0"}, 400),
        ({"event": "count-down", "driver": 7}, 409),
        ({"event": "count-down", "driver": 10**30}, 400),
        ({"event": "change-stage", "stage": -1}, 409),
        ({"event": "honest", "accidents": 0}, 409),
        ({"event": ["finish"]}, 400),
        ({"event": "finish"}, 409),
    ],
)
def test_an_event_that_may_not_be_is_refused_and_changes_nothing(
    table: Table, event: dict[str, Any], status: int
) -> None:
    before = table.sits_down("driving-ace", [5]).looks()
    answer = table.client.call("POST", f"{table.api}/events", json=event)
    assert answer.status_code == status, answer.text
    assert {**table.looks(), "clock": None} == {**before, "clock": None}


def test_a_stage_that_nobody_has_is_not_driven(table: Table, client: Visitor) -> None:
    body = {"challenge": "qualification", "team": TEAM, "stages": [1, 99]}
    answer = client.call("POST", "/api/challenges/runs", json=body)
    assert (answer.status_code, answer.json["error"]["code"]) == (409, "unknown-stage")  # type: ignore[index]
    assert client.send("/challenges/driving-ace", player=TEAM, stage="99").status_code == 409
    table.sits_down("driving-ace", [16])
    assert table.says("change-stage", status=409, stage=99)["error"]["code"] == "unknown-stage"
    event = '{"event": "change-stage"}'
    assert client.send(f"/challenges/runs/{table.id}/do", event=event, stage="99").status_code == 409
    assert table.looks()["legs"][0]["stage"] == 16


@pytest.mark.parametrize("turn", ["0", None, 1.5, True])
def test_a_turn_is_a_number(table: Table, turn: object) -> None:
    table.sits_down("driving-ace", [5]).says("board-vouched", status=200 if turn is None else 400, turn=turn)


def test_a_run_that_nobody_knows_is_not_there(client: Visitor) -> None:
    for method, address in (("GET", ""), ("DELETE", ""), ("POST", "/events"), ("POST", "/photos")):
        fields: dict[str, Any] = {"picture": (ONE_PIXEL, "x.png")} if address == "/photos" else {}
        json = {"event": "finish"} if address == "/events" else None
        assert client.call(method, f"/api/challenges/runs/nothing{address}", json, **fields).status_code == 404
        assert client.call(method, f"/api/challenges/runs/{'x' * 500}{address}", json, **fields).status_code == 404


# ----------------------------------------------------------------------------------------------- forms without scripts


def test_a_whole_challenge_is_won_without_scripts(client: Visitor, table: Table) -> None:
    sent = client.send("/challenges/driving-ace", player=[*TEAM[:2], ""], stage="5")
    assert sent.status_code == 303
    page = sent.headers["Location"]
    table.id = page.rpartition("/")[2]
    client.send(f"{page}/do", event='{"event": "count-down"}', driver="1", turn="0")
    table.machine.after(3000)
    assert 'id="do-finish"' in client.get(page).text
    table.machine.after(12_300)
    client.send(f"{page}/do", event='{"event": "finish"}', turn="0")
    assert "0:12.3" in client.get(page).text
    assert client.send(f"{page}/photo", picture=(ONE_PIXEL, "x.png")).status_code == 303
    client.send(f"{page}/do", event='{"event": "honest"}', accidents="0", turn="0")
    assert table.phase == "won"
    assert "Won!" in client.get(page).text
    again = client.send(f"{page}/again")
    assert again.status_code == 303
    assert again.headers["Location"] != page


@pytest.mark.parametrize(
    "fields",
    [
        {"event": "finish"},
        {"event": "[]"},
        {"event": ""},
        {"event": '{"event": "count-down"}', "driver": "zero"},
        {"event": '{"event": "count-down"}', "driver": "٣"},
        {"event": '{"event": "count-down"}', "driver": "9" * 400},
        {"event": '{"event": "board-vouched"}', "turn": "-1"},
    ],
)
def test_a_form_that_nobody_of_us_made_is_refused(client: Visitor, table: Table, fields: dict[str, str]) -> None:
    table.sits_down("driving-ace", [5])
    assert client.send(f"/challenges/runs/{table.id}/do", **fields).status_code in (400, 409)
    assert table.phase == "board"


def test_names_are_shown_and_never_obeyed(client: Visitor, table: Table) -> None:
    table.sits_down("driving-ace", [5], team=["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>'])
    for page in (
        f"/challenges/runs/{table.id}",
        f"/challenges/runs/{table.id}/phone",
        "/challenges/",
        "/challenges/bravery",
    ):
        text = client.get(page).text
        assert "<script>alert" not in text
        assert "<img src=x" not in text


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_stage_keeps_its_name_and_a_french_page_says_that_it_is_english(table: Table, language: str) -> None:
    table.sits_down("qualification", [1, 5], team=["<b>Ada</b>", "Béa"])
    name = names(house(table.app).settings)[1]
    named = name if language == "en" else f'<span lang="en">{name}</span>'
    words = {"en": ("1 of 2", "Stage 1: "), "fr": ("1 sur 2", "Circuit 1\u202f: ")}[language]

    def page() -> str:
        address = f"/challenges/runs/{table.id}"
        return table.client.client.get(address, headers={"Accept-Language": language}).text.replace("\xa0", "\u202f")

    assert f">{words[0]}</p>" in page()
    assert words[1] + named in page()
    table.says("count-down", driver=0)
    headline = page().partition('id="headline"')[2].partition("</h2>")[0]
    assert named in headline
    assert "&lt;b&gt;Ada&lt;/b&gt;" in headline


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_challenge_has_its_page_in_both_languages(client: Visitor, language: str) -> None:
    for challenge in CHALLENGES.values():
        page = client.client.get(f"/challenges/{challenge.id}", headers={"Accept-Language": language})
        assert page.status_code == 200
        assert challenge.name.to("fr" if language == "fr" else "en") in page.text.replace("&#39;", "'")
    assert client.get("/challenges/nothing").status_code == 404


def test_a_stage_has_a_picture_that_can_do_nothing(client: Visitor) -> None:
    answer = client.get("/challenges/stages/5")
    assert (answer.status_code, answer.mimetype) == (200, "image/svg+xml")
    assert "sandbox" in answer.headers["Content-Security-Policy"]
    assert client.get("/challenges/stages/9999").status_code == 404


@pytest.mark.parametrize(("accepted", "packed"), [("gzip, br", True), ("", False), ("identity", False)])
def test_a_stage_picture_is_packed_for_those_who_can_unpack_it(client: Visitor, accepted: str, packed: bool) -> None:
    answer = client.client.get("/challenges/stages/5", headers={"Accept-Encoding": accepted} if accepted else {})
    assert (answer.headers.get("Content-Encoding") == "gzip") is packed
    assert b"<svg" in (gzip.decompress(answer.data) if packed else answer.data)


def test_small_pictures_of_the_stages_are_drawn_once(client: Visitor, work: Work, app: Flask) -> None:
    for _ in range(2):
        client.get("/challenges/")
    assert work() == len(names(house(app).settings)) > 3
    answer = client.get("/challenges/stages/5")
    assert (answer.mimetype, answer.data[:2]) == ("image/jpeg", b"\xff\xd8")
    assert len(answer.data) < 100_000
    client.get("/challenges/driving-ace")
    assert work() == 0
