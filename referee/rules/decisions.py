"""What people decide: decisions read from a file, and which of the rules' questions each of them answers."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from math import dist
from pathlib import Path
from typing import Any

from referee.errors import UnknownDecision, WrongUsage
from referee.facts import Spot
from referee.files import MOST_TEXT, bytes_of
from referee.model import Decision, Json
from referee.model import Path as DrivenPath
from referee.rules.state import Doubt, Witnessed
from referee.rules.tables import KINDS, kind_of
from referee.rules.words import QUESTIONS
from referee.words import Place, say

ORDER = "order"
EXACT_MM = 0.5
SAME_MM = 5.0
"""A question this near the place that a decision names is the one that it means, if it is of that rule and kind."""
OTHER_STROKE_MM = 2.0
"""How much farther off a question counts that another stroke than the named one asks."""
LONGEST = {"who": 100, "when": 100, "reason": 2000}
"""So many letters at most of what people write."""


# ----------------------------------------------------------------------------------------- which question is meant


def meant(decision: Decision, calls: Iterable[Doubt], within_mm: float) -> Doubt | None:
    """The question that a decision answers: the nearest of its name; None if there is none.

    With ``within_mm`` below ``OTHER_STROKE_MM`` a question of another stroke is never meant.
    """
    near = [(away, doubt) for doubt in calls if (away := _away_mm(decision, doubt)) <= within_mm]
    return min(near, key=lambda one: (one[0], one[1].key[1:]))[1] if near else None


def _away_mm(decision: Decision, doubt: Doubt) -> float:
    """How far a question lies from what a decision names; infinite for another question."""
    if (decision.rule, decision.kind, decision.element) != (doubt.rule, kind_of(doubt), doubt.element):
        return float("inf")
    other = decision.stroke is not None and decision.stroke != doubt.spot.stroke
    return dist(decision.at_mm, doubt.spot.at_mm) + (OTHER_STROKE_MM if other else 0.0)


def witnessed(decision: Decision, path: DrivenPath | None) -> Witnessed | None:
    """The lift that a decision tells of where the referee asks about none, if the path comes by there."""
    if path is None or (decision.rule, decision.kind, decision.answer) != ("R4", "lift", "yes"):
        return None
    near = [
        (dist(decision.at_mm, place) + (OTHER_STROKE_MM if decision.stroke not in (None, number) else 0.0), number, i)
        for number, stroke in enumerate(path.strokes)
        for i, place in enumerate(stroke.points_mm.tolist())
    ]
    away, number, i = min(near)
    if away > SAME_MM:
        return None
    stroke = path.strokes[number]
    x, y = stroke.points_mm[i].tolist()
    return Witnessed(Spot(number, float(stroke.arc_mm()[i]), (x, y)))


def refuse(decision: Decision, why: str = "decision-fault.nothing", **parts: int) -> UnknownDecision:
    """The fault of a decision that cannot be followed in this picture; ``why`` is the key of the reason."""
    x, y = decision.at_mm
    named = {"kind": decision.kind, "rule": decision.rule, "x": x, "y": y}
    about = say("decision-fault.about", **named)
    if decision.element:
        about = say("decision-fault.about-element", **named, element=Place(decision.element))
    return UnknownDecision(
        say("decision-fault.line", about=about, why=say(why, **parts)), say("decision-fault.take-back")
    )


# ----------------------------------------------------------------------------------------- reading a file

KNOWN = tuple(dict.fromkeys([*(KINDS.get(about, about) for about in QUESTIONS), ORDER]))
"""The kinds of question that can be decided."""
FIELDS = {f.name for f in fields(Decision)}
NEEDED = ("rule", "kind", "at_mm", "answer")
BESIDE = {
    "source",
    "ask",
    "referee",
    "certain",
    "applies",
    "margin_mm",
    "uncertainty_mm",
    "event",
    "decision",
    "yes",
    "no",
}
"""What a report's questions, calls and decisions carry besides: so that each can be copied as it is."""
Sourced = tuple[str | None, Decision]
"""The picture that a decision is about, if it says so, and the decision."""


def decisions_from_file(path: Path) -> tuple[Sourced, ...]:
    """The decisions in a JSON file; WrongUsage says what is wrong with it."""
    try:
        text = bytes_of(Path(path), MOST_TEXT).decode("utf-8")
    except (OSError, UnicodeDecodeError) as fault:
        told = fault.strerror if isinstance(fault, OSError) and fault.strerror else str(fault)
        raise WrongUsage(f"cannot read the decisions {path}: {told}.", "Check its name and that it is text.") from fault
    return decisions_from_text(text, str(path))


def decisions_from_text(text: str, source: str = "decisions") -> tuple[Sourced, ...]:
    """As `decisions_from_file`, from the file's text: a list of decisions, or an object that has one.

    A report is such an object, and so are several in a list.
    """
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError) as fault:
        told = "nested too deeply" if isinstance(fault, RecursionError) else str(fault)
        raise WrongUsage(
            f"{source} is not valid JSON: {told}.", "Write a list of decisions; `referee judge --help` shows one."
        ) from fault
    return tuple(
        (origin, decision_from_json(entry, f"{source}, decision {number}"))
        for number, (origin, entry) in enumerate(_entries(whole, source), 1)
    )


