"""What the loader refuses: each with the file's name, the element's id and a cure."""

# ruff: noqa: E501 (tables of elements read best with a row a line)

from __future__ import annotations

import base64
import time
from contextlib import suppress

import pytest

from referee.errors import BadStageFile
from referee.stage.load import load_stage, parse_stage
from tests.stage.boards import BRIDGE, RULER, board, stage_of


def refused(svg: bytes) -> str:
    """The message of a refusal; it names the file and has a cure."""
    with pytest.raises(BadStageFile) as caught:
        parse_stage(svg, "mine.svg")
    assert caught.value.message.startswith("mine.svg: ")
    assert len(caught.value.hint) > 8
    return caught.value.message


def without(name: str, attribute: str) -> dict[str, str]:
    head, _, rest = RULER[name].partition(f' {attribute}="')
    return {name: head + rest.partition('"')[2]}


def with_value(name: str, attribute: str, value: str) -> dict[str, str]:
    changed = without(name, attribute)[name]
    tag, _, rest = changed.partition(" ")
    return {name: f'{tag} {attribute}="{value}" {rest}'}


@pytest.mark.parametrize(
    ("root", "says"),
    [
        ({"viewBox": None}, "viewBox"),
        ({"viewBox": "0 0 297"}, "viewBox"),
        ({"viewBox": "0 0 nan 210"}, "viewBox"),
        ({"viewBox": "0 0 594 420"}, "one user unit"),
        ({"viewBox": "0 0 1122.52 793.7"}, "one user unit"),
        ({"width": None}, "width"),
        ({"width": "297"}, "mm"),
        ({"width": "1122px"}, "mm"),
        ({"height": "100%"}, "mm"),
        ({"height": "infmm"}, "mm"),
        ({"height": "1e400mm"}, "too large"),
        ({"height": "0mm", "viewBox": "0 0 297 0"}, "height"),
        ({"data-stage": None}, "data-stage"),
        ({"data-stage": "0"}, "positive"),
        ({"data-stage": "-7"}, "positive"),
        ({"data-stage": "seven"}, "number"),
        ({"data-stage": "7.5"}, "whole number"),
        ({"data-stage": "NaN"}, "number"),
        ({"data-stage": "1e400"}, "too large"),
        ({"data-stage": "٧"}, "number"),
        ({"data-stage-format": "2"}, "data-stage-format"),
        ({"data-difficulty": "9"}, "data-difficulty"),
        ({"xmlns": "http://example.org/other"}, "xmlns"),
        ({"onload": "alert(1)"}, "script"),
    ],
)
def test_a_root_that_is_wrong_is_refused(root: dict[str, str | None], says: str) -> None:
    with pytest.raises(BadStageFile) as caught:
        parse_stage(board(root=root), "mine.svg")
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("drop", "says"),
    [
        ("course", "course"),
        ("start", "start arrow"),
        ("finish", "finish"),
        ("jump-1", "landing-1"),
        ("landing-1", "jump-1"),
        ("acceleration-1", "slowdown-1"),
        ("slowdown-1", "acceleration-1"),
        ("road-1", "1 of 3 is missing"),
        ("road-2", "2 of 3 is missing"),
        ("fiducial-3", "four fiducials"),
    ],
)
def test_a_board_that_lacks_something_is_refused(drop: str, says: str) -> None:
    assert says in refused(board(drop=[drop]))


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("road-1", '<path id="road-1" data-kind="road" data-section="1" d="M20 40H100V60H20"/>', "road-1: its outline is open"),
        ("road-1", '<polyline id="road-1" data-kind="road" data-section="1" points="20,40 100,40 100,60 20,60"/>', "open"),
        ("road-1", '<line id="road-1" data-kind="road" data-section="1" x1="20" y1="40" x2="100" y2="60"/>', "open"),
        ("road-1", '<path id="road-1" data-kind="road" data-section="1" d="M20 40H100H60z"/>', "encloses nothing"),
        ("road-1", '<path id="road-1" data-kind="road" data-section="1" d=""/>', "draws nothing"),
        ("road-1", '<path id="road-1" data-kind="road" data-section="1" d="M20 40h80v20h-30v-25h-9v25h-41z M0 90h9v9z"/>', "in parts"),
        ("start", '<path id="start" data-kind="start" d="M30 48h9v9"/>', "start: its outline is open"),
        ("jump-1", '<path id="jump-1" data-kind="jump" data-pattern="zigzag" d="M150 40h9v20"/>', "jump-1"),
        ("finish", '<rect id="finish" data-kind="finish" x="270" y="40" width="2" height="20"/>', "finish: a finish is an open line"),
        ("checkpoint-1", '<rect id="checkpoint-1" data-kind="checkpoint" data-order="1" x="80" y="40" width="2" height="20"/>', "checkpoint-1"),
        ("checkpoint-1", '<path id="checkpoint-1" data-kind="checkpoint" data-order="1" d="M80 140v20"/>', "checkpoint-1: it does not cross any road"),
        ("checkpoint-1", '<path id="checkpoint-1" data-kind="checkpoint" data-order="1" d="M80 41v19"/>', "edge to edge"),
        ("checkpoint-1", '<path id="checkpoint-1" data-kind="checkpoint" data-order="1" d="M80 40v19.7"/>', "edge to edge"),
        ("checkpoint-1", '<path id="checkpoint-1" data-kind="checkpoint" data-order="1" d="M20 45L25 40"/>', "edge to edge"),
        ("checkpoint-1", '<path id="checkpoint-1" data-kind="checkpoint" data-section="2" data-order="1" d="M80 40v20"/>', "section 2"),
        ("checkpoint-1", '<path id="checkpoint-1" data-kind="checkpoint" data-section="8" data-order="1" d="M80 40v20"/>', "section 8"),
        ("checkpoint-1", '<path id="checkpoint-1" data-kind="checkpoint" data-order="2" d="M80 40v20"/>', "data-order 2 is taken"),
        ("checkpoint-1", '<path id="checkpoint-1" data-kind="checkpoint" data-order="0" d="M80 40v20"/>', "data-order"),
        ("checkpoint-1", '<path id="checkpoint-1" data-kind="checkpoint" d="M80 40v20"/>', "data-order"),
        ("checkpoint-1", '<text id="word" data-kind="checkpoint" data-order="1">here</text>', "word"),
        ("checkpoint-1", '<path id="checkpoint-1" data-kind="chekpoint" data-order="1" d="M80 40v20"/>', "chekpoint"),
        ("checkpoint-1", '<use id="clone" data-kind="checkpoint" data-order="1" href="#gone"/>', "clone: it uses '#gone'"),
        ("white-line-2", '<path id="white-line-2" data-kind="white-line" stroke-width="2" d="M100 39H180"/>', "white-line-2: it has no data-section"),
        ("white-line-2", '<path id="white-line-2" data-kind="white-line" data-section="two" stroke-width="2" d="M100 39H180"/>', "data-section"),
        ("white-line-2", '<path id="white-line-2" data-kind="white-line" data-section="2 4" stroke-width="2" d="M100 39H180"/>', "section 4"),
        ("white-line-2", '<path id="white-line-2" data-kind="white-line" data-section="2" stroke-width="wide" d="M100 39H180"/>', "stroke-width"),
        ("white-line-2", '<path id="white-line-2" data-kind="white-line" data-section="2" stroke-width="0" d="M100 39H180"/>', "stroke-width"),
        ("white-line-2", '<path id="white-line-2" data-kind="white-line" data-section="2" style="stroke-width:NaN" d="M100 39H180"/>', "stroke-width"),
        ("white-line-2", '<path id="white-line-2" data-kind="white-line" data-section="2" stroke-width="2" d="M100 39HNaN"/>', "white-line-2"),
        ("white-line-2", '<path id="white-line-2" data-kind="white-line" data-section="2" stroke-width="2" d="M100 39H1e400"/>', "too large"),
        ("white-line-2", '<path id="white-line-2" data-kind="white-line" data-section="2" stroke-width="2" d="M100 39H1e300"/>', "far off"),
        ("white-line-2", '<path id="white-line-2" data-kind="white-line" data-section="2" stroke-width="2" d="M100 39 L180"/>', "command L"),
        ("white-line-2", '<path id="white-line-2" data-kind="white-line" data-section="2" stroke-width="2" d="H39 180"/>', "begin with M"),
        ("white-line-2", '<path id="white-line-2" data-kind="white-line" data-section="2" stroke-width="2" d="M100 39 A9 9 0 2 0 180 39"/>', "arc"),
        ("white-line-2", '<polyline id="white-line-2" data-kind="white-line" data-section="2" stroke-width="2" points="100 39 180"/>', "odd number"),
        ("white-line-2", '<line id="white-line-2" data-kind="white-line" data-section="2" stroke-width="2" x1="inf" y1="39" x2="180" y2="39"/>', "x1"),
        ("white-line-2", '<path id="white-line-2" data-kind="white-line" data-section="2" transform="rotate(nan)" d="M100 39H180"/>', "transform"),
        ("white-line-2", '<path id="white-line-2" data-kind="white-line" data-section="2" transform="turn(9)" d="M100 39H180"/>', "transform"),
        ("white-line-2", '<path id="white-line-2" data-kind="white-line" data-section="2" transform="scale(0)" d="M100 39H180"/>', "white-line-2"),
        ("jump-1", '<rect id="jump-1" data-kind="jump" x="150" y="40" width="30" height="20"/>', "jump-1: it has no data-pattern"),
        ("course", '<path id="course" data-kind="course" d="M25 50H180M198 50H280z"/>', "closed"),
        ("course", '<path id="course" data-kind="course" d="M25 50H180M198 50H260"/>', "short of the finish"),
        ("course", '<path id="course" data-kind="course" d="M280 50H198M180 50H25"/>', "road-1: the course does not begin"),
        ("course", '<path id="course" data-kind="course" d="M25 150H280"/>', "course"),
        ("fiducial-1", '<rect id="fiducial-1" data-kind="fiducial" data-id="1200" x="6" y="6" width="14" height="14"/>', "data-id"),
        ("fiducial-1", '<rect id="fiducial-1" data-kind="fiducial" data-id="-1" x="6" y="6" width="14" height="14"/>', "data-id"),
        ("fiducial-1", '<rect id="fiducial-1" data-kind="fiducial" data-id="65" x="6" y="6" width="14" height="14"/>', "65"),
        ("fiducial-1", '<rect id="fiducial-1" data-kind="fiducial" data-id="62" x="6" y="6" width="14" height="14"/>', "66"),
        ("fiducial-1", '<rect id="fiducial-1" data-kind="fiducial" x="6" y="6" width="14" height="14"/>', "data-id"),
        ("fiducial-1", '<rect id="fiducial-1" data-kind="fiducial" data-id="64" x="6" y="6" width="14" height="9"/>', "square"),
        ("fiducial-1", '<rect id="fiducial-1" data-kind="fiducial" data-id="64" transform="rotate(20)" x="16" y="6" width="14" height="14"/>', "upright"),
        ("fiducial-1", '<rect id="fiducial-1" data-kind="fiducial" data-id="64" data-dictionary="4X4" x="6" y="6" width="14" height="14"/>', "dictionary"),
    ],
)  # fmt: skip
def test_an_element_that_is_wrong_is_refused(name: str, text: str, says: str) -> None:
    assert says in refused(board(change={name: text}))


