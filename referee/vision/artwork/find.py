"""Which boards without markers lie in a photo, and where: start here.

The photo's features vote for the boards that it may show; those with the most votes are matched and verified one by
one; what is found is taken out of the picture, and the rest is looked at again: the other team's board may lie there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from referee.errors import RefereeError, TooSmall
from referee.model import BoardView, Floats, LensProfile, Photo, Side
from referee.vision.artwork.features import PHOTO_PX, Features, features_of_photo
from referee.vision.artwork.index import Index
from referee.vision.artwork.known import Known
from referee.vision.artwork.match import Match, Seen, match, outline_mm
from referee.vision.find import MIN_SCALE_PX_PER_MM, MIN_SHARE, BoardTrouble, FoundBoard
from referee.vision.opencv import cv2
from referee.vision.plane import mapped
from referee.words import say

SHORTLIST = 8
"""So many of the boards with the most votes are matched."""
CERTAIN = 0.75
"""A board whose print and picture are as alike as this is not doubted: no other is tried."""
MOST_BOARDS = 4
"""A picture with more boards than this is judged by the first."""
MOST_OVERLAP = 0.2
"""Two boards do not lie on each other."""


@dataclass(frozen=True, eq=False)
class Shelf:
    """The boards that may be in a picture: a ``number`` and what is ``known`` of each."""

    numbers: tuple[int, ...]
    known: tuple[Known, ...]

    @cached_property
    def index(self) -> Index:
        """For votes among them all."""
        return Index([board.features for board in self.known])


@dataclass(frozen=True, eq=False)
class _Found:
    """A board of the shelf with its match and its corners (4, 2) in the photo."""

    number: int
    board: Known
    match: Match
    corners_px: Floats


def find_by_artwork(
    photo: Photo, shelf: Shelf, lens: LensProfile | None = None
) -> tuple[FoundBoard | BoardTrouble, ...]:
    """The boards of a shelf that lie in a photo, the one nearest the picture's middle first; none if it shows none.

    A board of which less than two thirds is in the picture is left out if another is whole.  Of two boards of one stage
    the view says which is the left one and which the right.  ``lens`` is the camera's, if it is known.
    """
    seen = look_at(photo)
    features = features_of_photo(np.asarray(cv2.cvtColor(photo.bgr, cv2.COLOR_BGR2GRAY), np.uint8))
    if lens is not None:
        features = replace(features, places=lens.straight(features.places.astype(float)).astype(np.float32))
    found: list[_Found] = []
    while len(found) < MOST_BOARDS:
        best = _best(seen, features, shelf)
        if best is None:
            break
        if all(_overlap(best, other) < MOST_OVERLAP for other in found):
            found.append(best)
        elsewhere = ~_inside(features.places, best.corners_px)
        if elsewhere.all():
            break
        features = features.some(elsewhere)
    picture_wh = seen.picture_wh
    return tuple(_board(one, side, lens) for one, side in _sides(_worth_judging(found, picture_wh)))


def look_at(photo: Photo) -> Seen:
    """A small grey copy of a photo, to compare prints with."""
    height, width = photo.bgr.shape[:2]
    by = min(1.0, PHOTO_PX / max(height, width))
    wh = max(1, round(width * by)), max(1, round(height * by))
    small = cv2.resize(photo.bgr, wh, interpolation=cv2.INTER_AREA)
    return Seen(np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8), width / wh[0], (width, height))


def _best(seen: Seen, features: Features, shelf: Shelf) -> _Found | None:
    """The board of a shelf that is most alike to what features show; None if none is."""
    best: _Found | None = None
    for place in _shortlist(features, shelf):
        board = shelf.known[place]
        there = match(seen, features, board)
        if there is not None and (best is None or there.alike > best.match.alike):
            best = _Found(shelf.numbers[place], board, there, mapped(there.plane, outline_mm(board.size_mm)))
        if best is not None and best.match.alike >= CERTAIN:
            break
    return best


def _shortlist(features: Features, shelf: Shelf) -> Iterator[int]:
    """The places on the shelf of the boards to be matched, the likeliest first."""
    if len(shelf.known) == 1:
        return iter((0,))
    votes = shelf.index.votes(features)
    return iter(np.argsort(-votes, kind="stable")[:SHORTLIST].tolist())


def _inside(places: NDArray[np.float32], corners_px: Floats) -> NDArray[np.bool_]:
    """Which places (N, 2) lie within a board's corners (4, 2)."""
    sides = np.roll(corners_px, -1, axis=0) - corners_px
    away = places[:, None, :] - corners_px[None]
    return np.asarray((sides[:, 0] * away[..., 1] - sides[:, 1] * away[..., 0] > 0).all(1))


def _overlap(one: _Found, other: _Found) -> float:
    """The share of the smaller of two boards that lies on the other."""
    first, second = (found.corners_px.astype(np.float32) for found in (one, other))
    both, _ = cv2.intersectConvexConvex(first, second)
    return float(both / max(min(cv2.contourArea(first), cv2.contourArea(second)), 1e-9))


# ------------------------------------------------------------------------------------------- what is reported


def _worth_judging(found: Sequence[_Found], picture_wh: tuple[int, int]) -> list[_Found]:
    """Nearest the middle first; what is cut off by the picture's rim only if no other board is whole."""
    whole = [one for one in found if _share(one, picture_wh) >= MIN_SHARE]
    middle = np.array(picture_wh) / 2
    away = {id(one): float(np.hypot(*(_middle(one) - middle))) for one in found}
    return sorted(whole or found, key=lambda one: (np.round(away[id(one)]), _middle(one)[0]))


def _middle(one: _Found) -> Floats:
    return np.asarray(mapped(one.match.plane, np.array([one.board.size_mm]) / 2)[0], np.float64)


def _share(one: _Found, picture_wh: tuple[int, int]) -> float:
    w, h = picture_wh
    corners = one.corners_px.astype(np.float32)
    inside, _ = cv2.intersectConvexConvex(corners, np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32))
    return float(inside / max(cv2.contourArea(corners), 1e-9))


def _sides(found: Sequence[_Found]) -> Iterator[tuple[_Found, Side | None]]:
    """Each board, and which it is of two of one stage: one lies left of the other, or above it."""
    for one in found:
        twins = [other for other in found if other.number == one.number and other is not one]
        if not twins:
            yield one, None
            continue
        yield one, "left" if all(_middle(one)[0] <= _middle(other)[0] for other in twins) else "right"


def _board(one: _Found, side: Side | None, lens: LensProfile | None) -> FoundBoard | BoardTrouble:
    view = BoardView(one.number, None, one.board.size_mm, one.match.plane, found_by="artwork", side=side, lens=lens)
    return judged_view(view, _rest_px(one.match))


def judged_view(view: BoardView, rest_px: float) -> FoundBoard | BoardTrouble:
    """A board that lies as a view has it, if it is not too small."""
    scale = view.scale_px_per_mm()
    if scale < MIN_SCALE_PX_PER_MM:
        fault: RefereeError = TooSmall(
            say("fault.too-small", scale=scale, least=MIN_SCALE_PX_PER_MM), say("cure.nearer")
        )
        return BoardTrouble(view.stage_number, None, fault, view)
    return FoundBoard(
        view=view, lens_view=view, places=(), residual_px=rest_px, sigma_px=rest_px, blur_px=float("nan"), growth=0.0
    )


def _rest_px(there: Match) -> float:
    """The rms distance of the pairs from the plane, in px."""
    off = mapped(there.plane, there.pairs.print_mm.astype(float)) - there.pairs.photo_px
    return float(np.sqrt((off**2).sum(1).mean()))
