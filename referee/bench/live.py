"""How fast a table is watched: what a frame costs beside its own decoding, and how soon a call comes."""

from __future__ import annotations

import json
import resource
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from time import process_time

import cv2
import numpy as np

from referee.errors import WrongUsage
from referee.live.sight import LiveCall
from referee.live.source import Source
from referee.live.watch import Watch
from referee.model import Json
from referee.rules import Rules
from referee.stage.catalogue import Catalogue

Tell = Callable[[str], None]

FILMS = Path(__file__).resolve().parents[2] / "samples" / "films"
MUST_MS, MUST_S = 1000 / 30, 0.3
LOOP_S = 600.0
LOOP_STEP_S = 1 / 15
MATCH_S = 4.0


@dataclass
class _Told:
    frame_ms: list[float] = field(default_factory=list)
    decode_ms: list[float] = field(default_factory=list)
    late_s: list[float] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    extra: list[str] = field(default_factory=list)


def bench_live(tell: Tell = lambda _: None, loop: bool = False) -> Iterator[str]:
    """Watch the sample films and yield the lines of the table; with ``loop`` one of them for ten minutes of its time.

    Times are the processor's own, of one core: a busy machine changes them less than the clock's.
    """
    films = sorted(FILMS.glob("*.mp4"))
    if not films:
        raise WrongUsage(f"There are no films in {FILMS}.", "Run it where the samples are.")
    told = _Told()
    for film in films:
        tell(film.stem)
        _watch(film, told)
    frame, decode = (np.array(times) for times in (told.frame_ms, told.decode_ms))
    yield f"{len(films)} films of 1280 x 720, {len(frame)} frames with board and hand, processor's time of one core:"
    yield f"  a frame        median {np.median(frame):6.1f} ms   p95 {_p95(frame):6.1f} ms   must {MUST_MS:.0f} ms"
    yield f"  its own JPEG   median {np.median(decode):6.1f} ms   p95 {_p95(decode):6.1f} ms"
    yield f"  ratio          median {np.median(frame) / np.median(decode):6.1f}"
    rate = 2000 / frame.mean() if frame.mean() else 0.0
    yield f"  frames a second on two cores {rate:.0f}; four cameras at 15 want 60"
    late = np.array(told.late_s)
    yield f"  from ink in view to the call   median {np.median(late):.2f} s   p95 {_p95(late):.2f} s   must {MUST_S} s"
    yield f"  events not called: {', '.join(told.missed) or 'none'}"
    yield f"  called but not so: {', '.join(told.extra) or 'none'}"
    if loop:
        yield from _loop(films[0], tell)


def _p95(values: np.ndarray) -> float:
    return float(np.percentile(values, 95))


def _watch(film: Path, told: _Told) -> None:
    watch, calls = Watch(Catalogue(), Rules()), list[LiveCall]()
    source = Source(str(film))
    for number, (bgr, at_s) in enumerate(source.frames()):
        stored = np.asarray(cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, 85])[1])
        began = process_time()
        cv2.imdecode(stored, cv2.IMREAD_COLOR)
        decoded = process_time()
        sight = watch.look(bgr, at_s)
        if number > 0:  # the first finds the board and draws its print: once a race
            told.decode_ms.append((decoded - began) * 1000)
            told.frame_ms.append((process_time() - decoded) * 1000)
        calls += [call for board in sight.boards for call in board.calls]
    source.close()
    _compare(film, json.loads(film.with_suffix(".json").read_text()), calls, told)


def _compare(film: Path, truth: Json, calls: list[LiveCall], told: _Told) -> None:
    """Match calls with what happened; a lift on the same spot shows only when the pen is back, so it has no delay."""
    left = [call for call in calls if call.kind != "brush"]
    for event in truth["events"]:
        if event["kind"] == "brush":
            continue
        same = [c for c in left if (c.kind, c.cause) == (event["kind"], event.get("cause"))]
        call = min(same, key=lambda c: abs(c.at_s - event["in_view_s"]), default=None)
        if call is None or abs(call.at_s - event["in_view_s"]) > MATCH_S:
            told.missed.append(f"{film.stem} {event['kind']}")
            continue
        left.remove(call)
        if call.cause != "lift":
            told.late_s.append(call.said_s - event["in_view_s"])
    told.extra += [f"{film.stem} {call.kind}" for call in left]


def _loop(film: Path, tell: Tell) -> Iterator[str]:
    """One film again and again, as one long watch: memory must not grow."""
    source = Source(str(film))
    frames = [bgr for bgr, _ in source.frames()]
    source.close()
    watch, at_s, marks = Watch(Catalogue(), Rules()), 0.0, []
    while at_s < LOOP_S:
        for bgr in frames:
            watch.look(bgr, at_s)
            at_s += LOOP_STEP_S
        marks.append(_resident_mb())
        tell(f"{at_s:.0f} s of {LOOP_S:.0f}: {marks[-1]:.0f} MB")
    yield f"  ten minutes: {marks[min(1, len(marks) - 1)]:.0f} MB after two rounds, {marks[-1]:.0f} MB at the end"


def _resident_mb() -> float:
    """What this process holds in memory now; at most so far where the system does not say."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * resource.getpagesize() / 1e6
    except OSError:
        unit = 1 if sys.platform == "darwin" else 1024
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6
