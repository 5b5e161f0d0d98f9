"""The cells of a corner marker that stay white."""

from __future__ import annotations

from referee.stage.tags36h11 import CODES


def white_cells(marker_id: int) -> list[tuple[int, int]]:
    """White cells (row, column) of the eight by eight square; its rim is black."""
    bits = f"{CODES[marker_id]:036b}"
    return [(1 + i // 6, 1 + i % 6) for i, bit in enumerate(bits) if bit == "1"]
