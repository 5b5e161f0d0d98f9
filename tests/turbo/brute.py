"""The steps of Turbo once more, written for nothing but being right: way after way, from the file's text.

It knows no module of the game: squares are attributes that a pattern finds, links are looked for among all squares.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

Said = dict[str, str]


@dataclass(frozen=True)
class Brute:
    """A circuit file as text."""

    squares: dict[str, Said]
    lines: list[Said]
    rows: tuple[int, int]

    def on(self, name: str, feature: str) -> bool:
        return feature in self.squares[name].get("features", "").split()

    def links(self, name: str) -> list[str]:
        said = self.squares[name]
        return [said[way] for way in ("ahead", "left", "right") if way in said]

    @cached_property
    def around(self) -> dict[str, list[str]]:
        """Where a step can lead from each square."""
        return {name: sorted(self.nearby(name) if self.on(name, "ice") else self.links(name)) for name in self.squares}

    def nearby(self, name: str) -> set[str]:
        """The up to eight squares round a square of the ice."""
        ahead = set(self.links(name))
        back = {other for other in self.squares if name in self.links(other)}
        beside = set()
        for other in self.squares:
            for side in ("left", "right"):
                mine, theirs = self.squares[name].get(side), self.squares[other].get(side)
                if mine and self.squares[other].get("ahead") == mine:
                    beside.add(other)
                if theirs and self.squares[name].get("ahead") == theirs:
                    beside.add(other)
        return ahead | back | beside

    def may_step(self, here: str, there: str, taken: set[str]) -> bool:
        forwards = there in self.links(here)
        if not forwards and not (self.on(here, "ice") and self.on(there, "ice")):
            return False
        if there in taken or self.on(there, "hatched") or self.crosses_yellow(here, there):
            return False
        return not self.slips(here, there, taken) and not self.slips(there, here, taken)

    def crosses_yellow(self, here: str, there: str) -> bool:
        return any(here in line["outside"].split() and there in line["inside"].split() for line in self.lines)

    def slips(self, here: str, there: str, taken: set[str]) -> bool:
        """Whether a diagonal from one to the other leads between two that are taken."""
        said = self.squares[here]
        if there not in (said.get("left"), said.get("right")):
            return False
        return said.get("ahead") in taken and any(self.squares[other].get("ahead") == there for other in taken)

    def over_line(self, here: str, there: str) -> bool:
        return (int(self.squares[here]["row"]), int(self.squares[there]["row"])) == self.rows

    def ways(self, here: str, lap: bool, number: int, taken: set[str]) -> Iterator[tuple[str, ...]]:
        """All ways, each as its squares."""
        if number == 0:
            yield ()
            return
        for there in self.around[here]:
            if not self.may_step(here, there, taken):
                continue
            if self.over_line(here, there) and lap:
                yield ("finish",)
            else:
                for rest in self.ways(there, lap or self.over_line(here, there), number - 1, taken):
                    yield (there, *rest)


def brute(svg: str) -> Brute:
    """The squares and lines of a file."""
    said = [dict(re.findall(r'(?:data-)?([a-z]+)="([^"]*)"', tag)) for tag in re.findall(r"<path [^>]*>", svg)]
    squares = {one["id"]: one for one in said if "lane" in one}
    lines = [one for one in said if "inside" in one]
    (finish,) = [one for one in said if "rows" in one]
    last, first = map(int, finish["rows"].split())
    return Brute(squares, lines, (last, first))
