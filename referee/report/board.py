"""The flattened board with the path, coloured from start to finish, and a pin for every event.

The board is a picture, what is drawn on it is SVG in board millimetres: sharp at any size, and on paper.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.model import BoardView, Event, Floats, Judgement, Photo, Reason, Stage, Stroke, UnseenStretch
from referee.report.gadgets import gadget_marks
from referee.report.places import along, look_at
from referee.report.words import is_asked
from referee.words import Language, say, told

Picture = NDArray[np.uint8]

BOARD_PX_PER_MM = 6.0
NODE_PX = 8
FINER_THAN_FLAT = 1.25
JPEG_QUALITY = 82
COLOR_STEPS = 96
ARROW_EVERY_MM = 45.0
ARROW_FROM_END_MM = 12.0

PATH_RGB = np.array(
    [[68, 1, 84], [71, 44, 122], [59, 81, 139], [44, 113, 142], [33, 144, 141], [39, 173, 129], [92, 200, 99],
     [170, 220, 50], [253, 231, 37]]
)  # fmt: skip
"""The colour map viridis (van der Walt and Smith, 2015) at even steps: told apart by every kind of eye."""

PIN_RADIUS_MM = 3.4
PIN_REACHES_MM = (8.0, 12.0, 17.0, 23.0)
PIN_WAYS = 20


def flattened(photo: Photo, view: BoardView, px_per_mm: float = BOARD_PX_PER_MM) -> Picture:
    """The board (H, W, 3) BGR as if seen from straight above, by the view's plane and bend.

    A photo that is finer than the flat board is shrunk to little more than that first: pixels that a warp would
    skip take part, and the warp is cheaper.
    """
    bgr, places = photo.bgr, _photo_places(view, px_per_mm)
    shrink = FINER_THAN_FLAT * px_per_mm / view.scale_px_per_mm()
    if shrink < 1:
        bgr = np.asarray(cv2.resize(bgr, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), dtype=np.uint8)
        # A pixel's centre is an integer: its edge, half a pixel off, is what scales.
        places = (places + 0.5) * (np.array(bgr.shape[1::-1]) / photo.bgr.shape[1::-1]).astype(np.float32) - 0.5
    x, y = cv2.split(places)
    flat = cv2.remap(bgr, x, y, cv2.INTER_LINEAR, borderValue=(128, 128, 128))
    return np.asarray(flat, dtype=np.uint8)


def _photo_places(view: BoardView, px_per_mm: float) -> NDArray[np.float32]:
    """Where each flat pixel lies in the photo (H, W, 2).

    `to_photo` is asked at every eighth pixel only; between these nodes a plane seen in perspective is straight to a
    hundredth of a pixel.  Nodes sit where `cv2.resize` by eight takes its samples: at the middle of eight pixels.
    """
    w, h = (round(side * px_per_mm) for side in view.size_mm)
    columns, rows = -(-w // NODE_PX), -(-h // NODE_PX)
    x = (np.arange(-1, columns + 1) + 0.5) * NODE_PX / px_per_mm
    y = (np.arange(-1, rows + 1) + 0.5) * NODE_PX / px_per_mm
    nodes_mm = np.stack(np.meshgrid(x, y), axis=-1)
    nodes_px = view.to_photo(nodes_mm.reshape(-1, 2)).reshape(nodes_mm.shape).astype(np.float32)
    full = cv2.resize(nodes_px, None, fx=NODE_PX, fy=NODE_PX, interpolation=cv2.INTER_LINEAR)
    return np.asarray(full[NODE_PX : NODE_PX + h, NODE_PX : NODE_PX + w], dtype=np.float32)


def data_uri(picture: Picture, quality: int = JPEG_QUALITY) -> str:
    """A picture as the text of a JPEG data URI."""
    return "data:image/jpeg;base64," + base64.b64encode(jpeg(picture, quality)).decode("ascii")


def jpeg(picture: Picture, quality: int = JPEG_QUALITY) -> bytes:
    """A picture as JPEG bytes."""
    encoded: Any = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    return bytes(encoded.tobytes())


# ---------------------------------------------------------------------------------------------------------- the drawing


def board_svg(
    photo: Photo, view: BoardView, stage: Stage | None, judgement: Judgement, key: str, language: Language = "en"
) -> str:
    """The annotated board as one SVG element.

    ``key`` tells boards on one page apart: pins link to ``#{key}-event-N``, N as in the list of events, or to
    ``#{key}-question-N``.
    """
    w, h = view.size_mm
    strokes = judgement.path.strokes if judgement.path else ()
    course = stage.course if stage else ()
    return "".join(
        (
            f'<svg class="board" viewBox="0 0 {w:g} {h:g}" role="group" '
            f'aria-label="{escape(told(say("page.board"), language))}">',
            f'<image id="{key}-picture" href="{data_uri(flattened(photo, view))}" width="{w:g}" height="{h:g}" '
            'preserveAspectRatio="none"/>',
            '<g class="unseen" fill="none">',
            *unseen_marks(course, judgement.unseen, language),
            '</g><g class="gadgets" fill="none">',
            *gadget_marks(judgement.gadgets, language),
            '</g><g class="path" fill="none" stroke-linecap="round" stroke-linejoin="round">',
            *path_marks(strokes),
            '</g><g class="pins">',
            *pin_marks(pins(judgement, stage, key, language), strokes, view.size_mm),
            "</g></svg>",
        )
    )


def reading_svg(view: BoardView, judgement: Judgement, key: str, title: str) -> str:
    """One order of the strokes as a small board: its path, each stroke's number where it begins, its accidents.

    The picture is the one of `board_svg` with the same ``key``, on the same page.
    """
    w, h = view.size_mm
    strokes = judgement.path.strokes if judgement.path else ()
    accidents = [event.at_mm for event in judgement.events if event.kind == "accident"]
    return "".join(
        (
            f'<svg class="board small" viewBox="0 0 {w:g} {h:g}" role="img" aria-label="{escape(title)}">',
            f'<use href="#{key}-picture"/><g fill="none" stroke-linecap="round" stroke-linejoin="round">',
            *path_marks(strokes),
            '</g><g class="crashes">',
            *(f'<path d="M{x - 4:.1f} {y - 4:.1f}l8 8m0 -8l-8 8"/>' for x, y in accidents),
            '</g><g class="order">',
            *(_stroke_number(number + 1, stroke.points_mm[0]) for number, stroke in enumerate(strokes)),
            "</g></svg>",
        )
    )


def _stroke_number(number: int, at_mm: Floats) -> str:
    x, y = at_mm
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5.5"/><text x="{x:.1f}" y="{y:.1f}" dy="2.3">{number}</text>'


def unseen_marks(course: Sequence[Floats], unseen: Sequence[UnseenStretch], language: Language = "en") -> Iterator[str]:
    """The stretches of road that the picture does not show, hatched; distances run on from piece to piece."""
    for stretch in unseen:
        for points in along(course, stretch):
            why = escape(told(say(f"cover.{stretch.why}"), language))
            yield f'<polyline points="{_points(points)}"><title>{why}</title></polyline>'


def path_color(share: float) -> str:
    """The colour of a place on the path, 0 at its start and 1 at its end.

    >>> path_color(0.0), path_color(1.0)
    ('#440154', '#fde725')
    """
    steps = np.linspace(0, 1, len(PATH_RGB))
    red, green, blue = (round(float(np.interp(share, steps, PATH_RGB[:, channel]))) for channel in range(3))
    return f"#{red:02x}{green:02x}{blue:02x}"


def path_marks(strokes: Sequence[Stroke]) -> Iterator[str]:
    """The path as short coloured lines on a white one, with arrow heads; unseen stretches are dotted."""
    lengths = [float(stroke.arc_mm()[-1]) for stroke in strokes]
    whole = max(sum(lengths), 1e-6)
    for stroke in strokes:
        yield f'<polyline points="{_points(stroke.points_mm)}" stroke="#fff" stroke-width="1.7"/>'
    for number, stroke in enumerate(strokes):
        before = sum(lengths[:number])
        arc = stroke.arc_mm()
        color_step = ((before + arc) / whole * (COLOR_STEPS - 1)).astype(int)
        for first, last in _runs(color_step * 2 + stroke.seen):
            points = stroke.points_mm[first : last + 1]
            dots = "" if stroke.seen[first] else ' stroke-dasharray="0.1 2"'
            color = path_color(float(color_step[first]) / (COLOR_STEPS - 1))
            yield f'<polyline points="{_points(points)}" stroke="{color}" stroke-width="1"{dots}/>'
        yield from (
            _arrow(stroke, arc, at_mm, path_color((before + at_mm) / whole)) for at_mm in _arrow_places(lengths[number])
        )


def _runs(values: NDArray[np.int_]) -> Iterator[tuple[int, int]]:
    """First and last index of each run of equal values; the last reaches into the next run, so that no gap shows."""
    cuts = np.flatnonzero(np.diff(values)) + 1
    for first, after in zip([0, *cuts], [*cuts, len(values) - 1], strict=True):
        yield int(first), int(after)


def _arrow_places(length_mm: float) -> Floats:
    room = length_mm - 2 * ARROW_FROM_END_MM
    if room <= 0:
        return np.array([length_mm / 2])
    return np.asarray(ARROW_FROM_END_MM + np.linspace(0, room, int(room // ARROW_EVERY_MM) + 2))


def _arrow(stroke: Stroke, arc: Floats, at_mm: float, color: str) -> str:
    ends = [[np.interp(at, arc, stroke.points_mm[:, axis]) for axis in (0, 1)] for at in (at_mm - 1, at_mm + 1)]
    x, y = np.mean(ends, axis=0)
    turn = np.degrees(np.arctan2(ends[1][1] - ends[0][1], ends[1][0] - ends[0][0]))
    return (
        f'<path d="M2.4 0L-1.6 2.1L-0.7 0L-1.6 -2.1Z" transform="translate({x:.2f} {y:.2f}) rotate({turn:.0f})" '
        f'fill="{color}" stroke="#fff" stroke-width="0.45"/>'
    )


def _points(points_mm: Floats) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points_mm)


# ----------------------------------------------------------------------------------------------------------- the pins


@dataclass(frozen=True)
class Pin:
    """A numbered mark on the board: ``at_mm`` is its place, ``anchor`` what it links to, ``css`` how it looks."""

    at_mm: tuple[float, float]
    label: str
    anchor: str
    css: str
    title: str


def pins(judgement: Judgement, stage: Stage | None, key: str, language: Language = "en") -> list[Pin]:
    """A pin for every event, then one for every open question that no event stands for."""
    of_events = [
        Pin(
            event.at_mm,
            event_label(judgement, event),
            f"{key}-event-{event.seq + 1}",
            pin_class(judgement, event),
            told(say(f"pin.{event.kind}"), language),
        )
        for event in judgement.events
    ]
    asked = told(say("page.open-question"), language)
    return of_events + [
        Pin(_pair(look_at(stage, reason.question)), label, f"{key}-question-{number}", "doubt", asked)
        for number, (reason, label) in enumerate(questions(judgement), 1)
        if reason.question is not None and reason.event is None
    ]


def _pair(place: Floats) -> tuple[float, float]:
    return float(place[0]), float(place[1])


def questions(judgement: Judgement) -> list[tuple[Reason, str]]:
    """The reasons that ask a person, each with its label: that of its event, else a question mark and a number."""
    asking = [reason for reason in judgement.reasons if reason.question is not None]
    labels = {event.seq: event_label(judgement, event) for event in judgement.events}
    return [
        (reason, f"?{number}" if reason.event is None else labels[reason.event])
        for number, reason in enumerate(asking, 1)
    ]


def event_label(judgement: Judgement, event: Event) -> str:
    """An event's number in the list, with a question mark if it is an open question."""
    return f"{event.seq + 1}{'?' if pin_class(judgement, event) == 'doubt' else ''}"


