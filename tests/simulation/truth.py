"""What truly happened in a simulated race, read from the plan: every point knows where on the track the hand was.

``truth_of(race)`` walks along the strokes once and keeps the score as RULES has it.  It is written apart from the
referee's own rooms and shares nothing with them but the stage.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import shapely
from scipy.spatial import cKDTree  # type: ignore[import-untyped]
from shapely.geometry import LineString, Polygon

from referee.model import Floats, OilSpill, Outcome, Stage, Zone
from tests.simulation.gadgets import Placed, Rope, clear_mm
from tests.simulation.hand import Drawn, Race, covered_end, oil_margins
from tests.simulation.track import LEFT, RIGHT, inside_mm, zone_pairs

CLOSE_MM = 0.25
"""Nearer to a boundary than this nobody is asked to decide from a photo."""
CONTACT_BREAK_MM = 3.0
RESTART_MM = 10.0
AWAY_MM = 20.0
START_MM = 8.0
SHORT_MM = 15.0
HOLE_MM = 1.5
ASIDE_MM = 1.5
"""Further than this from the end that it is driven out by, the centre passes a zone's side."""
TREMBLE_MM = 0.3
"""Going out of a zone by no more than this and in again may be told or not: no picture is so sure of an edge."""
OWED = 3


@dataclass
class TrueEvent:
    """One thing that happened, in the words of the report; ``extent_mm``: where else it may be placed."""

    kind: str
    rule: str
    at_mm: tuple[float, float]
    stroke: int
    attempt: int
    element: str | None = None
    margin_mm: float | None = None
    cause: str | None = None
    outcome: Outcome | None = None
    restart_element: str | None = None
    extent_mm: list[tuple[float, float]] = field(default_factory=list)
    optional: bool = False
    borderline: bool = False
    hidden: bool = False
    doubtful: bool = False
    """A lift near a restart line: ink that ends there may as well begin there, so it may be asked about."""
    also: frozenset[str] = frozenset()
    """Other names for its element: of one contact that passes a seam.  The print shows one white band there; where its
    name changes no picture tells."""
    counted: bool | None = None

    @property
    def certain(self) -> bool | None:
        return None if self.kind != "accident" else not self.borderline


@dataclass
class Wipeout:
    """Donuts owed for one spill."""

    spill: OilSpill
    rings: list[tuple[LineString, TrueEvent]] = field(default_factory=list)
    cancelled: bool = False
    width_mm: float = 0.0

    def best(self) -> tuple[int, ...]:
        """The largest set of rings that are round and clear of each other, the earliest drawn of equal ones."""
        fit = [i for i, (ring, _) in enumerate(self.rings) if hole_mm(ring, self.width_mm) >= HOLE_MM]
        for size in range(len(fit), 0, -1):
            for chosen in itertools.combinations(fit, size):
                if all(self.gap_mm(i, j) > 0 for i, j in itertools.combinations(chosen, 2)):
                    return chosen
        return ()

    def gap_mm(self, i: int, j: int) -> float:
        return float(self.rings[i][0].distance(self.rings[j][0])) - self.width_mm


@dataclass(frozen=True)
class Truth:
    """The right answer for one race."""

    verdict: str | None
    finished: bool
    accidents: int
    donuts: int
    events: tuple[TrueEvent, ...]
    accept_verdicts: tuple[str, ...]
    accept_accidents: tuple[int, ...]
    accept_donuts: tuple[int, ...]
    gone: frozenset[str] = frozenset()
    """The gadgets that were run into and taken off the board."""

    def names(self) -> list[str]:
        """The events that must be reported, as short words in order: ``accident white-line ignored``."""
        return [
            " ".join(w for w in (e.kind, e.cause, e.outcome) if w)
            for e in self.events
            if not e.optional and not e.borderline
        ]


@dataclass(frozen=True, eq=False)
class Fact:
    """Something at one point of a stroke; the walk decides what it means."""

    index: int
    what: str
    order: int = 0
    zone: Zone | None = None
    spill: OilSpill | None = None
    element: str = ""
    margin_mm: float | None = None
    ring: LineString | None = None
    extent_mm: tuple[tuple[float, float], ...] = ()
    also: frozenset[str] = frozenset()
    cause: str = ""
    tremble: bool = False
    """Out of a zone and in again, no farther than a hand trembles."""
    drives_on: bool = False
    """Out of a jump zone and farther from it than where a lift would still be one that missed the zone (R6)."""


