"""The page's words in the visitor's language.

Words stand in ``words/<language>.toml`` of the frame and of each journey; a key is ``<journey>.<table>.<name>``, the
frame's words have no journey before them.  Fields are those of `str.format`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from flask import Flask, current_app, g, has_request_context, request
from markupsafe import Markup, escape
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header, parse_cookie

from referee.service.journeys import JOURNEYS
from referee.words import LANGUAGES, spaced

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

COOKIE = "language"
LONGEST_ACCEPT = 500
COOKIE_S = 365 * 24 * 3600
NAMES = {"en": "English", "fr": "Français"}
"""Each language in itself."""


@cache
def catalogue(language: str) -> Mapping[str, str]:
    """All words of a language by their key."""
    words = dict(_read("referee.service", language, ""))
    for journey in JOURNEYS:
        words |= _read(f"referee.service.{journey}", language, f"{journey}.")
    return {key: spaced(row) for key, row in words.items()} if language == "fr" else words


def _read(package: str, language: str, prefix: str) -> dict[str, str]:
    text = files(package).joinpath("words", f"{language}.toml").read_text(encoding="utf-8")
    return dict(_flat(tomllib.loads(text), prefix))


def _flat(table: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, str]]:
    for name, value in table.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield prefix + name, str(value)


def chosen() -> str:
    """The language of this request: the choice that stays, else what the browser asks for, else the setting's."""
    if not has_request_context():
        return LANGUAGES[0]
    if "language" not in g:
        g.language = _chosen()
    return str(g.language)


def _chosen() -> str:
    return of_visitor(request.environ, str(current_app.extensions["referee"].settings.language))


def of_visitor(environ: WSGIEnvironment, otherwise: str) -> str:
    """The language of a request: the choice that stays, else what the browser likes best, else another one.

    >>> [of_visitor({"HTTP_ACCEPT_LANGUAGE": a}, "en") for a in ("de-CH, fr;q=0.8, en;q=0.7", "fr-CA", "x;q=?,,;", "")]
    ['fr', 'fr', 'en', 'en']
    >>> of_visitor({"HTTP_COOKIE": "language=fr", "HTTP_ACCEPT_LANGUAGE": "en"}, "en")
    'fr'
    """
    kept = parse_cookie(environ).get(COOKIE)
    if kept in LANGUAGES:
        return str(kept)
    accepted = parse_accept_header(environ.get("HTTP_ACCEPT_LANGUAGE", "")[:LONGEST_ACCEPT], LanguageAccept)
    for wanted in accepted.values():  # the best first; fr-CA is French
        if (language := wanted.partition("-")[0].lower()) in LANGUAGES:
            return language
    return otherwise


def say(key: str, language: str | None = None, /, **values: object) -> str:
    """Words in a language (the request's, if none is said), their fields filled; an unknown key is an error."""
    return catalogue(language or chosen())[key].format(**values)


def shown(key: str, language: str | None = None, /, **values: object) -> str:
    """The same for a template: where a field is markup the words are, too, and everything else is escaped."""
    if not any(isinstance(value, Markup) for value in values.values()):
        return say(key, language, **values)
    return escape(catalogue(language or chosen())[key]).format(**values)


def as_named(name: str) -> str:
    """The name of a stage, which is English in every language: marked as such where the page is not."""
    return name if chosen() == "en" else Markup('<span lang="en">{}</span>').format(name)


def marked(words: str, name: str | None) -> str:
    """Words in the page's language in which a stage is named: the name is marked as English."""
    before, found, after = words.partition(name) if name else (words, "", "")
    return words if not found else escape(before) + as_named(found) + escape(after)


def has(key: str) -> bool:
    """Whether there are words for a key."""
    return key in catalogue(LANGUAGES[0])


def number(value: float, decimals: int = 0, language: str | None = None) -> str:
    """A number as the language writes it.

    >>> number(3.5, 1, "en"), number(3.5, 1, "fr")
    ('3.5', '3,5')
    """
    written = f"{value:.{decimals}f}"
    return written.replace(".", say("decimal", language))


def when(at_s: float) -> str:
    """A time of day as people here write it, by this machine's clock."""
    return (
        datetime.fromtimestamp(at_s).astimezone().strftime("%d/%m/%Y %H:%M" if chosen() == "fr" else "%Y-%m-%d %H:%M")
    )


def iso(at_s: float) -> str:
    """The same for a machine."""
    return datetime.fromtimestamp(at_s, UTC).isoformat(timespec="seconds")


def prepare(app: Flask) -> None:
    """Give templates `t` (words), `language` and `number`."""
    app.jinja_env.filters.update(when=when, iso=iso)
    app.jinja_env.globals.update(t=shown, has_words=has, language=chosen, number=number, language_names=NAMES)
