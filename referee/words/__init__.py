"""What people read, in English and in French: one table a language, with the same keys and the same fields in both.

`say` a sentence by its key, with the parts that go into it: what comes back is its English text, and it knows how to be
`told` in another language, parts and all.  So nobody needs to know the language before the words are written down.

>>> closest = say("miss", element=Place("white-line-2"), side=say("side.spare", mm=0.61), sigma=0.18)
>>> closest
'white line 2: 0.61 mm to spare (± 0.18 mm)'
>>> told(closest, "fr")
'ligne blanche 2\\xa0: 0,61 mm de marge (± 0,18 mm)'

The fields of a sentence: a number takes Python's format, or ``one|many`` for the word that goes with it; a place takes
``bare`` (no article), ``de`` or ``à``; a sentence or a place takes ``low`` or ``up`` for its first letter.
"""

from __future__ import annotations

import re
import string
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal, get_args

from referee.model import one_line

Language = Literal["en", "fr"]
LANGUAGES: tuple[Language, ...] = get_args(Language)
HOME = "referee.words"
"""The package that the tables of this house lie in."""
JOINED = "joined"
"""The key of sentences put one after the other."""


@dataclass(frozen=True)
class Place:
    """An element of a stage as a part of a sentence; a name that somebody gave a line of his own stays as it is."""

    element: str | None


class Phrase(str):
    """An English text that can be told in another language: its ``key`` in the tables of ``home`` and its ``parts``.

    Made by `say` and `say_in` alone.
    """

    __slots__ = ("home", "key", "parts")
    key: str
    parts: Mapping[str, Any]
    home: str

    def __new__(cls, english: str, key: str, parts: Mapping[str, Any], home: str = HOME) -> Phrase:
        """The English text with what it is made of."""
        phrase = super().__new__(cls, english)
        phrase.key, phrase.parts, phrase.home = key, parts, home
        return phrase

    def __reduce__(self) -> tuple[type[Phrase], tuple[str, str, Mapping[str, Any], str]]:
        return Phrase, (str(self), self.key, self.parts, self.home)


def say(key: str, /, **parts: Any) -> Phrase:
    """The sentence of a key; KeyError if there is none, or a part is missing."""
    return say_in(HOME, key, **parts)


def say_in(home: str, key: str, /, **parts: Any) -> Phrase:
    """The sentence of a key in the tables of another package: a game beside this one has words of its own."""
    return Phrase(_filled(key, parts, "en", home), key, parts, home)


def told(text: str, language: Language) -> str:
    """A text in a language; one that was not said by a key stays as it is."""
    if language == "en" or not isinstance(text, Phrase):
        return str(text)
    return _filled(text.key, text.parts, language, text.home)


def joined(*texts: str, sep: str = " ") -> Phrase:
    """Several texts one after the other, those left out that are empty."""
    parts = {str(number): text for number, text in enumerate(filter(None, texts))}
    return Phrase(sep.join(parts.values()), JOINED, {**parts, "sep": sep})


def place_name(element: str | None, language: Language = "en") -> str:
    """An element in a sentence.

    >>> place_name("checkpoint-2"), place_name("jump-1"), place_name("white-line-4"), place_name("start")
    ('checkpoint 2', 'jump zone 1', 'white line 4', 'the start arrow')
    >>> place_name("dead man's curve"), place_name(None), place_name("checkpoint-2", "fr")
    ("dead man's curve", 'the line', 'le point de contrôle 2')
    """
    return _place(Place(element), "", language)


# ----------------------------------------------------------------------------------------- the tables


@cache
def table(language: Language, home: str = HOME) -> Mapping[str, str]:
    """Every sentence of a language by its key, ``table.name`` in its file; ``home`` is the package it lies in."""
    text = files(home).joinpath(f"{language}.toml").read_text(encoding="utf-8")
    told_in = tomllib.loads(text)
    rows = {
        f"{part}.{name}": row
        for part, names in told_in.items()
        if isinstance(names, dict)
        for name, row in names.items()
    }
    rows |= {name: row for name, row in told_in.items() if isinstance(row, str)}
    return {key: spaced(row) for key, row in rows.items()} if language == "fr" else rows


