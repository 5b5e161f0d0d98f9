"""What a board's page shows, drawn once by the worker: words in each language, pictures in the picture store."""

from __future__ import annotations

from referee.model import Json, Report
from referee.report.text import heading
from referee.report.words import verdict_line
from referee.service.settings import LANGUAGES
from referee.service.store.pictures import Pictures


def exhibit(report: Report, number: int, pictures: Pictures, folder: str) -> Json:
    """A board's evidence: the text of its page, and the keys of its pictures."""
    return {"words": {language: _words(report) for language in LANGUAGES}}


def _words(report: Report) -> Json:
    if report.judgement is not None:
        return {"line": verdict_line(report.judgement), "heading": heading(report)}
    return {"line": "", "heading": heading(report)}
