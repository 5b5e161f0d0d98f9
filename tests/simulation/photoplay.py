"""Photographs races on every built-in stage, judges the photos and holds them against the truth.

    python -m tests.simulation.photoplay                     six photos of each stage, by the quick camera
    python -m tests.simulation.photoplay 3 5 --count 10      some stages, more photos
    python -m tests.simulation.photoplay --plates DIR        by a path tracer (see ``photograph``)

Every other race is a blindfolded hand's own, the others are led through what the stage has.  The photos go to ``--out``
(out/photos) with their truth, the reports to a file beside them: the command can be stopped and started again.  A photo
is taken anew when its stage's file has changed, and judged anew when the referee has.
"""

from __future__ import annotations

import argparse
import hashlib
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

import numpy as np

from referee.reliability.cases import Judged, cases_in, judge_cases
from referee.reliability.matching import Outcome, outcome
from referee.stage.load import load_stage
from stage_masks.drawing.__main__ import FOLDER, file_name
from stage_masks.drawing.stages import PLANS
from tests.simulation.blindfold import blind_drive, lies_open
from tests.simulation.hand import CannotDriveError
from tests.simulation.paint import INKS
from tests.simulation.photograph import (
    BLINDFOLD,
    PX_PER_MM,
    QUICK,
    SCENARIO_CHANCES,
    WEBCAM,
    Json,
    Shot,
    Studio,
    photograph,
)
from tests.simulation.scenarios import drive

COUNT = 6
WIDTH_MM = 2.4
NEEDY = ("jump", "boost", "oil", "pipe", "bridge", "wrong_turn")
"""Scenarios for which a stage must have something; the others can be driven on any."""
QUICK_PX_PER_MM = 10.0
"""Of the board before the quick camera, which itself shows 7 to 9 pixels a millimetre."""
ROOMY = ("overhead_daylight", "oblique_evening", "phone_flash", "cluttered_table", "curled_board", "glare_window")
"""Kinds of light of the path tracer that show a whole race, or nearly."""


def shots_of(number: int, count: int = COUNT, traced: bool = False) -> Iterator[Shot]:
    """Photos to be taken of one stage, always the same ones; their names tell the stage file's version."""
    file = FOLDER / file_name(number)
    version = hashlib.sha256(file.read_bytes()).hexdigest()[:6]
    for nth in range(count):
        scenario, asked, seed, width_mm = _race(file, number, nth)
        rng = np.random.default_rng([number, nth])
        preset = ROOMY[(number + nth) % len(ROOMY)] if traced else WEBCAM if nth % COUNT == COUNT - 1 else QUICK
        yield Shot(
            name=f"{number:02d}-{nth:02d}-{scenario}-{preset}-{version}",
            stage=str(file),
            scenario=scenario,
            asked=asked,
            seed=seed,
            preset=preset,
            copy="B" if nth % 2 else "A",
            width_mm=width_mm,
            colour=sorted(INKS)[(number + nth) % len(INKS)],
            opacity=round(float(rng.uniform(0.88, 0.97)), 3),
            streak=round(float(rng.uniform(0.1, 0.4)), 3),
            dryness=round(float(rng.uniform(0.0, 0.25)), 3),
        )


