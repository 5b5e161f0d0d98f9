"""A watched race as it is told afterwards: film and picture beside each other, the path in time, sections, events."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Literal

from referee.model import Json
from referee.service import language, stages
from referee.service.app import the
from referee.service.checks import shelf as photos
from referee.service.checks.shelf import Board as PhotoBoard
from referee.service.checks.shelf import Check
from referee.service.live import shelf
from referee.service.live.shelf import Kept
from referee.service.telling import clock_words, stage_shown, stage_words

BOARD_MM = (297.0, 210.0)
DECISIONS = ("fair", "ignored-accident", "unfinished")
LINES = ("start", "checkpoint", "finish")
"""What parts a drive into sections."""
BRIEF = ("t_s", "what", "element", "x_mm", "y_mm", "margin_mm", "certain", "team")

By = Literal["person", "film", "picture", "both"]


def verdict_of(board: Json) -> tuple[str | None, By]:
    """A board's verdict, and who says so.

    A person goes before all.  Where film and picture say the same, both do; where only one could be judged, that one;
    where they differ, nobody is accused: `review`.
    """
    film, still = board["film"].get("verdict"), (board["still"] or {}).get("verdict")
    if (decided := board.get("decided")) is not None:
        return decided, "person"
    if film is None or still is None:
        return (film, "film") if film is not None else (still, "picture")
    return (film, "both") if film == still else ("review", "both")


@dataclass(frozen=True)
class Told:
    """A race, told."""

    kept: Kept

    @property
    def boards(self) -> list[ToldBoard]:
        """Its boards."""
        pairs = zip(self.kept.record["boards"], self.kept.checks, strict=True)
        return [ToldBoard(self, number, board, check) for number, (board, check) in enumerate(pairs)]

    @property
    def noises(self) -> list[Json]:
        """What the microphone heard, with the time on the race's clock."""
        go = self.zero_ms
        return [noise | {"t_ms": noise["at_ms"] - go} for noise in self.kept.record["noises"]]

    @property
    def zero_ms(self) -> int:
        """The moment at which the clock began: Go, else the first start."""
        record = self.kept.record
        if record["go_ms"] is not None:
            return int(record["go_ms"])
        starts = [call["at_s"] for call in record["calls"] if call["kind"] == "start"]
        return round(min(starts) * 1000) if starts else 0

    @property
    def is_silent(self) -> bool:
        """Whether the challenge that it counted for asks for silence."""
        return bool(self.kept.record.get("silent"))

    def unwatched(self) -> list[tuple[int, int]]:
        """The stretches of the race, in ms of its clock, of which the page itself knows that its camera was away."""
        zero = self.zero_ms
        return [(max(0, a - zero), b - zero) for a, b in self.kept.record["blind"] if b > zero]


