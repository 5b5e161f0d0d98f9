"""The camera referee for dry-erase races: `judge` a photo of a raced board.

>>> import referee
>>> report = referee.judge(b"no picture")
>>> report.failure.code
'not-a-picture'

`judge` gives one `Report`, `judge_boards` one for each board in the picture; `Rules` are the settings, `load_stage`
reads a stage file, `Catalogue` knows the built-in stages and those of your folders; `RefereeError` is the family of
what a person can mend.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.errors import RefereeError
    from referee.model import Report, Stage
    from referee.pipeline import judge, judge_boards
    from referee.rules.settings import Rules
    from referee.stage.catalogue import Catalogue
    from referee.stage.load import load_stage

__all__ = ["Catalogue", "RefereeError", "Report", "Rules", "Stage", "judge", "judge_boards", "load_stage"]
__version__ = "0.1.0"

_HOMES = {
    "Catalogue": "referee.stage.catalogue",
    "RefereeError": "referee.errors",
    "Report": "referee.model",
    "Rules": "referee.rules.settings",
    "Stage": "referee.model",
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
