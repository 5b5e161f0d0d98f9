"""The job that judges a photo.  Only the worker's process comes here: it reads pixels, the server does not."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

import cv2
from sqlalchemy import Connection, delete, insert, select, update

from referee.errors import BadBaseline, RefereeError, UnknownDecision
from referee.model import Decision, Failure, Json, Photo, Report
from referee.pipeline import judge_boards
from referee.report.document import document
from referee.rules.settings import Rules
from referee.service import stages
from referee.service.checks.deciding import for_the_rules, of_check
from referee.service.checks.exhibit import draw, words
from referee.service.checks.shelf import UNKNOWN_ENDING, Check, drawings, found
from referee.service.jobs.kinds import Work
from referee.service.jobs.queue import After, Job, Write
from referee.service.store.accidents import write_accidents
from referee.service.store.pictures import Pictures
from referee.service.store.tables import boards, checks
from referee.words import LANGUAGES
from referee.words import say as phrase

NO_PICTURE = "not-a-picture"


def judge_photo(work: Work, payload: Json) -> Write:
    """Judge a check's photo and draw its evidence; what is to be written waits for the job's end."""
    check = found(work.store, str(payload["check"]))
    if check is None or check.picture is None:
        return _nothing
    pictures = work.store.pictures
    work.tell(0.1, "judging")
    content = pictures.read(check.picture)
    reports, error = _judged(work, check, content)
    work.tell(0.6, "drawing")
    picture = _safe_to_keep(pictures, check.picture, reports, content)
    folder = f"{drawings(check.id)}/{work.job.id}-{work.job.attempt}"
    try:
        draw(reports, pictures, folder)
    except BaseException:  # such as a disk that is full
        _forget(pictures, folder, picture if picture != check.picture else None)
        raise
    rows = [_row(check.id, number, report) for number, report in enumerate(reports, 1)]
    kept = {"picture": picture, "drawn": folder, "error": error}
    before = check.picture

    def write(connection: Connection) -> After:
        if not _write(connection, work.job, kept, rows):
            return lambda: _forget(pictures, folder, picture if picture != before else None)
        return lambda: _clear_away(pictures, check.id, folder, before if picture != before else None)

    return write


def _forget(pictures: Pictures, folder: str, picture: str | None) -> None:
    """Clear away what was made for nothing."""
    pictures.delete_folder(folder)
    if picture is not None:
        pictures.delete(picture)


def _clear_away(pictures: Pictures, check: str, folder: str, before: str | None) -> None:
    """Clear away what an earlier judging drew, and the photo whose place another took."""
    pictures.delete_beside(folder, drawings(check))
    if before is not None:
        pictures.delete(before)


def _judged(work: Work, check: Check, content: bytes) -> tuple[Sequence[Report], Json | None]:
    """The reports of a photo's boards, with all that people decided; and what was wrong with that, if anything was.

    Decisions that answer no question any more are told, and the photo is judged without any.
    """
    catalogue = stages.catalogue(work.settings)
    told: dict[str, Any] = {"catalogue": catalogue, "rules": Rules(**check.options), "source": check.name}
    held = [one for one in of_check(work.store, check.id) if one.taken_back_at is None]
    try:
        told["baseline"] = _baseline(work.store.pictures, check)
        told["stage"] = None if check.said_stage is None else catalogue.find(check.said_stage)
        return judge_boards(content, decisions=[Decision(**for_the_rules(one)) for one in held], **told), None
    except UnknownDecision as fault:
        return judge_boards(content, **told), {"code": fault.code, "message": fault.message, "hint": fault.hint}
    except RefereeError as fault:
        return [Report(check.name, failure=Failure(fault.code, fault.message, fault.hint))], None


def _baseline(pictures: Pictures, check: Check) -> bytes | None:
    """The picture from before the race; without it gadgets would be taken for race ink."""
    try:
        return None if check.baseline is None else pictures.read(check.baseline)
    except FileNotFoundError:
        raise BadBaseline(phrase("fault.baseline-gone"), phrase("cure.before-race")) from None


def _given_up(work: Work, _fault: str) -> Write:
    """What is said of a photo that nothing could judge; it is kept only if it tells no more than its pixels."""
    job = work.job

    def write(connection: Connection) -> After | None:
        mine = (checks.c.id == job.payload["check"]) & (checks.c.job == job.id)
        key = connection.execute(select(checks.c.picture).where(mine)).scalar_one_or_none()
        kept = only_pixels(work.store.pictures, key, None) if key else None
        failed = {"state": "failed", "error": {"code": "fault"}, "judged_at": time.time(), "picture": kept}
        connection.execute(update(checks).where(mine).values(**failed))
        return None if key is None or kept == key else lambda: work.store.pictures.delete(key)

    return write


judge_photo.given_up = _given_up  # type: ignore[attr-defined]


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
        "words": {language: words(report, language) for language in LANGUAGES},
    }


def _safe_to_keep(pictures: Pictures, key: str, reports: Sequence[Report], content: bytes) -> str | None:
    """The key of the photo without metadata; None for what is no picture: it is not kept."""
    failure = reports[0].failure
    if failure is not None and failure.code == NO_PICTURE:
        return None
    photo = reports[0].photo
    if photo is None and key.endswith(UNKNOWN_ENDING):  # its baseline or stage may have been what was wrong
        photo = judge_boards(content)[0].photo
    return only_pixels(pictures, key, photo)


def only_pixels(pictures: Pictures, key: str, photo: Photo | None) -> str | None:
    """The key of a photo without metadata: its pixels alone where its file could not be taken apart.

    None where it has no pixels either: what it tells beside them is not known, so it is not kept.
    """
    if not key.endswith(UNKNOWN_ENDING):
        return key
    if photo is None:
        return None
    return pictures.keep(cv2.imencode(".png", photo.bgr)[1].tobytes(), "photos")


def _write(connection: Connection, job: Job, kept: Mapping[str, Any], rows: Sequence[Json]) -> bool:
    """Put a verdict on the shelf; False if its check was deleted meanwhile, or is to be judged anew."""
    check = job.payload["check"]
    if connection.execute(select(checks.c.job).where(checks.c.id == check)).scalar_one_or_none() != job.id:
        return False
    connection.execute(delete(boards).where(boards.c.check_id == check))
    connection.execute(insert(boards), list(rows))
    write_accidents(connection, list(rows))
    mine = update(checks).where(checks.c.id == check)
    connection.execute(mine.values(**kept, state="judged", judged_at=time.time()))
    return True


def _nothing(_connection: Connection) -> None:
    """Nothing is to be written."""
