"""Cases made up by hand: true events, told events, and folders of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from referee.model import Json
from referee.reliability.cases import Case, Judged

PLACES = {
    "start": (10.0, 10.0),
    "brush": (40.0, 10.0),
    "checkpoint": (70.0, 10.0),
    "accident": (100.0, 10.0),
    "finish": (200.0, 10.0),
}


def event(kind: str, at_mm: tuple[float, float] | None = None, **fields: Any) -> Json:
    """An event, at its kind's usual place if none is given."""
    return {"kind": kind, "at_mm": list(at_mm or PLACES[kind]), **fields}


def brush(margin_mm: float = 0.6, **fields: Any) -> Json:
    return event("brush", element="white-line-1", margin_mm=margin_mm, **fields)


def broken(margin_mm: float = -1.0, **fields: Any) -> Json:
    """Over a white line."""
    return event("accident", element="white-line-2", margin_mm=margin_mm, **{"cause": "white-line", **fields})


def truth(*events: Json, **fields: Any) -> Json:
    whole: Json = {
        "stage": {"number": 1, "name": "Picnic Run", "copy": "A"},
        "accept_verdicts": ["fair"],
        "events": [event("start"), *events, event("finish")],
        "photo": {"scale_px_per_mm": 5.0, "accept_errors": []},
    }
    return whole | fields


def told(*events: Json, verdict: str = "fair", sigma_mm: float = 0.1) -> Json:
    """A report with these events; margins get an uncertainty."""
    measured = [one | ({"uncertainty_mm": sigma_mm} if "margin_mm" in one else {}) for one in events]
    stage = {"number": 1, "name": "Picnic Run", "copy": "A"}
    return {
        "verdict": verdict,
        "stage": stage,
        "board": {"scale_px_per_mm": 5.1},
        "events": [event("start"), *measured, event("finish")],
    }


def judged(true: Json, report: Json, name: str = "a race") -> Judged:
    return Judged(Case(name, Path("photo.jpg"), true), report)


def folder(at: Path, *cases: tuple[str, Json]) -> Path:
    """A folder of cases whose photos are no pictures."""
    for name, true in cases:
        (at / name).mkdir(parents=True)
        (at / name / "photo.jpg").write_bytes(name.encode())
        (at / name / "truth.json").write_text(json.dumps(true))
    return at
