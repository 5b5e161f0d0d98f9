"""Photos go in, verdicts come out: rows, pages, tables, files to take home, a stage put right, everything deleted."""

import csv
import errno
import io
import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask

from referee.service.checks import shelf
from tests.service.conftest import JUDGED, SAMPLES, Visitor, house
from tests.service.what_was import many_photos

Work = Callable[[], int]
Judged = tuple[Visitor, dict[str, str]]
PHOTO = (SAMPLES / "webcam-park.jpg").read_bytes()


def hand_in(client: Visitor, name: str, called: str = "", **fields: object) -> str:
    """Hand a sample in, perhaps under another name; the check's id."""
    answer = client.call("POST", "/api/checks", picture=((SAMPLES / name).read_bytes(), called or name), **fields)
    assert answer.status_code == 201, answer.text
    return str(answer.json["id"])  # type: ignore[index]


def told(client: Visitor, number: str) -> dict[str, Any]:
    answer: dict[str, Any] = client.get(f"/api/checks/{number}").get_json()
    return answer


def files(app: Flask) -> list[str]:
    root = house(app).settings.data / "pictures"
    return sorted(path.relative_to(root).parts[0] for path in root.rglob("*") if path.is_file())


def test_a_photo_is_judged_and_keeps_its_address(client: Visitor, work: Work) -> None:
    number = hand_in(client, "webcam-park.jpg")
    assert told(client, number)["state"] == "waiting"
    assert work() == 1
    check = told(client, number)
    assert (check["state"], [board["verdict"] for board in check["boards"]]) == ("judged", ["fair"])
    assert "FAIR" in client.get(check["page"]).text


def test_many_photos_are_handed_in_by_one_form(client: Visitor, app: Flask) -> None:
    photos = [(PHOTO, f"{n}.jpg") for n in range(3)]
    assert client.send("/checks/", picture=photos).headers["Location"] == "/checks/"
    assert [check.name for check in shelf.as_handed_in(shelf.latest(house(app).store))] == ["0.jpg", "1.jpg", "2.jpg"]
    one = client.send("/checks/", picture=(PHOTO, "3.jpg")).headers["Location"]
    assert re.fullmatch(r"/checks/[\w-]{16}", one)
    assert client.send("/checks/", picture=(b"", "")).status_code == 400


def test_a_form_of_which_one_picture_is_too_large_is_not_half_done(client: Visitor, app: Flask) -> None:
    huge = (bytes(house(app).settings.picture_mb * 1_000_000 + 1), "huge.jpg")
    answer = client.send("/checks/", picture=[(PHOTO, "one.jpg"), (PHOTO, "two.jpg"), huge])
    assert answer.status_code == 413
    assert shelf.count(house(app).store) == 0
    assert files(app) == []


