"""How what the worker draws and what the server shows fit together: names, and the marks in the page between them."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable

from referee.service.store.pictures import Pictures

PICTURES = "drawn/"
"""What stands before a picture's name in the kept page."""
PICTURE = re.compile(r'(?<=")drawn/((?:picture-\d+|thumb)\.jpg)(?=")')
NAME = re.compile(r"(?:picture-\d+|thumb)\.jpg")
SLOT = re.compile(r"<!--decide (\d+) (\d+)-->")
BODY = re.compile(r"<main>\n(.*)</main>", re.DOTALL)
INLINE_STYLE = re.compile(r' style="[^"]*"')


def page_key(folder: str, language: str) -> str:
    """Where the page of a language is kept."""
    return f"{folder}/page-{language}.html"


def slot(board: int, question: int) -> str:
    """The mark in the card of an open question, both counted from 1."""
    return f"<!--decide {board} {question}-->"


def on_the_page(kept: str, address: Callable[[str], str], form: Callable[[int, int], str]) -> str:
    """The sheets of a kept page for the verdict page: pictures by their address, a form in each slot.

    Styles in the markup are left out: the page's policy forbids them, its stylesheet has them.
    """
    body = BODY.search(kept)
    sheets = INLINE_STYLE.sub("", body[1] if body else "")
    with_pictures = PICTURE.sub(lambda found: address(found[1]), sheets)
    return SLOT.sub(lambda found: form(int(found[1]), int(found[2])), with_pictures)


def to_take_home(kept: str, pictures: Pictures, folder: str) -> str:
    """A kept page as one file that asks nothing of anybody: the page of ``--out``."""

    def inline(found: re.Match[str]) -> str:
        return "data:image/jpeg;base64," + base64.b64encode(pictures.read(f"{folder}/{found[1]}")).decode("ascii")

    return PICTURE.sub(inline, SLOT.sub("", kept))
