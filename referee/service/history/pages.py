"""The pages of `history` for people."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Response, redirect, render_template, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response as AnyResponse

from referee.service import language, stages
from referee.service.app import the
from referee.service.faults import Refused
from referee.service.front import HERE
from referee.service.history import blueprint, drawing, places, timeline
from referee.service.history.best import best
from referee.service.history.calls import (
    delete_everything,
    delete_pictures,
    known,
    said_kinds,
    said_place,
    seen_on,
    send_parcel,
)
from referee.service.history.places import CAUSES, OnStage
from referee.service.telling import clock_words, stage_words
from referee.words import LANGUAGES

A_PAGE = 40


@blueprint.get("/")
def index() -> str:
    """What has been, the latest first."""
    store, kinds = the().store, said_kinds()
    return render_template(
        "history/index.html",
        page=timeline.page(store, A_PAGE, said_place(), kinds),
        counts=timeline.counts(store),
        chosen=kinds[0] if kinds else "",
        first="from" not in request.args,
        clock=clock_words,
    )


@blueprint.get("/best")
def best_times() -> str:
    """The best times."""
    return render_template("history/best.html", best=best(the().store), stage_words=stage_words, clock=clock_words)


@blueprint.get("/places")
def all_places() -> str:
    """Which stages there are accidents of."""
    return render_template(
        "history/places.html",
        overview=places.overview(the().store),
        names=stages.names(the().settings),
        stage_words=stage_words,
    )


@blueprint.get("/places/<int:number>")
def on_stage(number: int) -> str:
    """Where on a stage accidents happen."""
    seen, stage = seen_on(number)
    picture, of_causes = None, seen.by_cause()
    if stage is not None:
        picture = Markup(drawing.picture(stage, seen, url_for("challenges.stage_picture", number=number)))
    return render_template(
        "history/stage.html",
        number=number,
        stage=stage,
        seen=seen,
        picture=picture,
        causes={cause: of_causes[cause] for cause in CAUSES if of_causes[cause]},
        symbol=lambda cause: Markup(drawing.symbol(cause)),
        rows=_section_rows(seen) if stage is not None else [],
    )


def _section_rows(seen: OnStage) -> list[tuple[int, int, Mapping[str, int]]]:
    """Each section with accidents: its number, how many, and how many of each cause."""
    return [(section, sum(found.values()), found) for section, found in sorted(seen.by_section().items())]


# -------------------------------------------------------------------------------------------- keeping and deleting


@blueprint.get("/kept")
def kept() -> str:
    """What is kept where, and for how long; taking it home; deleting it."""
    settings = the().settings
    return render_template(
        "history/kept.html",
        settings=settings,
        count=sum(timeline.counts(the().store).values()),
        folder=settings.data.absolute() if request.environ.get(HERE) else None,
        elsewhere=elsewhere(settings.pictures, settings.database),
    )


def elsewhere(pictures: str, database: str) -> list[str]:
    """What a setting has put somewhere else than into the data folder: words' keys.

    >>> elsewhere("", ""), elsewhere("s3://family", "postgresql://host/referee")
    ([], ['pictures', 'database'])
    """
    return [name for name, address in (("pictures", pictures), ("database", database)) if address]


@blueprint.post("/export")
def export() -> Response:
    """Everything as one file."""
    return send_parcel(request.form.get("pictures") == "yes")


@blueprint.route("/delete/<kind>/<id>", methods=["GET", "POST"])
def delete(kind: str, id: str) -> AnyResponse | str:
    """Ask, then delete one entry."""
    past, entry = known(kind, id)
    if request.method == "GET":
        return render_template("history/delete.html", entry=entry, clock=clock_words)
    if request.form.get("sure") != "yes":
        raise Refused(400, "not-sure")
    past.remove(the().store, [id])
    return redirect(url_for("history.index"), 303)


@blueprint.route("/delete-all", methods=["GET", "POST"])
def delete_all() -> AnyResponse | str:
    """Ask, have a word typed, then delete everything or all pictures."""
    if request.method == "GET":
        counts = timeline.counts(the().store)
        return render_template("history/delete_all.html", counts=counts, count=sum(counts.values()))
    what = request.form.get("what")
    if not is_the_word(request.form.get("word", "")):
        raise Refused(400, "not-sure")
    if what == "everything":
        delete_everything(won=request.form.get("won") == "yes")
    elif what == "pictures":
        delete_pictures()
    else:
        raise Refused(400, "bad-request")
    return redirect(url_for("history.index"), 303)


def is_the_word(typed: str) -> bool:
    """Whether the word that deletes everything was typed, in whatever language."""
    words = {language.say("history.delete.word", code).casefold() for code in LANGUAGES}
    return typed.strip().strip(".!\"'«»").strip().casefold() in words