def test_a_form_that_finds_no_room_half_way_is_not_half_done(
    client: Visitor, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    add, room = shelf.add, iter(range(2))

    def until_full(*told: Any, **more: Any) -> str:
        if next(room, None) is None:
            raise OSError(errno.ENOSPC, "No space left on device")
        return add(*told, **more)

    monkeypatch.setattr(shelf, "add", until_full)
    answer = client.send("/checks/", picture=[(PHOTO, f"{n}.jpg") for n in range(3)])
    assert answer.status_code == 507
    assert shelf.count(house(app).store) == 0
    assert files(app) == []


def test_those_that_came_together_stay_together_the_latest_first(app: Flask) -> None:
    store = house(app).store
    for name, batch in (("a1", "a"), ("single", ""), ("b1", "b"), ("a2", "a"), ("b2", "b")):
        shelf.add(store, PHOTO, name, batch=batch)
    shown = shelf.as_handed_in(shelf.latest(store))
    assert [check.name for check in shown] == ["b1", "b2", "a1", "a2", "single"]
    assert [check.ahead for check in shown] == [2, 4, 0, 3, 1]


def test_the_samples_are_ready_to_try(client: Visitor, app: Flask) -> None:
    assert client.send("/checks/samples").status_code == 303
    assert shelf.count(house(app).store) == len(list(SAMPLES.glob("*.jpg")))


def test_two_boards_in_a_picture_are_two_results(judged: Judged) -> None:
    client, numbers = judged
    boards = told(client, numbers["two-boards-park.jpg"])["boards"]
    assert [(board["number"], board["copy"]) for board in boards] == [(1, "B"), (2, "A")]
    page = client.get(f"/checks/{numbers['two-boards-park.jpg']}").text
    assert page.count('<section class="sheet') == 2


def test_the_page_to_take_home_asks_nothing_of_anybody(judged: Judged) -> None:
    client, numbers = judged
    answer = client.get(f"/checks/{numbers['too-close-park.jpg']}/page.html")
    assert "attachment" in answer.headers["Content-Disposition"]
    assert answer.text.count("data:image/jpeg;base64,") > 3
    assert "drawn/" not in answer.text
    assert "<!--decide" not in answer.text
    french = client.get(f"/checks/{numbers['too-close-park.jpg']}/page.html", headers={"Accept-Language": "fr"})
    assert '<html lang="fr">' in french.text


def test_every_picture_of_a_verdict_page_is_there(judged: Judged) -> None:
    client, numbers = judged
    page = client.get(f"/checks/{numbers['too-close-park.jpg']}").text
    pictures = set(re.findall(r'(?:src|href)="(/checks/[^"]+/drawn/[^"]+)"', page))
    assert len(pictures) > 3
    for address in pictures:
        answer = client.get(address.replace("&amp;", "&"))
        assert (answer.status_code, answer.mimetype) == (200, "image/jpeg")


def test_the_json_of_a_photo_is_the_reports_own(judged: Judged) -> None:
    client, numbers = judged
    one = json.loads(client.get(f"/checks/{numbers['too-close-park.jpg']}/report.json").text)
    assert (one["format"], one["source"], one["verdict"]) == (1, "too-close-park.jpg", "review")
    two = json.loads(client.get(f"/checks/{numbers['two-boards-park.jpg']}/report.json").text)
    assert [board["stage"]["copy"] for board in two] == ["B", "A"]


def test_the_table_has_a_row_for_each_board(judged: Judged) -> None:
    client, _ = judged
    text = client.get("/checks/table.csv").data.decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert len(rows) == len(JUDGED) + 1
    assert {row["Photo"]: row["Verdict"] for row in rows if row["Copy"] != "A"} == {
        "dark-park.jpg": "Not judged",
        "two-boards-park.jpg": "Not fair",
    }
    french = client.get("/checks/table.csv", headers={"Accept-Language": "fr"}).data.decode("utf-8-sig")
    assert french.splitlines()[0].startswith("Photo,Circuit,Exemplaire")


def test_a_stage_that_was_recognised_wrongly_is_put_right_with_one_choice(client: Visitor, work: Work) -> None:
    number = hand_in(client, "webcam-park.jpg", stage="5")
    work()
    [board] = told(client, number)["boards"]
    assert board["verdict"] == "error"
    assert client.send(f"/checks/{number}/stage", stage="1").status_code == 303
    work()
    check = told(client, number)
    assert (check["said_stage"], [board["verdict"] for board in check["boards"]]) == (1, ["fair"])
    assert client.call("PATCH", f"/api/checks/{number}", json={"stage": None}).status_code == 200
    assert told(client, number)["said_stage"] is None


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ("99", "unknown-stage"),
        ("-1", "unknown-stage"),
        ("one", "bad-request"),
        ("1; DROP TABLE job", "bad-request"),
        ("٣", "bad-request"),
    ],
)
def test_a_stage_that_nobody_knows_is_refused(client: Visitor, app: Flask, said: str, code: str) -> None:
    answer = client.call("POST", "/api/checks", picture=(PHOTO, "a.jpg"), stage=said)
    assert answer.status_code == 400
    assert answer.json["error"]["code"] == code  # type: ignore[index]
    assert client.send("/checks/nobody/stage", stage=said).status_code in (400, 404)
    assert shelf.count(house(app).store) == 0


@pytest.mark.parametrize("body", [None, [], {}, {"stage": "x"}, {"stage": 1.5}, {"stage": {}}])
def test_a_call_that_makes_no_sense_is_refused(client: Visitor, body: object) -> None:
    number = hand_in(client, "webcam-park.jpg")
    assert client.call("PATCH", f"/api/checks/{number}", json=body).status_code == 400
    assert client.call("POST", "/api/checks", picture="no file").status_code == 400


def test_a_verdict_that_came_too_late_is_not_taken(client: Visitor, app: Flask, work: Work) -> None:
    """While a photo is being judged, somebody says another stage: what counts is what was said last."""
    number = hand_in(client, "dark-park.jpg")
    store = house(app).store
    from referee.service.checks.judging import judge_photo
    from referee.service.jobs.kinds import Work as Doing

    job = store.jobs.claim("slow")
    assert job is not None
    late = judge_photo(Doing(store, house(app).settings, job, store.jobs), job.payload)
    assert client.send(f"/checks/{number}/stage", stage="5").status_code == 303
    assert store.jobs.finish(job, late)
    assert told(client, number)["state"] == "waiting"
    work()
    assert told(client, number)["state"] == "judged"


