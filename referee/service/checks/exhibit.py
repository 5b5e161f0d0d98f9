"""The evidence of a photo, drawn once by the worker and kept beside it.

It is the page of `referee judge --out`, in each language, with its pictures taken out and kept under names of their
own: the server puts addresses in their place for the verdict page, or the pictures themselves for the page that
somebody takes home.  In each card of an open question a mark is left where the verdict page asks for a decision.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence

import cv2

from referee.model import Json, Photo, Report
from referee.report.board import jpeg
from referee.report.document import document
from referee.report.page import closeups, page, sheet
from referee.report.text import heading
from referee.report.words import verdict_line
from referee.service.checks.deciding import asks
from referee.service.checks.drawn import PICTURES, page_key, slot
from referee.service.store.pictures import Pictures
from referee.words import LANGUAGES, Language, told

THUMB_WH = (240, 180)
THUMB_QUALITY = 80
INLINE_PICTURE = re.compile(r"data:image/jpeg;base64,([A-Za-z0-9+/=]+)")
QUESTION = re.compile(
    r'(<figure id="board-(\d+)-question-(\d+)">(?:(?!</figure>).)*)(</figcaption></figure>)', re.DOTALL
)


def draw(reports: Sequence[Report], pictures: Pictures, folder: str) -> None:
    """Draw the evidence of all boards of a photo into a folder of the picture store."""
    taken: dict[str, str] = {}
    for language in LANGUAGES:
        cut = [closeups(report, language) for report in reports]
        sheets = [sheet(report, cut[n], f"board-{n + 1}", language) for n, report in enumerate(reports)]
        whole = INLINE_PICTURE.sub(lambda found: _named(found[1], taken), page(sheets, language=language))
        pictures.write(page_key(folder, language), QUESTION.sub(_with_slot, whole).encode(errors="replace"))
    for content, name in taken.items():
        pictures.write(f"{folder}/{name}", base64.b64decode(content))
    photo = next((report.photo for report in reports if report.photo is not None), None)
    if photo is not None:
        pictures.write(f"{folder}/thumb.jpg", _thumb(photo))


def _named(content: str, taken: dict[str, str]) -> str:
    """The place of a picture in the page, and its name; the same picture is kept once."""
    name = taken.setdefault(content, f"picture-{len(taken) + 1}.jpg")
    return PICTURES + name


def _with_slot(found: re.Match[str]) -> str:
    return found[1] + slot(int(found[2]), int(found[3])) + found[4]


def _thumb(photo: Photo) -> bytes:
    h, w = photo.bgr.shape[:2]
    scale = min(1.0, max(THUMB_WH[0] / w, THUMB_WH[1] / h))
    size = (max(1, round(w * scale)), max(1, round(h * scale)))
    return jpeg(cv2.resize(photo.bgr, size, interpolation=cv2.INTER_AREA), THUMB_QUALITY)


def words(report: Report, language: Language) -> Json:
    """A board's words for lists and tables: its verdict line, which board it is, and what kept it from being judged."""
    failure = report.failure
    return {
        "line": told(verdict_line(report.judgement), language) if report.judgement is not None else "",
        "heading": told(heading(report), language),
        "message": told(failure.message, language) if failure else "",
        "hint": told(failure.hint, language) if failure else "",
        "asks": asks(document(report, language=language)),
    }
