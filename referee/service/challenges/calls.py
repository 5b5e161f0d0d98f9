"""The calls of `challenges` for programs; the page's own scripts use the same."""

from __future__ import annotations

from typing import Any

from flask import Response, jsonify, request

from referee.errors import Refused as NotAllowed
from referee.model import Json
from referee.race import turn
from referee.race.book import Book
from referee.race.challenge import EVENTS, ChangeStage, Choose, Event
from referee.race.stored import Misfit, from_json
from referee.rules.challenges import CHALLENGES, CONDITIONS, Challenge, stages_needed
from referee.service import instants, stages
from referee.service.app import the
from referee.service.asked import json_body, picture_bytes, query
from referee.service.challenges import api, photos, runs
from referee.service.challenges.runs import Kept
from referee.service.challenges.telling import RUN, SAID, Told, as_json, chosen, told
from referee.service.faults import Refused
from referee.service.openapi import described

MOST, USUAL = 100, 20
LONGEST_ID = 32

_WORD: Json = {"type": "string"}
_STAGES: Json = {"type": "array", "items": {"type": "integer"}}
CHALLENGE: Json = {
    "type": "object",
    "required": ["id", "name", "level", "count", "stages", "target_ms", "conditions", "won", "best_ms"],
    "properties": {
        "id": _WORD,
        "name": _WORD,
        "level": {"enum": [1, 2, 3]},
        "count": {"type": "integer", "description": "How many stages are driven."},
        "stages": {**_STAGES, "description": "Which, in their order; none where the team chooses."},
        "target_ms": {"type": "integer"},
        "conditions": {"type": "array", "items": {"enum": list(CONDITIONS)}},
        "won": {"type": "boolean"},
        "best_ms": {"type": ["integer", "null"]},
    },
}
CHOICE: Json = {
    "type": "object",
    "required": ["challenge", "team"],
    "additionalProperties": False,
    "properties": {
        "challenge": {"enum": list(CHALLENGES)},
        "team": {"type": "array", "items": _WORD, "minItems": 2, "maxItems": 3},
        "stages": {**_STAGES, "description": "In the order in which they are driven, where the team chooses."},
        "practice": {"type": "boolean"},
    },
}
HAPPENED: Json = {
    "type": "object",
    "required": ["event"],
    "description": "An event with all its fields: change-stage has stage, count-down driver (from 0), honest "
    "accidents, declare condition and kept.",
    "properties": {
        "event": {"enum": list(SAID)},
        "turn": {
            "type": ["integer", "null"],
            "description": "The turn of the run that the sender saw: refused if it moved on.",
        },
        "stage": {"type": "integer"},
        "driver": {"type": "integer"},
        "accidents": {"type": "integer", "minimum": 0},
        "condition": {"enum": [name for name, one in CONDITIONS.items() if one.declared]},
        "kept": {"type": "boolean"},
    },
}
PHOTO: Json = {
    "type": "object",
    "required": ["picture"],
    "properties": {"picture": {"type": "string", "format": "binary"}},
}
BY_PEOPLE = {name: EVENTS[name] for name in SAID}


@api.get("")
@described(
    "The nineteen challenges, and which are won.",
    {200: {"type": "object", "required": ["challenges"],
           "properties": {"challenges": {"type": "array", "items": CHALLENGE}}}},
)  # fmt: skip
def all_challenges() -> Response:
    """The nineteen."""
    book = photos.book(the().store, instants.now())
    return jsonify(challenges=[_told_challenge(one, book) for one in CHALLENGES.values()])


@api.get("/runs")
@described(
    "The latest runs, the newest first.",
    {200: {"type": "object", "required": ["runs"], "properties": {"runs": {"type": "array", "items": RUN}}}},
    query={"most": {"type": "integer", "minimum": 1, "maximum": MOST}},
)
def all_runs() -> Response:
    """The latest runs."""
    most = query().get("most", USUAL)
    return jsonify(runs=[as_json(told(kept, ())) for kept in photos.latest(the().store, most, instants.now())])


