"""The nouns that pass between rooms: frozen values, checked once at birth.

Everyone may import this module.  Lengths are millimetres on the printed board (x right, y down, origin at
the board's top left corner) unless the name says ``px``; pixels are those of the upright photo, an integer
being a pixel's centre.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from shapely.geometry import Polygon

Floats = NDArray[np.float64]
Copy = Literal["A", "B"]
Side = Literal["left", "right"]
"""Which of two boards of one stage without markers a picture shows."""

# --------------------------------------------------------------------------------------------- the stage


@dataclass(frozen=True, eq=False)
class Section:
    """A stretch of road, numbered from 1 along the course; its surface lies between the white lines' near edges."""

    number: int
    road: Polygon


@dataclass(frozen=True, eq=False)
class WhiteLine:
    """A printed white band beside the road of one or several sections.

    ``points_mm`` (N, 2) is the middle of the band, ``band`` its printed area (butt ends).
    """

    id: str
    sections: tuple[int, ...]
    points_mm: Floats
    closed: bool
    width_mm: float
    band: Polygon


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """A blue line across the road of ``section``; ``order`` counts from 1 along the course."""

    id: str
    order: int
    section: int
    points_mm: Floats


@dataclass(frozen=True, eq=False)
class Zone:
    """A closed area with an effect: ``kind`` says which, ``key`` pairs it (a jump's pattern, a boost's pair)."""

    id: str
    kind: Literal["jump", "landing", "acceleration", "slowdown", "pipe"]
    key: str
    shape: Polygon


@dataclass(frozen=True, eq=False)
class OilSpill:
    """A patch inside a purple line; ``shape`` is the line's middle, ``reach`` goes out to the line's outer edge."""

    id: str
    shape: Polygon
    line_width_mm: float
    reach: Polygon


@dataclass(frozen=True, eq=False)
class Fiducial:
    """A corner marker: ``corners_mm`` (4, 2) of its outer black square, top left first, clockwise as printed.

    ``place`` is 0 top left, 1 top right, 2 bottom right, 3 bottom left; ``marker_id`` is copy A's.
    """

    id: str
    dictionary: str
    marker_id: int
    place: int
    corners_mm: Floats


@dataclass(frozen=True, eq=False)
class Stage:
    """One board as its file describes it; lists are in the order of the course where the course gives one."""

    number: int
    name: str
    theme: str
    set_name: str
    difficulty: int | None
    size_mm: tuple[float, float]
    course: tuple[Floats, ...]
    """The middle of the road from start to finish, (N, 2) each; a new piece where the car is in the air."""
    sections: tuple[Section, ...]
    white_lines: tuple[WhiteLine, ...]
    start: Polygon
    start_id: str
    finish_mm: Floats
    finish_id: str
    checkpoints: tuple[Checkpoint, ...]
    jumps: tuple[Zone, ...]
    landings: tuple[Zone, ...]
    accelerations: tuple[Zone, ...]
    slowdowns: tuple[Zone, ...]
    pipes: tuple[Zone, ...]
    oil_spills: tuple[OilSpill, ...]
    fiducials: tuple[Fiducial, ...]
    svg: bytes = field(repr=False)
    """The file's own text: the print and the overlay come from it."""
    source: str = ""
    """The file's name, for messages."""
    reference: bytes = field(default=b"", repr=False)
    """The flat picture of the clean board, as a file's content, of a board without markers that has one."""


@dataclass(frozen=True, eq=False)
class Guide:
    """What a board says about where a path may begin and go on; it knows no rule and no game.

    ``course`` pieces as in `Stage`.  ``restarts`` are the places where a new stroke may begin: (id, outline or
    line (N, 2)), the start first, then along the course.  ``leaps`` are pairs of outlines (N, 2): a stroke that
    ends in the first may go on in the second.  ``heading`` is the unit direction of travel at the start.
    ``road`` are rings (N, 2): what lies inside an odd number of them is road or one of its white lines.
    """

    course: tuple[Floats, ...]
    start_mm: Floats
    heading: Floats
    restarts: tuple[tuple[str, Floats], ...]
    leaps: tuple[tuple[Floats, Floats], ...]
    finish_mm: Floats
    road: tuple[Floats, ...]


