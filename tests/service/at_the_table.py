"""A team at the table in tests: the clocks stand until somebody moves them, the referee says what he is told to say."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from flask import Flask
from sqlalchemy import delete, insert, select, update

from referee.race.drive import COUNTDOWN_MS
from referee.service.checks import shelf
from referee.service.store.open import Store
from referee.service.store.tables import (
    boards,
    challenge_photos,
    challenge_runs,
    checks,
    decisions,
    jobs,
    race_looks,
    races,
)
from tests.race.moments import Machine
from tests.service.conftest import Visitor, house

TEAM = ["Ada", "Béa", "Cem"]
ONE_PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6360f8cf50000003010101"
    "c9fe92ef0000000049454e44ae426082"
)


@dataclass
class Table:
    """Where a run is played through the API."""

    client: Visitor
    app: Flask
    machine: Machine
    id: str = ""
    last: Any = field(default_factory=dict)
    """The run as it was told last."""

    def sits_down(self, challenge: str, stages: list[int] | None = None, **more: object) -> Table:
        """The team chooses a challenge."""
        body = {"challenge": challenge, "team": TEAM, **({"stages": stages} if stages else {}), **more}
        answer = self.client.call("POST", "/api/challenges/runs", json=body)
        assert answer.status_code == 201, answer.text
        self.last, self.id = answer.json, str(answer.json["id"])  # type: ignore[index]
        return self

    @property
    def api(self) -> str:
        """The address of the run."""
        return f"/api/challenges/runs/{self.id}"

    def says(self, event: str, status: int = 200, **fields: object) -> Any:
        """Somebody presses a button; what the API answers."""
        answer = self.client.call("POST", f"{self.api}/events", json={"event": event, **fields})
        assert answer.status_code == status, answer.text
        if status == 200:
            self.last = answer.json
        return answer.json

    def looks(self) -> Any:
        """The run as it is now."""
        self.last = self.client.get(self.api).json
        return self.last

    @property
    def phase(self) -> str:
        """Where the run stands now."""
        return str(self.looks()["phase"])

    def drives(self, ms: int, driver: int = 0) -> Table:
        """From 3-2-1 to the finish."""
        self.says("count-down", driver=driver)
        self.machine.after(COUNTDOWN_MS + ms)
        self.says("finish")
        return self

    def takes_photo(self, content: bytes = ONE_PIXEL) -> str:
        """The photo that is wanted now; its check."""
        answer = self.client.call("POST", f"{self.api}/photos", picture=(content, "photo.jpg"))
        assert answer.status_code == 201, answer.text
        self.last = answer.json
        return str(self.last["photo"]["check"])

    def photographed(self, verdict: str, stage: int | None = None, **board: Any) -> str:
        """A photo of what the run is at, and what the referee says of it."""
        at = self.looks()["legs"][self.last["at"]]["stage"] if stage is None else stage
        check = self.takes_photo()
        says(self.app, check, verdict, at, **board)
        return check

    def codes(self, what: str = "reasons") -> list[str]:
        """The codes of its reasons, or of what is said beside."""
        return [one["code"] for one in self.looks()[what]]


def says(app: Flask, check: str, verdict: str, stage: int | None, **board: Any) -> None:
    """What the referee's worker would have written: one board of a stage with a verdict."""
    told: dict[str, Any] = {"number": 1, "stage": stage, "copy": "A", "verdict": verdict}
    told |= {"finished": verdict == "fair", "accidents": 0, "code": None, "report": {"events": []}} | board
    told["words"] = {
        code: {"line": verdict, "heading": "", "message": "message", "hint": "hint"} for code in ("en", "fr")
    }
    store = house(app).store
    with store.database.writing() as connection:
        mine = update(checks).where(checks.c.id == check)
        if connection.execute(select(checks.c.state).where(checks.c.id == check)).scalar_one() != "waiting":
            connection.execute(mine.values(job=store.jobs.add(connection, shelf.JUDGE, {"check": check})))
        connection.execute(update(jobs).values(state="done"))
        connection.execute(delete(boards).where(boards.c.check_id == check))
        connection.execute(insert(boards).values(check_id=check, **told))
        connection.execute(mine.values(state="judged", judged_at=time.time()))


def decides(app: Flask, check: str, verdict: str, stage: int) -> None:
    """A person decides about a question of a check, and the rules have run again."""
    row = {
        "board": 1,
        "about": {},
        "ask": "?",
        "answer": "safe",
        "who": "Ada",
        "why": "seen",
        "decided_at": time.time(),
    }
    with house(app).store.database.writing() as connection:
        connection.execute(insert(decisions).values(check_id=check, **row))
    says(app, check, verdict, stage)


def takes_back(app: Flask, check: str, verdict: str, stage: int) -> None:
    """The decision is taken back, and the rules have run again."""
    with house(app).store.database.writing() as connection:
        mine = update(decisions).where(decisions.c.check_id == check)
        connection.execute(mine.values(taken_back_at=time.time()))
    says(app, check, verdict, stage)


def photos_of(app: Flask, run: str) -> list[str]:
    """The checks of a run's photos."""
    with house(app).store.database.reading() as connection:
        wanted = select(challenge_photos.c.check_id).where(challenge_photos.c.run_id == run)
        return list(connection.execute(wanted).scalars())


def photo_runs(app: Flask) -> dict[str, str]:
    """The run of each photo."""
    with house(app).store.database.reading() as connection:
        return {row.check_id: row.run_id for row in connection.execute(select(challenge_photos))}


def every_check(store: Store) -> list[str]:
    """The checks of all purposes."""
    with store.database.reading() as connection:
        return list(connection.execute(select(checks.c.id)).scalars())


def clock_set_back(app: Flask) -> None:
    """The wall clock is set back by an hour: all that is kept so far is of the time to come."""
    with house(app).store.database.writing() as connection:
        for table in (checks, race_looks, challenge_runs, races):
            connection.execute(update(table).values(created_at=table.c.created_at + 3600))
