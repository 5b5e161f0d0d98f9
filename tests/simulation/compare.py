"""Holds a judgement against the truth: what is missing, what is too much, what is in the wrong place."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from referee.model import Event, Judgement
from tests.simulation.truth import TrueEvent, Truth

NEAR_MM, RIGHT_THERE_MM = 6.0, 2.0
"""An event further from its true place is another one: in a photo, and where the strokes themselves are known (a quick
hand's points lie up to 1.5 mm apart)."""
ANY_USE = frozenset({"lift"})
"""Kinds that a report may use or not."""


@dataclass(frozen=True)
class Leeway:
    """How far a judgement may differ from the truth and still be right.

    ``margin_mm``: of a margin.  ``fuzzy_mm``: contacts as near as that to where a brush begins may be told or not.
    ``near_mm``: of a place.  ``swaps``: failed attempts at one stretch may be told in either order.  ``doubts``: an
    accident that was none may be asked about, though not told for certain.
    """

    margin_mm: float
    fuzzy_mm: float = 0.25
    near_mm: float = NEAR_MM
    swaps: bool = True
    doubts: bool = True


PHOTO = Leeway(0.1)
STROKES = Leeway(0.03, 0.05, RIGHT_THERE_MM, swaps=False, doubts=False)
"""Who has the strokes themselves has no leeway but their sampling."""


def differences(truth: Truth, judgement: Judgement, leeway: Leeway = PHOTO) -> list[str]:
    """In words, everything in which the judgement is not right; empty if it is.

    Events that the truth marks as optional may be there or not.
    """
    told = [e for e in judgement.events if e.kind not in ANY_USE]
    said = _head_differences(truth, judgement)
    possible = orders(truth.events) if leeway.swaps else [list(truth.events)]
    return said + min((_event_differences(order, told, leeway) for order in possible), key=len)


def _head_differences(truth: Truth, judgement: Judgement) -> list[str]:
    said: list[str] = []
    if judgement.verdict not in truth.accept_verdicts:
        said.append(f"verdict {judgement.verdict}, should be {truth.verdict}")
    if judgement.accidents not in truth.accept_accidents:
        said.append(f"{judgement.accidents} accidents, should be {truth.accidents}")
    if judgement.donuts not in truth.accept_donuts:
        said.append(f"{judgement.donuts} donuts, should be {truth.donuts}")
    return said


def orders(events: Sequence[TrueEvent]) -> list[list[TrueEvent]]:
    """The events in every order that a photo cannot tell apart: two failed attempts at one stretch may be swapped."""
    blocks = [list(group) for _, group in itertools.groupby(events, key=lambda e: e.attempt)]
    out = [list(events)]
    for i, (one, other) in enumerate(itertools.pairwise(blocks)):
        place = _went_back_to(one)
        if place is None or place != _went_back_to(other):
            continue
        (head, first), (restart, second) = _since(one, place), _since(other, place)
        swapped = [*blocks[:i], head, second, restart, first, *blocks[i + 2 :]]
        out.append([event for block in swapped for event in block])
    return out


def _went_back_to(block: Sequence[TrueEvent]) -> str | None:
    """Where the car went back to after the attempt's accident; None if it did not."""
    return next((e.restart_element for e in reversed(block) if e.outcome == "honoured"), None)


def _since(block: list[TrueEvent], place: str) -> tuple[list[TrueEvent], list[TrueEvent]]:
    """An attempt's events up to where it last was at a place, and those after."""
    at = max((i for i, e in enumerate(block) if e.element == place and e.kind != "accident"), default=-1)
    return block[: at + 1], block[at + 1 :]


def _event_differences(events: Sequence[TrueEvent], reported: Sequence[Event], leeway: Leeway) -> list[str]:
    said: list[str] = []
    for true, told in paired(events, reported, leeway.near_mm):
        if told is None and true is not None and not _may_be_missing(true, leeway.fuzzy_mm):
            said.append(f"missing: {_name(true)} at {true.at_mm}")
        elif true is None and told is not None and not _may_be_extra(told, leeway):
            said.append(f"extra: {_name(told)} at {told.at_mm}, margin {told.margin_mm}")
        elif true is not None and told is not None:
            said += _pair_differences(true, told, leeway.margin_mm)
    return said


def paired(
    true: Sequence[TrueEvent], told: Sequence[Event], near_mm: float = NEAR_MM
) -> list[tuple[TrueEvent | None, Event | None]]:
    """The longest pairing that keeps both orders (longest common subsequence, near places only)."""
    best = np.zeros((len(true) + 1, len(told) + 1))
    for i in reversed(range(len(true))):
        for j in reversed(range(len(told))):
            joined = best[i + 1, j + 1] + 1 if _same(true[i], told[j], near_mm) else -1.0
            best[i, j] = max(best[i + 1, j], best[i, j + 1], joined)
    out: list[tuple[TrueEvent | None, Event | None]] = []
    i = j = 0
    while i < len(true) and j < len(told):
        if _same(true[i], told[j], near_mm) and best[i, j] == best[i + 1, j + 1] + 1:
            out.append((true[i], told[j]))
            i, j = i + 1, j + 1
        elif best[i + 1, j] >= best[i, j + 1]:
            out.append((true[i], None))
            i += 1
        else:
            out.append((None, told[j]))
            j += 1
    return out + [(e, None) for e in true[i:]] + [(None, e) for e in told[j:]]


def _same(true: TrueEvent, told: Event, near_mm: float) -> bool:
    if true.borderline and {true.kind, told.kind} <= {"brush", "accident", "jump", "landing"}:
        return _apart(true, told) <= near_mm
    return (true.kind, true.cause) == (told.kind, told.cause) and _apart(true, told) <= near_mm


def _apart(true: TrueEvent, told: Event) -> float:
    places = np.array([true.at_mm, *true.extent_mm])
    return float(np.hypot(*(places - told.at_mm).T).min())


def _may_be_missing(event: TrueEvent, fuzzy_mm: float) -> bool:
    slight = event.kind == "brush" and (event.margin_mm or 0.0) > 2.0 - fuzzy_mm
    return event.optional or event.borderline or event.hidden or slight


def _may_be_extra(event: Event, leeway: Leeway) -> bool:
    slight = event.kind == "brush" and event.margin_mm is not None and event.margin_mm > 2.0 - leeway.fuzzy_mm
    return slight or (leeway.doubts and event.kind == "accident" and event.certain is False)


def _pair_differences(true: TrueEvent, told: Event, margin_mm: float) -> list[str]:
    said: list[str] = []
    if true.kind == "accident" and not true.optional and not true.borderline:
        if told.outcome != true.outcome:
            said.append(f"{_name(true)} {told.outcome}, should be {true.outcome}")
        if told.certain is False and abs(true.margin_mm or 9.0) > 5 * margin_mm and not true.doubtful:
            said.append(f"not sure of {_name(true)}, margin {told.margin_mm}")
    if (
        true.borderline
        and told.kind == "accident"
        and told.certain is not False
        and abs(true.margin_mm or 0) < margin_mm
    ):
        said.append(f"certain of {_name(true)}, margin only {true.margin_mm}")
    measured = told.margin_mm is not None and true.margin_mm is not None
    if measured and true.kind != "start" and abs(told.margin_mm - true.margin_mm) > margin_mm:  # type: ignore[operator]
        said.append(f"margin {told.margin_mm:.3f} of {_name(true)}, should be {true.margin_mm:.3f}")
    same = told.element in (true.element, *true.also)
    if true.element and told.element and not same and true.kind != "donut":
        said.append(f"{_name(true)} is told of {told.element}")
    return said


def _name(event: TrueEvent | Event) -> str:
    return " ".join(str(w) for w in (event.kind, event.cause, event.element) if w)
