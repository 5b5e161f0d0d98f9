"""White lines as ink meets them: ends, corners, neighbours, dividers, bridges."""

from __future__ import annotations

import numpy as np
import pytest
from shapely.geometry import Polygon, box

from referee.facts import Touch
from referee.geometry.board import board_of
from referee.geometry.kerbs import kerbs_of
from referee.model import Section
from tests.geometry import stages
from tests.geometry.stages import EDGE, bump, drive, facts_of, line, race, told


def touches(stage, *strokes) -> list[Touch]:  # type: ignore[no-untyped-def]
    return [f for f in facts_of(stage, *strokes).items if isinstance(f, Touch)]


def test_a_line_that_parts_two_roads_is_a_kerb_from_either_side() -> None:
    kerbs = [k for k in kerbs_of(stages.shared_divider()) if k.element == "divider"]
    assert sorted(k.section for k in kerbs) == [1, 3]
    assert {float(k.far_mm[0][1]) for k in kerbs} == {60.0, 62.0}
    assert len({k.chain for k in kerbs}) == 2


def test_a_line_runs_on_in_the_next_sections_line() -> None:
    chains = {k.chain for k in kerbs_of(stages.two_sections())}
    assert len(chains) == 2


@pytest.mark.parametrize("y", [50 + EDGE - 0.5, 50 + EDGE + 0.5])
def test_a_contact_over_two_elements_is_one_event(y: float) -> None:
    stage = stages.two_sections()
    done = race(stage, drive((20, 50), (125, 50), (135, y), (145, y + 0.2), (155, 50), (280, 50)))
    contacts = [e for e in done.events if e.kind in ("brush", "accident")]
    assert len(contacts) == 1
    assert contacts[0].margin_mm == pytest.approx(50 + EDGE - y - 0.2, abs=0.02)


def test_a_break_over_two_elements_names_the_one_where_ink_first_showed() -> None:
    stage = stages.two_sections()
    y = 50 + EDGE
    done = race(stage, drive((20, 50), (125, 50), (136, y + 0.3), (150, y + 1.5), (160, 50), (280, 50)))
    (accident,) = [e for e in done.events if e.kind == "accident"]
    upper = {w.id for w in stage.white_lines if 1 in w.sections}
    assert accident.element in upper
    assert accident.margin_mm == pytest.approx(-1.5, abs=0.02)


def test_a_brush_over_two_elements_names_the_one_where_it_was_closest() -> None:
    stage = stages.two_sections()
    y = 50 + EDGE
    done = race(stage, drive((20, 50), (125, 50), (136, y - 1.5), (150, y - 0.5), (160, 50), (280, 50)))
    (brush,) = [e for e in done.events if e.kind == "brush"]
    assert brush.element in {w.id for w in stage.white_lines if 2 in w.sections}


def test_the_other_legs_line_behind_ones_own_does_not_count() -> None:
    y = 50 + EDGE + 0.9
    done = race(stages.hairpin(), drive((20, 50), *bump(140, y), (160, 50)))
    assert [t.split()[0] for t in told(done)] == ["start", "checkpoint", "white-line"]
    found = touches(stages.hairpin(), drive((20, 50), *bump(140, y), (160, 50)))
    assert len(found) == 1


def test_on_the_shared_divider_each_leg_has_its_own_far_edge() -> None:
    out = race(stages.shared_divider(), drive((20, 50), *bump(140, 50 + EDGE - 0.4), (205, 50)))
    assert told(out) == ["start", "checkpoint", "brush"]
    way = ((20, 50), (208, 50), (210, 60), (208, 72), *bump(160, 72 - EDGE + 0.4, base=72)[::-1], (30, 72))
    back = race(stages.shared_divider(), drive(*way))
    assert told(back) == ["start", "checkpoint", "brush", "checkpoint", "finish"]
    assert back.events[2].margin_mm == pytest.approx(0.4, abs=0.02)


def test_margins_in_a_bend_are_measured_square_to_the_line() -> None:
    way = [(150 + (30 + EDGE - 0.3) * np.sin(a), 80 - (30 + EDGE - 0.3) * np.cos(a)) for a in np.linspace(0.5, 1.0, 20)]
    done = race(
        stages.bend(), drive((20, 50), (140, 50), *[(float(x), float(y)) for x, y in way], (180, 120), (180, 195))
    )
    (brush,) = [e for e in done.events if e.kind == "brush"]
    assert brush.margin_mm == pytest.approx(0.3, abs=0.03)


def test_a_closed_line_is_broken_towards_its_inside() -> None:
    ok = race(stages.island(), drive((20, 50), (110, 30), *bump(150, 39.5, 20, 30), (190, 30), (280, 50)))
    assert told(ok).count("brush") == 1
    bad = race(stages.island(), drive((20, 50), (110, 30), *bump(150, 40.5, 20, 30), (190, 30), (280, 50)))
    assert [t for t in told(bad) if "white" in t] == ["white-line ignored"]


def test_leaving_by_a_roads_open_end_breaks_no_line() -> None:
    done = race(stages.straight(), drive((20, 50), (296, 50)))
    assert done.verdict == "fair"


def test_ink_beside_a_lines_butt_end_does_not_touch_it() -> None:
    found = touches(stages.jump(), drive((20, 50), (130, 50), (142, 56), (143, 68), (160, 68)))
    assert found == []


def test_ink_round_a_lines_butt_end_counts_as_far_as_it_reaches_into_the_line() -> None:
    (touch,) = touches(stages.jump(), drive((20, 50), (130, 50), (139, 54), (140.5, 60), (141, 61), (150, 61)))
    assert touch.margin.mm > -1.25


