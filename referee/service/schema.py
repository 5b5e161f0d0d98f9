"""Whether what a program sends is as the description says: the few words of JSON Schema that descriptions here use.

The description is the one place for what a call takes; what is told to programs is what is held against them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from math import isfinite
from typing import Any

from referee.model import Json

TYPES: Mapping[str, Callable[[Any], bool]] = {
    "null": lambda found: found is None,
    "boolean": lambda found: isinstance(found, bool),
    "integer": lambda found: type(found) is int,
    "number": lambda found: type(found) is int or (type(found) is float and isfinite(found)),
    "string": lambda found: isinstance(found, str),
    "array": lambda found: isinstance(found, list),
    "object": lambda found: isinstance(found, dict),
}
LIMITS: Mapping[str, Callable[[Any, Any], bool]] = {
    "minimum": lambda found, limit: not _is(found, "number") or found >= limit,
    "maximum": lambda found, limit: not _is(found, "number") or found <= limit,
    "minLength": lambda found, limit: not _is(found, "string") or len(found) >= limit,
    "maxLength": lambda found, limit: not _is(found, "string") or len(found) <= limit,
    "pattern": lambda found, limit: not _is(found, "string") or re.search(limit, found) is not None,
    "minItems": lambda found, limit: not _is(found, "array") or len(found) >= limit,
    "maxItems": lambda found, limit: not _is(found, "array") or len(found) <= limit,
}
"""What a keyword holds of a value; one of another type it does not touch."""
PARTS = ("required", "additionalProperties", "properties", "items")
SILENT = ("description", "format")
"""Keywords that hold nothing."""
LONGEST = 60


@dataclass(frozen=True)
class Misfit:
    """Where something is not as described, and which keyword says so: ``limit`` is what that allows."""

    where: str
    keyword: str
    limit: str


def misfit(found: Any, schema: Json, where: str = "") -> Misfit | None:
    """The first thing that is not as described; None if all is.  An unknown keyword is an error of ours."""
    return next(_misfits(found, schema, where), None)


def _misfits(found: Any, schema: Json, where: str) -> Iterator[Misfit]:
    unknown = schema.keys() - {"type", "enum", *LIMITS, *PARTS, *SILENT}
    if unknown:
        raise NotImplementedError(f"nothing holds anybody to {', '.join(sorted(unknown))}")
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else types
    if types and not any(_is(found, kind) for kind in types):
        yield Misfit(where, "type", " | ".join(types))
        return
    if "enum" in schema and not any(type(found) is type(one) and found == one for one in schema["enum"]):
        yield Misfit(where, "enum", ", ".join(map(str, schema["enum"])))
    for keyword, holds in LIMITS.items():
        if keyword in schema and not holds(found, schema[keyword]):
            yield Misfit(where, keyword, str(schema[keyword]))
    inside = _of_object(found, schema, where) if isinstance(found, dict) else _of_list(found, schema, where)
    yield from inside


def _of_object(found: Json, schema: Json, where: str) -> Iterator[Misfit]:
    known = schema.get("properties", {})
    for name in schema.get("required", ()):
        if name not in found:
            yield Misfit(_path(where, name), "required", "")
    if schema.get("additionalProperties", True) is False:
        for name in sorted(found.keys() - known.keys()):
            yield Misfit(_path(where, name[:LONGEST]), "additionalProperties", ", ".join(known))
    yield from chain.from_iterable(
        _misfits(found[name], one, _path(where, name)) for name, one in known.items() if name in found
    )


def _of_list(found: Any, schema: Json, where: str) -> Iterator[Misfit]:
    items = schema.get("items")
    if isinstance(found, list) and items is not None:
        yield from chain.from_iterable(_misfits(one, items, f"{where}[{n}]") for n, one in enumerate(found))


def _path(where: str, name: str) -> str:
    return f"{where}.{name}" if where else name


def _is(found: Any, kind: str) -> bool:
    return TYPES[kind](found)


def heard(word: str, schema: Json) -> Any:
    """A word of a query or a form as the type that is described: a number where it is written as one, else itself."""
    kind = schema.get("type")
    if kind == "integer" and re.fullmatch(r"-?[0-9]{1,18}", word):
        return int(word)
    return word