@pytest.mark.parametrize(
    ("extra", "says"),
    [
        (RULER["course"].replace('id="course"', 'id="course-2"'), "expected one course, found 2 (course, course-2)"),
        (RULER["finish"].replace('id="finish"', 'id="finish-2"'), "finish-2: expected one finish"),
        (RULER["start"].replace('id="start"', 'id="s2" transform="translate(90)"'), "several start arrows"),
        (RULER["jump-1"].replace("jump-1", "jump-2"), "jump-2"),
        ('<rect id="island" data-kind="road" data-section="5" x="20" y="90" width="50" height="20"/>', "4 of 5 is missing"),
        ('<rect id="far" data-kind="road" data-section="4" x="20" y="90" width="50" height="20"/>', "far: section 4 does not follow section 3"),
        ('<image data-kind="reference" href="a.png"/><image id="b" data-kind="reference" href="b.png"/>', "b: expected at most one"),
        ("<script>alert(1)</script>", "script"),
        ('<g id="x" onclick="go()"/>', "x: the script"),
        ('<a id="x" href="javascript:go()"><rect width="1" height="1"/></a>', "x: "),
        ('<image id="x" href="http://example.org/a.png"/>', "x: it refers to"),
        ('<image id="x" href="file:///etc/passwd"/>', "x: it refers to"),
        ('<image id="x" href="photo.png"/>', "x: it refers to"),
        ('<image id="x" data-kind="reference" href="../photo.png"/>', "x: it refers to"),
        ('<image id="x" data-kind="reference" href="/photo.png"/>', "x: it refers to"),
        ('<image id="x" href="data:image/svg+xml;base64,PHN2Zy8+"/>', "x: it refers to"),
        ('<use id="x" href="other.svg#road"/>', "x: it refers to"),
        ('<use id="x" xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="http://example.org/#a"/>', "x: it refers to"),
        ('<rect id="x" fill="url(http://example.org/p.svg#a)" width="1" height="1"/>', "x: its styles refer"),
        ('<rect id="x" style="fill:url(&quot;//example.org/p&quot;)" width="1" height="1"/>', "x: its styles refer"),
        ('<rect id="x" style="fill:\\75rl(http://example.org/p)" width="1" height="1"/>', "x: its styles import or escape"),
        ('<rect id="x" mask="image-set(\'http://example.org/p\' 1x)" width="1" height="1"/>', "x: its styles import"),
        ("<style>@import 'http://example.org/a.css';</style>", "import"),
        ("<style>@font-face{src:url(font.woff)}</style>", "outside"),
        ('<foreignObject><p xmlns="http://www.w3.org/1999/xhtml">hi</p></foreignObject>', "foreignObject"),
        ('<set id="x" attributeName="href" to="http://example.org"/>', "x: an animation"),
        ('<g id="x"><use id="y" href="#x"/></g>', "circle"),
        ('<g id="x"><use id="y" href="#z"/></g><g id="z"><use href="#x"/></g>', "circle"),
    ],
)  # fmt: skip
def test_a_board_with_something_too_much_is_refused(extra: str, says: str) -> None:
    assert says in refused(board(extra=extra))


