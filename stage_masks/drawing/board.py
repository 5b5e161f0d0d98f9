"""A plan and a kit become one SVG file (stage format 1)."""

from __future__ import annotations

import numpy as np
import shapely

from . import markers, markings
from .curves import Points
from .kits import KITS
from .layout import HEIGHT_MM, LEFT, LINE_MM, RIGHT, WIDTH_MM, Layout, Stretch
from .plan import Plan
from .scenery import CLEAR_MM, Dice, Kit, cover, scenery, sprinkled
from .svg import bezier, el, group, pen, place, shape, straight
from .tape import tape

JUMP_MM, BOOST_MM = 16.0, 15.0
"""How long jump and landing zones, and boost zones, are along the road."""
LIP_MM = 1.5
"""The road left over between a jump's zone and the road's open end."""
KERB_MM, PARAPET_MM = 0.7, 1.6


def draw(plan: Plan) -> str:
    """The whole stage file."""
    return Board(plan).svg()


class Board:
    """One stage while it is drawn: names are given out along the course, the drawing goes from the bottom up."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.layout = Layout(plan)
        self.kit: Kit = KITS[plan.theme]

    def svg(self) -> str:
        """The file's text."""
        plan, kit, layout = self.plan, self.kit, self.layout
        low = [stretch for stretch in layout.stretches if stretch.number not in plan.above]
        high = [stretch for stretch in layout.stretches if stretch.number in plan.above]
        parts = [
            el("title", plan.name),
            kit.ground(Dice(plan.number + 2000)),
            group(cover(layout, kit), data_kind="art"),
            group(self._verges(), data_kind="art"),
            group(sprinkled(layout, kit), data_kind="art"),
            group(scenery(layout, kit), data_kind="art"),
            group(self._underlay(), data_kind="art"),
            *self._level(low),
            *[self._deck(stretch) for stretch in high],
            *self._level(high),
            group([place(kit.sign(plan.number, plan.name), *plan.sign)], data_kind="art"),
            group([tape(*plan.tape)], data_kind="art"),
            *self._markers(),
            self._course(),
        ]
        body = "\n".join(parts)
        return (
            '<svg xmlns="http://www.w3.org/2000/svg" width="297mm" height="210mm" viewBox="0 0 297 210"'
            f' data-stage-format="1" data-stage="{plan.number}" data-set="builtin" data-difficulty="{plan.difficulty}"'
            f' data-name="{plan.name}" data-theme="{plan.theme}">\n{body}\n</svg>\n'
        )

    # ------------------------------------------------------------------------------------------ below the road

    def _verges(self) -> list[str]:
        """The calm strip beside the road, a muted tone 7 mm wide where every ink shows."""
        return [
            shape(markings.ribbon_path(lane, -CLEAR_MM / 2, lane.curve.length + CLEAR_MM / 2, LINE_MM), self.kit.verge,
                  stroke=self.kit.verge, stroke_width=2 * CLEAR_MM, stroke_linejoin="round")
            for lane in self.layout.lanes
        ]  # fmt: skip

    def _level(self, stretches: list[Stretch]) -> list[str]:
        """Sections on one level: surfaces, what is painted on them, white lines."""
        parts = [self._surface(stretch) for stretch in stretches]
        parts += [painted for stretch in stretches for painted in self._painted(stretch)]
        return parts + [line for stretch in stretches for line in self._white_lines(stretch)]

    def _underlay(self) -> list[str]:
        """Kerb, white and road of whole lanes, so that no hairline shows where sections meet."""
        layers = ((LINE_MM + KERB_MM, self.kit.kerb), (LINE_MM, "#ffffff"), (0.0, self.kit.road))
        art = []
        for beyond, colour in layers:
            for lane in self.layout.lanes:
                back = beyond if lane is self.layout.lanes[0] else 0.0
                art.append(shape(markings.ribbon_path(lane, -back, lane.curve.length, beyond), colour))
        return art

    def _surface(self, stretch: Stretch) -> str:
        lane, n = stretch.lane, stretch.number
        road = shape(markings.ribbon_path(lane, stretch.begin, stretch.end), self.kit.road,
                     id=f"road-{n}", data_kind="road", data_section=n)  # fmt: skip
        middle = bezier(lane.curve.at(lane.curve.stations(stretch.begin, stretch.end)))
        dashes = el("path", data_kind="art", d=middle, fill="none", stroke=self.kit.dash, stroke_width=0.8,
                    stroke_dasharray="5 6", stroke_linecap="round")  # fmt: skip
        return road + "\n" + dashes

    # ------------------------------------------------------------------------------------------ on the road

    def _of(self, stretch: Stretch, place_mm: tuple[float, float]) -> float | None:
        """Where on a section a place of the plan lies; None if it is on another one."""
        lane, s = self.layout.snap(place_mm)
        return s if lane is stretch.lane and stretch.begin <= s < stretch.end else None

    def _painted(self, stretch: Stretch) -> list[str]:
        plan, lane = self.plan, stretch.lane
        parts = self._jumps(stretch)
        for i, (begin, end) in enumerate(plan.pipes, 1):
            if (s := self._of(stretch, begin)) is not None:
                parts.append(markings.pipe(f"pipe-{i}", lane, s, self.layout.snap(end)[1]))
        for i, boost in enumerate(plan.boosts, 1):
            pair = chr(ord("a") + i - 1)
            if (s := self._of(stretch, boost.begin)) is not None:
                parts.append(markings.acceleration(f"acceleration-{i}", pair, lane, s, s + BOOST_MM))
            if (s := self._of(stretch, boost.end)) is not None:
                parts.append(markings.slowdown(f"slowdown-{i}", pair, lane, s, s + BOOST_MM))
        for i, spill in enumerate(plan.spills, 1):
            if (s := self._of(stretch, spill.at)) is not None:
                parts.append(markings.oil_spill(f"oil-spill-{i}", lane, s, spill.aside, spill.size, i))
        for i, at in enumerate(plan.checkpoints, 1):
            if (s := self._of(stretch, at)) is not None:
                parts.append(markings.checkpoint(lane, s, i, stretch.number))
        if stretch.number == 1:
            parts.append(markings.start_arrow(lane, plan.arrow_mm))
        if (s := self._of(stretch, plan.finish)) is not None:
            parts.append(markings.finish(lane, s))
        return parts

    def _jumps(self, stretch: Stretch) -> list[str]:
        """The zones at a section's open ends."""
        lane, parts = stretch.lane, []
        nth = next(i for i, other in enumerate(self.layout.lanes) if other is lane)
        if stretch.begin == 0 and nth > 0:
            pattern, at = self.plan.jumps[nth - 1], (LIP_MM, LIP_MM + JUMP_MM)
            parts.append(markings.yellow_zone("landing", f"landing-{nth}", pattern, lane, *at))
        if stretch.end == lane.curve.length and nth < len(self.layout.lanes) - 1:
            pattern, far = self.plan.jumps[nth], lane.curve.length - LIP_MM
            parts.append(markings.yellow_zone("jump", f"jump-{nth + 1}", pattern, lane, far - JUMP_MM, far))
        return parts

    # ------------------------------------------------------------------------------------------ white lines

    def _white_lines(self, stretch: Stretch) -> list[str]:
        """A section's lines: one on each side; the first section's is one line round the back of the start."""
        lane, middle = stretch.lane, LINE_MM / 2
        left = lane.side(LEFT, stretch.begin, stretch.end, middle)
        right = lane.side(RIGHT, stretch.begin, stretch.end, middle)
        if stretch.number > 1:
            first = 2 * stretch.number - 2
            return [
                _white_line(first + i, stretch, self._visible(stretch, side)) for i, side in enumerate((left, right))
            ]
        corners = lane.curve.at(np.array([-middle, -middle]), np.array([-1, 1]) * (lane.half + middle))
        around = bezier(left[::-1]) + "L" + straight(corners)[1:] + bezier(right, move=False)
        return [_white_line(1, stretch, [around])]

    def _visible(self, stretch: Stretch, line: Points) -> list[str]:
        """The parts of a line (N, 2) that no bridge's deck hides, as path data."""
        seen = np.ones(len(line), bool)
        for bridge in self.layout.above(stretch):
            deck = bridge.lane.ribbon(*self.layout.deck(bridge, margin=20.0), LINE_MM + PARAPET_MM)
            seen &= ~shapely.contains_xy(shapely.Polygon(deck).buffer(0), *line.T)
        ends = np.flatnonzero(np.diff(np.concatenate([[0], seen.astype(int), [0]])))
        return [bezier(line[a:b]) for a, b in zip(ends[::2], ends[1::2], strict=True)]

    def _deck(self, stretch: Stretch) -> str:
        """A bridge: its shadow on the road below, and parapets outside its white lines."""
        lane = stretch.lane
        begin, end = self.layout.deck(stretch)
        shadow = shape(markings.ribbon_path(lane, begin + 2, end - 2, LINE_MM + 4.5), "#39405a", opacity=0.22)
        deck = shape(markings.ribbon_path(lane, begin, end, LINE_MM + PARAPET_MM), self.kit.deck)
        posts = [
            pen(
                straight(lane.curve.at(np.array([s, s]), side * (lane.half + LINE_MM + np.array([0.2, PARAPET_MM])))),
                "#8d8577",
                0.5,
            )
            for side in (LEFT, RIGHT)
            for s in np.linspace(begin + 1, end - 1, 15)
        ]
        return group([shadow, deck, *posts], data_kind="art")

    # ------------------------------------------------------------------------------------------ the rest

    def _markers(self) -> list[str]:
        first = 8 * (self.plan.number - 1)
        return [markers.draw(i, x, y, first + i) for i, (x, y) in enumerate(markers.corners(WIDTH_MM, HEIGHT_MM))]

    def _course(self) -> str:
        d = "".join(bezier(lane.curve.points) for lane in self.layout.lanes)
        return el("path", id="course", data_kind="course", d=d, fill="none", stroke="none")


def _white_line(number: int, stretch: Stretch, subpaths: list[str]) -> str:
    d = "".join(subpaths)
    return el("path", id=f"white-line-{number}", data_kind="white-line", data_section=stretch.number, d=d,
              fill="none", stroke="#ffffff", stroke_width=LINE_MM, stroke_linejoin="miter")  # fmt: skip
