"""A close-up of a near miss or of an open question: the photo's own pixels, with the edge and the margin drawn in.

The picture is cut from the original photo, turned and enlarged only (a similarity): nothing is flattened, so
what a person sees is what the camera saw.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from referee.model import (
    BoardView,
    Event,
    Floats,
    Gadget,
    Judgement,
    NearMiss,
    Photo,
    Question,
    Stage,
    UnseenStretch,
    WhiteLine,
)
from referee.report.gadgets import gadget_outlines
from referee.report.places import along, arc_mm, look_at, nearest_on, outlines, rim
from referee.report.words import margin_words
from referee.words import Language, told

Picture = NDArray[np.uint8]

WINDOW_MM = 18.0
SIDE_PX = 640
RULER_MM = 5.0
SHORT_RULER_PX = 40.0
STEP_MM = 1.0
SAME_DISTANCE_MM = 0.25
EDGE_BGR = (0, 220, 255)
MARGIN_BGR = (255, 255, 255)
UNSEEN_BGR = (210, 95, 255)
HATCH_MM = 2.5
ROAD_MM = 9.0
"""How wide a stretch that the picture does not show is hatched."""
ROOM = 1.3
"""How much larger a window is than what it must hold."""
BESIDE_MM = 30.0
"""A stretch that the picture does not show belongs to a question whose place is this near."""
DARK_BGR = (20, 20, 20)
ROOM_FOR_HEADS_PX = 44.0
"""Below this length the arrow heads stand outside and point at each other."""


@dataclass(frozen=True, eq=False)
class Frame:
    """A square window on a photo: ``photo_to_frame`` (2, 3) maps photo pixels to the close-up's pixels."""

    view: BoardView
    photo_to_frame: Floats

    def of(self, points_mm: Floats) -> Floats:
        """Close-up pixels (N, 2) of board points (N, 2) in mm."""
        seen_px = self.view.to_photo(points_mm)
        return np.asarray(seen_px @ self.photo_to_frame[:, :2].T + self.photo_to_frame[:, 2])


def closeup(
    photo: Photo,
    view: BoardView,
    stage: Stage,
    miss: NearMiss,
    event: Event | None = None,
    gadgets: Sequence[Gadget] = (),
    language: Language = "en",
) -> Picture:
    """The close-up (SIDE_PX, SIDE_PX, 3) BGR of one near miss, and of its event: 18 mm of board, upright as it is.

    A distance that would not fit gets a larger window.
    """
    at_mm, ends_mm = np.array(miss.at_mm), measured_ends(stage, miss)
    frame = _frame(view, at_mm, _window_mm(at_mm, ends_mm))
    canvas = _cut(photo, frame)
    for edge_mm in (*edges_near(stage, miss), *gadget_outlines(gadgets, miss.element)):
        _draw_line(canvas, frame.of(dense(edge_mm)), EDGE_BGR)
    _draw_ruler(canvas, frame, at_mm)
    middle_px = _draw_margin(canvas, frame, at_mm, ends_mm)
    _draw_label(canvas, told(margin_words(miss, event), language), middle_px)
    return canvas


def question_picture(photo: Photo, view: BoardView, stage: Stage, judgement: Judgement, question: Question) -> Picture:
    """Where a person should look (SIDE_PX, SIDE_PX, 3) BGR: a ring at the place, its element's outline.

    Where the picture does not show the place, the window holds all of what is not seen there, hatched.
    """
    hidden = hidden_there(stage, judgement, question)
    focus_mm = _focus_mm(stage, judgement, question, hidden)
    middle_mm = (focus_mm.min(axis=0) + focus_mm.max(axis=0)) / 2
    window_mm = _window_mm(middle_mm, focus_mm)
    middle_mm = _on_board(middle_mm, window_mm, np.array(view.size_mm))
    frame = _frame(view, middle_mm, window_mm)
    canvas = _cut(photo, frame)
    for stretch_mm in hidden:
        _draw_hatch(canvas, frame, stretch_mm)
    for outline_mm in _rims(stage, judgement, question):
        _draw_line(canvas, frame.of(dense(outline_mm)), EDGE_BGR)
    _draw_ruler(canvas, frame, middle_mm)
    _draw_ring(canvas, frame.of(look_at(stage, question)[None])[0])
    return canvas


