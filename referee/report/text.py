"""The report in words, for people at a table."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Protocol

from referee.model import Judgement, NearMiss, OtherReading, Reason, Report, Stage, UnseenStretch, one_line
from referee.report.gadgets import GADGETS, NONE_DRAWN, NOT_SEEN_BEFORE, gadget_words
from referee.report.places import whereabouts
from referee.report.words import (
    ALSO,
    DECIDED,
    NEAREST,
    NOT_SEEN,
    WHY,
    alone_words,
    answer_words,
    decision_words,
    event_of,
    event_words_in,
    miss_words,
    nearest_first,
    verdict_line,
)
from referee.words import Language, Phrase, joined, say, told

ELEMENTS = {
    "checkpoint": "checkpoint",
    "bridge": "bridge",
    "jump": "jump",
    "boost": "turbo boost",
    "oil-spill": "oil spill",
    "pipe": "pipe",
}
"""What a stage can have on it, by the words of `Described.elements`."""


class Described(Protocol):
    """A stage in figures: what a list of them needs to know of it."""

    @property
    def number(self) -> int:
        """Its number."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def theme(self) -> str:
        """What it looks like."""

    @property
    def difficulty(self) -> int | None:
        """From 1 to 5, if the file says."""

    @property
    def course_mm(self) -> float:
        """How long the course is."""

    @property
    def elements(self) -> dict[str, int]:
        """How many of each kind."""


class Setting(Protocol):
    """One decision of the rules: what a list of them needs to know of it."""

    @property
    def name(self) -> str:
        """The setting's name in a rules file."""

    @property
    def default(self) -> object:
        """A number, a truth value, a word, or several words."""

    @property
    def unit(self) -> str:
        """The default's unit, empty if it has none."""

    @property
    def rule(self) -> str:
        """The rule that it belongs to."""

    @property
    def says(self) -> str:
        """What it decides, in half a sentence."""


def text(report: Report, language: Language = "en") -> str:
    """One board's report: the verdict line first, then the events in order, then what stayed open.

    Where nothing could be judged it is one line: the picture, what is wrong with it, what to do.
    """
    return "\n".join(one_line(told(line, language)) for line in lines(report)) + "\n"


def lines(report: Report) -> Iterator[str]:
    """The lines of one board's report."""
    if report.failure is not None:
        why = {"message": report.failure.message, "hint": report.failure.hint}
        yield say("page.not-judged-line", heading=heading(report), **why)
        return
    judgement = report.judgement
    if judgement is None:
        raise ValueError("a report must carry a judgement or a failure, got neither")
    yield verdict_line(judgement)
    yield heading(report)
    yield from block(WHY, (reason_words(judgement, reason) for reason in judgement.reasons))
    yield from block(DECIDED, decisions_words(judgement))
    yield ""
    for event in judgement.events:
        yield joined(f"{event.seq + 1:3}.", event_words_in(judgement, event))
    yield from block(GADGETS, beforehand_words(report))
    yield from block(NEAREST, (near_miss_line(judgement, miss) for _, miss in nearest_first(judgement)))
    yield from block(NOT_SEEN, (unseen_words(stretch, report.stage) for stretch in judgement.unseen))
    yield from block(NOT_SEEN_BEFORE, (unseen_words(stretch, report.stage) for stretch in judgement.unseen_before))
    yield from block(ALSO, map(reading_words, report.other_readings))


def beforehand_words(report: Report) -> list[str]:
    """What was drawn on the board before the race; nothing where no picture tells."""
    if report.judgement is None or report.baseline is None:
        return []
    return [gadget_words(gadget, report.stage) for gadget in report.judgement.gadgets] or [NONE_DRAWN]


def heading(report: Report) -> str:
    """Which board in which picture."""
    source, stage = one_line(report.source), report.stage
    if stage is None:
        return source
    side = report.view.side if report.view else None
    key = "page.stage-copy" if report.copy else f"page.stage-{side}" if side else "page.stage"
    return say(key, number=stage.number, name=one_line(stage.name), copy=report.copy, source=source)


def near_miss_line(judgement: Judgement, miss: NearMiss) -> str:
    """A near miss with the number of its event in the list, if it has one."""
    event = event_of(judgement, miss)
    return joined(miss_words(miss, event), say("event-line.number", n=event.seq + 1) if event else "", sep=", ")


def reason_words(judgement: Judgement, reason: Reason) -> str:
    """Why the verdict is what it is; what a person's answer would make of it, if it waits for one."""
    return joined(reason.text, *(answer_words(judgement, reason.question) if reason.question else ()))


