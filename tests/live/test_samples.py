"""The films in `samples/films/` are judged as their truth has it.

Each lies beside what truly happened in it, with when the ink of each event came into view.
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path

import pytest

from referee.live.film import judge_film
from referee.live.report import LiveReport
from referee.model import Json
from referee.rules import Rules
from referee.stage.catalogue import Catalogue

FILMS = sorted((Path(__file__).parents[2] / "samples" / "films").glob("*.mp4"))
LARGEST_MB = 1.5
TOLD_S = 0.25
"""Of the six films' events most are placed this near to when their ink came into view: a frame, and what lies near."""
MOST = 0.8


@lru_cache(maxsize=8)
def judged(film: Path) -> LiveReport:
    (report,) = judge_film(str(film), Catalogue(), Rules()).reports
    return report


def truth_of(film: Path) -> Json:
    truth: Json = json.loads(film.with_suffix(".json").read_text())
    return truth


def named(kind: str, cause: str | None, element: str | None) -> str:
    return " ".join(word for word in (kind, cause, None if kind == "accident" else element) if word)


@pytest.mark.parametrize("film", FILMS, ids=lambda film: film.stem)
def test_a_film_has_the_events_of_its_truth_in_their_order(film: Path) -> None:
    report, truth = judged(film), truth_of(film)
    assert report.judgement is not None
    told = [named(e.kind, e.cause, e.element) for e in report.judgement.events if e.kind != "brush"]
    assert told == [named(e["kind"], e.get("cause"), e.get("element")) for e in truth["events"] if e["kind"] != "brush"]
    assert (report.judgement.verdict, report.judgement.accidents) == (truth["verdict"], truth["accidents"])


@pytest.mark.parametrize("film", FILMS, ids=lambda film: film.stem)
def test_nothing_is_called_that_did_not_happen(film: Path) -> None:
    happened = [(e["kind"], e.get("cause")) for e in truth_of(film)["events"]]
    for call in judged(film).calls:
        if call.kind == "brush":
            continue
        assert (call.kind, call.cause) in happened
        happened.remove((call.kind, call.cause))


def test_most_events_are_told_when_their_ink_came_into_view() -> None:
    off = []
    for film in FILMS:
        report = judged(film)
        assert report.judgement is not None
        events = [e for e in report.judgement.events if e.kind != "brush"]
        times = [t for e, t in zip(report.judgement.events, report.at_s, strict=True) if e.kind != "brush"]
        truth = [e for e in truth_of(film)["events"] if e["kind"] != "brush"]
        off += [abs(t - e["in_view_s"]) for t, e, _ in zip(times, truth, events, strict=True)]
    assert sum(one <= TOLD_S for one in off) >= MOST * len(off)


def test_the_films_are_six_and_small_and_each_has_its_truth() -> None:
    assert len(FILMS) == 6
    assert all(film.stat().st_size < LARGEST_MB * 1e6 and film.with_suffix(".json").exists() for film in FILMS)
