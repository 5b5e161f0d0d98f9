"""What keeps strangers out: the host asked for, where a form comes from, and the headers of every answer.

A browser sends cookies and can send forms from any page to this one.  So whatever changes something must come from
here: its ``Origin`` (and ``Sec-Fetch-Site``), if it has one, must be ours, and beside that a form must hold the
visitor's token, a call to ``/api/`` must carry the header `API_HEADER`, which no page elsewhere can send without
asking us first, which we never allow.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import secrets
import socket
from urllib.parse import urlsplit

from flask import Flask, Response, current_app, g, request
from markupsafe import Markup

from referee.service.faults import API, Refused

VISITOR = "visitor"
VISITOR_S = 365 * 24 * 3600
TOKEN_FIELD = "token"
API_HEADER = "X-Referee"
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
HOME_ENDINGS = (".local", ".lan", ".home", ".home.arpa", ".internal", ".fritz.box")
"""Names that only a home network gives."""

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
    if not _is_a_name_of_ours(request.host):
        raise Refused(403, "foreign-host")
    if request.method not in SAFE_METHODS:
        _refuse_what_comes_from_elsewhere()


def _refuse_what_comes_from_elsewhere() -> None:
    origin = request.headers.get("Origin")
    if origin is not None and urlsplit(origin).netloc.lower() != request.host.lower():
        raise Refused(403, "cross-site")
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
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


def _is_a_name_of_ours(host: str) -> bool:
    """Whether a request's Host is this machine: an address, or a name that no stranger can have.

    A stranger's name that is made to lead here (DNS rebinding) would make his page one of ours.
    """
    name = urlsplit(f"//{host}").hostname or ""
    try:
        ipaddress.ip_address(name)
        return True
    except ValueError:
        pass
    own = socket.gethostname().lower()
    return name in ("localhost", own, own.partition(".")[0]) or name.endswith((".localhost", *HOME_ENDINGS))
