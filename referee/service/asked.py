"""What a request brings: JSON, a picture, the event of a pressed button, the invitation for phones.

What programs send is held against the description of the call that answers (`openapi`).
"""

from __future__ import annotations

from collections.abc import Mapping
from os import SEEK_END
from typing import Any
from urllib.parse import quote

from flask import current_app, json, request
from markupsafe import Markup

from referee.model import Json
from referee.service import openapi, qr
from referee.service import schema as schemas
from referee.service.app import MEGA, the
from referee.service.faults import Refused
from referee.service.guard import INVITATION
from referee.service.invitation import Invitation
from referee.service.language import say


def json_body() -> Json:
    """The JSON object that was sent; refuses anything else, and what is not as this call is described."""
    body = request.get_json(silent=True)
    if not isinstance(body, dict):
        raise Refused(400, "bad-request")
    _refuse_unlike(body, _this_call().body)
    return body


def query() -> Json:
    """What stands behind the question mark, as this call is described; refuses what is not so."""
    return _words_of(request.args, {"properties": _this_call().query, "additionalProperties": False})


def fields() -> Json:
    """The words of the form that was sent, as this call is described; files are not among them."""
    body = _this_call().body or {}
    known = {name: one for name, one in body.get("properties", {}).items() if one.get("format") != "binary"}
    return _words_of(request.form, {"properties": known})


def _words_of(found: Mapping[str, str], schema: Json) -> Json:
    known = schema["properties"]
    heard = {name: schemas.heard(word, known.get(name, {})) for name, word in found.items()}
    _refuse_unlike(heard, schema)
    return heard


def _this_call() -> openapi.Description:
    return openapi.about(current_app.view_functions[str(request.endpoint)])


def _refuse_unlike(found: Json, schema: Json | None) -> None:
    wrong = schemas.misfit(found, schema or {})
    if wrong is not None:
        what = say(f"misfit.{wrong.keyword}", where=wrong.where, limit=wrong.limit)
        raise Refused(400, "bad-request", words="misfit", what=what)


def event_of(button: str) -> Json:
    """The event that a form's button holds as JSON; refuses anything else."""
    try:
        event = json.loads(button)
    except ValueError:
        event = None
    if not isinstance(event, dict):
        raise Refused(400, "bad-request")
    return event


def picture_bytes(picture: Any) -> bytes:
    """The bytes of an uploaded picture; refuses none, and one that is too large."""
    if picture is None or not picture.filename:
        raise Refused(400, "no-picture-sent")
    refuse_too_large(picture)
    content: bytes = picture.stream.read()
    return content


def refuse_too_large(picture: Any) -> None:
    """Refuse an uploaded file that is larger than the setting allows."""
    most = the().settings.picture_mb
    size = picture.stream.seek(0, SEEK_END)
    picture.stream.seek(0)
    if size > most * MEGA:
        raise Refused(413, "picture-too-large", most=most)


def way_in(page: str, label: str) -> dict[str, Any]:
    """How a phone comes to a page, as ``qr`` (with its label) and ``code``; both empty where none can."""
    invitation: Invitation | None = request.environ.get(INVITATION)
    if invitation is None or (link := invitation.link) is None:
        return {"qr": "", "code": ""}
    door, _, ticket = link.partition("#")
    return {"qr": Markup(qr.svg(f"{door}?next={quote(page, safe='/')}#{ticket}", label)), "code": invitation.code}
