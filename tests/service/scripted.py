"""A scripted double of `referee.live.watch.Watch`: it looks at no pixel and calls what its script says, by the time."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from referee.live.report import LiveReport
from referee.live.sight import BoardSight, CallKind, LiveCall, Phase, Sight, Trouble
from referee.model import Event, Failure, Judgement, Photo, Report, Stage
from referee.stage.catalogue import Catalogue

Copy = Literal["A", "B"]
STAGE = 7
CORNERS = ((200.0, 100.0), (1080.0, 100.0), (1080.0, 680.0), (200.0, 680.0))
LENGTH_MM = 400.0
DESK = np.full((72, 128, 3), 120, np.uint8)
MOST_STEP_S = 0.15
"""So far the script goes on from one frame to the next, if it is paced: its calls never come in a bunch."""

Line = tuple[float, CallKind, dict[str, Any]]
SCRIPT: tuple[Line, ...] = (
    (0.2, "start", {}),
    (0.8, "checkpoint", {"element": "checkpoint-1", "number": 1, "of": 2}),
    (1.2, "brush", {"element": "white-line-2", "margin_mm": 0.4}),
    (1.6, "wipeout", {"element": "oil-1"}),
    (2.4, "donut", {"element": "oil-1", "number": 1, "of": 3}),
    (3.6, "pipe-enter", {"element": "pipe-1"}),
    (4.2, "checkpoint", {"element": "checkpoint-2", "number": 2, "of": 2}),
    (4.4, "acceleration", {"element": "acceleration-1"}),
    (5.0, "accident", {"cause": "white-line", "element": "white-line-3", "restart_element": "checkpoint-2"}),
    (7.0, "restart", {"element": "checkpoint-2"}),
    (7.4, "pipe-exit", {"element": "pipe-1"}),
    (8.6, "finish", {"element": "finish"}),
)
"""What happens, and how long after Go."""
LONG_PIPE: tuple[Line, ...] = (
    (0.2, "start", {}),
    (0.6, "pipe-enter", {"element": "pipe-1"}),
    (9.6, "pipe-exit", {"element": "pipe-1"}),
    (10.8, "finish", {"element": "finish"}),
)
CLOSES_S = 0.8
"""So long after its last event a race is closed."""


@dataclass
class OneBoard:
    """A board of the script; ``late_s`` later than the script says."""

    copy: Copy | None
    late_s: float = 0.0
    begun_s: float | None = None
    said: list[LiveCall] = field(default_factory=list)
    at_s: float = 0.0
    is_paced: bool = False
    script: tuple[Line, ...] = SCRIPT

    @property
    def ends_s(self) -> float:
        """When the last thing happens, after Go."""
        return self.script[-1][0]

    def look(self, at_s: float, armed: bool) -> BoardSight:
        """The board at a moment."""
        if self.is_paced and self.begun_s is not None and self.at_s >= self.begun_s:
            self.begun_s += max(0.0, at_s - self.at_s - MOST_STEP_S)  # on a busy machine the script waits
        self.at_s = at_s
        since = None if self.begun_s is None else at_s - self.begun_s - self.late_s
        new: list[LiveCall] = []
        for due_s, kind, more in self.script[len(self.said) :]:
            if since is None or since < due_s:
                break
            assert self.begun_s is not None
            due = self.begun_s + self.late_s + due_s
            new.append(LiveCall(len(self.said) + len(new), kind, due, at_s, (100.0, 50.0), **more))
        self.said += new
        hidden: Trouble | None = "hand" if since is not None and 0.2 < since < self.ends_s else None
        return BoardSight(
            STAGE, self.copy, self._phase(since, armed), hidden,
            np.array(CORNERS), self._path(since), (20.0 + (since or 0.0) * 10, 60.0), tuple(new), 0.0,
            None if since is None else max(0.0, min(since, self.ends_s)),
        )  # fmt: skip

    def _phase(self, since: float | None, armed: bool) -> Phase:
        if since is None or since < self.script[0][0]:
            return "armed" if armed else "empty"
        return "racing" if since < self.ends_s else "finished" if since < self.ends_s + CLOSES_S else "closed"

    def _path(self, since: float | None) -> np.ndarray:
        share = min(1.0, max(0.0, (since or 0.0) / self.ends_s))
        x = np.linspace(20, 20 + LENGTH_MM * share / 2, 40)
        return np.stack([x, 60 + 20 * np.sin(x / 15)], axis=1)

    def report(self, stage: Stage) -> LiveReport:
        """What came of it."""
        events = tuple(self._event(call) for call in self.said)
        finished = any(call.kind == "finish" for call in self.said)
        came_to = Judgement("fair" if finished else "unfinished", (), finished, 1, 1, events, ())
        judgement = None if self.begun_s is None else came_to
        begun = (self.begun_s or 0.0) + self.late_s
        timed = [
            (x, y, begun + self.ends_s * n / 39) for n, (x, y) in enumerate(self._path(self.ends_s).round(2).tolist())
        ]
        photo = Report("frame", failure=Failure("no-board", "no board", "show it"), photo=Photo(DESK, "frame"))
        return LiveReport(
            stage, self.copy, judgement, tuple(call.at_s for call in self.said), tuple(self.said), photo, self.at_s,
            begun, begun + self.ends_s if finished else None, (), (tuple(timed),),
        )  # fmt: skip

    def _event(self, call: LiveCall) -> Event:
        about = {"cause": call.cause, "certain": True, "outcome": "honoured"} if call.kind == "accident" else {}
        return Event(
            call.seq, call.kind, "R5", call.at_mm or (0.0, 0.0), 0, call.element, call.margin_mm,
            restart_element=call.restart_element, **about,  # type: ignore[arg-type]
        )  # fmt: skip


class Watch:
    """One board."""

    copies: tuple[Copy | None, ...] = (None,)
    late_s: tuple[float, ...] = (0.0,)
    is_paced = False
    script: tuple[Line, ...] = SCRIPT

    def __init__(self, catalogue: Catalogue, _rules: object, **_more: object) -> None:
        self.stage = catalogue.find(STAGE)
        pairs = zip(self.copies, self.late_s, strict=True)
        self.boards = [OneBoard(copy, late, is_paced=self.is_paced, script=self.script) for copy, late in pairs]
        self.go_s: float | None = None

    def look(self, _frame: object, at_s: float) -> Sight:
        """Look at a frame."""
        if self.go_s is not None and at_s >= self.go_s:
            for board in self.boards:
                board.begun_s = self.go_s if board.begun_s is None else board.begun_s
        return Sight(at_s, tuple(board.look(at_s, self.go_s is not None) for board in self.boards), 1.0)

    def arm(self, go_at_s: float) -> None:
        """Go is at that time."""
        self.go_s = go_at_s

    def start(self, at_s: float, copy: str | None = None) -> None:
        """Start by hand."""
        for board in self.boards:
            if copy in (None, board.copy):
                board.begun_s = at_s

    def stop(self) -> None:
        """No more frames."""

    def reports(self) -> list[LiveReport]:
        """What came of it."""
        return [board.report(self.stage) for board in self.boards]


class Paced(Watch):
    """One board, for a browser on a busy machine."""

    is_paced = True


class LongPipe(Paced):
    """One board, most of whose road is in a pipe: there is time to be heard in it."""

    script = LONG_PIPE


class TwoTeams(Watch):
    """Both boards; team B is a little later."""

    copies = ("A", "B")
    late_s = (0.0, 0.7)


class Dies(Watch):
    """An eye that fails at its first look."""

    def look(self, _frame: object, _at_s: float) -> Sight:
        """Fail."""
        raise SystemExit(3)