def test_sections_in_the_wrong_order_are_refused() -> None:
    swapped = {
        "road-1": RULER["road-1"].replace('data-section="1"', 'data-section="2"'),
        "road-2": RULER["road-2"].replace('data-section="2"', 'data-section="1"'),
    }
    assert "section" in refused(board(change=swapped))
    crossed = {
        "road-2": BRIDGE["road-2"].replace('data-section="2"', 'data-section="3"'),
        "road-3": BRIDGE["road-3"].replace('data-section="3"', 'data-section="2"'),
    }
    assert "section" in refused(board(BRIDGE, change=crossed))


def test_a_gap_that_no_jump_leads_across_is_refused() -> None:
    change = {"road-2": '<rect id="road-2" data-kind="road" data-section="2" x="101" y="40" width="79" height="20"/>'}
    assert "sections 1 and 2 lie 1.0 mm apart" in refused(board(change=change))
    away = {"landing-1": RULER["landing-1"].replace('x="198"', 'x="60"')}
    assert "sections 2 and 3 lie 18.0 mm apart" in refused(board(change=away))


def test_a_course_that_passes_the_finish_before_the_arrow_is_refused() -> None:
    change = {"start": '<path id="start" data-kind="start" d="M274 48h4v4h-4z"/>'}
    assert "finish before the start" in refused(board(change=change))


