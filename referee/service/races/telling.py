"""A game as it is told: to programs as JSON, to people in the words of their language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from flask import url_for

from referee.model import Json
from referee.race import match
from referee.race.clock import Instant
from referee.race.drive import FIT_TO_START, BoardLook, Call, Reason
from referee.race.match import EVENTS, EXPLAINED_CARS, TABLE, TEAMS, Award, Heat, Match, Phase, Team, other
from referee.race.turn import possible
from referee.service import instants, language, stages
from referee.service.app import the
from referee.service.checks import shelf
from referee.service.checks.shelf import Board, Check
from referee.service.races import photos
from referee.service.races.games import Kept
from referee.service.races.photos import Look
from referee.service.telling import clock_described, clock_words, stage_words

BY_CAMERA = ("board-seen", "judged")
"""Events that only the referee's own look at a picture makes: nobody may say them."""
BY_PEOPLE = {name: kind for name, kind in EVENTS.items() if name not in BY_CAMERA}


def car_words(car: str) -> str:
    """What a car card is called; a card that is not explained keeps the name that somebody gave it."""
    return language.say(f"races.car.{car}") if car in EXPLAINED_CARS else car


def players(names: tuple[str, ...]) -> str:
    """Some names as a list: Ada, Béa and Cem."""
    if len(names) < 2:
        return "".join(names)
    return language.say("races.and", first=", ".join(names[:-1]), last=names[-1])


@dataclass(frozen=True)
class Side:
    """One team's part in a heat, with its pictures."""

    told: Told
    place: int
    team: Team
    look: Look | None
    check: Check | None

    @property
    def heat(self) -> Heat:
        """The heat that it is a part of."""
        return self.told.match.heats[self.place]

    @property
    def names(self) -> tuple[str, ...]:
        """The players."""
        return self.told.match.team(self.team)

    @property
    def board(self) -> BoardLook:
        """What a look at the board has shown."""
        return self.heat.lane(self.team).drive.board

    @property
    def gadget(self) -> str | None:
        """What the opponents draw on this team's board."""
        return match.gadget_on_board_of(self.told.match, self.team)

    @property
    def is_fit(self) -> bool:
        """Whether nothing speaks against a start on this board."""
        return self.board in FIT_TO_START and not (self.gadget is not None and self.board == "unseen")

    @property
    def is_looking(self) -> bool:
        """Whether the referee is looking at the board before the start."""
        return self.look is not None and self.look.state == "waiting"

    @property
    def is_judging(self) -> bool:
        """Whether the referee is judging the photo after it."""
        return self.check is not None and self.check.state in ("waiting", "running")

    @property
    def driver(self) -> str | None:
        """Who drives, or drove."""
        at = self.heat.lane(self.team).drive.driver
        return None if at is None else self.names[at]

    @property
    def suggested(self) -> int:
        """The next driver, counted from 0."""
        return match.suggested_drivers(self.told.match)[TEAMS.index(self.team)]

    @property
    def call(self) -> Call | None:
        """What is known of the drive."""
        return self.heat.lane(self.team).drive.call

    @property
    def cheated(self) -> bool:
        """Whether somebody has seen the team cheat."""
        return self.heat.lane(self.team).cheated

    @property
    def has_crossed(self) -> bool:
        """Whether the team was tapped."""
        return self.team in self.heat.crossed

    @property
    def shown_board(self) -> Board | None:
        """The team's board in its photo."""
        return None if self.check is None else photos.board_of(self.check, self.heat.stage, self.team)

    @property
    def other_board(self) -> Board | None:
        """What is in the photo instead of the team's board, if it is not there."""
        return next(iter(self.check.boards), None) if self.check is not None and self.shown_board is None else None

    @property
    def cannot_be_told(self) -> bool:
        """Whether its photo says nothing, because no picture from before the race shows the gadget."""
        return self.check is not None and photos.cannot_tell(self.told.match, self.team, self.check)

    @property
    def time(self) -> str | None:
        """The time of a team that was tapped."""
        clock = self.heat.clock(self.team)
        return clock_words(clock.reading().ms) if clock is not None and self.has_crossed else None

    @property
    def waits(self) -> bool:
        """Whether somebody has to decide about the drive."""
        return (self.place, self.team) in match.waits_for_a_person(self.told.match)


