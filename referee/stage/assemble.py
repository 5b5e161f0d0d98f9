"""What a file draws -> the parts of a `Stage`, checked against each other."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Literal, TypeVar

import numpy as np
import shapely
from shapely.errors import ShapelyError
from shapely.geometry import LineString, Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import linemerge

from referee.model import Checkpoint, Fiducial, Floats, OilSpill, Section, Stage, WhiteLine, Zone
from referee.stage.areas import area_of, one_piece
from referee.stage.course import MEET_MM, Along, along, overhang, with_sections
from referee.stage.document import Document, link_of
from referee.stage.faults import Fault
from referee.stage.figures import shorten, whole
from referee.stage.lines import joined, white_lines_of
from referee.stage.reference import picture_of
from referee.stage.shapes import refuse_thicket
from referee.stage.walk import Drawn, drawn_in

MOST_MEANINGFUL = 1000
MOST_POINTS = 60_000
LONGEST_MM = 40_000.0
"""Points and length of all that is judged by, on a board of A4 size; a usual one has 5000 and 8000."""
MOST_ID = 586
"""AprilTag 36h11 has the ids 0 to 586."""
COPY_B = 4
"""Copy B's markers have ids this much higher than copy A's."""
_DICTIONARY = "AprilTag 36h11"
_FARTHEST_FINISH_MM = 1.0

T = TypeVar("T")
ZoneKind = Literal["jump", "landing", "acceleration", "slowdown", "pipe"]


def assemble(document: Document, svg: bytes, source: str, folder: Path | None = None) -> Stage:
    """The stage that a document describes, its ``folder`` being where its reference picture may lie; raises `Fault`."""
    root = document.root
    if root.get("data-stage-format", "1").strip() != "1":
        raise Fault(
            f"expected data-stage-format 1, found {shorten(root.get('data-stage-format', ''))!r}",
            'Write data-stage-format="1", or use a newer referee.',
        )
    number = stage_number(root)
    parts = _by_kind(_named(_limited(drawn_in(document), document.size_mm)))
    course = _course(parts["course"])
    sections, road_ids = _sections(parts["road"])
    way = with_sections(along(course), [section.road for section in sections], road_ids)
    jumps, landings = _jumps(parts, way)
    _refuse_gaps(sections, road_ids, jumps, landings)
    start_id, start = _start(parts["start"])
    finish_id, finish = _finish(parts["finish"])
    _refuse_direction(way, start, start_id, finish, finish_id)
    fiducials = _fiducials(parts["fiducial"], document.size_mm)
    reference = _reference(parts["reference"], folder, is_needed=not fiducials)
    return Stage(
        number=number,
        name=_word(root.get("data-name")) or f"Stage {number}",
        theme=_word(root.get("data-theme")),
        set_name=_word(root.get("data-set")),
        difficulty=_difficulty(root.get("data-difficulty")),
        size_mm=document.size_mm,
        course=course,
        sections=sections,
        white_lines=_white_lines(parts["white-line"], sections),
        start=start,
        start_id=start_id,
        finish_mm=finish,
        finish_id=finish_id,
        checkpoints=_checkpoints(parts["checkpoint"], sections, way),
        jumps=jumps,
        landings=landings,
        accelerations=_zones(parts, "acceleration", "data-pair", way),
        slowdowns=_paired_slowdowns(parts, way),
        pipes=_zones(parts, "pipe", None, way),
        oil_spills=_oil_spills(parts["oil-spill"], way),
        fiducials=fiducials,
        svg=svg,
        source=source,
        reference=reference,
    )


def stage_number(root: object) -> int:
    """The stage's number from the root's ``data-stage``; raises `Fault`."""
    text = getattr(root, "get", lambda _: None)("data-stage")
    cure = 'Write data-stage="7" (its own number) into the <svg> element.'
    if text is None:
        raise Fault("it has no data-stage", cure)
    try:
        number = whole(text)
    except Fault as fault:
        raise Fault(f"data-stage: {fault.what}", cure) from None
    if not 1 <= number <= 10**9:
        raise Fault(f"the stage's number must be positive, found {shorten(text)!r}", cure)
    return number


def _word(text: str | None) -> str:
    return shorten(text or "", 200)


def _difficulty(text: str | None) -> int | None:
    if text is None or not text.strip():
        return None
    cure = "Write data-difficulty from 1 to 5, or leave it out."
    try:
        value = whole(text)
    except Fault as fault:
        raise Fault(f"data-difficulty: {fault.what}", cure) from None
    if not 1 <= value <= 5:
        raise Fault(f"data-difficulty must be from 1 to 5, found {value}", cure)
    return value


# ------------------------------------------------------------------------------------------- names


@contextmanager
def _at(name: str) -> Iterator[None]:
    """Gives every fault inside the element's name."""
    try:
        yield
    except Fault as fault:
        raise fault.at(name) from None
    except ShapelyError as error:
        raise Fault(f"its shape makes no sense ({shorten(str(error))})", "Draw it again.", name) from None


