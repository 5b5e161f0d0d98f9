"""R13: one team against a target, told as a table of what can happen when.

    choosing → board → counting → driving → stopped → board of the next stage … → declaring → won or lost
                 ↑                             ↓   ↘ review: a person decides
                 └──────── drive again ──── unfair

The team chooses a challenge and its stages.  Each stage's board is laid out, looked at, and driven after 3, 2, 1, Go.
The clock runs while somebody drives and rests between stages; a stage driven again costs its time again, since a clock
is never turned back.  At the finish it stops, and the photo, or the team's honour, says whether all was fair.  When the
last stage is called and the team has vouched for what only it can know, the challenge is won or lost.

`step` leads from a run, an event and the instant at which it happened to the run after it.  In which phase a run is
follows from what is known of its drives (`phase`), so the two cannot contradict each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from referee.errors import Refused
from referee.model import Json
from referee.race import stored
from referee.race.clock import Clock, Elapsed, Instant, total
from referee.race.drive import (
    COUNTDOWN_MS,
    Call,
    Drive,
    Reason,
    clocks,
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
from referee.rules.challenges import (
    CHALLENGES,
    AnyStages,
    Challenge,
    ConditionName,
    stage_faults,
    stages_needed,
)

FORMAT = 1

Phase = Literal[
    "choosing", "board", "counting", "driving", "stopped", "review", "unfair", "declaring", "won", "lost", "abandoned"
]

# ----------------------------------------------------------------------------------------- the state of play


@dataclass(frozen=True)
class Leg:
    """One stage of the challenge with its drives: none yet, one, or several if it was driven again."""

    stage: int
    drives: tuple[Drive, ...] = ()

    @property
    def call(self) -> Call | None:
        """What is known of it: the call of its last drive, if that is over."""
        return self.drives[-1].call if self.drives else None


@dataclass(frozen=True)
class Declared:
    """What the team says of a condition that only it can know."""

    condition: ConditionName
    kept: bool


@dataclass(frozen=True)
class Run:
    """A team's run at a challenge, as it stands.

    ``practice`` runs count for nothing.  ``different`` is the decision of R13 that "any n stages" are different ones.
    """

    id: str
    challenge: str = ""
    team: tuple[str, ...] = ()
    practice: bool = False
    different: bool = True
    legs: tuple[Leg, ...] = ()
    declared: tuple[Declared, ...] = ()
    abandoned: bool = False

    def __post_init__(self) -> None:
        if fault := _fault(self):
            raise ValueError(f"this is no run of a challenge: {fault}")

    @property
    def stages(self) -> tuple[int, ...]:
        """The numbers of its stages, in the order in which they are driven."""
        return tuple(leg.stage for leg in self.legs)

    @property
    def at(self) -> int:
        """Which of its stages the team is at, counted from 0; -1 before one is chosen."""
        return sum(bool(leg.drives) for leg in self.legs) - 1

    @property
    def drives(self) -> tuple[Drive, ...]:
        """All drives in the order in which they happened; the last may still lie ahead."""
        return tuple(drive for leg in self.legs for drive in leg.drives)

    @property
    def drive(self) -> Drive:
        """The drive that the team is at."""
        return self.drives[-1]


def phase(run: Run, now: Instant | None = None) -> Phase:
    """Where a run stands; ``now`` tells a countdown from a drive."""
    if not run.challenge or run.abandoned:
        return "abandoned" if run.abandoned else "choosing"
    clock, call = run.drive.clock, run.drive.call
    if clock is None:
        return "board"
    if clock.running:
        return "counting" if now and clock.ahead_ms(now) else "driving"
    if call is None:
        return "stopped"
    if waits_for_a_person(run):
        return "review"
    if call.verdict != "fair":
        return "unfair"
    if reasons_against(run):
        return "lost"
    return "declaring" if undeclared(run) else "won"


# ----------------------------------------------------------------------------------------- what can happen


@dataclass(frozen=True)
class Choose:
    """A team sits down to a challenge; without ``stages`` it takes the listed ones, if the challenge lists them."""

    challenge: str
    team: tuple[str, ...]
    stages: tuple[int, ...] = ()
    practice: bool = False


@dataclass(frozen=True)
class ChangeStage:
    """Another stage is taken for the one that comes next, where the choice is the team's."""

    stage: int


@dataclass(frozen=True)
class BoardSeen:
    """The camera has looked at the board before the start: which stage it is, and whether it is wiped."""

    stage: int
    wiped: bool


@dataclass(frozen=True)
class BoardVouched:
    """A person says that the board is the right one and clean."""