@dataclass(frozen=True)
class Told:
    """A game at one instant, with what the page and the API say of it."""

    kept: Kept
    now: Instant
    looks: Mapping[tuple[int, Team], Look] = field(default_factory=dict)
    checks: Mapping[tuple[int, Team], Check] = field(default_factory=dict)
    there: frozenset[str] = frozenset()
    """The checks of its photos that were not deleted."""

    @property
    def match(self) -> Match:
        """The game itself."""
        return self.kept.match

    @cached_property
    def phase(self) -> Phase:
        """Where the game stands."""
        return match.phase(self.match, self.now)

    @property
    def winner(self) -> Team | None:
        """Who has won the game."""
        return match.winner(self.match)

    @property
    def wins(self) -> Mapping[Team, int]:
        """How many stages each team has won."""
        return match.wins(self.match)

    @property
    def chooser(self) -> Team:
        """Who chooses the stage."""
        return match.chooser(self.match)

    @property
    def next_car(self) -> Team:
        """Who takes a car card."""
        return match.next_to_take_a_car(self.match)

    @property
    def offered(self) -> tuple[int, ...]:
        """The stages to choose from."""
        return match.offered_stages(self.match, sorted(stages.names(the().settings)))

    def possible(self) -> tuple[str, ...]:
        """What people can say now."""
        return possible(TABLE, BY_PEOPLE, self.phase)

    def side(self, team: Team, place: int = -1) -> Side:
        """A team's part in a heat; in the present one, if none is said."""
        place %= len(self.match.heats)
        return Side(self, place, team, self.looks.get((place, team)), self.checks.get((place, team)))

    def sides(self, place: int = -1) -> tuple[Side, Side]:
        """Both teams' parts in a heat."""
        return self.side("A", place), self.side("B", place)

    def award(self, place: int = -1) -> Award | None:
        """To whom a heat's stage goes."""
        return match.award(self.match.heats[place], self.match.terms)

    def award_words(self, place: int = -1) -> str:
        """The same in words, with the first reason; empty while it is open."""
        result = self.award(place)
        if result is None:
            return ""
        if result.winner is None:
            key = "races.again." if result.again else "races.nobody."
            return language.say(key + result.why, stage=stage_words(self.match.heats[place].stage))
        return language.say(f"races.why.{result.why}", winner=result.winner, loser=other(result.winner))

    def reasons(self, place: int = -1) -> list[str]:
        """What an award rests on, in words; that a photo shows it is the rule, and not worth a word."""
        found = match.reasons(self.match.heats[place])
        return [reason_words(one) for one in found if one.code != "by-picture"]

    def waiting(self) -> list[Side]:
        """The drives that somebody has to decide about."""
        return [self.side(team, place) for place, team in match.waits_for_a_person(self.match)]

    @property
    def past(self) -> list[int]:
        """The heats that are closed, the latest first."""
        return [place for place, heat in reversed([*enumerate(self.match.heats)]) if heat.closed]

    @property
    def stage_is_fixed(self) -> bool:
        """Whether the stage stays as it is: it is driven again."""
        return self.match.heat.again

    @property
    def is_busy(self) -> bool:
        """Whether the referee is looking at a picture."""
        return any(look.state == "waiting" for look in self.looks.values()) or any(
            check.state in ("waiting", "running") for check in self.checks.values()
        )

    @property
    def look(self) -> str:
        """Changes with whatever the page shows beside the running clocks; Go itself changes nothing but these."""
        stage = "driving" if self.phase == "counting" else self.phase
        looks = [f"{look.id}{look.state}" for look in self.looks.values()]
        checked = [f"{check.id}{check.state}{check.step}{check.judged_at}" for check in self.checks.values()]
        return " ".join([str(self.kept.version), stage, *looks, *checked])


def told(kept: Kept) -> Told:
    """A game at the present instant, which is read last: what was done before costs no clock anything."""
    store, game = the().store, kept.match
    shown = {check.id: check for check in shelf.latest(store, purpose=photos.purpose(game.id))}
    taken = {key: shown[photo.check] for key, photo in photos.photos_of(store, game.id).items() if photo.check in shown}
    looks = photos.looks_of(store, game.id)
    return Told(kept, instants.now(), looks, taken, frozenset(shown))


