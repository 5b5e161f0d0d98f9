"""A stage that is only a picture yet: a file with a reference, whose elements are still to be traced."""

from __future__ import annotations

import base64
from pathlib import Path
from xml.sax.saxutils import quoteattr

from referee.errors import WrongUsage
from referee.stage.reference import opened

FIRST_NUMBER = 101
"""Stages of one's own are numbered from here, clear of the built-in ones and of a box's."""
OWN_SET = "own"


def draft_svg(
    picture: bytes,
    size_mm: tuple[float, float],
    number: int,
    name: str,
    *,
    theme: str = "",
    set_name: str = OWN_SET,
) -> bytes:
    """The stage file of a flat ``picture`` (a JPEG or PNG file's content) of a clean board, without any element yet."""
    with opened(picture) as image:
        kind = (image.format or "JPEG").lower()
    if number < 1:
        raise WrongUsage(f"A stage has no number {number}.", "Number it from 1 on.")
    width, height = (f"{side:g}" for side in size_mm)
    root = {
        "xmlns": "http://www.w3.org/2000/svg",
        "width": f"{width}mm",
        "height": f"{height}mm",
        "viewBox": f"0 0 {width} {height}",
        "data-stage-format": "1",
        "data-stage": str(number),
        "data-set": set_name,
        "data-name": name,
        "data-theme": theme,
    }
    image_of = {
        "id": "reference",
        "data-kind": "reference",
        "x": "0",
        "y": "0",
        "width": width,
        "height": height,
        "preserveAspectRatio": "none",
        "href": f"data:image/{kind};base64,{base64.b64encode(picture).decode()}",
    }
    return f"<svg{_written(root)}>\n<image{_written(image_of)}/>\n</svg>\n".encode()


def _written(attributes: dict[str, str]) -> str:
    return "".join(f" {name}={quoteattr(value)}" for name, value in attributes.items() if value)


def free_number(folder: Path) -> int:
    """The first number from `FIRST_NUMBER` on that no stage file of a folder has."""
    from referee.stage.catalogue import Catalogue

    taken = set(Catalogue([folder], builtin=False).numbers()) if folder.is_dir() else set()
    return next(number for number in range(FIRST_NUMBER, FIRST_NUMBER + len(taken) + 1) if number not in taken)
