"""How an element of a drawing looks: fill, stroke, opacity, as SVG's cascade has it.

``style=`` goes before style sheets, and these before attributes; what SVG hands down is handed down.  Style
sheets are read as far as drawing programs write them: selectors of one element name, classes and an id.
"""

from __future__ import annotations

import colorsys
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from xml.etree.ElementTree import Element

from referee.stage.document import is_svg, local

HANDED_DOWN = {
    "fill": "black",
    "fill-rule": "nonzero",
    "fill-opacity": "1",
    "stroke": "none",
    "stroke-width": "1",
    "stroke-opacity": "1",
    "stroke-linecap": "butt",
    "stroke-linejoin": "miter",
    "stroke-miterlimit": "4",
    "stroke-dasharray": "none",
    "stroke-dashoffset": "0",
    "color": "black",
    "visibility": "visible",
    "clip-rule": "nonzero",
    "paint-order": "normal",
    "marker": "none",
    "marker-start": "none",
    "marker-mid": "none",
    "marker-end": "none",
}
OWN = {
    "opacity": "1",
    "display": "inline",
    "clip-path": "none",
    "mask": "none",
    "filter": "none",
    "mix-blend-mode": "normal",
    "transform": "none",
    "transform-origin": "",
    "vector-effect": "none",
    "stop-color": "black",
    "stop-opacity": "1",
}
Rgb = tuple[float, float, float]

_COMMENT = re.compile(r"/\*.*?\*/|<!--|-->", re.DOTALL)
_RULE = re.compile(r"([^{}]*)\{([^{}]*)\}")
_SELECTOR = re.compile(r"(\*|[a-zA-Z][\w-]*)?((?:[.#][\w-]+)*)")
_URL = re.compile(r"url\(\s*['\"]?#([^'\")]+)['\"]?\s*\)\s*(.*)", re.DOTALL)
_HEX = re.compile(r"#([0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})")
_CALL = re.compile(r"(rgba?|hsla?)\(([^()]*)\)")


class UnknownLookError(Exception):
    """Something that is not read here; whoever draws leaves it to a full SVG renderer."""


@dataclass(frozen=True)
class Paint:
    """A plain colour with its opacity, or the id of a gradient or pattern."""

    rgb: Rgb = (0.0, 0.0, 0.0)
    opacity: float = 1.0
    server: str | None = None


@dataclass(frozen=True)
class Rule:
    """One selector of a style sheet with what it declares."""

    tag: str
    classes: frozenset[str]
    ids: frozenset[str]
    declared: Mapping[str, str]

    def fits(self, element: Element) -> bool:
        """Whether the rule speaks of this element."""
        if self.tag not in ("*", local(element.tag)) or (self.ids and self.ids != {element.get("id")}):
            return False
        return not self.classes or self.classes <= set(element.get("class", "").split())


@dataclass(frozen=True, eq=False)
class Look:
    """All properties of one element, those handed down included."""

    values: Mapping[str, str]

    def __getitem__(self, name: str) -> str:
        return self.values[name]

    def number(self, name: str) -> float:
        """A plain number or a percentage; raises `UnknownLookError`."""
        text = self.values[name].strip()
        try:
            return float(text[:-1]) / 100 if text.endswith("%") else float(text)
        except ValueError:
            raise UnknownLookError(f"{name}: {text}") from None

    def opacity(self, name: str) -> float:
        """A number held between 0 and 1."""
        return min(1.0, max(0.0, self.number(name)))

    def paint(self, name: str) -> Paint | None:
        """What ``fill`` or ``stroke`` is drawn with, None for nothing; raises `UnknownLookError`."""
        text = self.values[name].strip()
        if text == "none":
            return None
        found = _URL.fullmatch(text)
        if found:
            return Paint(server=found[1], opacity=self.opacity(f"{name}-opacity"))
        rgb, alpha = colour(self.values["color"] if text.lower() == "currentcolor" else text)
        return Paint(rgb, alpha * self.opacity(f"{name}-opacity"))


