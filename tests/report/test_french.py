"""The whole report in French: words, page, JSON; nothing English is left in it but names."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from referee.model import Answer, Decided, Decision, Event, Failure, Judgement, Reason, Report
from referee.report.document import document
from referee.report.page import Page, sheet
from referee.report.text import text
from referee.report.words import ACCIDENTS, EVENTS, OUTCOMES, event_words, plus_minus_words, verdict_line
from referee.words import say, table, told
from tests.report import by_hand

ENGLISH = re.compile(
    r"\b(the|of|and|was|were|did|does|is|it|car|went|over|line|ink|race|picture|board|finish(ed)?|accidents? honoured|"
    r"too|close|by|with|checkpoint|stage|copy|list|number|millimetres|judged|found|please|look|inside|margin|usually|"
    r"not|no|to spare|touched|crossed|brushed)\b",
    re.IGNORECASE,
)
"""Words that no French sentence has."""


def english_in(words: str) -> list[str]:
    """The English words of a page or text, its tags, styles and the names of things left aside."""
    shown = re.sub(r"<style>.*?</style>|data:image[^\"]*|<(?!img|svg|title)[^>]*>", " ", words, flags=re.DOTALL)
    shown = re.sub(r"(class|id|href|role|src|fill|stroke[\w-]*)=\"[^\"]*\"", " ", shown)
    for name in ("Duck Pond", "IMG_2041.jpg"):
        shown = shown.replace(name, " ")
    return sorted({match[0].lower() for match in ENGLISH.finditer(shown)})


def of_all() -> Report:
    """A report with one of everything that can be said."""
    kinds = [Event(n, kind, "R2", (20.0 + n, 40.0), 0, "jump-1", 0.3, 0.1) for n, kind in enumerate(EVENTS)]
    accidents = [
        by_hand.with_event(seq=len(kinds) + n, cause=cause, certain=certain, outcome=outcome)
        for n, (cause, certain, outcome) in enumerate(
            (cause, certain, outcome) for cause in ACCIDENTS for certain in (True, False) for outcome in OUTCOMES
        )
    ]
    decision = Decision("R2", "white-line", (70.0, 27.7), "no", "white-line-1", who="Ann", when="hier")
    asked = say("ask.line", element="X")
    own: list[tuple[Answer, bool, bool, float | None]] = [
        ("no", True, True, -1.0), ("yes", True, False, None), ("yes", False, True, 2.0),
    ]  # fmt: skip
    decided = tuple(
        Decided(decision, asked, referee, certain, applies, margin, 0.1, 0) for referee, certain, applies, margin in own
    )
    report = by_hand.report()
    assert report.judgement
    reason = Reason("ignored-accident", "R2", None, say("reason.ignored", wrong=say("went-wrong.lift"), back="X"))
    judgement: Judgement = replace(
        report.judgement, events=(*kinds, *accidents), reasons=(reason,), decided=decided, alone=("review", 2),
    )  # fmt: skip
    others = tuple(replace(o, why=say("reading.likelier")) for o in report.other_readings)
    return replace(report, judgement=judgement, other_readings=others)


def test_the_words_of_a_report_are_french() -> None:
    said = text(of_all(), "fr")
    assert english_in(said) == []
    assert "0,6 mm" in text(by_hand.report(), "fr")
    assert text(of_all(), "en") == text(of_all())


def test_the_page_is_french_and_says_so(tmp_path: Path) -> None:
    page = Page(tmp_path, "fr")
    page.add(of_all(), several=False)
    page.write("{}")
    shown = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert '<html lang="fr">' in shown
    assert "Le rapport de l'arbitre" in shown.replace("&#x27;", "'")
    assert english_in(shown) == []


def test_a_page_that_asks_is_french() -> None:
    report = by_hand.asking((by_hand.OVER_THE_LINE, 1), (by_hand.CROSSED_UNSEEN, None))
    assert report.judgement
    reasons = tuple(
        replace(r, text="X", question=replace(r.question, ask=say("ask.line", element="X")))
        for r in report.judgement.reasons
        if r.question
    )
    report = replace(report, judgement=replace(report.judgement, reasons=reasons), other_readings=())
    shown = sheet(report, {}, "board-1", "fr")
    assert english_in(shown) == []
    assert "Oui" in shown


def test_the_json_keeps_its_names_and_tells_its_sentences_in_french() -> None:
    english, french = document(of_all()), document(of_all(), language="fr")
    assert french["reasons"][0]["text"] == "Le feutre a été levé en chemin, et la course n'est pas repartie X."
    assert french["decisions"][0]["ask"].startswith("Est-ce que l'encre")
    assert [event["kind"] for event in french["events"]] == [event["kind"] for event in english["events"]]
    assert french.keys() == english.keys()
    assert french["path"] == english["path"]
    json.dumps(french)


@pytest.mark.parametrize("key", [key for key in table("fr") if key.startswith(("fault.", "cure."))])
def test_why_a_picture_is_not_judged_is_told_in_french(key: str) -> None:
    parts = dict.fromkeys(re.findall(r"\{(\w+)", table("fr")[key]), 3)
    failure = Failure("no-board", say(key, **parts), say("cure.nearer"))
    report = replace(by_hand.failed(), failure=failure)
    said = text(report, "fr")
    assert english_in(said.replace("BGR", "").replace("--stage", "").replace("referee new-stage", "")) == []
    assert "pas jugé" in said
    assert document(report, language="fr")["error"]["code"] == "no-board"


def test_many_accidents_and_no_donut_agree_in_french() -> None:
    events = (by_hand.with_event(seq=0), by_hand.with_event(seq=1, outcome="ignored"), by_hand.with_event(seq=2))
    judged = replace(by_hand.judgement(), events=events, accidents=3, verdict="ignored-accident", donuts=2)
    line = told(verdict_line(judged), "fr").replace("\u00a0", " ")
    assert line == "PAS RÉGLO : arrivée franchie, 3 accidents : 2 réparés, 1 ignoré, 2 donuts."
    both = replace(judged, events=(events[0], events[2]), accidents=2, donuts=1)
    assert "2 accidents, tous réparés, 1 donut." in told(verdict_line(both), "fr")


def test_an_event_begins_with_a_capital_in_french() -> None:
    for kind in EVENTS:
        said = told(event_words(Event(1, kind, "R2", (1.0, 2.0), 0, "pipe-1", 0.3, 0.05)), "fr")
        assert said[0].isupper(), said
    assert told(plus_minus_words(by_hand.judgement().terms), "fr").startswith("Le ±")
