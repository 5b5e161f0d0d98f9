"""One stage driven once by one driver, and what the referee or the players say of it; the same alone and in a race."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from referee.errors import Refused
from referee.model import VerdictName
from referee.race.clock import Clock

COUNTDOWN_MS = 3000
"""3, 2, 1, Go!"""
TEAM_SIZES = (2, 3)
MOST_LETTERS = 40
HIGHEST_STAGE = 9999

BoardLook = Literal[
    "unseen", "ready", "vouched", "not-wiped", "other-stage", "no-gadget", "strange-gadget", "misplaced"
]
"""What a look at the board before the start has shown."""
FIT_TO_START: frozenset[BoardLook] = frozenset({"unseen", "ready", "vouched"})
"""Nobody has looked, the referee has nothing to say against it, or a person vouches for it."""

WHAT_IS_WRONG = {
    "unseen": ("nobody has looked at the board yet", "Show it to the camera, or say that it is as it should be."),
    "not-wiped": ("there is old ink on the board", "Wipe it and show it again, or say that it is clean."),
    "other-stage": ("another stage lies there", "Put the right one there, or say that it is the right one."),
    "no-gadget": ("the gadget is not drawn on the board", "Draw it and show it again, or say that it is left out."),
    "strange-gadget": ("a gadget is drawn that nobody has", "Wipe it and show the board again, or say that it stays."),
    "misplaced": ("a gadget is drawn where it may not be", "Draw it anew and show it again, or say that it stays."),
}
"""In words what speaks against a start, and the cure."""


@dataclass(frozen=True)
class Call:
    """What is known of a driven board.

    ``verdict`` as in a report: `fair` includes that the finish was crossed, `review` waits for a person.
    ``accidents`` are those beyond doubt, ``doubtful`` those too close to call.  ``by`` whom: the picture, a person who
    answered what it left open or overruled it, or the team on its honour, without a picture.  ``check`` names the
    picture's check for whoever wants to look, or is empty.
    """

    verdict: VerdictName
    accidents: int = 0
    doubtful: int = 0
    by: Literal["picture", "person", "honour"] = "picture"
    check: str = ""

    def __post_init__(self) -> None:
        if self.accidents < 0 or self.doubtful < 0:
            raise ValueError(f"accidents are counted from 0, got {self.accidents} and {self.doubtful} in doubt")
        if self.by == "honour" and (self.verdict != "fair" or self.doubtful):
            raise ValueError(f"on one's honour a stage was driven fairly and without doubt, got {self.verdict}")


@dataclass(frozen=True)
class Drive:
    """One stage, once: first its board is laid out, then it is driven on the clock, then called."""

    board: BoardLook = "unseen"
    driver: int | None = None
    """Counted from 0 in the team."""
    clock: Clock | None = None
    call: Call | None = None

    def __post_init__(self) -> None:
        if (self.driver is None) != (self.clock is None):
            raise ValueError("a drive has a driver if and only if it has a clock")
        if self.clock is not None and self.board not in FIT_TO_START:
            raise ValueError(f"nobody starts on a board that is {self.board}")
        if self.call is not None and (self.clock is None or self.clock.running):
            raise ValueError("a drive is called after its clock has stopped")


@dataclass(frozen=True)
class Reason:
    """One thing that an outcome rests on, or that is said beside it: a code, with the values that belong to it."""

    code: str
    values: Mapping[str, int | str] = field(default_factory=dict)


def clocks(drives: Iterable[Drive]) -> list[Clock]:
    """The clocks of those that were started."""
    return [drive.clock for drive in drives if drive.clock is not None]


def next_driver(drives: Sequence[Drive], players: int) -> int:
    """Whose turn it is: drivers change between stages, in the order in which they sit; nobody is obliged."""
    drivers = [drive.driver for drive in drives if drive.driver is not None]
    return (drivers[-1] + 1) % players if drivers else 0


def team_fault(names: Sequence[str]) -> str | None:
    """What is wrong with a team, or None."""
    if len(names) not in TEAM_SIZES:
        return f"a team has 2 or 3 players, got {len(names)}"
    if wrong := next((name for name in names if not fit_name(name)), None):
        return f"a name has 1 to {MOST_LETTERS} letters that can be printed, got {wrong[:MOST_LETTERS]!r}"
    if len({name.strip().casefold() for name in names}) < len(names):
        return "two players have the same name"
    return None


def stage_fault(stage: int) -> str | None:
    """What is wrong with a stage's number, or None; whether there is such a board is not known here."""
    return None if 1 <= stage <= HIGHEST_STAGE else f"stages are numbered from 1 to {HIGHEST_STAGE}, got {stage}"


def fit_name(name: str) -> bool:
    """Whether it can be shown on the page: some letters, not many, nothing that steers a screen."""
    return bool(name.strip()) and len(name) <= MOST_LETTERS and name.isprintable()


# ----------------------------------------------------------------------------------------- refusals


def fit_to_start(board: BoardLook, *, must_be_seen: bool = False) -> None:
    """Refuses a start on a board against which something speaks, or at which somebody has yet to look."""
    if board not in FIT_TO_START or (must_be_seen and board == "unseen"):
        wrong, cure = WHAT_IS_WRONG[board]
        raise Refused(board, f"The race cannot start: {wrong}.", cure)


def not_on_honour(call: Call) -> None:
    """Refuses a call on honour where a picture or a person calls: it would pass over what the picture is sure of."""
    if call.by == "honour":
        raise Refused("on-honour", "Honesty calls no drive that was judged.", "Say that you were honest instead.")


def known_team(names: Sequence[str]) -> tuple[str, ...]:
    """The names without the spaces around them; refuses what is no team."""
    if fault := team_fault(names):
        raise Refused("no-team", f"This is no team: {fault}.", "Name two or three players, each in a way of their own.")
    return tuple(name.strip() for name in names)


def known_player(driver: int, team: Sequence[str]) -> None:
    """Refuses a driver whom the team does not have."""
    if not 0 <= driver < len(team):
        players = ", ".join(team)
        raise Refused("no-such-driver", f"There is no player number {driver} in this team.", f"They are {players}.")


def known_stage(stage: int) -> None:
    """Refuses what is no number of a stage."""
    if fault := stage_fault(stage):
        raise Refused(
            "no-such-stage", f"There is no such stage: {fault}.", "Take the number on the board.", stage=stage
        )
