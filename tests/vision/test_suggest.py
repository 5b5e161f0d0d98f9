"""What a flat picture of a built-in board suggests, against what its stage file says."""

from functools import cache

import numpy as np
import pytest
import shapely
from shapely.geometry import LineString, Polygon

from referee.model import Stage
from referee.stage.catalogue import Catalogue
from referee.stage.render import artwork
from referee.vision.draft.suggest import Suggestion, suggest

SURE = 0.6


@cache
def stage(number: int) -> Stage:
    return Catalogue().find(number)


@cache
def found(number: int) -> list[Suggestion]:
    picture = np.ascontiguousarray(artwork(stage(number), None, 6.0)[..., ::-1])
    return suggest(picture, stage(number).size_mm)


def ring(one: Suggestion) -> LineString:
    return LineString(np.vstack([one.points_mm, one.points_mm[:1]]) if one.closed else one.points_mm)


@pytest.mark.parametrize("number", [1, 5, 10, 16])
def test_nearly_all_of_the_white_lines_are_found_in_the_middle_of_their_bands(number: int) -> None:
    lines = shapely.union_all([LineString(line.points_mm) for line in stage(number).white_lines])
    sure = [ring(one) for one in found(number) if one.kind == "white-line" and one.sure >= SURE]
    assert shapely.union_all(sure).buffer(0.7).intersection(lines).length > 0.93 * lines.length
    on_them = [p for one in sure for p in shapely.points(shapely.get_coordinates(one.segmentize(1.0)))]
    off = shapely.distance(np.array(on_them), lines)
    assert np.median(off[off < 2]) < 0.08


@pytest.mark.parametrize("number", [1, 5, 10, 16])
def test_white_lines_are_as_wide_as_they_are_printed(number: int) -> None:
    widths = [one.width_mm for one in found(number) if one.kind == "white-line" and one.sure >= SURE]
    assert np.median(widths) == pytest.approx(stage(number).white_lines[0].width_mm, abs=0.15)


@pytest.mark.parametrize("number", [1, 7, 13])
def test_every_checkpoint_is_found(number: int) -> None:
    lines = [ring(one) for one in found(number) if one.kind == "checkpoint"]
    for checkpoint in stage(number).checkpoints:
        assert min(line.hausdorff_distance(LineString(checkpoint.points_mm)) for line in lines) < 2.5


@pytest.mark.parametrize("number", [7, 10])
def test_every_yellow_zone_is_found(number: int) -> None:
    zones = [Polygon(one.points_mm) for one in found(number) if one.kind == "zone"]
    for zone in (*stage(number).jumps, *stage(number).landings):
        overlap = max(zone.shape.intersection(one).area / zone.shape.union(one).area for one in zones)
        assert overlap > 0.75


@pytest.mark.parametrize("number", [13, 15])
def test_every_oil_spill_is_found(number: int) -> None:
    spills = [Polygon(one.points_mm) for one in found(number) if one.kind == "oil-spill"]
    for spill in stage(number).oil_spills:
        assert max(spill.shape.intersection(one).area / spill.shape.union(one).area for one in spills) > 0.9


def test_a_blank_sheet_suggests_nothing() -> None:
    for value in (0, 128, 255):
        assert suggest(np.full((420, 594, 3), value, np.uint8), (297.0, 210.0)) == []


def test_noise_suggests_little_and_throws_nothing() -> None:
    noise = np.random.default_rng(3).integers(0, 256, (400, 600, 3)).astype(np.uint8)
    assert len(suggest(noise, (297.0, 210.0))) < 20