def pin_marks(pins: Sequence[Pin], strokes: Sequence[Stroke], size_mm: tuple[float, float]) -> Iterator[str]:
    """Each pin beside its place, tied to it by a thin line; an accident's head is a square, all others are round."""
    for pin, (x, y) in zip(pins, pin_places(pins, strokes, size_mm), strict=True):
        at_x, at_y = pin.at_mm
        side = 2 * PIN_RADIUS_MM - 0.4
        head = f'<circle class="head" cx="{x:.2f}" cy="{y:.2f}" r="{PIN_RADIUS_MM}"/>'
        if pin.css == "accident":
            corner = f'x="{x - side / 2:.2f}" y="{y - side / 2:.2f}"'
            head = f'<rect class="head" {corner} width="{side:.2f}" height="{side:.2f}" rx="0.6"/>'
        long = ' class="long"' if len(pin.label) > 2 else ""
        yield (
            f'<a href="#{pin.anchor}" class="pin {pin.css}">'
            f"<title>{escape(f'{pin.label}. {pin.title}')}</title>"
            f'<line x1="{at_x:.2f}" y1="{at_y:.2f}" x2="{x:.2f}" y2="{y:.2f}"/>'
            f'<circle class="spot" cx="{at_x:.2f}" cy="{at_y:.2f}" r="0.8"/>{head}'
            f'<text{long} x="{x:.2f}" y="{y:.2f}" dy="1.35">{pin.label}</text></a>'
        )


