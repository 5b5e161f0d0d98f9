"""Where on each stage accidents happen: those of all kept reports, each in its section of the road."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import func, select

from referee.model import Floats, Stage
from referee.service.store.open import Store
from referee.service.store.tables import accidents, boards, checks

MOST = 20_000
"""So many accidents of a stage are looked at, the latest."""
CAUSES = (
    "white-line", "lift", "jump", "slowdown-missed", "donuts-missing", "checkpoint-missed", "start", "clothesline",
    "mine",
)  # fmt: skip


@dataclass(frozen=True)
class Accident:
    """An accident of a kept report; ``restart`` is where the car had to go back to."""

    check: str
    cause: str
    outcome: str | None
    element: str | None
    restart: str | None
    at_mm: tuple[float, float]


@dataclass(frozen=True)
class OnStage:
    """The accidents on a stage that are beyond doubt; ``doubtful`` counts those that were too close to call.

    ``boards`` counts the judged boards of the stage, ``sections`` has the number of each accident's section, in the
    same order; empty where the stage's file is not at hand.
    """

    accidents: tuple[Accident, ...]
    doubtful: int
    boards: int
    sections: tuple[int, ...] = ()

    def by_section(self) -> Mapping[int, Counter[str]]:
        """How many of each cause there are in each section."""
        counted: dict[int, Counter[str]] = {}
        for section, accident in zip(self.sections, self.accidents, strict=False):
            counted.setdefault(section, Counter())[accident.cause] += 1
        return counted

    def by_cause(self) -> Counter[str]:
        """How many of each cause there are."""
        return Counter([accident.cause for accident in self.accidents])


def overview(store: Store) -> dict[int, tuple[int, int]]:
    """Of each stage of which a board was judged: how many boards, and how many certain accidents."""
    judged = select(boards.c.stage, func.count()).where(boards.c.stage.is_not(None), boards.c.verdict != "error")
    crashed = select(accidents.c.stage, func.count()).where(accidents.c.certain)
    with store.database.reading() as connection:
        judged_rows = connection.execute(judged.group_by(boards.c.stage).order_by(boards.c.stage)).all()
        crashed_rows = connection.execute(crashed.group_by(accidents.c.stage)).all()
    counted = {int(stage): int(count) for stage, count in crashed_rows}
    return {int(stage): (int(count), counted.get(int(stage), 0)) for stage, count in judged_rows}


def on_stage(store: Store, number: int, stage: Stage | None) -> OnStage:
    """The accidents on a stage; ``stage`` is its file's, None where that is not at hand."""
    mine = accidents.c.stage == number
    latest = select(accidents).join(checks, checks.c.id == accidents.c.check_id).order_by(checks.c.number.desc())
    wanted = latest.where(mine, accidents.c.certain).limit(MOST)
    doubtful = select(func.count()).select_from(accidents).where(mine, ~accidents.c.certain)
    judged = select(func.count()).select_from(boards).where(boards.c.stage == number, boards.c.verdict != "error")
    with store.database.reading() as connection:
        rows = connection.execute(wanted).all()
        open_ones, all_boards = (int(connection.execute(count).scalar_one()) for count in (doubtful, judged))
    found = tuple(
        Accident(row.check_id, row.cause, row.outcome, row.element, row.restart, (row.x_mm, row.y_mm)) for row in rows
    )
    return OnStage(found, open_ones, all_boards, () if stage is None else sections_of(stage, found))


# ----------------------------------------------------------------------------------------------------- sections

SLIGHTLY_MM = 1e-3
"""Of two sections that are equally near, so much farther is the one that lies behind the car."""


def sections_of(stage: Stage, found: Sequence[Accident]) -> tuple[int, ...]:
    """The number of the section that each accident happened in.

    A white line and a checkpoint say themselves of which sections they are; of these, or else of all, the nearest one
    is taken.  On a bridge two are equally near: there it is the first one behind the place that the car went back to.
    """
    if not found or not stage.sections:
        return tuple(0 for _ in found)
    numbers = np.array([section.number for section in stage.sections])
    points_mm = np.array([accident.at_mm for accident in found], dtype=float)
    away_mm = np.stack(
        [distances_mm(points_mm, np.asarray(one.road.exterior.coords)) for one in stage.sections], axis=1
    )
    told, behind = _told_by_element(stage), _behind(stage)
    says = [(accident.element, accident.restart) for accident in found]
    extra_mm = {
        (element, restart): np.where(np.isin(numbers, told.get(element or "", numbers)), 0, np.inf)
        + SLIGHTLY_MM * (numbers < behind.get(restart or "", 0))
        for element, restart in set(says)
    }
    nearest = np.argmin(away_mm + np.stack([extra_mm[one] for one in says]), axis=1)
    return tuple(numbers[nearest].tolist())


def _told_by_element(stage: Stage) -> dict[str, tuple[int, ...]]:
    told: dict[str, tuple[int, ...]] = {}
    for line in stage.white_lines:
        told[line.id] = (*told.get(line.id, ()), *line.sections)
    return told


def _behind(stage: Stage) -> dict[str, int]:
    """The section of each place that a car goes back to."""
    return {checkpoint.id: checkpoint.section for checkpoint in stage.checkpoints}


def distances_mm(points_mm: Floats, ring_mm: Floats) -> NDArray[np.float64]:
    """How far points (N, 2) are from the inside of a closed ring (M, 2); 0 inside it.

    Even-odd rule for the inside; the distance to a side is that to its nearest point.
    """
    ends, begins = ring_mm[1:], ring_mm[:-1]
    nearest = np.full(len(points_mm), np.inf)
    inside = np.zeros(len(points_mm), dtype=bool)
    x, y = points_mm.T
    for (ax, ay), (bx, by) in zip(begins, ends, strict=True):
        along = np.array([bx - ax, by - ay])
        length2 = max(float(along @ along), 1e-12)
        share = np.clip(((x - ax) * along[0] + (y - ay) * along[1]) / length2, 0, 1)
        nearest = np.minimum(nearest, np.hypot(x - ax - share * along[0], y - ay - share * along[1]))
        if ay != by:
            inside ^= ((ay > y) != (by > y)) & (x < (bx - ax) * (y - ay) / (by - ay) + ax)
    return np.where(inside, 0.0, nearest)
