"""Which event of a report is which event of the truth, and what is then right, wrong, missing or too much."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from referee.model import Json
from referee.reliability.cases import Judged

Kind = Literal["white lines", "jumps and landings", "donuts", "zones and spills"]

NEAR_MM = 6.0
"""An event further from its true place is another one."""
SURE_MM = 0.5
"""An accident by less than this need not be told for certain."""
MOST_ORDERS = 120
_SLIGHT = 0.3
"""What an event is worth in the matching that may be missing, beside one that may not."""
_CONTACTS = ({("brush", None), ("accident", "white-line")}, {("jump", None), ("landing", None), ("accident", "jump")})
"""What is one thing to either side of a line: too close to call, it may be told as the other."""
_KINDS: dict[tuple[str, str | None], Kind] = {
    ("brush", None): "white lines",
    ("accident", "white-line"): "white lines",
    ("jump", None): "jumps and landings",
    ("landing", None): "jumps and landings",
    ("accident", "jump"): "jumps and landings",
    ("donut", None): "donuts",
    ("acceleration", None): "zones and spills",
    ("slowdown", None): "zones and spills",
    ("wipeout", None): "zones and spills",
}


@dataclass(frozen=True)
class Margin:
    """A margin that was measured, beside the true one; ``px_per_mm`` is the photo's scale at the board's middle."""

    case: str
    kind: Kind
    element: str
    true_mm: float
    told_mm: float
    sigma_mm: float
    px_per_mm: float

    @property
    def error_mm(self) -> float:
        """Told less true."""
        return self.told_mm - self.true_mm


@dataclass(frozen=True)
class Outcome:
    """How one photo was judged; the lists name events.

    ``verdict`` is "abstained" for a `review` and for a refusal that the truth accepts; ``rightly`` says whether the
    truth accepts it.  A refusal that it does not accept is wrong.
    """

    case: str
    verdict: Literal["right", "abstained", "wrong"]
    rightly: bool
    said: str
    accidents: int = 0
    false: tuple[str, ...] = ()
    missed: tuple[str, ...] = ()
    late: tuple[str, ...] = ()
    margins: tuple[Margin, ...] = ()

    @property
    def faults(self) -> list[str]:
        """What is wrong with it, in words."""
        return [
            *([] if self.rightly else [f"verdict {self.said}"]),
            *(f"false accusation: {name}" for name in self.false),
            *(f"missed: {name}" for name in self.missed),
            *(f"out of order: {name}" for name in self.late),
        ]


@dataclass(eq=False)
class Match:
    """Pairs (true, told) in order, those out of order, and what is left on either side."""

    pairs: list[tuple[Json, Json]] = field(default_factory=list)
    late: list[tuple[Json, Json]] = field(default_factory=list)
    missing: list[Json] = field(default_factory=list)
    extra: list[Json] = field(default_factory=list)
    worth: float = 0.0


def outcome(judged: Judged) -> Outcome:
    """A report held against its case's truth."""
    case, truth, report = judged.case, judged.case.truth, judged.report
    owed = [event for event in truth["events"] if _must_be_told(event)]
    names = tuple(map(_name, owed))
    if judged.fault is not None:
        return Outcome(case.name, "wrong", False, f"none ({judged.fault})", len(owed), missed=names)
    error = (report.get("error") or {}).get("code")
    if error is not None:
        allowed = error in truth.get("photo", {}).get("accept_errors", ())
        verdict: Literal["right", "abstained", "wrong"] = "abstained" if allowed else "wrong"
        if error == truth.get("error"):
            return Outcome(case.name, "right", True, error)
        return Outcome(case.name, verdict, allowed, error, len(owed), missed=() if allowed else names)
    match = matched(truth["events"], report["events"])
    false = [told for told in match.extra if told["kind"] == "accident" and told.get("certain") is not False]
    elsewise = [told for told in match.extra if told["kind"] == "accident"]
    said, accepted = report["verdict"], report["verdict"] in truth["accept_verdicts"]
    return Outcome(
        case=case.name,
        verdict="abstained" if said == "review" else "right" if accepted else "wrong",
        rightly=accepted,
        said=said,
        accidents=len(owed),
        # the right accident by another name is neither a false one nor missed
        false=tuple(_name(told) for told in false if not _near_any(told, match.missing)),
        missed=tuple(
            _name(true) for true in match.missing if _must_be_told(true) and not any(_near(true, t) for t in elsewise)
        ),
        late=tuple(_name(true) for true, _ in match.late),
        margins=tuple(_margins(judged, match)),
    )


def _must_be_told(true: Json) -> bool:
    """An accident that nobody can overlook."""
    loose = true.get("optional") or true.get("hidden") or true.get("certain") is False
    return true["kind"] == "accident" and not loose and abs(true.get("margin_mm") or math.inf) > SURE_MM


def _near_any(told: Json, missing: Sequence[Json]) -> bool:
    return any(true["kind"] == "accident" and _near(true, told) for true in missing)


def _margins(judged: Judged, match: Match) -> Iterator[Margin]:
    """The margins that both sides name, of events that are what they are told as."""
    scale = judged.case.truth.get("photo", {}).get("scale_px_per_mm") or judged.report["board"]["scale_px_per_mm"]
    for true, told in [*match.pairs, *match.late]:
        kind = _KINDS.get(_sort(true))
        loose = true.get("optional") or true.get("margin_loose") or _sort(true) != _sort(told)
        margin_mm, told_mm, sigma_mm = true.get("margin_mm"), told.get("margin_mm"), told.get("uncertainty_mm")
        if kind is None or loose or margin_mm is None or told_mm is None or sigma_mm is None:
            continue
        name = str(told.get("element") or true["kind"])
        yield Margin(judged.case.name, kind, name, margin_mm, told_mm, sigma_mm, float(scale))


