"""Small pictures of the stages: drawn once by the worker, since thirty whole stage files on a page are slow to show.

Until one is drawn, the stage's own file stands in for it.
"""

from __future__ import annotations

import time

from sqlalchemy import select

from referee.service import stages
from referee.service.settings import Settings
from referee.service.store.open import Store
from referee.service.store.tables import jobs

DRAW = "draw-stage"
WHENEVER = -10
"""The priority: after every photo."""
AGAIN_S = 3600.0
"""What could not be drawn is tried again after so long."""


def key(settings: Settings, number: int) -> str | None:
    """Where a stage's small picture is kept; None if the stage is not at hand."""
    stamp = stages.stamp(settings, number)
    return None if stamp is None else f"stages/{number}-{stamp}.jpg"


def small(store: Store, settings: Settings, number: int) -> bytes | None:
    """A stage's small picture, a JPEG; None if it is not drawn yet."""
    wanted = key(settings, number)
    try:
        return None if wanted is None else store.pictures.read(wanted)
    except FileNotFoundError:
        return None


def ask_for_missing(store: Store, settings: Settings) -> int:
    """Put those that are not drawn yet into the queue; returns how many.  Ring the bell for them."""
    keys = {number: key(settings, number) for number in stages.names(settings)}
    missing = [number for number, one in keys.items() if one is not None and not store.pictures.has(one)]
    if not missing:
        return 0
    lately = select(jobs.c.payload).where(jobs.c.kind == DRAW, jobs.c.created_at > time.time() - AGAIN_S)
    with store.database.writing() as connection:
        asked = {payload.get("stage") for payload in connection.execute(lately).scalars()}
        new = [number for number in missing if number not in asked]
        for number in new:
            store.jobs.add(connection, DRAW, {"stage": number}, WHENEVER)
    return len(new)
