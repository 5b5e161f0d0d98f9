"""What the loader measures is what an SVG renderer draws: areas and middles of random shapes agree."""

# ruff: noqa: E501 (tables of elements read best with a row a line)

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, assume, example, given, reject, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from shapely.geometry import Polygon

from referee.errors import BadStageFile
from referee.model import Stage
from referee.stage.render import artwork
from tests.stage.boards import stage_of

PX_PER_MM = 4.0
drawn = settings(
    max_examples=12,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
number = st.integers(-40, 40)
point = st.tuples(number, number).map(lambda p: f"{p[0]} {p[1]}")
segment = (
    point.map(lambda p: f"L{p}")
    | number.map(lambda x: f"h{x}")
    | number.map(lambda y: f"V{y}")
    | st.tuples(point, point, point).map(lambda p: "C" + " ".join(p))
    | st.tuples(point, point).map(lambda p: "s" + " ".join(p))
    | st.tuples(point, point).map(lambda p: "q" + " ".join(p))
    | point.map(lambda p: f"T{p}")
    | st.tuples(st.integers(1, 40), st.integers(1, 40), number, st.integers(0, 1), st.integers(0, 1), point).map(
        lambda a: f"A{a[0]} {a[1]} {a[2]} {a[3]}{a[4]}{a[5]}"
    )
)
turns = st.sampled_from(
    [
        "",
        "rotate(33)",
        "scale(-.7 1.2)",
        "skewX(25)",
        "matrix(.6 .4 -.3 .9 4 -7)",
        "scale(.5) rotate(200 5 5) skewY(-30)",
    ]
)


def on_paper(element: str) -> tuple[Stage, NDArray[np.float64]]:
    """A board with one more element, and how dark (0 to 1) each pixel is that it alone has drawn."""
    art = f'<g transform="translate(148 130) scale(.8)">{element}</g>'
    stage = stage_of(drop=["art"], extra=f'<rect width="297" height="210" fill="#fff" data-kind="art"/>{art}')
    return stage, 1 - artwork(stage, None, PX_PER_MM)[:, :, 0] / 255.0


def assert_agree(shape: Polygon, dark: NDArray[np.float64]) -> None:
    area = dark.sum() / PX_PER_MM**2
    assert area == pytest.approx(shape.area, abs=0.03 * shape.length + 0.05)
    rows, columns = np.indices(dark.shape) + 0.5
    middle = np.array([(columns * dark).sum(), (rows * dark).sum()]) / dark.sum() / PX_PER_MM
    assert np.hypot(*(middle - shape.centroid.coords[0])) < 0.1


@drawn
@example(
    "34 -39",
    ["s1 -5 19 -4", "q4 -5 4 12", "q-18 17 6 2", "V27", "V-15"],
    "scale(.8) rotate(200 5 5) skewY(-30)",
    "nonzero",
)
@example("-29 -2", ["C21 26 -29 -25 -10 3", "T10 -40", "T8 -18", "C38 1 9 1 -27 30"], "", "nonzero")
@example("-34 -12", ["T27 -6", "A8 8 -11 11-12 -31", "A8 8 -11 11-12 -31"], "scale(-.7 1.2)", "nonzero")
@given(
    first=point,
    segments=st.lists(segment, min_size=2, max_size=5),
    turn=turns,
    rule=st.sampled_from(["nonzero", "evenodd"]),
)
def test_a_random_outline_covers_what_is_drawn(first: str, segments: list[str], turn: str, rule: str) -> None:
    path = f'<path data-kind="pipe" id="blob" transform="{turn}" style="fill-rule:{rule}" d="M{first}{"".join(segments)}Z"/>'
    try:
        stage, dark = on_paper(path)
    except BadStageFile:  # encloses nothing, or lies in parts
        reject()
    shape = next(pipe.shape for pipe in stage.pipes if pipe.id == "blob")
    assume(shape.area > 20)
    assume(Polygon([(0, 0), (297, 0), (297, 210), (0, 210)]).contains(shape))
    assert_agree(shape, dark)


@pytest.mark.parametrize(
    "element",
    [
        '<ellipse cx="5" cy="-3" rx="30" ry="12" transform="skewX(30) rotate(20)"/>',
        '<circle cx="5%" r="9" transform="scale(2 1)"/>',
        '<rect x="-20" y="-9" width="44" height="31" rx="8" transform="rotate(12)"/>',
        '<rect x="-20" y="-9" width="44" height="31" rx="30" ry="6"/>',
        '<rect x="-2mm" y="-2mm" width="4mm" height="1cm" ry="3"/>',
        '<polygon points="-30,-20 25,-8 0,30"/>',
        '<path d="M-20.1 3A17 9 20 0 1 8.3 7A6 6 0 1 1 8.3 7Z"/>',
        '<path d="M-20.1 3A17 9 20 0 1 8.3 7A6 6 0 1 1 8.3 7.00001Z"/>',
        '<path d="M-9.7 3a12 7 30 1 0 1e-4 0z"/>',
        '<path d="M.1 0l.2 0A16 16 0 1 1 .3 0V-9H9z"/>',
        '<svg x="-20" y="-20" width="40" height="30" viewBox="0 0 10 10" preserveAspectRatio="xMaxYMin"><circle cx="5" cy="5" r="5"/></svg>',
        '<svg x="-20" y="-20" width="40" height="30" viewBox="1 2 10 10" preserveAspectRatio="none"><circle cx="6" cy="7" r="4"/></svg>',
    ],
)  # fmt: skip
def test_every_shape_covers_what_is_drawn(element: str) -> None:
    stage, dark = on_paper(f'<g id="blob" data-kind="pipe">{element}</g>')
    assert_agree(next(pipe.shape for pipe in stage.pipes if pipe.id == "blob"), dark)


@drawn
@given(
    points=st.lists(st.tuples(number, number), min_size=2, max_size=6, unique=True),
    width=st.floats(1.5, 5),
    turn=st.sampled_from(["", "rotate(70)", "scale(-1.3 1.3)", "rotate(20) scale(.5)"]),
)
def test_a_random_white_line_is_the_band_that_is_drawn(points: list[tuple[int, int]], width: float, turn: str) -> None:
    steps = np.diff(np.array(points, float), axis=0)
    angles = np.arctan2(steps[:, 1], steps[:, 0])
    bends = np.abs((np.diff(angles) + np.pi) % (2 * np.pi) - np.pi)
    assume(bool((bends < 2.4).all()))  # beyond SVG's mitre limit renderers cut corners off another way
    assume(bool((np.hypot(*steps.T) > 2 * width).all()))
    d = "M" + "L".join(f"{x} {y}" for x, y in points)
    line = (
        f'<path id="kerb" data-kind="white-line" data-section="1" transform="{turn}" d="{d}"'
        f' fill="none" stroke="#000" stroke-width="{width}"/>'
    )
    stage, dark = on_paper(line)
    assert_agree(next(one.band for one in stage.white_lines if one.id == "kerb"), dark)
