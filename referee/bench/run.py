"""How fast and how small: the referee beside the libraries it stands on, in one run on one machine.

Milliseconds differ from machine to machine; the ratios to a peer that does the least possible do not, much.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.bench.clock import busy, timed, unsteady
from referee.bench.floors import Floor, floors
from referee.bench.pictures import driven, raced, resized
from referee.errors import WrongUsage
from referee.model import Report
from referee.pipeline import judge_boards
from referee.stage.catalogue import Catalogue

Tell = Callable[[str], None]
"""Says how far the work has come."""

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
COLD_ROUNDS = 3
GROWTH_ROUNDS = 3
PATHS = ((1, 1 / 16), (4, 1 / 4), (16, 1.0))
"""How many times as long each path is as the first, and how much of the course it drives."""
PATH_STAGE = 1
"""The stage they are driven on: its course is one piece."""
MEGAPIXELS = (3, 6, 12, 24)

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


def bench(picture: Path | None, folder: Path | None, rounds: int, tell: Tell = lambda _: None) -> Iterator[str]:
    """Measure one photo and yield the lines of the tables; without a photo the largest sample is taken.

    ``folder`` adds stage files; ``tell`` hears how far it has come.
    Raises `WrongUsage` for a picture that cannot be judged: that is soon done.
    """
    picture = picture or largest_sample()
    catalogue = Catalogue([folder] if folder else [])
    warning = busy()
    report = judge_boards(picture, catalogue=catalogue)[0]
    yield _about(picture, report, rounds)
    if warning:
        yield warning
    yield ""
    warm = _warm(picture, catalogue, rounds, tell)
    yield from _table([*_warm_rows(warm), *_cold_rows(picture, folder, tell)])
    if unsteadiness := unsteady([one.decode_ms for one in warm]):
        yield unsteadiness
    yield ""
    yield "Where a warm judging spends its time (medians), and what the least of each step costs a library:"
    tell("what the least of each step costs")
    yield from _steps(warm, _floors(picture, report, rounds))
    yield ""
    yield f"How time grows with the path, on stage {PATH_STAGE}:"
    yield from _growth("path", _paths(catalogue), catalogue, tell)
    yield ""
    yield f"How time grows with the picture, {picture.name} made smaller and larger:"
    yield from _growth("megapixels", _sizes(report), catalogue, tell)


def _floors(picture: Path, report: Report, rounds: int) -> dict[str, Floor]:
    """What the least of each step costs on this photo; nothing where it shows too little."""
    if report.photo is None or report.view is None or report.stage is None or report.judgement is None:
        return {}
    stored = np.fromfile(picture, np.uint8)
    return floors(report.photo, stored, report.view, report.stage, report.judgement, min(rounds, GROWTH_ROUNDS))


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
    failure: str = ""
    """Why the photo was not judged, if it was not."""

    @property
    def ratio(self) -> float:
        """The judging in decodings: measured side by side, so that what slows the machine down slows both."""
        return self.judge_ms / self.decode_ms


def _warm(picture: Path, catalogue: Catalogue, rounds: int, tell: Tell) -> list[Round]:
    """Decoding alone and the whole judging in one warm process, in turn.

    Of two decodings the faster counts: after a judging the first has its memory fresh from the system, which may take
    as long as the decoding.
    """
    encoded = np.frombuffer(picture.read_bytes(), np.uint8)
    found = []
    for number in range(1, max(1, rounds) + 1):
        tell(f"judging, round {number} of {rounds}")
        found.append(_round(encoded, picture, catalogue))
    return found


def _round(encoded: NDArray[np.uint8], picture: Path | bytes, catalogue: Catalogue) -> Round:
    decode_ms = min(timed(lambda: cv2.imdecode(encoded, cv2.IMREAD_COLOR))[0] for _ in range(2))
    judge_ms, boards = timed(lambda: judge_boards(picture, catalogue=catalogue))
    failure = boards[0].failure
    # not the report itself: it holds the photo
    return Round(decode_ms, judge_ms, boards[0].timing_ms, failure.code if failure else "")


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


def _cold_rows(picture: Path, folder: Path | None, tell: Tell) -> Iterator[Row]:
    stages = ["--stages", str(folder)] if folder else []
    judging = [sys.executable, "-m", "referee", "judge", str(picture), "--json", *stages]
    tell("the same from a cold start")
    cold_s, cold_mb = _child(judging, COLD_ROUNDS)
    decode_s, decode_mb = _child([sys.executable, "-c", ONLY_DECODE, str(picture)], COLD_ROUNDS)
    tell("`referee --help`")
    help_s, _ = _child([sys.executable, "-m", "referee", "--help"], 2 * COLD_ROUNDS)
    bare_s, _ = _child([sys.executable, "-c", "pass"], 2 * COLD_ROUNDS)
    peer = "cv2.imdecode alone"
    yield Row("its peak memory", f"{cold_mb:.0f} MB", f"{peer} {decode_mb:.0f} MB", "250 MB", "180 MB", cold_mb <= 250)
    yield Row("`referee judge`, cold", f"{cold_s:.2f} s", f"{peer} {decode_s:.2f} s", "2.5 s", "-", cold_s <= 2.5)
    yield Row("`referee --help`", f"{help_s:.2f} s", f"bare Python {bare_s:.2f} s", "0.4 s", "0.2 s", help_s <= 0.4)


def _child(command: Sequence[str], rounds: int) -> tuple[float, float]:
    """Median wall time in seconds and the largest peak memory in MB (not known on Windows) of a command."""
    if sys.platform == "win32":
        took_ms = [timed(lambda: subprocess.run(command, check=False, capture_output=True))[0] for _ in range(rounds)]
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


def _steps(warm: Sequence[Round], least: Mapping[str, Floor]) -> Iterator[str]:
    """Every step's milliseconds, its share of the judging, how many decodings that is, and what lies under it."""
    names = [name for name in warm[-1].steps_ms if name != "total"]
    yield f"  {'step':<12}{'ms':>8}{'share':>8}{'x decode':>10}{'least ms':>11}  {'which is'}"
    for name in names:  # the clean print is kept from picture to picture: nought once warm
        line = _step(name, [(one, one.steps_ms.get(name, 0.0)) for one in warm])
        yield f"{line}{least[name].ms:11.1f}  {least[name].call}" if name in least else line
    yield _step("between", [(one, one.judge_ms - sum(one.steps_ms[name] for name in names)) for one in warm])
    yield _step("total", [(one, one.judge_ms) for one in warm])


