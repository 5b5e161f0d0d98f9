"""Finding boards: stage, copy and place, to a fraction of a pixel; and what is said where there is none to judge."""

from __future__ import annotations

import io
import time

import cv2
import numpy as np
import pytest
from PIL import Image

from referee.errors import Mirrored, NoBoard, RefereeError, TooSmall, UnknownStage
from referee.model import BoardView
from referee.vision.decode import decode
from referee.vision.find import BoardTrouble, FoundBoard, find_boards, first_look
from tests.vision.boards import SIZE_MM, Pose, board, first_id, photo, photograph, tags_of

MIDDLE = (640.0, 480.0)


def outline_px(pose: Pose) -> np.ndarray:
    w, h = SIZE_MM
    corners = np.array([[[0, 0], [w, 0], [w, h], [0, h]]], float)
    return cv2.perspectiveTransform(corners, pose.board_to_photo())[0]


def off_px(view: BoardView, pose: Pose) -> float:
    return float(np.hypot(*(view.corners_px() - outline_px(pose)).T).max())


def only(boards: tuple[FoundBoard | BoardTrouble, ...]) -> FoundBoard:
    assert len(boards) == 1
    assert isinstance(boards[0], FoundBoard)
    return boards[0]


def fault_of(boards: tuple[FoundBoard | BoardTrouble, ...]) -> RefereeError:
    assert len(boards) == 1
    assert isinstance(boards[0], BoardTrouble)
    return boards[0].fault


# ------------------------------------------------------------------------------------------------ found


@pytest.mark.parametrize("turn_deg", [0, 37, 90, 180, 250])
def test_a_board_is_found_any_way_up(turn_deg: float) -> None:
    pose = Pose(MIDDLE, scale=2.6, turn_deg=turn_deg)
    found = only(find_boards(photo(photograph([(board(7), pose)])), tags_of(7)))
    assert (found.view.stage_number, found.view.copy, found.places) == (7, "A", (0, 1, 2, 3))
    assert off_px(found.view, pose) < 0.3
    assert off_px(found.lens_view, pose) < 0.3


@pytest.mark.parametrize("tilt_deg", [20, 40, 55])
def test_a_board_is_found_from_aslant(tilt_deg: float) -> None:
    pose = Pose((640.0, 520.0), scale=2.8, turn_deg=10, tilt_deg=tilt_deg)
    found = only(find_boards(photo(photograph([(board(7), pose)])), tags_of(7)))
    assert found.markers == 4
    assert off_px(found.lens_view, pose) < 0.6


def test_the_plane_is_right_to_a_few_hundredths_of_a_millimetre() -> None:
    pose = Pose(MIDDLE, turn_deg=5, tilt_deg=15)
    found = only(find_boards(photo(photograph([(board(7), pose)])), tags_of(7)))
    points = np.stack(np.meshgrid(np.arange(0, 298, 27), np.arange(0, 211, 21)), -1).reshape(-1, 2).astype(float)
    there = cv2.perspectiveTransform(points[None], pose.board_to_photo())[0]
    assert np.hypot(*(found.lens_view.to_photo(points) - there).T).max() / pose.scale < 0.06


def test_a_lens_is_found_with_the_plane_and_handed_over_as_a_bend() -> None:
    pose, k1 = Pose((560.0, 520.0), turn_deg=5, tilt_deg=20), -0.05
    straight = photograph([(board(7), pose)], noise=0)
    h, w = straight.shape[:2]
    middle, radius = np.array([(w - 1) / 2, (h - 1) / 2]), np.hypot(w, h) / 2
    x, y = np.meshgrid(np.arange(w) - middle[0], np.arange(h) - middle[1])
    r_seen, r = np.hypot(x, y), np.hypot(x, y)
    for _ in range(8):
        r = r_seen / (1 + k1 * (r / radius) ** 2)
    share = np.divide(r, r_seen, out=np.ones_like(r), where=r_seen > 0)
    bent = cv2.remap(
        straight,
        (x * share + middle[0]).astype(np.float32),
        (y * share + middle[1]).astype(np.float32),
        cv2.INTER_CUBIC,
    )
    found = only(find_boards(photo(bent), tags_of(7)))
    points = np.stack(np.meshgrid(np.arange(0, 298, 27), np.arange(0, 211, 21)), -1).reshape(-1, 2).astype(float)
    ideal = cv2.perspectiveTransform(points[None], pose.board_to_photo())[0]
    away = ideal - middle
    there = ideal + away * k1 * (away**2).sum(1, keepdims=True) / radius**2
    error = [np.hypot(*(view.to_photo(points) - there).T).max() for view in (found.lens_view, found.view)]
    assert found.lens_view.bend_mm is not None
    assert found.view.bend_mm is None
    assert error[0] < 0.5 < 1.5 < error[1]


