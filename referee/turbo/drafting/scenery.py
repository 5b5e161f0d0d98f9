"""What stands beside the road and means nothing: a name, trees, a pond, a grandstand, and a car drawn for fun."""

from __future__ import annotations

from collections.abc import Iterator

from referee.turbo.drafting.svg import num, strokes, tag

INK, WHITE = "#3a3352", "#ffffff"
LEAVES, TRUNK, WATER, SAND = "#6fb35c", "#8a6a4f", "#8fd0ef", "#f3dfa8"
SEATS = ("#e4573d", "#ffd23f", "#4aa3df", "#7bc96f")
"""The colours of the spectators: those of the four cars."""

TREES = (
    (40, 14, 5), (33, 38, 6), (14, 44, 5), (24, 58, 7), (12, 74, 6), (30, 84, 5), (14, 100, 7),
    (190, 16, 6), (206, 26, 7), (232, 14, 5), (244, 30, 6), (238, 50, 7), (246, 72, 5), (228, 92, 6), (214, 104, 5),
    (352, 34, 3), (8, 138, 4),
)  # fmt: skip
"""Where trees stand: x, y, and how far their leaves reach."""


def scenery() -> Iterator[str]:
    """All of it, the hindmost first."""
    yield from _pond(204.0, 68.0)
    yield from _grandstand(92.0, 88.0)
    yield from _infield()
    for x, y, reach in TREES:
        yield from _tree(x, y, reach)
    yield from _name(128.0, 34.0)
    yield from _car(124.0, 68.0)


def _name(x: float, y: float) -> Iterator[str]:
    """TURBO, with a shadow."""
    yield strokes("TURBO", x + 0.8, y + 0.8, 24.0, INK, 1.7)
    yield strokes("TURBO", x, y, 24.0, "#e4573d", 1.3)
    for at in range(3):
        left = x - 62 - 4 * at
        yield tag("path", d=f"M{num(left)} {num(y - 7 + 7 * at)}h-{num(14 - 3 * at)}", stroke=WHITE, stroke_width=1.8)


def _tree(x: float, y: float, reach: float) -> Iterator[str]:
    yield tag("rect", x=x - reach / 7, y=y + reach * 0.5, width=reach / 3.5, height=reach, fill=TRUNK)
    for dx, dy, r in ((-0.45, 0.25, 0.62), (0.45, 0.25, 0.62), (0.0, -0.3, 0.75)):
        yield tag("circle", cx=x + dx * reach, cy=y + dy * reach, r=r * reach, fill=LEAVES)
    yield tag("circle", cx=x - reach * 0.2, cy=y - reach * 0.5, r=reach * 0.18, fill="#93cf7d")


def _pond(x: float, y: float) -> Iterator[str]:
    yield tag("ellipse", cx=x, cy=y, rx=20.0, ry=12.0, fill=SAND)
    yield tag("ellipse", cx=x, cy=y, rx=17.5, ry=9.8, fill=WATER)
    for dx, dy in ((-8, -3), (2, 3), (7, -4)):
        wave = f"M{num(x + dx)} {num(y + dy)}q1.5 -1.5 3 0t3 0"
        yield tag("path", d=wave, fill="none", stroke=WHITE, stroke_width=0.7)


def _grandstand(x: float, y: float) -> Iterator[str]:
    """Three rows of heads that look at the road below."""
    yield tag("rect", x=x, y=y, width=64.0, height=17.0, rx=2.0, fill="#cfd3dc", stroke=INK, stroke_width=0.5)
    for row in range(3):
        for seat in range(12 - row % 2):
            cx = x + 4.5 + 5.0 * seat + 2.5 * (row % 2)
            colour = SEATS[(seat * 7 + row * 3) % len(SEATS)]
            yield tag("circle", cx=cx, cy=y + 4.0 + 4.6 * row, r=1.7, fill=colour, stroke=INK, stroke_width=0.3)


def _car(x: float, y: float) -> Iterator[str]:
    """A racing car from its side, on its way."""
    body = f"M{num(x - 17)} {num(y + 3)}c0 -5 4 -6 9 -6l5 -5h8l5 5c6 0 12 2 12 6v2h-39z"
    yield tag("path", d=body, fill="#e4573d", stroke=INK, stroke_width=0.7)
    yield tag("path", d=f"M{num(x - 1)} {num(y - 3)}l3.5 -3.5h4l3 3.5z", fill="#d8f1fb", stroke=INK, stroke_width=0.5)
    yield tag("path", d=f"M{num(x - 20)} {num(y - 5)}h8v3h-8z", fill=INK)
    for dx in (-8.0, 13.0):
        yield tag("circle", cx=x + dx, cy=y + 5, r=4.4, fill=INK)
        yield tag("circle", cx=x + dx, cy=y + 5, r=1.9, fill="#cfd3dc")
    yield tag("circle", cx=x + 4.0, cy=y - 0.5, r=2.2, fill=WHITE)
    for dx, dy, r in ((-25, 4, 2.6), (-30, 2, 2.0), (-34, 3.5, 1.4)):
        yield tag("circle", cx=x + dx, cy=y + dy, r=r, fill=WHITE)


def _infield() -> Iterator[str]:
    """A row of tyres and some flowers on the grass inside the lap."""
    for at in range(14):
        x = 96.0 + 15.0 * at
        yield tag("circle", cx=x, cy=184.0, r=1.9, fill=INK)
        yield tag("circle", cx=x, cy=184.0, r=0.8, fill="#bfe3a6")
        yield tag("circle", cx=x + 7.5, cy=184.0 + (at % 3 - 1) * 2.0, r=0.9, fill=SEATS[at % len(SEATS)])