def _limited(drawn: list[Drawn], size_mm: tuple[float, float]) -> list[Drawn]:
    """Bounds the work before any geometry: a board's road is a few metres long, however it is drawn."""
    cure = 'Simplify what has a data-kind; give artwork the kind "art".'
    if len(drawn) > MOST_MEANINGFUL:
        raise Fault(f"more than {MOST_MEANINGFUL} elements have a data-kind", cure)
    boards = max(1.0, size_mm[0] * size_mm[1] / (297 * 210))
    points, length = 0, 0.0
    for d in drawn:
        if d.kind == "reference":
            continue
        with _at(d.id):
            points += sum(len(piece.points_mm) for piece in d.pieces)
            length += sum(piece.length_mm for piece in d.pieces)
            if points > MOST_POINTS * boards or length > LONGEST_MM * boards:
                raise Fault("with it the board has far too many lines to judge by", cure)
    return drawn


def _named(drawn: list[Drawn]) -> list[Drawn]:
    """Names elements by kind and place where the id that they inherit belongs to different things."""
    shared: defaultdict[object, list[Drawn]] = defaultdict(list)
    for d in drawn:
        if d.id_from is not None:
            shared[d.id_from].append(d)
    torn = {source for source, group in shared.items() if len({_thing(d) for d in group}) > 1}
    return [replace(d, id=f"{d.kind}-{d.place}", id_from=None) if d.id_from in torn else d for d in drawn]


def _thing(d: Drawn) -> tuple[str | None, ...]:
    """What tells two things of one kind apart."""
    keys = {"checkpoint": "data-order", "jump": "data-pattern", "landing": "data-pattern"}
    keys |= {"acceleration": "data-pair", "slowdown": "data-pair", "fiducial": "data-id"}
    return d.kind, d.nearest(keys[d.kind]) if d.kind in keys else None


def _by_kind(drawn: Sequence[Drawn]) -> defaultdict[str, list[Drawn]]:
    parts: defaultdict[str, list[Drawn]] = defaultdict(list)
    for d in drawn:
        parts[d.kind].append(d)
    return parts


# ------------------------------------------------------------------------------------------- shapes


def _area(d: Drawn) -> BaseGeometry:
    return area_of(d.pieces, (d.property("fill-rule") or "").strip() == "evenodd")


def _things(drawn: Sequence[Drawn]) -> list[tuple[Drawn, Polygon]]:
    """The areas of one kind: elements that share an inherited id are parts of one thing if they hang together."""
    groups: dict[object, list[Drawn]] = {}
    for d in drawn:
        groups.setdefault(d.id_from if d.id_from is not None else d, []).append(d)
    found = []
    for group in groups.values():
        with _at(group[0].id):
            areas = [_area(d) for d in group]
            whole_area = one_piece(areas)
            if whole_area is not None:
                found.append((group[0], whole_area))
                continue
            if len(group) == 1:
                raise Fault("its parts lie apart", "Join them, or give each its own id.")
            for d, area in zip(group, areas, strict=True):
                single = one_piece([area])
                if single is None:
                    raise Fault("its parts lie apart", "Join them, or give each its own id.")
                found.append((replace(d, id=f"{d.kind}-{d.place}"), single))
    return found


