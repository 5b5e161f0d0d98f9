"""Visits in a real browser: photos handed in and judged, looked at closely, decided, driven again, put in a table.

A phone in French and in the dark, a laptop in English and in the light.  REFEREE_SCREENSHOTS=folder keeps pictures.
"""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from referee.service import language
from referee.service.app import create_app
from referee.service.checks import shelf
from referee.service.jobs.worker import Worker
from referee.service.serving import Opening, Serving
from referee.service.settings import Settings
from tests.service.conftest import JUDGED, SAMPLES, Visitor, house, served_with_a_worker

PATIENCE_MS = 120_000
"""A busy machine may take long to judge."""


@dataclass
class Visit:
    """A browser at the page."""

    page: Page
    base: str
    language: str
    name: str
    ours: list[str]
    asked: list[str]
    said: list[str]

    def words(self, key: str, **values: object) -> str:
        return language.say(key, self.language, **values)

    def go(self, address: str) -> None:
        self.page.goto(self.base + address)

    def press(self, key: str) -> None:
        self.page.get_by_role("button", name=self.words(key)).first.click()

    def looks_well(self, what: str) -> None:
        """Axe finds nothing, nothing is wider than the screen, and a picture is kept where one is wanted."""
        if folder := os.environ.get("REFEREE_SCREENSHOTS"):
            Path(folder).mkdir(parents=True, exist_ok=True)
            self.page.screenshot(path=Path(folder) / f"{self.name}-{what}.png", full_page=True)
        found = Axe().run(self.page)
        assert found.violations_count == 0, found.generate_report()
        assert self.page.evaluate("document.documentElement.scrollWidth <= innerWidth + 1"), what


@pytest.fixture(scope="module")
def served(judged: tuple[Visitor, dict[str, str]]) -> Iterator[str]:
    """The judged page behind its front, with a worker beside it."""
    app = judged[0].client.application
    with served_with_a_worker(app) as address:
        yield address


PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "locale": "fr-FR", "color_scheme": "dark"}
LAPTOP = {"viewport": {"width": 1366, "height": 768}, "locale": "en-GB", "color_scheme": "light"}


@contextmanager
def visiting(browser: Browser, address: str, device: Any, name: str, patience_ms: int) -> Iterator[Visit]:
    """A visit from its first page to its end, at which nothing was asked of others and nothing complained."""
    context = browser.new_context(**device)
    context.set_default_timeout(patience_ms)
    page = context.new_page()
    visit = Visit(page, address, device["locale"][:2], name, [address, "blob:", "data:"], [], [])
    page.on("request", lambda asked: visit.asked.append(asked.url))
    page.on("console", lambda said: visit.said.append(said.text) if said.type in ("error", "warning") else None)
    page.on("pageerror", lambda fault: visit.said.append(str(fault)))
    yield visit
    context.close()
    assert [url for url in visit.asked if not url.startswith(tuple(visit.ours))] == []
    assert visit.said == []


@pytest.fixture(params=[("phone", PHONE), ("laptop", LAPTOP)], ids=["phone", "laptop"])
def visit(request: pytest.FixtureRequest, browser: Browser, served: str) -> Iterator[Visit]:
    name, device = request.param
    with visiting(browser, served, device, name, 30_000) as begun:
        yield begun


def test_photos_are_handed_in_judged_and_looked_at(visit: Visit, tmp_path: Path) -> None:
    text = tmp_path / "holiday.jpg"
    text.write_text("not a picture at all, whatever its name says")
    page = visit.page
    visit.go("/")
    visit.looks_well("home")
    page.get_by_role("link", name=visit.words("checks.title")).last.click()
    page.set_input_files("#choose", [SAMPLES / "webcam-park.jpg", text])
    rows = page.locator("#rows > li")
    expect(rows.filter(has_text="webcam-park.jpg").first).to_be_visible(timeout=PATIENCE_MS)
    good = page.locator("#rows > li.fair").filter(has_text="webcam-park.jpg").first
    expect(good).to_be_visible(timeout=PATIENCE_MS)
    bad = page.locator("#rows > li.error").filter(has_text="holiday.jpg").first
    expect(bad).to_contain_text("JPEG", timeout=PATIENCE_MS)
    visit.looks_well("rows")
    good.get_by_role("link").first.click()
    board = page.locator("svg.board").first
    expect(board).to_be_visible()
    visit.looks_well("verdict")
    visit.press("checks.view.zoom_in")
    assert board.get_attribute("viewBox") != "0 0 297 210"
    visit.press("checks.view.whole")
    visit.press("checks.view.play")
    expect(page.locator(".viewer.driving .car").first).to_be_visible()
    before = page.locator(".car").first.get_attribute("transform")
    page.wait_for_timeout(400)
    assert page.locator(".car").first.get_attribute("transform") != before
    page.locator(".opener").first.click()
    expect(page.locator("dialog.large")).to_be_visible()
    page.get_by_role("button", name=visit.words("checks.view.close"), exact=True).click()
    expect(page.locator("dialog.large")).to_have_count(0)
    page.get_by_role("link", name=visit.words("checks.delete"), exact=True).click()
    expect(page.get_by_role("heading", name=visit.words("checks.delete_this"))).to_be_visible()
    visit.looks_well("delete")
    page.get_by_role("button", name=visit.words("checks.delete"), exact=True).click()
    page.wait_for_url("**/checks/")