def decisions_words(judgement: Judgement) -> list[str]:
    """Who decided what, and what the referee says without it."""
    decided = [decision_words(decided) for decided in judgement.decided]
    return [*decided, alone_words(judgement)] if decided else []


def unseen_words(stretch: UnseenStretch, stage: Stage | None) -> Phrase:
    """A stretch of road that the picture does not show."""
    where = say("stretch.where", whereabouts=whereabouts(stage, stretch)) if stage else ""
    long, why = stretch.to_mm - stretch.from_mm, say(f"cover.{stretch.why}")
    return say("stretch.line", long=long, where=where, from_mm=stretch.from_mm, why=why)


def reading_words(reading: OtherReading) -> Phrase:
    """Another order of the strokes: its verdict and why it was not chosen."""
    accidents = say("accidents.some", n=reading.accidents) if reading.accidents else say("accidents.not-any")
    return say("reading.line", verdict=say(f"verdict.{reading.verdict}"), accidents=accidents, why=reading.why)


def block(title: Phrase, entries: Iterable[str]) -> Iterator[str]:
    """A titled list, or nothing where there is nothing to list."""
    for number, entry in enumerate(entries):
        if number == 0:
            yield ""
            yield say("page.title-of-list", title=title)
        yield joined("  -", entry)


def stages_text(stages: Iterable[Described]) -> str:
    """A line for each stage that the referee knows."""
    rows = [
        (
            str(s.number),
            one_line(s.name),
            one_line(s.theme),
            f"difficulty {s.difficulty}" if s.difficulty else "",
            f"{s.course_mm / 10:.0f} cm",
            elements(s),
        )
        for s in stages
    ]
    widths = [max((len(row[column]) for row in rows), default=0) for column in range(5)]
    return "".join(
        f"{row[0]:>{widths[0]}}  {row[1]:<{widths[1]}}  {row[2]:<{widths[2]}}  {row[3]:<{widths[3]}}"
        f"  {row[4]:>{widths[4]}}  {row[5]}".rstrip()
        + "\n"
        for row in rows
    )


def elements(stage: Described) -> str:
    """What a stage is made of, counted."""
    counted = [(stage.elements.get(kind, 0), word) for kind, word in ELEMENTS.items()]
    return ", ".join(f"{n} {word}{'s' if n > 1 else ''}" for n, word in counted if n)


def effects(stage: Stage) -> str:
    """What lies on a stage beside its road, counted."""
    counted = [
        (len(stage.checkpoints), "checkpoint"),
        (len(stage.jumps), "jump"),
        (len(stage.accelerations), "turbo boost"),
        (len(stage.oil_spills), "oil spill"),
        (len(stage.pipes), "pipe"),
    ]
    return ", ".join(f"{n} {word}{'s' if n > 1 else ''}" for n, word in counted if n)


def check_text(stage: Stage) -> str:
    """What a stage file that follows the format holds, in one line."""
    sections = f"{len(stage.sections)} section{'s' if len(stage.sections) != 1 else ''}"
    holds = ", ".join(part for part in (sections, effects(stage)) if part)
    return one_line(f"{stage.source}: good. Stage {stage.number}, {stage.name}: {holds}.")


def rules_text(settings: Iterable[Setting]) -> str:
    """Every decision of the rules: its name and default, its rule, and what it decides."""
    rows = [(f"{s.name} = {toml_value(s.default)} {s.unit}".rstrip(), s.rule, s.says) for s in settings]
    return "".join(f"{rule:<6}{setting}\n      {says}\n" for setting, rule, says in rows)


def rules_toml(settings: Iterable[Setting]) -> str:
    """The same as a rules file with every default in it, ready to be changed."""
    head = "# The settings of the rules, with their defaults. Keep the lines that you change.\n"
    lines = (f"\n# {s.rule}: {s.says}\n{s.name} = {toml_value(s.default)}{_unit(s.unit)}\n" for s in settings)
    return head + "".join(lines)


def toml_value(value: object) -> str:
    """A default as TOML writes it.

    >>> toml_value(True), toml_value(8.0), toml_value("coop"), toml_value(("a", "b"))
    ('true', '8.0', '"coop"', '["a", "b"]')
    """
    return json.dumps(list(value) if isinstance(value, tuple) else value)


def _unit(unit: str) -> str:
    return f"  # {unit}" if unit else ""
