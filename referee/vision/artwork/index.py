"""Which of many boards a picture may show: a vote of its features, before anything is looked at closely.

Every feature of the picture names the board that has the feature most like it.  The looks are first brought down to
the few directions in which they differ most (as in H. Jegou et al., "Aggregating local image descriptors", 2012): all
of 200 boards' are compared in a tenth of a second, exactly, and no vocabulary has to be learnt.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from referee.vision.artwork.features import UNIT, Features

VOTERS, VOTED = 1200, 400
"""So many of the strongest features of the picture vote for so many of each board's."""
DIRECTIONS = 32
SAMPLE = 6000
"""The directions are found from so many looks."""
AT_ONCE = 64
"""So many features vote at a time: it takes the memory of so many times all boards' features."""
CLEAR = 0.9
"""A vote counts by how much nearer its board is than the next: one that is nearly as near leaves nothing."""


class Index:
    """Many boards' features, ready for votes."""

    def __init__(self, boards: Sequence[Features]) -> None:
        self._boards = [board.looks[:VOTED] for board in boards]
        self._whose = np.repeat(np.arange(len(boards)), [len(looks) for looks in self._boards])
        self._count = len(boards)

    @cached_property
    def _directions(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """The mean look (128,) and the directions (128, `DIRECTIONS`) in which looks differ most."""
        every = np.concatenate(self._boards)
        some = every[:: max(1, len(every) // SAMPLE)].astype(np.float32) / np.float32(UNIT)
        mean = some.mean(0)
        spread = (some - mean).T @ (some - mean)
        return mean, np.linalg.eigh(spread)[1][:, ::-1][:, :DIRECTIONS].astype(np.float32)

    @cached_property
    def _known(self) -> NDArray[np.float32]:
        """All boards' looks (N, `DIRECTIONS` + 1), the last number half their square: a product gives the distance."""
        small = np.concatenate([self._short(looks) for looks in self._boards])
        return np.hstack([small, -0.5 * (small**2).sum(1, keepdims=True)]).astype(np.float32)

    def _short(self, looks: NDArray[np.uint8]) -> NDArray[np.float32]:
        mean, directions = self._directions
        return np.asarray((looks.astype(np.float32) / np.float32(UNIT) - mean) @ directions, np.float32)

    def votes(self, photo: Features) -> NDArray[np.float64]:
        """How much speaks for each board (boards,)."""
        if not len(self._whose) or not len(photo):
            return np.zeros(self._count)
        asked = self._short(photo.looks[:VOTERS])
        sizes = (asked**2).sum(1)
        asked = np.hstack([asked, np.ones((len(asked), 1), np.float32)])
        starts = np.flatnonzero(np.r_[True, np.diff(self._whose) > 0])
        there = self._whose[starts]
        votes = np.zeros(self._count)
        for first in range(0, len(asked), AT_ONCE):
            near = asked[first : first + AT_ONCE] @ self._known.T
            of_board = np.maximum.reduceat(near, starts, axis=1)
            off2 = np.maximum(sizes[first : first + AT_ONCE, None] - 2 * of_board, 1e-6)
            if off2.shape[1] == 1:
                votes[there] += len(off2)
                continue
            order = np.argpartition(off2, 1, axis=1)[:, :2]
            two = np.sort(np.take_along_axis(off2, order, 1), axis=1)
            weight = np.maximum(0.0, CLEAR - np.sqrt(two[:, 0] / two[:, 1]))
            votes += np.bincount(there[off2.argmin(1)], weight, self._count)
        return votes
