"""Crossings, rings, gaps, merges and what the picture does not show."""

from __future__ import annotations

import numpy as np
import pytest

from referee.stroke.knots import Steps, doublings
from referee.stroke.readings import _is_swap, readings
from referee.stroke.skeleton import Edge, Graph
from referee.stroke.weave import Pairing, _tangle
from tests.stroke.drawing import Pen, arc, away, board, box, hide, is_drawn_as, line, paint, spoil, wave


@pytest.mark.parametrize("scale", [4.0, 8.0])
@pytest.mark.parametrize("angle", [12, 20, 30, 45, 60, 90])
def test_a_crossing_keeps_straight_on(angle: float, scale: float) -> None:
    half = np.deg2rad(angle / 2)
    way, other = np.array([np.cos(half), np.sin(half)]), np.array([np.cos(half), -np.sin(half)])
    middle = np.array([50.0, 40.0])
    first, back = np.array([middle - way * 35, middle + way * 35]), np.array([middle + other * 35, middle - other * 35])
    turn = wave(tuple(first[1]), tuple(back[0]), bulge_mm=-14)
    drawn = np.vstack([line(*map(tuple, first)), turn[1:-1], line(*map(tuple, back))])
    path = readings(paint([(2.2, drawn)], (120, 80), scale), board([drawn]))[0]
    assert len(path.strokes) == 1
    assert is_drawn_as(path.strokes[0], drawn) or is_drawn_as(path.strokes[0], drawn[::-1])


def test_a_figure_of_eight_is_one_stroke() -> None:
    t = np.linspace(0.15, 2 * np.pi - 0.15, 300)
    drawn = np.column_stack([50 + 35 * np.cos(t), 30 + 20 * np.sin(2 * t)])
    path = readings(paint([(2.5, drawn)]), board([drawn]))[0]
    assert len(path.strokes) == 1
    assert away(drawn, path.strokes[0].points_mm).max() < 0.5


def with_rings(centres: list[float], radius: float) -> np.ndarray:
    parts = [np.array([[8.0, 20.0]])]
    for x in centres:
        parts += [line((float(parts[-1][-1, 0]), 20), (x, 20)), arc((x, 20 + radius), radius, -90, 270)]
    return np.vstack([*parts, line((centres[-1], 20), (94, 20))])


@pytest.mark.parametrize("radius", [2.2, 3.5])
@pytest.mark.parametrize("count", [1, 3])
def test_rings_driven_on_the_way_belong_to_the_stroke(count: int, radius: float) -> None:
    drawn = with_rings([28.0 + 20 * k for k in range(count)], radius)
    path = readings(paint([(2.0, drawn)]), board([line((8, 20), (94, 20))]))[0]
    assert len(path.strokes) == 1
    stroke = path.strokes[0]
    assert stroke.arc_mm()[-1] == pytest.approx(86 + count * 2 * np.pi * radius, rel=0.03)
    assert away(drawn, stroke.points_mm).max() < 0.6


def test_rings_that_hardly_miss_each_other_keep_their_gap() -> None:
    drawn = with_rings([30.0, 30.0 + 2 * 3.5 + 2.0 + 0.3], 3.5)
    path = readings(paint([(2.0, drawn)], px_per_mm=8), board([line((8, 20), (94, 20))]))[0]
    stroke = path.strokes[0]
    assert len(path.strokes) == 1
    low = stroke.points_mm[stroke.points_mm[:, 1] > 23]
    left, right = low[low[:, 0] < 34.6], low[low[:, 0] > 34.7]
    gap = np.hypot(*(left[:, None] - right[None]).transpose(2, 0, 1)).min() - stroke.width_mm
    assert gap == pytest.approx(0.3, abs=0.1)


@pytest.mark.parametrize("gap", [0.8, 1.5, 3.0])
def test_a_visible_gap_parts_two_strokes_and_keeps_its_size(gap: float) -> None:
    first, second = line((10, 30), (48, 30)), line((48 + gap + 2.0, 30), (92, 30))
    path = readings(paint([(2.0, first), (2.0, second)]), board([line((10, 30), (92, 30))]))[0]
    assert [is_drawn_as(s, d) for s, d in zip(path.strokes, (first, second), strict=True)] == [True, True]
    apart = path.strokes[1].points_mm[0, 0] - path.strokes[0].points_mm[-1, 0]
    assert apart - path.strokes[0].width_mm == pytest.approx(gap, abs=0.1)


