"""Photo to board views: which boards lie in the picture, and where.

The markers' ids say stage, copy and which way is up; three of a board's four are enough.  A plane is fitted to the
corners of a board's markers, and the lens with it; what both cannot explain (bowed paper) is left to the
flattening, so a marker a few millimetres off the plane is kept and only an impossible one is thrown out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from referee.errors import Mirrored, NoBoard, RefereeError, TooSmall, UnknownStage
from referee.model import BoardView, Copy, LensProfile, Photo
from referee.vision.decode import jpeg_size, thumbnail
from referee.vision.edges import Greys, refined
from referee.vision.opencv import cv2
from referee.vision.plane import Fit, Placed, corners_mm_px, fit_plane, inverse, mapped, rough_plane
from referee.vision.tags import PLACES, BoardTag, SeenTag, Tags, at_scale, code_cells, read_tags, step_to
from referee.words import joined, say

__all__ = ["BoardTag", "BoardTrouble", "FoundBoard", "SeenTag", "Tags", "ailment", "find_boards", "first_look"]

Floats = NDArray[np.float64]
Grey = NDArray[np.uint8]
Ailment = Literal["dark", "flat", "blurred"]

MIN_SCALE_PX_PER_MM = 1.5
MIN_MARKERS = 3
OFF_PLANE_MM = 14.0
"""A marker with a corner further off the plane of all is not this board's; paper bowed by 10 mm stays below."""
MIN_SHARE = 2 / 3
"""The share of a board that must lie in the picture, if another board is whole."""

_LOOKS_PX = (1008, 2016, 3200)
"""The longer sides of the copies that are searched, each only if those before left a board without its markers."""
_SOUGHT_PX_PER_MM = 3.0
_SOUGHT_LIKENESS = 0.65
"""Correlation with its own look, from which on a marker counts as found where its board says it must be."""
DARK = 50.0
"""A picture is too dark whose brightest parts stay below this (of 255)."""
FLAT = 15.0
"""A picture has too little contrast whose brightest parts are no more than this above its darkest."""
BLURRED = 0.18
"""A picture is blurred whose steepest edges, at LOOK_PX, rise by no more than this share of its contrast a pixel."""
LOOK_PX = 1000
_SHOW_ALL_FOUR = say("cure.all-four")


@dataclass(frozen=True, eq=False)
class FoundBoard:
    """A board that can be judged: where it lies and how well that is known.

    ``view`` is the plane alone; ``lens_view`` has the lens in its bend, where the markers show it (else it is
    ``view``), and is the better start for whatever refines it.  ``places`` are the corners whose markers were used.
    ``residual_px`` is the rms rest of their corners, ``sigma_px`` what their own measurement promises: several
    times as much rest is bent paper.  ``blur_px`` is the sigma of the markers' edges (NaN if not measured), and
    ``growth`` how far outwards the edges of black squares look shifted in this photo, in units of that blur.
    """

    view: BoardView
    lens_view: BoardView
    places: tuple[int, ...]
    residual_px: float
    sigma_px: float
    blur_px: float
    growth: float

    @property
    def markers(self) -> int:
        """How many corner markers hold the plane."""
        return len(self.places)


@dataclass(frozen=True, eq=False)
class BoardTrouble:
    """A board that is there but cannot be judged: ``fault`` says why; ``view`` where it lies, if that is known.

    ``known`` is False if no stage file describes the stage.
    """

    stage_number: int
    copy: Copy | None
    fault: RefereeError
    view: BoardView | None = None
    known: bool = True


@dataclass(frozen=True, eq=False)
class _Candidate:
    """A board with the share of it that lies in the picture and how far its middle is from the picture's."""

    board: FoundBoard | BoardTrouble
    share: float
    away_px: float


def first_look(content: bytes) -> list[SeenTag] | None:
    """The markers in a small copy of a JPEG's bytes: all that most photos need; None where only the photo will do."""
    step = step_to(max(jpeg_size(content) or (0, 0)), _LOOKS_PX[0])
    small = thumbnail(content, step)
    return None if small is None else read_tags(small, float(step))


