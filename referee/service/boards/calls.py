"""The calls of `boards` for programs; the page's own scripts use the same."""

from __future__ import annotations

from typing import Any

from flask import Response, jsonify, request

from referee.driven import strokes_from
from referee.errors import BadStageFile
from referee.model import Json
from referee.service.app import the
from referee.service.asked import json_body, picture_bytes
from referee.service.boards import api, drafts, folder
from referee.service.boards.drafts import Draft
from referee.service.boards.telling import DRAFT, JUDGED, LOOK, judged, look_at, told_draft, told_judgement, told_look
from referee.service.faults import Refused
from referee.service.openapi import described
from referee.stage.tracing import size_from, told_of, tracing_from
from referee.stage.write import written

_PLACE: Json = {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2}
_VERSION: Json = {"type": "integer", "description": "The version that you saw: refused if there was another one since."}
PICTURE: Json = {
    "type": "object",
    "required": ["picture"],
    "properties": {"picture": {"type": "string", "format": "binary"}},
}
FAR_PX = 1e6
CORNERS: Json = {
    "type": "object",
    "required": ["version", "corners", "size_mm"],
    "properties": {
        "version": _VERSION,
        "corners": {
            "type": "array",
            "items": _PLACE,
            "minItems": 4,
            "maxItems": 4,
            "description": "In pixels of the picture: top left, top right, bottom right, bottom left.",
        },
        "size_mm": _PLACE,
    },
}
TRACED: Json = {
    "type": "object",
    "required": ["version", "tracing"],
    "properties": {
        "version": _VERSION,
        "tracing": {
            "type": "object",
            "description": "name, number, theme, set_name, size_mm, and elements: each with kind, points (mm), closed, "
            "key (a jump's and landing's pattern, a boost's pair), width_mm.",
        },
        "settled": {
            "type": "array",
            "description": "The numbers of suggestions taken or put aside; what is none is left out.",
        },
        "kept_by": {
            "type": "object",
            "required": ["page", "turn"],
            "properties": {"page": {"type": "string", "maxLength": 40}, "turn": {"type": "integer"}},
            "description": "Who keeps it, and how often that page has: its own earlier version is no conflict.",
        },
    },
}
DRIVEN: Json = {
    "type": "object",
    "required": ["strokes"],
    "properties": {
        "strokes": {"type": "array", "items": {"type": "array", "items": _PLACE}, "description": "In millimetres."}
    },
}
VERSION: Json = {"type": "object", "required": ["version"], "properties": {"version": _VERSION}}
SAVED: Json = {
    "type": "object",
    "required": ["version", "number", "name"],
    "properties": {"version": {"type": "integer"}, "number": {"type": "integer"}, "name": {"type": "string"}},
}


def known(number: str) -> Draft:
    """A draft; refuses one that is not there."""
    draft = drafts.found(the().store, number) if len(number) <= 32 else None
    if draft is None:
        raise Refused(404, "no-such-draft")
    return draft


@api.post("")
@described("Hand in a picture of a clean board, to be traced.", {201: DRAFT}, body=PICTURE, media="multipart/form-data")
def hand_in() -> tuple[Response, int]:
    """Take the picture of a clean board in."""
    picture = request.files.get("picture")
    return jsonify(told_draft(known(take_in(picture)))), 201


def take_in(picture: Any) -> str:
    """Take a picture in and ring for the worker; returns the draft's id."""
    number = drafts.add(the().store, picture_bytes(picture), picture.filename)
    the().bell.ring()
    return number


@api.get("/<number>")
@described("A board that is being traced.", {200: DRAFT})
def one_draft(number: str) -> Response:
    """One draft."""
    draft = known(number)
    if draft.step in ("finding", "laying") and drafts.is_failed(the().store, draft):
        raise Refused(500, "fault")
    return jsonify(told_draft(draft))


@api.put("/<number>/corners")
@described("Say where the board's corners are and how large it is; it is laid flat.", {200: DRAFT}, body=CORNERS)
def say_corners(number: str) -> Response:
    """Have a board laid flat."""
    body = json_body()
    draft = _at(known(number), body)
    if draft.picture is None or draft.step not in ("corners", "tracing"):
        raise Refused(409, "conflict")
    seen = {
        **draft.seen,
        "kept_by": None,
        "corners": _corners(body.get("corners"), draft),
        "size_mm": list(size_from(body.get("size_mm"))),
    }
    drafts.lay_flat(the().store, draft, seen)
    the().bell.ring()
    return jsonify(told_draft(known(number)))