def reason_words(reason: Reason) -> str:
    """What an outcome rests on, in words."""
    return language.say(f"races.reason.{reason.code}", **reason.values)


# ----------------------------------------------------------------------------------------------------------- as JSON

_WORD: Json = {"type": "string"}
_WHOLE: Json = {"type": "integer"}
_TEAM: Json = {"enum": list(TEAMS)}
_MAYBE_TEAM: Json = {"enum": [*TEAMS, None]}


def _of_both(inner: Json) -> Json:
    return {"type": "object", "required": list(TEAMS), "properties": dict.fromkeys(TEAMS, inner)}


CLOCK = clock_described("A team's clock", may_be_none=True)
CLOCKS: Json = {
    "type": "object",
    "required": ["version", "phase", "boot", "now_ms", "clocks", "look"],
    "properties": {
        "version": {"type": "integer", "description": "Counts the changes of the race."},
        "phase": _WORD,
        "boot": _WORD,
        "now_ms": _WHOLE,
        "clocks": _of_both(CLOCK),
        "look": {**_WORD, "description": "Another word whenever anything beside the clocks has changed."},
    },
}
LOOK: Json = {
    "type": ["object", "null"],
    "required": ["state", "stage", "copy", "message", "found", "picture"],
    "properties": {
        "state": {"enum": ["waiting", "judged", "failed"]},
        "stage": {"type": ["integer", "null"]},
        "copy": {"type": ["string", "null"]},
        "message": {**_WORD, "description": "Why nothing could be seen; empty if it could."},
        "found": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["id", "kind", "at_mm", "fault"],
                "properties": {
                    "id": _WORD,
                    "kind": {"enum": [*match.DRAWN_CARS, "other"]},
                    "at_mm": {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2},
                    "fault": {**_WORD, "description": "Why it may not be there; empty for what may."},
                },
            },
        },
        "picture": {"type": ["string", "null"]},
    },
}
LANE: Json = {
    "type": "object",
    "required": ["board", "gadget", "look", "driver", "clock", "call", "cheated", "check"],
    "properties": {
        "board": _WORD,
        "gadget": {"enum": [*match.DRAWN_CARS, None], "description": "What the opponents draw on this board."},
        "look": LOOK,
        "driver": {"type": ["integer", "null"]},
        "clock": CLOCK,
        "call": {
            "type": ["object", "null"],
            "required": ["verdict", "accidents", "doubtful", "by"],
            "properties": {"verdict": _WORD, "accidents": _WHOLE, "doubtful": _WHOLE, "by": _WORD},
        },
        "cheated": {"type": "boolean"},
        "check": {"type": ["string", "null"], "description": "The photo's check, see /api/checks."},
    },
}
HEAT: Json = {
    "type": "object",
    "required": ["stage", "chosen_by", "again", "void", "crossed", "award", "lanes"],
    "properties": {
        "stage": _WHOLE,
        "chosen_by": _TEAM,
        "again": {"type": "boolean"},
        "void": _WORD,
        "crossed": {"type": "array", "items": _TEAM, "description": "Who crossed the finish, the first one first."},
        "award": {
            "type": ["object", "null"],
            "required": ["winner", "why", "again", "words", "reasons"],
            "properties": {
                "winner": _MAYBE_TEAM,
                "why": _WORD,
                "again": {"type": "boolean"},
                "words": _WORD,
                "reasons": {"type": "array", "items": _WORD},
            },
        },
        "lanes": _of_both(LANE),
    },
}
RACE: Json = {
    "type": "object",
    "required": ["id", "created_at", "phase", "teams", "youngest", "everybody_knows", "cars", "wins", "winner",
                 "chooser", "offered_stages", "suggested_drivers", "possible", "heats", "clock", "page"],
    "properties": {
        "id": _WORD,
        "created_at": {"type": "number"},
        "phase": {"enum": ["teams", "stage", "cars", "warm-up", "boards", "counting", "driving", "crossed", "awarded",
                           "over", "abandoned"]},
        "teams": _of_both({"type": "array", "items": _WORD}),
        "youngest": _TEAM,
        "everybody_knows": {"type": "boolean"},
        "cars": _of_both({"type": ["string", "null"]}),
        "wins": _of_both(_WHOLE),
        "winner": _MAYBE_TEAM,
        "chooser": _TEAM,
        "offered_stages": {"type": "array", "items": _WHOLE},
        "suggested_drivers": {"type": "array", "items": _WHOLE},
        "possible": {"type": "array", "items": {"enum": list(BY_PEOPLE)}},
        "heats": {"type": "array", "items": HEAT},
        "clock": CLOCKS,
        "page": _WORD,
    },
}  # fmt: skip


