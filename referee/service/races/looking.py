"""The job that looks at a board before its race, gadgets drawn.  Only the worker's process comes here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict

import cv2
import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, select, update

from referee.model import Floats, Gadget, Json
from referee.pipeline import BoardBefore, look_before
from referee.race.match import Team
from referee.report.board import flattened, jpeg
from referee.report.gadgets import gadget_outlines
from referee.rules.settings import Rules
from referee.service import language, stages
from referee.service.checks.judging import only_pixels
from referee.service.jobs.kinds import Work
from referee.service.jobs.queue import After, Write
from referee.service.races.seen import Found, Seen
from referee.service.store.pictures import Pictures
from referee.service.store.tables import race_looks
from referee.words import LANGUAGES, told

FOLDER = "looks"
COMPETITIVE = Rules(mode="competitive")
OTHER_COPY = "other-copy"
PX_PER_MM = 4.0
RIGHT_BGR, WRONG_BGR, RIM_BGR = (90, 220, 255), (60, 60, 255), (20, 20, 20)
CLOSE_PX_PER_MM = 10.0
CLOSE_MM, AROUND_MM = 24.0, 8.0
"""A close-up shows at least so much of the board, and so much around what is wrong."""
MOST_CLOSE = 4
GAP_PX = 22
"""How far above a gadget its number stands."""


def look_at_board(work: Work, payload: Json) -> Write:
    """Look at a board and draw what is on it; what is to be written waits for the job's end."""
    number = str(payload["look"])
    with work.store.database.reading() as connection:
        row = connection.execute(select(race_looks).where(race_looks.c.id == number)).one_or_none()
    if row is None or row.picture is None:
        return _nothing
    pictures = work.store.pictures
    work.tell(0.1, "judging")
    catalogue = stages.catalogue(work.settings)
    boards = look_before(pictures.read(row.picture), catalogue=catalogue, rules=COMPETITIVE)
    board = board_meant(boards, row.stage, row.team)
    drawn = None if board.view is None else pictures.keep(_drawn(board), FOLDER, ".jpg")
    photo = next((one.photo for one in boards if one.photo is not None), None)
    clean = None if photo is None else only_pixels(pictures, row.picture, photo)  # what is no picture is not kept
    kept = {"picture": clean, "drawn": drawn, "seen": asdict(seen_on(board, row.stage, row.team))}

    def write(connection: Connection) -> After:
        mine = update(race_looks).where(race_looks.c.id == number).values(**kept, state="judged")
        is_there = connection.execute(mine).rowcount > 0
        before, after = {row.picture}, {clean, drawn}
        return lambda: _forget(pictures, before - after if is_there else after - before)

    return write


def _forget(pictures: Pictures, keys: Iterable[str | None]) -> None:
    """Clear away what another picture has replaced, or what was made of a race that was deleted meanwhile."""
    for key in keys:
        if key is not None:
            pictures.delete(key)


def _given_up(work: Work, _fault: str) -> Write:
    """What is said of a picture that nothing could look at; it is kept only if it tells no more than its pixels."""

    def write(connection: Connection) -> After | None:
        mine = race_looks.c.id == work.job.payload["look"]
        key = connection.execute(select(race_looks.c.picture).where(mine)).scalar_one_or_none()
        kept = only_pixels(work.store.pictures, key, None) if key else None
        connection.execute(update(race_looks).where(mine).values(state="failed", picture=kept))
        return None if key is None else lambda: _forget(work.store.pictures, {key} - {kept})

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
    """The flattened board, everything on it outlined and numbered; what is wrong has a ! beside its number.

    Below it stands a close-up of each thing that is wrong.
    """
    assert board.photo is not None, "a board that was seen has its photo"
    assert board.view is not None, "and its view"
    whole = _outlined(flattened(board.photo, board.view, PX_PER_MM), board.gadgets, PX_PER_MM)
    wrong = [gadget for gadget in board.gadgets if _is_wrong(gadget)][:MOST_CLOSE]
    if not wrong:
        return jpeg(whole)
    near = _outlined(flattened(board.photo, board.view, CLOSE_PX_PER_MM), board.gadgets, CLOSE_PX_PER_MM)
    side_px = whole.shape[1] // 2
    close = [_close(near, gadget, side_px) for gadget in wrong]
    if len(close) % 2:
        close.append(np.full_like(close[0], 255))
    rows = [cv2.hconcat(close[n : n + 2]) for n in range(0, len(close), 2)]
    return jpeg(cv2.vconcat([whole[:, : 2 * side_px], *rows]))


def _is_wrong(gadget: Gadget) -> bool:
    return gadget.fault is not None or gadget.kind == "other"


def _outlined(flat: NDArray[np.uint8], gadgets: Sequence[Gadget], px_per_mm: float) -> NDArray[np.uint8]:
    """A flat board with everything on it outlined and numbered."""
    for number, gadget in enumerate(gadgets, 1):
        wrong = _is_wrong(gadget)
        colour, lines = WRONG_BGR if wrong else RIGHT_BGR, gadget_outlines([gadget], gadget.id)
        for line in lines:
            points = np.round(line * px_per_mm).astype(np.int32)
            cv2.polylines(flat, [points], False, RIM_BGR, 5, cv2.LINE_AA)
            cv2.polylines(flat, [points], False, colour, 2, cv2.LINE_AA)
        _label(flat, f"{number}!" if wrong else str(number), np.vstack(lines) * px_per_mm, colour)
    return flat


def _close(near: NDArray[np.uint8], gadget: Gadget, side_px: int) -> NDArray[np.uint8]:
    """A square of a flat board around a gadget."""
    places = np.vstack(gadget_outlines([gadget], gadget.id)) * CLOSE_PX_PER_MM
    (left, top), (right, bottom) = places.min(axis=0), places.max(axis=0)
    reach = round(max(right - left, bottom - top, CLOSE_MM * CLOSE_PX_PER_MM) / 2 + AROUND_MM * CLOSE_PX_PER_MM)
    padded = cv2.copyMakeBorder(near, reach, reach, reach, reach, cv2.BORDER_CONSTANT, value=(255, 255, 255))
    x, y = round((left + right) / 2), round((top + bottom) / 2)
    square = padded[max(y, 0) : y + 2 * reach, max(x, 0) : x + 2 * reach]
    shown = cv2.resize(square, (side_px, side_px), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.rectangle(shown, (0, 0), (side_px - 1, side_px - 1), (255, 255, 255), 6), np.uint8)


def _label(flat: NDArray[np.uint8], words: str, places_px: Floats, colour: tuple[int, int, int]) -> None:
    """Put a number above everything that it names; below it where there is no room."""
    (w, h), _ = cv2.getTextSize(words, cv2.FONT_HERSHEY_SIMPLEX, 1.1, 3)
    (left, top), (right, bottom) = places_px.min(axis=0), places_px.max(axis=0)
    x = int(np.clip((left + right - w) / 2, 10, flat.shape[1] - w - 10))
    y = int(top - GAP_PX if top - GAP_PX > h + 12 else bottom + GAP_PX + h)
    cv2.rectangle(flat, (x - 8, y - h - 10), (x + w + 8, y + 10), RIM_BGR, cv2.FILLED)
    cv2.putText(flat, words, (x, y), cv2.FONT_HERSHEY_SIMPLEX, 1.1, colour, 3, cv2.LINE_AA)