# --------------------------------------------------------------------------------------------- the picture


@dataclass(frozen=True, eq=False)
class Photo:
    """A decoded picture, upright: ``bgr`` (H, W, 3) uint8."""

    bgr: NDArray[np.uint8]
    source: str


@dataclass(frozen=True)
class Target:
    """The print that a camera's lens is measured with: a chequered board with a marker in each white square.

    Black at its top left; the markers (ArUco MIP 36h12) count from 0, row by row.  Known as ChArUco.
    """

    columns: int = 10
    rows: int = 7
    square_mm: float = 24.0
    marker_mm: float = 18.0


@dataclass(frozen=True)
class LensProfile:
    """How a camera's lens bends its pictures, as `referee calibrate` measures it.

    ``focal_px`` and ``middle_px`` are (x, y); ``distortion`` is (k1, k2, p1, p2, k3) of the Brown-Conrady model as
    OpenCV has it (D. C. Brown, 1971).  ``rms_px`` is the rest that the measuring left, ``pictures`` how many it used.
    """

    picture_wh: tuple[int, int]
    focal_px: tuple[float, float]
    middle_px: tuple[float, float]
    distortion: tuple[float, float, float, float, float]
    rms_px: float
    pictures: int

    @cached_property
    def reach(self) -> float:
        """How far from the middle, in focal lengths, the model holds: beyond, it would fold the picture back."""
        k1, k2, _, _, k3 = self.distortion
        r2 = np.linspace(0.0, 4.0, 4001) ** 2
        folds = np.flatnonzero(1 + r2 * (3 * k1 + r2 * (5 * k2 + r2 * 7 * k3)) <= 0)
        return float(np.sqrt(r2[folds[0] - 1])) if len(folds) else 4.0

    def _moved(self, at: Floats) -> tuple[Floats, Floats]:
        """The factor (N, 1) and the shift (N, 2) that bend points (N, 2) in focal lengths; held beyond ``reach``."""
        k1, k2, p1, p2, k3 = self.distortion
        r = np.sqrt((at**2).sum(1, keepdims=True))
        at = at * np.minimum(1.0, self.reach / np.maximum(r, 1e-12))
        r2 = (at**2).sum(1, keepdims=True)
        x, y = at[:, :1], at[:, 1:]
        factor = 1 + r2 * (k1 + r2 * (k2 + r2 * k3))
        shift = np.hstack([2 * p1 * x * y + p2 * (r2 + 2 * x**2), p1 * (r2 + 2 * y**2) + 2 * p2 * x * y])
        return factor, shift

    def bent(self, points_px: Floats) -> Floats:
        """Where points (N, 2) of a picture without distortion are seen."""
        at = (points_px - np.array(self.middle_px)) / np.array(self.focal_px)
        factor, shift = self._moved(at)
        return np.asarray((at * factor + shift) * np.array(self.focal_px) + np.array(self.middle_px))

    def straight(self, points_px: Floats) -> Floats:
        """Where what is seen at points (N, 2) would be without distortion: `bent` backwards, by iteration."""
        seen = at = (points_px - np.array(self.middle_px)) / np.array(self.focal_px)
        for _ in range(60):
            factor, shift = self._moved(at)
            at = (seen - shift) / factor
        return np.asarray(at * np.array(self.focal_px) + np.array(self.middle_px))


