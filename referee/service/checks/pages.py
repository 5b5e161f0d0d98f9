"""The pages of `checks` for people."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Iterator
from itertools import chain

from flask import Response, jsonify, redirect, render_template, request, stream_with_context, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response as AnyResponse

from referee.service import language
from referee.service.app import the
from referee.service.checks import blueprint, deciding, drawn, shelf
from referee.service.checks.calls import (
    board_of,
    known,
    new_batch,
    put_right,
    said_stage,
    take_in_all,
    unchanged,
    undo,
    write_down,
)
from referee.service.checks.shelf import Board, Check
from referee.service.checks.table import Decided, csv_lines
from referee.service.faults import Refused
from referee.service.stages import names

SHOWN = 60
"""So many checks stand on the first page; the table has them all."""
IN_THE_TABLE = 1000
"""So many stand in the table of the page; the file for a spreadsheet has them all."""
PICTURE_AGE_S = 3600
WHO = "who"
"""The cookie with the name of whoever decided last, so that it need not be typed again."""
AFTER_A_WHILE = "private, max-age="


@blueprint.get("/")
def index() -> str:
    """Where photos are handed in, and what came of them."""
    settings, store = the().settings, the().store
    return render_template(
        "checks/index.html",
        checks=_first_ones(),
        count=shelf.count(store),
        shown=SHOWN,
        settings=settings,
        samples=settings.samples is not None,
    )


@blueprint.get("/rows")
def rows() -> str:
    """The rows of the first page alone, for its script."""
    return render_template("checks/rows.html", checks=_first_ones())


def _first_ones() -> list[Check]:
    return shelf.as_handed_in(shelf.latest(the().store, SHOWN))


@blueprint.post("/")
def hand_in() -> AnyResponse:
    """Take in what a form without scripts sends: one or many pictures."""
    pictures = [picture for picture in request.files.getlist("picture") if picture.filename]
    if not pictures:
        raise Refused(400, "no-picture-sent")
    numbers = take_in_all(pictures)
    return redirect(url_for("checks.one", number=numbers[0]) if len(numbers) == 1 else url_for("checks.index"), 303)


@blueprint.post("/samples")
def try_samples() -> AnyResponse:
    """Hand in the sample pictures that come with the referee."""
    folder = the().settings.samples
    if folder is None:
        raise Refused(404, "not-found")
    batch = new_batch()
    for path in sorted(folder.glob("*.jpg")):
        shelf.add(the().store, path.read_bytes(), path.name, batch=batch)
        the().bell.ring()
    return redirect(url_for("checks.index"), 303)


@blueprint.get("/table")
def table() -> str:
    """All results as one table."""
    store = the().store
    shown = shelf.as_handed_in(shelf.latest(store, IN_THE_TABLE))
    decided = deciding.that_hold(store, [check.id for check in shown])
    return render_template(
        "checks/table.html", checks=shown, decided=decided, count=shelf.count(store), shown=IN_THE_TABLE
    )


@blueprint.get("/table.csv")
def table_as_csv() -> Response:
    """The same as a file for a spreadsheet, made while it is sent: all results, however many."""
    lines = csv_lines(_everything(), language.chosen(), request.url_root.rstrip("/"))
    pieces: Iterator[bytes] = stream_with_context(chain([BOM_UTF8], (line.encode(errors="replace") for line in lines)))
    return _file(pieces, "text/csv; charset=utf-8", "referee.csv")


def _everything() -> Iterator[tuple[list[Check], Decided]]:
    """All checks with the decisions about them, some at a time, the latest first."""
    store = the().store
    for some in shelf.everything(store):
        yield shelf.as_handed_in(some), deciding.that_hold(store, [check.id for check in some])


# ------------------------------------------------------------------------------------------------------ one photo


@blueprint.get("/<number>")
def one(number: str) -> str:
    """One photo's verdict page: its address lasts."""
    check = known(number)
    return render_template(
        "checks/one.html",
        check=check,
        sheets=_sheets(check),
        stages=names(the().settings),
        settings=the().settings,
        decisions=deciding.of_check(the().store, number),
        calls=[(board, _overrulable(board)) for board in check.boards if board.verdict != "error"],
        who=request.cookies.get(WHO, ""),
    )


def _overrulable(board: Board) -> list[deciding.Question]:
    """What the referee answered itself: a person may know better."""
    return [question for question in deciding.questions(board) if not question.open]


