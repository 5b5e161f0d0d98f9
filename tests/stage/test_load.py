"""What a stage file says, however it is spelled."""

# ruff: noqa: E501 (tables of elements read best with a row a line)

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from shapely.geometry import MultiPolygon, Point, Polygon

from referee.stage.lines import _patched
from referee.stage.load import load_stage, parse_stage
from tests.stage.boards import BRIDGE, RULER, assert_same, board, stage_of

SVG_NAMES = (
    'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
    'xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" '
    'xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd" '
    'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:cc="http://creativecommons.org/ns#" '
    'xmlns:dc="http://purl.org/dc/elements/1.1/"'
)


def test_a_path_may_be_a_path_or_its_words(tmp_path: Path) -> None:
    path = tmp_path / "ruler.svg"
    path.write_bytes(board())
    assert load_stage(str(path)).number == load_stage(path).number == 9


def test_a_board_is_read_as_it_is_drawn() -> None:
    stage = stage_of()
    assert (stage.number, stage.name, stage.theme, stage.size_mm) == (9, "Ruler Road", "city", (297.0, 210.0))
    assert [section.road.bounds for section in stage.sections] == [
        (20, 40, 100, 60),
        (100, 40, 180, 60),
        (198, 40, 280, 60),
    ]
    assert [(c.id, c.order, c.section) for c in stage.checkpoints] == [
        ("checkpoint-1", 1, 1),
        ("checkpoint-2", 2, 2),
        ("checkpoint-3", 3, 3),
    ]
    assert [len(piece) for piece in stage.course] == [2, 2]
    assert [line.id for line in stage.white_lines] == [f"white-line-{i}" for i in (1, 2, 3, 4, 4)]
    assert (stage.jumps[0].key, stage.landings[0].key) == ("zigzag", "zigzag")
    assert (stage.accelerations[0].key, stage.slowdowns[0].key) == ("a", "a")
    assert stage.pipes[0].id == "pipe-1"
    assert [(f.marker_id, f.place) for f in stage.fiducials] == [(64, 0), (65, 1), (66, 2), (67, 3)]
    assert stage.fiducials[1].corners_mm.tolist() == [[277, 6], [291, 6], [291, 20], [277, 20]]
    assert stage.finish_mm.tolist() == [[270, 40], [270, 60]]


def test_an_oil_spill_reaches_to_its_purple_lines_outer_edge() -> None:
    spill = stage_of().oil_spills[0]
    assert spill.line_width_mm == 1.4
    assert spill.shape.exterior.distance(Point(139, 50)) < 0.02
    assert spill.reach.exterior.distance(Point(139.7, 50)) < 0.02


def test_the_order_in_the_file_never_matters() -> None:
    backwards = dict(reversed(RULER.items()))
    assert_same(stage_of(), stage_of(backwards))


