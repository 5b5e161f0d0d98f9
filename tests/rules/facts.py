"""Races as facts written by hand: no geometry, no board, only what happened where along the path.

A stroke's place on the board is (arc, stroke): x grows along it.  ``Race`` collects facts in order.
"""

from __future__ import annotations

from typing import Any

from shapely.geometry import Point

from referee.facts import (
    Approach,
    Begin,
    Course,
    Crossing,
    Distances,
    DryGap,
    End,
    Fact,
    Facts,
    GadgetTouch,
    Gap,
    Hidden,
    LineDistance,
    Margin,
    OilTouch,
    Ring,
    RopeDistance,
    Spot,
    Touch,
    ZoneDistance,
    ZoneEntry,
    ZoneExit,
)
from referee.model import EndLook, Gadget, GadgetKind, Judgement, Limit
from referee.rules import Rules, judge

SIGMA = 0.05
LINES = ("start", "checkpoint-1", "checkpoint-2", "finish")
FAR = 100.0


class Race:
    """Facts in path order; every method adds one and returns the race, so that a race reads as a sentence."""

    def __init__(
        self, lines: tuple[str, ...] = LINES, hidden: frozenset[str] = frozenset(), dark: frozenset[str] = frozenset()
    ) -> None:
        self.course = Course(lines, (("jump-1", "landing-1"), ("jump-2", "landing-2")), (("a", "slowdown-1"),))
        self.items: list[Fact] = []
        self.distances: list[Distances] = []
        self.drawn: list[Gadget] = []
        self.hidden, self.dark = hidden, dark
        self.stroke, self.arc = -1, 0.0

    def spot(self, arc: float) -> Spot:
        self.arc = arc
        return Spot(self.stroke, arc, (arc, float(self.stroke)))

    def begin(
        self, at: str | None = None, away: float = 0.0, look: EndLook = "free", landing: dict[str, float] | None = None,
        off_road: float = 0.0, rope: float | None = None,
    ) -> Race:  # fmt: skip
        """A stroke begins ``away`` mm from a line (far from all others)."""
        self.stroke += 1
        lines = tuple(
            LineDistance(name, order, away if name == at else FAR, off_road if name == at else 0.0)
            for order, name in enumerate(self.course.lines[:-1])
        )
        arrow = -away if at == "start" else -FAR
        zones = tuple(
            ZoneDistance(f"landing-{i}", "landing", key, (landing or {}).get(key, -FAR))
            for i, key in ((1, "zigzag"), (2, "dots"))
        )
        ropes = () if rope is None else (RopeDistance("clothesline-1", "behind", rope, 5.0),)
        self.items.append(Begin(self.spot(0.0), look, SIGMA, arrow, lines, zones, ropes=ropes))
        return self

    def end(
        self,
        arc: float,
        jump: float = -FAR,
        gap: Gap | None = None,
        look: EndLook = "free",
        rope: float | None = None,
    ) -> Race:
        zones = (ZoneDistance("jump-1", "jump", "zigzag", jump), ZoneDistance("jump-2", "jump", "dots", -FAR))
        ropes = () if rope is None else (RopeDistance("clothesline-1", "before", rope, 5.0),)
        self.items.append(End(self.spot(arc), look, SIGMA, zones, gap or Gap(50.0, 90.0), ropes=ropes))
        return self

    def touch(self, arc: float, margin: float, line: int = 1, sigma: float = SIGMA, long: float = 2.0) -> Race:
        first, last, low = self.spot(arc), self.spot(arc + long), self.spot(arc + long / 2)
        out = self.spot(arc + 0.5) if margin < 0 else None
        name = f"white-line-{line}"
        self.items.append(Touch(first, last, low, Margin(margin, sigma), name, line, out, name if out else None))
        return self

    def cross(self, arc: float, element: str, reach: float = 5.0) -> Race:
        order = self.course.lines.index(element)
        self.items.append(Crossing(self.spot(arc), element, order, Margin(reach, SIGMA)))
        return self

    def into(self, arc: float, kind: Any, key: str = "a", depth: float = 4.0, seen: bool = True) -> Race:
        self.items.append(ZoneEntry(self.spot(arc), f"{kind}-1", kind, key, Margin(depth, SIGMA), seen))
        return self

    def out_of(self, arc: float, kind: Any, key: str = "a", onward: bool = True, depth: float = 4.0) -> Race:
        self.items.append(ZoneExit(self.spot(arc), f"{kind}-1", kind, key, Margin(depth, SIGMA), onward))
        return self

    def oil(self, arc: float, margin: float = -1.0, spill: str = "oil-spill-1") -> Race:
        self.items.append(
            OilTouch(self.spot(arc), self.spot(arc + 2), self.spot(arc + 1), Margin(margin, SIGMA), spill)
        )
        return self

    def draw(self, element: str, faulty: bool = False) -> Race:
        """A gadget on the board; a faulty one touches a white line."""
        kind: GadgetKind = "mine" if element.startswith("mine") else "clothesline"
        limits = (Limit("white-line", "white-line-1", -2.0, 0.1),) if faulty else ()
        ink = Point(50, 0).buffer(4)
        self.drawn.append(Gadget(element, kind, (50.0, 0.0), ink, 0.05, 1, 50.0, limits=limits))
        return self

    def run_into(self, arc: float, margin: float, element: str = "mine-1") -> Race:
        spots = self.spot(arc), self.spot(arc + 2), self.spot(arc + 1)
        kind: GadgetKind = "mine" if element.startswith("mine") else "clothesline"
        self.items.append(GadgetTouch(*spots, Margin(margin, SIGMA), element, kind))
        return self

    def ring(self, arc: float, number: int, hole: float = 4.0, gaps: dict[int, float] | None = None) -> Race:
        spot = self.spot(arc)
        self.items.append(Ring(spot, number, arc - 10, spot.at_mm, hole, SIGMA, tuple((gaps or {}).items())))
        return self

    def hide(self, arc: float, *lines: str, oil: tuple[str, ...] = ()) -> Race:
        self.items.append(Hidden(self.spot(arc), self.spot(arc + 5), "covered", lines, oil))
        return self

    def dry(self, arc: float) -> Race:
        self.items.append(DryGap(self.spot(arc), 1.0))
        return self

    def near(self, arc: float, margin: float, line: int = 1) -> Race:
        spots = self.spot(arc - 3), self.spot(arc + 3), self.spot(arc)
        self.items.append(Approach("white-line", *spots, Margin(margin, SIGMA), f"white-line-{line}", line))
        return self

    def distance(self, element: str, *steps: tuple[float, float]) -> Race:
        """How far the stroke is from a line at places along it."""
        arcs, mm = zip(*steps, strict=True)
        order = self.course.lines.index(element)
        at = tuple((a, 0.0) for a in arcs)
        self.distances.append(Distances(self.stroke, element, order, arcs, mm, at, (True,) * len(arcs)))
        return self

    def facts(self) -> Facts:
        drawn = tuple(self.drawn)
        return Facts(tuple(self.items), self.course, tuple(self.distances), self.hidden, self.dark, gadgets=drawn)

    def judged(self, rules: Rules | None = None) -> Judgement:
        return judge(self.facts(), rules)


def started() -> Race:
    """A race that began on the arrow."""
    return Race().begin("start")


def told(judgement: Judgement) -> list[str]:
    """The events in short."""
    return [
        f"{e.cause} {e.outcome}{'' if e.certain else '?'}" if e.kind == "accident" else e.kind for e in judgement.events
    ]