@dataclass(frozen=True, eq=False)
class BoardView:
    """Where a board lies in a photo.

    ``board_to_photo`` (3, 3) maps board mm to photo pixels, before the ``lens``, where one is known.
    ``bend_mm`` (rows, columns, 2), if there, is the smooth rest that a plane does not explain (bowed paper, lens):
    the printed point p is seen where the plane has p + bend(p); its nodes lie ``bend_step_mm`` (x, y) apart, the
    first at the board's top left corner.
    """

    stage_number: int
    copy: Copy | None
    size_mm: tuple[float, float]
    board_to_photo: Floats
    found_by: Literal["markers", "artwork", "corners"] = "markers"
    bend_mm: Floats | None = None
    bend_step_mm: tuple[float, float] = (0.0, 0.0)
    lens: LensProfile | None = None
    side: Side | None = None

    def bend_at(self, points_mm: Floats) -> Floats:
        """The bend (N, 2) in mm at points (N, 2), bilinear between nodes, held at the rim."""
        if self.bend_mm is None:
            return np.zeros_like(points_mm)
        rows, columns = self.bend_mm.shape[:2]
        place = np.asarray(points_mm, float) / np.asarray(self.bend_step_mm)
        place = np.clip(place, 0, [columns - 1.000001, rows - 1.000001])
        cell = place.astype(int)
        part = (place - cell)[:, :, None]
        x, y = cell[:, 0], cell[:, 1]
        top = self.bend_mm[y, x] * (1 - part[:, 0]) + self.bend_mm[y, x + 1] * part[:, 0]
        low = self.bend_mm[y + 1, x] * (1 - part[:, 0]) + self.bend_mm[y + 1, x + 1] * part[:, 0]
        return np.asarray(top * (1 - part[:, 1]) + low * part[:, 1])

    def to_photo(self, points_mm: Floats) -> Floats:
        """Photo pixels (N, 2) of board points (N, 2) in mm."""
        points = np.asarray(points_mm, float).reshape(-1, 2)
        points = points + self.bend_at(points)
        seen = np.column_stack([points, np.ones(len(points))]) @ self.board_to_photo.T
        there = np.asarray(seen[:, :2] / seen[:, 2:])
        return there if self.lens is None else self.lens.bent(there)

    def corners_px(self) -> Floats:
        """The board's corners (4, 2) in the photo, top left first, clockwise as printed."""
        w, h = self.size_mm
        return self.to_photo(np.array([[0.0, 0.0], [w, 0.0], [w, h], [0.0, h]]))

    def scale_px_per_mm(self) -> float:
        """Photo pixels per board mm at the board's middle (the geometric mean of both directions)."""
        w, h = self.size_mm
        mid = np.array([w / 2, h / 2])
        a, b, c = self.to_photo(np.array([mid, mid + [1.0, 0.0], mid + [0.0, 1.0]]))
        return float(np.sqrt(abs(np.linalg.det(np.array([b - a, c - a])))))


UnseenWhy = Literal["glare", "covered"]


@dataclass(frozen=True, eq=False)
class UnseenArea:
    """A part of the board that the picture does not show: a closed outline (N, 2) in mm, with why.

    What lies inside one of the outlines ``holes_mm`` (each (N, 2)) is seen.
    """

    why: UnseenWhy
    outline_mm: Floats
    holes_mm: tuple[Floats, ...] = ()


@dataclass(frozen=True, eq=False)
class Ink:
    """What the marker left, on a flat grid over the whole board.

    ``coverage`` (H, W) uint8: how much of a pixel is inked, 0 to 255; the ink's edge runs where it is half.
    ``unseen`` (H, W) uint8: 0 seen, 1 glare, 2 covered (a hand, a cloth, the picture's rim): coverage is void there.
    Pixel (row, column) has its centre at ((column + 0.5), (row + 0.5)) / px_per_mm.
    ``sigma_mm`` (h, w) float32: one sigma of where an ink edge lies, nodes spread evenly from rim to rim.
    """

    coverage: NDArray[np.uint8]
    unseen: NDArray[np.uint8]
    px_per_mm: float
    sigma_mm: NDArray[np.float32]
    unseen_areas: tuple[UnseenArea, ...] = ()

    @property
    def size_mm(self) -> tuple[float, float]:
        """Width and height of the grid in mm."""
        h, w = self.coverage.shape
        return w / self.px_per_mm, h / self.px_per_mm

    def sigma_at(self, points_mm: Floats) -> Floats:
        """One sigma (N,) of the ink's edge near points (N, 2), in mm."""
        rows, columns = self.sigma_mm.shape
        w, h = self.size_mm
        place = np.asarray(points_mm, float) / [w, h] * [columns - 1, rows - 1]
        cell = np.clip(np.rint(place).astype(int), 0, [columns - 1, rows - 1])
        return np.asarray(self.sigma_mm[cell[:, 1], cell[:, 0]], dtype=np.float64)


@dataclass(frozen=True, eq=False)
class Mark:
    """A patch of ink on a board before its race: a closed outline (N, 2) in mm, with its holes.

    ``sigma_mm`` is one sigma of where its edge lies.
    """

    outline_mm: Floats
    holes_mm: tuple[Floats, ...] = ()
    sigma_mm: float = 0.1