def as_json(told: Told) -> Json:
    """A game as the API tells it."""
    game = told.match
    return {
        "id": game.id,
        "created_at": told.kept.created_at,
        "phase": told.phase,
        "teams": {team: list(game.team(team)) for team in TEAMS},
        "youngest": game.youngest,
        "everybody_knows": game.everybody_knows,
        "cars": {team: game.car(team) for team in TEAMS},
        "wins": dict(told.wins),
        "winner": told.winner,
        "chooser": told.chooser,
        "offered_stages": list(told.offered),
        "suggested_drivers": list(match.suggested_drivers(game)),
        "possible": list(told.possible()),
        "heats": [_heat(told, place) for place in range(len(game.heats))],
        "clock": clocks(told),
        "page": url_for("races.one", id=game.id),
    }


def clocks(told: Told) -> Json:
    """What the clocks show, for a page that keeps them running."""
    last = told.match.heat if told.match.heats else None
    return {
        "version": told.kept.version,
        "phase": told.phase,
        "boot": told.now.boot,
        "now_ms": told.now.since_boot_ms,
        "clocks": {team: None if last is None else _clock(last, team, told.now) for team in TEAMS},
        "look": told.look,
    }


def _clock(heat: Heat, team: Team, now: Instant) -> Json | None:
    clock = heat.clock(team)
    if clock is None:
        return None
    reading = clock.reading(now)
    ahead = clock.ahead_ms(now) if clock.running else 0
    known = {"ms": reading.ms, "runs": clock.running, "countdown_ms": ahead, "by_wall": reading.by_wall}
    return {**known, "boot": now.boot, "now_ms": now.since_boot_ms}


def _heat(told: Told, place: int) -> Json:
    heat, result = told.match.heats[place], told.award(place)
    return {
        "stage": heat.stage,
        "chosen_by": heat.chosen_by,
        "again": heat.again,
        "void": heat.void,
        "crossed": list(heat.crossed),
        "award": None if result is None else _award(told, place, result),
        "lanes": {team: _lane(told.side(team, place)) for team in TEAMS},
    }


def _award(told: Told, place: int, result: Award) -> Json:
    words = {"words": told.award_words(place), "reasons": told.reasons(place)}
    return {"winner": result.winner, "why": result.why, "again": result.again, **words}


def _lane(side: Side) -> Json:
    call = side.call
    return {
        "board": side.board,
        "gadget": side.gadget,
        "look": None if side.look is None else look_as_json(side.told.match.id, side.look),
        "driver": side.heat.lane(side.team).drive.driver,
        "clock": _clock(side.heat, side.team, side.told.now),
        "call": None
        if call is None
        else {name: getattr(call, name) for name in ("verdict", "accidents", "doubtful", "by")},
        "cheated": side.cheated,
        "check": None if side.check is None else side.check.id,
    }


def look_as_json(race_id: str, look: Look) -> Json:
    """A look at a board before its race as the API tells it."""
    seen, tongue = look.seen, language.chosen()
    words = seen.words[tongue] if seen is not None and seen.words else None
    found = () if seen is None else seen.found
    return {
        "state": look.state,
        "stage": None if seen is None else seen.stage,
        "copy": None if seen is None else seen.copy,
        "message": "" if words is None else f"{words['message']} {words['hint']}",
        "found": [
            {"id": one.id, "kind": one.kind, "at_mm": list(one.at_mm), "fault": one.fault.get(tongue, "")}
            for one in found
        ],
        "picture": None if look.drawn is None else url_for("races.look_picture", id=race_id, look=look.id),
    }