def truth_of(race: Race, close_mm: float = CLOSE_MM, covers: bool = True) -> Truth:
    """The truth of a race.

    Nearer to a boundary than ``close_mm`` it may be told either way.  ``covers``: an end under other ink may be told
    or not, as in a photo; who has the strokes themselves knows all their ends.
    """
    walk = Walk(race, close_mm, covers)
    walk.go()
    return walk.truth()


# ------------------------------------------------------------------------------------ facts of one stroke


def facts_of(race: Race, stroke: Drawn) -> list[Fact]:
    """All facts of a stroke in the order of its points."""
    found = [
        *_contacts(race, stroke),
        *_crossings(race, stroke),
        *_zones(race, stroke),
        *_oil(race.stage, stroke),
        *_rings(race.stage, stroke),
        *_gadgets(race, stroke),
    ]
    return sorted(found, key=lambda f: f.index)


def _contacts(race: Race, stroke: Drawn) -> Iterator[Fact]:
    """Each contact with a white line's band: a break if ink shows past the far edge anywhere in it, else a brush."""
    arc = stroke.arc_mm()
    for side in (LEFT, RIGHT):
        margin, which = race.track.line_margins(stroke.points_mm, stroke.along_mm, stroke.width_mm, side)
        bands = np.array([e.line.width_mm for e in race.track.edges] + [0.0])
        touching = np.flatnonzero(margin < bands[which])
        for run in _runs(touching, arc):
            past = run[margin[run] < 0]
            deepest = int(run[margin[run].argmin()])
            index = int(past[0]) if len(past) else deepest
            yield Fact(
                index,
                "break" if len(past) else "brush",
                element=race.track.edges[which[index]].line.id,
                margin_mm=float(margin[deepest]),
                extent_mm=_dots(stroke, run),
                also=frozenset(race.track.edges[i].line.id for i in np.unique(which[run])),
            )


def _runs(indices: np.ndarray, arc: Floats) -> Iterator[np.ndarray]:
    """The indices in groups; breaks of less than 3 mm of path do not part a group."""
    if len(indices):
        yield from np.split(indices, np.flatnonzero(np.diff(arc[indices]) >= CONTACT_BREAK_MM) + 1)


def _dots(stroke: Drawn, run: np.ndarray) -> tuple[tuple[float, float], ...]:
    """Places every 1.5 mm from the first point of a run to its last."""
    inside = np.arange(run[0], run[-1] + 1)
    every = np.unique([*inside[::5], inside[-1]])
    return tuple(_pair(p) for p in stroke.points_mm[every])


def _pair(point: Floats) -> tuple[float, float]:
    return round(float(point[0]), 2), round(float(point[1]), 2)


def _crossings(race: Race, stroke: Drawn) -> Iterator[Fact]:
    """Where the centreline crosses checkpoints and the finish on their own road."""
    stage = race.stage
    widest = max(line.width_mm for line in stage.white_lines)
    posts = [(c.id, c.points_mm, a) for c, a in zip(stage.checkpoints, race.track.checkpoint_along, strict=True)]
    posts.append((stage.finish_id, stage.finish_mm, race.track.finish_along))
    for order, (name, line, along) in enumerate(posts, 1):
        for index in _cuts(stroke.points_mm, _drawn_out(line, widest)):
            if abs(stroke.along_mm[index] - along) < 25:
                yield Fact(index, "line", order=order, element=name, extent_mm=_spread_out(line))


def _drawn_out(line_mm: Floats, by_mm: float) -> Floats:
    """A line across the road drawn out over the white lines.

    R5 has it crossed "between the two white lines", and R2 lets a car touch those: one whose centre passes on the
    white band has left nothing out, and calling the checkpoint missed would accuse it of keeping the rules.
    """
    first, last = line_mm[0] - line_mm[1], line_mm[-1] - line_mm[-2]
    ends = line_mm[0] + first / np.hypot(*first) * by_mm, line_mm[-1] + last / np.hypot(*last) * by_mm
    return np.vstack([ends[0], line_mm[1:-1], ends[1]])


def _spread_out(line_mm: Floats) -> tuple[tuple[float, float], ...]:
    """Seven places along a line."""
    line = LineString(line_mm)
    return tuple(_pair(line.interpolate(t, normalized=True).coords[0]) for t in np.linspace(0, 1, 7))


