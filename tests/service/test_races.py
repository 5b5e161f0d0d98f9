"""A race from the two teams to the winner, as the API plays it and as the pages show it."""

from __future__ import annotations

import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select

from referee.race.match import GiveUp
from referee.service import instants, qr
from referee.service.checks import shelf
from referee.service.guard import INVITATION
from referee.service.races import games, photos
from referee.service.store.tables import race_looks, race_photos
from tests.service.at_the_race import MASTERS, NOVICES, Game, pass_by, time_flies  # noqa: F401  the fixture
from tests.service.at_the_table import ONE_PIXEL, clock_set_back, every_check, says
from tests.service.conftest import SAMPLES, Visitor, house

Work = Callable[[], int]
BOTH = "two-boards-park.jpg"
"""Stage 1: copy A is fair, copy B ignored an accident."""


def sample(name: str) -> bytes:
    return (SAMPLES / name).read_bytes()


def test_a_first_race_goes_from_the_teams_to_the_winner_by_two_photos_each_time(client: Visitor, work: Work) -> None:
    game = Game(client)
    assert game.at["phase"] == "stage"
    assert game.at["chooser"] == "B"  # the team of the youngest
    assert set(game.at["offered_stages"]) <= {1, 2, 3, 4}
    game.prepared(1)
    assert game.at["phase"] == "boards"
    assert game.at["suggested_drivers"] == [0, 0]
    game.raced("B", "A")
    assert game.at["phase"] == "crossed"
    game.photo("photos", "A", sample(BOTH)).photo("photos", "B", sample(BOTH))
    assert work() == 2
    game.look()
    assert game.at["phase"] == "awarded"
    award = game.heat["award"]
    assert (award["winner"], award["why"]) == ("A", "given-away")  # B was first, but ignored an accident
    assert "gave it away" in award["words"]
    assert any("did not make an accident good" in words for words in award["reasons"])
    assert game.heat["lanes"]["B"]["clock"]["ms"] < game.heat["lanes"]["A"]["clock"]["ms"]
    game.say("onward")
    assert (game.at["phase"], game.at["chooser"]) == ("stage", "B")  # the loser chooses
    game.prepared(1)
    assert game.at["suggested_drivers"] == [1, 1]
    game.raced("A")
    game.photo("photos", "A", sample("fair-park.jpg"))
    work()
    game.look()
    assert (game.at["phase"], game.at["winner"], game.at["wins"]) == ("over", "A", {"A": 2, "B": 0})
    assert "Team A wins the race" in game.page()


def test_pictures_taken_again_count_although_the_wall_clock_was_set_back(client: Visitor, app: Flask) -> None:
    game, store = Game(client).prepared(1), house(app).store
    for _ in range(2):
        game.photo("boards", "A", ONE_PIXEL)
        clock_set_back(app)
    with store.database.reading() as connection:
        in_turn = list(connection.execute(select(race_looks.c.id).order_by(race_looks.c.number)).scalars())
    assert photos.looks_of(store, game.at["id"])[(0, "A")].id == in_turn[-1]
    game.raced("A")
    for verdict in ("error", "fair"):
        game.photo("photos", "A", ONE_PIXEL)
        with store.database.reading() as connection:
            latest = select(race_photos.c.check_id).order_by(race_photos.c.number.desc()).limit(1)
            check = connection.execute(latest).scalar_one()
        says(app, check, verdict, 1)
        clock_set_back(app)
    assert game.look().at["phase"] == "awarded"


def test_a_stage_that_nobody_has_is_not_raced(client: Visitor) -> None:
    game = Game(client, **MASTERS)
    assert game.refused("choose-stage", team="B", stage=99) == "unknown-stage"
    sent = client.send(f"/races/{game.at['id']}", event='{"event": "choose-stage", "team": "B"}', stage="99")
    assert sent.status_code == 409
    assert game.look().at["phase"] == "stage"


