"""Every rule T1 to T11, kept and broken: a position, a deed."""

from __future__ import annotations

import pytest

from referee.turbo.championship import points_of, standings
from referee.turbo.deeds import Move, Stay, deed_text
from referee.turbo.faults import BrokenRule
from referee.turbo.position import Scale, read
from referee.turbo.race import acting, finishing_order, legal, set_up
from tests.rule_pairs import RulePairs
from tests.turbo.play import after, refused, ring, turbo

PAIRS = RulePairs()
keeps, breaks = PAIRS.keeps, PAIRS.breaks


def squares(text: str, vehicle: int, number: int) -> set[str]:
    """Where a vehicle may be moved."""
    deeds = [deed for deed in legal(read(text, turbo())) if isinstance(deed, Move)]
    return {deed.end for deed in deeds if (deed.vehicle, deed.number) == (vehicle, number)}


# ----------------------------------------------------------------------------------------- T1 set-up


@keeps("T1")
@pytest.mark.parametrize(
    ("rounds", "start"),
    [
        ([[3, 6]], "^b37,^a33 b19 * 2 counters"),
        ([[5, 2, 4]], "^a33,^b37,^c41 b19 * 1 counters"),
        ([[1, 2, 6, 4]], "^c41,^d45,^a33,^b37 b19 * 3 counters"),
    ],
)
def test_the_highest_number_starts_inside_and_the_others_follow_clockwise(rounds: list[list[int]], start: str) -> None:
    assert set_up(turbo(), rounds).text == start


@keeps("T1")
def test_those_who_tie_turn_again() -> None:
    assert acting(set_up(turbo(), [[6, 2, 6, 6], [3, 5, 5], [1, 4]])) == 3


@keeps("T1")
def test_players_may_choose_where_the_obstacles_stand() -> None:
    chosen = turbo().dots - {"c4", "a28", "d34"} | {"c5", "b12", "d33"}
    assert set_up(turbo(), [[2, 1]], chosen).obstacles == chosen


@keeps("T1")
def test_the_counters_range_is_a_setting() -> None:
    assert set_up(turbo(), [[2, 9]], scale=Scale(1, 9)).scale.highest == 9


@breaks("T1")
@pytest.mark.parametrize(
    ("rounds", "word"),
    [
        ([], "players"),
        ([[3]], "players"),
        ([[1, 2, 3, 4, 5]], "players"),
        ([[4, 4]], "tie"),
        ([[4, 4], [2, 2]], "tie"),
        ([[4, 4], [2, 2, 1]], "turners"),
        ([[5, 4], [2, 3]], "turners"),
        ([[7, 4]], "shown"),
        ([[0, 4]], "shown"),
    ],
)
def test_a_start_that_is_not_turned_out_is_refused(rounds: list[list[int]], word: str) -> None:
    with pytest.raises(BrokenRule) as broken:
        set_up(turbo(), rounds)
    assert (broken.value.rule, broken.value.word) == ("T1", word)


DOTS = sorted(turbo().dots)


@breaks("T1")
@pytest.mark.parametrize(
    ("obstacles", "word"),
    [
        (DOTS[1:], "obstacles"),
        ([*DOTS[1:], DOTS[1]], "obstacle-square"),
        ([*DOTS[1:], "a33"], "obstacle-square"),
        ([*DOTS[1:], "b19"], "obstacle-square"),
        ([*DOTS[1:], "a24"], "obstacle-square"),
        ([*DOTS[1:], "e1"], "obstacle-square"),
        ([*DOTS[1:], "b27"], "blocked"),
        ([*DOTS[1:], "d10"], "blocked"),
    ],
)
def test_obstacles_that_cannot_stand_so_are_refused(obstacles: list[str], word: str) -> None:
    with pytest.raises(BrokenRule) as broken:
        set_up(turbo(), [[2, 1]], obstacles)
    assert (broken.value.rule, broken.value.word) == ("T1", word)


