"""A web address as a QR code: half blocks for a terminal, SVG for a page."""

from __future__ import annotations

import io

import segno

QUIET_MODULES = 2
"""The light margin: the standard asks for 4, cameras of phones are content with 2, and terminals are small."""


def terminal(link: str, coloured: bool) -> str:
    """The code in half blocks, two rows of it a line.

    ``coloured`` sets white on black in ANSI's words, so that it is right on light terminals too; without it light
    modules are drawn in the terminal's own colour, which most cameras read both ways round.
    """
    matrix = _padded(link)
    if len(matrix) % 2:
        matrix.append([False] * len(matrix[0]))
    pairs = zip(matrix[::2], matrix[1::2], strict=True)
    lines = ["".join(HALVES[pair] for pair in zip(upper, lower, strict=True)) for upper, lower in pairs]
    return "\n".join(f"{WHITE_ON_BLACK}{line}{AS_BEFORE}" for line in lines) if coloured else "\n".join(lines)


WHITE_ON_BLACK = "\x1b[97;40m"
AS_BEFORE = "\x1b[0m"
HALVES = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}
"""Which of an upper and a lower module are dark → the sign that draws the light ones."""


def svg(link: str, label: str) -> str:
    """The code as an ``<svg>`` to put into a page: black on white in dark and light alike, as large as its place.

    ``label`` is what a screen reader says instead.
    """
    out = io.BytesIO()
    _code(link).save(
        out, kind="svg", xmldecl=False, svgns=True, omitsize=True, border=4, dark="#000", light="#fff",
        title=label, svgclass="qr", lineclass=None,
    )  # fmt: skip
    return out.getvalue().decode().strip().replace("<svg ", '<svg role="img" ', 1)


def _code(link: str) -> segno.QRCode:
    return segno.make_qr(link, error="m")


def _padded(link: str) -> list[list[bool]]:
    """The modules, True where dark, with the quiet margin around them."""
    return [[bool(dark) for dark in row] for row in _code(link).matrix_iter(border=QUIET_MODULES)]