@pytest.mark.parametrize("where", ["boards", "photos"])
def test_a_picture_is_taken_in_with_its_race_or_not_at_all(
    client: Visitor, app: Flask, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    game, store, keep = Game(client).prepared(1), house(app).store, shelf._keep
    if where == "photos":
        game.raced("A")

    def slowly(*content: Any) -> str:
        """Meanwhile the race is deleted."""
        games.remove(store, [game.at["id"]])
        return keep(*content)

    monkeypatch.setattr(shelf, "_keep", slowly)
    assert client.call("POST", f"{game.api}/{where}/A", picture=(ONE_PIXEL, "x.png")).status_code == 404
    assert every_check(store) == []
    assert store.jobs.waiting() == 0
    assert list((house(app).settings.data / "pictures").rglob("*.*")) == []


def test_a_race_is_deleted_after_a_question_and_a_deleted_photo_is_not_led_to(client: Visitor, app: Flask) -> None:
    game, store = Game(client).prepared(1).raced("A"), house(app).store
    game.photo("photos", "A", ONE_PIXEL)
    with store.database.reading() as connection:
        check = connection.execute(select(race_photos.c.check_id)).scalar_one()
    says(app, check, "fair", 1)
    assert f"/checks/{check}" in game.look().page()
    assert client.call("DELETE", f"/api/checks/{check}").status_code == 204
    assert f"/checks/{check}" not in game.page()
    asks = f"/history/delete/races/{game.at['id']}"
    assert f'href="{asks}"' in client.get("/races/").text
    assert client.get(asks).status_code == 200
    assert client.send(asks, sure="yes").status_code == 303
    assert client.get(game.api).status_code == 404


def test_whoever_asks_for_all_races_hears_what_the_photos_said(client: Visitor, app: Flask) -> None:
    game, store = Game(client).prepared(1).raced("A"), house(app).store
    game.photo("photos", "A", ONE_PIXEL)
    with store.database.reading() as connection:
        check = connection.execute(select(race_photos.c.check_id)).scalar_one()
    for verdict, phase in (("fair", "awarded"), ("review", "crossed"), ("fair", "awarded")):
        says(app, check, verdict, 1)
        listed: Any = client.get("/api/races").json
        assert listed["races"][0]["phase"] == phase


def test_what_the_photo_leaves_open_a_person_decides_and_the_race_follows(client: Visitor, work: Work) -> None:
    game = Game(client).prepared(1).raced("A")
    game.photo("photos", "A", sample("too-close-park.jpg"))
    work()
    game.look()
    check = game.heat["lanes"]["A"]["check"]
    assert (game.at["phase"], game.heat["lanes"]["A"]["call"]["verdict"]) == ("crossed", "review")
    assert f"/checks/{check}" in game.page()
    report = client.get(f"/api/checks/{check}/boards/1").json or {}
    question = next(reason["question"] for reason in report["reasons"] if "question" in reason)
    body = {"question": question, "answer": "no", "who": "Ann", "why": "It only touched it."}
    assert client.call("POST", f"/api/checks/{check}/boards/1/decisions", json=body).status_code == 201
    work()
    game.look()
    assert (game.at["phase"], game.heat["award"]["winner"]) == ("awarded", "A")
    assert game.heat["lanes"]["A"]["call"]["by"] == "person"


def test_both_cheated_and_the_stage_is_driven_again(client: Visitor) -> None:
    game = Game(client).prepared(3).raced("A", "B")
    game.say("cheated", team="A", so=True).say("cheated", team="B", so=True)
    assert game.heat["award"]["again"] is True
    assert "driven again" in game.page()
    game.say("onward")
    assert (game.at["phase"], game.heat["stage"], game.heat["again"]) == ("boards", 3, True)


def test_cheating_that_was_called_can_be_taken_back(client: Visitor) -> None:
    game = Game(client).prepared(2).raced("A").say("agreed", team="A", accidents=1)
    assert game.heat["award"]["winner"] == "A"
    game.say("cheated", team="A", so=True)
    assert not game.heat["award"]  # who gets it hangs on the other team now
    game.say("cheated", team="A", so=False)
    assert game.heat["award"]["winner"] == "A"


def test_a_photo_of_the_other_copy_says_nothing_of_this_team(client: Visitor, work: Work) -> None:
    game = Game(client).prepared(1).raced("B")
    game.photo("photos", "B", sample("ignored-park.jpg"))  # a board with the markers of copy A
    work()
    game.look()
    assert game.heat["lanes"]["B"]["call"] is None
    assert "not the board of this team" in game.page()


def test_a_photo_of_another_stage_says_nothing_either(client: Visitor, work: Work) -> None:
    game = Game(client).prepared(1).raced("A")
    game.photo("photos", "A", sample("boost-city.jpg"))
    work()
    assert game.look().heat["lanes"]["A"]["call"] is None
    assert "Another stage is in the photo" in game.page()


def test_cars_are_taken_by_the_team_that_did_not_choose_and_nitro_reaches_the_judge(
    app: Flask, client: Visitor, work: Work
) -> None:
    game = Game(client, **MASTERS).say("choose-stage", team="B", stage=1)
    assert game.at["phase"] == "cars"
    assert game.refused("take-car", team="B", car="mine") == "other-team"
    game.say("take-car", team="A", car="nitro").say("take-car", team="B", car="Sunday Special")
    assert game.at["cars"] == {"A": "nitro", "B": "sunday special"}
    game.raced("A").photo("photos", "A", sample("fair-park.jpg"))
    work()
    assert game.look().heat["award"]["winner"] == "A"
    check = shelf.found(house(app).store, game.heat["lanes"]["A"]["check"])
    assert check is not None
    assert check.options == {"mode": "competitive", "nitro": True}


def test_a_press_on_an_old_page_is_refused_in_the_visitors_language(client: Visitor) -> None:
    game = Game(client).prepared(1)
    assert game.refused("count-down", a=0, b=0, heat=5) == "moved-on"
    headers = {"X-Referee": "test", "Accept-Language": "fr"}
    answer = client.client.post(f"{game.api}/events", json={"event": "onward"}, headers=headers)
    assert answer.status_code == 409
    assert "la partie a avancé" in answer.get_json()["error"]["message"]


@pytest.mark.parametrize("event", ["board-seen", "judged", "no-such-event"])
def test_what_only_the_camera_says_nobody_else_can(client: Visitor, event: str) -> None:
    game = Game(client).prepared(1)
    said = {"team": "A", "stage": 1, "wiped": True, "gadgets": [], "misplaced": False}
    assert game.refused(event, **said) == "bad-request"


@pytest.mark.parametrize(
    "teams",
    [
        {"a": ["Ada"]},
        {"a": ["Ada", "Ada"]},
        {"a": ["Ada", "Cem"]},
        {"a": ["x" * 50, "y"]},
        {"a": ["<script>alert(1)</script>\n", "y"]},
        {"a": "Ada"},
        {"youngest": "C"},
        {"more": 1},
    ],
)
def test_what_are_no_teams_is_refused(client: Visitor, teams: dict[str, Any]) -> None:
    answer = client.call("POST", "/api/races", json=NOVICES | teams)
    assert answer.status_code in (400, 409)
    assert set((answer.json or {})["error"]) == {"code", "message", "hint"}


def test_a_script_in_a_name_is_shown_and_not_run(client: Visitor) -> None:
    game = Game(client, a=["<script>alert(1)</script>", "Béa"]).prepared(1)
    assert "<script>alert(1)" not in game.page()
    assert "&lt;script&gt;alert(1)" in game.page()


def test_forms_without_scripts_play_a_race_too(client: Visitor) -> None:
    names = {"a": ["Ada", "Béa", ""], "b": ["Cem", "Dan", ""]}
    answer = client.send("/races/", **names, youngest="A", knows="no")
    assert answer.status_code == 303, answer.text
    address = answer.headers["Location"]
    client.send(address, heat="-1", event='{"event": "choose-stage", "team": "A", "stage": 2}')
    client.send(address, heat="0", event='{"event": "warm-up-over"}')
    answer = client.send(address, heat="0", event='{"event": "count-down"}', a="1", b="0")
    assert answer.status_code == 303, answer.text
    assert "Béa against Cem" in client.get(address).text


@pytest.mark.parametrize("event", ["", "{", "[]", '{"event": "count-down", "a": "x"}', '{"event": 7}'])
def test_a_form_that_means_nothing_is_refused_with_words(client: Visitor, event: str) -> None:
    game = Game(client).prepared(1)
    answer = client.send(game.at["page"], heat="0", event=event)
    assert answer.status_code in (400, 409)
    assert "<h1>" in answer.text


def test_the_clock_runs_from_go_and_a_jump_of_the_wall_clock_changes_nothing(
    client: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = Game(client).prepared(1).say("count-down", a=0, b=0)
    assert game.at["phase"] == "counting"
    assert 0 < game.at["clock"]["clocks"]["A"]["countdown_ms"] <= 3000
    pass_by(10_000)
    real = instants.now
    monkeypatch.setattr(instants, "now", lambda: type(real())(real().boot, real().since_boot_ms, 0))
    clock = (client.get(f"{game.api}/clock").json or {})["clocks"]["B"]
    assert clock["runs"]
    assert 6900 <= clock["ms"] <= 9000


def test_two_taps_at_once_are_both_kept(client: Visitor) -> None:
    game = Game(client).prepared(1).raced()
    game.say("crossed", team="B", heat=0).say("crossed", team="A", heat=0)
    assert game.heat["crossed"] == ["B", "A"]
    assert game.refused("crossed", team="A") == "crossed-already"
    game.say("was-first", team="A")
    assert game.heat["crossed"] == ["A", "B"]


def test_a_deleted_race_takes_its_photos_along(client: Visitor, work: Work) -> None:
    game = Game(client).prepared(1).raced("A").photo("photos", "A", sample("fair-park.jpg"))
    work()
    check = game.look().heat["lanes"]["A"]["check"]
    assert client.call("DELETE", game.api).status_code == 204
    assert client.get(game.api).status_code == 404
    assert client.get(f"/api/checks/{check}").status_code == 404
    assert client.get(game.at["page"]).status_code == 404


def test_a_race_is_told_in_french(client: Visitor) -> None:
    game = Game(client).prepared(1).raced("A").say("agreed", team="A", accidents=0)
    page = client.client.get(game.at["page"], headers={"Accept-Language": "fr"}).text
    assert "arrivée la première, dans les règles" in page
    assert "sur votre parole" in page


@pytest.mark.parametrize(
    ("where", "code"), [("boards/A", "no-photo-now"), ("photos/A", "not-driven"), ("photos/C", "not-found")]
)
def test_a_photo_that_nobody_wants_now_is_refused(client: Visitor, where: str, code: str) -> None:
    game = Game(client)
    answer = client.call("POST", f"{game.api}/{where}", picture=(sample("fair-park.jpg"), "board.jpg"))
    assert (answer.json or {})["error"]["code"] == code
    answer = client.call("POST", f"{game.api}/{where}", other="nothing")
    assert answer.status_code in (400, 404)


@pytest.mark.parametrize(
    "said",
    [
        {"event": "choose-stage", "team": "B", "stage": 10**30},
        {"event": "choose-stage", "team": "B", "stage": True},
        {"event": "choose-stage", "team": "B", "stage": 1, "heat": "x"},
        {"event": "choose-stage", "team": "b", "stage": 1},
        {"event": "take-car", "team": "A", "car": "x" * 300},
        {"event": ["choose-stage"]},
        {},
        [],
        "choose-stage",
    ],
)
def test_an_event_that_means_nothing_changes_nothing(client: Visitor, said: object) -> None:
    game = Game(client)
    before = game.look().at["clock"]["version"]
    assert client.call("POST", f"{game.api}/events", json=said).status_code in (400, 409)
    assert game.look().at["clock"]["version"] == before


def test_a_form_of_another_site_changes_nothing(client: Visitor) -> None:
    game = Game(client)
    event = '{"event": "choose-stage", "team": "B", "stage": 1}'
    headers = {"Sec-Fetch-Site": "cross-site"}
    assert client.client.post(game.at["page"], data={"event": event}, headers=headers).status_code == 403
    assert client.client.post(f"{game.api}/events", json={"event": "give-up"}).status_code == 403
    assert game.look().at["phase"] == "stage"


def test_what_is_overtaken_happens_to_what_the_race_has_become(
    app: Flask, client: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, store = Game(client).prepared(1), house(app).store
    real, between = games._write, [games.Overtaken()]

    def write(connection: object, after: games.Kept) -> None:
        if between:
            raise between.pop()
        real(connection, after)  # type: ignore[arg-type]

    monkeypatch.setattr(games, "_write", write)
    after = games.happened(store, game.at["id"], GiveUp(), instants.now())
    assert after is not None
    assert after.match.abandoned
    assert between == []


def test_old_pictures_of_boards_are_swept_and_the_race_stays(app: Flask, client: Visitor) -> None:
    game = Game(client).prepared(1).photo("boards", "A", sample("fair-park.jpg"))
    store = house(app).store
    [look] = photos.looks_of(store, game.at["id"]).values()
    assert look.picture is not None
    came_ms = time.time_ns() // 1_000_000
    assert games.sweep(store, 30, came_ms + 29 * shelf.DAY_MS) == 0
    assert games.sweep(store, 0, came_ms + 999 * shelf.DAY_MS) == 0
    assert games.sweep(store, 30, came_ms + 31 * shelf.DAY_MS) == 1
    assert not store.pictures.has(look.picture)
    assert game.look().at["phase"] == "boards"


def test_a_deleted_race_takes_the_pictures_of_its_boards_along_even_while_one_is_looked_at(
    app: Flask, client: Visitor, work: Work
) -> None:
    game = Game(client).prepared(1).photo("boards", "A", sample("fair-park.jpg"))
    store = house(app).store
    [look] = photos.looks_of(store, game.at["id"]).values()
    assert client.call("DELETE", game.api).status_code == 204
    work()
    assert look.picture is not None
    assert not store.pictures.has(look.picture)


def test_a_phone_is_led_to_the_race_by_a_qr_code(client: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game(client)
    drawn: list[str] = []

    def svg(link: str, _label: str) -> str:
        drawn.append(link)
        return "<svg></svg>"

    monkeypatch.setattr(qr, "svg", svg)
    invitation = SimpleNamespace(link="https://192.168.1.20:8150/join#ticket", code="123 456")
    page = client.client.get(game.at["page"], environ_overrides={INVITATION: invitation}).text
    assert drawn == [f"https://192.168.1.20:8150/join?next={game.at['page']}#ticket"]
    assert "123 456" in page
    assert "--host" in game.page()  # without an invitation the page says how to let phones in
