"""The entries of all journeys in one list, the latest first, page by page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from referee.service.past import Entry, Mark, pasts
from referee.service.store.open import Store

LONGEST_NUMBER = 18
"""So many digits has the number of an entry at most."""


@dataclass(frozen=True)
class Place:
    """The entry that a page ended with; the next one begins behind it."""

    number: int
    kind: str
    id: str

    def mark(self, kind: str) -> Mark:
        """Where the entries of a kind go on: at one number the kinds stand in the order of the navigation."""
        order = list(pasts())
        if kind == self.kind:
            return Mark(self.number, self.id)
        return Mark(self.number, "" if order.index(kind) > order.index(self.kind) else None)

    def __str__(self) -> str:
        return f"{self.number},{self.kind},{self.id}"


@dataclass(frozen=True)
class Page:
    """Some entries, and where the next page begins: None if there is none."""

    entries: tuple[Entry, ...]
    next: Place | None


def place_from(word: str) -> Place | None:
    """The place that a page's address names; None if it is none.

    >>> place_from("nan,checks,x"), place_from("1.5"), place_from("")
    (None, None, None)
    """
    number, _, rest = word.partition(",")
    kind, _, id = rest.partition(",")
    is_number = number.isascii() and number.isdecimal() and len(number) <= LONGEST_NUMBER
    return Place(int(number), kind, id) if is_number and kind in pasts() else None


def page(store: Store, most: int, place: Place | None = None, kinds: Sequence[str] = ()) -> Page:
    """The entries from a place on, of some kinds or (if none is named) of all."""
    found: list[Entry] = []
    for kind, past in pasts().items():
        if not kinds or kind in kinds:
            found += past.entries(store, most + 1, None if place is None else place.mark(kind))
    found.sort(key=lambda entry: -entry.number)  # of one number the kinds stay in their order
    shown = tuple(found[:most])
    return Page(shown, Place(shown[-1].number, shown[-1].kind, shown[-1].id) if len(found) > most else None)


def everything(store: Store, at_once: int = 100) -> Iterator[Entry]:
    """All entries, the latest first; never more than some of them are held."""
    some = page(store, at_once)
    yield from some.entries
    while some.next is not None:
        some = page(store, at_once, some.next)
        yield from some.entries


def counts(store: Store) -> dict[str, int]:
    """How many entries there are of each kind."""
    return {kind: past.count(store) for kind, past in pasts().items()}