def test_streaks_and_speckles_do_not_part_a_stroke() -> None:
    drawn = wave((10, 30), (92, 30), 5, 1.5)
    ink = paint([(2.8, drawn)], px_per_mm=8)
    streak = paint([(0.25, drawn[40:90] + [0.0, 0.2])], px_per_mm=8)
    dry = ink.coverage.copy()
    dry[streak.coverage > 100] = 20
    for spoilt in (type(ink)(dry, ink.unseen, 8.0, ink.sigma_mm), spoil(ink, 3)):
        path = readings(spoilt, board([drawn]))[0]
        assert len(path.strokes) == 1
        assert away(path.strokes[0].points_mm, drawn).max() < 0.3


def test_splashes_and_a_signature_off_the_road_are_no_strokes() -> None:
    drawn = line((10, 15), (90, 15))
    signature = wave((60, 50), (80, 50), 2.5, 4)
    pens: list[Pen] = [(2.2, drawn), (1.2, signature), (0.7, line((30, 25), (30.1, 25)))]
    path = readings(paint(pens), board([drawn]))[0]
    assert len(path.strokes) == 1


def test_a_beginning_under_other_ink_is_covered() -> None:
    crash = np.vstack([line((8, 30), (62, 30)), line((62, 30), (74, 10))])
    retry = line((54, 30.1), (95, 30))
    guide = board([line((8, 30), (95, 30))], [((55, 20), (55, 40))])
    path = readings(paint([(2.4, crash), (2.4, retry)]), guide)[0]
    assert is_drawn_as(path.strokes[0], crash)
    assert (path.strokes[1].begin, path.strokes[1].end) == ("covered", "free")


@pytest.mark.parametrize("bulge", [0.0, 4.0])
def test_what_a_hand_hides_is_bridged_and_says_so(bulge: float) -> None:
    drawn = wave((10, 30), (92, 30), bulge)
    path = readings(hide(paint([(2.2, drawn)]), 45, 5, 57, 55), board([drawn]))[0]
    assert len(path.strokes) == 1
    stroke = path.strokes[0]
    hidden = (stroke.points_mm[:, 0] > 46) & (stroke.points_mm[:, 0] < 56)
    assert not stroke.seen[hidden].any()
    assert stroke.seen[(stroke.points_mm[:, 0] < 43) | (stroke.points_mm[:, 0] > 59)].all()
    assert away(stroke.points_mm, drawn).max() < 0.5


def test_ink_that_ends_in_what_is_not_seen_has_an_unseen_end() -> None:
    drawn = line((10, 30), (60, 30))
    path = readings(hide(paint([(2.2, drawn)]), 50, 5, 100, 55), board([line((10, 30), (95, 30))]))[0]
    assert path.strokes[-1].end == "unseen"
    assert path.strokes[-1].points_mm[-1, 0] == pytest.approx(50, abs=1.5)


def test_a_clean_board_has_no_reading() -> None:
    assert readings(paint([]), board([line((10, 30), (90, 30))])) == ()


def test_a_jump_leads_from_stroke_to_stroke() -> None:
    first, second = line((10, 15), (90, 15)), line((90, 45), (10, 45))
    leap = (box(80, 8, 95, 22), box(80, 38, 95, 52))
    guide = board([line((10, 15), (88, 15)), line((88, 45), (10, 45))], leaps=[leap])
    path = readings(paint([(2.2, second), (2.2, first)]), guide)[0]
    assert [is_drawn_as(s, d) for s, d in zip(path.strokes, (first, second), strict=True)] == [True, True]
    assert "jump" in path.why


def test_a_slanting_hair_of_a_gap_parts_no_stroke() -> None:
    drawn = line((10, 30), (92, 30))
    ink = paint([(2.6, drawn)], px_per_mm=8)
    slit = paint([(0.3, line((48, 27), (54, 33)))], px_per_mm=8)
    ink.coverage[slit.coverage > 60] = 0
    path = readings(ink, board([drawn]))[0]
    assert len(path.strokes) == 1
    assert is_drawn_as(path.strokes[0], drawn)


def test_a_blot_at_the_beginning_parts_no_stroke() -> None:
    drawn = line((10, 30), (92, 30))
    found = readings(paint([(2.2, drawn), (4.2, line((10.5, 30.2), (13, 30.2)))]), board([drawn]))
    assert len(found[0].strokes) == 1


