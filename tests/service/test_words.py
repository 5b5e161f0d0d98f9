"""The words of the page: the same in both languages, and all there are."""

import re
import string
from pathlib import Path

import pytest

from referee.service import language
from referee.words import LANGUAGES

SERVICE = Path(language.__file__).parent
CALLED = re.compile(r"""\b(?:t|say)\(\s*["']([\w.-]+)["']\s*[,)]""")


def fields(words: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(words) if name is not None}


def test_every_language_has_the_same_words_with_the_same_fields() -> None:
    english, french = (language.catalogue(code) for code in LANGUAGES)
    assert english.keys() == french.keys()
    assert {key: fields(words) for key, words in english.items()} == {key: fields(french[key]) for key in french}


def test_no_word_is_empty() -> None:
    assert not [key for code in LANGUAGES for key, words in language.catalogue(code).items() if not words.strip()]


@pytest.mark.parametrize("path", sorted([*SERVICE.rglob("*.html"), *SERVICE.rglob("*.py")]), ids=lambda path: path.name)
def test_every_word_that_is_asked_for_is_there(path: Path) -> None:
    text = re.sub(r'^""".*?"""', "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    asked = set(CALLED.findall(text))
    assert not {key for key in asked if not key.endswith(".") and key not in language.catalogue("en")}


def test_a_key_that_nobody_wrote_is_an_error() -> None:
    with pytest.raises(KeyError):
        language.say("no.such.word", "en")
