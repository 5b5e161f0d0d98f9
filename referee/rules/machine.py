"""The race as a state machine: facts in path order go in, events come out.

``TABLE`` says what each kind of fact means in each phase; what is not in it means nothing there.

phases  waiting    before the first stroke
        driving    the marker is down and nothing is wrong
        paused     a stroke has ended; the next one's beginning will tell why
        crashed    an accident has happened and the marker is still down
        stranded   the crashed stroke has ended; the next one should begin at the restart line
        over       the finish was crossed

Whatever is too close to call is asked as a question with a key; ``assume`` answers questions, and one that it
does not answer goes as it was measured.  So one path can be read in every way that its doubts leave open.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import hypot
from typing import Literal

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
    Hidden,
    LineDistance,
    Margin,
    OilTouch,
    Point,
    Ring,
    RopeDistance,
    Spot,
    Touch,
    ZoneDistance,
    ZoneEntry,
    ZoneExit,
    spot_of,
)
from referee.rules.contacts import merged
from referee.rules.donuts import clear_set, donut_margin
from referee.rules.gadgets import in_play
from referee.rules.settings import Rules
from referee.rules.state import Crash, Doubt, Draft, Key, Phase, Place, Run, Wipeout, Witnessed
from referee.rules.tables import LIFTS, RULE_OF, SETTLES, TABLE, Origin, Target


def run(
    facts: Facts,
    rules: Rules,
    assume: Mapping[Key, bool] | None = None,
    told: Sequence[Told] = (),
    settled: Mapping[Key, bool] | None = None,
) -> Run:
    """One reading of the facts, every question answered by ``assume`` or as measured.

    ``told`` is what `in_order` makes of the same facts, if that is known from a reading before.  ``settled`` are the
    answers that people gave: they hold for clear calls as for doubts.
    """
    return _Machine(facts, rules, assume or {}, settled or {}).run(told or in_order(facts, rules))


Told = tuple[Spot, Fact | Witnessed]


def in_order(facts: Facts, rules: Rules) -> tuple[Told, ...]:
    """The facts in path order, contacts joined, each with the place where it is told."""
    return tuple((spot_of(fact), fact) for fact in merged(facts.items, rules.contact_merge_mm))


LEAPS = (("in a jump zone", "its landing"), ("before a rope", "behind the rope"))
"""From where to where the marker may leave the board."""
AT_LANDING_MM = 1.0
RECOVERED_MM = 0.3
LONG_OUT_MM = 10.0


class _Machine:
    """One walk along the facts; nothing outside it is changed."""

    def __init__(self, facts: Facts, rules: Rules, assume: Mapping[Key, bool], settled: Mapping[Key, bool]) -> None:
        self.facts, self.rules, self.assume, self.settled = facts, rules, assume, settled
        self.course: Course = facts.course
        self.out = Run()
        self.phase: Phase = "waiting"
        self.passed = 0
        self.crash: Crash | None = None
        self.boost: str | None = None
        self.excused = False
        self.dark = False
        self.tangled = False
        self.unclear: Key | None = None
        self.wipeouts: list[Wipeout] = []
        self.ended: End | None = None
        self.gadgets = in_play(facts.gadgets)
        self.jumped: tuple[str, int] | None = None
        self.now: Place = (0, 0.0)

    def run(self, told: Sequence[Told]) -> Run:
        for spot, fact in told:
            self.drag_up_to(spot)
            self.now = (spot.stroke, spot.arc_mm)
            handler = TABLE.get((self.phase, type(fact)))
            if handler:
                getattr(self, handler)(fact)
        self.close()
        return self.out

    # ------------------------------------------------------------------ asking

    def safe(
        self,
        key: Key,
        margin: Margin,
        rule: str,
        element: str | None,
        spot: Spot,
        kind: Literal["close", "unseen"] = "close",
    ) -> bool:
        """Whether something kept the rule; too close to call, it is a question."""
        measured = margin.mm >= 0
        if abs(margin.mm) >= self.rules.too_close_factor * margin.sigma_mm:
            return self.clear(Doubt(key, measured, kind, rule, element, spot, margin))
        weight = abs(margin.mm) / margin.sigma_mm
        return self.ask(Doubt(key, measured, kind, rule, element, spot, margin, weight))

    def ask(self, doubt: Doubt) -> bool:
        """How an open question goes: as a person answered it, as assumed, or as measured."""
        self.out.unsure.add(doubt.key)
        if doubt.key in self.settled:
            return self.clear(doubt)
        answer = self.assume.get(doubt.key, doubt.safe)
        self.out.calls[doubt.key] = self.out.doubts[doubt.key] = doubt
        self.out.taken[doubt.key] = answer
        return answer

    def clear(self, doubt: Doubt) -> bool:
        """How a clear call goes: as measured, if no person says otherwise."""
        self.out.calls[doubt.key] = doubt
        return self.settled.get(doubt.key, doubt.safe)

    def said(self, about: str, spot: Spot) -> Key | None:
        """The key of a question if a person answered it: what then happens unseen is told like anything else."""
        key = (about, spot.stroke, spot.arc_mm)
        return key if key in self.settled else None

    def unseen(self, about: str, rule: str, element: str | None, spot: Spot) -> bool:
        """Whether all was well where the picture does not show it."""
        return self.ask(Doubt((about, spot.stroke, spot.arc_mm), True, "unseen", rule, element, spot, None, 1.0))

    def not_so(self, about: str, rule: str, element: str | None, spot: Spot) -> bool:
        """Whether a person says that all was well where the referee saw that it was not."""
        return self.clear(Doubt((about, spot.stroke, spot.arc_mm), False, "close", rule, element, spot))

    # ------------------------------------------------------------------ telling

    def event(
        self,
        kind: str,
        spot: Spot,
        element: str | None = None,
        margin: Margin | None = None,
        key: Key | None = None,
    ) -> Draft:
        draft = Draft(kind, RULE_OF[kind], spot, element, margin, key=key)
        self.out.events.append(draft)
        return draft

    def accident(
        self,
        cause: str,
        spot: Spot,
        element: str | None = None,
        margin: Margin | None = None,
        key: Key | None = None,
        hidden: bool = False,
    ) -> Draft:
        draft = Draft(
            "accident", RULE_OF[cause], spot, element, margin, cause=cause, certain=True, key=key, hidden=hidden
        )
        self.out.events.append(draft)
        return draft

    # ------------------------------------------------------------------ accidents

    def unseen_or_crash(self, about: str, cause: str, element: str | None, spot: Spot) -> bool:
        """Ask whether all was well where it is not seen; a no is an accident."""
        if self.unseen(about, RULE_OF[cause], element, spot):
            return True
        said = self.said(about, spot)
        self.crash_with(self.accident(cause, spot, element, key=said, hidden=said is None))
        return False

    def crash_with(self, draft: Draft, found_at: int | None = None, moving: bool = True) -> Crash:
        """An accident happens; the marker goes back to the last line crossed."""
        barrier = (self.passed if found_at is None else found_at) + 1
        draft.back_to = self.course.lines[self.passed]
        crash = self.crash = Crash(draft, self.passed, barrier, found_at)
        if SETTLES.get(draft.cause or "", True):
            self.cancel_donuts()
        for wipeout in self.wipeouts:
            wipeout.open = False
        if moving and self.rules.drag_back_counts:
            crash.drag = self.dragged_back(draft.spot, self.passed)
        self.phase = "crashed"
        return crash

    def cancel_donuts(self) -> None:
        """What is owed is owed no more: the stretch is driven again."""
        for wipeout in self.wipeouts:
            if wipeout.open and self.owed(wipeout) > 0:
                wipeout.cancelled = True

    def resolve(self, outcome: Literal["honoured", "ignored", "unfinished"]) -> None:
        assert self.crash is not None
        self.crash.draft.outcome = outcome
        since = self.crash.draft.spot
        self.out.muted.append(((since.stroke, since.arc_mm), self.now))
        if outcome == "honoured":
            self.crash.draft.restart_element = self.course.lines[self.crash.back_to]
        self.crash = None

    def mute(self, touch: Touch) -> None:
        """In a crash nothing is judged: one excursion is one accident."""
        sure = touch.margin.mm <= -self.rules.too_close_factor * touch.margin.sigma_mm
        self.out.muted_breaks += sure
        if not self.rules.one_excursion_one_accident:
            self.extra_break(touch)

    def extra_break(self, touch: Touch) -> None:
        """A further break of a crashed stroke, where the rules are set to count it; its outcome is the crash's own."""
        if touch.margin.mm < 0 and touch.out is not None and self.crash is not None:
            draft = self.accident("white-line", touch.out, touch.out_element, touch.margin)
            draft.edge_mm, draft.line = touch.edge_mm, touch.line
            self.crash.draft, draft = draft, self.crash.draft
            draft.outcome = "ignored"

    def barrier(self, crossing: Crossing) -> None:
        """A crashed stroke that crosses the next line has ignored its accident; judging goes on from there."""
        assert self.crash is not None
        if crossing.order < self.crash.barrier or not self.crossed(crossing):
            return
        self.resolve("ignored")
        self.boost = None
        self.pass_line(crossing)

    def strand(self, end: End) -> None:
        self.ended = end
        self.phase = "stranded"

    def restart(self, begin: Begin) -> None:
        """The stroke after a crash: at the right place it honours the accident."""
        assert self.crash is not None
        crash = self.crash
        self.dark |= begin.look == "unseen"
        if self.honours(begin, crash.back_to):
            self.honour(begin.spot, begin.look != "covered" or self.is_near(begin, crash.back_to))
            return
        self.resolve("ignored")
        if crash.found_at == self.course.finish_order:
            self.phase = "over"
            return
        if crash.found_at is not None:
            self.passed = crash.found_at
            self.boost = None
        self.resume(begin)

    def honours(self, begin: Begin, order: int) -> bool:
        """Whether a stroke begins where a restart from a line should; a covered beginning is held against nobody."""
        if begin.look == "covered":
            return True
        line = self.distance_to(begin, order)
        sigma = _placed_within(begin, line.mm <= self.rules.restart_tolerance_mm)
        if sigma is None:
            return self.unseen("restart", "R3", line.element, begin.spot)
        off_road = Margin(self.rules.restart_off_road_mm - line.off_road_mm, begin.sigma_mm)
        near = Margin(self.rules.restart_tolerance_mm - line.mm, sigma)
        smaller = min(near, off_road, key=lambda m: m.mm)
        return self.safe(("restart", begin.spot.stroke, begin.spot.arc_mm), smaller, "R3", line.element, begin.spot)

    def distance_to(self, begin: Begin, order: int) -> LineDistance:
        return next(line for line in begin.lines if line.order == order)

    def honour(self, spot: Spot, tell: bool) -> None:
        """An accident is honoured: the race goes on from its restart line."""
        assert self.crash is not None
        element = self.course.lines[self.crash.back_to]
        self.resolve("honoured")
        self.boost = None
        self.phase = "driving"
        if tell:
            self.event("restart", spot, element)

    def resume(self, begin: Begin) -> None:
        """A stroke begins where it should not: the accident before it is ignored and judging goes on.

        A boost that the accident broke off is not held against the driver a second time.
        """
        self.phase = "driving"
        self.excused = True
        landed = next((z for z in begin.zones if z.kind == "landing" and z.mm >= 0), None)
        if landed and begin.look == "free":
            self.event("landing", begin.spot, landed.element, Margin(landed.mm, begin.sigma_mm))

    def dragged_back(self, since: Spot, order: int) -> Spot | None:
        """Where a crashed stroke comes back to its restart line without being lifted, if it goes on from there."""
        row = next((d for d in self.facts.distances if d.stroke == since.stroke and d.order == order), None)
        return _first_return(row, since.arc_mm, self.rules) if row else None

    def drag_up_to(self, spot: Spot) -> None:
        """Restarts a crashed stroke once the walk has come to where it was dragged back to."""
        crash = self.crash if self.phase == "crashed" else None
        if crash and crash.drag and (spot.stroke, spot.arc_mm) > (crash.drag.stroke, crash.drag.arc_mm):
            crash.draft.margin = _driven_margin(crash)
            self.honour(crash.drag, True)

    # ------------------------------------------------------------------ beginnings and ends

    def first_begin(self, begin: Begin) -> None:
        """R1: the first stroke begins on the arrow; ink from an arrow that is not seen whole may not be seen either."""
        self.phase = "driving"
        element = self.course.lines[0]
        at_the_arrow = begin.arrow_mm >= -self.rules.start_tolerance_mm
        out_of_the_dark = not at_the_arrow and element in self.facts.hidden_places
        self.dark |= begin.look == "unseen" or out_of_the_dark
        sigma = None if out_of_the_dark else _placed_within(begin, at_the_arrow)
        if begin.look == "covered":
            return
        if sigma is None:
            self.unseen_or_crash("start", "start", element, begin.spot)
            return
        margin = Margin(self.rules.start_tolerance_mm + min(0.0, begin.arrow_mm), sigma)
        key: Key = ("start", begin.spot.stroke, begin.spot.arc_mm)
        if self.safe(key, margin, "R1", element, begin.spot):
            self.event("start", begin.spot, element, margin, key)
        else:
            self.crash_with(self.accident("start", begin.spot, element, margin, key))

    def pause(self, end: End) -> None:
        self.ended = end
        self.phase = "paused"

    def next_begin(self, begin: Begin) -> None:
        """R4 and R6: what the gap between two strokes was."""
        assert self.ended is not None
        end = self.ended
        self.phase = "driving"
        self.dark |= "unseen" in (end.look, begin.look)
        self.tangled |= "covered" in (end.look, begin.look)
        origin: Origin
        target: Target
        zone: ZoneDistance | RopeDistance | None
        landing: ZoneDistance | RopeDistance | None
        rope = self.rope_between(end, begin)
        if rope is not None:
            (origin, zone), (target, landing) = self.rope_origin(end, rope), self.rope_target(begin, rope)
        else:
            origin, zone = self.origin(end)
            target, landing = self.target(begin, zone if origin == "in a jump zone" else None)
        lands = (origin, target) in LEAPS
        # A dry marker would have gone over the rope: no better.
        if not lands and not _is_behind(landing) and self.may_be_no_lift(end):
            self.unclear = ("gap", end.spot.stroke, end.spot.arc_mm)
            dry = self.is_dry(end)
            if not dry:
                getattr(self, LIFTS[origin, target])(end, begin, zone, landing)
            self.unclear = None
            for crossing in end.between if dry else ():
                self.line(crossing)
        elif origin == "elsewhere" and end.look == "covered":
            self.after_a_covered_end(begin, _zone(landing))
        elif end.look == "unseen" and not lands and self.unseen("end", "R4", None, end.spot):
            self.after_an_unseen_end(begin, target, _zone(landing))
        else:
            getattr(self, LIFTS[origin, target])(end, begin, zone, landing)

    def may_be_no_lift(self, end: End) -> bool:
        """Whether a gap is no gap at all, or in line and narrow enough that it may have been a dry marker."""
        gap, factor = end.gap, self.rules.too_close_factor
        if gap is None:
            return False
        in_line = gap.turn_deg <= self.rules.in_line_deg + factor * gap.turn_sigma_deg
        narrow = gap.mm <= self.rules.unclear_gap_mm + factor * gap.sigma_mm
        return gap.mm <= factor * gap.sigma_mm or (in_line and narrow)

    def is_dry(self, end: End) -> bool:
        """Whether a gap that may have been a dry marker was one; ink that touches shows no lift at all."""
        assert end.gap is not None
        assert self.unclear is not None
        if end.gap.mm <= 0:
            return True
        doubt = Doubt(self.unclear, True, "close", "R4", None, end.spot, None, 0.5)
        if end.gap.mm <= self.rules.dry_gap_mm and end.gap.turn_deg <= self.rules.in_line_deg:
            return self.clear(doubt) and self.tell_gap(doubt)
        return self.ask(doubt) and (doubt.key not in self.settled or self.tell_gap(doubt))

    def tell_gap(self, doubt: Doubt) -> bool:
        """A gap that was no lift, as measured or as a person says; always true."""
        self.event("lift", doubt.spot, key=doubt.key)
        return True

    def after_an_unseen_end(self, begin: Begin, target: Target, landing: ZoneDistance | None) -> None:
        """Whatever happened there, a stroke that begins at the restart line drives the stretch again."""
        self.dark = True
        if landing and landing.mm >= 0 and begin.look == "free":
            self.event("landing", begin.spot, landing.element, Margin(landing.mm, begin.sigma_mm))
        elif target == "the restart place":
            self.drive_again()

    def drive_again(self) -> None:
        """The stretch since the last line is driven again: nothing is owed from before."""
        self.boost = None
        self.cancel_donuts()
        for wipeout in self.wipeouts:
            wipeout.open = False

    def after_a_covered_end(self, begin: Begin, landing: ZoneDistance | None) -> None:
        """An end that other ink lies on is not held against anyone, unless the stretch is driven again.

        A landing can still be seen.
        """
        assert self.ended is not None
        if landing and landing.mm >= 0 and begin.look == "free":
            self.event("landing", begin.spot, landing.element, Margin(landing.mm, begin.sigma_mm))
        elif self.at_restart_place(begin):
            spot = self.ended.spot
            key: Key = ("covered", spot.stroke, spot.arc_mm)
            if self.ask(Doubt(key, False, "close", "R4", None, spot, None, 0.5)):
                self.drive_again()
            else:
                self.crash_with(self.accident("lift", spot, key=key), moving=False)
                self.restart(begin)

    # ------------------------------------------------------------------ lifts and jumps

    def origin(self, end: End) -> tuple[Origin, ZoneDistance | None]:
        """Where a stroke ended: in a jump zone, not far before one, or elsewhere."""
        zones = [z for z in end.zones if z.kind == "jump" and z.on_way]
        zone = max(zones, key=lambda z: z.mm, default=None)
        if zone is None or zone.mm < -self.rules.jump_short_mm:
            return "elsewhere", None
        key: Key = ("jump", end.spot.stroke, end.spot.arc_mm)
        sigma = _placed_within(end)
        if sigma is None or self.safe(key, Margin(zone.mm, sigma), "R6", zone.element, end.spot):
            return "in a jump zone", zone
        return "short of one", zone

    def target(self, begin: Begin, jumped: ZoneDistance | None) -> tuple[Target, ZoneDistance | None]:
        """Where the next stroke began: in the landing of the zone that was left, in another, at the restart line."""
        landings = [z for z in begin.zones if z.kind == "landing"]
        own = next((z for z in landings if jumped and z.key == jumped.key), None)
        if own and self.lands(begin, own):
            return "its landing", own
        other = next((z for z in landings if z.mm >= 0 and z is not own), None)
        if other:
            return "a landing", other
        return ("the restart place" if self.at_restart_place(begin) else "elsewhere"), own

    def lands(self, begin: Begin, zone: ZoneDistance) -> bool:
        key: Key = ("landing", begin.spot.stroke, begin.spot.arc_mm)
        sigma = _placed_within(begin, zone.mm >= 0)
        return sigma is None or self.safe(key, Margin(zone.mm, sigma), "R6", zone.element, begin.spot)

    def at_restart_place(self, begin: Begin) -> bool:
        return self.is_near(begin, self.passed)

    def is_near(self, begin: Begin, order: int) -> bool:
        """Whether a stroke begins, as far as can be seen, where one may from a restart line."""
        line = self.distance_to(begin, order)
        return line.mm <= self.rules.restart_tolerance_mm and line.off_road_mm <= self.rules.restart_off_road_mm

    def jump_and_land(self, end: End, begin: Begin, zone: ZoneDistance | None, landing: ZoneDistance | None) -> None:
        assert zone is not None
        assert landing is not None
        if not self.took_off(end, zone):
            return
        sigma = _placed_within(begin, landing.mm >= 0)
        if sigma is not None:
            key: Key = ("landing", begin.spot.stroke, begin.spot.arc_mm)
            self.event("landing", begin.spot, landing.element, Margin(landing.mm, sigma), key)
        elif begin.look == "unseen":
            self.unseen_or_crash("landing", "jump", landing.element, begin.spot)

    def took_off(self, end: End, zone: ZoneDistance) -> bool:
        """Tell a jump; where the stroke runs on unseen, nobody knows whether the marker went up there."""
        if self.tell_jump(end, zone) or end.look != "unseen":
            return True
        return self.unseen_or_crash("jump", "jump", zone.element, end.spot)

    def tell_jump(self, end: End, zone: ZoneDistance) -> bool:
        """Tell where the marker went up; False where that is hidden."""
        sigma = _placed_within(end)
        if sigma is not None:
            key: Key = ("jump", end.spot.stroke, end.spot.arc_mm)
            self.event("jump", end.spot, zone.element, Margin(zone.mm, sigma), key)
        return sigma is not None

    def land_wrong(self, end: End, begin: Begin, zone: ZoneDistance | None, _: ZoneDistance | None) -> None:
        """R6: the next stroke does not begin in the pair's landing zone; it is the stroke that has crashed."""
        assert zone is not None
        self.tell_jump(end, zone)
        element = self.course.landing_of(zone.element)
        own = next((z for z in begin.zones if z.element == element), None)
        margin = Margin(own.mm, begin.sigma_mm) if own else None
        key: Key = ("landing", begin.spot.stroke, begin.spot.arc_mm)
        self.crash_with(self.accident("jump", begin.spot, element, margin, self.unclear or key))
        if self.at_restart_place(begin):
            self.honour(begin.spot, begin.look == "free")

    def take_off_wrong(self, end: End, begin: Begin, zone: ZoneDistance | None, landing: ZoneDistance | None) -> None:
        """R6: the stroke ended short of the jump zone."""
        missed = self.course.jump_of(landing.element) if landing and landing.mm >= 0 else None
        left = next((z for z in end.zones if z.element == missed), zone)
        margin = Margin(left.mm, end.sigma_mm) if left else None
        element = left.element if left else missed
        key: Key = self.unclear or ("jump", end.spot.stroke, end.spot.arc_mm)
        far_off = key not in self.out.calls
        if far_off and self.clear(Doubt(key, False, "close", "R6", element, end.spot, margin)):
            if landing:
                self.event("landing", begin.spot, landing.element, Margin(landing.mm, begin.sigma_mm), key)
            return
        self.crash_with(self.accident("jump", end.spot, element, margin, key), moving=False)
        self.restart(begin)

    def lift(self, end: End, begin: Begin, _: ZoneDistance | None, __: ZoneDistance | None) -> None:
        """R4: the marker was lifted where nothing demands it."""
        key = self.unclear or self.said("end", end.spot)
        about = self.doubts_lift(end, begin)
        if key is None and (about or end.look != "unseen"):
            key = (about or "lift", end.spot.stroke, end.spot.arc_mm)
            doubt = Doubt(key, False, "close", "R4", None, end.spot, None, 0.5)
            if self.ask(doubt) if about else self.clear(doubt):
                if key in self.settled:
                    self.tell_gap(doubt)
                return
        hidden = end.look == "unseen" and key not in self.settled
        self.crash_with(self.accident("lift", end.spot, key=key, hidden=hidden), moving=False)
        self.restart(begin)

    def doubts_lift(self, end: End, begin: Begin) -> str | None:
        """What a lift that looks like one is doubted for, if anything."""
        if end.at_rim:
            return "rim"
        if self.ends_at_restart_place(end):
            return "turned"
        nowhere = begin.look == "unseen" or (begin.look == "covered" and not self.at_restart_place(begin))
        return "onward" if nowhere else None

    def ends_at_restart_place(self, end: End) -> bool:
        """Whether ink ends where a restart would begin: likely it is a beginning, drawn the other way."""
        rows = [d for d in self.facts.distances if (d.stroke, d.order) == (end.spot.stroke, self.passed)]
        return any(row.mm[-1] <= self.rules.restart_tolerance_mm for row in rows)

    # ------------------------------------------------------------------ gadgets

    def rope_between(self, end: End, begin: Begin) -> RopeDistance | None:
        """The clothesline that a stroke ended before, if the lift has to do with it (R11).

        It ended between its lines or not far before them, or the next one begins beyond it.
        """
        ahead = [rope for rope in end.ropes if rope.side == "before" and rope.element in self.gadgets]
        rope = next(iter(ahead), None)
        if rope is None or any(z.kind == "jump" and z.on_way and z.mm >= 0 for z in end.zones):
            return None
        over = any(other.element == rope.element and other.side == "behind" for other in begin.ropes)
        placed = _placed_within(end) is not None
        return rope if over or (placed and rope.dotted_mm >= -self.rules.rope_short_mm) else None

    def rope_origin(self, end: End, rope: RopeDistance) -> tuple[Origin, RopeDistance]:
        """Whether a stroke ended between a rope's first dotted line and the rope; what is hidden is no fault."""
        sigma = _placed_within(end)
        if sigma is None:
            return "before a rope", rope
        margin = Margin(rope.dotted_mm, hypot(sigma, rope.sigma_mm))
        key: Key = ("rope", end.spot.stroke, end.spot.arc_mm)
        well = self.safe(key, margin, "R11", rope.element, end.spot)
        return ("before a rope" if well else "short of a rope"), rope

    def rope_target(self, begin: Begin, rope: RopeDistance) -> tuple[Target, RopeDistance | None]:
        """Where the next stroke began: between the rope and its second dotted line, at the restart line, elsewhere."""
        here = next((other for other in begin.ropes if other.element == rope.element), None)
        if here is not None and here.side == "behind":
            sigma = _placed_within(begin, here.dotted_mm >= 0)
            margin = Margin(min(here.dotted_mm, self.clear_mm(here)), hypot(sigma or 0.0, here.sigma_mm))
            key: Key = ("rope-landing", begin.spot.stroke, begin.spot.arc_mm)
            if sigma is None or self.safe(key, margin, "R11", rope.element, begin.spot):
                return "behind the rope", here
        elif self.not_so("rope-landing", "R11", rope.element, begin.spot):
            return "behind the rope", here or rope
        if any(z.kind == "landing" and z.mm >= 0 for z in begin.zones):
            return "a landing", here
        return ("the restart place" if self.at_restart_place(begin) else "elsewhere"), here

    def clear_mm(self, rope: RopeDistance) -> float:
        """How clear of a rope's solid line a tip is, where touching it counts."""
        return rope.clear_mm if self.rules.rope_touch_is_crossing else max(rope.clear_mm, 0.0)

    def jump_rope(self, end: End, begin: Begin, rope: RopeDistance, landed: RopeDistance) -> None:
        """R11: a clothesline jumped as it should be; its margin is the smallest of its four."""
        self.jumped = (rope.element, begin.spot.stroke)
        tips: list[tuple[Begin | End, RopeDistance]] = [(end, rope), (begin, landed)]
        told = [
            (Margin(min(at.dotted_mm, at.clear_mm), hypot(tip.sigma_mm, at.sigma_mm)), at.edge_mm)
            for tip, at in tips
            if _placed_within(tip) is not None
        ]
        margin, edge_mm = min(told, key=lambda one: one[0].mm, default=(None, None))
        key: Key = ("rope", end.spot.stroke, end.spot.arc_mm)
        self.event("gadget", end.spot, rope.element, margin, key).edge_mm = edge_mm
        if begin.look == "unseen" and not self.unseen("rope-landing", "R11", rope.element, begin.spot):
            self.run_into("clothesline", begin.spot, rope.element, hidden=True)

    def trip(self, _: End, begin: Begin, rope: RopeDistance, landed: RopeDistance | None) -> None:
        """R11: the next stroke does not begin between the rope and its second dotted line: it has crashed."""
        margin = None
        if landed is not None:
            mm = min(landed.dotted_mm, landed.clear_mm) if landed.side == "behind" else -landed.clear_mm
            margin = Margin(min(mm, 0.0), hypot(begin.sigma_mm, landed.sigma_mm))
        key: Key = self.unclear or ("rope-landing", begin.spot.stroke, begin.spot.arc_mm)
        edge_mm = landed.edge_mm if landed and landed.side == "behind" else None
        crashed = self.run_into("clothesline", begin.spot, rope.element, margin, key, edge_mm=edge_mm)
        if crashed and self.at_restart_place(begin):
            self.honour(begin.spot, begin.look == "free")

    def trip_early(self, end: End, begin: Begin, rope: RopeDistance, _: RopeDistance | None) -> None:
        """R11: the stroke ended before the rope's first dotted line."""
        margin = Margin(rope.dotted_mm, hypot(end.sigma_mm, rope.sigma_mm))
        key: Key = self.unclear or ("rope", end.spot.stroke, end.spot.arc_mm)
        if self.run_into("clothesline", end.spot, rope.element, margin, key, moving=False, edge_mm=rope.edge_mm):
            self.restart(begin)

    def touched(self, touch: GadgetTouch) -> None:
        """R11: ink on a rope's solid line or a mine that is still there."""
        here = (touch.element, touch.first.stroke)
        at_landing = self.jumped == here and touch.first.arc_mm < AT_LANDING_MM  # the jump's own margin told
        crosses = touch.across or touch.kind != "clothesline" or self.rules.rope_touch_is_crossing
        if touch.element not in self.gadgets or at_landing or not crosses:
            return
        key: Key = ("touch", touch.first.stroke, touch.first.arc_mm)
        clear = Margin(touch.margin.mm if touch.margin.mm > 0 else min(touch.margin.mm, -1e-9), touch.margin.sigma_mm)
        if not self.safe(key, clear, "R11", touch.element, touch.low):
            self.run_into(touch.kind, touch.first, touch.element, touch.margin, key, edge_mm=touch.edge_mm)

    def run_into(
        self,
        cause: str,
        spot: Spot,
        element: str,
        margin: Margin | None = None,
        key: Key | None = None,
        *,
        hidden: bool = False,
        moving: bool = True,
        edge_mm: tuple[Point, Point] | None = None,
    ) -> bool:
        """An accident with a gadget, which is gone after it; whether one counts that may not be there is asked."""
        gadget = self.gadgets[element]
        asked = Doubt(("misplaced", spot.stroke, spot.arc_mm), True, "misplaced", "R11", element, spot, margin, 0.5)
        if gadget.fault is not None and self.ask(asked):
            return False
        draft = self.accident(cause, spot, element, margin, key, hidden)
        draft.edge_mm = edge_mm
        self.gadgets = {name: other for name, other in self.gadgets.items() if name != element}
        self.crash_with(draft, moving=moving)
        return True

    # ------------------------------------------------------------------ on the road

    def contact(self, touch: Touch) -> None:
        """R2: ink on a white line; past its far edge it is a break."""
        key: Key = ("line", touch.first.stroke, touch.first.arc_mm)
        kept = self.safe(key, touch.margin, "R2", touch.element, touch.low)
        if kept:
            draft = self.event("brush", touch.low, touch.element, touch.margin, key)
        else:
            place = touch.out or touch.low
            draft = self.accident("white-line", place, touch.out_element or touch.element, touch.margin, key)
            self.crash_with(draft).course_mm = touch.course_mm
        draft.edge_mm, draft.line = touch.edge_mm, touch.line

    def near(self, approach: Approach) -> None:
        """R14: coming close to a line or a spill, as long as the race is judged."""
        self.out.near.append(approach)

    def hidden(self, stretch: Hidden) -> None:
        """Where the path runs through what the picture does not show, a line or a spill may have been touched."""
        self.dark = True
        lines = stretch.white_lines
        if lines and not self.unseen_or_crash("hidden-line", "white-line", lines[0], stretch.first):
            return
        for spill in stretch.oil_spills:
            if not self.owing(spill) and not self.unseen(f"hidden-{spill}", "R9", spill, stretch.first):
                said = self.said(f"hidden-{spill}", stretch.first)
                draft = Draft("wipeout", "R9", stretch.first, spill, key=said, hidden=said is None)
                if said:
                    self.out.events.append(draft)
                self.wipeouts.append(Wipeout(draft, spill))

    def dry_gap(self, gap: DryGap) -> None:
        """R4: a narrow gap in line was a dry marker, unless a person saw it lifted."""
        key: Key = ("gap", gap.spot.stroke, gap.spot.arc_mm)
        doubt = Doubt(key, True, "close", "R4", None, gap.spot)
        if self.phase != "driving" or self.clear(doubt):
            self.tell_gap(doubt)
        else:
            self.crash_with(self.accident("lift", gap.spot, key=key))

    def witnessed(self, seen: Witnessed) -> None:
        """R4: a lift that a person saw where the ink has no gap; in an excursion it is no accident of its own."""
        key: Key = ("seen", seen.spot.stroke, seen.spot.arc_mm)
        if not self.clear(Doubt(key, True, "unseen", "R4", None, seen.spot)) and self.phase == "driving":
            self.crash_with(self.accident("lift", seen.spot, key=key))

    def zone_entry(self, entry: ZoneEntry) -> None:
        """R8 and R10: zones count by the centreline."""
        if entry.kind == "acceleration":
            if self.boost is None and self.enters(entry):
                self.event("acceleration", entry.spot, entry.element)
                self.boost, self.excused = entry.key, False
        elif entry.kind == "slowdown":
            if self.boost == entry.key and self.enters(entry):
                self.event("slowdown", entry.spot, entry.element, entry.depth)
                self.boost = None
        elif entry.kind == "pipe" and entry.depth.mm >= 0:
            self.event("pipe-enter", entry.spot, entry.element)

    def enters(self, entry: ZoneEntry) -> bool:
        if not entry.seen:
            return self.unseen("zone", RULE_OF[entry.kind], entry.element, entry.spot)
        key: Key = ("zone", entry.spot.stroke, entry.spot.arc_mm)
        return self.safe(key, entry.depth, RULE_OF[entry.kind], entry.element, entry.spot)

    def zone_exit(self, leaving: ZoneExit) -> None:
        """R6: driving on through a jump zone; R10: out of a pipe."""
        if leaving.kind == "pipe":
            self.event("pipe-exit", leaving.spot, leaving.element)
        elif leaving.kind == "jump" and leaving.onward:
            key: Key = ("through", leaving.spot.stroke, leaving.spot.arc_mm)
            if leaving.ends and leaving.beyond_mm <= self.rules.jump_short_mm:
                return  # the stroke's end tells: it was lifted behind the zone
            missed = Margin(-min(leaving.depth.mm, leaving.beyond_mm), leaving.depth.sigma_mm)
            if not leaving.seen:
                through = not self.unseen("through", "R6", leaving.element, leaving.spot)
            else:
                through = not self.safe(key, missed, "R6", leaving.element, leaving.spot)
            if through:
                self.crash_with(self.accident("jump", leaving.spot, leaving.element, key=key))

    # ------------------------------------------------------------------ oil

    def oil(self, touch: OilTouch) -> None:
        """R9: ink on the purple line is a wipeout, unless it still owes for the same spill."""
        if self.owing(touch.element) or (not self.rules.wipeout_again_after_donuts and self.wiped_out(touch.element)):
            return
        key: Key = ("oil", touch.first.stroke, touch.first.arc_mm)
        clear = Margin(touch.margin.mm if touch.margin.mm > 0 else min(touch.margin.mm, -1e-9), touch.margin.sigma_mm)
        if self.safe(key, clear, "R9", touch.element, touch.low):
            return
        draft = self.event("wipeout", touch.first, touch.element, touch.margin, key)
        draft.edge_mm = touch.edge_mm
        self.wipeouts.append(Wipeout(draft, touch.element))

    def owing(self, spill: str) -> bool:
        return any(w.open and w.spill == spill and self.owed(w) > 0 for w in self.wipeouts)

    def wiped_out(self, spill: str) -> bool:
        return any(w.open and w.spill == spill for w in self.wipeouts)

    def owed(self, wipeout: Wipeout) -> int:
        return self.rules.donuts_owed - len(self.counted(wipeout))

    def counted(self, wipeout: Wipeout, slack: float = 0.0) -> tuple[Ring, ...]:
        return clear_set(wipeout.rings, self.rules.donut_hole_mm, slack)

    def ring(self, ring: Ring) -> None:
        """A ring goes to the oldest wipeout that still owes one, else to the latest."""
        able = [w for w in self.wipeouts if w.open and _drawn_after(ring, w.draft.spot)]
        if able:
            next((w for w in able if self.owed(w) > 0), able[-1]).rings.append(ring)

    def donuts_done(self) -> bool:
        """Whether everything owed has been drawn; too close to call, it is a question."""
        need, factor = self.rules.donuts_owed, self.rules.too_close_factor
        debts = [w for w in self.wipeouts if w.open]
        # Where ends lie under other ink the strokes may be told apart wrongly, and with them the rings.
        in_sight = not self.dark and not self.tangled and all(r.seen for w in debts for r in w.rings)
        at = debts[0].draft.spot
        doubt = Doubt(
            ("donuts", at.stroke, at.arc_mm),
            all(self.owed(w) <= 0 for w in debts),
            "close" if in_sight else "unseen",
            "R9",
            debts[0].spill,
            at,
        )
        if all(len(self.counted(w, -factor)) >= need and all(r.seen for r in w.rings) for w in debts):
            return self.clear(replace(doubt, safe=True))
        if in_sight and any(len(self.counted(w, factor)) < need and not w.draft.hidden for w in debts):
            return self.clear(replace(doubt, safe=False))
        return self.ask(doubt)

    # ------------------------------------------------------------------ checkpoints and the finish

    def crossed(self, crossing: Crossing) -> bool:
        """Whether a stroke that ends close to a line has crossed it."""
        key: Key = ("cross", crossing.spot.stroke, crossing.spot.arc_mm)
        return self.safe(key, crossing.reach, "R5", crossing.element, crossing.spot)

    def line(self, crossing: Crossing) -> None:
        """R5, R8, R9: a line crossed for the first time, and what may be found out there."""
        if crossing.order <= self.passed:
            if not self.rules.first_crossing_only:
                self.event(self.line_kind(crossing), crossing.spot, crossing.element)
            return
        if not self.crossed(crossing):
            return
        found = self.found_at(crossing)
        if not found:
            self.pass_line(crossing)
            return
        cause, element = found
        self.crash_with(self.accident(cause, crossing.spot, element), found_at=crossing.order)
        if crossing.order == self.course.finish_order:
            self.out.finished = True

    def found_at(self, crossing: Crossing) -> tuple[str, str] | None:
        """The accident that is found at a line, if any: its cause and the element it names."""
        wrong = {}
        if crossing.order > self.passed + 1 and not self.crossed_unseen(crossing):
            wrong["checkpoint-missed"] = self.course.lines[self.passed + 1]
        if self.boost is not None and not (self.excused or self.rules.nitro or self.slowed_unseen(crossing)):
            wrong["slowdown-missed"] = crossing.element
        if any(w.open for w in self.wipeouts) and not self.donuts_done():
            wrong["donuts-missing"] = crossing.element
        return next(((cause, wrong[cause]) for cause in self.rules.found_first if cause in wrong), None)

    def crossed_unseen(self, crossing: Crossing) -> bool:
        """Whether the lines between may have been crossed where the picture does not show it: then it is asked."""
        between = self.course.lines[self.passed + 1 : crossing.order]
        could = self.dark and self.facts.hidden_lines.issuperset(between)
        ask = self.unseen if could else self.not_so
        return ask("passing", "R5", between[0], crossing.spot)

    def slowed_unseen(self, crossing: Crossing) -> bool:
        """Whether the slowdown zone may have been entered where the picture does not show it: then it is asked."""
        zone = dict(self.course.slowdowns).get(self.boost or "")
        could = self.dark and zone in self.facts.hidden_lines
        ask = self.unseen if could else self.not_so
        return ask("slowing", "R8", zone, crossing.spot)

    def pass_line(self, crossing: Crossing) -> None:
        self.event(self.line_kind(crossing), crossing.spot, crossing.element)
        self.passed = crossing.order
        self.boost = None
        self.dark = self.tangled = False
        for wipeout in self.wipeouts:
            wipeout.open = False
        over = crossing.order == self.course.finish_order
        self.phase = "over" if over else "driving"
        self.out.finished |= over
        self.out.done |= over

    def line_kind(self, crossing: Crossing) -> str:
        return "finish" if crossing.order == self.course.finish_order else "checkpoint"

    # ------------------------------------------------------------------ the end

    def close(self) -> None:
        """No more facts: an open accident is unfinished, and the counted donuts become events."""
        hidden = self.facts.hidden_places
        if self.phase == "stranded":
            assert self.crash is not None
            back_to = self.course.lines[self.crash.back_to]
            if self.crash.found_at == self.course.finish_order:
                self.resolve("ignored")
            else:
                self.resolve("honoured" if self.went_on(back_to in hidden, back_to) else "unfinished")
        elif self.phase == "paused":
            self.went_on(self.ends_in_the_dark(), None)
        for wipeout in self.wipeouts:
            if not wipeout.cancelled:
                self.tell_donuts(wipeout)
        self.out.events.sort(key=lambda e: (e.spot.stroke, e.spot.arc_mm))

    def went_on(self, hidden: bool, back_to: str | None) -> bool:
        """Whether a race whose ink ends here got to the finish all the same: only a person can say so."""
        assert self.ended is not None
        spot = self.ended.spot
        key: Key = ("goes-on", spot.stroke, spot.arc_mm)
        self.out.goes_on_hidden = hidden and key not in self.settled
        if hidden:
            self.out.unsure.add(key)
        if self.clear(Doubt(key, False, "unseen" if hidden else "close", "R3", back_to, spot)):
            self.out.finished = self.out.done = True
        return self.out.done

    def ends_in_the_dark(self) -> bool:
        """Whether the race's last stroke ends where the picture does not show how it goes on."""
        assert self.ended is not None
        zone = next((z for z in self.ended.zones if z.kind == "jump" and z.on_way and z.mm >= 0), None)
        if zone:
            self.tell_jump(self.ended, zone)
        landing = self.course.landing_of(zone.element) if zone else None
        return self.ended.look == "unseen" or landing in self.facts.hidden_places

    def tell_donuts(self, wipeout: Wipeout) -> None:
        counted = self.counted(wipeout)
        self.out.donuts += len(counted)
        for ring in counted:
            margin = donut_margin(ring, counted, self.rules.donut_hole_mm)
            place = Spot(ring.spot.stroke, ring.spot.arc_mm, ring.middle_mm)
            self.event("donut", place, wipeout.spill, margin, ("donut", ring.spot.stroke, ring.spot.arc_mm))


