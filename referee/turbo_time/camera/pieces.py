"""The toys and cards in a photo: which marker, and where on the table.

The table is measured in millimetres and turned about as the picture is: x to the right, y down.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from referee.errors import Mirrored
from referee.model import Photo
from referee.turbo_time.art.cards import CARD_MM
from referee.turbo_time.art.patch import MARKER_MM, PATCH_MM, RIM_MM
from referee.turbo_time.art.tiles import TILE_MM
from referee.turbo_time.faults import NothingSeen
from referee.turbo_time.markers import CARD_OF, TOY_OF
from referee.turbo_time.words import say
from referee.vision.edges import Greys
from referee.vision.find import ailment
from referee.vision.loose import loose_markers, markers_from_above, table_plane
from referee.vision.plane import inverse, mapped
from referee.vision.tags import SeenTag

Floats = NDArray[np.float64]

TILE_MARKER_MM = (TILE_MM - PATCH_MM - 2 + RIM_MM,) * 2
CARD_MARKER_MM = (CARD_MM[0] - PATCH_MM - 3.6 + RIM_MM, 4.0 + RIM_MM)
"""The top left of the marker, from the top left of its piece."""
ODD_SIDE = 0.3
"""A marker that is by this share larger or smaller than printed lies on no piece of this set, or not on the table."""
FINE_PX_PER_MM = 1.2
"""Below this markers are read by luck."""


@dataclass(frozen=True, eq=False)
class Piece:
    """A toy or a card that was read: its marker, its outline (4, 2) on the table in mm, its top left corner first."""

    marker: int
    outline_mm: Floats

    @cached_property
    def middle_mm(self) -> Floats:
        """Its middle (2,)."""
        return np.asarray(self.outline_mm.mean(axis=0))

    @cached_property
    def up(self) -> Floats:
        """The way to its top (2,), of length 1."""
        way = self.outline_mm[0] - self.outline_mm[3]
        return np.asarray(way / np.hypot(*way))


@dataclass(frozen=True, eq=False)
class Table:
    """What was read: pieces, which markers were there twice or are nobody's, and where the table is in the photo."""

    tiles: tuple[Piece, ...]
    cards: tuple[Piece, ...]
    twice: tuple[int, ...]
    strangers: tuple[int, ...]
    to_photo: Floats
    """Table millimetres to the photo's pixels."""
    picture_wh: tuple[int, int]

    def pixel(self, spot_mm: Floats) -> tuple[float, float]:
        """Where a place (2,) of the table is in the photo."""
        x, y = mapped(self.to_photo, spot_mm[None])[0]
        return round(float(x), 1), round(float(y), 1)


def table_in(photo: Photo) -> Table:
    """The pieces in a photo; raises `NothingSeen` if there are none, and `Mirrored` if it shows them in a mirror."""
    tags = loose_markers(photo, "ARUCO_MIP_36h12", MARKER_MM, RIM_MM)
    ours = list(filter(_is_ours, tags))
    if any(tag.mirrored for tag in ours) and sum(not tag.mirrored for tag in ours) < 2:
        raise Mirrored(say("unseen.mirrored"), say("show.mirrored"))
    ours = [tag for tag in ours if not tag.mirrored]
    if not ours:
        raise NothingSeen("strangers") if tags else nothing_seen(photo)
    picture_wh = (photo.bgr.shape[1], photo.bgr.shape[0])
    to_table = table_plane(ours, MARKER_MM, picture_wh)
    more = markers_from_above(photo, "ARUCO_MIP_36h12", ours, to_table, MARKER_MM)
    ours += [tag for tag in more if _is_ours(tag) and not tag.mirrored]
    flat = [(tag, mapped(to_table, tag.corners_px)) for tag in ours]
    pieces = [_piece(tag.marker_id, corners_mm) for tag, corners_mm in flat if _as_printed(corners_mm)]
    if not pieces:
        raise nothing_seen(photo)
    return Table(
        tiles=tuple(piece for piece in pieces if piece.marker in TOY_OF),
        cards=tuple(piece for piece in pieces if piece.marker in CARD_OF),
        twice=_twice(ours),
        strangers=tuple(sorted({tag.marker_id for tag in tags} - {tag.marker_id for tag in ours})),
        to_photo=inverse(to_table),
        picture_wh=picture_wh,
    )


def _is_ours(tag: SeenTag) -> bool:
    return tag.marker_id in TOY_OF or tag.marker_id in CARD_OF


def _twice(tags: Iterable[SeenTag]) -> tuple[int, ...]:
    return tuple(sorted(marker for marker, count in Counter(tag.marker_id for tag in tags).items() if count > 1))


def _as_printed(corners_mm: Floats) -> bool:
    sides = np.linalg.norm(corners_mm - np.roll(corners_mm, 1, axis=0), axis=1)
    return bool((np.abs(sides / MARKER_MM - 1) < ODD_SIDE).all())


def _piece(marker: int, corners_mm: Floats) -> Piece:
    """The piece of a marker: turned as it is, and in its place to the marker."""
    (w, h), corner = (CARD_MM, CARD_MARKER_MM) if marker in CARD_OF else ((TILE_MM, TILE_MM), TILE_MARKER_MM)
    along = corners_mm[1] + corners_mm[2] - corners_mm[0] - corners_mm[3]
    right = along / np.hypot(*along)
    down = np.array([-right[1], right[0]])
    outline = np.array([[0, 0], [w, 0], [w, h], [0, h]]) - corner - MARKER_MM / 2
    return Piece(marker, corners_mm.mean(axis=0) + outline @ np.array([right, down]))


def nothing_seen(photo: Photo) -> NothingSeen:
    """Why nothing was read: what is wrong with the whole picture, if that can be told."""
    match ailment(Greys(photo.bgr).whole):
        case "dark":
            return NothingSeen("dark")
        case "flat":
            return NothingSeen("flat")
        case "blurred":
            return NothingSeen("blurred")
    return NothingSeen("nothing")
