"""From a picture of a clean board to a stage file that is to be traced: one line a step."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import referee.vision.opencv  # noqa: F401  first of all: it says what to do where OpenCV cannot be loaded
from referee.errors import WrongUsage
from referee.model import Floats
from referee.stage.draft import draft_svg
from referee.vision.decode import decode
from referee.vision.draft import jpeg, outline, picture_corners, proportion, straighten, unshade

PAPERS_MM = {"a3": (420.0, 297.0), "a4": (297.0, 210.0), "a5": (210.0, 148.0), "letter": (279.4, 215.9)}
"""The sides of papers, the longer one first."""
MOST_OFF = 0.06
"""A board whose sides are to each other as the picture has it, but for this share, is of the size that was said."""


@dataclass(frozen=True, eq=False)
class Size:
    """How large a board is said to be: both sides in mm, or a paper's name, or the longer side alone."""

    sides_mm: tuple[float, float] | None = None
    paper: str | None = None
    longer_mm: float | None = None

    def of(self, looks: float) -> tuple[float, float]:
        """Width and height in mm of a board that ``looks`` so many times as wide as high; raises `WrongUsage`."""
        if self.sides_mm is not None:
            return self.sides_mm
        if self.paper is not None:
            longer, shorter = PAPERS_MM[self.paper]
            return (longer, shorter) if looks >= 1 else (shorter, longer)
        if self.longer_mm is not None:
            other = round(self.longer_mm * min(looks, 1 / looks), 1)
            return (self.longer_mm, other) if looks >= 1 else (other, self.longer_mm)
        wide = f"{max(looks, 1 / looks):.2f} times as long as broad"
        cure = "Measure its long side and say --long-mm 297; or --size-mm 297x210; or --paper a4."
        raise WrongUsage(f"How large is the board? It looks {wide} (A4 is 1.41).", cure)


@dataclass(frozen=True, eq=False)
class Draft:
    """A stage file's content, with the corners (4, 2) in px that were used and what the board's size came to.

    ``found`` tells whether the outline was found in the picture (else its rim was taken), ``looks`` how many times as
    wide as high the board looks in the picture.
    """

    svg: bytes
    corners_px: Floats
    size_mm: tuple[float, float]
    found: bool
    looks: float

    @property
    def is_odd(self) -> bool:
        """Whether the size that was said and the picture do not go together."""
        return abs(self.size_mm[0] / self.size_mm[1] / self.looks - 1) > MOST_OFF


def new_stage(picture: Path | bytes, size: Size, number: int, name: str, corners_px: Floats | None = None) -> Draft:
    """The draft of a stage from a picture of its clean board.

    The board's outline is looked for, unless its ``corners_px`` (4, 2) are given, top left first and clockwise.
    Raises `RefereeError`s for pictures that cannot be read and sizes or corners that make no sense.
    """
    photo = decode(picture)
    found = outline(photo.bgr) if corners_px is None else corners_px
    corners = picture_corners(photo.bgr) if found is None else found
    looks = proportion(corners, (photo.bgr.shape[1], photo.bgr.shape[0]))
    size_mm = size.of(looks)
    flat = unshade(straighten(photo.bgr, corners, size_mm))
    return Draft(draft_svg(jpeg(flat), size_mm, number, name), corners, size_mm, found is not None, looks)
