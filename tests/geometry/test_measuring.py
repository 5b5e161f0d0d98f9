"""Facts about gaps, hidden stretches, rings, sections and odd strokes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from referee.facts import Begin, Crossing, End, Hidden, Ring, Turned, ZoneEntry, ZoneExit, spot_of
from referee.geometry import measure
from referee.geometry.board import board_of
from referee.model import Path, Stroke, UnseenArea
from tests.geometry import stages
from tests.geometry.stages import EDGE, drive, facts_of, race, ring, told


def hand(x0: float, y0: float, x1: float, y1: float) -> UnseenArea:
    return UnseenArea("covered", np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], float))


# ----------------------------------------------------------------------------------------- what cannot be seen


def test_a_checkpoint_at_the_rim_of_a_hand_may_have_been_crossed_under_it() -> None:
    (line,) = (c.points_mm[0][0] for c in stages.straight().checkpoints if c.order == 1)
    beside = facts_of(stages.straight(), drive((line + 5, 50), (280, 50)), unseen=(hand(0, 0, line - 1, 100),))
    assert "checkpoint-1" in beside.hidden_lines
    far = facts_of(stages.straight(), drive((line + 5, 50), (280, 50)), unseen=(hand(0, 0, line - 6, 100),))
    assert "checkpoint-1" not in far.hidden_lines


def test_a_hand_over_road_and_line_hides_what_matters() -> None:
    done = race(stages.straight(), drive((20, 50), (280, 50), unseen=(120, 150)), unseen=(hand(120, 30, 150, 70),))
    assert done.verdict == "review"
    assert [(r.code, r.rule) for r in done.reasons] == [("unseen", "R2")]
    assert [(s.from_mm, s.to_mm) for s in done.unseen] == [pytest.approx((110, 150), abs=1)]


def test_glare_inside_the_road_hides_nothing_that_matters() -> None:
    done = race(stages.straight(), drive((20, 50), (280, 50), unseen=(120, 150)), unseen=(hand(120, 42, 150, 58),))
    assert done.verdict == "fair"
    assert len(done.unseen) == 1


def test_a_path_that_is_only_guessed_is_never_accused() -> None:
    way = ((20, 50), (130, 50), (150, 66), (170, 50), (280, 50))
    done = race(stages.straight(), drive(*way, unseen=(125, 175)), unseen=(hand(125, 30, 175, 75),))
    assert done.accidents == 0
    assert done.verdict == "review"
    assert not any(e.kind in ("accident", "brush") for e in done.events)


def test_a_hand_beside_the_road_is_no_matter() -> None:
    done = race(stages.straight(), drive((20, 50), (280, 50)), unseen=(hand(120, 70, 150, 90),))
    assert (done.verdict, done.unseen) == ("fair", ())


def test_a_hand_over_a_line_that_the_path_is_not_hidden_by_is_no_matter() -> None:
    done = race(stages.straight(), drive((20, 50), (280, 50)), unseen=(hand(120, 58, 150, 70),))
    assert done.verdict == "fair"


def test_a_gap_that_a_small_patch_of_glare_hides_is_no_lift() -> None:
    strokes = drive((20, 50), (120, 50)), drive((130, 50), (280, 50))
    done = race(stages.straight(), *strokes, unseen=(hand(120.5, 46, 129.5, 54),))
    assert told(done) == ["start", "checkpoint", "checkpoint", "finish"]
    assert done.verdict == "fair"
    partly = race(stages.straight(), *strokes, unseen=(hand(126.5, 46, 129.5, 54),))
    assert partly.verdict != "fair"


def test_a_narrow_patch_hides_no_excursion_to_a_far_line() -> None:
    for x1, verdict in ((123.0, "fair"), (150.0, "review")):
        way = drive((20, 50), (280, 50), unseen=(120, x1))
        assert race(stages.straight(), way, unseen=(hand(120, 30, x1, 70),)).verdict == verdict


def test_hidden_oil_asks_a_person() -> None:
    done = race(stages.oil(), drive((20, 50), (280, 50), unseen=(100, 120)), unseen=(hand(100, 30, 120, 55),))
    assert done.verdict == "review"


def test_an_unfinished_race_whose_next_place_is_hidden_asks_a_person() -> None:
    crash = drive((20, 50), (130, 50), (140, 66))
    assert race(stages.straight(), crash).verdict == "unfinished"
    assert race(stages.straight(), crash, unseen=(hand(95, 40, 105, 60),)).verdict == "review"
    assert race(stages.straight(), crash, unseen=(hand(200, 40, 230, 60),)).verdict == "unfinished"


def test_ink_that_ends_at_a_hands_rim_may_go_on_under_it() -> None:
    under = drive((20, 50), (148.5, 50))
    assert race(stages.straight(), under, unseen=(hand(150, 20, 200, 80),)).verdict == "review"
    assert race(stages.straight(), under, unseen=(hand(160, 20, 200, 80),)).verdict == "unfinished"


def test_a_hidden_fact_names_only_lines_of_the_road_the_car_is_on() -> None:
    way = ((20, 50), (200, 50), (250, 50))
    found = facts_of(stages.bridge(), drive(*way, unseen=(90, 110)), unseen=(hand(90, 30, 110, 70),)).items
    (hidden,) = [f for f in found if isinstance(f, Hidden)]
    own = {k.element for k in board_of(stages.bridge()).kerbs if k.section == 1}
    assert set(hidden.white_lines) <= own


# ----------------------------------------------------------------------------------------- rings


def rings(*points: tuple[float, float]) -> list[Ring]:
    dip = ((95.0, 50.0), (110.0, 45.0), (120.0, 50.0))
    found = facts_of(stages.oil(), drive((20, 50), *dip, *points, (280, 50))).items
    return [f for f in found if isinstance(f, Ring)]


def test_a_rings_hole_is_its_inside_less_the_ink() -> None:
    (one,) = rings(*ring(160, 50, 5.0))
    assert one.hole_mm == pytest.approx(10 - 0.3 - stages.WIDTH, abs=0.1)
    assert one.middle_mm == pytest.approx((160, 50 - 5 * np.cos(0.35)), abs=0.3)


def test_the_gap_between_rings_is_between_their_inks() -> None:
    first, second = rings(*ring(150, 50, 5.0), *ring(168, 50, 5.0))
    assert dict(first.gaps)[second.number] == pytest.approx(18 - 10 - stages.WIDTH, abs=0.05)
    assert dict(second.gaps) == {first.number: dict(first.gaps)[second.number]}


def test_a_second_round_makes_no_second_clear_ring() -> None:
    angles = np.linspace(0, 4 * np.pi, 160)
    rounds = [(float(160 + 5 * np.sin(a) + 0.1 * a), float(45 - 5 * np.cos(a) * -1)) for a in angles]
    done = race(stages.oil(), drive((20, 50), (95, 50), (110, 45), (120, 50), *rounds, (280, 55)))
    assert done.donuts == 1


def test_a_ring_that_comes_back_to_its_point_and_turns_away_is_closed() -> None:
    angles = np.linspace(np.pi / 2, -1.5 * np.pi, 80)
    kiss = [(float(160 + 4 * np.cos(a)), float(46 + 4 * np.sin(a))) for a in angles]
    assert len(rings((150, 50), *kiss, (170, 50))) == 1


def test_a_turn_back_without_closing_is_no_ring() -> None:
    assert rings((170, 50), (170, 44), (150, 44), (150, 38), (200, 38), (200, 50)) == []


# ----------------------------------------------------------------------------------------- sections


def test_the_turn_under_a_bridge_is_a_fact_with_both_sections() -> None:
    found = facts_of(stages.bridge(), drive((20, 50), (100, 50), (100, 120))).items
    (turned,) = [f for f in found if isinstance(f, Turned)]
    assert (turned.section, turned.onto) == (1, 5)


def test_straying_off_the_road_under_a_deck_and_back_is_no_turn_off() -> None:
    way = ((20, 50), (92, 50), (97, 61.5), (103, 61.5), (108, 50), (245, 50), (245, 195), (205, 195), (205, 20))
    done = race(stages.bridge(), drive(*way, (105, 20), (102, 175)))
    assert told(done).count("checkpoint") == 2
    assert not any("checkpoint-missed" in t for t in told(done))


def test_a_checkpoint_under_a_bridge_is_not_crossed_by_the_road_above() -> None:
    stage = stages.bridge()
    under = stages.Plan([[(5, 50), (150, 50)]], [(1, 100, 50)])
    low = stages.build(under).checkpoints[0]
    shifted = stages._changed(stage, checkpoints=(low, *[c for c in stage.checkpoints if c.order > 1]))
    down = drive((100, 20), (100, 175))
    crossed = [f for f in facts_of(shifted, down).items if isinstance(f, Crossing)]
    assert [c.element for c in crossed] == ["finish"]


# ----------------------------------------------------------------------------------------- odd strokes


def test_facts_come_in_path_order() -> None:
    items = facts_of(stages.jump(), drive((20, 50), (130, 50)), drive((180, 50), (280, 50))).items
    places = [(spot_of(f).stroke, spot_of(f).arc_mm) for f in items]
    assert places == sorted(places)


def test_a_dot_is_a_stroke() -> None:
    dot = Stroke(np.array([[150.0, 50.0], [150.0, 50.0]]), np.ones((2, 2)), np.full(2, 0.1), np.ones(2, bool))
    done = race(stages.straight(), drive((20, 50), (140, 50)), dot, drive((98, 50), (280, 50)))
    assert "finish" in told(done)


def test_a_stroke_of_two_points_is_measured() -> None:
    short = Stroke(np.array([[150.0, 50.0], [150.3, 50.0]]), np.ones((2, 2)), np.full(2, 0.1), np.ones(2, bool))
    assert measure(Path((short,)), stages.straight()).items


def test_no_ink_at_all_has_no_facts() -> None:
    facts = measure(Path(()), stages.straight())
    assert facts.items == ()
    assert race(stages.straight()).verdict == "unfinished"


def test_ink_that_leans_to_one_side_is_measured_at_its_edges() -> None:
    straight = drive((20, 50), (130, 50), (135, 60.5), (145, 60.5), (150, 50), (280, 50))
    halves = np.column_stack([np.full(len(straight.points_mm), 0.5), np.full(len(straight.points_mm), 1.5)])
    lean = Stroke(straight.points_mm, halves, straight.sigma_mm, straight.seen)
    (brush,) = [e for e in race(stages.straight(), lean).events if e.kind == "brush"]
    assert brush.margin_mm == pytest.approx(50 + 12 - 60.5 - 1.5, abs=0.05)


def test_a_bigger_uncertainty_of_the_ink_is_the_margins_own() -> None:
    way = ((20, 50), (130, 50), (140, 50 + EDGE - 0.3), (150, 50), (280, 50))
    done = race(stages.straight(), drive(*way, sigma=0.2))
    assert done.events[2].uncertainty_mm == pytest.approx(0.2)
    assert done.verdict == "review"


def test_trembling_on_a_pipes_edge_enters_it_once() -> None:
    way = ((20, 50), (119.9, 50), (120.1, 50.2), (119.9, 50.4), (120.1, 50.6), (280, 50))
    found = facts_of(stages.pipe(), drive(*way)).items
    assert [type(f) for f in found if isinstance(f, ZoneEntry | ZoneExit)] == [ZoneEntry, ZoneExit]


def test_begins_and_ends_know_how_far_they_are_from_everything() -> None:
    items = facts_of(stages.jump(), drive((20, 50), (130, 50)), drive((180, 50), (280, 50))).items
    begin = [f for f in items if isinstance(f, Begin)][1]
    end = next(f for f in items if isinstance(f, End))
    assert {z.element: round(z.mm, 2) for z in begin.zones} == {"jump-1": -40.0, "landing-1": 10.0}
    assert {z.element: round(z.mm, 2) for z in end.zones} == {"jump-1": 10.0, "landing-1": -40.0}
    assert end.gap is not None
    assert end.gap.mm == pytest.approx(50 - stages.WIDTH)
    assert [line.order for line in begin.lines] == [0, 1, 2]


def test_a_tip_is_as_sure_as_its_end_looks() -> None:
    first, second = drive((20, 50), (130, 50), sigma=0.03), drive((180, 50), (280, 50), sigma=0.03)
    blurred = replace(first, tip_sigma_mm=(0.0, 0.4))
    for stroke, sigma in ((first, 0.03), (blurred, float(np.hypot(0.03, 0.4)))):
        items = facts_of(stages.jump(), stroke, second).items
        assert next(f for f in items if isinstance(f, Begin)).sigma_mm == pytest.approx(0.03)
        assert next(f for f in items if isinstance(f, End)).sigma_mm == pytest.approx(sigma)


@pytest.mark.parametrize("cut", [(False, False), (True, False), (False, True), (True, True)])
def test_a_gap_between_square_ends_is_between_the_edges_of_the_tip(cut: tuple[bool, bool]) -> None:
    before = replace(drive((20, 50), (130, 50)), cut=(False, cut[0]))
    after = replace(drive((140, 50), (280, 50)), cut=(cut[1], False))
    end = next(f for f in facts_of(stages.straight(), before, after).items if isinstance(f, End))
    assert end.gap is not None
    assert end.gap.mm == pytest.approx(10 - stages.WIDTH - (stages.WIDTH if all(cut) else 0))
