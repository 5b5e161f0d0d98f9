"""The rules as tables: what a fact means in a phase, what a gap between strokes was, which rule an event falls under.

What is not in a table means nothing there; `referee.rules.machine` only looks things up.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from referee.facts import (
    Approach,
    Begin,
    Crossing,
    DryGap,
    End,
    Hidden,
    OilTouch,
    Ring,
    Touch,
    ZoneEntry,
    ZoneExit,
)
from referee.rules.state import Doubt, Phase, Witnessed

RULE_OF = {
    "start": "R1", "restart": "R3", "checkpoint": "R5", "finish": "R5", "brush": "R2", "lift": "R4", "jump": "R6",
    "landing": "R6", "acceleration": "R8", "slowdown": "R8", "wipeout": "R9", "donut": "R9", "pipe-enter": "R10",
    "pipe-exit": "R10", "white-line": "R2", "slowdown-missed": "R8", "donuts-missing": "R9", "checkpoint-missed": "R5",
}  # fmt: skip
"""The rule behind every kind of event and every cause of an accident."""

TABLE: Mapping[tuple[Phase, type], str] = {
    ("waiting", Begin): "first_begin",
    ("driving", Touch): "contact",
    ("driving", OilTouch): "oil",
    ("driving", Ring): "ring",
    ("driving", Crossing): "line",
    ("driving", ZoneEntry): "zone_entry",
    ("driving", ZoneExit): "zone_exit",
    ("driving", Hidden): "hidden",
    ("driving", DryGap): "dry_gap",
    ("driving", Approach): "near",
    ("driving", Witnessed): "witnessed",
    ("driving", End): "pause",
    ("paused", Begin): "next_begin",
    ("crashed", Touch): "mute",
    ("crashed", Crossing): "barrier",
    ("crashed", DryGap): "dry_gap",
    ("crashed", Witnessed): "witnessed",
    ("crashed", End): "strand",
    ("stranded", Begin): "restart",
}

Origin = Literal["in a jump zone", "short of one", "elsewhere"]
Target = Literal["its landing", "a landing", "the restart place", "elsewhere"]

LIFTS: Mapping[tuple[Origin, Target], str] = {
    ("in a jump zone", "its landing"): "jump_and_land",
    ("in a jump zone", "a landing"): "land_wrong",
    ("in a jump zone", "elsewhere"): "land_wrong",
    ("in a jump zone", "the restart place"): "land_wrong",
    ("short of one", "its landing"): "take_off_wrong",
    ("short of one", "a landing"): "take_off_wrong",
    ("short of one", "the restart place"): "take_off_wrong",
    ("short of one", "elsewhere"): "take_off_wrong",
    ("elsewhere", "its landing"): "take_off_wrong",
    ("elsewhere", "a landing"): "take_off_wrong",
    ("elsewhere", "the restart place"): "lift",
    ("elsewhere", "elsewhere"): "lift",
}
"""What a stroke's end and the next one's beginning make together (R4, R6)."""

SETTLES = {"checkpoint-missed": True, "donuts-missing": False, "slowdown-missed": True}
"""Whether an accident found at a line cancels the donuts that are owed."""

KINDS = {
    "line": "white-line", "hidden-line": "white-line-unseen", "gap": "lift", "rim": "lift", "turned": "lift",
    "onward": "lift", "covered": "lift", "end": "lift", "lift": "lift", "seen": "lift", "start": "start",
    "restart": "restart",
    "jump": "jump", "landing": "landing", "through": "drive-through", "oil": "oil-spill", "donuts": "donuts",
    "zone": "zone", "slowing": "zone", "cross": "crossing", "passing": "crossing", "goes-on": "goes-on",
}  # fmt: skip
"""The kind of question, as people name it, by what a doubt is about: a kind's yes always means the same.

What is not in the table is a kind of its own name.
"""


def kind_of(doubt: Doubt) -> str:
    """The kind of question that a doubt is, in the name that a decision gives it."""
    about = doubt.key[0]
    return "oil-spill" if doubt.rule == "R9" and about.startswith("hidden-") else KINDS.get(about, about)
