"""How fast and how small the referee is, beside the libraries it stands on."""

from referee.bench.run import bench

__all__ = ["bench"]