@pytest.mark.parametrize(
    ("name", "spelling"),
    [
        ("road-2", '<path id="road-2" data-kind="road" data-section="2" d="M100,40 180,40 l0 20-80 0Z"/>'),
        ("road-2", '<polyline id="road-2" data-kind="road" data-section="2" points="100 40 180 40 180 60 100 60 100 40"/>'),
        ("road-2", '<g id="road-2" data-kind="road" data-section="2"><rect x="100" y="40" width="80" height="20"/></g>'),
        ("white-line-2", '<line id="white-line-2" data-kind="white-line" data-section="2" style="stroke-width:2;fill:none" stroke-width="7" x1="100" y1="39" x2="180" y2="39"/>'),
        ("white-line-2", '<g stroke-width="1" id="white-line-2" data-kind="white-line" data-section=" 2 "><path transform="scale(2)" d="M50 19.5H90"/></g>'),
        ("white-line-2", '<g data-section="7" stroke-width="9"><path id="white-line-2" data-kind="white-line" data-section="2" stroke-width="2" d="M100 39H180"/></g>'),
        ("white-line-2", '<polyline id="white-line-2" data-kind="white-line" data-section="2" stroke-width="2px" points="100,39 180,39"/>'),
        ("white-line-2", '<path id="white-line-2" data-kind="white-line" data-section="2" transform="matrix(4 0 0 .25 0 0)" stroke-width="2" d="M25 156h20"/>'),
        ("checkpoint-2", '<line id="checkpoint-2" data-kind="checkpoint" data-order="2" data-section="2" x1="120" y1="40" x2="120" y2="60" opacity="0" style="display:none"/>'),
        ("checkpoint-2", '<svg id="checkpoint-2" data-kind="checkpoint" data-order="2" x="120" y="40" width="10" height="20" viewBox="0 0 5 10"><path d="M0 0v10"/></svg>'),
        ("pipe-1", '<defs><rect id="tube" width="8" height="24"/></defs><use id="pipe-1" data-kind="pipe" href="#tube" x="228" y="38"/>'),
        ("pipe-1", '<symbol id="tube"><rect width="8" height="24"/></symbol><g data-kind="pipe"><use id="pipe-1" href="#tube" transform="translate(228 38)"/></g>'),
        ("pipe-1", '<symbol id="tube" viewBox="0 0 4 12"><rect width="4" height="12"/></symbol><use data-kind="pipe" id="pipe-1" href="#tube" x="228" y="38" width="8" height="24"/>'),
        ("jump-1", '<g id="jump-1" data-kind="jump" data-pattern="zigzag"><rect x="155" y="40" width="10" height="20"/><rect x="165" y="40" width="15" height="20"/></g>'),
        ("course", '<path id="course" data-kind="course" d="M25 50H100M100 50H180M198 50H280"/>'),
        ("art", '<text data-kind="art">road</text><defs><path data-kind="course" d="M0 0H9"/></defs>'),
        ("art", '<clipPath id="c"><rect data-kind="road" width="5" height="5"/></clipPath><g data-kind="art"><rect width="3" height="3"/></g>'),
    ],
)  # fmt: skip
def test_a_spelling_changes_nothing(name: str, spelling: str) -> None:
    stage = stage_of(change={name: spelling})
    if name == "course":  # one point more where two subpaths run on
        assert [piece[[0, -1]].tolist() for piece in stage.course] == [[[25, 50], [180, 50]], [[198, 50], [280, 50]]]
    elif name == "jump-1":
        assert stage.jumps[0].id == "jump-1"
        assert stage.jumps[0].shape.symmetric_difference(stage_of().jumps[0].shape).area < 1e-9
    else:
        assert_same(stage_of(), stage)


def test_layers_kinds_and_transforms_that_cancel_change_nothing() -> None:
    layers = []
    for kind in ("road", "white-line", "checkpoint", "jump", "landing", "fiducial"):
        inside = [text.replace(f' data-kind="{kind}"', "") for text in RULER.values() if f'data-kind="{kind}"' in text]
        layers.append(
            f'<g id="layer-{kind}" data-kind="{kind}" transform="translate(40 -12) scale(2)">'
            f'<g transform="matrix(.5 0 0 .5 -20 6)">{"".join(inside)}</g></g>'
        )
    rest = {
        n: t
        for n, t in RULER.items()
        if n.rsplit("-", 1)[0] not in ("road", "white-line", "checkpoint", "jump", "landing", "fiducial")
    }
    assert_same(stage_of(), stage_of(rest, extra="".join(layers)))


