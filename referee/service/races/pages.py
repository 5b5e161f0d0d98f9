"""The pages of `races` for people: sitting down to a race, and the race itself, from the first stage to the winner."""

from __future__ import annotations

from typing import Any

from flask import Response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from referee.model import Json
from referee.race.match import EXPLAINED_CARS, SitDown
from referee.service import instants, language, stages
from referee.service.app import the
from referee.service.asked import event_of, way_in
from referee.service.faults import Refused
from referee.service.races import blueprint, games, photos, telling
from referee.service.races.calls import heard_event, known_id, known_race, known_team, take_after, take_before, told_of
from referee.service.races.telling import Told
from referee.service.telling import clock_words, stage_shown

SHOWN = 30
PICTURE_AGE_S = 3600
FIELDS = ("stage", "a", "b", "accidents")
WORDS = ("car",)
MOST_DIGITS = 9


@blueprint.app_template_global("race_words")
def _words() -> dict[str, Any]:
    """What the templates of races say things with."""
    return {
        "stage": stage_shown,
        "car": telling.car_words,
        "players": telling.players,
        "clock": clock_words,
        "cars": EXPLAINED_CARS,
    }


@blueprint.get("/")
def index() -> str:
    """Where two teams sit down, and the races so far."""
    store = the().store
    latest = [telling.told(kept) for kept in photos.latest(store, SHOWN, instants.now())]
    return render_template("races/index.html", races=latest)


@blueprint.post("/")
def begin() -> AnyResponse:
    """Two teams sit down."""
    form = request.form
    a, b = (tuple(name for name in form.getlist(team) if name.strip()) for team in ("a", "b"))
    youngest = known_team(form.get("youngest", ""))
    id = games.begin(the().store, SitDown(a, b, youngest, form.get("knows") == "yes"), instants.now())
    return redirect(url_for("races.one", id=id), 303)


@blueprint.get("/<id>")
def one(id: str) -> str:
    """A race, at what it is at."""
    invited = way_in(url_for("races.one", id=id), language.say("races.qr"))
    return render_template("races/one.html", **_shown(told_of(id)), **invited)


@blueprint.get("/<id>/stand")
def stand(id: str) -> str:
    """The part of it that changes, for its script."""
    return render_template("races/stand.html", **_shown(told_of(id)))


def _shown(told: Told) -> dict[str, Any]:
    """What the templates of a race show."""
    return {
        "told": told,
        "match": told.match,
        "clocks": telling.clocks(told),
        "pictures": frozenset(stages.names(the().settings)),
        "most": the().settings.picture_mb,
    }


@blueprint.post("/<id>")
def happens(id: str) -> AnyResponse:
    """Somebody presses a button: an event with its fields."""
    now = instants.now()
    heat = _whole(request.form.get("heat", ""))
    event = heard_event(_event())
    if games.happened(the().store, known_id(id), event, now, heat) is None:
        raise Refused(404, "no-such-race")
    return redirect(url_for("races.one", id=id), 303)


def _event() -> Json:
    """The event of a form: its button holds it as JSON, the fields `FIELDS` beside it are what somebody chooses."""
    event = event_of(request.form.get("event", ""))
    chosen = {name: _whole(request.form[name]) for name in FIELDS if name in request.form}
    return event | chosen | {name: request.form[name] for name in WORDS if name in request.form}


def _whole(word: str) -> int | None:
    return int(word) if word.isascii() and word.isdecimal() and len(word) <= MOST_DIGITS else None


@blueprint.post("/<id>/boards/<team>")
def board_before(id: str, team: str) -> AnyResponse:
    """A photo of a board before its race."""
    take_before(id, known_team(team), request.files.get("picture"))
    return redirect(url_for("races.one", id=id), 303)


@blueprint.post("/<id>/photos/<team>")
def photo_after(id: str, team: str) -> AnyResponse:
    """A photo of a raced board."""
    take_after(id, known_team(team), request.files.get("picture"), request.form.get("heat"))
    return redirect(url_for("races.one", id=id), 303)


@blueprint.get("/<id>/looks/<look>.jpg")
def look_picture(id: str, look: str) -> Response:
    """What was seen on a board before its race, drawn."""
    found = photos.look_of(the().store, known_race(id).match.id, look)
    if found is None or found.drawn is None:
        raise Refused(404, "not-found")
    try:
        content = the().store.pictures.read(found.drawn)
    except FileNotFoundError:
        raise Refused(404, "not-found") from None
    answer = Response(content, mimetype="image/jpeg")
    answer.headers["Cache-Control"] = f"private, max-age={PICTURE_AGE_S}"
    return answer
