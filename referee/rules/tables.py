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
    GadgetTouch,
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
    "gadget": "R11", "clothesline": "R11", "mine": "R11",
}  # fmt: skip
"""The rule behind every kind of event and every cause of an accident."""

TABLE: Mapping[tuple[Phase, type], str] = {
    ("waiting", Begin): "first_begin",
    ("driving", Touch): "contact",
    ("driving", OilTouch): "oil",
    ("driving", GadgetTouch): "touched",
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

Origin = Literal["in a jump zone", "short of one", "before a rope", "short of a rope", "elsewhere"]
Target = Literal["its landing", "a landing", "behind the rope", "the restart place", "elsewhere"]

LIFTS: Mapping[tuple[Origin, Target], str] = {
    ("in a jump zone", "its landing"): "jump_and_land",
    ("in a jump zone", "a landing"): "land_wrong",
    ("in a jump zone", "behind the rope"): "land_wrong",
    ("in a jump zone", "the restart place"): "land_wrong",
    ("in a jump zone", "elsewhere"): "land_wrong",
    ("short of one", "its landing"): "take_off_wrong",
    ("short of one", "a landing"): "take_off_wrong",
    ("short of one", "behind the rope"): "take_off_wrong",
    ("short of one", "the restart place"): "take_off_wrong",
    ("short of one", "elsewhere"): "take_off_wrong",
    ("before a rope", "its landing"): "trip",
    ("before a rope", "a landing"): "trip",
    ("before a rope", "behind the rope"): "jump_rope",
    ("before a rope", "the restart place"): "trip",
    ("before a rope", "elsewhere"): "trip",
    ("short of a rope", "its landing"): "trip_early",
    ("short of a rope", "a landing"): "trip_early",
    ("short of a rope", "behind the rope"): "trip_early",
    ("short of a rope", "the restart place"): "trip_early",
    ("short of a rope", "elsewhere"): "trip_early",
    ("elsewhere", "its landing"): "take_off_wrong",
    ("elsewhere", "a landing"): "take_off_wrong",
    ("elsewhere", "behind the rope"): "lift",
    ("elsewhere", "the restart place"): "lift",
    ("elsewhere", "elsewhere"): "lift",
}
"""What a stroke's end and the next one's beginning make together (R4, R6, R11)."""

SETTLES = {"checkpoint-missed": True, "donuts-missing": False, "slowdown-missed": True}
"""Whether an accident found at a line cancels the donuts that are owed."""

KINDS = {
    "line": "white-line", "hidden-line": "white-line-unseen", "gap": "lift", "rim": "lift", "turned": "lift",
    "onward": "lift", "covered": "lift", "end": "lift", "lift": "lift", "seen": "lift", "start": "start",
    "restart": "restart",
    "jump": "jump", "landing": "landing", "through": "drive-through", "oil": "oil-spill", "donuts": "donuts",
    "zone": "zone", "slowing": "zone", "cross": "crossing", "passing": "crossing", "goes-on": "goes-on",
    "touch": "gadget", "rope": "rope-jump", "rope-landing": "rope-landing", "misplaced": "misplaced",
}  # fmt: skip
"""The kind of question, as people name it, by what a doubt is about: a kind's yes always means the same.

What is not in the table is a kind of its own name.
"""


def kind_of(doubt: Doubt) -> str:
    """The kind of question that a doubt is, in the name that a decision gives it."""
    about = doubt.key[0]
    return "oil-spill" if doubt.rule == "R9" and about.startswith("hidden-") else KINDS.get(about, about)
