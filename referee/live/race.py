"""One board's race: its phases, its clock, its calls, and what is kept for the report."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.live.board import Seen, WatchedBoard
from referee.live.calls import Caller
from referee.live.cover import CELLS, COARSE, cells_of
from referee.live.ink import JOINED_MM
from referee.live.judging import Judged, Judging
from referee.live.lay import PX_PER_MM
from referee.live.report import CLEARS, Doubt, LiveReport
from referee.live.reread import agrees, reread
from referee.live.sight import BoardSight, LiveCall, Phase, Points, Trouble
from referee.model import Copy, Event, Floats, Report, Stage
from referee.rules import Rules
from referee.stage.guide import guide_of

Picture = NDArray[np.uint8]
Mask = NDArray[np.uint8]

JUDGE_EVERY_S = 0.08
"""The lines are judged anew no more often than this."""
QUIET_S, QUIET_MM = 0.45, 3
"""On bare road, so far from everything that it holds, no more often than this."""
RESTART_TRIES = 12
AGREED = 3
"""Lines that say the same as the careful reading so often in a row are no longer astray."""
ARROW_MM = 12.0
"""A race may begin so far from the arrow's outline, give or take."""
OVERLAP = 12
BEFORE_S = 0.45
"""Ink that is there from the first frame on was there before: it is a part of how the board looks."""
OLD_INK_MM2 = 40.0
GONE_S = 1.0
"""A race that has finished is closed once the hand has been gone for so long."""
CLEAR_SHARE = 0.004
"""A frame is clear if no more of the road than this is hidden."""
HAND_SHARE = 0.35
REREAD_EVERY_S = 0.35
LOOKED_S = 8.0
NEAR_MM = 6.0
"""Nobody is accused so near to something that lies on the board."""
ALONG_MM, SPECK_MM2 = 2.5, 0.5
"""Ink that goes on leaves the straight way by no more than the first; less than the second is a speck."""
UNSEEN_S = 0.7
"""Shorter stretches without a look are no news: five frames a second will do."""


