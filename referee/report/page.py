"""One page with the evidence for every board of a run: a single file that asks nothing of the network."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from html import escape
from importlib.resources import files
from pathlib import Path

import cv2
import numpy as np

from referee.errors import WrongUsage
from referee.model import Event, Judgement, Photo, Reason, Report
from referee.report.board import board_svg, data_uri, event_label, jpeg, path_color, pin_class, questions, reading_svg
from referee.report.closeup import Picture, closeup, question_picture
from referee.report.gadgets import GADGETS, NOT_SEEN_BEFORE
from referee.report.text import beforehand_words, heading, reading_words, unseen_words
from referee.report.words import (
    ALSO,
    NEAREST,
    NOT_SEEN,
    PLUS_MINUS_SIGMAS,
    answer_words,
    event_of,
    event_words_in,
    miss_words,
    nearest_first,
    plus_minus_words,
    question_measured,
    verdict_line,
)

CLOSEUP_QUALITY = 88
THUMB_PX = 720
EDGE = '<span><span class="edge"></span> the edge that counts</span><span>↔ the distance measured</span>'
READINGS_SHOWN = 3
"""So many other orders of the strokes are shown as small boards."""
CLOSEUP_NAME = re.compile(r'"picture": "((?:board-\d+-)?near-miss-\d+\.jpg)"')

HEAD = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<title>{title}</title>
<style>{style}</style></head>
<body><header><h1>The camera referee's report</h1>{overview}</header>
<main>
"""
FOOT = "</main>\n<footer>Margins are millimetres on the printed board.</footer></body></html>\n"


class Page:
    """The out folder of one run: boards are added as they are judged, the page is written at the end.

    Only finished HTML is kept between boards, no photo.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = folder / "index.html"
        self.earlier = _named_by(folder / "report.json")
        self.written: set[str] = set()
        self.sheets: list[str] = []
        self.overview: list[str] = []

    def add(self, report: Report, *, several: bool) -> dict[int, str]:
        """Add one board; returns the file name of each near miss's close-up, by its place in the list.

        ``several`` says that the run has more boards than this one: its files then carry the board's number.
        """
        number = len(self.sheets) + 1
        pictures = closeups(report)
        prefix = f"board-{number}-" if several else ""
        names = {place: f"{prefix}near-miss-{place + 1}.jpg" for place in pictures}
        for place, name in names.items():
            _write(self.folder / name, jpeg(pictures[place], CLOSEUP_QUALITY))
            self.written.add(name)
        self.sheets.append(sheet(report, pictures, f"board-{number}"))
        self.overview.append(_overview_line(report, f"board-{number}"))
        return names

    def write(self, whole_json: str) -> None:
        """Write ``index.html`` and ``report.json`` (the same document that ``--json`` prints).

        Close-ups that only an earlier run's ``report.json`` named are cleared away.
        """
        overview = f'<ul class="overview">{"".join(self.overview)}</ul>' if len(self.sheets) > 1 else ""
        _write(self.path, page(self.sheets, overview).encode(errors="replace"))
        _write(self.folder / "report.json", whole_json.encode() + b"\n")
        for name in self.earlier - self.written:
            with suppress(OSError):  # what cannot be cleared away spoils nothing
                (self.folder / name).unlink()


def page(sheets: list[str], overview: str = "") -> str:
    """The whole page of these sheets."""
    title = "Referee's report" if len(sheets) == 1 else f"Referee's report: {len(sheets)} boards"
    return HEAD.format(title=title, style=_style(), overview=overview) + "\n".join(sheets) + FOOT


def closeups(report: Report) -> dict[int, Picture]:
    """A close-up of every near miss, by its place in the judgement's list; none where there is no picture to cut."""
    if report.judgement is None or report.photo is None or report.view is None or report.stage is None:
        return {}
    photo, view, stage = report.photo, report.view, report.stage
    return {
        place: closeup(photo, view, stage, miss, event_of(report.judgement, miss), report.judgement.gadgets)
        for place, miss in enumerate(report.judgement.near_misses)
    }


