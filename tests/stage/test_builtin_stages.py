"""The built-in boards: drawn again to the byte, drivable as their plans say, and readable under every ink."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import shapely

from referee.model import Stage
from referee.stage.check import check_stage
from referee.stage.load import load_stage
from referee.stage.render import artwork
from referee.stage.shapes import pieces_of
from referee.stage.transform import IDENTITY
from referee.vision.ink_look import BRIGHT, CLEAR_CONTRAST, DARKENS, Bare, coverage_of
from stage_masks.drawing.__main__ import file_name
from stage_masks.drawing.board import draw
from stage_masks.drawing.curves import through
from stage_masks.drawing.layout import Layout
from stage_masks.drawing.lettering import LETTERS, write
from stage_masks.drawing.stages import PLANS
from stage_masks.drawing.svg import bezier

FOLDER = Path(__file__).resolve().parents[2] / "stage_masks"
NUMBERS = [plan.number for plan in PLANS]
INKS = {"black": (25, 25, 30), "blue": (25, 60, 170), "red": (200, 30, 40), "green": (20, 120, 60)}
BESIDE_MM = 5.0
PX_PER_MM = 4.0
FAR_APART = 25.0
"""CIE Lab distance between print and ink over print: ten times what an eye just notices, and three times the 8 or so
that a phone's noise, its chroma smoothing and a lamp of another colour leave uncertain together."""

OPACITIES = (0.86, 0.98)
GAIN, SPREAD = np.float32(0.75), np.float32(0.025)
"""How bright white paper is in the sample photos, and how far off the fitted light is there at most places."""

built_in = pytest.mark.parametrize("number", NUMBERS)


@cache
def stage(number: int) -> Stage:
    return load_stage(FOLDER / file_name(number))


@cache
def picture(number: int) -> np.ndarray:
    """The clean print of copy A."""
    return artwork(stage(number), "A", PX_PER_MM)


@cache
def places(number: int) -> tuple[np.ndarray, np.ndarray]:
    """x and y in mm of every pixel's centre."""
    rows, columns = np.mgrid[: picture(number).shape[0], : picture(number).shape[1]]
    return (columns + 0.5) / PX_PER_MM, (rows + 0.5) / PX_PER_MM


def colours_in(number: int, area: shapely.Geometry) -> np.ndarray:
    """The colours (N, 3) of all pixels in an area."""
    shapely.prepare(area)
    return picture(number)[shapely.contains_xy(area, *places(number))].astype(float)


def lab(rgb: np.ndarray) -> np.ndarray:
    """sRGB (N, 3) of 0 to 255 as CIE Lab under daylight."""
    xyz = light_of(rgb) @ np.array([[0.4124, 0.2126, 0.0193], [0.3576, 0.7152, 0.1192], [0.1805, 0.0722, 0.9505]])
    xyz = xyz / [0.9505, 1.0, 1.089]
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.column_stack([116 * f[:, 1] - 16, 500 * (f[:, 0] - f[:, 1]), 200 * (f[:, 1] - f[:, 2])])


def light_of(rgb: np.ndarray) -> np.ndarray:
    """sRGB (N, 3) of 0 to 255 as light, 0 to 1."""
    part = rgb / 255
    return np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4).astype(np.float32)


# ----------------------------------------------------------------------------------------- the files


@built_in
def test_a_board_is_drawn_again_to_the_byte(number: int) -> None:
    plan = next(plan for plan in PLANS if plan.number == number)
    assert (FOLDER / file_name(number)).read_bytes() == draw(plan).encode()


def test_every_file_has_its_plan_and_every_plan_its_file() -> None:
    assert sorted(path.name for path in FOLDER.glob("stage-*.svg")) == sorted(map(file_name, NUMBERS))


@built_in
def test_a_board_loads_and_the_checker_has_nothing_to_say(number: int) -> None:
    checkup = check_stage(FOLDER / file_name(number))
    assert checkup.remarks == ()
    assert checkup.stage is not None
    assert (checkup.stage.number, checkup.stage.set_name, checkup.stage.size_mm) == (number, "builtin", (297.0, 210.0))


@built_in
def test_a_board_needs_no_font_no_picture_and_no_style_sheet(number: int) -> None:
    text = (FOLDER / file_name(number)).read_text()
    for word in ("<text", "<image", "<style", "<use", "href", "font"):
        assert word not in text
    assert len(text) < 400_000


# ----------------------------------------------------------------------------------------- the course


