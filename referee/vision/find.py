"""Photo to board views: which boards lie in the picture, and where.

The markers' ids say stage, copy and which way is up; three of a board's four are enough.  One plane (homography)
is fitted to all corners of a board's markers; what a plane cannot explain (bowed paper, the lens) is left to the
flattening, so a marker a few millimetres off the plane is kept and only an impossible one is thrown out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from referee.errors import Mirrored, NoBoard, RefereeError, TooSmall, UnknownStage
from referee.model import BoardView, Copy, Photo
from referee.vision.opencv import cv2
from referee.vision.tags import PLACES, BoardTag, SeenTag, Tags, at_scale, read_tags, refined

Floats = NDArray[np.float64]

MIN_SCALE_PX_PER_MM = 1.5
MIN_MARKERS = 3
OFF_PLANE_MM = 14.0
"""A marker further than this from where the others put it is not this board's: a bow of 10 mm stays below."""
MIN_SHARE = 2 / 3
"""The share of a board that must lie in the picture, if another board is whole."""


@dataclass(frozen=True, eq=False)
class FoundBoard:
    """A board that can be judged: its plane and how well it is known.

    ``places`` are the corners whose markers were used; ``residual_px`` the rms distance of their corners to the
    plane, ``sigma_px`` one sigma of a marker's corner as measured, ``blur_px`` the sigma of the edges' blur.
    """

    view: BoardView
    places: tuple[int, ...]
    residual_px: float
    sigma_px: float
    blur_px: float

    @property
    def markers(self) -> int:
        """How many corner markers hold the plane."""
        return len(self.places)


@dataclass(frozen=True, eq=False)
class BoardTrouble:
    """A board that is there but cannot be judged: ``fault`` says why; ``view`` where it lies, if that is known."""

    stage_number: int
    copy: Copy
    fault: RefereeError
    view: BoardView | None = None
    known: bool = True
    """Some stage file describes it."""


@dataclass(frozen=True, eq=False)
class _Placed:
    """A marker in the photo together with what the stage says about it."""

    tag: BoardTag
    seen: SeenTag


def find_boards(photo: Photo, tags: Tags) -> tuple[FoundBoard | BoardTrouble, ...]:
    """The boards in a photo, the one nearest the picture's middle first, ties by copy.

    ``tags`` tells what is known about a marker id.  A board of which less than two thirds is in the picture is
    left out if another is whole.  Raises `NoBoard` if there is none at all and `Mirrored` if it shows in a mirror.
    """
    grey = np.asarray(cv2.cvtColor(photo.bgr, cv2.COLOR_BGR2GRAY), np.uint8)
    seen = _seen_tags(grey)
    if not seen:
        _refuse_mirrored(grey)
        raise NoBoard(
            "No board in the picture: found none of its 4 corner markers.",
            "Take the picture so that all four corners of the board show, sharp and without glare.",
        )
    found = _boards(grey, seen, tags)
    if not found:
        raise NoBoard(
            f"No board in the picture: found a marker with id {seen[0].marker_id}, but no other of its board.",
            "Take the picture so that all four corners of the board show, sharp and without glare.",
        )
    return _worth_judging(found, (photo.bgr.shape[1], photo.bgr.shape[0]))


# ------------------------------------------------------------------------------------------------ markers


def _seen_tags(grey: NDArray[np.uint8]) -> list[SeenTag]:
    """All markers: on a small copy first, on larger ones as long as a board lacks some."""
    seen: list[SeenTag] = []
    for longer_px in (1344, 2016, 3072):
        copy, span = at_scale(grey, longer_px)
        seen = _merged(seen, read_tags(copy, span))
        if seen and _complete(seen, 4 if longer_px < 2000 else MIN_MARKERS):
            break
    return seen


