"""Numbers and lengths as SVG writes them: strict, finite, plain ASCII digits."""

from __future__ import annotations

import math
import re

from referee.stage.faults import Fault

NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_LENGTH = re.compile(rf"\s*({NUMBER.pattern})\s*([a-zA-Z]*|%)\s*")
_BETWEEN = re.compile(r"[\s,]*")

USER_UNITS = {
    "": 1.0,
    "px": 1.0,
    "mm": 96 / 25.4,
    "cm": 96 / 2.54,
    "q": 96 / 101.6,
    "in": 96.0,
    "pt": 96 / 72,
    "pc": 16.0,
    "em": 16.0,
    "rem": 16.0,
    "ex": 8.0,
}
"""User units in one unit of length: SVG counts 96 to the inch whatever the viewBox makes of them."""

LARGEST = 1e5
"""No coordinate of a board is anywhere near this many millimetres."""


def finite(text: str) -> float:
    """One number; raises `Fault` for anything else, infinity included.

    >>> finite(" -1.5e1 ")
    -15.0
    """
    if not NUMBER.fullmatch(text.strip()):
        raise Fault(f"expected a number, found {shorten(text)!r}", "Write a plain number such as 12.5.")
    value = float(text)
    if not math.isfinite(value):
        raise Fault(f"the number {shorten(text)!r} is too large", "Write a plain number such as 12.5.")
    return value


def whole(text: str) -> int:
    """One whole number, ``7`` or ``7.0``; raises `Fault` for anything else."""
    value = finite(text)
    if value != int(value):
        raise Fault(f"expected a whole number, found {shorten(text)!r}", "Write a whole number such as 3.")
    return int(value)


def number_list(text: str) -> list[float]:
    """Numbers parted by blanks and commas; raises `Fault` if anything else stands between them."""
    if _BETWEEN.sub("", NUMBER.sub("", text)):
        raise Fault(f"expected numbers, found {shorten(text)!r}", "Write plain numbers parted by blanks.")
    values = [float(word) for word in NUMBER.findall(text)]
    if not all(map(math.isfinite, values)):
        raise Fault(f"a number in {shorten(text)!r} is too large", "Write plain numbers such as 12.5.")
    return values


def length(text: str, whole_length: float) -> float:
    """A length in user units; ``whole_length`` is what 100 % would be. Raises `Fault`."""
    found = _LENGTH.fullmatch(text)
    unit = found[2].lower() if found else ""
    if not found or (unit != "%" and unit not in USER_UNITS):
        raise Fault(f"expected a length, found {shorten(text)!r}", "Write a plain number of millimetres such as 2.")
    value = finite(found[1])
    return value * whole_length / 100 if unit == "%" else value * USER_UNITS[unit]


def shorten(text: str, most: int = 40) -> str:
    """The beginning of a text, for messages."""
    text = " ".join(text.split())
    return text if len(text) <= most else text[: most - 3] + "..."
