"""A competitive race, from the two teams to the winner (R12)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import pytest

from referee.race import match
from referee.race.drive import COUNTDOWN_MS, Call, Reason
from referee.race.match import (
    AWARDS,
    Agreed,
    Award,
    BoardSeen,
    BoardVouched,
    CallOff,
    Cheated,
    ChooseStage,
    CountDown,
    Crossed,
    Event,
    GiveUp,
    Judged,
    Match,
    NotYet,
    Onward,
    Phase,
    SitDown,
    Standing,
    StartOver,
    TakeCar,
    Team,
    Terms,
    WarmUpOver,
    WasFirst,
    WithoutCars,
    award,
    chooser,
    gadget_on_board_of,
    has_nitro,
    offered_stages,
    reasons,
    suggested_drivers,
    waits_for_a_person,
    winner,
    wins,
)
from tests.race.moments import Machine
from tests.race.play import refused

FAIR = Call("fair")
IGNORED = Call("ignored-accident", accidents=1)
UNFINISHED = Call("unfinished")
OPEN = Call("review")
NOVICES = SitDown(("Ada", "Béa"), ("Cem", "Dan", "Eli"), youngest="B", everybody_knows=False)
MASTERS = replace(NOVICES, everybody_knows=True)


@dataclass
class Game:
    """Two teams at a table."""

    match: Match = field(default_factory=lambda: Match("match-1"))
    machine: Machine = field(default_factory=Machine)

    def does(self, *events: Event) -> Game:
        for event in events:
            self.match = match.step(self.match, event, self.machine.now())
        return self

    def waits(self, ms: int) -> Game:
        self.machine.after(ms)
        return self

    def races(self, first: Team = "A", ms: int = 30_000) -> Game:
        """From the boards to the first team across the finish."""
        return self.does(CountDown(0, 0)).waits(COUNTDOWN_MS + ms).does(Crossed(first))

    def wins(self, team: Team, stage: int = 1) -> Game:
        """A whole stage, won by a team, and on to the next."""
        self.does(ChooseStage(chooser(self.match), stage))
        return self.races(team).does(Judged(team, FAIR))

    @property
    def phase(self) -> Phase:
        return match.phase(self.match, self.machine.now())

    @property
    def award(self) -> Award | None:
        return award(self.match.heat, self.match.terms)

    def ms(self, team: Team) -> int:
        clock = self.match.heat.clock(team)
        assert clock is not None
        return clock.reading(self.machine.now()).ms


def at_the_boards(terms: Terms | None = None, stage: int = 1) -> Game:
    """Two teams that do not all know the game, their stage chosen."""
    game = Game(Match("match-1", terms or Terms()))
    return game.does(NOVICES, ChooseStage("B", stage), WarmUpOver())


def with_cars(a: str, b: str) -> Game:
    """Two teams that know the game, with their cars."""
    return Game().does(MASTERS, ChooseStage("B", 7), TakeCar("A", a), TakeCar("B", b))


# ----------------------------------------------------------------------------------------- who chooses what


def test_the_team_with_the_youngest_player_chooses_the_first_stage() -> None:
    game = Game().does(NOVICES)
    assert (game.phase, chooser(game.match)) == ("stage", "B")
    assert refused(lambda: game.does(ChooseStage("A", 1))).values == {"team": "B"}


def test_first_games_are_offered_the_first_four_stages_and_may_take_others() -> None:
    game = Game().does(NOVICES)
    assert offered_stages(game.match, range(1, 17)) == (1, 2, 3, 4)
    assert offered_stages(game.match, [5, 11]) == (5, 11)
    assert offered_stages(Game().does(MASTERS).match, [1, 5, 11]) == (1, 5, 11)
    assert game.does(ChooseStage("B", 13)).match.heat.stage == 13


def test_somebody_new_brings_a_lap_to_warm_up_that_leaves_no_trace() -> None:
    game = Game().does(NOVICES, ChooseStage("B", 1))
    assert game.phase == "warm-up"
    assert refused(lambda: game.does(CountDown(0, 0))).word == "not-now"
    assert game.does(WarmUpOver()).phase == "boards"
    assert game.match.heats == at_the_boards().match.heats


def test_the_other_team_chooses_its_car_first() -> None:
    game = Game().does(MASTERS, ChooseStage("B", 7))
    assert game.phase == "cars"
    assert refused(lambda: game.does(TakeCar("B", "mine"))).values == {"team": "A"}
    game.does(TakeCar("A", " Mine "))
    assert refused(lambda: game.does(TakeCar("B", "MINE"))).word == "taken"
    assert refused(lambda: game.does(TakeCar("B", " "))).word == "no-car"
    assert refused(lambda: game.does(TakeCar("B", "ﬄ" * 30))).word == "no-car"
    game.does(TakeCar("B", "Turbo Toaster"))
    assert (game.phase, game.match.cars) == ("boards", ("mine", "turbo toaster"))


def test_cars_are_for_those_who_know_the_game_and_may_stay_in_the_box() -> None:
    assert refused(lambda: Game().does(NOVICES, ChooseStage("B", 1), TakeCar("A", "mine"))).word == "not-now"
    game = Game().does(MASTERS, ChooseStage("B", 7), TakeCar("A", "mine"), WithoutCars())
    assert (game.phase, game.match.cars) == ("boards", (None, None))


def test_cars_are_kept_for_the_whole_game() -> None:
    game = with_cars("nitro", "turbo toaster").races("A").does(Judged("A", FAIR), Onward(), ChooseStage("B", 8))
    assert (game.phase, game.match.cars) == ("boards", ("nitro", "turbo toaster"))
    assert has_nitro(game.match, "A")
    assert not has_nitro(game.match, "B")


def test_the_chooser_may_change_its_mind_before_the_start() -> None:
    game = at_the_boards(stage=1).does(BoardSeen("A", 1, wiped=True), ChooseStage("B", 2))
    assert (game.phase, game.match.heat.stage, game.match.heat.lane("A").drive.board) == ("boards", 2, "unseen")
    assert len(game.match.heats) == 1


@pytest.mark.parametrize(
    ("wrong", "word"),
    [
        (replace(NOVICES, a=("Ada",)), "no-team"),
        (replace(NOVICES, b=("Cem", "Dan", "Eli", "Fay")), "no-team"),
        (replace(NOVICES, a=("Ada", "cem")), "namesakes"),
        (replace(NOVICES, a=("Ada", "\u202eBob")), "no-team"),
    ],
)
def test_what_are_not_two_teams_is_refused(wrong: SitDown, word: str) -> None:
    assert refused(lambda: Game().does(wrong)).word == word


def test_teams_may_sit_down_anew_until_they_have_raced() -> None:
    game = at_the_boards().does(replace(NOVICES, youngest="A"))
    assert (game.phase, chooser(game.match)) == ("stage", "A")
    game.does(ChooseStage("A", 1), WarmUpOver()).races().does(Judged("A", FAIR), Onward())
    assert refused(lambda: game.does(NOVICES)).word == "already-driven"


# ----------------------------------------------------------------------------------------- the boards and the start


@pytest.mark.parametrize(
    ("cars", "look", "word"),
    [
        (("nitro", "toaster"), BoardSeen("A", 7, wiped=True), None),
        (("nitro", "toaster"), BoardSeen("A", 7, wiped=False), "not-wiped"),
        (("nitro", "toaster"), BoardSeen("A", 8, wiped=True), "other-stage"),
        (("nitro", "toaster"), BoardSeen("A", 7, wiped=True, gadgets=("mine",)), "strange-gadget"),
        (("nitro", "mine"), BoardSeen("A", 7, wiped=True, gadgets=("mine",)), None),
        (("nitro", "mine"), BoardSeen("A", 7, wiped=True, gadgets=("mine",), misplaced=True), "misplaced"),
        (("nitro", "mine"), BoardSeen("A", 7, wiped=True), "no-gadget"),
        (("nitro", "mine"), BoardSeen("A", 7, wiped=True, gadgets=("clothesline",)), "strange-gadget"),
        (("nitro", "mine"), BoardSeen("A", 7, wiped=True, gadgets=("mine", "mine")), "strange-gadget"),
        (("mine", "nitro"), BoardSeen("B", 7, wiped=True, gadgets=("mine",)), None),
        (("mine", "nitro"), BoardSeen("A", 7, wiped=True, gadgets=("mine",)), "strange-gadget"),
    ],
)
def test_a_board_is_held_against_the_opponents_gadget_before_the_start(
    cars: tuple[str, str], look: BoardSeen, word: str | None
) -> None:
    game = with_cars(*cars).does(BoardVouched("A" if look.team == "B" else "B"), look)
    if word is None:
        assert game.does(CountDown(0, 0)).phase == "counting"
    else:
        assert refused(lambda: game.does(CountDown(0, 0))).word == word
        assert game.does(BoardVouched(look.team), CountDown(0, 0)).phase == "counting"


def test_a_board_with_a_gadget_is_looked_at_before_the_start() -> None:
    game = with_cars("clothesline", "nitro").does(BoardSeen("A", 7, wiped=True))
    assert (gadget_on_board_of(game.match, "B"), gadget_on_board_of(game.match, "A")) == ("clothesline", None)
    assert refused(lambda: game.does(CountDown(0, 0))).word == "unseen"
    assert game.does(BoardSeen("B", 7, wiped=True, gadgets=("clothesline",)), CountDown(0, 0)).phase == "counting"


def test_both_clocks_start_at_the_same_go() -> None:
    game = at_the_boards().does(CountDown(1, 2))
    assert (game.phase, match.countdown_ms(game.match, game.machine.now())) == ("counting", 3000)
    game.waits(3_500)
    assert (game.phase, game.ms("A"), game.ms("B")) == ("driving", 500, 500)


def test_a_countdown_can_be_called_off() -> None:
    game = at_the_boards().does(BoardSeen("A", 1, wiped=True), CountDown(0, 0)).waits(1_000).does(CallOff())
    assert (game.phase, game.match.heat.lane("A").drive.board) == ("boards", "ready")


def test_drivers_change_between_stages_in_each_team() -> None:
    game = at_the_boards()
    assert suggested_drivers(game.match) == (0, 0)
    game.does(CountDown(1, 1)).waits(9_000).does(Crossed("A"), Judged("A", FAIR), Onward())
    assert suggested_drivers(game.match) == (0, 2)
    assert refused(lambda: at_the_boards().does(CountDown(2, 0))).word == "no-such-driver"


# ----------------------------------------------------------------------------------------- the finish


def test_a_person_taps_who_crossed_first_and_the_other_clock_goes_on() -> None:
    game = at_the_boards().races("B", 30_000).waits(5_000)
    assert (game.phase, game.ms("B"), game.ms("A")) == ("crossed", 30_000, 35_000)
    game.does(Crossed("A")).waits(60_000)
    assert (game.match.heat.crossed, game.ms("A")) == (("B", "A"), 35_000)
    assert refused(lambda: game.does(Crossed("A"))).word == "crossed-already"


def test_a_tap_by_mistake_is_taken_back() -> None:
    game = at_the_boards().races("B", 30_000).waits(1_000).does(NotYet("B"))
    assert (game.phase, game.ms("B")) == ("driving", 31_000)
    assert refused(lambda: game.does(NotYet("B"))).word == "not-now"
    game.does(Crossed("A"))
    assert refused(lambda: game.does(NotYet("B"))).word == "not-crossed"
    assert refused(lambda: game.does(Judged("A", OPEN), NotYet("A"))).word == "judged-already"


def test_a_tap_for_the_wrong_team_is_put_right_with_its_instant() -> None:
    game = at_the_boards().races("B", 30_000).waits(4_000).does(WasFirst("A"))
    assert (game.match.heat.crossed, game.ms("A"), game.ms("B")) == (("A",), 30_000, 34_000)
    game.does(Crossed("B"), WasFirst("B"))
    assert (game.match.heat.crossed, game.ms("B"), game.ms("A")) == (("B", "A"), 30_000, 34_000)
    assert game.does(WasFirst("B")).match.heat.crossed == ("B", "A")


def test_a_wrong_tap_is_put_right_even_after_the_pictures() -> None:
    game = at_the_boards().races("B").does(Judged("B", FAIR))
    assert game.award == Award("B", "first-across")
    game.waits(1_000).does(WasFirst("A"))
    assert game.phase == "crossed"
    assert game.does(Judged("A", FAIR)).award == Award("A", "first-across")


# ----------------------------------------------------------------------------------------- to whom a stage goes

CALLS = {"fair": FAIR, "gave-away": IGNORED, "unfinished": UNFINISHED, "open": OPEN}


@pytest.mark.parametrize("first", CALLS)
@pytest.mark.parametrize("second", CALLS)
@pytest.mark.parametrize("team", ["A", "B"])
def test_a_stage_goes_to_whom_the_table_says(first: Standing, second: Standing, team: Team) -> None:
    game = at_the_boards().races(team).does(Judged(match.other(team), CALLS[second]), Judged(team, CALLS[first]))
    entry = AWARDS.get((first, second))
    if entry is None:
        assert (game.phase, game.award) == ("crossed", None)
    else:
        goes_to = {"first": team, "other": match.other(team), "again": None}[entry[0]]
        assert (game.phase, game.award) == ("awarded", Award(goes_to, entry[1], again=goes_to is None))


def test_first_across_and_fair_wins_without_the_other_picture() -> None:
    assert at_the_boards().races("A").does(Judged("A", FAIR)).award == Award("A", "first-across")


def test_an_ignored_accident_gives_the_stage_to_the_team_that_had_not_finished() -> None:
    game = at_the_boards().races("A").does(Judged("A", IGNORED), Judged("B", UNFINISHED))
    assert game.award == Award("B", "given-away")
    assert Reason("ignored-accident", {"team": "A", "accidents": 1}) in reasons(game.match.heat)


def test_cheating_gives_the_stage_away_and_can_be_taken_back() -> None:
    game = at_the_boards().does(CountDown(0, 0)).waits(9_000).does(Cheated("A"))
    assert game.phase == "driving"
    game.does(Crossed("A"), Judged("A", FAIR), Judged("B", FAIR))
    assert game.award == Award("B", "given-away")
    assert Reason("cheated", {"team": "A"}) in reasons(game.match.heat)
    assert game.does(Cheated("A", so=False)).award == Award("A", "first-across")


def test_if_both_gave_it_away_the_stage_is_driven_again() -> None:
    game = at_the_boards(stage=3).races("A").does(Cheated("A"), Judged("B", IGNORED))
    assert game.award == Award(None, "both-gave-away", again=True)
    game.does(Onward())
    assert (game.phase, game.match.heat.stage, chooser(game.match)) == ("boards", 3, "B")
    assert wins(game.match) == {"A": 0, "B": 0}
    assert refused(lambda: game.does(ChooseStage("B", 2))).word == "again"
    assert game.races("A").does(Judged("A", FAIR)).award == Award("A", "first-across")


def test_if_both_gave_it_away_nobody_gets_it_where_that_is_decided() -> None:
    game = at_the_boards(Terms(both_cheated="nobody")).races("A").does(Judged("A", IGNORED), Judged("B", IGNORED))
    assert game.award == Award(None, "both-gave-away")
    assert (game.does(Onward()).phase, chooser(game.match)) == ("stage", "B")


def test_cheating_loses_the_game_where_that_is_decided() -> None:
    game = at_the_boards(Terms(cheating_loses="game")).races("A").does(Judged("A", IGNORED), Judged("B", UNFINISHED))
    assert (game.phase, winner(game.match)) == ("over", "B")
    game = at_the_boards(Terms(cheating_loses="game")).races("A").does(Judged("A", FAIR), Judged("B", UNFINISHED))
    assert (game.phase, winner(game.match)) == ("awarded", None)


def test_review_waits_for_a_person() -> None:
    game = at_the_boards().races("A").does(Judged("A", OPEN))
    assert (game.phase, waits_for_a_person(game.match)) == ("crossed", ((0, "A"),))
    game.does(Judged("A", Call("fair", by="person")))
    assert (game.phase, waits_for_a_person(game.match)) == ("awarded", ())
    assert Reason("by-person", {"team": "A"}) in reasons(game.match.heat)


def test_teams_may_agree_without_a_picture() -> None:
    game = at_the_boards().races("A").does(Agreed("A", accidents=2))
    assert game.award == Award("A", "first-across")
    assert Reason("by-honour", {"team": "A"}) in reasons(game.match.heat)
    assert refused(lambda: game.does(Agreed("A"))).word == "judged-already"
    assert refused(lambda: game.does(Agreed("B", accidents=-1))).word == "malformed"


def test_an_agreement_takes_nothing_back_of_which_the_picture_is_sure() -> None:
    game = at_the_boards().races("A").does(Judged("A", Call("review", accidents=2, check="c1")), Agreed("A"))
    assert game.match.heat.lane("A").drive.call == Call("fair", 2, by="honour", check="c1")


def test_an_agreement_passes_over_no_call() -> None:
    game = at_the_boards().races("A").does(Judged("A", IGNORED))
    assert refused(lambda: game.does(Agreed("A"))).word == "judged-already"
    assert refused(lambda: game.does(Judged("A", Call("fair", by="honour")))).word == "on-honour"


@pytest.mark.parametrize(("dead_heat", "why"), [(True, "dead-heat"), (False, "start-over")])
def test_a_heat_that_nobody_can_decide_is_driven_again(dead_heat: bool, why: str) -> None:
    game = at_the_boards(stage=3).races("A").does(StartOver(dead_heat))
    assert (game.phase, game.match.heat.stage) == ("boards", 3)
    assert award(game.match.heats[0], game.match.terms) == Award(None, why, again=True)
    driving = at_the_boards().does(CountDown(0, 0)).waits(9_000).does(StartOver(dead_heat))
    assert driving.phase == "boards"


# ----------------------------------------------------------------------------------------- the game


def test_two_stages_take_the_game() -> None:
    game = Game().does(MASTERS, ChooseStage("B", 1), WithoutCars()).races("A").does(Judged("A", FAIR), Onward())
    assert (game.phase, chooser(game.match)) == ("stage", "B")
    assert game.wins("A", 2).phase == "over"
    assert (winner(game.match), wins(game.match)) == ("A", {"A": 2, "B": 0})
    assert refused(lambda: game.does(Onward())).word == "not-now"


def test_the_loser_chooses_next_and_the_third_stage_decides() -> None:
    game = Game().does(MASTERS, ChooseStage("B", 1), WithoutCars()).races("A").does(Judged("A", FAIR), Onward())
    game.wins("B", 2).does(Onward())
    assert (game.phase, chooser(game.match)) == ("stage", "A")
    assert game.wins("B", 3).phase == "over"
    assert winner(game.match) == "B"


def test_a_decision_taken_back_reopens_a_game_that_was_over() -> None:
    game = Game().does(MASTERS, ChooseStage("B", 1), WithoutCars()).races("A").does(Judged("A", FAIR), Onward())
    game.wins("A", 2).does(Judged("A", IGNORED), Judged("B", FAIR))
    assert (game.phase, game.award, wins(game.match)) == ("awarded", Award("B", "given-away"), {"A": 1, "B": 1})


def test_a_decision_about_an_earlier_heat_may_end_the_game() -> None:
    game = Game().does(MASTERS, ChooseStage("B", 1), WithoutCars()).races("A").does(Judged("A", FAIR), Onward())
    game.wins("B", 2).does(Onward(), ChooseStage("A", 3))
    game.does(Judged("A", IGNORED, heat=0), Judged("B", UNFINISHED, heat=0))
    assert (game.phase, winner(game.match)) == ("over", "B")
    for event in (WasFirst("A"), Cheated("A"), Judged("A", FAIR)):
        assert refused(lambda: game.does(event)).word == "not-driven"  # noqa: B023


@pytest.mark.parametrize("heat", [None, 0, 1, -1, 99])
def test_a_heat_that_was_not_raced_cannot_be_called(heat: int | None) -> None:
    assert refused(lambda: at_the_boards().does(Judged("A", FAIR, heat))).word == "not-driven"


def test_a_game_may_be_left_at_any_time() -> None:
    for game in (
        Game().does(NOVICES),
        at_the_boards(),
        at_the_boards().does(CountDown(0, 0)).waits(100),
        at_the_boards().does(CountDown(0, 0)).waits(9_000),
        at_the_boards().races("A"),
    ):
        assert game.does(GiveUp()).phase == "abandoned"
        assert refused(lambda: game.does(NOVICES)).word == "not-now"  # noqa: B023


def test_a_killed_server_and_a_restarted_machine_leave_the_race_going() -> None:
    game = at_the_boards().does(CountDown(0, 0)).waits(COUNTDOWN_MS + 10_000)
    game.match = match.brought_back(match.kept(game.match))
    assert (game.waits(5_000).phase, game.ms("B")) == ("driving", 15_000)
    game.match = match.seen(game.match, game.machine.restart(20_000))
    game.machine.jump_wall(-3_600_000)
    game.waits(1_000).does(Crossed("A"), Judged("A", FAIR))
    assert game.ms("A") == 36_000
    assert Reason("by-wall-clock", {"team": "A"}) in reasons(game.match.heat)


def test_every_event_has_a_name_and_a_place_in_the_table() -> None:
    kinds = set(Event.__args__)
    assert set(match.EVENTS.values()) == kinds == {kind for _, kind in match.TABLE}


def test_every_reason_of_an_award_is_explained() -> None:
    assert {why for _, why in AWARDS.values()} | {"dead-heat", "start-over"} == set(match.WHY)
