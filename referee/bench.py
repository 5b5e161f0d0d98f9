"""How fast and how small: the referee beside the libraries it stands on, in one run on one machine.

Milliseconds differ from machine to machine; the ratios to a peer that does the least possible do not, much.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import cv2
import numpy as np

from referee.errors import WrongUsage
from referee.pipeline import judge_boards
from referee.stage.catalogue import Catalogue

if TYPE_CHECKING:
    from referee.model import Report

Value = TypeVar("Value")

SAMPLES = Path(__file__).resolve().parent.parent / "samples"
COLD_ROUNDS = 3

MEASURE_CHILD = """
import resource, subprocess, sys, time
start = time.perf_counter()
done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
seconds = time.perf_counter() - start
unit = 1 if sys.platform == "darwin" else 1024
print(seconds, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * unit / 1e6, done.returncode)
"""
"""Runs a command as the only child of a small process, so that its peak memory is nobody else's."""

ONLY_DECODE = "import sys, cv2, numpy as np; cv2.imdecode(np.fromfile(sys.argv[1], np.uint8), cv2.IMREAD_COLOR)"


@dataclass(frozen=True)
class Row:
    """One line of the table: what was measured, beside its peer, what must hold and what is aimed at."""

    what: str
    measured: str
    peer: str
    must: str
    aim: str
    kept: bool


def bench(picture: Path | None, folder: Path | None, rounds: int) -> Iterator[str]:
    """Measure one photo and yield the lines of the table; without a photo the largest sample is taken.

    ``folder`` adds stage files.  Raises `WrongUsage` for a picture that cannot be judged: that is soon done.
    """
    picture = picture or largest_sample()
    catalogue = Catalogue([folder] if folder else [])
    yield _about(picture, judge_boards(picture, catalogue=catalogue)[0], rounds)
    yield ""
    warm = _warm(picture, catalogue, rounds)
    yield from _table([*_warm_rows(warm), *_cold_rows(picture, folder)])
    yield ""
    yield "Where a warm judging spends its time (medians):"
    yield from _steps(warm)


def _about(picture: Path, report: Report, rounds: int) -> str:
    if report.judgement is None or report.photo is None:
        raise WrongUsage(f"{picture} cannot be judged.", f"`referee judge {picture}` says why; name another photo.")
    height, width = report.photo.bgr.shape[:2]
    size = f"{width} x {height} = {width * height / 1e6:.1f} megapixels"
    return f"{picture.name}: {size}, {report.judgement.verdict}; median of {rounds} rounds"


def largest_sample() -> Path:
    """The largest photo among the samples."""
    samples = sorted(SAMPLES.glob("*.jpg"), key=lambda path: path.stat().st_size)
    if not samples:
        raise WrongUsage(f"There are no samples in {SAMPLES}.", "Name a photo: referee bench PICTURE")
    return samples[-1]


@dataclass(frozen=True)
class Round:
    """One decoding alone and, at once after it, one judging of the same photo with what each of its steps took."""

    decode_ms: float
    judge_ms: float
    steps_ms: Mapping[str, float]

    @property
    def ratio(self) -> float:
        """The judging in decodings: measured side by side, so that what slows the machine down slows both."""
        return self.judge_ms / self.decode_ms


def _warm(picture: Path, catalogue: Catalogue, rounds: int) -> list[Round]:
    """Decoding alone and the whole judging in one warm process, in turn.

    Of two decodings the faster counts: after a judging the first has its memory fresh from the system, which may take
    as long as the decoding.
    """
    encoded = np.frombuffer(picture.read_bytes(), np.uint8)
    found = []
    for _ in range(max(1, rounds)):
        decode_ms = min(_timed(lambda: cv2.imdecode(encoded, cv2.IMREAD_COLOR))[0] for _ in range(2))
        judge_ms, boards = _timed(lambda: judge_boards(picture, catalogue=catalogue))
        found.append(Round(decode_ms, judge_ms, boards[0].timing_ms))  # not the report: it holds the photo
        del boards
    return found


