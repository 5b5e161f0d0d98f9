"""Where things lie on a stage: outlines of elements, stretches of the course, and landmarks in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from referee.model import Floats, Question, Stage, UnseenStretch
from referee.words import Phrase, Place, say


def outlines(stage: Stage, element: str | None) -> list[Floats]:
    """The lines (N, 2) in mm that an element is made of: a zone's, spill's or arrow's rim, a checkpoint, the finish.

    A white line has none: which of its edges counts hangs on the road (`closeup.far_edge`).
    """
    zones = (*stage.jumps, *stage.landings, *stage.accelerations, *stage.slowdowns, *stage.pipes)
    rims = {zone.id: zone.shape for zone in zones} | {spill.id: spill.reach for spill in stage.oil_spills}
    if element == stage.start_id:
        return [rim(stage.start)]
    if element in rims:
        return [rim(rims[element])]
    lines = {checkpoint.id: checkpoint.points_mm for checkpoint in stage.checkpoints}
    return [line_mm for name, line_mm in {**lines, stage.finish_id: stage.finish_mm}.items() if name == element]


AWAY_MM = 30.0
"""A question's place this far from its element is only where it was asked: the place to look at is the element."""


def look_at(stage: Stage | None, question: Question) -> Floats:
    """The place (2,) in mm that a person should look at.

    A checkpoint that may have been crossed unseen is asked for at the next line: it is itself what to look at.
    """
    at_mm = np.array(question.at_mm)
    if stage is None or question.why != "unseen":
        return at_mm
    for outline in outlines(stage, question.element):
        if np.hypot(*(nearest_on(outline, at_mm) - at_mm)) > AWAY_MM:
            return np.asarray((outline.min(axis=0) + outline.max(axis=0)) / 2)
    return at_mm


def rim(shape: object) -> Floats:
    """The outline (N, 2) of a polygon."""
    return np.asarray(shape.exterior.coords, dtype=np.float64)[:, :2]  # type: ignore[attr-defined]


def along(course: Sequence[Floats], stretch: UnseenStretch) -> Iterator[Floats]:
    """A stretch of the course as points (N, 2) a piece; distances run on from piece to piece."""
    before_mm = 0.0
    for piece in course:
        arc = arc_mm(piece)
        first, last = np.clip([stretch.from_mm - before_mm, stretch.to_mm - before_mm], 0, arc[-1])
        if last > first:
            stops = np.concatenate([[first], arc[(arc > first) & (arc < last)], [last]])
            yield np.column_stack([np.interp(stops, arc, piece[:, axis]) for axis in (0, 1)])
        before_mm += float(arc[-1])


def whereabouts(stage: Stage, stretch: UnseenStretch) -> Phrase:
    """Between which two lines of the course a stretch lies, in words."""
    marks = [(0.0, stage.start_id)]
    marks += [(_course_mm(stage, c.points_mm.mean(axis=0)), c.id) for c in stage.checkpoints]
    marks += [(_course_mm(stage, stage.finish_mm.mean(axis=0)), stage.finish_id)]
    before = [name for at_mm, name in marks if at_mm <= stretch.from_mm]
    after = [name for at_mm, name in marks if at_mm >= stretch.to_mm]
    if not after:
        return say("stretch.behind", before=Place(before[-1]))
    return say("stretch.between", before=Place(before[-1]), after=Place(after[0]))


def _course_mm(stage: Stage, place_mm: Floats) -> float:
    """How far along the course the place nearest to another one lies."""
    best, before_mm = (np.inf, 0.0), 0.0
    for piece in stage.course:
        foot, on_mm = _foot(piece, place_mm)
        best = min(best, (float(np.hypot(*(foot - place_mm))), before_mm + on_mm))
        before_mm += float(arc_mm(piece)[-1])
    return best[1]


def arc_mm(points_mm: Floats) -> Floats:
    """Distance along a line (N,) from its beginning."""
    return np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points_mm, axis=0).T))])


def nearest_on(line_mm: Floats, place_mm: Floats) -> Floats:
    """The place (2,) on a polyline (N, 2) that is nearest to a place."""
    return _foot(line_mm, place_mm)[0]


def _foot(line_mm: Floats, place_mm: Floats) -> tuple[Floats, float]:
    """The nearest place (2,) on a polyline, and how far along it that is."""
    start, step = line_mm[:-1], np.diff(line_mm, axis=0)
    part = np.clip(((place_mm - start) * step).sum(axis=1) / np.maximum((step**2).sum(axis=1), 1e-12), 0, 1)
    feet = start + part[:, None] * step
    leg = int(np.argmin(np.hypot(*(feet - place_mm).T)))
    return feet[leg], float(arc_mm(line_mm)[leg] + part[leg] * np.hypot(*step[leg]))