@api.post("/runs")
@described("A team sits down to a challenge.", {201: RUN}, body=CHOICE)
def begin() -> tuple[Response, int]:
    """Begin a run."""
    choice = _heard(Choose, {"stages": [], "practice": False, **json_body()})
    return jsonify(as_json(told_of(begun(choice)))), 201


@api.get("/runs/<id>")
@described("One run: its clock, where it stands, what can happen now.", {200: RUN})
def one_run(id: str) -> Response:
    """One run."""
    return jsonify(as_json(told_of(id)))


@api.post("/runs/<id>/events")
@described("Something happens in a run.", {200: RUN}, body=HAPPENED)
def happens(id: str) -> Response:
    """An event, at the instant at which it came in: waiting for others costs no time."""
    now = instants.now()
    body = json_body()
    seen = body.pop("turn", None)
    event = heard_event(body)
    if runs.happened(the().store, known_id(id), event, now, seen) is None:
        raise Refused(404, "no-such-run")
    return jsonify(as_json(told_of(id)))


@api.post("/runs/<id>/photos")
@described("The photo that a run wants now: of the board before the start, or after the race.", {201: RUN},
           body=PHOTO, media="multipart/form-data")  # fmt: skip
def photo(id: str) -> tuple[Response, int]:
    """Take a photo in."""
    take_photo(id, request.files.get("picture"))
    return jsonify(as_json(told_of(id))), 201


@api.delete("/runs/<id>")
@described("Delete a run with its photos; what was won stays checked off.", {204: {}})
def delete_run(id: str) -> tuple[str, int]:
    """Delete a run."""
    if not runs.remove(the().store, [known_id(id)]):
        raise Refused(404, "no-such-run")
    return "", 204


# ------------------------------------------------------------------------------------- shared with the pages for people


def known_id(id: str) -> str:
    """An id that can be one; refuses with 404."""
    if len(id) > LONGEST_ID:
        raise Refused(404, "no-such-run")
    return id


def begun(choice: Choose) -> str:
    """A new run of a team's choice; its id.  Refuses stages that nobody has."""
    stages.refuse_unknown(the().settings, choice.stages)
    return runs.begin(the().store, choice, instants.now())


def heard_event(told: Json) -> Event:
    """An event that people say; refuses what is none, and a stage that nobody has."""
    event: Event = turn.event_from_json(BY_PEOPLE, told)
    if isinstance(event, ChangeStage):
        stages.refuse_unknown(the().settings, [event.stage])
    return event


def known_run(id: str) -> Kept:
    """A run that is there, as its photos have left it; refuses with 404."""
    kept = runs.found(the().store, known_id(id), instants.now())
    if kept is None:
        raise Refused(404, "no-such-run")
    return kept


def told_of(id: str) -> Told:
    """A run, brought up to date and told."""
    kept = known_run(id)
    taken = photos.of_run(the().store, id)
    kept = photos.settled(the().store, kept, taken, instants.now())
    return told(kept, taken)


def take_photo(id: str, picture: Any) -> None:
    """Take in an uploaded photo; refuses what is none, too large, or not wanted now."""
    now = instants.now()
    content = picture_bytes(picture)
    if photos.add(the().store, known_id(id), content, picture.filename, now) is None:
        raise Refused(404, "no-such-run")
    the().bell.ring()


def _told_challenge(one: Challenge, book: Book) -> Json:
    best = book.best(one.id)
    return {
        "id": one.id,
        "name": one.name.to(chosen()),
        "level": one.level,
        "count": one.stages.count,
        "stages": list(stages_needed(one)),
        "target_ms": one.target_ms,
        "conditions": list(one.conditions),
        "won": one.id in book.checked,
        "best_ms": best.total_ms if best else None,
    }


def _heard(kind: type[Choose], found: Json) -> Choose:
    try:
        return from_json(kind, found, "choose")
    except Misfit as fault:
        raise _malformed(str(fault)) from fault


def _malformed(what: str) -> NotAllowed:
    return NotAllowed("malformed", f"This is no choice: {what}.", "The description at /api/openapi.json says what is.")