GadgetKind = Literal["clothesline", "mine", "other"]
LimitKind = Literal["zone", "white-line", "reach", "dotted"]


@dataclass(frozen=True)
class Limit:
    """What a gadget's place is measured by: its distance in mm to being misplaced, positive where it may stand.

    ``kind``: a zone with an effect or a white line that it may not touch; a white line that a rope must reach; a
    dotted line that it must have.  ``sigma_mm`` is one sigma.
    """

    kind: LimitKind
    element: str | None
    mm: float
    sigma_mm: float


@dataclass(frozen=True)
class Fault:
    """Why a gadget may not be where, or what, it is."""

    code: str
    text: str


@dataclass(frozen=True, eq=False)
class Gadget:
    """Something drawn on a board before its race; ``other`` is ink that no rule knows.

    ``ink`` is a rope's solid line, a mine's circle with all that is in it.  ``dotted_mm`` are the two dotted lines
    (N, 2) of a rope, the one before it first, drawn out across the road; ``course_mm`` is how far along the course it
    lies, on the road of ``section``, and ``way`` the direction of travel there.
    """

    id: str
    kind: GadgetKind
    at_mm: tuple[float, float]
    ink: Polygon
    sigma_mm: float
    section: int
    course_mm: float
    way: tuple[float, float] = (1.0, 0.0)
    dotted_mm: tuple[Floats, ...] = ()
    limits: tuple[Limit, ...] = ()
    fault: Fault | None = None


# --------------------------------------------------------------------------------------------- the path

EndLook = Literal["free", "covered", "unseen"]
"""How a stroke's end looks: an end of ink; under other ink; at the rim of what the picture does not show."""


@dataclass(frozen=True, eq=False)
class Stroke:
    """One pen-down-to-pen-up line in the direction it was drawn.

    ``points_mm`` (N, 2), N >= 2, is its centreline, at most 0.5 mm apart; the first and last points are the
    centres of the tip where the ink begins and ends (half a width inside the ink's very end).
    ``half_widths_mm`` (N, 2): from the centreline to the ink's edge, to the left and to the right of the
    direction of travel as one sees it on the board (left of travel +x is -y).
    ``sigma_mm`` (N,): one sigma of an edge's place.  ``seen`` (N,): False where the line is taken to run on
    through a part of the board that the picture does not show.  ``tip_sigma_mm`` (beginning, end): one sigma of where
    the tip's centre was, beyond that of an edge.  ``cut`` (beginning, end): whether the ink stops square there, as no
    marker leaves it that is set down or lifted: it went on, and was dry.
    """

    points_mm: Floats
    half_widths_mm: Floats
    sigma_mm: Floats
    seen: NDArray[np.bool_]
    begin: EndLook = "free"
    end: EndLook = "free"
    tip_sigma_mm: tuple[float, float] = (0.0, 0.0)
    cut: tuple[bool, bool] = (False, False)

    def __post_init__(self) -> None:
        n = len(self.points_mm)
        if self.points_mm.ndim != 2 or self.points_mm.shape[1] != 2 or n < 2:
            raise ValueError(f"points_mm must have shape (N, 2) with N >= 2, got {self.points_mm.shape}")
        if self.half_widths_mm.shape != (n, 2):
            raise ValueError(f"half_widths_mm must have shape ({n}, 2), got {self.half_widths_mm.shape}")
        if self.sigma_mm.shape != (n,) or self.seen.shape != (n,):
            raise ValueError(f"sigma_mm and seen must have shape ({n},), got {self.sigma_mm.shape}, {self.seen.shape}")

    @property
    def width_mm(self) -> float:
        """The stroke's usual width."""
        return float(np.median(self.half_widths_mm.sum(axis=1)))

    def arc_mm(self) -> Floats:
        """Distance along the stroke (N,) from its beginning."""
        steps = np.hypot(*np.diff(self.points_mm, axis=0).T)
        return np.concatenate([[0.0], np.cumsum(steps)])


@dataclass(frozen=True, eq=False)
class Path:
    """The strokes of one race in one order in which they may have been drawn; ``why`` tells what speaks for it."""

    strokes: tuple[Stroke, ...]
    likelihood: float = 1.0
    why: str = ""


