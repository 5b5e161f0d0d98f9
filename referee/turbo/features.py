"""What can be on a square."""

from __future__ import annotations

LANES = (1, 2, 3, 4)
"""The inside lane is 1."""
ICE, HATCHED, OBSTACLE, AMBULANCE = "ice", "hatched", "obstacle", "ambulance"
GRID = ("grid-1", "grid-2", "grid-3", "grid-4")
"""The starting squares, a lane each."""
FEATURES = (ICE, HATCHED, OBSTACLE, AMBULANCE, *GRID)
