"""Ink on a known print: its edges to a few hundredths of a millimetre, and what is no ink or cannot be seen."""

from dataclasses import replace
from functools import lru_cache

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from shapely import distance, points
from shapely.geometry import LineString
from skimage.measure import find_contours

from referee.errors import NoInk
from referee.model import Floats, Ink
from referee.vision.clean import CleanPrint
from referee.vision.flatten import Glance
from referee.vision.segment import segment, soft_rim_mm
from tests.simulation.hand import Drawn
from tests.vision import patches

WIDTH_MM = 2.6
STROKE = patches.along_the_course(WIDTH_MM)
LINE = LineString(STROKE.points_mm)
OFF_THE_ROAD = np.array([[100.0, 8.0], [12.0, 64.0]])
SIGMA_MM = np.full((5, 7), 0.01)


def seen(photo: NDArray[np.uint8]) -> Ink:
    glance = Glance.of(photo, patches.view())
    return segment(photo, glance, patches.view(), patches.clean_print(), patches.course(), SIGMA_MM)


def photo_px(mm: Floats) -> NDArray[np.intp]:
    return np.rint(patches.view().to_photo(mm)).astype(np.intp)


def ink_at(ink: Ink, mm: Floats) -> NDArray[np.uint8]:
    x, y = (np.asarray(mm) * ink.px_per_mm).astype(int).T
    return ink.coverage[y, x]


def unseen_at(ink: Ink, mm: Floats) -> NDArray[np.uint8]:
    x, y = (np.asarray(mm) * ink.px_per_mm).astype(int).T
    return ink.unseen[y, x]


@lru_cache(maxsize=1)
def raced() -> NDArray[np.uint8]:
    return patches.photograph(patches.inked("blue", STROKE) * patches.lamp())


def edges_off_mm(ink: Ink) -> Floats:
    """How far outside the exact ink the seen edge lies, at every point of it.

    A thing in the artwork that has the ink's own colour may pass for a dot of ink, if it is far from the stroke.
    """
    contours = find_contours(ink.coverage.astype(float), 127.5)
    edge_mm = (np.vstack(contours)[:, ::-1] + 0.5) / ink.px_per_mm
    off = np.asarray(distance(points(edge_mm), LINE) - WIDTH_MM / 2)
    dots = off > 10
    assert dots.mean() < 0.06
    return off[~dots]


@pytest.mark.parametrize("colour", ["black", "blue", "red", "green"])
def test_the_edges_of_ink_are_where_it_ends(colour: str) -> None:
    off = edges_off_mm(seen(patches.photograph(patches.inked(colour, STROKE) * patches.lamp())))
    assert abs(np.median(off)) < 0.03
    assert np.percentile(np.abs(off), 95) < 0.06


def test_a_softer_and_darker_picture_moves_the_edges_little() -> None:
    dim = patches.photograph(0.4 * patches.inked("red", STROKE) * patches.lamp(0.6), blur_px=1.2, noise=0.006)
    off = edges_off_mm(seen(dim))
    assert abs(np.median(off)) < 0.05
    assert np.percentile(np.abs(off), 95) < 0.15


def test_the_whole_of_a_raced_board_is_seen() -> None:
    assert (seen(raced()).unseen > 0).mean() < 0.01


def test_a_clean_board_shows_no_ink() -> None:
    with pytest.raises(NoInk):
        seen(patches.photograph(patches.inked("black") * patches.lamp()))


def test_a_ghost_of_an_old_race_is_no_ink() -> None:
    with pytest.raises(NoInk):
        seen(patches.photograph(patches.inked("black", STROKE, opacity=0.25) * patches.lamp()))


def test_a_ghost_beside_fresh_ink_is_not_taken_for_it() -> None:
    old = patches.drawn(STROKE.points_mm + [0.0, 7.0])
    both = patches.inked("black", old, opacity=0.25) / patches.inked("black") * patches.inked("black", STROKE)
    ink = seen(patches.photograph(np.asarray(both * patches.lamp(), np.float32)))
    ghost = old.points_mm[distance(points(old.points_mm), LINE) > WIDTH_MM + 1]
    assert (ink_at(ink, ghost) > 127).mean() < 0.02
    assert (ink_at(ink, STROKE.points_mm) > 127).mean() > 0.98


