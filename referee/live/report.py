"""What came of a race that was watched: judged in time, and its last clear frame judged as a photo beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import dist
from typing import Literal

from referee.live.sight import LiveCall
from referee.model import Copy, Event, Judgement, Reason, Report, Stage
from referee.words import say

SAME_MM = 10.0
ONLY_TIME_TELLS = ("lift",)
"""Causes that a photo may not show: the marker set down on the same spot.  The camera has decided it then."""
CLEARS = ("fair", "unfinished")
"""Verdicts of a photo that show no ignored accident."""

Doubt = Literal["not-empty", "ink-gone", "laid-on"]
"""Why a film cannot decide by itself: ink was there before it began; ink that an accident was called on is gone; at
its end something lies on the board that was not drawn."""


@dataclass(frozen=True)
class SectionTime:
    """How long a stretch took: from one line that was crossed to the next."""

    begins: str
    ends: str
    seconds: float


@dataclass(frozen=True)
class Disagreement:
    """Something that the film and the last clear frame tell otherwise; both stay."""

    what: str
    film: str
    photo: str
    event: Event | None = None
    """What only one of them has."""


@dataclass(frozen=True, eq=False)
class LiveReport:
    """One board's race.

    ``judgement`` is in time, ``at_s`` has one time for each of its events; None where no ink came.  ``photo`` is the
    report on the last clear frame, if there was one.  ``unseen_s`` are stretches (from, to) in which nothing was seen.
    """

    stage: Stage
    copy: Copy | None
    judgement: Judgement | None
    at_s: tuple[float, ...]
    calls: tuple[LiveCall, ...]
    photo: Report | None
    photo_at_s: float | None
    began_s: float | None
    finished_s: float | None
    unseen_s: tuple[tuple[float, float], ...] = ()
    path_mm_s: tuple[tuple[tuple[float, float, float], ...], ...] = ()
    """The path for a time-lapse: one row (x, y, second) a point, stroke by stroke."""
    doubts: tuple[Doubt, ...] = ()

    def settled(self) -> Judgement | None:
        """The judgement in time; but where the film cannot decide, a person does.

        Whom the last clear frame clears is not accused, nor anybody by ink from before the film, ink that went again,
        or what was laid on the board.

        A lift that was set down on the same spot is seen by the film alone, and stands; one that nobody saw, of which
        only the ink seems to tell, does not stand without a picture.
        """
        film, photo = self.judgement, self.photo.judgement if self.photo else None
        if film is None:
            return film
        if self.doubts:
            return replace(film, verdict="review", reasons=(*film.reasons, *map(_doubted, self.doubts)))
        if film.verdict != "ignored-accident":
            return film
        ignored = [e for e in film.events if e.kind == "accident" and e.outcome == "ignored"]
        if any(e.cause in ONLY_TIME_TELLS and e.decided is not None for e in ignored):
            return film
        if photo is None and all(e.cause in ONLY_TIME_TELLS for e in ignored):
            return replace(
                film, verdict="review", reasons=(Reason("lift-unseen", "R4", None, say("reason.lift-unseen")),)
            )
        if photo is None or photo.verdict not in CLEARS:
            return film
        return replace(
            film, verdict="review", reasons=(Reason("film-and-photo", "R3", None, say("reason.film-photo")),)
        )

    @property
    def seconds(self) -> float | None:
        """The race's time, from its start to its finish."""
        if self.began_s is None or self.finished_s is None:
            return None
        return self.finished_s - self.began_s

    def sections(self) -> tuple[SectionTime, ...]:
        """The times of the stretches between the lines that were crossed."""
        if self.judgement is None or self.began_s is None:
            return ()
        found, last, since = [], self.stage.start_id, self.began_s
        for event, at_s in zip(self.judgement.events, self.at_s, strict=True):
            if event.kind in ("checkpoint", "finish"):
                found.append(SectionTime(last, event.element or event.kind, round(at_s - since, 2)))
                last, since = event.element or event.kind, at_s
        return tuple(found)

    def disagreements(self) -> tuple[Disagreement, ...]:
        """Where the film and the last clear frame tell different things."""
        if self.judgement is None or self.photo is None:
            return ()
        if self.photo.judgement is None:
            why = self.photo.failure.message if self.photo.failure else ""
            return (Disagreement("verdict", self.judgement.verdict, why),)
        return tuple(_differences(self.judgement, self.photo.judgement))


def _doubted(doubt: Doubt) -> Reason:
    return Reason(doubt, "R3", None, say(f"reason.{doubt}"))


def _differences(film: Judgement, photo: Judgement) -> Sequence[Disagreement]:
    found = []
    if film.verdict != photo.verdict:
        found.append(Disagreement("verdict", film.verdict, photo.verdict))
    if film.accidents != photo.accidents:
        found.append(Disagreement("accidents", str(film.accidents), str(photo.accidents)))
    for mine, other, film_has in ((film, photo, True), (photo, film, False)):
        for event in mine.events:
            if event.kind in ("accident", "wipeout", "finish", "checkpoint") and not _has(other, event):
                told = " ".join(w for w in (event.kind, event.cause, event.element) if w)
                found.append(Disagreement(told, told if film_has else "", "" if film_has else told, event))
    return found


def _has(judgement: Judgement, event: Event) -> bool:
    return any(
        (e.kind, e.cause) == (event.kind, event.cause)
        and (e.element == event.element or dist(e.at_mm, event.at_mm) <= SAME_MM)
        for e in judgement.events
    )
