"""What people read of Turbo, in English and in French: ``en.toml`` and ``fr.toml``, as in `referee.words`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee import words
from referee.words import Language, Phrase

HOME = __name__


def say(key: str, /, **parts: Any) -> Phrase:
    """The sentence of a key of this game; KeyError if there is none.

    >>> say("vehicle.car", n=2)
    'car 2'
    """
    return words.say_in(HOME, key, **parts)


def table(language: Language) -> Mapping[str, str]:
    """Every sentence of this game in a language, by its key."""
    return words.table(language, HOME)
