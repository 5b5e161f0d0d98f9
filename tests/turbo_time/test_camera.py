"""What a photo of carts or of a trick shows: what is read is right, and what is not sure is asked."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from referee.cli import main
from referee.errors import Mirrored
from referee.turbo_time.art.tiles import TILE_MM
from referee.turbo_time.camera.carts import CartsSeen
from referee.turbo_time.camera.look import About, Players, look, players_of, toys_of
from referee.turbo_time.camera.pieces import Piece as Read
from referee.turbo_time.camera.rows import between_mm, reading_order, rows_of
from referee.turbo_time.camera.trick import TrickSeen
from referee.turbo_time.faults import BadNotation, NothingSeen
from referee.turbo_time.markers import card_marker, toy_marker
from tests.simulation.snapshot import Camera, snapshot
from tests.turbo_time import laid, photograph
from tests.turbo_time.laid import Laid, Piece
from tests.turbo_time.photograph import verdict_of

Rgb = NDArray[np.uint8]
T, U, L, G, D = (toy_marker(toy) for toy in ("turbo-man", "tubro-man", "lottery-ball", "gift-certificate", "dementor"))
M, M2, M3, M4 = (toy_marker("demon", nth) for nth in range(4))
B, B2, B3, B4, B5, B6, B7 = (toy_marker("booster", nth) for nth in range(7))
TWO = ((T, B, M, L, B2, B3, M2), (D, U, B4, B5, M3, G, M4))
"""The end of a game of two."""


def row(markers: Sequence[int], y: float = 0.0, step: float = 50.0, x: float = 0.0) -> tuple[Piece, ...]:
    """Toys side by side."""
    return tuple(Piece(marker, (x + step * at, y)) for at, marker in enumerate(markers))


def two_carts(**changed: object) -> Laid:
    return replace(Laid((row(TWO[0]), row(TWO[1], 130))), **changed)  # type: ignore[arg-type]


@cache
def shown(table: Laid, width: int = 1200) -> Rgb:
    """A photo of a table (BGR)."""
    camera = Camera(size_wh=(width, width * 3 // 4), tilt_deg=15, azimuth_deg=30, roll_deg=4, noise=0.006)
    return snapshot(laid.table_drawn(table), table.size_mm, camera, np.random.default_rng(table.seed))[0]


def png(picture: Rgb) -> bytes:
    return cv2.imencode(".png", picture, [cv2.IMWRITE_PNG_COMPRESSION, 1])[1].tobytes()


def seen_carts(
    table: Laid, players: int | None = None, toys: int | None = None, names: tuple[str, ...] = ()
) -> CartsSeen:
    seen = look(png(shown(table)), "carts", Players(players, names), toys)
    assert isinstance(seen, CartsSeen)
    return seen


def seen_trick(table: Laid, players: int | None = None) -> TrickSeen:
    seen = look(png(shown(table, width=700)), "trick", Players(players))
    assert isinstance(seen, TrickSeen)
    return seen


def kinds(seen: CartsSeen | TrickSeen) -> set[str]:
    return {question.kind for question in seen.questions}


@cache
def photo_of_two() -> bytes:
    return png(shown(two_carts()))


# ----------------------------------------------------------------------------------------- carts


def test_the_carts_of_a_whole_game_are_read_and_their_points_are_certain() -> None:
    seen = look(photo_of_two(), None, Players(2))
    assert isinstance(seen, CartsSeen)
    assert [cart.letters for cart in seen.carts] == ["tbmlbbm", "dubbmgm"]
    assert [score.points for score in seen.result.scores] == [10 + 8 + 10 + 9, 5 - 5 + 6 + 10 + 4]
    assert (seen.certain, seen.result.winners) == (True, (0,))


def test_how_many_play_is_asked_if_nobody_says_it() -> None:
    seen = look(photo_of_two())
    assert kinds(seen) == {"players"}


def test_a_cart_seen_from_across_is_read_as_its_owner_sees_it() -> None:
    turned = tuple(replace(piece, turn_deg=180) for piece in row(TWO[0]))
    seen = seen_carts(Laid((turned, row(TWO[1], 130))), 2)
    assert (seen.carts[0].letters, seen.carts[0].read_by, seen.certain) == ("mbblmbt", "toys", True)


def test_toys_turned_every_way_are_read_as_in_the_picture() -> None:
    turned = tuple(replace(p, turn_deg=90.0 * at, at_mm=(60.0 * at, 0)) for at, p in enumerate(row(TWO[0][:4])))
    seen = seen_carts(Laid((turned,)), 2, toys=4)
    assert (seen.carts[0].letters, seen.carts[0].read_by) == ("tbml", "picture")


def test_a_toy_face_down_is_missed_and_asked_for_where_it_lies() -> None:
    table = two_carts()
    down = tuple(replace(piece, up=at != 3) for at, piece in enumerate(table.groups[1]))
    seen = seen_carts(Laid((table.groups[0], down)), 2)
    assert kinds(seen) == {"carts", "toys-missing", "gap"}
    assert next(question.at_px for question in seen.questions if question.kind == "gap") is not None


def test_a_toy_face_down_at_the_end_is_asked_for_and_the_points_are_not_certain() -> None:
    table = two_carts()
    down = tuple(replace(piece, up=at != 6) for at, piece in enumerate(table.groups[1]))
    seen = seen_carts(Laid((table.groups[0], down)), 2)
    assert kinds(seen) == {"toys-missing", "at-end"}
    assert not seen.certain


def test_a_cart_whose_only_toy_lies_face_down_is_seen_as_something_square() -> None:
    table = Laid((row(TWO[0]), row(TWO[1], 130), (replace(row((B7,), 260)[0], up=False),)))
    assert kinds(seen_carts(table)) == {"players", "alone"}
    assert kinds(seen_carts(table, 3)) == {"carts", "toys-missing", "alone"}


def test_fewer_toys_are_certain_if_somebody_counts_them() -> None:
    table = Laid((row((T, B)), row((M, G, B2), 130)))
    assert kinds(seen_carts(table, 2)) == {"toys-missing"}
    assert seen_carts(table, 2, toys=5).certain
    assert kinds(seen_carts(table, 2, toys=4)) == {"toys-over"}


def test_the_same_toy_twice_is_asked_about() -> None:
    assert "twice" in kinds(seen_carts(Laid((row((T, B)), row((M, G, B), 130))), 2, toys=5))


def test_a_cart_of_eight_is_asked_about_for_nobody_takes_so_many() -> None:
    table = Laid((row((*TWO[0], B6)), row(TWO[1][:6], 130)))
    assert kinds(seen_carts(table, 2)) == {"long"}


def test_carts_that_nearly_touch_are_asked_about() -> None:
    assert "too-close" in kinds(seen_carts(Laid((row((T, B)), row((M, G, B2), TILE_MM + 23))), 2, toys=5))
    assert "no-row" in kinds(seen_carts(Laid((row((T, B)), row((M, G, B2), TILE_MM + 6))), 2, toys=5))


def test_names_are_given_to_carts_only_where_it_is_clear_which_is_whose() -> None:
    clear = Laid((row((T, B)), row((M, G, B2), 130)))
    assert seen_carts(clear, 2, toys=5, names=("Ann", "Ben")).certain
    between = Laid((row((T, B), x=220), row((M, G, B2), TILE_MM * 0.95)))
    assert kinds(seen_carts(between, 2, toys=5, names=("Ann", "Ben"))) == {"whose"}


# ----------------------------------------------------------------------------------------- a trick


def trick_of(*cards: int) -> Laid:
    return Laid(tuple((Piece(card_marker(card), (75.0 * at, 0)),) for at, card in enumerate(cards)))


def test_powers_go_from_the_highest_card_and_the_two_highest_take() -> None:
    seen = seen_trick(trick_of(7, 31, 22), 3)
    assert [seen.cards[at].card for at in seen.order] == [31, 22, 7]
    assert [seen.cards[at].card for at in seen.takes] == [31, 22]
    assert seen.certain


def test_both_of_two_players_take() -> None:
    seen = seen_trick(trick_of(7, 31), 2)
    assert (len(seen.takes), seen.certain) == (2, True)


def test_a_card_too_few_or_too_many_is_asked_about_and_how_many_play() -> None:
    table = trick_of(7, 31, 22)
    assert kinds(seen_trick(table, 4)) == {"cards-missing"}
    assert kinds(seen_trick(table, 2)) == {"cards-over"}
    assert kinds(seen_trick(table)) == {"players"}


def test_the_same_card_twice_is_asked_about() -> None:
    assert kinds(seen_trick(trick_of(7, 31, 31), 3)) == {"twice"}


# ----------------------------------------------------------------------------------------- pictures that show nothing


def looked(picture: Rgb, about: About | None = None) -> None:
    look(png(picture), about, Players(2))


def test_a_picture_without_pieces_says_what_is_wrong_with_it() -> None:
    picture = shown(trick_of(7, 31), width=700)
    with pytest.raises(NothingSeen, match="too dark"):
        looked(picture // 40)
    with pytest.raises(NothingSeen, match="blurred"):
        looked(np.asarray(cv2.GaussianBlur(picture, (0, 0), 12), np.uint8))
    with pytest.raises(NothingSeen, match="contrast"):
        looked(np.full((300, 400, 3), 128, np.uint8))
    with pytest.raises(NothingSeen, match="cards in the picture, but no toys"):
        looked(picture, "carts")
    with pytest.raises(Mirrored):
        looked(np.ascontiguousarray(picture[:, ::-1]))


def test_markers_of_no_toy_and_no_card_are_told_as_that() -> None:
    book = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_ARUCO_MIP_36h12)
    strange = np.pad(cv2.aruco.generateImageMarker(book, 3, 80), 150, constant_values=255)
    with pytest.raises(NothingSeen, match="of no toy and no card"):
        looked(np.asarray(cv2.cvtColor(strange, cv2.COLOR_GRAY2BGR), np.uint8))


def test_toys_and_cards_in_one_picture_want_a_word() -> None:
    table = Laid(((Piece(card_marker(3), (0, 0)),), (Piece(T, (90, 0)),)))
    with pytest.raises(NothingSeen, match="toys and cards"):
        looked(shown(table, width=700))


# ----------------------------------------------------------------------------------------- rows and order


def read(marker: int, x: float, y: float, turn_deg: float = 0.0) -> Read:
    return Read(marker, Piece(marker, (x, y), turn_deg).outline_mm())


def test_a_curved_row_is_one_and_a_corner_is_none() -> None:
    curved = rows_of([read(B, 52 * at, 0.0015 * (52 * at) ** 2) for at in range(5)])
    assert [(len(one.tiles), one.straight) for one in curved] == [(5, True)]
    corner = rows_of([read(B, 0, 0), read(M, 50, 0), read(T, 50, 50)])
    assert [one.straight for one in corner] == [False]


def test_table_between_toys_is_measured_from_edge_to_edge() -> None:
    assert between_mm(read(B, 0, 0), read(M, 60, 0)) == pytest.approx(60 - TILE_MM)
    assert between_mm(read(B, 0, 0), read(M, 60, 0, 45)) == pytest.approx(60 - TILE_MM / 2 * (1 + 2**0.5))
    assert between_mm(read(B, 0, 0), read(M, 10, 5)) == 0


def test_what_is_level_is_read_from_left_to_right() -> None:
    spots = [np.array(spot, float) for spot in ((100, 0), (0, 10), (50, 200))]
    assert reading_order(spots, 46.0) == ([1, 0, 2], True)
    assert reading_order([np.array([100.0, 0.0]), np.array([0.0, 35.0])], 46.0)[1] is False


# ----------------------------------------------------------------------------------------- whole tables


@pytest.mark.parametrize(("about", "number"), [("carts", 1), ("carts", 7), ("trick", 2), ("trick", 4)])
def test_random_tables_are_never_read_wrong(about: About, number: int, tmp_path: Path) -> None:
    photograph.photograph(tmp_path, about, number, photograph.Studio())
    truth = json.loads((tmp_path / "truth.json").read_text())
    verdict, _ = verdict_of((tmp_path / "photo.jpg").read_bytes(), truth)
    assert verdict == ("asked" if truth["unseen"] else "right")


# ----------------------------------------------------------------------------------------- the command


def run(capsys: pytest.CaptureFixture[str], folder: Path, content: bytes, *words: str) -> tuple[int, str, str]:
    (folder / "photo.png").write_bytes(content)
    status = main(["turbo-time", "look", str(folder / "photo.png"), *words])
    said = capsys.readouterr()
    return status, said.out, said.err


def test_points_and_winner_are_told(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    status, out, _ = run(capsys, tmp_path, photo_of_two(), "--players", "Ann,Ben")
    assert status == 0
    assert out.startswith("Ann: 37 points\n  1 Turbo Man             10\n")
    assert ": Turbo Man, Booster, Demon, Lottery Ball, Booster, Booster, Demon\n" in out
    assert out.endswith("Ann wins.\n")


def test_a_question_is_told_in_french_with_its_cure_and_nobody_wins(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    status, out, _ = run(capsys, tmp_path, photo_of_two(), "--language", "fr")
    assert (status, out.splitlines()[0]) == (0, "Chariot 1\u00a0: 37 points")
    assert out.endswith(
        "Qui gagne n'est pas sûr\u00a0:\n? Combien jouent\u00a0? On voit 2 chariots.\n  Dites-le\u00a0: --players 3.\n"
    )
    told = json.loads(run(capsys, tmp_path, photo_of_two(), "--json")[1])
    assert (told["certain"], told["winners"], told["carts"][0]["points"]) == (False, None, 37)
    assert told["asked"][0]["kind"] == "players"


def test_the_order_of_powers_is_told(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    photo = png(shown(trick_of(7, 31, 22), width=700))
    _, out, _ = run(capsys, tmp_path, photo, "--players", "Ann,Ben,Cleo")
    assert [line.split("(")[-1] for line in out.splitlines()[1:4]] == ["Ben)", "Cleo)", "Ann)"]
    assert out.endswith("A toy goes to: Ben and Cleo.\n")
    told = json.loads(run(capsys, tmp_path, photo, "--players", "3", "--json")[1])
    assert (told["powers"], told["takes"]) == ([31, 22, 7], [31, 22])


def test_a_photo_that_shows_nothing_ends_in_status_3(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    status, out, err = run(capsys, tmp_path, png(np.zeros((90, 120, 3), np.uint8)), "--json")
    assert (status, json.loads(out)["failure"]["code"]) == (3, "nothing-seen")
    assert "too dark" in err
    assert run(capsys, tmp_path, b"no picture at all")[0] == 3


def test_who_plays_is_a_number_or_names() -> None:
    assert players_of("3") == Players(3)
    assert players_of("Ann, Ben") == Players(2, ("Ann", "Ben"))
    for odd in ("1", "5", "Ann", "Ann,Ann", "Ann,", "A,B,C,D,E", "", "Ann,\x1b[1mBen"):
        with pytest.raises(BadNotation):
            players_of(odd)
    with pytest.raises(BadNotation):
        toys_of(17)
