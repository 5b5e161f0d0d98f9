"""Circuit files (SVG, format 1) -> `Board`: the circuit, and where it lies on paper.

A circuit file is a drawing in the manner of a stage file.  Its root says ``data-circuit-format="1"``, its size is in
mm, and one user unit is a millimetre.  What an element means is its ``data-kind``, or that of the nearest one above it:

===============  =======================================================================================================
``square``       a closed shape with an ``id`` (letters and digits), ``data-lane`` (1 inside, to 4), ``data-row``,
                 ``data-features`` (`ice hatched obstacle ambulance grid-1` …), and the squares that follow:
                 ``data-ahead``, ``data-left``, ``data-right``
``finish``       an open line, with ``data-rows="60 1"``: the last row before it and the first one behind it
``yellow-line``  an open line, with ``data-inside`` and ``data-outside``: the squares along both its sides
``fiducial``     a corner marker: an upright square with ``data-id`` 0 to 3, top left first, clockwise
===============  =======================================================================================================
"""

from __future__ import annotations

import errno
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from referee.files import bytes_of
from referee.stage.document import MOST_BYTES, read_document
from referee.stage.faults import Fault
from referee.stage.figures import shorten, whole
from referee.stage.walk import Drawn, drawn_in
from referee.turbo.circuit import Circuit, Square, YellowLine
from referee.turbo.faults import BadCircuit, odd
from referee.turbo.markers import CORNERS, DICTIONARY
from referee.turbo.soundness import MOST_SQUARES

KINDS = frozenset({"square", "finish", "yellow-line", "fiducial"})
MOST_POINTS = 50_000
BUILTIN = "turbo.svg"
Line = tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Board:
    """A circuit as it is printed; all lengths in mm from the top left corner, y down."""

    circuit: Circuit
    size_mm: tuple[float, float]
    outlines_mm: Mapping[str, Line]
    """Every square's outline, by its name."""
    finish_mm: Line
    markers_mm: tuple[Line, ...]
    """The corners of the corner markers 0 to 3, each top left first, clockwise; none if the file has none."""
    svg: bytes
    source: str


def builtin() -> Board:
    """The circuit that the house brings along."""
    return parse((files("referee.turbo") / "circuits" / BUILTIN).read_bytes(), BUILTIN)


def load(path: Path) -> Board:
    """The board of a file; raises `BadCircuit`, which names the file, the element and the cure."""
    try:
        svg = bytes_of(path, MOST_BYTES)
    except OSError as error:
        word = "too-large" if error.errno == errno.EFBIG else "unread"
        raise odd(word, why=error.strerror or "?").of(path.name) from None
    return parse(svg, path.name)


def parse(svg: bytes, source: str) -> Board:
    """The board of a file's bytes, ``source`` being its name for messages; raises `BadCircuit`."""
    try:
        return _board(svg, source)
    except BadCircuit as fault:
        raise fault.of(source) from None
    except Fault as fault:
        raise BadCircuit(f"{fault.what}.", fault.cure, fault.element, source) from None
    except (ArithmeticError, MemoryError, RecursionError):
        raise odd("shapes").of(source) from None


def _board(svg: bytes, source: str) -> Board:
    document = read_document(svg)
    said = document.root.get("data-circuit-format")
    if said is None or said.strip() != "1":
        raise odd("format", came=shorten(said or "-"))
    parts: dict[str, list[Drawn]] = {kind: [] for kind in KINDS}
    for drawn in drawn_in(document, KINDS):
        parts[drawn.kind].append(drawn)
        if len(parts[drawn.kind]) > MOST_SQUARES:
            raise odd("squares", most=MOST_SQUARES, came=len(parts[drawn.kind]))
    lines = _lines(parts)
    finish = _finish(parts["finish"])
    circuit = Circuit(
        shorten(document.root.get("data-name") or "", 100) or Path(source).stem,
        tuple(map(_square, parts["square"])),
        _rows(finish),
        tuple(map(_yellow_line, parts["yellow-line"])),
    )
    outlines = {drawn.id: lines[drawn] for drawn in parts["square"]}
    return Board(circuit, document.size_mm, outlines, lines[finish], _markers(parts["fiducial"], lines), svg, source)


