"""The guard at the door, before the application: is this our own host, our own form, and has this visitor joined?

WSGI, so that nothing behind it can forget to ask.  Who is at this machine itself (`front.HERE`) comes in without a
code; everybody else meets one small page that asks for it, in English or French, whatever was asked for.
"""

from __future__ import annotations

import json
import math
import re
import secrets
from collections.abc import Iterable, Mapping
from http.cookies import CookieError, SimpleCookie
from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

from referee.service.front import HERE
from referee.service.invitation import Invitation
from referee.service.join import COOKIE, LASTS_S, Join
from referee.service.join_page import REFUSALS, join_page, refusal_page
from referee.service.language import of_visitor
from referee.words import LANGUAGES

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

JOIN_PATH = "/join"
VISITOR = "referee.visitor"
"""In a request's environment: the id of a joined visitor, "" for this machine itself."""
INVITATION = "referee.invitation"
"""In a request's environment: what a page needs to invite others, an `Invitation`; absent where nobody can come."""

LANGUAGE = "referee.language"
"""In a request's environment: the visitor's language, as `language.of_visitor` finds it."""

ASKED = {"welcome": "200 OK", "ask": "403 Forbidden", "wrong": "403 Forbidden", "wait": "429 Too Many Requests"}
"""What the page that asks for the code says → how HTTP says it."""

JSON = "application/json"
SAFE = {"GET", "HEAD", "OPTIONS"}
MOST_FORM_BYTES = 4096


STATUS = {
    "foreign-host": "403 Forbidden",
    "cross-site": "403 Forbidden",
    "not-joined": "403 Forbidden",
    "this-machine-only": "403 Forbidden",
}
"""Why a request is not let through → how HTTP says it; `join_page.REFUSALS` has the words."""


class Guard:
    """WSGI: lets through what may come in.

    ``hosts`` are the names that the page goes by beside ``localhost``; addresses need not be named, since no other
    site can be reached under an address of ours.  Without an ``invitation`` only this machine itself comes in.
    ``language`` is that of a visitor who has chosen none and whose browser asks for none that there is.
    """

    def __init__(
        self,
        application: WSGIApplication,
        invitation: Invitation | None,
        hosts: Iterable[str] = (),
        language: str = LANGUAGES[0],
    ) -> None:
        self._language = language
        self._application = application
        self._invitation = invitation
        self._hosts = {"localhost", *(host.lower().rstrip(".") for host in hosts)}

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer one request."""
        if not _is_text(environ.get("HTTP_COOKIE", "")):
            del environ["HTTP_COOKIE"]
        environ[LANGUAGE] = of_visitor(environ, self._language)
        if not host_is_ours(environ.get("HTTP_HOST", ""), self._hosts):
            return refused("foreign-host", environ, start_response)
        if environ["REQUEST_METHOD"] not in SAFE and from_another_site(environ):
            return refused("cross-site", environ, start_response)
        join = self._invitation.join if self._invitation is not None else None
        visitor = _visitor(join, environ)
        if join is not None and environ.get("PATH_INFO") == JOIN_PATH:
            return _at_the_door(join, environ, start_response, visitor)
        if visitor is not None:
            return self._go_on(environ, start_response, visitor)
        if join is None:
            return refused("this-machine-only", environ, start_response)
        if _wants_a_page(environ):
            return _page(join, environ, start_response, "ask", onward(_asked_for(environ)))
        return refused("not-joined", environ, start_response)

    def _go_on(self, environ: WSGIEnvironment, start_response: StartResponse, visitor: str) -> Iterable[bytes]:
        environ[VISITOR] = visitor
        if self._invitation is not None:
            environ[INVITATION] = self._invitation
        return self._application(environ, start_response)


def _is_text(header: str) -> bool:
    """Whether a header's bytes, which WSGI shows as Latin-1, are UTF-8: our cookies are, and nobody can read others."""
    try:
        header.encode("latin-1").decode()
    except UnicodeError:
        return False
    return True