def _cuts(points_mm: Floats, line_mm: Floats) -> list[int]:
    """The indices of the points before the centreline crosses a line."""
    out: list[int] = []
    step = np.diff(points_mm, axis=0)
    for a, b in itertools.pairwise(line_mm):
        run, rel = b - a, points_mm - a
        side = run[0] * rel[:, 1] - run[1] * rel[:, 0]
        change = np.flatnonzero((side[:-1] < 0) != (side[1:] < 0))
        part = side[change] / (side[change] - side[change + 1])
        at = rel[change] + step[change] * part[:, None]
        on = (at @ run) / (run @ run)
        out += [int(i) for i in change[(on >= 0) & (on <= 1)]]
    return sorted(out)


def _zones(race: Race, stroke: Drawn) -> Iterator[Fact]:
    """Entering and leaving zones with the centreline."""
    stage = race.stage
    for zone in (*stage.accelerations, *stage.slowdowns, *stage.pipes, *stage.jumps):
        inside = shapely.contains_xy(zone.shape, stroke.points_mm)
        inside &= ~np.isnan(stroke.along_mm)
        edges = np.diff(np.concatenate([[False], inside, [False]]).astype(int))
        stays = list(zip(np.flatnonzero(edges > 0).tolist(), np.flatnonzero(edges < 0).tolist(), strict=True))
        out = [_away_mm(stroke, zone, end, after) for (_, end), (after, _) in itertools.pairwise(stays)]
        trembles = [away <= TREMBLE_MM for away in out]
        high = race.track.span(zone.shape)[1]
        for (begin, end), shaken, shakes in zip(stays, [False, *trembles], [*trembles, False], strict=False):
            yield Fact(begin, f"enter {zone.kind}", zone=zone, element=zone.id, tremble=shaken)
            if end == len(inside):
                continue
            aside, returns = bool(stroke.along_mm[end] < high - ASIDE_MM), end < stays[-1][0]
            yield Fact(
                end,
                f"leave {zone.kind}",
                zone=zone,
                element=zone.id,
                extent_mm=_dots(stroke, np.arange(begin, len(inside))[:170]),
                tremble=shakes,
                drives_on=not shakes and not (aside and returns) and _away_mm(stroke, zone, end, None) > SHORT_MM,
            )


def _away_mm(stroke: Drawn, zone: Zone, begin: int, end: int | None) -> float:
    """How far out of a zone the centre goes between two stays in it, or after the last."""
    return float(shapely.distance(zone.shape, shapely.points(stroke.points_mm[begin:end])).max())


def _oil(stage: Stage, stroke: Drawn) -> Iterator[Fact]:
    """Contacts with oil spills; the margin is the deepest point's."""
    for spill in stage.oil_spills:
        margin = oil_margins(stroke, spill)
        for run in _runs(np.flatnonzero(margin <= 0), stroke.arc_mm()):
            deepest = float(margin[run].min())
            yield Fact(
                int(run[0]), "oil", spill=spill, element=spill.id, margin_mm=deepest, extent_mm=_dots(stroke, run)
            )


def named(race: Race) -> dict[str, Placed]:
    """The gadgets by name, each kind counted along the track."""
    row = sorted(race.gadgets, key=lambda g: g.along_mm)
    return {f"{g.kind}-{1 + sum(o.kind == g.kind for o in row[:i])}": g for i, g in enumerate(row)}


def _gadgets(race: Race, stroke: Drawn) -> Iterator[Fact]:
    """Contacts with ropes' solid lines and with mines; the margin is the deepest point's."""
    for name, gadget in named(race).items():
        margin = clear_mm(stroke.points_mm, stroke.width_mm, gadget.ink)
        for run in _runs(np.flatnonzero(margin <= 0), stroke.arc_mm()):
            deepest, dots = float(margin[run].min()), _dots(stroke, run)
            yield Fact(int(run[0]), "gadget", element=name, margin_mm=deepest, extent_mm=dots, cause=gadget.kind)


def _rings(stage: Stage, stroke: Drawn) -> Iterator[Fact]:
    """Rings that the stroke closes on itself, each at the point where it closes."""
    if not stage.oil_spills:
        return
    points, arc = stroke.points_mm, stroke.arc_mm()
    done = 0
    for end in _near_itself(points, arc):
        begin = max(done, int(np.searchsorted(arc, arc[end] - 60.0)))
        stop = int(np.searchsorted(arc, arc[end] - 4.0))
        if stop - begin < 2 or np.hypot(*(points[begin:stop] - points[end]).T).min() > 1.0:
            continue
        for start in reversed(_cuts(points[begin : stop + 1], points[end : end + 2])):
            line = LineString(points[begin + start + 1 : end + 1])
            if line.length > 6 and Polygon(line).buffer(0).area > 2:
                ring = LineString([*line.coords, line.coords[0]])
                yield Fact(end, "ring", ring=ring, extent_mm=tuple(_pair(p) for p in np.asarray(ring.coords)[::6]))
                done = end
                break