@contextmanager
def _at(drawn: Drawn) -> Iterator[None]:
    """Gives every fault inside the element's name."""
    try:
        yield
    except Fault as fault:
        raise fault.at(drawn.id) from None


# ----------------------------------------------------------------------------------------- shapes


def _lines(parts: Mapping[str, Sequence[Drawn]]) -> dict[Drawn, Line]:
    """What every element draws, as one line: squares and markers closed, the others open."""
    found: dict[Drawn, Line] = {}
    points = 0
    for drawn in (drawn for kind in sorted(KINDS) for drawn in parts[kind]):
        with _at(drawn):
            pieces = drawn.pieces
        if len(pieces) != 1 or (drawn.kind in ("square", "fiducial")) != pieces[0].closed:
            raise odd("closed" if drawn.kind in ("square", "fiducial") else "open", drawn.id, kind=drawn.kind)
        points += len(pieces[0].points_mm)
        if points > MOST_POINTS:
            raise odd("points", drawn.id)
        found[drawn] = tuple((float(x), float(y)) for x, y in pieces[0].points_mm)
    return found


def _markers(drawn: Sequence[Drawn], lines: Mapping[Drawn, Line]) -> tuple[Line, ...]:
    """The corner markers in their order: all four or none."""
    found: dict[int, Line] = {}
    for marker in drawn:
        with _at(marker):
            number = whole(marker.needs("data-id", "Markers have the ids 0, 1, 2, 3."))
        if number not in CORNERS or number in found or marker.nearest("data-dictionary") != DICTIONARY:
            raise odd("marker", marker.id, dictionary=DICTIONARY)
        found[number] = _square_corners(marker, lines[marker])
    if found and len(found) < len(CORNERS):
        raise odd("markers", came=len(found))
    return tuple(found[number] for number in sorted(found))


def _square_corners(drawn: Drawn, line: Line) -> Line:
    """The corners of an upright square, top left first, clockwise."""
    (left, top), (right, low) = map(min, zip(*line, strict=True)), map(max, zip(*line, strict=True))
    if abs((right - left) - (low - top)) > 0.1 or right - left < 3 or len(line) != 5:
        raise odd("marker-shape", drawn.id)
    return ((left, top), (right, top), (right, low), (left, low))


# ----------------------------------------------------------------------------------------- what they say


def _square(drawn: Drawn) -> Square:
    if drawn.id_from is not None:
        raise odd("name", drawn.id[:40])
    return Square(
        drawn.id,
        _number(drawn, "data-lane"),
        _number(drawn, "data-row"),
        _word(drawn, "data-ahead"),
        _word(drawn, "data-left"),
        _word(drawn, "data-right"),
        frozenset((drawn.nearest("data-features") or "").split()),
    )


def _number(drawn: Drawn, name: str) -> int:
    with _at(drawn):
        try:
            return whole(drawn.needs(name, f'Write {name}="1" (its own number).'))
        except Fault as fault:
            raise Fault(f"{name}: {fault.what}", fault.cure) from None


def _word(drawn: Drawn, name: str) -> str | None:
    return (drawn.nearest(name) or "").strip() or None


def _finish(drawn: Sequence[Drawn]) -> Drawn:
    if len(drawn) != 1:
        raise odd("finishes", came=len(drawn))
    return drawn[0]


def _rows(finish: Drawn) -> tuple[int, int]:
    with _at(finish):
        words = finish.needs("data-rows", 'Write data-rows="60 1": the row before it and the row behind it.').split()
        if len(words) != 2:
            raise Fault(f"expected two rows, found {len(words)}", 'Write data-rows="60 1".')
        return whole(words[0]), whole(words[1])


def _yellow_line(drawn: Drawn) -> YellowLine:
    inside, outside = (frozenset((drawn.nearest(f"data-{side}") or "").split()) for side in ("inside", "outside"))
    return YellowLine(drawn.id, inside, outside)
