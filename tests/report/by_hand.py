"""A small board, a photo of it and a report on it, made by hand."""

from dataclasses import replace

import cv2
import numpy as np
from shapely.geometry import LineString, Polygon, box

from referee.model import (
    BoardView,
    Checkpoint,
    Event,
    Failure,
    Floats,
    Judgement,
    NearMiss,
    OilSpill,
    OtherReading,
    Path,
    Photo,
    Question,
    Reason,
    Report,
    Section,
    Stage,
    Stroke,
    UnseenStretch,
    WhiteLine,
    Zone,
)

SIZE_MM = (120.0, 80.0)
TILTED = np.array([[6.0, 0.8, 90.0], [-0.5, 5.5, 120.0], [0.0004, 0.0006, 1.0]])
"""A board in a photo of 900 x 700 pixels, seen from the side."""


def white_line(name: str, y_mm: float, sections: tuple[int, ...] = (1,)) -> WhiteLine:
    points_mm = np.array([[10.0, y_mm], [110.0, y_mm]])
    return WhiteLine(name, sections, points_mm, False, 2.0, LineString(points_mm).buffer(1.0, cap_style="flat"))


def stage() -> Stage:
    """A straight road from left to right, 20 mm wide, between two white lines."""
    return Stage(
        number=7,
        name="Duck Pond",
        theme="park",
        set_name="",
        difficulty=None,
        size_mm=SIZE_MM,
        course=(np.array([[10.0, 40.0], [110.0, 40.0]]),),
        sections=(Section(1, box(10, 30, 110, 50)),),
        white_lines=(white_line("white-line-1", 29.0), white_line("white-line-2", 51.0)),
        start=Polygon([(12, 38), (12, 42), (18, 40)]),
        start_id="start",
        finish_mm=np.array([[100.0, 30.0], [100.0, 50.0]]),
        finish_id="finish",
        checkpoints=(Checkpoint("checkpoint-1", 1, 1, np.array([[40.0, 30.0], [40.0, 50.0]])),),
        jumps=(Zone("jump-1", "jump", "zigzag", box(60, 30, 66, 50)),),
        landings=(Zone("landing-1", "landing", "zigzag", box(70, 30, 76, 50)),),
        accelerations=(),
        slowdowns=(),
        pipes=(),
        oil_spills=(OilSpill("oil-spill-1", box(80, 30, 86, 36), 1.0, box(79.5, 29.5, 86.5, 36.5)),),
        fiducials=(),
        svg=b"",
        source="stage-07.svg",
    )


def stroke(points_mm: Floats, width_mm: float = 3.0) -> Stroke:
    n = len(points_mm)
    return Stroke(points_mm, np.full((n, 2), width_mm / 2), np.full(n, 0.05), np.ones(n, bool))


def wavy_stroke(first_mm: float = 15.0, last_mm: float = 105.0) -> Stroke:
    x = np.arange(first_mm, last_mm, 0.5)
    return stroke(np.column_stack([x, 40 + 6 * np.sin(x / 9)]))


def view() -> BoardView:
    return BoardView(7, "A", SIZE_MM, TILTED)


def photo() -> Photo:
    """The board's white lines and the ink, seen through the tilted view."""
    flat = np.full((800, 1200, 3), (70, 160, 90), np.uint8)
    flat[300:500, 100:1100] = 120
    for line in stage().white_lines:
        y = round(line.points_mm[0, 1] * 10)
        flat[y - 10 : y + 10, 100:1100] = 245
    ink = np.round(wavy_stroke().points_mm * 10).astype(np.int32).reshape(-1, 1, 2)
    cv2.polylines(flat, [ink], False, (30, 30, 200), 30)
    to_photo = TILTED @ np.array([[0.1, 0, 0.05], [0, 0.1, 0.05], [0, 0, 1]])
    return Photo(cv2.warpPerspective(flat, to_photo, (900, 700), borderValue=(40, 60, 90)), "IMG_2041.jpg")


EVENTS = (
    Event(0, "start", "R1", (15.0, 46.0), 0, "start"),
    Event(1, "brush", "R2", (88.1, 48.6), 0, "white-line-2", 0.61, 0.09),
    Event(2, "checkpoint", "R5", (40.0, 34.0), 0, "checkpoint-1"),
    Event(3, "accident", "R2", (70.0, 27.7), 0, "white-line-1", -1.9, 0.09, "white-line", True, "honoured", "start"),
)
"""One of each sort that a report draws apart."""

NEAR_MISSES = (
    NearMiss(1, "white-line-2", (88.1, 50.7), 0.61, 0.09, ((88.1, 51.39), (88.1, 52.0))),
    NearMiss(None, "oil-spill-1", (82.0, 38.6), 2.1, 0.1),
)


def judgement() -> Judgement:
    return Judgement(
        verdict="fair",
        reasons=(Reason("honoured", "R3", 3, "The accident was honoured."),),
        finished=True,
        accidents=1,
        donuts=0,
        events=EVENTS,
        near_misses=NEAR_MISSES,
        unseen=(UnseenStretch(40.0, 52.5, "glare"),),
        path=Path((wavy_stroke(15, 60), wavy_stroke(60, 105))),
    )


def report() -> Report:
    return Report(
        source="IMG_2041.jpg",
        judgement=judgement(),
        stage=stage(),
        copy="A",
        view=view(),
        uncertainty_mm=0.08,
        other_readings=(OtherReading("ignored-accident", 2, "its second stroke begins off the road"),),
        timing_ms={"decode": 88.0, "total": 240.04},
        photo=photo(),
    )


def asking(*questions: tuple[Question, int | None]) -> Report:
    """A report whose verdict waits for answers: each question with the number of its event, if it has one."""
    reasons = tuple(Reason("too-close", "R2", event, f"Why: {q.ask}", q) for q, event in questions)
    return replace(report(), judgement=replace(judgement(), verdict="review", reasons=reasons), other_readings=())


OVER_THE_LINE = Question(
    "Did the ink go over white line 2?",
    "close",
    (88.1, 48.6),
    "white-line-2",
    0.1,
    0.09,
    ("ignored-accident",),
    ("fair",),
)
CROSSED_UNSEEN = Question(
    "Did the car cross checkpoint 1?", "unseen", (100.0, 40.0), "checkpoint-1", yes=("fair",), no=("ignored-accident",)
)


def failed(source: str = "cat.jpg") -> Report:
    failure = Failure("no-board", f"No board in {source}.", "Show the whole board with its four corners.")
    return Report(source, failure=failure)


def with_event(**changes: object) -> Event:
    """The white-line accident with some fields changed."""
    return replace(EVENTS[3], **changes)  # type: ignore[arg-type]
