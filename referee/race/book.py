"""R13: the challenges that a family has won; they are checked off, and stay so."""

from __future__ import annotations

from dataclasses import dataclass, replace

from referee.errors import Refused
from referee.model import Json
from referee.race import stored
from referee.race.challenge import Run, marks, phase, time
from referee.race.clock import Instant
from referee.rules.challenges import CHALLENGES

FORMAT = 1


@dataclass(frozen=True)
class Win:
    """One won run: which, by whom, on which stages, in what time, and when by the wall clock.

    ``on_honour`` if a stage was not judged from a picture, ``by_wall`` if the time hangs on the wall clock.
    """

    run: str
    challenge: str
    team: tuple[str, ...]
    stages: tuple[int, ...]
    total_ms: int
    on_honour: bool
    by_wall: bool
    wall_ms: int

    def __post_init__(self) -> None:
        known = CHALLENGES.get(self.challenge)
        if known is None or not 0 <= self.total_ms < known.target_ms:
            raise ValueError(f"{self.challenge[:40]!r} is not won in {self.total_ms} ms")


@dataclass(frozen=True)
class Book:
    """Every win of a family, in the order in which they came; a run wins once."""

    wins: tuple[Win, ...] = ()

    def __post_init__(self) -> None:
        if len({win.run for win in self.wins}) < len(self.wins):
            raise ValueError("a run wins a challenge once only")

    @property
    def checked(self) -> frozenset[str]:
        """The ids of the challenges that are checked off."""
        return frozenset(win.challenge for win in self.wins)

    def best(self, challenge: str) -> Win | None:
        """The quickest win of a challenge, the earliest of equal ones; None if it was never won."""
        return min((win for win in self.wins if win.challenge == challenge), key=lambda win: win.total_ms, default=None)


def with_win(book: Book, run: Run, now: Instant) -> Book:
    """The book with a won run in it; the same book if it is there. Refused for practice, and for what is not won."""
    if phase(run) != "won":
        raise Refused("not-won", "Only a challenge that was won is checked off.", "Win it first.")
    if run.practice:
        raise Refused("practice", "A practice run counts for nothing.", "Run the challenge again, not as practice.")
    if any(win.run == run.id for win in book.wins):
        return book
    codes, total = {mark.code for mark in marks(run)}, time(run)
    win = Win(
        run.id, run.challenge, run.team, run.stages, total.ms, "on-honour" in codes, total.by_wall, wall_ms=now.wall_ms
    )
    return replace(book, wins=(*book.wins, win))


def without(book: Book, run_id: str) -> Book:
    """The book without a run, after a decision that it hung on was taken back; a challenge with another win stays."""
    return replace(book, wins=tuple(win for win in book.wins if win.run != run_id))


def kept(book: Book) -> Json:
    """The book as plain JSON."""
    return stored.kept(book, FORMAT)


def brought_back(found: object) -> Book:
    """The book that `kept` stored; BadState if it is damaged or of another format."""
    return stored.brought_back(Book, found, FORMAT, "book")
