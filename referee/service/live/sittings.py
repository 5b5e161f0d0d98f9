"""All watches of a server, and the broom that ends those that nobody is at any more."""

from __future__ import annotations

import atexit
import secrets
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from referee.service import instants
from referee.service.faults import Refused
from referee.service.live.sitting import Eye, Plan, Sitting

MOST = 4
"""So many cameras at once: each has a process of its own."""
IDLE_MS = 30_000
LEFT_MS = 4_000
BROOM_S = 1.0


class Sittings:
    """The watches by their ids.  The broom's thread is there while a watch is."""

    def __init__(
        self, stages: Callable[[], Sequence[Path]], follow: Callable[[Sitting], None], watch: str | None = None
    ) -> None:
        """``stages`` says the folders of stage files as they are now.

        ``watch`` names what the eyes look with (`eye.makes`), if it is another than the referee's own.
        """
        self._stages = stages
        self._follow = follow
        self._watch = watch
        self._open: dict[str, Sitting] = {}
        self._lock = threading.Lock()
        self._broom: threading.Thread | None = None
        self._ended = threading.Event()
        atexit.register(self.close)

    def begin(self, plan: Plan) -> Sitting:
        """A new watch; refused where there are too many."""
        with self._lock:
            if len(self._open) >= MOST:
                raise Refused(429, "too-many-cameras", most=MOST)
            sitting = Sitting(secrets.token_urlsafe(9), plan, self._eye, now_ms, self._follow)
            self._open[sitting.id] = sitting
            if plan.source:
                sitting.pull()
            else:
                sitting.wake()
            if self._broom is None or not self._broom.is_alive():
                self._broom = threading.Thread(target=self._sweep, name="live-broom", daemon=True)
                self._broom.start()
        return sitting

    def _eye(self) -> Eye:
        return Eye(self._watch, self._stages())

    def found(self, id: str) -> Sitting | None:
        """A watch; None if it is over."""
        return self._open.get(id)

    def all(self) -> list[Sitting]:
        """All watches, the oldest first."""
        return list(self._open.values())

    def end(self, id: str) -> None:
        """End a watch."""
        with self._lock:
            sitting = self._open.pop(id, None)
        if sitting is not None:
            sitting.close()

    def close(self) -> None:
        """End all."""
        self._ended.set()
        for sitting in self.all():
            self.end(sitting.id)

    def _sweep(self) -> None:
        while self._open and not self._ended.wait(BROOM_S):
            now = now_ms()
            for sitting in self.all():
                left = sitting.left_ms
                if now - sitting.met_ms > IDLE_MS or (left is not None and now - left > LEFT_MS):
                    self.end(sitting.id)


def now_ms() -> int:
    """The present moment on the clock that all watches share: that of `instants`."""
    return instants.now().since_boot_ms