# --------------------------------------------------------------------------------------------- the report

VerdictName = Literal["fair", "ignored-accident", "unfinished", "review"]
Outcome = Literal["honoured", "ignored", "unfinished"]
Answer = Literal["yes", "no"]


@dataclass(frozen=True)
class Event:
    """One thing that happened on the path, as REPORT format 1 has it; None where a field does not apply."""

    seq: int
    kind: str
    rule: str
    at_mm: tuple[float, float]
    stroke: int
    element: str | None = None
    margin_mm: float | None = None
    uncertainty_mm: float | None = None
    cause: str | None = None
    certain: bool | None = None
    outcome: Outcome | None = None
    restart_element: str | None = None
    decided: int | None = None
    """The number of the decision that made it what it is (`Judgement.decided`), if a person made one."""


@dataclass(frozen=True)
class NearMiss:
    """A small distance to something judged; ``event`` is the number of the event it belongs to, if it has one."""

    event: int | None
    element: str
    at_mm: tuple[float, float]
    margin_mm: float
    uncertainty_mm: float
    edge_mm: tuple[tuple[float, float], tuple[float, float]] | None = None
    """Two ends of the measured distance: on the ink's edge, on the line's edge."""


@dataclass(frozen=True)
class Question:
    """What a person is asked where a verdict hangs on it.

    ``at_mm`` is the place to look at, ``margin_mm`` with ``uncertainty_mm`` what was measured there, if anything was.
    ``yes`` and ``no`` are the verdicts that an answer leaves possible: one if it settles the race, several if other
    questions are open beside it, none if that is not known.
    """

    ask: str
    why: Literal["close", "unseen", "order", "misplaced"]
    at_mm: tuple[float, float]
    element: str | None = None
    margin_mm: float | None = None
    uncertainty_mm: float | None = None
    yes: tuple[VerdictName, ...] = ()
    no: tuple[VerdictName, ...] = ()
    rule: str = ""
    kind: str = ""
    stroke: int | None = None
    """``rule``, ``kind``, ``element`` and ``at_mm`` are its name for a `Decision`; ``stroke`` tells twins apart."""


@dataclass(frozen=True)
class Call:
    """A question that the rules met on the path, with its answer as measured or decided: what a person may overrule.

    ``rule``, ``kind``, ``element`` and ``at_mm`` are its name, as in `Decision`.  It is ``certain`` if the referee is
    sure of it or a person decided it; ``decision`` is then the number of that decision.
    """

    rule: str
    kind: str
    at_mm: tuple[float, float]
    stroke: int
    ask: str
    answer: Answer
    certain: bool
    element: str | None = None
    margin_mm: float | None = None
    uncertainty_mm: float | None = None
    event: int | None = None
    decision: int | None = None


Tips = tuple[tuple[float, float], tuple[float, float]]
"""Where a stroke begins and where it ends, in mm."""


@dataclass(frozen=True)
class Decision:
    """What a person says to one question of the referee's, asked or not: it goes before what was measured.

    The question is named by ``rule``, ``kind``, ``element`` and place, as a report's questions and calls name
    themselves, not by a number: a place within a few mm is the same.  ``stroke`` helps where two are alike.  Which
    order of the strokes to believe is the kind ``order``: about the accident at ``at_mm``, or, with ``strokes``, about
    one whole reading.  ``stage``, ``copy`` and, of boards without markers, ``side`` say which board is meant, where
    there are several.  ``when`` is only told.

    >>> Decision("R2", "white-line", (140.0, 77.7), "no", "white-line-3", reason="The pen was dry.", who="Ann").answer
    'no'
    """

    rule: str
    kind: str
    at_mm: tuple[float, float]
    answer: Answer
    element: str | None = None
    stroke: int | None = None
    strokes: tuple[Tips, ...] = ()
    reason: str = ""
    who: str = ""
    when: str = ""
    stage: int | None = None
    copy: Copy | None = None
    side: Side | None = None

    def __post_init__(self) -> None:
        if self.answer not in ("yes", "no"):
            raise ValueError(f"answer must be 'yes' or 'no', got {self.answer!r}")
        places = [self.at_mm, *(tip for stroke in self.strokes for tip in stroke)]
        if not all(len(place) == 2 and np.isfinite(place).all() for place in places):
            raise ValueError("a place must be two finite numbers, x and y in mm")