CONTENTS = {
    # number: theme, bridges, jumps, boosts, oil spills, pipes
    1: ("park", 0, 0, 0, 0, 0),
    2: ("city", 0, 0, 0, 0, 0),
    3: ("city", 1, 0, 0, 0, 0),
    4: ("mushroom wood", 0, 1, 0, 0, 0),
    5: ("city", 1, 0, 1, 0, 0),
    6: ("park", 0, 0, 1, 0, 0),
    7: ("park", 0, 1, 0, 0, 1),
    8: ("mushroom wood", 1, 0, 1, 0, 0),
    9: ("storm", 0, 0, 2, 0, 1),
    10: ("sky", 0, 2, 0, 0, 0),
    11: ("sky", 0, 2, 0, 0, 0),
    12: ("sewer", 0, 1, 0, 0, 2),
    13: ("sewer", 0, 0, 0, 2, 1),
    14: ("sky", 0, 1, 0, 1, 0),
    15: ("sewer", 1, 0, 0, 2, 0),
    16: ("night finale", 1, 2, 1, 1, 1),
}
"""What each of the sixteen is about."""


def bridges(board: Stage) -> list[tuple[int, int]]:
    """The pairs of sections that overlap without being neighbours."""
    return [
        (a.number, b.number)
        for a in board.sections
        for b in board.sections
        if b.number > a.number + 1 and a.road.intersection(b.road).area > 1
    ]


def line_of_course(board: Stage) -> shapely.LineString:
    """The course as one line, its flights straight."""
    return shapely.LineString(np.concatenate(board.course))


def along(board: Stage, place: shapely.Geometry) -> tuple[float, float]:
    """From where to where a zone reaches along the course."""
    line = line_of_course(board)
    ends = [line.project(shapely.Point(p)) for p in shapely.get_coordinates(line.intersection(place))]
    return min(ends), max(ends)


def test_there_are_sixteen_boards_and_each_has_what_makes_it() -> None:
    assert sorted(CONTENTS) == NUMBERS == list(range(1, 17))
    for number, (theme, bridged, jumps, boosts, spills, pipes) in CONTENTS.items():
        board = stage(number)
        assert board.theme == theme
        assert len(bridges(board)) == bridged, number
        assert (len(board.jumps), len(board.landings)) == (jumps, jumps), number
        assert (len(board.accelerations), len(board.slowdowns)) == (boosts, boosts), number
        assert (len(board.oil_spills), len(board.pipes)) == (spills, pipes), number
        assert len(board.checkpoints) in (3, 4)
    assert len(stage(1).checkpoints) == len(stage(2).checkpoints) == 3


def test_each_board_has_a_name_of_its_own() -> None:
    names = [stage(number).name for number in NUMBERS]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("number", [n for n, (_, bridged, *_) in CONTENTS.items() if bridged])
def test_under_a_bridge_the_lower_lines_stop_and_the_upper_ones_run_through(number: int) -> None:
    board = stage(number)
    ((one, other),) = bridges(board)
    (above,) = next(plan for plan in PLANS if plan.number == number).above
    below = one + other - above
    low, high = (next(s for s in board.sections if s.number == n) for n in (below, above))
    crossing = low.road.intersection(high.road)
    for line in board.white_lines:
        if line.sections == (below,):
            assert not line.band.intersects(crossing)
            assert not line.band.intersects(high.road.buffer(1.9)), line.id
    assert len([line for line in board.white_lines if line.sections == (above,)]) == 2
    lines = shapely.union_all([w.band for w in board.white_lines if w.sections == (above,)])
    assert lines.intersection(low.road).area > 2 * 2.0 * 0.9 * 2 * np.sqrt(low.road.area / low.road.length)


@pytest.mark.parametrize("number", [n for n, (_, bridged, *_) in CONTENTS.items() if bridged])
def test_roads_cross_at_a_bridge_at_more_than_60_degrees(number: int) -> None:
    board = stage(number)
    ((low, high),) = bridges(board)
    roads = {section.number: section.road for section in board.sections}
    line = line_of_course(board)
    middle = roads[low].intersection(roads[high]).centroid
    near = [s for s in np.arange(0, line.length, 0.5) if line.interpolate(s).distance(middle) < 8]
    one, other = min(near), max(near)
    assert other - one > 60, "two passes"
    headings = []
    for s in (one + 6, other - 6):
        a, b = line.interpolate(s - 1), line.interpolate(s + 1)
        headings.append(np.degrees(np.arctan2(b.y - a.y, b.x - a.x)))
    apart = abs((headings[0] - headings[1] + 90) % 180 - 90)
    assert apart > 60