def _sort(event: Json) -> tuple[str, str | None]:
    return event["kind"], event.get("cause") if event["kind"] == "accident" else None


def _name(event: Json) -> str:
    words = [event["kind"], event.get("cause"), event.get("element")]
    x, y = event["at_mm"]
    return " ".join(str(word) for word in words if word) + f" at ({x:.0f}, {y:.0f})"


# ------------------------------------------------------------------------------------------------ matching


def matched(true: Sequence[Json], told: Sequence[Json]) -> Match:
    """The matching that explains most, over all orders of the truth that a photo cannot tell apart."""
    best = max((_in_order(order, told) for order in orders(true)), key=lambda match: match.worth)
    left = sorted(
        (_apart_mm(a, b), i, j)
        for i, a in enumerate(best.missing)
        for j, b in enumerate(best.extra)
        if _alike(a, b) and _near(a, b)
    )
    seen: tuple[set[int], set[int]] = set(), set()
    for _, i, j in left:
        if i not in seen[0] and j not in seen[1]:
            best.late.append((best.missing[i], best.extra[j]))
            seen[0].add(i)
            seen[1].add(j)
    best.missing = [a for i, a in enumerate(best.missing) if i not in seen[0]]
    best.extra = [b for j, b in enumerate(best.extra) if j not in seen[1]]
    return best


def orders(events: Sequence[Json]) -> Iterator[list[Json]]:
    """The true events in every order that a photo leaves open.

    Attempts one after the other that each ended in an accident and went back to the same place may have been driven
    in any order: what came after that place is exchanged between them.
    """
    attempts = [list(some) for _, some in itertools.groupby(events, key=lambda event: event.get("attempt", 0))]
    runs = [list(run) for _, run in itertools.groupby(attempts, key=_went_back_to)]
    choices = [list(_exchanged(run)) for run in runs]
    for chosen in itertools.islice(itertools.product(*choices), MOST_ORDERS):
        yield [event for run in chosen for event in run]


def _went_back_to(attempt: Sequence[Json]) -> str | None:
    """Where the car went back to at the end of an attempt; None if it did not."""
    ended = [event for event in attempt if event.get("outcome") == "honoured" and not event.get("optional")]
    return ended[-1].get("restart_element") if ended else None


def _exchanged(run: Sequence[list[Json]]) -> Iterator[list[Json]]:
    """The events of attempts that went back to one place, what followed that place in every order."""
    place = _went_back_to(run[0])
    if place is None or len(run) > 4:
        yield [event for attempt in run for event in attempt]
        return
    cuts = [
        1 + max((i for i, e in enumerate(a) if e.get("element") == place and e["kind"] != "accident"), default=-1)
        for a in run
    ]
    heads = [attempt[:cut] for attempt, cut in zip(run, cuts, strict=True)]
    tails = [attempt[cut:] for attempt, cut in zip(run, cuts, strict=True)]
    for order in itertools.permutations(tails):
        yield [event for head, tail in zip(heads, order, strict=True) for event in (*head, *tail)]


def _in_order(true: Sequence[Json], told: Sequence[Json]) -> Match:
    """The pairing worth most of those that keep both orders (R. Wagner, M. Fischer, 1974)."""
    rows, columns = len(true), len(told)
    worth = [[0.0] * (columns + 1) for _ in range(rows + 1)]
    joined = [[-math.inf] * columns for _ in range(rows)]
    for i, j in itertools.product(reversed(range(rows)), reversed(range(columns))):
        if _alike(true[i], told[j]) and _near(true[i], told[j]):
            slight = true[i].get("optional") or true[i].get("hidden")
            joined[i][j] = (_SLIGHT if slight else 1.0) - _apart_mm(true[i], told[j]) / 1000 + worth[i + 1][j + 1]
        worth[i][j] = max(worth[i + 1][j], worth[i][j + 1], joined[i][j])
    match = Match(worth=worth[0][0])
    i = j = 0
    while i < rows and j < columns:
        if worth[i][j] == joined[i][j]:
            match.pairs.append((true[i], told[j]))
            i, j = i + 1, j + 1
        elif worth[i][j] == worth[i + 1][j]:
            match.missing.append(true[i])
            i += 1
        else:
            match.extra.append(told[j])
            j += 1
    match.missing += true[i:]
    match.extra += told[j:]
    return match


def _alike(true: Json, told: Json) -> bool:
    """Whether the one may be told as the other: the same, or, too close to call, its other side told with doubt."""
    if true["kind"] == told["kind"]:
        return true["kind"] != "accident" or told.get("cause") in true.get("causes", [true.get("cause")])
    if not true.get("borderline") or (told["kind"] == "accident" and told.get("certain") is not False):
        return False
    return any({_sort(true), _sort(told)} <= contacts for contacts in _CONTACTS)


def _near(true: Json, told: Json) -> bool:
    return _apart_mm(true, told) <= NEAR_MM


def _apart_mm(true: Json, told: Json) -> float:
    """From an event's told place to the nearest of those where it may truly be placed."""
    return min(math.dist(place, told["at_mm"]) for place in [true["at_mm"], *true.get("extent_mm", ())])
