"""The stages that the page knows, by number and name; read once, and again when a folder changes."""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from referee.errors import Refused
from referee.model import Stage
from referee.service.settings import Settings

if TYPE_CHECKING:
    from referee.stage.catalogue import Catalogue

OF_THE_GAME = range(1, 17)
"""The boards that everybody has who has the game; not each of them has a file."""


def names(settings: Settings) -> Mapping[int, str]:
    """The name of each stage at hand, by its number."""
    folders = settings.stage_folders
    return _names(folders, tuple(folder.stat().st_mtime_ns for folder in folders))


@lru_cache(maxsize=8)
def _names(folders: tuple[Path, ...], _changed_ns: tuple[int, ...]) -> Mapping[int, str]:
    from referee.stage.catalogue import Catalogue

    return Catalogue(folders).names()


def catalogue(settings: Settings) -> Catalogue:
    """All stages at hand: the built-in ones, those of the settings' folder, and those that were traced here."""
    from referee.stage.catalogue import Catalogue

    return Catalogue(settings.stage_folders)


def to_choose(settings: Settings) -> tuple[int, ...]:
    """The stages that somebody may choose to drive: those of the game, and those at hand beside."""
    return tuple(sorted({*OF_THE_GAME, *names(settings)}))


def refuse_unknown(settings: Settings, wanted: Iterable[int]) -> None:
    """Refuse stages that nobody can lay out."""
    there = to_choose(settings)
    for number in wanted:
        if number not in there:
            says = f"There is no stage {number}.", f"There are {', '.join(map(str, there))}."
            raise Refused("unknown-stage", *says, stage=str(number)[:20])


def drawing(settings: Settings, number: int) -> bytes | None:
    """A stage's own file as its picture, an SVG packed by gzip; None if it is not at hand."""
    path = catalogue(settings).files().get(number)
    if path is None:
        return None
    return _packed(path, path.stat().st_mtime_ns)


def stamp(settings: Settings, number: int) -> str | None:
    """A word that changes when a stage's file does; None if it is not at hand."""
    path = catalogue(settings).files().get(number)
    return None if path is None else f"{path.stat().st_mtime_ns:x}"


@lru_cache(maxsize=64)
def _packed(path: Path, _changed_ns: int) -> bytes:
    return gzip.compress(path.read_bytes(), mtime=0)


def found(settings: Settings, number: int) -> Stage | None:
    """A stage; None if it is not at hand, or its file is broken."""
    from referee.errors import BadStageFile, UnknownStage

    try:
        return catalogue(settings).find(number)
    except (BadStageFile, UnknownStage):
        return None
