"""The calls of `history` for programs."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from flask import Response, jsonify, request, stream_with_context

from referee.model import Json, Stage
from referee.service import stages
from referee.service.app import the
from referee.service.asked import json_body, query
from referee.service.faults import Refused
from referee.service.guard import from_another_site
from referee.service.history import api, parcel, places, timeline
from referee.service.history.best import best
from referee.service.history.places import OnStage
from referee.service.history.timeline import Place
from referee.service.openapi import described
from referee.service.past import BestTime, Entry, Past, forget_pictures, pasts

MOST, USUAL = 200, 50
AT_ONCE = 2
"""So many parcels are made at once: each holds one of the server's threads as long as somebody loads it down."""
BUSY = threading.BoundedSemaphore(AT_ONCE)

_WORD: Json = {"type": "string"}
_MAYBE: Json = {"type": ["integer", "null"]}
_COUNT: Json = {"type": "integer", "minimum": 0}
_TRUTH: Json = {"type": "boolean"}


def _object(**properties: Json) -> Json:
    return {"type": "object", "required": list(properties), "properties": properties}


def _list(items: Json) -> Json:
    return {"type": "array", "items": items}


ENTRY = _object(
    kind=_WORD,
    id=_WORD,
    at={"type": "number", "description": "When it began: seconds since 1970, UTC."},
    title=_WORD,
    page=_WORD,
    outcomes=_list(_object(tone=_WORD, words=_WORD)),
    time_ms=_MAYBE,
    practice=_TRUTH,
)
ENTRIES = _object(
    entries=_list(ENTRY), next={"type": ["string", "null"], "description": "The `from` of the next page."}
)
BEST_TIME = _object(ms=_COUNT, who=_WORD, at={"type": "number"}, page=_WORD, on_honour=_TRUTH, by_wall_clock=_TRUTH)
BEST_TIMES = _object(
    stages=_list(_object(stage={"type": "integer"}, times=_list(BEST_TIME))),
    challenges=_list(_object(challenge=_WORD, times=_list(BEST_TIME))),
)
ACCIDENT = _object(
    cause=_WORD,
    outcome={"type": ["string", "null"]},
    element={"type": ["string", "null"]},
    at_mm={"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2},
    section={**_MAYBE, "description": "Null where the stage's file is not at hand."},
    check=_WORD,
)
ON_STAGE = _object(
    stage={"type": "integer"},
    boards={**_COUNT, "description": "How many boards of the stage were judged."},
    too_close_to_call={**_COUNT, "description": "Accidents that may be none: they are not in the list."},
    accidents=_list(ACCIDENT),
    sections=_list(_object(section={"type": "integer"}, accidents=_COUNT)),
)
TO_DELETE: Json = {
    "type": "object",
    "required": ["what"],
    "additionalProperties": False,
    "properties": {
        "what": {"enum": ["everything", "pictures"], "description": "With `pictures`, the results stay."},
        "won": {**_TRUTH, "description": "Whether what was won goes, too; it stays unless that is said."},
    },
}
DELETED = _object(deleted=_COUNT)


# ------------------------------------------------------------------------------------------------------ reading


@api.get("")
@described(
    "What has been: checks, challenges and races, the latest first.",
    {200: ENTRIES},
    query={
        "kind": {"type": "string", "description": "Only this kind."},
        "most": {"type": "integer", "minimum": 1, "maximum": MOST},
        "from": {"type": "string", "description": "The `next` of the page before."},
    },
)
def all_entries() -> Response:
    """A page of entries."""
    most = query().get("most", USUAL)
    shown = timeline.page(the().store, most, said_place(), said_kinds())
    told = [_entry(entry) for entry in shown.entries]
    return jsonify(entries=told, next=None if shown.next is None else str(shown.next))


@api.get("/best-times")
@described("The best times of each stage and each challenge; practice counts for nothing.", {200: BEST_TIMES})
def best_times() -> Response:
    """The best times."""
    found = best(the().store)
    return jsonify(
        stages=[{"stage": stage, "times": [*map(_time, times)]} for stage, times in found.stages.items()],
        challenges=[{"challenge": name, "times": [*map(_time, times)]} for name, times in found.challenges.items()],
    )


@api.get("/stages/<int:number>/accidents")
@described("Where on a stage the accidents of all kept reports happened.", {200: ON_STAGE})
def accidents(number: int) -> Response:
    """The accidents on a stage."""
    seen, _ = seen_on(number)
    by_section = seen.by_section() if seen.sections else {}
    sections = [seen.sections[place] if seen.sections else None for place in range(len(seen.accidents))]
    return jsonify(
        stage=number,
        boards=seen.boards,
        too_close_to_call=seen.doubtful,
        accidents=[
            {
                "cause": one.cause,
                "outcome": one.outcome,
                "element": one.element,
                "at_mm": list(one.at_mm),
                "section": section,
                "check": one.check,
            }
            for one, section in zip(seen.accidents, sections, strict=True)
        ],
        sections=[
            {"section": number, "accidents": sum(found.values())} for number, found in sorted(by_section.items())
        ],
    )


@api.get("/export")
@described(
    "Everything that is kept, as one ZIP: reports, runs, races, tables, and the pictures if they are wished.",
    {200: "application/zip"},
    query={"pictures": {"enum": ["yes", "no"]}},
)
def export() -> Response:
    """The parcel."""
    return send_parcel(query().get("pictures") == "yes")


# ------------------------------------------------------------------------------------------------------ deleting


@api.delete("/<kind>/<id>")
@described("Delete one entry with its pictures.", {200: DELETED})
def remove(kind: str, id: str) -> Response:
    """Delete one."""
    past, _ = known(kind, id)
    return jsonify(deleted=past.remove(the().store, [id]))


@api.post("/delete")
@described("Delete everything, or all pictures.", {200: DELETED}, body=TO_DELETE)
def remove_all() -> Response:
    """Delete all."""
    said = json_body()
    is_all, won = said["what"] == "everything", said.get("won", False)
    return jsonify(deleted=delete_everything(won=won) if is_all else delete_pictures())


# --------------------------------------------------------------------------------------- what pages and calls share


def said_place() -> Place | None:
    """Where the page that was asked for begins; refuses what names no place."""
    word = request.args.get("from", "")
    place = timeline.place_from(word)
    if word and place is None:
        raise Refused(400, "bad-request")
    return place


def said_kinds() -> tuple[str, ...]:
    """The kinds of entries that were asked for, empty for all; refuses what is none."""
    kind = request.args.get("kind", "")
    if kind and kind not in pasts():
        raise Refused(400, "bad-request")
    return (kind,) if kind else ()


def known(kind: str, id: str) -> tuple[Past, Entry]:
    """A journey and an entry of its; refuses with 404."""
    past = pasts().get(kind)
    entry = past.entry(the().store, id) if past is not None else None
    if past is None or entry is None:
        raise Refused(404, "no-such-entry")
    return past, entry


def seen_on(number: int) -> tuple[OnStage, Stage | None]:
    """The accidents on a stage, and the stage if its file is at hand; refuses where neither is."""
    stage = stages.found(the().settings, number)
    seen = places.on_stage(the().store, number, stage)
    if stage is None and not seen.boards:
        raise Refused(404, "unknown-stage", stage=number)
    return seen, stage


def delete_everything(*, won: bool) -> int:
    """Delete all entries of all journeys; returns how many there were."""
    return sum(past.remove_all(the().store, won) for past in pasts().values())


def delete_pictures() -> int:
    """Delete all pictures; what was seen in them stays.  Returns how many there were."""
    return forget_pictures(the().store)


def send_parcel(pictures: bool) -> Response:
    """The parcel, sent while it is made; refuses a stranger's page, and too many at once."""
    if from_another_site(request.environ):
        raise Refused(403, "cross-site")
    turn, now = Turn(), time.time()
    pieces: Iterator[bytes] = stream_with_context(turn.over_after(parcel.everything(the().store, now, pictures)))
    answer = Response(pieces, mimetype="application/zip")
    answer.call_on_close(turn.over)
    name = f"referee-{datetime.fromtimestamp(now):%Y-%m-%d}.zip"
    answer.headers["Content-Disposition"] = f"attachment; filename={name}"
    return answer


class Turn:
    """A turn at making a parcel; refuses where too many are being made.  It is over once, however it ends."""

    def __init__(self) -> None:
        if not BUSY.acquire(blocking=False):
            raise Refused(429, "too-often")
        self._lasts = True

    def over(self) -> None:
        """Let somebody else have it."""
        if self._lasts:
            self._lasts = False
            BUSY.release()

    def over_after(self, pieces: Iterator[bytes]) -> Iterator[bytes]:
        """Some pieces; it is over when the last one is sent, or somebody hangs up."""
        try:
            yield from pieces
        finally:
            self.over()


def _entry(entry: Entry) -> Json:
    told: dict[str, Any] = {name: getattr(entry, name) for name in ("kind", "id", "at", "title")}
    told |= {"page": entry.link, "outcomes": [{"tone": one.tone, "words": one.words} for one in entry.outcomes]}
    return told | {"time_ms": entry.time_ms, "practice": entry.practice}


def _time(time: BestTime) -> Json:
    told: Json = {"ms": time.ms, "who": time.who, "at": time.at, "page": time.link}
    return told | {"on_honour": time.on_honour, "by_wall_clock": time.by_wall}
