"""The stage files of the user's own folder; their names are made here, never taken from anybody."""

from __future__ import annotations

import secrets
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from referee.errors import BadStageFile
from referee.model import Stage
from referee.service.faults import Refused
from referee.service.settings import Settings
from referee.stage.draft import free_number


@dataclass(frozen=True)
class OwnBoard:
    """A stage file of the own folder: ``name`` is None where it does not load, which ``fault`` then says."""

    number: int
    path: Path
    name: str
    fault: BadStageFile | None = None


def boards(settings: Settings) -> list[OwnBoard]:
    """The boards of the own folder, by number."""
    from referee.stage.catalogue import Catalogue

    if not settings.own_folder.is_dir():
        return []
    catalogue = Catalogue([settings.own_folder], builtin=False)
    names, files = catalogue.names(), catalogue.files()
    return [OwnBoard(number, path, names.get(number, path.stem)) for number, path in files.items()]


def path_of(settings: Settings, number: int) -> Path | None:
    """The file of a board of the own folder; None if there is none."""
    return next((board.path for board in boards(settings) if board.number == number), None)


def next_number(settings: Settings) -> int:
    """A number that no board has."""
    return free_number(settings.own_folder)


def keep(settings: Settings, svg: bytes, may_replace: int | None = None) -> Stage:
    """Put a stage file into the own folder, checked as every stage file is; raises BadStageFile.

    Refused where another board there has its number, but for the one that it ``may_replace``; the file of that one
    goes where the number has changed.
    """
    from referee.stage.load import parse_stage

    stage = parse_stage(svg, "your board")
    there = {board.number: board.path for board in boards(settings)}
    if stage.number in there and stage.number != may_replace:
        raise Refused(409, "number-taken", number=stage.number)
    settings.own_folder.mkdir(parents=True, exist_ok=True)
    path = there.get(stage.number, settings.own_folder / f"stage-{stage.number}.svg")
    _write(path, svg)
    if may_replace is not None and may_replace != stage.number and may_replace in there:
        there[may_replace].unlink(missing_ok=True)
    return stage


def delete(settings: Settings, number: int) -> None:
    """Delete a board of the own folder."""
    path = path_of(settings, number)
    if path is not None:
        path.unlink(missing_ok=True)


def is_from_the_game(number: int) -> bool:
    """Whether a built-in stage has this number: the own board then stands before it."""
    return 1 <= number <= 16


def _write(path: Path, content: bytes) -> None:
    """Write a file whole or not at all; the catalogue never sees half of it."""
    part = path.with_name(f"{path.name}.{secrets.token_hex(4)}.part")
    try:
        part.write_bytes(content)
        part.replace(path)
    except BaseException:
        with suppress(FileNotFoundError):
            part.unlink()
        raise
