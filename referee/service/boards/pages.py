"""The pages of `boards` for people."""

from __future__ import annotations

from pathlib import Path

from flask import Response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from referee.service import language
from referee.service.app import the
from referee.service.asked import picture_bytes
from referee.service.boards import blueprint, drafts, folder
from referee.service.boards.calls import known, take_in
from referee.service.boards.telling import error_words, told_draft
from referee.service.challenges import stage_pictures
from referee.service.faults import Refused
from referee.stage.load import load_stage
from referee.stage.tracing import KINDS, Tracing, told_of
from referee.stage.write import traced_of

PICTURE_AGE_S = 3600
SHOWN = 50
EDITOR = "boards.editor."


@blueprint.get("/")
def index() -> str:
    """The user's own boards, those that are being traced, and where a new one begins."""
    the().bell.ring(stage_pictures.ask_for_missing(the().store, the().settings))
    return render_template(
        "boards/index.html",
        boards=folder.boards(the().settings),
        drafts=drafts.latest(the().store, SHOWN),
        settings=the().settings,
        is_from_the_game=folder.is_from_the_game,
    )


@blueprint.post("/")
def hand_in() -> AnyResponse:
    """Take a picture in that a form without scripts sends."""
    return redirect(url_for("boards.draft", number=take_in(request.files.get("picture"))), 303)


@blueprint.get("/drafts/<number>")
def draft(number: str) -> str:
    """A board that is being traced, at the step that it is at; ``?step=corners`` goes back to its corners."""
    found = known(number)
    step = "corners" if request.args.get("step") == "corners" and found.step == "tracing" else found.step
    if step == "corners" and found.shown is None:
        step = found.step
    if step in ("finding", "laying") and drafts.is_failed(the().store, found):
        step = "failed"
    told = told_draft(found)
    if step == "tracing":
        told["tracing"] = {**_blank(), **found.tracing}
    return render_template(
        f"boards/{ {'finding': 'waiting', 'laying': 'waiting'}.get(step, step) }.html",
        draft=found,
        told=told,
        error=error_words(found.error),
        kinds=KINDS,
        editor_words=_editor_words(),
    )


def _editor_words() -> dict[str, str]:
    """The words that the editor's scripts say."""
    words = language.catalogue(language.chosen())
    return {key.removeprefix(EDITOR): text for key, text in words.items() if key.startswith(EDITOR)}


def _blank() -> dict[str, object]:
    """What a tracing begins with."""
    return told_of(Tracing((297.0, 210.0), number=folder.next_number(the().settings), name=""))


@blueprint.get("/drafts/<number>/<any(shown, flat):which>.jpg")
def picture(number: str, which: str) -> Response:
    """A draft's picture: as it was taken, smaller (shown), or laid flat."""
    key = getattr(known(number), which)
    if key is None:
        raise Refused(404, "not-found")
    try:
        content = the().store.pictures.read(key)
    except FileNotFoundError:
        raise Refused(404, "not-found") from None
    kind = "image/png" if content.startswith(b"\x89PNG") else "image/jpeg"
    return Response(content, mimetype=kind, headers={"Cache-Control": f"private, max-age={PICTURE_AGE_S}"})


@blueprint.post("/drafts/<number>/delete")
def delete_draft(number: str) -> AnyResponse:
    """Delete a draft."""
    drafts.remove(the().store, known(number).id)
    return redirect(url_for("boards.index"), 303)


# ------------------------------------------------------------------------------------------- stage files


@blueprint.post("/import")
def bring_in() -> AnyResponse:
    """Take a stage file in, checked as every stage file is."""
    content = picture_bytes(request.files.get("file"))
    folder.keep(the().settings, content)
    return redirect(url_for("boards.index"), 303)


@blueprint.get("/<int:number>/stage.svg")
def export(number: int) -> Response:
    """A stage file to take along."""
    path = _path(number)
    answer = Response(path.read_bytes(), mimetype="image/svg+xml")
    answer.headers["Content-Disposition"] = f"attachment; filename=stage-{number}.svg"
    return answer


@blueprint.post("/<int:number>/edit")
def edit(number: int) -> AnyResponse:
    """Go on with a board: with the draft that it was made of, else with one made of its file."""
    path, store = _path(number), the().store
    before = drafts.of_stage(store, number)
    if before is not None:
        return redirect(url_for("boards.draft", number=before.id), 303)
    stage = load_stage(path)
    if not stage.reference:
        raise Refused(409, "not-traced-here")
    made = drafts.add_traced(store, stage.name, told_of(traced_of(stage)), stage.reference, number)
    return redirect(url_for("boards.draft", number=made), 303)


@blueprint.route("/<int:number>/delete", methods=["GET", "POST"])
def delete(number: int) -> AnyResponse | str:
    """Ask, then delete a board's file."""
    path = _path(number)
    if request.method == "GET":
        name = next((one.name for one in folder.boards(the().settings) if one.path == path), str(number))
        return render_template("boards/delete.html", number=number, name=name)
    folder.delete(the().settings, number)
    drafts.forget_saved(the().store, number)
    return redirect(url_for("boards.index"), 303)


def _path(number: int) -> Path:
    path = folder.path_of(the().settings, number)
    if path is None:
        raise Refused(404, "not-found")
    return path
