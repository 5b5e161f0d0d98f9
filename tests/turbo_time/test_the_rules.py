"""Every rule I1 to I6, kept and broken, on tables of one line."""

from __future__ import annotations

import pytest

from referee.turbo_time.cards import CARDS
from referee.turbo_time.faults import BrokenRule
from referee.turbo_time.game import acting, legal, scores, set_up, shuffled
from referee.turbo_time.moves import move_text
from referee.turbo_time.position import Position, read
from referee.turbo_time.scoring import result
from referee.turbo_time.settings import STANDARD, Settings
from referee.turbo_time.toys import Toy, tiles_of
from tests.rule_pairs import RulePairs
from tests.turbo_time.play import POWERS_OF_THREE, POWERS_OF_TWO, TWO, after, all_of, refused

PAIRS = RulePairs()
keeps, breaks = PAIRS.keeps, PAIRS.breaks

SWAPS, PEEKS, PEEK_SWAPS, FLIPS, SHUFFLES = map(all_of, ("swap", "peek", "peek-swap", "flip", "shuffle"))  # type: ignore[arg-type]
RETELLING = Settings(powers=FLIPS.powers, flip="retelling")


def toys(cart: str) -> list[Toy]:
    return [tile.toy for tile in tiles_of(cart)]


def moves(position: Position) -> list[str]:
    return [move_text(move) for move in legal(position)]


# ----------------------------------------------------------------------------------------- I1 set-up


@keeps("I1")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_twelve_toys_lie_on_the_shelf_and_everybody_has_a_booster_and_five_cards(players: int) -> None:
    table = set_up(players, 1, STANDARD.shelf_toys, list(CARDS))
    assert table.text.split()[:3] == [
        "tulg/dmmm/mbbb",
        ",".join("b" * players),
        ",".join(("1-5", "6-10", "11-15", "16-20")[:players]),
    ]
    assert (len(table.deck), table.phase, acting(table)) == (36 - 5 * players, "play", 1)


@keeps("I1")
def test_the_same_seed_lays_the_same_table_and_another_one_another() -> None:
    assert shuffled(3, 0, seed=7) == shuffled(3, 0, seed=7) != shuffled(3, 0, seed=8)


@breaks("I1")
@pytest.mark.parametrize(
    ("players", "leader", "shelf", "deck"),
    [
        (1, 0, STANDARD.shelf_toys, CARDS),
        (5, 0, STANDARD.shelf_toys, CARDS),
        (3, 3, STANDARD.shelf_toys, CARDS),
        (3, -1, STANDARD.shelf_toys, CARDS),
        (3, 0, STANDARD.shelf_toys[:-1], CARDS),
        (3, 0, (*STANDARD.shelf_toys[1:], "booster"), CARDS),
        (3, 0, STANDARD.shelf_toys, range(1, 36)),
        (3, 0, STANDARD.shelf_toys, [1, *range(1, 36)]),
    ],
)
def test_a_table_with_other_players_toys_or_cards_is_not_set_up(
    players: int, leader: int, shelf: tuple[Toy, ...], deck: range
) -> None:
    with pytest.raises(BrokenRule, match="I1"):
        set_up(players, leader, shelf, deck)


# ----------------------------------------------------------------------------------------- I2 the trick


@keeps("I2")
def test_cards_are_played_clockwise_from_the_leader() -> None:
    table = read("tulg/dmmm/mbbb b,b,b 1-5,6-10,11-15 * - 2 - play")
    turns = [acting(after(table, *played)) for played in ([], ["play 6"], ["play 6", "play 11"])]
    assert turns == [1, 2, 0]
    assert after(table, "play 6", "play 11", "play 1").played == (6, 11, 1)


@breaks("I2")
def test_nobody_plays_a_card_of_somebody_else_or_out_of_turn() -> None:
    assert refused(TWO, "play 6") == "I2"
    assert refused(TWO, "play 1", player=1) == "I2"
    assert refused(after(TWO, "play 1"), "play 1") == "I2"