@dataclass(frozen=True)
class ToldBoard:
    """One board of it."""

    told: Told
    number: int
    board: Json
    check_id: str | None

    @property
    def team(self) -> str | None:
        """A or B; None without markers."""
        copy: str | None = self.board["copy"]
        return copy

    @property
    def name(self) -> str:
        """The team, or the stage."""
        if self.team is not None and len(self.told.kept.record["boards"]) > 1:
            return language.say(f"live.lane.{self.team.lower()}")
        return stage_words(self.board["stage"])

    @property
    def stage(self) -> str:
        """The stage, for a page."""
        return stage_shown(self.board["stage"])

    @property
    def stage_plain(self) -> str:
        """The stage, for a title."""
        return stage_words(self.board["stage"])

    @cached_property
    def check(self) -> Check | None:
        """The check of its last clear picture."""
        return None if self.check_id is None else photos.found(the().store, self.check_id)

    @property
    def is_judging(self) -> bool:
        """Whether that picture is being judged."""
        return self.check is not None and self.check.state in ("waiting", "running")

    @property
    def photo(self) -> PhotoBoard | None:
        """The board in that picture, as it was judged."""
        if self.check is None or self.check.state != "judged":
            return None
        mine = [board for board in self.check.boards if board.copy == self.team]
        return next(iter([*mine, *self.check.boards]), None)

    @property
    def film(self) -> Json:
        """The film's report, or its failure."""
        found: Json = self.board["film"]
        return found

    @property
    def still(self) -> Json | None:
        """The report of the last clear picture: the worker's, once it is there, else the eye's own."""
        photo = self.photo
        if photo is not None and photo.report is not None:
            return photo.report
        found: Json | None = self.board["still"]
        return found

    @property
    def verdict(self) -> str | None:
        """What counts."""
        return verdict_of(self.board | {"still": self.still})[0]

    @property
    def by(self) -> By:
        """Who says so."""
        return verdict_of(self.board | {"still": self.still})[1]

    @property
    def differ(self) -> bool:
        """Whether film and picture do not say the same."""
        still = (self.still or {}).get("verdict")
        return still is not None and self.film.get("verdict") is not None and still != self.film["verdict"]

    @property
    def agree(self) -> bool:
        """Whether both were judged, and say the same."""
        return (self.still or {}).get("verdict") is not None and self.still["verdict"] == self.film.get("verdict")  # type: ignore[index]

    @property
    def time_ms(self) -> int | None:
        """What its clock showed."""
        elapsed = self.board["elapsed_s"]
        return None if elapsed is None else round(elapsed * 1000)

    @property
    def clock(self) -> str:
        """The same in words."""
        return "" if self.time_ms is None else clock_words(self.time_ms)

    def since_start_ms(self, at_s: float) -> int:
        """A moment on the race's clock."""
        return round(at_s * 1000) - self.told.zero_ms

    @property
    def unseen_ms(self) -> list[tuple[int, int]]:
        """When nobody watched it, on the race's clock."""
        return [(max(0, self.since_start_ms(a)), self.since_start_ms(b)) for a, b in self.board["unseen"]]

    @property
    def events(self) -> list[Json]:
        """The film's events with their time on the clock, ``t_ms``; those without one have None."""
        return [
            event | {"t_ms": None if event.get("at_s") is None else self.since_start_ms(event["at_s"])}
            for event in self.film.get("events", [])
        ]

    @property
    def whole_ms(self) -> int:
        """How long its time line is."""
        times = [event["t_ms"] for event in self.events if event["t_ms"] is not None]
        return int(max([1, *times, *(end for _, end in self.unseen_ms)]))

    @property
    def size(self) -> tuple[float, float]:
        """The board's size in mm."""
        stage = stages.found(the().settings, self.board["stage"])
        return stage.size_mm if stage is not None else BOARD_MM

    @property
    def has_picture(self) -> bool:
        """Whether there is a picture of its stage."""
        return self.board["stage"] in stages.names(the().settings)

    @property
    def whole_path(self) -> str:
        """The path as SVG draws it."""
        told, lifted = [], True
        for point in self.board["lapse"]:
            told.append("" if point is None else f"{'M' if lifted else 'L'}{point[0]:g} {point[1]:g}")
            lifted = point is None
        return "".join(told)

    @property
    def lapse_from_s(self) -> float:
        """The time on the race's clock at which its path begins."""
        times = [point[2] for point in self.board["lapse"] if point is not None]
        return max(0.0, self.since_start_ms(min(times)) / 1000) if times else 0.0

    def sections(self) -> Iterator[Json]:
        """From line to line: names, when it began, and how long it took, in ms."""
        lines = [event for event in self.events if event["kind"] in LINES and event["t_ms"] is not None]
        for before, here in pairwise(lines):
            yield {
                "from": place_words(before),
                "to": place_words(here),
                "at_ms": max(0, before["t_ms"]),
                "took_ms": max(0, here["t_ms"] - max(0, before["t_ms"])),
            }


def place_words(event: Json) -> str:
    """A line's name: the start, checkpoint 2, the finish."""
    number = number_of(event.get("element"))
    if event["kind"] == "checkpoint" and number is not None:
        return language.say("live.call.checkpoint", number=number)
    return language.say({"checkpoint": "live.call.checkpoint_plain"}.get(event["kind"], f"live.place.{event['kind']}"))