def hidden_there(stage: Stage, judgement: Judgement, question: Question) -> list[Floats]:
    """The stretches (N, 2) of road near a question's place that the picture does not show, if it hangs on them."""
    if question.why != "unseen":
        return []
    places = np.vstack([look_at(stage, question), *outlines(stage, question.element)])
    stretches: list[UnseenStretch] = list(judgement.unseen)
    pieces = [piece for stretch in stretches for piece in along(stage.course, stretch)]
    return [piece for piece in pieces if min(_distance(piece, place) for place in places) < BESIDE_MM]


def _rims(stage: Stage, judgement: Judgement, question: Question) -> list[Floats]:
    """The outlines (N, 2) of what a question is about."""
    return [*outlines(stage, question.element), *gadget_outlines(judgement.gadgets, question.element)]


def _focus_mm(stage: Stage, judgement: Judgement, question: Question, hidden: list[Floats]) -> Floats:
    """The places (N, 2) that a question's picture must hold."""
    at_mm, rims = look_at(stage, question), _rims(stage, judgement, question)
    if question.why == "close":
        return np.vstack([at_mm, *(nearest_on(outline, at_mm) for outline in rims)])
    donuts = [event.at_mm for event in judgement.events if event.kind == "donut" and event.element == question.element]
    return np.vstack([at_mm, *rims, *donuts, *hidden])


def _window_mm(middle_mm: Floats, hold_mm: Floats | None) -> float:
    """The side of a window round a place that holds some others (N, 2)."""
    if hold_mm is None:
        return WINDOW_MM
    return max(WINDOW_MM, 2 * ROOM * float(np.abs(hold_mm - middle_mm).max()))


def _on_board(middle_mm: Floats, window_mm: float, size_mm: Floats) -> Floats:
    """The middle of a window moved so that the window shows as little beside the board as it can."""
    half = np.minimum(window_mm, size_mm) / 2
    return np.asarray(np.clip(middle_mm, half, size_mm - half))


def _frame(view: BoardView, at_mm: Floats, window_mm: float = WINDOW_MM) -> Frame:
    """The window round a place, turned so that the board's x runs to the right there.

    A tilted board is seen shorter one way: the window is scaled by the longer one, so that it holds all of it.
    """
    here, right, down = view.to_photo(np.array([at_mm, at_mm + [1.0, 0.0], at_mm + [0.0, 1.0]]))
    px_per_mm = max(np.hypot(*(right - here)), np.hypot(*(down - here)))
    scale = SIDE_PX / (window_mm * px_per_mm)
    angle = np.arctan2(*(right - here)[::-1])
    turn = scale * np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    middle = np.full(2, (SIDE_PX - 1) / 2)
    return Frame(view, np.column_stack([turn, middle - turn @ here]))


def _cut(photo: Photo, frame: Frame) -> Picture:
    enlarged = np.hypot(*frame.photo_to_frame[0, :2]) > 1
    how = cv2.INTER_CUBIC if enlarged else cv2.INTER_LINEAR
    cut = cv2.warpAffine(photo.bgr, frame.photo_to_frame, (SIDE_PX, SIDE_PX), flags=how, borderValue=(128, 128, 128))
    return np.asarray(cut, dtype=np.uint8)


# ------------------------------------------------------------------------------------------------- what is measured to


def edges_near(stage: Stage, miss: NearMiss) -> list[Floats]:
    """The edges (N, 2) in mm that a near miss is measured to: a white line's far edge, a spill's or zone's rim."""
    for line in stage.white_lines:
        if line.id == miss.element:
            return [far_edge(line, stage, miss)]
    return outlines(stage, miss.element)


def measured_ends(stage: Stage, miss: NearMiss) -> Floats | None:
    """The two ends (2, 2) in mm of the measured distance, None where they are not known.

    In jump and landing zones the tip's centre decides: there the distance is the one to the nearest place on the rim.
    """
    if miss.edge_mm is not None:
        return np.array(miss.edge_mm)
    for zone in (*stage.jumps, *stage.landings):
        if zone.id == miss.element:
            rim_mm = nearest_on(rim(zone.shape), np.array(miss.at_mm))
            agrees = abs(np.hypot(*(rim_mm - miss.at_mm)) - abs(miss.margin_mm)) < SAME_DISTANCE_MM
            return np.array([miss.at_mm, rim_mm]) if agrees else None
    return None