def host_is_ours(host: str, names: set[str]) -> bool:
    """Whether a Host header is an address, or one of our names.

    What DNS rebinding brings is the name of the site that does it.  ``0.0.0.0`` and its like are refused, since
    any site can reach them without a name.

    >>> [host_is_ours(h, {"laptop.local"}) for h in ("192.168.1.5:8150", "Laptop.local", "evil.example", "[::]:80", "")]
    [True, True, False, False, False]
    """
    try:
        found = urlsplit(f"//{host}")
        name, _ = (found.hostname or "").rstrip("."), found.port
    except ValueError:
        return False
    if not name or found.netloc != host or found.username is not None or found.path or found.query or found.fragment:
        return False
    try:
        return not ip_address(name).is_unspecified
    except ValueError:
        return name in names


def from_another_site(environ: WSGIEnvironment) -> bool:
    """Whether a browser says that a request was made by another site's page.

    Browsers tell it by Sec-Fetch-Site, but only to secure pages, and by Origin else; a program that is no browser sends
    neither and is nobody's unwitting hand.
    """
    if (site := environ.get("HTTP_SEC_FETCH_SITE")) is not None:
        return site not in ("same-origin", "none")
    origin = environ.get("HTTP_ORIGIN")
    return origin is not None and origin.lower() != f"{environ['wsgi.url_scheme']}://{environ['HTTP_HOST']}".lower()


def onward(path: str) -> str:
    """Where to go after joining: a path on this page; anything that leads elsewhere becomes the first page.

    >>> [onward(p) for p in ("/races/3?x=1", "//evil.example", "/\\\\evil.example", "https://evil.example", "/join")]
    ['/races/3?x=1', '/', '/', '/', '/']
    """
    plain = path.isascii() and path.isprintable() and " " not in path and "\\" not in path
    inside = path.startswith("/") and not path.startswith("//") and urlsplit(path).path != JOIN_PATH
    return path if plain and inside and len(path) < MOST_FORM_BYTES // 4 else "/"