@pytest.mark.parametrize("missing", range(4))
def test_three_of_four_markers_are_enough(missing: int) -> None:
    pose = Pose(MIDDLE, turn_deg=-20, scale=2.8)
    found = only(find_boards(photo(photograph([(board(7, without=(missing,)), pose)])), tags_of(7)))
    assert found.places == tuple(place for place in range(4) if place != missing)
    assert off_px(found.lens_view, pose) < 1.5


def test_a_board_with_one_marker_outside_the_picture_is_found() -> None:
    pose = Pose((690.0, 560.0), scale=3.2, turn_deg=26)
    found = only(find_boards(photo(photograph([(board(7), pose)])), tags_of(7)))
    assert 3 <= found.markers < 4
    assert off_px(found.lens_view, pose) < 2.0


def test_a_marker_half_under_a_thumb_does_not_pull_the_board_away() -> None:
    pose = Pose(MIDDLE, scale=2.8)
    picture = photograph([(board(7), pose)])
    x, y = outline_px(pose)[0]
    cv2.circle(picture, (int(x + 25), int(y + 60)), 27, (120, 150, 220), -1)
    assert off_px(only(find_boards(photo(picture), tags_of(7))).lens_view, pose) < 2.0


def test_a_webcam_board_of_two_pixels_a_millimetre_is_found_in_dim_light() -> None:
    pose = Pose(MIDDLE, scale=1.9, turn_deg=160, tilt_deg=25)
    picture = photograph([(board(12, "B"), pose)], blur_px=0.9, noise=5, light=0.25)
    found = only(find_boards(photo(picture), tags_of(12)))
    assert (found.view.stage_number, found.view.copy) == (12, "B")
    assert off_px(found.lens_view, pose) / pose.scale < 0.5


def test_motion_blur_widens_the_uncertainty_and_keeps_the_place() -> None:
    pose = Pose(MIDDLE, turn_deg=8)
    sharp = photograph([(board(7), pose)])
    moved = cv2.filter2D(sharp, -1, np.full((1, 5), 0.2))
    still, shaken = (only(find_boards(photo(picture), tags_of(7))) for picture in (sharp, moved))
    assert shaken.blur_px > still.blur_px
    assert off_px(shaken.lens_view, pose) < 0.5


def test_a_large_photo_is_found_as_exactly() -> None:
    pose = Pose((1290.0, 960.0), scale=6.4, turn_deg=184, tilt_deg=12)
    picture = photograph([(board(7), pose)], size_wh=(2560, 1920))
    found = only(find_boards(photo(picture), tags_of(7)))
    assert off_px(found.lens_view, pose) < 0.3


# ------------------------------------------------------------------------------------------------ two boards


def test_two_copies_are_two_boards_the_one_nearest_the_middle_first() -> None:
    near, far = Pose((660.0, 700.0), scale=1.9), Pose((640.0, 210.0), scale=1.9, turn_deg=180)
    picture = photograph([(board(7, "B"), near), (board(7, "A"), far)])
    found = find_boards(photo(picture), tags_of(7))
    assert [type(some) for some in found] == [FoundBoard, FoundBoard]
    assert [some.view.copy for some in found if isinstance(some, FoundBoard)] == ["B", "A"]
    for some, pose in zip(found, (near, far), strict=True):
        assert isinstance(some, FoundBoard)
        assert off_px(some.lens_view, pose) < 1.0


def test_boards_of_two_stages_are_told_apart() -> None:
    first, second = Pose((330.0, 480.0), scale=1.9, turn_deg=90), Pose((800.0, 470.0), scale=1.9, turn_deg=85)
    found = find_boards(photo(photograph([(board(3), first), (board(9), second)])), tags_of(3, 9))
    assert [some.view.stage_number for some in found if isinstance(some, FoundBoard)] == [9, 3]


