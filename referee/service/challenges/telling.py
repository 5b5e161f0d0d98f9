"""A run as it is told: to programs as JSON, to people in the words of their language."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from flask import url_for

from referee.model import Json
from referee.race import challenge
from referee.race.challenge import EVENTS, TABLE, Leg, Phase, Run
from referee.race.clock import Instant
from referee.race.drive import Drive, Reason
from referee.race.turn import possible
from referee.rules.challenges import CHALLENGES, CONDITIONS, LEVELS, AnyStages, Challenge, ConditionName, Language
from referee.service import instants, language, stages
from referee.service.app import the
from referee.service.challenges import photos
from referee.service.challenges.photos import RunPhoto
from referee.service.challenges.runs import Kept
from referee.service.checks import shelf
from referee.service.checks.shelf import Board, Check
from referee.service.telling import clock_described, clock_words


def target_words(ms: int) -> str:
    """A whole number of seconds as a clock shows them.

    >>> target_words(270_000)
    '4:30'
    """
    return f"{ms // 60_000}:{ms // 1000 % 60:02}"


def sentence(words: str) -> str:
    """Words as a sentence begins with them.

    >>> sentence("no Co-Pilot")
    'No Co-Pilot'
    """
    return words[:1].upper() + words[1:]


def level_words(of: Challenge) -> str:
    """How hard a challenge is."""
    return LEVELS[of.level].to(chosen())


def chosen() -> Language:
    """The language of the request, as the table of challenges asks for it."""
    return "fr" if language.chosen() == "fr" else "en"


def stage_picture(stage: int) -> str | None:
    """The address of a stage's picture; None where its file is not at hand."""
    is_there = stage in stages.names(the().settings)
    return url_for("challenges.stage_picture", number=stage) if is_there else None


@dataclass(frozen=True)
class Told:
    """A run at one instant, with what the page and the API say of it."""

    kept: Kept
    now: Instant
    photo: Check | None
    """The photo that was taken of what the run is at."""
    there: frozenset[str]
    """The checks of its calls that were not deleted."""

    @property
    def run(self) -> Run:
        """The run itself."""
        return self.kept.run

    @property
    def challenge(self) -> Challenge:
        """The challenge that is run."""
        return CHALLENGES[self.run.challenge]

    @property
    def name(self) -> str:
        """What the challenge is called."""
        return self.challenge.name.to(chosen())

    @cached_property
    def phase(self) -> Phase:
        """Where the run stands."""
        return challenge.phase(self.run, self.now)

    @property
    def leg(self) -> Leg:
        """The stage that the run is at."""
        return self.run.legs[self.run.at]

    @property
    def drive(self) -> Drive:
        """The drive that the run is at."""
        return self.run.drive

    @property
    def driver(self) -> str:
        """Who drives, or who would be next."""
        at = self.drive.driver
        return self.run.team[challenge.suggested_driver(self.run) if at is None else at]

    @property
    def suggested(self) -> int:
        """The next driver, counted from 0 in the team."""
        return challenge.suggested_driver(self.run)

    @property
    def total_ms(self) -> int:
        """What the one big clock shows."""
        return challenge.time(self.run, self.now).ms

    @property
    def stage_ms(self) -> int:
        """How long the present stage has taken, all its drives together."""
        return sum(drive.clock.reading(self.now).ms for drive in self.leg.drives if drive.clock)

    @property
    def is_any(self) -> bool:
        """Whether the team chooses the stages."""
        return isinstance(self.challenge.stages, AnyStages)

    @property
    def seen(self) -> Board | None:
        """The board in the photo."""
        return photos.board_of(self.photo, self.leg.stage) if self.photo else None

    @property
    def photo_state(self) -> str:
        """``none``, ``waiting``, ``running``, ``failed`` or ``judged``."""
        return self.photo.state if self.photo else "none"

    @property
    def is_looking(self) -> bool:
        """Whether the referee is looking at the photo."""
        return self.photo_state in ("waiting", "running")

    @property
    def look(self) -> str:
        """Changes with whatever the page shows beside the running clock."""
        progress = f"{self.photo.id}{self.photo.step}" if self.photo else ""
        stage = "driving" if self.phase == "counting" else self.phase
        return f"{self.kept.version} {stage} {self.photo_state} {progress}"

    def waiting(self) -> list[Leg]:
        """The stages that somebody has to decide about."""
        return [self.run.legs[place] for place in challenge.waits_for_a_person(self.run)]

    def undeclared(self) -> tuple[ConditionName, ...]:
        """What the team has still to say."""
        return challenge.undeclared(self.run)

    def reasons(self) -> list[str]:
        """Why it was won or lost, in words."""
        return list(map(reason_words, challenge.reasons(self.run)))

    def against(self) -> list[str]:
        """Why it cannot be won any more, in words; empty where it can."""
        return [reason_words(one) for one in challenge.reasons_against(self.run, self.now)]

    def marks(self) -> list[str]:
        """What is to be said beside, in words."""
        return [mark_words(one) for one in challenge.marks(self.run)]