def _timed(work: Callable[[], Value]) -> tuple[float, Value]:
    start = time.perf_counter()
    value = work()
    return (time.perf_counter() - start) * 1000, value


def _warm_rows(warm: Sequence[Round]) -> Iterator[Row]:
    ratio = statistics.median(one.ratio for one in warm)
    yield Row(
        "a photo to its verdict, warm",
        f"{statistics.median(one.judge_ms for one in warm):.0f} ms = {ratio:.1f} x its decode",
        f"cv2.imdecode {statistics.median(one.decode_ms for one in warm):.0f} ms",
        "3 x",
        "2 x",
        ratio <= 3,
    )


def _cold_rows(picture: Path, folder: Path | None) -> Iterator[Row]:
    stages = ["--stages", str(folder)] if folder else []
    judging = [sys.executable, "-m", "referee", "judge", str(picture), "--json", *stages]
    cold_s, cold_mb = _child(judging, COLD_ROUNDS)
    decode_s, decode_mb = _child([sys.executable, "-c", ONLY_DECODE, str(picture)], COLD_ROUNDS)
    help_s, _ = _child([sys.executable, "-m", "referee", "--help"], 2 * COLD_ROUNDS)
    bare_s, _ = _child([sys.executable, "-c", "pass"], 2 * COLD_ROUNDS)
    peer = "cv2.imdecode alone"
    yield Row("its peak memory", f"{cold_mb:.0f} MB", f"{peer} {decode_mb:.0f} MB", "250 MB", "180 MB", cold_mb <= 250)
    yield Row("`referee judge`, cold", f"{cold_s:.2f} s", f"{peer} {decode_s:.2f} s", "2.5 s", "-", cold_s <= 2.5)
    yield Row("`referee --help`", f"{help_s:.2f} s", f"bare Python {bare_s:.2f} s", "0.4 s", "0.2 s", help_s <= 0.4)


def _child(command: Sequence[str], rounds: int) -> tuple[float, float]:
    """Median wall time in seconds and the largest peak memory in MB (not known on Windows) of a command."""
    if sys.platform == "win32":
        took_ms = [_timed(lambda: subprocess.run(command, check=False, capture_output=True))[0] for _ in range(rounds)]
        return statistics.median(took_ms) / 1000, float("nan")
    measured = []
    for _ in range(rounds):
        done = subprocess.run(
            [sys.executable, "-c", MEASURE_CHILD, *command], check=True, capture_output=True, text=True
        )
        measured.append([float(word) for word in done.stdout.split()])
    return statistics.median(row[0] for row in measured), max(row[1] for row in measured)


def _table(rows: Sequence[Row]) -> Iterator[str]:
    cells = [("what", "measured", "peer", "must", "aim", "")]
    cells += [(row.what, row.measured, row.peer, row.must, row.aim, "kept" if row.kept else "MISSED") for row in rows]
    widths = [max(len(row[column]) for row in cells) for column in range(len(cells[0]))]
    for row in cells:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def _steps(warm: Sequence[Round]) -> Iterator[str]:
    """Every step's milliseconds, its share of the judging, and how many decodings that is."""
    names = [name for name in warm[-1].steps_ms if name != "total"]
    yield f"  {'step':<12}{'ms':>8}{'share':>8}{'x decode':>10}"
    for name in names:  # the clean print is kept from picture to picture: nought once warm
        yield _step(name, [(one, one.steps_ms.get(name, 0.0)) for one in warm])
    yield _step("between", [(one, one.judge_ms - sum(one.steps_ms[name] for name in names)) for one in warm])
    yield _step("total", [(one, one.judge_ms) for one in warm])


def _step(name: str, spent: Sequence[tuple[Round, float]]) -> str:
    ms = statistics.median(ms for _, ms in spent)
    share = statistics.median(ms / one.judge_ms for one, ms in spent)
    ratio = statistics.median(ms / one.decode_ms for one, ms in spent)
    return f"  {name:<12}{ms:8.1f}{100 * share:7.0f}%{ratio:10.2f}"
