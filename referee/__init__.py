"""The camera referee for dry-erase races: `judge` a photo of a raced board.

>>> import referee
>>> report = referee.judge(b"no picture")
>>> report.failure.code
'not-a-picture'

`judge` gives one `Report`, `judge_boards` one for each board in the picture; `Rules` are the settings, `load_stage`
reads a stage file, `Catalogue` knows the built-in stages and those of your folders; `RefereeError` is the family of
what a person can mend.

Where the referee asks, or where people know better, a `Decision` answers one of its questions, and the same picture
judged with it gives the verdict that follows (`decision_from_json` makes one of a report's question or call with the
answer put in).  Judging without it takes it back:

    report = referee.judge("race.jpg")
    asked = report.judgement.reasons[0].question
    said = referee.Decision(asked.rule, asked.kind, asked.at_mm, "no", asked.element, reason="We saw it.", who="Ann")
    report = referee.judge("race.jpg", decisions=[said])
    report.judgement.verdict, report.judgement.decided[0].referee, report.judgement.alone
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.errors import RefereeError
    from referee.model import Decision, Report, Stage
    from referee.pipeline import judge, judge_boards
    from referee.rules.decisions import decision_from_json
    from referee.rules.settings import Rules
    from referee.stage.catalogue import Catalogue
    from referee.stage.load import load_stage

__all__ = [
    "Catalogue",
    "Decision",
    "RefereeError",
    "Report",
    "Rules",
    "Stage",
    "decision_from_json",
    "judge",
    "judge_boards",
    "load_stage",
]
__version__ = "0.1.0"

_HOMES = {
    "Catalogue": "referee.stage.catalogue",
    "Decision": "referee.model",
    "RefereeError": "referee.errors",
    "Report": "referee.model",
    "Rules": "referee.rules.settings",
    "Stage": "referee.model",
    "decision_from_json": "referee.rules.decisions",
    "judge": "referee.pipeline",
    "judge_boards": "referee.pipeline",
    "load_stage": "referee.stage.load",
}
"""Where each name lives: it is fetched when first asked for, since the libraries behind it take a second to load."""

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name not in _HOMES:
            raise AttributeError(f"module 'referee' has no attribute {name!r}")
        return getattr(import_module(_HOMES[name]), name)