@pytest.mark.parametrize(
    "svg",
    [
        b"",
        b"   ",
        b"hello",
        b"<svg",
        b"\xff\xfe\x00\x01",
        b"\x89PNG\r\n\x1a\n" + bytes(200),
        b"<html/>",
        board()[:-200],
        b'<?xml version="1.0" encoding="klingon"?>' + board(),
        b'<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">' + board(),
        b'<!DOCTYPE svg [<!ENTITY a "b">]>' + board(extra="<g>&a;</g>"),
        b'<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>' + board(extra="<g>&x;</g>"),
        b'<?xml-stylesheet href="a.css"?>' + board(),
    ],
)
def test_what_is_no_plain_svg_is_refused(svg: bytes) -> None:
    refused(svg)


def test_xml_in_other_encodings_loads() -> None:
    text = board().decode()
    for encoding in ("utf-8-sig", "utf-16", "latin-1"):
        head = '<?xml version="1.0" encoding="ISO-8859-1"?>' if encoding == "latin-1" else ""
        assert parse_stage((head + text).encode(encoding), "b.svg").number == 9


def test_a_use_bomb_is_refused_at_once() -> None:
    levels = ['<defs><rect id="l0" width="1" height="1"/>']
    for i in range(9):
        levels.append(f'<g id="l{i + 1}">' + f'<use href="#l{i}"/>' * 10 + "</g>")
    begun = time.monotonic()
    assert "multiply" in refused(board(extra="".join(levels) + '</defs><use href="#l9"/>'))
    assert time.monotonic() - begun < 2


