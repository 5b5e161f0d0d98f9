"""Measuring a lens: what comes out of pictures of the target, and which pictures are refused."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from referee.errors import NoBoard, NotCalibrated
from referee.model import Photo, Target
from referee.vision.calibrate import sight, solve
from tests.simulation.lens import Held, seen_at
from tests.vision.lenses import A4_MM, ALL_ROUND, CORNER_MM, TRUTH, WEBCAM, map_error_px, picture, sighting


def test_the_lens_of_a_barrel_webcam_is_found() -> None:
    """Focal lengths to 0.2 %, the middle to 2 px, and the picture's bending to 0.15 px everywhere."""
    seen = [sight(Photo(picture(held, k), f"{k}.jpg"), Target()) for k, held in enumerate(ALL_ROUND)]
    solution = solve(seen)
    lens = solution.lens
    assert solution.strays == ()
    assert lens.focal_px == pytest.approx(TRUTH.focal_px, rel=0.002)
    assert lens.middle_px == pytest.approx(TRUTH.middle_px, abs=2.0)
    assert lens.distortion == pytest.approx(TRUTH.distortion, abs=0.02)
    assert lens.distortion[0] == pytest.approx(-0.3, abs=0.005)
    assert (lens.picture_wh, lens.pictures) == ((1280, 720), len(ALL_ROUND))
    assert lens.rms_px < 0.1
    assert map_error_px(lens) < 0.15


def test_the_corners_of_the_target_are_found_to_a_tenth_of_a_pixel() -> None:
    held = Held(20, 20, 90, (0.35, 0.4), 2.8)
    found = sight(Photo(picture(held), "a.jpg"), Target())
    off = found.corners_px - seen_at(WEBCAM, held, A4_MM, found.corners_mm + CORNER_MM)
    assert len(off) > 30
    assert np.sqrt((off**2).sum(1).mean()) < 0.1


def test_a_picture_without_the_target_says_so() -> None:
    empty = np.full((720, 1280, 3), 120, np.uint8)
    with pytest.raises(NoBoard, match=r"table\.jpg: the target is not in it"):
        sight(Photo(empty, "table.jpg"), Target())


def test_a_picture_with_too_little_of_the_target_says_so() -> None:
    little = picture(Held(middle=(0.5, 0.5), px_per_mm=3.0))
    little[:, 480:] = 120
    with pytest.raises(NoBoard, match=r"corners of the target, 15 are needed"):
        sight(Photo(little, "a.jpg"), Target())


def test_too_few_pictures_are_refused() -> None:
    with pytest.raises(NotCalibrated, match="in 5 pictures; at least 6 are needed") as refusal:
        solve([sighting(held, seed=k) for k, held in enumerate(ALL_ROUND[:5])])
    assert "8 to 12 pictures" in refusal.value.hint
    assert "20 to 40 degrees" in refusal.value.hint


def test_a_part_of_the_picture_that_never_showed_the_target_is_named() -> None:
    seen = [sighting(replace(held, middle=(0.3, 0.5), px_per_mm=2.2), seed=k) for k, held in enumerate(ALL_ROUND)]
    with pytest.raises(NotCalibrated, match=r"at the picture's .*middle right"):
        solve(seen)


@pytest.mark.parametrize(
    "tilts",
    [[(0, 0)] * 9, [(3 * (k % 3) - 3, 2 * (k // 3) - 2) for k in range(9)], [(8 * k - 32, 0) for k in range(9)]],
    ids=["none", "hardly", "one way"],
)
def test_angles_too_much_alike_are_refused(tilts: list[tuple[float, float]]) -> None:
    seen = [
        sighting(replace(held, tilt_x_deg=x, tilt_y_deg=y, px_per_mm=3.0), seed=k)
        for k, (held, (x, y)) in enumerate(zip(ALL_ROUND, tilts, strict=True))
    ]
    with pytest.raises(NotCalibrated, match="much the same angle"):
        solve(seen)


def test_pictures_that_fit_no_lens_well_are_refused() -> None:
    with pytest.raises(NotCalibrated, match=r"only to \d\.\d\d px; 0.64 px is the most") as refusal:
        solve([sighting(held, noise_px=1.2, seed=k) for k, held in enumerate(ALL_ROUND)])
    assert "flat" in refusal.value.hint


def test_one_shaken_picture_is_left_out() -> None:
    seen = [sighting(held, seed=k, name=f"{k}.jpg") for k, held in enumerate(ALL_ROUND)]
    seen[3] = sighting(ALL_ROUND[3], noise_px=2.5, name="shaken.jpg")
    solution = solve(seen)
    assert [stray.source for stray in solution.strays] == ["shaken.jpg"]
    assert map_error_px(solution.lens) < 0.3


def test_a_lens_without_distortion_stays_one() -> None:
    seen = []
    for k, held in enumerate(ALL_ROUND):
        one = sighting(held, noise_px=0.0)
        px = TRUTH.straight(one.corners_px) + np.random.default_rng(k).normal(0, 0.05, one.corners_px.shape)
        seen.append(replace(one, corners_px=px))
    lens = solve(seen).lens
    rim = np.array([[0, 0], [1279, 0], [1279, 719], [0, 719], [640, 0.0]])
    assert np.abs(lens.bent(rim) - rim).max() < 0.3


def test_the_profiles_model_is_opencvs() -> None:
    rays = np.random.default_rng(1).uniform([-0.55, -0.3], [0.55, 0.3], (50, 2))
    flat = np.column_stack([rays, np.ones(50)])
    theirs, _ = cv2.projectPoints(flat, np.zeros(3), np.zeros(3), WEBCAM.matrix, np.array(TRUTH.distortion))
    ours = TRUTH.bent(rays * TRUTH.focal_px + TRUTH.middle_px)
    assert np.allclose(ours, theirs.reshape(-1, 2), atol=1e-9)
    assert np.allclose(TRUTH.straight(ours), rays * TRUTH.focal_px + TRUTH.middle_px, atol=1e-6)


def test_what_lies_far_outside_the_picture_stays_outside() -> None:
    strong = replace(TRUTH, distortion=(-0.4, 0.0, 0.0, 0.0, 0.0))
    outwards = np.column_stack([np.linspace(660, 20000, 200), np.full(200, 349.0)])
    assert (np.diff(strong.bent(outwards)[:, 0]) > 0).all()
