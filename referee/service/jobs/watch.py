"""The watch over the workers: starts them, starts them again when they die, puts back what they dropped."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress

from referee.service.jobs.bell import Bell
from referee.service.jobs.queue import Keeper
from referee.service.settings import Settings
from referee.service.store.open import Store

LOOK_S = 1.0
SOONEST_AGAIN_S = 1.0
LATEST_AGAIN_S = 30.0
SWEEP_S = 3600.0


class Watch:
    """A thread of the server that keeps the workers alive; `start` and `stop` it."""

    def __init__(self, store: Store, settings: Settings, bell: Bell, sweep: Callable[[], None]) -> None:
        self._settings = settings
        self._store = store
        self._bell = bell
        self._keeper = Keeper(store.jobs)
        self._sweep = sweep
        self._swept_s = -SWEEP_S
        self._places = [Place(settings) for _ in range(settings.workers)]
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="watch", daemon=True)

    def start(self) -> None:
        """Begin to watch."""
        self._thread.start()

    def stop(self) -> None:
        """End the watch and the workers; what they were at is put back."""
        self._ended.set()
        self._thread.join(timeout=10)
        for place in self._places:
            place.end()

    def _run(self) -> None:
        while not self._ended.is_set():
            try:
                self.look(time.monotonic())
            except Exception:  # the watch goes on: a database that is away for a moment comes back
                logging.getLogger("referee").exception("the watch stumbled")
            self._ended.wait(LOOK_S)

    def look(self, now_s: float) -> None:
        """One round at a steady time."""
        for place in self._places:
            place.fill(now_s)
        self._keeper.look(now_s)
        if not self._bell.unheard():
            self._bell.ring(self._store.jobs.waiting())
        if now_s - self._swept_s >= SWEEP_S:
            self._swept_s = now_s
            self._sweep()


class Place:
    """Where one worker works."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._process: subprocess.Popen[bytes] | None = None
        self._again_s = 0.0
        self._pause_s = SOONEST_AGAIN_S

    def fill(self, now_s: float) -> None:
        """Start a worker where there is none; one that dies at once is started less and less often."""
        if self._process is not None and self._process.poll() is None:
            return
        if self._process is not None:
            logging.getLogger("referee").warning("a worker ended (%s); starting another", self._process.returncode)
            self._process = None
            self._pause_s = SOONEST_AGAIN_S if now_s - self._again_s > LATEST_AGAIN_S else self._pause_s * 2
            self._again_s = now_s + min(self._pause_s, LATEST_AGAIN_S)
        if now_s >= self._again_s:
            self._process = start_worker(self._settings)
            self._again_s = now_s

    def end(self) -> None:
        """End the worker: its input ends, and it gives back what it was at."""
        process = self._process
        if process is None:
            return
        with suppress(OSError):
            if process.stdin is not None:
                process.stdin.close()
        try:
            process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def start_worker(settings: Settings) -> subprocess.Popen[bytes]:
    """A worker's process: on its own, so that Ctrl-C in the server's window does not reach it."""
    command = [sys.executable, "-m", "referee.service.jobs.worker"]
    environment = {**os.environ, **settings.environment(), **LEAN}
    if sys.platform == "win32":
        flags = subprocess.CREATE_NEW_PROCESS_GROUP
        return subprocess.Popen(command, stdin=subprocess.PIPE, env=environment, creationflags=flags)
    return subprocess.Popen(command, stdin=subprocess.PIPE, env=environment, start_new_session=True)


LEAN = {
    **{f"{library}_NUM_THREADS": "1" for library in ("OPENBLAS", "MKL", "OMP")},
    **{"MALLOC_ARENA_MAX": "1", "MALLOC_MMAP_THRESHOLD_": "200000", "MALLOC_TRIM_THRESHOLD_": "200000"},
}
"""One thread a library (`cli` says why), and memory given back to the system between photos: with what glibc does by
itself a worker keeps 370 MB and not 280."""
