"""Path × stage → facts in path order, each with margin and uncertainty."""

from referee.geometry.measure import measure

__all__ = ["measure"]