def test_a_board_is_moved_by_mouse_wheel_and_keys(visit: Visit, judged: tuple[Visitor, dict[str, str]]) -> None:
    visit.go(f"/checks/{judged[1]['two-boards-park.jpg']}")
    board = visit.page.locator("svg.board:not(.small)").first
    board.scroll_into_view_if_needed()
    box = board.bounding_box()
    assert box is not None
    expect(visit.page.locator(".viewer-bar").first).to_be_visible()
    visit.page.mouse.move(box["x"] + box["width"] / 4, box["y"] + box["height"] / 2)
    visit.page.mouse.wheel(0, -400)
    near = [float(one) for one in (board.get_attribute("viewBox") or "").split()]
    assert near[2] < 200
    visit.page.mouse.down()
    visit.page.mouse.move(box["x"] + box["width"] / 4 - 60, box["y"] + box["height"] / 2 - 20, steps=4)
    visit.page.mouse.up()
    moved = [float(one) for one in (board.get_attribute("viewBox") or "").split()]
    assert moved[0] > near[0]
    board.focus()
    visit.page.keyboard.press("ArrowRight")
    assert float((board.get_attribute("viewBox") or "").split()[0]) > moved[0]
    visit.page.keyboard.press("0")
    assert (board.get_attribute("viewBox") or "").split()[0] == "0"


def test_an_open_question_is_decided_and_taken_back(visit: Visit, judged: tuple[Visitor, dict[str, str]]) -> None:
    page, number = visit.page, judged[1]["too-close-park.jpg"]
    visit.go(f"/checks/{number}")
    card = page.locator(".questions form.decide").first
    card.get_by_label(visit.words("checks.no"), exact=True).check()
    card.get_by_label(visit.words("checks.decide.why")).fill("It <b>only</b> touched it.")
    card.get_by_label(visit.words("checks.decide.who")).fill("Ann")
    visit.looks_well("decide")
    card.get_by_role("button", name=visit.words("checks.decide.button")).click()
    expect(page.locator(".sheet.fair")).to_be_visible(timeout=PATIENCE_MS)
    expect(page.locator(".decision").last).to_contain_text("It <b>only</b> touched it.")
    visit.looks_well("decided")
    visit.press("checks.decide.take_back")
    expect(page.locator(".sheet.review")).to_be_visible(timeout=PATIENCE_MS)
    expect(page.locator(".decision").last).to_contain_text(visit.words("checks.decide.taken_back"))


def test_what_went_wrong_and_the_table_are_told(visit: Visit, judged: tuple[Visitor, dict[str, str]]) -> None:
    visit.go(f"/checks/{judged[1]['dark-park.jpg']}")
    expect(visit.page.get_by_role("heading", name=visit.words("checks.better"))).to_be_visible()
    visit.looks_well("failed")
    visit.go("/checks/table")
    assert visit.page.locator("tbody tr").count() >= len(JUDGED) + 1
    visit.looks_well("table")
    visit.go("/checks/delete-all")
    visit.looks_well("delete-all")
    visit.go("/checks/no-such-check")
    visit.looks_well("not-found")
    visit.said.clear()  # the browser tells of the 404 that we asked for


def test_a_language_that_was_chosen_stays(visit: Visit) -> None:
    other = {"en": "fr", "fr": "en"}[visit.language]
    visit.go("/checks/table")
    visit.page.get_by_role("button", name=language.NAMES[other]).click()
    visit.page.wait_for_url("**/checks/table")
    visit.language = other
    expect(visit.page.locator("h1")).to_have_text(visit.words("checks.table.title"))
    visit.go("/")
    expect(visit.page.locator("h1")).to_have_text(visit.words("title"))


def test_without_scripts_photos_are_still_judged(browser: Browser, served: str) -> None:
    context = browser.new_context(java_script_enabled=False, locale="en-GB")
    page = context.new_page()
    page.goto(served + "/checks/")
    page.set_input_files("#choose", SAMPLES / "dark-park.jpg")
    page.get_by_role("button", name=language.say("checks.send", "en")).click()
    page.wait_for_url(re.compile(r"/checks/[\w-]{16}$"))
    expect(page.locator("h1")).to_have_text("dark-park.jpg")
    expect(page.locator(".sheet.error")).to_be_visible(timeout=PATIENCE_MS)
    context.close()


def test_the_finder_of_faults_finds_one(browser: Browser) -> None:
    page = browser.new_page()
    page.set_content("<html><body><img src='x.png'><p style='color:#ccc;background:#fff'>pale</p></body></html>")
    assert Axe().run(page).violations_count > 0
    page.close()


def test_a_page_that_waits_reloads_itself_when_the_verdict_is_there(visit: Visit, tmp_path: Path) -> None:
    settings = Settings(tmp_path)
    app = create_app(settings)
    number = shelf.add(house(app).store, b"no picture", "later.jpg")
    serving = Serving(app, Opening(tmp_path, port=0))
    serving.start()
    page = visit.page
    visit.ours.append(serving.here())
    page.goto(f"{serving.here()}/checks/{number}")
    expect(page.locator("#progress")).to_contain_text(visit.words("checks.state.waiting"))
    visit.looks_well("waiting")
    assert Worker(house(app).store, settings).work()
    expect(page.locator(".sheet.error")).to_be_visible(timeout=PATIENCE_MS)
    page.goto("about:blank")
    serving.stop()
    house(app).store.close()
