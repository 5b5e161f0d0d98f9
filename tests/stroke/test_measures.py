"""How exactly lines, widths and tips come back from the ink."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.model import Floats, Stroke
from referee.stroke.edges import Line, measure, uncurled
from referee.stroke.readings import readings
from tests.stroke.drawing import Pen, arc, away, board, line, paint, paint_line, spoil, wave


def read(pen: Pen, px_per_mm: float = 6.0, spoilt: bool = False) -> Stroke:
    ink = paint([pen], (100, 60), px_per_mm)
    found = readings(spoil(ink) if spoilt else ink, board([pen[1]]))
    assert len(found[0].strokes) == 1
    return found[0].strokes[0]


@pytest.mark.parametrize("px_per_mm", [4.0, 6.0, 9.0])
@pytest.mark.parametrize("width", [1.6, 2.5, 3.9])
def test_a_wavy_stroke_comes_back_with_its_middle_and_width(px_per_mm: float, width: float) -> None:
    drawn = wave((10, 30), (90, 30), bulge_mm=6, waves=2)
    stroke = read((width, drawn), px_per_mm)
    assert np.median(away(stroke.points_mm, drawn)) < 0.02
    assert away(stroke.points_mm, drawn).max() < 0.15
    assert np.abs(stroke.half_widths_mm[4:-4] - width / 2).max() < 0.05


@pytest.mark.parametrize("px_per_mm", [4.0, 8.0])
def test_ragged_speckled_noisy_ink_keeps_its_middle_and_width(px_per_mm: float) -> None:
    drawn = wave((10, 30), (90, 30), bulge_mm=6, waves=2)
    stroke = read((2.4, drawn), px_per_mm, spoilt=True)
    assert np.median(away(stroke.points_mm, drawn)) < 0.03
    assert np.percentile(away(stroke.points_mm, drawn), 95) < 0.09
    assert np.median(np.abs(stroke.half_widths_mm - 1.2)) < 0.04


@pytest.mark.parametrize("radius", [2.5, 4.0, 8.0])
def test_a_tight_bend_is_not_cut_short(radius: float) -> None:
    bend = arc((50, 30), radius, 90, 270)
    drawn = np.vstack([line((80, 30 + radius), (50, 30 + radius)), bend, line((50, 30 - radius), (80, 30 - radius))])
    stroke = read((2.0, drawn))
    farthest = stroke.points_mm[:, 0].min()
    assert farthest == pytest.approx(50 - radius, abs=0.05)


def test_the_outer_edge_at_a_sharp_corner_stays_where_the_ink_is() -> None:
    drawn = line((10, 20), (50, 45), (90, 20))
    stroke = read((2.4, drawn))
    lowest = (stroke.points_mm[:, 1] + stroke.half_widths_mm.mean(axis=1)).max()
    assert lowest == pytest.approx(45 + 1.2, abs=0.3)


@pytest.mark.parametrize("angle", [0, 30, 77])
def test_the_first_and_last_points_are_the_centres_of_the_tip(angle: float) -> None:
    way = np.array([np.cos(np.deg2rad(angle)), np.sin(np.deg2rad(angle))])
    middle = np.array([50.0, 30.0])
    drawn = np.array([middle - way * 22, middle + way * 22])
    stroke = read((2.6, drawn))
    assert np.hypot(*(stroke.points_mm[0] - drawn[0])) < 0.08
    assert np.hypot(*(stroke.points_mm[-1] - drawn[-1])) < 0.08
    assert (stroke.begin, stroke.end) == ("free", "free")


def test_points_lie_at_most_half_a_millimetre_apart() -> None:
    stroke = read((2.0, wave((10, 30), (90, 30), 8, 1.5)))
    assert np.hypot(*np.diff(stroke.points_mm, axis=0).T).max() <= 0.5


def test_a_pen_that_rested_leaves_a_blob_that_is_as_wide_as_it_looks() -> None:
    drawn = line((10, 30), (90, 30))
    ink = paint([(2.0, drawn), (5.0, line((50, 30), (50.5, 30)))])
    found = readings(ink, board([drawn]))
    assert len(found[0].strokes) == 1
    stroke = found[0].strokes[0]
    widest = stroke.half_widths_mm[np.abs(stroke.points_mm[:, 0] - 50) < 1.5].max()
    assert widest == pytest.approx(2.5, abs=0.3)


def smooth_line(seed: int, turn: float) -> Floats:
    rng = np.random.default_rng(seed)
    heading = turn + np.cumsum(np.convolve(rng.normal(0, 0.12, 120), np.ones(15) / 15, "same"))
    steps = np.column_stack([np.cos(heading), np.sin(heading)]) * 0.5
    points = np.cumsum(steps, axis=0)
    return np.asarray(points - points.mean(axis=0) + [50.0, 50.0])


@settings(max_examples=12, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 10_000),
    turn=st.floats(0, 6.28),
    width=st.floats(1.5, 4.0),
    scale=st.floats(4.0, 10.0),
)
def test_any_smooth_stroke_comes_back(seed: int, turn: float, width: float, scale: float) -> None:
    drawn = smooth_line(seed, turn)
    found = readings(paint([(width, drawn)], (100, 100), scale), board([drawn]))
    assert len(found[0].strokes) == 1
    stroke = found[0].strokes[0]
    assert np.hypot(*(stroke.points_mm[0] - drawn[0])) < 0.5
    assert np.percentile(away(stroke.points_mm, drawn), 95) < 0.08
    assert np.median(np.abs(stroke.half_widths_mm - width / 2)) < 0.03


@pytest.mark.parametrize("pen_mm", [2.2, 3.4])
@pytest.mark.parametrize("opening_deg", [60.0, 90.0, 120.0])
def test_the_ink_of_a_hairpin_reaches_as_far_as_it_was_drawn(opening_deg: float, pen_mm: float) -> None:
    half = np.deg2rad(opening_deg / 2)
    aside, down = 30 * np.sin(half), 30 * np.cos(half)
    drawn = line((50 - aside, 12 + down), (50, 12), (50 + aside, 12 + down))
    stroke = read((pen_mm, drawn))
    left, right = stroke.half_widths_mm.T
    way = np.gradient(stroke.points_mm, axis=0)
    to_left = np.column_stack([way[:, 1], -way[:, 0]]) / np.hypot(*way.T)[:, None]
    middles = stroke.points_mm + to_left * ((left - right) / 2)[:, None]
    assert abs((middles[:, 1] - (left + right) / 2).min() - (12 - pen_mm / 2)) < 0.2


@pytest.mark.parametrize(("blur_mm", "askew_deg"), [(0.3, 0), (0.5, 0), (0.5, 20), (0.7, 20)])
def test_a_line_that_runs_into_a_corner_of_its_inks_end_does_not_curl_up(blur_mm: float, askew_deg: float) -> None:
    drawn = np.column_stack([np.linspace(10, 42, 300), np.full(300, 20.0)])
    across = np.array([np.cos(np.deg2rad(askew_deg)), np.sin(np.deg2rad(askew_deg))])
    ink = paint_line(drawn, np.full(300, 1.75), blur_mm, 3, (np.array([40.0, 20.0]), across))
    into_the_corner = line((12, 20), (39, 20), (39.5, 19.7), (40, 19))
    points = uncurled(ink, measure(ink, into_the_corner, 3.5), 3.5, (True, True)).points_mm
    assert (np.diff(points[:, 0]) > 0).all()
    assert points[-1, 0] > 37.5
    back = uncurled(ink, measure(ink, into_the_corner[::-1], 3.5), 3.5, (True, True)).points_mm
    assert (np.diff(back[:, 0]) < 0).all()


def test_a_dab_of_ink_that_curls_up_altogether_is_still_a_line() -> None:
    ink = paint([(3.0, line((20, 20), (23, 20)))], (60, 40), 6.0)
    turn = np.linspace(0, 1.9 * np.pi, 24)
    curled = np.column_stack([21 + 0.7 * np.cos(turn), 20 + 0.7 * np.sin(turn)])
    dab = Line(curled, np.full((24, 2), 1.5), np.ones(24, bool))
    assert len(uncurled(ink, dab, 3.0, (True, True)).points_mm) >= 2
