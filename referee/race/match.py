"""R12: two teams against each other, best of three, told as a table of what can happen when.

    teams → stage → cars or warm-up → boards → counting → driving → crossed → awarded → over
              ↑                         ↑                              ↓          ↓
              │                         └───────── driven again ───────┴──────────┤
              └──────────────────── the loser chooses the next stage ─────────────┘

The team with the youngest player chooses the first stage; the other team chooses its car first, if everybody knows the
game.  If somebody does not, stages 1 to 4 are offered, and there is a lap to warm up that counts for nothing.  Gadgets
are drawn on the opponents' board, and the camera looks at both boards.  After 3, 2, 1, Go both teams drive, on one copy
each; a person taps who crossed the finish first.  Two pictures say whether that was fair: who cheated or ignored an
accident gives the stage away.  Two stages take the game.

The teams are called A and B, after the copies that they drive.  `step` leads from a match, an event and its instant to
the match after it; the phase follows from what is known (`phase`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from referee.errors import Refused
from referee.model import Copy, Json
from referee.race import stored
from referee.race.clock import Clock, Instant
from referee.race.drive import (
    COUNTDOWN_MS,
    BoardLook,
    Call,
    Drive,
    Reason,
    clocks,
    fit_name,
    fit_to_start,
    known_player,
    known_stage,
    known_team,
    next_driver,
    not_on_honour,
    stage_fault,
    team_fault,
)
from referee.race.turn import Table, turn

FORMAT = 1

Team = Copy
TEAMS: tuple[Team, Team] = ("A", "B")
WINS_NEEDED = 2
FIRST_GAME_STAGES = (1, 2, 3, 4)

DRAWN_CARS = ("clothesline", "mine")
"""The cars whose gadget is drawn on the opponents' board."""
EXPLAINED_CARS = ("clothesline", "nitro", "mine")
"""The cars that the rulebook explains (R8, R11); the others of the box are noted by name, without effect."""

Phase = Literal[
    "teams", "stage", "cars", "warm-up", "boards", "counting", "driving", "crossed", "awarded", "over", "abandoned"
]
Standing = Literal["fair", "gave-away", "unfinished", "open"]
Void = Literal["", "start-over", "dead-heat"]


def other(team: Team) -> Team:
    """The opponents.

    >>> other("A")
    'B'
    """
    return "B" if team == "A" else "A"


# ----------------------------------------------------------------------------------------- the state of play


@dataclass(frozen=True)
class Terms:
    """Two decisions of R12, as the rules' settings of the same names."""

    cheating_loses: Literal["stage", "game"] = "stage"
    both_cheated: Literal["again", "nobody"] = "again"


@dataclass(frozen=True)
class Lane:
    """One team's part in a heat: its drive, and whether the opponents have caught it cheating."""

    drive: Drive = field(default_factory=Drive)
    cheated: bool = False


@dataclass(frozen=True)
class Heat:
    """One stage, raced once: by both teams from the same Go, each on its own copy.

    ``crossed`` names who crossed the finish, the first one first.  ``again`` marks a stage that is driven once more,
    ``void`` why a heat counts for nothing, ``closed`` that the players have looked at its paths and gone on.
    """

    stage: int
    chosen_by: Team
    again: bool = False
    lanes: tuple[Lane, Lane] = (Lane(), Lane())
    crossed: tuple[Team, ...] = ()
    void: Void = ""
    closed: bool = False

    def lane(self, team: Team) -> Lane:
        """The part of one team."""
        return self.lanes[TEAMS.index(team)]

    def clock(self, team: Team) -> Clock | None:
        """The clock of one team: both start together, each stops for itself."""
        return self.lane(team).drive.clock

    @property
    def raced(self) -> bool:
        """Whether it was started."""
        return self.clock("A") is not None