@dataclass(frozen=True)
class CountDown:
    """3, 2, 1: the clock starts at Go by itself."""

    driver: int


@dataclass(frozen=True)
class CallOff:
    """The countdown is called off."""


@dataclass(frozen=True)
class Finish:
    """The car has crossed the finish: the clock stops."""


@dataclass(frozen=True)
class NotYet:
    """The clock was stopped by mistake: it goes on as though it had not been."""


@dataclass(frozen=True)
class Judged:
    """The referee or a person calls the last drive of a stage (``leg``, from 0; the present one if None).

    An earlier call can be replaced at any time: any decision can be taken back.
    """

    call: Call
    leg: int | None = None


@dataclass(frozen=True)
class Honest:
    """Without a picture: "we were honest", with so many accidents that were made good."""

    accidents: int


@dataclass(frozen=True)
class DriveAgain:
    """A stage that was not driven fairly is driven again; the time of both counts."""


@dataclass(frozen=True)
class Declare:
    """The team says whether it kept a condition that only it can know; the last word counts."""

    condition: ConditionName
    kept: bool


@dataclass(frozen=True)
class GiveUp:
    """The team leaves the challenge."""


Event = (
    Choose | ChangeStage | BoardSeen | BoardVouched | CountDown | CallOff | Finish | NotYet | Judged | Honest
    | DriveAgain | Declare | GiveUp
)  # fmt: skip

EVENTS: Mapping[str, type] = {
    "choose": Choose, "change-stage": ChangeStage, "board-seen": BoardSeen, "board-vouched": BoardVouched,
    "count-down": CountDown, "call-off": CallOff, "finish": Finish, "not-yet": NotYet, "judged": Judged,
    "honest": Honest, "drive-again": DriveAgain, "declare": Declare, "give-up": GiveUp,
}  # fmt: skip


# ----------------------------------------------------------------------------------------- how it ends

UNFAIR = ("ignored-accident", "unfinished")


AGAINST = {
    "too-slow": "the total (total_ms) is not less than the target (target_ms)",
    "stage-unfair": "a stage was not driven fairly to its end (stage, verdict)",
    "accident": "there were accidents on a stage (stage, accidents), and the challenge allows none",
    "condition-broken": "the team did not keep a condition (condition)",
    "given-up": "the team has left",
}
"""What loses a challenge, each on its own."""
IN_FAVOUR = {
    "all-fair": "all its stages were driven fairly (stages: how many)",
    "in-time": "the total (total_ms) is less than the target (target_ms)",
    "condition-kept": "a condition was kept (condition)",
}
"""What wins it, all together."""
MARKS = {
    "practice": "a practice run counts for nothing",
    "on-honour": "no picture of a stage was judged (stage)",
    "by-person": "a person decided about a stage (stage)",
    "board-vouched": "a person vouched for the board before a stage (stage)",
    "by-wall-clock": "the machine was restarted during a stage: its time hangs on the wall clock (stage)",
}
"""What is said beside it."""


def time(run: Run, now: Instant | None = None) -> Elapsed:
    """What the one big clock shows: all drives together; ``now`` is needed while somebody drives."""
    return total(clocks(run.drives), now)


def reasons(run: Run) -> tuple[Reason, ...]:
    """Why a challenge was won, or why it was not; empty while it is open."""
    now_at = phase(run)
    if now_at == "won":
        return tuple(_in_favour(run))
    return reasons_against(run) if now_at in ("lost", "abandoned") else ()


def reasons_against(run: Run, now: Instant | None = None) -> tuple[Reason, ...]:
    """Why it cannot be won any more, whatever happens; a stage that can still be driven again is no reason yet."""
    return tuple(_against(run, now)) if run.challenge else ()


def _against(run: Run, now: Instant | None) -> Iterator[Reason]:
    challenge, spent_ms = CHALLENGES[run.challenge], time(run, now).ms
    if spent_ms >= challenge.target_ms:
        yield Reason("too-slow", {"total_ms": spent_ms, "target_ms": challenge.target_ms})
    for place, leg in enumerate(run.legs):
        can_be_mended = place == run.at and not run.abandoned
        if leg.call and leg.call.verdict in UNFAIR and not can_be_mended:
            yield Reason("stage-unfair", {"stage": leg.stage, "verdict": leg.call.verdict})
    for leg in run.legs if "no-accident" in challenge.conditions else ():
        if accidents := _accidents([leg]):
            yield Reason("accident", {"stage": leg.stage, "accidents": accidents})
    for said in run.declared:
        if not said.kept:
            yield Reason("condition-broken", {"condition": said.condition})
    if run.abandoned:
        yield Reason("given-up")


