"""The pages of `checks` for people."""

from __future__ import annotations

from flask import redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from referee.service.app import the
from referee.service.checks import blueprint, shelf
from referee.service.checks.calls import known, new_batch, put_right, said_stage, take_in
from referee.service.faults import Refused
from referee.service.stages import names

SHOWN = 60


@blueprint.get("/")
def index() -> str:
    """Where photos are handed in, and what came of them."""
    checks = shelf.latest(the().store, SHOWN)
    return render_template("checks/index.html", checks=checks, count=shelf.count(the().store), settings=the().settings)


@blueprint.post("/")
def hand_in() -> Response:
    """Take in what a form without scripts sends: one or many pictures."""
    pictures = [picture for picture in request.files.getlist("picture") if picture.filename]
    if not pictures:
        raise Refused(400, "no-picture-sent")
    batch = new_batch()
    numbers = [take_in(picture, batch=batch) for picture in pictures]
    return redirect(url_for("checks.one", number=numbers[0]) if len(numbers) == 1 else url_for("checks.index"), 303)


@blueprint.get("/<number>")
def one(number: str) -> str:
    """One photo's verdict page: its address lasts."""
    return render_template("checks/one.html", check=known(number), stages=names(the().settings))


@blueprint.post("/<number>/stage")
def say_stage(number: str) -> Response:
    """Put a wrongly recognised stage right."""
    put_right(number, said_stage(request.form.get("stage")))
    return redirect(url_for("checks.one", number=number), 303)


@blueprint.post("/<number>/delete")
def delete(number: str) -> Response:
    """Delete a check."""
    known(number)
    shelf.remove(the().store, [number])
    return redirect(url_for("checks.index"), 303)


@blueprint.post("/delete-all")
def delete_all() -> Response:
    """Delete all checks."""
    shelf.remove_all(the().store)
    return redirect(url_for("checks.index"), 303)
