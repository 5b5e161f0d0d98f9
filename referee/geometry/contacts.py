"""Ink and white lines (R2): contacts with the band, and how close the path came without one.

For every disc of ink and every kerb the margin is the distance from the kerb's far edge to the disc's outermost
ink: ``lateral - radius``, where lateral is the signed distance of the disc's centre, positive towards the road.
Round a line's open butt end only the chord of the disc that reaches into the line's length counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from referee.facts import Approach, Margin, Point, Touch
from referee.geometry.board import Board
from referee.geometry.grown import Remembered
from referee.geometry.kerbs import Kerb
from referee.geometry.runs import runs
from referee.geometry.trail import HOME_MM, Discs, Trail
from referee.model import Floats

LOOK_MM = 9.0
"""Discs whose centre is farther than this from a line are not measured against it."""
FEW = 8
JOINT_MM = 5.0
"""The lines of a neighbouring section count as well for a car this close to its road."""


@dataclass(frozen=True, eq=False)
class Closeness:
    """One kerb against one stroke, per sample (N,).

    ``margin_mm`` of the ink's outermost edge to the far edge (inf where too far, or a partner is nearer),
    ``trailing_mm`` of the disc's innermost edge (negative: the whole disc is past the far edge), ``lateral_mm`` of
    its centre.  ``beside``: the centre is beside the line, not beyond its end.  ``counts``: the car is on the
    section whose kerb this is.
    """

    kerb: Kerb
    margin_mm: Floats
    trailing_mm: Floats
    lateral_mm: Floats
    beside: NDArray[np.bool_]
    counts: NDArray[np.bool_]

    @property
    def on_band(self) -> NDArray[np.bool_]:
        """Where ink lies on the printed band; touching counts as touching."""
        return np.asarray((self.margin_mm <= self.kerb.width_mm) & (self.trailing_mm >= 0))


def line_facts(trail: Trail, board: Board, near_mm: float) -> list[Touch | Approach]:
    """All contacts of one stroke with white lines and all approaches below ``near_mm``."""
    found: list[Touch | Approach] = []
    framed = _framed(trail.discs, board)
    for chain in sorted({k.chain for k in board.kerbs}):
        rows = _closeness(trail, board, {i: one for i, one in framed.items() if board.kerbs[i].chain == chain})
        if rows:
            found += _touches(trail, board, rows, chain)
            found += _approaches(trail, rows, chain, near_mm)
    return found


# ----------------------------------------------------------------------------------------- measuring


@dataclass(frozen=True, eq=False)
class Framed:
    """The discs (M,) near a kerb, by their numbers, in the kerb's own frame.

    ``distance_mm`` of a disc's centre from the far edge, ``lateral_mm`` the same signed, positive towards the road,
    and ``past_end_mm`` how far beyond the kerb's end it lies.
    """

    near: NDArray[np.int64]
    distance_mm: Floats
    lateral_mm: Floats
    past_end_mm: Floats

    def upto(self, count: int) -> Framed:
        """Of the first discs alone."""
        end = int(np.searchsorted(self.near, count))
        return Framed(self.near[:end], self.distance_mm[:end], self.lateral_mm[:end], self.past_end_mm[:end])

    def then(self, later: Framed) -> Framed:
        """With what follows."""
        return Framed(
            np.concatenate([self.near, later.near]),
            np.concatenate([self.distance_mm, later.distance_mm]),
            np.concatenate([self.lateral_mm, later.lateral_mm]),
            np.concatenate([self.past_end_mm, later.past_end_mm]),
        )


_FRAMED: Remembered[dict[int, Framed]] = Remembered()


def _closeness(trail: Trail, board: Board, kerbs: dict[int, Framed]) -> dict[int, Closeness]:
    """A chain's kerbs that the stroke comes near, by their place in the board's list; none if never on their road."""
    n = len(trail.discs.arc_mm)
    away = {number: _spread(framed.near, framed.distance_mm, n) for number, framed in kerbs.items()}
    rows = {}
    for number, framed in kerbs.items():
        kerb = board.kerbs[number]
        own = framed.distance_mm + 1e-6 * (framed.past_end_mm > 0)
        nearest = np.ones(len(framed.near), bool)
        for partner in kerb.partners & away.keys():
            nearest &= own <= away[partner][framed.near] + 1e-6
        at = framed.near[nearest]
        rows[number] = _row(trail, board, kerb, at, framed.lateral_mm[nearest], framed.past_end_mm[nearest])
    return rows if any(row.counts.any() for row in rows.values()) else {}


def _spread(at: NDArray[np.int64], values: Floats, n: int) -> Floats:
    full = np.full(n, np.inf)
    full[at] = values
    return full


def _row(trail: Trail, board: Board, kerb: Kerb, at: NDArray[np.int64], lateral: Floats, past_end: Floats) -> Closeness:
    n, radius = len(trail.discs.arc_mm), trail.discs.radius_mm[at]
    chord = np.where(past_end <= radius, np.sqrt(np.maximum(radius**2 - past_end**2, 0.0)), -np.inf)
    beside, counts = np.zeros(n, bool), np.zeros(n, bool)
    beside[at] = past_end <= 0
    counts[at] = _counts(trail, board, kerb.section, at)
    chord = np.where(trail.discs.seen[at], chord, -np.inf)  # ink that is not seen is not measured
    return Closeness(
        kerb=kerb,
        margin_mm=_spread(at, lateral - chord, n),
        trailing_mm=_spread(at, np.where(chord >= 0, lateral + chord, np.inf), n),
        lateral_mm=_spread(at, lateral, n),
        beside=beside,
        counts=counts,
    )


def _framed(discs: Discs, board: Board) -> dict[int, Framed]:
    """The kerbs that a stroke comes near, by their place in the board's list, in order."""
    same, before = _FRAMED.before(board, discs.middle_mm)
    found = _framed_from(same, discs, board)
    if before is not None:
        known = {number: framed.upto(same) for number, framed in before.items()}
        both = {number: known[number].then(found[number]) for number in known.keys() & found.keys()}
        found = {number: framed for number, framed in (known | found | both).items() if len(framed.near)}
    return _FRAMED.keep(board, discs.middle_mm, dict(sorted(found.items())))