def _in_favour(run: Run) -> Iterator[Reason]:
    challenge = CHALLENGES[run.challenge]
    yield Reason("all-fair", {"stages": len(run.legs)})
    yield Reason("in-time", {"total_ms": time(run).ms, "target_ms": challenge.target_ms})
    yield from (Reason("condition-kept", {"condition": name}) for name in challenge.conditions)


def marks(run: Run) -> tuple[Reason, ...]:
    """What is to be said beside the outcome."""
    practice = (Reason("practice"),) if run.practice else ()
    return practice + tuple(Reason(code, {"stage": leg.stage}) for leg in run.legs for code in _marks(leg))


def _marks(leg: Leg) -> Iterator[str]:
    if leg.call and leg.call.by == "honour":
        yield "on-honour"
    if leg.call and leg.call.by == "person":
        yield "by-person"
    if any(drive.board == "vouched" and drive.clock for drive in leg.drives):
        yield "board-vouched"
    if any(clock.by_wall for clock in clocks(leg.drives)):
        yield "by-wall-clock"


def _accidents(legs: Iterable[Leg]) -> int:
    """All accidents beyond doubt, those of drives that were repeated too."""
    return sum(drive.call.accidents for leg in legs for drive in leg.drives if drive.call)


def waits_for_a_person(run: Run) -> tuple[int, ...]:
    """The places of the stages that somebody has to decide about, counted from 0."""
    return _waiting(CHALLENGES[run.challenge], run.legs) if run.challenge else ()


def _waiting(challenge: Challenge, legs: tuple[Leg, ...]) -> tuple[int, ...]:
    """A verdict is `review`; or no accident is allowed, none is certain, and one is too close to call."""
    doubts_count = "no-accident" in challenge.conditions and not _accidents(legs)
    return tuple(
        place
        for place, leg in enumerate(legs)
        if leg.call and (leg.call.verdict == "review" or (doubts_count and leg.call.doubtful > 0))
    )


def undeclared(run: Run) -> tuple[ConditionName, ...]:
    """The conditions of which the team has still to say whether it kept them."""
    said = {declared.condition for declared in run.declared}
    return tuple(name for name in CHALLENGES[run.challenge].declared if name not in said) if run.challenge else ()


def suggested_driver(run: Run) -> int:
    """The next driver, counted from 0 in the team."""
    return next_driver(run.drives, len(run.team))


# ----------------------------------------------------------------------------------------- what each event does


def _choose(run: Run, event: Choose, _: Instant) -> Run:
    if clocks(run.drives):
        raise Refused("already-driven", "The team has driven already.", "Give this run up and begin another.")
    if event.challenge not in CHALLENGES:
        raise Refused("no-such-challenge", "There is no such challenge.", f"There are {', '.join(CHALLENGES)}.")
    challenge, team = CHALLENGES[event.challenge], known_team(event.team)
    stages = event.stages or stages_needed(challenge)
    _refuse_wrong_stages(challenge, stages, run.different)
    legs = (Leg(stages[0], (Drive(),)), *map(Leg, stages[1:]))
    return Run(run.id, challenge.id, team, event.practice, run.different, legs)


def _change_stage(run: Run, event: ChangeStage, _: Instant) -> Run:
    challenge = CHALLENGES[run.challenge]
    if not isinstance(challenge.stages, AnyStages):
        raise Refused("listed", "This challenge says itself which stages are driven.", "Take the one that is next.")
    if len(run.legs[run.at].drives) > 1:
        raise Refused("again", "A stage that is driven again stays the same.", "Drive it, or give up.")
    stages = (*run.stages[: run.at], event.stage, *run.stages[run.at + 1 :])
    _refuse_wrong_stages(challenge, stages, run.different)
    return replace(run, legs=_put(run.legs, run.at, Leg(event.stage, (Drive(),))))


def _board_seen(run: Run, event: BoardSeen, _: Instant) -> Run:
    if event.stage != run.legs[run.at].stage:
        return _with_drive(run, replace(run.drive, board="other-stage"))
    return _with_drive(run, replace(run.drive, board="ready" if event.wiped else "not-wiped"))


def _board_vouched(run: Run, _: BoardVouched, __: Instant) -> Run:
    return _with_drive(run, replace(run.drive, board="vouched"))