def far_edge(line: WhiteLine, stage: Stage, miss: NearMiss) -> Floats:
    """The edge (N, 2) of a white line's band that lies away from the road.

    Where the near miss says at which edge it was measured, that side is taken; else the side farther from the road
    of the line's sections, seen from the near miss.
    """
    sides = [offset(line.points_mm, line.width_mm / 2, closed=line.closed, side=side) for side in (-1, 1)]
    if miss.edge_mm is not None:
        measured_at = np.array(miss.edge_mm[1])
        return min(sides, key=lambda side_mm: _distance(side_mm, measured_at))
    here = [side_mm[_nearest(side_mm, np.array(miss.at_mm))] for side_mm in sides]
    roads = [rim(section.road) for section in stage.sections if section.number in line.sections]
    away = [min((_outside(road, place) for road in roads), default=0.0) for place in here]
    return sides[int(np.argmax(away))]


def offset(points_mm: Floats, by_mm: float, *, closed: bool, side: int) -> Floats:
    """The line (N, 2) moved sideways: ``side`` +1 to its right as seen on the board, -1 to its left.

    At a corner the point moves along the bisector, far enough that both legs keep their distance (at most twice).
    """
    line = points_mm[np.concatenate([[True], np.any(np.diff(points_mm, axis=0) != 0, axis=1)])]
    ring = closed and len(line) > 3
    if ring and np.allclose(line[0], line[-1]):
        line = line[:-1]
    steps = np.diff(line, axis=0, append=line[:1]) if ring else np.diff(line, axis=0)
    legs = steps / np.hypot(*steps.T)[:, None]
    before = np.roll(legs, 1, axis=0) if ring else np.vstack([legs[:1], legs])
    after = legs if ring else np.vstack([legs, legs[-1:]])
    normals = np.column_stack([-(before + after)[:, 1], (before + after)[:, 0]])
    # |before + after| / 2 is the cosine of half the turn: the bisector is that much longer than the offset.
    moved = line + side * by_mm * normals / np.maximum((normals**2).sum(axis=1) / 2, 0.5)[:, None]
    return np.asarray(np.vstack([moved, moved[:1]]) if ring else moved)


def _outside(outline_mm: Floats, place_mm: Floats) -> float:
    """How far a place lies outside a closed outline, negative inside."""
    contour = outline_mm.astype(np.float32).reshape(-1, 1, 2)
    return -float(cv2.pointPolygonTest(contour, (float(place_mm[0]), float(place_mm[1])), True))


def _nearest(line_mm: Floats, place_mm: Floats) -> int:
    return int(np.argmin(np.hypot(*(line_mm - place_mm).T)))


def dense(line_mm: Floats) -> Floats:
    """A polyline (N, 2) with points at most STEP_MM apart, its own among them: on bowed paper a straight line bends."""
    arc = arc_mm(line_mm)
    return _at(line_mm, arc, np.union1d(arc, np.arange(0.0, arc[-1], STEP_MM)))


def _at(line_mm: Floats, arc: Floats, stops: Floats) -> Floats:
    """The places (N, 2) at some distances (N,) along a polyline."""
    return np.column_stack([np.interp(stops, arc, line_mm[:, axis]) for axis in (0, 1)])


def _distance(line_mm: Floats, place_mm: Floats) -> float:
    return float(np.hypot(*(nearest_on(line_mm, place_mm) - place_mm)))


# ------------------------------------------------------------------------------------------------------------ drawing
# Everything below draws on the canvas it is given: the close-up's own pixels, never the photo's.


def _draw_margin(canvas: Picture, frame: Frame, at_mm: Floats, ends_mm: Floats | None) -> Floats:
    """Draw the measured distance as a double arrow, or a ring at its place where its ends are not known.

    Returns the place (2,) that the label keeps clear of.
    """
    if ends_mm is None:
        place_px = np.asarray(frame.of(at_mm[None])[0])
        _draw_ring(canvas, place_px)
        return place_px
    ink_px, edge_px = frame.of(ends_mm)
    long = float(np.hypot(*(edge_px - ink_px)))
    along = (edge_px - ink_px) / long if long > 1e-6 else np.array([1.0, 0.0])
    if long >= ROOM_FOR_HEADS_PX:
        _draw_line(canvas, np.array([ink_px, edge_px]), MARGIN_BGR)
        _draw_head(canvas, ink_px, -along)
        _draw_head(canvas, edge_px, along)
    else:
        for tip_px, way in ((ink_px, along), (edge_px, -along)):
            _draw_line(canvas, np.array([tip_px - 46 * way, tip_px]), MARGIN_BGR)
            _draw_head(canvas, tip_px, way)
    return np.asarray((ink_px + edge_px) / 2)


