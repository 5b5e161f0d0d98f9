"""Visits in a real browser: a board is photographed, laid flat, traced by mouse, finger and keys, driven and saved.

The photo is one of a built-in stage's artwork without its markers; the hand that traces it is off by a millimetre.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from referee.model import Floats, Stage
from referee.service.app import create_app
from referee.service.settings import Settings
from referee.stage.catalogue import Catalogue
from referee.stage.course import along
from referee.stage.load import load_stage
from referee.stage.render import artwork
from tests.service.conftest import house, served_with_a_worker
from tests.service.test_visits import LAPTOP, PATIENCE_MS, PHONE, Visit, visiting
from tests.simulation.photograph import without_markers
from tests.simulation.snapshot import Camera, snapshot

STAGE = 1
PX_PER_MM = 8.0
SHAKY_MM = 0.8
TAP_EVERY_MM = 24.0
CLEAN, RACED = Camera((2000, 1500), tilt_deg=12, azimuth_deg=40, roll_deg=3), Camera((2000, 1500), 18, -60, -4)


@pytest.fixture(scope="module")
def stage() -> Stage:
    return Catalogue().find(STAGE)


@pytest.fixture(scope="module")
def photos(stage: Stage, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A photo of the clean board, and one of the same board after a race along the middle of its road."""
    folder = tmp_path_factory.mktemp("photos")
    clean = artwork(replace(stage, svg=without_markers(stage.svg)), None, PX_PER_MM)
    raced = clean.copy()
    path = np.rint(driven(stage)[0] * PX_PER_MM * 16).astype(np.int32)
    cv2.polylines(raced, [path], False, (25, 25, 30), round(2.4 * PX_PER_MM), cv2.LINE_AA, 4)
    paths = folder / "clean.jpg", folder / "raced.jpg"
    for picture, camera, file in ((clean, CLEAN, paths[0]), (raced, RACED, paths[1])):
        seen, _ = snapshot(picture, stage.size_mm, camera, np.random.default_rng(5))
        cv2.imwrite(str(file), seen)
    return paths


def driven(stage: Stage) -> list[Floats]:
    """A drive along the course, a stroke for each of its pieces."""
    way = along(stage.course)
    first = way.place_of(stage.start.centroid)
    return [way.points_mm[(way.piece == n) & (way.arc_mm >= first)][::6] for n in range(len(stage.course))]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Settings]]:
    settings = Settings(tmp_path_factory.mktemp("boards"))
    app = create_app(settings)
    with served_with_a_worker(app) as address:
        yield address, settings
    house(app).store.close()


@pytest.fixture(params=[("phone", PHONE), ("laptop", LAPTOP)], ids=["phone", "laptop"])
def visit(request: pytest.FixtureRequest, browser: Browser, served: tuple[str, Settings]) -> Iterator[Visit]:
    name, device = request.param
    with visiting(browser, served[0], device, f"board-{name}", 60_000) as begun:
        yield begun


