"""Events of a report held against the truth."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.reliability.matching import matched, orders, outcome
from tests.reliability.made_up import broken, brush, event, judged, told, truth


def test_a_report_that_is_right_has_no_fault() -> None:
    true = truth(brush(0.6), event("checkpoint"), broken(-1.0))
    done = outcome(judged(true, told(brush(0.7), event("checkpoint"), broken(-1.1))))
    assert (done.verdict, done.rightly, done.accidents, done.faults) == ("right", True, 1, [])
    assert [(m.kind, m.true_mm, m.told_mm, m.sigma_mm, m.px_per_mm) for m in done.margins] == [
        ("white lines", 0.6, 0.7, 0.1, 5.0),
        ("white lines", -1.0, -1.1, 0.1, 5.0),
    ]


@pytest.mark.parametrize(
    ("said", "accepted", "verdict", "rightly"),
    [
        ("fair", ["fair"], "right", True),
        ("unfinished", ["fair"], "wrong", False),
        ("review", ["fair"], "abstained", False),
        ("review", ["fair", "review"], "abstained", True),
    ],
)
def test_a_verdict_is_right_wrong_or_withheld(said: str, accepted: list[str], verdict: str, rightly: bool) -> None:
    done = outcome(judged(truth(accept_verdicts=accepted), told(verdict=said)))
    assert (done.verdict, done.rightly) == (verdict, rightly)


@pytest.mark.parametrize(
    ("fields", "verdict", "missed"),
    [
        ({}, "wrong", 1),
        ({"error": "no-ink", "events": []}, "right", 0),
        ({"photo": {"accept_errors": ["no-ink"]}}, "abstained", 0),
    ],
)
def test_a_refusal_is_wrong_unless_the_truth_takes_it(fields: dict[str, object], verdict: str, missed: int) -> None:
    done = outcome(judged(truth(broken(), **fields), {"error": {"code": "no-ink"}, "stage": None, "board": None}))
    assert (done.verdict, len(done.missed)) == (verdict, missed)


def test_a_fault_of_the_referees_own_is_wrong() -> None:
    done = outcome(replace(judged(truth(), {}), fault="ZeroDivisionError: a bug"))
    assert done.verdict == "wrong"
    assert "a bug" in done.faults[0]


def test_an_accident_that_none_was_is_a_false_accusation_if_told_for_certain() -> None:
    sure, unsure = (outcome(judged(truth(), told(broken(certain=certain)))) for certain in (True, False))
    assert sure.false == ("accident white-line white-line-2 at (100, 10)",)
    assert unsure.false == ()


@pytest.mark.parametrize(
    "fields", [{"optional": True}, {"hidden": True}, {"certain": False}, {"margin_mm": -0.3}], ids=str
)
def test_an_accident_is_missed_only_if_nobody_could_overlook_it(fields: dict[str, object]) -> None:
    assert outcome(judged(truth(broken()), told())).missed == ("accident white-line white-line-2 at (100, 10)",)
    assert outcome(judged(truth(broken() | fields), told())).missed == ()


def test_an_accident_by_another_name_is_neither_false_nor_missed() -> None:
    done = outcome(judged(truth(broken()), told(broken(cause="lift"))))
    assert (done.false, done.missed, done.margins) == ((), (), ())


def test_too_close_to_call_may_be_told_either_way_but_not_for_certain() -> None:
    close = truth(broken(-0.05, borderline=True, certain=False))
    there = event("brush", (100.0, 10.0), element="white-line-2", margin_mm=0.03)
    assert outcome(judged(close, told(there))).faults == []
    close = truth(event("brush", (100.0, 10.0), margin_mm=0.05, borderline=True))
    assert outcome(judged(close, told(broken(-0.02, certain=False)))).false == ()
    assert len(outcome(judged(close, told(broken(-0.02, certain=True)))).false) == 1


def test_an_event_far_from_its_place_is_another_one() -> None:
    match = matched([brush()], [brush() | {"at_mm": [47.0, 10.0]}])
    assert (match.pairs, len(match.missing), len(match.extra)) == ([], 1, 1)
    match = matched([brush(extent_mm=[[46.0, 10.0]])], [brush() | {"at_mm": [47.0, 10.0]}])
    assert len(match.pairs) == 1


def test_an_event_out_of_order_is_found_and_named() -> None:
    first, second = event("checkpoint", element="checkpoint-1"), event("checkpoint", (150.0, 10.0))
    done = outcome(judged(truth(first, second, broken()), told(second, broken(), first)))
    assert len(done.late) == 1
    assert (done.missed, done.false) == ((), ())


def test_attempts_that_went_back_to_one_place_may_be_exchanged() -> None:
    def attempt(number: int, y: float) -> list[dict[str, object]]:
        back = {"outcome": "honoured", "restart_element": "checkpoint-1", "attempt": number}
        return [
            event("restart", (70.0, 10.0), element="checkpoint-1", attempt=number),
            brush(attempt=number) | {"at_mm": [90.0, y]},
            broken(-1.0, **back) | {"at_mm": [110.0, y]},
        ]

    one, two = attempt(1, 20.0), attempt(2, 40.0)
    last = [event("restart", (70.0, 10.0), element="checkpoint-1", attempt=3), event("finish", attempt=3)]
    assert len(list(orders([*one, *two, *last]))) == 2
    swapped = [one[0], *two[1:], two[0], *one[1:], *last]
    match = matched([*one, *two, *last], swapped)
    assert len(match.pairs) == len(swapped)
    assert match.late == []


def test_a_margin_counts_by_its_kind_and_not_where_the_truth_is_loose() -> None:
    true = [
        event("jump", (40.0, 50.0), margin_mm=3.0),
        event("donut", (60.0, 50.0), margin_mm=1.0, optional=True),
        event("slowdown", (80.0, 50.0), margin_mm=2.0),
        event("landing", (90.0, 50.0), margin_mm=2.0, margin_loose=True),
        event("restart", (110.0, 50.0), margin_mm=2.0),
        event("brush", (130.0, 50.0)),
    ]
    done = outcome(judged(truth(*true), told(*(one | {"margin_mm": 2.0} for one in true))))
    assert [m.kind for m in done.margins] == ["jumps and landings", "zones and spills"]
