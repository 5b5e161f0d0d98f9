"""A picture from before the race: what it shows is no race ink, and what is wrong with it is said."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

import referee
from referee import Report, Rules
from referee.errors import WrongUsage
from referee.model import Stage
from referee.stage.load import load_stage
from referee.stage.render import artwork
from tests.simulation.compare import Leeway, differences
from tests.simulation.gadgets import Mine
from tests.simulation.hand import Race
from tests.simulation.paint import Marker, Rgb, drawn_on, texture
from tests.simulation.scenarios import drive
from tests.simulation.snapshot import Camera, snapshot
from tests.simulation.truth import truth_of

Picture = NDArray[np.uint8]

STAGES = Path(__file__).parents[1] / "stage_masks"
BEFORE = Camera(size_wh=(2000, 1500), tilt_deg=16, azimuth_deg=200, roll_deg=-8, noise=0.005, cast=(1.05, 1.0, 0.9))
AFTER = Camera(size_wh=(1900, 1400), tilt_deg=12, azimuth_deg=20, roll_deg=3, noise=0.005, cast=(0.9, 1.0, 1.05))
COMPETITIVE = Rules(mode="competitive")


@dataclass(frozen=True)
class Boards:
    """One stage with a rope, raced as it should be, and its pictures from before and after."""

    stage: Stage
    race: Race
    print_: Rgb
    before: Picture
    after: Picture


def taken(board: Rgb, stage: Stage, camera: Camera) -> Picture:
    return np.asarray(snapshot(board, stage.size_mm, camera, np.random.default_rng(2))[0])


def raced(print_: Rgb, race: Race, pen: str, gadgets: str, opacity: float = 0.95) -> Rgb:
    """The board after a race in one colour over gadgets in another."""
    rng, size_mm = np.random.default_rng(1), race.stage.size_mm
    board = drawn_on(print_, race.gadgets, gadgets, rng, size_mm, opacity=opacity)
    return texture(board, race.strokes, Marker(pen), [], rng, size_mm)


def drawn(print_: Rgb, race: Race, gadgets: str) -> Rgb:
    return drawn_on(print_, race.gadgets, gadgets, np.random.default_rng(3), race.stage.size_mm)


@pytest.fixture(scope="module")
def boards() -> Boards:
    stage = load_stage(STAGES / "stage-01.svg")
    race = drive(stage, "rope", seed=4, width_mm=2.4, how="jumped")
    print_ = artwork(stage, "A", 8.0)
    before = taken(drawn(print_, race, "red"), stage, BEFORE)
    return Boards(stage, race, print_, before, taken(raced(print_, race, "blue", "red"), stage, AFTER))


def code_of(report: Report) -> str:
    assert report.failure is not None
    assert report.failure.message
    assert report.failure.hint
    return report.failure.code


def test_a_rope_is_no_race_ink(boards: Boards) -> None:
    report = referee.judge(boards.after, rules=COMPETITIVE, baseline=boards.before)
    assert report.judgement is not None
    assert differences(truth_of(boards.race), report.judgement, Leeway(0.25)) == []
    assert [gadget.id for gadget in report.judgement.gadgets] == ["clothesline-1"]
    assert report.judgement.gadgets[0].at_mm == pytest.approx(boards.race.gadgets[0].at_mm, abs=0.3)
    assert "baseline" in report.timing_ms


@pytest.mark.parametrize("pen", ["red", "black"])
def test_a_rope_of_the_races_own_colour_and_width_is_no_race_ink(boards: Boards, pen: str) -> None:
    race = drive(boards.stage, "rope", seed=6, width_mm=2.4, how="jumped", pen=2.0, dotted=11.0)
    before = taken(drawn(boards.print_, race, pen), boards.stage, BEFORE)
    after = taken(raced(boards.print_, race, pen, pen), boards.stage, AFTER)
    report = referee.judge(after, rules=COMPETITIVE, baseline=before)
    assert report.judgement is not None
    assert report.judgement.verdict == "fair"
    assert [e.kind for e in report.judgement.events if e.rule == "R11"] == ["gadget"]


def test_without_its_baseline_a_rope_is_a_lift(boards: Boards) -> None:
    report = referee.judge(boards.after, rules=COMPETITIVE)
    assert report.judgement is not None
    assert report.judgement.verdict == "ignored-accident"
    assert report.judgement.gadgets == ()


@pytest.mark.parametrize("left", [0.0, 0.15, 0.95])
def test_a_mine_that_was_hit_may_be_wiped_off_or_still_be_there(boards: Boards, left: float) -> None:
    race = drive(boards.stage, "mine", seed=8, width_mm=2.4, hit=True)
    before = taken(drawn(boards.print_, race, "blue"), boards.stage, BEFORE)
    after = taken(raced(boards.print_, race, "black", "blue", left), boards.stage, AFTER)
    report = referee.judge(after, rules=COMPETITIVE, baseline=before)
    assert report.judgement is not None
    assert differences(truth_of(race), report.judgement, Leeway(0.25)) == []


def test_a_mine_off_the_way_changes_nothing_where_teams_race_together(boards: Boards) -> None:
    race = drive(boards.stage, "mine", seed=8, width_mm=2.4, hit=True)
    before = taken(drawn(boards.print_, race, "blue"), boards.stage, BEFORE)
    after = taken(raced(boards.print_, race, "black", "blue"), boards.stage, AFTER)
    judgement = referee.judge(after, baseline=before).judgement
    assert judgement is not None
    assert [g.fault.code if g.fault else None for g in judgement.gadgets] == ["competitive-only"]
    assert not [event for event in judgement.events if event.cause == "mine"]


ODD = {
    "bowed": replace(BEFORE, bow_mm=3.0, tilt_deg=30),
    "in flash": replace(BEFORE, flash=1.2),
    "steep": replace(BEFORE, tilt_deg=52, fill=0.95),
}


@pytest.mark.parametrize("how", ODD)
def test_a_baseline_bowed_in_flash_or_steep_accuses_nobody(boards: Boards, how: str) -> None:
    before = taken(drawn(boards.print_, boards.race, "red"), boards.stage, ODD[how])
    judgement = referee.judge(boards.after, rules=COMPETITIVE, baseline=before).judgement
    assert judgement is not None
    assert judgement.verdict in ("fair", "review")
    assert judgement.accidents == 0
    [rope] = [gadget for gadget in judgement.gadgets if gadget.kind == "clothesline"]
    near_mm = 6.0 if how == "in flash" else 0.5  # the flash has burnt one end of the rope out
    assert rope.at_mm == pytest.approx(boards.race.gadgets[0].at_mm, abs=near_mm)
    assert rope.fault is None


def test_what_the_baseline_does_not_show_is_said(boards: Boards) -> None:
    covered = boards.before.copy()
    height, width = covered.shape[:2]
    cv2.ellipse(covered, (width // 2, height // 2), (260, 160), 20, 0, 360, (90, 130, 200), -1)
    report = referee.judge(boards.after, rules=COMPETITIVE, baseline=covered)
    assert report.judgement is not None
    assert report.judgement.unseen_before


def test_a_board_without_gadgets_has_none(boards: Boards) -> None:
    clean = taken(boards.print_, boards.stage, BEFORE)
    report = referee.judge(boards.after, rules=COMPETITIVE, baseline=clean)
    assert report.judgement is not None
    assert report.judgement.gadgets == ()
    assert report.baseline == "baseline"


def test_a_baseline_that_shows_no_such_board_is_bad(boards: Boards) -> None:
    other = artwork(boards.stage, "B", 6.0)
    wall = np.full((900, 1200, 3), 128, np.uint8)
    small = cv2.resize(boards.before, (300, 225), interpolation=cv2.INTER_AREA)
    for baseline in (b"no picture", wall, taken(other, boards.stage, BEFORE), small):
        assert code_of(referee.judge(boards.after, rules=COMPETITIVE, baseline=baseline)) == "bad-baseline"


def test_a_baseline_that_was_raced_already_is_bad(boards: Boards) -> None:
    for baseline in (boards.after, boards.after.copy()):
        report = referee.judge(boards.after, rules=COMPETITIVE, baseline=baseline)
        assert code_of(report) == "bad-baseline"
        assert report.stage is not None


def test_a_baseline_full_of_marks_is_bad(boards: Boards) -> None:
    rng, full = np.random.default_rng(5), boards.print_.copy()
    for x, y in rng.uniform([20, 20], [2350, 1650], (6000, 2)):
        cv2.circle(full, (int(x), int(y)), 5, (20, 20, 30), -1)
    report = referee.judge(boards.after, rules=COMPETITIVE, baseline=taken(full, boards.stage, BEFORE))
    assert code_of(report) == "bad-baseline"


def test_what_is_wrong_with_the_race_goes_before_what_is_wrong_with_the_baseline(boards: Boards) -> None:
    assert code_of(referee.judge(b"no picture", baseline=b"none either")) == "not-a-picture"
    clean = taken(drawn(boards.print_, boards.race, "red"), boards.stage, AFTER)
    assert code_of(referee.judge(clean, rules=COMPETITIVE, baseline=boards.before)) == "no-ink"


def test_a_baseline_of_a_wrong_type_is_wrong_usage(boards: Boards) -> None:
    with pytest.raises(WrongUsage):
        referee.judge(boards.after, baseline=42)  # type: ignore[arg-type]


def test_a_baseline_file_has_its_name_in_the_report(boards: Boards, tmp_path: Path) -> None:
    path = tmp_path / "before.png"
    cv2.imwrite(str(path), boards.before)
    assert referee.judge(boards.after, rules=COMPETITIVE, baseline=path).baseline == "before.png"


def test_a_mine_by_hand_is_measured_to_a_part_of_a_millimetre(boards: Boards) -> None:
    race = replace(boards.race, gadgets=(Mine(0.0, np.array([120.0, 36.0]), 3.6),))
    report = referee.judge(
        boards.after, rules=COMPETITIVE, baseline=taken(drawn(boards.print_, race, "green"), boards.stage, BEFORE)
    )
    assert report.judgement is not None
    found = [gadget for gadget in report.judgement.gadgets if gadget.kind == "mine"]
    assert len(found) == 1
    assert found[0].ink.area == pytest.approx(np.pi * 4.1**2, rel=0.06)
    assert found[0].at_mm == pytest.approx((120.0, 36.0), abs=0.15)