def pin_class(judgement: Judgement, event: Event) -> str:
    """How grave an event is: the class that colours its pin and its line in the list."""
    if is_asked(judgement, event) or event.certain is False:
        return "doubt"
    if event.kind == "accident":
        return "accident"
    return "warn" if event.kind in {"brush", "wipeout", "noise-in-pipe"} else "plain"


def pin_places(events: Sequence[Event | Pin], strokes: Sequence[Stroke], size_mm: tuple[float, float]) -> list[Floats]:
    """Where the pins' heads go (one (2,) an event): near their place, clear of each other, off the path if possible."""
    inked = np.vstack([stroke.points_mm[::4] for stroke in strokes]) if strokes else np.empty((0, 2))
    spots = np.array([event.at_mm for event in events]).reshape(-1, 2)
    taken: list[Floats] = []
    for event in events:
        choices = _choices(np.array(event.at_mm), size_mm)
        cost = np.array([_crowd(choice, np.array(event.at_mm), taken, spots, inked) for choice in choices])
        taken.append(choices[int(cost.argmin())])
    return taken


def _choices(at_mm: Floats, size_mm: tuple[float, float]) -> list[Floats]:
    turns = np.arange(PIN_WAYS) * 2 * np.pi / PIN_WAYS - np.pi / 2
    ways = np.column_stack([np.cos(turns), np.sin(turns)])
    rim = PIN_RADIUS_MM + 0.6
    reached = np.vstack([at_mm + reach * ways for reach in PIN_REACHES_MM])
    return list(np.clip(reached, rim, np.array(size_mm) - rim))


def _crowd(choice: Floats, at_mm: Floats, taken: Sequence[Floats], spots: Floats, inked: Floats) -> float:
    """What speaks against a place: other pins most, then events' own places and the path, then the way there."""
    pins = np.array(taken).reshape(-1, 2)
    overlap = np.clip(2.2 * PIN_RADIUS_MM - np.hypot(*(pins - choice).T), 0, None).sum()
    hidden = np.clip(1.5 * PIN_RADIUS_MM - np.hypot(*(spots - choice).T), 0, None).sum()
    covered = (np.hypot(*(inked - choice).T) < PIN_RADIUS_MM + 0.8).sum()
    return float(100 * overlap + 30 * hidden + covered + 0.25 * np.hypot(*(choice - at_mm)))
