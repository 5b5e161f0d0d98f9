"""The worker's process: `python -m referee.service.jobs.worker`, with its settings in the environment.

It ends when its standard input does, so that it never outlives the server that started it, however that died.  With
``--stay`` it goes on until a signal: a worker on another machine.
"""

from __future__ import annotations

import logging
import os
import socket
import sys
import threading
import traceback
from contextlib import suppress
from pathlib import PurePath

import psutil

from referee.service.jobs.bell import listen
from referee.service.jobs.kinds import Work, doer, given_up
from referee.service.jobs.queue import MOST_ATTEMPTS, Job
from referee.service.settings import Settings, settings_from
from referee.service.store.open import Store, open_store

STAY = "--stay"
MEGA = 1_000_000
BEAT_S = 2.0
LISTEN_S = 0.25
"""The longest that a ring waits to be heard, where the queue cannot wake anybody."""
LARGEST_RESTING_MB = 270
"""What a worker may hold between two jobs: what it keeps of many stages grows, and a photo takes some 120 MB more."""
AGAIN = "REFEREE_WORKER_AGAIN"
"""In the environment of a worker that has begun anew: it is nice enough already."""
NICER = 5
"""The judging leaves the machine to the page where both want it."""


class Worker:
    """Does one job after another."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self.store = store
        self.settings = settings
        self.name = f"{socket.gethostname()}:{os.getpid()}"
        self.doing: Job | None = None

    def work(self) -> bool:
        """Do the next job; False if none waited."""
        job = self.doing = self.store.jobs.claim(self.name)
        if job is None:
            return False
        stopped = threading.Event()
        heart = threading.Thread(target=self._beat, args=(job, stopped), daemon=True)
        heart.start()
        try:
            self._do(job)
        finally:
            stopped.set()
            heart.join()
            self.doing = None
        return True

    def drop(self) -> None:
        """Give back what is being done."""
        if (job := self.doing) is not None:
            self.store.jobs.put_back(job.id, job.attempt)

    def _do(self, job: Job) -> None:
        if job.attempt > MOST_ATTEMPTS:
            self._give_up(job, f"its worker died {MOST_ATTEMPTS} times over it")
            return
        try:
            write = doer(job.kind)(self._work(job), job.payload)
            self.store.jobs.finish(job, write)
        except Exception as fault:  # a fault of ours must not cost the other jobs
            last = traceback.extract_tb(fault.__traceback__)[-1]
            self._give_up(job, f"{type(fault).__name__} in {PurePath(last.filename).name} line {last.lineno}: {fault}")

    def _give_up(self, job: Job, fault: str) -> None:
        logging.getLogger("referee").error("job %d (%s) failed: %s", job.id, job.kind, fault)
        self.store.jobs.fail(job, fault, given_up(job.kind)(self._work(job), fault))

    def _work(self, job: Job) -> Work:
        return Work(self.store, self.settings, job, self.store.jobs)

    def _beat(self, job: Job, stopped: threading.Event) -> None:
        while not stopped.wait(BEAT_S):
            with suppress(Exception):  # a beat that is missed is made up for by the next
                self.store.jobs.beat(job)


def main() -> int:
    """Listen for the bell until standard input ends."""
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(name)s: %(message)s")
    settings = settings_from(os.environ)
    store = open_store(settings)
    worker = Worker(store, settings)
    if hasattr(os, "nice") and AGAIN not in os.environ:
        os.nice(NICER)
    if STAY not in sys.argv[1:]:
        threading.Thread(target=_end_with_the_server, args=(worker,), daemon=True).start()

    def work() -> None:
        if worker.work() and psutil.Process().memory_info().rss > LARGEST_RESTING_MB * MEGA:
            _begin_anew()

    listen(settings, work, LISTEN_S)
    return 0


def _begin_anew() -> None:
    """Put a fresh process in this one's place, of the same number and with the same input: all it kept is let go."""
    if sys.platform == "win32":  # there it would be another process, and its input be lost
        return
    os.environ[AGAIN] = "1"
    os.execv(sys.executable, [sys.executable, "-m", "referee.service.jobs.worker", *sys.argv[1:]])


def _end_with_the_server(worker: Worker) -> None:
    while sys.stdin.buffer.read(1):
        pass
    with suppress(Exception):  # what is not given back now is put back when its heart is missed
        worker.drop()
    os._exit(0)


if __name__ == "__main__":
    raise SystemExit(main())
