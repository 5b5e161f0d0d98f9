"""What the film and its last clear frame make of a race together."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from referee.live.document import film_document
from referee.live.report import LiveReport
from referee.model import Event, Judgement, Report, VerdictName
from referee.stage.load import load_stage

STAGE = load_stage(Path(__file__).resolve().parents[2] / "stage_masks" / "stage-01.svg")


def judged(verdict: VerdictName, cause: str | None = None) -> Judgement:
    """A race with at most one accident, which nobody went back for."""
    crash = Event(1, "accident", "R2", (100.0, 80.0), 0, "white-line-1", cause=cause, certain=True, outcome="ignored")
    return Judgement(verdict, (), True, int(cause is not None), 0, (crash,) if cause else (), ())


def watched(film: Judgement, photo: Judgement) -> LiveReport:
    return LiveReport(STAGE, "A", film, (1.0,) * len(film.events), (), Report("frame", judgement=photo), 9.0, 0.0, 8.0)


@pytest.mark.parametrize(
    ("cause", "photo", "verdict"),
    [
        ("white-line", "fair", "review"),
        ("white-line", "unfinished", "review"),
        ("white-line", "ignored-accident", "ignored-accident"),
        ("white-line", "review", "ignored-accident"),
        ("lift", "fair", "review"),
    ],
)
def test_nobody_is_accused_whom_the_last_clear_frame_clears(cause: str, photo: VerdictName, verdict: str) -> None:
    report = watched(judged("ignored-accident", cause), judged(photo))
    told = film_document(report, "race.mp4")
    assert told["verdict"] == verdict
    assert (told["reasons"][0]["code"] if told["reasons"] else "") == ("film-and-photo" if verdict == "review" else "")
    assert told["film"]["disagreements"]
    assert told["accidents"] == 1


def test_a_lift_that_only_the_film_can_have_seen_stands() -> None:
    film = judged("ignored-accident", "lift")
    seen = replace(film, events=tuple(replace(event, decided=0) for event in film.events))
    settled = watched(seen, judged("fair")).settled()
    assert settled is not None
    assert settled.verdict == "ignored-accident"


def test_a_lift_that_nobody_saw_does_not_stand_without_a_picture() -> None:
    for cause, verdict in (("lift", "review"), ("white-line", "ignored-accident")):
        settled = replace(watched(judged("ignored-accident", cause), judged("fair")), photo=None).settled()
        assert settled is not None
        assert settled.verdict == verdict


def test_a_fair_race_stays_fair_whatever_the_frame_shows() -> None:
    report = watched(judged("fair"), judged("ignored-accident", "white-line"))
    assert film_document(report, "race.mp4")["verdict"] == "fair"


@pytest.mark.parametrize("film", ["fair", "ignored-accident"])
def test_what_the_film_cannot_decide_is_for_a_person(film: VerdictName) -> None:
    report = replace(watched(judged(film, "white-line"), judged(film, "white-line")), doubts=("ink-gone", "not-empty"))
    told = film_document(report, "race.mp4")
    assert told["verdict"] == "review"
    assert [reason["code"] for reason in told["reasons"]] == ["ink-gone", "not-empty"]
