"""What is said aloud, once, as soon as it is sure.

`RIPE_MM` says how far the pen must have gone on before a thing is said; an accident is said only if it is certain, and
was found twice.  What is said and is then read otherwise is taken back, openly.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import dist
from typing import cast

from referee.live.judging import Judged
from referee.live.sight import CallKind, LiveCall
from referee.model import Event, Stage
from referee.rules import Rules

RIPE_MM = {
    "start": 0.0, "restart": 2.0, "checkpoint": 1.2, "finish": 1.2, "brush": 5.0, "lift": 6.0, "jump": 0.0,
    "landing": 1.0, "acceleration": 1.0, "slowdown": 1.0, "wipeout": 0.5, "donut": 1.5, "pipe-enter": 1.0,
    "pipe-exit": 1.0, "gadget": 1.0, "accident": 1.0,
}  # fmt: skip
"""How far the stroke has gone on behind an event before it is said."""
AT_A_GAP = ("lift", "jump", "start", "clothesline")
"""Causes of accidents that lie at an end of a stroke, behind which it does not go on."""
SURE_SIGMAS = 2.5
LEAST_DEEP_MM = 0.5
"""A line is broken, or oil touched, for sure if by so much."""
SAME_MM, SAME_S = 8.0, 0.8
TWICE = 2
BACK_AFTER, BACK_AFTER_S = 4, 0.6
"""Said things that so many readings, for so long, do not have are taken back."""
TAKEN_BACK = ("accident", "wipeout", "checkpoint", "finish")


@dataclass(eq=False)
class _Said:
    call: LiveCall
    stroke: int
    missing: int = 0
    missing_since_s: float = 0.0
    back: bool = False


@dataclass(eq=False)
class Caller:
    """Says what happens on one board."""

    stage: Stage
    rules: Rules
    go_at_s: float | None = None
    began_inked: bool = False
    """Whether there was ink before the first frame: where the drive began and what it drew over was not seen then."""
    said: list[_Said] = field(default_factory=list)
    count: int = 0
    waiting: dict[tuple[str, str | None, str | None], tuple[int, float]] = field(default_factory=dict)

    @property
    def calls(self) -> list[LiveCall]:
        """All that was said."""
        return [one.call for one in self.said]

    @property
    def is_waiting(self) -> bool:
        """Whether something is about to be said."""
        return bool(self.waiting)

    def times_of(self, judged: Judged) -> tuple[float, ...]:
        """When each event's ink came into view: as it was called, if it was; what is read later is read less surely."""
        pairs = zip(judged.judgement.events, judged.at_s, strict=True)
        return tuple(
            next((one.call.at_s for one in self.said if not one.back and _same(one, event, at_s)), at_s)
            for event, at_s in pairs
        )

    def say(self, kind: CallKind, at_s: float, now_s: float) -> LiveCall:
        """Something that no rule tells: a false start, a board wiped or changed."""
        call = self._numbered(LiveCall(0, kind, at_s, now_s))
        self.said.append(_Said(call, -1))
        return call

    @property
    def awaits_restart(self) -> bool:
        """Whether the last that was said of the drive is an accident."""
        told = [one.call.kind for one in self.said if one.call.kind in ("accident", "restart", "checkpoint", "finish")]
        return bool(told) and told[-1] == "accident"

    def restarts(self, judged: Judged, now_s: float) -> list[LiveCall]:
        """A restart that the careful reading has and the quick one does not."""
        pairs = zip(judged.judgement.events, judged.at_s, strict=True)
        since = max((one.call.at_s for one in self.said if one.call.kind == "accident"), default=0.0)
        new = [(e, t) for e, t in pairs if e.kind == "restart" and t > since and not self._known(e, t)]
        return [call for event, at_s in new[:1] for call in self._made(event, at_s, now_s, judged)]

    def wants_to_accuse(self, judged: Judged) -> list[Event]:
        """The accidents that are about to be said."""
        pairs = zip(judged.judgement.events, judged.at_s, judged.behind_mm, strict=True)
        return [
            event
            for event, at_s, behind in pairs
            if event.kind == "accident" and not self._known(event, at_s) and self._is_ripe(event, behind, judged)
        ]

    def new(self, judged: Judged, now_s: float, doubted: Sequence[Event] = ()) -> list[LiveCall]:
        """What is to be said now; ``doubted`` is not said yet, nor what comes after it."""
        calls, waiting = [], {}
        for event, at_s, behind in zip(judged.judgement.events, judged.at_s, judged.behind_mm, strict=True):
            if self._known(event, at_s):
                continue
            if event in doubted:
                break
            if not self._is_ripe(event, behind, judged):
                continue
            key = (event.kind, event.cause, event.element)
            times, since = self.waiting.get(key, (0, now_s))
            if times + 1 < self._times(event):
                waiting[key] = (times + 1, since)
                continue
            calls += self._made(event, at_s, now_s, judged)
        self.waiting = waiting
        return calls + self._taken_back(judged, now_s)

    def _times(self, event: Event) -> int:
        return TWICE if event.kind in ("accident", "wipeout", "finish", "restart", "lift") else 1

    def _is_ripe(self, event: Event, behind_mm: float, judged: Judged) -> bool:
        if event.kind == "accident" and (not event.certain or (self.began_inked and event.cause in AT_A_GAP)):
            return False
        deep = event.kind == "wipeout" or event.cause in ("white-line", "mine")
        if deep and event.margin_mm is not None and event.uncertainty_mm is not None:
            least = max(SURE_SIGMAS * event.uncertainty_mm, LEAST_DEEP_MM if event.cause == "white-line" else 0.0)
            if event.margin_mm > -least:
                return False
        if event.kind == "accident" and event.cause in AT_A_GAP:
            return True
        over = event.stroke < len(judged.strokes) - 1
        return over or behind_mm >= RIPE_MM.get(event.kind, 1.0)

    def _made(self, event: Event, at_s: float, now_s: float, judged: Judged) -> list[LiveCall]:
        number, of = self._count_of(event)
        told = LiveCall(0, cast(CallKind, event.kind), at_s, now_s, event.at_mm, event.element, number, of)
        back_to = self._back_to(event, judged)
        call = self._numbered(replace(told, restart_element=back_to, margin_mm=event.margin_mm, cause=event.cause))
        self.said.append(_Said(call, event.stroke))
        early = event.kind == "start" and self.go_at_s is not None and at_s < self.go_at_s
        return [self.say("false-start", at_s, now_s), call] if early else [call]

    def _numbered(self, call: LiveCall) -> LiveCall:
        self.count += 1
        return replace(call, seq=self.count - 1)

    def _count_of(self, event: Event) -> tuple[int | None, int | None]:
        """Donut 2 of 3; checkpoint 2 of 4."""
        if event.kind == "checkpoint":
            orders = {c.id: c.order for c in self.stage.checkpoints}
            return orders.get(event.element or ""), len(orders)
        if event.kind == "donut":
            slips = [i for i, one in enumerate(self.said) if one.call.kind == "wipeout" and not one.back]
            since = slips[-1] if slips else 0
            return 1 + sum(one.call.kind == "donut" for one in self.said[since:]), self.rules.donuts_owed
        return None, None

    def _back_to(self, event: Event, judged: Judged) -> str | None:
        """Where a crashed car restarts: the last line that it had crossed when it crashed, or the arrow."""
        if event.kind != "accident":
            return None
        before = itertools.takewhile(lambda other: other.seq != event.seq, judged.judgement.events)
        crossed = [other.element for other in before if other.kind == "checkpoint"]
        return event.restart_element or (crossed[-1] if crossed else self.stage.start_id)

    def _known(self, event: Event, at_s: float) -> bool:
        return any(not one.back and _same(one, event, at_s) for one in self.said)

    def _taken_back(self, judged: Judged, now_s: float) -> list[LiveCall]:
        back = []
        for one in self.said:
            if one.back or one.stroke < 0 or one.call.kind not in TAKEN_BACK:
                continue
            pairs = zip(judged.judgement.events, judged.at_s, strict=True)
            if any(_same(one, event, at_s) for event, at_s in pairs):
                one.missing = 0
                continue
            one.missing_since_s = now_s if one.missing == 0 else one.missing_since_s
            one.missing += 1
            if one.missing >= BACK_AFTER and now_s - one.missing_since_s >= BACK_AFTER_S:
                one.back = True
                back.append(self._numbered(replace(one.call, said_s=now_s, again=True, certain=False)))
        return back


def _same(one: _Said, event: Event, at_s: float) -> bool:
    call = one.call
    if (call.kind, call.cause) != (event.kind, event.cause) or call.at_mm is None:
        return False
    if "start" in (call.kind, call.cause):
        return True
    if call.kind in ("checkpoint", "finish") and call.element == event.element:
        return True
    if call.kind == "jump" and one.stroke == event.stroke:  # of a stroke that has gone on since
        return True
    near = dist(call.at_mm, event.at_mm) <= SAME_MM
    if call.kind == "donut":
        return dist(call.at_mm, event.at_mm) <= 3.5
    return near and (abs(call.at_s - at_s) <= SAME_S or one.stroke == event.stroke)


def in_words(calls: Sequence[LiveCall]) -> list[str]:
    """The calls by kind and cause, for messages.

    >>> in_words([LiveCall(0, "accident", 1.0, 1.2, cause="lift"), LiveCall(1, "finish", 2.0, 2.1)])
    ['accident lift', 'finish']
    """
    return [" ".join(word for word in (call.kind, call.cause) if word) for call in calls]
