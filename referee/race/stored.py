"""Frozen values to plain JSON and back, as their own types describe them; whatever does not fit is refused.

What comes back may have been damaged, or sent by somebody with a sense of humour: every field must be there, no other,
each of its type and of sensible size, and what a value checks at birth is checked again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, cast, get_args, get_origin, get_type_hints

from referee.errors import BadState
from referee.model import Json

Value = TypeVar("Value")

MOST_LETTERS = 200
MOST_ITEMS = 10_000
GREATEST = 2**53
"""Beyond this a number is no longer exact in every JSON reader."""


class Misfit(ValueError):
    """What came is not what was expected; the message says where."""


def to_json(value: Any) -> Any:
    """A frozen value as objects, lists, numbers, words, truth values and null."""
    if is_dataclass(value):
        return {each.name: to_json(getattr(value, each.name)) for each in fields(value)}
    return [to_json(item) for item in value] if isinstance(value, tuple) else value


def from_json(kind: type[Value], found: Any, where: str) -> Value:
    """The frozen value that `to_json` made this of; ``where`` names it in the message of a `Misfit`."""
    return cast(Value, _read(kind, found, where))


def kept(state: Any, format: int) -> Json:
    """A whole state of play with the number of its format, to be stored."""
    return {"format": format, **to_json(state)}


def brought_back(kind: type[Value], found: Any, format: int, where: str) -> Value:
    """The state of play that `kept` stored; BadState if it is of another format or not what was stored."""
    try:
        if not isinstance(found, Mapping) or type(found.get("format")) is not int:
            raise _wrong(where, "an object with its format", found)
        if found["format"] != format:
            raise Misfit(f"{where}: this referee reads format {format}, got {_short(found['format'])}")
        return from_json(kind, {name: value for name, value in found.items() if name != "format"}, where)
    except Misfit as fault:
        raise BadState(f"What was stored cannot be read: {fault}.", "It cannot be played on; begin anew.") from fault


# ----------------------------------------------------------------------------------------- by type


def _read(kind: Any, found: Any, where: str) -> Any:
    origin = get_origin(kind)
    if origin is Literal:
        return _literal(kind, found, where)
    if origin is UnionType:
        return _optional(kind, found, where)
    if origin is tuple:
        return _items(kind, found, where)
    if is_dataclass(kind):
        return _object(kind, found, where)
    return PLAIN[kind](found, where)


def _literal(kind: Any, found: Any, where: str) -> Any:
    choices = get_args(kind)
    if not any(type(found) is type(choice) and found == choice for choice in choices):
        raise _wrong(where, "one of " + ", ".join(map(repr, choices)), found)
    return found


def _optional(kind: Any, found: Any, where: str) -> Any:
    inner, nothing = get_args(kind)
    assert nothing is NoneType, f"{kind} is no type of a stored field"
    return None if found is None else _read(inner, found, where)


def _items(kind: Any, found: Any, where: str) -> tuple[Any, ...]:
    kinds = get_args(kind)
    if not isinstance(found, list) or len(found) > MOST_ITEMS:
        raise _wrong(where, "a list of sensible length", found)
    if kinds[-1] is Ellipsis:
        kinds = (kinds[0],) * len(found)
    if len(kinds) != len(found):
        raise _wrong(where, f"a list of {len(kinds)}", found)
    return tuple(_read(one, item, f"{where}[{i}]") for i, (one, item) in enumerate(zip(kinds, found, strict=True)))


def _object(kind: Any, found: Any, where: str) -> Any:
    hints = _hints(kind)
    if not isinstance(found, Mapping) or set(found) != set(hints):
        raise _wrong(where, "an object with " + (", ".join(hints) or "no fields"), found)
    values = {name: _read(hint, found[name], f"{where}.{name}") for name, hint in hints.items()}
    try:
        return kind(**values)
    except ValueError as fault:
        raise Misfit(f"{where}: {fault}") from fault


@cache
def _hints(kind: Any) -> dict[str, Any]:
    hints = get_type_hints(kind)
    return {each.name: hints[each.name] for each in fields(kind)}


def _whole(found: Any, where: str) -> int:
    if type(found) is not int or abs(found) > GREATEST:
        raise _wrong(where, "a whole number", found)
    return found


def _truth(found: Any, where: str) -> bool:
    if type(found) is not bool:
        raise _wrong(where, "true or false", found)
    return found


def _word(found: Any, where: str) -> str:
    if type(found) is not str or len(found) > MOST_LETTERS:
        raise _wrong(where, f"up to {MOST_LETTERS} letters", found)
    return found


PLAIN: Mapping[Any, Callable[[Any, str], Any]] = {int: _whole, bool: _truth, str: _word}


def _wrong(where: str, expected: str, found: Any) -> Misfit:
    return Misfit(f"{where}: expected {expected}, got {_short(found)}")


def _short(found: Any) -> str:
    """What came, in a few words: it may be huge, or deep."""
    if isinstance(found, str):
        return repr(found[:60])
    if isinstance(found, Mapping):
        return "an object with " + (", ".join(repr(str(name)[:20]) for name in list(found)[:20]) or "nothing")
    if isinstance(found, list | tuple):
        return f"a list of {len(found)}"
    huge = isinstance(found, int) and abs(found) > GREATEST
    return "a huge number" if huge else repr(found)[:60]