def _entries(whole: Any, source: str) -> Iterator[tuple[str | None, Any]]:
    """Every decision as it stands there, with the picture that it is about."""
    for part in whole if isinstance(whole, list) else [whole]:
        if isinstance(part, dict) and "decisions" in part:
            if not isinstance(part["decisions"], list):
                raise WrongUsage(f'{source}: "decisions" must be a list.', "Write its decisions between [ and ].")
            yield from ((_text(part, "source"), {**_board(part), **_object(entry)}) for entry in part["decisions"])
        elif isinstance(part, dict) and isinstance(whole, list):
            yield _text(part, "source"), part
        else:
            raise WrongUsage(
                f"{source} must be a list of decisions, got {_short(part)}.", "`referee judge --help` shows one."
            )


def _board(report: Json) -> Json:
    """Which board a report is about: the stage's number, the copy and, without markers, the side."""
    parts = (("stage", "stage", "number"), ("copy", "stage", "copy"), ("side", "board", "side"))
    told = {name: _object(report.get(part)).get(key) for name, part, key in parts}
    return {name: value for name, value in told.items() if value is not None}


def _object(entry: Any) -> Json:
    return entry if isinstance(entry, dict) else {"": entry}


def decision_from_json(entry: Any, source: str = "decision") -> Decision:
    """One decision from its JSON object; WrongUsage says what is wrong with it, for a web page or a file."""
    if not isinstance(entry, dict) or "" in entry:
        raise _wrong(source, "an object", entry if not isinstance(entry, dict) else entry[""])
    for name in entry:
        if name not in FIELDS | BESIDE:
            close = difflib.get_close_matches(name, sorted(FIELDS), n=1, cutoff=0.5)
            raise WrongUsage(
                f"{source}: there is no field called {_short(name)}.",
                f"Did you mean {close[0]}?" if close else f"It may have: {', '.join(sorted(FIELDS))}.",
            )
    for name in NEEDED:
        if name not in entry:
            raise WrongUsage(f"{source}: {name} is missing.", "Copy the question from a report and add your answer.")
    told = {name: value for name, value in entry.items() if name in FIELDS and value is not None}
    return Decision(**{name: _value(name, value, source) for name, value in told.items()})


def _value(name: str, value: Any, source: str) -> Any:
    """A field's value, checked."""
    where = f"{source}: {name}"
    match name:
        case "at_mm":
            return _place(value, where)
        case "strokes":
            return _tips(value, where)
        case "stroke" | "stage":
            if isinstance(value, bool) or not isinstance(value, int) or value < 0:
                raise _wrong(where, "a whole number", value)
        case "answer":
            _one_of(value, ("yes", "no"), where)
        case "copy":
            _one_of(value, ("A", "B"), where)
        case "side":
            _one_of(value, ("left", "right"), where)
        case "kind":
            _one_of(value, KNOWN, where)
        case _:
            if not isinstance(value, str) or len(value) > LONGEST.get(name, 200):
                raise _wrong(where, f"a text of at most {LONGEST.get(name, 200)} letters", value)
    return value


def _one_of(value: Any, choices: Sequence[str], where: str) -> None:
    if value not in choices:
        raise _wrong(where, " or ".join(choices) if len(choices) < 4 else f"one of {', '.join(choices)}", value)


def _place(value: Any, where: str) -> tuple[float, float]:
    """A place on a board; nothing lies kilometres away."""
    if isinstance(value, list) and len(value) == 2:
        numbers = [v for v in value if isinstance(v, int | float) and not isinstance(v, bool) and -1e6 < v < 1e6]
        if len(numbers) == 2:
            return float(numbers[0]), float(numbers[1])
    raise _wrong(where, "[x, y] in mm", value)


def _tips(value: Any, where: str) -> tuple[Any, ...]:
    """Where each stroke of an order begins and ends."""
    if not isinstance(value, list) or not all(isinstance(stroke, list) and len(stroke) == 2 for stroke in value):
        raise _wrong(where, "a list of [[x, y], [x, y]], where each stroke begins and ends", value)
    return tuple((_place(begin, where), _place(end, where)) for begin, end in value)


def _text(entry: Json, name: str) -> str | None:
    return entry[name] if isinstance(entry.get(name), str) else None


def _wrong(where: str, expected: str, value: Any) -> WrongUsage:
    return WrongUsage(f"{where} must be {expected}, got {_short(value)}.", "Copy it from a report's question or call.")


def _short(value: Any) -> str:
    """What came, in a few letters."""
    whole = json.dumps(value, ensure_ascii=False, default=str) if not isinstance(value, float) else repr(value)
    return whole if len(whole) <= 60 else f"{whole[:57]}..."


def meant_for(
    decisions: Iterable[Decision], stage: int, copy: str | None, side: str | None = None
) -> tuple[Decision, ...]:
    """The decisions about one board."""
    return tuple(d for d in decisions if d.stage in (None, stage) and d.copy in (None, copy) and d.side in (None, side))