def test_a_burnt_out_patch_is_glare_and_not_ink() -> None:
    photo = raced().copy()
    middle = STROKE.points_mm[len(STROKE.points_mm) // 2]
    (at,) = photo_px(middle)
    cv2.circle(photo, at.tolist(), 30, (255, 255, 255), -1)
    ink = seen(photo)
    assert unseen_at(ink, np.array([middle])) == [1]
    assert any(area.why == "glare" for area in ink.unseen_areas)


@pytest.mark.parametrize("bgr", [(120, 150, 205), (60, 140, 60), (40, 40, 190)], ids=str)
def test_something_broad_on_the_board_covers_it(bgr: tuple[int, int, int]) -> None:
    photo = raced().copy()
    middle = STROKE.points_mm[len(STROKE.points_mm) // 2]
    (low,), (high,) = photo_px(middle - [14, 12]), photo_px(middle + [14, 12])
    cv2.rectangle(photo, low.tolist(), high.tolist(), bgr, -1)
    ink = seen(np.asarray(cv2.GaussianBlur(photo, (0, 0), 0.7), np.uint8))
    inside = middle + np.array([[0.0, 0.0], [9.0, 8.0], [-9.0, -8.0]])
    assert (unseen_at(ink, inside) == 2).all()
    assert "covered" in {area.why for area in ink.unseen_areas}


def test_specks_are_dropped() -> None:
    dots = [patches.drawn(np.array([at, at + [0.1, 0.0]]), 0.6) for at in OFF_THE_ROAD + [[0, 0], [0, 0]]]
    beside = patches.drawn(STROKE.points_mm[60] + np.array([[0.0, 6.0], [0.1, 6.0]]), 0.6)
    ink = seen(patches.photograph(patches.inked("black", STROKE, *dots, beside) * patches.lamp()))
    assert (ink_at(ink, np.vstack([OFF_THE_ROAD, beside.points_mm[:1]])) < 128).all()


def test_the_doubt_about_an_edge_grows_where_it_is_dark() -> None:
    bright, dark = (seen(patches.photograph(patches.inked("blue", STROKE) * patches.lamp(d))) for d in (0.9, 0.08))
    ends = np.array([[116.0, 36.0]])
    assert dark.sigma_at(ends) > bright.sigma_at(ends)
    assert (bright.sigma_mm < 0.085).all()


def across_mm() -> NDArray[np.float32]:
    """How far along a slanting direction every place of the patch lies (864, 1440), in mm."""
    y, x = np.mgrid[0 : patches.SIZE_MM[1] : 864j, 0 : patches.SIZE_MM[0] : 1440j]
    return np.asarray(0.94 * x + 0.34 * y, np.float32)


def in_shadow(width_mm: float, every_mm: float, passed: float) -> NDArray[np.float32]:
    """Bars of shadow (864, 1440, 1) with a rim of half a millimetre, as a window's frame throws them."""
    off = np.abs(across_mm() % every_mm - every_mm / 2)
    return np.asarray(1 - (1 - passed) * np.clip(0.5 + (width_mm / 2 - off) / 0.5, 0, 1)[..., None], np.float32)


@pytest.mark.parametrize("colour", ["black", "blue", "red", "green"])
@pytest.mark.parametrize(("width_mm", "passed"), [(3.5, 0.55), (8.0, 0.45)])
def test_a_shadow_is_no_ink_and_hides_none(colour: str, width_mm: float, passed: float) -> None:
    ink = seen(patches.photograph(patches.inked(colour, STROKE) * in_shadow(width_mm, 45.0, passed)))
    y, x = np.nonzero(ink.coverage > 127)
    away = np.asarray(distance(points((np.column_stack([x, y]) + 0.5) / ink.px_per_mm), LINE))
    assert ((away > WIDTH_MM / 2 + 0.6) & (away < 9)).mean() < 0.005
    assert (ink_at(ink, STROKE.points_mm) > 127).all()
    assert (ink.unseen > 0).mean() < 0.01


def rings() -> Drawn:
    """Three donuts beside one another on the road, and the way there and on."""
    turn = np.linspace(0.5 * np.pi, 2.5 * np.pi, 60)
    middle = STROKE.points_mm[len(STROKE.points_mm) // 2]
    centres = middle + np.array([[-6.6, 0.0], [0.0, 0.0], [6.6, 0.0]])
    round_ = np.column_stack([np.cos(turn), np.sin(turn)]) * 2.1
    return patches.drawn(np.vstack([middle - [22, -2.1], *(c + round_ for c in centres), middle + [22, 2.1]]), 2.0)


def test_the_light_does_not_bend_to_donuts() -> None:
    dim = patches.photograph(patches.inked("green", STROKE, rings()) * patches.lamp() * 0.4, blur_px=2.0, noise=0.012)
    plain = patches.photograph(patches.inked("green", rings()) * patches.lamp() * 0.4, blur_px=2.0, noise=0.012)
    assert (ink_at(seen(dim), rings().points_mm) > 127).mean() > 0.98
    ink = seen(plain)
    assert (ink_at(ink, rings().points_mm) > 127).mean() > 0.98
    middle = STROKE.points_mm[len(STROKE.points_mm) // 2]
    assert (ink_at(ink, middle + np.array([[-6.6, 0.0], [0.0, 0.0], [6.6, 0.0]])) < 128).all()
    assert (unseen_at(ink, rings().points_mm) == 0).all()


def test_three_lines_side_by_side_are_ink() -> None:
    half = STROKE.points_mm[: len(STROKE.points_mm) // 4]
    bundle = [patches.drawn(half + [0.0, off], 2.8) for off in (-2.6, 0.0, 2.6)]
    ink = seen(patches.photograph(patches.inked("red", STROKE, *bundle) * patches.lamp()))
    assert (ink_at(ink, np.vstack([line.points_mm for line in bundle])) > 127).mean() > 0.98
    assert (ink.unseen == 2).mean() < 0.002


def test_a_white_line_that_is_burnt_out_is_seen() -> None:
    bright = patches.photograph(patches.inked("black", STROKE) * 1.5)
    assert (bright > 250).all(2).mean() > 0.02
    ink = seen(bright)
    assert (unseen_at(ink, STROKE.points_mm) == 0).all()
    assert (ink.unseen > 0).mean() < 0.05


def test_dry_ink_takes_a_reflection_away_and_is_ink() -> None:
    y, x = np.mgrid[0 : patches.SIZE_MM[1] : 864j, 0 : patches.SIZE_MM[0] : 1440j]
    middle = STROKE.points_mm[len(STROKE.points_mm) // 2]
    spot = 0.45 * np.exp(-(np.hypot(x - middle[0], y - middle[1]) ** 2) / (2 * 14.0**2))[..., None]
    inked, clean = patches.inked("black", STROKE) * 0.8, patches.inked("black") * 0.8
    shiny = inked + np.where(np.abs(inked - clean).max(2, keepdims=True) > 0.01, 0.25 * spot, spot)
    ink = seen(patches.photograph(np.asarray(shiny, np.float32)))
    assert (ink_at(ink, STROKE.points_mm) > 127).mean() > 0.98
    assert np.percentile(np.abs(edges_off_mm(ink)), 95) < 0.3


@pytest.mark.parametrize(("glare", "code"), [(0.45, 1), (0.0, 0)])
def test_ink_that_a_reflection_makes_faint_is_not_seen_and_a_ghost_is_no_ink(glare: float, code: int) -> None:
    y, x = np.mgrid[0 : patches.SIZE_MM[1] : 864j, 0 : patches.SIZE_MM[0] : 1440j]
    middle = STROKE.points_mm[len(STROKE.points_mm) // 2]
    far = np.hypot(x - middle[0], y - middle[1])
    inked, clean = patches.inked("red", STROKE) * 0.8, patches.inked("red") * 0.8
    share = np.where(far < 6.0, 0.32, 1.0)[..., None]
    faint = clean + share * (inked - clean) + glare * np.exp(-(far**2) / (2 * 14.0**2))[..., None]
    ink = seen(patches.photograph(np.asarray(faint, np.float32)))
    there = STROKE.points_mm[np.hypot(*(STROKE.points_mm - middle).T) < 4.0]
    assert (ink_at(ink, there) < 128).all()
    assert (unseen_at(ink, there) == code).mean() > 0.9


@pytest.mark.parametrize("cut_mm", [0.0, 0.2, 0.35])
def test_a_board_that_is_no_whole_number_of_places_is_looked_at_to_its_rim(cut_mm: float) -> None:
    size_mm = patches.SIZE_MM[0] - cut_mm, patches.SIZE_MM[1] - cut_mm
    shape = round(size_mm[1] * 6), round(size_mm[0] * 6)
    part = CleanPrint(np.ascontiguousarray(patches.clean_print().rgb[: shape[0], : shape[1]]), size_mm)
    rim = patches.drawn(np.array([[size_mm[0] - 1.0, 20.0], [size_mm[0] - 1.0, 50.0]]))
    view = replace(patches.view(), size_mm=size_mm)
    photo = patches.photograph(patches.inked("black", STROKE, rim) * patches.lamp())
    ink = segment(photo, Glance.of(photo, view), view, part, patches.course(), SIGMA_MM)
    assert ink.coverage.shape == ink.unseen.shape == shape
    assert (ink_at(ink, rim.points_mm) > 127).all()
    assert (ink_at(ink, STROKE.points_mm) > 127).all()


@pytest.mark.parametrize(("blur_mm", "pixel_mm", "doubt_mm"), [(0.3, 0.4, 0.0), (1.0, 0.4, 0.31), (1.0, 0.15, 0.0)])
def test_a_rim_softer_than_a_coarse_photos_focus_is_a_doubt(blur_mm: float, pixel_mm: float, doubt_mm: float) -> None:
    sharp = np.zeros((360, 480), np.uint8)
    cv2.circle(sharp, (240, 180), 120, (255,), -1)
    coverage = np.asarray(cv2.GaussianBlur(sharp, (0, 0), blur_mm * 6), np.uint8)
    doubt = soft_rim_mm(coverage, pixel_mm, (5, 7))
    assert doubt.shape == (5, 7)
    assert float(np.median(doubt)) == pytest.approx(doubt_mm, abs=0.03)
