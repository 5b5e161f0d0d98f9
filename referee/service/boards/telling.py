"""A draft as the API tells it: how far it is, what it lacks, and what a drive on it came to."""

from __future__ import annotations

import json
import threading
from functools import lru_cache
from typing import cast

import numpy as np
from flask import url_for

from referee.driven import judge_drive
from referee.model import Floats, Json, Judgement
from referee.report.words import event_words_in
from referee.service import language
from referee.service.boards.drafts import Draft
from referee.stage.missing import Look, look_over
from referee.stage.tracing import tracing_from
from referee.words import Language, say, told

KEPT_LOOKS = 12
FINE = 2
"""Decimals of a millimetre that the page draws."""

_WORD: Json = {"type": "string"}
_PLACE: Json = {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2}
_LINE: Json = {"type": "array", "items": _PLACE}
_LINES: Json = {"type": "array", "items": _LINE}
LACK: Json = {
    "type": "object",
    "required": ["level", "text", "hint", "at_mm", "element"],
    "properties": {
        "level": {"enum": ["error", "warning"]},
        "text": _WORD,
        "hint": _WORD,
        "at_mm": {"anyOf": [_PLACE, {"type": "null"}]},
        "element": {"type": ["integer", "null"]},
    },
}
LOOK: Json = {
    "type": "object",
    "required": ["version", "ready", "lacks", "roads", "course"],
    "properties": {
        "version": {"type": "integer"},
        "ready": {"type": "boolean", "description": "Whether the board can be driven and saved."},
        "lacks": {"type": "array", "items": LACK},
        "roads": _LINES,
        "course": _LINES,
    },
}
DRAFT: Json = {
    "type": "object",
    "required": ["id", "name", "step", "version", "seen", "tracing", "suggestions", "page", "saved", "error"],
    "properties": {
        "id": _WORD,
        "name": _WORD,
        "step": {"enum": ["finding", "corners", "laying", "tracing", "failed"]},
        "version": {"type": "integer"},
        "seen": {"type": "object", "description": "The picture's size, the corners in its pixels, the board's size."},
        "tracing": {"type": "object"},
        "suggestions": {"type": "array", "items": {"type": "object"}},
        "page": _WORD,
        "saved": {"type": ["integer", "null"]},
        "error": {"type": ["object", "null"]},
    },
}
JUDGED: Json = {
    "type": "object",
    "required": ["verdict", "words", "finished", "accidents", "events"],
    "properties": {
        "verdict": {"enum": ["fair", "ignored-accident", "unfinished", "review"]},
        "words": _WORD,
        "finished": {"type": "boolean"},
        "accidents": {"type": "integer"},
        "events": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["kind", "words", "at_mm", "element"],
                "properties": {
                    "kind": _WORD,
                    "words": _WORD,
                    "at_mm": _PLACE,
                    "element": {"type": ["string", "null"]},
                },
            },
        },
    },
}

_LOOKING = threading.Lock()
"""One look at a time: it is work for a processor, and many at once would only keep other requests waiting."""


def told_draft(draft: Draft) -> Json:
    """A draft."""
    return {
        "id": draft.id,
        "name": draft.name,
        "step": draft.step,
        "version": draft.version,
        "seen": draft.seen,
        "tracing": draft.tracing,
        "suggestions": draft.suggestions,
        "page": url_for("boards.draft", number=draft.id),
        "saved": draft.saved,
        "error": error_words(draft.error),
    }


def error_words(error: Json | None) -> Json | None:
    """What was wrong with a picture, in the visitor's language."""
    if error is None:
        return None
    words = error.get("words", {}).get(language.chosen())
    if words is None:
        words = {part: language.say(f"fault.fault.{part}") for part in ("message", "hint")}
    return {"code": error["code"], **words}


def look_at(tracing: Json) -> Look:
    """What there is to say about a tracing; raises BadTracing."""
    with _LOOKING:
        return _looked(json.dumps(tracing, sort_keys=True))


@lru_cache(maxsize=KEPT_LOOKS)
def _looked(tracing: str) -> Look:
    return look_over(tracing_from(json.loads(tracing)))


def told_look(look: Look, version: int) -> Json:
    """A look at a tracing, in the visitor's language."""
    tongue = cast(Language, language.chosen())
    lacks = [
        {
            "level": one.level,
            "text": told(one.text, tongue),
            "hint": told(one.hint, tongue),
            "at_mm": None if one.at_mm is None else list(one.at_mm),
            "element": one.element,
        }
        for one in look.lacks
    ]
    roads = [] if look.known is None else [np.array(road.exterior.coords) for road in look.known.roads.roads]
    course = () if look.known is None else look.known.course
    return {
        "version": version,
        "ready": look.stage is not None,
        "lacks": lacks,
        "roads": [_points(road) for road in roads],
        "course": [_points(piece) for piece in course],
    }


def judged(look: Look, strokes: list[Floats]) -> Judgement:
    """What a drive on a board comes to; the board must be one."""
    assert look.stage is not None, "only a whole board is driven on"
    with _LOOKING:
        return judge_drive(strokes, look.stage)


def told_judgement(judgement: Judgement) -> Json:
    """A drive's verdict and events, in the visitor's language."""
    tongue = cast(Language, language.chosen())
    return {
        "verdict": judgement.verdict,
        "words": told(say(f"verdict.{judgement.verdict}"), tongue),
        "finished": judgement.finished,
        "accidents": judgement.accidents,
        "events": [
            {
                "kind": event.kind,
                "words": told(event_words_in(judgement, event), tongue),
                "at_mm": list(event.at_mm),
                "element": event.element,
            }
            for event in judgement.events
        ],
    }


def _points(line: Floats) -> list[list[float]]:
    return [[round(float(x), FINE), round(float(y), FINE)] for x, y in line]