def _open_line(d: Drawn, what: str) -> Floats:
    """The one open polyline of an element; raises `Fault`."""
    pieces = d.pieces
    if any(piece.closed for piece in pieces):
        raise Fault(f"{what} is an open line, but it is closed", "Draw it as a line (no Z at its end).")
    if len(pieces) == 1:
        return pieces[0].points_mm
    merged = linemerge([LineString(piece.points_mm) for piece in pieces])
    if not isinstance(merged, LineString):
        raise Fault(f"{what} is one line, but it has {len(pieces)} parts", "Draw it as one line.")
    return np.array(merged.coords)


# ------------------------------------------------------------------------------------------- the road


def _course(drawn: Sequence[Drawn]) -> tuple[Floats, ...]:
    if len(drawn) != 1:
        names = ", ".join(d.id for d in drawn[:4])
        what = f"expected one course, found {len(drawn)}" + (f" ({names})" if names else "")
        raise Fault(what, 'Draw one path along the middle of the road, from start to finish, with data-kind="course".')
    with _at(drawn[0].id):
        pieces = drawn[0].pieces
        if any(piece.closed for piece in pieces):
            raise Fault("the course is open, but a part of it is closed", "End it beyond the finish, without Z.")
        return tuple(_run_together([piece.points_mm for piece in pieces]))


def _run_together(lines: Sequence[Floats]) -> list[Floats]:
    """Subpaths that begin where the one before ends are one piece: there is no air between them."""
    pieces = [lines[0]]
    for line in lines[1:]:
        if np.hypot(*(line[0] - pieces[-1][-1])) <= MEET_MM:
            pieces[-1] = np.vstack([pieces[-1], line[1:]])
            pieces[-1].flags.writeable = False
        else:
            pieces.append(line)
    return pieces


def _section_number(text: str) -> int:
    try:
        number = whole(text)
    except Fault as fault:
        raise Fault(f"data-section: {fault.what}", 'Write the section\'s number, such as data-section="3".') from None
    if number < 1:
        raise Fault(f"data-section counts from 1, found {number}", 'Write data-section="1" for the first section.')
    return number


def _sections(drawn: Sequence[Drawn]) -> tuple[tuple[Section, ...], tuple[str, ...]]:
    """The roads in order, and their ids; several elements of one section are joined. Raises `Fault`."""
    groups: defaultdict[int, list[tuple[Drawn, BaseGeometry]]] = defaultdict(list)
    for d in drawn:
        with _at(d.id):
            number = _section_number(d.needs("data-section", 'Write data-section="1" and so on along the course.'))
            groups[number].append((d, _area(d)))
    if not groups:
        raise Fault("it has no road", 'Draw the surface of each section with data-kind="road".')
    missing = next((n for n in range(1, len(groups) + 1) if n not in groups), None)
    if missing is not None:
        raise Fault(
            f"sections are numbered from 1 along the course, but {missing} of {max(groups)} is missing",
            f'Give a road data-section="{missing}".',
            groups[min(n for n in groups if n > missing)][0][0].id if any(n > missing for n in groups) else None,
        )
    order = sorted(groups)
    return tuple(Section(n, _road(groups[n])) for n in order), tuple(groups[n][0][0].id for n in order)


def _road(parts: Sequence[tuple[Drawn, BaseGeometry]]) -> Polygon:
    road = one_piece([area for _, area in parts], MEET_MM)
    if road is None:
        raise Fault("the road of one section lies in parts", "Give each part its own section.", parts[0][0].id)
    return road


def _refuse_gaps(
    sections: Sequence[Section], ids: Sequence[str], jumps: Sequence[Zone], landings: Sequence[Zone]
) -> None:
    """Neighbours share an edge, or a jump leads from one to the other."""
    for before, after in pairwise(sections):
        if before.road.distance(after.road) <= MEET_MM + 0.05:
            continue
        leaps = zip(jumps, landings, strict=True)
        if not any(
            j.shape.distance(before.road) <= MEET_MM and n.shape.distance(after.road) <= MEET_MM for j, n in leaps
        ):
            gap = before.road.distance(after.road)
            raise Fault(
                f"sections {before.number} and {after.number} lie {gap:.1f} mm apart, and no jump leads across",
                "Let neighbours share an edge, or join them by a jump and its landing zone.",
                ids[after.number - 1],
            )


