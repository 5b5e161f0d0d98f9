"""What the challenge or the race that a watch counts for is told: 3-2-1, the finish at its own instant, the verdict.

A watch takes the photo's place: its clear board is the board before the start, its verdict the call.  Where the film
and the last clear picture do not say the same, a person has to decide (`after.verdict_of`).
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Any, cast

from referee.errors import Refused
from referee.model import Json
from referee.race import challenge, match
from referee.race.clock import Clock, Instant
from referee.race.drive import Call
from referee.race.match import TEAMS, Match, Team
from referee.service import instants
from referee.service.challenges import runs
from referee.service.live import after
from referee.service.live.sitting import COUNTDOWN_MS, Plan, Sitting
from referee.service.races import games
from referee.service.store.open import Store


@dataclass(frozen=True)
class Board:
    """What a watch sees of a board before the start."""

    team: str | None
    stage: int
    is_clean: bool


def boards_of(sitting: Sitting) -> list[Board]:
    """The boards in view."""
    boards = (sitting.state.sight or {}).get("boards", [])
    return [Board(board["copy"], board["stage"], board["phase"] in ("empty", "armed")) for board in boards]


def count_down(store: Store, plan: Plan, boards: list[Board]) -> int:
    """3, 2, 1: what the watch counts for counts with it.  Returns the moment of Go; refused where it cannot begin."""
    now = instants.now()
    if plan.run:
        return _count_run(store, plan, boards, now)
    if plan.race:
        return _count_race(store, plan, boards, now)
    return now.since_boot_ms + COUNTDOWN_MS


def _count_run(store: Store, plan: Plan, boards: list[Board], now: Instant) -> int:
    if boards:
        _show_run(store, plan, boards)
    kept = runs.found(store, plan.run, now)
    if kept is None:
        raise _gone()
    after_it = runs.happened(store, plan.run, challenge.CountDown(challenge.suggested_driver(kept.run)), now)
    clock = None if after_it is None else after_it.run.drive.clock
    return _go(clock)


def _count_race(store: Store, plan: Plan, boards: list[Board], now: Instant) -> int:
    _show_race(store, plan, boards)
    game = games.found(store, plan.race, now)
    if game is None:
        raise _gone()
    after_it = games.happened(store, plan.race, match.CountDown(*match.suggested_drivers(game.match)), now)
    return _go(None if after_it is None else after_it.match.heat.clock("A"))


def _go(clock: Clock | None) -> int:
    if clock is None:
        raise _gone()
    return clock.since.since_boot_ms


def _gone() -> Refused:
    return Refused("moved-on", "What this watch counts for is gone.", "Begin another watch.")


def _show_run(store: Store, plan: Plan, boards: list[Board]) -> None:
    """The board that the run is at, as the camera sees it; a person's word for it stays."""
    now = instants.now()

    def change(run: challenge.Run) -> challenge.Run:
        if challenge.phase(run, now) != "board" or run.drive.board == "vouched":
            return run
        stage = run.legs[run.at].stage
        seen = next((board for board in boards if board.stage == stage), boards[0])
        return challenge.step(run, challenge.BoardSeen(seen.stage, seen.is_clean), now)

    runs.changed(store, plan.run, change, now)


def _show_race(store: Store, plan: Plan, boards: list[Board]) -> None:
    """The boards as the camera sees them; one on which a gadget is drawn wants a photo of its own."""
    now = instants.now()

    def change(game: Match) -> Match:
        if match.phase(game, now) != "boards":
            return game
        for board in boards:
            team = _team(board.team)
            if team is None or match.gadget_on_board_of(game, team) or game.heat.lane(team).drive.board == "vouched":
                continue
            game = match.step(game, match.BoardSeen(team, board.stage, board.is_clean), now)
        return game

    games.changed(store, plan.race, change)


def call_off(store: Store, plan: Plan) -> None:
    """The countdown is called off there, too."""
    with suppress(Refused):  # it was called off there already
        if plan.run:
            runs.happened(store, plan.run, challenge.CallOff(), instants.now())
        elif plan.race:
            games.happened(store, plan.race, match.CallOff(), instants.now())


def finished(store: Store, plan: Plan, team: str | None, at_ms: int) -> None:
    """A car crossed the finish at a moment: that is the instant at which the clock stops."""
    with suppress(Refused):  # somebody pressed before
        if plan.run:
            runs.happened(store, plan.run, challenge.Finish(), at(at_ms))
        elif plan.race and (known := _team(team)) is not None:
            games.happened(store, plan.race, match.Crossed(known), at(at_ms))


def not_yet(store: Store, plan: Plan, team: str | None) -> None:
    """The finish was taken back: the clock goes on as though it had not been stopped."""
    with suppress(Refused):
        if plan.run:
            runs.happened(store, plan.run, challenge.NotYet(), instants.now())
        elif plan.race and (known := _team(team)) is not None:
            games.happened(store, plan.race, match.NotYet(known), instants.now())


def judged(store: Store, plan: Plan, record: Json, checks: tuple[str | None, ...]) -> bool:
    """The verdict of every board is told; whether somebody took it."""
    took = False
    for board, check in zip(record["boards"], checks, strict=True):
        call = call_of(board, check)
        if call is not None:
            took |= _call(store, plan, board, call)
    return took


def _call(store: Store, plan: Plan, board: Json, call: Call) -> bool:
    now = instants.now()
    try:
        if plan.run:
            return _call_run(store, plan, board, call, now)
        if plan.race and (team := _team(board["copy"])) is not None:
            return games.happened(store, plan.race, match.Judged(team, call), now) is not None
    except Refused:  # the team went on without it
        return False
    return False


def _call_run(store: Store, plan: Plan, board: Json, call: Call, now: Instant) -> bool:
    kept = runs.found(store, plan.run, now)
    if kept is None:
        return False
    places = [place for place, leg in enumerate(kept.run.legs) if leg.stage == board["stage"] and leg.drives]
    if not places:
        return False
    with suppress(Refused):  # it never crossed the finish: the clock stops when the race is over
        if challenge.phase(kept.run, now) == "driving":
            runs.happened(store, plan.run, challenge.Finish(), now)
    return runs.happened(store, plan.run, challenge.Judged(call, places[-1]), now) is not None


def call_of(board: Json, check: str | None) -> Call | None:
    """A board's call; None if there is no verdict."""
    verdict, by = after.verdict_of(board)
    if verdict is None:
        return None
    told = board["film"] if board["film"].get("verdict") else board["still"] or {}
    doubtful = sum(event["kind"] == "accident" and event.get("certain") is False for event in told.get("events", []))
    accidents = int(told.get("accidents", 0))
    return Call(
        cast(Any, verdict), accidents, doubtful, cast(Any, "person" if by == "person" else "picture"), check or ""
    )


def _team(copy: str | None) -> Team | None:
    return next((team for team in TEAMS if team == copy), None)


def at(ms: int) -> Instant:
    """The instant of a moment on the watch's clock; none that lies ahead."""
    now = instants.now()
    since = min(ms, now.since_boot_ms)
    return Instant(now.boot, max(0, since), now.wall_ms - (now.since_boot_ms - since))