# ----------------------------------------------------------------------------------------- T2 a turn

TURN = "a5,b4 b19 * 1 own:2,1"


@keeps("T2")
def test_the_own_car_moves_by_one_number_and_another_vehicle_by_the_other_one() -> None:
    assert after("a5,b4 b19 * 1 counters", "counters 2 1").text == TURN
    assert after(TURN, "move 1 1 a6").text == "a6,b4 b19 * 1 other:2"
    assert after(TURN, "move 1 1 a6", "move 2 2 c6").text == "a6,c6 b19 * 2 counters"
    assert after(TURN, "move 1 2 a7", "move ambulance 1 b20").text == "a7,b4 b20 * 2 counters"


@keeps("T2")
def test_two_equal_numbers_are_moved_one_each() -> None:
    assert after("a5,b4 b19 * 1 own:2,2", "move 1 2 a7").text == "a7,b4 b19 * 1 other:2"


@breaks("T2")
@pytest.mark.parametrize(
    ("start", "deed", "word"),
    [
        (TURN, "move 2 1 b5", "own-first"),
        (TURN, "move ambulance 1 b20", "own-first"),
        (TURN, "move 1 3 a8", "other-number"),
        (TURN, "move 1 2 a6", "not-exact"),
        (TURN, "move 1 1 a7", "not-exact"),
        (TURN, "move 1 2 a6-a7-a8", "not-exact"),
        (TURN, "counters 3 3", "turned-already"),
        ("a5,b4 b19 * 1 counters", "move 1 1 a6", "turn-first"),
        ("a5,b4 b19 * 1 counters", "stay", "turn-first"),
        ("a6,b4 b19 * 1 other:2", "move 1 2 a8", "own-again"),
        ("a6,b4 b19 * 1 other:2", "move 2 1 b5", "other-number"),
        ("a6,b4 b19 * 1 other:2", "move 3 2 b5", "nobody"),
    ],
)
def test_what_a_turn_does_not_allow(start: str, deed: str, word: str) -> None:
    assert refused(start, deed) == ("T2", word)


@breaks("T2")
def test_nobody_plays_in_anothers_turn() -> None:
    assert refused(TURN, "move 1 1 a6", player=1) == ("T2", "not-your-turn")


@breaks("T1")
def test_a_counter_shows_no_number_that_it_has_not() -> None:
    assert refused("a5,b4 b19 * 1 counters", "counters 7 1") == ("T1", "shown")


# ----------------------------------------------------------------------------------------- T3 stuck

JAM = "b25,b27 b19 * 1 own:1,3"
"""The chicane's one lane is blocked two squares on."""
STUCK = "b26,b27 b19 * 1 own:1,3"
"""… and here the next one."""


@keeps("T3")
def test_the_only_number_that_can_be_moved_in_full_is_moved() -> None:
    assert [deed_text(deed) for deed in legal(read(JAM, turbo()))] == ["move 1 1 b26"]


@keeps("T3")
def test_a_car_that_is_stuck_stays_and_either_number_moves_another_vehicle() -> None:
    assert list(legal(read(STUCK, turbo()))) == [Stay()]
    assert after(STUCK, "stay").text == "b26,b27 b19 * 1 other:1,3"
    assert after(STUCK, "stay", "move 2 3 b30").text == "b26,b30 b19 * 2 counters"
    assert after(STUCK, "stay", "move ambulance 1 b20").text == "b26,b27 b20 * 2 counters"


@keeps("T3")
def test_a_half_in_which_nothing_can_move_is_lost() -> None:
    blocked = "b28,b26 b27 * 1 other:3"
    assert list(legal(read(blocked, turbo()))) == [Stay()]
    assert after(blocked, "stay").text == "b28,b26 b27 * 2 counters"
    assert refused(blocked, "move 2 3 b29") == ("T4", "taken")


@breaks("T3")
def test_the_number_that_cannot_be_moved_in_full_may_not_be_chosen() -> None:
    assert refused(JAM, "move 1 3 b28") == ("T3", "only-number")