def test_coming_onto_a_line_from_outside_is_no_second_break() -> None:
    out = 50 + EDGE + 5
    found = touches(stages.straight(), drive((20, 50), (120, 50), (130, out), (150, out), (160, 50), (280, 50)))
    assert [t.from_outside for t in found] == [False, True]
    assert found[0].margin.mm == pytest.approx(-5, abs=0.02)
    done = race(stages.straight(), drive((20, 50), (120, 50), (130, out), (150, out), (160, 50), (280, 50)))
    assert told(done).count("white-line ignored") == 1


def test_a_gap_in_the_lines_under_a_deck_breaks_no_line_and_is_forgiven_on_the_way_back() -> None:
    way = ((20, 50), (88, 50), (96, 61), (104, 61), (112, 50), (250, 50), (250, 60))
    found = facts_of(stages.bridge(), drive(*way))
    assert not any(
        isinstance(f, Touch) and f.margin.mm < 0 and f.element.startswith("white-line-1") for f in found.items
    )


def test_a_sliver_between_neighbours_is_no_way_off_the_road() -> None:
    stage = stages.two_sections()
    moved = stages._changed(stage, sections=(Section(1, box(5, 40, 139.95, 60)), Section(2, box(140.0, 40, 285, 60))))
    done = race(moved, drive((20, 50), *bump(170, 50 + EDGE - 0.5), (280, 50)))
    assert told(done) == ["start", "checkpoint", "brush", "checkpoint", "finish"]


def test_lines_apart_by_less_than_a_quarter_millimetre_are_one() -> None:
    stage = stages.straight()
    low = [w for w in stage.white_lines if w.points_mm[0][1] < 50]
    cut = [line("a", (1,), [(5, 61), (140, 61)]), line("b", (1,), [(140.2, 61), (285, 61)])]
    apart = [line("a", (1,), [(5, 61), (140, 61)]), line("b", (1,), [(140.4, 61), (285, 61)])]
    for lines, chains in ((cut, 2), (apart, 3)):
        joined = stages._changed(stage, white_lines=(*low, *lines))
        assert len({k.chain for k in board_of(joined).kerbs}) == chains


def test_a_checkpoint_crossed_on_the_white_band_counts() -> None:
    y = 50 + EDGE - 0.3
    done = race(stages.straight(), drive((20, 50), *bump(100, y), (280, 50)))
    assert told(done) == ["start", "brush", "checkpoint", "checkpoint", "finish"] or "checkpoint" in told(done)[1:3]
    assert done.verdict == "fair"


def test_one_long_straight_line_of_two_sections_is_a_kerb_for_each() -> None:
    stage = stages.two_sections()
    lines = [line("low", (1, 2), [(5, 39), (285, 39)]), line("high", (1, 2), [(5, 61), (285, 61)])]
    whole = stages._changed(stage, white_lines=tuple(lines))
    assert sorted((k.element, k.section) for k in kerbs_of(whole)) == [("high", 1), ("high", 2), ("low", 1), ("low", 2)]
    for x in (60, 160, 220):
        done = race(whole, drive((20, 50), *bump(x, 50 + EDGE + 0.5), (280, 50)))
        assert [t for t in told(done) if "white" in t] == ["white-line ignored"]


def test_a_line_drawn_a_little_off_its_road_still_counts() -> None:
    stage = stages.straight()
    off = [line("low", (1,), [(5, 38.2), (285, 38.2)]), line("high", (1,), [(5, 61.8), (285, 61.8)])]
    done = race(stages._changed(stage, white_lines=tuple(off)), drive((20, 50), *bump(140, 50 + EDGE + 1.3), (280, 50)))
    (accident,) = [e for e in done.events if e.kind == "accident"]
    assert accident.margin_mm == pytest.approx(-0.5, abs=0.01)


@pytest.mark.parametrize("turns", [4, 8, 40])
def test_going_round_an_island_is_one_contact_wherever_the_line_is_cut(turns: int) -> None:
    stage = stages.oil(0)
    ring = [(150 + 12 * np.cos(a), 50 + 12 * np.sin(a)) for a in np.linspace(0, 2 * np.pi, turns, endpoint=False)]
    shape = Polygon(ring)
    road = box(5, 20, 285, 80).difference(shape.buffer(1, join_style="mitre", mitre_limit=4))
    made = stages._changed(
        stage,
        sections=(Section(1, road),),
        white_lines=(*stage.white_lines, line("island", (1,), [(float(x), float(y)) for x, y in ring], closed=True)),
    )
    around = shape.buffer(1.25 - 1 + 0.5, join_style="mitre", mitre_limit=4)
    way = [(float(x), float(y)) for x, y in around.exterior.coords]
    (brush,) = [e for e in race(made, drive((20, 50), (110, 28), (180, 28), *way)).events if e.kind == "brush"]
    assert brush.margin_mm == pytest.approx(0.5, abs=0.08)


def test_the_depth_of_an_excursion_round_a_bend_is_to_the_nearest_line() -> None:
    reach = 30 + EDGE + 4
    way = [(float(150 + reach * np.sin(a)), float(80 - reach * np.cos(a))) for a in np.linspace(0, np.pi / 2, 40)]
    found = touches(stages.bend(), drive((20, 50), (130, 50), *way, (150 + reach, 120)))
    assert found[0].margin.mm == pytest.approx(-4, abs=0.1)