@dataclass(frozen=True)
class Match:
    """A game of two teams, as it stands; ``cars`` are those of team A and team B, kept for the whole game."""

    id: str
    terms: Terms = Terms()
    teams: tuple[tuple[str, ...], ...] = ()
    youngest: Team = "A"
    everybody_knows: bool = False
    cars: tuple[str | None, str | None] = (None, None)
    without_cars: bool = False
    warmed_up: bool = False
    heats: tuple[Heat, ...] = ()
    abandoned: bool = False

    def __post_init__(self) -> None:
        if fault := _fault(self):
            raise ValueError(f"this is no game of two teams: {fault}")

    @property
    def heat(self) -> Heat:
        """The heat that is prepared, raced or judged."""
        return self.heats[-1]

    def team(self, team: Team) -> tuple[str, ...]:
        """The players of a team."""
        return self.teams[TEAMS.index(team)]

    def car(self, team: Team) -> str | None:
        """The car of a team, if it has one."""
        return self.cars[TEAMS.index(team)]


def phase(match: Match, now: Instant | None = None) -> Phase:
    """Where a match stands; ``now`` tells a countdown from a race."""
    if match.abandoned or not match.teams:
        return "abandoned" if match.abandoned else "teams"
    if winner(match):
        return "over"
    if not match.heats or match.heat.closed:
        return "stage"
    if match.everybody_knows and not match.without_cars and None in match.cars:
        return "cars"
    if not match.everybody_knows and not match.warmed_up:
        return "warm-up"
    clock = match.heat.clock("A")
    if clock is None:
        return "boards"
    if not match.heat.crossed:
        return "counting" if now and clock.ahead_ms(now) else "driving"
    return "awarded" if award(match.heat, match.terms) else "crossed"


# ----------------------------------------------------------------------------------------- whose turn it is


def chooser(match: Match) -> Team:
    """Who chooses the next stage: first the team of the youngest player, then the loser of the last stage."""
    for heat in reversed(match.heats):
        if not heat.closed:
            return heat.chosen_by
        if (result := award(heat, match.terms)) and result.winner:
            return other(result.winner)
    return match.youngest


def offered_stages(match: Match, there: Sequence[int]) -> tuple[int, ...]:
    """Of the stages that are there, those to offer: the first four while somebody does not know the game."""
    first = tuple(stage for stage in there if stage in FIRST_GAME_STAGES)
    return tuple(there) if match.everybody_knows else first or tuple(there)


def next_to_take_a_car(match: Match) -> Team:
    """Who takes a car: first the team that did not choose the first stage."""
    first = other(match.youngest)
    return first if match.car(first) is None else other(first)


def gadget_on_board_of(match: Match, team: Team) -> str | None:
    """The gadget that the opponents draw on a team's board, or None."""
    car = match.car(other(team))
    return car if car in DRAWN_CARS else None


def has_nitro(match: Match, team: Team) -> bool:
    """Whether R8 lets a team's turbo boost last to the next checkpoint."""
    return match.car(team) == "nitro"


def suggested_drivers(match: Match) -> tuple[int, int]:
    """The next drivers of team A and team B, counted from 0."""
    a, b = ([heat.lane(team).drive for heat in match.heats] for team in TEAMS)
    return next_driver(a, len(match.team("A"))), next_driver(b, len(match.team("B")))


# ----------------------------------------------------------------------------------------- to whom a stage goes


@dataclass(frozen=True)
class Award:
    """To whom a stage goes, and why; ``again`` if it is driven once more instead."""

    winner: Team | None
    why: str
    again: bool = False


AWARDS: Mapping[tuple[Standing, Standing], tuple[Literal["first", "other", "again"], str]] = {
    ("fair", "fair"): ("first", "first-across"),
    ("fair", "gave-away"): ("first", "first-across"),
    ("fair", "unfinished"): ("first", "first-across"),
    ("fair", "open"): ("first", "first-across"),
    ("gave-away", "fair"): ("other", "given-away"),
    ("gave-away", "unfinished"): ("other", "given-away"),
    ("gave-away", "gave-away"): ("again", "both-gave-away"),
    ("unfinished", "fair"): ("other", "first-not-finished"),
    ("unfinished", "gave-away"): ("first", "given-away"),
    ("unfinished", "unfinished"): ("again", "nobody-finished"),
}
"""(how the team that crossed first stands, how the other one stands) → who gets the stage; what is not here waits.

The other team need not have finished to be given a stage: the race was over when the first one crossed.
"""

