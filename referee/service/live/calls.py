"""The calls of `live` for programs; the page's own scripts use the same."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

from flask import Response, current_app, jsonify, request

from referee.model import Json
from referee.service import instants, stages
from referee.service.app import the
from referee.service.asked import json_body
from referee.service.challenges import runs
from referee.service.faults import Refused
from referee.service.front import HERE
from referee.service.live import after, api, shelf, ties
from referee.service.live.following import end_race, follower
from referee.service.live.sitting import Blind, Plan, Sitting
from referee.service.live.sittings import Sittings, now_ms
from referee.service.live.telling import WATCH, as_json
from referee.service.openapi import described
from referee.service.races import games

FRAME_BYTES = 3_000_000
LONGEST_WAIT_S = 10.0
OLDEST_MS = 5_000
LONGEST_ID = 32
LEVELS = 200
SCHEMES = ("http", "https", "rtsp", "rtsps")
NUMBER = re.compile(r"[0-9]{1,2}")
TEAMS = ("A", "B")

_WORD: Json = {"type": "string"}
PLAN: Json = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "two": {"type": "boolean", "description": "Two teams, a board each."},
        "stage": {"type": ["integer", "null"], "description": "null: as the markers say."},
        "run": {**_WORD, "description": "The challenge's run that it counts for."},
        "race": {**_WORD, "description": "The race that it counts for."},
        "source": {**_WORD, "description": "Empty: a browser posts frames; else a camera's number or an address."},
    },
}
EVENT: Json = {
    "type": "object",
    "required": ["event"],
    "properties": {
        "event": {"enum": ["count-down", "call-off", "start", "over", "next", "leave"]},
        "team": {"enum": [*TEAMS, None]},
    },
}
NOISE: Json = {
    "type": "object",
    "required": ["at_ms", "levels", "room_db", "peak_db"],
    "properties": {
        "at_ms": {"type": "integer"},
        "team": {"enum": [*TEAMS, None]},
        "in_pipe": {"type": "boolean"},
        "room_db": {"type": "number"},
        "peak_db": {"type": "number"},
        "levels": {"type": "array", "items": {"type": "number"}, "maxItems": LEVELS},
    },
}
BLIND: Json = {
    "type": "object",
    "required": ["from_ms", "to_ms"],
    "properties": {"from_ms": {"type": "integer"}, "to_ms": {"type": "integer"}},
}
RACE: Json = {"type": "object", "required": ["id", "boards", "calls", "noises", "unwatched_ms"]}


@api.post("")
@described("Begin a watch.", {201: WATCH}, body=PLAN)
def begin() -> tuple[Response, int]:
    """Begin a watch."""
    return jsonify(as_json(begun(json_body()), 0)), 201


@api.get("/<id>")
@described(
    "A watch: what the camera sees, the calls from number after on; waits for something newer than number.",
    {200: WATCH},
    query={"after": {"type": "integer"}, "number": {"type": "integer"}, "wait": {"type": "number"}},
)
def one(id: str) -> Response:
    """A watch as it is, or as it becomes."""
    sitting = known(id)
    wait_s = min(max(request.args.get("wait", 0.0, type=float), 0.0), LONGEST_WAIT_S)
    if wait_s > 0:  # NaN is not
        sitting.wait(request.args.get("number", -1, type=int), wait_s)
    return jsonify(as_json(sitting, _after()))


@api.post("/<id>/frames")
@described(
    "A frame, as a JPEG. While one is looked at, of those that come the newest waits; the others are dropped at once.",
    {200: WATCH},
    body={"type": "string", "format": "binary"},
    media="image/jpeg",
    query={"at_ms": {"type": "integer"}, "after": {"type": "integer"}},
)
def frame(id: str) -> Response:
    """Look at a frame."""
    sitting = known(id)
    request.max_content_length = FRAME_BYTES
    if sitting.plan.source:
        raise Refused(409, "conflict")
    now = now_ms()
    at = min(max(request.args.get("at_ms", now, type=int), now - OLDEST_MS), now)
    content = request.get_data(cache=False)
    try:
        looked = sitting.look(content, at)
    except Blind:
        raise Refused(503, "eye-died") from None
    sitting.met()  # a look may have taken long
    return jsonify(as_json(sitting, _after()) | {"looked": looked})


@api.post("/<id>/events")
@described("3-2-1-Go, a start by hand, the race ended, the next one.", {200: WATCH}, body=EVENT)
def happens(id: str) -> Response:
    """Something that people do."""
    sitting, body = known(id), json_body()
    event, team = body.get("event"), body.get("team")
    if event not in EVENTS or team not in (*TEAMS, None):
        raise Refused(400, "bad-request")
    try:
        EVENTS[event](sitting, team)
    except Blind:
        raise Refused(503, "eye-died") from None
    return jsonify(as_json(sitting, _after()))


@api.post("/<id>/noises")
@described("A sound clearly above the room's level: when, and how loud; never the sound itself.", {200: WATCH},
           body=NOISE)  # fmt: skip
def noise(id: str) -> Response:
    """The microphone heard something."""
    sitting, body = known(id), json_body()
    levels = body.get("levels")
    if not isinstance(levels, list) or len(levels) > LEVELS or body.get("team") not in (*TEAMS, None):
        raise Refused(400, "bad-request")
    told = {name: _decibel(body.get(name)) for name in ("room_db", "peak_db")}
    heard = told | {"at_ms": _moment(body.get("at_ms")), "levels": [_decibel(one) for one in levels]}
    sitting.hears(heard | {"team": body.get("team"), "in_pipe": body.get("in_pipe") is True})
    return jsonify(as_json(sitting, _after()))


@api.post("/<id>/blind")
@described("The page's camera stood still, or was away, from one moment to another.", {200: WATCH}, body=BLIND)
def blind(id: str) -> Response:
    """A stretch of time that nobody saw."""
    sitting, body = known(id), json_body()
    sitting.was_blind(_moment(body.get("from_ms")), _moment(body.get("to_ms")))
    return jsonify(as_json(sitting, _after()))


@api.get("/<id>/picture")
@described("What a camera of the server's own shows.", {200: "image/jpeg"})
def picture(id: str) -> Response:
    """The latest preview."""
    content = known(id).preview
    if not content:
        raise Refused(404, "not-found")
    return Response(content, mimetype="image/jpeg")


@api.delete("/<id>")
@described("End a watch; what was kept stays.", {204: {}})
def end(id: str) -> tuple[str, int]:
    """End it."""
    the_sittings().end(known(id).id)
    return "", 204


@api.get("/races/<id>")
@described("A race that was watched: film and picture, events with their times, noises.", {200: RACE})
def one_race(id: str) -> Response:
    """One race."""
    return jsonify(after.as_json(known_race(id)))


@api.post("/races/<id>/decisions")
@described("A person says what a board's verdict is.", {200: RACE}, body={
    "type": "object", "required": ["verdict"],
    "properties": {"team": {"enum": [*TEAMS, None]}, "verdict": {"enum": list(after.DECISIONS)}},
})  # fmt: skip
def decide(id: str) -> Response:
    """Decide."""
    body = json_body()
    decided(id, body.get("team"), body.get("verdict"))
    return jsonify(after.as_json(known_race(id)))


@api.delete("/races/<id>")
@described("Delete a race with its pictures.", {204: {}})
def delete_race(id: str) -> tuple[str, int]:
    """Delete a race."""
    if not shelf.remove(the().store, [known_race(id).kept.id]):
        raise Refused(404, "no-such-live")
    return "", 204


# ------------------------------------------------------------------------------------------------- what people do


def _count_down(sitting: Sitting, _team: str | None) -> None:
    go_ms = ties.count_down(the().store, sitting.plan, ties.boards_of(sitting))
    sitting.arm(go_ms)


def _call_off(sitting: Sitting, _team: str | None) -> None:
    ties.call_off(the().store, sitting.plan)
    sitting.arm(None)


def _start(sitting: Sitting, team: str | None) -> None:
    if sitting.plan.run or sitting.plan.race:
        raise Refused(409, "count-down-first")
    sitting.start(now_ms(), team)


def _over(sitting: Sitting, _team: str | None) -> None:
    end_race(the().store, the().bell, sitting)


def _next(sitting: Sitting, _team: str | None) -> None:
    with sitting.following:
        sitting.again()
        sitting.followed = 0


def _leave(sitting: Sitting, _team: str | None) -> None:
    sitting.met(leaves=True)


EVENTS = {
    "count-down": _count_down,
    "call-off": _call_off,
    "start": _start,
    "over": _over,
    "next": _next,
    "leave": _leave,
}


# ------------------------------------------------------------------------------------- shared with the pages for people


def the_sittings() -> Sittings:
    """The watches of the application that answers; made when the first is asked for."""
    app = current_app._get_current_object()  # type: ignore[attr-defined]
    if "live" not in app.extensions:
        settings = the().settings
        follow = follower(the().store, the().bell)
        app.extensions["live"] = Sittings(lambda: settings.stage_folders, follow, app.config.get("LIVE_WATCH"))
    found: Sittings = app.extensions["live"]
    return found


def begun(asked: Json) -> Sitting:
    """A new watch as somebody asks for it; refuses what makes no sense."""
    if set(asked) - set(PLAN["properties"]):
        raise Refused(400, "bad-request")
    plan = Plan(
        two=asked.get("two") is True,
        stage=asked.get("stage"),
        run=str(asked.get("run") or "")[:LONGEST_ID],
        race=str(asked.get("race") or "")[:LONGEST_ID],
        source=str(asked.get("source") or "")[:300],
    )
    if plan.stage is not None:
        if type(plan.stage) is not int:
            raise Refused(400, "bad-request")
        if plan.stage not in stages.names(the().settings):
            raise Refused(400, "no-stage-file", stage=plan.stage)
    _refuse_bad_source(plan.source)
    return the_sittings().begin(_with_its_stage(plan))


def _with_its_stage(plan: Plan) -> Plan:
    """The plan with the stage of what it counts for; refuses what is gone."""
    now = instants.now()
    if plan.run and runs.found(the().store, plan.run, now) is None:
        raise Refused(404, "no-such-run")
    if plan.race and games.found(the().store, plan.race, now) is None:
        raise Refused(404, "no-such-race")
    return Plan(bool(plan.race) or plan.two, plan.stage, plan.run, plan.race, plan.source)


def _refuse_bad_source(source: str) -> None:
    """Refuse what is no camera, and every one of the computer's own to whoever does not sit at it."""
    if not source:
        return
    if not request.environ.get(HERE):
        raise Refused(403, "only-here")
    try:
        address = urlsplit(source)
    except ValueError as fault:
        raise Refused(400, "no-such-camera") from fault
    if not NUMBER.fullmatch(source) and (address.scheme not in SCHEMES or not address.hostname):
        raise Refused(400, "no-such-camera")


