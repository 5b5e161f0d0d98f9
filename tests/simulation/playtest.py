"""Plays the built-in stages many times over: how often a blindfolded hand gets through, and is it judged rightly?

    python -m tests.simulation.playtest                    every stage: 200 blindfolded races, 100 of them judged,
                                                           and one race of every scenario that the stage allows
    python -m tests.simulation.playtest 3 5 --count 20     some stages, fewer races judged

Judged is what was drawn: the strokes themselves, by geometry and rules alone, without a picture, and without leeway
(``compare.STROKES``); no race is left out.  How often the hand comes through is what a plan's ``clean`` says, and with
it the stage's difficulty: after a change to a road, play again and write down what this prints.

What was played is kept in ``--kept`` (out/play.jsonl), so the command can be stopped and started again; races are
played anew where a stage's file, the referee's geometry and rules, or the simulated hand have changed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from referee.geometry.measure import measure
from referee.model import Stage
from referee.rules.judge import judge
from referee.stage.load import load_stage
from stage_masks.drawing.__main__ import FOLDER, file_name
from stage_masks.drawing.plan import difficulty_of
from stage_masks.drawing.stages import PLANS
from tests.simulation.blindfold import blind_drive
from tests.simulation.compare import STROKES, differences
from tests.simulation.hand import CannotDriveError, Race
from tests.simulation.photograph import SCENARIO_CHANCES
from tests.simulation.scenarios import drive
from tests.simulation.truth import Truth, truth_of

PLAYED, JUDGED = 200, 100
"""So many races on each stage say how often the hand comes through; so many of them are judged."""
CLOSE_MM = 0.07
"""Where the strokes are known the referee takes them to be right within 0.02 mm: nearer than two such and the sampling
to a boundary it may say that it is too close to call."""

ROOT = Path(__file__).resolve().parents[2]
SOURCES = (
    *("referee/geometry/*.py", "referee/rules/*.py", "referee/stage/*.py", "referee/model.py", "referee/facts.py"),
    *(f"tests/simulation/{name}.py" for name in ("blindfold", "compare", "hand", "playtest", "scenarios", "track")),
    "tests/simulation/truth.py",
)
"""What a judged race hangs on, besides its stage."""


@dataclass(frozen=True)
class Played:
    """One race: the hand ``blind`` or led by a ``scenario``, what came of it, and what was judged otherwise."""

    stage: int
    hand: str
    seed: int
    verdict: str
    accidents: int
    wipeouts: int
    wrong: tuple[str, ...] | None = None
    """None: not judged."""

    @property
    def clean(self) -> bool:
        """Finished without an accident or a wipeout."""
        return self.verdict == "fair" and self.accidents == self.wipeouts == 0


def misjudged(race: Race) -> list[str]:
    """In words, where the referee's reading of the strokes differs from what was driven."""
    return _differences(race, truth_of(race, CLOSE_MM, covers=False))


def _differences(race: Race, truth: Truth) -> list[str]:
    return differences(truth, judge(measure(race.path(), race.stage)), STROKES)


def blind(stage: Stage, seeds: Iterable[int], judged: int = JUDGED) -> Iterator[Played]:
    """The blindfolded hand's races from some seeds; those below ``judged`` are judged too."""
    for seed in seeds:
        yield _played(blind_drive(stage, seed), seed, judge_it=seed < judged)


def led(stage: Stage, seeds: Iterable[int]) -> Iterator[Played]:
    """A judged race from each seed in which the hand is led where a scenario wants it, as far as the stage has it."""
    return (_played(race, seed, judge_it=True) for seed, race in led_races(stage, seeds))


def led_races(stage: Stage, seeds: Iterable[int]) -> Iterator[tuple[int, Race]]:
    """The races themselves, each with its seed."""
    for seed in seeds:
        scenario, asked = SCENARIO_CHANCES[seed % len(SCENARIO_CHANCES)]
        with suppress(CannotDriveError):
            yield seed, drive(stage, scenario, seed, **asked)


def _played(race: Race, seed: int, judge_it: bool) -> Played:
    truth = truth_of(race, CLOSE_MM, covers=False)
    slipped = sum(event.kind == "wipeout" for event in truth.events)
    wrong = tuple(_differences(race, truth)) if judge_it else None
    hand = "blind" if race.scenario == "blindfold" else race.scenario
    return Played(race.stage.number, hand, seed, str(truth.verdict), truth.accidents, slipped, wrong)


# ------------------------------------------------------------------------------------ kept


