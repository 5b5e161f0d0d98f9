"""One board, frame after frame: where it lies, what lies over it, what ink came, and the lines it makes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.errors import RefereeError
from referee.live.cover import Blots, Cover, Ground, cover_of, without
from referee.live.ink import InkInTime
from referee.live.lay import Follower, Lay, by_markers
from referee.live.look import SAMPLED, Glimpse, Look, expected, inside_of, paleness
from referee.live.trace import Trace
from referee.model import BoardView, Copy, Stage
from referee.pipeline import clean_print
from referee.vision.find import FoundBoard
from referee.vision.flatten import Glance, register
from referee.vision.tags import BoardTag, SeenTag

Picture = NDArray[np.uint8]
Mask = NDArray[np.uint8]
Tagged = Sequence[tuple[SeenTag, BoardTag]]

JUMPED = 0.15
"""Light that differs so much from a moment ago has jumped: a lamp was switched."""
REFRESH_FRAMES = 40
"""So often the points that a board is followed by are chosen anew, until its look is learned."""


def laid(frame_bgr: Picture, board: FoundBoard, stage: Stage) -> BoardView:
    """Where a found board lies, bent as it is; its plane where the print does not say more."""
    clean = clean_print(stage, board.view.copy)
    try:
        view, _ = register(Glance.of(frame_bgr, board.lens_view), clean, board.lens_view)
    except RefereeError:
        return board.lens_view
    return view


@dataclass(frozen=True, eq=False)
class Seen:
    """What one frame shows of a board that was found in it."""

    lay: Lay
    glimpse: Glimpse
    cover: Cover
    grown: bool
    """Whether there is more ink, or the lines have changed."""


class WatchedBoard:
    """A board that was found once; ``look`` takes the frames in."""

    def __init__(self, frame_bgr: Picture, board: FoundBoard, stage: Stage) -> None:
        self.stage = stage
        self.copy: Copy | None = board.view.copy
        self.lay = Lay(laid(frame_bgr, board, stage), np.eye(3))
        self.frame_wh = (frame_bgr.shape[1], frame_bgr.shape[0])
        clean = clean_print(stage, self.copy)
        self.remembered = Look(expected(frame_bgr, self.lay.view, clean))
        self.follower = Follower(self.remembered.grey)
        self._ground: tuple[Lay, Ground] | None = None
        self.frames = 0
        self.last: Seen | None = None
        self.begin_anew()

    def begin_anew(self) -> None:
        """Forget all ink: the board was wiped."""
        self.ink = InkInTime(self.lay.wh)
        self.trace = Trace(self.lay.wh)
        self.blots = Blots(self.lay.wh)
        self.cover: Cover | None = None

    def take_for_print(self) -> None:
        """What is on the board now was there before: it is how the board looks."""
        if self.last is not None:
            self.remembered.take(self.last.glimpse, self.ink.inked)
        self.begin_anew()

    def look(self, frame_bgr: Picture, at_s: float, tags: Tagged | None = None) -> Seen | None:
        """What a frame shows; None where the board is lost.

        ``tags`` are its own markers in this frame, if they were looked for: then they say first where it lies.
        """
        lay = self.lay if tags is None else by_markers(self.lay, tags)
        if lay is None:
            return None
        found = self._followed(frame_bgr, lay, wide=tags is not None)
        if found is None:
            return None
        self.lay, flat = found
        ground = self._ground_of(self.lay)
        hidden = self._hidden_before()
        glimpse = self.remembered.glimpse(flat, hidden, ground.inside)
        cover = cover_of(glimpse.changed, _rimmed(self.ink.showing(glimpse, self.remembered)), ground)
        if cover.any and self.ink.colour is not None:
            inky = partial(self.ink.of_its_colour, glimpse, self.remembered)
            blots = self.blots.forgiven(cover.things, inky, at_s)
            cover = without(cover, blots, ground) if blots.any() else cover
        grown = self.ink.look(at_s, glimpse, cover, self.remembered)
        self.cover = cover
        self.remembered.learn(glimpse, cv2.bitwise_or(_rimmed(self.ink.inked), cover.near))
        grown = self.trace.update(at_s, self.ink, cover, glimpse) or grown
        self.frames += 1
        if self.frames in (REFRESH_FRAMES // 4, REFRESH_FRAMES):
            self.follower = Follower(self.remembered.grey)
        self.last = Seen(self.lay, glimpse, cover, grown)
        return self.last

    def _followed(self, frame_bgr: Picture, lay: Lay, wide: bool) -> tuple[Lay, Picture] | None:
        """Where the board lies, and the frame laid flat so; if the light seems to have jumped, once more in the new."""
        flat = lay.flat(frame_bgr)
        gain = float(self.remembered.gain.mean())
        now = self._gain_now(flat)
        jumped = abs(now / max(gain, 0.01) - 1) > JUMPED
        for light in (gain, now) if jumped else (gain,):
            found = self._followed_in(light, frame_bgr, lay, flat, wide)
            if found is not None:
                return found
        return None

    def _followed_in(
        self, gain: float, frame_bgr: Picture, lay: Lay, flat: Picture, wide: bool
    ) -> tuple[Lay, Picture] | None:
        for far in (True, False) if wide else (False,):
            grey = _evened_grey(flat, gain)
            moved = self.follower.follow(lay, grey, far)
            if moved is None:
                return None
            if moved is not lay:
                lay, flat = moved, moved.flat(frame_bgr)
        return lay, flat

    def _gain_now(self, flat: Picture) -> float:
        """How much of the remembered light a frame laid flat has, whatever lies over the board."""
        seen, usual = (paleness(picture[SAMPLED].astype(np.float32)) + 4.0 for picture in (flat, self.remembered.bgr))
        return float(np.median(seen / usual))

    def _ground_of(self, lay: Lay) -> Ground:
        if self._ground is None or self._ground[0] is not lay:
            self._ground = (lay, Ground.of(inside_of(lay, self.frame_wh)))
        return self._ground[1]

    def _hidden_before(self) -> Mask:
        if self.cover is None:
            return np.asarray(self.ink.inked, np.uint8)
        return np.asarray(cv2.bitwise_or(self.cover.near, self.ink.inked), np.uint8)


def _evened_grey(flat: Picture, gain: float) -> Mask:
    grey = cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.convertScaleAbs(grey, alpha=1 / float(np.clip(gain, 0.2, 5.0))), np.uint8)


def _rimmed(ink: Mask) -> Mask:
    """Ink (H, W) with its blurred rim."""
    return np.asarray(cv2.dilate(ink, np.ones((5, 5), np.uint8)), np.uint8)
