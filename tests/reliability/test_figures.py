"""The figures of a run, and the words for them."""

from __future__ import annotations

import numpy as np
import pytest

from referee.reliability.figures import figures, text
from referee.reliability.matching import Margin, Outcome


def margin(true_mm: float, error_mm: float, sigma_mm: float = 0.1, px_per_mm: float = 5.0) -> Margin:
    return Margin("p01", "white lines", "white-line-1", true_mm, true_mm + error_mm, sigma_mm, px_per_mm)


def with_margins(*margins: Margin) -> Outcome:
    return Outcome("p01", "right", True, "fair", margins=margins)


def test_verdicts_and_accidents_are_counted() -> None:
    told = figures(
        [
            Outcome("a", "right", True, "fair", accidents=2, missed=("lift",)),
            Outcome("b", "abstained", True, "review", accidents=1),
            Outcome("c", "abstained", False, "review", late=("brush",)),
            Outcome("d", "wrong", False, "unfinished", false=("start", "lift")),
        ]
    )
    assert told["photos"] == 4
    assert told["verdicts"] == {"right": 1, "abstained": 2, "abstained_rightly": 1, "wrong": 1}
    assert [told[key] for key in ("accidents", "missed_accidents", "false_accusations", "order_errors")] == [3, 1, 2, 1]
    assert [one["case"] for one in told["faults"]] == ["a", "c", "d"]
    assert told["faults"][-1]["faults"] == ["verdict unfinished", "false accusation: start", "false accusation: lift"]


def test_errors_are_told_by_the_pictures_scale() -> None:
    off = [0.01, -0.02, 0.05, 0.2, -0.4]
    told = figures([with_margins(*(margin(1.0, e) for e in off), margin(1.0, 0.3, px_per_mm=8.0))])
    row = told["by_scale"]["4 to 8 px/mm"]
    assert row["median_mm"] == 0.05
    assert row["p95_mm"] == pytest.approx(np.percentile(np.abs(off), 95), abs=0.001)
    assert (row["count"], row["most_mm"]) == (5, 0.4)
    assert told["by_scale"]["8 px/mm and more"]["count"] == 1
    assert told["by_scale"]["under 4 px/mm"] == dict.fromkeys(row, None) | {"count": 0}
    assert told["by_kind"]["white lines"]["count"] == 6
    assert told["by_kind"]["donuts"]["count"] == 0


def test_how_honest_uncertainties_are_is_told_by_margin_and_by_what_they_say() -> None:
    told = figures([with_margins(margin(0.2, 0.05), margin(-0.2, 0.15), margin(2.0, 0.25, 0.1), margin(5.0, 0.1, 0.3))])
    assert told["within"]["count"] == 4
    assert (told["within"]["within_one"], told["within"]["within_two"]) == (0.5, 0.75)
    assert told["within_by_margin"]["up to 0.3 mm"]["within_one"] == 0.5
    assert told["within_by_margin"]["1 to 3 mm"]["within_two"] == 0.0
    assert told["within_by_margin"]["0.3 to 1 mm"]["within_two"] is None
    assert told["within_by_uncertainty"]["over 0.2 mm"]["within_one"] == 1.0
    assert told["within_by_uncertainty"]["over 0.2 mm"]["stated_rms_mm"] == 0.3


def test_the_worst_margins_are_named_first() -> None:
    told = figures([with_margins(*(margin(1.0, 0.01 * k) for k in range(20)))])
    assert len(told["worst"]) == 10
    assert told["worst"][0]["told_mm"] == 1.19
    assert told["worst"][0]["case"] == "p01"


def test_the_words_hold_every_table() -> None:
    said = text(figures([with_margins(margin(0.2, 0.05)), Outcome("b", "wrong", False, "fair")]))
    assert said.startswith("2 photos: 1 verdicts right, 0 abstained (0 rightly), 1 wrong.")
    for word in ("4 to 8 px/mm", "donuts", "margin over 3 mm", "stated up to 0.05 mm", "100.0 %", "b: verdict fair"):
        assert word in said
    widths = [len(line) for line in said.splitlines() if line.startswith("|")]
    assert len(set(widths)) == 2


def test_a_run_without_a_margin_has_figures() -> None:
    assert figures([])["margins"]["count"] == 0
    assert "0 photos" in text(figures([]))
