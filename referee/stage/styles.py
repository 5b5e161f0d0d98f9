"""The few style properties that say where something is: stroke-width, transform and fill-rule.

``style=`` goes before style sheets, and these before the attribute.  Style sheets are read as far as drawing
programs write them: selectors made of one element name, classes and an id; others are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from referee.stage.document import is_svg, local

PROPERTIES = frozenset({"stroke-width", "transform", "transform-origin", "fill-rule"})
_COMMENT = re.compile(r"/\*.*?\*/|<!--|-->", re.DOTALL)
_RULE = re.compile(r"([^{}]*)\{([^{}]*)\}")
_SELECTOR = re.compile(r"(\*|[a-zA-Z][\w-]*)?((?:[.#][\w-]+)*)")


@dataclass(frozen=True)
class _Rule:
    tag: str
    classes: frozenset[str]
    ids: frozenset[str]
    declared: dict[str, str]

    def weight(self) -> tuple[int, int, int]:
        return len(self.ids), len(self.classes), int(self.tag != "*")

    def fits(self, element: Element) -> bool:
        if self.tag not in ("*", local(element.tag)):
            return False
        if self.ids and self.ids != {element.get("id")}:
            return False
        return not self.classes or self.classes <= set(element.get("class", "").split())


@dataclass(frozen=True)
class Styles:
    """The rules of a file's style sheets, the weakest first."""

    rules: tuple[_Rule, ...] = ()

    def own(self, element: Element, name: str) -> str | None:
        """An element's own value of a property, None if it has none (or inherits it)."""
        value = declarations(element.get("style", "")).get(name)
        if value is None:
            value = next(
                (r.declared[name] for r in reversed(self.rules) if name in r.declared and r.fits(element)), None
            )
        if value is None:
            value = element.get(name)
        return None if value is None or value.strip() in ("", "inherit") else value


def styles_of(root: Element) -> Styles:
    """The style sheets of a file, as far as they concern `PROPERTIES`."""
    texts = ["".join(e.itertext()) for e in root.iter() if local(e.tag) == "style" and is_svg(e)]
    rules = [rule for text in texts for rule in _rules(text)]
    return Styles(tuple(sorted(rules, key=_Rule.weight)))


def declarations(text: str) -> dict[str, str]:
    """The properties of a ``style`` attribute that matter here.

    >>> declarations("fill:none;stroke-width: 2 !important")
    {'stroke-width': '2'}
    """
    found = {}
    for part in text.split(";"):
        name, colon, value = part.partition(":")
        if colon and name.strip().lower() in PROPERTIES:
            found[name.strip().lower()] = value.replace("!important", "").strip()
    return found


def _rules(text: str) -> Iterable[_Rule]:
    for selectors, body in _RULE.findall(_COMMENT.sub("", text)):
        declared = declarations(body)
        for selector in selectors.split(",") if declared else ():
            found = _SELECTOR.fullmatch(selector.strip())
            if found and found[0]:
                marks = re.findall(r"[.#][\w-]+", found[2])
                classes = frozenset(mark[1:] for mark in marks if mark[0] == ".")
                ids = frozenset(mark[1:] for mark in marks if mark[0] == "#")
                yield _Rule(found[1] or "*", classes, ids, declared)