@dataclass(frozen=True)
class Decided:
    """A decision as it was taken into account, beside what the referee itself had said.

    ``referee`` is the referee's own answer and ``certain`` whether it was sure of it.  ``applies`` says whether the
    race as it is read now asks the question at all: another answer, or another order of the strokes, may make it
    pointless.
    ``event`` is the number of the event that the answer shows in, if it shows in one.
    """

    decision: Decision
    ask: str = ""
    referee: Answer | None = None
    certain: bool = False
    applies: bool = False
    margin_mm: float | None = None
    uncertainty_mm: float | None = None
    event: int | None = None


@dataclass(frozen=True)
class Reason:
    """Why the verdict is what it is; ``question``, if it waits for somebody's answer."""

    code: str
    rule: str
    event: int | None
    text: str
    question: Question | None = None


@dataclass(frozen=True)
class UnseenStretch:
    """A stretch of the road that the picture does not show: distances along the course."""

    from_mm: float
    to_mm: float
    why: UnseenWhy


@dataclass(frozen=True)
class OtherReading:
    """The verdict that another order of the strokes would give, and why it was not chosen."""

    verdict: VerdictName
    accidents: int
    why: str
    judgement: Judgement | None = field(default=None, repr=False, compare=False)
    """The whole reading, for its picture."""
    strokes: tuple[Tips, ...] = ()
    """Where each of its strokes begins and ends: what a `Decision` names it by."""


@dataclass(frozen=True)
class Terms:
    """The numbers of the rules that words repeat, as they were when a race was judged."""

    too_close_factor: float = 2.0
    """A margin of less than so many uncertainties is too close to call."""
    donuts_owed: int = 3


@dataclass(frozen=True)
class Judgement:
    """What the rules make of one path."""

    verdict: VerdictName
    reasons: tuple[Reason, ...]
    finished: bool
    accidents: int
    donuts: int
    events: tuple[Event, ...]
    near_misses: tuple[NearMiss, ...]
    unseen: tuple[UnseenStretch, ...] = ()
    path: Path | None = None
    """The path as judged: gaps read as a dry marker are closed."""
    terms: Terms = Terms()
    gadgets: tuple[Gadget, ...] = field(default=(), compare=False)
    """What was drawn on the board before the race, with what is wrong about it."""
    unseen_before: tuple[UnseenStretch, ...] = ()
    """The stretches of road of which the baseline does not show what was drawn there."""
    calls: tuple[Call, ...] = ()
    """Every question that the rules met, asked or not, in path order."""
    decided: tuple[Decided, ...] = ()
    """The decisions that people made, in the order in which they were given."""
    alone: tuple[VerdictName, int] | None = None
    """The verdict and the count of accidents without any decision, where there are some."""


@dataclass(frozen=True)
class Failure:
    """Why a picture or board could not be judged."""

    code: str
    message: str
    hint: str


@dataclass(frozen=True, eq=False)
class Report:
    """The answer for one board in one picture; exactly one of ``judgement`` and ``failure`` is there."""

    source: str
    judgement: Judgement | None = None
    failure: Failure | None = None
    stage: Stage | None = None
    copy: Copy | None = None
    view: BoardView | None = None
    uncertainty_mm: float | None = None
    other_readings: tuple[OtherReading, ...] = ()
    timing_ms: Mapping[str, float] = field(default_factory=dict)
    photo: Photo | None = field(default=None, repr=False)
    """The picture itself, for close-ups."""
    baseline: str | None = None
    """The name of the picture from before the race, where one was given."""


FIXED_SPACES = "\u00a0\u202f"


def one_line(name: str) -> str:
    """A name fit for a console: what would end the line, steer the screen or turn the writing becomes a question mark.

    >>> one_line("race\\n\\x1b[31m.jpg")
    'race??[31m.jpg'
    """
    return "".join(letter if letter.isprintable() or letter in FIXED_SPACES else "?" for letter in name)


Progress = Callable[[str], None]
Json = dict[str, Any]
