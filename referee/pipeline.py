"""START HERE: from a picture to its report, one line a step.

picture → vision → ink (mm) → stroke → path → geometry → facts → rules → verdict → report
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path as FilePath
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

import referee.vision.opencv  # noqa: F401  first of all: it says what to do where OpenCV cannot be loaded
from referee.errors import (
    BadBaseline,
    NoBoard,
    NoInk,
    RefereeError,
    TooBlurred,
    UnknownDecision,
    UnknownStage,
    WrongUsage,
)
from referee.geometry.gadgets import gadgets_of, is_raced, leaps_of
from referee.geometry.measure import NOTHING, Beforehand, measure, unseen_of
from referee.hands import Turnstile, both
from referee.model import (
    BoardView,
    Copy,
    Decision,
    Failure,
    Floats,
    Gadget,
    Guide,
    Judgement,
    LensProfile,
    Photo,
    Report,
    Side,
    Stage,
    UnseenStretch,
)
from referee.rules.decisions import meant_for, refuse
from referee.rules.gadgets import placed
from referee.rules.reading import considered
from referee.rules.settings import Rules
from referee.rules.verdict import judge_readings
from referee.shelf import knows_some, shelf_of
from referee.stage.catalogue import Catalogue, corner_of
from referee.stage.guide import guide_of
from referee.stage.load import load_stage
from referee.stage.render import artwork
from referee.stroke.readings import readings
from referee.vision.artwork.by_hand import board_at
from referee.vision.artwork.find import find_by_artwork
from referee.vision.baseline import Before, ink_before, print_before, remains_of, without_remains
from referee.vision.clean import INK_PX_PER_MM, CleanPrint
from referee.vision.decode import content_of, decode
from referee.vision.draft.flat import checked_corners
from referee.vision.draft.outline import outline
from referee.vision.find import BoardTrouble, FoundBoard, SeenTag, find_boards, first_look
from referee.vision.flatten import Glance, register
from referee.vision.lens import lens_from_toml, refuse_other_size
from referee.vision.segment import segment
from referee.vision.tags import BoardTag, Tags
from referee.words import Phrase, joined, say

Picture = FilePath | str | bytes | NDArray[np.uint8]

MAX_SIGMA_MM = 0.5
"""A picture whose white-line margins are less certain than this is too blurred to judge."""
MOST_MARKS = 400
"""A board with more marks on it before the race was drawn full, or is another than it seems: six ropes have fewer."""
KEPT_PRINTS = 4
"""Clean prints of so many boards are kept ready between pictures."""


@dataclass
class _Watch:
    """What each step of one board cost, in milliseconds."""

    spent_ms: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        start = perf_counter()
        yield
        self.spent_ms[name] = self.spent_ms.get(name, 0.0) + (perf_counter() - start) * 1000


def judge(
    picture: Picture,
    stage: Stage | FilePath | str | int | None = None,
    *,
    catalogue: Catalogue | None = None,
    rules: Rules | None = None,
    source: str | None = None,
    lens: LensProfile | FilePath | str | None = None,
    baseline: Picture | None = None,
    decisions: Sequence[Decision] = (),
    corners_px: Floats | Sequence[tuple[float, float]] | None = None,
) -> Report:
    """The report on the board nearest the middle of a picture.

    ``picture`` is a file, its bytes, or a BGR array (H, W, 3) uint8.  ``stage`` is a `Stage`, the path of a stage file
    or the number of a stage; without it the markers in the picture, or the artwork of a board that has none, say which
    one it is.  ``corners_px`` are the corners (4, 2) of the board of that ``stage`` in the upright picture, top left
    first and clockwise, where nothing else finds it.  ``lens`` is the profile of
    the camera's lens, or its file; `referee calibrate` makes one.  ``baseline`` is a picture of the same board with the
    gadgets drawn on it and not raced yet (R11): what it shows is no race ink.  ``decisions`` are what people say
    to questions of an earlier report on the same picture: they go before what the referee measures, and judging again
    without one takes it back.  A picture that cannot be judged gives a report with a ``failure``; only a stage, setting
    or argument that makes no sense raises (`RefereeError`), as does a decision that answers nothing
    (`UnknownDecision`).
    """
    catalogue = catalogue or Catalogue()
    found = _stage(stage, catalogue)
    options: dict[str, Any] = {"rules": rules, "source": source, "lens": lens, "baseline": baseline}
    options["corners_px"] = corners_px
    return judge_boards(picture, stage=found, catalogue=catalogue, decisions=decisions, **options)[0]


def judge_boards(
    picture: Picture,
    *,
    stage: Stage | None = None,
    catalogue: Catalogue | None = None,
    rules: Rules | None = None,
    source: str | None = None,
    lens: LensProfile | FilePath | str | None = None,
    baseline: Picture | None = None,
    decisions: Sequence[Decision] = (),
    corners_px: Floats | Sequence[tuple[float, float]] | None = None,
) -> list[Report]:
    """The reports on all boards in a picture, the one nearest its middle first; at least one, failed or not.

    Where there are several boards, a decision has to say which one it is about.
    """
    for given in (picture, *(() if baseline is None else (baseline,))):
        if not isinstance(given, FilePath | str | bytes | bytearray | np.ndarray):
            raise WrongUsage(f"A picture of type {type(given).__name__}.", "Give a file, its bytes or a BGR array.")
    by_hand = None if corners_px is None else _by_hand(corners_px, stage)
    catalogue, rules = catalogue or Catalogue(), rules or Rules()
    name = source or (FilePath(picture).name if isinstance(picture, FilePath | str) else "picture")
    profile = lens_from_toml(FilePath(lens)) if isinstance(lens, FilePath | str) else lens
    watch = _Watch()
    photo: Photo | None = None
    try:
        with watch.step("decode"):
            photo, first = _seen(picture, name, stage)
        if profile is not None:
            refuse_other_size(profile, (photo.bgr.shape[1], photo.bgr.shape[0]))
        with watch.step("find"):
            boards = _boards(photo, catalogue, stage, profile, first, by_hand)
    except RefereeError as fault:
        return [Report(name, failure=_failure(fault), timing_ms=_times(watch), photo=photo)]
    before = None if baseline is None else Baseline(baseline, profile)
    meant = _meant_for(boards, decisions)
    return [
        _report(photo, board, catalogue, stage, rules, watch, before, said)
        for board, said in zip(boards, meant, strict=True)
    ]


def _meant_for(
    boards: Sequence[FoundBoard | BoardTrouble], decisions: Sequence[Decision]
) -> list[tuple[Decision, ...]]:
    """The decisions about each board; every decision must be about exactly one."""
    meant = [meant_for(decisions, *_named(board), _side(board)) for board in boards]
    for decision in decisions:
        about = sum(decision in said for said in meant)
        if about == 0:
            raise refuse(decision, "decision-fault.no-board")
        if about > 1:
            raise refuse(decision, "decision-fault.boards", n=about)
    return meant


def _boards(
    photo: Photo,
    catalogue: Catalogue,
    said: Stage | None,
    lens: LensProfile | None,
    first: list[SeenTag] | None = None,
    by_hand: Floats | None = None,
) -> list[FoundBoard | BoardTrouble]:
    """The boards in a photo: by their markers, or where none shows by their artwork; or the one that hands point at.

    A stage that is ``said`` to be in it alone counts, if it is.  Raises `NoBoard` and the like if there is none.
    """
    if by_hand is not None and said is not None:
        return [board_at(photo, shelf_of(catalogue, said), by_hand, lens)]
    unmarked = knows_some(catalogue, said)
    if said is not None and unmarked:
        return list(find_by_artwork(photo, shelf_of(catalogue, said), lens)) or _other_than(photo, catalogue, said)
    try:
        return _of_the_said_stage(find_boards(photo, tags_of(catalogue, said), lens, first), said)
    except NoBoard as fault:
        found = find_by_artwork(photo, shelf_of(catalogue, None), lens) if unmarked else ()
        if found:
            return list(found)
        raise _none_of_those_known(photo, catalogue, fault) if unmarked else fault from fault


def _other_than(photo: Photo, catalogue: Catalogue, said: Stage) -> list[FoundBoard | BoardTrouble]:
    """What a photo shows that does not show the artwork of the stage said: a board with markers, of another stage."""
    boards: list[FoundBoard | BoardTrouble] = []
    with suppress(NoBoard):
        boards = [board for board in find_boards(photo, tags_of(catalogue, None)) if _named(board)[0] != said.number]
    if not boards:
        raise NoBoard(say("fault.no-artwork", number=said.number), say("cure.artwork-or-corners"))
    return boards


def _none_of_those_known(photo: Photo, catalogue: Catalogue, fault: NoBoard) -> RefereeError:
    """A board lies there that is none of those at hand, or nothing does."""
    if outline(photo.bgr) is None:
        return fault
    known = joined(*map(str, (file.number for file in catalogue.unmarked())), sep=", ")
    return UnknownStage(say("fault.unknown-artwork", known=known), say("cure.new-stage"))


def _by_hand(corners_px: Floats | Sequence[tuple[float, float]], said: Stage | None) -> Floats:
    """Corners (4, 2) that somebody gave; raises `WrongUsage` where they or the stage do not make sense."""
    if said is None:
        raise WrongUsage("Corners are given, but no stage.", "Say which stage lies there.")
    try:
        return checked_corners(np.asarray(corners_px, np.float64))
    except (TypeError, ValueError):
        raise WrongUsage("Corners have to be four pairs of numbers.", "Give x and y of each, top left first.") from None


def _seen(picture: Picture, name: str, said: Stage | None) -> tuple[Photo, list[SeenTag] | None]:
    """The photo and the markers found, while it was decoded, in a smaller copy; None where there is no such copy.

    No markers are looked for on a board that is said to have none.
    """
    if isinstance(picture, np.ndarray) or (said is not None and not said.fiducials):
        return decode(FilePath(picture) if isinstance(picture, str) else picture, name), None
    content = content_of(FilePath(picture) if isinstance(picture, str) else picture)
    return both(lambda: decode(content, name), lambda: first_look(content))


def _report(
    photo: Photo,
    board: FoundBoard | BoardTrouble,
    catalogue: Catalogue,
    stage: Stage | None,
    rules: Rules,
    watch: _Watch,
    before: Baseline | None,
    decisions: Sequence[Decision],
) -> Report:
    """One board's report; what is wrong with it is in the report."""
    watch = _Watch(dict(watch.spent_ms))
    number, copy = _named(board)
    known: dict[str, Any] = {"source": photo.source, "copy": copy, "photo": photo, "view": board.view}
    try:
        if isinstance(board, BoardTrouble):
            if stage is not None and stage.number != number:
                raise _other_stage(stage, number)
            known["stage"] = (stage or catalogue.find(number)) if board.known else None
            raise board.fault
        if stage is not None and stage.number != number:
            raise _other_stage(stage, number)
        known["stage"] = stage = stage or catalogue.find(number)
        return replace(_judged(photo, board, stage, rules, watch, before, decisions), timing_ms=_times(watch))
    except UnknownDecision:
        raise
    except RefereeError as fault:
        return Report(**known, failure=_failure(fault), timing_ms=_times(watch))