INKSCAPE = """<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!-- Created with Inkscape (http://www.inkscape.org/) -->
<svg width="297mm" height="210mm" viewBox="0 0 297 210" version="1.1" id="svg5"
   inkscape:version="1.3.2 (091e20e, 2023-11-25)" sodipodi:docname="C:\\boards\\ruler.svg" {names}
   data-stage-format="1" data-stage="9" data-name="Ruler Road" data-theme="city">
  <sodipodi:namedview id="namedview7" pagecolor="#ffffff" inkscape:document-units="mm" showgrid="false">
    <inkscape:grid type="xygrid" id="grid1" units="mm"/>
  </sodipodi:namedview>
  <style id="style3">.line {{ fill:none; stroke:#fff; stroke-width:2 }} path.thin, #nobody {{ stroke-width:.3px }}</style>
  <defs id="defs2"><inkscape:path-effect effect="bspline" id="path-effect9" is_visible="true"/>
    <rect id="unused" data-kind="road" data-section="9" width="3" height="3"/></defs>
  <metadata id="metadata5"><rdf:RDF><cc:Work rdf:about=""><dc:format>image/svg+xml</dc:format>
    <dc:type rdf:resource="http://purl.org/dc/dcmitype/StillImage"/>
    <cc:license rdf:resource="http://creativecommons.org/licenses/by/4.0/"/></cc:Work></rdf:RDF></metadata>
  <g inkscape:label="Bild" inkscape:groupmode="layer" id="layer1" style="display:inline">{art}
    <text xml:space="preserve" id="text9" x="5" y="9" style="font-size:5px;stroke-width:0.26"><tspan
       sodipodi:role="line" id="tspan9">Start</tspan></text></g>
  <g inkscape:groupmode="layer" id="layer2" inkscape:label="Spur" transform="translate(-10,3)" style="display:none">
    <g id="g55" transform="translate(10,-3)">{rest}</g>
  </g>
</svg>"""


def test_what_inkscape_saves_is_the_same_board() -> None:
    rest = [
        text.replace('stroke-width="2"', 'class="line" stroke-width="5" sodipodi:nodetypes="cc"').replace(
            'stroke-width="1.4"', 'style="fill:#000;stroke:#808;stroke-width:1.4;stroke-dasharray:none"'
        )
        for name, text in RULER.items()
        if name != "art"
    ]
    text = INKSCAPE.format(names=SVG_NAMES, art=RULER["art"], rest="\n".join(rest))
    assert_same(stage_of(), parse_stage(text.encode(), "ruler.svg"))


def test_an_element_without_an_id_is_named_by_kind_and_place() -> None:
    nameless = {name: text.replace(f' id="{name}"', "") for name, text in RULER.items() if name != "white-line-2"}
    nameless["white-line-2"] = RULER["white-line-2"].replace("white-line-2", "kerb")
    stage = stage_of(nameless)
    assert [line.id for line in stage.white_lines] == [
        "white-line-1",
        "kerb",
        "white-line-2",
        "white-line-3",
        "white-line-3",
    ]
    assert [c.id for c in stage.checkpoints] == ["checkpoint-1", "checkpoint-2", "checkpoint-3"]
    assert (stage.start_id, stage.finish_id, stage.pipes[0].id) == ("start-1", "finish-1", "pipe-1")


def test_the_files_own_id_names_nothing_in_it() -> None:
    change = {"pipe-1": RULER["pipe-1"].replace('id="pipe-1" ', "")}
    assert stage_of(change=change, root={"id": "svg5"}).pipes[0].id == "pipe-1"


def test_an_inherited_id_that_would_name_two_things_names_neither() -> None:
    bare = [RULER[f"checkpoint-{i}"].replace(f' id="checkpoint-{i}"', "") for i in (1, 2, 3)]
    stage = stage_of(drop=["checkpoint-1", "checkpoint-2", "checkpoint-3"], extra=f'<g id="blue">{"".join(bare)}</g>')
    assert [c.id for c in stage.checkpoints] == ["checkpoint-1", "checkpoint-2", "checkpoint-3"]


def test_a_clone_shows_its_target_where_it_stands_with_the_clones_data() -> None:
    change = {
        "checkpoint-3": '<use id="blue-3" href="#bar" x="240" data-kind="checkpoint" data-order="3"/>'
        '<defs><line id="bar" y1="40" y2="60"/></defs>'
    }
    third = stage_of(change=change).checkpoints[2]
    assert (third.id, third.section, third.points_mm.tolist()) == ("blue-3", 3, [[240, 40], [240, 60]])


