"""The process that sees: `python -m referee.service.live.eye`, asked over standard input, answering on standard output.

It ends when its standard input does, so that it never outlives the server that started it, however that died.  It
keeps no picture but the last clear frame of a race.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from referee.errors import RefereeError
from referee.live.outer import Newest
from referee.live.report import LiveReport
from referee.live.sight import BoardSight, LiveCall, Sight
from referee.live.source import Source
from referee.model import Json
from referee.report.board import jpeg
from referee.service.live import wire
from referee.service.live.recorded import Recorded, report_of

WATCH = "referee.live.watch:Watch"
MOST_PIXELS = 4_000_000
LONGEST_PX = 8000
"""A frame of more is no frame of a camera that films."""
PATH_EVERY_MM = 1.5
PREVIEW_S = 0.4
PREVIEW_QUALITY = 70
PREVIEW_PX = 960
WAIT_S = 0.05

Picture = NDArray[np.uint8]


class Watching(Protocol):
    """What an eye looks with: `referee.live.watch.Watch`."""

    def look(self, bgr: Picture, at_s: float) -> Sight:
        """Look at a frame."""

    def arm(self, go_at_s: float) -> None:
        """Go is at that time."""

    def start(self, at_s: float, copy: Any = None) -> None:
        """The race is started by hand."""

    def stop(self) -> None:
        """The race is stopped by hand."""

    def reports(self) -> Sequence[LiveReport]:
        """What came of it."""


class Eye:
    """Answers one message after another; what cannot be seen is told, not raised."""

    def __init__(self, make: Callable[[int | None], Watching]) -> None:
        self._make = make
        self._stage: int | None = None
        self._watch: Watching | None = None
        self._recorded = Recorded()
        self._lock = threading.Lock()
        self._own: OwnCamera | None = None

    def answer(self, head: Json, body: bytes) -> tuple[Json, bytes]:
        """What is answered to a message."""
        try:
            return DOES[str(head.get("do"))](self, head, body)
        except RefereeError as fault:
            return {"error": {"code": fault.code, "message": fault.message, "hint": fault.hint}}, b""

    def see(self, bgr: Picture, at_s: float) -> Json:
        """What is told of a frame."""
        with self._lock:
            assert self._watch is not None, "an eye is told which stage it is before it looks"
            sight = self._watch.look(bgr, at_s)
            self._recorded.sees(sight)
        return sight_json(sight, bgr.shape[1], bgr.shape[0])

    def _begin(self, head: Json, _body: bytes) -> tuple[Json, bytes]:
        self._stage = head.get("stage")
        with self._lock:
            self._watch, self._recorded = self._make(self._stage), Recorded()
        return {}, b""

    def _open(self, head: Json, _body: bytes) -> tuple[Json, bytes]:
        """Open a camera of the eye's own; BadVideo where it gives no pictures."""
        if self._own is not None:
            self._own.close()
        self._own = OwnCamera(str(head["source"]), float(head["now_s"]), self.see)
        return {}, b""

    def _next(self, _head: Json, _body: bytes) -> tuple[Json, bytes]:
        assert self._own is not None, "a camera is opened before its frames are asked for"
        return self._own.next()

    def _wake(self, _head: Json, _body: bytes) -> tuple[Json, bytes]:
        return {}, b""

    def _look(self, head: Json, body: bytes) -> tuple[Json, bytes]:
        bgr = decoded(body)
        if bgr is None:
            return {"error": {"code": "not-a-picture", "message": "", "hint": ""}}, b""
        try:
            return self.see(bgr, float(head["at_s"])), b""
        except cv2.error:  # one frame that cannot be worked on must not end the watch
            return {"error": {"code": "not-a-picture", "message": "", "hint": ""}}, b""

    def _arm(self, head: Json, _body: bytes) -> tuple[Json, bytes]:
        with self._lock:
            assert self._watch is not None, "an eye is told which stage it is before it is armed"
            self._watch.arm(float(head["go_at_s"]))
        return {}, b""

    def _start(self, head: Json, _body: bytes) -> tuple[Json, bytes]:
        with self._lock:
            assert self._watch is not None, "an eye is told which stage it is before it starts"
            self._watch.start(float(head["at_s"]), head.get("copy"))
        return {}, b""

    def _stop(self, _head: Json, _body: bytes) -> tuple[Json, bytes]:
        with self._lock:
            assert self._watch is not None, "an eye is told which stage it is before it stops"
            self._watch.stop()
        return {}, b""

    def _reports(self, _head: Json, _body: bytes) -> tuple[Json, bytes]:
        with self._lock:
            assert self._watch is not None, "an eye is told which stage it is before it reports"
            told = [report_of(report, self._recorded) for report in self._watch.reports()]
        boards = [board | {"picture_bytes": len(picture)} for board, picture in told]
        return {"boards": boards}, b"".join(picture for _, picture in told)


