"""The stages that the page knows, by number and name; read once."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from referee.service.settings import Settings


def names(settings: Settings) -> Mapping[int, str]:
    """The name of each stage at hand, by its number."""
    return _names(settings.stages)


@cache
def _names(folder: Path | None) -> Mapping[int, str]:
    from referee.errors import BadStageFile
    from referee.stage.catalogue import Catalogue

    catalogue = Catalogue([folder] if folder else [])
    found = {}
    for number in catalogue.numbers():
        try:
            found[number] = catalogue.find(number).name
        except BadStageFile:  # it hinders nothing but its own stage
            continue
    return found