WHY = {
    "first-across": "the team crossed the finish first, fairly",
    "given-away": "the other team cheated or ignored an accident",
    "first-not-finished": "the other team was tapped first, and its picture shows that it had not finished",
    "both-gave-away": "both teams cheated or ignored an accident",
    "nobody-finished": "neither picture shows a finished race",
    "dead-heat": "nobody could tell who was first",
    "start-over": "the players agreed to start over",
}


def standing(lane: Lane) -> Standing:
    """How a team stands in a heat: cheating and an ignored accident are the same to R12."""
    call = lane.drive.call
    if lane.cheated or (call and call.verdict == "ignored-accident"):
        return "gave-away"
    if call is None or call.verdict == "review":
        return "open"
    return "fair" if call.verdict == "fair" else "unfinished"


def award(heat: Heat, terms: Terms) -> Award | None:
    """To whom a heat's stage goes; None while that is open."""
    if heat.void:
        return Award(None, heat.void, again=True)
    if not heat.crossed:
        return None
    first = heat.crossed[0]
    who, why = AWARDS.get((standing(heat.lane(first)), standing(heat.lane(other(first)))), (None, ""))
    if who is None:
        return None
    if who == "again":
        return Award(None, why, again=why != "both-gave-away" or terms.both_cheated == "again")
    return Award(first if who == "first" else other(first), why)


def reasons(heat: Heat) -> tuple[Reason, ...]:
    """What an award rests on, beside who crossed first: how each team stands (team), and on whose word."""
    return tuple(reason for team in TEAMS for reason in _reasons(heat.lane(team), team))


def _reasons(lane: Lane, team: Team) -> Iterator[Reason]:
    if lane.cheated:
        yield Reason("cheated", {"team": team})
    if lane.drive.call:
        yield Reason(lane.drive.call.verdict, {"team": team, "accidents": lane.drive.call.accidents})
        yield Reason("by-" + lane.drive.call.by, {"team": team})
    if lane.drive.board == "vouched" and lane.drive.clock:
        yield Reason("board-vouched", {"team": team})
    if lane.drive.clock and lane.drive.clock.by_wall:
        yield Reason("by-wall-clock", {"team": team})


def waits_for_a_person(match: Match) -> tuple[tuple[int, Team], ...]:
    """The heats (counted from 0) that are open because somebody has to decide about a team's drive, with the team."""
    return tuple(
        (place, team)
        for place, heat in enumerate(match.heats)
        for team in TEAMS
        if (call := heat.lane(team).drive.call)
        and call.verdict == "review"
        and standing(heat.lane(team)) == "open"
        and award(heat, match.terms) is None
    )


def wins(match: Match) -> Mapping[Team, int]:
    """How many stages each team has won."""
    winners = [result.winner for heat in match.heats if (result := award(heat, match.terms))]
    return {team: winners.count(team) for team in TEAMS}


def winner(match: Match) -> Team | None:
    """Who has won the game: the first to two stages, or whose opponents gave it away where that is decided so."""
    won = dict.fromkeys(TEAMS, 0)
    for heat in match.heats:
        result = award(heat, match.terms)
        if result is None or result.winner is None:
            continue
        won[result.winner] += 1
        gave_away = standing(heat.lane(other(result.winner))) == "gave-away"
        if won[result.winner] == WINS_NEEDED or (gave_away and match.terms.cheating_loses == "game"):
            return result.winner
    return None


# ----------------------------------------------------------------------------------------- what can happen


