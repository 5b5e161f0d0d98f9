"""What the built-in circuit is: an L driven anti-clockwise, with a hairpin, an S, a chicane and a patch of ice."""

from __future__ import annotations

from collections.abc import Mapping

from referee.turbo.drafting.layout import Plan, Road, Section, plan, roads

NAME = "Turbo"
SIZE_MM = (388.0, 260.0)

SECTIONS = (
    Section((7,) * 4, length_mm=165.2),
    Section((1, 2, 3, 4), turn=90, radius_mm=10),
    Section((5,) * 4, length_mm=115),
    Section((1, 3, 5, 7), turn=180, radius_mm=3),
    Section((2,) * 4, length_mm=39),
    Section((4, 3, 2, 1), turn=-90, radius_mm=10),
    Section((8,) * 4, length_mm=174),
    Section((2, 4, 6, 8), turn=180, radius_mm=10),
    Section((3,) * 4, length_mm=70.8),
)
"""From the line round to the line: the long straight, the first bend, the ice, the hairpin, the S, the chicane, the
long bend, and the grid."""
START_MM, HEADING = (146.8, 194.0), (1.0, 0.0)
"""Where the line meets the road's inside, and which way the race goes."""

ON_SQUARES: Mapping[str, str] = {
    "ice": "a10 a11 a12 b11 b12 b13 c12 c13 c14 d13 d14 d15",
    "hatched": "a24 a25 a26 c28 c29 c30 d29 d30 d31 d32",
    "obstacle": "a3 c4 b6 d8 b10 c13 a13 c16 d24 a17 c22 c26 a28 d34 b31 c40",
    "ambulance": "b19",
    "grid-1": "a33",
    "grid-2": "b37",
    "grid-3": "c41",
    "grid-4": "d45",
}


def features() -> dict[str, tuple[str, ...]]:
    """What is on each square that has anything on it."""
    found: dict[str, tuple[str, ...]] = {}
    for feature, names in ON_SQUARES.items():
        for name in names.split():
            found[name] = (*found.get(name, ()), feature)
    return found


def turbo_roads() -> tuple[Road, ...]:
    """The sections in their places."""
    return roads(SECTIONS, START_MM, HEADING)


def turbo_plan() -> Plan:
    """The squares and what follows what."""
    return plan(SECTIONS)