def test_under_a_bridge_the_course_tells_which_road_a_checkpoint_crosses() -> None:
    stage = stage_of(BRIDGE)
    assert [(c.id, c.section) for c in stage.checkpoints] == [("checkpoint-1", 2), ("checkpoint-2", 4)]


def test_a_checkpoint_may_lie_where_two_sections_meet() -> None:
    line = '<line id="checkpoint-2" data-kind="checkpoint" data-order="2" x1="100" y1="40" x2="100" y2="60"/>'
    assert stage_of(change={"checkpoint-2": line}).checkpoints[1].section in (1, 2)
    said = line.replace("data-order", 'data-section="2" data-order')
    assert stage_of(change={"checkpoint-2": said}).checkpoints[1].section == 2


def test_a_view_box_may_begin_anywhere() -> None:
    moved = stage_of(root={"viewBox": "-10 5 297 210"}, wrap=('<g transform="translate(-10 5)">', "</g>"))
    assert_same(stage_of(), moved)


def test_a_transform_of_the_whole_file_counts_too() -> None:
    assert_same(
        stage_of(), stage_of(root={"transform": "translate(7 -3)"}, wrap=('<g transform="translate(-7 3)">', "</g>"))
    )


def test_a_white_line_has_butt_ends_and_sharp_corners() -> None:
    first = stage_of().white_lines[0]
    assert first.sections == (1,)
    assert first.band.bounds == (18, 38, 100, 62)
    assert first.band.covers(Point(18.01, 38.01))


@pytest.mark.parametrize(("gap", "corner"), [(0.0, Point(18.05, 38.05)), (0.1, Point(18.55, 38.55))])
def test_lines_that_meet_at_an_angle_join_without_a_notch(gap: float, corner: Point) -> None:
    change = {
        "white-line-1": '<path id="a" data-kind="white-line" data-section="1" stroke-width="2"'
        f' d="M60 39H{19 + gap}"/><path id="b" data-kind="white-line" data-section="1" stroke-width="2"'
        f' d="M19 {39 + gap}V61"/>'
    }
    lines = {line.id: line for line in stage_of(change=change).white_lines}
    assert lines["a"].band.union(lines["b"].band).covers(corner)
    assert lines["a"].band.bounds[2] == 60
    assert lines["b"].band.area == pytest.approx(2 * 21.9, abs=1.3)


def test_lines_that_run_straight_on_stay_as_they_are() -> None:
    lines = {line.id: line for line in stage_of().white_lines}
    assert lines["white-line-2"].band.bounds == (100, 38, 180, 40)


def test_a_line_whose_own_ends_meet_is_closed() -> None:
    ring = '<path id="ring" data-kind="white-line" data-section="1" stroke-width="2" d="M60 47h6v6h-6v-5.8"/>'
    line = next(line for line in stage_of(extra=ring).white_lines if line.id == "ring")
    assert line.closed
    assert line.points_mm[0].tolist() == line.points_mm[-1].tolist()
    assert len(line.band.interiors) == 1


def test_a_line_may_serve_several_sections() -> None:
    line = RULER["white-line-2"].replace('data-section="2"', 'data-section="2, 1"')
    assert stage_of(change={"white-line-2": line}).white_lines[1].sections == (1, 2)


def test_an_island_in_the_road_is_a_hole() -> None:
    even = (
        '<path id="road-1" data-kind="road" data-section="1" fill-rule="evenodd" d="M20 40h80v20h-80zM60 47h6v6h-6z"/>'
    )
    turned = '<path id="road-1" data-kind="road" data-section="1" d="M20 40h80v20h-80zM60 47v6h6v-6z"/>'
    for spelling in (even, turned):
        road = stage_of(change={"road-1": spelling}).sections[0].road
        assert road.area == pytest.approx(80 * 20 - 36)


