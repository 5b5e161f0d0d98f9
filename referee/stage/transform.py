"""SVG transforms as 2 x 3 matrices: a point (x, y) goes to ``m[:, :2] @ (x, y) + m[:, 2]``."""

from __future__ import annotations

import math
import re

import numpy as np

from referee.model import Floats
from referee.stage.faults import Fault
from referee.stage.figures import NUMBER, finite, shorten

IDENTITY: Floats = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
IDENTITY.flags.writeable = False

_STEP = re.compile(r"[\s,]*([A-Za-z]+)\s*\(([^()]*)\)[\s,]*")
_ARGUMENT = re.compile(rf"({NUMBER.pattern})\s*([a-zA-Z]*)")
_CURE = "Write transforms such as translate(10 5), rotate(30), scale(2) or matrix(a b c d e f)."
_LONGEST = 5000
_UNITS = {"": 1.0, "px": 1.0, "deg": 1.0, "rad": 180 / math.pi, "grad": 0.9, "turn": 360.0}


def after(outer: Floats, inner: Floats) -> Floats:
    """The matrix that does ``inner`` first and then ``outer``."""
    return np.column_stack([outer[:, :2] @ inner[:, :2], outer[:, :2] @ inner[:, 2] + outer[:, 2]])


def moved(x: float, y: float) -> Floats:
    """A shift."""
    return np.array([[1.0, 0.0, x], [0.0, 1.0, y]])


def scaled(x: float, y: float) -> Floats:
    """A change of size about the origin."""
    return np.array([[x, 0.0, 0.0], [0.0, y, 0.0]])


def scale_of(matrix: Floats) -> float:
    """By how much a width grows: the square root of the area's growth, fair to both directions."""
    return math.sqrt(abs(float(np.linalg.det(matrix[:, :2]))))


def parse_transform(text: str) -> Floats:
    """The matrix of a ``transform`` attribute or property; raises `Fault`."""
    matrix, at = IDENTITY, 0
    text = text.strip()
    if len(text) > _LONGEST:
        raise Fault(f"the transform {shorten(text)!r} has no end", _CURE)
    while at < len(text) and text != "none":
        step = _STEP.match(text, at)
        if not step:
            raise Fault(f"the transform {shorten(text)!r} makes no sense", _CURE)
        matrix = after(matrix, _one(step[1], _arguments(step[2])))
        at = step.end()
    if not np.isfinite(matrix).all() or np.abs(matrix).max() > 1e9:
        raise Fault(f"the transform {shorten(text)!r} leads out of all bounds", _CURE)
    return matrix


def _arguments(text: str) -> list[float]:
    if _ARGUMENT.sub("", text).strip(" \t\r\n\f,"):
        raise Fault(f"expected numbers in a transform, found {shorten(text)!r}", _CURE)
    found = [(finite(number), unit.lower()) for number, unit in _ARGUMENT.findall(text)]
    unknown = [unit for _, unit in found if unit not in _UNITS]
    if unknown:
        raise Fault(f"the unit {unknown[0]!r} makes no sense in a transform", _CURE)
    return [number * _UNITS[unit] for number, unit in found]


def _one(name: str, n: list[float]) -> Floats:
    match name.lower(), len(n):
        case "matrix", 6:
            return np.array([[n[0], n[2], n[4]], [n[1], n[3], n[5]]])
        case "translate", 1 | 2:
            return moved(n[0], n[1] if len(n) == 2 else 0.0)
        case "translatex", 1:
            return moved(n[0], 0.0)
        case "translatey", 1:
            return moved(0.0, n[0])
        case "scale", 1 | 2:
            return scaled(n[0], n[-1])
        case "scalex", 1:
            return scaled(n[0], 1.0)
        case "scaley", 1:
            return scaled(1.0, n[0])
        case "rotate", 1 | 3:
            return _turned(n[0], *n[1:])
        case "skewx", 1:
            return np.array([[1.0, math.tan(math.radians(n[0])), 0.0], [0.0, 1.0, 0.0]])
        case "skewy", 1:
            return np.array([[1.0, 0.0, 0.0], [math.tan(math.radians(n[0])), 1.0, 0.0]])
    raise Fault(f"the transform {name}() with {len(n)} numbers makes no sense", _CURE)


def _turned(degrees: float, x: float = 0.0, y: float = 0.0) -> Floats:
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return np.array([[c, -s, x - c * x + s * y], [s, c, y - s * x - c * y]])
