"""Whatever finite strokes come, they are measured and judged: a crash would lose the verdict on a whole picture."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.geometry import measure
from referee.geometry.rings import _largest_area
from referee.model import EndLook, Floats, Path, Stage, Stroke, UnseenArea
from referee.rules import judge
from tests.geometry import stages

STAGES = [stages.straight(), stages.oil(2), stages.jump(), stages.bridge(), stages.pipe(), stages.hairpin()]
LOOKS: tuple[EndLook, ...] = ("free", "covered", "unseen")
HAIR = 1e-9

# on a grid points repeat and ways are gone over twice; a hair beside it they nearly do
places = st.tuples(
    st.one_of(st.integers(-2, 60).map(lambda n: 5.0 * n), st.floats(-20, 320), st.just(20 + HAIR)),
    st.one_of(st.integers(0, 20).map(lambda n: 5.0 * n), st.floats(-20, 120), st.just(50 - HAIR)),
)


def points_of(corners: list[tuple[float, float]], shape: str) -> Floats:
    """Corners as a line, as a point that rests, there and back, or round and round."""
    points = np.array(corners)
    return {
        "line": points,
        "dot": np.repeat(points[:1], len(points), axis=0),
        "hairpin": np.vstack([points, points[::-1]]),
        "round": np.vstack([points, points, points[:1]]),
        "resting": np.repeat(points, 3, axis=0),
    }[shape]


@st.composite
def strokes(draw: st.DrawFn) -> Stroke:
    """A stroke of finite numbers, however odd."""
    corners = draw(st.lists(places, min_size=2, max_size=8))
    points = points_of(corners, draw(st.sampled_from(["line", "dot", "hairpin", "round", "resting"])))
    n = len(points)
    half = draw(st.sampled_from([0.0, 0.6, 1.25, 4.0]))
    seen = np.ones(n, bool)
    seen[draw(st.integers(0, n)) :] = draw(st.booleans())
    return Stroke(
        points,
        np.full((n, 2), half),
        np.full(n, draw(st.sampled_from([0.0, 0.05, 0.5]))),
        seen,
        draw(st.sampled_from(LOOKS)),
        draw(st.sampled_from(LOOKS)),
        cut=(draw(st.booleans()), draw(st.booleans())),
    )


HAND = UnseenArea("covered", np.array([[100.0, 40.0], [150.0, 40.0], [150.0, 90.0], [100.0, 90.0]]))


@settings(max_examples=120, deadline=None, derandomize=True)
@given(st.lists(strokes(), min_size=1, max_size=4), st.sampled_from(STAGES), st.booleans())
def test_every_finite_stroke_is_measured_and_judged(drawn: list[Stroke], stage: Stage, hand: bool) -> None:
    facts = measure(Path(tuple(drawn)), stage, (HAND,) if hand else ())
    assert judge(facts).verdict in ("fair", "ignored-accident", "unfinished", "review")


@pytest.mark.parametrize(
    "points",
    [
        [(0, 0), (0, 0)],
        [(0, 0), (4, 0), (0, 0)],
        [(0, 0), (0, 0), (0, 0), (0, 0)],
        [(0, 0), (4, 0), (4, 0), (0, 0)],
        [(0, 0), (5, 0), (0, 0), (5, 0), (0, 0)],
    ],
)
def test_a_loop_that_goes_back_on_itself_encloses_nothing(points: list[tuple[float, float]]) -> None:
    assert _largest_area(np.array(points, float)) is None


def test_of_a_loop_that_crosses_itself_the_larger_part_counts() -> None:
    eight = np.array([(0, 0), (4, 4), (4, 0), (0, 4), (-2, 2), (0, 0)], float)
    area = _largest_area(eight)
    assert area is not None
    assert area.area == pytest.approx(8.0)
