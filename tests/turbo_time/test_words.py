"""Both languages say the same of this game, and every sentence that the code says is there."""

from __future__ import annotations

import re
import string
from pathlib import Path

import pytest

from referee.turbo_time.cards import POWERS
from referee.turbo_time.faults import BrokenRule
from referee.turbo_time.moves import NAMES
from referee.turbo_time.phases import TABLE
from referee.turbo_time.toys import TOYS
from referee.turbo_time.words import say, table
from referee.words import told

ROOM = Path(__file__).parents[2] / "referee" / "turbo_time"
COMMON = ROOM.parent / "tabletop"
SAME = {"turbo-man", "tubro-man", "dementor", "booster"}
"""Names that are the same in both languages."""


def fields_of(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


def test_both_languages_have_the_same_sentences_with_the_same_fields() -> None:
    assert list(table("en")) == list(table("fr"))
    assert {key: fields_of(row) for key, row in table("en").items()} == {
        key: fields_of(row) for key, row in table("fr").items()
    }


@pytest.mark.parametrize("key", table("en"))
def test_no_english_sentence_was_left_in_the_french_table(key: str) -> None:
    has_words = re.search(r"[a-z]{2}", re.sub(r"\{[^}]*\}", "", table("en")[key]))
    assert table("en")[key] != table("fr")[key] or not has_words or key.split(".")[1] in SAME


def test_every_sentence_of_the_code_is_there_and_no_other() -> None:
    source = "\n".join(path.read_text(encoding="utf-8") for room in (ROOM, COMMON) for path in room.rglob("*.py"))
    said = set(re.findall(r'\bsay\(\s*"([a-z-]+\.[a-z-]+)"', source))
    refused = {word for _, word in re.findall(r'BrokenRule\(\s*("I\d"|rule|row\.rule), "([a-z-]+)"', source)}
    refused |= {f"wants-{name}" for name in ("look", "swap", "flip", "shuffle")} & {
        f"wants-{n}" for n in NAMES.values()
    }
    refused |= {f"phase-{phase}" for phase in TABLE if phase != "over"} | {"nobodys-turn", "not-your-turn"}
    refused_there = {key.split(".")[1] for key in table("en") if key.startswith("refused.")}
    assert refused == refused_there == {key.split(".")[1] for key in table("en") if key.startswith("cure.")}
    odd = set(re.findall(r'BadNotation\(\s*"([a-z-]+)"|yield "([a-z-]+)", \{', source))
    odd_there = {key.split(".")[1] for key in table("en") if key.startswith("notation.")}
    assert {one or other for one, other in odd} == odd_there
    assert odd_there == {key.split(".")[1] for key in table("en") if key.startswith("mend.")}
    assert said <= set(table("en"))


def test_every_toy_and_power_has_its_names() -> None:
    for part, names in {"toy": TOYS, "toys": TOYS, "power": POWERS, "does": (*POWERS, "flip-retelling")}.items():
        assert {key for key in table("en") if key.startswith(f"{part}.")} == {f"{part}.{name}" for name in names}


def test_a_broken_rule_is_told_in_french() -> None:
    broken = BrokenRule("I2", "not-in-hand", card=7, player=2)
    assert broken.message == "I2: card 7 is not in player 2's hand."
    assert told(broken.message, "fr") == "I2\u00a0: la carte 7 n'est pas dans la main du joueur 2."
    assert told(broken.hint, "fr") == "Choisissez une carte de cette main."


def test_one_and_several_toys_are_named_as_they_are_spoken() -> None:
    assert [say("toys.demon", n=n) for n in (1, 3)] == ["1 Demon", "3 Demons"]
    assert told(say("toys.lottery-ball", n=2), "fr") == "2 Boules de loterie"