# ------------------------------------------------------------------------------------------------------------ deleting


def test_a_deleted_check_leaves_nothing_behind(client: Visitor, app: Flask, work: Work) -> None:
    number, other = hand_in(client, "webcam-park.jpg"), hand_in(client, "dark-park.jpg")
    work()
    assert set(files(app)) == {"photos", "drawings"}
    assert client.call("DELETE", f"/api/checks/{number}").status_code == 204
    assert client.get(f"/checks/{number}").status_code == 404
    assert client.get(f"/checks/{other}").status_code == 200
    assert client.send(f"/checks/{other}/delete").status_code == 303
    assert files(app) == []
    assert client.call("DELETE", f"/api/checks/{number}").status_code == 404


def test_all_are_deleted_but_those_of_challenges_and_races(client: Visitor, app: Flask) -> None:
    store = house(app).store
    hand_in(client, "webcam-park.jpg")
    kept = shelf.add(store, PHOTO, "race.jpg", purpose="race:1")
    assert "2" not in client.get("/checks/delete-all").text.partition("<main")[2].partition("</p>")[0]
    assert client.send("/checks/delete-all").status_code == 303
    assert shelf.count(store) == 0
    assert shelf.found(store, kept) is not None
    hand_in(client, "webcam-park.jpg")
    assert client.call("DELETE", "/api/checks").status_code == 204
    assert files(app) == ["photos"]


def test_a_check_that_is_deleted_while_it_is_judged_stays_deleted(client: Visitor, app: Flask, work: Work) -> None:
    number = hand_in(client, "dark-park.jpg")
    assert client.call("DELETE", f"/api/checks/{number}").status_code == 204
    assert work() == 1
    assert client.get(f"/checks/{number}").status_code == 404
    assert files(app) == []


def test_nothing_is_deleted_at_one_press(client: Visitor, app: Flask, work: Work) -> None:
    number = hand_in(client, "webcam-park.jpg")
    assert work() == 1
    for page in ("/checks/", f"/checks/{number}"):
        text = client.get(page).text
        assert f'href="/checks/{number}/delete"' in text
        assert f'action="/checks/{number}/delete"' not in text
    question = client.get(f"/checks/{number}/delete").text
    assert "Delete this photo?" in question
    assert f'href="/checks/{number}"' in question  # the way back
    assert shelf.count(house(app).store) == 1
    assert client.send(f"/checks/{number}/delete").status_code == 303
    assert shelf.count(house(app).store) == 0


def test_the_file_for_a_spreadsheet_has_every_result_with_an_address_to_open(client: Visitor, app: Flask) -> None:
    many_photos(house(app).store, 1203)
    rows = list(csv.DictReader(io.StringIO(client.get("/checks/table.csv").data.decode("utf-8-sig"))))
    assert len(rows) == 1203
    assert {row["Address"] for row in rows} == {f"http://localhost/checks/c{n:07}" for n in range(1203)}
    assert "The latest 1000 of 1203" in client.get("/checks/table").text


def test_the_table_says_who_decided(client: Visitor, work: Work) -> None:
    number = hand_in(client, "too-close-park.jpg")
    work()
    report = client.get(f"/api/checks/{number}/boards/1").json or {}
    asked = next(one["question"] for one in report["reasons"] if one["question"])
    said: dict[str, Any] = {"question": {name: asked[name] for name in ("rule", "kind", "element", "at_mm", "stroke")}}
    said |= {"answer": "yes", "who": "Ada", "why": "=seen"}
    assert client.call("POST", f"/api/checks/{number}/boards/1/decisions", json=said).status_code == 201
    work()
    [row] = csv.DictReader(io.StringIO(client.get("/checks/table.csv").data.decode("utf-8-sig")))
    assert row["Decided by"] == "Ada"
    assert asked["ask"] in row["Decisions"]
    assert "=seen" in row["Decisions"]
    assert "Ada" in client.get("/checks/table").text
    decision = (client.get(f"/api/checks/{number}").json or {})["decisions"][0]["id"]
    assert client.call("DELETE", f"/api/checks/{number}/decisions/{decision}").status_code == 200
    [row] = csv.DictReader(io.StringIO(client.get("/checks/table.csv").data.decode("utf-8-sig")))
    assert (row["Decided by"], row["Decisions"]) == ("", "")


def test_the_name_of_a_stage_is_marked_as_english_on_a_french_page(judged: Judged) -> None:
    client, _ = judged
    french = {"Accept-Language": "fr"}
    page = client.client.get("/checks/rows", headers=french).text
    assert '<span lang="en">Picnic Run</span>' in page
    assert '<span lang="en">' not in client.get("/checks/rows").text