def _draw_line(canvas: Picture, points_px: Floats, color_bgr: tuple[int, int, int]) -> None:
    """A bright line on a dark one, so that it shows on any ground."""
    points = np.round(points_px * 16).astype(np.int32).reshape(-1, 1, 2)
    for color, thickness in ((DARK_BGR, 5), (color_bgr, 2)):
        cv2.polylines(canvas, [points], False, color, thickness, cv2.LINE_AA, shift=4)


def _draw_head(canvas: Picture, tip_px: Floats, way: Floats) -> None:
    """An arrow head with its tip exactly on the measured edge."""
    across = np.array([-way[1], way[0]])
    head = np.array([tip_px, tip_px - 15 * way + 6.5 * across, tip_px - 15 * way - 6.5 * across])
    points = np.round(head * 16).astype(np.int32).reshape(-1, 1, 2)
    cv2.polylines(canvas, [points], True, DARK_BGR, 4, cv2.LINE_AA, shift=4)
    cv2.fillPoly(canvas, [points], MARGIN_BGR, cv2.LINE_AA, shift=4)


def _draw_ring(canvas: Picture, place_px: Floats) -> None:
    center = (int(place_px[0] * 16), int(place_px[1] * 16))
    for color, thickness in ((DARK_BGR, 5), (MARGIN_BGR, 2)):
        cv2.circle(canvas, center, 28 * 16, color, thickness, cv2.LINE_AA, shift=4)


def _draw_hatch(canvas: Picture, frame: Frame, stretch_mm: Floats) -> None:
    """Bars across a stretch of road (N, 2)."""
    arc = arc_mm(stretch_mm)
    stops = np.arange(0.0, arc[-1], HATCH_MM)
    places_mm = _at(stretch_mm, arc, stops)
    way = _at(stretch_mm, arc, stops + STEP_MM / 2) - _at(stretch_mm, arc, stops - STEP_MM / 2)
    across = np.column_stack([-way[:, 1], way[:, 0]]) / np.maximum(np.hypot(*way.T), 1e-9)[:, None] * ROAD_MM / 2
    for place_mm, half_mm in zip(places_mm, across, strict=True):
        bar = np.round(frame.of(np.array([place_mm - half_mm, place_mm + half_mm])) * 16).astype(np.int32)
        cv2.polylines(canvas, [bar.reshape(-1, 1, 2)], False, UNSEEN_BGR, 2, cv2.LINE_AA, shift=4)


def _draw_ruler(canvas: Picture, frame: Frame, at_mm: Floats) -> None:
    """Five millimetres of this place, in the lower left corner; fifty, where five would be hard to see."""
    one_px = float(np.hypot(*np.diff(frame.of(np.array([at_mm, at_mm + [1.0, 0.0]])), axis=0)[0]))
    long_mm = RULER_MM if one_px * RULER_MM > SHORT_RULER_PX else 10 * RULER_MM
    here, there = frame.of(np.array([at_mm, at_mm + [long_mm, 0.0]]))
    left = np.array([22.0, SIDE_PX - 24.0])
    right = left + [np.hypot(*(there - here)), 0.0]
    tick = np.array([0.0, 8.0])
    _draw_line(canvas, np.array([left - tick, left + tick, left, right, right - tick, right + tick]), MARGIN_BGR)
    _draw_label(canvas, f"{long_mm:g} mm", (left + right) / 2, height_px=20, lift_px=26)


def _draw_label(canvas: Picture, words: str, place_px: Floats, *, height_px: int = 34, lift_px: float = 96.0) -> None:
    """Words in a dark box above a place, or below it where there is no room above."""
    page = Image.fromarray(np.ascontiguousarray(canvas[:, :, ::-1]))
    draw = ImageDraw.Draw(page)
    font = ImageFont.load_default(height_px)
    left, top, right, bottom = draw.textbbox((0, 0), words, font=font)
    half = np.array([right - left, bottom - top]) / 2 + [0.36 * height_px, 0.28 * height_px]
    above = place_px[1] - lift_px - half[1] > 0
    middle = np.clip(place_px + [0.0, -lift_px if above else lift_px], half + 6, SIDE_PX - half - 6)
    corners = [*(middle - half), *(middle + half)]
    draw.rounded_rectangle(corners, radius=0.3 * height_px, fill=DARK_BGR)
    draw.text((middle[0] - (left + right) / 2, middle[1] - (top + bottom) / 2), words, font=font, fill=MARGIN_BGR)
    canvas[:] = np.asarray(page)[:, :, ::-1]
