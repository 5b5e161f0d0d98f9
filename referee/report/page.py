"""One page with the evidence for every board of a run: a single file that asks nothing of the network."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
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
from referee.report.text import beforehand_words, decisions_words, heading, reading_words, unseen_words
from referee.report.words import (
    ALSO,
    DECIDED,
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
from referee.words import Language, joined, say, told

CLOSEUP_QUALITY = 88
THUMB_PX = 720
READINGS_SHOWN = 3
"""So many other orders of the strokes are shown as small boards."""
CLOSEUP_NAME = re.compile(r'"picture": "((?:board-\d+-)?near-miss-\d+\.jpg)"')

HEAD = """<!doctype html>
<html lang="{language}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<title>{title}</title>
<style>{style}</style></head>
<body><header><h1>{heading}</h1>{overview}</header>
<main>
"""
FOOT = "</main>\n<footer>{foot}</footer></body></html>\n"


def html(text: str, language: Language) -> str:
    """A text as it stands on the page, in its language."""
    return escape(told(text, language))


class Page:
    """The out folder of one run: boards are added as they are judged, the page is written at the end.

    Only finished HTML is kept between boards, no photo.
    """

    def __init__(self, folder: Path, language: Language = "en") -> None:
        self.folder = folder
        self.language = language
        self.path = folder / "index.html"
        self.earlier = _named_by(folder / "report.json")
        self.written: set[str] = set()
        self.sheets: list[str] = []
        self.overview: list[tuple[int, str]] = []

    def add(self, report: Report, *, several: bool) -> dict[int, str]:
        """Add one board; returns the file name of each near miss's close-up, by its place in the list.

        ``several`` says that the run has more boards than this one: its files then carry the board's number.
        """
        number = len(self.sheets) + 1
        pictures = closeups(report, self.language)
        prefix = f"board-{number}-" if several else ""
        names = {place: f"{prefix}near-miss-{place + 1}.jpg" for place in pictures}
        for place, name in names.items():
            _write(self.folder / name, jpeg(pictures[place], CLOSEUP_QUALITY))
            self.written.add(name)
        self.sheets.append(sheet(report, pictures, f"board-{number}", self.language))
        self.overview.append((_urgency(report), _overview_line(report, f"board-{number}", self.language)))
        return names

    def write(self, whole_json: str) -> None:
        """Write ``index.html`` and ``report.json`` (the same document that ``--json`` prints).

        Close-ups that only an earlier run's ``report.json`` named are cleared away.
        """
        overview = _overview(self.overview, self.language) if len(self.sheets) > 1 else ""
        _write(self.path, page(self.sheets, overview, self.language).encode(errors="replace"))
        _write(self.folder / "report.json", whole_json.encode() + b"\n")
        for name in self.earlier - self.written:
            with suppress(OSError):  # what cannot be cleared away spoils nothing
                (self.folder / name).unlink()


def page(sheets: list[str], overview: str = "", language: Language = "en") -> str:
    """The whole page of these sheets."""
    title = say("page.title") if len(sheets) == 1 else say("page.title-many", n=len(sheets))
    heading = html(say("page.heading"), language)
    head = HEAD.format(
        language=language, title=html(title, language), style=_style(), heading=heading, overview=overview
    )
    return head + "\n".join(sheets) + FOOT.format(foot=html(say("page.foot"), language))


def closeups(report: Report, language: Language = "en") -> dict[int, Picture]:
    """A close-up of every near miss, by its place in the judgement's list; none where there is no picture to cut."""
    if report.judgement is None or report.photo is None or report.view is None or report.stage is None:
        return {}
    photo, view, stage = report.photo, report.view, report.stage
    return {
        place: closeup(photo, view, stage, miss, event_of(report.judgement, miss), report.judgement.gadgets, language)
        for place, miss in enumerate(report.judgement.near_misses)
    }


def sheet(report: Report, pictures: Mapping[int, Picture], key: str, language: Language = "en") -> str:
    """One board's part of the page; ``key`` is its anchor."""
    if report.judgement is None:
        return "".join(_failure(report, key, language))
    return "".join(_judged(report, report.judgement, pictures, key, language))


def _judged(
    report: Report, judgement: Judgement, pictures: Mapping[int, Picture], key: str, language: Language
) -> Iterator[str]:
    yield f'<section class="sheet {judgement.verdict}" id="{key}"><h2>{html(verdict_line(judgement), language)}</h2>'
    yield f'<p class="which">{html(heading(report), language)}</p>'
    yield from _list("", "why", [r.text for r in judgement.reasons if r.question is None], language)
    yield from _questions(report, judgement, pictures, key, language)
    yield from _list(DECIDED, "why decided", decisions_words(judgement), language)
    yield '<div class="evidence">'
    if report.photo is not None and report.view is not None:
        board = board_svg(report.photo, report.view, report.stage, judgement, key, language)
        yield f"<figure>{board}{_legend(judgement, language)}</figure>"
    yield f'<ol class="events">{"".join(_events(judgement, pictures, key, language))}</ol></div>'
    yield from _list(GADGETS, "why", beforehand_words(report), language)
    yield from _close_calls(judgement, pictures, key, language)
    before = [unseen_words(stretch, report.stage) for stretch in judgement.unseen_before]
    yield from _list(NOT_SEEN_BEFORE, "why", before, language)
    yield from _list(NOT_SEEN, "why", [unseen_words(s, report.stage) for s in judgement.unseen], language)
    yield from _readings(report, judgement, key, language)
    yield f"{_measured(report, language)}</section>"