@dataclass(frozen=True)
class SitDown:
    """Two teams of two or three sit down: who is in A and in B, which has the youngest, whether all know the game."""

    a: tuple[str, ...]
    b: tuple[str, ...]
    youngest: Team
    everybody_knows: bool


@dataclass(frozen=True)
class ChooseStage:
    """The team whose turn it is chooses the stage, or changes its mind before the start."""

    team: Team
    stage: int


@dataclass(frozen=True)
class TakeCar:
    """A team takes a car card: one of the three that are explained, or another by its name."""

    team: Team
    car: str


@dataclass(frozen=True)
class WithoutCars:
    """The players leave the car cards in the box."""


@dataclass(frozen=True)
class WarmUpOver:
    """The lap to warm up is driven, or not wanted: it counts for nothing either way."""


@dataclass(frozen=True)
class BoardSeen:
    """The camera has looked at a team's board before the start, gadgets drawn: the baseline picture of R11.

    ``wiped`` says that there is no ink but that of ``gadgets``, one name for each that was found (`DRAWN_CARS`);
    ``misplaced`` that one of them is where it may not be.
    """

    team: Team
    stage: int
    wiped: bool
    gadgets: tuple[str, ...] = ()
    misplaced: bool = False


@dataclass(frozen=True)
class BoardVouched:
    """A person says that a team's board is as it should be."""

    team: Team


@dataclass(frozen=True)
class CountDown:
    """3, 2, 1: both clocks start at Go by themselves; ``a`` and ``b`` are the drivers, counted from 0."""

    a: int
    b: int


@dataclass(frozen=True)
class CallOff:
    """The countdown is called off."""


@dataclass(frozen=True)
class Crossed:
    """A person taps who has just crossed the finish; the other team may be tapped later, for its time."""

    team: Team


@dataclass(frozen=True)
class NotYet:
    """A team was tapped by mistake: it drives on as though nothing had been tapped."""

    team: Team


@dataclass(frozen=True)
class WasFirst:
    """The wrong team was tapped: this one was first."""

    team: Team


@dataclass(frozen=True)
class Judged:
    """The referee or a person calls a team's drive, in the present heat or (``heat``, from 0) an earlier one.

    An earlier call can be replaced: any decision can be taken back.
    """

    team: Team
    call: Call
    heat: int | None = None


@dataclass(frozen=True)
class Agreed:
    """Without a picture: both teams agree that this one drove fairly, with so many accidents that were made good."""

    team: Team
    accidents: int = 0


@dataclass(frozen=True)
class Cheated:
    """A person has seen a team cheat, or takes that back."""

    team: Team
    so: bool = True


@dataclass(frozen=True)
class StartOver:
    """The heat counts for nothing and is driven again: nobody can tell who was first, or the players agree on it."""

    dead_heat: bool


@dataclass(frozen=True)
class Onward:
    """The players have looked at both paths and wiped them: on to the next heat."""


@dataclass(frozen=True)
class GiveUp:
    """The game is left unfinished."""


Event = (
    SitDown | ChooseStage | TakeCar | WithoutCars | WarmUpOver | BoardSeen | BoardVouched | CountDown | CallOff
    | Crossed | NotYet | WasFirst | Judged | Agreed | Cheated | StartOver | Onward | GiveUp
)  # fmt: skip

EVENTS: Mapping[str, type] = {
    "sit-down": SitDown, "choose-stage": ChooseStage, "take-car": TakeCar, "without-cars": WithoutCars,
    "warm-up-over": WarmUpOver, "board-seen": BoardSeen, "board-vouched": BoardVouched, "count-down": CountDown,
    "call-off": CallOff, "crossed": Crossed, "not-yet": NotYet, "was-first": WasFirst, "judged": Judged,
    "agreed": Agreed, "cheated": Cheated, "start-over": StartOver, "onward": Onward, "give-up": GiveUp,
}  # fmt: skip


# ----------------------------------------------------------------------------------------- what each event does