DOES: dict[str, Callable[[Eye, Json, bytes], tuple[Json, bytes]]] = {
    "begin": Eye._begin,
    "wake": Eye._wake,
    "open": Eye._open,
    "next": Eye._next,
    "look": Eye._look,
    "arm": Eye._arm,
    "start": Eye._start,
    "stop": Eye._stop,
    "reports": Eye._reports,
}
"""What an eye can be told to do."""


class OwnCamera:
    """A camera of the computer's own, or one on the network: looked through by a thread; the newest frame wins.

    Raises BadVideo where it cannot be opened, and from `next` where it has ended or is frozen.
    """

    def __init__(self, source: str, now_s: float, see: Callable[[Picture, float], Json]) -> None:
        self._see = see
        self._to_server_s = now_s - time.monotonic()
        self._source = Source(source)
        self._newest = Newest(self._source)
        self._news = threading.Condition()
        self._sight: Json | None = None
        self._preview = b""
        self._previewed_s = 0.0
        self._fault: RefereeError | None = None
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def next(self) -> tuple[Json, bytes]:
        """What the newest frame shows, and now and then the frame; nothing if there is none for a while."""
        with self._news:
            self._news.wait_for(lambda: self._sight is not None or self._fault is not None, WAIT_S)
            sight, self._sight = self._sight, None
            preview, self._preview = self._preview, b""
            if sight is None and self._fault is not None:
                raise self._fault
        return sight or {}, preview

    def _look(self) -> None:
        try:
            for bgr, _ in self._newest.frames():
                now_s = time.monotonic()
                sight = self._see(bgr, now_s + self._to_server_s)
                sight["took_ms"] = round((time.monotonic() - now_s) * 1000, 1)
                self._tell(sight, bgr, now_s)
        except RefereeError as fault:
            with self._news:
                self._fault = fault
                self._news.notify_all()
        finally:
            self._source.close()

    def _tell(self, sight: Json, bgr: Picture, now_s: float) -> None:
        with self._news:
            if self._sight is not None:  # nobody has asked: its calls must not be lost
                _keep_calls(self._sight, sight)
            self._sight = sight
            if now_s - self._previewed_s > PREVIEW_S:
                self._previewed_s = now_s
                self._preview = jpeg(shrunk(bgr), PREVIEW_QUALITY)
            self._news.notify_all()

    def close(self) -> None:
        """Let go of it."""
        self._newest.stop()
        self._thread.join(timeout=3)


def _keep_calls(earlier: Json, later: Json) -> None:
    """Give the calls of an earlier sight to a later one."""
    for board in earlier["boards"]:
        same = [one for one in later["boards"] if (one["stage"], one["copy"]) == (board["stage"], board["copy"])]
        if same:
            same[0]["calls"] = board["calls"] + same[0]["calls"]


