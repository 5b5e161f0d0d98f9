"""Both languages say the same of this game, and every sentence that the code says is there."""

from __future__ import annotations

import re
import string
from pathlib import Path

import pytest

from referee.turbo.faults import BrokenRule
from referee.turbo.position import PHASES
from referee.turbo.words import say, table
from referee.words import told

ROOM = Path(__file__).parents[2] / "referee" / "turbo"
COMMON = ROOM.parent / "tabletop"
SAME = {"feature"}
"""Sentences that are the same in both languages but for a space."""


def fields_of(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


def names(part: str) -> set[str]:
    return {key.split(".")[1] for key in table("en") if key.startswith(f"{part}.")}


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
    said = set(re.findall(r'\b(?:say|_tell)\((?:\s*[a-z.]+,)?\s*"([a-z-]+\.[a-z-]+)"', source))
    said |= set(re.findall(r'else "([a-z-]+\.[a-z-]+)"', source))
    rule = r'(?:"T\d+"|leaves|_leaves\(vehicle\))'
    refused = set(re.findall(rf'(?:BrokenRule|Broken|Wrong)\(\s*{rule}, "([a-z-]+)"', source))
    odd = set(re.findall(r'BadNotation\(\s*"([a-z-]+)"|yield "([a-z-]+)", \{', source))
    circuits = set(re.findall(r'\bodd\(\s*"([a-z-]+)"', source)) | {"too-large", "unread", "closed", "open"}
    assert names("refused") == names("cure") == refused
    assert names("notation") == names("mend") == {one or other for one, other in odd}
    assert names("circuit") - {"at"} == names("redraw") == circuits
    said |= {f"now.{phase}" for phase in PHASES if phase != "over"}
    spoken = {key for key in table("en") if key.split(".")[0] not in ("refused", "cure", "notation", "mend", "redraw")}
    assert said == {key for key in spoken if not key.startswith("circuit.") or key == "circuit.at"}


def test_a_broken_rule_is_told_in_french() -> None:
    broken = BrokenRule("T6", "yellow-line", here="b9", there="a9")
    assert broken.message == "T6: from b9 to a9 crosses a yellow line towards the inside of the curve."
    assert told(broken.message, "fr").startswith("T6\u00a0: de b9 à a9, on franchit une ligne jaune")
    assert told(broken.hint, "fr") == "Restez dans le couloir, ou allez vers l'extérieur."


def test_one_and_several_ways_are_named_as_they_are_spoken() -> None:
    assert [say("table.end", square="a7", n=n) for n in (1, 3)] == ["a7 (1 way)", "a7 (3 ways)"]
    assert told(say("table.end", square="a7", n=2), "fr") == "a7 (2 chemins)"