def _refuse_direction(way: Along, start: Polygon, start_id: str, finish: Floats, finish_id: str) -> None:
    """The course leads from the arrow to the finish."""
    line = LineString(finish)
    end = way.points_mm[way.piece == way.piece[-1]]
    gap = float(LineString(end).distance(line)) if len(end) > 1 else math.inf
    if gap > _FARTHEST_FINISH_MM:
        raise Fault(f"the course ends {gap:.1f} mm short of the finish", "Draw the course to or beyond it.", finish_id)
    last = len(way.arc_mm) - 1 - int(np.argmin(shapely.distance(shapely.points(way.points_mm[::-1]), line)))
    if way.place_of(start) > way.arc_mm[last]:
        raise Fault(
            "the course passes the finish before the start arrow", "Turn the course's direction round.", start_id
        )


def _start(drawn: Sequence[Drawn]) -> tuple[str, Polygon]:
    if not drawn:
        raise Fault("it has no start arrow", 'Draw one as a closed shape with data-kind="start".')
    with _at(drawn[0].id):
        areas = [_area(d) for d in drawn]
        arrow = one_piece(areas)
        if arrow is None:
            raise Fault("there are several start arrows", 'Keep one; give the others data-kind="art".')
        return drawn[0].id, arrow


def _finish(drawn: Sequence[Drawn]) -> tuple[str, Floats]:
    if not drawn:
        raise Fault("it has no finish", 'Draw a line across the road with data-kind="finish".')
    if len(drawn) > 1:
        raise Fault(f"expected one finish, found {len(drawn)}", 'Give the others data-kind="art".', drawn[1].id)
    with _at(drawn[0].id):
        return drawn[0].id, _open_line(drawn[0], "a finish")


def _white_lines(drawn: Sequence[Drawn], sections: Sequence[Section]) -> tuple[WhiteLine, ...]:
    lines: list[WhiteLine] = []
    for d in drawn:
        with _at(d.id):
            words = d.needs("data-section", 'Write the section beside it, such as data-section="3".').replace(",", " ")
            numbers = tuple(sorted({_section_number(word) for word in words.split()}))
            unknown = [n for n in numbers if n > len(sections)]
            if unknown:
                raise Fault(f"there is no road of section {unknown[0]}", "Mend its data-section.")
            lines += white_lines_of(d, numbers)
    with _at("white-line"):
        return tuple(sorted(joined(lines), key=lambda line: (line.sections[0], natural(line.id))))


def natural(name: str) -> list[tuple[int, int, str]]:
    """A key that sorts line-2 before line-10."""
    words, digits = [], ""
    for c in name + "\0":
        if c.isascii() and c.isdigit():
            digits += c
            continue
        if digits:
            words.append((0, int(digits[:18]), digits))
            digits = ""
        words.append((1, 0, c))
    return words


# ------------------------------------------------------------------------------------------- across the road


def _checkpoints(drawn: Sequence[Drawn], sections: Sequence[Section], way: Along) -> tuple[Checkpoint, ...]:
    found: dict[int, tuple[Drawn, Floats]] = {}
    for d in drawn:
        with _at(d.id):
            order = _order(d)
            if order in found:
                raise Fault(
                    f"data-order {order} is taken by {found[order][0].id}", "Number checkpoints along the course."
                )
            found[order] = (d, _open_line(d, "a checkpoint"))
    checkpoints: list[Checkpoint] = []
    least = 0.0
    for order in sorted(found):
        d, line = found[order]
        with _at(d.id):
            section, least = _section_across(d, line, sections, way, least)
            checkpoints.append(Checkpoint(d.id, len(checkpoints) + 1, section, line))
    return tuple(checkpoints)


def _order(d: Drawn) -> int:
    cure = 'Write data-order="1" and so on along the course.'
    try:
        order = whole(d.needs("data-order", cure))
    except Fault as fault:
        raise Fault(fault.what if "data-order" in fault.what else f"data-order: {fault.what}", cure) from None
    if order < 1:
        raise Fault(f"data-order counts from 1, found {order}", cure)
    return order