def find_boards(
    photo: Photo, tags: Tags, lens: LensProfile | None = None, first: list[SeenTag] | None = None
) -> tuple[FoundBoard | BoardTrouble, ...]:
    """The boards in a photo, the one nearest the picture's middle first, ties by copy.

    ``tags`` tells what is known about a marker id.  A board of which less than two thirds is in the picture is
    left out if another is whole.  ``lens`` is the camera's, if it is known; ``first`` is what `first_look` saw.
    Raises `NoBoard` if there is none at all and `Mirrored` if it shows in a mirror.
    """
    picture = Greys(photo.bgr)
    placed, strangers = _markers(picture, tags, first)
    if not placed and not strangers:
        raise _nothing_found(picture.whole)
    picture_wh = (photo.bgr.shape[1], photo.bgr.shape[0])
    found = [board for markers in _by_board(placed) for board in _boards_of_one_kind(markers, picture_wh, lens)]
    found += _unknown_boards(strangers, picture_wh)
    if not found:
        raise NoBoard(say("fault.one-marker"), _SHOW_ALL_FOUR)
    return _worth_judging(found)


# ------------------------------------------------------------------------------------------------ markers


def _markers(grey: Greys, tags: Tags, first: list[SeenTag] | None) -> tuple[list[Placed], list[SeenTag]]:
    """The markers of known boards, measured, and those of unknown ones; ``first`` as in `find_boards`."""
    placed: list[Placed] = []
    strangers: list[SeenTag] = []
    for longer_px in _LOOKS_PX:
        seen = read_tags(*at_scale(grey.whole, longer_px)) if first is None else first
        first = None
        _refuse_mirrored(seen)
        for tag in seen:
            about = tags(tag.marker_id)
            if tag.mirrored or _is_among(tag, [*strangers, *(marker.seen for marker in placed)]):
                continue
            if about is None:
                strangers.append(tag)
            else:
                placed.append(_measured(grey, about, tag))
        placed += _sought(grey, placed, tags)
        if _enough(grey, placed, strangers, all_boards=longer_px < 2000):
            break
    return placed, strangers


def _nothing_found(grey: Grey) -> NoBoard:
    """Why no marker was found: what is wrong with the whole picture, if that can be told."""
    match ailment(grey):
        case "dark":
            return NoBoard(say("fault.dark"), say("cure.light"))
        case "flat":
            return NoBoard(say("fault.flat"), say("cure.wipe-lens"))
        case "blurred":
            return NoBoard(say("fault.blurred"), say("cure.focus"))
    return NoBoard(say("fault.no-board"), _SHOW_ALL_FOUR)


def ailment(grey: Grey) -> Ailment | None:
    """What is wrong with a picture (h, w) in which nothing was found; None if it looks well."""
    shrink = min(1.0, LOOK_PX / max(grey.shape))
    width, height = (max(1, round(side * shrink)) for side in grey.shape[::-1])
    small = np.asarray(cv2.resize(grey, (width, height), interpolation=cv2.INTER_AREA), np.float64)
    darkest, brightest = np.percentile(small, [1, 99])
    contrast = brightest - darkest
    if brightest < DARK:
        return "dark"
    if contrast < FLAT:
        return "flat"
    steps = np.concatenate([np.abs(np.diff(small, axis=axis)).ravel() for axis in (0, 1)])
    blurred = steps.size and np.percentile(steps, 99.9) < BLURRED * contrast
    return "blurred" if blurred else None


def _measured(grey: Greys, about: BoardTag, tag: SeenTag) -> Placed:
    side_mm = float(np.hypot(*(about.corners_mm[1] - about.corners_mm[0])))
    return Placed(about, refined(grey, tag, side_mm))


