"""A challenge in Debian's Chromium: on a phone and a laptop, in both languages, with the clock on two pages at once."""

from __future__ import annotations

import re
import shutil
import socket
import time
from collections.abc import Iterator
from ipaddress import ip_address
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from flask import Flask
from playwright.sync_api import Browser, ConsoleMessage, Page, Playwright, ViewportSize, expect

from referee.race import challenge
from referee.service import front as the_front
from referee.service import language
from referee.service.addresses import addresses
from referee.service.serving import Opening, Serving
from referee.service.settings import Settings
from tests.service.at_the_table import photos_of, says
from tests.service.conftest import SAMPLES

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
SIZES = {"phone": ViewportSize(width=390, height=844), "laptop": ViewportSize(width=1280, height=800)}
LOCALES = {"en": "en-GB", "fr": "fr-FR"}
COUNTDOWN_MS = 1200
PATIENCE_MS = 20_000
NEAR_MS = 100
PHOTO = SAMPLES / "webcam-park.jpg"
AT_ONE_MOMENT = """() => ({
  shown: document.getElementById("time").textContent, at: performance.timeOrigin + performance.now(),
})"""

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")


@pytest.fixture(scope="module")
def browser(playing: Playwright) -> Iterator[Browser]:
    browser = playing.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
    yield browser
    browser.close()


