"""Gadgets in a race: drawn by the opponents, photographed before the start, found or reported, known again after it."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from referee.model import Copy
from referee.stage.load import load_stage
from referee.stage.render import artwork
from tests.service.at_the_race import MASTERS, Game, time_flies  # noqa: F401  the fixture
from tests.service.conftest import Visitor
from tests.simulation.hand import Race
from tests.simulation.paint import Marker, Rgb, drawn_on, texture
from tests.simulation.scenarios import drive
from tests.simulation.snapshot import Camera, snapshot

Work = Callable[[], int]
STAGE = 1
PX_PER_MM = 8.0
BEFORE = Camera(size_wh=(1800, 1350), tilt_deg=14, azimuth_deg=200, roll_deg=-8, noise=0.005)
AFTER = Camera(size_wh=(1800, 1350), tilt_deg=12, azimuth_deg=20, roll_deg=3, noise=0.005)


class Board:
    """One team's board with the gadget that the opponents have drawn, and the pictures of it."""

    def __init__(self, copy: Copy, scenario: str, **asked: Any) -> None:
        self.stage = load_stage(Path(__file__).parents[2] / "stage_masks" / f"stage-{STAGE:02}.svg")
        self.clean: Rgb = artwork(self.stage, copy, PX_PER_MM)
        self.race: Race = drive(self.stage, scenario, seed=4, width_mm=2.4, **asked)

    def drawn(self) -> Rgb:
        return drawn_on(self.clean, self.race.gadgets, "red", np.random.default_rng(3), self.stage.size_mm)

    def before(self) -> bytes:
        """The board with its gadget, before the race."""
        return self._taken(self.drawn(), BEFORE)

    def wiped(self) -> bytes:
        """The board without anything on it."""
        return self._taken(self.clean, BEFORE)

    def after(self) -> bytes:
        """The board after the race."""
        raced = texture(
            self.drawn(), self.race.strokes, Marker("blue"), [], np.random.default_rng(1), self.stage.size_mm
        )
        return self._taken(raced, AFTER)

    def _taken(self, board: Rgb, camera: Camera) -> bytes:
        shot: NDArray[np.uint8] = np.asarray(
            snapshot(board, self.stage.size_mm, camera, np.random.default_rng(2))[0], dtype=np.uint8
        )
        return bytes(cv2.imencode(".jpg", shot)[1].tobytes())


@pytest.fixture(scope="module")
def rope_on_a() -> Board:
    """Team B's clothesline on the board of team A, jumped as it should be."""
    return Board("A", "rope", how="jumped")


@pytest.fixture
def game(client: Visitor) -> Game:
    """A race at its boards: team A has the nitro, team B the clothesline."""
    game = Game(client, **MASTERS).say("choose-stage", team="B", stage=STAGE)
    return game.say("take-car", team="A", car="nitro").say("take-car", team="B", car="clothesline")


WHOLE_WH = (1188, 840)
"""The size of a board's picture, in pixels."""


def size_wh(content: bytes) -> tuple[int, int]:
    with Image.open(io.BytesIO(content)) as picture:
        return picture.size


def lane(game: Game, team: str) -> dict[str, Any]:
    lane: dict[str, Any] = game.look().heat["lanes"][team]
    return lane


def test_a_rope_is_found_before_the_start_and_known_again_after_the_race(
    client: Visitor, work: Work, game: Game, rope_on_a: Board
) -> None:
    assert (lane(game, "A")["gadget"], lane(game, "B")["gadget"]) == ("clothesline", None)
    assert game.refused("count-down", a=0, b=0) == "unseen"
    game.photo("boards", "A", rope_on_a.before())
    assert "looks at the board" in game.page()
    work()
    seen = lane(game, "A")
    assert seen["board"] == "ready"
    assert [(one["kind"], one["fault"]) for one in seen["look"]["found"]] == [("clothesline", "")]
    picture = client.get(seen["look"]["picture"])
    assert (picture.mimetype, size_wh(picture.data)) == ("image/jpeg", WHOLE_WH)
    assert seen["look"]["picture"] in game.page()
    game.raced("A").photo("photos", "A", rope_on_a.after())
    work()
    call = lane(game, "A")["call"]
    assert (call["verdict"], call["accidents"], call["by"]) == ("fair", 0, "picture")
    assert game.heat["award"]["winner"] == "A"
    report = client.get(f"/api/checks/{lane(game, 'A')['check']}/boards/1").json or {}
    assert [gadget["id"] for gadget in report["gadgets"]] == ["clothesline-1"]