@pytest.mark.parametrize("turn_deg", [90, 270])
def test_the_same_copy_twice_is_never_mixed_into_one_board(turn_deg: float) -> None:
    left, right = Pose((340.0, 480.0), scale=1.9, turn_deg=90), Pose((930.0, 480.0), scale=1.9, turn_deg=turn_deg)
    found = find_boards(photo(photograph([(board(7), left), (board(7), right)])), tags_of(7))
    assert len(found) == 2
    views = [some.lens_view for some in found if isinstance(some, FoundBoard)]
    assert len(views) == 2
    assert sorted(min(off_px(view, pose) for view in views) < 1.0 for pose in (left, right)) == [True, True]


def test_a_board_mostly_outside_the_picture_is_left_out_beside_a_whole_one() -> None:
    whole, cut = Pose((640.0, 600.0), scale=2.4), Pose((640.0, -20.0), scale=2.4)
    picture = photograph([(board(7), whole), (board(7, "B"), cut)])
    assert only(find_boards(photo(picture), tags_of(7))).view.copy == "A"


def test_trouble_with_one_board_leaves_the_other_its_result() -> None:
    first, second = Pose((640.0, 690.0), scale=2.0), Pose((640.0, 230.0), scale=2.0)
    found = find_boards(photo(photograph([(board(7), first), (board(9), second)])), tags_of(7))
    assert {type(some) for some in found} == {FoundBoard, BoardTrouble}
    trouble = next(some for some in found if isinstance(some, BoardTrouble))
    assert (trouble.stage_number, trouble.copy, trouble.known, trouble.fault.code) == (9, "A", False, "unknown-stage")


# ------------------------------------------------------------------------------------------------ refused


def test_an_unknown_stage_is_named_by_its_number() -> None:
    fault = fault_of(find_boards(photo(photograph([(board(23, "B"), Pose(MIDDLE))])), tags_of(7)))
    assert isinstance(fault, UnknownStage)
    assert "stage 23, copy B" in fault.message
    assert "--stages" in fault.hint


def test_two_markers_are_too_few_and_the_missing_ones_are_named() -> None:
    fault = fault_of(find_boards(photo(photograph([(board(7, without=(1, 2)), Pose(MIDDLE))])), tags_of(7)))
    assert isinstance(fault, NoBoard)
    assert "Found 2 of the 4" in fault.message
    assert "top right or bottom right" in fault.hint


def test_a_mirrored_picture_is_named_as_mirrored() -> None:
    picture = photograph([(board(7), Pose(MIDDLE, turn_deg=20))])
    for mirrored in (picture[:, ::-1], picture[::-1]):
        with pytest.raises(Mirrored, match="mirror"):
            find_boards(photo(mirrored), tags_of(7))


def test_a_board_too_small_to_judge_is_refused_with_its_place() -> None:
    pose = Pose(MIDDLE, scale=1.35)
    found = find_boards(photo(photograph([(board(7), pose)], noise=1)), tags_of(7))
    fault = fault_of(found)
    assert isinstance(fault, TooSmall)
    assert isinstance(found[0], BoardTrouble)
    assert found[0].view is not None
    assert found[0].view.scale_px_per_mm() == pytest.approx(1.35, abs=0.02)


def face(size_wh: tuple[int, int] = (1280, 960)) -> np.ndarray:
    picture = np.full((size_wh[1], size_wh[0], 3), (90, 120, 140), np.uint8)
    cv2.ellipse(picture, (640, 480), (260, 340), 0, 0, 360, (150, 180, 230), -1)
    for x in (540, 740):
        cv2.circle(picture, (x, 400), 40, (240, 240, 240), -1)
        cv2.circle(picture, (x, 400), 18, (40, 30, 20), -1)
    cv2.ellipse(picture, (640, 640), (110, 50), 0, 0, 180, (60, 60, 190), -1)
    return picture


def chequered(cell: int) -> np.ndarray:
    y, x = np.mgrid[:960, :1280] // cell
    return np.repeat((((x + y) % 2) * 200 + 30).astype(np.uint8)[..., None], 3, axis=2)


def scribble(seed: int) -> np.ndarray:
    """Random black and white squares at random: what a code could be seen in."""
    rng = np.random.default_rng(seed)
    return np.repeat(
        np.kron(rng.integers(0, 2, (60, 80)) * 255, np.ones((16, 16))).astype(np.uint8)[..., None], 3, axis=2
    )


