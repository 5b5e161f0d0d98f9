"""Drafting a stage from a picture of its clean board: find its outline, lay it flat, take the light off it."""

from referee.vision.draft.flat import jpeg, straighten
from referee.vision.draft.outline import outline, picture_corners, turned
from referee.vision.draft.proportion import proportion
from referee.vision.draft.shade import unshade

__all__ = ["jpeg", "outline", "picture_corners", "proportion", "straighten", "turned", "unshade"]
