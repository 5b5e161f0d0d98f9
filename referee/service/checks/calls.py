"""The calls of `checks` for programs; the page's own scripts use the same."""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from typing import Any

from flask import Response, jsonify, request, url_for
from sqlalchemy import Connection

from referee.model import Json
from referee.service.app import the
from referee.service.asked import fields, json_body, query, refuse_too_large
from referee.service.checks import api, deciding, shelf
from referee.service.checks.shelf import Board, Check
from referee.service.faults import Refused
from referee.service.language import chosen
from referee.service.openapi import described
from referee.service.stages import names

MOST, USUAL = 200, 100
_WORD: Json = {"type": "string"}
_SEEN: Json = {
    "type": ["integer", "null"],
    "description": "The judging that you saw: refused if there was another one since.",
}
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
    "required": [
        "id",
        "number",
        "name",
        "created_at",
        "state",
        "progress",
        "step",
        "said_stage",
        "page",
        "boards",
        "error",
    ],
    "properties": {
        "id": _WORD,
        "number": {"type": "integer", "description": "Counts checks, runs and races as they came."},
        "name": _WORD,
        "created_at": {"type": "number"},
        "state": {"enum": ["waiting", "running", "judged", "failed"]},
        "progress": {"type": "number", "minimum": 0, "maximum": 1},
        "step": {"type": ["string", "null"]},
        "judged_at": {"type": ["number", "null"]},
        "judging": {"type": ["integer", "null"], "description": "Its latest judging; changes with every change."},
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
        "batch": {
            "type": "string",
            "pattern": "^[A-Za-z0-9_-]{0,32}$",
            "description": "A word of your own that keeps some photos together.",
        },
    },
}
DECISION: Json = {
    "type": "object",
    "required": ["id", "board", "question", "ask", "answer", "who", "why", "decided_at", "taken_back_at"],
    "properties": {
        "id": {"type": "integer"},
        "board": {"type": "integer"},
        "question": {"type": "object"},
        "ask": _WORD,
        "answer": {"enum": ["yes", "no"]},
        "who": _WORD,
        "why": _WORD,
        "decided_at": {"type": "number"},
        "taken_back_at": {"type": ["number", "null"]},
    },
}
CHECK["properties"]["decisions"] = {"type": "array", "items": DECISION}
SAID_TO: Json = {
    "type": "object",
    "required": ["question", "answer", "who", "why"],
    "properties": {
        "question": {
            "type": "object",
            "required": ["rule", "kind", "element", "at_mm"],
            "properties": {
                "rule": _WORD,
                "kind": _WORD,
                "element": {"type": ["string", "null"]},
                "at_mm": {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2},
                "stroke": {"type": ["integer", "null"]},
            },
        },
        "answer": {"enum": ["yes", "no"]},
        "who": {"type": "string", "minLength": 1, "maxLength": deciding.LONGEST_WHO},
        "why": {"type": "string", "minLength": 1, "maxLength": deciding.LONGEST_WHY},
        "judging": _SEEN,
    },
}
SAID: Json = {"type": "object", "required": ["stage"], "properties": {"stage": _STAGE, "judging": _SEEN}}


@api.get("")
@described(
    "The latest checks, the newest first.",
    {200: {"type": "object", "required": ["checks"], "properties": {"checks": {"type": "array", "items": CHECK}}}},
    query={
        "before": {"type": "integer", "description": "Only those whose number is smaller: the next page."},
        "most": {"type": "integer", "minimum": 1, "maximum": MOST},
    },
)
def all_checks() -> Response:
    """The latest checks."""
    asked = query()
    found = shelf.latest(the().store, asked.get("most", USUAL), asked.get("before"))
    return jsonify(checks=[told(check) for check in found])


@api.post("")
@described("Hand in a photo to be judged.", {201: CHECK}, body=PHOTO, media="multipart/form-data")
def hand_in() -> tuple[Response, int]:
    """Take a photo in."""
    picture = request.files.get("picture")
    if picture is None:
        raise Refused(400, "no-picture-sent")
    said = fields()
    number = take_in(picture, stage=known_stage(said.get("stage")), batch=said.get("batch", ""))
    return jsonify(told(known(number))), 201


@api.get("/<number>")
@described("One check: how far it is, its verdicts, and what people decided.", {200: CHECK})
def one_check(number: str) -> Response:
    """One check."""
    return jsonify(told(known(number)) | {"decisions": _told_decisions(number)})


@api.patch("/<number>")
@described("Say which stage is in a photo (null: its markers decide); it is judged anew.", {200: CHECK}, body=SAID)
def say_stage(number: str) -> Response:
    """Judge anew as another stage."""
    body = json_body()
    put_right(unchanged(known(number), body.get("judging")), known_stage(body["stage"]))
    return jsonify(told(known(number)))


@api.delete("/<number>")
@described("Delete a check with its pictures.", {204: {}})
def delete_one(number: str) -> tuple[str, int]:
    """Delete one."""
    known(number)
    shelf.remove(the().store, [number])
    return "", 204


@api.delete("")
@described(
    "Delete all checks of Check photos with their pictures. The photos of challenges and races go with these: delete "
    "them, or everything, by the calls of the history.",
    {204: {}},
)
def delete_all() -> tuple[str, int]:
    """Delete all."""
    shelf.remove_all(the().store)
    return "", 204


@api.get("/<number>/boards/<int:board>")
@described("The report of a board in a photo, format 1.", {200: {"type": "object", "required": ["format", "source"]}})
def report(number: str, board: int) -> Response:
    """A board's report."""
    return jsonify(board_of(known(number), board).report)


