"""The pages of `live` for people: choosing a camera, the watch, and a race afterwards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flask import Response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from referee.race import challenge, match
from referee.rules.challenges import CHALLENGES
from referee.service import instants, language, stages
from referee.service.app import the
from referee.service.asked import way_in
from referee.service.challenges import photos as challenge_photos
from referee.service.challenges import runs
from referee.service.challenges.telling import chosen
from referee.service.front import HERE
from referee.service.live import after, blueprint, shelf, telling
from referee.service.live.after import event_words
from referee.service.live.calls import begun, decided, known, known_race, the_sittings
from referee.service.live.following import is_silent
from referee.service.past import page
from referee.service.phone_help import camera_help
from referee.service.races import games
from referee.service.races.telling import players
from referee.service.store.tables import live_races
from referee.service.telling import clock_words, stage_words

SHOWN = 30
OFFERED = 20
CUES = ("lost", "dark", "blurred", "mirrored", "frozen", "ended", "unheard", "hidden", "seen-again", "armed")
"""The clips that say how it goes with the camera."""


@blueprint.app_template_global("live_words")
def _words() -> dict[str, Any]:
    """What the templates of live say things with."""
    return {"clock": clock_words, "stage": stage_words, "event": event_words, "percent": _percent, "plot": _plot,
            "height": _height}  # fmt: skip


def _height(level_db: float) -> str:
    """Where a level is in a plot 30 high: -80 dB at its foot, 0 dB at its top.

    >>> _height(-80), _height(-40), _height(10)
    ('30.0', '15.0', '0.0')
    """
    return f"{30 * min(1.0, max(0.0, -level_db / 80)):.1f}"


def _plot(levels: Sequence[float]) -> str:
    """A course of levels as the points of a line 100 wide."""
    step = 100 / max(1, len(levels) - 1)
    return " ".join(f"{n * step:.1f},{_height(level)}" for n, level in enumerate(levels))


def _percent(at_ms: int, whole_ms: int) -> str:
    return f"{100 * min(max(at_ms, 0), whole_ms) / max(1, whole_ms):.1f}"


@blueprint.get("/")
def index() -> str:
    """Where a camera is chosen, and the races so far."""
    store = the().store
    told = [after.Told(shelf.kept(row)) for row in page(store, live_races, SHOWN, None)]
    return render_template(
        "live/index.html",
        races=told,
        going_on=the_sittings().all(),
        offered=sorted(stages.names(the().settings)),
        runs=_open_runs(),
        games=_open_games(),
        here=bool(request.environ.get(HERE)),
    )


@blueprint.post("/")
def begin() -> AnyResponse:
    """Begin a watch as the form says."""
    form = request.form
    what, _, id = form.get("belongs", "").partition(" ")
    number = form.get("stage", "")
    source = {"server": form.get("number", "0"), "network": form.get("url", "")}.get(form.get("source", ""), "")
    sitting = begun(
        {
            "two": form.get("boards") == "two",
            "stage": int(number) if number.isascii() and number.isdecimal() and len(number) < 6 else None,
            "run": id if what == "run" else "",
            "race": id if what == "race" else "",
            "source": source.strip(),
        }
    )
    return redirect(url_for("live.watch", id=sitting.id), 303)


@blueprint.get("/<id>")
def watch(id: str) -> AnyResponse | str:
    """The watch."""
    sitting = the_sittings().found(id)
    if sitting is None:
        return Response(render_template("live/gone.html"), 404)
    known(id)
    return render_template(
        "live/watch.html",
        sitting=sitting,
        state=telling.as_json(sitting, 0),
        camera_help=camera_help(language.chosen()),
        state_words=words_of("live.state."),
        cure_words=words_of("live.cure."),
        silent=is_silent(the().store, sitting),
        cues=CUES,
        **way_in(url_for("live.watch", id=id), language.say("challenges.qr")),
    )


@blueprint.get("/races/<id>")
def race(id: str) -> str:
    """A race afterwards."""
    return render_template("live/race.html", told=known_race(id), decisions=after.DECISIONS)


@blueprint.get("/races/<id>/after")
def after_race(id: str) -> str:
    """The same without the page around it, for the watch's script."""
    return render_template("live/after.html", told=known_race(id), decisions=after.DECISIONS)


@blueprint.post("/races/<id>/decide")
def decide(id: str) -> AnyResponse:
    """A person decides."""
    decided(id, request.form.get("team") or None, request.form.get("verdict"))
    return redirect(url_for("live.race", id=id), 303)


@blueprint.get("/races/<id>/events.csv")
def events(id: str) -> Response:
    """The events as a table."""
    told = known_race(id)
    headers = {"Content-Disposition": f'attachment; filename="live-{told.kept.id}.csv"'}
    return Response(after.as_csv(told), mimetype="text/csv", headers=headers)


def words_of(prefix: str) -> dict[str, str]:
    """All words whose key begins so, without it."""
    known_words = language.catalogue(language.chosen())
    return {key.removeprefix(prefix): words for key, words in known_words.items() if key.startswith(prefix)}


def _open_runs() -> list[tuple[str, str]]:
    """The challenges that go on: id and words."""
    latest = challenge_photos.latest(the().store, OFFERED, instants.now(), over=False)
    going_on = [kept.run for kept in latest if kept.run.challenge and not kept.run.abandoned]
    return [
        (run.id, f"{CHALLENGES[run.challenge].name.to(chosen())}, {players(run.team)}")
        for run in going_on
        if challenge.phase(run) not in runs.OVER
    ]


def _open_games() -> list[tuple[str, str]]:
    """The races that go on: id and words."""
    going_on = [kept.match for kept in games.latest(the().store, OFFERED)]
    return [
        (game.id, " – ".join(players(names) for names in game.teams))
        for game in going_on
        if match.phase(game) not in ("over", "abandoned", "teams")
    ]