def _judged(
    photo: Photo,
    board: FoundBoard,
    stage: Stage,
    rules: Rules,
    watch: _Watch,
    before: Baseline | None,
    decisions: Sequence[Decision],
) -> Report:
    """The road from a found board to its verdict."""
    with watch.step("print"):
        clean = clean_print(stage, board.view.copy)
    drawn = None
    if before is not None:
        with watch.step("baseline"):
            drawn = before.of(stage, board.view)
            clean = drawn.print_
    with watch.step("flatten"):
        glance = Glance.of(photo.bgr, board.lens_view)
        view, sigma_mm = register(glance, clean, board.lens_view)
    with watch.step("segment"):
        remains = None if drawn is None else remains_of(drawn.ink, photo.bgr, glance, view, clean)
        ink = segment(photo.bgr, glance, view, remains.print_ if remains else clean, stage.course, sigma_mm)
        ink = without_remains(ink, remains) if remains else ink
    with watch.step("stroke"):
        paths = readings(ink, _guide(stage, drawn))
        if not paths:
            raise NoInk(say("fault.no-ink"), say("cure.after-race"))
    with watch.step("judge"):
        able = considered(paths, rules)
        told = NOTHING if drawn is None else drawn.told
        facts = [measure(path, stage, ink.unseen_areas, rules.limits(), told) for path in able]
        judgement, others = judge_readings(facts, rules, decisions)
    doubt = _line_doubt_mm(judgement)
    if doubt > MAX_SIGMA_MM:
        raise TooBlurred(say("fault.uncertain", doubt=doubt, most=MAX_SIGMA_MM), say("cure.hold-still"))
    return Report(
        photo.source,
        judgement=judgement,
        stage=stage,
        copy=view.copy,
        view=view,
        uncertainty_mm=doubt,
        other_readings=others,
        photo=photo,
        baseline=before.source if before else None,
    )