def _framed_from(first: int, discs: Discs, board: Board) -> dict[int, Framed]:
    """The same of all discs from one on.

    Of every few discs one is held against all kerbs first: the others are not far from it.
    """
    middle = discs.middle_mm[first:]
    if not len(middle):
        return {}
    shaped = np.asarray(shapely.points(middle))
    firsts = np.arange(0, len(middle), FEW)
    there = middle[firsts]
    reach = LOOK_MM + np.hypot(*(middle - np.repeat(there, FEW, axis=0)[: len(middle)]).T).max()
    found = {}
    for number, kerb in enumerate(board.kerbs):
        low, high = np.reshape(kerb.far.bounds, (2, 2))
        rough = ((there >= low - reach) & (there <= high + reach)).all(axis=1)
        rough[rough] = shapely.dwithin(kerb.far, shaped[firsts[rough]], reach)
        some = np.flatnonzero(np.repeat(rough, FEW)[: len(middle)])
        near = some[shapely.dwithin(kerb.far, shaped[some], LOOK_MM)]
        if len(near):
            distance = np.asarray(shapely.distance(kerb.far, shaped[near]))
            found[number] = Framed(near + first, distance, *_frame(middle[near], shaped[near], distance, kerb))
    return found


def _frame(points: Floats, shaped: NDArray[Any], distance: Floats, kerb: Kerb) -> tuple[Floats, Floats]:
    """The centres (M, 2) of discs in a kerb's own frame: distance to its far edge, signed; length past its end.

    Beside the line the signed distance is the Euclidean one with the side of the nearest segment (at a corner of
    both); past an end it is the offset from the end segment's straight extension.
    """
    place = np.asarray(shapely.line_locate_point(kerb.far, shaped))
    segment = np.clip(np.searchsorted(kerb.arc_mm, place, side="right") - 1, 0, len(kerb.along) - 1)
    off = points - kerb.far_mm[segment]
    normal = kerb.to_road[segment].copy()
    corner = (place - kerb.arc_mm[segment] < 1e-7) & (segment > 0)
    normal[corner] += kerb.to_road[segment[corner] - 1]
    lateral = np.where((off * normal).sum(axis=1) >= 0, distance, -distance)
    past_end = np.zeros(len(points))
    for end, way in ((0, -kerb.along[0]), (-1, kerb.along[-1])):
        away = points - kerb.far_mm[end]
        at_end = place <= 1e-7 if end == 0 else place >= kerb.arc_mm[-1] - 1e-7
        beyond = at_end & (away @ way > 1e-9)
        past_end[beyond] = (away @ way)[beyond]
        lateral[beyond] = (away @ kerb.to_road[end])[beyond]
    return lateral, past_end