@pytest.fixture
def address(app: Flask, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The page, open on this machine; nobody counts for long."""
    monkeypatch.setattr(challenge, "COUNTDOWN_MS", COUNTDOWN_MS)
    serving = Serving(app, Opening(settings.data, port=0))
    serving.start()
    yield serving.here()
    serving.stop()


class Visit:
    """Somebody with a browser; what the page complains of, and whom it asks, is kept."""

    def __init__(self, browser: Browser, address: str, size: str, code: str, **more: Any) -> None:
        self.code = code
        self.address = address
        self.context = browser.new_context(locale=LOCALES[code], viewport=SIZES[size], reduced_motion="reduce", **more)
        self.context.set_default_timeout(PATIENCE_MS)
        self.page = self.opens()

    def opens(self) -> Page:
        """Another page of the same visitor."""
        page = self.context.new_page()
        self.complaints: list[str] = []
        self.asked: list[str] = []
        page.on("console", self._hears)
        page.on("pageerror", lambda fault: self.complaints.append(str(fault)))
        page.on("request", lambda request: self.asked.append(request.url))
        return page

    def _hears(self, said: ConsoleMessage) -> None:
        """Keep what is wrong; that a header means nothing over plain http is as it should be."""
        if said.type == "error" and "Cross-Origin-Opener-Policy" not in said.text:
            self.complaints.append(said.text)

    def word(self, key: str, **values: object) -> str:
        """Words of the page in the visitor's language."""
        return language.say(f"challenges.{key}", self.code, **values)

    def pleases(self, page: Page | None = None) -> None:
        """Hold what is shown against axe, and that nothing is wider than the screen."""
        page = page or self.page
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

    def ends(self) -> None:
        """Nobody else was asked, nothing went wrong."""
        assert all(url.startswith((self.address, "about:", "blob:", "data:")) for url in self.asked)
        assert self.complaints == []
        self.context.close()


@pytest.fixture(params=["phone", "laptop"])
def size(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=["en", "fr"])
def visit(request: pytest.FixtureRequest, browser: Browser, address: str, size: str) -> Iterator[Visit]:
    visit = Visit(browser, address, size, request.param)
    yield visit
    visit.ends()


def latest(app: Flask, page: Page) -> str:
    """The photo of a run that was taken last: its check."""
    return photos_of(app, page.url.split("/runs/")[1].split("/")[0])[-1]


def sits_down(visit: Visit, challenge_id: str, stage: int | None = None) -> None:
    """From the checklist to the run."""
    visit.page.goto(f"{visit.address}/challenges/")
    visit.page.click(f'a[href$="/{challenge_id}"]')
    if stage is not None:
        visit.page.click(f'.pick-one:has(input[value="{stage}"])')
    for place, name in enumerate(("Ada", "Béa")):
        visit.page.fill(f"#player-{place}", name)


def test_a_challenge_is_won_with_photos_before_and_after(visit: Visit, app: Flask) -> None:
    page = visit.page
    sits_down(visit, "mute-race", 5)
    visit.pleases()
    page.click("#choose .primary")
    page.wait_for_selector("#do-count-down")
    visit.pleases()

    page.set_input_files("#picture", PHOTO)
    page.wait_for_selector(f"text={visit.word('looking')}")
    assert page.locator("#do-count-down").is_disabled()
    says(app, latest(app, page), "fair", 5)
    page.wait_for_selector(f"text={visit.word('board.not_wiped')}")
    visit.pleases()
    page.set_input_files("#picture", PHOTO)
    page.wait_for_selector(f"text={visit.word('looking')}")
    says(app, latest(app, page), "error", 5, code="no-ink")
    page.wait_for_selector(f"text={visit.word('board.ready')}")

    page.click('.driver:has-text("Béa")')
    page.click("#do-count-down")
    page.wait_for_selector("#count:visible")
    visit.pleases()
    page.wait_for_selector("#do-finish:visible")
    expect(page.locator("#time")).to_have_text(re.compile(r"0[.,][4-9]$|[1-9][.,]\d$"))
    visit.pleases()
    page.reload()
    page.wait_for_selector("#do-finish:visible")
    page.keyboard.press("Tab")
    page.locator("#do-finish").press("Enter")
    page.wait_for_selector("#do-honest")
    visit.pleases()
    shown = page.inner_text("#time")
    assert re.fullmatch(r"0:\d\d[.,]\d", shown)
    assert language.say("decimal", visit.code) in shown

    page.set_input_files("#picture", PHOTO)
    page.wait_for_selector(f"text={visit.word('looking')}")
    says(app, latest(app, page), "fair", 5)
    page.wait_for_selector(f"text={visit.word('at.declaring')}")
    visit.pleases()
    page.click("#do-declare-silent-true")
    page.wait_for_selector(".outcome.won")
    assert page.inner_text("#time") == shown
    visit.pleases()
    page.goto(f"{visit.address}/challenges/")
    assert page.locator(".challenge.won").count() == 1
    visit.pleases()


def test_a_challenge_is_lost_and_tried_again_by_keys_alone(visit: Visit) -> None:
    page = visit.page
    sits_down(visit, "city-line-cup")
    page.locator("#player-1").press("Enter")
    page.wait_for_selector("#do-count-down")
    page.locator("#do-count-down").press("Enter")
    page.wait_for_selector("#do-call-off:visible")
    page.locator("#do-call-off").press("Space")
    page.wait_for_selector("#do-count-down")
    page.locator("#do-count-down").press("Enter")
    page.wait_for_selector("#do-finish:visible")
    page.keyboard.press("Space")  # it has the focus: nobody looks for it
    page.wait_for_selector("#do-not-yet")
    page.locator("#do-not-yet").press("Enter")
    page.wait_for_selector("#do-finish:visible")
    page.locator("#do-finish").press("Enter")
    page.wait_for_selector("#do-honest")
    page.locator("#do-honest").press("Enter")
    page.wait_for_selector("#do-count-down")
    assert page.locator('[aria-current="step"]').inner_text().count("3") >= 1
    page.locator(".give-up summary").press("Enter")
    page.locator("#do-give-up").press("Enter")
    page.wait_for_selector(".outcome.abandoned")
    visit.pleases()
    page.locator("#again").press("Enter")
    page.wait_for_selector("#do-count-down")


def test_a_person_is_asked_and_a_stage_is_driven_again(visit: Visit, app: Flask) -> None:
    page = visit.page
    sits_down(visit, "driving-ace", 1)
    page.click("#choose .primary")
    page.click("#do-count-down")
    page.click("#do-finish")
    page.wait_for_selector("#do-honest")
    page.set_input_files("#picture", PHOTO)
    page.wait_for_selector(f"text={visit.word('looking')}")
    check = latest(app, page)
    says(app, check, "review", 1)
    page.wait_for_selector(f'.button[href="/checks/{check}"]')
    visit.pleases()
    says(app, check, "ignored-accident", 1, accidents=1)
    page.wait_for_selector("#do-drive-again")
    visit.pleases()
    page.click("#do-drive-again")
    page.wait_for_selector("#do-count-down")


# ---------------------------------------------------------------------------------------------------- two at one table


def shown_ms(page: Page) -> tuple[float, float]:
    """What the big clock shows (to a tenth of a second, so half of one is added), and when that was."""
    told = page.evaluate(AT_ONE_MOMENT)
    minutes, seconds = told["shown"].replace(",", ".").split(":")
    return int(minutes) * 60_000 + float(seconds) * 1000 + 50, told["at"]


def test_two_phones_show_the_same_time_and_one_can_stop_the_other(browser: Browser, address: str) -> None:
    visits = [Visit(browser, address, "laptop", "en"), Visit(browser, address, "phone", "fr")]
    laptop, phone = (visit.page for visit in visits)
    sits_down(visits[0], "driving-ace", 1)
    laptop.click("#choose .primary")
    laptop.wait_for_selector("#do-count-down")
    phone.goto(laptop.url)
    laptop.click("#do-count-down")
    for page in (laptop, phone):
        page.wait_for_selector("#do-finish:visible")
    apart = []
    for _ in range(10):
        (one, one_at), (other, other_at) = shown_ms(laptop), shown_ms(phone)
        apart.append(abs((one - one_at) - (other - other_at)))
        laptop.wait_for_timeout(130)
    assert sorted(apart)[len(apart) // 2] <= NEAR_MS, apart
    phone.click("#do-finish")
    laptop.wait_for_selector("#do-honest")
    phone.wait_for_selector("#do-honest")
    assert laptop.inner_text("#time").replace(".", ",") == phone.inner_text("#time")
    for visit in visits:
        visit.ends()


def test_a_page_whose_own_clocks_are_wrong_shows_the_servers_time(browser: Browser, address: str) -> None:
    visit = Visit(browser, address, "laptop", "en")
    visit.page.add_init_script("const real = Date.now; Date.now = () => real() - 3600e3;")
    sits_down(visit, "driving-ace", 1)
    visit.page.click("#choose .primary")
    visit.page.click("#do-count-down")
    visit.page.wait_for_selector("#do-finish:visible")
    began, at = shown_ms(visit.page)
    visit.page.evaluate("const now = Date.now; Date.now = () => now() + 7200e3;")
    visit.page.wait_for_timeout(700)
    ended, later = shown_ms(visit.page)
    assert abs((ended - began) - (later - at)) <= NEAR_MS
    visit.ends()


def test_a_page_that_slept_shows_the_right_time_when_it_is_looked_at_again(browser: Browser, address: str) -> None:
    """A browser stops the scripts of a tab that nobody looks at: no timer of it runs, and no request is made."""
    visit = Visit(browser, address, "laptop", "en")
    page = visit.page
    sits_down(visit, "driving-ace", 1)
    page.click("#choose .primary")
    page.click("#do-count-down")
    page.wait_for_selector("#do-finish:visible")
    page.evaluate("window.ticks = 0; setInterval(() => { window.ticks += 1; }, 10)")
    began, at = shown_ms(page)
    sleeps_for(page, 3)
    woken = page.evaluate("window.ticks")
    page.wait_for_timeout(300)
    ended, later = shown_ms(page)
    assert woken < 100, "the page never slept"
    assert later - at > 3000
    assert abs((ended - began) - (later - at)) <= NEAR_MS
    told = page.evaluate(SERVERS_TIME, page.get_attribute("#run", "data-api"))
    assert told["earliest"] - NEAR_MS <= told["shown"] <= told["latest"] + NEAR_MS
    visit.ends()


def sleeps_for(page: Page, seconds: float) -> None:
    """Hold the page's scripts as a debugger does, which no browser refuses; its clocks go on."""
    debugger = page.context.new_cdp_session(page)
    debugger.send("Debugger.enable")
    debugger.send("Debugger.pause")
    time.sleep(seconds)
    debugger.send("Debugger.resume")
    debugger.send("Debugger.disable")
    debugger.detach()


SERVERS_TIME = """async (api) => {
  const tenths = (words) => { const [m, s] = words.split(":"); return m * 60000 + s * 1000 + 50; };
  const asked = performance.now();
  const { clock } = await (await fetch(api, { cache: "no-store" })).json();
  const heard = performance.now();
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const shown = tenths(document.getElementById("time").textContent), now = performance.now();
  const ms = clock.ms - clock.countdown_ms;
  return { shown, earliest: ms + now - heard, latest: ms + now - asked };
}"""
"""What the page shows, and between what the server's clock stands at that moment: nobody knows when it answered."""


def by_the_address_called(sock: socket.socket) -> tuple[str, int, bool]:
    """Who calls this machine by its address in the network is a phone in it."""
    is_here = ip_address(sock.getsockname()[0]).is_loopback
    return "127.0.0.1" if is_here else "192.168.1.20", sock.getpeername()[1], is_here


def test_the_laptop_keeps_the_clock_while_a_phone_joined_by_qr_takes_the_pictures(
    browser: Browser, app: Flask, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not any(ip.version == 4 for ip in addresses()):
        pytest.skip("this machine is in no network")
    monkeypatch.setattr(challenge, "COUNTDOWN_MS", COUNTDOWN_MS)
    serving = Serving(app, Opening(settings.data, host="0.0.0.0", port=0))
    serving.start()
    try:
        laptop = Visit(browser, serving.here(), "laptop", "en")
        sits_down(laptop, "driving-ace", 1)
        laptop.page.click("#choose .primary")
        laptop.page.click("#invite summary")
        laptop.page.wait_for_selector("#invite svg.qr")
        laptop.pleases()
        run = laptop.page.url.partition("/challenges/")[2]
        assert serving.invitation is not None
        door, _, ticket = str(serving.invitation.link).partition("#")
        monkeypatch.setattr(the_front, "_ends", by_the_address_called)
        phone = Visit(browser, serving.elsewhere()[0], "phone", "fr")
        phone.page.goto(f"{door}?next=/challenges/{run}/phone#{ticket}")
        phone.page.wait_for_selector("#picture", state="attached")
        phone.pleases()
        assert phone.page.locator("#do-count-down").count() == 0
        phone.page.set_input_files("#picture", PHOTO)
        phone.page.wait_for_selector(f"text={phone.word('looking')}")
        says(app, latest(app, phone.page), "error", 1, code="no-ink")
        laptop.page.wait_for_selector(f"text={laptop.word('board.ready')}")
        laptop.page.click("#do-count-down")
        phone.page.wait_for_selector(f"text={phone.word('phone_waits')}")
        laptop.page.click("#do-finish")
        phone.page.wait_for_selector(f"text={phone.word('now_photo')}")
        phone.pleases()
        phone.page.set_input_files("#picture", PHOTO)
        phone.page.wait_for_selector(f"text={phone.word('looking')}")
        says(app, latest(app, phone.page), "fair", 1)
        for visit in (laptop, phone):
            visit.page.wait_for_selector(".outcome.won")
            visit.pleases()
            visit.ends()
    finally:
        serving.stop()