def _sheets(check: Check) -> Markup | None:
    """What was drawn for a check, None where there is nothing (yet, or any more).

    It is markup of the worker's making, in which everything that came from outside is escaped.
    """
    kept = _kept_page(check)
    if kept is None:
        return None

    def address(name: str) -> str:
        return url_for("checks.picture", number=check.id, name=name, of=(check.drawn or "").rpartition("/")[2])

    return Markup(drawn.on_the_page(kept, address, lambda board, question: _form(check, board, question)))


def _form(check: Check, board: int, question: int) -> str:
    """The form that answers an open question, for its card; none while the photo is being judged or is gone."""
    if check.state != "judged" or check.picture is None:
        return ""
    asked = {"check": check, "board": board, "key": f"question-{question}", "who": request.cookies.get(WHO, "")}
    return render_template("checks/decide.html", **asked)


def _kept_page(check: Check) -> str | None:
    if check.drawn is None:
        return None
    try:
        return the().store.pictures.read(drawn.page_key(check.drawn, language.chosen())).decode()
    except FileNotFoundError:
        return None


@blueprint.get("/<number>/drawn/<name>")
def picture(number: str, name: str) -> Response:
    """A picture that was drawn for a check."""
    check = known(number)
    if check.drawn is None or not drawn.NAME.fullmatch(name):
        raise Refused(404, "not-found")
    try:
        content = the().store.pictures.read(f"{check.drawn}/{name}")
    except FileNotFoundError:
        raise Refused(404, "not-found") from None
    answer = Response(content, mimetype="image/jpeg")
    answer.headers["Cache-Control"] = f"{AFTER_A_WHILE}{PICTURE_AGE_S}"
    return answer


@blueprint.get("/<number>/page.html")
def take_home(number: str) -> Response:
    """The page of `--out`: one file that asks nothing of anybody."""
    check = known(number)
    kept = _kept_page(check)
    if kept is None or check.drawn is None:
        raise Refused(404, "not-found")
    whole = drawn.to_take_home(kept, the().store.pictures, check.drawn)
    return _file(whole.encode(errors="replace"), "text/html; charset=utf-8", "referee.html")


@blueprint.get("/<number>/report.json")
def report(number: str) -> Response:
    """The reports of a photo's boards, as `referee judge --json` prints them."""
    reports = [board.report for board in known(number).boards]
    answer = jsonify(reports[0] if len(reports) == 1 else reports)
    answer.headers["Content-Disposition"] = "attachment; filename=report.json"
    return answer


@blueprint.post("/<number>/stage")
def say_stage(number: str) -> AnyResponse:
    """Put a wrongly recognised stage right."""
    check = unchanged(known(number), request.form.get("judging", type=int))
    put_right(check, said_stage(request.form.get("stage")))
    return redirect(url_for("checks.one", number=number), 303)


@blueprint.post("/<number>/decide")
def decide(number: str) -> AnyResponse:
    """Confirm or overrule the referee.

    The form tells of which judging it is: somebody may have decided meanwhile, and the questions be others.
    """
    check, sent = known(number), request.form
    board = board_of(check, sent.get("board", 0, type=int))
    key, _, opposite = sent.get("about", "").partition(":")
    question = next((one for one in deciding.questions(board) if one.key == key), None)
    if sent.get("judged_at") != repr(check.judged_at) or check.state != "judged":
        raise Refused(409, "conflict")
    write_down(check, board, question, sent.get("answer") or opposite, sent.get("who", ""), sent.get("why", ""))
    answer = redirect(url_for("checks.one", number=number), 303)
    answer.set_cookie(WHO, deciding.cleaned(sent.get("who", "")), samesite="Lax", httponly=True)
    return answer


@blueprint.post("/<number>/decisions/<int:decision>/take-back")
def take_back(number: str, decision: int) -> AnyResponse:
    """Take a decision back."""
    undo(known(number), decision)
    return redirect(url_for("checks.one", number=number), 303)


@blueprint.route("/<number>/delete", methods=["GET", "POST"])
def delete(number: str) -> AnyResponse | str:
    """Ask, then delete a check."""
    check = known(number)
    if request.method == "GET":
        return render_template("checks/delete.html", check=check)
    shelf.remove(the().store, [number])
    return redirect(url_for("checks.index"), 303)


@blueprint.route("/delete-all", methods=["GET", "POST"])
def delete_all() -> AnyResponse | str:
    """Ask, then delete all checks."""
    if request.method == "GET":
        return render_template("checks/delete_all.html", count=shelf.count(the().store))
    shelf.remove_all(the().store)
    return redirect(url_for("checks.index"), 303)


def _file(content: bytes | Iterator[bytes], kind: str, name: str) -> Response:
    """Something to save: never opened in this page's own name."""
    answer = Response(content, content_type=kind)
    answer.headers["Content-Disposition"] = f"attachment; filename={name}"
    return answer