@breaks("T3")
def test_a_car_that_can_move_does_not_stay() -> None:
    assert refused(JAM, "stay") == ("T3", "must-move")
    assert refused("a6,b4 b19 * 1 other:2", "stay") == ("T3", "must-move")


@breaks("T3")
def test_a_car_that_is_stuck_does_not_move() -> None:
    assert refused(STUCK, "move 1 1 b27") == ("T3", "cannot-move")


# ----------------------------------------------------------------------------------------- T4 steps


@keeps("T4")
def test_a_step_goes_ahead_or_diagonally_ahead() -> None:
    assert squares("b1,d1 b19 * 1 own:1,1", 0, 1) == {"a2", "b2", "c2"}
    assert after("b1,d1 b19 * 1 own:2,1", "move 1 2 c2-b3").text == "b3,d1 b19 * 1 other:1"


@breaks("T4")
@pytest.mark.parametrize(
    ("deed", "word"),
    [
        ("move 1 1 b1", "not-forwards"),
        ("move 1 1 a2", "not-forwards"),
        ("move 1 1 c1", "not-forwards"),
        ("move 1 1 c3", "taken"),
        ("move 1 1 d7", "no-way"),
        ("move 1 1 d3-d4", "no-neighbour"),
        ("move 1 2 b3-b2", "not-forwards"),
        ("move 1 2 a3-a4", "taken"),
        ("move obstacle 1 a4", "obstacle"),
    ],
)
def test_a_step_goes_nowhere_else_and_onto_nothing(deed: str, word: str) -> None:
    assert refused("b2,c3 b19 * 1 own:1,2", deed) == ("T4", word)


# ----------------------------------------------------------------------------------------- T5 slipping between


@keeps("T5")
@pytest.mark.parametrize("others", ["b3,d1 b19", "d1,d2 c2", "d1,d2 d7"])
def test_one_vehicle_may_be_overtaken(others: str) -> None:
    one, rest = others.split(",")
    assert "c3" in squares(f"b2,{one},{rest} * 1 own:1,1", 0, 1)


@keeps("T5")
def test_between_two_vehicles_is_not_between_a_vehicle_and_the_hatching() -> None:
    assert "b26" in squares("c27,b25 b19 * 1 own:1,1", 0, 1)


@breaks("T5")
@pytest.mark.parametrize("start", ["b1,b2,c1 b19", "b1,b2 c1", "b1,c1 b2", "b4,b5 d1"])
def test_nobody_slips_between_two_whatever_they_are(start: str) -> None:
    there = "c5" if start.startswith("b4") else "c2"
    assert refused(f"{start} * 1 own:1,1", f"move 1 1 {there}") == ("T5", "between")


@breaks("T5")
def test_nobody_slips_between_two_on_the_ice_going_back() -> None:
    assert refused("b12,b11,a11 b19 * 1 own:1,1", "move 1 1 a10") == ("T5", "between")


# ----------------------------------------------------------------------------------------- T6 yellow lines


@keeps("T6")
@pytest.mark.parametrize(
    ("here", "there"),
    [("c8", "d9"), ("b8", "c9"), ("b16", "c19"), ("c23", "b21"), ("b7", "a8"), ("b9", "a9"), ("c24", "b23")],
)
def test_a_yellow_line_is_crossed_outwards_and_passed_at_its_ends(here: str, there: str) -> None:
    assert there in squares(f"{here},d1 b19 * 1 own:1,1", 0, 1)


@breaks("T6")
@pytest.mark.parametrize(
    ("here", "there"),
    [("c9", "b9"), ("d9", "c9"), ("d10", "c10"), ("c17", "b16"), ("d19", "c18"), ("b21", "c24"), ("a19", "b22")],
)
def test_a_yellow_line_is_not_crossed_inwards_whichever_lane_is_inside(here: str, there: str) -> None:
    assert refused(f"{here},d1 b19 * 1 own:1,1", f"move 1 1 {there}") == ("T6", "yellow-line")


