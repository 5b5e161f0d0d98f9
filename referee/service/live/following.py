"""What follows from what is seen: the finish is told to what a watch counts for, and a race that is over is kept."""

from __future__ import annotations

from collections.abc import Callable

from referee.model import Json
from referee.race.challenge import Run
from referee.rules.challenges import CHALLENGES
from referee.service import instants
from referee.service.challenges import runs
from referee.service.jobs.bell import Bell
from referee.service.live import shelf, ties
from referee.service.live.sitting import Sitting
from referee.service.store.open import Store

DRIVEN = ("racing", "finished", "closed")
WAITING = ("empty", "not-empty")


def follower(store: Store, bell: Bell) -> Callable[[Sitting], None]:
    """What is called after every look."""

    def follow(sitting: Sitting) -> None:
        with sitting.following:
            calls = sitting.state.calls
            for call in calls[sitting.followed :]:
                if call["kind"] == "finish" and call["again"]:
                    ties.not_yet(store, sitting.plan, call["team"])
                elif call["kind"] == "finish":
                    ties.finished(store, sitting.plan, call["team"], round(call["at_s"] * 1000))
            sitting.followed = len(calls)
            if is_over(sitting) and not sitting.state.race:
                _keep(store, bell, sitting)

    return follow


def is_over(sitting: Sitting) -> bool:
    """Whether every board on which somebody began is closed, and there is one."""
    boards = (sitting.state.sight or {}).get("boards", [])
    phases = [board["phase"] for board in boards if board["phase"] not in WAITING]
    return bool(phases) and set(phases) == {"closed"}


def end_race(store: Store, bell: Bell, sitting: Sitting) -> None:
    """The race is ended by hand."""
    with sitting.following:
        if not sitting.state.race:
            _keep(store, bell, sitting)


def _keep(store: Store, bell: Bell, sitting: Sitting) -> None:
    boards, pictures = sitting.reports()
    driven = [(board, picture) for board, picture in zip(boards, pictures, strict=True) if board.pop("driven")]
    state = sitting.state
    record: Json = {
        "boards": [board for board, _ in driven],
        "calls": list(state.calls),
        "noises": list(state.noises),
        "blind": list(state.blind),
        "go_ms": state.go_ms,
        "silent": is_silent(store, sitting),
        "told": False,
    }
    if not driven:
        sitting.again()
        return
    kept = shelf.keep(store, record, [picture for _, picture in driven], sitting.plan.run, sitting.plan.race)
    bell.ring(len([check for check in kept.checks if check]))
    ties.judged(store, sitting.plan, record, kept.checks)
    sitting.kept(kept.id)


def is_silent(store: Store, sitting: Sitting) -> bool:
    """Whether the challenge that a watch counts for asks for silence."""
    run = the_run(store, sitting)
    return run is not None and "silent" in CHALLENGES[run.challenge].conditions


def the_run(store: Store, sitting: Sitting) -> Run | None:
    """The challenge's run that a watch counts for."""
    kept = runs.found(store, sitting.plan.run, instants.now()) if sitting.plan.run else None
    return kept.run if kept is not None and kept.run.challenge else None
