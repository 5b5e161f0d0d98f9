"""The calls of `races` for programs; the page's own script uses the same."""

from __future__ import annotations

from typing import Any

from flask import Response, jsonify, request

from referee.errors import Refused as NotAllowed
from referee.model import Json
from referee.race import turn
from referee.race.match import TEAMS, ChooseStage, Event, SitDown, Team
from referee.race.stored import Misfit, from_json
from referee.service import instants, stages
from referee.service.app import the
from referee.service.asked import json_body, picture_bytes, query
from referee.service.faults import Refused
from referee.service.openapi import described
from referee.service.races import api, games, photos
from referee.service.races.games import Kept
from referee.service.races.telling import BY_PEOPLE, CLOCKS, RACE, Told, as_json, clocks, told

MOST, USUAL = 100, 20
LONGEST_ID = 32

_WORD: Json = {"type": "string"}
_NAMES: Json = {"type": "array", "items": _WORD, "minItems": 2, "maxItems": 3}
_TEAM: Json = {"enum": list(TEAMS)}
TEAMS_SIT_DOWN: Json = {
    "type": "object",
    "required": ["a", "b", "youngest", "everybody_knows"],
    "additionalProperties": False,
    "properties": {
        "a": _NAMES,
        "b": _NAMES,
        "youngest": {**_TEAM, "description": "The team of the youngest player."},
        "everybody_knows": {"type": "boolean", "description": "Whether all know the game: then cars are taken."},
    },
}
HAPPENED: Json = {
    "type": "object",
    "required": ["event"],
    "description": "An event with all its fields: choose-stage has team and stage, take-car team and car, "
    "board-vouched team, count-down a and b (the drivers, from 0), crossed, not-yet and was-first team, agreed "
    "team and accidents, cheated team and so, start-over dead_heat, sit-down the fields of the two teams.",
    "properties": {
        "event": {"enum": list(BY_PEOPLE)},
        "heat": {
            "type": ["integer", "null"],
            "description": "The heat (from 0) that the sender saw: refused if it moved on.",
        },
        "team": _TEAM,
        "stage": {"type": "integer"},
        "car": _WORD,
        "a": {},
        "b": {},
        "youngest": _TEAM,
        "everybody_knows": {"type": "boolean"},
        "accidents": {"type": "integer", "minimum": 0},
        "so": {"type": "boolean"},
        "dead_heat": {"type": "boolean"},
    },
}
PICTURE: Json = {
    "type": "object",
    "required": ["picture"],
    "properties": {"picture": {"type": "string", "format": "binary"}},
}
PICTURE_AFTER: Json = {
    "type": "object",
    "required": ["picture"],
    "properties": {
        "picture": {"type": "string", "format": "binary"},
        "heat": {"type": "integer", "description": "Of which heat, counted from 0; the present one if none is said."},
    },
}


@api.get("")
@described(
    "The latest races, the newest first.",
    {200: {"type": "object", "required": ["races"], "properties": {"races": {"type": "array", "items": RACE}}}},
    query={"most": {"type": "integer", "minimum": 1, "maximum": MOST}},
)
def all_races() -> Response:
    """The latest races."""
    most = query().get("most", USUAL)
    return jsonify(races=[as_json(told(kept)) for kept in photos.latest(the().store, most, instants.now())])


@api.post("")
@described("Two teams sit down to a race.", {201: RACE}, body=TEAMS_SIT_DOWN)
def begin() -> tuple[Response, int]:
    """Begin a race."""
    try:
        teams = from_json(SitDown, json_body(), "teams")
    except Misfit as fault:
        raise NotAllowed("malformed", f"These are no teams: {fault}.", "See /api/openapi.json.") from fault
    return jsonify(as_json(told_of(games.begin(the().store, teams, instants.now())))), 201


@api.get("/<id>")
@described("One race: where it stands, what can happen now, who won what and why.", {200: RACE})
def one_race(id: str) -> Response:
    """One race."""
    return jsonify(as_json(told_of(id)))


@api.get("/<id>/clock")
@described("What the clocks of a race show, and a word that changes with everything else.", {200: CLOCKS})
def clock(id: str) -> Response:
    """The clocks alone."""
    return jsonify(clocks(told_of(id)))


@api.post("/<id>/events")
@described("Something happens in a race.", {200: RACE}, body=HAPPENED)
def happens(id: str) -> Response:
    """An event, at the instant at which it came in: waiting for others costs no time."""
    now = instants.now()
    body = json_body()
    heat = body.pop("heat", None)
    if games.happened(the().store, known_id(id), heard_event(body), now, heat) is None:
        raise Refused(404, "no-such-race")
    return jsonify(as_json(told_of(id)))


@api.post("/<id>/boards/<team>")
@described("The photo of a team's board before the start, gadgets drawn.", {201: RACE}, body=PICTURE,
           media="multipart/form-data")  # fmt: skip
def board_before(id: str, team: str) -> tuple[Response, int]:
    """Take a photo of a board before its race in."""
    take_before(id, known_team(team), request.files.get("picture"))
    return jsonify(as_json(told_of(id))), 201


@api.post("/<id>/photos/<team>")
@described("The photo of a team's board after a heat.", {201: RACE}, body=PICTURE_AFTER, media="multipart/form-data")
def photo_after(id: str, team: str) -> tuple[Response, int]:
    """Take a photo of a raced board in."""
    take_after(id, known_team(team), request.files.get("picture"), request.form.get("heat"))
    return jsonify(as_json(told_of(id))), 201


@api.delete("/<id>")
@described("Delete a race with its photos.", {204: {}})
def delete_race(id: str) -> tuple[str, int]:
    """Delete a race."""
    if not games.remove(the().store, [known_id(id)]):
        raise Refused(404, "no-such-race")
    return "", 204


# ------------------------------------------------------------------------------------- shared with the pages for people


def known_id(id: str) -> str:
    """An id that can be one; refuses with 404."""
    if len(id) > LONGEST_ID:
        raise Refused(404, "no-such-race")
    return id


def heard_event(said: Json) -> Event:
    """An event that people say; refuses what is none, and a stage that nobody has."""
    event: Event = turn.event_from_json(BY_PEOPLE, said)
    if isinstance(event, ChooseStage):
        stages.refuse_unknown(the().settings, [event.stage])
    return event


def known_team(word: str) -> Team:
    """A or B; refuses with 404."""
    for team in TEAMS:
        if word == team:
            return team
    raise Refused(404, "not-found")


def known_race(id: str) -> Kept:
    """A game that is there; refuses with 404."""
    kept = games.found(the().store, known_id(id), instants.now())
    if kept is None:
        raise Refused(404, "no-such-race")
    return kept


def told_of(id: str) -> Told:
    """A game, brought up to date and told."""
    return told(photos.settled(the().store, known_race(id), instants.now()))


def take_before(id: str, team: Team, picture: Any) -> None:
    """Take in the photo of a board before its race; refuses what is none, too large, or not wanted now."""
    content = picture_bytes(picture)
    if photos.add_before(the().store, known_id(id), team, content, instants.now()) is None:
        raise Refused(404, "no-such-race")
    the().bell.ring()


def take_after(id: str, team: Team, picture: Any, heat: str | None) -> None:
    """Take in the photo of a raced board; refuses what is none, too large, or not wanted now."""
    content = picture_bytes(picture)
    place = None if not heat else int(heat) if heat.isascii() and heat.isdecimal() and len(heat) < 6 else -1
    if photos.add_after(the().store, known_id(id), team, content, picture.filename, place, instants.now()) is None:
        raise Refused(404, "no-such-race")
    the().bell.ring()
