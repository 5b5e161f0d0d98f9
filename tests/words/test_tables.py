"""Both languages say the same: the same keys, the same fields, in sentences that can be filled in."""

from __future__ import annotations

import pickle
import re
import string
from pathlib import Path

import pytest

from referee.words import LANGUAGES, Language, Phrase, Place, joined, language_of, place_name, say, table, told

HOUSE = Path(__file__).parents[2] / "referee"
SAME = {"donut", "donuts", "accident", "gadget", "verdict", "mm", "x", "px", "a"}
"""Words that are the same in both languages."""


def fields_of(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


def test_both_languages_have_the_same_keys() -> None:
    assert list(table("en")) == list(table("fr"))


@pytest.mark.parametrize("key", table("en"))
def test_a_sentence_has_the_same_fields_in_both_languages(key: str) -> None:
    assert fields_of(table("en")[key]) == fields_of(table("fr")[key])


@pytest.mark.parametrize("key", table("en"))
def test_no_english_sentence_was_left_in_the_french_table(key: str) -> None:
    words = set(re.findall(r"[a-z]{2,}", re.sub(r"\{[^}]*\}", "", table("en")[key]).lower()))
    assert table("en")[key] != table("fr")[key] or words <= SAME | {"lift"} or len(words) == 0


@pytest.mark.parametrize("key", table("fr"))
def test_no_french_line_ends_before_its_punctuation(key: str) -> None:
    assert not re.search(r"(?<![\u00a0{a-z_])[:;!?»](?![a-z0-9|.}])", table("fr")[key].replace("{", "{{"))
    assert not re.search(r" [:;!?»]|« ", table("fr")[key])


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_drawn_on_a_close_up_has_no_letter_that_its_font_lacks(language: Language) -> None:
    drawn = [row for key, row in table(language).items() if key.startswith("side.") and "side}" not in row]
    assert len(drawn) == 5
    assert all(row.isascii() for row in drawn)


def test_every_key_in_the_source_is_in_the_tables() -> None:
    sources = [path.read_text(encoding="utf-8") for path in HOUSE.rglob("*.py")]
    ours = "\n".join(source for source in sources if re.search(r"from referee\.words import .*\bsay\b", source))
    said = set(re.findall(r'(?<!\.)\bsay\(\s*"([a-z.-]+)"', ours))
    assert len(said) > 60
    assert said <= set(table("en"))


# ----------------------------------------------------------------------------------------- saying and telling


def test_a_sentence_is_english_and_knows_its_french() -> None:
    said = say("reason.close", question=say("ask.line", element=Place("white-line-4")))
    assert said == "Too close to call: did the ink go over white line 4? Please look and decide."
    assert told(said, "en") == said
    assert type(told(said, "en")) is str
    assert told(said, "fr") == (
        "Trop juste pour trancher\u00a0: est-ce que l'encre est passée par-dessus la ligne blanche 4\u00a0? "
        "Regardez et décidez."
    )


def test_what_nobody_said_by_a_key_stays_as_it_is() -> None:
    assert told("Ann's own words: {x}", "fr") == "Ann's own words: {x}"
    assert told(joined("Oui.", say("answer.no")), "fr") == "Oui. Non"


def test_braces_in_a_part_are_only_text() -> None:
    said = say("decision.reason", reason="{0.__class__} {who}")
    assert "{0.__class__} {who}" in said
    assert "{0.__class__} {who}" in told(said, "fr")


def test_a_sentence_survives_being_kept() -> None:
    said = pickle.loads(pickle.dumps(say("went-wrong.jump", element=Place("jump-1"))))
    assert isinstance(said, Phrase)
    assert told(said, "fr") == "Le saut à la zone de saut 1 est raté"


def test_a_number_is_written_as_its_language_writes_it() -> None:
    assert told(say("length.coarse", mm=1.25), "fr") == "1,2 mm"
    assert [told(say("accidents.some", n=n), "fr") for n in (0, 1, 2)] == ["0 accident", "1 accident", "2 accidents"]
    assert [say("accidents.some", n=n) for n in (0, 1, 2)] == ["0 accidents", "1 accident", "2 accidents"]


@pytest.mark.parametrize(
    ("element", "words"),
    [
        ("checkpoint-2", ("le point de contrôle 2", "du point de contrôle 2", "au point de contrôle 2")),
        ("white-line-4", ("la ligne blanche 4", "de la ligne blanche 4", "à la ligne blanche 4")),
        ("pipe-1", ("le tuyau 1", "du tuyau 1", "au tuyau 1")),
        ("start", ("la flèche de départ", "de la flèche de départ", "à la flèche de départ")),
        (None, ("la ligne", "de la ligne", "à la ligne")),
        ("dead man's curve", ("«\u00a0dead man's curve\u00a0»",) * 1),
    ],
)
def test_a_french_place_draws_its_article_and_preposition_together(element: str | None, words: tuple[str, ...]) -> None:
    assert place_name(element, "fr") == words[0]
    if len(words) > 1:
        back = told(say("reason.ignored", wrong="X", back=Place(element)), "fr")
        assert back == f"X, et la course n'est pas repartie {words[1]}."
        jump = told(say("went-wrong.jump", element=Place(element)), "fr")
        assert jump == f"Le saut {words[2]} est raté"


def test_a_name_of_somebodys_own_cannot_steer_the_screen() -> None:
    assert place_name("a\x1b[31m\n", "en") == "a?[31m?"
    assert place_name("jump-1\n", "fr") == "«\u00a0jump-1?\u00a0»"


def test_a_language_that_nobody_speaks_is_refused() -> None:
    assert [language_of(name) for name in LANGUAGES] == ["en", "fr"]
    with pytest.raises(ValueError, match="en and fr"):
        language_of("de")