def _step(name: str, spent: Sequence[tuple[Round, float]]) -> str:
    ms = statistics.median(ms for _, ms in spent)
    share = statistics.median(ms / one.judge_ms for one, ms in spent)
    ratio = statistics.median(ms / one.decode_ms for one, ms in spent)
    return f"  {name:<12}{ms:8.1f}{100 * share:7.0f}%{ratio:10.2f}"


# ------------------------------------------------------------------------------------------------ growth


def _paths(catalogue: Catalogue) -> Iterator[tuple[str, bytes]]:
    stage = catalogue.find(PATH_STAGE)
    for times, share in PATHS:
        line = driven(stage, share)
        length_mm = float(np.hypot(*np.diff(line, axis=0).T).sum())
        yield f"x {times}: {length_mm:.0f} mm", raced(stage, line)


def _sizes(report: Report) -> Iterator[tuple[str, bytes]]:
    for megapixels in MEGAPIXELS if report.photo else ():
        assert report.photo is not None
        yield f"{megapixels}", resized(report.photo, megapixels)


def _growth(what: str, pictures: Iterator[tuple[str, bytes]], catalogue: Catalogue, tell: Tell) -> Iterator[str]:
    """For each picture how long it and its slowest steps take, in milliseconds and in its own decodings."""
    shown = ("segment", "stroke", "judge")
    yield f"  {what:<16}{'ms':>8}{'x decode':>10}" + "".join(f"{name:>10}" for name in shown)
    for name, content in pictures:
        tell(f"{what} {name}")
        stored = np.frombuffer(content, np.uint8)
        rounds = [_round(stored, content, catalogue) for _ in range(GROWTH_ROUNDS + 1)][1:]
        if failure := rounds[0].failure:
            yield f"  {name:<16}not judged: {failure}"
            continue
        ms, ratio = (statistics.median(v) for v in zip(*((one.judge_ms, one.ratio) for one in rounds), strict=True))
        steps = (statistics.median(one.steps_ms.get(step, 0.0) for one in rounds) for step in shown)
        yield f"  {name:<16}{ms:8.0f}{ratio:10.2f}" + "".join(f"{step:10.1f}" for step in steps)