def test_stage_6_has_its_boost_through_a_long_bend() -> None:
    board = stage(6)
    begin, end = along(board, board.accelerations[0].shape)[0], along(board, board.slowdowns[0].shape)[1]
    assert end - begin > 180
    line = line_of_course(board)
    angles = [
        np.arctan2(*(np.subtract(line.interpolate(s + 1).coords[0], line.interpolate(s).coords[0]))[::-1])
        for s in np.arange(begin, end, 2.0)
    ]
    turned = np.degrees(np.abs(np.diff(np.unwrap(angles)).sum()))
    assert turned > 150


def test_stage_8_has_its_boost_across_the_bridge() -> None:
    board = stage(8)
    ((low, high),) = bridges(board)
    roads = {section.number: section.road for section in board.sections}
    deck = roads[low].intersection(roads[high])
    for zone in (board.accelerations[0], board.slowdowns[0]):
        assert roads[high].buffer(0.1).contains(zone.shape)
        assert zone.shape.distance(deck) > 2
    begin, end = along(board, board.accelerations[0].shape)[1], along(board, board.slowdowns[0].shape)[0]
    middle = line_of_course(board).interpolate((begin + end) / 2)
    assert deck.buffer(6).contains(middle)


@pytest.mark.parametrize(("number", "ahead"), [(10, [True, True]), (11, [True, False])])
def test_a_board_of_two_jumps_goes_ahead_or_back(number: int, ahead: list[bool]) -> None:
    board = stage(number)
    found = []
    for before, after in zip(board.course, board.course[1:], strict=False):
        heading = before[-1] - before[-8]
        found.append(float((after[0] - before[-1]) @ heading) > 0)
    assert found == ahead


def test_the_jumps_of_stage_10_come_one_right_after_the_other() -> None:
    board = stage(10)
    landed, off = along(board, board.landings[0].shape)[1], along(board, board.jumps[1].shape)[0]
    line = line_of_course(board)
    assert 0 < off - landed < 60
    between = [line.project(shapely.LineString(c.points_mm).centroid) for c in board.checkpoints]
    assert not any(landed < s < off for s in between)


@pytest.mark.parametrize("number", [n for n, (_, _, jumps, *_) in CONTENTS.items() if jumps and n != 11])
def test_a_jump_is_landed_in_line_within_an_easy_reach(number: int) -> None:
    board = stage(number)
    for before, after in zip(board.course, board.course[1:], strict=False):
        flight = after[0] - before[-1]
        assert 18 < np.hypot(*flight) < 32
        for heading in (before[-1] - before[-8], after[7] - after[0]):
            turn = np.degrees(np.arccos(heading @ flight / np.hypot(*heading) / np.hypot(*flight)))
            assert turn < 15, (number, turn)


@pytest.mark.parametrize("number", [n for n, (_, _, _, boosts, *_) in CONTENTS.items() if boosts])
def test_no_checkpoint_lies_between_a_boost_and_its_slowdown(number: int) -> None:
    board = stage(number)
    line = line_of_course(board)
    lines = [line.project(shapely.LineString(c.points_mm).centroid) for c in board.checkpoints]
    for fast, slow in zip(board.accelerations, board.slowdowns, strict=True):
        begin, end = along(board, fast.shape)[0], along(board, slow.shape)[1]
        assert begin < end
        assert not any(begin < s < end for s in lines)


@built_in
def test_no_bend_is_tighter_than_a_hand_can_take(number: int) -> None:
    """The inner white line's far edge keeps a radius of 5 mm or more: the marker's tip is about 3 mm wide."""
    for lane in Layout(next(plan for plan in PLANS if plan.number == number)).lanes:
        s = lane.curve.s[20:-20]
        heading = np.unwrap(np.arctan2(*lane.curve.right[20:-20].T))
        tightest = 1 / max(1e-9, np.abs(np.gradient(heading, s)).max())
        assert tightest - lane.half - 2.0 > 5.0


@built_in
def test_roads_that_do_not_meet_keep_apart(number: int) -> None:
    """A verge of 5 mm to each side, so that ink past one road's line is not yet at the next one's."""
    stretches = Layout(next(plan for plan in PLANS if plan.number == number)).stretches
    crossing = set(bridges(stage(number)))
    for i, a in enumerate(stretches):
        for b in stretches[i + 2 :]:
            if (a.number, b.number) in crossing:
                continue
            near_a_bridge = any({a.number, b.number} & set(pair) and abs(a.number - b.number) <= 3 for pair in crossing)
            gap = a.outline(2.0).distance(b.outline(2.0))
            assert gap > (4.0 if near_a_bridge else 10.0), (a.number, b.number)


