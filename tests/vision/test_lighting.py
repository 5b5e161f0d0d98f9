"""The picture's light: gain, veil and colours of a synthetic board come back; what lies on it is told from shadow."""

from functools import lru_cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from referee.vision.clean import LOOK_PX_PER_MM
from referee.vision.lighting import Lighting, _lit, fit_lighting, shaded
from tests.simulation.paint import coverage
from tests.vision import patches

ARTWORK = patches.clean_print().look.artwork
HEIGHT, WIDTH = ARTWORK.shape[:2]
X, Y = np.meshgrid(np.linspace(0, 1, WIDTH, dtype=np.float32), np.linspace(0, 1, HEIGHT, dtype=np.float32))
GAIN = ((0.8 - 0.4 * X) * (1 - 0.2 * Y))[..., None] * np.array([1.0, 0.9, 0.6], np.float32)
VEIL = 0.03 + 0.0 * GAIN


def box(x_mm: float, y_mm: float, w_mm: float, h_mm: float) -> tuple[slice, slice]:
    x, y, w, h = (round(v * LOOK_PX_PER_MM) for v in (x_mm, y_mm, w_mm, h_mm))
    return slice(y, y + h), slice(x, x + w)


def fitted(photo: NDArray[Any]) -> Lighting:
    grain = np.random.default_rng(3).normal(0, 0.003, photo.shape)
    return fit_lighting((photo + grain).astype(np.float32), np.ones(photo.shape[:2], bool), patches.clean_print())


@lru_cache(maxsize=1)
def plain() -> Lighting:
    return fitted(GAIN * ARTWORK + VEIL)


def test_the_light_of_a_clean_board_leaves_no_rest() -> None:
    assert np.sqrt(np.mean(plain().rest ** 2)) < 0.006
    assert not plain().things.any()


def test_the_fall_of_light_over_the_board_and_its_cast_come_back() -> None:
    ratio = plain().gain / GAIN
    assert (ratio.std((0, 1)) / ratio.mean((0, 1)) < 0.08).all()
    whites = plain().gain * plain().colours.of(np.full((1, 3), 255, np.uint8)) + plain().veil
    assert np.median(np.abs(whites / (GAIN + VEIL) - 1)) < 0.05


def test_a_patch_of_reflection_is_veil_and_no_thing() -> None:
    spot = 0.35 * np.exp(-(((X - 0.5) * 120 / 14) ** 2 + ((Y - 0.5) * 72 / 14) ** 2))[..., None]
    light = fitted(GAIN * ARTWORK + VEIL + spot.astype(np.float32))
    here = box(55, 31, 10, 10)
    assert np.median(np.abs(light.rest[here])) < 0.03
    assert light.glare[here].mean() > 0.15
    assert not light.things.any()


def test_the_printers_colours_are_learned() -> None:
    faded = GAIN * (0.12 + 0.7 * ARTWORK) + VEIL
    assert np.sqrt(np.mean(fitted(faded).rest ** 2)) < 0.008


def test_ink_does_not_change_the_light() -> None:
    stroke = patches.along_the_course()
    cover = coverage([stroke], patches.SIZE_MM, LOOK_PX_PER_MM).coverage.astype(np.float32)[..., None] / 255
    light = fitted(GAIN * (ARTWORK * (1 - cover) + 0.03 * cover) + VEIL)
    x, y = ((stroke.points_mm + [0.0, 3.5]) * LOOK_PX_PER_MM).astype(int).T
    assert np.median(np.abs(light.rest[y, x])) < 0.006
    assert np.median(light.rest[y - 7, x]) < -0.05


def test_a_broad_dark_patch_is_a_thing_on_the_board() -> None:
    photo = GAIN * ARTWORK + VEIL
    patch = box(60, 20, 24, 24)
    photo[patch] = 0.02
    things = fitted(photo).things
    assert things[patch].mean() > 0.95
    things[box(55, 15, 34, 34)] = False
    assert not things.any()


def test_a_shadow_is_no_thing() -> None:
    photo = GAIN * ARTWORK + VEIL
    photo[box(60, 20, 24, 24)] *= 0.6
    assert not fitted(photo).things.any()


def test_a_shadow_is_the_same_wherever_one_looks_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    photo = GAIN * ARTWORK + VEIL
    photo[box(60, 20, 24, 24)] *= 0.6
    light = fitted(photo)
    nowhere, black = np.zeros((HEIGHT, WIDTH), np.float32), np.full_like(ARTWORK, 0.02)
    road = np.ones((HEIGHT, WIDTH), bool)
    soon = shaded(light, nowhere, black, 0.7, road)
    everywhere = np.arange(HEIGHT * WIDTH)
    looked_at: list[int] = []

    def at_all(light: Lighting, inked: Any, inky: Any, places: Any) -> Any:
        looked_at.append(len(places))
        return _lit(light, inked, inky, everywhere)

    monkeypatch.setattr("referee.vision.lighting._lit", at_all)
    late = shaded(light, nowhere, black, 0.7, road)
    assert soon is not None
    assert late is not None
    assert np.array_equal(soon.gain, late.gain)
    assert 0 < looked_at[0] < 0.6 * len(everywhere)
    monkeypatch.undo()
    assert shaded(plain(), nowhere, black, 0.7, road) is None