# ------------------------------------------------------------------------------------------------- what is undecided


def _questions(
    report: Report, judgement: Judgement, pictures: Mapping[int, Picture], key: str, language: Language
) -> Iterator[str]:
    """A card for each thing that a person has to decide: where to look, what to ask, what the answers mean."""
    asking = questions(judgement)
    if not asking:
        return
    title = say("page.look-at-many", n=len(asking)) if len(asking) > 1 else say("page.look-at-this")
    yield f'<div class="questions"><h3>{html(title, language)}</h3><div class="cards">'
    for number, (reason, label) in enumerate(asking, 1):
        picture = _question_picture(report, judgement, reason, pictures)
        yield f'<figure id="{key}-question-{number}">{_question_image(picture, reason, language)}'
        words = "".join(_question_words(judgement, reason, label, key, language))
        yield f"<figcaption>{words}</figcaption></figure>"
    yield "</div>"
    if _hangs_on_order(judgement):
        yield from _small_boards(report, judgement, key, language)
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


def _question_image(picture: Picture | None, reason: Reason, language: Language) -> str:
    if picture is None:
        return ""
    where = say("page.where-to-look", ask=reason.question.ask if reason.question else "")
    return f'<img alt="{html(where, language)}" src="{data_uri(picture, CLOSEUP_QUALITY)}">'


def _question_words(judgement: Judgement, reason: Reason, label: str, key: str, language: Language) -> Iterator[str]:
    question = reason.question
    if question is None:
        return
    badge = f'<span class="number">{label}</span>'
    if reason.event is not None:
        badge = f'<a href="#{key}-event-{reason.event + 1}">{badge}</a>'
    yield f'<p class="ask doubt">{badge} <b>{html(question.ask, language)}</b></p>'
    if question.why == "order":
        yield f"<p>{html(reason.text, language)}</p>"
    elif question.why == "unseen":
        yield f"<p>{html(say('page.look-at-board'), language)}</p>"
    else:
        yield f"<p>{bound(html(question_measured(question), language))}</p>"
    answers = "".join(f"<li>{html(answer, language)}</li>" for answer in answer_words(judgement, question))
    yield f'<ul class="answers">{answers}</ul>' if answers else ""


def _readings(report: Report, judgement: Judgement, key: str, language: Language) -> Iterator[str]:
    """The other orders of the strokes in words, and as small boards for who wants to see them."""
    yield from _list(ALSO, "why", [reading_words(other) for other in report.other_readings], language)
    boards = "" if _hangs_on_order(judgement) else "".join(_small_boards(report, judgement, key, language))
    if boards:
        yield f"<details><summary>{html(say('page.show-them'), language)}</summary>{boards}</details>"


def _small_boards(report: Report, judgement: Judgement, key: str, language: Language) -> Iterator[str]:
    """The order that the referee took and the likeliest others, side by side."""
    others = [other for other in report.other_readings if other.judgement is not None and other.judgement.path]
    if report.view is None or report.photo is None or not others:
        return
    yield f'<p class="legend">{html(say("page.numbers"), language)}</p>'
    yield '<div class="cards">'
    boards = [(judgement, say("reading.as-taken", line=verdict_line(judgement)))]
    for other in others[:READINGS_SHOWN]:
        if other.judgement:
            boards.append((other.judgement, say("reading.or", line=reading_words(other))))
    for reading, words in boards:
        svg = reading_svg(report.view, reading, key, told(words, language))
        yield f"<figure>{svg}<figcaption>{html(words, language)}</figcaption></figure>"
    yield "</div>"


def _failure(report: Report, key: str, language: Language) -> Iterator[str]:
    failure = report.failure
    if failure is None:
        raise ValueError("a report must carry a judgement or a failure, got neither")
    title = html(say("page.not-judged", message=failure.message), language)
    yield f'<section class="sheet error" id="{key}"><h2>{title}</h2>'
    yield f'<p class="which">{html(heading(report), language)}</p><p class="hint">{html(failure.hint, language)}</p>'
    if report.photo is not None:
        alt = html(say("page.the-picture"), language)
        yield f'<img class="thumb" alt="{alt}" src="{data_uri(_thumb(report.photo))}">'
    yield "</section>"


# ------------------------------------------------------------------------------------------------- what lies beside it


