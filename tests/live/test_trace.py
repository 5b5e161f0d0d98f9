"""What came into view too fast for a pen, and ink that no line takes up."""

from __future__ import annotations

import numpy as np

from referee.live.cover import Cover
from referee.live.ink import InkInTime
from referee.live.lay import PX_PER_MM
from referee.live.look import Glimpse
from referee.live.trace import LOST_S, Line, Trace

WH = (300, 120)


def patched(*bits: tuple[int, int, int, int]) -> tuple[Trace, InkInTime]:
    """A trace and its ink at 10 frames a second: each bit from x to x (mm), last bare and first seen in that frame."""
    ink = InkInTime(WH)
    ink.times = [0.1 * number for number in range(80)]
    rows = slice(round(19 * PX_PER_MM), round(21.6 * PX_PER_MM))
    for begin, end, bare, first in bits:
        part = (rows, slice(round(begin * PX_PER_MM), round(end * PX_PER_MM)))
        ink.inked[part], ink.bare[part], ink.first[part] = 255, bare, first
    return Trace(WH), ink


def is_laid_down(*bits: tuple[int, int, int, int]) -> bool:
    trace, ink = patched(*bits)
    (patch,) = trace._patches(ink)
    return trace._was_laid_down(patch, ink)


def test_what_is_there_at_once_where_the_bare_board_was_in_view_was_laid_down() -> None:
    assert is_laid_down((10, 60, 30, 31))


def test_what_a_hand_uncovers_at_once_was_drawn() -> None:
    assert not is_laid_down((10, 60, 10, 31))


def test_two_specks_far_apart_that_come_at_once_do_not_make_a_drawn_line_a_thing() -> None:
    assert not is_laid_down((10, 11, 30, 31), (11, 59, 10, 32), (59, 60, 30, 31))


def test_specks_of_different_times_are_no_thing() -> None:
    assert not is_laid_down((10, 14, 20, 21), (14, 56, 10, 50), (56, 60, 49, 50))


def lost_after(*waits: tuple[float, bool]) -> list[bool]:
    """Whether the lines are lost after each moment, ink waiting then or not."""
    trace, ink = patched((10, 60, 10, 31))
    patches, told = trace._patches(ink), []
    for at_s, waits_now in waits:
        trace._watch_waiting(at_s, patches if waits_now else [])
        told.append(trace.is_lost)
    return told


def test_ink_that_no_line_takes_up_for_long_is_noticed() -> None:
    assert lost_after((5.0, True), (5.0 + LOST_S / 2, True), (5.01 + LOST_S, True)) == [False, False, True]


def test_ink_that_is_taken_up_at_last_is_not_lost_any_more() -> None:
    assert lost_after((5.0, True), (5.01 + LOST_S, True), (6.5, False), (6.6, True)) == [False, True, False, False]


def test_a_line_that_is_taken_up_is_not_lost() -> None:
    trace, ink = patched((10, 60, 10, 31))
    empty, around = np.zeros((WH[1], WH[0]), np.uint8), np.zeros((40, 100), np.uint8)
    glimpse = Glimpse(np.zeros((WH[1], WH[0], 3), np.uint8), ink.inked, empty + 255, 1.0)
    for number in range(80, 95):
        ink.times.append(0.1 * number)
        trace.update(0.1 * number, ink, Cover(empty, empty, around), glimpse)
    assert trace.lines
    assert not trace.is_lost


def test_a_stroke_begins_beside_a_line_not_beside_a_speck() -> None:
    trace, _ = patched((10, 60, 10, 31))
    trace._explain(np.array([[80.0, 20.0], [80.5, 20.0]]))
    points = np.column_stack([np.linspace(10, 60, 120), np.full(120, 20.0)])
    trace.lines.append(Line(points, np.linspace(1, 3, 120)))
    assert trace._beside_ink(np.array([40.0, 22.0]))
    assert not trace._beside_ink(np.array([81.0, 20.0]))
