"""Films that are made for a test and kept for the others: by the quick camera, small and short."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from referee.live.sight import LiveCall, Sight
from referee.live.watch import Watch
from referee.rules import Rules
from referee.stage.catalogue import Catalogue
from tests.simulation.film import QuickFilm, Reel

Picture = NDArray[np.uint8]
Frames = tuple[tuple[Picture, float], ...]
Json = dict[str, Any]

HONOURED = Reel(
    "honoured", 1, "break_honoured", {"depth": 1.8, "section": 0}, seed=5, most_mm=190.0, fps=8.0,
    size_wh=(960, 540), heading_deg=20.0, before_s=0.6, after_s=0.8,
)  # fmt: skip
"""A broken line, the car goes back to the arrow, and on."""


@lru_cache(maxsize=4)
def filmed(reel: Reel) -> tuple[Frames, Json]:
    """A film's frames with their times, and its truth."""
    film = QuickFilm(reel)
    frames = tuple(film.frames())
    return frames, film.truth()


def watched(frames: Iterable[tuple[Picture, float]], **how: Any) -> tuple[Watch, list[Sight]]:
    """A watch that has seen all frames and was stopped, and what it saw."""
    watch = Watch(Catalogue(), Rules(), **how)
    sights = [watch.look(bgr, at_s) for bgr, at_s in frames]
    watch.stop()
    return watch, sights


def calls_of(sights: Iterable[Sight]) -> Iterator[LiveCall]:
    """All calls in the order in which they were made."""
    for sight in sights:
        for board in sight.boards:
            yield from board.calls