def _sit_down(match: Match, event: SitDown, _: Instant) -> Match:
    if any(heat.raced for heat in match.heats):
        raise Refused("already-driven", "The teams have raced already.", "Give this game up and begin another.")
    teams = known_team(event.a), known_team(event.b)
    if _namesakes(teams):
        raise Refused("namesakes", "A player of one team is called like one of the other.", "Tell them apart.")
    return Match(match.id, match.terms, teams, event.youngest, event.everybody_knows)


def _choose_stage(match: Match, event: ChooseStage, _: Instant) -> Match:
    known_stage(event.stage)
    team = chooser(match)
    if event.team != team:
        raise Refused("other-team", f"It is team {team}'s turn to choose the stage.", "Let them choose.", team=team)
    if not match.heats or match.heat.closed:
        return replace(match, heats=(*match.heats, Heat(event.stage, event.team)))
    if match.heat.again:
        raise Refused("again", "A stage that is driven again stays the same.", "Drive it, or give up.")
    return _with_heat(match, Heat(event.stage, event.team))


def _take_car(match: Match, event: TakeCar, _: Instant) -> Match:
    team, car = next_to_take_a_car(match), event.car.strip().casefold()
    if event.team != team:
        raise Refused("other-team", f"It is team {team}'s turn to take a car.", "Let them take one first.", team=team)
    if not fit_name(car):
        raise Refused("no-car", "A car card has a short name.", f"Take {', '.join(EXPLAINED_CARS)}, or name another.")
    if car == match.car(other(team)):
        raise Refused("taken", "The other team has that car.", "Each card is in the box once: take another.")
    return replace(match, cars=(car, match.cars[1]) if team == "A" else (match.cars[0], car))


def _without_cars(match: Match, _: WithoutCars, __: Instant) -> Match:
    return replace(match, cars=(None, None), without_cars=True)


def _warm_up_over(match: Match, _: WarmUpOver, __: Instant) -> Match:
    return replace(match, warmed_up=True)


def _board_seen(match: Match, event: BoardSeen, _: Instant) -> Match:
    return _with_drive(match, event.team, Drive(_look(match, event)))


def _look(match: Match, event: BoardSeen) -> BoardLook:
    """What the first thing is that speaks against a board, if there is any."""
    gadget = gadget_on_board_of(match, event.team)
    expected = (gadget,) if gadget else ()
    if event.stage != match.heat.stage:
        return "other-stage"
    if not event.wiped:
        return "not-wiped"
    if event.gadgets != expected:
        return "strange-gadget" if event.gadgets else "no-gadget"
    return "misplaced" if event.misplaced else "ready"


def _board_vouched(match: Match, event: BoardVouched, _: Instant) -> Match:
    return _with_drive(match, event.team, Drive("vouched"))


def _count_down(match: Match, event: CountDown, now: Instant) -> Match:
    clock = Clock(now.later(COUNTDOWN_MS))
    for team, driver in zip(TEAMS, (event.a, event.b), strict=True):
        board = match.heat.lane(team).drive.board
        fit_to_start(board, must_be_seen=gadget_on_board_of(match, team) is not None)
        known_player(driver, match.team(team))
    a, b = (match.heat.lane(team).drive for team in TEAMS)
    lanes = Lane(replace(a, driver=event.a, clock=clock)), Lane(replace(b, driver=event.b, clock=clock))
    return _with_heat(match, replace(match.heat, lanes=lanes))


def _call_off(match: Match, _: CallOff, __: Instant) -> Match:
    a, b = (Lane(Drive(match.heat.lane(team).drive.board)) for team in TEAMS)
    return _with_heat(match, replace(match.heat, lanes=(a, b)))


def _crossed(match: Match, event: Crossed, now: Instant) -> Match:
    if event.team in match.heat.crossed:
        raise Refused("crossed-already", f"Team {event.team} has crossed already.", "Take that back first.")
    heat = _with_clock(match.heat, event.team, _clock(match.heat, event.team).stopped(now))
    return _with_heat(match, replace(heat, crossed=(*heat.crossed, event.team)))