def test_without_a_picture_from_before_a_person_says_how_it_was(work: Work, game: Game, rope_on_a: Board) -> None:
    game.say("board-vouched", team="A").raced("A").photo("photos", "A", rope_on_a.after())
    work()
    assert lane(game, "A")["call"]["verdict"] == "review"  # the rope's ink might be the race's
    assert "No photo from before the start shows the gadget" in game.page()
    game.say("agreed", team="A", accidents=0)
    assert game.heat["award"]["winner"] == "A"
    assert lane(game, "A")["call"]["by"] == "honour"


def test_a_rope_that_does_not_reach_its_line_is_reported_with_the_picture(
    client: Visitor, work: Work, game: Game
) -> None:
    short = Board("A", "rope", how="jumped", short=6.0)
    game.photo("boards", "A", short.before())
    work()
    seen = lane(game, "A")
    assert seen["board"] == "misplaced"
    [found] = seen["look"]["found"]
    assert "does not reach" in found["fault"]
    assert game.refused("count-down", a=0, b=0) == "misplaced"
    page = game.page()
    assert found["fault"] in page
    assert seen["look"]["picture"] in page
    assert "what is wrong, close up" in page
    drawn = size_wh(client.get(seen["look"]["picture"]).data)
    assert drawn[1] == WHOLE_WH[1] + WHOLE_WH[0] // 2  # a close-up as wide as half the board stands below it
    french = client.client.get(game.api, headers={"Accept-Language": "fr"}).get_json()
    assert french["heats"][0]["lanes"]["A"]["look"]["found"][0]["fault"] not in ("", found["fault"])
    game.say("board-vouched", team="A")  # the players agree that it stays
    assert game.raced("A").at["phase"] == "crossed"


def test_a_board_on_which_nothing_is_drawn_lacks_its_gadget(work: Work, game: Game, rope_on_a: Board) -> None:
    game.photo("boards", "A", rope_on_a.wiped())
    work()
    assert lane(game, "A")["board"] == "no-gadget"
    assert "The gadget is not on the board" in game.page()


def test_a_gadget_that_nobody_has_and_a_raced_board_are_noticed(work: Work, game: Game, rope_on_a: Board) -> None:
    game.photo("boards", "B", Board("B", "mine").before())
    game.photo("boards", "A", rope_on_a.after())
    work()
    assert lane(game, "B")["board"] == "strange-gadget"
    assert lane(game, "A")["board"] == "not-wiped"


def test_the_wrong_copy_and_what_is_no_picture_say_nothing_about_a_board(
    work: Work, game: Game, rope_on_a: Board
) -> None:
    game.photo("boards", "B", rope_on_a.before())
    work()
    assert lane(game, "B")["board"] == "unseen"
    assert "copy B" in lane(game, "B")["look"]["message"]
    game.photo("boards", "B", b"no picture")
    work()
    assert lane(game, "B")["board"] == "unseen"
    assert lane(game, "B")["look"]["message"]
    assert lane(game, "B")["look"]["picture"] is None


def test_a_clean_board_of_another_stage_is_told_to_be_one(work: Work, game: Game, rope_on_a: Board) -> None:
    game.say("choose-stage", team="B", stage=2).photo("boards", "A", rope_on_a.wiped())
    work()
    assert lane(game, "A")["board"] == "other-stage"
