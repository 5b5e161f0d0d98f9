"""The yardstick itself: what was asked of the hand is what it drew, measured with plain shapely."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import shapely
from shapely.geometry import LineString, Point, Polygon

from referee.model import Event, Judgement, Stage
from tests.simulation.compare import differences
from tests.simulation.hand import CannotDriveError, Drawn, Race
from tests.simulation.paint import coverage
from tests.simulation.scenarios import SCENARIOS, drive
from tests.simulation.snapshot import Camera, projected, snapshot
from tests.simulation.stages import Wish, random_stage
from tests.simulation.truth import TrueEvent, truth_of

PLAIN = random_stage(1)
OILY = random_stage(4, Wish(checkpoints=1, oil=True))
LEAPING = random_stage(2, Wish(jump=True))
BRIDGED = random_stage(3, Wish(checkpoints=3, bridge=True), (260, 180))


def ink_of(stroke: Drawn) -> Polygon:
    return LineString(stroke.points_mm).buffer(stroke.width_mm / 2, quad_segs=64)


def road_and_lines(stage: Stage) -> shapely.Geometry:
    return shapely.union_all([s.road for s in stage.sections] + [w.band for w in stage.white_lines]).buffer(0.001)


def only(race: Race, kind: str) -> TrueEvent:
    (event,) = (e for e in truth_of(race).events if e.kind == kind)
    return event


def line_of(stage: Stage, name: str | None) -> shapely.Geometry:
    return next(w.band for w in stage.white_lines if w.id == name)


@pytest.mark.parametrize("margin", [0.3, 0.9, 1.6])
def test_a_brush_leaves_just_the_margin_asked(margin: float) -> None:
    race = drive(PLAIN, "brushes", seed=3, margins=[margin])
    event = only(race, "brush")
    band = line_of(PLAIN, event.element)
    outside = Polygon([(-50, -50), (300, -50), (300, 300), (-50, 300)]).difference(road_and_lines(PLAIN))
    near = Point(event.at_mm).buffer(15)
    assert ink_of(race.strokes[0]).intersects(band)
    assert ink_of(race.strokes[0]).distance(outside.intersection(near)) == pytest.approx(margin, abs=0.02)
    assert event.margin_mm == pytest.approx(margin, abs=0.01)


@pytest.mark.parametrize("depth", [0.2, 1.0, 3.5])
def test_a_break_shows_just_as_far_as_asked(depth: float) -> None:
    race = drive(PLAIN, "break_ignored", seed=5, depth=depth)
    event = only(race, "accident")
    beyond = ink_of(race.strokes[0]).difference(road_and_lines(PLAIN)).intersection(Point(event.at_mm).buffer(25))
    reach = shapely.distance(shapely.points(shapely.get_coordinates(beyond)), road_and_lines(PLAIN)).max()
    assert reach == pytest.approx(depth, abs=0.03)
    assert event.margin_mm == pytest.approx(-depth, abs=0.01)


def test_a_near_miss_touches_no_line() -> None:
    race = drive(PLAIN, "near_misses", seed=4, gaps=[0.25])
    lines = shapely.union_all([w.band for w in PLAIN.white_lines])
    assert ink_of(race.strokes[0]).distance(lines) == pytest.approx(0.25, abs=0.02)
    assert all(e.kind != "brush" for e in truth_of(race).events)


@pytest.mark.parametrize("seed", range(4))
def test_a_clean_drive_keeps_off_the_lines(seed: int) -> None:
    race = drive(PLAIN, "clean", seed)
    lines = shapely.union_all([w.band for w in PLAIN.white_lines])
    assert ink_of(race.strokes[0]).distance(lines) > 0.1
    assert truth_of(race).verdict == "fair"


@pytest.mark.parametrize("gap", [0.6, 1.7])
def test_a_dry_gap_is_as_wide_as_asked(gap: float) -> None:
    race = drive(PLAIN, "dry", seed=2, gaps=[gap])
    before, after = race.strokes
    assert ink_of(before).distance(ink_of(after)) == pytest.approx(gap, abs=0.02)


def test_donuts_lie_as_far_apart_as_asked() -> None:
    race = drive(OILY, "oil", seed=1, how="three", gap=1.2)
    donuts = [e for e in truth_of(race).events if e.kind == "donut"]
    assert [e.counted for e in donuts] == [True] * 3
    assert min(e.margin_mm or 0.0 for e in donuts) <= 1.22
    assert truth_of(race).donuts == 3


def test_overlapping_donuts_do_not_count_twice() -> None:
    truth = truth_of(drive(OILY, "oil", seed=1, how="overlapping"))
    assert (truth.donuts, truth.verdict) == (2, "ignored-accident")


@pytest.mark.parametrize(("how", "margin"), [("on_edge", 0.5), ("take_off", -4.0), ("landing", -3.0)])
def test_a_jump_has_the_margin_asked(how: str, margin: float) -> None:
    truth = truth_of(drive(LEAPING, "jump", seed=3, how=how, margin=margin))
    margins = [e.margin_mm for e in truth.events if e.rule == "R6" and e.margin_mm is not None]
    assert min(margins) == pytest.approx(margin, abs=0.01)


def test_a_wrong_turn_at_the_bridge_misses_a_checkpoint() -> None:
    truth = truth_of(drive(BRIDGED, "wrong_turn", seed=1))
    assert [e.cause for e in truth.events if e.kind == "accident"] == ["checkpoint-missed"]


def test_the_lines_of_the_road_above_do_not_count() -> None:
    truth = truth_of(drive(BRIDGED, "bridge", seed=2))
    assert truth.verdict == "fair"
    assert all(e.kind not in ("brush", "accident") for e in truth.events)


@pytest.mark.parametrize("scenario", sorted(SCENARIOS))
def test_the_same_seed_gives_the_same_race(scenario: str) -> None:
    stage = {"jump": LEAPING, "oil": OILY, "wrong_turn": BRIDGED, "bridge": BRIDGED}.get(scenario, PLAIN)
    try:
        one, other = drive(stage, scenario, seed=6), drive(stage, scenario, seed=6)
    except CannotDriveError:
        return
    assert truth_of(one) == truth_of(other)
    assert all(np.array_equal(a.points_mm, b.points_mm) for a, b in zip(one.strokes, other.strokes, strict=True))


def test_painted_coverage_has_the_area_of_the_ink() -> None:
    race = drive(PLAIN, "clean", seed=1)
    ink = coverage(race.strokes, PLAIN.size_mm, 8.0)
    assert ink.coverage.sum() / 255 / 64 == pytest.approx(ink_of(race.strokes[0]).area, rel=0.005)


def test_a_snapshot_shows_a_dot_where_its_homography_says() -> None:
    size_mm, at_mm = (100.0, 70.0), (63.0, 21.0)
    board = np.full((560, 800, 3), 255, np.uint8)
    rows, columns = np.mgrid[0:560, 0:800]
    board[np.hypot((columns + 0.5) / 8 - at_mm[0], (rows + 0.5) / 8 - at_mm[1]) < 2.0] = 0
    camera = Camera((640, 480), tilt_deg=30, azimuth_deg=40, roll_deg=100, noise=0.0, falloff=0.0)
    picture, to_photo = snapshot(board, size_mm, camera, np.random.default_rng(1))
    expected = projected(to_photo, np.array([at_mm]))[0]
    around = picture[..., 1].astype(float)
    y, x = np.mgrid[0 : picture.shape[0], 0 : picture.shape[1]]
    near = np.hypot(x - expected[0], y - expected[1]) < 14
    dark = np.where(near, 255 - around, 0.0)
    dark[dark < 60] = 0
    assert ((x * dark).sum() / dark.sum(), (y * dark).sum() / dark.sum()) == pytest.approx(tuple(expected), abs=0.15)


def test_a_judgement_that_drops_an_accident_differs_from_the_truth() -> None:
    race = drive(PLAIN, "break_ignored", seed=5, depth=1.0)
    truth = truth_of(race)
    told = tuple(
        Event(i, e.kind, e.rule, e.at_mm, e.stroke, e.element, e.margin_mm, None, e.cause, e.certain, e.outcome)
        for i, e in enumerate(truth.events)
    )
    right = Judgement("ignored-accident", (), True, 1, 0, told, ())
    blind = replace(right, accidents=0, events=tuple(e for e in told if e.kind != "accident"))
    assert differences(truth, right) == []
    assert any("missing: accident white-line" in d for d in differences(truth, blind))
