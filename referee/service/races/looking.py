"""The job that looks at a board before its race, gadgets drawn.  Only the worker's process comes here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import cv2
import numpy as np
from sqlalchemy import Connection, select, update

from referee.model import Gadget, Json, Photo
from referee.pipeline import BoardBefore, look_before
from referee.race.match import Team
from referee.report.board import flattened, jpeg
from referee.report.gadgets import gadget_outlines
from referee.rules.settings import Rules
from referee.service import language
from referee.service.checks.judging import only_pixels
from referee.service.jobs.kinds import Work
from referee.service.jobs.queue import Write
from referee.service.races.seen import Found, Seen
from referee.service.store.pictures import Pictures
from referee.service.store.tables import race_looks
from referee.stage.catalogue import Catalogue
from referee.words import LANGUAGES, told

FOLDER = "looks"
COMPETITIVE = Rules(mode="competitive")
OTHER_COPY = "other-copy"
PX_PER_MM = 4.0
RIGHT_BGR, WRONG_BGR, RIM_BGR = (90, 220, 255), (60, 60, 255), (20, 20, 20)
NUMBER_ABOVE_MM = 9.0
"""How far above the middle of a gadget its number stands."""


def look_at_board(work: Work, payload: Json) -> Write:
    """Look at a board and draw what is on it; what is to be written waits for the job's end."""
    number = str(payload["look"])
    with work.store.database.reading() as connection:
        row = connection.execute(select(race_looks).where(race_looks.c.id == number)).one_or_none()
    if row is None or row.picture is None:
        return _nothing
    pictures = work.store.pictures
    work.tell(0.1, "judging")
    catalogue = Catalogue([work.settings.stages] if work.settings.stages else [])
    boards = look_before(pictures.read(row.picture), catalogue=catalogue, rules=COMPETITIVE)
    board = board_meant(boards, row.stage, row.team)
    drawn = None if board.view is None else pictures.keep(_drawn(board), FOLDER, ".jpg")
    photo = next((one.photo for one in boards if one.photo is not None), None)
    kept: Json = {"picture": _safe_to_keep(pictures, row.picture, photo), "drawn": drawn}
    kept |= {"seen": asdict(seen_on(board, row.stage, row.team))}

    def write(connection: Connection) -> None:
        mine = update(race_looks).where(race_looks.c.id == number).values(**kept, state="judged")
        if connection.execute(mine).rowcount == 0 and drawn is not None:  # deleted in between
            pictures.delete(drawn)

    return write


def _safe_to_keep(pictures: Pictures, key: str, photo: Photo | None) -> str | None:
    """The key of the photo without metadata; what is no picture is not kept at all."""
    if photo is None:
        pictures.delete(key)
        return None
    return only_pixels(pictures, key, photo)


def _given_up(payload: Json, _fault: str) -> Write:
    mine = update(race_looks).where(race_looks.c.id == payload["look"]).values(state="failed")

    def write(connection: Connection) -> None:
        connection.execute(mine)

    return write


look_at_board.given_up = _given_up  # type: ignore[attr-defined]


def _nothing(_connection: Connection) -> None:
    """Nothing is to be written."""


def board_meant(boards: Sequence[BoardBefore], stage: int, team: Team) -> BoardBefore:
    """Of the boards in a picture the team's; else one of its stage, else one that was seen, else any."""

    def strangeness(board: BoardBefore) -> tuple[bool, bool, bool]:
        return board.stage is None or board.stage.number != stage, board.copy not in (team, None), bool(board.failure)

    return min(boards, key=strangeness)


def seen_on(board: BoardBefore, wanted: int, team: Team) -> Seen:
    """What was seen on a board, as it is kept; ``wanted`` is the stage that should lie there."""
    stage, failure = None if board.stage is None else board.stage.number, board.failure
    if failure is not None:
        words: Json = {
            one: {"message": told(failure.message, one), "hint": told(failure.hint, one)} for one in LANGUAGES
        }
        return Seen(stage, board.copy, failure.code, words)
    if stage == wanted and board.copy not in (team, None):
        return Seen(stage, board.copy, OTHER_COPY, {one: _other_copy(one, team) for one in LANGUAGES})
    found = tuple(_found(gadget) for gadget in board.gadgets)
    return Seen(stage, board.copy, raced=board.raced, hidden=bool(board.unseen), found=found)


def _other_copy(tongue: str, team: Team) -> Json:
    return {
        "message": language.say("races.other_copy", tongue),
        "hint": language.say("races.take_copy", tongue, team=team),
    }


def _found(gadget: Gadget) -> Found:
    fault: dict[str, str] = {} if gadget.fault is None else {one: told(gadget.fault.text, one) for one in LANGUAGES}
    return Found(gadget.id, gadget.kind, (float(gadget.at_mm[0]), float(gadget.at_mm[1])), fault)


def _drawn(board: BoardBefore) -> bytes:
    """The flattened board, everything on it outlined and numbered; what is wrong has a ! beside its number."""
    assert board.photo is not None, "a board that was seen has its photo"
    assert board.view is not None, "and its view"
    flat = flattened(board.photo, board.view, PX_PER_MM)
    for number, gadget in enumerate(board.gadgets, 1):
        wrong = gadget.fault is not None or gadget.kind == "other"
        colour = WRONG_BGR if wrong else RIGHT_BGR
        for line in gadget_outlines([gadget], gadget.id):
            points = np.round(line * PX_PER_MM).astype(np.int32)
            cv2.polylines(flat, [points], False, RIM_BGR, 6, cv2.LINE_AA)
            cv2.polylines(flat, [points], False, colour, 3, cv2.LINE_AA)
        _label(flat, f"{number}!" if wrong else str(number), gadget.at_mm, colour)
    return jpeg(flat)


def _label(flat: Any, words: str, at_mm: tuple[float, float], colour: tuple[int, int, int]) -> None:
    (w, h), _ = cv2.getTextSize(words, cv2.FONT_HERSHEY_SIMPLEX, 1.1, 3)
    x = int(np.clip(at_mm[0] * PX_PER_MM - w / 2, 10, flat.shape[1] - w - 10))
    y = int(np.clip((at_mm[1] - NUMBER_ABOVE_MM) * PX_PER_MM, h + 12, flat.shape[0] - 12))
    cv2.rectangle(flat, (x - 8, y - h - 10), (x + w + 8, y + 10), RIM_BGR, cv2.FILLED)
    cv2.putText(flat, words, (x, y), cv2.FONT_HERSHEY_SIMPLEX, 1.1, colour, 3, cv2.LINE_AA)