def _guide(stage: Stage, drawn: Drawn | None) -> Guide:
    """Where a path may begin and go on: over the ropes, too, that were drawn on the board."""
    guide = guide_of(stage)
    return guide if drawn is None else replace(guide, leaps=(*guide.leaps, *leaps_of(drawn.told.gadgets)))


@dataclass(frozen=True, eq=False)
class Drawn:
    """What was on one board before its race: the ink, and what is to be said about it; ``raced`` if a race's was.

    ``print_`` is the clean print to tell the race's ink from.
    """

    ink: Before
    told: Beforehand
    view: BoardView
    raced: bool
    print_: CleanPrint


class Baseline:
    """A picture from before the race, read when a board asks for itself; ``source`` is its name."""

    def __init__(self, picture: Picture, lens: LensProfile | None) -> None:
        self._picture, self._lens = picture, lens
        self.source = FilePath(picture).name if isinstance(picture, FilePath | str) else "baseline"

    @cached_property
    def _photo(self) -> Photo:
        return decode(FilePath(self._picture) if isinstance(self._picture, str) else self._picture, self.source)

    def of(self, stage: Stage, view: BoardView) -> Drawn:
        """What it shows on the board that the race's picture has in this view.

        BadBaseline if it does not show it well enough, or raced already.
        """
        try:
            photo = self._photo
            same_camera = self._lens is not None and self._lens.picture_wh == photo.bgr.shape[1::-1]
            boards = _boards(photo, Catalogue(), stage, self._lens if same_camera else None)
            drawn = _drawn_before(photo, _same_board(boards, stage, view), stage)
        except RefereeError as fault:
            raise fault if isinstance(fault, BadBaseline) else _bad_baseline(fault) from fault
        if drawn.raced:
            raise BadBaseline(say("fault.baseline-raced"), say("cure.before-race"))
        return drawn


