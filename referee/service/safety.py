"""What keeps strangers out of what is inside: where a form comes from, and the headers of every answer.

A browser sends cookies and can send forms from any page to this one.  So whatever changes something must come from
here: not from another site, as far as the browser says (`guard.from_another_site`), and beside that a form must hold
the visitor's token, a call to ``/api/`` must carry the header `API_HEADER`, which no page elsewhere can send without
asking us first, which we never allow.  Who may come in at all is for the `guard` at the door, before the application.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets

from flask import Flask, Response, current_app, g, request
from markupsafe import Markup

from referee.service.faults import API, Refused
from referee.service.guard import from_another_site

VISITOR = "visitor"
VISITOR_S = 365 * 24 * 3600
TOKEN_FIELD = "token"
API_HEADER = "X-Referee"
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; media-src 'self' blob:; "
    "connect-src 'self'; font-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(self), microphone=(self), geolocation=(), payment=(), usb=()",
}


def prepare(app: Flask) -> None:
    """Guard every request and dress every answer; call this before anything else is registered."""
    app.before_request(_guard)
    app.after_request(_dress)
    app.jinja_env.globals.update(token_field=token_field, token=token)


def _guard() -> None:
    if request.path.startswith(API):  # one picture a call; before anything of the body is read
        request.max_content_length = (current_app.extensions["referee"].settings.picture_mb + 1) * 1_000_000
    g.visitor = request.cookies.get(VISITOR) or ""
    if len(g.visitor) != 43:
        g.visitor, g.new_visitor = secrets.token_urlsafe(32), True
    if request.method not in SAFE_METHODS:
        _refuse_what_comes_from_elsewhere()


def _refuse_what_comes_from_elsewhere() -> None:
    if from_another_site(request.environ):
        raise Refused(403, "cross-site")
    if request.path.startswith(API):
        if not request.headers.get(API_HEADER):
            raise Refused(403, "no-api-header", header=API_HEADER)
    elif not hmac.compare_digest(request.form.get(TOKEN_FIELD, "").encode(), token().encode()):
        raise Refused(403, "no-token")


def token() -> str:
    """The visitor's token: it follows from his cookie and this installation's secret."""
    secret = current_app.extensions["referee"].secret.encode()
    return hmac.new(secret, f"form:{g.visitor}".encode(), hashlib.sha256).hexdigest()


def token_field() -> Markup:
    """The hidden field that every form holds."""
    return Markup('<input type="hidden" name="{}" value="{}">').format(TOKEN_FIELD, token())


def _dress(answer: Response) -> Response:
    for name, value in HEADERS.items():
        answer.headers.setdefault(name, value)
    if not request.path.startswith("/static/") and "Cache-Control" not in answer.headers:
        answer.headers["Cache-Control"] = "no-store"
    if g.get("new_visitor"):
        answer.set_cookie(
            VISITOR, g.visitor, max_age=VISITOR_S, httponly=True, samesite="Lax", secure=request.is_secure
        )
    return answer
