"""Watch: frames go in, what they show comes out.  No clock, no thread: time comes in with the frame."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.errors import Mirrored, RefereeError, UnknownStage
from referee.live.board import Seen, WatchedBoard
from referee.live.race import BoardRace
from referee.live.report import LiveReport
from referee.live.sight import BoardSight, Sight, Trouble
from referee.model import Copy, Photo, Stage
from referee.pipeline import judge_boards, tags_of
from referee.rules import Rules
from referee.stage.catalogue import Catalogue
from referee.vision.find import DARK, BoardTrouble, FoundBoard, find_boards
from referee.vision.tags import BoardTag, SeenTag, at_scale, read_tags

Picture = NDArray[np.uint8]

SEARCH_S, SEARCH_MORE_S = 0.3, 2.0
"""Boards are looked for this often while there is none, and while there may be another one."""
MOST_BOARDS = 2
TAGS_PX = 960
"""Markers of a lost board are looked for in a copy whose longer side is about so long."""
CHANGED_FRAMES = 4
"""Another board's markers, where this one lay, in so many frames: it was changed."""

Key = tuple[int, Copy | None]


@dataclass(eq=False)
class _Seat:
    """One board with its race; ``strange`` counts frames that show another board in its place."""

    board: WatchedBoard
    race: BoardRace
    strange: int = 0


@dataclass(eq=False)
class Watch:
    """Watches one table.

    ``stage`` says which stage is on it, if the markers shall not; with ``stage_is_fixed`` other stages are no concern.
    """

    catalogue: Catalogue
    rules: Rules
    stage: Stage | None = None
    stage_is_fixed: bool = False
    clock: Callable[[], float] = perf_counter
    """For `Sight.spent_ms` alone: nothing is decided by it."""
    _seats: dict[Key, _Seat] = field(default_factory=dict)
    _gone: list[_Seat] = field(default_factory=list)
    _searched_s: float = -1e9
    _trouble: Trouble | None = None
    _go_at_s: float | None = None
    _stopped: bool = False

    # ------------------------------------------------------------------ steering

    def arm(self, go_at_s: float) -> None:
        """The countdown ends at this time: ink before it is a false start."""
        self._go_at_s = go_at_s
        for seat in self._seats.values():
            seat.race.arm(go_at_s)

    def start(self, at_s: float, copy: Copy | None = None) -> None:
        """Start the clock by hand, of one board or of all."""
        for seat in self._seats.values():
            if copy is None or seat.board.copy == copy:
                seat.race.start(at_s)

    def stop(self) -> None:
        """No more frames: open races are closed as they are."""
        self._stopped = True
        for seat in self._seats.values():
            seat.race.close()

    # ------------------------------------------------------------------ looking

    def look(self, bgr: Picture, at_s: float) -> Sight:
        """What a frame (H, W, 3) shows; ``at_s`` must not go back."""
        began = self.clock()
        self._search(bgr, at_s)
        boards = tuple(self._one(key, bgr, at_s) for key in list(self._seats))
        return Sight(at_s, boards, (self.clock() - began) * 1000, None if self._seats else self._trouble)

    def _one(self, key: Key, bgr: Picture, at_s: float) -> BoardSight:
        seat = self._seats[key]
        seen = seat.board.look(bgr, at_s)
        if seen is None:
            own, strange = self._markers(bgr, key)
            seen = seat.board.look(bgr, at_s, own) if own else None
            seat.strange = seat.strange + 1 if strange and not own else 0
        else:
            seat.strange = 0
        if seat.strange >= CHANGED_FRAMES:
            del self._seats[key]
            self._gone.append(seat)
            self._searched_s = -1e9
            return seat.race.changed(at_s)
        return seat.race.after(seen, bgr, at_s, _why_lost(bgr) if seen is None else None)

    def _markers(self, bgr: Picture, key: Key) -> tuple[list[tuple[SeenTag, BoardTag]], bool]:
        """A board's own markers in a frame, and whether there are another's."""
        tags = tags_of(self.catalogue, self.stage)
        own, strange = [], 0
        for seen in read_tags(*at_scale(cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY), TAGS_PX)):
            about = None if seen.mirrored else tags(seen.marker_id)
            if about is not None and about.board == key:
                own.append((seen, about))
            elif about is not None and about.board not in self._seats:
                strange += 1
        return own, strange >= 3

    # ------------------------------------------------------------------ searching

    def _search(self, bgr: Picture, at_s: float) -> None:
        if self._stopped or at_s - self._searched_s < (SEARCH_MORE_S if self._seats else SEARCH_S):
            return
        if self._seats and (len(self._seats) >= MOST_BOARDS or any(s.race.is_busy for s in self._seats.values())):
            return
        if self._seats and self._searched_s > 0 and all(s.race.looked_long for s in self._seats.values()):
            return
        self._searched_s = at_s
        try:
            found = find_boards(Photo(bgr, "frame"), tags_of(self.catalogue, self.stage))
        except RefereeError as fault:
            self._trouble = _trouble_of(fault, bgr)
            return
        for board in found:
            self._take(bgr, board, at_s)

    def _take(self, bgr: Picture, board: FoundBoard | BoardTrouble, at_s: float) -> None:
        if isinstance(board, BoardTrouble):
            self._trouble = _trouble_of(board.fault, bgr)
            return
        key: Key = (board.view.stage_number, board.view.copy)
        if key in self._seats or len(self._seats) >= MOST_BOARDS:
            return
        try:
            stage = self.stage if self.stage and self.stage.number == key[0] else self.catalogue.find(key[0])
        except RefereeError:
            self._trouble = "unknown-stage"
            return
        if self.stage_is_fixed and self.stage and stage.number != self.stage.number:
            return
        watched = WatchedBoard(bgr, board, stage)
        race = BoardRace(watched, self.rules, at_s)
        if self._go_at_s is not None:
            race.arm(self._go_at_s)
        self._seats[key] = _Seat(watched, race)

    # ------------------------------------------------------------------ afterwards

    def reports(self) -> list[LiveReport]:
        """What came of it, board by board; the last clear frames are judged as photos now."""
        seats = [*self._gone, *self._seats.values()]
        return [seat.race.report(lambda bgr, stage, copy: self._photo(bgr, stage, copy)) for seat in seats]

    def _photo(self, bgr: Picture, stage: Stage, copy: Copy | None) -> object:
        reports = judge_boards(bgr, stage=stage, catalogue=self.catalogue, rules=self.rules, source="last clear frame")
        return next((r for r in reports if r.copy == copy), reports[0])


def _why_lost(bgr: Picture) -> Trouble:
    small = bgr[::8, ::8]
    return "dark" if float(np.percentile(small.max(axis=2), 99)) < DARK else "lost"


def _trouble_of(fault: RefereeError, bgr: Picture) -> Trouble:
    if isinstance(fault, Mirrored):
        return "mirrored"
    if isinstance(fault, UnknownStage):
        return "unknown-stage"
    if _why_lost(bgr) == "dark":
        return "dark"
    small = cv2.cvtColor(bgr[::2, ::2], cv2.COLOR_BGR2GRAY)
    return "blurred" if float(cv2.Laplacian(small, cv2.CV_16S).std()) < BLURRED_BELOW else "lost"


BLURRED_BELOW = 2.0
"""A frame whose second derivatives spread no more than this shows nothing sharp."""

__all__ = ["Seen", "Watch"]
