"""A stage that is only a picture yet: a file with a reference, whose elements are still to be traced."""

from __future__ import annotations

from pathlib import Path

from referee.errors import WrongUsage
from referee.stage.reference import opened
from referee.stage.tracing import Tracing
from referee.stage.write import written

FIRST_NUMBER = 101
"""Stages of one's own are numbered from here, clear of the built-in ones and of a box's."""


def draft_svg(picture: bytes, size_mm: tuple[float, float], number: int, name: str) -> bytes:
    """The stage file of a flat ``picture`` (a JPEG or PNG file's content) of a clean board, without any element yet."""
    with opened(picture):
        pass
    if number < 1:
        raise WrongUsage(f"A stage has no number {number}.", "Number it from 1 on.")
    return written(Tracing(size_mm, number, name), picture)


def free_number(folder: Path) -> int:
    """The first number from `FIRST_NUMBER` on that no stage file of a folder has."""
    from referee.stage.catalogue import Catalogue

    taken = set(Catalogue([folder], builtin=False).numbers()) if folder.is_dir() else set()
    return next(number for number in range(FIRST_NUMBER, FIRST_NUMBER + len(taken) + 1) if number not in taken)