def told(kept: Kept, run_photos: Iterable[RunPhoto]) -> Told:
    """A run at the present instant, which is read last: what was done before costs the clock nothing."""
    at = challenge.phase(kept.run, instants.now())
    photo = photos.wanted_now(list(run_photos), kept, at)
    check = shelf.found(the().store, photo.check) if photo else None
    calls = (drive.call for drive in kept.run.drives)
    there = shelf.those_there(the().store, (call.check for call in calls if call is not None and call.check))
    return Told(kept, instants.now(), check, there)


# ----------------------------------------------------------------------------------------------------------- words


def reason_words(reason: Reason) -> str:
    """Why something was won or lost."""
    return _words(f"challenges.reason.{reason.code}", reason)


def mark_words(reason: Reason) -> str:
    """Something to be said beside an outcome."""
    return _words(f"challenges.mark.{reason.code}", reason)


def _words(key: str, reason: Reason) -> str:
    values: dict[str, object] = dict(reason.values)
    if "total_ms" in values:
        values |= {"total": clock_words(int(reason.values["total_ms"]))}
        values |= {"target": target_words(int(reason.values["target_ms"]))}
    if "condition" in values:
        values["condition"] = next(
            one.text.to(chosen()) for name, one in CONDITIONS.items() if name == values["condition"]
        )
    if "verdict" in values:
        values["verdict"] = language.say(f"challenges.verdict.{values['verdict']}")
    return language.say(key, **values)


# ------------------------------------------------------------------------------------------------------------ JSON