@breaks("I2")
@pytest.mark.parametrize("move", ["take a1", "look a1", "pass", "discard 1", "draw"])
def test_before_all_have_played_nothing_else_is_done(move: str) -> None:
    assert refused(after(TWO, "play 1"), move) == "I2"


@keeps("I2")
def test_powers_go_from_the_highest_card_to_the_lowest() -> None:
    table = read(POWERS_OF_THREE, SWAPS)
    assert [acting(after(table, *["swap a1 a2"] * n)) for n in range(3)] == [2, 1, 0]
    assert after(table, *["swap a1 a2"] * 3).phase == "take"


@breaks("I2")
def test_a_lower_card_does_not_use_its_power_first() -> None:
    assert refused(POWERS_OF_THREE, "swap a1 a2", SWAPS, player=1) == "I2"


@keeps("I2")
def test_the_two_highest_take_a_toy_each_to_the_right_end_of_their_carts() -> None:
    table = after(POWERS_OF_THREE, *["swap a1 a2"] * 3, settings=SWAPS)
    done = after(table, "take c4", "take a1")
    assert done.text.split()[:2] == [".tlg/dmmm/mbb.", "b,bu,bb"]
    assert done.phase == "turbo-time"


@keeps("I2")
def test_a_taken_toy_keeps_its_side_up() -> None:
    table = after("Tulg/dmmm/mbbb b,b,b 2-5,7-10,12-15 * - 1 1.6.11 take", "take a1", "take a2")
    assert table.text.split()[1] == "b,bu,bT"


@breaks("I2")
@pytest.mark.parametrize("move", ["take 1:1", "take 3:9", "take a1", "play 2", "pass"])
def test_only_a_toy_that_is_on_the_shelf_is_taken(move: str) -> None:
    gone = ".ulg/dmmm/mbbb b,b,bt 2-5,7-10,12-15 * - 1 1.6.11 take:1"
    assert refused(gone, move) == "I2"


@breaks("I2")
def test_the_second_highest_does_not_take_first() -> None:
    assert refused("tulg/dmmm/mbbb b,b,b 2-5,7-10,12-15 * - 1 1.6.11 take", "take a1", player=1) == "I2"


@keeps("I2")
def test_of_two_players_the_higher_may_look_at_one_toy_before_both_take() -> None:
    table = after(POWERS_OF_TWO, "swap a1 a2", "swap a1 a2", settings=SWAPS)
    assert (table.phase, acting(table)) == ("peek", 1)
    assert moves(table) == [*(f"look {row}{column}" for row in "abc" for column in "1234"), "pass"]
    for first in ("look c4", "pass"):
        assert after(table, first, "take c4", "take c3").text.split()[1] == "bb,bb"


@breaks("I2")
@pytest.mark.parametrize("move", ["look 1:1", "look 2:2", "take a1", "swap a1 a2"])
def test_before_taking_nothing_but_the_shelf_is_looked_at(move: str) -> None:
    assert refused("tulg/dmmm/mbbb b,b 2-5,7-10 * - 1 1.6 peek", move) == "I2"


@breaks("I2")
def test_three_players_do_not_look_before_taking() -> None:
    table = after(POWERS_OF_THREE, *["swap a1 a2"] * 3, settings=SWAPS)
    assert refused(table, "look a1") == "I2"


# ----------------------------------------------------------------------------------------- I3 the lowest card

TURBO_TIME = "..lg/dmmm/mbbb b,bt,bu 2-5,7-10,12-15 16-36 - 2 6.11.1 turbo-time"
"""Player 1 has the lowest card."""
DECK_OF_TWO = "..lg/dmmm/mbbb b,bt,bu 2-5,7-10,12-15 16.17 18-36 2 6.11.1 turbo-time"