def test_a_start_arrow_may_have_several_parts() -> None:
    parts = (
        '<g id="start" data-kind="start"><rect x="30" y="48" width="8" height="4"/><path d="M38.5 45l6 5-6 5z"/></g>'
    )
    stage = stage_of(change={"start": parts})
    assert stage.start_id == "start"
    assert stage.start.bounds == pytest.approx((30, 45, 44.5, 55))


def test_a_board_without_markers_loads() -> None:
    assert stage_of(drop=[f"fiducial-{i}" for i in (1, 2, 3, 4)]).fiducials == ()


def test_markers_in_any_order_are_placed_by_where_they_are() -> None:
    swapped = {f"fiducial-{i}": RULER[f"fiducial-{5 - i}"] for i in (1, 2, 3, 4)}
    assert_same(stage_of(), stage_of(change=swapped))


def test_a_marker_that_is_turned_by_a_quarter_is_the_same_square() -> None:
    turned = RULER["fiducial-2"].replace("<rect", '<rect transform="rotate(90 284 13)"')
    assert_same(stage_of(), stage_of(change={"fiducial-2": turned}))


def test_a_file_is_named_in_messages_and_its_text_is_kept(tmp_path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "ruler.svg"
    path.write_bytes(board())
    stage = load_stage(path)
    assert stage.source == "ruler.svg"
    assert stage.svg == board()


angles = st.floats(-180, 180)
shifts = st.floats(-300, 300)
sizes = st.floats(0.2, 5) | st.floats(-5, -0.2)
steps = (
    st.builds(lambda x, y: (f"translate({x!r} {y!r})", f"translate({-x!r},{-y!r})"), shifts, shifts)
    | st.builds(lambda a: (f"rotate({a!r})", f"rotate({-a!r})"), angles)
    | st.builds(lambda a, x, y: (f"rotate({a!r} {x!r} {y!r})", f"rotate({-a!r},{x!r},{y!r})"), angles, shifts, shifts)
    | st.builds(lambda x, y: (f"scale({x!r} {y!r})", f"scale({1 / x!r} {1 / y!r})"), sizes, sizes)
    | st.builds(lambda a: (f"skewX({a!r})", f"skewX({-a!r})"), st.floats(-60, 60))
    | st.builds(lambda a: (f"skewY({a!r})", f"skewY({-a!r})"), st.floats(-60, 60))
)  # fmt: skip


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(chain=st.lists(steps, min_size=1, max_size=5), nested=st.booleans())
def test_transforms_that_cancel_change_nothing(chain: list[tuple[str, str]], nested: bool) -> None:
    there, back = [step[0] for step in chain], [step[1] for step in reversed(chain)]
    if nested:
        opening = "".join(f'<g transform="{step}">' for step in there + back)
        wrap = (opening, "</g>" * 2 * len(chain))
    else:
        wrap = (f'<g transform="{" ".join(there + back)}">', "</g>")
    assert_same(stage_of(), stage_of(wrap=wrap))


def test_values_are_frozen() -> None:
    stage = stage_of()
    for line in (stage.course[0], stage.white_lines[0].points_mm, stage.checkpoints[0].points_mm):
        with pytest.raises(ValueError, match="read-only"):
            line[0, 0] = 1.0
    assert isinstance(stage.finish_mm, np.ndarray)


def test_a_hair_thin_spike_between_two_lines_is_no_trouble() -> None:
    base = next(line for line in stage_of().white_lines if not line.closed)
    spike = Polygon([(219.90156470961855, 31.82641511139283), (220.1235852432789, 31.993091396082765),
                     (219.9015647096184, 31.82641511139272), (219.24769571520696, 31.365077627094895)])  # fmt: skip
    notch = Polygon([(99, 38), (101, 38), (101, 39)])
    patched = _patched(base, [MultiPolygon([notch, spike])])
    assert patched.band.covers(Point(100.9, 38.5))
    assert _patched(base, []) is base
