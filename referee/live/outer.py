"""The outer shell: a camera read by a thread of its own, so that the newest frame wins and a dead camera is noticed.

Here, and nowhere else in this room, are threads and clocks.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from referee.errors import BadVideo
from referee.live.report import LiveReport
from referee.live.sight import Sight
from referee.live.source import Source
from referee.live.watch import Watch
from referee.model import Stage
from referee.rules import Rules
from referee.stage.catalogue import Catalogue
from referee.words import say

Picture = NDArray[np.uint8]
Clock = Callable[[], float]

SILENT_S = 2.0
"""A camera that gives nothing, or always the very same, for so long is dead or frozen."""
SOME_PX = 37
"""Every so many-th pixel tells whether two frames are the very same: no camera is without noise."""


class Newest:
    """The newest frame of a live source; older ones that nobody asked for are dropped.

    ``frames`` yields (bgr, at_s), seconds since the first.  Raises `BadVideo` within `SILENT_S` of a camera's end: it
    was unplugged, or hangs, or is frozen.
    """

    def __init__(self, source: Source, clock: Clock = time.monotonic) -> None:
        self._source, self._clock = source, clock
        self._fresh = threading.Condition()
        self._frame: tuple[Picture, float] | None = None
        self._over = False
        self._stopped = False
        self.dropped = 0
        self._reader = threading.Thread(target=self._read, name="camera", daemon=True)

    def frames(self) -> Iterator[tuple[Picture, float]]:
        """Frames as they come, until `stop` or the camera's end."""
        try:
            yield from self._frames()
        finally:  # whoever looks on no longer leaves no thread behind
            self.stop()

    def _frames(self) -> Iterator[tuple[Picture, float]]:
        self._reader.start()
        began: float | None = None
        changed_s, last = self._clock(), np.zeros(0, np.uint8)
        while not self._stopped:
            bgr, taken_s = self._next()
            some = bgr[::SOME_PX, ::SOME_PX]
            if some.shape != last.shape or not np.array_equal(some, last):
                changed_s, last = taken_s, some.copy()
            elif taken_s - changed_s > SILENT_S:
                raise BadVideo(say("fault.video-frozen", name=self._source.about.name), say("cure.video-plug"))
            began = taken_s if began is None else began
            yield bgr, taken_s - began

    def stop(self) -> None:
        """No more frames."""
        with self._fresh:
            self._stopped = True
            self._fresh.notify_all()

    def _next(self) -> tuple[Picture, float]:
        with self._fresh:
            self._fresh.wait_for(lambda: self._frame is not None or self._over or self._stopped, timeout=SILENT_S)
            taken, self._frame = self._frame, None
        if taken is None:
            why = "fault.video-ended" if self._over else "fault.video-hangs"
            raise BadVideo(say(why, name=self._source.about.name), say("cure.video-plugged"))
        return taken

    def _read(self) -> None:
        frame: Picture | None = self._source.take_first()
        while frame is not None and not self._stopped:
            with self._fresh:
                self.dropped += self._frame is not None
                self._frame = (frame, self._clock())
                self._fresh.notify_all()
            frame = self._source.read()
        with self._fresh:
            self._over = True
            self._fresh.notify_all()


class Watched:
    """A source watched to its end; ``frames`` counts what was looked at, ``last_s`` is the time of the newest."""

    def __init__(self, source: Source, watch: Watch) -> None:
        self._source, self._watch = source, watch
        self._newest = Newest(source) if source.is_live else None
        self.name, self.ends_s = source.about.name, source.about.seconds
        self.frames, self.last_s = 0, 0.0
        self._told: set[tuple[object, ...]] = set()

    def sights(self) -> Iterator[Sight]:
        """What each frame shows; a film's frames all, a camera's the newest."""
        frames = self._source.frames() if self._newest is None else self._newest.frames()
        for bgr, at_s in frames:
            self.frames, self.last_s = self.frames + 1, at_s
            yield self._watch.look(bgr, at_s)

    def news(self, sight: Sight) -> Iterator[str]:
        """What is new about the boards in view, for a console."""
        told: set[tuple[object, ...]] = {(b.stage, b.copy, b.phase, b.trouble) for b in sight.boards}
        told |= {(sight.trouble,)} if sight.trouble else set()
        for one in told - self._told:
            if len(one) == 1:
                yield say("film.no-news", at=sight.at_s, what=say(f"film-state.{one[0]}"))
            else:
                stage, copy, phase, trouble = one
                what = say(f"film-state.{trouble or phase}")
                yield say("film.news", at=sight.at_s, number=stage, copy=f" {copy}" if copy else "", what=what)
        self._told = told

    def reports(self) -> list[LiveReport]:
        """What came of it; the source is let go."""
        if self._newest is not None:
            self._newest.stop()
        self._source.close()
        self._watch.stop()
        return self._watch.reports()


def watched(name: str, catalogue: Catalogue, rules: Rules, stage: Stage | None = None) -> Watched:
    """A camera, film or address, opened to be watched.  Raises `BadVideo` where it gives no pictures."""
    return Watched(Source(name), Watch(catalogue, rules, stage, stage is not None))