@dataclass(eq=False)
class BoardRace:
    """What happens on one board."""

    board: WatchedBoard
    rules: Rules
    since_s: float
    phase: Phase = "empty"
    go_at_s: float | None = None
    began_s: float | None = None
    finished_s: float | None = None
    judged: Judged | None = None
    unseen: list[tuple[float, float]] = field(default_factory=list)
    clear_frame: tuple[Picture, float] | None = None

    def __post_init__(self) -> None:
        self.caller = Caller(self.board.stage, self.rules)
        self.judging = Judging(self.board.stage, self.rules, self.board.lay.view.scale_px_per_mm())
        self._road = _road_of(self.board)
        self._arrow = _arrow_of(self.board)
        self._agreed = 0
        self._compared: Judged | None = None
        self._looked_s = self.since_s
        self._judged_s = -1e9
        self._stale = False
        self._bare_since: float | None = None
        self._quiet = _quiet_of(self.board, self._road)
        self._judged_size = (0, 0, 0)
        self._astray = False
        self._tries = 0
        self._reread_s = -1e9
        self._second: Judged | None = None
        self._covered = 0.0
        self._wiped_after = False
        self._began_inked = False
        self._accused_by_gone_ink = False

    @property
    def is_busy(self) -> bool:
        """Whether a race is on: no time for looking for other boards."""
        return self.phase == "racing"

    @property
    def looked_long(self) -> bool:
        """Whether this board has been watched for so long that others would have been seen."""
        return self._looked_s - self.since_s > LOOKED_S

    # ------------------------------------------------------------------ steering

    def arm(self, go_at_s: float) -> None:
        """Wait for Go."""
        self.go_at_s = self.caller.go_at_s = go_at_s
        if self.phase in ("empty", "not-empty"):
            self.phase = "armed"

    def start(self, at_s: float) -> None:
        """Start the clock by hand."""
        if self.began_s is None:
            self.began_s = at_s
        if self.phase in ("empty", "not-empty", "armed"):
            self.phase = "racing"

    def close(self) -> None:
        """No more frames: what waits is judged as it is."""
        if self._stale or self.caller.is_waiting:
            self._judge(self._looked_s, [])
        if self.phase in ("racing", "finished"):
            self.phase = "closed"

    # ------------------------------------------------------------------ a frame

    def after(self, seen: Seen | None, bgr: Picture, at_s: float, lost: Trouble | None) -> BoardSight:
        """The board after a frame; ``seen`` is what it shows, None where the board is not in it."""
        if seen is None:
            return self._sight(lost, None, [], at_s)
        if at_s - self._looked_s > UNSEEN_S and self.phase == "racing":
            self.unseen.append((self._looked_s, at_s))
        self._looked_s = at_s
        calls: list[LiveCall] = []
        self._covered = self._hidden_share(seen.cover.hidden)
        self._keep_clear(seen, bgr, at_s)
        if self._was_before(at_s) or self._wiped(seen, at_s, calls):
            return self._sight(None, seen, calls, at_s)
        self._take_back(seen)
        self._stale |= seen.grown
        waits = self.caller.is_waiting
        due_s = JUDGE_EVERY_S if waits or self._matters() else QUIET_S
        if (self._stale or waits) and at_s - self._judged_s >= due_s - 1e-6:
            self._judge(at_s, calls)
        self._move_on(at_s, seen)
        return self._sight("hand" if self._covered > HAND_SHARE else None, seen, calls, at_s)

    def changed(self, at_s: float) -> BoardSight:
        """Another board lies where this one lay."""
        call = self.caller.say("changed", at_s, at_s)
        self.close()
        return self._sight("lost", None, [call], at_s)

    def _was_before(self, at_s: float) -> bool:
        """Whether this is still the moment in which ink from before is told from the race's."""
        if at_s - self.since_s > BEFORE_S or self.began_s is not None:
            return False
        ink = self.board.ink
        old = (ink.inked > 0) & (ink.first >= 0) & (ink.first <= 2)
        if old.sum() > OLD_INK_MM2 * PX_PER_MM**2:
            self.board.take_for_print()
            self.phase = "not-empty"
            self._began_inked = self.caller.began_inked = True
        return True

    def _wiped(self, seen: Seen, at_s: float, calls: list[LiveCall]) -> bool:
        if not self.board.ink.is_wiped(seen.glimpse, seen.cover):
            return False
        if self.phase in ("finished", "closed"):
            if not self._wiped_after:
                calls.append(self.caller.say("wiped", at_s, at_s))
            self._wiped_after = True
        else:
            calls.append(self.caller.say("wiped", at_s, at_s))
            self.board.begin_anew()
            self.judging = Judging(self.board.stage, self.rules, self.judging.px_per_mm)
            self._astray, self._agreed, self._second = False, 0, None
            self._began_inked = self.caller.began_inked = self._accused_by_gone_ink = False
            self.caller.said = [one for one in self.caller.said if one.stroke < 0]
            self.phase, self.began_s, self.judged = "armed" if self.go_at_s is not None else "empty", None, None
        return True

    def _take_back(self, seen: Seen) -> None:
        """Ink that is gone is judged no more; who was accused by it is for a person to decide."""
        gone = self.board.ink.take_back(seen.glimpse, seen.cover)
        if gone is None:
            return
        self.board.trace.forget(gone)
        self._astray = self._stale = True
        self._second, self._reread_s = None, -1e9
        accused = [one for one in self.caller.calls if one.kind == "accident" and not one.again]
        self._accused_by_gone_ink |= any(_is_near(gone, one.at_mm) for one in accused)

    def _matters(self) -> bool:
        """Whether the lines have come to anything since they were judged: on bare road nothing happens."""
        trace = self.board.trace
        size = (len(trace.lines), len(trace.lifts))
        if size != self._judged_size[:2] or self._astray or not trace.lines:
            return True
        new = trace.lines[-1].points_mm[max(0, self._judged_size[2] - OVERLAP) :]
        height, width = self._quiet.shape
        x, y = np.clip((new * (PX_PER_MM / COARSE)).astype(int), 0, [width - 1, height - 1]).T
        return not bool(self._quiet[y, x].all())

    def _judge(self, at_s: float, calls: list[LiveCall]) -> None:
        """Judge the lines as they are; an accident is said only if the second opinion has it, which else takes over."""
        self._stale = False
        self._judged_s = at_s
        lines = self.board.trace.lines
        self._judged_size = (len(lines), len(self.board.trace.lifts), len(lines[-1].points_mm) if lines else 0)
        if self.phase == "closed":
            return
        self._astray |= self.board.trace.is_lost
        if self._astray:
            self._by_second_opinion(at_s, calls)
            self._find_back()
            return
        judged = self.judging.judged(self.board.trace, self.board.ink)
        if judged is None:
            return
        accused = self.caller.wants_to_accuse(judged)
        second = self._second_opinion(at_s) if accused or _owes_donuts(judged) else None
        doubted = [e for e in accused if second is None or not agrees(second, e) or self._is_doubtful(e, judged)]
        self._astray = second is not None and (bool(doubted) or _owes_donuts(judged))
        self.judged = second if self._astray and second is not None else judged
        calls += self.caller.new(self.judged, at_s, [] if self._astray else doubted)
        if not self.caller.awaits_restart:
            self._tries = 0
        elif self._tries < RESTART_TRIES and (second := self._second_opinion(at_s)) is not None:
            self._tries += 1
            calls += self.caller.restarts(second, at_s)

    def _by_second_opinion(self, at_s: float, calls: list[LiveCall]) -> None:
        """Only what is read anew counts: the same reading twice finds nothing twice."""
        second = self._second_opinion(at_s)
        if second is None or second is self.judged:
            return
        self.judged = second
        doubted = [e for e in self.caller.wants_to_accuse(second) if self._is_doubtful(e, second)]
        calls += self.caller.new(second, at_s, doubted)

    def _find_back(self) -> None:
        """Lines that say again and again what the careful reading says are no longer astray."""
        second = self._second
        if second is None or second is self._compared or _owes_donuts(second):
            return
        self._compared = second
        quick = self.judging.judged(self.board.trace, self.board.ink)
        self._agreed = self._agreed + 1 if quick is not None and _told_by(quick) == _told_by(second) else 0
        if self._agreed >= AGREED and not self.board.trace.is_lost:
            self._astray, self._agreed = False, 0

    def _is_doubtful(self, event: Event, judged: Judged) -> bool:
        """Whether an accident waits: something lies there, or hides what it rests on."""
        if _is_near(self.board.ink.aside, event.at_mm):
            return True
        if event.cause == "lift":
            return event.decided is None and self._may_go_on(event, judged)
        return event.cause == "start" and self._hides_arrow()

    def _may_go_on(self, event: Event, judged: Judged) -> bool:
        """Whether ink leads from where a pen is said to have gone up to where it came down, or something hides that."""
        if event.stroke + 1 >= len(judged.strokes):
            return False
        end, begin = (
            judged.strokes[event.stroke].stroke.points_mm[-1],
            judged.strokes[event.stroke + 1].stroke.points_mm[0],
        )
        if self.board.ink.joins(end, begin):
            return True
        close = float(np.hypot(*(begin - end))) <= JOINED_MM
        return _shows_any(self._unclear(), end, begin if close else end)

    def _unclear(self) -> Mask:
        """Where (H, W) something is near, or is seen that is neither print nor ink yet."""
        seen = self.board.last
        if seen is None:
            return np.zeros_like(self.board.ink.inked)
        strange = cv2.subtract(seen.glimpse.changed, cv2.dilate(self.board.ink.inked, np.ones((5, 5), np.uint8)))
        return np.asarray(cv2.bitwise_or(strange, seen.cover.near), np.uint8)

    def _hides_arrow(self) -> bool:
        """Whether anything lies over where the race may have begun."""
        cover = self.board.cover
        if cover is None:
            return False
        small = cover.near[CELLS]
        rows, columns = min(small.shape[0], self._arrow.shape[0]), min(small.shape[1], self._arrow.shape[1])
        return bool(small[:rows, :columns][self._arrow[:rows, :columns]].any())

    def _second_opinion(self, at_s: float) -> Judged | None:
        """All ink read anew, no more often than it takes."""
        if at_s - self._reread_s >= REREAD_EVERY_S - 1e-6:
            self._reread_s = at_s
            self._second = reread(
                self.board.ink, self.board.stage, self.rules, self.judging.sigma_mm, self.board.trace.lifts
            )
        return self._second

    def _move_on(self, at_s: float, seen: Seen) -> None:
        if self.phase in ("empty", "not-empty", "armed") and self.board.trace.lines:
            first = float(self.board.trace.lines[0].times_s.min())
            self.phase = "racing"
            if self.began_s is None:
                self.began_s = first if self.go_at_s is None else self.go_at_s
        if self.phase == "racing":
            finish = next((c for c in self.caller.calls if c.kind == "finish" and not c.again), None)
            if finish is not None:
                self.finished_s, self.phase = finish.at_s, "finished"
        if self.phase == "finished":
            self._bare_since = None if seen.cover.any else self._bare_since if self._bare_since is not None else at_s
            if self._bare_since is not None and at_s - self._bare_since >= GONE_S:
                self.phase = "closed"

    # ------------------------------------------------------------------ what is kept

    def _hidden_share(self, hidden: Mask) -> float:
        small = hidden[CELLS]
        rows, columns = min(small.shape[0], self._road.shape[0]), min(small.shape[1], self._road.shape[1])
        road = self._road[:rows, :columns]
        return float((small[:rows, :columns][road] > 0).mean()) if road.any() else 0.0

    def _keep_clear(self, seen: Seen, bgr: Picture, at_s: float) -> None:
        if self._covered <= CLEAR_SHARE and not seen.cover.any:
            self.clear_frame = (bgr, at_s)

    def _sight(self, trouble: Trouble | None, seen: Seen | None, calls: list[LiveCall], at_s: float) -> BoardSight:
        lines = self.board.trace.lines
        tip = tuple(float(v) for v in lines[-1].tip_mm) if lines else None
        return BoardSight(
            stage=self.board.stage.number,
            copy=self.board.copy,
            phase=self.phase,
            trouble=trouble,
            corners_px=None if seen is None else seen.lay.corners_px(),
            path_mm=_path_of([line.points_mm for line in lines]),
            tip_mm=tip,  # type: ignore[arg-type]
            calls=tuple(calls),
            covered=self._covered,
            elapsed_s=self._elapsed(at_s),
        )

    def _elapsed(self, at_s: float) -> float | None:
        if self.began_s is None:
            return None
        return max(0.0, (self.finished_s if self.finished_s is not None else at_s) - self.began_s)

    def report(self, as_photo: Callable[[Picture, Stage, Copy | None], Any]) -> LiveReport:
        """What came of the race, all ink read once more; ``as_photo`` judges its last clear frame."""
        self._reread_s = -1e9
        judged, clear = self._second_opinion(self._looked_s) or self.judged, self.clear_frame
        shows_race = clear is not None and judged is not None and clear[1] > _last_s(judged)
        photo = as_photo(clear[0], self.board.stage, self.board.copy) if shows_race and clear is not None else None
        return LiveReport(
            stage=self.board.stage,
            copy=self.board.copy,
            judgement=judged.judgement if judged else None,
            at_s=self.caller.times_of(judged) if judged else (),
            calls=tuple(self.caller.calls),
            photo=photo,
            photo_at_s=clear[1] if photo is not None and clear is not None else None,
            began_s=self.began_s,
            finished_s=self.finished_s,
            unseen_s=tuple(self.unseen),
            path_mm_s=_timed_path(judged) if judged else (),
            doubts=tuple(self._doubts(judged, photo)),
        )

    def _doubts(self, judged: Judged | None, photo: Report | None) -> Iterator[Doubt]:
        if self._began_inked:
            yield "not-empty"
        if self._accused_by_gone_ink:
            yield "ink-gone"
        still = photo.judgement if photo is not None else None
        lies = cv2.countNonZero(self.board.ink.aside) > OLD_INK_MM2 * PX_PER_MM**2
        if not lies or judged is None:
            return
        # the picture takes it for ink as well, so it cannot bear an accusation out
        if judged.judgement.verdict not in CLEARS or still is None or still.verdict != judged.judgement.verdict:
            yield "laid-on"


