"""The markers of Turbo: dictionary ARUCO_MIP_36h12, ids 0 to 49 are this game's.

0 to 3 are the corners of the circuit, top left first, clockwise; all others are free.  A marker is a black square of
8 x 8 cells, the outermost all black; the 6 x 6 inside are its code, row by row.
"""

from __future__ import annotations

DICTIONARY = "ARUCO_MIP_36h12"
CORNERS = (0, 1, 2, 3)
CELLS = 8
CODES: dict[int, int] = {0: 0xD2B63A09D, 1: 0x6001134E5, 2: 0x1206FBE72, 3: 0xFF8AD6CB4}
"""A marker's 36 cells as a number, the top left one first; a 1 is white."""


def white_cells(marker: int) -> list[tuple[int, int]]:
    """Row and column of a marker's white cells, counted in all 8 x 8."""
    inside = CELLS - 2
    bits = f"{CODES[marker]:0{inside * inside}b}"
    return [(at // inside + 1, at % inside + 1) for at, bit in enumerate(bits) if bit == "1"]