def test_a_deep_nest_of_clones_is_refused() -> None:
    nest = '<rect id="n0" width="1" height="1"/>' + "".join(
        f'<g id="n{i + 1}"><use href="#n{i}"/></g>' for i in range(40)
    )
    assert "nested" in refused(board(extra=f'<defs>{nest}</defs><use href="#n40"/>'))


def test_a_bomb_of_patterns_is_refused() -> None:
    levels = "".join(
        f'<pattern id="p{i + 1}" width="1" height="1">'
        + f'<rect fill="url(#p{i})" width="1" height="1"/>' * 10
        + "</pattern>"
        for i in range(9)
    )
    assert "multiply" in refused(board(extra=f'<defs>{levels}</defs><rect fill="url(#p9)" width="9" height="9"/>'))


@pytest.mark.parametrize(
    "changes",
    [
        {"root": {"width": "1" * 500_000}},
        {"root": {"viewBox": " " * 500_000}},
        {"extra": "<style>" + "/*" * 500_000 + "</style>"},
        {"extra": "<style>" + ".a" * 500_000 + "{stroke-width:2}</style>"},
        {"change": {"road-2": '<path data-kind="road" data-section="2" d="M100 40h80v20h-80z' + "M0 0h1v1z" * 60_000 + '"/>'}},
        {"change": {"road-2": f'<path data-kind="road" data-section="2" transform="{"scale(1)" * 9_000}" d="M0 0h1v1z"/>'}},
        {"change": {"white-line-2": '<path data-kind="white-line" data-section="2" d="M100 39' + "l.02 0 0 .02 0-.02" * 2500 + '"/>'}},
        {"change": {"oil-spill-1": '<path data-kind="oil-spill" d="M100 39' + "l.02 0 0 .02 0-.02" * 2500 + 'z"/>'}},
        {"change": {"course": '<path data-kind="course" d="M25 50' + "H100H25" * 300 + 'H180M198 50H280"/>'}},
        {"change": {"road-1": '<path data-kind="road" data-section="1" d="M20 40' + "".join(f"L{20 + 80 * (i % 2)} {40 + i / 5}" for i in range(100)) + "".join(f"L{20 + i} {40 + 20 * (i % 2)}" for i in range(80)) + 'z"/>'}},
    ],
)  # fmt: skip
def test_what_would_take_minutes_is_over_in_seconds(changes: dict[str, dict[str, str]]) -> None:
    begun = time.monotonic()
    with suppress(BadStageFile):
        parse_stage(board(**changes), "mine.svg")  # type: ignore[arg-type]
    assert time.monotonic() - begun < 5


def test_twenty_thousand_nested_groups_are_refused() -> None:
    assert "nested" in refused(board(extra="<g>" * 20000 + "</g>" * 20000))


def test_too_many_elements_are_refused() -> None:
    assert "elements" in refused(board(extra="<g/>" * 100_001))


def test_a_file_over_ten_megabytes_is_refused(tmp_path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "big.svg"
    path.write_bytes(board(extra="<!--" + "x" * 10_000_000 + "-->"))
    with pytest.raises(BadStageFile, match=r"big\.svg.*10 MB"):
        load_stage(path)


def test_a_reference_picture_does_not_count_among_the_ten_megabytes() -> None:
    picture = "data:image/png;base64," + base64.b64encode(bytes(7_700_000)).decode()
    assert stage_of(extra=f'<g data-kind="reference"><image href="{picture}"/></g>').number == 9
    assert "MB" in refused(board(extra=f'<image data-kind="art" href="{picture}"/>'))


def test_a_missing_file_is_named(tmp_path) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(BadStageFile, match=r"nowhere\.svg"):
        load_stage(tmp_path / "nowhere.svg")


def test_the_bridge_board_itself_loads() -> None:
    assert len(stage_of(BRIDGE).sections) == 4
