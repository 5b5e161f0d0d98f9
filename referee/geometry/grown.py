"""What was answered about a line before it grew: only its new points need be asked about.

A race in view is measured some times a second, and all but the newest bit of its stroke is as it was.  Everything here
holds point by point: an answer for a point depends on nothing but that point and what it is held against.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import numpy as np

from referee.model import Floats

Answer = TypeVar("Answer")
KEPT = 6
"""Answers about so many lines are kept for each thing that they are held against."""
MOST_THINGS = 64


@dataclass(eq=False)
class Remembered(Generic[Answer]):
    """The newest answers about lines, by what they were held against."""

    _kept: dict[Any, tuple[tuple[Floats, Answer], ...]] = field(default_factory=dict)

    def before(self, against: object, points_mm: Floats) -> tuple[int, Answer | None]:
        """How many of the first points (N, 2) are as in some line that was asked about, and what was answered."""
        most, answer = 0, None
        for known, answered in self._kept.get(against, ()):
            same = _in_common(known, points_mm)
            if same > most:
                most, answer = same, answered
        return most, answer

    def keep(self, against: object, points_mm: Floats, answer: Answer) -> Answer:
        """Remember an answer, which is given back; the oldest is forgotten."""
        if against not in self._kept and len(self._kept) >= MOST_THINGS:
            self._kept.clear()
        self._kept[against] = ((points_mm, answer), *self._kept.get(against, ())[: KEPT - 1])
        return answer


def _in_common(one: Floats, other: Floats) -> int:
    """How many points two lines begin with alike."""
    count = min(len(one), len(other))
    if not count or not np.array_equal(one[0], other[0]):
        return 0
    differs = one[:count].ravel() != other[:count].ravel()
    first = int(differs.argmax())
    return first // 2 if differs[first] else count