def _refuse_mirrored(seen: Sequence[SeenTag]) -> None:
    boards = [tag.marker_id // 4 for tag in seen if tag.mirrored]
    if any(boards.count(board) >= 2 for board in boards) and sum(not tag.mirrored for tag in seen) < 2:
        raise Mirrored(say("fault.mirrored"), say("cure.unmirror"))


def _is_among(tag: SeenTag, others: Iterable[SeenTag]) -> bool:
    middle, size = tag.corners_px.mean(axis=0), np.ptp(tag.corners_px, axis=0).max()
    return any(
        tag.marker_id == other.marker_id and np.hypot(*(other.corners_px.mean(axis=0) - middle)) < size
        for other in others
    )


def _enough(grey: Greys, placed: Sequence[Placed], strangers: Sequence[SeenTag], all_boards: bool) -> bool:
    """Every board that shows at all, or at least one, shows enough markers; or as many as the picture has of it."""
    enough = [
        len({marker.tag.place for marker in markers}) >= MIN_MARKERS or (all_boards and _rest_is_outside(grey, markers))
        for markers in _by_board(placed)
    ]
    unknown = {tag.marker_id // 4 for tag in strangers}
    enough += [len({tag.marker_id for tag in strangers if tag.marker_id // 4 == board}) >= 2 for board in unknown]
    return bool(enough) and (all(enough) if all_boards else any(enough))


def _rest_is_outside(grey: Greys, markers: Sequence[Placed]) -> bool:
    """Two markers say well enough where the others are to know that the picture ends before them."""
    if len(markers) != 2:
        return False
    plane, size_mm = rough_plane(markers), markers[0].tag.size_mm
    if plane is None or not _sane(plane, size_mm):
        return False
    return _all_cut_off(plane, size_mm, {marker.tag.place for marker in markers}, (grey.shape[1], grey.shape[0]))


def _by_board(placed: Iterable[Placed]) -> list[list[Placed]]:
    boards: dict[tuple[int, Copy], list[Placed]] = {}
    for marker in placed:
        boards.setdefault(marker.tag.board, []).append(marker)
    return list(boards.values())


# --------------------------------------------------------------------------------- markers that must be there


def _sought(grey: Greys, placed: Sequence[Placed], tags: Tags) -> list[Placed]:
    """Markers that were not read, found by their own look where the rest of their board says they must be."""
    found = []
    for markers in _by_board(placed):
        places = {marker.tag.place for marker in markers}
        if len(markers) not in (2, 3) or len(places) != len(markers):
            continue
        plane = rough_plane(markers)
        if plane is None or not _sane(plane, markers[0].tag.size_mm):
            continue
        first = markers[0].seen.marker_id - markers[0].tag.place
        for place in {0, 1, 2, 3} - places:
            about = tags(first + place)
            spare_mm = 8.0 if len(markers) == 3 else 14.0
            if about is not None and (tag := _by_its_look(grey, first + place, about, plane, spare_mm)) is not None:
                found.append(_measured(grey, about, tag))
    return found


def _by_its_look(grey: Greys, marker_id: int, about: BoardTag, plane: Floats, spare_mm: float) -> SeenTag | None:
    """A marker whose place is known to within ``spare_mm``: the part of the board there is laid flat and searched."""
    side_mm = float(np.hypot(*(about.corners_mm[1] - about.corners_mm[0])))
    cell = max(1, round(side_mm / 8 * _SOUGHT_PX_PER_MM))
    px_per_mm = 8 * cell / side_mm
    cells = np.pad(code_cells(marker_id), 1, constant_values=1)
    look = cv2.GaussianBlur(np.kron(cells, np.full((cell, cell), 255, np.uint8)), (0, 0), cell / 2)
    corner_mm = about.corners_mm[0] - side_mm / 8 - spare_mm
    size = look.shape[0] + round(2 * spare_mm * px_per_mm)
    # From the flat patch's pixels (an integer being a pixel's centre) to the photo's.
    to_mm = np.array(
        [[1, 0, corner_mm[0] * px_per_mm + 0.5], [0, 1, corner_mm[1] * px_per_mm + 0.5], [0, 0, px_per_mm]]
    )
    to_photo = plane @ to_mm
    if not _inside(mapped(plane, about.corners_mm), grey):
        return None
    flat = cv2.warpPerspective(grey.bgr, to_photo, (size, size), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
    flat = cv2.GaussianBlur(cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY), (0, 0), cell / 4)
    likeness = cv2.matchTemplate(flat, look, cv2.TM_CCOEFF_NORMED)
    _, best, _, (x, y) = cv2.minMaxLoc(likeness)
    if best < _SOUGHT_LIKENESS:
        return None
    corners = np.array([[0, 0], [8, 0], [8, 8], [0, 8]]) * cell + cell + [x, y] - 0.5
    corners_px = mapped(to_photo, corners)
    span = float(np.ptp(corners_px, axis=0).max()) / side_mm
    return SeenTag(marker_id, corners_px, max(1.0, 0.5 * span))


def _inside(corners_px: Floats, grey: Greys) -> bool:
    return bool((corners_px > 0).all() and (corners_px < [grey.shape[1], grey.shape[0]]).all())


# ------------------------------------------------------------------------------------------------ boards


def _boards_of_one_kind(
    placed: Sequence[Placed], picture_wh: tuple[int, int], lens: LensProfile | None
) -> list[_Candidate]:
    """The boards that markers of one stage and copy make: usually one, more if the same copy lies there twice."""
    rest = list(placed)
    found: list[_Candidate] = []
    while (best := _best_set(rest)) is not None:
        found.append(_judged(best, picture_wh, lens))
        rest = [marker for marker in rest if all(marker is not used for used in best)]
    return found or [_too_few(rest, picture_wh)]


def _best_set(placed: Sequence[Placed]) -> tuple[Placed, ...] | None:
    """The largest set of at least three markers that one plane explains, and of several the best explained."""
    by_place = [[marker for marker in placed if marker.tag.place == k][:4] for k in range(4)]
    sets = [
        tuple(marker for marker in some if marker is not None)
        for some in product(*([None, *markers] for markers in by_place))
    ]
    for count in (4, 3):
        fits = [(_off_plane_mm(some), some) for some in sets if len(some) == count]
        fits = [(off_mm, some) for off_mm, some in fits if off_mm < OFF_PLANE_MM]
        if fits:
            return min(fits, key=lambda fit: fit[0])[1]
    return None


def _off_plane_mm(markers: Sequence[Placed]) -> float:
    """How far, in mm, the worst corner lies from the plane of all; infinite if the plane is impossible."""
    plane = rough_plane(markers)
    if plane is None or not _sane(plane, markers[0].tag.size_mm):
        return float("inf")
    corners_mm, corners_px = corners_mm_px(markers)
    off_mm = mapped(inverse(plane), corners_px) - corners_mm
    return float(np.hypot(off_mm[:, 0], off_mm[:, 1]).max())


def _sane(plane: Floats, size_mm: tuple[float, float]) -> bool:
    """The whole board lies before the camera, seen from its front, as a convex shape."""
    corners = _outline_mm(size_mm)
    depth = np.column_stack([corners, np.ones(4)]) @ plane[2]
    if (depth * np.sign(plane[2, 2]) <= 1e-9).any():
        return False
    seen = mapped(plane, corners)
    sides = np.roll(seen, -1, axis=0) - seen
    after = np.roll(sides, -1, axis=0)
    return bool((sides[:, 0] * after[:, 1] - sides[:, 1] * after[:, 0] > 0).all())


def _outline_mm(size_mm: tuple[float, float]) -> Floats:
    w, h = size_mm
    return np.array([[0.0, 0.0], [w, 0.0], [w, h], [0.0, h]])


def _judged(markers: Sequence[Placed], picture_wh: tuple[int, int], lens: LensProfile | None) -> _Candidate:
    about = markers[0].tag
    fit = fit_plane(markers, picture_wh, lens)
    lens_view = fit.view(about)
    board: FoundBoard | BoardTrouble = _found(markers, fit, lens_view)
    scale = lens_view.scale_px_per_mm()
    if scale < MIN_SCALE_PX_PER_MM:
        fault = TooSmall(say("fault.too-small", scale=scale, least=MIN_SCALE_PX_PER_MM), say("cure.nearer"))
        board = BoardTrouble(about.stage_number, about.copy, fault, lens_view)
    return _candidate(board, fit.plane, about.size_mm, picture_wh)


def _found(markers: Sequence[Placed], fit: Fit, lens_view: BoardView) -> FoundBoard:
    blurs = [marker.seen.blurs_px for marker in markers if marker.seen.blurs_px is not None]
    return FoundBoard(
        view=replace(lens_view, bend_mm=None, bend_step_mm=(0.0, 0.0)),
        lens_view=lens_view,
        places=tuple(sorted(marker.tag.place for marker in markers)),
        residual_px=fit.residual_px,
        sigma_px=fit.expected_px,
        blur_px=float(np.median(np.concatenate(blurs))) if blurs else float("nan"),
        growth=fit.growth,
    )


def _too_few(placed: Sequence[Placed], picture_wh: tuple[int, int]) -> _Candidate:
    """A board that shows too few markers; where it lies is only guessed, to know how much of it is in the picture."""
    about = placed[0].tag
    places = {marker.tag.place for marker in placed}
    board = BoardTrouble(
        about.stage_number,
        about.copy,
        _missing(say("board.named-copy", number=about.stage_number, copy=about.copy), places),
    )
    plane = rough_plane(placed) if len(places) == len(placed) else None
    if plane is None or not _sane(plane, about.size_mm):
        return _Candidate(board, 0.0, float("inf"))
    candidate = _candidate(board, plane, about.size_mm, picture_wh)
    # Cut off by the rim so far that the markers are missing, it counts as too little of a board beside a whole one.
    return replace(candidate, share=0.0) if _all_cut_off(plane, about.size_mm, places, picture_wh) else candidate


def _all_cut_off(plane: Floats, size_mm: tuple[float, float], places: set[int], picture_wh: tuple[int, int]) -> bool:
    """Whether the corners of a board whose markers are missing all lie outside the picture."""
    missing = mapped(plane, _outline_mm(size_mm)[[place for place in range(4) if place not in places]])
    return not ((missing > 0) & (missing < picture_wh)).all(1).any()


def _missing(name: str, places: set[int]) -> NoBoard:
    if len(places) >= MIN_MARKERS:
        return NoBoard(say("fault.not-one-board", board=name), say("cure.lay-apart"))
    missing = [say(f"corner.{PLACES[k].replace(' ', '-')}") for k in range(4) if k not in places]
    corners = say("corner.this-or-that", some=joined(*missing[:-1], sep=", "), last=missing[-1])
    return NoBoard(say("fault.few-markers", found=len(places), board=name), say("cure.which-corner", corners=corners))


def _unknown_boards(strangers: Sequence[SeenTag], picture_wh: tuple[int, int]) -> list[_Candidate]:
    """Boards whose ids no stage file has: the ids alone say which stage and copy they are."""
    found = []
    for first in sorted({tag.marker_id // 4 * 4 for tag in strangers}):
        some = [tag for tag in strangers if tag.marker_id // 4 * 4 == first]
        if len({tag.marker_id for tag in some}) < 2:  # one stray tag on the table is no board
            continue
        stage, copy = first // 8 + 1, ("A", "B")[first % 8 // 4]
        fault = UnknownStage(say("fault.strange-stage", stage=stage, copy=copy), say("cure.stages-folder"))
        middle = np.mean([tag.corners_px.mean(axis=0) for tag in some], axis=0)
        away = float(np.hypot(*(middle - np.array(picture_wh) / 2)))
        share = min(1.0, len({tag.marker_id for tag in some}) / MIN_MARKERS)
        found.append(_Candidate(BoardTrouble(stage, "B" if copy == "B" else "A", fault, known=False), share, away))
    return found


# ------------------------------------------------------------------------------------------------ choice


def _candidate(
    board: FoundBoard | BoardTrouble, plane: Floats, size_mm: tuple[float, float], picture_wh: tuple[int, int]
) -> _Candidate:
    corners = mapped(plane, _outline_mm(size_mm)).astype(np.float32)
    w, h = picture_wh
    inside, _ = cv2.intersectConvexConvex(corners, np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32))
    middle = mapped(plane, np.array([size_mm]) / 2)[0]
    away = float(np.hypot(*(middle - np.array(picture_wh) / 2)))
    return _Candidate(board, float(inside / max(cv2.contourArea(corners), 1e-9)), away)


def _worth_judging(found: Sequence[_Candidate]) -> tuple[FoundBoard | BoardTrouble, ...]:
    """Nearest the middle first; what is cut off by the picture's rim only if no other board is whole."""
    if any(candidate.share >= MIN_SHARE and isinstance(candidate.board, FoundBoard) for candidate in found):
        found = [candidate for candidate in found if candidate.share >= MIN_SHARE]
    ordered = sorted(found, key=lambda candidate: (np.round(candidate.away_px), _copy(candidate.board)))
    return tuple(candidate.board for candidate in ordered)


def _copy(board: FoundBoard | BoardTrouble) -> str:
    return str(board.copy if isinstance(board, BoardTrouble) else board.view.copy)
