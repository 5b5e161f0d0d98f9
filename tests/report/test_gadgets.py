"""Gadgets in words, in JSON, on the board and in close-ups."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from shapely.geometry import Point, box

from referee.model import Fault, Gadget, NearMiss, Question, Report, UnseenStretch
from referee.report.closeup import closeup, question_picture
from referee.report.document import document
from referee.report.gadgets import gadget_marks, gadget_outlines, gadget_words
from referee.report.page import page, sheet
from referee.report.text import text
from referee.words import told
from tests.report import by_hand

DOTTED = tuple(np.array([[x, 20.0], [x, 31.0], [x, 49.0], [x, 60.0]]) for x in (61.0, 79.0))
ROPE = Gadget("clothesline-1", "clothesline", (70.0, 40.0), box(69.5, 30, 70.5, 50), 0.1, 1, 60.0, dotted_mm=DOTTED)
FAULT = Fault("touches-white-line", "It touches white line 1.")
MINE = Gadget("mine-1", "mine", (90.0, 33.0), Point(90, 33).buffer(4.1), 0.1, 1, 80.0, fault=FAULT)


def report(*gadgets: Gadget) -> Report:
    judged = replace(by_hand.judgement(), gadgets=gadgets, unseen_before=(UnseenStretch(10.0, 20.0, "glare"),))
    return replace(by_hand.report(), judgement=judged, baseline="before.jpg")


def test_a_gadget_is_said_with_its_place_and_its_fault() -> None:
    assert gadget_words(ROPE, by_hand.stage()) == "Clothesline 1, between checkpoint 1 and the finish line."
    said = gadget_words(MINE, None)
    assert said.startswith("Mine 1: not as it should be. It touches white line 1.")
    assert "for you to decide" in said
    only = replace(MINE, fault=Fault("competitive-only", "It has no effect."))
    assert "for you to decide" not in gadget_words(only, None)
    assert told(gadget_words(MINE, None), "fr").startswith("Mine 1\u00a0: pas comme il faut.")
    assert "no effect" in gadget_words(replace(ROPE, kind="other", id="other-1"), None)


def test_the_report_has_the_gadgets_only_where_a_baseline_was_given() -> None:
    whole = document(report(ROPE, MINE))
    assert whole["gadgets"] == [
        {"id": "clothesline-1", "kind": "clothesline", "at_mm": [70.0, 40.0]},
        {
            "id": "mine-1",
            "kind": "mine",
            "at_mm": [90.0, 33.0],
            "fault": "It touches white line 1.",
            "fault_code": "touches-white-line",
        },
    ]
    assert whole["baseline"] == {"source": "before.jpg", "unseen": [{"from_mm": 10.0, "to_mm": 20.0, "why": "glare"}]}
    assert "gadgets" not in document(by_hand.report())


def test_the_words_say_what_was_drawn_and_what_the_baseline_does_not_show() -> None:
    said = text(report(ROPE))
    assert "Drawn on the board before the race:\n  - Clothesline 1" in said
    assert "Not to be seen in the picture from before the race:\n  - 10 mm of road" in said
    assert "No gadget is to be seen" in text(report())
    assert "before the race" not in text(by_hand.report())


def test_gadgets_are_drawn_on_the_board_and_a_faulty_one_apart() -> None:
    marks = list(gadget_marks((ROPE, MINE)))
    assert [mark.count("<polyline") for mark in marks] == [3, 1]
    assert [("faulty" in mark) for mark in marks] == [False, True]
    whole = page([sheet(report(ROPE, MINE), {}, "board-1")])
    assert "Clothesline 1" in whole
    assert 'class="gadget faulty"' in whole
    assert "drawn before the race" in whole
    assert "drawn before the race" not in page([sheet(by_hand.report(), {}, "board-1")])


def test_close_ups_show_the_gadget() -> None:
    miss = NearMiss(None, "clothesline-1", (67.0, 40.0), 1.2, 0.1, ((68.3, 40.0), (69.5, 40.0)))
    photo, view, stage = by_hand.photo(), by_hand.view(), by_hand.stage()
    drawn, plain = (closeup(photo, view, stage, miss, None, gadgets) for gadgets in ((ROPE,), ()))
    assert (drawn != plain).any()
    question = Question("Does the ink touch clothesline 1?", "close", (67.0, 40.0), "clothesline-1")
    with_it, without = (report(*g).judgement for g in ((ROPE,), ()))
    assert with_it is not None
    assert without is not None
    one, other = (question_picture(photo, view, stage, j, question) for j in (with_it, without))
    assert (one != other).any()


def test_only_the_named_gadget_has_outlines() -> None:
    assert len(gadget_outlines((ROPE, MINE), "mine-1")) == 1
    assert gadget_outlines((ROPE,), "mine-1") == []
