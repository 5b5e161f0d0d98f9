"""The application: settings in, Flask out."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from typing import Any, cast

from flask import Flask, Response, current_app, jsonify, redirect, render_template, request, url_for
from flask.json.provider import DefaultJSONProvider
from markupsafe import Markup
from werkzeug.wrappers import Response as AnyResponse

from referee.service import faults, journeys, language, openapi, safety
from referee.service.guard import INVITATION
from referee.service.jobs.bell import Bell
from referee.service.settings import Settings
from referee.service.store.open import Store, open_store
from referee.words import LANGUAGES

FORM_MB = 600
"""A form may bring so much at once: fifty pictures of 12 MB."""
MEGA = 1_000_000


@dataclass(frozen=True)
class House:
    """What the views share: ``the()`` gives it."""

    settings: Settings
    store: Store
    bell: Bell
    secret: str


class ShallowJSON(DefaultJSONProvider):
    """JSON as it is read and written here: what is nested too deeply is no JSON for us."""

    sort_keys = False

    def loads(self, s: str | bytes, **kwargs: Any) -> Any:
        """Read it; ValueError for what cannot be read, however it was made."""
        try:
            return super().loads(s, **kwargs)
        except RecursionError:
            raise ValueError("nested too deeply") from None


def create_app(settings: Settings, store: Store | None = None) -> Flask:
    """The page as a WSGI application; it starts neither thread nor process."""
    store = store or open_store(settings)
    app = Flask(__name__)
    app.json = ShallowJSON(app)
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.config["MAX_CONTENT_LENGTH"] = max(FORM_MB, settings.picture_mb) * MEGA
    app.extensions["referee"] = House(settings, store, Bell(settings), store.database.secret("forms"))
    app.teardown_request(_close_uploads)
    faults.prepare(app)
    safety.prepare(app)
    language.prepare(app)
    _add_frame(app)
    journeys.register(app)
    return app


def _close_uploads(_fault: BaseException | None) -> None:
    """Let go of the files that a form brought."""
    request.close()


def the() -> House:
    """The settings, store and bell of the application that answers."""
    return cast(House, current_app.extensions["referee"])


def _add_frame(app: Flask) -> None:
    """The pages that belong to no journey."""
    app.add_url_rule("/", view_func=home)
    app.add_url_rule("/language", view_func=choose_language, methods=["POST"])
    app.add_url_rule("/static/report.css", view_func=report_style)
    app.add_url_rule("/api/openapi.json", view_func=api_description)
    app.jinja_env.globals.update(navigation=navigation, stage_marked=_stage_marked)


def _stage_marked(words: str, stage: int | None) -> str:
    from referee.service.telling import stage_marked

    return stage_marked(words, stage)


def navigation() -> list[tuple[str, str, bool]]:
    """The journeys that are there: (words' key, address, whether we are in it)."""
    return [
        (f"{journey}.nav", url_for(f"{journey}.index"), request.blueprint == journey)
        for journey in journeys.JOURNEYS
        if language.has(f"{journey}.nav")
    ]


def home() -> str:
    """Where to go: a card for each journey."""
    invitation = request.environ.get(INVITATION)
    code = Markup(invitation.svg(language.say("phones.qr")) or "") if invitation is not None else ""
    return render_template("home.html", journeys=journeys.JOURNEYS, invitation=invitation, qr=code)


def choose_language() -> AnyResponse:
    """Keep the visitor's choice of a language and go back to where he was."""
    wanted = request.form.get("language", "")
    if wanted not in LANGUAGES:
        raise faults.Refused(400, "bad-request")
    answer = redirect(local_address(request.form.get("back", "")), 303)
    answer.set_cookie(language.COOKIE, wanted, max_age=language.COOKIE_S, samesite="Lax", httponly=True)
    return answer


def local_address(address: str) -> str:
    """An address within this page; anything else becomes its beginning.

    >>> local_address("/checks/"), local_address("//evil.example/"), local_address("https://evil.example/")
    ('/checks/', '/', '/')
    """
    is_ours = address.startswith("/") and address[1:2] not in ("/", "\\") and address.isprintable()
    return address if is_ours else "/"


def report_style() -> Response:
    """The stylesheet of the report's own page, for what it draws here."""
    text = files("referee.report").joinpath("page.css").read_text(encoding="utf-8")
    return Response(text, mimetype="text/css", headers={"Cache-Control": "no-cache"})


@openapi.described("This description.", {200: {"type": "object"}})
def api_description() -> Response:
    """The OpenAPI document."""
    return jsonify(openapi.document(current_app))