# ----------------------------------------------------------------------------------------- T7 chicane


@keeps("T7")
def test_the_free_lane_of_the_chicane_leads_through() -> None:
    assert squares("b24,d1 b19 * 1 own:5,1", 0, 5) == {"a27", "b29", "c31"}


@breaks("T7")
@pytest.mark.parametrize(("here", "deed"), [("a23", "1 a24"), ("b26", "1 c29"), ("b26", "2 c29-b28"), ("c27", "2 d31")])
def test_hatched_squares_are_neither_entered_nor_crossed(here: str, deed: str) -> None:
    assert refused(f"{here},d1 b19 * 1 own:1,2", f"move 1 {deed}") == ("T7", "hatched")


# ----------------------------------------------------------------------------------------- T8 ice


@keeps("T8")
def test_on_the_ice_a_step_goes_in_all_eight_directions() -> None:
    assert squares("b12,d1 b19 c22 1 own:1,1", 0, 1) == {
        "a10", "a11", "a12", "b11", "b13", "c12", "c13", "c14",
    }  # fmt: skip


@keeps("T8")
def test_on_the_ice_one_move_may_turn_and_come_back_to_a_square() -> None:
    assert after("b12,d1 b19 * 1 own:4,1", "move 1 4 b11-b12-b11-b12").cars[0].square == "b12"


@keeps("T8")
def test_the_ice_is_left_ahead_and_diagonally() -> None:
    assert squares("b13,d1 b19 * 1 own:1,1", 0, 1) >= {"b14", "c15"}


@breaks("T8")
def test_the_ice_is_not_left_backwards() -> None:
    assert refused("a10,d1 b19 * 1 own:1,2", "move 1 1 a9") == ("T8", "off-the-ice")
    assert refused("a10,d1 b19 * 1 own:1,2", "move 1 1 b10") == ("T8", "off-the-ice")
    assert refused("a11,d1 b19 * 1 own:1,2", "move 1 2 a10-a9") == ("T8", "off-the-ice")


@breaks("T8")
def test_the_ice_is_not_left_sideways() -> None:
    patch = ring("..~~....", "..~.+...", "........")
    assert after("b3,c1 b5 * 1 own:1,1", "move 1 1 a3", circuit=patch).cars[0].square == "a3"
    assert refused("b3,c1 b5 * 1 own:1,1", "move 1 1 c3", patch) == ("T8", "off-the-ice")
    assert refused("a4,c1 b5 * 1 own:1,1", "move 1 1 b4", patch) == ("T8", "off-the-ice")


@breaks("T4")
def test_what_is_not_ice_does_not_lead_sideways_onto_it() -> None:
    patch = ring("..~~....", "..~.+...", "........")
    assert refused("c3,c1 b5 * 1 own:1,1", "move 1 1 b3", patch) == ("T4", "not-forwards")


# ----------------------------------------------------------------------------------------- T9 ambulance


@keeps("T9")
def test_the_ambulance_leaves_the_circuit_at_the_line() -> None:
    assert after("a5,b4 b36 * 1 other:3", "move ambulance 3 finish").text == "a5,b4 - * 2 counters"


@keeps("T9")
def test_an_ambulance_that_has_left_is_in_nobodys_way_and_moves_no_more() -> None:
    assert read("a5,b4 - * 1 other:3", turbo()).others == (1,)


@breaks("T9")
def test_the_ambulance_does_not_go_on_behind_the_line() -> None:
    assert refused("a5,b4 b37 * 1 other:1", "move ambulance 1 b1") == ("T9", "behind-the-line")
    assert refused("a5,b4 b36 * 1 other:3", "move ambulance 3 b37-finish-b1") == ("T9", "behind-the-line")


@breaks("T9")
def test_an_ambulance_that_has_left_is_not_moved() -> None:
    assert refused("a5,b4 - * 1 other:1", "move ambulance 1 b1") == ("T9", "off-the-circuit")


