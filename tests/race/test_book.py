"""The book of won challenges: what is checked off stays so."""

from __future__ import annotations

import pytest

from referee.errors import BadState
from referee.race import book
from referee.race.book import Book, with_win, without
from referee.race.challenge import Honest, Judged, Run
from referee.race.drive import Call
from tests.race.play import TEAM, Attempt, at, refused


def won(id: str, ms: int, run_id: str, honest: bool = False) -> Attempt:
    """A won run at a challenge of one stage."""
    play = at(id, (4,))
    play.run = Run(run_id, play.run.challenge, play.run.team, legs=play.run.legs)
    play.drives(ms, call=None)
    return play.does(Honest(0) if honest else Judged(Call("fair")))


def with_runs(*plays: Attempt) -> Book:
    filled = Book()
    for play in plays:
        filled = with_win(filled, play.run, play.machine.now())
    return filled


def test_a_won_challenge_is_checked_off_with_who_when_and_how_fast() -> None:
    play = won("driving-ace", 31_000, "run-1")
    win = with_runs(play).wins[0]
    assert (win.challenge, win.team, win.stages, win.total_ms) == ("driving-ace", TEAM, (4,), 31_000)
    assert (win.on_honour, win.by_wall, win.wall_ms) == (False, False, play.machine.now().wall_ms)


def test_a_win_on_honour_is_marked() -> None:
    assert with_runs(won("driving-ace", 31_000, "run-1", honest=True)).wins[0].on_honour


def test_a_run_counts_once_and_the_best_time_is_found() -> None:
    slow, fast = won("driving-ace", 39_000, "run-1"), won("driving-ace", 22_000, "run-2")
    filled = with_runs(slow, fast, slow)
    assert len(filled.wins) == 2
    best = filled.best("driving-ace")
    assert best is not None
    assert best.run == "run-2"
    assert filled.best("mute-race") is None


def test_practice_and_what_is_not_won_are_not_checked_off() -> None:
    practised = at("driving-ace", (4,), practice=True).drives(20_000)
    lost = at("driving-ace", (4,)).drives(40_000)
    waiting = at("driving-ace", (4,)).drives(20_000, Call("review"))
    assert refused(lambda: with_runs(practised)).word == "practice"
    assert refused(lambda: with_runs(lost)).word == "not-won"
    assert refused(lambda: with_runs(waiting)).word == "not-won"
    assert refused(lambda: with_runs(Attempt())).word == "not-won"


def test_a_checked_challenge_stays_checked_until_its_only_win_is_taken_back() -> None:
    filled = with_runs(won("driving-ace", 30_000, "run-1"), won("driving-ace", 31_000, "run-2"))
    assert without(filled, "run-1").checked == {"driving-ace"}
    assert without(without(filled, "run-1"), "run-2").checked == frozenset()
    assert without(filled, "run-9") == filled


def test_the_book_is_stored_and_brought_back() -> None:
    filled = with_runs(won("driving-ace", 30_000, "run-1"), won("confidence", 31_000, "run-2"))
    assert book.brought_back(book.kept(filled)) == filled


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"total_ms": 40_000}, "'driving-ace' is not won in 40000 ms"),
        ({"total_ms": -1}, "is not won in -1 ms"),
        ({"challenge": "grand-tour"}, "'grand-tour' is not won"),
        ({"team": "Ada"}, r"book.wins\[0\].team: expected a list of sensible length, got 'Ada'"),
        ({"stages": [1, "2"]}, r"book.wins\[0\].stages\[1\]: expected a whole number, got '2'"),
        ({"by_wall": 1}, "expected true or false, got 1"),
    ],
)
def test_a_win_that_cannot_be_is_refused(change: dict[str, object], says: str) -> None:
    there = book.kept(with_runs(won("driving-ace", 30_000, "run-1")))
    there["wins"][0] |= change
    with pytest.raises(BadState, match=says):
        book.brought_back(there)


def test_a_run_that_wins_twice_is_refused() -> None:
    there = book.kept(with_runs(won("driving-ace", 30_000, "run-1")))
    there["wins"] *= 2
    with pytest.raises(BadState, match="wins a challenge once only"):
        book.brought_back(there)
