"""Every rule R1 to R11, kept and broken, drawn as ink on small stages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from referee.model import Judgement, Mark, Stage, Stroke, UnseenArea
from referee.rules import Rules
from tests.geometry import stages
from tests.geometry.stages import EDGE, bump, drive, race, ring, told
from tests.rule_pairs import RulePairs

PAIRS = RulePairs()
keeps, breaks = PAIRS.keeps, PAIRS.breaks


# ----------------------------------------------------------------------------------------- R1 start


@keeps("R1")
def test_a_race_that_begins_on_the_arrow_is_fair() -> None:
    done = race(stages.straight(), drive((20, 50), (280, 50)))
    assert told(done) == ["start", "checkpoint", "checkpoint", "finish"]
    assert (done.verdict, done.finished, done.accidents) == ("fair", True, 0)


@keeps("R1")
def test_eight_millimetres_before_the_arrow_is_still_a_start() -> None:
    done = race(stages.straight(), drive((8.5, 50), (280, 50)))
    assert told(done)[0] == "start"
    assert done.verdict == "fair"


@breaks("R1")
def test_a_race_that_begins_down_the_road_has_an_ignored_start_accident() -> None:
    done = race(stages.straight(), drive((60, 50), (280, 50)))
    assert told(done) == ["start ignored", "checkpoint", "checkpoint", "finish"]
    assert done.verdict == "ignored-accident"


@breaks("R1")
def test_a_bad_start_is_honoured_by_going_back_to_the_arrow() -> None:
    done = race(stages.straight(), drive((60, 50), (80, 50)), drive((22, 52), (280, 52)))
    assert told(done) == ["start honoured", "restart", "checkpoint", "checkpoint", "finish"]
    assert (done.verdict, done.accidents) == ("fair", 1)


# ----------------------------------------------------------------------------------------- R2 white lines


@keeps("R2")
def test_ink_on_a_white_line_that_stays_within_it_is_a_brush() -> None:
    done = race(stages.straight(), drive((20, 50), *bump(140, 50 + EDGE - 0.5), (280, 50)))
    assert told(done) == ["start", "checkpoint", "brush", "checkpoint", "finish"]
    assert done.events[2].margin_mm == pytest.approx(0.5, abs=0.01)
    assert done.verdict == "fair"


@breaks("R2")
def test_ink_past_the_far_edge_is_a_break() -> None:
    done = race(stages.straight(), drive((20, 50), *bump(140, 50 + EDGE + 1.0), (280, 50)))
    assert told(done) == ["start", "checkpoint", "white-line ignored", "checkpoint", "finish"]
    assert done.events[2].margin_mm == pytest.approx(-1.0, abs=0.01)
    assert done.verdict == "ignored-accident"


@keeps("R2")
def test_a_break_is_placed_where_ink_first_shows_past_the_far_edge() -> None:
    done = race(stages.straight(), drive((20, 50), (120, 50), (160, 50 + EDGE + 3), (170, 50), (280, 50)))
    (accident,) = [e for e in done.events if e.kind == "accident"]
    slope = (EDGE + 3) / 40
    lean = (1 + slope**2) ** 0.5
    assert accident.at_mm[1] == pytest.approx(50 + 12 - WIDTH_ACROSS * lean, abs=0.3)
    assert accident.margin_mm == pytest.approx(-3.0, abs=0.02)


WIDTH_ACROSS = stages.WIDTH / 2


@keeps("R2")
def test_a_contact_with_a_short_break_in_it_is_one_brush() -> None:
    y = 50 + EDGE - 0.5
    wobble = ((134, y), (136, y), (136.6, y - 1.8), (137.2, y - 1.8), (138, y), (140, y))
    done = race(stages.straight(), drive((20, 50), (128, 50), *wobble, (150, 50), (280, 50)))
    assert told(done).count("brush") == 1


@keeps("R2")
def test_contacts_with_more_road_between_them_are_two_brushes() -> None:
    y = 50 + EDGE - 0.5
    done = race(stages.straight(), drive((20, 50), *bump(120, y), *bump(150, y), (280, 50)))
    assert told(done).count("brush") == 2


@breaks("R2")
def test_nothing_after_a_break_is_judged_until_the_next_line() -> None:
    out = 50 + EDGE + 1
    done = race(
        stages.straight(), drive((20, 50), *bump(120, out), *bump(140, out), *bump(160, 39), *bump(200, out), (280, 50))
    )
    assert told(done) == ["start", "checkpoint", "white-line ignored", "checkpoint", "white-line ignored", "finish"]


# ----------------------------------------------------------------------------------------- R3 accidents


@keeps("R3")
def test_a_break_is_honoured_by_a_new_stroke_at_the_last_checkpoint() -> None:
    first = drive((20, 50), (130, 50), (140, 64), (150, 66))
    done = race(stages.straight(), first, drive((106, 48), (280, 48)))
    assert told(done) == ["start", "checkpoint", "white-line honoured", "restart", "checkpoint", "finish"]
    assert [e.restart_element for e in done.events if e.kind == "accident"] == ["checkpoint-1"]
    assert (done.verdict, done.accidents) == ("fair", 1)


@keeps("R3")
def test_before_any_checkpoint_the_restart_is_at_the_arrow() -> None:
    done = race(stages.straight(), drive((20, 50), (60, 64)), drive((30, 50), (280, 50)))
    assert told(done)[:3] == ["start", "white-line honoured", "restart"]
    assert done.events[1].restart_element == "start"


@breaks("R3")
def test_a_new_stroke_anywhere_else_ignores_the_accident() -> None:
    first = drive((20, 50), (130, 50), (140, 64), (150, 66))
    done = race(stages.straight(), first, drive((130, 48), (280, 48)))
    assert told(done) == ["start", "checkpoint", "white-line ignored", "checkpoint", "finish"]
    assert done.verdict == "ignored-accident"


@breaks("R3")
def test_a_crashed_stroke_without_another_is_unfinished() -> None:
    done = race(stages.straight(), drive((20, 50), (130, 50), (140, 64), (150, 66)))
    assert told(done) == ["start", "checkpoint", "white-line unfinished"]
    assert (done.verdict, done.finished) == ("unfinished", False)


@keeps("R3")
def test_a_marker_dragged_back_to_the_checkpoint_has_restarted() -> None:
    way = ((20, 50), (130, 50), (140, 65), (150, 66), (104, 66), (102, 50), (110, 47), (280, 47))
    done = race(stages.straight(), drive(*way))
    assert told(done) == ["start", "checkpoint", "white-line honoured", "restart", "checkpoint", "finish"]
    assert done.verdict == "fair"


@breaks("R3")
def test_a_marker_that_is_dragged_back_only_half_way_has_ignored_its_accident() -> None:
    way = ((20, 50), (130, 50), (140, 65), (150, 66), (125, 66), (124, 50), (130, 47), (280, 47))
    assert race(stages.straight(), drive(*way)).verdict == "ignored-accident"


@keeps("R3")
def test_a_restart_on_the_wrong_road_is_no_restart() -> None:
    crash = drive((20, 50), (150, 50), (152, 36), (150, 33))
    beside = drive((104, 72), (60, 74), (40, 74))
    done = race(stages.hairpin(), crash, beside)
    assert told(done)[2] == "white-line ignored"


# ----------------------------------------------------------------------------------------- R4 golden rule


@keeps("R4")
def test_a_small_gap_in_line_is_a_dry_marker() -> None:
    done = race(stages.straight(), drive((20, 50), (140, 50)), drive((144, 50), (280, 50)))
    assert told(done) == ["start", "checkpoint", "lift", "checkpoint", "finish"]
    assert (done.verdict, done.accidents) == ("fair", 0)
    assert {e.stroke for e in done.events} == {0}
    assert done.path is not None
    assert len(done.path.strokes) == 1


@keeps("R4")
def test_a_gap_of_three_millimetres_is_too_close_to_call() -> None:
    done = race(stages.straight(), drive((20, 50), (140, 50)), drive((145.5, 50), (280, 50)))
    assert told(done) == ["start", "checkpoint", "lift ignored?", "checkpoint", "finish"]
    assert (done.verdict, done.accidents) == ("review", 0)


@keeps("R4")
def test_a_checkpoint_in_a_gap_too_close_to_call_is_not_missed_for_sure() -> None:
    done = race(stages.straight(), drive((20, 50), (177, 50)), drive((182.5, 50), (280, 50)))
    assert told(done) == ["start", "checkpoint", "lift ignored?", "checkpoint", "finish"]
    assert (done.verdict, done.accidents) == ("review", 0)


@keeps("R4")
def test_a_gap_between_square_ends_is_a_dry_marker() -> None:
    before = replace(drive((20, 50), (140, 50)), cut=(False, True))
    after = replace(drive((145.5, 50), (280, 50)), cut=(True, False))
    done = race(stages.straight(), before, after)
    assert told(done) == ["start", "checkpoint", "lift", "checkpoint", "finish"]
    assert (done.verdict, done.accidents) == ("fair", 0)


@breaks("R4")
def test_a_wide_gap_is_a_lift() -> None:
    done = race(stages.straight(), drive((20, 50), (140, 50)), drive((150, 50), (280, 50)))
    assert told(done) == ["start", "checkpoint", "lift ignored", "checkpoint", "finish"]
    assert done.verdict == "ignored-accident"


@breaks("R4")
def test_a_small_gap_out_of_line_is_a_lift() -> None:
    done = race(stages.straight(), drive((20, 50), (140, 50)), drive((140, 54), (150, 56), (280, 50)))
    assert told(done)[2] == "lift ignored"


@breaks("R4")
def test_a_lift_is_honoured_by_a_restart() -> None:
    done = race(stages.straight(), drive((20, 50), (150, 50)), drive((98, 46), (280, 46)))
    assert told(done) == ["start", "checkpoint", "lift honoured", "restart", "checkpoint", "finish"]


@keeps("R4")
def test_the_end_of_the_last_stroke_is_no_lift() -> None:
    done = race(stages.straight(), drive((20, 50), (150, 50)))
    assert told(done) == ["start", "checkpoint"]
    assert done.verdict == "unfinished"


# ----------------------------------------------------------------------------------------- R5 checkpoints


@keeps("R5")
def test_circling_over_a_checkpoint_reports_it_once() -> None:
    way = ((20, 50), (110, 50), (110, 45), (90, 45), (90, 52), (280, 52))
    assert told(race(stages.straight(), drive(*way))) == ["start", "checkpoint", "checkpoint", "finish"]


@breaks("R5")
def test_a_missed_checkpoint_is_found_at_the_next_one() -> None:
    way = ((20, 50), (80, 50), (90, 66), (115, 66), (125, 50), (280, 50))
    quiet = stages._changed(stages.straight(), white_lines=())
    done = race(quiet, drive(*way))
    assert told(done) == ["start", "checkpoint-missed ignored", "finish"]
    assert done.events[1].element == "checkpoint-1"
    assert done.events[1].at_mm[0] == pytest.approx(180, abs=0.1)


@breaks("R5")
def test_a_missed_checkpoint_found_at_the_finish_is_honoured_by_going_back() -> None:
    quiet = stages._changed(stages.straight(), white_lines=())
    way = ((20, 50), (160, 50), (170, 66), (195, 66), (205, 50), (270, 50))
    done = race(quiet, drive(*way), drive((104, 50), (270, 48)))
    assert told(done) == ["start", "checkpoint", "checkpoint-missed honoured", "restart", "checkpoint", "finish"]
    assert (done.verdict, done.finished) == ("fair", True)


@breaks("R5")
def test_a_missed_checkpoint_found_at_the_finish_and_left_at_that_is_ignored() -> None:
    quiet = stages._changed(stages.straight(), white_lines=())
    way = ((20, 50), (160, 50), (170, 66), (195, 66), (205, 50), (270, 50))
    done = race(quiet, drive(*way))
    assert told(done) == ["start", "checkpoint", "checkpoint-missed ignored"]
    assert (done.verdict, done.finished) == ("ignored-accident", True)


@breaks("R3")
def test_what_is_drawn_after_an_accident_ignored_at_the_finish_is_no_part_of_the_race() -> None:
    quiet = stages._changed(stages.straight(), white_lines=())
    way = ((20, 50), (160, 50), (170, 66), (195, 66), (205, 50), (270, 50))
    done = race(quiet, drive(*way), drive((150, 44), (170, 44)), drive((230, 44), (250, 44)))
    assert told(done) == ["start", "checkpoint", "checkpoint-missed ignored"]
    assert (done.verdict, done.accidents, done.finished) == ("ignored-accident", 1, True)


# ----------------------------------------------------------------------------------------- R6 jumps


@keeps("R6")
def test_a_jump_from_zone_to_zone_is_no_lift() -> None:
    done = race(stages.jump(), drive((20, 50), (130, 50)), drive((180, 50), (280, 50)))
    assert told(done) == ["start", "checkpoint", "jump", "landing", "checkpoint", "finish"]
    assert done.verdict == "fair"
    assert [e.margin_mm for e in done.events if e.kind in ("jump", "landing")] == pytest.approx([10, 10], abs=0.01)


@breaks("R6")
def test_lifting_short_of_the_zone_is_a_failed_jump() -> None:
    done = race(stages.jump(), drive((20, 50), (115, 50)), drive((180, 50), (280, 50)))
    assert told(done) == ["start", "checkpoint", "jump ignored", "landing", "checkpoint", "finish"]
    assert done.events[2].element == "jump-1"
    assert done.events[2].margin_mm == pytest.approx(-5, abs=0.01)


@breaks("R6")
def test_landing_outside_the_zone_is_a_failed_jump_of_the_new_stroke() -> None:
    wrong, again = drive((195, 50), (205, 50)), drive((92, 50), (130, 50))
    done = race(stages.jump(), drive((20, 50), (130, 50)), wrong, again, drive((180, 50), (280, 50)))
    assert told(done) == [
        "start", "checkpoint", "jump", "jump honoured", "restart", "jump", "landing", "checkpoint", "finish",
    ]  # fmt: skip
    assert done.events[3].element == "landing-1"
    assert done.events[3].margin_mm == pytest.approx(-5, abs=0.01)


@breaks("R6")
def test_driving_on_through_the_zone_is_a_failed_jump_without_a_margin() -> None:
    done = race(stages.jump(), drive((20, 50), (280, 50)))
    assert told(done) == ["start", "checkpoint", "jump ignored", "checkpoint", "finish"]
    assert done.events[2].margin_mm is None
    assert done.events[2].at_mm[0] == pytest.approx(140, abs=0.1)


@breaks("R6")
def test_landing_in_another_patterns_zone_is_a_failed_jump() -> None:
    done = race(stages.two_jumps(), drive((20, 50), (88, 50)), drive((222, 50), (280, 50)))
    assert told(done)[1:3] == ["jump", "jump ignored"]
    assert done.events[2].element == "landing-1"


@breaks("R6")
def test_setting_down_again_in_the_same_zone_is_a_failed_jump() -> None:
    done = race(stages.jump(), drive((20, 50), (124, 50)), drive((134, 54), (138, 54)), drive((180, 50), (280, 50)))
    assert told(done)[2:4] == ["jump", "jump ignored"]


@breaks("R6")
def test_lifting_far_before_a_jump_is_a_lift_and_near_it_a_jump() -> None:
    near = race(stages.jump(), drive((20, 50), (106, 50)), drive((150, 50), (155, 50)))
    far = race(stages.jump(), drive((20, 50), (104, 50)), drive((150, 50), (155, 50)))
    assert (told(near)[2], told(far)[2]) == ("jump ignored", "lift ignored")


# ----------------------------------------------------------------------------------------- R7 bridges

ROUND = ((20, 50), (245, 50), (245, 195), (205, 195), (205, 20), (104, 20), (104, 30))


@keeps("R7")
def test_under_a_bridge_the_upper_roads_lines_do_not_count() -> None:
    done = race(
        stages.bridge(), drive((20, 50), (200, 50), (250, 50), (250, 195), (200, 195), (200, 15), (100, 15), (100, 175))
    )
    assert done.verdict == "fair"
    assert told(done) == ["start", "checkpoint", "checkpoint", "finish"]


@keeps("R7")
def test_a_car_that_brushes_its_line_and_goes_under_a_bridge_has_not_left_its_road() -> None:
    done = race(stages.bridge(), drive((20, 50), (70, 50), (80, 60.6), (120, 60.6), (130, 50), *ROUND[1:], (104, 175)))
    assert told(done) == ["start", "brush", "brush", "checkpoint", "checkpoint", "finish"]


@breaks("R7")
@pytest.mark.parametrize("y", [61.3, 62.8])
def test_coming_out_from_under_a_bridge_past_the_line_is_a_break(y: float) -> None:
    done = race(stages.bridge(), drive((20, 50), (92, 50), (104, y), (125, y)), drive((22, 50), *ROUND[1:], (104, 175)))
    assert told(done) == ["start", "white-line honoured", "restart", "checkpoint", "checkpoint", "finish"]


@breaks("R7")
def test_on_the_bridge_its_lines_count() -> None:
    way = (
        (20, 50),
        (200, 50),
        (250, 50),
        (250, 195),
        (200, 195),
        (200, 15),
        (100, 15),
        (100, 40),
        (113, 50),
        (100, 60),
    )
    done = race(stages.bridge(), drive(*way, (100, 175)))
    assert told(done) == ["start", "checkpoint", "checkpoint", "white-line ignored", "finish"]


@breaks("R7")
def test_turning_onto_the_other_road_under_a_bridge_is_found_at_the_next_line() -> None:
    done = race(stages.bridge(), drive((20, 50), (100, 50), (100, 80), (111, 90), (100, 100), (100, 175)))
    assert told(done) == ["start", "checkpoint-missed ignored"]
    assert done.events[1].element == "checkpoint-1"


# ----------------------------------------------------------------------------------------- R8 turbo boost


@keeps("R8")
def test_a_boost_that_ends_in_its_slowdown_zone_is_fair() -> None:
    done = race(stages.boost(), drive((20, 50), (140, 50), (157, 55), (280, 50)))
    assert told(done) == ["start", "checkpoint", "acceleration", "slowdown", "checkpoint", "finish"]


@breaks("R8")
def test_a_boost_past_its_slowdown_zone_is_found_at_the_next_line() -> None:
    done = race(stages.boost(), drive((20, 46), (280, 46)))
    assert told(done) == ["start", "checkpoint", "acceleration", "slowdown-missed ignored", "finish"]
    assert done.events[3].element == "checkpoint-2"


@keeps("R8")
def test_with_nitro_the_next_checkpoint_is_the_slowdown_zone() -> None:
    rules = Rules(mode="competitive", nitro=True)
    assert race(stages.boost(), drive((20, 46), (280, 46)), rules=rules).verdict == "fair"


# ----------------------------------------------------------------------------------------- R9 oil spills

DIP = ((95, 50), (110, 45.4), (120, 50))
"""Ink that touches oil-spill-1 (its reach ends at y = 44.7)."""


@keeps("R9")
def test_three_clear_donuts_pay_for_a_wipeout() -> None:
    done = race(stages.oil(), drive((20, 50), *DIP, *ring(150, 50), *ring(170, 50), *ring(190, 50), (280, 50)))
    assert told(done) == ["start", "checkpoint", "wipeout", "donut", "donut", "donut", "checkpoint", "finish"]
    assert (done.verdict, done.donuts) == ("fair", 3)


@keeps("R9")
def test_passing_close_to_the_oil_is_no_wipeout() -> None:
    done = race(stages.oil(), drive((20, 50), (95, 50), (110, 46.5), (120, 50), (280, 50)))
    assert told(done) == ["start", "checkpoint", "checkpoint", "finish"]
    assert [n.element for n in done.near_misses] == ["oil-spill-1"]


@breaks("R9")
def test_two_donuts_are_not_enough() -> None:
    done = race(stages.oil(), drive((20, 50), *DIP, *ring(150, 50), *ring(170, 50), (280, 50)))
    assert told(done) == ["start", "checkpoint", "wipeout", "donut", "donut", "donuts-missing ignored", "finish"]
    assert done.donuts == 2


@breaks("R9")
def test_rings_that_overlap_are_not_clear() -> None:
    rings = (*ring(150, 50), *ring(155, 50), *ring(190, 50))
    done = race(stages.oil(), drive((20, 50), *DIP, *rings, (280, 50)))
    assert told(done)[-2:] == ["donuts-missing ignored", "finish"]
    assert done.donuts == 2


@keeps("R9")
def test_a_spoilt_ring_may_be_redone() -> None:
    rings = (*ring(150, 50), *ring(155, 50), *ring(175, 50), *ring(195, 50))
    done = race(stages.oil(), drive((20, 50), *DIP, *rings, (280, 50)))
    assert (done.verdict, done.donuts) == ("fair", 3)


@breaks("R9")
def test_a_ring_without_board_inside_is_no_donut() -> None:
    rings = (*ring(150, 50), *ring(170, 50), *ring(190, 50, 1.6))
    assert race(stages.oil(), drive((20, 50), *DIP, *rings, (280, 50))).donuts == 2


@breaks("R9")
def test_an_accident_cancels_the_donuts_that_are_owed() -> None:
    first = drive((20, 50), *DIP, *ring(150, 50), (180, 50), (190, 85))
    done = race(stages.oil(), first, drive((92, 52), (280, 52)))
    assert told(done) == ["start", "checkpoint", "wipeout", "white-line honoured", "restart", "checkpoint", "finish"]
    assert (done.verdict, done.donuts) == ("fair", 0)


@breaks("R9")
def test_two_spills_owe_six_donuts() -> None:
    dips = ((95, 50), (110, 45.4), (120, 50), (130, 45.4), (140, 50))
    three = (*ring(160, 50), *ring(175, 50), *ring(190, 50))
    assert race(stages.oil(2), drive((20, 50), *dips, *three, (280, 50))).verdict == "ignored-accident"
    six = (*three, *ring(202, 50), *ring(214, 50), *ring(226, 50))
    done = race(stages.oil(2), drive((20, 50), *dips, *six, (280, 50)))
    assert (done.verdict, done.donuts) == ("fair", 6)


# ----------------------------------------------------------------------------------------- R10 and the count


@keeps("R10")
def test_entering_and_leaving_a_pipe_are_reported() -> None:
    done = race(stages.pipe(), drive((20, 50), (280, 50)))
    assert told(done) == ["start", "checkpoint", "pipe-enter", "pipe-exit", "checkpoint", "finish"]
    assert [e.at_mm[0] for e in done.events[2:4]] == pytest.approx([120, 150], abs=0.01)


# ----------------------------------------------------------------------------------------- R11 gadgets

COMPETITIVE = Rules(mode="competitive")
ROPE = stages.rope(140)
"""Its solid line is 1 mm wide; its dotted lines run at 131 and 149."""
MINE = stages.mine(140, 50)
"""From 135.9 to 144.1."""


def raced(*strokes: Stroke, drawn: Sequence[Mark], rules: Rules = COMPETITIVE, stage: Stage | None = None) -> Judgement:
    return race(stage or stages.straight(), *strokes, rules=rules, drawn=drawn)


@keeps("R11")
def test_a_rope_jumped_between_its_lines_is_fair() -> None:
    done = raced(drive((20, 50), (136, 50)), drive((145, 50), (280, 50)), drawn=ROPE)
    assert told(done) == ["start", "checkpoint", "gadget", "checkpoint", "finish"]
    assert (done.verdict, done.accidents) == ("fair", 0)
    gadget = done.events[2]
    assert (gadget.element, gadget.rule) == ("clothesline-1", "R11")
    assert gadget.at_mm[0] == pytest.approx(136, abs=0.1)
    assert gadget.margin_mm == pytest.approx(4 - 1.25 - 0.5, abs=0.05)  # from the ink's edge to the rope's


@keeps("R11")
def test_the_centre_of_the_tip_decides_at_a_dotted_line() -> None:
    done = raced(drive((20, 50), (131.4, 50)), drive((148.6, 50), (280, 50)), drawn=ROPE)
    assert told(done)[2] == "gadget"
    assert done.events[2].margin_mm == pytest.approx(0.4, abs=0.05)


@keeps("R11")
def test_a_rope_may_be_jumped_by_a_gap_that_would_pass_for_a_dry_marker() -> None:
    done = raced(drive((20, 50), (137.6, 50)), drive((142.4, 50), (280, 50)), drawn=ROPE)
    assert told(done) == ["start", "checkpoint", "gadget", "checkpoint", "finish"]
    assert done.events[2].margin_mm == pytest.approx(2.4 - 1.25 - 0.5, abs=0.05)


@breaks("R11")
def test_driving_on_through_a_rope_is_an_accident() -> None:
    done = raced(drive((20, 50), (280, 50)), drawn=ROPE)
    assert told(done) == ["start", "checkpoint", "clothesline ignored", "checkpoint", "finish"]
    assert done.verdict == "ignored-accident"
    assert done.events[2].at_mm[0] == pytest.approx(139.5 - 1.25, abs=0.3)


@breaks("R11")
def test_touching_the_solid_line_is_crossing_it() -> None:
    done = raced(drive((20, 50), (138.6, 50)), drive((145, 50), (280, 50)), drawn=ROPE)
    assert told(done)[2] == "clothesline ignored"
    free = replace(COMPETITIVE, rope_touch_is_crossing=False)
    done = raced(drive((20, 50), (138.6, 50)), drive((145, 50), (280, 50)), drawn=ROPE, rules=free)
    assert told(done)[2] == "gadget"


@breaks("R11")
def test_setting_down_on_the_solid_line_is_one_accident() -> None:
    done = raced(drive((20, 50), (136, 50)), drive((141.5, 50), (280, 50)), drawn=ROPE)
    assert told(done) == ["start", "checkpoint", "clothesline ignored", "checkpoint", "finish"]


@breaks("R11")
def test_lifting_before_the_first_dotted_line_is_an_accident_there() -> None:
    done = raced(drive((20, 50), (127, 50)), drive((145, 50), (280, 50)), drawn=ROPE)
    assert told(done) == ["start", "checkpoint", "clothesline ignored", "checkpoint", "finish"]
    assert done.events[2].at_mm[0] == pytest.approx(127, abs=0.1)
    assert done.events[2].margin_mm == pytest.approx(-4, abs=0.05)


@breaks("R11")
def test_landing_beyond_the_second_dotted_line_is_an_accident_of_the_new_stroke() -> None:
    again = drive((102, 47), (280, 47))
    done = raced(drive((20, 50), (136, 50)), drive((154, 50), (160, 50)), again, drawn=ROPE)
    assert told(done) == ["start", "checkpoint", "clothesline honoured", "restart", "checkpoint", "finish"]
    assert (done.verdict, done.accidents) == ("fair", 1)
    assert done.events[2].at_mm[0] == pytest.approx(154, abs=0.1)
    assert done.events[2].margin_mm == pytest.approx(-5, abs=0.05)


@breaks("R11")
def test_landing_before_the_rope_again_is_an_accident() -> None:
    done = raced(drive((20, 50), (136, 48)), drive((134, 54), (136.5, 54)), drive((145, 50), (280, 50)), drawn=ROPE)
    assert told(done)[2] == "clothesline ignored"


@keeps("R11")
def test_after_the_accident_the_rope_is_gone_and_the_retry_runs_through_its_place() -> None:
    done = raced(drive((20, 50), (150, 50)), drive((102, 47), (280, 47)), drawn=ROPE)
    assert told(done) == ["start", "checkpoint", "clothesline honoured", "restart", "checkpoint", "finish"]
    assert (done.verdict, done.accidents) == ("fair", 1)


@keeps("R11")
def test_a_rope_that_was_jumped_well_is_still_there_after_another_accident() -> None:
    first = (drive((20, 50), (136, 50)), drive((145, 50), (160, 50), (166, 64)))
    again = drive((102, 46), (280, 46))
    done = raced(*first, again, drawn=ROPE)
    assert told(done)[2:6] == ["gadget", "white-line honoured", "restart", "clothesline ignored"]


@breaks("R11")
def test_lifting_far_before_a_rope_is_a_lift_unless_the_next_stroke_begins_beyond_it() -> None:
    far, near = drive((20, 50), (114, 50)), drive((20, 50), (117, 50))
    back = drive((102, 47), (136, 47)), drive((145, 47), (280, 47))
    assert told(raced(far, *back, drawn=ROPE))[2:5] == ["lift honoured", "restart", "gadget"]
    assert told(raced(near, *back, drawn=ROPE))[2:4] == ["clothesline honoured", "restart"]
    assert told(raced(far, drive((160, 50), (280, 50)), drawn=ROPE))[2] == "clothesline ignored"


@keeps("R11")
def test_nothing_says_more_than_it_measured_at_a_rope_that_is_barely_missed() -> None:
    before = drive((20, 50), (138.2, 50), sigma=0.1)
    done = raced(before, drive((145, 50), (280, 50)), drawn=ROPE)
    assert (done.verdict, done.accidents) == ("review", 0)
    assert [reason.code for reason in done.reasons] == ["too-close"]


@keeps("R11")
def test_a_jump_is_no_jump_over_a_rope_that_lies_behind_its_landing() -> None:
    done = raced(drive((20, 50), (130, 50)), drive((180, 50), (202, 50)), drawn=stages.rope(205), stage=stages.jump())
    assert told(done) == ["start", "checkpoint", "jump", "landing"]


@keeps("R11")
def test_a_rope_on_one_leg_of_a_hairpin_means_nothing_on_the_other() -> None:
    done = raced(drive((20, 50), (150, 50)), drive((98, 47), (150, 47)), drawn=turned_rope(), stage=stages.hairpin())
    assert told(done)[2] == "lift honoured"


def turned_rope() -> list[Mark]:
    """A rope across the way back of the hairpin, above where the way there is driven."""
    moved = stages.rope(160)
    return [Mark(one.outline_mm + [0.0, 24.0], one.holes_mm, one.sigma_mm) for one in moved]


@keeps("R11")
def test_other_sizes_of_rope_are_read_from_what_was_drawn() -> None:
    wide = stages.rope(140, dotted=14.0, pen=2.0)
    done = raced(drive((20, 50), (128, 50)), drive((152, 50), (280, 50)), drawn=wide)
    assert told(done) == ["start", "checkpoint", "gadget", "checkpoint", "finish"]


@keeps("R11")
def test_passing_beside_a_mine_is_fair() -> None:
    done = raced(drive((20, 50), (130, 50), (135, 56), (145, 56), (150, 50), (280, 50)), drawn=MINE)
    assert told(done) == ["start", "checkpoint", "checkpoint", "finish"]
    assert [gadget.id for gadget in done.gadgets] == ["mine-1"]


@breaks("R11")
def test_touching_a_mine_is_an_accident() -> None:
    done = raced(drive((20, 50), (130, 50), (138, 54.5), (150, 54.5), (280, 50)), drawn=MINE)
    assert told(done) == ["start", "checkpoint", "mine ignored", "checkpoint", "finish"]
    assert done.events[2].element == "mine-1"
    assert done.events[2].margin_mm == pytest.approx(4.5 - 4.1 - 1.25, abs=0.05)


@keeps("R11")
def test_after_the_accident_the_mine_is_gone() -> None:
    done = raced(drive((20, 50), (142, 50)), drive((102, 48), (280, 48)), drawn=MINE)
    assert told(done) == ["start", "checkpoint", "mine honoured", "restart", "checkpoint", "finish"]
    assert done.verdict == "fair"


@keeps("R11")
def test_a_mine_has_no_effect_where_the_teams_race_together() -> None:
    done = raced(drive((20, 50), (280, 50)), drawn=MINE, rules=Rules())
    assert told(done) == ["start", "checkpoint", "checkpoint", "finish"]
    assert [(g.id, g.fault.code if g.fault else None) for g in done.gadgets] == [("mine-1", "competitive-only")]


@keeps("R11")
def test_gadgets_are_counted_along_the_course() -> None:
    drawn = [*stages.rope(230), *stages.mine(210, 50), *stages.rope(70), *stages.mine(140, 46)]
    done = raced(drive((20, 50), (30, 50)), drawn=drawn)
    named = {gadget.id: round(gadget.at_mm[0]) for gadget in done.gadgets}
    assert named == {"clothesline-1": 70, "mine-1": 140, "mine-2": 210, "clothesline-2": 230}


MISPLACED = {
    "touches-zone": (stages.jump(), stages.rope(131)),
    "short-of-white-line": (stages.straight(), stages.rope(140, y1=54.0)),
    "touches-white-line": (stages.straight(), stages.mine(140, 57.5)),
}


@breaks("R11")
@pytest.mark.parametrize("code", MISPLACED)
def test_a_gadget_against_its_rule_is_reported(code: str) -> None:
    stage, drawn = MISPLACED[code]
    (gadget,) = raced(drive((20, 50), (30, 50)), drawn=drawn, stage=stage).gadgets
    assert gadget.fault is not None
    assert gadget.fault.code == code


@keeps("R11")
@pytest.mark.parametrize("drawn", [ROPE, stages.rope(140, y0=41.0, y1=59.0), MINE, stages.mine(140, 55.6)])
def test_a_gadget_as_it_should_be_is_no_fault(drawn: Sequence[Mark]) -> None:
    (gadget,) = raced(drive((20, 50), (30, 50)), drawn=drawn).gadgets
    assert gadget.fault is None


@breaks("R11")
def test_whether_a_gadget_counts_that_may_not_be_there_is_for_a_person() -> None:
    stage, drawn = MISPLACED["touches-white-line"]
    done = raced(drive((20, 50), (130, 50), (135, 54), (145, 54), (150, 50), (280, 50)), drawn=drawn, stage=stage)
    assert (done.verdict, done.accidents) == ("review", 0)
    (reason,) = done.reasons
    assert (reason.code, reason.question is not None) == ("misplaced", True)


@keeps("R11")
def test_a_lift_where_the_baseline_shows_nothing_is_a_question() -> None:
    hidden = (UnseenArea("covered", np.array([[135.0, 40.0], [150.0, 40.0], [150.0, 60.0], [135.0, 60.0]])),)
    strokes = drive((20, 50), (130, 50)), drive((152, 50), (280, 50))
    done = race(stages.straight(), *strokes, rules=COMPETITIVE, unseen_before=hidden)
    assert (done.verdict, done.accidents) == ("review", 0)
    assert len(done.unseen_before) == 1


def test_no_rule_lacks_its_pair() -> None:
    for rule in (f"R{number}" for number in (*range(1, 10), 11)):
        assert PAIRS[rule] == {"keeps", "breaks"}, f"{rule} has only {PAIRS[rule]}"