def _counts(trail: Trail, board: Board, section: int, at: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Where the lines of a section count: on it, or on a neighbour close to its road.

    After turning off under a bridge only those of the road that it strayed from, while it may still be straying.
    """
    here = trail.section[at]
    counts = here == section
    beside = np.flatnonzero(np.abs(here - section) == 1)
    if len(beside):
        shaped = shapely.points(trail.discs.points_mm[at[beside]])
        counts[beside] = shapely.distance(board.road_of(section), shaped) <= JOINT_MM
    counts &= ~trail.turned[at]
    for turn, left, _ in trail.turns:
        away = trail.discs.arc_mm[at] - trail.discs.arc_mm[turn]
        counts |= (left == section) & trail.turned[at] & (away >= 0) & (away <= HOME_MM)
    return np.asarray(counts)


# ----------------------------------------------------------------------------------------- contacts


@dataclass
class _Contact:
    """Runs of ink on the bands of kerbs that go on in each other: (kerb, first sample, sample after the last)."""

    parts: list[tuple[int, int, int]]
    outside: bool


def _touches(trail: Trail, board: Board, rows: dict[int, Closeness], chain: int) -> list[Touch]:
    """Every contact with the chain that came from the road, or back to it over the line that it had crossed."""
    parts = sorted((a, b, number) for number, row in rows.items() for a, b in runs(row.on_band))
    contacts: list[_Contact] = []
    went_out = False
    for a, b, number in parts:
        row = rows[number]
        joined = _going_on(contacts, board, number, a)
        outside = bool(row.beside[a] and row.lateral_mm[a] < 0)
        if joined:
            joined.parts.append((number, a, b))
        elif outside and went_out:
            contacts.append(_Contact([(number, a, b)], True))
        elif (not outside or _came_round(rows, a)) and row.counts[a:b].any():
            contacts.append(_Contact([(number, a, b)], False))
        else:
            continue
        went_out = went_out or _is_out(trail, board, row, b)
    ends = [_end_of_excursion(trail, board, rows, contact) for contact in contacts]
    return [_touch(trail, rows, chain, contact, end) for contact, end in zip(contacts, ends, strict=True)]


def _came_round(rows: dict[int, Closeness], a: int) -> bool:
    """Whether ink that is past a line's far edge at sample ``a`` came there round the line's end, over no line."""
    beside = np.any([row.beside[:a] for row in rows.values()], axis=0)
    before = np.flatnonzero(~beside)
    return len(before) > 0 and any(np.isfinite(row.lateral_mm[before[-1]]) for row in rows.values())


def _going_on(contacts: list[_Contact], board: Board, number: int, a: int) -> _Contact | None:
    """The contact that a run on another kerb goes on from: a partner's run that ends no earlier than it begins."""
    for contact in reversed(contacts):
        for other, _, end in contact.parts:
            if end >= a and other in board.kerbs[number].partners:
                return contact
    return None


def _end_of_excursion(trail: Trail, board: Board, rows: dict[int, Closeness], contact: _Contact) -> int:
    """Up to which sample the ink stays past the far edge after a contact: back on a band or the road, or the end."""
    number, _, last = max(contact.parts, key=lambda part: part[2])
    row = rows[number]
    if not _is_out(trail, board, row, last):
        return last
    ahead = trail.discs.points_mm[last:]
    back = shapely.contains_xy(board.road_of(row.kerb.section), ahead[:, 0], ahead[:, 1])
    for other in rows.values():
        back |= other.on_band[last:]
    hits = np.flatnonzero(back)
    return last + int(hits[0]) if len(hits) else len(row.trailing_mm)


def _is_out(trail: Trail, board: Board, row: Closeness, i: int) -> bool:
    """Whether ink that showed past the far edge has left the band at sample ``i`` on the far side, not on the road."""
    if i >= len(row.margin_mm) or row.margin_mm[i - 1] >= 0:
        return False
    x, y = trail.discs.points_mm[i]
    return not shapely.contains_xy(board.road_of(row.kerb.section), x, y)


def _touch(trail: Trail, rows: dict[int, Closeness], chain: int, contact: _Contact, end: int) -> Touch:
    """One contact; its deepest point may lie in the excursion that goes on up to sample ``end``."""
    discs = trail.discs
    first, last = min(a for _, a, _ in contact.parts), max(b for _, _, b in contact.parts)
    margins = np.full((len(contact.parts), max(end, last) - first), np.inf)
    for margin, (number, a, b) in zip(margins, contact.parts, strict=True):
        margin[a - first : b - first] = rows[number].margin_mm[a:b]
    if end > last:
        margins[-1, last - first :] = _depth(discs, [row.kerb for row in rows.values()], last, end)
    part, low = np.unravel_index(int(np.argmin(margins)), margins.shape)
    deepest = float(margins[part, low])
    kerb = rows[contact.parts[int(part)][0]].kerb
    past = np.flatnonzero((margins[:, : last - first] < 0).any(axis=0))
    out = first + int(past[0]) if len(past) else None
    out_part = int(np.argmin(margins[:, past[0]])) if len(past) else 0
    return Touch(
        first=discs.spot(first),
        last=discs.spot(last - 1),
        low=discs.spot(first + int(low)),
        margin=Margin(deepest, float(discs.sigma_mm[first + int(low)])),
        element=kerb.element,
        line=chain,
        out=discs.spot(out) if out is not None else None,
        out_element=rows[contact.parts[out_part][0]].kerb.element if out is not None else None,
        from_outside=contact.outside,
        edge_mm=_edge(discs, kerb, first + int(low), deepest),
        course_mm=_course(discs.arc_mm[first:], margins.min(axis=0)) if deepest < 0 else (),
    )


def _course(arc_mm: Floats, margin_mm: Floats) -> tuple[tuple[float, float], ...]:
    seen = np.isfinite(margin_mm)
    return tuple(zip(arc_mm[: len(margin_mm)][seen].tolist(), margin_mm[seen].tolist(), strict=True))


def _depth(discs: Discs, kerbs: list[Kerb], start: int, end: int) -> Floats:
    """Margins of discs that are wholly past the far edge."""
    away = np.min([shapely.distance(k.far, discs.shaped[start:end]) for k in kerbs], axis=0)
    return np.asarray(np.where(discs.seen[start:end], -away - discs.radius_mm[start:end], np.inf))


def _edge(discs: Discs, kerb: Kerb, i: int, margin_mm: float) -> tuple[Point, Point]:
    """The measured distance: from the ink's outermost edge to the nearest point of the far edge."""
    middle = discs.middle_mm[i]
    nearest = np.asarray(kerb.far.interpolate(kerb.far.project(shapely.Point(middle))).coords[0])
    way = nearest - middle
    length = float(np.hypot(*way))
    if length < 1e-9:
        way, length = -kerb.to_road[0], 1.0
    outwards = way / length if margin_mm > -discs.radius_mm[i] else -way / length
    ink = middle + outwards * discs.radius_mm[i]
    return (float(ink[0]), float(ink[1])), (float(nearest[0]), float(nearest[1]))


# ----------------------------------------------------------------------------------------- near misses


def _approaches(trail: Trail, rows: dict[int, Closeness], chain: int, near_mm: float) -> list[Approach]:
    """Every run of samples closer than ``near_mm`` on the road side, at its smallest margin."""
    numbers = list(rows)
    margins = np.array([np.where((r.lateral_mm >= 0) & r.counts, r.margin_mm, np.inf) for r in rows.values()])
    margin = margins.min(axis=0)
    found = []
    for a, b in runs(margin < near_mm):
        low = a + int(np.argmin(margin[a:b]))
        kerb = rows[numbers[int(np.argmin(margins[:, low]))]].kerb
        found.append(
            Approach(
                kind="white-line",
                first=trail.discs.spot(a),
                last=trail.discs.spot(b - 1),
                low=trail.discs.spot(low),
                margin=Margin(float(margin[low]), float(trail.discs.sigma_mm[low])),
                element=kerb.element,
                line=chain,
                edge_mm=_edge(trail.discs, kerb, low, float(margin[low])),
            )
        )
    return found
