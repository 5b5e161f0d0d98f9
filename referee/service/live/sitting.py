"""One watch as the server has it.

The server never looks at a pixel: frames go on to the eye's process as they came.  Only one frame is looked at at a
time; of those that wait meanwhile the newest wins, the others are dropped.  What was called is kept here, so that
whoever missed an answer hears of it with the next.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, cast

from referee.model import Json
from referee.service.jobs.watch import LEAN
from referee.service.live import wire

COUNTDOWN_MS = 3000
MOST_CALLS = 500
MOST_NOISES = 200
STARTS_AGAIN = 3
"""So often an eye that died is opened anew."""
REOPEN_S = 2.0
"""A camera of the computer's own that failed is tried again so much later."""


@dataclass(frozen=True)
class Plan:
    """What a watch is for.

    ``stage`` None: as the markers say.  ``run`` and ``race`` name the challenge or the race that it counts for.
    ``source`` is empty for frames that a browser posts, else a camera's number or an address.
    """

    two: bool = False
    stage: int | None = None
    run: str = ""
    race: str = ""
    source: str = ""


class Blind(Exception):
    """The eye cannot see any more, however often it is opened."""


class Eye:
    """The server's end of an eye's process."""

    def __init__(self, watch: str | None, stages: Sequence[Path]) -> None:
        command = [sys.executable, "-m", "referee.service.live.eye", *([watch] if watch else [])]
        environment = {**os.environ, **LEAN} | {wire.FOLDERS: os.pathsep.join(map(str, stages))}
        more: dict[str, Any] = {"start_new_session": True}
        if sys.platform == "win32":
            more = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, **more)
        self._lock = threading.Lock()

    def ask(self, head: Json, body: bytes = b"") -> tuple[Json, bytes]:
        """Ask it something; EOFError if it is no more."""
        with self._lock:
            try:
                wire.send(cast(BinaryIO, self.process.stdin), head, body)
                told = wire.receive(cast(BinaryIO, self.process.stdout))
            except (OSError, ValueError):
                told = None
        if told is None:
            raise EOFError
        return told

    def close(self) -> None:
        """End it: its input ends."""
        for stream in (self.process.stdin, self.process.stdout):
            with suppress(OSError):
                if stream is not None:
                    stream.close()
        try:
            self.process.wait(timeout=3)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


@dataclass
class State:
    """What is known of a watch now; ``number`` grows with everything that changes."""

    number: int = 0
    sight: Json | None = None
    heard_ms: int = 0
    calls: list[Json] = field(default_factory=list)
    noises: list[Json] = field(default_factory=list)
    blind: list[list[int]] = field(default_factory=list)
    go_ms: int | None = None
    race: str = ""
    """The race that was kept last."""
    frames: int = 0
    dropped: int = 0
    over: bool = False