@keeps("I3")
def test_the_lowest_card_throws_cards_away_and_leads_the_next_trick() -> None:
    assert acting(read(TURBO_TIME)) == 0
    done = after(TURBO_TIME, "discard 3 5")
    assert done.text.split()[2:] == ["2.4,7-10,12-15", "16-36", "3.5.6.11.1", "1", "-", "draw"]
    assert after(done, "draw").text.split()[2:6] == ["2.4.16-18,7-10.19,12-15.20", "21-36", "3.5.6.11.1", "1"]
    assert acting(after(done, "draw")) == 0


@keeps("I3")
def test_any_cards_of_the_hand_may_go_or_none() -> None:
    assert len(moves(read(TURBO_TIME))) == 2**4
    assert after(TURBO_TIME, "discard").hands[0] == (2, 3, 4, 5)
    assert after(TURBO_TIME, "discard 2 3 4 5").hands[0] == ()


@breaks("I3")
@pytest.mark.parametrize("move", ["discard 7", "discard 3 3", "discard 1", "draw", "play 2", "take a3"])
def test_nothing_but_cards_of_the_own_hand_are_thrown_away(move: str) -> None:
    assert refused(TURBO_TIME, move) == "I3"


@breaks("I3")
def test_another_than_the_lowest_throws_nothing_away() -> None:
    assert refused(TURBO_TIME, "discard", player=1) == "I3"


@keeps("I3")
def test_an_empty_deck_is_refilled_from_the_shuffled_discards() -> None:
    done = after(DECK_OF_TWO, "discard")
    order = " ".join(map(str, [1, 6, 11, *range(18, 37)]))
    drawn = after(done, f"draw {order}")
    assert drawn.text.split()[2:5] == ["2-5.16,7-10.17,1.12-15", "6.11.18-36", "-"]


@keeps("I3")
def test_a_deck_that_just_suffices_stays_empty_until_somebody_draws() -> None:
    done = after("..lg/dmmm/mbbb b,bt,bu 2-5,7-10,12-15 16-18 19-36 2 6.11.1 turbo-time", "discard", "draw")
    assert (done.deck, len(done.discards)) == ((), 21)


@breaks("I3")
@pytest.mark.parametrize("order", ["", " 18 19", " 1 6 11", " 1 1 6 11"])
def test_the_discards_are_shuffled_whole_when_the_deck_runs_out(order: str) -> None:
    assert refused(after(DECK_OF_TWO, "discard"), f"draw{order}") == "I3"


@breaks("I3")
def test_the_discards_are_not_shuffled_before_the_deck_runs_out() -> None:
    assert refused(after(TURBO_TIME, "discard"), "draw 6 11 1") == "I3"
    assert refused(after(TURBO_TIME, "discard"), "play 2") == "I3"


# ----------------------------------------------------------------------------------------- I4 the powers

LATER = "T.l./dmmm/mbbb bg,Bu 2-5,7-10 * 11.12 1 1.6 powers"
"""Two players after a trick, two toys face up; player 2 has the higher card."""


@keeps("I4")
@pytest.mark.parametrize(
    ("move", "shelf", "carts"),
    [
        ("swap a1 c4", "b.l./dmmm/mbbT", "bg,Bu"),
        ("swap 2:2 a1", "u.l./dmmm/mbbb", "bg,BT"),
        ("swap 2:1 2:2", "T.l./dmmm/mbbb", "bg,uB"),
        ("swap 1:2 2:1", "T.l./dmmm/mbbb", "bB,gu"),
    ],
)
def test_a_swap_lets_two_toys_change_places_each_with_its_side_up(move: str, shelf: str, carts: str) -> None:
    table = after(LATER, move, settings=SWAPS)
    assert table.text.split()[:2] == [shelf, carts]
    assert (acting(table), table.done) == (0, 1)