@pytest.mark.parametrize("seed", range(4))
def test_a_mess_of_ink_is_read_or_given_up_but_never_breaks(seed: int) -> None:
    import cv2

    rng = np.random.default_rng(seed)
    grain = cv2.GaussianBlur(rng.normal(0, 1, (240, 400)), (0, 0), 6 + 4 * seed)
    mess = np.where(grain > grain.std(), 255, 0).astype(np.uint8)
    ink = type(paint([]))(mess, np.zeros_like(mess), 4.0, np.full((2, 2), 0.1, np.float32))
    for path in readings(ink, board([line((10, 30), (90, 30))])):
        for stroke in path.strokes:
            assert np.isfinite(stroke.points_mm).all()
            assert (stroke.half_widths_mm > 0).all()


def test_a_tangle_is_paired_in_more_than_one_way_the_cheapest_first() -> None:
    ends = [(leg, 0) for leg in range(8)]
    price = {(a, b): 1.0 if abs(a[0] - b[0]) == 4 else 2.0 for a in ends for b in ends if a != b}
    ways = _tangle(ends, price, 6)
    assert ways[0][0] == 4.0
    assert {abs(a[0] - b[0]) for a, b, _ in ways[0][1] if b} == {4}
    assert len(ways) == 6
    assert [cost for cost, _ in ways] == sorted(cost for cost, _ in ways)


def test_a_tangle_of_very_many_legs_is_paired_in_one_way() -> None:
    ends = [(leg, 0) for leg in range(16)]
    assert len(_tangle(ends, {(a, b): 1.0 for a in ends for b in ends if a != b}, 6)) == 1


def test_two_passes_that_change_partners_are_a_swap_and_an_end_is_none() -> None:
    a, b, c, d = (1, 0), (2, 0), (3, 0), (4, 0)
    across: Pairing = ((a, c, ()), (b, d, ()))
    assert _is_swap(across, ((d, a, ()), (b, c, ())))
    assert not _is_swap(across, ((c, a, ()), (d, b, ())))
    assert not _is_swap(across, ((a, None, ()), (c, None, ()), (b, d, ())))


@pytest.mark.parametrize("count", [2, 4])
def test_all_of_several_rings_that_share_their_ink_with_the_road_are_driven_round(count: int) -> None:
    drawn = with_rings([22.0 + 16 * k for k in range(count)], 2.2)
    path = readings(paint([(2.0, drawn)]), board([line((8, 20), (94, 20))]))[0]
    assert len(path.strokes) == 1
    assert path.strokes[0].arc_mm()[-1] == pytest.approx(86 + count * 2 * np.pi * 2.2, rel=0.04)


def test_no_ink_is_left_without_a_pass_where_three_strokes_run_over_one_another() -> None:
    ways = [wave((8, 20), (70 + 8 * k, 20 + 2 * k), bulge_mm=2.0 - 2.0 * k, waves=1.5) for k in range(3)]
    path = readings(paint([(2.2, way) for way in ways]), board([line((8, 20), (94, 20))]))[0]
    driven = np.vstack([stroke.points_mm for stroke in path.strokes])
    left_out = np.vstack(ways)[away(np.vstack(ways), driven) > 3.0]
    assert len(left_out) == 0


@pytest.mark.parametrize("steps", [frozenset(), frozenset({0})])
def test_an_end_as_short_as_its_junction_is_wide_may_be_one_pass_though_it_is_fat(steps: frozenset[int]) -> None:
    """Two passes begin side by side, share their ink and part again: the first end lies all in the other's ink."""
    graph, pen = Graph(), 10.0
    corners = [(0, -8), (-20, 12), (0, 0), (60, 0), (110, -40), (110, 40)]
    nodes = [graph.add_node(np.array(corner, float)) for corner in corners]
    for a, b in [(0, 2), (1, 2), (2, 3), (3, 4), (3, 5)]:
        way = line(corners[a], corners[b])
        graph.add(Edge(nodes[a], nodes[b], way, np.full(len(way), pen / 2)))
    keys = sorted(graph.edges)
    guesses = doublings(graph, pen, Steps(frozenset(), frozenset(keys[k] for k in steps))).first
    assert any(keys[2] in guess.edges and keys[0] not in guess.edges for guess in guesses)