SAID = (
    "change-stage", "board-vouched", "count-down", "call-off", "finish", "not-yet", "honest", "drive-again", "declare",
    "give-up",
)  # fmt: skip
"""The events that are said from outside; what a camera has seen only the referee says."""
_WORD: Json = {"type": "string"}
_WHOLE: Json = {"type": "integer"}
REASONS: Json = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["code", "values", "text"],
        "properties": {"code": _WORD, "values": {"type": "object"}, "text": _WORD},
    },
}
CALL: Json = {
    "type": ["object", "null"],
    "description": "What is known of a driven board; null until something is.",
    "required": ["verdict", "accidents", "doubtful", "by", "check"],
    "properties": {
        "verdict": {"enum": ["fair", "ignored-accident", "unfinished", "review"]},
        "accidents": _WHOLE,
        "doubtful": {"type": "integer", "description": "Accidents that are too close to call."},
        "by": {"enum": ["picture", "person", "honour"]},
        "check": {
            "type": "string",
            "description": "The check of the photo; nothing without one, or when it was deleted.",
        },
    },
}
DRIVE: Json = {
    "type": "object",
    "required": ["board", "driver", "ms", "call"],
    "properties": {
        "board": {"type": "string", "description": "What a look at the board before the start has shown."},
        "driver": {"type": ["string", "null"]},
        "ms": {"type": ["integer", "null"], "description": "Its time so far; null before the start."},
        "call": CALL,
    },
}
CLOCK = clock_described("The one big clock")
RUN: Json = {
    "type": "object",
    "required": [
        "id", "version", "turn", "look", "page", "challenge", "name", "team", "practice", "phase", "possible", "at",
        "target_ms", "clock", "suggested_driver", "legs", "photo", "reasons", "against", "marks",
    ],
    "properties": {
        "id": _WORD,
        "version": {"type": "integer", "description": "Counts the changes of the run."},
        "turn": {"type": "integer", "description": "Which drive the run is at, counted from 0."},
        "look": {"type": "string", "description": "Changes with what a page shows beside the running clock."},
        "page": _WORD,
        "challenge": _WORD,
        "name": _WORD,
        "team": {"type": "array", "items": _WORD},
        "practice": {"type": "boolean"},
        "phase": {"type": "string"},
        "possible": {"type": "array", "items": {"enum": list(SAID)}, "description": "The events of this phase."},
        "at": {"type": "integer", "description": "Which of the stages it is at, counted from 0."},
        "target_ms": _WHOLE,
        "clock": CLOCK,
        "suggested_driver": {"type": "integer", "description": "Counted from 0 in the team."},
        "legs": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["stage", "drives"],
                "properties": {"stage": _WHOLE, "drives": {"type": "array", "items": DRIVE}},
            },
        },
        "photo": {
            "type": ["object", "null"],
            "description": "The photo of what the run is at, if one was taken.",
            "required": ["check", "state"],
            "properties": {"check": _WORD, "state": {"enum": ["waiting", "running", "judged", "failed"]}},
        },
        "reasons": REASONS,
        "against": REASONS,
        "marks": REASONS,
    },
}  # fmt: skip


def as_json(told: Told) -> Json:
    """A run as the API tells it."""
    run, now = told.run, told.now
    elapsed = challenge.time(run, now)
    runs = told.phase in ("counting", "driving")
    clock = {"ms": elapsed.ms, "runs": runs, "countdown_ms": challenge.countdown_ms(run, now)}
    return {
        "id": run.id,
        "version": told.kept.version,
        "turn": told.kept.turn,
        "look": told.look,
        "page": url_for("challenges.run", id=run.id),
        "challenge": run.challenge,
        "name": told.name,
        "team": list(run.team),
        "practice": run.practice,
        "phase": told.phase,
        "possible": [name for name in possible(TABLE, EVENTS, told.phase) if name in SAID],
        "at": run.at,
        "target_ms": told.challenge.target_ms,
        "clock": {**clock, "by_wall": elapsed.by_wall, "boot": now.boot, "now_ms": now.since_boot_ms},
        "suggested_driver": told.suggested,
        "legs": [{"stage": leg.stage, "drives": [_drive(told, one) for one in leg.drives]} for leg in run.legs],
        "photo": {"check": told.photo.id, "state": told.photo.state} if told.photo else None,
        "reasons": [_reason(one, reason_words(one)) for one in challenge.reasons(run)],
        "against": [_reason(one, reason_words(one)) for one in challenge.reasons_against(run, now)],
        "marks": [_reason(one, mark_words(one)) for one in challenge.marks(run)],
    }


def _drive(told: Told, drive: Drive) -> Json:
    run, now, call = told.run, told.now, drive.call
    return {
        "board": drive.board,
        "driver": None if drive.driver is None else run.team[drive.driver],
        "ms": drive.clock.reading(now).ms if drive.clock else None,
        "call": call
        and {
            "verdict": call.verdict,
            "accidents": call.accidents,
            "doubtful": call.doubtful,
            "by": call.by,
            "check": call.check if call.check in told.there else "",
        },
    }


def _reason(reason: Reason, text: str) -> Json:
    return {"code": reason.code, "values": dict(reason.values), "text": text}