def _shows_any(mask: Mask, begin_mm: Floats, end_mm: Floats) -> bool:
    """Whether a mask (H, W) holds more than a speck along the way from one place (2,) to another."""
    corridor = np.zeros_like(mask)
    ends = np.rint(np.vstack([begin_mm, end_mm]) * PX_PER_MM - 0.5).astype(np.int32)
    cv2.line(corridor, ends[0].tolist(), ends[1].tolist(), 255, round(2 * ALONG_MM * PX_PER_MM))
    return cv2.countNonZero(cv2.bitwise_and(mask, corridor)) > SPECK_MM2 * PX_PER_MM**2


def _is_near(spot: Mask, at_mm: tuple[float, float] | None) -> bool:
    """Whether a place lies in or close to a spot (H, W) of the grid."""
    if at_mm is None or not cv2.countNonZero(spot):
        return False
    reach = round(NEAR_MM * PX_PER_MM)
    x, y = (round(v * PX_PER_MM) for v in at_mm)
    return bool(spot[max(0, y - reach) : y + reach + 1, max(0, x - reach) : x + reach + 1].any())


def _told_by(judged: Judged) -> list[tuple[str, str | None, str | None]]:
    """What a reading has, in order."""
    return [(event.kind, event.cause, event.element) for event in judged.judgement.events if event.kind != "brush"]