def _near_itself(points_mm: Floats, arc_mm: Floats) -> list[int]:
    """The points (but for the first few and the last) that lie near an earlier part of their stroke."""
    one, other = cKDTree(points_mm).query_pairs(1.0, output_type="ndarray").T
    apart = np.abs(arc_mm[one] - arc_mm[other])
    ends = np.unique(np.maximum(one, other)[(apart >= 4.0) & (apart <= 60.0)])
    return [int(i) for i in ends if 20 <= i < len(points_mm) - 1]


def hole_mm(ring: LineString, width_mm: float) -> float:
    """The diameter of the largest circle that the hole of a ring holds."""
    hole = Polygon(ring).buffer(0).buffer(-width_mm / 2)
    if hole.is_empty:
        return 0.0
    parts = getattr(hole, "geoms", [hole])
    return 2 * max(float(shapely.maximum_inscribed_circle(p, tolerance=0.005).length) for p in parts)


# ------------------------------------------------------------------------------------ the walk


class Walk:
    """One pass over a race; ``crash`` is the accident that is being waited out."""

    def __init__(self, race: Race, close_mm: float, covers: bool) -> None:
        self.race = race
        self.close_mm, self.covers = close_mm, covers
        self.stage = race.stage
        self.events: list[TrueEvent] = []
        self.crossed = 0
        self.attempt = 0
        self.finished = False
        self.over = False
        self.crash: TrueEvent | None = None
        self.found_at = 0
        self.owed: Wipeout | None = None
        self.wipeouts: list[Wipeout] = []
        self.boost: Zone | None = None
        self.lapsed: Zone | None = None
        """The boost of an accident that may yet be ignored: whether it outlives that, no rule says."""
        self.lost = False
        self.number = 0
        self.standing = named(race)
        self.gone: set[str] = set()

    def go(self) -> None:
        strokes = self.race.strokes
        for self.number, stroke in enumerate(strokes):
            if self.over:
                return
            self._begin(stroke)
            self._along(stroke)
            if self.number + 1 < len(strokes):
                self._end(stroke, strokes[self.number + 1])
        if strokes and not self.finished:
            self._stop(strokes[-1])
        if self.crash is not None:
            self.crash.outcome = "ignored" if self.finished else "unfinished"

    # -------------------------------------------------------------- ends of strokes

    def _begin(self, stroke: Drawn) -> None:
        if self.number == 0:
            self._start(stroke)
        elif self.crash is not None:
            self._back(stroke)
        elif stroke.why == "leap":
            self._land(stroke)
        elif stroke.why == "hop":
            self._hop(stroke)

    def _covered(self, stroke: Drawn, index: int) -> bool:
        """Whether a picture does not show this end of a stroke: other ink lies on it."""
        return self.covers and covered_end(stroke, index, self.race.strokes)

    def _start(self, stroke: Drawn) -> None:
        away = -inside_mm(stroke.points_mm[0], self.stage.start)
        if away <= START_MM:
            event = self._say("start", "R1", stroke.points_mm[0], element=self.stage.start_id)
            event.optional = self._covered(stroke, 0)
        else:
            self._accident("start", "R1", stroke.points_mm[0], self.stage.start_id, START_MM - away)

    def _restart_place(self) -> tuple[str, shapely.Geometry]:
        if self.crossed == 0:
            return self.stage.start_id, self.stage.start
        checkpoint = self.stage.checkpoints[self.crossed - 1]
        return checkpoint.id, LineString(checkpoint.points_mm)

    def _back(self, stroke: Drawn) -> None:
        """A stroke after an accident: at the right place it honours it."""
        assert self.crash is not None
        name, place = self._restart_place()
        if place.distance(shapely.Point(stroke.points_mm[0])) <= RESTART_MM:
            self._honoured(stroke, 0, name, place)
            return
        self._ignored(self.race_stretch(stroke.along_mm[0]))
        if stroke.why == "leap":
            _, landing = self._pair_near(stroke.along_mm[0])
            if landing.shape.covers(shapely.Point(stroke.points_mm[0])):
                self._say("landing", "R6", stroke.points_mm[0], element=landing.id).optional = True

    def race_stretch(self, along: float) -> int:
        return sum(at < along for at in self.race.track.checkpoint_along)

    def _honoured(self, stroke: Drawn, index: int, name: str, place: shapely.Geometry) -> None:
        assert self.crash is not None
        crash, self.crash, self.lapsed, self.found_at = self.crash, None, None, 0
        crash.outcome, crash.restart_element = "honoured", name
        self.attempt += 1
        event = self._say("restart", "R3", stroke.points_mm[index], element=name)
        outline = place.exterior if isinstance(place, Polygon) else place
        # of a marker dragged back it is not said where in the restart line's neighbourhood it restarted
        near = shapely.distance(place, shapely.points(stroke.points_mm[index:])) <= RESTART_MM
        there = stroke.points_mm[index:][: len(near) if near.all() else max(1, int(near.argmin()))]
        event.extent_mm = [*(_pair(p) for p in there[::3]), *_spread_out(shapely.get_coordinates(outline))]
        if self.crossed == 0 and self.events[0].kind == "start":
            self._either_first(self.events[0], event)
        event.optional = crash.borderline or (index == 0 and self._covered(stroke, 0))

    @staticmethod
    def _either_first(start: TrueEvent, restart: TrueEvent) -> None:
        """Two strokes begin on the arrow and soon run into each other: which head is whose, a photo may not tell."""
        start.extent_mm.append(restart.at_mm)
        restart.extent_mm.append(start.at_mm)

    def _ignored(self, crossed: int) -> None:
        assert self.crash is not None
        self.crash.outcome = "ignored"
        self.crash, self.found_at = None, 0
        self.attempt += 1
        self.crossed = crossed

    def _pair_near(self, along: float) -> tuple[Zone, Zone]:
        pairs = zone_pairs(self.stage)
        spans = [(self.race.track.span(a.shape), self.race.track.span(b.shape)) for a, b in pairs]
        apart = [min(abs(along - v) for span in both for v in span) for both in spans]
        return pairs[int(np.argmin(apart))]

    def _land(self, stroke: Drawn) -> None:
        _, zone = self._pair_near(stroke.along_mm[0])
        margin = inside_mm(stroke.points_mm[0], zone.shape)
        if margin >= 0:
            event = self._say("landing", "R6", stroke.points_mm[0], element=zone.id, margin_mm=margin)
        else:
            event = self._accident("jump", "R6", stroke.points_mm[0], zone.id, margin)
        event.borderline = abs(margin) < self.close_mm
        event.optional = self._covered(stroke, 0)

    def _end(self, stroke: Drawn, after: Drawn) -> None:
        """The marker left the board and came back."""
        if self.crash is not None or after.why == "dry" or self.over:
            return
        last = stroke.points_mm[-1]
        if (rope := self._rope_at(stroke, after)) is not None:
            self._leave(*rope, stroke, after)
            return
        if after.why == "leap" or self._short_of_a_jump(last):
            zone, _ = self._pair_near(stroke.along_mm[-1])
            margin = inside_mm(last, zone.shape)
            if margin >= 0:
                event = self._say("jump", "R6", last, element=zone.id, margin_mm=margin)
            else:
                event = self._accident("jump", "R6", last, zone.id, margin)
            event.borderline = abs(margin) < self.close_mm
            event.optional = self._covered(stroke, len(stroke.points_mm) - 1)
            return
        boost = self.boost
        event = self._accident("lift", "R4", last, None, None)
        event.doubtful = self._restart_place()[1].distance(shapely.Point(last)) <= RESTART_MM
        event.extent_mm = [_pair(last * (1 - t) + after.points_mm[0] * t) for t in (0.0, 0.5, 1.0)]
        if after.why == "lift":
            event.borderline, event.optional = True, True
            event.outcome, self.crash = "ignored", None
            self.boost = boost  # nothing is driven again
        else:
            event.extent_mm = event.extent_mm[:1]
            event.optional = self._covered(stroke, len(stroke.points_mm) - 1)

    def _rope_at(self, stroke: Drawn, after: Drawn) -> tuple[str, Rope] | None:
        """The rope that a lift has to do with: hopped over, or not far ahead."""
        for name, rope in self.standing.items():
            if isinstance(rope, Rope) and after.why != "leap" and stroke.along_mm[-1] < rope.along_mm:
                near = rope.along_mm - stroke.along_mm[-1] < 2 * (rope.dotted_mm + SHORT_MM)
                near = near and rope.ahead_mm(stroke.points_mm[-1]) <= rope.dotted_mm + SHORT_MM
                if near or after.along_mm[0] > rope.along_mm:
                    return name, rope
        return None

    def _leave(self, name: str, rope: Rope, stroke: Drawn, after: Drawn) -> None:
        """The marker leaves the board before a rope."""
        last, half = stroke.points_mm[-1], stroke.width_mm / 2
        margin = rope.dotted_mm - rope.ahead_mm(last)
        if margin < 0:
            self._explode(name, last, margin, "clothesline")
            return
        landed = after.points_mm[0]
        behind = rope.dotted_mm + rope.ahead_mm(landed)
        clear = min(float(rope.ink.distance(shapely.Point(at))) - half for at in (last, landed))
        if rope.ahead_mm(landed) < 0 and min(behind, clear) > 0:
            event = self._say("gadget", "R11", last, element=name, margin_mm=min(margin, behind, clear))
            event.borderline = abs(event.margin_mm or 9.0) < self.close_mm

    def _hop(self, stroke: Drawn) -> None:
        """The marker comes down behind a rope, or where it should not."""
        first = stroke.points_mm[0]
        for name, rope in list(self.standing.items()):
            ahead = rope.ahead_mm(first) if isinstance(rope, Rope) else 0.0
            if isinstance(rope, Rope) and -rope.dotted_mm - 30 < ahead < -rope.dotted_mm:
                self._explode(name, first, rope.dotted_mm + ahead, "clothesline")

    def _explode(self, name: str, at: Floats, margin: float, cause: str) -> TrueEvent:
        """An accident with a gadget, which is gone after it."""
        event = self._accident(cause, "R11", at, name, margin)
        event.borderline = abs(margin) < self.close_mm
        self.gone.add(name)
        del self.standing[name]
        return event

    def _short_of_a_jump(self, last: Floats) -> bool:
        return any(z.shape.distance(shapely.Point(last)) <= 15 for z in self.stage.jumps)

    def _stop(self, stroke: Drawn) -> None:
        """The race ends short of the finish: no lift, but a report may show the place."""
        if self.crash is None:
            event = self._say("accident", "R4", stroke.points_mm[-1])
            event.cause, event.outcome, event.optional = "lift", "unfinished", True

    # -------------------------------------------------------------- along a stroke

    def _along(self, stroke: Drawn) -> None:
        turned = np.flatnonzero(np.abs(np.diff(stroke.along_mm)) > 30)
        returned = self._returned(stroke)
        for fact in facts_of(self.race, stroke):
            if returned is not None and fact.index > returned and self.crash is not None:
                self._honoured(stroke, returned, *self._restart_place())
            if len(turned) and fact.index > turned[0] and not self._past_post(stroke, turned[0], fact.index):
                self.lost = True
            if self.crash is not None:
                self._waiting(fact, stroke)
            elif not self.over:
                self._happens(fact, stroke)
        if returned is not None and self.crash is not None:
            self._honoured(stroke, returned, *self._restart_place())

    def _past_post(self, stroke: Drawn, turn: int, index: int) -> bool:
        """Has the lost car crossed a line since it turned?"""
        return any(f.what == "line" and turn < f.index < index for f in _crossings(self.race, stroke))

    def _returned(self, stroke: Drawn) -> int | None:
        """Where a dragged marker comes back to the last checkpoint; None if it was not dragged."""
        dragged = np.flatnonzero(np.isnan(stroke.along_mm))
        if not len(dragged):
            return None
        aim = stroke.along_mm[dragged[-1] + 1]
        posts = [np.mean(self.race.track.start_span), *self.race.track.checkpoint_along]
        nearest = int(np.argmin(np.abs(np.array(posts) - aim)))
        place = self.stage.start if nearest == 0 else LineString(self.stage.checkpoints[nearest - 1].points_mm)
        near = shapely.distance(shapely.points(stroke.points_mm[dragged]), place) <= RESTART_MM
        return int(dragged[near.argmax()])

    def _waiting(self, fact: Fact, stroke: Drawn) -> None:
        """While a crash is waited out only the next line matters."""
        if fact.what == "line" and fact.order > max(self.crossed, self.found_at):
            self._ignored(fact.order - 1)
            self.lost = False
            self._pass_line(fact, stroke)

    def _happens(self, fact: Fact, stroke: Drawn) -> None:
        at = stroke.points_mm[fact.index]
        if fact.what == "line":
            self._line(fact, stroke)
        elif fact.what in ("brush", "break") and not self.lost:
            self._contact(fact, at)
        elif fact.what == "enter acceleration":
            if self.boost is None:  # entering again while the boost lasts is nothing new
                self._say("acceleration", "R8", at, element=fact.element)
            self.boost = fact.zone
        elif fact.what == "enter slowdown":
            if self.boost is not None and fact.zone is not None and fact.zone.key == self.boost.key:
                self._say("slowdown", "R8", at, element=fact.element)
                self.boost = None  # a car that comes without a boost (a wrong turn) has nothing to slow down from
            elif self.lapsed is not None and fact.zone is not None and fact.zone.key == self.lapsed.key:
                self._say("slowdown", "R8", at, element=fact.element).optional = True
                self.lapsed = None
        elif fact.what in ("enter pipe", "leave pipe"):
            kind = "pipe-enter" if fact.what == "enter pipe" else "pipe-exit"
            self._say(kind, "R10", at, element=fact.element).optional = fact.tremble
        elif fact.what == "leave jump" and fact.drives_on:
            self._accident("jump", "R6", at, fact.element, None).extent_mm = list(fact.extent_mm)
        elif fact.what == "gadget" and fact.element in self.standing:
            self._explode(fact.element, at, fact.margin_mm or 0.0, fact.cause).extent_mm = list(fact.extent_mm)
        elif fact.what == "oil":
            self._slip(fact, stroke)
        elif fact.what == "ring" and self.owed is not None:
            self._circle(fact)

    def _contact(self, fact: Fact, at: Floats) -> None:
        if fact.what == "brush":
            event = self._say("brush", "R2", at, element=fact.element, margin_mm=fact.margin_mm)
        else:
            event = self._accident("white-line", "R2", at, fact.element, fact.margin_mm)
        event.extent_mm, event.also = list(fact.extent_mm), fact.also
        event.borderline = abs(fact.margin_mm or 0.0) < self.close_mm

    def _line(self, fact: Fact, stroke: Drawn) -> None:
        """A checkpoint or the finish is crossed: is anything found out here?"""
        if fact.order <= self.crossed:
            return
        at = stroke.points_mm[fact.index]
        cause, element, rule = None, fact.element, ""
        if fact.order > self.crossed + 1:
            cause, element, rule = "checkpoint-missed", self.stage.checkpoints[self.crossed].id, "R5"
        elif self.owed is not None:
            cause, rule = "donuts-missing", "R9"
        elif self.boost is not None:
            cause, rule = "slowdown-missed", "R8"
        self.lost = False
        if cause is None:
            self._pass_line(fact, stroke)
            return
        if fact.order > len(self.stage.checkpoints):
            self.finished = True
        self._accident(cause, rule, at, element, None).extent_mm = list(fact.extent_mm)
        self.found_at = fact.order

    def _pass_line(self, fact: Fact, stroke: Drawn) -> None:
        last = fact.order > len(self.stage.checkpoints)
        event = self._say("finish" if last else "checkpoint", "R5", stroke.points_mm[fact.index], element=fact.element)
        event.extent_mm = list(fact.extent_mm) if self.attempt else []
        self.finished = self.finished or last
        self.over = last
        self.crossed = fact.order

    def _slip(self, fact: Fact, stroke: Drawn) -> None:
        assert fact.spill is not None
        if self.owed is not None and self.owed.spill is fact.spill:
            return
        event = self._say("wipeout", "R9", stroke.points_mm[fact.index], element=fact.element, margin_mm=fact.margin_mm)
        event.extent_mm = list(fact.extent_mm)
        event.borderline = abs(fact.margin_mm or 0.0) < self.close_mm
        self.owed = Wipeout(fact.spill, width_mm=stroke.width_mm)
        self.wipeouts.append(self.owed)

    def _circle(self, fact: Fact) -> None:
        assert self.owed is not None
        assert fact.ring is not None
        middle = np.asarray(Polygon(fact.ring).centroid.coords[0])
        event = self._say("donut", "R9", middle, element=self.owed.spill.id)
        event.extent_mm = list(fact.extent_mm)
        self.owed.rings.append((fact.ring, event))
        if len(self.owed.best()) >= OWED:
            self.owed = None

    # -------------------------------------------------------------- saying it

    def _say(
        self, kind: str, rule: str, at: Floats, element: str | None = None, margin_mm: float | None = None
    ) -> TrueEvent:
        event = TrueEvent(kind, rule, _pair(at), self.number, self.attempt, element, margin_mm)
        self.events.append(event)
        return event

    def _accident(self, cause: str, rule: str, at: Floats, element: str | None, margin_mm: float | None) -> TrueEvent:
        event = self._say("accident", rule, at, element, margin_mm)
        event.cause, event.outcome = cause, "unfinished"
        self.crash, self.lapsed, self.boost = event, self.boost, None
        if self.owed is not None:
            self.owed.cancelled = cause != "donuts-missing"
            self.owed = None
        return event

    def truth(self) -> Truth:
        donuts, doubtful = self._count_donuts()
        accidents = [e for e in self.events if e.kind == "accident" and not e.optional]
        sure = sum(not (e.borderline or e.doubtful) for e in accidents)
        verdict = self._verdict(accidents)
        if not self.race.strokes:
            return Truth(None, False, 0, 0, (), (), (0,), (0,))
        close = (
            any(e.borderline or (e.doubtful and e.outcome != "honoured") for e in self.events)
            or doubtful
            or self._nearly_oily()
            or self._ends_at_a_line()
        )
        verdicts = {verdict, *(["review", self._verdict([e for e in accidents if not e.borderline])] if close else [])}
        return Truth(
            verdict,
            self.finished,
            len(accidents),
            donuts,
            tuple(self.events),
            tuple(sorted(verdicts)),
            tuple(range(sure, len(accidents) + 1)),
            tuple(range(max(0, donuts - 1), donuts + 2)) if doubtful else (donuts,),
            frozenset(self.gone),
        )

    def _ends_at_a_line(self) -> bool:
        """Whether a stroke ends so near to a checkpoint or the finish that nobody is asked whether it crossed it."""
        lines = [LineString(line) for line in (*(c.points_mm for c in self.stage.checkpoints), self.stage.finish_mm)]
        ends = [shapely.Point(stroke.points_mm[-1]) for stroke in self.race.strokes]
        return any(line.distance(end) < self.close_mm for line in lines for end in ends)

    def _nearly_oily(self) -> bool:
        """Whether ink comes so close to a spill, without touching it, that nobody is asked to decide.

        Touching oil owes donuts, so the verdict hangs on it: "a person must look" is right too ("too close to call").
        No event marks such a near miss.
        """
        near = [oil_margins(stroke, spill).min() for stroke in self.race.strokes for spill in self.stage.oil_spills]
        return any(0 < margin < self.close_mm for margin in near)

    def _verdict(self, accidents: Sequence[TrueEvent]) -> str:
        if any(e.outcome == "ignored" for e in accidents):
            return "ignored-accident"
        return "fair" if self.finished else "unfinished"

    def _count_donuts(self) -> tuple[int, bool]:
        """Counted donuts, and whether one of them is too close to call."""
        total, doubtful = 0, False
        for wipeout in self.wipeouts:
            chosen = wipeout.best()
            for i, (ring, event) in enumerate(wipeout.rings):
                gaps = [wipeout.gap_mm(i, j) for j in chosen if j != i]
                event.counted = i in chosen
                event.optional = i not in chosen
                event.margin_mm = min([hole_mm(ring, wipeout.width_mm) - HOLE_MM, *gaps])
                doubtful |= abs(event.margin_mm) < self.close_mm
            total += 0 if wipeout.cancelled else len(chosen)
        return total, doubtful


