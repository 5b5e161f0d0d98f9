"""The live journey without a browser: frames in, calls out, the race kept, and what it counts for told."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest
from flask import Flask
from PIL import Image

from referee.live.sight import CallKind
from referee.race.drive import Call
from referee.service import language
from referee.service.front import HERE
from referee.service.live import after, sittings, telling
from referee.service.live.calls import the_sittings
from referee.service.live.eye import decoded, makes
from referee.service.live.sitting import Eye, Plan, Sitting
from referee.words import LANGUAGES
from tests.service.conftest import Visitor, house
from tests.service.scripted import STAGE

CLIPS = Path(language.__file__).parent / "static" / "calls"
STAGES = Path(__file__).resolve().parents[2] / "stage_masks"
SCRIPTED = "tests.service.scripted:Watch"
MOST_BYTES = 2_000_000

pytestmark = pytest.mark.usefixtures("live")


def jpeg(width: int = 640, height: int = 360, grey: int = 120) -> bytes:
    """A frame."""
    held = BytesIO()
    Image.new("RGB", (width, height), (grey, grey, grey)).save(held, "JPEG")
    return held.getvalue()


@pytest.fixture
def live(app: Flask) -> Iterator[Flask]:
    """The page with a scripted eye; all watches end with the test."""
    app.config["LIVE_WATCH"] = SCRIPTED
    yield app
    with app.app_context():
        the_sittings().close()


def begins(client: Visitor, **plan: object) -> Any:
    answer = client.call("POST", "/api/live", json=plan)
    assert answer.status_code == 201, answer.text
    return answer.json


def sees(client: Visitor, id: str, content: bytes = b"", after_call: int = 0) -> Any:
    """A browser posts a frame of this moment."""
    answer = client.client.post(
        f"/api/live/{id}/frames?after={after_call}", data=content or jpeg(), content_type="image/jpeg",
        headers={"X-Referee": "test"},
    )  # fmt: skip
    assert answer.status_code == 200, answer.text
    return answer.json


def races(client: Visitor, id: str, until: str = "race") -> Any:
    """Frames are posted until the race is kept; all that was told last."""
    assert client.call("POST", f"/api/live/{id}/events", json={"event": "count-down"}).status_code == 200
    calls: list[Any] = []
    for _ in range(400):
        told = sees(client, id, after_call=len(calls))
        calls += told["calls"]
        if told[until]:
            return told | {"calls": calls}
        time.sleep(0.05)
    raise AssertionError("the race never ended")


# ----------------------------------------------------------------------------------------------------- a whole race


def test_a_race_is_watched_called_once_each_and_kept(client: Visitor) -> None:
    id = begins(client)["id"]
    before = sees(client, id)
    assert (before["state"], [board["phase"] for board in before["boards"]]) == ("empty", ["empty"])
    told = races(client, id)
    kinds = [call["kind"] for call in told["calls"]]
    assert kinds == ["start", "checkpoint", "brush", "wipeout", "donut", "pipe-enter", "checkpoint", "acceleration",
                     "accident", "restart", "pipe-exit", "finish"]  # fmt: skip
    assert [call["n"] for call in told["calls"]] == list(range(len(kinds)))
    race = client.get(f"/api/live/races/{told['race']}").json
    assert race is not None
    board = race["boards"][0]
    assert (board["verdict"], board["by"], board["time_ms"], board["stage"]) == ("fair", "film", 8600, STAGE)
    assert [one["to"] for one in board["sections"]] == ["Checkpoint 1", "Checkpoint 2", "Finish"]
    assert sum(one["took_ms"] for one in board["sections"]) == 8400
    times = [point[2] for point in board["path_in_time"] if point is not None]
    assert times == sorted(times)
    assert 8 < times[-1] - times[0] < 9
    page = client.get(f"/live/races/{told['race']}")
    assert page.status_code == 200
    assert "Back to checkpoint 2" in page.text
    table = client.get(f"/live/races/{told['race']}/events.csv").text.splitlines()
    assert table[0].startswith("t_s,what")
    assert table[1].startswith("0.20,start")
    assert told["calls"][8]["clips"] == ["accident", "back-2"]


def test_a_frame_that_waits_gives_way_to_a_newer_one() -> None:
    began, go_on = threading.Event(), threading.Event()

    class Slow(Eye):
        def __init__(self) -> None:
            self.seen: list[bytes] = []

        def ask(self, head: Any, body: bytes = b"") -> tuple[Any, bytes]:
            if head["do"] == "look":
                self.seen.append(body)
                began.set()
                go_on.wait(5)
            return {"boards": [], "trouble": None, "at_s": head.get("at_s")}, b""

        def close(self) -> None:
            pass

    eye = Slow()
    sitting = Sitting("x", Plan(), lambda: eye, sittings.now_ms, lambda _: None)
    looked: dict[bytes, bool] = {}

    def post(content: bytes) -> None:
        looked[content] = sitting.look(content, 1)

    threads = [threading.Thread(target=post, args=(content,)) for content in (b"1", b"2", b"3")]
    threads[0].start()
    assert began.wait(5)
    threads[1].start()
    while sitting._newest < 2:
        time.sleep(0.005)
    threads[2].start()
    threads[1].join(5)
    go_on.set()
    for thread in threads:
        thread.join(5)
    assert eye.seen == [b"1", b"3"]
    assert looked == {b"1": True, b"2": False, b"3": True}
    assert sitting.state.dropped == 1


def test_a_race_that_is_ended_by_hand_says_that_it_was_not_finished(client: Visitor) -> None:
    id = begins(client)["id"]
    sees(client, id)
    client.call("POST", f"/api/live/{id}/events", json={"event": "start"})
    time.sleep(1.0)
    sees(client, id)
    told = client.call("POST", f"/api/live/{id}/events", json={"event": "over"}).json
    assert told is not None
    race = client.get(f"/api/live/races/{told['race']}").json
    assert race is not None
    assert race["boards"][0]["verdict"] == "unfinished"
    again = client.call("POST", f"/api/live/{id}/events", json={"event": "next"}).json
    assert again is not None
    assert (again["race"], again["calls"], again["boards"]) == ("", [], [])


def test_a_race_of_nobody_is_not_kept(client: Visitor) -> None:
    id = begins(client)["id"]
    sees(client, id)
    told = client.call("POST", f"/api/live/{id}/events", json={"event": "over"}).json
    assert told is not None
    assert told["race"] == ""
    assert "fair" not in client.get("/live/").text


def test_the_clear_picture_becomes_a_check_and_is_deleted_with_its_race(client: Visitor) -> None:
    id = begins(client)["id"]
    told = races(client, id)
    race = client.get(f"/api/live/races/{told['race']}").json
    assert race is not None
    check = race["boards"][0]["check"]
    assert client.get(f"/api/checks/{check}").status_code == 200
    assert client.call("DELETE", f"/api/live/races/{told['race']}").status_code == 204
    assert client.get(f"/api/checks/{check}").status_code == 404
    assert client.get(f"/live/races/{told['race']}").status_code == 404


# ----------------------------------------------------------------------------------------------------- the eye


def test_the_eye_ends_with_its_watch_and_when_nobody_is_there(client: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sittings, "LEFT_MS", 300)
    mine = psutil.Process()
    before = set(mine.children(recursive=True))
    id = begins(client)["id"]
    sees(client, id)
    eyes = set(mine.children(recursive=True)) - before
    assert eyes
    client.call("POST", f"/api/live/{id}/events", json={"event": "leave"})
    until = time.monotonic() + 10
    while any(eye.is_running() for eye in eyes) and time.monotonic() < until:
        time.sleep(0.1)
    assert not [eye for eye in eyes if eye.is_running()]
    assert client.get(f"/api/live/{id}").status_code == 404
    assert client.get(f"/live/{id}").status_code == 404


def test_a_page_that_is_loaded_anew_keeps_its_watch(client: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sittings, "LEFT_MS", 1500)
    id = begins(client)["id"]
    client.call("POST", f"/api/live/{id}/events", json={"event": "leave"})
    assert client.get(f"/live/{id}").status_code == 200
    time.sleep(3)
    assert client.get(f"/api/live/{id}").status_code == 200


def test_an_eye_that_dies_is_opened_anew_but_not_for_ever(client: Visitor, live: Flask) -> None:
    live.config["LIVE_WATCH"] = "tests.service.scripted:Dies"
    id = begins(client)["id"]
    post = {"data": jpeg(), "content_type": "image/jpeg", "headers": {"X-Referee": "test"}}
    answer = client.client.post(f"/api/live/{id}/frames", **post)
    assert answer.status_code == 503
    assert answer.get_json()["error"]["code"] == "eye-died"


def test_an_eye_that_was_killed_goes_on(client: Visitor) -> None:
    before = set(psutil.Process().children(recursive=True))
    id = begins(client)["id"]
    sees(client, id)
    for eye in set(psutil.Process().children(recursive=True)) - before:
        eye.kill()
    assert sees(client, id)["state"] == "empty"


@pytest.mark.parametrize("content", [b"", b"\xff\xd8\xff", b"GIF89a", b"x" * 1000])
def test_what_is_no_picture_is_told_and_harms_nothing(client: Visitor, content: bytes) -> None:
    id = begins(client)["id"]
    assert sees(client, id, content or b"\x00")["error"] == "not-a-picture"
    assert sees(client, id)["error"] is None


def test_a_picture_of_many_pixels_is_not_opened() -> None:
    assert decoded(jpeg(4000, 3000)) is None
    assert decoded(jpeg(1280, 720)) is not None


def test_only_so_many_cameras_at_once(client: Visitor) -> None:
    for _ in range(sittings.MOST):
        begins(client)
    assert client.call("POST", "/api/live", json={}).status_code == 429


def test_a_frame_of_the_future_is_of_now(client: Visitor) -> None:
    id = begins(client)["id"]
    post = {"data": jpeg(), "content_type": "image/jpeg", "headers": {"X-Referee": "test"}}
    answer = client.client.post(f"/api/live/{id}/frames?at_ms=99999999999999", **post)
    told = answer.get_json()
    assert told["boards"][0]["at_ms"] <= told["clock"]["now_ms"]


@pytest.mark.parametrize(
    ("plan", "code"),
    [
        ({"source": "/etc/passwd"}, "no-such-camera"),
        ({"source": "file:///etc/passwd"}, "no-such-camera"),
        ({"source": "gopher://x"}, "no-such-camera"),
        ({"source": "http://[::1"}, "no-such-camera"),
        ({"stage": 4711}, "no-stage-file"),
        ({"stage": True}, "bad-request"),
        ({"run": "nothing"}, "no-such-run"),
        ({"race": "nothing"}, "no-such-race"),
        ({"more": 1}, "bad-request"),
    ],
)
def test_what_cannot_be_watched_is_refused(app: Flask, plan: Any, code: str) -> None:
    here = app.test_client()
    answer = here.post("/api/live", json=plan, headers={"X-Referee": "x"}, environ_overrides={HERE: True})
    assert answer.get_json()["error"]["code"] == code


def test_cameras_of_the_computer_are_for_those_who_sit_at_it(client: Visitor) -> None:
    assert client.call("POST", "/api/live", json={"source": "0"}).status_code == 403


@pytest.mark.parametrize(
    "noise",
    [
        {"at_ms": "now", "levels": [], "room_db": 0, "peak_db": 0},
        {"at_ms": 5, "levels": ["x"], "room_db": 0, "peak_db": 0},
        {"at_ms": 5, "levels": [0] * 500, "room_db": 0, "peak_db": 0},
        {"at_ms": 5, "levels": [], "room_db": 1e9, "peak_db": 0},
        {"at_ms": 5, "levels": [], "room_db": 0, "peak_db": 0, "team": "<b>"},
        {"at_ms": 10**15, "levels": [], "room_db": 0, "peak_db": 0},
    ],
)
def test_a_noise_that_makes_no_sense_is_refused(client: Visitor, noise: Any) -> None:
    id = begins(client)["id"]
    assert client.call("POST", f"/api/live/{id}/noises", json=noise).status_code == 400


# ----------------------------------------------------------------------------------------------------- two teams, ties


def test_two_teams_are_called_by_their_names(client: Visitor, live: Flask) -> None:
    live.config["LIVE_WATCH"] = "tests.service.scripted:TwoTeams"
    id = begins(client, two=True)["id"]
    told = races(client, id)
    finishes = [call for call in told["calls"] if call["kind"] == "finish"]
    assert [call["clips"] for call in finishes] == [["team-a", "finish"], ["team-b", "finish"]]
    race = client.get(f"/api/live/races/{told['race']}").json
    assert race is not None
    assert [board["team"] for board in race["boards"]] == ["A", "B"]


def test_a_challenge_is_settled_by_what_was_watched(client: Visitor) -> None:
    body = {"challenge": "qualification", "team": ["Ada", "Béa"], "stages": [STAGE, 2]}
    run = client.call("POST", "/api/challenges/runs", json=body).json
    assert run is not None
    id = begins(client, run=run["id"])["id"]
    sees(client, id)
    by_hand = client.call("POST", f"/api/live/{id}/events", json={"event": "start"})
    assert by_hand.status_code == 409
    told = races(client, id)
    settled = client.get(f"/api/challenges/runs/{run['id']}").json
    assert settled is not None
    leg = settled["legs"][0]
    drive = leg["drives"][0]
    assert (drive["call"]["verdict"], drive["call"]["accidents"], drive["call"]["by"]) == ("fair", 1, "picture")
    assert 8590 <= drive["ms"] <= 8610  # its clock stopped at the finish, not when the message came
    assert settled["legs"][1]["drives"]
    decided = client.call("POST", f"/api/live/races/{told['race']}/decisions", json={"verdict": "ignored-accident"})
    assert decided.status_code == 200, decided.text
    settled = client.get(f"/api/challenges/runs/{run['id']}").json
    assert settled is not None
    call = settled["legs"][0]["drives"][0]["call"]
    assert (call["verdict"], call["by"]) == ("ignored-accident", "person")


def test_a_challenge_does_not_begin_on_another_stages_board(client: Visitor) -> None:
    body = {"challenge": "qualification", "team": ["Ada", "Béa"], "stages": [2, STAGE]}
    run = client.call("POST", "/api/challenges/runs", json=body).json
    assert run is not None
    id = begins(client, run=run["id"])["id"]
    sees(client, id)
    answer = client.call("POST", f"/api/live/{id}/events", json={"event": "count-down"})
    assert answer.status_code == 409
    assert answer.json is not None
    assert answer.json["error"]["code"] == "other-stage"


def test_a_race_hears_who_crossed_first(client: Visitor, live: Flask) -> None:
    live.config["LIVE_WATCH"] = "tests.service.scripted:TwoTeams"
    teams = {"a": ["Ada", "Béa"], "b": ["Cem", "Dan"], "youngest": "A", "everybody_knows": False}
    race = client.call("POST", "/api/races", json=teams).json
    assert race is not None

    def says(**event: object) -> Any:
        answer = client.call("POST", f"/api/races/{race['id']}/events", json=event)
        assert answer.status_code == 200, answer.text
        return answer.json

    says(event="choose-stage", team="A", stage=STAGE)
    says(event="warm-up-over")
    id = begins(client, race=race["id"])["id"]
    sees(client, id)
    races(client, id)
    heat = client.get(f"/api/races/{race['id']}").json["heats"][0]  # type: ignore[index]
    assert heat["crossed"] == ["A", "B"]
    assert heat["award"]["winner"] == "A"


# ----------------------------------------------------------------------------------------------------- film and picture


def board(film: str | None, still: str | None, decided: str | None = None) -> Any:
    told: dict[str, Any] = {"film": {"verdict": film, "accidents": 0}, "still": still and {"verdict": still}}
    return told | ({"decided": decided} if decided else {})


@pytest.mark.parametrize(
    ("film", "still", "verdict"),
    [
        ("fair", "fair", ("fair", "both")),
        ("ignored-accident", "fair", ("review", "both")),
        ("fair", "ignored-accident", ("review", "both")),
        ("ignored-accident", "ignored-accident", ("ignored-accident", "both")),
        ("fair", None, ("fair", "film")),
        (None, "unfinished", ("unfinished", "picture")),
        (None, None, (None, "picture")),
    ],
)
def test_where_film_and_picture_differ_nobody_is_accused(film: str, still: str, verdict: tuple[str, str]) -> None:
    assert after.verdict_of(board(film, still)) == verdict
    assert after.verdict_of(board(film, still, "fair")) == ("fair", "person")


def test_a_call_too_close_to_call_accuses_nobody(app: Flask) -> None:
    call = {"kind": "accident", "certain": False, "cause": "white-line", "restart_element": "checkpoint-1",
            "team": None, "again": False}  # fmt: skip
    assert telling.clips(call, with_team=False) == ["doubtful"]
    with app.test_request_context():
        assert after.event_words(call) == language.say("live.call.doubtful", "en")


def test_the_call_of_a_review_waits_for_a_person() -> None:
    assert Call("review").verdict == after.verdict_of(board("fair", "unfinished"))[0]


# ----------------------------------------------------------------------------------------------------- words and clips


def clip_table(code: str) -> Any:
    return json.loads((CLIPS / f"{code}.json").read_text(encoding="utf-8"))


def every_call() -> Iterator[dict[str, Any]]:
    """Every call that a watch can make."""
    plain = {"team": None, "again": False, "certain": True, "cause": None, "restart_element": None, "number": None}
    plain |= {"of": None}
    for kind in CallKind.__args__:  # type: ignore[attr-defined]
        yield plain | {"kind": kind}
        yield plain | {"kind": kind, "team": "A", "again": True}
        yield plain | {"kind": kind, "team": "B", "certain": False}
    for cause in telling.CAUSES:
        for restart in ("start-1", "checkpoint-1", "checkpoint-9", "checkpoint-12", None):
            yield plain | {"kind": "accident", "cause": cause, "restart_element": restart}
    for number in range(1, 8):
        yield plain | {"kind": "donut", "number": number, "of": 3 if number < 4 else 6}


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_call_has_its_clips_in_both_languages(app: Flask, code: str) -> None:
    table = clip_table(code)
    with app.test_request_context(headers={"Accept-Language": code}):
        for call in every_call():
            assert set(telling.clips(call, with_team=True)) <= table.keys()
            assert after.event_words(call)
    assert {call["kind"] for call in every_call()} == telling.ALOUD.keys()


def test_what_was_taken_back_is_not_said_once_more_and_not_counted() -> None:
    made = {"kind": "accident", "team": "B", "again": False, "certain": True, "cause": "jump",
            "restart_element": "start-1"}  # fmt: skip
    back = made | {"again": True, "certain": False}
    assert telling.clips(back, with_team=True) == ["team-b", "no-accident"]
    assert telling.count_of([made], "accident") == 1
    assert telling.count_of([made, back], "accident") == 0


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_clips_speak_the_words_of_the_catalogue(code: str) -> None:
    words = language.catalogue(code)
    spoken = {name: re.sub(r"\s", " ", row["text"]) for name, row in clip_table(code).items()}
    wanted = {key.removeprefix("live.clip."): re.sub(r"\s", " ", text) for key, text in words.items()
              if key.startswith("live.clip.")}  # fmt: skip
    assert spoken == wanted, "speak them anew: python -m tests.service.write_clips"


def test_the_clips_are_small() -> None:
    assert sum(path.stat().st_size for path in CLIPS.iterdir()) < MOST_BYTES


def test_a_brush_is_shown_and_not_said() -> None:
    call = next(call for call in every_call() if call["kind"] == "brush")
    assert telling.clips(call, with_team=True) == []
    assert telling.ALOUD["brush"].sound == ""


def test_in_a_pipe_only_accidents_and_its_own_ends_are_said() -> None:
    said = {kind for kind, aloud in telling.ALOUD.items() if aloud.in_pipe}
    assert said == {"accident", "false-start", "finish", "pipe-enter", "pipe-exit"}


def test_the_history_knows_a_race_that_was_watched(client: Visitor, live: Flask) -> None:
    id = begins(client)["id"]
    told = races(client, id)
    entries = client.get("/api/history").json["entries"]  # type: ignore[index]
    assert [one["id"] for one in entries if one["kind"] == "live"] == [told["race"]]
    assert house(live).store is not None


def test_a_frame_of_one_line_of_pixels_is_no_picture() -> None:
    held = BytesIO()
    Image.new("RGB", (1, 60_000)).save(held, "JPEG")
    assert decoded(held.getvalue()) is None


def test_boards_of_ones_own_are_known_to_the_eye(tmp_path: Path) -> None:
    svg = (STAGES / "stage-07.svg").read_text(encoding="utf-8").replace('data-stage="7"', 'data-stage="155"')
    (tmp_path / "mine.svg").write_text(svg, encoding="utf-8")
    assert makes(SCRIPTED, [tmp_path])(155).look(np.zeros((72, 128, 3), np.uint8), 0.0).boards