def _drawn_before(photo: Photo, board: FoundBoard, stage: Stage) -> Drawn:
    """What a picture from before the race shows on a board; RefereeError if it does not show it well enough."""
    clean = clean_print(stage, board.view.copy)
    glance = Glance.of(photo.bgr, board.lens_view)
    view, sigma_mm = register(glance, clean, board.lens_view)
    if float(np.median(sigma_mm)) > MAX_SIGMA_MM:
        raise BadBaseline(say("fault.baseline-blurred"), say("cure.hold-still"))
    roads = [np.array(section.road.exterior.coords) for section in stage.sections]
    ink = ink_before(photo.bgr, glance, view, clean, sigma_mm, roads)
    if len(ink.marks) > MOST_MARKS:
        raise BadBaseline(say("fault.baseline-full"), say("cure.before-race"))
    told = Beforehand(gadgets_of(ink.marks, stage, ink.faint, ink.unseen_areas), ink.unseen_areas)
    raced = is_raced(ink.marks, stage)
    if stage.reference:  # another camera's picture: this one's is the better print
        clean, ink = print_before(ink, photo.bgr, glance, view, clean)
    return Drawn(ink, told, view, raced, clean)


@dataclass(frozen=True, eq=False)
class BoardBefore:
    """What a picture from before a race shows of one board: the gadgets on it, each with its fault if it has one.

    ``unseen`` are the stretches of road that it does not show, ``raced`` tells that a race was driven on it already; a
    ``failure`` says why nothing could be seen.
    """

    photo: Photo | None = None
    view: BoardView | None = None
    stage: Stage | None = None
    copy: Copy | None = None
    gadgets: tuple[Gadget, ...] = ()
    unseen: tuple[UnseenStretch, ...] = ()
    raced: bool = False
    failure: Failure | None = None


def look_before(
    picture: Picture, *, catalogue: Catalogue | None = None, rules: Rules | None = None
) -> list[BoardBefore]:
    """What a picture from before a race shows of all its boards, the one nearest its middle first; at least one."""
    catalogue, rules = catalogue or Catalogue(), rules or Rules()
    try:
        photo = decode(FilePath(picture) if isinstance(picture, str) else picture, "picture")
    except RefereeError as fault:
        return [BoardBefore(failure=_failure(fault))]
    try:
        boards = _boards(photo, catalogue, None, None)
    except RefereeError as fault:
        return [BoardBefore(photo, failure=_failure(fault))]
    return [_board_before(photo, board, catalogue, rules) for board in boards]


def _board_before(photo: Photo, board: FoundBoard | BoardTrouble, catalogue: Catalogue, rules: Rules) -> BoardBefore:
    number, copy = _named(board)
    before = BoardBefore(photo, copy=copy)
    try:
        if isinstance(board, BoardTrouble):
            before = replace(before, stage=catalogue.find(number) if board.known else None)
            raise board.fault
        stage = catalogue.find(number)
        before = replace(before, stage=stage)
        drawn = _drawn_before(photo, board, stage)
    except RefereeError as fault:
        return replace(before, failure=_failure(fault))
    gadgets, unseen = placed(drawn.told.gadgets, rules), unseen_of(drawn.told.unseen, stage)
    return replace(before, view=drawn.view, gadgets=gadgets, unseen=unseen, raced=drawn.raced)