def sheet(report: Report, pictures: Mapping[int, Picture], key: str) -> str:
    """One board's part of the page; ``key`` is its anchor."""
    if report.judgement is None:
        return "".join(_failure(report, key))
    return "".join(_judged(report, report.judgement, pictures, key))


def _judged(report: Report, judgement: Judgement, pictures: Mapping[int, Picture], key: str) -> Iterator[str]:
    yield f'<section class="sheet {judgement.verdict}" id="{key}"><h2>{escape(verdict_line(judgement))}</h2>'
    yield f'<p class="which">{escape(heading(report))}</p>'
    yield from _list("", "why", [reason.text for reason in judgement.reasons if reason.question is None])
    yield from _questions(report, judgement, pictures, key)
    yield '<div class="evidence">'
    if report.photo is not None and report.view is not None:
        board = board_svg(report.photo, report.view, report.stage, judgement, key)
        yield f"<figure>{board}{_legend(judgement)}</figure>"
    yield f'<ol class="events">{"".join(_events(judgement, pictures, key))}</ol></div>'
    yield from _list(GADGETS, "why", beforehand_words(report))
    yield from _close_calls(judgement, pictures, key)
    before = [unseen_words(stretch, report.stage) for stretch in judgement.unseen_before]
    yield from _list(NOT_SEEN_BEFORE, "why", before)
    yield from _list(NOT_SEEN, "why", [unseen_words(stretch, report.stage) for stretch in judgement.unseen])
    yield from _readings(report, judgement, key)
    yield f"{_measured(report)}</section>"


# ------------------------------------------------------------------------------------------------- what is undecided


def _questions(report: Report, judgement: Judgement, pictures: Mapping[int, Picture], key: str) -> Iterator[str]:
    """A card for each thing that a person has to decide: where to look, what to ask, what the answers mean."""
    asking = questions(judgement)
    if not asking:
        return
    many = f"{len(asking)} places" if len(asking) > 1 else "this place"
    yield f'<div class="questions"><h3>Please look at {many} and decide</h3><div class="cards">'
    for number, (reason, label) in enumerate(asking, 1):
        picture = _question_picture(report, judgement, reason, pictures)
        yield f'<figure id="{key}-question-{number}">{_question_image(picture, reason)}'
        yield f"<figcaption>{''.join(_question_words(judgement, reason, label, key))}</figcaption></figure>"
    yield "</div>"
    if _hangs_on_order(judgement):
        yield from _small_boards(report, judgement, key)
    yield "</div>"


def _hangs_on_order(judgement: Judgement) -> bool:
    return any(reason.question is not None and reason.question.why == "order" for reason in judgement.reasons)


def _question_picture(
    report: Report, judgement: Judgement, reason: Reason, pictures: Mapping[int, Picture]
) -> Picture | None:
    """The close-up of a question's own near miss, if it has one; else one of its place."""
    measured = reason.event is not None and reason.question is not None and reason.question.why != "unseen"
    for place, miss in enumerate(judgement.near_misses):
        if measured and miss.event == reason.event and place in pictures:
            return pictures[place]
    if reason.question is None or report.photo is None or report.view is None or report.stage is None:
        return None
    return question_picture(report.photo, report.view, report.stage, judgement, reason.question)


def _question_image(picture: Picture | None, reason: Reason) -> str:
    if picture is None:
        return ""
    asked = escape(reason.question.ask if reason.question else "")
    return f'<img alt="Where to look: {asked}" src="{data_uri(picture, CLOSEUP_QUALITY)}">'