def refused(code: str, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    """A refusal: a page for a person, for a program an error of the one shape that all errors have."""
    lang = environ[LANGUAGE]
    if _wants_a_page(environ):
        body, kind = refusal_page(lang, code).encode(), "text/html; charset=utf-8"
    else:
        message, hint = REFUSALS[lang][code]
        body, kind = json.dumps({"error": {"code": code, "message": message, "hint": hint}}).encode(), JSON
    start_response(STATUS[code], [("Content-Type", kind), *_plain_headers(body)])
    return _unless_head(environ, body)


COOKIES = re.compile(rb"(?im)^cookie:[ \t]*([^\r\n]*)\r\n")


def has_joined(join: Join, head: bytes) -> bool:
    """Whether the head of a request, as it came over the line, holds the cookie of one who has joined."""
    return any(join.visitor(_cookie_in(found.decode("latin-1"))) for found in COOKIES.findall(head))


def _visitor(join: Join | None, environ: WSGIEnvironment) -> str | None:
    """The id of a visitor who may come in; "" for this machine itself, None for one who has not joined."""
    if environ.get(HERE):
        return ""
    return join.visitor(_cookie(environ)) if join is not None else None


def _at_the_door(
    join: Join, environ: WSGIEnvironment, start_response: StartResponse, visitor: str | None
) -> Iterable[bytes]:
    """The page at /join: takes a code, asks for one, or sends on who has joined already."""
    if environ["REQUEST_METHOD"] == "POST":
        return _take(join, environ, start_response)
    onward_to = onward(parse_qs(environ.get("QUERY_STRING", "")).get("next", ["/"])[0])
    if visitor is None:
        return _page(join, environ, start_response, "welcome", onward_to)
    # With an empty fragment of its own: a browser would else carry the ticket on to the next address.
    return _see_other(start_response, onward_to if "#" in onward_to else f"{onward_to}#", ())


def _take(join: Join, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    """Compare a code that was sent."""
    form = _form(environ)
    onward_to = onward(form.get("next", "/"))
    answer = join.tried(form.get("code", ""), environ.get("REMOTE_ADDR", ""))
    if answer.joined:
        return _see_other(start_response, onward_to, [("Set-Cookie", _set_cookie(join, environ))])
    if answer.wait_s:
        return _page(join, environ, start_response, "wait", onward_to, str(math.ceil(answer.wait_s)))
    return _page(join, environ, start_response, "wrong", onward_to)


def _set_cookie(join: Join, environ: WSGIEnvironment) -> str:
    known = join.visitor(_cookie(environ)) or ""
    secure = "; Secure" if environ["wsgi.url_scheme"] == "https" else ""
    return f"{COOKIE}={join.cookie(known)}; Path=/; Max-Age={LASTS_S}; HttpOnly; SameSite=Lax{secure}"


def _see_other(start_response: StartResponse, path: str, more: Iterable[tuple[str, str]]) -> Iterable[bytes]:
    headers = [("Location", path), ("Content-Type", "text/plain"), *_plain_headers(b"")]
    start_response("303 See Other", [*headers, *more])
    return [b""]


def _page(
    join: Join, environ: WSGIEnvironment, start_response: StartResponse, what: str, onward_to: str, wait: str = ""
) -> Iterable[bytes]:
    nonce = secrets.token_urlsafe(16)
    lang = environ[LANGUAGE]
    keys = "numeric" if join.code.isdecimal() else "text"
    body = join_page(lang, what, onward_to, nonce, wait, keys).encode()
    policy = (
        f"default-src 'none'; style-src 'nonce-{nonce}'; script-src 'nonce-{nonce}'; form-action 'self'; "
        "base-uri 'none'; frame-ancestors 'none'"
    )
    headers = [
        ("Content-Type", "text/html; charset=utf-8"),
        ("Content-Security-Policy", policy),
        ("Vary", "Accept-Language, Cookie"),
        *_plain_headers(body),
    ]
    start_response(ASKED[what], headers + ([("Retry-After", wait)] if wait else []))
    return _unless_head(environ, body)


def _unless_head(environ: WSGIEnvironment, body: bytes) -> Iterable[bytes]:
    return [body] if environ["REQUEST_METHOD"] != "HEAD" else [b""]


def _plain_headers(body: bytes) -> list[tuple[str, str]]:
    return [
        ("Content-Length", str(len(body))),
        ("Cache-Control", "no-store"),
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "same-origin"),
    ]


def _form(environ: WSGIEnvironment) -> Mapping[str, str]:
    """The fields of a small form; of one that is too large or none, nothing."""
    length = environ.get("CONTENT_LENGTH") or "0"
    if not length.isdecimal() or int(length) > MOST_FORM_BYTES:
        return {}
    sent = environ["wsgi.input"].read(int(length)).decode("utf-8", "replace")
    try:
        return {name: values[0] for name, values in parse_qs(sent, max_num_fields=8).items()}
    except ValueError:
        return {}


def _cookie(environ: WSGIEnvironment) -> str:
    return _cookie_in(environ.get("HTTP_COOKIE", ""))


def _cookie_in(cookies: str) -> str:
    try:
        held: SimpleCookie = SimpleCookie(cookies)
    except CookieError:
        return ""
    return str(held[COOKIE].value) if COOKIE in held else ""


def _wants_a_page(environ: WSGIEnvironment) -> bool:
    """Whether a person's browser asks for a page, not a script or a program for its data."""
    return environ["REQUEST_METHOD"] in ("GET", "HEAD") and "text/html" in environ.get("HTTP_ACCEPT", "")


def _asked_for(environ: WSGIEnvironment) -> str:
    path, query = str(environ.get("PATH_INFO", "/")), str(environ.get("QUERY_STRING", ""))
    return f"{path}?{query}" if query else path
