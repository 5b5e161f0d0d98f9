"""The pages of `challenges` for people: the checklist, sitting down to a challenge, the run, the phone's page."""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from typing import Any

from flask import Response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from referee.race.book import Win
from referee.race.challenge import Choose
from referee.rules.challenges import CHALLENGES, CONDITIONS, LEVELS, AnyStages, Challenge, stages_needed
from referee.service import instants, language, stages
from referee.service.app import the
from referee.service.asked import event_of, way_in
from referee.service.challenges import blueprint, photos, runs, stage_pictures, telling
from referee.service.challenges.calls import begun, heard_event, known_id, take_photo, told_of
from referee.service.challenges.telling import Told, chosen
from referee.service.faults import Refused
from referee.service.telling import clock_words, stage_shown, stage_words

OPEN_SHOWN = 5
PICTURE_AGE_S = 86400
PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
"""For a stage's file that somebody opens by itself: it draws, and does nothing else."""
MOST_DIGITS = 9
FIELDS = ("driver", "accidents", "stage")
"""What a form of a run may hold beside its event: whole numbers."""


@blueprint.app_template_global("challenge_words")
def _words() -> dict[str, Any]:
    """What the templates of challenges say times and stages with."""
    return {
        "clock": clock_words,
        "target": telling.target_words,
        "stage": stage_shown,
        "stage_plain": stage_words,
        "sentence": telling.sentence,
    }


@blueprint.app_template_global("challenge_of")
def address_of(purpose: str) -> str | None:
    """Where the run is that a photo was taken for; None for photos of other purposes."""
    run_id = photos.run_of(purpose)
    return None if run_id is None else url_for("challenges.run", id=run_id)


@dataclass(frozen=True)
class Line:
    """A line of the checklist."""

    challenge: Challenge
    best: Win | None

    @property
    def name(self) -> str:
        """What the challenge is called."""
        return self.challenge.name.to(chosen())

    @property
    def stages(self) -> tuple[int, ...]:
        """The stages that it lists."""
        return stages_needed(self.challenge)

    @property
    def is_any(self) -> bool:
        """Whether the team chooses the stages."""
        return isinstance(self.challenge.stages, AnyStages)

    @property
    def conditions(self) -> list[str]:
        """What has to hold beside the time, in words."""
        return [CONDITIONS[name].text.to(chosen()) for name in self.challenge.conditions]

    @property
    def level(self) -> str:
        """How hard it is."""
        return telling.level_words(self.challenge)


@blueprint.get("/")
def index() -> str:
    """The checklist."""
    store = the().store
    _have_pictures_drawn()
    open_runs = photos.latest(store, OPEN_SHOWN, instants.now(), over=False)
    going_on = [run for run in (told_of(kept.run.id) for kept in open_runs) if run.phase not in runs.OVER]
    book = runs.book(store.database)  # after the runs: what was won while they were told is not in neither list
    lines = [Line(one, book.best(one.id)) for one in CHALLENGES.values()]
    levels = [
        (LEVELS[level].to(chosen()), [line for line in lines if line.challenge.level == level]) for level in LEVELS
    ]
    return render_template(
        "challenges/index.html", levels=levels, won=len(book.checked), count=len(lines), going_on=going_on,
        pictures=_pictures(),
    )  # fmt: skip


@blueprint.get("/<challenge>")
def choose(challenge: str) -> str:
    """Where a team sits down to a challenge."""
    one = _known(challenge)
    _have_pictures_drawn()
    line = Line(one, photos.book(the().store, instants.now()).best(one.id))
    before = runs.latest(the().store, 1)
    team = before[0].run.team if before else ()
    return render_template(
        "challenges/choose.html", line=line, team=team, offered=stages.to_choose(the().settings), pictures=_pictures(),
    )  # fmt: skip


@blueprint.post("/<challenge>")
def begin(challenge: str) -> AnyResponse:
    """Begin a run as the form says."""
    one = _known(challenge)
    team = tuple(name for name in request.form.getlist("player") if name.strip())
    order = request.form.get("order") or ",".join(request.form.getlist("stage"))
    chosen_stages = tuple(_number(word) for word in order.split(",")) if order else ()
    practice = "practice" in request.form
    asked = Choose(one.id, team, chosen_stages if isinstance(one.stages, AnyStages) else (), practice)
    return redirect(url_for("challenges.run", id=begun(asked)), 303)