def _question_words(judgement: Judgement, reason: Reason, label: str, key: str) -> Iterator[str]:
    question = reason.question
    if question is None:
        return
    badge = f'<span class="number">{label}</span>'
    if reason.event is not None:
        badge = f'<a href="#{key}-event-{reason.event + 1}">{badge}</a>'
    yield f'<p class="ask doubt">{badge} <b>{escape(question.ask)}</b></p>'
    if question.why == "order":
        yield f"<p>{escape(reason.text)}</p>"
    elif question.why == "unseen":
        yield "<p>The picture does not show it: look at the board itself, if you still have it.</p>"
    else:
        yield f"<p>{bound(escape(question_measured(question)))}</p>"
    answers = "".join(f"<li>{escape(answer)}</li>" for answer in answer_words(judgement, question))
    yield f'<ul class="answers">{answers}</ul>' if answers else ""


def _readings(report: Report, judgement: Judgement, key: str) -> Iterator[str]:
    """The other orders of the strokes in words, and as small boards for who wants to see them."""
    yield from _list(ALSO, "why", [reading_words(other) for other in report.other_readings])
    boards = "" if _hangs_on_order(judgement) else "".join(_small_boards(report, judgement, key))
    if boards:
        yield f"<details><summary>Show them</summary>{boards}</details>"


def _small_boards(report: Report, judgement: Judgement, key: str) -> Iterator[str]:
    """The order that the referee took and the likeliest others, side by side."""
    others = [other for other in report.other_readings if other.judgement is not None and other.judgement.path]
    if report.view is None or report.photo is None or not others:
        return
    yield '<p class="legend">The numbers: which stroke was drawn first, second and so on. A cross: an accident.</p>'
    yield '<div class="cards">'
    boards = [(judgement, f"As the referee reads it: {verdict_line(judgement)}")]
    boards += [(other.judgement, f"Or: {reading_words(other)}") for other in others[:READINGS_SHOWN] if other.judgement]
    for reading, words in boards:
        svg = reading_svg(report.view, reading, key, words)
        yield f"<figure>{svg}<figcaption>{escape(words)}</figcaption></figure>"
    yield "</div>"


def _failure(report: Report, key: str) -> Iterator[str]:
    if report.failure is None:
        raise ValueError("a report must carry a judgement or a failure, got neither")
    yield f'<section class="sheet error" id="{key}"><h2>NOT JUDGED: {escape(report.failure.message)}</h2>'
    yield f'<p class="which">{escape(heading(report))}</p><p class="hint">{escape(report.failure.hint)}</p>'
    if report.photo is not None:
        yield f'<img class="thumb" alt="The picture" src="{data_uri(_thumb(report.photo))}">'
    yield "</section>"


def _overview_line(report: Report, key: str) -> str:
    judgement, failure = report.judgement, report.failure
    tone = judgement.verdict if judgement else "error"
    words = verdict_line(judgement) if judgement else f"NOT JUDGED: {failure.message if failure else ''}"
    return f'<li class="{tone}"><a href="#{key}">{escape(heading(report))}</a> <b>{escape(words)}</b></li>'


def _legend(judgement: Judgement) -> str:
    unseen = '<span><span class="hatched"></span> not to be seen</span>' if judgement.unseen else ""
    colors = ", ".join(path_color(share) for share in np.linspace(0, 1, 9))
    drawn = '<span><span class="drawn"></span> drawn before the race</span>' if judgement.gadgets else ""
    return (
        f'<figcaption class="legend"><span>start<span class="gradient" '
        f'style="background:linear-gradient(90deg, {colors})"></span>finish</span>{unseen}{drawn}'
        '<label><input type="checkbox" class="hide-path"> hide the path</label>'
        '<label><input type="checkbox" class="hide-pins"> hide the pins</label></figcaption>'
    )