class Diary:
    """Races that were played, a line of JSON each; a line holds for one ground: stage, referee and hand."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        self.known: dict[str, list[Played]] = {}
        for line in lines:
            with suppress(ValueError):  # a line that was cut off
                entry = json.loads(line)
                self.known[entry["key"]] = [_race(**race) for race in entry["races"]]

    def part(self, key: str, races: Iterable[Played]) -> list[Played]:
        """The races of one part, as they were kept, else played now and kept."""
        if key not in self.known:
            self.known[key] = list(races)
            entry = {"key": key, "races": [asdict(race) for race in self.known[key]]}
            with self.path.open("a", encoding="utf-8") as file:
                file.write("\n" if file.tell() else "")  # the last line may have been cut off
                file.write(json.dumps(entry) + "\n")
        return self.known[key]


def _race(wrong: list[str] | None, **race: Any) -> Played:
    return Played(wrong=None if wrong is None else tuple(wrong), **race)


@cache
def _code() -> bytes:
    files = sorted(path for pattern in SOURCES for path in ROOT.glob(pattern))
    return b"".join(hashlib.sha256(path.read_bytes()).digest() for path in files)


def ground_of(number: int) -> str:
    """A fingerprint of a stage's file and of all that judges and drives."""
    return hashlib.sha256((FOLDER / file_name(number)).read_bytes() + _code()).hexdigest()[:16]


# ------------------------------------------------------------------------------------ the command

PART = 20
"""So many races are played between two entries in the diary."""


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; 1 if any race was misjudged or a plan says otherwise than was played."""
    parser = argparse.ArgumentParser(prog="playtest", description="Play the built-in stages blindfolded.")
    parser.add_argument("--count", type=int, default=JUDGED, help=f"races judged on each stage ({JUDGED})")
    parser.add_argument("--kept", type=Path, default=Path("out/play.jsonl"), help="where races are kept")
    parser.add_argument("stage", type=int, nargs="*", help="stage numbers; default: all")
    options = parser.parse_args(arguments)
    diary, wrong = Diary(options.kept), 0
    print(f"{HEAD}\n{'|'.join(['', *('---' for _ in range(HEAD.count('|') - 1)), ''])}")
    for number in options.stage or sorted(plan.number for plan in PLANS):
        stage = load_stage(FOLDER / file_name(number))
        races = list(_all_races(diary, stage, options.count))
        said = [*_misjudged_in(races), *_not_as_written(stage, races)]
        wrong += len(said)
        print("\n".join([_row(stage, races), *said]), flush=True)
    print(f"{wrong or 'nothing'} wrong")
    return 1 if wrong else 0


def _all_races(diary: Diary, stage: Stage, judged: int) -> Iterator[Played]:
    ground = ground_of(stage.number)
    for first in range(0, max(PLAYED, judged), PART):
        seeds, some = range(first, first + PART), min(max(judged - first, 0), PART)
        key = f"{ground} {stage.number} blind {first}+{PART} judged {some}"
        yield from diary.part(key, blind(stage, seeds, judged))
    yield from diary.part(f"{ground} {stage.number} led", led(stage, range(len(SCENARIO_CHANCES))))


HEAD = "| stage | blindfolded, judged right | led, judged right | clean | fair | accidents | wipeouts | difficulty |"


def _row(stage: Stage, races: Sequence[Played]) -> str:
    alone = [race for race in races if race.hand == "blind"]
    clean, fair = (
        sum(test) / len(alone) for test in zip(*((r.clean, r.verdict == "fair") for r in alone), strict=True)
    )
    accidents, wipeouts = (
        sum(kind) / len(alone) for kind in zip(*((r.accidents, r.wipeouts) for r in alone), strict=True)
    )
    right = [_right(some) for some in (alone, [race for race in races if race.hand != "blind"])]
    told = [
        f"{stage.number} {stage.name}",
        *right,
        f"{clean:.1%}",
        f"{fair:.1%}",
        f"{accidents:.2f}",
        f"{wipeouts:.2f}",
    ]
    return f"| {' | '.join(told)} | {difficulty_of(clean)} |"


def _right(races: Sequence[Played]) -> str:
    judged = [race.wrong for race in races if race.wrong is not None]
    return f"{sum(not wrong for wrong in judged)} of {len(judged)}"


def _misjudged_in(races: Iterable[Played]) -> Iterator[str]:
    return (f"stage {r.stage}, {r.hand} {r.seed}: {'; '.join(r.wrong)}" for r in races if r.wrong)


def _not_as_written(stage: Stage, races: Iterable[Played]) -> Iterator[str]:
    """What a plan says wrongly of how often the hand comes through."""
    (plan,) = (plan for plan in PLANS if plan.number == stage.number)
    alone = [race.clean for race in races if race.hand == "blind"]
    clean = sum(alone) / len(alone)
    if abs(plan.clean - clean) >= 0.5 / len(alone):
        difficulty = difficulty_of(clean)
        yield f"stage {stage.number}: its plan has clean={plan.clean}, it is {clean} (difficulty {difficulty})"


if __name__ == "__main__":
    sys.exit(main())