@api.put("/<number>/tracing")
@described("Keep what was traced so far, and hear what is missing.", {200: LOOK}, body=TRACED)
def keep_tracing(number: str) -> Response:
    """Keep a tracing."""
    body = json_body()
    draft, by = known(number), _kept_by(body)
    if not _is_later(by, draft):
        _at(draft, body)
    if draft.step != "tracing":
        raise Refused(409, "conflict")
    tracing = tracing_from(body.get("tracing"))
    if [round(side, 3) for side in tracing.size_mm] != [round(side, 3) for side in draft.tracing["size_mm"]]:
        raise Refused(409, "draft-changed")
    told = {**told_of(tracing), "settled": _settled(body.get("settled"), draft)}
    seen = {**draft.seen, "kept_by": by}
    version = drafts.change(the().store, draft, tracing=told, name=tracing.name or draft.name, seen=seen)
    return jsonify(told_look(look_at(told_of(tracing)), version))


@api.get("/<number>/look")
@described("What is missing from a board that is being traced.", {200: LOOK})
def look(number: str) -> Response:
    """What a draft lacks."""
    draft = known(number)
    if draft.step != "tracing":
        raise Refused(409, "conflict")
    return jsonify(told_look(look_at(told_of(tracing_from(draft.tracing))), draft.version))


@api.post("/<number>/drive")
@described("Judge a drive on the board as it is traced now.", {200: JUDGED}, body=DRIVEN)
def drive(number: str) -> Response:
    """Judge a test drive."""
    draft, strokes = known(number), strokes_from(json_body().get("strokes"))
    if draft.step != "tracing":
        raise Refused(409, "conflict")
    found = look_at(told_of(tracing_from(draft.tracing)))
    if found.stage is None:
        raise Refused(409, "board-not-whole")
    return jsonify(told_judgement(judged(found, strokes)))


@api.post("/<number>/save")
@described("Make a stage file of a draft, in the user's own folder.", {200: SAVED}, body=VERSION)
def save(number: str) -> Response:
    """Save a board as a stage file."""
    draft = _at(known(number), json_body())
    if draft.step != "tracing" or draft.flat is None:
        raise Refused(409, "conflict")
    tracing = tracing_from(draft.tracing)
    if look_at(told_of(tracing)).stage is None:
        raise Refused(409, "board-not-whole")
    svg = written(tracing, the().store.pictures.read(draft.flat))
    try:
        stage = folder.keep(the().settings, svg, may_replace=draft.saved)
    except BadStageFile:
        raise Refused(409, "board-not-whole") from None
    version = drafts.change(the().store, draft, saved=stage.number)
    return jsonify(version=version, number=stage.number, name=stage.name)


@api.delete("/<number>")
@described("Delete a draft and its pictures; a board that was saved stays.", {204: "nothing"})
def delete(number: str) -> tuple[str, int]:
    """Delete a draft."""
    drafts.remove(the().store, known(number).id)
    return "", 204


def _at(draft: Draft, body: Json) -> Draft:
    """The draft, if it is still the version that was seen."""
    if body.get("version") != draft.version:
        raise Refused(409, "draft-changed")
    return draft


def _kept_by(body: Json) -> Json | None:
    """Which page keeps a tracing, and how often it has; None if that is not said."""
    told = body.get("kept_by")
    page, turn = (told.get("page"), told.get("turn")) if isinstance(told, dict) else (None, None)
    return {"page": page, "turn": turn} if isinstance(page, str) and len(page) <= 40 and type(turn) is int else None


def _is_later(by: Json | None, draft: Draft) -> bool:
    """Whether a draft is as the same page left it an earlier time: loaded anew it may not have heard of that."""
    earlier = draft.seen.get("kept_by")
    return (
        by is not None and earlier is not None and (earlier["page"], earlier["turn"] < by["turn"]) == (by["page"], True)
    )


def _corners(told: object, draft: Draft) -> list[list[float]]:
    """Four corners in pixels, on the picture or a little beside it."""
    wide, high = draft.seen["size_wh"]
    places = told if isinstance(told, list) and len(told) == 4 else []
    corners = [[float(x), float(y)] for x, y in filter(_is_place, places)]
    within = all(-wide <= x <= 2 * wide and -high <= y <= 2 * high for x, y in corners)
    if len(corners) != 4 or not within:
        raise Refused(400, "bad-corners")
    return corners


def _is_place(told: object) -> bool:
    return (
        isinstance(told, list)
        and len(told) == 2
        and all(isinstance(at, int | float) and not isinstance(at, bool) and abs(at) < FAR_PX for at in told)
    )


def _settled(told: object, draft: Draft) -> list[int]:
    """Which suggestions were accepted or rejected, by their number."""
    numbers = told if isinstance(told, list) and len(told) <= len(draft.suggestions) else []
    return [one for one in numbers if isinstance(one, int) and 0 <= one < len(draft.suggestions)]
