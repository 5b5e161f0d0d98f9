"""A text file that somebody named: settings, or a log."""

from __future__ import annotations

from pathlib import Path

from referee.errors import WrongUsage
from referee.files import MOST_TEXT, bytes_of
from referee.tabletop.faults import Say


def text_of(path: Path, say: Say) -> str:
    """What a file says; raises `WrongUsage`, in a game's words, if it cannot be read, or is no text."""
    try:
        return bytes_of(path, MOST_TEXT).decode("utf-8")
    except OSError as error:
        raise WrongUsage(say("file.unread", name=str(path), why=error.strerror or "?"), say("file.name-one")) from None
    except UnicodeDecodeError:
        raise WrongUsage(say("file.no-text", name=str(path)), say("file.name-one")) from None
