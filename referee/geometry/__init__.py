"""Path × stage → facts in path order, each with margin and uncertainty."""

from referee.geometry.measure import Beforehand, measure

__all__ = ["Beforehand", "measure"]
