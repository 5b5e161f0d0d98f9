"""Boards without markers on the whole road, from a picture to its verdict."""

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from referee import pipeline, shelf
from referee.errors import UnknownDecision, WrongUsage
from referee.model import Decision, Stage
from referee.pipeline import judge, judge_boards
from referee.report.document import document
from referee.report.text import heading
from referee.rules.decisions import decisions_from_text
from referee.stage.catalogue import Catalogue
from referee.stage.render import artwork
from referee.vision.opencv import cv2
from referee.words import told
from tests.simulation.own_board import bare_stage, photographed, traced_stage
from tests.simulation.scenarios import drive
from tests.simulation.snapshot import Camera

SIZE = (1500, 1125)
CAMERA = Camera(size_wh=SIZE, tilt_deg=18, azimuth_deg=40, roll_deg=184)
EARLIER = Camera(size_wh=SIZE, tilt_deg=10, azimuth_deg=-20, roll_deg=177, falloff=0.4)
Picture = np.ndarray


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test reads what another, or the developer, has in the cache."""
    monkeypatch.setenv(shelf.CACHE_VARIABLE, str(tmp_path / "cache"))
    return tmp_path / "cache"


@cache
def bare(number: int = 1) -> Stage:
    return bare_stage(number)


@cache
def own() -> Stage:
    return traced_stage(bare())


@cache
def raced(number: int = 1) -> tuple[Picture, np.ndarray]:
    """A photo of a fair race, and the corners of the board in it."""
    return photographed(bare(number), drive(bare(number), "clean", 3, 2.5), CAMERA, 3)


@cache
def earlier() -> Picture:
    return photographed(bare(), None, EARLIER, 5)[0]


def folder_of(*stages: Stage, at: Path) -> Catalogue:
    """A catalogue of these stages alone."""
    at.mkdir()
    for stage in stages:
        (at / f"own-{stage.number}.svg").write_bytes(stage.svg)
    return Catalogue([at], builtin=False)


def test_a_board_is_known_by_its_artwork_and_judged(tmp_path: Path) -> None:
    report = judge(raced()[0], catalogue=folder_of(own(), bare(7), at=tmp_path / "stages"))
    assert report.judgement is not None
    assert report.stage is not None
    assert (report.judgement.verdict, report.judgement.accidents, report.stage.number) == ("fair", 0, 1)
    whole = document(report)
    assert whole["stage"] == {"number": 1, "name": own().name, "copy": None}
    assert whole["board"]["found_by"] == "artwork"
    assert np.abs(np.array(whole["board"]["corners_px"]) - raced()[1]).max() < 1.5


def test_the_corners_given_by_hand_are_enough() -> None:
    picture, corners = raced()
    clicked = corners + np.array([[3, -2], [-3, 2], [2, 3], [-2, -3]])
    report = judge(picture, bare(), corners_px=clicked)
    assert report.judgement is not None
    assert report.view is not None
    assert (report.judgement.verdict, report.view.found_by) == ("fair", "corners")
    assert np.abs(report.view.corners_px() - corners).max() < 1.5


@pytest.mark.parametrize("corners", [[(0, 0), (9, 9), (9, 0), (0, 9)], [(0, 0), (99, 0)], "corners", [(0, "a")] * 4])
def test_corners_that_make_no_sense_are_refused(corners: list[tuple[float, float]]) -> None:
    with pytest.raises(WrongUsage):
        judge(raced()[0], bare(), corners_px=corners)


def test_corners_without_a_stage_are_refused() -> None:
    with pytest.raises(WrongUsage, match="no stage"):
        judge(raced()[0], corners_px=raced()[1])


def test_a_board_that_is_none_of_those_known_is_refused_as_unknown(tmp_path: Path) -> None:
    report = judge(raced()[0], catalogue=folder_of(bare(7), bare(8), at=tmp_path / "stages"))
    assert report.failure is not None
    assert report.failure.code == "unknown-stage"
    assert "stages 7, 8" in report.failure.message
    assert report.stage is None


def test_a_picture_without_a_board_says_so_whatever_is_on_the_shelf(tmp_path: Path) -> None:
    noise = np.random.default_rng(1).normal(128, 40, (400, 500, 3)).clip(0, 255).astype(np.uint8)
    report = judge(noise, catalogue=folder_of(bare(7), at=tmp_path / "stages"))
    assert report.failure is not None
    assert report.failure.code == "no-board"


def test_the_stage_that_is_said_is_not_forced_on_another_board() -> None:
    failure = judge(raced()[0], bare(7)).failure
    assert failure is not None
    assert failure.code == "no-board"
    assert "stage 7" in failure.message
    assert "--corners" in failure.hint


def test_a_board_with_markers_is_named_where_another_is_said_to_be_there() -> None:
    stage = Catalogue().find(2)
    picture = np.ascontiguousarray(artwork(stage, "B", 4.0)[..., ::-1])
    framed = cv2.copyMakeBorder(picture, 60, 60, 60, 60, cv2.BORDER_CONSTANT, value=(90, 110, 120))
    failure = judge(framed, bare(7)).failure
    assert failure is not None
    assert failure.code == "unknown-stage"
    assert "2" in failure.message
    same = judge(framed, bare(2)).failure  # the same number, another print: nothing is judged by it
    assert same is None or same.code in ("no-board", "no-ink")


def test_where_markers_are_seen_no_artwork_is_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stage = Catalogue().find(2)
    picture = np.ascontiguousarray(artwork(stage, "A", 4.0)[..., ::-1])
    framed = cv2.copyMakeBorder(picture, 60, 60, 60, 60, cv2.BORDER_CONSTANT, value=(90, 110, 120))
    folder_of(bare(7), at=tmp_path / "stages")
    monkeypatch.setattr(pipeline, "find_by_artwork", lambda *_: pytest.fail("the artwork was looked at"))
    report = judge(framed, catalogue=Catalogue([tmp_path / "stages"]))
    assert report.view is not None
    assert report.view.found_by == "markers"


@cache
def two_copies() -> Picture:
    """Two boards of one stage, side by side, with the same race."""
    race = drive(bare(), "clean", 3, 2.5)
    cameras = [replace(CAMERA, size_wh=(1000, 800), roll_deg=roll) for roll in (2, 179)]
    return np.hstack([photographed(bare(), race, camera, 3)[0] for camera in cameras])


def test_two_boards_of_one_stage_are_judged_left_and_right(tmp_path: Path) -> None:
    reports = judge_boards(two_copies(), catalogue=folder_of(bare(), at=tmp_path / "stages"))
    assert sorted(document(report)["board"]["side"] for report in reports) == ["left", "right"]
    assert [report.judgement and report.judgement.verdict for report in reports] == ["fair", "fair"]
    assert sorted("left" in told(heading(report), "en") for report in reports) == [False, True]


def test_a_decision_says_which_of_two_boards_of_one_stage_it_is_about() -> None:
    way = document(judge_boards(two_copies(), stage=bare())[0])["path"][0]["points_mm"]
    lift = Decision("R4", "lift", tuple(way[len(way) // 2]), "yes", reason="I saw it.", who="Ann")
    with pytest.raises(UnknownDecision, match="side"):
        judge_boards(two_copies(), stage=bare(), decisions=[lift])
    reports = judge_boards(two_copies(), stage=bare(), decisions=[replace(lift, side="right")])
    decided = {document(report)["board"]["side"]: document(report) for report in reports}
    assert [len(decided[side]["decisions"]) for side in ("left", "right")] == [0, 1]
    assert [decided[side]["accidents"] for side in ("left", "right")] == [0, 1]
    copied = [one for _, one in decisions_from_text(json.dumps([decided["left"], decided["right"]]))]
    assert [one.side for one in copied] == ["right"]
    again = judge_boards(two_copies(), stage=bare(), decisions=copied)
    assert [len(document(report)["decisions"]) for report in again] == [
        len(document(report)["decisions"]) for report in reports
    ]


def test_a_baseline_is_the_better_print_of_a_board_of_ones_own() -> None:
    report = judge(raced()[0], own(), baseline=earlier())
    assert report.judgement is not None
    assert (report.judgement.verdict, report.judgement.gadgets) == ("fair", ())
    drawn = pipeline.Baseline(earlier(), None).of(own(), judge(raced()[0], own()).view)  # type: ignore[arg-type]
    reference = artwork(own(), None, 6.0).astype(float)
    true = artwork(bare(), None, 6.0).astype(float)
    assert drawn.print_.rgb.shape == reference.shape
    assert _unlike(drawn.print_.rgb, true) < 0.12
    assert not np.array_equal(drawn.print_.rgb, artwork(own(), None, 6.0))


def _unlike(one: np.ndarray, other: np.ndarray) -> float:
    """1 less the correlation of two pictures."""
    return 1 - float(np.corrcoef(one.mean(2).ravel(), other.mean(2).ravel())[0, 1])


def test_what_is_known_of_a_board_is_kept_between_runs(own_cache: Path) -> None:
    shelf._KNOWN.clear()
    shelf._SHELVES.clear()
    stage = replace(bare(), svg=bare().svg + b"<!-- once -->")
    first = shelf.shelf_of(Catalogue(builtin=False), stage)
    (file,) = (own_cache / "boards").iterdir()
    shelf._KNOWN.clear()
    shelf._SHELVES.clear()
    again = shelf.shelf_of(Catalogue(builtin=False), stage)
    assert np.array_equal(again.known[0].features.looks, first.known[0].features.looks)
    file.write_bytes(b"spoilt")
    shelf._KNOWN.clear()
    shelf._SHELVES.clear()
    assert len(shelf.shelf_of(Catalogue(builtin=False), stage).known[0].features) == len(first.known[0].features)
    assert file.read_bytes() != b"spoilt"


def test_a_cache_that_cannot_be_written_costs_only_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    monkeypatch.setenv(shelf.CACHE_VARIABLE, str(tmp_path / "file"))
    stage = replace(bare(), svg=bare().svg + b"<!-- twice -->")
    assert len(shelf.shelf_of(Catalogue(builtin=False), stage).known) == 1


def test_a_stage_file_that_is_broken_hinders_no_other(tmp_path: Path) -> None:
    catalogue = folder_of(bare(), at=tmp_path / "stages")
    (tmp_path / "stages" / "draft.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" width="297mm" height="210mm" viewBox="0 0 297 210" data-stage="9"/>',
        encoding="utf-8",
    )
    assert [file.number for file in catalogue.unmarked()] == [1, 9]
    assert shelf.shelf_of(catalogue, None).numbers == (1,)