def _not_yet(match: Match, event: NotYet, now: Instant) -> Match:
    _refuse_unless_crossed(match.heat, event.team)
    if any(lane.drive.call for lane in match.heat.lanes):
        raise Refused(
            "judged-already", "A picture of this heat is judged already.", "Start over, or say who was first."
        )
    heat = _with_clock(match.heat, event.team, _clock(match.heat, event.team).unstopped().seen(now))
    return _with_heat(match, replace(heat, crossed=tuple(team for team in heat.crossed if team != event.team)))


def _was_first(match: Match, event: WasFirst, now: Instant) -> Match:
    """The first tap's instant is that of the team that was first; the other's is unknown unless it was tapped too."""
    heat = _raced(match.heat)
    first = heat.crossed[0]
    if event.team == first:
        return match
    mine, theirs = _clock(heat, event.team), _clock(heat, first)
    if heat.lane(first).drive.call:
        mine = mine.stopped(now)
    heat = _with_clock(_with_clock(heat, event.team, theirs), first, mine)
    return _with_heat(match, replace(heat, crossed=tuple(other(team) for team in heat.crossed)))


def _judged(match: Match, event: Judged, now: Instant) -> Match:
    not_on_honour(event.call)
    return _called(match, event.team, event.call, len(match.heats) - 1 if event.heat is None else event.heat, now)


def _called(match: Match, team: Team, call: Call, place: int, now: Instant) -> Match:
    """The match with a call, perhaps in place of an earlier one; whoever still drives has stopped."""
    heat = _raced(match.heats[place] if 0 <= place < len(match.heats) else None)
    lane = heat.lane(team)
    drive = replace(lane.drive, clock=_clock(heat, team).stopped(now), call=call)
    return _with_heat(match, _with_lane(heat, team, replace(lane, drive=drive)), place)


def _agreed(match: Match, event: Agreed, now: Instant) -> Match:
    """What the picture is sure of stays: the agreement fills in only what it leaves open."""
    seen = _raced(match.heat).lane(event.team).drive.call
    if seen and seen.verdict != "review":
        raise Refused("judged-already", "This drive is judged already.", "Overrule the call, if it is wrong.")
    if event.accidents < 0:
        raise Refused("malformed", f"Accidents are counted from 0, got {event.accidents}.", "Say how many there were.")
    accidents = max(event.accidents, seen.accidents if seen else 0)
    call = Call("fair", accidents, by="honour", check=seen.check if seen else "")
    return _called(match, event.team, call, len(match.heats) - 1, now)


def _cheated(match: Match, event: Cheated, _: Instant) -> Match:
    if not match.heat.raced:
        raise _not_driven()
    lane = replace(match.heat.lane(event.team), cheated=event.so)
    return _with_heat(match, _with_lane(match.heat, event.team, lane))


def _start_over(match: Match, event: StartOver, now: Instant) -> Match:
    heat = replace(_all_stopped(match.heat, now), void="dead-heat" if event.dead_heat else "start-over", closed=True)
    return _next_heat(_with_heat(match, heat), again=True)


def _onward(match: Match, _: Onward, now: Instant) -> Match:
    result = award(match.heat, match.terms)
    assert result is not None, "the table goes onward only from what is awarded"
    match = _with_heat(match, replace(_all_stopped(match.heat, now), closed=True))
    return _next_heat(match, again=True) if result.again else match


def _next_heat(match: Match, again: bool) -> Match:
    return replace(match, heats=(*match.heats, Heat(match.heat.stage, match.heat.chosen_by, again)))


def _give_up(match: Match, _: GiveUp, now: Instant) -> Match:
    clock = match.heat.clock("A") if match.heats else None
    if clock and clock.ahead_ms(now):
        match = _call_off(match, CallOff(), now)
    elif clock:
        match = _with_heat(match, _all_stopped(match.heat, now))
    return replace(match, abandoned=True)


