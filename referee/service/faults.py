"""What is refused, in one shape: {"error": {code, message, hint}} for programs, a page of the same words for people."""

from __future__ import annotations

import errno
import logging
import sqlite3

from flask import Flask, Response, current_app, jsonify, render_template, request
from sqlalchemy.exc import DBAPIError
from werkzeug.exceptions import HTTPException

from referee.errors import RefereeError
from referee.errors import Refused as NotAllowed
from referee.service import language

API = "/api/"
CODES = {
    400: "bad-request",
    403: "forbidden",
    404: "not-found",
    405: "not-allowed-here",
    409: "conflict",
    413: "picture-too-large",
    415: "wrong-type",
    429: "too-often",
    500: "fault",
}
"""The code of a refusal that says nothing more special; its words are ``fault.<code>.message`` and ``.hint``."""


POSTGRES_FULL = "53100"
"""The state in which PostgreSQL answers if its disk is full."""


class Refused(Exception):
    """A request that is not done: ``code`` names its words, ``fault.<code>.message`` and ``fault.<code>.hint``.

    ``words`` names other ones, where several things that may be wrong have one code; ``values`` fill their fields.
    """

    def __init__(self, status: int, code: str, *, words: str = "", **values: object) -> None:
        super().__init__(code)
        self.status = status
        self.code = code
        self.words = words or code
        self.values = values


def prepare(app: Flask) -> None:
    """Answer every refusal and every fault in the one shape."""
    app.register_error_handler(Refused, _refused)
    app.register_error_handler(NotAllowed, _not_allowed)
    app.register_error_handler(RefereeError, _mendable)
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(Exception, _fault)


def _refused(fault: Refused) -> tuple[Response | str, int]:
    words = [language.say(f"fault.{fault.words}.{part}", **fault.values) for part in ("message", "hint")]
    return _answer(fault.status, fault.code, *words)


def _not_allowed(fault: NotAllowed) -> tuple[Response | str, int]:
    """What the rules of play do not allow now: in the visitor's language where there are words for it.

    What is no event, or no choice, at all is no more understood than any other request that makes no sense.
    """
    if fault.word == "malformed":
        return _refused(Refused(400, "bad-request", words="misfit", what=fault.message.rstrip(".")))
    key = f"fault.{fault.word}"
    if not language.has(f"{key}.message"):
        return _answer(409, fault.word, fault.message, fault.hint)
    return _answer(409, fault.word, *(language.say(f"{key}.{part}", **fault.values) for part in ("message", "hint")))


def _mendable(fault: RefereeError) -> tuple[Response | str, int]:
    return _answer(400, fault.code, fault.message, fault.hint)


def _http(fault: HTTPException) -> tuple[Response | str, int] | HTTPException:
    status = fault.code or 500
    if status < 400:  # a redirect
        return fault
    code = CODES.get(status, "bad-request" if status < 500 else "fault")
    values = {}
    if status == 413:
        is_picture = request.path.startswith(API)  # a call brings one picture, a form of a page many
        code = code if is_picture else "too-much"
        values = {"most": the_most(is_picture)}
    words = [language.say(f"fault.{code}.{part}", **values) for part in ("message", "hint")]
    return _answer(status, code, *words)


def the_most(is_picture: bool) -> int:
    """How many MB a picture may have, or a form with many."""
    if is_picture:
        return int(current_app.extensions["referee"].settings.picture_mb)
    return int(current_app.config["MAX_CONTENT_LENGTH"]) // 10**6


def _fault(fault: Exception) -> tuple[Response | str, int]:
    if is_full(fault):
        logging.getLogger("referee").error("no room left at %s %s: %s", request.method, request.path, fault)
        return _refused(Refused(507, "disk-full"))
    logging.getLogger("referee").exception("a fault of the page's own at %s %s", request.method, request.path)
    return _answer(500, "fault", language.say("fault.fault.message"), language.say("fault.fault.hint"))


def is_full(fault: BaseException) -> bool:
    """Whether something failed for want of room: on the disk, in SQLite, on Postgres' disk."""
    cause = fault.orig if isinstance(fault, DBAPIError) else fault
    if isinstance(cause, OSError):
        return cause.errno in (errno.ENOSPC, errno.EDQUOT)
    is_sqlites = getattr(cause, "sqlite_errorcode", None) in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_SHMSIZE)
    return is_sqlites or getattr(cause, "sqlstate", None) == POSTGRES_FULL


def _answer(status: int, code: str, message: str, hint: str) -> tuple[Response | str, int]:
    if request.path.startswith(API):
        return jsonify(error={"code": code, "message": message, "hint": hint}), status
    return render_template("fault.html", message=message, hint=hint), status