def known(id: str) -> Sitting:
    """A watch that goes on; refuses with 404.  Whoever asks is there."""
    sitting = the_sittings().found(id) if len(id) <= LONGEST_ID else None
    if sitting is None:
        raise Refused(404, "no-such-watch")
    sitting.met()
    return sitting


def known_race(id: str) -> after.Told:
    """A race; refuses with 404."""
    told = after.found(id)
    if told is None:
        raise Refused(404, "no-such-live")
    return told


def decided(id: str, team: Any, verdict: Any) -> None:
    """A person decides; what the race counts for hears of it."""
    if verdict not in after.DECISIONS or team not in (*TEAMS, None):
        raise Refused(400, "bad-request")
    kept = shelf.decide(the().store, id, team, verdict) if len(id) <= LONGEST_ID else None
    if kept is None:
        raise Refused(404, "no-such-live")
    ties.judged(the().store, Plan(run=kept.run, race=kept.race), kept.record, kept.checks)


def _after() -> int:
    return max(0, request.args.get("after", 0, type=int))


def _moment(value: Any) -> int:
    if type(value) is not int or not 0 <= value <= now_ms() + OLDEST_MS:
        raise Refused(400, "bad-request")
    return value


def _decibel(value: Any) -> float:
    if type(value) not in (int, float) or not -200 <= value <= 50:
        raise Refused(400, "bad-request")
    return round(float(value), 1)
