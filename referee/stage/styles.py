"""The few style properties that say where something is: stroke-width, transform and fill-rule.

``style=`` goes before style sheets, and these before the attribute.  Style sheets are read as far as drawing
programs write them: selectors made of one element name, classes and an id; others are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from referee.stage.document import is_svg, local

PROPERTIES = frozenset({"stroke-width", "transform", "transform-origin", "fill-rule"})
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)|<!--|-->", re.DOTALL)
_LONGEST_SELECTOR = 200
_MARK = re.compile(r"[.#][\w-]+")
_SELECTOR = re.compile(r"(\*|[a-zA-Z][\w-]*)?((?:[.#][\w-]+)*)")


@dataclass(frozen=True)
class _Rule:
    tag: str
    classes: frozenset[str]
    ids: frozenset[str]
    declared: dict[str, str]
    place: int

    def weight(self) -> tuple[int, int, int, int]:
        """What makes one rule go before another: ids, classes, a name, and then being the later one."""
        return len(self.ids), len(self.classes), int(self.tag != "*"), self.place

    def mark(self) -> str:
        """One thing that an element must have for the rule to fit."""
        return next((f"#{name}" for name in self.ids), next((f".{name}" for name in self.classes), self.tag))

    def fits(self, element: Element) -> bool:
        if self.tag not in ("*", local(element.tag)):
            return False
        if self.ids and self.ids != {element.get("id")}:
            return False
        return not self.classes or self.classes <= set(element.get("class", "").split())


@dataclass(frozen=True)
class Styles:
    """The rules of a file's style sheets, by property and mark, so that a large sheet costs an element nothing."""

    rules: dict[tuple[str, str], list[_Rule]]

    def own(self, element: Element, name: str) -> str | None:
        """An element's own value of a property, None if it has none (or inherits it)."""
        value = declarations(element.get("style", "")).get(name)
        if value is None and self.rules:
            value = self._from_sheet(element, name)
        if value is None:
            value = element.get(name)
        return None if value is None or value.strip() in ("", "inherit") else value

    def _from_sheet(self, element: Element, name: str) -> str | None:
        marks = ["*", local(element.tag), f"#{element.get('id', '')}"]
        marks += [f".{word}" for word in element.get("class", "").split()]
        fitting = [r for mark in marks for r in self.rules.get((name, mark), ()) if r.fits(element)]
        return max(fitting, key=_Rule.weight).declared[name] if fitting else None


def styles_of(root: Element) -> Styles:
    """The style sheets of a file, as far as they concern `PROPERTIES`."""
    texts = ["".join(e.itertext()) for e in root.iter() if local(e.tag) == "style" and is_svg(e)]
    rules: dict[tuple[str, str], list[_Rule]] = {}
    for rule in _rules("\n".join(texts)):
        for name in rule.declared:
            rules.setdefault((name, rule.mark()), []).append(rule)
    return Styles(rules)


def declarations(text: str) -> dict[str, str]:
    """The properties of a ``style`` attribute that matter here.

    >>> declarations("fill:none;stroke-width: 2 !important")
    {'stroke-width': '2'}
    """
    found: dict[str, str] = {}
    for part in text.split(";") if text else ():
        name, colon, value = part.partition(":")
        if colon and name.strip().lower() in PROPERTIES:
            found[name.strip().lower()] = value.replace("!important", "").strip()
    return found


def _rules(text: str) -> Iterator[_Rule]:
    place = 0
    for block in _COMMENT.sub("", text).split("}"):
        selectors, _, body = block.rpartition("{")
        declared = declarations(body)
        for selector in selectors.split(",") if declared else ():
            found = _SELECTOR.fullmatch(selector.strip()) if len(selector) < _LONGEST_SELECTOR else None
            if found and found[0]:
                marks = _MARK.findall(found[2])
                classes = frozenset(mark[1:] for mark in marks if mark[0] == ".")
                ids = frozenset(mark[1:] for mark in marks if mark[0] == "#")
                place += 1
                yield _Rule(found[1] or "*", classes, ids, declared, place)