def _bad_baseline(fault: RefereeError) -> BadBaseline:
    return BadBaseline(say("fault.baseline", why=fault.message), fault.hint)


def _same_board(boards: Sequence[FoundBoard | BoardTrouble], stage: Stage, raced: BoardView) -> FoundBoard:
    """The board in a baseline that was raced later; BadBaseline if it is not there.

    Of two boards without markers it is the one that lies on the same side.
    """
    copy = raced.copy
    for board in sorted(boards, key=lambda board: _side(board) != raced.side):
        if _named(board) == (stage.number, copy):
            if isinstance(board, BoardTrouble):
                raise _bad_baseline(board.fault)
            return board
    seen = joined(*(_called(*_named(board)) for board in boards), sep=", ")
    raise BadBaseline(
        say("fault.baseline-board", seen=seen, wanted=_called(stage.number, copy)), say("cure.before-race")
    )


def _side(board: FoundBoard | BoardTrouble) -> Side | None:
    return None if board.view is None else board.view.side


def _called(number: int, copy: Copy | None) -> Phrase:
    return say("board.named-copy" if copy else "board.named", number=number, copy=copy)


def clean_print(stage: Stage, copy: Copy | None) -> CleanPrint:
    """The stage's print, kept from picture to picture."""
    key = (stage.svg, stage.reference, copy)
    with _PRINTING:
        if key not in _PRINTS:
            while len(_PRINTS) >= KEPT_PRINTS:
                _PRINTS.popitem(last=False)
            _PRINTS[key] = CleanPrint(artwork(stage, copy, INK_PX_PER_MM), stage.size_mm)
        _PRINTS.move_to_end(key)
        return _PRINTS[key]


_PRINTS: OrderedDict[tuple[bytes, bytes, Copy | None], CleanPrint] = OrderedDict()
_PRINTING = Turnstile()
"""Several pictures may be judged at once: each print is made by one of them, and the others wait for it."""


def _line_doubt_mm(judgement: Judgement) -> float:
    """One sigma of a margin that is usual along the path."""
    if judgement.path is None:
        return 0.0
    return float(np.median(np.concatenate([stroke.sigma_mm for stroke in judgement.path.strokes])))


def tags_of(catalogue: Catalogue, said: Stage | None) -> Tags:
    """What is known about a marker id: from the catalogue, or from the one stage that is said to be in the picture."""

    met: list[Stage] = [] if said is None else [said]

    def about(marker_id: int) -> BoardTag | None:
        found = next(((stage, *corner) for stage in met if (corner := corner_of(stage, marker_id))), None)
        if found is None and said is None:
            found = catalogue.of_marker(marker_id)
        if found is None:
            return None
        stage, copy, place = found
        met.append(stage)
        corners = next(f.corners_mm for f in stage.fiducials if f.place == place)
        return BoardTag(stage.number, copy, place, corners, stage.size_mm)

    return about


def _of_the_said_stage(
    boards: Sequence[FoundBoard | BoardTrouble], said: Stage | None
) -> list[FoundBoard | BoardTrouble]:
    """The boards that are meant: where a stage is said to be in the picture and is, the others do not matter."""
    meant = [board for board in boards if said is not None and _named(board)[0] == said.number]
    return meant or list(boards)


def _named(board: FoundBoard | BoardTrouble) -> tuple[int, Copy | None]:
    """Stage number and copy of a board."""
    here = board.view if isinstance(board, FoundBoard) else board
    return here.stage_number, here.copy


def _other_stage(said: Stage, number: int) -> UnknownStage:
    """The fault of a picture whose board is of another stage than the one that is said to be in it."""
    return UnknownStage(
        say("fault.other-stage", said=said.number, seen=number), say("cure.leave-stage-out", seen=number)
    )


def _failure(fault: RefereeError) -> Failure:
    return Failure(fault.code, fault.message, fault.hint)


def _times(watch: _Watch) -> dict[str, float]:
    return {**watch.spent_ms, "total": sum(watch.spent_ms.values())}


def _stage(stage: Stage | FilePath | str | int | None, catalogue: Catalogue) -> Stage | None:
    if stage is None or isinstance(stage, Stage):
        return stage
    if isinstance(stage, int):
        return catalogue.find(stage)
    return load_stage(FilePath(stage))
