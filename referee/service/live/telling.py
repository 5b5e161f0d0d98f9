"""A watch as the API tells it, and what is said aloud of every call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from referee.model import Json
from referee.service import instants
from referee.service.live.after import back_words, event_words, number_of
from referee.service.live.sitting import Sitting
from referee.service.telling import stage_words


@dataclass(frozen=True)
class Aloud:
    """How a call is said: ``urgency`` 0 before all others, ``keep_ms`` so long it is worth saying.

    ``clip`` is its own words; a sound without words (a tick) has none.  ``in_pipe``: it is said in a pipe, too.
    """

    clip: str = ""
    sound: str = ""
    urgency: int = 2
    keep_ms: int = 2500
    in_pipe: bool = False


ALOUD: Mapping[str, Aloud] = {
    "start": Aloud(sound="start"),
    "restart": Aloud(sound="tick"),
    "checkpoint": Aloud(sound="tick"),
    "brush": Aloud(),
    "accident": Aloud("accident", urgency=0, keep_ms=8000, in_pipe=True),
    "lift": Aloud(),
    "jump": Aloud("jump", urgency=3, keep_ms=1500),
    "landing": Aloud("landing", urgency=3, keep_ms=1500),
    "acceleration": Aloud("boost"),
    "slowdown": Aloud("slowed", urgency=3, keep_ms=1500),
    "wipeout": Aloud("wipeout", urgency=1, keep_ms=6000),
    "donut": Aloud("donut"),
    "pipe-enter": Aloud("radio-silence", urgency=1, keep_ms=3000, in_pipe=True),
    "pipe-exit": Aloud("radio-on", urgency=1, keep_ms=3000, in_pipe=True),
    "finish": Aloud("finish", urgency=1, keep_ms=15000, in_pipe=True),
    "gadget": Aloud("rope", urgency=3, keep_ms=1500),
    "false-start": Aloud("false-start", urgency=0, keep_ms=8000, in_pipe=True),
    "wiped": Aloud("wiped", urgency=3, keep_ms=4000),
    "changed": Aloud("changed", urgency=3, keep_ms=4000),
}
"""Every kind of call; one without clip and sound is shown and not said (a brush)."""

CAUSES: Mapping[str, str] = {
    "white-line": "white-line",
    "lift": "lift",
    "jump": "jump-missed",
    "slowdown-missed": "slowdown-missed",
    "donuts-missing": "donuts-missing",
    "checkpoint-missed": "checkpoint-missed",
    "start": "not-from-start",
    "clothesline": "clothesline",
    "mine": "mine",
}
PLAIN = ("white-line",)
"""Causes that everybody sees: they are not said, so that where to go back to comes sooner."""
TAKEN_BACK = ("accident", "wipeout", "finish")
"""What is taken back aloud; the rest on the page alone."""
MOST_BACK = 9
DONUTS = 3

TROUBLES = ("lost", "mirrored", "dark", "blurred", "unknown-stage")
"""What keeps the referee from seeing, the worst first."""
PHASES: Mapping[str, str] = {
    "empty": "empty",
    "not-empty": "not-empty",
    "armed": "armed",
    "racing": "watching",
    "finished": "finished",
    "closed": "closed",
}
COUNTED = ("checkpoint", "donut", "accident")


def clips(call: Json, *, with_team: bool) -> list[str]:
    """The clips that say a call, one after the other; none for what is not said in words."""
    aloud = ALOUD[call["kind"]]
    words = _taken_back(call) if call["again"] else _words_of(call, aloud) if aloud.clip else []
    team = [f"team-{call['team'].lower()}"] if with_team and call["team"] and words else []
    return team + words


def _taken_back(call: Json) -> list[str]:
    return [f"no-{call['kind']}"] if call["kind"] in TAKEN_BACK else []


def _words_of(call: Json, aloud: Aloud) -> list[str]:
    if call["kind"] == "accident":
        if not call["certain"]:
            return ["doubtful"]
        cause = [] if call["cause"] is None or call["cause"] in PLAIN else [CAUSES[call["cause"]]]
        return [aloud.clip, *cause, back_clip(call["restart_element"])]
    if call["kind"] == "donut" and call["of"] == DONUTS and call["number"] in (1, 2, 3):
        return [f"donut-{call['number']}"]
    return [aloud.clip]


def back_clip(restart: str | None) -> str:
    """The clip of where the car goes back to.

    >>> back_clip("checkpoint-2"), back_clip("start-1"), back_clip("checkpoint-17"), back_clip(None)
    ('back-2', 'back-start', 'back', 'back')
    """
    if (restart or "").startswith("start"):
        return "back-start"
    number = number_of(restart) if (restart or "").startswith("checkpoint") else None
    return f"back-{number}" if number is not None and 1 <= number <= MOST_BACK else "back"


# ----------------------------------------------------------------------------------------------------- a whole watch


def as_json(sitting: Sitting, after: int) -> Json:
    """A watch as it is now, with the calls from number ``after`` on."""
    state, now = sitting.state, instants.now()
    sight = state.sight or {}
    boards = [_board(sitting, board) for board in sight.get("boards", [])]
    return {
        "id": sitting.id,
        "number": state.number,
        "clock": {"boot": now.boot, "now_ms": now.since_boot_ms},
        "over": state.over,
        "state": state_of(sitting),
        "two": sitting.plan.two,
        "source": "server" if sitting.plan.source else "browser",
        "heard_ms": state.heard_ms,
        "go_ms": state.go_ms,
        "race": state.race,
        "frames": state.frames,
        "dropped": state.dropped,
        "look_ms": sight.get("took_ms"),
        "size": sight.get("size"),
        "boards": boards,
        "calls": [_call(sitting, number, call) for number, call in enumerate(state.calls) if number >= after],
        "noises": len(state.noises),
        "error": (sight.get("error") or {}).get("code"),
    }


def state_of(sitting: Sitting) -> str:
    """The one word for what the camera sees: the worst trouble, else what goes on."""
    sight = sitting.state.sight
    if sight is None:
        return "waking" if sitting.plan.source else "opening"
    if "error" in sight:
        return "ended" if sitting.plan.source else "looking"
    boards = sight["boards"]
    troubles = {board["trouble"] for board in boards if board["phase"] != "closed"} | {sight["trouble"]}
    if (worst := next((trouble for trouble in TROUBLES if trouble in troubles), None)) is not None:
        return "looking" if worst == "lost" and not sitting.state.calls else worst
    if not boards:
        return "looking"
    phases = [board["phase"] for board in boards]
    for phase in ("racing", "armed", "not-empty", "empty", "finished", "closed"):
        if phase in phases:
            busy = "hand" in troubles and phase == "racing"
            return "hand" if busy else PHASES[phase]
    return "looking"


def _board(sitting: Sitting, board: Json) -> Json:
    calls = [call for call in sitting.state.calls if call["team"] == board["copy"]]
    pipes = [call["kind"] for call in calls if call["kind"].startswith("pipe-") and not call["again"]]
    counted = {f"{kind}s": count_of(calls, kind) for kind in COUNTED}
    elapsed = board["elapsed_s"]
    told = {name: board[name] for name in ("phase", "trouble", "corners", "path", "tip", "covered")}
    return (
        told
        | counted
        | {
            "team": board["copy"],
            "stage": board["stage"],
            "stage_words": stage_words(board["stage"]),
            "ms": None if elapsed is None else max(0, round(elapsed * 1000)),
            "at_ms": round((sitting.state.sight or {"at_s": 0})["at_s"] * 1000),
            "runs": board["phase"] == "racing",
            "in_pipe": pipes[-1:] == ["pipe-enter"] and board["phase"] == "racing",
        }
    )


def count_of(calls: Sequence[Json], kind: str) -> int:
    """How many of a kind were called for certain and not taken back."""
    mine = [call for call in calls if call["kind"] == kind]
    return max(0, sum(-1 if call["again"] else int(call["certain"]) for call in mine))


def _call(sitting: Sitting, number: int, call: Json) -> Json:
    aloud = ALOUD[call["kind"]]
    words = event_words(call | {"certain": True} if call["again"] else call)
    return {
        "n": number,
        "kind": call["kind"],
        "team": call["team"],
        "words": words,
        "again": call["again"],
        "certain": call["certain"],
        "at_ms": round(call["at_s"] * 1000),
        "said_ms": round(call["said_s"] * 1000),
        "clips": clips(call, with_team=sitting.plan.two),
        "sound": "" if call["again"] else aloud.sound,
        "urgency": 0 if call["again"] else aloud.urgency,
        "keep_ms": aloud.keep_ms,
        "in_pipe": aloud.in_pipe,
        "back": back_words(call["restart_element"]) if call["kind"] == "accident" else None,
    }


_WORD: Json = {"type": "string"}
_MAYBE_WORD: Json = {"type": ["string", "null"]}
_WHOLE: Json = {"type": "integer"}
_MAYBE_WHOLE: Json = {"type": ["integer", "null"]}
_POINTS: Json = {"type": ["array", "null"]}
BOARD: Json = {
    "type": "object",
    "required": ["team", "stage", "phase", "ms", "runs", "in_pipe"],
    "properties": {
        "team": _MAYBE_WORD,
        "stage": _WHOLE,
        "stage_words": _WORD,
        "phase": {"enum": list(PHASES)},
        "trouble": _MAYBE_WORD,
        "corners": {**_POINTS, "description": "Shares of the frame's width and height, top left as printed first."},
        "path": {**_POINTS, "description": "Board millimetres; null parts strokes."},
        "ms": {**_MAYBE_WHOLE, "description": "The race's clock at the moment at_ms."},
        "at_ms": _WHOLE,
        "runs": {"type": "boolean"},
        "in_pipe": {"type": "boolean"},
        "checkpoints": _WHOLE,
        "donuts": _WHOLE,
        "accidents": _WHOLE,
    },
}
CALL: Json = {
    "type": "object",
    "required": ["n", "kind", "team", "words", "at_ms", "said_ms", "clips", "urgency"],
    "properties": {
        "n": _WHOLE,
        "kind": {"enum": list(ALOUD)},
        "team": _MAYBE_WORD,
        "words": _WORD,
        "at_ms": {**_WHOLE, "description": "When that ink came into view."},
        "said_ms": {**_WHOLE, "description": "The frame that settled it."},
        "clips": {"type": "array", "items": _WORD},
        "sound": _WORD,
        "urgency": _WHOLE,
        "keep_ms": _WHOLE,
    },
}
WATCH: Json = {
    "type": "object",
    "required": ["id", "number", "clock", "over", "state", "boards", "calls", "race", "go_ms"],
    "description": "All moments are milliseconds on the clock of clock.boot, which showed clock.now_ms just now.",
    "properties": {
        "id": _WORD,
        "number": {**_WHOLE, "description": "Grows with every change."},
        "clock": {"type": "object", "required": ["boot", "now_ms"]},
        "over": {"type": "boolean"},
        "state": _WORD,
        "boards": {"type": "array", "items": BOARD},
        "calls": {"type": "array", "items": CALL},
        "race": {**_WORD, "description": "The race that was kept, as soon as it is over; else empty."},
        "go_ms": _MAYBE_WHOLE,
        "frames": _WHOLE,
        "dropped": _WHOLE,
    },
}
