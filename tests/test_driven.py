"""A drive by mouse or finger is judged by the real rules, and nonsense is no drive."""

import math

import numpy as np
import pytest

from referee.driven import MOST_POINTS, judge_drive, strokes_from
from referee.errors import BadTracing
from referee.stage.catalogue import Catalogue


def test_a_drive_along_the_course_is_fair_and_one_over_the_line_is_not() -> None:
    stage = Catalogue().find(1)
    course = stage.course[0][10:]
    assert judge_drive([course], stage).verdict == "fair"
    stray = course.copy()
    stray[100:140] += np.array([0, 1.0]) * 25
    judgement = judge_drive([stray], stage)
    assert judgement.verdict == "ignored-accident"
    assert any(event.kind == "accident" for event in judgement.events)


@pytest.mark.parametrize(
    "told",
    [
        None,
        [],
        [[]],
        [[[1, 2]]],
        ["abc"],
        [[[1, math.nan], [2, 3]]],
        [[[1, 2], [math.inf, 3]]],
        [[[1, 2], [1, 2]]],
        [[[1, "2"], [3, 4]]],
        [[[0, 0], [10**6, 0]]],
        [[[0, 0], [300, 0]] * 100],
        [[[1, 2]] * (MOST_POINTS + 1)],
        [[[1, 2], [3, 4]]] * 100,
    ],
)
def test_what_is_no_drive_is_refused(told: object) -> None:
    with pytest.raises(BadTracing):
        strokes_from(told)


def test_a_tap_between_two_strokes_is_no_stroke() -> None:
    assert len(strokes_from([[[1, 2], [20, 2]], [[5, 5], [5.1, 5]], [[30, 2], [50, 2]]])) == 2