def _urgency(report: Report) -> int:
    """What needs a person goes first, then what could not be judged."""
    if report.judgement is None:
        return 1
    return 0 if report.judgement.verdict == "review" else 2


def _overview(lines: Sequence[tuple[int, str]], language: Language) -> str:
    """The list of all boards, in an order that it names where it is not the one given."""
    ordered = sorted(lines, key=lambda line: line[0])
    told_order = f'<p class="which">{html(say("page.order"), language)}</p>' if ordered != list(lines) else ""
    return f'{told_order}<ul class="overview">{"".join(line for _, line in ordered)}</ul>'


def _overview_line(report: Report, key: str, language: Language) -> str:
    judgement, failure = report.judgement, report.failure
    tone = judgement.verdict if judgement else "error"
    words = verdict_line(judgement) if judgement else say("page.not-judged", message=failure.message if failure else "")
    link = f'<a href="#{key}">{html(heading(report), language)}</a>'
    return f'<li class="{tone}">{link} <b>{html(words, language)}</b></li>'


def _legend(judgement: Judgement, language: Language) -> str:
    def word(name: str) -> str:
        return html(say(f"page.{name}"), language)

    unseen = f'<span><span class="hatched"></span> {word("unseen")}</span>' if judgement.unseen else ""
    colors = ", ".join(path_color(share) for share in np.linspace(0, 1, 9))
    drawn = f'<span><span class="drawn"></span> {word("drawn")}</span>' if judgement.gadgets else ""
    return (
        f'<figcaption class="legend"><span>{word("start")}<span class="gradient" '
        f'style="background:linear-gradient(90deg, {colors})"></span>{word("finish")}</span>{unseen}{drawn}'
        f'<label><input type="checkbox" class="hide-path"> {word("hide-path")}</label>'
        f'<label><input type="checkbox" class="hide-pins"> {word("hide-pins")}</label></figcaption>'
    )


def _events(judgement: Judgement, pictures: Mapping[int, Picture], key: str, language: Language) -> Iterator[str]:
    shown = {miss.event: f"closeup-{n + 1}" for n, miss in enumerate(judgement.near_misses) if n in pictures}
    shown |= {reason.event: f"question-{n}" for n, (reason, _) in enumerate(questions(judgement), 1)}
    for event in judgement.events:
        words, link = bound(html(event_words_in(judgement, event), language)), ""
        if event.seq in shown:
            name = html(say("page.close-up"), language)
            link = f' <a class="to-closeup" href="#{key}-{shown[event.seq]}">{name}</a>'
        yield (
            f'<li id="{key}-event-{event.seq + 1}" class="{pin_class(judgement, event)}"><span class="number">'
            f"{event_label(judgement, event)}</span><span>{words}{link}</span></li>"
        )


def _close_calls(judgement: Judgement, pictures: Mapping[int, Picture], key: str, language: Language) -> Iterator[str]:
    if not judgement.near_misses:
        return
    edge = ""
    if pictures:
        counts, measured = (html(say(f"page.{name}"), language) for name in ("edge", "distance"))
        edge = f'<span><span class="edge"></span> {counts}</span><span>↔ {measured}</span>'
    plus_minus = html(plus_minus_words(judgement.terms), language)
    yield f'<h3>{html(NEAREST, language)}</h3><p class="legend">{edge}<span>{plus_minus}</span></p>'
    yield '<div class="closeups">'
    for place, miss in nearest_first(judgement):
        event = event_of(judgement, miss)
        words = miss_words(miss, event)
        image = ""
        if place in pictures:
            alt = bound(html(say("page.close-up-of", miss=words), language))
            image = f'<img alt="{alt}" src="{data_uri(pictures[place], CLOSEUP_QUALITY)}">'
        caption = f"<figcaption>{_number(judgement, event, key)}{bound(html(words, language))}</figcaption>"
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


def _list(title: str, css: str, entries: Sequence[str], language: Language) -> Iterator[str]:
    lines = "".join(f"<li>{html(entry, language)}</li>" for entry in entries)
    if lines:
        yield f"<h3>{html(title, language)}</h3>" if title else ""
        yield f'<ul class="{css}">{lines}</ul>'


def _measured(report: Report, language: Language) -> str:
    """How the board was found and how well it is seen."""
    facts: list[str] = []
    if report.view is not None:
        how = say(f"found-by.{report.view.found_by}")
        facts.append(say("page.found-by", how=how, scale=report.view.scale_px_per_mm()))
    if report.uncertainty_mm is not None:
        facts.append(say("page.right-to", mm=PLUS_MINUS_SIGMAS * report.uncertainty_mm))
    if "total" in report.timing_ms:
        facts.append(say("page.judged-in", s=report.timing_ms["total"] / 1000))
    title = html(say("page.measured-how"), language)
    return f"<details><summary>{title}</summary><p>{html(joined(*facts), language)}</p></details>" if facts else ""


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