def shrunk(bgr: Picture) -> Picture:
    """A frame for people to look at."""
    scale = min(1.0, PREVIEW_PX / max(bgr.shape[:2]))
    return np.asarray(cv2.resize(bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def decoded(content: bytes) -> Picture | None:
    """The frame (H, W, 3) BGR of some bytes; None for what is no picture, or larger than any film's."""
    try:
        with Image.open(BytesIO(content), formats=("JPEG", "WEBP", "PNG")) as opened:
            width, height = opened.size
    except (OSError, ValueError, Image.DecompressionBombError):
        return None
    if width * height > MOST_PIXELS or max(width, height) > LONGEST_PX:
        return None
    try:
        found = cv2.imdecode(np.frombuffer(content, dtype=np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        return None
    return None if found is None else np.asarray(found, dtype=np.uint8)


def sight_json(sight: Sight, width: int, height: int) -> Json:
    """What a look has shown; corners as shares of the frame's width and height."""
    return {
        "at_s": sight.at_s,
        "spent_ms": round(sight.spent_ms, 1),
        "trouble": sight.trouble,
        "size": [width, height],
        "boards": [_board_json(board, np.array([width, height])) for board in sight.boards],
    }


def _board_json(board: BoardSight, size: NDArray[np.int_]) -> Json:
    corners = None if board.corners_px is None else ((np.asarray(board.corners_px) + 0.5) / size).round(4).tolist()
    return {
        "stage": board.stage,
        "copy": board.copy,
        "phase": board.phase,
        "trouble": board.trouble,
        "corners": corners,
        "path": thinned(board.path_mm),
        "tip": None if board.tip_mm is None else [round(float(one), 1) for one in board.tip_mm],
        "covered": round(float(board.covered), 3),
        "elapsed_s": board.elapsed_s,
        "calls": [call_json(call) for call in board.calls],
    }


def call_json(call: LiveCall) -> Json:
    """A call as plain values."""
    told = {name: getattr(call, name) for name in CALL_FIELDS}
    if call.at_mm is not None:
        told["at_mm"] = [round(float(one), 2) for one in call.at_mm]
    return told


CALL_FIELDS = (
    "seq", "kind", "at_s", "said_s", "at_mm", "element", "number", "of", "restart_element", "margin_mm", "certain",
    "again", "cause",
)  # fmt: skip


def thinned(path_mm: NDArray[np.float64] | None) -> list[list[float] | None]:
    """A path for the page: a point every `PATH_EVERY_MM`, None between strokes.

    >>> thinned(np.array([[0, 0], [0.1, 0], [2, 0], [np.nan, np.nan], [5, 5]]))
    [[0.0, 0.0], [2.0, 0.0], None, [5.0, 5.0]]
    """
    told: list[list[float] | None] = []
    last: NDArray[np.float64] | None = None
    for point in () if path_mm is None else path_mm:
        if not np.isfinite(point).all():
            told.append(None)
            last = None
        elif last is None or np.hypot(*(point - last)) >= PATH_EVERY_MM:
            told.append([round(float(one), 1) for one in point])
            last = point
    return told


# ------------------------------------------------------------------------------------------------- the process itself


def makes(named: str, stages: Sequence[Path] = ()) -> Callable[[int | None], Watching]:
    """What makes watches: a module and a name in it, with the stages that these folders hold."""
    module, _, name = named.partition(":")
    kind = getattr(import_module(module), name)

    def make(stage: int | None) -> Watching:
        from referee.rules.settings import Rules
        from referee.stage.catalogue import Catalogue

        catalogue = Catalogue(stages)
        known = None if stage is None else catalogue.find(stage)
        made: Watching = kind(catalogue, Rules(), stage=known, stage_is_fixed=known is not None)
        return made

    return make


def main() -> int:
    """Answer until standard input ends."""
    heard, said = sys.stdin.buffer, os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a library prints must not get between the answers
    cv2.setNumThreads(1)
    folders = [Path(folder) for folder in os.environ.get(wire.FOLDERS, "").split(os.pathsep) if folder]
    serve(Eye(makes(sys.argv[1] if len(sys.argv) > 1 else WATCH, folders)), heard, said)
    return 0


def serve(eye: Eye, heard: BinaryIO, said: BinaryIO) -> None:
    """Answer message after message."""
    while (message := wire.receive(heard)) is not None:
        began = time.perf_counter()
        head, body = eye.answer(*message)
        wire.send(said, {"took_ms": round((time.perf_counter() - began) * 1000, 1)} | head, body)


if __name__ == "__main__":
    raise SystemExit(main())
