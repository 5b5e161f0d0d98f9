"""Gadgets by the rules (R11): which may be on a board, where, and whether they count."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from referee.model import Fault, Gadget, LimitKind
from referee.rules.settings import Rules
from referee.words import Place, say

MISPLACED: Mapping[LimitKind, str] = {
    "zone": "touches-zone",
    "white-line": "touches-white-line",
    "reach": "short-of-white-line",
    "dotted": "no-dotted-line",
}
"""The fault of a gadget that is past a limit."""
COMPETITIVE_ONLY = Fault("competitive-only", say("gadget-fault.competitive-only"))
IN_PLAY = ("clothesline", "mine")
"""The gadgets that a car can run into."""


def placed(gadgets: Sequence[Gadget], rules: Rules) -> tuple[Gadget, ...]:
    """The gadgets with the fault of those that may not be there; what is too close to call is none."""
    return tuple(replace(gadget, fault=_fault(gadget, rules)) for gadget in gadgets)


def _fault(gadget: Gadget, rules: Rules) -> Fault | None:
    if gadget.kind == "mine" and rules.mode != "competitive":
        return COMPETITIVE_ONLY
    past = [limit for limit in gadget.limits if limit.mm < -rules.too_close_factor * limit.sigma_mm]
    if not past:
        return None
    worst = min(past, key=lambda limit: limit.mm)
    code = MISPLACED[worst.kind]
    return Fault(code, say(f"gadget-fault.{code}", element=Place(worst.element)))


def in_play(gadgets: Sequence[Gadget]) -> dict[str, Gadget]:
    """The gadgets that count in this race, by name."""
    return {g.id: g for g in gadgets if g.kind in IN_PLAY and g.fault is not COMPETITIVE_ONLY}
