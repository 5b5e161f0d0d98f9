"""The description of the calls for programs, gathered from beside the routes: OpenAPI 3.1 at /api/openapi.json."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from flask import Flask
from werkzeug.routing import Rule

import referee
from referee.model import Json
from referee.service.faults import API
from referee.service.safety import API_HEADER, SAFE_METHODS

View = TypeVar("View", bound=Callable[..., Any])

ERROR: Json = {
    "type": "object",
    "required": ["error"],
    "additionalProperties": False,
    "properties": {
        "error": {
            "type": "object",
            "required": ["code", "message", "hint"],
            "additionalProperties": False,
            "properties": {name: {"type": "string"} for name in ("code", "message", "hint")},
        }
    },
}
HEADER: Json = {
    "name": API_HEADER,
    "in": "header",
    "required": True,
    "schema": {"type": "string", "minLength": 1},
    "description": "Any word. A page of another site cannot send it, so that none can act in a visitor's name.",
}
KINDS = {"int": "integer", "string": "string", "default": "string", "float": "number"}


@dataclass(frozen=True)
class Description:
    """What is said about one call."""

    summary: str
    answers: Mapping[int, Json | str] = field(default_factory=dict)
    """What each status answers: a JSON schema, or the name of another media type."""
    body: Json | None = None
    media: str = "application/json"
    query: Mapping[str, Json] = field(default_factory=dict)


def described(
    summary: str,
    answers: Mapping[int, Json | str],
    *,
    body: Json | None = None,
    media: str = "application/json",
    query: Mapping[str, Json] | None = None,
) -> Callable[[View], View]:
    """Describe a view of the API where it is written.

    ``answers`` has what each good status answers: a JSON schema, or another media type's name; ``body`` is the schema
    of what is sent, as ``media``; ``query`` has a schema for each parameter behind the question mark.
    """

    def mark(view: View) -> View:
        _ABOUT[view] = Description(summary, answers, body, media, query or {})
        return view

    return mark


_ABOUT: dict[Callable[..., Any], Description] = {}
"""What is said about each view."""


def about(view: Callable[..., Any]) -> Description:
    """What is said about a view of the API."""
    return _ABOUT[view]


def document(app: Flask) -> Json:
    """The whole description."""
    paths: dict[str, Json] = {}
    for rule in calls(app):
        said = about(app.view_functions[rule.endpoint])
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
            path = re.sub(r"<(?:[^:<>]+:)?([^<>]+)>", r"{\1}", rule.rule)
            paths.setdefault(path, {})[method.lower()] = _operation(rule, method, said)
    return {
        "openapi": "3.1.0",
        "info": {"title": "The camera referee", "version": referee.__version__},
        "paths": paths,
        "components": {"schemas": {"Error": ERROR}},
    }


def calls(app: Flask) -> Iterator[Rule]:
    """The routes for programs."""
    return (rule for rule in app.url_map.iter_rules() if rule.rule.startswith(API))


def _operation(rule: Rule, method: str, about: Description) -> Json:
    parameters = [_in_path(rule, name) for name in sorted(rule.arguments)]
    parameters += [{"name": name, "in": "query", "schema": schema} for name, schema in about.query.items()]
    parameters += [] if method in SAFE_METHODS else [HEADER]
    told: Json = {"operationId": f"{rule.endpoint}.{method.lower()}", "summary": about.summary}
    told |= {"parameters": parameters, "responses": _responses(about)}
    if about.body is not None:
        told["requestBody"] = {"required": True, "content": {about.media: {"schema": about.body}}}
    return told


def _in_path(rule: Rule, name: str) -> Json:
    kind = re.search(rf"<(\w+)(?:\([^)]*\))?:{name}>", rule.rule)
    return {"name": name, "in": "path", "required": True, "schema": {"type": KINDS[kind[1] if kind else "default"]}}


def _responses(about: Description) -> Json:
    told: Json = {}
    for status, answer in about.answers.items():
        content = {answer: {}} if isinstance(answer, str) else {"application/json": {"schema": answer}}
        told[str(status)] = {"description": about.summary} | ({} if status == 204 else {"content": content})
    error = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    return told | {"default": {"description": "What was refused, why, and what to do.", "content": error}}