def number_of(element: str | None) -> int | None:
    """The number of an element.

    >>> number_of("checkpoint-2"), number_of("start-arrow"), number_of(None)
    (2, None, None)
    """
    last = (element or "").rpartition("-")[2]
    return int(last) if last.isascii() and last.isdecimal() and len(last) < 4 else None


def event_words(event: Mapping[str, object]) -> str:
    """An event of a report, or a call, in the words of the call."""
    kind, number = str(event["kind"]), event.get("number") or number_of(str(event.get("element") or ""))
    if kind == "accident":
        return accident_words(event)
    if kind == "checkpoint":
        plain = number is None
        return (
            language.say("live.call.checkpoint_plain") if plain else language.say("live.call.checkpoint", number=number)
        )
    if kind == "donut":
        count = event.get("number")
        told = {"number": count, "of": event.get("of") or 3}
        return language.say("live.call.donut", **told) if count else language.say("live.call.donut_plain")
    return language.say(f"live.call.{kind}")


def accident_words(event: Mapping[str, object]) -> str:
    """An accident: never an accusation where it is too close to call."""
    if event.get("certain") is False:
        return language.say("live.call.doubtful")
    cause = event.get("cause")
    restart = event.get("restart_element")
    words = language.say("live.call.accident", back=back_words(restart)) if restart else language.say("live.call.crash")
    return f"{words} ({language.say(f'live.cause.{cause}')})" if cause else words


def back_words(restart: object) -> str:
    """Where the car goes back to."""
    number = number_of(str(restart or ""))
    if number is not None and str(restart).startswith("checkpoint"):
        return language.say("live.call.back", number=number)
    if str(restart or "").startswith("start"):
        return language.say("live.call.back_start")
    return language.say("live.call.back_plain")


def as_json(told: Told) -> Json:
    """A race as the API and the export tell it."""
    kept = told.kept
    return {
        "id": kept.id,
        "created_at": kept.created_at,
        "challenge": kept.run or None,
        "race": kept.race or None,
        "boards": [_board(board) for board in told.boards],
        "calls": kept.record["calls"],
        "noises": [{name: noise[name] for name in ("t_ms", "peak_db", "room_db", "levels")} for noise in told.noises],
        "unwatched_ms": [list(pair) for pair in told.unwatched()],
    }


def _board(board: ToldBoard) -> Json:
    return {
        "team": board.team,
        "stage": board.board["stage"],
        "verdict": board.verdict,
        "by": board.by,
        "time_ms": board.time_ms,
        "film": board.film,
        "picture": board.still,
        "check": board.check_id if board.check is not None else None,
        "differ": board.differ,
        "path_in_time": board.board["lapse"],
        "sections": list(board.sections()),
        "unseen_ms": [list(pair) for pair in board.unseen_ms],
    }


def as_csv(told: Told) -> str:
    """The events of a race as a table: one line each, in the order of time."""
    rows = io.StringIO()
    table = csv.writer(rows)
    table.writerow(BRIEF)
    table.writerows(row for _, row in sorted(_rows(told), key=lambda pair: pair[0]))
    return rows.getvalue()


def _rows(told: Told) -> Iterator[tuple[float, list[object]]]:
    for board in told.boards:
        for event in board.events:
            if event["t_ms"] is None:
                continue
            at = event["t_ms"] / 1000
            place = [event.get("element") or "", *event["at_mm"], event.get("margin_mm"), event.get("certain", True)]
            yield at, [f"{at:.2f}", event["kind"], *place, board.team or ""]
    for noise in told.noises:
        at = noise["t_ms"] / 1000
        yield (
            at,
            [f"{at:.2f}", "noise-in-pipe" if noise["in_pipe"] else "noise", "", "", "", "", "", noise["team"] or ""],
        )


def found(id: str) -> Told | None:
    """A race by its id."""
    kept = shelf.found(the().store, id) if len(id) <= 32 else None
    return None if kept is None else Told(kept)
