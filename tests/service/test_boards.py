"""Your own boards without a browser: a picture becomes a draft, a draft a stage file; strangers' input is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
import pytest
from flask import Flask

from referee.service.boards import drafts, folder
from referee.service.stages import catalogue, names
from referee.stage.load import load_stage
from tests.service.conftest import Visitor, house
from tests.stage.boards import board
from tests.stage.test_tracing import WHOLE

Work = Callable[[], int]


def picture(width: int = 900, height: int = 600) -> bytes:
    """A pale board on a dark table."""
    photo = np.full((height, width, 3), 40, np.uint8)
    cv2.rectangle(photo, (100, 80), (width - 100, height - 80), (190, 220, 200), cv2.FILLED)
    for y in (240, 330):
        cv2.line(photo, (160, y), (740, y), (255, 255, 255), 7)
    return cv2.imencode(".png", photo)[1].tobytes()


def told(client: Visitor, number: str) -> dict[str, Any]:
    """A draft as the API tells it."""
    answer: dict[str, Any] = client.get(f"/api/boards/{number}").get_json()
    return answer


def handed_in(client: Visitor, content: bytes | None = None, name: str = "board.png") -> str:
    answer = client.call("POST", "/api/boards", picture=(content or picture(), name))
    assert answer.status_code == 201, answer.text
    return str(answer.get_json()["id"])


def laid_flat(client: Visitor, work: Work, size_mm: tuple[float, float] = (200, 100)) -> dict[str, Any]:
    """A draft that is ready to be traced."""
    number = handed_in(client)
    work()
    draft = told(client, number)
    said = {"version": draft["version"], "corners": draft["seen"]["corners"], "size_mm": size_mm}
    assert client.call("PUT", f"/api/boards/{number}/corners", said).status_code == 200
    work()
    found = told(client, number)
    assert found["step"] == "tracing", found
    return found


def traced(client: Visitor, draft: dict[str, Any], tracing: object = WHOLE) -> Any:
    body = {"version": draft["version"], "tracing": tracing, "settled": [0, 99]}
    return client.call("PUT", f"/api/boards/{draft['id']}/tracing", body)


@pytest.mark.parametrize(
    ("page", "turn", "status"),
    [("ours", 3, 200), ("ours", 2, 409), ("another", 3, 409), (7, 3, 400), ("ours", "3", 400)],
)
def test_a_page_that_was_loaded_anew_goes_on_from_what_it_sent_before(
    client: Visitor, work: Work, page: object, turn: object, status: int
) -> None:
    draft = laid_flat(client, work)

    def kept(by: object) -> Any:
        body = {"version": draft["version"], "tracing": WHOLE, "kept_by": by}
        return client.call("PUT", f"/api/boards/{draft['id']}/tracing", body)

    assert kept({"page": "ours", "turn": 2}).status_code == 200
    assert kept({"page": page, "turn": turn}).status_code == status


def saved(client: Visitor, draft: dict[str, Any], version: int) -> Any:
    return client.call("POST", f"/api/boards/{draft['id']}/save", {"version": version})


def test_a_board_is_handed_in_traced_driven_saved_and_deleted(client: Visitor, work: Work, app: Flask) -> None:
    draft = laid_flat(client, work)
    assert client.get(f"/boards/drafts/{draft['id']}").status_code == 200
    assert client.get(f"/boards/drafts/{draft['id']}/flat.jpg").mimetype == "image/jpeg"
    look = traced(client, draft).json
    assert look.get("ready") is True, look
    assert look["lacks"] == []
    driven = client.call("POST", f"/api/boards/{draft['id']}/drive", {"strokes": [[[22, 51], [180, 51]]]}).get_json()
    assert driven["verdict"] == "fair"
    assert [event["kind"] for event in driven["events"]] == ["start", "checkpoint", "finish"]
    answer = saved(client, draft, look["version"])
    assert answer.get_json()["number"] == 120
    settings = house(app).settings
    stage = load_stage(settings.own_folder / "stage-120.svg")
    assert stage.reference
    assert names(settings)[120] == "Straight on"
    assert catalogue(settings).find(120).name == "Straight on"
    assert "Straight on" in client.get("/boards/").text
    assert client.get("/boards/120/stage.svg").headers["Content-Disposition"].startswith("attachment")
    client.send("/boards/120/delete")
    assert 120 not in names(settings)


def test_a_saved_board_is_edited_again_even_if_its_draft_is_gone(client: Visitor, work: Work, app: Flask) -> None:
    draft = laid_flat(client, work)
    version = traced(client, draft).json["version"]
    saved(client, draft, version)
    assert str(client.send("/boards/120/edit").location).endswith(draft["id"])
    client.send(f"/boards/drafts/{draft['id']}/delete")
    again = str(client.send("/boards/120/edit").location)
    assert not again.endswith(draft["id"])
    made = drafts.found(house(app).store, again.rpartition("/")[2])
    assert made is not None
    assert [one["kind"] for one in made.tracing["elements"]].count("white-line") == 2
    assert client.get(again).status_code == 200


def test_a_board_goes_out_and_comes_in_again(client: Visitor, work: Work) -> None:
    draft = laid_flat(client, work)
    saved(client, draft, traced(client, draft).json["version"])
    content = client.get("/boards/120/stage.svg").data
    client.send("/boards/120/delete")
    assert client.send("/boards/import", file=(content, "../../evil.svg")).status_code == 303
    assert client.get("/boards/120/stage.svg").data == content
    assert client.send("/boards/import", file=(content, "again.svg")).status_code == 409


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"not an svg",
        b"<svg>",
        board(extra="<script>alert(1)</script>"),
        board(extra='<image data-kind="reference" href="../../../etc/passwd"/>'),
        board(extra='<image data-kind="reference" href="https://evil.example/x.png"/>'),
        b'<!DOCTYPE svg [<!ENTITY a "b">]>' + board(),
        board(drop=["course"]),
        board() + b" " * 11_000_000,
    ],
    ids=["empty", "text", "cut", "script", "path", "link", "entity", "no-course", "large"],
)
def test_a_hostile_stage_file_is_not_brought_in(client: Visitor, app: Flask, content: bytes) -> None:
    answer = client.send("/boards/import", file=(content, "board.svg"))
    assert 400 <= answer.status_code < 500
    assert folder.boards(house(app).settings) == []


def test_what_is_no_picture_is_refused_in_words(client: Visitor, work: Work) -> None:
    number = handed_in(client, b"this is no picture", "../../<b>.png")
    work()
    draft = told(client, number)
    assert draft["step"] == "failed"
    assert draft["error"]["message"]
    page = client.get(f"/boards/drafts/{number}").text
    assert draft["error"]["message"][:20] in page
    assert "/" not in draft["name"]


def test_of_two_who_change_a_board_at_once_the_second_is_told(client: Visitor, work: Work) -> None:
    draft = laid_flat(client, work)
    assert traced(client, draft).status_code == 200
    answer = traced(client, draft)
    assert answer.status_code == 409
    assert answer.get_json()["error"]["code"] == "draft-changed"
    assert saved(client, draft, draft["version"]).status_code == 409


def test_nobody_elses_draft_is_guessed_and_none_is_there_after_its_deletion(client: Visitor, work: Work) -> None:
    draft = laid_flat(client, work)
    for number in ("1", "x" * 500, "..%2F..%2Fetc", draft["id"][:-1]):
        assert client.get(f"/api/boards/{number}").status_code == 404
        assert client.get(f"/boards/drafts/{number}").status_code == 404
        assert client.get(f"/boards/drafts/{number}/flat.jpg").status_code == 404
    assert client.call("DELETE", f"/api/boards/{draft['id']}").status_code == 204
    assert client.get(f"/api/boards/{draft['id']}").status_code == 404
    assert traced(client, draft).status_code == 404


def test_a_deleted_draft_leaves_no_picture(client: Visitor, work: Work, app: Flask) -> None:
    draft = laid_flat(client, work)
    kept = drafts.found(house(app).store, draft["id"])
    assert kept is not None
    client.send(f"/boards/drafts/{draft['id']}/delete")
    assert not any(house(app).store.pictures.has(key) for key in (kept.picture, kept.shown, kept.flat) if key)


def test_a_form_without_its_token_changes_nothing(client: Visitor, work: Work) -> None:
    draft = laid_flat(client, work)
    assert client.client.post(f"/boards/drafts/{draft['id']}/delete").status_code == 403
    assert client.client.post(f"/api/boards/{draft['id']}/save", json={"version": 1}).status_code == 403
    assert client.get(f"/api/boards/{draft['id']}").status_code == 200


@pytest.mark.parametrize(
    "corners",
    [
        None,
        [],
        [[0, 0]] * 3,
        [[0, 0], [9, 0], [9, "x"], [0, 9]],
        [[0, 0], [1e9, 0], [9, 9], [0, 9]],
        [[0, 0], [9, 0], [9, 9], [True, 9]],
    ],
)
def test_corners_that_are_none_are_refused(client: Visitor, work: Work, corners: object) -> None:
    number = handed_in(client)
    work()
    version = told(client, number)["version"]
    said = {"version": version, "corners": corners, "size_mm": [200, 100]}
    assert client.call("PUT", f"/api/boards/{number}/corners", said).status_code == 400


def test_corners_on_one_line_come_back_with_a_word(client: Visitor, work: Work) -> None:
    number = handed_in(client)
    work()
    version = told(client, number)["version"]
    said = {"version": version, "corners": [[10, 10], [20, 20], [30, 30], [40, 40]], "size_mm": [200, 100]}
    assert client.call("PUT", f"/api/boards/{number}/corners", said).status_code == 200
    work()
    draft = told(client, number)
    assert draft["step"] == "corners"
    assert draft["error"]["message"]


def test_a_board_that_is_not_whole_is_neither_driven_nor_saved(client: Visitor, work: Work, app: Flask) -> None:
    draft = laid_flat(client, work)
    half = {**WHOLE, "elements": WHOLE["elements"][:3]}
    look = traced(client, draft, half).json
    assert look["ready"] is False
    drive = client.call("POST", f"/api/boards/{draft['id']}/drive", {"strokes": [[[1, 1], [50, 50]]]})
    assert (drive.status_code, drive.get_json()["error"]["code"]) == (409, "board-not-whole")
    assert saved(client, draft, look["version"]).status_code == 409
    assert folder.boards(house(app).settings) == []


@pytest.mark.parametrize("strokes", [None, [], [[[1, 2]]], [[["a", 2], [3, 4]]], [[[1, 2], [1e99, 4]]]])
def test_a_drive_that_is_none_is_refused(client: Visitor, work: Work, strokes: object) -> None:
    draft = laid_flat(client, work)
    traced(client, draft)
    assert client.call("POST", f"/api/boards/{draft['id']}/drive", {"strokes": strokes}).status_code == 400


def test_a_tracing_of_another_size_than_the_picture_is_refused(client: Visitor, work: Work) -> None:
    draft = laid_flat(client, work)
    assert traced(client, draft, {**WHOLE, "size_mm": [297, 210]}).status_code == 409


def test_a_number_that_another_own_board_has_is_refused(client: Visitor, work: Work) -> None:
    first, second = laid_flat(client, work), laid_flat(client, work)
    saved(client, first, traced(client, first).json["version"])
    answer = saved(client, second, traced(client, second).json["version"])
    assert answer.get_json()["error"]["code"] == "number-taken"


def test_a_board_that_changes_its_number_takes_its_file_along(client: Visitor, work: Work, app: Flask) -> None:
    draft = laid_flat(client, work)
    version = saved(client, draft, traced(client, draft).json["version"]).json["version"]
    other = traced(client, {**draft, "version": version}, {**WHOLE, "number": 7}).json
    assert saved(client, draft, other["version"]).json["number"] == 7
    assert [one.number for one in folder.boards(house(app).settings)] == [7]
    assert catalogue(house(app).settings).find(7).name == "Straight on"


def test_names_with_markup_are_shown_as_they_are(client: Visitor, work: Work) -> None:
    draft = laid_flat(client, work)
    look = traced(client, draft, {**WHOLE, "name": "<script>alert(1)</script>"}).json
    saved(client, draft, look["version"])
    for address in ("/boards/", f"/boards/drafts/{draft['id']}", "/boards/120/delete"):
        assert "<script>alert(1)" not in client.get(address).text