class Tracer:
    """Somebody at the tracing page."""

    def __init__(self, visit: Visit, size_mm: tuple[float, float]) -> None:
        self.visit, self.page, self.size_mm = visit, visit.page, size_mm
        self.board = self.page.locator("svg.tracing")

    def at(self, x_mm: float, y_mm: float) -> tuple[float, float]:
        """A place of the board on the screen."""
        self.board.scroll_into_view_if_needed()
        box = self.board.bounding_box()
        assert box is not None
        scale = min(box["width"] / self.size_mm[0], box["height"] / self.size_mm[1])
        left = box["x"] + (box["width"] - scale * self.size_mm[0]) / 2
        top = box["y"] + (box["height"] - scale * self.size_mm[1]) / 2
        return left + x_mm * scale, top + y_mm * scale

    def tap(self, x_mm: float, y_mm: float) -> None:
        place = self.at(x_mm, y_mm)
        if self.visit.name.endswith("phone"):
            self.page.touchscreen.tap(*place)
        else:
            self.page.mouse.click(*place)

    def take(self, tool: str) -> None:
        self.page.locator(f'[data-tool="{tool}"]').click()

    def press(self, key: str, **values: object) -> None:
        self.page.get_by_role("button", name=self.visit.words(f"boards.editor.{key}", **values), exact=True).click()

    def elements(self, kind: str = "") -> int:
        return self.page.locator(f".traced.{kind}" if kind else ".traced").count()

    def is_kept(self) -> None:
        expect(self.page.locator("#keeping")).to_have_text(self.visit.words("boards.editor.saved"), timeout=PATIENCE_MS)

    def accept(self, kind: str) -> None:
        """Accept what was found and is sure: all at once, or the only one when its turn comes."""
        found, words = self.page.locator("#found"), self.visit.words
        part = words(f"boards.editor.accept_all_{kind}", count="|").split("|")[1].strip()
        if (every := found.get_by_role("button").filter(has_text=part)).count():
            every.click()
            return
        named = words(f"boards.editor.tool_{kind}")
        for _ in range(self.page.locator(".suggested").count()):
            one = found.get_by_role("button", name=words("boards.editor.accept", kind=named), exact=True)
            if one.count():
                one.click()
                return
            self.press("next")

    def trace(self, stage: Stage) -> None:
        """Trace a stage as the help text says: accept the lines, tap the course, the start and the finish."""
        rng = np.random.default_rng(1)
        self.accept("white-line")
        self.accept("checkpoint")
        self.take("course")
        way = along(stage.course)
        for place in np.arange(0, way.length_mm, TAP_EVERY_MM).tolist() + [way.length_mm]:
            at = way.points_mm[int(np.searchsorted(way.arc_mm, place).clip(0, len(way.arc_mm) - 1))]
            self.tap(*(at + rng.normal(0, SHAKY_MM, 2)))
        self.press("done")
        middle = np.array(stage.start.centroid.coords[0])
        ahead = way.heading_at(way.place_of(stage.start.centroid)) * 6
        self.take("start")
        self.tap(*(middle - ahead))
        self.tap(*(middle + ahead))
        self.take("finish")
        self.tap(*stage.finish_mm[0])
        self.tap(*stage.finish_mm[-1])


def hand_in(visit: Visit, photo: Path) -> None:
    visit.go("/boards/")
    visit.looks_well("begin")
    visit.page.set_input_files("#choose", photo)
    expect(visit.page.locator("#corners svg.corner-picture")).to_be_visible(timeout=PATIENCE_MS)


def lay_flat(page: Page) -> None:
    page.locator("#size button.primary").click()
    expect(page.locator("svg.tracing")).to_be_visible(timeout=PATIENCE_MS)


def test_a_board_is_photographed_traced_driven_saved_and_played_on(
    visit: Visit, stage: Stage, photos: tuple[Path, Path], served: tuple[str, Settings]
) -> None:
    page = visit.page
    hand_in(visit, photos[0])
    expect(page.locator("#shape")).to_have_text(visit.words("boards.corners.looks_a4"))
    visit.looks_well("corners")
    lay_flat(page)
    tracer = Tracer(visit, stage.size_mm)
    visit.looks_well("editor")
    tracer.trace(stage)
    page.fill("#name", f"Run <b>{visit.name}</b>")
    page.locator("#name").blur()
    tracer.is_kept()
    expect(page.locator("#missing .all-there")).to_be_visible(timeout=PATIENCE_MS)
    remarks = page.locator("#missing li").count()
    whole = (
        visit.words("boards.editor.missing_remarks", count=remarks)
        if remarks
        else visit.words("boards.editor.missing_none")
    )
    expect(page.locator("#missing .all-there")).to_have_text(whole)
    expect(page.locator("#missing li.error")).to_have_count(0)
    tracer.take("drive")
    for stroke in driven(stage):
        page.mouse.move(*tracer.at(*stroke[0]))
        page.mouse.down()
        for place in stroke[1:]:
            page.mouse.move(*tracer.at(*place))
        page.mouse.up()
    expect(page.locator("#drive-told .badge.fair")).to_be_visible(timeout=PATIENCE_MS)
    visit.looks_well("driven")
    number = int(page.locator("#number").input_value())
    page.locator("#save").click()
    expect(page.locator("#save-told")).to_have_text(
        visit.words("boards.editor.saved_as", number=number), timeout=PATIENCE_MS
    )
    expect(page.locator("#saved-next a")).to_have_attribute("href", "/checks/")
    expect(page.locator("#saved-next a")).to_be_visible()
    made = load_stage(served[1].own_folder / f"stage-{number}.svg")
    assert made.name == f"Run <b>{visit.name}</b>"
    assert len(made.checkpoints) == len(stage.checkpoints)
    visit.go("/boards/")
    expect(page.locator(".own-board").filter(has_text=made.name)).to_be_visible()
    visit.looks_well("list")
    visit.go("/checks/")
    page.set_input_files("#choose", photos[1])
    row = page.locator("#rows > li").filter(has_text=made.name).first
    expect(row).to_have_class("row fair", timeout=PATIENCE_MS)
    visit.go(f"/boards/{number}/delete")
    page.get_by_role("button", name=visit.words("boards.delete"), exact=True).click()
    page.wait_for_url("**/boards/")