@built_in
def test_every_road_is_as_wide_as_its_plan_says(number: int) -> None:
    plan = next(plan for plan in PLANS if plan.number == number)
    for road, lane in zip(plan.roads, Layout(plan).lanes, strict=True):
        assert 16 <= road.width <= 24
        s = np.arange(2.0, lane.curve.length - 2.0, 3.0)
        left, right = lane.curve.at(s, -40.0), lane.curve.at(s, 40.0)
        for a, b in zip(left, right, strict=True):
            across = shapely.LineString([a, b])
            middle = shapely.Point((a + b) / 2)
            surface = shapely.union_all([x.road for x in stage(number).sections if x.road.distance(middle) < 1])
            parts = shapely.get_parts(across.intersection(surface.buffer(0.01)))
            mine = parts[int(np.argmin(shapely.distance(parts, middle)))]
            assert mine.length >= road.width - 0.15


@built_in
def test_white_lines_lie_beside_their_road_without_a_gap(number: int) -> None:
    board = stage(number)
    for line in board.white_lines:
        road = shapely.union_all([s.road for s in board.sections if s.number in line.sections])
        assert line.width_mm == 2.0
        assert line.band.intersection(road).area < 0.02 * line.band.area
        near = road.buffer(2.05).intersection(line.band).area
        assert near > 0.99 * line.band.area, line.id


@built_in
def test_checkpoints_and_finish_reach_both_near_edges(number: int) -> None:
    board = stage(number)
    roads = {section.number: section.road for section in board.sections}
    for checkpoint in board.checkpoints:
        edge = roads[checkpoint.section].exterior
        assert max(edge.distance(shapely.Point(p)) for p in checkpoint.points_mm[[0, -1]]) < 0.05, checkpoint.id
    edge = shapely.union_all(list(roads.values())).boundary
    assert max(edge.distance(shapely.Point(p)) for p in board.finish_mm[[0, -1]]) < 0.05


@built_in
def test_there_is_room_to_pass_every_oil_spill(number: int) -> None:
    board = stage(number)
    for spill in board.oil_spills:
        road = min(board.sections, key=lambda s: s.road.distance(spill.shape.centroid)).road
        lines = shapely.union_all([line.band for line in board.white_lines])
        assert road.contains(spill.reach), spill.id
        free = road.difference(spill.reach.buffer(3.0)).difference(lines.buffer(1.5))
        cut = free.intersection(spill.shape.centroid.buffer(14))
        assert max(part.area for part in shapely.get_parts(cut)) > 60, spill.id


@built_in
def test_nothing_that_is_judged_comes_near_the_rim_that_printers_leave_blank(number: int) -> None:
    board = stage(number)
    sheet = shapely.box(0, 0, 297, 210).exterior
    shapes = [w.band for w in board.white_lines] + [shapely.Polygon(f.corners_mm) for f in board.fiducials]
    assert min(sheet.distance(shape) for shape in shapes) >= 6.5
    markers = shapely.union_all([shapely.Polygon(f.corners_mm) for f in board.fiducials])
    roads = shapely.union_all([w.band for w in board.white_lines])
    assert markers.distance(roads) > 5


def test_a_plan_that_cannot_be_driven_is_refused_with_the_place() -> None:
    with pytest.raises(ValueError, match=r"bends at \(50, 0, 40\) and \(50, 50, 40\) need 80.0 mm .* are 50.0"):
        through([(0, 0), (50, 0, 40), (50, 50, 40), (100, 50)])
    plan = next(plan for plan in PLANS if plan.number == 1)
    with pytest.raises(ValueError, match=r"\(150, 85\) lies \d+ mm from the middle of any road"):
        draw(replace(plan, finish=(150, 85)))
    with pytest.raises(ValueError, match="16 to 24 mm"):
        replace(plan, roads=(replace(plan.roads[0], width=30.0),))


def test_curves_in_a_file_are_the_curves_of_the_plan() -> None:
    lane = Layout(next(plan for plan in PLANS if plan.number == 13)).lanes[0]
    for side in (-1, 1):
        edge = lane.side(side, 0, lane.curve.length)
        (piece,) = pieces_of("path", {"d": bezier(edge)}, IDENTITY, (297, 210))
        gap = shapely.LineString(piece.points_mm).hausdorff_distance(shapely.LineString(edge))
        assert gap < 0.03, "two decimals and a knot every 4 mm"