def _count_down(run: Run, event: CountDown, now: Instant) -> Run:
    fit_to_start(run.drive.board)
    known_player(event.driver, run.team)
    return _with_drive(run, replace(run.drive, driver=event.driver, clock=Clock(now.later(COUNTDOWN_MS))))


def _call_off(run: Run, _: CallOff, __: Instant) -> Run:
    return _with_drive(run, Drive(run.drive.board))


def _finish(run: Run, _: Finish, now: Instant) -> Run:
    return _with_drive(run, replace(run.drive, clock=_clock(run).stopped(now)))


def _not_yet(run: Run, _: NotYet, now: Instant) -> Run:
    return _with_drive(run, replace(run.drive, clock=_clock(run).unstopped().seen(now)))


def _judged(run: Run, event: Judged, _: Instant) -> Run:
    not_on_honour(event.call)
    return _called(run, event.call, run.at if event.leg is None else event.leg)


def _called(run: Run, call: Call, place: int) -> Run:
    """The run with a call, perhaps in place of an earlier one, on which it hung which board lies there now."""
    legs = _called_back(run, place)
    drive = legs[place].drives[-1] if 0 <= place <= run.at and legs[place].drives else Drive()
    if drive.clock is None or drive.clock.running:
        raise Refused("not-driven", "That stage has not been driven to its end.", "Call it when its clock has stopped.")
    called = _put_last(legs, place, replace(drive, call=call))
    return replace(run, legs=_moved_on(CHALLENGES[run.challenge], called))


def _honest(run: Run, event: Honest, _: Instant) -> Run:
    """What the picture is sure of stays: honour fills in only what it leaves open."""
    seen = run.drive.call
    if seen and run.at not in waits_for_a_person(run):
        raise Refused("judged-already", "This stage is judged already.", "Decide about the one that is open.")
    if event.accidents < 0:
        raise Refused("malformed", f"Accidents are counted from 0, got {event.accidents}.", "Say how many there were.")
    accidents = max(event.accidents, seen.accidents if seen else 0)
    return _called(run, Call("fair", accidents, by="honour", check=seen.check if seen else ""), run.at)


def _drive_again(run: Run, _: DriveAgain, __: Instant) -> Run:
    leg = run.legs[run.at]
    return replace(run, legs=_put(run.legs, run.at, Leg(leg.stage, (*leg.drives, Drive()))))


def _declare(run: Run, event: Declare, _: Instant) -> Run:
    if event.condition not in CHALLENGES[run.challenge].declared:
        raise Refused("no-such-condition", "The challenge does not ask for that.", "Declare what it asks for.")
    others = tuple(said for said in run.declared if said.condition != event.condition)
    return replace(run, declared=(*others, Declared(event.condition, event.kept)))


def _give_up(run: Run, _: GiveUp, now: Instant) -> Run:
    """Whoever leaves while it counts has not driven; whoever leaves on the way has."""
    if run.drive.clock and run.drive.clock.ahead_ms(now):
        run = _call_off(run, CallOff(), now)
    elif run.drive.clock:
        run = _finish(run, Finish(), now)
    return replace(run, abandoned=True)


# ----------------------------------------------------------------------------------------- the table

OPEN: tuple[Phase, ...] = ("board", "counting", "driving", "stopped", "review", "unfair", "declaring")
OVER: tuple[Phase, ...] = ("won", "lost")

TABLE: Table[Run] = {
    ("choosing", Choose): _choose,
    ("board", Choose): _choose,
    ("board", ChangeStage): _change_stage,
    ("board", BoardSeen): _board_seen,
    ("board", BoardVouched): _board_vouched,
    ("board", CountDown): _count_down,
    ("counting", CallOff): _call_off,
    ("driving", Finish): _finish,
    ("stopped", NotYet): _not_yet,
    ("stopped", Honest): _honest,
    ("review", Honest): _honest,
    ("unfair", DriveAgain): _drive_again,
    **{(phase, Judged): _judged for phase in OPEN + OVER},
    **{(phase, Declare): _declare for phase in OPEN + OVER},
    **{(phase, GiveUp): _give_up for phase in OPEN},
}


def step(run: Run, event: Event, now: Instant) -> Run:
    """The run after an event that happened at an instant; Refused if the rules do not allow it then."""
    return turn(TABLE, EVENTS, phase(run, now), seen(run, now), event, now)


def seen(run: Run, now: Instant) -> Run:
    """The same run, its clock counting on from now: to be kept after a restart of the machine (`Clock.seen`)."""
    clock = run.drives[-1].clock if run.drives else None
    return _with_drive(run, replace(run.drive, clock=clock.seen(now))) if clock and clock.running else run


