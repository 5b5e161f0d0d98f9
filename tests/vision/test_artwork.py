"""Boards without markers, known by their artwork: made-up boards, photographed by the quick camera."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from referee.errors import TooSmall
from referee.model import BoardView, Photo
from referee.vision.artwork.by_hand import board_at
from referee.vision.artwork.find import Shelf, find_by_artwork
from referee.vision.artwork.known import Known
from referee.vision.find import BoardTrouble
from tests.simulation.artworks import SIZE_MM, board_art, hand_held, inked, photo_of
from tests.simulation.recognise import Case as PhotoCase
from tests.simulation.recognise import Glimpse, false_matches, recognised, views
from tests.simulation.snapshot import Camera, projected

BOARDS = 6
CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]) * SIZE_MM
SMALL = (1000, 750)


@cache
def known(seed: int, twofold: bool = False) -> Known:
    return Known.of(board_art(seed, twofold), SIZE_MM)


@cache
def shelf() -> Shelf:
    return Shelf(tuple(range(1, BOARDS + 1)), tuple(known(seed) for seed in range(BOARDS)))


@cache
def photo(seed: int) -> tuple[Photo, np.ndarray]:
    """A photo of a raced board and the corners of the board in it."""
    bgr, plane = photo_of(inked(board_art(seed), seed), hand_held(seed, SMALL), seed)
    return Photo(bgr, f"{seed}.jpg"), projected(plane, CORNERS)


def only(found: tuple[object, ...]) -> BoardView:
    (board,) = found
    view: BoardView | None = getattr(board, "view", None)
    assert view is not None
    return view


@pytest.mark.parametrize("seed", range(3))
def test_a_board_is_known_by_its_artwork_however_it_is_turned(seed: int) -> None:
    picture, corners = photo(seed)
    view = only(find_by_artwork(picture, shelf()))
    assert (view.stage_number, view.copy, view.found_by, view.side) == (seed + 1, None, "artwork", None)
    assert np.abs(view.corners_px() - corners).max() < 3.0


def test_a_board_that_is_none_of_those_on_the_shelf_is_not_forced_to_be_one() -> None:
    others = Shelf((2, 3, 4), tuple(known(seed) for seed in (1, 2, 3)))
    assert find_by_artwork(photo(0)[0], others) == ()


def test_no_wrong_board_matches_though_they_share_their_signs() -> None:
    boards = {str(seed + 1): known(seed) for seed in range(BOARDS)}
    photos = [Glimpse.of(photo(seed)[0], str(seed + 1)) for seed in range(3)]
    assert false_matches(boards, photos) == (0, 3 * (BOARDS - 1))


def test_a_picture_without_anything_shows_no_board() -> None:
    assert find_by_artwork(Photo(np.full((300, 400, 3), 90, np.uint8), "grey"), shelf()) == ()
    assert find_by_artwork(Photo(np.full((4, 4, 3), 90, np.uint8), "dot"), shelf()) == ()


def test_an_empty_shelf_finds_nothing() -> None:
    assert find_by_artwork(photo(0)[0], Shelf((), ())) == ()


@pytest.mark.parametrize("roll_deg", [0.0, 180.0])
def test_a_board_that_looks_much_the_same_either_way_up_is_told_by_what_differs(roll_deg: float) -> None:
    twofold = known(9, True)
    assert twofold.is_twofold
    assert not known(0).is_twofold
    camera = Camera(size_wh=SMALL, roll_deg=roll_deg + 5)
    bgr, plane = photo_of(inked(board_art(9, twofold=True), 9), camera, 9)
    view = only(find_by_artwork(Photo(bgr, "twofold"), Shelf((1, 2), (known(0), twofold))))
    assert view.stage_number == 2
    assert np.abs(view.corners_px() - projected(plane, CORNERS)).max() < 3.0


def test_two_boards_of_one_stage_are_two_results_left_and_right() -> None:
    left, right = (photo_of(inked(board_art(2), seed), Camera(size_wh=(700, 600)), seed)[0] for seed in (2, 3))
    both = Photo(np.hstack([left, right]), "both")
    found = views(find_by_artwork(both, shelf()))
    assert sorted((view.side, view.stage_number) for view in found) == [("left", 3), ("right", 3)]
    (one,) = (view for view in found if view.side == "left")
    assert one.corners_px()[:, 0].max() < 700


def test_boards_of_two_stages_in_one_picture_need_no_sides() -> None:
    pictures = [photo_of(board_art(seed), Camera(size_wh=(700, 600)), seed)[0] for seed in (0, 1)]
    found = views(find_by_artwork(Photo(np.hstack(pictures), "both"), shelf()))
    assert sorted((view.stage_number, view.side) for view in found) == [(1, None), (2, None)]


def test_a_board_too_small_to_judge_says_so() -> None:
    bgr, _ = photo_of(board_art(1), Camera(size_wh=(500, 400), fill=0.75), 1)
    (board,) = find_by_artwork(Photo(bgr, "small"), shelf())
    assert isinstance(board, BoardTrouble)
    assert isinstance(board.fault, TooSmall)


def test_corners_by_hand_are_put_right_by_the_artwork() -> None:
    picture, corners = photo(1)
    clicked = corners + np.random.default_rng(1).uniform(-4, 4, (4, 2))
    view = only((board_at(picture, Shelf((2,), (known(1),)), clicked),))
    assert view.found_by == "corners"
    assert np.abs(view.corners_px() - corners).max() < 2.0


def test_corners_by_hand_stand_where_the_artwork_cannot_be_told() -> None:
    picture, corners = photo(1)
    blank = Photo(np.full_like(picture.bgr, 120), "blank")
    view = only((board_at(blank, Shelf((2,), (known(1),)), corners),))
    assert np.abs(view.corners_px() - corners).max() < 0.01


def test_corners_on_another_board_are_not_dragged_away() -> None:
    picture, corners = photo(1)
    view = only((board_at(picture, Shelf((3,), (known(2),)), corners),))
    assert np.abs(view.corners_px() - corners).max() < 0.01


def test_what_is_known_of_a_board_comes_back_from_its_file() -> None:
    again = Known.from_bytes(known(3).to_bytes())
    assert again is not None
    assert np.array_equal(again.features.looks, known(3).features.looks)
    assert again.size_mm == SIZE_MM


@pytest.mark.parametrize("spoil", [(0, 0), (0, 5000), (99, None)], ids=["empty", "cut off", "no head"])
def test_a_damaged_file_is_as_good_as_none(spoil: tuple[int, int | None]) -> None:
    assert Known.from_bytes(known(3).to_bytes()[slice(*spoil)]) is None


def test_the_votes_name_the_board_among_the_first() -> None:
    for seed in range(3):
        votes = shelf().index.votes(Glimpse.of(photo(seed)[0], "").features)
        assert seed in np.argsort(-votes)[:3]


def test_the_developers_command_counts_what_is_missed(capsys: pytest.CaptureFixture[str]) -> None:
    picture, corners = photo(0)
    cases = [PhotoCase(picture, 1, corners), PhotoCase(replace(picture, source="wrong"), 2, corners)]
    errors, missed, seen = recognised(shelf(), iter(cases))
    assert (len(errors), missed, len(seen)) == (1, 1, 2)
    assert "wrong: board 2 taken for [1]" in capsys.readouterr().out