def event_json(event: TrueEvent, seq: int) -> dict[str, Any]:
    """An event as truth files have it."""
    said = {
        "seq": seq,
        "kind": event.kind,
        "rule": event.rule,
        "element": event.element,
        "at_mm": list(event.at_mm),
        "stroke": event.stroke,
        "attempt": event.attempt,
        "margin_mm": None if event.margin_mm is None else round(event.margin_mm, 3),
        "cause": event.cause,
        "certain": event.certain,
        "outcome": event.outcome,
        "restart_element": event.restart_element,
        "counted": event.counted,
        "extent_mm": [list(p) for p in event.extent_mm] or None,
        "optional": event.optional or None,
        "borderline": event.borderline or None,
        "hidden": event.hidden or None,
    }
    return {key: value for key, value in said.items() if value is not None}


def truth_json(truth: Truth) -> dict[str, Any]:
    """A truth as truth files have it."""
    events = [event_json(e, i) for i, e in enumerate(truth.events)]
    return {
        "verdict": truth.verdict,
        "accept_verdicts": list(truth.accept_verdicts),
        "finished": truth.finished,
        "accidents": truth.accidents,
        "accept_accidents": list(truth.accept_accidents),
        "donuts": truth.donuts,
        "accept_donuts": list(truth.accept_donuts),
        "borderline": [e["seq"] for e in events if e.get("borderline")],
        "events": events,
        **({} if truth.verdict else {"error": "no-ink"}),
    }