class Sitting:
    """A watch, its eye, and everybody who looks on."""

    def __init__(
        self,
        id: str,
        plan: Plan,
        open_eye: Callable[[], Eye],
        now_ms: Callable[[], int],
        follow: Callable[[Sitting], None],
    ) -> None:
        """``follow`` is called after every look, by whoever had it looked at."""
        self.id = id
        self.plan = plan
        self.state = State()
        self._open_eye = open_eye
        self._now_ms = now_ms
        self._follow = follow
        self._changed = threading.Condition()
        self._busy = False
        self._newest = 0
        self._eye: Eye | None = None
        self._opening = threading.Lock()
        self._ended = threading.Event()
        self._opened = 0
        self._last_at_s = 0.0
        self._puller: threading.Thread | None = None
        self.preview = b""
        self.followed = 0
        """How many of the calls have been told to what the watch counts for."""
        self.following = threading.Lock()
        self.met_ms = now_ms()
        self.left_ms: int | None = None

    # ------------------------------------------------------------------------------------------------- frames

    def look(self, content: bytes, at_ms: int) -> bool:
        """Look at a frame of a moment; False if a newer one came while this one waited."""
        with self._changed:
            self._newest += 1
            mine = self._newest
            while self._busy and mine == self._newest:
                self._changed.wait()
            if mine != self._newest or self.state.over:
                self.state.dropped += 1
                return False
            self._busy = True
        try:
            at_s = self._last_at_s = max(at_ms / 1000, self._last_at_s + 0.001)
            sight, _ = self.ask({"do": "look", "at_s": at_s}, content)
            self._sees(sight)
        finally:
            with self._changed:
                self._busy = False
                self._changed.notify_all()
        self._follow(self)
        return True

    def wake(self) -> None:
        """Open the eye ahead: it takes a second or two."""
        threading.Thread(target=self._wake, name="live-wake", daemon=True).start()

    def _wake(self) -> None:
        with suppress(Blind):
            self.ask({"do": "wake"})

    def pull(self) -> None:
        """Look through a camera of the eye's own, until the watch is over."""
        self._puller = threading.Thread(target=self._pull, name="live-pull", daemon=True)
        self._puller.start()

    def _pull(self) -> None:
        is_open = False
        with suppress(Blind):
            while not self.state.over:
                sight, preview = self.ask({"do": "next"} if is_open else self._opens())
                self.preview = preview or self.preview
                fails = "error" in sight
                if fails or "at_s" in sight:
                    self._sees(sight)
                    self._follow(self)
                is_open = not fails
                if fails:
                    self._ended.wait(REOPEN_S)
        with self._changed:
            if not self.state.over:
                self.state.sight = {"error": {"code": "eye-died"}}
            self._tell()

    def _opens(self) -> Json:
        return {"do": "open", "source": self.plan.source, "now_s": self._now_ms() / 1000}

    def ask(self, head: Json, body: bytes = b"") -> tuple[Json, bytes]:
        """Ask the eye, which is opened where it is not; Blind if it dies again and again."""
        for _ in range(STARTS_AGAIN):
            try:
                with self._opening:
                    eye = self._eye or self._open()
                return eye.ask(head, body)
            except EOFError:
                self._close_eye()
                if self.state.over:
                    break
        raise Blind

    def _open(self) -> Eye:
        if self._opened > STARTS_AGAIN or self.state.over:
            raise Blind
        self._opened += 1
        eye = self._eye = self._open_eye()
        told, _ = eye.ask({"do": "begin", "stage": self.plan.stage})
        if "error" in told:
            self._close_eye()
            raise Blind
        return eye

    def _sees(self, sight: Json) -> None:
        with self._changed:
            state = self.state
            state.sight, state.heard_ms = sight, self._now_ms()
            state.frames += 1
            for board in sight.get("boards", []):
                for call in board.pop("calls"):
                    if len(state.calls) < MOST_CALLS:
                        state.calls.append(call | {"team": board["copy"], "stage": board["stage"]})
            self._tell()

    def _tell(self) -> None:
        self.state.number += 1
        self._changed.notify_all()

    # ------------------------------------------------------------------------------------------------- what people do

    def arm(self, go_ms: int | None) -> None:
        """Go is at that moment; None: nobody counts any more."""
        begin = {"do": "begin", "stage": self.plan.stage}
        self.ask({"do": "arm", "go_at_s": go_ms / 1000} if go_ms is not None else begin)
        with self._changed:
            self.state.go_ms = go_ms
            self._tell()

    def start(self, at_ms: int, team: str | None) -> None:
        """Start by hand."""
        self.ask({"do": "start", "at_s": at_ms / 1000, "copy": team})
        with self._changed:
            self._tell()

    def hears(self, noise: Json) -> None:
        """The page's microphone heard something."""
        with self._changed:
            if len(self.state.noises) < MOST_NOISES:
                self.state.noises.append(noise)
            self._tell()

    def was_blind(self, from_ms: int, to_ms: int) -> None:
        """The page's camera stood still or was away."""
        with self._changed:
            if len(self.state.blind) < MOST_NOISES:
                self.state.blind.append([from_ms, to_ms])
            self._tell()

    def reports(self) -> tuple[list[Json], list[bytes]]:
        """What came of the race: the boards, and the last clear picture of each (empty: none)."""
        self.ask({"do": "stop"})
        told, body = self.ask({"do": "reports"})
        pictures, at = [], 0
        for board in told["boards"]:
            size = board.pop("picture_bytes")
            pictures.append(body[at : at + size])
            at += size
        return told["boards"], pictures

    def kept(self, race: str) -> None:
        """The race is kept under that id."""
        with self._changed:
            self.state.race = race
            self._tell()

    def again(self) -> None:
        """The next race."""
        self.ask({"do": "begin", "stage": self.plan.stage})
        with self._changed:
            before = self.state
            self.state = State(number=before.number, frames=before.frames, dropped=before.dropped)
            self._tell()

    # ------------------------------------------------------------------------------------------------- looking on

    def wait(self, number: int, longest_s: float) -> None:
        """Wait until there is something newer than that number, or so long."""
        with self._changed:
            self._changed.wait_for(lambda: self.state.number != number or self.state.over, longest_s)

    def met(self, *, leaves: bool = False) -> None:
        """Somebody is here; or leaves, and may come back at once, as a page does that is loaded anew."""
        self.met_ms = self._now_ms()
        self.left_ms = self.met_ms if leaves else None

    def close(self) -> None:
        """End it with its eye."""
        self._ended.set()
        with self._changed:
            self.state.over = True
            self._changed.notify_all()
        if self._puller is not None:
            self._puller.join(timeout=2)
        with self._opening:
            self._close_eye()

    def _close_eye(self) -> None:
        eye, self._eye = self._eye, None
        if eye is not None:
            eye.close()