@breaks("I4")
@pytest.mark.parametrize(
    "move", ["swap a1 a1", "swap a1 a2", "swap a1 1:3", "swap a1 3:1", "look a1", "flip a3", "shuffle 2 1", "pass"]
)
def test_a_swap_needs_two_toys_that_are_there_and_is_not_left_out(move: str) -> None:
    assert refused(LATER, move, SWAPS) == "I4"


@keeps("I4")
def test_a_peek_looks_at_three_toys_and_leaves_the_table_as_it_was() -> None:
    table = after(LATER, "look a1", "look 1:2", settings=PEEKS)
    assert table.text.endswith("powers:0:a1,1:2")
    assert after(table, "look 2:2").text == LATER.replace("*", "13-36") + ":1"


@breaks("I4")
@pytest.mark.parametrize("move", ["look a3", "look a2", "look 4:1", "swap a1 a3", "pass"])
def test_a_peek_looks_at_three_different_toys(move: str) -> None:
    assert refused(after(LATER, "look a3", settings=PEEKS), move) == "I4"


@keeps("I4")
def test_a_peek_and_swap_looks_at_one_and_swaps_any_two() -> None:
    looked = after(LATER, "look a3", settings=PEEK_SWAPS)
    assert after(looked, "swap a3 2:2").text.split()[:2] == ["T.u./dmmm/mbbb", "bg,Bl"]
    assert after(looked, "swap 1:1 2:2").text.split()[:2] == ["T.l./dmmm/mbbb", "ug,Bb"]


@breaks("I4")
def test_a_peek_and_swap_looks_first_and_then_swaps() -> None:
    assert refused(LATER, "swap a1 a3", PEEK_SWAPS) == "I4"
    looked = after(LATER, "look a3", settings=PEEK_SWAPS)
    assert [refused(looked, move) for move in ("look a1", "pass", "swap a3 a3")] == ["I4"] * 3


@keeps("I4")
def test_a_flip_turns_a_toy_face_up_and_may_swap_it_with_one_in_the_own_cart() -> None:
    flipped = after(LATER, "flip a3", settings=FLIPS)
    assert flipped.text.split()[0] == "T.L./dmmm/mbbb"
    assert moves(flipped) == ["swap a3 2:1", "swap a3 2:2", "pass"]
    assert after(flipped, "swap a3 2:2").text.split()[:2] == ["T.u./dmmm/mbbb", "bg,BL"]
    assert after(flipped, "pass").text.split()[:2] == ["T.L./dmmm/mbbb", "bg,Bu"]


@breaks("I4")
def test_a_flip_finds_a_toy_face_down_and_swaps_only_that_one_into_the_own_cart() -> None:
    assert [refused(LATER, move, FLIPS) for move in ("flip a1", "flip a2", "pass", "swap a3 2:1")] == ["I4"] * 4
    flipped = after(LATER, "flip a3", settings=FLIPS)
    wrong = ("swap a3 1:1", "swap a3 a1", "swap a1 2:1", "flip b1", "look b1")
    assert [refused(flipped, move) for move in wrong] == ["I4"] * 5


@keeps("I4")
def test_a_flip_in_the_own_cart_may_swap_within_it() -> None:
    assert moves(after(LATER, "flip 2:2", settings=FLIPS)) == ["swap 2:1 2:2", "pass"]


@keeps("I4")
def test_where_all_toys_lie_face_up_a_flip_does_nothing() -> None:
    table = read("T.L./DMMM/MBBB BG,BU 2-5,7-10 * 11.12 1 1.6 powers", FLIPS)
    assert moves(table) == ["pass"]
    assert after(table, "pass").done == 1


@keeps("I4")
def test_the_flip_of_the_retelling_turns_either_way_and_swaps_nothing() -> None:
    assert after(LATER, "flip a1", settings=RETELLING).text.split()[0] == "t.l./dmmm/mbbb"
    assert after(LATER, "flip a3", settings=RETELLING).done == 1


