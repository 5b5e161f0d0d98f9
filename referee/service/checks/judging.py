"""The job that judges a photo.  Only the worker's process comes here: it reads pixels, the server does not."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

import cv2
from sqlalchemy import Connection, delete, insert, select, update

from referee.model import Json, Photo, Report
from referee.pipeline import judge_boards
from referee.report.document import document
from referee.rules.settings import Rules
from referee.service.checks.exhibit import draw, words
from referee.service.checks.shelf import UNKNOWN_ENDING, drawings, found
from referee.service.jobs.kinds import Work
from referee.service.jobs.queue import Write
from referee.service.settings import LANGUAGES, Settings
from referee.service.store.pictures import Pictures
from referee.service.store.tables import boards, checks
from referee.stage.catalogue import Catalogue

NO_PICTURE = "not-a-picture"


def judge_photo(work: Work, payload: Json) -> Write:
    """Judge a check's photo and draw its evidence; what is to be written waits for the job's end."""
    check = found(work.store, str(payload["check"]))
    if check is None or check.picture is None:
        return _nothing
    pictures = work.store.pictures
    work.tell(0.1, "judging")
    catalogue = _catalogue(work.settings)
    stage = None if check.said_stage is None else catalogue.find(check.said_stage)
    content = pictures.read(check.picture)
    reports = judge_boards(content, stage=stage, catalogue=catalogue, rules=Rules(**check.options), source=check.name)
    work.tell(0.6, "drawing")
    picture = _safe_to_keep(pictures, check.picture, reports)
    folder = f"{drawings(check.id)}/{work.job.id}-{work.job.attempt}"
    pictures.delete_beside(check.drawn, drawings(check.id))
    draw(reports, pictures, folder)
    rows = [_row(check.id, number, report) for number, report in enumerate(reports, 1)]
    return lambda connection: _write(connection, check.id, {"picture": picture, "drawn": folder}, rows)


def _given_up(payload: Json, _fault: str) -> Write:
    def write(connection: Connection) -> None:
        mine = update(checks).where(checks.c.id == payload["check"])
        connection.execute(mine.values(state="failed", error={"code": "fault"}, judged_at=time.time()))

    return write


judge_photo.given_up = _given_up  # type: ignore[attr-defined]


def _catalogue(settings: Settings) -> Catalogue:
    return Catalogue([settings.stages] if settings.stages else [])


def _row(check: str, number: int, report: Report) -> Json:
    """A board as its table wants it."""
    judgement = report.judgement
    return {
        "check_id": check,
        "number": number,
        "stage": report.stage.number if report.stage else None,
        "copy": report.copy,
        "verdict": judgement.verdict if judgement else "error",
        "finished": bool(judgement and judgement.finished),
        "accidents": judgement.accidents if judgement else 0,
        "code": report.failure.code if report.failure else None,
        "report": document(report),
        "words": {language: words(report) for language in LANGUAGES},
    }


def _safe_to_keep(pictures: Pictures, key: str, reports: Sequence[Report]) -> str | None:
    """The key of the photo without metadata: its pixels alone where its file could not be taken apart.

    What is no picture is not kept at all.
    """
    failure = reports[0].failure
    if failure is not None and failure.code == NO_PICTURE:
        pictures.delete(key)
        return None
    photo: Photo | None = reports[0].photo
    if not key.endswith(UNKNOWN_ENDING) or photo is None:
        return key
    encoded = cv2.imencode(".png", photo.bgr)[1]
    clean = pictures.keep(encoded.tobytes(), "photos")
    pictures.delete(key)
    return clean


def _write(connection: Connection, check: str, kept: Mapping[str, str | None], rows: Sequence[Json]) -> None:
    if connection.execute(select(checks.c.id).where(checks.c.id == check)).one_or_none() is None:
        return  # deleted in between
    connection.execute(delete(boards).where(boards.c.check_id == check))
    connection.execute(insert(boards), list(rows))
    mine = update(checks).where(checks.c.id == check)
    connection.execute(mine.values(**kept, state="judged", judged_at=time.time(), error=None))


def _nothing(_connection: Connection) -> None:
    """Nothing is to be written."""