@pytest.mark.parametrize(
    "picture",
    [
        np.zeros((960, 1280, 3), np.uint8),
        np.full((960, 1280, 3), 255, np.uint8),
        np.full((1, 1, 3), 9, np.uint8),
        np.full((3, 900, 3), 9, np.uint8),
        face(),
        chequered(12),
        chequered(40),
        scribble(1),
        scribble(2),
        np.random.default_rng(5).integers(0, 255, (960, 1280, 3), dtype=np.uint8),
    ],
    ids=[
        "black",
        "white",
        "one pixel",
        "a strip",
        "face",
        "tablecloth",
        "chessboard",
        "squares",
        "more squares",
        "noise",
    ],
)
def test_a_picture_without_a_board_is_refused_quickly(picture: np.ndarray) -> None:
    start = time.process_time()
    with pytest.raises(NoBoard, match=r"No board (in the picture|found)"):
        find_boards(photo(picture), lambda marker_id: tags_of(marker_id // 8 + 1)(marker_id))
    assert time.process_time() - start < 5.0


@pytest.mark.parametrize(
    ("fault", "light", "blur_px", "cure"),
    [("too dark", 0.0004, 0.6, "lamp"), ("too blurred", 1.0, 14.0, "still")],
)
def test_a_board_that_the_whole_picture_hides_is_told_why(fault: str, light: float, blur_px: float, cure: str) -> None:
    seen = photograph([(board(7), Pose(MIDDLE))], light=light, blur_px=blur_px, noise=1.0)
    with pytest.raises(NoBoard, match=f"the picture is {fault}") as refused:
        find_boards(photo(seen), tags_of(7))
    assert cure in refused.value.hint


def test_a_board_in_fog_is_told_of_too_little_contrast() -> None:
    seen = photograph([(board(7), Pose(MIDDLE))])
    fog = (0.015 * seen.astype(float) + 200).astype(np.uint8)
    with pytest.raises(NoBoard, match="too little contrast"):
        find_boards(photo(fog), tags_of(7))


def test_a_sharp_and_bright_picture_without_a_board_is_not_blamed_on_the_light() -> None:
    with pytest.raises(NoBoard, match="found none of its 4 corner markers"):
        find_boards(photo(photograph([])), tags_of(7))


def test_markers_in_the_wrong_corners_are_no_board() -> None:
    art = board(7)
    swapped = art.copy()
    swapped[:160, :180], swapped[:160, -180:] = art[:160, -180:], art[:160, :180]
    found = find_boards(photo(photograph([(swapped, Pose(MIDDLE))])), tags_of(7))
    assert isinstance(fault_of(found), NoBoard)


@pytest.mark.parametrize("orientation", [1, 3, 6, 8])
def test_markers_seen_while_the_photo_is_decoded_lead_to_the_same_board(orientation: int) -> None:
    bgr = whole_picture()
    stored = Image.fromarray(np.ascontiguousarray(np.rot90(bgr, {1: 0, 3: 2, 6: 1, 8: 3}[orientation])[..., ::-1]))
    about = Image.Exif()
    about[274] = orientation
    file = io.BytesIO()
    stored.save(file, "JPEG", quality=95, exif=about)
    first = first_look(file.getvalue())
    assert first is not None
    assert {tag.marker_id for tag in first} == {*range(first_id(1), first_id(1) + 4)}
    photo = decode(file.getvalue())
    early, late = (only(find_boards(photo, tags_of(1), None, seen)).view for seen in (first, None))
    assert np.abs(early.corners_px() - late.corners_px()).max() < 0.1


def whole_picture() -> np.ndarray:
    """A board in a picture (1512, 2016, 3) whose sides are whole multiples of two."""
    return photograph([(board(1), Pose((1008.0, 756.0), scale=5.5, turn_deg=4))], size_wh=(2016, 1512))


def test_what_is_no_jpeg_or_not_to_be_had_smaller_is_looked_at_later() -> None:
    picture = whole_picture()
    assert first_look(cv2.imencode(".png", picture)[1].tobytes()) is None
    assert first_look(cv2.imencode(".jpg", picture[:-1])[1].tobytes()) is None
    assert first_look(cv2.imencode(".jpg", picture)[1].tobytes()[:200]) is None
    assert first_look(b"") is None