# ----------------------------------------------------------------------------------------- T10 finish


@keeps("T10")
def test_the_line_is_crossed_with_any_number_and_the_rest_is_lost() -> None:
    for number in (1, 4, 6):
        done = after(f"a33,b4,c5 b19 * 1 own:{number},1", f"move 1 {number} finish")
        assert done.text == ":1,b4,c5 b19 * 1 other:1"


@keeps("T10")
def test_the_first_crossing_begins_the_lap_and_the_second_one_ends_it() -> None:
    started = after("^a33,^b37 b19 * 1 own:1,1", "move 1 1 a1")
    assert started.text == "a1,^b37 b19 * 1 other:1"


@keeps("T10")
def test_a_car_may_be_moved_across_by_an_opponent() -> None:
    done = after("a5,a33,c5 b19 * 1 other:4", "move 2 4 finish")
    assert (done.text, acting(done)) == ("a5,:1,c5 b19 * 3 counters", 2)


@keeps("T10")
def test_the_race_goes_on_for_the_places_till_one_car_is_left() -> None:
    done = after("a33,:1,c41 b19 * 1 own:2,1", "move 1 2 finish")
    assert done.text == ":2,:1,c41 b19 * 1 over"
    assert finishing_order(done) == (1, 0, 2)


@breaks("T10")
@pytest.mark.parametrize("deed", ["move 1 2 a2", "move 1 2 finish-a2", "move 1 2 a1-a2"])
def test_a_car_does_not_go_on_behind_the_line_after_its_lap(deed: str) -> None:
    assert refused("a33,b4 b19 * 1 own:2,1", deed) == ("T10", "behind-the-line")


@breaks("T10")
def test_a_car_that_has_finished_is_not_moved() -> None:
    assert refused("a5,:1,c5 b19 * 1 other:1", "move 2 1 a1") == ("T10", "off-the-circuit")


@breaks("T10")
@pytest.mark.parametrize("deed", ["counters 1 1", "move 2 1 finish", "stay"])
def test_nothing_goes_on_after_the_last_place(deed: str) -> None:
    assert refused(":1,a33 b19 * 1 over", deed) == ("T10", "over")


@breaks("T10")
def test_there_is_no_order_before_the_end() -> None:
    with pytest.raises(BrokenRule, match=r"^T10: the race is not over: 2 cars"):
        finishing_order(read("a5,b4 b19 * 1 counters", turbo()))


@breaks("T10")
def test_the_first_crossing_is_no_finish() -> None:
    assert refused("^a33,^b37 b19 * 1 own:2,1", "move 1 2 finish")[0] == "T4"


# ----------------------------------------------------------------------------------------- T11 championship


@keeps("T11")
def test_places_are_worth_four_three_two_and_one() -> None:
    assert points_of((2, 0, 3, 1)) == (3, 1, 4, 2)
    assert points_of((1, 0)) == (3, 4)


@keeps("T11")
def test_most_points_win_and_as_many_share_the_win() -> None:
    assert standings([(0, 1, 2), (0, 2, 1)]).winners == (0,)
    done = standings([(0, 1, 2), (1, 0, 2)])
    assert (done.points, done.winners) == ((7, 7, 4), (0, 1))


@breaks("T11")
@pytest.mark.parametrize("orders", [[], [(0,)], [(0, 0)], [(1, 2)], [(0, 1, 2, 3, 4)], [(0, 1), (0, 1, 2)]])
def test_what_is_no_championship_is_refused(orders: list[tuple[int, ...]]) -> None:
    with pytest.raises(BrokenRule) as broken:
        standings(orders)
    assert broken.value.rule == "T11"


def test_no_rule_lacks_its_pair() -> None:
    for rule in (f"T{number}" for number in range(1, 12)):
        assert PAIRS[rule] == {"keeps", "breaks"}, f"{rule} has only {PAIRS[rule]}"