# ---------------------------------------------------------------------------------------------------------- a run


@blueprint.get("/runs/<id>")
def run(id: str) -> str:
    """A run: the big clock, what is to do now, its stages."""
    invited = way_in(url_for("challenges.phone", id=id), language.say("challenges.qr"))
    return render_template("challenges/run.html", **_shown(told_of(id)), view="table", **invited)


@blueprint.get("/runs/<id>/phone")
def phone(id: str) -> str:
    """The page of the phone that takes the pictures."""
    return render_template("challenges/phone.html", **_shown(told_of(id)), view="phone")


@blueprint.get("/runs/<id>/now")
def now(id: str) -> str:
    """What is to do now, alone, for the page's script."""
    view = "phone" if request.args.get("view") == "phone" else "table"
    return render_template("challenges/now.html", **_shown(told_of(id)), view=view)


@blueprint.post("/runs/<id>/do")
def do(id: str) -> AnyResponse:
    """Something happens in a run: what a form without scripts sends.

    Its button holds the event as JSON; the fields `FIELDS` beside it are what somebody chooses.
    """
    at = instants.now()
    chosen = {name: _number(request.form[name]) for name in FIELDS if name in request.form}
    event = heard_event(event_of(request.form.get("event", "")) | chosen)
    seen = request.form.get("turn")
    if runs.happened(the().store, known_id(id), event, at, _number(seen) if seen else None) is None:
        raise Refused(404, "no-such-run")
    return _back(id)


@blueprint.post("/runs/<id>/photo")
def hand_in(id: str) -> AnyResponse:
    """Take in the photo that a form without scripts sends."""
    take_photo(id, request.files.get("picture"))
    return _back(id)


@blueprint.post("/runs/<id>/again")
def again(id: str) -> AnyResponse:
    """Another run of the same team at the same challenge."""
    before = told_of(id).run
    listed = stages_needed(CHALLENGES[before.challenge])
    choice = Choose(before.challenge, before.team, () if listed else before.stages, before.practice)
    return redirect(url_for("challenges.run", id=begun(choice)), 303)


@blueprint.get("/stages/<int:number>")
def stage_picture(number: int) -> Response:
    """A small picture of a stage; until it is drawn, its own file."""
    small = stage_pictures.small(the().store, the().settings, number)
    if small is not None:
        return Response(small, mimetype="image/jpeg", headers={"Cache-Control": f"private, max-age={PICTURE_AGE_S}"})
    whole = stages.drawing(the().settings, number)
    if whole is None:
        raise Refused(404, "not-found")
    headers = {"Content-Security-Policy": PICTURE_POLICY, "Vary": "Accept-Encoding"}
    if request.accept_encodings["gzip"]:
        return Response(whole, mimetype="image/svg+xml", headers={**headers, "Content-Encoding": "gzip"})
    return Response(gzip.decompress(whole), mimetype="image/svg+xml", headers=headers)


# -------------------------------------------------------------------------------------------------------- small parts


def _shown(told: Told) -> dict[str, Any]:
    """What the templates of a run show."""
    return {
        "run": told,
        "line": Line(told.challenge, None),
        "state": telling.as_json(told),
        "pictures": _pictures(),
        "offered": stages.to_choose(the().settings),
        "condition_words": {name: one.text.to(chosen()) for name, one in CONDITIONS.items()},
    }


def _number(word: str) -> int:
    """A whole number as a form sends it; refuses anything else."""
    if not word.strip().isascii() or not word.strip().isdecimal() or len(word) > MOST_DIGITS:
        raise Refused(400, "bad-request")
    return int(word)


def _back(id: str) -> AnyResponse:
    to = "challenges.phone" if request.form.get("view") == "phone" else "challenges.run"
    return redirect(url_for(to, id=id), 303)


def _known(challenge: str) -> Challenge:
    if challenge not in CHALLENGES:
        raise Refused(404, "not-found")
    return CHALLENGES[challenge]


def _have_pictures_drawn() -> None:
    the().bell.ring(stage_pictures.ask_for_missing(the().store, the().settings))


def _pictures() -> frozenset[int]:
    """The stages of which there is a picture."""
    return frozenset(stages.names(the().settings))
