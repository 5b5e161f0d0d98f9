"""`referee serve` as a process of its own, on a data folder that outlives it, and a program that asks it."""

from __future__ import annotations

import http.client
import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from referee.service.safety import API_HEADER

STARTS_S = 90


@dataclass
class Served:
    """The page of a folder: `starts`, `is_killed`, and starts again."""

    data: Path
    workers: int = 0
    port: int = 0
    _process: subprocess.Popen[str] | None = None
    _listener: threading.Thread | None = None
    _said: queue.Queue[str] = field(default_factory=queue.Queue)

    def starts(self) -> Served:
        """Start it, and wait until it says where it is."""
        environment = {**os.environ, "REFEREE_WORKERS": str(self.workers), "PYTHONUNBUFFERED": "1"}
        command = [sys.executable, "-m", "referee", "serve", "--port", str(self.port), "--data", str(self.data)]
        self._process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment)
        self._listener = threading.Thread(target=self._listen, args=(self._process,))
        self._listener.start()
        try:
            self.port = self._heard_port()
        except queue.Empty:
            self.is_killed()
            raise
        return self

    def _heard_port(self) -> int:
        line = ""
        while "http://" not in line:
            line = self._said.get(timeout=STARTS_S)
        return int(line.split("http://")[1].split("/")[0].rpartition(":")[2])

    def _listen(self, process: subprocess.Popen[str]) -> None:
        assert process.stderr is not None
        with process.stderr as stderr:
            for line in stderr:
                self._said.put(line)

    def is_killed(self) -> None:
        """End it as a power cut would."""
        self._ends(signal.SIGKILL)

    def stops(self) -> None:
        """End it in peace."""
        self._ends(signal.SIGTERM)

    def _ends(self, number: signal.Signals) -> None:
        assert self._process is not None
        assert self._listener is not None
        self._process.send_signal(number)
        self._process.wait(timeout=30)
        self._listener.join()

    def asks(self) -> Asking:
        """A connection of one's own."""
        return Asking(self.port)


@dataclass(frozen=True)
class Between:
    """An instant is known to lie between two monotonic times, in ms: nobody knows how long an answer was under way."""

    earliest: float
    latest: float
    told: Any

    @classmethod
    def of(cls, ask: Callable[[], Any]) -> Between:
        """The instant of Go, as an answer tells it: between asking and hearing the clock showed what it told."""
        asked = time.monotonic() * 1000
        told = ask()
        heard = time.monotonic() * 1000
        to_go = told["clock"]["countdown_ms"] - told["clock"]["ms"]
        return cls(asked + to_go, heard + to_go, told)

    def apart(self, other: Between) -> float:
        """How far, in ms, two of them contradict each other; 0 where they may be the same instant."""
        return max(0.0, self.earliest - other.latest, other.earliest - self.latest)


class Asking:
    """A connection to the page that stays open, as a browser's does."""

    def __init__(self, port: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

    def call(self, method: str, address: str, body: object = None) -> Any:
        """A call of the API; its answer."""
        headers = {API_HEADER: "test", "Content-Type": "application/json"}
        self._connection.request(method, address, None if body is None else json.dumps(body), headers)
        return self._answer()

    def uploads(self, address: str, picture: bytes) -> Any:
        """Hand a picture in."""
        head = b'--xx\r\nContent-Disposition: form-data; name="picture"; filename="photo.jpg"\r\n\r\n'
        headers = {API_HEADER: "test", "Content-Type": "multipart/form-data; boundary=xx"}
        self._connection.request("POST", address, head + picture + b"\r\n--xx--\r\n", headers)
        return self._answer()

    def _answer(self) -> Any:
        answer = self._connection.getresponse()
        told = answer.read()
        assert answer.status < 300, told
        return json.loads(told)

    def go(self, run: str) -> Between:
        """Between which monotonic times, in ms, Go is or was, as the page tells it now."""
        return Between.of(lambda: self.call("GET", f"/api/challenges/runs/{run}"))

    def closes(self) -> None:
        """Hang up."""
        self._connection.close()


def upload(port: int, picture: bytes) -> None:
    """Hand one picture in, by a connection of its own."""
    asking = Asking(port)
    asking.uploads("/api/checks", picture)
    asking.closes()


def main(port: int, count: int, path: str) -> None:
    """Hand a picture in many times at once: `python -m tests.service.served PORT COUNT PICTURE`."""
    picture = Path(path).read_bytes()
    uploads = [threading.Thread(target=upload, args=(port, picture)) for _ in range(count)]
    for one in uploads:
        one.start()
    for one in uploads:
        one.join()


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
