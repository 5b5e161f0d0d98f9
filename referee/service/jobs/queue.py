"""The job table as a queue: what is to do, who does it, how far it is.

The table is the truth; huey only rings (`bell`).  A worker's heart beats into the job that it does.  A job whose
beat has stood still for a while is put back, and the worker that lost it can no longer write its result: `finish`
wants the attempt that the worker was given.  So a job is done once however often it was begun.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, and_, func, insert, select, update

from referee.model import Json
from referee.service.store.database import Database
from referee.service.store.tables import jobs

MOST_ATTEMPTS = 3
"""A job that was lost so often is taken to be what kills its worker."""
STILL_S = 30.0
"""A heart that has not beaten for so long has stopped.  On a machine with twenty programs to each core a live one was
seen to stand still for 12 s, and a photo over which that happens three times would be given up."""

After = Callable[[], None]
Write = Callable[[Connection], After | None]
"""What writes a job's result; what it returns is done when that is safely written, such as clearing away files."""


@dataclass(frozen=True)
class Job:
    """A job that a worker was given."""

    id: int
    kind: str
    payload: Json
    attempt: int


class Queue:
    """The job table."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, connection: Connection, kind: str, payload: Mapping[str, Any], priority: int = 0) -> int:
        """A new job, in the caller's transaction; returns its id.  Ring the bell when the transaction is through."""
        row = insert(jobs).values(
            kind=kind, payload=dict(payload), priority=priority, state="waiting", created_at=time.time()
        )
        return int(connection.execute(row.returning(jobs.c.id)).scalar_one())

    def claim(self, worker: str) -> Job | None:
        """The next job to do: the highest priority, then the oldest; None if none waits."""
        first = select(jobs.c.id).where(jobs.c.state == "waiting")
        first = first.order_by(jobs.c.priority.desc(), jobs.c.id).limit(1).with_for_update(skip_locked=True)
        with self._database.writing() as connection:
            number = connection.execute(first).scalar_one_or_none()
            if number is None:
                return None
            taken = (
                update(jobs)
                .where(jobs.c.id == number)
                .values(state="running", worker=worker, attempt=jobs.c.attempt + 1, beat=jobs.c.beat + 1, progress=0.0)
                .returning(jobs.c.id, jobs.c.kind, jobs.c.payload, jobs.c.attempt)
            )
            row = connection.execute(taken).one()
        return Job(row.id, row.kind, row.payload, row.attempt)

    def beat(self, job: Job, progress: float | None = None, step: str | None = None) -> bool:
        """Say that a job is being done, and how far it is (0 to 1); False if it is no longer this worker's."""
        told: dict[str, Any] = {"beat": jobs.c.beat + 1}
        told |= {} if progress is None else {"progress": progress, "step": step}
        with self._database.writing() as connection:
            return connection.execute(update(jobs).where(_held(job)).values(**told)).rowcount == 1

    def finish(self, job: Job, write: Write) -> bool:
        """Write a job's result and mark it done, both or neither; False if it was no longer this worker's."""
        done = update(jobs).where(_held(job)).values(state="done", progress=1.0, step=None, finished_at=time.time())
        with self._database.writing() as connection:
            if connection.execute(done).rowcount != 1:
                return False
            after = write(connection)
        if after is not None:
            after()
        return True

    def fail(self, job: Job, fault: str, write: Write) -> bool:
        """Mark a job as failed for good, and write what that means; False if it was no longer this worker's."""
        failed = update(jobs).where(_held(job)).values(state="failed", fault=fault, finished_at=time.time())
        with self._database.writing() as connection:
            if connection.execute(failed).rowcount != 1:
                return False
            after = write(connection)
        if after is not None:
            after()
        return True

    def put_back(self, number: int, attempt: int) -> bool:
        """Make a running job wait again; False if it has gone on in between."""
        held = and_(jobs.c.id == number, jobs.c.attempt == attempt, jobs.c.state == "running")
        with self._database.writing() as connection:
            back = update(jobs).where(held).values(state="waiting", worker=None, progress=0.0, step=None)
            return connection.execute(back).rowcount == 1

    def waiting(self) -> int:
        """How many jobs wait."""
        with self._database.reading() as connection:
            return int(connection.execute(select(func.count()).where(jobs.c.state == "waiting")).scalar_one())

    def hearts(self) -> dict[tuple[int, int], int]:
        """The beats of the running jobs, by (id, attempt)."""
        running = select(jobs.c.id, jobs.c.attempt, jobs.c.beat).where(jobs.c.state == "running")
        with self._database.reading() as connection:
            return {(row.id, row.attempt): row.beat for row in connection.execute(running)}


def _held(job: Job) -> Any:
    return and_(jobs.c.id == job.id, jobs.c.attempt == job.attempt, jobs.c.state == "running")


@dataclass
class Keeper:
    """Puts back what stopped beating.

    It compares what it sees with what it saw, by its own steady clock: a wall clock that jumps moves no job, and the
    clocks of several machines need not agree.
    """

    queue: Queue
    still_s: float = STILL_S
    _seen: dict[tuple[int, int], tuple[int, float]] = field(default_factory=dict)

    def look(self, now_s: float) -> int:
        """Look at all running jobs at a steady time; returns how many were put back."""
        beats = self.queue.hearts()
        known = {key: self._seen.get(key, (beat, now_s)) for key, beat in beats.items()}
        self._seen = {key: known[key] if known[key][0] == beat else (beat, now_s) for key, beat in beats.items()}
        still = [key for key, (_, since_s) in self._seen.items() if now_s - since_s >= self.still_s]
        return sum(self.queue.put_back(*key) for key in still)