def _events(judgement: Judgement, pictures: Mapping[int, Picture], key: str) -> Iterator[str]:
    shown = {miss.event: f"closeup-{n + 1}" for n, miss in enumerate(judgement.near_misses) if n in pictures}
    shown |= {reason.event: f"question-{n}" for n, (reason, _) in enumerate(questions(judgement), 1)}
    for event in judgement.events:
        words, link = bound(escape(event_words_in(judgement, event))), ""
        if event.seq in shown:
            link = f' <a class="to-closeup" href="#{key}-{shown[event.seq]}">close-up</a>'
        yield (
            f'<li id="{key}-event-{event.seq + 1}" class="{pin_class(judgement, event)}"><span class="number">'
            f"{event_label(judgement, event)}</span><span>{words}{link}</span></li>"
        )


def _close_calls(judgement: Judgement, pictures: Mapping[int, Picture], key: str) -> Iterator[str]:
    if not judgement.near_misses:
        return
    edge = EDGE if pictures else ""
    plus_minus = escape(plus_minus_words(judgement.terms))
    yield f'<h3>{NEAREST}</h3><p class="legend">{edge}<span>{plus_minus}</span></p><div class="closeups">'
    for place, miss in nearest_first(judgement):
        event = event_of(judgement, miss)
        words = bound(escape(miss_words(miss, event)))
        image = ""
        if place in pictures:
            image = f'<img alt="Close-up: {words}" src="{data_uri(pictures[place], CLOSEUP_QUALITY)}">'
        caption = f"<figcaption>{_number(judgement, event, key)}{words}</figcaption>"
        yield f'<figure id="{key}-closeup-{place + 1}">{image}{caption}</figure>'
    yield "</div>"


def bound(words: str) -> str:
    """Words in which no line ends between a number and its unit.

    >>> bound("0.61 mm (± 0.18 mm)") == "0.61\\u00a0mm (±\\u00a00.18\\u00a0mm)"
    True
    """
    return re.sub(r"(?<=\d) (?=mm\b)|(?<=±) ", "\u00a0", words)


def _number(judgement: Judgement, event: Event | None, key: str) -> str:
    """An event's number, as a link to the list."""
    if event is None:
        return ""
    anchor, label = f"#{key}-event-{event.seq + 1}", event_label(judgement, event)
    return f'<a class="{pin_class(judgement, event)}" href="{anchor}"><span class="number">{label}</span></a> '


def _list(title: str, css: str, entries: Iterator[str] | list[str] | map[str]) -> Iterator[str]:
    lines = "".join(f"<li>{escape(entry)}</li>" for entry in entries)
    if lines:
        yield f"<h3>{title}</h3>" if title else ""
        yield f'<ul class="{css}">{lines}</ul>'


def _measured(report: Report) -> str:
    """How the board was found and how well it is seen."""
    facts = []
    if report.view is not None:
        facts.append(f"Found by its {report.view.found_by}, {report.view.scale_px_per_mm():.1f} pixels a millimetre.")
    if report.uncertainty_mm is not None:
        facts.append(f"A margin is usually right to ± {PLUS_MINUS_SIGMAS * report.uncertainty_mm:.2f} mm.")
    if "total" in report.timing_ms:
        facts.append(f"Judged in {report.timing_ms['total'] / 1000:.1f} s.")
    return f"<details><summary>How it was measured</summary><p>{' '.join(facts)}</p></details>" if facts else ""


def _thumb(photo: Photo) -> Picture:
    h, w = photo.bgr.shape[:2]
    scale = min(1.0, THUMB_PX / max(h, w))
    size = (max(1, round(w * scale)), max(1, round(h * scale)))
    return np.asarray(cv2.resize(photo.bgr, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _style() -> str:
    return files("referee.report").joinpath("page.css").read_text(encoding="utf-8")


def _named_by(report_json: Path) -> set[str]:
    """The close-ups that an earlier run left in the folder."""
    try:
        return set(CLOSEUP_NAME.findall(report_json.read_text(encoding="utf-8", errors="replace")))
    except OSError:  # none there, or none of ours
        return set()


def _write(path: Path, content: bytes) -> None:
    try:
        path.write_bytes(content)
    except OSError as error:
        raise WrongUsage(f"{path} cannot be written: {error.strerror}.", "Name another folder for --out.") from error