def names(part: str) -> tuple[str, ...]:
    """What a part of the tables has words for."""
    return tuple(key.removeprefix(f"{part}.") for key in table("en") if key.startswith(f"{part}."))


def spaced(french: str) -> str:
    """A French sentence with the spaces that no line may end at, which nobody can see to write them."""
    return re.sub(r" (?=[:;!?»])|(?<=«) ", "\u00a0", french)


# ----------------------------------------------------------------------------------------- filling in


def _filled(key: str, parts: Mapping[str, Any], language: Language, home: str = HOME) -> str:
    if key == JOINED:
        return str(parts["sep"]).join(told(text, language) for name, text in parts.items() if name != "sep")
    return _FORMS[language].vformat(table(language, home)[key], (), parts)


class _Form(string.Formatter):
    """Fills in the fields of a sentence as its language has them."""

    def __init__(self, language: Language) -> None:
        self.language = language

    def format_field(self, value: Any, format_spec: str) -> str:
        match value:
            case Place():
                return _cased(_place(value, format_spec, self.language), format_spec)
            case int() if "|" in format_spec:
                return _of_many(value, format_spec, self.language)
            case int() | float():
                number = format(value, format_spec)
                return number.replace(".", ",") if self.language == "fr" else number
            case _:
                return _cased(told(str_of(value), self.language), format_spec)


def str_of(value: Any) -> str:
    """A part as text; a sentence stays one."""
    return value if isinstance(value, str) else str(value)


def _cased(text: str, spec: str) -> str:
    words = spec.split()
    first = text[:1].upper() if "up" in words else text[:1].lower() if "low" in words else text[:1]
    return first + text[1:]


def _of_many(count: int, words: str, language: Language) -> str:
    """The word that goes with a number: French has one for none as well."""
    one, many = words.split("|")
    return one if count == 1 or (count == 0 and language == "fr") else many


def _place(place: Place, spec: str, language: Language) -> str:
    name = _named(place.element, language)
    return _with_article(name, spec) if language == "fr" else name


def _named(element: str | None, language: Language) -> str:
    kind, _, number = (element or "none").rpartition("-")
    rows = table(language)
    if f"place.{element or 'none'}" in rows and "{" not in rows[f"place.{element or 'none'}"]:
        return rows[f"place.{element or 'none'}"]
    if number.isdecimal() and number.isascii() and f"place.{kind}" in rows:
        return rows[f"place.{kind}"].format(n=number)
    own = one_line(str(element))
    return f"«\u00a0{own}\u00a0»" if language == "fr" else own


_MERGED = {("de", "le "): "du ", ("à", "le "): "au ", ("de", "les "): "des ", ("à", "les "): "aux "}
_ARTICLES = ("la ", "le ", "les ", "l'")


def _with_article(name: str, spec: str) -> str:
    """A French name without its article, or with "de" or "à" before it, drawn together as they are spoken."""
    article = next((a for a in _ARTICLES if name.startswith(a)), "")
    if "bare" in spec.split():
        return name[len(article) :]
    if spec in ("de", "à"):
        return _MERGED.get((spec, article), f"{spec} {article}") + name[len(article) :]
    return name


_FORMS: Mapping[Language, _Form] = {language: _Form(language) for language in LANGUAGES}


def language_of(name: str) -> Language:
    """A language by its name; ValueError for one that the referee does not speak."""
    for language in LANGUAGES:
        if name == language:
            return language
    raise ValueError(f"the referee speaks {' and '.join(LANGUAGES)}, got {name!r}")


__all__ = [
    "LANGUAGES",
    "Language",
    "Phrase",
    "Place",
    "joined",
    "language_of",
    "names",
    "place_name",
    "say",
    "say_in",
    "spaced",
    "table",
    "told",
]
