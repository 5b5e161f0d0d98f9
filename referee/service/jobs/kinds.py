"""The kinds of jobs and who does each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import cast

from referee.model import Json
from referee.service.jobs.queue import Job, Queue, Write
from referee.service.settings import Settings
from referee.service.store.open import Store

KINDS = {
    "judge-photo": "referee.service.checks.judging:judge_photo",
    "draw-stage": "referee.service.challenges.stage_drawing:draw_stage",
    "find-clean-board": "referee.service.boards.drafting:find_board",
    "lay-board-flat": "referee.service.boards.drafting:lay_board_flat",
    "look-at-board": "referee.service.races.looking:look_at_board",
}
"""Where each kind's function is: ``(work, payload) -> write``.  It is fetched by the worker only: it may be heavy.

The function does the work and returns what is to be written; `Queue.finish` writes it in one transaction with the
job's end.  If the function has a ``given_up``, that says what to write where the job failed for good.
"""


@dataclass(frozen=True)
class Work:
    """What a job's function is given beside its payload."""

    store: Store
    settings: Settings
    job: Job
    queue: Queue

    def tell(self, progress: float, step: str) -> None:
        """How far the job is, 0 to 1, and the name of its step (a key of the words ``step.*``)."""
        self.queue.beat(self.job, progress, step)


Doer = Callable[[Work, Json], Write]
GivenUp = Callable[[Work, str], Write]


def doer(kind: str) -> Doer:
    """The function that does a kind of job."""
    return cast(Doer, _named(kind))


def given_up(kind: str) -> GivenUp:
    """What is written where a job of a kind failed for good."""
    return cast(GivenUp, getattr(_named(kind), "given_up", lambda _work, _fault: lambda _connection: None))


def _named(kind: str) -> object:
    module, _, name = KINDS[kind].partition(":")
    return getattr(import_module(module), name)