def _section_across(
    d: Drawn, line: Floats, sections: Sequence[Section], way: Along, least_mm: float
) -> tuple[int, float]:
    """The section whose road a checkpoint crosses, and where along the course.

    Where its data-section does not say it, it is the road that the line spans and sticks out of the least; of
    several that fit alike the first one beyond the checkpoint before it.
    """
    said = d.nearest("data-section")
    numbers = range(1, len(sections) + 1)
    if said is not None and said.strip():
        number = _section_number(said.strip())
        if number > len(sections):
            raise Fault(f"there is no road of section {number}", "Mend its data-section.")
        numbers = range(number, number + 1)
    spans = []
    for number in numbers:
        out = _overhang(line, sections, number, way)
        if out is not None:
            place = way.place_of(LineString(line), number)
            spans.append((round(out), place < least_mm - 1, number, place))
    if not spans:
        road = f"the road of section {numbers[0]}" if len(numbers) == 1 else "any road"
        raise Fault(f"it does not cross {road} from edge to edge", "Draw it across the road, to both near edges.")
    _, _, number, place = min(spans)
    return number, place


def _overhang(line: Floats, sections: Sequence[Section], number: int, way: Along) -> float | None:
    """As `overhang`, with the neighbours that share an edge: a checkpoint may lie where two sections meet."""
    road, course = sections[number - 1].road, way.line_on(number)
    if LineString(line).distance(road) > MEET_MM + 0.05:
        return None
    beside = [s.road for s in sections if abs(s.number - number) == 1 and s.road.distance(road) <= MEET_MM + 0.05]
    grown = [area.buffer(MEET_MM, join_style="mitre") for area in (road, *beside)]
    wide = shapely.union_all(grown).buffer(-MEET_MM, join_style="mitre")
    out = overhang(line, wide, course)
    return overhang(line, road, course) if out is None else out


# ------------------------------------------------------------------------------------------- zones


def _zones(parts: defaultdict[str, list[Drawn]], kind: ZoneKind, key: str | None, way: Along) -> tuple[Zone, ...]:
    zones = []
    for d, shape in _things(parts[kind]):
        with _at(d.id):
            word = d.needs(key, f'Write the same {key}="..." on both halves of the pair.') if key else ""
            zones.append(Zone(d.id, kind, word, shape))
    return tuple(_in_order(zones, lambda zone: zone.shape, way))


def _in_order(things: Sequence[T], shape_of: Callable[[T], BaseGeometry], way: Along) -> list[T]:
    return sorted(things, key=lambda t: (round(way.place_of(shape_of(t)), 3), natural(getattr(t, "id", ""))))


def _refuse_halves(one: Sequence[Zone], other: Sequence[Zone], names: tuple[str, str], key: str) -> None:
    for zones, others, missing in ((one, other, names[1]), (other, one, names[0])):
        keys = {zone.key for zone in others}
        for zone in zones:
            if zone.key not in keys:
                raise Fault(
                    f"the {key} {shorten(zone.key)!r} has no {missing} zone",
                    f"Draw it, or give both halves the same {key}.",
                    zone.id,
                )


def _jumps(parts: defaultdict[str, list[Drawn]], way: Along) -> tuple[tuple[Zone, ...], tuple[Zone, ...]]:
    """Jumps along the course, and their landings in the same order."""
    jumps = _zones(parts, "jump", "data-pattern", way)
    landings = _zones(parts, "landing", "data-pattern", way)
    _refuse_halves(jumps, landings, ("jump", "landing"), "data-pattern")
    for zones in (jumps, landings):
        twice = next((key for key, n in Counter(zone.key for zone in zones).items() if n > 1), None)
        if twice is not None:
            second = [zone for zone in zones if zone.key == twice][1]
            raise Fault(
                f"two {second.kind} zones have the data-pattern {shorten(twice)!r}",
                "Give each pair its own.",
                second.id,
            )
    by_key = {zone.key: zone for zone in landings}
    return jumps, tuple(by_key[jump.key] for jump in jumps)


def _paired_slowdowns(parts: defaultdict[str, list[Drawn]], way: Along) -> tuple[Zone, ...]:
    accelerations = _zones(parts, "acceleration", "data-pair", way)
    slowdowns = _zones(parts, "slowdown", "data-pair", way)
    _refuse_halves(accelerations, slowdowns, ("acceleration", "slowdown"), "data-pair")
    return slowdowns


