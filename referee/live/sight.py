"""What one look at a frame says: values that a page, a command line and a report share.  Nothing here knows pixels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]

CallKind = Literal[
    "start",
    "restart",
    "checkpoint",
    "brush",
    "accident",
    "lift",
    "jump",
    "landing",
    "acceleration",
    "slowdown",
    "wipeout",
    "donut",
    "pipe-enter",
    "pipe-exit",
    "finish",
    "gadget",
    "false-start",
    "wiped",
    "changed",
]
"""The event kinds of a report, and what only a film shows: ink before Go, a board wiped, a board changed."""

Phase = Literal["empty", "not-empty", "armed", "racing", "finished", "closed"]
"""``empty``: clean, nobody has started it; ``not-empty``: ink from before; ``closed``: finished, and the hand gone."""

Trouble = Literal["hand", "lost", "dark", "blurred", "unknown-stage", "mirrored"]


@dataclass(frozen=True)
class LiveCall:
    """One thing that happened, said once, as soon as it is sure.

    ``seq`` counts a board's calls from 0.  ``at_s`` is when that ink came into view, ``said_s`` the time of the frame
    that settled it.  ``number`` of ``of``: donut 2 of 3, checkpoint 2 of 4.  ``cause`` is an accident's, as in a
    report.  ``again`` tells that a re-reading takes back or repeats what was said; ``certain`` False that it is too
    close to call.
    """

    seq: int
    kind: CallKind
    at_s: float
    said_s: float
    at_mm: tuple[float, float] | None = None
    element: str | None = None
    number: int | None = None
    of: int | None = None
    restart_element: str | None = None
    margin_mm: float | None = None
    certain: bool = True
    again: bool = False
    cause: str | None = None


@dataclass(frozen=True, eq=False)
class BoardSight:
    """One board as one frame shows it.

    ``calls`` are the new ones only.  ``corners_px`` (4, 2) are the board's in the frame, top left first as printed, or
    None while it is lost; ``path_mm`` (N, 2) the path so far, strokes parted by a row of NaN; ``tip_mm`` its end.
    ``covered`` is the share (0 to 1) of the road that is hidden now, ``elapsed_s`` the race's clock (stopped at the
    finish), None before it starts.
    """

    stage: int
    copy: Literal["A", "B"] | None
    phase: Phase
    trouble: Trouble | None = None
    corners_px: Points | None = None
    path_mm: Points | None = None
    tip_mm: tuple[float, float] | None = None
    calls: tuple[LiveCall, ...] = ()
    covered: float = 0.0
    elapsed_s: float | None = None


@dataclass(frozen=True, eq=False)
class Sight:
    """What one frame shows: all boards that the watch knows of, whether they are in this frame or not.

    ``trouble`` speaks of the whole frame, where no board is known yet: too dark, blurred, none of a known stage.
    """

    at_s: float
    boards: tuple[BoardSight, ...] = ()
    spent_ms: float = 0.0
    trouble: Trouble | None = None