def countdown_ms(run: Run, now: Instant) -> int:
    """How long it is until Go; 0 when nobody counts."""
    return _clock(run).ahead_ms(now) if phase(run, now) == "counting" else 0


# ----------------------------------------------------------------------------------------- stored and brought back


def kept(run: Run) -> Json:
    """The run as plain JSON."""
    return stored.kept(run, FORMAT)


def brought_back(found: object) -> Run:
    """The run that `kept` stored; BadState if it is damaged, impossible, or of another format."""
    return stored.brought_back(Run, found, FORMAT, "run")


# ----------------------------------------------------------------------------------------- small changes


def _clock(run: Run) -> Clock:
    assert run.drive.clock is not None, "the table asks for a clock only where somebody drives"
    return run.drive.clock


def _put(legs: tuple[Leg, ...], place: int, leg: Leg) -> tuple[Leg, ...]:
    return (*legs[:place], leg, *legs[place + 1 :])


def _put_last(legs: tuple[Leg, ...], place: int, drive: Drive) -> tuple[Leg, ...]:
    """The legs with another last drive at one place."""
    leg = legs[place]
    return _put(legs, place, Leg(leg.stage, (*leg.drives[:-1], drive)))


def _with_drive(run: Run, drive: Drive) -> Run:
    """The run with another present drive."""
    return replace(run, legs=_put_last(run.legs, run.at, drive))


def _called_back(run: Run, place: int) -> tuple[Leg, ...]:
    """The legs without the board that was laid out because of a call at ``place``, as long as nobody has started."""
    leg = run.legs[run.at]
    hangs_on_it = place == run.at if len(leg.drives) > 1 else place < run.at
    if run.drive.clock is None and hangs_on_it:
        return _put(run.legs, run.at, Leg(leg.stage, leg.drives[:-1]))
    return run.legs


def _moved_on(challenge: Challenge, legs: tuple[Leg, ...]) -> tuple[Leg, ...]:
    """The legs with the board of the next stage laid out, if the present one is fair and nobody has to decide."""
    ahead = sum(bool(leg.drives) for leg in legs)
    call = legs[ahead - 1].call
    go_on = call is not None and call.verdict == "fair" and ahead < len(legs) and not _waiting(challenge, legs)
    return _put(legs, ahead, Leg(legs[ahead].stage, (Drive(),))) if go_on else legs


# ----------------------------------------------------------------------------------------- what is no run


def _refuse_wrong_stages(challenge: Challenge, stages: tuple[int, ...], different: bool) -> None:
    for stage in stages:
        known_stage(stage)
    if faults := stage_faults(challenge, stages, different=different):
        hint = f"The challenge asks for {challenge.stages.text.en}."
        raise Refused(faults[0], f"These stages do not fit: {', '.join(faults)}.", hint)


def _fault(run: Run) -> str | None:
    """Why there can be no such run, or None."""
    if not run.id:
        return "it has no id"
    if not run.challenge:
        chosen = run.team or run.practice or run.legs or run.declared or run.abandoned
        return "without a challenge there is nothing else" if chosen else None
    if run.challenge not in CHALLENGES:
        return "there is no such challenge"
    return team_fault(run.team) or next((fault for fault, so in _faults(run, CHALLENGES[run.challenge]) if so), None)


def _faults(run: Run, challenge: Challenge) -> Iterator[tuple[str, bool]]:
    fits = not any(map(stage_fault, run.stages)) and not stage_faults(challenge, run.stages, different=run.different)
    yield "its stages do not fit the challenge", not fits
    begun = [bool(leg.drives) for leg in run.legs]
    yield "its stages are not driven in their order", not begun[0] or begun != sorted(begun, reverse=True)
    yield (
        "somebody drives who is not in the team",
        any(not 0 <= drive.driver < len(run.team) for drive in run.drives if drive.driver is not None),
    )
    yield "a stage is left that was not called", any(drive.call is None for drive in run.drives[:-1])
    repeated = [drive.call for leg in run.legs for drive in leg.drives[:-1]]
    yield "a fair stage is driven again", any(call is not None and call.verdict not in UNFAIR for call in repeated)
    yield "the next stage is not laid out", _moved_on(challenge, run.legs) != run.legs
    declared = [said.condition for said in run.declared]
    yield (
        "it declares what is not asked",
        bool(set(declared) - set(challenge.declared)) or len(set(declared)) < len(declared),
    )
    yield "somebody drives on who has left", run.abandoned and any(clock.running for clock in clocks(run.drives))
