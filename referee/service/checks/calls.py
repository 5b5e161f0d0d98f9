"""The calls of `checks` for programs; the page's own scripts use the same."""

from __future__ import annotations

import secrets
from typing import Any

from flask import Response, jsonify, request, url_for

from referee.model import Json
from referee.service.app import MEGA, the
from referee.service.checks import api, shelf
from referee.service.checks.shelf import Board, Check
from referee.service.faults import Refused
from referee.service.openapi import described

_WORD: Json = {"type": "string"}
_STAGE: Json = {"type": ["integer", "null"]}
BOARD: Json = {
    "type": "object",
    "required": ["number", "stage", "copy", "verdict", "finished", "accidents", "line", "report"],
    "properties": {
        "number": {"type": "integer"},
        "stage": _STAGE,
        "copy": {"type": ["string", "null"]},
        "verdict": {"enum": ["fair", "ignored-accident", "unfinished", "review", "error"]},
        "finished": {"type": "boolean"},
        "accidents": {"type": "integer"},
        "line": _WORD,
        "report": {"type": "string", "description": "The address of the report, format 1."},
    },
}
CHECK: Json = {
    "type": "object",
    "required": ["id", "name", "created_at", "state", "progress", "step", "said_stage", "page", "boards", "error"],
    "properties": {
        "id": _WORD,
        "name": _WORD,
        "created_at": {"type": "number"},
        "state": {"enum": ["waiting", "running", "judged", "failed"]},
        "progress": {"type": "number", "minimum": 0, "maximum": 1},
        "step": {"type": ["string", "null"]},
        "said_stage": _STAGE,
        "page": _WORD,
        "boards": {"type": "array", "items": BOARD},
        "error": {"type": ["object", "null"]},
    },
}
PHOTO: Json = {
    "type": "object",
    "required": ["picture"],
    "properties": {
        "picture": {"type": "string", "format": "binary"},
        "stage": {"type": "integer", "description": "The stage in it, where its markers shall not say."},
        "batch": {"type": "string", "description": "A word of your own that keeps some photos together."},
    },
}
STAGE_SAID: Json = {"type": "object", "required": ["stage"], "properties": {"stage": _STAGE}}


@api.get("")
@described(
    "The latest checks, the newest first.",
    {200: {"type": "object", "required": ["checks"], "properties": {"checks": {"type": "array", "items": CHECK}}}},
    query={"before": {"type": "number"}, "most": {"type": "integer", "minimum": 1, "maximum": 200}},
)
def all_checks() -> Response:
    """The latest checks."""
    before = request.args.get("before", type=float)
    most = min(max(request.args.get("most", 100, type=int), 1), 200)
    return jsonify(checks=[told(check) for check in shelf.latest(the().store, most, before)])


@api.post("")
@described("Hand in a photo to be judged.", {201: CHECK}, body=PHOTO, media="multipart/form-data")
def hand_in() -> tuple[Response, int]:
    """Take a photo in."""
    picture = request.files.get("picture")
    if picture is None:
        raise Refused(400, "no-picture-sent")
    number = take_in(picture, stage=said_stage(request.form.get("stage")), batch=request.form.get("batch", ""))
    return jsonify(told(known(number))), 201


@api.get("/<number>")
@described("One check: how far it is, its verdicts.", {200: CHECK})
def one_check(number: str) -> Response:
    """One check."""
    return jsonify(told(known(number)))


@api.patch("/<number>")
@described(
    "Say which stage is in a photo (null: its markers decide); it is judged anew.", {200: CHECK}, body=STAGE_SAID
)
def say_stage(number: str) -> Response:
    """Judge anew as another stage."""
    body = request.get_json(silent=True)
    if not isinstance(body, dict) or "stage" not in body:
        raise Refused(400, "bad-request")
    wanted = body["stage"]
    put_right(number, said_stage(None if wanted is None else str(wanted)))
    return jsonify(told(known(number)))


@api.delete("/<number>")
@described("Delete a check with its pictures.", {204: {}})
def delete_one(number: str) -> tuple[str, int]:
    """Delete one."""
    known(number)
    shelf.remove(the().store, [number])
    return "", 204


@api.delete("")
@described("Delete all checks with their pictures.", {204: {}})
def delete_all() -> tuple[str, int]:
    """Delete all."""
    shelf.remove_all(the().store)
    return "", 204


@api.get("/<number>/boards/<int:board>")
@described("The report of a board in a photo, format 1.", {200: {"type": "object", "required": ["format", "source"]}})
def report(number: str, board: int) -> Response:
    """A board's report."""
    return jsonify(board_of(known(number), board).report)


# ------------------------------------------------------------------------------------- shared with the pages for people


def known(number: str) -> Check:
    """A check that is there; refuses with 404."""
    check = shelf.found(the().store, number)
    if check is None:
        raise Refused(404, "no-such-check")
    return check


def board_of(check: Check, number: int) -> Board:
    """A board of a check; refuses with 404."""
    for board in check.boards:
        if board.number == number:
            return board
    raise Refused(404, "no-such-check")


def take_in(picture: Any, *, stage: int | None = None, batch: str = "", ring: bool = True) -> str:
    """Take an uploaded file in and ring; refuses what is empty of bytes or too large."""
    most = the().settings.picture_mb
    content = picture.stream.read(most * MEGA + 1)
    if len(content) > most * MEGA:
        raise Refused(413, "picture-too-large", most=most)
    number = shelf.add(the().store, content, picture.filename, stage=stage, batch=clean_batch(batch))
    if ring:
        the().bell.ring()
    return number


def clean_batch(word: str) -> str:
    """A word that keeps photos together: letters, digits, - and _ only."""
    return "".join(letter for letter in word if letter.isascii() and (letter.isalnum() or letter in "-_"))[:32]


def new_batch() -> str:
    """A word for photos that come together."""
    return secrets.token_urlsafe(9)


def said_stage(word: str | None) -> int | None:
    """The stage that somebody says, None for "the markers decide"; refuses one that nobody knows."""
    if word is None or not word.strip():
        return None
    from referee.service.stages import names

    if not word.isdecimal() or int(word) not in names(the().settings):
        raise Refused(400, "unknown-stage", stage=word[:20])
    return int(word)


def put_right(number: str, stage: int | None) -> None:
    """Have a photo judged as one of another stage; refuses where the photo is gone."""
    known(number)
    if not shelf.judge_again(the().store, number, stage=stage):
        raise Refused(409, "picture-gone")
    the().bell.ring()


def told(check: Check) -> Json:
    """A check as the API tells it."""
    return {
        "id": check.id,
        "name": check.name,
        "created_at": check.created_at,
        "state": check.state,
        "progress": check.progress,
        "step": check.step,
        "said_stage": check.said_stage,
        "page": url_for("checks.one", number=check.id),
        "boards": [_told_board(check, board) for board in check.boards],
        "error": check.error,
    }


def _told_board(check: Check, board: Board) -> Json:
    from referee.service.language import chosen

    return {
        "number": board.number,
        "stage": board.stage,
        "copy": board.copy,
        "verdict": board.verdict,
        "finished": board.finished,
        "accidents": board.accidents,
        "line": board.words[chosen()]["line"],
        "report": url_for("checks_api.report", number=check.id, board=board.number),
    }
