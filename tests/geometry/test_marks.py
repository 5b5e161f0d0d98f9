"""What marks on a board are: told by their shapes, whatever their size."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from shapely.geometry import LineString, Point

from referee.geometry.gadgets import gadgets_of, is_raced
from referee.geometry.marks import shapes_of
from referee.model import Mark, UnseenArea
from tests.geometry import stages
from tests.geometry.stages import drive, mark


def kinds(marks: list[Mark]) -> list[str]:
    return [gadget.kind for gadget in gadgets_of(marks, stages.straight())]


@pytest.mark.parametrize("dotted", [5.0, 9.0, 15.0])
@pytest.mark.parametrize("pen", [0.8, 1.5, 2.5])
def test_a_rope_is_a_rope_at_any_size(dotted: float, pen: float) -> None:
    (rope,) = gadgets_of(stages.rope(140, dotted, pen=min(pen, 2.0)), stages.straight())
    assert (rope.id, rope.kind) == ("clothesline-1", "clothesline")
    before, behind = (line[:, 0].mean() for line in rope.dotted_mm)
    assert (before, behind) == pytest.approx((140 - dotted, 140 + dotted), abs=0.05)


@pytest.mark.parametrize(("across", "pen"), [(5.0, 0.8), (7.2, 1.0), (7.2, 2.4), (12.0, 2.0)])
def test_a_mine_is_a_mine_at_any_size(across: float, pen: float) -> None:
    (mine,) = gadgets_of(stages.mine(140, 50, across, pen), stages.straight())
    assert mine.id == "mine-1"
    assert mine.ink.area == pytest.approx(np.pi * ((across + pen) / 2) ** 2, rel=0.03)


def test_a_line_drawn_in_pieces_is_one_line() -> None:
    rope = stages.rope(140)
    pieces = [LineString([(140, y), (140.2, y + 6.2)]).buffer(0.5) for y in (40.0, 47.3, 54.4)]
    (found,) = shapes_of([*map(mark, pieces), *rope[1:]]).ropes
    assert found.ink.bounds[3] - found.ink.bounds[1] > 20


def test_dotted_lines_may_run_askew() -> None:
    rope = stages.rope(140)
    lean = [mark(Point(130 + 0.2 * (y - 50), y).buffer(0.5)) for y in np.arange(41.0, 60.0, 2.5)]
    (found,) = shapes_of([rope[0], *lean, *[dot for dot in rope[1:] if dot.outline_mm[:, 0].mean() > 140]]).ropes
    assert all(line is not None for line in found.dotted_mm)


def test_faint_dots_make_a_dotted_line_only_where_there_should_be_one() -> None:
    line, *dots = stages.rope(140)
    (found,) = gadgets_of([line], stages.straight(), dots)
    assert (found.kind, found.limits[-1].kind) == ("clothesline", "reach")
    assert kinds([]) == [gadget.kind for gadget in gadgets_of([], stages.straight(), dots)] == []


def test_a_line_from_white_line_to_white_line_without_dots_is_a_rope_badly_drawn() -> None:
    (line,) = gadgets_of(stages.rope(140)[:1], stages.straight())
    assert (line.kind, line.limits[-1].kind, line.limits[-1].mm) == ("clothesline", "dotted", -1.0)
    (short,) = gadgets_of(stages.rope(140, y1=52.0)[:1], stages.straight())
    assert short.kind == "other"


NO_GADGETS = {
    "a circle": Point(140, 50).buffer(4).exterior.buffer(0.5),
    "a cross": shapely.union_all([LineString([(136, 46), (144, 54)]), LineString([(136, 54), (144, 46)])]).buffer(0.5),
    "a big coin": Point(140, 50).buffer(8),
    "half a mine": shapely.intersection(
        shapely.union_all([Point(140, 50).buffer(4).exterior, LineString([(137, 47), (143, 53)])]).buffer(0.5),
        shapely.box(130, 40, 140, 60),
    ),
    "a line along the road": LineString([(130, 50), (150, 50)]).buffer(0.5),
}


@pytest.mark.parametrize("drawing", NO_GADGETS)
def test_what_is_no_gadget_is_noted_without_effect(drawing: str) -> None:
    parts = [mark(part) for part in shapely.get_parts(NO_GADGETS[drawing])]
    assert kinds(parts) == ["other"]


def test_specks_are_not_worth_a_word() -> None:
    assert kinds([mark(Point(100, 50).buffer(0.6)), mark(Point(200, 52).buffer(0.5))]) == []


def test_on_a_bridge_a_rope_lies_on_the_road_that_it_crosses() -> None:
    stage = stages.bridge()
    along_x = [mark(LineString([(100, 39.5), (100, 60.5)]).buffer(0.5))]  # across the road that runs along x
    dots = [mark(Point(100 + side * 9, y).buffer(0.5)) for side in (-1, 1) for y in np.arange(41.0, 60.0, 2.5)]
    (rope,) = gadgets_of([*along_x, *dots], stage)
    assert abs(rope.way[0]) > 0.9


def test_a_board_with_gadgets_is_not_raced_and_one_with_a_path_is() -> None:
    gadgets = [*stages.rope(140), *stages.mine(70, 50)]
    path = mark(LineString(drive((20, 50), (120, 50)).points_mm).buffer(1.2))
    assert not is_raced(gadgets, stages.straight())
    assert is_raced([*gadgets, path], stages.straight())


def test_whether_a_rope_reaches_its_line_is_not_told_where_the_way_between_them_is_not_seen() -> None:
    short, stage = stages.rope(140, y1=52.0), stages.straight()
    (rope,) = gadgets_of(short, stage)
    assert [limit.mm < 0 for limit in rope.limits if limit.kind == "reach"].count(True) == 1
    patch = UnseenArea("glare", np.array([[130.0, 53.0], [150.0, 53.0], [150.0, 70.0], [130.0, 70.0]]))
    (bleached,) = gadgets_of(short, stage, unseen=[patch])
    assert [limit.mm < 0 for limit in bleached.limits if limit.kind == "reach"] == [False]
    far = UnseenArea("glare", np.array([[10.0, 53.0], [20.0, 53.0], [20.0, 70.0], [10.0, 70.0]]))
    (told,) = gadgets_of(short, stage, unseen=[far])
    assert told.limits == rope.limits
