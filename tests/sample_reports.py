"""What is expected of the sample photos, and in what a report may differ from it."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from referee.model import Json
from referee.pipeline import judge_boards
from referee.report.document import document

SAMPLES = Path(__file__).parents[1] / "samples"
LEFT_OUT = {"timing_ms", "path"}
"""Not kept beside the photos: times differ from run to run, and a path is long."""
NEAR_MM = 3.0
MARGIN_MM = 0.25
SLIGHT_MM = 1.75
"""Ink that touches a white line's near edge only just may or may not be told as a brush."""


def photos() -> list[Path]:
    return sorted(SAMPLES.glob("*.jpg"))


def expected_of(photo: Path) -> list[Json]:
    """The report kept beside a photo, one object a board."""
    kept = json.loads(photo.with_suffix(".json").read_text(encoding="utf-8"))
    return kept if isinstance(kept, list) else [kept]


def told_of(photo: Path) -> list[Json]:
    """The report of a photo as it is judged now, one object a board."""
    whole = [json.loads(json.dumps(document(report))) for report in judge_boards(photo)]
    return [{field: value for field, value in board.items() if field not in LEFT_OUT} for board in whole]


def answer(board: Json) -> str:
    """The verdict, or the error's code."""
    return str(board["verdict"] if "error" not in board else board["error"]["code"])


def differences(expected: Sequence[Json], told: Sequence[Json]) -> list[str]:
    """In words, everything in which a photo's report is not as expected; empty if it is."""
    if len(expected) != len(told):
        return [f"{len(told)} boards, expected {len(expected)}"]
    return [said for one, other in zip(expected, told, strict=True) for said in _board_differences(one, other)]


def _board_differences(expected: Json, told: Json) -> list[str]:
    if answer(expected) != answer(told):
        return [f"{answer(told)}, expected {answer(expected)}"]
    fields = ("stage", "finished", "accidents", "donuts")
    said = [
        f"{field} {told.get(field)}, expected {expected.get(field)}"
        for field in fields
        if expected.get(field) != told.get(field)
    ]
    return said + _event_differences(_firm(expected), _firm(told))


def _firm(board: Json) -> list[Json]:
    """The events that any two judgings should agree on: without the slightest brushes.

    What is too close to call may be told as a brush or as an uncertain break, with or without a restart after it.
    """
    firm: list[Json] = []
    close = False
    for event in board.get("events", []):
        slight = event["kind"] == "brush" and event["margin_mm"] > SLIGHT_MM
        if slight or (event["kind"] == "restart" and close):
            continue
        close = _too_close_at_a_line(event) or (close and event["kind"] != "accident")
        told = {"kind": "too close", "cause": None, "outcome": None, "certain": None}
        firm.append({**event, **told} if _too_close_at_a_line(event) else event)
    return firm


def _too_close_at_a_line(event: Json) -> bool:
    if event["kind"] == "brush":
        return bool(event["margin_mm"] < 2 * event["uncertainty_mm"])
    return event["kind"] == "accident" and event["cause"] == "white-line" and event["certain"] is False


def _event_differences(expected: Sequence[Json], told: Sequence[Json]) -> list[str]:
    if [_name(e) for e in expected] != [_name(e) for e in told]:
        return [f"events {'; '.join(map(_name, told))}\n  expected {'; '.join(map(_name, expected))}"]
    return [said for one, other in zip(expected, told, strict=True) for said in _measure_differences(one, other)]


def _name(event: Json) -> str:
    fields = ("kind", "cause", "element", "outcome")
    words = [str(event[field]) for field in fields if event.get(field)]
    return " ".join([*words, *(["uncertain"] if event.get("certain") is False else [])])


def _measure_differences(expected: Json, told: Json) -> list[str]:
    said: list[str] = []
    apart = math.dist(expected["at_mm"], told["at_mm"])
    if apart > NEAR_MM:
        said.append(f"{_name(told)} is {apart:.1f} mm from where it is expected")
    margins = expected["margin_mm"], told["margin_mm"]
    if (margins[0] is None) != (margins[1] is None):
        said.append(f"{_name(told)}: margin {margins[1]}, expected {margins[0]}")
    elif margins[0] is not None:
        allowed = max(MARGIN_MM, 2 * (expected["uncertainty_mm"] or 0))
        if abs(margins[1] - margins[0]) > allowed:
            said.append(f"{_name(told)}: margin {margins[1]:.2f} mm, expected {margins[0]:.2f}")
    return said


# ------------------------------------------------------------------------------------ held against what was planned


def faults(truth: Json, told: Json) -> list[str]:
    """In words, where a report is not what was planned when the photo was made; empty if it may stand."""
    if "error" in truth:
        right = {truth["error"]} if isinstance(truth["error"], str) else {truth["error"]["code"]}
        return [] if answer(told) in right else [f"{answer(told)}, planned {' or '.join(sorted(right))}"]
    said = []
    if answer(told) not in truth["accept_verdicts"]:
        said.append(f"{answer(told)}, planned {' or '.join(truth['accept_verdicts'])}")
    if "error" in told:
        return said
    for field in ("accidents", "donuts"):
        if told[field] not in truth[f"accept_{field}"]:
            said.append(f"{told[field]} {field}, planned {truth[field]}")
    return said + _accident_faults(truth, told)


def _accident_faults(truth: Json, told: Json) -> list[str]:
    planned = [e for e in truth["events"] if e["kind"] == "accident"]
    certain = [e for e in told["events"] if e["kind"] == "accident" and e["certain"]]
    false = [e for e in certain if not any(_near(p, e) for p in planned)]
    missed = [
        p
        for p in planned
        if not (p.get("optional") or p.get("hidden") or p.get("borderline"))
        and (p.get("margin_mm") is None or p["margin_mm"] < -0.5)
        and not any(_near(p, e) for e in certain)
    ]
    return [f"false accusation: {_name(e)} at {e['at_mm']}" for e in false] + [
        f"missed: {_name(p)} at {p['at_mm']}" for p in missed
    ]


def _near(planned: Json, told: Json) -> bool:
    places = np.array([planned["at_mm"], *planned.get("extent_mm", [])], float)
    return bool(np.hypot(*(places - told["at_mm"]).T).min() <= 2 * NEAR_MM)
