"""What the hand is asked to do: a table of scenarios, each a way to drive a whole race.

``drive(stage, "break_honoured", seed=3, depth=1.2)`` picks places by the seed, raises `CannotDriveError` where the
stage lacks what the scenario needs, and never tells the truth itself: `truth.truth_of` reads that from what was drawn.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely
from shapely.geometry import LineString, Polygon

from referee.model import Floats, OilSpill, Stage, Zone
from tests.simulation.gadgets import Mine, Rope
from tests.simulation.hand import CannotDriveError, Drawn, Hand, Lane, Pin, Race, Touch, Why, covered_end, joined
from tests.simulation.track import LEFT, RIGHT, boosts, inside_mm, zone_pairs

Spot = tuple[float, float]
"""A place on the track: along, off."""
Leaps = dict[str, tuple[Spot | None, Spot]]
"""For a jump (by id): where to take off (None: drive on through) and where to land."""

DRIFT_MM = 1.2
"""How far a hand moves on while it draws a donut."""

# ------------------------------------------------------------------------------------ driving


def run(
    hand: Hand,
    start: float,
    stop: float,
    led: Sequence[Pin | Touch] = (),
    *,
    why: Why = "start",
    lane: Lane | None = None,
    leaps: Leaps | None = None,
) -> list[Drawn]:
    """Drive from one place along the track to another, jumping where the stage wants it."""
    strokes: list[Drawn] = []
    at, begun = start, list(led)
    for jump, landing in zone_pairs(hand.stage):
        low, high = hand.track.span(jump.shape)
        if not start < low or not high < stop:
            continue
        take_off, down = (leaps or {}).get(jump.id) or (take_off_spot(hand, jump), landing_spot(hand, landing))
        if take_off is None:
            continue
        strokes.append(hand.sweep(at, take_off[0], [*begun, Pin(*take_off, 12.0)], lane, why))
        why, at, begun = "leap", down[0], [*led, Pin(*down, 10.0)]
    strokes.append(hand.sweep(at, stop, begun, lane, why))
    return strokes


def whole(hand: Hand, led: Sequence[Pin | Touch] = (), **how: Any) -> list[Drawn]:
    """From the start arrow to beyond the finish."""
    return run(hand, start_spot(hand), end_spot(hand), led, **how)


def start_spot(hand: Hand) -> float:
    low, high = hand.track.start_span
    return hand.between(low + 0.3 * (high - low), high - 0.1 * (high - low))


def end_spot(hand: Hand) -> float:
    room = hand.track.length_mm - hand.track.finish_along
    return hand.track.finish_along + min(hand.between(4, 9), 0.8 * room)


def restart_spot(hand: Hand, crossed: int) -> float:
    """A place within reach of the checkpoint that was crossed last (0: of the arrow)."""
    if crossed == 0:
        return start_spot(hand)
    return hand.track.checkpoint_along[crossed - 1] + hand.between(-5, 6)


def resume(hand: Hand, crossed: int, **how: Any) -> list[Drawn]:
    """A new stroke from the last checkpoint to the end."""
    return run(hand, restart_spot(hand, crossed), end_spot(hand), why="restart", **how)


def take_off_spot(hand: Hand, zone: Zone) -> Spot:
    """Well inside a jump zone."""
    low, high = hand.track.span(zone.shape)
    for _ in range(200):
        along = hand.between(low, high)
        off = hand.off_at(along)
        if inside_mm(hand.track.point(along, off), zone.shape) >= 2.0:
            return along, off
    raise CannotDriveError(f"{zone.id} is too small to jump from")


landing_spot = take_off_spot


def spot_at_margin(hand: Hand, zone: Zone, margin_mm: float, direction: int) -> Spot:
    """Where the tip's centre has this margin to a zone's boundary, behind or ahead of its middle."""
    low, high = hand.track.span(zone.shape)
    off = hand.off_at((low + high) / 2)

    def margin(along: float) -> float:
        return inside_mm(hand.track.point(along, off), zone.shape)

    near, far = (low + high) / 2, (low + high) / 2 + direction * ((high - low) / 2 + max(0.0, -margin_mm) + 6)
    if not margin(near) > margin_mm > margin(far):
        raise CannotDriveError(f"no margin of {margin_mm} mm at {zone.id}")
    for _ in range(50):
        middle = (near + far) / 2
        near, far = (middle, far) if margin(middle) > margin_mm else (near, middle)
    return near, off


def drag(hand: Hand, start_mm: Floats, stop_mm: Floats, shun: Sequence[Floats]) -> Drawn:
    """The marker dragged over anything from one point to another, round the lines in ``shun``."""
    chord = stop_mm - start_mm
    sideways = np.array([chord[1], -chord[0]])
    t = np.linspace(0, 1, max(10, round(float(np.hypot(*chord)) * 1.3 / 0.3)))
    for bend in sorted(np.linspace(-0.5, 0.5, 21), key=abs):
        bow = (t * (1 - t))[:, None] * 4 * (bend + 0.02 * np.sin(9 * t))[:, None]
        points = start_mm + chord * t[:, None] + sideways * bow
        w, h = hand.stage.size_mm
        inside = ((points > 6) & (points < [w - 6, h - 6])).all()
        if inside and not any(LineString(points).distance(LineString(line)) < 3 for line in shun):
            return Drawn(points, np.full(len(t), np.nan), hand.width_mm, "start")
    raise CannotDriveError("no way to drag the marker back")


def gap_at(stroke: Drawn, along: float, gap_mm: float, why: Why) -> tuple[Drawn, Drawn]:
    """The stroke with a gap of ``gap_mm`` between the edges of its two ends of ink."""
    apart = gap_mm + stroke.width_mm
    end = int(np.abs(stroke.along_mm - along).argmin())
    distance = np.hypot(*(stroke.points_mm[end + 1 :] - stroke.points_mm[end]).T)
    after = end + 1 + int((distance >= apart).argmax())
    before, beyond = distance[after - end - 2], distance[after - end - 1]
    part = (apart - before) / (beyond - before)
    first = stroke.points_mm[after - 1] * (1 - part) + stroke.points_mm[after] * part
    where = stroke.along_mm[after - 1] * (1 - part) + stroke.along_mm[after] * part
    points = np.concatenate([[first], stroke.points_mm[after:]])
    alongs = np.concatenate([[where], stroke.along_mm[after:]])
    return (
        Drawn(stroke.points_mm[: end + 1], stroke.along_mm[: end + 1], stroke.width_mm, stroke.why),
        Drawn(points, alongs, stroke.width_mm, why),
    )


# ------------------------------------------------------------------------------------ the scenarios


def clean(hand: Hand, **_: Any) -> list[Drawn]:
    return whole(hand)


def brushes(hand: Hand, margins: Sequence[float] = (0.3, 0.7, 1.3), **_: Any) -> list[Drawn]:
    return whole(hand, _apart(hand, margins))


def near_misses(hand: Hand, gaps: Sequence[float] = (0.3, 0.8), **_: Any) -> list[Drawn]:
    """The ink comes this close to the band without touching it."""
    width = hand.stage.white_lines[0].width_mm
    return whole(hand, _apart(hand, [width + gap for gap in gaps]))


def _apart(hand: Hand, margins: Sequence[float]) -> list[Touch]:
    """Touches in places that do not disturb each other."""
    touches: list[Touch] = []
    for margin in margins:
        for _ in range(60):
            touch = hand.touch(margin)
            if all(abs(touch.along_mm - t.along_mm) > 34 for t in touches):
                touches.append(touch)
                break
        else:
            raise CannotDriveError("the road is too short for so many touches")
    return touches


def break_honoured(hand: Hand, depth: float = 1.5, section: int | None = None, **_: Any) -> list[Drawn]:
    crashed, crossed = _crash(hand, start_spot(hand), depth, section)
    return [*crashed, *resume(hand, crossed)]


def two_breaks(hand: Hand, depth: float = 1.5, section: int | None = None, **_: Any) -> list[Drawn]:
    """Two attempts that end in a break on the same stretch, then a good one."""
    first, crossed = _crash(hand, start_spot(hand), depth, section)
    second, _same = _crash(hand, restart_spot(hand, crossed), depth * 0.8, crossed, why="restart")
    return [*first, *second, *resume(hand, crossed)]


def break_ignored(hand: Hand, depth: float = 1.5, section: int | None = None, **_: Any) -> list[Drawn]:
    return whole(hand, [hand.touch(-depth, section)])


def break_wrong_restart(hand: Hand, depth: float = 1.5, section: int | None = None, **_: Any) -> list[Drawn]:
    """The next stroke begins further on instead of at the checkpoint."""
    crashed, crossed = _crash(hand, start_spot(hand), depth, section)
    stopped = float(crashed[-1].along_mm[-1])
    after = hand.spot(crossed, after=stopped + 12)
    fast, begin = [hand.track.span(z.shape)[0] for z, _ in boosts(hand.stage)], hand.stretch(crossed)[0]
    if any(begin < at < after for at in fast):
        raise CannotDriveError("whether a crash ends a boost is nobody's to say")
    return [*crashed, *run(hand, after, end_spot(hand), why="restart")]


def dragged_back(hand: Hand, depth: float = 1.5, section: int | None = None, **_: Any) -> list[Drawn]:
    """After the break the marker is dragged back to the checkpoint without being lifted."""
    crashed, crossed = _crash(hand, start_spot(hand), depth, section, at_least=34.0)
    again = resume(hand, crossed)
    lines = [c.points_mm for c in hand.stage.checkpoints[crossed:]] + [hand.stage.finish_mm]
    back = drag(hand, crashed[-1].points_mm[-1], again[0].points_mm[0], lines)
    return [*crashed[:-1], joined(crashed[-1], back, again[0]), *again[1:]]


def _crash(
    hand: Hand, start: float, depth: float, section: int | None, why: Why = "start", at_least: float = 16.0
) -> tuple[list[Drawn], int]:
    """A drive that breaks a white line and stops a little later; also how many checkpoints it had crossed."""
    number = section if section is not None else int(hand.rng.integers(len(hand.stage.checkpoints) + 1))
    begin, end = hand.stretch(number)
    touch = hand.touch(-depth, number, after=max(begin, start) + at_least)
    stop = min(touch.along_mm + hand.between(4, 45), end - 8)
    low = [z[0] for jump in hand.stage.jumps if (z := hand.track.span(jump.shape))[0] > touch.along_mm]
    stop = max(min([stop, *(z - 6 for z in low)]), touch.along_mm + 3)
    return run(hand, start, stop, [touch], why=why), number


def lift(hand: Hand, honoured: bool = True, section: int | None = None, gap: float = 9.0, **_: Any) -> list[Drawn]:
    """The marker leaves the board in the middle of the road."""
    number = section if section is not None else int(hand.rng.integers(len(hand.stage.checkpoints) + 1))
    at = hand.spot(number, after=hand.stretch(number)[0] + 22)
    first = run(hand, start_spot(hand), at)
    if honoured:
        return [*first, *resume(hand, number)]
    return [*first, *run(hand, at + gap + hand.width_mm + 1.0, end_spot(hand), why="restart")]


def dry(hand: Hand, gaps: Sequence[float] = (0.6, 1.1, 1.7), **_: Any) -> list[Drawn]:
    """A marker that fails for a moment: short gaps in line."""
    hand.reversals = False
    strokes = whole(hand)
    for gap in gaps:
        strokes = _gapped(hand, strokes, gap, "dry")
    return strokes


def too_close_gap(hand: Hand, gap: float = 3.0, **_: Any) -> list[Drawn]:
    """A gap that could be a lift or a dry marker."""
    hand.reversals = False
    return _gapped(hand, whole(hand), gap, "lift")


def _gapped(hand: Hand, strokes: Sequence[Drawn], gap_mm: float, why: Why) -> list[Drawn]:
    for _ in range(200):
        along = hand.spot()
        for k, stroke in enumerate(strokes):
            if stroke.along_mm[0] + 25 < along < stroke.along_mm[-1] - 25:
                before, after = gap_at(stroke, along, gap_mm, why)
                if _in_line(before, after):
                    return [*strokes[:k], before, after, *strokes[k + 1 :]]
    raise CannotDriveError("no straight piece for a gap")


def _in_line(before: Drawn, after: Drawn) -> bool:
    """Does the ink run on well within the 35 degrees that tell a dry marker from a lift?"""
    return _turn(before, after) < 15


def _turn(before: Drawn, after: Drawn) -> float:
    last = before.points_mm[-1] - before.points_mm[-14]
    over = after.points_mm[0] - before.points_mm[-1]
    first = after.points_mm[13] - after.points_mm[0]
    angles = [np.degrees(np.arctan2(*v[::-1])) for v in (last, over, first)]
    return float(max(abs((a - b + 180) % 360 - 180) for a, b in ((angles[0], angles[1]), (angles[0], angles[2]))))


def jump(
    hand: Hand, how: str = "ok", margin: float | None = None, honoured: bool = False, which: int = 0, **_: Any
) -> list[Drawn]:
    """``how``: ok, on_edge, take_off (too short of the zone), landing (beyond the pair's zone), through."""
    pairs = zone_pairs(hand.stage)
    if not pairs:
        raise CannotDriveError("a stage without a jump")
    up, down = pairs[which % len(pairs)]
    crossed = hand.stretch_of(hand.track.span(up.shape)[0])
    begin = start_spot(hand)
    if how == "through":
        return run(hand, begin, end_spot(hand), leaps={up.id: (None, (0.0, 0.0))})
    off_spot, on_spot = take_off_spot(hand, up), landing_spot(hand, down)
    if how == "on_edge":
        side = int(hand.rng.choice([-1, 1]))
        if hand.rng.random() < 0.5:
            off_spot = spot_at_margin(hand, up, 0.5 if margin is None else margin, side)
        else:
            on_spot = spot_at_margin(hand, down, 0.5 if margin is None else margin, side)
    if how == "take_off":
        off_spot = spot_at_margin(hand, up, -4.0 if margin is None else margin, -1)
    if how == "landing":
        on_spot = spot_at_margin(hand, down, -4.0 if margin is None else margin, 1)
    if not honoured or how in ("ok", "on_edge"):
        return run(hand, begin, end_spot(hand), leaps={up.id: (off_spot, on_spot)})
    if how == "take_off":
        return [*run(hand, begin, off_spot[0], [Pin(*off_spot, 12.0)]), *resume(hand, crossed)]
    stop = min(on_spot[0] + hand.between(8, 25), hand.stretch(crossed)[1] - 8)
    return [*run(hand, begin, stop, leaps={up.id: (off_spot, on_spot)}), *resume(hand, crossed)]


def wrong_turn(hand: Hand, **_: Any) -> list[Drawn]:
    """At a bridge the car turns onto the other road and misses the checkpoints between."""
    first, second = bridge_of(hand)
    if hand.stretch_of(first) == hand.stretch_of(second):
        raise CannotDriveError("no checkpoint would be missed")
    half = 9.0
    before = run(hand, start_spot(hand), first - half, [Pin(first - half, 0.0, 16.0)])
    after = run(hand, second + half, end_spot(hand), [Pin(second + half, 0.0, 16.0)])
    corner = _corner(hand, first, second, half)
    return [*before[:-1], joined(before[-1], corner, after[0]), *after[1:]]


def bridge_of(hand: Hand) -> Spot:
    """Where the track runs under (or over) itself: its two places along the track."""
    at, along = hand.track.points_mm[::2], hand.track.along_mm[::2]
    apart = np.hypot(*(at[:, None] - at[None]).transpose(2, 0, 1))
    apart[np.abs(along[:, None] - along[None]) < 60] = np.inf
    i, j = np.unravel_index(apart.argmin(), apart.shape)
    if apart[i, j] > 1.5:
        raise CannotDriveError("a stage without a bridge")
    return float(min(along[i], along[j])), float(max(along[i], along[j]))


def _corner(hand: Hand, first: float, second: float, half: float) -> Drawn:
    """A rounded turn from one road onto the other."""
    enter, leave = hand.track.point(first - half), hand.track.point(second + half)
    middle = hand.track.point(first)
    t = np.linspace(0, 1, round(2 * half / 0.3))[:, None]
    points = enter * (1 - t) ** 2 + middle * 2 * t * (1 - t) + leave * t**2
    along = np.where(t[:, 0] < 0.5, first - half + 2 * t[:, 0] * half, second + (2 * t[:, 0] - 1) * half)
    return Drawn(points, along, hand.width_mm, "start")


def boost(hand: Hand, how: str = "ok", honoured: bool = True, **_: Any) -> list[Drawn]:
    """``how``: ok, missed (past the slowdown zone beside it)."""
    pairs = boosts(hand.stage)
    if not pairs:
        raise CannotDriveError("a stage without a boost")
    if how == "ok":
        return whole(hand)
    zone = pairs[0][1]
    past = hand.lane_with(avoid=[zone.shape])
    crossed = hand.stretch_of(hand.track.span(zone.shape)[0])
    return _until_found(hand, crossed, honoured, past, [])


def _until_found(
    hand: Hand, crossed: int, honoured: bool, lane: Lane | None, led: Sequence[Pin | Touch]
) -> list[Drawn]:
    """Drive on over the line where the fault is found; go back to the last checkpoint, or just on."""
    posts = [*hand.track.checkpoint_along, hand.track.finish_along]
    if not honoured:
        return whole(hand, led, lane=lane)
    return [*run(hand, start_spot(hand), _just_past(hand, posts[crossed]), led, lane=lane), *resume(hand, crossed)]


def _just_past(hand: Hand, line_along: float) -> float:
    return line_along + min(hand.between(5, 12), 0.8 * (hand.track.length_mm - line_along))


def oil(
    hand: Hand,
    how: str = "three",
    margin: float | None = None,
    gap: float = 1.0,
    honoured: bool = False,
    **_: Any,
) -> list[Drawn]:
    """``how``: avoided, near_miss, three, two, overlapping."""
    if not hand.stage.oil_spills:
        raise CannotDriveError("a stage without oil")
    if how == "avoided":
        return whole(hand)
    spill = hand.stage.oil_spills[int(hand.rng.integers(len(hand.stage.oil_spills)))]
    if how == "near_miss":
        return whole(hand, [_oil_touch(hand, spill, 0.6 if margin is None else margin)])
    touch = _oil_touch(hand, spill, -1.0 if margin is None else margin)
    crossed = hand.stretch_of(touch.along_mm)
    gaps = {"three": (gap, gap), "two": (gap,), "overlapping": (gap, -0.6)}[how]
    hand.reversals = False
    posts = [*hand.track.checkpoint_along, hand.track.finish_along]
    circled, left_at = _circling(hand, touch, gaps, posts[crossed])
    back = how != "three" and honoured
    stop = _just_past(hand, posts[crossed]) if back else end_spot(hand)
    rest = run(hand, left_at[0], stop, [Pin(*left_at, 10.0)])
    return [*circled[:-1], joined(circled[-1], rest[0]), *rest[1:], *(resume(hand, crossed) if back else [])]


def _oil_touch(hand: Hand, spill: OilSpill, margin: float) -> Touch:
    """A touch of the spill's rim from the side on which the road has more room."""
    low, high = hand.track.span(spill.reach)
    along = (low + high) / 2
    cut = hand.track.offs(spill.reach, along)
    if cut is None:
        raise CannotDriveError(f"{spill.id} lies beside the road")
    left = float(np.interp(along, hand.track.along_mm, hand.track.room_mm[LEFT])) - cut[1]
    right = float(np.interp(along, hand.track.along_mm, hand.track.room_mm[RIGHT])) + cut[0]
    return Touch(along, LEFT if left > right else RIGHT, margin, (high - low) / 2 + 14, spill)


def _circling(hand: Hand, touch: Touch, gaps: Sequence[float], before: float) -> tuple[list[Drawn], Spot]:
    """Drive from the start over the spill and draw rings with these gaps between them; where the last one is left."""
    along = touch.along_mm + touch.reach_mm + 4.0
    side = int(hand.rng.choice([LEFT, RIGHT]))
    low = float(np.interp(along, hand.track.along_mm, hand.lane.low_mm))
    high = float(np.interp(along, hand.track.along_mm, hand.lane.high_mm))
    width = hand.width_mm
    radius = min(hand.between(width / 2 + 1.7, width / 2 + 3.0), (high - low) / 2 - 0.3)
    if radius < width / 2 + 1.2:
        raise CannotDriveError("the road is too narrow for donuts")
    off = (low + high) / 2 - side * radius
    loop = Loop(off, side, radius, hand.between(0.94, 1.06))
    meet = hand.lane_with(meet=[_spill(touch).reach])
    lead = run(hand, start_spot(hand), along, [touch, Pin(along, off, 12.0)], lane=meet)
    parts = [lead[-1], loop.drawn(hand, along)]
    for gap in gaps:
        after = next_loop(hand, loop, along, gap)
        parts += [straight(hand, along + DRIFT_MM, after, off), loop.drawn(hand, after)]
        along = after
    parts.append(straight(hand, along + DRIFT_MM, along + 5.0, off))
    if along + 5.0 > before - 3:
        raise CannotDriveError("no room for donuts before the next line")
    return [*lead[:-1], joined(*parts)], (along + 5.0, off)


def _spill(touch: Touch) -> OilSpill:
    assert touch.spill is not None, "a touch of oil"
    return touch.spill


@dataclass(frozen=True)
class Loop:
    """A donut: once round to one side, entered and left along the road, a trochoid that closes on itself."""

    off_mm: float
    side: int
    radius_mm: float
    egg: float

    def drawn(self, hand: Hand, along: float, skip: float = 0.0) -> Drawn:
        """The loop from where the hand enters it; ``skip`` leaves off an angle at both ends."""
        turn = np.linspace(skip, 2 * np.pi - skip, max(24, round(2 * np.pi * self.radius_mm / 0.25)))
        x = along + DRIFT_MM * turn / (2 * np.pi) + self.radius_mm * np.sin(turn)
        y = self.off_mm + self.side * self.egg * self.radius_mm * (1 - np.cos(turn))
        return Drawn(hand.track.place(x, y), x, hand.width_mm, "start")

    def closing_angle(self) -> float:
        """Where the trochoid meets itself: radius sin(angle) = drift / 2 (1 - angle / pi), by fixed point."""
        angle = 0.0
        for _ in range(30):
            angle = float(np.arcsin(DRIFT_MM / 2 * (1 - angle / np.pi) / self.radius_mm))
        return angle

    def ring(self, hand: Hand, along: float) -> LineString:
        return LineString(self.drawn(hand, along, self.closing_angle()).points_mm)


def next_loop(hand: Hand, loop: Loop, along: float, gap_mm: float) -> float:
    """Where the next loop begins so that the two rings' ink is ``gap_mm`` apart."""
    ring = loop.ring(hand, along)
    near, far = along + 0.6 * loop.radius_mm, along + 6 * loop.radius_mm + abs(gap_mm) + 12
    for _ in range(40):
        middle = (near + far) / 2
        wide = ring.distance(loop.ring(hand, middle)) - hand.width_mm > gap_mm
        near, far = (near, middle) if wide else (middle, far)
    return far


def straight(hand: Hand, start: float, stop: float, off: float) -> Drawn:
    along = np.linspace(start, stop, max(2, round(abs(stop - start) / 0.3)))
    return Drawn(hand.track.place(along, np.full(len(along), off)), along, hand.width_mm, "start")


def unfinished(hand: Hand, section: int | None = None, **_: Any) -> list[Drawn]:
    return run(hand, start_spot(hand), hand.spot(section))


def start_outside(hand: Hand, away: float = 14.0, honoured: bool = False, **_: Any) -> list[Drawn]:
    """The first stroke begins on the road, but not at the arrow."""
    begin = hand.track.start_span[1]
    reach = hand.stretch(0)[1]
    along = next((a for a in np.arange(begin, reach - 20, 0.5) if _from_arrow(hand, float(a)) >= away), None)
    if along is None:
        raise CannotDriveError("the first checkpoint is too near")
    if not honoured:
        return run(hand, float(along), end_spot(hand), [Pin(float(along), 0.0, 10.0)])
    first = run(hand, float(along), float(along) + 14, [Pin(float(along), 0.0, 10.0)])
    return [*first, *resume(hand, 0)]


def _from_arrow(hand: Hand, along: float) -> float:
    arrow: Polygon = hand.stage.start
    return float(arrow.distance(shapely.Point(hand.track.point(along))))


# ------------------------------------------------------------------------------------ gadgets


def rope(
    hand: Hand,
    how: str = "jumped",
    margin: float = 2.0,
    honoured: bool = True,
    section: int | None = None,
    dotted: float = 9.0,
    pen: float = 1.0,
    short: float = 0.0,
    **_: Any,
) -> list[Drawn]:
    """``how``: jumped, through, touched (the tip sets on the solid line), early, late, beside (a lift far before it).

    ``margin`` is how far early or late is wrong, or how deep the tip touches; ``short`` leaves the solid line that far
    from the white line at one end.
    """
    placed = put_rope(hand, section, dotted, pen, short)
    at, crossed = placed.along_mm, hand.stretch_of(placed.along_mm)
    room = (hand.width_mm + pen) / 2
    apart = {"early": dotted + margin, "touched": room - margin, "beside": dotted + 15.0 + margin}
    off = hand.between(-2.5, 2.5)
    up = at - apart.get(how, hand.between(room + 0.8, dotted - 0.8))
    down = at + (dotted + margin if how == "late" else hand.between(room + 0.8, dotted - 0.8))
    hand.reversals = False
    start, stop = start_spot(hand), end_spot(hand)
    if how == "through" and not honoured:
        return whole(hand)
    if how == "through":
        return [*run(hand, start, min(at + hand.between(6, 25), hand.stretch(crossed)[1] - 8)), *resume(hand, crossed)]
    before = run(hand, start, up, [Pin(up, off, 10.0)])
    if how == "beside" and honoured:
        return [*before, *hopped(hand, at, room, dotted, restart_spot(hand, crossed))]
    if how in ("early", "touched") and honoured:
        return [*before, *resume(hand, crossed)]
    if how == "late" and honoured:
        end = min(down + hand.between(5, 15), hand.stretch(crossed)[1] - 8)
        return [*before, *run(hand, down, end, [Pin(down, off, 10.0)], why="hop"), *resume(hand, crossed)]
    return [*before, *run(hand, down, stop, [Pin(down, off, 10.0)], why="hop")]


def hopped(hand: Hand, at: float, room: float, dotted: float, start: float) -> list[Drawn]:
    """From a restart on, over a rope that is still there."""
    up, down = at - hand.between(room + 0.8, dotted - 0.8), at + hand.between(room + 0.8, dotted - 0.8)
    before = run(hand, start, up, [Pin(up, 0.0, 10.0)], why="restart")
    return [*before, *run(hand, down, end_spot(hand), [Pin(down, 0.0, 10.0)], why="hop")]


def put_rope(hand: Hand, section: int | None, dotted: float, pen: float, short: float) -> Rope:
    """A rope straight across the road at a quiet place, well behind a checkpoint."""
    number = section if section is not None else int(hand.rng.integers(len(hand.stage.checkpoints) + 1))
    begin, end = hand.stretch(number)
    for _ in range(80):
        along = hand.spot(number, after=begin + dotted + 22, before=end - dotted - 12)
        made = _rope_at(hand, along, dotted, pen, short)
        if all(zone.distance(made.ink) > dotted + 2 for zone in _effects(hand.stage)):
            hand.gadgets.append(made)
            return made
    raise CannotDriveError("no place for a rope")


def _rope_at(hand: Hand, along: float, dotted: float, pen: float, short: float) -> Rope:
    track = hand.track
    left, right = (float(np.interp(along, track.along_mm, track.room_mm[side])) for side in (LEFT, RIGHT))
    ends = track.place(np.array([along, along]), np.array([left - short, -right]))
    way = track.point(along + 1.0) - track.point(along - 1.0)
    onward = np.array([-(ends[1] - ends[0])[1], (ends[1] - ends[0])[0]])
    onward = onward / np.hypot(*onward) * (1 if onward @ way > 0 else -1)
    return Rope(along, ends, onward, dotted, pen)


def _effects(stage: Stage) -> list[Polygon]:
    zones = (*stage.jumps, *stage.landings, *stage.accelerations, *stage.slowdowns, *stage.pipes)
    return [*(zone.shape for zone in zones), *(spill.reach for spill in stage.oil_spills)]


def mine(
    hand: Hand,
    hit: bool = False,
    margin: float = 1.5,
    honoured: bool = True,
    section: int | None = None,
    radius: float = 3.6,
    pen: float = 1.0,
    on_line: bool = False,
    **_: Any,
) -> list[Drawn]:
    """A mine beside the middle of the road: hit by ``margin``, or passed; ``on_line`` has it touch a white line."""
    number = section if section is not None else int(hand.rng.integers(len(hand.stage.checkpoints) + 1))
    begin, end = hand.stretch(number)
    along = hand.spot(number, after=begin + 24, before=end - 16)
    side = int(hand.rng.choice([LEFT, RIGHT]))
    room = float(np.interp(along, hand.track.along_mm, hand.track.room_mm[side]))
    reach = radius + pen / 2
    off = side * (room - reach + 1.0 if on_line else hand.between(1.0, max(1.1, room - reach - 1.0)))
    placed = Mine(along, hand.track.point(along, off), radius, hand.between(0.2, 1.3), pen)
    hand.gadgets.append(placed)
    hand.reversals = False
    beside = [a for a in _effects(hand.stage) if a.distance(placed.ink) < 3.0]
    if beside:
        raise CannotDriveError("the mine would touch a zone")
    if not hit:
        return whole(hand, lane=hand.lane_with(avoid=[placed.ink]))
    touch = Pin(along, off - side * (reach + hand.width_mm / 2 - margin), 14.0)
    if not honoured:
        return whole(hand, [touch])
    crossed = hand.stretch_of(along)
    stop = min(along + hand.between(6, 25), hand.stretch(crossed)[1] - 8)
    return [*run(hand, start_spot(hand), stop, [touch]), *resume(hand, crossed)]


def pipe(hand: Hand, **_: Any) -> list[Drawn]:
    if not hand.stage.pipes:
        raise CannotDriveError("a stage without a pipe")
    return whole(hand)


def bridge(hand: Hand, **_: Any) -> list[Drawn]:
    bridge_of(hand)
    return whole(hand)


def nothing(hand: Hand, **_: Any) -> list[Drawn]:
    del hand
    return []


Scenario = Callable[..., list[Drawn]]
SCENARIOS: dict[str, Scenario] = {
    f.__name__: f
    for f in (
        clean,
        brushes,
        near_misses,
        break_honoured,
        two_breaks,
        break_ignored,
        break_wrong_restart,
        dragged_back,
        lift,
        dry,
        too_close_gap,
        jump,
        wrong_turn,
        boost,
        oil,
        unfinished,
        start_outside,
        rope,
        mine,
        pipe,
        bridge,
        nothing,
    )
}


def drive(stage: Stage, scenario: str, seed: int, width_mm: float | None = None, **asked: Any) -> Race:
    """A race over a stage as the scenario asks (see `SCENARIOS`); the same arguments give the same race.

    Raises `CannotDriveError` where the stage has no place for it.
    """
    chance = np.random.default_rng([seed, 1])
    width = float(chance.uniform(1.9, 3.2)) if width_mm is None else width_mm
    trouble = CannotDriveError("never tried")
    for attempt in range(10):
        hand = Hand(stage, seed * 1000 + attempt, round(width, 2))
        try:
            strokes = SCENARIOS[scenario](hand, **asked)
            if not any(hides_a_lift(a, b, strokes) for a, b in itertools.pairwise(strokes)):
                return Race(stage, hand.track, scenario, dict(asked), tuple(strokes), tuple(hand.gadgets))
        except CannotDriveError as why:
            trouble = why
    raise trouble


def hides_a_lift(stroke: Drawn, after: Drawn, strokes: Sequence[Drawn]) -> bool:
    """Where an accident's own end of ink is covered, a photo does not show the accident: not what was asked."""
    return after.why in ("restart", "lift") and covered_end(stroke, len(stroke.points_mm) - 1, strokes)
