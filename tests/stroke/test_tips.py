"""Where the pen's centre last was: at ends that are round, fat, thin, slipped to the side, cut off."""

from __future__ import annotations

import numpy as np
import pytest

from referee.model import Floats, Ink, Stroke
from referee.stroke.edges import Line, resample
from referee.stroke.passes import tip
from referee.stroke.readings import readings
from tests.stroke.drawing import arc, board, line, paint, paint_line, wave

WIDTH = 2.4


def drawn(seed: int, slip_deg: float = 0.0, slip_mm: float = 0.9) -> Floats:
    """A line that wanders over 30 mm and at its end slips to the side."""
    rng = np.random.default_rng(seed)
    body = wave((10, 20), (40, 20), rng.uniform(-3, 3), rng.uniform(0.5, 1.2))
    if not slip_deg:
        return body
    way = body[-1] - body[-2]
    turn = np.arctan2(way[1], way[0]) + np.deg2rad(slip_deg)
    return np.vstack([body, body[-1] + slip_mm * np.array([np.cos(turn), np.sin(turn)])])


def halves(points: Floats, at_tip: float, over_mm: float) -> Floats:
    """Half widths (N,) of a line whose last ``over_mm`` change evenly to ``at_tip`` pen half widths."""
    arc = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
    share = np.clip(1 - (arc[-1] - arc) / over_mm, 0, 1)
    return np.asarray(WIDTH / 2 * (1 + (at_tip - 1) * share))


def fine(points: Floats) -> Floats:
    """The line with a point every tenth of a millimetre."""
    arc = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
    at = np.linspace(0, arc[-1], int(arc[-1] / 0.1))
    return np.column_stack([np.interp(at, arc, c) for c in points.T])


def read(ink: Ink, points: Floats) -> Stroke:
    found = readings(ink, board([points]))
    assert len(found[0].strokes) == 1
    return found[0].strokes[0]


ENDS = {"round": (1.0, 1.0), "fat": (1.18, 1.5), "thin": (0.55, 1.8)}
"""At the tip so many pen half widths, over so much of the way."""


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kind", ENDS)
def test_the_tip_is_where_the_pen_left_the_board(kind: str, seed: int) -> None:
    points = fine(drawn(seed))
    stroke = read(paint_line(points, halves(points, *ENDS[kind]), seed=seed), points)
    assert np.hypot(*(stroke.points_mm[-1] - points[-1])) < (0.3 if kind == "thin" else 0.2)
    assert stroke.cut == (False, False)


@pytest.mark.parametrize("slip_deg", [-110, -70, 70, 110])
def test_a_pen_that_slips_to_the_side_is_followed(slip_deg: float) -> None:
    points = fine(drawn(3, slip_deg))
    stroke = read(paint_line(points, halves(points, 1.0, 1.0)), points)
    assert np.hypot(*(stroke.points_mm[-1] - points[-1])) < 0.2


def test_a_line_that_bends_sharply_before_its_end_keeps_its_tip() -> None:
    bend = arc((38, 17.6), 2.4, 90, -50)
    points = fine(np.vstack([line((10, 20), (38, 20)), bend[1:], bend[-1] + [[-0.9, -0.75]]]))
    stroke = read(paint_line(points, halves(points, 1.0, 1.0)), points)
    assert np.hypot(*(stroke.points_mm[-1] - points[-1])) < 0.2


def test_a_thin_tip_is_narrower_than_the_pen() -> None:
    points = fine(drawn(1))
    stroke = read(paint_line(points, halves(points, 0.5, 1.8)), points)
    assert stroke.half_widths_mm[-1].mean() < 0.8 * WIDTH / 2
    assert stroke.half_widths_mm[len(stroke.points_mm) // 2].mean() == pytest.approx(WIDTH / 2, abs=0.06)


def test_two_uncertainties_hold_nineteen_tips_in_twenty() -> None:
    kept = []
    for seed in range(20):
        points = fine(drawn(seed))
        kind = list(ENDS)[seed % 3]
        ink = paint_line(points, halves(points, *ENDS[kind]), blur_mm=(0.1, 0.2, 0.35)[seed % 3], seed=seed)
        stroke = read(ink, points)
        off = np.abs(stroke.points_mm[[0, -1]] - points[[0, -1]])
        sigma = np.hypot(stroke.tip_sigma_mm, stroke.sigma_mm[[0, -1]])
        kept += (off <= 2 * sigma[:, None]).ravel().tolist()
    assert np.mean(kept) >= 0.95


def test_a_clean_round_tip_is_known_to_a_tenth_of_a_millimetre_but_for_how_the_pen_left_it() -> None:
    points = fine(drawn(2))
    stroke = read(paint_line(points, halves(points, 1.0, 1.0), blur_mm=0.1), points)
    assert stroke.tip_sigma_mm[0] <= 0.15 < stroke.tip_sigma_mm[1] <= 0.2


def test_a_blurred_end_is_less_sure() -> None:
    points = fine(drawn(2))
    sharp, blurred = (
        read(paint_line(points, halves(points, 0.6, 1.5), blur_mm=blur), points).tip_sigma_mm[1] for blur in (0.1, 0.5)
    )
    assert blurred > 1.5 * sharp


@pytest.mark.parametrize("slip_deg", [-130, -90, -50, 50, 90, 130])
def test_a_hook_that_blur_hides_is_within_two_uncertainties(slip_deg: float) -> None:
    points = fine(drawn(4, slip_deg))
    stroke = read(paint_line(points, halves(points, 0.55, 1.2), blur_mm=0.6), points)
    assert (np.abs(stroke.points_mm[-1] - points[-1]) <= 2 * stroke.tip_sigma_mm[1]).all()


@pytest.mark.parametrize("askew_deg", [-20, 0, 20])
def test_ink_that_stops_square_says_that_the_pen_went_on(askew_deg: float) -> None:
    points = fine(line((10, 20), (40, 20)))
    way = np.array([np.cos(np.deg2rad(askew_deg)), np.sin(np.deg2rad(askew_deg))])
    ink = paint_line(points, halves(points, 1.0, 1.0), dry=(np.array([30.0, 20.0]), way))
    assert read(ink, points).cut == (False, True)


def test_a_line_too_short_to_tell_keeps_a_plain_tip() -> None:
    stroke = read(paint([(2.4, line((50, 30), (53, 30)))]), line((50, 30), (53, 30)))
    assert stroke.points_mm[[0, -1], 0] == pytest.approx([50, 53], abs=0.2)
    assert min(stroke.tip_sigma_mm) >= 0.2


@pytest.mark.parametrize("astray", [(32.5, 20), (32.5, 22), (32, 23)])
def test_an_end_whose_rays_meet_bare_board_is_not_drawn_out_over_it(astray: tuple[float, float]) -> None:
    ink = paint([(2.4, line((10, 20), (30, 20))), (2.4, line((36, 10), (36, 30)))])
    points = resample(np.vstack([line((10, 20), (30, 20)), line((30.25, 20), astray)]))
    ended = tip(ink, Line(points, np.full((len(points), 2), 1.2), np.ones(len(points), bool)), 2.4)
    assert np.hypot(*(ended.line.points_mm[-1] - [30, 20])) < 1.8
