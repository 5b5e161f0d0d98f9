"""A film's words on a console, in both languages."""

from __future__ import annotations

from typing import get_args

import pytest

from referee.live.document import call_words, film_words
from referee.live.report import LiveReport
from referee.live.sight import CallKind, LiveCall, Phase, Trouble
from referee.model import Event, Judgement, Report
from referee.report.words import ACCIDENTS
from referee.words import say, table, told
from tests.live.test_report import STAGE, judged


@pytest.mark.parametrize("kind", get_args(CallKind))
@pytest.mark.parametrize("again", [False, True])
def test_every_call_has_words_in_both_languages(kind: CallKind, again: bool) -> None:
    call = LiveCall(0, kind, 12.34, 12.5, element="jump-1", again=again)
    english, french = call_words(call), told(call_words(call), "fr")
    assert english.startswith("   12.3 s  ")
    assert french.startswith("   12,3 s  ")
    assert ("Taken back: " in english) is again
    assert ("Retiré" in french) is again


@pytest.mark.parametrize("cause", ACCIDENTS)
def test_every_accident_is_called_by_its_cause_and_where_to_go_back_to(cause: str) -> None:
    call = LiveCall(0, "accident", 1.0, 1.2, element="mine-1", cause=cause, restart_element="checkpoint-2")
    assert call_words(call).endswith("Back to checkpoint 2.")
    assert told(call_words(call), "fr").endswith("Retour au point de contrôle 2.")


def test_every_state_of_a_board_has_words() -> None:
    states = {*get_args(Phase), *get_args(Trouble)}
    assert {key.partition(".")[2] for key in table("fr") if key.startswith("film-state.")} == states
    assert all(say(f"film-state.{state}") for state in states)


def test_a_films_report_is_told_in_french_with_its_times() -> None:
    told_in = film_words(report_of(judged("ignored-accident", "lift"), judged("fair")), "race.mp4", "fr")
    assert told_in.startswith("À VOUS DE VOIR")
    assert "    1,5 s Accident ! Feutre levé sur la route." in told_in
    assert "le film dit PAS RÉGLO, l'image RÉGLO" in told_in
    assert "Seulement dans le film" in told_in
    assert "de 2,0 à 3,5 s" in told_in


def test_a_film_without_ink_says_so_in_french() -> None:
    assert "Aucune encre" in film_words(report_of(None, judged("fair")), "race.mp4", "fr")


def report_of(film: Judgement | None, photo: Judgement) -> LiveReport:
    events: tuple[Event, ...] = film.events if film else ()
    still = Report("frame", judgement=photo)
    return LiveReport(STAGE, "A", film, (1.5,) * len(events), (), still, 9.0, 0.0, 8.0, unseen_s=((2.0, 3.5),))