def _race(file: Path, number: int, nth: int) -> tuple[str, Json, int, float]:
    """The scenario, what is asked of it, its seed and the pen's width: every other race a blindfolded one."""
    stage = load_stage(file)
    if nth % 2 == 0:
        for seed in range(1000 * number + 10 * nth, 1000 * number + 10 * nth + 1000):
            race = blind_drive(stage, seed)
            if lies_open(race):
                return BLINDFOLD, {}, seed, race.strokes[0].width_mm
    led = _led_on(number)
    scenario, asked, seed = led[nth // 2 % len(led)]
    return scenario, asked, seed, WIDTH_MM


@cache
def _led_on(number: int) -> list[tuple[str, Json, int]]:
    """Scenarios that can be driven on a stage, each once, those first that need something of it, with their seeds."""
    stage, rng = load_stage(FOLDER / file_name(number)), np.random.default_rng([716, number])
    order = sorted(rng.permutation(len(SCENARIO_CHANCES)).tolist(), key=lambda i: SCENARIO_CHANCES[i][0] not in NEEDY)
    found: dict[str, tuple[str, Json, int]] = {}
    for i in order:
        scenario, asked = SCENARIO_CHANCES[i]
        with suppress(CannotDriveError):
            if scenario not in found:
                drive(stage, scenario, 100 * number + i, WIDTH_MM, **asked)
                found[scenario] = scenario, asked, 100 * number + i
    return list(found.values())


def taken(shots: Iterable[Shot], out: Path, studio: Studio) -> list[Path]:
    """The photos' folders; those that are there are left alone."""
    folders = []
    for shot in shots:
        folder = out / shot.name
        if not (folder / "truth.json").exists():
            photograph(shot, folder, studio)
            print(f"took {shot.name}", flush=True)
        folders.append(folder)
    return folders


def judged(folders: Sequence[Path], cache: Path | None = None) -> list[Judged]:
    """The photos with the referee's reports."""
    return list(judge_cases(cases_in(folders, _quiet), None, cache, _quiet))


def _quiet(_: str) -> None:
    pass


def is_right(one: Outcome) -> bool:
    """Whether a photo's verdict is one that its truth accepts, with no accident made up and none missed."""
    return one.rightly and not one.false and not one.missed


# ------------------------------------------------------------------------------------ the command

HEAD = "| stage | photos | right | review | wrong | accidents | missed | false |"


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; 1 if a verdict was wrong or an accident made up."""
    options = _parser().parse_args(arguments)
    said: list[str] = []
    bad = 0
    studio = Studio(options.plates, options.python, PX_PER_MM if options.plates else QUICK_PX_PER_MM)
    print(f"{HEAD}\n|{'---|' * (HEAD.count('|') - 1)}")
    for number in options.stage or sorted(plan.number for plan in PLANS):
        try:
            folders = taken(shots_of(number, options.count, options.plates is not None), options.out, studio)
        except subprocess.CalledProcessError as trouble:
            print(f"stage {number}: the path tracer failed: {trouble.stderr.decode()[-300:]}", flush=True)
            return 2
        outcomes = [outcome(one) for one in judged(folders, options.out / "reports.jsonl")]
        print(_row(number, outcomes), flush=True)
        said += [f"{one.case}: {'; '.join(one.faults)}" for one in outcomes if one.faults]
        bad += sum(one.verdict == "wrong" or bool(one.false) for one in outcomes)
    print("\n".join(said))
    return 1 if bad else 0


def _row(number: int, outcomes: Sequence[Outcome]) -> str:
    verdicts = [sum(one.verdict == verdict for one in outcomes) for verdict in ("right", "abstained", "wrong")]
    counts = [sum(one.accidents for one in outcomes), *(sum(map(len, some)) for some in _lists(outcomes))]
    return f"| {' | '.join(map(str, (number, len(outcomes), *verdicts, *counts)))} |"


def _lists(outcomes: Sequence[Outcome]) -> Iterator[list[tuple[str, ...]]]:
    yield [one.missed for one in outcomes]
    yield [one.false for one in outcomes]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="photoplay", description="Photograph races on the built-in stages, and judge."
    )
    parser.add_argument("--out", type=Path, default=Path("out/photos"), help="where photos and reports are kept")
    parser.add_argument("--count", type=int, default=COUNT, help=f"photos of each stage ({COUNT})")
    parser.add_argument("--plates", type=Path, help="folder of the path tracer; without it a quick camera is used")
    parser.add_argument("--python", default=sys.executable, help="the path tracer's Python")
    parser.add_argument("stage", type=int, nargs="*", help="stage numbers; default: all")
    return parser


if __name__ == "__main__":
    sys.exit(main())