def _complete(seen: Sequence[SeenTag], markers: int) -> bool:
    """Each board that shows at all shows this many markers."""
    boards: dict[int, set[int]] = {}
    for tag in seen:
        boards.setdefault(tag.marker_id // 4, set()).add(tag.marker_id % 4)
    return all(len(places) >= markers for places in boards.values())


def _merged(old: Sequence[SeenTag], new: Iterable[SeenTag]) -> list[SeenTag]:
    """Both, a marker that is in both once."""
    merged = list(old)
    for tag in new:
        middle, size = tag.corners_px.mean(axis=0), np.ptp(tag.corners_px, axis=0).max()
        if not any(
            tag.marker_id == other.marker_id and np.hypot(*(other.corners_px.mean(axis=0) - middle)) < size / 2
            for other in merged
        ):
            merged.append(tag)
    return merged


def _refuse_mirrored(grey: NDArray[np.uint8]) -> None:
    for longer_px in (1344, 2016):
        copy, span = at_scale(grey, longer_px)
        if len(read_tags(np.ascontiguousarray(copy[:, ::-1]), span)) >= 2:
            raise Mirrored(
                "The picture shows the board as in a mirror.",
                "Switch off the camera's mirror setting, or flip the picture before it is judged.",
            )


# ------------------------------------------------------------------------------------------------ boards


def _boards(grey: NDArray[np.uint8], seen: Sequence[SeenTag], tags: Tags) -> list[FoundBoard | BoardTrouble]:
    known: dict[tuple[int, Copy], list[_Placed]] = {}
    unknown: dict[tuple[int, Copy], list[SeenTag]] = {}
    for tag in seen:
        about = tags(tag.marker_id)
        if about is None:
            key: tuple[int, Copy] = (tag.marker_id // 8 + 1, "B" if tag.marker_id % 8 >= 4 else "A")
            unknown.setdefault(key, []).append(tag)
        else:
            known.setdefault(about.board, []).append(_Placed(about, refined(grey, tag)))
    found: list[FoundBoard | BoardTrouble] = []
    for placed in known.values():
        found += _boards_of_one_kind(placed)
    for (stage, copy), strangers in unknown.items():
        if len({tag.marker_id for tag in strangers}) >= 2:
            found.append(_stranger(stage, copy))
    return found


def _stranger(stage: int, copy: Copy) -> BoardTrouble:
    fault = UnknownStage(
        f"The markers are those of stage {stage}, copy {copy}, and no stage file describes it.",
        "Name the folder with its stage file: --stages DIR.",
    )
    return BoardTrouble(stage, copy, fault, known=False)


def _boards_of_one_kind(placed: Sequence[_Placed]) -> list[FoundBoard | BoardTrouble]:
    """The boards that markers of one stage and copy make: usually one, more if the same copy lies there twice."""
    rest = list(placed)
    found: list[FoundBoard | BoardTrouble] = []
    while (best := _best_set(rest)) is not None:
        found.append(_judged(best))
        rest = [marker for marker in rest if all(marker is not used for used in best)]
    if not found:
        found.append(_too_few(rest))
    return found


def _best_set(placed: Sequence[_Placed]) -> tuple[_Placed, ...] | None:
    """The largest set of at least three markers that one plane explains, and of several the best explained."""
    by_place = [[marker for marker in placed if marker.tag.place == k][:4] for k in range(4)]
    choices = [[None, *some] for some in by_place]
    sets = [tuple(m for m in choice if m is not None) for choice in product(*choices)]
    for count in (4, 3):
        fits = [(_off_plane_mm(some), some) for some in sets if len(some) == count]
        fits = [(off, some) for off, some in fits if off < OFF_PLANE_MM]
        if fits:
            return min(fits, key=lambda fit: fit[0])[1]
    return None


def _off_plane_mm(markers: Sequence[_Placed]) -> float:
    """How far, in mm, the worst corner lies from the plane of all; infinite if the plane is impossible."""
    plane = _plane(markers)
    if plane is None or not _sane(plane, markers[0].tag.size_mm):
        return float("inf")
    corners_px = np.concatenate([marker.seen.corners_px for marker in markers])
    corners_mm = np.concatenate([marker.tag.corners_mm for marker in markers])
    there = cv2.perspectiveTransform(corners_px[None], np.linalg.inv(plane))[0]
    return float(np.hypot(*(there - corners_mm).T).max())


def _plane(markers: Sequence[_Placed]) -> Floats | None:
    """The homography (3, 3) from board mm to photo px that fits all corners best."""
    corners_mm = np.concatenate([marker.tag.corners_mm for marker in markers])
    corners_px = np.concatenate([marker.seen.corners_px for marker in markers])
    plane, _ = cv2.findHomography(corners_mm, corners_px, 0)
    return None if plane is None else np.asarray(plane, np.float64)


def _sane(plane: Floats, size_mm: tuple[float, float]) -> bool:
    """The whole board lies before the camera, seen from its front, as a convex shape."""
    w, h = size_mm
    board = np.array([[0, 0, 1], [w, 0, 1], [w, h, 1], [0, h, 1]], float)
    seen = board @ plane.T
    if (seen[:, 2] * np.sign(plane[2, 2]) <= 1e-9).any():
        return False
    corners = seen[:, :2] / seen[:, 2:]
    sides = np.roll(corners, -1, axis=0) - corners
    after = np.roll(sides, -1, axis=0)
    return bool((sides[:, 0] * after[:, 1] - sides[:, 1] * after[:, 0] > 0).all())


def _judged(markers: Sequence[_Placed]) -> FoundBoard | BoardTrouble:
    about = markers[0].tag
    plane = _plane(markers)
    assert plane is not None
    view = BoardView(about.stage_number, about.copy, about.size_mm, plane)
    scale = view.scale_px_per_mm()
    if scale < MIN_SCALE_PX_PER_MM:
        fault = TooSmall(
            f"The board has {scale:.2f} pixels a millimetre; at least {MIN_SCALE_PX_PER_MM} are needed.",
            "Go nearer, so that the board fills the picture.",
        )
        return BoardTrouble(about.stage_number, about.copy, fault, view)
    corners_mm = np.concatenate([marker.tag.corners_mm for marker in markers])
    corners_px = np.concatenate([marker.seen.corners_px for marker in markers])
    residual = np.hypot(*(view.to_photo(corners_mm) - corners_px).T)
    blurs = [marker.seen.blur_px for marker in markers if np.isfinite(marker.seen.blur_px)]
    return FoundBoard(
        view,
        tuple(sorted(marker.tag.place for marker in markers)),
        float(np.sqrt(np.mean(residual**2))),
        float(np.sqrt(np.mean([marker.seen.sigma_px**2 for marker in markers]))),
        float(np.median(blurs)) if blurs else float("nan"),
    )


def _too_few(placed: Sequence[_Placed]) -> BoardTrouble:
    about = placed[0].tag
    places = sorted({marker.tag.place for marker in placed})
    missing = [PLACES[k] for k in range(4) if k not in places]
    name = f"stage {about.stage_number}, copy {about.copy}"
    if len(places) >= MIN_MARKERS:
        fault = NoBoard(
            f"The corner markers of {name} do not lie as on one flat board.",
            "Lay the board flat and take the picture again.",
        )
    else:
        ones = " and ".join([", ".join(missing[:-1]), missing[-1]]) if len(missing) > 1 else missing[0]
        fault = NoBoard(
            f"Found {len(places)} of the 4 corner markers of {name}, and 3 are needed.",
            f"Is a hand, glare or the picture's rim over the {ones} one?",
        )
    return BoardTrouble(about.stage_number, about.copy, fault)


# ------------------------------------------------------------------------------------------------ choice


def _worth_judging(
    found: Sequence[FoundBoard | BoardTrouble], picture_wh: tuple[int, int]
) -> tuple[FoundBoard | BoardTrouble, ...]:
    """Nearest the middle first; what is cut off by the picture's rim only if no other board is whole."""
    shares = [_share_in_picture(board.view, picture_wh) for board in found]
    if any(share >= MIN_SHARE for share in shares):
        found = [board for board, share in zip(found, shares, strict=True) if share >= MIN_SHARE]
    return tuple(sorted(found, key=lambda board: _order(board, picture_wh)))


def _share_in_picture(view: BoardView | None, picture_wh: tuple[int, int]) -> float:
    if view is None:
        return 0.0
    w, h = picture_wh
    corners = view.corners_px().astype(np.float32)
    whole = cv2.contourArea(corners)
    rim = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
    inside, _ = cv2.intersectConvexConvex(corners, rim)
    return float(inside / max(whole, 1e-9))


def _order(board: FoundBoard | BoardTrouble, picture_wh: tuple[int, int]) -> tuple[float, str]:
    if board.view is None:
        return float("inf"), ""
    w, h = board.view.size_mm
    middle = board.view.to_photo(np.array([[w / 2, h / 2]]))[0]
    away = np.hypot(*(middle - np.array(picture_wh) / 2))
    return round(float(away)), board.view.copy or ""