@api.post("/<number>/boards/<int:board>/decisions")
@described(
    "Answer a question of the referee's, asked or not (its report names them); the photo is judged anew with it.",
    {201: CHECK},
    body=SAID_TO,
)
def decide(number: str, board: int) -> tuple[Response, int]:
    """Decide."""
    body = json_body()
    check = unchanged(known(number), body.get("judging"))
    found = board_of(check, board)
    about, answer, who, why = (body[part] for part in ("question", "answer", "who", "why"))
    write_down(check, found, deciding.named(found, about), answer, who, why)
    return jsonify(told(known(number))), 201


@api.delete("/<number>/decisions/<int:decision>")
@described("Take a decision back; the photo is judged anew without it.", {200: CHECK})
def take_back(number: str, decision: int) -> Response:
    """Take a decision back."""
    undo(known(number), decision)
    return jsonify(told(known(number)))


# ------------------------------------------------------------------------------------- shared with the pages for people


def write_down(check: Check, board: Board, question: deciding.Question | None, answer: str, who: str, why: str) -> None:
    """Write a decision down; refuses what is no question, no answer, or not signed."""
    if check.state != "judged":  # somebody has decided, and the questions may be others
        raise Refused(409, "conflict")
    if question is None:
        raise Refused(409, "no-such-question")
    if answer not in deciding.ANSWERS:
        raise Refused(400, "no-answer")
    signed, reason = deciding.cleaned(who), deciding.cleaned(why)
    if not signed or not reason:
        raise Refused(400, "not-signed")
    if len(signed) > deciding.LONGEST_WHO or len(reason) > deciding.LONGEST_WHY:
        raise Refused(400, "too-long", who=deciding.LONGEST_WHO, why=deciding.LONGEST_WHY)
    if deciding.decide(the().store, check, board, question, answer, signed, reason) is None:
        raise Refused(409, "picture-gone")
    the().bell.ring()


def undo(check: Check, decision: int) -> None:
    """Take a decision back; refuses where there is none that holds."""
    if not deciding.take_back(the().store, check, decision):
        raise Refused(409, "picture-gone" if check.picture is None else "no-such-decision")
    the().bell.ring()


def known(number: str) -> Check:
    """A check that is there; refuses with 404."""
    check = shelf.found(the().store, number)
    if check is None:
        raise Refused(404, "no-such-check")
    return check


def unchanged(check: Check, judging: object) -> Check:
    """The check, if its judging is still the one that somebody saw; ``None`` is somebody who does not say."""
    if judging is not None and judging != check.job:
        raise Refused(409, "conflict")
    return check


def board_of(check: Check, number: int) -> Board:
    """A board of a check; refuses with 404."""
    for board in check.boards:
        if board.number == number:
            return board
    raise Refused(404, "no-such-check")


def take_in(picture: Any, *, stage: int | None = None, batch: str = "", ring: bool = True) -> str:
    """Take an uploaded file in and ring; refuses what is empty of bytes or too large."""
    refuse_too_large(picture)
    number = shelf.add(the().store, picture.stream.read(), picture.filename, stage=stage, batch=batch)
    if ring:
        the().bell.ring()
    return number


def take_in_all(pictures: Sequence[Any]) -> list[str]:
    """Take uploaded files in that came together: all of them, or none where one of them is refused."""
    for picture in pictures:
        refuse_too_large(picture)
    batch, numbers = new_batch(), []
    try:
        for picture in pictures:
            numbers.append(take_in(picture, batch=batch, ring=False))
    except BaseException:
        shelf.remove(the().store, numbers)
        raise
    the().bell.ring(len(numbers))
    return numbers


def new_batch() -> str:
    """A word for photos that come together."""
    return secrets.token_urlsafe(9)


def said_stage(word: str | None) -> int | None:
    """The stage that a form says, None for "the markers decide"; refuses one that nobody knows."""
    if word is None or not word.strip():
        return None
    if not re.fullmatch(r"[0-9]{1,6}", word.strip()):
        raise Refused(400, "unknown-stage", stage=word[:20])
    return known_stage(int(word))


def known_stage(number: int | None) -> int | None:
    """A stage that is at hand, or None; refuses any other."""
    if number is not None and number not in names(the().settings):
        raise Refused(400, "unknown-stage", stage=str(number)[:20])
    return number


def put_right(check: Check, stage: int | None) -> None:
    """Have a photo judged as one of another stage; refuses where the photo is gone."""

    def beside(connection: Connection) -> bool:
        deciding.take_all_back(connection, check.id)
        return True

    if shelf.judge_again(the().store, check, beside=beside, said_stage=stage) is None:
        raise Refused(409, "picture-gone")
    the().bell.ring()


def told(check: Check) -> Json:
    """A check as the API tells it."""
    return {
        "id": check.id,
        "number": check.number,
        "name": check.name,
        "created_at": check.created_at,
        "state": check.state,
        "progress": check.progress,
        "step": check.step,
        "judged_at": check.judged_at,
        "judging": check.job,
        "said_stage": check.said_stage,
        "page": url_for("checks.one", number=check.id),
        "boards": [_told_board(check, board) for board in check.boards],
        "error": check.error,
    }


def _told_decisions(number: str) -> list[Json]:
    return [
        {
            "id": one.id,
            "board": one.board,
            "question": one.about,
            "ask": one.ask[chosen()],
            "answer": one.answer,
            "who": one.who,
            "why": one.why,
            "decided_at": one.decided_at,
            "taken_back_at": one.taken_back_at,
        }
        for one in deciding.of_check(the().store, number)
    ]


def _told_board(check: Check, board: Board) -> Json:
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