# ----------------------------------------------------------------------------------------- the table

BEFORE: tuple[Phase, ...] = ("stage", "cars", "warm-up", "boards")
"""While a heat is prepared."""
RACED: tuple[Phase, ...] = ("crossed", "awarded", "over")
"""While the last heat can be called."""

TABLE: Table[Match] = {
    ("teams", SitDown): _sit_down,
    **{(phase, SitDown): _sit_down for phase in BEFORE},
    **{(phase, ChooseStage): _choose_stage for phase in BEFORE},
    ("cars", TakeCar): _take_car,
    ("cars", WithoutCars): _without_cars,
    ("warm-up", WarmUpOver): _warm_up_over,
    ("boards", BoardSeen): _board_seen,
    ("boards", BoardVouched): _board_vouched,
    ("boards", CountDown): _count_down,
    ("counting", CallOff): _call_off,
    ("driving", Crossed): _crossed,
    ("driving", Cheated): _cheated,
    ("driving", StartOver): _start_over,
    ("crossed", Crossed): _crossed,
    ("crossed", NotYet): _not_yet,
    ("crossed", Agreed): _agreed,
    ("crossed", StartOver): _start_over,
    ("awarded", Crossed): _crossed,
    ("awarded", Agreed): _agreed,
    ("awarded", Onward): _onward,
    **{(phase, WasFirst): _was_first for phase in RACED},
    **{(phase, Cheated): _cheated for phase in RACED},
    **{(phase, Judged): _judged for phase in (*BEFORE, *RACED)},
    **{(phase, GiveUp): _give_up for phase in (*BEFORE, "counting", "driving", "crossed", "awarded")},
}


def step(match: Match, event: Event, now: Instant) -> Match:
    """The match after an event that happened at an instant; Refused if the rules do not allow it then."""
    return turn(TABLE, EVENTS, phase(match, now), seen(match, now), event, now)


def seen(match: Match, now: Instant) -> Match:
    """The same match, its clocks counting on from now: to be kept after a restart of the machine (`Clock.seen`)."""
    if not match.heats or not match.heat.raced:
        return match
    heat = match.heat
    for team in TEAMS:
        heat = _with_clock(heat, team, _clock(heat, team).seen(now))
    return _with_heat(match, heat)


def countdown_ms(match: Match, now: Instant) -> int:
    """How long it is until Go; 0 when nobody counts."""
    return _clock(match.heat, "A").ahead_ms(now) if phase(match, now) == "counting" else 0


# ----------------------------------------------------------------------------------------- stored and brought back


def kept(match: Match) -> Json:
    """The match as plain JSON."""
    return stored.kept(match, FORMAT)


def brought_back(found: object) -> Match:
    """The match that `kept` stored; BadState if it is damaged, impossible, or of another format."""
    return stored.brought_back(Match, found, FORMAT, "match")


# ----------------------------------------------------------------------------------------- small changes


def _clock(heat: Heat, team: Team) -> Clock:
    clock = heat.clock(team)
    assert clock is not None, "the table asks for a clock only where somebody drives"
    return clock


def _with_heat(match: Match, heat: Heat, place: int = -1) -> Match:
    """The match with another heat in one place, the last if none is said."""
    place %= len(match.heats)
    return replace(match, heats=(*match.heats[:place], heat, *match.heats[place + 1 :]))


def _with_lane(heat: Heat, team: Team, lane: Lane) -> Heat:
    return replace(heat, lanes=(lane, heat.lanes[1]) if team == "A" else (heat.lanes[0], lane))


def _with_drive(match: Match, team: Team, drive: Drive) -> Match:
    """The match with another drive of a team in the present heat."""
    return _with_heat(match, _with_lane(match.heat, team, replace(match.heat.lane(team), drive=drive)))


