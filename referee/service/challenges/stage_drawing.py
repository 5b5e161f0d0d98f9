"""The job that draws a stage's small picture.  Only the worker's process comes here: the server sees no pixel."""

from __future__ import annotations

import cv2
from sqlalchemy import Connection

from referee.errors import RefereeError
from referee.model import Json
from referee.report.board import jpeg
from referee.service import stages
from referee.service.challenges.stage_pictures import key
from referee.service.jobs.kinds import Work
from referee.service.jobs.queue import Write
from referee.stage.render import artwork

PX_PER_MM = 1.5
QUALITY = 82


def draw_stage(work: Work, payload: Json) -> Write:
    """Draw a stage and keep the picture; a file that cannot be drawn goes without."""
    number = int(payload["stage"])
    wanted = key(work.settings, number)
    catalogue = stages.catalogue(work.settings)
    try:
        if wanted is not None:
            drawn = artwork(catalogue.find(number), None, PX_PER_MM)
            work.store.pictures.write(wanted, jpeg(cv2.cvtColor(drawn, cv2.COLOR_RGB2BGR), QUALITY))
    except RefereeError:
        pass
    return _nothing


def _nothing(_connection: Connection) -> None:
    """Nothing is to be written."""