def _is_behind(place: ZoneDistance | RopeDistance | None) -> bool:
    return isinstance(place, RopeDistance) and place.side == "behind"


def _zone(place: ZoneDistance | RopeDistance | None) -> ZoneDistance | None:
    return place if isinstance(place, ZoneDistance) else None


def _placed_within(tip: Begin | End, comes_from_there: bool = False) -> float | None:
    """How well an end of ink is placed, one sigma in mm; None if other ink or the unseen hides where it is.

    Ink that is first seen where a stroke should begin, and leaves the unseen there, is taken to begin there.
    """
    if tip.look == "free" or (tip.look == "unseen" and comes_from_there):
        return tip.sigma_mm
    if tip.look == "covered" or tip.reach_mm is None:
        return None
    return max(tip.sigma_mm, tip.reach_mm / 2)


def _drawn_after(ring: Ring, spot: Spot) -> bool:
    return ring.spot.stroke > spot.stroke or (ring.spot.stroke == spot.stroke and ring.begin_mm >= spot.arc_mm)


def _driven_margin(crash: Crash) -> Margin | None:
    """A break's deepest point before the marker was dragged back: over what it was dragged is not the driver's doing.

    The break's first way out ends where it has come back by RECOVERED_MM, or after LONG_OUT_MM past its first ink.
    """
    margin = crash.draft.margin
    if margin is None or not crash.course_mm:
        return margin
    since, deepest = crash.draft.spot.arc_mm, 0.0
    for arc, mm in crash.course_mm:
        if arc > since + LONG_OUT_MM or (arc > since and mm > deepest + RECOVERED_MM):
            break
        deepest = min(deepest, mm)
    return Margin(max(margin.mm, deepest), margin.sigma_mm)


def _first_return(row: Distances, since_mm: float, rules: Rules) -> Spot | None:
    """The closest place of the first visit to a line, after having been away from it; None if the stroke ends in it.

    The place where judging goes on lies on the road: over what the marker was dragged before does not matter.
    """
    away = False
    visit: list[int] = []
    for i, mm in enumerate(row.mm):
        if row.arc_mm[i] <= since_mm:
            continue
        away = away or mm > rules.drag_back_from_mm
        if away and mm <= rules.drag_back_within_mm:
            visit.append(i)
        elif visit:
            break
    if not visit or visit[-1] == len(row.mm) - 1:
        return None
    best = min([i for i in visit if row.on_road[i]] or visit, key=lambda i: row.mm[i])
    return Spot(row.stroke, row.arc_mm[best], row.at_mm[best])