def _owes_donuts(judged: Judged) -> bool:
    """Whether oil was touched: rings are small and drawn under the hand, and want the careful reading."""
    return any(event.kind == "wipeout" for event in judged.judgement.events)


def _last_s(judged: Judged) -> float:
    return max(float(timed.times_s.max()) for timed in judged.strokes)


def _timed_path(judged: Judged) -> tuple[tuple[tuple[float, float, float], ...], ...]:
    return tuple(
        tuple((round(float(x), 2), round(float(y), 2), round(float(t), 2)) for (x, y), t in
              zip(timed.stroke.points_mm[::4], timed.times_s[::4], strict=True))
        for timed in judged.strokes
    )  # fmt: skip


def _quiet_of(board: WatchedBoard, road: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Where (h, w), coarsely, a pen on the road touches nothing."""
    stage, scale = board.stage, PX_PER_MM / COARSE
    loud = (~road).astype(np.uint8)
    zones = (*stage.jumps, *stage.landings, *stage.accelerations, *stage.slowdowns, *stage.pipes)
    shapes = [*(z.shape for z in zones), *(o.reach for o in stage.oil_spills), *(w.band for w in stage.white_lines)]
    for shape in (*shapes, stage.start):
        cv2.fillPoly(loud, [np.rint(np.asarray(shape.exterior.coords) * scale).astype(np.int32)], 1)
    for line in (*(c.points_mm for c in stage.checkpoints), stage.finish_mm):
        cv2.polylines(loud, [np.rint(line * scale).astype(np.int32)], False, 1, 2)
    wide = cv2.dilate(loud, np.ones((2 * QUIET_MM + 1, 2 * QUIET_MM + 1), np.uint8))
    return np.asarray(wide == 0)


def _path_of(lines: list[Floats]) -> Points | None:
    """Lines as one array (N, 2), parted by a row of NaN."""
    if not lines:
        return None
    rows = [part for line in lines for part in (line, np.full((1, 2), np.nan))]
    return np.vstack(rows[:-1])


def _arrow_of(board: WatchedBoard) -> NDArray[np.bool_]:
    """Where (h, w), coarsely, a race may begin."""
    near = np.zeros(cells_of(board.lay.wh[::-1]), np.uint8)
    shape = board.stage.start.buffer(ARROW_MM).exterior.coords
    cv2.fillPoly(near, [np.rint(np.asarray(shape) * PX_PER_MM / COARSE).astype(np.int32)], 1)
    return np.asarray(near > 0)


def _road_of(board: WatchedBoard) -> NDArray[np.bool_]:
    """Where (h, w), coarsely, the board has road."""
    road = np.zeros(cells_of(board.lay.wh[::-1]), np.uint8)
    scale = PX_PER_MM / COARSE
    rings = [np.rint(np.asarray(ring) * scale).astype(np.int32) for ring in guide_of(board.stage).road]
    cv2.fillPoly(road, rings, 1)
    return np.asarray(road > 0)
