"""Two teams at a race in tests: what they press, what the camera is shown, and time that flies when a test says so."""

from __future__ import annotations

from typing import Any

import pytest

from referee.service import instants
from tests.service.conftest import Visitor

NOVICES = {"a": ["Ada", "Béa"], "b": ["Cem", "Dan", "Eli"], "youngest": "B", "everybody_knows": False}
MASTERS = NOVICES | {"everybody_knows": True}


class Game:
    """A race over the API; `at` is what was told last."""

    def __init__(self, client: Visitor, **teams: Any) -> None:
        self.client = client
        answer = client.call("POST", "/api/races", json=NOVICES | teams)
        assert answer.status_code == 201, answer.text
        self.at: dict[str, Any] = answer.json or {}

    @property
    def api(self) -> str:
        return f"/api/races/{self.at['id']}"

    @property
    def heat(self) -> dict[str, Any]:
        heat: dict[str, Any] = self.at["heats"][-1]
        return heat

    def refused(self, event: str, **fields: Any) -> str:
        """The code of what is refused."""
        answer = self.client.call("POST", f"{self.api}/events", json={"event": event, **fields})
        assert answer.status_code >= 400, answer.text
        return str((answer.json or {})["error"]["code"])

    def say(self, event: str, **fields: Any) -> Game:
        answer = self.client.call("POST", f"{self.api}/events", json={"event": event, **fields})
        assert answer.status_code == 200, answer.text
        self.at = answer.json or {}
        return self

    def look(self) -> Game:
        self.at = self.client.get(self.api).json or {}
        return self

    def page(self) -> str:
        return self.client.get(self.at["page"]).text

    def photo(self, where: str, team: str, content: bytes) -> Game:
        answer = self.client.call("POST", f"{self.api}/{where}/{team}", picture=(content, "board.jpg"))
        assert answer.status_code == 201, answer.text
        self.at = answer.json or {}
        return self

    def prepared(self, stage: int, team: str = "B") -> Game:
        """Up to the boards: the stage is chosen, the lap to warm up is driven."""
        self.say("choose-stage", team=team, stage=stage)
        return self.say("warm-up-over") if self.at["phase"] == "warm-up" else self

    def raced(self, *crossed: str) -> Game:
        """Both teams drive, and some cross the finish."""
        a, b = self.at["suggested_drivers"]
        self.say("count-down", a=a, b=b)
        pass_by(5000)
        for team in crossed:
            self.say("crossed", team=team)
            pass_by(3000)
        return self


PASSED = [0]


def pass_by(ms: int) -> None:
    PASSED[0] += ms


@pytest.fixture(autouse=True)
def time_flies(monkeypatch: pytest.MonkeyPatch) -> None:
    """Time that passes when a test says so, beside the machine's own."""
    PASSED[0] = 0
    real = instants.now
    monkeypatch.setattr(instants, "now", lambda: real().later(PASSED[0]))
