"""Every way to use a power, found by trying, on nothing but the text of a position: written from the rulebook alone.

Of the referee it imports nothing.  A table here is a dictionary from places, as people write them, to letters; a way to
use a power is the list of its moves, as people write them, with the table that it leads to.
"""

from __future__ import annotations

from collections.abc import Iterator

Table = dict[str, str]
Way = tuple[tuple[str, ...], frozenset[tuple[str, str]]]

SHELF_PLACES = [row + column for row in "abc" for column in "1234"]


def table_of(text: str) -> Table:
    """The toys of a position by their places."""
    shelf, carts = text.split(" ")[:2]
    there = dict(zip(SHELF_PLACES, shelf.replace("/", ""), strict=True))
    for number, cart in enumerate(carts.split(","), 1):
        there |= {f"{number}:{at}": toy for at, toy in enumerate(cart, 1)}
    return {place: toy for place, toy in there.items() if toy != "."}


def user_of(text: str) -> int:
    """Whose power is next, from 1: by the highest of the cards that have not been used."""
    _, carts, *_, leader, played, phase = text.split(" ")
    cards = [int(card) for card in played.split(".")]
    used = int(phase.split(":")[1]) if ":" in phase else 0
    nth = cards.index(sorted(cards)[-1 - used])
    return (int(leader) - 1 + nth) % (carts.count(",") + 1) + 1


def ways(text: str, power: str) -> set[Way]:
    """Every way in which the power of a position can be used."""
    table, user = table_of(text), user_of(text)
    tried = {
        "swap": lambda: swaps(table),
        "peek": lambda: three_looks(table),
        "peek-swap": lambda: look_and_swap(table),
        "flip": lambda: flips(table, user),
        "flip-retelling": lambda: turns(table),
        "shuffle": lambda: shuffles(table, user),
    }[power]
    return {(moves, frozenset(after.items())) for moves, after in tried()}


def swaps(table: Table) -> Iterator[tuple[tuple[str, ...], Table]]:
    """All pairs, each once."""
    places = list(table)
    for second in range(len(places)):
        for first in range(second):
            one, other = places[first], places[second]
            yield (f"swap {one} {other}",), {**table, one: table[other], other: table[one]}


def three_looks(table: Table) -> Iterator[tuple[tuple[str, ...], Table]]:
    """Three toys, one after the other, none twice."""
    for one in table:
        for two in table:
            for three in table:
                if len({one, two, three}) == 3:
                    yield (f"look {one}", f"look {two}", f"look {three}"), table


def look_and_swap(table: Table) -> Iterator[tuple[tuple[str, ...], Table]]:
    """One toy is looked at, whichever two are swapped."""
    for place in table:
        for moves, after in swaps(table):
            yield (f"look {place}", *moves), after


def flips(table: Table, user: int) -> Iterator[tuple[tuple[str, ...], Table]]:
    """A toy that lies face down (a small letter) is turned; then it may change places with one of the own cart."""
    turned = False
    for place in [place for place in table if table[place].islower()]:
        turned = True
        after = {**table, place: table[place].upper()}
        yield (f"flip {place}", "pass"), after
        for own in table:
            if own.startswith(f"{user}:") and own != place:
                swapped = {**after, place: after[own], own: after[place]}
                pair = sorted((place, own), key=list(table).index)
                yield (f"flip {place}", f"swap {pair[0]} {pair[1]}"), swapped
    if not turned:
        yield ("pass",), table


def turns(table: Table) -> Iterator[tuple[tuple[str, ...], Table]]:
    """Any toy is turned over, whichever side is up."""
    for place in table:
        yield (f"flip {place}",), {**table, place: table[place].swapcase()}


def shuffles(table: Table, user: int) -> Iterator[tuple[tuple[str, ...], Table]]:
    """The own cart in every order, face down."""
    cart = [place for place in table if place.startswith(f"{user}:")]
    for order in _orders(list(range(len(cart)))):
        laid = {place: table[cart[old]].lower() for place, old in zip(cart, order, strict=True)}
        yield (f"shuffle {' '.join(str(old + 1) for old in order)}",), {**table, **laid}


def _orders(things: list[int]) -> Iterator[list[int]]:
    if not things:
        yield []
    for at, first in enumerate(things):
        for rest in _orders(things[:at] + things[at + 1 :]):
            yield [first, *rest]
