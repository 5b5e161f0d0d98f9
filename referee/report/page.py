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
from referee.model import Event, Judgement, Photo, Report
from referee.report.board import board_svg, data_uri, jpeg, path_color, pin_class
from referee.report.closeup import Picture, closeup
from referee.report.text import heading, other_readings, unseen_words
from referee.report.words import (
    NEAREST,
    SURE_SIGMAS,
    event_of,
    event_words,
    miss_words,
    nearest_first,
    verdict_line,
)

CLOSEUP_QUALITY = 88
THUMB_PX = 720
EDGE = '<span><span class="edge"></span> the edge that counts</span><span>↔ the distance measured</span>'
PLUS_MINUS = "± is meant to hold 19 times in 20: a margin smaller than its ± is too close to call."
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
        place: closeup(photo, view, stage, miss, event_of(report.judgement, miss))
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
    yield from _list("", "why", [reason.text for reason in judgement.reasons])
    yield '<div class="evidence">'
    if report.photo is not None and report.view is not None:
        course = report.stage.course if report.stage else ()
        yield f"<figure>{board_svg(report.photo, report.view, course, judgement, key)}{_legend(judgement)}</figure>"
    yield f'<ol class="events">{"".join(_events(judgement, pictures, key))}</ol></div>'
    yield from _close_calls(judgement, pictures, key)
    yield from _list("Not to be seen in this picture", "why", map(unseen_words, judgement.unseen))
    yield from _list("It could also have been", "why", other_readings(report))
    yield f"{_measured(report)}</section>"


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
    return (
        f'<figcaption class="legend"><span>start<span class="gradient" '
        f'style="background:linear-gradient(90deg, {colors})"></span>finish</span>{unseen}'
        '<label><input type="checkbox" class="hide-path"> hide the path</label>'
        '<label><input type="checkbox" class="hide-pins"> hide the pins</label></figcaption>'
    )


def _events(judgement: Judgement, pictures: Mapping[int, Picture], key: str) -> Iterator[str]:
    shown = {miss.event: place for place, miss in enumerate(judgement.near_misses) if place in pictures}
    for event in judgement.events:
        link = ""
        if event.seq in shown:
            link = f' <a class="to-closeup" href="#{key}-closeup-{shown[event.seq] + 1}">close-up</a>'
        yield (
            f'<li id="{key}-event-{event.seq + 1}" class="{pin_class(event)}"><span class="number">{event.seq + 1}'
            f"</span><span>{bound(escape(event_words(event)))}{link}</span></li>"
        )


def _close_calls(judgement: Judgement, pictures: Mapping[int, Picture], key: str) -> Iterator[str]:
    if not judgement.near_misses:
        return
    edge = EDGE if pictures else ""
    yield f'<h3>{NEAREST}</h3><p class="legend">{edge}<span>{PLUS_MINUS}</span></p><div class="closeups">'
    for place, miss in nearest_first(judgement):
        event = event_of(judgement, miss)
        words = bound(escape(miss_words(miss, event)))
        image = ""
        if place in pictures:
            image = f'<img alt="Close-up: {words}" src="{data_uri(pictures[place], CLOSEUP_QUALITY)}">'
        caption = f"<figcaption>{_number(event, key)}{words}</figcaption>"
        yield f'<figure id="{key}-closeup-{place + 1}">{image}{caption}</figure>'
    yield "</div>"


def bound(words: str) -> str:
    """Words in which no line ends between a number and its unit.

    >>> bound("0.61 mm (± 0.18 mm)") == "0.61\\u00a0mm (±\\u00a00.18\\u00a0mm)"
    True
    """
    return re.sub(r"(?<=\d) (?=mm\b)|(?<=±) ", "\u00a0", words)


def _number(event: Event | None, key: str) -> str:
    """An event's number, as a link to the list."""
    if event is None:
        return ""
    number = event.seq + 1
    return f'<a class="{pin_class(event)}" href="#{key}-event-{number}"><span class="number">{number}</span></a> '


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
        facts.append(f"A margin is usually right to ± {SURE_SIGMAS * report.uncertainty_mm:.2f} mm.")
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