def _oil_spills(drawn: Sequence[Drawn], way: Along) -> tuple[OilSpill, ...]:
    spills = []
    for d, shape in _things(drawn):
        with _at(d.id):
            width = d.width_mm()
            for piece in d.pieces:
                refuse_thicket(piece, width)
            reach = one_piece([shape.buffer(width / 2, join_style="mitre", mitre_limit=4.0)])
            spills.append(OilSpill(d.id, shape, width, reach or shape))
    return tuple(_in_order(spills, lambda spill: spill.shape, way))


# ------------------------------------------------------------------------------------------- markers


def _fiducials(drawn: Sequence[Drawn], size_mm: tuple[float, float]) -> tuple[Fiducial, ...]:
    """The four corner markers, top left first, clockwise; none on boards without markers. Raises `Fault`."""
    if not drawn:
        return ()
    if len(drawn) != 4:
        raise Fault(f"expected four fiducials (or none), found {len(drawn)}", "Draw one in each corner.", drawn[-1].id)
    found = []
    for d in drawn:
        with _at(d.id):
            found.append(Fiducial(d.id, _DICTIONARY, _marker_id(d), 0, _square(d)))
    ids = [f.marker_id for f in found]
    for f in found:
        if ids.count(f.marker_id) > 1 or f.marker_id + COPY_B in ids:
            raise Fault(
                f"its data-id {f.marker_id} (copy B: {f.marker_id + COPY_B}) is taken", "Give each its own.", f.id
            )
    return tuple(sorted(_placed(found, size_mm), key=lambda f: f.place))


def _marker_id(d: Drawn) -> int:
    dictionary = d.nearest("data-dictionary") or _DICTIONARY
    if "".join(c for c in dictionary.lower() if c.isalnum()).removeprefix("dict") != "apriltag36h11":
        raise Fault(f"expected the dictionary {_DICTIONARY}, found {shorten(dictionary)!r}", "Use AprilTag 36h11.")
    cure = "Markers have the ids 8 x (stage - 1) + 0, 1, 2, 3."
    text = d.needs("data-id", cure)
    try:
        value = whole(text)
    except Fault as fault:
        raise Fault(f"data-id: {fault.what}", cure) from None
    if not 0 <= value <= MOST_ID - COPY_B:
        raise Fault(f"data-id must be from 0 to {MOST_ID - COPY_B}, found {shorten(text)!r}", cure)
    return value


def _square(d: Drawn) -> Floats:
    """The corners (4, 2) of an upright square, top left first, clockwise as seen."""
    area = one_piece([_area(d)])
    if area is None:
        raise Fault("a fiducial is one square", "Draw it as a rect.")
    x0, y0, x1, y1 = area.bounds
    w, h = x1 - x0, y1 - y0
    if abs(w - h) > 0.1 or area.area < 0.98 * w * h or w < 3:
        raise Fault(
            f"expected an upright square of 3 mm or more, found {w:.2f} x {h:.2f} mm", "Draw it as a square rect."
        )
    corners = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])
    corners.flags.writeable = False
    return corners


def _placed(found: Sequence[Fiducial], size_mm: tuple[float, float]) -> list[Fiducial]:
    """Each marker's corner: the quarter of the board that it lies in, or else the order of the ids."""
    places = []
    for f in found:
        x, y = f.corners_mm.mean(axis=0) / size_mm
        places.append((1 if x > 0.5 else 0) if y <= 0.5 else (2 if x > 0.5 else 3))
    if len(set(places)) < 4:
        places = [sorted(f.marker_id for f in found).index(f.marker_id) for f in found]
    return [replace(f, place=place) for f, place in zip(found, places, strict=True)]


def _reference(drawn: Sequence[Drawn], folder: Path | None, is_needed: bool) -> bytes:
    """The reference picture's content; b"" without one, or where the board's markers make it needless."""
    if len(drawn) > 1:
        raise Fault(f"expected at most one reference picture, found {len(drawn)}", "Keep one.", drawn[1].id)
    if not drawn:
        return b""
    link = link_of(drawn[0].node.element)
    if not link:
        raise Fault("the reference picture has no href", "Embed a picture of the clean board.", drawn[0].id)
    with _at(drawn[0].id):
        return picture_of(link, folder) if is_needed else b""
