"""A scripted double of `referee.live.watch.Watch`: it looks at no pixel and calls what its script says, by the time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from referee.live.sight import BoardSight, CallKind, LiveCall, Phase, Sight
from referee.model import Json

Copy = Literal["A", "B"]
STAGE = 7
CORNERS = ((200.0, 100.0), (1080.0, 100.0), (1080.0, 680.0), (200.0, 680.0))
LENGTH_MM = 400.0

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
ENDS_S = 8.6
CLOSES_S = 9.4


@dataclass
class Report:
    """What it reports of a board."""

    stage: int
    copy: str | None
    document: Json
    photo: Json | None
    unseen_s: Sequence[tuple[float, float]] = ()


@dataclass
class OneBoard:
    """A board of the script; ``late_s`` later than the script says."""

    copy: Copy | None
    late_s: float = 0.0
    begun_s: float | None = None
    said: list[LiveCall] = field(default_factory=list)
    at_s: float = 0.0

    def look(self, at_s: float, armed: bool) -> BoardSight:
        """The board at a moment."""
        self.at_s = at_s
        since = None if self.begun_s is None else at_s - self.begun_s - self.late_s
        new: list[LiveCall] = []
        for due_s, kind, more in SCRIPT[len(self.said) :]:
            if since is None or since < due_s:
                break
            assert self.begun_s is not None
            due = self.begun_s + self.late_s + due_s
            new.append(LiveCall(len(self.said) + len(new), kind, due, at_s, (100.0, 50.0), **more))
        self.said += new
        return BoardSight(
            STAGE, self.copy, self._phase(since, armed), "hand" if since is not None and 0.2 < since < ENDS_S else None,
            np.array(CORNERS), self._path(since), (20.0 + (since or 0.0) * 10, 60.0), tuple(new), 0.0,
            None if since is None else max(0.0, min(since, ENDS_S)),
        )  # fmt: skip

    def _phase(self, since: float | None, armed: bool) -> Phase:
        if since is None or since < SCRIPT[0][0]:
            return "armed" if armed else "empty"
        return "racing" if since < ENDS_S else "finished" if since < CLOSES_S else "closed"

    def _path(self, since: float | None) -> np.ndarray:
        share = min(1.0, max(0.0, (since or 0.0) / ENDS_S))
        x = np.linspace(20, 20 + LENGTH_MM * share / 2, 40)
        return np.stack([x, 60 + 20 * np.sin(x / 15)], axis=1)

    def report(self) -> Report:
        """What came of it."""
        events = [
            {"seq": call.seq, "kind": call.kind, "rule": "R5", "at_mm": list(call.at_mm or ()), "stroke": 0,
             "element": call.element, "at_s": call.at_s}
            | ({"cause": call.cause, "certain": True, "outcome": "honoured", "restart_element": call.restart_element,
                "margin_mm": -1.2} if call.kind == "accident" else {})
            for call in self.said
        ]  # fmt: skip
        finished = any(call.kind == "finish" for call in self.said)
        points = self._path(self.at_s - (self.begun_s or 0.0)).round(2).tolist()
        document: Json = {
            "format": 1,
            "source": "live",
            "verdict": "fair" if finished else "unfinished",
            "events": events,
        }
        document |= {"finished": finished, "accidents": 1, "donuts": 1, "path": [{"stroke": 0, "points_mm": points}]}
        return Report(STAGE, self.copy, document, None)


class Watch:
    """One board."""

    copies: tuple[Copy | None, ...] = (None,)
    late_s: tuple[float, ...] = (0.0,)

    def __init__(self, _catalogue: object, _rules: object, **_more: object) -> None:
        self.boards = [OneBoard(copy, late) for copy, late in zip(self.copies, self.late_s, strict=True)]
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
        """Disarm, or end."""
        if all(board.begun_s is None for board in self.boards):
            self.go_s = None

    def reports(self) -> list[Report]:
        """What came of it."""
        return [board.report() for board in self.boards]


class TwoTeams(Watch):
    """Both boards; team B is a little later."""

    copies = ("A", "B")
    late_s = (0.0, 0.7)


class Dies(Watch):
    """An eye that fails at its first look."""

    def look(self, _frame: object, _at_s: float) -> Sight:
        """Fail."""
        raise SystemExit(3)