@breaks("I4")
def test_the_flip_of_the_retelling_is_not_left_out() -> None:
    assert refused(LATER, "pass", RETELLING) == "I4"
    assert refused(LATER, "flip a2", RETELLING) == "I4"


@keeps("I4")
def test_a_shuffle_lays_the_own_cart_anew_all_face_down() -> None:
    assert after(LATER, "shuffle 2 1", settings=SHUFFLES).text.split()[:2] == ["T.l./dmmm/mbbb", "bg,ub"]
    assert after(LATER, "shuffle 1 2", settings=SHUFFLES).text.split()[1] == "bg,bu"


@breaks("I4")
@pytest.mark.parametrize("move", ["shuffle 1", "shuffle 1 1", "shuffle 1 2 3", "shuffle 2 3", "pass", "swap a1 a3"])
def test_a_shuffle_keeps_the_toys_of_the_cart(move: str) -> None:
    assert refused(LATER, move, SHUFFLES) == "I4"


# ----------------------------------------------------------------------------------------- I5 the points


@keeps("I5")
def test_points_are_counted_line_by_line() -> None:
    done = result([toys("tlbb"), toys("udmb"), toys("gmmmb")])
    assert [[line.points for line in score.lines] for score in done.scores] == [[10, 8, 4], [-5, 6, 2, 2], [5, 15, 2]]
    assert [score.points for score in done.scores] == [22, 5, 22]


@keeps("I5")
def test_a_tie_goes_to_the_most_toys_and_is_shared_if_these_are_equal_too() -> None:
    assert (result([toys("tlbb"), toys("gmmmb")]).winners, result([toys("tlbb"), toys("gmmmb")]).tied) == ((1,), (0, 1))
    assert result([toys("bb"), toys("bm"), toys("mb")]).winners == (0, 1, 2)
    assert result([toys("tb"), toys("bbbbb")]).winners == (1,)


@breaks("I5")
def test_the_points_are_not_counted_before_the_end() -> None:
    with pytest.raises(BrokenRule, match="I5: the game is not over: 12 toys are still on the shelf"):
        scores(read(TWO))


@breaks("I5")
def test_more_toys_win_no_game_against_more_points() -> None:
    assert result([toys("tb"), toys("ubbb")]).winners == (0,)


# ----------------------------------------------------------------------------------------- I6 the end

LAST_TAKE = "..../..../...b btlgbb,bmmmmdu 2-5,7-10 * 11-20 1 1.6 take:1"
"""Two players, the last toy: player 1 has the lower card and takes it."""


@keeps("I6")
def test_the_game_is_over_when_the_shelf_is_empty() -> None:
    done = after(LAST_TAKE, "take c4")
    assert (done.phase, acting(done), moves(done)) == ("over", None, [])
    assert [score.points for score in scores(done).scores] == [10 + 8 + 5 + 16, -5 + 6 + 20 + 2]
    assert scores(done).winners == (0,)


@keeps("I6")
def test_a_game_has_six_tricks() -> None:
    table, tricks = read("tulg/dmmm/mbbb b,b 1-5,6-10 * - 1 - play", SHUFFLES), 0
    while table.phase != "over":
        tricks += table.phase == "play" and not table.played
        drawn = f"draw {' '.join(map(str, table.discards))}" if table.phase == "draw" and not table.deck else "draw"
        table = after(table, drawn if table.phase == "draw" else moves(table)[0])
    assert tricks == 6


@breaks("I6")
@pytest.mark.parametrize("move", ["play 2", "take c4", "discard", "draw", "pass"])
def test_nothing_goes_on_after_the_end(move: str) -> None:
    assert refused(after(LAST_TAKE, "take c4"), move) == "I6"


def test_no_rule_lacks_its_pair() -> None:
    for rule in (f"I{number}" for number in range(1, 7)):
        assert PAIRS[rule] == {"keeps", "breaks"}, f"{rule} has only {PAIRS[rule]}"
