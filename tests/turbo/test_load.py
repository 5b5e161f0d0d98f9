"""Circuit files: the built-in one comes from its generator to the byte; a hostile or broken one is refused by name."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely.geometry import Polygon

from referee.turbo import load
from referee.turbo.drafting.drawing import MARKER_MM, circuit_svg
from referee.turbo.drafting.turbo import HEADING, SIZE_MM, START_MM, turbo_roads
from referee.turbo.faults import BadCircuit
from referee.turbo.features import FEATURES
from referee.turbo.markers import CODES, CORNERS, white_cells
from tests.turbo.play import turbo
from tests.turbo_time.raster import drawn

SVG = circuit_svg()
DICTIONARY = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_ARUCO_MIP_36h12)


def refused(svg: str | bytes) -> BadCircuit:
    with pytest.raises(BadCircuit, match=r"^own\.svg: ") as bad:
        load.parse(svg.encode() if isinstance(svg, str) else svg, "own.svg")
    assert bad.value.hint
    return bad.value


# ----------------------------------------------------------------------------------------- the built-in one


def test_the_built_in_circuit_is_what_its_generator_writes_to_the_byte() -> None:
    assert load.builtin().svg.decode() == SVG


def test_the_road_ends_where_it_begins() -> None:
    where, heading = turbo_roads()[-1].end
    assert np.allclose([where, heading], [START_MM, HEADING], atol=1e-6)


def test_the_circuit_has_every_feature_that_the_rules_name() -> None:
    circuit = turbo()
    assert all(circuit.with_feature(feature) for feature in FEATURES)
    assert (len(circuit.dots), len(circuit.grid), len(circuit.yellow_lines)) == (16, 4, 12)
    outside = {line.outside & {"a17", "d8", "d17", "d35"} for line in circuit.yellow_lines}
    assert outside >= {frozenset({name}) for name in ("a17", "d8", "d17", "d35")}


def test_the_chicane_has_one_free_lane() -> None:
    for row in {turbo()[name].row for name in turbo().hatched & {"a24", "a25", "a26"}}:
        free = [s.name for s in turbo().squares if s.row == row and s.name not in turbo().hatched]
        assert len(free) == 1


def test_the_squares_lie_side_by_side_on_the_board() -> None:
    board = load.builtin()
    shapes = {name: Polygon(line) for name, line in board.outlines_mm.items()}
    assert all(shape.is_valid and shape.area > 200 for shape in shapes.values())
    names = list(shapes)
    for at, one in enumerate(names):
        for other in names[at + 1 :]:
            assert shapes[one].intersection(shapes[other]).area < 0.5
    for square in board.circuit.squares:
        for link in filter(None, square.links):
            assert shapes[square.name].distance(shapes[link]) < 0.1
    x0, y0, x1, y1 = np.concatenate([np.array(shape.bounds)[None] for shape in shapes.values()]).T
    assert min(x0.min(), y0.min()) > 5
    assert x1.max() < SIZE_MM[0] - 5
    assert y1.max() < SIZE_MM[1] - 5


def test_the_corner_markers_are_the_dictionarys_and_are_read_off_the_drawing() -> None:
    for marker in CORNERS:
        bits = cv2.aruco.Dictionary.getBitsFromByteList(DICTIONARY.bytesList[marker : marker + 1], 6)
        assert white_cells(marker) == [(r + 1, c + 1) for r, c in np.argwhere(bits).tolist()]
    picture = drawn(SVG, SIZE_MM, px_per_mm=4)
    corners, ids, _ = cv2.aruco.ArucoDetector(DICTIONARY).detectMarkers(picture)
    assert ids is not None
    assert sorted(ids.ravel().tolist()) == list(CODES) == list(CORNERS)
    board = load.builtin()
    for found, marker in zip(corners, ids.ravel().tolist(), strict=True):
        assert np.allclose(found[0] / 4, board.markers_mm[marker], atol=0.4)
    assert all(abs(b[0] - a[0]) in (0, MARKER_MM) for line in board.markers_mm for a, b in pairwise(line))


# ----------------------------------------------------------------------------------------- broken and hostile ones


@pytest.mark.parametrize(
    ("old", "new", "element"),
    [
        ('data-circuit-format="1"', 'data-circuit-format="2"', None),
        ('data-circuit-format="1"', "", None),
        ('width="388mm"', 'width="388"', None),
        ('data-kind="finish"', 'data-kind="finnish"', "finish"),
        ('data-kind="finish"', 'data-kind="art"', None),
        ('data-rows="62 1"', 'data-rows="62"', "finish"),
        ('data-rows="62 1"', 'data-rows="x y"', "finish"),
        ('data-rows="62 1"', 'data-rows="61 1"', "finish"),
        ('id="a1" data-lane="1"', 'id="a1"', "a1"),
        ('id="a1" data-lane="1"', 'id="a1" data-lane="one"', "a1"),
        ('id="a1" data-lane="1"', 'data-lane="1"', "square-1"),
        ('id="a2"', 'id="a1"', "a1"),
        ('data-ahead="a3"', 'data-ahead="z3"', "a2"),
        ('data-id="2"', 'data-id="3"', "corner-3"),
        ('data-id="2"', 'data-id="7"', "corner-2"),
        ('data-dictionary="ARUCO_MIP_36h12"', 'data-dictionary="other"', "corner-0"),
        ('data-id="2" x="366"', 'data-id="2" x="366" transform="scale(1 2)"', "corner-2"),
        ('data-inside="a8"', 'data-inside="a8 q7"', "yellow-line-11"),
        ("Z\" fill", "\" fill", "a1"),
    ],
)  # fmt: skip
def test_a_broken_file_is_refused_by_its_element(old: str, new: str, element: str | None) -> None:
    source = SVG if old in SVG else SVG.replace('Z"', 'Z"')
    assert old in source
    at = source.index('id="a1"') if old.startswith("Z") else 0
    bad = refused(source[:at] + source[at:].replace(old, new, 1))
    assert bad.element == element


@pytest.mark.parametrize(
    "hostile",
    [
        b"",
        b"\xff\xfe\x00",
        b"<svg",
        b"<html/>",
        b'<!DOCTYPE svg [<!ENTITY a "b">]><svg xmlns="http://www.w3.org/2000/svg"/>',
        SVG.replace("</svg>", "<script>1</script></svg>").encode(),
        SVG.replace("</svg>", '<image href="http://example.org/a.png"/></svg>').encode(),
        SVG.replace("</svg>", '<rect onclick="x()"/></svg>').encode(),
        ("<g>" * 1000).encode(),
        SVG.replace("</svg>", "<g>" * 200 + "</g>" * 200 + "</svg>").encode(),
        (SVG + " " * 10_000_001).encode(),
        SVG.replace('<path id="a1"', '<path d="M0 0h1v1z"/>' * 700 + '<path id="a1"', 1).encode(),
    ],
)
def test_a_hostile_file_is_refused(hostile: bytes) -> None:
    refused(hostile)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_file_with_something_else_somewhere_is_read_or_refused_by_name(data: st.DataObject) -> None:
    spots = [found.span(1) for found in re.finditer(r'data-[a-z]+="([^"]*)"', SVG)]
    begin, end = data.draw(st.sampled_from(spots))
    text = data.draw(st.text("ab19- .x/&<é", max_size=6))
    try:
        load.parse((SVG[:begin] + text + SVG[end:]).encode(), "own.svg")
    except BadCircuit as bad:
        assert bad.message.startswith("own.svg: ")  # noqa: PT017


def test_a_file_that_is_not_there_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(BadCircuit, match=r"^none\.svg: it cannot be read"):
        load.load(tmp_path / "none.svg")
    (tmp_path / "own.svg").write_text(SVG, encoding="utf-8")
    assert load.load(tmp_path / "own.svg").circuit == turbo()
