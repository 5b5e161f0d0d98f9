"""What a circuit must be to be driven: every fault with its element and its cure, the simplest first."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from referee.turbo import features as parts
from referee.turbo.faults import BadCircuit, odd
from referee.turbo.moves import dead_ends, has_way_round
from referee.turbo.steps import besides

if TYPE_CHECKING:
    from referee.turbo.circuit import Circuit

MOST_SQUARES, LAST_ROW = 600, 999
MOST_DOTS = 16
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,11}")
_TAKEN_NAMES = ("finish", "ambulance", "obstacle")
"""Words that mean something else where a square's name could stand."""

Faults = Iterator[BadCircuit]


def oddities(circuit: Circuit) -> Faults:
    """Everything that is wrong with a circuit; later faults are looked for only where earlier ones are none."""
    for looks in (_names, _squares, _features, _links, _sides, _finish, _yellow_lines, _ice, _ways):
        found = list(looks(circuit))
        yield from found
        if found:
            return


def _names(circuit: Circuit) -> Faults:
    if not 1 <= len(circuit.squares) <= MOST_SQUARES:
        yield odd("squares", most=MOST_SQUARES, came=len(circuit.squares))
    for name, count in Counter(square.name for square in circuit.squares).items():
        if not _NAME.fullmatch(name) or name in _TAKEN_NAMES:
            yield odd("name", name[:40])
        elif count > 1:
            yield odd("name-twice", name)


def _squares(circuit: Circuit) -> Faults:
    places: dict[tuple[int, int], str] = {}
    for square in circuit.squares:
        if square.lane not in parts.LANES:
            yield odd("lane", square.name, came=square.lane)
        if not 1 <= square.row <= LAST_ROW:
            yield odd("row", square.name, most=LAST_ROW, came=square.row)
        if (other := places.setdefault((square.lane, square.row), square.name)) != square.name:
            yield odd("place-twice", square.name, other=other)


def _features(circuit: Circuit) -> Faults:
    for square in circuit.squares:
        for feature in sorted(square.features - set(parts.FEATURES)):
            near = difflib.get_close_matches(feature[:40], parts.FEATURES, 1) or parts.FEATURES
            yield odd("feature", square.name, came=feature[:40], known=", ".join(near))
        if parts.HATCHED in square.features and len(square.features) > 1:
            yield odd("hatched", square.name)
        for lane, feature in enumerate(parts.GRID, 1):
            if feature in square.features and square.lane != lane:
                yield odd("grid-lane", square.name, feature=feature, lane=lane)
    count = Counter(feature for square in circuit.squares for feature in square.features)
    if count[parts.AMBULANCE] != 1:
        yield odd("ambulance", came=count[parts.AMBULANCE])
    if count[parts.OBSTACLE] > MOST_DOTS:
        yield odd("dots", most=MOST_DOTS, came=count[parts.OBSTACLE])
    grid = [count[feature] for feature in parts.GRID]
    if grid not in ([1, 1, 0, 0], [1, 1, 1, 0], [1, 1, 1, 1]):
        yield odd("grid")


def _links(circuit: Circuit) -> Faults:
    ahead_of: dict[str, str] = {}
    for square in circuit.squares:
        links = [link for link in square.links if link]
        for link in links:
            if link not in circuit:
                yield odd("link", square.name, came=link[:40])
        if square.name in links or len(set(links)) < len(links):
            yield odd("links-alike", square.name)
        if square.ahead and (other := ahead_of.setdefault(square.ahead, square.name)) != square.name:
            yield odd("ahead-twice", square.name, other=other, ahead=square.ahead)


def _sides(circuit: Circuit) -> Faults:
    """Left is the same side all round, and a diagonal leads to the next lane."""
    left: int | None = None
    for square in circuit.squares:
        for side, link in ((1, square.left), (-1, square.right)):
            if link is None:
                continue
            off = (circuit[link].lane - square.lane) * side
            if left is None and abs(off) == 1:
                left = off
            if off != left:
                yield odd("diagonal", square.name, came=link, lane=circuit[link].lane)


def _finish(circuit: Circuit) -> Faults:
    rows = [square.row for square in circuit.squares]
    if circuit.finish != (max(rows), min(rows)):
        yield odd("finish", "finish", last=max(rows), first=min(rows), came=f"{circuit.finish[0]} {circuit.finish[1]}")
        return
    for square in circuit.squares:
        for link in square.links:
            if link and circuit[link].row <= square.row and not circuit.crosses(square.name, link):
                yield odd("backwards", square.name, came=link, row=circuit[link].row)


def _yellow_lines(circuit: Circuit) -> Faults:
    for line in circuit.yellow_lines:
        for name in sorted(line.inside | line.outside):
            if name not in circuit:
                yield odd("link", line.name, came=name[:40])
        if not line.inside or not line.outside or line.inside & line.outside:
            yield odd("line-sides", line.name)


def _ice(circuit: Circuit) -> Faults:
    """On the ice, what is beside a square must be beside it however one looks; and nobody slides back over the line."""
    for name in sorted(circuit.ice):
        square = circuit[name]
        if any(link in circuit.ice and circuit.crosses(name, link) for link in square.links if link):
            yield odd("ice-line", name)
        lanes = [circuit[there].lane for there in besides(circuit, name)]
        if len(lanes) != len(set(lanes)) or any(abs(lane - square.lane) != 1 for lane in lanes):
            yield odd("ice-beside", name)


def _ways(circuit: Circuit) -> Faults:
    for name in circuit.grid:
        if not has_way_round(circuit, name, circuit.dots):
            yield odd("no-way", name)
    for name in dead_ends(circuit, circuit.dots):
        yield odd("dead-end", name)