def test_corners_are_dragged_under_a_glass_and_moved_by_keys(visit: Visit, photos: tuple[Path, Path]) -> None:
    page = visit.page
    hand_in(visit, photos[0])
    corner = page.get_by_role("button", name=visit.words("boards.corners.corner_0"))
    before = corner.get_attribute("transform")
    box = corner.locator(".ring").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + 30, box["y"] + 25, steps=4)
    expect(page.locator(".glass")).to_be_visible()
    visit.looks_well("glass")
    page.mouse.up()
    expect(page.locator(".glass")).to_be_hidden()
    dragged = corner.get_attribute("transform")
    assert dragged != before
    corner.focus()
    page.keyboard.press("Shift+ArrowLeft")
    assert corner.get_attribute("transform") != dragged
    page.get_by_label(visit.words("boards.corners.measured")).check()
    page.fill("#long", "400")
    expect(page.locator("#tells")).to_contain_text("2")
    visit.looks_well("size")


def test_lines_are_reshaped_undone_and_outlive_a_reload(visit: Visit, stage: Stage, photos: tuple[Path, Path]) -> None:
    page = visit.page
    hand_in(visit, photos[0])
    lay_flat(page)
    tracer = Tracer(visit, stage.size_mm)
    tracer.take("pipe")
    for place in ((40, 40), (70, 40), (70, 60), (40, 60)):
        tracer.tap(*place)
    tracer.press("done")
    assert tracer.elements("pipe") == 1
    tracer.take("select")
    tracer.tap(55, 40)
    expect(page.locator("#selected-panel")).to_be_visible()
    visit.looks_well("selected")
    corner = page.locator('.handles .own[data-point="0"]')
    corner.focus()
    page.keyboard.press("Shift+ArrowDown")
    corner = page.locator('.handles .own[data-point="0"]')
    expect(corner).to_be_focused()
    page.keyboard.press("Delete")
    expect(page.locator(".handles .own")).to_have_count(3)
    tracer.press("undo")
    expect(page.locator(".handles .own")).to_have_count(4)
    tracer.press("redo")
    expect(page.locator(".handles .own")).to_have_count(3)
    page.reload()  # while it is being kept
    expect(page.locator(".traced.pipe")).to_have_count(1)
    tracer.tap(60, 60)
    expect(page.locator(".handles .own")).to_have_count(3)
    tracer.press("delete")
    tracer.is_kept()
    page.reload()
    expect(page.locator("svg.tracing")).to_be_visible()
    assert tracer.elements() == 0


def test_a_line_is_drawn_with_the_keyboard_alone(visit: Visit, photos: tuple[Path, Path]) -> None:
    page = visit.page
    hand_in(visit, photos[0])
    lay_flat(page)
    tool = page.locator('[data-tool="finish"]')
    tool.focus()
    page.keyboard.press("Enter")
    page.locator("svg.tracing").focus()
    for key in ("Shift+ArrowLeft", "Enter", "Shift+ArrowDown", "Shift+ArrowDown", "Enter"):
        page.keyboard.press(key)
    expect(page.locator(".traced.finish")).to_have_count(1)
    page.keyboard.press("Control+z")
    expect(page.locator(".traced.finish")).to_have_count(0)


def test_of_two_pages_on_one_board_the_second_is_told(visit: Visit, photos: tuple[Path, Path]) -> None:
    page = visit.page
    hand_in(visit, photos[0])
    lay_flat(page)
    other = page.context.new_page()
    other.goto(page.url)
    expect(other.locator("svg.tracing")).to_be_visible()
    page.fill("#name", "First")
    page.locator("#name").blur()
    expect(page.locator("#keeping")).to_have_text(visit.words("boards.editor.saved"), timeout=PATIENCE_MS)
    other.fill("#name", "Second")
    other.locator("#name").blur()
    expect(other.locator("#keeping")).to_contain_text(visit.words("boards.editor.conflict"), timeout=PATIENCE_MS)
    other.close()