# ----------------------------------------------------------------------------------------- the looks


@cache
def prints_by_the_road(number: int) -> np.ndarray:
    """The colours (N, 3) that the print shows on the road, its lines and 5 mm to each side."""
    board = stage(number)
    roads = shapely.union_all([*(s.road for s in board.sections), *(w.band for w in board.white_lines)])
    packed = colours_in(number, roads.buffer(BESIDE_MM)).astype(np.uint32) @ np.array([1 << 16, 1 << 8, 1], np.uint32)
    return (np.unique(packed)[:, None] >> np.array([16, 8, 0]) & 255).astype(float)


@built_in
def test_every_ink_shows_on_the_road_and_beside_it(number: int) -> None:
    colours = prints_by_the_road(number)
    plain = lab(colours)
    for ink, rgb in INKS.items():
        for opacity in OPACITIES:
            inked = lab(opacity * np.array(rgb) + (1 - opacity) * colours)
            apart = np.linalg.norm(inked - plain, axis=1)
            worst = colours[apart.argmin()]
            assert apart.min() >= FAR_APART, f"{ink} ink on {worst}: only {apart.min():.1f} apart"


@built_in
def test_every_ink_has_the_contrast_that_the_segmentation_asks_for(number: int) -> None:
    """A pixel of ink speaks for itself (`CLEAR_CONTRAST`), and takes the light that tells it from a ghost (`DARKENS`).

    As in a photo in lamp light, whose fitted light is off by as much as in a sharp picture taken by hand.
    """
    colours = prints_by_the_road(number)
    clean = light_of(colours)
    many = len(clean)
    bare = Bare(
        clean, np.full_like(clean, GAIN), np.zeros_like(clean), np.full(many, SPREAD), np.zeros(many, np.float32)
    )
    for ink, rgb in INKS.items():
        for opacity in OPACITIES:
            inked = light_of(opacity * np.array(rgb) + (1 - opacity) * colours)
            inkiness, contrast = coverage_of(GAIN * inked, bare, inked)
            worst = colours[contrast.argmin()]
            assert contrast.min() >= CLEAR_CONTRAST, f"{ink} ink on {worst}: {contrast.min():.1f} sigmas"
            assert inkiness == pytest.approx(1.0, abs=0.01)
            takes = ((inked + 0.01) / (clean + 0.02) < DARKENS) & (clean > BRIGHT)
            assert takes.any(1).all(), f"{ink} ink on {colours[~takes.any(1)][:1]} takes too little light"


@built_in
def test_white_lines_stand_out_from_the_road_and_the_verge(number: int) -> None:
    board = stage(number)
    lines = shapely.union_all([w.band for w in board.white_lines])
    inner = shapely.union_all([s.road for s in board.sections]).buffer(-1)
    outer = lines.buffer(3).difference(lines.buffer(1.2)).difference(inner.buffer(2))
    white, road, verge = (np.median(lab(colours_in(number, area))[:, 0]) for area in (lines.buffer(-0.5), inner, outer))
    assert white - road > 18
    assert white - verge > 6


@built_in
def test_markers_have_white_round_them(number: int) -> None:
    for fiducial in stage(number).fiducials:
        square = shapely.Polygon(fiducial.corners_mm)
        assert square.area == pytest.approx(16**2)
        ring = square.buffer(2.1, join_style="mitre").difference(square.buffer(0.3, join_style="mitre"))
        assert colours_in(number, ring).min() == 255, fiducial.id


@built_in
def test_the_tape_on_a_board_measures_100_mm(number: int) -> None:
    plan = next(plan for plan in PLANS if plan.number == number)
    column = picture(number)[:, int((plan.tape[0] - 0.4) * PX_PER_MM)].astype(int)
    dark, red = np.array([0x8D, 0x7A, 0x55]), np.array([0xC9, 0x57, 0x4B])
    hook, end = (np.flatnonzero(np.abs(column - colour).max(axis=1) < 12).mean() + 0.5 for colour in (dark, red))
    assert (end - hook) / PX_PER_MM == pytest.approx(100 - 0.25, abs=0.15), (
        "the hook's middle is 0.25 mm below its edge"
    )


def test_every_letter_and_digit_can_be_written() -> None:
    assert set("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") <= set(LETTERS)
    assert write("Az 09", 0, 0, 6, "#000").count("M") >= 4