class Cascade:
    """Works out looks in one document."""

    def __init__(self, root: Element) -> None:
        texts = ["".join(e.itertext()) for e in root.iter() if local(e.tag) == "style" and is_svg(e)]
        rules = [rule for text in texts for rule in _rules(text)]
        self._rules = sorted(rules, key=lambda rule: (len(rule.ids), len(rule.classes), rule.tag != "*"))

    def look(self, element: Element, above: Look | None) -> Look:
        """The look of an element below one that looks like ``above``."""
        handed = {name: above[name] for name in HANDED_DOWN} if above else dict(HANDED_DOWN)
        said = self._said(element)
        found = {**OWN, **handed}
        for name, value in said.items():
            if name in found:
                found[name] = handed.get(name, OWN.get(name, "")) if value == "inherit" else value
        return Look(found)

    def _said(self, element: Element) -> dict[str, str]:
        """An element's own properties, the strongest last."""
        said = {name: value.strip() for name, value in element.attrib.items() if name in HANDED_DOWN or name in OWN}
        for rule in self._rules:
            if rule.fits(element):
                said.update(rule.declared)
        said.update(declarations(element.get("style", "")))
        return {name: value for name, value in said.items() if value}


def declarations(text: str) -> dict[str, str]:
    """The properties of a ``style`` attribute.

    >>> declarations("fill:none; stroke: #fff !important")
    {'fill': 'none', 'stroke': '#fff'}
    """
    parts = (part.partition(":") for part in _COMMENT.sub("", text).split(";"))
    return {name.strip().lower(): value.replace("!important", "").strip() for name, colon, value in parts if colon}


def _rules(text: str) -> Iterator[Rule]:
    for selectors, body in _RULE.findall(_COMMENT.sub("", text)):
        for selector in selectors.split(","):
            found = _SELECTOR.fullmatch(selector.strip())
            if found and selector.strip():
                marks = re.findall(r"[.#][\w-]+", found[2])
                classes = frozenset(mark[1:] for mark in marks if mark[0] == ".")
                ids = frozenset(mark[1:] for mark in marks if mark[0] == "#")
                yield Rule(found[1] or "*", classes, ids, declarations(body))


def colour(text: str) -> tuple[Rgb, float]:
    """A colour's red, green, blue and opacity, each 0 to 1; raises `UnknownLookError`.

    >>> colour("#f00"), colour("rgb(0, 51, 255)")
    (((1.0, 0.0, 0.0), 1.0), ((0.0, 0.2, 1.0), 1.0))
    """
    text = text.strip().lower()
    if text == "transparent":
        return (0.0, 0.0, 0.0), 0.0
    if found := _HEX.fullmatch(text):
        digits = found[1] if len(found[1]) > 4 else "".join(2 * digit for digit in found[1])
        values = [int(digits[i : i + 2], 16) / 255 for i in range(0, len(digits), 2)]
        return (values[0], values[1], values[2]), values[3] if len(values) > 3 else 1.0
    if found := _CALL.fullmatch(text):
        return _called(found[1], found[2])
    if text in _names():
        return _names()[text], 1.0
    raise UnknownLookError(f"colour: {text}")


def _called(name: str, inside: str) -> tuple[Rgb, float]:
    words = inside.replace(",", " ").replace("/", " ").split()
    if len(words) not in (3, 4):
        raise UnknownLookError(f"colour: {name}({inside})")
    try:
        alpha = _part(words[3], 1.0) if len(words) > 3 else 1.0
        if name.startswith("hsl"):
            hue = float(words[0].removesuffix("deg")) / 360
            r, g, b = colorsys.hls_to_rgb(hue % 1.0, _part(words[2], 1.0), _part(words[1], 1.0))
            return (r, g, b), alpha
        r, g, b = (_part(word, 255.0) for word in words[:3])
    except ValueError:
        raise UnknownLookError(f"colour: {name}({inside})") from None
    return (r, g, b), alpha


def _part(word: str, whole: float) -> float:
    value = float(word[:-1]) / 100 if word.endswith("%") else float(word) / whole
    return min(1.0, max(0.0, value))


@cache
def _names() -> dict[str, Rgb]:
    """The colour names of CSS."""
    from reportlab.lib.colors import getAllNamedColors

    return {name.lower(): (c.red, c.green, c.blue) for name, c in getAllNamedColors().items() if c.alpha == 1}