def _with_clock(heat: Heat, team: Team, clock: Clock) -> Heat:
    lane = heat.lane(team)
    return _with_lane(heat, team, replace(lane, drive=replace(lane.drive, clock=clock)))


def _all_stopped(heat: Heat, now: Instant) -> Heat:
    for team in TEAMS:
        heat = _with_clock(heat, team, _clock(heat, team).stopped(now))
    return heat


def _raced(heat: Heat | None) -> Heat:
    """The heat; refuses one that does not exist, that nobody has driven to its end, or that counts for nothing."""
    if heat is None or not heat.crossed or heat.void:
        raise _not_driven()
    return heat


def _not_driven() -> Refused:
    return Refused("not-driven", "That heat has not been raced to its end.", "Call it when somebody has crossed.")


def _refuse_unless_crossed(heat: Heat, team: Team) -> None:
    if team not in heat.crossed:
        raise Refused("not-crossed", f"Team {team} was not tapped.", "Tap who has crossed.")


# ----------------------------------------------------------------------------------------- what is no match


def _namesakes(teams: Sequence[Sequence[str]]) -> bool:
    names = [name.strip().casefold() for team in teams for name in team]
    return len(set(names)) < len(names)


def _fault(match: Match) -> str | None:
    """Why there can be no such match, or None."""
    if not match.id:
        return "it has no id"
    if not match.teams:
        begun = match.heats or match.abandoned or match.everybody_knows or match.warmed_up or match.without_cars
        return "without teams there is nothing else" if begun or any(match.cars) else None
    if len(match.teams) != len(TEAMS) or _namesakes(match.teams):
        return "two teams play, and no two players have the same name"
    faults = [*map(team_fault, match.teams), _set_up_fault(match), *(_heat_fault(match, heat) for heat in match.heats)]
    if any(not heat.closed for heat in match.heats[:-1]):
        faults.append("a heat is left that was not closed")
    if match.abandoned and any(clock.running for heat in match.heats for clock in _clocks(heat)):
        faults.append("somebody drives on who has left")
    return next(filter(None, faults), None)


def _set_up_fault(match: Match) -> str | None:
    cars = [car for car in match.cars if car is not None]
    if cars and (not match.everybody_knows or match.without_cars):
        return "cars are taken that were left in the box"
    if not all(map(fit_name, cars)) or len(set(cars)) < len(cars):
        return "these are no two cars"
    if match.without_cars and not match.everybody_knows:
        return "nobody offered any cars"
    return None


def _clocks(heat: Heat) -> list[Clock]:
    return clocks(lane.drive for lane in heat.lanes)


def _heat_fault(match: Match, heat: Heat) -> str | None:
    """Why there can be no such heat, or None."""
    if fault := stage_fault(heat.stage):
        return fault
    known = zip(heat.lanes, match.teams, strict=True)
    wrong = {
        "one team drives alone": len(_clocks(heat)) == 1,
        "somebody drives who is not in the team": any(
            not 0 <= (lane.drive.driver or 0) < len(team) for lane, team in known
        ),
        "a team has crossed twice": len(set(heat.crossed)) < len(heat.crossed),
        "a team has crossed whose clock has not stopped": any(
            (clock := heat.clock(team)) is None or clock.running for team in heat.crossed
        ),
        "a drive is called though nobody has crossed": any(lane.drive.call for lane in heat.lanes) and not heat.crossed,
        "a team has cheated before the start": any(lane.cheated for lane in heat.lanes) and not heat.raced,
        "a heat is closed that was not raced": heat.closed and not heat.raced,
        "a heat is closed while somebody drives": heat.closed and any(clock.running for clock in _clocks(heat)),
        "a heat is void and not closed": bool(heat.void) and not heat.closed,
        "a race began before all was chosen": heat.raced and _unprepared(match),
    }
    return next((fault for fault, so in wrong.items() if so), None)


def _unprepared(match: Match) -> bool:
    if match.everybody_knows:
        return None in match.cars and not match.without_cars
    return not match.warmed_up
