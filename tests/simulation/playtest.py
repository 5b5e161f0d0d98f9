"""Plays the built-in stages many times over: how often a blindfolded hand gets through, and is it judged rightly?

    python -m tests.simulation.playtest --count 100            every stage; fails if a judgement differs from the truth
    python -m tests.simulation.playtest --only-play            200 times, only how often the hand comes through

Judged is what was drawn (geometry and rules alone, no picture), of races that lie open in their ink.  How often the
hand comes through in all races is what a plan's ``clean`` says, and with it the stage's difficulty: after a change to
a road, play again and write down what it prints.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count, islice
from pathlib import Path

from referee.geometry.measure import measure
from referee.model import Stage
from referee.rules.judge import judge
from referee.stage.load import load_stage
from stage_masks.drawing.__main__ import FOLDER, file_name
from stage_masks.drawing.plan import difficulty_of
from stage_masks.drawing.stages import PLANS
from tests.simulation.blindfold import blind_drive, can_be_told
from tests.simulation.compare import differences
from tests.simulation.hand import CannotDriveError, Race
from tests.simulation.photograph import SCENARIO_CHANCES
from tests.simulation.scenarios import drive
from tests.simulation.truth import Truth, truth_of

PLAYED = 200
"""So many races on each stage say how often the hand comes through."""
EXACT_MM = 0.03
"""How well a margin is measured where the strokes are known exactly."""


@dataclass
class Tally:
    """What came of some races on one stage."""

    races: int = 0
    clean: int = 0
    fair: int = 0
    accidents: int = 0
    wipeouts: int = 0
    wrong: list[str] = field(default_factory=list)

    def add(self, truth: Truth) -> None:
        slipped = sum(event.kind == "wipeout" for event in truth.events)
        self.races += 1
        self.accidents += truth.accidents
        self.wipeouts += slipped
        self.fair += truth.verdict == "fair"
        self.clean += truth.verdict == "fair" and truth.accidents == slipped == 0


def play(stage: Stage, seeds: Iterable[int]) -> Tally:
    """The blindfolded hand's races from these seeds, unjudged."""
    tally = Tally()
    for seed in seeds:
        tally.add(truth_of(blind_drive(stage, seed)))
    return tally


def misjudged(race: Race, truth: Truth) -> list[str]:
    """In words, where the referee's reading of the strokes differs from what was driven."""
    return differences(truth, judge(measure(race.path(), race.stage)), margin_mm=EXACT_MM)


def blind_races(stage: Stage) -> Iterator[Race]:
    """Blindfolded races that lie open in their ink, without end."""
    return (race for race in (blind_drive(stage, seed) for seed in count()) if can_be_told(race))


def led_races(stage: Stage, seeds: Iterable[int]) -> Iterator[Race]:
    """One race from each seed in which the hand is led where the scenarios want it, as far as the stage has it."""
    for seed in seeds:
        scenario, asked = SCENARIO_CHANCES[seed % len(SCENARIO_CHANCES)]
        try:
            race = drive(stage, scenario, seed, **asked)
        except CannotDriveError:
            continue
        if can_be_told(race):
            yield race


def judged(stage: Stage, races: Iterable[Race]) -> Tally:
    """Races with whatever the referee says differently."""
    tally = Tally()
    for race in races:
        truth = truth_of(race)
        tally.add(truth)
        tally.wrong += [f"stage {stage.number}, {race.scenario} {race.asked}: {d}" for d in misjudged(race, truth)]
    return tally


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; 1 if any race was misjudged or a plan says otherwise."""
    parser = argparse.ArgumentParser(prog="playtest", description="Play the built-in stages blindfolded.")
    parser.add_argument("--count", type=int, default=100, help="races on each stage")
    parser.add_argument(
        "--only-play", action="store_true", help="count how often the hand comes through; judge nothing"
    )
    parser.add_argument("stage", type=int, nargs="*", help="stage numbers; default: all")
    options = parser.parse_args(arguments)
    wrong = 0
    for number in options.stage or range(1, 17):
        stage = load_stage(Path(FOLDER) / file_name(number))
        if options.only_play:
            tally = play(stage, range(PLAYED))
            said = _not_as_written(stage, tally)
        else:
            tally = judged(stage, islice(blind_races(stage), options.count))
            said = [*tally.wrong, *judged(stage, led_races(stage, range(len(SCENARIO_CHANCES)))).wrong]
        wrong += len(said)
        print("\n".join([_line(stage, tally), *said]), flush=True)
    print(f"{wrong or 'nothing'} wrong")
    return 1 if wrong else 0


def _line(stage: Stage, tally: Tally) -> str:
    clean, fair = tally.clean / tally.races, tally.fair / tally.races
    return (
        f"{stage.number:3}  {stage.name:16} clean {clean:6.1%}  fair {fair:6.1%}"
        f"  accidents a race {tally.accidents / tally.races:.2f}  wipeouts {tally.wipeouts / tally.races:.2f}"
    )


def _not_as_written(stage: Stage, tally: Tally) -> list[str]:
    """What a plan says wrongly of how often the hand comes through."""
    (plan,) = (plan for plan in PLANS if plan.number == stage.number)
    clean = tally.clean / tally.races
    if abs(plan.clean - clean) < 0.5 / tally.races:
        return []
    return [f"stage {stage.number}: its plan has clean={plan.clean}, it is {clean} (difficulty {difficulty_of(clean)})"]


if __name__ == "__main__":
    sys.exit(main())
